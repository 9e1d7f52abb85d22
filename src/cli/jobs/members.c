/*
 * cli/jobs/members.c: members of archives as inputs: all of an archive, those below a folder in it, or the
 * one that a path names (ARCHIVE//MEMBER). An archive of another program is walked like a folder: archives in
 * it, of other programs or (with --members) of games, are walked, too, within the limits of depth and memory.
 */
#include "cli/jobs/inputs.h"

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
    char *below = cli_join_path(w->rel, safe ? safe : rel);
    w->ok = below && (entry->safe || safe) && add_member(w->inputs, w->archive, entry, below, w->disk);
    if (w->ok && w->c->opt.members && !w->archive->doc && has_pack_name(entry->path))
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
    return (!archive->obstacle && lvl_container_status(archive->box) != LVL_ERR_LOSS) ||
           cli_input_add_error(inputs, archive->name, EXIT_NEGATIVE, "%s",
                               archive->obstacle
                                   ? archive->obstacle
                                   : "this archive is damaged: what can be found in it is read");
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
        w->ok = cli_input_add_error(
            inputs, name, EXIT_NEGATIVE,
            "with this archive, those in other archives need more than %llu bytes: it and "
            "further ones are not read; --limit memory_bytes=N raises that",
            (unsigned long long)most);
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

/* Adds the members of an archive that lies in one of another program: of another program, too, or (`pack`)
 * of a game, whose own job reports if it cannot be opened. *is_archive: it is one. */
static bool walk_inner(struct member_walk *outer, const lvl_entry *entry, bool pack, bool *is_archive)
{
    const uint32_t most = outer->c->ctx.limits.depth;
    struct member_walk w = *outer;
    const size_t before = w.inputs->count;

    char *name = cli_format("%s//%s", outer->archive->name, entry->path);
    char *rel = cli_join_path(outer->rel, entry->safe ? entry->path : lvl_file_name(entry->path));
    w.ok = name && rel;
    if (w.ok && w.depth >= most) {
        w.ok = cli_input_add_error(w.inputs, name, EXIT_NEGATIVE,
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

bool cli_members_add_all(cli *c, cli_inputs *inputs, cli_archive *archive, const char *disk, const char *rel,
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
 * has no slash in it. What follows the next "//" is added to each: a pattern, too, perhaps. */
struct pattern_walk {
    cli *c;
    cli_inputs *inputs;
    const char *archive;
    size_t slash; /* in paths, behind the file on disk */
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
        const bool same = part && wanted && cli_matches_pattern(part, wanted, false);
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
        lvl_container_list(place->box, "", true, add_matching, &w);
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
    struct member_walk w = {c, inputs, archive, disk, 0, "", 0, true};

    *is_archive = false;
    if (archive->doc || !lvl_archive_named(entry->path) || c->opt.as ||
        (c->verb && c->verb->bit == VERB_EXTRACT))
        return true;
    const bool ok = walk_inner(&w, entry, false, is_archive);
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
        char *guess = cli_member_guess(place.box, place.rest);
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
