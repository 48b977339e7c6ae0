/*
 * registry.h -- the backends there are, and devices opened by number.
 */
#ifndef AG_DEVICE_REGISTRY_H
#define AG_DEVICE_REGISTRY_H

#include "device/device.h"

/* All backends, those that "auto" prefers first; NULL ends the list. */
extern const ag_backend *const ag_backends[];

/* The backend of that name, or NULL. */
const ag_backend *ag_backend_find(const char *name);

/*
 * Opens device i of a backend and tests it. n_threads as in ag_ctx_use(). Errors: AG_E_ARG,
 * AG_E_NOTFOUND (backend absent, no such number, or the device lacks what is needed),
 * AG_E_MEMORY, AG_E_DEVICE (fails, or answers the self-test wrongly).
 */
ag_status ag_device_open(ag_ctx *ctx, const ag_backend *backend, int i, int n_threads, ag_device **out);
/* Accepts NULL. */
void ag_device_close(ag_device *dev);

const char *ag_device_backend_name(const ag_device *dev);

#endif
