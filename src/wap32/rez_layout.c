/*
 * wap32/rez_layout.c: REZ: where everything goes in the file.
 *
 * A new archive has the payloads first, in the tree's order, and the directories after them, inner ones
 * first, the root last, as RezMgr's archives have them. In an archive that was read and changed, everything
 * stays at its place that still fits there. What doesn't comes after all that stays, the bytes that nothing
 * claims included; and if a payload moves, the directories follow it.
 */
#include "wap32/rez.h"

#include <stdlib.h>
#include <string.h>

static uint64_t body_size(const lvl_rez_dir *dir)
{
    uint64_t size = dir->rest->len;

    for (uint32_t i = 0; i < *dir->count; i++) {
        const lvl_rez_entry *e = &(*dir->entries)[i];
        size += e->name.len + 1;
        size += e->kind == LVL_REZ_DIR ? LVL_REZ_DIR_FIXED
                                       : LVL_REZ_FILE_FIXED + e->comment.len + 1 + (uint64_t)e->key_count * 4;
    }
    return size;
}

static size_t count_entries(const lvl_rez_entry *entries, uint32_t count)
{
    size_t n = count;

    for (uint32_t i = 0; i < count; i++)
        n += entries[i].kind == LVL_REZ_DIR ? count_entries(entries[i].entries, entries[i].entry_count) : 0;
    return n;
}

static void add_dir(lvl_rez_layout *l, size_t self, lvl_rez_dir dir)
{
    const size_t first = l->count;

    l->nodes[self].first = first;
    l->nodes[self].size = body_size(&dir);
    for (uint32_t i = 0; i < *dir.count; i++) {
        lvl_rez_entry *e = &(*dir.entries)[i];
        l->nodes[l->count++] = (lvl_rez_node){.entry = e, .pos = e->pos, .size = e->data.len};
    }
    for (uint32_t i = 0; i < *dir.count; i++) {
        if (lvl_rez_is_dir(&l->nodes[first + i]))
            add_dir(l, first + i, lvl_rez_dir_of(l->nodes[first + i].entry));
    }
    l->dirs[l->dir_count++] = self;
}

/* What has a place already: a node, or bytes that nothing claims. */
typedef struct placed {
    uint64_t from, to;
    lvl_rez_node *node;  /* NULL: those bytes */
    const uint8_t *data; /* NULL: a directory */
} placed;

static int by_from(const void *a, const void *b)
{
    const placed *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Whether everything fits at its place: what shares bytes with something else has the same ones there, as
 * payloads that are listed twice do. `list` is sorted. */
static bool all_agree(const placed *list, size_t n)
{
    const placed *cover = NULL; /* the one before that reaches farthest; it agrees with the others */

    for (size_t i = 0; i < n; i++) {
        const placed *p = &list[i];
        if (p->from < LVL_REZ_HEADER_SIZE)
            return false;
        if (cover && p->from < cover->to) {
            const uint64_t shared = (p->to < cover->to ? p->to : cover->to) - p->from;
            if (!cover->data || !p->data)
                return false;
            const uint8_t *there = cover->data + (p->from - cover->from);
            if (there != p->data && memcmp(there, p->data, (size_t)shared) != 0)
                return false;
        }
        if (!cover || p->to > cover->to)
            cover = p;
    }
    return true;
}

/* Finds out which nodes stay: all of them if they agree, else those that end before the next thing begins. */
static lvl_status keep_places(const lvl_rez *rez, lvl_rez_layout *l)
{
    placed *list = malloc((l->count + rez->gap_count) * sizeof *list);
    uint64_t gap_end = LVL_REZ_HEADER_SIZE;
    size_t n = 0;

    if (!list)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < l->count; i++) {
        lvl_rez_node *node = &l->nodes[i];
        if (node->size && node->pos)
            list[n++] = (placed){node->pos, node->pos + node->size, node,
                                 lvl_rez_is_dir(node) ? NULL : node->entry->data.ptr};
    }
    for (uint32_t i = 0; i < rez->gap_count; i++) {
        const lvl_rez_gap *gap = &rez->gaps[i];
        if (gap->data.len)
            list[n++] = (placed){gap->pos, gap->pos + (uint64_t)gap->data.len, NULL, gap->data.ptr};
    }
    if (n)
        qsort(list, n, sizeof *list, by_from);
    const bool agree = all_agree(list, n);
    for (size_t i = 0; i < n; i++) {
        if (list[i].node)
            list[i].node->stays =
                agree || (list[i].from >= gap_end && (i + 1 == n || list[i].to <= list[i + 1].from));
        else if (list[i].to > gap_end)
            gap_end = list[i].to;
    }
    l->end = gap_end;
    free(list);
    return LVL_OK;
}

static void raise_to(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

static void place(lvl_rez_layout *l, lvl_rez_node *node)
{
    if (node->size && !node->stays) {
        node->pos = l->end;
        l->end += node->size;
    }
}

lvl_status lvl_rez_layout_make(const lvl_doc *doc, bool canonical, lvl_rez_layout *l)
{
    lvl_rez *rez = doc->root;
    const size_t count = count_entries(rez->entries, rez->entry_count) + 1;
    lvl_status status = LVL_ERR_MEMORY;
    bool moved = false;

    *l = (lvl_rez_layout){.nodes = malloc(count * sizeof *l->nodes),
                          .dirs = malloc(count * sizeof *l->dirs),
                          .count = 1,
                          .payload_end = LVL_REZ_HEADER_SIZE,
                          .end = LVL_REZ_HEADER_SIZE};
    if (!l->nodes || !l->dirs)
        goto out;
    l->nodes[0] = (lvl_rez_node){.pos = rez->root_pos};
    add_dir(l, 0, lvl_rez_root(rez));
    for (size_t i = 0; canonical && i < count; i++)
        l->nodes[i].pos = 0;
    status = canonical ? LVL_OK : keep_places(rez, l);
    if (status != LVL_OK)
        goto out;
    for (size_t i = 0; i < count; i++)
        moved = moved || (!lvl_rez_is_dir(&l->nodes[i]) && l->nodes[i].size && !l->nodes[i].stays);
    for (size_t i = 0; i < count; i++) {
        lvl_rez_node *node = &l->nodes[i];
        node->stays = node->stays && !(moved && lvl_rez_is_dir(node));
        if (node->stays)
            raise_to(&l->end, node->pos + node->size);
    }
    for (size_t i = 0; i < count; i++) {
        lvl_rez_node *node = &l->nodes[i];
        if (lvl_rez_is_dir(node) || !node->size)
            continue;
        place(l, node);
        raise_to(&l->payload_end, node->pos + node->size);
    }
    for (size_t i = 0; i < l->dir_count; i++)
        place(l, &l->nodes[l->dirs[i]]);
    if (!l->nodes[0].pos)
        l->nodes[0].pos = l->end; /* of an empty root */
out:
    if (status != LVL_OK)
        lvl_rez_layout_free(l);
    return status;
}

void lvl_rez_layout_free(lvl_rez_layout *layout)
{
    free(layout->nodes);
    free(layout->dirs);
    *layout = (lvl_rez_layout){0};
}
