/*
 * cli/jobs/output.c: where the output of a verb may go (checked before the run), and what its files are
 * called. Writing: sink.c.
 */
#include "base/archive_kinds.h"
#include "cli/cli.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool cli_names_a_file(const char *name)
{
    static const char *const others[] = {".png", ".apng", ".json", ".dot", ".gv", ".svg"};

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

const char *cli_temporary_folder(void)
{
    static const char *const names[] = {"TMPDIR", "TEMP", "TMP"};
    const char *folder = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !(folder && *folder); i++)
        folder = getenv(names[i]); /* NOLINT(concurrency-mt-unsafe) */
    return folder && *folder ? folder : "/tmp";
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
        (archive ? cli_archive_is_foreign(archive) : c->inputs.batch || cli_inputs_in_foreign(&c->inputs)))
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
        if (!o && !c->opt.dry_run && cli_is_terminal(stdout))
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

/* The path of the input's output in -o DIR; NULL without memory. */
static char *path_in_folder(const cli_job *job, const cli_output *kind)
{
    const cli_input *in = job->input;
    const char *o = job->c->opt.output, *gap = o[strlen(o) - 1] == '/' ? "" : "/";
    const size_t all = strlen(in->rel), stem = (size_t)(cli_ending(in->rel) - in->rel);

    if (kind->undumped) {
        const size_t len = strcmp(in->rel + stem, ".json") == 0 ? stem : all;
        char *name = cli_format("%.*s", (int)len, in->rel), ending[16];
        const bool has = name && cli_is_named_as(name, kind->undumped);
        char *path = name ? cli_format("%s%s%s%s%s", o, gap, name, has ? "" : ".",
                                       has ? "" : cli_first_ending(kind->undumped, ending))
                          : NULL;
        free(name);
        return path;
    }
    if (!kind->ext || (kind->keeps && cli_has_ending(in->rel, kind->keeps)))
        return cli_format("%s%s%s", o, gap, in->rel);
    return cli_format("%s%s%.*s.%s", o, gap, (int)(kind->add || in->name_taken ? all : stem), in->rel,
                      kind->ext);
}

char *cli_target_path(cli_job *job, const cli_output *kind, bool *failed)
{
    const cli *c = job->c;
    const cli_input *in = job->input;
    char *path;

    *failed = true;
    if (c->opt.in_place && !in->path) {
        cli_job_fail(job, EXIT_USAGE, "standard input cannot be changed in place; use -o FILE");
        return NULL;
    }
    if (!c->opt.in_place && cli_is_stdout(c->opt.output)) {
        *failed = false;
        return NULL;
    }
    if (!c->opt.in_place && !c->out_is_dir && !fits_name(job, kind, c->opt.output))
        return NULL;
    if (!c->opt.in_place && c->out_is_dir && in->archive && !in->entry->safe && strcmp(in->rel, "..") == 0) {
        cli_job_fail(job, EXIT_NEGATIVE, "its name is not a valid file name; use -o FILE to give another");
        return NULL;
    }
    path = c->opt.in_place ? cli_copy(in->path)
           : c->out_is_dir ? path_in_folder(job, kind)
                           : cli_copy(c->opt.output);
    if (!path)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    *failed = !path;
    return path;
}
