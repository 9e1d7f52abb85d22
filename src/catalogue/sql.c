/*
 * catalogue/sql.c: see sql.h. A library that was built without SQLite opens no catalogue.
 */
#include "catalogue/sql.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "os/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LVL_HAVE_SQLITE

#include <sqlite3.h>

struct cat_sql {
    const lvl_ctx *ctx;
    sqlite3 *db;
    bool read_only;
    uint64_t steps; /* of this statement's run */
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

const char *cat_sql_error(const cat_sql *sql)
{
    return sql->error;
}

void cat_sql_set_error(cat_sql *sql, const char *text)
{
    snprintf(sql->error, sizeof sql->error, "%s", text);
}

static lvl_status failed(cat_sql *sql, int code)
{
    snprintf(sql->error, sizeof sql->error, "%s",
             code == SQLITE_BUSY || code == SQLITE_LOCKED ? "another program is writing it"
             : code == SQLITE_FULL
                 ? "the disk is full; what was stored stays, and the same command continues with the rest"
             : code == SQLITE_CORRUPT ? "the database is damaged: scan again into a new one"
                                      : sqlite3_errmsg(sql->db));
    if (code == SQLITE_INTERRUPT && sql->ctx->stop && *sql->ctx->stop)
        return LVL_ERR_STOPPED;
    if (code == SQLITE_INTERRUPT) {
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

enum { STEPS = 100000 }; /* steps of SQLite between two checks of the clock and the limit */

/* The steps are limited, too: anybody may have written a query, or a view in the file. */
static int stop_asked(void *user)
{
    cat_sql *sql = user;

    sql->steps += STEPS;
    if (sql->steps > lvl_limits_of(sql->ctx).work)
        return 1;
    return sql->ctx->stop && *sql->ctx->stop;
}

/* Whether there is a file beside the database that another program writes, or left when it was stopped. */
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

/* A read-only database, as on a disc or in another user's folder: no files are made beside it, as
 * reading one with a write-ahead log does otherwise. */
static int open_unwritable(cat_sql *sql, const char *path)
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
                         ? sqlite3_open_v2((const char *)name.data, &sql->db,
                                           SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL)
                         : SQLITE_NOMEM;
    lvl_buffer_free(&name);
    return code;
}

static int open_file(cat_sql *sql, const char *path, lvl_catalogue_mode mode)
{
    const int flags =
        mode == LVL_CATALOGUE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    lvl_buffer name = {0};

    /* names such as ":memory:" and "file:…" are files, too */
    if (mode != LVL_CATALOGUE_MEMORY && strchr(path, '/') == NULL && strchr(path, ':'))
        lvl_buffer_str(&name, "./");
    /* "": pages that do not fit into the cache are written to a temporary file */
    lvl_buffer_str(&name, mode == LVL_CATALOGUE_MEMORY ? "" : path);
    lvl_buffer_u8(&name, 0);
    int code = name.status == LVL_OK
                   ? sqlite3_open_v2((const char *)name.data, &sql->db, flags | SQLITE_OPEN_NOMUTEX, NULL)
                   : SQLITE_NOMEM;
    lvl_buffer_free(&name);
    if (code != SQLITE_OK || mode != LVL_CATALOGUE_READ)
        return code;
    const int read = sqlite3_exec(sql->db, "PRAGMA schema_version", NULL, NULL, NULL) & 0xFF;
    if ((read != SQLITE_READONLY && read != SQLITE_CANTOPEN) || has_journal(path))
        return code;
    sqlite3_close(sql->db);
    sql->db = NULL;
    return open_unwritable(sql, path);
}

lvl_status cat_sql_open(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                        lvl_buffer *why)
{
    enum { WAIT = 5000, MAX_TEXT = 256 << 20 };
    cat_sql *sql = calloc(1, sizeof *sql);

    *out = NULL;
    if (!sql)
        return LVL_ERR_MEMORY;
    sql->ctx = ctx;
    const lvl_file_kind kind = mode == LVL_CATALOGUE_MEMORY ? LVL_FILE_REGULAR : lvl_file_kind_of(path);
    if (kind == LVL_FILE_OTHER || kind == LVL_FILE_FOLDER) { /* reading would wait for a pipe */
        free(sql);
        if (why)
            lvl_buffer_printf(why, "expected a file, found a %s",
                              kind == LVL_FILE_FOLDER ? "folder" : "pipe or device");
        return LVL_ERR_IO;
    }
    if (mode == LVL_CATALOGUE_READ && kind == LVL_FILE_NONE) {
        free(sql);
        return LVL_ERR_MISSING;
    }
    int code = open_file(sql, path, mode);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(sql->db, 0);
        /* the file may be hostile: nothing in it is run or trusted */
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
                            "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
                            "PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-98304",
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

void cat_statement_free(cat_statement *s)
{
    if (s)
        sqlite3_finalize(s->stmt);
    free(s);
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

lvl_status cat_sql_run(cat_sql *sql, const char *text)
{
    sql->steps = 0;
    const int code = sqlite3_exec(sql->db, text, NULL, NULL, NULL);

    return code == SQLITE_OK ? LVL_OK : failed(sql, code);
}

void cat_sql_roll_back(cat_sql *sql)
{
    sqlite3_exec(sql->db, "ROLLBACK", NULL, NULL, NULL);
}

/* A table in memory, made before only reading is allowed. */
lvl_status cat_sql_open_words(cat_sql *sql)
{
    return sql->read_only ? LVL_OK
                          : cat_sql_run(sql, "CREATE VIRTUAL TABLE IF NOT EXISTS temp.texts_words USING "
                                             "fts5vocab('main', 'texts_index', 'instance'); "
                                             "SELECT 1 FROM temp.texts_words LIMIT 0");
}

lvl_status cat_sql_read_only(cat_sql *sql)
{
    if (sql->read_only)
        return LVL_OK;
    lvl_status status = cat_sql_open_words(sql);
    if (status == LVL_OK) /* the index is opened now, too */
        status = cat_sql_run(sql, "SELECT 1 FROM texts_index LIMIT 0; PRAGMA query_only=ON");

    sqlite3_set_authorizer(sql->db, allow, sql);
    sql->read_only = true;
    return status;
}

lvl_status cat_sql_prepare(cat_sql *sql, const char *text, cat_statement **out)
{
    cat_statement *s = calloc(1, sizeof *s);
    const char *rest = "";

    *out = NULL;
    if (!s)
        return LVL_ERR_MEMORY;
    s->sql = sql;
    sql->steps = 0;
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

/* Errors of binding (no memory, too long) show in the step. */
void cat_bind(cat_statement *s, int at, const cat_value *value)
{
    sqlite3_stmt *stmt = s->stmt;
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

void cat_bind_int(cat_statement *s, int at, int64_t value)
{
    cat_bind(s, at, &(cat_value){.kind = CAT_INT, .number = value});
}

void cat_bind_text(cat_statement *s, int at, lvl_text text)
{
    cat_bind(s, at, &(cat_value){.kind = CAT_TEXT, .text = text});
}

lvl_status cat_step(cat_statement *s, bool *row)
{
    const int code = sqlite3_step(s->stmt);

    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW)
        return LVL_OK;
    const lvl_status status = code == SQLITE_DONE ? LVL_OK : failed(s->sql, code);
    sqlite3_reset(s->stmt);
    s->sql->steps = 0;
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

void cat_get(const cat_statement *s, size_t at, cat_value *out)
{
    sqlite3_stmt *stmt = s->stmt;
    const int i = (int)at;

    memset(out, 0, sizeof *out);
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

#else /* without SQLite: none of the others is called */

bool cat_sql_supported(void)
{
    return false;
}

lvl_status cat_sql_open(cat_sql **out, const lvl_ctx *ctx, const char *path, lvl_catalogue_mode mode,
                        lvl_buffer *why)
{
    (void)ctx, (void)path, (void)mode;
    *out = NULL;
    if (why)
        lvl_buffer_str(why, "this lvl was built without SQLite, which catalogues need");
    return LVL_ERR_UNSUPPORTED;
}

/* clang-format off */
void cat_sql_close(cat_sql *sql) { (void)sql; }
const char *cat_sql_error(const cat_sql *sql) { (void)sql; return ""; }
void cat_sql_set_error(cat_sql *sql, const char *text) { (void)sql, (void)text; }
lvl_status cat_sql_read_only(cat_sql *sql) { (void)sql; return LVL_ERR_UNSUPPORTED; }
lvl_status cat_sql_open_words(cat_sql *sql) { (void)sql; return LVL_ERR_UNSUPPORTED; }
lvl_status cat_sql_run(cat_sql *sql, const char *text) { (void)sql, (void)text; return LVL_ERR_UNSUPPORTED; }
void cat_sql_roll_back(cat_sql *sql) { (void)sql; }
lvl_status cat_sql_prepare(cat_sql *sql, const char *text, cat_statement **out)
{ (void)sql, (void)text; *out = NULL; return LVL_ERR_UNSUPPORTED; }
void cat_statement_free(cat_statement *s) { (void)s; }
void cat_bind(cat_statement *s, int at, const cat_value *value) { (void)s, (void)at, (void)value; }
void cat_bind_int(cat_statement *s, int at, int64_t value) { (void)s, (void)at, (void)value; }
void cat_bind_text(cat_statement *s, int at, lvl_text text) { (void)s, (void)at, (void)text; }
lvl_status cat_step(cat_statement *s, bool *row) { (void)s; *row = false; return LVL_ERR_UNSUPPORTED; }
void cat_reset(cat_statement *s) { (void)s; }
lvl_status cat_run(cat_statement *s) { (void)s; return LVL_ERR_UNSUPPORTED; }
size_t cat_columns(const cat_statement *s) { (void)s; return 0; }
const char *cat_column_name(const cat_statement *s, size_t at) { (void)s, (void)at; return ""; }
int64_t cat_int(const cat_statement *s, size_t at) { (void)s, (void)at; return 0; }
lvl_text cat_text(const cat_statement *s, size_t at) { (void)s, (void)at; return (lvl_text){NULL, 0}; }
void cat_get(const cat_statement *s, size_t at, cat_value *out) { (void)s, (void)at; memset(out, 0, sizeof *out); }
/* clang-format on */

#endif
