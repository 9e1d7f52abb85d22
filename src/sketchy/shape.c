/*
 * sketchy/shape.c: the game's JSON, in the order of its newest source; what older versions lacked is left out
 * by a document's own text (see json_write.c).
 */
#include "sketchy/shape.h"

#include "base/text.h"

/* clang-format off */
#define AT(T, m)            .offset = (uint32_t)offsetof(T, m)
#define ROW(T, k, kd, m, ...) {.key = (k), .kind = LVL_SHAPE_##kd, AT(T, m), __VA_ARGS__}
#define LIST(T, k, kd, m, n, I, tbl, ...) {.key = (k), .kind = LVL_SHAPE_##kd, AT(T, m),                     \
    .count = (uint32_t)offsetof(T, n),                                                                       \
                                           .item = (uint32_t)sizeof(I), .table = (tbl), __VA_ARGS__}
#define OMIT .flags = LVL_SHAPE_OMIT

static const lvl_shape swatch_shape[] = {
    ROW(lvl_sketchy_swatch, "name", TEXT, name, 0),
    ROW(lvl_sketchy_swatch, "color", TEXT, color, 0),
    ROW(lvl_sketchy_swatch, "pattern", TEXT, pattern, 0),
    ROW(lvl_sketchy_swatch, "solid", BOOL, solid, OMIT),
    ROW(lvl_sketchy_swatch, "semisolid", BOOL, semisolid, OMIT),
    ROW(lvl_sketchy_swatch, "fire", BOOL, fire, OMIT),
    ROW(lvl_sketchy_swatch, "water", BOOL, water, OMIT),
    ROW(lvl_sketchy_swatch, "slippery", BOOL, slippery, OMIT),
    {0},
};

static const lvl_shape palette_shape[] = {
    LIST(lvl_sketchy, "swatches", RECORDS, swatches, swatch_count, lvl_sketchy_swatch,
        &lvl_sketchy_swatch_table,
         .flags = LVL_SHAPE_NULL, .sub = swatch_shape),
    {0},
};

static const lvl_shape rules_shape[] = {
    ROW(lvl_sketchy, "difficulty", INT, difficulty, 0),
    ROW(lvl_sketchy, "survival", BOOL, survival, OMIT),
    {0},
};

static const lvl_shape chunker_shape[] = {
    ROW(lvl_sketchy_layer, "size", UINT, size, 0),
    LIST(lvl_sketchy_layer, "chunks", CHUNKS, chunks, chunk_count, lvl_sketchy_chunk,
        &lvl_sketchy_chunk_table,
         .flags = LVL_SHAPE_OUTSIDE, .name = (uint32_t)offsetof(lvl_sketchy_chunk, key)),
    {0},
};

static const lvl_shape value_shape[] = {
    ROW(lvl_sketchy_option, "type", OPTION_TYPE, type, 0),
    ROW(lvl_sketchy_option, "name", TEXT, name, 0),
    ROW(lvl_sketchy_option, "value", OPTION_VALUE, value, 0),
    {0},
};

static const lvl_shape default_shape[] = {
    ROW(lvl_sketchy_option, "type", OPTION_TYPE, type, 0),
    ROW(lvl_sketchy_option, "name", TEXT, name, 0),
    ROW(lvl_sketchy_option, "default", OPTION_VALUE, value, 0),
    {0},
};

static const lvl_shape actor_shape[] = {
    ROW(lvl_sketchy_actor, "filename", TEXT, filename, 0),
    ROW(lvl_sketchy_actor, "point", POINT, point, 0),
    LIST(lvl_sketchy_actor, "links", TEXTS, links, link_count, lvl_text, NULL, OMIT),
    LIST(lvl_sketchy_actor, "options", MAP, options, option_count, lvl_sketchy_option,
        &lvl_sketchy_option_table, OMIT,
         .name = (uint32_t)offsetof(lvl_sketchy_option, name), .sub = value_shape),
    {0},
};

static const lvl_shape rect_shape[] = {
    ROW(lvl_sketchy_rect, "X", INT, x, 0),
    ROW(lvl_sketchy_rect, "Y", INT, y, 0),
    ROW(lvl_sketchy_rect, "W", INT, width, 0),
    ROW(lvl_sketchy_rect, "H", INT, height, 0),
    {0},
};

static const lvl_shape layer_shape[] = {
    ROW(lvl_sketchy_layer, "name", TEXT, name, 0),
    {.key = "chunks", .kind = LVL_SHAPE_OBJECT, .sub = chunker_shape},
    {0},
};

#define HEAD \
    ROW(lvl_sketchy, "version", INT, version, 0), \
    ROW(lvl_sketchy, "gameVersion", TEXT, game_version, 0), \
    ROW(lvl_sketchy, "title", TEXT, title, 0), \
    ROW(lvl_sketchy, "author", TEXT, author, 0), \
    ROW(lvl_sketchy, "locked", BOOL, locked, 0)
#define FILES(fl) LIST(lvl_sketchy, "files", FILES, files, file_count, lvl_sketchy_file,                     \
    &lvl_sketchy_file_table,                                                                                 \
                       .flags = LVL_SHAPE_OUTSIDE | (fl), .name = (uint32_t)offsetof(lvl_sketchy_file, path))
#define PALETTE {.key = "palette", .kind = LVL_SHAPE_OBJECT, .sub = palette_shape}

const lvl_shape lvl_level_shape[] = {
    HEAD,
    FILES(0),
    ROW(lvl_sketchy, "passwd", TEXT, password, 0),
    ROW(lvl_sketchy, "uuid", TEXT, uuid, 0),
    {.key = "rules", .kind = LVL_SHAPE_OBJECT, .sub = rules_shape},
    LIST(lvl_sketchy, "chunks", LAYER, layers, layer_count, lvl_sketchy_layer, &lvl_sketchy_layer_table,
        .sub = chunker_shape),
    PALETTE,
    ROW(lvl_sketchy, "pageType", INT, page_type, 0),
    ROW(lvl_sketchy, "boundedWidth", INT, bounded_width, 0),
    ROW(lvl_sketchy, "boundedHeight", INT, bounded_height, 0),
    ROW(lvl_sketchy, "wallpaper", TEXT, wallpaper, 0),
    ROW(lvl_sketchy, "scroll", POINT, scroll, 0),
    LIST(lvl_sketchy, "actors", MAP, actors, actor_count, lvl_sketchy_actor, &lvl_sketchy_actor_table,
         .name = (uint32_t)offsetof(lvl_sketchy_actor, id), .sub = actor_shape),
    ROW(lvl_sketchy, "saveDoodads", BOOL, save_doodads, 0),
    ROW(lvl_sketchy, "saveBuiltins", BOOL, save_builtins, 0),
    ROW(lvl_sketchy, "signature", TEXT, signature, OMIT),
    {0},
};

const lvl_shape lvl_doodad_shape[] = {
    HEAD,
    FILES(LVL_SHAPE_OMIT),
    ROW(lvl_sketchy, "hidden", BOOL, hidden, OMIT),
    PALETTE,
    {.key = "size", .kind = LVL_SHAPE_OBJECT, AT(lvl_sketchy, size), .sub = rect_shape},
    ROW(lvl_sketchy, "script", TEXT, script, 0),
    {.key = "hitbox", .kind = LVL_SHAPE_OBJECT, AT(lvl_sketchy, hitbox), .sub = rect_shape},
    LIST(lvl_sketchy, "layers", RECORDS, layers, layer_count, lvl_sketchy_layer, &lvl_sketchy_layer_table,
         .flags = LVL_SHAPE_NULL, .sub = layer_shape),
    LIST(lvl_sketchy, "data", TEXT_MAP, tags, tag_count, lvl_sketchy_tag, &lvl_sketchy_tag_table,
         .name = (uint32_t)offsetof(lvl_sketchy_tag, name), .value = (uint32_t)offsetof(lvl_sketchy_tag,
             value)),
    LIST(lvl_sketchy, "options", MAP, options, option_count, lvl_sketchy_option, &lvl_sketchy_option_table,
         .name = (uint32_t)offsetof(lvl_sketchy_option, name), .sub = default_shape),
    {0},
};

static const lvl_shape pack_level_shape[] = {
    ROW(lvl_levelpack_level, "uuid", TEXT, uuid, 0),
    ROW(lvl_levelpack_level, "title", TEXT, title, 0),
    ROW(lvl_levelpack_level, "author", TEXT, author, 0),
    ROW(lvl_levelpack_level, "filename", TEXT, filename, 0),
    {0},
};

const lvl_shape lvl_pack_shape[] = {
    ROW(lvl_levelpack, "title", TEXT, title, 0),
    ROW(lvl_levelpack, "description", TEXT, description, 0),
    ROW(lvl_levelpack, "author", TEXT, author, 0),
    ROW(lvl_levelpack, "created", TEXT, created, 0),
    LIST(lvl_levelpack, "levels", RECORDS, levels, level_count, lvl_levelpack_level,
        &lvl_levelpack_level_table,
         .flags = LVL_SHAPE_NULL, .sub = pack_level_shape),
    ROW(lvl_levelpack, "freeLevels", INT, free_levels, 0),
    ROW(lvl_levelpack, "signature", TEXT, signature, OMIT),
    {0},
};
/* clang-format on */

const lvl_shape *lvl_shape_find(const lvl_shape *shapes, lvl_text key)
{
    const lvl_shape *alike = NULL;

    for (const lvl_shape *s = shapes; s->key; s++) {
        if (lvl_text_is(key, s->key))
            return s;
        if (!alike && lvl_text_equal_nocase(key, lvl_text_of(s->key)))
            alike = s;
    }
    return alike;
}
