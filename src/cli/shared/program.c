/*
 * cli/shared/program.c: see program.h; for Windows it is in windows.c.
 */
#ifndef _WIN32

#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */

#include "cli/shared/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The program in the folders of PATH, and not in the folder where it will run, where it may be somebody
 * else's: relative folders are skipped. To be freed; NULL: there is none, or no memory. */
static char *find_program(const char *name)
{
    const char *folders = getenv("PATH"); /* NOLINT(concurrency-mt-unsafe) */

    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
        const size_t len = strcspn(at, ":");
        char *path = *at == '/' ? cli_format("%.*s/%s", (int)len, at, name) : NULL;
        if (*at == '/' && !path)
            return NULL;
        if (path && lvl_file_kind_of(path) == LVL_FILE_REGULAR && access(path, X_OK) == 0)
            return path;
        free(path);
        at += len + (at[len] == ':');
    }
    return NULL;
}

/* Starts the program with its output going to the pipe. Returns 0 or an error number. */
static int start(const cli_program *p, const char *program, int pipe_end, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    char *const *words; /* posix_spawn does not change them */

    memcpy(&words, &p->words, sizeof words);
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, pipe_end, STDOUT_FILENO);
    if (!error && p->messages)
        error = posix_spawn_file_actions_adddup2(&actions, pipe_end, STDERR_FILENO);
    if (!error && p->folder)
        error = posix_spawn_file_actions_addchdir_np(&actions, p->folder);
    if (!error)
        error = posix_spawn(pid, program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int64_t milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum { LOOK_EVERY = 200 /* ms */ };

/* Whether the program took too long by now, or the user stopped lvl. */
static bool is_late(const cli_program *p, int64_t end)
{
    return p->seconds && (milliseconds() >= end || cli_stopped());
}

/* Reads all of its output. False: it took too long. */
static bool read_output(const cli_program *p, int pipe_end, int64_t end)
{
    struct pollfd ready = {.fd = pipe_end, .events = POLLIN};
    char text[4096];

    for (;;) {
        if (is_late(p, end))
            return false;
        if (poll(&ready, 1, p->seconds ? LOOK_EVERY : -1) <= 0)
            continue; /* a signal, or nothing yet */
        const ssize_t n = read(pipe_end, text, sizeof text);
        if (n == 0 || (n < 0 && errno != EINTR))
            return true;
        if (n > 0 && p->out)
            lvl_buffer_add(p->out, text, (size_t)n);
    }
}

/* Waits until the program ends, which may be after its output. False: it takes too long. */
static bool wait_for(const cli_program *p, pid_t pid, int64_t end, int *state)
{
    enum { FIRST = 1 };

    for (int pause = FIRST;; pause = pause < LOOK_EVERY / 2 ? pause * 2 : LOOK_EVERY) {
        const pid_t ended = waitpid(pid, state, p->seconds ? WNOHANG : 0);
        if (ended > 0 || (ended < 0 && errno != EINTR))
            return true;
        if (is_late(p, end))
            return false;
        if (ended == 0)
            lvl_wait((unsigned)pause);
    }
}

int cli_program_run(const cli_program *p)
{
    const int64_t end = milliseconds() + (int64_t)p->seconds * 1000;
    int ends[2], state = 0;
    pid_t pid;

    char *program = find_program(p->words[0]);
    if (!program)
        return CLI_PROGRAM_MISSING;
    if (pipe(ends) != 0) {
        free(program);
        return CLI_PROGRAM_FAILED;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int error = start(p, program, ends[1], &pid);
    free(program);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        return CLI_PROGRAM_FAILED;
    }
    bool ended = read_output(p, ends[0], end);
    close(ends[0]);
    ended = ended && wait_for(p, pid, end, &state);
    if (!ended) {
        kill(pid, SIGKILL);
        while (waitpid(pid, &state, 0) < 0 && errno == EINTR)
            ;
        return CLI_PROGRAM_LATE;
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : CLI_PROGRAM_FAILED;
}

#else
typedef int cli_program_is_in_windows_c;
#endif
