/*
 * lines/report.c: what a reader of lines reports: findings at their positions, and for explain what
 * each byte is. Spans follow one another, so each begins where the last one ends.
 */
#include "lines/reader.h"

#include "base/text.h"

void lvl_reader_report(const lvl_line_reader *r, lvl_line_problem problem, const lvl_where *where,
                       lvl_text at, const char *what)
{
    const lvl_finding_def *def = r->rules.grammar->findings[problem];
    const char *text = r->rules.grammar->texts[problem];
    char shown[80];

    if (!r->findings || !def)
        return;
    const lvl_position pos = {
        .bit = (uint64_t)(at.ptr - r->text.ptr) * 8, .bits = (uint64_t)at.len * 8, .known = true};
    lvl_text_show(shown, sizeof shown, r->doc->codepage, at);
    lvl_findings_add(r->findings, def, where && where->depth ? where : NULL, &pos, "%s%s%s",
                     text ? text : what, at.len ? ": " : "", shown);
}

void lvl_reader_report_line(lvl_line_reader *r, lvl_line_problem problem, const lvl_line *line, lvl_text at,
                            const char *what)
{
    if (!r->findings)
        return;
    const lvl_where where = line ? lvl_rules_where(&r->rules, line) : lvl_where_root();
    lvl_reader_report(r, problem, &where, at, what);
}

void lvl_reader_report_words(const lvl_line_reader *r, const lvl_where *where, lvl_text line,
                             unsigned problems)
{
    static const struct {
        unsigned words;
        lvl_line_problem problem;
        const char *text;
    } all[] = {
        {LVL_WORDS_NUMBER, LVL_LINE_NUMBER,
         "this line has a word where a number is expected, which games may read as 0"},
        {LVL_WORDS_NAME | LVL_WORDS_UNNAMED, LVL_LINE_NAME,
         "a name in this line is not known: games may skip the line"},
        {LVL_WORDS_MORE, LVL_LINE_WORDS,
         "this line has more words than its command needs: some programs skip it"},
        {LVL_WORDS_FEW, LVL_LINE_INCOMPLETE,
         "this line has fewer words than its command needs: the missing ones are 0 or empty"},
        {LVL_WORDS_QUOTE, LVL_LINE_QUOTE,
         "a name has no quote at its end, so it extends to the end of the line"},
    };

    for (size_t i = 0; problems && i < LVL_COUNT_OF(all); i++) {
        if (problems & all[i].words)
            lvl_reader_report(r, all[i].problem, where, line, all[i].text);
    }
}

void lvl_reader_emit(lvl_line_reader *r, lvl_span_role role, const lvl_where *where, const lvl_field *field,
                     uint32_t index, const char *to, const char *note)
{
    if (!r->sink || to <= r->shown)
        return;
    const lvl_span span = {.bit = (uint64_t)(r->shown - r->text.ptr) * 8,
                           .bits = (uint64_t)(to - r->shown) * 8,
                           .role = role,
                           .where = field ? lvl_where_to(*where, field, index) : *where,
                           .field = role == LVL_SPAN_CONTAINER ? NULL : field,
                           .note = note};
    r->shown = to;
    r->sink->span(r->sink, &span);
}

/* Each item reaches to the next one, the last one to the end. */
static void emit_list(lvl_line_reader *r, const lvl_where *where, const lvl_field *list, const char *end)
{
    const lvl_text text = {r->shown, (size_t)(end - r->shown)};
    lvl_list_item_view item;
    size_t at = 0;
    uint32_t n = 0;

    for (size_t before = 0; lvl_list_next(text, &at, &item); before = at, n++) {
        if (n)
            lvl_reader_emit(r, LVL_SPAN_FIELD, where, list, n - 1, text.ptr + before, NULL);
    }
    if (n)
        lvl_reader_emit(r, LVL_SPAN_FIELD, where, list, n - 1, end, NULL);
}

/* The same of texts without quotes, each with the comma after it. */
static void emit_names(lvl_line_reader *r, const lvl_where *where, const lvl_field *list, lvl_text text,
                       const char *note)
{
    lvl_text item;
    size_t at = 0;

    lvl_reader_emit(r, LVL_SPAN_CONTAINER, where, NULL, LVL_NO_INDEX, text.ptr, note);
    for (uint32_t n = 0; lvl_names_next(text, &at, &item); n++)
        lvl_reader_emit(r, LVL_SPAN_FIELD, where, list, n, text.ptr + (at < text.len ? at : text.len), NULL);
}

void lvl_reader_emit_line(lvl_line_reader *r, const lvl_where *where, const lvl_line_form *form,
                          const lvl_text *found, const char *end, const char *note)
{
    const lvl_field *before = NULL;

    if (!r->sink)
        return;
    if (form->list && form->sign) {
        emit_names(r, where, form->member[0].field, found[0], note);
        lvl_reader_emit(r, LVL_SPAN_CONTAINER, where, form->member[0].field, LVL_NO_INDEX, end, "line end");
        return;
    }
    if (form->list) {
        emit_list(r, where, form->member[0].field, end);
        return;
    }
    for (unsigned i = 0; i < form->count; i++) {
        const lvl_field *field = form->member[i].field;
        if (form->member[i].form == LVL_WORD_SWITCH && form->count == 1)
            lvl_reader_emit(r, LVL_SPAN_FIELD, where, field, LVL_NO_INDEX, end, NULL);
        if (!found[i].ptr)
            continue;
        lvl_reader_emit(r, LVL_SPAN_CONTAINER, where, before, LVL_NO_INDEX, found[i].ptr, note);
        lvl_reader_emit(r, LVL_SPAN_FIELD, where, field, LVL_NO_INDEX, found[i].ptr + found[i].len, NULL);
        before = field;
        note = "blank";
    }
    lvl_reader_emit(r, LVL_SPAN_CONTAINER, where, before, LVL_NO_INDEX, end, "line end");
}
