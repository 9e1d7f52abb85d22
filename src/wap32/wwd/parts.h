/*
 * wap32/wwd/parts.h: reads the parts of a main block into the document. Each function reads one part in the
 * parser's mode, claims its bytes, and reports its errors, or sets p->status.
 */
#ifndef LVL_WWD_PARTS_H
#define LVL_WWD_PARTS_H

#include "wap32/wwd/places.h"

/* Must be called first, since it also reserves the positions of all parts. */
void lvl_wwd_read_planes(lvl_wwd_parser *p);
/* The parts of one plane. */
void lvl_wwd_read_tiles(lvl_wwd_parser *p, uint32_t plane);
void lvl_wwd_read_image_sets(lvl_wwd_parser *p, uint32_t plane);
void lvl_wwd_read_objects(lvl_wwd_parser *p, uint32_t plane);
void lvl_wwd_read_properties(lvl_wwd_parser *p);

#endif
