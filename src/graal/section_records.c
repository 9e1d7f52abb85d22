/*
 * graal/section_records.c: the records of a binary level's sections, line by line, both ways.
 */
#include "graal/section_records.h"

#include "codec/json.h"
#include "graal/graal_signs.h"

#include <math.h>
#include <string.h>

static void add_part(lvl_line_parts *parts, size_t member, size_t from, size_t to)
{
    if (!parts)
        return;
    if (!from)
        parts->count = 0;
    parts->list[parts->count].member = member;
    parts->list[parts->count].from = from;
    parts->list[parts->count].len = to - from;
    parts->count++;
}

static lvl_text slice(lvl_text t, size_t from, size_t to)
{
    return (lvl_text){t.ptr + from, to - from};
}

static const char *find_byte(lvl_text t, char c)
{
    return t.len ? memchr(t.ptr, c, t.len) : NULL;
}

static int32_t byte_at(lvl_text t, size_t at, int32_t less)
{
    return at < t.len ? (int32_t)(uint8_t)t.ptr[at] - less : 0;
}

/* ---- kinds of lines ---------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

#define SECTION(T, member, table_, since_, name_, end_, note_)                                         \
    {                                                                                                  \
        .list = offsetof(lvl_graal, member), .before = offsetof(T, before), .line = offsetof(T, line), \
        .table = &(table_), .since = (since_), .name = (name_), .end = (end_), .end_note = (note_)     \
    }

const lvl_section_kind lvl_sections[LVL_SECTIONS] = {
    [LVL_LINKS] = SECTION(lvl_graal_link, links, lvl_graal_link_table, 0, "links", "#\n", "end of the links"),
    [LVL_BADDIES] = SECTION(lvl_graal_baddy, baddies, lvl_graal_baddy_table, 0, "baddies", "\xFF\xFF\xFF\n",
                            "end of the baddies"),
    [LVL_NPCS] =
        SECTION(lvl_graal_npc, npcs, lvl_graal_npc_table, LVL_GR_V1_00, "NPCs", "#\n", "end of the NPCs"),
    [LVL_CHESTS] = SECTION(lvl_graal_chest, chests, lvl_graal_chest_table, LVL_GR_V1_01, "chests", "#\n",
                           "end of the chests"),
    [LVL_SIGNS] = SECTION(lvl_graal_sign, signs, lvl_graal_sign_table, 0, "signs", "", NULL),
};

bool lvl_section_line(int section, lvl_text in, size_t *at, lvl_text *line)
{
    /* a baddy's three bytes may be anything, so its line end is looked for behind them */
    const size_t head = section == LVL_BADDIES ? LVL_BADDY_LEAST : 0;
    const size_t from = *at, body = in.len - from < head ? in.len : from + head;
    const char *end = body < in.len ? memchr(in.ptr + body, '\n', in.len - body) : NULL;

    *line = (lvl_text){in.ptr + from, (end ? (size_t)(end - in.ptr) : in.len) - from};
    *at += line->len + (end != NULL);
    return end != NULL;
}

bool lvl_line_ends(int section, lvl_text line)
{
    if (section == LVL_BADDIES)
        return line.len >= LVL_BADDY_LEAST && memcmp(line.ptr, "\xFF\xFF\xFF", LVL_BADDY_LEAST) == 0;
    return section != LVL_SIGNS && line.len == 1 && line.ptr[0] == '#';
}

bool lvl_line_describe(int section, lvl_text line)
{
    size_t i = 0;

    switch (section) {
    case LVL_BADDIES: return true;
    case LVL_LINKS:
        while (i < line.len && is_blank(line.ptr[i]))
            i++;
        return i < line.len;
    case LVL_CHESTS: return line.len >= 1;
    default: return line.len >= 2; /* places of NPCs and signs */
    }
}

/* ---- numbers of links -------------------------------------------------------------------------------- */

/* Z3-V1.02 and Z3-V1.03 write a place as Java does: always with a fraction. */
static bool wants_point(unsigned version)
{
    return version <= LVL_Z3_V1_03;
}

static void put_place(lvl_buffer *out, unsigned version, double value)
{
    const size_t from = out->len;

    lvl_json_real(out, value);
    if (wants_point(version) && out->status == LVL_OK && !memchr(out->data + from, '.', out->len - from) &&
        !memchr(out->data + from, 'e', out->len - from))
        lvl_buffer_str(out, ".0");
}

/* A buffer over memory of the caller's that is large enough for whatever will be put there. */
static lvl_buffer buffer_over(uint8_t *room, size_t size)
{
    return (lvl_buffer){.data = room, .cap = size, .max = size};
}

enum { REAL = 40 /* bytes that a real takes at most */ };

/* A place that isn't of the simple kind: is it a number, and is it put as we would? */
static unsigned odd_place(lvl_text word, unsigned version, double *out)
{
    uint8_t room[REAL];
    lvl_buffer again = buffer_over(room, sizeof room);

    if (!lvl_real_parse(word, out)) {
        *out = 0;
        return LVL_LINE_KEEP | LVL_LINE_BAD;
    }
    put_place(&again, version, *out);
    return again.len == word.len && memcmp(again.data, word.ptr, word.len) == 0 ? 0 : LVL_LINE_KEEP;
}

/* Up to three digits and at most one behind a point are read at once: nearly all are. */
static unsigned parse_place(lvl_text word, unsigned version, double *out)
{
    unsigned value = 0;
    size_t i = 0;

    for (; i < word.len && word.ptr[i] >= '0' && word.ptr[i] <= '9'; i++)
        value = value * 10 + (unsigned)(word.ptr[i] - '0');
    if (i < 1 || i > 3 || (word.ptr[0] == '0' && i > 1))
        return odd_place(word, version, out);
    *out = value;
    if (i == word.len)
        return wants_point(version) ? LVL_LINE_KEEP : 0;
    if (i + 2 != word.len || word.ptr[i] != '.' || word.ptr[i + 1] < '0' || word.ptr[i + 1] > '9')
        return odd_place(word, version, out);
    if (word.ptr[i + 1] == '0')
        return wants_point(version) ? 0 : LVL_LINE_KEEP;
    *out = (value * 10 + (unsigned)(word.ptr[i + 1] - '0')) / 10.0;
    return 0;
}

/* ---- links ------------------------------------------------------------------------------------------- */

enum { WORDS = 6 }; /* behind the name */

static unsigned parse_link(lvl_text line, unsigned version, lvl_graal_link *out, lvl_line_parts *parts)
{
    static const size_t members[WORDS] = {offsetof(lvl_graal_link, x),      offsetof(lvl_graal_link, y),
                                          offsetof(lvl_graal_link, width),  offsetof(lvl_graal_link, height),
                                          offsetof(lvl_graal_link, dest_x), offsetof(lvl_graal_link, dest_y)};
    lvl_text words[WORDS];
    unsigned found = 0;
    size_t end = line.len;

    /* from the right, since a name may hold blanks */
    for (int i = WORDS - 1; i >= 0; i--) {
        size_t to = end, from;
        while (to && is_blank(line.ptr[to - 1]))
            to--;
        for (from = to; from && !is_blank(line.ptr[from - 1]);)
            from--;
        words[i] = slice(line, from, to);
        /* one space behind a word, none behind the last */
        if (end - to != (i < WORDS - 1) || (end > to && line.ptr[to] != ' '))
            found |= LVL_LINE_KEEP;
        end = from;
    }
    size_t name = end;
    while (name && is_blank(line.ptr[name - 1]))
        name--;
    if (!name) {
        /* a place of zeros leads there, so that it can be said */
        size_t to = line.len;
        while (to && is_blank(line.ptr[to - 1]))
            to--;
        out->level = slice(line, 0, to);
        out->dest_x = out->dest_y = (lvl_text){"0", 1};
        add_part(parts, offsetof(lvl_graal_link, level), 0, line.len);
        return LVL_LINE_KEEP | LVL_LINE_BAD;
    }
    if (end - name != 1 || line.ptr[name] != ' ')
        found |= LVL_LINE_KEEP;
    out->level = slice(line, 0, name);
    found |= parse_place(words[0], version, &out->x);
    found |= parse_place(words[1], version, &out->y);
    found |= parse_place(words[2], version, &out->width);
    found |= parse_place(words[3], version, &out->height);
    out->dest_x = words[4];
    out->dest_y = words[5];
    if (parts) {
        add_part(parts, offsetof(lvl_graal_link, level), 0, end);
        for (int i = 0; i < WORDS; i++) {
            size_t from = (size_t)(words[i].ptr - line.ptr);
            add_part(parts, members[i], from,
                     i + 1 < WORDS ? (size_t)(words[i + 1].ptr - line.ptr) : line.len);
        }
    }
    return found;
}

static bool same_real(const double *a, const double *b)
{
    return memcmp(a, b, sizeof *a) == 0; /* NOLINT: -0 is not 0 here */
}

static bool same_link(const lvl_graal_link *a, const lvl_graal_link *b)
{
    return lvl_text_equal(a->level, b->level) && same_real(&a->x, &b->x) && same_real(&a->y, &b->y) &&
           same_real(&a->width, &b->width) && same_real(&a->height, &b->height) &&
           lvl_text_equal(a->dest_x, b->dest_x) && lvl_text_equal(a->dest_y, b->dest_y);
}

static const char *put_link(lvl_buffer *out, unsigned version, const lvl_graal_link *link)
{
    const size_t from = out->len;
    const double places[] = {link->x, link->y, link->width, link->height};
    lvl_graal_link again;

    if (link->layer || link->dest_layer)
        return "a link's layer";
    lvl_buffer_add(out, link->level.ptr, link->level.len);
    for (int i = 0; i < 4; i++) {
        if (!isfinite(places[i]))
            return "a position that is not a number";
        lvl_buffer_u8(out, ' ');
        put_place(out, version, places[i]);
    }
    lvl_buffer_u8(out, ' ');
    lvl_buffer_add(out, link->dest_x.ptr, link->dest_x.len);
    lvl_buffer_u8(out, ' ');
    lvl_buffer_add(out, link->dest_y.ptr, link->dest_y.len);
    if (out->status != LVL_OK)
        return NULL;
    const lvl_text line = {(const char *)out->data + from, out->len - from};
    memset(&again, 0, sizeof again);
    if (!link->level.len)
        return "a link without the name of a level";
    if (find_byte(line, '\n'))
        return "a line end in a link";
    if (parse_link(line, version, &again, NULL) || !same_link(link, &again))
        return "a destination with blanks or without a word, or a level's name that ends in a blank";
    return NULL;
}

/* ---- baddies ----------------------------------------------------------------------------------------- */

static unsigned parse_baddy(lvl_text line, unsigned version, lvl_graal_baddy *out, lvl_line_parts *parts)
{
    lvl_text *const verses[] = {&out->attack, &out->hurt, &out->win};
    static const size_t members[] = {offsetof(lvl_graal_baddy, attack), offsetof(lvl_graal_baddy, hurt),
                                     offsetof(lvl_graal_baddy, win)};
    size_t from = LVL_BADDY_LEAST;
    unsigned cuts = 0;

    out->x = byte_at(line, 0, 0);
    out->y = byte_at(line, 1, 0);
    out->type = byte_at(line, 2, 0);
    for (size_t i = 0; i < LVL_BADDY_LEAST; i++) {
        static const size_t places[] = {offsetof(lvl_graal_baddy, x), offsetof(lvl_graal_baddy, y),
                                        offsetof(lvl_graal_baddy, type)};
        if (i < line.len)
            add_part(parts, places[i], i, i + 1);
    }
    if (line.len < LVL_BADDY_LEAST)
        return LVL_LINE_KEEP | LVL_LINE_BAD;
    if (version <= LVL_Z3_V1_03 && line.len > from) {
        /* so early no verses are looked for */
        add_part(parts, offsetof(lvl_graal_baddy, line), from, line.len);
        return LVL_LINE_KEEP | LVL_LINE_BAD;
    }
    if (line.len == from)
        return version <= LVL_Z3_V1_03   ? 0
               : version == LVL_Z3_V1_04 ? LVL_LINE_KEEP
                                         : LVL_LINE_KEEP | LVL_LINE_BAD;
    for (int i = 0; i < 3; i++) {
        const char *cut = i < 2 ? find_byte(slice(line, from, line.len), '\\') : NULL;
        size_t to = cut ? (size_t)(cut - line.ptr) : line.len;
        *verses[i] = slice(line, from, to);
        cuts += cut != NULL;
        to += cut != NULL;
        if (to > from)
            add_part(parts, members[i], from, to);
        from = to;
    }
    return cuts < 2 ? LVL_LINE_KEEP | LVL_LINE_BAD : 0;
}

static const char *put_baddy(lvl_buffer *out, unsigned version, const lvl_graal_baddy *baddy)
{
    const int32_t bytes[] = {baddy->x, baddy->y, baddy->type};
    const lvl_text verses[] = {baddy->attack, baddy->hurt, baddy->win};
    bool end = true;

    if (baddy->layer)
        return "a baddy's layer";
    for (int i = 0; i < 3; i++) {
        if (bytes[i] < 0 || bytes[i] > 255)
            return i < 2 ? "a place outside 0 to 255" : "a baddy of an unknown type";
        lvl_buffer_u8(out, (uint8_t)bytes[i]);
        end = end && bytes[i] == 255;
        if (version <= LVL_Z3_V1_03 && verses[i].len)
            return "a baddy's verses";
        if (find_byte(verses[i], '\n') || (i < 2 && find_byte(verses[i], '\\')))
            return "a line end or a backslash in a verse";
    }
    if (end)
        return "a baddy of type 255 at 255, 255, which is the end mark";
    for (int i = 0; i < 3 && version > LVL_Z3_V1_03; i++) {
        if (i)
            lvl_buffer_u8(out, '\\');
        lvl_buffer_add(out, verses[i].ptr, verses[i].len);
    }
    return NULL;
}

/* ---- NPCs -------------------------------------------------------------------------------------------- */

static unsigned parse_npc(lvl_text line, char **room, lvl_graal_npc *out, lvl_line_parts *parts)
{
    out->x = byte_at(line, 0, LVL_PLACE);
    out->y = byte_at(line, 1, LVL_PLACE);
    if (line.len)
        add_part(parts, offsetof(lvl_graal_npc, x), 0, 1);
    if (line.len > 1)
        add_part(parts, offsetof(lvl_graal_npc, y), 1, 2);
    if (line.len < 2)
        return LVL_LINE_KEEP | LVL_LINE_BAD;
    const char *hash = find_byte(slice(line, 2, line.len), '#');
    size_t image = hash ? (size_t)(hash - line.ptr) : line.len;
    out->image = slice(line, 2, image);
    if (image + (hash != NULL) > 2)
        add_part(parts, offsetof(lvl_graal_npc, image), 2, image + (hash != NULL));
    if (!hash)
        return LVL_LINE_KEEP | LVL_LINE_BAD;
    const lvl_text script = slice(line, image + 1, line.len);
    if (script.len) {
        char *const to = *room;
        for (size_t i = 0; i < script.len; i++)
            to[i] = (uint8_t)script.ptr[i] == LVL_SCRIPT_LINE ? '\n' : script.ptr[i];
        out->script = (lvl_text){to, script.len};
        *room += script.len;
        add_part(parts, offsetof(lvl_graal_npc, script), image + 1, line.len);
    }
    return 0;
}

/* Appends a place as a byte; false if it isn't one, or one that ends the line. */
static bool put_byte(lvl_buffer *out, double value)
{
    if (!(value >= -LVL_PLACE && value <= 255 - LVL_PLACE) || value != floor(value) ||
        value == '\n' - LVL_PLACE)
        return false;
    lvl_buffer_u8(out, (uint8_t)((int)value + LVL_PLACE));
    return true;
}

static const char *put_npc(lvl_buffer *out, const lvl_graal_npc *npc)
{
    if (npc->layer)
        return "an NPC's layer";
    if (!put_byte(out, npc->x) || !put_byte(out, npc->y))
        return "a position that is not a whole number from -32 to 223, or is -22";
    if (find_byte(npc->image, '#') || find_byte(npc->image, '\n'))
        return "a # or a line end in an image's name";
    if (find_byte(npc->script, (char)LVL_SCRIPT_LINE))
        return "a byte 0xA7 in a script, which ends a line there";
    lvl_buffer_add(out, npc->image.ptr, npc->image.len);
    lvl_buffer_u8(out, '#');
    const size_t from = out->len;
    lvl_buffer_add(out, npc->script.ptr, npc->script.len);
    for (size_t i = from; out->status == LVL_OK && i < out->len; i++) {
        if (out->data[i] == '\n')
            out->data[i] = LVL_SCRIPT_LINE;
    }
    return NULL;
}

/* ---- chests ------------------------------------------------------------------------------------------ */

static unsigned parse_chest(lvl_text line, lvl_graal_chest *out, lvl_line_parts *parts)
{
    static const size_t members[] = {offsetof(lvl_graal_chest, x), offsetof(lvl_graal_chest, y),
                                     offsetof(lvl_graal_chest, item), offsetof(lvl_graal_chest, sign)};

    out->x = byte_at(line, 0, LVL_PLACE);
    out->y = byte_at(line, 1, LVL_PLACE);
    out->item = byte_at(line, 2, LVL_PLACE);
    out->sign = line.len > 3 ? byte_at(line, 3, LVL_PLACE) : -1;
    for (size_t i = 0; i < 4 && i < line.len; i++)
        add_part(parts, members[i], i, i < 3 ? i + 1 : line.len);
    return line.len == 4 ? 0 : LVL_LINE_KEEP | LVL_LINE_BAD;
}

static const char *put_chest(lvl_buffer *out, const lvl_graal_chest *chest)
{
    if (chest->layer)
        return "a chest's layer";
    if (!put_byte(out, chest->x) || !put_byte(out, chest->y))
        return "a chest's position outside -32 to 223, or -22";
    /* numbers without a name are said too: stale lines read as chests have any */
    if (!put_byte(out, chest->item))
        return "a chest's item outside -32 to 223, or -22";
    if (!put_byte(out, chest->sign))
        return "a chest's sign outside -32 to 223, or -22";
    return NULL;
}

/* ---- signs ------------------------------------------------------------------------------------------- */

static unsigned parse_sign(lvl_text line, unsigned version, char **room, lvl_graal_sign *out,
                           lvl_line_parts *parts)
{
    bool exact;

    out->x = byte_at(line, 0, LVL_PLACE);
    out->y = byte_at(line, 1, LVL_PLACE);
    if (line.len)
        add_part(parts, offsetof(lvl_graal_sign, x), 0, 1);
    if (line.len > 1)
        add_part(parts, offsetof(lvl_graal_sign, y), 1, 2);
    if (line.len < 2)
        return LVL_LINE_KEEP | LVL_LINE_BAD;
    if (line.len == 2)
        return 0;
    add_part(parts, offsetof(lvl_graal_sign, text), 2, line.len);
    out->text.ptr = *room;
    out->text.len = lvl_sign_decode(lvl_sign_era_of(version), slice(line, 2, line.len), *room, &exact);
    /* in letters this is the line HEIGHTS: what can't be written again is not what a damaged sign says */
    if (!exact && version >= LVL_GR_V1_04 && out->x == 'H' - LVL_PLACE && out->y == 'E' - LVL_PLACE &&
        lvl_text_is(out->text, "pno0z"))
        out->text.len = 0;
    *room += out->text.len;
    return exact ? 0 : LVL_LINE_KEEP;
}

static const char *put_sign(lvl_buffer *out, unsigned version, const lvl_graal_sign *sign)
{
    static const char heights[] = "HEIGHTS";
    const size_t from = out->len, n = sizeof heights - 1;

    if (sign->layer)
        return "a sign's layer";
    if (!put_byte(out, sign->x) || !put_byte(out, sign->y))
        return "a sign's position outside -32 to 223, or -22";
    lvl_sign_encode(out, lvl_sign_era_of(version), sign->text, NULL);
    if (version >= LVL_GR_V1_04 && out->status == LVL_OK && out->len - from == n &&
        memcmp(out->data + from, heights, n) == 0)
        return "a sign whose encoded text is HEIGHTS";
    return NULL;
}

/* ---- any of them ------------------------------------------------------------------------------------- */

unsigned lvl_section_parse(int section, lvl_text line, unsigned version, char **room, void *record,
                           lvl_line_parts *parts)
{
    switch (section) {
    case LVL_LINKS: return parse_link(line, version, record, parts);
    case LVL_BADDIES: return parse_baddy(line, version, record, parts);
    case LVL_NPCS: return parse_npc(line, room, record, parts);
    case LVL_CHESTS: return parse_chest(line, record, parts);
    default: return parse_sign(line, version, room, record, parts);
    }
}

size_t lvl_section_room(int section, lvl_text line)
{
    return section == LVL_NPCS ? line.len : section == LVL_SIGNS ? lvl_sign_room(line) : 0;
}

const char *lvl_section_put(int section, unsigned version, const void *record, lvl_buffer *out)
{
    switch (section) {
    case LVL_LINKS: return put_link(out, version, record);
    case LVL_BADDIES: return put_baddy(out, version, record);
    case LVL_NPCS: return put_npc(out, record);
    case LVL_CHESTS: return put_chest(out, record);
    default: return put_sign(out, version, record);
    }
}

/* ---- heights ----------------------------------------------------------------------------------------- */

enum { ROW = 9 };

static void put_heights(lvl_buffer *out, const double *heights, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        lvl_json_real(out, heights[i]);
        lvl_buffer_u8(out, i % ROW == ROW - 1 || i + 1 == count ? '\n' : ',');
    }
}

const char *lvl_heights_lines(lvl_buffer *out, const double *heights, uint32_t count)
{
    if (!count)
        return NULL;
    if (count > LVL_GRAAL_HEIGHTS)
        return "more than 81 heights";
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(heights[i]))
            return "a height that is not a number";
    }
    lvl_buffer_str(out, "HEIGHTS\n");
    put_heights(out, heights, count);
    lvl_buffer_str(out, "HEIGHTSEND\n");
    return NULL;
}

uint32_t lvl_heights_parse(lvl_text body, double *out, uint32_t max, bool *keep)
{
    uint8_t room[LVL_GRAAL_HEIGHTS * REAL];
    lvl_buffer again = buffer_over(room, sizeof room);
    uint32_t count = 0;

    for (size_t i = 0; i < body.len;) {
        double height;
        size_t to = i;
        while (to < body.len && body.ptr[to] != ',' && body.ptr[to] != '\n' && !is_blank(body.ptr[to]))
            to++;
        if (to > i && lvl_real_parse(slice(body, i, to), &height)) {
            if (count < max)
                out[count] = height;
            count++;
        }
        i = to + 1;
    }
    put_heights(&again, out, count < max ? count : max);
    *keep = !count || again.len != body.len || memcmp(again.data, body.ptr, body.len) != 0;
    return count;
}
