/*
 * selftest.h -- the known-answer test that every device passes when opened (after hashcat's
 * habit): a device that computes wrongly is found before it is believed.
 */
#ifndef AG_DEVICE_SELFTEST_H
#define AG_DEVICE_SELFTEST_H

#include "device/device.h"
#include "ag_kl.h"
#include "selftest_params.h"

/* What agk_selftest leaves; shapes: selftest_params.h. */
typedef struct {
    uint32_t words[AG_SELFTEST_GROUPS * AG_SELFTEST_WORDS + 1];
    double reals[AG_SELFTEST_GROUPS * AG_SELFTEST_REALS];
} ag_selftest_results;

/* Runs the kernel and judges. Errors: AG_E_MEMORY, AG_E_DEVICE. */
ag_status ag_selftest(ag_ctx *ctx, ag_device *dev);

/* The two halves of it. */
ag_status ag_selftest_run(ag_ctx *ctx, ag_device *dev, ag_selftest_results *got);
/* AG_E_DEVICE at the first difference in bits, with device, item, got and expected in the message. */
ag_status ag_selftest_judge(ag_ctx *ctx, const char *device, const ag_selftest_results *got);

#endif
