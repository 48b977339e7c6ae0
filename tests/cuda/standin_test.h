/*
 * standin_test.h -- for the tests of the stand-ins: both libraries loaded once, a played machine for each test, an
 * open device, and children whose end is looked at.
 */
#ifndef AG_TESTS_CUDA_STANDIN_TEST_H
#define AG_TESTS_CUDA_STANDIN_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "standin.h"
#include "device/cuda_abi.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct {
#define X(result, name, arguments) result(*name) arguments;
    STANDIN_HELPERS(X)
#undef X
} standin_helpers;

static char standin_folder[3000];
static void *driver_library;
static ag_cu_calls cu;
static ag_nvrtc_calls nvrtc;
static standin_helpers driver_, nvrtc_; /* what each library says of itself */

/* Sets a function pointer to what a library exports under that name; fails the test if there is nothing. */
static inline void find_symbol(void *library, const char *name, void *place)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        fail_msg("no %s", name);
    memcpy(place, &symbol, sizeof symbol);
}

static inline void *open_library(const char *below)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", standin_folder, below);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    return library;
}

/* The folder AG_STANDIN; if unset, the one of the build that this program belongs to. */
static inline void find_folder(void)
{
    const char *named = getenv("AG_STANDIN");
    if (named && *named) {
        snprintf(standin_folder, sizeof standin_folder, "%s", named);
        return;
    }
    const ssize_t n = readlink("/proc/self/exe", standin_folder, sizeof standin_folder - 32);
    assert_true(n > 0);
    standin_folder[n] = '\0';
    for (int i = 0; i < 3; i++)
        *strrchr(standin_folder, '/') = '\0';
    strcat(standin_folder, "/standin");
}

static inline int load_libraries(void **state)
{
    (void)state;
    find_folder();
    driver_library = open_library("libcuda.so.1");
    void *nvrtc_library = open_library("nvrtc/libnvrtc.so.13");
#define X(name, arguments) find_symbol(driver_library, #name, &cu.name);
    AG_CU_CALLS(X)
#undef X
#define X(result, name, arguments) find_symbol(nvrtc_library, #name, &nvrtc.name);
    AG_NVRTC_CALLS(X)
#undef X
#define X(result, name, arguments)                                                                                     \
    find_symbol(driver_library, #name, &driver_.name);                                                                 \
    find_symbol(nvrtc_library, #name, &nvrtc_.name);
    STANDIN_HELPERS(X)
#undef X
    return 0;
}

/* Plays the machine that the environment has; to be called again after it was changed. */
static inline void play(const char *name, const char *value)
{
    if (name)
        assert_int_equal(setenv(name, value, 1), 0);
    driver_.standin_reset();
    nvrtc_.standin_reset();
    if (!name || strcmp(value, "0") != 0)
        assert_int_equal(cu.cuInit(0), 0);
    driver_.standin_fail(NULL); /* counts from here */
}

/* Before and after every test: the default machine, nothing live, no faults. */
static inline int begin_test(void **state)
{
    static const char *const names[] = {"AG_STANDIN_DEVICES", "AG_STANDIN_ARCH",   "AG_STANDIN_UNITS",
                                        "AG_STANDIN_MEMORY",  "AG_STANDIN_DRIVER", "AG_STANDIN_NVRTC",
                                        "AG_STANDIN_ARCHS",   "AG_STANDIN_FAIL",   "AG_STANDIN_CALLS"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        unsetenv(names[i]);
    play(NULL, NULL);
    return 0;
}

static inline int end_test(void **state)
{
    return begin_test(state);
}

/* The call is a mistake: it returns the code, and the last of the faults that it makes has these words. */
#define assert_fault(code, words, call)                                                                                \
    do {                                                                                                               \
        const int before_ = driver_.standin_faults();                                                                  \
        assert_int_equal((call), (code));                                                                              \
        if (driver_.standin_faults() != before_ + 1 || !strstr(driver_.standin_last_fault(), (words)))                 \
            fail_msg("%s: %d faults, the last is '%s', must have '%s'", #call, driver_.standin_faults() - before_,     \
                     driver_.standin_last_fault(), (words));                                                           \
    } while (0)

/* The call returns the code and is no mistake. */
#define assert_code(code, call)                                                                                        \
    do {                                                                                                               \
        const int before_ = driver_.standin_faults();                                                                  \
        const unsigned got_ = (call);                                                                                  \
        if (got_ != (unsigned)(code) || driver_.standin_faults() != before_)                                           \
            fail_msg("%s: %u, must be %u; faults: %d, '%s'", #call, got_, (unsigned)(code),                            \
                     driver_.standin_faults() - before_, driver_.standin_last_fault());                                \
    } while (0)

/* A device in use: its context is current, and it has a stream. */
typedef struct {
    int number;
    ag_cu_context context;
    ag_cu_stream stream;
} session;

static inline session open_session(int number)
{
    session s = {.number = number};
    assert_code(0, cu.cuDevicePrimaryCtxRetain(&s.context, number));
    assert_code(0, cu.cuCtxPushCurrent_v2(s.context));
    assert_code(0, cu.cuStreamCreate(&s.stream, AG_CU_STREAM_NON_BLOCKING));
    return s;
}

static inline void close_session(session *s)
{
    assert_code(0, cu.cuStreamDestroy_v2(s->stream));
    assert_code(0, cu.cuCtxPopCurrent_v2(NULL));
    assert_code(0, cu.cuDevicePrimaryCtxRelease_v2(s->number));
}

static inline ag_cu_ptr new_buffer(size_t size_bytes)
{
    ag_cu_ptr address = 0;
    assert_code(0, cu.cuMemAlloc_v2(&address, size_bytes));
    assert_int_not_equal(address, 0);
    return address;
}

/* ------------------------------------------------------------------ children */

typedef struct {
    int status;        /* as waitpid() gives it */
    char words[16384]; /* what it wrote to stdout and stderr */
} child;

/* Runs body(argument) and exit(0) in a child. */
static inline void run_child(void (*body)(void *), void *argument, child *out)
{
    int ends[2];
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL); /* cmocka would go on */
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        body(argument);
        exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (;;) {
        char spill[4096];
        const bool full = n + 1 == sizeof out->words;
        const ssize_t got =
            read(ends[0], full ? spill : out->words + n, full ? sizeof spill : sizeof out->words - 1 - n);
        if (got == 0)
            break;
        if (got > 0 && !full)
            n += (size_t)got;
        else if (got < 0)
            assert_int_equal(errno, EINTR);
    }
    out->words[n] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &out->status, 0), pid);
}

/* The child ended with exit(code) and said these words. */
#define assert_exit(code, said, body, argument)                                                                        \
    do {                                                                                                               \
        child child_;                                                                                                  \
        run_child((body), (argument), &child_);                                                                        \
        if (!WIFEXITED(child_.status) || WEXITSTATUS(child_.status) != (code) || !strstr(child_.words, (said)))        \
            fail_msg("status %#x, must be exit(%d); must say '%s', says: %s", (unsigned)child_.status, (code), (said), \
                     child_.words);                                                                                    \
    } while (0)

/* The child died of that signal, whether a checker made an exit of it or not, and said these words. */
#define assert_killed(number, said, body, argument)                                                                    \
    do {                                                                                                               \
        child child_;                                                                                                  \
        run_child((body), (argument), &child_);                                                                        \
        const bool killed_ = WIFSIGNALED(child_.status)                                                                \
                                 ? WTERMSIG(child_.status) == (number)                                                 \
                                 : WEXITSTATUS(child_.status) != 0 &&                                                  \
                                       (strstr(child_.words, "Sanitizer") || strstr(child_.words, "runtime error"));   \
        if (!killed_ || !strstr(child_.words, (said)))                                                                 \
            fail_msg("status %#x, must be signal %d; must say '%s', says: %s", (unsigned)child_.status, (number),      \
                     (said), child_.words);                                                                            \
    } while (0)

/* --------------------------------------------------------------------- images */

/* Image of the stand-in's own form: kernels with many registers and few. */
#define IMAGE_90                                                                                                       \
    "ASTRAGAL STAND-IN CUBIN\ntoolkit 13 arch 90\n"                                                                    \
    "kernel agk_dice_roll 40 88 64 0\nkernel agk_hog_layers 40 88 255 48\nkernel agk_selftest 24 72 32 0\n"            \
    "kernel agk_dice_count 40 88 33 0\n"

static inline ag_cu_function load_kernel(const char *image, const char *name, ag_cu_module *module)
{
    ag_cu_function function = NULL;
    assert_code(0, cu.cuModuleLoadDataEx(module, image, 0, NULL, NULL));
    assert_code(0, cu.cuModuleGetFunction(&function, *module, name));
    return function;
}

#endif
