/*
 * container/archive_calls.c: see container/archive_calls.h. libarchive brings twelve other libraries, which
 * take half the time of a short command, so it is opened when the first archive is.
 */
#include "container/archive_calls.h"

#include "os/library.h"

#include <string.h>

#ifdef LVL_HAVE_ARCHIVE

#ifdef LVL_ARCHIVE_SONAME

lvl_status lvl_archive_calls_begin(lvl_archive_calls *calls)
{
    memset(calls, 0, sizeof *calls);
    calls->library = lvl_library_open(LVL_ARCHIVE_SONAME);
    bool good = calls->library != NULL;
#define FIND(name) good = good && lvl_library_find(calls->library, #name, &calls->name);
    LVL_ARCHIVE_CALLS(FIND)
#undef FIND
    return good ? LVL_OK : LVL_ERR_UNSUPPORTED;
}

#else

lvl_status lvl_archive_calls_begin(lvl_archive_calls *calls)
{
#define LINKED(name) .name = name,
    *calls = (lvl_archive_calls){LVL_ARCHIVE_CALLS(LINKED)};
#undef LINKED
    return LVL_OK;
}

#endif

void lvl_archive_calls_end(lvl_archive_calls *calls)
{
    lvl_library_close(calls->library);
}

#endif
