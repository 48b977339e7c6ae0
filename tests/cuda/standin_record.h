/*
 * standin_record.h -- what both stand-in libraries note of their caller: calls, planned failures, faults.
 */
#ifndef AG_TESTS_CUDA_STANDIN_RECORD_H
#define AG_TESTS_CUDA_STANDIN_RECORD_H

#include "standin.h"

#include <stdint.h>

#define STANDIN_EXPORT __attribute__((visibility("default")))

#define X(result, name, arguments) STANDIN_EXPORT result name arguments;
STANDIN_HELPERS(X)
#undef X

/* What each library says of itself. */
extern const char standin_any_call[];     /* how a plan names all of its calls */
extern const char standin_calls_ending[]; /* what its file of calls has after the name */
void standin_read_environment(void);
unsigned long long standin_count_live(void);
/* Records a fault for whatever is unreleased. */
void standin_record_leaks(void);
void standin_revive(void);
void standin_release_all(void);

/* One caller at a time. What follows is for who holds the lock. */
void standin_lock(void);
void standin_unlock(void);

/* Counts a call; the code that it is to fail with, or 0. Faults are of this call until the next. */
unsigned standin_count_call(const char *call);
/* Counts an executed kernel; the code that it is to fail with, or 0. */
unsigned standin_count_kernel(void);
/* Names the call whose faults are recorded next, without counting it. */
void standin_name_call(const char *call);
/* Records a fault and returns code. */
__attribute__((format(printf, 2, 3))) unsigned standin_fault(unsigned code, const char *format, ...);
/* The number that environment variable `name` holds, or `otherwise` if it is unset or empty. */
uint64_t standin_setting(const char *name, uint64_t lo, uint64_t hi, uint64_t otherwise);
/* Reads digits: a number lo..hi; moves *text past them. Aborts, quoting `whole` of variable `name`, if there is none.
 */
uint64_t standin_number(const char **text, uint64_t lo, uint64_t hi, const char *name, const char *whole);
_Noreturn void standin_refuse(const char *name, const char *whole, const char *must_be);

#endif
