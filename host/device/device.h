/*
 * device.h -- how game drivers reach the device of a context.
 */
#ifndef AG_DEVICE_H
#define AG_DEVICE_H

#include "device/backend.h"

/* An open device with its backend and scratch memory. */
typedef struct ag_device ag_device;

/*
 * The device on which ctx runs its next job, opened (and self-tested) on first use.
 * cpu_seconds: what the job would take on `cpu`, roughly; "auto" opens a GPU only when
 * that exceeds the time of opening one. AG_E_ARG when ctx uses "reference": ask
 * ag_ctx_is_reference() first.
 */
ag_status ag_device_get(ag_ctx *ctx, double cpu_seconds, ag_device **out);
/* The same for a job that can be split: all devices of ctx, which it keeps; *n is 1 but for AG_ALL_DEVICES. */
ag_status ag_device_get_all(ag_ctx *ctx, double cpu_seconds, int *n, ag_device *const **out);
/*
 * True when a job of ctx ended so because the GPU that "auto" chose has too little memory: the job is to be done
 * again, on the cpu, and so will later ones.
 */
bool ag_device_give_up(ag_ctx *ctx, ag_status status);
bool ag_ctx_is_reference(const ag_ctx *ctx);
/* For drivers that ran the reference: what ag_ctx_backend() then says. */
void ag_ctx_ran_reference(ag_ctx *ctx);

const ag_device_info *ag_device_describe(const ag_device *dev);

/*
 * Scratch buffer number slot (0..AG_N_SCRATCH-1) of at least size_bytes, kept with the
 * device and reused by later jobs; contents are undefined (zero when first made). Owned by the device.
 */
#define AG_N_SCRATCH 8
ag_status ag_device_scratch(ag_ctx *ctx, ag_device *dev, int slot, size_t size_bytes, ag_buf *out);

ag_status ag_device_write(ag_ctx *ctx, ag_device *dev, const ag_buf *to, size_t at, const void *from,
                          size_t size_bytes);
ag_status ag_device_read(ag_ctx *ctx, ag_device *dev, const ag_buf *from, size_t at, void *to, size_t size_bytes);
ag_status ag_device_launch(ag_ctx *ctx, ag_device *dev, ag_kernel k, uint32_t n_groups, const void *params,
                           size_t size_params, const ag_buf *bufs);
ag_status ag_device_finish(ag_ctx *ctx, ag_device *dev);
/* Groups of kernel k that run at once: fewer leave a part of the device idle. */
uint32_t ag_device_groups(const ag_device *dev, ag_kernel k);
/* Seconds that kernels kept the device busy since this was last asked; 0 where it has no clock. Waits for them. */
ag_status ag_device_busy_seconds(ag_ctx *ctx, ag_device *dev, double *out);

#endif
