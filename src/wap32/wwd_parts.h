/*
 * wap32/wwd_parts.h: reads the parts of a main block into the document. Each function reads one part by the
 * parser's mode, claims its bytes, and reports what is wrong with it, or sets p->status.
 */
#ifndef LVL_WWD_PARTS_H
#define LVL_WWD_PARTS_H

#include "wap32/wwd_places.h"

/* Reserves the places of all parts, too, so it is called first. */
void lvl_wwd_read_planes(lvl_wwd_parser *p);
/* Of one plane. */
void lvl_wwd_read_tiles(lvl_wwd_parser *p, uint32_t plane);
void lvl_wwd_read_image_sets(lvl_wwd_parser *p, uint32_t plane);
void lvl_wwd_read_objects(lvl_wwd_parser *p, uint32_t plane);
void lvl_wwd_read_properties(lvl_wwd_parser *p);

#endif
