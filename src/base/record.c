/*
 * base/record.c: reads, assigns and compares members of records by their field tables.
 */
#include "base/cursor.h"
#include "base/format.h"
#include "base/record.h"
#include "base/text.h"

#include <lvl/record.h>

#include <stdio.h>

const lvl_field *lvl_table_find(const lvl_table *table, lvl_text name)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (lvl_text_is(name, table->fields[i].name))
            return &table->fields[i];
    }
    return NULL;
}

const lvl_field *lvl_table_at(const lvl_table *table, size_t struct_offset)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].offset == struct_offset)
            return &table->fields[i];
    }
    return NULL;
}

const lvl_field *lvl_member_at(const lvl_table *table, size_t struct_offset, void **record)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_RECORD && struct_offset - f->offset < f->table->struct_size) {
            *record = (uint8_t *)*record + f->offset;
            return lvl_member_at(f->table, struct_offset - f->offset, record);
        }
        if (f->offset == struct_offset)
            return f;
    }
    return NULL;
}

static const uint8_t *member(const void *record, const lvl_field *field)
{
    return (const uint8_t *)record + field->offset;
}

static int64_t load_int(const uint8_t *p, uint32_t size, bool is_signed)
{
    switch (size) {
    case 1: {
        uint8_t v = *p;
        return is_signed ? (int8_t)v : v;
    }
    case 2: {
        uint16_t v;
        memcpy(&v, p, 2);
        return is_signed ? (int16_t)v : v;
    }
    case 4: {
        uint32_t v;
        memcpy(&v, p, 4);
        return is_signed ? (int64_t)(int32_t)v : (int64_t)v;
    }
    default: {
        int64_t v;
        memcpy(&v, p, 8);
        return v;
    }
    }
}

int64_t lvl_get_int(const void *record, const lvl_field *field)
{
    return load_int(member(record, field), field->size, (field->flags & LVL_F_SIGNED) != 0);
}

void lvl_put_int(void *record, const lvl_field *field, int64_t value)
{
    uint8_t *p = (uint8_t *)record + field->offset;

    switch (field->size) {
    case 1: *p = (uint8_t)value; break;
    case 2: {
        uint16_t v = (uint16_t)value;
        memcpy(p, &v, 2);
        break;
    }
    case 4: {
        uint32_t v = (uint32_t)value;
        memcpy(p, &v, 4);
        break;
    }
    default: memcpy(p, &value, 8);
    }
}

bool lvl_int_fits(const lvl_field *field, int64_t value)
{
    unsigned bits = field->size * 8;

    if (bits >= 64)
        return true;
    if (field->flags & LVL_F_SIGNED)
        return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
    return value >= 0 && value < (int64_t)1 << bits;
}

double lvl_get_real(const void *record, const lvl_field *field)
{
    double v;

    memcpy(&v, member(record, field), sizeof v);
    return v;
}

lvl_text lvl_get_text(const void *record, const lvl_field *field)
{
    lvl_text t;

    if (field->flags & LVL_F_SLOT)
        return lvl_text_slot((const char *)member(record, field), field->size);
    memcpy(&t, member(record, field), sizeof t);
    return t;
}

lvl_bytes lvl_get_bytes(const void *record, const lvl_field *field)
{
    lvl_bytes b;

    if (field->flags & LVL_F_SLOT) {
        b.ptr = member(record, field);
        b.len = field->size;
        return b;
    }
    memcpy(&b, member(record, field), sizeof b);
    return b;
}

uint32_t lvl_list_count(const void *record, const lvl_field *field)
{
    uint32_t n;

    memcpy(&n, (const uint8_t *)record + field->count_offset, sizeof n);
    return n;
}

const void *lvl_list_item(const void *record, const lvl_field *field, uint32_t index)
{
    const uint8_t *items;

    memcpy(&items, member(record, field), sizeof items);
    return items + (size_t)index * field->item_size;
}

const void *lvl_get_record(const void *record, const lvl_field *field)
{
    return member(record, field);
}

const lvl_cells *lvl_get_cells(const void *record, const lvl_field *field)
{
    return (const lvl_cells *)(const void *)member(record, field);
}

bool lvl_field_present(const void *record, const lvl_field *field)
{
    const lvl_when *when = &field->when;

    return when->tag_size == 0 ||
           lvl_when_holds(when, load_int((const uint8_t *)record + when->tag_offset, when->tag_size, false));
}

static bool record_is_default(const void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role != LVL_DERIVED && f->role != LVL_KEPT && lvl_field_present(record, f) &&
            !lvl_field_is_default(record, f))
            return false;
    }
    return true;
}

bool lvl_field_is_default(const void *record, const lvl_field *field)
{
    switch (field->kind) {
    case LVL_INT: return lvl_get_int(record, field) == field->def;
    case LVL_REAL: {
        const double zero = 0, v = lvl_get_real(record, field);
        return memcmp(&v, &zero, sizeof v) == 0; /* NOLINT: -0 is not the default */
    }
    case LVL_TEXT: return lvl_get_text(record, field).len == 0;
    case LVL_BYTES: {
        lvl_bytes b = lvl_get_bytes(record, field);
        if (field->flags & LVL_F_SLOT) {
            for (size_t i = 0; i < b.len; i++) {
                if (b.ptr[i])
                    return false;
            }
            return true;
        }
        return b.len == 0;
    }
    case LVL_RECORD: return record_is_default(lvl_get_record(record, field), field->table);
    case LVL_LIST: return lvl_list_count(record, field) == 0;
    case LVL_CELLS: {
        const lvl_cells *c = lvl_get_cells(record, field);
        return c->width == 0 && c->height == 0;
    }
    }
    return false;
}

void lvl_record_init(void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_INT && f->def)
            lvl_put_int(record, f, f->def);
        else if (f->kind == LVL_RECORD)
            lvl_record_init((uint8_t *)record + f->offset, f->table);
    }
}

void lvl_field_reset(void *record, const lvl_field *field)
{
    memset((uint8_t *)record + field->offset, 0, field->size);
    if (field->kind == LVL_INT)
        lvl_put_int(record, field, field->def);
    else if (field->kind == LVL_RECORD)
        lvl_record_init((uint8_t *)record + field->offset, field->table);
    else if (field->kind == LVL_LIST)
        memset((uint8_t *)record + field->count_offset, 0, sizeof(uint32_t));
}

static bool cells_equal(const lvl_cells *a, const lvl_cells *b)
{
    if (a->width != b->width || a->height != b->height || !a->ptr != !b->ptr)
        return false;
    if (!a->ptr)
        return true;
    if (a->size == b->size)
        return memcmp(a->ptr, b->ptr, (size_t)a->width * a->height * a->size) == 0;
    for (uint32_t y = 0; y < a->height; y++) {
        for (uint32_t x = 0; x < a->width; x++) {
            if (lvl_cell(a, x, y) != lvl_cell(b, x, y))
                return false;
        }
    }
    return true;
}

static bool bytes_equal(lvl_bytes a, lvl_bytes b)
{
    if (a.len != b.len || a.len == 0 || a.ptr == b.ptr)
        return a.len == b.len;
    if (!a.ptr || !b.ptr) /* late and not decoded */
        return a.ptr == b.ptr;
    return memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* The address of no fields may be NULL, which must not be offset. */
static const lvl_field *end_of(const lvl_table *table)
{
    return table->field_count ? table->fields + table->field_count : table->fields;
}

/* The end of the fields, without the last ones if they are within the bytes that are compared at once. */
static const lvl_field *end_of_others(const lvl_table *table)
{
    const lvl_field *end = end_of(table);

    while (end > table->fields && end[-1].offset + end[-1].size <= table->same_bytes &&
           !end[-1].when.tag_size)
        end--;
    return end;
}

static bool record_equal(const void *a, const void *b, const lvl_table *table, const lvl_field *others,
                         bool all);

static bool list_equal(const void *a, const void *b, const lvl_field *f, bool all)
{
    uint32_t n = lvl_list_count(a, f);
    const lvl_field *others = f->item == LVL_RECORD && n ? end_of_others(f->table) : NULL;

    if (n != lvl_list_count(b, f))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const void *x = lvl_list_item(a, f, i), *y = lvl_list_item(b, f, i);
        if (f->item == LVL_RECORD) {
            /* equal bytes include equal pointers: nothing can differ */
            if (memcmp(x, y, f->item_size) != 0 && !record_equal(x, y, f->table, others, all))
                return false;
        } else if (f->item == LVL_TEXT) {
            if (!lvl_text_equal(*(const lvl_text *)x, *(const lvl_text *)y))
                return false;
        } else if (memcmp(x, y, f->item_size) != 0) {
            return false;
        }
    }
    return true;
}

/* Texts are outside the record; many are empty. */
static inline bool text_equal(const uint8_t *a, const uint8_t *b)
{
    lvl_text x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x.len == y.len && (!x.len || memcmp(x.ptr, y.ptr, x.len) == 0);
}

/* Most members are numbers of four bytes. */
static inline bool number_equal(const uint8_t *a, const uint8_t *b, uint32_t size)
{
    return size == 4 ? memcmp(a, b, 4) == 0 : memcmp(a, b, size) == 0;
}

static bool field_equal(const void *a, const void *b, const lvl_field *f, bool all)
{
    switch (f->kind) {
    case LVL_INT:
    case LVL_REAL: return number_equal(member(a, f), member(b, f), f->size);
    case LVL_TEXT:
        return f->flags & LVL_F_SLOT ? lvl_text_equal(lvl_get_text(a, f), lvl_get_text(b, f))
                                     : text_equal(member(a, f), member(b, f));
    case LVL_BYTES: return bytes_equal(lvl_get_bytes(a, f), lvl_get_bytes(b, f));
    case LVL_RECORD:
        return record_equal(lvl_get_record(a, f), lvl_get_record(b, f), f->table, end_of(f->table), all);
    case LVL_LIST: return list_equal(a, b, f, all);
    case LVL_CELLS: return cells_equal(lvl_get_cells(a, f), lvl_get_cells(b, f));
    }
    return false;
}

/* `others`: the end of the fields to compare if the bytes that are compared at once are the same. `all`:
 * derived and kept members as well. */
static bool record_equal(const void *a, const void *b, const lvl_table *table, const lvl_field *others,
                         bool all)
{
    /* most records that differ in memory differ only in their pointers to texts */
    const uint32_t same = memcmp(a, b, table->same_bytes) == 0 ? table->same_bytes : 0;
    const lvl_field *const end = same ? others : end_of(table);

    for (const lvl_field *f = table->fields; f < end; f++) {
        if (f->offset + f->size <= same && !f->when.tag_size)
            continue;
        if (!all && (f->role == LVL_DERIVED || f->role == LVL_KEPT))
            continue;
        if (f->when.tag_size) {
            const bool in_a = lvl_field_present(a, f);
            if (in_a != lvl_field_present(b, f))
                return false;
            if (!in_a)
                continue;
        }
        if (f->offset + f->size <= same)
            continue;
        if (f->kind == LVL_INT ? !number_equal(member(a, f), member(b, f), f->size)
                               : !field_equal(a, b, f, all))
            return false;
    }
    return true;
}

/* ---- hashes ------------------------------------------------------------------------------------------ */

static uint64_t hash_field(const lvl_hash_seed *seed, uint64_t hash, const void *record, const lvl_field *f);

static uint64_t hash_record(const lvl_hash_seed *seed, uint64_t hash, const void *record,
                            const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT)
            continue;
        const bool present = lvl_field_present(record, f);
        if (f->when.tag_size)
            hash = lvl_hash_mix(seed, hash, present);
        if (present)
            hash = hash_field(seed, hash, record, f);
    }
    return hash;
}

static uint64_t hash_item(const lvl_hash_seed *seed, uint64_t hash, const void *item, const lvl_field *list)
{
    if (list->item == LVL_RECORD)
        return hash_record(seed, hash, item, list->table);
    if (list->item == LVL_TEXT) {
        const lvl_text text = *(const lvl_text *)item;
        return lvl_hash_mix(seed, hash, lvl_hash_bytes(seed, text.ptr, text.len));
    }
    return lvl_hash_mix(seed, hash, lvl_hash_bytes(seed, item, list->item_size));
}

static uint64_t hash_field(const lvl_hash_seed *seed, uint64_t hash, const void *record, const lvl_field *f)
{
    lvl_bytes bytes = {member(record, f), f->size};

    switch (f->kind) {
    case LVL_INT:
    case LVL_REAL:
        if (f->size <= sizeof(uint64_t))
            return lvl_hash_mix(seed, hash, (uint64_t)load_int(bytes.ptr, f->size, false));
        break;
    case LVL_TEXT: {
        const lvl_text text = lvl_get_text(record, f);
        bytes = (lvl_bytes){(const uint8_t *)text.ptr, text.len};
        break;
    }
    case LVL_BYTES:
        bytes = lvl_get_bytes(record, f);
        if (!bytes.ptr && bytes.len) /* late and not decoded */
            return lvl_hash_mix(seed, hash, bytes.len);
        break;
    case LVL_RECORD: return hash_record(seed, hash, lvl_get_record(record, f), f->table);
    case LVL_LIST:
        hash = lvl_hash_mix(seed, hash, lvl_list_count(record, f));
        for (uint32_t i = 0; i < lvl_list_count(record, f); i++)
            hash = hash_item(seed, hash, lvl_list_item(record, f, i), f);
        return hash;
    case LVL_CELLS: {
        const lvl_cells *c = lvl_get_cells(record, f);
        hash = lvl_hash_mix(seed, hash, (uint64_t)c->width << 32 | c->height);
        bytes = (lvl_bytes){c->ptr, c->ptr ? (size_t)c->width * c->height * c->size : 0};
        break;
    }
    }
    return lvl_hash_mix(seed, hash, lvl_hash_bytes(seed, bytes.ptr, bytes.len));
}

uint64_t lvl_item_hash(const lvl_hash_seed *seed, const void *item, const lvl_field *list)
{
    return hash_item(seed, seed->start, item, list);
}

uint64_t lvl_member_hash(const lvl_hash_seed *seed, uint64_t hash, const void *record, const lvl_field *field)
{
    return hash_field(seed, hash, record, field);
}

/* ---- comparing --------------------------------------------------------------------------------------- */

bool lvl_record_equal(const void *a, const void *b, const lvl_table *table)
{
    return record_equal(a, b, table, end_of(table), false);
}

bool lvl_record_identical(const void *a, const void *b, const lvl_table *table)
{
    return record_equal(a, b, table, end_of(table), true);
}

/* Whether the field has the role, and its kind is one that the role applies to (lvl/record.h). */
static bool has_role(const lvl_field *f, unsigned role)
{
    enum {
        TEXTS = LVL_ROLE_CLASS | LVL_ROLE_NAME | LVL_ROLE_PICTURE | LVL_ROLE_COLOR,
        LISTS = LVL_ROLE_LINKS | LVL_ROLE_LAYERS | LVL_ROLE_OBJECTS | LVL_ROLE_FILES | LVL_ROLE_LEVELS,
        ANY = LVL_ROLE_ID | LVL_ROLE_DEST_X | LVL_ROLE_DEST_Y | LVL_ROLE_PROPERTY
    };

    if (!(f->roles & role) || role & ANY)
        return (f->roles & role) != 0;
    if (role == LVL_ROLE_PICTURE && f->kind == LVL_LIST)
        return !f->table; /* texts: what a layer's tiles show, in several tilesets */
    if (role & (TEXTS | LISTS))
        return f->kind == (role & TEXTS ? LVL_TEXT : LVL_LIST);
    return f->kind == LVL_INT || f->kind == LVL_REAL;
}

const lvl_field *lvl_field_with_role(const lvl_table *table, unsigned role, const lvl_field **outer)
{
    if (!table)
        return NULL;
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (has_role(&table->fields[i], role)) {
            if (outer)
                *outer = NULL;
            return &table->fields[i];
        }
    }
    for (uint32_t i = 0; outer && i < table->field_count; i++) {
        const lvl_field *f = *outer = &table->fields[i];
        for (uint32_t k = 0; f->kind == LVL_RECORD && k < f->table->field_count; k++) {
            if (has_role(&f->table->fields[k], role))
                return &f->table->fields[k];
        }
    }
    if (outer)
        *outer = NULL;
    return NULL;
}

const char *lvl_name_of(const lvl_name *names, int64_t value)
{
    for (; names && names->name; names++) {
        if (names->value == value)
            return names->name;
    }
    return NULL;
}

/* Appends to a buffer that may be too short; returns the length that the whole text would have. */
static size_t add(char *buf, size_t size, size_t at, const char *str)
{
    for (; *str; str++, at++) {
        if (at + 1 < size)
            buf[at] = *str;
    }
    if (size)
        buf[at < size ? at : size - 1] = 0;
    return at;
}

size_t lvl_flags_text(const lvl_field *field, int64_t value, char *buf, size_t size)
{
    uint64_t rest = (uint64_t)value;
    size_t at = 0;
    char hex[24];

    if (size)
        buf[0] = 0;
    if (field->size < 8)
        rest &= ((uint64_t)1 << field->size * 8) - 1;
    const char *whole = lvl_name_of(field->names, (int64_t)rest);
    if (whole)
        return add(buf, size, at, whole);
    for (const lvl_name *n = field->names; n && n->name; n++) {
        uint64_t bits = (uint64_t)n->value;
        if (bits && (bits & (bits - 1)) == 0 && (rest & bits) == bits) {
            at = add(buf, size, at, at ? "|" : "");
            at = add(buf, size, at, n->name);
            rest &= ~bits;
        }
    }
    if (rest) {
        snprintf(hex, sizeof hex, "%s0x%llx", at ? "|" : "", (unsigned long long)rest);
        at = add(buf, size, at, hex);
    } else if (!at) {
        at = add(buf, size, at, "0");
    }
    return at;
}

/* Parses a decimal or 0x number, which must be the whole text. */
static bool parse_number(lvl_text t, int64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;
    bool neg = false;
    unsigned base = 10;

    if (i < t.len && (t.ptr[i] == '-' || t.ptr[i] == '+'))
        neg = t.ptr[i++] == '-';
    if (i + 2 < t.len && t.ptr[i] == '0' && (t.ptr[i + 1] == 'x' || t.ptr[i + 1] == 'X')) {
        base = 16;
        i += 2;
    }
    if (i >= t.len)
        return false;
    for (; i < t.len; i++) {
        char c = lvl_lower(t.ptr[i]);
        unsigned d = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                            : 99;
        if (d >= base || v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    if (v > (uint64_t)INT64_MAX)
        return false;
    *out = neg ? -(int64_t)v : (int64_t)v;
    return true;
}

/* Parses one name or number of the field. */
static bool parse_one(const lvl_field *field, lvl_text t, int64_t *out)
{
    for (const lvl_name *n = field->names; n && n->name; n++) {
        if (lvl_text_is(t, n->name)) {
            *out = n->value;
            return true;
        }
    }
    if (lvl_field_is_switch(field)) {
        static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
            if (lvl_text_is(t, words[i])) {
                *out = i & 1;
                return true;
            }
        }
    }
    return parse_number(t, out);
}

bool lvl_field_is_switch(const lvl_field *field)
{
    return field->kind == LVL_INT && !field->names && field->min == 0 && field->max == 1;
}

bool lvl_int_parse(const lvl_field *field, lvl_text text, int64_t *out)
{
    int64_t value = 0, part;

    if (!(field->flags & LVL_F_FLAGS)) {
        if (!parse_one(field, text, &value))
            return false;
    } else {
        size_t from = 0;
        for (size_t i = 0; i <= text.len; i++) {
            if (i < text.len && text.ptr[i] != '|' && text.ptr[i] != ',' && (text.ptr[i] != '+' || i == 0))
                continue;
            lvl_text one = {text.ptr + from, i - from};
            if (!parse_one(field, one, &part))
                return false;
            value |= part;
            from = i + 1;
        }
    }
    /* flags and hexadecimal numbers may set the sign bit of a signed member */
    const bool bits = (field->flags & LVL_F_FLAGS) || (text.len > 1 && (text.ptr[1] | 0x20) == 'x');
    if (bits && !lvl_int_fits(field, value) && (field->flags & LVL_F_SIGNED) && field->size < 8 &&
        value > 0 && value < (int64_t)1 << field->size * 8)
        value -= (int64_t)1 << field->size * 8;
    if (!lvl_int_fits(field, value))
        return false;
    *out = value;
    return true;
}
