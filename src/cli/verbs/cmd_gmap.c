/*
 * cli/verbs/cmd_gmap.c: `lvl gmap`: makes a world map of the levels in a folder, by links over their edges or
 * by coordinates in their names.
 */
#include "cli/world/graph.h"

#include "base/text.h"
#include "tools/world/graph.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 1 << 20, MAX_DIGITS = 4 };

typedef struct world {
    lvl_graph *graph;
    atomic_flag busy;
    const lvl_graph_node *nodes;
    uint32_t node_count;
} world;

/* A level and its cell of the map. */
typedef struct place {
    const lvl_graph_node *node;
    int32_t x, y;
    lvl_text group; /* by names: the part of the name that the levels of a map share */
    char form[4]; /* by names: kinds of both coordinates and the separator: "1-1", "a1" */
} place;

typedef struct map {
    place *places;
    size_t count;
    int32_t width, height;
} map;

/* ---- by links ---------------------------------------------------------------------------------------- */

/* The block of the level called `start`, or (NULL) the first of the largest ones. LVL_ERR_MISSING: none. */
static lvl_status choose_block(const world *w, const char *start, uint32_t *block)
{
    uint32_t *sizes = calloc((size_t)w->node_count + 1, sizeof *sizes);
    bool found = false;

    if (!sizes)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < w->node_count; i++) {
        const lvl_graph_node *n = &w->nodes[i];
        if (n->file == LVL_GRAPH_NO_FILE || n->block >= w->node_count)
            continue;
        sizes[n->block]++;
        const bool is = start && lvl_text_equal_nocase(lvl_text_of(n->name), lvl_text_of(start));
        if (is || (!start && (!found || sizes[n->block] > sizes[*block]))) {
            *block = n->block;
            found = true;
        }
    }
    free(sizes);
    return found ? LVL_OK : LVL_ERR_MISSING;
}

static lvl_status place_by_links(const world *w, const char *start, map *m)
{
    uint32_t block = 0;

    m->count = 0;
    const lvl_status status = choose_block(w, start, &block);
    if (status != LVL_OK)
        return status == LVL_ERR_MISSING ? LVL_OK : status;
    for (uint32_t i = 0; i < w->node_count; i++) {
        const lvl_graph_node *n = &w->nodes[i];
        if (n->file != LVL_GRAPH_NO_FILE && n->block == block)
            m->places[m->count++] = (place){.node = n, .x = n->x, .y = n->y};
    }
    return LVL_OK;
}

/* ---- by names ---------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return lvl_lower(c) >= 'a' && lvl_lower(c) <= 'z';
}

/* Removes a coordinate from the end of the text. Returns its kind: '1' for up to four digits, 'a' for one or
 * two letters, 0: there is none. */
static char take_coordinate(lvl_text *text, int32_t *value)
{
    const size_t all = text->len;
    size_t n = 0;

    *value = 0;
    while (n < all && lvl_is_digit(text->ptr[all - n - 1]))
        n++;
    if (n) {
        for (size_t i = all - n; i < all && n <= MAX_DIGITS; i++)
            *value = *value * 10 + (text->ptr[i] - '0');
        text->len -= n;
        return n <= MAX_DIGITS ? '1' : 0;
    }
    while (n < all && is_letter(text->ptr[all - n - 1]))
        n++;
    for (size_t i = all - n; i < all && n <= 2; i++)
        *value = *value * 26 + (lvl_lower(text->ptr[i]) - 'a');
    text->len -= n;
    return n == 1 || n == 2 ? 'a' : 0;
}

/* "town-a3.nw", "map_2_5.nw", "w01x02.graal". */
static bool read_name(const lvl_graph_node *node, place *out)
{
    lvl_text stem = {node->name, (size_t)(cli_ending(node->name) - node->name)};
    int32_t second, first;

    const char b = take_coordinate(&stem, &second);
    const char between = stem.len && strchr("-_x,.", stem.ptr[stem.len - 1]) ? stem.ptr[stem.len - 1] : 0;
    stem.len -= between != 0;
    const char a = b ? take_coordinate(&stem, &first) : 0;
    if (!a || (a == 'a' && b == 'a') || (a == b && !between))
        return false;
    *out = (place){.node = node, .x = first, .y = second, .group = stem, .form = {a, between, b, 0}};
    return true;
}

static int by_group(const void *a, const void *b)
{
    const place *p = a, *q = b;
    int order = memcmp(p->form, q->form, sizeof p->form);

    if (!order)
        order = lvl_text_compare_nocase(p->group, q->group);
    return order ? order : (p->node > q->node) - (p->node < q->node);
}

static bool same_group(const place *a, const place *b)
{
    return memcmp(a->form, b->form, sizeof a->form) == 0 && lvl_text_equal_nocase(a->group, b->group);
}

/* Interprets a pair of coordinates. `how`: bit 0: the second one is x; bits 1 and 2: x and y count
 * backwards. */
static void interpret(const place *p, unsigned how, int32_t *x, int32_t *y)
{
    const int32_t a = how & 1 ? p->y : p->x, b = how & 1 ? p->x : p->y;

    *x = how & 2 ? -a : a;
    *y = how & 4 ? -b : b;
}

/* Number of links over edges that agree with this interpretation of coordinates. */
static size_t count_agreeing(const world *w, const place *const *of_node, unsigned how)
{
    static const int8_t steps[][2] = {
        [LVL_WAY_LEFT] = {-1, 0}, [LVL_WAY_UP] = {0, -1}, [LVL_WAY_RIGHT] = {1, 0}, [LVL_WAY_DOWN] = {0, 1}};
    uint32_t count;
    const lvl_graph_edge *edges = lvl_graph_edges(w->graph, &count);
    size_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        const lvl_graph_edge *e = &edges[i];
        int32_t ax, ay, bx, by;
        if (e->way < LVL_WAY_LEFT || e->way > LVL_WAY_DOWN || !of_node[e->from] || !of_node[e->to])
            continue;
        interpret(of_node[e->from], how, &ax, &ay);
        interpret(of_node[e->to], how, &bx, &by);
        n += bx - ax == steps[e->way][0] && by - ay == steps[e->way][1];
    }
    return n;
}

/* Selects the largest group of names, or that of `start`, and the interpretation of coordinates with which
 * most links agree; without links, the first coordinate is x. */
static bool place_by_names(const world *w, const char *start, map *m)
{
    const place **of_node = calloc((size_t)w->node_count + 1, sizeof *of_node);
    size_t count = 0, from = 0, best = 0;
    unsigned how = 0;

    m->count = 0;
    if (!of_node)
        return false;
    for (uint32_t i = 0; i < w->node_count; i++)
        count += w->nodes[i].file != LVL_GRAPH_NO_FILE && read_name(&w->nodes[i], &m->places[count]);
    if (count)
        qsort(m->places, count, sizeof *m->places, by_group);
    for (size_t i = 0, end; i < count; i = end) {
        bool wanted = !start;
        for (end = i; end < count && same_group(&m->places[i], &m->places[end]); end++)
            wanted =
                wanted || lvl_text_equal_nocase(lvl_text_of(m->places[end].node->name), lvl_text_of(start));
        if (wanted && end - i > m->count) {
            from = i;
            m->count = end - i;
        }
    }
    if (m->count)
        memmove(m->places, m->places + from, m->count * sizeof *m->places);
    for (size_t i = 0; i < m->count; i++)
        of_node[m->places[i].node - w->nodes] = &m->places[i];
    for (unsigned k = 0; k < 8; k++) {
        const size_t n = count_agreeing(w, of_node, k);
        how = n > best ? k : how;
        best = n > best ? n : best;
    }
    for (size_t i = 0; i < m->count; i++)
        interpret(&m->places[i], how, &m->places[i].x, &m->places[i].y);
    free((void *)of_node);
    return true;
}

/* ---- the map ----------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;

    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->node > q->node) - (p->node < q->node);
}

/* Moves the map to 0,0 and sorts it by rows. If two levels have the same cell, the second is left out and
 * reported. */
static void arrange(cli_job *job, map *m)
{
    int32_t left = 0, top = 0;
    size_t kept = 0;

    for (size_t i = 0; i < m->count; i++) {
        left = !i || m->places[i].x < left ? m->places[i].x : left;
        top = !i || m->places[i].y < top ? m->places[i].y : top;
    }
    for (size_t i = 0; i < m->count; i++) {
        place *p = &m->places[i];
        p->x -= left;
        p->y -= top;
        m->width = p->x >= m->width ? p->x + 1 : m->width;
        m->height = p->y >= m->height ? p->y + 1 : m->height;
    }
    if (m->count)
        qsort(m->places, m->count, sizeof *m->places, by_place);
    for (size_t i = 0; i < m->count; i++) {
        const place *p = &m->places[i], *last = kept ? &m->places[kept - 1] : NULL;
        if (last && last->x == p->x && last->y == p->y)
            lvl_buffer_printf(&job->err, "%s: left out: %s has the same place\n", p->node->name,
                              last->node->name);
        else
            m->places[kept++] = *p;
    }
    m->count = kept;
}

/* "rows=[…]", an assignment for lvl_set. */
static void put_rows(const map *m, lvl_buffer *out)
{
    size_t at = 0;

    lvl_buffer_str(out, "rows=[");
    for (int32_t y = 0; y < m->height; y++) {
        lvl_buffer_str(out, y ? ",{\"names\":[" : "{\"names\":[");
        for (int32_t x = 0; x < m->width; x++) {
            const bool here = at < m->count && m->places[at].x == x && m->places[at].y == y;
            lvl_buffer_str(out, x ? "," : "");
            lvl_json_string(out, lvl_text_of(here ? m->places[at].node->name : ""));
            at += here;
        }
        lvl_buffer_str(out, "]}");
    }
    lvl_buffer_str(out, "]");
    lvl_buffer_u8(out, 0);
}

static lvl_status make_map(cli_job *job, const map *m, lvl_buffer *bytes)
{
    const lvl_format *format = lvl_format_find("gmap");
    const bool bigmap = job->c->opt->output && lvl_text_has_ending(lvl_text_of(job->c->opt->output), ".txt");
    lvl_buffer rows = {0};
    const char *sets[] = {"version=bigmap", ""};

    put_rows(m, &rows);
    lvl_status status = rows.status;
    if (status == LVL_OK)
        status = lvl_doc_new(&job->doc, &job->ctx, format);
    if (status == LVL_OK) {
        sets[1] = (const char *)rows.data;
        status = lvl_set(job->doc, sets + !bigmap, 1 + bigmap, NULL, job->findings);
    }
    if (status == LVL_OK)
        status = lvl_write(job->doc, bytes, job->findings);
    lvl_buffer_free(&rows);
    return status;
}

static void report(cli_job *job, const world *w, const map *m)
{
    const cli *c = job->c;
    const bool to_stdout = c->plan->place == CLI_TO_STDOUT;
    bool *on_map = calloc((size_t)w->node_count + 1, sizeof *on_map);
    uint32_t levels = 0;

    for (size_t i = 0; on_map && i < m->count; i++)
        on_map[m->places[i].node - w->nodes] = true;
    for (uint32_t i = 0; i < w->node_count; i++) {
        if (w->nodes[i].file == LVL_GRAPH_NO_FILE)
            continue;
        levels++;
        if (c->opt->verbose && on_map && !on_map[i])
            lvl_buffer_printf(&job->err, "%s: not on the map\n", w->nodes[i].name);
    }
    free(on_map);
    if (c->opt->json && !to_stdout) {
        cli_json_begin(&job->out, c->args.items[0]);
        lvl_json_put_int(&job->out, "width", m->width);
        lvl_json_put_int(&job->out, "height", m->height);
        lvl_json_put_uint(&job->out, "levels", m->count);
        lvl_json_put_uint(&job->out, "left_out", levels - m->count);
        lvl_buffer_str(&job->out, "}\n");
    } else if (!c->opt->quiet) {
        lvl_buffer_printf(&job->err, "lvl: a map of %d by %d with %zu levels; %zu other%s not on it%s\n",
                          (int)m->width, (int)m->height, m->count, levels - m->count,
                          levels - m->count == 1 ? " is" : "s are",
                          levels > m->count && !c->opt->verbose ? " (-v lists them)" : "");
    }
}

static void deliver(cli_job *job, world *w, map *m)
{
    const cli_options *opt = job->c->opt;
    const bool names = opt->by && strcmp(opt->by, "names") == 0, links = opt->by && !names;
    lvl_buffer bytes = {0};
    lvl_status status = LVL_OK;

    if (!names)
        status = place_by_links(w, opt->start, m);
    if (status == LVL_OK && (names || (!links && m->count < 2)))
        status = place_by_names(w, opt->start, m) ? LVL_OK : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        arrange(job, m);
    if (status != LVL_OK) {
        cli_job_status(job, status, NULL, NULL);
    } else if (m->count < 2) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     "no map: expected levels whose links join edges, or whose names end "
                     "in coordinates (a1, 2-5)");
    } else if ((int64_t)m->width * m->height > MAX_CELLS) {
        cli_job_fail(job, EXIT_NEGATIVE, "no map: %d by %d cells are more than the %d that lvl makes",
                     (int)m->width, (int)m->height, MAX_CELLS);
    } else {
        status = make_map(job, m, &bytes);
        cli_job_status(job, status, job->findings, NULL);
        if (status == LVL_OK)
            cli_deliver_whole(job, lvl_buffer_bytes(&bytes));
        if (status == LVL_OK && !job->code)
            report(job, w, m);
    }
    lvl_buffer_free(&bytes);
}

static void finish(cli_job *job)
{
    world *w = job->c->user;
    map m = {0};

    lvl_status status = lvl_graph_finish(w->graph);
    if (status == LVL_OK)
        status = lvl_graph_place(w->graph);
    w->nodes = lvl_graph_nodes(w->graph, &w->node_count);
    m.places = calloc((size_t)w->node_count + 1, sizeof *m.places);
    if (status == LVL_OK && !m.places)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK)
        deliver(job, w, &m);
    else
        cli_job_status(job, status, NULL, NULL);
    free(m.places);
}

static void gmap_job(cli_job *job)
{
    world *w = job->c->user;

    cli_graph_add(job, w->graph, &w->busy, false);
}

int cmd_gmap(cli *c)
{
    world w = {.busy = ATOMIC_FLAG_INIT};
    const cli_batch batch = {.work = gmap_job, .user = &w, .done_word = "read"};

    int code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = cli_plan_whole(c);
    if (code)
        return code;
    w.graph = lvl_graph_new(&c->ctx);
    code = w.graph ? cli_run_whole(c, &batch, "map", c->args.items[0], finish) : cli_no_memory(c);
    lvl_graph_free(w.graph);
    return code;
}
