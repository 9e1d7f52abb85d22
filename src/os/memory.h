/*
 * os/memory.h: memory from the C library that grows, and copies in it.
 */
#ifndef LVL_OS_MEMORY_H
#define LVL_OS_MEMORY_H

#include <lvl/doc.h>

/* Reserves space for `more` bytes after len; false (and a sticky status) on failure. */
bool lvl_buffer_reserve(lvl_buffer *buf, size_t more);
/* Grows a malloc'ed list to a capacity (*cap) of at least `need` items. `list` is the address of the pointer
 * to its items, which may be NULL (an empty list). False: out of memory, the list is unchanged. */
bool lvl_grow(void *list, size_t *cap, size_t need, size_t item_size);
/* A NUL-ended copy from malloc; NULL, with errno, on failure. */
char *lvl_text_copy(lvl_text text);

#endif
