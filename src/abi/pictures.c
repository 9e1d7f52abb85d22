/*
 * abi/pictures.c: what the flat interface draws, and what it says about what a document looks like.
 */
#include "abi/abi.h"
#include "base/buffer.h"
#include "base/findings.h"
#include "base/format.h"
#include "base/text.h"
#include "render/options.h"
#include "scene/scene.h"
#include "tools/picture/pictures.h"
#include "tools/check/reports.h"

#include <stdlib.h>
#include <string.h>

/* ---- views ------------------------------------------------------------------------------------------- */

/* The view of a call, its art, and where the view is. */
typedef struct shown {
    lvl_art *art;
    abi_view own;
    abi_view *view; /* `own`, or that of the document */
    lvl_scene_request request;
} shown;

/* Appends the choices of the options, each ended by a NUL. LVL_ERR_ARG with a message. */
static lvl_status read_choices(abi_call *call, const char *options, lvl_buffer *out, size_t *count)
{
    *count = 0;
    for (const char *at = options; at && *at; at += strlen(at) + 1) {
        const char *with = abi_value(at, "with");
        if (with && !lvl_render_is_choice(with))
            return abi_wrong(call, "with: expected NAME=VALUE, found '%.60s'", with);
        if (!with)
            continue;
        lvl_buffer_add(out, with, strlen(with) + 1);
        ++*count;
    }
    return out->status;
}

/* Takes over the choices into a view, which is cleared if they differ. */
static lvl_status choose(abi_call *call, const lvl_abi_doc *d, const char *options, abi_view *v)
{
    lvl_buffer with = {0};
    size_t count;
    lvl_status status = read_choices(call, options, &with, &count);

    if (status == LVL_OK && v->choices && v->with.len == with.len &&
        (!with.len || memcmp(v->with.data, with.data, with.len) == 0)) {
        lvl_buffer_free(&with);
        return LVL_OK;
    }
    abi_view_clear(d, v);
    v->with = with;
    if (status != LVL_OK)
        return status;
    const char **texts = malloc((count + 1) * sizeof *texts);
    const char *at = (const char *)with.data;
    for (size_t i = 0; texts && i < count; i++, at += strlen(at) + 1)
        texts[i] = at;
    lvl_scene_choice *choices = calloc(count + 1, sizeof *choices);
    status = texts && choices
                 ? lvl_render_choices(lvl_doc_codepage(d->doc), texts, count, choices, &v->storage)
                 : LVL_ERR_MEMORY;
    free((void *)texts);
    if (status != LVL_OK) {
        free(choices);
        return status;
    }
    v->choices = choices;
    v->choice_count = (uint32_t)count;
    return LVL_OK;
}

/* How an animation runs; `play` stays NULL if it is not an animation. */
static lvl_status play(abi_call *call, const lvl_abi_doc *d, const lvl_scene_request *request, abi_view *v)
{
    if (v->played)
        return LVL_OK;
    const lvl_status status = lvl_doc_play(d->doc, request, &v->play);
    v->played = status == LVL_OK || status == LVL_ERR_UNSUPPORTED;
    if (status == LVL_ERR_ARG)
        return abi_wrong(call, "with: expected the name of a colour in the game, or #rrggbb");
    return v->played ? LVL_OK : status;
}

/* Begins a view: art, choices and how it is played. It is kept with the document if nothing can change
 * unseen until the next call: its records are not known to the caller, and the art stays. */
static lvl_status begin_view(abi_call *call, lvl_abi_doc *d, const char *options, shown *s)
{
    *s = (shown){.view = &s->own};
    lvl_status status = abi_art(call, d, options, true, &s->art);
    if (status == LVL_OK && !d->handed && (!s->art || abi_art_is_lasting(d->art, s->art)))
        s->view = &d->view;
    if (status == LVL_OK)
        status = choose(call, d, options, s->view);
    s->request = (lvl_scene_request){
        .art = s->art, .choices = s->view->choices, .choice_count = s->view->choice_count};
    if (status == LVL_OK)
        status = play(call, d, &s->request, s->view);
    s->request.play = s->view->play;
    return status;
}

static bool is_first(const char *number)
{
    return !number || strcmp(number, "0") == 0;
}

/* Which frame is shown; the first, in the first direction, if it is not an animation. `more`: another option
 * was given that only animations have. */
static lvl_status take_frame(abi_call *call, const lvl_abi_doc *d, const lvl_render_words *words, bool more,
                             shown *s)
{
    const lvl_animation *a = s->view->play;
    const char *missing;

    if (!a && (more || !is_first(words->frame) || !is_first(words->direction) || s->view->choice_count))
        return abi_wrong(call, "no animation: frame, direction, sheet, apng, gif and with do not apply");
    if (!a)
        return LVL_OK;
    const lvl_status status =
        lvl_render_words_frame(words, lvl_doc_codepage(d->doc), a, &s->request, &missing);
    if (status == LVL_ERR_MISSING && strcmp(missing, "frame") == 0)
        abi_set_message(call, "there is no frame '%.60s' (of %lu)", words->frame ? words->frame : "0",
                        (unsigned long)a->frames);
    else if (status == LVL_ERR_MISSING)
        abi_set_message(call, "there is no direction '%.60s'", words->direction);
    return status;
}

/* The scene of the frame, or the one that is kept. */
static lvl_status make_scene(const lvl_abi_doc *d, shown *s)
{
    abi_view *v = s->view;

    if (v->scene && v->frame == s->request.frame && v->direction == s->request.direction)
        return LVL_OK;
    lvl_scene_free(v->scene);
    v->scene = NULL;
    v->frame = s->request.frame;
    v->direction = s->request.direction;
    lvl_status status = lvl_doc_scene(d->doc, &s->request, &v->scene);
    /* An error of a shared art would stay, so pictures are missing instead if memory runs out. */
    if (status == LVL_OK && s->art && !abi_art_is_shared(d, s->art))
        status = lvl_art_status(s->art);
    return status;
}

static void end_view(const lvl_abi_doc *d, shown *s)
{
    if (!d)
        return;
    abi_view_clear(d, &s->own);
    abi_art_done(d, s->art);
}

/* The scene for a call without options of its own for pictures. */
static lvl_status open_view(abi_call *call, lvl_abi_doc *d, const char *options, const abi_option *more,
                            size_t count, shown *s)
{
    lvl_render_words words;
    abi_option known[8] = {
        {"frame", ABI_TEXT, &words.frame, 0},
        {"direction", ABI_TEXT, &words.direction, 0},
        {"with", ABI_REPEATED, NULL, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };

    *s = (shown){.view = &s->own};
    lvl_render_words_init(&words);
    for (size_t i = 0; i < count; i++)
        known[4 + i] = more[i];
    lvl_status status = d ? abi_options(call, options, known, 4 + count) : abi_wrong(call, "no document");
    if (status == LVL_OK)
        status = begin_view(call, d, options, s);
    if (status == LVL_OK)
        status = take_frame(call, d, &words, false, s);
    return status == LVL_OK ? make_scene(d, s) : status;
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* What lvl_abi_render draws, besides the words. */
typedef struct picture {
    lvl_render_words words;
    bool pixels, sheet, apng, gif, measure, adjoining, missing;
    bool transparent_given;
    const char *show; /* layers that are drawn in any case */
} picture;

static bool has_all_frames(const picture *p)
{
    return p->sheet || p->apng || p->gif;
}

/* Reads the options of a picture: words, and those of the call. */
static lvl_status read_picture(abi_call *call, const char *options, picture *p)
{
    const abi_option own[] = {
        {"pixels", ABI_FLAG, &p->pixels, 0},       {"sheet", ABI_FLAG, &p->sheet, 0},
        {"apng", ABI_FLAG, &p->apng, 0},           {"measure", ABI_FLAG, &p->measure, 0},
        {"adjoining", ABI_FLAG, &p->adjoining, 0}, {"show", ABI_TEXT, &p->show, 0},
        {"with", ABI_REPEATED, NULL, 0},           {"art", ABI_REPEATED, NULL, 0},
        {"missing", ABI_FLAG, &p->missing, 0},     {"gif", ABI_FLAG, &p->gif, 0},
    };
    size_t count;
    const lvl_render_word *words = lvl_render_word_list(&count);

    lvl_render_words_init(&p->words);
    for (const char *at = options; at && *at; at += strlen(at) + 1) {
        const char *value = NULL;
        size_t i = 0;
        while (i < count && (value = abi_value(at, words[i].name)) == NULL)
            i++;
        lvl_text bad;
        if (i == count) {
            const lvl_status status = abi_option_take(call, at, own, LVL_COUNT_OF(own));
            if (status != LVL_OK)
                return status;
        } else if (lvl_render_words_set(&p->words, words[i].name, value, &bad) != LVL_OK) {
            return abi_wrong(call, "option %s: expected %s, found '%.*s'", words[i].name,
                             words[i].value ? words[i].value : "0 or 1", (int)(bad.len < 60 ? bad.len : 60),
                             bad.ptr);
        }
        p->transparent_given = p->transparent_given || abi_value(at, "transparent");
    }
    p->words.options.adjoining = p->adjoining;
    const char *clash = lvl_render_words_clash(&p->words);
    if (clash)
        return abi_wrong(call, "%s and camera exclude each other", clash);
    if (p->sheet + p->apng + p->gif + p->pixels + p->measure > 1)
        return abi_wrong(call, "only one of sheet, apng, gif, pixels and measure");
    if (p->words.frame && has_all_frames(p))
        return abi_wrong(call, "frame excludes sheet, apng and gif, which have all frames");
    return LVL_OK;
}

/* The pixels become the data of the result: both are allocated by malloc. */
static void give_pixels(abi_call *call, lvl_image *image)
{
    call->result.width = image->width;
    call->result.height = image->height;
    lvl_buffer_free(&call->out);
    call->out = (lvl_buffer){.data = image->pixels};
    call->out.len = call->out.cap = (size_t)image->width * image->height * 4;
    image->pixels = NULL;
    lvl_image_clear(image);
}

static lvl_status draw(abi_call *call, const lvl_scene *scene, const picture *p)
{
    signed char *layers = malloc(scene->layer_count + 1);
    lvl_render_options r;
    lvl_image image = {0};
    lvl_text missing;

    if (!layers)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_render_words_scene(&p->words, scene, false, layers, &r, &missing);
    if (status == LVL_OK && p->show && !lvl_render_layers_mark(scene, p->show, layers, &missing))
        status = LVL_ERR_MISSING;
    if (status == LVL_ERR_MISSING) {
        lvl_buffer names = {0};
        lvl_render_layer_names(scene, &names);
        abi_set_message(call, "there is no plane '%.*s': expected one of %.*s",
                        (int)(missing.len < 100 ? missing.len : 100), missing.ptr, (int)names.len,
                        names.data ? (const char *)names.data : "");
        lvl_buffer_free(&names);
    }
    if (status == LVL_OK)
        status = lvl_render_size(scene, &r, &call->result.width, &call->result.height);
    if (status == LVL_ERR_ARG)
        abi_set_message(call, "there is nothing to draw");
    if (status == LVL_OK && p->pixels) {
        status = lvl_render_image(scene, &r, &image);
        if (status == LVL_OK)
            give_pixels(call, &image);
    } else if (status == LVL_OK && !p->measure) {
        lvl_buffer_writer png = lvl_buffer_writer_to(&call->out);
        status = lvl_render_png(scene, &r, &png.writer);
    }
    free(layers);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return lvl_text_compare_nocase(*(const lvl_text *)a, *(const lvl_text *)b);
}

/* The name of a picture that an object does not have, or what stands for it. */
static lvl_text lacking(const lvl_scene_thing *t)
{
    return t->picture.len ? t->picture : t->label;
}

/* A finding for each picture that objects do not have, and one for tiles. */
static lvl_status report_missing(abi_call *call, const lvl_scene *scene)
{
    size_t count = 0;
    lvl_text *names = malloc((scene->thing_count + 1) * sizeof *names);

    if (!names)
        return LVL_ERR_MEMORY;
    if (!scene->has_art)
        lvl_findings_add(call->findings, &lvl_doc_art_missing, NULL, NULL,
                         "no art was found: drawn schematically");
    for (uint32_t i = 0; scene->has_art && i < scene->thing_count; i++) {
        if (scene->things[i].flags & LVL_THING_MISSING)
            names[count++] = lacking(&scene->things[i]);
    }
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0, end; i < count; i = end) {
        lvl_buffer text = {0};
        for (end = i + 1; end < count && by_name(&names[i], &names[end]) == 0;)
            end++;
        lvl_text_to_utf8(&text, scene->codepage, names[i]);
        lvl_findings_add(call->findings, &lvl_doc_art_missing, NULL, NULL, "%.*s: %lu object%s",
                         (int)text.len, text.data ? (const char *)text.data : "", (unsigned long)(end - i),
                         end - i > 1 ? "s" : "");
        lvl_buffer_free(&text);
    }
    if (scene->has_art && scene->missing_tiles)
        lvl_findings_add(call->findings, &lvl_doc_art_missing, NULL, NULL, "%lu tile number%s",
                         (unsigned long)scene->missing_tiles, scene->missing_tiles > 1 ? "s" : "");
    free(names);
    return lvl_findings_status(call->findings);
}

/* A finding for each picture that was needed and is damaged. */
static lvl_status report_damaged(abi_call *call, const lvl_art *art)
{
    const char *path;
    bool in_part;

    for (size_t i = 0; (path = lvl_art_damaged(art, i, &in_part)); i++)
        lvl_findings_add(call->findings, &lvl_doc_art_unreadable, NULL, NULL, "%s is damaged: %s", path,
                         in_part ? "a part of it is drawn" : "it cannot be read");
    return lvl_findings_status(call->findings);
}

/* All frames of an animation. */
static lvl_status draw_all(abi_call *call, const lvl_doc *doc, const shown *s, const picture *p)
{
    lvl_render_options r = p->words.options;
    const lvl_render_play all = {.doc = doc, .request = s->request, .play = s->request.play, .options = &r};
    lvl_buffer_writer png = lvl_buffer_writer_to(&call->out);
    const lvl_status status = lvl_render_words_fit(&p->words, s->view->scene, &r);

    if (status != LVL_OK)
        return status;
    return p->gif    ? lvl_render_gif(&all, &png.writer)
           : p->apng ? lvl_render_apng(&all, &png.writer)
                     : lvl_render_sheet(&all, p->words.direction != NULL, &png.writer);
}

lvl_abi_result *lvl_abi_render(lvl_abi_doc *d, const char *options)
{
    lvl_findings *found = NULL;
    abi_call *call = abi_begin(d);
    picture p = {0};
    shown s = {.view = &s.own};

    if (!call)
        return NULL;
    lvl_status status = d ? read_picture(call, options, &p) : abi_wrong(call, "no document");
    if (status == LVL_OK)
        status = begin_view(call, d, options, &s);
    if (status == LVL_OK)
        status = take_frame(call, d, &p.words, has_all_frames(&p), &s);
    if (status == LVL_OK)
        status = make_scene(d, &s);
    if (status == LVL_OK && p.missing && !p.words.options.schematic)
        status = report_missing(call, s.view->scene);
    if (s.view->play && !p.transparent_given)
        p.words.options.transparent = true;
#ifndef LVL_WITHOUT_NAMES /* the page marks findings itself */
    if (status == LVL_OK)
        status = lvl_check_marks(d->doc, s.art, &p.words.options, &found);
#endif
    if (status == LVL_OK)
        status = has_all_frames(&p) ? draw_all(call, d->doc, &s, &p) : draw(call, s.view->scene, &p);
    if (status == LVL_OK && p.missing && s.art)
        status = report_damaged(call, s.art);
    end_view(d, &s);
    lvl_findings_free(found);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_png(lvl_abi_doc *d)
{
    abi_call *call = abi_begin(d);

    if (!call)
        return NULL;
    return abi_end(call, d ? lvl_doc_png(d->doc, NULL, NULL, &call->out) : abi_wrong(call, "no document"));
}

/* A layer whose cells are all values from `first` on, in reading order. */
typedef struct value_sheet {
    lvl_scene_layer layer;
    uint32_t first;
} value_sheet;

static void sheet_cells(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = ((const value_sheet *)layer)->first + y * layer->columns + x + i;
}

static lvl_status draw_values(abi_call *call, const lvl_scene *of, uint32_t layer, uint32_t first,
                              uint32_t columns, uint32_t rows)
{
    lvl_render_options o;
    lvl_image image = {0};

    if (layer >= of->layer_count || columns == 0 || rows == 0)
        return abi_wrong(call, "there are %lu layers, and at least one column and row is needed",
                         (unsigned long)of->layer_count);
    if (of->layers[layer].drawn)
        return LVL_ERR_UNSUPPORTED;
    value_sheet sheet = {of->layers[layer], first};
    lvl_scene_step step = {false, 0, 1};
    lvl_scene scene = *of;
    sheet.layer.cells = sheet_cells;
    sheet.layer.columns = columns;
    sheet.layer.rows = rows;
    sheet.layer.hidden = false;
    scene.layers = &sheet.layer;
    scene.layer_count = scene.step_count = 1;
    scene.main_layer = 0;
    scene.steps = &step;
    scene.thing_count = scene.link_count = 0;
    scene.has_bounds = false;
    scene.set_view = NULL;
    lvl_render_options_init(&o);
    o.view = LVL_VIEW_LAYER;
    o.transparent = true;
    const lvl_status status = lvl_render_image(&scene, &o, &image);
    if (status == LVL_OK)
        give_pixels(call, &image);
    return status;
}

lvl_abi_result *lvl_abi_tiles(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    uint32_t layer = 0, first = 0, columns = 16, rows = 16;
    const abi_option more[] = {
        {"layer", ABI_UINT, &layer, 0},
        {"first", ABI_UINT, &first, 0},
        {"columns", ABI_UINT, &columns, 0},
        {"rows", ABI_UINT, &rows, 0},
    };
    shown s;

    if (!call)
        return NULL;
    lvl_status status = open_view(call, d, options, more, LVL_COUNT_OF(more), &s);
    if (status == LVL_OK)
        status = draw_values(call, s.view->scene, layer, first, columns, rows);
    end_view(d, &s);
    return abi_end(call, status);
}

/* ---- descriptions ------------------------------------------------------------------------------------ */

lvl_abi_result *lvl_abi_scene(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    shown s;

    if (!call)
        return NULL;
    lvl_status status = open_view(call, d, options, NULL, 0, &s);
    if (status == LVL_OK)
        status = lvl_scene_json(d->doc, s.view->scene, &call->out);
    end_view(d, &s);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_animation(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    const abi_option known[] = {{"with", ABI_REPEATED, NULL, 0}, {"art", ABI_REPEATED, NULL, 0}};
    shown s = {.view = &s.own};

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, 2) : abi_wrong(call, "no document");
    if (status == LVL_OK)
        status = begin_view(call, d, options, &s);
    if (status == LVL_OK && !s.view->play) {
        abi_set_message(call, "%s has no animation", lvl_doc_format(d->doc)->id);
        status = LVL_ERR_UNSUPPORTED;
    }
    if (status == LVL_OK)
        status = lvl_animation_json(d->doc, s.view->play, &call->out);
    end_view(d, &s);
    return abi_end(call, status);
}

static lvl_status cell_json(abi_call *call, const lvl_scene *scene, uint32_t layer, uint32_t column,
                            uint32_t row)
{
    lvl_scene_tile tile;
    uint32_t value = 0;

    if (layer >= scene->layer_count || column >= scene->layers[layer].columns ||
        row >= scene->layers[layer].rows)
        return abi_wrong(call, "there is no cell %lu, %lu in layer %lu", (unsigned long)column,
                         (unsigned long)row, (unsigned long)layer);
    const lvl_scene_layer *l = &scene->layers[layer];
    l->cells(l, column, row, 1, &value);
    l->tile(l, value, &tile);
    if (tile.memory_failed)
        return LVL_ERR_MEMORY;
    lvl_buffer_printf(&call->out, "{\"value\":%lu,\"empty\":%s,\"look\":%d", (unsigned long)value,
                      tile.empty ? "true" : "false", (int)tile.look);
    if (tile.has_inner)
        lvl_buffer_printf(&call->out, ",\"inner\":%d", (int)tile.inner_look);
    if (scene->look_names[tile.look]) {
        lvl_buffer_str(&call->out, ",\"name\":");
        lvl_json_string(&call->out, lvl_text_of(scene->look_names[tile.look]));
    }
    lvl_buffer_u8(&call->out, '}');
    return LVL_OK;
}

lvl_abi_result *lvl_abi_cell(lvl_abi_doc *d, uint32_t layer, uint32_t column, uint32_t row)
{
    abi_call *call = abi_begin(d);
    shown s;

    if (!call)
        return NULL;
    lvl_status status = open_view(call, d, NULL, NULL, 0, &s);
    if (status == LVL_OK)
        status = cell_json(call, s.view->scene, layer, column, row);
    end_view(d, &s);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_changes(lvl_abi_doc *a, lvl_abi_doc *b, const char *options)
{
    abi_call *call = abi_begin(a);
    lvl_scene_change *changes = NULL;
    shown sa, sb = {.view = &sb.own};
    size_t count = 0;

    if (!call)
        return NULL;
    lvl_status status = open_view(call, b ? a : NULL, options, NULL, 0, &sa);
    if (status == LVL_OK)
        status = open_view(call, b, options, NULL, 0, &sb);
    if (status == LVL_OK)
        status = lvl_scene_compare(sa.view->scene, sb.view->scene, &changes, &count);
    if (status == LVL_OK)
        lvl_buffer_u8(&call->out, '[');
    for (size_t i = 0; status == LVL_OK && i < count; i++) {
        const lvl_scene_change *c = &changes[i];
        lvl_buffer_printf(&call->out, "%s[%d,%d,%ld,%ld,%ld,%ld]", i ? "," : "", (int)c->kind, c->thing,
                          (long)c->rect.left, (long)c->rect.top, (long)c->rect.right - c->rect.left + 1,
                          (long)c->rect.bottom - c->rect.top + 1);
    }
    if (status == LVL_OK) {
        lvl_buffer_u8(&call->out, ']');
        call->result.count = count;
        lvl_scene_changes_free(sb.view->scene, changes);
    }
    end_view(a, &sa);
    end_view(b, &sb);
    return abi_end(call, status);
}
