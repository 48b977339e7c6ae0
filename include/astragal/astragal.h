/*
 * astragal.h -- contexts, devices, messages: what every part of the library shares.
 *
 * Conventions that hold for every function of every header and are not repeated:
 *  - Functions that can fail return ag_status: AG_OK (0) or a negative code. On
 *    failure no output argument has been written, and ag_ctx_message() gives one
 *    English line saying what was wrong, with which values, and what is accepted.
 *  - Pointers are never NULL unless the text says "may be NULL".
 *  - What *_create() gives belongs to the caller and goes back through the matching
 *    *_free(), which accepts NULL.
 *  - An ag_ctx is for one thread at a time. Different contexts are independent.
 *  - The library never exits and prints nothing but through the log function.
 */
#ifndef ASTRAGAL_H
#define ASTRAGAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Major * 10000 + minor * 100 + patch, and the same as text. */
#define AG_VERSION        100
#define AG_VERSION_STRING "0.1.0"
/* The version of the library that is running, as AG_VERSION_STRING. */
const char *ag_version(void);

/* Codes are fixed for ever; new ones are added at the end. */
typedef enum {
    AG_OK = 0,
    AG_E_ARG = -1,        /* bad input: an argument, a rule, a file's content */
    AG_E_MEMORY = -2,     /* not enough memory, on the host or on the device */
    AG_E_DEVICE = -3,     /* a device is present but fails or answers wrongly */
    AG_E_NOTFOUND = -4,   /* no such device here: absent, not broken */
    AG_E_IO = -5,         /* a file could not be read or written */
    AG_E_CHECK = -6,      /* a comparison found a difference */
    AG_E_INTERRUPTED = -7 /* stopped on request */
} ag_status;

/* The name of a code: "AG_E_ARG". "unknown status" for anything else. */
const char *ag_status_name(ag_status status);

/* Holds the chosen device, its scratch memory and the last message. */
typedef struct ag_ctx ag_ctx;

/* Makes a context that uses backend "auto". Errors: AG_E_MEMORY (the only one; *out is NULL then). */
ag_status ag_ctx_create(ag_ctx **out);
void ag_ctx_free(ag_ctx *ctx);

/* The line that the last failing call left; "" if none failed. Valid until the next call with ctx. */
const char *ag_ctx_message(const ag_ctx *ctx);

/*
 * Chooses where the work of ctx runs.
 *
 * backend    "auto"      the fastest device present (a GPU, else "cpu"); "cpu" for work
 *                        that is done sooner than a device opens
 *            "cpu"       threads of this process
 *            "opencl"    an OpenCL device
 *            "cuda"      an NVIDIA GPU; needs the driver, and libnvrtc of the CUDA toolkit
 *            "reference" plain sequential code that shares only the dice with the kernels
 * device     number of the device within the backend, from 0, as ag_devices_list() counts;
 *            or AG_ALL_DEVICES: dice are counted on all devices of the backend together ("auto":
 *            on all its GPUs), with the same result; what cannot be split runs on the first
 * n_threads  threads of "cpu", 1..1024; 0 = one for each processor this process may use
 *
 * A named device is opened here, and passes its self-test here. Errors: AG_E_ARG (unknown
 * name), AG_E_NOTFOUND (absent), AG_E_DEVICE (broken).
 */
#define AG_ALL_DEVICES (-1)
ag_status ag_ctx_use(ag_ctx *ctx, const char *backend, int device, int n_threads);

/* Names of what the last job of ctx ran on: "cpu" and the processor's name, say; "" before the first. */
const char *ag_ctx_backend(const ag_ctx *ctx);
const char *ag_ctx_device(const ag_ctx *ctx);

/*
 * Seconds for which kernels kept the devices of ctx busy since this was last asked (or since they
 * were opened), by the devices' own clocks, all devices added; 0 where they have none: only "cuda"
 * has. Waits for what runs. Errors: AG_E_DEVICE.
 */
ag_status ag_ctx_busy_seconds(ag_ctx *ctx, double *out);

/* One device, or (found = 0) one backend that has none. */
typedef struct {
    char backend[16];
    int device; /* number within the backend */
    int found;  /* 0: note says why the backend is absent */
    int usable; /* 1: passed its self-test; 0: note says what failed */
    char name[128];
    char driver[128];
    uint64_t memory_bytes; /* 0: not reported */
    uint32_t compute_units;
    char note[256];
} ag_device_row;

/*
 * Opens and self-tests every device found. rows: capacity of out; *n_rows: rows
 * written, in the order cuda, opencl, cpu, reference. Errors: AG_E_MEMORY.
 */
ag_status ag_devices_list(ag_ctx *ctx, size_t rows, ag_device_row *out, size_t *n_rows);

/* Log levels, the more the higher; messages of a level above the chosen one are not made. */
typedef enum { AG_LOG_ERROR = 0, AG_LOG_WARN = 1, AG_LOG_INFO = 2, AG_LOG_DEBUG = 3 } ag_log_level;

/* Receives every message of the library: category is "build", "mem", "launch" or "solve". */
typedef void (*ag_log_fn)(void *user, ag_log_level level, const char *category, const char *text);

/* fn NULL: back to the default, which writes to stderr what AG_LOG allows: a comma list of
 * one level and any categories, as in AG_LOG=debug,launch; without AG_LOG: warn, all. For the whole process. */
void ag_log_set(ag_log_fn fn, void *user);

#ifdef __cplusplus
}
#endif
#endif
