/*
 * tools/reference.c: a format's page of reference, and the list of findings, from the tables.
 */
#include "codec/json.h"
#include "tools/tools.h"
#include "tools/json_write.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TABLES = 128 };

/* Prose in a cell of a Markdown table. */
static void put_cell(lvl_buffer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, *text == '\n' ? ' ' : (uint8_t)*text);
    }
}

static void put_kind(lvl_buffer *out, const lvl_field *f)
{
    switch (f->kind) {
    case LVL_INT:
        if (lvl_field_is_switch(f)) {
            lvl_buffer_str(out, "0 or 1");
            break;
        }
        lvl_buffer_printf(out, "%s%lu%s", f->flags & LVL_F_SIGNED ? "i" : "u", (unsigned long)f->size * 8,
                          f->flags & LVL_F_FLAGS ? " flags"
                          : f->names             ? " names"
                                                 : "");
        break;
    case LVL_REAL: lvl_buffer_str(out, "real"); break;
    case LVL_TEXT:
        if (f->flags & LVL_F_SLOT)
            lvl_buffer_printf(out, "text[%lu]", (unsigned long)f->size);
        else
            lvl_buffer_str(out, "text");
        break;
    case LVL_BYTES:
        if (f->flags & LVL_F_SLOT)
            lvl_buffer_printf(out, "bytes[%lu]", (unsigned long)f->size);
        else
            lvl_buffer_str(out, "bytes");
        break;
    case LVL_RECORD: lvl_buffer_printf(out, "[%s](#%s)", f->table->name, f->table->name); break;
    case LVL_LIST:
        lvl_buffer_str(out, "list of ");
        if (f->item == LVL_RECORD)
            lvl_buffer_printf(out, "[%s](#%s)", f->table->name, f->table->name);
        else
            lvl_buffer_str(out, f->item == LVL_TEXT ? "texts" : f->item == LVL_REAL ? "reals" : "numbers");
        break;
    case LVL_CELLS: lvl_buffer_printf(out, "cells of %lu bit", (unsigned long)lvl_cell_size(f) * 8); break;
    }
}

static void put_prose(lvl_buffer *out, const lvl_table *t, const lvl_field *f)
{
    char when[300];

    put_cell(out, f->prose ? f->prose : "");
    if (f->when.tag_size) {
        lvl_when_text(t, f, when, sizeof when);
        lvl_buffer_str(out, " Only ");
        put_cell(out, when);
        lvl_buffer_u8(out, '.');
    }
    if (f->kind == LVL_INT && f->def && lvl_int_fits(f, f->def)) {
        const char *name = f->flags & LVL_F_FLAGS ? NULL : lvl_name_of(f->names, f->def);
        if (name)
            lvl_buffer_printf(out, " Default: %s.", name);
        else
            lvl_buffer_printf(out, " Default: %lld.", (long long)f->def);
    }
    if ((f->min || f->max) && !lvl_field_is_switch(f))
        lvl_buffer_printf(out, " Usual values: %lld to %lld.", (long long)f->min, (long long)f->max);
    if (f->ref)
        lvl_buffer_printf(out, " Points into `%s`.", f->ref);
    if (f->role == LVL_DERIVED)
        lvl_buffer_str(out, " *Derived.*");
    else if (f->role == LVL_UNKNOWN)
        lvl_buffer_str(out, " *Unknown.*");
    else if (f->role == LVL_KEPT)
        lvl_buffer_str(out, " *Kept spelling.*");
}

static void put_names(lvl_buffer *out, const lvl_table *t)
{
    for (uint32_t i = 0; i < t->field_count; i++) {
        const lvl_field *f = &t->fields[i];
        bool shown = false;
        for (uint32_t k = 0; k < i && !shown; k++)
            shown = f->names && t->fields[k].names == f->names;
        if (shown)
            continue;
        if (f->names) {
            lvl_buffer_printf(out, "\n%s of `%s`", f->flags & LVL_F_FLAGS ? "Flags" : "Values", f->name);
            for (uint32_t k = i + 1; k < t->field_count; k++) {
                if (t->fields[k].names == f->names)
                    lvl_buffer_printf(out, ", `%s`", t->fields[k].name);
            }
            lvl_buffer_str(out, ":\n\n| value | name | |\n|---|---|---|\n");
            for (const lvl_name *n = f->names; n->name; n++) {
                if (f->flags & (LVL_F_FLAGS | LVL_F_HEX))
                    lvl_buffer_printf(out, "| 0x%llx | `%s` | ", (unsigned long long)n->value, n->name);
                else
                    lvl_buffer_printf(out, "| %lld | `%s` | ", (long long)n->value, n->name);
                put_cell(out, n->prose ? n->prose : "");
                lvl_buffer_str(out, " |\n");
            }
        }
        if (f->cell_names) {
            lvl_buffer_printf(out, "\nCells of `%s`:\n\n| value | symbol | name | |\n|---|---|---|---|\n",
                              f->name);
            for (const lvl_cell_name *n = f->cell_names; n->symbol; n++) {
                lvl_buffer_printf(out, "| 0x%lX | `%c` | %s | ", (unsigned long)n->value, n->symbol,
                                  n->name ? n->name : "");
                put_cell(out, n->prose ? n->prose : "");
                lvl_buffer_str(out, " |\n");
            }
        }
    }
}

static void put_table(lvl_buffer *out, const lvl_table *t)
{
    lvl_buffer_printf(out, "\n## %s\n\n%s", t->name, t->prose ? t->prose : "");
    if (t->disk_size)
        lvl_buffer_printf(out, " Fixed part: %lu bytes.", (unsigned long)t->disk_size);
    if (t->label)
        lvl_buffer_printf(out, " Shown by its `%s`.", t->label);
    lvl_buffer_str(out, "\n\n| at | name | kind | unit | |\n|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < t->field_count; i++) {
        const lvl_field *f = &t->fields[i];
        if (f->disk != LVL_NO_PLACE)
            lvl_buffer_printf(out, "| 0x%02lX | `%s` | ", (unsigned long)f->disk, f->name);
        else
            lvl_buffer_printf(out, "| | `%s` | ", f->name);
        put_kind(out, f);
        lvl_buffer_printf(out, " | %s | ", f->unit ? f->unit : "");
        put_prose(out, t, f);
        lvl_buffer_str(out, " |\n");
    }
    put_names(out, t);
}

/* How a program has it, where that isn't as the profile game has it. */
static bool differs(const lvl_program *program, const lvl_finding_def *def, const char **severity)
{
    const lvl_ctx ctx = {.profile = LVL_PROFILE_GAME, .program = program};

    const lvl_severity s = lvl_severity_for(&ctx, def);
    *severity = s == LVL_NONE ? "not reported" : lvl_severity_name(s);
    return s != def->severity[LVL_PROFILE_GAME];
}

static void put_severities(lvl_buffer *out, const lvl_format *format, const lvl_finding_def *d)
{
    for (int p = 0; p < LVL_PROFILE_COUNT; p++) {
        const char *gap = d->severity[p] == LVL_NONE ? "" : "; ", *how;
        lvl_buffer_printf(out, " | %s", d->severity[p] == LVL_NONE ? "" : lvl_severity_name(d->severity[p]));
        for (uint32_t i = 0; p == LVL_PROFILE_GAME && i < format->program_count; i++) {
            if (!differs(&format->programs[i], d, &how))
                continue;
            lvl_buffer_printf(out, "%s`%s`: %s", gap, format->programs[i].name, how);
            gap = "; ";
        }
    }
}

static void put_findings(lvl_buffer *out, const lvl_format *format)
{
    const lvl_finding_def *defs = format->findings;

    lvl_buffer_str(out, "| id | meaning | strict | game | salvage | repair |\n|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < format->finding_count; i++) {
        const lvl_finding_def *d = &defs[i];
        lvl_buffer_printf(out, "| `%s` | ", d->id);
        put_cell(out, d->meaning);
        put_severities(out, format, d);
        lvl_buffer_str(out, " | ");
        put_cell(out, d->repair ? d->repair : "");
        lvl_buffer_str(out, " |\n");
    }
}

/* Ends the sentence, and lists what `convert` can make of such a file. */
static void put_forms(lvl_buffer *out, const lvl_format *format)
{
    lvl_buffer_u8(out, '.');
    if (!format->forms || !format->forms->name)
        return;
    lvl_buffer_str(out,
                   "\n\n`lvl convert --to` turns such a file into\n\n| form | files | |\n|---|---|---|\n");
    for (const lvl_form *f = format->forms; f->name; f++) {
        lvl_buffer_printf(out, "| `%s` | `*.%s` | ", f->name, f->extension);
        put_cell(out, f->title);
        lvl_buffer_str(out, " |\n");
    }
    out->len -= out->len && out->data[out->len - 1] == '\n';
}

lvl_status lvl_reference(const lvl_format *format, lvl_buffer *out)
{
    static const struct {
        unsigned bit;
        const char *word;
    } abilities[] = {{LVL_CAN_WRITE, "write"},     {LVL_CAN_CHECK, "check"},
                     {LVL_CAN_REPAIR, "repair"},   {LVL_CAN_RENDER, "render"},
                     {LVL_CAN_EXTRACT, "extract"}, {LVL_CAN_IMAGE, "convert to and from PNG"}};
    const lvl_table *tables[MOST_TABLES];
    uint32_t count = 1;

    lvl_buffer_printf(
        out, "# %s\n\n<!-- Generated from the tables by `lvl formats --reference %s`: do not edit. -->\n\n",
        format->title, format->id);
    if (format->notes)
        lvl_buffer_printf(out, "%s\n\n", format->notes);
    lvl_buffer_printf(out, "Format `%s`, files", format->id);
    for (const char *p = format->extensions; p && *p;) {
        size_t len = strcspn(p, " ");
        lvl_buffer_printf(out, "%s `*.%.*s`", p == format->extensions ? "" : ",", (int)len, p);
        p += len;
        p += strspn(p, " ");
    }
    lvl_buffer_printf(out, "; text is shown as %s. lvl can read", lvl_codepage_name(format->codepage));
    for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++) {
        if (format->can & abilities[i].bit)
            lvl_buffer_printf(out, ", %s", abilities[i].word);
    }
    put_forms(out, format);
    lvl_buffer_str(
        out,
        "\n\n*Derived* fields follow from the rest: they are computed on writing, a dump has them only "
        "where the "
        "file disagrees, and `set` refuses them. *Kept spelling* stands under `~` in a dump. Offsets (at) "
        "count "
        "from the record's beginning; fields without one follow the fixed part or are found by others.\n");
    tables[0] = format->table;
    for (uint32_t i = 0; i < count; i++) { /* breadth first, each once */
        put_table(out, tables[i]);
        for (uint32_t k = 0; k < tables[i]->field_count; k++) {
            const lvl_table *t = tables[i]->fields[k].table;
            bool known = !t;
            for (uint32_t n = 0; n < count && !known; n++)
                known = tables[n] == t;
            if (!known && count < MOST_TABLES)
                tables[count++] = t;
        }
    }
    if (format->finding_count) {
        lvl_buffer_str(
            out,
            "\n## Findings\n\nWhat reading, `check` and `repair` report, with the severity in each profile "
            "(empty: not reported).");
        for (uint32_t i = 0; i < format->program_count; i++) {
            lvl_buffer_printf(
                out, "%s`%s`, ",
                i ? "; "
                  : " Programs that differ from `game` follow in the same column; each is a profile, too: ",
                format->programs[i].name);
            put_cell(out, format->programs[i].prose);
        }
        lvl_buffer_str(out, format->program_count ? ".\n\n" : "\n\n");
        put_findings(out, format);
    }
    return out->status;
}

/* ---- the list of findings ---------------------------------------------------------------------------- */

/* `format` NULL: those that any file can have. */
static void text_finding(lvl_buffer *out, const lvl_format *format, const lvl_finding_def *d)
{
    const char *how;

    lvl_buffer_printf(out, "%s\n    %s\n   ", d->id, d->meaning);
    for (int p = 0; p < LVL_PROFILE_COUNT; p++)
        lvl_buffer_printf(out, "%s %s: %s", p ? "," : "", lvl_profile_name((lvl_profile)p),
                          d->severity[p] == LVL_NONE ? "not reported" : lvl_severity_name(d->severity[p]));
    for (uint32_t i = 0; format && i < format->program_count; i++) {
        if (differs(&format->programs[i], d, &how))
            lvl_buffer_printf(out, ", %s: %s", format->programs[i].name, how);
    }
    lvl_buffer_u8(out, '\n');
    if (d->repair)
        lvl_buffer_printf(out, "    repair: %s\n", d->repair);
}

static void json_finding(lvl_buffer *out, const lvl_format *format, const lvl_finding_def *d)
{
    lvl_ctx ctx = {.profile = LVL_PROFILE_GAME};

    lvl_buffer_str(out, "{\"id\":");
    lvl_json_string(out, lvl_text_of(d->id));
    lvl_buffer_str(out, ",\"meaning\":");
    lvl_json_string(out, lvl_text_of(d->meaning));
    lvl_buffer_str(out, ",\"severity\":{");
    for (int p = 0; p < LVL_PROFILE_COUNT; p++) {
        lvl_buffer_str(out, p ? "," : "");
        lvl_json_string(out, lvl_text_of(lvl_profile_name((lvl_profile)p)));
        lvl_buffer_u8(out, ':');
        lvl_json_string(out, lvl_text_of(lvl_severity_name(d->severity[p])));
    }
    for (uint32_t i = 0; format && i < format->program_count; i++) {
        ctx.program = &format->programs[i];
        lvl_buffer_u8(out, ',');
        lvl_json_string(out, lvl_text_of(ctx.program->name));
        lvl_buffer_u8(out, ':');
        lvl_json_string(out, lvl_text_of(lvl_severity_name(lvl_severity_for(&ctx, d))));
    }
    lvl_buffer_str(out, "},\"repair\":");
    if (d->repair)
        lvl_json_string(out, lvl_text_of(d->repair));
    else
        lvl_buffer_str(out, "null");
    lvl_buffer_str(out, "}\n");
}

/* What is written of the findings. */
struct listing {
    lvl_buffer *out;
    bool json;
    lvl_text id; /* only this one and those below it; empty: all */
    size_t count;
};

static bool is_below(lvl_text id, const char *of)
{
    const size_t len = strlen(of);

    return !id.len ||
           (len >= id.len && memcmp(of, id.ptr, id.len) == 0 && (!of[id.len] || of[id.len] == '.'));
}

static void list(struct listing *l, const lvl_format *format, const lvl_finding_def *defs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_below(l->id, defs[i].id))
            continue;
        l->count++;
        if (l->json)
            json_finding(l->out, format, &defs[i]);
        else
            text_finding(l->out, format, &defs[i]);
    }
}

static void list_all(struct listing *l, const lvl_ctx *ctx)
{
    const lvl_format *const *formats = lvl_formats_of(ctx);

    list(l, NULL, lvl_doc_limits, LVL_DOC_LIMITS);
    list(l, NULL, &lvl_doc_signature_void, 1);
    list(l, NULL, &lvl_doc_art_absent, 1);
    list(l, NULL, lvl_faults, LVL_FAULT_COUNT);
    for (size_t i = 0; formats[i]; i++) {
        bool reported = false; /* formats of a family may share a table */
        for (size_t k = 0; k < i && !reported; k++)
            reported = formats[k]->findings == formats[i]->findings;
        if (!reported)
            list(l, formats[i], formats[i]->findings, formats[i]->finding_count);
    }
}

lvl_status lvl_findings_reference(const lvl_ctx *ctx, const lvl_format *format, bool json, lvl_buffer *out)
{
    struct listing l = {.out = out, .json = json};

    if (format)
        list(&l, format, format->findings, format->finding_count);
    else
        list_all(&l, ctx);
    return out->status;
}

lvl_status lvl_finding_reference(const lvl_ctx *ctx, const char *id, bool json, lvl_buffer *out)
{
    struct listing l = {.out = out, .json = json, .id = lvl_text_of(id)};

    /* `wwd.*` and `wwd.` mean `wwd` */
    if (l.id.len > 1 && id[l.id.len - 1] == '*')
        l.id.len--;
    if (l.id.len > 1 && id[l.id.len - 1] == '.')
        l.id.len--;
    list_all(&l, ctx);
    return l.count && *id ? out->status : LVL_ERR_MISSING;
}
