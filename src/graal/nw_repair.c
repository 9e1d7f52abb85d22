/*
 * graal/nw_repair.c: records that a text swallows because its end line is missing: the end line is put in
 * front of the first whole command, and the level is read again.
 */
#include "graal/nw_parts.h"

#include "graal/graal_findings.h"

#include <string.h>

/* Reads the level anew from other bytes, which must live as long as the document. */
static lvl_status read_again(lvl_doc *doc, lvl_bytes bytes)
{
    const lvl_bytes input = doc->input; /* stays what positions are in */

    memset(doc->root, 0, doc->format->table->struct_size);
    lvl_record_init(doc->root, doc->format->table);
    doc->input = bytes;
    const lvl_status status = lvl_nw_read(doc, NULL, NULL);
    doc->input = input;
    return status;
}

/* Copies the lines of a file, with the end lines that are missing; nothing if there are none. Each line is
 * looked at once. */
static lvl_status end_texts(const lvl_nw_text *text, lvl_buffer *out, lvl_findings *log)
{
    uint32_t counts[LVL_NW_KINDS] = {0};
    const char *from = text->ptr, *word = NULL; /* the end line that is waited for */
    lvl_nw_kind open = LVL_NW_KINDS, kind;
    lvl_nw_line line = lvl_nw_line_at(text, from);

    for (const char *at = line.next; at < text->end; at = line.next) {
        line = lvl_nw_line_at(text, at);
        if (word && lvl_nw_is_end(&line, word)) {
            word = NULL;
            continue;
        }
        if (word && (open == LVL_NW_HEIGHTS || !lvl_nw_is_swallowed(&line, &kind)))
            continue;
        if (word) {
            const lvl_field *list = lvl_table_at(&lvl_graal_table, lvl_nw_lists[open].items);
            const lvl_where where = lvl_where_to(lvl_where_root(), list, counts[open] - 1);
            lvl_findings_add(log, &lvl_graal_findings[LVL_GRAAL_F_NW_INSIDE], &where, NULL,
                             "put %s before a line that is a command", word);
            lvl_buffer_add(out, from, (size_t)(at - from));
            lvl_buffer_str(out, word);
            lvl_nw_put_line_end(out, text->crlf);
            from = at;
            word = NULL;
        }
        if (lvl_nw_is_command(&line, &kind)) {
            counts[kind]++;
            open = kind;
            word = lvl_nw_end_word(kind);
        }
    }
    if (out->len)
        lvl_buffer_add(out, from, (size_t)(text->end - from));
    return out->status;
}

lvl_status lvl_nw_end_texts(lvl_doc *doc, lvl_findings *log)
{
    lvl_buffer file = {0}, out = {0};
    lvl_status status = lvl_doc_write(doc, &file);

    if (status == LVL_OK && file.len) {
        const char *from = (const char *)file.data;
        const lvl_nw_text text = {from, from + file.len, lvl_nw_is_crlf((lvl_bytes){file.data, file.len})};
        status = end_texts(&text, &out, log);
    }
    if (status == LVL_OK && out.len) {
        const uint8_t *copy = lvl_arena_copy(&doc->arena, out.data, out.len);
        status = copy ? read_again(doc, (lvl_bytes){copy, out.len}) : LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}
