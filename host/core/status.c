/*
 * status.c -- the version, the names of status codes, and messages of contexts.
 */
#include "core/context.h"

#include <stdio.h>
#include <string.h>

const char *ag_version(void)
{
    return AG_VERSION_STRING;
}

const char *ag_status_name(ag_status status)
{
    switch (status) {
    case AG_OK:
        return "AG_OK";
    case AG_E_ARG:
        return "AG_E_ARG";
    case AG_E_MEMORY:
        return "AG_E_MEMORY";
    case AG_E_DEVICE:
        return "AG_E_DEVICE";
    case AG_E_NOTFOUND:
        return "AG_E_NOTFOUND";
    case AG_E_IO:
        return "AG_E_IO";
    case AG_E_CHECK:
        return "AG_E_CHECK";
    case AG_E_INTERRUPTED:
        return "AG_E_INTERRUPTED";
    }
    return "unknown status";
}

ag_status ag_fail(ag_ctx *ctx, ag_status code, const char *fmt, ...)
{
    if (!ctx)
        return code;
    char text[sizeof ctx->message]; /* the arguments may point into the old message */
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    /* Text of a caller or a driver may hold line ends; a message is one line. */
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    memcpy(ctx->message, text, sizeof text);
    return code;
}

const char *ag_ctx_message(const ag_ctx *ctx)
{
    return ctx->message;
}
