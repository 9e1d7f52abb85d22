/*
 * cli/pages/site.h: a site of levels, as `lvl gallery' and `lvl view --site' write it from a catalogue. It
 * works from a disk, where a page may load scripts but read no files: so all data are scripts.
 *
 *     index.html, names-N.html, level.html, site.css, site.js, level.js, icon.svg    from web/site
 *     levels.js, levels-N.js      the index (site_index.c)
 *     words-N.js                  the words of all texts, for the search (site_words.c)
 *     about/ID.js                 what level.html?level=ID shows (site_pages.c)
 *     pictures/ID.png
 *     lvl.html                    the viewer, and its data (site_viewer.c):
 *     levels/ID.js                lvlLevel({open, art, files: [{path, id}], previous, next})
 *     files/ID.js                 lvlFile(ID, BASE64): content that levels share, once
 *     lvl-files.txt               all of these (site_list.c)
 *
 * IDs are hashes: of the content for files; for levels of the path (name_levels in site_levels.c), so that
 * their addresses stay.
 */
#ifndef LVL_CLI_SITE_H
#define LVL_CLI_SITE_H

#include "cli/pages/view.h"

#include <lvl/catalogue.h>

/* Why a level has no data for the viewer. */
typedef enum site_refusal {
    SITE_GONE, /* the file is not there, or cannot be read */
    SITE_OUTSIDE, /* it does not lie below the folder that the user named */
    SITE_CHANGED, /* its content is not the one that was scanned */
    SITE_PUBLISHED /* it has */
} site_refusal;

/* A level. Texts are places in `strings`; 0: an empty one. */
typedef struct site_level {
    int64_t file; /* its id in the catalogue */
    const lvl_format *format;
    uint64_t size;
    size_t path, name, shown, sha256, kind, version, verdict, content, date, title, author, game, facts;
    uint32_t first,
        next; /* of the same content: the row of the first one, and of the next; UINT32_MAX: none */
    uint32_t copies; /* how many have this content, this one included */
    char id[CLI_VIEW_ID];
    bool picture, written;
    site_refusal refusal;
} site_level;

/* Something that a row has in common with another one: a link, likeness. */
typedef struct site_relation {
    uint32_t row, other, percent;
} site_relation;

typedef struct site_relations {
    site_relation *items; /* by `row`, then the most similar first */
    size_t count, cap;
} site_relations;

typedef struct site {
    cli *c;
    lvl_catalogue *catalogue;
    const cli_strings
        *given; /* `lvl view --site': the files and folders that the user named; else NULL, and */
    const char *folder; /* of files only those below it are published */
    lvl_buffer strings;
    site_level *levels; /* as they are shown; an index is called a row */
    size_t count, cap;
    uint32_t *by_file, *by_name, *by_path; /* rows, sorted; of one name, in their order */
    site_relations from, alike;
    size_t folded; /* levels whose content an earlier one has */
    lvl_status status; /* of the callbacks of queries */
    cli_job *job; /* while files are written */
    bool stopped; /* a file could not be written, which the job reports */
    cli_strings refused; /* files that levels are drawn with, and that are not published; to be freed */
    lvl_buffer written; /* the names of all files, each ended by a NUL */
} site;

/* Writes the site of a catalogue into -o. `given`, `folder`: as above. An exit code. */
int cli_site(cli *c, lvl_catalogue *catalogue, const cli_strings *given, const char *folder);
/* Whether -o can be the folder of a site: an exit code. */
int cli_site_output(cli *c);

/* ---- the levels of a catalogue (site_levels.c) -------------------------------------------------------- */

/* Reads all levels of the open catalogue. An exit code, also below. */
int site_read_levels(site *s);
/* Reads which levels lead to which, and which are similar. */
int site_read_relations(site *s);
void site_free(site *s);
/* Runs a query with s->status as that of its callback; what fails is reported. */
int site_query(site *s, const char *sql, lvl_catalogue_row_fn row, void *user);

/* A text of a level. */
const char *site_string(const site *s, size_t at);
/* A number in a row of a query. */
int64_t site_number(const lvl_catalogue_value *v);
/* The row of a file; UINT32_MAX: it is not a level. */
uint32_t site_row_of(const site *s, int64_t file);
/* The row of an input with this name; UINT32_MAX: it is not a level. */
uint32_t site_row_at(const site *s, const char *name);
/* The level that `target` names in the level of a row: of several, the nearest one. UINT32_MAX: none. */
uint32_t site_find_target(const site *s, uint32_t row, lvl_text target);
/* Rows in the order of one of their texts, a member of site_level; to be freed, NULL without memory. */
uint32_t *site_rows_by(const site *s, size_t member);
/* How many bytes at their start the paths of two rows share. */
size_t site_shared_path(const site *s, uint32_t a, uint32_t b);
/* Where rows with a name begin in by_name. */
size_t site_first_named(const site *s, const char *name);
/* Where those of a row begin. */
size_t site_first_relation(const site_relations *list, uint32_t row);

/* ---- its files ---------------------------------------------------------------------------------------- */

/* Saves a file "FOLDER""NAME""ENDING" below -o. False: the site ends here (s->status, s->stopped). */
bool site_save(site *s, const char *folder, const char *name, const char *ending, const lvl_buffer *bytes);
bool site_save_bytes(site *s, const char *folder, const char *name, const char *ending, lvl_bytes bytes);
/* Notes that a file belongs to the site. */
void site_note(site *s, const char *folder, const char *name, const char *ending);

/* Writes lvl.html, and the data of the levels whose files may be published. *no_viewer: nothing was
 * written, since the viewer's page is not installed. */
int site_write_viewer(site *s, bool *no_viewer);
int site_write_pages(site *s);
/* *shards: how many files the words are in. */
int site_write_words(site *s, uint32_t *shards);
/* The index, and the pages that show it. */
bool site_write_index(site *s, uint32_t shards);
/* Removes files that an earlier site had and this one does not, by its list, and writes the new list. */
int site_clean(site *s);

#endif
