/*
 * graal/level/nw_repair.c: repairs the lines of text levels.
 */
#include "graal/level/nw_internal.h"

#include "base/buffer.h"
#include "base/format.h"
#include "base/text.h"
#include "graal/level/graal_findings.h"

/* Marks the findings about layers that cannot be rewritten without a loss: layers without tiles, and layers
 * with a line that has tiles beyond the board. */
static lvl_status leave_layers(const lvl_doc *doc, const lvl_findings *reread, uint8_t *leave)
{
    const lvl_graal *level = doc->root;
    const uint32_t n = level->layer_count;
    uint8_t *kept = lvl_mem_alloc(doc->ctx, (size_t)n + 1);

    if (!kept)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        kept[i] = lvl_graal_is_empty_layer(&level->layers[i]);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < lvl_findings_count(reread); i++) {
            const lvl_finding *f = lvl_findings_at(reread, i);
            const lvl_step *step = &f->where.steps[0];
            if (!f->where.depth || step->field != LVL_FIELD(lvl_graal, layers) || step->index >= n)
                continue;
            if (pass)
                leave[i] = kept[step->index];
            else if (f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_ROW_BEYOND])
                kept[step->index] = 1;
        }
    }
    lvl_mem_free(doc->ctx, kept);
    return LVL_OK;
}

/* Replaces what is left of the first line by the correct one. */
static lvl_status repair_header(lvl_doc *doc, lvl_findings *log)
{
    const lvl_finding_def *def = &lvl_graal_findings[LVL_GRAAL_F_NW_HEADER];
    lvl_buffer file = {0}, out = {0};
    lvl_status status = lvl_doc_write(doc, &file);
    const lvl_text text = lvl_lines_of_file(lvl_buffer_bytes(&file)), rest = lvl_nw_after_header(text);

    if (status == LVL_OK && file.len && !lvl_text_begins(text, "GLEVNW01")) {
        lvl_buffer_add(&out, file.data, file.len - text.len); /* a byte order mark */
        lvl_buffer_str(&out, lvl_lines_are_crlf(text) ? "GLEVNW01\r\n" : "GLEVNW01\n");
        lvl_buffer_add(&out, rest.ptr, rest.len);
        status = out.status != LVL_OK ? out.status : lvl_doc_reread(doc, lvl_buffer_bytes(&out));
        lvl_findings_add(log, def, NULL, NULL, "expected GLEVNW01 in the first line: %s", def->repair);
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}

/* ---- rows that an editor wrapped --------------------------------------------------------------------- */

/* The declared and actual number of tile characters in a BOARD line; false: not such a line. */
static bool row_size(lvl_text line, size_t *declared, size_t *has)
{
    size_t at = 0;

    if (!lvl_text_begins(line, "BOARD "))
        return false;
    for (int word = 0; word < 5; word++) {
        const size_t from = at;
        while (at < line.len && line.ptr[at] != ' ')
            at++;
        if (at == from)
            return false;
        if (word == 3) {
            *declared = 0;
            for (size_t i = from; i < at && *declared <= LVL_GRAAL_SIDE; i++) {
                if (!lvl_is_digit(line.ptr[i]))
                    return false;
                *declared = *declared * 10 + (size_t)(line.ptr[i] - '0');
            }
            if (*declared > LVL_GRAAL_SIDE)
                return false;
            *declared *= 2;
        }
        at += at < line.len;
    }
    *has = line.len - at;
    return true;
}

static bool is_tiles(lvl_text line)
{
    bool all = line.len > 0;

    for (size_t i = 0; i < line.len && all; i++)
        all = lvl_is_digit(line.ptr[i]) || (lvl_lower(line.ptr[i]) >= 'a' && lvl_lower(line.ptr[i]) <= 'z') ||
              line.ptr[i] == '+' || line.ptr[i] == '/';
    return all;
}

/* The end of the lines that continue a row with fewer characters than declared; NULL: there are none, or they
 * do not complete it. */
static const char *end_of_row(const lvl_lines_text *lines, lvl_line_view line)
{
    size_t declared = 0, has = 0;

    if (!row_size(line.text, &declared, &has) || has >= declared)
        return NULL;
    while (has < declared && line.next < lines->end) {
        line = lvl_line_at(lines, line.next);
        if (!is_tiles(line.text))
            return NULL;
        has += line.text.len;
    }
    return has == declared ? line.next : NULL;
}

/* Joins rows of the board that an editor wrapped into several lines. */
static lvl_status join_rows(lvl_doc *doc, lvl_findings *log)
{
    lvl_buffer file = {0}, out = {0};
    size_t joined = 0;

    lvl_status status = lvl_doc_write(doc, &file);
    const lvl_text text = lvl_lines_of_file(lvl_buffer_bytes(&file));
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, lvl_lines_are_crlf(text)};
    lvl_line_view line;

    if (file.len)
        lvl_buffer_add(&out, file.data, file.len - text.len);
    for (const char *at = text.ptr; status == LVL_OK && at < lines.end;) {
        line = lvl_line_at(&lines, at);
        const char *end = end_of_row(&lines, line);
        if (!end) {
            lvl_buffer_add(&out, at, (size_t)(line.next - at));
            at = line.next;
            continue;
        }
        joined++;
        while (at < end) {
            line = lvl_line_at(&lines, at);
            lvl_buffer_add(&out, line.text.ptr, line.text.len);
            at = line.next;
        }
        lvl_buffer_str(&out, lines.crlf ? "\r\n" : "\n");
    }
    if (status == LVL_OK && joined) {
        lvl_findings_add(
            log, &lvl_graal_findings[LVL_GRAAL_F_NW_ROW], NULL, NULL,
            "%zu rows of the board that an editor wrapped were joined again: none of their tiles is lost",
            joined);
        status = out.status != LVL_OK ? out.status : lvl_doc_reread(doc, lvl_buffer_bytes(&out));
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_nw_repair(lvl_doc *doc, const lvl_repairs *repairs)
{
    lvl_status status = repair_header(doc, repairs->log);
    if (status == LVL_OK)
        status = join_rows(doc, repairs->log);

    return status == LVL_OK ? lvl_grammar_repair(doc, repairs, leave_layers) : status;
}
