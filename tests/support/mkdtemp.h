/*
 * support/mkdtemp.h: mkdtemp(), also on Windows.
 */
#ifndef LVL_TEST_MKDTEMP_H
#define LVL_TEST_MKDTEMP_H

#ifdef _WIN32

#include <io.h>

#include <direct.h>

/* "/tmp" is a folder of Wine's drive Z:, from which tests are started. */
static inline char *mkdtemp(char *path)
{
    return _mktemp(path) && _mkdir(path) == 0 ? path : NULL;
}

#else
#include <stdlib.h>
#include <unistd.h>
#endif

#endif
