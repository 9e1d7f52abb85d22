/*
 * lines/check.c: which values of a document cannot be written, and which text of its source no member
 * has.
 */
#include "lines/list.h"

/* ---- the source ---------------------------------------------------------------------------------- */

/* Whether the lines can be a document: the member that decides it can be edited. */
static bool has_grammar(const lvl_doc *doc)
{
    return doc->format->calls->grammar(doc) != NULL;
}

static lvl_status is_canonical(const lvl_doc *doc, bool *out, lvl_text *file)
{
    lvl_buffer text = {0};
    lvl_line_writer w;

    *out = false;
    *file = (lvl_text){NULL, 0};
    if (!has_grammar(doc))
        return LVL_ERR_LOSS;
    lvl_writer_open(&w, doc, true);
    *file = lvl_writer_source(&w);
    lvl_writer_put(&w, &text);
    *out = w.status == LVL_OK && file->len &&
           lvl_text_equal(*file, (lvl_text){(const char *)text.data, text.len});
    lvl_buffer_free(&text);
    lvl_writer_close(&w);
    return w.status;
}

lvl_status lvl_grammar_can_regenerate(const lvl_doc *doc, const lvl_field *field, bool *out)
{
    lvl_text file;

    (void)field;
    return is_canonical(doc, out, &file);
}

lvl_status lvl_grammar_kept(const lvl_doc *doc, uint64_t *bytes)
{
    bool canonical = false;
    lvl_text file;
    const lvl_status status = is_canonical(doc, &canonical, &file);

    *bytes = canonical ? 0 : file.len;
    return status == LVL_ERR_LOSS ? LVL_OK
                                  : status; /* a document that cannot be written: all of it is kept */
}

static void visit_lines(lvl_text file, size_t from, size_t to, const lvl_where *where, lvl_unread_fn visit,
                        void *user)
{
    bool blank = true;

    for (size_t i = from; i < to && blank; i++)
        blank = lvl_is_blank(file.ptr[i]) || file.ptr[i] == '\n';
    if (!blank)
        visit(user, (lvl_text){file.ptr + from, to - from}, false, where);
}

lvl_status lvl_grammar_unread(const lvl_doc *doc, lvl_unread_fn visit, void *user)
{
    enum { UNREAD = LVL_PART_MORE | LVL_PART_MORE_LINES | LVL_PART_MISREAD | LVL_PART_REPLACED };
    const lvl_where root = lvl_where_root();
    lvl_doc *source = NULL;
    size_t after = 0;
    lvl_line_writer w;

    if (!has_grammar(doc))
        return LVL_OK;
    lvl_writer_open(&w, doc, true);
    const lvl_text file = lvl_writer_source(&w);
    if (w.status == LVL_OK && file.len)
        lvl_writer_fail(&w, lvl_writer_reread(&w, file, true, NULL, &source));
    const lvl_parts *parts = w.status == LVL_OK && source ? source->state : NULL;
    if (parts) /* an edit may have changed what decides the grammar */
        lvl_rules_init(&w.rules, parts->grammar, doc->format->table);
    for (uint32_t i = 0; parts && i < parts->count; i++) {
        const lvl_part *part = &parts->items[i];
        const lvl_where where = lvl_rules_where(&w.rules, part);
        visit_lines(file, part->lead, part->head, &where, visit, user);
        if (part->flags & UNREAD)
            visit(user, (lvl_text){file.ptr + part->head, part->end - part->head}, true, &where);
        after = part->end;
    }
    if (parts)
        visit_lines(file, after, file.len, &root, visit, user);
    lvl_doc_free(source);
    lvl_writer_close(&w);
    return w.status;
}

/* ---- what cannot be written ---------------------------------------------------------------------- */

/* A member without which its line does not match, or one of several lines where one is allowed. */
static const lvl_field *unfit_member(const lvl_line_form *form, const void *record)
{
    for (unsigned i = 0; i < form->count; i++) {
        const lvl_member *m = &form->member[i];
        if (m->field->kind != LVL_TEXT)
            continue;
        const lvl_text value = lvl_get_text(record, m->field);
        if ((!value.len && !m->optional && m->form != LVL_WORD_DASH && m->form != LVL_WORD_REST) ||
            (value.len && memchr(value.ptr, '\n', value.len)))
            return m->field;
    }
    return NULL;
}

/* The first member of a form that differs; NULL: none. */
static const lvl_field *different_member(const lvl_line_form *form, const void *a, const void *b)
{
    for (unsigned i = 0; i < form->count; i++) {
        if (!lvl_member_equal(a, b, form->member[i].field))
            return form->member[i].field;
    }
    return NULL;
}

/* Whether a part by itself, with the lines that it needs around it, is read as what it is; *member: the one
 * that is not, or NULL. */
static bool is_part_writable(lvl_line_writer *w, const lvl_part *part, const lvl_field **member)
{
    const lvl_rule *rule = &w->rules.grammar->rules[part->rule], *first = &w->rules.grammar->rules[0];
    const lvl_rule_form *form = lvl_rules_form(&w->rules, part->rule);
    const void *record = lvl_rules_record(&w->rules, w->root, part), *other = NULL;
    const bool row = part->place == LVL_PART_ROW && rule->word;
    const uint32_t at = (first->kind == LVL_RULE_FIRST ? 1U : 0U) + row;
    lvl_buffer text = {0};
    lvl_doc *again = NULL;

    if (first->kind == LVL_RULE_FIRST) {
        lvl_buffer_str(&text, first->word);
        lvl_writer_end_line(w, &text);
    }
    if (row) {
        lvl_buffer_str(&text, rule->word);
        lvl_writer_end_line(w, &text);
    }
    lvl_writer_put_part(w, part, &text);
    if (row) {
        lvl_buffer_str(&text, rule->end);
        lvl_writer_end_line(w, &text);
    }
    lvl_writer_fail(w, text.status);
    if (w->status == LVL_OK)
        lvl_writer_fail(
            w, lvl_writer_reread(w, (lvl_text){(const char *)text.data, text.len}, true, NULL, &again));
    const lvl_parts *parts = w->status == LVL_OK ? again->state : NULL;
    if (parts && parts->count > at && parts->items[at].rule == part->rule &&
        parts->items[at].place == part->place)
        other = lvl_rules_record(&w->rules, again->root, &parts->items[at]);
    const lvl_field *unfit = unfit_member(&form->line, record);
    const lvl_field *different = other ? different_member(&form->line, record, other) : NULL;
    if (other && !different)
        different = different_member(&form->body, record, other);
    bool same = other && !different && parts->count == at + 1 + row;
    if (other && rule->kind == LVL_RULE_OTHER)
        same = same && lvl_text_equal(*(const lvl_text *)record, *(const lvl_text *)other);
    *member = same ? NULL : unfit ? unfit : different;
    lvl_doc_free(again);
    lvl_buffer_free(&text);
    return same;
}

/* The first member of the root, or item of a list, that the canonical form does not give again; the root:
 * none. */
static lvl_where where_different(lvl_line_writer *w, lvl_text text)
{
    const lvl_table *table = w->rules.table;
    lvl_where where = lvl_where_root();
    lvl_doc *again = NULL;

    if (w->status != LVL_OK || lvl_writer_reread(w, text, false, NULL, &again) != LVL_OK) {
        lvl_doc_free(again);
        return where;
    }
    for (uint32_t i = 0; i < table->field_count && !where.depth; i++) {
        const lvl_field *f = &table->fields[i];
        const lvl_table one = {.fields = f, .field_count = 1};
        if (lvl_record_equal(w->root, again->root, &one))
            continue;
        const bool items = f->kind == LVL_LIST && f->item == LVL_RECORD;
        const uint32_t n = items ? lvl_list_count(w->root, f) : 0,
                       m = items ? lvl_list_count(again->root, f) : 0;
        uint32_t at = 0;
        while (at < n && at < m &&
               lvl_record_equal(lvl_list_item(w->root, f, at), lvl_list_item(again->root, f, at), f->table))
            at++;
        where = lvl_where_to(where, f, at < n ? at : LVL_NO_INDEX);
    }
    lvl_doc_free(again);
    return where;
}

static void report(const lvl_line_writer *w, lvl_findings *findings, const lvl_where *where, const char *text)
{
    const lvl_finding_def *def = w->rules.grammar->findings[LVL_LINE_UNWRITABLE];

    if (def)
        lvl_findings_add(findings, def, where && where->depth ? where : NULL, NULL, "%s", text);
}

/* Reports each part that is read as something else by itself; false: none is. */
static bool report_parts(lvl_line_writer *w, lvl_findings *findings)
{
    bool any = false;

    for (uint32_t i = 0; i < w->parts.count && w->status == LVL_OK; i++) {
        const lvl_part *part = &w->parts.items[i];
        const lvl_rule *rule = &w->rules.grammar->rules[part->rule];
        const lvl_field *member = NULL;
        if (rule->kind == LVL_RULE_FIRST || rule->kind == LVL_RULE_GRID || rule->rows ||
            part->place == LVL_PART_BEGIN || part->place == LVL_PART_END ||
            is_part_writable(w, part, &member))
            continue;
        lvl_where where = lvl_rules_where(&w->rules, part);
        if (member)
            where = lvl_where_to(where, member, LVL_NO_INDEX);
        any = true;
        report(w, findings, &where,
               "expected a value that a line can hold: the file would be read as something else");
    }
    return any;
}

lvl_status lvl_grammar_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};
    lvl_line_writer w;

    lvl_writer_open(&w, doc, true);
    lvl_writer_put(&w, &out);
    bool any = report_parts(&w, findings);
    if (!any && w.status == LVL_OK && !lvl_writer_verify(&w, &out, 0)) {
        const lvl_where where = where_different(&w, (lvl_text){(const char *)out.data, out.len});
        any = true;
        report(&w, findings, &where, "the lines of this document would be read as something else");
    }
    out.len = 0;
    if (!any && w.status == LVL_OK && !lvl_writer_put_sourced(&w, NULL, 0, &out) &&
        w.status == LVL_ERR_LOSS) {
        w.status = LVL_OK;
        any = true;
        report(&w, findings, NULL,
               "a line that changes has further text, which would be lost: remove that text in a text editor "
               "first");
    }
    lvl_buffer_free(&out);
    lvl_writer_close(&w);
    return w.status != LVL_OK ? w.status : any ? LVL_ERR_LOSS : LVL_OK;
}
