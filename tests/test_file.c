/*
 * Reading and saving files: bounded reading, the ends for probing, sorted folders, and saves that leave the
 * old file complete on any failure. The program replaces the system calls of a save, so that each of them can
 * fail, write a part, or end the process.
 */
#define _GNU_SOURCE /* syscall, O_TMPFILE */
#include "os/file_os.h"
#include "expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static char root[64];

static const char *in_root(const char *name)
{
    static char path[4][128];
    static int turn;

    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
    return path[turn];
}

static int make_root(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/lvl-test-file-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int drop_root(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command); /* NOLINT(cert-env33-c): a folder of our own making */
}

static void assert_file(const char *path, const char *content)
{
    lvl_buffer got = {0};

    assert_int_equal(lvl_file_read(&got, path, 0, NULL), LVL_OK);
    assert_int_equal(got.len, strlen(content));
    assert_memory_equal(got.data, content, got.len);
    lvl_buffer_free(&got);
}

/* A save of a program that takes no lock. */
static void save_unlocked(const char *path, const char *text)
{
    lvl_new_file *save;

    assert_int_equal(lvl_save_open(&save, path, 0, LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_int_equal(lvl_save_write(save, text, strlen(text), NULL), LVL_OK);
    assert_int_equal(lvl_save_commit(save, NULL), LVL_OK);
}

static size_t files_here(void)
{
    char command[128];
    unsigned n = 0;

    snprintf(command, sizeof command, "ls -A '%s' | wc -l", root);
    FILE *pipe = popen(command, "r"); /* NOLINT(cert-env33-c) */
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%u", &n), 1); /* NOLINT(cert-err34-c) */
    pclose(pipe);
    return n;
}

/* ---- replaced system calls: on Linux a program's definition is used before the C library's ----------- */

#ifdef __linux__

#include <sys/syscall.h>
#include <sys/wait.h>

static int steps_left = -1; /* until the trouble; -1: none is meant */
static int steps_seen;
static enum { FAIL, SHORT, DIE, FULL } error_text; /* FULL: everything from then on fails */

static bool has_error(void)
{
    steps_seen++;
    if (steps_left < 0 || steps_left-- > 0)
        return false;
    if (error_text == DIE)
        _exit(7);
    if (error_text == FULL)
        steps_left = 0;
    return error_text == FAIL || error_text == FULL;
}

ssize_t write(int fd, const void *buf, size_t n)
{
    if (fd > 2 && has_error()) {
        errno = ENOSPC;
        return -1;
    }
    if (fd > 2 && error_text == SHORT && n > 3)
        n = 3;
    return syscall(SYS_write, fd, buf, n);
}

int fsync(int fd)
{
    if (has_error()) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

int fchmod(int fd, mode_t mode)
{
    if (has_error()) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_fchmod, fd, mode);
}

int rename(const char *from, const char *to)
{
    if (has_error()) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char *from, const char *to)
{
    if (has_error()) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    if (has_error()) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

static bool nameless; /* whether there are files without a name */

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;

    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list args;
        va_start(args, flags);
        mode = (mode_t)va_arg(args, int); /* NOLINT: as the C library has it */
        va_end(args);
    }
    if ((flags & O_TMPFILE) == O_TMPFILE && !nameless) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Whether the folder's file system has them; the tests of both ways need it. */
static bool has_nameless(void)
{
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, root, O_TMPFILE | O_WRONLY, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0 && access("/proc/self/fd", R_OK) == 0;
}

/* A save over an old file, with trouble at step n: true if the save did not get that far. */
static bool fails_at(int n, const char *path)
{
    steps_left = n;
    steps_seen = 0;
    lvl_status status = lvl_file_save(path, lvl_bytes_of("the new one"), LVL_SAVE_REPLACE, NULL);
    steps_left = -1;
    if (status == LVL_OK) {
        assert_file(path, "the new one");
        return true;
    }
    assert_int_equal(status, LVL_ERR_IO);
    assert_file(path, "the old one");
    assert_int_equal(files_here(), 1); /* no other file remains */
    return false;
}

static void save_fails_at_each_step_when(bool without_name, int steps)
{
    nameless = without_name;
    const char *path = in_root("target");
    int failed = 0;

    error_text = FAIL;
    for (int n = 0;; n++) {
        assert_int_equal(lvl_file_save(path, lvl_bytes_of("the old one"), LVL_SAVE_REPLACE, NULL), LVL_OK);
        bool done = fails_at(n, path);
        failed += !done;
        if (done && steps_seen <= n)
            break;
    }
    /* the folder's own fsync may fail without harm */
    assert_int_equal(failed, steps);
    unlink(path);
}

static void save_fails_at_each_step(void **state)
{
    (void)state;
    save_fails_at_each_step_when(false, 4); /* fchmod, write, fsync, rename */
    if (has_nameless())
        save_fails_at_each_step_when(true, 6); /* fchmod, write, fsync, linkat twice, rename */
}

/* `left`: steps at which a kill may leave the new file under its temporary name. */
static void save_is_killed_at_each_step_when(bool without_name, int steps, int left)
{
    const char *path = in_root("target");
    int killed = 0, behind = 0;

    nameless = without_name;

    for (int n = 0; n < 20; n++) {
        assert_int_equal(lvl_file_save(path, lvl_bytes_of("the old one"), LVL_SAVE_REPLACE, NULL), LVL_OK);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            error_text = DIE;
            steps_left = n;
            lvl_file_save(path, lvl_bytes_of("the new one"), LVL_SAVE_REPLACE, NULL);
            _exit(0);
        }
        int how;
        assert_int_equal(waitpid(child, &how, 0), child);
        if (WEXITSTATUS(how) == 0) {
            assert_file(path, "the new one");
            break;
        }
        killed++;
        lvl_buffer got = {0};
        assert_int_equal(lvl_file_read(&got, path, 0, NULL), LVL_OK);
        assert_int_equal(got.len, 11);
        assert_true(memcmp(got.data, "the old one", 11) == 0 || memcmp(got.data, "the new one", 11) == 0);
        lvl_buffer_free(&got);
        behind += files_here() != 1;
        lvl_folder_clean(root);
        assert_int_equal(files_here(), 1);
    }
    assert_int_equal(killed, steps);
    assert_int_equal(behind, left);
}

static void save_is_killed_at_each_step(void **state)
{
    (void)state;
    save_is_killed_at_each_step_when(false, 5, 4);
    if (has_nameless())
        save_is_killed_at_each_step_when(true, 7, 1); /* between linkat and rename */
}

/* Two files get new content and a third one another name, with an error at step n: true if none came. */
static bool several_fail_at(int n)
{
    const char *a = in_root("a"), *b = in_root("b"), *from = in_root("from"), *to = in_root("to");
    const lvl_file_change changes[] = {{.path = a, .bytes = lvl_bytes_of("new a")},
                                       {.path = b, .bytes = lvl_bytes_of("new b")}};
    const char *failed = NULL;

    assert_int_equal(lvl_file_save(a, lvl_bytes_of("old a"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(b, lvl_bytes_of("old b"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(from, lvl_bytes_of("moved"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    steps_left = n;
    steps_seen = 0;
    const lvl_status status = lvl_files_save(changes, 2, from, to, &failed, NULL);
    steps_left = -1;
    assert_int_equal(files_here(), 3); /* no other file remains */
    if (status == LVL_OK) {
        assert_null(failed);
        assert_file(a, "new a");
        assert_file(b, "new b");
        assert_file(to, "moved");
        unlink(to);
        return true;
    }
    assert_non_null(failed);
    assert_file(a, "old a");
    assert_file(b, "old b");
    assert_file(from, "moved");
    return false;
}

/* The same on a disk that stays full: whether a file could not get its old content back. */
static bool several_stay_failed_at(int n)
{
    const char *a = in_root("a"), *b = in_root("b"), *from = in_root("from"), *to = in_root("to");
    const lvl_file_change changes[] = {{.path = a, .bytes = lvl_bytes_of("new a")},
                                       {.path = b, .bytes = lvl_bytes_of("new b")}};
    const char *failed = NULL;

    assert_int_equal(lvl_file_save(a, lvl_bytes_of("old a"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(b, lvl_bytes_of("old b"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(from, lvl_bytes_of("moved"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    nameless = false;
    steps_left = n;
    const lvl_status status = lvl_files_save(changes, 2, from, to, &failed, NULL);
    steps_left = -1;
    if (status == LVL_OK)
        unlink(to);
    assert_file(a, status == LVL_OK || status == LVL_ERR_LOSS ? "new a" : "old a");
    if (status == LVL_ERR_LOSS)
        assert_ptr_equal(failed, a);
    return status == LVL_ERR_LOSS;
}

static void several_saves_are_all_or_none(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        int failed = 0;
        nameless = with != 0;
        if (nameless && !has_nameless())
            break;
        error_text = FAIL;
        for (int n = 0;; n++) {
            const bool done = several_fail_at(n);
            failed += !done;
            if (done && steps_seen <= n)
                break;
        }
        /* each file: fchmod, write, fsync, rename; and linkat with files without a name */
        assert_int_equal(failed, nameless ? 10 : 8);
    }
    /* a disk that stays full: either everything is unchanged, or the changed file is named */
    int torn = 0;
    error_text = FULL;
    for (int n = 0; n < 20; n++)
        torn += several_stay_failed_at(n);
    error_text = FAIL;
    assert_int_equal(torn, 4); /* from the first file in place on: flush, the second file, flush, rename */
    /* a name that is taken, a file that is not there: nothing changes */
    const char *a = in_root("a"), *b = in_root("b"), *failed = NULL;
    const lvl_file_change one = {.path = a, .bytes = lvl_bytes_of("new a")},
                          none = {.path = in_root("none"), .bytes = lvl_bytes_of("x")};
    assert_int_equal(lvl_file_save(a, lvl_bytes_of("old a"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_int_equal(lvl_files_save(&one, 1, b, a, &failed, NULL), LVL_ERR_IO);
    assert_ptr_equal(failed, b);
    assert_file(a, "old a");
    assert_int_equal(lvl_files_save(&none, 1, NULL, NULL, &failed, NULL), LVL_ERR_MISSING);
    assert_ptr_equal(failed, none.path);
    /* a file that changed after it was read */
    lvl_file_lock *lock = NULL;
    assert_int_equal(lvl_file_lock_take(&lock, a, 0, NULL), LVL_OK);
    save_unlocked(a, "of another program");
    const lvl_file_change stale = {.path = a, .bytes = lvl_bytes_of("new a"), .lock = lock};
    assert_int_equal(lvl_files_save(&stale, 1, NULL, NULL, &failed, NULL), LVL_ERR_FORMAT);
    assert_ptr_equal(failed, a);
    assert_file(a, "of another program");
    assert_int_equal(lvl_file_save_below(a, 0, lvl_bytes_of("new a"), LVL_SAVE_REPLACE, lock, NULL),
                     LVL_ERR_FORMAT);
    assert_file(a, "of another program");
    lvl_file_lock_free(lock);
    assert_int_equal(lvl_file_lock_take(&lock, a, 0, NULL), LVL_OK);
    const lvl_file_change current = {.path = a, .bytes = lvl_bytes_of("new a"), .lock = lock};
    assert_int_equal(lvl_files_save(&current, 1, NULL, NULL, &failed, NULL), LVL_OK);
    assert_file(a, "new a");
    lvl_file_lock_free(lock);
    unlink(a);
    unlink(b);
    unlink(in_root("from"));
}

static void a_folder_has_one_lock(void **state)
{
    (void)state;
    lvl_folder_lock *lock, *other;

    assert_int_equal(lvl_folder_lock_take(&lock, root, NULL), LVL_OK);
    if (!lock)
        skip();
    assert_int_equal(lvl_folder_lock_take(&other, root, NULL), LVL_ERR_IO);
    assert_null(other);
    lvl_folder_lock_free(lock);
    assert_int_equal(lvl_folder_lock_take(&other, root, NULL), LVL_OK);
    assert_non_null(other);
    lvl_folder_lock_free(other);
}

static void short_writes_are_gone_on_with(void **state)
{
    (void)state;
    error_text = SHORT;
    assert_int_equal(lvl_file_save(in_root("short"), lvl_bytes_of("written in threes"), 0, NULL), LVL_OK);
    error_text = FAIL;
    assert_file(in_root("short"), "written in threes");
}

static void no_hard_links_is_no_obstacle(void **state)
{
    (void)state;
    error_text = FAIL;
    nameless = false;
    /* steps of a fresh save: write, fsync, link; the rename instead must still work */
    steps_left = 2;
    assert_int_equal(lvl_file_save(in_root("fresh"), lvl_bytes_of("no link"), 0, NULL), LVL_OK);
    steps_left = -1;
    assert_file(in_root("fresh"), "no link");
}

/* Until it is committed, a new file is not visible, and a process that ends leaves nothing. */
static void a_save_under_way_has_no_name(void **state)
{
    (void)state;
    lvl_new_file *save;
    const size_t before = files_here();

    nameless = true;
    error_text = FAIL;
    if (!has_nameless())
        skip();
    assert_int_equal(lvl_save_open(&save, in_root("unseen"), 0, 0, NULL), LVL_OK);
    assert_int_equal(lvl_save_write(save, "bytes", 5, NULL), LVL_OK);
    assert_int_equal(files_here(), before);
    /* somebody else takes the name meanwhile: it stays his */
    assert_int_equal(lvl_file_save(in_root("unseen"), lvl_bytes_of("his"), 0, NULL), LVL_OK);
    lvl_file_error why = {0};
    assert_int_equal(lvl_save_commit(save, &why), LVL_ERR_IO);
    assert_int_equal(why.code, EEXIST);
    assert_file(in_root("unseen"), "his");
    assert_int_equal(files_here(), before + 1);
    assert_int_equal(lvl_save_open(&save, in_root("unseen"), 0, LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_int_equal(lvl_save_write(save, "ours", 4, NULL), LVL_OK);
    assert_int_equal(lvl_save_commit(save, NULL), LVL_OK);
    assert_file(in_root("unseen"), "ours");
    assert_int_equal(files_here(), before + 1);
    unlink(in_root("unseen"));
}

#endif

/* ---- plain ------------------------------------------------------------------------------------------- */

static void reading_is_bounded(void **state)
{
    (void)state;
    lvl_buffer out = {0};
    lvl_file_error why = {0};
    char text[128];

    assert_int_equal(lvl_file_save(in_root("ten"), lvl_bytes_of("0123456789"), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_read(&out, in_root("ten"), 9, &why), LVL_ERR_LIMIT);
    assert_int_equal(out.cap, 0);
    assert_int_equal(lvl_file_read(&out, in_root("ten"), 10, &why), LVL_OK);
    assert_int_equal(out.len, 10);
    lvl_buffer_free(&out);
    assert_int_equal(lvl_file_read(&out, in_root("none"), 0, &why), LVL_ERR_MISSING);
    assert_string_equal(lvl_file_error_text(&why, text, sizeof text),
                        "can't open: No such file or directory");
    assert_int_equal(lvl_file_read(&out, root, 0, &why), LVL_ERR_IO);
    /* what has no size is read to its end, and still bounded */
    assert_int_equal(lvl_file_read(&out, "/dev/zero", 100000, &why), LVL_ERR_LIMIT);
    assert_true(out.len < 400000);
    lvl_buffer_free(&out);
}

static void ends_of_small_and_large(void **state)
{
    (void)state;
    static uint8_t big[10000];
    lvl_file_ends *ends = malloc(sizeof *ends);

    assert_non_null(ends);
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = (uint8_t)(i / 100);
    assert_int_equal(lvl_file_save(in_root("big"), (lvl_bytes){big, sizeof big}, 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_read_ends(ends, in_root("big"), NULL), LVL_OK);
    assert_int_equal(ends->size, sizeof big);
    assert_int_equal(ends->head_len, LVL_FILE_END);
    assert_int_equal(ends->tail_len, LVL_FILE_END);
    assert_memory_equal(ends->tail, big + sizeof big - LVL_FILE_END, LVL_FILE_END);
    assert_int_equal(lvl_file_save(in_root("small"), lvl_bytes_of("abc"), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_read_ends(ends, in_root("small"), NULL), LVL_OK);
    assert_int_equal(ends->tail_len, 3);
    assert_memory_equal(ends->tail, "abc", 3);
    free(ends);
}

static void folders_are_sorted_and_hidden_is_skipped(void **state)
{
    (void)state;
    lvl_file_list list;

    assert_int_equal(lvl_folder_make(in_root("d/e//f/"), NULL), LVL_OK);
    assert_int_equal(lvl_folder_make(in_root("d/e"), NULL), LVL_OK);
    assert_int_equal(lvl_file_save(in_root("d/b"), lvl_bytes_of(""), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(in_root("d/B"), lvl_bytes_of(""), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(in_root("d/.x"), lvl_bytes_of(""), 0, NULL), LVL_OK);
    assert_int_equal(lvl_folder_list(&list, in_root("d"), NULL), LVL_OK);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.names[0], "B");
    assert_string_equal(list.names[1], "b");
    assert_string_equal(list.names[2], "e");
    lvl_file_list_free(&list);
    assert_int_equal(lvl_folder_make(in_root("d/b/c"), NULL), LVL_ERR_IO);
    assert_true(lvl_file_same(in_root("d/b"), in_root("d/e/../b")));
    assert_false(lvl_file_same(in_root("d/b"), in_root("d/B")));
}

static void saving_keeps_mode_and_link(void **state)
{
    (void)state;
    os_stat st;
    lvl_file_error why = {0};

    assert_int_equal(lvl_file_save(in_root("m"), lvl_bytes_of("one"), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(in_root("m"), lvl_bytes_of("two"), 0, &why), LVL_ERR_IO);
    assert_int_equal(why.code, EEXIST);
    assert_file(in_root("m"), "one");
    assert_int_equal(chmod(in_root("m"), 0640), 0);
    assert_int_equal(symlink("m", in_root("l1")), 0);
    assert_int_equal(symlink("l1", in_root("l2")), 0);
    assert_int_equal(lvl_file_save(in_root("l2"), lvl_bytes_of("three"), LVL_SAVE_REPLACE, NULL), LVL_OK);
    assert_file(in_root("m"), "three");
    assert_int_equal(lstat(in_root("l2"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(in_root("m"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    /* a link to nothing: what it points to is made */
    assert_int_equal(symlink("made", in_root("l3")), 0);
    assert_int_equal(lvl_file_save(in_root("l3"), lvl_bytes_of("x"), 0, NULL), LVL_OK);
    assert_file(in_root("made"), "x");
    assert_int_equal(symlink("round", in_root("round")), 0);
    assert_int_equal(lvl_file_save(in_root("round"), lvl_bytes_of("x"), 0, &why), LVL_ERR_IO);
    assert_int_equal(lvl_file_save("/dev/null", lvl_bytes_of("x"), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(root, lvl_bytes_of("x"), LVL_SAVE_REPLACE, &why), LVL_ERR_IO);
}

static void a_save_stays_below_its_root(void **state)
{
    char inside[300];
    const size_t len = (size_t)snprintf(inside, sizeof inside, "%s/in", root);
    lvl_file_error why = {0};
    lvl_new_file *save;

    (void)state;
    assert_int_equal(mkdir(in_root("in"), 0777), 0);
    assert_int_equal(mkdir(in_root("in/a"), 0777), 0);
    assert_int_equal(mkdir(in_root("in2"), 0777), 0); /* "in" is the beginning of its name */
    assert_int_equal(symlink("../in2", in_root("in/out")), 0);
    assert_int_equal(symlink("a", in_root("in/same")), 0);
    assert_int_equal(symlink("../in2/leaf", in_root("in/leaf")), 0);
    assert_int_equal(symlink("in", in_root("named")), 0);
    for (int i = 0; i < 2; i++) {
        const char *const path = in_root(i ? "in/leaf" : "in/out/f");
        assert_false(lvl_file_stays_below(path, len));
        assert_int_equal(lvl_file_save_below(path, len, lvl_bytes_of("x"), LVL_SAVE_REPLACE, NULL, &why),
                         LVL_ERR_IO);
        assert_int_equal(why.code, EPERM);
        assert_true(lvl_file_stays_below(path, 0));
    }
    assert_int_equal(lvl_file_kind_of(in_root("in2/f")), LVL_FILE_NONE);
    assert_int_equal(lvl_file_kind_of(in_root("in2/leaf")), LVL_FILE_NONE);
    assert_int_equal(lvl_file_save_below(in_root("in/same/f"), len, lvl_bytes_of("x"), 0, NULL, NULL),
                     LVL_OK);
    assert_file(in_root("in/a/f"), "x");
    assert_int_equal(
        lvl_file_save_below(in_root("named/a/g"), strlen(in_root("named")), lvl_bytes_of("y"), 0, NULL, NULL),
        LVL_OK);
    assert_file(in_root("in/a/g"), "y");
    /* the folder becomes a link while the file is written */
    for (unsigned flags = 0; flags < 2; flags++) {
        assert_int_equal(lvl_save_open(&save, in_root("in/a/h"), len, flags, NULL), LVL_OK);
        assert_int_equal(lvl_save_write(save, "z", 1, NULL), LVL_OK);
        assert_int_equal(rename(in_root("in/a"), in_root("in/b")), 0);
        assert_int_equal(symlink("../in2", in_root("in/a")), 0);
        (void)lvl_save_commit(save, NULL);
        assert_int_equal(lvl_file_kind_of(in_root("in2/h")), LVL_FILE_NONE);
        assert_int_equal(unlink(in_root("in/a")), 0);
        assert_int_equal(rename(in_root("in/b"), in_root("in/a")), 0);
    }
}

static void a_lock_protects_a_file(void **state)
{
    const char *path = in_root("f");
    lvl_file_lock *lock, *other;
    lvl_file_error why = {0};

    (void)state;
    assert_int_equal(lvl_file_lock_take(&lock, path, 0, &why), LVL_OK);
    assert_null(lock); /* there is no file */
    assert_true(lvl_file_unchanged(lock, path));
    assert_int_equal(lvl_file_save(path, lvl_bytes_of("old"), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_lock_take(&lock, path, 0, &why), LVL_OK);
    assert_non_null(lock);
    assert_int_equal(lvl_file_lock_take(&other, path, 30, &why), LVL_ERR_IO);
    assert_int_equal(why.code, EWOULDBLOCK);
    assert_true(lvl_file_unchanged(lock, path));
    save_unlocked(path, "new");
    assert_false(lvl_file_unchanged(lock, path)); /* the same size, another file */
    assert_int_equal(lvl_file_lock_take(&other, path, 0, &why),
                     LVL_OK); /* the old file's lock is not the new one's */
    lvl_file_lock_free(lock);
    assert_true(lvl_file_unchanged(other, path));
    lvl_file_lock_free(other);
}

/* A process that cannot open another file has not got the lock, and must not go on as if it had. */
static void a_lock_that_cannot_be_taken(void **state)
{
    const char *path = in_root("f");
    lvl_folder_lock *folder;
    lvl_file_lock *lock;
    lvl_file_error why = {0};
    struct rlimit was, now;

    (void)state;
    assert_int_equal(lvl_file_save(path, lvl_bytes_of("old"), 0, NULL), LVL_OK);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    const struct rlimit less = {0, was.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &less), 0);
    const lvl_status status = lvl_file_lock_take(&lock, path, 0, &why),
                     of_folder = lvl_folder_lock_take(&folder, root, NULL);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
    assert_int_equal(status, LVL_ERR_IO);
    assert_int_equal(why.code, EMFILE);
    assert_int_equal(of_folder, LVL_ERR_IO);
    assert_int_equal(now.rlim_cur, 0); /* the program's limits are its own */
}

/* Saves of many files keep some locks only as a version: what another program changes is noticed. */
static void an_eased_lock_still_compares(void **state)
{
    const char *path = in_root("f"), *failed = NULL;
    lvl_file_lock *lock, *other;

    (void)state;
    assert_int_equal(lvl_file_save(path, lvl_bytes_of("old"), 0, NULL), LVL_OK);
    assert_int_equal(lvl_file_lock_take(&lock, path, 0, NULL), LVL_OK);
    lvl_file_lock_ease(lock);
    assert_int_equal(lvl_file_lock_take(&other, path, 0, NULL), LVL_OK);
    lvl_file_lock_free(other);
    const lvl_file_change change = {.path = path, .bytes = lvl_bytes_of("new"), .lock = lock};
    assert_int_equal(lvl_files_save(&change, 1, NULL, NULL, &failed, NULL), LVL_OK);
    assert_file(path, "new");
    assert_int_equal(lvl_files_save(&change, 1, NULL, NULL, &failed, NULL), LVL_ERR_FORMAT);
    lvl_file_lock_free(lock);
}

static void a_temporary_file_is_private(void **state)
{
    char *paths[2];
    os_stat st;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lvl_temporary_save(&paths[i], root, "t-", ".html", lvl_bytes_of("page"), NULL),
                         LVL_OK);
        assert_file(paths[i], "page");
        assert_int_equal(stat(paths[i], &st), 0);
        assert_int_equal(st.st_mode & 0777, 0600);
    }
    assert_string_not_equal(paths[0], paths[1]);
    lvl_temporary_clean(root, "t-", ".html", 60);
    assert_int_equal(files_here(), 2);
    lvl_temporary_clean(root, "t-", ".htm", -60);
    assert_int_equal(files_here(), 2);
    lvl_temporary_clean(root, "t-", ".html", -60);
    assert_int_equal(files_here(), 0);
    free(paths[0]);
    free(paths[1]);
    assert_int_equal(lvl_temporary_save(&paths[0], in_root("none"), "t-", "", lvl_bytes_of("page"), NULL),
                     LVL_ERR_MISSING);
    assert_null(paths[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef __linux__
        cmocka_unit_test_setup_teardown(save_fails_at_each_step, make_root, drop_root),
        cmocka_unit_test_setup_teardown(save_is_killed_at_each_step, make_root, drop_root),
        cmocka_unit_test_setup_teardown(several_saves_are_all_or_none, make_root, drop_root),
        cmocka_unit_test_setup_teardown(a_folder_has_one_lock, make_root, drop_root),
        cmocka_unit_test_setup_teardown(short_writes_are_gone_on_with, make_root, drop_root),
        cmocka_unit_test_setup_teardown(no_hard_links_is_no_obstacle, make_root, drop_root),
        cmocka_unit_test_setup_teardown(a_save_under_way_has_no_name, make_root, drop_root),
#endif
        cmocka_unit_test_setup_teardown(reading_is_bounded, make_root, drop_root),
        cmocka_unit_test_setup_teardown(ends_of_small_and_large, make_root, drop_root),
        cmocka_unit_test_setup_teardown(folders_are_sorted_and_hidden_is_skipped, make_root, drop_root),
        cmocka_unit_test_setup_teardown(saving_keeps_mode_and_link, make_root, drop_root),
        cmocka_unit_test_setup_teardown(a_lock_protects_a_file, make_root, drop_root),
        cmocka_unit_test_setup_teardown(a_lock_that_cannot_be_taken, make_root, drop_root),
        cmocka_unit_test_setup_teardown(an_eased_lock_still_compares, make_root, drop_root),
        cmocka_unit_test_setup_teardown(a_save_stays_below_its_root, make_root, drop_root),
        cmocka_unit_test_setup_teardown(a_temporary_file_is_private, make_root, drop_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
