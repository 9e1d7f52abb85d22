/*
 * catalogue/sql.c: hands each call to the database that a catalogue is in.
 */
#include "catalogue/driver.h"

#include "base/buffer.h"

#include <stdio.h>
#include <string.h>

bool cat_is_url(const char *path)
{
    return strncmp(path, "postgresql://", 13) == 0 || strncmp(path, "postgres://", 11) == 0;
}

/* Whether a name of a parameter is coded, for which there is no reason but to hide "password". */
static bool has_coded_name(const char *host)
{
    const char *p = strchr(host, '?');

    for (; p; p = strchr(p + 1, '&')) {
        if (memchr(p, '%', strcspn(p, "=")))
            return true;
    }
    return false;
}

bool cat_has_password(const char *url)
{
    if (!cat_is_url(url))
        return false;
    const char *host = strstr(url, "://") + 3;
    const size_t len = strcspn(host, "/"); /* for libpq, a `?' may be in a password */
    const char *at = memchr(host, '@', len), *colon = memchr(host, ':', len);

    return (at && colon && colon < at && colon + 1 < at) || strstr(host, "password=") || has_coded_name(host);
}

bool cat_sql_supported(void)
{
    return !cat_sqlite.absent;
}

lvl_status cat_sql_open(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                        lvl_buffer *why)
{
    const bool url = mode != LVL_CATALOGUE_MEMORY && cat_is_url(path);

    *out = NULL;
    if (url && cat_has_password(path)) {
        if (why)
            lvl_buffer_str(why,
                           "expected an address without a password: put it into ~/.pgpass or PGPASSWORD");
        return LVL_ERR_ARG;
    }
    const cat_driver *driver = url ? &cat_postgres : &cat_sqlite;
    if (!driver->absent)
        return driver->open(out, ctx, path, mode, why);
    if (why)
        lvl_buffer_str(why, driver->absent);
    return LVL_ERR_UNSUPPORTED;
}

void cat_sql_close(cat_sql *sql)
{
    if (sql)
        sql->driver->close(sql);
}

const char *cat_sql_error(const cat_sql *sql)
{
    return sql->error;
}

void cat_sql_set_error(cat_sql *sql, const char *text)
{
    snprintf(sql->error, sizeof sql->error, "%s", text);
}

cat_trouble cat_sql_trouble(const cat_sql *sql)
{
    return sql->trouble;
}

bool cat_sql_is_server(const cat_sql *sql)
{
    return sql->driver->reconnect != NULL;
}

lvl_status cat_sql_reconnect(cat_sql *sql)
{
    return sql->driver->reconnect ? sql->driver->reconnect(sql) : LVL_ERR_UNSUPPORTED;
}

lvl_status cat_sql_read_only(cat_sql *sql)
{
    return sql->driver->read_only(sql);
}

lvl_status cat_sql_open_words(cat_sql *sql)
{
    return sql->driver->open_words ? sql->driver->open_words(sql) : LVL_OK;
}

lvl_status cat_sql_run(cat_sql *sql, const char *text)
{
    return sql->driver->run(sql, text);
}

/* ---- statements --------------------------------------------------------------------------------------- */

lvl_status cat_sql_prepare(cat_sql *sql, const char *text, cat_statement **out)
{
    return sql->driver->prepare(sql, text, out);
}

void cat_statement_free(cat_statement *s)
{
    if (s)
        s->sql->driver->free(s);
}

void cat_bind_int(cat_statement *s, int at, int64_t value)
{
    s->sql->driver->bind(s, at, &(cat_value){.kind = CAT_INT, .number = value});
}

void cat_bind_text(cat_statement *s, int at, lvl_text text)
{
    s->sql->driver->bind(s, at, &(cat_value){.kind = text.ptr ? CAT_TEXT : CAT_NULL, .text = text});
}

void cat_bind(cat_statement *s, int at, const cat_value *value)
{
    s->sql->driver->bind(s, at, value);
}

lvl_status cat_step(cat_statement *s, bool *row)
{
    return s->sql->driver->step(s, row);
}

void cat_reset(cat_statement *s)
{
    s->sql->driver->reset(s);
}

lvl_status cat_run(cat_statement *s)
{
    lvl_status status;
    bool row;

    do
        status = cat_step(s, &row);
    while (status == LVL_OK && row);
    return status;
}

size_t cat_columns(const cat_statement *s)
{
    return s->sql->driver->columns(s);
}

const char *cat_column_name(const cat_statement *s, size_t at)
{
    const char *name = s->sql->driver->column_name(s, at);

    return name ? name : "";
}

void cat_get(const cat_statement *s, size_t at, cat_value *out)
{
    memset(out, 0, sizeof *out);
    s->sql->driver->get(s, at, out);
}

int64_t cat_int(const cat_statement *s, size_t at)
{
    cat_value v;

    cat_get(s, at, &v);
    return v.kind == CAT_INT ? v.number : 0;
}

lvl_text cat_text(const cat_statement *s, size_t at)
{
    cat_value v;

    cat_get(s, at, &v);
    return v.kind == CAT_TEXT ? v.text : (lvl_text){NULL, 0};
}

/* ---- filling ------------------------------------------------------------------------------------------ */

lvl_status cat_sql_begin(cat_sql *sql)
{
    return sql->driver->begin(sql);
}

lvl_status cat_sql_commit(cat_sql *sql)
{
    return sql->driver->commit(sql);
}

lvl_status cat_sql_rollback(cat_sql *sql)
{
    char error[sizeof sql->error];
    const cat_trouble trouble = sql->trouble;

    memcpy(error, sql->error, sizeof error);
    const lvl_status status = sql->driver->rollback(sql);
    memcpy(sql->error, error, sizeof error);
    sql->trouble = trouble;
    return status;
}

lvl_status cat_sql_flush(cat_sql *sql)
{
    return sql->driver->flush ? sql->driver->flush(sql) : LVL_OK;
}

lvl_status cat_sql_new_key(cat_sql *sql, int64_t *key)
{
    return sql->driver->new_key(sql, key);
}

lvl_status cat_sql_add(cat_sql *sql, unsigned table, const cat_value *values)
{
    return sql->driver->add(sql, table, values);
}

lvl_status cat_sql_index_add(cat_sql *sql, int64_t id, lvl_text text)
{
    return sql->driver->index_add(sql, id, text);
}

lvl_status cat_sql_index_remove(cat_sql *sql, int64_t first, int64_t end)
{
    return sql->driver->index_remove(sql, first, end);
}

/* ---- what differs ------------------------------------------------------------------------------------- */

const char *cat_sql_type(const cat_sql *sql, const cat_column *column)
{
    return sql->driver->type(column);
}

void cat_sql_put_name(const cat_sql *sql, lvl_buffer *out, const char *name)
{
    sql->driver->put_name(out, name);
}

void cat_sql_end_table(const cat_sql *sql, lvl_buffer *out, const cat_table *table)
{
    sql->driver->end_table(out, table);
}

const char *cat_sql_index_using(const cat_sql *sql)
{
    return sql->driver->index_using;
}

void cat_sql_note_object(const cat_sql *sql, lvl_buffer *out, const char *kind, const char *name,
                         lvl_text definition)
{
    if (sql->driver->note_object)
        sql->driver->note_object(out, kind, name, definition);
}

const char *cat_sql_before_create(const cat_sql *sql)
{
    return sql->driver->before_create;
}

const char *cat_sql_setup(const cat_sql *sql)
{
    return sql->driver->setup;
}

const char *cat_sql_index_text(const cat_sql *sql)
{
    return sql->driver->index_text;
}

bool cat_sql_is_own(const cat_sql *sql, const char *name)
{
    return sql->driver->is_own(name);
}

void cat_sql_match(const cat_sql *sql, lvl_buffer *out, int at, const char *condition)
{
    sql->driver->match(out, at, condition);
}

void cat_sql_pattern(cat_sql *sql, lvl_buffer *out, lvl_text word, bool phrase)
{
    sql->driver->pattern(sql, out, word, phrase);
}

const char *cat_sql_words(const cat_sql *sql)
{
    return sql->driver->words;
}

const char *cat_sql_hex(const cat_sql *sql, bool after)
{
    return after ? sql->driver->hex_after : sql->driver->hex_before;
}

const char *cat_sql_instr(const cat_sql *sql)
{
    return sql->driver->instr;
}

const char *cat_sql_add_name(const cat_sql *sql)
{
    return sql->driver->add_name;
}

const char *cat_sql_objects(const cat_sql *sql)
{
    return sql->driver->objects;
}
