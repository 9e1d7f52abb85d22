/*
 * container/zip_directory.h: reads a zip by its directory. Inner header of zip.c.
 */
#ifndef LVL_CONTAINER_ZIP_DIRECTORY_H
#define LVL_CONTAINER_ZIP_DIRECTORY_H

#include "container/zip.h"

/* Lists the members in the order of the directory. LVL_ERR_MISSING: no usable directory. */
lvl_status lvl_zip_read_directory(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip);

#endif
