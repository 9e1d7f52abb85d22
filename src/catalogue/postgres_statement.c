/*
 * catalogue/postgres_statement.c: statements, their parameters and their rows. Rows come in single-row mode,
 * one at a time, since a result may be larger than memory. A connection has room for one result: a statement
 * that starts while another one has rows to come takes those first, and they wait.
 */
#include "catalogue/postgres.h"

#include "base/arena.h"
#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LVL_HAVE_POSTGRES

typedef struct cat_pg_statement {
    cat_statement statement; /* first */
    char *text;
    unsigned connection; /* on which it is prepared as `name` */
    char name[16];
    lvl_buffer values[CAT_MOST_COLUMNS]; /* of the parameters */
    bool null[CAT_MOST_COLUMNS];
    int binary[CAT_MOST_COLUMNS];
    int count; /* of parameters */
    bool running;
    PGresult *row; /* that is shown */
    PGresult **waiting; /* rows that arrived before they were asked for */
    size_t waiting_count, waiting_at, waiting_cap;
    PGresult *last; /* an error among them */
    lvl_buffer bytes[CAT_MOST_COLUMNS]; /* of the row */
} cat_pg_statement;

static cat_pg_statement *statement_of(const cat_statement *s)
{
    return (cat_pg_statement *)(uintptr_t)s;
}

static void forget_rows(cat_pg_statement *s)
{
    PQclear(s->row);
    s->row = NULL;
    for (; s->waiting_at < s->waiting_count; s->waiting_at++)
        PQclear(s->waiting[s->waiting_at]);
    s->waiting_at = s->waiting_count = 0;
    PQclear(s->last);
    s->last = NULL;
}

lvl_status cat_pg_make_way(cat_pg_database *d)
{
    cat_pg_statement *s = d->active;
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

lvl_status cat_pg_run(cat_sql *sql, const char *text)
{
    cat_pg_database *d = cat_pg_database_of(sql);
    const lvl_status status = cat_pg_make_way(d);

    return status == LVL_OK ? cat_pg_check_result(sql, PQexec(d->conn, text)) : status;
}

/* Prepares a statement on the present connection, unless it is: a new connection knows no statement. */
static lvl_status prepare_on_connection(cat_sql *sql, cat_pg_statement *s)
{
    cat_pg_database *d = cat_pg_database_of(sql);
    lvl_status status = cat_pg_make_way(d);

    if (status != LVL_OK || s->connection == d->connection)
        return status;
    status = cat_pg_check_result(sql, PQprepare(d->conn, s->name, s->text, 0, NULL));
    if (status == LVL_OK)
        s->connection = d->connection;
    return status;
}

void cat_pg_reset(cat_statement *statement)
{
    cat_pg_statement *s = statement_of(statement);
    cat_pg_database *d = cat_pg_database_of(statement->sql);

    if (d->active == s) {
        PGresult *r;
        while ((r = PQgetResult(d->conn)) != NULL)
            PQclear(r);
        d->active = NULL;
    }
    forget_rows(s);
    s->running = false;
}

void cat_pg_reset_active(cat_pg_database *d)
{
    if (d->active)
        cat_pg_reset(&d->active->statement);
}

void cat_pg_statement_free(cat_statement *statement)
{
    cat_pg_statement *s = statement_of(statement);
    cat_pg_database *d = cat_pg_database_of(statement->sql);
    char text[40];

    cat_pg_reset(statement);
    if (s->connection == d->connection && PQtransactionStatus(d->conn) != PQTRANS_INERROR) {
        snprintf(text, sizeof text, "DEALLOCATE %s", s->name);
        (void)cat_pg_make_way(d);
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

lvl_status cat_pg_prepare(cat_sql *sql, const char *text, cat_statement **out)
{
    cat_pg_database *d = cat_pg_database_of(sql);
    cat_pg_statement *s = calloc(1, sizeof *s);
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
    const lvl_status status = prepare_on_connection(sql, s);
    if (status == LVL_OK) {
        *out = &s->statement;
        return LVL_OK;
    }
    cat_pg_statement_free(&s->statement);
    return status == LVL_ERR_IO && sql->trouble == CAT_NO_TROUBLE ? LVL_ERR_ARG : status;
}

void cat_pg_bind(cat_statement *statement, int at, const cat_value *value)
{
    cat_pg_statement *s = statement_of(statement);

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
        cat_pg_put_plain(to, value->text);
    else if (value->kind == CAT_BYTES)
        lvl_buffer_add(to, value->text.ptr, value->text.len);
    if (value->kind == CAT_INT || value->kind == CAT_REAL)
        lvl_buffer_u8(to, 0);
}

static lvl_status start_statement(cat_pg_statement *s)
{
    cat_sql *sql = s->statement.sql;
    cat_pg_database *d = cat_pg_database_of(sql);
    const char *values[CAT_MOST_COLUMNS];
    int lengths[CAT_MOST_COLUMNS];

    const lvl_status status = prepare_on_connection(sql, s);
    if (status != LVL_OK)
        return status;
    for (int i = 0; i < s->count; i++) {
        if (s->values[i].status != LVL_OK)
            return s->values[i].status;
        values[i] = s->null[i] ? NULL : s->values[i].len ? (const char *)s->values[i].data : "";
        lengths[i] = (int)s->values[i].len;
    }
    if (!PQsendQueryPrepared(d->conn, s->name, s->count, values, lengths, s->binary, 0))
        return cat_pg_note_failure(sql, NULL);
    PQsetSingleRowMode(d->conn);
    d->active = s;
    s->running = true;
    return LVL_OK;
}

/* The next result: of those that wait, or from the server. NULL: no more. */
static PGresult *next_result(cat_pg_statement *s)
{
    cat_pg_database *d = cat_pg_database_of(s->statement.sql);
    PGresult *r;

    if (s->waiting_at < s->waiting_count)
        return s->waiting[s->waiting_at++];
    if (d->active == s)
        return PQgetResult(d->conn);
    r = s->last;
    s->last = NULL;
    return r;
}

lvl_status cat_pg_step(cat_statement *statement, bool *row)
{
    cat_pg_statement *s = statement_of(statement);
    cat_sql *sql = statement->sql;
    lvl_status status = LVL_OK;

    *row = false;
    if (sql->ctx->stop && *sql->ctx->stop) {
        cat_pg_reset(statement);
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
    default: status = cat_pg_note_failure(sql, r); break;
    }
    PQclear(r);
    cat_pg_reset(statement);
    return status;
}

size_t cat_pg_columns(const cat_statement *s)
{
    return (size_t)PQnfields(statement_of(s)->row);
}

const char *cat_pg_column_name(const cat_statement *s, size_t at)
{
    return PQfname(statement_of(s)->row, (int)at);
}

static void get_bytes(cat_pg_statement *s, size_t at, cat_value *out)
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

void cat_pg_get(const cat_statement *statement, size_t at, cat_value *out)
{
    enum { /* the numbers of types, which libpq has no header for */
           BOOL = 16,
           BYTEA = 17,
           INT8 = 20,
           INT2 = 21,
           INT4 = 23,
           FLOAT4 = 700,
           FLOAT8 = 701,
           NUMERIC = 1700
    };
    cat_pg_statement *s = statement_of(statement);
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

#endif
