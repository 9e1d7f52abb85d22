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

bool cat_date_of_path(const char *path, char out[11])
{
    const size_t len = strlen(path);
    bool found = false;

    for (size_t i = 0; i + 8 <= len; i++) {
        if (i && lvl_is_digit(path[i - 1]))
            continue;
        const int year = number_at(path, i, 4);
        const size_t gap = path[i + 4] && strchr("-_.", path[i + 4]) ? 1 : 0;
        if (year < 1990 || year > 2100 || i + 8 + 2 * gap > len)
            continue;
        const int month = number_at(path, i + 4 + gap, 2), day = number_at(path, i + 6 + 2 * gap, 2);
        if ((gap && path[i + 7] != path[i + 4]) || month < 1 || month > 12 || day < 1 || day > 31 ||
            lvl_is_digit(path[i + 8 + 2 * gap]))
            continue;
        snprintf(out, 11, "%04d-%02d-%02d", year, month, day);
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
