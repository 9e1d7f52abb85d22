/*
 * cli/pages/site_list.c: saves the files of a site and a list of them; by that list the next run with -y
 * removes only those of levels that no longer exist.
 */
#include "cli/pages/site.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define LIST "lvl-files.txt"

enum { MAX_LIST = 256 << 20 };

void site_note(site *s, const char *folder, const char *name, const char *ending)
{
    lvl_buffer_printf(&s->written, "%s%s%s", folder, name, ending);
    lvl_buffer_u8(&s->written, 0);
}

bool site_save_bytes(site *s, const char *folder, const char *name, const char *ending, lvl_bytes bytes)
{
    char *path = cli_format("%s/%s%s%s", s->c->opt->output, folder, name, ending);

    if (!path)
        s->status = LVL_ERR_MEMORY;
    else if (!cli_save_to(s->job, path, bytes))
        s->stopped = true;
    free(path);
    site_note(s, folder, name, ending);
    return s->status == LVL_OK && !s->stopped && !cli_stopped();
}

bool site_save(site *s, const char *folder, const char *name, const char *ending, const lvl_buffer *bytes)
{
    if (bytes->status != LVL_OK)
        s->status = bytes->status;
    return s->status == LVL_OK && site_save_bytes(s, folder, name, ending, lvl_buffer_bytes(bytes));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a buffer, each ended by a NUL, sorted. False: no memory. */
static bool sort_names(const lvl_buffer *names, cli_strings *out)
{
    for (size_t at = 0; at < names->len; at += strlen((const char *)names->data + at) + 1) {
        if (!cli_strings_add(out, (const char *)names->data + at))
            return false;
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_text);
    return true;
}

/* Whether a line is a name as sites have it: at most one folder, no way out. The list is a file, and may
 * be made up. */
static bool is_name(const char *name)
{
    size_t slashes = 0;

    for (const char *p = name; *p; p++) {
        slashes += *p == '/';
        if (!strchr("/.-_", *p) && !lvl_is_digit(*p) && (lvl_lower(*p) < 'a' || lvl_lower(*p) > 'z'))
            return false;
    }
    return *name && *name != '/' && *name != '.' && slashes <= 1 && !strstr(name, "/.") &&
           !strstr(name, "..");
}

/* Removes what the previous list has and this site does not. */
static bool remove_old(site *s, lvl_buffer *old, const cli_strings *now, size_t *removed)
{
    char *line = (char *)old->data, *end;

    for (; line && *line; line = end) {
        end = line + strcspn(line, "\r\n");
        if (*end)
            *end++ = 0;
        const char *key = line;
        if (!is_name(line) ||
            (now->count && bsearch(&key, now->items, now->count, sizeof *now->items, by_text)))
            continue;
        char *path = cli_format("%s/%s", s->c->opt->output, line);
        if (!path)
            return false;
        *removed += s->c->opt->dry_run ? lvl_file_kind_of(path) == LVL_FILE_REGULAR
                                       : lvl_file_remove_below(path, strlen(s->c->opt->output));
        free(path);
    }
    return true;
}

int site_clean(site *s)
{
    const lvl_buffer *written = &s->written;
    cli_strings now = {0};
    lvl_buffer old = {0}, list = {0};
    lvl_file_error why = {0};
    lvl_file_lock *lock = NULL;
    lvl_status status = LVL_OK;
    size_t removed = 0;
    char *path = cli_format("%s/" LIST, s->c->opt->output);
    bool good = path && written->status == LVL_OK && sort_names(written, &now);

    if (good && !s->c->opt->dry_run)
        status = cli_lock_file(path, &lock, &why);
    if (good && status == LVL_OK && lvl_file_kind_of(path) == LVL_FILE_REGULAR) {
        status = lvl_file_read(&old, path, MAX_LIST, &why);
        lvl_buffer_u8(&old, 0);
        if (status == LVL_OK)
            good = old.status == LVL_OK && remove_old(s, &old, &now, &removed);
    }
    for (size_t i = 0; i < now.count && good; i++) {
        if (!i || strcmp(now.items[i - 1], now.items[i]) != 0)
            lvl_buffer_printf(&list, "%s\n", now.items[i]);
    }
    if (good && s->c->opt->dry_run)
        cli_list_output(s->c, s->job->input, path, &s->job->out, &s->job->err);
    else if (good && status == LVL_OK && list.status == LVL_OK)
        status = lvl_file_save_below(path, 0, lvl_buffer_bytes(&list), LVL_SAVE_REPLACE, lock, &why);
    lvl_file_lock_free(lock);
    int code = EXIT_FINE;
    if (!good || list.status != LVL_OK)
        code = cli_no_memory(s->c);
    else if (status != LVL_OK)
        code = cli_report_file(s->c, path, status, &why);
    else if (removed && !s->c->opt->quiet)
        cli_report(s->c, "%zu file%s of levels that are gone %sremoved", removed, removed == 1 ? "" : "s",
                   s->c->opt->dry_run ? "would be " : "");
    free(path);
    cli_strings_free(&now);
    lvl_buffer_free(&old);
    lvl_buffer_free(&list);
    return code;
}
