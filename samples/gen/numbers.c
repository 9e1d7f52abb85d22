/*
 * Numbers for the generator: hashes, roots, sines and noise, all in integers, so that every machine draws the same pixels.
 */
#include "gen.h"

uint32_t gen_hash(int x, int y, int seed)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)seed * 0xc2b2ae3du;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    h ^= h >> 15;
    return h;
}

int gen_isqrt(int64_t value)
{
    int64_t root = 0, bit = (int64_t)1 << 40;
    if (value <= 0)
        return 0;
    while (bit > value)
        bit >>= 2;
    for (; bit; bit >>= 2) {
        if (value >= root + bit) {
            value -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (int)root;
}

/* Bhaskara's rational sine; off by less than two thousandths, which no pixel here can see. */
int gen_sin(int angle)
{
    const int a = gen_mod(angle, 1024);
    const int64_t half = a < 512 ? a : a - 512;
    const int64_t p = half * (512 - half);
    const int s = (int)(p * 16 * 1024 / ((int64_t)SQUARE_ONE * 5 / 4 - 4 * p));
    return a < 512 ? s : -s;
}

int gen_cos(int angle)
{
    return gen_sin(angle + 256);
}

int gen_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

int gen_mix(int a, int b, int t)
{
    return a + (b - a) * t / 1024;
}

int gen_smooth(int from, int to, int value)
{
    int t = from == to ? (value < from ? 0 : 1024) : (int)((int64_t)(value - from) * 1024 / (to - from));
    t = gen_clamp(t, 0, 1024);
    return (int)((int64_t)t * t * (3072 - 2 * t) / SQUARE_ONE);
}

int gen_mod(int value, int by)
{
    const int r = value % by;
    return r < 0 ? r + by : r;
}

static int lattice(int x, int y, int nx, int ny, int seed)
{
    return (int)(gen_hash(gen_mod(x, nx), gen_mod(y, ny), seed) & 1023);
}

int gen_noise(int x, int y, int sx, int sy, int nx, int ny, int seed)
{
    const int px = gen_mod(x, sx * nx), py = gen_mod(y, sy * ny);
    const int cx = px / sx, cy = py / sy;
    const int tx = gen_smooth(0, sx, px % sx), ty = gen_smooth(0, sy, py % sy);
    const int top = gen_mix(lattice(cx, cy, nx, ny, seed), lattice(cx + 1, cy, nx, ny, seed), tx);
    const int low = gen_mix(lattice(cx, cy + 1, nx, ny, seed), lattice(cx + 1, cy + 1, nx, ny, seed), tx);
    return gen_mix(top, low, ty);
}

int gen_fbm(int x, int y, int size, int wx, int wy, int seed)
{
    int sum = 0, weight = 8;
    for (int octave = 0; octave < 4 && size >= 2; octave++, size /= 2, weight /= 2) {
        const int nx = wx / size > 0 ? wx / size : 1, ny = wy / size > 0 ? wy / size : 1;
        sum += weight * gen_noise(x, y, size, size, nx, ny, seed + octave * 17);
    }
    return sum / 15;
}
