/*
 * cli/cmd_pack.c: `lvl pack`: a folder as an archive, and what lies in a folder back into the files that it
 * came out of: members of archives, attachments of drawings, and parts (scripts, signs).
 */
#include "cli/cli.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- the folder -------------------------------------------------------------------------------------- */

/* Everything below a folder but what is hidden. */
typedef struct gathered {
    lvl_container *box;
    lvl_pack_item *items;
    lvl_buffer *storage; /* of each item */
    size_t count, files;
} gathered;

static bool is_hidden(const char *path)
{
    return path[0] == '.' || strstr(path, "/.") != NULL;
}

static void gathered_free(gathered *g)
{
    for (size_t i = 0; i < g->count; i++)
        lvl_buffer_free(&g->storage[i]);
    free(g->items);
    free(g->storage);
    lvl_container_close(g->box);
    memset(g, 0, sizeof *g);
}

/* Reads it all, without the file that is to be written; `*bad`, to be freed: the one that couldn't be. */
static lvl_status gather(const cli *c, const lvl_ctx *ctx, const char *dir, gathered *g, char **bad)
{
    const uint64_t most = ctx->limits.memory_bytes;
    lvl_container *box = NULL;
    uint64_t total = 0;

    lvl_status status = lvl_container_folder(ctx, dir, &box);
    const size_t n = status == LVL_OK ? lvl_container_count(box) : 0;
    g->box = box;
    if (status == LVL_OK) {
        g->items = calloc(n + 1, sizeof *g->items);
        g->storage = calloc(n + 1, sizeof *g->storage);
        status = g->items && g->storage ? LVL_OK : LVL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n && status == LVL_OK && !cli_stopped(); i++) {
        const lvl_entry *e = lvl_container_at(box, i);
        if (is_hidden(e->path))
            continue;
        char *full = cli_format("%s/%s", dir, e->path);
        const char *target = c->copy ? c->copy : c->opt.output;
        const bool self = full && target && lvl_file_same(full, target);
        if (!full)
            status = LVL_ERR_MEMORY;
        if (!self && full) {
            lvl_pack_item *item = &g->items[g->count];
            item->path = e->path;
            item->is_dir = e->is_dir;
            if (!e->is_dir) {
                status = lvl_container_read(box, e, &item->bytes, &g->storage[g->count], NULL);
                g->files++;
            }
            g->count++;
            total += item->bytes.len;
            if (status == LVL_OK && total > most)
                status = lvl_refuse(ctx, LVL_LIMIT_MEMORY, most, total);
        }
        if (status != LVL_OK) {
            *bad = full;
            full = NULL;
        }
        free(full);
    }
    if (status == LVL_OK && box) /* a pack that lacks something is worse than none */
        status = lvl_container_status(box);
    return status;
}

/* ---- what is asked for beside ------------------------------------------------------------------------ */

/* --set and --dedupe; findings list what was done, or why it failed. */
static lvl_status see_to(const cli *c, lvl_doc *doc, lvl_findings *findings, size_t *done)
{
    lvl_container *box = NULL;
    lvl_status status = LVL_OK;
    size_t changed = 0;

    *done = 0;
    if (c->opt.sets.count)
        status = lvl_set(doc, c->opt.sets.items, c->opt.sets.count, &changed, findings);
    *done += changed;
    if (status != LVL_OK || !c->opt.dedupe)
        return status;
    status = lvl_container_open(doc, &box);
    if (status == LVL_OK)
        status = lvl_container_dedupe(box, findings);
    lvl_container_close(box);
    *done += lvl_findings_count(findings);
    return status;
}

/* ---- a new archive ----------------------------------------------------------------------------------- */

/* An archive that has a title and was given none is called like its file. */
static lvl_status give_title(const cli *c, lvl_doc *doc)
{
    const lvl_field *title = lvl_table_find(lvl_doc_format(doc)->table, lvl_text_of("title"));
    const char *base = lvl_file_name(c->opt.output);

    if (!title || title->kind != LVL_TEXT || (title->flags & LVL_F_SLOT) ||
        lvl_get_text(lvl_doc_root(doc), title).len)
        return LVL_OK;
    const lvl_text name = {base, (size_t)(cli_ending(base) - base)};
    return lvl_put_text(doc, lvl_doc_root(doc), title, name);
}

/* A folder as a new archive, saved. */
static void save_new(cli_job *job, const lvl_format *format, const gathered *g)
{
    cli *c = job->c;
    lvl_buffer bytes = {0};
    lvl_doc *doc = NULL;
    size_t done;

    lvl_status status = lvl_container_pack(&doc, &job->ctx, format, g->items, g->count);
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     "a name is too long for the format, or two files would get the same name");
        return;
    }
    if (status == LVL_ERR_UNSUPPORTED) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     "cannot make %s from a folder; to put files into an existing one, use `lvl pack %s FILE "
                     "-o %s'",
                     format->title, job->input->shown, c->opt.output);
        return;
    }
    if (status == LVL_OK)
        status = give_title(c, doc);
    if (status == LVL_OK) {
        status = see_to(c, doc, job->findings, &done);
        if (status != LVL_OK || !c->opt.quiet)
            cli_job_findings(job, job->findings, LVL_NOTE);
        if (status == LVL_ERR_ARG)
            job->code = EXIT_NEGATIVE; /* which the findings explain */
    }
    if (status == LVL_OK)
        status = lvl_doc_write(doc, &bytes);
    if (!job->code)
        cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK && cli_stopped())
        job->code = EXIT_ENVIRONMENT;
    else if (status == LVL_OK)
        cli_save_to(job, c->opt.output, lvl_buffer_bytes(&bytes));
    lvl_buffer_free(&bytes);
    lvl_doc_free(doc);
}

static void pack_new(cli_job *job)
{
    cli *c = job->c;
    const char *dir = c->args.items[0];
    gathered g = {0};
    char *bad = NULL;

    const lvl_status status = gather(c, &job->ctx, dir, &g, &bad);
    if (status == LVL_OK)
        save_new(job, c->user, &g);
    else
        cli_job_status(job, status, NULL, bad);
    if (!job->code && c->opt.json) {
        cli_json_begin(&job->out, dir);
        lvl_json_put_string(&job->out, "output", c->opt.output);
        lvl_buffer_printf(&job->out, ",\"files\":%zu}\n", g.files);
    } else if (!job->code && !c->opt.quiet) {
        lvl_buffer_printf(&job->err, "lvl: %zu file%s packed\n", g.files, g.files == 1 ? "" : "s");
    }
    free(bad);
    gathered_free(&g);
}

/* ---- into what is there ------------------------------------------------------------------------------ */

/* What becomes of a container's files. */
typedef struct merge {
    cli_job *job;
    lvl_container *box;
    const char *dir;
    char **places; /* of each file of the folder: the entry that it is for */
    char **sorted; /* the same in order */
    size_t count;
    size_t changed, added, removed;
} merge;

/* "NAME~7", as `extract' calls entry 7 when it isn't the first of its name; NULL: it is none. */
static const lvl_entry *numbered(const lvl_container *box, const char *path)
{
    const char *tilde = strrchr(path, '~');
    uint64_t index;

    if (!tilde || !cli_number(tilde + 1, SIZE_MAX, &index))
        return NULL;
    const lvl_entry *e = lvl_container_at(box, (size_t)index);
    const size_t n = (size_t)(tilde - path);
    return e && !e->unique && !e->is_dir && strlen(e->path) == n && memcmp(e->path, path, n) == 0 ? e : NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Where the folder's file belongs, and whether it differs from what is there; false: the job says why not. */
static bool compare(merge *m, const lvl_pack_item *item, bool *differs)
{
    lvl_buffer storage = {0}, place = {0};
    lvl_bytes was = {NULL, 0};
    const lvl_entry *e = numbered(m->box, item->path);
    const bool twin = e != NULL;

    lvl_status status = LVL_OK;
    if (!twin) {
        status = lvl_container_place(m->box, item->path, item->bytes, &place);
        e = status == LVL_OK ? lvl_container_find(m->box, (const char *)place.data) : NULL;
    } else {
        lvl_buffer_add(&place, item->path, strlen(item->path) + 1);
    }
    char *kept = status == LVL_OK && place.status == LVL_OK ? cli_copy((const char *)place.data) : NULL;
    *differs = true;
    if (status == LVL_OK && !kept)
        status = LVL_ERR_MEMORY;
    if (kept)
        m->places[m->count++] = kept;
    if (status == LVL_OK && e && !e->is_dir) {
        /* a damaged member stays as it is while the file is what could be extracted of it */
        status = lvl_container_read(m->box, e, &was, &storage, NULL);
        if (status == LVL_ERR_FORMAT || status == LVL_ERR_LOSS)
            status = LVL_OK;
        *differs = was.len != item->bytes.len || (was.len && memcmp(was.ptr, item->bytes.ptr, was.len) != 0);
    }
    if (status == LVL_ERR_ARG)
        cli_job_fail(m->job, EXIT_NEGATIVE, "%s/%s: the target has no place for a file of that name (%s)",
                     m->dir, item->path, m->job->format->title);
    else if (status == LVL_OK && *differs && twin)
        cli_job_fail(m->job, EXIT_NEGATIVE, "%s/%s: several members have that name; they cannot be changed",
                     m->dir, item->path);
    else
        cli_job_status(m->job, status, NULL, item->path);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&place);
    return m->job->code == EXIT_FINE;
}

/* Whether `extract' could have written the member. */
static bool was_extracted(const merge *m, const lvl_entry *e)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    const bool named = e->safe && e->unique && !is_hidden(e->path);
    const lvl_status status = named ? lvl_container_read(m->box, e, &bytes, &storage, NULL) : LVL_ERR_MISSING;
    lvl_buffer_free(&storage);
    return status == LVL_OK || status == LVL_ERR_LOSS;
}

/* With --delete: what the folder doesn't have, as paths that are to be freed. What couldn't be extracted
 * stays. */
static char **list_gone(const merge *m, size_t *count)
{
    const size_t n = lvl_container_count(m->box);
    char **gone = calloc(n + 1, sizeof *gone);
    bool ok = gone != NULL;

    *count = 0;
    for (size_t i = 0; i < n && ok && m->job->c->opt.remove; i++) {
        const lvl_entry *e = lvl_container_at(m->box, i);
        if (e->is_dir || bsearch(&e->path, m->sorted, m->count, sizeof *m->sorted, by_text) ||
            !was_extracted(m, e))
            continue;
        gone[*count] = cli_copy(e->path);
        ok = gone[*count] != NULL;
        *count += ok;
    }
    if (ok)
        return gone;
    for (size_t i = 0; gone && i < *count; i++)
        free(gone[i]);
    free(gone);
    return NULL;
}

static bool visit_none(void *user, const lvl_entry *entry)
{
    (void)entry;
    *(bool *)user = false;
    return false;
}

/* Removes the folders above what was removed where nothing is left in them and the disk has no such folder
 * either. */
static lvl_status remove_empty(const merge *m, const char *path)
{
    char *up = cli_copy(path), *slash;
    lvl_status status = up ? LVL_OK : LVL_ERR_MEMORY;

    while (status == LVL_OK && (slash = strrchr(up, '/')) != NULL) {
        *slash = 0;
        const lvl_entry *dir = lvl_container_find(m->box, up);
        char *disk = cli_format("%s/%s", m->dir, up);
        bool empty = dir && dir->is_dir;
        if (empty)
            lvl_container_list(m->box, dir->path, false, visit_none, &empty);
        empty = empty && disk && lvl_file_kind_of(disk) != LVL_FILE_FOLDER;
        status = disk ? LVL_OK : LVL_ERR_MEMORY;
        free(disk);
        if (status != LVL_OK || !empty)
            break;
        status = lvl_container_remove(m->box, up);
    }
    free(up);
    return status == LVL_ERR_UNSUPPORTED ? LVL_OK : status;
}

static void report(const merge *m, const char *what, const char *path)
{
    if (m->job->c->opt.verbose)
        lvl_buffer_printf(&m->job->err, "%s: %s %s\n", m->job->input->shown, what, path);
}

/* Puts the places in order; false: two files of the folder are for one entry, which is reported. */
static bool sort_places(merge *m)
{
    memcpy(m->sorted, m->places, m->count * sizeof *m->sorted);
    qsort(m->sorted, m->count, sizeof *m->sorted, by_text);
    for (size_t i = 1; i < m->count; i++) {
        if (strcmp(m->sorted[i - 1], m->sorted[i]) == 0) {
            cli_job_fail(m->job, EXIT_NEGATIVE, "%s: two files belong to the same member, %s", m->dir,
                         m->sorted[i]);
            return false;
        }
    }
    return true;
}

/* Puts these files of the folder into the job's document; false: the job says why not. */
static bool merge_files(merge *m, const lvl_pack_item *items, size_t count)
{
    bool *differs = calloc(count + 1, sizeof *differs);
    size_t gone_count = 0;
    char **gone = NULL;

    m->places = calloc(count + 1, sizeof *m->places);
    m->sorted = calloc(count + 1, sizeof *m->sorted);
    if (!m->places || !m->sorted || !differs) {
        cli_job_status(m->job, LVL_ERR_MEMORY, NULL, NULL);
        free(m->places);
        free(m->sorted);
        free(differs);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        compare(m, &items[i], &differs[i]); /* all that is wrong is reported */
    if (m->job->code == EXIT_FINE && sort_places(m) && !(gone = list_gone(m, &gone_count)))
        cli_job_status(m->job, LVL_ERR_MEMORY, NULL, NULL);
    for (size_t i = 0; i < count && m->job->code == EXIT_FINE; i++) {
        if (!differs[i])
            continue;
        const bool there = lvl_container_find(m->box, m->places[i]) != NULL;
        const lvl_status status =
            lvl_container_put(m->box, there ? m->places[i] : items[i].path, items[i].bytes, 0);
        cli_job_status(m->job, status, NULL, items[i].path);
        report(m, there ? "changed" : "added", m->places[i]);
        m->changed += there;
        m->added += !there;
    }
    for (size_t i = 0; i < gone_count && m->job->code == EXIT_FINE; i++) {
        lvl_status status = lvl_container_remove(m->box, gone[i]);
        if (status == LVL_ERR_UNSUPPORTED)
            continue; /* the archive isn't one without it */
        if (status == LVL_OK)
            status = remove_empty(m, gone[i]);
        cli_job_status(m->job, status, NULL, gone[i]);
        report(m, "removed", gone[i]);
        m->removed++;
    }
    for (size_t i = 0; i < gone_count; i++)
        free(gone[i]);
    free(gone);
    for (size_t i = 0; i < m->count; i++)
        free(m->places[i]);
    free(m->places);
    free(m->sorted);
    free(differs);
    return m->job->code == EXIT_FINE;
}

/* Puts the files back that are for parts. */
static bool put_parts(cli_job *job, const lvl_part_file *files, size_t count, size_t *changed)
{
    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_parts_put(job->doc, files, count, changed, job->findings);
    if (status == LVL_ERR_ARG) {
        cli_job_status(job, status, job->findings, NULL);
        job->code = EXIT_NEGATIVE; /* a file's fault, not the command line's */
    } else {
        cli_job_status(job, status, NULL, NULL);
    }
    return status == LVL_OK;
}

/* Puts all that was gathered into the job's document. */
static bool put_all(cli_job *job, const char *dir, const gathered *g, merge *m, size_t *parts)
{
    const bool archive = lvl_format_can(job->format) & LVL_CAN_EXTRACT;
    lvl_part_file *files = calloc(g->count + 1, sizeof *files);
    lvl_pack_item *members = calloc(g->count + 1, sizeof *members);
    const char **names = calloc(g->count + 1, sizeof *names);
    bool *means = calloc(g->count + 1, sizeof *means);
    size_t file_count = 0, member_count = 0;
    lvl_status reported = files && members && names && means ? LVL_OK : LVL_ERR_MEMORY;

    for (size_t i = 0; i < g->count && reported == LVL_OK; i++)
        names[i] = g->items[i].path;
    if (reported == LVL_OK && archive)
        reported = lvl_parts_which(job->doc, names, g->count, means);
    bool ok = reported == LVL_OK;
    cli_job_status(job, reported, NULL, NULL);
    for (size_t i = 0; i < g->count && ok; i++) {
        const lvl_pack_item *item = &g->items[i];
        const bool below = strchr(item->path, '/') != NULL;
        if (archive && (item->is_dir || below || !means[i])) {
            if (!item->is_dir)
                members[member_count++] = *item;
        } else if (item->is_dir || below) {
            cli_job_fail(job, EXIT_NEGATIVE,
                         "%s/%s: expected the file directly in the folder, not in a "
                         "subfolder",
                         dir, item->path);
            ok = false;
        } else {
            files[file_count++] = (lvl_part_file){item->path, item->bytes};
        }
    }
    if (ok)
        ok = put_parts(job, files, file_count, parts);
    if (ok && archive) {
        m->job = job;
        m->dir = dir;
        const lvl_status status = lvl_container_open(job->doc, &m->box);
        cli_job_status(job, status, NULL, NULL);
        ok = status == LVL_OK && merge_files(m, members, member_count);
        lvl_container_close(m->box);
        m->box = NULL;
    }
    free(files);
    free(members);
    free((void *)names);
    free(means);
    return ok;
}

static void report_done(cli_job *job, const merge *m, size_t parts, size_t done)
{
    const char *gap = "";
    const struct {
        size_t n;
        const char *one, *many;
    } counts[] = {{parts, "part changed", "parts changed"},
                  {m->changed, "file changed", "files changed"},
                  {m->added, "file added", "files added"},
                  {m->removed, "file removed", "files removed"},
                  {done, "other change", "other changes"}};

    lvl_buffer_printf(&job->err, "%s: ", job->input->shown);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (!counts[i].n)
            continue;
        lvl_buffer_printf(&job->err, "%s%zu %s", gap, counts[i].n,
                          counts[i].n == 1 ? counts[i].one : counts[i].many);
        gap = ", ";
    }
    lvl_buffer_str(&job->err, *gap ? "\n" : "nothing changed\n");
}

static const cli_output output = {.edits = true};

static void into_work(cli_job *job)
{
    const cli *c = job->c;
    const char *top = c->user;
    lvl_buffer bytes = {0};
    gathered g = {0};
    merge m = {0};
    size_t parts = 0, done = 0;
    char *dir = NULL, *bad = NULL;

    if (c->opt.output && !cli_output_ready(job, &output))
        return;
    if (top && !(dir = cli_folder_of(job, top))) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    if (!cli_job_read(job, LVL_CAN_WRITE))
        goto out;
    /* of several levels, those without a folder of parts come out as they are */
    const bool none = !dir || (c->inputs.batch && lvl_file_kind_of(dir) != LVL_FILE_FOLDER);
    lvl_status status = none ? LVL_OK : gather(c, &job->ctx, dir, &g, &bad);
    if (status != LVL_OK) {
        cli_job_status(job, status, NULL, bad ? bad : dir);
        goto out;
    }
    if (!none && !put_all(job, dir, &g, &m, &parts))
        goto out;
    lvl_findings_clear(job->findings);
    status = see_to(c, job->doc, job->findings, &done);
    if (status == LVL_OK && !c->opt.quiet)
        cli_job_findings(job, job->findings, LVL_NOTE);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
        goto out;
    }
    lvl_findings_clear(job->findings);
    status = lvl_doc_write_verified(job->doc, &bytes, job->findings);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
        goto out;
    }
    cli_job_findings(job, job->findings, LVL_WARNING);
    if (!c->opt.quiet && !(none && dir))
        report_done(job, &m, parts, done);
    job->idle = parts + m.changed + m.added + m.removed + done == 0;
    if (!job->idle || !c->opt.in_place)
        cli_deliver(job, lvl_buffer_bytes(&bytes), &output);
out:
    gathered_free(&g);
    lvl_buffer_free(&bytes);
    free(dir);
    free(bad);
}

static int pack_into(cli *c, size_t first)
{
    const cli_batch batch = {.work = into_work,
                             .user = first ? (void *)(uintptr_t)c->args.items[0] : NULL,
                             .done_word = "changed",
                             .idle_word = "unchanged",
                             .output = &output};

    if (!c->opt.output && !c->opt.in_place)
        return cli_usage(c, "no output given; use -o FILE or -i (in place)");
    const int code = cli_take_inputs(c, first, c->args.count - first);
    return code ? code : cli_run(c, &batch);
}

int cmd_pack(cli *c)
{
    const char *o = c->opt.output, *to = c->opt.to;

    if (!c->args.count)
        return cli_usage(c, "no folder given");
    const char *dir = c->args.items[0];
    const bool folder = lvl_file_kind_of(dir) == LVL_FILE_FOLDER;
    for (size_t i = 0; i < c->opt.sets.count; i++) {
        if (!strchr(c->opt.sets.items[i], '='))
            return cli_usage(c, "--set: expected PATH=VALUE, got `%s'", c->opt.sets.items[i]);
    }
    if (!folder && (c->opt.dedupe || c->opt.sets.count))
        return pack_into(c, 0);
    if (!folder) {
        cli_report(c,
                   lvl_file_kind_of(dir) == LVL_FILE_NONE ? "%s: there is no such folder"
                                                          : "%s: expected a folder, found a file",
                   dir);
        return EXIT_ENVIRONMENT;
    }
    if (c->args.count > 1)
        return pack_into(c, 1);
    if (c->opt.in_place)
        return cli_usage(c, "-i needs a file: DIR FILE -i");
    if (c->opt.remove)
        return cli_usage(c, "--delete needs an existing file: DIR FILE --delete");
    if (cli_is_stdout(o))
        return cli_usage(c, "no output given; use -o FILE");
    if (!to && *cli_ending(o))
        to = cli_ending(o) + 1;
    const lvl_format *format = to ? cli_format_named(to, LVL_CAN_EXTRACT | LVL_CAN_WRITE) : NULL;
    if (!format)
        return cli_usage(c, "expected a levelpack or rez as output; use --to FORMAT, or -o with that ending");
    c->user = (void *)(uintptr_t)format;
    const int code = cli_may_create(c, o);
    return code ? code : cli_job_whole(c, dir, pack_new);
}
