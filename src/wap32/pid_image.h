/*
 * wap32/pid_image.h: PID to pictures and back.
 */
#ifndef LVL_WWD_PID_IMAGE_H
#define LVL_WWD_PID_IMAGE_H

#include "base/format.h"

/* INDEX8 with a mask where pixels are left out (skip runs, or index 0 with flag transparent). LVL_ERR_FORMAT:
 * there is no picture. */
lvl_status lvl_pid_to_image(const lvl_doc *doc, const char *layer, lvl_image *out);

/* Takes over the picture; what it does not say stays as it is in the document (see lvl_draw_options.like).
 * Colours are fitted to image->palette where it has one, the document's own palette next; RGBA without either
 * gets a palette of its own, embedded (flag palette). Pixels of less than half opacity are left out. The
 * flags that a fresh document gets: none for a picture without holes, skip_runs and system_memory (as Claw's
 * sprites have) for one with; flags that are set stay, as long as they can say the picture. */
lvl_status lvl_pid_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *draw_options,
                        lvl_findings *losses);

#endif
