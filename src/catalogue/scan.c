/*
 * catalogue/scan.c: scanning: what is known of a file, its rows, and storing them.
 */
#include "catalogue/catalogue.h"
#include "catalogue/collect.h"
#include "catalogue/content.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/info.h"
#include "base/sha.h"
#include "base/text.h"
#include "base/work.h"

#include "tools/tools.h"

#include <lvl/render.h>

#include <libdeflate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Many files at once write each page of the indexes fewer times; an interruption loses what was read since. */
enum { BETWEEN_COMMITS = 20000, SECONDS = 4 };

/* ---- files that are known already --------------------------------------------------------------------- */

/* The path is UTF-8 in the catalogue, whatever the disk has: broken bytes become \xNN. */
static void put_path(lvl_buffer *out, const char *path)
{
    if (lvl_utf8_valid(lvl_text_of(path)))
        lvl_buffer_str(out, path);
    else
        lvl_text_escape(out, LVL_CP_UTF8, lvl_text_of(path), false);
}

/* Of a path, with the seed of this scan, so that nobody can make two that collide. */
static uint64_t hash_path(const lvl_catalogue *c, const char *path)
{
    const lvl_hash_seed seed = {c->seed[0], c->seed[1]};
    lvl_buffer stored = {0};

    if (lvl_utf8_valid(lvl_text_of(path)))
        return lvl_hash_bytes(&seed, path, strlen(path));
    put_path(&stored, path); /* without memory, the file is read again */
    const uint64_t hash = lvl_hash_bytes(&seed, stored.data, stored.len);
    lvl_buffer_free(&stored);
    return hash;
}

static int by_path(const void *a, const void *b)
{
    const cat_known *x = a, *y = b;

    return x->path < y->path ? -1 : x->path > y->path;
}

const cat_known *cat_find_known(const lvl_catalogue *c, const char *path)
{
    cat_known key = {.path = hash_path(c, path)};

    return c->known_count ? bsearch(&key, c->known, c->known_count, sizeof *c->known, by_path) : NULL;
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
    if (status == LVL_OK) {
        const cat_table *files = &cat_tables[CAT_FILES];
        text.len = 0;
        const cat_column *column;
        size_t at = 1;
        lvl_buffer_printf(&text, "UPDATE %s SET ", files->stored);
        for (; (column = cat_stored_column(files, at)) != NULL; at++) {
            lvl_buffer_str(&text, at > 1 ? ", " : "");
            cat_sql_put_name(c->sql, &text, column->name);
            lvl_buffer_printf(&text, " = $%zu", at);
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
        status = prepare(c, &c->find_path, "SELECT id FROM stored_files WHERE path_key = $1 AND path = $2");
    if (status == LVL_OK)
        status = prepare(c, &c->find_name, "SELECT id FROM names WHERE name = $1");
    if (status == LVL_OK)
        status = prepare(c, &c->add_name, cat_sql_add_name(c->sql));
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

lvl_status lvl_scan_begin(lvl_catalogue *c, uint32_t thumbnail)
{
    const lvl_status status = note_scanner(c, thumbnail);

    return status == LVL_OK ? cat_scan_begin(c, thumbnail) : status;
}

/* How a file is read: each row of `files` has it, since an interrupted scan leaves some that were read
 * otherwise. From bit 32 on, the stamp of a member's archive. */
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

/* Whether a file that was read so has all that is wanted now. */
static bool is_current(int64_t scanner, uint32_t thumbnail)
{
    return (scanner & 0xFF) == CAT_SCANNER && (!thumbnail || scanner % STAMP_FACTOR == scanner_of(thumbnail));
}

lvl_status cat_scan_begin(lvl_catalogue *c, uint32_t thumbnail)
{
    const lvl_hash_seed seed = lvl_hash_seed_new();
    cat_statement *s = NULL;
    size_t cap = 0;
    bool row;

    c->seed[0] = seed.start;
    c->seed[1] = seed.factor;
    c->now = c->commit_time = cat_now();
    c->scanning = true;
    lvl_status status = prepare_all(c);
    if (status == LVL_OK)
        status = prepare(c, &s,
                         "SELECT id, path, size, time, sha256, removed IS NOT NULL, error IS NULL, scanner "
                         "FROM stored_files");
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        if (!lvl_grow(&c->known, &cap, c->known_count + 1, sizeof *c->known)) {
            status = LVL_ERR_MEMORY;
            break;
        }
        cat_known *k = &c->known[c->known_count++];
        const lvl_text path = cat_text(s, 1);
        cat_value sha256;
        cat_get(s, 4, &sha256);
        const lvl_hash_seed own = {c->seed[0], c->seed[1]};
        memset(k, 0, sizeof *k);
        k->id = cat_int(s, 0);
        k->path = lvl_hash_bytes(&own, path.ptr, path.len);
        k->size = (uint64_t)cat_int(s, 2);
        const int64_t scanner = cat_int(s, 7);
        k->time = scanner < 0 ? 0 : cat_int(s, 3);
        k->archive = (uint32_t)((uint64_t)(scanner < 0 ? 0 : scanner) >> 32);
        k->removed = cat_int(s, 5) != 0;
        /* what could not be read, or was read by another version, is tried again */
        if (!is_current(scanner < 0 ? -scanner : scanner, thumbnail) || !cat_int(s, 6))
            k->size = UINT64_MAX;
        k->has_sha256 = sha256.text.len == 32 && k->size != UINT64_MAX;
        if (k->has_sha256)
            memcpy(k->sha256, sha256.text.ptr, sizeof k->sha256);
    }
    cat_statement_free(s);
    if (c->known_count)
        qsort(c->known, c->known_count, sizeof *c->known, by_path);
    return status;
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

/* ---- the rows of a file ------------------------------------------------------------------------------- */

/* A number of `len` digits at `at`, or -1. */
static int number_at(const char *text, size_t at, size_t len)
{
    int n = 0;

    for (size_t i = 0; i < len; i++) {
        if (!lvl_is_digit(text[at + i]))
            return -1;
        n = n * 10 + (text[at + i] - '0');
    }
    return n;
}

/* The last date in a path, as YYYY-MM-DD, 2004_05_31 or 20040531; false: none. */
static bool date_of_path(const char *path, char out[11])
{
    const size_t len = strlen(path);
    bool found = false;

    for (size_t i = 0; i + 8 <= len; i++) {
        if (i && lvl_is_digit(path[i - 1]))
            continue;
        const int year = number_at(path, i, 4);
        const size_t gap = path[i + 4] && strchr("-_.", path[i + 4]) ? 1 : 0;
        if (year < 1990 || year > 2100 || i + 8 + 2 * gap > len)
            continue;
        const int month = number_at(path, i + 4 + gap, 2), day = number_at(path, i + 6 + 2 * gap, 2);
        if ((gap && path[i + 7] != path[i + 4]) || month < 1 || month > 12 || day < 1 || day > 31 ||
            lvl_is_digit(path[i + 8 + 2 * gap]))
            continue;
        snprintf(out, 11, "%04d-%02d-%02d", year, month, day);
        found = true;
    }
    return found;
}

static bool date_of_time(int64_t seconds, char out[11])
{
    /* the calendar of 400 years of 146,097 days each, from 0000-03-01 on */
    const int64_t days = (seconds >= 0 ? seconds : seconds - 86399) / 86400 + 719468;
    const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    const int64_t doe = days - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    const int64_t day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;
    const int64_t year = yoe + era * 400 + (month <= 2);

    if (!seconds || year < 1 || year > 9999)
        return false;
    snprintf(out, 11, "%04d-%02d-%02d", (int)year, (int)month, (int)day);
    return true;
}

static void put_lower(lvl_buffer *out, const char *text)
{
    for (; *text; text++)
        lvl_buffer_u8(out, (uint8_t)lvl_lower(*text));
}

/* "2004-05-31" as 20040531, negative if it is from the path. */
static int64_t day_of(const char date[11], bool of_path)
{
    const int day = number_at(date, 0, 4) * 10000 + number_at(date, 5, 2) * 100 + number_at(date, 8, 2);

    return of_path ? -day : day;
}

/* Characters of UTF-8, as databases count them. */
static int64_t characters_in(lvl_text text)
{
    int64_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return n;
}

static void put_checksums(lvl_buffer *rows, lvl_bytes bytes, const uint8_t sha256[32])
{
    uint8_t sha1[20], crc32[4];

    if (!bytes.ptr) {
        for (unsigned i = 0; i < 3; i++)
            cat_put_null(rows);
        return;
    }
    lvl_sha1(bytes, sha1);
    const uint32_t crc = libdeflate_crc32(0, bytes.ptr, bytes.len);
    for (unsigned i = 0; i < 4; i++)
        crc32[i] = (uint8_t)(crc >> (24 - 8 * i));
    cat_put_bytes(rows, (lvl_bytes){sha256, 32});
    cat_put_bytes(rows, (lvl_bytes){sha1, sizeof sha1});
    cat_put_bytes(rows, (lvl_bytes){crc32, sizeof crc32});
}

static void put_file(lvl_buffer *rows, int64_t scanner, const lvl_scan_file *file, const lvl_format *format,
                     lvl_bytes bytes, const uint8_t sha256[32], const cat_facts *facts,
                     const lvl_check_result *check, const lvl_findings *findings, const char *error)
{
    lvl_buffer path = {0}, folded = {0}, archive = {0};
    char date[11];

    put_path(&path, file->path);
    lvl_buffer_u8(&path, 0);
    if (file->archive)
        put_path(&archive, file->archive);
    const char *full = path.status == LVL_OK ? (const char *)path.data : "", *name = lvl_file_name(full);
    put_lower(&folded, name);
    cat_row(rows, CAT_FILES);
    cat_put_str(rows, full);
    cat_put_int(rows, cat_key_of(lvl_text_of(full)));
    cat_put_int(rows, cat_key_of(cat_stem(lvl_buffer_text(&folded))));
    if (file->archive)
        cat_put_int(rows, characters_in(lvl_buffer_text(&archive)));
    else
        cat_put_null(rows);
    cat_put_int(rows, (int64_t)file->size);
    cat_put_int(rows, file->time);
    const bool by_path_ = date_of_path(full, date), dated = by_path_ || date_of_time(file->time, date);
    if (dated)
        cat_put_int(rows, day_of(date, by_path_));
    else
        cat_put_null(rows);
    put_checksums(rows, bytes, sha256);
    cat_put_str(rows, format ? format->id : NULL);
    cat_put_str(rows, format ? format->family : NULL);
    cat_put_str(rows, facts->version);
    cat_put_str(rows, error ? "unreadable" : lvl_verdict_name(check->verdict));
    cat_put_int(rows, findings ? (int64_t)(lvl_findings_of(findings, LVL_ERROR) +
                                           lvl_findings_of(findings, LVL_FATAL))
                               : 0);
    cat_put_int(rows, findings ? (int64_t)lvl_findings_of(findings, LVL_WARNING) : 0);
    cat_put_int(rows, (int64_t)check->residue);
    if (facts->has_content)
        cat_put_bytes(rows, (lvl_bytes){facts->content, sizeof facts->content});
    else
        cat_put_null(rows);
    cat_put_str(rows, error);
    cat_put_null(rows); /* removed */
    cat_put_int(rows, scanner);
    /* its name can be searched, too, even that of a foreign file */
    cat_row(rows, CAT_TEXTS);
    cat_put_str(rows, "");
    cat_put_null(rows); /* the path, which is not stored again */
    cat_put_str(rows, "");
    if (path.status != LVL_OK || folded.status != LVL_OK || archive.status != LVL_OK)
        rows->status = LVL_ERR_MEMORY;
    lvl_buffer_free(&path);
    lvl_buffer_free(&folded);
    lvl_buffer_free(&archive);
}

/* The `game` among the facts of `lvl info`, or NULL. */
static const lvl_fact *game_of(const lvl_info *info)
{
    for (const lvl_fact *f = lvl_info_root(info)->first; f; f = f->next) {
        if (f->key && strcmp(f->key, "game") == 0 && f->kind == LVL_FACT_TEXT && f->text.len)
            return f;
    }
    return NULL;
}

/* Width and height of the whole, and of the main plane in cells. */
static void put_scene(lvl_buffer *rows, const lvl_scene *scene)
{
    const bool main = scene && scene->main_layer < scene->layer_count;
    const lvl_scene_layer *layer = main ? &scene->layers[scene->main_layer] : NULL;
    int64_t width = 0, height = 0;

    if (scene && scene->has_bounds) {
        width = (int64_t)scene->bounds.right - scene->bounds.left + 1;
        height = (int64_t)scene->bounds.bottom - scene->bounds.top + 1;
    } else if (layer) {
        width = (int64_t)layer->columns * layer->cell_width;
        height = (int64_t)layer->rows * layer->cell_height;
    }
    if (scene && width > 0 && height > 0) {
        cat_put_int(rows, width);
        cat_put_int(rows, height);
    } else {
        cat_put_null(rows);
        cat_put_null(rows);
    }
    if (layer) {
        cat_put_int(rows, layer->columns);
        cat_put_int(rows, layer->rows);
        cat_put_int(rows, scene->start_x);
        cat_put_int(rows, scene->start_y);
    } else {
        for (unsigned i = 0; i < 4; i++)
            cat_put_null(rows);
    }
    if (scene)
        cat_put_int(rows, scene->thing_count);
    else
        cat_put_null(rows);
}

/* Facts that are columns of `files` and `levels`. */
static bool is_column(const char *key)
{
    static const char *const also[] = {"version", "size"};
    const cat_table *levels = &cat_tables[CAT_LEVELS];
    bool is = false;

    for (size_t i = 0; i < LVL_COUNT_OF(also) && !is; i++)
        is = strcmp(key, also[i]) == 0;
    for (size_t i = 0; i < levels->count && !is; i++)
        is = strcmp(key, levels->columns[i].name) == 0;
    return is;
}

static lvl_status put_level(lvl_buffer *rows, const lvl_doc *doc, const cat_facts *facts,
                            const lvl_scene *scene)
{
    lvl_buffer keys = {0}, info_values = {0};
    lvl_info *info = NULL;
    lvl_status status = lvl_doc_info(doc, NULL, false, &info);

    if (status != LVL_OK)
        return status;
    cat_row(rows, CAT_LEVELS);
    for (unsigned use = LVL_USE_NONE + 1; use < LVL_USE_FACTS; use++)
        cat_put_str(rows, facts->uses[use].len ? (const char *)facts->uses[use].data : NULL);
    const lvl_fact *game = game_of(info);
    if (game)
        cat_put_text(rows, game->text);
    else
        cat_put_str(rows, lvl_doc_format(doc)->family);
    put_scene(rows, scene);
    status = lvl_info_json_short(info, is_column, &keys, &info_values);
    if (info_values.len) {
        cat_put_text(rows, lvl_buffer_text(&keys));
        cat_put_text(rows, lvl_buffer_text(&info_values));
    } else {
        cat_put_null(rows);
        cat_put_null(rows);
    }
    lvl_buffer_free(&keys);
    lvl_buffer_free(&info_values);
    lvl_info_free(info);
    return status;
}

/* Whether a message may be the same in many files: it has no number, and no name in quotes. */
static bool is_plain(const char *text)
{
    return text && !strpbrk(text, "0123456789\"");
}

static void put_findings(lvl_buffer *rows, const lvl_findings *findings)
{
    const size_t count = lvl_findings_count(findings);
    char place[400];

    for (size_t i = 0; i < count; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        int64_t same = 0;
        bool before = false;
        if (f->severity == LVL_NONE)
            continue;
        /* there are few different ones */
        for (size_t k = 0; k < i && !before; k++)
            before = lvl_findings_at(findings, k)->def == f->def;
        if (before)
            continue;
        for (size_t k = i; k < count; k++)
            same += lvl_findings_at(findings, k)->def == f->def;
        lvl_where_text(&f->where, place, sizeof place);
        cat_row(rows, CAT_FINDINGS);
        cat_put_str(rows, f->def->id);
        cat_put_str(rows, lvl_severity_name(f->severity));
        cat_put_str(rows, place);
        if (f->position.known && !f->position.space)
            cat_put_int(rows, (int64_t)(f->position.bit / 8));
        else
            cat_put_null(rows);
        if (is_plain(f->text)) {
            cat_put_str(rows, f->text);
            cat_put_null(rows);
        } else {
            cat_put_null(rows);
            cat_put_str(rows, f->text);
        }
        cat_put_int(rows, same);
    }
}

/* Whether a status ends the work on the file. */
static bool is_final(lvl_status status)
{
    return status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED || status == LVL_ERR_LIMIT;
}

/* A picture of the level; none if there is nothing to draw, or too much. */
static lvl_status put_thumbnail(lvl_buffer *rows, const lvl_doc *doc, const lvl_scan_options *options)
{
    const lvl_scene_request request = {.art = options->art};
    lvl_scene *scene = NULL;
    lvl_buffer png = {0};
    lvl_buffer_writer writer = lvl_buffer_writer_to(&png);
    lvl_render_options how;

    lvl_render_options_init(&how);
    how.size = options->thumbnail;
    how.transparent = (lvl_format_can(lvl_doc_format(doc)) & LVL_CAN_PLAY) != 0;
    lvl_status status = lvl_doc_scene(doc, &request, &scene);
    if (status == LVL_OK)
        status = lvl_render_png(scene, &how, &writer.writer);
    lvl_scene_free(scene);
    if (status == LVL_OK && png.len) {
        cat_row(rows, CAT_THUMBNAILS);
        cat_put_bytes(rows, lvl_buffer_bytes(&png));
    }
    lvl_buffer_free(&png);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED ? status : LVL_OK;
}

static lvl_status collect_doc(const lvl_doc *doc, const lvl_scan_options *options, cat_grids *grids,
                              lvl_buffer *rows, cat_facts *facts)
{
    const bool scenic = lvl_format_can(lvl_doc_format(doc)) & LVL_CAN_RENDER;
    lvl_scene *scene = NULL;
    lvl_status status = cat_collect(doc, options->art, grids, rows, facts);

    if (status == LVL_OK && scenic)
        status = lvl_doc_scene(doc, NULL, &scene);
    if (!is_final(status)) /* a level without a scene has no size */
        status = put_level(rows, doc, facts, scene);
    lvl_scene_free(scene);
    if (status == LVL_OK && facts->has_signature) {
        cat_row(rows, CAT_LIKENESS);
        cat_put_bytes(rows, (lvl_bytes){facts->signature, sizeof facts->signature});
    }
    if (status == LVL_OK && scenic && options->thumbnail)
        status = put_thumbnail(rows, doc, options);
    return status;
}

lvl_status lvl_scan_read(const lvl_catalogue *c, const lvl_ctx *ctx, const lvl_scan_file *file,
                         const lvl_format *format, lvl_bytes bytes, const lvl_scan_options *options,
                         lvl_buffer *rows, lvl_scan_result *result)
{
    const lvl_scan_options none = {0};
    const cat_known *known = cat_find_known(c, file->path);
    lvl_check_result check = {.verdict = LVL_FOREIGN};
    cat_facts facts = {.has_content = false};
    lvl_findings *findings = NULL;
    lvl_doc *doc = NULL;
    lvl_buffer parts = {0};
    cat_grids grids = {0};
    uint8_t sha256[32];
    lvl_status status = LVL_OK;

    options = options ? options : &none;
    memset(result, 0, sizeof *result);
    if (bytes.ptr)
        lvl_sha256(bytes, sha256);
    if (known && known->has_sha256 && bytes.ptr && known->size == file->size &&
        memcmp(known->sha256, sha256, sizeof known->sha256) == 0) {
        result->same = true;
        return LVL_OK;
    }
    if (format && bytes.ptr) {
        const lvl_check_options how = {.art = options->art};
        findings = lvl_findings_new(ctx);
        status = findings ? lvl_check_noting(ctx, format, bytes, lvl_file_name(file->path), &how,
                                             cat_grids_note, &grids, findings, &check, &doc)
                          : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK && doc)
        status = collect_doc(doc, options, &grids, &parts, &facts);
    if (status == LVL_OK && findings)
        put_findings(&parts, findings);
    if (status == LVL_OK) {
        const int64_t scanner = stamp_of(c, file) * STAMP_FACTOR + scanner_of(options->thumbnail);
        put_file(rows, sign_of(c, file->time) * scanner, file, format, bytes, sha256, &facts, &check,
                 findings, options->error);
        lvl_buffer_add(rows, parts.data, parts.len);
        status = parts.status != LVL_OK ? parts.status : rows->status;
    }
    result->verdict = options->error ? LVL_UNREADABLE : (int)check.verdict;
    if (findings) {
        result->errors = lvl_findings_of(findings, LVL_ERROR) + lvl_findings_of(findings, LVL_FATAL);
        result->warnings = lvl_findings_of(findings, LVL_WARNING);
    }
    lvl_buffer_free(&parts);
    cat_grids_free(&grids);
    cat_facts_clear(&facts);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    return status;
}

/* ---- storing ------------------------------------------------------------------------------------------ */

static lvl_status begin(lvl_catalogue *c)
{
    if (c->in_transaction)
        return LVL_OK;
    if (c->sharing) /* what was taken is lost, and its rows with it */
        return LVL_ERR_ARG;
    const lvl_status status = cat_sql_begin(c->sql);
    c->in_transaction = status == LVL_OK;
    lvl_hash_clear(&c->added);
    return status;
}

static lvl_status commit(lvl_catalogue *c)
{
    const lvl_status status = c->in_transaction ? cat_sql_commit(c->sql) : LVL_OK;

    c->in_transaction = c->in_transaction && status != LVL_OK;
    c->pending = 0;
    c->commit_time = cat_now();
    return status;
}

static void mark_seen(lvl_catalogue *c, const char *path)
{
    cat_known *k = (cat_known *)(uintptr_t)cat_find_known(c, path);

    if (k)
        k->seen = true;
}

/* In a shared scan the database notes it, with the rows. */
static lvl_status note_seen(lvl_catalogue *c, int64_t id)
{
    if (!c->sharing)
        return LVL_OK;
    if (!lvl_grow(&c->seen, &c->seen_cap, c->seen_count + 1, sizeof *c->seen))
        return LVL_ERR_MEMORY;
    c->seen[c->seen_count++] = id;
    return LVL_OK;
}

/* Takes the rows of a file away, except that of `files`. */
static lvl_status clear_file(lvl_catalogue *c, int64_t id)
{
    const int64_t first = id * CAT_TEXTS_OF_FILE, end = first + CAT_TEXTS_OF_FILE;
    lvl_status status = cat_sql_index_remove(c->sql, first, end);

    for (unsigned t = CAT_LEVELS; t <= CAT_LAST_OF_FILE && status == LVL_OK; t++) {
        cat_bind_int(c->remove[t], 1, t == CAT_TEXTS ? first : id);
        if (t == CAT_TEXTS)
            cat_bind_int(c->remove[t], 2, end);
        status = cat_run(c->remove[t]);
    }
    return status;
}

/* Adds a row of which `values` lacks the keys. */
static lvl_status add_values(lvl_catalogue *c, unsigned table, const int64_t *keys, size_t key_count,
                             cat_value values[CAT_MOST_COLUMNS], size_t count)
{
    if (key_count + count != cat_stored_count(&cat_tables[table]))
        return LVL_ERR_ARG;
    memmove(values + key_count, values, count * sizeof *values);
    for (size_t i = 0; i < key_count; i++)
        values[i] = (cat_value){.kind = CAT_INT, .number = keys[i]};
    return cat_sql_add(c->sql, table, values);
}

/* The row of `files`; *id: its key. */
static lvl_status add_file_row(lvl_catalogue *c, cat_value values[CAT_MOST_COLUMNS], size_t count,
                               int64_t *id)
{
    const uint64_t hash = lvl_hash_bytes(&c->added.seed, values[0].text.ptr, values[0].text.len);
    lvl_status status = LVL_OK;
    bool row;

    if (lvl_hash_first(&c->added, hash).found) /* the same path again, as in a made-up archive */
        status = cat_sql_flush(c->sql);
    if (status != LVL_OK)
        return status;
    cat_bind(c->find_path, 1, &values[CAT_FILES_PATH_KEY]);
    cat_bind(c->find_path, 2, &values[CAT_FILES_PATH]);
    status = cat_step(c->find_path, &row);
    *id = status == LVL_OK && row ? cat_int(c->find_path, 0) : 0;
    cat_reset(c->find_path);
    if (status != LVL_OK)
        return status;
    if (*id) {
        for (size_t i = 0; i < count; i++)
            cat_bind(c->update_file, (int)i + 1, &values[i]);
        cat_bind_int(c->update_file, (int)count + 1, *id);
        status = cat_run(c->update_file);
        return status == LVL_OK ? clear_file(c, *id) : status;
    }
    status = cat_sql_new_key(c->sql, id);
    if (status == LVL_OK)
        status = lvl_hash_add(&c->added, hash, 0);
    if (status != LVL_OK)
        return status;
    return add_values(c, CAT_FILES, id, 1, values, count);
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
    return table == CAT_TEXTS && status == LVL_OK ? cat_sql_index_add(c->sql, id, text) : status;
}

void cat_roll_back(lvl_catalogue *c)
{
    if (c->in_transaction)
        (void)cat_sql_rollback(c->sql);
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
        status = note_seen(c, id);
    if (status == LVL_OK && !c->sharing &&
        (c->pending >= BETWEEN_COMMITS || cat_now() > c->commit_time + SECONDS))
        status = commit(c);
    if (status != LVL_OK)
        cat_roll_back(c);
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
        if (date_of_time(file->time, date))
            day = (cat_value){.kind = CAT_INT, .number = day_of(date, false)};
        cat_bind(c->touch, 2, &day);
        cat_bind_int(c->touch, 3, stamp_of(c, file) * STAMP_FACTOR);
        cat_bind_int(c->touch, 4, sign_of(c, file->time));
        cat_bind_int(c->touch, 5, k->id);
        if (status == LVL_OK)
            status = cat_run(c->touch);
    }
    if (status == LVL_OK)
        status = note_seen(c, k->id);
    if (status != LVL_OK)
        cat_roll_back(c);
    mark_seen(c, file->path);
    return status;
}

/* Whether the path is that of a root, or below it: in a folder or an archive. */
static bool is_below(lvl_text path, const char *root)
{
    size_t len = strlen(root);

    while (len > 1 && root[len - 1] == '/')
        len--;
    if (path.len < len || memcmp(path.ptr, root, len) != 0)
        return false;
    const lvl_text rest = {path.ptr + len, path.len - len};
    if (len == 1 && root[0] == '/') /* below it there is no other '/' */
        return true;
    /* "../../a" is not below "..", though it begins so */
    const bool leads_out =
        rest.len >= 3 && memcmp(rest.ptr, "/..", 3) == 0 && (rest.len == 3 || rest.ptr[3] == '/');
    return !rest.len || (rest.ptr[0] == '/' && !leads_out);
}

lvl_status cat_mark_removed(lvl_catalogue *c, const char *query, const char *const *roots, size_t count,
                            uint64_t *removed)
{
    cat_statement *s = NULL, *mark = NULL;
    int64_t *gone = NULL;
    size_t n = 0, cap = 0;
    bool row;

    lvl_status status = prepare(c, &s, query);
    if (status == LVL_OK)
        status = prepare(c, &mark, "UPDATE stored_files SET removed = $1 WHERE id = $2");
    while (status == LVL_OK && (status = cat_step(s, &row)) == LVL_OK && row) {
        const lvl_text path = cat_text(s, 1);
        const lvl_hash_seed seed = {c->seed[0], c->seed[1]};
        cat_known key = {.path = lvl_hash_bytes(&seed, path.ptr, path.len)};
        const cat_known *k =
            c->known_count ? bsearch(&key, c->known, c->known_count, sizeof *c->known, by_path) : NULL;
        bool below = false;
        if (!c->sharing && (!k || k->seen)) /* new, or found */
            continue;
        for (size_t i = 0; i < count && !below; i++)
            below = is_below(path, roots[i]);
        if (!below)
            continue;
        if (!lvl_grow(&gone, &cap, n + 1, sizeof *gone)) {
            status = LVL_ERR_MEMORY;
            break;
        }
        gone[n++] = cat_int(s, 0);
    }
    if (status == LVL_OK && n)
        status = begin(c);
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        cat_bind_int(mark, 1, c->now);
        cat_bind_int(mark, 2, gone[i]);
        status = cat_run(mark);
    }
    *removed = n;
    free(gone);
    cat_statement_free(s);
    cat_statement_free(mark);
    return status;
}

static lvl_status count_rows(lvl_catalogue *c, const char *query, uint64_t *out)
{
    cat_statement *s = NULL;
    bool row = false;

    lvl_status status = prepare(c, &s, query);
    if (status == LVL_OK)
        status = cat_step(s, &row);
    *out = status == LVL_OK && row ? (uint64_t)cat_int(s, 0) : 0;
    cat_statement_free(s);
    return status;
}

lvl_status lvl_scan_end(lvl_catalogue *c, const char *const *roots, size_t count, lvl_scan_totals *totals)
{
    lvl_scan_totals none = {0};
    lvl_status status = LVL_OK;

    totals = totals ? totals : &none;
    memset(totals, 0, sizeof *totals);
    if (count)
        status = cat_mark_removed(c, "SELECT id, path FROM stored_files WHERE removed IS NULL", roots, count,
                                  &totals->removed);
    if (status == LVL_OK)
        status = commit(c);
    if (status == LVL_OK)
        status = count_rows(c, "SELECT count(*) FROM stored_files WHERE removed IS NULL", &totals->files);
    c->scanning = false;
    return status;
}
