/*
 * cli/verbs/cmd_check.c: `lvl check`: checks files, and counts over many of them.
 */
#include "base/findings.h"
#include "cli/world/graph.h"
#include "cli/world/whole.h"
#include "os/file.h"
#include "tools/check/reports.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { TOP = 5 };

#define ART_ABSENT "lvl.art.absent" /* the finding of a file without any art */

/* Whether the finding's ID is `id`, or begins with it and a dot. */
static bool has_id(const lvl_finding_def *def, lvl_text id)
{
    return strlen(def->id) >= id.len && memcmp(def->id, id.ptr, id.len) == 0 &&
           (!def->id[id.len] || def->id[id.len] == '.');
}

static bool is_listed(const lvl_finding_def *def, const char *list)
{
    lvl_text id;

    while (lvl_text_next_item(&list, ',', &id)) {
        if (has_id(def, id))
            return true;
    }
    return false;
}

/* Whether a finding makes the file fail by --fail-on. */
static bool fails(const cli *c, const lvl_findings *findings)
{
    const char *on = c->opt->fail_on;
    lvl_severity least = LVL_NONE;

    if (!on)
        return false;
    for (int s = LVL_NOTE; s <= LVL_FATAL; s++)
        least = strcmp(on, lvl_severity_name((lvl_severity)s)) == 0 ? (lvl_severity)s : least;
    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        if (f->severity != LVL_NONE && (least ? f->severity >= least : is_listed(f->def, on)))
            return true;
    }
    return false;
}

static bool is_selected(void *list, const lvl_finding *finding)
{
    return is_listed(finding->def, list);
}

/* Counts of one finding. */
typedef struct finding_count {
    const lvl_finding_def *def;
    size_t count; /* findings */
    size_t files; /* files with the finding */
} finding_count;

/* A name, and how many files have it. */
typedef struct missing_name {
    const char *what, *name;
    size_t files;
} missing_name;

typedef struct file_note {
    size_t kinds, missing;
    finding_count *counts; /* after the names, in one piece of memory */
    missing_name names[]; /* sorted; their texts end the note */
} file_note;

typedef struct totals {
    cli_whole *whole; /* or NULL */
    size_t verdicts[LVL_VERDICT_COUNT];
    size_t skipped, differ;
    finding_count *counts;
    size_t kinds, cap;
    missing_name *missing;
    size_t missing_count, missing_cap;
    bool failed; /* memory for the counts ran out */
} totals;

/* What is missing by this finding, whose text begins with its name and LVL_IS_MISSING; NULL: nothing. */
static const char *missing_what(const lvl_finding *f)
{
    return f->def->about == LVL_ABOUT_NO_LEVEL     ? "level"
           : f->def->about == LVL_ABOUT_NO_PICTURE ? "picture"
                                                   : NULL;
}

static int by_name(const void *a, const void *b)
{
    const missing_name *x = a, *y = b;
    const int d = strcmp(x->what, y->what);

    return d ? d : strcmp(x->name, y->name);
}

/* The length of the name that the text of such a finding begins with. */
static size_t missing_len(const char *text)
{
    const char *end = NULL;

    for (const char *at = text; (at = strstr(at, LVL_IS_MISSING)) != NULL; at++)
        end = at;
    return end ? (size_t)(end - text) : strlen(text);
}

/* Copies the names of what is missing to the end of the note. */
static void note_missing(file_note *note, const lvl_findings *findings, char *texts)
{
    const size_t n = lvl_findings_count(findings);

    for (size_t i = 0; i < n; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        const char *what = missing_what(f);
        if (!what)
            continue;
        const size_t len = missing_len(f->text);
        memcpy(texts, f->text, len);
        texts[len] = 0;
        note->names[note->missing].what = what;
        note->names[note->missing++].name = texts;
        texts += len + 1;
    }
    if (note->missing)
        qsort(note->names, note->missing, sizeof *note->names, by_name);
}

/* `names`: with the names of what is missing. */
static file_note *note_of(const lvl_findings *findings, bool names)
{
    const size_t n = lvl_findings_count(findings);
    size_t missing = 0, bytes = 0;

    for (size_t i = 0; i < n && names; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        if (missing_what(f)) {
            missing++;
            bytes += strlen(f->text) + 1;
        }
    }
    const size_t at = sizeof(file_note) + missing * sizeof(missing_name);
    file_note *note = calloc(1, at + n * sizeof(finding_count) + bytes);
    if (!note)
        return NULL;
    note->counts = (finding_count *)(void *)((char *)note + at);
    for (size_t i = 0; i < n; i++) {
        const lvl_finding_def *def = lvl_findings_at(findings, i)->def;
        size_t k = 0;
        while (k < note->kinds && note->counts[k].def != def)
            k++;
        note->counts[k].def = def;
        note->counts[k].count++;
        note->kinds += k == note->kinds;
    }
    if (missing)
        note_missing(note, findings, (char *)(note->counts + n));
    return note;
}

static void plural(lvl_buffer *out, size_t n, const char *word)
{
    if (n)
        lvl_buffer_printf(out, ", %zu %s%s", n, word, n == 1 ? "" : "s");
}

static void verdict_line(cli_job *job, const lvl_check_result *result)
{
    const char *color = result->verdict == LVL_SOUND ? "32" : result->verdict == LVL_FAULTY ? "33" : "31";

    lvl_buffer_printf(&job->out, "%s: ", job->input->shown);
    if (job->c->color_out)
        lvl_buffer_printf(&job->out, "\033[1;%sm%s\033[0m", color, lvl_verdict_name(result->verdict));
    else
        lvl_buffer_str(&job->out, lvl_verdict_name(result->verdict));
    plural(&job->out, lvl_findings_of(job->findings, LVL_FATAL) + lvl_findings_of(job->findings, LVL_ERROR),
           "error");
    plural(&job->out, lvl_findings_of(job->findings, LVL_WARNING), "warning");
    if (job->c->opt->verbose) {
        plural(&job->out, lvl_findings_of(job->findings, LVL_NOTE), "note");
        lvl_buffer_printf(&job->out, ", %llu bytes of residue, %llu kept",
                          (unsigned long long)result->residue, (unsigned long long)result->kept);
    }
    if (result->roundtrip_asked)
        lvl_buffer_str(&job->out, result->roundtrip ? ", round-trips byte for byte"
                                                    : ", round trip failed: output differs");
    lvl_buffer_u8(&job->out, '\n');
}

/* The tag of a job is the verdict, with TAG_DIFFERS if the round trip failed; its note has the counts. */
enum { TAG_DIFFERS = 8 };

static void check_job(cli_job *job)
{
    const cli_options *opt = job->c->opt;
    const totals *t = job->c->user;
    lvl_check_result result = {0};
    lvl_doc *doc = NULL;
    lvl_art *art = NULL;

    if (!cli_job_open(job, 0)) {
        /* --json prints an object for a foreign file that was named, too */
        cli_whole_unread(t->whole, job);
        if (opt->json && !opt->summary && job->code == EXIT_FOREIGN) {
            result.verdict = LVL_FOREIGN;
            if (cli_job_need_findings(job))
                lvl_check_json(&result, job->findings, job->input->name, &job->out);
        } else if (job->damaged) { /* nothing else names the damage of a member that is not checked */
            cli_job_findings(job, job->findings, LVL_ERROR);
        }
        job->tag = job->code == EXIT_FOREIGN ? LVL_FOREIGN : -1;
        return;
    }
    job->tag = -1;
    if (!cli_art_take_if(job, !opt->no_art, &art))
        return;
    /* without any art, every picture would be reported as missing */
    const lvl_check_options options = {.roundtrip = opt->roundtrip,
                                       .art = art && lvl_art_root(art, 0) ? art : NULL,
                                       .sha256 = opt->json && !opt->summary,
                                       .no_kept = opt->summary || !(opt->json || opt->verbose),
                                       .rules = job->c->rules};
    lvl_status status = lvl_check(&job->ctx, job->format, job->bytes, lvl_file_name(job->input->name),
                                  &options, job->findings, &result, t->whole ? &doc : NULL);
    cli_art_give(job, art);
    if (status != LVL_OK || !doc || result.verdict == LVL_DAMAGED)
        cli_whole_unread(t->whole, job);
    if (status == LVL_OK && doc)
        status = cli_whole_add(t->whole, job, doc);
    lvl_doc_free(doc);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
        return;
    }
    bool differs = result.roundtrip_asked && !result.roundtrip;
    if (result.verdict == LVL_FOREIGN)
        job->code = EXIT_FOREIGN;
    else if (result.verdict != LVL_SOUND || differs)
        job->code = EXIT_NEGATIVE;
    const bool failed = fails(job->c, job->findings);
    if (failed)
        job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    if (opt->only)
        lvl_findings_filter(job->findings, is_selected, (void *)(uintptr_t)opt->only);
    job->tag = (int)result.verdict | (differs ? TAG_DIFFERS : 0);
    job->note = note_of(job->findings, opt->summary);
    if (opt->summary)
        return;
    if (opt->damaged) {
        if (job->code && (result.verdict != LVL_FAULTY || differs || failed))
            lvl_buffer_printf(&job->out, "%s\n", job->input->name);
        return;
    }
    if (opt->json) {
        lvl_check_json(&result, job->findings, job->input->name, &job->out);
        return;
    }
    lvl_severity least = opt->verbose ? LVL_NOTE : opt->quiet ? LVL_ERROR : LVL_WARNING;
    cli_findings_text(job->c, job->findings, job->input->shown, least, job->c->color_out, &job->out);
    /* in a folder, files without findings are only counted */
    const bool plain = !job->code && !lvl_findings_of(job->findings, LVL_WARNING);
    if (job->code || !(opt->quiet || (plain && !job->input->named && !opt->verbose)))
        verdict_line(job, &result);
}

/* Adds a name that is missing in a file; false: no memory. */
static bool add_missing(totals *t, const char *what, const char *name)
{
    char *copy = cli_copy(name);

    if (!copy || !cli_grow(&t->missing, &t->missing_cap, t->missing_count + 1, sizeof *t->missing)) {
        free(copy);
        return false;
    }
    t->missing[t->missing_count++] = (missing_name){what, copy, 1};
    return true;
}

/* Counts equal names together. */
static void sort_missing(totals *t)
{
    size_t kept = 0;

    if (t->missing_count)
        qsort(t->missing, t->missing_count, sizeof *t->missing, by_name);
    for (size_t i = 0; i < t->missing_count; i++) {
        if (kept && by_name(&t->missing[kept - 1], &t->missing[i]) == 0) {
            t->missing[kept - 1].files += t->missing[i].files;
            free((char *)(uintptr_t)t->missing[i].name);
        } else {
            t->missing[kept++] = t->missing[i];
        }
    }
    t->missing_count = kept;
}

static void count_missing(totals *t, const file_note *note)
{
    enum { TOGETHER = 1 << 16 };

    for (size_t i = 0; i < note->missing; i++) {
        const bool again = i && by_name(&note->names[i - 1], &note->names[i]) == 0; /* in the same file */
        if (!again && !add_missing(t, note->names[i].what, note->names[i].name))
            t->failed = true;
    }
    /* many files that miss the same take no more memory than one */
    if (t->missing_count >= TOGETHER && t->missing_count == t->missing_cap)
        sort_missing(t);
}

static void count_finding(totals *t, const lvl_finding_def *def, size_t count)
{
    size_t k = 0;

    while (k < t->kinds && t->counts[k].def != def)
        k++;
    if (!cli_grow(&t->counts, &t->cap, k + 1, sizeof *t->counts)) {
        t->failed = true;
        return;
    }
    if (k == t->kinds)
        t->counts[t->kinds++] = (finding_count){.def = def};
    t->counts[k].count += count;
    t->counts[k].files++;
}

static void count_result(cli *c, const cli_job *job)
{
    totals *t = c->user;
    const file_note *note = job->note;

    if (job->outcome != CLI_DONE) {
        t->skipped++;
        return;
    }
    if (job->tag < 0)
        return;
    t->verdicts[job->tag & ~TAG_DIFFERS]++;
    t->differ += (job->tag & TAG_DIFFERS) != 0;
    if (note)
        count_missing(t, note);
    for (size_t i = 0; note && i < note->kinds; i++)
        count_finding(t, note->counts[i].def, note->counts[i].count);
}

/* ---- a folder as a whole ------------------------------------------------------------------------------- */

/* Counts and prints what is found about an input. */
static int report_whole(cli *c, totals *t, size_t index, lvl_findings *found, lvl_buffer *out)
{
    const cli_options *opt = c->opt;
    const cli_input *input = &c->inputs.items[index];

    cli_whole_report(t->whole, index, found);
    const bool failed = fails(c, found);
    if (opt->only)
        lvl_findings_filter(found, is_selected, (void *)(uintptr_t)opt->only);
    for (size_t i = 0; i < lvl_findings_count(found); i++)
        count_finding(t, lvl_findings_at(found, i)->def, 1);
    if (opt->json && !opt->summary && lvl_findings_count(found)) {
        lvl_buffer_u8(out, '{');
        lvl_json_put_string(out, "file", input->name);
        lvl_json_key(out, "findings");
        lvl_findings_json(found, out);
        lvl_buffer_str(out, "}\n");
    } else if (opt->verbose && !opt->summary) {
        cli_findings_text(c, found, input->shown, LVL_NOTE, c->color_out, out);
    }
    return failed ? EXIT_NEGATIVE : EXIT_FINE;
}

static int report_all(cli *c, totals *t)
{
    lvl_findings *found = lvl_findings_new(&c->ctx);
    lvl_buffer out = {0};
    int code = EXIT_FINE;

    const bool good = found && cli_whole_end(t->whole) == LVL_OK;
    for (size_t i = 0; i < c->inputs.count && good; i++) {
        lvl_findings_clear(found);
        code = cli_max_exit_code(code, report_whole(c, t, i, found, &out));
    }
    cli_out_text(c, &out);
    lvl_findings_free(found);
    return good ? code : cli_no_memory(c);
}

static int by_files(const void *a, const void *b)
{
    const finding_count *x = a, *y = b;

    if (x->files != y->files)
        return x->files > y->files ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->def->id, y->def->id);
}

static size_t files_checked(const totals *t)
{
    size_t files = 0;

    for (int v = 0; v < LVL_VERDICT_COUNT; v++)
        files += t->verdicts[v];
    return files;
}

static void summary_json(lvl_buffer *out, const totals *t, bool roundtrip)
{
    lvl_buffer_u8(out, '{');
    lvl_json_put_uint(out, "files", files_checked(t));
    lvl_json_put_uint(out, "skipped", t->skipped);
    for (int v = 0; v < LVL_VERDICT_COUNT; v++)
        lvl_json_put_uint(out, lvl_verdict_name((lvl_verdict)v), t->verdicts[v]);
    if (roundtrip)
        lvl_json_put_uint(out, "differ", t->differ);
    lvl_json_open(out, "findings", '[');
    for (size_t i = 0; i < t->kinds; i++) {
        lvl_json_open(out, NULL, '{');
        lvl_json_put_string(out, "id", t->counts[i].def->id);
        lvl_json_put_uint(out, "count", t->counts[i].count);
        lvl_json_put_uint(out, "files", t->counts[i].files);
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, ']');
    lvl_json_open(out, "missing", '[');
    for (size_t i = 0; i < t->missing_count; i++) {
        lvl_json_open(out, NULL, '{');
        lvl_json_put_string(out, "kind", t->missing[i].what);
        lvl_json_put_string(out, "name", t->missing[i].name);
        lvl_json_put_uint(out, "files", t->missing[i].files);
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_str(out, "]}\n");
}

/* The names of pictures and levels that are nowhere, and in how many files. */
static void put_missing(lvl_buffer *out, const totals *t)
{
    for (size_t i = 0; i < t->missing_count; i++) {
        const missing_name *m = &t->missing[i];
        if (!i || strcmp(m->what, m[-1].what) != 0)
            lvl_buffer_printf(out, "missing %ss:\n", m->what);
        lvl_buffer_printf(out, "  %5zu file%s ", m->files, m->files == 1 ? " " : "s");
        lvl_text_escape(out, LVL_CP_UTF8, lvl_text_of(m->name), false);
        lvl_buffer_u8(out, '\n');
    }
}

static void put_artless(lvl_buffer *out, size_t files)
{
    lvl_buffer_printf(out,
                      "  %5zu file%s without pictures, sounds or levels around %s: missing ones are not "
                      "reported; use --art FOLDER\n",
                      files, files == 1 ? "" : "s", files == 1 ? "it" : "them");
}

static void put_kind(lvl_buffer *out, const finding_count *k)
{
    lvl_buffer_printf(out, "  %5zu file%s %6zu x  %s\n", k->files, k->files == 1 ? ", " : "s,", k->count,
                      k->def->id);
}

/* What was found about the folder as a whole, which are notes about single files. */
static const struct whole_kind {
    const char *one, *many;
} whole_kinds[] = {
    [LVL_ABOUT_UNLINKED] = {"level that no map, link or script leads to",
                            "levels that no map, link or script leads to"},
    [LVL_ABOUT_UNNAMED] = {"file that nothing names", "files that nothing names"},
    [LVL_ABOUT_CASE] = {"name in another case than that of the file",
                        "names in another case than that of the file"},
};

static const struct whole_kind *whole_kind(const lvl_finding_def *def)
{
    return def->about < LVL_COUNT_OF(whole_kinds) && whole_kinds[def->about].one ? &whole_kinds[def->about]
                                                                                 : NULL;
}

static void put_whole(lvl_buffer *out, const finding_count *k)
{
    const struct whole_kind *kind = whole_kind(k->def);

    if (kind)
        lvl_buffer_printf(out, "  %5zu %s (%s)\n", k->count, k->count == 1 ? kind->one : kind->many,
                          k->def->id);
}

static void summary_text(lvl_buffer *out, const totals *t, bool roundtrip, size_t most)
{
    const size_t files = files_checked(t);
    size_t listed = 0, kinds = t->kinds, artless = 0;
    lvl_buffer_printf(out, "%zu file%s checked: %zu sound, %zu faulty, %zu damaged, %zu unreadable", files,
                      files == 1 ? "" : "s", t->verdicts[LVL_SOUND], t->verdicts[LVL_FAULTY],
                      t->verdicts[LVL_DAMAGED], t->verdicts[LVL_UNREADABLE]);
    if (t->verdicts[LVL_FOREIGN])
        lvl_buffer_printf(out, ", %zu foreign", t->verdicts[LVL_FOREIGN]);
    if (roundtrip)
        lvl_buffer_printf(out, ", %zu not the same after writing", t->differ);
    if (t->skipped)
        lvl_buffer_printf(out, "; %zu foreign skipped", t->skipped);
    lvl_buffer_u8(out, '\n');
    for (size_t i = 0; i < t->kinds; i++) {
        const bool absent = strcmp(t->counts[i].def->id, ART_ABSENT) == 0;
        artless = absent ? t->counts[i].files : artless;
        if (absent || whole_kind(t->counts[i].def))
            kinds--;
        else if (listed++ < most)
            put_kind(out, &t->counts[i]);
    }
    for (size_t i = 0; i < t->kinds; i++)
        put_whole(out, &t->counts[i]);
    if (artless)
        put_artless(out, artless);
    put_missing(out, t);
    if (kinds > most)
        lvl_buffer_printf(out, "  and %zu more kind%s of findings; --summary lists all\n", kinds - most,
                          kinds - most == 1 ? "" : "s");
}

/* Reports an ID of a list that no finding has; returns the exit code. */
static int check_ids(cli *c, const char *option, const char *list)
{
    lvl_text id;

    for (int s = LVL_NOTE; list && s <= LVL_FATAL; s++) {
        if (strcmp(list, lvl_severity_name((lvl_severity)s)) == 0 && strcmp(option, "fail-on") == 0)
            return EXIT_FINE;
    }
    while (lvl_text_next_item(&list, ',', &id)) {
        if (!cli_is_finding(c, id))
            return cli_usage(c, "--%s: there is no finding `%.*s'; `lvl formats --findings' lists them",
                             option, (int)id.len, id.ptr);
    }
    return EXIT_FINE;
}

int cmd_check(cli *c)
{
    totals t = {0};
    lvl_buffer text = {0};
    const cli_batch batch = {.work = check_job, .after = count_result, .user = &t};

    if (c->opt->no_art && c->opt->art.count)
        return cli_usage(c, "--no-art and --art exclude each other");
    if (c->opt->damaged && (c->opt->json || c->opt->summary))
        return cli_usage(c, "--damaged prints names only; it excludes --json and --summary");
    if (c->opt->reach_from && (c->opt->damaged || c->opt->summary || c->opt->roundtrip || c->opt->only))
        return cli_usage(
            c, "--reach-from reports nothing else; it excludes --damaged, --summary, --roundtrip and --only");
    if (c->opt->rules.count && c->opt->reach_from)
        return cli_usage(c, "--reach-from reports nothing else; it excludes --rules");
    /* ids of rules of one's own are free */
    int code = c->opt->rules.count ? EXIT_FINE : check_ids(c, "only", c->opt->only);
    if (!code && !c->opt->rules.count)
        code = check_ids(c, "fail-on", c->opt->fail_on);
    if (!code)
        code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = cli_art_try(c);
    if (!code && c->opt->reach_from)
        code = cli_check_reach(c, fails);
    if (code || c->opt->reach_from)
        return code;
    if (!c->opt->no_art && !c->opt->damaged)
        code = cli_whole_begin(c, &t.whole);
    if (!code)
        code = cli_run(c, &batch);
    if (t.whole && !cli_stopped())
        code = cli_max_exit_code(code, report_all(c, &t));
    cli_whole_free(t.whole);
    if (t.kinds)
        qsort(t.counts, t.kinds, sizeof *t.counts, by_files);
    sort_missing(&t);
    if (c->opt->summary) {
        if (c->opt->json)
            summary_json(&text, &t, c->opt->roundtrip);
        else
            summary_text(&text, &t, c->opt->roundtrip, SIZE_MAX);
        cli_out(c, text.data, text.len);
    } else if (c->inputs.batch && !c->opt->quiet && !cli_stopped()) {
        summary_text(&text, &t, c->opt->roundtrip, TOP);
        cli_err(c, text.data, text.len);
    }
    if (text.status != LVL_OK || t.failed)
        code = cli_max_exit_code(code, cli_no_memory(c));
    lvl_buffer_free(&text);
    for (size_t i = 0; i < t.missing_count; i++)
        free((char *)(uintptr_t)t.missing[i].name);
    free(t.missing);
    free(t.counts);
    return code;
}
