/*
 * graal/level/section_records.c: reads and writes the records of a binary level's sections: links by words,
 * as in text levels, all others by columns.
 */
#include "graal/level/section_records.h"

#include "base/buffer.h"
#include "codec/json.h"
#include "graal/level/graal_level.h"
#include "graal/level/graal_signs.h"

#include <math.h>
#include <string.h>

static lvl_text slice_text(lvl_text t, size_t from, size_t to)
{
    return (lvl_text){t.ptr + from, to - from};
}

static const char *find_byte(lvl_text t, char c)
{
    return t.len ? memchr(t.ptr, c, t.len) : NULL;
}

/* ---- descriptions ------------------------------------------------------------------------------------ */

typedef enum column_kind {
    BYTE, /* int32_t */
    PLACE, /* int32_t; stored as a byte plus LVL_PLACE */
    PLACE_REAL, /* double; stored as a byte plus LVL_PLACE */
    TEXT, /* lvl_text, up to `end` */
    SCRIPT, /* lvl_text, the rest of the line, with SCRIPT_LINE for line breaks */
    SIGN /* lvl_text, the rest of the line, in cells */
} column_kind;

enum { SCRIPT_LINE = 0xA7 };

/* A member in a record's line. */
typedef struct lvl_column {
    size_t member;
    column_kind kind;
    char end; /* TEXT: the byte that ends it; 0: the rest of the line */
    const char *why; /* describes values that it cannot represent */
} lvl_column;

#define TOO_FAR "a position or number that is not a whole number from -32 to 223, or is -22"

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

#define LIST(plural, singular) .list = offsetof(lvl_graal, plural), .table = &lvl_graal_##singular##_table
#define RECORD(plural, singular) \
    LIST(plural, singular), .columns = singular##_columns, .column_count = LVL_COUNT_OF(singular##_columns)

const lvl_section_kind lvl_sections[LVL_SECTIONS] = {
    [LVL_LINKS] = {LIST(links, link), .least = sizeof "a 0 0 0 0 0 0" - 1, .name = "links", .end = "#\n",
                   .end_note = "end of the links"},
    [LVL_BADDIES] = {RECORD(baddies, baddy), .least = LVL_BADDY_LEAST, .name = "baddies",
                     .end = "\xFF\xFF\xFF\n", .end_note = "end of the baddies"},
    [LVL_NPCS] = {RECORD(npcs, npc), .since = LVL_GR_V1_00, .least = 2, .name = "NPCs", .end = "#\n",
                  .end_note = "end of the NPCs"},
    [LVL_CHESTS] = {RECORD(chests, chest), .since = LVL_GR_V1_01, .least = 4, .name = "chests", .end = "#\n",
                    .end_note = "end of the chests"},
    [LVL_SIGNS] = {RECORD(signs, sign), .least = 2, .name = "signs", .end = ""},
};

/* Whether records of that version have the member. */
static bool has_column(int section, const lvl_column *c, unsigned version)
{
    return section != LVL_BADDIES || c->kind == BYTE || version > LVL_Z3_V1_03;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

void lvl_section_lines_init(lvl_section_lines *lines, unsigned version)
{
    lines->version = version;
    lvl_line_form_of(LVL_GRAAL_LINK_WORDS, &lvl_graal_link_table, &lines->link);
}

bool lvl_section_line(int section, lvl_text in, size_t *at, lvl_text *line)
{
    /* one of the first bytes of a baddy may equal a line feed */
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

static void add_part(lvl_line_parts *parts, size_t member, size_t from, size_t to)
{
    if (!parts || to == from)
        return;
    parts->list[parts->count].member = member;
    parts->list[parts->count].from = from;
    parts->list[parts->count++].len = to - from;
}

static unsigned parse_link(const lvl_line_form *form, lvl_text line, void *record, lvl_line_parts *parts)
{
    lvl_text found[LVL_MEMBERS];
    unsigned problems;

    lvl_line_read(form, NULL, line, record, &problems, found);
    if (problems)
        return LVL_LINE_NONE;
    for (unsigned i = 0; i < form->count && parts; i++) {
        const size_t from = i ? (size_t)(found[i].ptr - line.ptr) : 0;
        const size_t to = i + 1 < form->count ? (size_t)(found[i + 1].ptr - line.ptr) : line.len;
        add_part(parts, form->member[i].field->offset, from, to);
    }
    return 0;
}

static lvl_text decode_script(lvl_text in, char **storage)
{
    char *const to = *storage;

    for (size_t i = 0; i < in.len; i++)
        to[i] = (uint8_t)in.ptr[i] == SCRIPT_LINE ? '\n' : in.ptr[i];
    *storage += in.len;
    return (lvl_text){to, in.len};
}

static lvl_text decode_sign(lvl_text line, size_t at, unsigned version, char **storage, unsigned *found)
{
    lvl_text text = {*storage, 0};
    bool exact;

    text.len = lvl_sign_decode(lvl_sign_era_of(version), slice_text(line, at, line.len), *storage, &exact);
    *found |= exact ? 0 : LVL_LINE_BAD;
    *storage += text.len;
    return text;
}

unsigned lvl_section_parse(const lvl_section_lines *lines, int section, lvl_text line, char **storage,
                           void *record, lvl_line_parts *parts)
{
    const lvl_section_kind *kind = &lvl_sections[section];
    const unsigned version = lines->version;
    unsigned found = 0;
    size_t at = 0;

    if (line.len < kind->least)
        return LVL_LINE_NONE;
    if (!kind->columns)
        return parse_link(&lines->link, line, record, parts);
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
            const char *end = c->end ? find_byte(slice_text(line, at, line.len), c->end) : NULL;
            const size_t to = end ? (size_t)(end - line.ptr) : line.len;
            found |= c->end && !end ? LVL_LINE_BAD : 0;
            at = to + (end != NULL);
            if (to > from)
                store_text(record, c,
                           c->kind == SCRIPT ? decode_script(slice_text(line, from, to), storage)
                           : c->kind == SIGN ? decode_sign(line, from, version, storage, &found)
                                             : slice_text(line, from, to));
        }
        add_part(parts, c->member, from, at);
    }
    if (section == LVL_BADDIES && version == LVL_Z3_V1_04 && line.len == LVL_BADDY_LEAST)
        return 0; /* its texts are optional */
    return at < line.len ? LVL_LINE_BAD : found;
}

size_t lvl_section_text_size(int section, lvl_text line)
{
    return section == LVL_NPCS ? line.len : section == LVL_SIGNS ? lvl_sign_max_text(line) : 0;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* Appends the line of a link; false if it would be read as something else. Z3-V1.02 and Z3-V1.03 write
 * numbers like Java, always with a fraction. */
static bool put_link(const lvl_section_lines *lines, const void *record, lvl_buffer *out)
{
    const lvl_line_form *form = &lines->link;
    const size_t start = out->len;
    lvl_graal_link again = {0};

    for (unsigned i = 0; i < form->count; i++) {
        const lvl_field *f = form->member[i].field;
        if (i)
            lvl_buffer_u8(out, ' ');
        if (f->kind == LVL_TEXT) {
            const lvl_text text = lvl_get_text(record, f);
            lvl_buffer_add(out, text.ptr, text.len);
            continue;
        }
        const size_t from = out->len;
        lvl_put_real_word(out, lvl_get_real(record, f));
        if (out->status != LVL_OK)
            return true;
        const lvl_text word = {(const char *)out->data + from, out->len - from};
        if (lines->version <= LVL_Z3_V1_03 && !find_byte(word, '.') && !find_byte(word, 'e'))
            lvl_buffer_str(out, ".0");
    }
    if (out->status != LVL_OK)
        return true;
    const lvl_text line = {(const char *)out->data + start, out->len - start};
    return !find_byte(line, '\n') && !parse_link(form, line, &again, NULL) &&
           lvl_line_equal(form, record, &again);
}

/* The nearest number that a byte can represent. */
static double near_byte(column_kind kind, double value)
{
    enum { FEED = '\n' - LVL_PLACE }; /* a line feed ends the record */
    const double least = kind == BYTE ? 0 : -LVL_PLACE, most = 255 + least;
    const double v = floor(value + 0.5);

    return !(v >= least) ? least : v > most ? most : kind != BYTE && v == FEED ? v + 1 : v;
}

/* Appends a number as a byte; false if no byte can represent it. */
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

/* Appends a member; false if the line cannot represent it. */
static bool put_column(lvl_buffer *out, unsigned version, const lvl_column *c, const void *record)
{
    const uint8_t *member = (const uint8_t *)record + c->member;
    int32_t number = 0;
    double real = 0;
    lvl_text text = {NULL, 0};

    switch (c->kind) {
    case BYTE:
    case PLACE: memcpy(&number, member, sizeof number); return put_byte(out, c->kind, number);
    case PLACE_REAL: memcpy(&real, member, sizeof real); return put_byte(out, c->kind, real);
    default: memcpy(&text, member, sizeof text); break;
    }
    if (c->kind == SCRIPT) {
        put_script(out, text);
        return !find_byte(text, (char)SCRIPT_LINE);
    }
    if (c->kind == SIGN) {
        lvl_sign_encode(out, lvl_sign_era_of(version), text);
        return true;
    }
    lvl_buffer_add(out, text.ptr, text.len);
    if (c->end)
        lvl_buffer_u8(out, (uint8_t)c->end);
    return !find_byte(text, '\n') && !(c->end && find_byte(text, c->end));
}

const char *lvl_section_put(const lvl_section_lines *lines, int section, const void *record, lvl_buffer *out)
{
    const lvl_section_kind *kind = &lvl_sections[section];
    const unsigned version = lines->version;
    const lvl_table *table = kind->table;
    const size_t start = out->len;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->forms && !(f->forms >> version & 1) && lvl_get_int(record, f))
            return f->name;
    }
    if (!kind->columns && !put_link(lines, record, out))
        return "a link without the name of a level, with blanks in a destination or at either end of the "
               "name, or with a number that is not finite";
    for (unsigned i = 0; kind->columns && i < kind->column_count; i++) {
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
    /* this sign would end the signs: a byte that is not a character makes it a different line with the same
     * meaning */
    if (section == LVL_SIGNS && version >= LVL_GR_V1_04 && lvl_text_is(line, "HEIGHTS"))
        lvl_buffer_u8(out, '\r');
    return NULL;
}

/* Appends the columns of a record, unchanged ones as in `old`. */
static void respell_columns(const lvl_section_lines *lines, int section, lvl_text old, const void *was,
                            const void *record, lvl_buffer *out)
{
    const lvl_section_kind *kind = &lvl_sections[section];
    lvl_buffer storage = {0};
    lvl_section_record read;
    lvl_line_parts parts = {0};

    memset(&read, 0, sizeof read);
    if (!lvl_buffer_reserve(&storage, lvl_section_text_size(section, old))) {
        out->status = storage.status;
        return;
    }
    char *texts = (char *)storage.data;
    lvl_section_parse(lines, section, old, &texts, &read, &parts);
    for (unsigned i = 0, k = 0; i < kind->column_count; i++) {
        const lvl_column *c = &kind->columns[i];
        const bool spelled = k < parts.count && parts.list[k].member == c->member;
        if (spelled && lvl_member_equal(was, record, lvl_table_at(kind->table, c->member)))
            lvl_buffer_add(out, old.ptr + parts.list[k].from, parts.list[k].len);
        else if (has_column(section, c, lines->version))
            put_column(out, lines->version, c, record);
        k += spelled;
    }
    lvl_buffer_free(&storage);
}

/* Whether reading a line gives the record. */
static bool reads_as(const lvl_section_lines *lines, int section, lvl_text line, const void *record,
                     lvl_buffer *storage)
{
    lvl_section_record read;

    memset(&read, 0, sizeof read);
    if (line.len < lvl_sections[section].least ||
        find_byte(slice_text(line, section == LVL_BADDIES ? LVL_BADDY_LEAST : 0, line.len), '\n') ||
        lvl_line_ends(section, line) || !lvl_buffer_reserve(storage, lvl_section_text_size(section, line)))
        return false;
    char *texts = (char *)storage->data;
    return !(lvl_section_parse(lines, section, line, &texts, &read, NULL) & LVL_LINE_NONE) &&
           lvl_record_equal(&read, record, lvl_sections[section].table);
}

void lvl_section_respell(const lvl_section_lines *lines, int section, lvl_text old, const void *record,
                         size_t from, lvl_buffer *out)
{
    lvl_buffer canonical = {0}, spelled = {0}, storage = {0}, old_texts = {0};
    lvl_section_record was;

    memset(&was, 0, sizeof was);
    if (!lvl_buffer_reserve(&old_texts, lvl_section_text_size(section, old) + 1)) {
        out->status = old_texts.status;
        return;
    }
    char *texts = (char *)old_texts.data;
    if (lvl_section_parse(lines, section, old, &texts, &was, NULL) & LVL_LINE_NONE) {
        lvl_buffer_free(&old_texts);
        return;
    }
    if (lvl_sections[section].columns) {
        respell_columns(lines, section, old, &was, record, &spelled);
    } else if (put_link(lines, &was.link, &canonical)) {
        lvl_words_patch(old, (lvl_text){(const char *)canonical.data, canonical.len},
                        (lvl_text){(const char *)out->data + from, out->len - from}, &spelled);
    }
    const lvl_status status = canonical.status != LVL_OK ? canonical.status : spelled.status;
    const lvl_text line = {(const char *)spelled.data, spelled.len};
    if (status != LVL_OK) {
        out->status = status;
    } else if (line.len && reads_as(lines, section, line, record, &storage)) {
        out->len = from;
        lvl_buffer_add(out, line.ptr, line.len);
    } else if (storage.status != LVL_OK) {
        out->status = storage.status;
    }
    lvl_buffer_free(&old_texts);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&spelled);
    lvl_buffer_free(&canonical);
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

uint32_t lvl_heights_parse(lvl_text body, double *out, uint32_t max, size_t *end)
{
    uint32_t count = 0;
    size_t i = 0;

    while (i < body.len) {
        double height;
        size_t to = i;
        while (to < body.len && body.ptr[to] != ',' && body.ptr[to] != '\n' && !lvl_is_blank(body.ptr[to]))
            to++;
        if (to > i && !lvl_real_parse(slice_text(body, i, to), &height))
            break;
        if (to > i && count++ < max)
            out[count - 1] = height;
        i = to + 1;
    }
    *end = i < body.len ? i : body.len;
    return count;
}
