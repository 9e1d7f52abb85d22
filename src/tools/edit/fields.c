/*
 * tools/edit/fields.c: fields that come and go when the value that decides on them is set or unset.
 */
#include "base/buffer.h"
#include "tools/edit/edit.h"

bool lvl_match_is_absent(const lvl_match *m)
{
    return m->field && !lvl_field_present(m->record, m->field);
}

const lvl_table *lvl_match_table(const lvl_editor *e, const lvl_match *m)
{
    return m->where.depth > 1 ? m->where.steps[m->where.depth - 2].field->table : e->load.doc->format->table;
}

/* Whether another field of the record exists only with certain values of this one. */
static bool is_decided_by(const lvl_field *field, const lvl_field *tag)
{
    return field->when.tag_size && field->when.tag_offset == tag->offset && field->role != LVL_DERIVED &&
           field->role != LVL_KEPT;
}

int64_t lvl_editor_tag_value(const void *record, const lvl_field *field)
{
    return field->kind == LVL_INT ? lvl_get_int(record, field) : 0;
}

static void warn_dropped(lvl_editor *e, const void *record, const lvl_table *table, const lvl_field *field)
{
    lvl_buffer shown = {0};
    lvl_emit emit = lvl_emit_of(e->load.doc, &shown);
    char when[200];

    lvl_write_short(&emit, record, field);
    if (shown.status == LVL_OK)
        lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_FIELD_DROPPED], &e->load.where, NULL,
                         "%s %.*s is dropped: the field exists only %s", field->name, (int)shown.len,
                         (const char *)shown.data, lvl_when_text(table, field, when, sizeof when));
    else
        e->load.status = shown.status;
    lvl_buffer_free(&shown);
}

/* The names of fields that a tag's value has removed and added. */
typedef struct field_names {
    lvl_buffer gone, come;
} field_names;

static void add_name(lvl_buffer *list, const char *name)
{
    lvl_buffer_printf(list, "%s%s", list->len ? ", " : "", name);
}

static void report_names(lvl_editor *e, const char *tag, const field_names *names)
{
    const lvl_text gone = lvl_buffer_text(&names->gone), come = lvl_buffer_text(&names->come);

    lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_FIELDS], &e->load.where, NULL,
                     "%s decides which fields exist: %s%.*s%s%s%.*s", tag, gone.len ? "no longer " : "",
                     (int)gone.len, gone.len ? gone.ptr : "", gone.len && come.len ? ", " : "",
                     come.len ? "now " : "", (int)come.len, come.len ? come.ptr : "");
}

void lvl_editor_report_fields(lvl_editor *e, const lvl_match *m, const void *record, const lvl_field *tag,
                              int64_t was)
{
    const lvl_table *table = lvl_match_table(e, m);
    field_names names = {0};

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *field = &table->fields[i];
        if (!is_decided_by(field, tag))
            continue;
        const bool before = lvl_when_holds(&field->when, was), now = lvl_field_present(record, field);
        if (before != now)
            add_name(now ? &names.come : &names.gone, field->name);
        if (before && !now && !lvl_field_is_default(record, field))
            warn_dropped(e, record, table, field);
    }
    if (names.gone.status != LVL_OK || names.come.status != LVL_OK)
        e->load.status = LVL_ERR_MEMORY;
    else if (names.gone.len || names.come.len)
        report_names(e, tag->name, &names);
    lvl_buffer_free(&names.gone);
    lvl_buffer_free(&names.come);
}
