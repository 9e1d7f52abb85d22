/*
 * lvl_web.c: the interface between JavaScript (lvl.js) and the library. Each function performs one operation
 * on a document and leaves the result in `answer`: a status, bytes (JSON, a file, pixels) and findings as
 * JSON, which lvl.js copies before the next call. Texts are UTF-8 and end with a NUL; a list of texts is such
 * texts one after the other, ended by an empty one. For one thread.
 */
#include <lvl/lvl.h>

#include "base/text.h"
#include "container/zip.h"
#include "tools/coverage.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define WEB(name)    __attribute__((export_name(#name), used)) name
#define IMPORT(name) __attribute__((import_module("lvl"), import_name(#name))) extern

/* Sets of files in JavaScript, each with a number. */
IMPORT(files_kind) int files_kind(uint32_t set, const char *path);
/* 0: `*bytes` (from lvl_alloc) and `*len` are set; else a lvl_status. */
IMPORT(files_read) int files_read(uint32_t set, const char *path, uint8_t **bytes, size_t *len);
IMPORT(files_list) int files_list(uint32_t set, const char *path, uint8_t **names, size_t *len);

IMPORT(random_bytes) void random_bytes(void *out, size_t len);

/* Emscripten's C library lacks it, and in a module without its JavaScript the getentropy of newer ones stops
 * the program. The library uses the time only as a seed for hash tables, so random bytes will do. */
int timespec_get(struct timespec *now, int base)
{
    random_bytes(now, sizeof *now);
    return base;
}

static struct {
    int32_t status;
    uint32_t width, height; /* of pixels */
    lvl_buffer out;
    lvl_buffer findings; /* JSON array, or empty */
} answer;

/* Files and art, which several states of one document share: pictures that were decoded stay. */
typedef struct web_art {
    lvl_ctx ctx;
    lvl_usage usage;
    lvl_files files;
    uint32_t file_set;
    uint32_t users;
    lvl_art *art;
} web_art;

typedef struct web_doc {
    lvl_ctx ctx;
    lvl_usage usage;
    lvl_findings *findings; /* of the current operation */
    lvl_doc *doc;
    uint8_t *input;
    size_t len;
    char *path;
    bool edited;
    uint32_t file_set; /* 0: none */
    char *roots; /* list of texts */
    web_art *art;
    lvl_scene *scene;
    lvl_animation *play;
    uint32_t frame, direction;
    char *choices; /* list of texts: name, value, name, … */
    lvl_container *container;
} web_doc;

/* Options for reading, which lvl.js fills in. */
typedef struct web_settings {
    const char *profile, *codepage, *format, *roots; /* "": the default */
    uint32_t file_set, undump;
    double limits[8]; /* as in lvl_limits; 0: the default */
    const web_doc *share; /* another state of the document, whose art is used; NULL: none */
    uint32_t
        verdict; /* 1: the document is checked while it is read, and the width of the answer is the lvl_verdict */
} web_settings;

/* Options for drawing, which lvl.js fills in. */
typedef struct web_drawing {
    int32_t view, layer, camera_given, camera_x, camera_y, view_width, view_height;
    int32_t region_given, left, top, right, bottom;
    int32_t size, up, down, no_things, schematic, transparent, overlays, layer_count;
    const signed char *layers;
} web_drawing;

/* libdeflate's own CRC is not compiled (CMakeLists.txt), to save its tables. */
uint32_t libdeflate_crc32(uint32_t crc, const void *buffer, size_t len)
{
    return (uint32_t)crc32(crc, buffer, (uInt)len);
}

/* ---- memory and answers ------------------------------------------------------------------------------ */

void *WEB(lvl_alloc)(size_t size)
{
    return malloc(size ? size : 1);
}

void WEB(lvl_free)(void *ptr)
{
    free(ptr);
}

const void *WEB(lvl_answer)(void)
{
    return &answer;
}

/* Called after the answer was copied. */
void WEB(lvl_answer_clear)(void)
{
    lvl_buffer_free(&answer.out);
    lvl_buffer_free(&answer.findings);
    memset(&answer, 0, sizeof answer);
}

static lvl_status begin(web_doc *d)
{
    lvl_answer_clear();
    if (!d)
        return LVL_OK;
    d->usage = (lvl_usage){0};
    if (d->art)
        d->art->usage = (lvl_usage){0};
    if (d->findings)
        lvl_findings_clear(d->findings);
    else
        d->findings = lvl_findings_new(&d->ctx);
    return d->findings ? LVL_OK : LVL_ERR_MEMORY;
}

static int end(web_doc *d, lvl_status status)
{
    if (status == LVL_OK)
        status = answer.out.status;
    if (d && status != LVL_OK && d->findings)
        lvl_usage_report(&d->usage, &d->ctx, d->findings);
    if (d && d->findings && lvl_findings_count(d->findings))
        (void)lvl_findings_json(d->findings, &answer.findings);
    answer.status = (int32_t)status;
    return (int)status;
}

static char *copy(const char *text, size_t size)
{
    char *p = malloc(size);

    if (p)
        memcpy(p, text, size);
    return p;
}

/* The size of a list of texts in bytes, with its end. */
static size_t list_size(const char *list)
{
    const char *at = list;

    while (*at)
        at += strlen(at) + 1;
    return (size_t)(at - list) + 1;
}

/* The texts of a list as an array, allocated by malloc. */
static const char **list_items(const char *list, size_t *count)
{
    const char **items = malloc((list_size(list) + 1) * sizeof *items);

    *count = 0;
    for (const char *at = list; items && *at; at += strlen(at) + 1)
        items[(*count)++] = at;
    return items;
}

/* ---- documents --------------------------------------------------------------------------------------- */

static lvl_file_kind kind_of(void *user, const char *path)
{
    return (lvl_file_kind)files_kind(((web_art *)user)->file_set, path);
}

static lvl_status append(int status, uint8_t *bytes, size_t len, lvl_buffer *out)
{
    if (status == 0)
        lvl_buffer_add(out, bytes, len);
    free(bytes);
    return (lvl_status)status;
}

static lvl_status read_file(void *user, const char *path, lvl_buffer *out)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    const int status = files_read(((web_art *)user)->file_set, path, &bytes, &len);

    return append(status, bytes, len, out);
}

static lvl_status list_files(void *user, const char *path, lvl_buffer *names)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    const int status = files_list(((web_art *)user)->file_set, path, &bytes, &len);

    return append(status, bytes, len, names);
}

static void forget_views(web_doc *d)
{
    lvl_scene_free(d->scene);
    lvl_animation_free(&d->ctx, d->play);
    d->scene = NULL;
    d->play = NULL;
}

static void release_art(web_art *w)
{
    if (!w || --w->users)
        return;
    lvl_art_free(w->art);
    free(w);
}

void WEB(lvl_web_close)(web_doc *d)
{
    if (!d)
        return;
    forget_views(d);
    lvl_container_close(d->container);
    lvl_doc_free(d->doc);
    release_art(d->art);
    lvl_findings_free(d->findings);
    free(d->input);
    free(d->path);
    free(d->roots);
    free(d->choices);
    free(d);
}

static lvl_status settle(web_doc *d, const web_settings *s)
{
    lvl_limits *l = &d->ctx.limits;
    const double *n = s->limits;

    d->ctx.usage = &d->usage;
    if (*s->profile && !lvl_ctx_set_profile(&d->ctx, s->profile))
        return LVL_ERR_ARG;
    if (*s->codepage) {
        d->ctx.codepage_given = true;
        if (!lvl_codepage_parse(s->codepage, &d->ctx.codepage))
            return LVL_ERR_ARG;
    }
    l->input_bytes = n[0] > 0 ? (uint64_t)n[0] : l->input_bytes;
    l->memory_bytes = n[1] > 0 ? (uint64_t)n[1] : l->memory_bytes;
    l->cells = n[2] > 0 ? (uint64_t)n[2] : l->cells;
    l->items = n[3] > 0 ? (uint64_t)n[3] : l->items;
    l->depth = n[4] > 0 ? (uint32_t)n[4] : l->depth;
    l->inflate_ratio = n[5] > 0 ? (uint32_t)n[5] : l->inflate_ratio;
    l->findings = n[6] > 0 ? (uint32_t)n[6] : l->findings;
    l->work = n[7] > 0 ? (uint64_t)n[7] : l->work;
    return LVL_OK;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Reads the document with its verdict, at once. */
static lvl_status read_checked(web_doc *d, const lvl_format *format)
{
    const lvl_check_options options = {.verdict_only = 1};
    lvl_check_result result;
    const lvl_status status = lvl_check(&d->ctx, format, (lvl_bytes){d->input, d->len}, last_part(d->path),
                                        &options, d->findings, &result, &d->doc);

    answer.width = (uint32_t)result.verdict;
    return status == LVL_OK && !d->doc ? result.status : status;
}

/* Takes ownership of `bytes`. `path` is the file's name, with or without folders, for probing, messages
 * and art. NULL on failure. */
web_doc *WEB(lvl_web_open)(uint8_t *bytes, size_t len, const char *path, const web_settings *settings)
{
    web_doc *d = calloc(1, sizeof *d);
    const lvl_format *format = NULL;
    lvl_status status = LVL_ERR_MEMORY;

    lvl_answer_clear();
    if (!d) {
        free(bytes);
        end(NULL, status);
        return NULL;
    }
    d->input = bytes;
    d->len = len;
    lvl_ctx_init(&d->ctx);
    status = settle(d, settings);
    if (status == LVL_OK)
        status = begin(d);
    d->path = copy(path, strlen(path) + 1);
    d->roots = copy(settings->roots, list_size(settings->roots));
    if (!d->path || !d->roots)
        status = LVL_ERR_MEMORY;
    d->file_set = settings->file_set;
    if (settings->share && settings->share->art) {
        d->art = settings->share->art;
        d->art->users++;
    }
    if (status == LVL_OK && *settings->format) {
        format = lvl_format_find(settings->format);
        status = format ? LVL_OK : LVL_ERR_ARG;
    }
    if (status == LVL_OK && settings->undump)
        status = lvl_undump(&d->doc, &d->ctx, (lvl_text){(const char *)bytes, len}, d->findings);
    else if (status == LVL_OK && settings->verdict)
        status = read_checked(d, format);
    else if (status == LVL_OK)
        status = lvl_read(&d->doc, &d->ctx, format, (lvl_bytes){bytes, len}, last_part(path), LVL_READ_BORROW,
                          d->findings);
    d->edited = settings->undump != 0;
    if (end(d, status) == LVL_OK)
        return d;
    lvl_web_close(d);
    return NULL;
}

static lvl_status write_doc(web_doc *d, lvl_buffer *out)
{
    return d->edited ? lvl_doc_write_verified(d->doc, out, d->findings)
                     : lvl_doc_write_with_findings(d->doc, out, d->findings);
}

int WEB(lvl_web_save)(web_doc *d)
{
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = write_doc(d, &answer.out);
    return end(d, status);
}

/* ---- art --------------------------------------------------------------------------------------------- */

/* The art, made on demand; *out is NULL if there are no files. */
static lvl_status art_of(web_doc *d, lvl_art **out)
{
    lvl_status status = LVL_ERR_MEMORY;

    *out = d->art ? d->art->art : NULL;
    if (d->art || !d->file_set)
        return LVL_OK;
    web_art *w = calloc(1, sizeof *w);
    if (!w)
        return status;
    w->ctx = d->ctx;
    w->ctx.usage = &w->usage;
    w->file_set = d->file_set;
    w->files = (lvl_files){.user = w, .kind = kind_of, .read = read_file, .list = list_files};
    w->users = 1;
    w->art = lvl_art_new(&w->ctx);
    if (w->art) {
        lvl_art_set_files(w->art, &w->files);
        status = LVL_OK;
    }
    for (const char *root = d->roots; *root && status != LVL_ERR_MEMORY; root += strlen(root) + 1) {
        /* a root that is a part of the path is the archive that contains the level */
        const size_t len = strlen(root);
        const bool home = len && strncmp(d->path, root, len) == 0 && d->path[len] == '/';
        status = home ? lvl_art_add_home(w->art, root) : lvl_art_add(w->art, root);
    }
    if (status != LVL_ERR_MEMORY)
        status = lvl_art_level(w->art, d->path);
    if (status == LVL_ERR_MEMORY) {
        release_art(w);
        return status;
    }
    d->art = w;
    *out = w->art;
    return LVL_OK;
}

static lvl_status request_of(web_doc *d, lvl_scene_choice *choices, lvl_scene_request *out)
{
    lvl_art *art;
    const lvl_status status = art_of(d, &art);
    uint32_t count = 0;

    for (const char *at = d->choices ? d->choices : ""; *at && count < 64; at += strlen(at) + 1) {
        choices[count].name = lvl_text_of(at);
        at += strlen(at) + 1;
        choices[count++].value = lvl_text_of(at);
        if (!*at)
            break;
    }
    *out = (lvl_scene_request){.art = art,
                               .frame = d->frame,
                               .direction = d->direction,
                               .choices = choices,
                               .choice_count = count,
                               .play = d->play};
    return status;
}

static lvl_status scene_of(web_doc *d)
{
    lvl_scene_choice choices[64];
    lvl_scene_request request;

    if (d->scene)
        return LVL_OK;
    lvl_status status = request_of(d, choices, &request);
    return status == LVL_OK ? lvl_doc_scene(d->doc, &request, &d->scene) : status;
}

/* Sets the frame and the choices with which an animation is drawn. */
int WEB(lvl_web_frame)(web_doc *d, const char *choices, uint32_t frame, uint32_t direction)
{
    const size_t size = list_size(choices);
    const bool same =
        d->choices ? list_size(d->choices) == size && memcmp(d->choices, choices, size) == 0 : size == 1;
    lvl_status status = begin(d);

    if (same && frame == d->frame && direction == d->direction)
        return end(d, status);
    lvl_scene_free(d->scene);
    d->scene = NULL;
    d->frame = frame;
    d->direction = direction;
    if (!same) {
        forget_views(d);
        free(d->choices);
        d->choices = copy(choices, size);
        status = d->choices ? status : LVL_ERR_MEMORY;
    }
    return end(d, status);
}

int WEB(lvl_web_scene)(web_doc *d)
{
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = scene_of(d);
    if (status == LVL_OK)
        status = lvl_scene_json(d->doc, d->scene, &answer.out);
    return end(d, status);
}

int WEB(lvl_web_animation)(web_doc *d)
{
    lvl_scene_choice choices[64];
    lvl_scene_request request;
    lvl_status status = begin(d);

    if (status == LVL_OK && !d->play) {
        status = request_of(d, choices, &request);
        if (status == LVL_OK)
            status = lvl_doc_play(d->doc, &request, &d->play);
    }
    if (status == LVL_OK)
        status = lvl_animation_json(d->doc, d->play, &answer.out);
    return end(d, status);
}

static lvl_status give_image(lvl_image *image)
{
    answer.width = image->width;
    answer.height = image->height;
    answer.out.data = image->pixels; /* allocated by malloc, like the data of a buffer */
    answer.out.len = answer.out.cap = (size_t)image->width * image->height * 4;
    image->pixels = NULL;
    lvl_image_clear(image);
    return LVL_OK;
}

/* Pixels, four bytes each; with `size_only`, only the width and height of the answer. */
int WEB(lvl_web_render)(web_doc *d, const web_drawing *w, int size_only)
{
    lvl_render_options o;
    lvl_image image = {0};
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = scene_of(d);
    if (status != LVL_OK)
        return end(d, status);
    lvl_render_options_init(&o);
    o.view = (lvl_render_view)w->view;
    o.layer = (uint32_t)w->layer;
    o.camera_given = w->camera_given;
    o.camera_x = w->camera_x + d->scene->zero_x;
    o.camera_y = w->camera_y + d->scene->zero_y;
    o.view_width = (uint32_t)w->view_width;
    o.view_height = (uint32_t)w->view_height;
    o.region_given = w->region_given;
    o.region = (lvl_rect){w->left, w->top, w->right, w->bottom};
    o.adjoining = true;
    o.size = (uint32_t)w->size;
    o.scale_up = (uint32_t)w->up;
    o.scale_down = (uint32_t)w->down;
    o.no_things = w->no_things;
    o.schematic = w->schematic;
    o.transparent = w->transparent;
    o.overlays = (unsigned)w->overlays;
    o.layers = w->layer_count ? w->layers : NULL;
    o.layer_count = (uint32_t)w->layer_count;
    if (size_only) {
        status = lvl_render_size(d->scene, &o, &answer.width, &answer.height);
        return end(d, status);
    }
    status = lvl_render_image(d->scene, &o, &image);
    return end(d, status == LVL_OK ? give_image(&image) : status);
}

/* A picture of a game (PID, PCX) as a PNG. */
int WEB(lvl_web_png)(web_doc *d)
{
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = lvl_doc_png(d->doc, NULL, NULL, &answer.out);
    return end(d, status);
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

/* Pictures of the cell values of a layer from `first` on, `columns` to a row: the tile set. */
int WEB(lvl_web_tiles)(web_doc *d, uint32_t layer, uint32_t first, uint32_t columns, uint32_t rows)
{
    lvl_render_options o;
    lvl_image image = {0};
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = scene_of(d);
    if (status == LVL_OK && (layer >= d->scene->layer_count || columns == 0 || rows == 0))
        status = LVL_ERR_ARG;
    if (status == LVL_OK && d->scene->layers[layer].drawn)
        status = LVL_ERR_UNSUPPORTED;
    if (status != LVL_OK)
        return end(d, status);
    value_sheet sheet = {d->scene->layers[layer], first};
    lvl_scene_step step = {false, 0, 1};
    lvl_scene scene = *d->scene;
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
    status = lvl_render_image(&scene, &o, &image);
    return end(d, status == LVL_OK ? give_image(&image) : status);
}

/* A cell of a layer: its value and its behaviour (lvl_tile_class, and the game's word for it). */
int WEB(lvl_web_cell)(web_doc *d, uint32_t layer, uint32_t column, uint32_t row)
{
    lvl_scene_tile tile;
    uint32_t value = 0;
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = scene_of(d);
    if (status == LVL_OK && (layer >= d->scene->layer_count || column >= d->scene->layers[layer].columns ||
                             row >= d->scene->layers[layer].rows))
        status = LVL_ERR_ARG;
    if (status != LVL_OK)
        return end(d, status);
    const lvl_scene_layer *l = &d->scene->layers[layer];
    l->cells(l, column, row, 1, &value);
    l->tile(l, value, &tile);
    if (tile.memory_failed)
        return end(d, LVL_ERR_MEMORY);
    lvl_buffer_printf(&answer.out, "{\"value\":%lu,\"empty\":%s,\"look\":%d", (unsigned long)value,
                      tile.empty ? "true" : "false", (int)tile.look);
    if (tile.has_inner)
        lvl_buffer_printf(&answer.out, ",\"inner\":%d", (int)tile.inner_look);
    if (d->scene->look_names[tile.look]) {
        lvl_buffer_str(&answer.out, ",\"name\":");
        lvl_json_string(&answer.out, lvl_text_of(d->scene->look_names[tile.look]));
    }
    lvl_buffer_u8(&answer.out, '}');
    return end(d, status);
}

/* Places that differ between the pictures of two documents: [[kind, thing, left, top, width, height], …]. */
int WEB(lvl_web_changes)(web_doc *a, web_doc *b)
{
    lvl_scene_change *changes = NULL;
    size_t count = 0;
    lvl_status status = begin(a);

    if (status == LVL_OK)
        status = scene_of(a);
    b->usage = (lvl_usage){0};
    if (status == LVL_OK)
        status = scene_of(b);
    if (status == LVL_OK)
        status = lvl_scene_compare(a->scene, b->scene, &changes, &count);
    if (status == LVL_OK)
        lvl_buffer_u8(&answer.out, '[');
    for (size_t i = 0; status == LVL_OK && i < count; i++) {
        const lvl_scene_change *c = &changes[i];
        lvl_buffer_printf(&answer.out, "%s[%d,%d,%ld,%ld,%ld,%ld]", i ? "," : "", (int)c->kind, c->thing,
                          (long)c->rect.left, (long)c->rect.top, (long)c->rect.right - c->rect.left + 1,
                          (long)c->rect.bottom - c->rect.top + 1);
    }
    if (status == LVL_OK) {
        lvl_buffer_u8(&answer.out, ']');
        lvl_scene_changes_free(b->scene, changes);
    }
    return end(a, status);
}

/* ---- looking ----------------------------------------------------------------------------------------- */

/* `mode` 0: text, 1: JSON, 2: one line without the path. */
int WEB(lvl_web_info)(web_doc *d, int mode, int counts)
{
    lvl_art *art = NULL;
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = art_of(d, &art);
    if (status == LVL_OK)
        status = lvl_info_write(d->doc,
                                &(lvl_info_options){.file = mode == 2 ? "" : d->path,
                                                    .json = mode == 1,
                                                    .summary = mode == 2,
                                                    .counts = counts,
                                                    .art = art},
                                &answer.out);
    return end(d, status);
}

int WEB(lvl_web_dump)(web_doc *d, const char *path, int compact, int no_kept)
{
    const lvl_dump_options options = {.compact = compact, .no_kept = no_kept, .path = *path ? path : NULL};
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = lvl_dump(d->doc, &options, &answer.out, d->findings);
    return end(d, status);
}

int WEB(lvl_web_get)(web_doc *d, const char *path, int json)
{
    const lvl_get_options options = {.json = json};
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = lvl_get(d->doc, path, &options, &answer.out, NULL, d->findings);
    return end(d, status);
}

int WEB(lvl_web_explain)(web_doc *d, const char *place, int mode, unsigned depth, int json, int bits)
{
    const lvl_explain_options options = {.mode = (lvl_explain_mode)mode,
                                         .at = mode == LVL_EXPLAIN_AT ? place : NULL,
                                         .path = mode == LVL_EXPLAIN_PATH ? place : NULL,
                                         .depth = depth,
                                         .bits = bits,
                                         .json = json};
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = lvl_explain(d->doc, &options, &answer.out, d->findings);
    return end(d, status);
}

/* The streams in the file from which the document was read, as JSON; with `id`, the inflated bytes of that one. */
int WEB(lvl_web_spaces)(web_doc *d, uint32_t id)
{
    lvl_trace trace = {0};
    char place[100];
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = lvl_trace_read(&trace, d->doc, true, NULL);
    if (status == LVL_OK && id) {
        const lvl_trace_space *s = lvl_trace_find(&trace, id);
        status = s ? LVL_OK : LVL_ERR_MISSING;
        if (s)
            lvl_buffer_add(&answer.out, s->space.bytes.ptr, s->space.bytes.len);
    } else if (status == LVL_OK) {
        lvl_buffer_u8(&answer.out, '[');
        for (size_t i = 0; i < trace.space_count; i++) {
            const lvl_space *s = &trace.spaces[i].space;
            lvl_trace_position(&trace, s->parent, s->parent_bit, false, place, sizeof place);
            lvl_buffer_printf(
                &answer.out, "%s{\"id\":%lu,\"base\":%llu,\"size\":%llu,\"place\":", i ? "," : "",
                (unsigned long)s->id, (unsigned long long)s->base, (unsigned long long)trace.spaces[i].size);
            lvl_json_string(&answer.out, lvl_text_of(s->id ? place : ""));
            lvl_buffer_str(&answer.out, ",\"name\":");
            lvl_json_string(&answer.out, lvl_text_of(s->name ? s->name : ""));
            lvl_buffer_str(&answer.out, ",\"called\":");
            lvl_json_string(&answer.out, s->called);
            lvl_buffer_u8(&answer.out, '}');
        }
        lvl_buffer_u8(&answer.out, ']');
    }
    lvl_trace_free(&trace);
    return end(d, status);
}

/* Checks the document as it would be written now. JSON, or with `text` the findings for people. */
int WEB(lvl_web_check)(web_doc *d, int roundtrip, int text)
{
    lvl_check_options options = {.roundtrip = roundtrip, .sha256 = true};
    lvl_check_result result;
    lvl_buffer bytes = {0};
    lvl_bytes input = {d->input, d->len};
    lvl_status status = begin(d);
    lvl_art *art;

    if (status == LVL_OK)
        status = art_of(d, &art);
    if (status == LVL_OK)
        options.art = art && lvl_art_root(art, 0) ? art : NULL;
    if (status == LVL_OK && d->edited) {
        status = write_doc(d, &bytes);
        input = (lvl_bytes){bytes.data, bytes.len};
    }
    if (status == LVL_OK) {
        lvl_findings_clear(d->findings);
        status = lvl_check(&d->ctx, lvl_doc_format(d->doc), input, last_part(d->path), &options, d->findings,
                           &result, NULL);
    }
    if (status == LVL_OK && text)
        status = lvl_findings_text(d->findings, d->path, LVL_NOTE, 0, &answer.out);
    else if (status == LVL_OK)
        status = lvl_check_json(&result, d->findings, d->path, &answer.out);
    if (status == LVL_OK)
        lvl_findings_clear(d->findings); /* they are the answer */
    lvl_buffer_free(&bytes);
    return end(d, status);
}

int WEB(lvl_web_diff)(web_doc *a, web_doc *b, int json, int summary)
{
    const lvl_diff_options options = {.json = json, .summary = summary, .a = a->path, .b = b->path};
    bool different = false;
    lvl_status status = begin(a);

    if (status == LVL_OK)
        status = lvl_doc_open(a->doc);
    b->usage = (lvl_usage){0};
    if (status == LVL_OK)
        status = lvl_doc_open(b->doc);
    if (status == LVL_OK)
        status = lvl_diff(a->doc, b->doc, &options, &different, &answer.out);
    answer.width = different;
    return end(a, status);
}

/* The paths in `d` of what a list of paths names in `before`, another state of the same document. */
int WEB(lvl_web_follow)(web_doc *d, const char *list, web_doc *before)
{
    size_t count;
    const char **paths = list_items(list, &count);
    lvl_status status = begin(d);

    before->usage = (lvl_usage){0};
    if (!paths)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_paths_follow(before->doc, paths, count, d->doc, &answer.out, d->findings);
    free((void *)paths);
    return end(d, status);
}

/* ---- changing ---------------------------------------------------------------------------------------- */

/* Applies the assignments (or unsets the paths), all or none; the width of the answer is the number of
 * changed places. */
int WEB(lvl_web_set)(web_doc *d, const char *list, int unset)
{
    size_t count, changed = 0;
    const char **items = list_items(list, &count);
    lvl_status status = begin(d);

    if (!items)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        forget_views(d);
        lvl_container_close(d->container);
        d->container = NULL;
        status = unset ? lvl_unset(d->doc, items, count, &changed, d->findings)
                       : lvl_set(d->doc, items, count, &changed, d->findings);
    }
    d->edited = d->edited || (status == LVL_OK && changed);
    answer.width = (uint32_t)changed;
    free((void *)items);
    return end(d, status);
}

/* Copies what a path finds in another document; the width of the answer is the number of copied things. An empty
 * `to_path`: the same list or place. */
int WEB(lvl_web_copy)(web_doc *d, const char *to_path, const char *from_path, web_doc *from)
{
    size_t copied = 0;
    lvl_status status = begin(d);

    from->usage = (lvl_usage){0};
    if (status == LVL_OK) {
        forget_views(d);
        status = lvl_copy(d->doc, *to_path ? to_path : NULL, from->doc, from_path, &copied, d->findings);
    }
    d->edited = d->edited || (status == LVL_OK && copied);
    answer.width = (uint32_t)copied;
    return end(d, status);
}

/* The width of the answer is the number of planes that had another size. An empty `plane`: the main one. */
int WEB(lvl_web_resize)(web_doc *d, const char *plane, uint32_t width, uint32_t height, int anchor_x,
                        int anchor_y)
{
    const lvl_resize_options options = {.plane = *plane ? plane : NULL,
                                        .width = width,
                                        .height = height,
                                        .anchor_x = anchor_x,
                                        .anchor_y = anchor_y};
    size_t changed = 0;
    lvl_status status = begin(d);

    if (status == LVL_OK) {
        forget_views(d);
        status = lvl_resize(d->doc, &options, &changed, d->findings);
    }
    d->edited = d->edited || (status == LVL_OK && changed);
    answer.width = (uint32_t)changed;
    return end(d, status);
}

/* Writes another form of the document; the findings are the losses. */
int WEB(lvl_web_convert)(web_doc *d, const char *form, int allow_loss)
{
    lvl_doc *to = NULL;
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = lvl_convert(d->doc, form, allow_loss, d->findings, &to);
    if (status == LVL_OK)
        status = lvl_doc_write_with_findings(to, &answer.out, d->findings);
    lvl_doc_free(to);
    return end(d, status);
}

/* Writes the repaired file; the findings are the repairs. The document is unchanged. */
int WEB(lvl_web_repair)(web_doc *d, int recover)
{
    lvl_repair_options options = {.recover = recover};
    lvl_buffer bytes = {0};
    lvl_doc *damaged = NULL;
    lvl_status status = begin(d);
    lvl_art *art;

    if (status == LVL_OK)
        status = art_of(d, &art);
    if (status == LVL_OK && d->edited)
        status = write_doc(d, &bytes);
    if (status == LVL_OK) {
        const lvl_bytes input =
            d->edited ? (lvl_bytes){bytes.data, bytes.len} : (lvl_bytes){d->input, d->len};
        status = lvl_read(&damaged, &d->ctx, lvl_doc_format(d->doc), input, last_part(d->path),
                          LVL_READ_BORROW, NULL);
    }
    if (status == LVL_OK) {
        lvl_findings_clear(d->findings);
        options.art = art;
        status = lvl_repair(damaged, &options, d->findings, &answer.out);
    }
    lvl_doc_free(damaged);
    lvl_buffer_free(&bytes);
    return end(d, status);
}

/* A new, empty file of a format. `form`, `ending`: as for lvl_new, or empty; `like`: another document, or
 * NULL. */
int WEB(lvl_web_new)(const char *id, const char *form, const char *ending, uint32_t width, uint32_t height,
                     const web_doc *like)
{
    const lvl_format *format = lvl_format_find(id);
    const lvl_new_options options = {.form = *form ? form : NULL,
                                     .ending = *ending ? ending : NULL,
                                     .width = width,
                                     .height = height,
                                     .like = like ? like->doc : NULL};
    lvl_status status = LVL_ERR_MISSING;
    lvl_doc *made = NULL;
    lvl_ctx ctx;

    lvl_answer_clear();
    lvl_ctx_init(&ctx);
    lvl_findings *findings = lvl_findings_new(&ctx);
    if (!findings)
        return end(NULL, LVL_ERR_MEMORY);
    if (format)
        status = lvl_new(&made, &ctx, format, &options, findings);
    if (status == LVL_OK)
        status = lvl_doc_write_with_findings(made, &answer.out, findings);
    if (lvl_findings_count(findings))
        (void)lvl_findings_json(findings, &answer.findings);
    lvl_doc_free(made);
    lvl_findings_free(findings);
    return end(NULL, status);
}

/* ---- members ----------------------------------------------------------------------------------------- */

static lvl_status container_of(web_doc *d)
{
    return d->container ? LVL_OK : lvl_container_open(d->doc, &d->container);
}

static void entry_json(const lvl_entry *entry, bool first)
{
    lvl_buffer_str(&answer.out, first ? "{\"path\":" : ",{\"path\":");
    lvl_json_string(&answer.out, lvl_text_of(entry->path));
    lvl_buffer_printf(&answer.out, ",\"size\":%llu,\"time\":%lld,\"folder\":%s}",
                      (unsigned long long)entry->size, (long long)entry->time,
                      entry->is_dir ? "true" : "false");
}

int WEB(lvl_web_members)(web_doc *d)
{
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = container_of(d);
    if (status != LVL_OK)
        return end(d, status);
    lvl_buffer_u8(&answer.out, '[');
    for (size_t i = 0; i < lvl_container_count(d->container); i++)
        entry_json(lvl_container_at(d->container, i), i == 0);
    lvl_buffer_str(&answer.out, "]\n");
    return end(d, status);
}

/* Of a damaged member, the answer is the part that could be read, with findings. */
int WEB(lvl_web_member)(web_doc *d, const char *path)
{
    lvl_buffer storage = {0};
    lvl_bytes view = {NULL, 0};
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = container_of(d);
    const lvl_entry *entry = status == LVL_OK ? lvl_container_find(d->container, path) : NULL;
    if (status == LVL_OK)
        status =
            entry ? lvl_container_read(d->container, entry, &view, &storage, d->findings) : LVL_ERR_MISSING;
    if (status == LVL_ERR_LOSS)
        status = LVL_OK;
    if (status == LVL_OK)
        lvl_buffer_add(&answer.out, view.ptr, view.len);
    lvl_buffer_free(&storage);
    return end(d, status);
}

/* Sets a member, or with `bytes` NULL removes it. */
int WEB(lvl_web_put)(web_doc *d, const char *path, const uint8_t *bytes, size_t len)
{
    lvl_status status = begin(d);

    if (status == LVL_OK)
        status = container_of(d);
    if (status == LVL_OK) {
        forget_views(d);
        status = bytes ? lvl_container_put(d->container, path, (lvl_bytes){bytes, len}, 0)
                       : lvl_container_remove(d->container, path);
    }
    d->edited = d->edited || status == LVL_OK;
    return end(d, status);
}

/* ---- zip archives that are not levels ---------------------------------------------------------------- */

typedef struct web_zip {
    lvl_ctx ctx;
    lvl_arena arena;
    lvl_zip zip;
    uint8_t *input;
} web_zip;

void WEB(lvl_web_zip_close)(web_zip *z)
{
    if (!z)
        return;
    lvl_arena_free(&z->arena);
    free(z->input);
    free(z);
}

/* Takes ownership of `bytes`; the answer is a list of the members' names and sizes. NULL on failure. */
web_zip *WEB(lvl_web_zip_open)(uint8_t *bytes, size_t len)
{
    web_zip *z = calloc(1, sizeof *z);
    lvl_status status = LVL_ERR_MEMORY;

    lvl_answer_clear();
    if (!z) {
        free(bytes);
    } else {
        z->input = bytes;
        lvl_ctx_init(&z->ctx);
        lvl_arena_init(&z->arena, &z->ctx);
        status = lvl_zip_read(&z->arena, &z->ctx, (lvl_bytes){bytes, len}, &z->zip);
    }
    if (status == LVL_OK) {
        lvl_buffer_u8(&answer.out, '[');
        for (uint32_t i = 0; i < z->zip.count; i++) {
            lvl_buffer_str(&answer.out, i ? ",{\"path\":" : "{\"path\":");
            lvl_json_string(&answer.out, z->zip.members[i].name);
            lvl_buffer_printf(&answer.out, ",\"size\":%llu}", (unsigned long long)z->zip.members[i].size);
        }
        lvl_buffer_u8(&answer.out, ']');
    }
    if (end(NULL, status) == LVL_OK)
        return z;
    lvl_web_zip_close(z);
    return NULL;
}

int WEB(lvl_web_zip_member)(web_zip *z, uint32_t index)
{
    lvl_buffer storage = {0};
    lvl_bytes content = {0};
    bool sound = true;

    lvl_answer_clear();
    lvl_status status = index < z->zip.count
                            ? lvl_zip_inflate(&z->ctx, &z->zip.members[index], &storage, &content, &sound)
                            : LVL_ERR_MISSING;
    if (status == LVL_OK && !sound)
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK)
        lvl_buffer_add(&answer.out, content.ptr, content.len);
    lvl_buffer_free(&storage);
    return end(NULL, status);
}

typedef struct web_zip_change {
    uint32_t index;
    const uint8_t *bytes;
    uint32_t len;
} web_zip_change;

/* The archive with new contents of some members; the others are copied byte for byte. `changes` is in the order
 * of the members. */
int WEB(lvl_web_zip_save)(const web_zip *z, const web_zip_change *changes, uint32_t count)
{
    lvl_zip_writer writer;

    lvl_answer_clear();
    lvl_zip_begin(&writer, &z->ctx, &answer.out);
    for (uint32_t i = 0, next = 0; i < z->zip.count; i++) {
        const lvl_zip_member *member = &z->zip.members[i];
        lvl_zip_put_raw(&writer, member->before);
        if (next < count && changes[next].index == i) {
            lvl_zip_put_new(&writer, member->name, (lvl_bytes){changes[next].bytes, changes[next].len});
            next++;
        } else {
            lvl_zip_put_member(&writer, member);
        }
    }
    return end(NULL, lvl_zip_end(&writer, &z->zip));
}

/* ---- descriptions ------------------------------------------------------------------------------------ */

/* All formats, one line of JSON each, with their fields. */
int WEB(lvl_web_formats)(void)
{
    const lvl_format *format;
    lvl_status status = LVL_OK;

    lvl_answer_clear();
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL && status == LVL_OK; i++)
        status = lvl_format_json(format, true, &answer.out);
    return end(NULL, status);
}

int WEB(lvl_web_finding_kinds)(void)
{
    lvl_ctx ctx;

    lvl_answer_clear();
    lvl_ctx_init(&ctx);
    return end(NULL, lvl_findings_reference(&ctx, NULL, NULL, true, &answer.out));
}

int WEB(lvl_web_schema)(const char *id)
{
    const lvl_format *format = lvl_format_find(id);

    lvl_answer_clear();
    return end(NULL, format ? lvl_schema(format, &answer.out) : LVL_ERR_MISSING);
}

const char *WEB(lvl_web_format)(const web_doc *d)
{
    return lvl_doc_format(d->doc)->id;
}

const char *WEB(lvl_web_version)(void)
{
    return lvl_version();
}

const char *WEB(lvl_web_status)(int status)
{
    return lvl_status_text((lvl_status)status);
}
