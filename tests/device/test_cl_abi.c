/*
 * test_cl_abi.c -- our own OpenCL declarations are those of Khronos's header, where that is installed.
 * The compiler does the comparing; the program only says whether it took place.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/cl_abi.h"

#if defined(__has_include)
#if __has_include(<CL/cl.h>)
#define HAVE_CL_HEADER 1
#endif
#endif

#ifdef HAVE_CL_HEADER
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define X(name, value) _Static_assert(CL_##name == (value), "CL_" #name);
AG_CL_CONSTANTS(X)
#undef X
_Static_assert(CL_DEVICE_TYPE_ALL == AG_CL_DEVICE_TYPE_ALL, "CL_DEVICE_TYPE_ALL");

#ifndef CL_PLATFORM_NOT_FOUND_KHR
#define CL_PLATFORM_NOT_FOUND_KHR (-1001)
#endif
#define X(name, value) _Static_assert((name) == (value), #name);
AG_CL_ERRORS(X)
#undef X

/* The address of each function has the type of our pointer to it. */
#define X(result, name, arguments)                                                                                     \
    _Static_assert(_Generic(&name, result(*) arguments : 1, default : 0), #name " has another type");
AG_CL_CALLS(X)
#undef X
#endif

static void header_agrees(void **state)
{
    (void)state;
#ifndef HAVE_CL_HEADER
    print_message("skipped: no CL/cl.h when this was compiled\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
