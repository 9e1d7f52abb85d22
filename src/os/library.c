/*
 * os/library.c: see os/library.h.
 */
#include "os/library.h"

#include <string.h>

#ifdef __ELF__

#include <dlfcn.h>

#ifndef RTLD_NODELETE
#define RTLD_NODELETE 0
#endif

void *lvl_library_open(const char *soname)
{
    return dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

bool lvl_library_find(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

void lvl_library_close(void *library)
{
    if (library)
        dlclose(library);
}

#else

void *lvl_library_open(const char *soname)
{
    (void)soname;
    return NULL;
}

bool lvl_library_find(void *library, const char *name, void *function)
{
    (void)library;
    (void)name;
    (void)function;
    return false;
}

void lvl_library_close(void *library)
{
    (void)library;
}

#endif
