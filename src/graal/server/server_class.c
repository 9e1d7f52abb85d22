/*
 * graal/server/server_class.c: the script of a class, which NPCs and weapons join: `scripts/NAME.txt` of a
 * Graal server. The whole file is the script: nothing in it says what it is, only its folder does.
 */
#include "base/text.h"
#include "games/language.h"
#include "graal/graal_format.h"
#include "graal/server/server_files.h"
#include "lines/text.h"

#include <lvl/server.h>
#include <string.h>

/* clang-format off */
static const lvl_field class_fields[] = {
    LVL_ROW_TEXT(lvl_server_class, script, "script", .flags = LVL_F_LINES, .part = "scripts",
                 .prose = "The script.",
                 .summary = {.show = LVL_SHOW_FILLED, .label = "script", .key = "script_lines"}),
    LVL_ROW(lvl_server_class, line_end, "line_end", LVL_INT, .role = LVL_KEPT, .disk = LVL_NO_PLACE,
            .names = lvl_server_line_ends, .prose = "How lines end."),
};
const lvl_table lvl_server_class_table = {
    .name = "class", .prose = "The script of a class.", .struct_size = sizeof(lvl_server_class),
    .fields = class_fields, .field_count = LVL_COUNT_OF(class_fields),
};
/* clang-format on */

/* Whether every line that ends does so in CRLF, and no other CR is there: a script with both is kept as it
 * is. */
static bool all_crlf(lvl_text text)
{
    size_t ends = 0;

    for (size_t i = 0; i < text.len; i++) {
        const bool pair = text.ptr[i] == '\r' && i + 1 < text.len && text.ptr[i + 1] == '\n';
        if ((text.ptr[i] == '\r' || text.ptr[i] == '\n') && !pair)
            return false;
        ends += pair;
        i += pair;
    }
    return ends > 0;
}

static lvl_status class_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_text text = {doc->input.len ? (const char *)doc->input.ptr : "", doc->input.len};
    lvl_server_class *c = doc->root;
    (void)findings;

    c->line_end = all_crlf(text) ? LVL_SERVER_CRLF : LVL_SERVER_LF;
    c->script = text;
    lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_server_class, script), 0, text.len, LVL_SPAN_FIELD);
    if (c->line_end == LVL_SERVER_LF)
        return LVL_OK;
    char *lines = lvl_arena_alloc(&doc->arena, text.len);
    if (!lines)
        return LVL_ERR_MEMORY;
    c->script = (lvl_text){lines, 0};
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '\r')
            lines[c->script.len++] = text.ptr[i];
    }
    return LVL_OK;
}

static lvl_status class_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_server_class *c = doc->root;

    for (size_t at = 0; at < c->script.len;) {
        const char *p = c->script.ptr + at,
                   *end = c->line_end == LVL_SERVER_CRLF ? memchr(p, '\n', c->script.len - at) : NULL;
        const size_t len = end ? (size_t)(end - p) : c->script.len - at;
        lvl_buffer_add(out, p, len);
        if (end)
            lvl_buffer_str(out, "\r\n");
        at += len + (end != NULL);
    }
    return out->status;
}

static lvl_status check(const lvl_doc *doc, const lvl_check_request *request)
{
    lvl_server_check_script(doc, request, LVL_FIELD(lvl_server_class, script));
    return LVL_OK;
}

static int probe(const lvl_probe_input *in)
{
    return lvl_text_has_ending(lvl_text_of(in->name), ".class.txt") && !memchr(in->head.ptr, 0, in->head.len)
               ? 8
               : 0;
}

/* Two of the folders that GServer makes beside it: a folder `scripts` alone may be anything. */
static const lvl_format_place place = {"scripts", "txt", "accounts config npcs weapons world", 2};

const lvl_format lvl_format_class = {
    .id = "class",
    .family = "graal",
    .title = "Class of a Graal server",
    .extensions = "class.txt", /* not txt, which may be any text */
    .codepage = LVL_CP_1252,
    .table = &lvl_server_class_table,
    .calls =
        &(const lvl_format_calls){
            .place = &place,
            .probe = probe,
            .read = class_read,
            .write = class_write,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = check,
            .info = lvl_server_info,
            .script_stems = lvl_gs1_stems,
        },
};
