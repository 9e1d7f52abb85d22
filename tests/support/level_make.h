/*
 * support/level_make.h: levels of the Graal family built record by record, for tests of operations on
 * records.
 */
#ifndef LVL_TEST_LEVEL_MAKE_H
#define LVL_TEST_LEVEL_MAKE_H

#include <lvl/graal.h>

/* A level of that version with a board of `tile`. Like all functions here, fails the test without memory. */
lvl_doc *lvl_make_level(const lvl_ctx *ctx, lvl_graal_version version, unsigned tile);
void lvl_make_tile(lvl_doc *doc, unsigned x, unsigned y, unsigned tile);
/* Texts are borrowed. */
void lvl_make_link(lvl_doc *doc, const char *level, double x, double y, double w, double h,
                   const char *dest_x, const char *dest_y);
void lvl_make_baddy(lvl_doc *doc, int x, int y, int type, const char *attack, const char *hurt,
                    const char *win);
void lvl_make_npc(lvl_doc *doc, double x, double y, const char *image, const char *script);
void lvl_make_chest(lvl_doc *doc, int x, int y, int item, int sign);
void lvl_make_sign(lvl_doc *doc, int x, int y, const char *text);

/* A level with some of everything that the version can store. */
lvl_doc *lvl_make_full(const lvl_ctx *ctx, lvl_graal_version version);

/* The number of findings with that id. */
size_t lvl_count_of(const lvl_findings *findings, const char *id);

#endif
