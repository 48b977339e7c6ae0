/*
 * nvrtc.c -- compiles the embedded kernels by NVRTC, CUDA's compiler as a library.
 *
 * Machine code of one major version of CUDA is not taken by drivers of an older one, so the
 * driver's version decides which libnvrtc will do. The library is opened at run time and never
 * closed, and keeps no state between compilations.
 */
#include "device/nvrtc.h"
#include "device/cuda_abi.h"
#include "device/kernel_src.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The major versions that are known to do, newest first. */
static const int majors[] = {13, 12};
#define ARCHS_MAX 64

/* Filled once for the process. */
static struct {
    ag_nvrtc_calls fn;
    int driver_version;
    bool loaded;
    int major, minor;
    char why[256]; /* why not */
} nvrtc;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

/* ------------------------------------------------------------------ the library */

/* libnvrtc.so.MAJOR where the loader finds it, or where CUDA is installed; NULL if there is none. */
static void *open_major(int major)
{
    const char *cuda = getenv("CUDA_PATH");
    char path[512];
    snprintf(path, sizeof path, "libnvrtc.so.%d", major);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library && cuda && *cuda) {
        snprintf(path, sizeof path, "%s/lib64/libnvrtc.so.%d", cuda, major);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        snprintf(path, sizeof path, "/usr/local/cuda/lib64/libnvrtc.so.%d", major);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

static bool find_functions(void *library)
{
    void *symbol;
    /* memcpy(): ISO C converts no object pointer to a function pointer. */
#define X(result, name, arguments)                                                                                     \
    symbol = dlsym(library, #name);                                                                                    \
    if (!symbol) {                                                                                                     \
        snprintf(nvrtc.why, sizeof nvrtc.why, "libnvrtc has no %s", #name);                                            \
        return false;                                                                                                  \
    }                                                                                                                  \
    memcpy(&nvrtc.fn.name, &symbol, sizeof symbol);
    AG_NVRTC_CALLS(X)
#undef X
    const ag_nvrtc_result result = nvrtc.fn.nvrtcVersion(&nvrtc.major, &nvrtc.minor);
    if (result != 0)
        snprintf(nvrtc.why, sizeof nvrtc.why, "libnvrtc does not tell its version (nvrtcVersion: %s)",
                 nvrtc.fn.nvrtcGetErrorString(result));
    return result == 0;
}

static void load(void)
{
    const int most = nvrtc.driver_version / 1000;
    snprintf(nvrtc.why, sizeof nvrtc.why, "no libnvrtc.so.12%s (it compiles the kernels; the driver is for CUDA %d)",
             most >= majors[0] ? " or .13" : "", most);
    for (size_t i = 0; i < AG_COUNT(majors) && !nvrtc.loaded; i++) {
        void *library = majors[i] <= most ? open_major(majors[i]) : NULL;
        if (library)
            nvrtc.loaded = find_functions(library);
    }
}

bool ag_nvrtc_load(int driver_version, char *why, size_t size_why)
{
    nvrtc.driver_version = driver_version; /* the same whoever asks: a process has one driver */
    pthread_once(&load_once, load);
    if (!nvrtc.loaded)
        snprintf(why, size_why, "%s", nvrtc.why);
    return nvrtc.loaded;
}

/* --------------------------------------------------------------------- failures */

/* The failure of one call in words: "cuda: nvrtcCreateProgram: NVRTC_ERROR_OUT_OF_MEMORY". */
static ag_status fail_call(ag_ctx *ctx, const char *call, ag_nvrtc_result result)
{
    return ag_fail(ctx, result == 1 ? AG_E_MEMORY : AG_E_DEVICE, "cuda: %s: %s (%u)", call,
                   nvrtc.fn.nvrtcGetErrorString(result), result);
}

#define NVRTC_TRY(ctx, name, ...)                                                                                      \
    do {                                                                                                               \
        const ag_nvrtc_result result_ = nvrtc.fn.name(__VA_ARGS__);                                                    \
        if (result_ != 0)                                                                                              \
            return fail_call(ctx, #name, result_);                                                                     \
    } while (0)

/* ------------------------------------------------------------------- the target */

ag_status ag_nvrtc_choose(ag_ctx *ctx, int device, int major, int minor, ag_nvrtc_target *out)
{
    int archs[ARCHS_MAX], n = 0, newest = 0, oldest = 0;
    const int wanted = 10 * major + minor;
    NVRTC_TRY(ctx, nvrtcGetNumSupportedArchs, &n);
    if (n < 1 || n > ARCHS_MAX)
        return ag_fail(ctx, AG_E_DEVICE, "cuda: nvrtcGetNumSupportedArchs: %d architectures, must be 1..%d", n,
                       ARCHS_MAX);
    NVRTC_TRY(ctx, nvrtcGetSupportedArchs, archs);
    for (int i = 0; i < n; i++) {
        if (archs[i] <= wanted && archs[i] > newest)
            newest = archs[i];
        if (oldest == 0 || archs[i] < oldest)
            oldest = archs[i];
    }
    if (newest == 0)
        return ag_fail(ctx, AG_E_NOTFOUND,
                       "cuda device %d cannot be used: it has compute capability %d.%d, NVRTC %d.%d compiles for %d.%d "
                       "and newer",
                       device, major, minor, nvrtc.major, nvrtc.minor, oldest / 10, oldest % 10);
    snprintf(out->compiler, sizeof out->compiler, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
    snprintf(out->option, sizeof out->option, "--gpu-architecture=%s_%d", newest == wanted ? "sm" : "compute", newest);
    return AG_OK;
}

/* ------------------------------------------------------------------ compilation */

/* All kernel files as one text, each after its line marker; to be freed. NULL: no memory. */
static char *join_sources(void)
{
    const char *strings[ag_n_kernel_strings];
    size_t lengths[ag_n_kernel_strings], size = 1;
    ag_kernel_strings(strings, lengths);
    for (int i = 0; i < ag_n_kernel_strings; i++)
        size += lengths[i];
    char *text = malloc(size), *at = text;
    for (int i = 0; text && i < ag_n_kernel_strings; at += lengths[i], i++)
        memcpy(at, strings[i], lengths[i]);
    if (text)
        *at = '\0';
    return text;
}

/* Sends the compiler's words to the log, and records their first line. */
static ag_status fail_compile(ag_ctx *ctx, ag_nvrtc_program program, ag_nvrtc_result result)
{
    size_t size = 0;
    char *words = NULL;
    if (nvrtc.fn.nvrtcGetProgramLogSize(program, &size) == 0 && size > 0)
        words = calloc(1, size + 1);
    if (words && nvrtc.fn.nvrtcGetProgramLog(program, words) != 0)
        *words = '\0';
    const char *start = words ? words + strspn(words, " \n") : "";
    if (*start)
        ag_log(AG_LOG_INFO, "build", "cuda: %s", start);
    const ag_status status =
        ag_fail(ctx, result == 1 ? AG_E_MEMORY : AG_E_DEVICE, "cuda: nvrtcCompileProgram: %s (%u): %.*s",
                nvrtc.fn.nvrtcGetErrorString(result), result, (int)strcspn(start, "\n"), start);
    free(words);
    return status;
}

/* The result of a compilation, in room that is made for it. */
static ag_status take_image(ag_ctx *ctx, ag_nvrtc_program program, bool ptx, void **image, size_t *size_bytes)
{
    size_t size = 0;
    if (ptx)
        NVRTC_TRY(ctx, nvrtcGetPTXSize, program, &size);
    else
        NVRTC_TRY(ctx, nvrtcGetCUBINSize, program, &size);
    char *bytes = calloc(1, size + 1);
    if (!bytes)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for %zu bytes of compiled kernels", size);
    const ag_nvrtc_result result = ptx ? nvrtc.fn.nvrtcGetPTX(program, bytes) : nvrtc.fn.nvrtcGetCUBIN(program, bytes);
    if (result != 0) {
        free(bytes);
        return fail_call(ctx, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", result);
    }
    *image = bytes;
    *size_bytes = size + 1;
    return AG_OK;
}

ag_status ag_nvrtc_compile(ag_ctx *ctx, const ag_nvrtc_target *target, void **image, size_t *size_bytes)
{
    /* 177 is "declared but never referenced": each kernel uses only some of the vocabulary. */
    const char *const options[] = {target->option, "--fmad=false", "--diag-suppress=177"};
    ag_nvrtc_program program = NULL;
    char *text = join_sources();
    if (!text)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for the text of the kernels");
    const double start = ag_now_seconds();
    ag_status status = AG_OK;
    ag_nvrtc_result result = nvrtc.fn.nvrtcCreateProgram(&program, text, "kernels", 0, NULL, NULL);
    if (result != 0) {
        status = fail_call(ctx, "nvrtcCreateProgram", result);
        goto out;
    }
    result = nvrtc.fn.nvrtcCompileProgram(program, AG_COUNT(options), options);
    if (result != 0)
        status = fail_compile(ctx, program, result);
    else
        status = take_image(ctx, program, strstr(target->option, "compute") != NULL, image, size_bytes);
    (void)nvrtc.fn.nvrtcDestroyProgram(&program); /* what was asked of it is done */
out:
    free(text);
    if (status == AG_OK)
        ag_log(AG_LOG_INFO, "build", "cuda: kernels compiled in %.3f s (%s %s)", ag_now_seconds() - start,
               target->compiler, target->option);
    return status;
}
