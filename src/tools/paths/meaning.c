/*
 * tools/paths/meaning.c: see tools/paths/meaning.h.
 */
#include "tools/paths/meaning.h"

#include "base/format.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- items ------------------------------------------------------------------------------------------- */

bool lvl_meaning_at(const lvl_doc *doc, const lvl_where *where, lvl_book_item *out)
{
    const void *record = doc->root, *item = NULL;
    const lvl_table *table = NULL;

    if (!doc->format->calls->describe)
        return false;
    for (uint32_t i = 0; i < where->depth && record; i++) {
        const lvl_field *f = where->steps[i].field;
        const uint32_t index = where->steps[i].index;
        if (f->kind == LVL_LIST && f->item == LVL_RECORD && index < lvl_list_count(record, f)) {
            record = item = lvl_list_item(record, f, index);
            table = f->table;
        } else {
            record = f->kind == LVL_RECORD ? lvl_get_record(record, f) : NULL;
        }
    }
    return item && doc->format->calls->describe(doc, table, item, out);
}

const lvl_name *lvl_meaning_names(const lvl_doc *doc, const lvl_where *where, const void *record,
                                  const lvl_field *field)
{
    lvl_book_item item;

    if (field->kind != LVL_INT || !lvl_meaning_at(doc, where, &item))
        return NULL;
    /* a member of another record has no offset that a book knows */
    const uintptr_t at = (uintptr_t)record + field->offset, from = (uintptr_t)item.record;
    return at >= from ? lvl_book_names_of(&item, at - from) : NULL;
}

/* ---- words ------------------------------------------------------------------------------------------- */

uint8_t lvl_meaning_word(const lvl_book *book, lvl_text name)
{
    if (lvl_text_is(name, "kind"))
        return LVL_WORD_KIND;
    for (uint8_t i = 0; book->words[i]; i++) {
        if (lvl_text_is(name, book->words[i]))
            return (uint8_t)(LVL_WORD_USES + i);
    }
    return 0;
}

const char *lvl_meaning_near_word(const lvl_book *book, lvl_text name)
{
    unsigned best = lvl_typo_limit(name) + 1;
    const char *near = NULL;

    for (uint32_t i = 0; book->words[i]; i++) {
        const unsigned d = lvl_text_distance(name, lvl_text_of(book->words[i]), best);
        if (d < best) {
            best = d;
            near = book->words[i];
        }
    }
    return near;
}

bool lvl_meaning_covers(const lvl_meaning_scope *scope, const lvl_book_use *use)
{
    bool covers = scope->word && use->word == scope->word - LVL_WORD_USES + 1;

    for (uint32_t k = 0; !scope->word && k < use->count && !covers; k++)
        covers = scope->book->fields[use->first + k].offset == scope->offset;
    return covers;
}

/* ---- names of values --------------------------------------------------------------------------------- */

/* The names of a use's values, or of the items that its pictures show; NULL: none. */
static const lvl_name *names_of(const lvl_book *book, const lvl_book_use *use)
{
    const uint8_t names = use->pictured ? 1 : use->names;

    return names ? book->value_names[names - 1] : NULL;
}

/* Whether the names are those of items, which have groups. */
static bool has_groups(const lvl_book *book, const lvl_name *names)
{
    return names && names == book->value_names[0];
}

static bool has_part(const char *name, lvl_text part)
{
    const size_t len = strlen(name);

    for (size_t i = 0; i + part.len <= len; i++) {
        if (memcmp(name + i, part.ptr, part.len) == 0)
            return true;
    }
    return false;
}

void lvl_meaning_near(const lvl_name *names, lvl_text text, char *near, size_t size)
{
    enum { MOST = 4 };
    const char *found[MOST + 1], *one = lvl_nearest_name(names, text);
    size_t count = 0, len = 0;

    for (const lvl_name *n = names; !one && text.len > 2 && n && n->name && count <= MOST; n++) {
        if (has_part(n->name, text))
            found[count++] = n->name;
    }
    snprintf(near, size, "%s", one ? one : "");
    for (size_t i = 0; i < count && count <= MOST && len < size; i++) {
        const char *gap = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        len += (size_t)snprintf(near + len, size - len, "%s%s", gap, found[i]);
    }
}

/* The name of a group of items that a text is, or with `near` resembles; NULL: none. */
static const char *group_named(const lvl_book *book, lvl_text text, bool near)
{
    unsigned best = near ? lvl_typo_limit(text) + 1 : 1;
    const char *found = NULL;

    for (uint32_t i = 0; i < book->group_count; i++) {
        const unsigned d = lvl_text_distance(text, lvl_text_of(book->groups[i].name), best);
        if (d < best) {
            best = d;
            found = book->groups[i].name;
        }
    }
    return found;
}

bool lvl_meaning_known(const lvl_meaning_scope *scope, lvl_text name, char *near, size_t size)
{
    const lvl_book *book = scope->book;

    near[0] = 0;
    for (uint32_t i = 0; i < book->use_count; i++) {
        const lvl_book_use *use = &book->uses[i];
        const lvl_name *names = lvl_meaning_covers(scope, use) ? names_of(book, use) : NULL;
        for (const lvl_name *n = names; n && n->name; n++) {
            if (lvl_text_is(name, n->name))
                return true;
        }
        if (!names || near[0])
            continue;
        if (has_groups(book, names) && group_named(book, name, false))
            return true;
        const char *group = has_groups(book, names) ? group_named(book, name, true) : NULL;
        if (group)
            snprintf(near, size, "%s", group);
        else
            lvl_meaning_near(names, name, near, size);
    }
    return false;
}

bool lvl_meaning_is_text(const lvl_meaning_scope *scope)
{
    const lvl_book *book = scope->book;

    for (uint32_t i = 0; i < book->use_count; i++) {
        const lvl_book_use *use = &book->uses[i];
        if (lvl_meaning_covers(scope, use) && !use->pictured &&
            book->fields[use->first].type == LVL_BOOK_TEXT)
            return true;
    }
    return false;
}

bool lvl_meaning_is(const lvl_book *book, const lvl_book_use *use, int64_t number, lvl_text name)
{
    const lvl_name *names = names_of(book, use);
    const char *own = names ? lvl_name_of(names, number) : NULL;
    const lvl_book_group *group = has_groups(book, names) ? lvl_book_group_of(book, number) : NULL;

    return (own && lvl_text_is(name, own)) || (group && lvl_text_is(name, group->name));
}
