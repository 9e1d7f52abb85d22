/*
 * cli/pages/view_site.c: `lvl view --site': a folder of pages. index.html shows all levels by their pictures;
 * lvl.html is the viewer, which loads one level by its id (lvl.html?level=ID).
 *
 *     index.html, gallery.css, gallery.js    the index, from data/gallery/ and web/viewer/cards.*
 *     levels.js                              a row for each level: [ID, PATH, BYTES, VERDICT, TEXT, PICTURE],
 *                                            PICTURE is 1 if it has one; the first PART_SIZE bytes of them
 *     levels-N.js                            lvlMore([…]): further rows, N from 1 to lvlParts
 *     lvl.html                               the viewer
 *     levels/ID.js                           lvlLevel({open, art, files: [{path, id}], previous, next})
 *     files/ID.js                            lvlFile(ID, BASE64): content that levels share, once
 *     pictures/ID.png                        at most 256 px
 *
 * Data are scripts, since a page that is opened from a disk may load scripts, but not read files. Ids are
 * hashes: of the content for files, of the path for levels, so that links to a level stay valid when others
 * are added. `lvl gallery' (cmd_gallery.c) writes the index itself, and pages about levels.
 */
#include "cli/pages/view.h"

#include "base/text.h"
#include "gallery_page.h"
#include "gallery_script.h"
#include "gallery_style.h"
#include "level_page.h"
#include "level_script.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

enum { PICTURE_SIDE = 256, PART_SIZE = 1000000 };

typedef struct site {
    cli *c;
    lvl_buffer rows; /* of levels.js */
    /* The data of the level before, which lack the id of the next one. */
    lvl_buffer held;
    char held_id[CLI_VIEW_ID];
    lvl_buffer ids; /* of all levels, each CLI_VIEW_ID bytes long; slots of a hash table, 0: free */
    size_t id_count, count; /* of ids; of levels that were saved */
    const cli_view_wanted *wanted; /* of a gallery, which has pictures and rows of its own; or NULL */
} site;

/* Puts the id into the table, which has free slots. False: it is there. */
static bool use_id_in(lvl_buffer *ids, const char *id)
{
    const size_t room = ids->len / CLI_VIEW_ID;
    size_t at = 0;

    for (const char *p = id; *p; p++)
        at = (at * 31 + (size_t)*p) % room;
    for (;; at = (at + 1) % room) {
        char *slot = (char *)ids->data + at * CLI_VIEW_ID;
        if (!*slot) {
            memcpy(slot, id, CLI_VIEW_ID);
            return true;
        }
        if (strcmp(slot, id) == 0)
            return false;
    }
}

/* Adds the id to the table of those that are used. False: it is there, or no memory (s->ids.status). */
static bool use_id(site *s, const char id[CLI_VIEW_ID])
{
    const size_t room = s->ids.len / CLI_VIEW_ID;

    if (s->id_count * 2 >= room) {
        lvl_buffer was = s->ids;
        s->ids = (lvl_buffer){0};
        lvl_buffer_fill(&s->ids, 0, (room ? room * 2 : 64) * CLI_VIEW_ID);
        for (size_t i = 0; i < room && s->ids.status == LVL_OK; i++) {
            const char *slot = (const char *)was.data + i * CLI_VIEW_ID;
            if (*slot)
                (void)use_id_in(&s->ids, slot);
        }
        lvl_buffer_free(&was);
    }
    const bool fresh = s->ids.status == LVL_OK && use_id_in(&s->ids, id);
    s->id_count += fresh;
    return fresh;
}

static void note_written(const cli *c, const char *folder, const char *name, const char *ending)
{
    if (!c->written)
        return;
    lvl_buffer_printf(c->written, "%s%s%s", folder, name, ending);
    lvl_buffer_u8(c->written, 0);
}

bool cli_view_save(cli_job *job, const char *folder, const char *name, const char *ending, lvl_bytes bytes)
{
    char *path = cli_format("%s/%s%s%s", job->c->opt.output, folder, name, ending);
    const bool saved = path ? cli_save_to(job, path, bytes) : false;

    note_written(job->c, folder, name, ending);
    if (!path)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    free(path);
    return saved;
}

/* Saves a file that is named by its content, so what exists is that. */
static bool save_content(cli_job *job, const lvl_buffer *bytes)
{
    char id[CLI_VIEW_ID];
    lvl_buffer text = {0};

    cli_view_id(lvl_buffer_bytes(bytes), id);
    char *path = cli_format("%s/files/%s.js", job->c->opt.output, id);
    bool saved = path && lvl_file_kind_of(path) == LVL_FILE_REGULAR;
    note_written(job->c, "files/", id, ".js");
    if (path && !saved) {
        lvl_buffer_printf(&text, "lvlFile(\"%s\",\"", id);
        lvl_base64_encode(&text, lvl_buffer_bytes(bytes));
        lvl_buffer_str(&text, "\");\n");
        if (text.status == LVL_OK)
            saved = cli_save_to(job, path, lvl_buffer_bytes(&text));
    }
    if (!path || text.status != LVL_OK)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    lvl_buffer_free(&text);
    free(path);
    return saved;
}

/* Saves the data of the level before, now that its neighbour is known; `next` NULL: it is the last one. */
static bool save_held(site *s, cli_job *job, const char *next)
{
    bool saved = true;

    if (s->held.len) {
        if (next)
            lvl_buffer_printf(&s->held, ",\"next\":\"%s\"", next);
        lvl_buffer_str(&s->held, "});\n");
        if (s->held.status != LVL_OK)
            cli_job_status(job, s->held.status, NULL, NULL);
        saved = s->held.status == LVL_OK &&
                cli_view_save(job, "levels/", s->held_id, ".js", lvl_buffer_bytes(&s->held));
    }
    s->held.len = 0;
    return saved;
}

/* The id of a level: a hash of its path in -o; several inputs may have the same one (two folders with one
 * name, two members with one path), of which the second and further ones are numbered. */
static lvl_status find_id(site *s, const char *rel, char id[CLI_VIEW_ID])
{
    cli_view_id((lvl_bytes){(const uint8_t *)rel, strlen(rel)}, id);
    for (unsigned long n = 2; !use_id(s, id); n++) {
        char *numbered = s->ids.status == LVL_OK ? cli_format("%s//%lu", rel, n) : NULL;
        if (!numbered)
            return LVL_ERR_MEMORY;
        cli_view_id((lvl_bytes){(const uint8_t *)numbered, strlen(numbered)}, id);
        free(numbered);
    }
    return LVL_OK;
}

/* One row of levels.js. */
static lvl_status add_row(site *s, const cli_job *job, lvl_verdict verdict, const char *id, bool has_picture)
{
    const lvl_info_options options = {.file = "", .summary = true};
    lvl_buffer text = {0};

    lvl_status status = lvl_info_write(job->doc, &options, &text);
    if (status == LVL_OK) {
        const char *line = (const char *)text.data;
        size_t skip = 0;
        while (skip < text.len && (line[skip] == ':' || line[skip] == ' '))
            skip++;
        while (text.len > skip && line[text.len - 1] == '\n')
            text.len--;
        lvl_buffer_printf(&s->rows, "%s[\"%s\",", s->count ? ",\n" : "", id);
        lvl_json_string(&s->rows, lvl_text_of(job->input->rel));
        lvl_buffer_printf(&s->rows, ",%zu,\"%s\",", job->bytes.len, lvl_verdict_name(verdict));
        lvl_json_string(&s->rows, (lvl_text){line + skip, text.len - skip});
        lvl_buffer_printf(&s->rows, ",%d]", has_picture);
        s->count++;
        status = s->rows.status;
    }
    lvl_buffer_free(&text);
    return status;
}

/* Whether the input is a level of the site; if it is, its document was read, and checked unless `verdict` is
 * NULL. */
static bool read_level(cli_job *job, lvl_verdict *verdict)
{
    lvl_check_result result;

    if (!cli_job_open(job, 0))
        return false;
    const unsigned can = lvl_format_can(job->format);
    /* a pack, whose members follow, or a picture that levels are drawn with */
    if (!(can & LVL_CAN_RENDER) || (!job->input->named && (can & LVL_CAN_IMAGE))) {
        job->outcome = CLI_SKIPPED_OTHER;
        return false;
    }
    if (!verdict)
        return cli_job_parse(job, false);
    const lvl_status status = lvl_check(&job->ctx, job->format, job->bytes, lvl_file_name(job->input->name),
                                        NULL, job->findings, &result, &job->doc);
    if (status != LVL_OK || !job->doc) {
        cli_job_status(job, status != LVL_OK ? status : result.status, job->findings, NULL);
        return false;
    }
    *verdict = result.verdict;
    const lvl_severity least = job->c->opt.verbose && !job->c->opt.quiet ? LVL_WARNING : LVL_ERROR;
    if (lvl_findings_worst(job->findings) >= least)
        cli_job_findings(job, job->findings, least);
    return true;
}

static void site_job(cli_job *job)
{
    site *s = job->c->user;
    lvl_image picture = {0};
    lvl_buffer png = {0};
    lvl_verdict verdict = LVL_SOUND;
    char id[CLI_VIEW_ID];
    view v;

    /* of members with one path, a catalogue has one */
    if (s->wanted && (!s->wanted->find(s->wanted->user, job->input->name, id) || !use_id(s, id))) {
        job->outcome = CLI_SKIPPED_OTHER;
        if (s->ids.status != LVL_OK)
            cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    if (!read_level(job, s->wanted ? NULL : &verdict))
        return;
    const lvl_status named = s->wanted ? LVL_OK : find_id(s, job->input->rel, id);
    if (!cli_view_begin(&v, job->c) || named != LVL_OK) {
        v.no_memory = true;
    } else {
        v.picture = s->wanted ? NULL : &picture;
        v.picture_side = PICTURE_SIDE;
        cli_view_add(&v, job);
    }
    lvl_status status = v.no_memory ? LVL_ERR_MEMORY : LVL_OK, drawn = v.drawn;
    if (status == LVL_OK && v.picture && drawn == LVL_OK)
        drawn = lvl_png_write_buffer(&job->ctx, &picture, NULL, &png);
    if (drawn == LVL_ERR_MEMORY || drawn == LVL_ERR_STOPPED)
        status = drawn;
    const size_t cut = cli_view_arrange(&v);
    bool saved = status == LVL_OK && save_held(s, job, id);
    for (size_t i = 0; i < v.count && saved; i++)
        saved = save_content(job, &v.parts[i].bytes);
    if (saved && drawn == LVL_OK && png.len)
        saved = cli_view_save(job, "pictures/", id, ".png", lvl_buffer_bytes(&png));
    if (saved) {
        char *path = NULL;
        for (size_t i = 0; i < v.count && !path; i++)
            path = v.parts[i].given ? v.parts[i].path : NULL;
        if (!v.open)
            v.open = cli_copy(path ? path : "");
        lvl_buffer_str(&s->held, "lvlLevel({");
        cli_view_files(&v, v.open && strlen(v.open) >= cut ? cut : 0, CLI_VIEW_IDS, &s->held);
        s->held.len -= s->held.status == LVL_OK; /* the object goes on */
        if (s->count)
            lvl_buffer_printf(&s->held, ",\"previous\":\"%s\"", s->held_id);
        memcpy(s->held_id, id, sizeof id);
        if (!v.open)
            status = LVL_ERR_MEMORY;
        else if (!s->wanted)
            status = add_row(s, job, verdict, id, drawn == LVL_OK);
        else
            s->count++;
        if (s->wanted)
            s->wanted->saved(s->wanted->user, job->input->name);
    }
    if (status != LVL_OK)
        cli_job_status(job, status, NULL, NULL);
    cli_view_end(&v);
    lvl_image_clear(&picture);
    lvl_buffer_free(&png);
}

/* The viewer. */
static bool save_page(cli_job *job)
{
    static const char element[] = "<script type=\"application/json\" id=\"lvl-site\">{}</script>\n";
    lvl_buffer page = {0};

    job->code = cli_max_exit_code(job->code, cli_view_page(job->c, lvl_text_of(element), true, &page));
    const bool saved = !job->code && cli_view_save(job, "", "lvl", ".html", lvl_buffer_bytes(&page));
    lvl_buffer_free(&page);
    return saved;
}

bool cli_view_pages(cli_job *job, bool of_levels)
{
    return (!of_levels ||
            (cli_view_save(job, "", "level", ".html", (lvl_bytes){level_page, sizeof level_page}) &&
             cli_view_save(job, "", "level", ".js", (lvl_bytes){level_script, sizeof level_script}))) &&
           cli_view_save(job, "", "gallery", ".css", (lvl_bytes){gallery_style, sizeof gallery_style}) &&
           cli_view_save(job, "", "gallery", ".js", (lvl_bytes){gallery_script, sizeof gallery_script}) &&
           cli_view_save(job, "", "index", ".html", (lvl_bytes){gallery_page, sizeof gallery_page});
}

/* How many of the bytes of the rows the next file takes: whole rows, and one at least. */
static size_t next_rows(lvl_bytes rows)
{
    size_t end = rows.len < PART_SIZE ? rows.len : PART_SIZE;

    while (end < rows.len && end && rows.ptr[end - 1] != '\n')
        end--;
    if (!end && rows.len) { /* a row of more than that */
        const uint8_t *line = memchr(rows.ptr, '\n', rows.len);
        end = line ? (size_t)(line - rows.ptr) + 1 : rows.len;
    }
    return end;
}

/* levels.js and what follows it: no file becomes large, however many levels there are. */
static bool save_rows(cli_job *job, lvl_bytes rows)
{
    lvl_buffer out = {0};
    size_t count = 0;
    bool saved = true;

    for (lvl_bytes left = rows; left.len; count++) {
        const size_t len = next_rows(left);
        left = (lvl_bytes){left.ptr + len, left.len - len};
    }
    for (size_t i = 0; saved && (i < count || !i); i++) {
        const size_t len = next_rows(rows);
        char name[32] = "levels";
        if (i)
            snprintf(name, sizeof name, "levels-%zu", i);
        if (i)
            lvl_buffer_str(&out, "lvlMore([\n");
        else
            lvl_buffer_printf(&out, "var lvlParts = %zu, lvlRows = [\n", count ? count - 1 : 0);
        if (len) {
            lvl_buffer_add(&out, rows.ptr, len);
            rows = (lvl_bytes){rows.ptr + len, rows.len - len};
        }
        lvl_buffer_str(&out, i ? "\n]);\n" : "\n];\n");
        if (out.status != LVL_OK)
            job->code = cli_no_memory(job->c);
        saved = out.status == LVL_OK && cli_view_save(job, "", name, ".js", lvl_buffer_bytes(&out));
        out.len = 0;
    }
    lvl_buffer_free(&out);
    return saved;
}

/* Everything that is there once. */
static void finish_site(cli_job *job)
{
    site *s = job->c->user;

    if (!save_held(s, job, NULL))
        return;
    if (s->rows.status != LVL_OK)
        job->code = cli_no_memory(s->c);
    if (!job->code && save_page(job) && save_rows(job, lvl_buffer_bytes(&s->rows)) &&
        cli_view_pages(job, false) && !s->c->opt.quiet)
        cli_report(s->c, "%zu %s: open %s/index.html", s->count, s->count == 1 ? "level" : "levels",
                   s->c->opt.output);
}

static void finish_levels(cli_job *job)
{
    (void)save_held(job->c->user, job, NULL);
}

static void begin_levels(cli_job *job)
{
    (void)save_page(job);
}

int cli_view_levels(cli *c, const cli_view_wanted *wanted, bool *no_page)
{
    site s = {.c = c, .wanted = wanted};
    const cli_batch batch = {.work = site_job, .user = &s};

    *no_page = false;
    int code = cli_art_try(c);
    if (code)
        return code;
    c->out_is_dir = true;
    c->jobs = 1; /* as below */
    if (!c->opt.page) {
        lvl_buffer page = {0};
        *no_page = cli_view_page(c, lvl_text_of(""), true, &page) != EXIT_FINE;
        lvl_buffer_free(&page);
        if (*no_page)
            return EXIT_FINE;
    }
    code = cli_job_whole(c, c->opt.output, begin_levels);
    if (!code && c->inputs.count)
        code = cli_run(c, &batch);
    c->user = &s;
    if (code != EXIT_ENVIRONMENT && !cli_stopped())
        code = cli_max_exit_code(code, cli_job_whole(c, c->opt.output, finish_levels));
    lvl_buffer_free(&s.held);
    lvl_buffer_free(&s.ids);
    return code;
}

int cli_view_site(cli *c)
{
    site s = {.c = c};
    const cli_batch batch = {.work = site_job, .user = &s, .done_word = "added"};

    if (!c->opt.output || cli_is_stdout(c->opt.output) || lvl_file_kind_of(c->opt.output) == LVL_FILE_REGULAR)
        return cli_usage(c, "--site writes a folder; use -o DIR");
    c->opt.members = true; /* of packs */
    int code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = cli_art_try(c);
    if (code)
        return code;
    c->out_is_dir = true;
    c->jobs = 1; /* a level's data name the level before and after it */
    code = cli_run_whole(c, &batch, "site", c->opt.output, finish_site);
    lvl_buffer_free(&s.rows);
    lvl_buffer_free(&s.held);
    lvl_buffer_free(&s.ids);
    return code;
}
