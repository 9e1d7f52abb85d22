/*
 * cli/review.c: the page of `lvl diff --html`. Its content security policy allows only its own script and
 * style, by their hashes, so no text of a level can run as a script.
 */
#include "cli/review.h"

#include "base/hash.h"
#include "base/text.h"

#include <review_script.h> /* data/review/review.js, made by CMake */
#include <review_style.h> /* data/review/review.css */

#include <string.h>

enum {
    MAX_LINES = 600,
    MAX_AREAS = 13,
    PLACE_SIZE = 320,
    PLACE_ZOOM = 8,
    ALONE_SIZE = 640,
    SMALL = 200,
    SMALL_SIZE = 480
};

/* ---- text -------------------------------------------------------------------------------------------- */

/* Appends UTF-8, escaped for elements and quoted attributes, with visible control characters. */
static void put_text(lvl_buffer *out, lvl_text utf8)
{
    lvl_buffer shown = {0};

    lvl_text_escape(&shown, LVL_CP_UTF8, utf8, false);
    for (size_t i = 0; i < shown.len; i++) {
        const char c = (char)shown.data[i];
        if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
            lvl_buffer_printf(out, "&#%d;", c);
        else
            lvl_buffer_u8(out, (uint8_t)c);
    }
    if (shown.status != LVL_OK)
        out->status = shown.status;
    lvl_buffer_free(&shown);
}

static void put_str(lvl_buffer *out, const char *str)
{
    put_text(out, lvl_text_of(str));
}

void cli_review_begin(cli_review *r, const char *name, const char *kind, const char *title)
{
    lvl_buffer_printf(&r->nav, "<li><a href=\"#f%zu\">", r->number);
    put_str(&r->nav, name);
    lvl_buffer_printf(&r->nav, "</a> <span class=\"badge %s\">%s</span></li>\n", kind, kind);
    lvl_buffer_printf(&r->section, "<article id=\"f%zu\">\n<header><h2>", r->number);
    put_str(&r->section, name);
    lvl_buffer_printf(&r->section, "</h2><span class=\"badge %s\">%s</span>", kind, kind);
    if (title) {
        lvl_buffer_str(&r->section, "<span class=\"dim\">");
        put_str(&r->section, title);
        lvl_buffer_str(&r->section, "</span>");
    }
    lvl_buffer_str(&r->section, "</header>\n");
}

void cli_review_end(cli_review *r)
{
    lvl_buffer_str(&r->section, "</article>\n");
}

void cli_review_free(cli_review *r)
{
    lvl_buffer_free(&r->nav);
    lvl_buffer_free(&r->section);
}

/* The class of a line of the comparison, by its first character. */
static const char *class_of(lvl_text line)
{
    while (line.len && line.ptr[0] == ' ') {
        line.ptr++;
        line.len--;
    }
    switch (line.len ? line.ptr[0] : 0) {
    case '+': return " class=\"add\"";
    case '-': return " class=\"del\"";
    case '~': return " class=\"mod\"";
    case '@': return " class=\"dim\"";
    default: return "";
    }
}

void cli_review_lines(cli_review *r, lvl_text lines)
{
    lvl_buffer *out = &r->section;
    size_t count = 0, more = 0;

    for (size_t i = 0; i < lines.len; i++)
        count += lines.ptr[i] == '\n' || i + 1 == lines.len;
    if (!count)
        return;
    lvl_buffer_printf(out, "<details open><summary>List of changes</summary>\n<pre tabindex=\"0\">");
    for (size_t at = 0, n = 0; at < lines.len; n++) {
        const char *nl = memchr(lines.ptr + at, '\n', lines.len - at);
        const lvl_text line = {lines.ptr + at, nl ? (size_t)(nl - lines.ptr) - at : lines.len - at};
        at += line.len + 1;
        if (n >= MAX_LINES) {
            more++;
            continue;
        }
        lvl_buffer_printf(out, "<span%s>", class_of(line));
        put_text(out, line);
        lvl_buffer_str(out, "</span>");
    }
    if (more)
        lvl_buffer_printf(out, "<span class=\"dim\">%zu more lines; lvl diff prints them</span>", more);
    lvl_buffer_str(out, "</pre></details>\n");
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

static lvl_status put_image(lvl_buffer *out, const lvl_ctx *ctx, const lvl_image *image, const char *kind,
                            const char *alt)
{
    lvl_buffer png = {0};
    const lvl_status status = lvl_png_write_buffer(ctx, image, NULL, &png);

    if (status == LVL_OK) {
        lvl_buffer_printf(out,
                          "<img class=\"%s\" alt=\"%s\" width=\"%lu\" height=\"%lu\" src=\"data:image/png;",
                          kind, alt, (unsigned long)image->width, (unsigned long)image->height);
        lvl_buffer_str(out, "base64,");
        lvl_base64_encode(out, lvl_buffer_bytes(&png));
        lvl_buffer_str(out, "\">");
    }
    lvl_buffer_free(&png);
    return status == LVL_OK ? out->status : status;
}

/* A radio button that selects how both pictures are shown. */
static void put_mode(cli_review *r, const char *mode, const char *label, bool checked)
{
    lvl_buffer_printf(&r->section,
                      "<input type=\"radio\" name=\"v%zu\" id=\"v%zu-%s\" class=\"as-%s\"%s><label "
                      "for=\"v%zu-%s\">%s</label>",
                      r->number, r->number, mode, mode, checked ? " checked" : "", r->number, mode, label);
}

static lvl_status put_views(cli_review *r, const lvl_ctx *ctx, const lvl_diff_part *part)
{
    lvl_buffer *out = &r->section;

    lvl_buffer_str(out, "<div class=\"view\" role=\"group\" aria-label=\"Before and after\">\n");
    put_mode(r, "slider", "Slider", true);
    put_mode(r, "pair", "Side by side", false);
    put_mode(r, "marked", "Changes marked", false);
    lvl_buffer_str(out, "\n<div class=\"stage\">");
    lvl_status status = put_image(out, ctx, &part->before, "before", "Before");
    if (status == LVL_OK)
        status = put_image(out, ctx, &part->after, "after", "After");
    if (status == LVL_OK)
        status = put_image(out, ctx, &part->marked, "marked", "After, with changes marked");
    lvl_buffer_str(out, "</div>\n<div class=\"slide\">before <input type=\"range\" min=\"0\" max=\"100\" "
                        "value=\"50\" step=\"1\" aria-label=\"Where the picture before ends\"> after</div>\n"
                        "</div>\n");
    return status;
}

static lvl_status put_place(cli_review *r, const lvl_ctx *ctx, const lvl_diff_part *part)
{
    const lvl_rect *a = &part->area;
    lvl_buffer *out = &r->section;

    lvl_buffer_str(out, "<li><figure><div class=\"two\">");
    lvl_status status = put_image(out, ctx, &part->before, "was", "Before");
    if (status == LVL_OK)
        status = put_image(out, ctx, &part->after, "is", "After");
    lvl_buffer_printf(out, "</div><figcaption>%ld,%ld to %ld,%ld px", (long)a->left, (long)a->top,
                      (long)a->right, (long)a->bottom);
    if (part->scale_up > 1)
        lvl_buffer_printf(out, ", enlarged %lu times", (unsigned long)part->scale_up);
    lvl_buffer_str(out, "</figcaption></figure></li>\n");
    return status;
}

static lvl_status put_places(cli_review *r, const lvl_scene *before, const lvl_scene *after,
                             const lvl_scene_change *changes, size_t count, const lvl_rect *areas,
                             size_t area_count, const lvl_render_options *options)
{
    lvl_render_options o = *options;
    lvl_status status = LVL_OK;
    lvl_diff_part part;

    o.size = PLACE_SIZE;
    o.scale_up = PLACE_ZOOM;
    lvl_buffer_printf(&r->section, "<h3>Changed places%s</h3>\n<ul class=\"places\">\n",
                      area_count == MAX_AREAS ? ": the first ones" : "");
    for (size_t i = 1; i < area_count && status == LVL_OK; i++) {
        status = lvl_render_diff_part(before, after, changes, count, &areas[i], &o, &part);
        if (status == LVL_OK) {
            status = put_place(r, after->ctx, &part);
            lvl_diff_part_clear(&part);
        }
    }
    lvl_buffer_str(&r->section, "</ul>\n");
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

lvl_status cli_review_pictures(cli_review *r, const lvl_scene *before, const lvl_scene *after,
                               const lvl_render_options *options, bool places)
{
    lvl_scene_change *changes = NULL;
    lvl_render_options o = *options;
    lvl_rect areas[MAX_AREAS];
    size_t count = 0, area_count = 0;
    lvl_diff_part part;

    lvl_status status = lvl_scene_compare(before, after, &changes, &count);
    if (status != LVL_OK || !count) {
        if (status == LVL_OK)
            lvl_buffer_str(&r->section, "<p class=\"dim\">Nothing of it can be seen in a picture.</p>\n");
        goto out;
    }
    status = lvl_render_diff_areas(before, after, changes, count, areas, MAX_AREAS, &area_count);
    if (status == LVL_OK && area_count && is_below(&areas[0], SMALL)) {
        o.size = o.size ? o.size : SMALL_SIZE;
        o.scale_up = PLACE_ZOOM;
    }
    if (status == LVL_OK)
        status = lvl_render_diff_part(before, after, changes, count, NULL, &o, &part);
    if (status != LVL_OK)
        goto out;
    status = put_views(r, after->ctx, &part);
    lvl_diff_part_clear(&part);
    if (status == LVL_OK && places && (area_count > 2 || (area_count == 2 && is_small(&areas[1], &areas[0]))))
        status = put_places(r, before, after, changes, count, areas, area_count, options);
out:
    if (changes)
        lvl_scene_changes_free(before, changes);
    return status;
}

lvl_status cli_review_picture(cli_review *r, const lvl_scene *scene, const lvl_render_options *options)
{
    lvl_render_options o = *options;
    lvl_image image;

    o.size = o.size ? o.size : ALONE_SIZE;
    lvl_status status = lvl_render_image(scene, &o, &image);
    if (status != LVL_OK)
        return status;
    lvl_buffer_str(&r->section, "<div class=\"stage alone\">");
    status = put_image(&r->section, scene->ctx, &image, "before", "Picture of the file");
    lvl_buffer_str(&r->section, "</div>\n");
    lvl_image_clear(&image);
    return status;
}

/* ---- the page ---------------------------------------------------------------------------------------- */

/* "'sha256-…'", as a policy names a script or style. */
static void put_hash(lvl_buffer *out, lvl_bytes source)
{
    uint8_t raw[32];
    char hex[65];

    lvl_sha256_hex(source, hex);
    for (size_t i = 0; i < sizeof raw; i++) {
        const char high = hex[2 * i], low = hex[2 * i + 1];
        raw[i] = (uint8_t)((high <= '9' ? high - '0' : high - 'a' + 10) << 4 |
                           (low <= '9' ? low - '0' : low - 'a' + 10));
    }
    lvl_buffer_str(out, "'sha256-");
    lvl_base64_encode(out, (lvl_bytes){raw, sizeof raw});
    lvl_buffer_str(out, "'");
}

void cli_review_page(lvl_buffer *out, const char *a, const char *b, const char *counts, const lvl_buffer *nav,
                     const lvl_buffer *sections)
{
    const lvl_bytes style = {review_style, sizeof review_style},
                    script = {review_script, sizeof review_script};

    lvl_buffer_str(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
                        "data:; base-uri 'none'; form-action 'none'; style-src ");
    put_hash(out, style);
    lvl_buffer_str(out, "; script-src ");
    put_hash(out, script);
    lvl_buffer_str(out,
                   "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    put_str(out, a);
    lvl_buffer_str(out, " → ");
    put_str(out, b);
    lvl_buffer_str(out, "</title>\n<style>");
    lvl_buffer_add(out, style.ptr, style.len);
    lvl_buffer_str(out, "</style>\n</head>\n<body>\n<h1>Changes</h1>\n<p class=\"sides\"><code>");
    put_str(out, a);
    lvl_buffer_str(out, "</code> → <code>");
    put_str(out, b);
    lvl_buffer_str(out, "</code></p>\n<p class=\"dim\">");
    put_str(out, counts);
    lvl_buffer_str(out, "</p>\n");
    if (nav->len)
        lvl_buffer_str(out, "<nav aria-label=\"Files\"><ol>\n");
    lvl_buffer_add(out, nav->data, nav->len);
    lvl_buffer_str(out, nav->len ? "</ol></nav>\n<main>\n" : "<main>\n");
    lvl_buffer_add(out, sections->data, sections->len);
    lvl_buffer_printf(out, "</main>\n<footer>Made by lvl %s (lvl diff --html)</footer>\n<script>",
                      lvl_version());
    lvl_buffer_add(out, script.ptr, script.len);
    lvl_buffer_str(out, "</script>\n</body>\n</html>\n");
}
