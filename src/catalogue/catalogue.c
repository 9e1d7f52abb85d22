/*
 * catalogue/catalogue.c: opening a catalogue: creating its tables, or checking those that a file has.
 */
#include "catalogue/catalogue.h"

#include "base/buffer.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool lvl_catalogue_is_url(const char *path)
{
    return cat_is_url(path);
}

bool lvl_catalogue_has_password(const char *url)
{
    return cat_has_password(url);
}

bool lvl_catalogue_supported(void)
{
    return cat_sql_supported();
}

const char *lvl_catalogue_error(const lvl_catalogue *catalogue)
{
    return cat_sql_error(catalogue->sql);
}

void cat_why(const lvl_catalogue *catalogue, lvl_buffer *why)
{
    if (why)
        lvl_buffer_str(why, cat_sql_error(catalogue->sql));
}

int64_t cat_now(void)
{
    return (int64_t)time(NULL);
}

/* ---- the tables --------------------------------------------------------------------------------------- */

static void create_table(const cat_sql *sql, lvl_buffer *out, const cat_table *table)
{
    const cat_column *c;

    lvl_buffer_printf(out, "CREATE TABLE %s (", table->stored);
    for (size_t i = 0; (c = cat_stored_column(table, i)) != NULL; i++) {
        cat_column stored = *c;
        stored.kind = cat_is_named(c) ? CAT_INT : c->form == CAT_HEX ? CAT_BYTES : c->kind;
        lvl_buffer_str(out, i ? ", " : "");
        cat_sql_put_name(sql, out, c->name);
        lvl_buffer_printf(out, " %s", cat_sql_type(sql, &stored));
    }
    cat_sql_end_table(sql, out, table);
}

static void create_index(const cat_sql *sql, lvl_buffer *out, const cat_table *table,
                         const cat_column *column)
{
    lvl_buffer_printf(out, "CREATE INDEX %s_%s ON %s%s (%s)", table->name, column->name, table->stored,
                      cat_sql_index_using(sql), column->name);
}

/* An expression for a JSON object of CAT_VALUES: takes a line of both columns in turn. The functions of JSON
 * would do, too, but SQLite up to 3.40 does not let views of a file that is not trusted call them. */
static void put_object(const cat_sql *sql, lvl_buffer *out, const char *name)
{
    const char *instr = cat_sql_instr(sql);

    lvl_buffer_printf(
        out,
        "(WITH RECURSIVE j (done, k, v) AS (SELECT substr(n.name, 1, 0), n.name || '\n', s.%s || '\n' FROM "
        "names n WHERE n.id "
        "= s.%s_keys UNION ALL SELECT done || substr(k, 1, %s(k, '\n') - 1) || substr(v, 1, %s(v, '\n') - "
        "1), substr(k, %s(k, '\n') + 1), substr(v, %s(v, '\n') + 1) FROM j WHERE %s(k, '\n') > 0 AND "
        "%s(v, '\n') > 0) SELECT '{' || done || '}' FROM j WHERE k = '')",
        name, name, instr, instr, instr, instr, instr, instr);
}

/* The table as people see it. */
static void create_table_view(const cat_sql *sql, lvl_buffer *out, const cat_table *table)
{
    const char *gap = "";

    lvl_buffer_printf(out, "CREATE VIEW %s AS SELECT ", table->name);
    for (size_t i = 0; i < table->count; i++) {
        const cat_column *c = &table->columns[i];
        lvl_buffer name = {0};
        if (c->form == CAT_HIDDEN || c->form == CAT_HIDDEN_NAMED)
            continue;
        cat_sql_put_name(sql, &name, c->name);
        const lvl_text n = lvl_buffer_text(&name);
        lvl_buffer_str(out, gap);
        gap = ", ";
        if (c->shown)
            lvl_buffer_str(out, c->shown);
        else if (c->form == CAT_NAMED)
            lvl_buffer_printf(out, "(SELECT n.name FROM names n WHERE n.id = s.%.*s)", (int)n.len, n.ptr);
        else if (c->form == CAT_VALUES)
            put_object(sql, out, c->name);
        else if (c->form == CAT_HEX)
            lvl_buffer_printf(out, "CASE WHEN s.%.*s IS NOT NULL THEN %ss.%.*s%s END", (int)n.len, n.ptr,
                              cat_sql_hex(sql, false), (int)n.len, n.ptr, cat_sql_hex(sql, true));
        else
            lvl_buffer_printf(out, "s.%.*s", (int)n.len, n.ptr);
        lvl_buffer_printf(out, " AS %.*s", (int)n.len, n.ptr);
        if (name.status != LVL_OK)
            out->status = name.status;
        lvl_buffer_free(&name);
    }
    lvl_buffer_printf(out, " FROM %s s", table->stored);
}

static void create_view(lvl_buffer *out, const cat_view *view)
{
    lvl_buffer_printf(out, "CREATE VIEW %s AS %s", view->name, view->query);
}

typedef lvl_status (*object_fn)(void *user, const char *name, lvl_text definition);

/* The view of a table that is stored otherwise than it is shown. */
static lvl_status visit_stored(const cat_sql *sql, object_fn visit, void *user, const cat_table *table,
                               lvl_buffer *text)
{
    if (!cat_is_shown_by_view(table))
        return LVL_OK;
    text->len = 0;
    create_table_view(sql, text, table);
    return text->status == LVL_OK ? visit(user, table->name, lvl_buffer_text(text)) : text->status;
}

/* Calls `visit` for everything that a catalogue consists of, in the order of creation. */
static lvl_status each_object(const cat_sql *sql, object_fn visit, void *user)
{
    lvl_buffer text = {0};
    lvl_status status = LVL_OK;
    char name[80];

    for (size_t t = 0; t < CAT_TABLES && status == LVL_OK; t++) {
        const cat_table *table = &cat_tables[t];
        text.len = 0;
        create_table(sql, &text, table);
        status = text.status == LVL_OK ? visit(user, table->stored, lvl_buffer_text(&text)) : text.status;
        for (size_t i = 0; i < table->count && status == LVL_OK; i++) {
            if (!cat_has_index(&table->columns[i]))
                continue;
            text.len = 0;
            create_index(sql, &text, table, &table->columns[i]);
            snprintf(name, sizeof name, "%s_%s", table->name, table->columns[i].name);
            status = text.status == LVL_OK ? visit(user, name, lvl_buffer_text(&text)) : text.status;
        }
    }
    for (size_t t = 0; t < CAT_TABLES && status == LVL_OK; t++)
        status = visit_stored(sql, visit, user, &cat_tables[t], &text);
    if (status == LVL_OK)
        status = visit(user, "texts_index", lvl_text_of(cat_sql_index_text(sql)));
    for (const cat_view *v = cat_views; v->name && status == LVL_OK; v++) {
        text.len = 0;
        create_view(&text, v);
        status = text.status == LVL_OK ? visit(user, v->name, lvl_buffer_text(&text)) : text.status;
    }
    lvl_buffer_free(&text);
    return status;
}

typedef struct creation {
    const cat_sql *sql;
    lvl_buffer all; /* statements */
} creation;

static lvl_status create_object(void *user, const char *name, lvl_text definition)
{
    creation *c = user;
    const char *kinds[] = {"TABLE", "INDEX", "VIEW"}, *kind = kinds[0];

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t len = strlen(kinds[i]);
        if (definition.len > 7 + len && memcmp(definition.ptr + 7, kinds[i], len) == 0) /* after "CREATE " */
            kind = kinds[i];
    }
    lvl_buffer_add(&c->all, definition.ptr, definition.len);
    lvl_buffer_str(&c->all, ";\n");
    cat_sql_note_object(c->sql, &c->all, kind, name, definition);
    return c->all.status;
}

/* Within a transaction. */
static lvl_status create(lvl_catalogue *catalogue)
{
    creation c = {.sql = catalogue->sql};
    lvl_status status = each_object(catalogue->sql, create_object, &c);

    lvl_buffer_printf(&c.all,
                      "INSERT INTO meta VALUES ('schema', '%d'), ('scanner', '%d'), ('thumbnails', '0'), "
                      "('lvl', '%s');\n%s",
                      CAT_SCHEMA, CAT_SCANNER, lvl_version(), cat_sql_setup(catalogue->sql));
    lvl_buffer_u8(&c.all, 0);
    if (status == LVL_OK)
        status = c.all.status;
    if (status == LVL_OK)
        status = cat_sql_run(catalogue->sql, (const char *)c.all.data);
    lvl_buffer_free(&c.all);
    return status;
}

struct wanted {
    const char *name;
    lvl_text sql;
    bool found, equal;
};

static lvl_status compare_object(void *user, const char *name, lvl_text definition)
{
    struct wanted *w = user;

    if (strcmp(w->name, name) == 0) {
        w->found = true;
        w->equal = lvl_text_equal(w->sql, definition);
    }
    return LVL_OK;
}

static lvl_status count_object(void *user, const char *name, lvl_text definition)
{
    (void)name;
    (void)definition;
    ++*(size_t *)user;
    return LVL_OK;
}

/* The version of the tables of a catalogue of another version, which `meta` says; 0: not known. */
static int64_t version_of(lvl_catalogue *catalogue)
{
    cat_statement *s = NULL;
    uint64_t version = 0;
    bool row = false;

    if (cat_sql_prepare(catalogue->sql, "SELECT value FROM meta WHERE key = 'schema'", &s) == LVL_OK &&
        cat_step(s, &row) == LVL_OK && row) {
        const lvl_text text = cat_text(s, 0);
        for (size_t i = 0; i < text.len && i < 9 && lvl_is_digit(text.ptr[i]); i++)
            version = version * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    cat_statement_free(s);
    return (int64_t)version;
}

static void say_version(lvl_catalogue *catalogue, lvl_buffer *why)
{
    const int64_t version = version_of(catalogue);

    if (version <= 0 || version == CAT_SCHEMA)
        return;
    why->len = 0;
    lvl_buffer_printf(why, "a catalogue of version %lld, expected version %d: ", (long long)version,
                      CAT_SCHEMA);
    lvl_buffer_str(why, version < CAT_SCHEMA
                            ? "scan again into a new one; notes that you made in this one stay in it"
                            : "a newer lvl made it");
}

/* Whether the file has the tables, indexes and views of this version, and nothing else. *empty: it has none
 * at all. */
static lvl_status check_objects(lvl_catalogue *catalogue, bool *empty, lvl_buffer *why)
{
    cat_statement *s;
    size_t wanted = 0, found = 0, all = 0;
    lvl_status verdict = LVL_OK;
    bool row, meta = false;

    lvl_status status = each_object(catalogue->sql, count_object, &wanted);
    if (status == LVL_OK)
        status = cat_sql_prepare(catalogue->sql, cat_sql_objects(catalogue->sql), &s);
    if (status != LVL_OK) {
        cat_why(catalogue, why);
        return status == LVL_ERR_ARG ? LVL_ERR_FORMAT : status;
    }
    while ((status = cat_step(s, &row)) == LVL_OK && row) {
        const lvl_text kind = cat_text(s, 0), name = cat_text(s, 1);
        char copy[80];
        all++;
        snprintf(copy, sizeof copy, "%.*s", (int)(name.len < sizeof copy ? name.len : 0),
                 name.ptr ? name.ptr : "");
        struct wanted w = {copy, cat_text(s, 2), false, false};
        status = each_object(catalogue->sql, compare_object, &w);
        found += w.equal;
        meta |= w.equal && strcmp(copy, cat_tables[CAT_META].name) == 0;
        if (status != LVL_OK)
            break;
        if (!w.equal && verdict == LVL_OK &&
            !(cat_sql_is_own(catalogue->sql, copy) && !lvl_text_is(kind, "view") &&
              !lvl_text_is(kind, "trigger"))) {
            verdict = LVL_ERR_FORMAT;
            if (why)
                lvl_buffer_printf(why,
                                  w.found ? "its %.*s `%s' is not that of this version of lvl"
                                          : "it has a %.*s `%s', which is not part of a catalogue",
                                  (int)kind.len, kind.ptr ? kind.ptr : "", copy);
        }
    }
    if (status != LVL_OK && why && !why->len)
        cat_why(catalogue, why);
    cat_statement_free(s);
    *empty = !all;
    if (status != LVL_OK)
        return status;
    if (verdict == LVL_OK && all && found != wanted) {
        verdict = LVL_ERR_FORMAT;
        if (why)
            lvl_buffer_printf(why, "%zu of its %zu tables, indexes and views are missing", wanted - found,
                              wanted);
    }
    if (verdict == LVL_OK && all && version_of(catalogue) != CAT_SCHEMA) {
        verdict = LVL_ERR_FORMAT;
        if (why)
            lvl_buffer_str(why, "its table `meta' names no version of the tables");
    }
    /* a table, as its definition is equal: a view could be made to do harm */
    if (verdict != LVL_OK && why && meta)
        say_version(catalogue, why);
    return verdict;
}

/* Creates the tables, unless another program has just done so. */
static lvl_status create_alone(lvl_catalogue *c, lvl_buffer *why)
{
    bool empty = true;

    lvl_status status = cat_sql_begin(c->sql);
    if (status == LVL_OK)
        status = cat_sql_run(c->sql, cat_sql_before_create(c->sql));
    if (status == LVL_OK)
        status = check_objects(c, &empty, why);
    if (status == LVL_OK && empty)
        status = create(c);
    if (status == LVL_OK)
        status = cat_sql_commit(c->sql);
    if (status != LVL_OK && why && !why->len)
        cat_why(c, why);
    return status;
}

lvl_status lvl_catalogue_open(lvl_catalogue **out, const lvl_ctx *ctx, const char *path,
                              lvl_catalogue_mode mode, lvl_buffer *why)
{
    lvl_catalogue *c = calloc(1, sizeof *c);
    bool empty = true;

    *out = NULL;
    if (!c)
        return LVL_ERR_MEMORY;
    c->ctx = ctx;
    c->mode = mode;
    lvl_hash_init(&c->known_index);
    lvl_hash_init(&c->added);
    lvl_hash_init(&c->name_index);
    lvl_status status = cat_sql_open(&c->sql, ctx, path, mode, why);
    if (status == LVL_OK)
        status = check_objects(c, &empty, why);
    if (status == LVL_OK && empty && mode == LVL_CATALOGUE_READ) {
        status = LVL_ERR_FORMAT;
        if (why)
            lvl_buffer_str(why, "an empty database, not a catalogue");
    } else if (status == LVL_OK && empty) {
        status = create_alone(c, why);
    }
    if (status == LVL_OK && mode == LVL_CATALOGUE_READ)
        status = cat_sql_read_only(c->sql);
    if (status == LVL_OK)
        *out = c;
    else
        lvl_catalogue_close(c);
    return status;
}

void lvl_catalogue_close(lvl_catalogue *c)
{
    if (!c)
        return;
    for (size_t t = 0; t < CAT_TABLES; t++)
        cat_statement_free(c->remove[t]);
    cat_statement_free(c->update_file);
    cat_statement_free(c->touch);
    cat_statement_free(c->find_path);
    cat_statement_free(c->find_name);
    cat_statement_free(c->add_name);
    cat_sql_close(c->sql);
    lvl_hash_free(&c->known_index);
    lvl_hash_free(&c->added);
    free(c->seen);
    lvl_hash_free(&c->name_index);
    lvl_buffer_free(&c->name_texts);
    free(c->name_ids);
    free(c->known);
    free(c);
}
