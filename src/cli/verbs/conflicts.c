/*
 * cli/verbs/conflicts.c: pictures of the conflicts of a merge, and the page of `lvl merge --html`.
 */
#include "cli/verbs/conflicts.h"

#include "cli/verbs/git.h"
#include "cli/verbs/review.h"

#include "base/hash.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_PICTURES = 40 }; /* conflicts that have pictures of their own: each takes a merge */

/* ---- choices ----------------------------------------------------------------------------------------- */

int cli_choices_parse(cli *c, const char *text, cli_choices *out)
{
    const size_t len = strcspn(text, ":");

    *out = (cli_choices){.hash = text[len] ? text + len + 1 : NULL};
    if (!len || strspn(text, "123") != len || (out->hash && strlen(out->hash) != 8))
        return cli_usage(
            c,
            "--choices: expected a digit for each conflict (1 ours, 2 theirs, 3 base), as the page "
            "of --html prints them, got `%s'",
            text);
    out->sides = malloc(len * sizeof *out->sides);
    if (!out->sides)
        return cli_no_memory(c);
    for (size_t i = 0; i < len; i++)
        out->sides[i] = text[i] == '1' ? LVL_MERGE_OURS : text[i] == '2' ? LVL_MERGE_THEIRS : LVL_MERGE_BASE;
    out->count = len;
    return EXIT_FINE;
}

void cli_conflicts_hash(const cli_job *job, const cli_job *base, const cli_job *theirs, char out[9])
{
    char hex[3 * 64 + 65];

    lvl_sha256_hex(base->bytes, hex);
    lvl_sha256_hex(job->bytes, hex + 64);
    lvl_sha256_hex(theirs->bytes, hex + 128);
    lvl_sha256_hex((lvl_bytes){(const uint8_t *)hex, 192}, hex + 192);
    memcpy(out, hex + 192, 8);
    out[8] = 0;
}

/* Appends the path and the text of that conflict of those in the job's findings, which may lack the last
 * ones. */
static void put_conflict(const cli_job *job, size_t index, lvl_buffer *out)
{
    char where[256];
    size_t seen = 0;

    for (size_t i = 0; i < lvl_findings_count(job->findings); i++) {
        const lvl_finding *f = lvl_findings_at(job->findings, i);
        if (strcmp(f->def->id, "lvl.merge.conflict") != 0 || seen++ != index)
            continue;
        lvl_where_text(&f->where, where, sizeof where);
        lvl_buffer_printf(out, "%s%s%s", where, *where ? ": " : "", f->text);
        return;
    }
}

void cli_conflict_text(const cli_job *job, size_t index, uint64_t count, lvl_buffer *out)
{
    lvl_buffer text = {0};

    put_conflict(job, index, &text);
    lvl_buffer_printf(out, "conflict %zu of %llu%s", index + 1, (unsigned long long)count,
                      text.len ? ": " : "");
    lvl_buffer_add(out, text.data, text.len);
    if (text.status != LVL_OK)
        out->status = text.status;
    lvl_buffer_free(&text);
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* Makes the scene of a merge with these options; *doc must be freed after the scene. */
static lvl_status scene_of(cli_job *job, cli_job *base, cli_job *theirs, const lvl_merge_options *options,
                           const lvl_scene_request *request, lvl_doc **doc, lvl_scene **scene)
{
    lvl_status status = lvl_read(doc, &job->ctx, job->format, job->bytes, lvl_file_name(job->input->name),
                                 LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_merge(*doc, base->doc, theirs->doc, options, NULL, NULL);
    return status == LVL_OK ? lvl_doc_scene(*doc, request, scene) : status;
}

void cli_conflicts_image(cli_job *job, cli_job *base, cli_job *theirs)
{
    lvl_doc *docs[2] = {NULL, NULL};
    lvl_scene *scenes[2] = {NULL, NULL};
    lvl_scene_change *changes = NULL;
    lvl_buffer png = {0};
    lvl_render_options options;
    size_t count = 0;
    uint64_t others = 0;
    lvl_art *art = cli_art_take(job);

    if (!art)
        return;
    const lvl_scene_request request = {.art = art};
    lvl_status status = scene_of(job, base, theirs, &(lvl_merge_options){.prefer = LVL_MERGE_OURS}, &request,
                                 &docs[0], &scenes[0]);
    if (status == LVL_OK)
        status = scene_of(job, base, theirs, &(lvl_merge_options){.prefer = LVL_MERGE_THEIRS}, &request,
                          &docs[1], &scenes[1]);
    if (status == LVL_OK)
        status = lvl_scene_compare(scenes[0], scenes[1], &changes, &count);
    if (status == LVL_OK)
        status = lvl_scene_compare_others(scenes[0], scenes[1], &others);
    if (status == LVL_OK && (count || others)) {
        lvl_buffer_writer writer = lvl_buffer_writer_to(&png);
        lvl_render_options_init(&options);
        options.captions[0] = "ours";
        options.captions[1] = "theirs";
        options.captions[2] = "conflicts";
        status = lvl_render_diff(scenes[0], scenes[1], changes, count, &options, &writer.writer);
    }
    if (status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(job, EXIT_NEGATIVE, "no picture: this format has none");
    else if (status != LVL_OK)
        cli_job_status(job, status, NULL, "no picture");
    else if (!count && !others)
        lvl_buffer_printf(&job->err, "%s: no picture: the conflicts cannot be seen in one\n",
                          job->input->shown);
    else
        cli_save_to(job, job->c->opt.image, lvl_buffer_bytes(&png));
    lvl_buffer_free(&png);
    if (changes)
        lvl_scene_changes_free(scenes[0], changes);
    for (int i = 0; i < 2; i++) {
        lvl_scene_free(scenes[i]);
        lvl_doc_free(docs[i]);
    }
    cli_art_give(job, art);
}

/* ---- the page ---------------------------------------------------------------------------------------- */

/* A merge as the page shows it. */
typedef struct merged {
    lvl_doc *doc;
    lvl_scene *scene;
} merged;

static void merged_clear(merged *m)
{
    lvl_scene_free(m->scene);
    lvl_doc_free(m->doc);
    *m = (merged){0};
}

typedef struct page {
    cli_job *job, *base, *theirs;
    cli_review review;
    lvl_render_options options;
    lvl_scene_request request;
    merged ours; /* OURS wins all conflicts; no scene: this format has no pictures */
    uint64_t count;
} page;

/* Adds the pictures of a merge beside those of OURS. */
static lvl_status put_pictures(page *p, const lvl_merge_options *options, bool places)
{
    merged other = {0};

    lvl_status status = scene_of(p->job, p->base, p->theirs, options, &p->request, &other.doc, &other.scene);
    if (status == LVL_OK)
        status = places ? cli_review_places(&p->review, p->ours.scene, other.scene, &p->options)
                        : cli_review_pictures(&p->review, p->ours.scene, other.scene, &p->options, false);
    merged_clear(&other);
    return status;
}

/* BASE, and all conflicts in one picture. */
static lvl_status put_whole(page *p)
{
    const lvl_merge_options ours = {.prefer = LVL_MERGE_OURS}, theirs = {.prefer = LVL_MERGE_THEIRS};
    lvl_scene *base = NULL;

    lvl_status status =
        scene_of(p->job, p->base, p->theirs, &ours, &p->request, &p->ours.doc, &p->ours.scene);
    if (status == LVL_ERR_UNSUPPORTED) {
        merged_clear(&p->ours);
        return LVL_OK;
    }
    cli_review_begin(&p->review, "All conflicts", "conflict", NULL);
    if (status == LVL_OK)
        status = put_pictures(p, &theirs, false);
    if (status == LVL_OK)
        status = lvl_doc_scene(p->base->doc, &p->request, &base);
    if (status == LVL_OK) {
        lvl_buffer_str(&p->review.section, "<details><summary>Base: what both began with</summary>\n");
        status = cli_review_picture(&p->review, base, &p->options);
        lvl_buffer_str(&p->review.section, "</details>\n");
    }
    lvl_scene_free(base);
    cli_review_end(&p->review);
    return status;
}

static lvl_status put_section(page *p, size_t index, lvl_merge_side *sides, lvl_merge_side chosen)
{
    static const char *const words[] = {
        [LVL_MERGE_OURS] = "ours", [LVL_MERGE_THEIRS] = "theirs", [LVL_MERGE_BASE] = "base"};
    lvl_buffer text = {0};
    char name[40];

    snprintf(name, sizeof name, "Conflict %zu", index + 1);
    put_conflict(p->job, index, &text);
    lvl_status status = text.status;
    p->review.number = index + 1;
    cli_review_begin(&p->review, name, "conflict", NULL);
    cli_review_text(&p->review, text.len ? (lvl_text){(const char *)text.data, text.len}
                                         : lvl_text_of("lvl merge --choose shows it"));
    cli_review_choice(&p->review, words, sizeof words / sizeof *words, (unsigned)chosen);
    if (text.status == LVL_OK && p->ours.scene && index < MAX_PICTURES) {
        const lvl_merge_options options = {.choices = sides, .choice_count = index + 1};
        sides[index] = LVL_MERGE_THEIRS;
        status = put_pictures(p, &options, true);
        sides[index] = LVL_MERGE_OURS;
    }
    cli_review_end(&p->review);
    lvl_buffer_free(&text);
    return status;
}

static void quote(lvl_buffer *out, const char *option, const char *word)
{
    char *both = cli_format("%s%s", option, word);

    if (!both)
        out->status = LVL_ERR_MEMORY;
    else if (!cli_quote(out, both))
        lvl_buffer_printf(out, " %sFILE", option); /* the user's own name for it */
    free(both);
}

/* The command that merges with the choices on the page, in two parts: they stand between. */
static void put_commands(page *p, const char *hash, lvl_buffer *first, lvl_buffer *second)
{
    const cli *c = p->job->c;
    const cli_options *opt = &c->opt;
    char *made = cli_format("merged%s", cli_ending(p->job->input->name));
    const char *output = opt->output ? opt->output : opt->list ? c->args.items[0] : made ? made : "merged";

    lvl_buffer_str(first, opt->list ? "lvl merge --list --choices=" : "lvl merge --choices=");
    lvl_buffer_printf(second, ":%s", hash);
    if (opt->in_place)
        lvl_buffer_str(second, " -i");
    else
        lvl_buffer_str(second, " -y");
    if (!opt->in_place)
        quote(second, "--output=", output);
    lvl_buffer_str(second, " --");
    for (size_t i = 0; i < c->args.count; i++)
        quote(second, "", c->args.items[i]);
    if (opt->list) {
        lvl_buffer_str(second, "\ngit add --");
        quote(second, "", c->args.items[0]);
    }
    free(made);
}

static lvl_status put_page(page *p, const cli_choices *chosen, lvl_buffer *out)
{
    const cli_job *job = p->job;
    lvl_buffer first = {0}, second = {0}, nav = {0};
    char hash[9], counts[80];

    lvl_merge_side *sides = calloc((size_t)p->count, sizeof *sides); /* all OURS */
    lvl_status status = sides ? put_whole(p) : LVL_ERR_MEMORY;
    for (size_t i = 0; i < p->count && status == LVL_OK; i++)
        status = put_section(p, i, sides, i < chosen->count ? chosen->sides[i] : LVL_MERGE_OURS);
    cli_conflicts_hash(job, p->base, p->theirs, hash);
    put_commands(p, hash, &first, &second);
    if (first.status != LVL_OK || second.status != LVL_OK)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        cli_review_command(&p->review, (lvl_text){(const char *)first.data, first.len},
                           (lvl_text){(const char *)second.data, second.len}, chosen, (size_t)p->count);
        snprintf(counts, sizeof counts, "%llu conflict%s", (unsigned long long)p->count,
                 p->count == 1 ? "" : "s");
        cli_review_page(out,
                        &(cli_review_head){.title = "Conflicts",
                                           .a = job->input->shown,
                                           .b = p->theirs->input->shown,
                                           .counts = counts,
                                           .command = "lvl merge --html"},
                        &nav, &p->review.section);
        status = out->status != LVL_OK ? out->status : p->review.section.status;
    }
    free(sides);
    lvl_buffer_free(&first);
    lvl_buffer_free(&second);
    return status;
}

void cli_conflicts_page(cli_job *job, cli_job *base, cli_job *theirs, uint64_t count,
                        const cli_choices *chosen)
{
    page p = {.job = job, .base = base, .theirs = theirs, .count = count};
    lvl_buffer out = {0};
    lvl_art *art = cli_art_take(job);

    if (!art)
        return;
    p.request.art = art;
    p.review.before = "ours";
    p.review.after = "theirs";
    lvl_render_options_init(&p.options);
    const lvl_status status = put_page(&p, chosen, &out);
    cli_job_status(job, status, NULL, "no page of the conflicts");
    if (status == LVL_OK && cli_write_to_name(job, job->c->opt.html, lvl_buffer_bytes(&out)) &&
        !job->c->opt.quiet && !cli_is_stdout(job->c->opt.html))
        lvl_buffer_printf(&job->err, "%s: open %s in a browser to choose; it prints the command for that\n",
                          job->input->shown, job->c->opt.html);
    merged_clear(&p.ours);
    cli_review_free(&p.review);
    lvl_buffer_free(&out);
    cli_art_give(job, art);
}
