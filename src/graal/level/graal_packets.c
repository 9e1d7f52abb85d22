/*
 * graal/level/graal_packets.c: the tile block of binary levels. The original encoder, inferred from its
 * files, is greedy: at each tile except the last three it writes the longest run (up to 64) of one tile, else
 * of pairs, else a single tile.
 */
#include "graal/level/graal_packets.h"

#include "base/cursor.h"

enum {
    COUNT = 0xFF,
    PAIRS = 0x100,
    MAX_RUN = 64, /* longest run of the original encoder */
    ALONE = LVL_TILES - 3, /* no runs from this tile on */
    AHEAD = 128 /* packets unpacked at once */
};

unsigned lvl_packet_bits(unsigned version)
{
    return version == LVL_Z3_V1_02 ? 11 : version < LVL_GR_V1_02 ? 12 : 13;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

struct stream {
    const uint8_t *data;
    size_t len;
    uint64_t bit; /* next packet */
    uint64_t last; /* offset of the last whole packet */
    unsigned bits;
    bool none; /* there is no complete packet */
};

static struct stream stream_of(lvl_bytes in, unsigned bits)
{
    struct stream s = {in.ptr, in.len, 0, 0, bits, in.len < 2};

    if (!s.none)
        s.last = (uint64_t)in.len * 8 - bits;
    return s;
}

static inline bool has_packet(const struct stream *s)
{
    return s->bit <= s->last && !s->none;
}

/* The packet at an offset up to `last`. */
static inline unsigned packet_at(const struct stream *s, uint64_t bit)
{
    const size_t at = (size_t)(bit >> 3);
    uint32_t word = 0;

    if (at + 4 <= s->len) {
        word = lvl_load_u32le(s->data + at);
    } else {
        for (size_t i = at; i < s->len; i++)
            word |= (uint32_t)s->data[i] << (i - at) * 8;
    }
    return word >> (bit & 7) & ((1U << s->bits) - 1);
}

/* Fills `cells` cells with a, b, a, b … Nearly all runs are short: the first LVL_PACKETS_SLACK cells are
 * always written, so that no branch depends on the length. */
static inline void fill(uint16_t *to, uint32_t cells, unsigned a, unsigned b)
{
    /* a before b in memory, in either byte order */
    const uint64_t pair = lvl_little_endian() ? a | (uint64_t)b << 16 : b | (uint64_t)a << 16;
    const uint64_t four = pair | pair << 32;
    const uint64_t step[2] = {four, four};
    uint32_t i = 0;

    for (; i < LVL_PACKETS_SLACK; i += 8)
        memcpy(to + i, step, sizeof step);
    for (; i < cells; i += 8)
        memcpy(to + i, step, sizeof step);
}

/* Decodes the control at the stream's position and its run; false if the bytes end early. */
static bool take_run(struct stream *s, unsigned control, uint16_t *tiles, uint32_t *at, unsigned *odd)
{
    const unsigned top = 1U << (s->bits - 1);
    unsigned tile[2] = {0, 0}, got = 0, want;

    do {
        want = control & PAIRS ? 2 : 1;
        if (control & ~(top | PAIRS | COUNT))
            *odd |= LVL_PACKETS_BITS;
        s->bit += s->bits;
        for (got = 0; got < want && has_packet(s); got++) {
            unsigned packet = packet_at(s, s->bit);
            if (packet & top) {
                control = packet;
                *odd |= LVL_PACKETS_CONTROL;
                break;
            }
            tile[got] = packet;
            s->bit += s->bits;
        }
        if (got < want && !has_packet(s))
            return false;
    } while (got < want);

    unsigned count = control & COUNT;
    uint32_t cells = count * want;
    if (count < 2)
        *odd |= LVL_PACKETS_COUNT;
    if (cells > LVL_TILES - *at) {
        *odd |= LVL_PACKETS_OVERSHOOT;
        cells = LVL_TILES - *at;
    }
    fill(tiles + *at, cells, tile[0], want == 2 ? tile[1] : tile[0]);
    *at += cells;
    return true;
}

/* Packets unpacked in advance to 16 bits each, with a bitmap of their top bits. */
struct ahead {
    uint16_t packets[LVL_TILES + 2 * AHEAD];
    uint8_t tops[(LVL_TILES + 2 * AHEAD) / 8 + 8];
    uint32_t count;
};

/* Unpacks four packets from the low bits of a word to 16 bits each. */
static inline uint64_t spread_packets(uint64_t word, unsigned bits)
{
    const uint64_t mask = (1U << bits) - 1;

    return (word & mask) | (word << (16 - bits) & mask << 16) | (word << 2 * (16 - bits) & mask << 32) |
           (word << 3 * (16 - bits) & mask << 48);
}

/* The top bits of four packets, as the low four bits. */
static inline unsigned tops_of(uint64_t four, unsigned bits)
{
    return (unsigned)((four >> (bits - 1) & 0x0001000100010001U) * 0x0001000200040008U >> 48) & 15;
}

static inline void store_four(uint16_t *to, uint64_t four)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint16_t)(four >> 16 * i);
}

/* Unpacks AHEAD more packets. Eight packets of n bits are n bytes. */
static inline void unpack(struct ahead *to, const uint8_t *in, unsigned bits)
{
    in += (size_t)(to->count / 8) * bits;
    for (uint32_t i = 0; i < AHEAD / 8; i++, in += bits) {
        const uint64_t low = spread_packets(lvl_load_u64le(in), bits);
        const uint64_t high = spread_packets(lvl_load_u64le(in + bits / 2) >> (bits % 2 * 4), bits);
        store_four(to->packets + to->count, low);
        store_four(to->packets + to->count + 4, high);
        to->tops[to->count / 8] = (uint8_t)(tops_of(low, bits) | tops_of(high, bits) << 4);
        to->count += 8;
    }
}

/* Fast path: decodes up to the first deviation, or near the end of the bytes. All packets have the same size,
 * so the bitmap of top bits shows the positions of the controls in advance. The tiles between them are copied
 * eight at a time, mostly without a branch, since there are usually few. */
static uint32_t decode_fast(struct stream *s, uint16_t *tiles)
{
    const unsigned bits = s->bits, top = 1U << (bits - 1);
    struct ahead ahead;
    uint32_t at = 0, j = 0;

    ahead.count = 0;
    while (at < LVL_TILES) {
        if (ahead.count < j + 64) {
            if (ahead.count > LVL_TILES || s->len < (size_t)(ahead.count + AHEAD) / 8 * bits + 8)
                break;
            if (bits == 13)
                unpack(&ahead, s->data, 13);
            else
                unpack(&ahead, s->data, bits);
        }
        uint32_t alone = lvl_lowest_bit(lvl_load_u64le(ahead.tops + j / 8) >> j % 8 | (uint64_t)1 << 32);
        for (uint32_t i = 0; i == 0 || i < alone; i += 8) {
            memcpy(tiles + at + i, ahead.packets + j + i, 8 * sizeof *tiles);
        }
        alone = alone > LVL_TILES - at ? LVL_TILES - at : alone;
        at += alone;
        j += alone;
        const unsigned packet = ahead.packets[j];
        if (alone == 32 || at == LVL_TILES)
            continue;
        const unsigned count = packet & COUNT, step = 1 + (packet / PAIRS & 1);
        const unsigned a = ahead.packets[j + 1], b = ahead.packets[j + step];
        const uint32_t cells = count * step;
        if (((a | b) & top) | (packet & ~(top | PAIRS | COUNT)) | (count < 2) | (cells > LVL_TILES - at))
            break;
        fill(tiles + at, cells, a, b);
        at += cells;
        j += 1 + step;
    }
    s->bit = (uint64_t)j * bits;
    return at;
}

static void to_little_endian(uint16_t *tiles)
{
    if (lvl_little_endian())
        return;
    for (uint32_t i = 0; i < LVL_TILES; i++)
        lvl_store_u16le((uint8_t *)&tiles[i], tiles[i]);
}

void lvl_packets_decode(lvl_bytes in, unsigned bits, uint16_t *tiles, lvl_packets_result *result)
{
    const unsigned top = 1U << (bits - 1);
    struct stream s = stream_of(in, bits);
    unsigned odd = 0;

    uint32_t at = decode_fast(&s, tiles);
    while (at < LVL_TILES) {
        if (!has_packet(&s)) {
            odd |= LVL_PACKETS_CUT;
            break;
        }
        const unsigned packet = packet_at(&s, s.bit);
        if (!(packet & top)) {
            tiles[at++] = (uint16_t)packet;
            s.bit += bits;
        } else if (!take_run(&s, packet, tiles, &at, &odd)) {
            odd |= LVL_PACKETS_CUT;
            break;
        }
    }
    for (uint32_t i = at; i < LVL_TILES; i++)
        tiles[i] = LVL_GRAAL_ABSENT;
    if (odd & LVL_PACKETS_CUT) {
        result->used = in.len;
    } else {
        result->used = (size_t)((s.bit + 7) / 8);
        if (s.bit & 7 && in.ptr[result->used - 1] >> (s.bit & 7))
            odd |= LVL_PACKETS_BITS;
    }
    to_little_endian(tiles);
    result->tiles = at;
    result->odd = odd;
}

void lvl_packets_emit(lvl_bytes in, unsigned bits, void (*emit)(void *user, const lvl_packet *packet),
                      void *user)
{
    const unsigned top = 1U << (bits - 1);
    struct stream s = stream_of(in, bits);
    unsigned control = 0, got = 0;
    uint32_t at = 0;

    while (at < LVL_TILES && has_packet(&s)) {
        const unsigned value = packet_at(&s, s.bit);
        const lvl_packet packet = {s.bit, bits, (value & top) != 0, value, at};
        emit(user, &packet);
        s.bit += bits;
        if (value & top) {
            control = value;
            got = 0;
        } else if (!control) {
            at++;
        } else if (++got == (control & PAIRS ? 2U : 1U)) {
            uint32_t cells = (control & COUNT) * got;
            at = cells > LVL_TILES - at ? LVL_TILES : at + cells;
            control = 0;
        }
    }
    uint64_t end = at < LVL_TILES ? (uint64_t)in.len * 8 : (s.bit + 7) / 8 * 8;
    if (end > s.bit) {
        const lvl_packet rest = {s.bit, (unsigned)(end - s.bit), false, 0, LVL_TILES};
        emit(user, &rest);
    }
}

/* ---- writing ----------------------------------------------------------------------------------------- */

struct packer {
    uint8_t block[LVL_TILES * 2]; /* a packet has at most 2 bytes, and a run never has more packets than
                                     tiles */
    size_t len;
    uint64_t held;
    unsigned have, bits;
};

static inline void put_packet(struct packer *p, unsigned packet)
{
    p->held |= (uint64_t)packet << p->have;
    p->have += p->bits;
    if (p->have < 32)
        return;
    lvl_store_u32le(p->block + p->len, (uint32_t)p->held);
    p->len += 4;
    p->held >>= 32;
    p->have -= 32;
}

/* The length of the run of single tiles (step 1) or pairs (step 2) at `at`, up to the encoder's maximum. A
 * run continues while each tile equals the one `step` before it; four are compared at a time. */
static uint32_t run_at(const uint16_t *tiles, uint32_t count, uint32_t at, uint32_t step)
{
    const uint32_t left = (count - at) / step, most = (left < MAX_RUN ? left : MAX_RUN) * step - step;
    const uint8_t *here = (const uint8_t *)(tiles + at), *next = (const uint8_t *)(tiles + at + step);
    uint32_t equal = 0;

    for (uint64_t differ = 0; equal < most && !differ;) {
        differ = lvl_load_u64le(here + (size_t)equal * 2) ^ lvl_load_u64le(next + (size_t)equal * 2);
        equal += differ ? lvl_lowest_bit(differ) / 16 : 4;
    }
    return 1 + (equal < most ? equal : most) / step;
}

void lvl_packets_encode(lvl_buffer *out, const uint8_t *tiles, uint32_t count, unsigned bits)
{
    enum { SLACK = 8 }; /* cells after the last tile that comparisons may read */
    const unsigned top = 1U << (bits - 1);
    uint16_t t[LVL_TILES + SLACK];
    struct packer p;

    p.len = 0;
    p.held = 0;
    p.have = 0;
    p.bits = bits;
    for (uint32_t i = 0; i < count; i++)
        t[i] = lvl_load_u16le(tiles + (size_t)i * 2);
    for (uint32_t i = count; i < count + SLACK; i++)
        t[i] = LVL_GRAAL_ABSENT;
    for (uint32_t i = 0; i < count;) {
        const uint32_t step = i >= ALONE                                 ? 0
                              : t[i] == t[i + 1]                         ? 1
                              : t[i] == t[i + 2] && t[i + 1] == t[i + 3] ? 2
                                                                         : 0;
        if (!step) {
            put_packet(&p, t[i++]);
            continue;
        }
        const uint32_t n = run_at(t, count, i, step);
        put_packet(&p, top | (step == 2 ? PAIRS : 0) | n);
        put_packet(&p, t[i]);
        if (step == 2)
            put_packet(&p, t[i + 1]);
        i += n * step;
    }
    for (unsigned left = p.have; left; left = left > 8 ? left - 8 : 0) {
        p.block[p.len++] = (uint8_t)p.held;
        p.held >>= 8;
    }
    lvl_buffer_add(out, p.block, p.len);
}
