/*
 * test_windows.c: what only Windows has (built there alone): names and paths of its kinds, files that
 * another program has open, read-only and hidden files. Some of it can only be asked of Windows itself,
 * which wine plays.
 */
#include "os/file_os.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char root[512];

static const char *in_root(const char *name)
{
    static char paths[4][2048];
    static unsigned next;

    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", root, name);
    return paths[next];
}

static int set_up(void **state)
{
    char folder[MAX_PATH];

    (void)state;
    if (!GetTempPathA(sizeof folder, folder))
        return -1;
    snprintf(root, sizeof root, "%slvl-windows-%lu", folder, (unsigned long)GetCurrentProcessId());
    return lvl_folder_make(root, NULL) == LVL_OK ? 0 : -1;
}

/* Removes the folder with everything in it. */
static void remove_tree(const wchar_t *folder)
{
    WIN32_FIND_DATAW entry;
    wchar_t path[2048];

    swprintf(path, 2048, L"%ls\\*", folder);
    const HANDLE find = FindFirstFileW(path, &entry);
    do {
        if (find == INVALID_HANDLE_VALUE || !wcscmp(entry.cFileName, L".") || !wcscmp(entry.cFileName, L".."))
            continue;
        swprintf(path, 2048, L"%ls\\%ls", folder, entry.cFileName);
        SetFileAttributesW(path, FILE_ATTRIBUTE_NORMAL);
        if (entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
            remove_tree(path);
        else
            DeleteFileW(path);
    } while (find != INVALID_HANDLE_VALUE && FindNextFileW(find, &entry));
    FindClose(find);
    RemoveDirectoryW(folder);
}

static int tear_down(void **state)
{
    wchar_t full[1024];
    wchar_t wide[1024] = L"\\\\?\\";

    (void)state;
    MultiByteToWideChar(CP_UTF8, 0, root, -1, full, 1024);
    GetFullPathNameW(full, 1000, wide + 4, NULL);
    remove_tree(wide);
    return 0;
}

static lvl_status save(const char *path, const char *text, unsigned flags, lvl_file_error *why)
{
    return lvl_file_save(path, (lvl_bytes){(const uint8_t *)text, strlen(text)}, flags, why);
}

/* Replaces a file whose lock the test has. */
static lvl_status save_under(const lvl_file_lock *lock, const char *path, const char *text)
{
    return lvl_file_save_below(path, 0, (lvl_bytes){(const uint8_t *)text, strlen(text)}, LVL_SAVE_REPLACE,
                               lock, NULL);
}

static void assert_content(const char *path, const char *text)
{
    lvl_buffer bytes = {0};
    lvl_file_error why = {0};

    assert_int_equal(lvl_file_read(&bytes, path, 0, &why), LVL_OK);
    assert_int_equal(bytes.len, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.len);
    lvl_buffer_free(&bytes);
}

/* Names in a folder that begin with this, hidden ones included. */
static size_t count_names(const char *folder, const char *begin)
{
    size_t count = 0;

    for (int hidden = 0; hidden < 2; hidden++) {
        lvl_file_list names = {0};
        assert_int_equal(hidden ? lvl_folder_list_hidden(&names, folder, NULL)
                                : lvl_folder_list(&names, folder, NULL),
                         LVL_OK);
        for (size_t i = 0; i < names.count; i++)
            count += strncmp(names.names[i], begin, strlen(begin)) == 0;
        lvl_file_list_free(&names);
    }
    return count;
}

/* Opens as other programs do: for themselves, or sharing as `share` says. */
static HANDLE open_elsewhere(const char *path, DWORD share)
{
    wchar_t *wide = lvl_os_wide(path);
    const HANDLE file = CreateFileW(wide, GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL);

    free(wide);
    assert_true(file != INVALID_HANDLE_VALUE);
    return file;
}

static void assert_says_open(const lvl_file_error *why)
{
    char text[256];

    assert_non_null(strstr(lvl_file_error_text(why, text, sizeof text), "another program has the file open"));
}

/* ---- names --------------------------------------------------------------------------------------------- */

static void names_in_any_script(void **state)
{
    static const char *const names[] = {"plain.nw", "with blanks.nw",
                                        "Gr\xC3\xBC\xC3\x9F"
                                        "e.nw",
                                        "\xE6\xB4\x9E\xE7\xAA\x9F.nw", "\xF0\x9F\x8E\xAE.nw"};

    (void)state;
    assert_int_equal(lvl_folder_make(in_root("\xE6\xB4\x9E"), NULL), LVL_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        snprintf(path, sizeof path, "\xE6\xB4\x9E/%s", names[i]);
        assert_int_equal(save(in_root(path), names[i], 0, NULL), LVL_OK);
        assert_content(in_root(path), names[i]);
        assert_int_equal(count_names(in_root("\xE6\xB4\x9E"), names[i]), 1);
    }
}

static void both_slashes_and_drives(void **state)
{
    char path[2048], slashes[2048];

    (void)state;
    assert_int_equal(save(in_root("s.nw"), "s", 0, NULL), LVL_OK);
    snprintf(path, sizeof path, "%s\\s.nw", root);
    snprintf(slashes, sizeof slashes, "%s", path);
    for (char *p = slashes; *p; p++)
        *p = *p == '\\' ? '/' : *p;
    assert_content(path, "s");
    assert_content(slashes, "s");
    assert_true(lvl_file_same(path, slashes));
    assert_string_equal(lvl_file_name(path), "s.nw");
    assert_string_equal(lvl_file_name("C:s.nw"), "s.nw");
    assert_int_equal(lvl_file_kind_of("C:/"), LVL_FILE_FOLDER);
    assert_int_equal(lvl_file_kind_of("C:\\"), LVL_FILE_FOLDER);
}

static void long_paths(void **state)
{
    char path[2048], other[2048];
    size_t len = (size_t)snprintf(path, sizeof path, "%s", root);

    (void)state;
    while (len < 320)
        len += (size_t)snprintf(path + len, sizeof path - len, "/%050d", 7);
    assert_int_equal(lvl_folder_make(path, NULL), LVL_OK);
    snprintf(path + len, sizeof path - len, "/a.nw");
    assert_int_equal(save(path, "long", 0, NULL), LVL_OK);
    assert_int_equal(save(path, "longer", LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_content(path, "longer");
    snprintf(other, sizeof other, "%s", path);
    memcpy(strrchr(other, 'a'), "A.NW", 4);
    assert_true(lvl_file_same(path, other)); /* case does not count, also beyond 260 characters */
    char *id = lvl_file_entry_id(path), *same = lvl_file_entry_id(other);
    assert_string_equal(id, same);
    free(id);
    free(same);
}

/* Names that differ in case are one file, also where the letters are not ASCII. */
static void case_does_not_count(void **state)
{
    (void)state;
    assert_int_equal(save(in_root("\xC3\xBC"
                                  "ber.nw"),
                          "1", 0, NULL),
                     LVL_OK);
    assert_true(lvl_file_same(in_root("\xC3\xBC"
                                      "ber.nw"),
                              in_root("\xC3\x9C"
                                      "BER.NW")));
    assert_false(lvl_file_same(in_root("\xC3\xBC"
                                       "ber.nw"),
                               in_root("missing.nw")));
    lvl_file_error why = {0};
    assert_int_equal(save(in_root("\xC3\x9C"
                                  "ber.nw"),
                          "2", 0, &why),
                     LVL_ERR_IO);
    assert_content(in_root("\xC3\xBC"
                           "ber.nw"),
                   "1");
}

/* The form of a path that has no limit of 260 characters; a share has one of its own. */
static void long_paths_of_shares(void **state)
{
    char path[512] = "//server/share/";
    size_t len = strlen(path);

    (void)state;
    memset(path + len, 'x', 300);
    wchar_t *wide = lvl_os_wide(path);
    assert_non_null(wide);
    assert_int_equal(wcsncmp(wide, L"\\\\?\\UNC\\server\\share\\xxx", 24), 0);
    free(wide);
    wide = lvl_os_wide("\\\\server\\share\\a.nw");
    assert_int_equal(wcscmp(wide, L"\\\\server\\share\\a.nw"), 0);
    free(wide);
}

/* ---- files that are open, or not to be changed --------------------------------------------------------- */

static void a_file_that_is_locked_for_reading(void **state)
{
    lvl_file_error why = {0};
    lvl_buffer bytes = {0};

    (void)state;
    assert_int_equal(save(in_root("locked.nw"), "old", 0, NULL), LVL_OK);
    const HANDLE other = open_elsewhere(in_root("locked.nw"), 0);
    assert_int_equal(lvl_file_read(&bytes, in_root("locked.nw"), 0, &why), LVL_ERR_IO);
    assert_says_open(&why);
    lvl_buffer_free(&bytes);
    CloseHandle(other);
    assert_content(in_root("locked.nw"), "old");
}

static void replacing_a_file_that_is_open(void **state)
{
    lvl_file_error why = {0};

    (void)state;
    assert_int_equal(save(in_root("open.nw"), "old", 0, NULL), LVL_OK);
    HANDLE other = open_elsewhere(in_root("open.nw"), FILE_SHARE_READ | FILE_SHARE_WRITE);
    assert_int_equal(save(in_root("open.nw"), "new", LVL_SAVE_REPLACE, &why), LVL_ERR_IO);
    assert_says_open(&why);
    assert_content(in_root("open.nw"), "old"); /* nothing lost */
    assert_int_equal(count_names(root, ".open.nw"), 0); /* and nothing left */
    CloseHandle(other);
    assert_int_equal(save(in_root("open.nw"), "new", LVL_SAVE_REPLACE, &why), LVL_OK);
    assert_content(in_root("open.nw"), "new");
    /* who opened it so that it may be replaced keeps what it had */
    other = open_elsewhere(in_root("open.nw"), FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE);
    const lvl_status status = save(in_root("open.nw"), "newer", LVL_SAVE_REPLACE, &why);
    CloseHandle(other);
    assert_content(in_root("open.nw"), status == LVL_OK ? "newer" : "new");
    assert_int_equal(count_names(root, ".open.nw"), 0);
}

static DWORD WINAPI close_soon(void *file)
{
    Sleep(30);
    CloseHandle((HANDLE)file);
    return 0;
}

/* Virus scanners and other runs of lvl look at a file for a moment, and may share it with everybody. On a
 * busy machine that may last longer than lvl waits, so there are some rounds. */
static void replacing_a_file_that_others_look_at(void **state)
{
    const DWORD shares[] = {FILE_SHARE_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE};
    enum { ROUNDS = 20 };

    (void)state;
    assert_int_equal(save(in_root("looked-at.nw"), "old", 0, NULL), LVL_OK);
    for (int i = 0; i < 2; i++) {
        bool replaced = false;
        for (int round = 0; round < ROUNDS && !replaced; round++) {
            const HANDLE other = open_elsewhere(in_root("looked-at.nw"), shares[i]);
            const HANDLE thread = CreateThread(NULL, 0, close_soon, other, 0, NULL);
            assert_non_null(thread);
            replaced = save(in_root("looked-at.nw"), i ? "newer" : "new", LVL_SAVE_REPLACE, NULL) == LVL_OK;
            WaitForSingleObject(thread, INFINITE);
            CloseHandle(thread);
        }
        assert_true(replaced);
        assert_content(in_root("looked-at.nw"), i ? "newer" : "new");
    }
}

/* ---- several programs at once -------------------------------------------------------------------------- */

static void locks(void **state)
{
    lvl_file_lock *first = NULL, *second = NULL;
    lvl_file_error why = {0};
    char other[2048];

    (void)state;
    assert_int_equal(save(in_root("lock.nw"), "old", 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_lock_take(&first, in_root("lock.nw"), 0, &why), LVL_OK);
    assert_non_null(first);
    /* also by another spelling of its path, and after it was replaced */
    snprintf(other, sizeof other, "%s\\.\\LOCK.NW", root);
    assert_int_equal(lvl_file_lock_take(&second, other, 20, &why), LVL_ERR_IO);
    assert_null(second);
    assert_true(lvl_file_unchanged(first, in_root("lock.nw")));
    assert_int_equal(save_under(first, in_root("lock.nw"), "new"), LVL_OK);
    assert_false(lvl_file_unchanged(first, in_root("lock.nw")));
    assert_int_equal(lvl_file_lock_take(&second, in_root("lock.nw"), 20, &why), LVL_ERR_IO);
    lvl_file_lock_free(first);
    assert_int_equal(lvl_file_lock_take(&second, other, 0, &why), LVL_OK);
    /* written in its place, with the same size */
    assert_true(lvl_file_unchanged(second, in_root("lock.nw")));
    Sleep(20);
    FILE *file = fopen(in_root("lock.nw"), "r+b");
    assert_non_null(file);
    fputs("own", file);
    fclose(file);
    assert_false(lvl_file_unchanged(second, in_root("lock.nw")));
    lvl_file_lock_free(second);
}

/* If a save of several files fails, those that were replaced get their old content back under their locks. */
static void several_saves_under_locks(void **state)
{
    lvl_file_lock *lock = NULL;
    const char *failed = NULL;
    char path[2048], missing[2048], to[2048];

    (void)state;
    snprintf(path, sizeof path, "%s/several.nw", root);
    snprintf(missing, sizeof missing, "%s/missing.nw", root);
    snprintf(to, sizeof to, "%s/to.nw", root);
    assert_int_equal(save(path, "old", 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_lock_take(&lock, path, 0, NULL), LVL_OK);
    const lvl_file_change change = {.path = path, .bytes = {(const uint8_t *)"new", 3}, .lock = lock};
    assert_int_equal(lvl_files_save(&change, 1, missing, to, &failed, NULL), LVL_ERR_MISSING);
    assert_string_equal(failed, missing);
    assert_content(path, "old");
    lvl_file_lock_free(lock);
}

enum { COUNTERS = 8, COUNTS = 5 };

/* Adds 1 to the number in a file, as an edit in place does. */
static DWORD WINAPI count_on(void *user)
{
    char path[2048], text[16];

    snprintf(path, sizeof path, "%s/count", root);
    for (int i = 0; i < COUNTS; i++) {
        lvl_file_lock *lock = NULL;
        lvl_buffer bytes = {0};
        bool done = lvl_file_lock_take(&lock, path, 30000, NULL) == LVL_OK &&
                    lvl_file_read(&bytes, path, 0, NULL) == LVL_OK && bytes.len < sizeof text;
        if (done) {
            memcpy(text, bytes.data, bytes.len);
            text[bytes.len] = 0;
            Sleep(1);
            snprintf(text, sizeof text, "%d", atoi(text) + 1);
            done = lvl_file_unchanged(lock, path) && save_under(lock, path, text) == LVL_OK;
        }
        if (!done)
            InterlockedIncrement((LONG *)user);
        lvl_buffer_free(&bytes);
        lvl_file_lock_free(lock);
    }
    return 0;
}

static void edits_at_once(void **state)
{
    HANDLE threads[COUNTERS];
    LONG failed = 0;
    char all[16];

    (void)state;
    assert_int_equal(save(in_root("count"), "0", 0, NULL), LVL_OK);
    for (int i = 0; i < COUNTERS; i++) {
        threads[i] = CreateThread(NULL, 0, count_on, &failed, 0, NULL);
        assert_non_null(threads[i]);
    }
    WaitForMultipleObjects(COUNTERS, threads, TRUE, INFINITE);
    for (int i = 0; i < COUNTERS; i++)
        CloseHandle(threads[i]);
    assert_int_equal(failed, 0);
    snprintf(all, sizeof all, "%d", COUNTERS * COUNTS);
    assert_content(in_root("count"), all);
}

/* A save below a folder stays there. */
static void saves_below_a_folder(void **state)
{
    const lvl_bytes bytes = {(const uint8_t *)"new", 3};
    char below[1024], out[1024], link[1024];
    lvl_file_error why = {0};

    (void)state;
    snprintf(below, sizeof below, "%s/below", root);
    const size_t len = strlen(below);
    assert_int_equal(lvl_folder_make(below, NULL), LVL_OK);
    assert_int_equal(lvl_folder_make(in_root("outside"), NULL), LVL_OK);
    snprintf(out, sizeof out, "%s/../outside/a.nw", below);
    assert_false(lvl_file_stays_below(out, len));
    assert_int_equal(lvl_file_save_below(out, len, bytes, 0, NULL, &why), LVL_ERR_IO);
    assert_int_equal(lvl_file_kind_of(in_root("outside/a.nw")), LVL_FILE_NONE);
    snprintf(out, sizeof out, "%s\\NEW\\b.nw", below);
    assert_true(lvl_file_stays_below(out, len));
    snprintf(out, sizeof out, "%s/a.nw", below);
    assert_true(lvl_file_stays_below(out, len));
    assert_int_equal(lvl_file_save_below(out, len, bytes, 0, NULL, &why), LVL_OK);
    assert_content(out, "new");
    /* "below2" begins like it */
    snprintf(out, sizeof out, "%s/../below2/a.nw", below);
    assert_int_equal(lvl_folder_make(in_root("below2"), NULL), LVL_OK);
    assert_false(lvl_file_stays_below(out, len));

    /* links need a right that not every user has */
    snprintf(link, sizeof link, "%s/link", below);
    wchar_t *from = lvl_os_wide(link), *to = lvl_os_wide(in_root("outside"));
    assert_true(from && to);
    /* wine 8 says that it made one, and makes none */
    const bool linked = CreateSymbolicLinkW(from, to, SYMBOLIC_LINK_FLAG_DIRECTORY) && lvl_os_is_link(link);
    free(from);
    free(to);
    if (!linked) {
        print_message("no symbolic link: error %lu\n", GetLastError());
        return;
    }
    snprintf(out, sizeof out, "%s/link/a.nw", below);
    assert_false(lvl_file_stays_below(out, len));
    assert_int_equal(lvl_file_save_below(out, len, bytes, 0, NULL, &why), LVL_ERR_IO);
    assert_int_equal(lvl_file_kind_of(in_root("outside/a.nw")), LVL_FILE_NONE);
}

static DWORD attributes_of(const char *path)
{
    wchar_t *wide = lvl_os_wide(path);
    const DWORD attributes = GetFileAttributesW(wide);

    free(wide);
    return attributes;
}

static void set_attributes(const char *path, DWORD attributes)
{
    wchar_t *wide = lvl_os_wide(path);

    assert_true(SetFileAttributesW(wide, attributes));
    free(wide);
}

/* As elsewhere, a read-only file is replaced if that is asked for, and stays read-only. */
static void read_only_files(void **state)
{
    lvl_file_error why = {0};

    (void)state;
    assert_int_equal(save(in_root("ro.nw"), "old", 0, NULL), LVL_OK);
    assert_false(lvl_file_is_read_only(in_root("ro.nw")));
    set_attributes(in_root("ro.nw"), FILE_ATTRIBUTE_READONLY);
    assert_true(lvl_file_is_read_only(in_root("ro.nw")));
    assert_int_equal(save(in_root("ro.nw"), "new", 0, &why), LVL_ERR_IO);
    assert_content(in_root("ro.nw"), "old");
    assert_int_equal(save(in_root("ro.nw"), "new", LVL_SAVE_REPLACE, &why), LVL_OK);
    assert_content(in_root("ro.nw"), "new");
    assert_true(attributes_of(in_root("ro.nw")) & FILE_ATTRIBUTE_READONLY);
    /* also where replacing it fails */
    const HANDLE other = open_elsewhere(in_root("ro.nw"), FILE_SHARE_READ);
    assert_int_equal(save(in_root("ro.nw"), "newer", LVL_SAVE_REPLACE, &why), LVL_ERR_IO);
    CloseHandle(other);
    assert_content(in_root("ro.nw"), "new");
    assert_true(attributes_of(in_root("ro.nw")) & FILE_ATTRIBUTE_READONLY);
    set_attributes(in_root("ro.nw"), FILE_ATTRIBUTE_NORMAL);
}

static void hidden_files(void **state)
{
    (void)state;
    assert_int_equal(save(in_root("hidden.nw"), "old", 0, NULL), LVL_OK);
    set_attributes(in_root("hidden.nw"), FILE_ATTRIBUTE_HIDDEN);
    assert_int_equal(save(in_root("hidden.nw"), "new", LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_content(in_root("hidden.nw"), "new");
    assert_true(attributes_of(in_root("hidden.nw")) & FILE_ATTRIBUTE_HIDDEN);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_any_script),
        cmocka_unit_test(both_slashes_and_drives),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(case_does_not_count),
        cmocka_unit_test(long_paths_of_shares),
        cmocka_unit_test(a_file_that_is_locked_for_reading),
        cmocka_unit_test(replacing_a_file_that_is_open),
        cmocka_unit_test(replacing_a_file_that_others_look_at),
        cmocka_unit_test(locks),
        cmocka_unit_test(several_saves_under_locks),
        cmocka_unit_test(edits_at_once),
        cmocka_unit_test(saves_below_a_folder),
        cmocka_unit_test(read_only_files),
        cmocka_unit_test(hidden_files),
    };

    return cmocka_run_group_tests_name("windows", tests, set_up, tear_down);
}
