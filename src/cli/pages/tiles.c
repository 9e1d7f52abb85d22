/*
 * cli/pages/tiles.c: see tiles.h.
 */
#include "cli/pages/tiles.h"

#include "base/map_layout.h"
#include "base/text.h"
#include "base/work.h"
#include "render/pyramid.h"

#include <stdlib.h>
#include <string.h>
#include <tiles_page.h> /* web/tiles, made by CMake */
#include <tiles_script.h>
#include <tiles_style.h>

typedef struct tiles {
    cli_job *job;
    const char *folder;
    lvl_pyramid pyramid;
    lvl_buffer png;
    uint64_t done, written;
    bool failed; /* a file could not be saved, which the job reports */
} tiles;

/* Saves a file, unless it is there already. False: it could not be saved. */
static bool save(tiles *t, const char *path, lvl_bytes bytes)
{
    cli_there there = CLI_THERE_NONE;
    const lvl_status status = cli_look_there(t->job, path, bytes, &there);

    cli_job_status(t->job, status, NULL, NULL);
    if (status != LVL_OK || there == CLI_THERE_SAME)
        return status == LVL_OK;
    /* a file that exists is counted, and the next ones are, too */
    const size_t existing = t->job->existing;
    const bool saved = cli_save_to(t->job, path, bytes);
    t->written += saved;
    return saved || t->job->existing > existing;
}

static lvl_status save_tile(void *user, unsigned zoom, uint32_t x, uint32_t y, const lvl_image *image)
{
    tiles *t = user;
    char *path = cli_format("%s/%u/%lu/%lu.png", t->folder, zoom, (unsigned long)x, (unsigned long)y);

    t->png.len = 0;
    const lvl_status status =
        path ? lvl_png_write_buffer(&t->job->ctx, image, NULL, &t->png) : LVL_ERR_MEMORY;
    if (status == LVL_OK && !save(t, path, lvl_buffer_bytes(&t->png)))
        t->failed = true;
    free(path);
    if (t->job->c->inputs.count == 1) /* then the job runs on the main thread */
        cli_progress(t->job->c, (size_t)++t->done, (size_t)t->pyramid.tiles, "tiles");
    return t->failed || t->job->full || cli_stopped() ? LVL_ERR_IO : status;
}

/* ---- the page ----------------------------------------------------------------------------------------- */

typedef struct places {
    lvl_buffer *out;
    lvl_codepage page;
    uint32_t side; /* px of a level */
} places;

/* Adds a level of a map: [name, x, y, width, height]. */
static lvl_status put_place(void *user, const lvl_doc_link *link)
{
    places *p = user;

    if (link->way != LVL_WAY_PLACE)
        return LVL_OK;
    lvl_json_next(p->out);
    lvl_buffer_u8(p->out, '[');
    lvl_json_text(p->out, p->page, link->target);
    lvl_buffer_printf(p->out, ",%llu,%llu,%lu,%lu]", (unsigned long long)link->column * p->side,
                      (unsigned long long)link->row * p->side, (unsigned long)p->side,
                      (unsigned long)p->side);
    return p->out->status;
}

static lvl_status write_page(tiles *t)
{
    const lvl_format *format = lvl_doc_format(t->job->doc);
    lvl_buffer json = {0}, page = {0};
    places p = {&json, lvl_doc_codepage(t->job->doc), lvl_map_layout_of(format)->world_cell};
    char *path = cli_format("%s/index.html", t->folder);

    lvl_buffer_u8(&json, '{');
    lvl_json_put_string(&json, "title", lvl_file_name(t->job->input->name));
    lvl_json_put_uint(&json, "width", t->pyramid.width);
    lvl_json_put_uint(&json, "height", t->pyramid.height);
    lvl_json_put_uint(&json, "tile", LVL_PYRAMID_TILE);
    lvl_json_put_uint(&json, "zooms", t->pyramid.zooms);
    lvl_json_open(&json, "levels", '[');
    lvl_status status = p.side ? lvl_doc_links(t->job->doc, put_place, &p) : LVL_OK;
    lvl_buffer_str(&json, "]}");
    cli_page_fill(&page, (lvl_text){(const char *)tiles_page, sizeof tiles_page},
                  (lvl_bytes){tiles_style, sizeof tiles_style},
                  (lvl_bytes){tiles_script, sizeof tiles_script}, &json);
    if (status == LVL_OK || status == LVL_ERR_UNSUPPORTED)
        status = path ? page.status : LVL_ERR_MEMORY;
    if (status == LVL_OK && !save(t, path, lvl_buffer_bytes(&page)))
        t->failed = true;
    lvl_buffer_free(&json);
    lvl_buffer_free(&page);
    free(path);
    return status;
}

void cli_tiles_write(cli_job *job, const lvl_scene *scene, const lvl_render_options *options)
{
    char *folder = cli_folder_of(job, job->c->opt->tiles);
    tiles t = {.job = job, .folder = folder};

    job->count_existing = true;
    lvl_status status = folder ? lvl_pyramid_of(scene, options, &t.pyramid) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = write_page(&t);
    if (status == LVL_OK && !t.failed)
        status = lvl_pyramid_draw(scene, options, &t.pyramid, save_tile, &t);
    cli_report_existing(job);
    if (status == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_NEGATIVE, "there is nothing to draw");
    else if (status == LVL_ERR_LIMIT)
        cli_job_limit(job, "too large to draw; `--limit cells=N' raises the limit");
    else if (status != LVL_OK && !t.failed && !job->code && !cli_stopped())
        cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK && !t.failed && !job->code && !job->c->opt->quiet)
        lvl_buffer_printf(
            &job->err,
            "%s: %llu tile%s in %lu zoom level%s; %llu file%s %swritten, the others are the same\n",
            job->input->shown, (unsigned long long)t.pyramid.tiles, t.pyramid.tiles == 1 ? "" : "s",
            (unsigned long)t.pyramid.zooms + 1, t.pyramid.zooms ? "s" : "", (unsigned long long)t.written,
            t.written == 1 ? "" : "s", job->c->opt->dry_run ? "would be " : "");
    lvl_buffer_free(&t.png);
    free(folder);
}
