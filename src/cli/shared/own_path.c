/*
 * cli/shared/own_path.c: where this program is, and where temporary files go.
 */
#ifndef _WIN32
#define _DEFAULT_SOURCE /* readlink */
#endif

#include "cli/shared/windows.h"

#include <stdlib.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#elif !defined(_WIN32)
#include <unistd.h>
#endif

char *cli_own_path(void)
{
#ifdef _WIN32
    char *path = cli_windows_own_path();
    return path ? path : cli_copy("lvl");
#else
    enum { MAX_BYTES = 4096 };
    char path[MAX_BYTES] = "";

#ifdef __APPLE__
    uint32_t size = sizeof path;
    if (_NSGetExecutablePath(path, &size) != 0)
        path[0] = 0;
#else
    const ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    path[len > 0 ? len : 0] = 0;
#endif
    return cli_copy(path[0] ? path : "lvl");
#endif
}

const char *cli_temporary_folder(void)
{
    static const char *const names[] = {"TMPDIR", "TEMP", "TMP"};
    const char *folder = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !(folder && *folder); i++)
        folder = getenv(names[i]); /* NOLINT(concurrency-mt-unsafe) */
    return folder && *folder ? folder : "/tmp";
}
