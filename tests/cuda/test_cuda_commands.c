/*
 * test_cuda_commands.c -- the program on the stand-in CUDA driver: every command gives the bytes of "cpu", every
 * failure of every driver call ends in one clear line, and nothing is leaked or torn.
 *
 * The stand-in turns the exit status into 86 when the program misuses it or leaves something behind. It lies in the
 * folder AG_STANDIN (default build/standin).
 */
#include "../cli/program.h"

#include <ctype.h>

static char standin[4096]; /* its folder, absolute */

/* Environment of all commands to come; NULL for none. */
static void with(const char *name, const char *value)
{
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

/* Which libraries are found: a list of folders below the stand-in's, "" its own; NULL: no CUDA at all. */
static void libraries(const char *first, const char *second)
{
    char path[3 * sizeof standin];
    snprintf(path, sizeof path, "%s/%s", standin, first ? first : "");
    if (second)
        snprintf(path + strlen(path), sizeof path - strlen(path), ":%s/%s", standin, second);
    with("LD_LIBRARY_PATH", first ? path : NULL);
}

/* The machine that the stand-in plays by default. */
static int reset(void **state)
{
    static const char *const names[] = {"AG_STANDIN_DEVICES", "AG_STANDIN_ARCH",  "AG_STANDIN_DRIVER",
                                        "AG_STANDIN_MEMORY",  "AG_STANDIN_NVRTC", "AG_STANDIN_FAIL",
                                        "AG_STANDIN_CALLS",   "AG_CUDA_LANES",    "AG_LOG"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        with(names[i], NULL);
    with("AG_CACHE", "off");
    libraries("", "nvrtc");
    return 0;
}

/* ------------------------------------------------------------------- the same bytes */

/* Cuts from text every line, and every JSON value, that tells where and how long something ran. */
static void forget_where(char *text)
{
    static const char *const marks[] = {"backend", "device", "seconds "};
    for (size_t i = 0; i < COUNT(marks); i++)
        for (char *at = text; (at = strstr(at, marks[i]));) {
            char *end = at + strcspn(at, "\n,");
            memmove(at, end, strlen(end) + 1);
        }
    char *seconds = strstr(text, "\"seconds\":");
    if (seconds)
        memmove(seconds, seconds + strcspn(seconds, ",}"), strlen(seconds + strcspn(seconds, ",}")) + 1);
}

/* What a command prints on a backend, without where; to be freed. */
static char *printed(const char *command, const char *backend)
{
    char line[1000];
    snprintf(line, sizeof line, command, backend);
    ok(line);
    assert_string_equal(last.err, "");
    char *text = strdup(last.out);
    assert_non_null(text);
    forget_where(text);
    return text;
}

static void every_command_prints_the_same(void **state)
{
    static const char *const commands[] = {
        "astragal hog solve --backend %s",
        "astragal hog solve --backend %s --json --rules laney",
        "astragal hog solve --backend %s --json --rules snowden --method sweep --set goal=25",
        "astragal hog solve --backend %s --set goal=300 --out csv:/dev/stdout",
        "astragal hog solve --backend %s --rules fa15 --set goal=40 --out json:/dev/stdout",
        "astragal hog solve --backend %s --what rolls --out t.npy && od -c t.npy",
        "astragal hog solve --backend %s --rules sp22 --out txt:/dev/stdout",
        "astragal hog advise 42 37 --rules laney --backend %s",
        "astragal hog advise 0 0 --json --backend %s",
        "astragal hog scan --backend %s --set goal=20..100..20 --set 'swap=none|double|reversed_digits'",
        "astragal hog scan --backend %s --set max_rolls=1..10 --json",
        "astragal hog play always:5 optimal --rules laney --backend %s",
        "astragal hog replay --game 7 --seed 3 optimal always:6 --backend %s",
        "astragal verify --set goal=30 --json --backend %s",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(commands); i++) {
        char *want = printed(commands[i], "cpu"), *got = printed(commands[i], "cuda");
        if (strcmp(want, got) != 0)
            fail_msg("%s: cuda prints\n%.3000s\ncpu\n%.3000s", commands[i], got, want);
        free(want);
        free(got);
    }
    /* Nothing was compared with itself. */
    ok("astragal hog solve --backend cuda --json");
    says("hog solve", "\"backend\":\"cuda\"");
    says("hog solve", "Stand-in");
}

static void every_preset_gives_the_same_files(void **state)
{
    (void)state;
    ok("for rules in $(astragal hog rules | grep -oE '^[a-z][a-z0-9-]+'); do\n"
       "    for b in cpu cuda; do\n"
       "        astragal hog solve --rules $rules --backend $b --out $b.csv --out $b.npy >/dev/null || exit 1\n"
       "    done\n"
       "    cmp cpu.csv cuda.csv && cmp cpu.npy cuda.npy || exit 1\n"
       "    echo $rules\n"
       "done");
    says("the presets", "cs61a-su23");
    says("the presets", "snowden");
}

/* A launch size of its own, and PTX for a device that NVRTC does not know. */
static void other_devices_give_the_same(void **state)
{
    static const char *const machines[][2] = {
        {"AG_CUDA_LANES", "1"},      {"AG_CUDA_LANES", "1024"},  {"AG_STANDIN_ARCH", "75"},
        {"AG_STANDIN_ARCH", "120"},  {"AG_STANDIN_ARCH", "199"}, {"AG_STANDIN_DRIVER", "13050"},
        {"AG_STANDIN_DEVICES", "3"},
    };
    (void)state;
    char *want = printed("astragal hog solve --rules laney --set goal=50 --out csv:/dev/stdout --backend %s", "cpu");
    for (size_t i = 0; i < COUNT(machines); i++) {
        with(machines[i][0], machines[i][1]);
        char *got =
            printed("astragal hog solve --rules laney --set goal=50 --out csv:/dev/stdout --backend %s", "cuda");
        if (strcmp(want, got) != 0)
            fail_msg("%s=%s: other bytes", machines[i][0], machines[i][1]);
        free(got);
        with(machines[i][0], NULL);
    }
    free(want);
}

/* Where libnvrtc is installed: its machine code has the kernels, and takes parameters of the same size. */
static void real_nvrtc_compiles_for_it(void **state)
{
    (void)state;
    libraries("", NULL);
    shell("astragal devices");
    if (strstr(last.out, "no libnvrtc")) {
        print_message("skipped: no libnvrtc here\n");
        skip();
    }
    for (int ptx = 0; ptx < 2; ptx++) {
        with("AG_STANDIN_ARCH", ptx ? "199" : "90");
        with("AG_LOG", "info,build");
        ok("astragal hog solve --set goal=50 --backend cuda --out a.csv");
        assert_non_null(strstr(last.err, ptx ? "--gpu-architecture=compute_" : "--gpu-architecture=sm_90"));
        with("AG_LOG", NULL);
        ok("astragal hog solve --set goal=50 --backend cpu --out b.csv && cmp a.csv b.csv");
    }
}

/* ---------------------------------------------------------------------- absence */

/* `devices` says why in one line, `cuda` is refused in one, and `auto` goes on without it. */
static void absent(const char *why)
{
    ok("astragal devices | grep ^cuda");
    const char *end = strchr(last.out, '\n');
    if (!end || end[1] || !strstr(last.out, "absent") || !strstr(last.out, why))
        fail_msg("devices must say in one line \"%s\", says: %s", why, last.out);
    refused("astragal hog solve --set goal=5 --backend cuda", 1, "astragal: backend cuda is absent: ");
    if (!strstr(last.err, why))
        fail_msg("--backend cuda must say \"%s\", says: %s", why, last.err);
    ok("OCL_ICD_VENDORS=/nowhere astragal hog solve --set goal=3000 --set max_rolls=60");
    assert_non_null(strstr(last.err, "ran on cpu"));
}

static void without_a_driver_others_do_it(void **state)
{
    (void)state;
    libraries(NULL, NULL);
    shell("astragal devices | grep '^cuda.*passed'");
    if (last.status == 0)
        print_message("there is a real driver here\n");
    else
        absent("no libcuda.so.1 (no NVIDIA driver is installed)");
    libraries("broken", "nvrtc");
    absent("libcuda has no cuEventRecord");
    libraries("", "nvrtc");
    ok("mkdir -p bad && echo nothing > bad/libcuda.so.1");
    ok("LD_LIBRARY_PATH=bad astragal devices | grep ^cuda");
    says("devices", "the driver does not load: ");
    with("AG_STANDIN_DEVICES", "0");
    absent("no NVIDIA GPU (cuInit: CUDA_ERROR_NO_DEVICE)");
    with("AG_STANDIN_DEVICES", NULL);
    with("AG_STANDIN_DRIVER", "11080");
    absent("the driver is for CUDA 11.8, 12.0 or newer is needed");
    with("AG_STANDIN_DRIVER", NULL);
    with("AG_STANDIN_FAIL", "nvrtcVersion:1=11");
    absent("libnvrtc does not tell its version");
    with("AG_STANDIN_FAIL", "cuDeviceGetCount:1=999");
    absent("no device (cuDeviceGetCount: CUDA_ERROR_UNKNOWN)");
}

/* Present but no use: as good as absent for auto, and the reason is told. */
static void an_old_device_is_passed_over(void **state)
{
    (void)state;
    with("AG_STANDIN_ARCH", "50");
    refused("astragal hog solve --set goal=5 --backend cuda", 1,
            "cuda device 0 cannot be used: it has compute capability 5.0, NVRTC 13.0 compiles for 7.5 and newer");
    ok("OCL_ICD_VENDORS=/nowhere astragal hog solve --set goal=3000 --set max_rolls=60");
    assert_non_null(strstr(last.err, "ran on cpu"));
    refused("astragal hog solve --set goal=5 --backend cuda --device all", 1, "cannot be used");
}

/* A driver that is there but does not work is an error, for auto too; small jobs do not ask it. */
static void a_broken_driver_is_an_error(void **state)
{
    (void)state;
    with("AG_STANDIN_FAIL", "cuInit:1=999");
    refused("astragal hog solve --set goal=5 --backend cuda", 1, "astragal: cuda: cuInit: CUDA_ERROR_UNKNOWN (999)");
    refused("astragal hog solve --set goal=3000 --set max_rolls=60", 1, "cuInit: CUDA_ERROR_UNKNOWN (999)");
    ok("astragal hog solve --set goal=5 --quiet");
    ok("astragal devices | grep ^cuda");
    assert_non_null(strstr(last.out, "FAILED"));
}

/* --------------------------------------------------------------------- failures */

/* A call that gives something back, when all results are there already, or one around such a call. */
static int may_be_survived(const char *call)
{
    return strstr(call, "Free") || strstr(call, "Destroy") || strstr(call, "Unload") || strstr(call, "Release") ||
           strstr(call, "cuCtxP");
}

/* The lines of a file, without their ends. */
static size_t read_lines(const char *path, char lines[][64], size_t most)
{
    char *text = read_file(path);
    size_t n = 0;
    for (char *line = strtok(text, "\n"); line && n < most; line = strtok(NULL, "\n"))
        snprintf(lines[n++], sizeof lines[0], "%s", line);
    free(text);
    return n;
}

#define CALLS_MAX 2000
static const char command[] = "astragal hog solve --set goal=30 --method sweep --backend cuda --out out/t.csv";

/* Every counted call of the command fails once, with a code that leaves the context alive, and with one that kills it.
 */
static void fail_each_call(const char *calls_file, const char *pattern, const char *code)
{
    static char calls[CALLS_MAX][64];
    char fail[100];
    const size_t n = read_lines(calls_file, calls, CALLS_MAX);
    assert_in_range(n, 5, CALLS_MAX - 1);
    for (size_t k = 0; k < n; k++) {
        snprintf(fail, sizeof fail, pattern, k + 1, code);
        with("AG_STANDIN_FAIL", fail);
        shell(command);
        if (may_be_survived(calls[k]) && last.status == 0) {
            assert_string_equal(last.err, "");
            ok("cmp out/t.csv want.csv && cp old.csv out/t.csv");
            continue;
        }
        if (last.status != 1 || *last.out)
            fail_msg("%s (%s): exit status %d, prints %s%s", fail, calls[k], last.status, last.out, last.err);
        const char *end = strchr(last.err, '\n');
        if (!end || end[1] || strncmp(last.err, "astragal: ", 10) || !strstr(last.err, "cuda"))
            fail_msg("%s (%s): must be one line, is: %s", fail, calls[k], last.err);
        if (!strstr(last.err, calls[k]) && !may_be_survived(calls[k])) /* else the next call tells */
            fail_msg("%s: must name %s: %s", fail, calls[k], last.err);
        ok("cmp out/t.csv old.csv && test $(ls -A out) = t.csv");
    }
}

static void every_failing_call_is_named(void **state)
{
    (void)state;
    ok("mkdir out && echo old > old.csv && cp old.csv out/t.csv");
    ok("astragal hog solve --set goal=30 --method sweep --backend cpu --out want.csv");
    with("AG_STANDIN_CALLS", "calls");
    ok("astragal hog solve --set goal=30 --method sweep --backend cuda --out got.csv && cmp got.csv want.csv");
    with("AG_STANDIN_CALLS", NULL);
    fail_each_call("calls", "*:%zu=%s", "801");           /* NOT_SUPPORTED */
    fail_each_call("calls", "*:%zu=%s", "999");           /* UNKNOWN: the context is lost */
    fail_each_call("calls.nvrtc", "nvrtc*:%zu=%s", "11"); /* INTERNAL_ERROR */
}

/* What each failure is in words. */
static void failures_are_said_by_name(void **state)
{
    static const struct {
        const char *fail, *says;
    } cases[] = {
        {"cuMemAlloc_v2:1=2", "cuda device 0: cuMemAlloc_v2 of "},
        {"cuMemAlloc_v2:3=2", "bytes: CUDA_ERROR_OUT_OF_MEMORY (2)"},
        {"cuDevicePrimaryCtxRetain:1=46",
         "cuda device 0: cuDevicePrimaryCtxRetain: CUDA_ERROR_DEVICE_UNAVAILABLE (46)"},
        {"cuModuleLoadDataEx:1=222", "cuda device 0: cuModuleLoadDataEx: CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)"},
        {"cuModuleGetFunction:2=500",
         "cuda device 0: cuModuleGetFunction of agk_dice_count: CUDA_ERROR_NOT_FOUND (500)"},
        {"cuLaunchKernel:1=701",
         "cuda device 0: cuLaunchKernel of agk_selftest, 3 groups of 128: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"},
        {"kernel:1=719", "cuda device 0: cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED (719)"},
        {"kernel:3=700", "Synchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700)"},
        {"cuMemcpyDtoHAsync_v2:2=719", "cuda device 0: cuMemcpyDtoHAsync_v2: CUDA_ERROR_LAUNCH_FAILED (719)"},
        {"nvrtcCompileProgram:1=6", "cuda: nvrtcCompileProgram: NVRTC_ERROR_COMPILATION (6): "},
        {"nvrtcCreateProgram:1=1", "cuda: nvrtcCreateProgram: NVRTC_ERROR_OUT_OF_MEMORY (1)"},
    };
    (void)state;
    ok("echo old > t.csv");
    for (size_t i = 0; i < COUNT(cases); i++) {
        with("AG_STANDIN_FAIL", cases[i].fail);
        refused("astragal hog solve --set goal=30 --method sweep --backend cuda --out t.csv", 1, cases[i].says);
        ok("echo old | cmp - t.csv");
    }
}

/* The device's memory is asked before it is used. */
static void too_large_a_table_is_refused(void **state)
{
    (void)state;
    with("AG_STANDIN_MEMORY", "10000000");
    refused("astragal hog solve --set goal=3000 --backend cuda", 1, "bytes, the device has ");
    assert_non_null(strstr(last.err, " free of 10000000"));
    ok("astragal hog solve --set goal=100 --backend cuda");
    /* The others go where there is memory, and so do all when another process has the device. */
    ok("astragal hog solve --set goal=3000 --set max_rolls=60 --json --backend auto");
    says("auto", "\"backend\":\"cpu\"");
    with("AG_STANDIN_MEMORY", "100");
    ok("astragal hog solve --set goal=3000 --set max_rolls=60 --json --backend auto");
    says("auto", "\"backend\":\"cpu\"");
    with("AG_STANDIN_MEMORY", NULL);
    with("AG_STANDIN_FAIL", "cuDevicePrimaryCtxRetain:1=46");
    ok("astragal hog solve --set goal=3000 --set max_rolls=60 --json --backend auto");
    says("auto", "\"backend\":\"cpu\"");
    with("AG_STANDIN_FAIL", NULL);
    ok("astragal hog solve --set goal=3000 --set max_rolls=60 --json --backend auto");
    says("auto", "\"backend\":\"cuda\"");
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    with("AG_CUDA_LANES", "many");
    refused("astragal hog solve --backend cuda", 2, "AG_CUDA_LANES is 'many', must be 1..1024");
    with("AG_CUDA_LANES", NULL);
    with("AG_STANDIN_DEVICES", "3");
    refused("astragal hog solve --backend cuda --device 3", 1, "device is 3, must be 0..2: cuda has 3 devices");
    refused("astragal hog solve --backend cuda --device most", 2, "--device is most, must be 0..1023 or all");
    ok("astragal hog solve --backend cuda --device 2 --json");
    ok("astragal devices | grep -c '^cuda.*passed'");
    assert_string_equal(last.out, "3\n");
}

/* ----------------------------------------------------------- all devices, the cache */

static void all_devices_share_the_dice(void **state)
{
    (void)state;
    with("AG_STANDIN_DEVICES", "3");
    ok("astragal verify --set goal=10 --backend cuda --device all");
    says("verify", "cuda all   dice: 1600048 words, all counts equal");
    ok("astragal verify --set goal=10 --backend cuda --device all --json | grep '\"device\":\"all\",\"job\":\"dice\"'");
    ok("astragal hog solve --backend cuda --device all --out a.csv");
    ok("astragal hog solve --backend cpu --device all --out b.csv && cmp a.csv b.csv");
}

static void compiled_kernels_are_kept(void **state)
{
    (void)state;
    with("AG_CACHE", "cache");
    with("AG_STANDIN_CALLS", "calls");
    ok("astragal hog solve --set goal=30 --backend cuda --out a.csv && grep -c nvrtcCompileProgram calls.nvrtc");
    assert_string_equal(last.out + strlen(last.out) - 2, "1\n");
    ok("ls cache | grep -c '^cuda-'");
    assert_string_equal(last.out, "1\n");
    ok("rm calls.nvrtc; astragal hog solve --set goal=30 --backend cuda --out b.csv >/dev/null && cmp a.csv b.csv\n"
       "! grep nvrtcCompileProgram calls.nvrtc");

    /* Another driver or architecture has kernels of its own. */
    with("AG_STANDIN_ARCH", "80");
    ok("astragal hog solve --set goal=30 --backend cuda >/dev/null && ls cache | grep -c '^cuda-'");
    assert_string_equal(last.out, "2\n");
    with("AG_STANDIN_ARCH", NULL);
    with("AG_STANDIN_DRIVER", "13010");
    ok("astragal hog solve --set goal=30 --backend cuda >/dev/null && ls cache | grep -c '^cuda-'");
    assert_string_equal(last.out, "3\n");
    with("AG_STANDIN_DRIVER", NULL);

    /* What the driver refuses, or what is damaged, is compiled anew. */
    with("AG_STANDIN_FAIL", "cuModuleLoadDataEx:1=200");
    ok("astragal hog solve --set goal=30 --backend cuda --out c.csv >/dev/null && cmp a.csv c.csv\n"
       "grep -c nvrtcCompileProgram calls.nvrtc");
    assert_string_equal(last.out, "1\n");
    with("AG_STANDIN_FAIL", NULL);
    ok("for f in cache/cuda-*; do head -c 100 $f > short; mv short $f; done\n"
       "astragal hog solve --set goal=30 --backend cuda --out d.csv >/dev/null && cmp a.csv d.csv\n"
       "grep -c nvrtcCompileProgram calls.nvrtc");
    assert_string_equal(last.out, "1\n");
}

static int find_standin(void **state)
{
    const char *name = getenv("AG_STANDIN");
    if (!realpath(name ? name : "build/standin", standin)) {
        print_error("no stand-in driver in %s\n", name ? name : "build/standin");
        return -1;
    }
    return make_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_command_prints_the_same, reset),
        cmocka_unit_test_setup(every_preset_gives_the_same_files, reset),
        cmocka_unit_test_setup(other_devices_give_the_same, reset),
        cmocka_unit_test_setup(real_nvrtc_compiles_for_it, reset),
        cmocka_unit_test_setup(without_a_driver_others_do_it, reset),
        cmocka_unit_test_setup(an_old_device_is_passed_over, reset),
        cmocka_unit_test_setup(a_broken_driver_is_an_error, reset),
        cmocka_unit_test_setup(every_failing_call_is_named, reset),
        cmocka_unit_test_setup(failures_are_said_by_name, reset),
        cmocka_unit_test_setup(too_large_a_table_is_refused, reset),
        cmocka_unit_test_setup(bad_settings_are_refused, reset),
        cmocka_unit_test_setup(all_devices_share_the_dice, reset),
        cmocka_unit_test_setup(compiled_kernels_are_kept, reset),
    };
    return cmocka_run_group_tests_name("cuda commands", tests, find_standin, remove_folder);
}
