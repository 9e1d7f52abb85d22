/*
 * Hostile art files of the games: PID in both encodings, PCX with one and with three planes, BMP, PAL, ANI,
 * REZ. See support/hostile.h.
 */
#include "corpus.h"
#include "hostile.h"
#include "starve.h"
#include "base/buffer.h"

#include <lvl/pid.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add_u16(lvl_buffer *b, unsigned value)
{
    lvl_buffer_u8(b, (uint8_t)value);
    lvl_buffer_u8(b, (uint8_t)(value >> 8));
}

static void add_palette(lvl_buffer *b)
{
    for (int i = 0; i < 256 * 3; i++)
        lvl_buffer_u8(b, (uint8_t)(i * 7));
}

static void add_pid_head(lvl_buffer *b, uint32_t flags, uint32_t width, uint32_t height)
{
    const uint32_t head[8] = {10, flags, width, height, 3, (uint32_t)-5, 9, 0};

    for (int i = 0; i < 8; i++)
        lvl_buffer_u32le(b, head[i]);
}

/* Grammar A: runs as in PCX, a leftover palette marker, a palette. */
static void make_pid_runs(lvl_buffer *b)
{
    add_pid_head(b, LVL_PID_TRANSPARENT | LVL_PID_PALETTE, 12, 5);
    for (int y = 0; y < 5; y++) {
        lvl_buffer_add(b, "\xc5\x07\x01\x02\xc1\xf0", 6);
        lvl_buffer_add(b, y % 2 ? "\xc4\x00" : "\xc3\x09\x03", y % 2 ? 2 : 3);
    }
    lvl_buffer_u8(b, 0x0C);
    add_palette(b);
}

/* Grammar B: skips and literals. */
static void make_pid_skips(lvl_buffer *b)
{
    add_pid_head(b, LVL_PID_SKIP_RUNS | LVL_PID_SYSTEM_MEMORY, 16, 6);
    for (int y = 0; y < 6; y++)
        lvl_buffer_add(b, y % 2 ? "\x90" : "\x84\x03\x01\x02\xff\x89", y % 2 ? 1 : 6);
}

static void add_pcx_head(lvl_buffer *b, unsigned width, unsigned height, unsigned planes)
{
    const uint8_t start[4] = {10, 5, 1, 8};

    lvl_buffer_add(b, start, 4);
    add_u16(b, 0);
    add_u16(b, 0);
    add_u16(b, width - 1);
    add_u16(b, height - 1);
    add_u16(b, 72);
    add_u16(b, 72);
    lvl_buffer_fill(b, 0, 49);
    lvl_buffer_u8(b, (uint8_t)planes);
    add_u16(b, width);
    add_u16(b, 1);
    lvl_buffer_fill(b, 0, 58);
}

static void make_pcx_palette(lvl_buffer *b)
{
    add_pcx_head(b, 10, 6, 1);
    for (int y = 0; y < 6; y++)
        lvl_buffer_add(b, "\xc6\x05\x01\x02\xc2\xc9", 6);
    lvl_buffer_u8(b, 0x0C);
    add_palette(b);
}

static void make_pcx_true(lvl_buffer *b)
{
    add_pcx_head(b, 8, 4, 3);
    for (int y = 0; y < 4; y++)
        lvl_buffer_add(b, "\xc8\x10\xc4\x20\xc4\x21\xc8\x30", 8);
}

/* A header of `more` bytes beyond Windows' 40, and a palette of eight colours. */
static void add_bmp_head(lvl_buffer *b, unsigned more, int32_t height, unsigned bits, uint32_t compression)
{
    const unsigned colors = bits == 8 ? 8 : 0;

    lvl_buffer_str(b, "BM");
    lvl_buffer_u32le(b, 0);
    lvl_buffer_u32le(b, 0);
    lvl_buffer_u32le(b, 54 + more + colors * 4);
    lvl_buffer_u32le(b, 40 + more);
    lvl_buffer_u32le(b, 9);
    lvl_buffer_u32le(b, (uint32_t)height);
    add_u16(b, 1);
    add_u16(b, bits);
    lvl_buffer_u32le(b, compression);
    lvl_buffer_fill(b, 0, 12);
    lvl_buffer_u32le(b, colors);
    lvl_buffer_u32le(b, 0);
    lvl_buffer_fill(b, 3, more);
    for (unsigned i = 0; i < colors * 4; i++)
        lvl_buffer_u8(b, i % 4 == 3 ? 0 : (uint8_t)(i * 9));
}

static void make_bmp_rows(lvl_buffer *b)
{
    add_bmp_head(b, 68, 3, 8, 0);
    for (unsigned i = 0; i < 3 * 12; i++)
        lvl_buffer_u8(b, (uint8_t)(i % 12 < 9 ? i % 8 : i == 11));
    add_u16(b, 0);
}

/* Runs, literals, a move, the end of a row, and a run beyond it. */
static void make_bmp_runs(lvl_buffer *b)
{
    add_bmp_head(b, 0, 4, 8, 1);
    lvl_buffer_add(b, "\x03\x05\x00\x03\x01\x02\x03\x00\x00\x00\x00\x02\x02\x01\x0b\x04\x00\x01", 18);
}

static void make_bmp_true(lvl_buffer *b)
{
    add_bmp_head(b, 0, -2, 24, 0);
    for (unsigned i = 0; i < 2 * 28; i++)
        lvl_buffer_u8(b, i % 28 < 27 ? (uint8_t)(i * 5) : 0);
}

static void make_bmp_os2(lvl_buffer *b)
{
    static const uint16_t sizes[4] = {5, 2, 1, 8};

    lvl_buffer_str(b, "BM");
    lvl_buffer_u32le(b, 26 + 4 * 3 + 2 * 8);
    lvl_buffer_u32le(b, 0);
    lvl_buffer_u32le(b, 26 + 4 * 3);
    lvl_buffer_u32le(b, 12);
    for (int i = 0; i < 4; i++)
        add_u16(b, sizes[i]);
    lvl_buffer_add(b, "\0\0\0\1\2\3\xff\0\0\0\xff\0", 12);
    lvl_buffer_add(b, "\0\1\2\3\1\0\0\0\1\1\2\2\3\0\0\0", 16);
}

static void make_pal(lvl_buffer *b)
{
    add_palette(b);
}

static void make_pal_text(lvl_buffer *b)
{
    for (unsigned i = 0; i < 12; i++)
        lvl_buffer_printf(b, i == 5 ? " ; a note\n" : "#%02x%02X7f\r\n", i * 9, i * 5);
}

/* 16 colours in four planes. */
static void make_pcx_planes(lvl_buffer *b)
{
    add_pcx_head(b, 12, 3, 4);
    b->data[1] = 3;
    b->data[3] = 1;
    b->data[0x42] = 2;
    for (int y = 0; y < 3; y++)
        lvl_buffer_add(b, "\xc2\x55\x0f\xc1\xf0\xc4\x80", 7);
}

static void make_ani(lvl_buffer *b)
{
    static const char name[] = "GAME\\IMAGES\\RAT";

    lvl_buffer_u32le(b, 32);
    lvl_buffer_u32le(b, 0);
    lvl_buffer_u32le(b, 1);
    lvl_buffer_u32le(b, 4);
    lvl_buffer_u32le(b, sizeof name - 1);
    lvl_buffer_fill(b, 0, 12);
    lvl_buffer_str(b, name);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned step[10] = {
            i == 2 ? 2u : 0u, 3, i == 3 ? 9u : 0u, 0, i + 1, 100, 0, 0xfffe, 1, 0xcdcd};
        for (int k = 0; k < 10; k++)
            add_u16(b, step[k]);
        if (i == 2)
            lvl_buffer_add(b, "GAME_HIT;LEVEL_HIT", 19);
    }
}

static void add_rez_entry(lvl_buffer *b, uint32_t kind, uint32_t pos, uint32_t size, const char *name)
{
    lvl_buffer_u32le(b, kind);
    lvl_buffer_u32le(b, pos);
    lvl_buffer_u32le(b, size);
    lvl_buffer_u32le(b, 0x3A000000);
    if (kind == 0) {
        lvl_buffer_u32le(b, 7);
        lvl_buffer_add(b, "DIP", 4);
        lvl_buffer_u32le(b, 0);
    }
    lvl_buffer_add(b, name, strlen(name) + 1);
    if (kind == 0)
        lvl_buffer_u8(b, 0);
}

/* A file, a folder with a file, an empty folder. */
static void make_rez(lvl_buffer *b)
{
    lvl_buffer dir = {0}, root = {0};
    const uint32_t payload = 168, size = 20;

    add_rez_entry(&dir, 0, payload + size, size, "001");
    uint32_t dir_at = payload + 2 * size, root_at = dir_at + (uint32_t)dir.len;
    add_rez_entry(&root, 0, payload, size, "MAIN");
    add_rez_entry(&root, 1, dir_at, (uint32_t)dir.len, "TILES");
    add_rez_entry(&root, 1, payload, 0, "EMPTY");
    lvl_buffer_str(b, "\r\n");
    lvl_buffer_str(b, "RezMgr Version 1 Copyright (C) 1995 MONOLITH INC.           ");
    lvl_buffer_str(b, "\r\n");
    lvl_buffer_fill(b, ' ', 60);
    lvl_buffer_str(b, "\r\n\x1a");
    const uint32_t numbers[10] = {1, root_at, (uint32_t)root.len, 0x3A000000, dir_at, 0x3A000000, 0, 6, 5, 1};
    for (int i = 0; i < 10; i++)
        lvl_buffer_u32le(b, numbers[i]);
    lvl_buffer_u8(b, 1);
    lvl_buffer_fill(b, 'a', size);
    lvl_buffer_fill(b, 'b', size);
    lvl_buffer_add(b, dir.data, dir.len);
    lvl_buffer_add(b, root.data, root.len);
    lvl_buffer_free(&dir);
    lvl_buffer_free(&root);
}

struct kind {
    const char *name, *format;
    void (*make)(lvl_buffer *);
    bool loose;
};

static const struct kind kinds[] = {
    {"pid-runs", "pid", make_pid_runs, false},
    {"pid-skips", "pid", make_pid_skips, false},
    {"pcx-palette", "pcx", make_pcx_palette, false},
    {"pcx-true", "pcx", make_pcx_true, false},
    {"bmp-rows", "bmp", make_bmp_rows, false},
    {"bmp-runs", "bmp", make_bmp_runs, false},
    {"bmp-true", "bmp", make_bmp_true, false},
    {"bmp-os2", "bmp", make_bmp_os2, false},
    {"pal", "pal", make_pal, false},
    {"pal-text", "pal", make_pal_text, false},
    {"pcx-planes", "pcx", make_pcx_planes, false},
    {"ani", "ani", make_ani, false},
    {"rez", "rez", make_rez, true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void treat(void **state)
{
    const struct kind *kind = *state;
    lvl_buffer file = {0};

    kind->make(&file);
    assert_int_equal(file.status, LVL_OK);
    const lvl_hostile hostile = {.name = kind->name,
                                 .format = lvl_format_find(kind->format),
                                 .sample = {file.data, file.len},
                                 .loose = kind->loose};
    const bool stands = lvl_hostile_stands(&hostile, kind->loose ? 0 : 990);
    lvl_buffer_free(&file);
    assert_true(stands);
}

/* In folders, one for each format. */
static int leave_seeds(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        lvl_buffer file = {0};
        char name[300];
        kinds[i].make(&file);
        snprintf(name, sizeof name, "%s/%s.%s", kinds[i].format, kinds[i].name, kinds[i].format);
        lvl_hostile_leave(name, (lvl_bytes){file.data, file.len});
        lvl_buffer_free(&file);
    }
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[KINDS];

    memset(tests, 0, sizeof tests);
    for (int i = 0; i < KINDS; i++) {
        tests[i].name = kinds[i].name;
        tests[i].test_func = treat;
        tests[i].initial_state = (void *)(uintptr_t)&kinds[i];
    }
    return cmocka_run_group_tests(tests, leave_seeds, NULL);
}
