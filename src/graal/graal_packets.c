/*
 * graal/graal_packets.c: the tile block of binary levels. Whether the original encoder would make a block is told by looking at what it did: a
 * plain greedy one, which at each tile but the last three takes the longest run (up to 64) of one tile, else of pairs, else a tile alone.
 */
#include "graal/graal_packets.h"

#include "base/cursor.h"

enum {
    COUNT = 0xFF,
    PAIRS = 0x100,
    LONGEST = 64,          /* run that the original encoder makes */
    ALONE = LVL_TILES - 3, /* from here on it makes no runs */
    MARK = 0x8000,         /* on a tile that stood alone, while decoding */
    NO_TILE = 0x7FFF
};

unsigned lvl_packet_bits(unsigned version)
{
    return version == LVL_Z3_V1_02 ? 11 : version < LVL_GR_V1_02 ? 12 : 13;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------------- */

struct stream {
    const uint8_t *data;
    size_t len;
    uint64_t bit;  /* next packet */
    uint64_t last; /* bit of the last whole packet that there can be */
    unsigned bits;
    bool none; /* the bytes end before a single packet */
};

static struct stream stream_of(lvl_bytes in, unsigned bits)
{
    /* no block is longer: a packet a tile, or any number of odd ones, which may take what they like */
    struct stream s = {in.ptr, in.len, 0, 0, bits, in.len < 2};

    if (!s.none)
        s.last = (uint64_t)in.len * 8 - bits;
    return s;
}

static inline bool has_packet(const struct stream *s)
{
    return s->bit <= s->last && !s->none;
}

/* The packet at `bit`, which is there. */
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

/* A control of a kind that the original encoder makes: where it began, and over how many tiles. */
struct run {
    uint16_t start, count;
    bool pairs;
};

struct runs {
    struct run list[LVL_TILES / 2];
    uint32_t count;
};

/* Fills `cells` cells with a, b, a, b …, in steps of eight: a few too many. */
static inline void fill(uint16_t *to, uint32_t cells, unsigned a, unsigned b)
{
    uint16_t step[8];

    for (unsigned i = 0; i < 8; i += 2) {
        step[i] = (uint16_t)a;
        step[i + 1] = (uint16_t)b;
    }
    for (uint32_t i = 0; i < cells; i += 8)
        memcpy(to + i, step, sizeof step);
}

/* The control at the stream's place and what it stands for; false where the bytes end first. */
static bool take_run(struct stream *s, unsigned control, uint16_t *tiles, uint32_t *at, struct runs *runs,
                     unsigned *odd)
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
    /* a length of its own for short ones spares the guess of how often to go round */
    fill(tiles + *at, cells, tile[0], want == 2 ? tile[1] : tile[0]);
    if (runs->count < LVL_TILES / 2) {
        struct run *r = &runs->list[runs->count++];
        r->start = (uint16_t)*at;
        r->count = (uint16_t)count;
        r->pairs = want == 2;
    }
    *at += cells;
    return true;
}

/* Takes the marks off the tiles that stood alone; whether the original encoder would have left each of them alone. */
static bool settle_alone(uint16_t *tiles, uint32_t count)
{
    uint32_t i = 0;
    uint16_t bad = 0;

    for (; count == LVL_TILES && i < ALONE; i++) {
        const uint16_t a = tiles[i] & NO_TILE, b = tiles[i + 1] & NO_TILE, c = tiles[i + 2] & NO_TILE,
                       d = tiles[i + 3] & NO_TILE;
        const uint16_t alone = (uint16_t) - (tiles[i] >> 15);
        const uint16_t run = (uint16_t) - (a == b), pairs = (uint16_t)(-(a == c) & -(b == d));
        bad |= alone & (run | pairs);
        tiles[i] = a;
    }
    for (; i < count; i++)
        tiles[i] &= NO_TILE;
    return !bad;
}

/* Whether the original encoder would have made these runs. Behind the tiles stand two cells that are none. */
static bool original_runs(const uint16_t *tiles, const struct runs *runs)
{
    bool fine = true;

    for (uint32_t i = 0; i < runs->count; i++) {
        const struct run *r = &runs->list[i];
        const uint32_t end = r->start + r->count * (r->pairs ? 2U : 1U);
        if (r->count < 2 || r->count > LONGEST || r->start >= ALONE || end > LVL_TILES)
            return false;
        bool longer;
        if (r->pairs) {
            longer = (tiles[end] == tiles[end - 2]) & (tiles[end + 1] == tiles[end - 1]);
            fine &= tiles[r->start] != tiles[r->start + 1];
        } else {
            longer = tiles[end] == tiles[end - 1];
        }
        fine &= !longer | (r->count == LONGEST);
    }
    return fine;
}

static void to_little_endian(uint16_t *tiles)
{
    const uint16_t one = 1;
    uint8_t first;

    memcpy(&first, &one, 1);
    for (uint32_t i = 0; !first && i < LVL_TILES; i++)
        lvl_store_u16le((uint8_t *)&tiles[i], tiles[i]);
}

void lvl_packets_decode(lvl_bytes in, unsigned bits, uint16_t *tiles, lvl_packets_result *result)
{
    const unsigned top = 1U << (bits - 1);
    struct stream s = stream_of(in, bits);
    struct runs runs;
    uint32_t at = 0;
    unsigned odd = 0;

    runs.count = 0;
    while (at < LVL_TILES) {
        if (!has_packet(&s)) {
            odd |= LVL_PACKETS_CUT;
            break;
        }
        const unsigned packet = packet_at(&s, s.bit);
        if (!(packet & top)) {
            tiles[at++] = (uint16_t)(packet | MARK);
            s.bit += bits;
        } else if (!take_run(&s, packet, tiles, &at, &runs, &odd)) {
            odd |= LVL_PACKETS_CUT;
            break;
        }
    }
    bool alone = settle_alone(tiles, at);
    for (uint32_t i = at; i < LVL_TILES; i++)
        tiles[i] = LVL_GRAAL_ABSENT;
    for (uint32_t i = 0; i < LVL_PACKETS_SLACK; i++)
        tiles[LVL_TILES + i] = NO_TILE;
    if (odd & LVL_PACKETS_CUT) {
        result->used = in.len;
    } else {
        result->used = (size_t)((s.bit + 7) / 8);
        if (s.bit & 7 && in.ptr[result->used - 1] >> (s.bit & 7))
            odd |= LVL_PACKETS_BITS;
    }
    if (odd || !alone || !original_runs(tiles, &runs))
        odd |= LVL_PACKETS_OTHER;
    to_little_endian(tiles);
    result->tiles = at;
    result->odd = odd;
}

void lvl_packets_tell(lvl_bytes in, unsigned bits, void (*tell)(void *user, const lvl_packet *packet),
                      void *user)
{
    const unsigned top = 1U << (bits - 1);
    struct stream s = stream_of(in, bits);
    unsigned control = 0, got = 0;
    uint32_t at = 0;

    while (at < LVL_TILES && has_packet(&s)) {
        const unsigned value = packet_at(&s, s.bit);
        const lvl_packet packet = {s.bit, bits, (value & top) != 0, value, at};
        tell(user, &packet);
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
        tell(user, &rest);
    }
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------------- */

struct packer {
    lvl_buffer *out;
    uint64_t held;
    unsigned have, bits;
};

static void put_packet(struct packer *p, unsigned packet)
{
    p->held |= (uint64_t)packet << p->have;
    p->have += p->bits;
    while (p->have >= 8) {
        lvl_buffer_u8(p->out, (uint8_t)p->held);
        p->held >>= 8;
        p->have -= 8;
    }
}

/* How often the `step` tiles at `at` come one after the other, up to the longest run that is made. */
static uint32_t run_at(const uint16_t *tiles, uint32_t at, uint32_t step)
{
    uint32_t n = 1;

    while (n < LONGEST && at + (n + 1) * step <= LVL_TILES &&
           memcmp(tiles + at, tiles + at + n * step, step * sizeof *tiles) == 0)
        n++;
    return n;
}

void lvl_packets_encode(lvl_buffer *out, const uint8_t *tiles, unsigned bits)
{
    struct packer p = {out, 0, 0, bits};
    uint16_t t[LVL_TILES];

    for (uint32_t i = 0; i < LVL_TILES; i++)
        t[i] = lvl_load_u16le(tiles + (size_t)i * 2);
    for (uint32_t i = 0; i < LVL_TILES;) {
        const unsigned top = 1U << (bits - 1);
        uint32_t n = i < ALONE ? run_at(t, i, 1) : 1;
        if (n >= 2) {
            put_packet(&p, top | n);
            put_packet(&p, t[i]);
            i += n;
            continue;
        }
        n = i < ALONE ? run_at(t, i, 2) : 1;
        if (n >= 2) {
            put_packet(&p, top | PAIRS | n);
            put_packet(&p, t[i]);
            put_packet(&p, t[i + 1]);
            i += 2 * n;
            continue;
        }
        put_packet(&p, t[i++]);
    }
    if (p.have)
        lvl_buffer_u8(out, (uint8_t)p.held);
}
