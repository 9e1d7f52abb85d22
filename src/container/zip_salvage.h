/*
 * container/zip_salvage.h: reads a zip without its directory. Inner header of zip.c.
 */
#ifndef LVL_CONTAINER_ZIP_SALVAGE_H
#define LVL_CONTAINER_ZIP_SALVAGE_H

#include "container/zip.h"

/* Lists the members that have local headers, in the order of their bytes. LVL_ERR_FORMAT: none. */
lvl_status lvl_zip_list_locals(lvl_arena *arena, const lvl_ctx *ctx, lvl_bytes in, lvl_zip *zip);

#endif
