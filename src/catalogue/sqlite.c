/*
 * catalogue/sqlite.c: catalogues in a file of SQLite, with its full-text index FTS5. A library that was built
 * without SQLite opens none.
 */
#include "catalogue/driver.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LVL_HAVE_SQLITE

#include <sqlite3.h>

/* ---- what differs from other databases ---------------------------------------------------------------- */

static const char *type(const cat_column *column)
{
    static const char *const types[] = {"", "INTEGER", "REAL", "TEXT", "BLOB"};

    switch (column->key) {
    case CAT_PRIMARY: return "INTEGER PRIMARY KEY";
    case CAT_FILE:
    case CAT_NUMBER: return "INTEGER NOT NULL";
    case CAT_FILE_PRIMARY: return "INTEGER PRIMARY KEY REFERENCES files (id)";
    case CAT_UNIQUE: return "TEXT NOT NULL UNIQUE";
    default: return types[column->kind];
    }
}

static void end_table(lvl_buffer *out, const cat_table *table)
{
    /* the rows of a file lie together, without another index */
    lvl_buffer_str(out,
                   table->columns[0].key == CAT_FILE ? ", PRIMARY KEY (file, number)) WITHOUT ROWID" : ")");
}

static void put_name(lvl_buffer *out, const char *name)
{
    lvl_buffer_str(out, name);
}

static bool is_own(const char *name)
{
    static const char *const parts[] = {"texts_index_data", "texts_index_idx", "texts_index_config"};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(name, parts[i]) == 0)
            return true;
    }
    return strncmp(name, "sqlite_", 7) == 0; /* names that SQLite keeps for itself */
}

static void match(lvl_buffer *out, int at, const char *condition)
{
    lvl_buffer_printf(out,
                      "SELECT i.rowid / 256 AS file, i.rowid AS text FROM texts_index i%s WHERE "
                      "i.texts_index MATCH $%d%s%s",
                      condition ? " JOIN stored_texts t ON t.id = i.rowid" : "", at, condition ? " AND " : "",
                      condition ? condition : "");
}

static void pattern(cat_sql *sql, lvl_buffer *out, lvl_text word, bool phrase)
{
    (void)sql;
    lvl_buffer_u8(out, '"');
    for (size_t i = 0; i < word.len; i++) {
        /* a NUL would end the pattern */
        lvl_buffer_u8(out, word.ptr[i] ? (uint8_t)word.ptr[i] : ' ');
        if (word.ptr[i] == '"')
            lvl_buffer_u8(out, '"');
    }
    lvl_buffer_str(out, phrase ? "\"" : "\"*");
}

/* ---- the database ------------------------------------------------------------------------------------- */

typedef struct database {
    cat_sql sql; /* first */
    sqlite3 *db;
    /* prepared when they are first used */
    cat_statement *insert[CAT_TABLES], *index_add, *index_remove, *old_texts, *last_key;
    int64_t next_key; /* 0: not known in this transaction */
    bool limited; /* what a query may take */
    uint64_t steps; /* since the last statement was prepared */
} database;

typedef struct statement {
    cat_statement statement; /* first */
    sqlite3_stmt *stmt;
} statement;

static database *base(cat_sql *sql)
{
    return (database *)(void *)sql;
}

static sqlite3_stmt *stmt_of(const cat_statement *s)
{
    return ((const statement *)(const void *)s)->stmt;
}

static lvl_status failed(cat_sql *sql, int code)
{
    sqlite3 *db = base(sql)->db;

    snprintf(sql->error, sizeof sql->error, "%s",
             code == SQLITE_BUSY || code == SQLITE_LOCKED ? "another program is writing it"
             : code == SQLITE_FULL
                 ? "the disk is full; what was stored stays, and the same command goes on with the rest"
             : code == SQLITE_CORRUPT
                 ? "the database is damaged: scan again into a new one; notes that you made are beside it"
                 : sqlite3_errmsg(db));
    if (code == SQLITE_INTERRUPT && sql->ctx->stop && *sql->ctx->stop)
        return LVL_ERR_STOPPED;
    if (code == SQLITE_INTERRUPT && base(sql)->limited) {
        snprintf(sql->error, sizeof sql->error,
                 "the query takes more than %llu steps; a larger limit, as --limit work=%llu, allows more",
                 (unsigned long long)lvl_limits_of(sql->ctx).work,
                 (unsigned long long)lvl_limits_of(sql->ctx).work * 10);
        return LVL_ERR_LIMIT;
    }
    return code == SQLITE_NOMEM                              ? LVL_ERR_MEMORY
           : code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? LVL_ERR_FORMAT
                                                             : LVL_ERR_IO;
}

enum { STEPS = 100000 }; /* of SQLite's machine, between two looks at the clock and the limit */

/* Of a query for reading, which anybody may have written, the steps are limited, too. */
static int stop_asked(void *user)
{
    cat_sql *sql = user;
    database *d = base(sql);

    d->steps += STEPS;
    if (d->limited && d->steps > lvl_limits_of(sql->ctx).work)
        return 1;
    return sql->ctx->stop && *sql->ctx->stop;
}

static void close_database(cat_sql *sql);

/* Whether a file that other programs write, or wrote until they were stopped, is beside the database. */
static bool has_journal(const char *path)
{
    static const char *const endings[] = {"-wal", "-journal"};
    lvl_buffer name = {0};
    bool found = false;

    for (size_t i = 0; i < LVL_COUNT_OF(endings) && !found; i++) {
        lvl_file_ends ends = {.size = 0};
        name.len = 0;
        lvl_buffer_str(&name, path);
        lvl_buffer_str(&name, endings[i]);
        lvl_buffer_u8(&name, 0);
        const char *file = (const char *)name.data;
        found = name.status != LVL_OK || (lvl_file_kind_of(file) != LVL_FILE_NONE &&
                                          (lvl_file_read_ends(&ends, file, NULL) != LVL_OK || ends.size));
    }
    lvl_buffer_free(&name);
    return found;
}

/* A database that nobody can write, as on a disc or in another user's folder: no files are made beside it, as
 * reading one with a write-ahead log does otherwise. */
static int open_unwritable(database *d, const char *path)
{
    lvl_buffer name = {0};
    const bool drive = path[0] && path[1] == ':' && path[2] == '/';

    lvl_buffer_str(&name, drive ? "file:///" : *path == '/' ? "file://" : "file:");
    for (const char *p = path; *p; p++) {
        if (*p == '?' || *p == '#' || *p == '%')
            lvl_buffer_printf(&name, "%%%02X", (unsigned)*p);
        else
            lvl_buffer_u8(&name, (uint8_t)*p);
    }
    lvl_buffer_str(&name, "?immutable=1");
    lvl_buffer_u8(&name, 0);
    const int code = name.status == LVL_OK
                         ? sqlite3_open_v2((const char *)name.data, &d->db,
                                           SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL)
                         : SQLITE_NOMEM;
    lvl_buffer_free(&name);
    return code;
}

static int open_file(database *d, const char *path, lvl_catalogue_mode mode)
{
    const int flags =
        mode == LVL_CATALOGUE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    lvl_buffer name = {0};

    /* a name such as ":memory:" or "file:…" is a file all the same */
    if (mode != LVL_CATALOGUE_MEMORY && strchr(path, '/') == NULL && strchr(path, ':'))
        lvl_buffer_str(&name, "./");
    lvl_buffer_str(&name, mode == LVL_CATALOGUE_MEMORY ? ":memory:" : path);
    lvl_buffer_u8(&name, 0);
    int code = name.status == LVL_OK
                   ? sqlite3_open_v2((const char *)name.data, &d->db, flags | SQLITE_OPEN_NOMUTEX, NULL)
                   : SQLITE_NOMEM;
    lvl_buffer_free(&name);
    if (code != SQLITE_OK || mode != LVL_CATALOGUE_READ)
        return code;
    const int read = sqlite3_exec(d->db, "PRAGMA schema_version", NULL, NULL, NULL) & 0xFF;
    if ((read != SQLITE_READONLY && read != SQLITE_CANTOPEN) || has_journal(path))
        return code;
    sqlite3_close(d->db);
    d->db = NULL;
    return open_unwritable(d, path);
}

static lvl_status open_database(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                                lvl_buffer *why)
{
    enum { WAIT = 5000, MAX_TEXT = 256 << 20 };
    database *d = calloc(1, sizeof *d);

    *out = NULL;
    if (!d)
        return LVL_ERR_MEMORY;
    d->sql.driver = &cat_sqlite;
    d->sql.ctx = ctx;
    if (mode == LVL_CATALOGUE_READ && lvl_file_kind_of(path) == LVL_FILE_NONE) {
        free(d);
        return LVL_ERR_MISSING;
    }
    int code = open_file(d, path, mode);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(d->db, 0);
        /* the file may be made to do harm: nothing in it is run or believed */
        sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
        sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
        sqlite3_db_config(d->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
        sqlite3_db_config(d->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
        sqlite3_limit(d->db, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, MAX_TEXT);
        sqlite3_busy_timeout(d->db, WAIT);
        sqlite3_progress_handler(d->db, STEPS, stop_asked, &d->sql);
        /* a wrong page is noticed where it is read, and mmap would end the program on a truncated file */
        code = sqlite3_exec(d->db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA foreign_keys=OFF",
                            NULL, NULL, NULL);
    }
    if (code == SQLITE_OK && mode == LVL_CATALOGUE_WRITE)
        code = sqlite3_exec(d->db,
                            "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
                            "PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-98304",
                            NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        *out = &d->sql;
        return LVL_OK;
    }
    const lvl_status status = d->db ? failed(&d->sql, code) : LVL_ERR_MEMORY;
    if (why)
        lvl_buffer_str(why, status == LVL_ERR_FORMAT ? "not a catalogue, or damaged" : d->sql.error);
    close_database(&d->sql);
    return status;
}

static void free_statement(cat_statement *s)
{
    if (s)
        sqlite3_finalize(stmt_of(s));
    free(s);
}

static void close_database(cat_sql *sql)
{
    database *d = base(sql);

    for (size_t t = 0; t < CAT_TABLES; t++)
        free_statement(d->insert[t]);
    free_statement(d->index_add);
    free_statement(d->index_remove);
    free_statement(d->old_texts);
    free_statement(d->last_key);
    sqlite3_close(d->db);
    free(d);
}

/* What a query of the user may do: read tables of the catalogue, and call functions. */
static int allow(void *user, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)user;
    (void)c;
    (void)d;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_PRAGMA: /* FTS5 itself asks whether another program has written */
        return a && sqlite3_stricmp(a, "data_version") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION: return b && sqlite3_stricmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
    }
}

static lvl_status run(cat_sql *sql, const char *text)
{
    const int code = sqlite3_exec(base(sql)->db, text, NULL, NULL, NULL);

    return code == SQLITE_OK ? LVL_OK : failed(sql, code);
}

/* A table in memory, which cannot be made any more once only reading is allowed. */
static lvl_status open_words(cat_sql *sql)
{
    return base(sql)->limited ? LVL_OK
                              : run(sql, "CREATE VIRTUAL TABLE IF NOT EXISTS temp.texts_words USING "
                                         "fts5vocab('main', 'texts_index', 'instance'); "
                                         "SELECT 1 FROM temp.texts_words LIMIT 0");
}

static lvl_status read_only(cat_sql *sql)
{
    lvl_status status = open_words(sql);

    if (status == LVL_OK) /* the index is opened now, too */
        status = run(sql, "SELECT 1 FROM texts_index LIMIT 0; PRAGMA query_only=ON");

    sqlite3_set_authorizer(base(sql)->db, allow, sql);
    base(sql)->limited = true;
    return status;
}

static lvl_status prepare(cat_sql *sql, const char *text, cat_statement **out)
{
    statement *s = calloc(1, sizeof *s);
    const char *rest = "";

    *out = NULL;
    if (!s)
        return LVL_ERR_MEMORY;
    s->statement.sql = sql;
    base(sql)->steps = 0;
    const int code = sqlite3_prepare_v3(base(sql)->db, text, -1, 0, &s->stmt, &rest);
    rest += strspn(rest, " \t\r\n;");
    if (code == SQLITE_OK && s->stmt && !*rest) {
        *out = &s->statement;
        return LVL_OK;
    }
    lvl_status status = code == SQLITE_OK ? LVL_ERR_ARG : failed(sql, code);
    if (code == SQLITE_OK)
        snprintf(sql->error, sizeof sql->error, "expected one statement, found %s",
                 s->stmt ? "more" : "none");
    free_statement(&s->statement);
    return status == LVL_ERR_IO ? LVL_ERR_ARG : status;
}

/* Errors of binding (no memory, too long) show in the step. */
static void bind(cat_statement *s, int at, const cat_value *value)
{
    sqlite3_stmt *stmt = stmt_of(s);
    const lvl_text text = value->text;

    if (value->kind == CAT_INT)
        sqlite3_bind_int64(stmt, at, value->number);
    else if (value->kind == CAT_REAL)
        sqlite3_bind_double(stmt, at, value->real);
    else if (value->kind == CAT_TEXT && text.ptr)
        sqlite3_bind_text64(stmt, at, text.ptr, text.len, SQLITE_STATIC, SQLITE_UTF8);
    else if (value->kind == CAT_BYTES)
        sqlite3_bind_blob64(stmt, at, text.ptr, text.len, SQLITE_STATIC);
    else
        sqlite3_bind_null(stmt, at);
}

static lvl_status step(cat_statement *s, bool *row)
{
    const int code = sqlite3_step(stmt_of(s));

    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW)
        return LVL_OK;
    const lvl_status status = code == SQLITE_DONE ? LVL_OK : failed(s->sql, code);
    sqlite3_reset(stmt_of(s));
    return status;
}

static void reset(cat_statement *s)
{
    sqlite3_reset(stmt_of(s));
}

static size_t columns(const cat_statement *s)
{
    return (size_t)sqlite3_column_count(stmt_of(s));
}

static const char *column_name(const cat_statement *s, size_t at)
{
    return sqlite3_column_name(stmt_of(s), (int)at);
}

static void get(const cat_statement *s, size_t at, cat_value *out)
{
    sqlite3_stmt *stmt = stmt_of(s);
    const int i = (int)at;

    switch (sqlite3_column_type(stmt, i)) {
    case SQLITE_INTEGER:
        out->kind = CAT_INT;
        out->number = sqlite3_column_int64(stmt, i);
        break;
    case SQLITE_FLOAT:
        out->kind = CAT_REAL;
        out->real = sqlite3_column_double(stmt, i);
        break;
    case SQLITE_TEXT:
        out->kind = CAT_TEXT;
        out->text.ptr = (const char *)sqlite3_column_text(stmt, i);
        out->text.len = out->text.ptr ? (size_t)sqlite3_column_bytes(stmt, i) : 0;
        break;
    case SQLITE_BLOB:
        out->kind = CAT_BYTES;
        out->text.ptr = sqlite3_column_blob(stmt, i);
        out->text.len = (size_t)sqlite3_column_bytes(stmt, i);
        break;
    default: break;
    }
}

/* ---- filling ------------------------------------------------------------------------------------------ */

static lvl_status begin(cat_sql *sql)
{
    base(sql)->next_key = 0; /* another scan may have added files since the last commit */
    return run(sql, "BEGIN IMMEDIATE");
}

static lvl_status commit(cat_sql *sql)
{
    return run(sql, "COMMIT");
}

static lvl_status rollback(cat_sql *sql)
{
    return run(sql, "ROLLBACK");
}

/* Prepares a statement of this file at its first use. */
static lvl_status prepare_once(cat_sql *sql, cat_statement **s, const char *text)
{
    const lvl_status status = *s ? LVL_OK : prepare(sql, text, s);

    return status == LVL_ERR_ARG ? LVL_ERR_IO : status;
}

/* Runs a statement that has no rows. */
static lvl_status finish(cat_statement *s)
{
    bool row;

    return step(s, &row);
}

static lvl_status new_key(cat_sql *sql, int64_t *key)
{
    database *d = base(sql);
    lvl_status status = LVL_OK;
    cat_value last = {.kind = CAT_NULL};
    bool row;

    if (!d->next_key) {
        status = prepare_once(sql, &d->last_key, "SELECT coalesce(max(id), 0) FROM stored_files");
        if (status == LVL_OK)
            status = step(d->last_key, &row);
        if (status != LVL_OK)
            return status;
        get(d->last_key, 0, &last);
        reset(d->last_key);
        d->next_key = last.number + 1;
    }
    *key = d->next_key++;
    return LVL_OK;
}

static lvl_status add(cat_sql *sql, unsigned table, const cat_value *values)
{
    cat_statement **s = &base(sql)->insert[table];
    const size_t count = cat_stored_count(&cat_tables[table]);
    lvl_status status = LVL_OK;

    if (!*s) {
        lvl_buffer text = {0};
        lvl_buffer_printf(&text, "INSERT INTO %s VALUES (", cat_tables[table].stored);
        for (size_t i = 0; i < count; i++)
            lvl_buffer_printf(&text, "%s$%zu", i ? ", " : "", i + 1);
        lvl_buffer_str(&text, ")");
        lvl_buffer_u8(&text, 0);
        status = text.status == LVL_OK ? prepare_once(sql, s, (const char *)text.data) : text.status;
        lvl_buffer_free(&text);
    }
    if (status != LVL_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        bind(*s, (int)i + 1, &values[i]);
    return finish(*s);
}

static lvl_status index_run(cat_statement *s, int64_t id, lvl_text text)
{
    bind(s, 1, &(cat_value){.kind = CAT_INT, .number = id});
    bind(s, 2, &(cat_value){.kind = CAT_TEXT, .text = text});
    return finish(s);
}

static lvl_status index_add(cat_sql *sql, int64_t id, lvl_text text)
{
    cat_statement **s = &base(sql)->index_add;
    const lvl_status status = prepare_once(sql, s, "INSERT INTO texts_index (rowid, text) VALUES ($1, $2)");

    return status == LVL_OK ? index_run(*s, id, text) : status;
}

/* FTS5 wants the old text to take it out. */
static lvl_status index_remove(cat_sql *sql, int64_t first, int64_t end)
{
    database *d = base(sql);
    cat_value id, text;
    bool row;

    lvl_status status =
        prepare_once(sql, &d->old_texts, "SELECT id, text FROM texts WHERE id >= $1 AND id < $2");
    if (status == LVL_OK)
        status = prepare_once(sql, &d->index_remove,
                              "INSERT INTO texts_index (texts_index, rowid, text) VALUES ('delete', $1, $2)");
    if (status != LVL_OK)
        return status;
    bind(d->old_texts, 1, &(cat_value){.kind = CAT_INT, .number = first});
    bind(d->old_texts, 2, &(cat_value){.kind = CAT_INT, .number = end});
    while ((status = step(d->old_texts, &row)) == LVL_OK && row) {
        memset(&id, 0, sizeof id);
        memset(&text, 0, sizeof text);
        get(d->old_texts, 0, &id);
        get(d->old_texts, 1, &text);
        status = index_run(d->index_remove, id.number, text.text);
        if (status != LVL_OK)
            break;
    }
    reset(d->old_texts);
    return status;
}

const cat_driver cat_sqlite = {
    .open = open_database,
    .close = close_database,
    .read_only = read_only,
    .open_words = open_words,
    .run = run,
    .prepare = prepare,
    .free = free_statement,
    .bind = bind,
    .step = step,
    .reset = reset,
    .columns = columns,
    .column_name = column_name,
    .get = get,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .new_key = new_key,
    .add = add,
    .index_add = index_add,
    .index_remove = index_remove,
    .type = type,
    .put_name = put_name,
    .end_table = end_table,
    .is_own = is_own,
    .match = match,
    .pattern = pattern,
    .index_using = "",
    .index_text = "CREATE VIRTUAL TABLE texts_index USING fts5(text, content='texts', content_rowid='id', "
                  "columnsize=0, "
                  "tokenize='unicode61 remove_diacritics 2')",
    .words = "SELECT term, doc FROM temp.texts_words",
    .objects = "SELECT type, name, sql FROM sqlite_master",
    .instr = "instr",
    .hex_before = "lower(hex(",
    .hex_after = "))",
    .add_name = "INSERT INTO names (name) VALUES ($1)", /* its key follows the last one */
    .before_create = "",
    /* the words of some thousand files go into the index at once */
    .setup = "INSERT INTO texts_index (texts_index, rank) VALUES ('hashsize', 16777216)",
};

#else /* without SQLite */

const cat_driver cat_sqlite = {.absent = "this lvl was built without SQLite, which catalogues need"};

#endif
