/*
 * catalogue/find.h: the parts of a search that have files of their own.
 */
#ifndef LVL_CATALOGUE_FIND_H
#define LVL_CATALOGUE_FIND_H

#include "catalogue/query.h"

/* LVL_FIND_WORDS. */
lvl_status cat_find_words(cat_query *q, lvl_buffer *why);
/* LVL_FIND_LIKE. */
lvl_status cat_find_like(cat_query *q, lvl_buffer *why);
/* After a search without a hit: reports a value that occurs nowhere. */
lvl_status cat_find_hint(cat_query *q, lvl_buffer *why);

#endif
