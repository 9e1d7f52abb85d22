/*
 * cli/usage/parse.c: parses the command line by the tables of verbs and options.
 */
#include "cli/usage/usage.h"

#include "base/text.h"
#include "tools/edit/move.h"
#include "tools/world/reference.h"

#include <stdlib.h>
#include <string.h>

bool cli_grow(void *list, size_t *cap, size_t need, size_t item_size)
{
    void *items;

    if (need <= *cap)
        return true;
    const size_t capacity = *cap > need / 2 ? *cap * 2 : need < 8 ? 8 : need;
    memcpy(&items, list, sizeof items);
    items = capacity <= SIZE_MAX / item_size ? realloc(items, capacity * item_size) : NULL;
    if (!items)
        return false;
    memcpy(list, &items, sizeof items);
    *cap = capacity;
    return true;
}

bool cli_strings_add(cli_strings *list, const char *item)
{
    if (!cli_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = item;
    return true;
}

void cli_strings_free(cli_strings *list)
{
    free((void *)list->items);
    *list = (cli_strings){0};
}

bool cli_number(const char *text, uint64_t max, uint64_t *out)
{
    uint64_t n = 0;
    const char *p = text;

    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    if (p == text)
        return false;
    if (*p) {
        static const char units[] = "kmg";
        const char *unit = strchr(units, lvl_lower(*p));
        if (!unit || p[1])
            return false;
        unsigned shift = 10 * (unsigned)(unit - units + 1);
        if (n > UINT64_MAX >> shift)
            return false;
        n <<= shift;
    }
    *out = n;
    return n <= max;
}

int cli_take_scale(cli *c, uint32_t *up, uint32_t *down)
{
    const char *text = c->opt->scale;
    uint32_t none = 0;

    if (!text)
        return EXIT_FINE;
    if (!lvl_text_scale(text, up ? up : &none, down) || none > 1)
        return cli_usage(c, "--scale: expected %s, got `%s'", up ? "N or 1/N" : "1/N", text);
    return EXIT_FINE;
}

int cli_take_move(cli *c, const char *distance, lvl_move_options *out)
{
    if (!lvl_move_read(distance, &out->dx, &out->dy))
        return cli_usage(c, "expected how far to move, as +64,0, got `%s'", distance);
    out->unit = c->opt->unit && strcmp(c->opt->unit, "tiles") == 0 ? LVL_MOVE_TILES : LVL_MOVE_OWN;
    out->plane = c->opt->plane;
    if (c->opt->tiles &&
        (!lvl_text_numbers(c->opt->tiles, ",", out->region, 4) || out->region[2] < 1 || out->region[3] < 1))
        return cli_usage(c, "--tiles: expected X,Y,W,H, got `%s'", c->opt->tiles);
    if (c->opt->tiles && c->opt->unit)
        return cli_usage(c, "--unit is for objects; a region always moves by tiles");
    if (c->opt->plane && !c->opt->tiles)
        return cli_usage(
            c, "--plane needs --tiles; a path names the plane itself, as planes[Action].objects[0]");
    return EXIT_FINE;
}

bool cli_is_finding(const cli *c, lvl_text id)
{
    char copy[100];
    lvl_buffer none = {0};

    snprintf(copy, sizeof copy, "%.*s", (int)(id.len < sizeof copy ? id.len : sizeof copy - 1), id.ptr);
    const lvl_status status = lvl_findings_reference(&c->ctx, NULL, copy, false, &none);
    lvl_buffer_free(&none);
    return status != LVL_ERR_MISSING && id.len;
}

int cli_no_choice(cli *c, const cli_option *option, lvl_text value)
{
    lvl_buffer known = {0};

    cli_option_choices(option, &known);
    lvl_buffer_u8(&known, 0);
    const int code = known.status == LVL_OK
                         ? cli_usage(c, "--%s: got `%.*s', expected one of: %s", option->name, (int)value.len,
                                     value.ptr, (const char *)known.data)
                         : cli_no_memory(c);
    lvl_buffer_free(&known);
    return code;
}

/* A path as it was typed: on Windows with the `/' by which lvl joins paths, so that one path is printed and
 * stored in one form, the same as on other systems. `maybe`: it may be another text, unless such a file is
 * there. */
static void take_path(char *path, bool maybe)
{
#ifdef _WIN32
    const bool windows = true;
#else
    const bool windows = false;
#endif

    if (windows && strchr(path, '\\') && !(maybe && lvl_file_kind_of(path) == LVL_FILE_NONE))
        cli_plain_slashes(path);
}

/* Stores one option; `value` NULL for a flag. */
static int store(cli *c, cli_options *options, const cli_option *o, char *value)
{
    char *at = (char *)options + o->offset;

    if (!o->arg) {
        *(bool *)(void *)at = true;
        return EXIT_FINE;
    }
    /* checked elsewhere: lists by their verb, code pages (which have further spellings), and profiles (which
 * formats add) */
    if (o->choices && o->offset != offsetof(cli_options, overlay) &&
        o->offset != offsetof(cli_options, encoding) && o->offset != offsetof(cli_options, profile) &&
        !cli_is_choice(o->choices, value))
        return cli_no_choice(c, o, lvl_text_of(value));
    if (strstr(o->arg, "FILE") || strstr(o->arg, "DIR")) {
        if (!*value)
            return cli_usage(c, "--%s: expected the name of a file or folder, got an empty text", o->name);
        take_path(value, false);
    }
    if (!o->many) {
        *(const char **)(void *)at = value;
        return EXIT_FINE;
    }
    return cli_strings_add((cli_strings *)(void *)at, value) ? EXIT_FINE : cli_no_memory(c);
}

/* An unknown option; it may be the name of a file. */
static int no_option(cli *c, const char *arg)
{
    if (lvl_file_kind_of(arg) != LVL_FILE_NONE)
        return cli_usage(c,
                         "there is no option %s; if you mean the file of that name, write ./%s, "
                         "or -- before it",
                         arg, arg);
    return cli_usage(c, "there is no option %s", arg);
}

static int unknown_option(cli *c, const char *arg, const char *name, size_t len)
{
    char word[64];

    /* an option of another verb is reported as that */
    const cli_option *other = cli_option_find(name, len, NULL);
    snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), name);
    const char *instead = cli_option_instead(word, c->verb);
    if (instead)
        return cli_usage(c, "there is no option %s: %s", arg, instead);
    if (other && c->verb && !other->hidden && !cli_option_meant(word, c->verb))
        return cli_usage(c, "`lvl %s' has no option --%s", c->verb->name, other->name);
    const char *near = cli_option_near(word, c->verb);
    if (near)
        return cli_usage(c, "there is no option %s; did you mean --%s?", arg, near);
    return no_option(c, arg);
}

/* One "--name", "--name=value"; *next: the following argument was its value. */
static int parse_long(cli *c, cli_options *options, char *arg, char *following, bool *next)
{
    const char *name = arg + 2;
    size_t len = strcspn(name, "=");
    char *value = name[len] ? arg + 2 + len + 1 : NULL;
    const cli_option *o = cli_option_find(name, len, c->verb);

    if (!o)
        return unknown_option(c, arg, name, len);
    if (!o->arg) {
        if (value)
            return cli_usage(c, "--%s takes no value", o->name);
        return store(c, options, o, NULL);
    }
    if (!value) {
        if (!following)
            return cli_usage(c, "--%s needs a value: %s", o->name, o->arg);
        value = following;
        *next = true;
    }
    return store(c, options, o, value);
}

/* One "-x", "-xyz", "-xVALUE". */
static int parse_short(cli *c, cli_options *options, char *arg, char *following, bool *next)
{
    for (char *p = arg + 1; *p; p++) {
        const cli_option *o = cli_option_letter(*p, c->verb);
        if (!o) {
            const cli_option *other = cli_option_letter(*p, NULL);
            const char letter[] = {*p, 0};
            const char *instead = cli_option_instead(letter, c->verb);
            if (instead)
                return cli_usage(c, "there is no option -%c: %s", *p, instead);
            if (other && c->verb && lvl_file_kind_of(arg) == LVL_FILE_NONE)
                return cli_usage(c, "`lvl %s' has no option -%c", c->verb->name, *p);
            return lvl_file_kind_of(arg) != LVL_FILE_NONE ? no_option(c, arg)
                                                          : cli_usage(c, "there is no option -%c", *p);
        }
        if (!o->arg) {
            int code = store(c, options, o, NULL);
            if (code)
                return code;
            continue;
        }
        if (p[1])
            return store(c, options, o, p + 1);
        if (!following)
            return cli_usage(c, "-%c needs a value: %s", *p, o->arg);
        *next = true;
        return store(c, options, o, following);
    }
    return EXIT_FINE;
}

/* Finds the verb: the first argument that is neither option nor value of an option. If that is a file, the
 * verb is info. */
static int find_verb(cli *c, int argc, char **argv, int *verb_at)
{
    *verb_at = 0;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strcmp(arg, "--") == 0)
            break;
        if (arg[0] == '-' && arg[1]) {
            const cli_option *o;
            size_t len = strlen(arg);
            if (arg[1] == '-')
                o = strchr(arg, '=') ? NULL : cli_option_find(arg + 2, len - 2, NULL);
            else
                o = cli_option_letter(arg[len - 1], NULL);
            /* the value is the next argument: `-o FILE', not `-oFILE' */
            if (o && o->arg && (arg[1] == '-' || len == 2))
                i++;
            continue;
        }
        c->verb = cli_verb_find(arg);
        if (c->verb) {
            *verb_at = i;
            return EXIT_FINE;
        }
        if (strcmp(arg, "-") == 0 || strchr(arg, '/') || lvl_file_kind_of(arg) != LVL_FILE_NONE)
            break;
        const char *near = cli_verb_near(arg);
        if (near)
            return cli_usage(c, "there is no verb or file `%s'; did you mean `lvl %s'?", arg, near);
        return cli_usage(c, "there is no verb or file `%s'; `lvl help' lists the verbs", arg);
    }
    c->verb = cli_verb_find("info");
    return EXIT_FINE;
}

/* Whether an argument is a distance to the left, "-64,0", and no option. */
static bool is_distance(const cli *c, const char *arg)
{
    return cli_verb_is(c, CLI_TAKES_DISTANCE) && (lvl_is_digit(arg[1]) || arg[1] == '.');
}

int cli_parse(cli *c, cli_options *options, int argc, char **argv)
{
    bool only_args = false, any = false;
    int verb_at;

    if (argc < 2)
        return EXIT_FINE;
    int code = find_verb(c, argc, argv, &verb_at);
    for (int i = 1; i < argc && code == EXIT_FINE; i++) {
        char *arg = argv[i], *following = i + 1 < argc ? argv[i + 1] : NULL;
        bool next = false;
        if (i == verb_at)
            continue;
        if (only_args || arg[0] != '-' || !arg[1] || is_distance(c, arg)) {
            any = true;
            take_path(arg, true);
            if (!cli_strings_add(&c->args, arg))
                return cli_no_memory(c);
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_args = true;
            continue;
        }
        code = arg[1] == '-' ? parse_long(c, options, arg, following, &next)
                             : parse_short(c, options, arg, following, &next);
        i += next;
    }
    if (code != EXIT_FINE)
        return code;
    /* without arguments, --help and --version apply to the whole command */
    if (!verb_at && !any)
        c->verb = NULL;
    return EXIT_FINE;
}
