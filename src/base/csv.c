/*
 * base/csv.c: see base/csv.h.
 */
#include "base/csv.h"

#include "base/text.h"

#include <string.h>

void lvl_csv_begin(lvl_csv *csv, lvl_text text)
{
    memset(csv, 0, sizeof *csv);
    csv->p = text.ptr;
    csv->end = text.ptr + text.len;
    csv->next_line = 1;
    csv->comma = ',';
    if (text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0)
        csv->p += 3;
    bool quoted = false;
    for (const char *p = csv->p; p < csv->end && (quoted || (*p != '\n' && *p != '\r')); p++) {
        quoted ^= *p == '"';
        if (!quoted && (*p == ',' || *p == ';' || *p == '\t')) {
            csv->comma = *p;
            break;
        }
    }
}

void lvl_csv_end(lvl_csv *csv)
{
    lvl_buffer_free(&csv->text);
}

static bool ends_line(const lvl_csv *csv)
{
    return csv->p == csv->end || *csv->p == '\n' || *csv->p == '\r';
}

/* Skips one line end: LF, CR LF, or CR. */
static void skip_line_end(lvl_csv *csv)
{
    if (csv->p < csv->end && *csv->p == '\r')
        csv->p++;
    if (csv->p < csv->end && *csv->p == '\n')
        csv->p++;
    csv->next_line++;
}

/* Reads a field in quotes, from after the first one. */
static bool read_quoted(lvl_csv *csv)
{
    for (;;) {
        const char *quote = memchr(csv->p, '"', (size_t)(csv->end - csv->p));
        if (!quote) {
            csv->error = "a closing quote is missing";
            return false;
        }
        for (const char *p = csv->p; p < quote; p++)
            csv->next_line += *p == '\n';
        lvl_buffer_add(&csv->text, csv->p, (size_t)(quote - csv->p));
        csv->p = quote + 1;
        if (csv->p == csv->end || *csv->p != '"')
            break;
        lvl_buffer_u8(&csv->text, '"');
        csv->p++;
    }
    if (ends_line(csv) || *csv->p == csv->comma)
        return true;
    csv->error = "expected the end of the field after its closing quote";
    return false;
}

bool lvl_csv_row(lvl_csv *csv)
{
    while (csv->p < csv->end && ends_line(csv))
        skip_line_end(csv);
    csv->count = 0;
    csv->text.len = 0;
    csv->line = csv->next_line;
    if (csv->p == csv->end || csv->error)
        return false;
    for (;;) {
        if (csv->count == LVL_CSV_COLUMNS) {
            csv->error = "too many columns";
            return false;
        }
        if (csv->p < csv->end && *csv->p == '"') {
            csv->p++;
            if (!read_quoted(csv))
                return false;
        } else {
            const char *from = csv->p;
            while (!ends_line(csv) && *csv->p != csv->comma)
                csv->p++;
            lvl_buffer_add(&csv->text, from, (size_t)(csv->p - from));
        }
        csv->ends[csv->count++] = csv->text.len;
        if (ends_line(csv))
            break;
        csv->p++;
    }
    skip_line_end(csv);
    return csv->text.status == LVL_OK;
}

lvl_text lvl_csv_field(const lvl_csv *csv, size_t column)
{
    if (column >= csv->count)
        return (lvl_text){"", 0};
    const size_t from = column ? csv->ends[column - 1] : 0;
    return (lvl_text){csv->text.data ? (const char *)csv->text.data + from : "", csv->ends[column] - from};
}

void lvl_csv_put(lvl_buffer *out, lvl_text field)
{
    bool quote = false;

    for (size_t i = 0; i < field.len && !quote; i++)
        quote = strchr(",\"\r\n", field.ptr[i]) != NULL;
    if (!quote) {
        lvl_buffer_add(out, field.ptr, field.len);
        return;
    }
    lvl_buffer_u8(out, '"');
    for (size_t i = 0; i < field.len; i++) {
        lvl_buffer_u8(out, (uint8_t)field.ptr[i]);
        if (field.ptr[i] == '"')
            lvl_buffer_u8(out, '"');
    }
    lvl_buffer_u8(out, '"');
}
