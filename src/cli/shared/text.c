/*
 * cli/shared/text.c: strings and file names.
 */
#include "cli/cli.h"

#include "os/file.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cli_json_begin(lvl_buffer *out, const char *file)
{
    lvl_buffer_u8(out, '{');
    lvl_json_put_string(out, "file", file);
}

bool cli_is_named_pipe(const char *path)
{
    return lvl_file_is_pipe(path) && strncmp(path, "/dev/", 5) != 0;
}

bool cli_same_bytes(lvl_bytes a, lvl_bytes b)
{
    return a.len == b.len && (!a.len || memcmp(a.ptr, b.ptr, a.len) == 0);
}

char *cli_copy(const char *str)
{
    return lvl_text_copy(lvl_text_of(str));
}

char *cli_shown(const char *str)
{
    lvl_buffer out = {0};

    lvl_text_escape(&out, LVL_CP_UTF8, lvl_text_of(str), false);
    lvl_buffer_u8(&out, 0);
    if (out.status == LVL_OK)
        return (char *)out.data;
    lvl_buffer_free(&out);
    return NULL;
}

/* The value of a byte that is written as `\xff', or -1. */
static int escaped_byte(const char *at)
{
    static const char digits[] = "0123456789abcdef";
    const char *high = at[0] == '\\' && at[1] == 'x' && at[2] ? strchr(digits, at[2]) : NULL;
    const char *low = high && at[3] ? strchr(digits, at[3]) : NULL;

    return low ? (int)((high - digits) * 16 + (low - digits)) : -1;
}

char *cli_disk_path(const char *stored)
{
    char *path = cli_copy(stored), *out = path;

    for (const char *at = stored; path && *at;) {
        const int byte = escaped_byte(at);
        *out++ = byte < 0 ? *at : (char)byte;
        at += byte < 0 ? 1 : 4;
    }
    if (path)
        *out = 0;
    return path;
}

char *cli_format_args(const char *fmt, va_list args)
{
    va_list again;
    char *text = NULL;

    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, fmt, args);
    if (n >= 0)
        text = malloc((size_t)n + 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

char *cli_format(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    char *text = cli_format_args(fmt, args);
    va_end(args);
    return text;
}

char *cli_safe_name(const char *path)
{
    const char *base = path + strlen(path);

    while (base > path && base[-1] != '/' && base[-1] != '\\')
        base--;
    char *name = cli_format("%s", base);
    for (char *p = name; p && *p; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7F || strchr(":*?\"<>|", *p))
            *p = '_';
    }
    if (!name || lvl_path_safe(name))
        return name;
    char *safe = cli_format("_%s_", name); /* the name of a device, "..", or empty */
    free(name);
    return safe;
}

const char *cli_ending(const char *path)
{
    const char *base = lvl_file_name(path), *dot = strrchr(base, '.');

    return dot && dot != base ? dot : base + strlen(base);
}

bool cli_has_ending(const char *name, const lvl_format *format)
{
    const char *ending = cli_ending(name);

    return *ending && lvl_text_list_has(format->extensions, ' ', lvl_text_of(ending + 1));
}

const lvl_format *cli_format_of_ending(const char *name)
{
    const lvl_format *format = NULL;

    for (size_t i = 0; (format = lvl_format_at(i)) != NULL && !cli_has_ending(name, format);)
        i++;
    return format;
}

const char *cli_first_ending(const lvl_format *format, char buf[CLI_ENDING])
{
    const char *all = format->extensions;

    snprintf(buf, CLI_ENDING, "%.*s", (int)strcspn(all, " "), all);
    return buf;
}

const lvl_format *cli_format_named(const char *name, unsigned can)
{
    const lvl_format *format = lvl_format_find(name);

    if (format)
        return (lvl_format_can(format) & can) == can ? format : NULL;
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        if ((lvl_format_can(format) & can) == can &&
            lvl_text_list_has(format->extensions, ' ', lvl_text_of(name)))
            return format;
    }
    return NULL;
}

bool cli_is_dump(lvl_bytes bytes, const char *name)
{
    const lvl_bytes head = {bytes.ptr, bytes.len < 4096 ? bytes.len : 4096};

    if (lvl_probe(head, head, bytes.len, name, NULL))
        return false; /* a level may be JSON, too, also one with a wrong byte in its header */
    for (size_t i = 0; i < bytes.len; i++) {
        uint8_t ch = bytes.ptr[i];
        if (ch != ' ' && ch != '\t' && ch != '\r' && ch != '\n')
            return ch == '{';
    }
    return false;
}

char *cli_join_path(const char *a, const char *b)
{
    size_t n = strlen(a);

    return cli_format("%s%s%s", a, n == 0 || a[n - 1] == '/' ? "" : "/", b);
}

bool cli_is_named_as(const char *name, const lvl_format *format)
{
    const char *ending = cli_ending(name);

    for (const lvl_form *form = format->forms; *ending && form && form->name; form++) {
        if (strcmp(ending + 1, form->extension) == 0)
            return true;
    }
    return cli_has_ending(name, format);
}

bool cli_ending_fits(const cli_job *job, const char *ending, char kind[16])
{
    const lvl_format *format = lvl_doc_format(job->doc);
    lvl_buffer said = {0};
    char name[24];

    const lvl_status status = lvl_get(job->doc, "kind", NULL, &said, NULL, NULL);
    const bool known = status == LVL_OK && said.status == LVL_OK;
    snprintf(kind, 16, "%.*s", known ? (int)said.len : 0, known ? (const char *)said.data : "");
    kind[strcspn(kind, "\n")] = 0;
    lvl_buffer_free(&said);
    snprintf(name, sizeof name, "x.%s", kind);
    return !cli_has_ending(name, format) || strcmp(kind, ending) == 0;
}
