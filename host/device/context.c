/*
 * context.c -- where the work of a context runs: the choice, the devices it opened, what ran last.
 */
#include "core/context.h"
#include "device/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A GPU's driver takes about this long to be found and to compile the kernels: a job that
 * `cpu` finishes sooner is done before a GPU would start. */
#define OPEN_GPU_SECONDS 0.3

ag_status ag_ctx_create(ag_ctx **out)
{
    *out = calloc(1, sizeof **out); /* all zero: AG_USE_AUTO, nothing open */
    return *out ? AG_OK : AG_E_MEMORY;
}

static void close_devices(ag_ctx *ctx)
{
    ag_device_close(ctx->cpu);
    ag_device_close(ctx->gpu);
    ag_device_close(ctx->chosen);
    ctx->cpu = ctx->gpu = ctx->chosen = NULL;
    ctx->gpu_sought = false;
}

void ag_ctx_free(ag_ctx *ctx)
{
    if (!ctx)
        return;
    close_devices(ctx);
    free(ctx);
}

/* Says which backends there are, and which of them was perhaps meant. */
static ag_status fail_unknown_backend(ag_ctx *ctx, const char *name)
{
    const char *words[16] = {"auto", "reference"};
    size_t n = 2;
    char list[128] = "auto";
    for (size_t i = 0; ag_backends[i] && n < AG_COUNT(words); i++) {
        words[n++] = ag_backends[i]->name;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, ", %s", ag_backends[i]->name);
    }
    const char *near = ag_nearest_word(name, words, n);
    return ag_fail(ctx, AG_E_ARG, "backend is '%s', must be %s or reference%s%s%s", name, list,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

ag_status ag_ctx_use(ag_ctx *ctx, const char *backend, int device, int n_threads)
{
    const bool is_auto = strcmp(backend, "auto") == 0, is_reference = strcmp(backend, "reference") == 0;
    const ag_backend *found = ag_backend_find(backend);
    if (!is_auto && !is_reference && !found)
        return fail_unknown_backend(ctx, backend);
    if (n_threads < 0 || n_threads > AG_THREADS_MAX)
        return ag_fail(ctx, AG_E_ARG, "threads is %d, must be 1..%d, or 0 for one a processor", n_threads,
                       AG_THREADS_MAX);
    if (device < 0)
        return ag_fail(ctx, AG_E_ARG, "device is %d, must be 0 or more", device);
    if (!found && device > 0)
        return ag_fail(ctx, AG_E_ARG, "device is %d, but backend %s has no numbered devices: name another backend",
                       device, backend);
    ag_device *opened = NULL;
    if (found)
        AG_TRY(ag_device_open(ctx, found, device, n_threads, &opened));
    close_devices(ctx);
    ctx->use = is_auto ? AG_USE_AUTO : is_reference ? AG_USE_REFERENCE : AG_USE_BACKEND;
    ctx->n_threads = n_threads;
    ctx->chosen = opened;
    return AG_OK;
}

const char *ag_ctx_backend(const ag_ctx *ctx)
{
    return ctx->ran_backend;
}

const char *ag_ctx_device(const ag_ctx *ctx)
{
    return ctx->ran_device;
}

static void record_run(ag_ctx *ctx, const char *backend, const char *device)
{
    snprintf(ctx->ran_backend, sizeof ctx->ran_backend, "%s", backend);
    snprintf(ctx->ran_device, sizeof ctx->ran_device, "%s", device);
}

bool ag_ctx_is_reference(const ag_ctx *ctx)
{
    return ctx->use == AG_USE_REFERENCE;
}

void ag_ctx_ran_reference(ag_ctx *ctx)
{
    ag_device_info info = {0};
    (void)ag_backend_cpu.describe(ctx, 0, &info); /* a processor without a name is no reason to fail */
    record_run(ctx, "reference", info.name);
}

/* Sets ctx->gpu to the first GPU that has what kernels need, or to NULL. A GPU that is there but
 * broken is an error: to pass over it in silence would hide it. */
static ag_status seek_gpu(ag_ctx *ctx)
{
    for (size_t b = 0; ag_backends[b]; b++) {
        char why[256] = "";
        const int n = ag_backends[b]->count(why, sizeof why);
        if (n == 0)
            ag_log(AG_LOG_INFO, "build", "auto: %s is absent: %s", ag_backends[b]->name, why);
        for (int i = 0; i < n; i++) {
            ag_device_info info;
            AG_TRY(ag_backends[b]->describe(ctx, i, &info));
            if (!info.is_gpu)
                continue;
            const ag_status status = ag_device_open(ctx, ag_backends[b], i, ctx->n_threads, &ctx->gpu);
            if (status == AG_OK) {
                ctx->gpu_sought = true;
                return AG_OK;
            }
            if (status != AG_E_NOTFOUND)
                return status;
            ag_log(AG_LOG_INFO, "build", "auto: %s", ag_ctx_message(ctx));
        }
    }
    ctx->gpu_sought = true;
    return AG_OK;
}

ag_status ag_device_get(ag_ctx *ctx, double cpu_seconds, ag_device **out)
{
    if (ctx->use == AG_USE_REFERENCE)
        return ag_fail(ctx, AG_E_ARG, "backend is 'reference', which runs on no device");
    ag_device *dev = ctx->chosen;
    if (!dev && cpu_seconds >= OPEN_GPU_SECONDS) {
        if (!ctx->gpu_sought)
            AG_TRY(seek_gpu(ctx));
        dev = ctx->gpu;
    }
    if (!dev) {
        if (!ctx->cpu)
            AG_TRY(ag_device_open(ctx, &ag_backend_cpu, 0, ctx->n_threads, &ctx->cpu));
        dev = ctx->cpu;
    }
    record_run(ctx, ag_device_backend_name(dev), ag_device_describe(dev)->name);
    *out = dev;
    return AG_OK;
}
