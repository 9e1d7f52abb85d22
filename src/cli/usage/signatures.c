/*
 * cli/usage/signatures.c: writes the formats' signatures for other programs: file(1), the MIME types of
 * desktops (shared-mime-info; a desktop entry; a thumbnailer) and PRONOM, the register of archives. `lvl
 * formats --signatures'.
 */
#include "cli/usage/usage.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* Bytes as in a string of magic(5) and of shared-mime-info, which agree in this form. */
static void put_escaped(lvl_buffer *out, const lvl_signature_part *part)
{
    for (uint32_t i = 0; i < part->len; i++) {
        const uint8_t c = (uint8_t)part->bytes[i];
        if (c < 0x80 && (isalnum(c) || c == '-' || c == '.' || c == '/'))
            lvl_buffer_u8(out, c);
        else
            lvl_buffer_printf(out, "\\x%02x", c);
    }
}

/* Types that are ours, not known to everybody ("image/vnd.zbrush.pcx"). */
static bool is_own_type(const lvl_format *format)
{
    return format->mime && strstr(format->mime, "/x-");
}

static void put_endings(lvl_buffer *out, const lvl_format *format, const char *before, const char *after,
                        const char *between)
{
    for (const char *e = format->extensions; *e;) {
        const int len = (int)strcspn(e, " ");
        lvl_buffer_printf(out, "%s%.*s%s", before, len, e, after);
        e += len;
        e += strspn(e, " ");
        if (*e)
            lvl_buffer_str(out, between);
    }
}

static uint32_t part_count(const lvl_signature *s)
{
    uint32_t n = 0;

    while (n < LVL_SIGNATURE_PARTS && s->parts[n].len)
        n++;
    return n;
}

/* ---- file(1) ------------------------------------------------------------------------------------------- */

static void put_magic(lvl_buffer *out, const lvl_format *format)
{
    lvl_buffer_printf(out, "\n# %s\n", format->title);
    for (const lvl_signature *s = format->signatures; s->parts[0].len; s++) {
        const uint32_t parts = part_count(s);
        for (uint32_t i = 0; i < parts; i++) {
            lvl_buffer_printf(out, "%.*s%u\tstring\t", (int)i, ">>>>>>", s->parts[i].at);
            put_escaped(out, &s->parts[i]);
            if (i + 1 == parts && s->line)
                lvl_buffer_printf(out, "\n>%u\tregex/1l\t%s", s->parts[0].at, s->line);
            if (i + 1 == parts)
                lvl_buffer_printf(out, "\t%s%s%s", format->title, s->version ? ", " : "",
                                  s->version ? s->version : "");
            lvl_buffer_u8(out, '\n');
        }
        if (format->mime)
            lvl_buffer_printf(out, "!:mime\t%s\n", format->mime);
        lvl_buffer_str(out, "!:ext\t");
        put_endings(out, format, "", "", "/");
        lvl_buffer_u8(out, '\n');
        for (uint32_t i = 0; i < format->table->field_count; i++) {
            const lvl_field *f = &format->table->fields[i];
            if (f->kind == LVL_TEXT && f->flags & LVL_F_SLOT &&
                (strcmp(f->name, "title") == 0 || strcmp(f->name, "name") == 0))
                lvl_buffer_printf(out, "%.*s%u\tstring\t>\\0\t\\b, \"%%.64s\"\n", (int)parts, ">>>>>>",
                                  f->disk);
        }
    }
}

/* ---- desktops ------------------------------------------------------------------------------------------ */

static void put_match(lvl_buffer *out, const lvl_signature *s, uint32_t i)
{
    const uint32_t parts = part_count(s);
    const int indent = 6 + 2 * (int)i;

    lvl_buffer_printf(out, "%*s<match type=\"string\" offset=\"%u\" value=\"", indent, "", s->parts[i].at);
    put_escaped(out, &s->parts[i]);
    if (i + 1 == parts) {
        lvl_buffer_str(out, "\"/>\n");
    } else {
        lvl_buffer_str(out, "\">\n");
        put_match(out, s, i + 1);
        lvl_buffer_printf(out, "%*s</match>\n", indent, "");
    }
}

static void put_mime(lvl_buffer *out, const lvl_format *format)
{
    lvl_buffer_printf(out, "  <mime-type type=\"%s\">\n    <comment>%s</comment>\n", format->mime,
                      format->title);
    if (strncmp(format->mime, "text/", 5) == 0)
        lvl_buffer_str(out, "    <sub-class-of type=\"text/plain\"/>\n");
    lvl_buffer_printf(out, "    <generic-icon name=\"%s\"/>\n",
                      lvl_format_can(format) & LVL_CAN_RENDER ? "image-x-generic" : "package-x-generic");
    if (format->signatures) {
        lvl_buffer_str(out, "    <magic priority=\"70\">\n");
        for (const lvl_signature *s = format->signatures; s->parts[0].len; s++) {
            if (!s->line)
                put_match(out, s, 0);
        }
        lvl_buffer_str(out, "    </magic>\n");
    }
    put_endings(out, format, "    <glob pattern=\"*.", "\"/>\n", "");
    lvl_buffer_str(out, "  </mime-type>\n");
}

/* ---- archives ------------------------------------------------------------------------------------------ */

/* PRONOM identifiers are assigned by The National Archives; fmt/0 is a placeholder. */
static void put_pronom(lvl_buffer *out, const lvl_format *format)
{
    unsigned id = 0;

    lvl_buffer_printf(out,
                      "{\n  \"lvlFormat\": \"%s\",\n  \"formatName\": \"%s\",\n  \"version\": null,\n"
                      "  \"formatDescription\": \"%s. Described at length by the documentation of lvl "
                      "(docs/formats/%s.md).\",\n  \"formatTypes\": \"%s\",\n",
                      format->id, format->title, format->title, format->id,
                      format->is_picture ? "Image (Raster)" : "Game");
    lvl_buffer_str(
        out, "  \"identifiers\": [\n    { \"identifierType\": \"PUID\", \"identifierText\": \"fmt/0\" }");
    if (format->mime)
        lvl_buffer_printf(out, ",\n    { \"identifierType\": \"MIME\", \"identifierText\": \"%s\" }",
                          format->mime);
    lvl_buffer_str(out, "\n  ],\n  \"internalSignatures\": [");
    for (const lvl_signature *s = format->signatures; s->parts[0].len; s++) {
        const uint32_t parts = part_count(s);
        if (s->line)
            continue;
        lvl_buffer_printf(out,
                          "%s\n    {\n      \"signatureID\": %u,\n      \"name\": \"%s%s%s\",\n"
                          "      \"byteSequences\": [\n        { \"positionType\": \"Absolute from BOF\", "
                          "\"offset\": %u, \"maxOffset\": %u, \"endianness\": null, \"byteSequence\": \"",
                          id ? "," : "", id + 1, format->title, s->version ? ", " : "",
                          s->version ? s->version : "", s->parts[0].at, s->parts[0].at);
        id++;
        for (uint32_t i = 0; i < parts; i++) {
            if (i)
                lvl_buffer_printf(out, "{%u}", s->parts[i].at - s->parts[i - 1].at - s->parts[i - 1].len);
            for (uint32_t k = 0; k < s->parts[i].len; k++)
                lvl_buffer_printf(out, "%02X", (unsigned)(uint8_t)s->parts[i].bytes[k]);
        }
        lvl_buffer_str(out, "\" }\n      ]\n    }");
    }
    lvl_buffer_str(out, "\n  ],\n  \"externalSignatures\": [\n    ");
    put_endings(out, format, "{ \"signatureType\": \"File extension\", \"externalSignature\": \"", "\" }",
                ",\n    ");
    lvl_buffer_str(out, "\n  ],\n  \"relationships\": []\n}\n");
}

/* ---- desktop and thumbnails ---------------------------------------------------------------------------- */

/* The types of files that can be drawn. */
static void put_drawn_types(lvl_buffer *out)
{
    const lvl_format *format;

    lvl_buffer_str(out, "MimeType=");
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        if (is_own_type(format) && lvl_format_can(format) & LVL_CAN_RENDER)
            lvl_buffer_printf(out, "%s;", format->mime);
    }
    lvl_buffer_u8(out, '\n');
}

void cli_signatures(lvl_buffer *out, const char *kind)
{
    const bool magic = strcmp(kind, "magic") == 0, mime = strcmp(kind, "mime") == 0;
    const lvl_format *format;

    if (strcmp(kind, "desktop") == 0) {
        lvl_buffer_str(
            out,
            "# Made by `lvl formats --signatures desktop'; do not edit.\n[Desktop Entry]\nType=Application\n"
            "Name=lvl\nGenericName=Level Viewer\nComment=Shows levels of old 2D games in the browser\n"
            "Exec=lvl view -q -- %F\nTryExec=lvl\nIcon=lvl\nTerminal=false\nNoDisplay=true\n"
            "Categories=Graphics;Viewer;\nKeywords=level;game;map;\n");
        put_drawn_types(out);
        return;
    }
    if (strcmp(kind, "thumbnailer") == 0) {
        lvl_buffer_str(out, "# Made by `lvl formats --signatures thumbnailer'; do not edit.\n[Thumbnailer "
                            "Entry]\nTryExec=lvl\n"
                            "Exec=sh -c 'lvl render --size \"$1\" -q -o - -- \"$2\" >\"$3\"' sh %s %i %o\n");
        put_drawn_types(out);
        return;
    }
    if (magic)
        lvl_buffer_str(
            out, "# Level files of old 2D games, for file(1): file -m lvl.magic FILE. Made by `lvl formats "
                 "--signatures magic'; do not edit.\n");
    if (mime)
        lvl_buffer_str(out,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Made by lvl formats (signatures: "
                       "mime); do not edit. -->\n<mime-info "
                       "xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n");
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        if (mime && is_own_type(format))
            put_mime(out, format);
        else if (magic && format->signatures)
            put_magic(out, format);
        else if (!mime && !magic && format->signatures)
            put_pronom(out, format);
    }
    if (mime)
        lvl_buffer_str(out, "</mime-info>\n");
}
