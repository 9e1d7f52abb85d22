/*
 * lines/text.c: how the lines of a text end.
 */
#include "lines/text.h"

bool lvl_lines_are_crlf(lvl_text text)
{
    const char *p = text.ptr, *end = p + text.len, *nl = text.len ? memchr(p, '\n', text.len) : NULL;
    bool others = false;

    if (!nl)
        return false;
    const bool first = nl > p && nl[-1] == '\r';
    /* in nearly all files the second line ends as the first does */
    for (p = nl + 1; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL; p = nl + 1) {
        if ((nl > p && nl[-1] == '\r') == first)
            return first;
        others = true;
    }
    return others ? !first : first;
}
