/*
 * lines/check.c: which values of a document cannot be written, and which text of its source no member
 * has.
 */
#include "lines/writer.h"

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
    enum { UNREAD = LVL_MARK_MORE | LVL_MARK_MISREAD | LVL_MARK_REPLACED };
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
    const lvl_line_list *list = w.status == LVL_OK && source ? source->state : NULL;
    if (list) /* an edit may have changed what decides the grammar */
        lvl_rules_init(&w.rules, list->grammar, doc->format->table);
    for (uint32_t i = 0, next; list && i < list->count; i = next) {
        const lvl_line *line = &list->lines[i];
        const lvl_where where = lvl_rules_where(&w.rules, line);
        unsigned marks = 0;
        next = lvl_line_after(list, i);
        for (uint32_t k = i; k < next; k++)
            marks |= list->lines[k].marks;
        visit_lines(file, line->lead, line->at, &where, visit, user);
        after = list->lines[next - 1].end;
        if (marks & UNREAD)
            visit(user, (lvl_text){file.ptr + line->at, after - line->at}, true, &where);
    }
    if (list)
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

/* Whether line `i` by itself, with its body and the lines that it needs around it, is read as what it is;
 * *member: the one that is not, or NULL. */
static bool is_line_writable(lvl_line_writer *w, uint32_t i, const lvl_field **member)
{
    const lvl_line *line = &w->list.lines[i];
    const lvl_rule *rule = &w->rules.grammar->rules[line->rule], *first = &w->rules.grammar->rules[0];
    const lvl_rule_form *form = lvl_rules_form(&w->rules, line->rule);
    const void *record = lvl_rules_record(&w->rules, w->root, line), *other = NULL;
    const bool row = line->place == LVL_PLACE_ROW && rule->word;
    const uint32_t at = (first->kind == LVL_RULE_FIRST ? 1U : 0U) + row,
                   count = lvl_line_after(&w->list, i) - i;
    lvl_buffer text = {0};
    lvl_doc *again = NULL;

    if (first->kind == LVL_RULE_FIRST)
        lvl_writer_put_word(w, first->word, &text);
    if (row)
        lvl_writer_put_word(w, rule->word, &text);
    for (uint32_t k = i; k < i + count; k++)
        lvl_writer_put_line(w, &w->list.lines[k], record, &text);
    if (row)
        lvl_writer_put_word(w, rule->end, &text);
    lvl_writer_fail(w, text.status);
    if (w->status == LVL_OK)
        lvl_writer_fail(
            w, lvl_writer_reread(w, (lvl_text){(const char *)text.data, text.len}, true, NULL, &again));
    const lvl_line_list *list = w->status == LVL_OK ? again->state : NULL;
    if (list && list->count > at && list->lines[at].rule == line->rule &&
        list->lines[at].place == line->place)
        other = lvl_rules_record(&w->rules, again->root, &list->lines[at]);
    const lvl_field *unfit = unfit_member(&form->line, record);
    const lvl_field *different = other ? different_member(&form->line, record, other) : NULL;
    if (other && !different)
        different = different_member(&form->body, record, other);
    bool same = other && !different && list->count == at + count + row;
    if (other && rule->kind == LVL_RULE_OTHER && !rule->words)
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

/* Reports each line that is read as something else by itself; false: none is. */
static bool report_lines(lvl_line_writer *w, lvl_findings *findings)
{
    bool any = false;

    for (uint32_t i = 0; i < w->list.count && w->status == LVL_OK; i = lvl_line_after(&w->list, i)) {
        const lvl_line *line = &w->list.lines[i];
        const lvl_rule *rule = &w->rules.grammar->rules[line->rule];
        const lvl_field *member = NULL;
        if (rule->kind == LVL_RULE_FIRST || rule->kind == LVL_RULE_GRID || rule->rows ||
            line->place == LVL_PLACE_BEGIN || line->place == LVL_PLACE_END || is_line_writable(w, i, &member))
            continue;
        lvl_where where = lvl_rules_where(&w->rules, line);
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
    bool any = report_lines(&w, findings);
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
