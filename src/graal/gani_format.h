/*
 * graal/gani_format.h: what the parts of the format of animations offer each other.
 */
#ifndef LVL_GANI_FORMAT_H
#define LVL_GANI_FORMAT_H

#include "base/format.h"

#include <lvl/gani.h>

int lvl_gani_probe(const lvl_probe_input *in);
lvl_status lvl_gani_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
lvl_status lvl_gani_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_gani_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_gani_repair(lvl_doc *doc, lvl_repairs *repairs);
lvl_status lvl_gani_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);

#endif
