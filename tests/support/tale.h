/*
 * tale.h: a small text format for testing the tools on what text levels have: records on lines, texts of
 * lines that are parts, reals, lists of reals, and spelling kept in records. It is in no table of formats.
 * Two formats, tale and saga, share its table and read the same files.
 *
 *     TALE 1
 *     HEIGHTS 1.5 2
 *     DOTS ab                      two bytes, three numbers of 5, 5 and 6 bits
 *     ACTOR 3.5 -1 old_door        one line break or more before it are kept as `gap`; the line itself where
 *                                  we would write it otherwise
 *     |a line of its script
 *     SIGN 7 8
 *     |a line of its text
 */
#ifndef TALE_H
#define TALE_H

#include "base/format.h"

typedef struct tale_actor {
    double x, y;
    lvl_text name, script;
    uint8_t gap; /* kept: 0 … 3 empty lines before it */
    lvl_text line; /* kept */
} tale_actor;

typedef struct tale_sign {
    int32_t x, y;
    lvl_text text;
} tale_sign;

typedef struct tale {
    uint8_t version; /* 0 or 1; no default */
    tale_actor *actors;
    tale_sign *signs;
    double *heights;
    lvl_text dots;
    uint32_t actor_count, sign_count, height_count;
    uint8_t line_end; /* kept: 0 LF, 1 CRLF */
} tale;

extern const lvl_format tale_format, saga_format;

/* Reads it; aborts the test on failure. */
lvl_doc *tale_doc(const lvl_ctx *ctx, const char *text);

#endif
