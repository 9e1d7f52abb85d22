/*
 * catalogue/dates.h: when a version of a file was made. Any thread; no errors.
 */
#ifndef LVL_CATALOGUE_DATES_H
#define LVL_CATALOGUE_DATES_H

#include <lvl/base.h>

/* The last date in a path, as YYYY-MM-DD, 2004_05_31 or 20040531; false: none. */
bool cat_date_of_path(const char *path, char out[11]);
/* Of seconds since 1970 UTC; false: 0, which is not known, or outside of the years 1 to 9999. */
bool cat_date_of_time(int64_t seconds, char out[11]);
/* "2004-05-31" as 20040531, negative if it is from the path. */
int64_t cat_day_of(const char date[11], bool of_path);

#endif
