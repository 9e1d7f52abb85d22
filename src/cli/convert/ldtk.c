/*
 * cli/convert/ldtk.c: `lvl convert --to ldtk`: a level in the form of the "super simple export" of the editor
 * LDtk, a folder with
 *
 *     _composite.png    the layers as the game shows them, without things
 *     LAYER.png         each layer by itself
 *     Collision.csv     how the main layer behaves, a number for each square of collisionGrid px
 *     data.json         the level, and its things by their kinds ("entities")
 *
 * The numbers of a table end with a comma, also the last one of a row, as those of LDtk do.
 */
#include "cli/convert/layers.h"
#include "render/looks.h"
#include "tools/paths/objects.h"
#include "tools/values/json_write.h"

#include "base/hash.h"
#include "base/sha.h"
#include "base/text.h"
#include "base/work.h"

#include <lvl/render.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLLISION "Collision"

/* ---- collision ---------------------------------------------------------------------------------------- */

/* The number of a class in the table: 0 is what players pass. */
static unsigned number_of(lvl_tile_class look)
{
    return look < LVL_LOOK_SOLID ? 0 : (unsigned)look - LVL_LOOK_SOLID + 1;
}

/* A table of numbers as it is written. */
typedef struct collision {
    lvl_rows rows;
    lvl_writer *out;
    uint32_t width;
    char *line;
} collision;

static lvl_status begin_table(lvl_rows *rows, const lvl_picture *picture)
{
    collision *c = (collision *)(void *)rows;

    c->width = picture->width;
    c->line = malloc((size_t)c->width * 3 + 1);
    return c->line ? LVL_OK : LVL_ERR_MEMORY;
}

static lvl_status put_rows(lvl_rows *rows, const uint8_t *looks, uint32_t count)
{
    collision *c = (collision *)(void *)rows;
    lvl_status status = LVL_OK;

    for (uint32_t y = 0; y < count && status == LVL_OK; y++) {
        size_t len = 0;
        for (uint32_t x = 0; x < c->width; x++) {
            const unsigned n = number_of((lvl_tile_class)*looks++);
            if (n > 9)
                c->line[len++] = (char)('0' + n / 10);
            c->line[len++] = (char)('0' + n % 10);
            c->line[len++] = ',';
        }
        c->line[len++] = '\n';
        status = c->out->write(c->out, c->line, len);
    }
    return status;
}

static lvl_status end_table(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

/* NULL: the scene has none. */
static const lvl_scene_layer *main_layer(const cli_layers *l)
{
    const lvl_scene *s = l->scene;

    return s->main_layer < s->layer_count ? &s->layers[s->main_layer] : NULL;
}

static lvl_status put_collision(const cli_layers *l, lvl_writer *out, const void *what)
{
    collision c = {.rows = {begin_table, put_rows, end_table}, .out = out};
    (void)what;

    const lvl_status status = lvl_looks_draw(l->scene, &l->area, &c.rows);
    free(c.line);
    return status;
}

static bool write_collision(const cli_layers *l)
{
    return !main_layer(l) || l->area.right < l->area.left || l->area.bottom < l->area.top ||
           cli_layers_file(l, COLLISION, "csv", put_collision, NULL);
}

/* ---- pictures ----------------------------------------------------------------------------------------- */

static lvl_status put_picture(const cli_layers *l, lvl_writer *out, const void *options)
{
    return lvl_render_png(l->scene, options, out);
}

/* The name of a layer's file: that of the document's layer, or that of the scene's own ("paper"). NULL
 * without memory. */
static char *picture_of(const cli_layers *l, const lvl_scene_layer *layer)
{
    const uint32_t index = cli_layers_shown(l, layer);
    char *name = index < l->count ? cli_copy(l->names[index])
                                  : cli_format("%.*s", (int)layer->name.len, layer->name.ptr);
    char *safe = name && index == l->count ? cli_safe_name(name) : name;

    if (safe != name)
        free(name);
    return safe;
}

/* The pictures, whose names are noted for data.json. False: one of them is not there. */
static bool write_pictures(const cli_layers *l, lvl_buffer *names)
{
    lvl_render_options options;

    lvl_render_options_init(&options);
    options.no_things = true;
    bool good = cli_layers_file(l, CLI_COMPOSITE, "png", put_picture, &options);
    options.view = LVL_VIEW_LAYER;
    options.transparent = true;
    for (uint32_t i = 0; i < l->scene->layer_count && good; i++) {
        const lvl_scene_layer *layer = &l->scene->layers[i];
        char *name = layer->columns && layer->rows ? picture_of(l, layer) : NULL;
        if (!layer->columns || !layer->rows)
            continue;
        if (!name)
            cli_job_status(l->job, LVL_ERR_MEMORY, NULL, NULL);
        options.layer = i;
        good =
            name && !cli_stopped() && !l->job->full && cli_layers_file(l, name, "png", put_picture, &options);
        if (good) {
            lvl_buffer_str(names, names->len ? "," : "");
            lvl_json_string(names, lvl_text_of(name));
            if (names->status == LVL_OK)
                names->len--; /* before the quote */
            lvl_buffer_str(names, ".png\"");
        }
        free(name);
    }
    return good;
}

/* ---- things ------------------------------------------------------------------------------------------- */

/* A thing of the document. */
typedef struct entity {
    lvl_text kind; /* in the document's code page */
    const lvl_map_objects *objects;
    const void *item;
    lvl_where where;
    uint32_t order;
} entity;

typedef struct entities {
    lvl_map_objects lists[LVL_MAP_LISTS];
    entity *items;
    size_t count, cap;
} entities;

static const void *inner(const void *item, const lvl_field *outer)
{
    return (const uint8_t *)item + (outer ? outer->offset : 0);
}

/* What a thing is: its class, or the name of its list's items. */
static lvl_text kind_of(const lvl_map_objects *objects, const void *item)
{
    const lvl_field *outer, *f = lvl_field_with_role(objects->list->table, LVL_ROLE_CLASS, &outer);
    const void *record = f ? inner(item, outer) : NULL;
    lvl_text kind = {0};

    if (f && f->kind == LVL_TEXT && lvl_field_present(record, f))
        kind = lvl_get_text(record, f);
    else if (f && f->kind == LVL_INT && f->names && lvl_name_of(f->names, lvl_get_int(record, f)))
        kind = lvl_text_of(lvl_name_of(f->names, lvl_get_int(record, f)));
    if (kind.len)
        return kind;
    return lvl_text_of(objects->type ? objects->type : objects->list->table->name);
}

static lvl_status add_entity(void *user, const lvl_map_objects *objects, void *layer, const lvl_where *where,
                             void *item)
{
    entities *e = user;
    (void)layer;

    if (!lvl_grow(&e->items, &e->cap, e->count + 1, sizeof *e->items))
        return LVL_ERR_MEMORY;
    const lvl_map_objects *kept = e->lists;
    while (kept->list != objects->list)
        kept++;
    e->items[e->count] = (entity){kind_of(objects, item), kept, item, *where, (uint32_t)e->count};
    e->count++;
    return LVL_OK;
}

static int by_kind(const void *a, const void *b)
{
    const entity *p = a, *q = b;
    const size_t len = p->kind.len < q->kind.len ? p->kind.len : q->kind.len;
    const int order = len ? memcmp(p->kind.ptr, q->kind.ptr, len) : 0;

    if (order || p->kind.len != q->kind.len)
        return order ? order : p->kind.len < q->kind.len ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

/* A number that is always the same for a place in a level, in the form of a UUID. */
static void put_id(lvl_buffer *out, const char *key, const cli_layers *l, const char *place)
{
    uint8_t hash[32];
    char text[40];
    char *name = cli_format("%s//%s", l->job->input->rel, place);

    if (!name) {
        out->status = LVL_ERR_MEMORY;
        return;
    }
    lvl_sha256((lvl_bytes){(const uint8_t *)name, strlen(name)}, hash);
    free(name);
    hash[6] = (uint8_t)((hash[6] & 0x0F) | 0x80); /* version 8: made as one likes */
    hash[8] = (uint8_t)((hash[8] & 0x3F) | 0x80);
    for (size_t i = 0, at = 0; i < 16; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%02x",
                               i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", hash[i]);
    lvl_json_put_string(out, key, text);
}

/* A number of a thing in px; `role`: of its field. */
static int64_t px_of(const entity *e, unsigned role, int64_t usual)
{
    const lvl_field *outer, *f = lvl_field_with_role(e->objects->list->table, role, &outer);
    const void *record = f ? inner(e->item, outer) : NULL;
    double n = 0;

    if (!f || !lvl_field_present(record, f) || (f->kind != LVL_INT && f->kind != LVL_REAL))
        return usual;
    n = (f->kind == LVL_REAL ? lvl_get_real(record, f) : (double)lvl_get_int(record, f)) * e->objects->unit;
    return fabs(n) < 1e15 ? llround(n) : usual; /* NaN, too */
}

static uint64_t color_of(const char *hex)
{
    return hex ? strtoull(hex + 1, NULL, 16) : 0xFFFFFF;
}

/* By the item and, of a list in another one, the item that has that. */
static uint64_t hash_of(const lvl_hash_seed *seed, uint32_t outer, uint32_t index)
{
    return lvl_hash_u64(seed, (uint64_t)outer << 32 | index);
}

/* The first picture of a thing on the scene, for the size of things that have none of their own. */
static const lvl_scene_thing *find_thing(const cli_layers *l, const lvl_hash *index, const entity *e)
{
    const lvl_step *last = &e->where.steps[e->where.depth - 1];
    const uint32_t outer = e->where.depth > 1 ? e->where.steps[0].index : 0;
    const uint64_t hash = hash_of(&index->seed, outer, last->index);

    for (lvl_hash_at at = lvl_hash_first(index, hash); at.found; at = lvl_hash_next(index, at)) {
        const lvl_scene_thing *t = &l->scene->things[at.index];
        if (t->index == last->index && t->list->depth == e->where.depth &&
            t->list->steps[t->list->depth - 1].field == last->field &&
            (e->where.depth < 2 || t->list->steps[0].index == outer))
            return t;
    }
    return NULL;
}

static lvl_status index_things(const cli_layers *l, lvl_hash *index)
{
    lvl_status status = LVL_OK;

    lvl_hash_init(index);
    for (uint32_t i = 0; i < l->scene->thing_count && status == LVL_OK; i++) {
        const lvl_scene_thing *t = &l->scene->things[i];
        if (t->list && t->image)
            status = lvl_hash_add(
                index, hash_of(&index->seed, t->list->depth > 1 ? t->list->steps[0].index : 0, t->index), i);
    }
    return status;
}

static void put_entity(const cli_layers *l, const lvl_hash *things, const entity *e, lvl_buffer *out)
{
    const lvl_map_list *how = e->objects->how;
    const lvl_scene_thing *thing = find_thing(l, things, e);
    lvl_emit w = lvl_emit_of(l->job->doc, out);
    char where[256];

    w.compact = true;
    w.no_kept = true;
    lvl_where_text(&e->where, where, sizeof where);
    lvl_buffer_str(out, "\n\t\t\t{");
    lvl_json_key(out, "id");
    lvl_json_text(out, lvl_doc_codepage(l->job->doc), e->kind);
    put_id(out, "iid", l, where);
    lvl_json_put_string(out, "layer", e->objects->list->name);
    lvl_json_put_int(out, "x", px_of(e, LVL_ROLE_X, 0) + l->scene->zero_x - l->area.left);
    lvl_json_put_int(out, "y", px_of(e, LVL_ROLE_Y, 0) + l->scene->zero_y - l->area.top);
    const bool part = thing && thing->has_part;
    const int64_t width = part    ? (int64_t)thing->part.right - thing->part.left + 1
                          : thing ? thing->image->width
                                  : 0;
    const int64_t height = part    ? (int64_t)thing->part.bottom - thing->part.top + 1
                           : thing ? thing->image->height
                                   : 0;
    lvl_json_put_int(out, "width", px_of(e, LVL_ROLE_WIDTH, how->fixed_width ? how->fixed_width : width));
    lvl_json_put_int(out, "height",
                     px_of(e, LVL_ROLE_HEIGHT, how->fixed_height ? how->fixed_height : height));
    lvl_json_put_uint(out, "color", color_of(how->color));
    lvl_json_key(out, "customFields");
    lvl_write_record(&w, e->item, e->objects->list->table, 0);
    lvl_buffer_u8(out, '}');
}

static void put_start(const cli_layers *l, lvl_buffer *out)
{
    lvl_json_open(out, "Start", '[');
    lvl_buffer_str(out, "\n\t\t\t{");
    lvl_json_put_string(out, "id", "Start");
    put_id(out, "iid", l, "start");
    lvl_json_put_string(out, "layer", "start");
    lvl_json_put_int(out, "x", (int64_t)l->scene->start_x - l->area.left);
    lvl_json_put_int(out, "y", (int64_t)l->scene->start_y - l->area.top);
    lvl_json_put_int(out, "width", 0);
    lvl_json_put_int(out, "height", 0);
    lvl_json_put_uint(out, "color", 0xFFFFFF);
    lvl_json_open(out, "customFields", '{');
    lvl_buffer_str(out, "}}]");
}

static lvl_status put_entities(const cli_layers *l, lvl_buffer *out)
{
    entities e = {0};
    lvl_hash things;

    lvl_map_objects_of(lvl_doc_format(l->job->doc), e.lists);
    lvl_status status = index_things(l, &things);
    if (status == LVL_OK)
        status = lvl_objects_visit(l->job->doc, add_entity, &e);
    if (status == LVL_OK && e.count)
        qsort(e.items, e.count, sizeof *e.items, by_kind);
    lvl_json_open(out, "entities", '{');
    if (lvl_field_with_role(lvl_doc_format(l->job->doc)->table, LVL_ROLE_START_X, NULL))
        put_start(l, out);
    for (size_t i = 0; i < e.count && status == LVL_OK; i++) {
        if (!i || !lvl_text_equal(e.items[i].kind, e.items[i - 1].kind)) {
            lvl_buffer_str(out, i ? "]" : "");
            lvl_json_next(out);
            lvl_buffer_str(out, "\n\t\t");
            lvl_json_text(out, lvl_doc_codepage(l->job->doc), e.items[i].kind);
            lvl_buffer_str(out, ":[");
        } else {
            lvl_buffer_u8(out, ',');
        }
        put_entity(l, &things, &e.items[i], out);
    }
    lvl_buffer_str(out, e.count ? "]}" : "}");
    free(e.items);
    lvl_hash_free(&things);
    return status == LVL_OK ? out->status : status;
}

/* ---- data.json ---------------------------------------------------------------------------------------- */

/* The level's own settings: texts and numbers of the root. */
static void put_settings(const cli_layers *l, lvl_buffer *out)
{
    const lvl_scene_layer *main = main_layer(l);
    const lvl_table *table = lvl_doc_format(l->job->doc)->table;
    const void *root = lvl_doc_croot(l->job->doc);
    const lvl_emit w = lvl_emit_of(l->job->doc, out);
    const unsigned possible = lvl_looks_possible(l->scene);

    lvl_json_open(out, "customFields", '{');
    lvl_json_put_string(out, "format", lvl_doc_format(l->job->doc)->id);
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        const bool plain =
            f->kind == LVL_INT || f->kind == LVL_REAL || (f->kind == LVL_TEXT && !(f->flags & LVL_F_LINES));
        if (!plain || f->role != LVL_VALUE || !lvl_field_present(root, f) || lvl_field_is_default(root, f))
            continue;
        lvl_json_key(out, f->name);
        lvl_write_value(&w, root, f, 0);
    }
    if (main) {
        lvl_json_put_uint(out, "collisionGrid", lvl_looks_grid(main));
        lvl_json_open(out, "collisionValues", '{');
        for (unsigned look = LVL_LOOK_SOLID; look < LVL_LOOK_COUNT; look++) {
            char number[8];
            if (!(possible >> look & 1))
                continue;
            snprintf(number, sizeof number, "%u", number_of((lvl_tile_class)look));
            lvl_json_put_string(out, number, lvl_looks_name(l->scene, (lvl_tile_class)look));
        }
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, '}');
}

static lvl_status put_bytes(const cli_layers *l, lvl_writer *out, const void *bytes)
{
    const lvl_buffer *data = bytes;
    (void)l;

    return out->write(out, data->data, data->len);
}

static void write_data(const cli_layers *l, const lvl_buffer *pictures)
{
    char *stem = cli_stem_of(l->job->input->rel);
    const int64_t width = (int64_t)l->area.right - l->area.left + 1,
                  height = (int64_t)l->area.bottom - l->area.top + 1;
    lvl_buffer out = {.max = lvl_memory_share(&l->job->ctx)};

    lvl_buffer_str(&out, "{\n");
    lvl_json_put_string(&out, "identifier", stem ? stem : "");
    put_id(&out, "uniqueIdentifer", l, ""); /* as LDtk spells it */
    lvl_json_put_int(&out, "x", 0);
    lvl_json_put_int(&out, "y", 0);
    lvl_json_put_int(&out, "width", width > 0 ? width : 0);
    lvl_json_put_int(&out, "height", height > 0 ? height : 0);
    lvl_json_put_string(&out, "bgColor", l->grid->background ? l->grid->background : "#000000");
    lvl_json_open(&out, "neighbourLevels", '[');
    lvl_buffer_str(&out, "]");
    put_settings(l, &out);
    lvl_json_open(&out, "layers", '[');
    lvl_buffer_add(&out, pictures->data, pictures->len);
    lvl_buffer_u8(&out, ']');
    lvl_status status = stem ? put_entities(l, &out) : LVL_ERR_MEMORY;
    lvl_buffer_str(&out, "\n}\n");
    if (status == LVL_OK)
        status = pictures->status != LVL_OK ? pictures->status : lvl_buffer_outcome(&l->job->ctx, &out);
    cli_job_status(l->job, status, NULL, NULL);
    if (status == LVL_OK)
        cli_layers_file(l, "data", "json", put_bytes, &out);
    lvl_buffer_free(&out);
    free(stem);
}

/* Whether the scene shows all layers: of a doodad it shows one frame. */
static bool shows_all(const cli_layers *l)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < l->scene->layer_count; i++)
        shown += cli_layers_shown(l, &l->scene->layers[i]) < l->count;
    return shown == l->count;
}

void cli_write_ldtk(cli_job *job, const cli_convert *p)
{
    lvl_buffer pictures = {0};
    cli_layers l;

    if (cli_layers_begin(&l, job, p, true)) {
        if (!shows_all(&l)) {
            cli_report_not_converted(
                job, "cannot convert a drawing of several pictures to ldtk: expected a level");
        } else if (write_pictures(&l, &pictures) && write_collision(&l) && !cli_stopped() && !job->full) {
            write_data(&l, &pictures);
        }
    }
    lvl_buffer_free(&pictures);
    cli_layers_end(&l);
}
