/*
 * codec/jpeg_blocks.c: see jpeg_blocks.h. The transform is Z. Wang's ("Fast algorithms for the discrete W
 * transform and for the discrete Fourier transform", 1984) in the fixed point of the MPEG Software Simulation
 * Group's decoder, as in Go's image/jpeg. Other decoders round differently: most pixels differ by a step or
 * two.
 */
#include "codec/jpeg_blocks.h"

/* How a pass rounds: its first coefficient is shifted left and has a bias added; products are shifted right
 * by `fall`, results by `end`. */
typedef struct rounding {
    int raise, fall, end;
    int64_t half;
} rounding;

/* One row or column, whose coefficients are `step` apart. */
static void transform(int64_t *s, size_t step, const rounding *r)
{
    /* 2048 times the square root of two times the cosine of k sixteenths of pi; 256 over the root of two */
    enum { W1 = 2841, W2 = 2676, W3 = 2408, W5 = 1609, W6 = 1108, W7 = 565, ROOT = 181 };
    const int64_t add = ((int64_t)1 << r->fall) >> 1;
    const int64_t first = s[0] * ((int64_t)1 << r->raise) + r->half;
    const int64_t fourth = s[4 * step] * ((int64_t)1 << r->raise);
    const int64_t s1 = s[step], s2 = s[2 * step], s3 = s[3 * step], s5 = s[5 * step], s6 = s[6 * step],
                  s7 = s[7 * step];

    const int64_t p17 = W7 * (s1 + s7) + add, p35 = W3 * (s5 + s3) + add, p26 = W6 * (s2 + s6) + add;
    const int64_t a1 = (p17 + (W1 - W7) * s1) >> r->fall, a7 = (p17 - (W1 + W7) * s7) >> r->fall;
    const int64_t a5 = (p35 - (W3 - W5) * s5) >> r->fall, a3 = (p35 - (W3 + W5) * s3) >> r->fall;
    const int64_t a6 = (p26 - (W2 + W6) * s6) >> r->fall, a2 = (p26 + (W2 - W6) * s2) >> r->fall;

    const int64_t sum = first + fourth, difference = first - fourth;
    const int64_t b0 = sum + a2, b3 = sum - a2, b1 = difference + a6, b2 = difference - a6;
    const int64_t c0 = a1 + a5, c3 = a7 + a3, d1 = a1 - a5, d2 = a7 - a3;
    const int64_t c1 = (ROOT * (d1 + d2) + 128) >> 8, c2 = (ROOT * (d1 - d2) + 128) >> 8;

    s[0] = (b0 + c0) >> r->end;
    s[step] = (b1 + c1) >> r->end;
    s[2 * step] = (b2 + c2) >> r->end;
    s[3 * step] = (b3 + c3) >> r->end;
    s[4 * step] = (b3 - c3) >> r->end;
    s[5 * step] = (b2 - c2) >> r->end;
    s[6 * step] = (b1 - c1) >> r->end;
    s[7 * step] = (b0 - c0) >> r->end;
}

void lvl_jpeg_block(const int16_t coefficients[64], const uint16_t steps[64], uint8_t *out, size_t stride)
{
    static const rounding along = {11, 0, 8, 128}, down = {8, 3, 14, 8192};
    int64_t s[64];

    for (size_t i = 0; i < 64; i++)
        s[i] = (int64_t)coefficients[i] * steps[i];
    for (size_t y = 0; y < 8; y++)
        transform(s + y * 8, 1, &along);
    for (size_t x = 0; x < 8; x++)
        transform(s + x, 8, &down);
    for (size_t i = 0; i < 64; i++) {
        const int64_t v = s[i] + 128;
        out[i / 8 * stride + i % 8] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

static uint8_t byte_of(int32_t v)
{
    return (uint8_t)(v < 0 ? 0 : v >= 1 << 24 ? 255 : v >> 16);
}

void lvl_jpeg_color(uint8_t y, uint8_t cb, uint8_t cr, uint8_t rgb[3])
{
    const int32_t light = y * 0x10101, b = cb - 128, r = cr - 128;

    rgb[0] = byte_of(light + 91881 * r);
    rgb[1] = byte_of(light - 22554 * b - 46802 * r);
    rgb[2] = byte_of(light + 116130 * b);
}
