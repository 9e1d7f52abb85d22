/*
 * tools/edit/parts.c: extracts parts of a document (scripts, signs) as files, and reads them back. The name
 * of a file begins with the key of its part: the kind and index of the item in each list above it, and the
 * name of the field if the record has several parts or is the root.
 */
#include "base/buffer.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/edit/edit.h"
#include "tools/edit/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = LVL_PATH_DEPTH, KEY_SIZE = 200 };

typedef struct parts_list {
    lvl_parts parts; /* first: the public part of the struct */
    lvl_arena arena;
    size_t cap;
} parts_list;

/* A walk over all parts, empty ones included. */
typedef struct walker walker;
struct walker {
    const lvl_doc *doc;
    lvl_status (*visit)(walker *w, void *record, const lvl_table *table, const lvl_field *field,
                        const lvl_where *where, const char *key);
    void *user;
};

static unsigned parts_in(const lvl_table *table)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < table->field_count; i++)
        n += table->fields[i].part != NULL;
    return n;
}

/* Whether the records of a table, or any below them, have parts. */
static bool has_parts(const lvl_table *table, unsigned depth) /* NOLINT(misc-no-recursion) */
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->part || (f->table && depth && has_parts(f->table, depth - 1)))
            return true;
    }
    return false;
}

/* The name of a list's items in keys: their kind, or the list's name if another list beside it has that
 * kind. */
static const char *kind_of(const lvl_table *table, const lvl_field *list)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (&table->fields[i] != list && table->fields[i].table == list->table)
            return list->name;
    }
    return list->table->name;
}

static lvl_status walk(walker *w, void *record, const lvl_table *table, lvl_where where,
                       const char *key) /* NOLINT(misc-no-recursion) */
{
    char inner[KEY_SIZE];
    lvl_status status = LVL_OK;

    if (where.depth >= MAX_DEPTH)
        return LVL_OK;
    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (f->part && (f->kind == LVL_TEXT || f->kind == LVL_BYTES)) {
            const lvl_where at = lvl_where_to(where, f, LVL_NO_INDEX);
            bool named = !*key || parts_in(table) > 1;
            snprintf(inner, sizeof inner, "%s%s%s", key, *key && named ? "-" : "", named ? f->name : "");
            status = w->visit(w, record, table, f, &at, inner);
        } else if (f->kind == LVL_RECORD && has_parts(f->table, MAX_DEPTH)) {
            snprintf(inner, sizeof inner, "%s%s%s", key, *key ? "-" : "", f->name);
            status =
                walk(w, (uint8_t *)record + f->offset, f->table, lvl_where_to(where, f, LVL_NO_INDEX), inner);
        } else if (f->kind == LVL_LIST && f->item == LVL_RECORD && has_parts(f->table, MAX_DEPTH)) {
            const uint32_t n = lvl_list_count(record, f);
            int digits = snprintf(NULL, 0, "%lu", (unsigned long)(n ? n - 1 : 0));
            for (uint32_t k = 0; k < n && status == LVL_OK; k++) {
                const int length = snprintf(inner, sizeof inner, "%s%s%s-%0*lu", key, *key ? "-" : "",
                                            kind_of(table, f), digits < 3 ? 3 : digits, (unsigned long)k);
                if (length < 0 || (size_t)length >= sizeof inner)
                    return lvl_refuse_fixed(w->doc->ctx, "bytes in the name of a part", sizeof inner - 1, 0);
                status = walk(w, lvl_item_at(record, f, k), f->table, lvl_where_to(where, f, k), inner);
            }
        }
    }
    return status;
}

static const char *group_below(const lvl_table *table, size_t *index, const char **seen, size_t *count,
                               unsigned depth) /* NOLINT(misc-no-recursion) */
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->part) {
            bool known = false;
            for (size_t k = 0; k < *count && !known; k++)
                known = strcmp(seen[k], f->part) == 0;
            if (!known && *count < MAX_DEPTH) {
                if (!(*index)--)
                    return f->part;
                seen[(*count)++] = f->part;
            }
        } else if (f->table && depth) {
            const char *found = group_below(f->table, index, seen, count, depth - 1);
            if (found)
                return found;
        }
    }
    return NULL;
}

const char *lvl_format_parts(const lvl_format *format, size_t index)
{
    const char *seen[MAX_DEPTH];
    size_t count = 0;

    return group_below(format->table, &index, seen, &count, MAX_DEPTH);
}

/* ---- extracting -------------------------------------------------------------------------------------- */

typedef struct lister {
    parts_list *list;
    const char *const *groups;
} lister;

static bool is_wanted(const lister *l, const char *group)
{
    for (const char *const *g = l->groups; g && *g; g++) {
        if (strcmp(*g, group) == 0)
            return true;
    }
    return !l->groups;
}

/* A short name from an item's label: ASCII letters and digits, '_' for all others, without the ending of a
 * file name; "" without a label. */
static lvl_status label_of(const lvl_doc *doc, const void *record, const lvl_table *table, char out[32])
{
    enum { MAX_STEM = 24 };
    const lvl_field *f = lvl_label_of(table);
    lvl_buffer text = {0};
    size_t at = 0, len;

    out[0] = 0;
    if (!f || (f->kind != LVL_TEXT && f->kind != LVL_INT) || !lvl_field_present(record, f))
        return LVL_OK;
    const lvl_emit emit = lvl_emit_of(doc, &text);
    if (f->kind == LVL_TEXT) { /* some are long */
        lvl_text t = lvl_get_text(record, f);
        lvl_buffer_add(&text, t.ptr, t.len < MAX_STEM * 2 ? t.len : MAX_STEM * 2);
    } else {
        lvl_write_plain(&emit, record, f);
    }
    len = text.status == LVL_OK ? text.len : 0;
    for (size_t k = 1; k <= 5 && k < len; k++) { /* "door.png" */
        char c = (char)text.data[len - k];
        if (c == '.' && k > 1)
            len -= k;
        if (c == '.' || !((c >= '0' && c <= '9') || (lvl_lower(c) >= 'a' && lvl_lower(c) <= 'z')))
            break;
    }
    for (size_t i = 0; i < len && at < MAX_STEM; i++) {
        char c = lvl_lower((char)text.data[i]);
        bool good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
        if (good)
            out[at++] = c;
        else if (at && out[at - 1] != '_')
            out[at++] = '_';
    }
    while (at && out[at - 1] == '_')
        at--;
    out[at] = 0;
    const lvl_status status = text.status;
    lvl_buffer_free(&text);
    return status;
}

/* The content of a file for a text: UTF-8, and a line end after the last line of a text of lines. */
static void put_text(const lvl_doc *doc, const lvl_field *f, lvl_text text, lvl_buffer *out)
{
    if (doc->codepage == LVL_CP_UTF8)
        lvl_buffer_add(out, text.ptr, text.len);
    else
        lvl_text_to_utf8(out, doc->codepage, text);
    if (f->flags & LVL_F_LINES)
        lvl_buffer_u8(out, '\n');
}

static lvl_status list_one(walker *w, void *record, const lvl_table *table, const lvl_field *f,
                           const lvl_where *where, const char *key)
{
    const lister *l = w->user;
    parts_list *list = l->list;
    lvl_parts *p = &list->parts;
    char label[32], name[KEY_SIZE + 40];
    lvl_buffer file = {0};

    if (!is_wanted(l, f->part) || lvl_field_is_default(record, f))
        return LVL_OK;
    if (!lvl_grow(&p->items, &list->cap, p->count + 1, sizeof *p->items))
        return LVL_ERR_MEMORY;
    label[0] = 0;
    lvl_status status = where->depth > 1 ? label_of(w->doc, record, table, label) : LVL_OK;
    if (status != LVL_OK)
        return status;
    snprintf(name, sizeof name, "%s%s%s.%s", key, *label ? "-" : "", label,
             f->part_ending        ? f->part_ending
             : f->kind == LVL_TEXT ? "txt"
                                   : "bin");
    if (f->kind == LVL_TEXT) {
        put_text(w->doc, f, lvl_get_text(record, f), &file);
    } else {
        lvl_bytes b = lvl_get_bytes(record, f);
        lvl_buffer_add(&file, b.ptr, b.len);
    }
    lvl_part *part = &p->items[p->count];
    part->group = f->part;
    part->where = *where;
    part->name = lvl_arena_copy(&list->arena, name, strlen(name) + 1);
    part->bytes.ptr = lvl_arena_copy(&list->arena, file.data, file.len);
    part->bytes.len = file.len;
    status = file.status;
    lvl_buffer_free(&file);
    if (status == LVL_OK && (!part->name || !part->bytes.ptr))
        status = LVL_ERR_MEMORY;
    p->count += status == LVL_OK;
    return status;
}

lvl_status lvl_parts_new(const lvl_doc *doc, const char *const *groups, lvl_parts **out)
{
    lister l = {calloc(1, sizeof(parts_list)), groups};
    walker w = {doc, list_one, &l};

    *out = NULL;
    if (!l.list)
        return LVL_ERR_MEMORY;
    lvl_arena_init(&l.list->arena, doc->ctx);
    lvl_status status = walk(&w, doc->root, doc->format->table, lvl_where_root(), "");
    if (status == LVL_OK)
        *out = &l.list->parts;
    else
        lvl_parts_free(&l.list->parts);
    return status;
}

void lvl_parts_free(lvl_parts *parts)
{
    if (!parts)
        return;
    parts_list *list = (parts_list *)parts;
    lvl_arena_free(&list->arena);
    free(parts->items);
    free(list);
}

/* ---- reading back ------------------------------------------------------------------------------------ */

/* A part of the document. */
typedef struct place {
    const char *key;
    void *record;
    const lvl_field *field;
    const lvl_part_file *file; /* its file; or NULL */
} place;

typedef struct taker {
    lvl_editor e;
    lvl_arena arena; /* of the keys */
    place *places;
    size_t count, cap;
} taker;

static lvl_status add_place(walker *w, void *record, const lvl_table *table, const lvl_field *f,
                            const lvl_where *where, const char *key)
{
    taker *t = w->user;
    const place p = {lvl_arena_copy(&t->arena, key, strlen(key) + 1), record, f, NULL};

    (void)table;
    (void)where;
    if (!p.key || !lvl_grow(&t->places, &t->cap, t->count + 1, sizeof *t->places))
        return LVL_ERR_MEMORY;
    t->places[t->count++] = p;
    return LVL_OK;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const place *)a)->key, ((const place *)b)->key);
}

/* The part with the longest key that the name begins with, followed by a '-' or '.' or the end. */
static place *find_place(const taker *t, const char *name)
{
    char key[KEY_SIZE];
    place want = {.key = key}, *found = NULL;

    for (size_t n = 0; n < sizeof key; n++) {
        char c = name[n];
        key[n] = 0;
        if (n && (c == '-' || c == '.' || !c) && t->count) {
            place *p = bsearch(&want, t->places, t->count, sizeof *t->places, by_key);
            found = p ? p : found;
        }
        if (!c)
            break;
        key[n] = c;
    }
    return found;
}

/* A part whose key begins with the same word, as an example for a message. */
static const place *near_place(const taker *t, const char *name)
{
    size_t n = strcspn(name, "-.");

    for (size_t i = t->count; n && i--;) {
        if (strncmp(t->places[i].key, name, n) == 0 && (t->places[i].key[n] == '-' || !t->places[i].key[n]))
            return &t->places[i];
    }
    return NULL;
}

static void bad_file(const taker *t, const lvl_part_file *file, lvl_fault fault, const char *text,
                     const char *more)
{
    char buf[80];

    lvl_fault_add(t->e.load.findings, fault, "%s: %s%s", lvl_show(buf, lvl_text_of(file->name)), text, more);
}

/* Whether a text of lines has CRLF; the file has a line end after the last line, so a CR at the end
 * counts. */
static bool has_crlf(lvl_text t)
{
    if (t.len && t.ptr[t.len - 1] == '\r')
        return true;
    for (size_t i = 1; i < t.len; i++) {
        if (t.ptr[i - 1] == '\r' && t.ptr[i] == '\n')
            return true;
    }
    return false;
}

/* Converts the bytes of a file to the field's text, in `out`; false: the code page does not have a character
 * (*bad). */
static bool text_of_file(const lvl_doc *doc, const lvl_field *f, lvl_text was, lvl_bytes file,
                         lvl_buffer *out, uint32_t *bad)
{
    static const char mark[] = "\xEF\xBB\xBF";
    lvl_text t = {(const char *)file.ptr, file.len};

    if (t.len >= 3 && memcmp(t.ptr, mark, 3) == 0 &&
        !(doc->codepage == LVL_CP_UTF8 && was.len >= 3 && memcmp(was.ptr, mark, 3) == 0)) {
        t.ptr += 3;
        t.len -= 3;
    }
    if (doc->codepage == LVL_CP_UTF8)
        lvl_buffer_add(out, t.ptr, t.len);
    else if (!lvl_text_from_utf8(out, doc->codepage, t, bad))
        return false;
    if (out->status != LVL_OK || !(f->flags & LVL_F_LINES))
        return true;
    if (!has_crlf(was)) { /* an editor may have changed the line ends */
        size_t n = 0;
        for (size_t i = 0; i < out->len; i++) {
            if (out->data[i] != '\r' || i + 1 == out->len || out->data[i + 1] != '\n')
                out->data[n++] = out->data[i];
        }
        out->len = n;
    }
    if (out->len && out->data[out->len - 1] == '\n')
        out->len--;
    return true;
}

static lvl_status put_file(taker *t, const place *p)
{
    const lvl_field *f = p->field;
    lvl_doc *doc = t->e.load.doc;
    const bool is_text = f->kind == LVL_TEXT;
    const lvl_text old = is_text ? lvl_get_text(p->record, f) : (lvl_text){NULL, 0};
    const lvl_bytes was =
        is_text ? (lvl_bytes){(const uint8_t *)old.ptr, old.len} : lvl_get_bytes(p->record, f);
    lvl_buffer text = {0};
    lvl_bytes now = p->file->bytes;
    lvl_status status = LVL_OK;
    uint32_t bad = 0;
    char buf[40];

    if (is_text && !text_of_file(doc, f, old, now, &text, &bad)) {
        snprintf(buf, sizeof buf, " U+%04lX", (unsigned long)bad);
        if (bad == 0xFFFD)
            bad_file(t, p->file, LVL_FAULT_CHARACTER, "isn't UTF-8", "");
        else
            bad_file(t, p->file, LVL_FAULT_CHARACTER,
                     "has a character that the code page of the texts does not have:", buf);
        status = LVL_ERR_ARG;
    } else {
        status = text.status;
    }
    if (is_text)
        now = lvl_buffer_bytes(&text);
    const bool same = was.len == now.len && (!now.len || memcmp(was.ptr, now.ptr, now.len) == 0);
    if (status == LVL_OK && !same && (f->flags & LVL_F_SLOT) && now.len + is_text > f->size) {
        snprintf(buf, sizeof buf, "%lu bytes fit", (unsigned long)f->size - is_text);
        bad_file(t, p->file, LVL_FAULT_VALUE, "is too long: at most ", buf);
        status = LVL_ERR_ARG;
    } else if (status == LVL_OK && !same && lvl_editor_note_member(&t->e, p->record, f)) {
        if (is_text) /* unlike lvl_load_bytes, this gives an empty text a pointer */
            status = lvl_put_text(doc, p->record, f, (lvl_text){(const char *)now.ptr, now.len});
        else
            lvl_load_bytes(&t->e.load, p->record, f, now.ptr, now.len);
        t->e.changed++;
    }
    lvl_buffer_free(&text);
    return status == LVL_OK ? t->e.load.status : status;
}

/* Stores a file in its part. */
static lvl_status store_part(taker *t, const lvl_part_file *file)
{
    place *p = find_place(t, file->name);

    if (!p) {
        const place *near = near_place(t, file->name);
        if (near)
            bad_file(t, file, LVL_FAULT_PART, "there is no such part; the last one of its kind is ",
                     near->key);
        else if (t->count)
            bad_file(t, file, LVL_FAULT_PART, "is not the name of a part; expected a name like ",
                     t->places[0].key);
        else
            bad_file(t, file, LVL_FAULT_PART, "there are no parts in this file", "");
        return LVL_ERR_ARG;
    }
    if (p->file) {
        bad_file(t, file, LVL_FAULT_PART, "belongs to the same part as ", p->file->name);
        return LVL_ERR_ARG;
    }
    p->file = file;
    return put_file(t, p);
}

static void free_places(taker *t)
{
    lvl_arena_free(&t->arena);
    free(t->places);
}

/* Collects all parts of the document, sorted by key. */
static lvl_status find_places(taker *t, const lvl_doc *doc)
{
    walker w = {doc, add_place, t};

    lvl_arena_init(&t->arena, doc->ctx);
    const lvl_status status = walk(&w, doc->root, doc->format->table, lvl_where_root(), "");
    if (status == LVL_OK && t->count)
        qsort(t->places, t->count, sizeof *t->places, by_key);
    return lvl_arena_status(&t->arena, status);
}

lvl_status lvl_parts_which(const lvl_doc *doc, const char *const *names, size_t count, bool *means)
{
    taker t = {0};
    const lvl_status status = find_places(&t, doc);

    for (size_t i = 0; i < count; i++)
        means[i] = status == LVL_OK && find_place(&t, names[i]) != NULL;
    free_places(&t);
    return status;
}

lvl_status lvl_parts_put(lvl_doc *doc, const lvl_part_file *files, size_t count, size_t *changed,
                         lvl_findings *findings)
{
    taker t = {0};
    lvl_status status = lvl_editor_begin(&t.e, doc, findings);

    if (status == LVL_OK)
        status = find_places(&t, doc);
    for (size_t i = 0; i < count && (status == LVL_OK || status == LVL_ERR_ARG); i++) {
        const lvl_status one = store_part(&t, &files[i]); /* the errors of all files are reported */
        status = one != LVL_OK ? one : status;
    }
    free_places(&t);
    return lvl_editor_finish(&t.e, status, changed);
}
