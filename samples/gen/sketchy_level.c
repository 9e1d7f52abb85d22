/*
 * The Sketchy Maze part of the samples: a hill by a pond, drawn by us, in every generation, with what no real file has: options of every type, an embedded
 * doodad, a wallpaper of its own, chunks of 1, 64 and 255 px and on both sides of 0, all attributes; a pack; damaged twins.
 */
#include "sketchy_gen.h"

#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EARTH, GRASS, WATER, LAVA, ICE, PLANK, INK_LINE, GLASS, COLORS, NONE = LVL_SKETCHY_NONE };

static const lvl_ctx *context(void)
{
    static lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    return &ctx;
}

static void fail(const char *what)
{
    fprintf(stderr, "samples: can't %s\n", what);
    exit(1);
}

static void *take(lvl_doc *doc, size_t count, size_t size)
{
    void *p = lvl_doc_alloc(doc, count * size);

    if (!p)
        fail("get memory");
    return p;
}

static lvl_doc *fresh(const char *format)
{
    lvl_doc *doc = NULL;

    if (lvl_doc_new(&doc, context(), lvl_format_find(format)) != LVL_OK)
        fail(format);
    return doc;
}

static void write(const lvl_doc *doc, lvl_buffer *out)
{
    if (lvl_doc_write(doc, out) != LVL_OK || out->status != LVL_OK)
        fail("write a drawing");
}

/* Bytes that live as long as the document. */
static lvl_bytes held(lvl_doc *doc, lvl_bytes bytes)
{
    uint8_t *p = take(doc, bytes.len + 1, 1);

    if (bytes.len)
        memcpy(p, bytes.ptr, bytes.len);
    return (lvl_bytes){p, bytes.len};
}

/* ---- pixels ---------------------------------------------------------------------------------------------------------------------------- */

typedef struct field {
    int left, top, right, bottom; /* world px, right and bottom outside */
    unsigned (*at)(int x, int y);
} field;

static int floor_div(int a, int b)
{
    return a / b - (a % b < 0);
}

/* The layer's chunks, without those that are empty. */
static void fill_layer(lvl_doc *doc, lvl_sketchy_layer *layer, int size, const field *f)
{
    const int x0 = floor_div(f->left, size), y0 = floor_div(f->top, size);
    const int x1 = floor_div(f->right - 1, size), y1 = floor_div(f->bottom - 1, size);
    const size_t cells = (size_t)size * (size_t)size;
    char key[32];

    layer->size = (uint32_t)size;
    layer->chunks = take(doc, (size_t)(x1 - x0 + 1) * (size_t)(y1 - y0 + 1), sizeof *layer->chunks);
    for (int cy = y0; cy <= y1; cy++) {
        for (int cx = x0; cx <= x1; cx++) {
            uint8_t *grid = take(doc, cells, 2);
            bool any = false;
            for (size_t i = 0; i < cells; i++) {
                const int x = cx * size + (int)i % size, y = cy * size + (int)i / size;
                const bool in = x >= f->left && x < f->right && y >= f->top && y < f->bottom;
                const unsigned color = in ? f->at(x, y) : NONE;
                grid[i * 2] = (uint8_t)color;
                grid[i * 2 + 1] = (uint8_t)(color >> 8);
                any |= color != NONE;
            }
            if (!any)
                continue;
            snprintf(key, sizeof key, "%d,%d", cx, cy);
            layer->chunks[layer->chunk_count++] =
                (lvl_sketchy_chunk){.key = lvl_doc_text(doc, lvl_text_of(key)),
                                    .x = cx,
                                    .y = cy,
                                    .encoding = LVL_SKETCHY_CHUNK_MAP,
                                    .pixels = {grid, (uint32_t)size, (uint32_t)size, 2}};
        }
    }
}

/* The hill's height above the world's 0, and what lies where. */
static int ground(int x)
{
    return 22 + gen_sin(gen_mod(x * 5, 1024)) * 12 / 1024 - gen_smooth(30, 60, x) * 6 / 1024;
}

static unsigned hill(int x, int y)
{
    const bool pond = x >= 58 && x < 92;
    const int top = pond ? ground(58) + 12 - (x - 75) * (x - 75) / 40 : ground(x);

    if (pond && y >= ground(58) + 3 && y < top)
        return WATER;
    if (x >= -52 && x < -34 && y >= top && y < top + 5)
        return LAVA;
    if (x >= -20 && x < 0 && y >= top && y < top + 2)
        return ICE;
    if (y >= top + 8)
        return (y - top) % 9 == 0 && gen_hash(x / 3, y, 5) % 3 == 0 ? INK_LINE : NONE; /* strata */
    if (y >= top)
        return y < top + 2 ? GRASS : EARTH;
    if (y >= top - 4 && gen_hash(x, 0, 9) % 5 == 0 && y >= top - (int)(gen_hash(x, 1, 9) % 5) && x < 58)
        return GRASS;
    if (x >= 56 && x < 96 && y >= ground(58) - 4 && y < ground(58) - 2)
        return PLANK; /* over it */
    if (x >= -30 && x < -6 && y >= -30 && y < -10)
        return x == -30 || x == -7 || y == -30 || y == -11 ? INK_LINE : GLASS; /* a window in the sky */
    /* the sun */
    const int dx = x - 84, dy = y + 14, r = gen_isqrt(dx * dx + dy * dy);
    return r == 9 || (r > 11 && r < 15 && gen_hash(dx / 3, dy / 3, 2) % 4 == 0) ? INK_LINE : NONE;
}

static unsigned dots(int x, int y)
{
    return (x + y) % 3 ? NONE : (unsigned)gen_mod(x, 2) ? GRASS : EARTH;
}

/* 300 px: longer than a chunk may be; rings, and in the last corner a px by itself */
static unsigned rings(int x, int y)
{
    const int r = gen_isqrt((x - 120) * (x - 120) + (y - 120) * (y - 120));

    if (x == 254 && y == 254)
        return LAVA;
    return r < 110 && r / 10 % 2 == 0 ? (unsigned)(r / 20) % INK_LINE : x > 250 && y < 20 ? INK_LINE : NONE;
}

static unsigned lantern(int x, int y, bool lit)
{
    const int dx = x - 7, dy = y - 9, r = gen_isqrt(dx * dx * 2 + dy * dy);

    if (y < 3)
        return x >= 6 && x <= 8 ? 0 : NONE;
    return r > 7 ? NONE : r == 7 ? 0 : lit ? (r < 4 ? 2 : 1) : 3;
}

static unsigned lantern_dark(int x, int y)
{
    return lantern(x, y, false);
}

static unsigned lantern_lit(int x, int y)
{
    return lantern(x, y, true);
}

/* ---- a picture whose bytes are the same everywhere: stored, not packed ------------------------------------------------------------------ */

static uint32_t crc_of(const uint8_t *p, size_t n)
{
    uint32_t crc = 0xFFFFFFFF;

    while (n--) {
        crc ^= *p++;
        for (int i = 0; i < 8; i++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void put32(lvl_buffer *out, uint32_t v)
{
    const uint8_t b[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};

    lvl_buffer_add(out, b, 4);
}

static void png_chunk(lvl_buffer *out, const char *type, const lvl_buffer *data)
{
    lvl_buffer whole = {0};

    lvl_buffer_add(&whole, type, 4);
    lvl_buffer_add(&whole, data->data, data->len);
    put32(out, (uint32_t)data->len);
    lvl_buffer_add(out, whole.data, whole.len);
    put32(out, crc_of(whole.data, whole.len));
    lvl_buffer_free(&whole);
}

/* Paper of four quarters, 16 px each: corner, top, left, and what repeats. */
static void paper_png(lvl_buffer *out)
{
    enum { SIDE = 32 };
    static const uint8_t colors[] = {0xF4, 0xEE, 0xDC, 0xC8, 0xD8, 0xDC, 0xD8, 0x88, 0x78};
    lvl_buffer head = {0}, rows = {0}, body = {0}, none = {0}, palette = {0};
    uint32_t a = 1, b = 0;

    for (int y = 0; y < SIDE; y++) {
        lvl_buffer_u8(&rows, 0);
        for (int x = 0; x < SIDE; x++)
            lvl_buffer_u8(&rows, (x == 12 && y != 12) || y == 12 ? 2 : x % 8 == 0 || y % 8 == 0 ? 1 : 0);
    }
    for (size_t i = 0; i < rows.len; i++) {
        a = (a + rows.data[i]) % 65521;
        b = (b + a) % 65521;
    }
    const uint8_t stored[] = {0x78,
                              0x01,
                              1,
                              (uint8_t)rows.len,
                              (uint8_t)(rows.len >> 8),
                              (uint8_t)~rows.len,
                              (uint8_t)(~rows.len >> 8)};
    lvl_buffer_add(&body, stored, sizeof stored);
    lvl_buffer_add(&body, rows.data, rows.len);
    put32(&body, b << 16 | a);
    put32(&head, SIDE);
    put32(&head, SIDE);
    lvl_buffer_add(&head, "\x08\x03\0\0", 5);
    lvl_buffer_add(&palette, colors, sizeof colors);
    lvl_buffer_str(out, "\x89PNG\r\n\x1a\n");
    png_chunk(out, "IHDR", &head);
    png_chunk(out, "PLTE", &palette);
    png_chunk(out, "IDAT", &body);
    png_chunk(out, "IEND", &none);
    lvl_buffer_free(&head);
    lvl_buffer_free(&rows);
    lvl_buffer_free(&body);
    lvl_buffer_free(&palette);
}

static void base64(lvl_buffer *out, const lvl_buffer *in)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < in->len; i += 3) {
        const size_t n = in->len - i;
        const uint32_t v = (uint32_t)in->data[i] << 16 | (n > 1 ? (uint32_t)in->data[i + 1] << 8 : 0) |
                           (n > 2 ? in->data[i + 2] : 0u);
        for (int k = 0; k < 4; k++)
            lvl_buffer_u8(out, (uint8_t)((size_t)k > n ? '=' : digits[v >> (18 - 6 * k) & 63]));
    }
}

/* ---- documents -------------------------------------------------------------------------------------------------------------------------- */

static lvl_sketchy *start(lvl_doc *doc, uint8_t kind, const char *title, uint32_t layers)
{
    lvl_sketchy *d = lvl_doc_root(doc);

    d->kind = kind;
    d->game_version = lvl_text_of("0.14.0");
    d->title = lvl_text_of(title);
    d->author = lvl_text_of("The lvl samples");
    d->layers = take(doc, layers, sizeof *d->layers);
    d->layer_count = layers;
    return d;
}

static lvl_doc *make_lantern(void)
{
    static const struct {
        const char *name, *value;
        uint8_t type;
    } options[] = {{"Lit", "true", LVL_SKETCHY_BOOL},
                   {"Message", "A light <by the pond> & more", LVL_SKETCHY_STRING},
                   {"Brightness", "-3", LVL_SKETCHY_INT}};
    lvl_doc *doc = fresh("sketchy");
    lvl_sketchy *d = start(doc, LVL_SKETCHY_DOODAD, "Lantern", 2);

    d->size = (lvl_sketchy_rect){0, 0, 15, 17};
    d->hitbox = (lvl_sketchy_rect){1, 3, 13, 14};
    d->script = lvl_text_of("function main() {\n    Self.ShowLayer(Self.GetOption(\"Lit\") ? 1 : 0);\n"
                            "    Message.Subscribe(\"power\", (on) => Self.ShowLayer(on ? 1 : 0));\n}\n");
    d->swatches = take(doc, 4, sizeof *d->swatches);
    d->swatch_count = 4;
    d->swatches[0] =
        (lvl_sketchy_swatch){.name = lvl_text_of("frame"), .color = lvl_text_of("#333333"), .solid = 1};
    d->swatches[1] = (lvl_sketchy_swatch){.name = lvl_text_of("glow"), .color = lvl_text_of("#ffcc55")};
    d->swatches[2] =
        (lvl_sketchy_swatch){.name = lvl_text_of("flame"), .color = lvl_text_of("#fff0b0"), .fire = 1};
    d->swatches[3] = (lvl_sketchy_swatch){.name = lvl_text_of("dark"), .color = lvl_text_of("#667788")};
    d->tags = take(doc, 2, sizeof *d->tags);
    d->tag_count = 2;
    d->tags[0] = (lvl_sketchy_tag){lvl_text_of("category"), lvl_text_of("objects,gizmos")};
    d->tags[1] = (lvl_sketchy_tag){lvl_text_of("color"), lvl_text_of("yellow")};
    d->options = take(doc, 3, sizeof *d->options);
    d->option_count = 3;
    for (int i = 0; i < 3; i++)
        d->options[i] = (lvl_sketchy_option){lvl_text_of(options[i].name), options[i].type,
                                             lvl_text_of(options[i].value)};
    d->layers[0].name = lvl_text_of("dark");
    d->layers[1].name = lvl_text_of("lit");
    fill_layer(doc, &d->layers[0], 17, &(field){0, 0, 15, 17, lantern_dark});
    fill_layer(doc, &d->layers[1], 17, &(field){0, 0, 15, 17, lantern_lit});
    return doc;
}

static void palette(lvl_doc *doc)
{
    static const lvl_sketchy_swatch colors[COLORS] = {
        [EARTH] = {.solid = 1}, [GRASS] = {.semisolid = 1},          [WATER] = {.water = 1},
        [LAVA] = {.fire = 1},   [ICE] = {.slippery = 1, .solid = 1}, [PLANK] = {.semisolid = 1},
    };
    static const char *const names[COLORS][3] = {
        {"earth", "#7a5a3c", "noise.png"},
        {"grass", "#3f9a3a", "marker.png"},
        {"water", "#3377cc", "ink.png"},
        {"lava", "#e05020", ""},
        {"ice", "#bfe6f2", ""},
        {"plank", "#a8854a", "bars.png"},
        {"ink", "#202028", ""},
        {"glass", "#18284860", ""},
    };
    lvl_sketchy *d = lvl_doc_root(doc);

    d->swatches = take(doc, COLORS, sizeof *d->swatches);
    d->swatch_count = COLORS;
    for (int i = 0; i < COLORS; i++) {
        d->swatches[i] = colors[i];
        d->swatches[i].name = lvl_text_of(names[i][0]);
        d->swatches[i].color = lvl_text_of(names[i][1]);
        d->swatches[i].pattern = lvl_text_of(names[i][2]);
    }
}

static void actor(lvl_doc *doc, const char *id, const char *doodad, int x, int y, const char *link,
                  bool with_options)
{
    lvl_sketchy *d = lvl_doc_root(doc);

    if (!d->actors)
        d->actors = take(doc, 8, sizeof *d->actors);
    lvl_sketchy_actor *a = &d->actors[d->actor_count++];
    *a = (lvl_sketchy_actor){.id = lvl_text_of(id), .filename = lvl_text_of(doodad), .point = {x, y}};
    if (link) {
        a->links = take(doc, 1, sizeof *a->links);
        a->links[0] = lvl_text_of(link);
        a->link_count = 1;
    }
    if (with_options) {
        a->options = take(doc, 3, sizeof *a->options);
        a->option_count = 3;
        a->options[0] = (lvl_sketchy_option){lvl_text_of("Brightness"), LVL_SKETCHY_INT, lvl_text_of("12")};
        a->options[1] = (lvl_sketchy_option){lvl_text_of("Lit"), LVL_SKETCHY_BOOL, lvl_text_of("false")};
        a->options[2] = (lvl_sketchy_option){lvl_text_of("Message"), LVL_SKETCHY_STRING,
                                             lvl_text_of("Mind the \"pond\"")};
    }
}

static lvl_doc *make_hill(int chunk_size)
{
    lvl_doc *doc = fresh("sketchy");
    lvl_sketchy *d = start(doc, LVL_SKETCHY_LEVEL, "The hill by the pond", 1);

    d->uuid = lvl_text_of("5f0c9a52-1c1e-4f4e-9a0e-6b2d51aa0001");
    d->difficulty = -1;
    d->page_type = LVL_SKETCHY_UNBOUNDED;
    d->bounded_width = 2550;
    d->bounded_height = 3300;
    d->wallpaper = lvl_text_of("custom.b64img");
    d->scroll = (lvl_sketchy_point){60, 40};
    palette(doc);
    fill_layer(doc, &d->layers[0], chunk_size, &(field){-64, -40, 128, 64, hill});
    actor(doc, "5f0c9a52-0001-4f4e-9a0e-6b2d51aa0001", "lantern.doodad", 44, 0,
          "5f0c9a52-0002-4f4e-9a0e-6b2d51aa0001", false);
    actor(doc, "5f0c9a52-0002-4f4e-9a0e-6b2d51aa0001", "lantern.doodad", -62, 6,
          "5f0c9a52-0001-4f4e-9a0e-6b2d51aa0001", true);
    return doc;
}

/* The files in it, for which a zip is needed. */
static void attach(lvl_doc *doc)
{
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_doc *lamp = make_lantern();
    lvl_buffer doodad = {0}, png = {0}, text = {0};

    write(lamp, &doodad);
    paper_png(&png);
    base64(&text, &png);
    d->save_doodads = 1;
    d->files = take(doc, 2, sizeof *d->files);
    d->file_count = 2;
    d->files[0] = (lvl_sketchy_file){.path = lvl_text_of("assets/doodads/lantern.doodad"),
                                     .data = held(doc, (lvl_bytes){doodad.data, doodad.len})};
    d->files[1] = (lvl_sketchy_file){.path = lvl_text_of("assets/wallpapers/custom.b64img"),
                                     .data = held(doc, (lvl_bytes){text.data, text.len})};
    lvl_doc_free(lamp);
    lvl_buffer_free(&doodad);
    lvl_buffer_free(&png);
    lvl_buffer_free(&text);
}

static void in_form(lvl_doc *doc, const char *form, lvl_buffer *out)
{
    lvl_findings *losses = lvl_findings_new(context());
    lvl_doc *to = NULL;

    if (!losses || lvl_convert(doc, form, true, losses, &to) != LVL_OK)
        fail(form);
    write(to, out);
    lvl_doc_free(to);
    lvl_findings_free(losses);
}

static const struct file_item *add_generation(file_list *list, lvl_doc *doc, const char *form)
{
    char path[64];

    snprintf(path, sizeof path, "sketchy/hill-%s.level", form);
    struct file_item *item = files_add(list, path);
    in_form(doc, form, &item->bytes);
    return item;
}

/* A small level of chunks of that size. */
static void add_sized(file_list *list, const char *path, const char *title, int size, const field *f)
{
    lvl_doc *doc = fresh("sketchy");
    lvl_sketchy *d = start(doc, LVL_SKETCHY_LEVEL, title, 1);

    d->wallpaper = lvl_text_of("notebook.png");
    palette(doc);
    fill_layer(doc, &d->layers[0], size, f);
    in_form(doc, "v4", &files_add(list, path)->bytes);
    lvl_doc_free(doc);
}

static void add_pack(file_list *list)
{
    lvl_doc *doc = fresh("levelpack");
    lvl_levelpack *p = lvl_doc_root(doc);
    static const char *const names[][3] = {
        {"levels/hill.level", "sketchy/hill-v4.level", "The hill by the pond"},
        {"levels/rings.level", "sketchy/chunk-255.level", "Rings"},
        {"doodads/lantern.doodad", "sketchy/lantern.doodad", ""}};

    p->title = lvl_text_of("A short walk");
    p->description = lvl_text_of("Two levels of our own, and a doodad for both.");
    p->author = lvl_text_of("The lvl samples");
    p->created = lvl_text_of("2026-11-21T12:00:00.000000001Z");
    p->free_levels = 1;
    p->levels = take(doc, 2, sizeof *p->levels);
    p->level_count = 2;
    p->files = take(doc, 3, sizeof *p->files);
    p->file_count = 3;
    for (int i = 0; i < 3; i++) {
        const struct file_item *item = files_find(list, names[i][1]);
        p->files[i] = (lvl_sketchy_file){.path = lvl_text_of(names[i][0]),
                                         .data = held(doc, (lvl_bytes){item->bytes.data, item->bytes.len})};
        if (i < 2)
            p->levels[i] = (lvl_levelpack_level){.title = lvl_text_of(names[i][2]),
                                                 .author = lvl_text_of("The lvl samples"),
                                                 .filename = lvl_text_of(names[i][0] + 7)};
    }
    write(doc, &files_add(list, "sketchy/walk.levelpack")->bytes);
    lvl_doc_free(doc);
}

/* ---- damaged twins ------------------------------------------------------------------------------------------------------------------- */

static lvl_buffer *twin(file_list *list, const char *name, const char *of)
{
    char path[96];

    snprintf(path, sizeof path, "sketchy/damaged/%s", name);
    lvl_buffer *out = &files_add(list, path)->bytes;
    const struct file_item *from = files_find(list, of);
    lvl_buffer_add(out, from->bytes.data, from->bytes.len);
    return out;
}

static void add_damaged_drawings(file_list *list)
{
    /* a gzip that broke off, with which the game shows an empty level */
    lvl_buffer *b = twin(list, "cut-gzip.level", "sketchy/hill-v2.level");
    b->len = b->len * 2 / 3;
    /* text behind the document: the game refuses it */
    lvl_buffer_str(twin(list, "trailing.level", "sketchy/hill-v1.level"), "\n<<<<<<< mine\n");
    /* a palette of which only a part is left: the game makes the first colour of everything that comes later in such a chunk */
    lvl_doc *doc = make_hill(64);
    ((lvl_sketchy *)lvl_doc_root(doc))->swatch_count = WATER;
    in_form(doc, "v3.1", &files_add(list, "sketchy/damaged/few-colors.level")->bytes);
    lvl_doc_free(doc);
    /* colours that are none, an actor wired to nobody */
    doc = make_hill(64);
    lvl_sketchy *d = lvl_doc_root(doc);
    d->swatches[GRASS].color = lvl_text_of("green");
    d->actors[0].links[0] = lvl_text_of("nobody");
    in_form(doc, "v4", &files_add(list, "sketchy/damaged/no-color.level")->bytes);
    lvl_doc_free(doc);
}

void sketchy_add(file_list *list)
{
    static const char *const forms[] = {"v1", "v2", "v3", "v3.1", "v4"};

    if (!lvl_format_find("sketchy"))
        return;
    lvl_doc *doc = make_lantern();
    write(doc, &files_add(list, "sketchy/lantern.doodad")->bytes);
    lvl_doc_free(doc);
    doc = make_hill(64);
    attach(doc);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        add_generation(list, doc, forms[i]);
    lvl_doc_free(doc);
    add_sized(list, "sketchy/chunk-1.level", "Chunks of one px", 1, &(field){-4, -3, 9, 8, dots});
    add_sized(list, "sketchy/chunk-255.level", "Rings", 255, &(field){0, 0, 300, 255, rings});
    add_pack(list);
    add_damaged_drawings(list);
}
