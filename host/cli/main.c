/*
 * main.c -- from arguments to one command, and from its status to one line on stderr
 * and an exit status.
 */
#include "cli.h"
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const ag_cli_command *const ag_cli_commands[] = {
    &ag_cli_hog_solve,  &ag_cli_hog_advise,   &ag_cli_hog_odds, &ag_cli_hog_rules, &ag_cli_hog_scan, &ag_cli_hog_play,
    &ag_cli_hog_replay, &ag_cli_lcr_simulate, &ag_cli_lcr_play, &ag_cli_devices,   &ag_cli_verify,   NULL,
};

static int exit_status(ag_status status)
{
    switch (status) {
    case AG_OK:
        return 0;
    case AG_E_ARG:
        return 2;
    case AG_E_CHECK:
        return 3;
    case AG_E_INTERRUPTED:
        return 130;
    default:
        return 1;
    }
}

ag_status ag_cli_use_backend(ag_ctx *ctx, const ag_cli_line *line)
{
    return ag_ctx_use(ctx, line->backend, line->device, line->threads);
}

/* The write that failed may be long ago and its reason lost with the buffer: one more meets it again. */
static ag_status stdout_failed(ag_ctx *ctx)
{
    const bool again = write(STDOUT_FILENO, "\n", 1) < 0;
    return ag_fail(ctx, AG_E_IO, "cannot write to standard output%s%s", again ? ": " : "",
                   again ? strerror(errno) : "");
}

ag_status ag_cli_check_stdout(ag_ctx *ctx)
{
    return ferror(stdout) ? stdout_failed(ctx) : AG_OK;
}

/* What is still in the buffer may fail too, and some file systems tell only on closing. */
static ag_status close_stdout(ag_ctx *ctx)
{
    if (fflush(stdout) || ferror(stdout))
        return stdout_failed(ctx);
    if (fclose(stdout))
        return ag_fail(ctx, AG_E_IO, "cannot write to standard output: %s", strerror(errno));
    return AG_OK;
}

ag_status ag_cli_check_outs(ag_ctx *ctx, const ag_cli_line *line, bool has_grid)
{
    for (size_t i = 0; i < line->n_outs; i++)
        AG_TRY(ag_table_check_path(ctx, line->outs[i], has_grid));
    return AG_OK;
}

ag_status ag_cli_check_memory(ag_ctx *ctx, const char *what, double need_bytes)
{
    const double have_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double gib = 1024.0 * 1024.0 * 1024.0;
    if (need_bytes <= have_bytes)
        return AG_OK;
    return ag_fail(ctx, AG_E_MEMORY, "%s takes %.4g GiB of memory, this machine has %.4g GiB", what, need_bytes / gib,
                   have_bytes / gib);
}

void ag_cli_progress(const ag_cli_line *line, const char *fmt, ...)
{
    static double last;
    static bool shown;
    const double now = ag_now_seconds();
    va_list args;

    if (line->quiet || line->progress == 1 || !isatty(STDERR_FILENO))
        return;
    if (!fmt) {
        if (shown)
            fputs("\r\033[K", stderr);
        shown = false;
        return;
    }
    if (now - last < 0.2)
        return;
    last = now;
    shown = true;
    fputs("\r\033[K", stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fflush(stderr);
}

/* A descriptor that the caller closed would be given to the next file that is opened, and results would land
 * in it. Opened the wrong way round instead, its use fails as it should. */
static void hold_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Only async-signal-safe calls: half-written temporary files go, finished files stay. */
static void on_signal(int number)
{
    (void)number;
    ag_file_cleanup_on_signal();
    _exit(130);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of the write, not our death */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that may not grow */
    for (size_t i = 0; i < AG_COUNT(numbers); i++) {
        struct sigaction action;
        sigaction(numbers[i], NULL, &action);
        if (action.sa_handler == SIG_IGN) /* nohup, or a shell's background job */
            continue;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_handler = on_signal;
        sigaction(numbers[i], &action, NULL);
    }
}

static ag_status run(ag_ctx *ctx, const ag_cli_command *command, const ag_cli_line *line)
{
    ag_status status = AG_OK;
    if (line->given & AG_OPT_BIT(HELP))
        ag_cli_help(command, line);
    else if (!command) /* the parser lets nothing else through */
        printf("astragal %s\n", ag_version());
    else
        status = command->run(ctx, line);
    ag_cli_progress(line, NULL);
    if (status != AG_OK) {
        fflush(stdout);
        return status;
    }
    AG_TRY(close_stdout(ctx));
    if (line->backend && !strcmp(line->backend, "auto") && !line->quiet && *ag_ctx_backend(ctx))
        fprintf(stderr, "astragal: ran on %s (%s)\n", ag_ctx_backend(ctx), ag_ctx_device(ctx));
    return AG_OK;
}

int main(int argc, char **argv)
{
    ag_ctx *ctx;
    ag_cli_line line;
    const ag_cli_command *command;

    hold_descriptors();
    catch_signals();
    if (ag_ctx_create(&ctx) != AG_OK) {
        fprintf(stderr, "astragal: not enough memory\n");
        return 1;
    }
    ag_status status = ag_cli_parse(ctx, argc, argv, &line, &command);
    if (status == AG_OK)
        status = run(ctx, command, &line);
    if (status != AG_OK)
        fprintf(stderr, "astragal: %s\n", ag_ctx_message(ctx));
    ag_cli_line_free(&line);
    ag_ctx_free(ctx);
    return exit_status(status);
}
