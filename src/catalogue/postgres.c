/*
 * catalogue/postgres.c: catalogues in PostgreSQL, reached through libpq: opening them, and the table of what
 * the driver offers. A library that was built without libpq opens none.
 */
#include "catalogue/postgres.h"

#include <stdlib.h>

#ifdef LVL_HAVE_POSTGRES

/* ---- what differs from other databases ---------------------------------------------------------------- */

/* Texts compare byte by byte, and only ASCII has letters of two cases, as in SQLite. An index by B-tree has
 * no room for long texts, but names in archives can have any length: so indexes of texts are by hash. */
static const char *column_type(const cat_column *column)
{
    static const char *const types[] = {"", "bigint", "double precision", "text COLLATE \"C\"", "bytea"};

    switch (column->key) {
    case CAT_PRIMARY:
    case CAT_FILE_PRIMARY: return "bigint PRIMARY KEY";
    case CAT_FILE:
    case CAT_NUMBER: return "bigint NOT NULL";
    case CAT_UNIQUE: return "text COLLATE \"C\" NOT NULL";
    default: return types[column->kind];
    }
}

static void put_name(lvl_buffer *out, const char *name)
{
    lvl_buffer_printf(out, "\"%s\"", name); /* `offset' is a word of the language */
}

static void end_table(lvl_buffer *out, const cat_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->columns[i].key == CAT_UNIQUE)
            lvl_buffer_printf(out, ", EXCLUDE USING hash (\"%s\" WITH =)", table->columns[i].name);
    }
    lvl_buffer_str(out, table->columns[0].key == CAT_FILE ? ", PRIMARY KEY (file, number))" : ")");
}

/* Only what lvl made is listed among the objects at all. */
static bool is_own(const char *name)
{
    (void)name;
    return false;
}

static void note_object(lvl_buffer *out, const char *kind, const char *name, lvl_text definition)
{
    lvl_buffer_printf(out, "COMMENT ON %s %s IS $lvl$%.*s$lvl$;\n", kind, name, (int)definition.len,
                      definition.ptr);
}

/* ---- opening ------------------------------------------------------------------------------------------ */

/* What a connection is set to, whatever the server's configuration says. */
static const char session_settings[] =
    "SET client_min_messages = warning; SET standard_conforming_strings = on; SET bytea_output = hex; "
    "SET extra_float_digits = 1; SET default_transaction_isolation = 'read committed'; "
    "SET idle_in_transaction_session_timeout = 0";

/* libpq's own reason may quote the address, so it is not shown. A password in it was refused before. */
static lvl_status check_url(const char *url, lvl_buffer *why)
{
    char *error = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &error);
    const lvl_status status = options ? LVL_OK : error ? LVL_ERR_ARG : LVL_ERR_MEMORY;

    if (status == LVL_ERR_ARG && why)
        lvl_buffer_str(why, "expected an address such as postgresql://user@host/database");
    PQconninfoFree(options);
    PQfreemem(error);
    return status;
}

static void close_database(cat_sql *sql)
{
    cat_pg_database *d = cat_pg_database_of(sql);

    for (size_t t = 0; t < CAT_TABLES; t++)
        lvl_buffer_free(&d->copy[t]);
    lvl_buffer_free(&d->index);
    lvl_buffer_free(&d->line);
    cat_words_free(d->words);
    PQfinish(d->conn);
    free(d);
}

static void ignore_notice(void *user, const char *text)
{
    (void)user;
    (void)text;
}

static lvl_status open_database(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                                lvl_buffer *why)
{
    /* what the address says comes later, and wins */
    const char *const names[] = {"connect_timeout",
                                 "keepalives_idle",
                                 "tcp_user_timeout",
                                 "dbname",
                                 "client_encoding",
                                 "fallback_application_name",
                                 NULL};
    const char *const values[] = {"10", "30", "60000", path, "UTF8", "lvl", NULL};

    (void)mode;
    *out = NULL;
    lvl_status status = check_url(path, why);
    if (status != LVL_OK)
        return status;
    cat_pg_database *d = calloc(1, sizeof *d);
    if (!d)
        return LVL_ERR_MEMORY;
    d->sql.driver = &cat_postgres;
    d->sql.ctx = ctx;
    d->connection = 1;
    d->words = cat_words_new();
    d->conn = PQconnectdbParams(names, values, 1);
    if (!d->words || !d->conn) {
        status = LVL_ERR_MEMORY;
    } else if (PQstatus(d->conn) != CONNECTION_OK) {
        status = cat_pg_note_failure(&d->sql, NULL);
    } else {
        PQsetNoticeProcessor(d->conn, ignore_notice, NULL);
        status = cat_pg_run(&d->sql, session_settings);
    }
    if (status == LVL_OK) {
        *out = &d->sql;
        return LVL_OK;
    }
    if (why)
        lvl_buffer_str(why, status == LVL_ERR_MEMORY ? lvl_status_text(status) : d->sql.error);
    close_database(&d->sql);
    return status;
}

/* One look at the database for everything that follows: what others write meanwhile is not seen. */
static lvl_status begin_read_only(cat_sql *sql)
{
    return cat_pg_run(sql, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

static lvl_status connect_again(cat_sql *sql)
{
    cat_pg_database *d = cat_pg_database_of(sql);

    cat_pg_reset_active(d);
    PQreset(d->conn);
    d->connection++;
    if (PQstatus(d->conn) != CONNECTION_OK)
        return cat_pg_note_failure(sql, NULL);
    return cat_pg_run(sql, session_settings);
}

const cat_driver cat_postgres = {
    .open = open_database,
    .close = close_database,
    .read_only = begin_read_only,
    .reconnect = connect_again,
    .run = cat_pg_run,
    .prepare = cat_pg_prepare,
    .free = cat_pg_statement_free,
    .bind = cat_pg_bind,
    .step = cat_pg_step,
    .reset = cat_pg_reset,
    .columns = cat_pg_columns,
    .column_name = cat_pg_column_name,
    .get = cat_pg_get,
    .begin = cat_pg_begin,
    .commit = cat_pg_commit,
    .rollback = cat_pg_rollback,
    .flush = cat_pg_flush,
    .new_key = cat_pg_new_key,
    .add = cat_pg_add,
    .index_add = cat_pg_index_add,
    .index_remove = cat_pg_index_remove,
    .type = column_type,
    .put_name = put_name,
    .end_table = end_table,
    .is_own = is_own,
    .match = cat_pg_put_match,
    .pattern = cat_pg_put_pattern,
    .index_using = " USING hash",
    .index_text = "CREATE TABLE texts_index (text bigint, part bigint, words tsvector, PRIMARY KEY (text, "
                  "part)); CREATE INDEX texts_index_words ON texts_index USING gin (words)",
    .words = "SELECT w.lexeme COLLATE \"C\" AS term, i.text AS doc FROM texts_index i, unnest(i.words) w "
             "ORDER BY 1, 2",
    /* what lvl made has its definition as a comment */
    .objects = "SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'i' THEN 'index' ELSE 'table' END, "
               "c.relname::text, d.description FROM pg_class c JOIN pg_description d ON d.objoid = c.oid AND "
               "d.classoid = 'pg_class'::regclass AND d.objsubid = 0 WHERE c.relnamespace = "
               "(SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND d.description LIKE "
               "'CREATE %'",
    .note_object = note_object,
    .before_create = "SELECT pg_advisory_xact_lock(hashtext(current_schema()))",
    .instr = "strpos",
    .hex_before = "encode(",
    .hex_after = ", 'hex')",
    /* scans that add names wait for each other: otherwise two could wait for two names */
    .add_name = "INSERT INTO names (id, name) SELECT nextval('names_keys'), $1 FROM (SELECT "
                "pg_advisory_xact_lock(6845112)) l ON CONFLICT DO NOTHING",
    /* of the tables of a scan that several programs share, share.c has a description */
    .setup =
        "CREATE SEQUENCE names_keys; CREATE SEQUENCE files_keys INCREMENT 1000; "
        "CREATE TABLE scan_list (thumbnail bigint NOT NULL, ended bigint NOT NULL); "
        "CREATE TABLE scan_roots (path bytea NOT NULL); "
        "CREATE TABLE scan_items (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, path bytea NOT NULL, "
        "archive boolean NOT NULL); "
        "CREATE INDEX scan_items_archive ON scan_items (archive, id); "
        "CREATE TABLE scan_seen (file bigint NOT NULL)",
};

#else /* without libpq */

const cat_driver cat_postgres = {.absent =
                                     "this lvl was built without libpq, which catalogues in PostgreSQL need"};

#endif
