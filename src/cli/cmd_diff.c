/*
 * cli/cmd_diff.c: `lvl diff`: two files, or two folders file by file.
 */
#include "cli/cli.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

static const cli_output image_output = {.ext = "png", .text = false};

/* The jobs are side A's inputs and then those that only B has. */
typedef struct sides {
    cli_inputs b;
    const cli_input **pair; /* for each job: its file on side B, or NULL: only in A */
    size_t only_b;          /* jobs from here on are only in B */
    uint32_t size;
} sides;

static void only_in(cli_job *job, bool in_b)
{
    if (!cli_job_open(job, 0))
        return;
    job->code = EXIT_NEGATIVE;
    if (job->c->opt.json) {
        cli_json_begin(&job->out, job->input->name);
        lvl_buffer_printf(&job->out, ",\"change\":\"%s\"}\n", in_b ? "insert" : "remove");
    } else {
        lvl_buffer_printf(&job->out, "only in %s: %s\n", job->c->args.items[in_b], job->input->rel);
    }
}

/* Of animations the first frame that differs, from whichever side; both requests' frame and direction get it.
 */
static lvl_status choose_frame(const cli_job *a, const cli_job *b, lvl_scene_request *ra,
                               lvl_scene_request *rb)
{
    const lvl_ctx *ctx = lvl_doc_ctx(a->doc);
    lvl_animation *pa = NULL, *pb = NULL;
    bool found = false;

    lvl_status status = lvl_doc_play(a->doc, ra, &pa);
    if (status == LVL_OK)
        status = lvl_doc_play(b->doc, rb, &pb);
    if (status != LVL_OK)
        goto out;
    const uint32_t frames = pa->frames > pb->frames ? pa->frames : pb->frames;
    const uint32_t directions = pa->directions > pb->directions ? pa->directions : pb->directions;
    lvl_scene_request ta = *ra, tb = *rb;
    ta.play = pa;
    tb.play = pb;
    for (uint32_t f = 0; f < frames && !found && status == LVL_OK; f++) {
        for (uint32_t d = 0; d < directions && !found && status == LVL_OK; d++) {
            lvl_scene *before = NULL, *after = NULL;
            lvl_scene_change *changes = NULL;
            size_t count = 0;
            ta.frame = tb.frame = f;
            ta.direction = tb.direction = d;
            status = lvl_doc_scene(a->doc, &ta, &before);
            if (status == LVL_OK)
                status = lvl_doc_scene(b->doc, &tb, &after);
            if (status == LVL_OK)
                status = lvl_scene_compare(before, after, &changes, &count);
            found = count != 0;
            if (changes)
                lvl_scene_changes_free(before, changes);
            lvl_scene_free(before);
            lvl_scene_free(after);
        }
    }
    if (found) {
        ra->frame = rb->frame = ta.frame;
        ra->direction = rb->direction = ta.direction;
    }
out:
    lvl_animation_free(ctx, pa);
    lvl_animation_free(ctx, pb);
    return status == LVL_ERR_UNSUPPORTED ? LVL_OK : status; /* a level: there is nothing to choose */
}

static uint64_t missing(const lvl_scene *scene)
{
    return (uint64_t)scene->missing_things + scene->missing_tiles;
}

/* A level that was moved away from its art is drawn with what lies around the other one: a difference of
 * places is none of levels. */
static lvl_status draw_with_others_art(const cli_job *job, const lvl_scene_request *request,
                                       const cli_job *other, const lvl_scene *others, lvl_scene **scene)
{
    const bool poorer =
        (*scene)->has_art != others->has_art ? others->has_art : missing(*scene) > missing(others);
    lvl_art *art = (lvl_art *)(uintptr_t)request->art;
    lvl_scene *again = NULL;

    if (!poorer || !other->input->path)
        return LVL_OK;
    lvl_status status = lvl_art_level(art, other->input->path);
    if (status == LVL_OK)
        status = lvl_doc_scene(job->doc, request, &again);
    if (status == LVL_OK) {
        lvl_scene_free(*scene);
        *scene = again;
    }
    return status;
}

static void draw(cli_job *a, cli_job *b)
{
    lvl_art *art_a = cli_art_take(a), *art_b = art_a ? cli_art_take(b) : NULL;
    const cli_options *opt = &a->c->opt;
    lvl_scene *before = NULL, *after = NULL;
    lvl_writer *writer;
    lvl_render_options r;

    if (!art_b)
        goto out;
    lvl_scene_request ra = {.art = art_a}, rb = {.art = art_b};
    lvl_status status = choose_frame(a, b, &ra, &rb);
    if (status == LVL_OK)
        status = lvl_doc_scene(a->doc, &ra, &before);
    if (status == LVL_OK)
        status = lvl_doc_scene(b->doc, &rb, &after);
    if (status == LVL_OK)
        status = draw_with_others_art(a, &ra, b, after, &before);
    if (status == LVL_OK)
        status = draw_with_others_art(b, &rb, a, before, &after);
    lvl_render_options_init(&r);
    r.schematic = opt->schematic;
    r.size = ((const sides *)a->c->user)->size;
    cli_stream *stream = status == LVL_OK ? cli_stream_open(a, &image_output, &writer) : NULL;
    if (stream) {
        status = lvl_render_diff(before, after, NULL, 0, &r, writer);
        cli_stream_close(stream, status == LVL_OK);
    }
    if (status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(a, EXIT_NEGATIVE, "this format has no picture");
    else
        cli_job_status(a, status, NULL, NULL);
out:
    lvl_scene_free(before);
    lvl_scene_free(after);
    if (art_b)
        cli_art_give(b, art_b);
    if (art_a)
        cli_art_give(a, art_a);
}

static void work(cli_job *job)
{
    const cli *c = job->c;
    const sides *s = c->user;
    size_t index = (size_t)(job->input - c->inputs.items);
    lvl_buffer lines = {.max = lvl_memory_share(&job->ctx)};
    bool different = false;

    if (index >= s->only_b || !s->pair[index]) {
        only_in(job, index >= s->only_b);
        return;
    }
    cli_job other = {0};
    cli_job_begin(&other, job->c, s->pair[index]);
    other.ctx.usage = &job->usage;
    bool ok = cli_job_read(job, 0);
    ok = cli_job_read(&other, 0) && ok;
    if (ok && lvl_format_table(job->format) != lvl_format_table(other.format)) {
        lvl_buffer_printf(&job->out, "%s and %s are of different formats: %s, %s\n", job->input->shown,
                          other.input->shown, lvl_format_title(job->format), lvl_format_title(other.format));
        job->code = cli_worse(job->code, EXIT_NEGATIVE);
    } else if (ok) {
        const cli_strings *labels = &c->opt.labels;
        const lvl_diff_options options = {.json = c->opt.json,
                                          .summary = c->opt.summary,
                                          .a = labels->count > 0 ? labels->items[0] : job->input->shown,
                                          .b = labels->count > 1 ? labels->items[1] : other.input->shown};
        lvl_status status = lvl_doc_open(job->doc);
        if (status == LVL_OK)
            status = lvl_doc_open(other.doc);
        if (status == LVL_OK)
            status = lvl_diff(job->doc, other.doc, &options, &different, &lines);
        cli_job_status(job, status, NULL, NULL);
        if (c->opt.json)
            cli_job_lines(job, &lines);
        else
            lvl_buffer_add(&job->out, lines.data, lines.len);
        if (different)
            job->code = cli_worse(job->code, EXIT_NEGATIVE);
        /* an archive that is nothing by itself says little of what is in it */
        const unsigned can = lvl_format_can(job->format);
        if (different && (can & LVL_CAN_EXTRACT) && !(can & LVL_CAN_RENDER) && !c->inputs.batch &&
            !c->opt.quiet && job->input->path && other.input->path && !job->input->archive)
            lvl_buffer_printf(&job->err, "lvl: to compare their members: lvl diff %s// %s//\n",
                              job->input->shown, other.input->shown);
        /* of files that are the same there's nothing to draw in a batch */
        if (status == LVL_OK && c->opt.image && (different || !c->inputs.batch))
            draw(job, &other);
    }
    cli_job_clear(&other);
    cli_job_join(job, &other);
    lvl_buffer_free(&lines);
}

static int by_rel(const void *a, const void *b)
{
    return strcmp((*(cli_input *const *)a)->rel, (*(cli_input *const *)b)->rel);
}

static size_t stem_of(const char *rel)
{
    return (size_t)(cli_ending(rel) - rel);
}

/* By the name without its ending. */
static int by_stem(const void *a, const void *b)
{
    const char *x = (*(cli_input *const *)a)->rel, *y = (*(cli_input *const *)b)->rel;
    size_t nx = stem_of(x), ny = stem_of(y);
    int d = memcmp(x, y, nx < ny ? nx : ny);

    return d ? d : (nx > ny) - (nx < ny);
}

/* Pairs what has a name of its own but for the ending, and nothing else with it: a level and what it was
 * converted to. `left` has room for the free files of a side. */
static void pair_by_stem(const cli *c, sides *s, const cli_input **left, bool *taken)
{
    size_t n = 0;

    for (size_t i = 0; i < s->b.count; i++) {
        if (!taken[i])
            left[n++] = &s->b.items[i];
    }
    if (!n)
        return;
    qsort(left, n, sizeof *left, by_stem);
    for (size_t i = 0; i < s->only_b; i++) {
        const cli_input *want = &c->inputs.items[i], *before = i ? want - 1 : NULL;
        const cli_input *after = i + 1 < s->only_b ? want + 1 : NULL;
        if (s->pair[i] || (before && by_stem(&want, &before) == 0) || (after && by_stem(&want, &after) == 0))
            continue;
        const cli_input **hit = bsearch(&want, left, n, sizeof *left, by_stem);
        if (!hit || taken[*hit - s->b.items] || (hit > left && by_stem(hit, hit - 1) == 0) ||
            (hit + 1 < left + n && by_stem(hit, hit + 1) == 0))
            continue;
        s->pair[i] = *hit;
        taken[*hit - s->b.items] = true;
    }
}

/* Pairs the files of two folders by their names below them; what only B has goes to the end. */
static bool pair_folders(cli *c, sides *s)
{
    size_t na = c->inputs.count, nb = s->b.count;
    const cli_input **sorted = malloc((nb + 1) * sizeof *sorted);
    bool *taken = calloc(nb + 1, sizeof *taken), ok = sorted && taken;

    for (size_t i = 0; ok && i < nb; i++)
        sorted[i] = &s->b.items[i];
    if (ok && nb)
        qsort(sorted, nb, sizeof *sorted, by_rel);
    for (size_t i = 0; ok && i < na; i++) {
        const cli_input *want = &c->inputs.items[i];
        const cli_input **hit = nb ? bsearch(&want, sorted, nb, sizeof *sorted, by_rel) : NULL;
        s->pair[i] = hit ? *hit : NULL;
        if (hit)
            taken[*hit - s->b.items] = true;
    }
    if (ok)
        pair_by_stem(c, s, sorted, taken);
    for (size_t i = 0; ok && i < nb; i++) {
        if (!taken[i])
            ok = cli_input_move(&c->inputs, &s->b.items[i]);
    }
    free(sorted);
    free(taken);
    return ok;
}

/* Whether a side isn't there at all, which is told by itself. */
static bool error_text(const cli_inputs *inputs)
{
    return inputs->count == 1 && inputs->items[0].error_text;
}

static int take_sides(cli *c, sides *s)
{
    const char *a = c->args.items[0], *b = c->args.items[1];

    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        return cli_usage(c, "only one side can be standard input");
    /* of a file and a folder, the file of that name in it is meant */
    char *below = NULL;
    if (lvl_file_kind_of(a) == LVL_FILE_REGULAR && lvl_file_kind_of(b) == LVL_FILE_FOLDER)
        b = below = cli_format("%s%s%s", b, b[strlen(b) - 1] == '/' ? "" : "/", cli_base_name(a));
    else if (lvl_file_kind_of(b) == LVL_FILE_REGULAR && lvl_file_kind_of(a) == LVL_FILE_FOLDER)
        a = below = cli_format("%s%s%s", a, a[strlen(a) - 1] == '/' ? "" : "/", cli_base_name(b));
    bool ok = a && b && cli_input_add(c, &c->inputs, a, false) && cli_input_add(c, &s->b, b, false);
    free(below);
    const bool folders = c->inputs.batch; /* folders on disk, or in archives */
    if (ok && error_text(&s->b)) {
        cli_report(c, "%s: %s", s->b.items[0].shown, s->b.items[0].error_text);
        return s->b.items[0].code;
    }
    if (ok && folders != s->b.batch && !error_text(&c->inputs) && !error_text(&s->b))
        return cli_usage(c, "cannot compare a file with a folder; give two files or two folders");
    s->only_b = c->inputs.count;
    s->pair = ok ? calloc(c->inputs.count + 1, sizeof *s->pair) : NULL;
    ok = ok && s->pair;
    if (ok && folders)
        ok = pair_folders(c, s);
    else if (ok && s->b.count)
        s->pair[0] = &s->b.items[0];
    if (!ok) {
        cli_report(c, "out of memory");
        return EXIT_ENVIRONMENT;
    }
    return EXIT_FINE;
}

int cmd_diff(cli *c)
{
    static const cli_batch batch = {
        .work = work, .done_word = "compared", .failed_word = "different", .output = &image_output};
    sides s = {0};
    uint64_t size = 0;

    if (c->args.count != 2)
        return cli_usage(c, "expected two files or two folders: A B");
    if (c->opt.size && !cli_number(c->opt.size, UINT32_MAX, &size))
        return cli_usage(c, "--size: expected a number, got `%s'", c->opt.size);
    s.size = (uint32_t)size;
    c->user = &s;
    int code = take_sides(c, &s);
    if (!code && c->opt.image)
        code = cli_picture_check(c, "--image", c->opt.image);
    if (!code && c->opt.image) {
        c->opt.output = c->opt.image; /* the one file that diff writes */
        code = cli_output_check(c, &image_output);
        if (!code)
            code = cli_art_try(c);
    }
    if (!code)
        code = cli_run(c, &batch);
    cli_inputs_free(
        &c->inputs); /* members on side A may be of an archive that B opened: never, but B goes last */
    cli_inputs_free(&s.b);
    free((void *)s.pair);
    return code;
}
