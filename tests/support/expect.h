/*
 * support/expect.h: expectations that many tests of documents share, as cmocka assertions.
 */
#ifndef LVL_TEST_EXPECT_H
#define LVL_TEST_EXPECT_H

#include "measure.h"

#include <lvl/doc.h>

#include <string.h>

static inline lvl_bytes lvl_bytes_of(const char *text)
{
    return (lvl_bytes){(const uint8_t *)text, strlen(text)};
}
static inline lvl_bytes lvl_bytes_in(const lvl_buffer *buf)
{
    return (lvl_bytes){buf->data, buf->len};
}

/* The text contains this part, or does not; otherwise the text is printed. Of a buffer: its data, which
 * ends with 0. */
void lvl_expect_text(const void *text, const char *part, bool wanted, const char *file, int line);
#define lvl_expect_in(text, part)     lvl_expect_text(text, part, true, __FILE__, __LINE__)
#define lvl_expect_not_in(text, part) lvl_expect_text(text, part, false, __FILE__, __LINE__)

/* How many findings have this id. */
size_t lvl_count_id(const lvl_findings *findings, const char *id);
/* The document is written as these bytes. If they differ, both are printed, unless they are binary. */
void lvl_expect_written(const lvl_doc *doc, lvl_bytes want);
/* Files of that name (NULL: none) with this text are of the format, or are not. */
typedef struct lvl_probe_case {
    const char *text, *name;
    bool ours;
} lvl_probe_case;
void lvl_expect_probed(const lvl_format *format, const lvl_probe_case *cases, size_t count);
/* Every file with this extension in a folder of the corpus ("graal/gmap") is written byte for byte, and each
 * bit belongs to exactly one part. Returns the counts; skips the test if there is no corpus. */
lvl_measure lvl_expect_corpus_exact(const char *folder, const char *extension);

#endif
