/*
 * tools/values/json_read.c: reads JSON values into members of records. The input is not trusted: kinds,
 * ranges, lengths and counts are checked before memory is allocated. After an error the rest is checked, too.
 */
#include "tools/values/json_read.h"

#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/values/json_write.h"
#include "base/buffer.h"

#include <stdarg.h>
#include <string.h>

/* Keeps the first status that is not LVL_OK. */
static void set_status(lvl_loader *l, lvl_status status)
{
    if (l->status == LVL_OK)
        l->status = status;
}

void lvl_load_fail(lvl_loader *l, lvl_fault fault, const char *fmt, ...)
{
    va_list args;

    set_status(l, l->given ? LVL_ERR_ARG : LVL_ERR_FORMAT);
    va_start(args, fmt);
    lvl_findings_addv(l->findings, &lvl_faults[fault], &l->where, NULL, fmt, args);
    va_end(args);
}

/* Reports that a limit of the context was exceeded. */
static void refuse(lvl_loader *l, lvl_limit limit, uint64_t allowed, uint64_t wanted)
{
    const lvl_usage used = {.limit = limit, .allowed = allowed, .wanted = wanted};

    if (l->status != LVL_OK)
        return;
    l->status = lvl_refuse(l->doc->ctx, limit, allowed, wanted);
    lvl_usage_report_at(&used, l->doc->ctx, &l->where, l->findings);
}

static void out_of_memory(lvl_loader *l)
{
    lvl_arena *a = &l->doc->arena;

    if (a->refused == LVL_ERR_LIMIT)
        refuse(l, LVL_LIMIT_MEMORY, a->max, 0);
    else
        set_status(l, LVL_ERR_MEMORY);
}

static const char *kind_of(yyjson_val *val)
{
    return yyjson_is_str(val)    ? "a text"
           : yyjson_is_num(val)  ? "a number"
           : yyjson_is_arr(val)  ? "an array"
           : yyjson_is_obj(val)  ? "an object"
           : yyjson_is_null(val) ? "null"
                                 : "true or false";
}

static void report_expected(lvl_loader *l, yyjson_val *val, const char *what)
{
    lvl_load_fail(l, LVL_FAULT_KIND, "expected %s, found %s", what, kind_of(val));
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static bool load_named(lvl_loader *l, const lvl_field *f, lvl_text text, int64_t *v)
{
    char buf[80];

    if (!f->names && !(f->flags & LVL_F_FLAGS)) {
        lvl_load_fail(l, LVL_FAULT_KIND, "expected a number, found a text");
        return false;
    }
    if (lvl_int_parse(f, text, v))
        return true;
    const char *near = lvl_nearest_name(f->names, text);
    lvl_load_fail(l, LVL_FAULT_VALUE, "there is no value named \"%s\"%s%s%s", lvl_show(buf, text),
                  near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return false;
}

static bool load_int(lvl_loader *l, const lvl_field *f, yyjson_val *val, int64_t *v)
{
    if (yyjson_is_str(val))
        return load_named(l, f, lvl_json_str(val), v);
    if (yyjson_is_bool(val) && lvl_field_is_switch(f)) {
        *v = yyjson_get_bool(val);
        return true;
    }
    if (!yyjson_is_int(val)) {
        report_expected(l, val, f->names ? "a number or a name" : "a whole number");
        return false;
    }
    bool huge = yyjson_is_uint(val) && yyjson_get_uint(val) > INT64_MAX;
    *v = yyjson_is_uint(val) ? (int64_t)yyjson_get_uint(val) : yyjson_get_sint(val);
    bool is_signed = (f->flags & LVL_F_SIGNED) != 0;
    if (f->size == 8 ? (huge ? is_signed : *v < 0 && !is_signed) : huge || !lvl_int_fits(f, *v)) {
        lvl_load_fail(l, LVL_FAULT_VALUE, "the number does not fit %s of %lu bits",
                      is_signed ? "a signed number" : "an unsigned number", (unsigned long)f->size * 8);
        return false;
    }
    return true;
}

/* Reads {"base64":"…"}: the text, and its decoded size. */
static bool base64_of(lvl_loader *l, yyjson_val *val, lvl_text *text, size_t *size)
{
    yyjson_val *inner =
        yyjson_is_obj(val) && yyjson_obj_size(val) == 1 ? yyjson_obj_get(val, "base64") : NULL;

    if (!inner || !yyjson_is_str(inner)) {
        report_expected(l, val, "{\"base64\":\"...\"}");
        return false;
    }
    *text = lvl_json_str(inner);
    if (!lvl_base64_size(*text, size)) {
        lvl_load_fail(l, LVL_FAULT_VALUE, "invalid base64: the length is not a multiple of 4");
        return false;
    }
    return true;
}

static bool decode64(lvl_loader *l, lvl_text text, uint8_t *to)
{
    if (lvl_base64_decode(text, to))
        return true;
    lvl_load_fail(l, LVL_FAULT_VALUE, "invalid base64: wrong character");
    return false;
}

static void load_real(lvl_loader *l, void *record, const lvl_field *f, yyjson_val *val)
{
    double v = yyjson_get_num(val);
    lvl_text text;
    size_t size;

    if (!yyjson_is_num(val)) {
        uint8_t le[9];
        uint64_t bits = 0;
        if (!yyjson_is_obj(val)) {
            report_expected(l, val, "a number");
            return;
        }
        if (!base64_of(l, val, &text, &size) || (size <= sizeof le && !decode64(l, text, le)))
            return;
        if (size != 8) {
            lvl_load_fail(l, LVL_FAULT_VALUE, "expected 8 bytes for a number in base64");
            return;
        }
        for (int i = 7; i >= 0; i--)
            bits = bits << 8 | le[i];
        memcpy(&v, &bits, sizeof v);
    }
    memcpy((uint8_t *)record + f->offset, &v, sizeof v);
}

/* ---- text and bytes ---------------------------------------------------------------------------------- */

void lvl_load_bytes(lvl_loader *l, void *record, const lvl_field *f, const void *data, size_t len)
{
    uint8_t *member = (uint8_t *)record + f->offset;

    if (f->flags & LVL_F_SLOT) {
        if (len > f->size) {
            lvl_load_fail(l, LVL_FAULT_VALUE, "%zu bytes do not fit into the %lu that there are", len,
                          (unsigned long)f->size);
            return;
        }
        if (len)
            memcpy(member, data, len);
        memset(member + len, 0, f->size - len);
        return;
    }
    const void *copy = NULL;
    if (len) {
        copy = lvl_arena_copy(&l->doc->arena, data, len);
        if (!copy) {
            out_of_memory(l);
            return;
        }
    }
    if (f->kind == LVL_TEXT) {
        lvl_text t = {copy, len};
        memcpy(member, &t, sizeof t);
    } else {
        lvl_bytes b = {copy, len};
        memcpy(member, &b, sizeof b);
    }
}

/* The first 8-bit page that has all characters of a text; NULL: none has. */
static const char *page_with(lvl_text utf8)
{
    const char *has = NULL;

    for (int p = 0; p < LVL_CP_UTF8 && !has; p++) {
        lvl_buffer tmp = {0};
        uint32_t other;
        if (lvl_text_from_utf8(&tmp, (lvl_codepage)p, utf8, &other))
            has = lvl_codepage_name((lvl_codepage)p);
        lvl_buffer_free(&tmp);
    }
    return has;
}

static void lacks_character(lvl_loader *l, lvl_text utf8, uint32_t bad)
{
    const char *has = page_with(utf8), *one = NULL;
    lvl_codepage page = l->doc->codepage;
    lvl_buffer letter = {0};
    char utf8_letter[4];

    lvl_buffer_add(&letter, utf8_letter, lvl_utf8_put(utf8_letter, bad));
    one = page_with(lvl_buffer_text(&letter));
    lvl_buffer_free(&letter);
    if (bad == 0xFFFD && !lvl_utf8_valid(utf8))
        lvl_load_fail(l, LVL_FAULT_CHARACTER, "the text is not valid UTF-8");
    else if (has || one)
        lvl_load_fail(l, LVL_FAULT_CHARACTER, "%s has no character U+%04lX; %s has it%s",
                      lvl_codepage_name(page), (unsigned long)bad, has ? has : one,
                      has ? "" : ", but not all of this text");
    else
        lvl_load_fail(l, LVL_FAULT_CHARACTER, "%s has no character U+%04lX, nor has any other code page",
                      lvl_codepage_name(page), (unsigned long)bad);
}

void lvl_load_text(lvl_loader *l, void *record, const lvl_field *f, lvl_text utf8)
{
    lvl_buffer bytes = {0};
    uint32_t bad = 0;
    size_t i = 0;

    while (i < utf8.len && (uint8_t)utf8.ptr[i] < 0x80)
        i++;
    if (i == utf8.len) {
        lvl_load_bytes(l, record, f, utf8.ptr, utf8.len);
        return;
    }
    if (!lvl_text_from_utf8(&bytes, l->doc->codepage, utf8, &bad))
        lacks_character(l, utf8, bad);
    else if (bytes.status != LVL_OK)
        set_status(l, bytes.status);
    else
        lvl_load_bytes(l, record, f, bytes.data, bytes.len);
    lvl_buffer_free(&bytes);
}

/* Reads a text from an array of its lines. */
static void load_lines(lvl_loader *l, void *record, const lvl_field *f, yyjson_val *lines)
{
    lvl_buffer text = {0};
    size_t i, n;
    yyjson_val *line;

    yyjson_arr_foreach(lines, i, n, line)
    {
        if (!yyjson_is_str(line)) {
            report_expected(l, line, "a line of a text");
            goto out;
        }
        const lvl_text one = lvl_json_str(line);
        if (i)
            lvl_buffer_u8(&text, '\n');
        lvl_buffer_add(&text, one.ptr, one.len);
    }
    if (text.status != LVL_OK)
        set_status(l, text.status);
    else
        lvl_load_text(l, record, f, lvl_buffer_text(&text));
out:
    lvl_buffer_free(&text);
}

static void load_bytes(lvl_loader *l, void *record, const lvl_field *f, yyjson_val *val)
{
    lvl_buffer bytes = {0};
    lvl_text text;
    size_t size;

    if (!base64_of(l, val, &text, &size))
        return;
    if (!(f->flags & LVL_F_SLOT)) { /* decoded into the document's memory */
        uint8_t *to = lvl_arena_raw(&l->doc->arena, size);
        if (!to) {
            out_of_memory(l);
        } else if (decode64(l, text, to)) {
            lvl_text t = {(const char *)to, size};
            lvl_bytes b = {to, size};
            memcpy((uint8_t *)record + f->offset, f->kind == LVL_TEXT ? (const void *)&t : (const void *)&b,
                   sizeof b);
        }
        return;
    }
    if (!lvl_buffer_reserve(&bytes, size + 1))
        set_status(l, bytes.status);
    else if (decode64(l, text, bytes.data))
        lvl_load_bytes(l, record, f, bytes.data, size);
    lvl_buffer_free(&bytes);
}

/* Notes how a stream was made, {"zlib":6,"crc32":…}. False: the value is something else. */
static bool load_maker(lvl_loader *l, const void *record, const lvl_field *f, yyjson_val *val)
{
    static const lvl_deflate_library libraries[] = {LVL_DEFLATE_LIBDEFLATE, LVL_DEFLATE_ZLIB};
    yyjson_val *crc = yyjson_obj_get(val, "crc32");
    lvl_stream stream = {.record = record, .field = f, .where = l->where};

    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        yyjson_val *level = yyjson_obj_get(val, lvl_stream_library_name(libraries[i]));
        if (yyjson_is_uint(level) && yyjson_get_uint(level) >= 1 &&
            yyjson_get_uint(level) <= LVL_DEFLATE_BEST) {
            stream.maker.library = libraries[i];
            stream.maker.level = (int)yyjson_get_uint(level);
        }
    }
    if (!stream.maker.library || !yyjson_is_uint(crc) || yyjson_get_uint(crc) > UINT32_MAX ||
        yyjson_obj_size(val) != 2)
        return false;
    stream.maker.crc = (uint32_t)yyjson_get_uint(crc);
    set_status(l, lvl_streams_add(&l->streams, &stream));
    return true;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

bool lvl_cell_parse(const lvl_cell_name *names, lvl_text text, uint32_t size, uint32_t *value)
{
    const lvl_field cell = {.kind = LVL_INT, .size = size};
    int64_t v;

    for (; names && names->symbol; names++) {
        if ((text.len == 1 && text.ptr[0] == names->symbol) ||
            (names->name && lvl_text_is(text, names->name))) {
            *value = names->value;
            return lvl_int_fits(&cell, names->value);
        }
    }
    if (!lvl_int_parse(&cell, text, &v))
        return false;
    *value = (uint32_t)v;
    return true;
}

/* Decodes one row of runs into `width` cells of `size` bytes at `to`; false if the row is anything else. */
static bool load_row(const lvl_cell_name *names, lvl_text row, uint32_t size, uint32_t width, uint8_t *to)
{
    size_t i = 0;
    uint32_t x = 0;

    while (i < row.len) {
        size_t from = i;
        uint32_t value = 0;
        uint64_t run = 1;
        /* most are a few digits */
        while (i < row.len && i - from < 5 && row.ptr[i] >= '0' && row.ptr[i] <= '9')
            value = value * 10 + (uint32_t)(row.ptr[i++] - '0');
        const bool plain = i > from && (i == row.len || row.ptr[i] == ' ' || row.ptr[i] == '*') &&
                           (size == 4 || value >> size * 8 == 0);
        while (i < row.len && row.ptr[i] != ' ' && row.ptr[i] != '*')
            i++;
        const lvl_text cell = {row.ptr + from, i - from};
        if (!plain && !lvl_cell_parse(names, cell, size, &value))
            return false;
        if (i < row.len && row.ptr[i] == '*') {
            run = 0;
            for (i++; i < row.len && row.ptr[i] >= '0' && row.ptr[i] <= '9' && run <= width; i++)
                run = run * 10 + (uint64_t)(row.ptr[i] - '0');
        }
        if (run == 0 || run > width - x || (i < row.len && row.ptr[i] != ' '))
            return false;
        if (run == 1 && size == 2) {
            to[(size_t)x * 2] = (uint8_t)value;
            to[(size_t)x * 2 + 1] = (uint8_t)(value >> 8);
        } else {
            lvl_fill_cells(to + (size_t)x * size, size, value, (size_t)run);
        }
        x += (uint32_t)run;
        if (i < row.len && ++i == row.len)
            return false; /* a blank at the end */
    }
    return x == width;
}

static bool load_side(lvl_loader *l, yyjson_val *val, const char *key, uint32_t *out)
{
    yyjson_val *v = yyjson_obj_get(val, key);

    if (!yyjson_is_uint(v) || yyjson_get_uint(v) > UINT32_MAX) {
        lvl_load_fail(l, LVL_FAULT_KIND, "cells need \"width\", \"height\" and \"rows\"; \"%s\" %s", key,
                      v ? "is not a number of 32 bits" : "is missing");
        return false;
    }
    *out = (uint32_t)yyjson_get_uint(v);
    return true;
}

static void load_rows(lvl_loader *l, const lvl_field *f, lvl_cells *cells, yyjson_val *rows)
{
    uint64_t count = (uint64_t)cells->width * cells->height, most = lvl_limits_of(l->doc->ctx).cells;
    uint64_t want = count ? cells->height : 0;
    yyjson_val *row;
    uint32_t y = 0;

    if (yyjson_arr_size(rows) != want) {
        lvl_load_fail(l, LVL_FAULT_VALUE, "found %zu rows, expected %llu", yyjson_arr_size(rows),
                      (unsigned long long)want);
        return;
    }
    if (count > most || cells->width > most ||
        cells->height > most) { /* one side may be 0 and the other huge */
        const uint32_t side = cells->width > cells->height ? cells->width : cells->height;
        refuse(l, LVL_LIMIT_CELLS, most, count ? count : side);
        return;
    }
    if (count > SIZE_MAX / 4) {
        out_of_memory(l);
        return;
    }
    uint8_t *to = lvl_arena_raw(&l->doc->arena, (size_t)count * cells->size);
    if (!to) {
        out_of_memory(l);
        return;
    }
    cells->ptr = to; /* not zeroed: after a bad row the document is dropped */
    yyjson_arr_iter it = yyjson_arr_iter_with(rows);
    for (; (row = yyjson_arr_iter_next(&it)); y++) {
        if (!yyjson_is_str(row) || !load_row(f->cell_names, lvl_json_str(row), cells->size, cells->width,
                                             to + (size_t)y * cells->width * cells->size)) {
            lvl_load_fail(l, LVL_FAULT_VALUE,
                          "row %lu: expected runs of cells (\"7 13*3\") that fill %lu columns",
                          (unsigned long)y, (unsigned long)cells->width);
            return;
        }
    }
}

static void load_cells(lvl_loader *l, void *record, const lvl_field *f, yyjson_val *val)
{
    lvl_cells cells = {NULL, 0, 0, lvl_cell_size(f)};
    yyjson_val *rows = yyjson_is_obj(val) ? yyjson_obj_get(val, "rows") : NULL;
    bool sized = yyjson_is_obj(val) && yyjson_obj_get(val, "size");

    if (!yyjson_is_obj(val)) {
        report_expected(l, val, "{\"width\":w,\"height\":h,\"rows\":[...]}");
        return;
    }
    if (!load_side(l, val, "width", &cells.width) || !load_side(l, val, "height", &cells.height) ||
        (sized && !load_side(l, val, "size", &cells.size)))
        return;
    if (yyjson_obj_size(val) != 3u + sized || (!yyjson_is_arr(rows) && !yyjson_is_null(rows))) {
        lvl_load_fail(l, LVL_FAULT_KIND,
                      "expected cells with \"width\", \"height\", \"rows\" (an array or null) and "
                      "optionally \"size\"");
        return;
    }
    const lvl_cells *was = lvl_get_cells(record, f);
    bool odd = cells.size != 1 && cells.size != 2 && cells.size != 4;
    if (odd || (was->size && was->size != cells.size)) {
        lvl_load_fail(l, LVL_FAULT_VALUE, "cells of %lu bytes are not possible here",
                      (unsigned long)cells.size);
        return;
    }
    if (yyjson_is_arr(rows))
        load_rows(l, f, &cells, rows);
    if (l->status == LVL_OK || cells.ptr)
        memcpy((uint8_t *)record + f->offset, &cells, sizeof cells);
}

/* ---- lists and records ------------------------------------------------------------------------------- */

static void load_list(lvl_loader *l, void *record, const lvl_field *f, yyjson_val *val)
{
    const lvl_field item = lvl_item_field(f);
    yyjson_val *v;
    uint32_t i = 0;

    if (!yyjson_is_arr(val)) {
        report_expected(l, val, "an array");
        return;
    }
    size_t n = yyjson_arr_size(val);
    lvl_field_reset(record, f);
    const uint32_t count = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    const lvl_status status = lvl_list_insert(l->doc, record, f, 0, count);
    if (status == LVL_ERR_LIMIT) {
        refuse(l, LVL_LIMIT_ITEMS, lvl_limits_of(l->doc->ctx).items, n);
        return;
    }
    if (status != LVL_OK) {
        out_of_memory(l);
        return;
    }
    yyjson_arr_iter it = yyjson_arr_iter_with(val);
    uint32_t last = l->where.depth - 1;
    bool step = l->where.depth && l->where.steps[last].field == f;
    for (; (v = yyjson_arr_iter_next(&it)); i++) {
        void *to = lvl_item_at(record, f, i);
        if (step)
            l->where.steps[last].index = i;
        if (f->item == LVL_RECORD)
            lvl_load_record(l, to, f->table, v);
        else
            lvl_load_value(l, to, &item, v);
        if (l->status == LVL_ERR_MEMORY)
            break;
    }
    if (step)
        l->where.steps[last].index = LVL_NO_INDEX;
}

/* Whether the integer is the count of a list, which only the list may set. */
static bool is_count(const lvl_table *table, const lvl_field *f)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        if (table->fields[i].kind == LVL_LIST && table->fields[i].count_offset == f->offset)
            return true;
    }
    return false;
}

static void load_derived(lvl_loader *l, void *record, const lvl_table *table, const lvl_field *f,
                         yyjson_val *val)
{
    int64_t v;

    if (l->given || f->kind != LVL_INT) {
        lvl_load_fail(l, LVL_FAULT_DERIVED, "%s is computed from other fields and cannot be given", f->name);
        return;
    }
    if (!load_int(l, f, val, &v) || is_count(table, f))
        return;
    set_status(l, lvl_doc_restore_derived(l->doc, record, f, v));
}

void lvl_load_value(lvl_loader *l, void *record, const lvl_field *f, yyjson_val *val)
{
    int64_t v;

    switch (f->kind) {
    case LVL_INT:
        if (load_int(l, f, val, &v))
            lvl_put_int(record, f, v);
        break;
    case LVL_REAL: load_real(l, record, f, val); break;
    case LVL_TEXT:
        if (yyjson_is_str(val))
            lvl_load_text(l, record, f, lvl_json_str(val));
        else if (yyjson_is_obj(val))
            load_bytes(l, record, f, val);
        else if (yyjson_is_arr(val) && (f->flags & LVL_F_LINES))
            load_lines(l, record, f, val);
        else
            report_expected(l, val, f->flags & LVL_F_LINES ? "a text, or a list of its lines" : "a text");
        break;
    case LVL_BYTES:
        if (!(f->flags & LVL_F_STREAM) || l->given || !load_maker(l, record, f, val))
            load_bytes(l, record, f, val);
        break;
    case LVL_RECORD: lvl_load_record(l, (uint8_t *)record + f->offset, f->table, val); break;
    case LVL_LIST: load_list(l, record, f, val); break;
    case LVL_CELLS: load_cells(l, record, f, val); break;
    }
}

enum { MAX_FIELDS = 512 }; /* of a record, for which duplicate keys are found */

static void unknown_key(lvl_loader *l, const lvl_table *table, lvl_text key)
{
    char buf[80];
    const char *near = lvl_nearest_field(table, key);

    lvl_load_fail(l, LVL_FAULT_KEY, "%s has no field \"%s\"%s%s%s", table->name, lvl_show(buf, key),
                  near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* The field of that name, searched from *from on, since a dump has the order of the table. */
static const lvl_field *find_field(const lvl_table *table, lvl_text key, uint32_t *from)
{
    for (uint32_t k = 0; k < table->field_count; k++) {
        uint32_t i = *from + k < table->field_count ? *from + k : *from + k - table->field_count;
        const char *name = table->fields[i].name;
        if (key.len && name[0] == key.ptr[0] && strlen(name) == key.len &&
            memcmp(name, key.ptr, key.len) == 0) {
            *from = i + 1 < table->field_count ? i + 1 : 0;
            return &table->fields[i];
        }
    }
    return NULL;
}

static void load_members(lvl_loader *l, void *record, const lvl_table *table, yyjson_val *val, bool kept,
                         uint64_t seen[MAX_FIELDS / 64])
{
    yyjson_obj_iter it = yyjson_obj_iter_with(val);
    yyjson_val *k;
    uint32_t from = 0;

    while ((k = yyjson_obj_iter_next(&it)) && l->status != LVL_ERR_MEMORY) {
        lvl_text key = lvl_json_str(k);
        yyjson_val *v = yyjson_obj_iter_get_val(k);
        if (!kept && lvl_text_is(key, "~"))
            continue;
        const lvl_field *f = find_field(table, key, &from);
        if (!f) {
            unknown_key(l, table, key);
            continue;
        }
        uint32_t at = (uint32_t)(f - table->fields);
        if (at < MAX_FIELDS && (seen[at / 64] >> at % 64 & 1)) {
            lvl_load_fail(l, LVL_FAULT_KEY, "\"%s\" is given twice", f->name);
            continue;
        }
        if (at < MAX_FIELDS)
            seen[at / 64] |= (uint64_t)1 << at % 64;
        const uint32_t depth = l->where.depth;
        l->where = lvl_where_to(l->where, f, LVL_NO_INDEX);
        if ((f->role == LVL_KEPT) != kept)
            lvl_load_fail(l, LVL_FAULT_KEY,
                          kept ? "%s does not belong under \"~\"" : "%s belongs under \"~\"", f->name);
        else if (f->role == LVL_DERIVED)
            load_derived(l, record, table, f, v);
        else
            lvl_load_value(l, record, f, v);
        l->where.depth = depth;
    }
}

void lvl_load_record(lvl_loader *l, void *record, const lvl_table *table, yyjson_val *val)
{
    uint64_t seen[MAX_FIELDS / 64] = {0};
    char when[200];

    if (!yyjson_is_obj(val)) {
        report_expected(l, val, "an object");
        return;
    }
    load_members(l, record, table, val, false, seen);
    yyjson_val *kept = yyjson_obj_get(val, "~");
    if (kept && !yyjson_is_obj(kept))
        report_expected(l, kept, "an object under \"~\"");
    else if (kept)
        load_members(l, record, table, kept, true, seen);
    /* last, since the tag may be anywhere in the object */
    for (uint32_t i = 0; i < table->field_count && i < MAX_FIELDS; i++) {
        const lvl_field *f = &table->fields[i];
        if (!(seen[i / 64] >> i % 64 & 1) && lvl_field_required(f) && lvl_field_present(record, f))
            lvl_load_fail(l, LVL_FAULT_ABSENT, "%s has no default and must be given", f->name);
        if ((seen[i / 64] >> i % 64 & 1) && !lvl_field_present(record, f))
            lvl_load_fail(l, LVL_FAULT_ABSENT, "%s exists only %s", f->name,
                          lvl_when_text(table, f, when, sizeof when));
    }
}
