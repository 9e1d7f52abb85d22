/*
 * cli/pages/gallery_files.c: the list of the files of a site, by which the next `lvl gallery -y' removes
 * those of levels that are gone, and nothing else.
 */
#include "cli/pages/gallery.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define LIST "lvl-files.txt"

enum { MAX_LIST = 256 << 20 };

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

/* Removes what the list of before has and this site has not. */
static bool remove_old(gallery *g, lvl_buffer *old, const cli_strings *now, size_t *removed)
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
        char *path = cli_format("%s/%s", g->c->opt.output, line);
        if (!path)
            return false;
        *removed += lvl_file_remove_below(path, strlen(g->c->opt.output));
        free(path);
    }
    return true;
}

int gallery_clean(gallery *g, const lvl_buffer *written)
{
    cli_strings now = {0};
    lvl_buffer old = {0}, list = {0};
    lvl_file_error why = {0};
    lvl_status status = LVL_OK;
    size_t removed = 0;
    char *path = cli_format("%s/" LIST, g->c->opt.output);
    bool good = path && written->status == LVL_OK && sort_names(written, &now);

    if (good && lvl_file_kind_of(path) == LVL_FILE_REGULAR) {
        status = lvl_file_read(&old, path, MAX_LIST, &why);
        lvl_buffer_u8(&old, 0);
        if (status == LVL_OK)
            good = old.status == LVL_OK && remove_old(g, &old, &now, &removed);
    }
    for (size_t i = 0; i < now.count && good; i++) {
        if (!i || strcmp(now.items[i - 1], now.items[i]) != 0)
            lvl_buffer_printf(&list, "%s\n", now.items[i]);
    }
    if (good && status == LVL_OK && list.status == LVL_OK)
        status = lvl_file_save(path, lvl_buffer_bytes(&list), LVL_SAVE_REPLACE, &why);
    int code = EXIT_FINE;
    if (!good || list.status != LVL_OK)
        code = cli_no_memory(g->c);
    else if (status != LVL_OK)
        code = cli_report_file(g->c, path, status, &why);
    else if (removed && !g->c->opt.quiet)
        cli_report(g->c, "%zu file%s of levels that are gone removed", removed, removed == 1 ? "" : "s");
    free(path);
    cli_strings_free(&now);
    lvl_buffer_free(&old);
    lvl_buffer_free(&list);
    return code;
}
