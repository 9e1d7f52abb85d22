/*
 * The screenshots embedded in levels of Sketchy Maze compared with new ones of the same view, as a table: how
 * many pixels differ, where, and why. A cause counts only if a picture with that one change has the same
 * difference: another view than the level's scroll (found by the picture), another page type, chunks that the
 * game left out before 0.14.0, pixels that its runs lost, an actor that was moved later. Without arguments
 * all levels of the corpus are tried, and each pixel must have a cause; otherwise the given levels and
 * folders, with the art in LVL_ART or around them: test_sketchy_shots LEVEL|FOLDER...
 */
#include "base/format.h"
#include "corpus.h"
#include "scene/scene.h"
#include "codec/png.h"

#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

enum { WIDTH = 1280, HEIGHT = 720, CAUSES_MAX = 900 };

static lvl_ctx ctx;

/* A level and its picture of itself. */
typedef struct shot {
    lvl_doc *doc;
    lvl_sketchy *d;
    const lvl_art *art;
    lvl_image picture;
    int64_t x, y; /* world px of the view's corner */
    uint64_t left; /* px that differ, and where, px of the picture */
    lvl_rect box;
    char causes[CAUSES_MAX];
} shot;

static void LVL_PRINTF(2, 3) say(shot *s, const char *fmt, ...)
{
    const size_t n = strlen(s->causes);
    va_list args;

    va_start(args, fmt);
    vsnprintf(s->causes + n, sizeof s->causes - n, fmt, args);
    va_end(args);
}

/* ---- new pictures ------------------------------------------------------------------------------------ */

/* World px of the scene's left or top. */
static int64_t origin_of(const lvl_sketchy *d, bool y)
{
    int64_t low = 0;

    for (uint32_t i = 0; d->page_type == LVL_SKETCHY_UNBOUNDED && i < d->layers[0].chunk_count; i++) {
        const int64_t at = y ? d->layers[0].chunks[i].y : d->layers[0].chunks[i].x;
        low = at < low ? at : low;
    }
    return low * d->layers[0].size;
}

static lvl_render_options camera(const shot *s, int64_t x, int64_t y)
{
    lvl_render_options o;

    lvl_render_options_init(&o);
    o.view = LVL_VIEW_CAMERA;
    o.view_width = WIDTH;
    o.view_height = HEIGHT;
    o.camera_given = true;
    o.camera_x = (int32_t)(x - origin_of(s->d, false) + WIDTH / 2);
    o.camera_y = (int32_t)(y - origin_of(s->d, true) + HEIGHT / 2);
    return o;
}

/* How many px of a picture of that part aren't the shot's; their box in *box unless NULL. */
static uint64_t differing(const shot *s, const lvl_image *now, const lvl_rect *part, lvl_rect *box)
{
    lvl_rect found = {INT32_MAX, INT32_MAX, -1, -1};
    uint64_t count = 0;

    for (int32_t y = part->top; y <= part->bottom; y++) {
        const uint8_t *a = now->pixels + (size_t)(y - part->top) * now->width * 4;
        const uint8_t *b = s->picture.pixels + ((size_t)y * WIDTH + (size_t)part->left) * 4;
        for (int32_t x = part->left; x <= part->right; x++, a += 4, b += 4) {
            if (!memcmp(a, b, 3))
                continue;
            count++;
            found.left = x < found.left ? x : found.left;
            found.right = x > found.right ? x : found.right;
            found.top = y < found.top ? y : found.top;
            found.bottom = y > found.bottom ? y : found.bottom;
        }
    }
    if (box)
        *box = found;
    return count;
}

static uint64_t draw(const shot *s, int64_t x, int64_t y, lvl_rect *box)
{
    static const lvl_rect all = {0, 0, WIDTH - 1, HEIGHT - 1};
    const lvl_scene_request request = {.art = s->art};
    const lvl_render_options o = camera(s, x, y);
    lvl_scene *scene = NULL;
    lvl_image now = {0};

    if (lvl_doc_scene(s->doc, &request, &scene) != LVL_OK)
        return UINT64_MAX;
    scene->marks = false; /* what the game would draw */
    const bool fine = lvl_render_image(scene, &o, &now) == LVL_OK;
    const uint64_t count = fine ? differing(s, &now, &all, box) : UINT64_MAX;
    lvl_image_clear(&now);
    lvl_scene_free(scene);
    return count;
}

/* Takes what the document is now if that is nearer to the picture. */
static bool better(shot *s, int64_t x, int64_t y)
{
    lvl_rect box;
    const uint64_t count = draw(s, x, y, &box);

    if (count >= s->left)
        return false;
    s->left = count;
    s->box = box;
    s->x = x;
    s->y = y;
    return true;
}

/* ---- the view ---------------------------------------------------------------------------------------- */

enum { PATCH = 12, BUCKETS = 1 << 16, PATCHES_MAX = 1200 };

/* The places of rows of pixels of the picture, as votes for the place of its corner in the whole level. */
typedef struct search {
    struct patch {
        int32_t x, y, next;
    } patches[PATCHES_MAX];
    int32_t count;
    int32_t buckets[BUCKETS]; /* index + 1 */
    uint16_t *votes;
    int64_t columns, rows; /* votes: the corner may be as far left of the level as the picture is wide */
} search;

static uint32_t bucket_of(const uint8_t *p)
{
    uint64_t v[PATCH / 2], sum = 0;

    memcpy(v, p, sizeof v);
    for (size_t i = 0; i < PATCH / 2; i++)
        sum = (sum ^ v[i]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(sum >> 48);
}

static void take_patches(search *f, const lvl_image *picture)
{
    for (int32_t y = 3; y < HEIGHT; y += 19) {
        for (int32_t x = 2; x + PATCH < WIDTH && f->count < PATCHES_MAX; x += 23) {
            const uint8_t *p = picture->pixels + ((size_t)y * WIDTH + (size_t)x) * 4;
            int kinds = 0;
            for (int i = 0; i < PATCH; i++) {
                bool seen = false;
                for (int k = 0; k < i && !seen; k++)
                    seen = memcmp(p + (size_t)i * 4, p + (size_t)k * 4, 4) == 0;
                kinds += !seen;
            }
            int32_t *bucket = &f->buckets[bucket_of(p)];
            for (int32_t i = *bucket; i && kinds >= 3; i = f->patches[i - 1].next) {
                const struct patch *q = &f->patches[i - 1];
                const uint8_t *other = picture->pixels + ((size_t)q->y * WIDTH + (size_t)q->x) * 4;
                if (memcmp(p, other, (size_t)PATCH * 4) == 0)
                    kinds = 0; /* it exists twice, so it is a weak vote */
            }
            if (kinds < 3)
                continue;
            f->patches[f->count] = (struct patch){x, y, *bucket};
            *bucket = ++f->count;
        }
    }
}

static void vote(search *f, const lvl_image *picture, const lvl_image *whole)
{
    for (int64_t y = 0; y < whole->height; y++) {
        const uint8_t *row = whole->pixels + (size_t)y * whole->width * 4;
        for (int64_t x = 0; x + PATCH <= whole->width; x++) {
            for (int32_t i = f->buckets[bucket_of(row + x * 4)]; i; i = f->patches[i - 1].next) {
                const struct patch *p = &f->patches[i - 1];
                const uint8_t *px = picture->pixels + ((size_t)p->y * WIDTH + (size_t)p->x) * 4;
                uint16_t *v = &f->votes[(y - p->y + HEIGHT) * f->columns + x - p->x + WIDTH];
                if (memcmp(row + x * 4, px, (size_t)PATCH * 4) == 0 && *v < UINT16_MAX)
                    ++*v;
            }
        }
    }
}

/* Searches the picture in the whole level; true if it is closer to another place than to the expected one. */
static bool find_view(shot *s)
{
    enum { TRIES = 4 };
    const lvl_scene_request request = {.art = s->art};
    lvl_render_options o;
    lvl_scene *scene = NULL;
    lvl_image whole = {0};
    bool found = false;
    uint32_t w, h;

    search *f = calloc(1, sizeof *f);
    lvl_render_options_init(&o);
    if (!f || lvl_doc_scene(s->doc, &request, &scene) != LVL_OK ||
        lvl_render_size(scene, &o, &w, &h) != LVL_OK || (uint64_t)w * h > 40000000)
        goto out;
    scene->marks = false;
    if (lvl_render_image(scene, &o, &whole) != LVL_OK)
        goto out;
    f->columns = (int64_t)w + WIDTH;
    f->rows = (int64_t)h + HEIGHT;
    f->votes = calloc((size_t)(f->columns * f->rows), sizeof *f->votes);
    if (!f->votes)
        goto out;
    take_patches(f, &s->picture);
    vote(f, &s->picture, &whole);
    for (int k = 0; k < TRIES && !found; k++) {
        int64_t best = 0;
        for (int64_t i = 0; i < f->columns * f->rows; i++)
            best = f->votes[i] > f->votes[best] ? i : best;
        if (f->votes[best] < 3)
            break;
        f->votes[best] = 0;
        found = better(s, best % f->columns - WIDTH + origin_of(s->d, false),
                       best / f->columns - HEIGHT + origin_of(s->d, true));
    }
out:
    if (f)
        free(f->votes);
    free(f);
    lvl_image_clear(&whole);
    lvl_scene_free(scene);
    return found;
}

/* ---- other causes ------------------------------------------------------------------------------------ */

static void try_view(shot *s)
{
    const int64_t x = s->x, y = s->y;

    /* from another place most of it differs */
    if (s->left > WIDTH * HEIGHT / 10 && find_view(s))
        say(s, "; at %lld,%lld, not at %lld,%lld as its scroll is now: %llu", (long long)s->x,
            (long long)s->y, (long long)x, (long long)y, (unsigned long long)s->left);
}

static void try_page_types(shot *s)
{
    static const char *const names[] = {"unbounded", "without negative space", "bounded"};
    const int64_t was = s->d->page_type;

    for (int64_t type = LVL_SKETCHY_UNBOUNDED; type <= LVL_SKETCHY_BOUNDED && s->left; type++) {
        s->d->page_type = type;
        if (type != was && better(s, s->x, s->y)) {
            say(s, "; its page %s then: %llu", names[type], (unsigned long long)s->left);
            return;
        }
    }
    s->d->page_type = was;
}

/* The chunk's px, to be changed. */
static uint8_t *open_chunk(shot *s, lvl_sketchy_chunk *chunk)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const uint32_t size = s->d->layers[0].size;
    const size_t bytes = (size_t)size * size * 2;
    lvl_buffer storage = {0};
    lvl_cells cells = {NULL, 0, 0, 0};
    uint8_t *own = NULL;

    if (lvl_doc_cells(s->doc, chunk, field, &storage, &cells) == LVL_OK && cells.width == size &&
        cells.height == size && cells.size == 2)
        own = lvl_doc_alloc(s->doc, bytes);
    if (own) {
        memcpy(own, cells.ptr, bytes);
        chunk->pixels = (lvl_cells){own, size, size, 2};
    }
    lvl_buffer_free(&storage);
    return own;
}

/* Whether the game before 0.14.0 came by the chunk of that number: it went from the view's corner on in steps
 * of a quarter of a chunk, and so never looked at the last px of a view. */
static bool came_by(int64_t chunk, int64_t corner, int64_t length, int64_t size)
{
    const int64_t step = size < 4 ? 1 : size / 4;

    for (int64_t at = corner; at < corner + length; at += step) {
        if ((at < 0 ? -((-at + size - 1) / size) : at / size) == chunk)
            return true;
    }
    return false;
}

static void try_old_game(shot *s)
{
    lvl_sketchy_layer *layer = &s->d->layers[0];
    lvl_cells *kept = calloc((size_t)layer->chunk_count + 1, sizeof *kept);
    bool *out = calloc((size_t)layer->chunk_count + 1, sizeof *out);
    const int64_t size = layer->size;
    unsigned count = 0;

    for (uint32_t i = 0; s->left && kept && out && i < layer->chunk_count; i++) {
        lvl_sketchy_chunk *c = &layer->chunks[i];
        const bool seen = (c->x + 1) * size > s->x && c->x * size < s->x + WIDTH &&
                          (c->y + 1) * size > s->y && c->y * size < s->y + HEIGHT;
        if (!seen || (came_by(c->x, s->x, WIDTH, size) && came_by(c->y, s->y, HEIGHT, size)))
            continue;
        kept[i] = c->pixels;
        uint8_t *px = open_chunk(s, c);
        if (!px)
            continue;
        memset(px, 255, (size_t)(size * size * 2));
        out[i] = true;
        count++;
    }
    if (count && better(s, s->x, s->y)) {
        say(s, "; %u chunks that the game left out before 0.14.0: %llu", count, (unsigned long long)s->left);
    } else {
        for (uint32_t i = 0; kept && out && i < layer->chunk_count; i++) {
            if (out[i])
                layer->chunks[i].pixels = kept[i];
        }
    }
    free(kept);
    free(out);
}

/* Puts the last px of a chunk back that its runs end before, in the colour that makes it as it was. */
static bool put_back(shot *s, lvl_sketchy_chunk *chunk)
{
    const uint32_t size = s->d->layers[0].size;
    const size_t last = ((size_t)size * size - 1) * 2;
    const lvl_cells was = chunk->pixels;
    uint8_t *px = chunk->encoding == LVL_SKETCHY_CHUNK_RUNS ? open_chunk(s, chunk) : NULL;

    for (uint32_t color = 0; px && px[last] == 255 && px[last + 1] == 255 && color < s->d->swatch_count;
         color++) {
        px[last] = (uint8_t)color;
        px[last + 1] = (uint8_t)(color >> 8);
        if (better(s, s->x, s->y))
            return true;
        px[last] = px[last + 1] = 255;
    }
    chunk->pixels = was;
    return false;
}

static void try_lost_pixels(shot *s)
{
    enum { FEW = 64 };
    const int64_t size = s->d->layers[0].size;
    unsigned count = 0;

    if (!s->left || s->left > FEW)
        return;
    for (uint32_t i = 0; i < s->d->layers[0].chunk_count && s->left; i++) {
        lvl_sketchy_chunk *c = &s->d->layers[0].chunks[i];
        const int64_t x = (c->x + 1) * size - 1 - s->x, y = (c->y + 1) * size - 1 - s->y;
        if (x >= s->box.left && x <= s->box.right && y >= s->box.top && y <= s->box.bottom)
            count += put_back(s, c);
    }
    if (count)
        say(s, "; %u px at the ends of chunks that the game's runs lost: %llu", count,
            (unsigned long long)s->left);
}

/* Where a thing has to be for the part to look as in the picture, as far as it was moved by a few px. */
static bool find_move(const shot *s, const lvl_scene *scene, lvl_scene_thing *thing, int32_t *dx, int32_t *dy)
{
    enum { FAR = 12 };
    lvl_render_options o = camera(s, s->x, s->y);
    const int32_t x = thing->x, y = thing->y;
    lvl_rect part = {s->box.left - FAR, s->box.top - FAR, s->box.right + FAR, s->box.bottom + FAR};
    uint64_t least = s->left;
    lvl_image now = {0};

    part.left = part.left < 0 ? 0 : part.left;
    part.top = part.top < 0 ? 0 : part.top;
    part.right = part.right > WIDTH - 1 ? WIDTH - 1 : part.right;
    part.bottom = part.bottom > HEIGHT - 1 ? HEIGHT - 1 : part.bottom;
    o.region_given = true;
    o.region = part;
    for (int32_t my = -FAR; my <= FAR && least; my++) {
        for (int32_t mx = -FAR; mx <= FAR && least; mx++) {
            thing->x = x + mx;
            thing->y = y + my;
            if (lvl_render_image(scene, &o, &now) != LVL_OK)
                continue;
            const uint64_t count = differing(s, &now, &part, NULL);
            lvl_image_clear(&now);
            if (count >= least)
                continue;
            least = count;
            *dx = mx;
            *dy = my;
        }
    }
    thing->x = x;
    thing->y = y;
    return least < s->left;
}

static void try_moved_actors(shot *s)
{
    enum { REACH = 300 };
    const lvl_scene_request request = {.art = s->art};
    lvl_scene *scene = NULL;

    if (!s->left || s->box.right - s->box.left > REACH || s->box.bottom - s->box.top > REACH ||
        lvl_doc_scene(s->doc, &request, &scene) != LVL_OK)
        return;
    scene->marks = false;
    const int64_t left = s->x - origin_of(s->d, false), top = s->y - origin_of(s->d, true);
    for (uint32_t i = 0; i < scene->thing_count && s->left; i++) {
        lvl_scene_thing *t = &scene->things[i];
        int32_t dx = 0, dy = 0;
        lvl_rect rect;
        if (!lvl_scene_thing_rect(t, &rect) || rect.right - left < s->box.left ||
            rect.left - left > s->box.right || rect.bottom - top < s->box.top ||
            rect.top - top > s->box.bottom || !find_move(s, scene, t, &dx, &dy))
            continue;
        lvl_sketchy_actor *a = &s->d->actors[t->index];
        a->point.x += dx;
        a->point.y += dy;
        if (better(s, s->x, s->y))
            say(s, "; %.*s stood at %lld,%lld, now %d,%d from there: %llu", (int)a->filename.len,
                a->filename.ptr, (long long)a->point.x, (long long)a->point.y, -dx, -dy,
                (unsigned long long)s->left);
    }
    lvl_scene_free(scene);
}

/* ---- the table --------------------------------------------------------------------------------------- */

typedef struct tally {
    unsigned levels, as_it_stands, explained, open;
} tally;

static bool embedded(const lvl_doc *doc, lvl_image *out)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    lvl_buffer storage = {0};
    lvl_bytes png;
    bool found = false;

    for (uint32_t i = 0; d->kind == LVL_SKETCHY_LEVEL && d->layer_count && i < d->file_count && !found; i++) {
        found = lvl_text_is(d->files[i].path, "assets/screenshots/large.png") &&
                lvl_doc_bytes(doc, &d->files[i], data, &storage, &png) == LVL_OK &&
                lvl_png_read(&ctx, png, out) == LVL_OK;
    }
    lvl_buffer_free(&storage);
    if (found && out->format == LVL_PIXELS_RGBA8 && out->width == WIDTH && out->height == HEIGHT)
        return true;
    lvl_image_clear(out);
    return false;
}

static void try_level(const char *path, lvl_art *art, bool around, tally *t)
{
    shot s = {.art = art};
    size_t len = 0;
    uint8_t *data = lvl_slurp(path, &len);

    if (!data || lvl_read(&s.doc, &ctx, lvl_format_find("sketchy"), (lvl_bytes){data, len}, path,
                          LVL_READ_BORROW, NULL) != LVL_OK)
        goto out;
    s.d = lvl_doc_root(s.doc);
    if (!embedded(s.doc, &s.picture))
        goto out;
    if (around)
        lvl_art_level(art, path);
    s.x = -s.d->scroll.x;
    s.y = -s.d->scroll.y;
    s.left = draw(&s, s.x, s.y, &s.box);
    const uint64_t first = s.left;
    if (first == UINT64_MAX) {
        printf("%-38s can't be drawn\n", lvl_path_name(path));
        goto out;
    }
    if (first)
        say(&s, "%llu px differ in %d,%d to %d,%d", (unsigned long long)first, s.box.left, s.box.top,
            s.box.right, s.box.bottom);
    try_view(&s);
    try_page_types(&s);
    try_old_game(&s);
    try_lost_pixels(&s);
    try_moved_actors(&s);
    t->levels++;
    t->as_it_stands += !first;
    t->explained += first && !s.left;
    t->open += s.left != 0;
    printf("%-38s %5lld,%-5lld %s", lvl_path_name(path), (long long)s.x, (long long)s.y,
           first ? s.causes : "identical as it stands");
    if (s.left)
        printf("; not explained: %d,%d to %d,%d", s.box.left, s.box.top, s.box.right, s.box.bottom);
    printf("\n");
out:
    lvl_image_clear(&s.picture);
    lvl_doc_free(s.doc);
    free(data);
}

static void try_folder(const char *path, lvl_art *art, bool around, tally *t)
{
    lvl_paths paths = {0};

    if (lvl_paths_below(&paths, path, "level") && paths.count) {
        for (size_t i = 0; i < paths.count; i++)
            try_level(paths.items[i], art, around, t);
    } else {
        try_level(path, art, around, t);
    }
    lvl_paths_free(&paths);
}

static void sum(const tally *t)
{
    printf("%u levels with a screenshot: %u identical as they stand, %u more once what changed since is set "
           "back, "
           "%u not explained\n",
           t->levels, t->as_it_stands, t->explained, t->open);
}

static lvl_art *corpus_art;
static char folder[700];

static void every_pixel_has_its_cause(void **state)
{
    tally t = {0};

    (void)state;
    if (SLOW)
        skip();
    try_folder(folder, corpus_art, false, &t);
    sum(&t);
    assert_true(t.levels > 0 && t.as_it_stands > 0);
    assert_int_equal(t.open, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pixel_has_its_cause)};
    char path[1024];
    tally t = {0};

    lvl_ctx_init(&ctx);
    lvl_art *art = lvl_art_new(&ctx);
    if (!art)
        return 1;
    if (argc > 1) {
        lvl_art_add_list(art, getenv("LVL_ART"));
        for (int i = 1; i < argc; i++)
            try_folder(argv[i], art, true, &t);
        sum(&t);
        lvl_art_free(art);
        return t.open ? 1 : 0;
    }
    const char *corpus = lvl_corpus_dir();
    bool fine = corpus != NULL;
    if (fine) {
        snprintf(folder, sizeof folder, "%s/sketchy", corpus);
        snprintf(path, sizeof path, "%s/assets", folder);
        fine = lvl_art_add(art, path) == LVL_OK;
        snprintf(path, sizeof path, "%s/made/doodads-v3.1", folder);
        fine = fine && lvl_art_add(art, path) == LVL_OK;
        if (!fine)
            printf("no art of the game in the corpus\n");
    }
    corpus_art = art;
    const int failed = fine ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
    lvl_art_free(art);
    return failed;
}
