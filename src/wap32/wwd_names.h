/*
 * wap32/wwd_names.h: names of flags and values that the tables of this family share.
 */
#ifndef LVL_WWD_NAMES_H
#define LVL_WWD_NAMES_H

#include <lvl/record.h>

extern const lvl_name lvl_wwd_header_flags[];
extern const lvl_name lvl_wwd_plane_flags[];
extern const lvl_name lvl_wwd_add_flags[];
extern const lvl_name lvl_wwd_dynamic_flags[];
extern const lvl_name lvl_wwd_draw_flags[];
extern const lvl_name lvl_wwd_user_flags[];
extern const lvl_name lvl_wwd_hit_flags[];
extern const lvl_name lvl_wwd_directions[];
extern const lvl_name lvl_wwd_tile_types[];
extern const lvl_name lvl_wwd_checksum_rules[];
extern const lvl_name lvl_wwd_compressions[];
extern const lvl_name lvl_wwd_block_types[];

#endif
