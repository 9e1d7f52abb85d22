/*
 * tools/edit/script_refs.c: see script_refs.h.
 */
#include "tools/edit/script_refs.h"

#include "base/text.h"

#include <string.h>

bool lvl_scripts_name(const lvl_doc *doc, const char *list)
{
    const char *named = doc->format->calls->script_list;

    return named && strcmp(named, list) == 0;
}

/* Records in lists of the root have scripts, and these may be in records, but no lists in them. */
static void visit_record(void *record, const lvl_table *table, unsigned depth,
                         void (*visit)(void *user, void *record, const lvl_field *field), void *user)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (f->kind == LVL_TEXT && f->part && strcmp(f->part, "scripts") == 0)
            visit(user, record, f);
        for (uint32_t k = 0;
             depth && f->kind == LVL_LIST && f->item == LVL_RECORD && k < lvl_list_count(record, f); k++)
            visit_record(lvl_item_at(record, f, k), f->table, depth - 1, visit, user);
    }
}

void lvl_scripts_visit(void *record, const lvl_table *table,
                       void (*visit)(void *user, void *record, const lvl_field *field), void *user)
{
    visit_record(record, table, 1, visit, user);
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

typedef struct renumbering {
    lvl_text script;
    const uint32_t *map;
    uint32_t count;
    lvl_buffer *out;
    size_t done; /* bytes of the script that are in `out` */
} renumbering;

static void renumber(void *user, uint32_t number, lvl_text written)
{
    renumbering *r = user;
    const size_t at = (size_t)(written.ptr - r->script.ptr);

    if (number >= r->count || r->map[number] == number || r->map[number] == LVL_NO_INDEX)
        return;
    lvl_buffer_add(r->out, r->script.ptr + r->done, at - r->done);
    lvl_buffer_printf(r->out, "%lu", (unsigned long)r->map[number]);
    r->done = at + written.len;
}

lvl_status lvl_script_renumber(const lvl_doc *doc, lvl_text script, const uint32_t *map, uint32_t count,
                               lvl_buffer *out)
{
    renumbering r = {.script = script, .map = map, .count = count, .out = out};

    doc->format->calls->script_numbers(script, renumber, &r);
    if (r.done)
        lvl_buffer_add(out, script.ptr + r.done, script.len - r.done);
    return out->status;
}

/* ---- all scripts of a document ----------------------------------------------------------------------- */

typedef struct follower {
    lvl_editor *e;
    const uint32_t *map;
    uint32_t count;
} follower;

static void follow_script(void *user, void *record, const lvl_field *f)
{
    const follower *s = user;
    lvl_doc *doc = s->e->load.doc;
    lvl_buffer out = {0};

    if (s->e->load.status != LVL_OK)
        return;
    lvl_status status = lvl_script_renumber(doc, lvl_get_text(record, f), s->map, s->count, &out);
    if (status == LVL_OK && out.len && lvl_editor_note_member(s->e, record, f))
        status = lvl_put_text(doc, record, f, (lvl_text){(const char *)out.data, out.len});
    if (s->e->load.status == LVL_OK)
        s->e->load.status = status;
    lvl_buffer_free(&out);
}

void lvl_editor_follow_scripts(lvl_editor *e, const char *list, const uint32_t *map, uint32_t count)
{
    follower s = {.e = e, .map = map, .count = count};

    if (lvl_scripts_name(e->load.doc, list))
        lvl_scripts_visit(e->load.doc->root, e->load.doc->format->table, follow_script, &s);
}

typedef struct marker {
    const lvl_doc *doc;
    uint8_t *used;
    uint32_t count;
} marker;

static void mark_number(void *user, uint32_t number, lvl_text written)
{
    const marker *m = user;

    (void)written;
    if (number < m->count)
        m->used[number] = 1;
}

static void mark_script(void *user, void *record, const lvl_field *f)
{
    const marker *m = user;

    m->doc->format->calls->script_numbers(lvl_get_text(record, f), mark_number, user);
}

void lvl_scripts_mark_used(const lvl_doc *doc, const char *list, uint8_t *used, uint32_t count)
{
    marker m = {.doc = doc, .used = used, .count = count};

    if (lvl_scripts_name(doc, list))
        lvl_scripts_visit(doc->root, doc->format->table, mark_script, &m);
}
