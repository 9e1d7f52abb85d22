/*
 * catalogue/scan.c: a scan: what the catalogue knows of files before it, and storing their rows.
 */
#include "catalogue/catalogue.h"
#include "catalogue/content.h"
#include "catalogue/dates.h"
#include "catalogue/query.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Many files at once write each page of the indexes fewer times; after a crash, what was read since is read
 * again. On a slow or busy machine time decides: a commit writes nearly all pages of the indexes, so a larger
 * catalogue commits less often. */
enum { BETWEEN_COMMITS = 20000, SECONDS = 4, FILES_OF_SECOND = 50000 };

/* ---- files that are known already --------------------------------------------------------------------- */

/* Whether `at` reads like a byte that was escaped: "\xff". */
static bool is_escape(const char *at)
{
    return at[0] == '\\' && at[1] == 'x' && at[2] && at[3] && strchr("0123456789abcdef", at[2]) &&
           strchr("0123456789abcdef", at[3]);
}

void cat_put_path(lvl_buffer *out, const char *path)
{
    for (const char *at = path; *at;) {
        size_t len = 1;
        while (len < 4 && at[len] && !lvl_utf8_valid((lvl_text){at, len}))
            len++;
        if (is_escape(at) || !lvl_utf8_valid((lvl_text){at, len})) {
            lvl_buffer_printf(out, "\\x%02x", (unsigned)(uint8_t)*at++);
            continue;
        }
        lvl_buffer_add(out, at, len);
        at += len;
    }
}

/* Of a path, with the seed of this scan, so that nobody can make two that collide. */
static uint64_t hash_path(const lvl_catalogue *c, const char *path)
{
    lvl_buffer stored = {0};

    cat_put_path(&stored, path); /* without memory, the file is read again */
    const uint64_t hash = lvl_hash_bytes(&c->known_index.seed, stored.data, stored.len);
    lvl_buffer_free(&stored);
    return hash;
}

const cat_known *cat_find_known(const lvl_catalogue *c, const char *path)
{
    const uint64_t hash = c->known_count ? hash_path(c, path) : 0;

    for (lvl_hash_at at = lvl_hash_first(&c->known_index, hash); at.found;
         at = lvl_hash_next(&c->known_index, at)) {
        if (c->known[at.index].path == hash)
            return &c->known[at.index];
    }
    return NULL;
}

static lvl_status prepare(lvl_catalogue *c, cat_statement **out, const char *text)
{
    const lvl_status status = *out ? LVL_OK : cat_sql_prepare(c->sql, text, out);

    return status == LVL_ERR_ARG ? LVL_ERR_IO : status;
}

static lvl_status prepare_all(lvl_catalogue *c)
{
    lvl_status status = LVL_OK;
    lvl_buffer text = {0};

    for (size_t t = CAT_LEVELS; t <= CAT_LAST_OF_FILE && status == LVL_OK; t++) {
        text.len = 0;
        lvl_buffer_printf(&text,
                          t == CAT_TEXTS ? "DELETE FROM %s WHERE id >= $1 AND id < $2"
                                         : "DELETE FROM %s WHERE file = $1",
                          cat_tables[t].stored);
        lvl_buffer_u8(&text, 0);
        status = text.status == LVL_OK ? prepare(c, &c->remove[t], (const char *)text.data) : text.status;
    }
    for (size_t t = CAT_FILES; t <= CAT_LAST_OF_FILE && status == LVL_OK; t++) {
        text.len = 0;
        lvl_buffer_printf(&text, "INSERT INTO %s VALUES (", cat_tables[t].stored);
        for (size_t i = 0; i < cat_stored_count(&cat_tables[t]); i++)
            lvl_buffer_printf(&text, "%s$%zu", i ? ", " : "", i + 1);
        lvl_buffer_str(&text, ")");
        lvl_buffer_u8(&text, 0);
        status = text.status == LVL_OK ? prepare(c, &c->insert[t], (const char *)text.data) : text.status;
    }
    if (status == LVL_OK) {
        const cat_table *files = &cat_tables[CAT_FILES];
        text.len = 0;
        const cat_column *column;
        size_t at = 1;
        lvl_buffer_printf(&text, "UPDATE %s SET ", files->stored);
        for (; (column = cat_stored_column(files, at)) != NULL; at++) {
            lvl_buffer_str(&text, at > 1 ? ", " : "");
            lvl_buffer_printf(&text, "%s = $%zu", column->name, at);
        }
        lvl_buffer_printf(&text, " WHERE id = $%zu", at);
        lvl_buffer_u8(&text, 0);
        status = text.status == LVL_OK ? prepare(c, &c->update_file, (const char *)text.data) : text.status;
    }
    lvl_buffer_free(&text);
    if (status == LVL_OK)
        status = prepare(c, &c->touch,
                         "UPDATE stored_files SET time = $1, removed = NULL, "
                         "day = CASE WHEN day < 0 THEN day ELSE $2 END, "
                         "scanner = (abs(scanner) % 4294967296 + $3) * $4 WHERE id = $5");
    if (status == LVL_OK)
        status =
            prepare(c, &c->find_path,
                    "SELECT id, sha256, removed IS NOT NULL FROM stored_files WHERE path_key = $1 AND path "
                    "= $2");
    if (status == LVL_OK)
        status = prepare(c, &c->find_name, "SELECT id FROM names WHERE name = $1");
    if (status == LVL_OK)
        status = prepare(c, &c->add_name, "INSERT INTO names (name) VALUES ($1)");
    if (status == LVL_OK)
        status = prepare(c, &c->index_add, "INSERT INTO texts_index (rowid, text) VALUES ($1, $2)");
    if (status == LVL_OK) /* FTS5 needs the old text to take it out */
        status = prepare(c, &c->old_texts, "SELECT id, text FROM texts WHERE id >= $1 AND id < $2");
    if (status == LVL_OK)
        status = prepare(c, &c->index_remove,
                         "INSERT INTO texts_index (texts_index, rowid, text) VALUES ('delete', $1, $2)");
    return status;
}

/* Notes by which version of the scanner, and with which thumbnails, the catalogue is filled from now on. */
static lvl_status note_scanner(lvl_catalogue *c, uint32_t thumbnail)
{
    cat_statement *s = NULL;
    char scanner[16], size[16], text[200];
    bool row, version = false, pictures = !thumbnail;

    snprintf(scanner, sizeof scanner, "%d", CAT_SCANNER);
    snprintf(size, sizeof size, "%lu", (unsigned long)thumbnail);
    lvl_status status = prepare(c, &s, "SELECT key, value FROM meta");
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        const lvl_text key = cat_text(s, 0), value = cat_text(s, 1);
        version = version || (lvl_text_is(key, "scanner") && lvl_text_is(value, scanner));
        pictures = pictures || (lvl_text_is(key, "thumbnails") && lvl_text_is(value, size));
    }
    cat_statement_free(s);
    if (status != LVL_OK || (version && pictures))
        return status;
    snprintf(text, sizeof text,
             "UPDATE meta SET value = '%s' WHERE key = 'scanner'; UPDATE meta SET value = '%s' WHERE key = "
             "'thumbnails'",
             scanner, size);
    return cat_sql_run(c->sql, text);
}

/* How a file was read, in each row of `files`, since an interrupted scan leaves files that were read in
 * different ways. From bit 32 on, the stamp of a member's archive. */
enum { STAMP_BITS = 31 };
#define STAMP_FACTOR (INT64_C(1) << 32)

static int64_t scanner_of(uint32_t thumbnail)
{
    return (int64_t)(thumbnail & 0xFFFFFF) << 8 | CAT_SCANNER;
}

/* Whether a file changed so shortly before this scan that it may change again and keep its time. */
static bool is_recent(const lvl_catalogue *c, int64_t time)
{
    enum { STEP = 2 }; /* seconds: the time of a file on FAT */

    return time > c->now - STEP;
}

/* -1: of a recent file. Its `scanner` is negative then, and the next scan compares the bytes. */
static int sign_of(const lvl_catalogue *c, int64_t time)
{
    return is_recent(c, time) ? -1 : 1;
}

/* Stands for the size and time of a member's archive. 0: it may change again, or the file has none. */
static uint32_t stamp_of(const lvl_catalogue *c, const lvl_scan_file *file)
{
    cat_pair h = cat_start;

    if (!file->archive_time || is_recent(c, file->archive_time))
        return 0;
    cat_mix(&h, file->archive_size);
    cat_mix(&h, (uint64_t)file->archive_time);
    return (uint32_t)(cat_token(h.a, h.b) >> (64 - STAMP_BITS)) | 1;
}

int64_t cat_scanner_of(const lvl_catalogue *c, const lvl_scan_file *file, uint32_t thumbnail)
{
    return sign_of(c, file->time) * (stamp_of(c, file) * STAMP_FACTOR + scanner_of(thumbnail));
}

/* Whether a file that was read this way has all that is wanted now. */
static bool is_current(int64_t scanner, uint32_t thumbnail)
{
    return (scanner & 0xFF) == CAT_SCANNER && (!thumbnail || scanner % STAMP_FACTOR == scanner_of(thumbnail));
}

/* Keys of texts are those of their file times CAT_TEXTS_OF_FILE, plus a number. */
#define CAT_LAST_KEY (INT64_MAX / CAT_TEXTS_OF_FILE - 1)

static lvl_status key_error(lvl_catalogue *c)
{
    cat_sql_set_error(c->sql, "it has keys that lvl does not give: scan again into a new one");
    return LVL_ERR_FORMAT;
}

/* What this scan changes is noted in a table of its own, unless the catalogue was empty. */
static lvl_status begin_changes(lvl_catalogue *c)
{
    cat_statement_free(c->note_change);
    c->note_change = NULL;
    const lvl_status status =
        cat_sql_run(c->sql, "DROP TABLE IF EXISTS temp.changes; CREATE TEMP TABLE changes (change TEXT, path "
                            "TEXT, sha256 BLOB)");
    return status != LVL_OK || !c->known_count
               ? status
               : prepare(c, &c->note_change,
                         "INSERT INTO temp.changes SELECT $1, path, sha256 FROM stored_files WHERE id = $2");
}

static lvl_status note_change(lvl_catalogue *c, const char *change, int64_t id)
{
    if (!c->note_change)
        return LVL_OK;
    cat_bind_text(c->note_change, 1, lvl_text_of(change));
    cat_bind_int(c->note_change, 2, id);
    return cat_run(c->note_change);
}

/* Of files with one content, the first that is gone is taken for the first that is new, and so on. */
lvl_status lvl_scan_changes(lvl_catalogue *c, lvl_catalogue_row_fn row, void *user)
{
    /* x: files that are new or gone, numbered among those with one content; m: those that were moved. Each
     * list after NOT IN is made once, not for each row. */
    static const char query[] =
        "WITH x AS (SELECT change, path, sha256, row_number() OVER "
        "(PARTITION BY change, sha256 ORDER BY path) AS n FROM temp.changes WHERE change <> 'changed'), "
        "m AS (SELECT r.path AS was, a.path AS now FROM x r JOIN x a ON a.sha256 = r.sha256 AND a.n = r.n "
        "WHERE r.change = 'removed' AND a.change = 'added') "
        "SELECT 'moved' AS change, was AS path, now AS new_path FROM m "
        "UNION ALL SELECT change, path, NULL FROM temp.changes WHERE change = 'changed' "
        "OR (change = 'removed' AND path NOT IN (SELECT was FROM m)) "
        "OR (change = 'added' AND path NOT IN (SELECT now FROM m)) ORDER BY 1, 2";

    return cat_each_row(c, query, row, user);
}

static void forget_known(lvl_catalogue *c)
{
    lvl_hash_clear(&c->known_index);
    c->known_count = c->new_count = 0;
}

lvl_status lvl_scan_begin(lvl_catalogue *c, uint32_t thumbnail)
{
    cat_statement *s = NULL;
    bool row;

    forget_known(c);
    c->now = c->commit_time = cat_now();
    c->scanning = true;
    lvl_status status = note_scanner(c, thumbnail);
    if (status == LVL_OK)
        status = prepare_all(c);
    if (status == LVL_OK)
        status = prepare(c, &s,
                         "SELECT id, path, size, time, sha256, removed IS NOT NULL, error IS NULL, scanner "
                         "FROM stored_files ORDER BY id");
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        if (cat_int(s, 0) < 1 || cat_int(s, 0) > CAT_LAST_KEY) { /* not made by lvl: its texts have no keys */
            status = key_error(c);
            break;
        }
        if (!lvl_grow(&c->known, &c->known_cap, c->known_count + 1, sizeof *c->known)) {
            status = LVL_ERR_MEMORY;
            break;
        }
        cat_known *k = &c->known[c->known_count];
        const lvl_text path = cat_text(s, 1);
        cat_value sha256;
        cat_get(s, 4, &sha256);
        memset(k, 0, sizeof *k);
        k->id = cat_int(s, 0);
        k->path = lvl_hash_bytes(&c->known_index.seed, path.ptr, path.len);
        k->size = (uint64_t)cat_int(s, 2);
        const int64_t scanner = cat_int(s, 7) == INT64_MIN ? 0 : cat_int(s, 7);
        k->time = scanner < 0 ? 0 : cat_int(s, 3);
        k->archive = (uint32_t)((uint64_t)(scanner < 0 ? 0 : scanner) >> 32);
        k->removed = cat_int(s, 5) != 0;
        /* what could not be read, or was read by another version, is tried again */
        if (!is_current(scanner < 0 ? -scanner : scanner, thumbnail) || !cat_int(s, 6))
            k->size = UINT64_MAX;
        k->has_sha256 = sha256.text.len == 32 && k->size != UINT64_MAX;
        if (k->has_sha256)
            memcpy(k->sha256, sha256.text.ptr, sizeof k->sha256);
        if (c->known_count >= UINT32_MAX - 1)
            status = LVL_ERR_MEMORY;
        else
            status = lvl_hash_add(&c->known_index, k->path, (uint32_t)c->known_count++);
    }
    cat_statement_free(s);
    return status == LVL_OK ? begin_changes(c) : status;
}

lvl_scan_known lvl_scan_look(const lvl_catalogue *c, const lvl_scan_file *file)
{
    const cat_known *k = cat_find_known(c, file->path);

    if (!k || k->size != file->size)
        return LVL_SCAN_NEW;
    if (file->archive_time && (!stamp_of(c, file) || k->archive != stamp_of(c, file)))
        return LVL_SCAN_TOUCHED;
    return k->time == file->time && file->time ? LVL_SCAN_SAME : LVL_SCAN_TOUCHED;
}

/* ---- storing ------------------------------------------------------------------------------------------ */

static lvl_status begin(lvl_catalogue *c)
{
    if (c->in_transaction)
        return LVL_OK;
    const lvl_status status = cat_sql_run(c->sql, "BEGIN IMMEDIATE");
    c->in_transaction = status == LVL_OK;
    c->next_key = 0; /* another scan may have added files since the last commit */
    return status;
}

static lvl_status commit(lvl_catalogue *c)
{
    const lvl_status status = c->in_transaction ? cat_sql_run(c->sql, "COMMIT") : LVL_OK;

    c->in_transaction = c->in_transaction && status != LVL_OK;
    c->pending = 0;
    c->commit_time = cat_now();
    return status;
}

/* Stores what was noted since the last time, if it is much or long ago: others can write then. */
static lvl_status commit_if_due(lvl_catalogue *c)
{
    const int64_t seconds = SECONDS + (int64_t)((c->known_count + c->new_count) / FILES_OF_SECOND);
    const bool due =
        c->in_transaction && (c->pending >= BETWEEN_COMMITS || cat_now() > c->commit_time + seconds);

    return due ? commit(c) : LVL_OK;
}

static void mark_seen(lvl_catalogue *c, const char *path)
{
    cat_known *k = (cat_known *)(uintptr_t)cat_find_known(c, path);

    if (k)
        k->seen = true;
}

/* Takes texts with keys from `first` on, and before `end`, out of the full-text index. */
static lvl_status index_remove(lvl_catalogue *c, int64_t first, int64_t end)
{
    lvl_status status;
    bool row;

    cat_bind_int(c->old_texts, 1, first);
    cat_bind_int(c->old_texts, 2, end);
    while ((status = cat_step(c->old_texts, &row)) == LVL_OK && row) {
        cat_bind_int(c->index_remove, 1, cat_int(c->old_texts, 0));
        cat_bind_text(c->index_remove, 2, cat_text(c->old_texts, 1));
        status = cat_run(c->index_remove);
        if (status != LVL_OK)
            break;
    }
    cat_reset(c->old_texts);
    return status;
}

/* Takes the rows of a file away, except that of `files`. */
static lvl_status clear_file(lvl_catalogue *c, int64_t id)
{
    const int64_t first = id * CAT_TEXTS_OF_FILE, end = first + CAT_TEXTS_OF_FILE;
    lvl_status status = index_remove(c, first, end);

    for (unsigned t = CAT_LEVELS; t <= CAT_LAST_OF_FILE && status == LVL_OK; t++) {
        cat_bind_int(c->remove[t], 1, t == CAT_TEXTS ? first : id);
        if (t == CAT_TEXTS)
            cat_bind_int(c->remove[t], 2, end);
        status = cat_run(c->remove[t]);
    }
    return status;
}

/* Adds a row; `values` has all but its keys. */
static lvl_status add_values(lvl_catalogue *c, unsigned table, const int64_t *keys, size_t key_count,
                             cat_value values[CAT_MOST_COLUMNS], size_t count)
{
    if (key_count + count != cat_stored_count(&cat_tables[table]))
        return LVL_ERR_ARG;
    memmove(values + key_count, values, count * sizeof *values);
    for (size_t i = 0; i < key_count; i++)
        values[i] = (cat_value){.kind = CAT_INT, .number = keys[i]};
    for (size_t i = 0; i < key_count + count; i++)
        cat_bind(c->insert[table], (int)i + 1, &values[i]);
    return cat_run(c->insert[table]);
}

/* A key for a new file. */
static lvl_status new_key(lvl_catalogue *c, int64_t *key)
{
    lvl_status status = LVL_OK;

    if (!c->next_key) {
        status = cat_ask_number(c, "SELECT max(id) FROM stored_files", &c->next_key);
        if (status == LVL_OK && (c->next_key < 0 || c->next_key >= CAT_LAST_KEY))
            status = key_error(c);
        if (status != LVL_OK)
            return status;
        c->next_key++;
    }
    *key = c->next_key++;
    return LVL_OK;
}

/* The row of `files`; *id: its key. */
static lvl_status add_file_row(lvl_catalogue *c, cat_value values[CAT_MOST_COLUMNS], size_t count,
                               int64_t *id)
{
    const char *change = "added";
    bool row;

    cat_bind(c->find_path, 1, &values[CAT_FILES_PATH_KEY]);
    cat_bind(c->find_path, 2, &values[CAT_FILES_PATH]);
    lvl_status status = cat_step(c->find_path, &row);
    *id = status == LVL_OK && row ? cat_int(c->find_path, 0) : 0;
    if (*id && !cat_int(c->find_path, 2)) {
        cat_value before;
        cat_get(c->find_path, 1, &before);
        change = lvl_text_equal(before.text, values[CAT_FILES_SHA256].text) ? NULL : "changed";
    }
    cat_reset(c->find_path);
    if (status != LVL_OK)
        return status;
    if (*id) {
        for (size_t i = 0; i < count; i++)
            cat_bind(c->update_file, (int)i + 1, &values[i]);
        cat_bind_int(c->update_file, (int)count + 1, *id);
        status = cat_run(c->update_file);
        if (status == LVL_OK)
            status = clear_file(c, *id);
    } else {
        status = new_key(c, id);
        c->new_count++;
        if (status == LVL_OK)
            status = add_values(c, CAT_FILES, id, 1, values, count);
    }
    return status == LVL_OK && change ? note_change(c, change, *id) : status;
}

/* The key of a row of `names`, which is added if there is none. */
static lvl_status name_id(lvl_catalogue *c, lvl_text name, int64_t *id)
{
    const uint64_t hash = lvl_hash_bytes(&c->name_index.seed, name.ptr, name.len);
    bool row;

    for (lvl_hash_at at = lvl_hash_first(&c->name_index, hash); at.found;
         at = lvl_hash_next(&c->name_index, at)) {
        const struct cat_name *n = &c->name_ids[at.index];
        if (n->len == name.len &&
            (!name.len || memcmp(c->name_texts.data + n->at, name.ptr, name.len) == 0)) {
            *id = n->id;
            return LVL_OK;
        }
    }
    lvl_status status = LVL_OK;
    *id = 0;
    for (unsigned attempt = 0; attempt < 2 && status == LVL_OK && !*id; attempt++) {
        cat_bind_text(c->find_name, 1, name);
        status = cat_step(c->find_name, &row);
        *id = status == LVL_OK && row ? cat_int(c->find_name, 0) : 0;
        cat_reset(c->find_name);
        if (status == LVL_OK && !*id) {
            cat_bind_text(c->add_name, 1, name);
            status = cat_run(c->add_name);
        }
    }
    if (status != LVL_OK)
        return status;
    if (!lvl_grow(&c->name_ids, &c->name_cap, c->name_count + 1, sizeof *c->name_ids))
        return LVL_ERR_MEMORY;
    c->name_ids[c->name_count] = (struct cat_name){c->name_texts.len, name.len, *id};
    lvl_buffer_add(&c->name_texts, name.ptr, name.len);
    if (c->name_texts.status != LVL_OK)
        return c->name_texts.status;
    return lvl_hash_add(&c->name_index, hash, (uint32_t)c->name_count++);
}

/* What a rollback may have taken away is looked up again. */
static void forget_names(lvl_catalogue *c)
{
    lvl_hash_clear(&c->name_index);
    c->name_count = 0;
    lvl_buffer_free(&c->name_texts);
}

/* Replaces the names in a row by their keys. */
static lvl_status store_names(lvl_catalogue *c, unsigned table, cat_value *values, size_t count)
{
    const cat_table *t = &cat_tables[table];
    lvl_status status = LVL_OK;
    size_t at = 0;

    for (size_t i = 0; i < t->count && at < count && status == LVL_OK; i++) {
        const cat_column *column = &t->columns[i];
        if (column->form == CAT_COMPUTED || column->key == CAT_PRIMARY || column->key == CAT_FILE ||
            column->key == CAT_NUMBER || column->key == CAT_FILE_PRIMARY)
            continue;
        cat_value *v = &values[at++];
        if (!cat_is_named(column) || v->kind != CAT_TEXT)
            continue;
        status = name_id(c, v->text, &v->number);
        v->kind = CAT_INT;
    }
    return status;
}

/* `number`: how many rows of the table the file has. `path`: of the file. */
static lvl_status add_row(lvl_catalogue *c, unsigned table, int64_t file, int64_t number,
                          cat_value values[CAT_MOST_COLUMNS], size_t count, lvl_text path)
{
    const cat_key key = cat_tables[table].columns[0].key;
    const int64_t id = file * CAT_TEXTS_OF_FILE + number, of_file[] = {file, number};
    const lvl_text text = values[1].text.ptr ? values[1].text : path; /* field, text, places */

    const lvl_status status =
        add_values(c, table, key == CAT_PRIMARY ? &id : of_file, key == CAT_FILE ? 2 : 1, values, count);
    if (table != CAT_TEXTS || status != LVL_OK)
        return status;
    cat_bind_int(c->index_add, 1, id);
    cat_bind_text(c->index_add, 2, text);
    return cat_run(c->index_add);
}

/* After an error nothing of the files since the last commit is stored. */
static void roll_back(lvl_catalogue *c)
{
    if (c->in_transaction)
        cat_sql_roll_back(c->sql);
    c->in_transaction = false;
    forget_names(c);
}

lvl_status lvl_scan_add(lvl_catalogue *c, const lvl_scan_file *file, lvl_bytes rows)
{
    cat_value values[CAT_MOST_COLUMNS];
    int64_t numbers[CAT_TABLES] = {0};
    unsigned table;
    size_t count;
    int64_t id = 0;
    lvl_text path = {NULL, 0};
    lvl_status status = begin(c);

    while (status == LVL_OK && cat_next_row(&rows, &table, values, &count)) {
        status = store_names(c, table, values, count);
        if (status != LVL_OK)
            break;
        if (table == CAT_FILES) {
            path = values[CAT_FILES_PATH].text;
            status = add_file_row(c, values, count, &id);
        } else if (table != CAT_TEXTS || numbers[table] < CAT_TEXTS_OF_FILE) {
            status = add_row(c, table, id, numbers[table]++, values, count, path);
        }
    }
    mark_seen(c, file->path);
    c->pending++;
    if (status == LVL_OK)
        status = commit_if_due(c);
    if (status != LVL_OK)
        roll_back(c);
    return status;
}

lvl_status lvl_scan_keep(lvl_catalogue *c, const lvl_scan_file *file)
{
    const cat_known *k = cat_find_known(c, file->path);
    lvl_status status = LVL_OK;

    if (!k)
        return LVL_OK;
    if (k->time != file->time || k->removed || k->archive != stamp_of(c, file)) {
        status = begin(c);
        char date[11];
        cat_bind_int(c->touch, 1, file->time);
        cat_value day = {.kind = CAT_NULL};
        if (cat_date_of_time(file->time, date))
            day = (cat_value){.kind = CAT_INT, .number = cat_day_of(date, false)};
        cat_bind(c->touch, 2, &day);
        cat_bind_int(c->touch, 3, stamp_of(c, file) * STAMP_FACTOR);
        cat_bind_int(c->touch, 4, sign_of(c, file->time));
        cat_bind_int(c->touch, 5, k->id);
        if (status == LVL_OK)
            status = cat_run(c->touch);
        if (status == LVL_OK && k->removed)
            status = note_change(c, "added", k->id);
        c->pending++;
    }
    if (status == LVL_OK)
        status = commit_if_due(c);
    if (status != LVL_OK)
        roll_back(c);
    mark_seen(c, file->path);
    return status;
}

/* Folders, archives and files that were scanned as a whole. */
typedef struct root_set {
    lvl_buffer *items; /* as the catalogue has them, without slashes at the end */
    size_t count;
    lvl_hash index; /* into `items` */
    bool all; /* "/" is one */
} root_set;

static void free_roots(root_set *r)
{
    for (size_t i = 0; i < r->count; i++)
        lvl_buffer_free(&r->items[i]);
    lvl_hash_free(&r->index);
    free(r->items);
}

static lvl_status make_roots(root_set *r, const char *const *paths, size_t count)
{
    lvl_status status = LVL_OK;

    lvl_hash_init(&r->index);
    r->items = count < UINT32_MAX ? calloc(count ? count : 1, sizeof *r->items) : NULL;
    if (!r->items)
        return LVL_ERR_MEMORY;
    for (r->count = 0; r->count < count && status == LVL_OK;) {
        lvl_buffer *root = &r->items[r->count];
        cat_put_path(root, paths[r->count]);
        while (root->len > 1 && root->data[root->len - 1] == '/')
            root->len--;
        r->all |= root->len == 1 && root->data[0] == '/';
        const uint64_t hash = lvl_hash_bytes(&r->index.seed, root->data, root->len);
        status = root->status == LVL_OK ? lvl_hash_add(&r->index, hash, (uint32_t)r->count) : root->status;
        r->count++;
    }
    return status;
}

static bool is_root(const root_set *r, lvl_text path)
{
    const uint64_t hash = lvl_hash_bytes(&r->index.seed, path.ptr, path.len);

    for (lvl_hash_at at = lvl_hash_first(&r->index, hash); at.found; at = lvl_hash_next(&r->index, at)) {
        if (lvl_text_equal(lvl_buffer_text(&r->items[at.index]), path))
            return true;
    }
    return false;
}

/* Whether the path is that of a root, or below one: in a folder or an archive. The time does not depend on
 * how many roots there are. */
static bool is_below(lvl_text path, const root_set *r)
{
    if (r->all && path.len && path.ptr[0] == '/') /* below it there is no other '/' */
        return true;
    for (size_t i = 0; i < path.len; i++) {
        /* "../../a" is not below "..", though it begins so */
        if (path.ptr[i] == '/' &&
            !(path.len - i >= 3 && memcmp(path.ptr + i, "/..", 3) == 0 &&
              (path.len - i == 3 || path.ptr[i + 3] == '/')) &&
            is_root(r, (lvl_text){path.ptr, i}))
            return true;
    }
    return is_root(r, path);
}

/* Marks files below `paths` that were not found. */
static lvl_status mark_removed(lvl_catalogue *c, const char *const *paths, size_t count,
                               lvl_scan_totals *totals)
{
    cat_statement *s = NULL, *mark = NULL;
    root_set given = {0};
    int64_t *gone = NULL;
    size_t n = 0, cap = 0, known = 0;
    bool row;

    lvl_status status = make_roots(&given, paths, count);
    if (status == LVL_OK)
        status = prepare(c, &s, "SELECT id, path FROM stored_files WHERE removed IS NULL ORDER BY id");
    if (status == LVL_OK)
        status = prepare(c, &mark, "UPDATE stored_files SET removed = $1 WHERE id = $2");
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        const int64_t id = cat_int(s, 0);
        /* both are in the order of keys */
        while (known < c->known_count && c->known[known].id < id)
            known++;
        if (known == c->known_count || c->known[known].id != id || c->known[known].seen) /* new, or found */
            continue;
        if (!is_below(cat_text(s, 1), &given))
            continue;
        if (!lvl_grow(&gone, &cap, n + 1, sizeof *gone)) {
            status = LVL_ERR_MEMORY;
            break;
        }
        gone[n++] = id;
    }
    if (status == LVL_OK && n)
        status = begin(c);
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        cat_bind_int(mark, 1, c->now);
        cat_bind_int(mark, 2, gone[i]);
        status = cat_run(mark);
        if (status == LVL_OK)
            status = note_change(c, "removed", gone[i]);
    }
    totals->removed = n;
    free(gone);
    free_roots(&given);
    cat_statement_free(s);
    cat_statement_free(mark);
    return status;
}

/* Whether a file that the catalogue had was not found. */
static bool any_unseen(const lvl_catalogue *c)
{
    for (size_t i = 0; i < c->known_count; i++) {
        if (!c->known[i].seen && !c->known[i].removed)
            return true;
    }
    return false;
}

lvl_status lvl_scan_end(lvl_catalogue *c, const char *const *roots, size_t count, lvl_scan_totals *totals)
{
    lvl_scan_totals none = {0};
    lvl_status status = LVL_OK;

    totals = totals ? totals : &none;
    memset(totals, 0, sizeof *totals);
    int64_t files = 0;
    if (count && any_unseen(c))
        status = mark_removed(c, roots, count, totals);
    if (status == LVL_OK)
        status = commit(c);
    if (status == LVL_OK)
        status = cat_ask_number(c, "SELECT count(*) FROM stored_files WHERE removed IS NULL", &files);
    totals->files = (uint64_t)files;
    totals->first = !c->note_change;
    c->scanning = false;
    return status;
}
