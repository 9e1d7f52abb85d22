/*
 * cli/world/whole.c: see world/whole.h. Names are found as `lvl rename` finds them
 * (tools/world/rename.h), and as games do without folders and without regard to case. What a script puts
 * together from parts is not seen.
 */
#include "cli/world/whole.h"

#include "os/file.h"
#include "base/findings.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/search.h"
#include "base/text.h"
#include "catalogue/names.h"
#include "tools/world/rename.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_BYTES = 1 << 20, /* of a text that is of no known format */
    MAX_FAMILIES = 8
};

/* What is known of an input; written by its own job only. */
enum {
    IS_READ = 1, /* it has a known format */
    IS_LEVEL = 2, /* it has links, and is no map */
    IS_MAP = 4,
    HAS_NAMES = 8, /* its format names files */
    NAMES_ITSELF = 16, /* as a weapon does: others name it so, too */
    IS_TWICE = 32 /* an input before is the same file */
};

#define SEVERAL UINT32_MAX

struct cli_whole {
    const cli *c;
    size_t count;
    uint32_t *sorted; /* inputs by the name of their file, in any case */
    uint8_t *kinds; /* of each input */
    atomic_size_t unread; /* files of known formats that could not be read completely, or not at all */
    bool linked; /* most levels have something that leads to them; else they are a collection */
    atomic_uint *named; /* by what, at the first of equal names in `sorted`: 1 + the only input, or SEVERAL */
    const char *families[MAX_FAMILIES]; /* of documents that name files; ended by NULL */
};

/* ---- names of files ---------------------------------------------------------------------------------- */

static const char *name_at(const cli_whole *w, size_t at)
{
    return lvl_file_name(w->c->inputs.items[w->sorted[at]].rel);
}

/* The first file, in order, whose name is not less. */
static size_t lower_bound(const cli_whole *w, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, w->count, lvl_text_compare_nocase(lvl_text_of(name_at(w, at)), name) < 0);
    return at;
}

/* The first file with another name than the one at `at`. */
static size_t next_name(const cli_whole *w, size_t at)
{
    const lvl_text name = lvl_text_of(name_at(w, at));
    size_t next;

    LVL_LOWER_BOUND(next, w->count, lvl_text_compare_nocase(lvl_text_of(name_at(w, next)), name) <= 0);
    return next;
}

/* Names in any case, then in this one. */
static int compare_names(lvl_text a, lvl_text b)
{
    const int order = lvl_text_compare_nocase(a, b);

    return order || !a.len ? order : memcmp(a.ptr, b.ptr, a.len);
}

/* Whether another file names the input. */
static bool is_named(const cli_whole *w, size_t input)
{
    const char *name = lvl_file_name(w->c->inputs.items[input].rel);
    const uint32_t by = atomic_load(&w->named[lower_bound(w, lvl_text_of(name))]);

    return by && by != input + 1;
}

static bool begins(const cli_whole *w, size_t at, lvl_text start)
{
    const lvl_text name = at < w->count ? lvl_text_of(name_at(w, at)) : (lvl_text){"", 0};

    return name.len > start.len && lvl_text_equal_nocase((lvl_text){name.ptr, start.len}, start);
}

static lvl_use use_of(const cli_whole *w, const char *name)
{
    const char *ending = cli_ending(name);

    return *ending ? cat_use_of_ending(&w->c->ctx, NULL, lvl_text_of(ending + 1)) : LVL_USE_NONE;
}

/* ---- what a document names --------------------------------------------------------------------------- */

typedef struct visit {
    cli_whole *whole;
    cli_job *job;
    const lvl_doc *doc;
    size_t self; /* the input that has the names; SIZE_MAX: none */
    lvl_hash reported; /* findings of the format's own check about the case of a name, by their place */
} visit;

/* Marks all files with the name of the first of them, at `at`. */
static void mark(const visit *v, size_t at)
{
    const cli_whole *w = v->whole;
    const uint32_t by = v->self == SIZE_MAX ? SEVERAL : (uint32_t)v->self + 1;
    unsigned was = 0;

    if (!atomic_compare_exchange_strong(&w->named[at], &was, by) && was != by)
        atomic_store(&w->named[at], SEVERAL);
    if (v->self != SIZE_MAX &&
        lvl_text_equal_nocase(lvl_text_of(lvl_file_name(w->c->inputs.items[v->self].rel)),
                              lvl_text_of(name_at(w, at))))
        w->kinds[v->self] |= NAMES_ITSELF;
}

/* Marks the files with another ending, which games take instead: a.nw for a.graal, a.png for a.gif. */
static void mark_twins(const visit *v, lvl_text name)
{
    const cli_whole *w = v->whole;
    size_t stem = name.len;

    while (stem && name.ptr[stem - 1] != '.')
        stem--;
    const lvl_use use =
        stem > 1 ? cat_use_of_ending(&w->c->ctx, NULL, (lvl_text){name.ptr + stem, name.len - stem})
                 : LVL_USE_NONE;
    const lvl_text start = {name.ptr, stem};
    for (size_t at = use ? lower_bound(w, start) : w->count; begins(w, at, start); at = next_name(w, at)) {
        if (!strchr(name_at(w, at) + stem, '.') && use_of(w, name_at(w, at)) == use)
            mark(v, at);
    }
}

/* Marks the files of that name; returns it as the file is called, empty if there is none. */
static lvl_text mark_name(void *user, lvl_text name)
{
    const lvl_text whole = name;
    const visit *v = user;
    const cli_whole *w = v->whole;
    const char *found = NULL;

    if (!name.len || !memchr(name.ptr, '.', name.len))
        return (lvl_text){0};
    name = lvl_path_last(name);
    const size_t first = lower_bound(w, name);
    size_t exact;
    if (first < w->count && lvl_text_equal_nocase(lvl_text_of(name_at(w, first)), name)) {
        mark(v, first);
        LVL_LOWER_BOUND(exact, w->count, compare_names(lvl_text_of(name_at(w, exact)), name) < 0);
        found = name_at(w, exact < w->count && lvl_text_is(name, name_at(w, exact)) ? exact : first);
    }
    if (!found)
        mark_twins(v, name);
    return !found ? (lvl_text){0} : lvl_text_is(name, found) ? whole : lvl_text_of(found);
}

static lvl_status list_reported(visit *v)
{
    const lvl_findings *findings = v->job->findings;
    lvl_status status = LVL_OK;
    char place[512];

    for (size_t i = 0; i < lvl_findings_count(findings) && status == LVL_OK; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        if (f->def->about != LVL_ABOUT_CASE)
            continue;
        lvl_where_text(&f->where, place, sizeof place);
        status =
            lvl_hash_add(&v->reported, lvl_hash_bytes(&v->reported.seed, place, strlen(place)), (uint32_t)i);
    }
    return status;
}

/* Whether the format's own check has reported the case of that name. */
static bool is_reported(const visit *v, const lvl_where *where)
{
    char place[512], other[512];

    lvl_where_text(where, place, sizeof place);
    lvl_hash_at at = lvl_hash_first(&v->reported, lvl_hash_bytes(&v->reported.seed, place, strlen(place)));
    for (; at.found; at = lvl_hash_next(&v->reported, at)) {
        lvl_where_text(&lvl_findings_at(v->job->findings, at.index)->where, other, sizeof other);
        if (strcmp(place, other) == 0)
            return true;
    }
    return false;
}

static lvl_status report_case(void *user, const lvl_file_use *use)
{
    const visit *v = user;
    char shown[128], line[32] = "";

    if (!use->line && is_reported(v, use->where)) /* a script has several names */
        return LVL_OK;
    lvl_text_show(shown, sizeof shown, v->doc->codepage, use->name);
    if (use->line)
        snprintf(line, sizeof line, ", line %lu", (unsigned long)use->line);
    lvl_findings_add(v->job->findings, &lvl_doc_file_case, use->where, NULL,
                     "%s is called %.*s: a server may not find it%s", shown, (int)use->to.len, use->to.ptr,
                     line);
    return LVL_OK;
}

static lvl_status note_map(void *user, const lvl_doc_link *link)
{
    bool *map = user;

    *map = *map || link->way == LVL_WAY_PLACE;
    return LVL_OK;
}

/* Whether records of the table have names of files. */
static bool has_names(const lvl_table *table, unsigned depth) /* NOLINT(misc-no-recursion) */
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->flags & (LVL_F_FILE | LVL_F_STEM) || (f->part && strcmp(f->part, "scripts") == 0) ||
            (f->table && depth < LVL_PATH_DEPTH && has_names(f->table, depth + 1)))
            return true;
    }
    return false;
}

lvl_status cli_whole_add(cli_whole *w, cli_job *job, lvl_doc *doc)
{
    const size_t self = (size_t)(job->input - w->c->inputs.items);
    const bool links = lvl_format_can(doc->format) & LVL_CAN_LINKS;
    visit v = {.whole = w, .job = job, .doc = doc, .self = self};
    bool map = false;

    w->kinds[self] |= IS_READ;
    if (w->kinds[self] & IS_TWICE || !has_names(doc->format->table, 0))
        return LVL_OK;
    lvl_status status = links ? lvl_doc_links(doc, note_map, &map) : LVL_OK;
    w->kinds[self] |= HAS_NAMES | (map ? IS_MAP : links ? IS_LEVEL : 0);
    lvl_hash_init(&v.reported);
    if (status == LVL_OK)
        status = list_reported(&v);
    if (status == LVL_OK)
        status = lvl_doc_rename(doc, mark_name, NULL, true, report_case, &v, NULL);
    lvl_hash_free(&v.reported);
    /* a name that the code page of the document does not have is only not reported */
    return status == LVL_ERR_ARG ? LVL_OK : status;
}

void cli_whole_unread(cli_whole *w, const cli_job *job)
{
    const char *ending = cli_ending(job->input->rel);

    /* a text that is of no format is searched for words (cli_whole_end) */
    if (w && cli_format_of_ending(job->input->rel) &&
        !lvl_text_equal_nocase(lvl_text_of(ending), lvl_text_of(".txt")))
        atomic_fetch_add(&w->unread, 1);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* An input and its name, for sorting. */
typedef struct entry {
    const char *name, *path;
    uint32_t input;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = compare_names(lvl_text_of(x->name), lvl_text_of(y->name));

    order = order ? order : strcmp(x->path, y->path);
    return order ? order : x->input < y->input ? -1 : x->input > y->input;
}

/* Marks inputs that are the same file as one before: `lvl check n n`. */
static void mark_twice(cli_whole *w)
{
    for (size_t i = 1; i < w->count; i++) {
        const cli_input *before = &w->c->inputs.items[w->sorted[i - 1]];
        if (strcmp(before->name, w->c->inputs.items[w->sorted[i]].name) == 0)
            w->kinds[w->sorted[i]] |= IS_TWICE;
    }
}

int cli_whole_begin(cli *c, cli_whole **out)
{
    const size_t count = c->inputs.count;
    bool found = count > 1 && count < UINT32_MAX;

    *out = NULL;
    for (size_t i = 0; i < count && found; i++)
        found = !c->inputs.items[i].named && c->inputs.items[i].path;
    if (!found)
        return EXIT_FINE;
    cli_whole *w = calloc(1, sizeof *w);
    entry *entries = calloc(count, sizeof *entries);
    if (w) {
        w->c = c;
        w->count = count;
        w->sorted = calloc(count, sizeof *w->sorted);
        w->kinds = calloc(count, 1);
        w->named = calloc(count, sizeof *w->named);
    }
    if (!w || !entries || !w->sorted || !w->kinds || !w->named) {
        free(entries);
        cli_whole_free(w);
        return cli_no_memory(c);
    }
    for (uint32_t i = 0; i < count; i++)
        entries[i] = (entry){lvl_file_name(c->inputs.items[i].rel), c->inputs.items[i].name, i};
    qsort(entries, count, sizeof *entries, by_name);
    for (size_t i = 0; i < count; i++)
        w->sorted[i] = entries[i].input;
    free(entries);
    mark_twice(w);
    *out = w;
    return EXIT_FINE;
}

void cli_whole_free(cli_whole *w)
{
    if (!w)
        return;
    free(w->sorted);
    free(w->kinds);
    free(w->named);
    free(w);
}

static void mark_word(visit *v, lvl_text text, size_t from, size_t to)
{
    while (from < to && (text.ptr[from] == ' ' || text.ptr[from] == '\t'))
        from++;
    while (from < to && (text.ptr[to - 1] == ' ' || text.ptr[to - 1] == '\t'))
        to--;
    mark_name(v, (lvl_text){text.ptr + from, to - from});
}

/* Marks each word of a text that is a name, and names with blanks between other marks. */
static void mark_words(cli_whole *w, size_t self, lvl_text text)
{
    visit v = {.whole = w, .self = self};
    size_t from = 0, part = 0;

    for (size_t i = 0; i <= text.len; i++) {
        const bool blank = i < text.len && (text.ptr[i] == ' ' || text.ptr[i] == '\t');
        if (i < text.len && !blank && !memchr("\r\n,;=\"'()<>|", text.ptr[i], 13))
            continue;
        mark_word(&v, text, from, i);
        if (!blank && part < from)
            mark_word(&v, text, part, i);
        from = i + 1;
        part = blank ? part : from;
    }
}

/* Marks what the games of these files ask for by themselves. */
static void mark_own(cli_whole *w)
{
    visit v = {.whole = w, .self = SIZE_MAX};
    const lvl_format *f;
    lvl_text name;

    for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
        const char *names = f->calls->own_files;
        while (w->families[0] && lvl_text_next_item(&names, ' ', &name))
            mark_name(&v, name);
    }
}

lvl_status cli_whole_end(cli_whole *w)
{
    lvl_status status = LVL_OK;
    size_t families = 0;

    for (size_t i = 0; i < w->count; i++) {
        const lvl_format *format =
            w->kinds[i] & HAS_NAMES ? cli_format_of_ending(w->c->inputs.items[i].rel) : NULL;
        size_t k = 0;
        while (format && k < families && strcmp(w->families[k], format->family) != 0)
            k++;
        if (format && k == families && families + 1 < MAX_FAMILIES)
            w->families[families++] = format->family;
    }
    for (size_t i = 0; i < w->count && families && status == LVL_OK && !cli_stopped(); i++) {
        const cli_input *in = &w->c->inputs.items[i];
        lvl_buffer text = {0};
        if (w->kinds[i] & IS_READ || in->archive || lvl_file_kind_of(in->path) != LVL_FILE_REGULAR ||
            !lvl_text_equal_nocase(lvl_text_of(cli_ending(in->rel)), lvl_text_of(".txt")))
            continue;
        if (lvl_file_read(&text, in->path, TEXT_BYTES, NULL) == LVL_ERR_MEMORY)
            status = LVL_ERR_MEMORY;
        else
            mark_words(w, i, lvl_buffer_text(&text));
        lvl_buffer_free(&text);
    }
    size_t any = 0, levels = 0, linked = 0;
    for (size_t i = 0; i < w->count; i++) {
        const bool named = is_named(w, i), level = w->kinds[i] & IS_LEVEL;
        any += named;
        levels += level;
        linked += named && level;
    }
    w->linked = 2 * linked >= levels;
    if (!any)
        w->families[0] = NULL;
    mark_own(w);
    return status;
}

/* Whether a document of the file's family names files, or for a file of no known format, any does. */
static bool is_of_world(const cli_whole *w, const char *name)
{
    const lvl_format *own = cli_format_of_ending(name);
    bool found = !own && w->families[0];

    for (size_t i = 0; own && w->families[i] && !found; i++)
        found = strcmp(w->families[i], own->family) == 0;
    return found;
}

void cli_whole_report(const cli_whole *w, size_t input, lvl_findings *findings)
{
    const char *name = lvl_file_name(w->c->inputs.items[input].rel);
    const uint8_t kind = w->kinds[input];
    const lvl_use use = use_of(w, name);

    const size_t unread = atomic_load(&w->unread);
    char but[80] = "";

    if (!w->families[0] || is_named(w, input) || kind & (IS_MAP | IS_TWICE))
        return;
    if (unread)
        snprintf(but, sizeof but, ", unless %zu file%s that cannot be read completely do%s", unread,
                 unread == 1 ? "" : "s", unread == 1 ? "es" : "");
    if (kind & IS_LEVEL && w->linked)
        lvl_findings_add(findings, &lvl_doc_level_unlinked, NULL, NULL,
                         "no map, link or script leads to this level%s", but);
    else if (!(kind & IS_LEVEL) && (kind & NAMES_ITSELF || (use && use != LVL_USE_LEVEL)) &&
             is_of_world(w, name))
        lvl_findings_add(findings, &lvl_doc_file_unnamed, NULL, NULL, "nothing names this file%s", but);
}
