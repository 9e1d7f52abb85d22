/*
 * tools/world/graph.h: a graph of many levels and the links between them, as DOT; and levels placed edge to
 * edge by their links. Levels are identified by the name of their file without its folder, without regard to
 * ASCII case, as games do. A graph belongs to one thread at a time.
 */
#ifndef LVL_TOOLS_WORLD_GRAPH_H
#define LVL_TOOLS_WORLD_GRAPH_H

#include <lvl/scene.h>

typedef struct lvl_graph lvl_graph;

#define LVL_GRAPH_NO_FILE SIZE_MAX

/* A level: a file that was added, or the target of a link. */
typedef struct lvl_graph_node {
    const char *name; /* file name, NUL-ended UTF-8 */
    size_t file; /* as given to lvl_graph_add; LVL_GRAPH_NO_FILE: missing */
    uint32_t in, out; /* links to and from it, those to itself included */
    /* By lvl_graph_place: levels that are placed edge to edge have the same block; x, y are cells in it. */
    uint32_t block;
    int32_t x, y;
} lvl_graph_node;

/* All links from one level to another. */
typedef struct lvl_graph_edge {
    uint32_t from, to; /* indices of nodes */
    uint32_t count;
    lvl_link_kind way; /* over an edge if one of them is */
    bool back; /* there is a link back, too */
} lvl_graph_edge;

/* NULL without memory. The context must outlive it. */
lvl_graph *lvl_graph_new(const lvl_ctx *ctx);
/* Frees the graph with its nodes and edges. NULL: nothing happens. */
void lvl_graph_free(lvl_graph *graph);
/* Adds a level, or a map, whose levels are then nodes too. `file` is any number of the caller's own; of two
 * files with one name the one with the lower number is used. `path` is UTF-8. The order of adding makes no
 * difference. The document isn't needed afterwards. Not after lvl_graph_finish. */
lvl_status lvl_graph_add(lvl_graph *graph, size_t file, const char *path, const lvl_doc *doc);
/* Connects the levels. A target that exists only with another ending (.nw for .graal) is that file. */
lvl_status lvl_graph_finish(lvl_graph *graph);
/* After lvl_graph_finish: places levels edge to edge where links lead over their edges: first those with
 * links in both directions; a link that would put a level over another is left out. */
lvl_status lvl_graph_place(lvl_graph *graph);
/* The levels, sorted by name. Owned by the graph; NULL and 0 before lvl_graph_finish. */
const lvl_graph_node *lvl_graph_nodes(const lvl_graph *graph, uint32_t *count);
/* The links between levels: one edge for each pair and direction, sorted by their two ends. Owned by the
 * graph; NULL and 0 before lvl_graph_finish. */
const lvl_graph_edge *lvl_graph_edges(const lvl_graph *graph, uint32_t *count);

/* A picture of a level for DOT. */
typedef struct lvl_graph_picture {
    char *path; /* as Graphviz finds it; NULL: none, the level is a box */
    uint32_t width, height; /* px */
} lvl_graph_picture;

/* The graph in the DOT language: a node for each level, dashed where it is missing; an edge for each pair of
 * levels with the number of links, both directions as one edge ("2+1"), one-way links marked. `pictures`: by
 * the `file` of nodes; or NULL. */
lvl_status lvl_graph_dot(const lvl_graph *graph, const lvl_graph_picture *pictures, lvl_buffer *out);

#endif
