/*
 * context.h -- what an ag_ctx holds. Core writes the message; host/device/context.c owns the rest.
 */
#ifndef AG_CORE_CONTEXT_H
#define AG_CORE_CONTEXT_H

#include "core/core.h"

typedef enum { AG_USE_AUTO, AG_USE_BACKEND, AG_USE_REFERENCE } ag_use;

struct ag_ctx {
    char message[1024];
    ag_use use;
    int n_threads;            /* of "cpu"; 0 = all */
    bool gpu_sought;          /* AG_USE_AUTO: gpu is decided, NULL being "there is none" */
    struct ag_device *cpu;    /* opened on first use */
    struct ag_device *gpu;    /* AG_USE_AUTO: the GPU */
    struct ag_device *chosen; /* AG_USE_BACKEND: what ag_ctx_use() opened; NULL: cpu */
    char ran_backend[16];     /* of the last job */
    char ran_device[128];
};

#endif
