/*
 * registry.c -- the list of backends, and the list of all their devices that users see.
 */
#include "device/registry.h"

#include <stdio.h>
#include <string.h>

/* The preference of "auto" and the order of listings. A new backend is one more line. */
const ag_backend *const ag_backends[] = {
    &ag_backend_cuda,
    &ag_backend_opencl,
    &ag_backend_cpu,
    NULL,
};

const ag_backend *ag_backend_find(const char *name)
{
    for (size_t i = 0; ag_backends[i]; i++)
        if (strcmp(ag_backends[i]->name, name) == 0)
            return ag_backends[i];
    return NULL;
}

/* Rows as far as the caller has room for them. */
typedef struct {
    ag_device_row *out;
    size_t capacity, n;
} row_list;

/* The next row, empty but for its backend; NULL when there is no room. */
static ag_device_row *next_row(row_list *rows, const char *backend)
{
    if (rows->n == rows->capacity)
        return NULL;
    ag_device_row *row = &rows->out[rows->n++];
    memset(row, 0, sizeof *row);
    snprintf(row->backend, sizeof row->backend, "%s", backend);
    return row;
}

static void fill_description(ag_device_row *row, const ag_device_info *info)
{
    row->found = 1;
    memcpy(row->name, info->name, sizeof row->name);
    memcpy(row->driver, info->driver, sizeof row->driver);
    row->memory_bytes = info->memory_bytes;
    row->compute_units = info->compute_units;
}

static void list_device(ag_ctx *probe, row_list *rows, const ag_backend *backend, int i)
{
    ag_device_row *row = next_row(rows, backend->name);
    if (!row)
        return;
    row->device = i;
    row->found = 1;
    ag_device_info info;
    if (backend->describe(probe, i, &info) == AG_OK)
        fill_description(row, &info);
    ag_device *dev = NULL;
    row->usable = ag_device_open(probe, backend, i, 0, &dev) == AG_OK;
    if (!row->usable)
        snprintf(row->note, sizeof row->note, "%.*s", (int)sizeof row->note - 1, ag_ctx_message(probe));
    ag_device_close(dev);
}

static void list_reference(ag_ctx *probe, row_list *rows)
{
    ag_device_row *row = next_row(rows, "reference");
    ag_device_info info;
    if (!row)
        return;
    if (ag_backend_cpu.describe(probe, 0, &info) == AG_OK)
        fill_description(row, &info);
    row->found = row->usable = 1;
    row->driver[0] = '\0';
    row->compute_units = 1;
}

ag_status ag_devices_list(ag_ctx *ctx, size_t rows, ag_device_row *out, size_t *n_rows)
{
    ag_ctx *probe = NULL; /* what devices say goes into notes, not into the message of ctx */
    if (ag_ctx_create(&probe) != AG_OK)
        return ag_fail(ctx, AG_E_MEMORY, "no memory for a context to list devices with");
    row_list list = {out, rows, 0};
    for (size_t b = 0; ag_backends[b]; b++) {
        char why[sizeof out->note] = "";
        const int n = ag_backends[b]->count(why, sizeof why);
        for (int i = 0; i < n; i++)
            list_device(probe, &list, ag_backends[b], i);
        ag_device_row *row = n ? NULL : next_row(&list, ag_backends[b]->name);
        if (row)
            memcpy(row->note, why, sizeof row->note);
    }
    list_reference(probe, &list);
    ag_ctx_free(probe);
    *n_rows = list.n;
    return AG_OK;
}
