/*
 * cli/verbs/cmd_graph.c: `lvl render --graph`: the links between levels, as DOT or as a picture.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <lvl/graph.h>
#include <lvl/render.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    USUAL = 96,
    LEAST = 16,
    LEAST_USUAL = 32, /* names are drawn from here on */
    MAX_BYTES = 256 << 20, /* of all small pictures */
    MAX_SIDE = 2400 /* px of all of them as a square: with links between them, it is larger */
};

typedef struct gather {
    lvl_graph *graph;
    atomic_flag busy; /* a lock: set while a thread adds to the graph */
    bool picture;
    uint32_t size;
    lvl_image *images; /* by input; NULL for DOT */
} gather;

static lvl_status draw_small(cli_job *job, const gather *g, lvl_image *out)
{
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_art *art = cli_art_take(job);

    if (!art)
        return LVL_ERR_MEMORY;
    lvl_render_options_init(&options);
    options.size = g->size;
    options.schematic = job->c->opt.schematic;
    options.no_things = true; /* marks would hide such a small level */
    const lvl_scene_request request = {.art = art};
    lvl_status status = lvl_doc_scene(job->doc, &request, &scene);
    if (status == LVL_OK) {
        options.no_things = options.schematic || !scene->has_art;
        status = lvl_render_image(scene, &options, out);
    }
    lvl_scene_free(scene);
    cli_art_give(job, art);
    /* a level that cannot be drawn is shown as a box */
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static lvl_status note_way(void *user, const lvl_doc_link *link)
{
    bool *map = user;

    *map = *map || link->way == LVL_WAY_PLACE;
    return LVL_OK;
}

bool cli_graph_add(cli_job *job, struct lvl_graph *graph, atomic_flag *busy, bool maps)
{
    const size_t index = (size_t)(job->input - job->c->inputs.items);
    bool map = false;

    if (!cli_job_read(job, 0))
        return false;
    if (!(lvl_format_can(job->format) & LVL_CAN_LINKS)) {
        if (job->input->named)
            cli_job_fail(job, EXIT_NEGATIVE, "this format has no links (%s)", job->format->title);
        else
            job->outcome = CLI_SKIPPED_OTHER;
        return false;
    }
    lvl_status status = lvl_doc_links(job->doc, note_way, &map);
    if (status == LVL_OK && (maps || !map)) {
        while (atomic_flag_test_and_set(busy))
            ;
        status = lvl_graph_add(graph, index, job->input->name, job->doc);
        atomic_flag_clear(busy);
    }
    cli_job_status(job, status, NULL, NULL);
    return status == LVL_OK && !map;
}

static void graph_job(cli_job *job)
{
    gather *g = job->c->user;
    const size_t index = (size_t)(job->input - job->c->inputs.items);

    if (!cli_graph_add(job, g->graph, &g->busy, true) || !g->picture)
        return;
    const lvl_status status = draw_small(job, g, &g->images[index]);
    if (status != LVL_OK && !job->code)
        cli_job_status(job, status, NULL, NULL);
}

static const lvl_image *small_of(void *user, size_t file)
{
    const gather *g = user;

    return g->images[file].pixels ? &g->images[file] : NULL;
}

static void report(cli *c, const lvl_graph *graph)
{
    const lvl_graph_node *nodes;
    uint32_t count, edges, missing = 0;
    uint64_t links = 0, one_way = 0;

    nodes = lvl_graph_nodes(graph, &count);
    const lvl_graph_edge *e = lvl_graph_edges(graph, &edges);
    for (uint32_t i = 0; i < count; i++)
        missing += nodes[i].file == LVL_GRAPH_NO_FILE;
    for (uint32_t i = 0; i < edges; i++) {
        links += e[i].count;
        one_way += !e[i].back && e[i].from != e[i].to && nodes[e[i].to].file != LVL_GRAPH_NO_FILE;
    }
    if (!c->opt.quiet && !links)
        cli_report(c, "%u level%s, no links between them", count, count == 1 ? "" : "s");
    else if (!c->opt.quiet)
        cli_report(c, "%u levels, %u missing; %llu links, %llu one-way links", count - missing, missing,
                   (unsigned long long)links, (unsigned long long)one_way);
}

static lvl_status draw_all(gather *g, lvl_buffer *out)
{
    const lvl_graph_picture picture = {.size = g->size, .level = small_of, .user = g};
    lvl_buffer_writer writer = lvl_buffer_writer_to(out);

    return g->picture ? lvl_render_graph_png(g->graph, &picture, &writer.writer)
                      : lvl_graph_dot(g->graph, out);
}

static void deliver(cli_job *job)
{
    cli *c = job->c;
    gather *g = c->user;
    lvl_buffer out = {0};
    uint32_t count;

    lvl_status status = lvl_graph_finish(g->graph);
    lvl_graph_nodes(g->graph, &count);
    if (status == LVL_OK && count)
        status = draw_all(g, &out);
    if (status == LVL_ERR_LIMIT)
        cli_job_limit(job, "too large for one picture; use a smaller --size, or raise the "
                           "limit with `--limit cells=N'");
    else if (status != LVL_OK)
        cli_job_status(job, status, NULL, NULL);
    else if (!count)
        cli_job_fail(job, EXIT_NEGATIVE, "no level found that has links");
    else
        cli_write_to_name(job, c->opt.output, lvl_buffer_bytes(&out));
    if (status == LVL_OK && count)
        report(c, g->graph);
    lvl_buffer_free(&out);
}

static bool ends_in(const char *path, const char *ending)
{
    return path && lvl_text_has_ending(lvl_text_of(path), ending);
}

/* The size of each level: --size, or one at which all of them fit into MAX_BYTES. */
static int choose_size(cli *c, gather *g)
{
    uint64_t size = USUAL;

    if (c->opt.size) {
        if (!cli_number(c->opt.size, 1024, &size) || size < LEAST)
            return cli_usage(c, "--size: with --graph expected a number from 16 to 1024, got `%s'",
                             c->opt.size);
    } else {
        while (size > LEAST && (size * size * 4 * c->inputs.count > MAX_BYTES ||
                                (size > LEAST_USUAL && size * size * c->inputs.count > MAX_SIDE * MAX_SIDE)))
            size -= LEAST;
    }
    g->size = (uint32_t)size;
    return EXIT_FINE;
}

int cmd_render_graph(cli *c)
{
    gather g = {.busy = ATOMIC_FLAG_INIT, .picture = ends_in(c->opt.output, ".png")};
    const cli_batch batch = {.work = graph_job, .user = &g, .done_word = "read"};

    if (!cli_is_stdout(c->opt.output) && !g.picture && !ends_in(c->opt.output, ".dot"))
        return cli_usage(c, "--graph: -o must end in .dot or .png");
    int code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = choose_size(c, &g);
    if (!code)
        code = cli_art_try(c);
    if (code)
        return code;
    g.graph = lvl_graph_new(&c->ctx);
    g.images = calloc(c->inputs.count + 1, sizeof *g.images);
    code =
        g.graph && g.images ? cli_run_whole(c, &batch, "graph", c->args.items[0], deliver) : cli_no_memory(c);
    for (size_t i = 0; g.images && i < c->inputs.count; i++)
        lvl_image_clear(&g.images[i]);
    free(g.images);
    lvl_graph_free(g.graph);
    return code;
}
