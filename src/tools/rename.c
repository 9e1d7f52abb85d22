/*
 * tools/rename.c: changes the name of a file in the fields that name it (LVL_F_FILE), and in scripts.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "tools/tools.h"

#include <string.h>

enum {
    MAX_COMMAND = 32, /* characters of a script's command */
    MAX_NAME = 255, /* bytes of a file's name in a script */
    MAX_ENDS = 8 /* places in a script where a name without quotes may end */
};

/* A name that is renamed, in UTF-8 and perhaps without its ending; `to` NULL: it is not. */
typedef struct match {
    lvl_text to;
    lvl_text name; /* as the document has it */
} match;

typedef struct renamer {
    lvl_doc *doc;
    lvl_new_name_fn new_name;
    bool scripts;
    lvl_file_use_fn report;
    void *user;
    size_t changed;
    lvl_buffer name; /* UTF-8; for one lookup */
    lvl_buffer to; /* in the document's code page; for one name */
} renamer;

/* ---- names ------------------------------------------------------------------------------------------- */

/* Removes the ending; false if the name has another one. */
static bool cut_ending(lvl_text *name, lvl_text ending)
{
    if (name->len <= ending.len + 1 || name->ptr[name->len - ending.len - 1] != '.' ||
        !lvl_text_equal_nocase((lvl_text){name->ptr + name->len - ending.len, ending.len}, ending))
        return false;
    name->len -= ending.len + 1;
    return true;
}

/* The new name of what a document calls `name`, with that ending appended if there is one. */
static match look_up(renamer *r, lvl_text name, lvl_text ending)
{
    match m = {{0}, name};

    r->name.len = 0;
    lvl_text_to_utf8(&r->name, r->doc->codepage, name);
    if (ending.len) {
        lvl_buffer_u8(&r->name, '.');
        lvl_buffer_add(&r->name, ending.ptr, ending.len);
    }
    if (!name.len || r->name.status != LVL_OK)
        return m;
    m.to = r->new_name(r->user, lvl_buffer_text(&r->name));
    if (ending.len && m.to.len && !cut_ending(&m.to, ending))
        m.to = (lvl_text){0};
    return m;
}

/* The same for a name without its ending, which is one of these. */
static match look_up_stem(renamer *r, lvl_text name, const char *endings)
{
    match m = {{0}, name};

    while (endings && *endings && !m.to.len) {
        const lvl_text ending = {endings, strcspn(endings, " ")};
        m = look_up(r, name, ending);
        endings += ending.len + strspn(endings + ending.len, " ");
    }
    return m;
}

/* Reports a use of the old name; *change: it must be replaced, by r->to. */
static lvl_status report_use(renamer *r, const lvl_where *where, uint32_t line, const match *m, bool *change)
{
    const lvl_file_use use = {where, line, m->name, m->to, !line || r->scripts};
    uint32_t bad;

    r->to.len = 0;
    const bool good = lvl_text_from_utf8(&r->to, r->doc->codepage, m->to, &bad);
    if (r->to.status != LVL_OK)
        return r->to.status;
    *change = use.changed && (!good || !lvl_text_equal(m->name, lvl_buffer_text(&r->to)));
    if (*change && !good)
        return LVL_ERR_ARG;
    r->changed += *change;
    /* a name that equals the new one already is not reported */
    return r->report && (*change || !use.changed) ? r->report(r->user, &use) : LVL_OK;
}

/* ---- scripts ----------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_word(char c)
{
    return lvl_is_digit(c) || (lvl_lower(c) >= 'a' && lvl_lower(c) <= 'z') || c == '_' || (uint8_t)c >= 0x80;
}

static size_t skip_back(lvl_text s, size_t at)
{
    while (at && is_blank(s.ptr[at - 1]))
        at--;
    return at;
}

/* Whether an argument without quotes may begin at `at`: after a comma, a bracket or an operator, or after the
 * word that begins the statement ("setlevel2 a.nw,30,30"). */
static bool begins_argument(lvl_text s, size_t at)
{
    size_t i = skip_back(s, at), from;

    if (!i || !is_word(s.ptr[i - 1]))
        return i && s.ptr[i - 1] && strchr(",(=&", s.ptr[i - 1]);
    for (from = i; from && is_word(s.ptr[from - 1]) && i - from < MAX_COMMAND;)
        from--;
    from = skip_back(s, from);
    return i < at && (!from || (s.ptr[from - 1] && strchr("\n\r;{})", s.ptr[from - 1])));
}

static bool ends_argument(lvl_text s, size_t at)
{
    while (at < s.len && is_blank(s.ptr[at]))
        at++;
    return at == s.len || (s.ptr[at] && strchr("\n\r,;)}&", s.ptr[at]));
}

/* Whether what begins at `at` is one of the command's arguments that name files. */
static bool is_argument_of(const lvl_script_stem *command, lvl_text s, size_t at)
{
    size_t i = at;

    for (unsigned arg = 1; arg <= command->args; arg++) {
        if (i && s.ptr[i - 1] && strchr("\"'`", s.ptr[i - 1]))
            i--;
        i = skip_back(s, i);
        if (i && s.ptr[i - 1] == ',') { /* back to the start of the argument before it */
            for (i--;
                 i && s.ptr[i - 1] && !strchr("\"'`,(=;{}\n ", s.ptr[i - 1]) && at - i < MAX_COMMAND * 2;)
                i--;
            continue;
        }
        while (i && (s.ptr[i - 1] == '(' || s.ptr[i - 1] == '='))
            i--;
        i = skip_back(s, i);
        const lvl_text word = lvl_text_of(command->command);
        return i >= word.len && lvl_text_equal_nocase((lvl_text){s.ptr + i - word.len, word.len}, word) &&
               (i == word.len || !is_word(s.ptr[i - word.len - 1]));
    }
    return false;
}

/* Whether a name begins at `at`: at the start of a string, or of an argument without quotes (*quote 0). */
static bool begins_name(lvl_text s, size_t at, bool quoted, char *quote)
{
    const char before = at ? s.ptr[at - 1] : '\n';
    const bool string = before == '"' || before == '\'' || before == '`';

    *quote = string ? before : 0;
    if (is_blank(s.ptr[at]) || s.ptr[at] == '\n')
        return false;
    return string ? quoted || before != '"' : !quoted && begins_argument(s, at);
}

/* The name of a renamed file that is the whole string or argument at `at`; none: its `to` is empty. */
static match match_at(renamer *r, lvl_text s, size_t at, bool quoted)
{
    const lvl_script_stem *commands = r->doc->format->calls->script_stems;
    match m = {{0}, {0}};
    unsigned ends = 0;
    char quote;

    if (!begins_name(s, at, quoted, &quote))
        return m;
    for (size_t end = at + 1; end <= s.len && end - at <= MAX_NAME && !m.to.len && ends < MAX_ENDS; end++) {
        const bool ended =
            quote ? end < s.len && s.ptr[end] == quote : !is_blank(s.ptr[end - 1]) && ends_argument(s, end);
        if (ended) {
            const lvl_text name = {s.ptr + at, end - at};
            ends++;
            m = look_up(r, name, (lvl_text){0});
            for (const lvl_script_stem *c = commands; c && c->command && !m.to.len; c++) {
                if (is_argument_of(c, s, at))
                    m = look_up_stem(r, name, c->ending);
            }
        }
        if (end < s.len && (s.ptr[end] == '\n' || (quote && s.ptr[end] == quote)))
            break;
    }
    return m;
}

/* Replaces names in a script. Strings end with their line; outside of strings `//` begins a comment. */
static lvl_status rename_in_script(renamer *r, lvl_text s, const lvl_where *where, lvl_buffer *out)
{
    bool quoted = false, comment = false;
    lvl_status status = LVL_OK;
    uint32_t line = 1;
    size_t copied = 0;

    for (size_t i = 0; i < s.len && status == LVL_OK; i++) {
        const char c = s.ptr[i];
        const match m = comment ? (match){0} : match_at(r, s, i, quoted);
        bool change = false;
        if (m.to.len) {
            status = report_use(r, where, line, &m, &change);
            if (change) {
                lvl_buffer_add(out, s.ptr + copied, i - copied);
                lvl_buffer_add(out, r->to.data, r->to.len);
                copied = i + m.name.len;
            }
            i += m.name.len - 1;
        } else if (c == '\n') {
            quoted = comment = false;
            line++;
        } else if (c == '\\' && quoted && i + 1 < s.len && s.ptr[i + 1] != '\n') {
            i++;
        } else if (c == '"' && !comment) {
            quoted = !quoted;
        } else if (c == '/' && !quoted && i + 1 < s.len && s.ptr[i + 1] == '/') {
            comment = true;
        }
    }
    if (copied)
        lvl_buffer_add(out, s.ptr + copied, s.len - copied);
    return status == LVL_OK ? out->status : status;
}

/* ---- records ----------------------------------------------------------------------------------------- */

static bool names_files(const lvl_field *f)
{
    return (f->flags & (LVL_F_FILE | LVL_F_STEM)) ||
           (f->part && strcmp(f->part, "scripts") == 0 && f->kind == LVL_TEXT);
}

/* Sets *now to the new name of a file, or with `endings` of one without its ending. `stems`: the endings of
 * what the text may also name without its ending; or NULL. */
static lvl_status rename_text(renamer *r, lvl_text was, const lvl_where *where, const char *endings,
                              const char *stems, lvl_text *now)
{
    bool change = false, index = endings != NULL;

    for (size_t i = 0; i < was.len && index; i++)
        index = lvl_is_digit(was.ptr[i]);
    if (index)
        return LVL_OK;
    match m = endings ? look_up_stem(r, was, endings) : look_up(r, was, (lvl_text){0});
    if (!m.to.len)
        m = look_up_stem(r, was, stems);
    if (!m.to.len)
        return r->name.status;
    const lvl_status status = report_use(r, where, 0, &m, &change);
    if (status == LVL_OK && change)
        *now = lvl_doc_text(r->doc, lvl_buffer_text(&r->to));
    return status == LVL_OK && !now->ptr ? LVL_ERR_MEMORY : status;
}

const lvl_script_stem *lvl_label_stem(const lvl_doc *doc, const void *record, const lvl_table *table)
{
    const lvl_field *label = table->label ? lvl_field_named(table, table->label) : NULL;
    const lvl_script_stem *c = doc->format->calls->script_stems;

    if (!label || label->kind != LVL_TEXT || !lvl_field_present(record, label))
        return NULL;
    while (c && c->command && !lvl_text_equal_nocase(lvl_get_text(record, label), lvl_text_of(c->command)))
        c++;
    return c && c->command ? c : NULL;
}

static lvl_status rename_texts(renamer *r, void *record, const lvl_field *f, const lvl_where *where)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < lvl_list_count(record, f) && status == LVL_OK; i++) {
        lvl_text *item = lvl_item_at(record, f, i);
        const lvl_where at = lvl_where_to(*where, f, i);
        status = rename_text(r, *item, &at, NULL, NULL, item);
    }
    return status;
}

static lvl_status rename_field(renamer *r, void *record, const lvl_table *table, const lvl_field *f,
                               const lvl_where *where)
{
    const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
    const lvl_text was = lvl_get_text(record, f);
    lvl_buffer script = {.max = lvl_memory_share(r->doc->ctx)};
    lvl_text now = was;
    lvl_status status;

    if (f->flags & (LVL_F_FILE | LVL_F_STEM)) {
        const lvl_script_stem *stem = f->flags & LVL_F_STEM ? NULL : lvl_label_stem(r->doc, record, table);
        status = rename_text(r, was, &at, f->flags & LVL_F_STEM ? r->doc->format->extensions : NULL,
                             stem ? stem->ending : NULL, &now);
    } else {
        status = rename_in_script(r, was, &at, &script);
        now = script.len ? lvl_buffer_text(&script) : was;
    }
    if (status == LVL_OK && now.ptr != was.ptr)
        status = lvl_put_text(r->doc, record, f, now);
    lvl_buffer_free(&script);
    return status;
}

static lvl_status rename_in(renamer *r, void *record, const lvl_table *table,
                            lvl_where where) /* NOLINT(misc-no-recursion) */
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (names_files(f)) {
            status = f->kind == LVL_LIST ? rename_texts(r, record, f, &where)
                                         : rename_field(r, record, table, f, &where);
        } else if (f->table && where.depth + 1 < LVL_PATH_DEPTH) {
            const bool list = f->kind == LVL_LIST;
            const uint32_t count = list ? lvl_list_count(record, f) : 1;
            for (uint32_t k = 0; k < count && status == LVL_OK; k++) {
                const void *item = list ? lvl_list_item(record, f, k) : lvl_get_record(record, f);
                status = rename_in(r, (void *)(uintptr_t)item, f->table,
                                   lvl_where_to(where, f, list ? k : LVL_NO_INDEX));
            }
        }
    }
    return status;
}

lvl_status lvl_doc_rename(lvl_doc *doc, lvl_new_name_fn new_name, bool scripts, lvl_file_use_fn report,
                          void *user, size_t *changed)
{
    renamer r = {.doc = doc, .new_name = new_name, .scripts = scripts, .report = report, .user = user};

    lvl_status status = rename_in(&r, doc->root, doc->format->table, lvl_where_root());
    if (status == LVL_OK)
        status = r.name.status;
    if (status == LVL_OK && r.changed)
        status = lvl_doc_recompute_derived(doc);
    if (changed)
        *changed = r.changed;
    lvl_buffer_free(&r.name);
    lvl_buffer_free(&r.to);
    return status;
}
