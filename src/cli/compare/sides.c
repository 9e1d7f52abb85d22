/*
 * cli/compare/sides.c: the files that `lvl diff` compares: two files, or two folders or archives file by
 * file.
 */
#include "cli/compare/compare.h"

#include <stdlib.h>
#include <string.h>

cli_presence cli_diff_presence(const cli_job *job)
{
    const cli_sides *s = job->c->user;
    const size_t index = (size_t)(job->input - job->c->inputs.items);

    if (index >= s->only_b)
        return CLI_ONLY_IN_B;
    return s->pair[index] ? CLI_IN_BOTH : CLI_ONLY_IN_A;
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

/* Files of one side that follow each other in the order of cli_inputs_sorted. */
typedef struct file_run {
    cli_input **items;
    size_t count;
} file_run;

typedef struct pairing {
    const cli_inputs *a;
    cli_sides *s;
    bool *taken; /* for each file of side B: it has a partner */
} pairing;

static const cli_input **partner_of(const pairing *p, const cli_input *a)
{
    return &p->s->pair[a - p->a->items];
}

static bool *is_taken(const pairing *p, const cli_input *b)
{
    return &p->taken[b - p->s->b.items];
}

/* Order of two files by `rel` without the ending. */
static int by_stem(const cli_input *a, const cli_input *b)
{
    const size_t na = (size_t)(cli_ending(a->rel) - a->rel), nb = (size_t)(cli_ending(b->rel) - b->rel);
    const int d = memcmp(a->rel, b->rel, na < nb ? na : nb);

    return d ? d : (na > nb) - (na < nb);
}

static void pair_equal_paths(const pairing *p, const file_run *a, const file_run *b)
{
    for (size_t i = 0, k = 0; i < a->count; i++) {
        while (k < b->count && strcmp(b->items[k]->rel, a->items[i]->rel) < 0)
            k++;
        if (k < b->count && strcmp(b->items[k]->rel, a->items[i]->rel) == 0) {
            *partner_of(p, a->items[i]) = b->items[k];
            *is_taken(p, b->items[k]) = true;
        }
    }
}

/* Pairs a level and its conversion: the only file in A with the only one that is left in B. */
static void pair_other_endings(const pairing *p, const file_run *a, const file_run *b)
{
    const cli_input *left = NULL;

    if (a->count != 1 || *partner_of(p, a->items[0]))
        return;
    for (size_t i = 0; i < b->count; i++) {
        if (*is_taken(p, b->items[i]))
            continue;
        if (left)
            return;
        left = b->items[i];
    }
    if (left) {
        *partner_of(p, a->items[0]) = left;
        *is_taken(p, left) = true;
    }
}

/* Takes from `all` the files, from index `*at` on, whose paths are that of `like` but for the ending. */
static file_run next_run(cli_input **all, size_t count, size_t *at, const cli_input *like)
{
    while (*at < count && by_stem(all[*at], like) < 0)
        ++*at;
    file_run run = {all + *at, 0};
    while (*at < count && by_stem(all[*at], like) == 0) {
        ++*at;
        run.count++;
    }
    return run;
}

/* Pairs the files of two folders, and appends the files that only B has to the jobs. */
static bool pair_folders(cli *c, cli_sides *s)
{
    const size_t na = c->inputs.count, nb = s->b.count;
    cli_input **a = cli_inputs_sorted(&c->inputs), **b = cli_inputs_sorted(&s->b);
    const pairing p = {&c->inputs, s, calloc(nb + 1, sizeof(bool))};
    bool ok = a && b && p.taken;

    for (size_t i = 0, k = 0; ok && i < na;) {
        const file_run of_a = next_run(a, na, &i, a[i]);
        const file_run of_b = next_run(b, nb, &k, of_a.items[0]);
        pair_equal_paths(&p, &of_a, &of_b);
        pair_other_endings(&p, &of_a, &of_b);
    }
    for (size_t i = 0; ok && i < nb; i++) {
        if (!p.taken[i])
            ok = cli_input_move(&c->inputs, &s->b.items[i]);
    }
    free(a);
    free(b);
    free(p.taken);
    return ok;
}

int cli_diff_pair_sides(cli *c, cli_sides *s)
{
    s->only_b = c->inputs.count;
    s->pair = calloc(c->inputs.count + 1, sizeof *s->pair);
    if (!s->pair)
        return cli_no_memory(c);
    if (c->inputs.batch)
        return pair_folders(c, s) ? EXIT_FINE : cli_no_memory(c);
    if (s->b.count)
        s->pair[0] = &s->b.items[0];
    return EXIT_FINE;
}

/* ---- arguments --------------------------------------------------------------------------------------- */

/* Whether the only input of a side cannot be read. */
static bool is_unreadable(const cli_inputs *inputs)
{
    return inputs->count == 1 && inputs->items[0].error_text;
}

/* Adds what an argument names to the inputs of its side; a folder beside a file stands for the file of that
 * name in it. False: no memory. */
static bool add_side(cli *c, cli_inputs *inputs, const char *arg, const char *other)
{
    if (lvl_file_kind_of(arg) != LVL_FILE_FOLDER || lvl_file_kind_of(other) != LVL_FILE_REGULAR)
        return cli_input_add(c, inputs, arg, false);
    char *path = cli_join_path(arg, lvl_file_name(other));
    const bool ok = path && cli_input_add(c, inputs, path, false);
    free(path);
    return ok;
}

int cli_diff_take_arguments(cli *c, cli_sides *s)
{
    const char *a = c->args.items[0], *b = c->args.items[1];

    s->names[0] = a;
    s->names[1] = b;
    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        return cli_usage(c, "only one side can be standard input");
    if (!add_side(c, &c->inputs, a, b) || !add_side(c, &s->b, b, a))
        return cli_no_memory(c);
    if (is_unreadable(&s->b)) {
        cli_report(c, "%s: %s", s->b.items[0].shown, s->b.items[0].error_text);
        return s->b.items[0].code;
    }
    if (c->inputs.batch != s->b.batch && !is_unreadable(&c->inputs))
        return cli_usage(c, "cannot compare a file with a folder; give two files or two folders");
    return cli_diff_pair_sides(c, s);
}

void cli_sides_free(cli_sides *s)
{
    cli_inputs_free(&s->b);
    free((void *)s->pair);
    free(s->top);
    lvl_buffer_free(&s->page.files);
}
