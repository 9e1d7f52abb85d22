/*
 * wap32/wwd/recover.c: finds the records of a damaged main block.
 *
 * An object is 284 bytes and four texts, so after a wrong text length or a damaged object the position of the
 * next one is unknown. It is found by properties of objects: short texts of printable characters, a logic
 * that begins with a letter, flags of at most 16 bits, and another object after it. All of the 1.2 million
 * known objects are well within these limits.
 */
#include "wap32/wwd/book.h"
#include "wap32/wwd/recover.h"

#include "base/cursor.h"

enum { MAX_TEXT = LVL_WWD_STRING_MAX, MAX_FLAGS = 0xFFFF };
enum { NAME, LOGIC, IMAGE_SET, ANIMATION };

uint64_t lvl_wwd_record_size(const uint8_t *bytes, uint64_t left, uint32_t text[4])
{
    uint64_t size = LVL_WWD_OBJECT_SIZE;

    if (left < size)
        return 0;
    for (size_t i = 0; i < 4; i++) {
        text[i] = lvl_load_u32le(bytes + offsetof(lvl_wwd_object, name_size) + i * 4);
        size += text[i];
    }
    return size <= left ? size : 0;
}

static bool is_text(const uint8_t *s, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++) {
        if (s[i] < 0x20 || s[i] == 0x7F)
            return false;
    }
    return true;
}

/* WapMap may append data to a name: a NUL, a size, and that many bytes. */
static bool is_name(const uint8_t *s, uint32_t len)
{
    const uint8_t *nul = len ? memchr(s, 0, len) : NULL;

    if (!nul)
        return is_text(s, len);
    const uint32_t text = (uint32_t)(nul - s), data = len - text - 1;
    return data >= 4 && lvl_load_u32le(nul + 1) == data - 4 && is_text(s, text);
}

static bool has_sane_flags(const uint8_t *object)
{
    return lvl_load_u32le(object + offsetof(lvl_wwd_object, add_flags)) <= MAX_FLAGS &&
           lvl_load_u32le(object + offsetof(lvl_wwd_object, dynamic_flags)) <= MAX_FLAGS &&
           lvl_load_u32le(object + offsetof(lvl_wwd_object, draw_flags)) <= MAX_FLAGS;
}

static bool has_texts(const uint8_t *texts, const uint32_t len[4])
{
    if (!is_name(texts, len[NAME]))
        return false;
    texts += len[NAME];
    for (size_t i = LOGIC; i <= ANIMATION; i++) {
        if (!is_text(texts, len[i]))
            return false;
        texts += len[i];
    }
    return true;
}

/* Whether the bytes at `at` look like an object; *size gets its size. */
static bool is_plausible(const lvl_wwd_scan *scan, uint64_t at, uint64_t *size, uint32_t len[4])
{
    const uint8_t *s = scan->block + at;

    *size = lvl_wwd_record_size(s, scan->end - at, len);
    for (size_t i = NAME; *size && i <= ANIMATION; i++) {
        if (len[i] > MAX_TEXT)
            return false;
    }
    return *size && has_sane_flags(s) && lvl_work_charge(scan->work, *size - LVL_WWD_OBJECT_SIZE + 1) &&
           has_texts(s + LVL_WWD_OBJECT_SIZE, len);
}

/* Whether another object or the end is at `at`. Zeros look like an object without texts, so such an object
 * must be followed by one with texts or by the end. */
static bool object_or_end(const lvl_wwd_scan *scan, uint64_t at)
{
    uint32_t len[4];
    uint64_t size;

    for (int empty = 0; empty < 2; empty++) {
        if (at == scan->end)
            return true;
        if (!is_plausible(scan, at, &size, len))
            return false;
        if (size > LVL_WWD_OBJECT_SIZE)
            return true;
        at += size;
    }
    return false;
}

/* Whether an object with a logic begins at `at`, and another object (or the end) follows it. */
static bool is_object(const lvl_wwd_scan *scan, uint64_t at)
{
    uint32_t len[4];
    uint64_t size;

    if (!is_plausible(scan, at, &size, len) || !len[LOGIC])
        return false;
    const uint8_t first = (uint8_t)(scan->block[at + LVL_WWD_OBJECT_SIZE + len[NAME]] | 0x20);
    return first >= 'a' && first <= 'z' && object_or_end(scan, at + size);
}

bool lvl_wwd_begins_objects(const lvl_wwd_scan *scan, uint64_t at)
{
    uint32_t len[4];
    uint64_t size;

    /* the first objects may have no logic */
    for (; is_plausible(scan, at, &size, len); at += size) {
        if (is_object(scan, at))
            return true;
    }
    return false;
}

/* The next object at or after `at`; the scan's end if there is none. */
static uint64_t find_object(const lvl_wwd_scan *scan, uint64_t at)
{
    for (; at + LVL_WWD_OBJECT_SIZE <= scan->end && lvl_work_charge(scan->work, 1); at++) {
        if (is_object(scan, at))
            return at;
    }
    return scan->end;
}

static bool is_key(const uint8_t *s, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++) {
        if (!(s[i] >= 'A' && s[i] <= 'Z') && !(s[i] >= '0' && s[i] <= '9') && s[i] != '_')
            return false;
    }
    return true;
}

/* How well texts of these lengths fit an object; 0: not at all. */
static unsigned rate_texts(const uint8_t *texts, const uint32_t len[4])
{
    const uint8_t *logic = texts + len[NAME], *image_set = logic + len[LOGIC];
    const uint8_t *animation = image_set + len[IMAGE_SET];

    if (!has_texts(texts, len))
        return 0;
    return 1u + (lvl_wwd_is_logic((lvl_text){(const char *)logic, len[LOGIC]}) ? 4u : 0u) +
           (is_key(image_set, len[IMAGE_SET]) ? 2u : 0u) + (is_key(animation, len[ANIMATION]) ? 1u : 0u);
}

/* Corrects one text length of the object at `at` so that it ends at `next`, choosing the length that gives
 * the best texts. False if no choice gives texts better than `most`. */
static bool correct_lengths(const lvl_wwd_scan *scan, uint64_t at, uint64_t next, unsigned most,
                            uint32_t best[4])
{
    const uint8_t *s = scan->block + at;
    const unsigned least = most;
    uint32_t declared[4];

    if (next - at < LVL_WWD_OBJECT_SIZE || next - at > LVL_WWD_OBJECT_SIZE + 4 * MAX_TEXT ||
        !has_sane_flags(s))
        return false;
    const uint64_t available = next - at - LVL_WWD_OBJECT_SIZE;
    lvl_wwd_record_size(s, LVL_WWD_OBJECT_SIZE, declared);
    for (size_t wrong = NAME; wrong <= ANIMATION; wrong++) {
        uint32_t len[4];
        uint64_t others = 0;
        memcpy(len, declared, sizeof len);
        for (size_t i = NAME; i <= ANIMATION; i++)
            others += i == wrong ? 0 : len[i];
        if (others > available)
            continue;
        len[wrong] = (uint32_t)(available - others);
        const unsigned points = rate_texts(s + LVL_WWD_OBJECT_SIZE, len);
        if (points > most) {
            most = points;
            memcpy(best, len, sizeof len);
        }
    }
    return most > least;
}

bool lvl_wwd_next_object(const lvl_wwd_scan *scan, uint64_t at, lvl_wwd_found *found)
{
    uint64_t size;

    if (at >= scan->end)
        return false;
    const uint64_t left = scan->end - at;
    const uint64_t declared = lvl_wwd_record_size(scan->block + at, left, found->text);
    found->kind = LVL_WWD_FOUND_OBJECT;
    found->size = declared;
    const bool plausible = is_plausible(scan, at, &size, found->text);
    if (plausible && object_or_end(scan, at + declared))
        return true;
    const uint64_t next =
        left > LVL_WWD_OBJECT_SIZE ? find_object(scan, at + LVL_WWD_OBJECT_SIZE) : scan->end;
    const bool sure = next < scan->end || scan->sure_end;
    /* unusual texts but matching lengths; or this object is complete and the next one is damaged */
    if ((declared && next == at + declared) ||
        (plausible && (!sure || next >= at + declared + LVL_WWD_OBJECT_SIZE)))
        return true;
    found->size = next - at;
    /* the bytes after the last object may be a gap, unless they are text */
    unsigned points =
        plausible && next == scan->end ? rate_texts(scan->block + at + LVL_WWD_OBJECT_SIZE, found->text) : 0;
    if (points && is_text(scan->block + at + declared, (uint32_t)(next - at - declared)))
        points--;
    if (sure && correct_lengths(scan, at, next, points, found->text)) {
        found->kind = LVL_WWD_FOUND_LENGTHS;
        return true;
    }
    if (plausible) {
        found->size = declared;
        return true;
    }
    found->kind = LVL_WWD_FOUND_JUNK;
    return sure;
}

bool lvl_wwd_tiles_shape(const lvl_wwd_plane *plane, uint64_t cells, uint64_t *wide, uint64_t *high)
{
    const int64_t columns = plane->tiles_wide, rows = plane->tiles_high;
    const int64_t wide_px = plane->tile_width > 0 ? plane->width_px / plane->tile_width : 0;
    const int64_t high_px = plane->tile_height > 0 ? plane->height_px / plane->tile_height : 0;
    const int64_t pairs[][2] = {{wide_px, high_px}, {columns, 0}, {0, rows}, {wide_px, 0}, {0, high_px}};

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint64_t w = pairs[i][0] > 0 ? (uint64_t)pairs[i][0] : 0,
                 h = pairs[i][1] > 0 ? (uint64_t)pairs[i][1] : 0;
        /* 0: computed from the other number */
        if (!w && h && i)
            w = cells / h;
        else if (w && !h && i)
            h = cells / w;
        if (w && h && w <= INT32_MAX && h <= INT32_MAX && w * h == cells) {
            *wide = w;
            *high = h;
            return true;
        }
    }
    return false;
}
