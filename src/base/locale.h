/*
 * base/locale.h: names in UTF-8 for libraries that go by the locale.
 */
#ifndef LVL_BASE_LOCALE_H
#define LVL_BASE_LOCALE_H

#include "base/buffer.h"

#include <wchar.h>

/* What this thread's locale was. */
typedef struct lvl_locale {
    void *made, *before;
} lvl_locale;

/* From now on texts of this thread are UTF-8, whatever the environment says; without effect where the system
 * has no such locale, and on Windows, whose libraries have names in UTF-16 anyway. */
lvl_locale lvl_locale_begin(void);
void lvl_locale_end(const lvl_locale *locale);

/* Appends such a name of Windows in UTF-8, with its NUL. False: `wide` is NULL or no text, or this is another
 * system. */
bool lvl_locale_put_wide(lvl_buffer *out, const wchar_t *wide);

#ifdef _WIN32
/* A text of Windows in UTF-8, to be freed; half a surrogate pair becomes U+FFFD. NULL, with errno: no
 * memory. */
char *lvl_locale_narrow(const wchar_t *wide);
#endif

#endif
