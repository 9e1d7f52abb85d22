/*
 * From drawings and worlds to files, through the library's writers.
 */
#ifndef SAMPLES_FILES_H
#define SAMPLES_FILES_H

#include "samples.h"
#include "world.h"

/* A growing list of files, in memory. */
typedef struct file_list {
    int count, room;
    struct file_item {
        char path[128];
        lvl_buffer bytes;
    } * item;
} file_list;

/* The bytes belong to the list, until files_free. Ends the program without memory. */
struct file_item *files_add(file_list *list, const char *path);
const struct file_item *files_find(const file_list *list, const char *path);
void files_free(file_list *list);

/* Each appends one file's bytes, or ends the program with a line that says why it can't. */
void write_pid(lvl_buffer *out, const canvas *picture, int offset_x, int offset_y, bool skip_runs);
void write_pcx(lvl_buffer *out, const canvas *picture); /* 24-bit, in the world's colours */
void write_pal(lvl_buffer *out);
void write_ani(lvl_buffer *out, const sprite *s, const char *name);
/* An archive of files, whose paths have '/' between their parts; they are sorted. */
void write_rez(lvl_buffer *out, const file_list *files);

/* The art of a world's tile sets below `folder` ("LEVEL1/TILES"), and of the sprites whose folder begins with one of `roots`. */
void add_tiles(file_list *list, const world *w, const char *folder);
void add_sprites(file_list *list, const char *root);

/* How a level is written. */
typedef struct level_style {
    bool stored;
    uint32_t compression, checksum_rule;
    bool trailer; /* WapMap's */
} level_style;
void write_level(lvl_buffer *out, const world *w, const level_style *style);

/* damage.c: the same level in another layout, and twins of it that something happened to. `stored` and `packed` are the sound ones. */
void write_odd_layout(lvl_buffer *out, lvl_bytes stored);
void add_damaged(file_list *list, const char *folder, world *w, lvl_bytes stored, lvl_bytes packed);

#endif
