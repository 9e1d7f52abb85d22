/*
 * support/views.h: documents drawn in every way there is, for tests and fuzzers that give documents with
 * unlikely values. Large pictures are not drawn: a view of a part is drawn instead.
 */
#ifndef LVL_TEST_VIEWS_H
#define LVL_TEST_VIEWS_H

#include <lvl/doc.h>

/* Each returns false, with a message on stderr, for a status that no document may cause. `choice` selects the
 * view, overlays, size and so on; any value is good. */
bool lvl_view_scene(const lvl_doc *doc, uint32_t choice);
/* All frames of an animation; true for other documents. */
bool lvl_view_animation(const lvl_doc *doc, uint32_t choice);
/* Text of the differences; and a picture of them where bits 3 and 4 of `choice` are 0. */
bool lvl_view_diff(const lvl_doc *before, const lvl_doc *after, uint32_t choice);
/* The graph of one document's links, as text and as a picture. */
bool lvl_view_graph(const lvl_doc *doc);

#endif
