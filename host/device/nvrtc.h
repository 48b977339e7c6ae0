/*
 * nvrtc.h -- the kernels as CUDA's run-time compiler makes them: machine code for one architecture,
 * or PTX where the compiler is older than the device.
 */
#ifndef AG_DEVICE_NVRTC_H
#define AG_DEVICE_NVRTC_H

#include "core/core.h"

/* Loads every libnvrtc whose machine code a driver of that version (13000 for CUDA 13.0) takes, once for the process.
 * False: why (size_why bytes) says in one phrase what is missing. */
bool ag_nvrtc_load(int driver_version, char *why, size_t size_why);

/* All that decides what the compiler makes of the kernels' sources. */
typedef struct {
    int library;       /* which of those that are loaded */
    bool ptx;          /* not machine code: the driver compiles further */
    char compiler[32]; /* "NVRTC 13.0" */
    char options[128]; /* all, between blanks; the first is "--gpu-architecture=sm_90", or compute_90 for PTX */
} ag_nvrtc_target;

/* The target for cuda's device of that number, whose compute capability is major.minor. AG_E_NOTFOUND if the compiler
 * makes no code for devices so old. Needs ag_nvrtc_load(). */
ag_status ag_nvrtc_choose(ag_ctx *ctx, int device, int major, int minor, ag_nvrtc_target *out);

/* Compiles all kernels: *image is a cubin or PTX text, ends in a zero that is counted, and is to be freed.
 * AG_E_DEVICE with the first line of what the compiler says; all of it goes to the log. */
ag_status ag_nvrtc_compile(ag_ctx *ctx, const ag_nvrtc_target *target, void **image, size_t *size_bytes);

#endif
