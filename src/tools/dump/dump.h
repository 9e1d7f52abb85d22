/*
 * tools/dump/dump.h: writes a match of a path as in a dump.
 */
#ifndef LVL_TOOLS_DUMP_DUMP_H
#define LVL_TOOLS_DUMP_DUMP_H

#include "tools/paths/path.h"
#include "tools/values/json_write.h"

/* The value as JSON. One cell is a number. */
void lvl_write_match(const lvl_emit *w, const lvl_match *match, unsigned indent);

#endif
