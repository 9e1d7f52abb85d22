/*
 * tools/edit/value.c: see tools/edit/value.h.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tools/edit/value.h"
#include "tools/paths/meaning.h"

#include <stdio.h>
#include <string.h>

/* ---- a value as JSON --------------------------------------------------------------------------------- */

/* Reports that a record is expected, with an example. */
static void want_record(lvl_editor *e, const lvl_table *table)
{
    enum { MAX_FIELDS = 4 };
    lvl_buffer like = {0};

    for (uint32_t i = 0; i < table->field_count && i < MAX_FIELDS; i++)
        lvl_buffer_printf(&like, "%s\"%s\":…", i ? "," : "", table->fields[i].name);
    lvl_load_fail(&e->load, LVL_FAULT_JSON, "expected a record, as {%.*s%s}, or one of its fields (….%s=…)",
                  like.status == LVL_OK ? (int)like.len : 0, like.data ? (const char *)like.data : "",
                  table->field_count > MAX_FIELDS ? ",…" : "", table->fields[0].name);
    lvl_buffer_free(&like);
}

/* Reports why a value is no JSON. */
static void report_json(lvl_editor *e, const lvl_field *f, lvl_text text, const lvl_json_error *error)
{
    const bool is_object = text.len && text.ptr[0] == '{';

    if (error->status != LVL_ERR_FORMAT)
        e->load.status = error->status;
    else if (f->kind == LVL_RECORD && !is_object)
        want_record(e, f->table);
    else
        lvl_load_fail(&e->load, LVL_FAULT_JSON, "expected JSON; at character %zu: %s", error->offset + 1,
                      error->text);
}

yyjson_val *lvl_editor_json(lvl_editor *e, const lvl_field *f, lvl_edit_value *v)
{
    lvl_json_error error;

    if (!v->tree)
        v->tree = lvl_json_read(e->load.doc->ctx, v->text, &error);
    if (v->tree)
        return yyjson_doc_get_root(v->tree);
    report_json(e, f, v->text, &error);
    return NULL;
}

/* ---- set --------------------------------------------------------------------------------------------- */

/* A hint for a value that begins or ends with a blank. */
static const char *blank_hint(lvl_text text)
{
    return text.len && (text.ptr[0] == ' ' || text.ptr[text.len - 1] == ' ')
               ? "; write no blanks around the ="
               : "";
}

/* The names of an integer's values, if they all fit. */
static bool list_names(const lvl_name *names, char *out, size_t size)
{
    size_t len = 0;

    for (const lvl_name *n = names; n->name; n++) {
        const int more = snprintf(out + len, size - len, "%s%s", len ? ", " : "", n->name);
        if (more < 0 || (size_t)more >= size - len)
            return false;
        len += (size_t)more;
    }
    return len != 0;
}

static void set_int(lvl_editor *e, void *record, const lvl_field *f, lvl_edit_value *v)
{
    int64_t number;
    char buf[80];

    if (v->text.len && v->text.ptr[0] == '"') {
        yyjson_val *val = lvl_editor_json(e, f, v);
        if (val)
            lvl_load_value(&e->load, record, f, val);
        return;
    }
    if (lvl_int_parse(f, v->text, &number)) {
        lvl_put_int(record, f, number);
        return;
    }
    if (lvl_field_is_switch(f)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected yes or no (1 or 0, true or false), got \"%s\"%s",
                      lvl_show(buf, v->text), blank_hint(v->text));
        return;
    }
    char near[160];
    lvl_meaning_near(f->names, v->text, near, sizeof near);
    const bool flags = (f->flags & LVL_F_FLAGS) != 0;
    char names[320];
    if (f->names && (!near[0] || flags) && list_names(f->names, names, flags ? sizeof names : 160)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected %s: %s; or a number that fits; got \"%s\"%s",
                      flags ? "names joined by |, of" : "one of", names, lvl_show(buf, v->text),
                      blank_hint(v->text));
        return;
    }
    lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected %s%s%u-bit %sinteger, got \"%s\"%s%s%s%s",
                  f->names ? "a name or " : "", f->size == 1 ? "an " : "a ", (unsigned)f->size * 8,
                  f->flags & LVL_F_SIGNED ? "" : "unsigned ", lvl_show(buf, v->text),
                  near[0] ? "; did you mean " : "", near, near[0] ? "?" : "", blank_hint(v->text));
}

static void set_real(lvl_editor *e, void *record, const lvl_field *f, const lvl_edit_value *v)
{
    double number;
    char buf[80];

    if (lvl_real_parse(v->text, &number))
        memcpy((uint8_t *)record + f->offset, &number, sizeof number);
    else
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a finite number, got \"%s\"",
                      lvl_show(buf, v->text));
}

void lvl_editor_set_scalar(lvl_editor *e, void *record, const lvl_field *f, lvl_edit_value *v)
{
    const char first = v->text.len ? v->text.ptr[0] : 0;
    yyjson_val *val;

    if (!lvl_editor_note_member(e, record, f))
        return;
    if (f->kind == LVL_INT) {
        set_int(e, record, f, v);
        return;
    }
    if (f->kind == LVL_REAL && first != '{') {
        set_real(e, record, f, v);
        return;
    }
    if (f->kind == LVL_TEXT && first != '"' &&
        !(first == '{' && v->text.len > 9 && memcmp(v->text.ptr, "{\"base64\"", 9) == 0)) {
        lvl_load_text(&e->load, record, f, v->text);
    } else if ((val = lvl_editor_json(e, f, v))) {
        lvl_load_value(&e->load, record, f, val);
    }
    /* games need a NUL at the end of a slot */
    if (e->load.status == LVL_OK && f->kind == LVL_TEXT && (f->flags & LVL_F_SLOT) &&
        lvl_get_text(record, f).len == f->size)
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "the text is too long; at most %lu bytes fit",
                      (unsigned long)f->size - 1);
}

/* ---- +=, -= and *= ----------------------------------------------------------------------------------- */

/* Multiplies an integer by a real number and rounds; false if the result does not fit. */
static bool multiply(const lvl_field *f, int64_t was, lvl_text by, int64_t *now)
{
    const double most = 9007199254740992.0; /* 2^53: up to there a double has every integer */
    double factor;

    if (!lvl_real_parse(by, &factor))
        return false;
    const double product = (double)was * factor;
    if (was > (int64_t)most || was < -(int64_t)most || !(product >= -most && product <= most))
        return false;
    *now = (int64_t)(product < 0 ? product - 0.5 : product + 0.5);
    return lvl_int_fits(f, *now);
}

void lvl_editor_add_int(lvl_editor *e, void *record, const lvl_field *f, const lvl_edit_value *v, char op)
{
    const int64_t was = lvl_get_int(record, f);
    int64_t by = 0, now = was;
    const bool take = op == '-';
    char buf[80];

    bool good = !lvl_field_is_switch(f) && (op == '*' || lvl_int_parse(f, v->text, &by));
    if (op == '*') {
        good = good && !(f->flags & LVL_F_FLAGS) && multiply(f, was, v->text, &now);
    } else if (f->flags & LVL_F_FLAGS) {
        now = take ? was & ~by : was | by;
    } else {
        if (take && by == INT64_MIN)
            good = false;
        by = take && good ? -by : by;
        good = good && (by > 0 ? was <= INT64_MAX - by : was >= INT64_MIN - by);
        now = good ? was + by : was;
        good = good && lvl_int_fits(f, now);
    }
    if (!good)
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "%s cannot be changed by \"%s\"", f->name,
                      lvl_show(buf, v->text));
    else if (lvl_editor_note_member(e, record, f))
        lvl_put_int(record, f, now);
}

void lvl_editor_add_real(lvl_editor *e, void *record, const lvl_field *f, const lvl_edit_value *v, char op)
{
    double by;
    char buf[80];

    if (!lvl_real_parse(v->text, &by)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a finite number, got \"%s\"",
                      lvl_show(buf, v->text));
    } else {
        const double was = lvl_get_real(record, f);
        by = op == '*' ? was * by : op == '-' ? was - by : was + by;
        if (by - by != 0)
            lvl_load_fail(&e->load, LVL_FAULT_VALUE, "%s cannot be changed by \"%s\"", f->name,
                          lvl_show(buf, v->text));
        else if (lvl_editor_note_member(e, record, f))
            memcpy((uint8_t *)record + f->offset, &by, sizeof by);
    }
}
