/*
 * support/sketchy_repairs.h: drawings of Sketchy Maze written, damaged, checked and repaired, and their
 * px. All fail the test where something goes wrong that shouldn't.
 */
#ifndef LVL_TEST_SKETCHY_REPAIRS_H
#define LVL_TEST_SKETCHY_REPAIRS_H

#include <lvl/sketchy.h>
#include <lvl/tools.h>

enum {
    LVL_REPAIRS_SIZE = 16,
    LVL_REPAIRS_NONE = LVL_SKETCHY_NONE
}; /* of chunks that lvl_make_sketch makes */

/* For all that is done here; the test's main makes it ready. */
extern lvl_ctx lvl_repair_ctx;

lvl_bytes lvl_view(const lvl_buffer *b);
lvl_bytes lvl_bytes_of(const char *text);
/* The drawing written, and freed. */
lvl_buffer lvl_file_of(lvl_doc *doc);
lvl_doc *lvl_read_drawing(lvl_bytes bytes);
const lvl_sketchy *lvl_drawn(const lvl_doc *doc);
lvl_findings *lvl_check_drawing(lvl_bytes bytes, lvl_verdict *verdict);
void lvl_expect_sound(lvl_bytes bytes);
/* Repairs into `out`; the changes. */
lvl_findings *lvl_repair_drawing(lvl_bytes bytes, lvl_buffer *out);
/* The damage is found that often under that id and repaired into a sound file, which is answered. */
lvl_doc *lvl_test_repairs(lvl_bytes bytes, const char *id, size_t times);
/* The index at a px of the world; LVL_REPAIRS_NONE where nothing is. */
uint32_t lvl_pixel(const lvl_doc *doc, uint32_t layer, int32_t x, int32_t y);
uint32_t lvl_count_pixels(const lvl_doc *doc);
/* A px of a chunk whose grid is in memory. */
void lvl_set_pixel(lvl_doc *doc, uint32_t chunk, uint32_t x, uint32_t y, uint16_t index);
/* The bytes with `with` put in place of the first `what`. */
lvl_buffer lvl_replaced(const lvl_buffer *from, const char *what, const char *with);
/* The zip without the members of that name, and with one more; NULL: none. */
lvl_buffer lvl_rezipped(const lvl_buffer *from, const char *without, const char *with, lvl_bytes content);

#endif
