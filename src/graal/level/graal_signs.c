/*
 * graal/level/graal_signs.c: encodes and decodes sign texts.
 */
#include "graal/level/graal_signs.h"
#include "base/buffer.h"

#include <string.h>

enum {
    CELLS = 97,
    FIRST = 32, /* byte of cell 0 */
    HEAD = 74, /* two cells wide */
    HASH = 86,
    HEART = 87 /* two cells wide */
};

/* The character of a byte; '#' or NUL: none. */
static const char letters[2][256] = {
    [LVL_SIGN_ZELDA] = "################################"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                       "!?-.,#>()#####\"####'####### <####|\n",
    [LVL_SIGN_GRAAL] = "################################"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                       "!?-.,#>()#####\"####':/~&### <####;\n",
};

/* Codes of cells: '#' and `name`, or one or two cells (`second` 0: one). */
static const struct code {
    char name;
    uint8_t first, second;
    uint8_t eras; /* bit by lvl_sign_era */
} codes[] = {
    {'.', 67, 0, 3},  {'x', 71, 0, 3},     {'y', 72, 0, 3}, {'z', 73, 0, 3},  {'h', HEAD, 75, 3},
    {'u', 77, 0, 3},  {'d', 78, 0, 3},     {'l', 79, 0, 3}, {'r', 80, 0, 3},  {'A', 91, 0, 3},
    {'B', 92, 0, 3},  {'X', 93, 0, 3},     {'Y', 94, 0, 3}, {'1', 82, 83, 1}, {'2', 84, 83, 1},
    {'3', 85, 86, 1}, {'4', HEART, 88, 3},
};

lvl_sign_era lvl_sign_era_of(unsigned version)
{
    return version <= LVL_Z3_V1_04 ? LVL_SIGN_ZELDA : LVL_SIGN_GRAAL;
}

static const struct code *code_named(char name, unsigned eras)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].name == name && codes[i].eras & eras)
            return &codes[i];
    }
    return NULL;
}

static const struct code *code_at(uint8_t first, unsigned eras)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].first == first && codes[i].eras & eras)
            return &codes[i];
    }
    return NULL;
}

/* The cell of a character, or -1; '#' has none. */
static int cell_of(lvl_sign_era era, char c)
{
    const char *at = c == '#' ? NULL : memchr(letters[era] + FIRST, c, CELLS);

    return at ? (int)(at - letters[era]) - FIRST : -1;
}

static void put_cell(lvl_buffer *out, int cell)
{
    lvl_buffer_u8(out, (uint8_t)(FIRST + cell));
}

static void put_number(lvl_buffer *out, uint8_t c)
{
    const int digit = 52;

    put_cell(out, HASH);
    put_cell(out, 'K' - 'A');
    put_cell(out, 69);
    if (c >= 100)
        put_cell(out, digit + c / 100);
    if (c >= 10)
        put_cell(out, digit + c / 10 % 10);
    put_cell(out, digit + c % 10);
    put_cell(out, 70);
}

/* Whether a text begins with "#K(35)" and a character that would be a message code after '#'. */
static bool is_plain_hash(lvl_text t, unsigned eras)
{
    static const char escape[] = "#K(35)";
    const size_t n = sizeof escape - 1;

    return t.len > n && memcmp(t.ptr, escape, n) == 0 && code_named(t.ptr[n], eras);
}

void lvl_sign_encode(lvl_buffer *out, lvl_sign_era era, lvl_text text)
{
    const unsigned eras = 1U << era;

    if (!lvl_buffer_reserve(out, text.len))
        return;
    for (size_t i = 0; i < text.len; i++) {
        const lvl_text rest = {text.ptr + i, text.len - i};
        const int cell = cell_of(era, text.ptr[i]);
        if (cell >= 0) {
            put_cell(out, cell);
            continue;
        }
        if (text.ptr[i] != '#') {
            put_number(out, (uint8_t)text.ptr[i]);
            continue;
        }
        const bool plain = is_plain_hash(rest, eras);
        const struct code *code = !plain && rest.len > 1 ? code_named(rest.ptr[1], eras) : NULL;
        put_cell(out, code ? code->first : HASH);
        if (code && code->second)
            put_cell(out, code->second);
        i += plain ? 5 : code != NULL;
    }
}

size_t lvl_sign_foreign(lvl_sign_era era, lvl_text text, size_t *first)
{
    const unsigned both = 1U << LVL_SIGN_ZELDA | 1U << LVL_SIGN_GRAAL;
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        const bool hash = text.ptr[i] == '#';
        const struct code *code = hash && i + 1 < text.len ? code_named(text.ptr[i + 1], both) : NULL;
        /* Graal resolves codes that are not cells, and draws all characters */
        const bool foreign = code   ? code->eras != both
                             : hash ? era == LVL_SIGN_ZELDA
                                    : era == LVL_SIGN_ZELDA && cell_of(era, text.ptr[i]) < 0;
        if (foreign && !n++)
            *first = i;
    }
    return n;
}

/* ---- cells to text ----------------------------------------------------------------------------------- */

size_t lvl_sign_max_text(lvl_text cells)
{
    size_t most = cells.len * 2;

    /* "#K(35)" is the longest text of one cell */
    for (size_t i = 0; i < cells.len; i++)
        most += cells.ptr[i] == FIRST + HASH ? 4 : 0;
    return most;
}

/* The number of cells of "K(n)" after cell 86, and n, if n is a character without a cell and has no leading
 * zeros; else 0. */
static size_t number_at(lvl_sign_era era, lvl_text cells, uint8_t *n)
{
    const uint8_t *p = (const uint8_t *)cells.ptr;
    const uint8_t zero = FIRST + 52;
    unsigned value = 0;
    size_t i = 2;

    if (cells.len < 4 || p[0] != FIRST + ('K' - 'A') || p[1] != FIRST + 69)
        return 0;
    for (; i < cells.len && p[i] >= zero && p[i] < zero + 10 && value < 256; i++) {
        if (i > 2 && !value) /* a zero before other digits */
            return 0;
        value = value * 10 + (p[i] - zero);
    }
    if (i == 2 || i == cells.len || p[i] != FIRST + 70 || value > 255 || value == '#' ||
        cell_of(era, (char)value) >= 0)
        return 0;
    *n = (uint8_t)value;
    return i + 1;
}

/* Decodes cell 86 and the cells in `rest` that belong to it; returns their number. */
static size_t decode_hash(lvl_sign_era era, lvl_text rest, char **out, bool *exact)
{
    static const char escape[] = "#K(35)";
    const unsigned eras = 1U << era;
    uint8_t n;

    size_t used = number_at(era, rest, &n);
    if (used) {
        *(*out)++ = (char)n;
        return used;
    }
    char next = rest.len ? letters[era][(uint8_t)rest.ptr[0]] : '#';
    if (next != '#' && next && code_named(next, eras)) {
        memcpy(*out, escape, sizeof escape - 1);
        *out += sizeof escape - 1;
        return 0;
    }
    /* "#K(35)" in the file itself, which would be mistaken for the escape above */
    static const char cells[] = {'K' - 'A' + FIRST, 69 + FIRST, 55 + FIRST, 57 + FIRST, 70 + FIRST};
    if (rest.len > sizeof cells && memcmp(rest.ptr, cells, sizeof cells) == 0) {
        next = letters[era][(uint8_t)rest.ptr[sizeof cells]];
        if (next != '#' && next && code_named(next, eras))
            *exact = false;
    }
    *(*out)++ = '#';
    return 0;
}

size_t lvl_sign_decode(lvl_sign_era era, lvl_text cells, char *out, bool *exact)
{
    const char *const table = letters[era];
    char *const start = out;

    *exact = true;
    for (size_t i = 0; i < cells.len; i++) {
        const uint8_t b = (uint8_t)cells.ptr[i];
        const char c = table[b];
        const lvl_text rest = {cells.ptr + i + 1, cells.len - i - 1};
        if (c != '#' && c) {
            *out++ = c;
            continue;
        }
        if (b == FIRST + HASH) {
            i += decode_hash(era, rest, &out, exact);
            continue;
        }
        const struct code *code = b < FIRST ? NULL : code_at((uint8_t)(b - FIRST), 1U << era);
        bool whole = code && (!code->second || (rest.len && (uint8_t)rest.ptr[0] == FIRST + code->second));
        if (!whole) {
            *exact = false;
            continue;
        }
        *out++ = '#';
        *out++ = code->name;
        i += code->second != 0;
    }
    return (size_t)(out - start);
}
