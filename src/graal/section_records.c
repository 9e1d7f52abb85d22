/*
 * graal/section_records.c: the records of a binary level's sections, line by line, both ways.
 */
#include "graal/section_records.h"

#include "base/buffer.h"
#include "codec/json.h"
#include "codec/words.h"
#include "graal/graal_signs.h"

#include <math.h>
#include <string.h>

static lvl_text slice(lvl_text t, size_t from, size_t to)
{
    return (lvl_text){t.ptr + from, to - from};
}

static const char *find_byte(lvl_text t, char c)
{
    return t.len ? memchr(t.ptr, c, t.len) : NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* ---- descriptions ------------------------------------------------------------------------------------ */

typedef enum column_kind {
    NAME,       /* of a link: what stands before its words */
    NUMBER,     /* a word of a link: double */
    WORD,       /* another: lvl_text */
    BYTE,       /* int32_t */
    PLACE,      /* int32_t; the byte is LVL_PLACE more */
    PLACE_REAL, /* double; the same */
    TEXT,       /* lvl_text, up to `end` */
    SCRIPT,     /* lvl_text, the rest of the line; SCRIPT_LINE stands for a line end */
    SIGN        /* lvl_text, the rest of the line, in cells */
} column_kind;

enum { SCRIPT_LINE = 0xA7 };

/* A member of a record in its line. */
typedef struct lvl_column {
    size_t member;
    column_kind kind;
    char end;        /* TEXT: the byte that ends it; 0: it is the rest of the line */
    const char *why; /* what it cannot represent */
} lvl_column;

#define TOO_FAR "a position or number that is not a whole number from -32 to 223, or is -22"

static const lvl_column link_columns[] = {
    {offsetof(lvl_graal_link, level), NAME, 0,
     "a link without the name of a level, or one that ends in a blank"},
    {offsetof(lvl_graal_link, x), NUMBER, 0, "a position that is not a number"},
    {offsetof(lvl_graal_link, y), NUMBER, 0, "a position that is not a number"},
    {offsetof(lvl_graal_link, width), NUMBER, 0, "a size that is not a number"},
    {offsetof(lvl_graal_link, height), NUMBER, 0, "a size that is not a number"},
    {offsetof(lvl_graal_link, dest_x), WORD, 0, "a destination with blanks or without a word"},
    {offsetof(lvl_graal_link, dest_y), WORD, 0, "a destination with blanks or without a word"},
};
static const lvl_column baddy_columns[] = {
    {offsetof(lvl_graal_baddy, x), BYTE, 0, "a place outside 0 to 255"},
    {offsetof(lvl_graal_baddy, y), BYTE, 0, "a place outside 0 to 255"},
    {offsetof(lvl_graal_baddy, type), BYTE, 0, "a baddy of an unknown type"},
    {offsetof(lvl_graal_baddy, attack), TEXT, '\\', "a line end or a backslash in a verse"},
    {offsetof(lvl_graal_baddy, hurt), TEXT, '\\', "a line end or a backslash in a verse"},
    {offsetof(lvl_graal_baddy, win), TEXT, 0, "a line end in a verse"},
};
static const lvl_column npc_columns[] = {
    {offsetof(lvl_graal_npc, x), PLACE_REAL, 0, TOO_FAR},
    {offsetof(lvl_graal_npc, y), PLACE_REAL, 0, TOO_FAR},
    {offsetof(lvl_graal_npc, image), TEXT, '#', "a # or a line end in an image's name"},
    {offsetof(lvl_graal_npc, script), SCRIPT, 0, "a byte 0xA7 in a script, which ends a line there"},
};
static const lvl_column chest_columns[] = {
    {offsetof(lvl_graal_chest, x), PLACE, 0, TOO_FAR},
    {offsetof(lvl_graal_chest, y), PLACE, 0, TOO_FAR},
    {offsetof(lvl_graal_chest, item), PLACE, 0, "a chest's item outside -32 to 223, or -22"},
    {offsetof(lvl_graal_chest, sign), PLACE, 0, "a chest's sign outside -32 to 223, or -22"},
};
static const lvl_column sign_columns[] = {
    {offsetof(lvl_graal_sign, x), PLACE, 0, TOO_FAR},
    {offsetof(lvl_graal_sign, y), PLACE, 0, TOO_FAR},
    {offsetof(lvl_graal_sign, text), SIGN, 0, NULL},
};

#define RECORD(plural, singular)                                                 \
    .list = offsetof(lvl_graal, plural), .table = &lvl_graal_##singular##_table, \
    .columns = singular##_columns, .column_count = LVL_COUNT_OF(singular##_columns)

const lvl_section_kind lvl_sections[LVL_SECTIONS] = {
    [LVL_LINKS] = {RECORD(links, link), .least = sizeof "a 0 0 0 0 0 0" - 1, .name = "links", .end = "#\n",
                   .end_note = "end of the links"},
    [LVL_BADDIES] = {RECORD(baddies, baddy), .least = LVL_BADDY_LEAST, .name = "baddies",
                     .end = "\xFF\xFF\xFF\n", .end_note = "end of the baddies"},
    [LVL_NPCS] = {RECORD(npcs, npc), .since = LVL_GR_V1_00, .least = 2, .name = "NPCs", .end = "#\n",
                  .end_note = "end of the NPCs"},
    [LVL_CHESTS] = {RECORD(chests, chest), .since = LVL_GR_V1_01, .least = 4, .name = "chests", .end = "#\n",
                    .end_note = "end of the chests"},
    [LVL_SIGNS] = {RECORD(signs, sign), .least = 2, .name = "signs", .end = ""},
};

/* Whether the records of a version have that member. */
static bool has_column(int section, const lvl_column *c, unsigned version)
{
    return section != LVL_BADDIES || c->kind == BYTE || version > LVL_Z3_V1_03;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

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

/* ---- reading ----------------------------------------------------------------------------------------- */

static void store(void *record, const lvl_column *c, const void *value, size_t size)
{
    memcpy((uint8_t *)record + c->member, value, size);
}

static void store_text(void *record, const lvl_column *c, lvl_text value)
{
    store(record, c, &value, sizeof value);
}

static void add_part(lvl_line_parts *parts, const lvl_column *c, size_t from, size_t to)
{
    if (!parts || to == from)
        return;
    parts->list[parts->count].member = c->member;
    parts->list[parts->count].from = from;
    parts->list[parts->count++].len = to - from;
}

/* Nearly all are small whole numbers. */
static bool parse_number(lvl_text word, double *out)
{
    int32_t small;

    if (!lvl_small_int(word.ptr, word.ptr + word.len, &small))
        return lvl_real_parse(word, out);
    *out = small;
    return true;
}

static unsigned parse_link(lvl_text line, void *record, lvl_line_parts *parts)
{
    enum { COLUMNS = LVL_COUNT_OF(link_columns) };
    lvl_text words[COLUMNS];
    size_t end = line.len;

    /* from the right, since a name may hold blanks */
    for (int i = COLUMNS - 1; i >= 0; i--) {
        size_t to = end, from;
        while (to && is_blank(line.ptr[to - 1]))
            to--;
        for (from = to; i && from && !is_blank(line.ptr[from - 1]);)
            from--;
        words[i] = i ? slice(line, from, to) : (lvl_text){line.ptr, to};
        if (!words[i].len)
            return LVL_LINE_NONE;
        end = from;
    }
    for (int i = 0; i < COLUMNS; i++) {
        const lvl_column *c = &link_columns[i];
        double number;
        if (c->kind != NUMBER)
            store_text(record, c, words[i]);
        else if (parse_number(words[i], &number))
            store(record, c, &number, sizeof number);
        else
            return LVL_LINE_NONE;
        add_part(parts, c, (size_t)(words[i].ptr - line.ptr),
                 i + 1 < COLUMNS ? (size_t)(words[i + 1].ptr - line.ptr) : line.len);
    }
    return 0;
}

/* A script, as long as its bytes in the line. */
static lvl_text decode_script(lvl_text in, char **room)
{
    char *const to = *room;

    for (size_t i = 0; i < in.len; i++)
        to[i] = (uint8_t)in.ptr[i] == SCRIPT_LINE ? '\n' : in.ptr[i];
    *room += in.len;
    return (lvl_text){to, in.len};
}

static lvl_text decode_sign(lvl_text line, size_t at, unsigned version, char **room, unsigned *found)
{
    lvl_text text = {*room, 0};
    bool exact;

    text.len = lvl_sign_decode(lvl_sign_era_of(version), slice(line, at, line.len), *room, &exact);
    if (exact) {
        *room += text.len;
        return text;
    }
    *found |= LVL_LINE_BAD;
    /* in letters this is the line HEIGHTS: what can't be written again is not what a damaged sign says */
    if (version >= LVL_GR_V1_04 && line.ptr[0] == 'H' && line.ptr[1] == 'E' && lvl_text_is(text, "pno0z"))
        text.len = 0;
    *room += text.len;
    return text;
}

unsigned lvl_section_parse(int section, lvl_text line, unsigned version, char **room, void *record,
                           lvl_line_parts *parts)
{
    const lvl_section_kind *kind = &lvl_sections[section];
    unsigned found = 0;
    size_t at = 0;

    if (line.len < kind->least)
        return LVL_LINE_NONE;
    if (section == LVL_LINKS)
        return parse_link(line, record, parts);
    for (unsigned i = 0; i < kind->column_count; i++) {
        const lvl_column *c = &kind->columns[i];
        const size_t from = at;
        if (!has_column(section, c, version))
            continue;
        if (c->kind == BYTE || c->kind == PLACE) {
            const int32_t value = (uint8_t)line.ptr[at++] - (c->kind == PLACE ? LVL_PLACE : 0);
            store(record, c, &value, sizeof value);
        } else if (c->kind == PLACE_REAL) {
            const double value = (uint8_t)line.ptr[at++] - LVL_PLACE;
            store(record, c, &value, sizeof value);
        } else {
            const char *end = c->end ? find_byte(slice(line, at, line.len), c->end) : NULL;
            const size_t to = end ? (size_t)(end - line.ptr) : line.len;
            found |= c->end && !end ? LVL_LINE_BAD : 0;
            at = to + (end != NULL);
            if (to > from)
                store_text(record, c,
                           c->kind == SCRIPT ? decode_script(slice(line, from, to), room)
                           : c->kind == SIGN ? decode_sign(line, from, version, room, &found)
                                             : slice(line, from, to));
        }
        add_part(parts, c, from, at);
    }
    if (section == LVL_BADDIES && version == LVL_Z3_V1_04 && line.len == LVL_BADDY_LEAST)
        return 0; /* with or without texts */
    return at < line.len ? LVL_LINE_BAD : found;
}

size_t lvl_section_room(int section, lvl_text line)
{
    return section == LVL_NPCS ? line.len : section == LVL_SIGNS ? lvl_sign_room(line) : 0;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* Z3-V1.02 and Z3-V1.03 write a place as Java does: always with a fraction. */
static void put_number(lvl_buffer *out, unsigned version, double value)
{
    const size_t from = out->len;

    lvl_json_real(out, value);
    if (version <= LVL_Z3_V1_03 && out->status == LVL_OK && !memchr(out->data + from, '.', out->len - from) &&
        !memchr(out->data + from, 'e', out->len - from))
        lvl_buffer_str(out, ".0");
}

/* The nearest number that a byte can represent. */
static double near_byte(column_kind kind, double value)
{
    enum { FEED = '\n' - LVL_PLACE }; /* a line feed ends the record */
    const double least = kind == BYTE ? 0 : -LVL_PLACE, most = 255 + least;
    const double v = floor(value + 0.5);

    return !(v >= least) ? least : v > most ? most : kind != BYTE && v == FEED ? v + 1 : v;
}

/* Appends a number as a byte; false if it can't be one. */
static bool put_byte(lvl_buffer *out, column_kind kind, double value)
{
    if (near_byte(kind, value) != value)
        return false;
    lvl_buffer_u8(out, (uint8_t)((int)value + (kind == BYTE ? 0 : LVL_PLACE)));
    return true;
}

void lvl_section_fit(int section, void *record, lvl_fit_fn changed, void *user)
{
    const lvl_section_kind *kind = &lvl_sections[section];

    for (unsigned i = 0; i < kind->column_count; i++) {
        const lvl_column *c = &kind->columns[i];
        const lvl_field *field = lvl_table_at(kind->table, c->member);
        if (c->kind != BYTE && c->kind != PLACE && c->kind != PLACE_REAL)
            continue;
        const bool real = c->kind == PLACE_REAL;
        const double was = real ? lvl_get_real(record, field) : (double)lvl_get_int(record, field);
        const double is = near_byte(c->kind, was == was ? was : 0);
        if (is == was)
            continue;
        changed(user, field, was, is);
        if (real)
            store(record, c, &is, sizeof is);
        else
            lvl_put_int(record, field, (int64_t)is);
    }
}

static void put_script(lvl_buffer *out, lvl_text script)
{
    if (!lvl_buffer_reserve(out, script.len))
        return;
    uint8_t *const to = out->data + out->len;
    for (size_t i = 0; i < script.len; i++)
        to[i] = script.ptr[i] == '\n' ? SCRIPT_LINE : (uint8_t)script.ptr[i];
    out->len += script.len;
}

static bool has_blank(lvl_text text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (is_blank(text.ptr[i]))
            return true;
    }
    return false;
}

/* Appends a member; false if the line cannot have it. */
static bool put_column(lvl_buffer *out, unsigned version, const lvl_column *c, const void *record)
{
    const uint8_t *member = (const uint8_t *)record + c->member;
    int32_t number = 0;
    double real = 0;
    lvl_text text = {NULL, 0};

    switch (c->kind) {
    case BYTE:
    case PLACE: memcpy(&number, member, sizeof number); break;
    case NUMBER:
    case PLACE_REAL: memcpy(&real, member, sizeof real); break;
    default: memcpy(&text, member, sizeof text); break;
    }
    switch (c->kind) {
    case NUMBER:
        if (!isfinite(real))
            return false;
        lvl_buffer_u8(out, ' ');
        put_number(out, version, real);
        return true;
    case BYTE:
    case PLACE: return put_byte(out, c->kind, number);
    case PLACE_REAL: return put_byte(out, c->kind, real);
    case SCRIPT: put_script(out, text); return !find_byte(text, (char)SCRIPT_LINE);
    case SIGN: lvl_sign_encode(out, lvl_sign_era_of(version), text); return true;
    case WORD: lvl_buffer_u8(out, ' '); break;
    case NAME:
    case TEXT: break;
    }
    lvl_buffer_add(out, text.ptr, text.len);
    if (c->end)
        lvl_buffer_u8(out, (uint8_t)c->end);
    return !find_byte(text, '\n') && !(c->end && find_byte(text, c->end)) &&
           (c->kind == TEXT || (text.len && !is_blank(text.ptr[text.len - 1]))) &&
           (c->kind != WORD || !has_blank(text));
}

const char *lvl_section_put(int section, unsigned version, const void *record, lvl_buffer *out)
{
    const lvl_section_kind *kind = &lvl_sections[section];
    const lvl_table *table = kind->table;
    const size_t start = out->len;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->forms && !(f->forms >> version & 1) && lvl_get_int(record, f))
            return "an object's layer";
    }
    for (unsigned i = 0; i < kind->column_count; i++) {
        const lvl_column *c = &kind->columns[i];
        lvl_text text;
        if (has_column(section, c, version)) {
            if (!put_column(out, version, c, record))
                return c->why;
            continue;
        }
        memcpy(&text, (const uint8_t *)record + c->member, sizeof text);
        if (text.len)
            return "a baddy's verses";
    }
    if (out->status != LVL_OK)
        return NULL;
    const lvl_text line = {(const char *)out->data + start, out->len - start};
    if (lvl_line_ends(section, line))
        return "a record that would be read as the end mark of its list";
    if (section == LVL_SIGNS && version >= LVL_GR_V1_04 && lvl_text_is(line, "HEIGHTS"))
        return "a sign whose encoded text is HEIGHTS";
    return NULL;
}

/* ---- heights ----------------------------------------------------------------------------------------- */

const char *lvl_heights_put(lvl_buffer *out, const double *heights, uint32_t count)
{
    enum { ROW = 9 };

    if (!count)
        return NULL;
    if (count > LVL_GRAAL_HEIGHTS)
        return "more than 81 heights";
    lvl_buffer_str(out, "HEIGHTS\n");
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(heights[i]))
            return "a height that is not a number";
        lvl_json_real(out, heights[i]);
        lvl_buffer_u8(out, i % ROW == ROW - 1 || i + 1 == count ? '\n' : ',');
    }
    lvl_buffer_str(out, "HEIGHTSEND\n");
    return NULL;
}

uint32_t lvl_heights_parse(lvl_text body, double *out, uint32_t max)
{
    uint32_t count = 0;

    for (size_t i = 0; i < body.len;) {
        double height;
        size_t to = i;
        while (to < body.len && body.ptr[to] != ',' && body.ptr[to] != '\n' && !is_blank(body.ptr[to]))
            to++;
        if (to > i && !lvl_real_parse(slice(body, i, to), &height))
            break;
        if (to > i && count++ < max)
            out[count - 1] = height;
        i = to + 1;
    }
    return count;
}
