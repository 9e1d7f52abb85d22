/*
 * base/derived.c: derived members (counts, sizes, offsets, checksums), and the values of a file that disagree
 * with what the writer would compute (overrides).
 */
#include "base/format.h"

#include <stdlib.h>

static uint64_t override_hash(const lvl_doc *doc, const void *record, const lvl_field *field)
{
    const lvl_hash_seed *seed = &doc->override_index.seed;

    return lvl_hash_mix(seed, lvl_hash_u64(seed, (uintptr_t)record), (uintptr_t)field);
}

static lvl_override *find_override(const lvl_doc *doc, const void *record, const lvl_field *field)
{
    const lvl_hash *index = &doc->override_index;
    const uint64_t hash = doc->override_count ? override_hash(doc, record, field) : 0;

    if (!doc->override_count)
        return NULL;
    for (lvl_hash_at at = lvl_hash_first(index, hash); at.found; at = lvl_hash_next(index, at)) {
        lvl_override *o = &doc->overrides[at.index];
        if (o->record == record && o->field == field)
            return o;
    }
    return NULL;
}

void lvl_doc_index_overrides(lvl_doc *doc)
{
    uint32_t left = 0;

    lvl_hash_clear(&doc->override_index);
    for (uint32_t i = 0; i < doc->override_count; i++) {
        const lvl_override *o = &doc->overrides[i];
        if (!o->record)
            continue;
        doc->overrides[left] = *o;
        /* cannot fail: the table held at least as many entries before */
        (void)lvl_hash_add(&doc->override_index, override_hash(doc, o->record, o->field), left++);
    }
    doc->override_count = left;
}

static lvl_status add_override(lvl_doc *doc, const void *record, const lvl_field *field, int64_t expected,
                               int64_t value, bool pending)
{
    const lvl_override o = {record, field, expected, value, pending};

    if (!doc->override_index.slots)
        lvl_hash_init(&doc->override_index);
    if (doc->override_count == UINT32_MAX / 4)
        return LVL_ERR_MEMORY;
    if (!lvl_grow(&doc->overrides, &doc->override_cap, (size_t)doc->override_count + 1,
                  sizeof *doc->overrides))
        return LVL_ERR_MEMORY;
    doc->overrides[doc->override_count] = o;
    const lvl_status status =
        lvl_hash_add(&doc->override_index, override_hash(doc, record, field), doc->override_count);
    doc->override_count += status == LVL_OK;
    return status;
}

struct derive_state {
    lvl_doc *doc;
    lvl_status status;
};

static void note_one(void *user, void *record, const lvl_field *field, int64_t computed)
{
    struct derive_state *s = user;
    int64_t value = lvl_get_int(record, field);

    if (value != computed && s->status == LVL_OK)
        s->status = add_override(s->doc, record, field, computed, value, false);
}

lvl_status lvl_doc_note_derived(lvl_doc *doc)
{
    struct derive_state s = {doc, LVL_OK};

    if (!doc->format->calls->derive)
        return LVL_OK;
    lvl_status status = doc->format->calls->derive(doc, note_one, &s);
    return status != LVL_OK ? status : s.status;
}

static void recompute_one(void *user, void *record, const lvl_field *field, int64_t computed)
{
    struct derive_state *s = user;
    lvl_override *o = find_override(s->doc, record, field);

    if (o && o->pending) {
        o->expected = computed;
        o->pending = false;
    }
    lvl_put_int(record, field, o && o->expected == computed ? o->value : computed);
}

lvl_status lvl_doc_recompute_derived(lvl_doc *doc)
{
    struct derive_state s = {doc, LVL_OK};

    return doc->format->calls->derive ? doc->format->calls->derive(doc, recompute_one, &s) : LVL_OK;
}

lvl_status lvl_doc_restore_derived(lvl_doc *doc, void *record, const lvl_field *field, int64_t value)
{
    lvl_put_int(record, field, value);
    return add_override(doc, record, field, 0, value, true);
}

int64_t lvl_doc_derived(const lvl_doc *doc, const void *record, const lvl_field *field, int64_t computed)
{
    const lvl_override *o = find_override(doc, record, field);

    return o && !o->pending && o->expected == computed && lvl_get_int(record, field) == o->value ? o->value
                                                                                                 : computed;
}

bool lvl_doc_disagrees(const lvl_doc *doc, const void *record, const lvl_field *field)
{
    const lvl_override *o = find_override(doc, record, field);

    return o && lvl_get_int(record, field) == o->value;
}

void lvl_doc_drop_overrides(lvl_doc *doc)
{
    doc->override_count = 0;
    lvl_doc_index_overrides(doc);
}

void lvl_doc_move_overrides(lvl_doc *doc, const void *from, size_t len, const void *to)
{
    const uint8_t *lo = from;

    for (uint32_t i = 0; i < doc->override_count; i++) {
        const uint8_t *r = doc->overrides[i].record;
        if ((uintptr_t)r >= (uintptr_t)lo && (uintptr_t)r - (uintptr_t)lo < len)
            doc->overrides[i].record = (const uint8_t *)to + (r - lo);
    }
    lvl_doc_index_overrides(doc);
}
