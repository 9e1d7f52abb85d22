/*
 * cli/cmd_diff.c: `lvl diff`: compares two files, or folders or git revisions file by file, as text, as a
 * picture, or as a page for a review.
 */
#include "cli/git.h"
#include "cli/review.h"

#include "base/text.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

static const cli_output image_output = {.ext = "png", .picture = "--image"};

/* On a page of more files than this, pictures are small, so that browsers can open it. */
enum { MANY = 100, MANY_SIZE = 400 };

/* The jobs are the inputs of side A, followed by those that only B has. */
typedef struct sides {
    cli_inputs b;
    const cli_input **pair; /* for each job: its file on side B; NULL: only in A */
    size_t only_b; /* index of the first job that is only in B */
    uint32_t size;
    const char *names[2]; /* of both sides, for messages */
    char *top; /* --git: the top folder of the work tree */
    /* --html */
    lvl_buffer nav, sections;
    size_t compared, changed, added, removed, failed;
} sides;

/* Begins a section of the page, to be freed; NULL: no memory. `kind`: as for cli_review_begin. */
static cli_review *new_section(const cli_job *job, const char *kind)
{
    cli_review *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->number = (size_t)(job->input - job->c->inputs.items);
    r->nav.max = r->section.max = lvl_memory_share(&job->ctx);
    const cli_input *in = job->input;
    const bool below = job->c->inputs.batch && !in->has_content; /* in a folder that was given */
    cli_review_begin(r,
                     below             ? in->rel
                     : in->has_content ? in->shown
                                       : lvl_file_name(in->shown),
                     kind, job->format ? job->format->title : NULL);
    return r;
}

/* The same, in the job's note. */
static cli_review *begin_section(cli_job *job, const char *kind)
{
    cli_review *r = new_section(job, kind);

    job->note = r;
    if (!r)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    return r;
}

/* Ends a section with the file's error messages. */
static void end_with_errors(cli_review *r, const cli_job *job)
{
    const lvl_text text = {(const char *)job->err.data, job->err.len};

    cli_review_lines(r, text.len ? text : lvl_text_of("not a file that lvl can read"));
    cli_review_end(r);
}

static void init_options(const cli_job *job, lvl_render_options *r)
{
    lvl_render_options_init(r);
    r->schematic = job->c->opt.schematic;
    r->size = ((const sides *)job->c->user)->size;
    if (!r->size && job->c->opt.html && job->c->inputs.count > MANY)
        r->size = MANY_SIZE;
}

/* Adds the section of a file on one side only, with its picture if its format is `known`. */
static void add_single(cli_job *job, bool known, bool in_b)
{
    cli_review *r = begin_section(job, in_b ? "added" : "removed");
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_art *art = r && known && cli_job_read(job, 0) ? cli_art_take(job) : NULL;

    if (art) {
        const lvl_scene_request request = {.art = art};
        init_options(job, &options);
        lvl_status status = lvl_doc_scene(job->doc, &request, &scene);
        if (status == LVL_OK)
            status = cli_review_picture(r, scene, &options);
        if (status != LVL_ERR_UNSUPPORTED) /* not every format has a picture */
            cli_job_status(job, status, NULL, NULL);
        lvl_scene_free(scene);
        cli_art_give(job, art);
    }
    if (r && !job->doc)
        end_with_errors(r, job);
    else if (r)
        cli_review_end(r);
}

/* Whether the page lists a file that cannot be read: not one of an unknown format. */
static bool is_listed(const cli_job *job)
{
    return job->code || job->format || cli_format_of_ending(job->input->name);
}

static void only_in(cli_job *job, bool in_b)
{
    const bool known = cli_job_open(job, 0);

    if (known)
        job->code = EXIT_NEGATIVE;
    if (job->c->opt.html && (known || is_listed(job)))
        add_single(job, known, in_b);
    if (known && job->c->opt.json) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "change", in_b ? "insert" : "remove");
        lvl_buffer_str(&job->out, "}\n");
    } else if (known && !job->c->opt.html) {
        lvl_buffer_printf(&job->out, "only in %s: %s\n", ((const sides *)job->c->user)->names[in_b],
                          job->input->rel);
    }
}

/* Selects the first frame and direction in which two animations differ, for both requests. */
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
    return status == LVL_ERR_UNSUPPORTED ? LVL_OK : status; /* a level, which has no frames */
}

static uint64_t missing(const lvl_scene *scene)
{
    return (uint64_t)scene->missing_things + scene->missing_tiles;
}

/* If only the other level has its art beside it, both are drawn with that art: the place of a file is no
 * difference. */
static lvl_status draw_with_others_art(const cli_job *job, const lvl_scene_request *request,
                                       const cli_job *other, const lvl_scene *others, lvl_scene **scene)
{
    const bool less_art =
        (*scene)->has_art != others->has_art ? others->has_art : missing(*scene) > missing(others);
    lvl_art *art = (lvl_art *)(uintptr_t)request->art;
    lvl_scene *again = NULL;

    if (!less_art || !other->input->path)
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

/* Makes both scenes. */
static lvl_status make_scenes(cli_job *a, cli_job *b, lvl_art *art_a, lvl_art *art_b, lvl_scene *scenes[2])
{
    lvl_scene_request ra = {.art = art_a}, rb = {.art = art_b};

    lvl_status status = choose_frame(a, b, &ra, &rb);
    if (status == LVL_OK)
        status = lvl_doc_scene(a->doc, &ra, &scenes[0]);
    if (status == LVL_OK)
        status = lvl_doc_scene(b->doc, &rb, &scenes[1]);
    if (status == LVL_OK)
        status = draw_with_others_art(a, &ra, b, scenes[1], &scenes[0]);
    if (status == LVL_OK)
        status = draw_with_others_art(b, &rb, a, scenes[0], &scenes[1]);
    return status;
}

static lvl_status draw_image(cli_job *job, lvl_scene *const scenes[2], const lvl_render_options *options)
{
    lvl_status status = LVL_OK;
    cli_sink sink;

    if (cli_sink_begin(&sink, job, &image_output)) {
        status = lvl_render_diff(scenes[0], scenes[1], NULL, 0, options, &sink.writer);
        cli_sink_commit(&sink, status == LVL_OK);
    }
    return status;
}

/* Draws both files: for --image, or for a section of the page. */
static void draw(cli_job *a, cli_job *b, cli_review *review)
{
    lvl_art *art_a = cli_art_take(a), *art_b = art_a ? cli_art_take(b) : NULL;
    lvl_scene *scenes[2] = {NULL, NULL};
    lvl_render_options options;

    if (art_b) {
        init_options(a, &options);
        lvl_status status = make_scenes(a, b, art_a, art_b, scenes);
        if (status == LVL_OK)
            status = review ? cli_review_pictures(review, scenes[0], scenes[1], &options,
                                                  a->c->inputs.count <= MANY)
                            : draw_image(a, scenes, &options);
        if (status == LVL_ERR_UNSUPPORTED && !review)
            cli_job_fail(a, EXIT_NEGATIVE, "this format has no picture");
        else if (status != LVL_ERR_UNSUPPORTED)
            cli_job_status(a, status, NULL, NULL);
    }
    lvl_scene_free(scenes[0]);
    lvl_scene_free(scenes[1]);
    cli_art_give(b, art_b);
    cli_art_give(a, art_a);
}

/* Adds the section of a file on both sides. */
static void add_pair(cli_job *a, cli_job *b, bool pictures, const lvl_buffer *lines)
{
    cli_review *r = begin_section(a, "changed");

    if (!r)
        return;
    if (pictures)
        draw(a, b, r);
    cli_review_lines(r, lvl_buffer_text(lines));
    cli_review_end(r);
}

/* Compares two documents as text. */
static lvl_status compare(cli_job *job, cli_job *other, bool *different, lvl_buffer *lines)
{
    const cli *c = job->c;
    const cli_strings *labels = &c->opt.labels;
    const bool heads = !c->opt.html;
    const lvl_diff_options options = {.json = c->opt.json && heads,
                                      .summary = c->opt.summary,
                                      .a = !heads              ? NULL
                                           : labels->count > 0 ? labels->items[0]
                                                               : job->input->shown,
                                      .b = !heads              ? NULL
                                           : labels->count > 1 ? labels->items[1]
                                                               : other->input->shown};

    lvl_status status = lvl_doc_open(job->doc);
    if (status == LVL_OK)
        status = lvl_doc_open(other->doc);
    return status == LVL_OK ? lvl_diff(job->doc, other->doc, &options, different, lines) : status;
}

/* A file with another path, and the same content. */
static void report_rename(cli_job *job, lvl_buffer *lines)
{
    const cli *c = job->c;
    char *before = cli_shown(job->input->before), *now = cli_shown(job->input->name);

    if (!before || !now) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    } else if (c->opt.json && !c->opt.html) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "change", "rename");
        lvl_json_put_string(&job->out, "old", job->input->before);
        lvl_buffer_str(&job->out, "}\n");
    } else {
        lvl_buffer_printf(lines, "renamed: %s -> %s\n", before, now);
        if (!c->opt.html)
            lvl_buffer_add(&job->out, lines->data, lines->len);
    }
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    free(before);
    free(now);
}

/* Prints lines of the comparison; on a page they are in a section. */
static void print_lines(cli_job *job, const lvl_buffer *lines)
{
    if (job->c->opt.html)
        return;
    if (job->c->opt.json)
        cli_job_lines(job, lines);
    else
        lvl_buffer_add(&job->out, lines->data, lines->len);
}

/* Two files whose formats have no records in common. */
static void report_formats(cli_job *job, const cli_job *other, lvl_buffer *lines)
{
    lvl_buffer_printf(lines, "%s and %s are of different formats: %s, %s\n", job->input->shown,
                      other->input->shown, job->format->title, other->format->title);
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    if (!job->c->opt.json || job->c->opt.html) {
        print_lines(job, lines);
        return;
    }
    cli_json_begin(&job->out, job->input->name);
    lvl_json_put_string(&job->out, "change", "format");
    lvl_json_put_string(&job->out, "old", job->format->id);
    lvl_json_put_string(&job->out, "new", other->format->id);
    lvl_buffer_str(&job->out, "}\n");
}

/* The comparison of two archives does not show what changed in their members. */
static void hint_members(cli_job *job, const cli_job *other)
{
    const unsigned can = lvl_format_can(job->format);
    const bool packs = (can & LVL_CAN_EXTRACT) && !(can & LVL_CAN_RENDER);

    if (packs && !job->c->inputs.batch && !job->c->opt.quiet && job->input->path && other->input->path &&
        !job->input->archive)
        lvl_buffer_printf(&job->err, "lvl: to compare their members: lvl diff %s// %s//\n", job->input->shown,
                          other->input->shown);
}

/* Compares two files of one format, or of two that share their records; returns whether they differ. */
static bool compare_pair(cli_job *job, cli_job *other, lvl_buffer *lines)
{
    const cli *c = job->c;
    bool different = false;

    const lvl_status status = compare(job, other, &different, lines);
    cli_job_status(job, status, NULL, NULL);
    print_lines(job, lines);
    if (!different && status == LVL_OK && job->input->before)
        report_rename(job, lines);
    if (different) {
        job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
        hint_members(job, other);
    }
    /* in a batch, no pictures of files that are the same */
    if (status == LVL_OK && c->opt.image && (different || !c->inputs.batch))
        draw(job, other, NULL);
    return different;
}

/* Reads both sides, so that both are reported if they cannot be read. */
static bool read_pair(cli_job *job, cli_job *other)
{
    const bool read = cli_job_read(job, 0);

    if (other->input->error_text) {
        cli_job_fail(other, other->input->code, "%s", other->input->error_text);
        return false;
    }
    return cli_job_read(other, 0) && read;
}

static void diff_job(cli_job *job)
{
    const cli *c = job->c;
    const sides *s = c->user;
    const size_t index = (size_t)(job->input - c->inputs.items);
    lvl_buffer lines = {.max = lvl_memory_share(&job->ctx)};
    bool different = false;

    if (index >= s->only_b || !s->pair[index]) {
        only_in(job, index >= s->only_b);
        return;
    }
    cli_job other = {0};
    cli_job_begin_beside(&other, job, s->pair[index]);
    const bool read = read_pair(job, &other);
    if (read && job->format->table != other.format->table)
        report_formats(job, &other, &lines);
    else if (read)
        different = compare_pair(job, &other, &lines);
    if (c->opt.html && read && (job->code || other.code))
        add_pair(job, &other, different, &lines);
    const bool failed = c->opt.html && !read && (is_listed(job) || is_listed(&other));
    cli_job_join(job, &other);
    cli_review *r = failed ? begin_section(job, "failed") : NULL;
    if (r)
        end_with_errors(r, job);
    lvl_buffer_free(&lines);
}

/* Order of two files by `rel` without the ending. */
static int by_stem(const cli_input *a, const cli_input *b)
{
    const size_t na = (size_t)(cli_ending(a->rel) - a->rel), nb = (size_t)(cli_ending(b->rel) - b->rel);
    const int d = memcmp(a->rel, b->rel, na < nb ? na : nb);

    return d ? d : (na > nb) - (na < nb);
}

/* Pairs files whose paths differ at most in the ending, in the order of cli_inputs_sorted: first those with
 * the same path; then, if there is one file in A and one is left in B, these: a level and its conversion. */
static void pair_group(const cli *c, sides *s, cli_input **a, size_t na, cli_input **b, size_t nb,
                       bool *taken)
{
    size_t left = nb, free_one = 0;

    for (size_t i = 0, k = 0; i < na; i++) {
        while (k < nb && strcmp(b[k]->rel, a[i]->rel) < 0)
            k++;
        if (k < nb && strcmp(b[k]->rel, a[i]->rel) == 0) {
            s->pair[a[i] - c->inputs.items] = b[k];
            left -= !taken[b[k] - s->b.items];
            taken[b[k] - s->b.items] = true;
        }
    }
    while (free_one < nb && taken[b[free_one] - s->b.items])
        free_one++;
    if (na == 1 && left == 1 && !s->pair[a[0] - c->inputs.items]) {
        s->pair[a[0] - c->inputs.items] = b[free_one];
        taken[b[free_one] - s->b.items] = true;
    }
}

/* Pairs the files of two folders, and appends the files that only B has to the jobs. */
static bool pair_folders(cli *c, sides *s)
{
    const size_t na = c->inputs.count, nb = s->b.count;
    cli_input **a = cli_inputs_sorted(&c->inputs), **b = cli_inputs_sorted(&s->b);
    bool *taken = calloc(nb + 1, sizeof *taken), ok = a && b && taken;

    for (size_t i = 0, k = 0, end_a, end_b; ok && i < na; i = end_a, k = end_b) {
        for (end_a = i + 1; end_a < na && by_stem(a[end_a], a[i]) == 0;)
            end_a++;
        while (k < nb && by_stem(b[k], a[i]) < 0)
            k++;
        for (end_b = k; end_b < nb && by_stem(b[end_b], a[i]) == 0;)
            end_b++;
        pair_group(c, s, a + i, end_a - i, b + k, end_b - k, taken);
    }
    for (size_t i = 0; ok && i < nb; i++) {
        if (!taken[i])
            ok = cli_input_move(&c->inputs, &s->b.items[i]);
    }
    free(a);
    free(b);
    free(taken);
    return ok;
}

/* Whether the only input of a side cannot be read. */
static bool is_unreadable(const cli_inputs *inputs)
{
    return inputs->count == 1 && inputs->items[0].error_text;
}

static int take_sides(cli *c, sides *s)
{
    const char *a = c->args.items[0], *b = c->args.items[1];

    s->names[0] = a;
    s->names[1] = b;
    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        return cli_usage(c, "only one side can be standard input");
    /* a file is compared with the file of that name in a folder */
    char *below = NULL;
    if (lvl_file_kind_of(a) == LVL_FILE_REGULAR && lvl_file_kind_of(b) == LVL_FILE_FOLDER)
        b = below = cli_format("%s%s%s", b, b[strlen(b) - 1] == '/' ? "" : "/", lvl_file_name(a));
    else if (lvl_file_kind_of(b) == LVL_FILE_REGULAR && lvl_file_kind_of(a) == LVL_FILE_FOLDER)
        a = below = cli_format("%s%s%s", a, a[strlen(a) - 1] == '/' ? "" : "/", lvl_file_name(b));
    bool ok = a && b && cli_input_add(c, &c->inputs, a, false) && cli_input_add(c, &s->b, b, false);
    free(below);
    const bool folders = c->inputs.batch; /* on disk, or in archives */
    if (ok && is_unreadable(&s->b)) {
        cli_report(c, "%s: %s", s->b.items[0].shown, s->b.items[0].error_text);
        return s->b.items[0].code;
    }
    if (ok && folders != s->b.batch && !is_unreadable(&c->inputs) && !is_unreadable(&s->b))
        return cli_usage(c, "cannot compare a file with a folder; give two files or two folders");
    s->only_b = c->inputs.count;
    s->pair = ok ? calloc(c->inputs.count + 1, sizeof *s->pair) : NULL;
    ok = ok && s->pair;
    if (ok && folders)
        ok = pair_folders(c, s);
    else if (ok && s->b.count)
        s->pair[0] = &s->b.items[0];
    return ok ? EXIT_FINE : cli_no_memory(c);
}

/* ---- git --------------------------------------------------------------------------------------------- */

/* The reason why a version could not be read, to be freed; NULL: no memory. */
static char *object_error(cli *c, const char *object, const lvl_buffer *content)
{
    lvl_usage usage = {0};
    char *limit = NULL;

    if (content->status == LVL_ERR_LIMIT) {
        c->ctx.usage = &usage;
        lvl_refuse(&c->ctx, LVL_LIMIT_MEMORY, content->max, 0);
        c->ctx.usage = NULL;
        limit = cli_limit_text(&c->ctx, &usage);
    }
    if (limit)
        return limit;
    return content->status == LVL_OK ? cli_format("git cannot read the object %s", object)
                                     : cli_copy(lvl_status_text(content->status));
}

/* Adds one version of a file, or the reason why it cannot be read. Its art is searched around its path in
 * the work tree. False: no memory. */
static bool add_version(cli *c, cli_inputs *inputs, const cli_git_file *file, const char *object)
{
    lvl_buffer content = {.max = lvl_memory_share(&c->ctx)}, none = {0};
    char *path = cli_format("%s%s", ((const sides *)c->user)->top, file->path);
    lvl_file_error why = {0};
    const uint64_t most = c->ctx.limits.input_bytes;
    const bool on_disk = !*object;
    const bool there = !path     ? false
                       : on_disk ? lvl_file_read(&content, path, most, &why) == LVL_OK
                                 : cli_git_object(object, &content);
    cli_input *in = path ? cli_input_add_content(inputs, file->path, path, there ? &content : &none) : NULL;
    bool ok = in != NULL;

    if (in && !there) {
        char text[256];
        in->error_text = on_disk && why.step ? cli_copy(lvl_file_error_text(&why, text, sizeof text))
                                             : object_error(c, object, &content);
        in->code = EXIT_ENVIRONMENT;
        ok = in->error_text != NULL;
    }
    if (in && strcmp(file->before, file->path) != 0) {
        char *both = cli_format("%s (was %s)", file->path, file->before);
        char *shown = both ? cli_shown(both) : NULL;
        if (shown) {
            free(in->shown);
            in->shown = shown;
        }
        free(both);
        in->before = cli_copy(file->before);
        ok = ok && in->before;
    }
    free(path);
    lvl_buffer_free(&content);
    return ok;
}

static bool named_as_any(const char *name)
{
    const lvl_format *format = NULL;

    for (size_t i = 0; (format = lvl_format_at(i)) != NULL && !cli_is_named_as(name, format);)
        i++;
    return format != NULL;
}

/* Reads only files that are named like levels: others may be many and large. */
static bool add_git_file(void *user, const cli_git_file *file)
{
    cli *c = user;
    sides *s = c->user;

    if (!c->format && !named_as_any(file->path) && !named_as_any(file->before)) {
        if (c->opt.verbose)
            cli_report(c, "%s: skipped, no format has this ending", file->path);
        return true;
    }
    return (!file->was || add_version(c, &c->inputs, file, file->was)) &&
           (!file->is || add_version(c, &s->b, file, file->is));
}

static int take_revisions(cli *c, sides *s)
{
    s->names[0] = "the first revision";
    s->names[1] = strstr(c->opt.git, "..") ? "the second revision" : "the work tree";
    s->top = cli_git_top();
    if (!s->top) {
        cli_report(c, "no git repository here");
        return EXIT_ENVIRONMENT;
    }
    int code = cli_git_changes(c, c->opt.git, &c->args, add_git_file, c);
    if (code)
        return code;
    s->only_b = c->inputs.count;
    c->inputs.batch = true;
    s->pair = calloc(c->inputs.count + 1, sizeof *s->pair);
    return s->pair && pair_folders(c, s) ? EXIT_FINE : cli_no_memory(c);
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static void take_section(cli *c, const cli_job *job)
{
    cli_review *r = job->note, *own = NULL;
    sides *s = c->user;
    const size_t index = (size_t)(job->input - c->inputs.items);

    if (!r && job->input->error_text) { /* the job was not run */
        r = own = new_section(job, "failed");
        if (r)
            end_with_errors(r, job);
        else
            s->failed++;
    }
    if (job->outcome != CLI_DONE && !r)
        return;
    s->compared++;
    if (!r)
        return;
    if (index >= s->only_b)
        s->added++;
    else if (!s->pair[index])
        s->removed++;
    else
        s->changed++;
    lvl_buffer_add(&s->nav, r->nav.data, r->nav.len);
    lvl_buffer_add(&s->sections, r->section.data, r->section.len);
    if (r->nav.status != LVL_OK || r->section.status != LVL_OK)
        s->failed++;
    cli_review_free(r);
    free(own);
}

static void write_page(cli_job *job)
{
    cli *c = job->c;
    sides *s = c->user;
    const cli_strings *labels = &c->opt.labels;
    const char *range = c->opt.git, *dots = range ? strstr(range, "..") : NULL;
    char *first =
        range ? cli_format("%.*s", (int)(dots ? dots - range : (ptrdiff_t)strlen(range)), range) : NULL;
    const char *a = first ? first : labels->count > 0 ? labels->items[0] : s->names[0];
    const char *const second = range ? "work tree" : s->names[1]; /* of one revision */
    const char *b = dots ? dots + strspn(dots, ".") : labels->count > 1 ? labels->items[1] : second;
    lvl_buffer page = {0};

    char *counts = cli_format("%zu file%s compared: %zu changed, %zu added, %zu removed", s->compared,
                              s->compared == 1 ? "" : "s", s->changed, s->added, s->removed);
    if (counts)
        cli_review_page(&page,
                        &(cli_review_head){.title = "Changes",
                                           .a = *a ? a : "HEAD",
                                           .b = *b ? b : "HEAD",
                                           .counts = counts,
                                           .command = "lvl diff --html"},
                        &s->nav, &s->sections);
    if (!counts || s->failed || page.status != LVL_OK || s->nav.status != LVL_OK ||
        s->sections.status != LVL_OK)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    else
        cli_write_to_name(job, c->opt.html, lvl_buffer_bytes(&page));
    lvl_buffer_free(&page);
    free(counts);
    free(first);
}

static int check_options(cli *c)
{
    if (c->opt.image && c->opt.html)
        return cli_usage(c, "--image and --html exclude each other");
    if (!c->opt.git && c->args.count != 2)
        return cli_usage(c, "expected two files or two folders: A B");
    return c->opt.html && !cli_is_stdout(c->opt.html) ? cli_may_create(c, c->opt.html) : EXIT_FINE;
}

int cmd_diff(cli *c)
{
    sides s = {0};
    const cli_batch batch = {.work = diff_job,
                             .after = c->opt.html ? take_section : NULL,
                             .user = &s,
                             .done_word = "compared",
                             .failed_word = "different",
                             .output = c->opt.image ? &image_output : NULL};
    uint64_t size = 0;

    int code = check_options(c);
    if (code)
        return code;
    if (c->opt.size && !cli_number(c->opt.size, UINT32_MAX, &size))
        return cli_usage(c, "--size: expected a number, got `%s'", c->opt.size);
    s.size = (uint32_t)size;
    c->opt.output = c->opt.image; /* the only file that diff writes */
    c->user = &s;
    code = c->opt.git ? take_revisions(c, &s) : take_sides(c, &s);
    if (!code && (c->opt.html || c->opt.image))
        code = cli_art_try(c);
    const bool ready = !code;
    if (ready && !(c->opt.git && !c->inputs.count)) /* else the two revisions are the same */
        code = cli_run(c, &batch);
    if (c->opt.html && ready && !cli_stopped())
        code = cli_max_exit_code(code, cli_job_whole(c, c->opt.html, write_page));

    cli_inputs_free(&s.b);
    free((void *)s.pair);
    free(s.top);
    lvl_buffer_free(&s.nav);
    lvl_buffer_free(&s.sections);
    return code;
}
