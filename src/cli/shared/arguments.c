/*
 * cli/shared/arguments.c: the arguments of a command line of Windows, where a program gets one string and has
 * to split it and to expand its wildcards itself. Not left to the C library, since some (Wine's among them)
 * do not expand, and since theirs are in the program's code page. Compiled on every system, so that its tests
 * run there, too.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool cli_matches_pattern(const char *text, const char *pattern, bool nocase)
{
    const char *star = NULL, *from = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern && (*pattern == '?' || *pattern == *text ||
                                (nocase && lvl_lower(*pattern) == lvl_lower(*text)))) {
            /* '?' is one character, not one byte of it */
            while (*pattern == '?' && ((unsigned char)text[1] & 0xC0) == 0x80)
                text++;
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

void cli_plain_slashes(char *path)
{
    const bool verbatim = strncmp(path, "\\\\?\\", 4) == 0 || strncmp(path, "\\\\.\\", 4) == 0;
    char *to = path;

    for (const char *p = path; *p && !verbatim;) {
        const size_t run = strspn(p, "/\\");
        if (!run) {
            *to++ = *p++;
            continue;
        }
        /* two at the start are a share, and two `/' are before a member of an archive */
        bool two = p == path && run > 1;
        for (size_t i = 1; i < run; i++)
            two = two || (p[i - 1] == '/' && p[i] == '/');
        *to++ = '/';
        if (two)
            *to++ = '/';
        p += run;
    }
    if (!verbatim)
        *to = 0;
}

/* Room for one more item. */
static bool grow_list(lvl_file_list *list)
{
    if (list->count < list->cap)
        return true;
    const size_t cap = list->cap ? list->cap * 2 : 8;
    char **names = realloc(list->names, cap * sizeof *names);
    if (names) {
        list->names = names;
        list->cap = cap;
    }
    return names != NULL;
}

static bool add_argument(lvl_file_list *out, char *item)
{
    if (!item || !grow_list(out)) {
        free(item);
        return false;
    }
    out->names[out->count++] = item;
    return true;
}

/* Adds the files and folders that match the last name of the path; the path itself if nothing does. */
static bool add_matching(lvl_file_list *out, const char *path)
{
    const char *name = lvl_file_name(path);
    const size_t len = (size_t)(name - path), was = out->count;
    /* "C:" is the drive's current folder */
    char *folder = len ? cli_format("%.*s%s", (int)len, path, name[-1] == ':' ? "." : "") : cli_copy(".");
    lvl_file_list list = {0};
    bool good = folder != NULL;
    const lvl_status status = good ? lvl_folder_list(&list, folder, NULL) : LVL_ERR_MEMORY;

    good = status != LVL_ERR_MEMORY;
    for (size_t i = 0; i < list.count && good; i++) {
        if (cli_matches_pattern(list.names[i], name, true))
            good = add_argument(out, cli_format("%.*s%s", (int)len, path, list.names[i]));
    }
    lvl_file_list_free(&list);
    free(folder);
    return good && (out->count > was || add_argument(out, cli_copy(path)));
}

/* One argument, from *line to the blank after it, without its quotes. *wild: its last name has wildcards,
 * none of them in quotes. */
static void take_word(const char **line, bool program, lvl_buffer *word, bool *wild)
{
    const char *p = *line;
    bool quoted = false, literal = false;

    for (; *p && (quoted || (*p != ' ' && *p != '\t')); p++) {
        const size_t slashes = program ? 0 : strspn(p, "\\");
        if (slashes &&
            p[slashes] == '"') { /* each pair is one of them, a single last one escapes the quote */
            for (size_t i = 0; i < slashes / 2; i++)
                lvl_buffer_u8(word, '\\');
            p += slashes - 1 + slashes % 2;
            if (slashes % 2)
                lvl_buffer_u8(word, '"');
        } else if (*p == '"') {
            if (quoted && !program && p[1] == '"')
                lvl_buffer_u8(word, (uint8_t)*p++);
            else
                quoted = !quoted;
        } else {
            literal = literal || (quoted && (*p == '*' || *p == '?'));
            lvl_buffer_u8(word, (uint8_t)*p);
        }
    }
    lvl_buffer_u8(word, 0);
    *wild = word->status == LVL_OK && !literal && word->data[0] != '-' &&
            strpbrk(lvl_file_name((const char *)word->data), "*?") != NULL;
    *line = p;
}

bool cli_split_command_line(const char *line, lvl_file_list *out)
{
    bool good = true;

    memset(out, 0, sizeof *out);
    for (bool program = true; good; program = false) {
        lvl_buffer word = {0};
        bool wild = false;
        if (!program) {
            line += strspn(line, " \t");
            if (!*line)
                break;
        }
        take_word(&line, program, &word, &wild);
        good = word.status == LVL_OK &&
               (wild && !program ? add_matching(out, (const char *)word.data)
                                 : add_argument(out, cli_copy((const char *)word.data)));
        lvl_buffer_free(&word);
    }
    /* as argv, after whose last item is NULL */
    good = good && grow_list(out);
    if (good)
        out->names[out->count] = NULL;
    else
        lvl_file_list_free(out);
    return good;
}
