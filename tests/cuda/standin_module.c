/*
 * standin_module.c -- modules, their functions, and what of a device a function takes.
 */
#include "standin_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX       8u
#define THREADS_RESIDENT  2048 /* of a multiprocessor */
#define BLOCKS_RESIDENT   32
#define WARP              32
#define QUARTERS          4
#define REGISTERS_IN_UNIT 8u /* registers of a thread are given in eights */

/* -------------------------------------------------------------------- modules */

/* Where errors of a load are to be told; `log` stays NULL if nowhere. */
typedef struct {
    char *log;
    size_t size;
    void **size_value;
} jit_options;

static bool read_options(unsigned n, const unsigned *keys, void **values, jit_options *out)
{
    *out = (jit_options){.log = NULL};
    if (n > OPTIONS_MAX || (n > 0 && (!keys || !values))) {
        standin_fault(0, "%u options, keys at %p, values at %p", n, (const void *)keys, (void *)values);
        return false;
    }
    for (unsigned i = 0; i < n; i++) {
        if (keys[i] == AG_CU_JIT_ERROR_LOG_BUFFER) {
            out->log = values[i];
        } else if (keys[i] == AG_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
            out->size = (size_t)(uintptr_t)values[i] & 0xFFFFFFFFu; /* the driver's type is unsigned int */
            out->size_value = &values[i];
        } else {
            standin_fault(0, "option %u is not played", keys[i]);
            return false;
        }
    }
    if ((out->log != NULL) != (out->size > 0)) {
        standin_fault(0, "an error log at %p of %zu bytes", (void *)out->log, out->size);
        return false;
    }
    return true;
}

STANDIN_CALL(cuModuleLoadDataEx, STANDIN_NEEDS_CONTEXT,
             (ag_cu_module * out, const void *image, unsigned int n_options, unsigned int *keys, void **values),
             (out, image, n_options, keys, values))
{
    jit_options options;
    char log[512] = "";
    if (!out || !image)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "an image at %p, the module goes to %p", image, (void *)out);
    if (!read_options(n_options, keys, values, &options))
        return STANDIN_ERROR_INVALID_VALUE;
    standin_image *parsed = calloc(1, sizeof *parsed);
    if (!parsed)
        return STANDIN_ERROR_OUT_OF_MEMORY;
    const ag_cu_result result =
        standin_image_read(image, standin_driver.arch, standin_driver.version, parsed, log, sizeof log);
    if (options.log) {
        snprintf(options.log, options.size, "%s", log);
        *options.size_value = (void *)(uintptr_t)strlen(options.log); /* "amount of log buffer filled" */
    }
    if (result != STANDIN_SUCCESS) {
        free(parsed);
        return result;
    }
    standin_object *module = standin_object_create(STANDIN_MODULE, standin_current()->device);
    module->image = parsed;
    *out = standin_object_handle(module);
    return STANDIN_SUCCESS;
}

static const standin_object *unloading;

static void end_function(standin_object *object)
{
    if (object->kind == STANDIN_FUNCTION && object->module == unloading)
        standin_object_release(object);
}

STANDIN_RELEASE_CALL(cuModuleUnload, STANDIN_NEEDS_CONTEXT, (ag_cu_module handle), (handle))
{
    standin_object *module = standin_object_find(handle, STANDIN_MODULE);
    if (!module)
        return STANDIN_ERROR_INVALID_HANDLE;
    ag_cu_result result = STANDIN_SUCCESS;
    if (standin_driver.release != STANDIN_RELEASE_EXCUSED) {
        result = standin_streams_run(standin_current());
        unloading = module;
        standin_objects_of(module->context, end_function);
    }
    standin_object_release(module);
    return result;
}

STANDIN_CALL(cuModuleGetFunction, STANDIN_NEEDS_CONTEXT, (ag_cu_function * out, ag_cu_module handle, const char *name),
             (out, handle, name))
{
    standin_object *module = standin_object_find(handle, STANDIN_MODULE);
    if (!module)
        return STANDIN_ERROR_INVALID_HANDLE;
    if (!out || !name)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "the name is at %p, the function goes to %p",
                             (const void *)name, (void *)out);
    for (int i = 0; i < module->image->n_kernels; i++)
        if (!strcmp(module->image->kernels[i].name, name)) {
            standin_object *function = standin_object_create(STANDIN_FUNCTION, module->device);
            function->module = module;
            function->kernel = &module->image->kernels[i];
            *out = standin_object_handle(function);
            return STANDIN_SUCCESS;
        }
    return STANDIN_ERROR_NOT_FOUND; /* a question, not a mistake: the answer tells */
}

/* ------------------------------------------------------------------ functions */

/* Warps of a multiprocessor: each of its four quarters has a quarter of the registers and keeps its own warps. */
static int resident_warps(const standin_kernel *kernel)
{
    const unsigned each = (kernel->registers + REGISTERS_IN_UNIT - 1) / REGISTERS_IN_UNIT * REGISTERS_IN_UNIT;
    const int most = THREADS_RESIDENT / WARP,
              by_registers = (int)(STANDIN_REGISTERS / QUARTERS / (each * WARP)) * QUARTERS;
    return by_registers < most ? by_registers : most;
}

int standin_block_limit(const standin_kernel *kernel)
{
    const int n_threads = resident_warps(kernel) * WARP;
    return n_threads < STANDIN_THREADS_MAX ? n_threads : STANDIN_THREADS_MAX;
}

/* Blocks of n_threads that one multiprocessor runs at once. */
static int resident_blocks(const standin_kernel *kernel, int n_threads)
{
    const int n = resident_warps(kernel) / ((n_threads + WARP - 1) / WARP);
    return n < BLOCKS_RESIDENT ? n : BLOCKS_RESIDENT;
}

STANDIN_CALL(cuFuncGetAttribute, STANDIN_NEEDS_CONTEXT, (int *value, unsigned int attribute, ag_cu_function handle),
             (value, attribute, handle))
{
    const standin_object *function = standin_object_find(handle, STANDIN_FUNCTION);
    if (!function)
        return STANDIN_ERROR_INVALID_HANDLE;
    if (!value)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "where the value goes is null");
    if (attribute == AG_CU_FUNC_ATTRIBUTE_NUM_REGS)
        *value = (int)function->kernel->registers;
    else if (attribute == AG_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
        *value = standin_block_limit(function->kernel);
    else if (attribute == AG_CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
        *value = (int)function->kernel->local_bytes;
    else
        return standin_fault(STANDIN_ERROR_INVALID_VALUE, "attribute %u is not played", attribute);
    return STANDIN_SUCCESS;
}

STANDIN_CALL(cuOccupancyMaxPotentialBlockSize, STANDIN_NEEDS_CONTEXT,
             (int *least_grid, int *block, ag_cu_function handle, size_t (*shared_of_block)(int), size_t shared_bytes,
              int block_limit),
             (least_grid, block, handle, shared_of_block, shared_bytes, block_limit))
{
    const standin_object *function = standin_object_find(handle, STANDIN_FUNCTION);
    if (!function)
        return STANDIN_ERROR_INVALID_HANDLE;
    if (!least_grid || !block || shared_of_block || shared_bytes != 0 || block_limit < 0)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE,
                             "results go to %p and %p, %zu bytes of shared memory, a limit of %d", (void *)least_grid,
                             (void *)block, shared_bytes, block_limit);
    const int most = standin_block_limit(function->kernel);
    *block = block_limit > 0 && block_limit < most ? block_limit : most;
    *least_grid = resident_blocks(function->kernel, *block) * standin_driver.units;
    return STANDIN_SUCCESS;
}

STANDIN_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, STANDIN_NEEDS_CONTEXT,
             (int *n_blocks, ag_cu_function handle, int n_threads, size_t shared_bytes),
             (n_blocks, handle, n_threads, shared_bytes))
{
    const standin_object *function = standin_object_find(handle, STANDIN_FUNCTION);
    if (!function)
        return STANDIN_ERROR_INVALID_HANDLE;
    if (!n_blocks || n_threads < 1 || n_threads > STANDIN_THREADS_MAX || shared_bytes != 0)
        return standin_fault(STANDIN_ERROR_INVALID_VALUE,
                             "the number goes to %p, blocks of %d, %zu bytes of shared memory", (void *)n_blocks,
                             n_threads, shared_bytes);
    *n_blocks = resident_blocks(function->kernel, n_threads);
    return STANDIN_SUCCESS;
}
