/*
 * threads.c -- a pool of threads that runs numbered items, each once.
 *
 * Workers sleep on a condition variable and never spin: on shared processors a spinning
 * worker takes the time that the one with work needs. A job invites as many workers as it
 * has items to share; those that have not come when the caller runs out of items are
 * uninvited, so that a short job never waits for a thread to wake.
 */
#include "core/core.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct ag_threads {
    int n_workers; /* threads besides the caller's */
    pthread_mutex_t lock;
    pthread_cond_t invited, left;
    /* Guarded by lock. */
    bool stop;
    uint32_t n_invited; /* workers that may still join the job */
    uint32_t n_inside;  /* workers that joined and have not left */
    /* The job: written by the caller under lock while no worker is inside. */
    uint32_t n_items;
    void (*item)(void *user, uint32_t i);
    void *user;
    atomic_uint_least64_t next; /* 64 bits: may pass n_items by one for each thread */
    pthread_t workers[];
};

int ag_processors(void)
{
    /* The kernel's mask may be wider than a cpu_set_t: ask with larger sets until it fits. */
    for (int n_bits = CPU_SETSIZE; n_bits <= 1 << 20; n_bits *= 4) {
        cpu_set_t *set = CPU_ALLOC((size_t)n_bits);
        if (!set)
            return 1;
        const size_t size = CPU_ALLOC_SIZE((size_t)n_bits);
        const int failed = sched_getaffinity(0, size, set);
        const int error = errno;
        const int n = failed ? 0 : CPU_COUNT_S(size, set);
        CPU_FREE(set);
        if (!failed)
            return n < 1 ? 1 : n > AG_THREADS_MAX ? AG_THREADS_MAX : n;
        if (error != EINVAL)
            return 1;
    }
    return 1;
}

static void run_items(ag_threads *pool)
{
    for (;;) {
        const uint64_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i >= pool->n_items)
            return;
        pool->item(pool->user, (uint32_t)i);
    }
}

static void *worker_main(void *arg)
{
    ag_threads *pool = arg;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stop && pool->n_invited == 0)
            pthread_cond_wait(&pool->invited, &pool->lock);
        if (pool->stop)
            break;
        pool->n_invited--;
        pool->n_inside++;
        pthread_mutex_unlock(&pool->lock);
        run_items(pool);
        pthread_mutex_lock(&pool->lock);
        if (--pool->n_inside == 0)
            pthread_cond_signal(&pool->left);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Starts n_wanted workers, deaf to signals: handlers of the program run on its own threads. */
static int start_workers(ag_threads *pool, int n_wanted)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = 0;
    while (error == 0 && pool->n_workers < n_wanted) {
        error = pthread_create(&pool->workers[pool->n_workers], NULL, worker_main, pool);
        if (error == 0)
            pool->n_workers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

ag_status ag_threads_create(ag_ctx *ctx, int n_threads, ag_threads **out)
{
    if (n_threads < 0 || n_threads > AG_THREADS_MAX)
        return ag_fail(ctx, AG_E_ARG, "threads is %d, must be 1..%d, or 0 for one a processor", n_threads,
                       AG_THREADS_MAX);
    const int n = n_threads ? n_threads : ag_processors();
    ag_threads *pool = calloc(1, sizeof *pool + (size_t)(n - 1) * sizeof pool->workers[0]);
    if (!pool)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for a pool of %d threads", n);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->invited, NULL);
    pthread_cond_init(&pool->left, NULL);
    atomic_init(&pool->next, 0);
    const int error = start_workers(pool, n - 1);
    if (error) {
        const int n_started = pool->n_workers + 1;
        ag_threads_free(pool);
        return ag_fail(ctx, AG_E_MEMORY, "thread %d of %d does not start: %s", n_started + 1, n, strerror(error));
    }
    *out = pool;
    return AG_OK;
}

void ag_threads_free(ag_threads *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->invited);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->n_workers; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->left);
    pthread_cond_destroy(&pool->invited);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

int ag_threads_count(const ag_threads *pool)
{
    return pool->n_workers + 1;
}

void ag_threads_run(ag_threads *pool, uint32_t n, void (*item)(void *user, uint32_t i), void *user)
{
    if (n <= 1 || pool->n_workers == 0) {
        for (uint32_t i = 0; i < n; i++)
            item(user, i);
        return;
    }
    const uint32_t n_workers = (uint32_t)pool->n_workers;
    const uint32_t n_guests = n - 1 < n_workers ? n - 1 : n_workers;
    pthread_mutex_lock(&pool->lock);
    pool->n_items = n;
    pool->item = item;
    pool->user = user;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->n_invited = n_guests;
    for (uint32_t i = 0; i < n_guests; i++)
        pthread_cond_signal(&pool->invited);
    pthread_mutex_unlock(&pool->lock);

    run_items(pool);

    pthread_mutex_lock(&pool->lock);
    pool->n_invited = 0;
    while (pool->n_inside > 0)
        pthread_cond_wait(&pool->left, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
