/*
 * wap32/rez/layout.c: the positions of payloads and directories in a written REZ.
 *
 * If all records have positions, as in an archive that was read or comes from a dump, these are used.
 * Otherwise everything gets a new position around the gaps, as in RezMgr's archives: first the payloads in
 * tree order, then the directories, inner ones first, the root last.
 */
#include "wap32/rez/rez.h"

#include <stdlib.h>

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
}

static void raise_to(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

/* ---- a new layout -------------------------------------------------------------------------------------- */

struct placing {
    const lvl_doc *doc;
    const lvl_rez *rez;
    lvl_rez_layout *layout;
    uint64_t at;
    uint32_t gap; /* index of the next gap */
};

/* Puts a node at the next position that no gap overlaps; gaps are sorted by position
 * (lvl_rez_check_writable). A node that could not be read keeps its position beyond the end of the file:
 * elsewhere, other bytes would be read as its content. */
static void place(struct placing *p, lvl_rez_node *node)
{
    if (!node->size) {
        if (!node->entry || !lvl_doc_derived(p->doc, node->entry, LVL_FIELD(lvl_rez_entry, size), 0))
            node->pos = 0;
        return;
    }
    for (; p->gap < p->rez->gap_count; p->gap++) {
        const lvl_rez_gap *gap = &p->rez->gaps[p->gap];
        if (p->at + node->size <= gap->pos)
            break;
        raise_to(&p->at, gap->pos + (uint64_t)gap->data.len);
    }
    node->pos = p->at;
    p->at += node->size;
}

static void place_dirs(struct placing *p, lvl_rez_node *self)
{
    const lvl_rez_dir dir = self->entry ? lvl_rez_dir_of(self->entry) : p->layout->root;

    for (uint32_t i = 0; i < *dir.count; i++) {
        lvl_rez_node *node = &p->layout->nodes[self->first + i];
        if (lvl_rez_is_dir(node))
            place_dirs(p, node);
    }
    place(p, self);
}

/* ---- complete layout ----------------------------------------------------------------------------------- */

lvl_status lvl_rez_layout_make(const lvl_doc *doc, bool fresh, lvl_rez_layout *l)
{
    lvl_rez *rez = doc->root;
    struct placing p = {.doc = doc, .rez = rez, .layout = l, .at = LVL_REZ_HEADER_SIZE};
    const size_t count = count_entries(rez->entries, rez->entry_count) + 1;

    *l = (lvl_rez_layout){.nodes = malloc(count * sizeof *l->nodes),
                          .count = 1,
                          .root = lvl_rez_root(rez),
                          .payload_end = LVL_REZ_HEADER_SIZE,
                          .end = LVL_REZ_HEADER_SIZE};
    if (!l->nodes)
        return LVL_ERR_MEMORY;
    l->nodes[0] = (lvl_rez_node){.pos = rez->root_pos};
    add_dir(l, 0, l->root);
    for (size_t i = 0; i < count; i++)
        fresh = fresh || (l->nodes[i].size && !l->nodes[i].pos);
    l->fresh = fresh;
    for (size_t i = 0; fresh && i < count; i++) {
        if (!lvl_rez_is_dir(&l->nodes[i]))
            place(&p, &l->nodes[i]);
    }
    if (fresh)
        place_dirs(&p, &l->nodes[0]);
    for (size_t i = 0; i < count; i++) {
        const uint64_t end = l->nodes[i].size ? l->nodes[i].pos + l->nodes[i].size : 0;
        raise_to(&l->end, end);
        if (!lvl_rez_is_dir(&l->nodes[i]))
            raise_to(&l->payload_end, end);
    }
    for (uint32_t i = 0; i < rez->gap_count; i++) {
        if (rez->gaps[i].data.len)
            raise_to(&l->end, rez->gaps[i].pos + (uint64_t)rez->gaps[i].data.len);
    }
    if (!l->nodes[0].pos)
        l->nodes[0].pos = l->end; /* an empty root */
    return LVL_OK;
}

void lvl_rez_layout_free(lvl_rez_layout *layout)
{
    free(layout->nodes);
    *layout = (lvl_rez_layout){0};
}
