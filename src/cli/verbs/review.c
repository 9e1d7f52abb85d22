/*
 * cli/verbs/review.c: the pages of `lvl diff --html` and `lvl merge --html`. Their content security policy
 * allows only its own script and style, by their hashes, so no text of a level can run as a script.
 */
#include "cli/verbs/review.h"

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

static const char *word(const cli_review *r, bool after)
{
    return after ? (r->after ? r->after : "after") : r->before ? r->before : "before";
}

static lvl_status put_views(cli_review *r, const lvl_ctx *ctx, const lvl_diff_part *part)
{
    lvl_buffer *out = &r->section;

    lvl_buffer_printf(out, "<div class=\"view\" role=\"group\" aria-label=\"%s and %s\">\n", word(r, false),
                      word(r, true));
    put_mode(r, "slider", "Slider", true);
    put_mode(r, "pair", "Side by side", false);
    put_mode(r, "marked", "Changes marked", false);
    lvl_buffer_str(out, "\n<div class=\"stage\">");
    lvl_status status = put_image(out, ctx, &part->before, "before", word(r, false));
    if (status == LVL_OK)
        status = put_image(out, ctx, &part->after, "after", word(r, true));
    if (status == LVL_OK)
        status = put_image(out, ctx, &part->marked, "marked", "changes marked");
    lvl_buffer_printf(
        out,
        "</div>\n<div class=\"slide\">%s <input type=\"range\" min=\"0\" max=\"100\" value=\"50\" "
        "step=\"1\" aria-label=\"Where the first picture ends\"> %s</div>\n</div>\n",
        word(r, false), word(r, true));
    return status;
}

static lvl_status put_place(cli_review *r, const lvl_ctx *ctx, const lvl_diff_part *part)
{
    const lvl_rect *a = &part->area;
    lvl_buffer *out = &r->section;

    lvl_buffer_str(out, "<li><figure><div class=\"two\">");
    lvl_status status = put_image(out, ctx, &part->before, "was", word(r, false));
    if (status == LVL_OK)
        status = put_image(out, ctx, &part->after, "is", word(r, true));
    lvl_buffer_printf(out, "</div><figcaption>%s, %s: %ld,%ld to %ld,%ld px", word(r, false), word(r, true),
                      (long)a->left, (long)a->top, (long)a->right, (long)a->bottom);
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
    uint64_t others = 0;
    lvl_diff_part part;

    lvl_status status = lvl_scene_compare(before, after, &changes, &count);
    if (status == LVL_OK)
        status = lvl_scene_compare_others(before, after, &others);
    if (status != LVL_OK || (!count && !others)) {
        if (status == LVL_OK)
            lvl_buffer_str(&r->section, "<p class=\"dim\">Nothing of it can be seen in a picture.</p>\n");
        goto out;
    }
    if (others)
        lvl_buffer_printf(&r->section,
                          "<p class=\"dim\">%llu cell%s of other layers changed, which are not marked.</p>\n",
                          (unsigned long long)others, others == 1 ? "" : "s");
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

lvl_status cli_review_places(cli_review *r, const lvl_scene *before, const lvl_scene *after,
                             const lvl_render_options *options)
{
    lvl_scene_change *changes = NULL;
    lvl_rect areas[MAX_AREAS];
    size_t count = 0, area_count = 0;

    lvl_status status = lvl_scene_compare(before, after, &changes, &count);
    if (status == LVL_OK && count)
        status = lvl_render_diff_areas(before, after, changes, count, areas, MAX_AREAS, &area_count);
    if (status == LVL_OK && area_count)
        status = put_places(r, before, after, changes, count, areas, area_count, options);
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

/* ---- choices ----------------------------------------------------------------------------------------- */

void cli_review_text(cli_review *r, lvl_text text)
{
    lvl_buffer_str(&r->section, "<p>");
    put_text(&r->section, text);
    lvl_buffer_str(&r->section, "</p>\n");
}

void cli_review_choice(cli_review *r, const char *const *words, unsigned count, unsigned chosen)
{
    lvl_buffer_printf(&r->section,
                      "<p class=\"choice\" role=\"radiogroup\" aria-label=\"Side for conflict %zu\">",
                      r->number);
    for (unsigned i = 0; i < count; i++)
        lvl_buffer_printf(&r->section,
                          "<input type=\"radio\" name=\"c%zu\" id=\"c%zu-%u\" value=\"%u\"%s><label "
                          "for=\"c%zu-%u\">%s</label>",
                          r->number, r->number, i, i + 1, i == chosen ? " checked" : "", r->number, i,
                          words[i]);
    lvl_buffer_str(&r->section, "</p>\n");
}

void cli_review_command(cli_review *r, lvl_text first, lvl_text second, const cli_choices *chosen,
                        size_t count)
{
    lvl_buffer *out = &r->section;

    lvl_buffer_str(
        out, "<article id=\"end\">\n<header><h2>To finish</h2></header>\n<p>Run this where the page was "
             "made:</p>\n<pre id=\"command\" tabindex=\"0\">");
    put_text(out, first);
    lvl_buffer_str(out, "<b id=\"choices\">");
    for (size_t i = 0; i < count; i++)
        lvl_buffer_u8(out, (uint8_t)('1' + (i < chosen->count ? (int)chosen->sides[i] : 0)));
    lvl_buffer_str(out, "</b>");
    for (size_t at = 0; at < second.len;) {
        const char *nl = memchr(second.ptr + at, '\n', second.len - at);
        const size_t len = nl ? (size_t)(nl - second.ptr) - at : second.len - at;
        put_text(out, (lvl_text){second.ptr + at, len});
        lvl_buffer_str(out, nl ? "\n" : "");
        at += len + 1;
    }
    lvl_buffer_str(out, "</pre>\n<p><button id=\"copy\">Copy</button> <span class=\"dim\">A digit for each "
                        "conflict: 1 ours, 2 theirs, 3 base.</span></p>\n</article>\n");
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

void cli_review_page(lvl_buffer *out, const cli_review_head *head, const lvl_buffer *nav,
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
    put_str(out, head->a);
    lvl_buffer_str(out, " → ");
    put_str(out, head->b);
    lvl_buffer_str(out, "</title>\n<style>");
    lvl_buffer_add(out, style.ptr, style.len);
    lvl_buffer_printf(out, "</style>\n</head>\n<body>\n<h1>%s</h1>\n<p class=\"sides\"><code>", head->title);
    put_str(out, head->a);
    lvl_buffer_str(out, "</code> → <code>");
    put_str(out, head->b);
    lvl_buffer_str(out, "</code></p>\n<p class=\"dim\">");
    put_str(out, head->counts);
    lvl_buffer_str(out, "</p>\n");
    if (nav->len)
        lvl_buffer_str(out, "<nav aria-label=\"Files\"><ol>\n");
    lvl_buffer_add(out, nav->data, nav->len);
    lvl_buffer_str(out, nav->len ? "</ol></nav>\n<main>\n" : "<main>\n");
    lvl_buffer_add(out, sections->data, sections->len);
    lvl_buffer_printf(out, "</main>\n<footer>Made by lvl %s (%s)</footer>\n<script>", lvl_version(),
                      head->command);
    lvl_buffer_add(out, script.ptr, script.len);
    lvl_buffer_str(out, "</script>\n</body>\n</html>\n");
}
