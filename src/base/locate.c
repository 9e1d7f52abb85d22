/*
 * base/locate.c: sets the positions of findings that have a path, by reading the file again with a sink that
 * gets the position of every path.
 */
#include "base/format.h"

#include <stdlib.h>

/* A path whose position is wanted for a finding: the finding's path, or that of a record above it. */
typedef struct wanted {
    uint32_t finding;
    uint32_t depth; /* length of the path: the first steps of the finding's path */
    bool above; /* this is a record above the finding's path */
    uint32_t next; /* index + 1 of the next entry with the same path */
    /* only in the first entry of a path: */
    bool placed; /* its entries have their position; further spans of the path are ignored */
    lvl_position joined; /* the range of the record's members, where only they have spans */
} wanted;

struct locator {
    lvl_sink sink;
    lvl_sink *also; /* also gets every span; or NULL */
    lvl_findings *findings;
    wanted *list;
    lvl_hash places; /* the first entry of each path */
    uint32_t *best; /* per finding: 1 + depth of the path that its position is from; 0: no position */
    uint32_t count;
    uint64_t outer[64]; /* file offset of each space's stream */
};

static void locate_space(lvl_sink *sink, const lvl_space *space)
{
    struct locator *l = (struct locator *)(void *)sink;

    if (l->also)
        l->also->space(l->also, space);
    if (space->id < 64)
        l->outer[space->id] =
            space->parent ? l->outer[space->parent < 64 ? space->parent : 0] : space->parent_bit / 8;
}

/* Spans are of all cells of a grid, so that is where findings about one of them are. */
static uint32_t index_of(const lvl_step *step)
{
    return step->field->kind == LVL_CELLS ? LVL_NO_INDEX : step->index;
}

static bool same_place(const lvl_where *a, const lvl_where *b, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) {
        if (a->steps[i].field != b->steps[i].field || index_of(&a->steps[i]) != index_of(&b->steps[i]))
            return false;
    }
    return true;
}

/* The first entry of that path: index + 1; 0: none. `hash`: for adding one. Entries for records above
 * findings are separate, since one record may be above thousands of findings and is looked up for each of its
 * members. */
static uint32_t entry_at(const struct locator *l, const lvl_where *where, uint32_t depth, bool above,
                         uint64_t *hash)
{
    const lvl_hash_seed *seed = &l->places.seed;

    *hash = lvl_hash_u64(seed, (uint64_t)depth * 2 + above);
    for (uint32_t i = 0; i < depth; i++)
        *hash = lvl_hash_mix(seed, lvl_hash_mix(seed, *hash, (uintptr_t)where->steps[i].field),
                             index_of(&where->steps[i]));
    for (lvl_hash_at at = lvl_hash_first(&l->places, *hash); at.found; at = lvl_hash_next(&l->places, at)) {
        const wanted *w = &l->list[at.index];
        if (w->depth == depth && w->above == above &&
            same_place(&lvl_findings_at(l->findings, w->finding)->where, where, depth))
            return at.index + 1;
    }
    return 0;
}

/* Narrows the position of a fixed record to a field inside it, as far as the tables have offsets on disk. */
static void narrow_position(const lvl_span *span, const lvl_where *where, lvl_position *pos)
{
    const lvl_table *table = span->table;

    for (uint32_t i = span->where.depth; table && i < where->depth; i++) {
        const lvl_field *f = where->steps[i].field;
        if (f->disk == LVL_NO_PLACE)
            return;
        pos->bit += (uint64_t)f->disk * 8;
        pos->bits = (uint64_t)(f->disk_size ? f->disk_size : f->size) * 8;
        table = f->kind == LVL_RECORD ? f->table : NULL;
    }
}

static lvl_position position_of(const struct locator *l, const lvl_span *span)
{
    lvl_position pos = {span->space, span->bit, span->bits, span->space < 64 ? l->outer[span->space] : 0,
                        true};

    return pos;
}

/* A finding about a record without a span of its own gets the range from its first member to the end of its
 * last. */
static void join_member(struct locator *l, const lvl_span *span)
{
    uint64_t hash;
    const uint32_t i = entry_at(l, &span->where, span->where.depth - 1, false, &hash);
    lvl_position *pos = i ? &l->list[i - 1].joined : NULL;

    if (!pos)
        return;
    if (!pos->known)
        *pos = position_of(l, span);
    else if (pos->space == span->space && span->bit >= pos->bit &&
             span->bit + span->bits > pos->bit + pos->bits)
        pos->bits = span->bit + span->bits - pos->bit;
}

/* Sets the positions of findings whose record has no span of its own to the range of its members. */
static void place_joined(struct locator *l)
{
    for (uint32_t first = 0; first < l->count; first++) {
        const lvl_position pos = l->list[first].joined;
        for (uint32_t i = pos.known ? first + 1 : 0; i; i = l->list[i - 1].next) {
            const wanted *w = &l->list[i - 1];
            if (l->best[w->finding] <= w->depth)
                ((lvl_finding *)(uintptr_t)lvl_findings_at(l->findings, w->finding))->position = pos;
        }
    }
}

static void place_findings(struct locator *l, const lvl_span *span, bool above)
{
    uint64_t hash;
    const uint32_t first = entry_at(l, &span->where, span->where.depth, above, &hash);

    if (!first || l->list[first - 1].placed)
        return;
    l->list[first - 1].placed = true;
    for (uint32_t i = first; i; i = l->list[i - 1].next) {
        const wanted *w = &l->list[i - 1];
        lvl_finding *f = (lvl_finding *)(uintptr_t)lvl_findings_at(l->findings, w->finding);
        if (l->best[w->finding] > w->depth)
            continue;
        lvl_position pos = position_of(l, span);
        narrow_position(span, &f->where, &pos);
        f->position = pos;
        l->best[w->finding] = w->depth + 1;
    }
}

static void locate_span(lvl_sink *sink, const lvl_span *span)
{
    struct locator *l = (struct locator *)(void *)sink;

    if (l->also)
        l->also->span(l->also, span);
    place_findings(l, span, false);
    place_findings(l, span, true);
    if (span->where.depth > 1)
        join_member(l, span);
}

static lvl_status read_again(const void *user, lvl_sink *sink)
{
    return lvl_doc_trace(user, sink);
}

static lvl_status locate(const lvl_doc *doc, lvl_findings *findings, lvl_sink *also, lvl_replay_fn replay,
                         const void *user)
{
    enum { LEVELS = 3 }; /* the path and up to two records above it: a member of a rect of an object */
    struct locator l = {
        .sink = {locate_space, locate_span, also && also->fine}, .also = also, .findings = findings};
    size_t n = lvl_findings_count(findings);
    lvl_status status = LVL_ERR_MEMORY;
    uint32_t open = 0;

    for (size_t i = 0; i < n; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        open += !f->position.known && f->where.depth;
    }
    if (!open || !doc->input.len)
        return also ? replay(user, also) : LVL_OK;
    lvl_hash_init(&l.places);
    l.list = calloc((size_t)open * LEVELS, sizeof *l.list);
    l.best = calloc(n, sizeof *l.best);
    if (!l.list || !l.best)
        goto out;
    for (size_t i = 0; i < n; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        if (f->position.known)
            continue;
        for (uint32_t up = 0; up < LEVELS && up < f->where.depth; up++) {
            uint32_t depth = f->where.depth - up;
            uint64_t hash;
            const uint32_t same = entry_at(&l, &f->where, depth, up > 0, &hash);
            /* further entries of a path are linked after its first */
            l.list[l.count] = (wanted){.finding = (uint32_t)i,
                                       .depth = depth,
                                       .above = up > 0,
                                       .next = same ? l.list[same - 1].next : 0};
            if (same)
                l.list[same - 1].next = l.count + 1;
            else if (lvl_hash_add(&l.places, hash, l.count) != LVL_OK)
                goto out;
            l.count++;
        }
    }
    status = replay(user, &l.sink);
    place_joined(&l);
out:
    free(l.list);
    lvl_hash_free(&l.places);
    free(l.best);
    return status;
}

lvl_status lvl_doc_locate_and_trace(const lvl_doc *doc, lvl_findings *findings, lvl_sink *also)
{
    return locate(doc, findings, also, read_again, doc);
}

lvl_status lvl_doc_locate_in(const lvl_doc *doc, lvl_findings *findings, lvl_replay_fn replay,
                             const void *user)
{
    return locate(doc, findings, NULL, replay, user);
}

lvl_status lvl_doc_locate(const lvl_doc *doc, lvl_findings *findings)
{
    return lvl_doc_locate_and_trace(doc, findings, NULL);
}
