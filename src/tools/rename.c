/*
 * tools/rename.c: changes the name of a file in the fields that name it (LVL_F_FILE), and in scripts.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "tools/tools.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COMMAND = 32 /* characters of a script's command */ };

/* A pair of names in the document's code page. */
typedef struct pair {
    lvl_text from, to;
    bool absent;  /* the old name is empty, or the code page lacks a character of it: no text can be it */
    bool foreign; /* the code page lacks a character of the new one */
    lvl_text to_utf8;
} pair;

/* A pair that a text is the old name of, perhaps without the ending. */
typedef struct match {
    const pair *pair;
    lvl_text from, to, to_utf8;
} match;

typedef struct renamer {
    lvl_doc *doc;
    pair *pairs;
    size_t count;
    bool scripts;
    lvl_file_use_fn report;
    void *user;
    size_t changed;
    lvl_buffer texts; /* of the pairs */
} renamer;

/* ---- names ------------------------------------------------------------------------------------------- */

/* Appends a name; false: the code page lacks a character of it. */
static bool add_name(renamer *r, const char *utf8, size_t *at)
{
    uint32_t bad;

    *at = r->texts.len;
    return lvl_text_from_utf8(&r->texts, r->doc->codepage, lvl_text_of(utf8), &bad);
}

static lvl_status take_names(renamer *r, const lvl_rename *names, size_t count)
{
    size_t *at = calloc(count * 2 + 1, sizeof *at);

    r->pairs = calloc(count + 1, sizeof *r->pairs);
    for (size_t i = 0; at && r->pairs && i < count; i++) {
        r->pairs[i].absent = !add_name(r, names[i].from, &at[2 * i]);
        r->pairs[i].from.len = r->texts.len - at[2 * i];
        r->pairs[i].foreign = !add_name(r, names[i].to, &at[2 * i + 1]);
        r->pairs[i].to.len = r->texts.len - at[2 * i + 1];
        r->pairs[i].to_utf8 = lvl_text_of(names[i].to);
    }
    const lvl_status status = at && r->pairs ? r->texts.status : LVL_ERR_MEMORY;
    for (size_t i = 0; status == LVL_OK && i < count; i++) {
        const char *texts = r->texts.data ? (const char *)r->texts.data : "";
        r->pairs[i].from.ptr = texts + at[2 * i];
        r->pairs[i].to.ptr = texts + at[2 * i + 1];
        r->pairs[i].absent = r->pairs[i].absent || !r->pairs[i].from.len;
    }
    r->count = count;
    free(at);
    return status;
}

/* Removes the ending; false if the name has none of these. */
static bool cut_ending(lvl_text *name, const char *endings)
{
    while (endings && *endings) {
        const lvl_text ending = {endings, strcspn(endings, " ")};
        if (name->len > ending.len + 1 && name->ptr[name->len - ending.len - 1] == '.' &&
            lvl_text_equal_nocase((lvl_text){name->ptr + name->len - ending.len, ending.len}, ending)) {
            name->len -= ending.len + 1;
            return true;
        }
        endings += ending.len + strspn(endings + ending.len, " ");
    }
    return false;
}

static match whole(const pair *p)
{
    return (match){p->absent ? NULL : p, p->from, p->to, p->to_utf8};
}

/* Names without their ending, which both must have. */
static match stem(const pair *p, const char *endings)
{
    match m = whole(p);

    if (!m.pair)
        return m;
    if (!cut_ending(&m.from, endings) || !cut_ending(&m.to_utf8, endings) ||
        (!p->foreign && !cut_ending(&m.to, endings)))
        m.pair = NULL;
    return m;
}

/* Reports a use of the old name; *change: it must be replaced. */
static lvl_status found(renamer *r, const lvl_where *where, uint32_t line, lvl_text name, const match *m,
                        bool *change)
{
    const lvl_file_use use = {where, line, name, m->to_utf8, !line || r->scripts};

    *change = use.changed && (m->pair->foreign || !lvl_text_equal(name, m->to));
    if (*change && m->pair->foreign)
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
    for (from = i; from && is_word(s.ptr[from - 1]) && i - from < MOST_COMMAND;)
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

/* Whether the `len` characters at `at` are a whole string. */
static bool is_string(lvl_text s, size_t at, size_t len, bool quoted)
{
    const char before = at ? s.ptr[at - 1] : '\n', after = at + len < s.len ? s.ptr[at + len] : '\n';

    if (before == '"' || before == '\'' || before == '`')
        return after == before && (quoted || before != '"');
    return !quoted && begins_argument(s, at) && ends_argument(s, at + len);
}

/* Whether the old name is a whole string at `at`. */
static bool is_at(const match *m, lvl_text s, size_t at, bool quoted)
{
    return m->pair && m->from.len <= s.len - at &&
           lvl_text_equal_nocase((lvl_text){s.ptr + at, m->from.len}, m->from) &&
           is_string(s, at, m->from.len, quoted);
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
                 i && s.ptr[i - 1] && !strchr("\"'`,(=;{}\n ", s.ptr[i - 1]) && at - i < MOST_COMMAND * 2;)
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

/* The pair whose old name is a whole string at `at`; none: its `pair` is NULL. */
static match pair_at(const renamer *r, lvl_text s, size_t at, bool quoted)
{
    for (size_t i = 0; i < r->count; i++) {
        match m = whole(&r->pairs[i]);
        if (!m.pair || lvl_lower(s.ptr[at]) != lvl_lower(m.from.ptr[0]))
            continue;
        if (is_at(&m, s, at, quoted))
            return m;
        for (const lvl_script_stem *c = r->doc->format->calls->script_stems; c && c->command; c++) {
            m = stem(&r->pairs[i], c->ending);
            if (is_at(&m, s, at, quoted) && is_argument_of(c, s, at))
                return m;
        }
    }
    return (match){0};
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
        const match m = comment ? (match){0} : pair_at(r, s, i, quoted);
        bool change = false;
        if (m.pair) {
            status = found(r, where, line, (lvl_text){s.ptr + i, m.from.len}, &m, &change);
            if (change) {
                lvl_buffer_add(out, s.ptr + copied, i - copied);
                lvl_buffer_add(out, m.to.ptr, m.to.len);
                copied = i + m.from.len;
            }
            i += m.from.len - 1;
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

/* Sets *now to the new name if the text is an old name, or with `endings` one without its ending. */
static lvl_status rename_text(renamer *r, lvl_text was, const lvl_where *where, const char *endings,
                              lvl_text *now)
{
    lvl_status status = LVL_OK;
    bool change = false, index = endings != NULL;

    for (size_t i = 0; i < was.len && index; i++)
        index = lvl_is_digit(was.ptr[i]);
    for (size_t i = 0; i < r->count && was.len && !index; i++) {
        const match m = endings ? stem(&r->pairs[i], endings) : whole(&r->pairs[i]);
        if (!m.pair || !lvl_text_equal_nocase(was, m.from))
            continue;
        status = found(r, where, 0, was, &m, &change);
        if (status == LVL_OK && change)
            *now = lvl_doc_text(r->doc, m.to);
        return status == LVL_OK && !now->ptr ? LVL_ERR_MEMORY : status;
    }
    return status;
}

static lvl_status rename_texts(renamer *r, void *record, const lvl_field *f, const lvl_where *where)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < lvl_list_count(record, f) && status == LVL_OK; i++) {
        lvl_text *item = lvl_item_at(record, f, i);
        const lvl_where at = lvl_where_to(*where, f, i);
        status = rename_text(r, *item, &at, NULL, item);
    }
    return status;
}

static lvl_status rename_field(renamer *r, void *record, const lvl_field *f, const lvl_where *where)
{
    const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
    const lvl_text was = lvl_get_text(record, f);
    lvl_buffer script = {.max = lvl_memory_share(r->doc->ctx)};
    lvl_text now = was;
    lvl_status status;

    if (f->flags & (LVL_F_FILE | LVL_F_STEM)) {
        status = rename_text(r, was, &at, f->flags & LVL_F_STEM ? r->doc->format->extensions : NULL, &now);
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
            status =
                f->kind == LVL_LIST ? rename_texts(r, record, f, &where) : rename_field(r, record, f, &where);
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

lvl_status lvl_doc_rename(lvl_doc *doc, const lvl_rename *names, size_t count, bool scripts,
                          lvl_file_use_fn report, void *user, size_t *changed)
{
    renamer r = {.doc = doc, .scripts = scripts, .report = report, .user = user};

    lvl_status status = take_names(&r, names, count);
    if (status == LVL_OK)
        status = rename_in(&r, doc->root, doc->format->table, lvl_where_root());
    if (status == LVL_OK && r.changed)
        status = lvl_doc_recompute_derived(doc);
    if (changed)
        *changed = r.changed;
    lvl_buffer_free(&r.texts);
    free(r.pairs);
    return status;
}
