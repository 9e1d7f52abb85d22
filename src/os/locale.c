/*
 * os/locale.c: see locale.h.
 */
#if !defined(_WIN32) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE
#endif
#include "os/locale.h"

#include <stddef.h>

#ifdef _WIN32

#include <errno.h>
#include <stdlib.h>
#include <windows.h>

lvl_locale lvl_locale_begin(void)
{
    return (lvl_locale){NULL, NULL};
}

void lvl_locale_end(const lvl_locale *locale)
{
    (void)locale;
}

char *lvl_locale_narrow(const wchar_t *wide, bool strict)
{
    const DWORD flags = strict ? WC_ERR_INVALID_CHARS : 0;
    const int n = WideCharToMultiByte(CP_UTF8, flags, wide, -1, NULL, 0, NULL, NULL);
    char *text = n > 0 ? malloc((size_t)n) : NULL;

    if (text && !WideCharToMultiByte(CP_UTF8, flags, wide, -1, text, n, NULL, NULL)) {
        free(text);
        text = NULL;
    }
    if (!text)
        errno = ENOMEM;
    return text;
}

#else

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

lvl_locale lvl_locale_begin(void)
{
    static const char *const names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"};
    locale_t made = (locale_t)0;

    for (size_t i = 0; i < sizeof names / sizeof *names && !made; i++)
        made = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
    return (lvl_locale){made, made ? uselocale(made) : NULL};
}

void lvl_locale_end(const lvl_locale *locale)
{
    if (!locale->made)
        return;
    uselocale((locale_t)locale->before);
    freelocale((locale_t)locale->made);
}

#endif
