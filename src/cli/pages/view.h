/*
 * cli/pages/view.h: the parts of `lvl view': the files that drawing a level reads, for one page (cmd_view.c)
 * or for a site of many levels (site_viewer.c).
 */
#ifndef LVL_CLI_VIEW_H
#define LVL_CLI_VIEW_H

#include "cli/cli.h"

/* A file of a page. */
typedef struct part {
    char *path; /* full */
    lvl_buffer bytes;
    bool given; /* by the user, not only read to draw */
} part;

typedef struct view {
    cli *c;
    lvl_files files;
    lvl_art *art;
    part *parts;
    size_t count, cap;
    cli_strings roots; /* --art and LVL_ART; full paths, to be freed */
    char *open; /* the file that the page opens: the first one that was named; or NULL */
    bool no_memory;
    /* If not NULL: only files below this folder, and the art that the user named, are read. */
    const char *folder;
    size_t given_roots; /* of `roots`, those that the user named */
    cli_strings *refused; /* gets the files that were not read because of that, sorted; to be freed */
} view;

/* An id of some bytes in names of files: the start of their SHA-256, in hex. */
enum { CLI_VIEW_ID = 21 };
void cli_view_id(lvl_bytes bytes, char id[CLI_VIEW_ID]);

/* An empty view with the art that the user named. False: no memory; also then cli_view_end frees it. */
bool cli_view_begin(view *v, cli *c);
/* Adds the job's file, whose document was read, and what drawing it reads. */
void cli_view_add(view *v, cli_job *job);
/* Sorts the files, and leaves out members of archives that are there as a whole; returns how many bytes of
 * the paths are the folder that all have in common. */
size_t cli_view_arrange(view *v);
void cli_view_end(view *v);

/* The inside of {"open":PATH,"art":[ROOT…],"files":[{"path":PATH,"base64":"…"}…]}, or with the size or the id
 * of each file instead. `cut`: what paths leave out at their start. */
typedef enum cli_view_content { CLI_VIEW_BYTES, CLI_VIEW_SIZES, CLI_VIEW_IDS } cli_view_content;
void cli_view_files(const view *v, size_t cut, cli_view_content content, lvl_buffer *out);
/* The viewer's page with an element before its scripts; `scripts`: it may load scripts from its own folder.
 * An exit code. */
int cli_view_page(cli *c, lvl_text element, bool scripts, lvl_buffer *out);

/* The path of the viewer's page: --page, or the file beside the installed program or in the build folder. To
 * be freed; NULL: not found, which is reported. */
char *cli_view_page_path(cli *c);
/* Whether a file lies below a folder, also by the links on the way to it. */
bool cli_view_is_below(const char *path, const char *folder);

#endif
