/*
 * tiled/plan.c: layers and objects for the records of a document.
 */
#include "base/search.h"
#include "tiled/plan.h"

#include <stdio.h>
#include <stdlib.h>

static const char *field_end(const char *name)
{
    const char *dot = strchr(name, '.');

    return dot ? dot : name + strlen(name);
}

/* Finds a field by a name of the layout; NULL: no field. */
static plan_field find(const lvl_table *table, const char *name)
{
    plan_field f = {.name = lvl_text_of(name), .table = table};

    if (!name)
        return f;
    const char *end = field_end(name);
    f.field = lvl_table_find(table, (lvl_text){name, (size_t)(end - name)});
    if (*end && f.field && f.field->table) {
        f.outer = f.field;
        f.offset = f.field->offset;
        f.table = f.outer->table;
        f.field = lvl_table_find(f.outer->table, lvl_text_of(end + 1));
    }
    return f;
}

static bool is_one_of(const plan_field *f, const plan_field *const *others)
{
    for (; *others; others++) {
        if ((*others)->field == f->field && (*others)->offset == f->offset)
            return true;
    }
    return false;
}

static bool add_field(lvl_arena *arena, plan_fields *to, plan_field f)
{
    plan_field *at = tiled_push(arena, &to->items, &to->count, &to->cap, sizeof *at);

    if (at)
        *at = f;
    return at != NULL;
}

static lvl_text dotted(lvl_arena *arena, const char *a, const char *b)
{
    const size_t len = strlen(a) + 1 + strlen(b);
    char *name = lvl_arena_raw(arena, len + 1);

    if (name)
        snprintf(name, len + 1, "%s.%s", a, b);
    return (lvl_text){name, len};
}

static bool is_plain(const lvl_field *f)
{
    return (f->role == LVL_VALUE || f->role == LVL_UNKNOWN) && f->kind != LVL_CELLS;
}

/* All fields of a table but `others`; lists and bytes only with `lists`. */
static lvl_status list_fields(lvl_arena *arena, plan_fields *to, const lvl_table *table, bool lists,
                              const plan_field *const *others)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        plan_field f = {lvl_text_of(table->fields[i].name), &table->fields[i], NULL, 0, table};
        if (!is_plain(f.field) || is_one_of(&f, others))
            continue;
        if (f.field->kind == LVL_RECORD) {
            const lvl_table *inner = f.field->table;
            for (uint32_t k = 0; k < inner->field_count; k++) {
                plan_field in = {dotted(arena, f.field->name, inner->fields[k].name), &inner->fields[k],
                                 f.field, f.field->offset, inner};
                if (!in.name.ptr)
                    return LVL_ERR_MEMORY;
                if (is_plain(in.field) && !is_one_of(&in, others) && !add_field(arena, to, in))
                    return LVL_ERR_MEMORY;
            }
        } else if (lists || (f.field->kind != LVL_LIST && f.field->kind != LVL_BYTES)) {
            if (!add_field(arena, to, f))
                return LVL_ERR_MEMORY;
        }
    }
    return LVL_OK;
}

/* The fields of the root that the layout names beyond the plain ones. */
static lvl_status list_values(tiled_plan *plan, const char *names)
{
    while (names && *names) {
        const size_t len = strcspn(names, " ");
        const lvl_text name = {names, len};
        const plan_field f = {name, lvl_table_find(plan->doc->format->table, name), NULL, 0,
                              plan->doc->format->table};
        if (f.field && !add_field(plan->arena, &plan->root_fields, f))
            return LVL_ERR_MEMORY;
        names += len + strspn(names + len, " ");
    }
    return LVL_OK;
}

static lvl_status plan_objects_of(tiled_plan *plan, plan_objects *o, const lvl_map_list *how,
                                  const lvl_table *owner)
{
    const lvl_field *list = lvl_table_find(owner, lvl_text_of(how->list));

    if (!list || !list->table)
        return LVL_ERR_UNSUPPORTED;
    const lvl_table *t = list->table;
    o->how = how;
    o->table = t;
    o->type = find(t, how->type_field);
    o->name = find(t, how->name);
    o->x = find(t, how->x);
    o->y = find(t, how->y);
    o->width = find(t, how->width);
    o->height = find(t, how->height);
    o->flip = find(t, how->flip);
    o->unique = find(t, how->unique);
    o->links = find(t, how->links);
    o->numbered = o->unique.field && o->unique.field->kind == LVL_INT;
    const plan_field *const others[] = {&o->type, &o->name,  &o->x,
                                        &o->y,    &o->width, &o->height,
                                        &o->flip, &o->links, o->numbered ? &o->unique : &o->links,
                                        NULL};
    return list_fields(plan->arena, &o->fields, t, true, others);
}

/* The tables' fields, all but the layers themselves. */
static lvl_status find_fields(tiled_plan *plan)
{
    const lvl_map_layout *layout = plan->layout;
    const lvl_map_grid *grid = layout->grid;
    const lvl_table *root = plan->doc->format->table;

    plan->grid_list = lvl_table_find(root, lvl_text_of(grid->list));
    if (!plan->grid_list || !plan->grid_list->table)
        return LVL_ERR_UNSUPPORTED;
    const lvl_table *item = plan->grid_list->table;
    plan->cells = find(item, grid->cells).field;
    plan->squares = find(item, grid->squares).field;
    if (plan->squares) {
        plan->key = find(plan->squares->table, grid->key);
        plan->key_x = find(plan->squares->table, grid->key_x);
        plan->key_y = find(plan->squares->table, grid->key_y);
        plan->pixels = find(plan->squares->table, grid->pixels);
    }
    plan->grid_name = find(item, grid->name);
    plan->cell_width = find(item, grid->cell_width);
    plan->cell_height = find(item, grid->cell_height);
    plan->parallax_x = find(item, grid->parallax_x);
    plan->parallax_y = find(item, grid->parallax_y);
    plan->start_x = find(root, layout->start_x);
    plan->start_y = find(root, layout->start_y);
    plan->tiles = find(root, layout->tiles).field;
    plan->color = plan->tiles ? find(plan->tiles->table, layout->color) : (plan_field){0};
    plan->objects = lvl_arena_array(plan->arena, layout->list_count, sizeof *plan->objects);
    if (!plan->objects)
        return LVL_ERR_MEMORY;
    plan_field lists[4];
    memset(lists, 0, sizeof lists);
    lists[0].field = plan->squares;
    uint32_t found = 1;
    lvl_status status = LVL_OK;
    for (uint32_t i = 0; i < layout->list_count && status == LVL_OK; i++) {
        const lvl_map_list *how = &layout->lists[i];
        status = plan_objects_of(plan, &plan->objects[i], how, how->in_grid ? item : root);
        if (how->in_grid && found < LVL_COUNT_OF(lists))
            lists[found++] = find(item, how->list);
    }
    const plan_field *const of_grid[] = {&plan->grid_name, &plan->parallax_x, &plan->parallax_y, &lists[0],
                                         &lists[1],        &lists[2],         &lists[3],         NULL};
    const plan_field *const of_root[] = {&plan->start_x, &plan->start_y, NULL}, *const none[] = {NULL};
    if (status == LVL_OK)
        status = list_fields(plan->arena, &plan->grid_fields, item, true, of_grid);
    if (status == LVL_OK)
        status = list_fields(plan->arena, &plan->root_fields, root, false, of_root);
    if (status == LVL_OK)
        status = list_values(plan, layout->values);
    if (status == LVL_OK && plan->tiles)
        status = list_fields(plan->arena, &plan->tile_fields, plan->tiles->table, true, none);
    return status;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;

    return p < q ? -1 : p > q;
}

/* The numbers that the level itself has for the items serve as ids where they can: all different, behind the
 * ids that are given already, and not too large for a table of them. */
static bool number_list(tiled_plan *plan, plan_list *l)
{
    enum { MOST = 1 << 22 };
    const plan_field *f = &l->objects->unique;

    if (!l->count || !l->objects->numbered)
        return true;
    uint32_t *own = lvl_arena_array(plan->arena, l->count, sizeof *own);
    uint64_t *sorted = lvl_arena_array(plan->arena, l->count, sizeof *sorted);
    if (!own || !sorted)
        return false;
    for (uint32_t i = 0; i < l->count; i++) {
        const int64_t id = plan_int(lvl_list_item(l->owner, l->list, i), f);
        if (id < plan->next_object || id > MOST)
            return true;
        own[i] = (uint32_t)id;
        sorted[i] = (uint64_t)id << 32 | i;
    }
    qsort(sorted, l->count, sizeof *sorted, by_number);
    for (uint32_t i = 1; i < l->count; i++) {
        if (sorted[i] >> 32 == sorted[i - 1] >> 32)
            return true;
    }
    l->own = own;
    l->own_sorted = sorted;
    plan->next_object = (uint32_t)(sorted[l->count - 1] >> 32) + 1;
    return true;
}

static bool add_list(tiled_plan *plan, const plan_objects *objects, void *owner, const lvl_table *table,
                     uint32_t grid, lvl_text name)
{
    plan_list *l = tiled_push(plan->arena, &plan->lists, &plan->list_count, &plan->list_cap, sizeof *l);

    if (!l)
        return false;
    l->objects = objects;
    l->owner = owner;
    l->list = lvl_table_find(table, lvl_text_of(objects->how->list));
    l->grid = grid;
    l->layer = plan->next_layer++;
    l->name = name;
    l->first = plan->next_object;
    l->count = lvl_field_present(owner, l->list) ? lvl_list_count(owner, l->list) : 0;
    if (!number_list(plan, l))
        return false;
    if (!l->own)
        plan->next_object += l->count;
    return true;
}

/* The lists of the root, or of a grid's item: of the main one all, of others those with items. */
static bool add_lists(tiled_plan *plan, const plan_grid *g)
{
    const lvl_map_layout *layout = plan->layout;

    for (uint32_t i = 0; i < layout->list_count; i++) {
        const lvl_map_list *how = &layout->lists[i];
        const plan_objects *o = &plan->objects[i];
        lvl_text name = lvl_text_of(how->layer);
        if (how->in_grid != (g != NULL))
            continue;
        const lvl_table *table = g ? plan->grid_list->table : plan->doc->format->table;
        void *owner = g ? g->item : plan->doc->root;
        const lvl_field *list = lvl_table_find(table, lvl_text_of(how->list));
        if (!lvl_field_present(owner, list))
            continue;
        if (g && g->index != plan->main) {
            if (!lvl_list_count(owner, list))
                continue;
            char *text = lvl_arena_raw(plan->arena, g->name.len + name.len + 2);
            if (!text)
                return false;
            snprintf(text, g->name.len + name.len + 2, "%.*s %s", (int)g->name.len, g->name.ptr, how->layer);
            name = (lvl_text){text, g->name.len + name.len + 1};
        }
        if (!add_list(plan, o, owner, table, g ? g->index : UINT32_MAX, name))
            return false;
    }
    return true;
}

static bool name_grid(tiled_plan *plan, plan_grid *g)
{
    char *text;

    if (plan->grid_name.field) {
        const lvl_text own = lvl_get_text(plan_record(g->item, &plan->grid_name), plan->grid_name.field);
        if (own.len) {
            g->name = tiled_show_text(plan->arena, plan->doc->codepage, own);
            return g->name.ptr != NULL;
        }
    }
    text = lvl_arena_raw(plan->arena, 64);
    if (!text)
        return false;
    if (!g->index && plan->layout->grid->first)
        snprintf(text, 64, "%s", plan->layout->grid->first);
    else
        snprintf(text, 64, "%s %lu", plan->layout->grid->layer, (unsigned long)g->index);
    g->name = lvl_text_of(text);
    return true;
}

lvl_status tiled_plan_make(tiled_plan *plan, lvl_doc *doc, lvl_arena *arena)
{
    *plan = (tiled_plan){.arena = arena, .doc = doc, .layout = doc->format->calls->map_layout};
    if (!plan->layout || !plan->layout->grid)
        return LVL_ERR_UNSUPPORTED;
    lvl_status status = find_fields(plan);
    if (status != LVL_OK)
        return status;
    plan->next_layer = plan->next_object = 1;
    plan->main = plan->layout->grid->main ? plan->layout->grid->main(doc->root) : 0;
    plan->grid_count = lvl_list_count(doc->root, plan->grid_list);
    plan->grids = lvl_arena_array(arena, plan->grid_count, sizeof *plan->grids);
    if (!plan->grids)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < plan->grid_count; i++) {
        plan_grid *g = &plan->grids[i];
        g->index = i;
        g->item = lvl_item_at(doc->root, plan->grid_list, i);
        g->layer = plan->next_layer++;
        if (!name_grid(plan, g) || !add_lists(plan, g))
            return LVL_ERR_MEMORY;
    }
    if (!add_lists(plan, NULL))
        return LVL_ERR_MEMORY;
    if (plan->start_x.field) {
        plan->start_layer = plan->next_layer++;
        plan->start_object = plan->next_object++;
    }
    return LVL_OK;
}

bool plan_present(const void *record, const plan_field *f)
{
    return f->field && (!f->outer || lvl_field_present(record, f->outer)) &&
           lvl_field_present(plan_record(record, f), f->field);
}

int64_t plan_int(const void *record, const plan_field *f)
{
    return f->field ? lvl_get_int(plan_record(record, f), f->field) : 0;
}

double plan_number(const void *record, const plan_field *f)
{
    if (!f->field)
        return 0;
    return f->field->kind == LVL_REAL ? lvl_get_real(plan_record(record, f), f->field)
                                      : (double)plan_int(record, f);
}

uint32_t plan_object_id(const plan_list *list, int64_t index)
{
    if (index < 0 || index >= (list->ids ? list->id_count : list->count))
        return 0;
    return list->ids ? list->ids[index] : list->own ? list->own[index] : list->first + (uint32_t)index;
}

uint32_t plan_index_of_id(const plan_list *list, uint32_t id)
{
    size_t at;

    if (!list->own)
        return id >= list->first && id - list->first < list->count ? id - list->first : LVL_NO_INDEX;
    LVL_LOWER_BOUND(at, list->count, list->own_sorted[at] >> 32 < id);
    return at < list->count && list->own_sorted[at] >> 32 == id ? (uint32_t)list->own_sorted[at]
                                                                : LVL_NO_INDEX;
}

const plan_list *plan_reference(const tiled_plan *plan, const lvl_field *field)
{
    for (uint32_t i = 0; field->ref && i < plan->list_count; i++) {
        const plan_list *l = &plan->lists[i];
        if (l->grid == UINT32_MAX && strcmp(l->list->name, field->ref) == 0)
            return l;
    }
    return NULL;
}

uint32_t tiled_value_of_tile(const lvl_map_grid *grid, uint32_t tile)
{
    if (!grid->block_columns || !grid->columns)
        return tile;
    const uint32_t row = tile / grid->columns, column = tile % grid->columns;
    const uint32_t block = column / grid->block_columns;
    return (block * grid->block_rows + row) * grid->block_columns + column % grid->block_columns;
}

uint32_t tiled_tile_of_value(const lvl_map_grid *grid, uint32_t value)
{
    if (!grid->block_columns || !grid->columns)
        return value;
    const uint32_t row = value / grid->block_columns % grid->block_rows;
    const uint32_t block = value / grid->block_columns / grid->block_rows;
    return row * grid->columns + block * grid->block_columns + value % grid->block_columns;
}
