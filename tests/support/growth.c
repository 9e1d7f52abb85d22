/*
 * support/growth.c: see support/growth.h.
 */
#include "growth.h"

#include <stdio.h>
#include <time.h>
#if defined(_WIN32)
#include <windows.h>
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

double lvl_cpu_seconds(void)
{
#if defined(_WIN32) /* its clock() is that of the wall */
    FILETIME begin, end, kernel, user;

    GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user);
    return ((double)kernel.dwHighDateTime + user.dwHighDateTime) * 429.4967296 +
           ((double)kernel.dwLowDateTime + user.dwLowDateTime) * 1e-7;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

bool lvl_can_time(void)
{
    return !SANITIZED;
}

bool lvl_grows_linearly(const char *what, lvl_timed_fn work, const void *user, uint32_t n)
{
    double half = 1e9, once = 1e9, twice = 1e9;
    bool fine = false;

    for (int round = 0; round < 6 && !fine; round++) {
        const double b = work(user, n * 2);
        twice = b < twice ? b : twice;
        fine = SANITIZED || twice < 0.05;
        if (fine)
            break;
        const double a = work(user, n);
        once = a < once ? a : once;
        fine = twice < once * 2.5;
    }
    /* When caches are shared with busy processes, the larger input loses more by it: a wider range is more
     * reliable. */
    for (int round = 0; round < 6 && !fine; round++) {
        const double a = work(user, n / 2), b = work(user, n * 2);
        half = a < half ? a : half;
        twice = b < twice ? b : twice;
        fine = twice < half * 8;
    }
    if (what && once < 1e9)
        printf("%-32s %8.1f ms, twice the input %8.1f ms%s\n", what, once * 1e3, twice * 1e3,
               fine ? "" : ": grows faster than the input");
    else if (what)
        printf("%-32s twice the input %8.1f ms\n", what, twice * 1e3);
    return fine;
}
