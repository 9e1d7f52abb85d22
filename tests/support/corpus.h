/*
 * support/corpus.h: files for tests: reading one, listing a folder in a fixed order, and the corpus of real
 * files, which is never in the repository. Without a corpus, lvl_corpus_dir returns NULL and the test skips
 * with a message.
 */
#ifndef LVL_TEST_CORPUS_H
#define LVL_TEST_CORPUS_H

#include <lvl/base.h>

/* LVL_CORPUS, else ../shared/corpus, if that is a folder; otherwise NULL, with a message on stderr. Static
 * storage. */
const char *lvl_corpus_dir(void);
/* LVL_SAMPLES, else samples, if that is a folder; or NULL. */
const char *lvl_samples_dir(void);

/* A whole file in memory from malloc (never NULL for an empty file); NULL if it cannot be read. */
uint8_t *lvl_slurp(const char *path, size_t *len);
/* Up to `size` bytes of the file's head and of its tail; false if it cannot be opened. `*total` gets the
 * file's size. */
bool lvl_slurp_ends(const char *path, uint8_t *head, size_t *head_len, uint8_t *tail, size_t *tail_len,
                    size_t size, uint64_t *total);

/* The paths of all plain files below a folder that have one of the extensions (blank-separated, without
 * dots, any case; NULL: all files), sorted. Links are not followed. */
typedef struct lvl_paths {
    char **items;
    size_t count, cap;
} lvl_paths;

bool lvl_paths_below(lvl_paths *out, const char *dir, const char *endings);
void lvl_paths_free(lvl_paths *paths);
/* The part after the last slash. */
const char *lvl_path_name(const char *path);

#endif
