/*
 * catalogue/rows.c: a row is a byte ROW + table, then for each value its kind, and a number or a length and
 * bytes.
 */
#include "catalogue/rows.h"

#include <string.h>

enum { ROW = 0x80 };

void cat_row(lvl_buffer *out, unsigned table)
{
    lvl_buffer_u8(out, (uint8_t)(ROW + table));
}

void cat_put_null(lvl_buffer *out)
{
    lvl_buffer_u8(out, CAT_NULL);
}

void cat_put_int(lvl_buffer *out, int64_t value)
{
    lvl_buffer_u8(out, CAT_INT);
    lvl_buffer_add(out, &value, sizeof value);
}

static void put_value(lvl_buffer *out, cat_kind kind, const void *data, size_t len)
{
    lvl_buffer_u8(out, (uint8_t)kind);
    lvl_buffer_add(out, &len, sizeof len);
    lvl_buffer_add(out, data, len);
}

void cat_put_text(lvl_buffer *out, lvl_text text)
{
    if (text.ptr)
        put_value(out, CAT_TEXT, text.ptr, text.len);
    else
        cat_put_null(out);
}

void cat_put_str(lvl_buffer *out, const char *text)
{
    cat_put_text(out, text ? lvl_text_of(text) : (lvl_text){NULL, 0});
}

void cat_put_bytes(lvl_buffer *out, lvl_bytes bytes)
{
    put_value(out, CAT_BYTES, bytes.ptr, bytes.len);
}

static bool take_bytes(lvl_bytes *rows, void *to, size_t len)
{
    if (rows->len < len)
        return false;
    memcpy(to, rows->ptr, len);
    rows->ptr += len;
    rows->len -= len;
    return true;
}

static bool take_value(lvl_bytes *rows, cat_value *value)
{
    uint8_t kind;
    size_t len;

    memset(value, 0, sizeof *value);
    if (!take_bytes(rows, &kind, 1))
        return false;
    value->kind = (cat_kind)kind;
    if (kind == CAT_INT)
        return take_bytes(rows, &value->number, sizeof value->number);
    if (kind != CAT_TEXT && kind != CAT_BYTES)
        return kind == CAT_NULL;
    if (!take_bytes(rows, &len, sizeof len) || len > rows->len)
        return false;
    value->text = (lvl_text){(const char *)rows->ptr, len};
    rows->ptr += len;
    rows->len -= len;
    return true;
}

bool cat_next_row(lvl_bytes *rows, unsigned *table, cat_value values[CAT_MOST_COLUMNS], size_t *count)
{
    uint8_t first;

    if (!take_bytes(rows, &first, 1) || first < ROW || first - ROW >= CAT_TABLES)
        return false;
    *table = first - ROW;
    *count = 0;
    while (rows->len && rows->ptr[0] < ROW) {
        if (*count == CAT_MOST_COLUMNS || !take_value(rows, &values[*count]))
            return false;
        ++*count;
    }
    return true;
}
