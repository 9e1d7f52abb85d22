/*
 * container/zip_directory.h: reads a zip by its directory. Inner header of zip.c.
 */
#ifndef LVL_CONTAINER_ZIP_DIRECTORY_H
#define LVL_CONTAINER_ZIP_DIRECTORY_H

#include "container/zip.h"

/* Lists the members of the directory in its order. LVL_ERR_MISSING: there is no usable one. */
lvl_status lvl_zip_read_directory(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip);

#endif
