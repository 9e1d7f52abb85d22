/*
 * tools/follow.c: finds the item that a path names in another state of the same document, in which items were
 * added, removed, sorted or changed.
 */
#include "tools/diff.h"
#include "tools/path.h"

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

/* Where an item is by its place: one that was changed so much that it is like no other is still beside the
 * items that were beside it. */
static uint32_t by_place(const lvl_pairs *p, uint32_t index)
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

/* The index in the list of `b` of an item of that of `a`; LVL_UNPAIRED: it is gone. */
static lvl_status find_item(const lvl_ctx *ctx, const void *a, const void *b, const lvl_field *list,
                            uint32_t index, uint32_t *out)
{
    lvl_pairs pairs;

    *out = index;
    if (list->item != LVL_RECORD)
        return LVL_OK;
    const lvl_status status = lvl_pairs_find(&pairs, ctx, a, b, list);
    if (status == LVL_OK)
        *out = pairs.a[index] != LVL_UNPAIRED ? pairs.a[index] : by_place(&pairs, index);
    lvl_pairs_free(&pairs);
    return status;
}

/* Sets the indexes of `where`, a place in `a`, to those of the same items in `b`. */
static lvl_status follow(const lvl_doc *a, const lvl_doc *b, lvl_where *where)
{
    const uint8_t *in_a = a->root, *in_b = b->root;

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
        const lvl_status status = find_item(b->ctx, in_a, in_b, f, before, index);
        if (status != LVL_OK)
            return status;
        if (*index >= lvl_list_count(in_b, f))
            return LVL_ERR_MISSING;
        in_a = lvl_list_item(in_a, f, before);
        in_b = lvl_list_item(in_b, f, *index);
    }
    return LVL_OK;
}

lvl_status lvl_path_follow(const lvl_doc *a, const char *path, const lvl_doc *b, lvl_buffer *out,
                           lvl_findings *findings)
{
    char text[LVL_PATH_DEPTH * 64];
    lvl_match *matches = NULL;
    size_t count = 0;

    if (a->format != b->format)
        return LVL_ERR_ARG;
    if (!*path) /* the document */
        return LVL_OK;
    lvl_status status = lvl_path_matches(a, lvl_text_of(path), &matches, &count, findings);
    if (status == LVL_OK && count != 1)
        status = LVL_ERR_ARG;
    if (status == LVL_OK)
        status = follow(a, b, &matches[0].where);
    if (status == LVL_OK)
        lvl_buffer_str(out, lvl_match_text(&matches[0], text, sizeof text));
    free(matches);
    return status == LVL_OK ? out->status : status;
}
