/*
 * cli/world/graph.c: `lvl render --graph`: the links between levels, as DOT with small pictures of the
 * levels, or as a picture that Graphviz draws of that.
 */
#include "cli/world/graph.h"
#include "cli/shared/program.h"

#include "base/text.h"
#include "tools/world/graph.h"

#include <lvl/render.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    USUAL = 96, /* px of a level */
    LEAST = 16,
    MAX_BYTES = 256 << 20, /* of all small pictures */
    /* Levels that `dot` lays out: from top to bottom, and those without links in a row, which gets wide. */
    MAX_ORDERED = 24,
    MAX_NEAR = 300, /* that `neato` lays out; of more it takes minutes */
    MAX_SECONDS = 120, /* for Graphviz */
    KEPT_SECONDS = 24 * 60 * 60
};

/* A level's picture, as PNG. */
typedef struct small_picture {
    lvl_buffer png;
    uint32_t width, height;
} small_picture;

typedef struct gather {
    lvl_graph *graph;
    atomic_flag busy; /* a lock: set while a thread adds to the graph */
    const char *drawn; /* "png", "svg": Graphviz makes it; NULL: DOT */
    bool pictures;
    uint32_t size;
    small_picture *small; /* by input */
    lvl_graph_picture *named; /* the same, by their paths */
} gather;

/* ---- the levels -------------------------------------------------------------------------------------- */

static lvl_status draw_small(cli_job *job, const gather *g, small_picture *out)
{
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_image image = {0};
    lvl_art *art = cli_art_take(job);

    if (!art)
        return LVL_ERR_MEMORY;
    lvl_render_options_init(&options);
    options.size = g->size;
    options.schematic = job->c->opt->schematic;
    const lvl_scene_request request = {.art = art};
    lvl_status status = lvl_doc_scene(job->doc, &request, &scene);
    if (status == LVL_OK) {
        options.no_things = options.schematic || !scene->has_art; /* marks would hide such a small level */
        status = lvl_render_image(scene, &options, &image);
    }
    if (status == LVL_OK) {
        out->width = image.width;
        out->height = image.height;
        status = lvl_png_write_buffer(&job->ctx, &image, NULL, &out->png);
    }
    lvl_image_clear(&image);
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

    if (!cli_graph_add(job, g->graph, &g->busy, true) || !g->pictures)
        return;
    const lvl_status status = draw_small(job, g, &g->small[index]);
    if (status != LVL_OK && !job->code)
        cli_job_status(job, status, NULL, NULL);
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
    if (!c->opt->quiet && !links)
        cli_report(c, "%u level%s, no links between them", count, count == 1 ? "" : "s");
    else if (!c->opt->quiet)
        cli_report(c, "%u levels, %u missing; %llu links, %llu one-way links", count - missing, missing,
                   (unsigned long long)links, (unsigned long long)one_way);
}

/* ---- DOT and its pictures ---------------------------------------------------------------------------- */

/* Saves the small picture of an input and sets its path in DOT. False: reported. */
typedef bool (*save_picture)(cli_job *job, size_t index, lvl_bytes png, lvl_graph_picture *named);

static bool save_pictures(cli_job *job, save_picture save)
{
    gather *g = job->c->user;

    for (size_t i = 0; i < job->c->inputs.count; i++) {
        small_picture *small = &g->small[i];
        if (!small->png.len)
            continue;
        g->named[i] = (lvl_graph_picture){.width = small->width, .height = small->height};
        if (!save(job, i, lvl_buffer_bytes(&small->png), &g->named[i]))
            return false;
    }
    return true;
}

/* The folder of a DOT file's pictures, beside it. */
static char *folder_of(const char *dot)
{
    return cli_format("%.*s-pictures", (int)(cli_ending(dot) - dot), dot);
}

static bool save_beside(cli_job *job, size_t index, lvl_bytes png, lvl_graph_picture *named)
{
    char *folder = folder_of(job->c->plan->output);
    char *path = folder ? cli_format("%s/%zu.png", folder, index + 1) : NULL;
    char *below = folder ? cli_format("%s/%zu.png", lvl_file_name(folder), index + 1) : NULL;
    const bool saved = path && below && cli_save_to(job, path, png);

    if (!path || !below)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    named->path = below;
    free(path);
    free(folder);
    return saved;
}

static void write_dot(cli_job *job)
{
    const gather *g = job->c->user;
    lvl_buffer dot = {0};

    if (g->pictures) {
        lvl_file_error why = {0};
        char *folder = folder_of(job->c->plan->output);
        const lvl_status made = !folder                ? LVL_ERR_MEMORY
                                : job->c->opt->dry_run ? LVL_OK
                                                       : lvl_folder_make(folder, &why);
        cli_job_file_status(job, folder ? folder : "", made, &why);
        free(folder);
        if (made != LVL_OK || !save_pictures(job, save_beside))
            return;
    }
    const lvl_status status = lvl_graph_dot(g->graph, g->pictures ? g->named : NULL, &dot);
    if (status == LVL_OK)
        cli_deliver_whole(job, lvl_buffer_bytes(&dot));
    else
        cli_job_status(job, status, NULL, NULL);
    lvl_buffer_free(&dot);
}

/* ---- Graphviz ---------------------------------------------------------------------------------------- */

#define TEMPORARY "lvl-graph-" /* how names of temporary files begin */

static char *save_temporary(cli_job *job, const char *ending, lvl_bytes bytes)
{
    lvl_file_error why = {0};
    char *path = NULL;

    const lvl_status status =
        lvl_temporary_save(&path, cli_temporary_folder(), TEMPORARY, ending, bytes, &why);
    if (status != LVL_OK)
        job->code =
            cli_max_exit_code(job->code, cli_report_file(job->c, cli_temporary_folder(), status, &why));
    return path;
}

/* Graphviz runs in the folder of the pictures: it may not be able to open that folder's name. */
static bool save_for_graphviz(cli_job *job, size_t index, lvl_bytes png, lvl_graph_picture *named)
{
    char *path = save_temporary(job, ".png", png);

    (void)index;
    named->path = path ? cli_copy(lvl_file_name(path)) : NULL;
    if (path && !named->path)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    free(path);
    return named->path != NULL;
}

/* Shows the messages of Graphviz, a line each. */
static void show_messages(cli *c, const char *program, const lvl_buffer *messages)
{
    lvl_text rest = lvl_buffer_text(messages);

    while (rest.len) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        const lvl_text line = {rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len};
        lvl_buffer shown = {0};
        lvl_text_escape(&shown, LVL_CP_UTF8, line, false);
        if (shown.len && shown.status == LVL_OK)
            cli_report(c, "%s: %.*s", program, (int)shown.len, (const char *)shown.data);
        lvl_buffer_free(&shown);
        rest.ptr += line.len + (end != NULL);
        rest.len -= line.len + (end != NULL);
    }
    if (messages->status != LVL_OK)
        cli_report(c, "%s: further messages are left out", program);
}

static bool run_graphviz(cli_job *job, const char *dot, const char *result)
{
    const gather *g = job->c->user;
    char type[8], *to = cli_format("-o%s", lvl_file_name(result));
    uint32_t count;

    lvl_graph_nodes(g->graph, &count);
    const char *program = count <= MAX_ORDERED ? "dot" : count <= MAX_NEAR ? "neato" : "sfdp";
    const char *const words[] = {program, type, "-Goverlap=prism", to ? to : "", lvl_file_name(dot), NULL};
    lvl_buffer messages = {.max = 1 << 16};
    snprintf(type, sizeof type, "-T%s", g->drawn);
    const int code = to ? cli_program_run(&(cli_program){.words = words,
                                                         .folder = cli_temporary_folder(),
                                                         .out = &messages,
                                                         .messages = true,
                                                         .seconds = MAX_SECONDS})
                        : CLI_PROGRAM_FAILED;
    show_messages(job->c, program, &messages);
    lvl_buffer_free(&messages);
    free(to);
    if (code == CLI_PROGRAM_MISSING)
        cli_job_fail(
            job, EXIT_ENVIRONMENT,
            "no picture: Graphviz draws it, and there is no program `%s'; install Graphviz (Debian: "
            "apt install graphviz; Windows, macOS: https://graphviz.org/download), or write -o FILE.dot",
            program);
    else if (code == CLI_PROGRAM_LATE && !cli_stopped())
        cli_job_fail(job, EXIT_ENVIRONMENT,
                     "no picture: `%s' of Graphviz takes more than %d seconds; select fewer levels, or write "
                     "-o FILE.dot and choose another program of Graphviz",
                     program, MAX_SECONDS);
    else if (code != 0)
        cli_job_fail(job, EXIT_ENVIRONMENT, "no picture: `%s' of Graphviz failed", program);
    return code == 0;
}

/* Puts the small pictures into an SVG, which Graphviz makes name them. */
static void embed_pictures(const cli_job *job, lvl_text svg, lvl_buffer *out)
{
    static const char start[] = "xlink:href=\"" TEMPORARY;
    const gather *g = job->c->user;
    const lvl_text link = lvl_text_of(start);

    for (size_t at = 0; at < svg.len;) {
        size_t i = 0;
        /* text of levels has no quotes in an SVG */
        if (svg.len - at > link.len && memcmp(svg.ptr + at, link.ptr, link.len) == 0) {
            const char *name = svg.ptr + at + link.len - strlen(TEMPORARY);
            const size_t left = svg.len - (size_t)(name - svg.ptr);
            for (; i < job->c->inputs.count; i++) {
                const char *path = g->named[i].path;
                if (path && left > strlen(path) && memcmp(name, path, strlen(path)) == 0)
                    break;
            }
            if (i < job->c->inputs.count) {
                lvl_buffer_str(out, "xlink:href=\"data:image/png;base64,");
                lvl_base64_encode(out, lvl_buffer_bytes(&g->small[i].png));
                at = (size_t)(name - svg.ptr) + strlen(g->named[i].path);
                continue;
            }
        }
        lvl_buffer_u8(out, (uint8_t)svg.ptr[at++]);
    }
}

/* Delivers what Graphviz has made. */
static void deliver_result(cli_job *job, const char *result)
{
    const gather *g = job->c->user;
    lvl_buffer drawn = {0}, whole = {0};
    lvl_file_error why = {0};

    const lvl_status status = lvl_file_read(&drawn, result, UINT64_MAX, &why);
    if (status != LVL_OK) {
        job->code = cli_max_exit_code(job->code, cli_report_file(job->c, result, status, &why));
    } else if (strcmp(g->drawn, "svg") == 0) {
        embed_pictures(job, lvl_buffer_text(&drawn), &whole);
        if (whole.status == LVL_OK)
            cli_deliver_whole(job, lvl_buffer_bytes(&whole));
        else
            cli_job_status(job, whole.status, NULL, NULL);
    } else {
        cli_deliver_whole(job, lvl_buffer_bytes(&drawn));
    }
    lvl_buffer_free(&drawn);
    lvl_buffer_free(&whole);
}

static void remove_temporary(char *path)
{
    lvl_temporary_remove(path);
    free(path);
}

static void draw(cli_job *job)
{
    static const char *const endings[] = {".png", ".dot", ".tmp"};
    const gather *g = job->c->user;
    lvl_buffer dot = {0};
    char *source = NULL, *result = NULL;

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) /* of a run that was killed */
        lvl_temporary_clean(cli_temporary_folder(), TEMPORARY, endings[i], KEPT_SECONDS);
    if (save_pictures(job, save_for_graphviz)) {
        const lvl_status status = lvl_graph_dot(g->graph, g->named, &dot);
        if (status != LVL_OK)
            cli_job_status(job, status, NULL, NULL);
        else if ((source = save_temporary(job, ".dot", lvl_buffer_bytes(&dot))) != NULL &&
                 (result = save_temporary(job, ".tmp", (lvl_bytes){0})) != NULL &&
                 run_graphviz(job, source, result))
            deliver_result(job, result);
    }
    for (size_t i = 0; i < job->c->inputs.count; i++) {
        if (g->named[i].path)
            remove_temporary(cli_format("%s/%s", cli_temporary_folder(), g->named[i].path));
    }
    remove_temporary(source);
    remove_temporary(result);
    lvl_buffer_free(&dot);
}

/* ---- the verb ---------------------------------------------------------------------------------------- */

static void deliver(cli_job *job)
{
    const gather *g = job->c->user;
    uint32_t count;

    const lvl_status status = lvl_graph_finish(g->graph);
    lvl_graph_nodes(g->graph, &count);
    if (status != LVL_OK)
        cli_job_status(job, status, NULL, NULL);
    else if (!count)
        cli_job_fail(job, EXIT_NEGATIVE, "no level found that has links");
    else if (g->drawn)
        draw(job);
    else
        write_dot(job);
    if (status == LVL_OK && count && !job->code)
        report(job->c, g->graph);
}

static bool ends_in(const char *path, const char *ending)
{
    return path && lvl_text_has_ending(lvl_text_of(path), ending);
}

/* The size of each level: --size, or one at which all of them fit into MAX_BYTES. */
static int choose_size(cli *c, gather *g)
{
    uint64_t size = USUAL;

    if (c->opt->size) {
        if (!cli_number(c->opt->size, 1024, &size) || size < LEAST)
            return cli_usage(c, "--size: with --graph expected a number from 16 to 1024, got `%s'",
                             c->opt->size);
    } else {
        while (size > LEAST && size * size * 4 * c->inputs.count > MAX_BYTES)
            size -= LEAST;
    }
    g->size = (uint32_t)size;
    return EXIT_FINE;
}

int cli_render_graph(cli *c)
{
    const char *o = c->opt->output;
    gather g = {.busy = ATOMIC_FLAG_INIT, .pictures = !cli_is_stdout(o)};
    const cli_batch batch = {.work = graph_job, .user = &g, .done_word = "read"};

    g.drawn = ends_in(o, ".png") ? "png" : ends_in(o, ".svg") ? "svg" : NULL;
    if (g.pictures && !g.drawn && !ends_in(o, ".dot") && !ends_in(o, ".gv"))
        return cli_usage(c, "--graph: -o must end in .dot, .gv, .png or .svg");
    int code = cli_plan_whole(c);
    if (!code)
        code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = choose_size(c, &g);
    if (!code)
        code = cli_art_try(c);
    if (code)
        return code;
    g.graph = lvl_graph_new(&c->ctx);
    g.small = calloc(c->inputs.count + 1, sizeof *g.small);
    g.named = calloc(c->inputs.count + 1, sizeof *g.named);
    code = g.graph && g.small && g.named ? cli_run_whole(c, &batch, "graph", c->args.items[0], deliver)
                                         : cli_no_memory(c);
    for (size_t i = 0; i < c->inputs.count; i++) {
        if (g.small)
            lvl_buffer_free(&g.small[i].png);
        if (g.named)
            free(g.named[i].path);
    }
    free(g.small);
    free(g.named);
    lvl_graph_free(g.graph);
    return code;
}
