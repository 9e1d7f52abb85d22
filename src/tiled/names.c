/*
 * tiled/names.c: names of fields' values: of a table, or of a game's book, where they depend on the thing.
 */
#include "base/text.h"
#include "tiled/mapping.h"
#include "tools/paths/meaning.h"

const char *tiled_type_name(const tiled_plan *plan, const plan_field *f)
{
    return tiled_printf(plan->arena, "%s %s %s", plan->doc->format->id, f->table->name, f->field->name).ptr;
}

const char *tiled_list_type(const tiled_plan *plan, const lvl_book *book, uint8_t list)
{
    return tiled_printf(plan->arena, "%s %s", book->game, book->list_names[list - 1]).ptr;
}

bool tiled_describe(const tiled_plan *plan, const lvl_table *table, const void *record, lvl_book_item *out)
{
    const lvl_format_calls *calls = plan->doc->format->calls;

    return calls->describe && calls->describe(plan->doc, table, record, out);
}

tiled_names tiled_names_of(const tiled_plan *plan, const void *record, const plan_field *f)
{
    tiled_names out = {.names = f->field->names};
    lvl_book_item item;

    const lvl_book_use *use = tiled_describe(plan, f->whole, record, &item)
                                  ? lvl_book_use_of(&item, f->offset + f->field->offset)
                                  : NULL;
    if (use && use->names && !use->open) {
        out.names = item.book->value_names[use->names - 1];
        out.type = plan->typed ? tiled_list_type(plan, item.book, use->names) : NULL;
    } else if (out.names && plan->typed) {
        out.type = tiled_type_name(plan, f);
    }
    return out;
}

/* Whether a thing of a book has the name for a value of that field. */
static bool thing_has(const lvl_book *book, const lvl_book_thing *thing, const plan_field *f, lvl_text text,
                      int64_t *out)
{
    const lvl_meaning_scope scope = {book, 0, f->offset + f->field->offset};
    const lvl_book_use *use;

    for (uint32_t i = 0; thing && (use = lvl_book_use_at(book, thing, i)) != NULL; i++) {
        const bool named = use->names && lvl_meaning_covers(&scope, use);
        for (const lvl_name *n = named ? book->value_names[use->names - 1] : NULL; n && n->name; n++) {
            if (!lvl_text_is(text, n->name))
                continue;
            *out = n->value;
            return lvl_int_fits(f->field, n->value);
        }
    }
    return false;
}

bool tiled_parse_name(const tiled_plan *plan, const void *record, const plan_field *f,
                      const lvl_book_thing *was, lvl_text text, int64_t *out)
{
    lvl_book_item item;

    return tiled_describe(plan, f->whole, record, &item) &&
           (thing_has(item.book, item.thing, f, text, out) || thing_has(item.book, was, f, text, out));
}
