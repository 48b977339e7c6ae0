/*
 * test_nvrtc.c -- CUDA's run-time compiler takes the embedded kernels without a word, and lays out parameters as the
 * host does. It needs CUDA's libnvrtc and no GPU.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/kernel_list.h"
#include "device/kernel_src.h"

#include "ag_kl.h"
#include "selftest_params.h"
#include "dice_params.h"
#include "hog_params.h"
#include "lcr_play_params.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Every structure that crosses from host to device. */
#define STRUCTS(X)                                                                                                     \
    X(agk_selftest_params) X(agk_dice_params) X(agk_hog_params) X(ag_hog_table) X(agk_lcr_params) X(agk_lcr_slot)

/* Fields whose places say that those between them are in place as well: runs of words need two. */
#define FIELDS(X)                                                                                                      \
    X(agk_selftest_params, faces)                                                                                      \
    X(agk_selftest_params, scale)                                                                                      \
    X(agk_selftest_params, reject)                                                                                     \
    X(agk_selftest_params, marker)                                                                                     \
    X(agk_dice_params, key)                                                                                            \
    X(agk_dice_params, game)                                                                                           \
    X(agk_dice_params, block0)                                                                                         \
    X(agk_dice_params, reject)                                                                                         \
    X(agk_hog_params, n_tables)                                                                                        \
    X(agk_hog_params, work_each)                                                                                       \
    X(agk_hog_params, slack)                                                                                           \
    X(ag_hog_table, goal)                                                                                              \
    X(ag_hog_table, at_map)                                                                                            \
    X(ag_hog_table, turn_rows)

/* The part of nvrtc.h that is used; a program is a pointer, a result 0 when all went well. */
#define NVRTC_CALLS(X)                                                                                                 \
    X(nvrtcVersion, (int *, int *))                                                                                    \
    X(nvrtcCreateProgram, (void **, const char *, const char *, int, const char *const *, const char *const *))        \
    X(nvrtcCompileProgram, (void *, int, const char *const *))                                                         \
    X(nvrtcDestroyProgram, (void **))                                                                                  \
    X(nvrtcGetProgramLogSize, (void *, size_t *))                                                                      \
    X(nvrtcGetProgramLog, (void *, char *))                                                                            \
    X(nvrtcGetPTXSize, (void *, size_t *))                                                                             \
    X(nvrtcGetPTX, (void *, char *))                                                                                   \
    X(nvrtcGetCUBINSize, (void *, size_t *))                                                                           \
    X(nvrtcGetCUBIN, (void *, char *))

static struct {
#define X(name, arguments) int(*name) arguments;
    NVRTC_CALLS(X)
#undef X
} nvrtc;

/* Loads libnvrtc, and not its stand-in, once, for the life of the process, or skips the test. */
static void need_nvrtc(void)
{
    static const char *const names[] = {
        "/usr/local/cuda/lib64/libnvrtc.so",
        "libnvrtc.so.13",
        "libnvrtc.so.12",
        "libnvrtc.so",
    };
    void *library = NULL;
    for (size_t i = 0; i < COUNT(names) && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library && dlsym(library, "standin_calls"))
            library = NULL;
    }
    if (!library) {
        print_message("skipped: no libnvrtc here\n");
        skip();
    }
#define X(name, arguments)                                                                                             \
    *(void **)&nvrtc.name = dlsym(library, #name);                                                                     \
    assert_non_null(nvrtc.name);
    NVRTC_CALLS(X)
#undef X
}

/* All kernel files, each after its line marker, then `more`. The caller frees it. */
static char *program_text(const char *more)
{
    const char *strings[ag_n_kernel_strings];
    size_t lengths[ag_n_kernel_strings];
    size_t size = strlen(more) + 1;
    ag_kernel_strings(strings, lengths);
    for (int i = 0; i < ag_n_kernel_strings; i++)
        size += lengths[i];
    char *text = malloc(size);
    assert_non_null(text);
    char *at = text;
    for (int i = 0; i < ag_n_kernel_strings; at += lengths[i], i++)
        memcpy(at, strings[i], lengths[i]);
    memcpy(at, more, strlen(more) + 1);
    return text;
}

/* What a compilation left. */
typedef struct {
    int result;
    char *log, *ptx, *cubin;
    size_t size_cubin;
} compiled;

/* 177 is "declared but never referenced": each kernel uses only some of the vocabulary. */
static void compile(const char *more, const char *arch, compiled *out)
{
    const char *options[] = {arch, "--fmad=false", "--diag-suppress=177"};
    char *text = program_text(more);
    void *program = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    assert_int_equal(nvrtc.nvrtcCreateProgram(&program, text, "kernels", 0, NULL, NULL), 0);
    out->result = nvrtc.nvrtcCompileProgram(program, (int)COUNT(options), options);
    assert_int_equal(nvrtc.nvrtcGetProgramLogSize(program, &size), 0);
    out->log = calloc(size + 1, 1);
    assert_non_null(out->log);
    assert_int_equal(nvrtc.nvrtcGetProgramLog(program, out->log), 0);
    if (out->result == 0) {
        assert_int_equal(nvrtc.nvrtcGetPTXSize(program, &size), 0);
        out->ptx = calloc(size + 1, 1);
        assert_non_null(out->ptx);
        assert_int_equal(nvrtc.nvrtcGetPTX(program, out->ptx), 0);
        assert_int_equal(nvrtc.nvrtcGetCUBINSize(program, &out->size_cubin), 0);
        out->cubin = calloc(out->size_cubin + 1, 1);
        assert_non_null(out->cubin);
        assert_int_equal(nvrtc.nvrtcGetCUBIN(program, out->cubin), 0);
    }
    nvrtc.nvrtcDestroyProgram(&program);
    free(text);
}

static void compiled_free(compiled *c)
{
    free(c->log);
    free(c->ptx);
    free(c->cubin);
}

/* The entry is there under its own name, takes size_params bytes and then AG_N_BUFS pointers, and is machine code. */
static void check_entry(const compiled *c, const char *name, size_t size_params, const char *arch)
{
    char line[200];
    snprintf(line, sizeof line, ".entry %s(", name);
    const char *entry = strstr(c->ptx, line);
    if (!entry)
        fail_msg("%s: no entry %s in the PTX", arch, name);
    const char *end = strchr(entry, ')');
    assert_non_null(end);
    snprintf(line, sizeof line, "%s_param_0[%zu]", name, size_params);
    const char *params = strstr(entry, line);
    if (!params || params > end)
        fail_msg("%s: %s does not take %zu bytes of parameters: %.300s", arch, name, size_params, entry);
    for (int i = 1; i <= AG_N_BUFS + 1; i++) {
        snprintf(line, sizeof line, ".u64 %s_param_%d\n", name, i);
        snprintf(line + strlen(line) - 1, 2, i < AG_N_BUFS ? "," : "\n");
        const char *buffer = strstr(entry, line);
        if ((buffer && buffer < end) != (i <= AG_N_BUFS))
            fail_msg("%s: %s does not take %d buffers", arch, name, AG_N_BUFS);
    }
    if (strstr(c->ptx, "fma."))
        fail_msg("%s: products are contracted: %.100s", arch, strstr(c->ptx, "fma."));
    snprintf(line, sizeof line, ".text.%s", name);
    if (!memmem(c->cubin, c->size_cubin, line, strlen(line) + 1))
        fail_msg("%s: no section %s in the machine code", arch, line);
}

/* The host's numbers as assertions for the other compiler, which spells offsetof in its own way. `off` is added to the
 * first of them. */
static void write_assertions(char *text, size_t size, size_t off)
{
    size_t n = (size_t)snprintf(text, size,
                                "#line 1 \"layout\"\n"
                                "#define OFFSET(type, field) __INTADDR__(&((type *)0)->field)\n");
#define X(type)                                                                                                        \
    n += (size_t)snprintf(text + n, size - n, "static_assert(sizeof(%s) == %zu, \"size of %s\");\n", #type,            \
                          sizeof(type) + off, #type);                                                                  \
    assert_true(n < size);                                                                                             \
    off = 0;
    STRUCTS(X)
#undef X
#define X(type, field)                                                                                                 \
    n += (size_t)snprintf(text + n, size - n, "static_assert(OFFSET(%s, %s) == %zu, \"place of %s.%s\");\n", #type,    \
                          #field, offsetof(type, field), #type, #field);                                               \
    assert_true(n < size);
    FIELDS(X)
#undef X
}

static void entries_compile_and_layouts_agree(void **state)
{
    (void)state;
    static const char *const archs[] = {"--gpu-architecture=sm_80", "--gpu-architecture=sm_90"};
    char assertions[4000];
    need_nvrtc();
    write_assertions(assertions, sizeof assertions, 0);
    for (size_t i = 0; i < COUNT(archs); i++) {
        compiled c;
        compile(assertions, archs[i], &c);
        if (c.result != 0 || c.log[0])
            fail_msg("%s: result %d\n%s", archs[i], c.result, c.log);
#define X(name, params) check_entry(&c, #name, sizeof(params), archs[i]);
        AG_KERNELS(X)
#undef X
        compiled_free(&c);
    }
}

/* The assertions above are really read. */
static void another_layout_is_refused(void **state)
{
    (void)state;
    char assertions[4000];
    compiled c;
    need_nvrtc();
    write_assertions(assertions, sizeof assertions, 1);
    compile(assertions, "--gpu-architecture=sm_80", &c);
    assert_int_not_equal(c.result, 0);
    assert_non_null(strstr(c.log, "layout(2): error"));
    assert_non_null(strstr(c.log, "size of agk_selftest_params"));
    compiled_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_compile_and_layouts_agree),
        cmocka_unit_test(another_layout_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
