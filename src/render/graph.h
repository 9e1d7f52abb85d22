/*
 * render/graph.h: a graph of levels as rows of pixels.
 */
#ifndef LVL_RENDER_GRAPH_H
#define LVL_RENDER_GRAPH_H

#include <lvl/graph.h>

/* The picture of lvl_render_graph_png, as rows. */
lvl_status lvl_render_graph(const lvl_graph *graph, const lvl_graph_picture *picture, lvl_rows *rows);

#endif
