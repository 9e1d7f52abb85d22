/*
 * cli/output.c: where output goes: a file, a folder, standard output, an archive.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool cli_names_a_file(const char *name)
{
    static const char *const others[] = {".png", ".apng", ".json", ".dot"};

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
    return other ? cli_usage(c, "%s %s: pictures are PNG, or APNG", option, name) : EXIT_FINE;
}

bool cli_is_stdout(const char *name)
{
    return !name || strcmp(name, "-") == 0;
}

int cli_output_is_file(cli *c)
{
    const char *o = c->opt.output;

    return o && lvl_file_kind_of(o) == LVL_FILE_FOLDER
               ? cli_usage(c, "-o %s: expected the name of a file, found a folder", o)
               : EXIT_FINE;
}

int cli_may_create(cli *c, const char *path)
{
    if (c->opt.yes || lvl_file_kind_of(path) != LVL_FILE_REGULAR)
        return EXIT_FINE;
    cli_report(c, "%s already exists; -y replaces it", path);
    return EXIT_ENVIRONMENT;
}

int cli_output_check(cli *c, const cli_output *kind)
{
    const char *o = c->opt.output;

    if (c->opt.in_place && o)
        return cli_usage(c, "-i and -o exclude each other");
    if (kind->must && c->opt.dry_run) /* the changes are shown, whatever -o names */
        return EXIT_FINE;
    const cli_archive *archive = o && kind->edits ? cli_inputs_archive_named(&c->inputs, o) : NULL;
    /* members of an archive of another program, and an output that looks like one */
    if (o && !cli_is_stdout(o) && lvl_archive_named(o) && lvl_file_kind_of(o) != LVL_FILE_FOLDER &&
        (archive ? cli_archive_is_foreign(archive) : c->inputs.batch))
        return cli_usage(
            c,
            "-o %s: lvl writes no archives of other programs; name a folder with -o DIR, and pack it "
            "with the program that made the archive",
            o);
    if (archive) {
        const int code = cli_may_create(c, o);
        if (code)
            return code;
        c->copy = o;
        c->copied = archive;
        c->opt.output = NULL;
        c->opt.in_place = true;
        return EXIT_FINE;
    }
    c->out_is_dir = !cli_is_stdout(o) && (c->inputs.batch || lvl_file_kind_of(o) == LVL_FILE_FOLDER ||
                                          (*o && o[strlen(o) - 1] == '/'));
    if (c->opt.in_place)
        return EXIT_FINE;
    if (kind->must && !o)
        return cli_usage(c, "no output given; use -o FILE, -i (in place) or -n (only show the changes)");
    if (cli_is_stdout(o) && !kind->text) {
        if (c->inputs.batch)
            return cli_usage(c, "multiple inputs require -o DIR");
        if (!o && cli_is_terminal(stdout))
            return cli_usage(c, "refusing to write binary data to a terminal; use -o FILE");
    }
    if (c->out_is_dir && c->inputs.batch && lvl_file_kind_of(o) == LVL_FILE_REGULAR)
        return cli_usage(c, "multiple inputs require a folder, but %s is a file", o);
    if (c->out_is_dir && c->inputs.batch && lvl_file_kind_of(o) == LVL_FILE_NONE && cli_names_a_file(o))
        return cli_usage(
            c, "multiple inputs require a folder, but %s looks like a file; for a folder, write %s/", o, o);
    return kind->picture && o && !c->out_is_dir ? cli_picture_check(c, kind->picture, o) : EXIT_FINE;
}

bool cli_is_named_as(const char *name, const lvl_format *format)
{
    const char *ending = cli_ending(name);

    for (const lvl_form *form = format->forms; *ending && form && form->name; form++) {
        if (strcmp(ending + 1, form->extension) == 0)
            return true;
    }
    return cli_has_ending(name, format);
}

/* Whether the output may be called `path`: it must not replace the input, nor be named like the archive of
 * the member that it is made of. */
static bool fits_name(cli_job *job, const cli_output *kind, const char *path)
{
    const cli_input *in = job->input;

    if (kind->edits)
        return true; /* cli_output_check takes an archive's name as that of a copy */
    if (in->path && lvl_file_same(path, in->path)) {
        cli_job_fail(job, EXIT_USAGE, "%s is the input itself: give another file with -o", path);
        return false;
    }
    const char *ending = cli_ending(path);
    const bool own = (kind->ext && *ending && strcmp(ending + 1, kind->ext) == 0) ||
                     (kind->undumped && cli_is_named_as(path, kind->undumped));
    if (own || !cli_input_archive_named(in, path))
        return true;
    cli_job_fail(job, EXIT_USAGE,
                 "%s has the ending of the archive, but `lvl %s' writes a single member; give it another "
                 "ending",
                 path, job->c->verb->name);
    return false;
}

char *cli_target_path(cli_job *job, const cli_output *kind, bool *failed)
{
    const cli *c = job->c;
    const char *o = c->opt.output;
    const cli_input *in = job->input;
    char *path;

    *failed = true;
    if (c->opt.in_place) {
        if (!in->path) {
            cli_job_fail(job, EXIT_USAGE, "standard input cannot be changed in place; use -o FILE");
            return NULL;
        }
        path = cli_copy(in->path);
    } else if (cli_is_stdout(o)) {
        *failed = false;
        return NULL;
    } else if (!c->out_is_dir) {
        if (!fits_name(job, kind, o))
            return NULL;
        path = cli_copy(o);
    } else {
        bool add = kind->add || in->name_taken;
        const char *gap = o[strlen(o) - 1] == '/' ? "" : "/";
        if (in->archive && !in->entry->safe && strcmp(in->rel, "..") == 0) {
            cli_job_fail(job, EXIT_NEGATIVE,
                         "its name is not a valid file name; use -o FILE to give another");
            return NULL;
        }
        char ending[16];
        size_t stem = (size_t)(cli_ending(in->rel) - in->rel);
        if (kind->undumped) {
            stem = strcmp(in->rel + stem, ".json") == 0 ? stem : strlen(in->rel);
            char *name = cli_format("%.*s", (int)stem, in->rel);
            bool has = name && cli_is_named_as(name, kind->undumped);
            path = name ? cli_format("%s%s%s%s%s", o, gap, name, has ? "" : ".",
                                     has ? "" : cli_first_ending(kind->undumped, ending))
                        : NULL;
            free(name);
        } else if (kind->ext && !(kind->keeps && cli_has_ending(in->rel, kind->keeps)))
            path = cli_format("%s%s%.*s.%s", o, gap, (int)(add ? strlen(in->rel) : stem), in->rel, kind->ext);
        else
            path = cli_format("%s%s%s", o, gap, in->rel);
    }
    if (!path)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    *failed = !path;
    return path;
}

bool cli_stays_below(cli_job *job, size_t root, const char *path)
{
    if (lvl_file_stays_below(path, root))
        return true;
    const bool own = strcmp(path, job->input->name) == 0; /* the message begins with it */
    char *way = cli_copy(path); /* the last link on it is named */
    for (size_t i = way ? strlen(way) : 0; i > root && !lvl_file_is_link(way);) {
        while (i > root && way[i - 1] != '/' && way[i - 1] != '\\')
            i--;
        while (i > root && (way[i - 1] == '/' || way[i - 1] == '\\'))
            i--;
        way[i] = 0;
    }
    if (way)
        cli_job_fail(job, EXIT_NEGATIVE, "%s%snot written: %s is a symbolic link that leads out of %.*s",
                     own ? "" : path, own ? "" : ": ", way, (int)root, path);
    else
        cli_job_status(job, LVL_ERR_MEMORY, NULL, path);
    free(way);
    return false;
}

/* How many bytes of the path of an output file name a folder that the user typed, which the file must not
 * leave; 0: the user typed the whole path. */
static size_t root_of(const cli_job *job, const char *path)
{
    const char *o = job->c->opt.output;
    const size_t len = o ? strlen(o) : 0;

    if (job->c->opt.in_place)
        return job->input->path && strcmp(path, job->input->path) == 0 ? job->input->typed : 0;
    const bool inside =
        len && strncmp(path, o, len) == 0 && path[len] && (path[len] == '/' || o[len - 1] == '/');
    return inside ? len : 0;
}

static void fail_exists(cli_job *job, const char *path)
{
    if (!job->count_existing || job->c->opt.verbose)
        cli_job_fail_at(job, path, " ", "already exists; -y replaces it");
    job->existing++;
}

void cli_report_existing(cli_job *job)
{
    if (job->existing && !job->c->opt.verbose)
        cli_job_fail(job, EXIT_ENVIRONMENT,
                     "%zu file%s already exist%s below %s; -y replaces %s, -v names %s", job->existing,
                     job->existing == 1 ? "" : "s", job->existing == 1 ? "s" : "", job->c->opt.output,
                     job->existing == 1 ? "it" : "them", job->existing == 1 ? "it" : "them");
}

static bool may_write(cli_job *job, const char *path, bool replace)
{
    if (!cli_stays_below(job, root_of(job, path), path))
        return false;
    /* Tiled always saves with -y: nobody was asked */
    if (replace && (!job->c->opt.yes || job->from_map) && lvl_file_is_read_only(path)) {
        cli_job_fail_at(job, path, " ",
                        job->from_map ? "is read-only; allow writing to it, or save under another name"
                                      : "is read-only; -y replaces it");
        return false;
    }
    if (replace || lvl_file_kind_of(path) != LVL_FILE_REGULAR)
        return true;
    fail_exists(job, path);
    return false;
}

static bool may_replace(const cli_job *job)
{
    return job->c->opt.yes || job->c->opt.in_place;
}

static unsigned save_flags(const cli_job *job, bool replace)
{
    return (replace ? (unsigned)LVL_SAVE_REPLACE : 0) | (job->c->together ? (unsigned)LVL_SAVE_TOGETHER : 0);
}

bool cli_output_ready(cli_job *job, const cli_output *kind)
{
    bool failed;
    char *path = cli_target_path(job, kind, &failed);

    if (!failed && path)
        failed = !may_write(job, path, may_replace(job));
    free(path);
    return !failed;
}

/* With -o DIR, makes the folder of the path. */
static bool make_parent(cli_job *job, const char *path)
{
    lvl_file_error why = {0};
    size_t len = (size_t)(lvl_file_name(path) - path);

    if (!len || !job->c->out_is_dir)
        return true;
    char *dir = cli_format("%.*s", (int)len, path);
    const lvl_status status = dir ? lvl_folder_make(dir, &why) : LVL_ERR_MEMORY;
    cli_job_file_status(job, dir, status, &why);
    free(dir);
    return status == LVL_OK;
}

static void save_failed(cli_job *job, const char *path, lvl_status status, const lvl_file_error *why)
{
    job->full = why->step && why->code == ENOSPC;
    if (why->step && why->code == EEXIST)
        fail_exists(job, path);
    else
        cli_job_file_status(job, path, status, why);
}

/* With --json, lists the file that was written. */
static void report(cli_job *job, const char *path)
{
    if (!job->c->opt.json)
        return;
    cli_json_begin(&job->out, job->input->name);
    lvl_json_put_string(&job->out, "output", path);
    lvl_buffer_str(&job->out, "}\n");
}

/* The same for a member, which goes into its archive or into a copy of that. */
static void report_member(cli_job *job)
{
    const cli *c = job->c;
    const char *name = job->input->name; /* begins with the archive's name */
    char *path =
        c->copy ? cli_format("%s%s", c->copy, name + strlen(cli_archive_name(c->copied))) : cli_copy(name);

    if (path)
        report(job, path);
    else
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    free(path);
}

/* With -n, says that the file is not written. */
static void report_dry(cli_job *job, const char *path)
{
    if (!job->c->opt.json && !job->c->opt.quiet && !job->idle)
        lvl_buffer_printf(&job->err, "%s: not written (dry run)\n", path);
}

/* Whether nobody else has changed a file since this job has read it; else the job fails. */
static bool is_unchanged(cli_job *job, const char *path)
{
    const bool own = job->lock && strcmp(path, job->input->path) == 0;

    if (!own || lvl_file_unchanged(job->lock, path))
        return true;
    cli_job_fail(job, EXIT_ENVIRONMENT, CLI_CHANGED);
    return false;
}

static bool save(cli_job *job, const char *path, lvl_bytes bytes, bool replace)
{
    lvl_file_error why = {0};

    if (!may_write(job, path, replace))
        return false;
    if (job->c->opt.dry_run) {
        report_dry(job, path);
        return true;
    }
    if (!make_parent(job, path) || !is_unchanged(job, path))
        return false;
    lvl_status status = cli_save_bytes(path, root_of(job, path), bytes, save_flags(job, replace), &why);
    if (status != LVL_OK)
        save_failed(job, path, status, &why);
    return status == LVL_OK;
}

bool cli_save_to(cli_job *job, const char *path, lvl_bytes bytes)
{
    return save(job, path, bytes, job->c->opt.yes);
}

bool cli_write_to_name(cli_job *job, const char *name, lvl_bytes bytes)
{
    if (!cli_is_stdout(name))
        return cli_save_to(job, name, bytes);
    lvl_buffer_add(&job->out, bytes.ptr, bytes.len);
    cli_job_status(job, job->out.status, NULL, NULL);
    return job->out.status == LVL_OK;
}

bool cli_ending_fits(const cli_job *job, const char *ending, char kind[16])
{
    const lvl_format *format = lvl_doc_format(job->doc);
    lvl_buffer said = {0};
    char name[24];

    const lvl_status status = lvl_get(job->doc, "kind", NULL, &said, NULL, NULL);
    const bool known = status == LVL_OK && said.status == LVL_OK;
    snprintf(kind, 16, "%.*s", known ? (int)said.len : 0, known ? (const char *)said.data : "");
    kind[strcspn(kind, "\n")] = 0;
    lvl_buffer_free(&said);
    snprintf(name, sizeof name, "x.%s", kind);
    return !cli_has_ending(name, format) || strcmp(kind, ending) == 0;
}

/* Whether the output's name has the ending for the kind of drawing, or no ending of the format. */
static bool fits_kind(cli_job *job, const char *path)
{
    const char *ending = cli_ending(path);
    char kind[16];

    if (!job->doc || !*ending || job->c->out_is_dir || strcmp(ending, cli_ending(job->input->rel)) == 0 ||
        !cli_has_ending(path, lvl_doc_format(job->doc)) || cli_ending_fits(job, ending + 1, kind))
        return true;
    cli_job_fail(job, EXIT_USAGE, "the output is a %s, but %s has another ending; use .%s", kind, path, kind);
    return false;
}

void cli_deliver(cli_job *job, lvl_bytes bytes, const cli_output *kind)
{
    bool failed;

    if (job->c->opt.in_place && job->damaged && job->c->verb->bit != VERB_REPAIR) {
        cli_job_fail(
            job, EXIT_NEGATIVE,
            "not changed: what could not be read of %s would be lost; write the result to a file outside "
            "of the archive with -o FILE",
            strcmp(job->damaged_name, job->input->shown) == 0 ? "it" : job->damaged_name);
        return;
    }
    /* saved with the other members of the archive, at the end of the run */
    if (job->c->opt.in_place && (job->input->archive || job->input->opened)) {
        lvl_buffer_add(&job->member, bytes.ptr, bytes.len);
        job->has_member = job->member.status == LVL_OK;
        if (!job->has_member)
            cli_job_status(job, job->member.status, NULL, NULL);
        else
            report_member(job);
        return;
    }
    char *path = cli_target_path(job, kind, &failed);
    if (!failed && !path)
        lvl_buffer_add(&job->out, bytes.ptr, bytes.len);
    else if (!failed && fits_kind(job, path) && save(job, path, bytes, may_replace(job)))
        report(job, path);
    free(path);
}

static lvl_status to_buffer(lvl_writer *writer, const void *data, size_t len)
{
    lvl_buffer *out = ((cli_buffer_writer *)(void *)writer)->out;

    lvl_buffer_add(out, data, len);
    return out->status;
}

cli_buffer_writer cli_write_to(lvl_buffer *out)
{
    return (cli_buffer_writer){{to_buffer}, out};
}

struct cli_stream {
    lvl_writer writer;
    cli_job *job;
    char *path; /* NULL: stdout */
    lvl_save *save; /* NULL: stdout */
    lvl_file_error why;
    lvl_status status;
};

static lvl_status stream_write(lvl_writer *writer, const void *data, size_t len)
{
    cli_stream *s = (cli_stream *)(void *)writer;

    if (s->status != LVL_OK)
        return s->status;
    if (s->path && !s->save) {
        return LVL_OK; /* a dry run */
    } else if (s->save) {
        s->status = cli_stopped() ? LVL_ERR_IO : lvl_save_write(s->save, data, len, &s->why);
    } else if (s->job->c->inputs.count == 1) {
        cli_out(s->job->c, data, len); /* a single job runs on the main thread */
        if (cli_stopped() || s->job->c->out_failed)
            s->status = LVL_ERR_IO;
    } else {
        lvl_buffer_add(&s->job->out, data, len);
        s->status = s->job->out.status;
    }
    return s->status;
}

cli_stream *cli_stream_open(cli_job *job, const cli_output *kind, lvl_writer **writer)
{
    bool failed, replace = may_replace(job);
    cli_stream *s = calloc(1, sizeof *s);

    if (!s) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return NULL;
    }
    s->writer.write = stream_write;
    s->job = job;
    s->path = cli_target_path(job, kind, &failed);
    if (failed)
        goto out;
    if (s->path && job->c->opt.dry_run) {
        if (!may_write(job, s->path, replace))
            goto out;
        report_dry(job, s->path);
    } else if (s->path) {
        if (!may_write(job, s->path, replace) || !make_parent(job, s->path))
            goto out;
        cli_save_begin();
        lvl_status status =
            lvl_save_open(&s->save, s->path, root_of(job, s->path), save_flags(job, replace), &s->why);
        if (status != LVL_OK) {
            cli_save_end();
            save_failed(job, s->path, status, &s->why);
            goto out;
        }
    }
    *writer = &s->writer;
    return s;
out:
    free(s->path);
    free(s);
    return NULL;
}

void cli_stream_close(cli_stream *s, bool keep)
{
    if (s->save && keep && s->status == LVL_OK && is_unchanged(s->job, s->path)) {
        s->status = lvl_save_commit(s->save, &s->why);
        if (s->status == LVL_OK)
            report(s->job, s->path);
    } else {
        lvl_save_abort(s->save);
    }
    if (s->save)
        cli_save_end();
    if (s->status != LVL_OK && s->path && !cli_stopped())
        save_failed(s->job, s->path, s->status, &s->why);
    free(s->path);
    free(s);
}
