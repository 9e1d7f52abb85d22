/*
 * wap32/art/pid_runs.c: reads and writes the two run encodings of PID.
 */
#include "wap32/art/pid_runs.h"

enum { MAX_RUN = 63, MAX_SKIP = 126, MAX_LITERALS = 127, FIRST_RUN = 0xC0, FIRST_EAGER = 0x40 };

bool lvl_pid_run_next(lvl_cursor *c, bool skip_runs, lvl_pid_run *run)
{
    size_t left = lvl_cursor_left(c);

    if (left == 0)
        return false;
    uint8_t t = lvl_cursor_u8(c);
    left--;
    run->literals = NULL;
    run->count = 1;
    run->value = t;
    if (skip_runs) {
        run->count = t & 0x7F;
        run->value = LVL_PID_SKIPPED;
        if (!(t & 0x80)) {
            if (run->count > left) {
                if (left == 0)
                    return false;
                run->count = (uint32_t)left;
            }
            run->literals = lvl_cursor_take(c, run->count);
        }
    } else if (t >= FIRST_RUN) {
        if (left == 0)
            return false;
        run->count = t & 0x3F;
        run->value = lvl_cursor_u8(c);
    }
    return true;
}

static bool encode_row_a(const lvl_cells *cells, uint32_t y, uint32_t first_run, lvl_buffer *out)
{
    for (uint32_t x = 0; x < cells->width;) {
        uint32_t v = lvl_cell(cells, x, y), n = 1;

        if (v > 0xFF)
            return false;
        while (n < MAX_RUN && n < cells->width - x && lvl_cell(cells, x + n, y) == v)
            n++;
        if (n > 1 || v >= first_run)
            lvl_buffer_u8(out, (uint8_t)(FIRST_RUN | n));
        lvl_buffer_u8(out, (uint8_t)v);
        x += n;
    }
    return true;
}

static bool encode_row_b(const lvl_cells *cells, uint32_t y, lvl_buffer *out)
{
    for (uint32_t x = 0; x < cells->width;) {
        bool skip = lvl_cell(cells, x, y) == LVL_PID_SKIPPED;
        uint32_t most = skip ? MAX_SKIP : MAX_LITERALS, n = 1;

        while (n < most && n < cells->width - x && (lvl_cell(cells, x + n, y) == LVL_PID_SKIPPED) == skip)
            n++;
        lvl_buffer_u8(out, (uint8_t)(skip ? 0x80 | n : n));
        for (uint32_t i = 0; !skip && i < n; i++) {
            uint32_t v = lvl_cell(cells, x + i, y);
            if (v > 0xFF)
                return false;
            lvl_buffer_u8(out, (uint8_t)v);
        }
        x += n;
    }
    return true;
}

lvl_status lvl_pid_encode(const lvl_cells *cells, bool skip_runs, uint32_t spelling, lvl_buffer *out)
{
    uint32_t first_run = spelling == LVL_PID_EAGER ? FIRST_EAGER : FIRST_RUN;

    if (!cells->ptr)
        return LVL_OK;
    for (uint32_t y = 0; y < cells->height && out->status == LVL_OK; y++) {
        if (!(skip_runs ? encode_row_b(cells, y, out) : encode_row_a(cells, y, first_run, out)))
            return LVL_ERR_ARG;
    }
    return out->status;
}

bool lvl_pid_decodes_to(lvl_bytes encoded, bool skip_runs, const lvl_cells *cells)
{
    lvl_cursor c = lvl_cursor_of(encoded);
    uint32_t x = 0, y = 0;
    lvl_pid_run run;

    if (!cells->ptr || !cells->width || !cells->height)
        return false;
    while (y < cells->height && lvl_pid_run_next(&c, skip_runs, &run)) {
        for (uint32_t i = 0; i < run.count && y < cells->height; i++) {
            if (lvl_cell(cells, x, y) != (run.literals ? run.literals[i] : run.value))
                return false;
            if (++x == cells->width) {
                x = 0;
                y++;
            }
        }
    }
    if (lvl_cursor_left(&c))
        return false;
    for (; y < cells->height; y++, x = 0) {
        for (; x < cells->width; x++) {
            if (lvl_cell(cells, x, y) != 0)
                return false;
        }
    }
    return true;
}
