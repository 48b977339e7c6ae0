/*
 * standin_driver.h -- what the parts of the stand-in driver share: devices, handles, buffers, images.
 */
#ifndef AG_TESTS_CUDA_STANDIN_DRIVER_H
#define AG_TESTS_CUDA_STANDIN_DRIVER_H

#include "standin_record.h"
#include "device/cuda_abi.h"

#include <stdbool.h>

#define STANDIN_DEVICES_MAX 4
#define STANDIN_KERNELS_MAX 32
#define STANDIN_THREADS_MAX 1024  /* of a block */
#define STANDIN_REGISTERS   65536 /* of a multiprocessor */

/* The functions of the ABI and no others: a definition of another type does not compile. */
#define X(name, arguments) STANDIN_EXPORT ag_cu_result name arguments;
AG_CU_CALLS(X)
#undef X

/* ------------------------------------------------------------------- images */

typedef struct {
    char name[64];
    size_t size_struct; /* of the first parameter */
    size_t size_params; /* of all */
    unsigned registers, local_bytes;
} standin_kernel;

typedef struct {
    standin_kernel kernels[STANDIN_KERNELS_MAX];
    int n_kernels;
} standin_image;

/* Reads machine code or PTX for a device of architecture `arch`. On failure leaves words in log (size_log > 0). */
ag_cu_result standin_image_read(const void *image, int arch, int driver_version, standin_image *out, char *log,
                                size_t size_log);

/* ------------------------------------------------------------------ objects */

typedef enum { STANDIN_CONTEXT = 1, STANDIN_MODULE, STANDIN_FUNCTION, STANDIN_STREAM, STANDIN_EVENT } standin_kind;

struct standin_work;

/* What a handle names. Objects stay for the life of the process, so that a stale handle is known as such. */
typedef struct standin_object {
    standin_kind kind;
    size_t number;
    bool live;
    bool excused; /* its release was made to fail: it is no leak */
    int device;
    struct standin_object *context; /* NULL of a context */
    /* context */
    int n_retained;
    /* module */
    standin_image *image;
    /* function */
    struct standin_object *module;
    const standin_kernel *kernel;
    /* stream: work[first .. end-1] waits */
    struct standin_work *work;
    size_t first, end;
    ag_cu_result late; /* of a kernel that failed when nobody waited */
    /* event */
    enum { EVENT_NEW, EVENT_WAITS, EVENT_DONE } state;
    struct standin_object *stream;
    uint64_t ticket; /* of the last record */
    uint64_t time_us;
} standin_object;

standin_object *standin_object_create(standin_kind kind, int device);
void *standin_object_handle(const standin_object *object);
/* The live object of that kind in the current context; NULL after a fault. */
standin_object *standin_object_find(const void *handle, standin_kind kind);
/* The object of a handle whatever its state, NULL if it is no handle. */
standin_object *standin_object_look(const void *handle);
/* Ends an object, or excuses it if this call was made to fail. */
void standin_object_release(standin_object *object);
/* Calls `each` on all live objects of a context (of any if NULL). */
void standin_objects_of(const standin_object *context, void (*each)(standin_object *));

/* ------------------------------------------------------------------ devices */

typedef struct {
    ag_cu_result lost; /* what every call says since a fatal error; 0: none */
    uint64_t used_bytes;
    uint64_t clock_us;
    standin_object *context; /* the primary one, while retained */
} standin_device;

/* What a call that was told to fail does all the same. */
typedef enum {
    STANDIN_RELEASE,        /* it was not told to fail */
    STANDIN_RELEASE_FORCED, /* the device is lost: releases, and says so */
    STANDIN_RELEASE_EXCUSED /* made to fail: releases nothing, which is no leak */
} standin_release;

typedef struct {
    bool initialised;
    int n_devices, arch, units, version;
    uint64_t memory_bytes;
    standin_device devices[STANDIN_DEVICES_MAX];
    standin_release release;
} standin_driver_state;
extern standin_driver_state standin_driver;

/* What a call needs before its arguments are looked at. */
typedef enum { STANDIN_NEEDS_NOTHING, STANDIN_NEEDS_INIT, STANDIN_NEEDS_CONTEXT } standin_needs;

/* The context on top of this thread's stack; NULL if there is none. */
standin_object *standin_current(void);
/* Is it one of the errors that end a device? */
bool standin_is_fatal(ag_cu_result code);
/* Takes the lock and counts; what the call must return at once, or 0. */
ag_cu_result standin_begin(const char *call, standin_needs needs);

/* Defines one function of the driver; its body follows and returns the result. */
#define STANDIN_CALL(name, needs, arguments, passed)                                                                   \
    static ag_cu_result name##_body arguments;                                                                         \
    ag_cu_result name arguments                                                                                        \
    {                                                                                                                  \
        const ag_cu_result early = standin_begin(#name, needs);                                                        \
        const ag_cu_result result = early == STANDIN_SUCCESS ? name##_body passed : early;                             \
        standin_unlock();                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    static ag_cu_result name##_body arguments

/* One that releases something, which it does on a lost device too. */
#define STANDIN_RELEASE_CALL(name, needs, arguments, passed)                                                           \
    static ag_cu_result name##_body arguments;                                                                         \
    ag_cu_result name arguments                                                                                        \
    {                                                                                                                  \
        const ag_cu_result early = standin_begin(#name, needs);                                                        \
        ag_cu_result result = early;                                                                                   \
        if (early == STANDIN_SUCCESS || standin_driver.release != STANDIN_RELEASE)                                     \
            result = name##_body passed;                                                                               \
        standin_unlock();                                                                                              \
        return early == STANDIN_SUCCESS ? result : early;                                                              \
    }                                                                                                                  \
    static ag_cu_result name##_body arguments

/* ------------------------------------------------------------------- memory */

typedef struct standin_buffer {
    ag_cu_ptr address;
    size_t size;
    int device;
    bool excused;
    uint8_t *bytes;   /* as the host sees them: for copies and kernels alone */
    uint8_t *mapping; /* guard page, pages that end with the bytes, guard page */
    size_t size_mapping;
    struct standin_buffer *next;
} standin_buffer;

/* The buffer of the current context's device that holds size bytes at address; NULL after a fault. */
standin_buffer *standin_buffer_range(ag_cu_ptr address, size_t size);
/* The buffer of that device that starts at address; NULL after a fault. */
standin_buffer *standin_buffer_start(ag_cu_ptr address);
/* Is it in the range of addresses that devices use? */
bool standin_is_device_address(uint64_t address);
/* Ends all buffers of a device; the number of those that are no excused ones. */
unsigned standin_buffers_drop(int device);
unsigned standin_buffers_live(void);
void standin_buffers_leaks(void);

/* ------------------------------------------------------------------ streams */

typedef struct standin_work {
    enum { WORK_SET, WORK_COPY_IN, WORK_COPY_OUT, WORK_RECORD, WORK_LAUNCH } kind;
    uint64_t ticket;
    uint8_t *device_at; /* set, copies */
    const void *from;
    void *to;
    size_t size;
    unsigned char value;
    standin_object *event;
    const struct standin_host_kernel *kernel;
    unsigned n_blocks, n_threads;
    uint8_t *bufs[8];
    uint64_t params[32]; /* aligned for any struct */
} standin_work;

/* Puts work at the end of a stream. */
ag_cu_result standin_stream_put(standin_object *stream, const standin_work *work);
/* Executes all that waits in a stream; what a waiting call has to return. */
ag_cu_result standin_stream_run(standin_object *stream);
/* Executes all that waits in any stream of a context. */
ag_cu_result standin_streams_run(const standin_object *context);

/* ------------------------------------------------------------------ kernels */

/* A kernel compiled for the host. */
typedef struct standin_host_kernel {
    const char *name, *params;
    size_t size_struct; /* of its parameters */
    void (*entry)(const void *params, uint8_t *const *bufs);
} standin_host_kernel;

/* NULL if there is none of that name. */
const standin_host_kernel *standin_host_kernel_find(const char *name);
void standin_kernel_run(const standin_host_kernel *kernel, const void *params, uint8_t *const *bufs, unsigned n_blocks,
                        unsigned n_threads);

/* The most threads that a block of this kernel may have: what registers allow, a multiple of 32. */
int standin_block_limit(const standin_kernel *kernel);

#endif
