/*
 * cli/jobs/inputs.c: the list of inputs of a run: adding to it, its order, and what several inputs have in
 * common.
 */
#include "cli/jobs/inputs.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void input_free(cli_input *in)
{
    free(in->name);
    free(in->shown);
    free(in->rel);
    free(in->path);
    free(in->before);
    free(in->error_text);
    lvl_buffer_free(&in->changed);
    lvl_file_lock_free(in->lock);
    lvl_buffer_free(&in->saved_out);
    lvl_buffer_free(&in->saved_err);
    lvl_buffer_free(&in->content);
    cli_look_free(in->look);
}

void cli_inputs_free(cli_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        input_free(&inputs->items[i]);
    free(inputs->items);
    cli_archives_free(inputs);
    memset(inputs, 0, sizeof *inputs);
}

cli_input *cli_input_new(cli_inputs *inputs, const char *name, const char *rel)
{
    if (!cli_grow(&inputs->items, &inputs->cap, inputs->count + 1, sizeof *inputs->items))
        return NULL;
    cli_input *in = &inputs->items[inputs->count];
    memset(in, 0, sizeof *in);
    in->name = cli_copy(name);
    in->shown = cli_shown(name);
    in->rel = cli_copy(rel);
    if (!in->name || !in->shown || !in->rel) {
        input_free(in);
        return NULL;
    }
    inputs->count++;
    return in;
}

bool cli_input_add_error(cli_inputs *inputs, const char *name, int code, const char *fmt, ...)
{
    cli_input *in = cli_input_new(inputs, name, lvl_file_name(name));
    va_list args;

    if (!in)
        return false;
    va_start(args, fmt);
    in->named = true;
    in->code = code;
    in->error_text = cli_format_args(fmt, args);
    va_end(args);
    return in->error_text != NULL;
}

bool cli_input_add_file(cli_inputs *inputs, const char *path, size_t typed, const char *rel, bool named)
{
    cli_input *in = cli_input_new(inputs, path, rel);

    if (!in)
        return false;
    in->named = named;
    in->typed = typed;
    in->path = cli_copy(path);
    return in->path != NULL;
}

cli_input *cli_input_add_content(cli_inputs *inputs, const char *name, const char *path, lvl_buffer *content)
{
    if (!cli_input_add_file(inputs, name, 0, name, false))
        return NULL;
    cli_input *in = &inputs->items[inputs->count - 1];
    free(in->path);
    in->path = cli_copy(path);
    in->has_content = true;
    in->content = *content;
    *content = (lvl_buffer){0};
    return in->path ? in : NULL;
}

bool cli_input_move(cli_inputs *to, cli_input *from)
{
    cli_input *in = cli_input_new(to, "", "");

    if (!in)
        return false;
    input_free(in);
    *in = *from;
    memset(from, 0, sizeof *from);
    return true;
}

/* ---- order ------------------------------------------------------------------------------------------- */

/* For qsort over pointers to inputs. */
static int by_rel(const void *a, const void *b)
{
    const cli_input *x = *(cli_input *const *)a, *y = *(cli_input *const *)b;
    size_t nx = (size_t)(cli_ending(x->rel) - x->rel), ny = (size_t)(cli_ending(y->rel) - y->rel);
    int d = strncmp(x->rel, y->rel, nx < ny ? nx : ny);

    if (d || nx != ny)
        return d ? d : nx < ny ? -1 : 1;
    return strcmp(x->rel, y->rel);
}

cli_input **cli_inputs_sorted(const cli_inputs *inputs)
{
    cli_input **sorted = calloc(inputs->count + 1, sizeof *sorted);

    for (size_t i = 0; sorted && i < inputs->count; i++)
        sorted[i] = &inputs->items[i];
    if (sorted && inputs->count)
        qsort(sorted, inputs->count, sizeof(*sorted), by_rel);
    return sorted;
}

/* ---- archives that inputs are members of -------------------------------------------------------------- */

static bool same_ending(const char *a, const char *b)
{
    return lvl_text_equal_nocase(lvl_text_of(cli_ending(a)), lvl_text_of(cli_ending(b)));
}

const cli_archive *cli_input_archive_named(const cli_input *input, const char *path)
{
    for (const cli_archive *a = input->archive; a; a = a->parent) {
        const bool member_only = same_ending(path, input->entry->path) && !same_ending(path, a->name);
        if ((a->doc && cli_has_ending(path, lvl_doc_format(a->doc)) && !member_only) ||
            (!a->parent && lvl_file_same(path, a->name)))
            return a;
    }
    return NULL;
}

const cli_archive *cli_inputs_archive_named(const cli_inputs *inputs, const char *path)
{
    const cli_archive *common = NULL;

    for (size_t i = 0; i < inputs->count; i++) {
        const cli_archive *a = cli_input_archive_named(&inputs->items[i], path);
        if (!a || (common && a != common))
            return NULL;
        common = a;
    }
    return common;
}

bool cli_inputs_in_foreign(const cli_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        for (const cli_archive *a = inputs->items[i].archive; a; a = a->parent) {
            if (a->is_foreign)
                return true;
        }
    }
    return false;
}

/* ---- inputs changed in place --------------------------------------------------------------------------- */

/* Something that a save replaces: a file, or a member of an archive. */
typedef struct place {
    char *key; /* the same for the same file or member */
    size_t order;
    cli_archive *archive; /* the archive that was opened from it; or NULL, and */
    cli_input *input; /* the input */
} place;

static int by_key(const void *a, const void *b)
{
    const place *x = a, *y = b;
    const int d = strcmp(x->key, y->key);

    return d ? d : (x->order > y->order) - (x->order < y->order);
}

/* Appends a place: the member `id` of an archive, or (NULL) the file with that ID. False: no memory. */
static bool add_place(place *places, size_t *count, const cli_archive *around, const char *id, place added)
{
    added.key = id ? cli_format("%p %s", (const void *)around, id) : NULL;
    added.order = *count;
    if (added.key)
        places[(*count)++] = added;
    return added.key != NULL;
}

bool cli_inputs_dedupe(cli_inputs *inputs)
{
    size_t kept = 0, archives = 0, count = 0;

    for (const cli_archive *a = inputs->archives; a; a = a->next)
        archives++;
    place *places = calloc(archives + inputs->count + 1, sizeof *places);
    bool ok = places != NULL;
    for (cli_archive *a = inputs->archives; a && ok; a = a->next)
        ok = add_place(places, &count, a->parent, a->id, (place){.archive = a});
    for (size_t i = 0; i < inputs->count && ok; i++) {
        cli_input *in = &inputs->items[i];
        char *id = in->path && !in->archive ? lvl_file_entry_id(in->path) : NULL;
        if (in->path)
            ok = add_place(places, &count, in->archive, in->archive ? in->entry->path : id,
                           (place){.input = in});
        free(id);
    }
    if (ok && count)
        qsort(places, count, sizeof *places, by_key);
    /* archives come before the inputs of the same place */
    for (size_t i = 1; i < count && ok; i++) {
        const place *before = &places[i - 1];
        cli_input *in = places[i].input;
        if (!in || strcmp(before->key, places[i].key) != 0)
            continue;
        in->repeated = before->input != NULL;
        in->opened = before->archive && before->archive->container ? before->archive : NULL;
    }
    for (size_t i = 0; i < count; i++)
        free(places[i].key);
    free(places);
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->items[i].repeated)
            input_free(&inputs->items[i]);
        else
            inputs->items[kept++] = inputs->items[i];
    }
    inputs->count = kept;
    return ok;
}
