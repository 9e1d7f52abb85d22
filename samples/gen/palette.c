/*
 * The world's 256 colours: ramps from a few colours picked by hand (a coast in the last hour of light: shadows towards indigo, lights
 * towards peach), and the ordered pattern that mixes neighbours of a ramp. Ramps of dithered surfaces come first: the run-length
 * grammar of a PID needs two bytes for a single pixel of index 192 and above.
 */
#include "gen.h"

typedef struct ramp_def {
    int count; /* colours */
    int keys;
    uint32_t key[6]; /* rrggbb, evenly spaced */
} ramp_def;

static const ramp_def ramps[RAMP_COUNT] = {
    [R_SKY] = {22, 6, {0x1d2c5c, 0x35589a, 0x6d93bd, 0xb9b8bd, 0xf2c39a, 0xffe8b4}},
    [R_CLOUD] = {14, 5, {0x6c6590, 0x9a83a3, 0xd3a5a2, 0xf6cfae, 0xfff4dc}},
    [R_SEA] = {16, 6, {0x0c1a38, 0x153a5e, 0x236884, 0x4b9aa0, 0xa5d2bd, 0xfaf6e0}},
    [R_ISLE] = {8, 3, {0x46527f, 0x7d7f9f, 0xc9a8a4}},
    [R_HEAD] = {12, 4, {0x222a4a, 0x3c4d68, 0x66757c, 0xb8a898}},
    [R_STONE] = {20, 6, {0x0e0d1c, 0x24233c, 0x464860, 0x777784, 0xb0a698, 0xf0dfbe}},
    [R_GRASS] = {16, 5, {0x0b1d22, 0x1c4534, 0x3f7a3a, 0x8fae42, 0xeae07c}},
    [R_WOOD] = {14, 5, {0x1a0f14, 0x45261f, 0x7f4a2c, 0xb98047, 0xf0cc8a}},
    [R_PLASTER] = {14, 4, {0x3f4064, 0x8a83a0, 0xdcc4b4, 0xfff6e2}},
    [R_RED] = {14, 5, {0x25091f, 0x64142a, 0xa82a30, 0xdd5a3e, 0xffb27c}},
    [R_LEAF] = {8, 3, {0x050c18, 0x0d2430, 0x1c4a48}},
    [R_ROPE] = {6, 3, {0x2c1d1c, 0x8c6a45, 0xe6cf96}},
    [R_EARTH] = {8, 3, {0x1c1118, 0x54352c, 0x9a6c4a}},
    [R_STEEL] = {10, 4, {0x10121e, 0x3b4560, 0x8493a8, 0xeff4f2}},
    [R_GOLD] = {10, 5, {0x3a1a10, 0x8c4a14, 0xd8921e, 0xfcd24a, 0xfffbc8}},
    [R_FIRE] = {10, 4, {0x8c1c14, 0xf0681c, 0xffc83c, 0xfffde0}},
    [R_SKIN] = {8, 3, {0x5c2a28, 0xc07a58, 0xffd8ae}},
    [R_CLOTH] = {10, 4, {0x2a2a48, 0x6f7090, 0xbcbac4, 0xffffff}},
    [R_BLUE] = {10, 4, {0x0a1038, 0x1e3c90, 0x3c86d8, 0xc8f0ff}},
    [R_GREEN] = {8, 4, {0x04261c, 0x0c6a3c, 0x34c060, 0xd8ffc0}},
    [R_PURPLE] = {8, 4, {0x1c0a30, 0x58268a, 0xa660d0, 0xf6d0ff}},
    [R_CORAL] = {8, 4, {0x33101e, 0x983228, 0xe8744a, 0xffd8a8}},
};

static int ramp_base(ramp r)
{
    int base = 1;
    for (int i = 0; i < (int)r; i++)
        base += ramps[i].count;
    return base;
}

void gen_palette(uint8_t rgb[256][3])
{
    for (int i = 0; i < 256; i++)
        rgb[i][0] = rgb[i][1] = rgb[i][2] = 0;
    for (int r = 0; r < RAMP_COUNT; r++) {
        const ramp_def *def = &ramps[r];
        const int base = ramp_base((ramp)r);
        for (int i = 0; i < def->count; i++) {
            const int at = i * (def->keys - 1) * 1024 / (def->count - 1);
            const int k = at >= (def->keys - 1) * 1024 ? def->keys - 2 : at / 1024;
            for (int ch = 0; ch < 3; ch++) {
                const int a = (int)(def->key[k] >> (16 - 8 * ch)) & 255;
                const int b = (int)(def->key[k + 1] >> (16 - 8 * ch)) & 255;
                rgb[base + i][ch] = (uint8_t)gen_mix(a, b, at - k * 1024);
            }
        }
    }
    rgb[INK][0] = 0x0a;
    rgb[INK][1] = 0x08;
    rgb[INK][2] = 0x14;
}

uint8_t gen_color(ramp r, int shade, int x, int y, int dither)
{
    static const int8_t bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const int count = ramps[r].count;
    const int pattern =
        (2 * bayer[y & 3][x & 3] - 15) * dither / 32; /* under half a step each way, at 1024 */
    const int at = gen_clamp(shade, 0, SHADE_MAX) * (count - 1) * 1024 / SHADE_MAX + pattern + 512;
    return (uint8_t)(ramp_base(r) + gen_clamp(at / 1024, 0, count - 1));
}

uint8_t gen_flat(ramp r, int shade)
{
    return gen_color(r, shade, 0, 0, 0);
}

bool gen_ramp_of(uint8_t index, ramp *r, int *shade)
{
    int base = 1;
    for (int i = 0; i < RAMP_COUNT; base += ramps[i++].count) {
        if (index >= base && index < base + ramps[i].count) {
            *r = (ramp)i;
            *shade = (index - base) * SHADE_MAX / (ramps[i].count - 1);
            return true;
        }
    }
    return false;
}
