/*
 * standin_kernels.c -- the kernels as CUDA C has them, compiled for the host and run block by block. The threads of a
 * block are contexts of one host thread: each runs until a barrier and there gives way to the next.
 *
 * Blocks of even number start their threads from the first, others from the last, so that a value which is read across
 * lanes before a barrier is a wrong one in half of the blocks at least. Checkers of memory and of threads do not know
 * such contexts: under them a block is one thread.
 */
#include "standin_driver.h"
#include "device/kernel_list.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ONE_THREAD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ONE_THREAD 1
#endif
#endif
#ifndef ONE_THREAD
#define ONE_THREAD 0
#endif

/* ------------------------------------------------------- words of CUDA C used */

#define __CUDACC__ 1
#define __device__
#define __forceinline__ inline
#define __syncthreads() wait_for_block()

static struct {
    unsigned x;
} gridDim, blockIdx, blockDim, threadIdx;

static void wait_for_block(void);

static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}

/* Threads give way nowhere but at barriers, so this needs no atomic instruction. */
static inline unsigned atomicAdd(unsigned *at, unsigned value)
{
    const unsigned old = *at;
    *at += value;
    return old;
}

#include "ag_kl.h"
#undef AG_ENTRY
#define AG_ENTRY(name, params)                                                                                         \
    static void name##_of(const params p, ag_u8 *b0, ag_u8 *b1, ag_u8 *b2, ag_u8 *b3, ag_u8 *b4, ag_u8 *b5);           \
    static void name(const void *packed, ag_u8 *const *b)                                                              \
    {                                                                                                                  \
        name##_of(*(const params *)packed, b[0], b[1], b[2], b[3], b[4], b[5]);                                        \
    }                                                                                                                  \
    static void name##_of(const params p, ag_u8 *b0, ag_u8 *b1, ag_u8 *b2, ag_u8 *b3, ag_u8 *b4, ag_u8 *b5)

/* In the order of kernel_src.h. */
#include "ag_philox.h"
#include "ag_dice.h"
#include "selftest_params.h"
#include "dice_params.h"
#include "hog_params.h"
#include "lcr_play_params.h"
#include "selftest.cl"
#include "dice.cl"
#include "hog_game.h"
#include "hog_pairs.h"
#include "hog.cl"
#include "hog_sweep.cl"
#include "lcr_common.h"
#include "lcr_play.cl"
#include "lcr_play_small.cl"

static const standin_host_kernel kernels[] = {
#define X(entry, params_type) {#entry, #params_type, sizeof(params_type), entry},
    AG_KERNELS(X)
#undef X
};

const standin_host_kernel *standin_host_kernel_find(const char *name)
{
    for (size_t i = 0; i < AG_N_KERNELS; i++)
        if (!strcmp(kernels[i].name, name))
            return &kernels[i];
    return NULL;
}

/* --------------------------------------------------------- threads of a block */

#define STACK_BYTES (256u * 1024u)

/* Runs one thread after the other; only one that waits at a barrier keeps a worker. */
typedef struct {
    ucontext_t context;
    unsigned lane;
    bool waits;
} worker;

static struct {
    worker *workers; /* [STANDIN_THREADS_MAX] */
    char *stacks;
    ucontext_t starter;
    worker *now;
    const standin_host_kernel *kernel;
    const void *params;
    uint8_t *const *bufs;
    unsigned n_started, n_ended;
} block;

static unsigned lane_of(unsigned i)
{
    return blockIdx.x % 2 == 0 ? i : blockDim.x - 1 - i;
}

static void work(void)
{
    for (;;) {
        while (block.n_started < blockDim.x) {
            block.now->lane = threadIdx.x = lane_of(block.n_started++);
            block.kernel->entry(block.params, block.bufs);
            block.n_ended++;
        }
        swapcontext(&block.now->context, &block.starter);
    }
}

static void wait_for_block(void)
{
    worker *own = block.now;
    if (blockDim.x == 1)
        return;
    own->waits = true;
    swapcontext(&own->context, &block.starter);
    own->waits = false;
    threadIdx.x = own->lane;
}

static void resume(worker *w)
{
    block.now = w;
    swapcontext(&block.starter, &w->context);
}

static void make_workers(void)
{
    block.workers = calloc(STANDIN_THREADS_MAX, sizeof *block.workers);
    block.stacks = mmap(NULL, (size_t)STANDIN_THREADS_MAX * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!block.workers || block.stacks == MAP_FAILED) {
        fprintf(stderr, "stand-in: no memory for the threads of a block\n");
        abort();
    }
    for (size_t i = 0; i < STANDIN_THREADS_MAX; i++) {
        ucontext_t *context = &block.workers[i].context;
        getcontext(context);
        context->uc_stack.ss_sp = block.stacks + i * STACK_BYTES;
        context->uc_stack.ss_size = STACK_BYTES;
        makecontext(context, work, 0);
    }
}

/* Threads that wait go on together, once all have come to the barrier or ended. One alone needs no context. */
static void run_block(void)
{
    unsigned n_workers = 0, n_waiting = 0;
    bool told = false;
    if (blockDim.x == 1) {
        threadIdx.x = 0;
        block.kernel->entry(block.params, block.bufs);
        return;
    }
    block.n_started = block.n_ended = 0;
    while (block.n_started < blockDim.x)
        resume(&block.workers[n_workers++]);
    do {
        if (block.n_ended > 0 && block.n_ended < blockDim.x && !told) {
            standin_fault(0, "%s: %u of %u threads have ended, the others wait at a barrier", block.kernel->name,
                          block.n_ended, blockDim.x);
            told = true;
        }
        n_waiting = 0;
        for (unsigned i = 0; i < n_workers; i++) {
            if (block.workers[i].waits)
                resume(&block.workers[i]);
            n_waiting += block.workers[i].waits;
        }
    } while (n_waiting > 0);
}

/* ------------------------------------------------------------------ launches */

static struct sigaction before;

/* Says which kernel it was, and leaves the rest to whoever handled this signal before: the access is tried again. */
static void tell_crash(int number)
{
    const char *const words[] = {"stand-in: kernel ", block.kernel->name, " touches memory that is of no buffer\n"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (write(STDERR_FILENO, words[i], strlen(words[i])) < 0)
            break;
    sigaction(number, &before, NULL);
}

void standin_kernel_run(const standin_host_kernel *kernel, const void *params, uint8_t *const *bufs, unsigned n_blocks,
                        unsigned n_threads)
{
    const struct sigaction telling = {.sa_handler = tell_crash, .sa_flags = SA_ONSTACK};
    if (!block.workers)
        make_workers();
    block.kernel = kernel;
    block.params = params;
    block.bufs = bufs;
    gridDim.x = n_blocks;
    blockDim.x = ONE_THREAD ? 1 : n_threads;
    sigaction(SIGSEGV, &telling, &before);
    for (blockIdx.x = 0; blockIdx.x < n_blocks; blockIdx.x++)
        run_block();
    sigaction(SIGSEGV, &before, NULL);
}
