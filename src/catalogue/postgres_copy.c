/*
 * catalogue/postgres_copy.c: rows that are added. They are gathered and sent together by COPY, with the
 * commit at the latest: a statement for each row would wait for the server each time.
 */
#include "catalogue/postgres.h"

#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef LVL_HAVE_POSTGRES

enum { KEYS_TOGETHER = 1000 }; /* that a scan takes from the sequence at once */

/* Empties a buffer whose memory may have run out, so that rows can be added again. */
static void empty(lvl_buffer *rows)
{
    rows->len = 0;
    rows->status = LVL_OK;
}

static void forget_rows(cat_pg_database *d)
{
    for (size_t t = 0; t < CAT_TABLES; t++)
        empty(&d->copy[t]);
    empty(&d->index);
    empty(&d->line);
    d->gathered = 0;
}

lvl_status cat_pg_begin(cat_sql *sql)
{
    forget_rows(cat_pg_database_of(sql));
    return cat_pg_run(sql, "BEGIN");
}

lvl_status cat_pg_rollback(cat_sql *sql)
{
    forget_rows(cat_pg_database_of(sql));
    return cat_pg_run(sql, "ROLLBACK");
}

static lvl_status send_copy(cat_sql *sql, const char *table, lvl_buffer *rows)
{
    enum { PIECE = 1 << 20 };
    cat_pg_database *d = cat_pg_database_of(sql);
    char text[80];

    if (!rows->len || rows->status != LVL_OK)
        return rows->status;
    snprintf(text, sizeof text, "COPY %s FROM STDIN", table);
    PGresult *r = PQexec(d->conn, text);
    if (PQresultStatus(r) != PGRES_COPY_IN) {
        const lvl_status status = cat_pg_note_failure(sql, r);
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
        return cat_pg_note_failure(sql, NULL);
    lvl_status status = cat_pg_check_result(sql, PQgetResult(d->conn));
    while ((r = PQgetResult(d->conn)) != NULL)
        PQclear(r);
    return status;
}

lvl_status cat_pg_flush(cat_sql *sql)
{
    cat_pg_database *d = cat_pg_database_of(sql);
    lvl_status status = cat_pg_make_way(d);

    for (size_t t = 0; t < CAT_TABLES && status == LVL_OK; t++)
        status = send_copy(sql, cat_tables[t].stored, &d->copy[t]);
    if (status == LVL_OK)
        status = send_copy(sql, "texts_index", &d->index);
    forget_rows(d);
    return status;
}

lvl_status cat_pg_commit(cat_sql *sql)
{
    const lvl_status status = cat_pg_flush(sql);

    return status == LVL_OK ? cat_pg_run(sql, "COMMIT") : status;
}

static void put_value(cat_pg_database *d, lvl_buffer *out, const cat_value *v)
{
    static const char digits[] = "0123456789abcdef";

    switch (v->kind) {
    case CAT_INT: lvl_buffer_printf(out, "%lld", (long long)v->number); break;
    case CAT_REAL: lvl_buffer_printf(out, "%.17g", v->real); break;
    case CAT_TEXT:
        d->line.len = 0;
        cat_pg_put_plain(&d->line, v->text);
        cat_pg_put_escaped(out, lvl_buffer_text(&d->line));
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

lvl_status cat_pg_add(cat_sql *sql, unsigned table, const cat_value *values)
{
    enum { FULL = 4 << 20 };
    cat_pg_database *d = cat_pg_database_of(sql);
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
    return d->gathered >= FULL ? cat_pg_flush(sql) : LVL_OK;
}

lvl_status cat_pg_new_key(cat_sql *sql, int64_t *key)
{
    cat_pg_database *d = cat_pg_database_of(sql);

    if (!d->keys_left) {
        lvl_status status = cat_pg_make_way(d);
        if (status != LVL_OK)
            return status;
        PGresult *r = PQexec(d->conn, "SELECT nextval('files_keys')");
        if (PQresultStatus(r) == PGRES_TUPLES_OK) {
            d->next_key = strtoll(PQgetvalue(r, 0, 0), NULL, 10);
            d->keys_left = KEYS_TOGETHER;
        }
        status = cat_pg_check_result(sql, r);
        if (status != LVL_OK)
            return status;
    }
    d->keys_left--;
    *key = d->next_key++;
    return LVL_OK;
}

#endif
