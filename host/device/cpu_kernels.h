/*
 * cpu_kernels.h -- the kernels as C functions, one table for each instruction set.
 */
#ifndef AG_DEVICE_CPU_KERNELS_H
#define AG_DEVICE_CPU_KERNELS_H

#include "device/kernel_list.h"

#include <stdint.h>

/* Runs one group: params, the AG_N_BUFS buffers, the group's number, the number of groups. */
typedef void (*ag_cpu_entry)(const void *params, uint8_t *const *bufs, uint32_t group, uint32_t n_groups);

/* Entry i is kernel i of ag_kernel. */
extern const ag_cpu_entry ag_cpu_kernels_base[AG_N_KERNELS];
#if defined(__x86_64__)
extern const ag_cpu_entry ag_cpu_kernels_avx2[AG_N_KERNELS];
extern const ag_cpu_entry ag_cpu_kernels_avx512[AG_N_KERNELS];
#endif

#endif
