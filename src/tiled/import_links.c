/*
 * tiled/import_links.c: the links of an item, which are properties "link.1", "link.2" … of its object.
 */
#include "base/text.h"
#include "tiled/import.h"

#include <stdlib.h>

/* The number of digits, at most nine, after "link." in a property's name; 0: not a link. */
static size_t count_digits(lvl_text name)
{
    enum { MAX_DIGITS = 9 };
    const size_t from = strlen(TILED_LINK);
    size_t at = from;

    if (!lvl_text_begins(name, TILED_LINK) || name.len > from + MAX_DIGITS)
        return 0;
    while (at < name.len && lvl_is_digit(name.ptr[at]))
        at++;
    return at == name.len ? at - from : 0;
}

bool import_is_link(lvl_text name)
{
    return count_digits(name) != 0;
}

/* A property `link.N`, and its number. */
typedef struct numbered {
    uint64_t number;
    const tiled_property *property;
} numbered;

static int by_number(const void *a, const void *b)
{
    const numbered *p = a, *q = b;

    if (p->number != q->number)
        return p->number < q->number ? -1 : 1;
    return p->property < q->property ? -1 : p->property > q->property; /* of one array */
}

/* Lists the links among the properties, sorted by number; of equal names the last counts, as in Tiled. */
static void list_links(const tiled_properties *from, lvl_arena *arena, tiled_properties *out)
{
    numbered *list = lvl_arena_array(arena, (size_t)from->count + 1, sizeof *list);
    size_t count = 0;

    for (uint32_t i = 0; list && i < from->count; i++) {
        const lvl_text name = from->items[i].name;
        uint64_t n = 0;
        for (size_t k = name.len - count_digits(name); k < name.len; k++)
            n = n * 10 + (uint64_t)(name.ptr[k] - '0');
        if (import_is_link(name))
            list[count++] = (numbered){n, &from->items[i]};
    }
    if (count)
        qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count; i++) {
        const tiled_property *one = list[i].property;
        if (i + 1 == count || list[i + 1].number != list[i].number)
            tiled_add(arena, out, one->name, one->type.ptr, one->value);
    }
}

/* The text of a link for a property, which may refer to an object by its id. False: there is no such
 * object. */
static bool find_target(importer *im, const plan_list *l, const tiled_property *one, lvl_text *out)
{
    const plan_field *unique = &l->objects->unique;
    double id = 0;

    if (!lvl_text_is(one->type, "object")) {
        *out = lvl_doc_text(im->doc, one->value);
        if (!out->ptr)
            import_stop(im, LVL_ERR_MEMORY);
        return true;
    }
    lvl_real_parse(one->value, &id);
    const uint32_t index = id >= 0 && id <= UINT32_MAX ? import_index_of_id(l, (uint32_t)id) : LVL_NO_INDEX;
    if (index == LVL_NO_INDEX) {
        import_warn(im, "%s: %.*s: there is no object %.*s that it could mean; the link is left out",
                    import_what(im), (int)one->name.len, one->name.ptr, (int)one->value.len, one->value.ptr);
        return false;
    }
    *out = lvl_get_text(plan_record(lvl_list_item(l->owner, l->list, index), unique), unique->field);
    return true;
}

void import_take_links(importer *im, plan_list *l, void *record, const tiled_properties *from)
{
    const lvl_field *field = l->objects->links.field;
    tiled_properties is = {0}, wanted = {0};
    uint32_t count = 0;

    if (!field || im->status != LVL_OK)
        return;
    list_links(from, &im->map->arena, &wanted);
    tiled_put_links(&im->plan, &is, l, record);
    bool same = is.count == wanted.count;
    for (uint32_t i = 0; i < is.count && same; i++)
        same = lvl_text_equal(is.items[i].value, wanted.items[i].value);
    if (same || im->status != LVL_OK)
        return;
    lvl_text *texts = lvl_arena_array(&im->doc->arena, (size_t)wanted.count + 1, sizeof *texts);
    if (!texts) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < wanted.count; i++)
        count += find_target(im, l, &wanted.items[i], &texts[count]);
    memcpy((uint8_t *)record + field->offset, &texts, sizeof texts);
    memcpy((uint8_t *)record + field->count_offset, &count, sizeof count);
    im->changed = true;
}
