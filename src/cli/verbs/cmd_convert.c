/*
 * cli/verbs/cmd_convert.c: `lvl convert`: from one form of a family to another, pictures to PNG and back,
 * everything to JSON and back.
 */
#include "base/format.h"
#include "cli/convert/convert.h"
#include "tools/write.h"

#include "base/text.h"

#include <lvl/render.h>
#include <lvl/tiled.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the job's document from a level, a dump, or a map of Tiled. */
static bool read_any(cli_job *job, const cli_convert *p)
{
    if (!job->c->format && lvl_tiled_is_map(job->bytes))
        return cli_read_map(job, p);
    if (!cli_is_dump(job->bytes, job->input->name) || job->c->format)
        return cli_job_read(job, 0);
    return cli_job_undump(job);
}

/* ---- to another form --------------------------------------------------------------------------------- */

static lvl_status doc_to_form(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    lvl_doc *made = NULL;

    lvl_findings_clear(job->findings);
    lvl_status status = lvl_convert(job->doc, p->form, job->c->opt->allow_loss, job->findings, &made);
    if (status == LVL_OK && cli_changes_inputs(job->c) && lvl_doc_format(made) != job->format) {
        cli_job_fail(job, EXIT_USAGE, "-i can only convert to another form of the same format; use -o");
        lvl_doc_free(made);
        return LVL_ERR_UNSUPPORTED;
    }
    cli_report_conversion(job, p, status);
    if (status == LVL_OK)
        status = cli_links_apply(job, made);
    if (status == LVL_OK)
        status = cli_write_made(job, made, out);
    lvl_doc_free(made);
    return status;
}

/* Whether the document has the target's form already, or keeps its own. */
static bool keeps_form(const cli_job *job, const cli_convert *p)
{
    const bool changed = p->restructure || job->from_map || cli_is_dump(job->bytes, job->input->name);

    if (p->to == TO_SAME || !p->format)
        return true;
    return lvl_doc_format(job->doc) == p->format && (!p->exact || (changed && !p->named));
}

/* Writes the document as it is, but for links to files that are converted. */
static lvl_status write_in_form(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    lvl_findings_clear(job->findings);
    if (cli_links_apply(job, job->doc) != LVL_OK)
        return LVL_ERR_UNSUPPORTED;
    job->edited = job->edited || (job->c->opt->rewrite_links && job->tag);
    const bool checked = job->from_map && job->edited && !job->c->opt->quiet;
    lvl_findings *added = checked ? lvl_findings_new(&job->ctx) : NULL;
    lvl_status status = LVL_ERR_MEMORY;
    if (!checked || added)
        status = job->edited ? lvl_doc_write_checked(job->doc, out, job->findings, LVL_WARNING, added)
                             : lvl_doc_write_with_findings(job->doc, out, job->findings);
    cli_job_status(job, status, job->findings, NULL);
    if (status == LVL_OK)
        cli_job_findings(job, job->findings, LVL_WARNING);
    if (status == LVL_OK && added)
        cli_report_added(job, added);
    lvl_findings_free(added);
    if (status != LVL_OK)
        return status;
    const bool keeps_damage = job->from_map ? cli_map_keeps_damage(job, p, lvl_buffer_bytes(out))
                                            : cli_edit_keeps_damage(job, lvl_buffer_bytes(out));
    return keeps_damage ? LVL_OK : LVL_ERR_UNSUPPORTED;
}

/* ---- to another family ------------------------------------------------------------------------------- */

/* Bytes above which a drawing is too large to be played or sent comfortably; the largest known ones have 4
 * MB. */
enum { LARGE_LEVEL = 16 << 20 };

/* Makes a level by drawing this one, in the target's form. */
static lvl_status draw_level(cli_job *job, const cli_convert *p, const char *title, const lvl_art *art,
                             lvl_doc **out)
{
    const lvl_scene_level_options options = {.art = art,
                                             .scale_down = p->scale_down,
                                             .title = lvl_text_of(title),
                                             .allow_loss = job->c->opt->allow_loss};
    lvl_doc *drawn = NULL;

    lvl_status status = lvl_convert_scene(&drawn, job->doc, p->format, &options, job->findings);
    if (status != LVL_OK || !p->exact) {
        *out = drawn;
        return status;
    }
    status = lvl_convert(drawn, p->form, job->c->opt->allow_loss, job->findings, out);
    lvl_doc_free(drawn);
    return status;
}

/* Makes a level of another family by drawing this one. LVL_ERR_UNSUPPORTED (not reported): not possible. */
static lvl_status doc_to_level(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    char *title = cli_stem_of(job->input->name);
    lvl_art *art = title ? cli_art_take(job) : NULL;
    lvl_doc *made = NULL;

    lvl_findings_clear(job->findings);
    lvl_status status = art ? draw_level(job, p, title, art, &made) : LVL_ERR_MEMORY;
    if (status != LVL_ERR_UNSUPPORTED)
        cli_report_conversion(job, p, status);
    if (status == LVL_OK)
        status = cli_write_made(job, made, out);
    if (status == LVL_OK && out->len >= LARGE_LEVEL && !job->c->opt->quiet)
        cli_job_fail(job, EXIT_SUCCESS,
                     "the level has %.0f MB; --scale 1/N makes a smaller one, twice the N about a quarter",
                     (double)out->len / 1e6);
    if (status == LVL_ERR_LIMIT)
        cli_job_fail(job, EXIT_NEGATIVE, "--scale 1/N makes a smaller level");
    lvl_doc_free(made);
    cli_art_give(job, art);
    free(title);
    return status;
}

/* Changes only the links of a document that has no form of the target, as a map of converted levels: a map in
 * which no name changes is written, too. LVL_ERR_MISSING (not reported): the document has no such links. */
static lvl_status relink(cli_job *job, lvl_buffer *out)
{
    const unsigned can = lvl_format_can(lvl_doc_format(job->doc));

    if (!(can & LVL_CAN_WRITE))
        return LVL_ERR_MISSING;
    const lvl_status status = cli_links_apply(job, job->doc);
    if (status != LVL_OK)
        return LVL_ERR_UNSUPPORTED;
    return job->tag || can & LVL_CAN_LINKS ? cli_write_made(job, job->doc, out) : LVL_ERR_MISSING;
}

static void report_impossible(cli_job *job, const lvl_format *from, const char *to)
{
    const bool level = lvl_tiled_can(from);
    const lvl_format *f;
    char forms[256] = "json";

    for (const lvl_form *form = from->forms; form && form->name; form++)
        snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", %s", form->name);
    for (const lvl_export *e = from->calls->exports; e && e->ending; e++)
        snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", %s", e->ending);
    if (lvl_format_can(from) & LVL_CAN_PICTURE)
        snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", png");
    if (level)
        snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", tmx, tmj, csv, ldtk");
    for (size_t i = 0; level && (f = lvl_format_at(i)) != NULL; i++) {
        if (f != from && lvl_format_can(f) & LVL_CAN_DRAW_LEVEL)
            snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", %s", f->id);
    }
    if (lvl_format_can(from) & LVL_CAN_EXTRACT)
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert %s to %s; for its members, use `lvl convert %s// …'",
                     from->title, to, job->input->shown);
    else
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert %s to %s, only to: %s", from->title, to, forms);
}

/* Makes a level of a document that is neither of the target's family nor a picture, or changes its links. */
static lvl_status doc_to_other(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    const lvl_format *from = lvl_doc_format(job->doc);
    const bool can_draw = lvl_format_can(p->format) & LVL_CAN_DRAW_LEVEL;

    const lvl_status drawn = can_draw ? doc_to_level(job, p, out) : LVL_ERR_UNSUPPORTED;
    if (drawn != LVL_ERR_UNSUPPORTED)
        return drawn;
    const lvl_status links = job->c->opt->rewrite_links ? relink(job, out) : LVL_ERR_MISSING;
    if (links != LVL_ERR_MISSING)
        return links;
    if (!job->input->named)
        job->outcome = CLI_SKIPPED_OTHER;
    else if (lvl_format_can(from) & LVL_CAN_RENDER && can_draw)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "cannot convert this %s to %s: expected a level whose main plane has tiles", from->title,
                     p->format->title);
    else
        report_impossible(job, from, p->form ? p->form : p->format->title);
    return LVL_ERR_UNSUPPORTED;
}

/* ---- one input --------------------------------------------------------------------------------------- */

/* Whether the target is the name of another kind of drawing than this one, as doodad for a level. */
static bool is_other_kind(cli_job *job, const cli_convert *p)
{
    char kind[16];

    if (!p->named || strcmp(job->c->opt->to, p->ending) != 0 || cli_ending_fits(job, p->ending, kind))
        return false;
    cli_report_not_converted(
        job, "cannot convert a %s to a %s; make a picture of it with -o FILE.png, and convert that", kind,
        p->ending);
    return true;
}

static lvl_status doc_to_format(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    const lvl_format *from = lvl_doc_format(job->doc);
    const unsigned can = lvl_format_can(from);

    if (from == p->format && is_other_kind(job, p))
        return LVL_ERR_UNSUPPORTED;
    if (keeps_form(job, p))
        return write_in_form(job, p, out);
    if (can & LVL_CAN_CONVERT && cli_converts(from, p))
        return doc_to_form(job, p, out);
    if (can & LVL_CAN_PICTURE && cli_takes_pictures(job->c, p))
        return cli_document_by_picture(job, p, out);
    return doc_to_other(job, p, out);
}

static lvl_status doc_to_json(cli_job *job, lvl_buffer *out)
{
    const lvl_status status = lvl_dump(job->doc, NULL, out, job->findings);

    cli_job_status(job, status, job->findings, NULL);
    return status;
}

static lvl_status doc_to_export(cli_job *job, const cli_convert *p, const lvl_export *e, lvl_buffer *out)
{
    if (!e && job->input->named)
        report_impossible(job, lvl_doc_format(job->doc), p->ending);
    if (!e) {
        job->outcome = job->input->named ? job->outcome : CLI_SKIPPED_OTHER;
        return LVL_ERR_UNSUPPORTED;
    }
    const lvl_status status = e->write(job->doc, out);
    if (status == LVL_ERR_LOSS)
        cli_job_fail(job, EXIT_NEGATIVE, "cannot be written as %s: a number or a pause is too large for it",
                     e->what);
    else
        cli_job_status(job, status, job->findings, NULL);
    return status;
}

/* Converts a level, a dump, or a map of Tiled. LVL_ERR_UNSUPPORTED: nothing is left to write. */
static lvl_status convert_document(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    if (!read_any(job, p) || (p->restructure && cli_convert_options(job, p) != LVL_OK))
        return LVL_ERR_UNSUPPORTED;
    const lvl_export *other = cli_export_of(lvl_doc_format(job->doc), p->ending);
    if (other || p->to == TO_EXPORT)
        return doc_to_export(job, p, other, out);
    switch (p->to) {
    case TO_PNG: return cli_document_to_png(job, p, out);
    case TO_FILM:
        cli_report_not_converted(job, "to make a %s of it, use `lvl render'", p->ending);
        return LVL_ERR_UNSUPPORTED;
    case TO_WORLD: cli_write_world(job, p); return LVL_ERR_UNSUPPORTED;
    case TO_MAP: cli_write_map(job, p); return LVL_ERR_UNSUPPORTED;
    case TO_CSV: cli_write_csv(job, p); return LVL_ERR_UNSUPPORTED;
    case TO_LDTK: cli_write_ldtk(job, p); return LVL_ERR_UNSUPPORTED;
    case TO_JSON: return doc_to_json(job, out);
    case TO_EXPORT:
    case TO_FORMAT:
    case TO_SAME: break;
    }
    return doc_to_format(job, p, out);
}

/* Whether a picture is converted to the target's format. In a folder of levels that is converted to another
 * form pictures stay pictures, and so do the tiles of maps. */
static bool takes_picture(const cli_job *job, const cli_convert *p)
{
    if (p->to != TO_FORMAT || job->input->named)
        return p->to == TO_FORMAT;
    return !p->by_form && cli_takes_pictures(job->c, p) && !strstr(job->input->name, CLI_MAP_PICTURES "/");
}

static void convert_job(cli_job *job)
{
    const cli_convert *p = job->c->user;
    lvl_buffer out = {0};
    lvl_status status = LVL_ERR_UNSUPPORTED;
    bool frames;

    if (!cli_job_bytes(job))
        return;
    if (cli_has_frames(job, p, &frames) != LVL_OK)
        return;
    if (frames) {
        cli_convert_frames(job, p);
        return;
    }
    const char *kind = lvl_picture_kind(job->bytes);
    if (!kind)
        status = convert_document(job, p, &out);
    else if (takes_picture(job, p) || (p->to == TO_PNG && strcmp(kind, "PNG") != 0))
        status = cli_convert_picture(job, p, kind, &out);
    else
        cli_report_not_converted(
            job, "%s",
            p->to == TO_PNG ? "the input is a PNG already"
            : p->to == TO_FILM
                ? "one picture is no animation: expected a GIF, the list of a sheet, or --slice"
                : "a picture needs -o FILE with an ending, or --to FORMAT");
    const bool converted =
        !job->c->opt->rewrite_links || !job->doc || cli_converts(lvl_doc_format(job->doc), p);
    if (status == LVL_OK && kind)
        status = cli_report_first_frame(job, p);
    if (status == LVL_OK)
        cli_deliver(job, lvl_buffer_bytes(&out), converted ? &p->output : &p->as_it_is);
    lvl_buffer_free(&out);
}

/* ---- the verb ---------------------------------------------------------------------------------------- */

/* Counts the links that were changed, or would have been with --rewrite-links. */
static void count_links(cli *c, const cli_job *job)
{
    cli_convert *p = c->user;

    p->grey += job->grey;
    if (p->links && job->tag > 0 && job->code == EXIT_FINE)
        p->relinked += (size_t)job->tag;
}

static void report_links(cli *c, const cli_convert *p, int code)
{
    const char *s = p->relinked == 1 ? "" : "s";

    if (!p->links || c->opt->quiet)
        return;
    if (c->opt->rewrite_links)
        cli_report(c, "%zu link%s to converted files changed%s", p->relinked, s,
                   code == EXIT_NEGATIVE ? "; those to files that were not converted, too" : "");
    else if (p->relinked)
        cli_report(c,
                   "%zu name%s in links or scripts lead%s to files that have another name now; "
                   "--rewrite-links changes links",
                   p->relinked, s, p->relinked == 1 ? "s" : "");
}

/* Makes the plan and reads what it needs; returns the exit code. */
static int prepare(cli *c, cli_convert *p)
{
    int code = cli_take_inputs(c, 0, c->args.count);

    if (!code)
        code = cli_convert_plan(c, p);
    if (code)
        return code;
    /* a file that keeps its name keeps its format */
    if (c->opt->in_place && p->to != TO_FORMAT && p->to != TO_SAME)
        return cli_usage(c, "-i can only convert to another form of the same format; use -o");
    code = cli_convert_load(c, p);
    const bool renames = p->to == TO_FORMAT && c->inputs.batch && !c->opt->in_place;
    if (code || !renames)
        return code;
    p->links = cli_links_new(c, p); /* to files that get another name */
    return p->links ? EXIT_FINE : cli_no_memory(c);
}

int cmd_convert(cli *c)
{
    if (c->opt->sheet)
        return cli_convert_sheet(c);
    if (c->opt->data)
        return cli_usage(c, "--data needs --sheet");
    cli_convert *p = calloc(1, sizeof *p);
    if (!p)
        return cli_no_memory(c);
    int code = prepare(c, p);
    if (!code) {
        const bool levels = p->to == TO_FORMAT &&
                            (lvl_format_can(p->format) & LVL_CAN_DRAW_LEVEL || lvl_tiled_can(p->format));
        const cli_batch batch = {.work = convert_job,
                                 .after = count_links,
                                 .user = p,
                                 .done_word = c->opt->dry_run ? "would be converted" : "converted",
                                 .output = &p->output,
                                 .art = c->opt->screenshots || p->to == TO_MAP || p->to == TO_PNG ||
                                        p->to == TO_LDTK || levels};
        code = cli_run(c, &batch);
        report_links(c, p, code);
        if (p->grey && c->inputs.batch && !c->opt->quiet)
            cli_report(c, "%zu picture%s: " CLI_GREY, p->grey, p->grey == 1 ? "" : "s");
    }
    cli_convert_clear(c, p);
    free(p);
    return code;
}
