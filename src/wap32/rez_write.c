/*
 * wap32/rez_write.c: REZ: where everything goes, and writing it there.
 *
 * An archive of our own has the payloads first, in the tree's order, and the directories behind them, the inner ones first, the root last, as
 * RezMgr's archives have them. A file that was read keeps its places: what grew out of its place moves to the end of the payloads, and the
 * directories behind it, as RezMgr does; the rest stays.
 */
#include "wap32/rez.h"

#include "base/cursor.h"
#include "base/disk.h"

#include <stdlib.h>

static const lvl_field *root_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_table, offset);
}

static const lvl_field *entry_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_entry_table, offset);
}

static uint64_t entry_size(const lvl_rez_entry *e)
{
    if (e->kind == LVL_REZ_DIR)
        return LVL_REZ_DIR_FIXED + (uint64_t)e->name.len + 1;
    return LVL_REZ_FILE_FIXED + (uint64_t)e->name.len + 1 + e->comment.len + 1 + (uint64_t)e->key_count * 4;
}

uint64_t lvl_rez_body_size(const lvl_rez_entry *entries, uint32_t count, lvl_bytes rest)
{
    uint64_t size = rest.len;

    for (uint32_t i = 0; i < count; i++)
        size += entry_size(&entries[i]);
    return size;
}

/* ---- layout -------------------------------------------------------------------------------------------------------------------------- */

static size_t count_places(const lvl_rez_entry *entries, uint32_t count)
{
    size_t n = count;

    for (uint32_t i = 0; i < count; i++)
        n += count_places(entries[i].entries, entries[i].kind == LVL_REZ_DIR ? entries[i].entry_count : 0);
    return n;
}

static bool add_place(lvl_rez_layout *l, lvl_rez_entry *entry, uint64_t size, bool is_dir)
{
    if (size > UINT32_MAX)
        return false;
    const lvl_rez_place place = {entry, 0, (uint32_t)size, is_dir, false};
    l->places[l->count++] = place;
    return true;
}

static bool add_payloads(lvl_rez_layout *l, lvl_rez_entry *entries, uint32_t count)
{
    bool fine = true;

    for (uint32_t i = 0; fine && i < count; i++) {
        if (entries[i].kind != LVL_REZ_DIR)
            fine = add_place(l, &entries[i], entries[i].data.len, false);
    }
    for (uint32_t i = 0; fine && i < count; i++) {
        if (entries[i].kind == LVL_REZ_DIR)
            fine = add_payloads(l, entries[i].entries, entries[i].entry_count);
    }
    return fine;
}

static bool add_dirs(lvl_rez_layout *l, lvl_rez_entry *entries, uint32_t count)
{
    bool fine = true;

    for (uint32_t i = 0; fine && i < count; i++) {
        lvl_rez_entry *e = &entries[i];
        if (e->kind == LVL_REZ_DIR)
            fine = add_dirs(l, e->entries, e->entry_count) &&
                   add_place(l, e, lvl_rez_body_size(e->entries, e->entry_count, e->rest), true);
    }
    return fine;
}

static uint32_t kept_pos(const lvl_doc *doc, const lvl_rez_place *p)
{
    const lvl_rez *rez = doc->root;

    return p->entry ? p->entry->pos : rez->root_pos;
}

/* Whether the payload is still the file's own bytes at its place. */
static bool is_verbatim(const lvl_doc *doc, const lvl_rez_place *p)
{
    const uint32_t pos = kept_pos(doc, p);

    return !p->is_dir && doc->input.ptr && pos <= doc->input.len &&
           p->entry->data.ptr == doc->input.ptr + pos;
}

/* Whether b, which begins within a, says the same there. */
static bool agrees(const lvl_doc *doc, const lvl_rez_place *a, const lvl_rez_place *b)
{
    if (a->is_dir || b->is_dir)
        return false;
    if (is_verbatim(doc, a) && is_verbatim(doc, b))
        return true;
    size_t at = b->pos - a->pos, left = a->size - at, n = left < b->size ? left : b->size;
    return memcmp(a->entry->data.ptr + at, b->entry->data.ptr, n) == 0;
}

/* qsort has no argument to hand through. */
typedef struct wish {
    uint32_t pos;
    uint32_t index;
} wish;

static int by_pos(const void *a, const void *b)
{
    const wish *x = a, *y = b;

    if (x->pos != y->pos)
        return x->pos < y->pos ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Gives the kept places to all that don't contradict each other. `reach[n]` is the one of the n + 1 accepted ones that goes furthest. */
static lvl_status place_kept(const lvl_doc *doc, lvl_rez_layout *l)
{
    wish *wishes = malloc(l->count * sizeof *wishes);
    uint32_t *accepted = malloc(l->count * sizeof *accepted), *reach = malloc(l->count * sizeof *reach);
    lvl_status status = LVL_ERR_MEMORY;
    size_t n = 0, top = 0;

    if (!wishes || !accepted || !reach)
        goto out;
    status = LVL_OK;
    for (size_t i = 0; i < l->count; i++) {
        lvl_rez_place *p = &l->places[i];
        p->pos = kept_pos(doc, p);
        if (p->size && p->pos >= LVL_REZ_HEADER_SIZE && p->size <= UINT32_MAX - p->pos) {
            const wish w = {p->pos, (uint32_t)i};
            wishes[n++] = w;
        }
    }
    qsort(wishes, n, sizeof *wishes, by_pos);
    for (size_t i = 0; i < n; i++) {
        lvl_rez_place *p = &l->places[wishes[i].index];
        bool fits = true;
        while (top) {
            lvl_rez_place *far = &l->places[reach[top - 1]], *last = &l->places[accepted[top - 1]];
            fits = far->pos + far->size <= p->pos || agrees(doc, far, p);
            if (fits || far != last || is_verbatim(doc, far))
                break;
            far->placed = false; /* it grew over its neighbour */
            top--;
            fits = true;
        }
        if (!fits)
            continue;
        p->placed = true;
        accepted[top] = reach[top] = wishes[i].index;
        if (top) {
            const lvl_rez_place *far = &l->places[reach[top - 1]];
            if (far->pos + far->size > p->pos + p->size)
                reach[top] = reach[top - 1];
        }
        top++;
    }
out:
    free(wishes);
    free(accepted);
    free(reach);
    return status;
}

static bool give_places(lvl_rez_layout *l, bool dirs, uint64_t *at)
{
    for (size_t i = 0; i < l->count; i++) {
        lvl_rez_place *p = &l->places[i];
        if (p->is_dir != dirs || p->placed)
            continue;
        if (*at + p->size > UINT32_MAX)
            return false;
        p->pos = (uint32_t)*at;
        p->placed = true;
        *at += p->size;
    }
    return true;
}

/* Where the payloads (and the directories) that have a place end. */
static uint64_t placed_end(const lvl_rez_layout *l, bool dirs)
{
    uint64_t end = LVL_REZ_HEADER_SIZE;

    for (size_t i = 0; i < l->count; i++) {
        const lvl_rez_place *p = &l->places[i];
        if (p->placed && p->size && (dirs || !p->is_dir) && (uint64_t)p->pos + p->size > end)
            end = (uint64_t)p->pos + p->size;
    }
    return end;
}

/* Everything where its record says; false if that is beyond what a file can be. */
static bool place_by_face(const lvl_doc *doc, lvl_rez_layout *l)
{
    const uint64_t most = lvl_limits_of(doc->ctx).input_bytes;

    for (size_t i = 0; i < l->count; i++) {
        lvl_rez_place *p = &l->places[i];
        uint64_t end = (uint64_t)kept_pos(doc, p) + p->size;
        if (p->size && (end > UINT32_MAX || end > most))
            return false;
    }
    for (size_t i = 0; i < l->count; i++) {
        l->places[i].pos = kept_pos(doc, &l->places[i]);
        l->places[i].placed = true;
    }
    l->face = true;
    l->payload_end = (uint32_t)placed_end(l, false);
    l->end = (uint32_t)placed_end(l, true);
    return true;
}

lvl_status lvl_rez_layout_make(const lvl_doc *doc, lvl_rez_plan plan, lvl_rez_layout *out)
{
    lvl_rez_layout *l = out;
    const lvl_rez *rez = doc->root;
    const bool canonical = plan == LVL_REZ_CANONICAL;
    lvl_status status = LVL_OK;
    bool moved = false, loose = false;
    uint64_t at;

    memset(l, 0, sizeof *l);
    l->places = malloc((count_places(rez->entries, rez->entry_count) + 1) * sizeof *l->places);
    if (!l->places)
        return LVL_ERR_MEMORY;
    if (!add_payloads(l, rez->entries, rez->entry_count) || !add_dirs(l, rez->entries, rez->entry_count) ||
        !add_place(l, NULL, lvl_rez_body_size(rez->entries, rez->entry_count, rez->rest), true))
        status = LVL_ERR_LIMIT;
    else if (plan == LVL_REZ_KEPT && rez->overlap && place_by_face(doc, l))
        return LVL_OK;
    else if (!canonical)
        status = place_kept(doc, l);
    if (status != LVL_OK)
        goto out;
    for (size_t i = 0; i < l->count; i++)
        moved = moved || (!l->places[i].is_dir && !l->places[i].placed && l->places[i].size);
    for (size_t i = 0; i < l->count; i++) {
        lvl_rez_place *p = &l->places[i];
        if (p->size == 0 && (p->entry || (!canonical && rez->root_pos))) {
            p->pos = canonical ? 0 : kept_pos(doc, p); /* of nothing: whatever it is */
            p->placed = true;
        }
        loose = loose || (p->size && !p->placed);
    }
    l->moved = loose;
    for (size_t i = 0; moved && i < l->count; i++) {
        if (l->places[i].is_dir && l->places[i].size)
            l->places[i].placed = false;
    }
    at = placed_end(l, false);
    status = give_places(l, false, &at) ? LVL_OK : LVL_ERR_LIMIT;
    l->payload_end = (uint32_t)placed_end(l, false);
    at = placed_end(l, true);
    if (status == LVL_OK && !give_places(l, true, &at))
        status = LVL_ERR_LIMIT;
    l->end = (uint32_t)placed_end(l, true);
out:
    if (status != LVL_OK)
        lvl_rez_layout_free(l);
    return status;
}

void lvl_rez_layout_free(lvl_rez_layout *layout)
{
    free(layout->places);
    layout->places = NULL;
    layout->count = 0;
}

/* ---- derived members ----------------------------------------------------------------------------------------------------------------- */

struct largest {
    uint64_t keys, dir, file, comment;
};

static void raise_to(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

static void measure(const lvl_rez_entry *entries, uint32_t count, struct largest *m)
{
    for (uint32_t i = 0; i < count; i++) {
        const lvl_rez_entry *e = &entries[i];
        if (e->kind == LVL_REZ_DIR) {
            raise_to(&m->dir, (uint64_t)e->name.len + 1);
            measure(e->entries, e->entry_count, m);
        } else {
            raise_to(&m->file, (uint64_t)e->name.len + 1);
            raise_to(&m->keys, e->key_count);
            if (e->comment.len)
                raise_to(&m->comment, (uint64_t)e->comment.len + 1);
        }
    }
}

/* The header's derived numbers, in the order of the fields below. */
enum { ROOT_SIZE, NEXT_WRITE, LARGEST_KEYS, LARGEST_DIR, LARGEST_FILE, LARGEST_COMMENT, ROOT_DERIVED };
static const size_t root_derived[ROOT_DERIVED] = {
    offsetof(lvl_rez, root_size),   offsetof(lvl_rez, next_write),   offsetof(lvl_rez, largest_keys),
    offsetof(lvl_rez, largest_dir), offsetof(lvl_rez, largest_file), offsetof(lvl_rez, largest_comment),
};

static void compute_root(const lvl_rez *rez, const lvl_rez_layout *l, int64_t values[ROOT_DERIVED])
{
    struct largest m = {0, 0, 0, 0};

    measure(rez->entries, rez->entry_count, &m);
    values[ROOT_SIZE] = (uint32_t)lvl_rez_body_size(rez->entries, rez->entry_count, rez->rest);
    values[NEXT_WRITE] = l->payload_end;
    values[LARGEST_KEYS] = (uint32_t)m.keys;
    values[LARGEST_DIR] = (uint32_t)m.dir;
    values[LARGEST_FILE] = (uint32_t)m.file;
    values[LARGEST_COMMENT] = (uint32_t)m.comment;
}

static uint32_t content_size(const lvl_rez_entry *e)
{
    return (uint32_t)(e->kind == LVL_REZ_DIR ? lvl_rez_body_size(e->entries, e->entry_count, e->rest)
                                             : e->data.len);
}

static void visit_entries(lvl_rez_entry *entries, uint32_t count, lvl_derived_fn visit, void *user)
{
    const lvl_field *size = entry_field(offsetof(lvl_rez_entry, size));

    for (uint32_t i = 0; i < count; i++) {
        visit(user, &entries[i], size, content_size(&entries[i]));
        if (entries[i].kind == LVL_REZ_DIR)
            visit_entries(entries[i].entries, entries[i].entry_count, visit, user);
    }
}

lvl_status lvl_rez_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    int64_t values[ROOT_DERIVED];
    lvl_rez *rez = doc->root;
    lvl_rez_layout layout;
    lvl_status status = lvl_rez_layout_make(doc, LVL_REZ_KEPT, &layout);

    if (status != LVL_OK)
        return status;
    compute_root(rez, &layout, values);
    lvl_rez_layout_free(&layout);
    for (size_t i = 0; i < ROOT_DERIVED; i++)
        visit(user, rez, root_field(root_derived[i]), values[i]);
    visit_entries(rez->entries, rez->entry_count, visit, user);
    return LVL_OK;
}

static uint64_t kept_places(const lvl_rez_entry *entries, uint32_t count)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        n += entries[i].pos ? sizeof entries[i].pos : 0;
        if (entries[i].kind == LVL_REZ_DIR)
            n += kept_places(entries[i].entries, entries[i].entry_count);
    }
    return n;
}

uint64_t lvl_rez_kept(const lvl_doc *doc)
{
    const lvl_rez *rez = doc->root;
    uint64_t n = rez->root_pos ? sizeof rez->root_pos : 0;

    for (uint32_t i = 0; i < rez->gap_count; i++)
        n += rez->gaps[i].data.len;
    return n + kept_places(rez->entries, rez->entry_count);
}

static void forget_places(lvl_rez_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        entries[i].pos = 0;
        if (entries[i].kind == LVL_REZ_DIR)
            forget_places(entries[i].entries, entries[i].entry_count);
    }
}

void lvl_rez_forget(lvl_doc *doc)
{
    lvl_rez *rez = doc->root;

    rez->root_pos = 0;
    rez->gap_count = 0;
    rez->file_size = 0;
    rez->overlap = 0;
    forget_places(rez->entries, rez->entry_count);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------------- */

struct writer {
    const lvl_doc *doc;
    lvl_rez_layout layout;
    uint8_t *data; /* the whole file */
    size_t len;
};

/* A size that isn't that of what is there points past it, which means something only while nothing has moved. */
static bool lies_hold(const struct writer *w, uint32_t pos)
{
    return w->layout.face || (!w->layout.moved && pos);
}

static uint32_t type_number(lvl_text type)
{
    uint32_t v = 0;

    for (size_t i = 0; i < type.len && i < 4; i++)
        v = v << 8 | (uint8_t)type.ptr[i];
    return v;
}

static uint8_t *put_text(uint8_t *p, lvl_text text)
{
    if (text.len)
        memcpy(p, text.ptr, text.len);
    p[text.len] = 0;
    return p + text.len + 1;
}

/* Writes one directory's body at `p`; `positions` are those of its entries. */
static void write_body(const struct writer *w, uint8_t *p, const lvl_rez_entry *entries, uint32_t count,
                       lvl_bytes rest, const uint32_t *positions)
{
    const lvl_field *size = entry_field(offsetof(lvl_rez_entry, size));

    for (uint32_t i = 0; i < count; i++) {
        const lvl_rez_entry *e = &entries[i];
        bool is_dir = e->kind == LVL_REZ_DIR;
        lvl_store_u32le(p, e->kind);
        lvl_store_u32le(p + 4, positions[i]);
        uint32_t bytes = content_size(e);
        lvl_store_u32le(p + 8,
                        lies_hold(w, e->pos) ? (uint32_t)lvl_doc_derived(w->doc, e, size, bytes) : bytes);
        lvl_store_u32le(p + 12, e->time);
        if (!is_dir) {
            lvl_store_u32le(p + 16, e->id);
            lvl_store_u32le(p + 20, type_number(e->type));
            lvl_store_u32le(p + 24, e->key_count);
        }
        p = put_text(p + (is_dir ? LVL_REZ_DIR_FIXED : LVL_REZ_FILE_FIXED), e->name);
        if (!is_dir) {
            p = put_text(p, e->comment);
            for (uint32_t k = 0; k < e->key_count; k++, p += 4)
                lvl_store_u32le(p, e->keys[k]);
        }
    }
    if (rest.len)
        memcpy(p, rest.ptr, rest.len);
}

/* An entry's address to its position, sorted to be searched. */
typedef struct address {
    const lvl_rez_entry *entry;
    uint32_t pos;
} address;

static int by_entry(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const address *)a)->entry, y = (uintptr_t)((const address *)b)->entry;

    return (x > y) - (x < y);
}

static uint32_t position_of(const address *list, size_t count, const lvl_rez_entry *entry)
{
    const address key = {entry, 0};
    const address *found = bsearch(&key, list, count, sizeof *list, by_entry);

    return found ? found->pos : 0;
}

/* Writes the directories' bodies; or, with `same`, only looks whether they stand there. */
static lvl_status write_dirs(const struct writer *w, bool *same)
{
    const lvl_rez *rez = w->doc->root;
    const lvl_rez_layout *l = &w->layout;
    address *list = malloc((l->count + 1) * sizeof *list);
    uint32_t *positions = NULL;
    lvl_status status = LVL_ERR_MEMORY;

    if (!list)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < l->count; i++) {
        list[i].entry = l->places[i].entry;
        list[i].pos = l->places[i].pos;
    }
    qsort(list, l->count, sizeof *list, by_entry);
    positions = malloc((l->count + 1) * sizeof *positions);
    if (!positions)
        goto out;
    status = LVL_OK;
    for (size_t i = 0; i < l->count && status == LVL_OK; i++) {
        const lvl_rez_place *p = &l->places[i];
        if (!p->is_dir || !p->size)
            continue;
        const lvl_rez_entry *entries = p->entry ? p->entry->entries : rez->entries;
        uint32_t count = p->entry ? p->entry->entry_count : rez->entry_count;
        uint8_t *body = same ? malloc(p->size) : w->data + p->pos;
        if (!body) {
            status = LVL_ERR_MEMORY;
            break;
        }
        for (uint32_t k = 0; k < count; k++)
            positions[k] = position_of(list, l->count, &entries[k]);
        write_body(w, body, entries, count, p->entry ? p->entry->rest : rez->rest, positions);
        if (same) {
            *same = *same && memcmp(body, w->data + p->pos, p->size) == 0;
            free(body);
        }
    }
out:
    free(list);
    free(positions);
    return status;
}

static void write_header(const struct writer *w)
{
    const lvl_rez *rez = w->doc->root;
    int64_t values[ROOT_DERIVED];

    compute_root(rez, &w->layout, values);
    lvl_disk_store(rez, &lvl_rez_table, w->data, LVL_REZ_HEADER_SIZE);
    for (size_t i = 0; i < ROOT_DERIVED; i++) {
        const lvl_field *f = root_field(root_derived[i]);
        bool own = i == ROOT_SIZE && !lies_hold(w, rez->root_pos);
        lvl_store_u32le(w->data + f->disk,
                        (uint32_t)(own ? values[i] : lvl_doc_derived(w->doc, rez, f, values[i])));
    }
    lvl_store_u32le(w->data + root_field(offsetof(lvl_rez, root_pos))->disk,
                    w->layout.places[w->layout.count - 1].pos);
}

/* Names that end at their NUL, types of at most four bytes. */
static bool entries_sayable(const lvl_rez_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const lvl_rez_entry *e = &entries[i];
        if (e->kind > LVL_REZ_DIR || (e->name.len && memchr(e->name.ptr, 0, e->name.len)))
            return false;
        if (e->kind == LVL_REZ_DIR) {
            if (!entries_sayable(e->entries, e->entry_count))
                return false;
        } else if (e->type.len > 4 || (e->type.len && e->type.ptr[0] == 0) ||
                   (e->comment.len && memchr(e->comment.ptr, 0, e->comment.len))) {
            return false;
        }
    }
    return true;
}

/* Payloads first that are the file's own bytes at their place, those listed many times only once; then the others. */
static lvl_status write_payloads(const struct writer *w)
{
    wish *own = malloc((w->layout.count + 1) * sizeof *own);
    uint64_t done = 0;
    size_t n = 0;

    if (!own)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < w->layout.count; i++) {
        const lvl_rez_place *p = &w->layout.places[i];
        if (p->size && p->pos == kept_pos(w->doc, p) && is_verbatim(w->doc, p)) {
            const wish o = {p->pos, (uint32_t)i};
            own[n++] = o;
        }
    }
    qsort(own, n, sizeof *own, by_pos);
    for (size_t i = 0; i < n; i++) {
        uint64_t from = own[i].pos, to = from + w->layout.places[own[i].index].size;
        from = from > done ? from : done;
        if (to > from)
            memcpy(w->data + from, w->doc->input.ptr + from, (size_t)(to - from));
        done = to > done ? to : done;
    }
    for (size_t i = 0; i < w->layout.count; i++) {
        const lvl_rez_place *p = &w->layout.places[i];
        if (!p->is_dir && p->size && !(p->pos == kept_pos(w->doc, p) && is_verbatim(w->doc, p)))
            memcpy(w->data + p->pos, p->entry->data.ptr, p->size);
    }
    free(own);
    return LVL_OK;
}

/* Appends the whole file by the writer's layout. */
static lvl_status render(struct writer *w, lvl_buffer *out)
{
    const lvl_rez *rez = w->doc->root;
    const uint64_t most = lvl_limits_of(w->doc->ctx).input_bytes;
    const size_t start = out->len;
    uint64_t end = w->layout.end > rez->file_size ? w->layout.end : rez->file_size;

    for (uint32_t i = 0; i < rez->gap_count; i++) {
        uint64_t gap_end = (uint64_t)rez->gaps[i].pos + rez->gaps[i].data.len;
        end = gap_end > end ? gap_end : end;
    }
    if (end > most || end > UINT32_MAX)
        return LVL_ERR_LIMIT;
    lvl_buffer_fill(out, 0, (size_t)end);
    if (out->status != LVL_OK)
        return out->status;
    w->data = out->data + start;
    w->len = (size_t)end;
    /* gaps first: whatever lies over them now wins */
    for (uint32_t i = 0; i < rez->gap_count; i++) {
        if (rez->gaps[i].data.len)
            memcpy(w->data + rez->gaps[i].pos, rez->gaps[i].data.ptr, rez->gaps[i].data.len);
    }
    lvl_status status = write_payloads(w);
    if (status == LVL_OK)
        status = write_dirs(w, NULL);
    if (status == LVL_OK)
        write_header(w);
    return status;
}

/* Whether all that was written over each other still says what it should. */
static lvl_status look_again(const struct writer *w, bool *same)
{
    const lvl_bytes in = w->doc->input;
    const bool untouched = in.len == w->len && memcmp(in.ptr, w->data, in.len) == 0;
    uint64_t work = 0;

    *same = true;
    for (size_t i = 0; *same && i < w->layout.count; i++) {
        const lvl_rez_place *p = &w->layout.places[i];
        if (p->is_dir || !p->size || (untouched && is_verbatim(w->doc, p)))
            continue;
        /* payloads listed again and again are not worth looking at for ever */
        work += p->size;
        *same = work / 16 <= w->len && memcmp(w->data + p->pos, p->entry->data.ptr, p->size) == 0;
    }
    return *same ? write_dirs(w, same) : LVL_OK;
}

lvl_status lvl_rez_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_rez *rez = doc->root;
    const size_t start = out->len;
    struct writer w = {.doc = doc};
    bool same = true;

    if (!entries_sayable(rez->entries, rez->entry_count))
        return LVL_ERR_ARG;
    lvl_status status = lvl_rez_layout_make(doc, LVL_REZ_KEPT, &w.layout);
    if (status == LVL_OK)
        status = render(&w, out);
    if (status == LVL_OK && w.layout.face)
        status = look_again(&w, &same);
    if (status == LVL_OK && !same) {
        out->len = start;
        lvl_rez_layout_free(&w.layout);
        status = lvl_rez_layout_make(doc, LVL_REZ_APART, &w.layout);
        if (status == LVL_OK)
            status = render(&w, out);
    }
    lvl_rez_layout_free(&w.layout);
    return status;
}
