/*
 * support/graal_seeds.c: see support/graal_seeds.h.
 */
#include "graal_seeds.h"
#include "graal/level/graal_names.h"

#include <string.h>

const char *lvl_graal_seed_name(int seed)
{
    static const char *const odd[] = {"odd", "literal", "open"};

    return seed < LVL_GRAAL_SEED_ODD ? lvl_graal_version_name((unsigned)seed)
                                     : odd[seed - LVL_GRAAL_SEED_ODD];
}

/* ---- packets ----------------------------------------------------------------------------------------- */

void lvl_put_packet(lvl_bit_writer *w, unsigned packet)
{
    w->held |= (uint64_t)packet << w->have;
    for (w->have += w->bits; w->have >= 8; w->have -= 8) {
        lvl_buffer_u8(w->out, (uint8_t)w->held);
        w->held >>= 8;
    }
}

void lvl_put_control(lvl_bit_writer *w, unsigned count, bool pairs)
{
    lvl_put_packet(w, 1U << (w->bits - 1) | (pairs ? 0x100U : 0) | count);
}

void lvl_put_plain(lvl_bit_writer *w, unsigned tiles, unsigned tile)
{
    while (tiles) {
        unsigned n = tiles < 64 ? tiles : 64;
        if (n > 1)
            lvl_put_control(w, n, false);
        lvl_put_packet(w, tile);
        tiles -= n;
    }
}

void lvl_put_spare(lvl_bit_writer *w)
{
    if (w->have)
        lvl_buffer_u8(w->out, (uint8_t)w->held);
    w->held = 0;
    w->have = 0;
}

/* A board with runs, pairs and single tiles, as the original encoder writes it. */
static void put_board(lvl_buffer *out, unsigned bits, unsigned last)
{
    lvl_bit_writer w = {out, bits, 0, 0};

    lvl_put_packet(&w, 5);
    lvl_put_packet(&w, 6);
    lvl_put_packet(&w, 7);
    lvl_put_control(&w, 2, true);
    lvl_put_packet(&w, 20);
    lvl_put_packet(&w, 21);
    lvl_put_packet(&w, 3);
    lvl_put_plain(&w, 4096 - 8 - 1, 11);
    lvl_put_packet(&w, last);
    lvl_put_spare(&w);
}

/* ---- levels ------------------------------------------------------------------------------------------ */

static void put(lvl_buffer *out, const char *bytes, size_t len)
{
    lvl_buffer_add(out, bytes, len);
}

#define PUT(out, text) put(out, text, sizeof(text) - 1)

/* A sign's text whose letters have the same cells in both eras: "Hello, world" and a line of arrows. */
static void put_sign(lvl_buffer *out, int x, int y)
{
    static const uint8_t hello[] = {7,  30, 37, 37, 40, 66, 89, 48, 40, 43, 37,
                                    29, 96, 77, 78, 79, 80, 89, 74, 75, 96};

    lvl_buffer_u8(out, (uint8_t)(x + 32));
    lvl_buffer_u8(out, (uint8_t)(y + 32));
    for (size_t i = 0; i < sizeof hello; i++)
        lvl_buffer_u8(out, (uint8_t)(hello[i] + 32));
    lvl_buffer_u8(out, '\n');
}

/* #K(233), the first half of a head, and a byte without a letter, as cells of a sign. */
static void put_odd_sign(lvl_buffer *out)
{
    static const uint8_t cells[] = {86, 10, 69, 54, 55, 55, 70, 75, 86, 10, 69, 55, 57, 70, 56};

    PUT(out, "  ");
    for (size_t i = 0; i < sizeof cells; i++)
        lvl_buffer_u8(out, (uint8_t)(cells[i] + 32));
    PUT(out, "\xF0\x05\n");
}

static void put_heights(lvl_buffer *out)
{
    PUT(out, "HEIGHTS\n");
    for (int i = 0; i < 81; i++)
        lvl_buffer_printf(out, "%d%s%c", i - 40, i % 7 ? "" : ".5", i % 9 == 8 ? '\n' : ',');
    PUT(out, "HEIGHTSEND\n");
}

static void put_level(lvl_buffer *out, unsigned version)
{
    const unsigned bits = version == LVL_Z3_V1_02 ? 11 : version < LVL_GR_V1_02 ? 12 : 13;

    lvl_buffer_str(out, lvl_graal_version_name(version));
    if (version == LVL_GR_V1_05)
        PUT(out, "\x22");
    put_board(out, bits, bits == 11 ? 1023 : bits == 12 ? 2047 : 4095);
    if (version == LVL_GR_V1_05)
        put_board(out, bits, 4095);
    if (version <= LVL_Z3_V1_03)
        PUT(out, "cave.zelda 63.0 0.5 1.0 56.0 0.0 -1\n");
    else
        PUT(out, "cave.graal 63 0.5 1 56 0 -1\na far place.graal 1 2 3 4 playerx+4 playery-38\n");
    PUT(out, "#\n");
    if (version <= LVL_Z3_V1_03)
        PUT(out, "\x05\x0A\x02\n\x0A\x0A\x06\n");
    else
        PUT(out, "\x05\x0A\x02Stop!\\Ouch!\\Ha\xE9!\n\x0A\x0A\x06\\\\\n");
    PUT(out, "\xFF\xFF\xFF\n");
    if (version >= LVL_GR_V1_00)
        PUT(out, "#$door.gif#if (playerenters) {\xA7\thide; // # no\x86\xA7}\xA7\n\x1F\x60#\n#\n");
    if (version >= LVL_GR_V1_01)
        PUT(out, "*+\x21\x20\n,-'\x1F\n#\n");
    put_sign(out, 10, 12);
    PUT(out, "  \n");
    if (version >= LVL_GR_V1_04)
        put_heights(out);
}

static void put_odd(lvl_buffer *out)
{
    lvl_bit_writer w = {out, 13, 0, 0};

    PUT(out, "GR-V1.03");
    lvl_put_packet(&w, 4095);
    lvl_put_control(&w, 0, false); /* nothing */
    lvl_put_packet(&w, 9);
    lvl_put_control(&w, 1, true); /* one pair */
    lvl_put_packet(&w, 1);
    lvl_put_packet(&w, 2);
    lvl_put_control(&w, 200, false); /* another head in place of the tile */
    lvl_put_packet(&w, 0x1000 | 0x200 | 255);
    lvl_put_packet(&w, 3);
    lvl_put_plain(&w, 3800, 30);
    lvl_put_control(&w, 100, true); /* too many */
    lvl_put_packet(&w, 1);
    lvl_put_packet(&w, 2);
    w.held |= w.have ? (uint64_t)1 << w.have : 0;
    lvl_put_spare(&w);
    PUT(out, "\nshort\nnot.graal  1 2.50 3 4 5 6\nnot.graal 1 x 3 4 5 6\n#\n");
    PUT(out, "\x05\x05\x05\n\x05\x05\x05one verse\n\x05\x05\x05one\\two\\three\\four\n\xFF\xFF\xFF\n");
    PUT(out, "\nx\n! no mark\n!!#\n#\n");
    PUT(out, "\n!\n!!!!!\n#\n");
    put_odd_sign(out);
    PUT(out, "x\n\n");
    put_sign(out, -1, 64);
    PUT(out, "#\n#");
}

static void put_literal(lvl_buffer *out)
{
    lvl_bit_writer w = {out, 13, 0, 0};

    PUT(out, "GR-V1.03");
    for (unsigned i = 0; i < 4096; i++)
        lvl_put_packet(&w, i / 3);
    lvl_put_spare(&w);
    PUT(out, "#\n\xFF\xFF\xFF\n#\n#\n");
    put_sign(out, 1, 1);
    out->len--; /* no line end */
}

static void put_open(lvl_buffer *out)
{
    PUT(out, "GR-V1.05\x21");
    put_board(out, 13, 1);
    PUT(out, "#\n\xFF\xFF\xFFmore\n%%a.gif#b\n");
}

lvl_status lvl_graal_seed(int seed, lvl_buffer *out)
{
    switch (seed) {
    case LVL_GRAAL_SEED_ODD: put_odd(out); break;
    case LVL_GRAAL_SEED_LITERAL: put_literal(out); break;
    case LVL_GRAAL_SEED_OPEN: put_open(out); break;
    default: put_level(out, (unsigned)seed); break;
    }
    return out->status;
}
