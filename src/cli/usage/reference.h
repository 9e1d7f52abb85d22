/*
 * cli/usage/reference.h: the reference of games for people who make levels, for `lvl help GAME [TOPIC]`. Made
 * from data/games by scripts/game-reference; constant.
 */
#ifndef LVL_CLI_USAGE_REFERENCE_H
#define LVL_CLI_USAGE_REFERENCE_H

typedef struct cli_topic_row {
    const char *label, *text; /* "": a paragraph */
} cli_topic_row;

/* A logic, a command of scripts, a list of numbers. */
typedef struct cli_topic {
    const char *name, *group;
    const cli_topic_row *rows;
    unsigned row_count;
} cli_topic;

typedef struct cli_reference {
    const char *game, *title, *about;
    const cli_topic *topics; /* those of a group follow each other; ended by a NULL name */
} cli_reference;

extern const cli_reference cli_references[]; /* ended by a NULL game */

#endif
