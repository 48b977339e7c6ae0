/*
 * test_threads.c -- every item runs exactly once, whatever the pool and the number of items.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/core.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define N_MAX 1000

static atomic_uint runs[N_MAX + 1];

static void count_item(void *user, uint32_t i)
{
    atomic_fetch_add((atomic_uint *)user + i, 1);
}

static void every_item_once(void **state)
{
    (void)state;
    static const int pools[] = {1, 2, 7};
    static const uint32_t counts[] = {0, 1, 2, 3, N_MAX};
    for (size_t p = 0; p < AG_COUNT(pools); p++) {
        ag_threads *pool = NULL;
        assert_int_equal(ag_threads_create(NULL, pools[p], &pool), AG_OK);
        assert_int_equal(ag_threads_count(pool), pools[p]);
        for (size_t c = 0; c < AG_COUNT(counts); c++)
            for (int again = 0; again < 50; again++) {
                for (size_t i = 0; i <= N_MAX; i++)
                    atomic_store(&runs[i], 0);
                ag_threads_run(pool, counts[c], count_item, runs);
                for (uint32_t i = 0; i <= N_MAX; i++)
                    if (atomic_load(&runs[i]) != (i < counts[c]))
                        fail_msg("pool %d, %u items: item %u ran %u times", pools[p], (unsigned)counts[c], (unsigned)i,
                                 atomic_load(&runs[i]));
            }
        ag_threads_free(pool);
    }
}

/* Plain memory written by items is read by the caller afterwards, and by the items of the next job:
 * under the thread sanitizer this shows that jobs are ordered. */
static void add_neighbour(void *user, uint32_t i)
{
    uint64_t *rows = user; /* [2][N_MAX] */
    rows[N_MAX + i] = rows[i] + rows[(i + 1) % N_MAX];
}

static void jobs_follow_each_other(void **state)
{
    (void)state;
    static uint64_t rows[2 * N_MAX], want[2 * N_MAX];
    ag_threads *pool = NULL;
    assert_int_equal(ag_threads_create(NULL, 7, &pool), AG_OK);
    for (uint64_t i = 0; i < N_MAX; i++)
        rows[i] = want[i] = i * i;
    for (int step = 0; step < 60; step++) {
        ag_threads_run(pool, N_MAX, add_neighbour, rows);
        for (uint32_t i = 0; i < N_MAX; i++)
            add_neighbour(want, i);
        memcpy(rows, rows + N_MAX, sizeof rows / 2);
        memcpy(want, want + N_MAX, sizeof want / 2);
        assert_memory_equal(rows, want, sizeof rows / 2);
    }
    ag_threads_free(pool);
}

static void note_thread(void *user, uint32_t i)
{
    ((pthread_t *)user)[i] = pthread_self();
}

static void one_thread_is_the_callers(void **state)
{
    (void)state;
    pthread_t seen[3];
    ag_threads *one = NULL, *many = NULL;
    assert_int_equal(ag_threads_create(NULL, 1, &one), AG_OK);
    assert_int_equal(ag_threads_create(NULL, 4, &many), AG_OK);
    ag_threads_run(one, 3, note_thread, seen);
    for (int i = 0; i < 3; i++)
        assert_true(pthread_equal(seen[i], pthread_self()));
    ag_threads_run(many, 1, note_thread, seen);
    assert_true(pthread_equal(seen[0], pthread_self()));
    ag_threads_free(one);
    ag_threads_free(many);
}

/* Items of a pool of one run in rising order. */
static void note_order(void *user, uint32_t i)
{
    uint32_t *order = user; /* [0]: how many ran, then which */
    order[++order[0]] = i;
}

static void items_rise(void **state)
{
    (void)state;
    uint32_t order[N_MAX + 1] = {0};
    ag_threads *pool = NULL;
    assert_int_equal(ag_threads_create(NULL, 1, &pool), AG_OK);
    ag_threads_run(pool, N_MAX, note_order, order);
    for (uint32_t i = 0; i < N_MAX; i++)
        assert_int_equal(order[i + 1], i);
    ag_threads_free(pool);
}

static void sizes_are_checked(void **state)
{
    (void)state;
    ag_ctx *ctx = NULL;
    ag_threads *pool = NULL;
    assert_int_equal(ag_ctx_create(&ctx), AG_OK);
    assert_int_equal(ag_threads_create(ctx, -1, &pool), AG_E_ARG);
    assert_string_equal(ag_ctx_message(ctx), "threads is -1, must be 1..1024, or 0 for one a processor");
    assert_int_equal(ag_threads_create(ctx, 1025, &pool), AG_E_ARG);
    assert_null(pool);
    assert_int_equal(ag_threads_create(ctx, 0, &pool), AG_OK);
    assert_int_equal(ag_threads_count(pool), ag_processors());
    assert_in_range(ag_processors(), 1, AG_THREADS_MAX);
    ag_threads_free(pool);
    ag_threads_free(NULL);
    ag_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),           cmocka_unit_test(jobs_follow_each_other),
        cmocka_unit_test(one_thread_is_the_callers), cmocka_unit_test(items_rise),
        cmocka_unit_test(sizes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
