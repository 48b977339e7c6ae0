/*
 * device.c -- one open device: its backend's functions, its scratch memory, its self-test.
 */
#include "device/registry.h"
#include "device/selftest.h"

#include <assert.h>
#include <stdlib.h>

struct ag_device {
    const ag_backend *backend;
    void *self; /* the backend's own */
    ag_device_info info;
    ag_buf scratch[AG_N_SCRATCH];
};

static const char *const kernel_names[] = {
#define X(name, params) #name,
    AG_KERNELS(X)
#undef X
};

static void drop_scratch(ag_device *dev)
{
    for (int i = 0; i < AG_N_SCRATCH; i++)
        dev->backend->release(dev->self, &dev->scratch[i]);
}

ag_status ag_device_open(ag_ctx *ctx, const ag_backend *backend, int i, int n_threads, ag_device **out)
{
    char why[256] = "";
    const int n = backend->count(why, sizeof why);
    if (n == 0)
        return ag_fail(ctx, AG_E_NOTFOUND, "backend %s is absent: %s", backend->name, why);
    if (i < 0 || i >= n)
        return ag_fail(ctx, i < 0 ? AG_E_ARG : AG_E_NOTFOUND, "device is %d, must be 0..%d: %s has %d device%s", i,
                       n - 1, backend->name, n, n == 1 ? "" : "s");
    ag_device *dev = calloc(1, sizeof *dev);
    if (!dev)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for a device");
    dev->backend = backend;
    const double start = ag_now_seconds();
    ag_status status = backend->describe(ctx, i, &dev->info);
    if (status == AG_OK)
        status = backend->open(ctx, i, n_threads, &dev->self);
    if (status != AG_OK) {
        free(dev);
        return status;
    }
    status = ag_selftest(ctx, dev);
    if (status != AG_OK) {
        ag_device_close(dev);
        return status;
    }
    drop_scratch(dev); /* so that jobs find it zero when first made */
    ag_log(AG_LOG_INFO, "build", "%s device %d (%s) opened and tested in %.3f s", backend->name, i, dev->info.name,
           ag_now_seconds() - start);
    *out = dev;
    return AG_OK;
}

void ag_device_close(ag_device *dev)
{
    if (!dev)
        return;
    drop_scratch(dev);
    dev->backend->close(dev->self);
    free(dev);
}

const char *ag_device_backend_name(const ag_device *dev)
{
    return dev->backend->name;
}

const ag_device_info *ag_device_describe(const ag_device *dev)
{
    return &dev->info;
}

ag_status ag_device_scratch(ag_ctx *ctx, ag_device *dev, int slot, size_t size_bytes, ag_buf *out)
{
    assert(slot >= 0 && slot < AG_N_SCRATCH);
    ag_buf *buf = &dev->scratch[slot];
    if (!buf->handle || buf->size_bytes < size_bytes) {
        dev->backend->release(dev->self, buf);
        AG_TRY(dev->backend->alloc(ctx, dev->self, size_bytes, buf));
        ag_log(AG_LOG_DEBUG, "mem", "%s: scratch %d is %zu bytes", dev->backend->name, slot, size_bytes);
    }
    *out = *buf;
    return AG_OK;
}

ag_status ag_device_write(ag_ctx *ctx, ag_device *dev, const ag_buf *to, size_t at, const void *from, size_t size_bytes)
{
    assert(at <= to->size_bytes && size_bytes <= to->size_bytes - at);
    return size_bytes ? dev->backend->write(ctx, dev->self, to, at, from, size_bytes) : AG_OK;
}

ag_status ag_device_read(ag_ctx *ctx, ag_device *dev, const ag_buf *from, size_t at, void *to, size_t size_bytes)
{
    assert(at <= from->size_bytes && size_bytes <= from->size_bytes - at);
    return size_bytes ? dev->backend->read(ctx, dev->self, from, at, to, size_bytes) : AG_OK;
}

ag_status ag_device_launch(ag_ctx *ctx, ag_device *dev, ag_kernel k, uint32_t n_groups, const void *params,
                           size_t size_params, const ag_buf *bufs)
{
    if (n_groups == 0)
        return AG_OK;
    ag_log(AG_LOG_DEBUG, "launch", "%s: %s, %u groups", dev->backend->name, kernel_names[k], (unsigned)n_groups);
    return dev->backend->launch(ctx, dev->self, k, n_groups, params, size_params, bufs);
}

ag_status ag_device_finish(ag_ctx *ctx, ag_device *dev)
{
    return dev->backend->finish(ctx, dev->self);
}

uint32_t ag_device_groups(const ag_device *dev, ag_kernel k)
{
    return dev->backend->resident(dev->self, k);
}

ag_status ag_device_busy_seconds(ag_ctx *ctx, ag_device *dev, double *out)
{
    *out = 0.0;
    return dev->backend->busy ? dev->backend->busy(ctx, dev->self, out) : AG_OK;
}
