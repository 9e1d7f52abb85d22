/*
 * tools/world/graph.c: a graph of levels: files and links are added, joined by name, and written as DOT.
 */
#include "tools/world/graph_internal.h"

#include "base/search.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 1 << 26 }; /* links, and files */

lvl_graph *lvl_graph_new(const lvl_ctx *ctx)
{
    lvl_graph *graph = lvl_mem_alloc(ctx, sizeof *graph);

    if (!graph)
        return NULL;
    memset(graph, 0, sizeof *graph);
    graph->ctx = ctx;
    lvl_arena_init(&graph->arena, ctx);
    return graph;
}

void lvl_graph_free(lvl_graph *graph)
{
    if (!graph)
        return;
    lvl_arena_free(&graph->arena);
    free(graph->files);
    free(graph->links);
    lvl_mem_free(graph->ctx, graph);
}

const lvl_graph_node *lvl_graph_nodes(const lvl_graph *graph, uint32_t *count)
{
    *count = graph->node_count;
    return graph->nodes;
}

const lvl_graph_edge *lvl_graph_edges(const lvl_graph *graph, uint32_t *count)
{
    *count = graph->edge_count;
    return graph->edges;
}

/* Compares without regard to ASCII case. */
static int compare_names(const char *a, const char *b)
{
    while (*a && lvl_lower(*a) == lvl_lower(*b)) {
        a++;
        b++;
    }
    return (int)(uint8_t)lvl_lower(*a) - (int)(uint8_t)lvl_lower(*b);
}

/* ---- adding ------------------------------------------------------------------------------------------ */

/* The part after the last slash, copied. */
static const char *keep_name(lvl_graph *graph, lvl_text name)
{
    name = lvl_path_last(name);
    char *copy = lvl_arena_alloc(&graph->arena, name.len + 1);
    if (copy && name.len)
        memcpy(copy, name.ptr, name.len);
    for (size_t i = 0; copy && i < name.len; i++) {
        if (!copy[i])
            copy[i] = '?';
    }
    return copy;
}

typedef struct adder {
    lvl_graph *graph;
    const lvl_doc *doc;
    const char *name;
    size_t file;
    bool map;
} adder;

static lvl_status add_link(void *user, const lvl_doc_link *link)
{
    adder *a = user;
    lvl_graph *graph = a->graph;
    lvl_buffer utf8 = {0};

    lvl_text_to_utf8(&utf8, lvl_doc_codepage(a->doc), link->target);
    const char *to =
        utf8.status == LVL_OK ? keep_name(graph, (lvl_text){(const char *)utf8.data, utf8.len}) : NULL;
    lvl_buffer_free(&utf8);
    if (!to || graph->link_count >= MAX_NODES ||
        !lvl_grow(&graph->links, &graph->link_cap, graph->link_count + 1, sizeof *graph->links))
        return LVL_ERR_MEMORY;
    a->map = a->map || link->way == LVL_WAY_PLACE;
    if (*to)
        graph->links[graph->link_count++] = (lvl_graph_link){
            .from = link->way == LVL_WAY_PLACE ? NULL : a->name, .to = to, .file = a->file, .way = link->way};
    return LVL_OK;
}

lvl_status lvl_graph_add(lvl_graph *graph, size_t file, const char *path, const lvl_doc *doc)
{
    adder a = {.graph = graph, .doc = doc, .file = file, .name = keep_name(graph, lvl_text_of(path))};

    if (graph->finished)
        return LVL_ERR_ARG;
    if (!a.name || graph->file_count >= MAX_NODES ||
        !lvl_grow(&graph->files, &graph->file_cap, graph->file_count + 1, sizeof *graph->files))
        return LVL_ERR_MEMORY;
    const lvl_status status = lvl_doc_links(doc, add_link, &a);
    if (status == LVL_OK)
        graph->files[graph->file_count++] = (lvl_graph_file){a.name, file, a.map};
    return status;
}

/* ---- joining ----------------------------------------------------------------------------------------- */

static int by_name_then_file(const void *a, const void *b)
{
    const lvl_graph_file *p = a, *q = b;
    const int order = compare_names(p->name, q->name);

    return order ? order : p->file < q->file ? -1 : p->file > q->file;
}

static int by_name(const void *a, const void *b)
{
    return compare_names(((const lvl_graph_node *)a)->name, ((const lvl_graph_node *)b)->name);
}

static int by_ends(const void *a, const void *b)
{
    const lvl_graph_link *p = a, *q = b;

    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    return (p->way > q->way) - (p->way < q->way);
}

/* Index of the first node whose name is not less than `name`. */
static uint32_t lower_bound(const lvl_graph_node *nodes, uint32_t count, const char *name)
{
    size_t at;

    LVL_LOWER_BOUND(at, count, compare_names(nodes[at].name, name) < 0);
    return (uint32_t)at;
}

static bool find_node(const lvl_graph_node *nodes, uint32_t count, const char *name, uint32_t *out)
{
    *out = lower_bound(nodes, count, name);
    return *out < count && compare_names(nodes[*out].name, name) == 0;
}

/* The node whose name differs only in the ending; NULL: none. */
static const char *find_twin(const lvl_graph *graph, uint32_t count, const char *name)
{
    const char *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) + 1 : 0;
    char start[256];

    if (stem < 2 || stem >= sizeof start)
        return NULL;
    memcpy(start, name, stem);
    start[stem] = 0;
    for (uint32_t i = lower_bound(graph->nodes, count, start); i < count; i++) {
        const char *other = graph->nodes[i].name;
        const lvl_text begin = {other, strlen(other) < stem ? strlen(other) : stem};
        if (!lvl_text_equal_nocase(begin, lvl_text_of(start)))
            return NULL;
        if (!strchr(other + stem, '.'))
            return other;
    }
    return NULL;
}

/* Nodes for the files, and after them for targets that are none of these. */
static lvl_status make_nodes(lvl_graph *graph)
{
    uint32_t count = 0, known;

    graph->nodes =
        lvl_arena_array(&graph->arena, graph->file_count + graph->link_count, sizeof *graph->nodes);
    if (!graph->nodes)
        return LVL_ERR_MEMORY;
    if (graph->file_count)
        qsort(graph->files, graph->file_count, sizeof *graph->files, by_name_then_file);
    for (size_t i = 0; i < graph->file_count; i++) {
        const lvl_graph_file *f = &graph->files[i];
        if (!f->map && (!count || compare_names(graph->nodes[count - 1].name, f->name) != 0))
            graph->nodes[count++] = (lvl_graph_node){.name = f->name, .file = f->file};
    }
    known = count;
    for (size_t i = 0; i < graph->link_count; i++) {
        lvl_graph_link *link = &graph->links[i];
        uint32_t at;
        if (find_node(graph->nodes, known, link->to, &at))
            continue;
        const char *other = find_twin(graph, known, link->to);
        if (other)
            link->to = other;
        else
            graph->nodes[count++] = (lvl_graph_node){.name = link->to, .file = LVL_GRAPH_NO_FILE};
    }
    /* each missing one once: of names that differ in case the first by bytes, so that the order of adding
     * makes no difference */
    if (count > known)
        qsort(graph->nodes + known, count - known, sizeof *graph->nodes, by_name);
    uint32_t kept = known;
    for (uint32_t i = known; i < count; i++) {
        if (kept > known && compare_names(graph->nodes[kept - 1].name, graph->nodes[i].name) == 0) {
            if (strcmp(graph->nodes[i].name, graph->nodes[kept - 1].name) < 0)
                graph->nodes[kept - 1].name = graph->nodes[i].name;
            continue;
        }
        graph->nodes[kept++] = graph->nodes[i];
    }
    if (kept)
        qsort(graph->nodes, kept, sizeof *graph->nodes, by_name);
    graph->node_count = kept;
    return LVL_OK;
}

/* Whether the link counts: of two files of one name only the links of the first do. */
static bool link_counts(const lvl_graph *graph, const lvl_graph_link *link)
{
    return !link->from || graph->nodes[link->a].file == link->file;
}

static void number_links(lvl_graph *graph)
{
    for (size_t i = 0; i < graph->link_count; i++) {
        lvl_graph_link *link = &graph->links[i];
        find_node(graph->nodes, graph->node_count, link->to, &link->b);
        if (!link->from || !find_node(graph->nodes, graph->node_count, link->from, &link->a))
            link->a = UINT32_MAX;
    }
    if (graph->link_count)
        qsort(graph->links, graph->link_count, sizeof *graph->links, by_ends);
}

static lvl_graph_edge *find_edge(const lvl_graph *graph, uint32_t from, uint32_t to)
{
    const lvl_graph_edge *edges = graph->edges;
    size_t at;

    LVL_LOWER_BOUND(at, graph->edge_count,
                    edges[at].from < from || (edges[at].from == from && edges[at].to < to));
    return at < graph->edge_count && edges[at].from == from && edges[at].to == to ? &graph->edges[at] : NULL;
}

static lvl_status make_edges(lvl_graph *graph)
{
    graph->edges = lvl_arena_array(&graph->arena, graph->link_count, sizeof *graph->edges);
    if (!graph->edges)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < graph->link_count; i++) {
        const lvl_graph_link *link = &graph->links[i];
        lvl_graph_edge *last = graph->edge_count ? &graph->edges[graph->edge_count - 1] : NULL;
        if (!link->from || !link_counts(graph, link))
            continue;
        graph->nodes[link->a].out++;
        graph->nodes[link->b].in++;
        if (!last || last->from != link->a || last->to != link->b) {
            graph->edges[graph->edge_count++] =
                (lvl_graph_edge){.from = link->a, .to = link->b, .count = 1, .way = link->way};
            continue;
        }
        last->count++;
        if (last->way == LVL_WAY_DOOR)
            last->way = link->way;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        lvl_graph_edge *e = &graph->edges[i];
        e->back = e->from != e->to && find_edge(graph, e->to, e->from);
    }
    return LVL_OK;
}

lvl_status lvl_graph_finish(lvl_graph *graph)
{
    if (graph->finished)
        return LVL_OK;
    graph->finished = true;
    lvl_status status = make_nodes(graph);
    if (status == LVL_OK) {
        number_links(graph);
        status = make_edges(graph);
    }
    return status;
}

/* ---- DOT --------------------------------------------------------------------------------------------- */

/* Appends a name as a string of DOT: control characters are shown, and a backslash is one in a label too. */
static void put_quoted(lvl_buffer *out, const char *text)
{
    lvl_buffer shown = {0};

    lvl_text_escape(&shown, LVL_CP_UTF8, lvl_text_of(text), false);
    lvl_buffer_u8(out, '"');
    for (size_t i = 0; i < shown.len; i++) {
        if (shown.data[i] == '"' || shown.data[i] == '\\')
            lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, shown.data[i]);
    }
    lvl_buffer_u8(out, '"');
    if (shown.status != LVL_OK)
        out->status = shown.status;
    lvl_buffer_free(&shown);
}

/* Appends a text of a label that looks like HTML, or of an attribute in it. */
static void put_markup(lvl_buffer *out, const char *text)
{
    lvl_buffer shown = {0};

    lvl_text_escape(&shown, LVL_CP_UTF8, lvl_text_of(text), false);
    lvl_text_markup(out, (lvl_text){(const char *)shown.data, shown.len}, true);
    if (shown.status != LVL_OK)
        out->status = shown.status;
    lvl_buffer_free(&shown);
}

/* Appends the label of a level with its picture, at 96 px to an inch of 72 points. */
static void put_picture(lvl_buffer *out, const char *name, const lvl_graph_picture *picture)
{
    lvl_buffer_printf(out,
                      " [margin=0, label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR>"
                      "<TD FIXEDSIZE=\"TRUE\" WIDTH=\"%u\" HEIGHT=\"%u\"><IMG SCALE=\"TRUE\" SRC=\"",
                      (picture->width * 3 + 3) / 4, (picture->height * 3 + 3) / 4);
    put_markup(out, picture->path);
    lvl_buffer_str(out, "\"/></TD></TR><TR><TD CELLPADDING=\"3\">");
    put_markup(out, name);
    lvl_buffer_str(out, "</TD></TR></TABLE>>]");
}

static void put_node(lvl_buffer *out, const lvl_graph_node *node, const lvl_graph_picture *picture)
{
    lvl_buffer_str(out, "    ");
    put_quoted(out, node->name);
    if (node->file == LVL_GRAPH_NO_FILE)
        lvl_buffer_str(out, " [style=dashed, color=gray50, fontcolor=gray40]");
    else if (picture && picture->path)
        put_picture(out, node->name, picture);
    if (strchr(node->name, '&') && !(picture && picture->path)) { /* a label has references, "&lt;" */
        lvl_buffer_str(out, " [label=<");
        put_markup(out, node->name);
        lvl_buffer_str(out, ">]");
    }
    lvl_buffer_str(out, ";\n");
}

static void put_edge(lvl_buffer *out, const lvl_graph *graph, const lvl_graph_edge *e)
{
    const lvl_graph_edge *back = e->back ? find_edge(graph, e->to, e->from) : NULL;

    if (back && e->from > e->to)
        return; /* it was written with the other edge */
    lvl_buffer_str(out, "    ");
    put_quoted(out, graph->nodes[e->from].name);
    lvl_buffer_str(out, " -> ");
    put_quoted(out, graph->nodes[e->to].name);
    if (back)
        lvl_buffer_printf(out, " [dir=both, label=\"%u+%u\"", e->count, back->count);
    else
        lvl_buffer_printf(out, " [label=\"%u\", color=orangered", e->count);
    lvl_buffer_str(out, e->way == LVL_WAY_DOOR ? "];\n" : ", penwidth=2];\n");
}

lvl_status lvl_graph_dot(const lvl_graph *graph, const lvl_graph_picture *pictures, lvl_buffer *out)
{
    lvl_buffer_str(out, "digraph levels {\n"
                        "    node [shape=box, fontname=\"Helvetica\", fontsize=10];\n"
                        "    edge [fontname=\"Helvetica\", fontsize=9];\n");
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const lvl_graph_node *n = &graph->nodes[i];
        put_node(out, n, pictures && n->file != LVL_GRAPH_NO_FILE ? &pictures[n->file] : NULL);
    }
    for (uint32_t i = 0; i < graph->edge_count; i++)
        put_edge(out, graph, &graph->edges[i]);
    lvl_buffer_str(out, "}\n");
    return out->status;
}
