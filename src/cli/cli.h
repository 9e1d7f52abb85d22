/*
 * cli/cli.h: what the files of the command share: the tables of verbs and options, the parsed command line,
 * inputs, and running a verb over many of them.
 *
 * Data goes to stdout, messages to stderr. A job (one input) runs on any thread and writes into its own
 * buffers, which are printed in the order of the inputs, whatever the number of threads.
 */
#ifndef LVL_CLI_CLI_H
#define LVL_CLI_CLI_H

#include "base/buffer.h"
#include "cli/jobs/plan.h"
#include "os/file.h"
#include "tools/world/rename.h"

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
    EXIT_NEGATIVE = 1, /* invalid, different, nothing found */
    EXIT_USAGE = 2, /* the command line is wrong */
    EXIT_ENVIRONMENT = 3, /* a file cannot be opened or written, or memory ran out */
    EXIT_FOREIGN = 4 /* not a format that lvl knows */
};

/* The more important of two codes: 2, 3, 4, 1, 0. */
int cli_max_exit_code(int a, int b);
/* The code for a status. */
int cli_code_of(lvl_status status);

/* Runs the command; returns the exit code. Frees all memory, so tests can call it repeatedly. */
int cli_main(int argc, char **argv);

/* ---- tables ------------------------------------------------------------------------------------------ */

/* clang-format off */
/* Every verb: VERB_NAME is its bit in the table of options, cmd_name runs it (cmd_….c). */
#define CLI_VERBS(X)                                                                                \
    X(INFO, info) X(RENDER, render) X(CONVERT, convert) X(CHECK, check) X(REPAIR, repair)           \
    X(DUMP, dump) X(UNDUMP, undump) X(GET, get) X(SET, set) X(EXPLAIN, explain) X(DIFF, diff)       \
    X(EXTRACT, extract) X(PACK, pack) X(FORMATS, formats) X(HELP, help) X(VERSION, version)         \
    X(MERGE, merge) X(GIT, git) X(TILED, tiled) X(RENAME, rename) X(GMAP, gmap) X(COPY, copy)       \
    X(RESIZE, resize) X(NEW, new) X(VIEW, view) X(SCAN, scan) X(FIND, find) X(CATALOG, catalog) \
    X(GALLERY, gallery) X(MOVE, move)
/* clang-format on */

#define CLI_VERB_INDEX(NAME, name) VERB_INDEX_##NAME,
#define CLI_VERB_BIT(NAME, name)   VERB_##NAME = 1 << VERB_INDEX_##NAME,
enum { CLI_VERBS(CLI_VERB_INDEX) VERB_COUNT };
enum {
    CLI_VERBS(CLI_VERB_BIT) VERB_ALL = (1 << VERB_COUNT) - 1,
    /* those that read files */
    VERB_DOCS = VERB_ALL &
                ~(VERB_NEW | VERB_FORMATS | VERB_HELP | VERB_VERSION | VERB_GIT | VERB_TILED | VERB_CATALOG)
};

typedef struct cli_strings {
    const char **items;
    size_t count, cap;
} cli_strings;

/* The parsed options; each row of the table has the offset of its member. */
typedef struct cli_options {
    bool help, version, json, quiet, verbose, yes, in_place;
    bool sheet, apng, gif, no_kept, no_art, damaged, normalize, compact, paths, roundtrip, summary, dry_run,
        recover, allow_loss, rewrite_links, scripts, signs, residue, bits, all, list, graph, schematic, crop,
        transparent, findings, man, examples, trim_palette, screenshots, more_colors, nearest,
        references_only, remove, dedupe, count, members, theirs, base, choose, markers, global, local, site,
        install, uninstall, property_types, duplicates, missing, csv, null, no_thumbnails, thumbnails, jsonl;
    const char *color, *jobs, *profile, *encoding, *as, *output, *to, *path, *at, *depth, *image, *palette,
        *plane, *camera, *view, *size, *region, *scale, *frame, *direction, *layers, *hide, *overlay, *schema,
        *reference, *completions, *chunk_size, *layer, *colors, *alpha, *key, *like, *base_level, *pictures,
        *in, *by, *signatures, *start, *anchor, *tileset, *tileset_is, *empty_is, *html, *git, *page, *files,
        *project, *choices, *finding, *uses, *sql, *most, *catalog, *only, *fail_on, *reach_from, *from0,
        *tiles, *unit, *table, *map, *data, *slice;
    cli_strings sources, rules, with, labels, limits, art, unset, also, sets, expressions;
} cli_options;

typedef enum cli_group { GROUP_OWN, GROUP_OUTPUT, GROUP_READING, GROUP_GENERAL, GROUP_COUNT } cli_group;

typedef struct cli_option {
    const char *name; /* long, without dashes */
    char letter; /* or 0 */
    bool many; /* may be given several times; stored in a cli_strings */
    bool hidden; /* not in help; for lvl's own scripts */
    const char *arg; /* argument's name; NULL: a flag */
    size_t offset; /* of a bool, a string or a cli_strings in cli_options */
    const char *def; /* the default, as help shows it; or NULL */
    cli_group group;
    unsigned verbs; /* VERB_… */
    const char *prose; /* one or two sentences, lower case start, no full stop at the end of the last */
    const char *choices; /* blank-separated, for completion and checks; NULL: anything */
} cli_option;

extern const cli_option cli_option_table[]; /* ended by a NULL name */
typedef struct cli cli;

/* Properties of verbs. Code that verbs share depends on them, never on which verb it is. */
enum cli_trait {
    CLI_SHOWS = 1, /* writes no document */
    CLI_CHECKS = 2, /* findings are its result: it prints those of its inputs itself, and few of each ID */
    CLI_REPAIRS = 4, /* damage is what it changes: reported as a change, and the result may look whole */
    CLI_WHOLE_ARCHIVES = 8, /* an archive of another program is one input, not a folder of inputs */
    CLI_OPENS_PACKS = 16, /* a pack that is named is a folder of inputs */
    CLI_LOCKS_INPUTS = 32, /* changes files that it reads, without -i */
    CLI_READS_PIPES = 64, /* a named pipe is an input, not skipped */
    CLI_TAKES_DISTANCE = 128 /* an argument may be a number to the left: "-64,0" */
};

typedef struct cli_verb {
    const char *name;
    unsigned bit;
    unsigned traits; /* of cli_trait */
    const char *summary; /* one line, no full stop */
    const char *usage; /* lines, without "lvl VERB" */
    /* paragraphs, separated by an empty line; one that starts with a blank is not wrapped */
    const char *description;
    const char *negative; /* what exit code 1 means here; or NULL */
} cli_verb;

extern const cli_verb cli_verb_table[]; /* ended by a NULL name */

const cli_verb *cli_verb_find(const char *name);
/* Reports a usage error: no format has that name. `where`: "--as: ", or "". */
int cli_no_format(cli *c, const char *where, const char *name);
/* The option with that long name of a verb (NULL: of any verb); NULL: none. */
const cli_option *cli_option_find(const char *name, size_t len, const cli_verb *verb);

/* ---- inputs ------------------------------------------------------------------------------------------ */

/* A file that was opened to find out what it is. A single input is not opened and probed again: its job
 * continues with this. */
typedef struct cli_look {
    lvl_file *file;
    lvl_file_ends ends;
    bool probed;
    const lvl_format *format; /* NULL: unknown, or not probed */
} cli_look;

/* Opens a file on disk and reads its ends. */
lvl_status cli_look_at(cli_look **out, const char *path, lvl_file_error *why);
/* Its format (lvl_probe), found once; reads more of its end if its directory is long. */
const lvl_format *cli_look_format(cli_look *look, const char *name);
/* The format of an input that is known by its folder alone (lvl_format_place). `head`: the beginning of its
 * bytes. *out is NULL if there is none. LVL_ERR_MEMORY. */
lvl_status cli_format_of_place(const cli_input *input, lvl_bytes head, const lvl_format **out);
/* Accepts NULL. */
void cli_look_free(cli_look *look);

struct cli_input {
    char *name; /* the path as typed, or below the folder that was typed; "-": standard input */
    char *shown; /* the same for messages: control characters are escaped */
    char *rel; /* the path below the folder that was typed, or the file name: its path in -o DIR */
    char *path; /* of the file on disk, or of the archive on disk; NULL for standard input */
    size_t typed; /* of a file in a folder: how many bytes of `path` the user typed; else 0 */
    bool named; /* typed by the user, not found in a folder or archive */
    bool name_taken; /* another input has the same `rel` except for the ending */
    char *before; /* of a file that was renamed between two revisions: its old path; or NULL */
    char *error_text; /* why it cannot be read, and the exit code for that; or NULL */
    int code;
    const cli_archive *archive; /* of a member: its archive, */
    const lvl_entry *entry; /* and its entry there */
    cli_archive *opened; /* the archive that this file or member was opened as, for other inputs; or NULL */
    cli_look *look; /* of a single file; until its job begins; or NULL */
    bool repeated; /* an earlier input is the same file or member */
    bool has_content; /* `content` replaces the bytes on disk: another version of the file */
    lvl_buffer content;
    bool has_changed; /* `changed`: the new bytes, which cli_archives_save or the verb's `save` writes */
    lvl_buffer changed;
    lvl_file_lock *lock; /* of the file that gets them, where the verb saves them; or NULL */
    lvl_buffer saved_out, saved_err; /* of its job, to be printed when `changed` is saved */
};

typedef struct cli_inputs {
    cli_input *items;
    size_t count, cap;
    bool batch; /* several inputs, or a folder: the run ends with a count */
    cli_archive *archives;
} cli_inputs;

/* Adds what an argument names: a file, a folder (recursively), "-", a member or a folder of an archive. What
 * does not exist is added with its error. `several`: there are other arguments, so `rel` of files in a folder
 * begins with the folder's name. False: no memory. */
bool cli_input_add(cli *c, cli_inputs *inputs, const char *arg, bool several);
/* Adds a file with this content, which it takes over; `path` is the place on disk around which its art is
 * searched. NULL without memory. */
cli_input *cli_input_add_content(cli_inputs *inputs, const char *name, const char *path, lvl_buffer *content);
/* Adds one existing file or member. Reports anything else, after `what` ("--like ", or ""), and returns the
 * exit code. */
int cli_input_one(cli *c, cli_inputs *inputs, const char *arg, const char *what);
/* Pointers to the inputs, to be freed, in the order of `rel`: first without the ending, then with it. NULL
 * without memory. */
cli_input **cli_inputs_sorted(const cli_inputs *inputs);
/* The archive of a member whose copy a file called `path` would be: the innermost one whose format has that
 * ending. NULL: none, or the ending is that of the member and not of the archive. */
const cli_archive *cli_input_archive_named(const cli_input *input, const char *path);
/* The same for all inputs; NULL: they have no such archive in common. */
const cli_archive *cli_inputs_archive_named(const cli_inputs *inputs, const char *path);
/* Whether an input is a member of an archive of another program, or of an archive in one. */
bool cli_inputs_in_foreign(const cli_inputs *inputs);
/* Opens an archive on disk, once; it lives as long as the run's inputs. */
lvl_status cli_archive_open(cli *c, const char *path, const lvl_container **container);
/* The name as typed, with the archives around it: the names of its members begin with it. */
const char *cli_archive_name(const cli_archive *archive);
/* The size of the file on disk, and the time of its last change, when it was opened. */
void cli_archive_look(const cli_archive *archive, uint64_t *size, int64_t *time);
/* Whether it is of another program: nothing is written into it. */
bool cli_archive_is_foreign(const cli_archive *archive);
/* ": did you mean X?", to be freed, with the member whose path is most similar; "": none is similar; NULL
 * without memory. */
char *cli_member_guess(const lvl_container *container, const char *path);
/* Before inputs are changed in place: removes repeated files and members, and sets `opened` of archives whose
 * members are inputs, too. False: no memory. */
bool cli_inputs_dedupe(cli_inputs *inputs);
/* Moves an input to another list; an empty one remains. */
bool cli_input_move(cli_inputs *to, cli_input *from);
void cli_inputs_free(cli_inputs *inputs);
/* Writes the members that were changed in place into their archives, these into the archives around them, and
 * saves the outermost ones. `copies`: a copy is made even if no member has changed. Invalidates the inputs'
 * entries. Reports errors; returns the exit code. */
int cli_archives_save(cli *c, bool copies);
/* Whether that has saved the archive, or one around it. NULL: false. */
bool cli_archive_is_saved(const cli_archive *archive);
/* Locks a file that is changed in place, for as long as it takes another run to change it. */
lvl_status cli_lock_file(const char *path, lvl_file_lock **lock, lvl_file_error *why);
/* The message if the file was changed in spite of the lock. */
#define CLI_CHANGED "another program changed it meanwhile; nothing was written: try again"

/* ---- a run ------------------------------------------------------------------------------------------- */

/* The most that is read of a named file with all archives that are nested in it (members.c). */
typedef struct cli_budget {
    uint64_t members; /* 1 million */
    uint64_t inflated; /* their bytes: 4 GiB */
    uint64_t nested; /* archives in archives: 8 */
} cli_budget;

struct cli {
    const cli_verb *verb;
    cli_budget most;
    const cli_options *opt; /* as parsed: nothing changes them */
    lvl_ctx ctx;
    const lvl_format *format; /* --as; or NULL */
    const struct lvl_rules **rules; /* of --rules; ended by NULL, or NULL */
    unsigned jobs; /* 0: one for each core */
    bool color_out, color_err, progress;
    bool terminal_out, terminal_err; /* stdout, stderr are a terminal: control characters are escaped */
    cli_strings args; /* arguments that are neither verb nor option */
    cli_inputs inputs;
    bool inside_packs; /* members of packs are inputs after them: --members, and whatever is catalogued */
    /* Archives that are found are listed here, and not opened: a verb takes them one after another, so
     * that few are in memory. NULL: they are opened. */
    cli_strings *later;
    const cli_plan *plan; /* where results go; never NULL */
    struct cli_arts *arts;
    void *user; /* the `user` of the current batch */
    bool out_failed, progress_shown;
    uint64_t progress_time; /* when it was last printed, in tenths of a second */
    uint64_t progress_start; /* when the run began */
};

/* Whether the run's verb has that trait; false without a verb. */
static inline bool cli_verb_is(const cli *c, enum cli_trait trait)
{
    return c->verb && c->verb->traits & trait;
}

typedef enum cli_outcome {
    CLI_DONE,
    CLI_NO_MATCH, /* one of several inputs, in which nothing matches: not an error */
    CLI_SKIPPED_FOREIGN, /* found in a folder, with an unknown format */
    CLI_SKIPPED_OTHER /* found in a folder, with a format that the verb does not support */
} cli_outcome;

struct cli_job {
    cli *c;
    lvl_ctx ctx; /* the command's, with the job's own usage */
    lvl_usage usage;
    const cli_input *input;
    const cli_target *target; /* where the plan puts its result; NULL: the job is not in a plan */
    lvl_buffer out, err; /* for stdout and stderr */
    lvl_buffer saved_out, saved_err; /* the same, printed only if the result is saved */
    int code;
    cli_outcome outcome;
    cli_look *look; /* the input, opened already; until its bytes are read; or NULL */
    lvl_buffer storage;
    lvl_bytes bytes;
    bool loaded; /* `bytes` are set */
    lvl_file_lock *lock; /* of the file that the run replaces; or NULL */
    char *locked; /* the path of that */
    lvl_file_lock *kept_lock; /* the same, until `member` is saved */
    /* `bytes`, or those of a job beside it, are only a part: a member is damaged in its archive */
    bool damaged;
    const char *damaged_name; /* of that member, as shown */
    struct cli_job *first; /* a job beside another one: that; or NULL */
    const lvl_format *format;
    lvl_findings *findings;
    lvl_doc *doc;
    bool has_member; /* `member`: the new bytes of a member of an archive */
    lvl_buffer member;
    bool full; /* the disk is full */
    bool idle; /* nothing had to be changed */
    bool from_map; /* read from a map of Tiled: keeps its form unless --to is given */
    bool grey; /* no palette was found for a picture */
    bool edited; /* the document was changed: what is written is verified */
    bool count_existing; /* existing files are counted for one line at the end, not reported one by one */
    size_t existing;
    int tag; /* for the verb's summary; -1: the work was not done */
    void *note;
    size_t note_size; /* bytes that `note` holds besides itself */
};

/* Prints a use of a file's name that changes, as a line or as JSON (convert/links.c). `known` false: it is
 * not changed, since several files have the name. */
lvl_status cli_report_use(cli_job *job, const lvl_file_use *use, bool known);
/* Reports the limit that a picture exceeds, and `hint`: how to make it smaller. */
void cli_job_limit(cli_job *job, const char *hint);
/* Starts a job, which must be zeroed. */
void cli_job_begin(cli_job *job, cli *c, const cli_input *input);
/* Starts a job for a second input of `first`; both count against the same limits. */
void cli_job_begin_beside(cli_job *job, cli_job *first, const cli_input *input);
/* Does the work for one input, on any thread; sets job->code. */
typedef void (*cli_work)(cli_job *job);
/* Runs work that is not for a single input, on the main thread; its messages begin with `name`. Prints its
 * output; returns the code. */
int cli_job_whole(cli *c, const char *name, cli_work work);
/* Called on the main thread, in the order of the inputs, after the output of the job was printed. */
typedef void (*cli_after)(cli *c, const cli_job *job);

typedef struct cli_batch {
    cli_work work;
    cli_after after;
    void *user; /* c->user while the jobs run */
    bool art; /* jobs need art: --art is opened first */
    const char *done_word; /* "checked", for the count line; NULL: no such line */
    /* "different": word for jobs with a code other than 0, which then count as done; NULL: "failed" */
    const char *failed_word;
    /* "changed", instead of done_word: the count line begins with the number of all files */
    const char *match_word;
    const char *idle_word; /* "needed no repair": word for idle jobs; NULL: not counted apart */
    const cli_output *output; /* checked by cli_run; NULL: the verb writes no files */
    /* After all jobs: saves the `changed` of the inputs, all or none; returns the code. NULL: they are
     * members, which are saved into their archives. */
    int (*save)(cli *c);
} cli_batch;

/* Adds `count` arguments from `first` on as inputs, and the files that --from0 lists; a usage error if there
 * are neither. */
int cli_take_inputs(cli *c, size_t first, size_t count);
/* Runs the work on every input; returns the most important code. Prints the count line of a batch. */
int cli_run(cli *c, const cli_batch *batch);
/* The same with all arguments as inputs. */
int cli_run_args(cli *c, const cli_batch *batch);
/* The same, and then `whole` makes one file (`what`: "map") from all inputs, unless one could not be read.
 * `name`: as for cli_job_whole. */
int cli_run_whole(cli *c, const cli_batch *batch, const char *what, const char *name, cli_work whole);

/* Reads the job's bytes and detects the format. `can`: LVL_CAN_… that the verb needs (0: any). False: the job
 * is done, and the reason reported. */
bool cli_job_open(cli_job *job, unsigned can);
/* The same, and reads the document. Prints the reader's findings: errors, with -v warnings, too. */
bool cli_job_read(cli_job *job, unsigned can);
/* Releases its locks, and frees everything except out and err. */
void cli_job_clear(cli_job *job);
/* Prints the output of a job that is in no batch, and frees everything; job->code stays. */
void cli_job_end(cli_job *job);
/* Ends `other`, a second job for the same output: its messages, code and outcome are added to the first's. */
void cli_job_join(cli_job *job, cli_job *other);
/* Appends lines to the job's output: JSON objects get "file" as their first key, other lines of a batch begin
 * with the file's name. */
void cli_job_lines(cli_job *job, const lvl_buffer *lines);
/* Locks the file if the run replaces it, reads the job's bytes, of any format, and makes the job's
 * findings. */
bool cli_job_bytes(cli_job *job);
/* Makes the job's findings if it has none; false (and failed) without memory. */
bool cli_job_need_findings(cli_job *job);
/* Reads the document from a dump. False: it is none, or has errors; the job has failed, or is skipped if it
 * was found in a folder. */
bool cli_job_undump(cli_job *job);
/* Reads the document of an open job. Prints the reader's findings only if that fails. */
bool cli_job_parse(cli_job *job, bool edits);
/* Prints findings of severity `least` and above on stderr. */
void cli_job_findings(cli_job *job, const lvl_findings *findings, lvl_severity least);
/* Fails with the message "name: text". */
void cli_job_fail(cli_job *job, int code, const char *fmt, ...) LVL_PRINTF(3, 4);
/* Fails with the message "name: path", gap, text; without the path if it is that of the input, or NULL. */
void cli_job_fail_at(cli_job *job, const char *path, const char *gap, const char *text);
/* Fails if the status of an operation on the file `path` (NULL: the input) is an error, with its reason. */
void cli_job_file_status(cli_job *job, const char *path, lvl_status status, const lvl_file_error *why);
/* Nothing in the file matches an option. A single file fails with the message; one of several is counted, and
 * the message printed with -v. */
void cli_job_no_match(cli_job *job, const char *fmt, ...) LVL_PRINTF(2, 3);
/* Fails with the text of a status, after `what` (may be NULL); findings, if there are any, are printed
 * instead. Does nothing for LVL_OK. */
void cli_job_status(cli_job *job, lvl_status status, lvl_findings *findings, const char *what);

/* ---- art (arts.c) ------------------------------------------------------------------------------------ */

/* Art for the job's level, to be returned with cli_art_give (which accepts NULL). NULL: the job has failed.
 */
lvl_art *cli_art_take(cli_job *job);
void cli_art_give(cli_job *job, lvl_art *art);
/* The same if art is `wanted` and the job's format has pictures; else *art is NULL. False: failed. */
bool cli_art_take_if(cli_job *job, bool wanted, lvl_art **art);
/* Whether --art or LVL_ART names art. */
bool cli_art_given(const cli *c);
/* Opens --art and LVL_ART, so that errors are reported before the run. */
int cli_art_try(cli *c);
void cli_arts_free(cli *c);

/* ---- standard output and standard error (console.c) --------------------------------------------------- */

/* Writes to stdout, on the main thread. A closed pipe ends the run quietly. For a terminal, everything except
 * lvl's own colours is escaped here. */
void cli_out(cli *c, const void *data, size_t len);
/* The same, and frees the text. If it is incomplete for lack of memory, that is reported instead. */
void cli_out_text(cli *c, lvl_buffer *text);
void cli_err(cli *c, const void *data, size_t len);
/* Prints what a job has printed. If some of it is missing for lack of memory, that is reported, too. */
void cli_print_job(cli *c, const cli_job *job);
/* Prints "lvl: text" on stderr. */
void cli_report(cli *c, const char *fmt, ...) LVL_PRINTF(2, 3);
/* The same, with a hint to the verb's help; returns EXIT_USAGE. */
int cli_usage(cli *c, const char *fmt, ...) LVL_PRINTF(2, 3);
/* Prints "lvl: PATH: reason" for a file that could not be read or saved; returns EXIT_ENVIRONMENT. */
int cli_report_file(cli *c, const char *path, lvl_status status, const lvl_file_error *why);
/* Reports that memory ran out; returns EXIT_ENVIRONMENT. */
int cli_no_memory(cli *c);
/* The limit that was exceeded and how to raise it, as one line to be freed; NULL: none, or no memory. */
char *cli_limit_text(const lvl_ctx *ctx, const lvl_usage *usage);
/* Appends findings as text: all of them with -v or if `least` is LVL_NOTE, else a few of each ID. */
void cli_findings_text(const cli *c, const lvl_findings *findings, const char *file, lvl_severity least,
                       bool color, lvl_buffer *out);
void cli_progress(cli *c, size_t done, size_t total, const char *name);
void cli_progress_clear(cli *c);
bool cli_is_terminal(FILE *stream);
/* Whether stdout was closed, or a signal requested the end. */
bool cli_stopped(void);
int cli_flush(cli *c);
/* lvl_file_save_below, which a signal does not interrupt, unless `path` is a pipe or device. */
lvl_status cli_save_bytes(const char *path, size_t root, lvl_bytes bytes, unsigned flags,
                          const lvl_file_lock *lock, lvl_file_error *why);
/* A signal between these two calls is handled after the save. */
void cli_save_begin(void);
void cli_save_end(void);
/* Installs the signal handlers; the result, for lvl_ctx.stop, becomes non-zero at the first signal. */
const volatile int *cli_signals(void);
/* After cleaning up: ends the process by the signal that was caught, or returns. */
void cli_signals_end(void);

/* ---- shared/rules.c ------------------------------------------------------------------------------------ */

/* Reads the files of --rules into c->rules; the things that they describe are then those of c->ctx, too. */
int cli_rules_take(cli *c);
void cli_rules_free(cli *c);

/* ---- shared/page.c ------------------------------------------------------------------------------------- */

/* Appends a page: its template with {style}, {script}, their hashes as {style-hash} and {script-hash}, and
 * {data}: JSON, of which nothing can end its element. */
void cli_page_fill(lvl_buffer *out, lvl_text page, lvl_bytes style, lvl_bytes script, const lvl_buffer *json);

/* ---- sinks (sink.c) ----------------------------------------------------------------------------------- */

/* Where the bytes of a job go: standard output, a file, a member of an archive. */
typedef struct cli_sink {
    lvl_writer writer; /* puts bytes */
    cli_job *job;
    lvl_buffer *buffer; /* job->out, job->member; NULL: a file */
    char *path; /* of a file */
    lvl_new_file *save; /* of a file; NULL: a dry run */
    lvl_file_lock *lock; /* of a file that is replaced and no input; or NULL */
    bool cleans; /* a signal waits until the file is removed */
    bool listed; /* the file is listed with --json */
    lvl_file_error why;
    lvl_status status; /* of what was put */
} cli_sink;

/* Lists where a result went (--json), or would go (-n); `path` NULL: standard output. */
void cli_list_output(const cli *c, const cli_input *in, const char *path, lvl_buffer *out, lvl_buffer *err);
/* Before the work: whether the job's target may be written as things are; else the job fails. It is asked at
 * the start; of files in folders when the format is `known`, since the others are skipped. */
bool cli_target_ready(cli_job *job, bool known);
/* Begins the job's output: -o, in place, or standard output. False: it cannot be written, and the job has
 * failed; else cli_sink_commit must follow. */
bool cli_sink_begin(cli_sink *sink, cli_job *job, const cli_output *kind);
/* Completes the output, or discards it (`keep` false). False: it was not written, which was reported
 * unless it was discarded. */
bool cli_sink_commit(cli_sink *sink, bool keep);
/* Prints job->saved_out and saved_err: the result is saved, or is none to save. */
void cli_job_saved(cli_job *job);
/* Begins, puts these bytes and commits. */
void cli_deliver(cli_job *job, lvl_bytes bytes, const cli_output *kind);
/* Begins a file of that name. */
bool cli_sink_begin_file(cli_sink *sink, cli_job *job, const char *name, bool replace);
/* Begins, puts and commits a file of that name; false (and failed) if it can't. */
bool cli_save(cli_job *job, const char *path, lvl_bytes bytes, bool replace);
/* The same for a file that is replaced with -y only. */
bool cli_save_to(cli_job *job, const char *path, lvl_bytes bytes);
/* The same for the one file of the run (cli_plan_whole). */
bool cli_deliver_whole(cli_job *job, lvl_bytes bytes);
/* The same for another file that an option names; "-" and NULL mean the job's standard output. */
bool cli_write_to_name(cli_job *job, const char *name, lvl_bytes bytes);
/* What is at a path: nothing that is a file, a file of these bytes, or another one. */
typedef enum cli_there { CLI_THERE_NONE, CLI_THERE_SAME, CLI_THERE_OTHER } cli_there;
/* A file that cannot be read is another one. LVL_ERR_MEMORY. */
lvl_status cli_look_there(const cli_job *job, const char *path, lvl_bytes bytes, cli_there *there);
/* Reports in one line how many files were not written because they exist (job->count_existing). */
void cli_report_existing(cli_job *job);
/* Whether no link leads a save to the path out of the folder that its first `root` bytes name; else the job
 * fails, and names the link. The folder itself may be a link. 0: the user typed the whole path. */
bool cli_stays_below(cli_job *job, size_t root, const char *path);

/* ---- edited documents (edited.c) --------------------------------------------------------------------- */

/* The output of verbs that edit a file. */
extern const cli_output cli_edit_output;
/* Reads the job's document, after checking that the result may be saved; false: failed. */
bool cli_edit_read(cli_job *job);
/* Serializes the job's document, in which `changed` values were changed, and saves it; -n prints the changes
 * instead. Of a single file, errors that it did not have before are reported, and `idle` ("it had that size
 * already") if nothing changes. */
void cli_edit_deliver(cli_job *job, size_t changed, const char *idle);
/* Why a damaged file is not changed in place. */
#define CLI_LOOKS_WHOLE                                                                             \
    "not changed: it is cut off or damaged, and the edited file would look whole; repair it first " \
    "(`lvl repair'), or write the result to another file with -o FILE"
/* Whether the job's result may replace its source without hiding that content is missing; reports if not. */
bool cli_edit_keeps_damage(cli_job *job, lvl_bytes now);
/* Prints what lvl_doc_write_checked added. */
void cli_report_added(cli_job *job, const lvl_findings *added);
/* One of several files in which nothing matches: it is counted, and copied with -o. */
void cli_edit_no_match(cli_job *job);

/* ---- parts of documents (edit/parts.c) ----------------------------------------------------------------- */

/* Whether --scripts or --signs was given. */
bool cli_parts_asked(const cli *c);
int cli_parts_extract(cli *c);
/* The folder for the job's file: DIR, or of several files the folder of its name in DIR; to be freed. NULL
 * without memory. */
char *cli_folder_of(const cli_job *job, const char *dir);

/* ---- parsing (parse.c) ------------------------------------------------------------------------------- */

/* Makes a list large enough for `need` items; `list` is the address of its pointer. False: no memory,
 * unchanged. */
bool cli_grow(void *list, size_t *cap, size_t need, size_t item_size);
bool cli_strings_add(cli_strings *list, const char *item);
void cli_strings_free(cli_strings *list);
/* Reports a usage error: `value` is none of the option's choices. */
int cli_no_choice(cli *c, const cli_option *option, lvl_text value);
/* Parses "123", with K, M or G after it; false: it is not a number, or above `max`. */
bool cli_number(const char *text, uint64_t max, uint64_t *out);
/* Parses --scale, "N" or "1/N" up to 1024; `up` NULL: only "1/N". If not given, nothing is set. */
int cli_take_scale(cli *c, uint32_t *up, uint32_t *down);
/* Whether a finding has this ID, or IDs that begin with it and a dot. */
bool cli_is_finding(const cli *c, lvl_text id);
/* Sets how far to move: "+64,0" and --unit, and the region of --tiles and --plane, if there is one. */
int cli_take_move(cli *c, const char *distance, lvl_move_options *out);

/* ---- text -------------------------------------------------------------------------------------------- */

/* Begins a JSON object that names a file: {"file":"…". lvl_json_put_string (base/text.h)
 * adds a member. */
void cli_json_begin(lvl_buffer *out, const char *file);
bool cli_same_bytes(lvl_bytes a, lvl_bytes b);
/* Whether opening the file may block: a named pipe, except those in /dev, which are open already. */
bool cli_is_named_pipe(const char *path);
/* A copy; NULL without memory. */
char *cli_copy(const char *str);
/* A copy with control characters escaped; NULL without memory. */
char *cli_shown(const char *str);
/* The path on disk of what a catalogue calls `stored`: bytes that are no UTF-8, and backslashes that would
 * read as one, are `\xff' there. NULL without memory. */
char *cli_disk_path(const char *stored);
/* Two parts of a path with a slash between them, unless the first is empty or ends with one; NULL without
 * memory. */
char *cli_join_path(const char *a, const char *b);
/* As sprintf, into memory that the caller frees; NULL without memory. */
char *cli_format(const char *fmt, ...) LVL_PRINTF(1, 2);
char *cli_format_args(const char *fmt, va_list args) LVL_PRINTF(1, 0);
/* Whether the bytes of a file of that name begin like a JSON object and are not a level. */
bool cli_is_dump(lvl_bytes bytes, const char *name);
/* The last part of any path, changed to a file name that is valid on every system; to be freed. */
char *cli_safe_name(const char *path);
/* Whether a text matches a pattern, in which * matches any characters and ? one (cli/shared/arguments.c).
 * `nocase`: ASCII letters of any case. */
bool cli_matches_pattern(const char *text, const char *pattern, bool nocase);
/* Changes a path of Windows in place: `/' for each `\', one for several, which elsewhere are before a member
 * of an archive. A path that begins with \\?\ or \\.\ is left alone, since Windows takes it literally. */
void cli_plain_slashes(char *path);
/* Splits a command line of Windows, in UTF-8, as its programs do, and expands the wildcards in the last name
 * of an argument that are not in quotes, in order of names; one that matches nothing stays as it is. NULL
 * follows the last item. False without memory; otherwise lvl_file_list_free. */
bool cli_split_command_line(const char *line, lvl_file_list *out);
/* The folder of temporary files. */
const char *cli_temporary_folder(void);
/* The full path of this program; "lvl" where the system does not report it. To be freed (own_path.c). */
char *cli_own_path(void);
/* The format with that ID, else with that ending; `can` as in cli_job_open. NULL: none. */
const lvl_format *cli_format_named(const char *name, unsigned can);
enum { CLI_ENDING = 32 }; /* room for an ending: "serveroptions.txt" */
/* The first ending of a format, into buf. */
const char *cli_first_ending(const lvl_format *format, char buf[CLI_ENDING]);
/* The ending with its dot, or the end of the name. */
const char *cli_ending(const char *path);
/* Whether the name's ending is one of a format's. */
bool cli_has_ending(const char *name, const lvl_format *format);

/* Programs distinguish levels from doodads by the ending. If the field "kind" of the job's document has the
 * name of one of the format's endings, the output must not have another of them. `kind`: that name. */
bool cli_ending_fits(const cli_job *job, const char *ending, char kind[16]);
/* The first format that has the name's ending; NULL: none. */
const lvl_format *cli_format_of_ending(const char *name);
/* Whether the name has an ending of the format or of one of its forms. */
bool cli_is_named_as(const char *name, const lvl_format *format);

/* ---- the verbs ----------------------------------------------------------------------------------------- */

/* cmd_info and so on: each returns the exit code. */
#define CLI_VERB_RUN(NAME, name) int cmd_##name(cli *c);
CLI_VERBS(CLI_VERB_RUN)

#endif
