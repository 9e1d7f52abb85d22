/*
 * lines/rules.c: the rules of a grammar: which one a line matches, and which record a line describes.
 */
#include "lines/list.h"

#include "base/cursor.h"
#include "base/record.h"
#include "base/text.h"
#include "base/work.h"

lvl_status lvl_line_list_add(lvl_line_list *list, const lvl_ctx *ctx, const lvl_line *line)
{
    if (list->count >= list->most)
        return lvl_refuse(ctx, LVL_LIMIT_ITEMS, list->most, (uint64_t)list->count + 1);
    if (!lvl_grow(&list->lines, &list->cap, (size_t)list->count + 1, sizeof *line))
        return LVL_ERR_MEMORY;
    list->lines[list->count++] = *line;
    return LVL_OK;
}

/* ---- rules --------------------------------------------------------------------------------------- */

static unsigned letter_of(char c)
{
    return (uint8_t)c % LVL_LETTERS;
}

void lvl_rules_init(lvl_rules *rules, const lvl_grammar *grammar, const lvl_table *table)
{
    rules->grammar = grammar;
    rules->table = table;
    rules->any = false;
    rules->first = rules->inside = 0;
    memset(rules->by_letter, 0, sizeof rules->by_letter);
    for (uint32_t k = 0; k < grammar->rule_count; k++) {
        const lvl_rule *rule = &grammar->rules[k];
        const uint32_t bit = (uint32_t)1 << k;
        rules->form[k].ready = false;
        rules->last[k] = 0;
        rules->word_length[k] = rule->word ? strlen(rule->word) : 0;
        rules->first |= rule->kind == LVL_RULE_FIRST ? bit : 0;
        rules->inside |= rule->flags & LVL_RULE_INSIDE ? bit : 0;
        for (const char *word = rule->word; word; word = word == rule->word ? rule->alias : NULL)
            rules->by_letter[letter_of(*word)] |= bit;
    }
}

const lvl_rule_form *lvl_rules_compile(lvl_rules *rules, uint32_t rule)
{
    const lvl_rule *r = &rules->grammar->rules[rule];
    lvl_rule_form *form = &rules->form[rule];

    form->ready = true;
    form->list =
        r->kind == LVL_RULE_FIRST || r->kind == LVL_RULE_SINGLE ? NULL : lvl_table_at(rules->table, r->list);
    const lvl_table *table = form->list && form->list->table ? form->list->table : rules->table;
    lvl_line_form_of(r->words, table, &form->line);
    lvl_line_form_of(r->body, table, &form->body);
    return form;
}

void *lvl_rules_record(lvl_rules *rules, void *root, const lvl_line *line)
{
    const lvl_field *list = lvl_rules_list(rules, line);

    return list ? lvl_item_at(root, list, line->item) : root;
}

lvl_where lvl_rules_where(lvl_rules *rules, const lvl_line *line)
{
    const lvl_field *list = lvl_rules_list(rules, line);
    const lvl_where root = lvl_where_root();

    return list ? lvl_where_to(root, list, line->item) : root;
}

void *lvl_rules_add_item(const lvl_rule_form *form, lvl_doc *doc, uint32_t *index)
{
    const lvl_field *list = form->list;
    enum { LEAST = 4 };
    uint8_t *root = doc->root, *items;
    uint32_t n;

    memcpy(&items, root + list->offset, sizeof items);
    memcpy(&n, root + list->count_offset, sizeof n);
    if (!n || (n >= LEAST && !(n & (n - 1)))) { /* the array has a power of two of items, and is full */
        uint8_t *more = lvl_arena_raw(&doc->arena, (n ? (size_t)n * 2 : LEAST) * list->item_size);
        if (!more)
            return NULL;
        if (n)
            memcpy(more, items, (size_t)n * list->item_size);
        memcpy(root + list->offset, &more, sizeof more);
        items = more;
    }
    *index = n;
    void *item = items + (size_t)n * list->item_size;
    memset(item, 0, list->item_size);
    n++;
    memcpy(root + list->count_offset, &n, sizeof n);
    if (list->table)
        lvl_record_init(item, list->table);
    return item;
}

const char *lvl_rules_first_line(lvl_rules *rules, uint32_t rule, const void *root)
{
    const lvl_line_form *line = &lvl_rules_form(rules, rule)->line;
    const char *word = rules->grammar->rules[rule].word;

    if (!line->count)
        return word;
    const int64_t value = lvl_get_int(root, line->member[0].field);
    const char *name = lvl_name_of(line->member[0].field->names, value);
    return !value ? NULL : name ? name : word;
}

lvl_cells lvl_grid_cells(const lvl_line_grid *grid, const void *item)
{
    lvl_cells cells;

    memcpy(&cells, (const uint8_t *)item + grid->cells, sizeof cells);
    return cells;
}

/* ---- lines --------------------------------------------------------------------------------------- */

/* A line from its first word on. */
static lvl_text command_of(const lvl_grammar *grammar, lvl_text line)
{
    while (grammar->lenient && line.len && (*line.ptr == ' ' || *line.ptr == '\t')) {
        line.ptr++;
        line.len--;
    }
    return line;
}

bool lvl_line_is_comment(const lvl_grammar *grammar, lvl_text line)
{
    const lvl_text command = command_of(grammar, line);

    return (grammar->comment && lvl_text_begins(command, grammar->comment)) ||
           (grammar->lenient && command.len && *command.ptr == '#');
}

bool lvl_line_ends_block(const lvl_grammar *grammar, const char *word, lvl_text line)
{
    return grammar->lenient ? lvl_line_has_word(command_of(grammar, line), word)
                            : lvl_line_is_word(line, word);
}

/* The length of the rule's word at the start of a line: a blank follows it, unless its first member is joined
 * to it; 0: the line begins otherwise. */
static size_t keyword_length(const lvl_rules *rules, uint32_t k, lvl_text line)
{
    const lvl_rule *rule = &rules->grammar->rules[k];
    const bool joined = rule->words && *rule->words == '+', sign = rule->words && *rule->words == '=';

    for (const char *word = rule->word; word; word = word == rule->word ? rule->alias : NULL) {
        const size_t len = word == rule->word ? rules->word_length[k] : strlen(word);
        if (len <= line.len && memcmp(line.ptr, word, len) == 0 &&
            (len == line.len || lvl_is_blank(line.ptr[len]) || (sign && line.ptr[len] == '=')) != joined)
            return len;
    }
    return 0;
}

lvl_text lvl_rules_words(const lvl_rules *rules, uint32_t rule, lvl_text line)
{
    const lvl_text command = command_of(rules->grammar, line);
    const size_t len = keyword_length(rules, rule, command);

    return (lvl_text){command.ptr + len, command.len - len};
}

/* Whether the words after a rule's keyword make a line of it. */
static bool words_fit(lvl_rules *rules, uint32_t k, lvl_text words, bool strict)
{
    const lvl_rule *rule = &rules->grammar->rules[k];
    lvl_grid_line line;

    switch (rule->kind) {
    case LVL_RULE_ROWS: return !lvl_text_trim(words).len;
    case LVL_RULE_GRID: return rule->grid->parse(words, &line);
    default: break;
    }
    const lvl_line_form *form = &lvl_rules_form(rules, k)->line;
    return (rules->grammar->lenient && !form->sign) || lvl_line_fits(form, words, strict);
}

/* Whether a block cannot be read since one came before. */
static bool is_second_block(const lvl_rules *rules, uint32_t rule)
{
    const lvl_rule *all = rules->grammar->rules;
    bool came = rules->last[rule] != 0;

    for (uint32_t k = 0; k < rules->grammar->rule_count && all[rule].kind == LVL_RULE_ROWS; k++)
        came |= all[k].kind == LVL_RULE_ROWS && rules->last[k];
    return came && rules->grammar->lenient && all[rule].end && all[rule].kind != LVL_RULE_ITEM;
}

static bool is_first(const lvl_rule *rule, lvl_text line)
{
    const lvl_text words = lvl_text_trim(line);

    return words.len >= strlen(rule->word) &&
           memcmp(words.ptr, rule->word, strcspn(rule->word, "0123456789")) == 0;
}

/* The rules whose word may begin a line, a bit each. */
static uint32_t begun_by(const lvl_rules *rules, lvl_text line)
{
    return line.len ? rules->by_letter[letter_of(*line.ptr)] : 0;
}

lvl_rule_match lvl_rules_match(lvl_rules *rules, lvl_text line)
{
    const lvl_text command = command_of(rules->grammar, line);
    lvl_rule_match match = {.rule = LVL_RULES, .why = LVL_LINE_UNKNOWN};

    for (uint32_t left = (rules->any ? 0 : rules->first) | begun_by(rules, command); left; left &= left - 1) {
        const uint32_t k = lvl_lowest_bit(left);
        const lvl_rule *rule = &rules->grammar->rules[k];
        if (rule->kind == LVL_RULE_FIRST) {
            if (!rules->any && is_first(rule, line))
                return (lvl_rule_match){.rule = k};
            continue;
        }
        const size_t len = keyword_length(rules, k, command);
        if (!len)
            continue;
        const lvl_text words = {command.ptr + len, command.len - len};
        if (is_second_block(rules, k))
            match.why = rule->kind == LVL_RULE_ROWS ? LVL_LINE_SECOND : match.why;
        else if (words_fit(rules, k, words, rule->flags & LVL_RULE_STRICT))
            return (lvl_rule_match){.rule = k};
        else
            match.why = LVL_LINE_INCOMPLETE;
    }
    return match;
}

bool lvl_rules_match_inside(lvl_rules *rules, lvl_text line)
{
    for (uint32_t left = rules->inside & begun_by(rules, line); left; left &= left - 1) {
        const uint32_t k = lvl_lowest_bit(left);
        const size_t len = keyword_length(rules, k, line);
        if (len && words_fit(rules, k, (lvl_text){line.ptr + len, line.len - len}, true))
            return true;
    }
    return false;
}
