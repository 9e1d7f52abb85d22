/*
 * catalogue/catalogue.c: opening a catalogue, and creating its tables.
 */
#include "catalogue/catalogue.h"

#include "base/buffer.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static const char *type_of(const cat_column *column)
{
    static const char *const types[] = {"", "INTEGER", "REAL", "TEXT", "BLOB"};

    switch (column->key) {
    case CAT_PRIMARY: return "INTEGER PRIMARY KEY";
    case CAT_FILE:
    case CAT_NUMBER: return "INTEGER NOT NULL";
    case CAT_FILE_PRIMARY: return "INTEGER PRIMARY KEY REFERENCES files (id)";
    case CAT_UNIQUE: return "TEXT NOT NULL UNIQUE";
    default:
        return types[cat_is_named(column) ? CAT_INT : column->form == CAT_HEX ? CAT_BYTES : column->kind];
    }
}

static void create_table(lvl_buffer *out, const cat_table *table)
{
    const cat_column *c;

    lvl_buffer_printf(out, "CREATE TABLE %s (", table->stored);
    for (size_t i = 0; (c = cat_stored_column(table, i)) != NULL; i++)
        lvl_buffer_printf(out, "%s%s %s", i ? ", " : "", c->name, type_of(c));
    /* the rows of a file lie together, without another index */
    lvl_buffer_str(out, table->columns[0].key == CAT_FILE ? ", PRIMARY KEY (file, number)) WITHOUT ROWID;\n"
                                                          : ");\n");
    for (size_t i = 0; i < table->count; i++) {
        const char *name = table->columns[i].name;
        if (cat_has_index(&table->columns[i]))
            lvl_buffer_printf(out, "CREATE INDEX %s_%s ON %s (%s);\n", table->name, name, table->stored,
                              name);
    }
}

/* An expression for a JSON object of CAT_VALUES: takes a line of both columns in turn. The functions of JSON
 * would do, too, but SQLite up to 3.40 does not let views of a file that is not trusted call them. */
static void put_object(lvl_buffer *out, const char *name)
{
    lvl_buffer_printf(
        out,
        "(WITH RECURSIVE j (done, k, v) AS (SELECT substr(n.name, 1, 0), n.name || '\n', s.%s || '\n' FROM "
        "names n WHERE n.id = s.%s_keys UNION ALL SELECT done || substr(k, 1, instr(k, '\n') - 1) || "
        "substr(v, 1, instr(v, '\n') - 1), substr(k, instr(k, '\n') + 1), substr(v, instr(v, '\n') + 1) FROM "
        "j WHERE instr(k, '\n') > 0 AND instr(v, '\n') > 0) SELECT '{' || done || '}' FROM j WHERE k = '')",
        name, name);
}

/* A table as people see it. */
static void create_table_view(lvl_buffer *out, const cat_table *table)
{
    const char *gap = "";

    lvl_buffer_printf(out, "CREATE VIEW %s AS SELECT ", table->name);
    for (size_t i = 0; i < table->count; i++) {
        const cat_column *c = &table->columns[i];
        if (c->form == CAT_HIDDEN || c->form == CAT_HIDDEN_NAMED)
            continue;
        lvl_buffer_str(out, gap);
        gap = ", ";
        if (c->shown)
            lvl_buffer_str(out, c->shown);
        else if (c->form == CAT_NAMED)
            lvl_buffer_printf(out, "(SELECT n.name FROM names n WHERE n.id = s.%s)", c->name);
        else if (c->form == CAT_VALUES)
            put_object(out, c->name);
        else if (c->form == CAT_HEX)
            lvl_buffer_printf(out, "CASE WHEN s.%s IS NOT NULL THEN lower(hex(s.%s)) END", c->name, c->name);
        else
            lvl_buffer_printf(out, "s.%s", c->name);
        lvl_buffer_printf(out, " AS %s", c->name);
    }
    lvl_buffer_printf(out, " FROM %s s;\n", table->stored);
}

/* Within a transaction. */
static lvl_status create(lvl_catalogue *c)
{
    lvl_buffer text = {0};

    for (size_t t = 0; t < CAT_TABLES; t++)
        create_table(&text, &cat_tables[t]);
    for (size_t t = 0; t < CAT_TABLES; t++) {
        if (cat_is_shown_by_view(&cat_tables[t]))
            create_table_view(&text, &cat_tables[t]);
    }
    /* the words of some thousand files go into the index at once: hashsize */
    lvl_buffer_str(&text, "CREATE VIRTUAL TABLE texts_index USING fts5(text, content='texts', "
                          "content_rowid='id', columnsize=0, tokenize='unicode61 remove_diacritics 2');\n"
                          "INSERT INTO texts_index (texts_index, rank) VALUES ('hashsize', 16777216);\n");
    for (const cat_view *v = cat_views; v->name; v++)
        lvl_buffer_printf(&text, "CREATE VIEW %s AS %s;\n", v->name, v->query);
    lvl_buffer_printf(&text,
                      "INSERT INTO meta VALUES ('schema', '%d'), ('scanner', '%d'), ('thumbnails', '0'), "
                      "('lvl', '%s');\nPRAGMA application_id = %d; PRAGMA user_version = %d",
                      CAT_SCHEMA, CAT_SCANNER, lvl_version(), CAT_APPLICATION, CAT_SCHEMA);
    lvl_buffer_u8(&text, 0);
    const lvl_status status =
        text.status == LVL_OK ? cat_sql_run(c->sql, (const char *)text.data) : text.status;
    lvl_buffer_free(&text);
    return status;
}

/* ---- opening ------------------------------------------------------------------------------------------ */

lvl_status cat_ask_number(lvl_catalogue *c, const char *query, int64_t *out)
{
    cat_statement *s = NULL;
    bool row = false;

    lvl_status status = cat_sql_prepare(c->sql, query, &s);
    if (status == LVL_OK)
        status = cat_step(s, &row);
    *out = status == LVL_OK && row ? cat_int(s, 0) : 0;
    cat_statement_free(s);
    return status == LVL_ERR_ARG ? LVL_ERR_FORMAT : status;
}

/* Whether the file is a catalogue of this version, by its header. *empty: there is nothing in it yet. */
static lvl_status check_header(lvl_catalogue *c, bool *empty, lvl_buffer *why)
{
    int64_t application, version, objects;

    *empty = false;
    lvl_status status = cat_ask_number(c, "PRAGMA application_id", &application);
    if (status == LVL_OK)
        status = cat_ask_number(c, "PRAGMA user_version", &version);
    if (status == LVL_OK)
        status = cat_ask_number(c, "SELECT count(*) FROM sqlite_master", &objects);
    if (status != LVL_OK) {
        cat_why(c, why);
        return status;
    }
    *empty = !objects && !application;
    if (*empty || (application == CAT_APPLICATION && version == CAT_SCHEMA))
        return LVL_OK;
    if (why && application != CAT_APPLICATION)
        lvl_buffer_str(why, "not a catalogue of this version of lvl: scan again into a new one");
    else if (why)
        lvl_buffer_printf(why, "a catalogue of version %lld, expected version %d: %s", (long long)version,
                          CAT_SCHEMA,
                          version < CAT_SCHEMA ? "scan again into a new one" : "a newer lvl made it");
    return LVL_ERR_FORMAT;
}

/* Creates the tables, unless another program has just done so. */
static lvl_status create_alone(lvl_catalogue *c, lvl_buffer *why)
{
    bool empty = true;

    lvl_status status = cat_sql_run(c->sql, "BEGIN IMMEDIATE");
    if (status == LVL_OK)
        status = check_header(c, &empty, why);
    if (status == LVL_OK && empty)
        status = create(c);
    if (status == LVL_OK)
        status = cat_sql_run(c->sql, "COMMIT");
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
    lvl_hash_init(&c->name_index);
    lvl_status status = cat_sql_open(&c->sql, ctx, path, mode, why);
    if (status == LVL_OK)
        status = check_header(c, &empty, why);
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
    for (size_t t = 0; t < CAT_TABLES; t++) {
        cat_statement_free(c->remove[t]);
        cat_statement_free(c->insert[t]);
    }
    cat_statement_free(c->index_add);
    cat_statement_free(c->index_remove);
    cat_statement_free(c->old_texts);
    cat_statement_free(c->note_change);
    cat_statement_free(c->update_file);
    cat_statement_free(c->touch);
    cat_statement_free(c->find_path);
    cat_statement_free(c->find_name);
    cat_statement_free(c->add_name);
    cat_sql_close(c->sql);
    lvl_hash_free(&c->known_index);
    lvl_hash_free(&c->name_index);
    lvl_buffer_free(&c->name_texts);
    free(c->name_ids);
    free(c->known);
    free(c);
}
