/*
 * cli/verbs/cmd_pack.c: `lvl pack`: makes an archive of a folder, and puts the files of a folder back into
 * the files that they were extracted from: members of archives, attachments of drawings, and parts (scripts,
 * signs).
 */
#include "cli/cli.h"
#include "tools/archive.h"
#include "tools/edit/parts.h"

#include "base/info.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- the folder -------------------------------------------------------------------------------------- */

/* Everything below a folder that is not hidden. */
typedef struct folder {
    lvl_container *container;
    lvl_pack_item *items;
    lvl_buffer *storage; /* of each item */
    size_t count, files;
} folder;

static bool is_hidden(const char *path)
{
    return path[0] == '.' || strstr(path, "/.") != NULL;
}

static void folder_free(folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        lvl_buffer_free(&f->storage[i]);
    free(f->items);
    free(f->storage);
    lvl_container_close(f->container);
}

#define UNREADABLE "nothing was packed or deleted, since this cannot be read: "

/* Reads everything below `dir` except the output file. False: the job has failed. */
static bool folder_read(cli_job *job, const char *dir, folder *f)
{
    const char *output = job->c->opt->output;
    const uint64_t most = job->ctx.limits.memory_bytes;
    lvl_container *container = NULL;
    uint64_t total = 0;
    char *path = NULL;
    bool unread = false; /* the file at `path` */

    lvl_status status = lvl_container_load(&container, &job->ctx, dir, NULL);
    const size_t n = status == LVL_OK ? lvl_container_count(container) : 0;
    f->container = container;
    f->items = calloc(n + 1, sizeof *f->items);
    f->storage = calloc(n + 1, sizeof *f->storage);
    if (!f->items || !f->storage)
        status = LVL_ERR_MEMORY;
    for (size_t i = 0; i < n && status == LVL_OK && !cli_stopped(); i++) {
        const lvl_entry *e = lvl_container_at(container, i);
        if (is_hidden(e->path))
            continue;
        free(path);
        path = cli_format("%s/%s", dir, e->path);
        status = path ? LVL_OK : LVL_ERR_MEMORY;
        if (!path || (output && lvl_file_same(path, output)))
            continue;
        lvl_pack_item *item = &f->items[f->count];
        *item = (lvl_pack_item){.path = e->path, .is_dir = e->is_dir};
        if (!e->is_dir)
            status = lvl_container_read(container, e, &item->bytes, &f->storage[f->count], NULL);
        unread = status != LVL_OK;
        f->count++;
        f->files += !e->is_dir;
        total += item->bytes.len;
        if (status == LVL_OK && total > most)
            status = lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, most, total);
    }
    if (status == LVL_OK)
        status = lvl_container_status(container); /* an incomplete list would make an incomplete pack */
    const char *unlisted = container ? lvl_container_unlisted(container) : NULL;
    if (status == LVL_ERR_IO && (unread || unlisted))
        cli_job_fail(job, EXIT_ENVIRONMENT, UNREADABLE "%s%s%s", unread ? path : dir,
                     unread || !*unlisted ? "" : "/", unread ? "" : unlisted);
    else
        cli_job_status(job, status, NULL, path ? path : dir);
    free(path);
    return status == LVL_OK;
}

/* ---- --set and --dedupe ------------------------------------------------------------------------------ */

/* Applies --set and --dedupe. The findings list the changes, or the reason of an error. */
static lvl_status apply_options(const cli *c, lvl_doc *doc, lvl_findings *findings, size_t *changed)
{
    lvl_container *container = NULL;
    lvl_status status = LVL_OK;

    *changed = 0;
    if (c->opt->sets.count)
        status = lvl_set(doc, c->opt->sets.items, c->opt->sets.count, changed, findings);
    if (status != LVL_OK || !c->opt->dedupe)
        return status;
    status = lvl_container_open(&container, doc);
    if (status == LVL_OK)
        status = lvl_container_dedupe(container, findings);
    lvl_container_close(container);
    *changed += lvl_findings_count(findings);
    return status;
}

/* ---- a new archive ----------------------------------------------------------------------------------- */

/* An archive without a title is called like its file, if its format has titles. */
static lvl_status set_title(const cli *c, lvl_doc *doc)
{
    const lvl_table *table = lvl_doc_format(doc)->table;
    const char *base = lvl_file_name(c->opt->output);
    const lvl_field *title = NULL;

    for (uint32_t i = 0; i < table->field_count && !title; i++)
        title = table->fields[i].use == LVL_USE_TITLE ? &table->fields[i] : NULL;
    if (!title || title->kind != LVL_TEXT || (title->flags & LVL_F_SLOT) ||
        lvl_get_text(lvl_doc_root(doc), title).len)
        return LVL_OK;
    const lvl_text name = {base, (size_t)(cli_ending(base) - base)};
    return lvl_put_text(doc, lvl_doc_root(doc), title, name);
}

/* Saves the new archive, unless an option fails. */
static void finish_new(cli_job *job, lvl_doc *doc)
{
    const cli *c = job->c;
    lvl_buffer bytes = {0};
    size_t changed;

    lvl_status status = set_title(c, doc);
    if (status == LVL_OK) {
        status = apply_options(c, doc, job->findings, &changed);
        if (status != LVL_OK || !c->opt->quiet)
            cli_job_findings(job, job->findings, LVL_NOTE);
    }
    if (status == LVL_OK)
        status = lvl_write(doc, &bytes, job->findings);
    if (status == LVL_ERR_ARG)
        job->code = EXIT_NEGATIVE; /* of --set; the findings are the reason */
    else
        cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK && cli_stopped())
        job->code = EXIT_ENVIRONMENT;
    else if (status == LVL_OK)
        cli_deliver_whole(job, lvl_buffer_bytes(&bytes));
    lvl_buffer_free(&bytes);
}

static int by_place(const void *a, const void *b)
{
    const lvl_pack_item *x = *(const lvl_pack_item *const *)a, *y = *(const lvl_pack_item *const *)b;

    return lvl_path_compare(x->path, y->path);
}

/* Reports which files the format cannot hold: two that it would call the same, or a name. */
static void report_names(cli_job *job, const folder *f)
{
    const lvl_pack_item **sorted = calloc(f->count + 1, sizeof *sorted);
    const char *title = ((const lvl_format *)job->c->user)->title;
    bool found = false;

    for (size_t i = 0; sorted && i < f->count; i++)
        sorted[i] = &f->items[i];
    if (sorted)
        qsort(sorted, f->count, sizeof *sorted, by_place);
    for (size_t i = 1; sorted && i < f->count && !found; i++) {
        found = lvl_path_compare(sorted[i - 1]->path, sorted[i]->path) == 0;
        if (found)
            cli_job_fail(job, EXIT_NEGATIVE,
                         "%s and %s would be one member: a %s does not tell capital letters from small ones",
                         sorted[i - 1]->path, sorted[i]->path, title);
    }
    for (size_t i = 0; i < f->count && !found; i++) {
        lvl_doc *doc = NULL;
        found = lvl_container_pack(&doc, &job->ctx, job->c->user, &f->items[i], 1) == LVL_ERR_ARG;
        lvl_doc_free(doc);
        if (found)
            cli_job_fail(job, EXIT_NEGATIVE,
                         "%s: a %s cannot hold this name: it is too long, or has "
                         "characters that no member may have",
                         f->items[i].path, title);
    }
    if (!found)
        cli_job_fail(job, EXIT_NEGATIVE, "two files would have one name in a %s", title);
    free(sorted);
}

static void save_new(cli_job *job, const folder *f)
{
    const lvl_format *format = job->c->user;
    lvl_doc *doc = NULL;

    const lvl_status status = lvl_container_pack(&doc, &job->ctx, format, f->items, f->count);
    if (status == LVL_OK)
        finish_new(job, doc);
    else if (status == LVL_ERR_ARG)
        report_names(job, f);
    else if (status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "cannot make %s from a folder; to put files into an existing one, use `lvl pack %s FILE "
                     "-o %s'",
                     format->title, job->input->shown, job->c->opt->output);
    else
        cli_job_status(job, status, NULL, NULL);
    lvl_doc_free(doc);
}

static void pack_new(cli_job *job)
{
    const cli *c = job->c;
    const char *dir = c->args.items[0];
    folder f = {0};

    if (folder_read(job, dir, &f))
        save_new(job, &f);
    if (!job->code && c->opt->json && !c->opt->dry_run) {
        cli_json_begin(&job->out, dir);
        lvl_json_put_string(&job->out, "output", c->opt->output);
        lvl_json_put_uint(&job->out, "files", f.files);
        lvl_buffer_str(&job->out, "}\n");
    } else if (!job->code && !c->opt->quiet && !c->opt->json) {
        lvl_buffer_printf(&job->err, "lvl: %zu file%s %s\n", f.files, f.files == 1 ? "" : "s",
                          c->opt->dry_run ? "would be packed" : "packed");
    }
    folder_free(&f);
}

/* ---- into an existing archive ------------------------------------------------------------------------ */

/* The update of a container from the files of a folder. */
typedef struct update {
    cli_job *job;
    lvl_container *container;
    const char *dir;
    const lvl_pack_item *items;
    size_t count;
    char **places; /* of each item: the path of its member */
    char **sorted; /* the same, in order */
    bool *differs; /* of each item: whether it differs from the member */
    size_t changed, added, removed;
} update;

/* The member that `extract` calls "NAME~7", since it is member 7 and not the first with that name; or NULL.
 */
static const lvl_entry *find_numbered(const lvl_container *container, const char *path)
{
    const char *tilde = strrchr(path, '~');
    uint64_t index;

    if (!tilde || !cli_number(tilde + 1, SIZE_MAX, &index))
        return NULL;
    const lvl_entry *e = lvl_container_at(container, (size_t)index);
    const size_t n = (size_t)(tilde - path);
    return e && !e->unique && !e->is_dir && strlen(e->path) == n && memcmp(e->path, path, n) == 0 ? e : NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Finds the member for item `i` and compares their content; reports an item without a place. */
static void compare(update *u, size_t i)
{
    const lvl_pack_item *item = &u->items[i];
    const lvl_entry *e = find_numbered(u->container, item->path);
    const bool numbered = e != NULL;
    lvl_buffer storage = {0}, place = {0};
    lvl_bytes was = {NULL, 0};
    lvl_status status = LVL_OK;

    if (numbered)
        lvl_buffer_add(&place, item->path, strlen(item->path) + 1);
    else
        status = lvl_container_place(u->container, item->path, item->bytes, &place);
    if (status == LVL_OK)
        status = place.status;
    if (status == LVL_OK && !(u->places[i] = cli_copy((const char *)place.data)))
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && !numbered)
        e = lvl_container_find(u->container, u->places[i]);
    u->differs[i] = true;
    if (status == LVL_OK && e && !e->is_dir) {
        /* a damaged member is unchanged if the file is the part that could be extracted */
        status = lvl_container_read(u->container, e, &was, &storage, NULL);
        if (status == LVL_ERR_FORMAT || status == LVL_ERR_LOSS)
            status = LVL_OK;
        u->differs[i] = !cli_same_bytes(was, item->bytes);
    }
    if (status == LVL_ERR_ARG)
        cli_job_fail(u->job, EXIT_NEGATIVE, "%s/%s: the target has no place for a file of that name (%s)",
                     u->dir, item->path, u->job->format->title);
    else if (status == LVL_OK && u->differs[i] && numbered)
        cli_job_fail(u->job, EXIT_NEGATIVE, "%s/%s: several members have that name; they cannot be changed",
                     u->dir, item->path);
    else
        cli_job_status(u->job, status, NULL, item->path);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&place);
}

/* Whether `extract' can write the member. */
static bool is_extractable(const update *u, const lvl_entry *e)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    const bool named = e->safe && e->unique && !is_hidden(e->path);
    const lvl_status status =
        named ? lvl_container_read(u->container, e, &bytes, &storage, NULL) : LVL_ERR_MISSING;
    lvl_buffer_free(&storage);
    return status == LVL_OK || status == LVL_ERR_LOSS;
}

static bool visit_none(void *user, const lvl_entry *entry)
{
    (void)entry;
    *(bool *)user = false;
    return false;
}

/* Whether the folder at `path` has become empty and is not on disk. */
static bool is_left_over(const update *u, const char *path, lvl_status *status)
{
    const lvl_entry *dir = lvl_container_find(u->container, path);
    char *disk = cli_format("%s/%s", u->dir, path);
    bool empty = dir && dir->is_dir;

    if (empty)
        lvl_container_list(u->container, dir->path, false, visit_none, &empty);
    empty = empty && disk && lvl_file_kind_of(disk) != LVL_FILE_FOLDER;
    if (!disk)
        *status = LVL_ERR_MEMORY;
    free(disk);
    return empty;
}

/* Removes the folders of removed members that are empty now and not on disk, then those above them. The paths
 * are cut to folders. */
static lvl_status remove_empty(const update *u, char **paths, size_t count)
{
    lvl_status status = LVL_OK;

    while (count && status == LVL_OK) {
        size_t kept = 0;
        for (size_t i = 0; i < count && status == LVL_OK; i++) {
            char *slash = strrchr(paths[i], '/');
            if (slash)
                *slash = 0;
            /* members of one folder follow each other */
            const bool known = kept && strcmp(paths[kept - 1], paths[i]) == 0;
            if (!slash || known || !is_left_over(u, paths[i], &status))
                continue;
            char *path = paths[kept];
            paths[kept++] = paths[i];
            paths[i] = path;
        }
        count = kept;
        if (count && status == LVL_OK)
            status = lvl_container_remove_all(u->container, (const char *const *)paths, count, NULL);
    }
    return status == LVL_ERR_UNSUPPORTED ? LVL_OK : status;
}

static void report(const update *u, const char *what, const char *path)
{
    if (u->job->c->opt->verbose)
        lvl_buffer_printf(&u->job->err, "%s: %s %s\n", u->job->input->shown, what, path);
}

/* --delete: the members that `extract' can write and that the folder does not have, as copies of their
 * paths. */
static char **list_missing(update *u, size_t *count)
{
    const size_t n = lvl_container_count(u->container);
    char **missing = calloc(n + 1, sizeof *missing);
    bool ok = missing != NULL;

    for (size_t i = 0; i < n && ok && u->job->c->opt->remove; i++) {
        const lvl_entry *e = lvl_container_at(u->container, i);
        if (e->is_dir || bsearch(&e->path, u->sorted, u->count, sizeof *u->sorted, by_text) ||
            !is_extractable(u, e))
            continue;
        missing[*count] = cli_format("%s/%s", u->dir, e->path);
        ok = missing[*count] != NULL;
        if (ok && lvl_file_is_link(missing[*count]) && !u->job->code) /* it leads nowhere */
            cli_job_fail(u->job, EXIT_ENVIRONMENT, UNREADABLE "%s", missing[*count]);
        if (ok)
            memmove(missing[*count], missing[*count] + strlen(u->dir) + 1, strlen(e->path) + 1);
        *count += ok;
    }
    if (!ok)
        cli_job_status(u->job, LVL_ERR_MEMORY, NULL, NULL);
    return missing;
}

/* Removes these members, and frees their paths. */
static void remove_missing(update *u, char **missing, size_t count)
{
    size_t left = u->job->code ? 0 : count, failed = 0;
    lvl_status status = LVL_OK;

    while (left) {
        status = lvl_container_remove_all(u->container, (const char *const *)missing, left, &failed);
        if (status != LVL_ERR_UNSUPPORTED)
            break;
        /* the format requires the member: the others are removed */
        size_t others = 0;
        char *required = missing[failed];
        for (size_t i = 0; i < left; i++) {
            char *path = missing[i];
            if (path == required || strcmp(path, required) == 0)
                continue;
            missing[i] = missing[others];
            missing[others++] = path;
        }
        left = others;
    }
    if (left && status != LVL_OK)
        cli_job_status(u->job, status, NULL, missing[failed]);
    for (size_t i = 0; i < left && status == LVL_OK; i++) {
        report(u, "removed", missing[i]);
        u->removed++;
    }
    if (left && status == LVL_OK)
        cli_job_status(u->job, remove_empty(u, missing, left), NULL, NULL);
    for (size_t i = 0; i < count; i++)
        free(missing[i]);
    free(missing);
}

/* Sorts the places; reports two files that belong to the same member. */
static void sort_places(update *u)
{
    memcpy(u->sorted, u->places, u->count * sizeof *u->sorted);
    qsort(u->sorted, u->count, sizeof *u->sorted, by_text);
    for (size_t i = 1; i < u->count && !u->job->code; i++) {
        if (strcmp(u->sorted[i - 1], u->sorted[i]) == 0)
            cli_job_fail(u->job, EXIT_NEGATIVE, "%s: two files belong to the same member, %s", u->dir,
                         u->sorted[i]);
    }
}

/* Puts the files that differ into the container, and reports them. */
static void put_different(update *u)
{
    lvl_pack_item *items = calloc(u->count + 1, sizeof *items);
    bool *exists = calloc(u->count + 1, sizeof *exists);
    size_t count = 0, done = 0;

    for (size_t i = 0; i < u->count && items && exists; i++) {
        if (!u->differs[i])
            continue;
        exists[count] = lvl_container_find(u->container, u->places[i]) != NULL;
        items[count].path = exists[count] ? u->places[i] : u->items[i].path;
        items[count++].bytes = u->items[i].bytes;
    }
    const lvl_status status =
        items && exists ? lvl_container_put_all(u->container, items, count, &done) : LVL_ERR_MEMORY;
    if (status == LVL_ERR_ARG && done < count)
        cli_job_fail(u->job, EXIT_NEGATIVE,
                     "%s/%s: the target has no place for a file of that name: a file has the name of one of "
                     "its folders, or a folder its name (%s)",
                     u->dir, items[done].path, u->job->format->title);
    else
        cli_job_status(u->job, status, NULL, done < count && items ? items[done].path : NULL);
    for (size_t i = 0, k = 0; i < u->count && k < done; i++) {
        if (!u->differs[i])
            continue;
        report(u, exists[k] ? "changed" : "added", u->places[i]);
        u->changed += exists[k];
        u->added += !exists[k];
        k++;
    }
    free(items);
    free(exists);
}

/* Compares all files, and if none has an error, changes, adds and removes members. */
static void apply(update *u)
{
    cli_job *job = u->job;
    size_t missing_count = 0;

    for (size_t i = 0; i < u->count; i++)
        compare(u, i);
    if (!job->code)
        sort_places(u);
    char **missing = job->code ? NULL : list_missing(u, &missing_count);
    if (!job->code)
        put_different(u);
    remove_missing(u, missing, missing_count);
}

/* Updates the container; job->code is set after an error. */
static void update_members(update *u)
{
    u->places = calloc(u->count + 1, sizeof *u->places);
    u->sorted = calloc(u->count + 1, sizeof *u->sorted);
    u->differs = calloc(u->count + 1, sizeof *u->differs);
    if (u->places && u->sorted && u->differs)
        apply(u);
    else
        cli_job_status(u->job, LVL_ERR_MEMORY, NULL, NULL);
    for (size_t i = 0; u->places && i < u->count; i++)
        free(u->places[i]);
    free(u->places);
    free(u->sorted);
    free(u->differs);
}

/* Puts files back into the parts of the document. False: failed. */
static bool put_parts(cli_job *job, const lvl_part_file *files, size_t count, size_t *changed)
{
    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_parts_put(job->doc, files, count, changed, job->findings);
    cli_job_status(job, status, status == LVL_ERR_ARG ? job->findings : NULL, NULL);
    if (status == LVL_ERR_ARG)
        job->code = EXIT_NEGATIVE; /* an error in a file, not in the command line */
    return status == LVL_OK;
}

/* Puts the files of the folder into the job's document: into parts, or members of the archive. */
static void put_files(cli_job *job, const folder *f, update *u, size_t *parts)
{
    const bool archive = lvl_format_can(job->format) & LVL_CAN_EXTRACT;
    lvl_part_file *files = calloc(f->count + 1, sizeof *files);
    lvl_pack_item *members = calloc(f->count + 1, sizeof *members);
    const char **names = calloc(f->count + 1, sizeof *names);
    bool *is_part = calloc(f->count + 1, sizeof *is_part);
    size_t file_count = 0;
    lvl_status status = files && members && names && is_part ? LVL_OK : LVL_ERR_MEMORY;

    for (size_t i = 0; i < f->count && status == LVL_OK; i++)
        names[i] = f->items[i].path;
    if (status == LVL_OK && archive)
        status = lvl_parts_which(job->doc, names, f->count, is_part);
    cli_job_status(job, status, NULL, NULL);
    for (size_t i = 0; i < f->count && status == LVL_OK && !job->code; i++) {
        const lvl_pack_item *item = &f->items[i];
        const bool top = !item->is_dir && !strchr(item->path, '/');
        if (top && (!archive || is_part[i]))
            files[file_count++] = (lvl_part_file){item->path, item->bytes};
        else if (archive && !item->is_dir)
            members[u->count++] = *item;
        else if (!archive)
            cli_job_fail(job, EXIT_NEGATIVE,
                         "%s/%s: expected the file directly in the folder, not in a subfolder", u->dir,
                         item->path);
    }
    if (status == LVL_OK && !job->code && put_parts(job, files, file_count, parts) && archive) {
        u->items = members;
        status = lvl_container_open(&u->container, job->doc);
        cli_job_status(job, status, NULL, NULL);
        if (status == LVL_OK)
            update_members(u);
        lvl_container_close(u->container);
    }
    free(files);
    free(members);
    free((void *)names);
    free(is_part);
}

static void report_changes(cli_job *job, const update *u, size_t parts, size_t others)
{
    const char *gap = "";
    const struct {
        size_t n;
        const char *one, *many;
    } counts[] = {{parts, "part changed", "parts changed"},
                  {u->changed, "file changed", "files changed"},
                  {u->added, "file added", "files added"},
                  {u->removed, "file removed", "files removed"},
                  {others, "other change", "other changes"}};

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

/* Updates the job's document from `dir` (NULL: only by options), and delivers it. */
static void update_document(cli_job *job, const char *dir)
{
    const cli *c = job->c;
    lvl_buffer bytes = {0};
    folder f = {0};
    update u = {.job = job, .dir = dir};
    size_t parts = 0, others = 0;

    /* of several levels, those without a folder are copied as they are */
    const bool no_folder = dir && c->inputs.batch && lvl_file_kind_of(dir) != LVL_FILE_FOLDER;
    if (dir && !no_folder && folder_read(job, dir, &f))
        put_files(job, &f, &u, &parts);
    if (job->code) {
        folder_free(&f);
        return;
    }
    lvl_findings_clear(job->findings);
    lvl_status status = apply_options(c, job->doc, job->findings, &others);
    if (status == LVL_OK) {
        if (!c->opt->quiet)
            cli_job_findings(job, job->findings, LVL_NOTE);
        lvl_findings_clear(job->findings);
        status = lvl_write(job->doc, &bytes, job->findings);
    }
    if (status == LVL_OK) {
        cli_job_findings(job, job->findings, LVL_WARNING);
        if (cli_same_bytes(lvl_buffer_bytes(&bytes), job->bytes))
            others = 0;
        job->idle = parts + u.changed + u.added + u.removed + others == 0;
        const bool kept = cli_edit_keeps_damage(job, lvl_buffer_bytes(&bytes));
        if (kept && !c->opt->quiet && !no_folder)
            report_changes(job, &u, parts, others);
        if (kept && (!job->idle || !cli_changes_inputs(c)))
            cli_deliver(job, lvl_buffer_bytes(&bytes), &output);
    } else {
        cli_job_status(job, status, job->findings, NULL);
    }
    lvl_buffer_free(&bytes);
    folder_free(&f); /* the document has borrowed its files */
}

static void pack_into_work(cli_job *job)
{
    const char *top = job->c->user;

    char *dir = top ? cli_folder_of(job, top) : NULL;
    if (top && !dir) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    } else if (cli_job_read(job, LVL_CAN_WRITE)) {
        const int code = job->code; /* an error if the document is a damaged member */
        job->code = EXIT_FINE;
        update_document(job, dir);
        job->code = cli_max_exit_code(job->code, code);
    }
    free(dir);
}

/* Updates the files that the arguments from `first` on name, from the folder before them if there is one. */
static int pack_into(cli *c, size_t first)
{
    const cli_batch batch = {.work = pack_into_work,
                             .user = first ? (void *)(uintptr_t)c->args.items[0] : NULL,
                             .done_word = "changed",
                             .idle_word = "unchanged",
                             .output = &output};

    if (!c->opt->output && !c->opt->in_place)
        return cli_usage(c, "no output given; use -o FILE or -i (in place)");
    const int code = cli_take_inputs(c, first, c->args.count - first);
    return code ? code : cli_run(c, &batch);
}

int cmd_pack(cli *c)
{
    const char *o = c->opt->output, *to = c->opt->to;

    if (!c->args.count)
        return cli_usage(c, "no folder given");
    const char *dir = c->args.items[0];
    const lvl_file_kind kind = lvl_file_kind_of(dir);
    for (size_t i = 0; i < c->opt->sets.count; i++) {
        if (!strchr(c->opt->sets.items[i], '='))
            return cli_usage(c, "--set: expected PATH=VALUE, got `%s'", c->opt->sets.items[i]);
    }
    if (kind != LVL_FILE_FOLDER && (c->opt->dedupe || c->opt->sets.count))
        return pack_into(c, 0);
    if (kind != LVL_FILE_FOLDER) {
        cli_report(
            c, kind == LVL_FILE_NONE ? "%s: there is no such folder" : "%s: expected a folder, found a file",
            dir);
        return EXIT_ENVIRONMENT;
    }
    if (c->args.count > 1)
        return pack_into(c, 1);
    if (c->opt->in_place)
        return cli_usage(c, "-i needs a file: DIR FILE -i");
    if (c->opt->remove)
        return cli_usage(c, "--delete needs an existing file: DIR FILE --delete");
    if (cli_is_stdout(o))
        return cli_usage(c, "no output given; use -o FILE");
    if (!to && *cli_ending(o))
        to = cli_ending(o) + 1;
    const lvl_format *format = to ? cli_format_named(to, LVL_CAN_EXTRACT | LVL_CAN_WRITE) : NULL;
    if (!format)
        return cli_usage(c, "expected a levelpack or rez as output; use --to FORMAT, or -o with that ending");
    c->user = (void *)(uintptr_t)format;
    const int code = cli_plan_whole(c);
    return code ? code : cli_job_whole(c, dir, pack_new);
}
