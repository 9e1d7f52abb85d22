/*
 * cli/parts.c: `lvl extract --scripts --signs` and `lvl pack DIR LEVEL`: a level's texts as files of their own, and back.
 */
#include "cli/cli.h"

#include <lvl/container.h>

#include <stdlib.h>
#include <string.h>

bool cli_parts_asked(const cli *c)
{
    return c->opt.scripts || c->opt.signs;
}

/* Where the parts of the job's file lie: DIR, or of several files the folder in DIR with the file's name; to be freed. */
static char *folder_of(const cli_job *job, const char *dir)
{
    size_t len = strlen(dir);
    const char *gap = len && dir[len - 1] == '/' ? "" : "/";

    return job->c->inputs.batch ? cli_format("%s%s%s", dir, gap, job->input->rel) : cli_copy(dir);
}

/* ---- out ------------------------------------------------------------------------------------------------------------------------------- */

static void tell_part(cli_job *job, const lvl_part *part)
{
    char where[256];

    lvl_where_text(&part->where, where, sizeof where);
    if (job->c->opt.json) {
        lvl_buffer_str(&job->out, "{\"file\":");
        lvl_json_string(&job->out, lvl_text_of(job->input->name));
        lvl_buffer_printf(&job->out, ",\"group\":\"%s\",\"path\":", part->group);
        lvl_json_string(&job->out, lvl_text_of(where));
        lvl_buffer_printf(&job->out, ",\"name\":\"%s\",\"size\":%zu}\n", part->name, part->bytes.len);
    } else {
        if (job->c->inputs.batch)
            lvl_buffer_printf(&job->out, "%s: ", job->input->shown);
        lvl_buffer_printf(&job->out, "%10zu  %-24s  %s\n", part->bytes.len, where, part->name);
    }
}

static void write_parts(cli_job *job, const lvl_parts *parts)
{
    char *dir = folder_of(job, job->c->opt.output);
    const size_t n = lvl_parts_count(parts);
    size_t written = 0;

    for (size_t i = 0; i < n && dir && !cli_stopped(); i++) {
        const lvl_part *part = lvl_parts_at(parts, i);
        char *path = cli_format("%s/%s", dir, part->name);
        if (path && cli_save_to(job, path, part->bytes)) {
            written++;
            if (job->c->opt.json)
                tell_part(job, part);
            else if (job->c->opt.verbose)
                lvl_buffer_printf(&job->err, "%s\n", path);
        }
        if (!path)
            cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        free(path);
    }
    if (!dir)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    else if (!job->c->opt.quiet)
        lvl_buffer_printf(&job->err, "%s: %zu part%s written\n", job->input->shown, written,
                          written == 1 ? "" : "s");
    free(dir);
}

static void extract_work(cli_job *job)
{
    const cli_options *opt = &job->c->opt;
    const char *groups[3] = {NULL}, *group;
    bool any = false;
    size_t n = 0;

    if (opt->scripts)
        groups[n++] = "scripts";
    if (opt->signs)
        groups[n++] = "signs";
    if (!cli_job_open(job, 0))
        return;
    for (size_t i = 0; (group = lvl_format_parts(job->format, i)) != NULL; i++) {
        for (size_t k = 0; k < n; k++)
            any |= strcmp(group, groups[k]) == 0;
    }
    if (!any) {
        if (job->input->named)
            cli_job_fail(job, EXIT_NEGATIVE, "this format has no %s (%s)", groups[0],
                         lvl_format_title(job->format));
        else
            job->outcome = CLI_SKIPPED_OTHER;
        return;
    }
    if (!cli_job_read(job, 0))
        return;
    lvl_parts *parts = NULL;
    lvl_status status = lvl_parts_new(job->doc, groups, &parts);
    cli_job_status(job, status, NULL, NULL);
    for (size_t i = 0; status == LVL_OK && opt->list && i < lvl_parts_count(parts); i++)
        tell_part(job, lvl_parts_at(parts, i));
    if (status == LVL_OK && !opt->list)
        write_parts(job, parts);
    lvl_parts_free(parts);
}

int cli_parts_extract(cli *c)
{
    static const cli_batch batch = {.work = extract_work};

    if (!c->opt.list && (!c->opt.output || strcmp(c->opt.output, "-") == 0))
        return cli_usage(c, "where to? -o DIR; or --list");
    int code = cli_take_inputs(c, 0, c->args.count);
    c->out_is_dir = true;
    return code ? code : cli_run(c, &batch);
}

/* ---- back ------------------------------------------------------------------------------------------------------------------------------ */

typedef struct gathered {
    lvl_container *box;
    lvl_part_file *files;
    lvl_buffer *storage; /* of each */
    size_t count;
} gathered;

static void gathered_free(gathered *g)
{
    for (size_t i = 0; i < g->count; i++)
        lvl_buffer_free(&g->storage[i]);
    free(g->files);
    free(g->storage);
    lvl_container_close(g->box);
}

/* Reads the files that lie in the folder; false: the job says why. */
static bool gather(cli_job *job, const char *dir, gathered *g)
{
    const lvl_ctx *ctx = &job->c->ctx;
    uint64_t total = 0;

    lvl_status status = lvl_container_folder(ctx, dir, &g->box);
    const size_t n = status == LVL_OK ? lvl_container_count(g->box) : 0;
    if (status == LVL_OK) {
        g->files = calloc(n + 1, sizeof *g->files);
        g->storage = calloc(n + 1, sizeof *g->storage);
        status = g->files && g->storage ? LVL_OK : LVL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        const lvl_entry *e = lvl_container_at(g->box, i);
        if (e->is_dir || strchr(e->path, '/')) {
            cli_job_fail(job, EXIT_NEGATIVE, "%s/%s: parts lie in the folder itself, not below it", dir,
                         e->path);
            return false;
        }
        lvl_part_file *file = &g->files[g->count];
        file->name = e->path;
        status = lvl_container_read(g->box, e, &file->bytes, &g->storage[g->count]);
        g->count++;
        total += file->bytes.len;
        if (status == LVL_OK && total > ctx->limits.memory_bytes)
            status = LVL_ERR_LIMIT;
    }
    if (status == LVL_ERR_MISSING)
        cli_job_fail(job, EXIT_ENVIRONMENT, "%s: no folder", dir);
    else
        cli_job_status(job, status, NULL, dir);
    return status == LVL_OK;
}

static const cli_output output = {.ext = NULL, .text = false};

static void pack_work(cli_job *job)
{
    const char *top = job->c->args.items[0];
    lvl_buffer bytes = {0};
    gathered g = {0};
    size_t changed = 0;

    if (job->c->opt.output && !cli_output_ready(job, &output))
        return;
    char *dir = folder_of(job, top);
    if (!dir) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    if (!cli_job_read(job, LVL_CAN_WRITE))
        goto out;
    /* of several levels, those without a folder of parts come out as they are */
    const bool none = job->c->inputs.batch && lvl_file_kind_of(dir) != LVL_FILE_FOLDER;
    if (!none && !gather(job, dir, &g))
        goto out;
    lvl_findings_clear(job->findings);
    lvl_status status = lvl_parts_put(job->doc, g.files, g.count, &changed, job->findings);
    if (status == LVL_ERR_ARG) {
        cli_job_status(job, status, job->findings, NULL);
        job->code = EXIT_NEGATIVE; /* a file's fault, not the command line's */
        goto out;
    }
    if (status == LVL_OK)
        status = lvl_doc_write(job->doc, &bytes);
    cli_job_status(job, status, NULL, NULL);
    if (status != LVL_OK)
        goto out;
    if (!job->c->opt.quiet && !none)
        lvl_buffer_printf(&job->err, "%s: %zu part%s changed\n", job->input->shown, changed,
                          changed == 1 ? "" : "s");
    if (changed || !job->c->opt.in_place)
        cli_deliver(job, (lvl_bytes){bytes.data, bytes.len}, &output);
out:
    gathered_free(&g);
    lvl_buffer_free(&bytes);
    free(dir);
}

int cli_parts_pack(cli *c)
{
    static const cli_batch batch = {.work = pack_work, .done_word = "seen to", .output = &output};
    int code = EXIT_FINE;

    if (lvl_file_kind_of(c->args.items[0]) != LVL_FILE_FOLDER) {
        cli_say(c, "%s: no folder", c->args.items[0]);
        return EXIT_ENVIRONMENT;
    }
    if (!c->opt.output && !c->opt.in_place)
        return cli_usage(c, "where to? -o FILE, or -i (in place)");
    code = cli_take_inputs(c, 1, c->args.count - 1);
    if (!code)
        code = cli_output_check(c, &output);
    return code ? code : cli_run(c, &batch);
}
