/*
 * catalogue/notes.c: notes of people about files, by the content of these: a JSON text beside the catalogue,
 * which people may edit and keep under version control, and the table `notes`, which is filled from it.
 */
#include "catalogue/catalogue.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 64, MAX_KEY = 32 };

typedef struct note {
    char sha256[DIGITS + 1];
    lvl_text key, value, source; /* source.ptr NULL: not known */
} note;

/* Texts point into the JSON's tree, or the edits. */
typedef struct note_list {
    note *items;
    size_t count, cap;
} note_list;

static const char expected[] = "expected {\"lvl_notes\": 1, \"files\": {\"SHA-256\": [{\"key\": ..., "
                               "\"value\": ..., \"source\": ...}]}}";

static bool is_digest(lvl_text text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!lvl_is_digit(text.ptr[i]) && (text.ptr[i] < 'a' || text.ptr[i] > 'f'))
            return false;
    }
    return text.len == DIGITS;
}

static bool is_key(lvl_text key)
{
    for (size_t i = 0; i < key.len; i++) {
        const char c = key.ptr[i];
        if ((c < 'a' || c > 'z') && !(i && (lvl_is_digit(c) || c == '_' || c == '-')))
            return false;
    }
    return key.len && key.len <= MAX_KEY;
}

/* "2003", "2003-05", "2003-05-31". */
static bool is_date(lvl_text text)
{
    static const char pattern[] = "0000-00-00";

    for (size_t i = 0; i < text.len && i < sizeof pattern - 1; i++) {
        if (pattern[i] == '0' ? !lvl_is_digit(text.ptr[i]) : text.ptr[i] != '-')
            return false;
    }
    if (text.len != 4 && text.len != 7 && text.len != 10)
        return false;
    const int month = text.len > 4 ? (text.ptr[5] - '0') * 10 + text.ptr[6] - '0' : 1;
    const int day = text.len > 7 ? (text.ptr[8] - '0') * 10 + text.ptr[9] - '0' : 1;
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static bool is_plain(lvl_text text)
{
    return lvl_utf8_valid(text) && (!text.len || !memchr(text.ptr, 0, text.len));
}

/* Appends a sentence and returns LVL_ERR_ARG. */
static lvl_status refuse(lvl_buffer *why, const char *what, lvl_text found, const char *wanted)
{
    if (why) {
        lvl_buffer_printf(why, "%s: expected %s, found ", what, wanted);
        lvl_text_escape(why, LVL_CP_UTF8, lvl_text_cut(found, 80), false);
    }
    return LVL_ERR_ARG;
}

static lvl_status check_note(const note *n, lvl_buffer *why)
{
    if (!is_key(n->key))
        return refuse(why, "the name of a note", n->key,
                      "author, date, licence, name, note, or another word of a to z, 0 to 9, _ and -");
    if (lvl_text_is(n->key, "date") && !is_date(n->value))
        return refuse(why, "date", n->value, "YYYY, YYYY-MM or YYYY-MM-DD (`note' takes any text)");
    if (!is_plain(n->value) || !is_plain(n->source))
        return refuse(why, "a note", n->value, "UTF-8 without NUL");
    return LVL_OK;
}

static lvl_status add_note(note_list *list, const note *n)
{
    if (!lvl_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items))
        return LVL_ERR_MEMORY;
    list->items[list->count++] = *n;
    return LVL_OK;
}

/* ---- the JSON text ------------------------------------------------------------------------------------ */

/* Whether an object has these members alone: an edit writes the text anew, and would lose others. */
static lvl_status check_members(yyjson_val *object, const char *const *names, size_t count, const char *what,
                                lvl_buffer *why)
{
    yyjson_val *key;
    yyjson_obj_iter each;

    yyjson_obj_iter_init(object, &each);
    while ((key = yyjson_obj_iter_next(&each)) != NULL) {
        bool known = false;
        for (size_t i = 0; i < count; i++)
            known |= lvl_text_is(lvl_json_str(key), names[i]);
        if (!known)
            return refuse(why, "a member", lvl_json_str(key), what);
    }
    return LVL_OK;
}

static lvl_status read_note(note_list *list, lvl_text digest, yyjson_val *from, lvl_buffer *why)
{
    static const char *const names[] = {"key", "value", "source"};

    yyjson_val *key = yyjson_obj_get(from, "key"), *value = yyjson_obj_get(from, "value"),
               *source = yyjson_obj_get(from, "source");
    note n = {.key = lvl_json_str(key), .value = lvl_json_str(value), .source = lvl_json_str(source)};

    if (!is_digest(digest))
        return refuse(why, "a file", digest, "its SHA-256, 64 digits in lower case");
    if (!yyjson_is_str(key) || !yyjson_is_str(value) || (source && !yyjson_is_str(source))) {
        if (why)
            lvl_buffer_printf(why, "a note of %.*s: %s", DIGITS, digest.ptr, expected);
        return LVL_ERR_ARG;
    }
    memcpy(n.sha256, digest.ptr, DIGITS);
    lvl_status status = check_members(from, names, LVL_COUNT_OF(names), "key, value or source", why);
    if (status == LVL_OK)
        status = check_note(&n, why);
    return status == LVL_OK ? add_note(list, &n) : status;
}

static lvl_status read_tree(note_list *list, yyjson_val *root, lvl_buffer *why)
{
    static const char *const names[] = {"lvl_notes", "files"};
    yyjson_val *files = yyjson_obj_get(root, "files"), *key;
    lvl_status status = check_members(root, names, LVL_COUNT_OF(names), "lvl_notes or files", why);
    yyjson_obj_iter each;

    if (yyjson_get_uint(yyjson_obj_get(root, "lvl_notes")) != 1 || !yyjson_is_obj(files)) {
        if (why)
            lvl_buffer_str(why, expected);
        return LVL_ERR_ARG;
    }
    yyjson_obj_iter_init(files, &each);
    while (status == LVL_OK && (key = yyjson_obj_iter_next(&each)) != NULL) {
        yyjson_val *notes = yyjson_obj_iter_get_val(key), *item;
        yyjson_arr_iter all;
        if (!yyjson_is_arr(notes))
            return refuse(why, "the notes of a file", lvl_json_str(key), "a list");
        yyjson_arr_iter_init(notes, &all);
        while (status == LVL_OK && (item = yyjson_arr_iter_next(&all)) != NULL)
            status = read_note(list, lvl_json_str(key), item, why);
    }
    return status;
}

/* *tree has to be freed after the list. An empty text has no notes. */
static lvl_status read_notes(note_list *list, yyjson_doc **tree, const lvl_ctx *ctx, lvl_text json,
                             lvl_buffer *why)
{
    lvl_json_error error;

    *tree = NULL;
    if (!json.len)
        return LVL_OK;
    *tree = lvl_json_read(ctx, json, &error);
    if (*tree)
        return read_tree(list, yyjson_doc_get_root(*tree), why);
    if (error.status != LVL_ERR_FORMAT)
        return error.status;
    if (why)
        lvl_buffer_printf(why, "line %zu, column %zu: expected JSON: %s", error.line, error.column,
                          error.text);
    return LVL_ERR_ARG;
}

static int by_file_and_key(const void *a, const void *b)
{
    const note *x = a, *y = b;
    const int d = strcmp(x->sha256, y->sha256);

    return d ? d : lvl_text_compare(x->key, y->key);
}

/* Notes as JSON, in the order of files. */
typedef struct note_writer {
    lvl_buffer *out;
    char last[DIGITS + 1]; /* the file before; "": none */
} note_writer;

static void begin_notes(const note_writer *w)
{
    lvl_buffer_str(w->out, "{\n\"lvl_notes\": 1,\n\"files\": {");
}

static void put_note(note_writer *w, const note *n)
{
    const bool first = strcmp(w->last, n->sha256) != 0;

    if (first)
        lvl_buffer_printf(w->out, "%s\n\"%s\": [\n", w->last[0] ? "\n]," : "", n->sha256);
    lvl_buffer_str(w->out, first ? "    {\"key\": " : ",\n    {\"key\": ");
    lvl_json_string(w->out, n->key);
    lvl_buffer_str(w->out, ", \"value\": ");
    lvl_json_string(w->out, n->value);
    if (n->source.ptr) {
        lvl_buffer_str(w->out, ", \"source\": ");
        lvl_json_string(w->out, n->source);
    }
    lvl_buffer_str(w->out, "}");
    memcpy(w->last, n->sha256, sizeof w->last);
}

static void end_notes(const note_writer *w)
{
    lvl_buffer_str(w->out, w->last[0] ? "\n]\n}\n}\n" : "}\n}\n");
}

/* ---- edits -------------------------------------------------------------------------------------------- */

/* Moves the last note to the others of its file, if there are any; else by its file. The order of people is
 * kept. */
static void put_last_in_order(note_list *list)
{
    const size_t last = list->count - 1;
    const note n = list->items[last];
    size_t at = last, end = last;

    while (end && strcmp(list->items[end - 1].sha256, n.sha256) != 0)
        end--;
    if (end) {
        for (at = end; at && strcmp(list->items[at - 1].sha256, n.sha256) == 0 &&
                       by_file_and_key(&list->items[at - 1], &n) > 0;)
            at--;
    } else {
        while (at && by_file_and_key(&list->items[at - 1], &n) > 0)
            at--;
    }
    memmove(&list->items[at + 1], &list->items[at], (last - at) * sizeof n);
    list->items[at] = n;
}

static lvl_status edit(note_list *list, const lvl_note_edit *e, lvl_buffer *why)
{
    note n = {.key = lvl_text_of(e->key), .value = lvl_text_of(e->value)};
    size_t kept = 0;

    if (!is_digest(lvl_text_of(e->sha256)))
        return refuse(why, "a file", lvl_text_of(e->sha256), "its SHA-256, 64 digits in lower case");
    memcpy(n.sha256, e->sha256, DIGITS);
    if (e->source)
        n.source = lvl_text_of(e->source);
    if (lvl_text_is(n.key, "license"))
        n.key = lvl_text_of("licence"); /* one name for one thing */
    if (n.value.len || !is_key(n.key)) {
        const lvl_status status = check_note(&n, why);
        if (status != LVL_OK)
            return status;
    }
    for (size_t i = 0; i < list->count; i++) {
        const note *old = &list->items[i];
        const bool same = strcmp(old->sha256, n.sha256) == 0 && lvl_text_equal(old->key, n.key);
        /* one that is added again gets the new source */
        if (!same || (e->add && !lvl_text_equal(old->value, n.value)))
            list->items[kept++] = *old;
    }
    list->count = kept;
    if (!n.value.len)
        return LVL_OK;
    const lvl_status status = add_note(list, &n);
    if (status == LVL_OK)
        put_last_in_order(list);
    return status;
}

lvl_status lvl_notes_edit(lvl_buffer *out, const lvl_ctx *ctx, lvl_text json, const lvl_note_edit *edits,
                          size_t count, lvl_buffer *why)
{
    note_list list = {0};
    yyjson_doc *tree;
    lvl_status status = read_notes(&list, &tree, ctx, json, why);

    for (size_t i = 0; i < count && status == LVL_OK; i++)
        status = edit(&list, &edits[i], why);
    if (status == LVL_OK) {
        note_writer w = {.out = out};
        begin_notes(&w);
        for (size_t i = 0; i < list.count; i++)
            put_note(&w, &list.items[i]);
        end_notes(&w);
        status = out->status;
    }
    free(list.items);
    yyjson_doc_free(tree);
    return status;
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static lvl_status store(lvl_catalogue *c, const note *n)
{
    cat_value values[CAT_MOST_COLUMNS] = {{.kind = CAT_BYTES}, {.kind = CAT_TEXT}, {.kind = CAT_TEXT}};
    char bytes[DIGITS / 2];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(digit(n->sha256[i * 2]) << 4 | digit(n->sha256[i * 2 + 1]));
    values[0].text = (lvl_text){bytes, sizeof bytes};
    values[1].text = n->key;
    values[2].text = n->value;
    values[3].kind = n->source.ptr ? CAT_TEXT : CAT_NULL;
    values[3].text = n->source;
    return cat_sql_add(c->sql, CAT_NOTES, values);
}

lvl_status lvl_catalogue_set_notes(lvl_catalogue *c, lvl_text json, lvl_buffer *why)
{
    note_list list = {0};
    yyjson_doc *tree;
    lvl_status status = read_notes(&list, &tree, c->ctx, json, why);

    if (status == LVL_OK)
        status = cat_sql_begin(c->sql);
    const bool begun = status == LVL_OK;
    if (status == LVL_OK)
        status = cat_sql_run(c->sql, "DELETE FROM stored_notes");
    for (size_t i = 0; i < list.count && status == LVL_OK; i++)
        status = store(c, &list.items[i]);
    if (status == LVL_OK)
        status = cat_sql_commit(c->sql);
    if (begun && status != LVL_OK)
        (void)cat_sql_rollback(c->sql);
    if (status == LVL_ERR_IO)
        cat_why(c, why);
    free(list.items);
    yyjson_doc_free(tree);
    return status;
}

lvl_status lvl_catalogue_notes(lvl_catalogue *c, lvl_buffer *json)
{
    note_writer w = {.out = json};
    cat_statement *s;
    bool row = false;

    lvl_status status = cat_sql_prepare(
        c->sql, "SELECT sha256, key, value, source FROM notes ORDER BY sha256, key, value", &s);
    begin_notes(&w);
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        note n = {.key = cat_text(s, 1), .value = cat_text(s, 2)};
        cat_value source;
        if (!is_digest(cat_text(s, 0))) /* of another program */
            continue;
        memcpy(n.sha256, cat_text(s, 0).ptr, DIGITS);
        cat_get(s, 3, &source);
        if (source.kind == CAT_TEXT)
            n.source = source.text;
        put_note(&w, &n);
    }
    end_notes(&w);
    cat_statement_free(s);
    return status == LVL_OK ? json->status : status;
}
