/*
 * catalogue/sqlite.c: catalogues in a file of SQLite, with its full-text index FTS5. A library that was built
 * without SQLite opens none.
 */
#include "catalogue/sql.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what differs from other databases ---------------------------------------------------------------- */

const char *cat_sql_type(const cat_column *column)
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

void cat_sql_end_table(lvl_buffer *out, const cat_table *table)
{
    /* the rows of a file lie together, without another index */
    lvl_buffer_str(out,
                   table->columns[0].key == CAT_FILE ? ", PRIMARY KEY (file, number)) WITHOUT ROWID" : ")");
}

const char *cat_sql_index_text(void)
{
    return "CREATE VIRTUAL TABLE texts_index USING fts5(text, content='texts', content_rowid='id', "
           "tokenize='unicode61 remove_diacritics 2')";
}

const char *cat_sql_index_setup(void)
{
    /* memory for words that are not written yet: each write makes a piece of the index, which has to be
     * merged later */
    return "INSERT INTO texts_index (texts_index, rank) VALUES ('hashsize', 16777216)";
}

bool cat_sql_is_own(const char *name)
{
    static const char *const parts[] = {"texts_index_data", "texts_index_idx", "texts_index_docsize",
                                        "texts_index_config"};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(name, parts[i]) == 0)
            return true;
    }
    return strncmp(name, "sqlite_", 7) == 0; /* names that SQLite keeps for itself */
}

const char *cat_sql_index_add(void)
{
    return "INSERT INTO texts_index (rowid, text) VALUES ($1, $2)";
}

const char *cat_sql_index_remove(void)
{
    return "INSERT INTO texts_index (texts_index, rowid, text) VALUES ('delete', $1, $2)";
}

void cat_sql_match(lvl_buffer *out, int at, const char *condition)
{
    lvl_buffer_printf(
        out,
        "SELECT t.file AS file, t.id AS text, i.rank AS score FROM texts_index i JOIN texts t ON t.id = "
        "i.rowid WHERE i.texts_index MATCH $%d%s%s",
        at, condition ? " AND " : "", condition ? condition : "");
}

void cat_sql_pattern(lvl_buffer *out, lvl_text word, bool phrase)
{
    lvl_buffer_u8(out, '"');
    for (size_t i = 0; i < word.len; i++) {
        /* a NUL would end the pattern */
        lvl_buffer_u8(out, word.ptr[i] ? (uint8_t)word.ptr[i] : ' ');
        if (word.ptr[i] == '"')
            lvl_buffer_u8(out, '"');
    }
    lvl_buffer_str(out, phrase ? "\"" : "\"*");
}

const char *cat_sql_words(void)
{
    return "SELECT term, doc FROM temp.texts_words";
}

const char *cat_sql_objects(void)
{
    return "SELECT type, name, sql FROM sqlite_master";
}

/* ---- the database ------------------------------------------------------------------------------------- */

#ifdef LVL_HAVE_SQLITE

#include <sqlite3.h>

struct cat_sql {
    sqlite3 *db;
    const lvl_ctx *ctx;
    char error[300];
};

struct cat_statement {
    cat_sql *sql;
    sqlite3_stmt *stmt;
};

bool cat_sql_supported(void)
{
    return true;
}

static lvl_status failed(cat_sql *sql, int code)
{
    snprintf(sql->error, sizeof sql->error, "%s",
             code == SQLITE_BUSY || code == SQLITE_LOCKED ? "another program is writing it"
                                                          : sqlite3_errmsg(sql->db));
    if (code == SQLITE_INTERRUPT && sql->ctx->stop && *sql->ctx->stop)
        return LVL_ERR_STOPPED;
    return code == SQLITE_NOMEM                              ? LVL_ERR_MEMORY
           : code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? LVL_ERR_FORMAT
                                                             : LVL_ERR_IO;
}

static int stop_asked(void *user)
{
    const cat_sql *sql = user;

    return sql->ctx->stop && *sql->ctx->stop;
}

lvl_status cat_sql_open(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                        lvl_buffer *why)
{
    enum { STEPS = 100000, WAIT = 5000, MAX_TEXT = 256 << 20 };
    cat_sql *sql = calloc(1, sizeof *sql);
    const int flags =
        mode == LVL_CATALOGUE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

    *out = NULL;
    if (!sql)
        return LVL_ERR_MEMORY;
    sql->ctx = ctx;
    if (mode == LVL_CATALOGUE_READ && lvl_file_kind_of(path) == LVL_FILE_NONE) {
        free(sql);
        return LVL_ERR_MISSING;
    }
    /* a name such as ":memory:" or "file:…" is a file all the same */
    lvl_buffer name = {0};
    if (mode != LVL_CATALOGUE_MEMORY && strchr(path, '/') == NULL && strchr(path, ':'))
        lvl_buffer_str(&name, "./");
    lvl_buffer_str(&name, mode == LVL_CATALOGUE_MEMORY ? ":memory:" : path);
    lvl_buffer_u8(&name, 0);
    int code = name.status == LVL_OK
                   ? sqlite3_open_v2((const char *)name.data, &sql->db, flags | SQLITE_OPEN_NOMUTEX, NULL)
                   : SQLITE_NOMEM;
    lvl_buffer_free(&name);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(sql->db, 0);
        /* the file may be made to do harm: nothing in it is run or believed */
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
        sqlite3_limit(sql->db, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_limit(sql->db, SQLITE_LIMIT_LENGTH, MAX_TEXT);
        sqlite3_busy_timeout(sql->db, WAIT);
        sqlite3_progress_handler(sql->db, STEPS, stop_asked, sql);
        /* a wrong page is noticed where it is read, and mmap would end the program on a truncated file */
        code = sqlite3_exec(sql->db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA foreign_keys=OFF",
                            NULL, NULL, NULL);
    }
    if (code == SQLITE_OK && mode == LVL_CATALOGUE_WRITE)
        code = sqlite3_exec(sql->db,
                            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536",
                            NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        *out = sql;
        return LVL_OK;
    }
    const lvl_status status = sql->db ? failed(sql, code) : LVL_ERR_MEMORY;
    if (why)
        lvl_buffer_str(why, status == LVL_ERR_FORMAT ? "not a catalogue, or damaged" : sql->error);
    cat_sql_close(sql);
    return status;
}

void cat_sql_close(cat_sql *sql)
{
    if (sql)
        sqlite3_close(sql->db);
    free(sql);
}

const char *cat_sql_error(const cat_sql *sql)
{
    return sql->error;
}

void cat_sql_set_error(cat_sql *sql, const char *text)
{
    snprintf(sql->error, sizeof sql->error, "%s", text);
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

lvl_status cat_sql_read_only(cat_sql *sql)
{
    /* the index and its words are opened now: that creates tables in memory, which is not allowed later */
    const lvl_status status = cat_sql_run(
        sql,
        "CREATE VIRTUAL TABLE temp.texts_words USING fts5vocab('main', 'texts_index', 'instance'); "
        "SELECT 1 FROM texts_index LIMIT 0; SELECT 1 FROM temp.texts_words LIMIT 0; PRAGMA query_only=ON");

    sqlite3_set_authorizer(sql->db, allow, sql);
    return status;
}

lvl_status cat_sql_run(cat_sql *sql, const char *text)
{
    const int code = sqlite3_exec(sql->db, text, NULL, NULL, NULL);

    return code == SQLITE_OK ? LVL_OK : failed(sql, code);
}

lvl_status cat_sql_prepare(cat_sql *sql, const char *text, cat_statement **out)
{
    cat_statement *s = calloc(1, sizeof *s);
    const char *rest = "";

    *out = NULL;
    if (!s)
        return LVL_ERR_MEMORY;
    s->sql = sql;
    const int code = sqlite3_prepare_v3(sql->db, text, -1, 0, &s->stmt, &rest);
    rest += strspn(rest, " \t\r\n;");
    if (code == SQLITE_OK && s->stmt && !*rest) {
        *out = s;
        return LVL_OK;
    }
    lvl_status status = code == SQLITE_OK ? LVL_ERR_ARG : failed(sql, code);
    if (code == SQLITE_OK)
        snprintf(sql->error, sizeof sql->error, "expected one statement, found %s",
                 s->stmt ? "more" : "none");
    cat_statement_free(s);
    return status == LVL_ERR_IO ? LVL_ERR_ARG : status;
}

void cat_statement_free(cat_statement *s)
{
    if (s)
        sqlite3_finalize(s->stmt);
    free(s);
}

/* Errors of binding (no memory, too long) show in the step. */
void cat_bind_int(cat_statement *s, int at, int64_t value)
{
    sqlite3_bind_int64(s->stmt, at, value);
}

void cat_bind_text(cat_statement *s, int at, lvl_text text)
{
    if (text.ptr)
        sqlite3_bind_text64(s->stmt, at, text.ptr, text.len, SQLITE_STATIC, SQLITE_UTF8);
    else
        sqlite3_bind_null(s->stmt, at);
}

void cat_bind(cat_statement *s, int at, const cat_value *value)
{
    switch (value->kind) {
    case CAT_INT: sqlite3_bind_int64(s->stmt, at, value->number); break;
    case CAT_REAL: sqlite3_bind_double(s->stmt, at, value->real); break;
    case CAT_TEXT: cat_bind_text(s, at, value->text); break;
    case CAT_BYTES: sqlite3_bind_blob64(s->stmt, at, value->text.ptr, value->text.len, SQLITE_STATIC); break;
    default: sqlite3_bind_null(s->stmt, at); break;
    }
}

lvl_status cat_step(cat_statement *s, bool *row)
{
    const int code = sqlite3_step(s->stmt);

    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW)
        return LVL_OK;
    const lvl_status status = code == SQLITE_DONE ? LVL_OK : failed(s->sql, code);
    sqlite3_reset(s->stmt);
    return status;
}

void cat_reset(cat_statement *s)
{
    sqlite3_reset(s->stmt);
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
    return (size_t)sqlite3_column_count(s->stmt);
}

const char *cat_column_name(const cat_statement *s, size_t at)
{
    const char *name = sqlite3_column_name(s->stmt, (int)at);

    return name ? name : "";
}

int64_t cat_int(const cat_statement *s, size_t at)
{
    return sqlite3_column_int64(s->stmt, (int)at);
}

lvl_text cat_text(const cat_statement *s, size_t at)
{
    const char *text = (const char *)sqlite3_column_text(s->stmt, (int)at);

    return (lvl_text){text, text ? (size_t)sqlite3_column_bytes(s->stmt, (int)at) : 0};
}

void cat_get(const cat_statement *s, size_t at, cat_value *out)
{
    memset(out, 0, sizeof *out);
    switch (sqlite3_column_type(s->stmt, (int)at)) {
    case SQLITE_INTEGER:
        out->kind = CAT_INT;
        out->number = sqlite3_column_int64(s->stmt, (int)at);
        break;
    case SQLITE_FLOAT:
        out->kind = CAT_REAL;
        out->real = sqlite3_column_double(s->stmt, (int)at);
        break;
    case SQLITE_TEXT:
        out->kind = CAT_TEXT;
        out->text = cat_text(s, at);
        break;
    case SQLITE_BLOB:
        out->kind = CAT_BYTES;
        out->text.ptr = sqlite3_column_blob(s->stmt, (int)at);
        out->text.len = (size_t)sqlite3_column_bytes(s->stmt, (int)at);
        break;
    default: break;
    }
}

uint64_t cat_changed(const cat_sql *sql)
{
    return (uint64_t)sqlite3_changes(sql->db);
}

#else /* without SQLite */

bool cat_sql_supported(void)
{
    return false;
}

lvl_status cat_sql_open(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                        lvl_buffer *why)
{
    (void)ctx;
    (void)path;
    (void)mode;
    *out = NULL;
    if (why)
        lvl_buffer_str(why, "this lvl was built without SQLite, which catalogues need");
    return LVL_ERR_UNSUPPORTED;
}

/* No database is ever open, so the others are not called. */
void cat_sql_close(cat_sql *sql)
{
    (void)sql;
}

const char *cat_sql_error(const cat_sql *sql)
{
    (void)sql;
    return "";
}

void cat_sql_set_error(cat_sql *sql, const char *text)
{
    (void)sql;
    (void)text;
}

lvl_status cat_sql_read_only(cat_sql *sql)
{
    (void)sql;
    return LVL_ERR_UNSUPPORTED;
}

lvl_status cat_sql_run(cat_sql *sql, const char *text)
{
    (void)sql;
    (void)text;
    return LVL_ERR_UNSUPPORTED;
}

lvl_status cat_sql_prepare(cat_sql *sql, const char *text, cat_statement **out)
{
    (void)sql;
    (void)text;
    *out = NULL;
    return LVL_ERR_UNSUPPORTED;
}

void cat_statement_free(cat_statement *s)
{
    (void)s;
}

void cat_bind_int(cat_statement *s, int at, int64_t value)
{
    (void)s;
    (void)at;
    (void)value;
}

void cat_bind_text(cat_statement *s, int at, lvl_text text)
{
    (void)s;
    (void)at;
    (void)text;
}

void cat_bind(cat_statement *s, int at, const cat_value *value)
{
    (void)s;
    (void)at;
    (void)value;
}

lvl_status cat_step(cat_statement *s, bool *row)
{
    (void)s;
    *row = false;
    return LVL_ERR_UNSUPPORTED;
}

void cat_reset(cat_statement *s)
{
    (void)s;
}

lvl_status cat_run(cat_statement *s)
{
    (void)s;
    return LVL_ERR_UNSUPPORTED;
}

size_t cat_columns(const cat_statement *s)
{
    (void)s;
    return 0;
}

const char *cat_column_name(const cat_statement *s, size_t at)
{
    (void)s;
    (void)at;
    return "";
}

int64_t cat_int(const cat_statement *s, size_t at)
{
    (void)s;
    (void)at;
    return 0;
}

lvl_text cat_text(const cat_statement *s, size_t at)
{
    (void)s;
    (void)at;
    return (lvl_text){NULL, 0};
}

void cat_get(const cat_statement *s, size_t at, cat_value *out)
{
    (void)s;
    (void)at;
    memset(out, 0, sizeof *out);
}

uint64_t cat_changed(const cat_sql *sql)
{
    (void)sql;
    return 0;
}

#endif
