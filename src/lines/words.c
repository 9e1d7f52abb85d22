/*
 * lines/words.c: lines of text formats: words, numbers, and reading and writing a line by its description.
 */
#include "lines/words.h"

#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"
#include "base/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_DIGITS = 15 }; /* decimals of up to 15 digits, and their powers of ten, are exact in a double */

static const double powers[EXACT_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* ---- splitting ----------------------------------------------------------------------------------- */

lvl_text lvl_text_trim(lvl_text t)
{
    while (t.len && lvl_is_blank(t.ptr[t.len - 1]))
        t.len--;
    while (t.len && lvl_is_blank(*t.ptr)) {
        t.ptr++;
        t.len--;
    }
    return t;
}

void lvl_words_split(const char *line, size_t len, lvl_words *out)
{
    const char *p = line, *end = len ? line + len : line;

    out->count = 0;
    for (lvl_text word; (word = lvl_next_word(&p, end)).len;) {
        if (out->count == LVL_WORDS) {
            lvl_text *last = &out->word[LVL_WORDS - 1];
            *last = lvl_text_trim((lvl_text){last->ptr, (size_t)(end - last->ptr)});
            return;
        }
        out->word[out->count++] = word;
    }
}

/* ---- numbers ------------------------------------------------------------------------------------- */

/* Reads an integer: true if the whole word is one that fits the field. Otherwise *out is the nearest value
 * that fits, of the digits at the start of the word. */
static bool word_int(lvl_text word, const lvl_field *field, int64_t *out)
{
    const int64_t most = INT64_MAX / 16;
    const char *p = word.ptr, *end = p + word.len;
    const bool negative = word.len && *p == '-';
    int64_t v = 0;

    if (negative || (word.len && *p == '+'))
        p++;
    const char *digits = p;
    for (; p < end && lvl_is_digit(*p) && v < most; p++)
        v = v * 10 + (*p - '0');
    const bool whole = p == end && p > digits && v < most;
    v = negative ? -v : v;
    if (lvl_int_fits(field, v)) {
        *out = v;
        return whole;
    }
    const unsigned bits = field->size * 8 - ((field->flags & LVL_F_SIGNED) != 0);
    const int64_t highest = bits >= 63 ? INT64_MAX : (int64_t)(((uint64_t)1 << bits) - 1);
    *out = !negative ? highest : field->flags & LVL_F_SIGNED ? -highest - 1 : 0;
    return false;
}

bool lvl_word_int32(lvl_text word, int32_t *out)
{
    static const lvl_field field = {.kind = LVL_INT, .flags = LVL_F_SIGNED, .size = sizeof *out};
    int64_t v;

    *out = 0;
    if (!word.len) /* perhaps NULL */
        return false;
    if (lvl_small_int(word.ptr, word.ptr + word.len, out))
        return true;
    const bool whole = word_int(word, &field, &v);
    *out = (int32_t)v;
    return whole;
}

bool lvl_word_real(lvl_text word, double *out)
{
    int32_t small;

    *out = 0;
    if (!word.len) /* perhaps NULL */
        return false;
    if (lvl_small_int(word.ptr, word.ptr + word.len, &small)) {
        *out = small;
        return true;
    }
    const bool whole = lvl_real_prefix(word, out) == word.len;
    if (!isfinite(*out))
        *out = *out < 0 ? -0.0 : 0;
    return whole;
}

/* Appends the decimal with the fewest digits after the point that reads back as the value; false, and
 * nothing is appended, if it needs more than 15 digits. */
static bool put_short_real(lvl_buffer *out, double value)
{
    const double size = fabs(value);

    for (unsigned k = 0; k <= EXACT_DIGITS && size * powers[k] < 1e15; k++) {
        const uint64_t v = (uint64_t)(size * powers[k] + 0.5);
        if ((double)v / powers[k] != size)
            continue;
        char text[40], *p = text + sizeof text;
        uint64_t rest = v;
        for (unsigned i = 0; i < k || rest || i == k; i++) {
            if (i == k && k)
                *--p = '.';
            *--p = (char)('0' + rest % 10);
            rest /= 10;
        }
        if (signbit(value))
            *--p = '-';
        lvl_buffer_add(out, p, (size_t)(text + sizeof text - p));
        return true;
    }
    return false;
}

void lvl_put_real_word(lvl_buffer *out, double value)
{
    const size_t at = out->len;

    /* most are small whole numbers; -0 is not one */
    if (value > -1e9 && value < 1e9 && value == (int32_t)value && (value != 0 || !signbit(value))) {
        lvl_json_int(out, (int32_t)value);
        return;
    }
    if (put_short_real(out, isfinite(value) ? value : 0))
        return;
    lvl_json_real(out, value);
    /* JSON needs a fraction here, a line does not */
    if (out->status == LVL_OK && out->len > at + 2 && memcmp(out->data + out->len - 2, ".0", 2) == 0)
        out->len -= 2;
}

/* ---- descriptions -------------------------------------------------------------------------------- */

static const lvl_field *find_field(const lvl_table *table, const char *name, size_t len)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const char *other = table->fields[i].name;
        if (*other == *name && strncmp(other, name, len) == 0 && !other[len])
            return &table->fields[i];
    }
    return NULL;
}

static lvl_word_form form_of(char mark)
{
    return mark == '#'   ? LVL_WORD_NUMBER
           : mark == '-' ? LVL_WORD_DASH
           : mark == '!' ? LVL_WORD_SWITCH
           : mark == '+' ? LVL_WORD_JOINED
           : mark == '~' ? LVL_WORD_REST
                         : LVL_WORD;
}

static lvl_word_plain plain_of(const lvl_member *m)
{
    const lvl_field *f = m->field;

    if (f && f->kind == LVL_TEXT && m->form != LVL_WORD_DASH)
        return LVL_PLAIN_TEXT;
    return f && f->kind == LVL_INT && m->form != LVL_WORD_SWITCH && !f->names && f->size == sizeof(int32_t) &&
                   f->flags & LVL_F_SIGNED
               ? LVL_PLAIN_INT
               : LVL_PLAIN_NOT;
}

void lvl_line_form_of(const char *words, const lvl_table *table, lvl_line_form *out)
{
    bool optional = false, wide = false;

    out->count = out->required = out->wide = 0;
    out->wide_takes_most = out->list = false;
    out->sign = 0;
    out->columns = 0;
    words = words ? words : "";
    for (const char *p = words, *end; *p && out->count < LVL_MEMBERS; p = end) {
        lvl_member *m = &out->member[out->count];
        for (; *p && strchr(" [=,:", *p); p++) {
            optional |= *p == '[';
            out->sign = *p == '=' ? out->count + 1 : out->sign;
            out->columns = *p == ',' || *p == ':' ? *p : out->columns;
        }
        *m = (lvl_member){.optional = optional, .form = form_of(*p)};
        p += m->form != LVL_WORD;
        for (end = p; *end == '_' || (*end >= 'a' && *end <= 'z');)
            end++;
        m->field = find_field(table, p, (size_t)(end - p));
        if (m->form == LVL_WORD_SWITCH)
            m->value = *end == '=' ? (uint8_t)(end[1] - '0') : 1;
        for (const char *digit = end + 1; *end == ':' && lvl_is_digit(*digit); digit++)
            m->columns = (uint8_t)(m->columns * 10 + (*digit - '0'));
        if (*end == '.' || m->form == LVL_WORD_REST) {
            wide = true;
            out->wide = out->count;
            out->wide_takes_most = *end == '.' && end[2] == '.';
        } else if (*end == ',') {
            m->form = LVL_WORD_LIST;
            out->list = true;
        }
        m->plain = plain_of(m);
        while (*end && *end != ' ')
            end++;
        out->required +=
            !optional && !out->sign && m->form != LVL_WORD_SWITCH && m->form != LVL_WORD_REST && !out->list;
        out->count += m->field != NULL;
    }
    if (!wide)
        out->wide = out->count;
    if (out->sign) /* values may be empty */
        out->required = 0;
}

/* The value of a word that is one of the member's names. */
static bool find_name(const lvl_field *f, lvl_text word, int64_t *value)
{
    for (const lvl_name *n = f->names; n && n->name; n++) {
        if (lvl_text_is(word, n->name)) {
            *value = n->value;
            return true;
        }
    }
    return false;
}

static bool word_fits(const lvl_member *m, lvl_text word)
{
    const lvl_field *f = m->field;
    int64_t v;
    double d;

    if (f->kind == LVL_REAL)
        return lvl_word_real(word, &d);
    return f->kind != LVL_INT || word_int(word, f, &v) || find_name(f, word, &v);
}

/* How many of these words the wide member takes, which begins with the first one. */
static unsigned wide_words(const lvl_line_form *form, const lvl_words *w)
{
    const unsigned after = form->count - form->wide - 1;
    unsigned required = 0;

    for (unsigned i = form->wide + 1; i < form->count; i++)
        required += !form->member[i].optional;
    if (w->count <= 1 + required)
        return 1;
    for (unsigned n = 1; n + required <= w->count; n++) {
        const unsigned left = w->count - n;
        bool fits = left <= after;
        for (unsigned i = 0; fits && i < left; i++)
            fits = word_fits(&form->member[form->wide + 1 + i], w->word[n + i]);
        if (fits)
            return n;
    }
    return form->wide_takes_most ? w->count - required : 1;
}

/* The text of the wide member, which begins at `p` with a word. */
static lvl_text wide_text(const lvl_line_form *form, const char *p, const char *end)
{
    lvl_words words;

    if (form->wide + 1 == form->count) {
        while (lvl_is_blank(end[-1]))
            end--;
        return (lvl_text){p, (size_t)(end - p)};
    }
    lvl_words_split(p, (size_t)(end - p), &words);
    if (!words.count)
        return (lvl_text){p, 0}; /* never: a word begins at `p` */
    const lvl_text *last = &words.word[wide_words(form, &words) - 1];
    return (lvl_text){p, (size_t)(last->ptr + last->len - p)};
}

/* ---- lists --------------------------------------------------------------------------------------- */

bool lvl_names_next(lvl_text t, size_t *from, lvl_text *out)
{
    const size_t at = *from;

    if (at > t.len || (!at && !lvl_text_trim(t).len)) /* the text may end in many blanks */
        return false;
    const char *comma = at < t.len ? memchr(t.ptr + at, ',', t.len - at) : NULL;
    const size_t end = comma ? (size_t)(comma - t.ptr) : t.len;
    *out = lvl_text_trim((lvl_text){t.ptr + at, end - at});
    *from = end + 1;
    return true;
}

bool lvl_list_next(lvl_text t, size_t *from, lvl_list_item_view *out)
{
    const char *p = t.ptr;
    size_t at = *from;

    *out = (lvl_list_item_view){{NULL, 0}, false, false, false};
    while (at < t.len && (lvl_is_blank(p[at]) || p[at] == '\n'))
        at++;
    if (at >= t.len)
        return false;
    size_t begin = at;
    if (p[at] == '"') {
        begin = ++at;
        while (at < t.len && (p[at] != '"' || (at + 1 < t.len && p[at + 1] == '"'))) {
            out->doubled |= p[at] == '"';
            at += p[at] == '"' ? 2 : 1;
        }
        out->open = at >= t.len;
        out->text = (lvl_text){p + begin, at - begin};
        while (out->open && out->text.len && lvl_is_blank(p[begin + out->text.len - 1]))
            out->text.len--;
        for (; at < t.len && p[at] != ','; at++)
            out->more |= p[at] != '"' && !lvl_is_blank(p[at]) && p[at] != '\n';
    } else {
        while (at < t.len && p[at] != ',' && p[at] != '\n')
            at++;
        out->text = lvl_text_trim((lvl_text){p + begin, at - begin});
    }
    *from = at + (at < t.len);
    return true;
}

static lvl_status read_text_item(lvl_arena *arena, const lvl_list_item_view *item, lvl_text *out)
{
    *out = item->text;
    if (!item->doubled)
        return LVL_OK;
    char *to = lvl_arena_raw(arena, item->text.len);
    if (!to)
        return LVL_ERR_MEMORY;
    *out = (lvl_text){to, 0};
    for (size_t i = 0; i < item->text.len; i++) {
        to[out->len++] = item->text.ptr[i];
        i += item->text.ptr[i] == '"';
    }
    return LVL_OK;
}

static bool next_item(bool quoted, lvl_text text, size_t *at, lvl_list_item_view *out)
{
    *out = (lvl_list_item_view){{NULL, 0}, false, false, false};
    return quoted ? lvl_list_next(text, at, out) : lvl_names_next(text, at, &out->text);
}

static lvl_status read_list(const lvl_line_store *store, bool quoted, lvl_text text, void *record,
                            const lvl_field *field, unsigned *problems)
{
    lvl_status status = LVL_OK;
    uint32_t count = 0;
    lvl_list_item_view item;

    for (size_t at = 0; count < UINT32_MAX && next_item(quoted, text, &at, &item);)
        count++;
    if (count > store->items)
        return lvl_refuse(store->arena->ctx, LVL_LIMIT_ITEMS, store->items, count);
    uint8_t *items = lvl_arena_array(store->arena, count, field->item_size);
    if (!items)
        return LVL_ERR_MEMORY;
    memcpy((uint8_t *)record + field->offset, &items, sizeof items);
    memcpy((uint8_t *)record + field->count_offset, &count, sizeof count);
    for (size_t at = 0; count && status == LVL_OK; count--, items += field->item_size) {
        next_item(quoted, text, &at, &item);
        *problems |= (item.open ? LVL_WORDS_QUOTE : 0) | (item.more ? LVL_WORDS_MORE : 0);
        if (field->item == LVL_TEXT)
            status = read_text_item(store->arena, &item, (lvl_text *)(void *)items);
        else if (!lvl_word_real(item.text, (double *)(void *)items))
            *problems |= LVL_WORDS_NUMBER;
    }
    return status;
}

lvl_status lvl_list_read(const lvl_line_store *store, lvl_text text, void *record, const lvl_field *field,
                         unsigned *problems)
{
    return read_list(store, true, text, record, field, problems);
}

static void put_quoted(lvl_text t, lvl_buffer *out)
{
    lvl_buffer_u8(out, '"');
    for (size_t at = 0; at < t.len;) {
        const char *quote = memchr(t.ptr + at, '"', t.len - at);
        const size_t n = quote ? (size_t)(quote - t.ptr) - at + 1 : t.len - at;
        lvl_buffer_add(out, t.ptr + at, n);
        if (quote)
            lvl_buffer_u8(out, '"');
        at += n;
    }
    lvl_buffer_u8(out, '"');
}

static void put_list(const void *record, const lvl_field *field, bool quoted, lvl_buffer *out)
{
    for (uint32_t i = 0; i < lvl_list_count(record, field); i++) {
        const void *item = lvl_list_item(record, field, i);
        if (i)
            lvl_buffer_u8(out, ',');
        if (field->item == LVL_TEXT && quoted)
            put_quoted(*(const lvl_text *)item, out);
        else if (field->item == LVL_TEXT)
            lvl_buffer_add(out, ((const lvl_text *)item)->ptr, ((const lvl_text *)item)->len);
        else
            lvl_put_real_word(out, *(const double *)item);
    }
}

/* ---- reading ------------------------------------------------------------------------------------- */

static unsigned read_int(const lvl_member *m, lvl_text word, void *record)
{
    const lvl_field *f = m->field;
    int64_t v;

    if (find_name(f, word, &v)) {
        lvl_put_int(record, f, v);
        return 0;
    }
    const bool number = word_int(word, f, &v);
    if (!f->names) {
        lvl_put_int(record, f, v);
        return number ? 0 : LVL_WORDS_NUMBER;
    }
    lvl_put_int(record, f, number ? v : -1);
    return !number ? LVL_WORDS_NAME : lvl_name_of(f->names, v) ? 0 : LVL_WORDS_UNNAMED;
}

static unsigned read_member(const lvl_member *m, lvl_text word, void *record)
{
    uint8_t *to = (uint8_t *)record + m->field->offset;

    if (m->field->kind == LVL_INT)
        return read_int(m, word, record);
    if (m->field->kind == LVL_TEXT) {
        if (m->form == LVL_WORD_DASH && lvl_text_is(word, "-"))
            word.len = 0;
        memcpy(to, &word, sizeof word);
        return 0;
    }
    double v;
    const bool good = lvl_word_real(word, &v);
    memcpy(to, &v, sizeof v);
    return good ? 0 : LVL_WORDS_NUMBER;
}

/* The first member after the equals sign, or of the line. */
static unsigned first_of(const lvl_line_form *form)
{
    return form->sign ? form->sign - 1 : 0;
}

/* The text after the equals sign, if the line has one; the member before it is read. */
static lvl_text take_sign(const lvl_line_form *form, lvl_text text, void *record, lvl_text *found,
                          unsigned *problems)
{
    const char *sign = form->sign && text.len ? memchr(text.ptr, '=', text.len) : NULL;
    const size_t len = sign ? (size_t)(sign - text.ptr) : text.len;

    if (!form->sign)
        return text;
    const lvl_text before = lvl_text_trim((lvl_text){text.ptr, len});
    const bool member = first_of(form) != 0;
    if (!sign || member != (before.len != 0))
        *problems |= LVL_WORDS_FEW;
    if (member)
        found[0] = before;
    if (member && record)
        *problems |= read_member(&form->member[0], before, record);
    return (lvl_text){text.ptr + len + (sign != NULL), text.len - len - (sign != NULL)};
}

/* Finds each member's part of the line (ptr NULL: it has none), and reads it unless `record` is NULL. Returns
 * LVL_WORDS_… */
static unsigned take_words(const lvl_line_form *form, lvl_text text, void *record, lvl_text *found)
{
    const lvl_member *const last = form->member + form->count, *const wide = form->member + form->wide;
    const char *p = text.ptr, *end = p + text.len, *after;
    unsigned words = 0, problems = 0;
    int32_t small;

    found += first_of(form);
    for (const lvl_member *m = form->member + first_of(form); m < last; m++, found++) {
        *found = (lvl_text){NULL, 0};
        if (m->form == LVL_WORD_SWITCH) {
            if (record)
                lvl_put_int(record, m->field, m->value);
            continue;
        }
        p = lvl_skip_blanks(p, end);
        if (p == end)
            continue;
        words++;
        if (m->plain == LVL_PLAIN_INT && record && (after = lvl_small_int(p, end, &small)) != NULL) {
            memcpy((uint8_t *)record + m->field->offset, &small, sizeof small);
            *found = (lvl_text){p, (size_t)(after - p)};
            p = after;
            continue;
        }
        *found = m == wide ? wide_text(form, p, end) : lvl_word_at(p, end);
        p += found->len;
        if (record && m->plain == LVL_PLAIN_TEXT)
            memcpy((uint8_t *)record + m->field->offset, found, sizeof *found);
        else if (record)
            problems |= read_member(m, *found, record);
    }
    problems |= lvl_skip_blanks(p, end) < end ? LVL_WORDS_MORE : 0U;
    return problems | (words < form->required ? LVL_WORDS_FEW : 0U);
}

/* The next column from *at on, without blanks around it; false at the end. */
static bool next_column(char separator, const char **at, const char *end, lvl_text *out)
{
    const char *p = *at;

    if (!p)
        return false;
    const char *comma = p < end ? memchr(p, separator, (size_t)(end - p)) : NULL;
    *out = lvl_text_trim((lvl_text){p, (size_t)((comma ? comma : end) - p)});
    *at = comma ? comma + 1 : NULL;
    return true;
}

/* The same for columns: a member whose column is empty keeps its default. */
static unsigned take_columns(const lvl_line_form *form, lvl_text text, void *record, lvl_text *found)
{
    const char *p = text.ptr, *end = p + text.len;
    unsigned columns = 0, problems = 0;
    lvl_text column;

    for (unsigned i = first_of(form); i < form->count; i++) {
        found[i] = (lvl_text){NULL, 0};
        if (!next_column(form->columns, &p, end, &column))
            continue;
        columns++;
        if (!column.len)
            continue;
        found[i] = column;
        if (record)
            problems |= read_member(&form->member[i], column, record);
    }
    problems |= next_column(form->columns, &p, end, &column) ? LVL_WORDS_MORE : 0U;
    return problems | (columns < form->required ? LVL_WORDS_FEW : 0U);
}

/* Whether a text has that many words, or columns. */
static bool has_words(const lvl_line_form *form, lvl_text text, unsigned count)
{
    const char *p = text.ptr, *end = p + text.len;
    lvl_text column;

    while (count &&
           (form->columns ? next_column(form->columns, &p, end, &column) : lvl_next_word(&p, end).len != 0))
        count--;
    return !count;
}

bool lvl_line_fits(const lvl_line_form *form, lvl_text text, bool strict)
{
    lvl_text found[LVL_MEMBERS];
    unsigned problems = 0;

    take_sign(form, text, NULL, found, &problems);
    if (form->sign || form->list || !strict)
        return !problems && (form->sign || form->list || has_words(form, text, form->required));
    bool fits = (form->columns ? take_columns : take_words)(form, text, NULL, found) == 0;
    for (unsigned i = 0; fits && i < form->count; i++)
        fits = !found[i].ptr || word_fits(&form->member[i], found[i]);
    return fits;
}

lvl_status lvl_line_read(const lvl_line_form *form, const lvl_line_store *store, lvl_text text, void *record,
                         unsigned *problems, lvl_text found[LVL_MEMBERS])
{
    *problems = 0;
    text = take_sign(form, text, record, found, problems);
    if (form->list) {
        found[0] = lvl_text_trim(text);
        return read_list(store, !form->sign, text, record, form->member[0].field, problems);
    }
    *problems |=
        form->columns ? take_columns(form, text, record, found) : take_words(form, text, record, found);
    return LVL_OK;
}

/* ---- writing ------------------------------------------------------------------------------------- */

bool lvl_line_is_default(const lvl_line_form *form, const void *record)
{
    for (unsigned i = 0; i < form->count; i++) {
        if (!lvl_field_is_default(record, form->member[i].field))
            return false;
    }
    return true;
}

bool lvl_line_equal(const lvl_line_form *form, const void *a, const void *b)
{
    bool same = true;

    for (unsigned i = 0; i < form->count && same; i++)
        same = lvl_member_equal(a, b, form->member[i].field);
    return same;
}

static void put_member(const lvl_member *m, const void *record, lvl_buffer *out)
{
    const lvl_field *f = m->field;

    if (f->kind == LVL_TEXT) {
        const lvl_text t = lvl_get_text(record, f);
        if (!t.len && m->form == LVL_WORD_DASH)
            lvl_buffer_u8(out, '-');
        lvl_buffer_add(out, t.ptr, t.len);
    } else if (f->kind == LVL_REAL) {
        lvl_put_real_word(out, lvl_get_real(record, f));
    } else {
        const char *name = m->form == LVL_WORD ? lvl_name_of(f->names, lvl_get_int(record, f)) : NULL;
        if (name)
            lvl_buffer_str(out, name);
        else
            lvl_json_int(out, lvl_get_int(record, f));
    }
}

void lvl_buffer_align(lvl_buffer *out, size_t at, size_t columns)
{
    const size_t len = out->len - at;

    if (out->status != LVL_OK || len >= columns)
        return;
    lvl_buffer_fill(out, ' ', columns - len);
    if (out->status != LVL_OK || !len)
        return;
    memmove(out->data + at + columns - len, out->data + at, len);
    memset(out->data + at, ' ', columns - len);
}

/* Whether the line ends before a member: a word that would be empty, and defaults. */
static bool ends_before(const lvl_line_form *form, unsigned i, const void *record)
{
    const lvl_member *m = &form->member[i];
    bool ends = m->form == LVL_WORD && m->field->kind == LVL_TEXT && !lvl_get_text(record, m->field).len;

    for (; ends && i < form->count; i++)
        ends = lvl_field_is_default(record, form->member[i].field);
    return ends;
}

static void put_words(const lvl_line_form *form, bool optional, const void *record, lvl_buffer *out)
{
    for (unsigned i = first_of(form); i < form->count; i++) {
        if (ends_before(form, i, record))
            return;
        if (form->member[i].form == LVL_WORD_SWITCH || form->member[i].optional != optional)
            continue;
        if (form->member[i].form != LVL_WORD_JOINED)
            lvl_buffer_u8(out, ' ');
        const size_t at = out->len;
        put_member(&form->member[i], record, out);
        lvl_buffer_align(out, at, form->member[i].columns);
    }
}

static void put_columns(const lvl_line_form *form, const void *record, lvl_buffer *out)
{
    unsigned count = form->count;

    for (bool plain = true; plain && count && form->member[count - 1].optional; count -= plain)
        plain = lvl_field_is_default(record, form->member[count - 1].field);
    for (unsigned i = first_of(form); i < count; i++) {
        if (i > first_of(form))
            lvl_buffer_u8(out, (uint8_t)form->columns);
        put_member(&form->member[i], record, out);
    }
}

/* Whether the words from `at` on read as a wide member that holds what the record's does. */
static bool wide_holds(const lvl_line_form *form, const void *record, const lvl_buffer *out, size_t at)
{
    lvl_text found[LVL_MEMBERS];

    if (form->wide == form->count || out->status != LVL_OK)
        return true;
    const lvl_text want = lvl_get_text(record, form->member[form->wide].field);
    if (!want.len || !memchr(want.ptr, ' ', want.len))
        return true;
    if (take_words(form, (lvl_text){(const char *)out->data + at, out->len - at}, NULL, found) &
        LVL_WORDS_FEW)
        return true; /* it consists of blanks */
    return lvl_text_equal(found[form->wide], want);
}

void lvl_line_put(const lvl_line_form *form, const char *keyword, const void *record, lvl_buffer *out)
{
    bool optional = false;

    if (keyword)
        lvl_buffer_str(out, keyword);
    if (first_of(form))
        put_member(&form->member[0], record, out);
    if (form->sign)
        lvl_buffer_str(out, form->list ? " = " : " =");
    if (form->list) {
        put_list(record, form->member[0].field, !form->sign, out);
        return;
    }
    if (form->columns) {
        if (keyword)
            lvl_buffer_u8(out, ' ');
        put_columns(form, record, out);
        return;
    }
    const size_t at = out->len;
    put_words(form, false, record, out);
    for (unsigned i = 0; i < form->count; i++)
        optional |= form->member[i].optional && !lvl_field_is_default(record, form->member[i].field);
    /* "NPC stone 2 30 30": without the optional words, 2 would not belong to the name */
    if (optional || !wide_holds(form, record, out, at))
        put_words(form, true, record, out);
}
