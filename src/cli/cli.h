/*
 * cli/cli.h: what the parts of the command share: the table of verbs and options, the parsed command line,
 * inputs, and running a verb over many of them.
 *
 * Data goes to stdout, talk to stderr. A job (one input) runs on any thread and writes into its own buffers;
 * they come out in the order of the inputs, whatever the number of threads.
 */
#ifndef LVL_CLI_CLI_H
#define LVL_CLI_CLI_H

#include "base/buffer.h"
#include "base/file.h"

#include <lvl/container.h>
#include <lvl/doc.h>
#include <lvl/scene.h>
#include <lvl/tools.h>

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

/* ---- exit codes -------------------------------------------------------------------------------------- */

enum {
    EXIT_FINE = 0,
    EXIT_NEGATIVE = 1,    /* invalid, different, nothing found */
    EXIT_USAGE = 2,       /* the command line makes no sense */
    EXIT_ENVIRONMENT = 3, /* the system refused: files, memory */
    EXIT_FOREIGN = 4      /* not a format that lvl knows */
};

/* The code that stands for two: 3 goes before 4, 4 before 1, 1 before 0. */
int cli_worse(int a, int b);
/* The code that a status means. */
int cli_code_of(lvl_status status);

/* One call of the command, from arguments to exit code. Leaves no memory behind. */
int cli_main(int argc, char **argv);

/* ---- tables ------------------------------------------------------------------------------------------ */

/* clang-format off */
/* Every verb: VERB_NAME is its bit in the table of options, cmd_name runs it (cmd_….c). */
#define CLI_VERBS(X)                                                                                \
    X(INFO, info) X(RENDER, render) X(CONVERT, convert) X(CHECK, check) X(REPAIR, repair)           \
    X(DUMP, dump) X(UNDUMP, undump) X(GET, get) X(SET, set) X(EXPLAIN, explain) X(DIFF, diff)       \
    X(EXTRACT, extract) X(PACK, pack) X(FORMATS, formats) X(HELP, help) X(VERSION, version)         \
    X(MERGE, merge) X(GIT, git) X(TILED, tiled) X(RENAME, rename) X(GMAP, gmap) X(COPY, copy)       \
    X(RESIZE, resize) X(NEW, new) X(VIEW, view)
/* clang-format on */

#define CLI_VERB_INDEX(NAME, name) VERB_INDEX_##NAME,
#define CLI_VERB_BIT(NAME, name)   VERB_##NAME = 1 << VERB_INDEX_##NAME,
enum { CLI_VERBS(CLI_VERB_INDEX) VERB_COUNT };
enum {
    CLI_VERBS(CLI_VERB_BIT) VERB_ALL = (1 << VERB_COUNT) - 1,
    /* those that read files */
    VERB_DOCS = VERB_ALL & ~(VERB_NEW | VERB_FORMATS | VERB_HELP | VERB_VERSION | VERB_GIT | VERB_TILED)
};

typedef struct cli_strings {
    const char **items;
    size_t count, cap;
} cli_strings;

/* The parsed options, each at the place that its row of the table names. */
typedef struct cli_options {
    bool help, version, json, quiet, verbose, yes, in_place;
    bool sheet, apng, no_kept, no_art, damaged, compact, paths, roundtrip, summary, dry_run, recover,
        allow_loss, scripts, signs, residue, bits, all, list, graph, schematic, transparent, findings, man,
        examples, trim_palette, screenshots, more_colors, remove, dedupe, count, members, theirs, base,
        markers, global, local, install, uninstall, property_types;
    const char *color, *jobs, *profile, *encoding, *as, *output, *to, *path, *at, *depth, *image, *palette,
        *plane, *camera, *view, *size, *region, *scale, *frame, *direction, *layers, *hide, *overlay, *schema,
        *reference, *completions, *chunk_size, *layer, *colors, *alpha, *key, *like, *pictures, *in, *by,
        *start, *anchor, *tileset, *html, *git, *page, *project;
    cli_strings with, labels, limits, art, unset, also, sets, expressions;
} cli_options;

typedef enum cli_group { GROUP_OWN, GROUP_OUTPUT, GROUP_READING, GROUP_GENERAL, GROUP_COUNT } cli_group;

typedef struct cli_option {
    const char *name; /* long, without dashes */
    char letter;      /* or 0 */
    bool many;        /* may be given several times: a cli_strings */
    bool hidden;      /* not in help; for our own scripts */
    const char *arg;  /* argument's name; NULL: a flag */
    size_t offset;    /* in cli_options: of a bool, a string or a cli_strings */
    const char *def;  /* for people; or NULL */
    cli_group group;
    unsigned verbs;      /* VERB_… */
    const char *prose;   /* one or two sentences, lower case start, no full stop at the end of the last */
    const char *choices; /* blank-separated, for completion and checks; NULL: anything */
} cli_option;

extern const cli_option cli_option_table[]; /* ended by a NULL name */
/* The choices of an option that has any, with those that formats have: appended, blank-separated. */
void cli_option_choices(const cli_option *option, lvl_buffer *out);
/* What help says of an option, with what formats add to it, and its default: appended, with a NUL. */
void cli_option_prose(const cli_option *option, lvl_buffer *out);

/* An example, or the name of the verb that the examples after it are of. */
typedef struct cli_example {
    const char *command; /* as typed, from the repository's top; works on samples/ */
    const char *prose;   /* NULL: a verb's name */
    int code;            /* that it ends with */
} cli_example;

extern const cli_example cli_example_table[]; /* ended by a NULL command */

typedef struct cli cli;

typedef struct cli_verb {
    const char *name;
    unsigned bit;
    const char *summary; /* one line, no full stop */
    const char *usage;   /* lines, without "lvl VERB" */
    /* paragraphs, separated by an empty line; a line that starts with a blank stands as it is */
    const char *description;
    const char *negative; /* what exit code 1 means here; or NULL */
} cli_verb;

extern const cli_verb cli_verb_table[]; /* ended by a NULL name */

const cli_verb *cli_verb_find(const char *name);
/* The verb's examples, up to one without prose. */
const cli_example *cli_verb_examples(const cli_verb *verb);
/* Whether the value is one of blank-separated words. */
bool cli_is_choice(const char *choices, const char *value);
/* What to type instead of `wrong`, a verb that others have or one that is misspelled; the long option of a
 * verb closest to it. NULL if none is close. */
const char *cli_verb_near(const char *wrong);
const char *cli_option_near(const char *wrong, const cli_verb *verb);
/* Our name of an option of the verb that other commands call `wrong`; NULL: none is known. */
const char *cli_option_meant(const char *wrong, const cli_verb *verb);
/* A usage error: no format is called that; `where`: "--as: ", or "". */
int cli_no_format(cli *c, const char *where, const char *name);
/* The row that `name` (long) or `letter` means for a verb (NULL: for any verb); NULL if there is none. */
const cli_option *cli_option_find(const char *name, size_t len, const cli_verb *verb);
const cli_option *cli_option_letter(char letter, const cli_verb *verb);
/* What exit codes mean, for help and man: code 0 to 4, for a verb or NULL. */
const char *cli_exit_text(int code, const cli_verb *verb);

/* ---- descriptions of the command itself (help.c, man.c, complete.c); all append UTF-8 ---------------- */

void cli_help_short(lvl_buffer *out);
void cli_help_all(lvl_buffer *out);
void cli_help_verb(lvl_buffer *out, const cli_verb *verb);
void cli_help_examples(lvl_buffer *out);
/* verb NULL: lvl.1 */
void cli_man(lvl_buffer *out, const cli_verb *verb);
/* shell "bash", "zsh" or "fish"; false for another */
bool cli_complete(lvl_buffer *out, const char *shell);

/* ---- inputs ------------------------------------------------------------------------------------------ */

typedef struct cli_archive cli_archive;

typedef struct cli_input {
    char *name;       /* the path as given, or below the folder given; "-" for standard input */
    char *shown;      /* the same for people: no line breaks, nothing that drives a terminal */
    char *rel;        /* below the folder given, or the bare name: where it goes in -o DIR */
    char *path;       /* of the file on disk, or of the archive on disk; NULL for standard input */
    bool named;       /* given by name, not found by walking */
    bool name_taken;  /* another input would get the same name in -o DIR but for its ending */
    char *error_text; /* it can't be had: why; and the code that this means */
    int code;
    const cli_archive *archive; /* a member: the archive that it is in, and */
    const lvl_entry *entry;     /* its entry there */
    cli_archive *opened; /* this file or member, opened as the archive of other inputs; NULL: it is not */
    bool repeated;       /* the same file or member as an input before it */
    bool has_content;    /* its bytes are these, not those on disk: another version of the file */
    lvl_buffer content;
    bool has_changed; /* it was changed in place: what it shall hold, until cli_archives_save */
    lvl_buffer changed;
} cli_input;

typedef struct cli_inputs {
    cli_input *items;
    size_t count, cap;
    bool batch; /* several, or a folder: ends with a count */
    cli_archive *archives;
} cli_inputs;

/* Adds what an argument names: a file, a folder (walked), "-", a member or a folder in an archive. What isn't
 * there is added with its error. `several`: other arguments follow, so that names below a folder begin with
 * the folder's own. False: no memory. */
bool cli_input_add(cli *c, cli_inputs *inputs, const char *arg, bool several);
/* Adds a file whose content is given, and taken over: `name` (relative) names it, `path` is where the file
 * would be on disk. NULL without memory. */
cli_input *cli_input_add_content(cli_inputs *inputs, const char *name, const char *path, lvl_buffer *content);
/* Adds one file or member, which is there; else says why not, behind `what` ("--like ", or ""), and returns
 * the exit code. */
int cli_input_one(cli *c, cli_inputs *inputs, const char *arg, const char *what);
/* The order of two pointers to inputs by `rel`: first by what is before the ending, then by all of it. */
int cli_input_by_rel(const void *a, const void *b);
/* Whether opening the file may wait forever: a pipe on disk. One that is open already has a name in /dev. */
bool cli_is_named_pipe(const char *path);
/* The archive around a member that a file called `path` would be taken for: the innermost one whose format
 * has the path's ending. An ending that the member's own name has and the archive's name has not means the
 * member alone. NULL: none. */
const cli_archive *cli_input_archive_named(const cli_input *input, const char *path);
/* The same for all inputs; NULL if they have no such archive in common. */
const cli_archive *cli_inputs_archive_named(const cli_inputs *inputs, const char *path);
/* The container of an archive on disk, opened now or before, which lives as long as the run's inputs. */
lvl_status cli_archive_open(cli *c, const char *path, const lvl_container **box);
/* As typed, with the archives around it: what the names of its members begin with. */
const char *cli_archive_name(const cli_archive *archive);
/* ": did you mean X?", to be freed, of the member that will have been meant by the path; "" if none is near;
 * NULL without memory. */
char *cli_member_guess(const lvl_container *box, const char *path);
/* Before inputs are changed in place: a file or member that is given twice stays once, and an archive
 * that is changed as a file while members of it are changed too is known (`opened`). False: no memory. */
bool cli_inputs_settle(cli_inputs *inputs);
/* Moves an input over from another list, where it stays as an empty one. */
bool cli_input_move(cli_inputs *to, cli_input *from);
void cli_inputs_free(cli_inputs *inputs);
/* Puts the members that were changed in place into their archives, those into the ones around them, and saves
 * what is on disk, each file at once and whole. After the run: the inputs' entries are dead then. Talks;
 * returns the exit code. */
int cli_archives_save(cli *c);
/* Bytes of an input: `*view` points into `storage` or into an open archive. Of a damaged member: as
 * lvl_container_read. */
lvl_status cli_input_read(const cli *c, const cli_input *input, lvl_bytes *view, lvl_buffer *storage,
                          lvl_findings *findings, lvl_file_error *why);

/* ---- a run ------------------------------------------------------------------------------------------- */

struct cli {
    const cli_verb *verb;
    cli_options opt;
    lvl_ctx ctx;
    const lvl_format *format; /* --as; or NULL */
    unsigned jobs;            /* 0: one for each core */
    bool color_out, color_err, progress;
    bool eyes_out, eyes_err; /* stdout, stderr are a terminal: what could drive it is escaped */
    cli_strings args;        /* what is neither verb nor option */
    cli_inputs inputs;
    bool out_is_dir;
    bool together;    /* many new files: they are flushed to the disk at the end */
    const char *copy; /* members are changed in a copy of an archive, of this name; NULL: in the archive */
    const cli_archive *copied; /* that archive; it may lie in others */
    struct cli_arts *arts;
    void *user; /* of the batch that runs */
    bool out_failed, progress_shown;
    uint64_t progress_time; /* of the last one, tenths of a second */
};

typedef enum cli_outcome {
    CLI_DONE,
    CLI_NO_MATCH,        /* one of many, in which nothing is what was asked for: not an error */
    CLI_SKIPPED_FOREIGN, /* found by walking, and nothing that lvl knows */
    CLI_SKIPPED_OTHER    /* found by walking, and of a format that the verb isn't for */
} cli_outcome;

typedef struct cli_job {
    cli *c;
    lvl_ctx ctx; /* the command's, with the job's own usage */
    lvl_usage usage;
    const cli_input *input;
    lvl_buffer out, err; /* for stdout and stderr */
    int code;
    cli_outcome outcome;
    lvl_buffer storage;
    lvl_bytes bytes;
    bool loaded;  /* bytes are there */
    bool damaged; /* they are only a part of a member that its archive has damaged */
    bool brief; /* set by a verb before it asks for them: it will look at little of a large file, and not for
                    long */
    lvl_bytes mapped;
    const lvl_format *format;
    lvl_findings *findings;
    lvl_doc *doc;
    bool has_member; /* what a member of an archive shall hold from now on */
    lvl_buffer member;
    lvl_buffer was;      /* of a file that is saved with others: what it held; or empty */
    bool full;           /* the disk has no room left */
    bool idle;           /* there was nothing to do */
    bool of_map;         /* the document was read from a map of Tiled: without --to it keeps its form */
    bool edited;         /* the document is no longer what was read: writing it is verified */
    bool count_existing; /* files that exist already are counted, for one line at the end */
    size_t existing;
    int tag; /* the verb's own, for its summary; -1 where the work wasn't begun */
    void *note;
} cli_job;

/* Of a picture that passed a limit: which, and what makes it smaller. */
void cli_job_limit(cli_job *job, const char *hint);
/* Begins a job that is all zero. */
void cli_job_begin(cli_job *job, cli *c, const cli_input *input);
/* The same for a second input of a job, whose usage it shares. */
void cli_job_begin_beside(cli_job *job, cli_job *first, const cli_input *input);
/* Work on one input; sets job->code. */
typedef void (*cli_work)(cli_job *job);
/* Work that is of no input, or of all of them together, on the main thread: messages begin with `name`.
 * Prints its output and returns the code. */
int cli_job_whole(cli *c, const char *name, cli_work work);
/* On the main thread, in order, after the output of the job is out; may be NULL. */
typedef void (*cli_after)(cli *c, const cli_job *job);

/* How a verb's output is named and whether it is for eyes. */
typedef struct cli_output {
    const char *ext; /* that files in -o DIR get, "png"; NULL: they keep theirs */
    bool add;        /* append the ending instead of replacing theirs */
    bool text;       /* may go to a terminal, and several to stdout one after another */
    const lvl_format *
        keeps; /* a file that has one of this format's endings keeps it, whatever `ext` is; NULL: none does */
    bool edits;          /* its output is the input, changed: a member may go into a copy of its archive */
    bool must;           /* -o, -i or -n has to be given */
    const char *picture; /* the option that names a picture: its ending is checked */
    /* files keep their names without .json, and get this format's ending if they have none */
    const lvl_format *undumped;
} cli_output;

typedef struct cli_batch {
    cli_work work;
    cli_after after;
    void *user;            /* the verb's own, constant while jobs run: c->user */
    bool art;              /* jobs take art: --art is opened before */
    const char *done_word; /* "checked", for the count line; NULL: the verb counts for itself, or doesn't */
    /* for those whose code isn't 0, who are among the done then; NULL: "failed", and they aren't */
    const char *failed_word;
    /* instead of done_word, "changed": the count line then begins with all files */
    const char *match_word;
    const char *idle_word;    /* "needed nothing", for jobs that say so; NULL: none do */
    const cli_output *output; /* NULL: writes no files; else cli_run checks it */
} cli_batch;

/* Takes `count` arguments from `first` on as inputs; complains if there are none. */
int cli_take_inputs(cli *c, size_t first, size_t count);
/* Runs the work on every input and returns the worst code. Prints the count line of a batch. */
int cli_run(cli *c, const cli_batch *batch);
/* The same with all arguments as inputs. */
int cli_run_args(cli *c, const cli_batch *batch);
/* The same, and then work on what the jobs gathered, unless a file could not be read: what is made of all
 * would lack it. `what` is made, "map"; `name` as for cli_job_whole. */
int cli_run_whole(cli *c, const cli_batch *batch, const char *what, const char *name, cli_work whole);

/* Reads the job's bytes and finds its format. False: nothing more to do, and the job says why. `can`:
 * LVL_CAN_… that the verb needs (0: any). */
bool cli_job_open(cli_job *job, unsigned can);
/* And its document. What the reader found is printed to stderr: errors and worse, with -v warnings, too. */
bool cli_job_read(cli_job *job, unsigned can);
/* Frees all but out and err. */
void cli_job_clear(cli_job *job);
/* Prints out and err of a job that is in no batch, and frees all. Its code stays. */
void cli_job_end(cli_job *job);
/* Ends `other`, a second job for the same output: its messages, code and outcome are added to the first's. */
void cli_job_join(cli_job *job, cli_job *other);
/* Appends lines to the job's output: JSON objects begin with their "file", other lines in a batch with the
 * file's name. */
void cli_job_lines(cli_job *job, const lvl_buffer *lines);
/* Reads the job's bytes, whatever they are. From here on the job has findings. */
bool cli_job_bytes(cli_job *job);
/* Makes the job's findings if it has none; false (and failed) without memory. */
bool cli_job_need_findings(cli_job *job);
/* The document of a job whose bytes are a dump; false (and failed, or skipped if it was not named): they are
 * none, or it cannot be read. */
bool cli_job_undump(cli_job *job);
/* The document of a job that is open. What the reader found is printed only if it fails. */
bool cli_job_parse(cli_job *job);
/* Findings from severity `least` up, on stderr. */
void cli_job_findings(cli_job *job, const lvl_findings *findings, lvl_severity least);
/* Fails with a message "name: text". */
void cli_job_fail(cli_job *job, int code, const char *fmt, ...) LVL_PRINTF(3, 4);
/* The file has not what an option asks for. One of many is passed over and counted, with the text for -v; a
 * single one fails with it. */
void cli_job_no_match(cli_job *job, const char *fmt, ...) LVL_PRINTF(2, 3);
/* The same for a status: adds the status' own text. Findings, if given, are the why and are printed instead.
 */
void cli_job_status(cli_job *job, lvl_status status, lvl_findings *findings, const char *what);

/* ---- art (arts.c) ------------------------------------------------------------------------------------ */

/* Art for the job's level; NULL (and failed) without memory or if --art names nothing. Given back with
 * cli_art_give, which takes NULL. */
lvl_art *cli_art_take(cli_job *job);
void cli_art_give(cli_job *job, lvl_art *art);
/* The same where the art is `wanted` and the job's format has pictures; else *art is NULL. False: failed. */
bool cli_art_take_if(cli_job *job, bool wanted, lvl_art **art);
/* Whether the user said where art is: by --art or LVL_ART. */
bool cli_art_given(const cli *c);
/* Opens --art and LVL_ART once, to complain early; EXIT_FINE if all is well. */
int cli_art_try(cli *c);
void cli_arts_free(cli *c);

/* ---- standard output and standard error (console.c) --------------------------------------------------- */

/* Writes to stdout and stderr from the main thread. A closed pipe ends the run quietly. What goes to a
 * terminal is escaped here, and here alone (lvl_text_escape); our own colours stay. */
void cli_out(cli *c, const void *data, size_t len);
/* The same, and frees the text. If memory ran out while it was made, that is reported instead, and the run
 * ends with its code. */
void cli_out_text(cli *c, lvl_buffer *text);
void cli_err(cli *c, const void *data, size_t len);
/* "lvl: text" on stderr. */
void cli_report(cli *c, const char *fmt, ...) LVL_PRINTF(2, 3);
/* The same with "lvl VERB: ", and the code for usage. */
int cli_usage(cli *c, const char *fmt, ...) LVL_PRINTF(2, 3);
/* "lvl: PATH: why", of a file that could not be read or saved; returns EXIT_ENVIRONMENT. */
int cli_report_file(cli *c, const char *path, lvl_status status, const lvl_file_error *why);
/* Says that memory ran out; returns EXIT_ENVIRONMENT. */
int cli_no_memory(cli *c);
/* Which limit refused and how to raise it, as one line to be freed; NULL: none did, or no memory. */
char *cli_limit_text(const lvl_ctx *ctx, const lvl_usage *usage);
/* Findings for people, in colour if asked: all of them with -v or if `least` is a note, else a few of each.
 */
void cli_findings_text(const cli *c, const lvl_findings *findings, const char *file, lvl_severity least,
                       bool color, lvl_buffer *out);
void cli_progress(cli *c, size_t done, size_t total, const char *name);
void cli_progress_clear(cli *c);
bool cli_is_terminal(FILE *stream);
/* Whether stdout is gone, or the user has pressed ^C. */
bool cli_stopped(void);
int cli_flush(cli *c);
/* lvl_file_save, which a signal doesn't end in the middle. */
lvl_status cli_save_bytes(const char *path, lvl_bytes bytes, unsigned flags, lvl_file_error *why);
/* A signal that comes between these two waits for the end of a save. */
void cli_save_begin(void);
void cli_save_end(void);
/* Catches the signals that ask for an end; the result is for lvl_ctx.stop: it becomes non-zero when one
 * came. */
const volatile int *cli_signals(void);
/* After everything is cleaned up: ends as a signal that came wants it, or returns. */
void cli_signals_end(void);

/* ---- output (output.c) ------------------------------------------------------------------------------- */

/* Complains (EXIT_USAGE) if output of that kind has no good place to go: several pictures on stdout, bytes on
 * a terminal. */
int cli_output_check(cli *c, const cli_output *kind);
/* Whether output of that name (-o, or NULL) goes to standard output. */
bool cli_is_stdout(const char *name);
/* Complains (EXIT_USAGE) if -o names a folder. */
int cli_output_is_file(cli *c);
/* Complains (EXIT_ENVIRONMENT) if the file exists and -y was not given. */
int cli_may_create(cli *c, const char *path);
/* Complains (EXIT_USAGE) if the name that an option gives a picture ends as those of other files do. */
int cli_picture_check(cli *c, const char *option, const char *name);
/* Whether a name that isn't there yet will be meant for a file: it has the ending of something that we write.
 */
bool cli_names_a_file(const char *name);
/* Whether the job could write where it is to write; else it fails. Before long work. */
bool cli_output_ready(cli_job *job, const cli_output *kind);
/* The file that the job's output goes to, to be freed; NULL: to stdout, or, with *failed, nowhere. */
char *cli_target_path(cli_job *job, const cli_output *kind, bool *failed);
/* Saves bytes where they belong: -o, in place, or job->out for stdout. */
void cli_deliver(cli_job *job, lvl_bytes bytes, const cli_output *kind);
/* The same for bytes that come bit by bit; NULL (and failed) if it can't. `*writer` takes them. */
typedef struct cli_stream cli_stream;
cli_stream *cli_stream_open(cli_job *job, const cli_output *kind, lvl_writer **writer);
/* Ends it; `keep` false throws it away. */
void cli_stream_close(cli_stream *stream, bool keep);
/* A writer whose bytes are appended to a buffer. */
typedef struct cli_buffer_writer {
    lvl_writer writer;
    lvl_buffer *out;
} cli_buffer_writer;
cli_buffer_writer cli_write_to(lvl_buffer *out);
/* One line about the files that were not written because they exist (job->count_existing). */
void cli_report_existing(cli_job *job);
/* Saves to that file, which is replaced with -y only; false (and failed) if it can't. */
bool cli_save_to(cli_job *job, const char *path, lvl_bytes bytes);
/* The same, but "-" and NULL mean the job's standard output. */
bool cli_write_to_name(cli_job *job, const char *name, lvl_bytes bytes);
/* Whether no link lies on the way from the folder `root` to the path below it, nor at its end: an archive
 * says what to write, and a link that is there already would have it written elsewhere. False (and failed) if
 * one does. The folder itself may be one. */
bool cli_stays_below(cli_job *job, const char *root, const char *path);

/* ---- edited documents (edited.c) --------------------------------------------------------------------- */

/* The output of verbs that change a file. */
extern const cli_output cli_edit_output;
/* Reads the job's document to change it, if the result could be saved; else it fails. */
bool cli_edit_read(cli_job *job);
/* Writes the job's document, which was changed in so many places, and saves it, or with -n prints the
 * changes. Of a single file, errors that it did not have before are reported. */
void cli_edit_deliver(cli_job *job, size_t changed);
/* Of many files one that has nothing to change: it is counted, and with -o copied. */
void cli_edit_no_match(cli_job *job);

/* ---- parts of documents (parts.c) -------------------------------------------------------------------- */

/* Whether the user asked for parts rather than for an archive's members. */
bool cli_parts_asked(const cli *c);
int cli_parts_extract(cli *c);
/* Where what belongs to the job's file lies: DIR, or of several files the folder in DIR with the file's name;
 * to be freed. NULL without memory. */
char *cli_folder_of(const cli_job *job, const char *dir);

/* ---- parsing (parse.c) ------------------------------------------------------------------------------- */

/* Fills c->verb, opt, args; reports an error and returns EXIT_USAGE if they are wrong. verb stays NULL when
 * no argument is there. */
int cli_parse(cli *c, int argc, char **argv);
bool cli_strings_add(cli_strings *list, const char *item);
void cli_strings_free(cli_strings *list);
/* A usage error: `value` is none of the option's choices. */
int cli_no_choice(cli *c, const cli_option *option, const char *value);
/* "123", or with K, M, G; false if it is none. */
bool cli_number(const char *text, uint64_t max, uint64_t *out);
/* `count` whole numbers with `separators` between them (any of the characters). */
bool cli_numbers(const char *text, const char *separators, int32_t *out, size_t count);
/* "WIDTHxHEIGHT", both at least 1. */
bool cli_size(const char *text, uint32_t *width, uint32_t *height);
/* --scale, "N" or "1/N", up to 1024; `up` NULL: only that which shrinks. Not given: nothing changes. */
int cli_take_scale(cli *c, uint32_t *up, uint32_t *down);

/* ---- text -------------------------------------------------------------------------------------------- */

/* Walks a list with that separator: the next item, or false at the end. `*list` may be NULL. */
bool cli_next_item(const char **list, char separator, lvl_text *item);
/* Begins a JSON object that names a file: {"file":"…". lvl_json_put_string (base/text.h)
 * adds a member. */
void cli_json_begin(lvl_buffer *out, const char *file);
/* A copy; NULL without memory. */
char *cli_copy(const char *str);
/* The same as lvl_text_escape shows it; NULL without memory. */
char *cli_shown(const char *str);
/* As sprintf, into memory that the caller frees; NULL without memory. */
char *cli_format(const char *fmt, ...) LVL_PRINTF(1, 2);
char *cli_format_args(const char *fmt, va_list args) LVL_PRINTF(1, 0);
/* Whether the bytes begin as a JSON object does, and aren't a level of some format. */
bool cli_is_dump(lvl_bytes bytes);
/* A name that every system can have, of a path that may be anything: its last part without what isn't
 * allowed; to be freed. */
char *cli_safe_name(const char *path);
/* The full path of this program; "lvl" where the system does not say. To be freed (cmd_tiled.c). */
char *cli_own_path(void);
/* The format whose id this is, or whose ending; `can` as in cli_job_open. NULL: none. */
const lvl_format *cli_format_named(const char *name, unsigned can);
/* The first ending of a format, into buf. */
const char *cli_first_ending(const lvl_format *format, char buf[16]);
/* Where the ending starts (its dot), or the end of the name. */
const char *cli_ending(const char *path);
/* Whether the name's ending is one of a format's. */
bool cli_has_ending(const char *name, const lvl_format *format);
/* The first format that has the name's ending; NULL: none. */
const lvl_format *cli_format_of_ending(const char *name);
/* Whether a file of that format may be called so: by an ending of the format or of one of its forms. */
bool cli_is_named_as(const char *name, const lvl_format *format);

/* ---- the verbs ----------------------------------------------------------------------------------------- */

/* cmd_info and so on: each returns the exit code. */
#define CLI_VERB_RUN(NAME, name) int cmd_##name(cli *c);
CLI_VERBS(CLI_VERB_RUN)

/* `lvl render --graph` (cmd_graph.c). */
int cmd_render_graph(cli *c);
struct lvl_graph;
/* Reads the job's document and adds its links to a graph, which `busy` guards; those of a world map only with
 * `maps`. True: it is a level whose links are in the graph; else the job says why not. */
bool cli_graph_add(cli_job *job, struct lvl_graph *graph, atomic_flag *busy, bool maps);

#endif
