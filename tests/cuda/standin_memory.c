/*
 * standin_memory.c -- memory of the played devices: addresses that the host cannot touch, bytes kept elsewhere.
 *
 * An address is a place in one large reservation without access; it is never given twice. The bytes of a buffer lie
 * between two pages without access and end, to 8 bytes, where the second begins. They are not zero at first.
 */
#include "standin_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RESERVED_BYTES (UINT64_C(64) << 30)
#define ALIGNMENT      256u
#define GAP            4096u /* addresses left out after a buffer: what misses it by little misses the next as well */
#define POISON         0xA5
#define CANARY         0xC3 /* around the bytes, on their pages */

static struct {
    ag_cu_ptr base, next; /* the reservation, the first address not yet given */
    standin_buffer *live;
    standin_buffer *freed; /* without bytes */
} memory;

static uint64_t round_up(uint64_t size, uint64_t unit)
{
    return (size + unit - 1) / unit * unit;
}

bool standin_is_device_address(uint64_t address)
{
    return memory.base && address - memory.base < RESERVED_BYTES;
}

/* ---------------------------------------------------------- finding buffers */

static standin_buffer *holder(standin_buffer *list, ag_cu_ptr address)
{
    for (standin_buffer *b = list; b; b = b->next)
        if (address - b->address <= b->size)
            return b;
    return NULL;
}

/* Says in a fault what an address is that lies in no live buffer. */
static void record_stray(ag_cu_ptr address)
{
    const standin_buffer *freed = holder(memory.freed, address);
    if (freed) {
        standin_fault(0, "a freed buffer of %zu bytes", freed->size);
        return;
    }
    for (const standin_buffer *b = memory.live; b; b = b->next)
        if (b->address - address <= GAP) {
            standin_fault(0, "%llu bytes before a buffer of %zu", b->address - address, b->size);
            return;
        }
    standin_fault(0, "%#llx is %s", address,
                  standin_is_device_address(address) ? "in no buffer" : "no address on a device");
}

static bool is_of_current(const standin_buffer *buffer)
{
    const standin_object *current = standin_current();
    if (current && buffer->device == current->device)
        return true;
    standin_fault(0, "a buffer of device %d, the current context is of device %d", buffer->device,
                  current ? current->device : -1);
    return false;
}

standin_buffer *standin_buffer_range(ag_cu_ptr address, size_t size)
{
    standin_buffer *buffer = holder(memory.live, address);
    if (!buffer) {
        record_stray(address);
        return NULL;
    }
    const size_t at = (size_t)(address - buffer->address);
    if (size > buffer->size - at) {
        standin_fault(0, "%zu bytes at offset %zu of a buffer of %zu", size, at, buffer->size);
        return NULL;
    }
    return is_of_current(buffer) ? buffer : NULL;
}

standin_buffer *standin_buffer_start(ag_cu_ptr address)
{
    standin_buffer *buffer = holder(memory.live, address);
    if (!buffer) {
        record_stray(address);
        return NULL;
    }
    if (buffer->address != address) {
        standin_fault(0, "offset %llu of a buffer of %zu, must be its start", address - buffer->address, buffer->size);
        return NULL;
    }
    return is_of_current(buffer) ? buffer : NULL;
}

/* -------------------------------------------------------- making and ending */

/* An address for size bytes; 0 if none is left. */
static ag_cu_ptr give_address(size_t size)
{
    if (!memory.base) {
        void *base = mmap(NULL, RESERVED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED)
            return 0;
        memory.base = (ag_cu_ptr)(uintptr_t)base;
        memory.next = round_up(memory.base + GAP, ALIGNMENT);
    }
    const ag_cu_ptr address = memory.next;
    if (size > memory.base + RESERVED_BYTES - address - 2 * GAP)
        return 0;
    memory.next = round_up(address + size + GAP, ALIGNMENT);
    return address;
}

/* Maps the bytes of a buffer; false if the host has none. */
static bool map_bytes(standin_buffer *buffer)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), padded = round_up(buffer->size, 8);
    const size_t size_pages = round_up(padded, page);
    buffer->size_mapping = size_pages + 2 * page;
    uint8_t *mapping = mmap(NULL, buffer->size_mapping, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return false;
    if (mprotect(mapping + page, size_pages, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, buffer->size_mapping);
        return false;
    }
    buffer->mapping = mapping;
    buffer->bytes = mapping + page + size_pages - padded;
    memset(mapping + page, CANARY, size_pages - padded);
    memset(buffer->bytes, POISON, buffer->size);
    memset(buffer->bytes + buffer->size, CANARY, padded - buffer->size);
    return true;
}

/* A fault if what surrounds the bytes has changed. */
static void check_canaries(const standin_buffer *buffer)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (const uint8_t *at = buffer->mapping + page; at < buffer->bytes; at++)
        if (*at != CANARY) {
            standin_fault(0, "a kernel wrote %zu bytes before a buffer of %zu", (size_t)(buffer->bytes - at),
                          buffer->size);
            break;
        }
    for (const uint8_t *at = buffer->bytes + buffer->size; at < buffer->mapping + buffer->size_mapping - page; at++)
        if (*at != CANARY) {
            standin_fault(0, "a kernel wrote past the end of a buffer of %zu", buffer->size);
            break;
        }
}

/* Takes a buffer out of the live ones; only its place is kept. */
static void end_buffer(standin_buffer *buffer)
{
    standin_buffer **link = &memory.live;
    while (*link != buffer)
        link = &(*link)->next;
    *link = buffer->next;
    check_canaries(buffer);
    munmap(buffer->mapping, buffer->size_mapping);
    buffer->mapping = buffer->bytes = NULL;
    standin_driver.devices[buffer->device].used_bytes -= round_up(buffer->size, ALIGNMENT);
    buffer->next = memory.freed;
    memory.freed = buffer;
}

unsigned standin_buffers_drop(int device)
{
    unsigned n = 0;
    for (standin_buffer *b = memory.live, *next = NULL; b; b = next) {
        next = b->next;
        if (b->device == device) {
            n += !b->excused;
            end_buffer(b);
        }
    }
    return n;
}

unsigned standin_buffers_live(void)
{
    unsigned n = 0;
    for (const standin_buffer *b = memory.live; b; b = b->next)
        n += !b->excused;
    return n;
}

void standin_buffers_leaks(void)
{
    for (const standin_buffer *b = memory.live; b; b = b->next)
        if (!b->excused)
            standin_fault(0, "a buffer of %zu bytes on device %d was not freed", b->size, b->device);
}

/* --------------------------------------------------------------------- calls */

STANDIN_CALL(cuMemGetInfo_v2, STANDIN_NEEDS_CONTEXT, (size_t * free_bytes, size_t *total_bytes),
             (free_bytes, total_bytes))
{
    if (!free_bytes || !total_bytes)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "where a size goes is null");
    *total_bytes = standin_driver.memory_bytes;
    *free_bytes = standin_driver.memory_bytes - standin_driver.devices[standin_current()->device].used_bytes;
    return STANDIN_SUCCESS;
}

STANDIN_CALL(cuMemAlloc_v2, STANDIN_NEEDS_CONTEXT, (ag_cu_ptr * out, size_t size), (out, size))
{
    if (!out || size == 0)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "%zu bytes, the address goes to %p", size, (void *)out);
    standin_device *device = &standin_driver.devices[standin_current()->device];
    const uint64_t free_bytes = standin_driver.memory_bytes - device->used_bytes;
    if (size > free_bytes || round_up(size, ALIGNMENT) > free_bytes)
        return STANDIN_ERROR_OUT_OF_MEMORY;
    standin_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return STANDIN_ERROR_OUT_OF_MEMORY;
    buffer->size = size;
    buffer->device = standin_current()->device;
    buffer->address = give_address(size);
    if (!buffer->address || !map_bytes(buffer)) {
        fprintf(stderr, "stand-in: no addresses or no memory for a buffer of %zu bytes\n", size);
        free(buffer);
        return STANDIN_ERROR_OUT_OF_MEMORY;
    }
    device->used_bytes += round_up(size, ALIGNMENT);
    buffer->next = memory.live;
    memory.live = buffer;
    *out = buffer->address;
    return STANDIN_SUCCESS;
}

/* As CUDA's, it waits for the work that may use the buffer. */
STANDIN_RELEASE_CALL(cuMemFree_v2, STANDIN_NEEDS_CONTEXT, (ag_cu_ptr address), (address))
{
    standin_buffer *buffer = standin_buffer_start(address);
    if (!buffer)
        return STANDIN_ERROR_INVALID_VALUE;
    if (standin_driver.release == STANDIN_RELEASE_EXCUSED) {
        buffer->excused = true;
        return STANDIN_SUCCESS;
    }
    const ag_cu_result result = standin_streams_run(standin_current());
    end_buffer(buffer);
    return result;
}

/* ------------------------------------------------------- copies and fills */

/* A fault if the host's end of a copy cannot be one. */
static bool is_host(const void *host)
{
    if (!host)
        standin_fault(0, "a null pointer to host memory");
    else if (standin_is_device_address((uint64_t)(uintptr_t)host))
        standin_fault(0, "%p is an address on a device, not on the host", host);
    else
        return true;
    return false;
}

STANDIN_CALL(cuMemsetD8Async, STANDIN_NEEDS_CONTEXT,
             (ag_cu_ptr to, unsigned char value, size_t size, ag_cu_stream handle), (to, value, size, handle))
{
    standin_object *stream = standin_object_find(handle, STANDIN_STREAM);
    if (!stream)
        return STANDIN_ERROR_INVALID_HANDLE;
    const standin_buffer *buffer = standin_buffer_range(to, size);
    if (!buffer)
        return STANDIN_ERROR_INVALID_VALUE;
    return standin_stream_put(stream, &(standin_work){.kind = WORK_SET,
                                                      .device_at = buffer->bytes + (to - buffer->address),
                                                      .size = size,
                                                      .value = value});
}

STANDIN_CALL(cuMemcpyHtoDAsync_v2, STANDIN_NEEDS_CONTEXT,
             (ag_cu_ptr to, const void *from, size_t size, ag_cu_stream handle), (to, from, size, handle))
{
    standin_object *stream = standin_object_find(handle, STANDIN_STREAM);
    if (!stream)
        return STANDIN_ERROR_INVALID_HANDLE;
    const standin_buffer *buffer = standin_buffer_range(to, size);
    if (!buffer || !is_host(from))
        return STANDIN_ERROR_INVALID_VALUE;
    return standin_stream_put(stream, &(standin_work){.kind = WORK_COPY_IN,
                                                      .device_at = buffer->bytes + (to - buffer->address),
                                                      .from = from,
                                                      .size = size});
}

STANDIN_CALL(cuMemcpyDtoHAsync_v2, STANDIN_NEEDS_CONTEXT, (void *to, ag_cu_ptr from, size_t size, ag_cu_stream handle),
             (to, from, size, handle))
{
    standin_object *stream = standin_object_find(handle, STANDIN_STREAM);
    if (!stream)
        return STANDIN_ERROR_INVALID_HANDLE;
    const standin_buffer *buffer = standin_buffer_range(from, size);
    if (!buffer || !is_host(to))
        return STANDIN_ERROR_INVALID_VALUE;
    return standin_stream_put(stream, &(standin_work){.kind = WORK_COPY_OUT,
                                                      .device_at = buffer->bytes + (from - buffer->address),
                                                      .to = to,
                                                      .size = size});
}
