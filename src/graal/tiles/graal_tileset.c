/*
 * graal/tiles/graal_tileset.c: see graal_tileset.h.
 */
#include "graal/tiles/graal_tileset.h"

#include "base/text.h"
#include "graal/script/script_commands.h"
#include "graal/art/graal_pictures.h"
#include "graal/tiles/tiledefs.h"
#include "scene/art.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

enum {
    TILE = LVL_GRAAL_TILE,
    ROWS = 32, /* rows of tiles in a sheet */
    SMALL_TILE = 8, /* tile size of the first game's sheet, doubled on screen */
    MAX_DEFS = 1 << 16,
    MAX_PASTES = 256 /* on one sheet */
};

/* A definition from a file, or from a script of the level. */
typedef struct tiledef {
    struct tiledef *next;
    lvl_text image, start;
    int type; /* 4: pasted at x, y */
    int32_t x, y;
    const lvl_image *picture; /* of `image`, if `looked` */
    bool looked; /* the picture has been searched for */
} tiledef;

typedef struct tiledefs {
    tiledef *first, **end;
    size_t count;
} tiledefs;

typedef struct paste {
    const lvl_image *image;
    int32_t x, y;
} paste;

/* A sheet and its sources. */
typedef struct made {
    struct made *next;
    const lvl_image *base;
    const lvl_palette *palette; /* NULL: the base's */
    const paste *pastes;
    size_t paste_count;
    lvl_image image;
    lvl_graal_sheet sheet;
} made;

struct lvl_graal_sheets {
    lvl_scene *scene;
    const lvl_art *art;
    tiledefs files;
    made *made;
    const lvl_image *usual; /* pics1, or a picture that the user named as art */
};

/* The definitions and commands that apply to one level. */
typedef struct gather {
    lvl_graal_sheets *sheets;
    lvl_text name;
    tiledefs scripts;
    bool removed_all; /* definitions in files do not apply */
    lvl_text palette; /* of setbackpal */
    lvl_status status;
} gather;

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* Whether a picture has the height of a sheet, with tiles of either size. */
static bool sheet_shaped(const lvl_image *image)
{
    return image->height == ROWS * TILE || image->height == ROWS * SMALL_TILE;
}

static bool small_tiles(const lvl_image *image)
{
    return image->height <= ROWS * SMALL_TILE && image->width <= 128 * SMALL_TILE;
}

/* A picture with the height of a sheet that the user gave as art, else pics1, else any picture that the user
 * gave. */
static const lvl_image *usual_sheet(const lvl_art *art)
{
    const lvl_image *named = NULL, *image;

    for (size_t i = 0; (image = lvl_art_lone(art, i, NULL)) != NULL; i++) {
        if (sheet_shaped(image))
            return image;
        named = named ? named : image;
    }
    image = lvl_graal_picture(art, lvl_text_of("pics1.png"));
    return image ? image : named;
}

/* ---- definitions ------------------------------------------------------------------------------------- */

static lvl_status add_def(lvl_graal_sheets *sheets, tiledefs *list, const tiledef *def)
{
    if (list->count >= MAX_DEFS)
        return LVL_OK;
    tiledef *d = lvl_scene_alloc(sheets->scene, 1, sizeof *d);
    if (!d)
        return LVL_ERR_MEMORY;
    *d = *def;
    d->next = NULL;
    d->image = lvl_scene_text(sheets->scene, def->image);
    d->start = lvl_scene_text(sheets->scene, def->start);
    if (!d->image.ptr || !d->start.ptr)
        return LVL_ERR_MEMORY;
    *list->end = d;
    list->end = &d->next;
    list->count++;
    return LVL_OK;
}

static int32_t place_of(double v)
{
    return v > -65536 && v < 65536 ? (int32_t)v : 65536; /* outside the sheet: nothing is pasted */
}

static int type_of(double type)
{
    return type >= 0 && type < 100 ? (int)type : 0;
}

static lvl_status add_of_file(void *user, const lvl_tiledef *def)
{
    lvl_graal_sheets *sheets = user;
    const tiledef d = {.image = def->image,
                       .start = def->level_start,
                       .type = type_of(def->type),
                       .x = place_of(def->x),
                       .y = place_of(def->y)};

    return add_def(sheets, &sheets->files, &d);
}

typedef struct file_walk {
    lvl_graal_sheets *sheets;
    lvl_status status;
} file_walk;

static void add_file(void *user, const char *name, lvl_bytes bytes)
{
    file_walk *walk = user;

    (void)name;
    if (walk->status == LVL_OK)
        walk->status = lvl_graal_tiledefs_visit(bytes, add_of_file, walk->sheets);
}

static void add_command(void *user, lvl_text word, lvl_text args)
{
    gather *g = user;
    const bool paste_it = lvl_text_equal_nocase(word, lvl_text_of("addtiledef2"));
    tiledef def = {0};
    double x = 0, y = 0;

    if (g->status != LVL_OK)
        return;
    if (lvl_text_equal_nocase(word, lvl_text_of("setbackpal"))) {
        if (!lvl_graal_command_arg(&args, &g->palette))
            g->palette.len = 0;
        return;
    }
    if (lvl_text_equal_nocase(word, lvl_text_of("removetiledefs"))) {
        if (!lvl_graal_command_arg(&args, &def.start) || def.start.len == 0) {
            g->scripts = (tiledefs){NULL, &g->scripts.first, 0};
            g->removed_all = true;
        }
        return;
    }
    if (!paste_it && !lvl_text_equal_nocase(word, lvl_text_of("addtiledef")))
        return;
    if (!lvl_graal_command_arg(&args, &def.image) || def.image.len == 0 ||
        !lvl_graal_command_arg(&args, &def.start))
        return;
    if (lvl_text_is(def.start, "#L")) /* this level */
        def.start = g->name;
    if (!lvl_graal_command_number(&args, &x))
        x = 0;
    if (paste_it && !lvl_graal_command_number(&args, &y))
        return;
    def.type = paste_it ? 4 : type_of(x);
    def.x = place_of(x);
    def.y = place_of(y);
    g->status = add_def(g->sheets, &g->scripts, &def);
}

static bool def_fits(const tiledef *def, lvl_text name)
{
    return def->start.len <= name.len &&
           lvl_text_equal_nocase(def->start, (lvl_text){name.ptr, def->start.len});
}

/* The picture of a definition, looked up once for all levels. */
static const lvl_image *picture_of(const lvl_graal_sheets *sheets, tiledef *d)
{
    if (!d->looked) {
        d->looked = true;
        d->picture = lvl_graal_picture(sheets->art, d->image);
    }
    return d->picture;
}

/* The definition to use: of those whose picture is found, the one with the longest matching beginning; of
 * equal ones the first. */
static const tiledef *best_def(const gather *g, const tiledefs *list, const tiledef *best)
{
    for (tiledef *d = list->first; d; d = d->next) {
        if (d->type != 4 && def_fits(d, g->name) && (!best || d->start.len > best->start.len) &&
            picture_of(g->sheets, d))
            best = d;
    }
    return best;
}

/* ---- making ------------------------------------------------------------------------------------------ */

/* Copies an image as RGBA, scaled by an integer. */
static lvl_status copy_image(lvl_scene *scene, const lvl_image *from, uint32_t times, lvl_image *out)
{
    *out =
        (lvl_image){.format = LVL_PIXELS_RGBA8, .width = from->width * times, .height = from->height * times};
    out->pixels = lvl_scene_alloc(scene, (size_t)out->width * out->height, 4);
    if (!out->pixels)
        return LVL_ERR_MEMORY;
    for (size_t y = 0; y < out->height; y++) {
        for (size_t x = 0; x < out->width; x++)
            lvl_graal_pixel(from, y / times * from->width + x / times,
                            out->pixels + (y * out->width + x) * 4);
    }
    return LVL_OK;
}

/* Pastes a picture, except for its transparent pixels. */
static void paste_image(lvl_image *image, const paste *p)
{
    const int64_t left = p->x < 0 ? -(int64_t)p->x : 0, top = p->y < 0 ? -(int64_t)p->y : 0;
    const int64_t width =
        (int64_t)image->width - p->x < p->image->width ? (int64_t)image->width - p->x : p->image->width;
    const int64_t height =
        (int64_t)image->height - p->y < p->image->height ? (int64_t)image->height - p->y : p->image->height;

    for (int64_t y = top; y < height; y++) {
        for (int64_t x = left; x < width; x++) {
            const size_t from = (size_t)y * p->image->width + (size_t)x;
            const size_t to = (size_t)(y + p->y) * image->width + (size_t)(x + p->x);
            uint8_t rgba[4];
            lvl_graal_pixel(p->image, from, rgba);
            if (rgba[3] > 127)
                memcpy(image->pixels + to * 4, rgba, 4);
        }
    }
}

static lvl_status make(lvl_graal_sheets *sheets, made *m)
{
    lvl_image base = *m->base;

    if (m->palette && base.format == LVL_PIXELS_INDEX8) {
        base.palette = lvl_scene_alloc(sheets->scene, 1, sizeof *base.palette);
        if (!base.palette)
            return LVL_ERR_MEMORY;
        *base.palette = *m->palette;
    }
    m->image = base;
    m->sheet.image = &m->image;
    if (!small_tiles(&base) && !m->paste_count)
        return LVL_OK;
    const lvl_status status = copy_image(sheets->scene, &base, small_tiles(&base) ? 2 : 1, &m->image);
    for (size_t i = 0; i < m->paste_count && status == LVL_OK; i++)
        paste_image(&m->image, &m->pastes[i]);
    return status;
}

/* Returns an equal existing sheet, or a new one. */
static lvl_status share_sheet(lvl_graal_sheets *sheets, const made *like, const lvl_graal_sheet **out)
{
    for (made *m = sheets->made; m; m = m->next) {
        if (m->base == like->base && m->palette == like->palette && m->sheet.rules == like->sheet.rules &&
            m->paste_count == like->paste_count &&
            (!m->paste_count || memcmp(m->pastes, like->pastes, m->paste_count * sizeof *m->pastes) == 0)) {
            *out = &m->sheet;
            return LVL_OK;
        }
    }
    made *m = lvl_scene_alloc(sheets->scene, 1, sizeof *m);
    paste *pastes = lvl_scene_alloc(sheets->scene, like->paste_count + 1, sizeof *pastes);
    if (!m || !pastes)
        return LVL_ERR_MEMORY;
    *m = *like;
    if (m->paste_count)
        memcpy(pastes, like->pastes, m->paste_count * sizeof *pastes);
    m->pastes = pastes;
    lvl_status status = m->base ? make(sheets, m) : LVL_OK;
    if (status != LVL_OK)
        return status;
    m->next = sheets->made;
    sheets->made = m;
    *out = &m->sheet;
    return LVL_OK;
}

/* ---- for levels -------------------------------------------------------------------------------------- */

lvl_status lvl_graal_sheets_new(lvl_graal_sheets **out, lvl_scene *scene, const lvl_art *art)
{
    lvl_graal_sheets *sheets = lvl_scene_alloc(scene, 1, sizeof *sheets);

    *out = sheets;
    if (!sheets)
        return LVL_ERR_MEMORY;
    sheets->scene = scene;
    sheets->art = art;
    sheets->files.end = &sheets->files.first;
    if (!art)
        return LVL_OK;
    sheets->usual = usual_sheet(art);
    file_walk walk = {sheets, LVL_OK};
    lvl_status status = lvl_art_visit_files(art, "tiledefs", ".txt", add_file, &walk);
    return status == LVL_OK ? walk.status : status;
}

static size_t add_pastes(const gather *g, const tiledefs *list, paste *pastes, size_t count)
{
    for (tiledef *d = list->first; d && count < MAX_PASTES; d = d->next) {
        const lvl_image *image = d->type == 4 && def_fits(d, g->name) ? picture_of(g->sheets, d) : NULL;
        if (image) {
            memset(&pastes[count], 0, sizeof *pastes); /* since it is compared as bytes */
            pastes[count].image = image;
            pastes[count].x = d->x;
            pastes[count++].y = d->y;
        }
    }
    return count;
}

/* The picture of a TILESET or TILESETIMAGE line, an extension of other editors. */
static const lvl_image *own_tileset(const lvl_graal_sheets *sheets, const lvl_graal *level)
{
    const lvl_image *image = NULL;

    for (uint32_t i = 0; i < level->tileset_count && !image; i++)
        image = lvl_graal_picture(sheets->art, level->tilesets[i].name);
    return image;
}

lvl_status lvl_graal_sheet_of(lvl_graal_sheets *sheets, const lvl_graal *level, lvl_text name,
                              const lvl_graal_sheet **out)
{
    gather g = {.sheets = sheets, .name = lvl_path_last(name)};
    paste pastes[MAX_PASTES];
    made like = {.pastes = pastes};

    g.scripts.end = &g.scripts.first;
    if (sheets->art) {
        for (uint32_t i = 0; i < level->npc_count && g.status == LVL_OK; i++)
            lvl_graal_script_commands(level->npcs[i].script, add_command, &g);
    }
    if (g.status != LVL_OK)
        return g.status;
    const tiledef *def = best_def(&g, &g.scripts, NULL);
    const lvl_image *own = def ? NULL : own_tileset(sheets, level);
    if (!g.removed_all && !own)
        def = best_def(&g, &sheets->files, def);
    like.base = def ? def->picture : own ? own : sheets->usual;
    like.sheet.rules = !def                               ? LVL_GRAAL_CLASSIC
                       : def->type == LVL_GRAAL_NO_RULES  ? LVL_GRAAL_NO_RULES
                       : def->type == 1 || def->type == 2 ? LVL_GRAAL_NEW_WORLD
                                                          : LVL_GRAAL_CLASSIC;
    if (like.base) {
        if (!g.removed_all)
            like.paste_count = add_pastes(&g, &sheets->files, pastes, 0);
        like.paste_count = add_pastes(&g, &g.scripts, pastes, like.paste_count);
        const lvl_image *palette = lvl_graal_picture(sheets->art, g.palette);
        like.palette = palette && palette->format == LVL_PIXELS_INDEX8 ? palette->palette : NULL;
    }
    return share_sheet(sheets, &like, out);
}

bool lvl_graal_sheet_has(const lvl_graal_sheet *sheet, uint32_t value)
{
    return sheet->image && value < LVL_GRAAL_TILES &&
           lvl_graal_tile_column(value) * TILE < sheet->image->width &&
           lvl_graal_tile_row(value) * TILE < sheet->image->height;
}

void lvl_graal_sheet_tile(const lvl_graal_sheet *sheet, uint32_t value, bool above, lvl_scene_tile *out)
{
    memset(out, 0, sizeof *out);
    if (value >= LVL_GRAAL_TILES || (above && value == LVL_GRAAL_TILES - 1)) {
        out->empty = true;
        return;
    }
    if (lvl_graal_sheet_has(sheet, value)) {
        out->image = sheet->image;
        out->image_x = (int32_t)(lvl_graal_tile_column(value) * TILE);
        out->image_y = (int32_t)(lvl_graal_tile_row(value) * TILE);
    }
    out->look = lvl_graal_type_class(lvl_graal_tile_type(sheet->rules, value));
    out->has_rgb = true;
    lvl_graal_tile_colour(value, out->rgb);
}
