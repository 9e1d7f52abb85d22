/*
 * catalogue/dates.c: see dates.h.
 */
#include "catalogue/dates.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* A number of `len` digits at `at`, or -1. */
static int number_at(const char *text, size_t at, size_t len)
{
    int n = 0;

    for (size_t i = 0; i < len; i++) {
        if (!lvl_is_digit(text[at + i]))
            return -1;
        n = n * 10 + (text[at + i] - '0');
    }
    return n;
}

typedef struct path_day {
    int year, month, day;
} path_day;

static bool is_day(const path_day *d)
{
    return d->year >= 1990 && d->year <= 2100 && d->month >= 1 && d->month <= 12 && d->day >= 1 &&
           d->day <= 31;
}

/* "2004-05-31", "2004_05_31", "2004.05.31" or "20040531". */
static bool read_year_first(const char *text, size_t len, path_day *out)
{
    const size_t gap = len > 4 && strchr("-_.", text[4]) ? 1 : 0;

    if (len < 8 + 2 * gap || (gap && text[7] != text[4]) || lvl_is_digit(text[8 + 2 * gap]))
        return false;
    *out = (path_day){number_at(text, 0, 4), number_at(text, 4 + gap, 2), number_at(text, 6 + 2 * gap, 2)};
    return is_day(out);
}

/* "31.05.2004", or with other separators if only one of the two can be a month. */
static bool read_year_last(const char *text, size_t len, path_day *out)
{
    if (len < 10 || !strchr("-_.", text[2]) || text[5] != text[2] || lvl_is_digit(text[10]))
        return false;
    *out = (path_day){number_at(text, 6, 4), number_at(text, 3, 2), number_at(text, 0, 2)};
    const path_day other = {out->year, out->day, out->month};
    if (is_day(out) && (text[2] == '.' || !is_day(&other)))
        return true;
    *out = other;
    return is_day(&other) && other.day > 12;
}

bool cat_date_of_path(const char *path, char out[11])
{
    const size_t len = strlen(path);
    bool found = false;

    for (size_t i = 0; i + 8 <= len; i++) {
        path_day d;
        if ((i && lvl_is_digit(path[i - 1])) || !lvl_is_digit(path[i]) ||
            (!read_year_first(path + i, len - i, &d) && !read_year_last(path + i, len - i, &d)))
            continue;
        snprintf(out, 11, "%04d-%02d-%02d", d.year, d.month, d.day);
        found = true;
    }
    return found;
}

bool cat_date_of_time(int64_t seconds, char out[11])
{
    /* the calendar of 400 years of 146,097 days each, from 0000-03-01 on */
    const int64_t days = seconds / 86400 - (seconds % 86400 < 0) + 719468;
    const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    const int64_t doe = days - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    const int64_t day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;
    const int64_t year = yoe + era * 400 + (month <= 2);

    if (!seconds || year < 1 || year > 9999)
        return false;
    snprintf(out, 11, "%04d-%02d-%02d", (int)year, (int)month, (int)day);
    return true;
}

int64_t cat_day_of(const char date[11], bool of_path)
{
    const int day = number_at(date, 0, 4) * 10000 + number_at(date, 5, 2) * 100 + number_at(date, 8, 2);

    return of_path ? -day : day;
}
