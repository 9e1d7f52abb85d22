/*
 * cli/pages/view.h: the parts of `lvl view': the files that drawing a level reads (cmd_view.c), for one page
 * or for a site of many levels (view_site.c).
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
    /* If not NULL: gets the picture of the file that is added, of at most `picture_side` px. It is drawn
     * in the pass that finds out what drawing reads. */
    lvl_image *picture;
    uint32_t picture_side;
    lvl_status drawn; /* whether it could be drawn; LVL_ERR_UNSUPPORTED: it has none */
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

/* `lvl view --site'. */
int cli_view_site(cli *c);
/* Levels of which the viewer gets its data, and nothing else is written. */
typedef struct cli_view_wanted {
    /* The id of the input with this name; false: it is none of them. */
    bool (*find)(void *user, const char *name, char id[CLI_VIEW_ID]);
    /* Its data were saved. */
    void (*saved)(void *user, const char *name);
    void *user;
} cli_view_wanted;
/* Writes lvl.html, levels/ and files/ of a site below -o, of the inputs that are wanted. *no_page: nothing
 * was written, since the viewer's page is not installed, which was reported, and is no failure unless the
 * user named it. An exit code. */
int cli_view_levels(cli *c, const cli_view_wanted *wanted, bool *no_page);
/* Saves a file "FOLDER""NAME""ENDING" below -o. */
bool cli_view_save(cli_job *job, const char *folder, const char *name, const char *ending, lvl_bytes bytes);
/* Saves the pages of the index, with those about levels. */
bool cli_view_pages(cli_job *job, bool of_levels);

#endif
