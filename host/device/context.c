/*
 * context.c -- where the work of a context runs: the choice, the devices it opened, what ran last.
 */
#include "core/context.h"
#include "device/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A GPU's driver takes about this long to be found and to load kernels compiled in an earlier run: a job
 * that `cpu` finishes sooner is done before a GPU would start. */
#define OPEN_GPU_SECONDS 0.3

ag_status ag_ctx_create(ag_ctx **out)
{
    *out = calloc(1, sizeof **out); /* all zero: AG_USE_AUTO, nothing open */
    return *out ? AG_OK : AG_E_MEMORY;
}

static void close_all(int n, ag_device **devices)
{
    for (int i = 0; i < n; i++)
        ag_device_close(devices[i]);
}

static void close_devices(ag_ctx *ctx)
{
    close_all(ctx->n_devices, ctx->devices);
    ag_device_close(ctx->cpu);
    ctx->n_devices = 0;
    ctx->cpu = NULL;
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

/*
 * Opens what AG_ALL_DEVICES or a number stands for: those devices of the backend that have what kernels need.
 * gpus_only: passes over what is no GPU, or one whose memory is full. *n is 0 with AG_OK if none is left; otherwise, on
 * failure, none is open.
 */
static ag_status open_devices(ag_ctx *ctx, const ag_backend *backend, int device, int n_threads, bool gpus_only, int *n,
                              ag_device **devices)
{
    char why[256] = "";
    const int n_there = backend->count(why, sizeof why);
    const bool all = device == AG_ALL_DEVICES;
    *n = 0;
    for (int i = all ? 0 : device; i < (all ? n_there : device + 1) && *n < AG_CTX_DEVICES_MAX; i++) {
        ag_device_info info = {0};
        ag_status status = gpus_only ? backend->describe(ctx, i, &info) : AG_OK;
        if (status == AG_OK && gpus_only && !info.is_gpu)
            continue;
        if (status == AG_OK)
            status = ag_device_open(ctx, backend, i, n_threads, &devices[*n]);
        if ((status == AG_E_NOTFOUND && (all || gpus_only)) || (status == AG_E_MEMORY && gpus_only)) {
            ag_log(AG_LOG_INFO, "build", "%s", ag_ctx_message(ctx));
            continue;
        }
        if (status != AG_OK) {
            close_all(*n, devices);
            *n = 0;
            return status;
        }
        ++*n;
    }
    return AG_OK;
}

/* The devices of a backend that was asked for by name: one at least. */
static ag_status open_named(ag_ctx *ctx, const ag_backend *backend, int device, int n_threads, int *n,
                            ag_device **devices)
{
    AG_TRY(open_devices(ctx, backend, device, n_threads, false, n, devices));
    if (*n > 0)
        return AG_OK;
    /* All, and there is none: the first says why. */
    AG_TRY(ag_device_open(ctx, backend, 0, n_threads, &devices[0]));
    *n = 1;
    return AG_OK;
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
    if (device < 0 && device != AG_ALL_DEVICES)
        return ag_fail(ctx, AG_E_ARG, "device is %d, must be 0 or more, or %d for all", device, AG_ALL_DEVICES);
    if (!found && device > 0)
        return ag_fail(ctx, AG_E_ARG, "device is %d, but backend %s has no numbered devices: name another backend",
                       device, backend);
    int n = 0;
    ag_device *opened[AG_CTX_DEVICES_MAX];
    if (found)
        AG_TRY(open_named(ctx, found, device, n_threads, &n, opened));
    close_devices(ctx);
    ctx->use = is_auto ? AG_USE_AUTO : is_reference ? AG_USE_REFERENCE : AG_USE_BACKEND;
    ctx->all_devices = device == AG_ALL_DEVICES;
    ctx->n_threads = n_threads;
    ctx->n_devices = n;
    memcpy(ctx->devices, opened, (size_t)n * sizeof *opened);
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

/* device: the name of the first of n devices. */
static void record_run(ag_ctx *ctx, const char *backend, const char *device, int n)
{
    snprintf(ctx->ran_backend, sizeof ctx->ran_backend, "%s", backend);
    snprintf(ctx->ran_device, sizeof ctx->ran_device, "%.127s", device);
    const size_t used = strlen(ctx->ran_device);
    if (n > 1)
        snprintf(ctx->ran_device + used, sizeof ctx->ran_device - used, " and %d more", n - 1);
}

bool ag_ctx_is_reference(const ag_ctx *ctx)
{
    return ctx->use == AG_USE_REFERENCE;
}

void ag_ctx_ran_reference(ag_ctx *ctx)
{
    ag_device_info info = {0};
    (void)ag_backend_cpu.describe(ctx, 0, &info); /* a processor without a name is no reason to fail */
    record_run(ctx, "reference", info.name, 1);
}

/* Opens the first GPU that has what kernels need, or all of its backend. A GPU that is there but broken is an error:
 * to pass over it in silence would hide it. */
static ag_status seek_gpu(ag_ctx *ctx)
{
    for (size_t b = 0; ag_backends[b] && ctx->n_devices == 0; b++) {
        char why[256] = "";
        const int n = ag_backends[b]->count(why, sizeof why);
        if (n == 0)
            ag_log(AG_LOG_INFO, "build", "auto: %s is absent: %s", ag_backends[b]->name, why);
        if (ctx->all_devices)
            AG_TRY(
                open_devices(ctx, ag_backends[b], AG_ALL_DEVICES, ctx->n_threads, true, &ctx->n_devices, ctx->devices));
        for (int i = 0; i < n && ctx->n_devices == 0; i++)
            AG_TRY(open_devices(ctx, ag_backends[b], i, ctx->n_threads, true, &ctx->n_devices, ctx->devices));
    }
    ctx->gpu_sought = true;
    return AG_OK;
}

/* The devices for a job that takes cpu_seconds on `cpu`. */
static ag_status get_devices(ag_ctx *ctx, double cpu_seconds, int *n, ag_device *const **out)
{
    if (ctx->use == AG_USE_REFERENCE)
        return ag_fail(ctx, AG_E_ARG, "backend is 'reference', which runs on no device");
    const bool small = ctx->use == AG_USE_AUTO && cpu_seconds < OPEN_GPU_SECONDS;
    if (ctx->use == AG_USE_AUTO && !small && !ctx->gpu_sought)
        AG_TRY(seek_gpu(ctx));
    if (!small && ctx->n_devices > 0) {
        *n = ctx->n_devices;
        *out = ctx->devices;
        return AG_OK;
    }
    if (!ctx->cpu)
        AG_TRY(ag_device_open(ctx, &ag_backend_cpu, 0, ctx->n_threads, &ctx->cpu));
    *n = 1;
    *out = &ctx->cpu;
    return AG_OK;
}

ag_status ag_device_get(ag_ctx *ctx, double cpu_seconds, ag_device **out)
{
    int n;
    ag_device *const *devices;
    AG_TRY(get_devices(ctx, cpu_seconds, &n, &devices));
    record_run(ctx, ag_device_backend_name(devices[0]), ag_device_describe(devices[0])->name, 1);
    *out = devices[0];
    return AG_OK;
}

ag_status ag_device_get_all(ag_ctx *ctx, double cpu_seconds, int *n, ag_device *const **out)
{
    AG_TRY(get_devices(ctx, cpu_seconds, n, out));
    record_run(ctx, ag_device_backend_name((*out)[0]), ag_device_describe((*out)[0])->name, *n);
    return AG_OK;
}

bool ag_device_give_up(ag_ctx *ctx, ag_status status)
{
    if (status != AG_E_MEMORY || ctx->use != AG_USE_AUTO || ctx->n_devices == 0)
        return false;
    ag_log(AG_LOG_INFO, "mem", "auto: on the cpu instead: %s", ag_ctx_message(ctx));
    close_all(ctx->n_devices, ctx->devices);
    ctx->n_devices = 0; /* and it is not sought again */
    return true;
}

ag_status ag_ctx_busy_seconds(ag_ctx *ctx, double *out)
{
    double sum = 0.0;
    for (int i = 0; i < ctx->n_devices; i++) {
        double seconds = 0.0;
        AG_TRY(ag_device_busy_seconds(ctx, ctx->devices[i], &seconds));
        sum += seconds;
    }
    *out = sum;
    return AG_OK;
}
