/*
 * lvl/lvl.h: includes everything. liblvl reads, explains, checks, repairs, edits, renders, compares, converts
 * and writes the level files of old 2D games.
 */
#ifndef LVL_LVL_H
#define LVL_LVL_H

#include <lvl/abi.h>
#include <lvl/ani.h>
#include <lvl/base.h>
#include <lvl/bmp.h>
#include <lvl/catalogue.h>
#include <lvl/color.h>
#include <lvl/container.h>
#include <lvl/doc.h>
#include <lvl/gani.h>
#include <lvl/gmap.h>
#include <lvl/graal.h>
#include <lvl/image.h>
#include <lvl/mng.h>
#include <lvl/pal.h>
#include <lvl/pcx.h>
#include <lvl/pid.h>
#include <lvl/record.h>
#include <lvl/render.h>
#include <lvl/rez.h>
#include <lvl/scene.h>
#include <lvl/sketchy.h>
#include <lvl/tiled.h>
#include <lvl/server.h>
#include <lvl/tiledefs.h>
#include <lvl/wwd.h>
#include <lvl/xmi.h>
#include <lvl/tools.h>

#endif
