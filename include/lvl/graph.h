/*
 * lvl/graph.h: links between levels: those of one document, and of many documents a graph, as DOT and as a
 * picture. Levels are identified by the name of their file without its folder, without regard to ASCII case,
 * as games do.
 *
 * A graph belongs to one thread at a time.
 */
#ifndef LVL_GRAPH_H
#define LVL_GRAPH_H

#include <lvl/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- links of a document ----------------------------------------------------------------------------- */

/* How a link leads to its target. */
typedef enum lvl_link_kind {
    LVL_WAY_DOOR, /* through a place anywhere in the level */
    LVL_WAY_LEFT, /* over an edge, to come out at the opposite edge of the target */
    LVL_WAY_UP,
    LVL_WAY_RIGHT,
    LVL_WAY_DOWN,
    LVL_WAY_PLACE /* the document is a map, and the target lies at a place of it */
} lvl_link_kind;

typedef struct lvl_doc_link {
    lvl_link_kind way;
    lvl_text target; /* file name, in the document's code page */
    lvl_where where;
    lvl_rect rect; /* px of the scene's main layer: where the link starts */
    uint32_t width, height; /* px of that layer */
    uint32_t column, row; /* LVL_WAY_PLACE */
} lvl_doc_link;

/* Anything but LVL_OK ends the visit and is its result. */
typedef lvl_status (*lvl_doc_link_fn)(void *user, const lvl_doc_link *link);
/* Calls `visit` for each link of a document. LVL_ERR_UNSUPPORTED if its format has none. */
LVL_API lvl_status lvl_doc_links(const lvl_doc *doc, lvl_doc_link_fn visit, void *user);

/* ---- a graph of levels ------------------------------------------------------------------------------- */

typedef struct lvl_graph lvl_graph;

#define LVL_GRAPH_NO_FILE SIZE_MAX
#define LVL_GRAPH_UNIT    16 /* units of layout that a level is wide and high */

/* A level: a file that was added, or the target of a link. */
typedef struct lvl_graph_node {
    const char *name; /* file name, NUL-ended UTF-8 */
    size_t file; /* as given to lvl_graph_add; LVL_GRAPH_NO_FILE: missing */
    uint32_t in, out; /* links to and from it, those to itself included */
    int32_t x, y; /* layout: top left corner, in units */
    uint32_t block; /* levels that are placed edge to edge have the same number */
} lvl_graph_node;

/* All links from one level to another. */
typedef struct lvl_graph_edge {
    uint32_t from, to; /* indices of nodes */
    uint32_t count;
    lvl_link_kind way; /* over an edge if one of them is */
    bool back; /* there is a link back, too */
    bool beside; /* they are placed side by side, in the direction of `way` */
    uint32_t at_x,
        at_y; /* middle of the first link's rectangle, in thousandths of the level's width and height */
} lvl_graph_edge;

/* NULL without memory. The context must outlive it. */
LVL_API lvl_graph *lvl_graph_new(const lvl_ctx *ctx);
/* Frees the graph with its nodes and edges. NULL: nothing happens. */
LVL_API void lvl_graph_free(lvl_graph *graph);
/* Adds a level, or a map, whose levels are placed as in the map. `file` is any number of the caller's own; of
 * two files with one name the one with the lower number is used. `path` is UTF-8. The order of adding makes
 * no difference. The document isn't needed afterwards. Not after lvl_graph_finish. */
LVL_API lvl_status lvl_graph_add(lvl_graph *graph, size_t file, const char *path, const lvl_doc *doc);
/* Connects the levels and lays them out: side by side where links lead over their edges, as far as that fits;
 * near each other where doors connect them. A target that exists only with another ending (.nw for .graal) is
 * that file. */
LVL_API lvl_status lvl_graph_finish(lvl_graph *graph);
/* The levels, sorted by name. Owned by the graph; NULL and 0 before lvl_graph_finish. */
LVL_API const lvl_graph_node *lvl_graph_nodes(const lvl_graph *graph, uint32_t *count);
/* The links between levels: one edge for each pair and direction, sorted by their two ends. Owned by the
 * graph; NULL and 0 before lvl_graph_finish. */
LVL_API const lvl_graph_edge *lvl_graph_edges(const lvl_graph *graph, uint32_t *count);
/* The graph in the DOT language: a node for each level, dashed where it is missing; an edge for each pair of
 * levels with the number of links, both directions as one edge ("2+1"), one-way links marked. */
LVL_API lvl_status lvl_graph_dot(const lvl_graph *graph, lvl_buffer *out);

/* A picture of the graph. */
typedef struct lvl_graph_picture {
    uint32_t size; /* px of a level, each way; 0: 96 */
    /* The picture of a level by its `file`, no larger than `size`; NULL: it is drawn as a box. Or NULL: all
     * are. */
    const lvl_image *(*level)(void *user, size_t file);
    void *user;
    uint32_t band_bytes; /* pixels drawn at once, about; 0: 4 MiB */
} lvl_graph_picture;

/* As a PNG. Levels as pictures or boxes, missing ones dashed. A link over an edge to the adjacent level is a
 * stroke over that edge; any other link is an arrow, with a number where it stands for several links: yellow
 * over edges, orange if there is no link back, grey to missing levels. `picture` may be NULL. LVL_ERR_ARG: an
 * empty graph. LVL_ERR_LIMIT: too large. */
LVL_API lvl_status lvl_render_graph_png(const lvl_graph *graph, const lvl_graph_picture *picture,
                                        lvl_writer *out);

#ifdef __cplusplus
}
#endif

#endif
