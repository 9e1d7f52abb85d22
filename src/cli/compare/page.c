/*
 * cli/compare/page.c: `lvl diff --html`: an object of the page's document for each file, and the page.
 *
 * A job makes its object on any thread, as its note; they are joined in the order of the inputs.
 */
#include "base/work.h"
#include "cli/compare/compare.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* What the page calls the job's file: in a folder that was given, its path there. */
static const char *section_name(const cli_job *job)
{
    const cli_input *in = job->input;

    if (in->has_content)
        return in->shown;
    return job->c->inputs.batch ? in->rel : lvl_file_name(in->shown);
}

/* Begins the file's object in the page's document, to be freed; NULL: no memory. `kind`: "changed", "added",
 * "removed" or "failed". */
static lvl_buffer *new_section(const cli_job *job, const char *kind)
{
    lvl_buffer *json = calloc(1, sizeof *json);

    if (!json)
        return NULL;
    json->max = lvl_memory_share(&job->ctx);
    lvl_buffer_u8(json, '{');
    lvl_json_put_string(json, "file", section_name(job));
    lvl_json_put_string(json, "kind", kind);
    if (job->format)
        lvl_json_put_string(json, "format", job->format->title);
    return json;
}

/* The same, in the job's note. */
static lvl_buffer *begin_section(cli_job *job, const char *kind)
{
    lvl_buffer *json = new_section(job, kind);

    job->note = json;
    if (!json)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    return json;
}

/* Adds the file's error messages. */
static void put_errors(lvl_buffer *json, const cli_job *job)
{
    const lvl_text text = {(const char *)job->err.data, job->err.len};

    cli_review_errors(json, text.len ? text : lvl_text_of("not a file that lvl can read"));
}

bool cli_diff_is_listed(const cli_job *job)
{
    return job->code || job->format || cli_format_of_ending(job->input->name);
}

void cli_diff_add_single(cli_job *job, cli_presence presence, bool is_known)
{
    lvl_buffer *json = begin_section(job, presence == CLI_ONLY_IN_B ? "added" : "removed");

    if (!json)
        return;
    if (is_known && cli_job_read(job, 0))
        cli_diff_add_picture(json, job);
    if (!job->doc)
        put_errors(json, job);
}

void cli_diff_add_pair(cli_job *a, cli_job *b, bool pictures, const lvl_buffer *lines)
{
    lvl_buffer *json = begin_section(a, "changed");

    if (!json)
        return;
    if (pictures)
        cli_diff_add_pictures(json, a, b);
    cli_review_changes(json, lvl_buffer_text(lines));
}

void cli_diff_add_failed(cli_job *job)
{
    lvl_buffer *json = begin_section(job, "failed");

    if (json)
        put_errors(json, job);
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static void count_section(cli_diff_page *page, cli_presence presence)
{
    switch (presence) {
    case CLI_IN_BOTH: page->changed++; break;
    case CLI_ONLY_IN_A: page->removed++; break;
    case CLI_ONLY_IN_B: page->added++; break;
    }
}

void cli_diff_take_section(cli *c, const cli_job *job)
{
    cli_diff_page *page = &((cli_sides *)c->user)->page;
    lvl_buffer *json = job->note, *own = NULL;

    if (!json && job->input->error_text) { /* the job was not run */
        json = own = new_section(job, "failed");
        if (json)
            put_errors(json, job);
        else
            page->incomplete = true;
    }
    if (json || job->outcome == CLI_DONE)
        page->compared++;
    if (json) {
        count_section(page, cli_diff_presence(job));
        lvl_buffer_str(&page->files, page->files.len ? "},\n" : "");
        lvl_buffer_add(&page->files, json->data, json->len);
        page->incomplete = page->incomplete || json->status != LVL_OK;
        lvl_buffer_free(json);
    }
    free(own);
}

/* What the page calls both sides, in `names`; `first` has the name before the dots of --git, or is NULL. */
static void name_sides(const cli *c, const char *first, const char *names[2])
{
    const cli_sides *s = c->user;
    const cli_strings *labels = &c->opt->labels;
    const char *dots = c->opt->git ? strstr(c->opt->git, "..") : NULL;

    names[0] = s->names[0];
    names[1] = c->opt->git ? "work tree" : s->names[1];
    if (labels->count > 0)
        names[0] = labels->items[0];
    if (labels->count > 1)
        names[1] = labels->items[1];
    if (first)
        names[0] = first;
    if (dots)
        names[1] = dots + strspn(dots, ".");
    for (unsigned i = 0; i < 2; i++) {
        if (!*names[i]) /* "A.." and "..B" */
            names[i] = "HEAD";
    }
}

/* Appends the page. False: no memory. */
static bool make_page(const cli *c, lvl_buffer *out)
{
    const cli_diff_page *page = &((const cli_sides *)c->user)->page;
    const char *range = c->opt->git, *names[2];
    const char *dots = range ? strstr(range, "..") : NULL;
    char *first =
        range ? cli_format("%.*s", (int)(dots ? (size_t)(dots - range) : strlen(range)), range) : NULL;
    const bool ok = !range == !first && !page->incomplete && page->files.status == LVL_OK;
    lvl_buffer json = {0};

    if (ok) {
        name_sides(c, first, names);
        lvl_buffer_u8(&json, '{');
        lvl_json_put_string(&json, "kind", "diff");
        lvl_json_put_string(&json, "lvl", lvl_version());
        lvl_json_open(&json, "names", '[');
        for (unsigned i = 0; i < 2; i++) {
            lvl_json_next(&json);
            lvl_json_string(&json, lvl_text_of(names[i]));
        }
        lvl_buffer_u8(&json, ']');
        lvl_json_put_uint(&json, "compared", page->compared);
        lvl_json_put_uint(&json, "changed", page->changed);
        lvl_json_put_uint(&json, "added", page->added);
        lvl_json_put_uint(&json, "removed", page->removed);
        lvl_json_open(&json, "files", '[');
        lvl_buffer_add(&json, page->files.data, page->files.len);
        lvl_buffer_str(&json, page->files.len ? "}]}" : "]}");
        cli_review_page(out, &json);
    }
    lvl_buffer_free(&json);
    free(first);
    return ok && out->status == LVL_OK;
}

void cli_diff_write_page(cli_job *job)
{
    const cli *c = job->c;
    lvl_buffer page = {0};

    if (make_page(c, &page))
        cli_write_to_name(job, c->opt->html, lvl_buffer_bytes(&page));
    else
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    lvl_buffer_free(&page);
}
