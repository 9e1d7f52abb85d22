/*
 * support/starve_libraries.c: malloc for shared libraries, which can be made to fail (support/starve.h). Only
 * in the programs that test allocation failures, not in the support library.
 */
#include "starve.h"

#ifdef LVL_STARVE_LIBRARIES

#include <errno.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void __libc_free(void *ptr);

static bool refused(void)
{
    if (!lvl_starve_refused())
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *ptr, size_t size)
{
    return refused() ? NULL : __libc_realloc(ptr, size);
}

void free(void *ptr)
{
    __libc_free(ptr);
}

#else
typedef int lvl_starve_nothing_here; /* a file of C is not empty */
#endif
