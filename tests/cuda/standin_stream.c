/*
 * standin_stream.c -- streams, events and launches: work waits in its stream until something waits for it.
 */
#include "standin_driver.h"

#include "ag_kl.h"

#include <stdlib.h>
#include <string.h>

#define WAITING_MAX 4096u /* work that a stream holds; more and it starts by itself */
#define KERNEL_US   1000u /* what work takes by the device's clock */
#define COPY_US     250u

static uint64_t last_ticket;

/* ------------------------------------------------------------------ executing */

/* Does one piece of work; the code of a kernel that fails. */
static ag_cu_result execute(standin_object *stream, const standin_work *work)
{
    standin_device *device = &standin_driver.devices[stream->device];
    ag_cu_result code = STANDIN_SUCCESS;
    switch (work->kind) {
    case WORK_SET:
        memset(work->device_at, work->value, work->size);
        device->clock_us += COPY_US;
        break;
    case WORK_COPY_IN:
        memcpy(work->device_at, work->from, work->size);
        device->clock_us += COPY_US;
        break;
    case WORK_COPY_OUT:
        memcpy(work->to, work->device_at, work->size);
        device->clock_us += COPY_US;
        break;
    case WORK_RECORD:
        work->event->time_us = device->clock_us;
        if (work->event->ticket == work->ticket) /* else it was recorded once more since */
            work->event->state = EVENT_DONE;
        break;
    case WORK_LAUNCH:
        code = standin_count_kernel();
        if (code == STANDIN_SUCCESS)
            standin_kernel_run(work->kernel, work->params, work->bufs, work->n_blocks, work->n_threads);
        device->clock_us += KERNEL_US;
        break;
    }
    return code;
}

/* Executes work[first .. end-1] of a stream; after a kernel that fails there is no more work. */
static ag_cu_result run_until(standin_object *stream, size_t end)
{
    standin_device *device = &standin_driver.devices[stream->device];
    ag_cu_result code = device->lost ? device->lost : stream->late;
    stream->late = STANDIN_SUCCESS;
    while (stream->first < end && code == STANDIN_SUCCESS)
        code = execute(stream, &stream->work[stream->first++]);
    if (standin_is_fatal(code))
        device->lost = code;
    if (code != STANDIN_SUCCESS || stream->first == stream->end)
        stream->first = stream->end = 0;
    return code;
}

ag_cu_result standin_stream_run(standin_object *stream)
{
    return run_until(stream, stream->end);
}

static ag_cu_result first_failure;

static void run_stream(standin_object *object)
{
    if (object->kind != STANDIN_STREAM)
        return;
    const ag_cu_result code = standin_stream_run(object);
    if (first_failure == STANDIN_SUCCESS)
        first_failure = code;
}

ag_cu_result standin_streams_run(const standin_object *context)
{
    first_failure = STANDIN_SUCCESS;
    standin_objects_of(context, run_stream);
    return first_failure;
}

ag_cu_result standin_stream_put(standin_object *stream, const standin_work *work)
{
    if (!stream->work) {
        stream->work = malloc(WAITING_MAX * sizeof *stream->work);
        if (!stream->work)
            return STANDIN_ERROR_OUT_OF_MEMORY;
    }
    if (stream->end == WAITING_MAX)
        stream->late = standin_stream_run(stream);
    standin_work *place = &stream->work[stream->end++];
    *place = *work;
    place->ticket = ++last_ticket;
    return STANDIN_SUCCESS;
}

/* ------------------------------------------------------------------- streams */

STANDIN_CALL(cuStreamCreate, STANDIN_NEEDS_CONTEXT, (ag_cu_stream * stream, unsigned int flags), (stream, flags))
{
    if (!stream || flags != AG_CU_STREAM_NON_BLOCKING)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "flags are %u, must be %d; the stream goes to %p", flags,
                             AG_CU_STREAM_NON_BLOCKING, (void *)stream);
    *stream = standin_object_handle(standin_object_create(STANDIN_STREAM, standin_current()->device));
    return STANDIN_SUCCESS;
}

STANDIN_RELEASE_CALL(cuStreamDestroy_v2, STANDIN_NEEDS_CONTEXT, (ag_cu_stream handle), (handle))
{
    standin_object *stream = standin_object_find(handle, STANDIN_STREAM);
    if (!stream)
        return STANDIN_ERROR_INVALID_HANDLE;
    const ag_cu_result result =
        standin_driver.release == STANDIN_RELEASE_EXCUSED ? STANDIN_SUCCESS : standin_stream_run(stream);
    standin_object_release(stream);
    return result;
}

STANDIN_CALL(cuStreamSynchronize, STANDIN_NEEDS_CONTEXT, (ag_cu_stream handle), (handle))
{
    standin_object *stream = standin_object_find(handle, STANDIN_STREAM);
    return stream ? standin_stream_run(stream) : STANDIN_ERROR_INVALID_HANDLE;
}

/* -------------------------------------------------------------------- events */

STANDIN_CALL(cuEventCreate, STANDIN_NEEDS_CONTEXT, (ag_cu_event * event, unsigned int flags), (event, flags))
{
    if (!event || flags != AG_CU_EVENT_DEFAULT)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "flags are %u, must be %d to measure; the event goes to %p",
                             flags, AG_CU_EVENT_DEFAULT, (void *)event);
    *event = standin_object_handle(standin_object_create(STANDIN_EVENT, standin_current()->device));
    return STANDIN_SUCCESS;
}

STANDIN_RELEASE_CALL(cuEventDestroy_v2, STANDIN_NEEDS_CONTEXT, (ag_cu_event handle), (handle))
{
    standin_object *event = standin_object_find(handle, STANDIN_EVENT);
    if (!event)
        return STANDIN_ERROR_INVALID_HANDLE;
    standin_object_release(event);
    return STANDIN_SUCCESS;
}

STANDIN_CALL(cuEventRecord, STANDIN_NEEDS_CONTEXT, (ag_cu_event handle, ag_cu_stream stream_handle),
             (handle, stream_handle))
{
    standin_object *event = standin_object_find(handle, STANDIN_EVENT);
    standin_object *stream = event ? standin_object_find(stream_handle, STANDIN_STREAM) : NULL;
    if (!stream)
        return STANDIN_ERROR_INVALID_HANDLE;
    const ag_cu_result result = standin_stream_put(stream, &(standin_work){.kind = WORK_RECORD, .event = event});
    if (result == STANDIN_SUCCESS) {
        event->state = EVENT_WAITS;
        event->stream = stream;
        event->ticket = last_ticket;
    }
    return result;
}

/* Executes what the event's stream holds up to it; nothing if it was never recorded. */
STANDIN_CALL(cuEventSynchronize, STANDIN_NEEDS_CONTEXT, (ag_cu_event handle), (handle))
{
    const standin_object *event = standin_object_find(handle, STANDIN_EVENT);
    if (!event)
        return STANDIN_ERROR_INVALID_HANDLE;
    if (event->state != EVENT_WAITS)
        return STANDIN_SUCCESS;
    standin_object *stream = event->stream;
    size_t end = stream->first;
    while (end < stream->end && stream->work[end].ticket != event->ticket)
        end++;
    return run_until(stream, end < stream->end ? end + 1 : end);
}

STANDIN_CALL(cuEventElapsedTime, STANDIN_NEEDS_CONTEXT, (float *ms, ag_cu_event from, ag_cu_event to), (ms, from, to))
{
    const standin_object *start = standin_object_find(from, STANDIN_EVENT);
    const standin_object *stop = start ? standin_object_find(to, STANDIN_EVENT) : NULL;
    if (!stop)
        return STANDIN_ERROR_INVALID_HANDLE;
    if (!ms)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "where the time goes is null");
    if (start->state == EVENT_NEW || stop->state == EVENT_NEW)
        return standin_fault(STANDIN_ERROR_INVALID_HANDLE, "an event that was never recorded");
    if (start->state != EVENT_DONE || stop->state != EVENT_DONE)
        return STANDIN_ERROR_NOT_READY;
    *ms = (float)((double)stop->time_us - (double)start->time_us) / 1000.0f;
    return STANDIN_SUCCESS;
}

/* ------------------------------------------------------------------- launches */

/* Reads `extra`: the packed parameters and their size; a fault if it is of another form. */
static bool read_extra(void *const *extra, const uint8_t **params, size_t *size)
{
    if (!extra) {
        standin_fault(0, "no parameters: kernelParams and extra are null");
        return false;
    }
    *params = NULL;
    const size_t *at_size = NULL;
    for (int i = 0; i < 6 && extra[i] != AG_CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == AG_CU_LAUNCH_PARAM_BUFFER_POINTER)
            *params = extra[i + 1];
        else if (extra[i] == AG_CU_LAUNCH_PARAM_BUFFER_SIZE)
            at_size = extra[i + 1];
        else
            break;
    }
    if (!*params || !at_size || extra[4] != AG_CU_LAUNCH_PARAM_END) {
        standin_fault(0, "extra must be BUFFER_POINTER, a pointer, BUFFER_SIZE, a pointer, END");
        return false;
    }
    *size = *at_size;
    return true;
}

/* Takes over the packed parameters: the struct, and the buffers that the addresses after it name. */
static bool unpack(const standin_kernel *kernel, const uint8_t *params, size_t size, standin_work *work)
{
    const standin_host_kernel *host = standin_host_kernel_find(kernel->name);
    if (!host) {
        standin_fault(0, "there is no C text of kernel %s", kernel->name);
        return false;
    }
    if (kernel->size_struct != host->size_struct) {
        standin_fault(0, "%s of the image takes a struct of %zu bytes, %s is %zu on the host", kernel->name,
                      kernel->size_struct, host->params, host->size_struct);
        return false;
    }
    if ((uintptr_t)params % 8 != 0 || size != kernel->size_params) {
        standin_fault(0, "%zu bytes of parameters at an address %% 8 = %u, must be %zu at 0", size,
                      (unsigned)((uintptr_t)params % 8), kernel->size_params);
        return false;
    }
    const size_t at_bufs = (kernel->size_struct + 7) / 8 * 8;
    if (size != at_bufs + AG_N_BUFS * sizeof(ag_cu_ptr) || size > sizeof work->params) {
        standin_fault(0, "%s has %zu bytes of parameters, must be those of a struct and %d addresses", kernel->name,
                      size, AG_N_BUFS);
        return false;
    }
    memcpy(work->params, params, kernel->size_struct);
    for (size_t i = 0; i < AG_N_BUFS; i++) {
        ag_cu_ptr address = 0;
        memcpy(&address, params + at_bufs + i * sizeof address, sizeof address);
        const standin_buffer *buffer = address ? standin_buffer_start(address) : NULL;
        if (address && !buffer)
            return false;
        work->bufs[i] = buffer ? buffer->bytes : NULL;
    }
    work->kernel = host;
    return true;
}

static ag_cu_result check_shape(const standin_kernel *kernel, const unsigned grid[3], const unsigned block[3],
                                unsigned shared_bytes)
{
    if (grid[0] < 1 || grid[0] > INT32_MAX || grid[1] != 1 || grid[2] != 1)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "a grid of %u x %u x %u, must be 1..2147483647 x 1 x 1",
                             grid[0], grid[1], grid[2]);
    if (block[0] < 1 || block[0] > STANDIN_THREADS_MAX || block[1] != 1 || block[2] != 1)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "a block of %u x %u x %u, must be 1..%d x 1 x 1", block[0],
                             block[1], block[2], STANDIN_THREADS_MAX);
    if (block[0] > (unsigned)standin_block_limit(kernel))
        return standin_fault(STANDIN_ERROR_LAUNCH_OUT_OF_RESOURCES, "a block of %u, registers of %s are enough for %d",
                             block[0], kernel->name, standin_block_limit(kernel));
    if (shared_bytes != 0)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "%u bytes of shared memory, which no kernel uses",
                             shared_bytes);
    return STANDIN_SUCCESS;
}

STANDIN_CALL(cuLaunchKernel, STANDIN_NEEDS_CONTEXT,
             (ag_cu_function handle, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
              unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
              ag_cu_stream stream_handle, void **kernel_params, void **extra),
             (handle, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream_handle, kernel_params,
              extra))
{
    const unsigned grid[3] = {grid_x, grid_y, grid_z}, block[3] = {block_x, block_y, block_z};
    const standin_object *function = standin_object_find(handle, STANDIN_FUNCTION);
    standin_object *stream = function ? standin_object_find(stream_handle, STANDIN_STREAM) : NULL;
    if (!stream)
        return STANDIN_ERROR_INVALID_HANDLE;
    const ag_cu_result result = check_shape(function->kernel, grid, block, shared_bytes);
    if (result != STANDIN_SUCCESS)
        return result;
    if (kernel_params)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "kernelParams are given, only extra is played");
    standin_work work = {.kind = WORK_LAUNCH, .n_blocks = grid_x, .n_threads = block_x};
    const uint8_t *params = NULL;
    size_t size = 0;
    if (!read_extra(extra, &params, &size) || !unpack(function->kernel, params, size, &work))
        return STANDIN_ERROR_INVALID_VALUE;
    return standin_stream_put(stream, &work);
}
