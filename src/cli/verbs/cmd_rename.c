/*
 * cli/verbs/cmd_rename.c: `lvl rename`: renames a file of a world and every reference to it in the other
 * files, all or nothing.
 */
#include "cli/cli.h"
#include "tools/world/rename.h"

#include "base/text.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NAMES = 16,
    MAX_LOCKS = 100 /* held until all files are saved: a program may have 256 files open, on some systems */
};

/* A name and the one that it gets. */
typedef struct pair {
    char *from, *to;
} pair;

typedef struct plan {
    const cli_input *file; /* the file to rename; NULL: it was renamed already */
    const cli_input **others; /* further files of its name, in other folders */
    size_t other_count;
    char *target; /* its new path */
    /* the old and the new name, followed by the same with other endings under which links refer to the file
     */
    pair names[MAX_NAMES];
    size_t count;
    lvl_file_lock *lock; /* of `file`, if nothing in it changes; or NULL */
    size_t seen; /* number of files that were examined */
    atomic_size_t locks; /* of files that change */
    bool offers; /* no such file: uses of the name are counted, and nothing is changed */
    size_t uses, users; /* how often, and in how many files */
    size_t failed; /* files that could not be read or written */
    bool ended; /* all files were read; `saved`: the code of saving them */
    int saved;
} plan;

static bool same_name(const char *a, const char *b)
{
    return lvl_text_equal_nocase(lvl_text_of(a), lvl_text_of(b));
}

/* ---- names ------------------------------------------------------------------------------------------- */

static int check_names(cli *c, const char *from, const char *to, bool moved)
{
    if (!*from || !*to || *to == '.' || strpbrk(to, "/\\:*?\"<>|\n\r\t"))
        return cli_usage(c, "expected a file name, got `%s'", *from ? to : from);
    if (!same_name(cli_ending(from), cli_ending(to)))
        return cli_usage(c, "%s and %s have different endings; to change the form, use `lvl convert'", from,
                         to);
    if (strcmp(from, to) == 0 && !moved)
        return cli_usage(c, "the new name is the old one");
    return EXIT_FINE;
}

/* Whether a folder is DIR of --in, or below it. */
static bool is_below(const char *folder, const char *dir)
{
    char *path = cli_copy(*folder ? folder : ".");
    bool below = path && lvl_file_same(path, dir);

    while (path && !below && strcmp(path, ".") != 0) {
        char *name = path + (lvl_file_name(path) - path);
        if (name == path)
            memcpy(path, ".", 2);
        else
            name[-1] = 0;
        if (!*path)
            break;
        below = lvl_file_same(path, dir);
    }
    free(path);
    return below;
}

/* Refuses a file below --in that a link leads out of it. */
static int check_inside(cli *c, const char *path)
{
    char *whole = cli_format("%s%s", *path == '/' ? "" : "./", path);
    bool out = true;

    if (!whole)
        return cli_no_memory(c);
    for (size_t i = 1; whole[i] && out; i++) {
        if (whole[i] != '/')
            continue;
        whole[i] = 0;
        const bool named = lvl_file_same(whole, c->opt->in);
        whole[i] = '/';
        out = !named || !lvl_file_stays_below(whole, i);
    }
    free(whole);
    if (out)
        cli_report(c, "%s: not renamed: a symbolic link leads out of %s", path, c->opt->in);
    return out ? EXIT_NEGATIVE : EXIT_FINE;
}

/* The folder that a path of the new name gives, as typed or below --in; *out stays NULL without one. */
static int target_folder(cli *c, const char *to, char **out)
{
    const size_t n = (size_t)(lvl_file_name(to) - to);

    if (!n)
        return EXIT_FINE;
    char *typed = cli_format("%.*s", (int)(n > 1 ? n - 1 : n), to),
         *inside = cli_format("%s/%.*s", c->opt->in, (int)n - 1, to);
    if (!typed || !inside) {
        free(typed);
        free(inside);
        return cli_no_memory(c);
    }
    const bool plain = !strstr(to, "..");
    if (plain && lvl_file_kind_of(typed) == LVL_FILE_FOLDER && is_below(typed, c->opt->in)) {
        *out = typed;
        free(inside);
        return EXIT_FINE;
    }
    if (plain && *to != '/' && lvl_file_kind_of(inside) == LVL_FILE_FOLDER) {
        *out = inside;
        free(typed);
        return EXIT_FINE;
    }
    const int code = cli_usage(c, "there is no folder %s below %s", typed, c->opt->in);
    free(typed);
    free(inside);
    return code;
}

/* Lists the further files of that name. */
static int find_others(cli *c, const char *from, plan *p)
{
    p->others = calloc(c->inputs.count + 1, sizeof *p->others);
    if (!p->others)
        return cli_no_memory(c);
    for (size_t i = 0; p->file && i < c->inputs.count; i++) {
        const cli_input *in = &c->inputs.items[i];
        if (!in->archive && in != p->file && same_name(lvl_file_name(in->rel), from))
            p->others[p->other_count++] = in;
    }
    return EXIT_FINE;
}

/* Finds the file below --in, ignoring case; an exact match is preferred. */
static int find_file(cli *c, const char *arg, const char *to, plan *p)
{
    const char *from = lvl_file_name(arg);
    const cli_input *taken = NULL;
    bool exact = false;
    size_t found = 0;

    for (size_t i = 0; i < c->inputs.count; i++) {
        const cli_input *in = &c->inputs.items[i];
        const char *name = lvl_file_name(in->rel);
        if (in->error_text) { /* it may hold references, or the file itself */
            cli_report(c, "nothing was renamed, since references may be in what cannot be read: %s: %s",
                       in->shown, in->error_text);
            return in->code;
        }
        if (in->archive)
            continue;
        if (same_name(name, from) &&
            (from == arg || same_name(arg, in->rel) || lvl_file_same(arg, in->path))) {
            const bool same = strcmp(name, from) == 0;
            if (!found || (same && !exact))
                found = 0;
            else if (exact && !same)
                continue;
            p->file = found++ ? p->file : in;
            exact = same;
        } else if (same_name(name, to) && !same_name(from, to)) {
            taken = in;
        }
    }
    if (c->opt->references_only)
        p->file = NULL;
    else if (found > 1) {
        cli_report(c, "%zu files below %s are called %s; give the path of one of them", found, c->opt->in,
                   from);
        return EXIT_NEGATIVE;
    }
    p->offers = !c->opt->references_only && !p->file && !taken;
    if (p->file && taken) {
        cli_report(c, "%s already exists; give another name", taken->shown);
        return EXIT_ENVIRONMENT;
    }
    return find_others(c, from, p);
}

/* Adds a pair of names and takes them over. False: no memory, or more than MAX_NAMES. */
static bool add_pair(plan *p, char *from, char *to)
{
    if (!from || !to || p->count == MAX_NAMES) {
        free(from);
        free(to);
        return false;
    }
    p->names[p->count++] = (pair){from, to};
    return true;
}

/* In a world that was converted, a link to a.graal means a.nw if a.graal does not exist. Such links are
 * renamed, too, and keep their ending. */
static bool add_twins(const cli *c, plan *p, const char *from, const char *to)
{
    const lvl_format *own = cli_format_of_ending(from), *f;
    const int from_stem = (int)(cli_ending(from) - from), to_stem = (int)(cli_ending(to) - to);
    lvl_text ending;

    for (size_t i = 0; own && (f = lvl_format_at(i)) != NULL; i++) {
        const char *endings = f->table == own->table ? f->extensions : NULL;
        while (lvl_text_next_item(&endings, ' ', &ending)) {
            const int len = (int)ending.len;
            char *twin = cli_format("%.*s.%.*s", from_stem, from, len, ending.ptr);
            if (!twin)
                return false;
            bool there = same_name(twin, from);
            for (size_t k = 0; k < c->inputs.count && !there; k++)
                there = same_name(lvl_file_name(c->inputs.items[k].rel), twin);
            if (there)
                free(twin);
            else if (!add_pair(p, twin, cli_format("%.*s.%.*s", to_stem, to, len, ending.ptr)))
                return false;
        }
    }
    return true;
}

static int make_plan(cli *c, plan *p)
{
    const char *from = lvl_file_name(c->args.items[0]), *to = lvl_file_name(c->args.items[1]);
    char *folder = NULL;

    int code = target_folder(c, c->args.items[1], &folder);
    if (!code)
        code = check_names(c, from, to, folder != NULL);
    if (!code)
        code = find_file(c, c->args.items[0], to, p);
    const char *path = !code && p->file ? p->file->path : NULL;
    if (path)
        p->target = folder ? cli_format("%s/%s", folder, to)
                           : cli_format("%.*s%s", (int)(lvl_file_name(path) - path), path, to);
    free(folder);
    if (!code && p->target && strcmp(from, to) == 0 && lvl_file_same(p->target, path))
        code = cli_usage(c, "the new name is the old one");
    if (code)
        return code;
    /* references have no folder: a file that is only moved keeps them */
    if ((path && !p->target) || (strcmp(from, to) != 0 && (!add_pair(p, cli_copy(from), cli_copy(to)) ||
                                                           !add_twins(c, p, from, to)))) {
        cli_report(c, "%s", p->count == MAX_NAMES ? "the format has too many endings" : "out of memory");
        return EXIT_ENVIRONMENT;
    }
    code = p->target ? check_inside(c, p->target) : EXIT_FINE;
    if (code)
        return code;
    if (p->target && lvl_file_kind_of(p->target) != LVL_FILE_NONE && !lvl_file_same(p->target, path)) {
        cli_report(c, "%s already exists; give another name", p->target);
        return EXIT_ENVIRONMENT;
    }
    if (!path && !p->offers && !c->opt->references_only && !c->opt->quiet)
        cli_report(c, "no file called %s, but %s exists: only the references are changed", from, to);
    return EXIT_FINE;
}

/* ---- one file ---------------------------------------------------------------------------------------- */

/* The length of the folders that two paths have in common, and how many further folders the second has. */
static void compare_folders(const char *a, const char *b, size_t *common, size_t *further)
{
    size_t i = 0;

    *common = *further = 0;
    for (; a[i] && b[i] && lvl_lower(a[i]) == lvl_lower(b[i]); i++) {
        if (a[i] == '/')
            *common = i + 1;
    }
    for (i = *common; b[i]; i++)
        *further += b[i] == '/';
}

typedef enum meaning { MEANT, OTHER_MEANT, UNKNOWN } meaning;

/* Which of the file and another one of its name a reference in a file means: the nearer. */
static meaning compare_other(const plan *p, const char *rel, const cli_input *other)
{
    size_t common, further, other_common, other_further;

    compare_folders(rel, p->file->rel, &common, &further);
    compare_folders(rel, other->rel, &other_common, &other_further);
    if (other_common > common || (other_common == common && other_further < further))
        return OTHER_MEANT;
    return other_common == common && other_further == further ? UNKNOWN : MEANT;
}

/* Which of several files with one name a reference below --in means. */
static meaning meaning_of(const plan *p, const char *rel)
{
    meaning result = MEANT;

    for (size_t i = 0; i < p->other_count && result != OTHER_MEANT; i++) {
        const meaning one = compare_other(p, rel, p->others[i]);
        result = one == MEANT ? result : one;
    }
    return result;
}

/* The same for the references in a document; of keys, new_key decides. */
static meaning meaning_in(const cli_job *job)
{
    return job->format->calls->file_places ? MEANT : meaning_of(job->c->user, job->input->rel);
}

static lvl_text new_name(void *user, lvl_text name)
{
    const cli_job *job = user;
    const plan *p = job->c->user;

    for (size_t i = 0; i < p->count; i++) {
        if (lvl_text_equal_nocase(name, lvl_text_of(p->names[i].from)))
            return lvl_text_of(p->names[i].to);
    }
    return (lvl_text){0};
}

/* ---- keys: "LEVEL_DOOR" for LEVEL1/SOUNDS/DOOR.WAV --------------------------------------------------- */

/* Removes `end`, and the '/' before it, from the first *len bytes of a path; in `end`, `joint` is also '/'.
 * False: they do not end so. */
static bool cut_end(const char *path, size_t *len, lvl_text end, char joint)
{
    const size_t at = *len - end.len;

    if (!end.len || *len < end.len || (at && path[at - 1] != '/'))
        return false;
    for (size_t i = 0; i < end.len; i++) {
        if (lvl_lower(path[at + i]) != lvl_lower(end.ptr[i]) && !(end.ptr[i] == joint && path[at + i] == '/'))
            return false;
    }
    *len = at ? at - 1 : 0;
    return true;
}

/* Whether the file is the one of a key at that place, for the level of this name; *within gets the length of
 * the path of its folder there. */
static bool is_file_of(const char *path, const lvl_file_place *place, const char *level, size_t *within)
{
    const size_t own = place->own ? strcspn(place->folder, "/") + 1 : 0;
    const lvl_text stem = {level, (size_t)(cli_ending(level) - level)};
    const char *ending = cli_ending(path);
    size_t len = (size_t)(ending - path);

    if (*ending != '.' || !same_name(ending + 1, place->ending) ||
        !cut_end(path, &len, place->rest, place->joint))
        return false;
    *within = len;
    return cut_end(path, &len, lvl_text_of(place->folder + own), '/') &&
           (!place->own || cut_end(path, &len, stem, '/'));
}

/* Appends a path without its ending as the rest of a key. Keys of archives are in capital letters, unless
 * this one is not. */
static void put_rest(lvl_buffer *out, const lvl_file_place *place, const char *path)
{
    const size_t len = (size_t)(cli_ending(path) - path);
    bool keep = place->joint != '_';

    for (size_t i = 0; i < place->rest.len; i++)
        keep = keep || lvl_upper(place->rest.ptr[i]) != place->rest.ptr[i];
    for (size_t i = 0; i < len; i++)
        lvl_buffer_u8(out, (uint8_t)(path[i] == '/' ? place->joint : keep ? path[i] : lvl_upper(path[i])));
}

/* The same where the file is not there, by its name alone. */
static bool new_key_by_name(const plan *p, const lvl_file_place *place, lvl_buffer *rest)
{
    const char *from = p->count ? p->names[0].from : "", *ending = cli_ending(from);
    const size_t stem = (size_t)(ending - from), kept = place->rest.len - stem;

    if (!stem || *ending != '.' || !same_name(ending + 1, place->ending) || place->rest.len < stem ||
        !lvl_text_equal_nocase((lvl_text){place->rest.ptr + kept, stem}, (lvl_text){from, stem}) ||
        (kept && place->rest.ptr[kept - 1] != place->joint))
        return false;
    lvl_buffer_add(rest, place->rest.ptr, kept);
    put_rest(rest, place, p->names[0].to);
    return true;
}

static bool new_key(void *user, const lvl_file_place *place, lvl_buffer *rest)
{
    const cli_job *job = user;
    const plan *p = job->c->user;
    const char *level = lvl_file_name(job->input->rel);
    size_t within, other;

    if (!p->file)
        return new_key_by_name(p, place, rest);
    /* a file that leaves the folder has no key there */
    if (!is_file_of(p->file->path, place, level, &within) ||
        strncmp(p->target, p->file->path, within ? within + 1 : 0) != 0)
        return false;
    for (size_t i = 0; i < p->other_count; i++) { /* of another game or mod below --in */
        if (is_file_of(p->others[i]->path, place, level, &other) &&
            compare_other(p, job->input->rel, p->others[i]) == OTHER_MEANT)
            return false;
    }
    put_rest(rest, place, p->target + (within ? within + 1 : 0));
    return true;
}

static lvl_status report_use(void *user, const lvl_file_use *use)
{
    cli_job *job = user;

    if (job->c->opt->quiet && !job->c->opt->json && use->changed)
        return LVL_OK;
    return cli_report_use(job, use, meaning_in(job) == MEANT);
}

static void rename_in(cli_job *job)
{
    const plan *p = job->c->user;
    lvl_buffer bytes = {0};
    size_t changed = 0;

    if (!cli_job_read(job, 0))
        return;
    const meaning which = meaning_in(job);
    if (which == OTHER_MEANT) {
        job->outcome = CLI_NO_MATCH;
        return;
    }
    lvl_findings_clear(job->findings);
    lvl_status status = lvl_doc_rename(job->doc, new_name, new_key, job->c->opt->scripts || p->offers,
                                       p->offers ? NULL : report_use, job, &changed);
    job->tag = (int)changed;
    if (p->offers && status == LVL_OK) {
        job->outcome = CLI_NO_MATCH;
        return;
    }
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     "the code page of the file has no character for a part of the new name");
        return;
    }
    if (status == LVL_OK && (!changed || which == UNKNOWN)) {
        job->outcome = CLI_NO_MATCH;
        return;
    }
    if (status == LVL_OK)
        status = lvl_write(job->doc, &bytes, job->findings);
    if (status == LVL_OK && !job->c->opt->yes && lvl_file_is_read_only(job->input->path))
        cli_job_fail(job, EXIT_ENVIRONMENT, "is read-only; -y replaces it");
    cli_job_status(job, status, job->findings, NULL);
    if (job->code || !cli_stays_below(job, job->input->typed, job->input->path)) {
        lvl_buffer_free(&bytes);
        return;
    }
    cli_job_findings(job, job->findings, LVL_WARNING);
    job->member = bytes; /* saved after all files were read */
    job->has_member = true;
    job->kept_lock = job->lock;
    job->lock = NULL;
}

static void rename_job(cli_job *job)
{
    plan *p = job->c->user;

    rename_in(job);
    if (job->kept_lock && atomic_fetch_add(&p->locks, 1) >= MAX_LOCKS)
        lvl_file_lock_ease(job->kept_lock);
    if (job->input == p->file && !job->has_member) {
        p->lock = job->lock;
        job->lock = NULL;
    }
    job->saved_out = job->out; /* nothing is changed before all files are saved */
    job->out = (lvl_buffer){0};
}

static void count_renamed(cli *c, const cli_job *job)
{
    plan *p = c->user;

    p->seen++;
    p->uses += job->tag > 0 && p->offers ? (size_t)job->tag : 0;
    p->users += job->tag > 0 && p->offers;
    p->failed += job->code != EXIT_FINE;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

/* Whether one of the changes is of the file that a symbolic link leads to. */
static bool is_saved(const lvl_file_change *changes, size_t count, const char *path)
{
    bool found = false;

    for (size_t i = 0; i < count && !found; i++)
        found = lvl_file_same(changes[i].path, path);
    return found;
}

static int save_files(cli *c, const plan *p)
{
    lvl_file_change *changes = calloc(c->inputs.count + 1, sizeof *changes);
    lvl_file_error why = {0};
    const char *failed = NULL;
    char text[256];
    size_t count = 0;

    /* links last: what they lead to is saved once */
    for (size_t i = 0; changes && i < 2 * c->inputs.count; i++) {
        const bool link = i >= c->inputs.count;
        const cli_input *in = &c->inputs.items[link ? i - c->inputs.count : i];
        if (in->has_changed && lvl_file_is_link(in->path) == link &&
            !(link && is_saved(changes, count, in->path)))
            changes[count++] =
                (lvl_file_change){in->path, {in->changed.data, in->changed.len}, in->typed, in->lock};
    }
    cli_save_begin();
    const lvl_status status =
        changes ? lvl_files_save(changes, count, p->file ? p->file->path : NULL, p->target, &failed, &why)
                : LVL_ERR_MEMORY;
    cli_save_end();
    free(changes);
    if (status == LVL_OK)
        return EXIT_FINE;
    cli_report(c, "%s%s%s; %s", failed ? failed : "", failed ? ": " : "",
               status == LVL_ERR_FORMAT ? "another program changed it meanwhile"
               : why.step               ? lvl_file_error_text(&why, text, sizeof text)
                                        : lvl_status_text(status),
               status == LVL_ERR_LOSS
                   ? "it has its new content, and other files may have theirs: rename again"
                   : "no file was changed");
    return EXIT_ENVIRONMENT;
}

static void report_file(cli *c, const plan *p)
{
    lvl_buffer line = {0}, listed = {0};

    if (!p->file || (c->opt->quiet && !c->opt->json))
        return;
    if (c->opt->json) {
        cli_json_begin(&line, p->file->name);
        lvl_json_put_string(&line, "renamed", p->target);
        lvl_buffer_str(&line, "}\n");
    } else {
        lvl_buffer_printf(&line, "%s -> %s\n", p->file->shown, p->target);
    }
    if (c->opt->dry_run)
        cli_list_output(c, p->file, p->target, &line, &listed);
    cli_out_text(c, &line);
    cli_err(c, listed.data, listed.len);
    lvl_buffer_free(&listed);
}

/* Saves all files, if none failed. */
static int save(cli *c)
{
    plan *p = c->user;

    p->ended = true;
    p->saved = EXIT_NEGATIVE;
    if (p->offers)
        return p->saved;
    if (p->seen != c->inputs.count) { /* memory ran out, which was reported */
        cli_report(c, "nothing was changed");
        p->saved = EXIT_ENVIRONMENT;
    } else if (p->failed && !c->opt->yes) {
        cli_report(c, "%zu file%s failed; nothing was changed (-y renames in the others)", p->failed,
                   p->failed == 1 ? "" : "s");
    } else {
        p->saved = c->opt->dry_run ? EXIT_FINE : save_files(c, p);
    }
    return p->saved;
}

static int rename_files(cli *c, plan *p)
{
    const cli_batch batch = {.work = rename_job,
                             .after = count_renamed,
                             .save = save,
                             .user = p,
                             .match_word = p->offers         ? NULL
                                           : c->opt->dry_run ? "would change"
                                                             : "changed"};

    const int code = cli_run(c, &batch);
    if (!p->ended)
        return code;
    if (p->offers) {
        const char *from = lvl_file_name(c->args.items[0]);
        if (p->uses)
            cli_report(c,
                       "no file called %s below %s; %zu use%s of the name in %zu file%s can be renamed: "
                       "--references-only",
                       from, c->opt->in, p->uses, p->uses == 1 ? "" : "s", p->users,
                       p->users == 1 ? "" : "s");
        else
            cli_report(c, "no file called %s below %s, and nothing refers to one", from, c->opt->in);
        return EXIT_NEGATIVE;
    }
    if (!p->saved)
        report_file(c, p);
    /* it is not an error if no other file refers to it */
    return cli_max_exit_code(p->saved, p->failed ? code : EXIT_FINE);
}

/* Locks the folder: two runs at once would overwrite each other's changes. */
static int lock(cli *c, lvl_folder_lock **held)
{
    lvl_file_error why = {0};

    const lvl_status status = c->opt->dry_run ? LVL_OK : lvl_folder_lock_take(held, c->opt->in, &why);
    if (status == LVL_OK)
        return EXIT_FINE;
    if (why.code != EWOULDBLOCK)
        return cli_report_file(c, c->opt->in, status, &why);
    cli_report(c, "another `lvl rename' is at work in %s; wait until it is done", c->opt->in);
    return EXIT_ENVIRONMENT;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Removes what a killed run has left in the folders of the world. */
static int clean(cli *c)
{
    const cli_inputs *inputs = &c->inputs;
    char **folders = calloc(inputs->count + 1, sizeof *folders);
    size_t count = 0;
    bool good = folders != NULL;

    for (size_t i = 0; i < inputs->count && good; i++) {
        const char *path = inputs->items[i].path;
        if (!path || inputs->items[i].archive)
            continue;
        folders[count] = cli_format("%.*s", (int)(lvl_file_name(path) - path), path);
        good = folders[count] != NULL;
        count += good;
    }
    if (good)
        qsort(folders, count, sizeof *folders, by_text);
    for (size_t i = 0; i < count; i++) {
        if (good && (!i || strcmp(folders[i], folders[i - 1]) != 0))
            lvl_folder_clean(folders[i]);
    }
    for (size_t i = 0; i < count; i++)
        free(folders[i]);
    free(folders);
    return good ? EXIT_FINE : cli_no_memory(c);
}

int cmd_rename(cli *c)
{
    lvl_folder_lock *held = NULL;
    plan p = {0};

    if (c->args.count != 2)
        return cli_usage(c, "expected two names: OLD NEW");
    if (!c->opt->in)
        return cli_usage(c, "no folder given; --in DIR names the folder of the world");
    if (lvl_file_kind_of(c->opt->in) != LVL_FILE_FOLDER)
        return cli_usage(c, "--in: %s is not a folder", c->opt->in);
    int code = lock(c, &held);
    if (!code && !cli_input_add(c, &c->inputs, c->opt->in, false))
        code = cli_no_memory(c);
    if (!code && !c->opt->dry_run)
        code = clean(c);
    if (!code)
        code = make_plan(c, &p);
    if (!code)
        code = rename_files(c, &p);
    lvl_folder_lock_free(held);
    lvl_file_lock_free(p.lock);
    free(p.target);
    free(p.others);
    for (size_t i = 0; i < p.count; i++) {
        free(p.names[i].from);
        free(p.names[i].to);
    }
    return code;
}
