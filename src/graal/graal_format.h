/*
 * graal/graal_format.h: the formats of this family.
 */
#ifndef LVL_GRAAL_FORMAT_H
#define LVL_GRAAL_FORMAT_H

#include "base/format.h"

extern const lvl_format lvl_format_graal; /* levels, binary */
extern const lvl_format lvl_format_nw; /* levels, text */
extern const lvl_format lvl_format_gmap; /* world maps */
extern const lvl_format lvl_format_tiledefs; /* tile definitions */
extern const lvl_format lvl_format_gani; /* animations */
extern const lvl_format lvl_format_mng; /* animated pictures */
extern const lvl_format lvl_format_server; /* weapons, NPCs and accounts of a server */
extern const lvl_format lvl_format_class; /* classes of a server: scripts */
extern const lvl_format lvl_format_serveroptions; /* settings of a server */
extern const lvl_format lvl_format_folderconfig; /* folders of a server */

#endif
