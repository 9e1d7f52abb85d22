/*
 * cli/jobs/members.c: members of archives as inputs: all of an archive, those below a folder in it, or the
 * one that a path names (ARCHIVE//MEMBER). An archive of another program is walked like a folder: archives in
 * it, of other programs or (with --members) of games, are walked, too, as far as the budget of the file on
 * disk allows: a small file may hold archives in archives without end.
 */
#include "base/archive_kinds.h"
#include "cli/jobs/inputs.h"
#include "tools/archive.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static cli_input *add_member(cli_inputs *inputs, const cli_archive *archive, const lvl_entry *entry,
                             const char *rel, const char *disk)
{
    char *name = cli_format("%s//%s", archive->name, entry->path);
    cli_input *in = name ? cli_input_new(inputs, name, rel) : NULL;

    free(name);
    if (!in)
        return NULL;
    in->archive = archive;
    in->entry = entry;
    in->path = cli_copy(disk);
    return in->path ? in : NULL;
}

enum { OF_MEMBERS, OF_INFLATED, OF_NESTED, OF_MEMORY, BUDGETS };

/* What the walk of a file on disk has used and skipped, for each limit. */
typedef struct spent {
    uint64_t members, inflated, memory;
    bool ended;
    struct {
        uint64_t count;
        char *first;
    } skipped[BUDGETS];
} spent;

/* Counts what is skipped; false: no memory. */
static bool skip(spent *s, unsigned limit, const cli_archive *archive, const lvl_entry *entry)
{
    s->ended = s->ended || limit != OF_NESTED;
    return s->skipped[limit].count++ ||
           (s->skipped[limit].first = cli_format("%s//%s", archive->name, entry->path));
}

/* Adds an error for each limit that was exceeded, and frees. False: no memory. */
static bool report_skipped(cli *c, cli_inputs *inputs, const char *name, spent *s)
{
    const struct {
        const char *what, *limit;
        uint64_t most;
    } limits[BUDGETS] = {
        [OF_MEMBERS] = {"members", "members", c->most.members},
        [OF_INFLATED] = {"bytes", "inflated", c->most.inflated},
        [OF_NESTED] = {"archives in archives", "nested", c->most.nested},
        [OF_MEMORY] = {"bytes of memory", "memory_bytes", c->ctx.limits.memory_bytes},
    };
    bool ok = true;

    for (unsigned i = 0; i < BUDGETS; i++) {
        const uint64_t n = s->skipped[i].count;
        if (s->skipped[i].first && ok)
            ok =
                cli_input_add_error(inputs, name, EXIT_NEGATIVE,
                                    "%llu member%s not read, the first is %s: with all that is nested in it, "
                                    "this file has more than %llu %s; --limit %s=N raises that",
                                    (unsigned long long)n, n == 1 ? " is" : "s are", s->skipped[i].first,
                                    (unsigned long long)limits[i].most, limits[i].what, limits[i].limit);
        free(s->skipped[i].first);
    }
    return ok;
}

struct member_walk {
    cli *c;
    spent *spent;
    cli_inputs *inputs;
    cli_archive *archive;
    const char *disk;
    size_t below; /* length of the path at which the walk started */
    const char *rel; /* what paths in -o DIR begin with; "" */
    unsigned depth; /* of archives in archives */
    bool ok;
};

static bool walk_inner(struct member_walk *outer, const lvl_entry *entry, bool pack, bool *is_archive);

bool cli_is_pack_format(const lvl_format *format)
{
    return lvl_format_can(format) & LVL_CAN_EXTRACT && !(lvl_format_can(format) & LVL_CAN_RENDER);
}

/* Whether a name ends as those of a game's archives do. */
static bool has_pack_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    const lvl_format *format;

    for (size_t i = 0; dot && (format = lvl_format_at(i)) != NULL; i++) {
        if (cli_is_pack_format(format) && lvl_text_list_has(format->extensions, ' ', lvl_text_of(dot + 1)))
            return true;
    }
    return false;
}

/* Charges a member; *taken false: it is skipped. Returns false without memory. */
static bool take(struct member_walk *w, const lvl_entry *entry, bool *taken)
{
    const cli_budget *most = &w->c->most;
    spent *s = w->spent;
    unsigned limit = BUDGETS;
    /* others were unpacked when they were opened, as far as their memory allows */
    const uint64_t size = w->archive->is_zip || w->archive->doc ? entry->size : 0;

    for (unsigned i = 0; s->ended && i < BUDGETS; i++)
        limit = i != OF_NESTED && s->skipped[i].count ? i : limit;
    if (limit == BUDGETS && s->members >= most->members)
        limit = OF_MEMBERS;
    else if (limit == BUDGETS && size > most->inflated - s->inflated)
        limit = OF_INFLATED;
    *taken = limit == BUDGETS;
    if (!*taken)
        return skip(s, limit, w->archive, entry);
    s->members++;
    s->inflated += size;
    return true;
}

static bool walk_member(void *user, const lvl_entry *entry)
{
    struct member_walk *w = user;
    bool taken;

    if (entry->is_dir)
        return true;
    w->ok = take(w, entry, &taken);
    if (!w->ok || !taken)
        return w->ok;
    bool is_archive = false;
    if (!w->archive->doc && lvl_archive_named(entry->path))
        w->ok = walk_inner(w, entry, false, &is_archive);
    if (!w->ok || is_archive)
        return w->ok;
    const char *rel = entry->path + (strlen(entry->path) > w->below ? w->below : 0);
    /* so that it is not written outside of the output folder */
    char *safe = entry->safe ? NULL : cli_safe_name(entry->path);
    char *below = cli_join_path(w->rel, safe ? safe : rel);
    w->ok = below && (entry->safe || safe) && add_member(w->inputs, w->archive, entry, below, w->disk);
    if (w->ok && w->c->inside_packs && !w->archive->doc && has_pack_name(entry->path))
        w->ok = walk_inner(w, entry, true, &is_archive);
    free(safe);
    free(below);
    return w->ok;
}

/* Why members of the archive that was opened by this name are hidden, or NULL. */
static const char *obstacle_of(const cli_inputs *inputs, const char *name)
{
    for (const cli_archive *a = inputs->archives; a; a = a->next) {
        if (a->obstacle && strcmp(a->name, name) == 0)
            return a->obstacle;
    }
    return NULL;
}

bool cli_archive_add_unreadable(cli *c, cli_inputs *inputs, const char *name, lvl_status status,
                                const lvl_usage *usage)
{
    if (status == LVL_ERR_MEMORY)
        return false;
    char *limit = cli_limit_text(&c->ctx, usage);
    const char *obstacle = obstacle_of(inputs, name);
    const bool ok =
        cli_input_add_error(inputs, name, cli_code_of(status), "%s",
                            limit                      ? limit
                            : obstacle                 ? obstacle
                            : status == LVL_ERR_FORMAT ? "this archive is damaged: nothing of it can be read"
                                                       : lvl_status_text(status));
    free(limit);
    return ok;
}

static bool add_damage(cli_inputs *inputs, const cli_archive *archive)
{
    return (!archive->obstacle && lvl_container_status(archive->container) != LVL_ERR_LOSS) ||
           cli_input_add_error(inputs, archive->name, EXIT_NEGATIVE, "%s",
                               archive->obstacle
                                   ? archive->obstacle
                                   : "this archive is damaged: what can be found in it is read");
}

/* `check` says in which code page the names of a zip were read, if the zip does not. */
static void report_names(cli *c, const cli_archive *archive)
{
    const bool wanted = cli_verb_is(c, CLI_CHECKS) && !c->opt->quiet && archive->is_zip;
    const lvl_archive_names names =
        wanted ? lvl_archive_names_of(archive->container) : (lvl_archive_names){0};

    if (names.cp437)
        cli_report(c,
                   "%s: %zu name%s without the UTF-8 flag read in code page 437; --encoding sets another one",
                   archive->name, names.cp437, names.cp437 == 1 ? "" : "s");
    if (names.utf8)
        cli_report(c, "%s: %zu name%s without the UTF-8 flag read as UTF-8", archive->name, names.utf8,
                   names.utf8 == 1 ? "" : "s");
}

/* Opens an archive that a walk found in another one; NULL: *ok is whether the walk can go on. */
static cli_archive *open_inner(struct member_walk *w, const char *name, const lvl_entry *entry)
{
    cli_inputs *inputs = w->inputs;
    const cli_archive *before = inputs->archives;
    lvl_status status;
    lvl_usage usage = {0};

    w->c->ctx.usage = &usage;
    cli_archive *archive = cli_archive_find(w->c, inputs, name, w->archive, entry, false, true, &status);
    w->c->ctx.usage = NULL;
    if (inputs->archives != before)
        w->spent->memory += cli_archive_bytes(inputs->archives);
    if (w->spent->memory > w->c->ctx.limits.memory_bytes) {
        w->ok = skip(w->spent, OF_MEMORY, w->archive, entry);
        return NULL;
    }
    if (!archive && status == LVL_ERR_MEMORY)
        w->ok = false;
    else if (!archive && inputs->archives->is_foreign && status != LVL_ERR_UNSUPPORTED)
        w->ok = cli_archive_add_unreadable(w->c, inputs, name, status, &usage);
    else
        return archive;
    return NULL;
}

/* Adds the members of an archive that lies in one of another program. It is of another program, too, or
 * (`pack`) of a game: then its own job reports if it cannot be opened. *is_archive: it is one. */
static bool walk_inner(struct member_walk *outer, const lvl_entry *entry, bool pack, bool *is_archive)
{
    struct member_walk w = *outer;
    const size_t before = w.inputs->count;
    const uint64_t skipped = w.spent->skipped[OF_NESTED].count + w.spent->skipped[OF_MEMORY].count;

    char *name = cli_format("%s//%s", outer->archive->name, entry->path);
    char *rel = cli_join_path(outer->rel, entry->safe ? entry->path : lvl_file_name(entry->path));
    w.ok = name && rel;
    if (w.ok && w.depth >= w.c->most.nested) {
        w.ok = skip(w.spent, OF_NESTED, outer->archive, entry);
        w.archive = NULL;
    } else if (w.ok) {
        w.archive = open_inner(&w, name, entry);
    }
    const bool wanted = w.archive && (w.archive->doc != NULL) == pack;
    *is_archive = w.inputs->count > before || wanted ||
                  w.spent->skipped[OF_NESTED].count + w.spent->skipped[OF_MEMORY].count > skipped;
    if (w.ok && wanted && (pack || add_damage(w.inputs, w.archive))) {
        w.rel = rel;
        w.below = 0;
        w.depth++;
        report_names(w.c, w.archive);
        lvl_container_list(w.archive->container, "", true, walk_member, &w);
    } else if (wanted) {
        w.ok = false;
    }
    free(name);
    free(rel);
    return w.ok;
}

/* Whether the archive is a single compressed file: x.nw.gz, with x.nw. */
static bool is_compressed_file(const cli_archive *archive)
{
    const lvl_entry *e =
        lvl_container_count(archive->container) == 1 ? lvl_container_at(archive->container, 0) : NULL;
    const char *name = lvl_file_name(archive->name);
    const size_t len = e ? strlen(e->path) : 0;

    return len && archive->is_foreign && !archive->is_zip && strncmp(name, e->path, len) == 0 &&
           name[len] == '.';
}

bool cli_members_add_all(cli *c, cli_inputs *inputs, cli_archive *archive, const char *disk, const char *rel,
                         const char *folder)
{
    spent used = {0};
    struct member_walk w = {c, &used, inputs, archive, disk, *folder ? strlen(folder) + 1 : 0, rel, 0, true};

    const size_t before = inputs->count;
    const bool single = is_compressed_file(archive);
    inputs->batch = inputs->batch || (!*folder && !single);
    if (!add_damage(inputs, archive))
        return false;
    report_names(c, archive);
    lvl_container_list(archive->container, folder, true, walk_member, &w);
    w.ok = report_skipped(c, inputs, archive->name, &used) && w.ok;
    if (single && inputs->count == before + 1)
        inputs->items[before].named = true;
    else
        inputs->batch = inputs->batch || inputs->count > before;
    return w.ok;
}

/* ---- one member --------------------------------------------------------------------------------------- */

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

char *cli_member_guess(const lvl_container *container, const char *path)
{
    struct member_guess g = {lvl_text_of(path), lvl_text_of(lvl_file_name(path)), 0, NULL};

    g.best = 2 + (g.wanted.len > 11 ? 3 : (unsigned)g.wanted.len / 4);
    lvl_container_list(container, "", true, guess_member, &g);
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
                                    w->inputs == &w->c->inputs && cli_plan_may_replace(w->c, name), &status,
                                    &w->usage);
    *out = w->archive ? w->archive->container : NULL;
    return status;
}

/* Adds an archive of a path that did not open, with the reason. */
static bool add_unopened(cli *c, cli_inputs *inputs, const char *arg, size_t len, lvl_status status,
                         const lvl_usage *usage)
{
    const bool none = status == LVL_ERR_UNSUPPORTED;
    char *limit = cli_limit_text(&c->ctx, usage), *name = cli_format("%.*s", (int)len, arg);
    const char *obstacle = name ? obstacle_of(inputs, name) : NULL;
    const bool ok =
        name && cli_input_add_error(inputs, name, none ? EXIT_FOREIGN : cli_code_of(status), "%s",
                                    none       ? "is not an archive"
                                    : limit    ? limit
                                    : obstacle ? obstacle
                                    : status == LVL_ERR_LOSS
                                        ? "is damaged in its archive; use `lvl extract' to save what "
                                          "can be read of it"
                                        : lvl_status_text(status));

    free(limit);
    free(name);
    return ok;
}

/* Adds each member that matches a pattern, as if the shell had put its path there: `*` and `?` stand for what
 * has no slash in it. What follows the next "//", perhaps a pattern, too, is added to each. */
struct pattern_walk {
    cli *c;
    cli_inputs *inputs;
    const char *archive;
    size_t slash; /* in paths, after the file on disk */
    char *pattern;
    const char *rest; /* "//..." or "" */
    size_t found;
    bool ok;
};

/* Whether a path matches, folder by folder. */
static bool matches_path(const char *path, const char *pattern)
{
    for (;;) {
        const size_t n = strcspn(path, "/"), m = strcspn(pattern, "/");
        char *part = cli_format("%.*s", (int)n, path), *wanted = cli_format("%.*s", (int)m, pattern);
        const bool same = part && wanted && cli_matches_pattern(part, wanted, true);
        free(part);
        free(wanted);
        if (!same || !path[n] != !pattern[m])
            return false;
        if (!path[n])
            return true;
        path += n + 1;
        pattern += m + 1;
    }
}

static bool add_matching(void *user, const lvl_entry *entry)
{
    struct pattern_walk *w = user;

    if (!matches_path(entry->path, w->pattern))
        return true;
    char *path = cli_format("%s//%s%s", w->archive, entry->path, w->rest);
    w->found++;
    w->ok = path && cli_members_add(w->c, w->inputs, path, w->slash);
    free(path);
    return w->ok;
}

/* *found: members match the path, which is a pattern. False: no memory. */
static bool add_pattern(cli *c, cli_inputs *inputs, const struct path_walk *at,
                        const lvl_archive_place *place, size_t slash, bool *found)
{
    const char *end = strstr(place->rest, "//");
    const size_t len = end ? (size_t)(end - place->rest) : strlen(place->rest);
    struct pattern_walk w = {c, inputs, at->archive->name, slash, NULL, end ? end : "", 0, true};

    *found = false;
    if (!memchr(place->rest, '*', len) && !memchr(place->rest, '?', len))
        return true;
    w.pattern = cli_format("%.*s", (int)len, place->rest);
    if (w.pattern)
        lvl_container_list(place->container, "", true, add_matching, &w);
    inputs->batch = inputs->batch || w.found;
    *found = w.found != 0;
    const bool ok = w.pattern && w.ok;
    free(w.pattern);
    return ok;
}

/* Adds the members of an archive of another program that a path names in another one, as if it lay in a
 * folder. *is_archive: it is one. False: no memory. */
static bool add_inner(cli *c, cli_inputs *inputs, cli_archive *archive, const char *disk,
                      const lvl_entry *entry, bool *is_archive)
{
    spent used = {0};
    struct member_walk w = {c, &used, inputs, archive, disk, 0, "", 0, true};

    *is_archive = false;
    if (archive->doc || !lvl_archive_named(entry->path) || c->opt->as || cli_verb_is(c, CLI_WHOLE_ARCHIVES))
        return true;
    const bool walked = walk_inner(&w, entry, false, is_archive),
               ok = report_skipped(c, inputs, archive->name, &used) && walked;
    inputs->batch = inputs->batch || *is_archive;
    return ok;
}

bool cli_members_add(cli *c, cli_inputs *inputs, const char *arg, size_t slash)
{
    struct path_walk w = {c, inputs, NULL, {0}};
    lvl_archive_place place;
    bool missing, matched = false;
    bool ok = false;

    const lvl_status status = lvl_archive_walk(arg, slash, open_part, &w, &place, &missing);
    if (missing && !add_pattern(c, inputs, &w, &place, slash, &matched))
        return false;
    if (matched)
        return true;
    if (missing) {
        char *guess = cli_member_guess(place.container, place.rest);
        ok = guess &&
             cli_input_add_error(inputs, arg, EXIT_NEGATIVE, "no such member in the archive%s",
                                 *guess                  ? guess
                                 : w.archive->is_foreign ? "; `lvl info' of the archive lists levels in it"
                                                         : "; `lvl extract --list' lists them");
        free(guess);
        return ok;
    }
    if (status != LVL_OK)
        return add_unopened(c, inputs, arg, place.len, status, &w.usage);
    char *disk = cli_format("%.*s", (int)slash, arg);
    if (disk && place.entry && !place.entry->is_dir &&
        !add_inner(c, inputs, w.archive, disk, place.entry, &matched)) {
        ok = false;
    } else if (matched) {
        ok = true;
    } else if (disk && place.entry && !place.entry->is_dir) {
        cli_input *in = add_member(inputs, w.archive, place.entry, lvl_file_name(place.entry->path), disk);
        ok = in != NULL;
        if (in)
            in->named = true;
    } else if (disk) {
        ok =
            cli_members_add_all(c, inputs, w.archive, disk, "", place.entry ? place.entry->path : place.rest);
    }
    free(disk);
    return ok;
}
