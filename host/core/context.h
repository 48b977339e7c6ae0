/*
 * context.h -- what an ag_ctx holds. Core writes the message; host/device/context.c owns the rest.
 */
#ifndef AG_CORE_CONTEXT_H
#define AG_CORE_CONTEXT_H

#include "core/core.h"

typedef enum { AG_USE_AUTO, AG_USE_BACKEND, AG_USE_REFERENCE } ag_use;

/* The most devices that one context uses. */
#define AG_CTX_DEVICES_MAX 64

struct ag_ctx {
    char message[1024];
    ag_use use;
    int n_threads;         /* of "cpu"; 0 = all */
    bool all_devices;      /* AG_USE_AUTO: of the GPUs, not only the first */
    bool gpu_sought;       /* AG_USE_AUTO: devices[] is decided, none being "there is no GPU" */
    struct ag_device *cpu; /* AG_USE_AUTO: for small jobs, or for all; opened on first use */
    int n_devices;         /* of the chosen backend, or of the one with GPUs, all open */
    struct ag_device *devices[AG_CTX_DEVICES_MAX];
    char ran_backend[16]; /* of the last job */
    char ran_device[160];
};

#endif
