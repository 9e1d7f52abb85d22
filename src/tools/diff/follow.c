/*
 * tools/diff/follow.c: finds the items that paths name in another state of the same document, in which items
 * were added, removed, sorted or changed.
 */
#include "tools/diff/follow.h"

#include "tools/diff/align.h"
#include "tools/paths/path.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

/* The first and the end of the run of items without a partner around item `index`. */
static void run_around(const uint32_t *partners, uint32_t count, uint32_t index, uint32_t *first,
                       uint32_t *end)
{
    for (*first = index; *first > 0 && partners[*first - 1] == LVL_UNPAIRED;)
        (*first)--;
    for (*end = index + 1; *end < count && partners[*end] == LVL_UNPAIRED;)
        (*end)++;
}

/* Finds an item by its place: one that was changed beyond recognition is still beside its neighbours. */
static uint32_t by_place(const lvl_alignment *p, uint32_t index)
{
    uint32_t first, end;

    run_around(p->a, p->count_a, index, &first, &end);
    const uint32_t after = first ? p->a[first - 1] + 1 : 0,
                   before = end < p->count_a ? p->a[end] : p->count_b;
    /* counted from the item before the run, and from the one after it; modulo 2^32 */
    const uint32_t places[2] = {after + (index - first), before - (end - index)};
    for (size_t i = 0; i < 2; i++) {
        uint32_t first_b, end_b;
        if (places[i] >= p->count_b || p->b[places[i]] != LVL_UNPAIRED)
            continue;
        run_around(p->b, p->count_b, places[i], &first_b, &end_b);
        if (end_b - first_b == end - first)
            return first_b + (index - first);
    }
    return LVL_UNPAIRED;
}

/* The pairs of the last list at each depth: most paths are about the same lists. */
typedef struct follower {
    const lvl_doc *a, *b;
    struct paired {
        const void *in_a, *in_b;
        const lvl_field *list; /* NULL: none yet */
        lvl_alignment pairs;
    } at[LVL_PATH_DEPTH];
} follower;

/* Replaces the index of an item of the list of `a` by that in `b`; LVL_UNPAIRED: it is gone. */
static lvl_status find_item(follower *w, uint32_t depth, const void *in_a, const void *in_b,
                            const lvl_field *list, uint32_t *index)
{
    struct paired *p = &w->at[depth];

    if (list->item != LVL_RECORD)
        return LVL_OK;
    if (p->list != list || p->in_a != in_a || p->in_b != in_b) {
        lvl_alignment_free(&p->pairs);
        p->list = NULL;
        const lvl_status status = lvl_align(&p->pairs, w->b->ctx, in_a, in_b, list);
        if (status != LVL_OK)
            return status;
        p->list = list;
        p->in_a = in_a;
        p->in_b = in_b;
    }
    const uint32_t partner = p->pairs.a[*index];
    *index = partner != LVL_UNPAIRED ? partner : by_place(&p->pairs, *index);
    return LVL_OK;
}

/* Sets the indexes of `where`, a place in `a`, to those of the same items in `b`. */
static lvl_status follow(follower *w, lvl_where *where)
{
    const uint8_t *in_a = w->a->root, *in_b = w->b->root;

    for (uint32_t i = 0; i < where->depth; i++) {
        const lvl_field *f = where->steps[i].field;
        uint32_t *index = &where->steps[i].index;
        if (!lvl_field_present(in_b, f))
            return LVL_ERR_MISSING;
        if (f->kind == LVL_RECORD) {
            in_a += f->offset;
            in_b += f->offset;
        }
        if (f->kind != LVL_LIST || *index == LVL_NO_INDEX)
            continue;
        const uint32_t before = *index;
        const lvl_status status = find_item(w, i, in_a, in_b, f, index);
        if (status != LVL_OK)
            return status;
        if (*index >= lvl_list_count(in_b, f))
            return LVL_ERR_MISSING;
        in_a = lvl_list_item(in_a, f, before);
        in_b = lvl_list_item(in_b, f, *index);
    }
    return LVL_OK;
}

static lvl_status follow_path(follower *w, const char *path, lvl_buffer *out, lvl_findings *findings)
{
    char text[LVL_PATH_DEPTH * 64];
    lvl_match *matches = NULL;
    size_t count = 0;

    lvl_status status =
        *path ? lvl_path_matches(w->a, lvl_text_of(path), &matches, &count, findings) : LVL_OK;
    if (status == LVL_OK && count > 1)
        status = LVL_ERR_ARG;
    if (status == LVL_OK && count)
        status = follow(w, &matches[0].where);
    if (status == LVL_OK && count)
        lvl_buffer_str(out, lvl_match_text(&matches[0], text, sizeof text));
    if (status == LVL_OK || status == LVL_ERR_MISSING)
        lvl_buffer_u8(out, 0);
    free(matches);
    return status == LVL_ERR_MISSING ? LVL_OK : status;
}

lvl_status lvl_paths_follow(const lvl_doc *a, const char *const *paths, size_t count, const lvl_doc *b,
                            lvl_buffer *out, lvl_findings *findings)
{
    follower w = {.a = a, .b = b};
    lvl_status status = a->format == b->format ? LVL_OK : LVL_ERR_ARG;

    for (size_t i = 0; i < count && status == LVL_OK; i++)
        status = follow_path(&w, paths[i], out, findings);
    for (size_t i = 0; i < LVL_PATH_DEPTH; i++)
        lvl_alignment_free(&w.at[i].pairs);
    return status == LVL_OK ? out->status : status;
}
