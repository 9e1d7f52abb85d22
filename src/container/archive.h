/*
 * container/archive.h: what container/archive.c needs to know of the kinds of archives.
 */
#ifndef LVL_CONTAINER_ARCHIVE_H
#define LVL_CONTAINER_ARCHIVE_H

#include <lvl/base.h>

/* Of an archive or a member. */
#define LVL_ARCHIVE_ENCRYPTED "it is encrypted with a password: unpack it with the program that made it"

/* Whether it may also be one compressed file, which is no archive. */
bool lvl_archive_is_filter(lvl_bytes head);

#endif
