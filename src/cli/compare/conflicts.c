/*
 * cli/compare/conflicts.c: pictures of the conflicts of a merge, and the page of `lvl merge --html`.
 */
#include "cli/compare/conflicts.h"

#include "cli/compare/git.h"
#include "cli/compare/review.h"
#include "render/diff.h"

#include "base/hash.h"
#include "base/text.h"
#include "tools/check/reports.h"

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

/* Appends the path and the text of that conflict of those in the job's findings, which may not have the last
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

static void put_value(lvl_buffer *out, const char *key, const char *text)
{
    if (text)
        lvl_json_put_string(out, key, text);
    else
        lvl_buffer_printf(out, ",\"%s\":null", key);
}

void cli_conflict_note(void *user, const lvl_conflict *c)
{
    lvl_buffer *out = user;
    char where[256];

    lvl_where_text(c->where, where, sizeof where);
    lvl_buffer_str(out, out->len ? "," : "");
    lvl_buffer_str(out, "{\"path\":");
    lvl_json_string(out, lvl_text_of(where));
    if (c->member)
        lvl_json_put_string(out, "member", c->member);
    if (c->item)
        lvl_json_put_string(out, "item", c->item);
    if (c->has_values) {
        put_value(out, "base", c->base);
        put_value(out, "ours", c->ours);
        put_value(out, "theirs", c->theirs);
    }
    lvl_json_put_string(out, "text", c->text);
    lvl_buffer_u8(out, '}');
}

void cli_conflicts_json(const cli_job *job, uint64_t count, const lvl_buffer *items, lvl_buffer *out)
{
    cli_json_begin(out, job->input->name);
    lvl_json_put_uint(out, "conflicts", count);
    lvl_json_key(out, "findings");
    lvl_findings_json(job->findings, out);
    lvl_json_key(out, "items");
    lvl_buffer_u8(out, '[');
    lvl_buffer_add(out, items->data, items->len);
    lvl_buffer_str(out, "]}");
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
        cli_save_to(job, job->c->opt->image, lvl_buffer_bytes(&png));
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
    lvl_buffer json; /* the page's document */
    lvl_render_options options;
    lvl_scene_request request;
    merged ours; /* OURS wins all conflicts; no scene: this format has no pictures */
    uint64_t count;
    const lvl_buffer *items; /* the conflicts as JSON */
} page;

/* Adds the pictures of a merge beside those of OURS. */
static lvl_status put_pictures(page *p, const lvl_merge_options *options, bool places)
{
    merged other = {0};

    lvl_status status = scene_of(p->job, p->base, p->theirs, options, &p->request, &other.doc, &other.scene);
    if (status == LVL_OK)
        status = places ? cli_review_places(&p->json, p->ours.scene, other.scene, &p->options)
                        : cli_review_pictures(&p->json, p->ours.scene, other.scene, &p->options, false);
    merged_clear(&other);
    return status;
}

/* "whole": BASE, and all conflicts in one picture. Nothing if the format has no pictures. */
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
    lvl_json_open(&p->json, "whole", '{');
    if (status == LVL_OK)
        status = put_pictures(p, &theirs, false);
    if (status == LVL_OK)
        status = lvl_doc_scene(p->base->doc, &p->request, &base);
    if (status == LVL_OK)
        status = cli_review_picture(&p->json, base, &p->options);
    lvl_scene_free(base);
    lvl_buffer_u8(&p->json, '}');
    return status;
}

/* "seen": what is seen of each of the first conflicts. */
static lvl_status put_seen(page *p)
{
    const size_t most = p->count < MAX_PICTURES ? (size_t)p->count : MAX_PICTURES;
    lvl_merge_side sides[MAX_PICTURES] = {0}; /* all OURS */
    lvl_status status = LVL_OK;

    lvl_json_open(&p->json, "seen", '[');
    for (size_t i = 0; i < most && p->ours.scene && status == LVL_OK; i++) {
        const lvl_merge_options options = {.choices = sides, .choice_count = i + 1};
        lvl_json_open(&p->json, NULL, '{');
        sides[i] = LVL_MERGE_THEIRS;
        status = put_pictures(p, &options, true);
        sides[i] = LVL_MERGE_OURS;
        lvl_buffer_u8(&p->json, '}');
    }
    lvl_buffer_u8(&p->json, ']');
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

/* Where the command writes: the user's -o; else the file with conflicts; else a name beside OURS, so that the
 * pages of two merges in a folder have two results. To be freed. */
static char *name_output(const page *p)
{
    const cli *c = p->job->c;
    const cli_input *in = p->job->input;

    if (c->opt->output)
        return cli_copy(c->opt->output);
    if (c->opt->list)
        return cli_copy(c->args.items[0]);
    const char *name = c->args.items[1];
    if (cli_is_stdout(name) || in->archive)
        name = lvl_file_name(in->name);
    return cli_format("%.*s-merged%s", (int)(cli_ending(name) - name), name, cli_ending(name));
}

/* "command": the one that merges with the choices on the page, in two parts: they stand between. */
static void put_command(page *p)
{
    const cli *c = p->job->c;
    const cli_options *opt = c->opt;
    lvl_buffer after = {0};
    char hash[9], *output = name_output(p);

    cli_conflicts_hash(p->job, p->base, p->theirs, hash);
    lvl_buffer_printf(&after, ":%s", hash);
    if (opt->in_place)
        lvl_buffer_str(&after, " -i");
    else if (opt->output ? opt->yes : opt->list) /* a file with conflicts is replaced by its merge */
        lvl_buffer_str(&after, " -y");
    if (!opt->in_place && output)
        quote(&after, "--output=", output);
    lvl_buffer_str(&after, " --");
    for (size_t i = 0; i < c->args.count; i++)
        quote(&after, "", c->args.items[i]);
    if (opt->list) {
        lvl_buffer_str(&after, "\ngit add --");
        quote(&after, "", c->args.items[0]);
    }
    lvl_json_open(&p->json, "command", '[');
    lvl_json_string(&p->json,
                    lvl_text_of(opt->list ? "lvl merge --list --choices=" : "lvl merge --choices="));
    lvl_json_next(&p->json);
    lvl_json_string(&p->json, lvl_buffer_text(&after));
    lvl_buffer_u8(&p->json, ']');
    if (after.status != LVL_OK || !output)
        p->json.status = LVL_ERR_MEMORY;
    lvl_buffer_free(&after);
    free(output);
}

static lvl_status put_document(page *p, const cli_choices *chosen)
{
    lvl_buffer *json = &p->json;

    lvl_buffer_u8(json, '{');
    lvl_json_put_string(json, "kind", "merge");
    lvl_json_put_string(json, "lvl", lvl_version());
    lvl_json_open(json, "names", '[');
    lvl_json_string(json, lvl_text_of(p->job->input->name));
    lvl_json_next(json);
    lvl_json_string(json, lvl_text_of(p->theirs->input->shown));
    lvl_buffer_u8(json, ']');
    lvl_json_key(json, "merge");
    cli_conflicts_json(p->job, p->count, p->items, json);
    lvl_json_open(json, "chosen", '[');
    for (size_t i = 0; i < chosen->count; i++) {
        lvl_json_next(json);
        lvl_json_uint(json, (uint64_t)chosen->sides[i] + 1);
    }
    lvl_buffer_u8(json, ']');
    put_command(p);
    lvl_status status = put_whole(p);
    if (status == LVL_OK)
        status = put_seen(p);
    lvl_buffer_u8(json, '}');
    return status == LVL_OK ? json->status : status;
}

void cli_conflicts_page(cli_job *job, cli_job *base, cli_job *theirs, uint64_t count,
                        const cli_choices *chosen, const lvl_buffer *items)
{
    page p = {.job = job, .base = base, .theirs = theirs, .count = count, .items = items};
    lvl_buffer out = {0};
    lvl_art *art = cli_art_take(job);

    if (!art)
        return;
    p.request.art = art;
    lvl_render_options_init(&p.options);
    lvl_status status = put_document(&p, chosen);
    if (status == LVL_OK) {
        cli_review_page(&out, &p.json);
        status = out.status;
    }
    cli_job_status(job, status, NULL, "no page of the conflicts");
    if (status == LVL_OK && cli_write_to_name(job, job->c->opt->html, lvl_buffer_bytes(&out)) &&
        !job->c->opt->quiet && !cli_is_stdout(job->c->opt->html))
        lvl_buffer_printf(&job->err, "%s: open %s in a browser to choose; it prints the command for that\n",
                          job->input->shown, job->c->opt->html);
    merged_clear(&p.ours);
    lvl_buffer_free(&p.json);
    lvl_buffer_free(&out);
    cli_art_give(job, art);
}
