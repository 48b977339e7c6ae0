/*
 * standin_driver.c -- the stand-in driver: what every call goes through, handles, devices and contexts.
 */
#include "standin_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_MAX 64

standin_driver_state standin_driver;
const char standin_any_call[] = "*";
const char standin_calls_ending[] = "";

/* The contexts that a thread has pushed. Kept after the thread has ended: what it left pushed is told at exit. */
typedef struct thread_stack {
    struct thread_stack *next;
    standin_object *contexts[STACK_MAX];
    int depth;
    int excused; /* pops that were made to fail */
} thread_stack;

static thread_stack *stacks;
static _Thread_local thread_stack *own_stack;

/* All objects ever made; a handle is an index into them. */
static struct {
    standin_object **items;
    size_t n, size;
} objects;

/* --------------------------------------------------------------- environment */

void standin_read_environment(void)
{
    standin_driver.n_devices = (int)standin_setting("AG_STANDIN_DEVICES", 0, STANDIN_DEVICES_MAX, 1);
    standin_driver.arch = (int)standin_setting("AG_STANDIN_ARCH", 20, 199, 90);
    standin_driver.units = (int)standin_setting("AG_STANDIN_UNITS", 1, 1024, 8);
    standin_driver.version = (int)standin_setting("AG_STANDIN_DRIVER", 1000, 99990, 13000);
    standin_driver.memory_bytes = standin_setting("AG_STANDIN_MEMORY", 1, UINT64_MAX, UINT64_C(8) << 30);
}

/* ------------------------------------------------------------------- handles */

#define HANDLE_BASE UINT64_C(0xACE0000000000000) /* no address: who follows it, crashes */
#define HANDLE_STEP 16u

static const char *const kind_names[] = {"", "a context", "a module", "a function", "a stream", "an event"};

standin_object *standin_object_create(standin_kind kind, int device)
{
    if (objects.n == objects.size) {
        objects.size = objects.size ? 2 * objects.size : 256;
        standin_object **items = realloc(objects.items, objects.size * sizeof *items);
        if (!items)
            abort();
        objects.items = items;
    }
    standin_object *object = calloc(1, sizeof *object);
    if (!object)
        abort();
    object->kind = kind;
    object->live = true;
    object->device = device;
    object->context = kind == STANDIN_CONTEXT ? NULL : standin_current();
    object->number = objects.n;
    objects.items[objects.n++] = object;
    return object;
}

void *standin_object_handle(const standin_object *object)
{
    return (void *)(uintptr_t)(HANDLE_BASE + object->number * HANDLE_STEP);
}

standin_object *standin_object_look(const void *handle)
{
    const uint64_t at = (uint64_t)(uintptr_t)handle - HANDLE_BASE;
    return at % HANDLE_STEP == 0 && at / HANDLE_STEP < objects.n ? objects.items[at / HANDLE_STEP] : NULL;
}

standin_object *standin_object_find(const void *handle, standin_kind kind)
{
    standin_object *object = standin_object_look(handle);
    const standin_object *current = standin_current();
    if (!handle)
        standin_fault(0, "a null handle, must be that of %s", kind_names[kind]);
    else if (!object)
        standin_fault(0, "%p is no handle, least of all of %s", handle, kind_names[kind]);
    else if (object->kind != kind)
        standin_fault(0, "the handle of %s, must be that of %s", kind_names[object->kind], kind_names[kind]);
    else if (!object->live)
        standin_fault(0, "%s that was destroyed", kind_names[kind]);
    else if (object->context && object->context != current)
        standin_fault(0, "%s of device %d, the current context is of device %d", kind_names[kind], object->device,
                      current ? current->device : -1);
    else
        return object;
    return NULL;
}

static void end_object(standin_object *object)
{
    object->live = false;
    free(object->work);
    object->work = NULL;
    object->first = object->end = 0;
}

void standin_object_release(standin_object *object)
{
    if (standin_driver.release == STANDIN_RELEASE_EXCUSED)
        object->excused = true;
    else
        end_object(object);
}

void standin_objects_of(const standin_object *context, void (*each)(standin_object *))
{
    for (size_t i = 0; i < objects.n; i++)
        if (objects.items[i]->live && (!context || objects.items[i]->context == context))
            each(objects.items[i]);
}

/* --------------------------------------------------------------- every call */

standin_object *standin_current(void)
{
    return own_stack && own_stack->depth > 0 ? own_stack->contexts[own_stack->depth - 1] : NULL;
}

bool standin_is_fatal(ag_cu_result code)
{
    return code == STANDIN_ERROR_DEVICE_UNAVAILABLE || code == STANDIN_ERROR_ILLEGAL_ADDRESS ||
           code == STANDIN_ERROR_LAUNCH_TIMEOUT || code == STANDIN_ERROR_LAUNCH_FAILED || code == STANDIN_ERROR_UNKNOWN;
}

ag_cu_result standin_begin(const char *call, standin_needs needs)
{
    standin_lock();
    const ag_cu_result planned = standin_count_call(call);
    standin_driver.release = STANDIN_RELEASE;
    if (needs != STANDIN_NEEDS_NOTHING && !standin_driver.initialised)
        return standin_fault(STANDIN_ERROR_NOT_INITIALIZED, "before cuInit");
    if (needs == STANDIN_NEEDS_CONTEXT) {
        const standin_object *context = standin_current();
        if (!context)
            return standin_fault(STANDIN_ERROR_INVALID_CONTEXT, "no context is current on this thread");
        standin_device *device = &standin_driver.devices[context->device];
        if (standin_is_fatal(planned) && !device->lost)
            device->lost = planned;
        if (device->lost) {
            standin_driver.release = STANDIN_RELEASE_FORCED;
            return device->lost;
        }
    }
    if (planned)
        standin_driver.release = STANDIN_RELEASE_EXCUSED;
    return planned;
}

/* ------------------------------------------------------------------- devices */

STANDIN_CALL(cuInit, STANDIN_NEEDS_NOTHING, (unsigned int flags), (flags))
{
    if (flags != 0)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "flags are %u, must be 0", flags);
    if (standin_driver.n_devices == 0)
        return STANDIN_ERROR_NO_DEVICE;
    standin_driver.initialised = true;
    return STANDIN_SUCCESS;
}

static ag_cu_result null_result(const char *what)
{
    return standin_fault(STANDIN_ERROR_INVALID_VALUE, "%s is null", what);
}

STANDIN_CALL(cuDriverGetVersion, STANDIN_NEEDS_NOTHING, (int *version), (version))
{
    if (!version)
        return null_result("where the version goes");
    *version = standin_driver.version;
    return STANDIN_SUCCESS;
}

/* Counts as no call: it is for messages. Unknown codes are no mistake. */
ag_cu_result cuGetErrorName(ag_cu_result code, const char **name)
{
    standin_lock();
    standin_name_call("cuGetErrorName");
    ag_cu_result result = STANDIN_SUCCESS;
    if (!name) {
        result = null_result("where the name goes");
    } else {
        *name = NULL;
#define X(known, value)                                                                                                \
    if (code == (value))                                                                                               \
        *name = "CUDA_" #known;
        STANDIN_RESULTS(X)
#undef X
        result = *name ? STANDIN_SUCCESS : STANDIN_ERROR_INVALID_VALUE;
    }
    standin_unlock();
    return result;
}

STANDIN_CALL(cuDeviceGetCount, STANDIN_NEEDS_INIT, (int *n), (n))
{
    if (!n)
        return null_result("where the number goes");
    *n = standin_driver.n_devices;
    return STANDIN_SUCCESS;
}

/* A fault if there is no such device. */
static ag_cu_result check_device(int device)
{
    if (device >= 0 && device < standin_driver.n_devices)
        return STANDIN_SUCCESS;
    return standin_fault(STANDIN_ERROR_INVALID_DEVICE, "device %d of %d", device, standin_driver.n_devices);
}

STANDIN_CALL(cuDeviceGet, STANDIN_NEEDS_INIT, (ag_cu_device * device, int i), (device, i))
{
    if (!device)
        return null_result("where the device goes");
    const ag_cu_result result = check_device(i);
    if (result == STANDIN_SUCCESS)
        *device = i;
    return result;
}

STANDIN_CALL(cuDeviceGetName, STANDIN_NEEDS_INIT, (char *name, int size, ag_cu_device device), (name, size, device))
{
    if (!name || size <= 0)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "%d bytes at %p for a name", size, (void *)name);
    const ag_cu_result result = check_device(device);
    if (result == STANDIN_SUCCESS)
        snprintf(name, (size_t)size, "Stand-in GPU");
    return result;
}

STANDIN_CALL(cuDeviceTotalMem_v2, STANDIN_NEEDS_INIT, (size_t * bytes, ag_cu_device device), (bytes, device))
{
    if (!bytes)
        return null_result("where the size goes");
    const ag_cu_result result = check_device(device);
    if (result == STANDIN_SUCCESS)
        *bytes = standin_driver.memory_bytes;
    return result;
}

STANDIN_CALL(cuDeviceGetAttribute, STANDIN_NEEDS_INIT, (int *value, unsigned int attribute, ag_cu_device device),
             (value, attribute, device))
{
    if (!value)
        return null_result("where the value goes");
    const ag_cu_result result = check_device(device);
    if (result != STANDIN_SUCCESS)
        return result;
    switch (attribute) {
    case AG_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = STANDIN_THREADS_MAX;
        return STANDIN_SUCCESS;
    case AG_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = standin_driver.units;
        return STANDIN_SUCCESS;
    case AG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = standin_driver.arch / 10;
        return STANDIN_SUCCESS;
    case AG_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = standin_driver.arch % 10;
        return STANDIN_SUCCESS;
    default:
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "attribute %u is not played", attribute);
    }
}

/* ------------------------------------------------------------------ contexts */

STANDIN_CALL(cuDevicePrimaryCtxRetain, STANDIN_NEEDS_INIT, (ag_cu_context * context, ag_cu_device i), (context, i))
{
    if (!context)
        return null_result("where the context goes");
    const ag_cu_result result = check_device(i);
    if (result != STANDIN_SUCCESS)
        return result;
    standin_device *device = &standin_driver.devices[i];
    if (device->lost)
        return device->lost;
    if (!device->context)
        device->context = standin_object_create(STANDIN_CONTEXT, i);
    device->context->n_retained++;
    *context = standin_object_handle(device->context);
    return STANDIN_SUCCESS;
}

static unsigned n_left; /* of the objects that end with their context */

static void end_and_count(standin_object *object)
{
    n_left += object->kind != STANDIN_FUNCTION && !object->excused;
    end_object(object);
}

STANDIN_RELEASE_CALL(cuDevicePrimaryCtxRelease_v2, STANDIN_NEEDS_INIT, (ag_cu_device i), (i))
{
    const ag_cu_result result = check_device(i);
    if (result != STANDIN_SUCCESS)
        return result;
    standin_device *device = &standin_driver.devices[i];
    standin_object *context = device->context;
    if (!context)
        return standin_fault(STANDIN_ERROR_INVALID_CONTEXT, "the context of device %d is not retained", i);
    if (standin_driver.release == STANDIN_RELEASE_EXCUSED) {
        context->excused = true;
        return STANDIN_SUCCESS;
    }
    if (--context->n_retained > 0)
        return device->lost;
    for (const thread_stack *stack = stacks; stack; stack = stack->next)
        for (int j = 0; j < stack->depth; j++)
            if (stack->contexts[j] == context && !stack->excused)
                standin_fault(0, "the context of device %d is still current", i);
    n_left = 0;
    standin_objects_of(context, end_and_count);
    const unsigned n_buffers = standin_buffers_drop(i);
    if (n_left + n_buffers > 0)
        standin_fault(0, "%u buffers and %u modules, streams, events of device %d were not released before", n_buffers,
                      n_left, i);
    end_object(context);
    device->context = NULL;
    return device->lost;
}

static thread_stack *stack_of_thread(void)
{
    if (!own_stack) {
        own_stack = calloc(1, sizeof *own_stack);
        if (!own_stack)
            abort();
        own_stack->next = stacks;
        stacks = own_stack;
    }
    return own_stack;
}

STANDIN_CALL(cuCtxPushCurrent_v2, STANDIN_NEEDS_INIT, (ag_cu_context handle), (handle))
{
    thread_stack *stack = stack_of_thread();
    standin_object *context = standin_object_find(handle, STANDIN_CONTEXT);
    if (!context)
        return STANDIN_ERROR_INVALID_CONTEXT;
    if (stack->depth == STACK_MAX)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "%d contexts pushed and never popped", STACK_MAX);
    stack->contexts[stack->depth++] = context;
    return STANDIN_SUCCESS;
}

STANDIN_CALL(cuCtxGetCurrent, STANDIN_NEEDS_INIT, (ag_cu_context * handle), (handle))
{
    const standin_object *context = standin_current();
    if (!handle)
        return null_result("where the context goes");
    *handle = context ? standin_object_handle(context) : NULL;
    return STANDIN_SUCCESS;
}

STANDIN_RELEASE_CALL(cuCtxPopCurrent_v2, STANDIN_NEEDS_INIT, (ag_cu_context * handle), (handle))
{
    thread_stack *stack = stack_of_thread();
    if (stack->depth == 0)
        return standin_fault(STANDIN_ERROR_INVALID_CONTEXT, "nothing was pushed on this thread");
    if (standin_driver.release == STANDIN_RELEASE_EXCUSED) {
        stack->excused++;
        return STANDIN_SUCCESS;
    }
    const standin_object *context = stack->contexts[--stack->depth];
    if (handle)
        *handle = standin_object_handle(context);
    return STANDIN_SUCCESS;
}

/* ------------------------------------------------------- what is left at exit */

static unsigned long long n_live;

static void count_live(standin_object *object)
{
    if (object->kind == STANDIN_CONTEXT)
        n_live += object->excused ? 0 : (unsigned long long)object->n_retained;
    else
        n_live += object->kind != STANDIN_FUNCTION && !object->excused;
}

unsigned long long standin_count_live(void)
{
    n_live = standin_buffers_live();
    standin_objects_of(NULL, count_live);
    for (const thread_stack *stack = stacks; stack; stack = stack->next)
        n_live += stack->depth > stack->excused ? (unsigned long long)(stack->depth - stack->excused) : 0;
    return n_live;
}

static void record_leak(standin_object *object)
{
    if (object->excused)
        return;
    if (object->kind == STANDIN_CONTEXT)
        standin_fault(0, "the context of device %d is retained %d times", object->device, object->n_retained);
    else if (object->kind != STANDIN_FUNCTION)
        standin_fault(0, "%s of device %d was not destroyed", kind_names[object->kind], object->device);
}

void standin_record_leaks(void)
{
    standin_buffers_leaks();
    standin_objects_of(NULL, record_leak);
    for (const thread_stack *stack = stacks; stack; stack = stack->next)
        if (stack->depth > stack->excused)
            standin_fault(0, "a thread has pushed %d contexts that were not popped", stack->depth - stack->excused);
}

void standin_revive(void)
{
    for (int i = 0; i < STANDIN_DEVICES_MAX; i++)
        standin_driver.devices[i].lost = STANDIN_SUCCESS;
}

void standin_release_all(void)
{
    standin_objects_of(NULL, end_object);
    for (thread_stack *stack = stacks; stack; stack = stack->next)
        stack->depth = stack->excused = 0;
    for (int i = 0; i < STANDIN_DEVICES_MAX; i++) {
        standin_buffers_drop(i);
        standin_driver.devices[i] = (standin_device){.lost = STANDIN_SUCCESS};
    }
    standin_driver.initialised = false;
}

/* --------------------------------------------------------------------- traps */

/* NVIDIA's NVRTC looks for a driver, inits it and asks it for a table of its own; without this function it crashes. */
STANDIN_EXPORT ag_cu_result cuGetExportTable(const void **table, const void *id);
ag_cu_result cuGetExportTable(const void **table, const void *id)
{
    (void)table;
    (void)id;
    return STANDIN_ERROR_NOT_FOUND;
}

/* Entries of older interfaces that a caller may take for those of cuda_abi.h; they take other types. */
#define TRAPS(X)                                                                                                       \
    X(cuDeviceTotalMem)                                                                                                \
    X(cuDevicePrimaryCtxRelease)                                                                                       \
    X(cuDevicePrimaryCtxReset)                                                                                         \
    X(cuCtxCreate)                                                                                                     \
    X(cuCtxDestroy)                                                                                                    \
    X(cuCtxPushCurrent)                                                                                                \
    X(cuCtxPopCurrent)                                                                                                 \
    X(cuModuleGetGlobal)                                                                                               \
    X(cuMemGetInfo)                                                                                                    \
    X(cuMemAlloc)                                                                                                      \
    X(cuMemFree)                                                                                                       \
    X(cuMemsetD8)                                                                                                      \
    X(cuMemcpyHtoD)                                                                                                    \
    X(cuMemcpyDtoH)                                                                                                    \
    X(cuMemcpyDtoD)                                                                                                    \
    X(cuMemcpyHtoDAsync)                                                                                               \
    X(cuMemcpyDtoHAsync)                                                                                               \
    X(cuMemcpyDtoDAsync)                                                                                               \
    X(cuStreamDestroy)                                                                                                 \
    X(cuEventDestroy)                                                                                                  \
    X(cuLaunch)                                                                                                        \
    X(cuLaunchGrid)                                                                                                    \
    X(cuLaunchGridAsync)

#define X(name)                                                                                                        \
    STANDIN_EXPORT ag_cu_result name(void);                                                                            \
    ag_cu_result name(void)                                                                                            \
    {                                                                                                                  \
        standin_lock();                                                                                                \
        standin_name_call(#name);                                                                                      \
        const ag_cu_result result =                                                                                    \
            standin_fault(STANDIN_ERROR_NOT_SUPPORTED, "an entry of an older interface, with other types");            \
        standin_unlock();                                                                                              \
        return result;                                                                                                 \
    }
TRAPS(X)
#undef X
