/*
 * cli/jobs/plan.c: the plan of a run: where its results go, decided before any work.
 *
 *  1. The place, by the options and what the verb writes: standard output, a file, a folder, the inputs
 *     themselves, or a copy of the archive that they are members of.
 *  2. The target of each input there, and conflicts of their names.
 *
 * What is at a target on disk may change until it is written: that is checked there (sink.c).
 */
#include "base/archive_kinds.h"
#include "cli/cli.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- names that options give files -------------------------------------------------------------------- */

bool cli_names_a_file(const char *name)
{
    static const char *const others[] = {".png", ".apng", ".gif", ".json", ".dot", ".gv", ".svg"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(cli_ending(name), others[i]) == 0)
            return true;
    }
    return cli_format_of_ending(name) != NULL;
}

int cli_picture_check(cli *c, const char *option, const char *name)
{
    static const char *const pictures[] = {".png", ".apng"};
    static const char *const others[] = {".jpg",  ".jpeg", ".gif", ".webp", ".bmp",  ".tif",
                                         ".tiff", ".svg",  ".pdf", ".txt",  ".html", ".xml"};
    const lvl_text ending = lvl_text_of(cli_ending(name));
    bool other = cli_names_a_file(name);

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        other = other || lvl_text_equal_nocase(ending, lvl_text_of(others[i]));
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        other = other && !lvl_text_equal_nocase(ending, lvl_text_of(pictures[i]));
    return other ? cli_usage(c, "%s %s: pictures are PNG, animations also APNG or GIF", option, name)
                 : EXIT_FINE;
}

bool cli_is_stdout(const char *name)
{
    return !name || strcmp(name, "-") == 0;
}

bool cli_keeps_file(bool replace, const char *path)
{
    return !replace && lvl_file_kind_of(path) == LVL_FILE_REGULAR;
}

int cli_may_create(cli *c, const char *path)
{
    if (!cli_keeps_file(c->opt->yes, path))
        return EXIT_FINE;
    cli_report(c, "%s " CLI_EXISTS, path);
    return EXIT_ENVIRONMENT;
}

/* ---- the place ---------------------------------------------------------------------------------------- */

bool cli_changes_inputs(const cli *c)
{
    return c->plan->place == CLI_IN_PLACE || c->plan->place == CLI_TO_COPY;
}

bool cli_plan_may_replace(const cli *c, const char *path)
{
    const char *o = c->opt->output;

    return !c->opt->dry_run && (c->opt->in_place || (c->opt->yes && o && lvl_file_same(path, o)));
}

/* A folder: several inputs, a folder that exists, or a name that ends with a slash. */
static bool means_folder(const cli *c, const char *o)
{
    return c->inputs.batch || lvl_file_kind_of(o) == LVL_FILE_FOLDER || (*o && o[strlen(o) - 1] == '/');
}

/* -o names a copy of the archive that the inputs are members of. */
static int choose_copy(cli *c, cli_plan *p, const cli_archive *archive)
{
    p->place = CLI_TO_COPY;
    p->copied = archive;
    return cli_may_create(c, p->output);
}

/* Members of an archive of another program, and an output that looks like one. */
static bool looks_foreign(const cli *c, const char *o, const cli_archive *archive)
{
    return lvl_archive_named(o) && lvl_file_kind_of(o) != LVL_FILE_FOLDER &&
           (archive ? cli_archive_is_foreign(archive) : c->inputs.batch || cli_inputs_in_foreign(&c->inputs));
}

/* Selects the place and its name; reports usage errors. */
static int choose_place(cli *c, cli_plan *p)
{
    const cli_output *kind = &p->kind;
    const char *o = kind->name ? kind->name : c->opt->output;

    if (c->opt->in_place && o)
        return cli_usage(c, "-i and -o exclude each other");
    p->output = cli_is_stdout(o) ? NULL : o;
    const cli_archive *archive = o && kind->edits ? cli_inputs_archive_named(&c->inputs, o) : NULL;
    if (p->output && looks_foreign(c, o, archive))
        return cli_usage(
            c,
            "-o %s: lvl writes no archives of other programs; name a folder with -o DIR, and pack it "
            "with the program that made the archive",
            o);
    if (archive)
        return choose_copy(c, p, archive);
    if (c->opt->in_place || (kind->must && !o && c->opt->dry_run && !kind->apart)) {
        p->place = CLI_IN_PLACE;
        p->replaces = true;
        return EXIT_FINE;
    }
    if (kind->must && !o && c->opt->dry_run)
        return EXIT_FINE;
    if (kind->must && !o)
        return cli_usage(c, "no output given; use -o FILE, -i (in place) or -n (only show the changes)");
    if (kind->folder && !p->output)
        return cli_usage(c, "no folder given: -o DIR gets a folder for each level");
    p->place = !p->output                                         ? CLI_TO_STDOUT
               : kind->tree || kind->folder || means_folder(c, o) ? CLI_TO_FOLDER
                                                                  : CLI_TO_FILE;
    if (p->place == CLI_TO_STDOUT && !kind->text) {
        if (c->inputs.batch)
            return cli_usage(c, "multiple inputs require -o DIR");
        if (!o && !c->opt->dry_run && cli_is_terminal(stdout))
            return cli_usage(c, "refusing to write binary data to a terminal; use -o FILE");
    }
    if (p->place == CLI_TO_FOLDER && c->inputs.batch && lvl_file_kind_of(o) == LVL_FILE_REGULAR)
        return cli_usage(c, "multiple inputs require a folder, but %s is a file", o);
    if (p->place == CLI_TO_FOLDER && c->inputs.batch && lvl_file_kind_of(o) == LVL_FILE_NONE &&
        cli_names_a_file(o))
        return cli_usage(
            c, "multiple inputs require a folder, but %s looks like a file; for a folder, write %s/", o, o);
    return kind->picture && p->place == CLI_TO_FILE ? cli_picture_check(c, kind->picture, o) : EXIT_FINE;
}

/* ---- targets ------------------------------------------------------------------------------------------ */

/* Notes why a result cannot go anywhere; false: no memory. */
static bool refuse(cli_target *t, int code, char *text)
{
    t->refusal = text;
    t->code = code;
    return text != NULL;
}

/* Whether the output may be called as -o FILE says: it must not replace the input, nor be named like the
 * archive of the member that it is made of. False: `t` has the reason, or there is no memory. */
static bool fits_name(const cli *c, const cli_input *in, const cli_output *kind, cli_target *t)
{
    const char *path = c->plan->output;

    if (kind->edits)
        return true; /* an archive's name is that of a copy */
    if (in->path && lvl_file_same(path, in->path)) {
        refuse(t, EXIT_USAGE, cli_format("%s is the input itself: give another file with -o", path));
        return false;
    }
    const char *ending = cli_ending(path);
    const bool own = (kind->ext && *ending && strcmp(ending + 1, kind->ext) == 0) ||
                     (kind->undumped && cli_is_named_as(path, kind->undumped));
    if (own || !cli_input_archive_named(in, path))
        return true;
    refuse(
        t, EXIT_USAGE,
        cli_format("%s has the ending of the archive, but `lvl %s' writes a single member; give it another "
                   "ending",
                   path, c->verb->name));
    return false;
}

/* Whether a name may be that of a file of the format: it ends in "txt", where the format's ending is
 * "account.txt". Such a name has no ending of the format, but must stay: the game knows the file by it. */
static bool may_keep_name(const char *name, const lvl_format *format)
{
    const char *ending = cli_ending(name), *all = format->extensions;
    lvl_text one;

    if (cli_is_named_as(name, format))
        return true;
    while (*ending && lvl_text_next_item(&all, ' ', &one)) {
        const size_t len = strlen(ending);
        if (one.len > len &&
            lvl_text_equal_nocase((lvl_text){one.ptr + one.len - len, len}, lvl_text_of(ending)))
            return true;
    }
    return false;
}

/* The path of the input's output in -o DIR; NULL without memory. */
static char *path_in_folder(const cli *c, const cli_input *in, const cli_output *kind)
{
    const char *o = c->plan->output, *gap = o[strlen(o) - 1] == '/' ? "" : "/";
    const size_t all = strlen(in->rel), stem = (size_t)(cli_ending(in->rel) - in->rel);

    if (kind->undumped) {
        const size_t len = strcmp(in->rel + stem, ".json") == 0 ? stem : all;
        char *name = cli_format("%.*s", (int)len, in->rel), ending[CLI_ENDING];
        const bool has = name && may_keep_name(name, kind->undumped);
        char *path = name ? cli_format("%s%s%s%s%s", o, gap, name, has ? "" : ".",
                                       has ? "" : cli_first_ending(kind->undumped, ending))
                          : NULL;
        free(name);
        return path;
    }
    if (kind->folder)
        return cli_format("%s%s%.*s", o, gap, (int)(in->name_taken ? all : stem), in->rel);
    if (!kind->ext || (kind->keeps && cli_has_ending(in->rel, kind->keeps)))
        return cli_format("%s%s%s", o, gap, in->rel);
    return cli_format("%s%s%.*s.%s", o, gap, (int)(kind->add || in->name_taken ? all : stem), in->rel,
                      kind->ext);
}

/* Finds where the result of an input goes; false: no memory. */
static bool find_target(const cli *c, const cli_input *in, const cli_output *kind, cli_target *t)
{
    const cli_plan *p = c->plan;

    *t = (cli_target){0};
    switch (p->place) {
    case CLI_NOWHERE:
    case CLI_TO_STDOUT: return true;
    case CLI_TO_COPY:
    case CLI_IN_PLACE:
        t->member = in->archive || in->opened;
        if (!in->path && c->opt->in_place)
            return refuse(t, EXIT_USAGE, cli_copy("standard input cannot be changed in place; use -o FILE"));
        t->path = in->path ? cli_copy(in->path) : NULL;
        return t->path || !in->path;
    case CLI_TO_FILE:
        t->path = fits_name(c, in, kind, t) ? cli_copy(p->output) : NULL;
        return t->path || t->refusal;
    case CLI_TO_FOLDER:
        if (in->archive && !in->entry->safe && strcmp(in->rel, "..") == 0)
            return refuse(t, EXIT_NEGATIVE,
                          cli_copy("its name is not a valid file name; use -o FILE to give another"));
        t->path = path_in_folder(c, in, kind);
        return t->path != NULL;
    }
    return true;
}

static void clear_target(cli_target *t)
{
    free(t->path);
    free(t->refusal);
    *t = (cli_target){0};
}

char *cli_target_path(cli_job *job, const cli_output *kind, bool *failed)
{
    cli_target target;
    char *path = NULL;

    *failed = true;
    if (!find_target(job->c, job->input, kind, &target)) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    } else if (target.refusal) {
        cli_job_fail(job, target.code, "%s", target.refusal);
    } else {
        path = target.path;
        target.path = NULL;
        *failed = false;
    }
    clear_target(&target);
    return path;
}

const char *cli_plan_lock(const cli_job *job)
{
    const cli *c = job->c;
    const cli_input *in = job->input;
    const bool changed = c->plan->place == CLI_IN_PLACE || cli_verb_is(c, CLI_LOCKS_INPUTS);

    if (c->opt->dry_run || job->first || job->lock)
        return NULL;
    if (changed) /* an archive that is open for its members has its own lock */
        return in->path && !in->archive && !in->has_content && !in->opened ? in->path : NULL;
    const bool file = c->plan->place == CLI_TO_FILE || c->plan->place == CLI_TO_FOLDER;
    const char *path = file && c->plan->replaces && job->target ? job->target->path : NULL;
    return path && lvl_file_kind_of(path) == LVL_FILE_REGULAR ? path : NULL;
}

size_t cli_plan_root(const cli_job *job, const char *path)
{
    const cli_plan *p = job->c->plan;
    const size_t len = p->output ? strlen(p->output) : 0;

    if (p->place == CLI_IN_PLACE)
        return job->input->path && strcmp(path, job->input->path) == 0 ? job->input->typed : 0;
    const bool inside = len && strncmp(path, p->output, len) == 0 && path[len] &&
                        (path[len] == '/' || p->output[len - 1] == '/');
    return inside ? len : 0;
}

/* ---- conflicts of names -------------------------------------------------------------------------------- */

/* The path of an input below -o with all of its folders and archives; NULL: it leads out of there, or no
 * memory. */
static char *path_with_folders(const char *name, bool *leads_out)
{
    char *path = cli_copy(name), *to = path;

    *leads_out = false;
    for (const char *p = name; path && *p;) {
        const size_t len = strcspn(p, "/\\");
        if (len == 2 && memcmp(p, "..", 2) == 0) {
            *leads_out = true;
            free(path);
            return NULL;
        }
        if (len && !(len == 1 && *p == '.') && !(len == 2 && p[1] == ':')) {
            if (to > path)
                *to++ = '/';
            memmove(to, p, len);
            to += len;
        }
        p += len + (p[len] != 0);
    }
    if (path)
        *to = 0;
    return path;
}

/* If two files of a list (--from0) have the same name, all keep their folders and archives below -o, like
 * files below a folder that is named. */
static int keep_folders(cli *c)
{
    for (size_t i = 0; i < c->inputs.count; i++) {
        bool leads_out;
        char *path = path_with_folders(c->inputs.items[i].name, &leads_out);
        if (!path && leads_out)
            return cli_usage(c, "--from0: two files have one name, and the path of one has ..: run lvl once "
                                "for each folder");
        if (!path)
            return cli_no_memory(c);
        free(c->inputs.items[i].rel);
        c->inputs.items[i].rel = path;
    }
    return EXIT_FINE;
}

static bool has_double(cli *c, bool *failed)
{
    cli_input **sorted = cli_inputs_sorted(&c->inputs);
    bool any = false;

    *failed = !sorted;
    for (size_t i = 1; sorted && i < c->inputs.count && !any; i++)
        any = strcmp(sorted[i - 1]->rel, sorted[i]->rel) == 0;
    free(sorted);
    return any;
}

/* Inputs that would be written to the same name: if only their endings differ, they keep these; else it is an
 * error. */
static int find_clashes(cli *c)
{
    bool failed = false;
    int code = EXIT_FINE;

    if (c->opt->from0 && has_double(c, &failed) && (code = keep_folders(c)) != EXIT_FINE)
        return code;
    cli_input **sorted = failed ? NULL : cli_inputs_sorted(&c->inputs);
    if (!sorted)
        return cli_no_memory(c);
    for (size_t i = 1; i < c->inputs.count && code == EXIT_FINE; i++) {
        const char *a = sorted[i - 1]->rel, *b = sorted[i]->rel;
        /* nobody can name one of two members with one name: the second is refused alone (compare_targets) */
        const bool twins = sorted[i]->archive && sorted[i]->archive == sorted[i - 1]->archive &&
                           strcmp(sorted[i]->name, sorted[i - 1]->name) == 0;
        if (strcmp(a, b) == 0 && twins) {
            sorted[i]->name_taken = sorted[i - 1]->name_taken;
        } else if (strcmp(a, b) == 0) {
            code = cli_usage(c, "%s and %s would both be written to %s; run lvl once for each",
                             sorted[i - 1]->name, sorted[i]->name, b);
        } else if (cli_ending(a) - a == cli_ending(b) - b &&
                   strncmp(a, b, (size_t)(cli_ending(a) - a)) == 0) {
            sorted[i]->name_taken = true;
            for (size_t k = i; k && strcmp(sorted[k - 1]->rel, a) == 0; k--)
                sorted[k - 1]->name_taken = true;
        }
    }
    free(sorted);
    return code;
}

/* A target, and what is equal for two that are one file. */
typedef struct place {
    char *id;
    cli_target *target;
} place;

static int by_id(const void *a, const void *b)
{
    const place *x = a, *y = b;
    const int d = strcmp(x->id, y->id);

    return d ? d : (x->target > y->target) - (x->target < y->target);
}

/* Finds targets that are one file all the same: "a.nw", beside an "a.zelda", and "a.nw.graal" both become
 * "a.nw.graal"; or, if files are replaced, one is a link to the other. Only one of them may be a file that
 * the verb supports, so the run is not refused, but the second result. */
static int compare_targets(cli *c, const cli_plan *p)
{
    place *places = calloc(p->count + 1, sizeof *places);
    bool memory = places != NULL;
    size_t n = 0;

    for (size_t i = 0; i < p->count && memory; i++) {
        cli_target *t = &p->targets[i];
        if (!t->path)
            continue;
        places[n] = (place){p->replaces ? lvl_file_entry_id(t->path) : cli_copy(t->path), t};
        memory = places[n++].id != NULL;
    }
    if (memory)
        qsort(places, n, sizeof *places, by_id);
    for (size_t i = 1; i < n && memory; i++) {
        if (strcmp(places[i - 1].id, places[i].id) == 0)
            places[i].target->taken_by = &c->inputs.items[places[i - 1].target - p->targets];
    }
    for (size_t i = 0; i < n; i++)
        free(places[i].id);
    free(places);
    return memory ? EXIT_FINE : cli_no_memory(c);
}

/* ---- the plan ------------------------------------------------------------------------------------------ */

void cli_plan_none(cli *c)
{
    static const cli_plan none = {.place = CLI_NOWHERE};
    cli_plan *p = (cli_plan *)(uintptr_t)c->plan;

    c->plan = &none;
    if (!p || p == &none)
        return;
    for (size_t i = 0; i < p->count; i++)
        clear_target(&p->targets[i]);
    free(p->targets);
    free(p);
}

static cli_plan *new_plan(cli *c)
{
    cli_plan *p = calloc(1, sizeof *p);

    cli_plan_none(c);
    if (p) {
        p->replaces = c->opt->yes;
        c->plan = p;
    }
    return p;
}

int cli_plan_make(cli *c, const cli_output *kind)
{
    enum { MANY = 16 };
    cli_plan *p = new_plan(c);

    if (!p)
        return cli_no_memory(c);
    p->kind = *kind;
    int code = choose_place(c, p);
    if (!code && p->place == CLI_TO_FOLDER && !kind->tree)
        code = find_clashes(c);
    if (!code && cli_changes_inputs(c) && !cli_inputs_dedupe(&c->inputs))
        code = cli_no_memory(c);
    p->together = p->place == CLI_TO_FOLDER && (kind->whole || (!kind->tree && c->inputs.count >= MANY));
    if (code || kind->tree)
        return code;
    p->targets = calloc(c->inputs.count + 1, sizeof *p->targets);
    if (!p->targets)
        return cli_no_memory(c);
    for (; p->count < c->inputs.count; p->count++) {
        if (!find_target(c, &c->inputs.items[p->count], kind, &p->targets[p->count]))
            return cli_no_memory(c);
    }
    return p->place == CLI_TO_FOLDER && !kind->late ? compare_targets(c, p) : EXIT_FINE;
}

int cli_plan_folder(cli *c, const char *folder)
{
    cli_plan *p = new_plan(c);

    if (!p)
        return cli_no_memory(c);
    p->place = CLI_TO_FOLDER;
    p->output = folder;
    p->together = true;
    return EXIT_FINE;
}

int cli_plan_whole(cli *c)
{
    const char *o = c->opt->output;
    cli_plan *p = new_plan(c);

    if (!p)
        return cli_no_memory(c);
    p->place = CLI_TO_STDOUT;
    if (cli_is_stdout(o))
        return EXIT_FINE;
    p->place = CLI_TO_FILE;
    p->output = o;
    return lvl_file_kind_of(o) == LVL_FILE_FOLDER
               ? cli_usage(c, "-o %s: expected the name of a file, found a folder", o)
               : cli_may_create(c, o);
}
