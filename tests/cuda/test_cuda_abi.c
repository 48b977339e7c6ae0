/*
 * test_cuda_abi.c -- our own CUDA and NVRTC declarations are those of NVIDIA's headers, where those are installed.
 * The compiler does the comparing; the program only says whether it took place.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/cuda_abi.h"

#if defined(__has_include)
#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#define HAVE_CUDA_HEADERS 1
#include <cuda.h>
#include <nvrtc.h>
#elif __has_include("/usr/local/cuda/include/cuda.h") && __has_include("/usr/local/cuda/include/nvrtc.h")
#define HAVE_CUDA_HEADERS 1
#include "/usr/local/cuda/include/cuda.h"
#include "/usr/local/cuda/include/nvrtc.h"
#endif
#endif

#ifdef HAVE_CUDA_HEADERS
#define X(name, value) _Static_assert(CU_##name == (value), "CU_" #name);
AG_CU_CONSTANTS(X)
#undef X
#define X(name, value) _Static_assert(CUDA_##name == (value), "CUDA_" #name);
AG_CU_RESULTS(X)
#undef X
_Static_assert(CU_LAUNCH_PARAM_END_AS_INT == 0 && CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT == 1 &&
                   CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT == 2,
               "keys of cuLaunchKernel");

/* The address of each function has the type of our pointer to it. */
#define X(name, arguments)                                                                                             \
    _Static_assert(_Generic(&name, ag_cu_result(*) arguments : 1, default : 0), #name " has another type");
AG_CU_CALLS(X)
#undef X
#define X(result, name, arguments)                                                                                     \
    _Static_assert(_Generic(&name, result(*) arguments : 1, default : 0), #name " has another type");
AG_NVRTC_CALLS(X)
#undef X
#endif

static void headers_agree(void **state)
{
    (void)state;
#ifndef HAVE_CUDA_HEADERS
    print_message("skipped: no cuda.h and nvrtc.h when this was compiled\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
