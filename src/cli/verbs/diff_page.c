/*
 * cli/verbs/diff_page.c: `lvl diff --html`: a section of the page for each file, and the page of them.
 *
 * A job makes its section on any thread, as its note; sections are joined in the order of the inputs.
 */
#include "cli/verbs/diff.h"

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

/* Begins a section of the page, to be freed; NULL: no memory. `kind`: as for cli_review_begin. */
static cli_review *new_section(const cli_job *job, const char *kind)
{
    cli_review *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->number = (size_t)(job->input - job->c->inputs.items);
    r->nav.max = r->section.max = lvl_memory_share(&job->ctx);
    cli_review_begin(r, section_name(job), kind, job->format ? job->format->title : NULL);
    return r;
}

/* The same, in the job's note. */
static cli_review *begin_section(cli_job *job, const char *kind)
{
    cli_review *r = new_section(job, kind);

    job->note = r;
    if (!r)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    return r;
}

/* Ends a section with the file's error messages. */
static void end_with_errors(cli_review *r, const cli_job *job)
{
    const lvl_text text = {(const char *)job->err.data, job->err.len};

    cli_review_lines(r, text.len ? text : lvl_text_of("not a file that lvl can read"));
    cli_review_end(r);
}

bool cli_diff_is_listed(const cli_job *job)
{
    return job->code || job->format || cli_format_of_ending(job->input->name);
}

void cli_diff_add_single(cli_job *job, cli_presence presence, bool is_known)
{
    cli_review *r = begin_section(job, presence == CLI_ONLY_IN_B ? "added" : "removed");

    if (!r)
        return;
    if (is_known && cli_job_read(job, 0))
        cli_diff_add_picture(r, job);
    if (job->doc)
        cli_review_end(r);
    else
        end_with_errors(r, job);
}

void cli_diff_add_pair(cli_job *a, cli_job *b, bool pictures, const lvl_buffer *lines)
{
    cli_review *r = begin_section(a, "changed");

    if (!r)
        return;
    if (pictures)
        cli_diff_add_pictures(r, a, b);
    cli_review_lines(r, lvl_buffer_text(lines));
    cli_review_end(r);
}

void cli_diff_add_failed(cli_job *job)
{
    cli_review *r = begin_section(job, "failed");

    if (r)
        end_with_errors(r, job);
}

/* ---- the page ---------------------------------------------------------------------------------------- */

/* Adds a complete section to the page, and frees it. */
static void add_section(cli_diff_page *page, cli_review *r)
{
    lvl_buffer_add(&page->nav, r->nav.data, r->nav.len);
    lvl_buffer_add(&page->sections, r->section.data, r->section.len);
    if (r->nav.status != LVL_OK || r->section.status != LVL_OK)
        page->incomplete = true;
    cli_review_free(r);
}

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
    cli_review *r = job->note, *own = NULL;

    if (!r && job->input->error_text) { /* the job was not run */
        r = own = new_section(job, "failed");
        if (r)
            end_with_errors(r, job);
        else
            page->incomplete = true;
    }
    if (r || job->outcome == CLI_DONE)
        page->compared++;
    if (r) {
        count_section(page, cli_diff_presence(job));
        add_section(page, r);
    }
    free(own);
}

/* What the page calls both sides, in `names`; `first` has the name before the dots of --git, or is NULL. */
static void name_sides(const cli *c, const char *first, const char *names[2])
{
    const cli_sides *s = c->user;
    const cli_strings *labels = &c->opt.labels;
    const char *dots = c->opt.git ? strstr(c->opt.git, "..") : NULL;

    names[0] = s->names[0];
    names[1] = c->opt.git ? "work tree" : s->names[1];
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
    const char *range = c->opt.git, *names[2];
    const char *dots = range ? strstr(range, "..") : NULL;
    char *first =
        range ? cli_format("%.*s", (int)(dots ? (size_t)(dots - range) : strlen(range)), range) : NULL;
    char *counts = cli_format("%zu file%s compared: %zu changed, %zu added, %zu removed", page->compared,
                              page->compared == 1 ? "" : "s", page->changed, page->added, page->removed);
    const bool ok = counts && !range == !first && !page->incomplete && page->nav.status == LVL_OK &&
                    page->sections.status == LVL_OK;

    if (ok) {
        name_sides(c, first, names);
        cli_review_page(out,
                        &(cli_review_head){.title = "Changes",
                                           .a = names[0],
                                           .b = names[1],
                                           .counts = counts,
                                           .command = "lvl diff --html"},
                        &page->nav, &page->sections);
    }
    free(counts);
    free(first);
    return ok && out->status == LVL_OK;
}

void cli_diff_write_page(cli_job *job)
{
    const cli *c = job->c;
    lvl_buffer page = {0};

    if (make_page(c, &page))
        cli_write_to_name(job, c->opt.html, lvl_buffer_bytes(&page));
    else
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    lvl_buffer_free(&page);
}
