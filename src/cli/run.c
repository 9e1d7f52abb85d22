/*
 * cli/run.c: runs the command: parses the command line, sets up the context, calls the verb.
 */
#include "cli/shared/windows.h"
#include "cli/usage/usage.h"

#include <lvl/catalogue.h>

#include <stdlib.h>
#include <string.h>

static int set_limit(cli *c, const char *text)
{
    lvl_limits *l = &c->ctx.limits;
    const struct {
        const char *name;
        uint64_t *wide;
        uint32_t *narrow;
    } names[] = {
        {"input_bytes", &l->input_bytes, NULL},
        {"memory_bytes", &l->memory_bytes, NULL},
        {"cells", &l->cells, NULL},
        {"items", &l->items, NULL},
        {"depth", NULL, &l->depth},
        {"inflate_ratio", NULL, &l->inflate_ratio},
        {"findings", NULL, &l->findings},
        {"work", &l->work, NULL},
        {"members", &c->most.members, NULL},
        {"inflated", &c->most.inflated, NULL},
        {"nested", &c->most.nested, NULL},
    };
    size_t len = strcspn(text, "=");
    uint64_t value;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) != len || memcmp(names[i].name, text, len) != 0)
            continue;
        if (!text[len] || !cli_number(text + len + 1, names[i].wide ? UINT64_MAX : UINT32_MAX, &value) ||
            !value)
            return cli_usage(c, "--limit %s: expected NAME=NUMBER; the number may end in K, M or G", text);
        if (names[i].wide)
            *names[i].wide = value;
        else
            *names[i].narrow = (uint32_t)value;
        return EXIT_FINE;
    }
    return cli_usage(c, "--limit %s: there is no such limit; `lvl help reading' lists them", text);
}

static const cli_budget most_by_default = {1000000, 4ull << 30, 8};

/* Applies the options that most verbs have to the context. */
static int set_up(cli *c)
{
    const cli_options *o = c->opt;
    uint64_t n;

    c->most = most_by_default;
    c->inside_packs = o->members;

    if (o->profile && !lvl_ctx_set_profile(&c->ctx, o->profile))
        return cli_no_choice(c, cli_option_find("profile", strlen("profile"), c->verb),
                             lvl_text_of(o->profile));
    if (o->encoding) {
        if (!lvl_codepage_parse(o->encoding, &c->ctx.codepage))
            return cli_no_choice(c, cli_option_find("encoding", strlen("encoding"), c->verb),
                                 lvl_text_of(o->encoding));
        c->ctx.codepage_given = true;
    }
    for (size_t i = 0; i < o->limits.count; i++) {
        int code = set_limit(c, o->limits.items[i]);
        if (code)
            return code;
    }
    if (o->as) {
        c->format = cli_format_named(o->as, 0);
        if (!c->format)
            return cli_no_format(c, "--as: ", o->as);
    }
    if (o->jobs) {
        if (!cli_number(o->jobs, 256, &n))
            return cli_usage(c, "--jobs: expected a number up to 256, got `%s'", o->jobs);
        c->jobs = (unsigned)n;
    }
    return cli_rules_take(c);
}

static void set_colors(cli *c)
{
    const char *when = c->opt->color, *no = getenv("NO_COLOR"), *term = getenv("TERM");
    bool always = when && strcmp(when, "always") == 0;
    bool never =
        (when && strcmp(when, "never") == 0) || (!always && ((no && *no) || (term && !strcmp(term, "dumb"))));

    c->progress = cli_is_terminal(stderr) && !(term && strcmp(term, "dumb") == 0);
    c->color_out = always || (!never && cli_is_terminal(stdout));
    c->color_err = always || (!never && cli_is_terminal(stderr));
#ifdef _WIN32 /* a console of Windows understands colours if it is asked to, and an old one does not */
    const bool out = cli_windows_console_begin(stdout), err = cli_windows_console_begin(stderr);
    c->color_out = c->color_out && (out || !c->terminal_out);
    c->color_err = c->color_err && (err || !c->terminal_err);
    c->progress = c->progress && err;
#endif
}

/* The functions are not in the table of verbs, since verbs use that table. */
static int run_verb(cli *c)
{
#define ROW(NAME, name) [VERB_INDEX_##NAME] = cmd_##name,
    static int (*const run[])(cli * c) = {CLI_VERBS(ROW)};
#undef ROW
    size_t i = 0;

    while (1U << i != c->verb->bit)
        i++;
    return run[i](c);
}

static int run_command(cli *c, cli_options *options, int argc, char **argv)
{
    lvl_buffer text = {0};

    int code = cli_parse(c, options, argc, argv);
    if (code)
        return code;
    if (c->opt->version)
        return cmd_version(c);
    if (c->opt->help) {
        if (c->verb)
            cli_help_verb(&text, c->verb);
        else
            cli_help_all(&text);
        cli_out_text(c, &text);
        return EXIT_FINE;
    }
    if (!c->verb) {
        if (argc > 1)
            return cli_usage(c, "no input file; see `lvl --help'");
        cli_help_short(&text);
        cli_out_text(c, &text);
        return EXIT_USAGE;
    }
    set_colors(c);
    code = set_up(c);
    return code ? code : run_verb(c);
}

int cli_main(int argc, char **argv)
{
    cli_options options = {0};
    cli c = {.opt = &options};

    cli_plan_none(&c);
    lvl_ctx_init(&c.ctx);
    c.terminal_out = cli_is_terminal(stdout);
    c.terminal_err = cli_is_terminal(stderr);
    c.ctx.stop = cli_signals();
    int code = run_command(&c, &options, argc, argv);
    code = cli_max_exit_code(code, cli_flush(&c));
    cli_plan_none(&c);
    cli_inputs_free(&c.inputs);
    cli_arts_free(&c);
    cli_rules_free(&c);
    cli_strings_free(&c.args);
    for (const cli_option *o = cli_option_table; o->name; o++) {
        if (o->many)
            cli_strings_free((cli_strings *)(void *)((char *)&options + o->offset));
    }
#ifdef _WIN32
    cli_windows_console_end();
#endif
    cli_signals_end();
    return code;
}
