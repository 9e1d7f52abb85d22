/*
 * cli/input.c: the inputs that arguments name: files, folders, standard input, members of archives (see
 * archives.c).
 */
#include "cli/archives.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For qsort over pointers to inputs. */
static int by_rel(const void *a, const void *b)
{
    const cli_input *x = *(cli_input *const *)a, *y = *(cli_input *const *)b;
    size_t nx = (size_t)(cli_ending(x->rel) - x->rel), ny = (size_t)(cli_ending(y->rel) - y->rel);
    int d = strncmp(x->rel, y->rel, nx < ny ? nx : ny);

    if (d || nx != ny)
        return d ? d : nx < ny ? -1 : 1;
    return strcmp(x->rel, y->rel);
}

cli_input **cli_inputs_sorted(const cli_inputs *inputs)
{
    cli_input **sorted = calloc(inputs->count + 1, sizeof *sorted);

    for (size_t i = 0; sorted && i < inputs->count; i++)
        sorted[i] = &inputs->items[i];
    if (sorted && inputs->count)
        qsort(sorted, inputs->count, sizeof(*sorted), by_rel);
    return sorted;
}

static void input_free(cli_input *in)
{
    free(in->name);
    free(in->shown);
    free(in->rel);
    free(in->path);
    free(in->before);
    free(in->error_text);
    lvl_buffer_free(&in->changed);
    lvl_buffer_free(&in->content);
}

void cli_inputs_free(cli_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        input_free(&inputs->items[i]);
    free(inputs->items);
    cli_archives_free(inputs);
    memset(inputs, 0, sizeof *inputs);
}

/* Adds an input and copies its name and relative path; NULL without memory. */
static cli_input *add(cli_inputs *inputs, const char *name, const char *rel)
{
    if (!cli_grow(&inputs->items, &inputs->cap, inputs->count + 1, sizeof *inputs->items))
        return NULL;
    cli_input *in = &inputs->items[inputs->count];
    memset(in, 0, sizeof *in);
    in->name = cli_copy(name);
    in->shown = cli_shown(name);
    in->rel = cli_copy(rel);
    if (!in->name || !in->shown || !in->rel) {
        input_free(in);
        return NULL;
    }
    inputs->count++;
    return in;
}

static bool add_error(cli_inputs *inputs, const char *name, int code, const char *fmt, ...) LVL_PRINTF(4, 5);

/* Adds an input that cannot be read, with the reason. */
static bool add_error(cli_inputs *inputs, const char *name, int code, const char *fmt, ...)
{
    cli_input *in = add(inputs, name, lvl_file_name(name));
    va_list args;

    if (!in)
        return false;
    va_start(args, fmt);
    in->named = true;
    in->code = code;
    in->error_text = cli_format_args(fmt, args);
    va_end(args);
    return in->error_text != NULL;
}

static bool add_file_error(cli_inputs *inputs, const char *name, const lvl_file_error *why)
{
    char text[256];

    return add_error(inputs, name, EXIT_ENVIRONMENT, "%s", lvl_file_error_text(why, text, sizeof text));
}

/* `typed`: as in cli_input. */
static bool add_file(cli_inputs *inputs, const char *path, size_t typed, const char *rel, bool named)
{
    cli_input *in = add(inputs, path, rel);

    if (!in)
        return false;
    in->named = named;
    in->typed = typed;
    in->path = cli_copy(path);
    return in->path != NULL;
}

cli_input *cli_input_add_content(cli_inputs *inputs, const char *name, const char *path, lvl_buffer *content)
{
    if (!add_file(inputs, name, 0, name, false))
        return NULL;
    cli_input *in = &inputs->items[inputs->count - 1];
    free(in->path);
    in->path = cli_copy(path);
    in->has_content = true;
    in->content = *content;
    *content = (lvl_buffer){0};
    return in->path ? in : NULL;
}

/* Joins two parts with a slash, unless the first is empty or ends with one. */
static char *join_path(const char *a, const char *b)
{
    size_t n = strlen(a);

    return cli_format("%s%s%s", a, n == 0 || a[n - 1] == '/' ? "" : "/", b);
}

static bool add_with_members(cli *c, cli_inputs *inputs, const char *path, size_t typed, const char *rel,
                             bool named);
static bool add_foreign(cli *c, cli_inputs *inputs, const char *path, const char *rel, bool named,
                        bool *is_archive);

static bool walk(cli *c, cli_inputs *inputs, const char *path, size_t typed, const char *rel, unsigned depth)
{
    const uint32_t most = c->ctx.limits.depth;
    lvl_file_error why = {0};
    lvl_file_list list;
    bool ok = true;

    lvl_status status = lvl_folder_list(&list, path, &why);
    if (status == LVL_ERR_MEMORY)
        return false;
    if (status != LVL_OK)
        return add_file_error(inputs, path, &why);
    for (size_t i = 0; i < list.count && ok; i++) {
        char *full = join_path(path, list.names[i]), *below = join_path(rel, list.names[i]);
        ok = full && below;
        lvl_file_kind kind = ok ? lvl_file_kind_of(full) : LVL_FILE_NONE;
        bool is_archive = false;
        if (kind == LVL_FILE_REGULAR && lvl_archive_named(full))
            ok = add_foreign(c, inputs, full, below, false, &is_archive);
        if (kind == LVL_FILE_REGULAR && ok && !is_archive)
            ok = add_with_members(c, inputs, full, typed, below, false);
        else if (kind == LVL_FILE_FOLDER && !lvl_file_is_link(full)) /* links may form a loop */
            ok = depth < most ? walk(c, inputs, full, typed, below, depth + 1)
                              : add_error(inputs, full, EXIT_NEGATIVE,
                                          "skipped: more than %lu folders deep; --limit depth=N raises that",
                                          (unsigned long)most);
        else if (ok && kind == LVL_FILE_NONE && !lvl_file_is_link(full))
            ok = add_error(inputs, full, EXIT_ENVIRONMENT, "this file or folder cannot be read");
        free(full);
        free(below);
    }
    lvl_file_list_free(&list);
    return ok;
}

/* ---- members ----------------------------------------------------------------------------------------- */

static cli_input *add_member(cli_inputs *inputs, const cli_archive *archive, const lvl_entry *entry,
                             const char *rel, const char *disk)
{
    char *name = cli_format("%s//%s", archive->name, entry->path);
    cli_input *in = name ? add(inputs, name, rel) : NULL;

    free(name);
    if (!in)
        return NULL;
    in->archive = archive;
    in->entry = entry;
    in->path = cli_copy(disk);
    return in->path ? in : NULL;
}

struct member_walk {
    cli *c;
    cli_inputs *inputs;
    cli_archive *archive;
    const char *disk;
    size_t below; /* length of the path at which the walk started */
    const char *rel; /* what paths in -o DIR begin with; "" */
    unsigned depth; /* of archives in archives */
    bool ok;
};

static bool walk_inner(struct member_walk *outer, const lvl_entry *entry, bool pack, bool *is_archive);

static bool is_pack_format(const lvl_format *format)
{
    return lvl_format_can(format) & LVL_CAN_EXTRACT && !(lvl_format_can(format) & LVL_CAN_RENDER);
}

/* Whether a name ends as those of a game's archives do. */
static bool has_pack_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    const lvl_format *format;
    lvl_text ending;

    for (size_t i = 0; dot && (format = lvl_format_at(i)) != NULL; i++) {
        const char *endings = is_pack_format(format) ? format->extensions : "";
        while (lvl_text_next_item(&endings, ' ', &ending)) {
            if (lvl_text_equal_nocase(ending, lvl_text_of(dot + 1)))
                return true;
        }
    }
    return false;
}

static bool walk_member(void *user, const lvl_entry *entry)
{
    struct member_walk *w = user;

    if (entry->is_dir)
        return true;
    bool is_archive = false;
    if (!w->archive->doc && lvl_archive_named(entry->path))
        w->ok = walk_inner(w, entry, false, &is_archive);
    if (!w->ok || is_archive)
        return w->ok;
    const char *rel = entry->path + (strlen(entry->path) > w->below ? w->below : 0);
    /* so that it is not written outside of the output folder */
    char *safe = entry->safe ? NULL : cli_safe_name(entry->path);
    char *below = join_path(w->rel, safe ? safe : rel);
    w->ok = below && (entry->safe || safe) && add_member(w->inputs, w->archive, entry, below, w->disk);
    if (w->ok && w->c->opt.members && !w->archive->doc && has_pack_name(entry->path))
        w->ok = walk_inner(w, entry, true, &is_archive);
    free(safe);
    free(below);
    return w->ok;
}

/* Adds an archive of another program that could not be opened, with the reason. */
static bool add_unreadable(cli *c, cli_inputs *inputs, const char *name, lvl_status status,
                           const lvl_usage *usage)
{
    if (status == LVL_ERR_MEMORY)
        return false;
    char *limit = cli_limit_text(&c->ctx, usage);
    const bool ok =
        add_error(inputs, name, cli_code_of(status), "%s",
                  limit                      ? limit
                  : status == LVL_ERR_FORMAT ? "this archive is damaged: nothing of it can be read"
                                             : lvl_status_text(status));
    free(limit);
    return ok;
}

static bool add_damage(cli_inputs *inputs, const cli_archive *archive)
{
    return lvl_container_status(archive->box) != LVL_ERR_LOSS ||
           add_error(inputs, archive->name, EXIT_NEGATIVE,
                     "this archive is damaged: what can be found in it is read");
}

/* Opens an archive that a walk found in another one; NULL: *ok is whether the walk can go on. */
static cli_archive *open_inner(struct member_walk *w, const char *name, const lvl_entry *entry)
{
    const uint64_t most = w->c->ctx.limits.memory_bytes;
    cli_inputs *inputs = w->inputs;
    const cli_archive *before = inputs->archives;
    lvl_status status;
    lvl_usage usage = {0};

    if (inputs->inner_bytes > most)
        return NULL;
    w->c->ctx.usage = &usage;
    cli_archive *archive = cli_archive_find(w->c, inputs, name, w->archive, entry, false, true, &status);
    w->c->ctx.usage = NULL;
    if (inputs->archives != before)
        inputs->inner_bytes += cli_archive_bytes(inputs->archives);
    if (inputs->inner_bytes > most) {
        w->ok = add_error(inputs, name, EXIT_NEGATIVE,
                          "with this archive, those in other archives need more than %llu bytes: it and "
                          "further ones are not read; --limit memory_bytes=N raises that",
                          (unsigned long long)most);
        return NULL;
    }
    if (!archive && status == LVL_ERR_MEMORY)
        w->ok = false;
    else if (!archive && inputs->archives->is_foreign && status != LVL_ERR_UNSUPPORTED)
        w->ok = add_unreadable(w->c, inputs, name, status, &usage);
    else
        return archive;
    return NULL;
}

/* Adds the members of an archive that lies in one of another program: of another program, too, or (`pack`)
 * of a game, whose own job reports if it cannot be opened. *is_archive: it is one. */
static bool walk_inner(struct member_walk *outer, const lvl_entry *entry, bool pack, bool *is_archive)
{
    const uint32_t most = outer->c->ctx.limits.depth;
    struct member_walk w = *outer;
    const size_t before = w.inputs->count;

    char *name = cli_format("%s//%s", outer->archive->name, entry->path);
    char *rel = join_path(outer->rel, entry->safe ? entry->path : lvl_file_name(entry->path));
    w.ok = name && rel;
    if (w.ok && w.depth >= most) {
        w.ok = add_error(w.inputs, name, EXIT_NEGATIVE,
                         "skipped: more than %lu archives deep; --limit depth=N raises that",
                         (unsigned long)most);
        w.archive = NULL;
    } else if (w.ok) {
        w.archive = open_inner(&w, name, entry);
    }
    const bool wanted = w.archive && (w.archive->doc != NULL) == pack;
    *is_archive = w.inputs->count > before || wanted;
    if (w.ok && wanted && (pack || add_damage(w.inputs, w.archive))) {
        w.rel = rel;
        w.below = 0;
        w.depth++;
        lvl_container_list(w.archive->box, "", true, walk_member, &w);
    } else if (wanted) {
        w.ok = false;
    }
    free(name);
    free(rel);
    return w.ok;
}

/* Adds the members of an archive, or those below a folder in it. */
static bool add_all(cli *c, cli_inputs *inputs, cli_archive *archive, const char *disk, const char *rel,
                    const char *folder)
{
    struct member_walk w = {c, inputs, archive, disk, *folder ? strlen(folder) + 1 : 0, rel, 0, true};

    const size_t before = inputs->count;
    inputs->batch = inputs->batch || !*folder;
    if (!add_damage(inputs, archive))
        return false;
    lvl_container_list(archive->box, folder, true, walk_member, &w);
    inputs->batch = inputs->batch || inputs->count > before;
    return w.ok;
}

struct member_guess {
    lvl_text wanted; /* the path, and below it the last part */
    lvl_text name;
    unsigned best;
    const char *near;
};

/* Prefers a member with the same name in another folder, else takes the most similar path. */
static bool guess_member(void *user, const lvl_entry *entry)
{
    struct member_guess *g = user;
    unsigned d = 1;

    if (!lvl_text_is(g->name, lvl_file_name(entry->path)))
        d = 1 + lvl_text_distance(g->wanted, lvl_text_of(entry->path), g->best);
    if (d < g->best) {
        g->best = d;
        g->near = entry->path;
    }
    return true;
}

char *cli_member_guess(const lvl_container *box, const char *path)
{
    struct member_guess g = {lvl_text_of(path), lvl_text_of(lvl_file_name(path)), 0, NULL};

    g.best = 2 + (g.wanted.len > 11 ? 3 : (unsigned)g.wanted.len / 4);
    lvl_container_list(box, "", true, guess_member, &g);
    return cli_format("%s%s%s", g.near ? ": did you mean " : "", g.near ? g.near : "", g.near ? "?" : "");
}

/* A walk along a path of members. */
struct path_walk {
    cli *c;
    cli_inputs *inputs;
    cli_archive *archive; /* the last one that was opened */
    lvl_usage usage;
};

static lvl_status open_part(void *user, const char *name, const lvl_entry *entry, const lvl_container **out)
{
    struct path_walk *w = user;
    lvl_status status;

    w->archive = cli_archive_member(w->c, w->inputs, name, w->archive, entry,
                                    cli_archives_change(w->c, w->inputs), &status, &w->usage);
    *out = w->archive ? w->archive->box : NULL;
    return status;
}

/* Adds an archive of a path that did not open, with the reason. */
static bool add_unopened(cli *c, cli_inputs *inputs, const char *arg, size_t len, lvl_status status,
                         const lvl_usage *usage)
{
    const bool none = status == LVL_ERR_UNSUPPORTED;
    char *limit = cli_limit_text(&c->ctx, usage), *name = cli_format("%.*s", (int)len, arg);
    const bool ok = name && add_error(inputs, name, none ? EXIT_FOREIGN : cli_code_of(status), "%s",
                                      none    ? "is not an archive"
                                      : limit ? limit
                                      : status == LVL_ERR_LOSS
                                          ? "is damaged in its archive; use `lvl extract' to save what "
                                            "can be read of it"
                                          : lvl_status_text(status));

    free(limit);
    free(name);
    return ok;
}

/* Adds what a path of a member names; `slash` is where the first "//" is. */
static bool add_members(cli *c, cli_inputs *inputs, const char *arg, size_t slash)
{
    struct path_walk w = {c, inputs, NULL, {0}};
    lvl_archive_place place;
    bool missing;
    bool ok = false;

    const lvl_status status = lvl_archive_walk(arg, slash, open_part, &w, &place, &missing);
    if (missing) {
        char *guess = cli_member_guess(place.box, place.rest);
        ok = guess && add_error(inputs, arg, EXIT_NEGATIVE, "no such member in the archive%s",
                                *guess ? guess : "; `lvl extract --list' lists them");
        free(guess);
        return ok;
    }
    if (status != LVL_OK)
        return add_unopened(c, inputs, arg, place.len, status, &w.usage);
    char *disk = cli_format("%.*s", (int)slash, arg);
    if (disk && place.entry && !place.entry->is_dir) {
        cli_input *in = add_member(inputs, w.archive, place.entry, lvl_file_name(place.entry->path), disk);
        ok = in != NULL;
        if (in)
            in->named = true;
    } else if (disk) {
        ok = add_all(c, inputs, w.archive, disk, "", place.entry ? place.entry->path : place.rest);
    }
    free(disk);
    return ok;
}

const lvl_format *cli_probe_file(const char *path, const char *name, const lvl_file_ends *ends)
{
    const lvl_bytes head = {ends->head, ends->head_len};
    lvl_bytes tail = {ends->tail, ends->tail_len};
    const size_t n = lvl_probe_tail(tail, ends->size);
    uint8_t *longer = n > tail.len ? malloc(n) : NULL;
    lvl_file *file = NULL;
    size_t got = 0;

    if (longer && lvl_file_open(&file, path, NULL) == LVL_OK &&
        lvl_file_at(file, ends->size - n, longer, n, &got, NULL) == LVL_OK && got == n)
        tail = (lvl_bytes){longer, n};
    lvl_file_close(file);
    const lvl_format *format = lvl_probe(head, tail, ends->size, name, NULL);
    free(longer);
    return format;
}

/* Whether the file is a plain archive, not a level with attached files. */
static bool is_pack(const char *path)
{
    lvl_file_ends *ends = malloc(sizeof *ends);
    const lvl_format *format = NULL;

    if (ends && lvl_file_read_ends(ends, path, NULL) == LVL_OK)
        format = cli_probe_file(path, lvl_file_name(path), ends);
    free(ends);
    return format && is_pack_format(format);
}

/* *foreign: the file is an archive of another program, which no format of a game is. False: no memory. */
static bool find_foreign(const char *path, bool *foreign)
{
    lvl_file_ends *ends = malloc(sizeof *ends);
    const lvl_status status = ends ? lvl_file_read_ends(ends, path, NULL) : LVL_ERR_MEMORY;

    *foreign = status == LVL_OK &&
               (lvl_archive_named(path) || lvl_archive_kind((lvl_bytes){ends->head, ends->head_len})) &&
               !cli_probe_file(path, lvl_file_name(path), ends);
    free(ends);
    return status != LVL_ERR_MEMORY;
}

/* Notes an archive for cli->later. False: no memory. */
static bool add_later(cli_strings *later, const char *path)
{
    char *copy = cli_copy(path);

    if (copy && cli_strings_add(later, copy))
        return true;
    free(copy);
    return false;
}

/* Adds the members of an archive of another program, which is like a folder. *is_archive: it is one. */
static bool add_foreign(cli *c, cli_inputs *inputs, const char *path, const char *rel, bool named,
                        bool *is_archive)
{
    lvl_status status;
    lvl_usage usage;

    bool foreign = false;
    *is_archive = false;
    /* what is found in a folder is not an error for a verb that changes files, as any other unknown file */
    if (c->opt.as || (c->verb && c->verb->bit == VERB_EXTRACT) || (c->opt.in_place && !named))
        return true;
    if (!find_foreign(path, &foreign))
        return false;
    if (!foreign)
        return true;
    *is_archive = c->later != NULL;
    if (c->later)
        return add_later(c->later, path);
    cli_archive *archive = cli_archive_member(c, inputs, path, NULL, NULL, false, &status, &usage);
    *is_archive = archive && !archive->doc;
    if (*is_archive)
        return c->opt.in_place ? add_error(inputs, path, EXIT_NEGATIVE, CLI_READ_ONLY)
                               : add_all(c, inputs, archive, path, rel, "");
    if (archive || status == LVL_ERR_UNSUPPORTED)
        return true;
    *is_archive = true;
    return add_unreadable(c, inputs, path, status, &usage);
}

/* With --members, adds the members of a pack after it. A pack that cannot be opened is reported by its own
 * job. */
static bool add_inside(cli *c, cli_inputs *inputs, const char *path, size_t typed)
{
    lvl_status status;
    lvl_usage usage;

    if (!c->opt.members || !is_pack(path))
        return true;
    inputs->batch = true;
    cli_archive *archive =
        cli_archive_member(c, inputs, path, NULL, NULL, cli_archives_change(c, inputs), &status, &usage);
    if (!archive)
        return status != LVL_ERR_MEMORY;
    archive->typed = typed;
    return add_all(c, inputs, archive, path, "", "");
}

/* Adds a file, and what add_inside adds. */
static bool add_with_members(cli *c, cli_inputs *inputs, const char *path, size_t typed, const char *rel,
                             bool named)
{
    if (c->later && c->opt.members && is_pack(path))
        return add_later(c->later, path);
    return add_file(inputs, path, typed, rel, named) && add_inside(c, inputs, path, typed);
}

bool cli_input_move(cli_inputs *to, cli_input *from)
{
    cli_input *in = add(to, "", "");

    if (!in)
        return false;
    input_free(in);
    *in = *from;
    memset(from, 0, sizeof *from);
    return true;
}

/* Nothing has that name. If the path continues behind a file, it probably means a member of that file. */
static bool add_missing(cli_inputs *inputs, const char *arg)
{
    const lvl_file_error why = {"open", ENOENT};

    for (const char *p = strchr(arg, '/'); p; p = strchr(p + 1, '/')) {
        char *file = cli_format("%.*s", (int)(p - arg), arg);
        const bool is_file = file && *file && lvl_file_kind_of(file) == LVL_FILE_REGULAR;
        const bool ok = !is_file
                            ? file != NULL
                            : add_error(inputs, arg, EXIT_ENVIRONMENT,
                                        "%s is a file, not a folder; a member of it has two slashes: %s//%s",
                                        file, file, p + 1);
        free(file);
        if (is_file || !ok)
            return ok;
    }
    return add_file_error(inputs, arg, &why);
}

bool cli_is_named_pipe(const char *path)
{
    return lvl_file_is_pipe(path) && strncmp(path, "/dev/", 5) != 0;
}

bool cli_input_add(cli *c, cli_inputs *inputs, const char *arg, bool several)
{
    if (strcmp(arg, "-") == 0) {
        cli_input *in = add(inputs, "-", "stdin");
        if (in)
            in->named = true;
        return in != NULL;
    }
    lvl_file_kind kind = lvl_file_kind_of(arg);
    if (kind == LVL_FILE_FOLDER) {
        size_t len = strlen(arg);
        while (len > 1 && arg[len - 1] == '/')
            len--;
        char *folder = cli_format("%.*s", (int)len, arg);
        const char *base = folder ? lvl_file_name(folder) : "";
        bool plain = strcmp(base, ".") == 0 || strcmp(base, "..") == 0 || strcmp(base, "/") == 0;
        inputs->batch = true;
        bool ok = folder && walk(c, inputs, folder, len, several && !plain ? base : "", 0);
        free(folder);
        return ok;
    }
    if (kind == LVL_FILE_REGULAR && c->verb && c->verb->bit == VERB_RENDER && !c->opt.as && is_pack(arg)) {
        char *inside = cli_format("%s//", arg);
        const bool ok = inside && add_members(c, inputs, inside, strlen(arg));
        free(inside);
        return ok;
    }
    if (kind == LVL_FILE_REGULAR) {
        bool is_archive = false;
        const bool ok = add_foreign(c, inputs, arg, several ? lvl_file_name(arg) : "", true, &is_archive);
        return ok && (is_archive || add_with_members(c, inputs, arg, 0, lvl_file_name(arg), true));
    }
    /* a comparison needs both sides */
    if (kind != LVL_FILE_NONE && cli_is_named_pipe(arg) && c->verb->bit != VERB_DIFF) {
        if (!c->opt.quiet)
            cli_report(c, "%s: skipped: a pipe; to read it: lvl %s - <%s", arg, c->verb->name, arg);
        return true;
    }
    if (kind != LVL_FILE_NONE)
        return add_file(inputs, arg, 0, lvl_file_name(arg), true);
    size_t slash;
    if (lvl_archive_part(arg, &slash) != LVL_OK)
        return false;
    if (slash)
        return add_members(c, inputs, arg, slash);
    return add_missing(inputs, arg);
}

int cli_input_one(cli *c, cli_inputs *inputs, const char *arg, const char *what)
{
    if (!cli_input_add(c, inputs, arg, false))
        return cli_no_memory(c);
    if (inputs->batch)
        return cli_usage(c, "%s%s: expected a file, found a folder", what, arg);
    if (!inputs->count) /* a named pipe, which was reported */
        return EXIT_ENVIRONMENT;
    if (inputs->items[0].error_text)
        cli_report(c, "%s%s: %s", what, inputs->items[0].shown, inputs->items[0].error_text);
    return inputs->items[0].code;
}

lvl_status cli_input_read(const cli *c, const cli_input *input, lvl_bytes *view, lvl_buffer *storage,
                          lvl_findings *findings, lvl_file_error *why)
{
    lvl_status status;

    if (input->has_content) {
        *view = lvl_buffer_bytes(&input->content);
        return LVL_OK;
    }
    if (input->archive)
        return lvl_container_read(input->archive->box, input->entry, view, storage, findings);
    /* the size of a stream is unknown, so it is limited by memory */
    const uint64_t most = c->ctx.limits.input_bytes, share = lvl_memory_share(&c->ctx);
    const uint64_t most_streamed = share < most ? share : most;
    if (!input->path)
        status = lvl_file_read_stdin(storage, most_streamed, why);
    else if (lvl_file_kind_of(input->path) == LVL_FILE_OTHER)
        status = lvl_file_read(storage, input->path, most_streamed, why);
    else
        status = lvl_file_read(storage, input->path, most, why);
    view->ptr = storage->data;
    view->len = storage->len;
    return status;
}

static bool same_ending(const char *a, const char *b)
{
    return lvl_text_equal_nocase(lvl_text_of(cli_ending(a)), lvl_text_of(cli_ending(b)));
}

const cli_archive *cli_input_archive_named(const cli_input *input, const char *path)
{
    for (const cli_archive *a = input->archive; a; a = a->parent) {
        const bool member_only = same_ending(path, input->entry->path) && !same_ending(path, a->name);
        if ((a->doc && cli_has_ending(path, lvl_doc_format(a->doc)) && !member_only) ||
            (!a->parent && lvl_file_same(path, a->name)))
            return a;
    }
    return NULL;
}

const cli_archive *cli_inputs_archive_named(const cli_inputs *inputs, const char *path)
{
    const cli_archive *common = NULL;

    for (size_t i = 0; i < inputs->count; i++) {
        const cli_archive *a = cli_input_archive_named(&inputs->items[i], path);
        if (!a || (common && a != common))
            return NULL;
        common = a;
    }
    return common;
}

/* ---- inputs changed in place --------------------------------------------------------------------------- */

/* Something that a save replaces: a file, or a member of an archive. */
typedef struct place {
    char *key; /* the same for the same file or member */
    size_t order;
    cli_archive *archive; /* the archive that was opened from it; or NULL, and */
    cli_input *input; /* the input */
} place;

static int by_key(const void *a, const void *b)
{
    const place *x = a, *y = b;
    const int d = strcmp(x->key, y->key);

    return d ? d : (x->order > y->order) - (x->order < y->order);
}

/* Appends a place: the member `id` of an archive, or (NULL) the file with that ID. False: no memory. */
static bool add_place(place *places, size_t *count, const cli_archive *around, const char *id, place added)
{
    added.key = id ? cli_format("%p %s", (const void *)around, id) : NULL;
    added.order = *count;
    if (added.key)
        places[(*count)++] = added;
    return added.key != NULL;
}

bool cli_inputs_dedupe(cli_inputs *inputs)
{
    size_t kept = 0, archives = 0, count = 0;

    for (const cli_archive *a = inputs->archives; a; a = a->next)
        archives++;
    place *places = calloc(archives + inputs->count + 1, sizeof *places);
    bool ok = places != NULL;
    for (cli_archive *a = inputs->archives; a && ok; a = a->next)
        ok = add_place(places, &count, a->parent, a->id, (place){.archive = a});
    for (size_t i = 0; i < inputs->count && ok; i++) {
        cli_input *in = &inputs->items[i];
        char *id = in->path && !in->archive ? lvl_file_entry_id(in->path) : NULL;
        if (in->path)
            ok = add_place(places, &count, in->archive, in->archive ? in->entry->path : id,
                           (place){.input = in});
        free(id);
    }
    if (ok && count)
        qsort(places, count, sizeof *places, by_key);
    /* archives come before the inputs of the same place */
    for (size_t i = 1; i < count && ok; i++) {
        const place *before = &places[i - 1];
        cli_input *in = places[i].input;
        if (!in || strcmp(before->key, places[i].key) != 0)
            continue;
        in->repeated = before->input != NULL;
        in->opened = before->archive && before->archive->box ? before->archive : NULL;
    }
    for (size_t i = 0; i < count; i++)
        free(places[i].key);
    free(places);
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->items[i].repeated)
            input_free(&inputs->items[i]);
        else
            inputs->items[kept++] = inputs->items[i];
    }
    inputs->count = kept;
    return ok;
}
