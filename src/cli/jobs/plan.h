/*
 * cli/jobs/plan.h: where the results of a run go. It is decided by plan.c, once, before any work: by the
 * options, the traits of the verb, what the verb writes (cli_output), and the inputs. Each input gets a
 * target: a path, or the reason why nothing can be written there. The plan does not change while jobs run.
 * They read, work, and hand the result over to sink.c, the only place that writes results, or with -n lists
 * them; `lvl rename' alone saves all of its files or none (cmd_rename.c).
 */
#ifndef LVL_CLI_JOBS_PLAN_H
#define LVL_CLI_JOBS_PLAN_H

#include <lvl/doc.h>

typedef struct cli cli;
typedef struct cli_archive cli_archive;
typedef struct cli_input cli_input;
typedef struct cli_job cli_job;

/* How the files that a verb writes are named, and where they may go. */
typedef struct cli_output {
    const char *ext; /* the ending of files in -o DIR, "png"; NULL: they keep theirs */
    bool add; /* the ending is appended, and does not replace theirs */
    bool text; /* may be printed on a terminal, and several on stdout one after another */
    const lvl_format *keeps; /* files with an ending of this format keep it, whatever `ext` is; or NULL */
    bool edits; /* the output is the changed input: -o may name a copy of a member's archive */
    bool must; /* -o, -i or -n is required */
    bool apart; /* never in place */
    bool late; /* the name, or whether anything is written, is known only when the job is done */
    bool tree; /* a job writes files of any names below -o DIR, */
    bool whole; /* and it is not known to be few */
    bool folder; /* a job writes files of any names into a folder of its own below -o DIR, called as its file
                    without the ending */
    const char *picture; /* the option that names a picture, whose ending is checked */
    const char *name; /* of the output, if another option than -o has it; or NULL */
    /* files lose .json, and get an ending of this format if they have none; or NULL */
    const lvl_format *undumped;
} cli_output;

typedef enum cli_place {
    CLI_NOWHERE, /* the verb writes nothing by this plan */
    CLI_TO_STDOUT,
    CLI_TO_FILE,
    CLI_TO_FOLDER, /* a file, or several, for each input */
    CLI_IN_PLACE, /* the inputs are changed, or with -n would be */
    CLI_TO_COPY /* the members that are the inputs are changed in a copy of their archive */
} cli_place;

/* Where the result of an input goes. */
typedef struct cli_target {
    char *path; /* the file; of a member, its archive on disk; NULL: standard output, or `refusal` */
    char *refusal; /* why its result cannot go anywhere, and the exit code for that; or NULL */
    int code;
    const cli_input *taken_by; /* another input whose result has that path; or NULL */
    bool member; /* its archive gets it at the end of the run, with those of all other jobs (archives.c) */
} cli_target;

typedef struct cli_plan {
    cli_place place;
    bool replaces; /* an existing file at a target is replaced */
    bool together; /* many new files: flushed to disk once, at the end */
    const char *output; /* the file, folder or copy; else NULL */
    const cli_archive *copied; /* the archive that is copied; it may be a member of another */
    cli_output kind; /* if there are targets, */
    cli_target *targets; /* of each input; or NULL */
    size_t count;
} cli_plan;

/* Makes the plan of the inputs: c->plan. Reports usage errors: outputs that exclude each other, several files
 * for one name, binary data on a terminal. Before inputs are changed, repeated ones are removed. Returns the
 * exit code. */
int cli_plan_make(cli *c, const cli_output *kind);
/* The same for a run that makes one file of all inputs (cli_deliver_whole): standard output, or a file that
 * does not exist, or is replaced. */
int cli_plan_whole(cli *c);
/* The same for a run that writes files of any names below a folder, and has no inputs. */
int cli_plan_folder(cli *c, const char *folder);
/* No plan: at the start, and to free it. */
void cli_plan_none(cli *c);

/* Whether inputs are changed, in place or in a copy of their archive. */
bool cli_changes_inputs(const cli *c);
/* Whether the run may replace this archive, which is read before there is a plan. */
bool cli_plan_may_replace(const cli *c, const char *path);
/* The file that is locked before the job reads anything, since the run replaces it; NULL: none. */
const char *cli_plan_lock(const cli_job *job);
/* How many bytes of the path of an output file name a folder that the user typed, which the file must not
 * leave; 0: the user typed the whole path. */
size_t cli_plan_root(const cli_job *job, const char *path);
/* The target's path, to be freed, for a result of that kind, which may be another one than the plan's; NULL:
 * standard output, or, if *failed, the reason was reported. */
char *cli_target_path(cli_job *job, const cli_output *kind, bool *failed);

/* ---- names that options give files (also for verbs without a plan) ------------------------------------ */

/* Whether the value of -o, or NULL, means standard output. */
bool cli_is_stdout(const char *name);
/* The one rule about existing files: whether what is at the path stays, since nothing allows to replace it.
 * It is asked before the work, and by the writer; a file that appears after that is refused by the save
 * itself. */
bool cli_keeps_file(bool replace, const char *path);
#define CLI_EXISTS "already exists; -y replaces it"
/* An error if the file exists and -y was not given. */
int cli_may_create(cli *c, const char *path);
/* A usage error if the name that an option gives a picture has the ending of another kind of file. */
int cli_picture_check(cli *c, const char *option, const char *name);
/* Whether a name has an ending of files that lvl writes, so it is not a folder's. */
bool cli_names_a_file(const char *name);

#endif
