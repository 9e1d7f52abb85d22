/*
 * sketchy/shape.c: the keys of the game's JSON, in the order of its newest source; what older versions lacked
 * is left out by a document's own text (see json_write.c).
 */
#include "sketchy/shape.h"

#include "base/text.h"

/* clang-format off */
#define ROW(T, k, form, member, may_lack, shapes) \
    {.key = (k), .kind = LVL_SHAPE_##form, .omit = (may_lack), .table = &T##_table, \
     .offset = (uint32_t)offsetof(T, member), .sub = (shapes)}
#define KEY(T, k, form, member)      ROW(T, k, form, member, false, NULL)
#define OPTIONAL(T, k, form, member) ROW(T, k, form, member, true, NULL)
#define GROUP(k, shapes) {.key = (k), .kind = LVL_SHAPE_OBJECT, .sub = (shapes)}
#define END {.key = NULL}

static const lvl_shape swatch_shape[] = {
    KEY(lvl_sketchy_swatch, "name", TEXT, name),
    KEY(lvl_sketchy_swatch, "color", TEXT, color),
    KEY(lvl_sketchy_swatch, "pattern", TEXT, pattern),
    OPTIONAL(lvl_sketchy_swatch, "solid", BOOL, solid),
    OPTIONAL(lvl_sketchy_swatch, "semisolid", BOOL, semisolid),
    OPTIONAL(lvl_sketchy_swatch, "fire", BOOL, fire),
    OPTIONAL(lvl_sketchy_swatch, "water", BOOL, water),
    OPTIONAL(lvl_sketchy_swatch, "slippery", BOOL, slippery),
    END,
};

static const lvl_shape palette_shape[] = {
    ROW(lvl_sketchy, "swatches", RECORDS, swatches, false, swatch_shape),
    END,
};

static const lvl_shape rules_shape[] = {
    KEY(lvl_sketchy, "difficulty", INT, difficulty),
    OPTIONAL(lvl_sketchy, "survival", BOOL, survival),
    END,
};

static const lvl_shape chunker_shape[] = {
    KEY(lvl_sketchy_layer, "size", INT, size),
    KEY(lvl_sketchy_layer, "chunks", CHUNKS, chunks),
    END,
};

static const lvl_shape value_shape[] = {
    KEY(lvl_sketchy_option, "type", OPTION_TYPE, type),
    KEY(lvl_sketchy_option, "name", TEXT, name),
    KEY(lvl_sketchy_option, "value", OPTION_VALUE, value),
    END,
};

static const lvl_shape default_shape[] = {
    KEY(lvl_sketchy_option, "type", OPTION_TYPE, type),
    KEY(lvl_sketchy_option, "name", TEXT, name),
    KEY(lvl_sketchy_option, "default", OPTION_VALUE, value),
    END,
};

/* An item of a list of texts. */
typedef struct text_item {
    lvl_text text;
} text_item;
static const lvl_field text_item_fields[] = {LVL_ROW_TEXT(text_item, text, "text", .prose = "Text.")};
static const lvl_table text_item_table = {.name = "text", .struct_size = sizeof(text_item),
    .fields = text_item_fields, .field_count = LVL_COUNT_OF(text_item_fields)};
static const lvl_shape text_shape[] = {
    KEY(text_item, "", TEXT, text),
    END,
};

static const lvl_shape tag_shape[] = {
    KEY(lvl_sketchy_tag, "", TEXT, value),
    END,
};

static const lvl_shape actor_shape[] = {
    KEY(lvl_sketchy_actor, "filename", TEXT, filename),
    KEY(lvl_sketchy_actor, "point", POINT, point),
    ROW(lvl_sketchy_actor, "links", TEXTS, links, true, text_shape),
    ROW(lvl_sketchy_actor, "options", MAP, options, true, value_shape),
    END,
};

static const lvl_shape rect_shape[] = {
    KEY(lvl_sketchy_rect, "X", INT, x),
    KEY(lvl_sketchy_rect, "Y", INT, y),
    KEY(lvl_sketchy_rect, "W", INT, width),
    KEY(lvl_sketchy_rect, "H", INT, height),
    END,
};

static const lvl_shape layer_shape[] = {
    KEY(lvl_sketchy_layer, "name", TEXT, name),
    GROUP("chunks", chunker_shape),
    END,
};

#define HEAD \
    KEY(lvl_sketchy, "version", INT, version), \
    KEY(lvl_sketchy, "gameVersion", TEXT, game_version), \
    KEY(lvl_sketchy, "title", TEXT, title), \
    KEY(lvl_sketchy, "author", TEXT, author), \
    KEY(lvl_sketchy, "locked", BOOL, locked)

const lvl_shape lvl_level_shape[] = {
    HEAD,
    KEY(lvl_sketchy, "files", FILES, files),
    KEY(lvl_sketchy, "passwd", TEXT, password),
    KEY(lvl_sketchy, "uuid", TEXT, uuid),
    GROUP("rules", rules_shape),
    ROW(lvl_sketchy, "chunks", LAYER, layers, false, chunker_shape),
    GROUP("palette", palette_shape),
    KEY(lvl_sketchy, "pageType", INT, page_type),
    KEY(lvl_sketchy, "boundedWidth", INT, bounded_width),
    KEY(lvl_sketchy, "boundedHeight", INT, bounded_height),
    KEY(lvl_sketchy, "wallpaper", TEXT, wallpaper),
    KEY(lvl_sketchy, "scroll", POINT, scroll),
    ROW(lvl_sketchy, "actors", MAP, actors, false, actor_shape),
    KEY(lvl_sketchy, "saveDoodads", BOOL, save_doodads),
    KEY(lvl_sketchy, "saveBuiltins", BOOL, save_builtins),
    OPTIONAL(lvl_sketchy, "signature", TEXT, signature),
    END,
};

const lvl_shape lvl_doodad_shape[] = {
    HEAD,
    OPTIONAL(lvl_sketchy, "files", FILES, files),
    OPTIONAL(lvl_sketchy, "hidden", BOOL, hidden),
    GROUP("palette", palette_shape),
    ROW(lvl_sketchy, "size", OBJECT, size, false, rect_shape),
    KEY(lvl_sketchy, "script", TEXT, script),
    ROW(lvl_sketchy, "hitbox", OBJECT, hitbox, false, rect_shape),
    ROW(lvl_sketchy, "layers", RECORDS, layers, false, layer_shape),
    ROW(lvl_sketchy, "data", TEXT_MAP, tags, false, tag_shape),
    ROW(lvl_sketchy, "options", MAP, options, false, default_shape),
    END,
};

static const lvl_shape pack_level_shape[] = {
    KEY(lvl_levelpack_level, "uuid", TEXT, uuid),
    KEY(lvl_levelpack_level, "title", TEXT, title),
    KEY(lvl_levelpack_level, "author", TEXT, author),
    KEY(lvl_levelpack_level, "filename", TEXT, filename),
    END,
};

const lvl_shape lvl_pack_shape[] = {
    KEY(lvl_levelpack, "title", TEXT, title),
    KEY(lvl_levelpack, "description", TEXT, description),
    KEY(lvl_levelpack, "author", TEXT, author),
    KEY(lvl_levelpack, "created", TEXT, created),
    ROW(lvl_levelpack, "levels", RECORDS, levels, false, pack_level_shape),
    KEY(lvl_levelpack, "freeLevels", INT, free_levels),
    OPTIONAL(lvl_levelpack, "signature", TEXT, signature),
    END,
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

bool lvl_shape_accepts(const lvl_shape *s, const lvl_token *value)
{
    int64_t v;

    switch (s->kind) {
    case LVL_SHAPE_INT:
        return lvl_token_int(value, &v) &&
               (lvl_shape_field(s)->flags & LVL_F_SIGNED || (v >= 0 && v <= UINT32_MAX));
    case LVL_SHAPE_BOOL: return value->kind == LVL_TOKEN_TRUE || value->kind == LVL_TOKEN_FALSE;
    case LVL_SHAPE_TEXT:
    case LVL_SHAPE_POINT:
    case LVL_SHAPE_OPTION_TYPE: return value->kind == LVL_TOKEN_STRING;
    case LVL_SHAPE_OPTION_VALUE: return value->kind != LVL_TOKEN_OBJECT && value->kind != LVL_TOKEN_ARRAY;
    case LVL_SHAPE_RECORDS:
    case LVL_SHAPE_TEXTS: return value->kind == LVL_TOKEN_ARRAY;
    default: return value->kind == LVL_TOKEN_OBJECT;
    }
}
