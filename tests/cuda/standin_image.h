/*
 * standin_image.h -- the machine code that the stand-in NVRTC makes and the stand-in driver loads: a text of
 *
 *     ASTRAGAL STAND-IN CUBIN
 *     toolkit 13 arch 90
 *     kernel agk_name 24 72 64 0
 *
 * one line for each kernel: its name, bytes of its struct and of all parameters, registers, bytes of local memory.
 */
#ifndef AG_TESTS_CUDA_STANDIN_IMAGE_H
#define AG_TESTS_CUDA_STANDIN_IMAGE_H

#define STANDIN_IMAGE_MAGIC  "ASTRAGAL STAND-IN CUBIN\n"
#define STANDIN_IMAGE_MADE   "toolkit %d arch %d\n"
#define STANDIN_IMAGE_KERNEL "kernel %63s %zu %zu %u %u\n" /* to be read; written with %s */

/* The newest PTX that CUDA of this version (1000 * major + 10 * minor) reads, and that it writes: 10 * major + minor.
 */
static inline int standin_ptx_version(int cuda_version)
{
    static const int of_12[] = {80, 81, 82, 83, 84, 85, 85, 86, 87, 88};
    const int major = cuda_version / 1000, minor = cuda_version % 1000 / 10;
    if (major == 12)
        return of_12[minor < 9 ? minor : 9];
    return major > 12 ? 90 + (major - 13) * 10 + minor : 70 + minor;
}

#endif
