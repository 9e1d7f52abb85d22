/*
 * cli/cmd_info.c: `lvl info`: the facts that a format tells of a file, for people and as JSON.
 */
#include "cli/cli.h"

#include <lvl/info.h>

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static void json_fact(lvl_buffer *out, const lvl_fact *fact);

static void json_children(lvl_buffer *out, const lvl_fact *fact, const char *gap)
{
    for (const lvl_fact *f = fact->first; f; f = f->next) {
        if (fact->kind == LVL_FACT_GROUP && !f->key)
            continue;
        lvl_buffer_str(out, gap);
        gap = ",";
        if (fact->kind == LVL_FACT_GROUP) {
            lvl_json_string(out, lvl_text_of(f->key));
            lvl_buffer_u8(out, ':');
        }
        json_fact(out, f);
    }
}

static void json_fact(lvl_buffer *out, const lvl_fact *fact)
{
    switch (fact->kind) {
    case LVL_FACT_TEXT: lvl_json_string(out, fact->text); break;
    case LVL_FACT_INT: lvl_buffer_printf(out, "%lld", (long long)fact->number); break;
    case LVL_FACT_BOOL: lvl_buffer_str(out, fact->number ? "true" : "false"); break;
    case LVL_FACT_GROUP:
    case LVL_FACT_LIST:
        lvl_buffer_u8(out, fact->kind == LVL_FACT_LIST ? '[' : '{');
        json_children(out, fact, "");
        lvl_buffer_u8(out, fact->kind == LVL_FACT_LIST ? ']' : '}');
        break;
    }
}

static bool is_leaf(const lvl_fact *fact)
{
    return fact->kind != LVL_FACT_GROUP && fact->kind != LVL_FACT_LIST;
}

static bool only_leaves(const lvl_fact *fact)
{
    bool only = true;

    for (const lvl_fact *f = fact->first; f; f = f->next)
        only = only && is_leaf(f);
    return only;
}

static void leaf(lvl_buffer *out, const lvl_fact *fact)
{
    if (fact->kind == LVL_FACT_TEXT)
        lvl_text_escape(out, LVL_CP_UTF8, fact->text, false);
    else if (fact->kind == LVL_FACT_BOOL)
        lvl_buffer_str(out, fact->number ? "yes" : "no");
    else
        lvl_buffer_printf(out, "%" PRId64, fact->number);
    if (fact->unit)
        lvl_buffer_printf(out, " %s", fact->unit);
}

/* "enemies 12, treasure 34": the labelled leaves of a group on one line. */
static void leaves(lvl_buffer *out, const lvl_fact *fact)
{
    const char *gap = "";

    for (const lvl_fact *f = fact->first; f; f = f->next) {
        if (!f->label && fact->kind == LVL_FACT_GROUP)
            continue;
        lvl_buffer_str(out, gap);
        gap = ", ";
        if (f->label && *f->label)
            lvl_buffer_printf(out, "%s ", f->label);
        leaf(out, f);
    }
}

static void people(lvl_buffer *out, const lvl_fact *fact, unsigned indent, bool color)
{
    unsigned width = 0;

    for (const lvl_fact *f = fact->first; f; f = f->next) {
        unsigned n = f->label ? (unsigned)strlen(f->label) : 0;
        width = n > width && n < 24 ? n : width;
    }
    for (const lvl_fact *f = fact->first; f; f = f->next) {
        if (!f->label && fact->kind == LVL_FACT_GROUP)
            continue;
        lvl_buffer_fill(out, ' ', indent);
        bool one_line = is_leaf(f) || only_leaves(f);
        if (f->label && *f->label)
            lvl_buffer_printf(out, "%s%-*s%s%s", color ? "\033[2m" : "", one_line ? (int)width : 0, f->label,
                              color ? "\033[0m" : "", one_line ? "  " : "");
        if (is_leaf(f)) {
            leaf(out, f);
            lvl_buffer_u8(out, '\n');
        } else if (only_leaves(f)) {
            if (f->first)
                leaves(out, f);
            else
                lvl_buffer_str(out, "none");
            lvl_buffer_u8(out, '\n');
        } else {
            lvl_buffer_u8(out, '\n');
            people(out, f, indent + 2, color);
        }
    }
}

/* What a format tells first, which is what one knows a file by: its title, who made it, its version. */
static void first_facts(lvl_buffer *out, const lvl_fact *root)
{
    enum { MOST = 3 };
    const char *gap = ": ";
    unsigned reported = 0;

    for (const lvl_fact *f = root->first; f && reported < MOST; f = f->next) {
        if (!f->label || !is_leaf(f) || (f->kind == LVL_FACT_TEXT && !f->text.len))
            continue;
        lvl_buffer_str(out, gap);
        if (f->kind != LVL_FACT_TEXT)
            lvl_buffer_printf(out, "%s ", f->label);
        leaf(out, f);
        gap = ", ";
        reported++;
    }
}

static void work(cli_job *job)
{
    const cli *c = job->c;
    lvl_art *art = NULL;

    job->brief = !c->opt.count;
    if (!cli_job_read(job, 0))
        return;
    lvl_info *info = NULL;
    if (lvl_format_can(job->format) & LVL_CAN_RENDER) {
        art = cli_art_take(job);
        if (!art)
            return;
    }
    lvl_status status = lvl_doc_info(job->doc, art, c->opt.count, &info);
    if (status == LVL_OK && art)
        status = lvl_art_status(art);
    if (status != LVL_OK) {
        cli_job_status(job, status, NULL, NULL);
        goto out;
    }
    if (c->opt.json) {
        char sha256[65];
        lvl_sha256_hex(job->bytes, sha256);
        cli_json_begin(&job->out, job->input->name);
        lvl_buffer_printf(&job->out, ",\"format\":\"%s\"", job->format->id);
        lvl_buffer_printf(&job->out, ",\"bytes\":%zu,\"sha256\":\"%s\"", job->bytes.len, sha256);
        json_children(&job->out, lvl_info_root(info), ",");
        lvl_buffer_str(&job->out, "}\n");
    } else {
        const char *bold = c->color_out ? "\033[1m" : "", *plain = c->color_out ? "\033[0m" : "";
        const lvl_text headline = lvl_info_root(info)->text;
        lvl_buffer_printf(&job->out, "%s%s%s: %s, %zu bytes", bold, job->input->shown, plain,
                          headline.len ? headline.ptr : job->format->title, job->bytes.len);
        if (c->opt.summary)
            first_facts(&job->out, lvl_info_root(info));
        lvl_buffer_u8(&job->out, '\n');
        if (c->opt.summary)
            goto out;
        people(&job->out, lvl_info_root(info), 2, c->color_out);
        if (c->inputs.batch)
            lvl_buffer_u8(&job->out, '\n');
    }
out:
    if (art)
        cli_art_give(job, art);
    lvl_info_free(info);
}

int cmd_info(cli *c)
{
    static const cli_batch batch = {.work = work, .done_word = "looked at"};
    int code = cli_take_inputs(c, 0, c->args.count);

    if (!code)
        code = cli_art_try(c);
    if (code)
        return code;
    code = cli_run(c, &batch);
    enum { MANY = 20 };
    if (c->inputs.count > MANY && !c->opt.summary && !c->opt.json && !c->opt.quiet &&
        cli_stdout_is_terminal())
        cli_report(c, "use --summary for one line each");
    return code;
}
