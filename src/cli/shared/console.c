/*
 * cli/shared/console.c: standard output and standard error, messages, signals, exit codes.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif

#include "cli/shared/windows.h"

#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

/* ---- exit codes -------------------------------------------------------------------------------------- */

int cli_max_exit_code(int a, int b)
{
    static const int order[] = {EXIT_FINE, EXIT_NEGATIVE, EXIT_FOREIGN, EXIT_ENVIRONMENT, EXIT_USAGE};
    int ra = 0, rb = 0;

    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++) {
        ra = order[i] == a ? i : ra;
        rb = order[i] == b ? i : rb;
    }
    return ra > rb ? a : b;
}

int cli_code_of(lvl_status status)
{
    switch (status) {
    case LVL_OK: return EXIT_FINE;
    case LVL_ERR_MEMORY:
    case LVL_ERR_STOPPED:
    case LVL_ERR_IO: return EXIT_ENVIRONMENT;
    case LVL_ERR_FOREIGN: return EXIT_FOREIGN;
    case LVL_ERR_ARG: return EXIT_USAGE;
    case LVL_ERR_LIMIT:
    case LVL_ERR_FORMAT:
    case LVL_ERR_LOSS:
    case LVL_ERR_MISSING:
    case LVL_ERR_UNSUPPORTED: return EXIT_NEGATIVE;
    }
    return EXIT_ENVIRONMENT;
}

/* ---- the standard streams ---------------------------------------------------------------------------- */

/* The only global state. */
static volatile sig_atomic_t caught; /* the signal that was caught; 0: none */
static atomic_int saving; /* number of files, and of runs over several, that are being written */
static bool pipe_closed;

/* During a save, the save is aborted and cleaned up first, and what was saved is listed; a second signal does
 * not wait for that. At any other time there is nothing to clean up, so the first signal ends the process. */
enum { SIGNAL_WAIT = 3 /* seconds */ };

static void on_signal(int number)
{
    caught = number;
    signal(number, SIG_DFL);
    if (!saving)
        raise(number);
#ifndef _WIN32
    else
        alarm(SIGNAL_WAIT);
#endif
}

#ifndef _WIN32
/* Something waits for a pipe, a lock, or a disk. */
static void on_alarm(int number)
{
    (void)number;
    raise(caught);
}
#endif

void cli_save_begin(void)
{
    saving++;
}

void cli_save_end(void)
{
    saving--;
}

lvl_status cli_save_bytes(const char *path, size_t root, lvl_bytes bytes, unsigned flags,
                          const lvl_file_lock *lock, lvl_file_error *why)
{
    const bool cleans = lvl_file_kind_of(path) != LVL_FILE_OTHER;

    if (cleans)
        cli_save_begin();
    const lvl_status status = lvl_file_save_below(path, root, bytes, flags, lock, why);
    if (cleans)
        cli_save_end();
    return status;
}

static void catch_signal(int number)
{
#ifdef _WIN32
    signal(number, on_signal);
#else
    /* a write to a pipe that the signal interrupts is continued */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
#endif
}

const volatile int *cli_signals(void)
{
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
#ifdef _WIN32
    /* the same bytes as on other systems */
    _setmode(1, _O_BINARY);
    _setmode(2, _O_BINARY);
#else
    signal(SIGALRM, on_alarm);
    signal(SIGPIPE, SIG_IGN); /* writes fail with EPIPE instead, so that a save is cleaned up */
#endif
    return &caught;
}

void cli_signals_end(void)
{
#ifndef _WIN32
    int number = pipe_closed ? SIGPIPE : (int)caught;
    if (number) {
        signal(number, SIG_DFL);
        raise(number);
    }
#endif
}

bool cli_stopped(void)
{
    return caught || pipe_closed;
}

bool cli_is_terminal(FILE *stream)
{
#ifdef _WIN32
    return cli_windows_is_console(stream);
#else
    return isatty(fileno(stream));
#endif
}

static void out_failed(cli *c)
{
#ifdef _WIN32
    const bool closed =
        errno == EPIPE || errno == EINVAL; /* Windows gives EINVAL for a pipe without a reader */
#else
    const bool closed = errno == EPIPE;
#endif

    if (closed || pipe_closed) {
        pipe_closed = true;
    } else if (!c->out_failed) {
        c->out_failed = true;
        cli_report(c, "cannot write to standard output: %s",
                   strerror(errno)); /* NOLINT(concurrency-mt-unsafe) */
    }
}

/* Length of one of lvl's colour sequences at the start of the text; 0: none. */
static size_t color_len(const char *p, size_t len)
{
    if (len > 3 && memcmp(p, "\033[", 2) == 0 && p[2] >= '0' && p[2] <= '2' && p[3] == 'm')
        return 4;
    if (len > 6 && memcmp(p, "\033[1;3", 5) == 0 && p[5] >= '1' && p[5] <= '6' && p[6] == 'm')
        return 7;
    return 0;
}

/* Writes UTF-8 to a terminal. */
static bool write_terminal(FILE *file, const void *text, size_t len)
{
#ifdef _WIN32
    return cli_windows_console_write(file, text, len);
#else
    return fwrite(text, 1, len, file) == len;
#endif
}

/* Writes text to a terminal, escaped except for lvl's own colours. */
static size_t write_escaped(FILE *file, const char *text, size_t len, bool colors)
{
    lvl_buffer out = {0};
    size_t from = 0;

    for (size_t i = 0; i <= len; i++) {
        const size_t color = i < len && colors && text[i] == '\033' ? color_len(text + i, len - i) : 0;
        if (!color && i < len)
            continue;
        lvl_text_escape(&out, LVL_CP_UTF8, (lvl_text){text + from, i - from}, true);
        lvl_buffer_add(&out, text + i, color);
        from = i + color;
        i += color ? color - 1 : 0;
    }
    const bool ok = out.status == LVL_OK && write_terminal(file, out.data, out.len);
    lvl_buffer_free(&out);
    return ok ? len : 0;
}

void cli_out(cli *c, const void *data, size_t len)
{
    if (!len || pipe_closed || c->out_failed)
        return;
    if ((c->terminal_out ? write_escaped(stdout, data, len, c->color_out) : fwrite(data, 1, len, stdout)) !=
        len)
        out_failed(c);
}

void cli_out_text(cli *c, lvl_buffer *text)
{
    if (text->status != LVL_OK && !c->out_failed) {
        c->out_failed = true;
        cli_report(c, "%s", lvl_status_text(text->status));
    }
    cli_out(c, text->data, text->len);
    lvl_buffer_free(text);
}

int cli_flush(cli *c)
{
    if (!pipe_closed && !c->out_failed && fflush(stdout) != 0)
        out_failed(c);
    return c->out_failed ? EXIT_ENVIRONMENT : EXIT_FINE;
}

void cli_err(cli *c, const void *data, size_t len)
{
    if (!len)
        return;
    cli_flush(c); /* keeps the order if both streams go to the same terminal or file */
    if (c->terminal_err)
        write_escaped(stderr, data, len, c->color_err);
    else
        fwrite(data, 1, len, stderr);
}

void cli_print_job(cli *c, const cli_job *job)
{
    cli_out(c, job->out.data, job->out.len);
    cli_err(c, job->err.data, job->err.len);
    if (job->out.status != LVL_OK || job->err.status != LVL_OK || job->saved_out.status != LVL_OK ||
        job->saved_err.status != LVL_OK)
        cli_report(c, "%s", lvl_status_text(LVL_ERR_MEMORY));
}

static void report(cli *c, const char *fmt, va_list args) LVL_PRINTF(2, 0);

static void report(cli *c, const char *fmt, va_list args)
{
    char text[1024], line[sizeof text + 8]; /* there may be no memory */

    vsnprintf(text, sizeof text, fmt, args);
    cli_progress_clear(c);
    snprintf(line, sizeof line, "lvl: %s\n", text);
    cli_err(c, line, strlen(line));
}

void cli_report(cli *c, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    report(c, fmt, args);
    va_end(args);
}

int cli_usage(cli *c, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    report(c, fmt, args);
    va_end(args);
    if (c->verb)
        cli_report(c, "see `lvl %s --help'", c->verb->name);
    return EXIT_USAGE;
}

int cli_no_memory(cli *c)
{
    cli_report(c, "%s", lvl_status_text(LVL_ERR_MEMORY));
    return EXIT_ENVIRONMENT;
}

int cli_report_file(cli *c, const char *path, lvl_status status, const lvl_file_error *why)
{
    char text[256];

    cli_report(c, "%s: %s", path,
               why->step ? lvl_file_error_text(why, text, sizeof text) : lvl_status_text(status));
    return EXIT_ENVIRONMENT;
}

#define CLEAR "\r\033[K" /* to the start of the line, which is cleared */

void cli_progress_clear(cli *c)
{
    if (c->progress_shown)
        write_terminal(stderr, CLEAR, strlen(CLEAR));
    c->progress_shown = false;
}

static uint64_t now_tenths(void)
{
#ifdef _WIN32
    return (uint64_t)clock() /
           (CLOCKS_PER_SEC / 10); /* elapsed time on Windows; msvcrt has no timespec_get */
#else
    struct timespec now = {0, 0};

    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 10 + (uint64_t)now.tv_nsec / 100000000;
#endif
}

/* Columns of the terminal; 80 if unknown. */
static size_t columns(void)
{
#ifdef _WIN32
    const size_t found = cli_windows_console_columns();

    if (found)
        return found;
#elif defined(TIOCGWINSZ)
    struct winsize size;

    if (ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
#endif
    return 80;
}

void cli_progress(cli *c, size_t done, size_t total, const char *name)
{
    if (!c->progress || c->opt->quiet || done == total)
        return;
    /* ten times a second is enough */
    const uint64_t tenths = now_tenths();
    if (tenths == c->progress_time)
        return;
    c->progress_time = tenths;
    /* a line that wraps could not be cleared again */
    char line[256];
    if (!c->progress_start)
        c->progress_start = tenths;
    const uint64_t spent = tenths - c->progress_start; /* tenths of a second */
    int n;
    if (spent < 20) { /* too early for a speed */
        n = snprintf(line, sizeof line, CLEAR "%zu/%zu %s", done, total, name);
    } else {
        const uint64_t left = (uint64_t)(total - done) * spent / (done ? done : 1) / 10;
        n = snprintf(line, sizeof line, CLEAR "%zu/%zu, %llu/s, %llu:%02llu left: %s", done, total,
                     (unsigned long long)(done * 10 / spent), (unsigned long long)(left / 60),
                     (unsigned long long)(left % 60), name);
    }
    size_t len = n < 0 ? 0 : (size_t)n, most = columns() - 1 + strlen(CLEAR);
    most = most < sizeof line ? most : sizeof line - 1;
    write_terminal(stderr, line, lvl_text_cut((lvl_text){line, len}, most).len);
    fflush(stderr);
    c->progress_shown = true;
}

char *cli_limit_text(const lvl_ctx *ctx, const lvl_usage *usage)
{
    lvl_findings *limit = usage->limit ? lvl_findings_new(ctx) : NULL;

    if (!limit)
        return NULL;
    lvl_usage_report(usage, ctx, limit);
    const lvl_finding *f = lvl_findings_count(limit) ? lvl_findings_at(limit, 0) : NULL;
    char *text = f ? cli_format("%s: %s", f->def->id, f->text) : NULL;
    lvl_findings_free(limit);
    return text;
}

void cli_findings_text(const cli *c, const lvl_findings *findings, const char *file, lvl_severity least,
                       bool color, lvl_buffer *out)
{
    static const struct {
        const char *word, *color;
    } words[] = {{": note: ", "36"}, {": warning: ", "35"}, {": error: ", "31"}, {": fatal: ", "31"}};
    /* other verbs mostly print losses, and each of them matters */
    const size_t few = cli_verb_is(c, CLI_CHECKS) ? LVL_FINDINGS_FEW : LVL_FINDINGS_MANY;
    lvl_buffer plain = {0};

    lvl_findings_text(findings, file, least, c->opt->verbose || least == LVL_NOTE ? 0 : few,
                      color ? &plain : out);
    if (plain.status != LVL_OK)
        out->status = plain.status;
    for (size_t at = 0; at < plain.len;) {
        const char *line = (const char *)plain.data + at;
        const char *nl = memchr(line, '\n', plain.len - at);
        size_t len = nl ? (size_t)(nl - line) : plain.len - at, first = len, which = 0;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            size_t n = strlen(words[w].word);
            for (size_t i = 0; i + n <= len && i < first; i++) {
                if (memcmp(line + i, words[w].word, n) == 0) {
                    first = i;
                    which = w;
                }
            }
        }
        if (first < len) {
            size_t n = strlen(words[which].word);
            lvl_buffer_add(out, line, first + 2);
            lvl_buffer_printf(out, "\033[1;%sm", words[which].color);
            lvl_buffer_add(out, words[which].word + 2, n - 4);
            lvl_buffer_str(out, "\033[0m");
            lvl_buffer_add(out, line + first + n - 2, len - (first + n - 2));
        } else {
            lvl_buffer_add(out, line, len);
        }
        lvl_buffer_u8(out, '\n');
        at += len + 1;
    }
    lvl_buffer_free(&plain);
}
