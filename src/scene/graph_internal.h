/*
 * scene/graph_internal.h: the inside of a graph: files and links as they were added, nodes and edges.
 */
#ifndef LVL_SCENE_GRAPH_PARTS_H
#define LVL_SCENE_GRAPH_PARTS_H

#include "base/arena.h"

#include <lvl/graph.h>

/* A link as it was added: known by the file that it is in and its target. */
typedef struct lvl_graph_link {
    const char *from, *to; /* NULL from: a map's */
    size_t file;
    lvl_link_kind way;
    uint32_t at_x, at_y; /* thousandths */
    uint32_t column, row;
    uint32_t order; /* within its file */
    uint32_t a, b; /* nodes, once joined */
} lvl_graph_link;

/* A file as it was added. */
typedef struct lvl_graph_file {
    const char *name;
    size_t file;
    bool map;
} lvl_graph_file;

struct lvl_graph {
    const lvl_ctx *ctx;
    lvl_arena arena; /* names, and all that finish makes */
    lvl_graph_file *files;
    size_t file_count, file_cap;
    lvl_graph_link *links;
    size_t link_count, link_cap;
    lvl_graph_node *nodes;
    lvl_graph_edge *edges;
    uint32_t node_count, edge_count;
    int32_t width, height;
    bool finished;
};

const lvl_ctx *lvl_graph_ctx(const lvl_graph *graph);
/* Size of the layout, in units. */
void lvl_graph_size(const lvl_graph *graph, int32_t *width, int32_t *height);
/* graph_layout.c: gives each node its place. */
lvl_status lvl_graph_lay_out(lvl_graph *graph);
/* Compares without regard to ASCII case. */
int lvl_graph_compare(const char *a, const char *b);

#endif
