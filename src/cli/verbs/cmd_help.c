/*
 * cli/verbs/cmd_help.c: `lvl help` and `lvl version`; help also prints the man pages and completions that are
 * kept in the repository.
 */
#include "cli/usage/usage.h"

#include <string.h>

int cmd_help(cli *c)
{
    const cli_verb *verb = NULL;
    lvl_buffer out = {0};

    const struct cli_reference *game = c->args.count ? cli_reference_find(c->args.items[0]) : NULL;
    if (c->args.count > (game ? 2 : 1))
        return cli_usage(c, game ? "unexpected argument: help takes a game and one name"
                                 : "unexpected argument: help takes one verb");
    if (game) {
        const char *name = c->args.count > 1 ? c->args.items[1] : NULL;
        const char *near = cli_help_game(&out, game, name);
        if (!near)
            cli_out_text(c, &out);
        return !near     ? EXIT_FINE
               : near[0] ? cli_usage(c, "%s has no `%s'; did you mean `%s'?", c->args.items[0], name, near)
                         : cli_usage(c, "%s has no `%s'; `lvl help %s' lists all", c->args.items[0], name,
                                     c->args.items[0]);
    }
    if (c->args.count && strcmp(c->args.items[0], "reading") == 0) {
        cli_help_reading(&out);
        cli_out_text(c, &out);
        return EXIT_FINE;
    }
    if (c->args.count && strcmp(c->args.items[0], "rules") == 0) {
        cli_help_rules(&out);
        cli_out_text(c, &out);
        return EXIT_FINE;
    }
    if (c->args.count) {
        const char *name = c->args.items[0];
        verb = cli_verb_find(name);
        if (!verb) {
            const char *near = cli_verb_near(name);
            return near ? cli_usage(c, "there is no verb `%s'; did you mean `%s'?", name, near)
                        : cli_usage(c, "there is no verb `%s'; `lvl help' lists all", name);
        }
    }
    if (c->opt->list) {
        for (const cli_verb *v = cli_verb_table; v->name; v++)
            lvl_buffer_printf(&out, "%s\n", v->name);
    } else if (c->opt->examples)
        cli_help_examples(&out);
    else if (c->opt->completions)
        cli_complete(&out, c->opt->completions);
    else if (c->opt->man)
        cli_man(&out, verb);
    else if (verb)
        cli_help_verb(&out, verb);
    else
        cli_help_all(&out);
    cli_out_text(c, &out);
    return EXIT_FINE;
}

int cmd_version(cli *c)
{
    char line[64];

    int n = snprintf(line, sizeof line, "lvl %s\n", lvl_version());
    cli_out(c, line, (size_t)n);
    return EXIT_FINE;
}
