/*
 * cli/pages/gallery.h: the parts of `lvl gallery': the levels of a catalogue (gallery_levels.c), the pages
 * that are made of them (gallery_pages.c), and their words (gallery_words.c). The verb: cmd_gallery.c.
 */
#ifndef LVL_CLI_GALLERY_H
#define LVL_CLI_GALLERY_H

#include "cli/pages/view.h"

#include <lvl/catalogue.h>

/* A level. Texts are places in `strings`; 0: an empty one. */
typedef struct gallery_level {
    int64_t file; /* its id in the catalogue */
    const lvl_format *format;
    uint64_t size;
    size_t path, name, kind, version, verdict, content, date, title, author, game, facts;
    uint32_t first,
        next; /* of the same content: the row of the first one, and of the next; UINT32_MAX: none */
    uint32_t copies; /* how many have this content, this one included */
    char id[CLI_VIEW_ID];
    bool picture, viewer, written;
} gallery_level;

/* Something that a row has in common with another one: a link, likeness. */
typedef struct gallery_relation {
    uint32_t row, other, percent;
} gallery_relation;

typedef struct gallery_relations {
    gallery_relation *items; /* by `row`, then the most similar first */
    size_t count, cap;
} gallery_relations;

typedef struct gallery {
    cli *c;
    lvl_catalogue *catalogue;
    lvl_buffer strings;
    gallery_level *levels; /* as they are shown; an index is called a row */
    size_t count, cap;
    uint32_t *by_file, *by_name, *by_path; /* rows, sorted; of one name, in their order */
    gallery_relations from, alike;
    size_t folded; /* levels whose content an earlier one has */
    size_t cut; /* the folder that all paths have in common */
    lvl_status status; /* of the callbacks of queries */
    cli_job *job; /* while files are written */
    bool stopped; /* a file could not be written, which the job reports */
} gallery;

/* ---- the levels of a catalogue (gallery_levels.c) ----------------------------------------------------- */

/* Reads all levels of the open catalogue. An exit code, also below. */
int gallery_read_levels(gallery *g);
/* Reads which levels lead to which, and which are similar. */
int gallery_read_relations(gallery *g);
void gallery_free(gallery *g);
/* Runs a query with g->status as that of its callback; what fails is reported. */
int gallery_query(gallery *g, const char *sql, lvl_catalogue_row_fn row, void *user);

/* A text of a level. */
const char *gallery_string(const gallery *g, size_t at);
/* A path without the folder that all have in common. */
const char *gallery_path(const gallery *g, const gallery_level *l);
/* A number in a row of a query. */
int64_t gallery_number(const lvl_catalogue_value *v);
/* The row of a file; UINT32_MAX: it is no level. */
uint32_t gallery_row_of(const gallery *g, int64_t file);
/* NULL: none has that path. */
gallery_level *gallery_level_at(const gallery *g, const char *path);
/* The level that `target` names in the level of a row: of several, the nearest one. UINT32_MAX: none. */
uint32_t gallery_find_target(const gallery *g, uint32_t row, lvl_text target);
/* Rows in the order of one of their texts, a member of gallery_level; to be freed, NULL without memory. */
uint32_t *gallery_rows_by(const gallery *g, size_t member);
/* How many bytes at their start the paths of two rows share. */
size_t gallery_shared_path(const gallery *g, uint32_t a, uint32_t b);
/* Where rows with a name begin in by_name. */
size_t gallery_first_named(const gallery *g, const char *name);
/* Where those of a row begin. */
size_t gallery_first_relation(const gallery_relations *list, uint32_t row);

/* ---- the files of the site ---------------------------------------------------------------------------- */

/* Saves a file, unless a buffer has failed. False: the site ends here (g->status, g->stopped). */
bool gallery_save(gallery *g, const char *folder, const char *name, const char *ending,
                  const lvl_buffer *bytes);
/* Pictures, the pages about levels, and the index, whose words are in `shards` files. */
int gallery_write_pictures(gallery *g);
int gallery_write_pages(gallery *g);
bool gallery_write_index(gallery *g, uint32_t shards);
/* Removes files that an earlier site had and this one has not, by the list of these, and writes the list
 * anew. `written`: the names of all files of this one, each ended by a NUL (gallery_files.c). */
int gallery_clean(gallery *g, const lvl_buffer *written);
/* *shards: how many files the words are in. */
int gallery_write_words(gallery *g, uint32_t *shards);

#endif
