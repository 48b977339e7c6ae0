/*
 * backend.h -- what a backend is: one table of functions that knows no game.
 *
 * A backend finds its devices, keeps buffers on one of them, and runs a kernel of
 * the one list in kernel_list.h over n_groups groups. Game drivers call backends
 * only through ag_device_* of device.h. A new backend is one file that fills this
 * table, and one line in registry.c.
 *
 * Absent and broken are different things. `count` says 0 and why when a library,
 * driver or device is absent, which is a reason to try the next backend. `open`
 * fails with AG_E_DEVICE when what is present does not work.
 */
#ifndef AG_DEVICE_BACKEND_H
#define AG_DEVICE_BACKEND_H

#include "core/core.h"
#include "device/kernel_list.h"

/* Memory on the open device. Zero-initialised means "no buffer". */
typedef struct {
    void *handle; /* the backend's own */
    void *host;   /* the same bytes as the host sees them; NULL where memory is apart */
    size_t size_bytes;
} ag_buf;

typedef struct {
    char name[128];        /* as the driver gives it */
    char driver[128];      /* driver and version; "" if there is none */
    uint64_t memory_bytes; /* 0: no memory to report */
    uint32_t compute_units;
    int is_gpu;
} ag_device_info;

typedef struct ag_backend {
    const char *name;
    /* Number of devices. 0: `why` (size_why bytes) says in one phrase why there are none. */
    int (*count)(char *why, size_t size_why);
    /* Describes device i of 0..count-1 without opening it. */
    ag_status (*describe)(ag_ctx *ctx, int i, ag_device_info *out);
    /* Opens device i, compiles or binds every kernel. n_threads: 0 = all. AG_E_DEVICE if that fails,
     * AG_E_NOTFOUND if the device lacks what kernels need (doubles, say): then it is as good as absent. */
    ag_status (*open)(ag_ctx *ctx, int i, int n_threads, void **self);
    /* Frees everything; no buffer of it may be used afterwards. Accepts NULL. */
    void (*close)(void *self);
    /* Memory filled with zeros. AG_E_MEMORY with the size in the message. */
    ag_status (*alloc)(ag_ctx *ctx, void *self, size_t size_bytes, ag_buf *out);
    /* Accepts a zero-initialised buffer; leaves it zero-initialised. */
    void (*release)(void *self, ag_buf *buf);
    /* Both block until the bytes may be reused (write) or are there (read). */
    ag_status (*write)(ag_ctx *ctx, void *self, const ag_buf *to, size_t at, const void *from, size_t size_bytes);
    ag_status (*read)(ag_ctx *ctx, void *self, const ag_buf *from, size_t at, void *to, size_t size_bytes);
    /* Runs kernel k over n_groups groups, after all earlier launches; may return before it is done.
     * bufs: AG_N_BUFS buffers; a zero-initialised one may be given where the kernel reads none. */
    ag_status (*launch)(ag_ctx *ctx, void *self, ag_kernel k, uint32_t n_groups, const void *params, size_t size_params,
                        const ag_buf *bufs);
    /* Blocks until every launch is done. */
    ag_status (*finish)(ag_ctx *ctx, void *self);
    /* How many groups of kernel k run at once: the least number that fills the device, 1 or more. */
    uint32_t (*resident)(void *self, ag_kernel k);
    /* (optional, may be NULL) Seconds that launches kept the device busy since the last call, by its own clock. Waits
     * for them. */
    ag_status (*busy)(ag_ctx *ctx, void *self, double *seconds);
} ag_backend;

extern const ag_backend ag_backend_cpu;
extern const ag_backend ag_backend_opencl;
extern const ag_backend ag_backend_cuda;

#endif
