/*
 * tools/paths/objects.c: see objects.h.
 */
#include "tools/paths/objects.h"

#include "base/work.h"

uint32_t lvl_main_layer(const lvl_doc *doc)
{
    const lvl_map_grid *grid = lvl_map_grid_of(doc->format);

    return grid && grid->main ? grid->main(doc->root) : 0;
}

bool lvl_map_objects_at(const lvl_doc *doc, const lvl_where *where, lvl_map_objects *out)
{
    lvl_map_objects all[LVL_MAP_LISTS];
    const lvl_field *layers = lvl_map_layers(doc->format);
    const uint32_t count = where->depth == 1 || where->depth == 2 ? lvl_map_objects_of(doc->format, all) : 0;

    for (uint32_t i = 0; i < count; i++) {
        *out = all[i];
        if (where->depth == (out->in_layer ? 2u : 1u) && where->steps[where->depth - 1].field == out->list &&
            (!out->in_layer || where->steps[0].field == layers))
            return true;
    }
    return false;
}

static lvl_status visit_list(const lvl_doc *doc, const lvl_map_objects *objects, void *owner, void *layer,
                             const lvl_where *where, lvl_object_fn visit, void *user)
{
    const uint32_t count = lvl_field_present(owner, objects->list) ? lvl_list_count(owner, objects->list) : 0;
    lvl_status status = lvl_charge(doc->ctx, 16 * (uint64_t)count);

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_where item = lvl_where_to(*where, objects->list, i);
        status = visit(user, objects, layer, &item, lvl_item_at(owner, objects->list, i));
    }
    return status;
}

lvl_status lvl_objects_visit(const lvl_doc *doc, lvl_object_fn visit, void *user)
{
    const lvl_field *layers = lvl_map_layers(doc->format);
    const uint32_t count = layers ? lvl_list_count(doc->root, layers) : 0, main = lvl_main_layer(doc);
    const lvl_where root = lvl_where_root();
    lvl_map_objects lists[LVL_MAP_LISTS];
    const uint32_t list_count = lvl_map_objects_of(doc->format, lists);
    lvl_status status = LVL_OK;

    for (uint32_t k = 0; k < list_count && status == LVL_OK; k++) {
        if (!lists[k].in_layer)
            status =
                visit_list(doc, &lists[k], doc->root,
                           main < count ? lvl_item_at(doc->root, layers, main) : NULL, &root, visit, user);
        for (uint32_t i = 0; lists[k].in_layer && i < count && status == LVL_OK; i++) {
            const lvl_where where = lvl_where_to(root, layers, i);
            void *layer = lvl_item_at(doc->root, layers, i);
            status = visit_list(doc, &lists[k], layer, layer, &where, visit, user);
        }
    }
    return status;
}
