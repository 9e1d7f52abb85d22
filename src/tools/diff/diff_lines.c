/*
 * tools/diff/diff_lines.c: changed lines as a unified diff with context, and as JSON.
 */
#include "tools/diff/diff.h"

#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"

/* A line with escaped controls; tabs are not escaped. */
static void put_line(lvl_buffer *out, const lvl_emit *side, lvl_text line)
{
    enum { PIECE = 64 };
    char shown[PIECE * 4 + 1];

    for (size_t at = 0; at < line.len;) {
        size_t n = 0, left = line.len - at;
        if (line.ptr[at] == '\t') {
            lvl_buffer_u8(out, '\t');
            at++;
            continue;
        }
        while (n < left && n < PIECE && line.ptr[at + n] != '\t')
            n++;
        if (side->page == LVL_CP_UTF8 && n == PIECE)
            n = lvl_text_cut((lvl_text){line.ptr + at, left}, n).len;
        lvl_buffer_str(out, lvl_text_show(shown, sizeof shown, side->page, (lvl_text){line.ptr + at, n}));
        at += n;
    }
}

static void put_diff_line(lvl_buffer *out, unsigned indent, char mark, const lvl_emit *side, lvl_text line)
{
    lvl_buffer_fill(out, ' ', indent);
    lvl_buffer_u8(out, (uint8_t)mark);
    put_line(out, side, line);
    while (out->len && out->data[out->len - 1] == ' ' && mark == ' ' && !line.len)
        out->len--; /* no blanks at the end of an empty line */
    lvl_buffer_u8(out, '\n');
}

/* The line number of a hunk: of an empty one, the line before it. */
static unsigned long first_line(uint32_t at, uint32_t count)
{
    return (unsigned long)at + (count != 0);
}

void lvl_lines_text(const lvl_lines *l, const lvl_emit *a, const lvl_emit *b, unsigned indent,
                    lvl_buffer *out)
{
    enum { AROUND = 3 };

    for (size_t i = 0; i < l->hunk_count && out->status == LVL_OK;) {
        size_t end = i + 1;
        while (end < l->hunk_count &&
               l->hunks[end].a - (l->hunks[end - 1].a + l->hunks[end - 1].a_count) <= 2 * AROUND)
            end++;
        const lvl_hunk *h = &l->hunks[i], *last = &l->hunks[end - 1];
        const uint32_t before = h->a < AROUND ? h->a : AROUND;
        const uint32_t left = l->a_count - (last->a + last->a_count), after = left < AROUND ? left : AROUND;
        const uint32_t na = last->a + last->a_count + after - (h->a - before);
        const uint32_t nb = last->b + last->b_count + after - (h->b - before);
        lvl_buffer_fill(out, ' ', indent);
        lvl_buffer_printf(out, "@@ -%lu,%lu +%lu,%lu @@\n", first_line(h->a - before, na), (unsigned long)na,
                          first_line(h->b - before, nb), (unsigned long)nb);
        uint32_t at = h->a - before;
        for (; i < end; i++) {
            h = &l->hunks[i];
            for (; at < h->a; at++)
                put_diff_line(out, indent, ' ', a, l->a[at]);
            for (uint32_t k = 0; k < h->a_count; k++)
                put_diff_line(out, indent, '-', a, l->a[h->a + k]);
            for (uint32_t k = 0; k < h->b_count; k++)
                put_diff_line(out, indent, '+', b, l->b[h->b + k]);
            at = h->a + h->a_count;
        }
        for (uint32_t k = 0; k < after; k++)
            put_diff_line(out, indent, ' ', a, l->a[at + k]);
    }
}

static void put_array(lvl_buffer *out, const char *key, const lvl_emit *side, const lvl_text *lines,
                      uint32_t count)
{
    lvl_json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        lvl_json_next(out);
        lvl_json_text(out, side->page, lines[i]);
    }
    lvl_buffer_u8(out, ']');
}

void lvl_lines_json(const lvl_lines *l, const lvl_emit *a, const lvl_emit *b, lvl_buffer *out)
{
    lvl_buffer_u8(out, '[');
    for (size_t i = 0; i < l->hunk_count && out->status == LVL_OK; i++) {
        const lvl_hunk *h = &l->hunks[i];
        lvl_json_open(out, NULL, '{');
        lvl_json_put_uint(out, "old_line", (uint64_t)h->a + 1);
        put_array(out, "old", a, l->a + h->a, h->a_count);
        lvl_json_put_uint(out, "new_line", (uint64_t)h->b + 1);
        put_array(out, "new", b, l->b + h->b, h->b_count);
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, ']');
}
