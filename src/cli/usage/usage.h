/*
 * cli/usage/usage.h: what the command knows of its own verbs and options: parsing them, suggestions for
 * wrong ones, and descriptions for people and for other programs. Only main() and the verbs `help' and
 * `formats' need it; what all verbs need of the tables is in cli/cli.h.
 */
#ifndef LVL_CLI_USAGE_H
#define LVL_CLI_USAGE_H

#include "cli/cli.h"

/* ---- parsing (parse.c) ------------------------------------------------------------------------------- */

/* Sets c->verb, the options and args; reports usage errors. The verb stays NULL without arguments. */
int cli_parse(cli *c, cli_options *options, int argc, char **argv);
/* Whether the value is one of blank-separated words. */
bool cli_is_choice(const char *choices, const char *value);
/* The option with that letter, of a verb (NULL: of any verb); NULL: none. */
const cli_option *cli_option_letter(char letter, const cli_verb *verb);
/* Suggestions for a name that does not exist: the verb, or the long option of a verb, that is called so in
 * other commands or is spelled similarly. NULL: none. */
const char *cli_verb_near(const char *wrong);
const char *cli_option_near(const char *wrong, const cli_verb *verb);
/* The option of the verb that other commands call `wrong`; NULL: none. */
const char *cli_option_meant(const char *wrong, const cli_verb *verb);
/* What to do instead of an option of other commands that the verb does not need; NULL: nothing is known. */
const char *cli_option_instead(const char *wrong, const cli_verb *verb);

/* ---- the tables (options.c, verbs.c, examples.c) ------------------------------------------------------ */

/* Appends an option's choices, blank-separated, with those that formats add. */
void cli_option_choices(const cli_option *option, lvl_buffer *out);
/* Appends the help text of an option, with what formats add and its default, and a NUL. */
void cli_option_prose(const cli_option *option, lvl_buffer *out);

/* An example, or the name of the verb to which the following examples belong. */
typedef struct cli_example {
    const char *command; /* run from the top folder of the repository, on samples/ */
    const char *prose; /* NULL: a verb's name */
    int code; /* its exit code */
} cli_example;

extern const cli_example cli_example_table[]; /* ended by a NULL command */
extern const char cli_rules_example[]; /* a file of rules, for help */
/* The verb's examples, up to one without prose. */
const cli_example *cli_verb_examples(const cli_verb *verb);
/* The first option of the verb from `option` on that help shows; NULL: no more. Begin with the table. */
const cli_option *cli_option_from(const cli_option *option, const cli_verb *verb);
/* The meaning of an exit code (0 to 4), for a verb, or NULL: in general. */
const char *cli_exit_text(int code, const cli_verb *verb);

/* ---- descriptions (help.c, man.c, complete.c, signatures.c); all append UTF-8 ------------------------- */

/* What lvl is, and what FILE and output mean for every verb: paragraphs as in cli_verb. */
extern const char cli_about[], cli_about_files[];
void cli_help_short(lvl_buffer *out);
void cli_help_all(lvl_buffer *out);
struct cli_reference;
/* The reference of a game (cli/usage/reference.h), or NULL. */
const struct cli_reference *cli_reference_find(const char *game);
/* A part of it; `name` NULL: the names of all. NULL: written. Otherwise there is none of that name, and a
 * similar one is returned, or "". */
const char *cli_help_game(lvl_buffer *out, const struct cli_reference *game, const char *name);
/* `lvl help reading': profiles and limits. */
void cli_help_reading(lvl_buffer *out);
/* The same about files of rules (`check --rules'). */
void cli_help_rules(lvl_buffer *out);
void cli_help_verb(lvl_buffer *out, const cli_verb *verb);
void cli_help_examples(lvl_buffer *out);
/* verb NULL: lvl.1 */
void cli_man(lvl_buffer *out, const cli_verb *verb);
/* shell "bash", "zsh" or "fish"; false for another */
bool cli_complete(lvl_buffer *out, const char *shell);
/* The signatures of all formats for other programs; `kind`: "magic", "mime", "desktop", "thumbnailer" or
 * "pronom" (cli/usage/signatures.c). */
void cli_signatures(lvl_buffer *out, const char *kind);

#endif
