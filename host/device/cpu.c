/*
 * cpu.c -- the backend "cpu": kernels compiled as C, one group an item of a thread pool.
 *
 * The widest instruction set that the processor has is chosen at run time; the results
 * do not depend on it. AG_ISA=base, avx2 or avx512 forces one, for tests and timing.
 */
#include "device/backend.h"
#include "device/cpu_kernels.h"
#include "ag_kl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define ALIGNMENT 64u /* a cache line, and the widest vector */

typedef struct {
    const char *name;
    const ag_cpu_entry *entries;
    bool supported;
} instruction_set;

typedef struct {
    ag_threads *pool;
    const ag_cpu_entry *entries;
} cpu_device;

#define N_SETS 3

/* Fills sets, narrowest first; returns their number. */
static size_t list_sets(instruction_set *sets)
{
    size_t n = 0;
    sets[n++] = (instruction_set){"base", ag_cpu_kernels_base, true};
#if defined(__x86_64__)
    __builtin_cpu_init();
    sets[n++] = (instruction_set){"avx2", ag_cpu_kernels_avx2, __builtin_cpu_supports("avx2")};
    /* All that the kernels' object is compiled for. */
    sets[n++] = (instruction_set){"avx512", ag_cpu_kernels_avx512,
                                  __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")};
#endif
    return n;
}

static ag_status choose_set(ag_ctx *ctx, instruction_set *out)
{
    instruction_set sets[N_SETS];
    const size_t n = list_sets(sets);
    const char *forced = getenv("AG_ISA");
    const instruction_set *best = NULL;
    char list[64] = "";
    for (size_t i = 0; i < n; i++) {
        if (!sets[i].supported)
            continue;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", sets[i].name);
        if (!forced || !*forced || strcmp(forced, sets[i].name) == 0)
            best = &sets[i];
    }
    if (!best)
        return ag_fail(ctx, AG_E_ARG, "AG_ISA is '%s', must be one of what this processor has: %s", forced, list);
    *out = *best;
    return AG_OK;
}

static int cpu_count(char *why, size_t size_why)
{
    (void)why;
    (void)size_why;
    return 1;
}

/* The name that Linux knows on x86; elsewhere the name of the architecture. */
static void read_name(char *name, size_t size)
{
    struct utsname machine;
    snprintf(name, size, "%s", uname(&machine) == 0 ? machine.machine : "processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        const char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (!value)
            continue;
        value += 1 + strspn(value + 1, " ");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    fclose(file);
}

static ag_status cpu_describe(ag_ctx *ctx, int i, ag_device_info *out)
{
    (void)i;
    instruction_set set;
    AG_TRY(choose_set(ctx, &set));
    memset(out, 0, sizeof *out);
    read_name(out->name, sizeof out->name);
    snprintf(out->driver, sizeof out->driver, "%s", set.name);
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0)
        out->memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    out->compute_units = (uint32_t)ag_processors();
    return AG_OK;
}

static ag_status cpu_open(ag_ctx *ctx, int i, int n_threads, void **self)
{
    (void)i;
    instruction_set set;
    AG_TRY(choose_set(ctx, &set));
    cpu_device *dev = calloc(1, sizeof *dev);
    if (!dev)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for the cpu device");
    dev->entries = set.entries;
    const ag_status status = ag_threads_create(ctx, n_threads, &dev->pool);
    if (status != AG_OK) {
        free(dev);
        return status;
    }
    ag_log(AG_LOG_INFO, "build", "cpu: %s kernels, %d threads", set.name, ag_threads_count(dev->pool));
    *self = dev;
    return AG_OK;
}

static void cpu_close(void *self)
{
    cpu_device *dev = self;
    if (!dev)
        return;
    ag_threads_free(dev->pool);
    free(dev);
}

static ag_status cpu_alloc(ag_ctx *ctx, void *self, size_t size_bytes, ag_buf *out)
{
    (void)self;
    /* calloc() and not aligned_alloc(): large memory comes as pages that are zero without being
     * touched here, so that the threads that use them place them. */
    char *memory = size_bytes <= SIZE_MAX - ALIGNMENT ? calloc(1, size_bytes + ALIGNMENT) : NULL;
    if (!memory)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for %zu bytes on the cpu", size_bytes);
    out->handle = memory;
    out->host = memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    out->size_bytes = size_bytes;
    return AG_OK;
}

static void cpu_release(void *self, ag_buf *buf)
{
    (void)self;
    free(buf->handle);
    *buf = (ag_buf){0};
}

static ag_status cpu_write(ag_ctx *ctx, void *self, const ag_buf *to, size_t at, const void *from, size_t size_bytes)
{
    (void)ctx;
    (void)self;
    memcpy((char *)to->host + at, from, size_bytes);
    return AG_OK;
}

static ag_status cpu_read(ag_ctx *ctx, void *self, const ag_buf *from, size_t at, void *to, size_t size_bytes)
{
    (void)ctx;
    (void)self;
    memcpy(to, (const char *)from->host + at, size_bytes);
    return AG_OK;
}

typedef struct {
    ag_cpu_entry entry;
    const void *params;
    uint8_t *bufs[AG_N_BUFS];
    uint32_t n_groups;
} launch_job;

static void run_group(void *user, uint32_t group)
{
    const launch_job *job = user;
    job->entry(job->params, job->bufs, group, job->n_groups);
}

static ag_status cpu_launch(ag_ctx *ctx, void *self, ag_kernel k, uint32_t n_groups, const void *params,
                            size_t size_params, const ag_buf *bufs)
{
    (void)ctx;
    (void)size_params;
    cpu_device *dev = self;
    launch_job job = {.entry = dev->entries[k], .params = params, .n_groups = n_groups};
    for (int i = 0; i < AG_N_BUFS; i++)
        job.bufs[i] = bufs[i].host;
    ag_threads_run(dev->pool, n_groups, run_group, &job);
    return AG_OK;
}

static ag_status cpu_finish(ag_ctx *ctx, void *self)
{
    (void)ctx;
    (void)self;
    return AG_OK;
}

static uint32_t cpu_resident(void *self, ag_kernel k)
{
    const cpu_device *dev = self;
    (void)k;
    return (uint32_t)ag_threads_count(dev->pool);
}

const ag_backend ag_backend_cpu = {
    .name = "cpu",
    .count = cpu_count,
    .describe = cpu_describe,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .write = cpu_write,
    .read = cpu_read,
    .launch = cpu_launch,
    .finish = cpu_finish,
    .resident = cpu_resident,
};
