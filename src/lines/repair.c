/*
 * lines/repair.c: repairs a document by what its reader finds in its lines. Each step makes a text of
 * the whole file, which is read again.
 */
#include "base/format.h"
#include "lines/writer.h"

#include "base/text.h"

#include <string.h>

typedef struct repairer {
    lvl_doc *doc;
    const lvl_grammar *grammar;
    const lvl_repairs *repairs;
    lvl_findings *log;
    lvl_leaves_fn leaves;
} repairer;

/* Whether a finding is what the grammar reports as that problem, and has a repair. */
static bool is_about(const repairer *r, const lvl_finding *f, lvl_line_problem problem)
{
    return f->def->repair && f->def == r->grammar->findings[problem] &&
           lvl_repairs_wants(r->repairs, r->doc->ctx, f->def);
}

static void log_repair(const repairer *r, const lvl_finding *f)
{
    lvl_findings_add(r->log, f->def, &f->where, &f->position, "%s: %s", f->text, f->def->repair);
}

/* Goes on with another text, unless it is empty. */
static lvl_status use_text(const repairer *r, const lvl_buffer *text)
{
    return text->status != LVL_OK || !text->len ? text->status
                                                : lvl_doc_reread(r->doc, (lvl_bytes){text->data, text->len});
}

/* ---- blocks that end too early or begin too late ------------------------------------------------- */

static bool is_row(const lvl_grammar *grammar, uint32_t rule, lvl_text line)
{
    const lvl_line_rows *rows = grammar->rules[rule].rows;

    return line.len && (*line.ptr == '"' || (rows && rows->is_row(line)));
}

/* The next line that is the word, or any that is not empty (NULL). Without one: `next` is NULL, and the text
 * is empty at the end. */
static lvl_line_view find_line(const lvl_lines_text *text, const char *at, const char *word)
{
    lvl_line_view l;

    for (; at < text->end; at = l.next) {
        l = lvl_line_at(text, at);
        if (word ? lvl_line_is_word(l.text, word) : l.text.len != 0)
            return l;
    }
    return (lvl_line_view){{text->end, 0}, NULL};
}

/* Makes a text in which the first block of a rule also has the rows right before it, and the lines after it
 * up to where a second block ends, or the file does, if these begin with a row or a second block. */
static void join_rows(const lvl_grammar *grammar, uint32_t rule, lvl_text file, lvl_buffer *out)
{
    const lvl_rule *r = &grammar->rules[rule];
    const lvl_lines_text text = {file.ptr, file.ptr + file.len, lvl_lines_are_crlf(file)};
    const lvl_line_view begin = find_line(&text, text.ptr, r->word),
                        end = find_line(&text, begin.next ? begin.next : text.end, r->end);
    const char *first = NULL; /* of the rows before it */
    lvl_line_view l;

    if (!begin.next || !end.next)
        return;
    for (const char *at = text.ptr; at < begin.text.ptr; at = l.next) {
        l = lvl_line_at(&text, at);
        first = !is_row(grammar, rule, l.text) ? NULL : first ? first : at;
    }
    first = first ? first : begin.text.ptr;
    const char *from = end.next, *to = from, *rest = from; /* the lines after it, and what follows them */
    l = find_line(&text, from, NULL);
    const bool again = lvl_line_is_word(l.text, r->word);
    if (again || is_row(grammar, rule, l.text)) {
        from = again ? l.next : from;
        l = find_line(&text, from, r->end);
        to = l.text.ptr;
        rest = l.next ? l.next : to;
    }
    if (first == begin.text.ptr && from == to)
        return;
    lvl_buffer_add(out, text.ptr, (size_t)(first - text.ptr));
    lvl_buffer_add(out, begin.text.ptr, (size_t)(begin.next - begin.text.ptr));
    lvl_buffer_add(out, first, (size_t)(begin.text.ptr - first));
    lvl_buffer_add(out, begin.next, (size_t)(end.text.ptr - begin.next));
    lvl_buffer_add(out, from, (size_t)(to - from));
    if (from < to && to[-1] != '\n')
        lvl_buffer_str(out, text.crlf && to[-1] != '\r' ? "\r\n" : "\n");
    lvl_buffer_add(out, end.text.ptr, (size_t)(end.next - end.text.ptr));
    lvl_buffer_add(out, rest, (size_t)(text.end - rest));
}

/* Whether neither reading a file nor checking it finds an error. */
static lvl_status is_sound(const repairer *r, lvl_bytes file, bool *out)
{
    lvl_ctx strict = *r->doc->ctx;
    lvl_doc *again = NULL;

    strict.profile = LVL_PROFILE_STRICT;
    lvl_findings *found = lvl_findings_new(&strict);
    const lvl_check_request request = {.findings = found};
    lvl_status status = found ? lvl_read(&again, &strict, r->doc->format, file, NULL, LVL_READ_BORROW, found)
                              : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = r->doc->format->calls->check(again, &request);
    *out = status == LVL_OK && lvl_findings_worst(found) < LVL_ERROR;
    lvl_doc_free(again);
    lvl_findings_free(found);
    return status;
}

static lvl_status join_blocks(const repairer *r, const lvl_findings *reread, bool *joined)
{
    const lvl_finding *outside = NULL;
    lvl_buffer file = {0}, out = {0};

    for (size_t i = lvl_findings_count(reread); i-- > 0;) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        outside = is_about(r, f, LVL_LINE_OUTSIDE) || is_about(r, f, LVL_LINE_SECOND) ? f : outside;
    }
    lvl_status status = outside ? lvl_doc_write(r->doc, &file) : LVL_OK;
    for (uint32_t k = 0; k < r->grammar->rule_count && outside && status == LVL_OK && !*joined; k++) {
        if (r->grammar->rules[k].kind != LVL_RULE_ROWS || !r->grammar->rules[k].word)
            continue;
        out.len = 0;
        join_rows(r->grammar, k, (lvl_text){(const char *)file.data, file.len}, &out);
        status = out.len ? is_sound(r, (lvl_bytes){out.data, out.len}, joined) : out.status;
    }
    if (*joined) {
        log_repair(r, outside);
        status = use_text(r, &out);
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}

/* ---- bodies without an end ----------------------------------------------------------------------- */

/* Whether the body of a rule is a list of numbers. */
static bool is_of_reals(lvl_rules *rules, uint32_t rule)
{
    const lvl_line_form *body = &lvl_rules_form(rules, rule)->body;

    return body->count == 1 && body->member[0].field->kind == LVL_LIST &&
           body->member[0].field->item == LVL_REAL;
}

/* Whether a line has nothing but numbers. */
static bool has_reals(lvl_text line)
{
    lvl_list_item_view item;
    double number;

    for (size_t at = 0; lvl_list_next(line, &at, &item);) {
        if (item.open || item.more || (item.text.len && !lvl_word_real(item.text, &number)))
            return false;
    }
    return true;
}

/* Copies a file, and ends bodies before commands inside of them, and numbers without an end before the first
 * line that is none; appends nothing if there are none. */
static lvl_status end_bodies(const repairer *r, lvl_text file, lvl_buffer *out)
{
    const lvl_text text = lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len});
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, lvl_lines_are_crlf(file)};
    uint32_t open = LVL_RULES, counts[LVL_RULES] = {0}; /* the rule whose body is open */
    /* by rule: it is a list of numbers, and nothing ends one from here on */
    bool endless[LVL_RULES] = {false};
    const char *copied = file.ptr;
    lvl_line_view line;
    lvl_rules rules;

    lvl_rules_init(&rules, r->grammar, r->doc->format->table);
    for (const char *p = lines.ptr; p < lines.end; p = line.next) {
        line = lvl_line_at(&lines, p);
        if (open != LVL_RULES) {
            const char *word = r->grammar->rules[open].end;
            const bool ends = lvl_line_is_word(line.text, word);
            const bool inside = !ends && lvl_rules_match_inside(&rules, line.text);
            if (!ends && !inside && (!endless[open] || has_reals(line.text)))
                continue;
            if (!ends) {
                const lvl_line line_of = {.rule = (uint8_t)open, .item = counts[open] - 1};
                const lvl_where where = lvl_rules_where(&rules, &line_of);
                lvl_findings_add(r->log, r->grammar->findings[inside ? LVL_LINE_INSIDE : LVL_LINE_OPEN],
                                 &where, NULL, "added %s before a line that is %s", word,
                                 inside ? "a command" : "not of numbers");
                lvl_buffer_add(out, copied, (size_t)(p - copied));
                lvl_buffer_str(out, word);
                lvl_buffer_str(out, lines.crlf ? "\r\n" : "\n");
                copied = p;
            }
            open = LVL_RULES;
            if (ends)
                continue;
        }
        const uint32_t k = lvl_text_trim(line.text).len ? lvl_rules_match(&rules, line.text).rule : LVL_RULES;
        if (k == LVL_RULES)
            continue;
        rules.any = true;
        counts[k]++;
        if (r->grammar->rules[k].end && r->grammar->rules[k].kind != LVL_RULE_ROWS)
            open = k;
        if (open == k && !endless[k] && is_of_reals(&rules, k))
            endless[k] = !find_line(&lines, line.next, r->grammar->rules[k].end).next &&
                         r->grammar->findings[LVL_LINE_OPEN];
    }
    if (out->len)
        lvl_buffer_add(out, copied, (size_t)(lines.end - copied));
    return out->status;
}

/* ---- lines --------------------------------------------------------------------------------------- */

/* Makes a text without the last line if it is a command with too few words: the file breaks off in it. Only
 * for formats whose finding about such lines has a repair. */
static bool cut_broken_end(const repairer *r, const lvl_findings *reread, uint64_t size, lvl_buffer *out)
{
    for (size_t i = 0; i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (!is_about(r, f, LVL_LINE_INCOMPLETE) || !f->position.known ||
            f->position.bit + f->position.bits < size * 8)
            continue;
        log_repair(r, f);
        if (lvl_doc_write(r->doc, out) == LVL_OK)
            out->len = (size_t)(f->position.bit / 8);
        return true;
    }
    return false;
}

/* Makes a text with a line end after a last line without one. */
static bool end_last_line(const repairer *r, const lvl_findings *reread, lvl_buffer *out)
{
    if (lvl_doc_write(r->doc, out) != LVL_OK || !out->len || strchr("\r\n", out->data[out->len - 1])) {
        out->len = 0;
        return false;
    }
    for (size_t i = 0; i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (f->def != &lvl_doc_cut_off)
            continue;
        lvl_findings_add(r->log, f->def, &f->where, &f->position,
                         "a line end was added to the last line; its last word may be cut off");
        lvl_buffer_str(out,
                       lvl_lines_are_crlf((lvl_text){(const char *)out->data, out->len}) ? "\r\n" : "\n");
        return true;
    }
    out->len = 0;
    return false;
}

/* Whether an item is written again for a finding. */
static bool needs_new_text(const repairer *r, const lvl_finding *f)
{
    return f->def->repair && lvl_repairs_wants(r->repairs, r->doc->ctx, f->def) &&
           !is_about(r, f, LVL_LINE_INSIDE) && !is_about(r, f, LVL_LINE_INCOMPLETE) &&
           !is_about(r, f, LVL_LINE_OUTSIDE) && !is_about(r, f, LVL_LINE_SECOND);
}

/* Makes a text in which the items that findings are about are written again. */
static lvl_status respell(const repairer *r, const lvl_findings *reread, lvl_buffer *out)
{
    const size_t count = lvl_findings_count(reread);
    lvl_where *places = lvl_mem_alloc(r->doc->ctx, (count + 1) * sizeof *places);
    uint8_t *leave = lvl_mem_alloc(r->doc->ctx, count + 1);
    size_t used = 0;

    lvl_status status = places && leave ? LVL_OK : LVL_ERR_MEMORY;
    if (leave)
        memset(leave, 0, count + 1);
    if (status == LVL_OK && r->leaves)
        status = r->leaves(r->doc, reread, leave);
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        leave[i] = leave[i] || !needs_new_text(r, f);
        if (!leave[i])
            places[used++] = f->where;
    }
    if (used)
        status = lvl_grammar_rewrite(r->doc, places, used, out);
    for (size_t i = 0; i < count && used && status == LVL_OK; i++) {
        if (!leave[i])
            log_repair(r, lvl_findings_at(reread, i));
    }
    lvl_mem_free(r->doc->ctx, places);
    lvl_mem_free(r->doc->ctx, leave);
    return status == LVL_ERR_LOSS ? LVL_OK : status; /* it would drop further text: all stays as it is */
}

/* Repairs what the reader finds in the document as it is; *again: there may be more to repair. */
static lvl_status repair_findings(const repairer *r, bool *again)
{
    lvl_findings *reread = NULL;
    lvl_buffer out = {0};
    uint64_t size = 0;
    lvl_ctx ctx;
    lvl_status status = lvl_doc_reread_findings(r->doc, &ctx, &reread, &size);

    *again = false;
    if (status == LVL_OK)
        status = join_blocks(r, reread, again);
    if (status == LVL_OK && !*again)
        *again = cut_broken_end(r, reread, size, &out);
    if (status == LVL_OK && !*again)
        status = respell(r, reread, &out);
    if (status == LVL_OK && !*again && !out.len)
        *again = end_last_line(r, reread, &out);
    if (status == LVL_OK)
        status = use_text(r, &out);
    lvl_findings_free(reread);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_grammar_repair(lvl_doc *doc, const lvl_repairs *repairs, lvl_leaves_fn leaves)
{
    const repairer r = {doc, doc->format->calls->grammar(doc), repairs, repairs->log, leaves};
    lvl_buffer file = {0}, out = {0};
    lvl_status status = lvl_doc_write(doc, &file);

    if (status == LVL_OK && file.len)
        status = end_bodies(&r, (lvl_text){(const char *)file.data, file.len}, &out);
    if (status == LVL_OK)
        status = use_text(&r, &out);
    for (bool again = true; again && status == LVL_OK;)
        status = repair_findings(&r, &again);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}
