/*
 * graal/nw_repair.c: records that a text swallows because its end line is missing: the end line is put in
 * front of the first whole command.
 */
#include "graal/nw_internal.h"

#include "graal/graal_findings.h"

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
                             "added %s before a line that is a command", word);
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

lvl_status lvl_nw_end_texts(lvl_bytes file, lvl_buffer *out, lvl_findings *log)
{
    const char *from = (const char *)file.ptr;
    const lvl_nw_text text = {from, from + file.len, lvl_lines_are_crlf((lvl_text){from, file.len})};

    return end_texts(&text, out, log);
}
