/*
 * tools/world/rename.c: changes the name of a file in the fields that name it (LVL_F_FILE), and in scripts.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"
#include "games/book.h"
#include "tools/world/rename.h"
#include "tools/edit/script_names.h"
#include "tools/tools.h"

#include <string.h>

enum { MAX_ENDS = 8 }; /* places in a script where a name without quotes may end */

/* A name that is renamed, in UTF-8 and perhaps without its ending; `to` NULL: it is not. */
typedef struct match {
    lvl_text to;
    lvl_text name; /* as the document has it */
} match;

typedef struct renamer {
    lvl_doc *doc;
    lvl_new_name_fn new_name;
    lvl_new_key_fn new_key;
    bool scripts;
    lvl_file_use_fn report;
    void *user;
    size_t changed;
    lvl_buffer name; /* UTF-8; for one lookup */
    lvl_buffer key; /* UTF-8; a new key */
    lvl_buffer to; /* in the document's code page; for one name */
} renamer;

/* ---- names ------------------------------------------------------------------------------------------- */

/* Removes what is around the `*' of a form of names (weapon*.txt); false if the name has another form. */
static bool cut_form(lvl_text *name, lvl_text form)
{
    const char *star = memchr(form.ptr, '*', form.len);
    const lvl_text before = {form.ptr, (size_t)(star - form.ptr)};
    const lvl_text after = {star + 1, form.len - before.len - 1};

    if (name->len <= before.len + after.len ||
        !lvl_text_equal_nocase((lvl_text){name->ptr, before.len}, before) ||
        !lvl_text_equal_nocase((lvl_text){name->ptr + name->len - after.len, after.len}, after))
        return false;
    name->ptr += before.len;
    name->len -= before.len + after.len;
    return true;
}

/* Removes the ending; false if the name has another one. */
static bool cut_ending(lvl_text *name, lvl_text ending)
{
    if (memchr(ending.ptr, '*', ending.len))
        return cut_form(name, ending);
    if (name->len <= ending.len + 1 || name->ptr[name->len - ending.len - 1] != '.' ||
        !lvl_text_equal_nocase((lvl_text){name->ptr + name->len - ending.len, ending.len}, ending))
        return false;
    name->len -= ending.len + 1;
    return true;
}

/* The new name of what a document calls `name`, with that ending appended if there is one, or put into it
 * where it has a `*'. */
static match look_up(renamer *r, lvl_text name, lvl_text ending)
{
    match m = {{0}, name};

    const char *star = ending.len ? memchr(ending.ptr, '*', ending.len) : NULL;
    r->name.len = 0;
    if (star)
        lvl_buffer_add(&r->name, ending.ptr, (size_t)(star - ending.ptr));
    lvl_text_to_utf8(&r->name, r->doc->codepage, name);
    if (star) {
        lvl_buffer_add(&r->name, star + 1, ending.len - (size_t)(star - ending.ptr) - 1);
    } else if (ending.len) {
        lvl_buffer_u8(&r->name, '.');
        lvl_buffer_add(&r->name, ending.ptr, ending.len);
    }
    if (!name.len || r->name.status != LVL_OK)
        return m;
    m.to = r->new_name(r->user, lvl_buffer_text(&r->name));
    if (ending.len && m.to.len && !cut_ending(&m.to, ending))
        m.to = (lvl_text){0};
    return m;
}

/* The same for a name without its ending, which is one of these. */
static match look_up_stem(renamer *r, lvl_text name, const char *endings)
{
    match m = {{0}, name};

    while (endings && *endings && !m.to.len) {
        const lvl_text ending = {endings, strcspn(endings, " ")};
        m = look_up(r, name, ending);
        endings += ending.len + strspn(endings + ending.len, " ");
    }
    return m;
}

/* Reports a use of the old name; *change: it must be replaced, by r->to. */
static lvl_status report_use(renamer *r, const lvl_where *where, uint32_t line, const match *m, bool *change)
{
    const lvl_file_use use = {where, line, m->name, m->to, !line || r->scripts};
    uint32_t bad;

    r->to.len = 0;
    const bool good = lvl_text_from_utf8(&r->to, r->doc->codepage, m->to, &bad);
    if (r->to.status != LVL_OK)
        return r->to.status;
    *change = use.changed && (!good || !lvl_text_equal(m->name, lvl_buffer_text(&r->to)));
    if (*change && !good)
        return LVL_ERR_ARG;
    r->changed += *change;
    /* a name that equals the new one already is not reported */
    return r->report && (*change || !use.changed) ? r->report(r->user, &use) : LVL_OK;
}

/* ---- scripts ----------------------------------------------------------------------------------------- */

/* The name of a renamed file that is the whole string or argument at a place; none: its `to` is empty. */
static match match_at(renamer *r, lvl_script_walk *walk)
{
    const lvl_script_stem *commands = r->doc->format->calls->script_stems;
    match m = {{0}, {0}};
    lvl_text name = {0};

    for (unsigned ends = 0; ends < MAX_ENDS && !m.to.len && lvl_script_walk_name(walk, &name); ends++) {
        m = look_up(r, name, (lvl_text){0});
        for (const lvl_script_stem *c = commands; c && c->command && !m.to.len; c++) {
            if (lvl_script_is_argument(walk, c))
                m = look_up_stem(r, name, c->ending);
        }
    }
    return m;
}

/* Replaces names in a script. */
static lvl_status rename_in_script(renamer *r, lvl_text s, const lvl_where *where, lvl_buffer *out)
{
    lvl_script_walk walk = {.text = s};
    lvl_status status = lvl_charge(r->doc->ctx, s.len);
    size_t copied = 0;

    while (status == LVL_OK && lvl_script_walk_next(&walk)) {
        const match m = match_at(r, &walk);
        bool change = false;
        status = lvl_script_walk_charge(&walk, r->doc->ctx);
        if (status != LVL_OK || !m.to.len)
            continue;
        status = report_use(r, where, walk.breaks + 1, &m, &change);
        if (change) {
            lvl_buffer_add(out, s.ptr + copied, walk.at - copied);
            lvl_buffer_add(out, r->to.data, r->to.len);
            copied = walk.at + m.name.len;
        }
        lvl_script_walk_skip(&walk, m.name.len);
    }
    if (copied)
        lvl_buffer_add(out, s.ptr + copied, s.len - copied);
    return status == LVL_OK ? out->status : status;
}

/* ---- records ----------------------------------------------------------------------------------------- */

static bool names_files(const lvl_field *f)
{
    return (f->flags & (LVL_F_FILE | LVL_F_STEM)) ||
           (f->part && strcmp(f->part, "scripts") == 0 && f->kind == LVL_TEXT);
}

/* Sets *now to the new name of a file, or with `endings` of one without its ending. `stems`: the endings of
 * what the text may also name without its ending; or NULL. */
static lvl_status rename_text(renamer *r, lvl_text was, const lvl_where *where, const char *endings,
                              const char *stems, lvl_text *now)
{
    bool change = false, index = endings != NULL;

    for (size_t i = 0; i < was.len && index; i++)
        index = lvl_is_digit(was.ptr[i]);
    if (index)
        return LVL_OK;
    match m = endings ? look_up_stem(r, was, endings) : look_up(r, was, (lvl_text){0});
    if (!m.to.len)
        m = look_up_stem(r, was, stems);
    if (!m.to.len)
        return r->name.status;
    const lvl_status status = report_use(r, where, 0, &m, &change);
    if (status == LVL_OK && change)
        *now = lvl_doc_text(r->doc, lvl_buffer_text(&r->to));
    return status == LVL_OK && !now->ptr ? LVL_ERR_MEMORY : status;
}

static lvl_status rename_texts(renamer *r, void *record, const lvl_field *f, const lvl_where *where)
{
    const char *endings = f->flags & LVL_F_STEM ? lvl_stem_endings(r->doc, f) : NULL;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < lvl_list_count(record, f) && status == LVL_OK; i++) {
        lvl_text *item = lvl_item_at(record, f, i);
        const lvl_where at = lvl_where_to(*where, f, i);
        status = rename_text(r, *item, &at, endings, NULL, item);
    }
    return status;
}

static lvl_status rename_field(renamer *r, void *record, const lvl_table *table, const lvl_field *f,
                               const lvl_where *where)
{
    const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
    const lvl_text was = lvl_get_text(record, f);
    lvl_buffer script = {.max = lvl_memory_share(r->doc->ctx)};
    lvl_text now = was;
    lvl_status status;

    if (f->flags & (LVL_F_FILE | LVL_F_STEM)) {
        const lvl_script_stem *stem = f->flags & LVL_F_STEM ? NULL : lvl_label_stem(r->doc, record, table);
        status = rename_text(r, was, &at, f->flags & LVL_F_STEM ? lvl_stem_endings(r->doc, f) : NULL,
                             stem ? stem->ending : NULL, &now);
    } else {
        status = rename_in_script(r, was, &at, &script);
        now = script.len ? lvl_buffer_text(&script) : was;
    }
    if (status == LVL_OK && now.ptr != was.ptr)
        status = lvl_put_text(r->doc, record, f, now);
    lvl_buffer_free(&script);
    return status;
}

/* The new key of a file, or an empty text. */
static lvl_text look_up_key(renamer *r, lvl_use use, lvl_text key)
{
    lvl_file_place places[LVL_FILE_PLACES];
    bool found = false;

    r->name.len = 0;
    lvl_text_to_utf8(&r->name, r->doc->codepage, key);
    const lvl_text name = lvl_buffer_text(&r->name);
    const uint32_t count =
        r->name.status == LVL_OK ? r->doc->format->calls->file_places(r->doc, use, name, places) : 0;
    for (uint32_t i = 0; i < count && !found; i++) {
        r->key.len = 0;
        lvl_buffer_add(&r->key, name.ptr, name.len - places[i].rest.len);
        found = r->new_key(r->user, &places[i], &r->key);
    }
    return found ? lvl_buffer_text(&r->key) : (lvl_text){0};
}

/* Changes the keys of files in the texts of a record that the book of its game describes. */
static lvl_status rename_keys(renamer *r, void *record, const lvl_table *table, const lvl_where *where)
{
    lvl_status status = LVL_OK;

    if (!r->new_key || !r->doc->format->calls->file_places)
        return LVL_OK;
    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        const lvl_use use = lvl_book_key(r->doc, table, record, f);
        const lvl_text key = use ? lvl_get_text(record, f) : (lvl_text){0};
        const match m = {key.len ? look_up_key(r, use, key) : key, key};
        bool change = false;
        if (!m.to.len)
            continue;
        const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
        status = report_use(r, &at, 0, &m, &change);
        if (status == LVL_OK && change)
            status = lvl_put_text(r->doc, record, f, lvl_doc_text(r->doc, lvl_buffer_text(&r->to)));
    }
    return status;
}

static lvl_status rename_in(renamer *r, void *record, const lvl_table *table,
                            lvl_where where) /* NOLINT(misc-no-recursion) */
{
    lvl_status status = rename_keys(r, record, table, &where);

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (names_files(f)) {
            status = f->kind == LVL_LIST ? rename_texts(r, record, f, &where)
                                         : rename_field(r, record, table, f, &where);
        } else if (f->table && where.depth + 1 < LVL_PATH_DEPTH) {
            const bool list = f->kind == LVL_LIST;
            const uint32_t count = list ? lvl_list_count(record, f) : 1;
            for (uint32_t k = 0; k < count && status == LVL_OK; k++) {
                const void *item = list ? lvl_list_item(record, f, k) : lvl_get_record(record, f);
                status = rename_in(r, (void *)(uintptr_t)item, f->table,
                                   lvl_where_to(where, f, list ? k : LVL_NO_INDEX));
            }
        }
    }
    return status;
}

lvl_status lvl_doc_rename(lvl_doc *doc, lvl_new_name_fn new_name, lvl_new_key_fn new_key, bool scripts,
                          lvl_file_use_fn report, void *user, size_t *changed)
{
    renamer r = {.doc = doc,
                 .new_name = new_name,
                 .new_key = new_key,
                 .scripts = scripts,
                 .report = report,
                 .user = user};

    lvl_status status = rename_in(&r, doc->root, doc->format->table, lvl_where_root());
    if (status == LVL_OK)
        status = r.name.status != LVL_OK ? r.name.status : r.key.status;
    if (status == LVL_OK && r.changed)
        status = lvl_doc_recompute_derived(doc);
    if (changed)
        *changed = r.changed;
    lvl_buffer_free(&r.name);
    lvl_buffer_free(&r.key);
    lvl_buffer_free(&r.to);
    return status;
}
