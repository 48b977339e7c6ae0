/*
 * test_standin_images.c -- what the stand-in driver takes as code: machine code and PTX of the stand-in NVRTC, and of
 * NVIDIA's where that is installed; and what it refuses. And the stand-in NVRTC itself.
 */
#include "standin_test.h"

#include "device/cpu_kernels.h"
#include "device/kernel_src.h"

#include "ag_kl.h"
#include "dice_params.h"
#include "hog_params.h"
#include "selftest_params.h"

/* All kernel files as one text, those up to `last` or all if NULL; to be freed. */
static char *kernel_text(const char *last)
{
    const char *strings[ag_n_kernel_strings];
    size_t lengths[ag_n_kernel_strings], size = 1;
    ag_kernel_strings(strings, lengths);
    for (int i = 0; i < ag_n_kernel_strings; i++)
        size += lengths[i];
    char *text = malloc(size), *at = text;
    assert_non_null(text);
    for (int i = 0; i < ag_n_kernel_strings; i++) {
        memcpy(at, strings[i], lengths[i]);
        at += lengths[i];
        if (i % 2 == 1 && last && strstr(strings[i - 1], last))
            break;
    }
    *at = '\0';
    return text;
}

/* Puts words into the middle of a text. */
static void write_over(char *at, const char *words)
{
    for (size_t i = 0; words[i]; i++)
        at[i] = words[i];
}

typedef struct {
    unsigned result;
    char *log, *ptx, *cubin;
    size_t size_cubin;
} compiled;

static char *take(ag_nvrtc_program program, ag_nvrtc_result (*size_of)(ag_nvrtc_program, size_t *),
                  ag_nvrtc_result (*get)(ag_nvrtc_program, char *), size_t *size)
{
    assert_int_equal(size_of(program, size), 0);
    char *bytes = calloc(1, *size + 1);
    assert_non_null(bytes);
    assert_int_equal(get(program, bytes), 0);
    return bytes;
}

static compiled compile(const ag_nvrtc_calls *with, const char *text, const char *arch)
{
    const char *const options[] = {arch, "--fmad=false", "--diag-suppress=177"};
    compiled out = {0};
    ag_nvrtc_program program = NULL;
    size_t size = 0;
    assert_int_equal(with->nvrtcCreateProgram(&program, text, "kernels", 0, NULL, NULL), 0);
    out.result = with->nvrtcCompileProgram(program, (int)COUNT(options), options);
    out.log = take(program, with->nvrtcGetProgramLogSize, with->nvrtcGetProgramLog, &size);
    out.ptx = take(program, with->nvrtcGetPTXSize, with->nvrtcGetPTX, &size);
    out.cubin = take(program, with->nvrtcGetCUBINSize, with->nvrtcGetCUBIN, &out.size_cubin);
    assert_int_equal(with->nvrtcDestroyProgram(&program), 0);
    assert_null(program);
    return out;
}

static void compiled_free(compiled *c)
{
    free(c->log);
    free(c->ptx);
    free(c->cubin);
}

/* NVIDIA's own, loaded once for the life of the process; NULL where it is not installed. */
static const ag_nvrtc_calls *nvidia(void)
{
    static ag_nvrtc_calls calls;
    if (calls.nvrtcVersion)
        return &calls;
    const char *folder = getenv("CUDA_PATH");
    char path[4096];
    snprintf(path, sizeof path, "%s/lib64/libnvrtc.so.13", folder && *folder ? folder : "/usr/local/cuda");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
#define X(result, name, arguments) find_symbol(library, #name, &calls.name);
    AG_NVRTC_CALLS(X)
#undef X
    return &calls;
}

/* ---------------------------------------------------------------- code that does */

/* Has every kernel, takes their parameters, and rolls the dice of the CPU. Machine code has its numbers of registers
 * from its compiler. */
static void check_image(const char *image, bool is_machine_code)
{
    session s = open_session(0);
    ag_cu_module module = NULL;
    ag_cu_function function = NULL;
    int registers = 0, least = 255, most = 0;
    assert_code(0, cu.cuModuleLoadDataEx(&module, image, 0, NULL, NULL));
#define X(name, params)                                                                                                \
    assert_code(0, cu.cuModuleGetFunction(&function, module, #name));                                                  \
    assert_code(0, cu.cuFuncGetAttribute(&registers, AG_CU_FUNC_ATTRIBUTE_NUM_REGS, function));                        \
    assert_in_range(registers, 8, 255);                                                                                \
    least = registers < least ? registers : least;                                                                     \
    most = registers > most ? registers : most;
    AG_KERNELS(X)
#undef X
    assert_true((least < most) == is_machine_code);
    struct {
        agk_dice_params params;
        ag_cu_ptr bufs[AG_N_BUFS];
    } packed = {.params = {.n_blocks = 4, .n_words = 13, .faces = 6, .per_word = 10, .reject = 1868800}};
    uint32_t want[130], got[130];
    uint8_t *bufs[AG_N_BUFS] = {(uint8_t *)want};
    size_t size = sizeof packed;
    void *extra[] = {AG_CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, AG_CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     AG_CU_LAUNCH_PARAM_END};
    packed.bufs[0] = new_buffer(sizeof got);
    ag_cpu_kernels_base[AG_KERNEL_agk_dice_roll](&packed.params, bufs, 0, 1);
    assert_code(0, cu.cuModuleGetFunction(&function, module, "agk_dice_roll"));
    assert_code(0, cu.cuLaunchKernel(function, 3, 1, 1, 32, 1, 1, 0, s.stream, NULL, extra));
    assert_code(0, cu.cuMemcpyDtoHAsync_v2(got, packed.bufs[0], sizeof got, s.stream));
    assert_code(0, cu.cuStreamSynchronize(s.stream));
    assert_memory_equal(got, want, sizeof want);
    assert_code(0, cu.cuMemFree_v2(packed.bufs[0]));
    assert_code(0, cu.cuModuleUnload(module));
    close_session(&s);
}

static void all_that_the_stand_in_compiles_runs(void **state)
{
    (void)state;
    char *text = kernel_text(NULL);
    compiled c = compile(&nvrtc, text, "--gpu-architecture=sm_90");
    assert_int_equal(c.result, 0);
    assert_string_equal(c.log, "");
    check_image(c.cubin, true);
    check_image(c.ptx, false);
    compiled_free(&c);

    /* For compute_NN there is PTX alone. */
    c = compile(&nvrtc, text, "--gpu-architecture=compute_80");
    assert_int_equal(c.result, 0);
    assert_int_equal(c.size_cubin, 0);
    check_image(c.ptx, false);
    compiled_free(&c);
    free(text);
}

static void all_that_nvidia_compiles_is_understood(void **state)
{
    (void)state;
    const ag_nvrtc_calls *real = nvidia();
    if (!real) {
        print_message("skipped: no libnvrtc of NVIDIA here\n");
        skip();
    }
    char *text = kernel_text(NULL);
    compiled c = compile(real, text, "--gpu-architecture=sm_90");
    free(text);
    if (c.result != 0)
        fail_msg("%u: %s", c.result, c.log);
    driver_.standin_forget(); /* what that NVRTC asked of the driver */
    check_image(c.cubin, true);
    check_image(c.ptx, false);

    /* The same code on other machines. */
    static const struct {
        const char *arch, *version;
        unsigned of_cubin, of_ptx;
    } machines[] = {{"80", "13000", STANDIN_ERROR_NO_BINARY_FOR_GPU, STANDIN_ERROR_INVALID_PTX},
                    {"120", "13000", STANDIN_ERROR_NO_BINARY_FOR_GPU, 0},
                    {"90", "12090", STANDIN_ERROR_INVALID_IMAGE, STANDIN_ERROR_UNSUPPORTED_PTX_VERSION}};
    for (size_t i = 0; i < COUNT(machines); i++) {
        ag_cu_module module;
        setenv("AG_STANDIN_ARCH", machines[i].arch, 1);
        play("AG_STANDIN_DRIVER", machines[i].version);
        (void)open_session(0);
        assert_code(machines[i].of_cubin, cu.cuModuleLoadDataEx(&module, c.cubin, 0, NULL, NULL));
        assert_code(machines[i].of_ptx, cu.cuModuleLoadDataEx(&module, c.ptx, 0, NULL, NULL));
    }
    compiled_free(&c);
}

/* Code whose last parameter is a double, where the host gives a word. */
static void another_layout_of_parameters_is_a_fault(void **state)
{
    (void)state;
    const ag_nvrtc_calls *real = nvidia();
    if (!real) {
        print_message("skipped: no libnvrtc of NVIDIA here\n");
        skip();
    }
    char *text = kernel_text("selftest.cl"), *at = strstr(text, "    ag_u32 marker;");
    assert_non_null(at);
    write_over(at, "    double");
    compiled c = compile(real, text, "--gpu-architecture=sm_90");
    free(text);
    if (c.result != 0)
        fail_msg("%u: %s", c.result, c.log);
    driver_.standin_forget();
    const char *const images[] = {c.cubin, c.ptx};
    for (size_t i = 0; i < COUNT(images); i++) {
        session s = open_session(0);
        ag_cu_module module;
        const ag_cu_function function = load_kernel(images[i], "agk_selftest", &module);
        uint64_t packed[10] = {0};
        size_t size = sizeof(agk_selftest_params) + AG_N_BUFS * sizeof(ag_cu_ptr);
        void *extra[] = {AG_CU_LAUNCH_PARAM_BUFFER_POINTER, packed, AG_CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         AG_CU_LAUNCH_PARAM_END};
        assert_fault(STANDIN_ERROR_INVALID_VALUE,
                     "agk_selftest of the image takes a struct of 32 bytes, agk_selftest_params is 24 on the host",
                     cu.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, s.stream, NULL, extra));
        assert_code(0, cu.cuModuleUnload(module));
        close_session(&s);
    }
    compiled_free(&c);
}

/* ----------------------------------------------------------- code that does not do */

#define PTX(version, target, entry)                                                                                    \
    "//\n.version " version "\n.target " target "\n.address_size 64\n.visible .entry " entry "{ ret; }\n"
#define ENTRY                                                                                                          \
    "agk_dice_roll(.param .align 4 .b8 a[40],\n.param .u64 b, .param .u64 c, .param .u64 d, .param .u64 e, "           \
    ".param .u64 f, .param .u64 g)"

static void images_are_held_to_the_machine(void **state)
{
    (void)state;
    static const struct {
        const char *arch, *version, *image;
        unsigned code;
        const char *words;
    } cases[] = {
        {"90", "13000", IMAGE_90, 0, ""},
        {"100", "13000", IMAGE_90, STANDIN_ERROR_NO_BINARY_FOR_GPU, "machine code for sm_90, the device is sm_100\n"},
        {"89", "13000", IMAGE_90, STANDIN_ERROR_NO_BINARY_FOR_GPU, "machine code for sm_90, the device is sm_89\n"},
        {"90", "12090", IMAGE_90, STANDIN_ERROR_INVALID_IMAGE, "machine code of CUDA 13 is newer than the driver\n"},
        {"86", "13000", "ASTRAGAL STAND-IN CUBIN\ntoolkit 12 arch 80\n", 0, ""},
        {"80", "13000", "ASTRAGAL STAND-IN CUBIN\ntoolkit 12 arch 86\n", STANDIN_ERROR_NO_BINARY_FOR_GPU, "sm_86"},
        {"90", "13000", "ASTRAGAL STAND-IN CUBIN\n", STANDIN_ERROR_INVALID_IMAGE, "without its second line"},
        {"90", "13000", "ASTRAGAL STAND-IN CUBIN\ntoolkit 13 arch 90\nkernel agk_dice_roll 40 88\n",
         STANDIN_ERROR_INVALID_IMAGE, "describes no kernel"},
        {"90", "13000", "garbage", STANDIN_ERROR_INVALID_IMAGE, "neither machine code nor PTX\n"},
        {"90", "13000", "", STANDIN_ERROR_INVALID_IMAGE, "neither machine code nor PTX\n"},
        {"90", "13000", PTX("9.0", "sm_90", ENTRY), 0, ""},
        {"90", "13000", PTX("7.8", "sm_52", ENTRY), 0, ""},
        {"90", "13000", PTX("9.0", "sm_90a", ENTRY), 0, ""},
        {"90", "12060", PTX("8.5", "sm_90", ENTRY), 0, ""},
        {"90", "12060", PTX("8.6", "sm_90", ENTRY), STANDIN_ERROR_UNSUPPORTED_PTX_VERSION,
         "ptxas fatal   : Unsupported .version 8.6; current version is '8.5'\n"},
        {"90", "13000", PTX("9.1", "sm_90", ENTRY), STANDIN_ERROR_UNSUPPORTED_PTX_VERSION, "current version is '9.0'"},
        {"90", "13000", PTX("9.0", "sm_100", ENTRY), STANDIN_ERROR_INVALID_PTX,
         "ptxas fatal   : .target sm_100, the device is sm_90\n"},
        {"120", "13000", PTX("9.0", "sm_90a", ENTRY), STANDIN_ERROR_INVALID_PTX, ".target sm_90, the device is sm_120"},
        {"90", "13000", PTX("9.0", "sm_90", "agk_dice_roll(.param .f17 a)"), STANDIN_ERROR_INVALID_PTX,
         "no entry of the usual form"},
        {"90", "13000", PTX("9.0", "sm_90", "agk_dice_roll"), STANDIN_ERROR_INVALID_PTX, "no entry of the usual form"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char log[200];
        unsigned keys[] = {AG_CU_JIT_ERROR_LOG_BUFFER, AG_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *values[] = {log, (void *)(uintptr_t)sizeof log};
        ag_cu_module module = NULL;
        setenv("AG_STANDIN_ARCH", cases[i].arch, 1);
        play("AG_STANDIN_DRIVER", cases[i].version);
        session s = open_session(0);
        memset(log, 'x', sizeof log);
        const unsigned code = cu.cuModuleLoadDataEx(&module, cases[i].image, 2, keys, values);
        if (code != cases[i].code || !strstr(log, cases[i].words) || (module != NULL) != (code == 0))
            fail_msg("case %zu: %u, must be %u; says '%s', must have '%s'", i, code, cases[i].code, log,
                     cases[i].words);
        assert_int_equal((uintptr_t)values[1], strlen(log)); /* the driver tells how much of it is filled */
        if (module)
            assert_code(0, cu.cuModuleUnload(module));
        close_session(&s);
    }
}

static void wrong_loads_are_faults(void **state)
{
    (void)state;
    const unsigned invalid = STANDIN_ERROR_INVALID_VALUE;
    session s = open_session(0);
    char log[8];
    unsigned keys[] = {AG_CU_JIT_ERROR_LOG_BUFFER, AG_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES}, unknown[] = {4};
    void *values[] = {log, (void *)(uintptr_t)5};
    ag_cu_module module = NULL;
    memset(log, 'x', sizeof log);
    assert_code(STANDIN_ERROR_INVALID_IMAGE, cu.cuModuleLoadDataEx(&module, "garbage", 2, keys, values));
    assert_memory_equal(log, "neit\0xxx", sizeof log); /* no more than the buffer holds */
    assert_fault(invalid, "an image at (nil)", cu.cuModuleLoadDataEx(&module, NULL, 0, NULL, NULL));
    assert_fault(invalid, "the module goes to (nil)", cu.cuModuleLoadDataEx(NULL, IMAGE_90, 0, NULL, NULL));
    assert_fault(invalid, "1 options, keys at (nil)", cu.cuModuleLoadDataEx(&module, IMAGE_90, 1, NULL, values));
    assert_fault(invalid, "option 4 is not played", cu.cuModuleLoadDataEx(&module, IMAGE_90, 1, unknown, values));
    assert_fault(invalid, "of 0 bytes", cu.cuModuleLoadDataEx(&module, IMAGE_90, 1, keys, values));
    values[1] = NULL;
    assert_fault(invalid, "of 0 bytes", cu.cuModuleLoadDataEx(&module, IMAGE_90, 2, keys, values));
    assert_null(module);
    close_session(&s);
}

/* ---------------------------------------------------------------- the stand-in NVRTC */

#define assert_nvrtc_fault(code, words, call)                                                                          \
    do {                                                                                                               \
        const int before_ = nvrtc_.standin_faults();                                                                   \
        assert_int_equal((call), (code));                                                                              \
        if (nvrtc_.standin_faults() != before_ + 1 || !strstr(nvrtc_.standin_last_fault(), (words)))                   \
            fail_msg("%s: %d faults, the last is '%s', must have '%s'", #call, nvrtc_.standin_faults() - before_,      \
                     nvrtc_.standin_last_fault(), (words));                                                            \
    } while (0)

static void nvrtc_plays_the_version_of_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *version, *archs;
        int major, minor, n, oldest, newest;
    } cases[] = {{"", "", 13, 0, 12, 75, 121}, {"12.4", "", 12, 4, 14, 50, 90}, {"13.1", "80,90", 13, 1, 2, 80, 90}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        int major = 0, minor = 0, n = 0, archs[32] = {0};
        setenv("AG_STANDIN_ARCHS", cases[i].archs, 1);
        setenv("AG_STANDIN_NVRTC", cases[i].version, 1);
        nvrtc_.standin_forget();
        assert_int_equal(nvrtc.nvrtcVersion(&major, &minor), 0);
        assert_int_equal(major, cases[i].major);
        assert_int_equal(minor, cases[i].minor);
        assert_int_equal(nvrtc.nvrtcGetNumSupportedArchs(&n), 0);
        assert_int_equal(n, cases[i].n);
        assert_int_equal(nvrtc.nvrtcGetSupportedArchs(archs), 0);
        assert_int_equal(archs[0], cases[i].oldest);
        assert_int_equal(archs[n - 1], cases[i].newest);
        assert_int_equal(archs[n], 0);
    }
    assert_string_equal(nvrtc.nvrtcGetErrorString(6), "NVRTC_ERROR_COMPILATION");
    assert_string_equal(nvrtc.nvrtcGetErrorString(99), "NVRTC_ERROR unknown");
}

static void options_are_held_to_what_results_need(void **state)
{
    (void)state;
    static const struct {
        const char *options[3];
        int n;
        unsigned result;
        const char *log, *fault; /* NULL: none */
    } cases[] = {
        {{"--fmad=false", "--gpu-architecture=sm_90", "--std=c++17"}, 3, 0, "", NULL},
        {{"--fmad=false", "--gpu-architecture=sm_89", "-DA=1"}, 3, 0, "", NULL},
        {{"--fmad=false", "--gpu-architecture=sm_91"}, 2, 5, "invalid value for --gpu-architecture", NULL},
        {{"--fmad=false", "--gpu-architecture=sm_90x"}, 2, 5, "invalid value for --gpu-architecture", NULL},
        {{"--fmad=false", "--gpu-architecture=lto_90"}, 2, 5, "invalid value for --gpu-architecture", NULL},
        {{"--fmad=false", "--nonsense"}, 2, 5, "unrecognized option --nonsense found", NULL},
        {{"--gpu-architecture=sm_90"}, 1, 5, "", "options have no --fmad=false, and 1 times --gpu-architecture="},
        {{"--fmad=false"}, 1, 5, "", "options have --fmad=false, and 0 times"},
        {{"--fmad=false", "--gpu-architecture=sm_90", "--gpu-architecture=sm_80"}, 3, 5, "", "and 2 times"},
    };
    char *text = kernel_text(NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        ag_nvrtc_program program = NULL;
        char log[1024] = "";
        const int n_faults = nvrtc_.standin_faults();
        assert_int_equal(nvrtc.nvrtcCreateProgram(&program, text, "kernels", 0, NULL, NULL), 0);
        const unsigned result = nvrtc.nvrtcCompileProgram(program, cases[i].n, cases[i].options);
        assert_int_equal(nvrtc.nvrtcGetProgramLog(program, log), 0);
        assert_int_equal(nvrtc.nvrtcDestroyProgram(&program), 0);
        if (result != cases[i].result || !strstr(log, cases[i].log) ||
            (nvrtc_.standin_faults() != n_faults) != (cases[i].fault != NULL) ||
            (cases[i].fault && !strstr(nvrtc_.standin_last_fault(), cases[i].fault)))
            fail_msg("case %zu: %u, log '%s', fault '%s'", i, result, log, nvrtc_.standin_last_fault());
    }
    free(text);
}

static void sources_must_have_every_kernel(void **state)
{
    (void)state;
    char *text = kernel_text(NULL);
    char *entry = strstr(text, "\nAG_ENTRY(agk_dice_roll,");
    assert_non_null(entry);
    entry[1] = 'Q';
    compiled c = compile(&nvrtc, text, "--gpu-architecture=sm_90");
    assert_int_equal(c.result, 0);
    assert_int_equal(nvrtc_.standin_faults(), 1);
    assert_string_equal(nvrtc_.standin_last_fault(),
                        "nvrtcCompileProgram: the source has no AG_ENTRY(agk_dice_roll, agk_dice_params)");
    assert_null(strstr(c.cubin, "agk_dice_roll "));
    compiled_free(&c);
    entry[1] = 'A';
    write_over(strstr(entry, "agk_dice_params"), "agk_nice");
    c = compile(&nvrtc, text, "--gpu-architecture=sm_90");
    assert_int_equal(c.result, 6);
    assert_string_equal(c.log, "identifier \"agk_nice_params\" is undefined\n");
    assert_string_equal(c.ptx, "");
    assert_int_equal(c.size_cubin, 0);
    compiled_free(&c);
    free(text);
}

static void wrong_calls_of_nvrtc_are_faults(void **state)
{
    (void)state;
    const char *const headers[] = {"", ""};
    ag_nvrtc_program program = NULL;
    size_t size = 0;
    char log[1024];
    int number;
    assert_nvrtc_fault(4, "is no program", nvrtc.nvrtcCompileProgram(NULL, 0, NULL));
    assert_nvrtc_fault(3, "the source is at (nil)", nvrtc.nvrtcCreateProgram(&program, NULL, "", 0, NULL, NULL));
    assert_nvrtc_fault(3, "2 headers", nvrtc.nvrtcCreateProgram(&program, "", "", 2, headers, headers));
    assert_null(program);
    assert_int_equal(nvrtc.nvrtcCreateProgram(&program, "", "kernels", 0, NULL, NULL), 0);
    assert_nvrtc_fault(4, "program kernels was not compiled", nvrtc.nvrtcGetProgramLogSize(program, &size));
    assert_nvrtc_fault(4, "program kernels was not compiled", nvrtc.nvrtcGetCUBIN(program, log));
    assert_nvrtc_fault(3, "1 options at (nil)", nvrtc.nvrtcCompileProgram(program, 1, NULL));
    nvrtc_.standin_fail("nvrtcCompileProgram:1=6");
    assert_int_equal(nvrtc.nvrtcCompileProgram(program, 0, NULL), 6);
    assert_nvrtc_fault(3, "was compiled before", nvrtc.nvrtcCompileProgram(program, 0, NULL));
    assert_int_equal(nvrtc.nvrtcGetProgramLogSize(program, &size), 0);
    assert_int_equal(nvrtc.nvrtcGetProgramLog(program, log), 0);
    assert_string_equal(log, "hog.cl(12): error: stand-in says no\n"
                             "1 error detected in the compilation of \"kernels\".\n");
    assert_int_equal(size, strlen(log) + 1);
    assert_int_equal(nvrtc.nvrtcGetCUBINSize(program, &size), 0);
    assert_int_equal(size, 0);
    assert_nvrtc_fault(3, "is null", nvrtc.nvrtcGetPTX(program, NULL));
    assert_nvrtc_fault(3, "is null", nvrtc.nvrtcVersion(&number, NULL));
    ag_nvrtc_program stale = program;
    assert_int_equal(nvrtc_.standin_live(), 1);
    assert_int_equal(nvrtc.nvrtcDestroyProgram(&program), 0);
    assert_int_equal(nvrtc_.standin_live(), 0);
    assert_nvrtc_fault(4, "a program that was destroyed", nvrtc.nvrtcDestroyProgram(&stale));
    assert_nvrtc_fault(4, "a program that was destroyed", nvrtc.nvrtcGetPTXSize(stale, &size));
    assert_nvrtc_fault(3, "a null pointer", nvrtc.nvrtcDestroyProgram(NULL));

    /* The K-th call of all, and one call by name. */
    nvrtc_.standin_fail("nvrtc*:2=11,nvrtcGetNumSupportedArchs:2=1,*:1=2");
    assert_int_equal(nvrtc.nvrtcGetNumSupportedArchs(&number), 0);
    assert_int_equal(nvrtc.nvrtcCreateProgram(&program, "", "kernels", 0, NULL, NULL), 11);
    assert_int_equal(nvrtc.nvrtcGetNumSupportedArchs(&number), 1);
    assert_int_equal(nvrtc.nvrtcGetNumSupportedArchs(&number), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)
    const struct CMUnitTest tests[] = {
        TEST(all_that_the_stand_in_compiles_runs),
        TEST(all_that_nvidia_compiles_is_understood),
        TEST(another_layout_of_parameters_is_a_fault),
        TEST(images_are_held_to_the_machine),
        TEST(wrong_loads_are_faults),
        TEST(nvrtc_plays_the_version_of_the_environment),
        TEST(options_are_held_to_what_results_need),
        TEST(sources_must_have_every_kernel),
        TEST(wrong_calls_of_nvrtc_are_faults),
    };
    return cmocka_run_group_tests(tests, load_libraries, NULL);
}
