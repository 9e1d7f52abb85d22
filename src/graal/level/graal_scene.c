/*
 * graal/level/graal_scene.c: a level as a scene: the board and the layers above it, NPCs with their pictures,
 * and things without pictures: links, signs, baddies. Chests are drawn with the tiles that the game puts on
 * the board when it loads the level; the file has floor there.
 */
#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"
#include "graal/level/graal_level.h"
#include "graal/level/graal_links.h"
#include "graal/level/graal_names.h"
#include "graal/script/script_commands.h"
#include "graal/gani/graal_character.h"
#include "graal/art/graal_pictures.h"
#include "graal/tiles/graal_tileset.h"
#include "scene/scene.h"
#include "scene/art.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE = LVL_GRAAL_TILE,
    FAR = 1 << 24, /* px: positions beyond are clamped */
    OVER = 1 << 26, /* z offset of things above all others; -OVER: below all others */
    CHEST_TILE = 1784, /* closed: the upper left of four */
    SIGN_LETTERS = 28 /* of a sign's text in its label */
};

/* State for a layer's callbacks. */
typedef struct layer_user {
    const lvl_graal_layer *layer; /* NULL: a board without tiles */
    const lvl_graal_sheet *sheet;
    bool above;
} layer_user;

/* ---- layers ------------------------------------------------------------------------------------------ */

static void cells_of(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    const lvl_graal_layer *from = ((const layer_user *)layer->user)->layer;

    if (!from) {
        for (uint32_t i = 0; i < count; i++)
            out[i] = LVL_GRAAL_ABSENT;
        return;
    }
    const lvl_cells *cells = &from->tiles;
    const uint8_t *p = cells->ptr + ((size_t)y * cells->width + x) * 2;

    for (uint32_t i = 0; i < count; i++)
        out[i] = lvl_load_u16le(p + (size_t)i * 2);
}

static void tile_of(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const layer_user *user = layer->user;

    lvl_graal_sheet_tile(user->sheet, value, user->above, out);
}

/* Counts the tiles beyond a narrow sheet, and their cells. */
static void count_missing(lvl_scene *scene, const lvl_scene_layer *layer)
{
    const layer_user *user = layer->user;
    uint8_t seen[LVL_GRAAL_TILES / 8] = {0};

    for (uint32_t y = 0; y < layer->rows; y++) {
        for (uint32_t x = 0; x < layer->columns; x++) {
            const uint32_t value = lvl_cell(&user->layer->tiles, x, y);
            if (value >= LVL_GRAAL_TILES || (user->above && value == LVL_GRAAL_TILES - 1) ||
                lvl_graal_sheet_has(user->sheet, value))
                continue;
            scene->missing_cells++;
            scene->missing_tiles += !(seen[value / 8] & 1u << value % 8);
            seen[value / 8] |= (uint8_t)(1u << value % 8);
        }
    }
}

void lvl_graal_layer_begin(lvl_scene_layer *layer, uint32_t number, uint32_t columns, uint32_t rows)
{
    layer->name = lvl_text_of(number ? "above" : "board");
    layer->z = number > INT32_MAX ? INT32_MAX : (int32_t)number;
    layer->columns = columns;
    layer->rows = rows;
    layer->cell_width = layer->cell_height = TILE;
    layer->move_x = layer->move_y = 100;
}

/* `index`: of `from` in its list. */
static lvl_status make_layer(lvl_scene *scene, const lvl_graal_layer *from, uint32_t index,
                             const lvl_graal_sheet *sheet, lvl_scene_layer *layer)
{
    layer_user *user = lvl_scene_alloc(scene, 1, sizeof *user);

    if (!user)
        return LVL_ERR_MEMORY;
    const uint32_t number = from ? from->number : 0;
    user->layer = from && from->tiles.ptr && from->tiles.size == 2 ? from : NULL;
    user->sheet = sheet;
    user->above = number > 0;
    lvl_graal_layer_begin(layer, number, user->layer ? from->tiles.width : LVL_GRAAL_SIDE,
                          user->layer ? from->tiles.height : LVL_GRAAL_SIDE);
    layer->user = user;
    layer->cells = cells_of;
    layer->tile = tile_of;
    if (sheet->image && user->layer)
        count_missing(scene, layer);
    if (!from)
        return LVL_OK;
    const lvl_where own =
        lvl_where_item(lvl_where_root(), &lvl_graal_table, offsetof(lvl_graal, layers), index);
    return lvl_scene_layer_shows(
        scene, layer, lvl_where_member(own, &lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles)));
}

static int by_number(const void *a, const void *b)
{
    const lvl_graal_layer *x = *(const lvl_graal_layer *const *)a, *y = *(const lvl_graal_layer *const *)b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x < y ? -1 : x > y; /* both are in the same array */
}

/* Makes the layers in the order of their numbers; equal numbers keep the file's order. The lowest is the
 * board; a level without layers gets an empty board. */
static lvl_status make_layers(lvl_scene *scene, const lvl_graal *level, const lvl_graal_sheet *sheet)
{
    const uint32_t count = level->layer_count;
    const lvl_graal_layer **order = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *order);

    scene->layers = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *scene->layers);
    if (!scene->layers || !order)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        order[i] = &level->layers[i];
    qsort(order, count, sizeof *order, by_number);
    for (uint32_t i = 0; i < count; i++) {
        lvl_status status =
            make_layer(scene, order[i], (uint32_t)(order[i] - level->layers), sheet, &scene->layers[i]);
        if (status != LVL_OK)
            return status;
    }
    if (count == 0) {
        lvl_status status = make_layer(scene, NULL, 0, sheet, &scene->layers[0]);
        if (status != LVL_OK)
            return status;
    }
    scene->layer_count = count ? count : 1;
    scene->main_layer = 0;
    scene->layers[0].main = true;
    return LVL_OK;
}

/* ---- things ------------------------------------------------------------------------------------------ */

static int32_t px_of_tiles(double tiles)
{
    const double v = floor(tiles * TILE);

    return v > -FAR && v < FAR ? (int32_t)v : v < 0 ? -FAR : FAR; /* NaN, too */
}

static lvl_status add_area(lvl_scene *scene, lvl_scene_thing *thing, lvl_rect rect)
{
    lvl_scene_box *box = lvl_scene_alloc(scene, 1, sizeof *box);

    if (!box)
        return LVL_ERR_MEMORY;
    box->kind = LVL_BOX_AREA;
    box->rect = rect;
    thing->boxes = box;
    thing->box_count = 1;
    return LVL_OK;
}

static lvl_rect rect_at(int32_t x, int32_t y, int32_t width, int32_t height)
{
    return (lvl_rect){x, y, x + (width > 1 ? width : 1) - 1, y + (height > 1 ? height : 1) - 1};
}

/* The next free thing, for an item of a list. */
static lvl_scene_thing *next_thing(lvl_scene *scene, const lvl_where *list, uint32_t index)
{
    lvl_scene_thing *thing = &scene->things[scene->thing_count++];

    thing->list = list;
    thing->index = index;
    return thing;
}

static const lvl_where *list_of(lvl_scene *scene, size_t member)
{
    return lvl_scene_list(scene, lvl_where_member(lvl_where_root(), &lvl_graal_table, member));
}

/* Adds a thing without a picture, in the middle of its area. */
static lvl_status add_place(lvl_scene *scene, lvl_thing_kind kind, lvl_rect rect, lvl_text label,
                            const lvl_where *list, uint32_t index)
{
    lvl_scene_thing *thing = next_thing(scene, list, index);

    thing->kind = kind;
    thing->x = rect.left + (rect.right - rect.left + 1) / 2;
    thing->y = rect.top + (rect.bottom - rect.top + 1) / 2;
    thing->z = rect.bottom;
    thing->label = label;
    return add_area(scene, thing, rect);
}

/* The beginning of a sign's first line. */
static lvl_text first_words(lvl_text text)
{
    size_t len = 0;

    while (len < text.len && len < SIGN_LETTERS && text.ptr[len] != '\n')
        len++;
    return (lvl_text){text.ptr, len};
}

/* The appearance of an NPC after the commands that run when a player enters. */
typedef struct appearance {
    lvl_text image;
    bool has_part, hidden, light;
    double part[4];
    int level; /* -1 below players, 1 above */
    bool has_effect;
    lvl_scene_effect effect;
    int32_t width, height; /* px, from setshape; 0: unknown */
    bool is_character;
    bool calls; /* its script calls functions: in that language `this.dir` is the NPC's, too */
    lvl_graal_character character;
} appearance;

static bool take_numbers(lvl_text *args, double *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!lvl_graal_command_number(args, &out[i]))
            return false;
    }
    return true;
}

static bool is_word(lvl_text word, const char *other)
{
    return lvl_text_equal_nocase(word, lvl_text_of(other));
}

/* The NPC is `this`; in JavaScript, which newer servers run, `self` or `npc`. */
static lvl_text without_this(lvl_text word)
{
    static const char *const names[] = {"this.", "self.", "npc."};

    for (size_t i = 0; i < LVL_COUNT_OF(names); i++) {
        const size_t len = strlen(names[i]);
        if (lvl_text_begins_nocase(word, names[i]))
            return (lvl_text){word.ptr + len, word.len - len};
    }
    return word;
}

/* Takes a quoted string that is all of the text. */
static bool take_string(lvl_text text, lvl_text *out)
{
    if (!lvl_graal_command_arg(&text, out) || text.len || out->ptr[-1] != '"')
        return false;
    return !memchr(out->ptr, '"', out->len);
}

/* Sets a member by an assignment with a string: `head = "head3.png"`, `colors[1] = "black"`. Other values are
 * known only in the game. */
static void set_member(appearance *l, lvl_text name, lvl_text args)
{
    lvl_text value, number = {"", 0};
    char layer[16];

    name = without_this(name);
    if (args.len && args.ptr[0] == '[') {
        const char *end = memchr(args.ptr, ']', args.len);
        if (!end)
            return;
        number = (lvl_text){args.ptr + 1, (size_t)(end - args.ptr) - 1};
        args = (lvl_text){end + 1, args.len - number.len - 2};
        while (args.len && (*args.ptr == ' ' || *args.ptr == '\t')) {
            args.ptr++;
            args.len--;
        }
    }
    if (args.len < 2 || args.ptr[0] != '=' || !take_string((lvl_text){args.ptr + 1, args.len - 1}, &value))
        return;
    if (is_word(name, "ani")) {
        l->character.animation = value;
    } else if (is_word(name, "image") || is_word(name, "img")) {
        l->image = value;
        l->has_part = false;
    } else {
        if (is_word(name, "colors")) /* color0 to color4 */
            name.len--;
        else if (name.len > 3 && is_word((lvl_text){name.ptr + name.len - 3, 3}, "img"))
            name.len -= 3;
        if (name.len + number.len >= sizeof layer)
            return;
        for (size_t i = 0; i < name.len; i++)
            layer[i] = (char)(name.ptr[i] | ' '); /* letters in lower case */
        memcpy(layer + name.len, number.ptr, number.len);
        lvl_graal_character_set(&l->character, (lvl_text){layer, name.len + number.len}, value);
    }
}

static void run_command(void *user, lvl_text word, lvl_text args)
{
    appearance *l = user;
    const bool call = args.len && args.ptr[0] == '(';
    lvl_text image;
    double n[4];

    l->calls = l->calls || call;
    if (l->calls)
        word = without_this(word);
    if (is_word(word, "setimg") || is_word(word, "setgif")) {
        if (lvl_graal_command_arg(&args, &image)) {
            l->image = image;
            l->has_part = false;
        }
    } else if (is_word(word, "setimgpart") || is_word(word, "setgifpart")) {
        if (lvl_graal_command_arg(&args, &image) && take_numbers(&args, n, 4)) {
            l->image = image;
            l->has_part = true;
            memcpy(l->part, n, sizeof n);
        }
    } else if (is_word(word, "setcoloreffect")) {
        if (take_numbers(&args, n, 4)) {
            memcpy(l->effect.color, n, sizeof n);
            l->has_effect = true;
        }
    } else if (is_word(word, "setzoomeffect")) {
        if (take_numbers(&args, n, 1)) {
            l->effect.scale_x = l->effect.scale_y = n[0];
            l->has_effect = true;
        }
    } else if (is_word(word, "setshape")) {
        if (take_numbers(&args, n, 3) && n[1] >= 1 && n[1] < FAR && n[2] >= 1 && n[2] < FAR) {
            l->width = (int32_t)n[1];
            l->height = (int32_t)n[2];
        }
    } else if (is_word(word, "setshape2")) {
        if (take_numbers(&args, n, 2) && n[0] >= 1 && n[0] * TILE < FAR && n[1] >= 1 && n[1] * TILE < FAR) {
            l->width = (int32_t)(n[0] * TILE);
            l->height = (int32_t)(n[1] * TILE);
        }
    } else if (is_word(word, "showcharacter")) {
        l->is_character = true;
    } else if (is_word(word, "setcharani")) {
        if (lvl_graal_command_arg(&args, &image))
            l->character.animation = image;
    } else if (is_word(word, "setcharprop")) {
        if (lvl_graal_command_arg(&args, &image)) {
            lvl_text value = {0};
            lvl_graal_command_arg(&args, &value);
            lvl_graal_character_set_code(&l->character, image, value);
        }
    } else if (is_word(word, "dir") && args.len && args.ptr[0] == '=') {
        args.ptr++;
        args.len--;
        if (lvl_graal_command_number(&args, n) && n[0] >= 0 && n[0] < 4)
            l->character.direction = (unsigned)n[0];
    } else if (is_word(word, "drawaslight")) {
        l->light = true;
    } else if (is_word(word, "drawoverplayer")) {
        l->level = 1;
    } else if (is_word(word, "drawunderplayer")) {
        l->level = -1;
    } else if (is_word(word, "hide") || is_word(word, "hidelocal")) {
        l->hidden = true;
    } else if (is_word(word, "show") || is_word(word, "showlocal")) {
        l->hidden = false;
    } else if (args.len && (args.ptr[0] == '=' || args.ptr[0] == '[')) {
        set_member(l, word, args);
    }
}

static lvl_status add_effect(lvl_scene *scene, const appearance *l, lvl_scene_thing *thing)
{
    lvl_scene_effect *effect;

    if (!l->has_effect && !l->light)
        return LVL_OK;
    effect = lvl_scene_alloc(scene, 1, sizeof *effect);
    if (!effect)
        return LVL_ERR_MEMORY;
    *effect = l->effect;
    if (l->light)
        effect->blend = LVL_BLEND_ADD;
    thing->effect = effect;
    return LVL_OK;
}

static lvl_status add_character(lvl_scene *scene, lvl_scene *owner, const lvl_graal_character *character,
                                const lvl_art *art, lvl_scene_thing *thing)
{
    int32_t left = 0, top = 0;

    lvl_status status =
        art ? lvl_graal_character_picture(character, owner, art, &thing->image, &left, &top) : LVL_OK;
    if (art && status == LVL_OK && !thing->image) {
        thing->flags |= LVL_THING_MISSING;
        scene->missing_things++;
    }
    thing->x += left;
    thing->y += top;
    return status;
}

static lvl_status add_npc(lvl_scene *scene, lvl_scene *owner, const lvl_graal_npc *npc, const lvl_art *art,
                          bool bare, const lvl_where *list, uint32_t index)
{
    lvl_scene_thing *thing = next_thing(scene, list, index);
    appearance l = {.image = npc->image,
                    .effect = {{1, 1, 1, 1}, 1, 1, 0, LVL_BLEND_ALPHA},
                    .character = {.direction = 2}};
    lvl_rect rect;

    if (!bare)
        lvl_graal_script_commands(npc->script, run_command, &l);
    thing->kind = l.image.len || l.is_character ? LVL_THING_SCENERY : LVL_THING_TRIGGER;
    thing->label = l.image.len || !l.is_character ? l.image : lvl_text_of("character");
    thing->picture = l.image;
    thing->flags = LVL_THING_CORNER | (l.hidden ? LVL_THING_HIDDEN : 0u);
    thing->x = px_of_tiles(npc->x);
    thing->y = px_of_tiles(npc->y);
    if (l.is_character) {
        lvl_status status = add_character(scene, owner, &l.character, art, thing);
        if (status != LVL_OK)
            return status;
        if (!l.width)
            l.width = l.height = LVL_GANI_PLACE;
    } else if (l.image.len && art) {
        thing->image = lvl_graal_picture(art, l.image);
        if (!thing->image) {
            thing->flags |= LVL_THING_MISSING;
            scene->missing_things++;
        }
    }
    if (l.has_part && !l.is_character) {
        const lvl_rect part = {px_of_tiles(l.part[0] / TILE), px_of_tiles(l.part[1] / TILE),
                               px_of_tiles((l.part[0] + l.part[2]) / TILE) - 1,
                               px_of_tiles((l.part[1] + l.part[3]) / TILE) - 1};
        thing->has_part = part.left <= part.right && part.top <= part.bottom;
        thing->part = part;
    }
    lvl_status status = add_effect(scene, &l, thing);
    if (status != LVL_OK)
        return status;
    thing->z = l.level * OVER;
    if (lvl_scene_thing_rect(thing, &rect)) {
        thing->z += l.level ? 0 : rect.bottom;
        return LVL_OK;
    }
    /* without a picture, a mark is drawn in the middle of the shape */
    rect = rect_at(thing->x, thing->y, l.width ? l.width : TILE, l.height ? l.height : TILE);
    thing->flags &= ~(unsigned)LVL_THING_CORNER;
    thing->x = rect.left + (rect.right - rect.left + 1) / 2;
    thing->y = rect.top + (rect.bottom - rect.top + 1) / 2;
    thing->z += l.level ? 0 : rect.bottom;
    return add_area(scene, thing, rect);
}

static lvl_status add_npcs(lvl_scene *scene, lvl_scene *owner, const lvl_graal *level, const lvl_art *art,
                           bool bare)
{
    const lvl_where *list = list_of(scene, offsetof(lvl_graal, npcs));
    lvl_status status = list ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t i = 0; i < level->npc_count && status == LVL_OK; i++)
        status = add_npc(scene, owner, &level->npcs[i], art, bare, list, i);
    return status;
}

static lvl_status add_links(lvl_scene *scene, const lvl_graal *level)
{
    const lvl_where *list = list_of(scene, offsetof(lvl_graal, links));
    lvl_status status = list ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t i = 0; i < level->link_count && status == LVL_OK; i++) {
        const lvl_graal_link *link = &level->links[i];
        const int32_t x = px_of_tiles(link->x), y = px_of_tiles(link->y);
        const lvl_rect rect =
            rect_at(x, y, px_of_tiles(link->x + link->width) - x, px_of_tiles(link->y + link->height) - y);
        status = add_place(scene, LVL_THING_WARP, rect, link->level, list, i);
    }
    return status;
}

static lvl_status add_chest(lvl_scene *scene, const lvl_graal_chest *chest, const lvl_graal_sheet *sheet,
                            const lvl_where *list, uint32_t index)
{
    const char *item = lvl_name_of(lvl_graal_item_names, chest->item);
    const lvl_rect rect = rect_at(px_of_tiles(chest->x), px_of_tiles(chest->y), 2 * TILE, 2 * TILE);
    lvl_scene_thing *thing = &scene->things[scene->thing_count];
    lvl_scene_tile tile;
    lvl_status status =
        add_place(scene, LVL_THING_CONTAINER, rect, lvl_text_of(item ? item : "chest"), list, index);

    lvl_graal_sheet_tile(sheet, CHEST_TILE, false, &tile);
    if (status != LVL_OK || !tile.image)
        return status;
    thing->image = tile.image;
    thing->has_part = true;
    thing->part = rect_at(tile.image_x, tile.image_y, 2 * TILE, 2 * TILE);
    thing->flags = LVL_THING_CORNER;
    thing->x = rect.left;
    thing->y = rect.top;
    thing->z = -OVER; /* drawn like a part of the board */
    return LVL_OK;
}

static lvl_status add_rest(lvl_scene *scene, const lvl_graal *level, const lvl_graal_sheet *sheet)
{
    const lvl_where *signs = list_of(scene, offsetof(lvl_graal, signs)),
                    *chests = list_of(scene, offsetof(lvl_graal, chests)),
                    *baddies = list_of(scene, offsetof(lvl_graal, baddies));
    lvl_status status = signs && chests && baddies ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t i = 0; i < level->sign_count && status == LVL_OK; i++) {
        const lvl_graal_sign *sign = &level->signs[i];
        /* signs at 0, 0 are shown only by chests and scripts */
        if (sign->x || sign->y)
            status = add_place(scene, LVL_THING_SIGN,
                               rect_at(px_of_tiles(sign->x), px_of_tiles(sign->y), 2 * TILE, TILE),
                               first_words(sign->text), signs, i);
    }
    for (uint32_t i = 0; i < level->chest_count && status == LVL_OK; i++)
        status = add_chest(scene, &level->chests[i], sheet, chests, i);
    for (uint32_t i = 0; i < level->baddy_count && status == LVL_OK; i++) {
        const lvl_graal_baddy *baddy = &level->baddies[i];
        const char *type = lvl_name_of(lvl_graal_baddy_names, baddy->type);
        status = add_place(scene, LVL_THING_ENEMY,
                           rect_at(px_of_tiles(baddy->x), px_of_tiles(baddy->y), 2 * TILE, 2 * TILE),
                           lvl_text_of(type ? type : "baddy"), baddies, i);
    }
    return status;
}

/* Adds an arrow for each link within the level, from its middle to its destination. */
static lvl_status add_arrows(lvl_scene *scene, const lvl_graal *level, lvl_text name)
{
    scene->links = lvl_scene_alloc(scene, (size_t)level->link_count + 1, sizeof *scene->links);
    if (!scene->links)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < level->link_count; i++) {
        const lvl_graal_link *link = &level->links[i];
        double x, y;
        if (name.len == 0 || !lvl_text_equal_nocase(link->level, name) ||
            !lvl_graal_link_target(link, &x, &y))
            continue;
        /* to the feet of the player */
        scene->links[scene->link_count++] = (lvl_scene_link){
            LVL_THING_WARP, px_of_tiles(link->x + link->width / 2), px_of_tiles(link->y + link->height / 2),
            px_of_tiles(x + 1.5), px_of_tiles(y + 2)};
    }
    return LVL_OK;
}

lvl_status lvl_graal_scene_things(lvl_scene *scene, lvl_scene *owner, const lvl_graal *level,
                                  const lvl_art *art, const lvl_graal_sheet *sheet, bool bare)
{
    const uint64_t count = (uint64_t)level->npc_count + level->link_count + level->sign_count +
                           level->chest_count + level->baddy_count;

    if (count > UINT32_MAX / 2)
        return lvl_refuse_fixed(scene->ctx, "things in one level", UINT32_MAX / 2, count);
    scene->things = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *scene->things);
    if (!scene->things)
        return LVL_ERR_MEMORY;
    lvl_status status = add_links(scene, level);
    if (status == LVL_OK)
        status = add_npcs(scene, owner, level, art, bare);
    return status == LVL_OK ? add_rest(scene, level, sheet) : status;
}

/* ---- the scene --------------------------------------------------------------------------------------- */

void lvl_graal_scene_begin(lvl_scene *scene, const lvl_doc *doc, uint32_t columns, uint32_t rows)
{
    scene->codepage = doc->codepage;
    scene->possible_classes = lvl_graal_classes();
    scene->has_colours = true;
    scene->from_above = true;
    scene->player_height = 48;
    scene->start_x = (int32_t)((int64_t)columns * LVL_GRAAL_SIDE * TILE / 2);
    scene->start_y = (int32_t)((int64_t)rows * LVL_GRAAL_SIDE * TILE / 2);
}

lvl_status lvl_graal_scene(const lvl_doc *doc, const struct lvl_scene_request *request,
                           struct lvl_scene **out)
{
    const lvl_graal *level = lvl_doc_croot(doc);
    const char *name = request->art ? lvl_art_level_name(request->art) : NULL;
    lvl_scene *scene = lvl_scene_new(doc->ctx);
    const lvl_graal_sheet *sheet;
    lvl_graal_sheets *sheets;

    if (!scene)
        return LVL_ERR_MEMORY;
    lvl_graal_scene_begin(scene, doc, 1, 1);
    lvl_status status = lvl_graal_sheets_new(&sheets, scene, request->art);
    if (status == LVL_OK)
        status = lvl_graal_sheet_of(sheets, level, lvl_text_of(name), &sheet);
    if (status == LVL_OK)
        status = make_layers(scene, level, sheet);
    if (status == LVL_OK) {
        scene->has_art = sheet->image != NULL;
        scene->palette = sheet->image ? sheet->image->palette : NULL;
        status = lvl_graal_scene_things(scene, scene, level, scene->has_art ? request->art : NULL, sheet,
                                        request->bare);
    }
    if (status == LVL_OK)
        status = add_arrows(scene, level, lvl_text_of(name));
    if (status == LVL_OK)
        status = lvl_scene_arrange(scene, false);
    if (status != LVL_OK)
        return lvl_scene_fail(scene, status);
    *out = scene;
    return LVL_OK;
}
