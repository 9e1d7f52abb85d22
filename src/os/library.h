/*
 * os/library.h: shared libraries that are opened when they are needed, since loading them takes longer than
 * most commands run. For ELF, and only where the build defines the library's SONAME; other builds link it.
 */
#ifndef LVL_OS_LIBRARY_H
#define LVL_OS_LIBRARY_H

#include <lvl/base.h>

/* Opens the library that the system's loader finds by this SONAME, as it would if lvl were linked with it.
 * NULL: it is not installed. */
void *lvl_library_open(const char *soname);
/* Stores the address of a function in *function, a pointer to a function. False: there is none. */
bool lvl_library_find(void *library, const char *name, void *function);
/* The library stays loaded, so that opening it again is cheap. Accepts NULL. */
void lvl_library_close(void *library);

#endif
