/*
 * tools/world/graph_internal.h: the inside of a graph: files and links as they were added, nodes and edges.
 */
#ifndef LVL_TOOLS_WORLD_GRAPH_INTERNAL_H
#define LVL_TOOLS_WORLD_GRAPH_INTERNAL_H

#include "tools/world/graph.h"

#include "base/arena.h"

/* A link as it was added: known by the file that it is in and its target. */
typedef struct lvl_graph_link {
    const char *from, *to; /* NULL from: a map's */
    size_t file;
    lvl_link_kind way;
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
    lvl_arena arena; /* names, nodes and edges */
    lvl_graph_file *files;
    size_t file_count, file_cap;
    lvl_graph_link *links;
    size_t link_count, link_cap;
    lvl_graph_node *nodes;
    lvl_graph_edge *edges;
    uint32_t node_count, edge_count;
    bool finished;
};

#endif
