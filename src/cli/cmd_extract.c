/*
 * cli/cmd_extract.c: `lvl extract` and `lvl pack`: files out of an archive and a folder into one.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#endif

#include "cli/cli.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void list_entry(cli_job *job, const lvl_entry *e)
{
    char when[32] = "";

    if (e->time > 0 && e->time < INT64_C(253402300800)) {
        const time_t t = (time_t)e->time;
        struct tm tm;
#ifdef _WIN32
        bool ok = gmtime_s(&tm, &t) == 0;
#else
        bool ok = gmtime_r(&t, &tm) != NULL;
#endif
        if (ok)
            strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &tm);
    }
    if (job->c->opt.json) {
        lvl_buffer_str(&job->out, "{\"file\":");
        lvl_json_string(&job->out, lvl_text_of(job->input->name));
        lvl_buffer_str(&job->out, ",\"path\":");
        lvl_json_string(&job->out, lvl_text_of(e->path));
        lvl_buffer_printf(&job->out, ",\"size\":%" PRIu64 ",\"folder\":%s", e->size,
                          e->is_dir ? "true" : "false");
        if (*when)
            lvl_buffer_printf(&job->out, ",\"time\":\"%s\"", when);
        lvl_buffer_str(&job->out, "}\n");
    } else if (!e->is_dir) {
        lvl_buffer_printf(&job->out, "%10" PRIu64 "  %-20s  %s\n", e->size, when, e->path);
    }
}

/* Writes one member below the folder. */
static void extract_entry(cli_job *job, const lvl_container *box, const lvl_entry *e, size_t index)
{
    const char *dir = job->c->opt.output;
    lvl_file_error why = {0};
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    char text[256], again[24] = "";

    if (!e->safe) {
        cli_job_fail(job, EXIT_NEGATIVE, "%s: not written, the name would leave the folder", e->path);
        return;
    }
    /* of several members of one name each but the first gets its number */
    if (!e->unique && !e->is_dir && lvl_container_find(box, e->path) != e)
        snprintf(again, sizeof again, "~%zu", index);
    char *path = cli_format("%s/%s%s", dir, e->path, again);
    if (!path) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    if (e->is_dir) {
        if (lvl_folder_make(path, &why) != LVL_OK && why.step)
            cli_job_fail(job, EXIT_ENVIRONMENT, "%s: %s", path, lvl_file_error_text(&why, text, sizeof text));
        goto out;
    }
    lvl_status status = lvl_container_read(box, e, &bytes, &storage);
    if (status != LVL_OK) {
        cli_job_status(job, status, NULL, e->path);
    } else if (cli_save_to(job, path, bytes)) {
        if (job->c->opt.json)
            list_entry(job, e);
        else if (job->c->opt.verbose)
            lvl_buffer_printf(&job->err, "%s\n", path);
    }
out:
    free(path);
    lvl_buffer_free(&storage);
}

/* Whether the entry is one of those asked for, or lies in a folder that is; marks what it serves. */
static bool asked_for(const cli *c, const lvl_container *box, const lvl_entry *e, bool *served)
{
    bool asked = c->args.count < 2;

    for (size_t i = 1; i < c->args.count; i++) {
        const lvl_entry *want = lvl_container_find(box, c->args.items[i]);
        if (!want)
            continue;
        size_t n = strlen(want->path);
        if (want == e || (want->is_dir && strncmp(e->path, want->path, n) == 0 && e->path[n] == '/')) {
            served[i] = true;
            asked = true;
        }
    }
    return asked;
}

static void extract_work(cli_job *job)
{
    const cli *c = job->c;
    lvl_container *box = NULL;

    if (!cli_job_read(job, LVL_CAN_EXTRACT)) {
        if (job->format && !(lvl_format_can(job->format) & LVL_CAN_EXTRACT) &&
            lvl_format_parts(job->format, 0))
            cli_job_fail(job, EXIT_NEGATIVE, "it is no archive; --scripts and --signs write its texts");
        return;
    }
    bool *served = calloc(c->args.count + 1, sizeof *served);
    lvl_status status = served ? lvl_container_open(job->doc, &box) : LVL_ERR_MEMORY;
    if (status != LVL_OK) {
        cli_job_status(job, status, NULL, NULL);
        goto out;
    }
    size_t n = lvl_container_count(box);
    for (size_t i = 0; i < n && !cli_stopped(); i++) {
        const lvl_entry *e = lvl_container_at(box, i);
        if (!asked_for(c, box, e, served))
            continue;
        if (c->opt.list)
            list_entry(job, e);
        else
            extract_entry(job, box, e, i);
    }
    for (size_t i = 1; i < c->args.count; i++) {
        if (!served[i])
            cli_job_fail(job, EXIT_NEGATIVE, "no member %s", c->args.items[i]);
    }
out:
    lvl_container_close(box);
    free(served);
}

int cmd_extract(cli *c)
{
    static const cli_batch batch = {.work = extract_work};

    if (cli_parts_asked(c))
        return cli_parts_extract(c);
    if (!c->args.count)
        return cli_usage(c, "which archive?");
    if (!c->opt.list && (!c->opt.output || strcmp(c->opt.output, "-") == 0))
        return cli_usage(c, "where to? -o DIR; or --list");
    int code = cli_take_inputs(c, 0, 1);
    c->out_is_dir = true;
    return code ? code : cli_run(c, &batch);
}

/* ---- pack ------------------------------------------------------------------------------------------------------------------------------- */

typedef struct pack_list {
    lvl_pack_item *items;
    lvl_buffer *storage; /* of each item */
    size_t count;
} pack_list;

static bool is_hidden(const char *path)
{
    return path[0] == '.' || strstr(path, "/.") != NULL;
}

static void pack_free(pack_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        lvl_buffer_free(&list->storage[i]);
    free(list->items);
    free(list->storage);
}

/* Reads everything below the folder but what is hidden, and the file that is to be written. */
static int gather(cli *c, const char *dir, const lvl_container *box, pack_list *list)
{
    size_t n = lvl_container_count(box);
    uint64_t total = 0;

    list->items = calloc(n + 1, sizeof *list->items);
    list->storage = calloc(n + 1, sizeof *list->storage);
    if (!list->items || !list->storage) {
        cli_say(c, "out of memory");
        return EXIT_ENVIRONMENT;
    }
    for (size_t i = 0; i < n && !cli_stopped(); i++) {
        const lvl_entry *e = lvl_container_at(box, i);
        if (is_hidden(e->path))
            continue;
        char *full = cli_format("%s/%s", dir, e->path);
        bool self = full && lvl_file_same(full, c->opt.output);
        free(full);
        if (self)
            continue;
        lvl_pack_item *item = &list->items[list->count];
        item->path = e->path;
        item->is_dir = e->is_dir;
        list->count++;
        if (e->is_dir)
            continue;
        lvl_status status = lvl_container_read(box, e, &item->bytes, &list->storage[list->count - 1]);
        total += item->bytes.len;
        if (status == LVL_OK && total > c->ctx.limits.memory_bytes)
            status = LVL_ERR_LIMIT;
        if (status != LVL_OK) {
            cli_say(c, "%s/%s: %s", dir, e->path, lvl_status_text(status));
            return cli_code_of(status);
        }
        cli_progress(c, i, n, e->path);
    }
    if (lvl_container_status(box) != LVL_OK) { /* a pack that lacks something is worse than none */
        cli_say(c, "%s: %s", dir, lvl_status_text(lvl_container_status(box)));
        return EXIT_ENVIRONMENT;
    }
    return EXIT_FINE;
}

int cmd_pack(cli *c)
{
    const char *o = c->opt.output, *to = c->opt.to;
    pack_list list = {0};
    lvl_container *box = NULL;
    lvl_doc *doc = NULL;
    lvl_buffer bytes = {0};
    lvl_file_error why = {0};
    char text[256];
    int code;

    if (c->args.count > 1)
        return cli_parts_pack(c);
    if (c->args.count != 1)
        return cli_usage(c, "which folder?");
    if (c->opt.in_place)
        return cli_usage(c, "-i goes with a level: DIR LEVEL -i");
    const char *dir = c->args.items[0];
    if (lvl_file_kind_of(dir) != LVL_FILE_FOLDER) {
        cli_say(c, "%s: no folder", dir);
        return EXIT_ENVIRONMENT;
    }
    if (!o || strcmp(o, "-") == 0)
        return cli_usage(c, "where to? -o FILE");
    if (!to && *cli_ending(o))
        to = cli_ending(o) + 1;
    const lvl_format *format = to ? cli_format_named(to, LVL_CAN_EXTRACT | LVL_CAN_WRITE) : NULL;
    if (!format)
        return cli_usage(c, "which format? --to FORMAT, or -o with its ending");
    if (lvl_file_kind_of(o) == LVL_FILE_REGULAR && !c->opt.yes) {
        cli_say(c, "%s is already there; -y replaces it", o);
        return EXIT_ENVIRONMENT;
    }
    lvl_status status = lvl_container_folder(&c->ctx, dir, &box);
    code = status == LVL_OK ? gather(c, dir, box, &list) : EXIT_FINE;
    if (status == LVL_OK && !code)
        status = lvl_container_pack(&doc, &c->ctx, format, list.items, list.count);
    if (status == LVL_OK && !code)
        status = lvl_doc_write(doc, &bytes);
    if (status == LVL_ERR_ARG) {
        cli_say(c, "%s: a name in it is more than the format can hold", dir);
        code = EXIT_NEGATIVE;
    } else if (status == LVL_OK && !code) {
        status =
            lvl_file_save(o, (lvl_bytes){bytes.data, bytes.len}, c->opt.yes ? LVL_SAVE_REPLACE : 0, &why);
        if (why.step) {
            cli_say(c, "%s: %s", o, lvl_file_error_text(&why, text, sizeof text));
            code = EXIT_ENVIRONMENT;
        }
    }
    if (status != LVL_OK && !code) {
        cli_say(c, "%s: %s", dir, lvl_status_text(status));
        code = cli_code_of(status);
    }
    cli_progress_clear(c);
    if (!code && !c->opt.quiet) {
        size_t files = 0;
        for (size_t i = 0; i < list.count; i++)
            files += !list.items[i].is_dir;
        cli_say(c, "%zu files packed", files);
    }
    lvl_buffer_free(&bytes);
    lvl_doc_free(doc);
    lvl_container_close(box);
    pack_free(&list);
    return code;
}
