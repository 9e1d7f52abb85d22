/*
 * cli/compare/review.c: the pages of `lvl diff --html` and `lvl merge --html`. Their content security policy
 * allows only the page's own script and style, by their hashes, so no text of a level can run as a script.
 */
#include "cli/compare/review.h"

#include "base/hash.h"
#include "base/text.h"
#include "render/diff.h"

#include <review_page.h> /* web/review, made by CMake */
#include <review_script.h>
#include <review_style.h>

#include <string.h>

enum {
    MAX_CHANGES = 600, /* of a file */
    MAX_CHANGE = 1 << 16, /* bytes; the values of a longer one are left out */
    MAX_AREAS = 13,
    PLACE_SIZE = 320,
    PLACE_ZOOM = 8,
    ALONE_SIZE = 640,
    SMALL = 200,
    SMALL_SIZE = 480
};

/* ---- texts ------------------------------------------------------------------------------------------- */

/* The first line of a text, which is removed from it. */
static lvl_text take_line(lvl_text *text)
{
    const char *nl = text->len ? memchr(text->ptr, '\n', text->len) : NULL;
    const lvl_text line = {text->ptr, nl ? (size_t)(nl - text->ptr) : text->len};

    text->ptr += line.len + (nl != NULL);
    text->len -= line.len + (nl != NULL);
    return line;
}

static bool has_at(lvl_text text, size_t at, const char *word)
{
    const size_t len = strlen(word);

    return text.len - at >= len && memcmp(text.ptr + at, word, len) == 0;
}

/* Appends a change, without its values if the page does not show them: cells, and what is very long. A quote
 * in a string of JSON is escaped, so a key with its quotes is one. */
static void put_change(lvl_buffer *json, lvl_text change)
{
    const bool cells = has_at(change, 0, "{\"change\":\"cells\"");

    if (!cells && change.len <= MAX_CHANGE) {
        lvl_buffer_add(json, change.ptr, change.len);
        return;
    }
    for (size_t i = 0; i < change.len; i++) {
        if (!has_at(change, i, ",\"old\":") && !has_at(change, i, ",\"new\":") &&
            !has_at(change, i, ",\"hunks\":"))
            continue;
        lvl_buffer_add(json, change.ptr, i);
        lvl_buffer_str(json, cells ? "}" : ",\"long\":true}");
        return;
    }
    lvl_buffer_add(json, change.ptr, change.len);
}

void cli_review_changes(lvl_buffer *json, lvl_text lines)
{
    uint64_t count = 0;

    lvl_json_open(json, "changes", '[');
    for (; lines.len; count++) {
        const lvl_text line = take_line(&lines);
        if (count >= MAX_CHANGES)
            continue;
        lvl_json_next(json);
        put_change(json, line);
    }
    lvl_buffer_u8(json, ']');
    if (count > MAX_CHANGES)
        lvl_json_put_uint(json, "more", count - MAX_CHANGES);
}

void cli_review_errors(lvl_buffer *json, lvl_text messages)
{
    lvl_json_open(json, "errors", '[');
    while (messages.len) {
        lvl_json_next(json);
        lvl_json_string(json, take_line(&messages));
    }
    lvl_buffer_u8(json, ']');
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

static lvl_status put_image(lvl_buffer *json, const lvl_ctx *ctx, const lvl_image *image, const char *key)
{
    lvl_buffer png = {0};
    const lvl_status status = lvl_png_write_buffer(ctx, image, NULL, &png);

    if (status == LVL_OK) {
        lvl_json_open(json, key, '{');
        lvl_json_put_uint(json, "width", image->width);
        lvl_json_put_uint(json, "height", image->height);
        lvl_json_key(json, "png");
        lvl_buffer_u8(json, '"');
        lvl_base64_encode(json, lvl_buffer_bytes(&png));
        lvl_buffer_str(json, "\"}");
    }
    lvl_buffer_free(&png);
    return status == LVL_OK ? json->status : status;
}

static lvl_status put_views(lvl_buffer *json, const lvl_ctx *ctx, const lvl_diff_part *part)
{
    lvl_json_open(json, "pictures", '{');
    lvl_status status = put_image(json, ctx, &part->before, "before");
    if (status == LVL_OK)
        status = put_image(json, ctx, &part->after, "after");
    if (status == LVL_OK)
        status = put_image(json, ctx, &part->marked, "marked");
    lvl_buffer_u8(json, '}');
    return status;
}

static lvl_status put_place(lvl_buffer *json, const lvl_ctx *ctx, const lvl_diff_part *part)
{
    const lvl_rect *a = &part->area;

    lvl_json_open(json, NULL, '{');
    lvl_json_key(json, "area");
    lvl_buffer_printf(json, "[%ld,%ld,%ld,%ld]", (long)a->left, (long)a->top, (long)a->right,
                      (long)a->bottom);
    lvl_json_put_uint(json, "scale", part->scale_up);
    lvl_status status = put_image(json, ctx, &part->before, "before");
    if (status == LVL_OK)
        status = put_image(json, ctx, &part->after, "after");
    lvl_buffer_u8(json, '}');
    return status;
}

static lvl_status put_places(lvl_buffer *json, const lvl_scene *before, const lvl_scene *after,
                             const lvl_scene_change *changes, size_t count, const lvl_rect *areas,
                             size_t area_count, const lvl_render_options *options)
{
    lvl_render_options o = *options;
    lvl_status status = LVL_OK;
    lvl_diff_part part;

    o.size = PLACE_SIZE;
    o.scale_up = PLACE_ZOOM;
    if (area_count == MAX_AREAS)
        lvl_json_put_bool(json, "more_places", true);
    lvl_json_open(json, "places", '[');
    for (size_t i = 1; i < area_count && status == LVL_OK; i++) {
        status = lvl_render_diff_part(before, after, changes, count, &areas[i], &o, &part);
        if (status == LVL_OK) {
            lvl_json_next(json);
            status = put_place(json, after->ctx, &part);
            lvl_diff_part_clear(&part);
        }
    }
    lvl_buffer_u8(json, ']');
    return status;
}

static bool is_small(const lvl_rect *part, const lvl_rect *whole)
{
    return ((int64_t)part->right - part->left) * 2 < (int64_t)whole->right - whole->left ||
           ((int64_t)part->bottom - part->top) * 2 < (int64_t)whole->bottom - whole->top;
}

static bool is_below(const lvl_rect *part, int64_t side)
{
    return (int64_t)part->right - part->left < side && (int64_t)part->bottom - part->top < side;
}

lvl_status cli_review_pictures(lvl_buffer *json, const lvl_scene *before, const lvl_scene *after,
                               const lvl_render_options *options, bool places)
{
    lvl_scene_change *changes = NULL;
    lvl_render_options o = *options;
    lvl_rect areas[MAX_AREAS];
    size_t count = 0, area_count = 0;
    uint64_t others = 0;
    lvl_diff_part part;

    lvl_status status = lvl_scene_compare(before, after, &changes, &count);
    if (status == LVL_OK)
        status = lvl_scene_compare_others(before, after, &others);
    if (status != LVL_OK || (!count && !others)) {
        if (status == LVL_OK)
            lvl_json_put_bool(json, "unseen", true);
        goto out;
    }
    if (others)
        lvl_json_put_uint(json, "others", others);
    status = lvl_render_diff_areas(before, after, changes, count, areas, MAX_AREAS, &area_count);
    if (status == LVL_OK && area_count && is_below(&areas[0], SMALL)) {
        o.size = o.size ? o.size : SMALL_SIZE;
        o.scale_up = PLACE_ZOOM;
    }
    if (status == LVL_OK)
        status = lvl_render_diff_part(before, after, changes, count, NULL, &o, &part);
    if (status != LVL_OK)
        goto out;
    status = put_views(json, after->ctx, &part);
    lvl_diff_part_clear(&part);
    if (status == LVL_OK && places && (area_count > 2 || (area_count == 2 && is_small(&areas[1], &areas[0]))))
        status = put_places(json, before, after, changes, count, areas, area_count, options);
out:
    if (changes)
        lvl_scene_changes_free(before, changes);
    return status;
}

lvl_status cli_review_places(lvl_buffer *json, const lvl_scene *before, const lvl_scene *after,
                             const lvl_render_options *options)
{
    lvl_scene_change *changes = NULL;
    lvl_rect areas[MAX_AREAS];
    size_t count = 0, area_count = 0;

    lvl_status status = lvl_scene_compare(before, after, &changes, &count);
    if (status == LVL_OK && count)
        status = lvl_render_diff_areas(before, after, changes, count, areas, MAX_AREAS, &area_count);
    if (status == LVL_OK && area_count)
        status = put_places(json, before, after, changes, count, areas, area_count, options);
    if (changes)
        lvl_scene_changes_free(before, changes);
    return status;
}

lvl_status cli_review_picture(lvl_buffer *json, const lvl_scene *scene, const lvl_render_options *options)
{
    lvl_render_options o = *options;
    lvl_image image;

    o.size = o.size ? o.size : ALONE_SIZE;
    lvl_status status = lvl_render_image(scene, &o, &image);
    if (status != LVL_OK)
        return status;
    status = put_image(json, scene->ctx, &image, "picture");
    lvl_image_clear(&image);
    return status;
}

/* ---- the page ---------------------------------------------------------------------------------------- */

void cli_review_page(lvl_buffer *out, const lvl_buffer *json)
{
    cli_page_fill(out, (lvl_text){(const char *)review_page, sizeof review_page},
                  (lvl_bytes){review_style, sizeof review_style},
                  (lvl_bytes){review_script, sizeof review_script}, json);
}
