/*
 * nvrtc.c -- compiles the embedded kernels by NVRTC, CUDA's compiler as a library.
 *
 * Machine code of one major version of CUDA is not taken by drivers of an older one, and new compilers
 * know old devices no more: the driver's version and the device decide which libnvrtc will do. Libraries
 * are opened at run time and never closed, and keep no state between compilations.
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

typedef struct {
    ag_nvrtc_calls fn;
    int major, minor;
} nvrtc_library;

/* Filled once for the process. */
static struct {
    int driver_version;
    int n_libraries; /* newest first */
    nvrtc_library libraries[AG_COUNT(majors)];
    char why[256]; /* why there is none */
} nvrtc;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

/* ---------------------------------------------------------------- the libraries */

/* libnvrtc.so.MAJOR where the loader finds it, or where CUDA is installed; NULL if there is none. */
static void *open_major(int major)
{
    static const char *const variables[] = {"CUDA_PATH", "CUDA_HOME"};
    char path[512];
    snprintf(path, sizeof path, "libnvrtc.so.%d", major);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < AG_COUNT(variables) && !library; i++) {
        const char *folder = getenv(variables[i]);
        if (!folder || !*folder)
            continue;
        snprintf(path, sizeof path, "%s/lib64/libnvrtc.so.%d", folder, major);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        snprintf(path, sizeof path, "/usr/local/cuda/lib64/libnvrtc.so.%d", major);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

static bool find_functions(void *library, nvrtc_library *out)
{
    void *symbol;
    /* memcpy(): ISO C converts no object pointer to a function pointer. */
#define X(result, name, arguments)                                                                                     \
    symbol = dlsym(library, #name);                                                                                    \
    if (!symbol) {                                                                                                     \
        snprintf(nvrtc.why, sizeof nvrtc.why, "libnvrtc has no %s", #name);                                            \
        return false;                                                                                                  \
    }                                                                                                                  \
    memcpy(&out->fn.name, &symbol, sizeof symbol);
    AG_NVRTC_CALLS(X)
#undef X
    const ag_nvrtc_result result = out->fn.nvrtcVersion(&out->major, &out->minor);
    if (result != 0)
        snprintf(nvrtc.why, sizeof nvrtc.why, "libnvrtc does not tell its version (nvrtcVersion: %s)",
                 out->fn.nvrtcGetErrorString(result));
    return result == 0;
}

static void load(void)
{
    const int most = nvrtc.driver_version / 1000;
    snprintf(nvrtc.why, sizeof nvrtc.why, "no libnvrtc.so.12%s (it compiles the kernels; the driver is for CUDA %d)",
             most >= majors[0] ? " or .13" : "", most);
    for (size_t i = 0; i < AG_COUNT(majors); i++) {
        void *library = majors[i] <= most ? open_major(majors[i]) : NULL;
        if (library && find_functions(library, &nvrtc.libraries[nvrtc.n_libraries]))
            nvrtc.n_libraries++;
    }
}

bool ag_nvrtc_load(int driver_version, char *why, size_t size_why)
{
    nvrtc.driver_version = driver_version; /* the same whoever asks: a process has one driver */
    pthread_once(&load_once, load);
    if (nvrtc.n_libraries == 0)
        snprintf(why, size_why, "%s", nvrtc.why);
    return nvrtc.n_libraries > 0;
}

/* --------------------------------------------------------------------- failures */

/* The failure of one call in words: "cuda: nvrtcCreateProgram: NVRTC_ERROR_OUT_OF_MEMORY". */
static ag_status fail_call(ag_ctx *ctx, const nvrtc_library *lib, const char *call, ag_nvrtc_result result)
{
    return ag_fail(ctx, result == 1 ? AG_E_MEMORY : AG_E_DEVICE, "cuda: %s: %s (%u)", call,
                   lib->fn.nvrtcGetErrorString(result), result);
}

#define NVRTC_TRY(ctx, lib, name, ...)                                                                                 \
    do {                                                                                                               \
        const ag_nvrtc_result result_ = (lib)->fn.name(__VA_ARGS__);                                                   \
        if (result_ != 0)                                                                                              \
            return fail_call(ctx, lib, #name, result_);                                                                \
    } while (0)

/* ------------------------------------------------------------------- the target */

/* The newest architecture up to `wanted` that a library knows, 0 if all are newer; and its oldest. */
static ag_status find_arch(ag_ctx *ctx, const nvrtc_library *lib, int wanted, int *newest, int *oldest)
{
    int archs[ARCHS_MAX], n = 0;
    NVRTC_TRY(ctx, lib, nvrtcGetNumSupportedArchs, &n);
    if (n < 1 || n > ARCHS_MAX)
        return ag_fail(ctx, AG_E_DEVICE, "cuda: nvrtcGetNumSupportedArchs: %d architectures, must be 1..%d", n,
                       ARCHS_MAX);
    NVRTC_TRY(ctx, lib, nvrtcGetSupportedArchs, archs);
    *newest = 0;
    *oldest = archs[0];
    for (int i = 0; i < n; i++) {
        if (archs[i] <= wanted && archs[i] > *newest)
            *newest = archs[i];
        if (archs[i] < *oldest)
            *oldest = archs[i];
    }
    return AG_OK;
}

ag_status ag_nvrtc_choose(ag_ctx *ctx, int device, int major, int minor, ag_nvrtc_target *out)
{
    int arch = 0, library = 0, oldest = 0;
    /* Machine code serves devices of its major version and no older minor one; PTX serves any newer. */
    for (int i = 0; i < nvrtc.n_libraries && arch / 10 != major; i++) {
        int newest;
        AG_TRY(find_arch(ctx, &nvrtc.libraries[i], 10 * major + minor, &newest, &oldest));
        if (newest > arch) {
            arch = newest;
            library = i;
        }
    }
    const nvrtc_library *lib = &nvrtc.libraries[arch ? library : nvrtc.n_libraries - 1];
    if (arch == 0)
        return ag_fail(ctx, AG_E_NOTFOUND,
                       "cuda device %d cannot be used: it has compute capability %d.%d, NVRTC %d.%d compiles for %d.%d "
                       "and newer",
                       device, major, minor, lib->major, lib->minor, oldest / 10, oldest % 10);
    out->library = library;
    out->ptx = arch / 10 != major;
    snprintf(out->compiler, sizeof out->compiler, "NVRTC %d.%d", lib->major, lib->minor);
    /* 177 is "declared but never referenced": each kernel uses only some of the vocabulary. */
    snprintf(out->options, sizeof out->options, "--gpu-architecture=%s_%d --fmad=false --diag-suppress=177",
             out->ptx ? "compute" : "sm", arch);
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
static ag_status fail_compile(ag_ctx *ctx, const nvrtc_library *lib, ag_nvrtc_program program, ag_nvrtc_result result)
{
    size_t size = 0;
    char *words = NULL;
    if (lib->fn.nvrtcGetProgramLogSize(program, &size) == 0 && size > 0)
        words = calloc(1, size + 1);
    if (words && lib->fn.nvrtcGetProgramLog(program, words) != 0)
        *words = '\0';
    const char *start = words ? words + strspn(words, " \n") : "";
    if (*start)
        ag_log(AG_LOG_INFO, "build", "cuda: %s", start);
    const ag_status status =
        ag_fail(ctx, result == 1 ? AG_E_MEMORY : AG_E_DEVICE, "cuda: nvrtcCompileProgram: %s (%u): %.*s",
                lib->fn.nvrtcGetErrorString(result), result, (int)strcspn(start, "\n"), start);
    free(words);
    return status;
}

/* The result of a compilation, in room that is made for it. */
static ag_status take_image(ag_ctx *ctx, const nvrtc_library *lib, ag_nvrtc_program program, bool ptx, void **image,
                            size_t *size_bytes)
{
    size_t size = 0;
    if (ptx)
        NVRTC_TRY(ctx, lib, nvrtcGetPTXSize, program, &size);
    else
        NVRTC_TRY(ctx, lib, nvrtcGetCUBINSize, program, &size);
    char *bytes = calloc(1, size + 1);
    if (!bytes)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for %zu bytes of compiled kernels", size);
    const ag_nvrtc_result result = ptx ? lib->fn.nvrtcGetPTX(program, bytes) : lib->fn.nvrtcGetCUBIN(program, bytes);
    if (result != 0) {
        free(bytes);
        return fail_call(ctx, lib, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", result);
    }
    *image = bytes;
    *size_bytes = size + 1;
    return AG_OK;
}

ag_status ag_nvrtc_compile(ag_ctx *ctx, const ag_nvrtc_target *target, void **image, size_t *size_bytes)
{
    const nvrtc_library *lib = &nvrtc.libraries[target->library];
    char words[sizeof target->options];
    const char *options[8];
    int n_options = 0;
    char *rest = NULL;
    memcpy(words, target->options, sizeof words);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        options[n_options++] = word;
    ag_nvrtc_program program = NULL;
    char *text = join_sources();
    if (!text)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for the text of the kernels");
    const double start = ag_now_seconds();
    ag_status status = AG_OK;
    ag_nvrtc_result result = lib->fn.nvrtcCreateProgram(&program, text, "kernels", 0, NULL, NULL);
    if (result != 0) {
        status = fail_call(ctx, lib, "nvrtcCreateProgram", result);
        goto out;
    }
    result = lib->fn.nvrtcCompileProgram(program, n_options, options);
    if (result != 0)
        status = fail_compile(ctx, lib, program, result);
    else
        status = take_image(ctx, lib, program, target->ptx, image, size_bytes);
    (void)lib->fn.nvrtcDestroyProgram(&program); /* what was asked of it is done */
out:
    free(text);
    if (status == AG_OK)
        ag_log(AG_LOG_INFO, "build", "cuda: kernels compiled in %.3f s (%s, %s)", ag_now_seconds() - start,
               target->compiler, target->options);
    return status;
}
