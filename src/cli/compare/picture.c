/*
 * cli/compare/picture.c: pictures of two files for `lvl diff`: both are drawn with the same art, and
 * animations at the first frame that differs.
 */
#include "cli/compare/compare.h"

#include <lvl/render.h>

const cli_output cli_diff_image = {.ext = "png", .picture = "--image", .late = true};

/* On a page of more files than this, pictures are small, so that browsers can open it. */
enum { MANY = 100, MANY_SIZE = 400 };

/* What is drawn of both files. */
typedef struct scene_pair {
    cli_job *job[2];
    lvl_art *art[2];
    lvl_scene_request request[2];
    lvl_scene *scene[2];
} scene_pair;

static void init_options(const cli_job *job, lvl_render_options *r)
{
    const cli *c = job->c;

    lvl_render_options_init(r);
    r->schematic = c->opt->schematic;
    r->size = ((const cli_sides *)c->user)->size;
    if (!r->size && c->opt->html && c->inputs.count > MANY)
        r->size = MANY_SIZE;
}

/* ---- the frame --------------------------------------------------------------------------------------- */

/* Whether two animations differ in a frame and direction, which the requests name. */
static lvl_status compare_frames(const scene_pair *p, const lvl_scene_request request[2], bool *differ)
{
    lvl_scene *scene[2] = {NULL, NULL};
    lvl_scene_change *changes = NULL;
    size_t count = 0;

    lvl_status status = lvl_doc_scene(p->job[0]->doc, &request[0], &scene[0]);
    if (status == LVL_OK)
        status = lvl_doc_scene(p->job[1]->doc, &request[1], &scene[1]);
    if (status == LVL_OK)
        status = lvl_scene_compare(scene[0], scene[1], &changes, &count);
    *differ = count != 0;
    if (changes)
        lvl_scene_changes_free(scene[0], changes);
    lvl_scene_free(scene[0]);
    lvl_scene_free(scene[1]);
    return status;
}

/* Finds the first frame and direction in which two animations differ; if there is none, the requests stay. */
static lvl_status find_frame(scene_pair *p, lvl_animation *const play[2])
{
    const uint32_t frames = play[play[1]->frames > play[0]->frames]->frames;
    const uint32_t directions = play[play[1]->directions > play[0]->directions]->directions;
    lvl_scene_request request[2] = {p->request[0], p->request[1]};
    bool differ = false;

    request[0].play = play[0];
    request[1].play = play[1];
    for (uint32_t f = 0; f < frames; f++) {
        for (uint32_t d = 0; d < directions; d++) {
            request[0].frame = request[1].frame = f;
            request[0].direction = request[1].direction = d;
            const lvl_status status = compare_frames(p, request, &differ);
            if (status != LVL_OK)
                return status;
            if (differ) {
                p->request[0].frame = p->request[1].frame = f;
                p->request[0].direction = p->request[1].direction = d;
                return LVL_OK;
            }
        }
    }
    return LVL_OK;
}

static lvl_status choose_frame(scene_pair *p)
{
    lvl_animation *play[2] = {NULL, NULL};

    lvl_status status = lvl_doc_play(p->job[0]->doc, &p->request[0], &play[0]);
    if (status == LVL_OK)
        status = lvl_doc_play(p->job[1]->doc, &p->request[1], &play[1]);
    if (status == LVL_OK)
        status = find_frame(p, play);
    lvl_animation_free(lvl_doc_ctx(p->job[0]->doc), play[0]);
    lvl_animation_free(lvl_doc_ctx(p->job[0]->doc), play[1]);
    return status == LVL_ERR_UNSUPPORTED ? LVL_OK : status; /* a level, which has no frames */
}

/* ---- the art ----------------------------------------------------------------------------------------- */

static uint64_t count_missing(const lvl_scene *scene)
{
    return (uint64_t)scene->missing_things + scene->missing_tiles;
}

static bool has_less_art(const lvl_scene *scene, const lvl_scene *other)
{
    if (!scene || !other)
        return false;
    if (scene->has_art != other->has_art)
        return other->has_art;
    return count_missing(scene) > count_missing(other);
}

/* If only the other level has its art beside it, this one is drawn with that art, too: the place of a file is
 * no difference. */
static lvl_status share_art(scene_pair *p, unsigned to)
{
    const char *others_path = p->job[!to]->input->path;
    lvl_scene *again = NULL;

    if (!others_path || !has_less_art(p->scene[to], p->scene[!to]))
        return LVL_OK;
    lvl_status status = lvl_art_level(p->art[to], others_path);
    if (status == LVL_OK)
        status = lvl_doc_scene(p->job[to]->doc, &p->request[to], &again);
    if (status == LVL_OK) {
        lvl_scene_free(p->scene[to]);
        p->scene[to] = again;
    }
    return status;
}

/* ---- pairs of scenes --------------------------------------------------------------------------------- */

/* Takes art for both files; false: reported. pair_end must follow. */
static bool pair_begin(scene_pair *p, cli_job *a, cli_job *b)
{
    *p = (scene_pair){.job = {a, b}};
    for (unsigned i = 0; i < 2; i++) {
        p->art[i] = cli_art_take(p->job[i]);
        if (!p->art[i])
            return false;
        p->request[i].art = p->art[i];
    }
    return true;
}

static void pair_end(scene_pair *p)
{
    lvl_scene_free(p->scene[0]);
    lvl_scene_free(p->scene[1]);
    cli_art_give(p->job[1], p->art[1]);
    cli_art_give(p->job[0], p->art[0]);
}

/* Makes both scenes. LVL_ERR_UNSUPPORTED: the format has no picture. */
static lvl_status pair_make_scenes(scene_pair *p)
{
    lvl_status status = choose_frame(p);

    if (status == LVL_OK)
        status = lvl_doc_scene(p->job[0]->doc, &p->request[0], &p->scene[0]);
    if (status == LVL_OK)
        status = lvl_doc_scene(p->job[1]->doc, &p->request[1], &p->scene[1]);
    if (status == LVL_OK)
        status = share_art(p, 0);
    if (status == LVL_OK)
        status = share_art(p, 1);
    return status;
}

/* ---- what is drawn ----------------------------------------------------------------------------------- */

static lvl_status save_image(const scene_pair *p)
{
    cli_job *job = p->job[0];
    lvl_render_options options;
    cli_sink sink;

    init_options(job, &options);
    if (!cli_sink_begin(&sink, job, &cli_diff_image))
        return LVL_OK; /* reported */
    const lvl_status status = lvl_render_diff(p->scene[0], p->scene[1], NULL, 0, &options, &sink.writer);
    cli_sink_commit(&sink, status == LVL_OK);
    return status;
}

void cli_diff_save_image(cli_job *a, cli_job *b)
{
    scene_pair p;

    if (pair_begin(&p, a, b)) {
        lvl_status status = pair_make_scenes(&p);
        if (status == LVL_OK)
            status = save_image(&p);
        if (status == LVL_ERR_UNSUPPORTED)
            cli_job_fail(a, EXIT_NEGATIVE, "this format has no picture");
        else
            cli_job_status(a, status, NULL, NULL);
    }
    pair_end(&p);
}

void cli_diff_add_pictures(lvl_buffer *json, cli_job *a, cli_job *b)
{
    const bool places = a->c->inputs.count <= MANY;
    lvl_render_options options;
    scene_pair p;

    init_options(a, &options);
    if (pair_begin(&p, a, b)) {
        lvl_status status = pair_make_scenes(&p);
        if (status == LVL_OK)
            status = cli_review_pictures(json, p.scene[0], p.scene[1], &options, places);
        if (status != LVL_ERR_UNSUPPORTED) /* not every format has a picture */
            cli_job_status(a, status, NULL, NULL);
    }
    pair_end(&p);
}

void cli_diff_add_picture(lvl_buffer *json, cli_job *job)
{
    lvl_art *art = cli_art_take(job);
    const lvl_scene_request request = {.art = art};
    lvl_render_options options;
    lvl_scene *scene = NULL;

    if (!art)
        return;
    init_options(job, &options);
    lvl_status status = lvl_doc_scene(job->doc, &request, &scene);
    if (status == LVL_OK)
        status = cli_review_picture(json, scene, &options);
    if (status != LVL_ERR_UNSUPPORTED) /* not every format has a picture */
        cli_job_status(job, status, NULL, NULL);
    lvl_scene_free(scene);
    cli_art_give(job, art);
}
