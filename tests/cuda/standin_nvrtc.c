/*
 * standin_nvrtc.c -- the stand-in NVRTC: finds the kernels of a program by their AG_ENTRY and describes them, in its
 * own form as machine code, in PTX's as PTX. It compiles nothing.
 */
#include "standin_record.h"
#include "standin_image.h"
#include "device/cuda_abi.h"
#include "device/kernel_list.h"

#include "ag_kl.h"
#include "dice_params.h"
#include "hog_params.h"
#include "lcr_play_params.h"
#include "selftest_params.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCHS_MAX   32
#define ENTRIES_MAX 32
#define SIZE_OUTPUT (64 * 1024)
#define SIZE_LOG    1024

/* The functions of the ABI and no others: a definition of another type does not compile. */
#define X(result, name, arguments) STANDIN_EXPORT result name arguments;
AG_NVRTC_CALLS(X)
#undef X

const char standin_any_call[] = "nvrtc*";
const char standin_calls_ending[] = ".nvrtc";

/* Programs stay for the life of the process, so that a stale handle is known as such. */
struct _nvrtcProgram {
    struct _nvrtcProgram *next;
    bool live, excused;
    bool compiled, good; /* compilation was tried, went well */
    char *source;
    char name[128];
    char log[SIZE_LOG];
    char *cubin, *ptx; /* NULL: none */
};

static struct {
    int major, minor;
    int archs[ARCHS_MAX], n_archs;
    struct _nvrtcProgram *programs;
} nvrtc;

/* --------------------------------------------------------------- environment */

static void read_version(void)
{
    const char *whole = getenv("AG_STANDIN_NVRTC"), *text = whole;
    nvrtc.major = 13;
    nvrtc.minor = 0;
    if (!whole || !*whole)
        return;
    nvrtc.major = (int)standin_number(&text, 11, 99, "AG_STANDIN_NVRTC", whole);
    if (*text++ != '.')
        standin_refuse("AG_STANDIN_NVRTC", whole, "like 13.0");
    nvrtc.minor = (int)standin_number(&text, 0, 9, "AG_STANDIN_NVRTC", whole);
    if (*text)
        standin_refuse("AG_STANDIN_NVRTC", whole, "like 13.0");
}

static void read_archs(void)
{
    const char *whole = getenv("AG_STANDIN_ARCHS");
    if (!whole || !*whole)
        whole = nvrtc.major >= 13 ? "75,80,86,87,88,89,90,100,103,110,120,121"
                                  : "50,52,53,60,61,62,70,72,75,80,86,87,89,90";
    nvrtc.n_archs = 0;
    for (const char *text = whole; nvrtc.n_archs < ARCHS_MAX;) {
        nvrtc.archs[nvrtc.n_archs++] = (int)standin_number(&text, 20, 199, "AG_STANDIN_ARCHS", whole);
        if (!*text)
            return;
        if (*text++ != ',')
            break;
    }
    standin_refuse("AG_STANDIN_ARCHS", whole, "numbers with commas between, not too many");
}

void standin_read_environment(void)
{
    read_version();
    read_archs();
}

/* ----------------------------------------------------------------- programs */

static void end_program(struct _nvrtcProgram *program)
{
    free(program->source);
    free(program->cubin);
    free(program->ptx);
    program->source = program->cubin = program->ptx = NULL;
    program->live = false;
}

unsigned long long standin_count_live(void)
{
    unsigned long long n = 0;
    for (const struct _nvrtcProgram *p = nvrtc.programs; p; p = p->next)
        n += p->live && !p->excused;
    return n;
}

void standin_record_leaks(void)
{
    for (const struct _nvrtcProgram *p = nvrtc.programs; p; p = p->next)
        if (p->live && !p->excused)
            standin_fault(0, "program %s was not destroyed", p->name);
}

void standin_revive(void) {}

void standin_release_all(void)
{
    for (struct _nvrtcProgram *p = nvrtc.programs; p; p = p->next)
        if (p->live)
            end_program(p);
}

/* False after a fault if it is no live program. */
static bool is_program(ag_nvrtc_program program)
{
    for (const struct _nvrtcProgram *p = nvrtc.programs; p; p = p->next)
        if (p == program) {
            if (!p->live)
                standin_fault(0, "a program that was destroyed");
            return p->live;
        }
    standin_fault(0, "%p is no program", (void *)program);
    return false;
}

/* ------------------------------------------------------------ "compilation" */

typedef struct {
    char name[64], params[64];
    size_t size_struct;
} entry;

/* Sizes of the parameter structs, as the host has them; 0 if there is no such type. */
static size_t size_of_type(const char *name)
{
#define X(kernel, params)                                                                                              \
    if (!strcmp(name, #params))                                                                                        \
        return sizeof(params);
    AG_KERNELS(X)
#undef X
    return 0;
}

/* Finds each AG_ENTRY(name, params) of the source that is no part of a directive; the number, -1 with words in the log.
 */
static int find_entries(const char *source, entry entries[ENTRIES_MAX], char *log)
{
    int n = 0;
    for (const char *at = strstr(source, "\nAG_ENTRY("); at; at = strstr(at + 1, "\nAG_ENTRY(")) {
        if (n == ENTRIES_MAX ||
            sscanf(at, "\nAG_ENTRY(%63[a-z0-9_], %63[a-z0-9_])", entries[n].name, entries[n].params) != 2) {
            snprintf(log, SIZE_LOG, "%.*s: not read as an entry\n", (int)strcspn(at + 1, "\n"), at + 1);
            return -1;
        }
        entries[n].size_struct = size_of_type(entries[n].params);
        if (entries[n].size_struct == 0) {
            snprintf(log, SIZE_LOG, "identifier \"%s\" is undefined\n", entries[n].params);
            return -1;
        }
        n++;
    }
    return n;
}

/* Registers and local memory of kernel i: some that limit a block, and some that do not. */
static unsigned registers_of(int i)
{
    static const unsigned registers[] = {64, 128, 255, 32};
    return registers[i % 4];
}

static char *write_cubin(const entry *entries, int n, int arch)
{
    char *text = malloc(SIZE_OUTPUT);
    if (!text)
        return NULL;
    size_t at = (size_t)snprintf(text, SIZE_OUTPUT, STANDIN_IMAGE_MAGIC STANDIN_IMAGE_MADE, nvrtc.major, arch);
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, SIZE_OUTPUT - at, "kernel %s %zu %zu %u %u\n", entries[i].name,
                               entries[i].size_struct, (entries[i].size_struct + 7) / 8 * 8 + 8 * AG_N_BUFS,
                               registers_of(i), i % 2 ? 48u : 0u);
    return text;
}

static char *write_ptx(const entry *entries, int n, int arch)
{
    char *text = malloc(SIZE_OUTPUT);
    if (!text)
        return NULL;
    const int version = standin_ptx_version(nvrtc.major * 1000 + nvrtc.minor * 10);
    size_t at = (size_t)snprintf(text, SIZE_OUTPUT, "// stand-in\n.version %d.%d\n.target sm_%d\n.address_size 64\n",
                                 version / 10, version % 10, arch);
    for (int i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, SIZE_OUTPUT - at,
                               "\n.visible .entry %s(\n\t.param .align 8 .b8 %s_param_0[%zu]", entries[i].name,
                               entries[i].name, entries[i].size_struct);
        for (int b = 1; b <= AG_N_BUFS; b++)
            at += (size_t)snprintf(text + at, SIZE_OUTPUT - at, ",\n\t.param .u64 %s_param_%d", entries[i].name, b);
        at += (size_t)snprintf(text + at, SIZE_OUTPUT - at, "\n)\n{\n\tret;\n}\n");
    }
    return text;
}

/* Reads the options: the architecture, and whether machine code is wanted; false with words in the log. */
static bool read_options(int n, const char *const *options, int *arch, bool *machine_code, char *log)
{
    static const char for_arch[] = "--gpu-architecture=";
    static const char *const harmless[] = {"--diag-suppress=", "--std=", "-D", "--define-macro=", "--restrict"};
    bool no_fma = false;
    int n_archs = 0;
    for (int i = 0; i < n; i++) {
        const char *option = options[i];
        bool known = false;
        for (size_t j = 0; j < sizeof harmless / sizeof harmless[0]; j++)
            known |= !strncmp(option, harmless[j], strlen(harmless[j]));
        if (!strcmp(option, "--fmad=false")) {
            no_fma = true;
        } else if (!strncmp(option, for_arch, strlen(for_arch))) {
            const char *value = option + strlen(for_arch);
            char kind[8] = "", extra = 0;
            *arch = 0;
            n_archs++;
            bool supported = false;
            if (sscanf(value, "%7[a-z]_%d%c", kind, arch, &extra) == 2)
                for (int j = 0; j < nvrtc.n_archs; j++)
                    supported |= nvrtc.archs[j] == *arch;
            *machine_code = !strcmp(kind, "sm");
            if (!supported || (!*machine_code && strcmp(kind, "compute") != 0)) {
                snprintf(log, SIZE_LOG, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
                return false;
            }
        } else if (!known) {
            snprintf(log, SIZE_LOG, "nvrtc: error: unrecognized option %s found\n", option);
            return false;
        }
    }
    if (!no_fma || n_archs != 1) {
        standin_fault(0, "options have %s, and %d times %s, must be once", no_fma ? "--fmad=false" : "no --fmad=false",
                      n_archs, for_arch);
        snprintf(log, SIZE_LOG, "nvrtc: error: options that give other results\n");
        return false;
    }
    return true;
}

static ag_nvrtc_result compile(struct _nvrtcProgram *program, int n, const char *const *options)
{
    entry entries[ENTRIES_MAX];
    int arch = 0;
    bool machine_code = false;
    if (!read_options(n, options, &arch, &machine_code, program->log))
        return STANDIN_NVRTC_ERROR_INVALID_OPTION;
    const int n_entries = find_entries(program->source, entries, program->log);
    if (n_entries < 0)
        return STANDIN_NVRTC_ERROR_COMPILATION;
#define X(kernel, params_type)                                                                                         \
    {                                                                                                                  \
        bool found = false;                                                                                            \
        for (int i = 0; i < n_entries; i++)                                                                            \
            found |= !strcmp(entries[i].name, #kernel) && !strcmp(entries[i].params, #params_type);                    \
        if (!found)                                                                                                    \
            standin_fault(0, "the source has no AG_ENTRY(%s, %s)", #kernel, #params_type);                             \
    }
    AG_KERNELS(X)
#undef X
    program->ptx = write_ptx(entries, n_entries, arch);
    if (machine_code)
        program->cubin = write_cubin(entries, n_entries, arch);
    program->good = program->ptx && (program->cubin || !machine_code);
    return program->good ? STANDIN_NVRTC_SUCCESS : STANDIN_NVRTC_ERROR_OUT_OF_MEMORY;
}

/* --------------------------------------------------------------------- calls */

/* Takes the lock and counts; what the call must return at once, or 0. */
static ag_nvrtc_result begin(const char *call)
{
    standin_lock();
    return standin_count_call(call);
}

static ag_nvrtc_result end(ag_nvrtc_result result)
{
    standin_unlock();
    return result;
}

const char *nvrtcGetErrorString(ag_nvrtc_result code)
{
    switch (code) {
#define X(name, value)                                                                                                 \
    case value:                                                                                                        \
        return "NVRTC_" #name;
        STANDIN_NVRTC_RESULTS(X)
#undef X
    default:
        return "NVRTC_ERROR unknown";
    }
}

ag_nvrtc_result nvrtcVersion(int *major, int *minor)
{
    const ag_nvrtc_result planned = begin("nvrtcVersion");
    if (planned)
        return end(planned);
    if (!major || !minor)
        return end(standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "where a version goes is null"));
    *major = nvrtc.major;
    *minor = nvrtc.minor;
    return end(STANDIN_NVRTC_SUCCESS);
}

ag_nvrtc_result nvrtcGetNumSupportedArchs(int *n)
{
    const ag_nvrtc_result planned = begin("nvrtcGetNumSupportedArchs");
    if (planned)
        return end(planned);
    if (!n)
        return end(standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "where the number goes is null"));
    *n = nvrtc.n_archs;
    return end(STANDIN_NVRTC_SUCCESS);
}

ag_nvrtc_result nvrtcGetSupportedArchs(int *archs)
{
    const ag_nvrtc_result planned = begin("nvrtcGetSupportedArchs");
    if (planned)
        return end(planned);
    if (!archs)
        return end(standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "where the architectures go is null"));
    memcpy(archs, nvrtc.archs, (size_t)nvrtc.n_archs * sizeof *archs);
    return end(STANDIN_NVRTC_SUCCESS);
}

ag_nvrtc_result nvrtcCreateProgram(ag_nvrtc_program *out, const char *source, const char *name, int n_headers,
                                   const char *const *headers, const char *const *include_names)
{
    const ag_nvrtc_result planned = begin("nvrtcCreateProgram");
    if (planned)
        return end(planned);
    if (!out || !source)
        return end(standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "the source is at %p, the program goes to %p",
                                 (const void *)source, (void *)out));
    if (n_headers != 0 || headers || include_names)
        return end(standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "%d headers: kernels include nothing", n_headers));
    struct _nvrtcProgram *program = calloc(1, sizeof *program);
    if (!program)
        return end(STANDIN_NVRTC_ERROR_OUT_OF_MEMORY);
    program->source = strdup(source);
    if (!program->source) {
        free(program);
        return end(STANDIN_NVRTC_ERROR_OUT_OF_MEMORY);
    }
    program->live = true;
    snprintf(program->name, sizeof program->name, "%s", name ? name : "default_program");
    program->next = nvrtc.programs;
    nvrtc.programs = program;
    *out = program;
    return end(STANDIN_NVRTC_SUCCESS);
}

ag_nvrtc_result nvrtcCompileProgram(ag_nvrtc_program program, int n_options, const char *const *options)
{
    const ag_nvrtc_result planned = begin("nvrtcCompileProgram");
    if (!is_program(program))
        return end(STANDIN_NVRTC_ERROR_INVALID_PROGRAM);
    if (n_options < 0 || (n_options > 0 && !options))
        return end(
            standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "%d options at %p", n_options, (const void *)options));
    if (program->compiled)
        return end(standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "program %s was compiled before", program->name));
    program->compiled = true;
    if (planned == STANDIN_NVRTC_ERROR_COMPILATION)
        snprintf(program->log, sizeof program->log,
                 "hog.cl(12): error: stand-in says no\n1 error detected in the compilation of \"%s\".\n",
                 program->name);
    return end(planned ? planned : compile(program, n_options, options));
}

/* The size of a text, or the text itself with its final zero. */
static ag_nvrtc_result give(ag_nvrtc_program program, const char *text, size_t *size, char *to)
{
    if (!program->compiled)
        return standin_fault(STANDIN_NVRTC_ERROR_INVALID_PROGRAM, "program %s was not compiled", program->name);
    if (!size && !to)
        return standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "where the result goes is null");
    const size_t size_text = text ? strlen(text) + 1 : 0;
    if (size)
        *size = size_text;
    else if (text)
        memcpy(to, text, size_text);
    return STANDIN_NVRTC_SUCCESS;
}

/* As NVIDIA's: machine code there is none of (size 0) for compute_NN or after a failure, PTX and log are then "". */
#define GIVE_CALLS(name, field_or_empty)                                                                               \
    ag_nvrtc_result nvrtcGet##name##Size(ag_nvrtc_program program, size_t *size)                                       \
    {                                                                                                                  \
        const ag_nvrtc_result planned = begin("nvrtcGet" #name "Size");                                                \
        if (planned)                                                                                                   \
            return end(planned);                                                                                       \
        if (!is_program(program))                                                                                      \
            return end(STANDIN_NVRTC_ERROR_INVALID_PROGRAM);                                                           \
        return end(give(program, field_or_empty, size, NULL));                                                         \
    }                                                                                                                  \
    ag_nvrtc_result nvrtcGet##name(ag_nvrtc_program program, char *to)                                                 \
    {                                                                                                                  \
        const ag_nvrtc_result planned = begin("nvrtcGet" #name);                                                       \
        if (planned)                                                                                                   \
            return end(planned);                                                                                       \
        if (!is_program(program))                                                                                      \
            return end(STANDIN_NVRTC_ERROR_INVALID_PROGRAM);                                                           \
        return end(give(program, field_or_empty, NULL, to));                                                           \
    }
GIVE_CALLS(ProgramLog, program->log)
GIVE_CALLS(CUBIN, program->cubin)
GIVE_CALLS(PTX, program->ptx ? program->ptx : "")

ag_nvrtc_result nvrtcDestroyProgram(ag_nvrtc_program *program)
{
    const ag_nvrtc_result planned = begin("nvrtcDestroyProgram");
    if (!program)
        return end(standin_fault(STANDIN_NVRTC_ERROR_INVALID_INPUT, "a null pointer to a program"));
    if (!is_program(*program))
        return end(STANDIN_NVRTC_ERROR_INVALID_PROGRAM);
    if (planned) {
        (*program)->excused = true;
        return end(planned);
    }
    end_program(*program);
    *program = NULL;
    return end(STANDIN_NVRTC_SUCCESS);
}
