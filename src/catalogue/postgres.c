/*
 * catalogue/postgres.c: catalogues in PostgreSQL, reached through libpq, with its own full-text search: texts
 * are tsvectors with a GIN index. The words in them are found by SQLite's tokenizer (words.c), so that a
 * search finds the same in both databases. A library that was built without libpq opens none.
 *
 * Rows are gathered and sent by COPY, with the commit at the latest.
 */
#include "catalogue/driver.h"

#include "catalogue/words.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LVL_HAVE_POSTGRES

#include <libpq-fe.h>

/* ---- what differs from other databases ---------------------------------------------------------------- */

/* Texts compare byte by byte, and only ASCII has letters of two cases, as in SQLite. An index by B-tree has
 * no room for long texts, but names in archives can have any length: so indexes of texts are by hash. */
static const char *type(const cat_column *column)
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

static void match(lvl_buffer *out, int at, const char *condition)
{
    lvl_buffer_printf(
        out,
        "SELECT t.id / 256 AS file, t.id AS text FROM texts_index i JOIN stored_texts t ON t.id = "
        "i.text WHERE i.words @@ $%d::text::tsquery%s%s GROUP BY t.id",
        at, condition ? " AND " : "", condition ? condition : "");
}

/* The longest word that an index has room for, in bytes. */
enum { LONGEST_WORD = 2000 };

/* A word as in the text of a tsvector or tsquery, cut at a whole character. */
static void put_word(lvl_buffer *out, lvl_text word)
{
    word = lvl_text_cut(word, LONGEST_WORD);
    lvl_buffer_u8(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '\'' || word.ptr[i] == '\\')
            lvl_buffer_u8(out, (uint8_t)word.ptr[i]);
        lvl_buffer_u8(out, (uint8_t)word.ptr[i]);
    }
    lvl_buffer_u8(out, '\'');
}

typedef struct query_words {
    lvl_buffer *out;
    size_t count;
} query_words;

static bool add_query_word(void *user, lvl_text word)
{
    query_words *q = user;

    if (q->count++)
        lvl_buffer_str(q->out, " <-> ");
    put_word(q->out, word);
    return true;
}

/* A text without words finds nothing. */
static void pattern(lvl_buffer *out, lvl_text word, bool phrase)
{
    cat_words *words = cat_words_new();
    query_words q = {out, 0};

    if (!words || cat_words_of(words, word, add_query_word, &q) != LVL_OK)
        out->status = LVL_ERR_MEMORY;
    else if (q.count && !phrase)
        lvl_buffer_str(out, ":*");
    cat_words_free(words);
}

/* ---- the connection ----------------------------------------------------------------------------------- */

enum { KEYS_TOGETHER = 1000 }; /* that a scan takes from the sequence at once */

typedef struct statement statement;

typedef struct database {
    cat_sql sql; /* first */
    PGconn *conn;
    unsigned connection; /* counts the connections: statements are prepared on each */
    unsigned names; /* of statements */
    statement *active; /* whose rows have not all arrived */
    cat_words *words;
    lvl_buffer copy[CAT_TABLES], index, line; /* rows that were not sent yet */
    size_t gathered; /* bytes in them */
    int64_t next_key, keys_left;
} database;

struct statement {
    cat_statement statement; /* first */
    char *text;
    unsigned connection; /* on which it is prepared as `name` */
    char name[16];
    lvl_buffer values[CAT_MOST_COLUMNS]; /* of the parameters */
    bool null[CAT_MOST_COLUMNS];
    int binary[CAT_MOST_COLUMNS];
    int count; /* of parameters */
    bool running;
    PGresult *row; /* that is shown: of `at` in it */
    int at;
    PGresult **waiting; /* rows that arrived before they were asked for */
    size_t waiting_count, waiting_at, waiting_cap;
    PGresult *last; /* an error among them */
    lvl_buffer bytes[CAT_MOST_COLUMNS]; /* of the row */
};

static database *base(cat_sql *sql)
{
    return (database *)(void *)sql;
}

static statement *own(const cat_statement *s)
{
    return (statement *)(uintptr_t)s;
}

/* The first line of a message, without the severity. It never has a password: one in an address is
 * refused. */
static void note_error(cat_sql *sql, const char *text)
{
    static const char *const severities[] = {"ERROR:  ", "FATAL:  ", "PANIC:  "};

    for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
        if (strncmp(text, severities[i], strlen(severities[i])) == 0)
            text += strlen(severities[i]);
    }
    snprintf(sql->error, sizeof sql->error, "%.*s", (int)strcspn(text, "\n"), text);
}

/* Whether the statement may succeed if it is tried again: another scan was in its way. */
static bool in_the_way(const char *state)
{
    static const char *const states[] = {"23505", "23P01", "40001", "40P01", "55P03"};

    for (size_t i = 0; state && i < sizeof states / sizeof *states; i++) {
        if (strcmp(state, states[i]) == 0)
            return true;
    }
    return false;
}

static lvl_status failed(cat_sql *sql, const PGresult *result)
{
    const database *d = base(sql);
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *text = result ? PQresultErrorMessage(result) : NULL;

    note_error(sql, text && *text ? text : PQerrorMessage(d->conn));
    /* an error without a state is not the server's; 57P01 … 57P03: it stops, or does not accept
     * connections yet */
    sql->trouble = !state || strncmp(state, "57P0", 4) == 0 ? CAT_LOST
                   : in_the_way(state)                      ? CAT_IN_THE_WAY
                                                            : CAT_NO_TROUBLE;
    return state && strcmp(state, "53200") == 0 ? LVL_ERR_MEMORY : LVL_ERR_IO;
}

/* ---- statements --------------------------------------------------------------------------------------- */

static void forget_rows(statement *s)
{
    PQclear(s->row);
    s->row = NULL;
    for (; s->waiting_at < s->waiting_count; s->waiting_at++)
        PQclear(s->waiting[s->waiting_at]);
    s->waiting_at = s->waiting_count = 0;
    PQclear(s->last);
    s->last = NULL;
}

/* Takes the rows of the active statement that have not arrived: another one wants the connection. */
static lvl_status make_way(database *d)
{
    statement *s = d->active;
    PGresult *r;
    lvl_status status = LVL_OK;

    d->active = NULL;
    if (!s)
        return LVL_OK;
    while ((r = PQgetResult(d->conn)) != NULL) {
        if (PQresultStatus(r) == PGRES_SINGLE_TUPLE &&
            lvl_grow(&s->waiting, &s->waiting_cap, s->waiting_count + 1, sizeof *s->waiting)) {
            s->waiting[s->waiting_count++] = r;
            continue;
        }
        if (PQresultStatus(r) == PGRES_SINGLE_TUPLE)
            status = LVL_ERR_MEMORY;
        PQclear(s->last);
        s->last = r;
    }
    return status;
}

static lvl_status check_result(cat_sql *sql, PGresult *r)
{
    const ExecStatusType state = PQresultStatus(r);
    const lvl_status status = state == PGRES_COMMAND_OK || state == PGRES_TUPLES_OK ? LVL_OK : failed(sql, r);

    PQclear(r);
    return status;
}

static lvl_status run(cat_sql *sql, const char *text)
{
    database *d = base(sql);
    const lvl_status status = make_way(d);

    return status == LVL_OK ? check_result(sql, PQexec(d->conn, text)) : status;
}

static lvl_status prepare_here(cat_sql *sql, statement *s)
{
    database *d = base(sql);
    lvl_status status = make_way(d);

    if (status != LVL_OK || s->connection == d->connection)
        return status;
    status = check_result(sql, PQprepare(d->conn, s->name, s->text, 0, NULL));
    if (status == LVL_OK)
        s->connection = d->connection;
    return status;
}

static void reset(cat_statement *statement_)
{
    statement *s = own(statement_);
    database *d = base(statement_->sql);

    if (d->active == s) {
        PGresult *r;
        while ((r = PQgetResult(d->conn)) != NULL)
            PQclear(r);
        d->active = NULL;
    }
    forget_rows(s);
    s->running = false;
}

static void free_statement(cat_statement *statement_)
{
    statement *s = own(statement_);
    database *d = base(statement_->sql);
    char text[40];

    reset(statement_);
    if (s->connection == d->connection && PQtransactionStatus(d->conn) != PQTRANS_INERROR) {
        snprintf(text, sizeof text, "DEALLOCATE %s", s->name);
        (void)make_way(d);
        PQclear(PQexec(d->conn, text));
    }
    for (size_t i = 0; i < CAT_MOST_COLUMNS; i++) {
        lvl_buffer_free(&s->values[i]);
        lvl_buffer_free(&s->bytes[i]);
    }
    free(s->waiting);
    free(s->text);
    free(s);
}

static lvl_status prepare(cat_sql *sql, const char *text, cat_statement **out)
{
    database *d = base(sql);
    statement *s = calloc(1, sizeof *s);
    const size_t size = strlen(text) + 1;

    *out = NULL;
    if (!s)
        return LVL_ERR_MEMORY;
    s->statement.sql = sql;
    s->text = malloc(size);
    if (!s->text) {
        free(s);
        return LVL_ERR_MEMORY;
    }
    memcpy(s->text, text, size);
    snprintf(s->name, sizeof s->name, "s%u", ++d->names);
    const lvl_status status = prepare_here(sql, s);
    if (status == LVL_OK) {
        *out = &s->statement;
        return LVL_OK;
    }
    free_statement(&s->statement);
    return status == LVL_ERR_IO && sql->trouble == CAT_NO_TROUBLE ? LVL_ERR_ARG : status;
}

/* PostgreSQL's texts are UTF-8 without NULs: a NUL becomes its symbol, broken bytes U+FFFD each. */
static void put_plain(lvl_buffer *out, lvl_text text)
{
    if (lvl_utf8_valid(text) && (!text.len || !memchr(text.ptr, 0, text.len))) {
        lvl_buffer_add(out, text.ptr, text.len);
        return;
    }
    for (size_t i = 0, len; i < text.len; i += len) {
        for (len = text.len - i < 4 ? text.len - i : 4; len > 1; len--) {
            /* one character, not several */
            if (lvl_utf8_valid((lvl_text){text.ptr + i, len}) && (unsigned char)text.ptr[i] >= 0xC0 &&
                ((unsigned char)text.ptr[i + len - 1] & 0xC0) == 0x80)
                break;
        }
        if (!text.ptr[i])
            lvl_buffer_str(out, "\xE2\x90\x80");
        else if (len == 1 && (unsigned char)text.ptr[i] >= 0x80)
            lvl_buffer_str(out, "\xEF\xBF\xBD");
        else
            lvl_buffer_add(out, text.ptr + i, len);
    }
}

static void bind(cat_statement *statement_, int at, const cat_value *value)
{
    statement *s = own(statement_);

    if (at < 1 || at > CAT_MOST_COLUMNS)
        return;
    lvl_buffer *to = &s->values[at - 1];
    s->count = s->count > at ? s->count : at;
    s->binary[at - 1] = value->kind == CAT_TEXT || value->kind == CAT_BYTES;
    s->null[at - 1] = value->kind == CAT_NULL || (value->kind == CAT_TEXT && !value->text.ptr);
    to->len = 0;
    if (value->kind == CAT_INT)
        lvl_buffer_printf(to, "%lld", (long long)value->number);
    else if (value->kind == CAT_REAL)
        lvl_buffer_printf(to, "%.17g", value->real);
    else if (value->kind == CAT_TEXT)
        put_plain(to, value->text);
    else if (value->kind == CAT_BYTES)
        lvl_buffer_add(to, value->text.ptr, value->text.len);
    if (value->kind == CAT_INT || value->kind == CAT_REAL)
        lvl_buffer_u8(to, 0);
}

static lvl_status start_statement(statement *s)
{
    cat_sql *sql = s->statement.sql;
    database *d = base(sql);
    const char *values[CAT_MOST_COLUMNS];
    int lengths[CAT_MOST_COLUMNS];

    const lvl_status status = prepare_here(sql, s);
    if (status != LVL_OK)
        return status;
    for (int i = 0; i < s->count; i++) {
        if (s->values[i].status != LVL_OK)
            return s->values[i].status;
        values[i] = s->null[i] ? NULL : s->values[i].len ? (const char *)s->values[i].data : "";
        lengths[i] = (int)s->values[i].len;
    }
    if (!PQsendQueryPrepared(d->conn, s->name, s->count, values, lengths, s->binary, 0))
        return failed(sql, NULL);
    PQsetSingleRowMode(d->conn);
    d->active = s;
    s->running = true;
    return LVL_OK;
}

/* The next result: of those that wait, or from the server. NULL: no more. */
static PGresult *next_result(statement *s)
{
    database *d = base(s->statement.sql);
    PGresult *r;

    if (s->waiting_at < s->waiting_count)
        return s->waiting[s->waiting_at++];
    if (d->active == s)
        return PQgetResult(d->conn);
    r = s->last;
    s->last = NULL;
    return r;
}

static lvl_status step(cat_statement *statement_, bool *row)
{
    statement *s = own(statement_);
    cat_sql *sql = statement_->sql;
    lvl_status status = LVL_OK;

    *row = false;
    if (sql->ctx->stop && *sql->ctx->stop) {
        reset(statement_);
        return LVL_ERR_STOPPED;
    }
    if (!s->running)
        status = start_statement(s);
    if (status != LVL_OK)
        return status;
    PQclear(s->row);
    s->row = NULL;
    PGresult *r = next_result(s);
    switch (r ? PQresultStatus(r) : PGRES_COMMAND_OK) {
    case PGRES_SINGLE_TUPLE:
        s->row = r;
        *row = true;
        return LVL_OK;
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK: break;
    case PGRES_EMPTY_QUERY:
        snprintf(sql->error, sizeof sql->error, "expected one statement, found none");
        status = LVL_ERR_IO;
        break;
    default: status = failed(sql, r); break;
    }
    PQclear(r);
    reset(statement_);
    return status;
}

static size_t columns(const cat_statement *s)
{
    return (size_t)PQnfields(own(s)->row);
}

static const char *column_name(const cat_statement *s, size_t at)
{
    return PQfname(own(s)->row, (int)at);
}

static void get_bytes(statement *s, size_t at, cat_value *out)
{
    size_t len = 0;
    unsigned char *bytes = PQunescapeBytea((const unsigned char *)PQgetvalue(s->row, 0, (int)at), &len);
    lvl_buffer *to = &s->bytes[at < CAT_MOST_COLUMNS ? at : 0];

    to->len = 0;
    lvl_buffer_add(to, bytes, bytes ? len : 0);
    PQfreemem(bytes);
    out->kind = CAT_BYTES;
    out->text = (lvl_text){(const char *)to->data, to->len};
}

static void get(const cat_statement *statement_, size_t at, cat_value *out)
{
    enum {
        BOOL = 16,
        BYTEA = 17,
        INT8 = 20,
        INT2 = 21,
        INT4 = 23,
        FLOAT4 = 700,
        FLOAT8 = 701,
        NUMERIC = 1700
    };
    statement *s = own(statement_);
    const int i = (int)at;

    if (PQgetisnull(s->row, 0, i))
        return;
    const char *text = PQgetvalue(s->row, 0, i);
    switch (PQftype(s->row, i)) {
    case BOOL:
        out->kind = CAT_INT;
        out->number = text[0] == 't';
        break;
    case INT2:
    case INT4:
    case INT8:
        out->kind = CAT_INT;
        out->number = strtoll(text, NULL, 10);
        break;
    case NUMERIC: /* a sum; one with a fraction is real */
        out->kind = strchr(text, '.') || strlen(text) > 18 ? CAT_REAL : CAT_INT;
        out->number = strtoll(text, NULL, 10);
        out->real = strtod(text, NULL);
        break;
    case FLOAT4:
    case FLOAT8:
        out->kind = CAT_REAL;
        out->real = strtod(text, NULL);
        break;
    case BYTEA: get_bytes(s, at, out); break;
    default:
        out->kind = CAT_TEXT;
        out->text = (lvl_text){text, (size_t)PQgetlength(s->row, 0, i)};
        break;
    }
}

/* ---- opening ------------------------------------------------------------------------------------------ */

/* What a connection is set to, whatever the server's configuration says. */
static const char session[] =
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
    database *d = base(sql);

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
    database *d = calloc(1, sizeof *d);
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
        status = failed(&d->sql, NULL);
    } else {
        PQsetNoticeProcessor(d->conn, ignore_notice, NULL);
        status = run(&d->sql, session);
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
static lvl_status read_only(cat_sql *sql)
{
    return run(sql, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

static lvl_status reconnect(cat_sql *sql)
{
    database *d = base(sql);

    if (d->active)
        reset(&d->active->statement);
    PQreset(d->conn);
    d->connection++;
    if (PQstatus(d->conn) != CONNECTION_OK)
        return failed(sql, NULL);
    return run(sql, session);
}

/* ---- filling ------------------------------------------------------------------------------------------ */

static void forget_copies(database *d)
{
    for (size_t t = 0; t < CAT_TABLES; t++)
        d->copy[t].len = 0;
    d->index.len = 0;
    d->gathered = 0;
}

static lvl_status begin(cat_sql *sql)
{
    forget_copies(base(sql));
    return run(sql, "BEGIN");
}

static lvl_status rollback(cat_sql *sql)
{
    forget_copies(base(sql));
    return run(sql, "ROLLBACK");
}

static lvl_status send_copy(cat_sql *sql, const char *table, lvl_buffer *rows)
{
    enum { PIECE = 1 << 20 };
    database *d = base(sql);
    char text[80];

    if (!rows->len)
        return rows->status;
    if (rows->status != LVL_OK)
        return rows->status;
    snprintf(text, sizeof text, "COPY %s FROM STDIN", table);
    PGresult *r = PQexec(d->conn, text);
    if (PQresultStatus(r) != PGRES_COPY_IN) {
        const lvl_status status = failed(sql, r);
        PQclear(r);
        return status;
    }
    PQclear(r);
    bool sent = true;
    for (size_t at = 0; at < rows->len && sent; at += PIECE) {
        const size_t len = rows->len - at < PIECE ? rows->len - at : PIECE;
        sent = PQputCopyData(d->conn, (const char *)rows->data + at, (int)len) == 1;
    }
    rows->len = 0;
    if (!sent || PQputCopyEnd(d->conn, NULL) != 1)
        return failed(sql, NULL);
    lvl_status status = check_result(sql, PQgetResult(d->conn));
    while ((r = PQgetResult(d->conn)) != NULL)
        PQclear(r);
    return status;
}

static lvl_status flush(cat_sql *sql)
{
    database *d = base(sql);
    lvl_status status = make_way(d);

    for (size_t t = 0; t < CAT_TABLES && status == LVL_OK; t++)
        status = send_copy(sql, cat_tables[t].stored, &d->copy[t]);
    if (status == LVL_OK)
        status = send_copy(sql, "texts_index", &d->index);
    forget_copies(d);
    return status;
}

static lvl_status commit(cat_sql *sql)
{
    const lvl_status status = flush(sql);

    return status == LVL_OK ? run(sql, "COMMIT") : status;
}

static void put_escaped(lvl_buffer *out, lvl_text text)
{
    size_t from = 0;

    if (!text.len) /* perhaps NULL */
        return;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        const char as = c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 0;
        if (!as)
            continue;
        lvl_buffer_add(out, text.ptr + from, i - from);
        lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, (uint8_t)as);
        from = i + 1;
    }
    lvl_buffer_add(out, text.ptr + from, text.len - from);
}

static void put_value(database *d, lvl_buffer *out, const cat_value *v)
{
    static const char digits[] = "0123456789abcdef";

    switch (v->kind) {
    case CAT_INT: lvl_buffer_printf(out, "%lld", (long long)v->number); break;
    case CAT_REAL: lvl_buffer_printf(out, "%.17g", v->real); break;
    case CAT_TEXT:
        d->line.len = 0;
        put_plain(&d->line, v->text);
        put_escaped(out, lvl_buffer_text(&d->line));
        break;
    case CAT_BYTES:
        lvl_buffer_str(out, "\\\\x");
        for (size_t i = 0; i < v->text.len; i++) {
            lvl_buffer_u8(out, (uint8_t)digits[(unsigned char)v->text.ptr[i] >> 4]);
            lvl_buffer_u8(out, (uint8_t)digits[(unsigned char)v->text.ptr[i] & 15]);
        }
        break;
    default: lvl_buffer_str(out, "\\N"); break;
    }
}

static lvl_status add(cat_sql *sql, unsigned table, const cat_value *values)
{
    enum { FULL = 4 << 20 };
    database *d = base(sql);
    lvl_buffer *out = &d->copy[table];
    const size_t from = out->len;

    for (size_t i = 0; cat_stored_column(&cat_tables[table], i); i++) {
        if (i)
            lvl_buffer_u8(out, '\t');
        put_value(d, out, &values[i]);
    }
    lvl_buffer_u8(out, '\n');
    d->gathered += out->len - from;
    if (out->status != LVL_OK || d->line.status != LVL_OK)
        return LVL_ERR_MEMORY;
    return d->gathered >= FULL ? flush(sql) : LVL_OK;
}

static lvl_status new_key(cat_sql *sql, int64_t *key)
{
    database *d = base(sql);

    if (!d->keys_left) {
        lvl_status status = make_way(d);
        if (status != LVL_OK)
            return status;
        PGresult *r = PQexec(d->conn, "SELECT nextval('files_keys')");
        if (PQresultStatus(r) == PGRES_TUPLES_OK) {
            d->next_key = strtoll(PQgetvalue(r, 0, 0), NULL, 10);
            d->keys_left = KEYS_TOGETHER;
        }
        status = check_result(sql, r);
        if (status != LVL_OK)
            return status;
    }
    d->keys_left--;
    *key = d->next_key++;
    return LVL_OK;
}

/* ---- the full-text index ------------------------------------------------------------------------------ */

/* A vector has room for 1 MB, for 16,383 places, and for 255 places of a word: longer texts have several,
 * each of which repeats some words, so that phrases are found across their borders. */
enum { WORDS_OF_PART = 4000, BYTES_OF_PART = 256 << 10, PLACES_OF_WORD = 255, REPEATED = 16 };

typedef struct index_words {
    database *d;
    int64_t text;
    unsigned part, count;
    size_t start; /* of the vector in the buffer */
    lvl_buffer last[REPEATED]; /* the words before, in a ring */
    /* How many places the words with such a hash have: no word has more. */
    uint8_t places[512];
    bool full; /* the next part has to begin before REPEATED more places */
} index_words;

static void count_place(index_words *w, lvl_text word)
{
    static const lvl_hash_seed seed = {1, 0x9E3779B97F4A7C15}; /* a text always has the same parts */
    uint8_t *places = &w->places[lvl_hash_bytes(&seed, word.ptr, word.len) % LVL_COUNT_OF(w->places)];

    w->full |= ++*places >= PLACES_OF_WORD - REPEATED;
}

static void put_place(index_words *w, lvl_text word)
{
    lvl_buffer *out = &w->d->index;

    if (!w->count) {
        lvl_buffer_printf(out, "%lld\t%u\t", (long long)w->text, w->part);
        w->start = out->len;
    }
    put_word(out, word);
    lvl_buffer_printf(out, ":%u ", ++w->count);
    count_place(w, word);
}

static bool add_index_word(void *user, lvl_text word)
{
    index_words *w = user;
    lvl_buffer *out = &w->d->index;

    if (w->count > REPEATED && w->count % REPEATED == 0 &&
        (w->full || w->count >= WORDS_OF_PART || out->len - w->start > BYTES_OF_PART)) {
        lvl_buffer_u8(out, '\n');
        w->part++;
        w->count = 0;
        w->full = false;
        memset(w->places, 0, sizeof w->places);
        for (unsigned i = 0; i < REPEATED; i++)
            put_place(w, lvl_buffer_text(&w->last[i]));
    }
    lvl_buffer *last = &w->last[w->count % REPEATED];
    last->len = 0;
    lvl_buffer_add(last, word.ptr, word.len);
    put_place(w, word);
    return out->status == LVL_OK;
}

static lvl_status index_add(cat_sql *sql, int64_t id, lvl_text text)
{
    database *d = base(sql);
    index_words w = {.d = d, .text = id};
    const size_t from = d->index.len;

    d->line.len = 0;
    put_plain(&d->line, text);
    lvl_status status = d->line.status;
    if (status == LVL_OK)
        status = cat_words_of(d->words, lvl_buffer_text(&d->line), add_index_word, &w);
    if (w.count)
        lvl_buffer_u8(&d->index, '\n');
    for (size_t i = 0; i < REPEATED; i++) {
        if (w.last[i].status != LVL_OK)
            status = w.last[i].status;
        lvl_buffer_free(&w.last[i]);
    }
    d->gathered += d->index.len - from;
    return status == LVL_OK ? d->index.status : status;
}

static lvl_status index_remove(cat_sql *sql, int64_t first, int64_t end)
{
    char text[120];

    snprintf(text, sizeof text, "DELETE FROM texts_index WHERE text >= %lld AND text < %lld",
             (long long)first, (long long)end);
    return run(sql, text);
}

const cat_driver cat_postgres = {
    .open = open_database,
    .close = close_database,
    .read_only = read_only,
    .reconnect = reconnect,
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
    .flush = flush,
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
