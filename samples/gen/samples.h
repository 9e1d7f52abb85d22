/*
 * All samples, made in memory: the program writes them to a folder, the test compares them with what is committed.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <lvl/doc.h>

/* Called once for each file, in a fixed order; `path` is relative to samples/. */
typedef void (*sample_fn)(void *user, const char *path, lvl_bytes bytes);

/* False when a file can't be made; a line on stderr says which. */
bool samples_make(sample_fn emit, void *user);

#endif
