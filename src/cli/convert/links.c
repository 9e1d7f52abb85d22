/*
 * cli/convert/links.c: references to files whose names change: how a use of a name is shown, and the new
 * names of files that are converted (`lvl convert --rewrite-links').
 */
#include "cli/convert/convert.h"

#include "base/hash.h"
#include "base/text.h"
#include "tools/world/rename.h"

#include <stdlib.h>
#include <string.h>

lvl_status cli_report_use(cli_job *job, const lvl_file_use *use, bool known)
{
    const bool json = job->c->opt->json;
    lvl_buffer utf8 = {0}, shown = {0};
    char where[512];

    lvl_where_text(use->where, where, sizeof where);
    if (json) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "path", where);
        if (use->line)
            lvl_json_put_uint(&job->out, "line", use->line);
        lvl_text_to_utf8(&utf8, lvl_doc_codepage(job->doc), use->name);
        lvl_json_put_text(&job->out, "old", lvl_buffer_text(&utf8));
        lvl_json_put_text(&job->out, "new", use->to);
        lvl_json_put_bool(&job->out, "changed", use->changed && known);
        lvl_buffer_str(&job->out, "}\n");
    } else {
        lvl_text_escape(&shown, lvl_doc_codepage(job->doc), use->name, false);
        lvl_buffer_printf(&job->out, "%s: %s", job->input->shown, where);
        if (use->line)
            lvl_buffer_printf(&job->out, ", line %lu", (unsigned long)use->line);
        lvl_buffer_printf(&job->out, ": %.*s", (int)shown.len, shown.data ? (const char *)shown.data : "");
        if (!known)
            lvl_buffer_str(&job->out, ": not changed: several files have this name\n");
        else if (use->changed)
            lvl_buffer_printf(&job->out, " -> %.*s\n", (int)use->to.len, use->to.ptr);
        else
            lvl_buffer_str(&job->out, ": not changed; --scripts changes it\n");
    }
    const lvl_status status = utf8.status != LVL_OK ? utf8.status : shown.status;
    lvl_buffer_free(&utf8);
    lvl_buffer_free(&shown);
    return status;
}

/* ---- files that are converted ------------------------------------------------------------------------ */

bool cli_converts(const lvl_format *from, const cli_convert *p)
{
    for (const lvl_form *form = from->forms; p->form && form && form->name; form++) {
        if (strcmp(form->name, p->form) == 0 || strcmp(form->format, p->form) == 0)
            return true;
    }
    return false;
}

typedef struct new_name {
    lvl_text from;
    char *to;
} new_name;

struct cli_links {
    lvl_hash index;
    new_name *items;
    size_t count;
};

void cli_links_free(cli_links *links)
{
    for (size_t i = 0; links && links->items && i < links->count; i++)
        free(links->items[i].to);
    if (links) {
        lvl_hash_free(&links->index);
        free(links->items);
    }
    free(links);
}

static const char *find_name(const cli_links *links, lvl_text from)
{
    const uint64_t hash = lvl_hash_nocase(&links->index.seed, from);

    for (lvl_hash_at at = lvl_hash_first(&links->index, hash); at.found;
         at = lvl_hash_next(&links->index, at)) {
        if (lvl_text_equal_nocase(links->items[at.index].from, from))
            return links->items[at.index].to;
    }
    return NULL;
}

/* Adds the name of an input if its conversion gives the output another one. */
static bool add_name(cli_links *links, const cli_convert *p, const char *path)
{
    const char *from = lvl_file_name(path), *ending = cli_ending(from);
    const lvl_format *format = cli_format_of_ending(from);

    if (!format || !cli_converts(format, p) || (p->output.keeps && cli_has_ending(from, p->output.keeps)) ||
        strcmp(ending + 1, p->ending) == 0 || find_name(links, lvl_text_of(from)))
        return true;
    char *to = cli_format("%.*s.%s", (int)(ending - from), from, p->ending);
    if (!to)
        return false;
    links->items[links->count] = (new_name){lvl_text_of(from), to};
    return lvl_hash_add(&links->index, lvl_hash_nocase(&links->index.seed, lvl_text_of(from)),
                        (uint32_t)links->count++) == LVL_OK;
}

cli_links *cli_links_new(const cli *c, const cli_convert *p)
{
    cli_links *links = calloc(1, sizeof *links);
    bool good = links != NULL;

    if (good) {
        lvl_hash_init(&links->index);
        links->items = calloc(c->inputs.count + 1, sizeof *links->items);
        good = links->items != NULL;
    }
    for (size_t i = 0; good && i < c->inputs.count; i++)
        good = add_name(links, p, c->inputs.items[i].rel);
    if (good)
        return links;
    cli_links_free(links);
    return NULL;
}

static lvl_text name_after(void *user, lvl_text name)
{
    const cli_job *job = user;
    const cli_convert *p = job->c->user;
    const char *to = find_name(p->links, name);

    return to ? lvl_text_of(to) : (lvl_text){0};
}

/* What was changed is listed with -v; what was not, always. */
static lvl_status note_use(void *user, const lvl_file_use *use)
{
    cli_job *job = user;

    return use->changed && !job->c->opt->verbose ? LVL_OK : cli_report_use(job, use, true);
}

/* Counts a name that no longer leads to a file, and leaves it. */
static lvl_text count_stale(void *user, lvl_text name)
{
    cli_job *job = user;
    const cli_convert *p = job->c->user;

    job->tag += find_name(p->links, name) != NULL;
    return (lvl_text){0};
}

lvl_status cli_links_apply(cli_job *job, lvl_doc *doc)
{
    const cli_convert *p = job->c->user;
    size_t changed = 0;

    if (!p->links)
        return LVL_OK;
    if (!job->c->opt->rewrite_links) {
        const lvl_status counted = lvl_doc_rename(doc, count_stale, NULL, false, NULL, job, NULL);
        cli_job_status(job, counted, NULL, NULL);
        return counted;
    }
    const lvl_status status =
        lvl_doc_rename(doc, name_after, NULL, job->c->opt->scripts, note_use, job, &changed);
    job->tag = (int)changed;
    if (status == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_NEGATIVE, "the code page of the file does not have a character of a new name");
    else
        cli_job_status(job, status, NULL, NULL);
    return status;
}
