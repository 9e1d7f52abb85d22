/*
 * support/views.h: draws documents in every way, for tests and fuzzers with unlikely values. Of large
 * pictures a part is drawn.
 */
#ifndef LVL_TEST_VIEWS_H
#define LVL_TEST_VIEWS_H

#include <lvl/doc.h>

/* Returns false, with a message on stderr, for a status that no document may cause. `choice` selects the
 * view, overlays, size and so on; any value is valid. */
bool lvl_view_scene(const lvl_doc *doc, uint32_t choice);
/* All frames of an animation; true for other documents. */
bool lvl_view_animation(const lvl_doc *doc, uint32_t choice);
/* The differences as text, and as a picture if bits 3 and 4 of `choice` are 0. */
bool lvl_view_diff(const lvl_doc *before, const lvl_doc *after, uint32_t choice);
/* The links of one document as a graph, in text and placed edge to edge. */
bool lvl_view_graph(const lvl_doc *doc);

#endif
