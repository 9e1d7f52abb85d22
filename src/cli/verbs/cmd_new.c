/*
 * cli/verbs/cmd_new.c: `lvl new`: makes an empty level, map, animation or pack.
 */
#include "cli/convert/convert.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void deliver(cli_job *job, lvl_doc *doc)
{
    const cli_options *opt = job->c->opt;
    lvl_buffer bytes = {0};

    const lvl_status status = lvl_write(doc, &bytes, job->findings);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
    } else if (cli_deliver_whole(job, lvl_buffer_bytes(&bytes)) && opt->json && !opt->dry_run &&
               job->c->plan->output) {
        cli_json_begin(&job->out, opt->output);
        lvl_json_put_string(&job->out, "format", lvl_doc_format(doc)->id);
        lvl_json_put_uint(&job->out, "size", bytes.len);
        lvl_buffer_str(&job->out, "}\n");
    }
    lvl_buffer_free(&bytes);
}

/* Whether a drawing is of the kind that the form (`doodad') and the ending of the output name. */
static bool is_kind(cli_job *job, lvl_doc *doc)
{
    const cli *c = job->c;
    const lvl_format *format = lvl_doc_format(doc);
    const char *asked = c->args.items[0], *o = c->opt->output;
    const cli_job made = {.doc = doc};
    char kind[16], name[24];

    snprintf(name, sizeof name, "x.%s", asked);
    if (o && cli_has_ending(o, format) && !cli_ending_fits(&made, cli_ending(o) + 1, kind))
        cli_job_fail(job, EXIT_USAGE, "the output is a %s, but %s has another ending; use .%s", kind, o,
                     kind);
    else if (cli_has_ending(name, format) && !cli_ending_fits(&made, asked, kind))
        cli_job_fail(job, EXIT_USAGE, "expected a %s, but %s is a %s", asked,
                     c->opt->like ? c->opt->like : "the output", kind);
    return !job->code;
}

typedef struct making {
    cli_convert target;
    lvl_new_options options;
    cli_inputs like; /* --like; or none */
} making;

static void make_document(cli_job *job)
{
    const making *m = job->c->user;
    lvl_new_options options = m->options;
    lvl_doc *doc = NULL;
    cli_job like = {0};

    if (m->like.count) {
        cli_job_begin_beside(&like, job, &m->like.items[0]);
        if (!cli_job_read(&like, LVL_CAN_WRITE))
            goto out;
        options.like = like.doc;
    }
    const lvl_status status = lvl_new(&doc, &job->ctx, m->target.format, &options, job->findings);
    if (status == LVL_OK && is_kind(job, doc))
        deliver(job, doc);
    else if (status == LVL_OK)
        goto out;
    else if (status == LVL_ERR_UNSUPPORTED && !lvl_findings_count(job->findings))
        cli_job_fail(job, EXIT_NEGATIVE, "lvl cannot make new files of this format: %s",
                     (like.format ? like.format : m->target.format)->title);
    else if (status == LVL_ERR_ARG && !lvl_findings_count(job->findings))
        cli_job_fail(job, EXIT_NEGATIVE, "cannot make a level like %s as %s",
                     like.input ? like.input->shown : "this", m->target.format->title);
    else
        cli_job_status(job, status, job->findings, NULL);
out:
    lvl_doc_free(doc);
    cli_job_join(job, &like);
}

int cmd_new(cli *c)
{
    const char *o = c->opt->output;
    making m = {0};

    if (c->args.count != 1)
        return cli_usage(c, "expected the form of the level; `lvl formats' lists them");
    int code = cli_target_find(c, &m.target, c->args.items[0]);
    if (code)
        return code;
    if (c->opt->size && !lvl_text_size(c->opt->size, &m.options.width, &m.options.height))
        return cli_usage(c, "--size: expected WIDTHxHEIGHT, got `%s'", c->opt->size);
    int32_t base = 0;
    if (c->opt->base_level && (!lvl_text_numbers(c->opt->base_level, "", &base, 1) || base < 1))
        return cli_usage(c, "--base: expected the number of a base level, got `%s'", c->opt->base_level);
    m.options.base = (uint32_t)base;
    if (!o && !c->opt->dry_run && cli_is_terminal(stdout))
        return cli_usage(c, "no output given; use -o FILE");
    m.options.ending = o && cli_has_ending(o, m.target.format) ? cli_ending(o) + 1 : m.target.ending;
    m.options.form = m.target.exact ? m.target.form : NULL;
    code = cli_plan_whole(c);
    if (!code && c->opt->like)
        code = cli_input_one(c, &m.like, c->opt->like, "--like ");
    c->user = &m;
    if (!code)
        code = cli_job_whole(c, o ? o : "new", make_document);
    cli_inputs_free(&m.like);
    return code;
}
