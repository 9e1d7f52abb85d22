/*
 * tools/world/reference.c: writes the reference page of a format, and the list of findings, from the tables.
 */
#include "codec/json.h"
#include "base/text.h"
#include "games/book.h"
#include "tools/tools.h"
#include "tools/values/json_write.h"
#include "tools/world/reference.h"

#include <stdio.h>
#include <string.h>

/* The page of a format. */
struct page {
    lvl_buffer *out;
    const lvl_format *format;
    uint64_t forms; /* values of the root's field with LVL_F_FORM in documents of this format, as bits */
    uint32_t form_at; /* offset of that field in the root; LVL_NO_PLACE: none */
    const lvl_table *tables[LVL_MAX_TABLES];
    uint32_t count;
};

/* Prose in a cell of a Markdown table. */
static void put_cell(lvl_buffer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, *text == '\n' ? ' ' : (uint8_t)*text);
    }
}

/* A table's prose in a cell, as a sentence. */
static void put_sentence(lvl_buffer *out, const char *prose)
{
    const size_t at = out->len;

    if (!prose || !*prose)
        return;
    put_cell(out, prose);
    if (out->status != LVL_OK)
        return;
    if (out->data[at] >= 'a' && out->data[at] <= 'z')
        out->data[at] = (uint8_t)(out->data[at] - 'a' + 'A');
    if (!memchr(".!?", out->data[out->len - 1], 3))
        lvl_buffer_u8(out, '.');
}

/* Finds the forms of the format. Formats of a family may share tables; a page has only fields of its
 * format. */
static void find_forms(struct page *p)
{
    const lvl_table *root = p->format->table;
    const lvl_field *tag = NULL;

    p->forms = UINT64_MAX;
    p->form_at = LVL_NO_PLACE;
    for (uint32_t i = 0; i < root->field_count && !tag; i++)
        tag = root->fields[i].flags & LVL_F_FORM ? &root->fields[i] : NULL;
    if (!tag || !p->format->forms)
        return;
    p->form_at = tag->offset;
    p->forms = 0;
    for (const lvl_form *f = p->format->forms; f->name; f++) {
        if (strcmp(f->format, p->format->id) == 0 && f->version < 64)
            p->forms |= (uint64_t)1 << f->version;
    }
}

static bool by_form(const struct page *p, const lvl_table *t, const lvl_field *f)
{
    return t == p->format->table && f->when.tag_size && f->when.tag_offset == p->form_at;
}

static bool on_page(const void *user, const lvl_table *t, const lvl_field *f)
{
    const struct page *p = user;

    return (!f->forms || f->forms & p->forms) && (!by_form(p, t, f) || f->when.values & p->forms);
}

static bool name_on_page(const struct page *p, const lvl_field *f, int64_t value)
{
    return !(f->flags & LVL_F_FORM) || value < 0 || value >= 64 || p->forms >> value & 1;
}

/* Whether a field is of lvl alone: spelling, or computed without being stored in the file. */
static bool is_own(const lvl_field *f)
{
    return f->role == LVL_KEPT || (f->role == LVL_DERIVED && f->disk == LVL_NO_PLACE);
}

static void put_kind(lvl_buffer *out, const lvl_field *f)
{
    switch (f->kind) {
    case LVL_INT:
        lvl_buffer_str(out, lvl_field_is_switch(f)   ? "0 or 1"
                            : f->flags & LVL_F_FLAGS ? "flags"
                            : f->names               ? "name"
                                                     : "integer");
        break;
    case LVL_REAL: lvl_buffer_str(out, "number"); break;
    case LVL_TEXT: lvl_buffer_str(out, f->flags & LVL_F_LINES ? "text, or list of lines" : "text"); break;
    case LVL_BYTES: lvl_buffer_str(out, "bytes"); break;
    case LVL_RECORD: lvl_buffer_printf(out, "[%s](#%s)", f->table->name, f->table->name); break;
    case LVL_LIST:
        lvl_buffer_str(out, "list of ");
        if (f->item == LVL_RECORD)
            lvl_buffer_printf(out, "[%s](#%s)", f->table->name, f->table->name);
        else
            lvl_buffer_str(out, f->item == LVL_TEXT ? "texts" : f->item == LVL_REAL ? "numbers" : "integers");
        break;
    case LVL_CELLS: lvl_buffer_str(out, "grid"); break;
    }
}

/* Offset and type in the record's fixed part. */
static void put_place(lvl_buffer *out, const lvl_field *f)
{
    const unsigned long size = f->disk_size ? f->disk_size : f->size;

    if (f->disk == LVL_NO_PLACE)
        return;
    lvl_buffer_printf(out, "0x%02lX ", (unsigned long)f->disk);
    if (f->kind == LVL_INT)
        lvl_buffer_printf(out, "%s%lu", f->flags & LVL_F_SIGNED ? "i" : "u", size * 8);
    else if (f->kind == LVL_RECORD)
        lvl_buffer_str(out, f->table->name);
    else
        lvl_buffer_printf(out, "%s[%lu]", f->kind == LVL_TEXT ? "char" : "u8", size);
}

/* The field's key in the game's JSON, if it is not its name; the prose of a field with two keys explains
 * them. */
static void put_key(lvl_buffer *out, const lvl_field *f)
{
    const char *other = f->json ? strchr(f->json, '|') : NULL;
    const lvl_text key = {f->json, f->json && (!other || !other[1]) ? strcspn(f->json, "?|") : 0};

    if (key.len && !lvl_text_is(key, f->name))
        lvl_buffer_printf(out, " `%.*s` in the JSON.", (int)key.len, key.ptr);
}

static void put_prose(const struct page *p, const lvl_table *t, const lvl_field *f)
{
    lvl_buffer *out = p->out;
    lvl_field shown = *f;
    char when[300];

    put_sentence(out, f->prose);
    put_key(out, f);
    if (by_form(p, t, f))
        shown.when.values &= p->forms;
    if (f->when.tag_size && !(by_form(p, t, f) && shown.when.values == p->forms)) {
        lvl_when_text(t, &shown, when, sizeof when);
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
    if (lvl_field_required(f))
        lvl_buffer_str(out, " No default: always in a dump.");
    if ((f->min || f->max) && !lvl_field_is_switch(f))
        lvl_buffer_printf(out, " Usual values: %lld to %lld.", (long long)f->min, (long long)f->max);
    if (f->ref)
        lvl_buffer_printf(out, f->flags & LVL_F_BY_ID ? " Of an item in `%s`." : " Index in `%s`.", f->ref);
    if (f->role == LVL_DERIVED && f->disk != LVL_NO_PLACE)
        lvl_buffer_str(out, " *Computed.*");
    else if (f->role == LVL_UNKNOWN)
        lvl_buffer_str(out, " *Unknown.*");
}

/* The names of the values of the table's fields; `own`: of the fields of lvl alone. */
static void put_names(const struct page *p, const lvl_table *t, bool own)
{
    lvl_buffer *out = p->out;

    for (uint32_t i = 0; i < t->field_count; i++) {
        const lvl_field *f = &t->fields[i];
        bool shown = !on_page(p, t, f) || is_own(f) != own;
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
                if (!name_on_page(p, f, n->value))
                    continue;
                if (f->flags & (LVL_F_FLAGS | LVL_F_HEX))
                    lvl_buffer_printf(out, "| 0x%llx | `%s` | ", (unsigned long long)n->value, n->name);
                else
                    lvl_buffer_printf(out, "| %lld | `%s` | ", (long long)n->value, n->name);
                put_sentence(out, n->prose);
                lvl_buffer_str(out, " |\n");
            }
        }
        if (f->cell_names) {
            lvl_buffer_printf(out, "\nCells of `%s`:\n\n| value | symbol | name | |\n|---|---|---|---|\n",
                              f->name);
            for (const lvl_cell_name *n = f->cell_names; n->symbol; n++) {
                lvl_buffer_printf(out, "| 0x%lX | `%c` | %s | ", (unsigned long)n->value, n->symbol,
                                  n->name ? n->name : "");
                put_sentence(out, n->prose);
                lvl_buffer_str(out, " |\n");
            }
        }
    }
}

static void put_table(const struct page *p, const lvl_table *t)
{
    lvl_buffer *out = p->out;
    bool places = false, units = false;

    for (uint32_t i = 0; i < t->field_count; i++) {
        const bool shown = on_page(p, t, &t->fields[i]) && !is_own(&t->fields[i]);
        places = places || (shown && t->fields[i].disk != LVL_NO_PLACE);
        units = units || (shown && t->fields[i].unit);
    }
    lvl_buffer_printf(out, "\n### %s\n\n%s", t->name, t->prose ? t->prose : "");
    if (t->disk_size)
        lvl_buffer_printf(out, " Fixed part in the file: %lu bytes.", (unsigned long)t->disk_size);
    lvl_buffer_printf(out, "\n\n| field |%s in a dump |%s meaning |\n|---|---|---|%s\n",
                      places ? " in the file |" : "", units ? " unit |" : "",
                      places && units   ? "---|---|"
                      : places || units ? "---|"
                                        : "");
    for (uint32_t i = 0; i < t->field_count; i++) {
        const lvl_field *f = &t->fields[i];
        if (!on_page(p, t, f) || is_own(f))
            continue;
        lvl_buffer_printf(out, "| `%s` | ", f->name);
        if (places) {
            put_place(out, f);
            lvl_buffer_str(out, " | ");
        }
        put_kind(out, f);
        lvl_buffer_str(out, " | ");
        if (units)
            lvl_buffer_printf(out, "%s | ", f->unit ? f->unit : "");
        put_prose(p, t, f);
        lvl_buffer_str(out, " |\n");
    }
    put_names(p, t, false);
}

static void put_own(const struct page *p)
{
    lvl_buffer *out = p->out;
    bool any = false;

    for (uint32_t i = 0; i < p->count; i++) {
        const lvl_table *t = p->tables[i];
        for (uint32_t k = 0; k < t->field_count; k++) {
            const lvl_field *f = &t->fields[k];
            if (!is_own(f) || !on_page(p, t, f))
                continue;
            if (!any)
                lvl_buffer_str(
                    out, "\n## Fields of lvl alone\n\n*Computed* fields follow from the others: a dump has "
                         "them only where the file disagrees, and `set` refuses them. *Spelling* keeps how "
                         "the file writes its content, where lvl would write it differently; it stands "
                         "under `~` in a dump.\n\n| record | field | in a dump | | meaning |\n"
                         "|---|---|---|---|---|\n");
            any = true;
            lvl_buffer_printf(out, "| %s | `%s` | ", t->name, f->name);
            put_kind(out, f);
            lvl_buffer_printf(out, " | %s | ", f->role == LVL_KEPT ? "spelling" : "computed");
            put_prose(p, t, f);
            lvl_buffer_str(out, " |\n");
        }
    }
    for (uint32_t i = 0; i < p->count; i++)
        put_names(p, p->tables[i], true);
}

/* Whether a program gives a finding another severity than the profile game. */
static bool severity_differs(const lvl_program *program, const lvl_finding_def *def, const char **severity)
{
    const lvl_ctx ctx = {.profile = LVL_PROFILE_GAME, .program = program};

    const lvl_severity s = lvl_severity_for(&ctx, def);
    *severity = s == LVL_NONE ? "not reported" : lvl_severity_name(s);
    return s != def->severity[LVL_PROFILE_GAME];
}

/* The severity in the profile game, and the others where they differ: "warning; strict: error".
 * `format` NULL: a finding that any file can have. */
static void put_severity(lvl_buffer *out, const lvl_format *format, const lvl_finding_def *d)
{
    const lvl_severity game = d->severity[LVL_PROFILE_GAME];
    const char *how;

    lvl_buffer_str(out, game == LVL_NONE ? "not reported" : lvl_severity_name(game));
    for (int p = 0; p < LVL_PROFILE_COUNT; p++) {
        if (d->severity[p] != game)
            lvl_buffer_printf(out, "; %s: %s", lvl_profile_name((lvl_profile)p),
                              d->severity[p] == LVL_NONE ? "not reported"
                                                         : lvl_severity_name(d->severity[p]));
    }
    for (uint32_t i = 0; format && i < format->program_count; i++) {
        if (severity_differs(&format->programs[i], d, &how))
            lvl_buffer_printf(out, "; %s: %s", format->programs[i].name, how);
    }
}

static void put_head(lvl_buffer *out, const lvl_format *format)
{
    static const struct {
        unsigned bit;
        const char *word;
    } abilities[] = {{LVL_CAN_WRITE, "write"},     {LVL_CAN_CHECK, "check"},
                     {LVL_CAN_REPAIR, "repair"},   {LVL_CAN_RENDER, "render"},
                     {LVL_CAN_EXTRACT, "extract"}, {LVL_CAN_IMAGE, "convert to and from PNG"}};

    const lvl_format_place *place = format->calls->place;
    const char *comma = "";
    lvl_buffer_printf(out, "## In lvl\n\n%s: format `%s`%s", format->title, format->id,
                      *format->extensions ? ", files" : "");
    if (place) {
        lvl_buffer_printf(out, " `%s/*.%s`", place->folder, place->ending);
        comma = ",";
    }
    for (const char *p = format->extensions; *p;) {
        const size_t len = strcspn(p, " ");
        if (memchr(p, '.', len) && !place) { /* mostly it is the whole name */
            lvl_buffer_printf(out, "%s `%.*s`", comma, (int)len, p);
            comma = ",";
        }
        lvl_buffer_printf(out, "%s `*.%.*s`", comma, (int)len, p);
        comma = ",";
        p += len;
        p += strspn(p, " ");
    }
    lvl_buffer_printf(out, ". Text is shown as %s. lvl can read", lvl_codepage_name(format->codepage));
    for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++) {
        if (lvl_format_can(format) & abilities[i].bit)
            lvl_buffer_printf(out, ", %s", abilities[i].word);
    }
    lvl_buffer_str(out, ".\n");
    if (!format->forms || !format->forms->name)
        return;
    lvl_buffer_str(out,
                   "\n`lvl convert --to FORM` writes such a file as\n\n| form | files | |\n|---|---|---|\n");
    for (const lvl_form *f = format->forms; f->name; f++) {
        lvl_buffer_printf(out, "| `%s` | `*.%s` | ", f->name, f->extension);
        put_cell(out, f->title);
        lvl_buffer_str(out, " |\n");
    }
}

/* Whether any record of the page has a fixed part in the file. */
static bool has_places(const struct page *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->tables[i]->disk_size)
            return true;
    }
    return false;
}

lvl_status lvl_reference(const lvl_format *format, lvl_buffer *out)
{
    struct page p = {.out = out, .format = format};

    find_forms(&p);
    p.count = lvl_tables_below(format->table, p.tables, on_page, &p);
    put_head(out, format);
    lvl_buffer_str(
        out,
        "\n## Fields in a dump\n\n`lvl dump` leaves out fields that have their default: 0, an empty text or "
        "list, or what \"Default\" says.\n\n"
        "| in a dump | |\n|---|---|\n"
        "| name | a text from the table of values; an integer, if the value has no name |\n"
        "| flags | names joined by `\\|`; bits without a name as one hexadecimal number |\n"
        "| bytes | `{\"base64\": \"…\"}` |\n"
        "| grid | `{\"width\": 2, \"height\": 3, \"rows\": […]}`; a row is a text of cells and runs "
        "(`3*5`: the value 3, five times) |\n"
        "| list of lines | the lines of a text that has more than one |\n");
    if (has_places(&p))
        lvl_buffer_str(
            out,
            "\n\"In the file\" gives the offset in the record and the type: little-endian numbers, `char[N]` "
            "for N bytes of text that are padded with NULs. *Computed* fields follow from the others: a dump "
            "has them only where the file disagrees, and `set` refuses them.\n");
    for (uint32_t i = 0; i < p.count; i++)
        put_table(&p, p.tables[i]);
    put_own(&p);
    if (format->finding_count) {
        const char *first = format->findings[0].id;
        const int len = (int)strcspn(first, "."); /* the page of findings has a part for each first word */

        lvl_buffer_printf(out,
                          "\n## Findings\n\n`lvl formats --findings %s` prints what reading, `check` and "
                          "`repair` report, as does [the page of findings](../findings.md#%.*s).",
                          format->id, len, first);
        for (uint32_t i = 0; i < format->program_count; i++) {
            lvl_buffer_printf(out, "%s`%s`, ",
                              i ? "; " : " These programs are profiles, too: ", format->programs[i].name);
            put_cell(out, format->programs[i].prose);
        }
        lvl_buffer_str(out, format->program_count ? ".\n" : "\n");
    }
    return out->status;
}

/* ---- the list of findings ---------------------------------------------------------------------------- */

/* `format` NULL: those that any file can have. */
static void text_finding(lvl_buffer *out, const lvl_format *format, const lvl_finding_def *d)
{
    lvl_buffer_printf(out, "%s\n    %s\n    ", d->id, d->meaning);
    put_severity(out, format, d);
    lvl_buffer_u8(out, '\n');
    if (d->repair)
        lvl_buffer_printf(out, "    repair: %s\n", d->repair);
}

static void json_finding(lvl_buffer *out, const lvl_format *format, const lvl_finding_def *d)
{
    lvl_ctx ctx = {.profile = LVL_PROFILE_GAME};

    lvl_buffer_u8(out, '{');
    lvl_json_put_string(out, "id", d->id);
    lvl_json_put_string(out, "meaning", d->meaning);
    lvl_json_open(out, "severity", '{');
    for (int p = 0; p < LVL_PROFILE_COUNT; p++)
        lvl_json_put_string(out, lvl_profile_name((lvl_profile)p), lvl_severity_name(d->severity[p]));
    for (uint32_t i = 0; format && i < format->program_count; i++) {
        ctx.program = &format->programs[i];
        lvl_json_put_string(out, ctx.program->name, lvl_severity_name(lvl_severity_for(&ctx, d)));
    }
    lvl_buffer_str(out, d->repair ? "}" : "},\"repair\":null");
    lvl_json_put_string(out, "repair", d->repair);
    lvl_buffer_str(out, "}\n");
}

/* A list of findings. */
struct listing {
    lvl_buffer *out;
    bool json;
    lvl_text id; /* only this id and those below it; empty: all */
    size_t count;
};

static bool is_below(lvl_text id, const char *of)
{
    const size_t len = strlen(of);

    return !id.len ||
           (len >= id.len && memcmp(of, id.ptr, id.len) == 0 && (!of[id.len] || of[id.len] == '.'));
}

/* Formats of a family may share findings: each is listed with the first that has it. */
static bool is_listed(const lvl_format *const *formats, size_t before, const lvl_finding_def *def)
{
    for (size_t i = 0; i < before; i++) {
        for (uint32_t k = 0; k < formats[i]->finding_count; k++) {
            if (&formats[i]->findings[k] == def)
                return true;
        }
    }
    return false;
}

static void list_one(struct listing *l, const lvl_format *format, const lvl_finding_def *def)
{
    if (!is_below(l->id, def->id))
        return;
    l->count++;
    if (l->json)
        json_finding(l->out, format, def);
    else
        text_finding(l->out, format, def);
}

static void list(struct listing *l, const lvl_finding_def *defs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list_one(l, NULL, &defs[i]);
}

static void list_all(struct listing *l, const lvl_ctx *ctx)
{
    const lvl_format *const *formats = lvl_formats_of(ctx);

    list(l, lvl_doc_limits, LVL_DOC_LIMITS);
    list(l, &lvl_doc_signature_void, 1);
    list(l, &lvl_doc_art_absent, 1);
    list(l, &lvl_doc_art_missing, 1);
    list(l, &lvl_doc_art_unreadable, 1);
    list(l, &lvl_doc_level_unlinked, 1);
    list(l, &lvl_doc_file_unnamed, 1);
    list(l, &lvl_doc_file_case, 1);
    list(l, &lvl_doc_counterpart, 1);
    list(l, &lvl_doc_member_damaged, 1);
    list(l, &lvl_doc_cut_off, 1);
    list(l, &lvl_doc_transferred, 1);
    list(l, &lvl_doc_header, 1);
    list(l, lvl_faults, LVL_FAULT_COUNT);
    for (size_t i = 0; formats[i]; i++) {
        for (uint32_t k = 0; k < formats[i]->finding_count; k++) {
            if (!is_listed(formats, i, &formats[i]->findings[k]))
                list_one(l, formats[i], &formats[i]->findings[k]);
        }
        for (const lvl_book *const *book = formats[i]->calls->books; book && *book; book++) {
            for (uint32_t k = 0; k < (*book)->rule_count; k++)
                list_one(l, formats[i], &(*book)->rules[k].def);
        }
    }
}

lvl_status lvl_findings_reference(const lvl_ctx *ctx, const lvl_format *format, const char *id, bool json,
                                  lvl_buffer *out)
{
    struct listing l = {.out = out, .json = json, .id = lvl_text_of(id)};

    /* `wwd.*` and `wwd.` mean `wwd` */
    if (l.id.len > 1 && id[l.id.len - 1] == '*')
        l.id.len--;
    if (l.id.len > 1 && id[l.id.len - 1] == '.')
        l.id.len--;
    for (uint32_t i = 0; format && i < format->finding_count; i++)
        list_one(&l, format, &format->findings[i]);
    if (!format)
        list_all(&l, ctx);
    return id && (!l.count || !*id) ? LVL_ERR_MISSING : out->status;
}
