/*
 * lvl/lvl.h: everything. liblvl reads, explains, checks, repairs, edits, renders, compares, converts and writes the level files of old 2D games.
 */
#ifndef LVL_LVL_H
#define LVL_LVL_H

#include <lvl/base.h>
#include <lvl/doc.h>
#include <lvl/image.h>
#include <lvl/info.h>
#include <lvl/record.h>
#include <lvl/record.h>
#include <lvl/render.h>
#include <lvl/scene.h>
#include <lvl/tools.h>

#endif
