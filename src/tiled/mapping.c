/*
 * tiled/mapping.c: the layers and objects of a document's map.
 */
#include "base/search.h"
#include "tiled/mapping.h"

#include <stdlib.h>

/* The field with a role; `field` is NULL if there is none. */
static plan_field find_role(const tiled_plan *plan, const lvl_table *table, unsigned role)
{
    plan_field f = {.table = table, .whole = table};

    f.field = lvl_field_with_role(table, role, &f.outer);
    if (f.field)
        f.name = lvl_text_of(f.field->name);
    if (f.field && f.outer) {
        f.name = tiled_printf(plan->arena, "%s.%s", f.outer->name, f.field->name);
        f.offset = f.outer->offset;
        f.table = f.outer->table;
    }
    return f;
}

static void add_field(const tiled_plan *plan, plan_fields *to, plan_field f)
{
    plan_field *at = TILED_PUSH(plan->arena, to);

    if (at)
        *at = f;
}

/* The same for a field that is not to become a property. */
static plan_field find_role_shown(tiled_plan *plan, const lvl_table *table, unsigned role)
{
    const plan_field f = find_role(plan, table, role);

    if (f.field)
        add_field(plan, &plan->shown, f);
    return f;
}

static bool is_property(const tiled_plan *plan, const plan_field *f)
{
    for (uint32_t i = 0; i < plan->shown.count; i++) {
        if (plan->shown.items[i].field == f->field && plan->shown.items[i].outer == f->outer)
            return false;
    }
    return (f->field->role == LVL_VALUE || f->field->role == LVL_UNKNOWN) && f->field->kind != LVL_CELLS;
}

/* Lists all fields of a table that become properties, including those of inner records; lists and bytes only
 * with `lists`. */
static void list_fields(tiled_plan *plan, plan_fields *to, const lvl_table *table, bool lists)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const plan_field f = {lvl_text_of(table->fields[i].name), &table->fields[i], NULL, 0, table, table};
        const bool is_list = f.field->kind == LVL_LIST || f.field->kind == LVL_BYTES;
        const lvl_table *inner = f.field->kind == LVL_RECORD ? f.field->table : NULL;
        if (!is_property(plan, &f) || (is_list && !lists))
            continue;
        if (!inner)
            add_field(plan, to, f);
        for (uint32_t k = 0; inner && k < inner->field_count; k++) {
            plan_field in = {{NULL, 0}, &inner->fields[k], f.field, f.field->offset, inner, table};
            in.name = tiled_printf(plan->arena, "%s.%s", f.field->name, in.field->name);
            if (is_property(plan, &in))
                add_field(plan, to, in);
        }
    }
}

/* Lists of the root that become properties, too. */
static void list_values(tiled_plan *plan)
{
    const lvl_table *root = plan->doc->format->table;

    for (uint32_t i = 0; i < root->field_count; i++) {
        const plan_field f = {lvl_text_of(root->fields[i].name), &root->fields[i], NULL, 0, root, root};
        if (f.field->roles & LVL_ROLE_PROPERTY)
            add_field(plan, &plan->root_fields, f);
    }
}

static void plan_objects_of(tiled_plan *plan, plan_objects *o)
{
    const lvl_table *t = o->of.list->table;

    add_field(plan, &plan->shown, (plan_field){.field = o->of.list});
    o->type = find_role_shown(plan, t, LVL_ROLE_CLASS);
    o->name = find_role_shown(plan, t, LVL_ROLE_NAME);
    o->picture = find_role(plan, t, LVL_ROLE_PICTURE);
    o->picture_number = find_role(plan, t, LVL_ROLE_NUMBER);
    o->order = find_role(plan, t, LVL_ROLE_ORDER);
    o->x = find_role_shown(plan, t, LVL_ROLE_X);
    o->y = find_role_shown(plan, t, LVL_ROLE_Y);
    o->width = find_role_shown(plan, t, LVL_ROLE_WIDTH);
    o->height = find_role_shown(plan, t, LVL_ROLE_HEIGHT);
    o->flip = find_role_shown(plan, t, LVL_ROLE_FLIP);
    o->links = find_role_shown(plan, t, LVL_ROLE_LINKS);
    o->unique = find_role(plan, t, LVL_ROLE_ID);
    o->numbered = o->unique.field && o->unique.field->kind == LVL_INT;
    if (o->numbered)
        find_role_shown(plan, t, LVL_ROLE_ID);
    list_fields(plan, &o->fields, t, true);
}

/* Finds the fields of the tables, except the layers themselves. */
static lvl_status find_fields(tiled_plan *plan)
{
    const lvl_table *root = plan->doc->format->table;
    lvl_map_objects objects[LVL_MAP_LISTS];

    plan->grid_list = lvl_map_layers(plan->doc->format);
    const lvl_table *item = plan->grid_list->table;
    plan->of = lvl_map_cells_of(item);
    if (plan->of.squares)
        add_field(plan, &plan->shown, (plan_field){.field = plan->of.squares});
    plan->grid_name = find_role_shown(plan, item, LVL_ROLE_NAME);
    plan->art = find_role(plan, item, LVL_ROLE_PICTURE);
    plan->cell_width = find_role(plan, item, LVL_ROLE_CELL_WIDTH);
    plan->cell_height = find_role(plan, item, LVL_ROLE_CELL_HEIGHT);
    plan->parallax_x = find_role_shown(plan, item, LVL_ROLE_PARALLAX_X);
    plan->parallax_y = find_role_shown(plan, item, LVL_ROLE_PARALLAX_Y);
    plan->start_x = find_role_shown(plan, root, LVL_ROLE_START_X);
    plan->start_y = find_role_shown(plan, root, LVL_ROLE_START_Y);
    const lvl_field *cells = plan->of.cells ? plan->of.cells : plan->of.pixels;
    plan->tiles = cells ? lvl_field_named(root, cells->ref) : NULL;
    plan->color = plan->tiles ? find_role(plan, plan->tiles->table, LVL_ROLE_COLOR) : (plan_field){0};
    plan->object_lists = lvl_map_objects_of(plan->doc->format, objects);
    plan->objects = lvl_arena_array(plan->arena, plan->object_lists, sizeof *plan->objects);
    for (uint32_t i = 0; plan->objects && i < plan->object_lists; i++) {
        plan->objects[i].of = objects[i];
        plan_objects_of(plan, &plan->objects[i]);
    }
    list_fields(plan, &plan->grid_fields, item, true);
    list_fields(plan, &plan->root_fields, root, false);
    list_values(plan);
    if (plan->tiles)
        list_fields(plan, &plan->tile_fields, plan->tiles->table, true);
    return tiled_arena_status(plan->arena, LVL_OK);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;

    return p < q ? -1 : p > q;
}

/* The level's own numbers of the items are used as ids if they are unique, not below the next free id, and
 * not too large for an array indexed by id. */
static void number_list(tiled_plan *plan, plan_list *l)
{
    enum { MAX_ID = 1 << 22 };
    uint32_t *own = lvl_arena_array(plan->arena, l->count, sizeof *own);
    uint64_t *sorted = lvl_arena_array(plan->arena, l->count, sizeof *sorted);

    for (uint32_t i = 0; own && sorted && i < l->count; i++) {
        const int64_t id = plan_int(lvl_list_item(l->owner, l->list, i), &l->objects->unique);
        if (id < plan->next_object || id > MAX_ID)
            return;
        own[i] = (uint32_t)id;
        sorted[i] = (uint64_t)id << 32 | i;
    }
    if (!own || !sorted)
        return;
    qsort(sorted, l->count, sizeof *sorted, by_number);
    for (uint32_t i = 1; i < l->count; i++) {
        if (sorted[i] >> 32 == sorted[i - 1] >> 32)
            return;
    }
    l->own = own;
    l->own_sorted = sorted;
}

/* Adds the lists of the root, or of a grid's item; of items other than the main one, only lists that are not
 * empty. */
static void add_lists(tiled_plan *plan, const plan_grid *g)
{
    void *owner = g ? g->item : plan->doc->root;
    const bool main = !g || g->index == plan->main;

    for (uint32_t i = 0; i < plan->object_lists; i++) {
        const lvl_field *list = plan->objects[i].of.list;
        if (plan->objects[i].of.in_layer != (g != NULL) || !lvl_field_present(owner, list) ||
            (!main && !lvl_list_count(owner, list)))
            continue;
        plan_list *l = TILED_PUSH(plan->arena, &plan->lists);
        if (!l)
            return;
        l->objects = &plan->objects[i];
        l->owner = owner;
        l->list = list;
        l->grid = g ? g->index : UINT32_MAX;
        l->layer = plan->next_layer++;
        l->name = main ? lvl_text_of(list->name)
                       : tiled_printf(plan->arena, "%.*s %s", (int)g->name.len, g->name.ptr, list->name);
        l->first = plan->next_object;
        l->count = lvl_list_count(owner, list);
        if (l->count && l->objects->numbered)
            number_list(plan, l);
        plan->next_object = l->own ? (uint32_t)(l->own_sorted[l->count - 1] >> 32) + 1 : l->first + l->count;
    }
}

static void name_grid(const tiled_plan *plan, plan_grid *g)
{
    const char *first = plan->grid->first;

    g->name = plan_text(plan, g->item, &plan->grid_name);
    if (!g->name.len && !g->index && first)
        g->name = lvl_text_of(first);
    else if (!g->name.len)
        g->name = tiled_printf(plan->arena, "%s %lu", plan->grid_list->table->name, (unsigned long)g->index);
}

lvl_status tiled_plan_make(tiled_plan *plan, lvl_doc *doc, lvl_arena *arena)
{
    *plan = (tiled_plan){.arena = arena,
                         .doc = doc,
                         .layout = lvl_map_layout_of(doc->format),
                         .grid = lvl_map_grid_of(doc->format)};
    if (!plan->grid)
        return LVL_ERR_UNSUPPORTED;
    lvl_status status = find_fields(plan);
    if (status != LVL_OK)
        return status;
    plan->next_layer = plan->next_object = 1;
    plan->main = plan->grid->main ? plan->grid->main(doc->root) : 0;
    plan->grid_count = lvl_list_count(doc->root, plan->grid_list);
    plan->grids = lvl_arena_array(arena, plan->grid_count, sizeof *plan->grids);
    for (uint32_t i = 0; i < plan->grid_count && !arena->failed; i++) {
        plan_grid *g = &plan->grids[i];
        g->index = g->at = i;
        g->item = lvl_item_at(doc->root, plan->grid_list, i);
        g->layer = plan->next_layer++;
        name_grid(plan, g);
        add_lists(plan, g);
    }
    add_lists(plan, NULL);
    if (plan->start_x.field) {
        plan->start_layer = plan->next_layer++;
        plan->start_object = plan->next_object++;
    }
    return tiled_arena_status(arena, LVL_OK);
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

uint32_t plan_cell_side(const tiled_plan *plan, const plan_grid *grid, const plan_field *f)
{
    const int64_t side = f->field ? plan_int(grid->item, f) : plan->grid->cell_size;

    return side > 0 && side <= 4096 ? (uint32_t)side : 64;
}

double plan_number(const void *record, const plan_field *f)
{
    if (!f->field)
        return 0;
    return f->field->kind == LVL_REAL ? lvl_get_real(plan_record(record, f), f->field)
                                      : (double)plan_int(record, f);
}

lvl_text plan_text(const tiled_plan *plan, const void *record, const plan_field *f)
{
    return f->field ? tiled_show_text(plan->arena, plan->doc->codepage,
                                      lvl_get_text(plan_record(record, f), f->field))
                    : (lvl_text){"", 0};
}

typedef struct drawn {
    int64_t z;
    uint32_t index;
} drawn;

static int by_z(const void *a, const void *b)
{
    const drawn *p = a, *q = b;

    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

uint32_t *plan_draw_order(const tiled_plan *plan, const plan_list *list)
{
    const plan_field *f = &list->objects->order;
    drawn *all = f->field ? lvl_arena_array(plan->arena, (size_t)list->count + 1, sizeof *all) : NULL;
    uint32_t *order = all ? lvl_arena_array(plan->arena, (size_t)list->count + 1, sizeof *order) : NULL;

    if (!order)
        return NULL;
    for (uint32_t i = 0; i < list->count; i++)
        all[i] = (drawn){plan_int(lvl_list_item(list->owner, list->list, i), f), i};
    qsort(all, list->count, sizeof *all, by_z);
    for (uint32_t i = 0; i < list->count; i++)
        order[i] = all[i].index;
    return order;
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
    for (uint32_t i = 0; field->ref && i < plan->lists.count; i++) {
        const plan_list *l = &plan->lists.items[i];
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
    if (row >= grid->block_rows) /* below the sheet, not in the next block */
        return tile;
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
