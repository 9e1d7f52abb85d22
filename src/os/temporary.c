/*
 * os/temporary.c: temporary files, and removing those left by killed processes.
 */
#include "os/file_os.h"

#include <ctype.h>
#include <inttypes.h>
#include <time.h>

enum { DIGITS = 16 };

lvl_status lvl_temporary_save(char **path, const char *folder, const char *prefix, const char *ending,
                              lvl_bytes bytes, lvl_file_error *why)
{
    const size_t size = strlen(folder) + strlen(prefix) + strlen(ending) + DIGITS + 2;
    lvl_status status = LVL_OK;
    uint64_t number;
    int fd = -1;

    *path = malloc(size);
    if (!*path)
        return LVL_ERR_MEMORY;
    for (int tries = 0; fd < 0 && tries < 100; tries++) {
        if (!lvl_os_random(&number))
            break;
        snprintf(*path, size, "%s/%s%0*" PRIx64 "%s", folder, prefix, DIGITS, number, ending);
        fd = lvl_os_open(*path, O_WRONLY | O_CREAT | O_EXCL | OS_OPEN_FLAGS, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0) {
        status = lvl_file_fail(why, "create a temporary file");
    } else {
        for (size_t done = 0; done < bytes.len && status == LVL_OK;) {
            const size_t rest = bytes.len - done;
            const long n = lvl_os_write(fd, bytes.ptr + done, rest < MAX_IO ? rest : MAX_IO);
            if (n > 0)
                done += (size_t)n;
            else if (n == 0 || errno != EINTR)
                status = lvl_file_fail(why, "write");
        }
        if (lvl_os_close(fd) != 0 && status == LVL_OK)
            status = lvl_file_fail(why, "close");
        if (status != LVL_OK)
            lvl_os_unlink(*path);
    }
    if (status != LVL_OK) {
        free(*path);
        *path = NULL;
    }
    return status;
}

void lvl_temporary_remove(const char *path)
{
    if (path)
        lvl_os_unlink(path);
}

/* Whether lvl_temporary_save makes such names. */
static bool is_ours(const char *name, const char *prefix, const char *ending)
{
    const size_t len = strlen(prefix);

    return strncmp(name, prefix, len) == 0 && strspn(name + len, "0123456789abcdef") == DIGITS &&
           strcmp(name + len + DIGITS, ending) == 0;
}

void lvl_temporary_clean(const char *folder, const char *prefix, const char *ending, int64_t seconds)
{
    const int64_t now = (int64_t)time(NULL);
    lvl_file_list list;
    int64_t changed;

    if (lvl_folder_list(&list, folder, NULL) != LVL_OK)
        return;
    for (size_t i = 0; i < list.count; i++) {
        const size_t size = strlen(folder) + strlen(list.names[i]) + 2;
        char *path = is_ours(list.names[i], prefix, ending) ? malloc(size) : NULL;
        if (path) {
            snprintf(path, size, "%s/%s", folder, list.names[i]);
            if (lvl_os_is_own(path, &changed) && now - changed > seconds)
                lvl_os_unlink(path);
        }
        free(path);
    }
    lvl_file_list_free(&list);
}

/* Parses the name of a temporary file of os/save.c, ".NAME.lvlPROCESS-NUMBER", both in hexadecimal. False:
 * it is another name. */
static bool is_unfinished(const char *name, unsigned long *process)
{
    static const char mark[] = ".lvl";
    const char *last = NULL;
    char *end;

    for (const char *at = name; (at = strstr(at, mark)) != NULL; at++)
        last = at;
    if (name[0] != '.' || !last || last == name || !isxdigit((unsigned char)last[sizeof mark - 1]))
        return false;
    *process = strtoul(last + sizeof mark - 1, &end, 16);
    if (*end != '-' || !isxdigit((unsigned char)end[1]))
        return false;
    return end[1 + strspn(end + 1, "0123456789abcdef")] == 0;
}

void lvl_folder_clean(const char *path)
{
    lvl_file_list list;
    unsigned long process;
    int64_t changed;

    if (lvl_folder_list_hidden(&list, path, NULL) != LVL_OK)
        return;
    for (size_t i = 0; i < list.count; i++) {
        if (!is_unfinished(list.names[i], &process) || lvl_os_is_alive(process))
            continue;
        const size_t size = strlen(path) + strlen(list.names[i]) + 2;
        char *full = malloc(size);
        if (full) {
            snprintf(full, size, "%s/%s", path, list.names[i]);
            if (lvl_os_is_own(full, &changed))
                lvl_os_unlink(full);
        }
        free(full);
    }
    lvl_file_list_free(&list);
}

bool lvl_file_remove_below(const char *path, size_t root)
{
    return lvl_file_kind_of(path) == LVL_FILE_REGULAR && lvl_file_stays_below(path, root) &&
           lvl_os_unlink(path) == 0;
}
