/*
 * os/locale.h: UTF-8 names for libraries that depend on the locale.
 */
#ifndef LVL_OS_LOCALE_H
#define LVL_OS_LOCALE_H

#include <stdbool.h>
#include <wchar.h>

/* The previous locale of this thread. */
typedef struct lvl_locale {
    void *made, *before;
} lvl_locale;

/* Sets this thread's locale to UTF-8, whatever the environment says. No effect where the system has no such
 * locale, and on Windows, whose libraries use UTF-16 names. */
lvl_locale lvl_locale_begin(void);
void lvl_locale_end(const lvl_locale *locale);

#ifdef _WIN32
/* A UTF-16 string of Windows in UTF-8, to be freed. Half a surrogate pair becomes U+FFFD; with `strict`, it
 * gives NULL. NULL, with errno: out of memory. */
char *lvl_locale_narrow(const wchar_t *wide, bool strict);
#endif

#endif
