/*
 * devices.c -- astragal devices: every device found, and why a backend is absent.
 */
#include "cli.h"
#include "output/output.h"

#define DEVICES_MAX 64

static void print_json(const ag_device_row *rows, size_t n)
{
    printf("{\"devices\":[");
    for (size_t i = 0; i < n; i++) {
        const ag_device_row *row = &rows[i];
        printf("%s{\"backend\":", i ? "," : "");
        ag_json_string(stdout, row->backend);
        printf(",\"device\":%d,\"found\":%s,\"usable\":%s,\"name\":", row->device, row->found ? "true" : "false",
               row->usable ? "true" : "false");
        ag_json_string(stdout, row->name);
        printf(",\"driver\":");
        ag_json_string(stdout, row->driver);
        printf(",\"memory_bytes\":%llu,\"compute_units\":%u,\"note\":", (unsigned long long)row->memory_bytes,
               row->compute_units);
        ag_json_string(stdout, row->note);
        putchar('}');
    }
    printf("]}\n");
}

static void print_text(const ag_device_row *rows, size_t n)
{
    printf("%-10s %6s  %-9s %6s %10s  %s\n", "backend", "device", "self-test", "units", "memory", "name");
    for (size_t i = 0; i < n; i++) {
        const ag_device_row *row = &rows[i];
        if (!row->found) {
            printf("%-10s %6s  %-9s %6s %10s  %s\n", row->backend, "-", "absent", "-", "-", row->note);
            continue;
        }
        char units[16] = "-", memory[32] = "-";
        if (row->compute_units)
            snprintf(units, sizeof units, "%u", row->compute_units);
        if (row->memory_bytes)
            snprintf(memory, sizeof memory, "%.1f GiB", (double)row->memory_bytes / (1024.0 * 1024.0 * 1024.0));
        printf("%-10s %6d  %-9s %6s %10s  %s%s%s%s%s%s\n", row->backend, row->device, row->usable ? "passed" : "FAILED",
               units, memory, row->name, *row->driver ? " (" : "", row->driver, *row->driver ? ")" : "",
               *row->note ? ": " : "", row->note);
    }
}

static ag_status run(ag_ctx *ctx, const ag_cli_line *line)
{
    ag_device_row rows[DEVICES_MAX];
    size_t n;
    AG_TRY(ag_devices_list(ctx, AG_COUNT(rows), rows, &n));
    if (line->json)
        print_json(rows, n);
    else
        print_text(rows, n);
    return AG_OK;
}

const ag_cli_command ag_cli_devices = {
    .words = "devices",
    .args = "",
    .options = AG_OPT_BIT(JSON),
    .brief = "every device found, its self-test, or why there is none",
    .text = "Opens and self-tests every device. The numbers are those of --device.",
    .example = "astragal devices --json",
    .run = run,
};
