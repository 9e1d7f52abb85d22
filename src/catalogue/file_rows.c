/*
 * catalogue/file_rows.c: what is known of a file, as rows.
 */
#include "catalogue/catalogue.h"
#include "catalogue/collect.h"
#include "catalogue/dates.h"

#include "base/buffer.h"
#include "os/file.h"
#include "base/format.h"
#include "base/info.h"
#include "base/sha.h"
#include "base/text.h"
#include "base/work.h"

#include "tools/tools.h"

#include <lvl/render.h>

#include <libdeflate.h>

#include <stdio.h>
#include <string.h>

static void put_lower(lvl_buffer *out, const char *text)
{
    for (; *text; text++)
        lvl_buffer_u8(out, (uint8_t)lvl_lower(*text));
}

/* Characters of UTF-8, as databases count them. */
static int64_t characters_in(lvl_text text)
{
    int64_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return n;
}

typedef struct digests {
    uint8_t sha256[32], sha1[20];
} digests;

static void put_checksums(lvl_buffer *rows, lvl_bytes bytes, const digests *sha)
{
    uint8_t crc32[4];

    if (!bytes.ptr) {
        for (unsigned i = 0; i < 3; i++)
            cat_put_null(rows);
        return;
    }
    const uint32_t crc = libdeflate_crc32(0, bytes.ptr, bytes.len);
    for (unsigned i = 0; i < 4; i++)
        crc32[i] = (uint8_t)(crc >> (24 - 8 * i));
    cat_put_bytes(rows, (lvl_bytes){sha->sha256, sizeof sha->sha256});
    cat_put_bytes(rows, (lvl_bytes){sha->sha1, sizeof sha->sha1});
    cat_put_bytes(rows, (lvl_bytes){crc32, sizeof crc32});
}

static void put_file(lvl_buffer *rows, int64_t scanner, const lvl_scan_file *file, const lvl_format *format,
                     lvl_bytes bytes, const digests *sha, const cat_facts *facts,
                     const lvl_check_result *check, const lvl_findings *findings, const char *error)
{
    lvl_buffer path = {0}, folded = {0}, archive = {0};
    char date[11];

    cat_put_path(&path, file->path);
    lvl_buffer_u8(&path, 0);
    if (file->archive)
        cat_put_path(&archive, file->archive);
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
    const bool by_path_ = cat_date_of_path(full, date),
               dated = by_path_ || cat_date_of_time(file->time, date);
    if (dated)
        cat_put_int(rows, cat_day_of(date, by_path_));
    else
        cat_put_null(rows);
    put_checksums(rows, bytes, sha);
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
    /* its name can be searched, too, even if the file is foreign */
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

/* A picture of the level; none if there is nothing to draw, or too much. `plain`: the scene without art,
 * which is drawn where there is no art. */
static lvl_status put_thumbnail(lvl_buffer *rows, const lvl_doc *doc, const lvl_scene *plain,
                                const lvl_scan_options *options)
{
    const lvl_scene_request request = {.art = options->art};
    lvl_scene *with_art = NULL;
    lvl_buffer png = {0};
    lvl_buffer_writer writer = lvl_buffer_writer_to(&png);
    lvl_render_options how;

    lvl_render_options_init(&how);
    how.size = options->thumbnail;
    how.transparent = (lvl_format_can(lvl_doc_format(doc)) & LVL_CAN_PLAY) != 0;
    lvl_status status = options->art ? lvl_doc_scene(doc, &request, &with_art) : LVL_OK;
    if (status == LVL_OK)
        status = lvl_render_png(with_art ? with_art : plain, &how, &writer.writer);
    lvl_scene_free(with_art);
    if (status == LVL_OK && png.len) {
        cat_row(rows, CAT_THUMBNAILS);
        cat_put_bytes(rows, lvl_buffer_bytes(&png));
    }
    lvl_buffer_free(&png);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED ? status : LVL_OK;
}

static lvl_status collect_doc(const lvl_doc *doc, const lvl_scan_options *options, lvl_buffer *rows,
                              cat_facts *facts)
{
    const bool scenic = lvl_format_can(lvl_doc_format(doc)) & LVL_CAN_RENDER;
    const lvl_scene_request bare = {.bare = true};
    lvl_scene *scene = NULL;
    lvl_status status = cat_collect(doc, options->art, rows, facts);

    if (status == LVL_OK && scenic)
        status = lvl_doc_scene(doc, &bare, &scene);
    if (!is_final(status)) /* a level without a scene has no size */
        status = put_level(rows, doc, facts, scene);
    if (status == LVL_OK && facts->has_signature) {
        cat_row(rows, CAT_LIKENESS);
        cat_put_bytes(rows, (lvl_bytes){facts->signature, sizeof facts->signature});
    }
    if (status == LVL_OK && scenic && options->thumbnail && (scene || options->art))
        status = put_thumbnail(rows, doc, scene, options);
    lvl_scene_free(scene);
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
    digests sha;
    lvl_status status = LVL_OK;

    options = options ? options : &none;
    memset(result, 0, sizeof *result);
    if (bytes.ptr)
        lvl_sha(bytes, sha.sha256, sha.sha1);
    if (known && known->has_sha256 && bytes.ptr && known->size == file->size &&
        memcmp(known->sha256, sha.sha256, sizeof known->sha256) == 0) {
        result->same = true;
        return LVL_OK;
    }
    if (format && bytes.ptr) {
        const lvl_check_options how = {.art = options->art, .no_kept = 1};
        findings = lvl_findings_new(ctx);
        status = findings
                     ? lvl_check(ctx, format, bytes, lvl_file_name(file->path), &how, findings, &check, &doc)
                     : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK && doc)
        status = collect_doc(doc, options, &parts, &facts);
    if (status == LVL_OK && findings)
        put_findings(&parts, findings);
    if (status == LVL_OK) {
        put_file(rows, cat_scanner_of(c, file, options->thumbnail), file, format, bytes, &sha, &facts, &check,
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
    cat_facts_clear(&facts);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    return status;
}
