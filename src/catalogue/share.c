/*
 * catalogue/share.c: scans that several programs share, on any number of machines. The list of what is to be
 * read lies in the database:
 *
 *     scan_list     the scan: one row
 *     scan_roots    what it was given: what is below and was not seen, is marked as removed at the end
 *     scan_items    files and archives that nobody has read yet
 *     scan_seen     files of the catalogue that were found
 *
 * A worker takes items by deleting them, in the transaction that adds their rows: if it dies, the database
 * gives the items back. No clock and no name of a machine is involved. Only PostgreSQL has such scans, so
 * this is in its SQL.
 *
 * Each worker holds a shared lock of the session, and who makes a list an exclusive one for a moment: so no
 * list is replaced while somebody works on it.
 */
#include "catalogue/catalogue.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCK "(1819700332, hashtext(current_schema()))"

enum { TRIES = 10, STEP = 100 }; /* ms */

bool lvl_share_supported(const lvl_catalogue *c)
{
    return cat_sql_is_server(c->sql);
}

/* Runs a query whose parameters are texts or bytes, and hands on the first row, if there is one. */
static lvl_status ask(lvl_catalogue *c, const char *text, const cat_value *values, size_t count, int64_t *out,
                      size_t outs, bool *found)
{
    cat_statement *s = NULL;
    bool row = false;

    lvl_status status = cat_sql_prepare(c->sql, text, &s);
    for (size_t i = 0; i < count && status == LVL_OK; i++)
        cat_bind(s, (int)i + 1, &values[i]);
    if (status == LVL_OK)
        status = cat_step(s, &row);
    for (size_t i = 0; i < outs && status == LVL_OK && row; i++)
        out[i] = cat_int(s, i);
    if (status == LVL_OK && row)
        cat_reset(s);
    cat_statement_free(s);
    *found = status == LVL_OK && row;
    return status == LVL_ERR_ARG ? LVL_ERR_IO : status;
}

static lvl_status execute(lvl_catalogue *c, const char *text, const cat_value *values, size_t count)
{
    bool found;

    return ask(c, text, values, count, NULL, 0, &found);
}

/* ---- the list ----------------------------------------------------------------------------------------- */

/* Adds paths, which are bytes, to a table; some at a time, as one parameter: {"\\x2f61","\\x2f62"}. */
static lvl_status add_paths(lvl_catalogue *c, const char *insert, const char *const *paths, size_t count)
{
    enum { TOGETHER = 1000 };
    lvl_buffer list = {0};
    lvl_status status = LVL_OK;

    for (size_t at = 0; at < count && status == LVL_OK; at += TOGETHER) {
        list.len = 0;
        for (size_t i = at; i < count && i < at + TOGETHER; i++) {
            lvl_buffer_str(&list, i > at ? ",\"\\\\x" : "{\"\\\\x");
            for (const char *p = paths[i]; *p; p++)
                lvl_buffer_printf(&list, "%02x", (unsigned char)*p);
            lvl_buffer_u8(&list, '"');
        }
        lvl_buffer_u8(&list, '}');
        const cat_value value = {.kind = CAT_TEXT, .text = lvl_buffer_text(&list)};
        status = list.status == LVL_OK ? execute(c, insert, &value, 1) : list.status;
        if (c->ctx->stop && *c->ctx->stop)
            status = LVL_ERR_STOPPED;
    }
    lvl_buffer_free(&list);
    return status;
}

static lvl_status write_list(lvl_catalogue *c, const lvl_share_list *list)
{
    char text[120];

    snprintf(text, sizeof text, "INSERT INTO scan_list VALUES (%lu, 0)", (unsigned long)list->thumbnail);
    lvl_status status = cat_sql_begin(c->sql);
    if (status == LVL_OK)
        status = cat_sql_run(c->sql, "DELETE FROM scan_list; DELETE FROM scan_roots; DELETE FROM scan_items; "
                                     "DELETE FROM scan_seen");
    if (status == LVL_OK)
        status = add_paths(c, "INSERT INTO scan_roots SELECT unnest($1::text::bytea[])", list->roots,
                           list->root_count);
    if (status == LVL_OK)
        status = add_paths(c, "INSERT INTO scan_items (path, archive) SELECT unnest($1::text::bytea[]), true",
                           list->archives, list->archive_count);
    if (status == LVL_OK)
        status =
            add_paths(c, "INSERT INTO scan_items (path, archive) SELECT unnest($1::text::bytea[]), false",
                      list->files, list->file_count);
    if (status == LVL_OK)
        status = cat_sql_run(c->sql, text);
    if (status == LVL_OK)
        status = cat_sql_commit(c->sql);
    if (status != LVL_OK)
        (void)cat_sql_rollback(c->sql);
    return status;
}

lvl_status lvl_share_begin(lvl_catalogue *c, const lvl_share_list *list)
{
    int64_t locked = 0;
    bool found;

    lvl_status status = ask(c, "SELECT pg_try_advisory_lock" LOCK, NULL, 0, &locked, 1, &found);
    if (status == LVL_OK && !locked) {
        cat_sql_set_error(c->sql, "another scan is running; `lvl scan --worker' joins it");
        return LVL_ERR_IO;
    }
    if (status == LVL_OK)
        status = lvl_scan_begin(c, list->thumbnail);
    if (status == LVL_OK)
        status = write_list(c, list);
    /* the shared lock first: at no time there is none */
    const lvl_status unlocked =
        cat_sql_run(c->sql, "SELECT pg_advisory_lock_shared" LOCK "; SELECT pg_advisory_unlock" LOCK);
    c->sharing = status == LVL_OK;
    return status == LVL_OK ? unlocked : status;
}

/* Hands on paths, which are bytes. */
static lvl_status give_paths(lvl_catalogue *c, const char *query, lvl_share_path_fn give, void *user,
                             size_t *count)
{
    cat_statement *s = NULL;
    lvl_buffer path = {0};
    bool row;

    *count = 0;
    lvl_status status = cat_sql_prepare(c->sql, query, &s);
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        cat_value v;
        cat_get(s, 0, &v);
        path.len = 0;
        lvl_buffer_add(&path, v.text.ptr, v.text.len);
        lvl_buffer_u8(&path, 0);
        if (path.status != LVL_OK || !give(user, (const char *)path.data))
            status = LVL_ERR_MEMORY;
        ++*count;
    }
    cat_statement_free(s);
    lvl_buffer_free(&path);
    return status == LVL_ERR_ARG ? LVL_ERR_IO : status;
}

lvl_status lvl_share_join(lvl_catalogue *c, uint32_t *thumbnail, lvl_share_path_fn root, void *user)
{
    int64_t list[2];
    bool found = false;
    size_t roots;

    lvl_status status = cat_sql_run(c->sql, "SELECT pg_advisory_lock_shared" LOCK);
    if (status == LVL_OK)
        status = ask(c, "SELECT thumbnail, ended FROM scan_list", NULL, 0, list, 2, &found);
    if (status == LVL_OK && (!found || list[1])) {
        cat_sql_set_error(c->sql, "no scan is running; `lvl scan PATH... --to' starts one");
        return LVL_ERR_MISSING;
    }
    if (status == LVL_OK)
        status = give_paths(c, "SELECT path FROM scan_roots", root, user, &roots);
    if (status == LVL_OK)
        status = cat_scan_begin(c, (uint32_t)list[0]);
    *thumbnail = status == LVL_OK ? (uint32_t)list[0] : 0;
    c->sharing = status == LVL_OK;
    return status;
}

/* ---- items -------------------------------------------------------------------------------------------- */

/* An array, so that the items are chosen once. */
#define TAKE(archives, most)                                                                            \
    "DELETE FROM scan_items WHERE id = ANY (ARRAY (SELECT id FROM scan_items WHERE archive = " archives \
    " ORDER BY id LIMIT " most " FOR UPDATE SKIP LOCKED)) RETURNING path"

lvl_status lvl_share_take(lvl_catalogue *c, lvl_share_path_fn item, void *user, uint64_t *left)
{
    size_t taken = 0;
    int64_t count = 1;
    bool found;

    *left = 0;
    lvl_status status = cat_sql_begin(c->sql);
    c->in_transaction = status == LVL_OK;
    c->seen_count = 0;
    lvl_hash_clear(&c->added);
    /* archives first: the largest pieces of work must not come at the end */
    if (status == LVL_OK)
        status = give_paths(c, TAKE("true", "1"), item, user, &taken);
    if (status == LVL_OK && !taken)
        status = give_paths(c, TAKE("false", "100"), item, user, &taken);
    if (status == LVL_OK && taken)
        return LVL_OK;
    cat_roll_back(c);
    if (status == LVL_OK) /* what others have taken is still there for us */
        status = ask(c, "SELECT count(*) FROM scan_items", NULL, 0, &count, 1, &found);
    *left = status == LVL_OK ? (uint64_t)count : 0;
    return status;
}

lvl_status lvl_share_done(lvl_catalogue *c)
{
    lvl_buffer list = {0};
    lvl_status status = LVL_OK;

    if (!c->in_transaction)
        return LVL_ERR_ARG;
    for (size_t i = 0; i < c->seen_count; i++)
        lvl_buffer_printf(&list, "%s%lld", i ? "," : "{", (long long)c->seen[i]);
    lvl_buffer_u8(&list, '}');
    const cat_value value = {.kind = CAT_TEXT, .text = lvl_buffer_text(&list)};
    if (c->seen_count)
        status = list.status == LVL_OK
                     ? execute(c, "INSERT INTO scan_seen SELECT unnest($1::text::bigint[])", &value, 1)
                     : list.status;
    lvl_buffer_free(&list);
    if (status == LVL_OK)
        status = cat_sql_commit(c->sql);
    c->in_transaction = status != LVL_OK && c->in_transaction;
    if (status != LVL_OK)
        cat_roll_back(c);
    else
        c->troubles = 0;
    return status;
}

/* ---- troubles ----------------------------------------------------------------------------------------- */

static bool wait_some(const lvl_catalogue *c, unsigned milliseconds)
{
    for (unsigned waited = 0; waited < milliseconds; waited += STEP) {
        if (c->ctx->stop && *c->ctx->stop)
            return false;
        lvl_wait(STEP);
    }
    return true;
}

bool lvl_share_wait(const lvl_catalogue *c)
{
    return wait_some(c, 2 * STEP);
}

bool lvl_share_recover(lvl_catalogue *c, lvl_share_wait_fn wait, void *user)
{
    const cat_trouble trouble = cat_sql_trouble(c->sql);

    cat_roll_back(c);
    if (trouble == CAT_NO_TROUBLE || ++c->troubles > TRIES)
        return false;
    if (trouble == CAT_IN_THE_WAY)
        return wait_some(c, STEP);
    for (unsigned i = 1; i <= TRIES; i++) {
        const unsigned seconds = i < 6 ? i : 6;
        wait(user, cat_sql_error(c->sql), seconds, i, TRIES);
        if (!wait_some(c, seconds * 1000))
            return false;
        if (cat_sql_reconnect(c->sql) == LVL_OK &&
            cat_sql_run(c->sql, "SELECT pg_advisory_lock_shared" LOCK) == LVL_OK)
            return true;
    }
    return false;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

typedef struct roots {
    char **paths;
    size_t count, cap;
} roots;

static bool note_root(void *user, const char *path)
{
    roots *r = user;
    const size_t size = strlen(path) + 1;
    char *copy = malloc(size);

    if (!copy || !lvl_grow(&r->paths, &r->cap, r->count + 1, sizeof *r->paths)) {
        free(copy);
        return false;
    }
    memcpy(copy, path, size);
    r->paths[r->count++] = copy;
    return true;
}

static void free_roots(roots *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->paths[i]);
    free(r->paths);
}

lvl_status lvl_share_end(lvl_catalogue *c, lvl_scan_totals *totals)
{
    roots given = {0};
    int64_t count[1] = {0};
    size_t root_count;
    bool first = false;

    memset(totals, 0, sizeof *totals);
    /* one worker ends the scan, and the others wait for it here */
    lvl_status status = cat_sql_begin(c->sql);
    c->in_transaction = status == LVL_OK;
    if (status == LVL_OK)
        status = ask(c, "SELECT ended FROM scan_list WHERE ended = 0 FOR UPDATE", NULL, 0, count, 1, &first);
    if (status == LVL_OK && first)
        status = give_paths(c, "SELECT path FROM scan_roots", note_root, &given, &root_count);
    if (status == LVL_OK && first) {
        /* by the clock of the server */
        status = ask(c, "SELECT extract(epoch FROM now())::bigint", NULL, 0, &c->now, 1, &first);
        if (status == LVL_OK)
            status = cat_mark_removed(c,
                                      "SELECT id, path FROM stored_files WHERE removed IS NULL AND NOT "
                                      "EXISTS (SELECT 1 FROM scan_seen s "
                                      "WHERE s.file = stored_files.id)",
                                      (const char *const *)given.paths, given.count, totals);
        if (status == LVL_OK)
            status = cat_sql_run(c->sql, "UPDATE scan_list SET ended = 1; DELETE FROM scan_seen; "
                                         "DELETE FROM scan_roots");
    }
    if (status == LVL_OK)
        status = cat_sql_commit(c->sql);
    c->in_transaction = status != LVL_OK && c->in_transaction;
    if (status != LVL_OK)
        cat_roll_back(c);
    free_roots(&given);
    if (status == LVL_OK)
        status = ask(c, "SELECT count(*) FROM stored_files WHERE removed IS NULL", NULL, 0, count, 1, &first);
    totals->files = (uint64_t)count[0];
    return status;
}
