/*
 * sketchy/drawing/read.h: reading of drawings.
 */
#ifndef LVL_SKETCHY_DRAWING_READ_H
#define LVL_SKETCHY_DRAWING_READ_H

#include "sketchy/text/source.h"

lvl_status lvl_sketchy_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);

#endif
