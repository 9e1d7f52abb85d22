/*
 * cli/convert/options.c: options of `lvl convert` that change an existing document: its layers and
 * tiles, and the screenshot in it.
 */
#include "cli/convert/convert.h"
#include "tools/picture/pictures.h"

#include <lvl/render.h>

void cli_report_refusal(cli_job *job)
{
    for (size_t i = 0; i < lvl_findings_count(job->findings); i++)
        cli_job_fail(job, EXIT_NEGATIVE, "%s", lvl_findings_at(job->findings, i)->text);
}

/* Draws the document as the game shows it, with marks for nothing. */
static lvl_status draw_screenshot(cli_job *job, const lvl_art *art, lvl_image *shot)
{
    const lvl_format *format = lvl_doc_format(job->doc);
    const lvl_scene_request request = {.art = art};
    lvl_render_options options;
    lvl_scene *scene = NULL;

    lvl_status status = lvl_doc_scene(job->doc, &request, &scene);
    if (status != LVL_OK)
        return status;
    lvl_render_options_init(&options);
    options.view = LVL_VIEW_CAMERA;
    options.view_width = format->shot_width;
    options.view_height = format->shot_height;
    scene->marks = false;
    if (!job->c->opt->quiet && (scene->missing_tiles || scene->missing_things))
        lvl_buffer_printf(&job->err, "%s: drawn without pictures for %u tiles and %u objects (--art)\n",
                          job->input->shown, scene->missing_tiles, scene->missing_things);
    status = lvl_render_image(scene, &options, shot);
    lvl_scene_free(scene);
    return status;
}

static lvl_status embed_screenshot(cli_job *job)
{
    lvl_art *art = cli_art_take(job);
    lvl_image shot = {0};

    if (!art)
        return LVL_ERR_MEMORY;
    lvl_status status = draw_screenshot(job, art, &shot);
    if (status == LVL_OK)
        status = lvl_doc_embed_screenshot(job->doc, &shot, job->findings);
    lvl_image_clear(&shot);
    cli_art_give(job, art);
    return status;
}

lvl_status cli_convert_options(cli_job *job, const cli_convert *p)
{
    const lvl_format *format = lvl_doc_format(job->doc);
    const bool can = lvl_format_can(format) & LVL_CAN_RESTRUCTURE, shot = job->c->opt->screenshots;
    lvl_status status = LVL_OK;

    if (shot ? !format->shot_width : !can) {
        cli_report_not_converted(job, "these options do not apply to %s", format->title);
        return LVL_ERR_UNSUPPORTED;
    }
    lvl_findings_clear(job->findings);
    if (can)
        status = lvl_doc_restructure(job->doc, &p->draw_options, job->findings);
    if (status == LVL_OK && shot)
        status = embed_screenshot(job);
    status = cli_check_losses(job, status);
    if (status == LVL_ERR_ARG && lvl_findings_count(job->findings))
        cli_report_refusal(job);
    else if (status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(job, EXIT_NEGATIVE, "these options do not apply to this form (%s)", format->title);
    else
        cli_report_conversion(job, p, status);
    return status;
}
