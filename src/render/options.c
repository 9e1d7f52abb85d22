/*
 * render/options.c: the picture options of `lvl render` as texts: parsed first, then resolved in a scene or
 * an animation.
 */
#include "base/text.h"
#include "render/options.h"

#include <lvl/render.h>

#include <string.h>

typedef enum word_kind {
    WORD_SIZE,
    WORD_SCALE,
    WORD_REGION,
    WORD_CAMERA,
    WORD_VIEW,
    WORD_PLANE,
    WORD_LAYERS,
    WORD_HIDE,
    WORD_OVERLAY,
    WORD_CROP,
    WORD_SCHEMATIC,
    WORD_TRANSPARENT,
    WORD_FRAME,
    WORD_DIRECTION
} word_kind;

static const lvl_render_word words[] = {
    [WORD_SIZE] = {"size", "N or WIDTHxHEIGHT"},
    [WORD_SCALE] = {"scale", "N or 1/N"},
    [WORD_REGION] = {"region", "X,Y,WIDTH,HEIGHT"},
    [WORD_CAMERA] = {"camera", "X,Y"},
    [WORD_VIEW] = {"view", "WIDTHxHEIGHT"},
    [WORD_PLANE] = {"plane", "a plane"},
    [WORD_LAYERS] = {"layers", "planes"},
    [WORD_HIDE] = {"hide", "planes"},
    [WORD_OVERLAY] = {"overlay", "grid, attributes, objects, patrol, findings, legend or all"},
    [WORD_CROP] = {"crop", NULL},
    [WORD_SCHEMATIC] = {"schematic", NULL},
    [WORD_TRANSPARENT] = {"transparent", NULL},
    [WORD_FRAME] = {"frame", "a frame"},
    [WORD_DIRECTION] = {"direction", "a direction"},
};

static const struct {
    const char *name;
    unsigned bits;
} overlays[] = {
    {"grid", LVL_OVERLAY_GRID},
    {"attributes", LVL_OVERLAY_TILES},
    {"objects", LVL_OVERLAY_THINGS},
    {"patrol", LVL_OVERLAY_RANGES},
    {"findings", LVL_OVERLAY_FINDINGS},
    {"legend", LVL_OVERLAY_LEGEND},
    {"all", LVL_OVERLAY_GRID | LVL_OVERLAY_TILES | LVL_OVERLAY_THINGS | LVL_OVERLAY_RANGES |
                LVL_OVERLAY_FINDINGS | LVL_OVERLAY_LEGEND},
};

const lvl_render_word *lvl_render_word_list(size_t *count)
{
    *count = LVL_COUNT_OF(words);
    return words;
}

void lvl_render_words_init(lvl_render_words *out)
{
    memset(out, 0, sizeof *out);
    lvl_render_options_init(&out->options);
}

static bool parse_overlays(const char *list, unsigned *bits, lvl_text *bad)
{
    while (lvl_text_next_item(&list, ',', bad)) {
        size_t i = 0;
        while (i < LVL_COUNT_OF(overlays) && !lvl_text_is(*bad, overlays[i].name))
            i++;
        if (i == LVL_COUNT_OF(overlays))
            return false;
        *bits |= overlays[i].bits;
    }
    return true;
}

static bool parse_region(const char *text, lvl_rect *out)
{
    int32_t n[4];

    if (!lvl_text_numbers(text, ",", n, 4) || n[2] < 1 || n[3] < 1 || n[0] > INT32_MAX - n[2] ||
        n[1] > INT32_MAX - n[3])
        return false;
    *out = (lvl_rect){n[0], n[1], n[0] + n[2] - 1, n[1] + n[3] - 1};
    return true;
}

/* "N" or "WxH". */
static bool parse_box(const char *text, uint32_t *w, uint32_t *h)
{
    int32_t n;

    if (!lvl_text_numbers(text, "", &n, 1) || n < 1)
        return lvl_text_size(text, w, h);
    *w = *h = (uint32_t)n;
    return true;
}

static bool parse_camera(const char *text, lvl_render_options *r)
{
    int32_t n[2];

    if (!lvl_text_numbers(text, ",", n, 2))
        return false;
    r->camera_given = true;
    r->camera_x = n[0];
    r->camera_y = n[1];
    return true;
}

static bool parse_flag(const char *text, bool *out)
{
    *out = strcmp(text, "1") == 0;
    return *out || strcmp(text, "0") == 0;
}

lvl_status lvl_render_words_set(lvl_render_words *d, const char *name, const char *value, lvl_text *bad)
{
    lvl_render_options *r = &d->options;
    bool ok = true;
    size_t i = 0;

    while (i < LVL_COUNT_OF(words) && strcmp(words[i].name, name) != 0)
        i++;
    if (i == LVL_COUNT_OF(words))
        return LVL_ERR_MISSING;
    *bad = lvl_text_of(value);
    switch ((word_kind)i) {
    case WORD_SIZE: ok = parse_box(value, &d->fit_width, &d->fit_height); break;
    case WORD_SCALE: ok = lvl_text_scale(value, &r->scale_up, &r->scale_down); break;
    case WORD_REGION: ok = r->region_given = parse_region(value, &r->region); break;
    case WORD_CAMERA: ok = parse_camera(value, r); break;
    case WORD_VIEW: ok = lvl_text_size(value, &r->view_width, &r->view_height); break;
    case WORD_PLANE: d->plane = value; break;
    case WORD_LAYERS: d->layers = value; break;
    case WORD_HIDE: d->hide = value; break;
    case WORD_OVERLAY: ok = parse_overlays(value, &r->overlays, bad); break;
    case WORD_CROP: ok = parse_flag(value, &d->crop); break;
    case WORD_SCHEMATIC: ok = parse_flag(value, &r->schematic); break;
    case WORD_TRANSPARENT: ok = parse_flag(value, &r->transparent); break;
    case WORD_FRAME: d->frame = value; break;
    case WORD_DIRECTION: d->direction = value; break;
    }
    if (r->camera_given || r->view_width)
        r->view = LVL_VIEW_CAMERA;
    else if (d->plane)
        r->view = LVL_VIEW_LAYER;
    return ok ? LVL_OK : LVL_ERR_ARG;
}

const char *lvl_render_words_clash(const lvl_render_words *d)
{
    return d->options.view != LVL_VIEW_CAMERA ? NULL : d->plane ? "plane" : d->crop ? "crop" : NULL;
}

/* ---- in a scene -------------------------------------------------------------------------------------- */

/* The index of a layer by number or name; layer_count: not found. */
static uint32_t find_layer(const lvl_scene *scene, lvl_text name)
{
    char number[16];
    int32_t n;

    if (name.len < sizeof number) {
        memcpy(number, name.ptr, name.len);
        number[name.len] = 0;
        if (lvl_text_numbers(number, "", &n, 1))
            return n >= 0 && (uint32_t)n < scene->layer_count ? (uint32_t)n : scene->layer_count;
    }
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        lvl_buffer utf8 = {0};
        lvl_text_to_utf8(&utf8, scene->codepage, scene->layers[i].name);
        const bool same = lvl_text_equal_nocase(name, (lvl_text){(const char *)utf8.data, utf8.len});
        lvl_buffer_free(&utf8);
        if (same)
            return i;
    }
    return scene->layer_count;
}

void lvl_render_layer_names(const lvl_scene *scene, lvl_buffer *out)
{
    enum { ENOUGH = 256 };
    const size_t before = out->len;

    for (uint32_t i = 0; i < scene->layer_count && out->len - before < ENOUGH; i++) {
        lvl_buffer_str(out, i ? ", " : "");
        if (scene->layers[i].name.len)
            lvl_text_to_utf8(out, scene->codepage, scene->layers[i].name);
        else
            lvl_buffer_printf(out, "%lu", (unsigned long)i);
    }
}

static bool is_things(lvl_text item)
{
    return lvl_text_is(item, "objects") || lvl_text_is(item, "things");
}

/* Sets the layers of a list to `value`; false: *missing does not exist. */
static bool mark_layers(const lvl_scene *scene, const char *list, signed char value, bool lenient,
                        signed char *layers, bool *things, lvl_text *missing)
{
    lvl_text item;

    while (lvl_text_next_item(&list, ',', &item)) {
        if (is_things(item)) {
            *things = true;
            continue;
        }
        const uint32_t i = find_layer(scene, item);
        if (i < scene->layer_count) {
            layers[i] = value;
        } else if (value || !lenient) {
            *missing = item;
            return false;
        }
    }
    return true;
}

bool lvl_render_layers_mark(const lvl_scene *scene, const char *list, signed char *layers, lvl_text *missing)
{
    bool things;

    return mark_layers(scene, list, 1, false, layers, &things, missing);
}

static bool choose_layers(const lvl_render_words *d, const lvl_scene *scene, bool lenient,
                          signed char *layers, lvl_render_options *r, lvl_text *missing)
{
    bool shown = false, hidden = false;

    memset(layers, d->layers ? 0 : LVL_LAYER_DEFAULT, scene->layer_count);
    if (!mark_layers(scene, d->layers, 1, lenient, layers, &shown, missing) ||
        !mark_layers(scene, d->hide, 0, lenient, layers, &hidden, missing))
        return false;
    r->layers = layers;
    r->layer_count = scene->layer_count;
    r->no_things = hidden || (d->layers && !shown);
    if (d->plane) {
        r->layer = find_layer(scene, lvl_text_of(d->plane));
        *missing = lvl_text_of(d->plane);
        return r->layer < scene->layer_count;
    }
    return true;
}

/* Sets the size (of the longest side) so that the picture fits into the box. */
static lvl_status fit(const lvl_render_words *d, const lvl_scene *scene, lvl_render_options *r)
{
    uint32_t w, h;

    if (!d->fit_width)
        return LVL_OK;
    r->size = UINT32_MAX; /* no limit: the size before shrinking is needed */
    const lvl_status status = lvl_render_size(scene, r, &w, &h);
    if (status != LVL_OK)
        return status;
    const uint64_t longest = w > h ? w : h;
    const uint64_t by_width = longest * d->fit_width / w, by_height = longest * d->fit_height / h;
    const uint64_t size = by_width < by_height ? by_width : by_height;
    r->size = size < 1 ? 1 : size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    return LVL_OK;
}

/* Adds, and clamps to the range of an int32_t. */
static int32_t add_clamped(int32_t at, int32_t by)
{
    const int64_t to = (int64_t)at + by;

    return to > INT32_MAX ? INT32_MAX : to < INT32_MIN ? INT32_MIN : (int32_t)to;
}

lvl_status lvl_render_words_scene(const lvl_render_words *d, const lvl_scene *scene, bool lenient,
                                  signed char *layers, lvl_render_options *out, lvl_text *missing)
{
    lvl_render_options r = d->options;

    *out = r;
    if (!choose_layers(d, scene, lenient, layers, &r, missing))
        return LVL_ERR_MISSING;
    if (r.camera_given) {
        r.camera_x = add_clamped(r.camera_x, scene->zero_x);
        r.camera_y = add_clamped(r.camera_y, scene->zero_y);
    }
    lvl_status status = LVL_OK;
    if (d->crop) {
        status = lvl_render_content(scene, &r, &r.region);
        r.region_given = status == LVL_OK;
    }
    if (status == LVL_OK)
        status = fit(d, scene, &r);
    *out = r;
    return status;
}

lvl_status lvl_render_words_fit(const lvl_render_words *d, const lvl_scene *scene,
                                lvl_render_options *options)
{
    return fit(d, scene, options);
}

/* ---- in an animation --------------------------------------------------------------------------------- */

/* Finds a direction by name or number; the default is "down". */
static bool find_direction(const char *asked, const lvl_animation *play, uint32_t *out)
{
    int32_t number;

    *out = 0;
    for (uint32_t i = 0; play->names && i < play->directions; i++) {
        if (strcmp(play->names[i], asked ? asked : "down") == 0) {
            *out = i;
            return true;
        }
    }
    if (asked && lvl_text_numbers(asked, "", &number, 1)) {
        *out = (uint32_t)number;
        return number >= 0 && *out < play->directions;
    }
    /* an animation with only one direction uses it for all */
    return !asked || play->directions == 1;
}

/* Finds a frame by name or number. */
static bool find_frame(const char *asked, lvl_codepage page, const lvl_animation *play, uint32_t *out)
{
    int32_t number = 0;

    *out = 0;
    for (uint32_t i = 0; asked && play->frame_names && i < play->frames; i++) {
        lvl_buffer utf8 = {0};
        lvl_text_to_utf8(&utf8, page, play->frame_names[i]);
        const bool same = lvl_text_is((lvl_text){(const char *)utf8.data, utf8.len}, asked);
        lvl_buffer_free(&utf8);
        if (same) {
            *out = i;
            return true;
        }
    }
    if (asked && (!lvl_text_numbers(asked, "", &number, 1) || number < 0))
        return false;
    *out = (uint32_t)number;
    return *out < play->frames;
}

lvl_status lvl_render_words_frame(const lvl_render_words *d, lvl_codepage page, const lvl_animation *play,
                                  lvl_scene_request *request, const char **missing)
{
    *missing = "direction";
    if (!find_direction(d->direction, play, &request->direction))
        return LVL_ERR_MISSING;
    *missing = "frame";
    return find_frame(d->frame, page, play, &request->frame) ? LVL_OK : LVL_ERR_MISSING;
}

bool lvl_render_is_choice(const char *text)
{
    const char *equals = strchr(text, '=');

    return equals && equals > text;
}

lvl_status lvl_render_choices(lvl_codepage page, const char *const *texts, size_t count,
                              lvl_scene_choice *choices, lvl_buffer *storage)
{
    const size_t start = storage->len;
    uint32_t bad;

    for (size_t i = 0; i < count; i++) {
        const lvl_text utf8 = lvl_text_of(texts[i]);
        const size_t from = storage->len;
        if (!lvl_text_from_utf8(storage, page, utf8, &bad)) {
            storage->len = from; /* drop the characters before the one that is not in the page */
            lvl_buffer_add(storage, utf8.ptr, utf8.len);
        }
        lvl_buffer_u8(storage, 0);
    }
    if (storage->status != LVL_OK)
        return storage->status;
    const char *at = count ? (const char *)storage->data + start : NULL;
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(at, '=');
        choices[i] = (lvl_scene_choice){{at, (size_t)(equals - at)}, lvl_text_of(equals + 1)};
        at += strlen(at) + 1;
    }
    return LVL_OK;
}
