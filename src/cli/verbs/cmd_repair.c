/*
 * cli/verbs/cmd_repair.c: `lvl repair`: repairs files, lists the changes and the errors that remain.
 */
#include "cli/cli.h"
#include "tools/check/reports.h"

#include "base/text.h"

#include <string.h>

/* The state of the repaired file. */
typedef struct rest {
    lvl_findings *findings;
    lvl_check_result result;
    bool known; /* else the check failed, which is reported */
} rest;

static void check_rest(cli_job *job, const lvl_buffer *bytes, rest *r)
{
    const lvl_bytes view = {bytes->data, bytes->len};

    r->findings = lvl_findings_new(&job->ctx);
    const lvl_status status =
        r->findings ? lvl_check(&job->ctx, job->format, view, NULL, NULL, r->findings, &r->result, NULL)
                    : LVL_ERR_MEMORY;
    r->known = status == LVL_OK;
    cli_job_status(job, status, NULL, NULL);
}

/* Prints the remaining errors, which set the exit code. */
static void report_rest(cli_job *job, const rest *r)
{
    if (!r->known || r->result.verdict == LVL_SOUND)
        return;
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    cli_job_findings(job, r->findings, LVL_ERROR);
    lvl_buffer_printf(&job->err, "%s: still %s\n", job->input->shown, lvl_verdict_name(r->result.verdict));
}

/* ---- what survived ------------------------------------------------------------------------------------- */

/* Records of one list, before and after the repair. */
typedef struct record_count {
    const lvl_field *field;
    uint64_t before, after;
} record_count;

enum { KINDS = 24 };

typedef struct record_counts {
    record_count kinds[KINDS];
    size_t count;
    bool after;
} record_counts;

static void count_records(record_counts *counts, const void *record, const lvl_table *table, int depth)
{
    for (uint32_t i = 0; i < table->field_count && depth < 16; i++) {
        const lvl_field *f = &table->fields[i];
        const uint8_t *at = (const uint8_t *)record + f->offset;
        if (f->kind == LVL_RECORD)
            count_records(counts, at, f->table, depth + 1);
        if (f->kind != LVL_LIST || f->item != LVL_RECORD || f->role == LVL_KEPT)
            continue;
        const uint32_t n = lvl_list_count(record, f);
        size_t k = 0;
        while (k < counts->count && counts->kinds[k].field != f)
            k++;
        if (k < KINDS) {
            counts->count += k == counts->count;
            counts->kinds[k].field = f;
            *(counts->after ? &counts->kinds[k].after : &counts->kinds[k].before) += n;
        }
        const uint8_t *items;
        memcpy(&items, at, sizeof items);
        for (uint32_t item = 0; item < n; item++)
            count_records(counts, items + (size_t)item * f->item_size, f->table, depth + 1);
    }
}

/* Counts the records of a document, as it was read or as it was repaired. */
static void count_document(record_counts *counts, const lvl_doc *doc, bool after)
{
    counts->after = after;
    count_records(counts, lvl_doc_croot(doc), lvl_doc_format(doc)->table, 0);
}

static void put_survivors(lvl_buffer *to, const cli_job *job, const record_counts *counts)
{
    const char *before = ": the repaired file has: ";

    for (size_t i = 0; i < counts->count; i++) {
        const record_count *k = &counts->kinds[i];
        if (!k->before && !k->after)
            continue;
        lvl_buffer_printf(to, "%s%s%s %llu", *before == ':' ? job->input->shown : "", before, k->field->name,
                          (unsigned long long)k->after);
        if (k->after < k->before)
            lvl_buffer_printf(to, " of %llu", (unsigned long long)k->before);
        before = ", ";
    }
    if (*before == ',')
        lvl_buffer_u8(to, '\n');
}

/* ---- reports ------------------------------------------------------------------------------------------- */

/* One line of JSON: the changes, what survived, and what a check of the result finds. */
static void report_json(cli_job *job, const rest *r, const record_counts *counts, lvl_buffer *to)
{
    cli_json_begin(to, job->input->name);
    lvl_json_key(to, "changes");
    lvl_findings_json(job->findings, to);
    lvl_json_open(to, "records", '{');
    for (size_t i = 0; i < counts->count; i++) {
        lvl_json_open(to, counts->kinds[i].field->name, '{');
        lvl_json_put_uint(to, "before", counts->kinds[i].before);
        lvl_json_put_uint(to, "after", counts->kinds[i].after);
        lvl_buffer_u8(to, '}');
    }
    lvl_buffer_u8(to, '}');
    if (r->known) {
        lvl_json_put_string(to, "verdict", lvl_verdict_name(r->result.verdict));
        lvl_json_key(to, "findings");
        lvl_findings_json(r->findings, to);
    }
    lvl_buffer_str(to, "}\n");
}

/* Where lines of changes go. */
typedef struct change_lines {
    const cli_job *job;
    lvl_buffer *to;
} change_lines;

static void put_change(void *user, const lvl_finding *f)
{
    const change_lines *l = user;
    char where[256] = "", at[64] = "";

    lvl_where_text(&f->where, where, sizeof where);
    lvl_position_text(&f->position, at, sizeof at);
    lvl_buffer_printf(l->to, "%s:%s%s %s%s%s\n", l->job->input->shown, at, *at ? ":" : "", where,
                      *where ? ": " : "", f->text);
}

static void put_more(void *user, const lvl_finding_def *def, lvl_severity severity, size_t count)
{
    const change_lines *l = user;

    (void)severity;
    lvl_buffer_printf(l->to, "%s: %s: %zu more of these; -v lists all\n", l->job->input->shown, def->id,
                      count);
}

/* What is only odd in the result: kinds of findings that --normalize changes. */
static void put_odd(lvl_buffer *to, const cli_job *job, const rest *r)
{
    const char *before = ": --normalize would also change ";
    const lvl_finding_def *last = NULL;

    for (size_t i = 0; r->known && i < lvl_findings_count(r->findings); i++) {
        const lvl_finding *f = lvl_findings_at(r->findings, i);
        bool seen = f->def == last;
        for (size_t k = 0; k < i && !seen; k++)
            seen = lvl_findings_at(r->findings, k)->def == f->def;
        last = f->def;
        if (seen || f->severity >= LVL_ERROR || !f->def->repair)
            continue;
        lvl_buffer_printf(to, "%s%s%s", *before == ':' ? job->input->shown : "", before, f->def->id);
        before = ", ";
    }
    if (*before == ',')
        lvl_buffer_u8(to, '\n');
}

static void report_changes(cli_job *job, const rest *r, const record_counts *counts, lvl_buffer *to)
{
    const lvl_findings *changes = job->findings;
    const bool shown = job->input->named || job->c->opt->verbose;
    const size_t n = lvl_findings_count(changes);
    change_lines to_lines = {job, to};
    const lvl_few_lines lines = {put_change, put_more, &to_lines};

    for (size_t i = 0; i < n && job->c->opt->verbose; i++)
        put_change(&to_lines, lvl_findings_at(changes, i));
    if (!job->c->opt->verbose)
        lvl_findings_few(changes, LVL_NOTE, LVL_FINDINGS_FEW, &lines);
    if (n)
        put_survivors(to, job, counts);
    else if (shown)
        lvl_buffer_printf(to, "%s: nothing to repair\n", job->input->shown);
    if (shown && !job->c->opt->normalize)
        put_odd(to, job, r);
}

/* Parses the document without findings: damage is printed as changes, and what remains at the end. What could
 * not be read of a damaged member is the first change. */
static bool parse(cli_job *job)
{
    lvl_findings *const changes = job->findings;

    job->findings = NULL;
    const bool good = cli_job_need_findings(job) && cli_job_parse(job, false);
    lvl_findings_free(job->findings);
    job->findings = changes;
    return good;
}

/* With --damaged: whether the verdict is damaged. A file that is not is neither changed nor copied. */
static bool is_damaged(cli_job *job)
{
    const lvl_check_options how = {.verdict_only = true};
    lvl_findings *found = lvl_findings_new(&job->ctx);
    lvl_check_result result = {0};

    const lvl_status status =
        found ? lvl_check(&job->ctx, job->format, job->bytes, NULL, &how, found, &result, NULL)
              : LVL_ERR_MEMORY;
    lvl_findings_free(found);
    cli_job_status(job, status, NULL, NULL);
    job->idle = status == LVL_OK && result.verdict != LVL_DAMAGED && !job->damaged;
    if (job->idle && job->c->opt->verbose)
        lvl_buffer_printf(&job->out, "%s: %s: left out\n", job->input->shown,
                          lvl_verdict_name(result.verdict));
    return status == LVL_OK && !job->idle;
}

static void repair_job(cli_job *job)
{
    const cli_options *opt = job->c->opt;
    lvl_buffer bytes = {0};
    lvl_art *art = NULL;
    rest left = {0};
    record_counts counts = {.count = 0};

    if (!cli_job_open(job, LVL_CAN_REPAIR) || (opt->damaged && !is_damaged(job)) || !parse(job) ||
        !cli_art_take_if(job, cli_art_given(job->c), &art))
        return;
    const lvl_repair_options how = {.art = art && lvl_art_root(art, 0) ? art : NULL,
                                    .recover = opt->recover,
                                    .normalize = opt->normalize};
    count_document(&counts, job->doc, false);
    const lvl_status status = lvl_repair(job->doc, &how, job->findings, &bytes);
    if (status != LVL_OK) { /* LVL_ERR_LOSS: the findings are changes that are not written */
        cli_job_status(job, status, status == LVL_ERR_LOSS ? NULL : job->findings, "cannot be repaired");
        goto out;
    }
    const bool to_stdout = !opt->dry_run && job->c->plan->place == CLI_TO_STDOUT;
    check_rest(job, &bytes, &left);
    count_document(&counts, job->doc, true);
    if (opt->json)
        report_json(job, &left, &counts, to_stdout ? &job->err : &job->saved_out);
    else if (!opt->quiet)
        report_changes(job, &left, &counts, to_stdout ? &job->err : &job->saved_out);
    report_rest(job, &left);
    job->idle = !lvl_findings_count(job->findings);
    /* in place, a sound file is not written */
    const bool stays = job->idle && cli_changes_inputs(job->c);
    if (opt->dry_run || stays)
        cli_job_saved(job);
    if (!stays)
        cli_deliver(job, lvl_buffer_bytes(&bytes), &cli_edit_output);
out:
    cli_art_give(job, art);
    lvl_findings_free(left.findings);
    lvl_buffer_free(&bytes);
}

int cmd_repair(cli *c)
{
    const cli_batch batch = {.work = repair_job,
                             .done_word = c->opt->dry_run ? "would be repaired" : "repaired",
                             .idle_word = c->opt->dry_run ? "need no repair" : "needed no repair",
                             .output = &cli_edit_output,
                             .art = true};

    return cli_run_args(c, &batch);
}
