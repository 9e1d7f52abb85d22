/*
 * tools/values/json_write.c: writes members of records as JSON. Records without long parts are written on one
 * line.
 */
#include "tools/values/json_write.h"

#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"
#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lvl_emit lvl_emit_of(const lvl_doc *doc, lvl_buffer *out)
{
    lvl_emit w = {.out = out, .doc = doc, .page = doc->codepage};
    return w;
}

lvl_field lvl_item_field(const lvl_field *list)
{
    lvl_field f = *list;

    f.kind = list->item;
    f.offset = 0;
    f.size = list->item_size;
    f.flags &= ~(unsigned)LVL_F_SLOT;
    f.when.tag_size = 0;
    f.def = 0;
    return f;
}

const lvl_field *lvl_label_of(const lvl_table *table)
{
    return table ? lvl_field_named(table, table->label) : NULL;
}

/* Fast: most members are integers with their default. */
static bool int_is_default(const void *record, const lvl_field *f)
{
    const uint8_t *p = (const uint8_t *)record + f->offset;
    uint32_t v;

    if (f->size != 4)
        return lvl_get_int(record, f) == f->def;
    memcpy(&v, p, 4);
    return (f->flags & LVL_F_SIGNED ? (int64_t)(int32_t)v : (int64_t)v) == f->def;
}

/* Whether a late member decodes to any bytes; one that cannot be decoded has none. */
static bool has_late_bytes(const lvl_emit *w, const void *record, const lvl_field *f)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    const lvl_status status = lvl_doc_bytes(w->doc, record, f, &storage, &bytes);
    lvl_buffer_free(&storage);
    return bytes.len || status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT; /* then writing fails, too */
}

/* Whether a dump includes the member. */
static bool is_dumped(const lvl_emit *w, const void *record, const lvl_field *f)
{
    if (w->defaults && f->role != LVL_DERIVED && f->role != LVL_KEPT)
        return lvl_field_present(record, f);
    if (f->kind == LVL_INT && f->role != LVL_DERIVED && f->role != LVL_KEPT && !f->when.tag_size)
        return !int_is_default(record, f);
    if (f->role == LVL_DERIVED)
        return !w->no_kept && w->doc->override_count && lvl_doc_disagrees(w->doc, record, f);
    if (!lvl_field_present(record, f) || (f->role == LVL_KEPT && (w->no_kept || f == w->made)))
        return false;
    if (f->kind == LVL_BYTES && (f->flags & LVL_F_LATE))
        return has_late_bytes(w, record, f);
    if (f->kind != LVL_RECORD)
        return !lvl_field_is_default(record, f);
    const void *inner = lvl_get_record(record, f);
    for (uint32_t i = 0; i < f->table->field_count; i++) {
        if (is_dumped(w, inner, &f->table->fields[i]))
            return true;
    }
    return false;
}

static bool is_lines(const lvl_emit *w, const void *record, const lvl_field *f);

/* Whether a record has anything long (items, rows, lines), so that each of its members gets a line. */
static bool is_long(const lvl_emit *w, const void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if ((f->kind == LVL_LIST && f->item == LVL_RECORD) || f->kind == LVL_CELLS) {
            if (is_dumped(w, record, f))
                return true;
        } else if (f->kind == LVL_TEXT) {
            if (is_lines(w, record, f) && is_dumped(w, record, f))
                return true;
        } else if (f->kind == LVL_RECORD && lvl_field_present(record, f) &&
                   is_long(w, lvl_get_record(record, f), f->table)) {
            return true;
        }
    }
    return false;
}

static void line_break(const lvl_emit *w, unsigned indent)
{
    if (w->compact)
        return;
    lvl_buffer_u8(w->out, '\n');
    lvl_buffer_fill(w->out, ' ', (size_t)indent * 2);
}

static void put_key(const lvl_emit *w, const char *name, bool spaced)
{
    size_t len = strlen(name);

    if (!lvl_buffer_reserve(w->out, len + 4))
        return;
    uint8_t *p = w->out->data + w->out->len;
    *p++ = '"';
    memcpy(p, name, len);
    p += len;
    *p++ = '"';
    *p++ = ':';
    if (spaced && !w->compact)
        *p++ = ' ';
    w->out->len = (size_t)(p - w->out->data);
}

/* ---- scalars ----------------------------------------------------------------------------------------- */

static void put_quoted(lvl_buffer *out, const char *ascii)
{
    lvl_buffer_u8(out, '"');
    lvl_buffer_str(out, ascii);
    lvl_buffer_u8(out, '"');
}

/* Whether a value is written as flags. lvl_int_parse cannot read the sign bit of 8 bytes as a flag. */
static bool as_flags(const lvl_field *f, int64_t v)
{
    return (f->flags & LVL_F_FLAGS) && (f->size < 8 || v >= 0);
}

static void write_int(lvl_buffer *out, const lvl_field *f, int64_t v, bool quote)
{
    char text[1024];
    const char *name = f->names && !(f->flags & LVL_F_FLAGS) ? lvl_name_of(f->names, v) : NULL;

    if (as_flags(f, v) && lvl_flags_text(f, v, text, sizeof text) < sizeof text)
        name = text;
    if (name && quote)
        put_quoted(out, name);
    else if (name)
        lvl_buffer_str(out, name);
    else if (f->size == 8 && !(f->flags & LVL_F_SIGNED))
        lvl_json_uint(out, (uint64_t)v);
    else
        lvl_json_int(out, v);
}

static void write_real(lvl_buffer *out, double v)
{
    if (v - v == 0) { /* finite */
        lvl_json_real(out, v);
        return;
    }
    uint64_t bits;
    uint8_t le[8];
    memcpy(&bits, &v, sizeof bits);
    for (int i = 0; i < 8; i++)
        le[i] = (uint8_t)(bits >> 8 * i);
    lvl_bytes b = {le, sizeof le};
    lvl_json_base64(out, b);
}

static void write_text(const lvl_emit *w, lvl_text t)
{
    if (w->page == LVL_CP_UTF8 && !lvl_utf8_valid(t)) {
        lvl_bytes b = {(const uint8_t *)t.ptr, t.len};
        lvl_json_base64(w->out, b);
        return;
    }
    lvl_json_text(w->out, w->page, t);
}

/* Whether a text is written as an array of lines, so that a changed line of a script is a changed line of a
 * dump. */
static bool is_lines(const lvl_emit *w, const void *record, const lvl_field *f)
{
    if (w->compact || f->kind != LVL_TEXT || !(f->flags & LVL_F_LINES))
        return false;
    const lvl_text t = lvl_get_text(record, f);
    return t.len && memchr(t.ptr, '\n', t.len) && (w->page != LVL_CP_UTF8 || lvl_utf8_valid(t));
}

static void write_lines(const lvl_emit *w, lvl_text t, unsigned indent)
{
    lvl_buffer_u8(w->out, '[');
    for (size_t from = 0; from <= t.len;) {
        const char *end = from < t.len ? memchr(t.ptr + from, '\n', t.len - from) : NULL;
        const size_t to = end ? (size_t)(end - t.ptr) : t.len;
        if (from)
            lvl_buffer_u8(w->out, ',');
        line_break(w, indent + 1);
        lvl_json_text(w->out, w->page, (lvl_text){t.ptr + from, to - from});
        from = to + 1;
    }
    line_break(w, indent);
    lvl_buffer_u8(w->out, ']');
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* Length in bytes of the run of equal cells at p: while each byte equals the byte one cell later, eight at a
 * time. */
static size_t run_bytes(const uint8_t *p, size_t left, size_t size)
{
    size_t n = 0, most = left - size;

    while (n + 8 <= most) {
        uint64_t a, b;
        memcpy(&a, p + n, 8);
        memcpy(&b, p + n + size, 8);
        if (a != b)
            break;
        n += 8;
    }
    while (n < most && p[n] == p[n + size])
        n++;
    return n / size * size + size;
}

static uint8_t *put_digits(uint8_t *p, uint32_t value)
{
    char digits[20], *const end = digits + sizeof digits;
    const char *first = lvl_digits_before(end, value);

    while (first < end)
        *p++ = (uint8_t)*first++;
    return p;
}

/* Writes a cell, a symbol or a number, to `p`, which is large enough; returns the place after it. */
static uint8_t *put_cell(uint8_t *p, const lvl_cell_name *names, uint32_t value)
{
    for (; names && names->symbol; names++) {
        if (names->value == value) {
            *p++ = (uint8_t)names->symbol;
            return p;
        }
    }
    return put_digits(p, value);
}

void lvl_write_cell(lvl_buffer *out, const lvl_cell_name *names, uint32_t value)
{
    uint8_t text[10];

    lvl_buffer_add(out, text, (size_t)(put_cell(text, names, value) - text));
}

static void write_row(lvl_buffer *out, const lvl_cells *cells, const lvl_cell_name *names, uint32_t y,
                      uint32_t x, uint32_t count)
{
    enum { RUN = 1 + 10 + 1 + 10, ROOM = 64 * RUN }; /* a blank, a cell, a star, a count */
    const size_t size = cells->size, len = (size_t)count * size;
    const uint8_t *row = cells->ptr + ((size_t)y * cells->width + x) * size;

    lvl_buffer_u8(out, '"');
    for (size_t at = 0; at < len;) {
        if (!lvl_buffer_reserve(out, ROOM))
            return;
        uint8_t *p = out->data + out->len, *end = p + ROOM - RUN;
        while (at < len && p <= end) {
            size_t run = run_bytes(row + at, len - at, size);
            if (at)
                *p++ = ' ';
            p = put_cell(p, names, lvl_cell(cells, x + (uint32_t)(at / size), y));
            if (run > size) {
                *p++ = '*';
                p = put_digits(p, (uint32_t)(run / size));
            }
            at += run;
        }
        out->len = (size_t)(p - out->data);
    }
    lvl_buffer_u8(out, '"');
}

void lvl_write_cells(const lvl_emit *w, const lvl_cells *cells, const lvl_field *field,
                     const uint32_t region[4], unsigned indent)
{
    const bool empty = !cells->width || !cells->height;
    const uint32_t left = region ? region[0] : 0, top = region ? region[1] : 0;
    const uint32_t width = region ? region[2] - left + 1 : cells->width;
    const uint32_t height = region ? region[3] - top + 1 : cells->height;

    lvl_buffer_printf(w->out, "{\"width\":%lu,\"height\":%lu,", (unsigned long)width, (unsigned long)height);
    if (cells->size && cells->size != lvl_cell_size(field))
        lvl_buffer_printf(w->out, "\"size\":%lu,", (unsigned long)cells->size);
    lvl_buffer_str(w->out, "\"rows\":");
    if (!cells->ptr) {
        lvl_buffer_str(w->out, "null}");
        return;
    }
    lvl_buffer_u8(w->out, '[');
    for (uint32_t y = 0; !empty && y < height && w->out->status == LVL_OK; y++) {
        if (y)
            lvl_buffer_u8(w->out, ',');
        line_break(w, indent + 1);
        write_row(w->out, cells, field->cell_names, top + y, left, width);
    }
    if (!empty)
        line_break(w, indent);
    lvl_buffer_str(w->out, "]}");
}

/* ---- records and lists ------------------------------------------------------------------------------- */

/* The items of an unordered list in the order of their labels, so that equal content gives equal text
 * whichever program wrote the file; free() it. NULL: keep their order. */
static lvl_sort_key *in_order(const lvl_emit *w, const void *record, const lvl_field *f, uint32_t n)
{
    const lvl_field *label = w->no_kept && (f->flags & LVL_F_UNORDERED) ? lvl_label_of(f->table) : NULL;

    if (!label || label->kind != LVL_TEXT || n < 2)
        return NULL;
    lvl_sort_key *order = malloc((size_t)n * sizeof *order);
    if (!order) {
        w->out->status = LVL_ERR_MEMORY;
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = (lvl_sort_key){lvl_get_text(lvl_list_item(record, f, i), label), i};
    qsort(order, n, sizeof *order, lvl_sort_key_order);
    return order;
}

static void write_list(const lvl_emit *all, const void *record, const lvl_field *f, unsigned indent)
{
    lvl_emit emit = *all;
    const lvl_emit *w = &emit;

    emit.defaults = false;
    const uint32_t n = lvl_list_count(record, f);
    const bool lines = f->item == LVL_RECORD && n;
    const lvl_field item = lvl_item_field(f);
    lvl_sort_key *order = in_order(w, record, f, n);

    lvl_buffer_u8(w->out, '[');
    for (uint32_t i = 0; i < n && w->out->status == LVL_OK; i++) {
        if (i)
            lvl_buffer_u8(w->out, ',');
        if (lines)
            line_break(w, indent + 1);
        const void *at = lvl_list_item(record, f, order ? order[i].index : i);
        if (f->item == LVL_RECORD)
            lvl_write_record(w, at, f->table, indent + 1);
        else
            lvl_write_value(w, at, &item, indent + 1);
    }
    free(order);
    if (lines)
        line_break(w, indent);
    lvl_buffer_u8(w->out, ']');
}

/* Writes a late member as it is decoded; a damaged one as far as it can be decoded. */
static void write_late(const lvl_emit *w, const void *record, const lvl_field *f, unsigned indent)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    lvl_cells cells;
    lvl_status status;

    if (f->kind == LVL_BYTES) {
        status = lvl_doc_bytes(w->doc, record, f, &storage, &bytes);
        lvl_json_base64(w->out, bytes);
    } else {
        status = lvl_doc_cells(w->doc, record, f, &storage, &cells);
        lvl_write_cells(w, &cells, f, NULL, indent);
    }
    if ((status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT) && w->out->status == LVL_OK)
        w->out->status = status;
    lvl_buffer_free(&storage);
}

void lvl_write_value(const lvl_emit *w, const void *record, const lvl_field *f, unsigned indent)
{
    if (w->out->status == LVL_OK)
        w->out->status = lvl_charge(w->doc->ctx, 16);
    if (f->flags & LVL_F_LATE) {
        write_late(w, record, f, indent);
        return;
    }
    switch (f->kind) {
    case LVL_INT: write_int(w->out, f, lvl_get_int(record, f), true); break;
    case LVL_REAL: write_real(w->out, lvl_get_real(record, f)); break;
    case LVL_TEXT:
        if (is_lines(w, record, f))
            write_lines(w, lvl_get_text(record, f), indent);
        else
            write_text(w, lvl_get_text(record, f));
        break;
    case LVL_BYTES: lvl_json_base64(w->out, lvl_get_bytes(record, f)); break;
    case LVL_RECORD: lvl_write_record(w, lvl_get_record(record, f), f->table, indent); break;
    case LVL_LIST: write_list(w, record, f, indent); break;
    case LVL_CELLS: lvl_write_cells(w, lvl_get_cells(record, f), f, NULL, indent); break;
    }
}

/* Writes how a stream was made. False: its bytes are needed. */
static bool write_maker(const lvl_emit *w, const void *record, const lvl_field *f)
{
    const lvl_deflate_maker *m = f->flags & LVL_F_STREAM ? lvl_streams_maker(w->streams, record, f) : NULL;

    if (m)
        lvl_buffer_printf(w->out, "{\"%s\":%d,\"crc32\":%lu}", lvl_stream_library_name(m->library), m->level,
                          (unsigned long)m->crc);
    return m != NULL;
}

/* Writes the members that a dump includes: those with spelling, or all others. `any`: another member
 * precedes. */
static bool write_members(const lvl_emit *w, const void *record, const lvl_table *table, unsigned indent,
                          bool lines, bool kept, bool any)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if ((f->role == LVL_KEPT) != kept || !is_dumped(w, record, f))
            continue;
        if (any)
            lvl_buffer_u8(w->out, ',');
        any = true;
        if (lines)
            line_break(w, indent + 1);
        put_key(w, f->name, lines);
        if (!write_maker(w, record, f))
            lvl_write_value(w, record, f, indent + 1);
    }
    return any;
}

void lvl_write_record(const lvl_emit *w, const void *record, const lvl_table *table, unsigned indent)
{
    bool lines = is_long(w, record, table), any, kept = false;

    lvl_buffer_u8(w->out, '{');
    any = write_members(w, record, table, indent, lines, false, false);
    for (uint32_t i = 0; i < table->field_count && !kept; i++)
        kept = table->fields[i].role == LVL_KEPT && is_dumped(w, record, &table->fields[i]);
    if (kept) {
        if (any)
            lvl_buffer_u8(w->out, ',');
        any = true;
        if (lines)
            line_break(w, indent + 1);
        put_key(w, "~", lines);
        lvl_buffer_u8(w->out, '{');
        write_members(w, record, table, indent + 1, lines, true, false);
        if (lines)
            line_break(w, indent + 1);
        lvl_buffer_u8(w->out, '}');
    }
    if (lines && any)
        line_break(w, indent);
    lvl_buffer_u8(w->out, '}');
}

void lvl_write_plain(const lvl_emit *w, const void *record, const lvl_field *f)
{
    lvl_emit line = *w;

    line.compact = true;
    if (f->kind == LVL_INT)
        write_int(w->out, f, lvl_get_int(record, f), false);
    else if (f->kind == LVL_TEXT)
        lvl_text_to_utf8(w->out, w->page, lvl_get_text(record, f));
    else
        lvl_write_value(&line, record, f, 0);
}

void lvl_write_short(const lvl_emit *w, const void *record, const lvl_field *f)
{
    enum { MAX_SHOWN = 60 };
    lvl_buffer *t = w->out;
    size_t from = t->len;

    if (f->kind == LVL_CELLS) {
        const lvl_cells *c = lvl_get_cells(record, f);
        lvl_buffer_printf(t, "%lu x %lu cells%s", (unsigned long)c->width, (unsigned long)c->height,
                          c->ptr || (f->flags & LVL_F_LATE) ? "" : ", absent");
        return;
    }
    if (f->kind == LVL_LIST) {
        uint32_t n = lvl_list_count(record, f);
        lvl_buffer_printf(t, "%lu item%s", (unsigned long)n, n == 1 ? "" : "s");
        return;
    }
    if (f->kind == LVL_BYTES && (lvl_get_bytes(record, f).len > 16 || (f->flags & LVL_F_LATE))) {
        lvl_buffer_printf(t, "%zu bytes", lvl_get_bytes(record, f).len);
        return;
    }
    lvl_emit emit = *w;
    emit.compact = true;
    if (f->kind == LVL_BYTES) {
        lvl_json_hex(t, lvl_get_bytes(record, f));
    } else if (f->kind == LVL_INT) {
        lvl_write_plain(&emit, record, f);
        int64_t v = lvl_get_int(record, f);
        if ((f->flags & LVL_F_HEX) && !(f->flags & LVL_F_FLAGS) && (v > 9 || v < 0))
            lvl_buffer_printf(t, " (0x%llx)",
                              (unsigned long long)v &
                                  (f->size < 8 ? ((uint64_t)1 << f->size * 8) - 1 : UINT64_MAX));
        else if (!w->names_alone && f->names && !(f->flags & LVL_F_FLAGS) && lvl_name_of(f->names, v))
            lvl_buffer_printf(t, " (%lld)", (long long)v);
    } else {
        lvl_write_value(&emit, record, f, 0);
    }
    if (t->len > from + MAX_SHOWN) {
        t->len = lvl_text_cut(lvl_buffer_text(t), from + MAX_SHOWN - 3).len;
        lvl_buffer_str(t, "...");
    }
}

/* Adds the numbers of an inner record, as "point.x=5"; returns how many members are shown now. */
static unsigned summarize_inner(const lvl_emit *w, const void *record, const lvl_field *f, unsigned shown,
                                unsigned most)
{
    const void *inner = lvl_get_record(record, f);

    for (uint32_t i = 0; i < f->table->field_count && shown < most; i++) {
        const lvl_field *g = &f->table->fields[i];
        if ((g->kind != LVL_INT && g->kind != LVL_REAL) || g->role == LVL_DERIVED || g->role == LVL_KEPT ||
            !lvl_field_present(inner, g) || lvl_field_is_default(inner, g))
            continue;
        lvl_buffer_printf(w->out, "%s%s.%s=", shown ? ", " : ": ", f->name, g->name);
        lvl_write_short(w, inner, g);
        shown++;
    }
    return shown;
}

void lvl_write_summary(const lvl_emit *w, const void *record, const lvl_table *table, unsigned most)
{
    lvl_buffer *t = w->out;
    unsigned shown = 0;
    const lvl_field *label = lvl_label_of(table);

    lvl_buffer_str(t, table->name);
    if (label && !lvl_field_is_default(record, label)) {
        lvl_buffer_u8(t, ' ');
        lvl_write_short(w, record, label);
    }
    for (uint32_t i = 0; i < table->field_count && shown < most; i++) {
        const lvl_field *f = &table->fields[i];
        if (f == label || f->role == LVL_DERIVED || f->role == LVL_KEPT || f->kind == LVL_LIST ||
            f->kind == LVL_BYTES || !lvl_field_present(record, f) || lvl_field_is_default(record, f))
            continue;
        if (f->kind == LVL_RECORD) {
            shown = summarize_inner(w, record, f, shown, most);
            continue;
        }
        lvl_buffer_printf(t, "%s%s=", shown ? ", " : ": ", f->name);
        lvl_write_short(w, record, f);
        shown++;
    }
}

void lvl_write_item_of(const lvl_emit *w, const lvl_doc *doc, const lvl_where *where, uint32_t depth,
                       unsigned most)
{
    const void *record = doc->root, *item = NULL;
    const lvl_table *table = NULL;

    for (uint32_t i = 0; i < depth && record; i++) {
        const lvl_field *f = where->steps[i].field;
        const uint32_t index = where->steps[i].index;
        if (f->kind == LVL_RECORD) {
            record = lvl_get_record(record, f);
        } else if (f->kind == LVL_LIST && f->item == LVL_RECORD && index < lvl_list_count(record, f)) {
            record = item = lvl_list_item(record, f, index);
            table = f->table;
        } else {
            record = NULL;
        }
    }
    const lvl_field *label = item ? lvl_label_of(table) : NULL;
    if (item)
        lvl_write_summary(w, item, table, label && !lvl_field_is_default(item, label) ? 0 : most);
}

/* Writes the names of the set bits, numbers without a name as ranges: "zoom, mode or 7 to 9". */
static void put_values(lvl_buffer *out, const lvl_field *tag, uint64_t values)
{
    const char *gap = " ";

    for (int v = 0, end; v < 64; v = end) {
        const char *name = tag ? lvl_name_of(tag->names, v) : NULL;
        end = v + 1;
        if (!(values >> v & 1))
            continue;
        while (!name && end < 64 && values >> end & 1 && !(tag && lvl_name_of(tag->names, end)))
            end++;
        lvl_buffer_str(out, end < 64 && values >> end ? gap : *gap == ',' ? " or " : gap);
        gap = ", ";
        if (name)
            lvl_buffer_str(out, name);
        else if (end == v + 1)
            lvl_buffer_printf(out, "%d", v);
        else
            lvl_buffer_printf(out, "%d to %d", v, end - 1);
    }
}

const char *lvl_when_text(const lvl_table *table, const lvl_field *field, char *buf, size_t size)
{
    const lvl_field *tag = lvl_table_at(table, field->when.tag_offset);
    const uint64_t values = field->when.values, others = ~values;
    lvl_buffer text = {0};

    /* if most values are allowed, name the others */
    const bool most = values >> 63 && others && tag && tag->names;
    lvl_buffer_printf(&text, "while %s is%s", tag ? tag->name : "its tag", most ? " not" : "");
    put_values(&text, tag, most ? others : values);
    lvl_buffer_u8(&text, 0);
    snprintf(buf, size, "%s", text.status == LVL_OK ? (const char *)text.data : "");
    lvl_buffer_free(&text);
    return buf;
}
