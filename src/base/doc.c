/*
 * base/doc.c: documents: reading and writing through a format, and editing of records in a document's memory.
 */
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/format.h"
#include "base/work.h"

#include <stdio.h>
#include <stdlib.h>

#define LIMIT(text) text, {LVL_FATAL, LVL_FATAL, LVL_FATAL}, NULL

const lvl_finding_def lvl_doc_limits[LVL_DOC_LIMITS] = {
    {"lvl.limit.input",
     LIMIT("The file is larger than one input may be; --limit input_bytes=N raises that.")},
    {"lvl.limit.memory",
     LIMIT("What the file holds, or what is made of it, would take more memory than allowed; "
           "--limit memory_bytes=N raises that.")},
    {"lvl.limit.cells", LIMIT("A grid or picture has more cells than allowed; --limit cells=N raises that.")},
    {"lvl.limit.items", LIMIT("A list has more items than allowed; --limit items=N raises that.")},
    {"lvl.limit.depth",
     LIMIT("What the file holds is nested more deeply than allowed; --limit depth=N raises that.")},
    {"lvl.limit.work", LIMIT("The operation takes more steps than allowed: no real file comes near that. "
                             "--limit work=N raises it.")},
    {"lvl.limit.fixed",
     LIMIT("The result does not fit: the format of the file or picture, or lvl itself, has "
           "no room for so much, and no option raises that. Split it, or draw a part.")},
};

void lvl_usage_report(const lvl_usage *usage, const lvl_ctx *ctx, lvl_findings *findings)
{
    lvl_usage_report_at(usage, ctx, NULL, findings);
}

void lvl_usage_report_at(const lvl_usage *usage, const lvl_ctx *ctx, const lvl_where *where,
                         lvl_findings *findings)
{
    static const struct {
        const char *name, *unit;
    } names[LVL_LIMIT_FIXED - 1] = {{"input_bytes", "bytes"}, {"memory_bytes", "bytes of memory"},
                                    {"cells", "cells"},       {"items", "items"},
                                    {"depth", "levels"},      {"work", "steps"}};
    const lvl_limits limits = lvl_limits_of(ctx);
    const uint64_t values[LVL_LIMIT_FIXED - 1] = {limits.input_bytes, limits.memory_bytes, limits.cells,
                                                  limits.items,       limits.depth,        limits.work};

    if (!usage || usage->limit == LVL_LIMIT_NONE)
        return;
    const size_t i = (size_t)usage->limit - 1;
    const bool fixed = usage->limit == LVL_LIMIT_FIXED;
    const char *unit = fixed ? usage->what : names[i].unit;
    const unsigned long long allowed = usage->allowed, wanted = usage->wanted;
    char raise[80] = "";
    if (!fixed)
        snprintf(raise, sizeof raise, "; --limit %s=N raises that (now %llu)", names[i].name,
                 (unsigned long long)values[i]);
    if (wanted)
        lvl_findings_add(findings, &lvl_doc_limits[i], where, NULL, "it needs %llu %s, but %llu are %s%s",
                         wanted, unit, allowed, fixed ? "the most that fit" : "allowed", raise);
    else
        lvl_findings_add(findings, &lvl_doc_limits[i], where, NULL, "it needs more than the %llu %s %s%s",
                         allowed, unit, fixed ? "that fit" : "allowed", raise);
}

const lvl_finding_def lvl_doc_signature_void = {
    "lvl.signature.void",
    "The document is signed and was changed: the signature is kept, but no longer valid. Games that check "
    "it treat the file as unsigned or forged; `lvl set FILE signature=` removes it.",
    {LVL_WARNING, LVL_WARNING, LVL_WARNING},
    NULL,
};

const lvl_finding_def lvl_doc_art_absent = {
    "lvl.art.absent",
    "The file names pictures or other files, and none of them was found beside or above it, so they were "
    "not checked; use --art FOLDER.",
    {LVL_NOTE, LVL_NOTE, LVL_NONE},
    NULL,
};

const lvl_finding_def lvl_doc_member_damaged = {
    "lvl.member.damaged",
    "A file in an archive cannot be read in full: its bytes end too early, or its compressed stream or its "
    "checksum is wrong. What could be read of it is used, but an edit does not replace it by that.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
};

const lvl_finding_def lvl_doc_counterpart = {
    "lvl.convert.counterpart",
    "A level was drawn as a level of another game, which has nothing like this: it is left out, or only its "
    "picture is kept.",
    {LVL_WARNING, LVL_WARNING, LVL_WARNING},
    NULL,
};

lvl_status lvl_doc_new(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format)
{
    *out = NULL;
    lvl_doc *doc = lvl_mem_alloc(ctx, sizeof *doc);
    if (!doc)
        return LVL_ERR_MEMORY;
    memset(doc, 0, sizeof *doc);
    doc->ctx = ctx;
    doc->format = format;
    doc->codepage = ctx->codepage_given ? ctx->codepage : format->codepage;
    lvl_arena_init(&doc->arena, ctx);
    doc->root = lvl_arena_alloc(&doc->arena, format->table->struct_size);
    if (!doc->root) {
        lvl_doc_free(doc);
        return LVL_ERR_MEMORY;
    }
    lvl_record_init(doc->root, format->table);
    *out = doc;
    return LVL_OK;
}

void lvl_doc_free(lvl_doc *doc)
{
    if (!doc)
        return;
    const lvl_ctx *ctx = doc->ctx;
    lvl_arena_free(&doc->arena);
    lvl_mem_free(ctx, doc->input_owned);
    free(doc->overrides);
    lvl_hash_free(&doc->override_index);
    lvl_mem_free(ctx, doc);
}

/* Adds the limit that ended reading to the findings, where it isn't there yet. */
static lvl_status report_limit(const lvl_ctx *ctx, const lvl_arena *arena, lvl_status status,
                               lvl_findings *findings)
{
    lvl_usage used = {.limit = LVL_LIMIT_NONE};

    if (arena) {
        status = lvl_arena_status(arena, status);
        if (arena->refused == LVL_ERR_LIMIT)
            used = (lvl_usage){.limit = LVL_LIMIT_MEMORY, .allowed = arena->max};
    }
    if (ctx->usage)
        used = *ctx->usage;
    if (status == LVL_ERR_LIMIT && findings && lvl_findings_worst(findings) < LVL_FATAL)
        lvl_usage_report(&used, ctx, findings);
    return status;
}

lvl_status lvl_read(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_bytes input,
                    const char *name, unsigned flags, lvl_findings *findings)
{
    lvl_status status;
    lvl_doc *doc;

    *out = NULL;
    const uint64_t most = lvl_limits_of(ctx).input_bytes;
    if (input.len > most) {
        const lvl_usage used = {.limit = LVL_LIMIT_INPUT, .allowed = most, .wanted = input.len};
        lvl_usage_report(&used, ctx, findings);
        return lvl_refuse(ctx, used.limit, used.allowed, used.wanted);
    }
    status = lvl_charge(ctx, input.len / 4);
    if (status != LVL_OK)
        return report_limit(ctx, NULL, status, findings);
    if (!format) {
        format = lvl_formats_probe_file(ctx, input, name);
        if (!format)
            return LVL_ERR_FOREIGN;
    }
    status = lvl_doc_new(&doc, ctx, format);
    if (status != LVL_OK)
        return status;
    if (!(flags & LVL_READ_BORROW) && input.len) {
        doc->input_owned = lvl_mem_alloc(ctx, input.len);
        if (!doc->input_owned) {
            lvl_doc_free(doc);
            return LVL_ERR_MEMORY;
        }
        memcpy(doc->input_owned, input.ptr, input.len);
        input.ptr = doc->input_owned;
    }
    doc->input = input;
    doc->show = flags & LVL_READ_SHOW;
    status = format->calls->read(doc, NULL, findings);
    if (status == LVL_OK)
        status = lvl_doc_note_derived(doc);
    if (status == LVL_OK && findings)
        status = lvl_findings_status(findings);
    status = report_limit(ctx, &doc->arena, status, findings);
    if (status != LVL_OK) {
        lvl_doc_free(doc);
        return status;
    }
    *out = doc;
    return LVL_OK;
}

const lvl_format *lvl_doc_format(const lvl_doc *doc)
{
    return doc->format;
}

lvl_codepage lvl_doc_codepage(const lvl_doc *doc)
{
    return doc->codepage;
}

const lvl_ctx *lvl_doc_ctx(const lvl_doc *doc)
{
    return doc->ctx;
}

void *lvl_doc_root(lvl_doc *doc)
{
    return doc->root;
}

const void *lvl_doc_croot(const lvl_doc *doc)
{
    return doc->root;
}

const lvl_table *lvl_doc_table(const lvl_doc *doc)
{
    return doc->format->table;
}

lvl_bytes lvl_doc_input(const lvl_doc *doc)
{
    return doc->input;
}

lvl_status lvl_doc_kept(const lvl_doc *doc, uint64_t *bytes)
{
    *bytes = 0;
    return doc->format->calls->kept ? doc->format->calls->kept(doc, bytes) : LVL_OK;
}

lvl_status lvl_doc_write(const lvl_doc *doc, lvl_buffer *out)
{
    if (!doc->format->calls->write)
        return LVL_ERR_UNSUPPORTED;
    const size_t before = out->len;
    lvl_status status = doc->format->calls->write(doc, out);
    if (status == LVL_OK)
        status = out->status;
    return status == LVL_OK ? lvl_charge(doc->ctx, (out->len - before) / 4) : status;
}

static lvl_text signature_of(const lvl_doc *doc)
{
    const lvl_table *table = doc->format->table;
    lvl_text text = {NULL, 0};

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if ((f->flags & LVL_F_SIGNATURE) && lvl_field_present(doc->root, f))
            memcpy(&text, (const uint8_t *)doc->root + f->offset, sizeof text);
    }
    return text;
}

lvl_status lvl_doc_report_signature(const lvl_doc *doc, lvl_bytes written, lvl_findings *findings)
{
    const lvl_text now = signature_of(doc);
    lvl_doc *was = NULL;

    if (!now.len || !doc->input.len || !findings ||
        (written.len == doc->input.len && !memcmp(written.ptr, doc->input.ptr, written.len)))
        return LVL_OK;
    const lvl_status status = lvl_read(&was, doc->ctx, doc->format, doc->input, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK && lvl_text_equal(now, signature_of(was)))
        lvl_findings_add(findings, &lvl_doc_signature_void, NULL, NULL,
                         "it is signed, and the signature is no longer valid");
    lvl_doc_free(was);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

lvl_status lvl_doc_write_with_findings(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings)
{
    const size_t before = out->len;
    lvl_status status = lvl_doc_write(doc, out);

    if (status == LVL_OK)
        return lvl_doc_report_signature(
            doc, (lvl_bytes){before ? out->data + before : out->data, out->len - before}, findings);
    if (status != LVL_ERR_LOSS || !findings || !doc->format->calls->check_writable)
        return status;
    lvl_status reported = doc->format->calls->check_writable(doc, findings);
    return reported == LVL_ERR_MEMORY ? reported : status;
}

/* ---- derived members --------------------------------------------------------------------------------- */

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
        /* there were as many before, so that no memory is needed */
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
    if (o && o->expected == computed && o->value != computed) {
        lvl_put_int(record, field, o->value);
        return;
    }
    lvl_put_int(record, field, computed);
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

/* Overrides of records that moved go with them. */
static void move_overrides(lvl_doc *doc, const void *from, size_t len, const void *to)
{
    const uint8_t *lo = from;

    for (uint32_t i = 0; i < doc->override_count; i++) {
        const uint8_t *r = doc->overrides[i].record;
        if ((uintptr_t)r >= (uintptr_t)lo && (uintptr_t)r - (uintptr_t)lo < len)
            doc->overrides[i].record = (const uint8_t *)to + (r - lo);
    }
    lvl_doc_index_overrides(doc);
}

/* ---- editing ----------------------------------------------------------------------------------------- */

void *lvl_doc_alloc(lvl_doc *doc, size_t size)
{
    return lvl_arena_alloc(&doc->arena, size);
}

lvl_text lvl_doc_text(lvl_doc *doc, lvl_text text)
{
    lvl_text copy = {lvl_arena_copy(&doc->arena, text.ptr, text.len), text.len};

    if (!copy.ptr)
        copy.len = 0;
    return copy;
}

lvl_status lvl_put_text(lvl_doc *doc, void *record, const lvl_field *field, lvl_text text)
{
    uint8_t *p = (uint8_t *)record + field->offset;

    if (field->flags & LVL_F_SLOT) {
        if (text.len >= field->size)
            return LVL_ERR_ARG;
        memset(p, 0, field->size);
        if (text.len)
            memcpy(p, text.ptr, text.len);
        return LVL_OK;
    }
    lvl_text copy = lvl_doc_text(doc, text);
    if (!copy.ptr)
        return LVL_ERR_MEMORY;
    memcpy(p, &copy, sizeof copy);
    return LVL_OK;
}

static void set_list(void *record, const lvl_field *field, void *items, uint32_t count)
{
    memcpy((uint8_t *)record + field->offset, &items, sizeof items);
    memcpy((uint8_t *)record + field->count_offset, &count, sizeof count);
}

/* A list with room for `count` items more at `index`. One that grows at its end by less than it has gets half
 * as much again, so that adding items one by one copies each of them a few times, not each time. */
static uint8_t *make_room(lvl_doc *doc, const uint8_t *was, uint32_t old, uint32_t index, uint32_t count,
                          size_t size)
{
    const size_t more = index == old && count < old ? old / 2 : 0;
    uint8_t *items;

    if (old && index == old && doc->grown.items == was && doc->grown.used == old &&
        count <= doc->grown.room - old) {
        doc->grown.used += count;
        return (uint8_t *)(uintptr_t)was;
    }
    items = lvl_arena_array(&doc->arena, (size_t)old + count + more, size);
    if (!items || !old)
        return items;
    memcpy(items, was, index * size);
    memcpy(items + (index + (size_t)count) * size, was + index * size, (old - index) * size);
    /* the tail first: the ranges never mix, since the items are new */
    move_overrides(doc, was + index * size, (old - index) * size, items + (index + (size_t)count) * size);
    move_overrides(doc, was, index * size, items);
    if (more) {
        doc->grown.items = items;
        doc->grown.used = old + count;
        doc->grown.room = (uint32_t)(old + count + more > UINT32_MAX ? UINT32_MAX : old + count + more);
    }
    return items;
}

lvl_status lvl_list_insert(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index, uint32_t count)
{
    const uint64_t max = lvl_limits_of(doc->ctx).items;

    if (!field || field->kind != LVL_LIST || index > lvl_list_count(record, field))
        return LVL_ERR_ARG;
    const uint32_t old = lvl_list_count(record, field);
    const size_t size = field->item_size;
    if (count > UINT32_MAX - 1 - old || (uint64_t)old + count > max)
        return lvl_refuse(doc->ctx, LVL_LIMIT_ITEMS, max, (uint64_t)old + count);
    uint8_t *items = make_room(doc, old ? lvl_list_item(record, field, 0) : NULL, old, index, count, size);
    if (!items)
        return LVL_ERR_MEMORY;
    if (field->item == LVL_RECORD) {
        for (uint32_t i = 0; i < count; i++)
            lvl_record_init(items + (index + (size_t)i) * size, field->table);
    }
    set_list(record, field, items, old + count);
    return LVL_OK;
}

/* Overrides of records that left are dropped; the others go with their records. `now` has the new numbers of
 * `old` items. */
static void renumber_overrides(lvl_doc *doc, const uint8_t *was, const uint8_t *items, size_t size,
                               const uint32_t *now, uint32_t old)
{
    for (uint32_t i = 0; i < doc->override_count; i++) {
        const uintptr_t at = (uintptr_t)doc->overrides[i].record - (uintptr_t)was;
        if (at >= (uintptr_t)old * size)
            continue;
        const uint32_t item = now[at / size];
        doc->overrides[i].record = item == UINT32_MAX ? NULL : items + item * size + at % size;
    }
    lvl_doc_index_overrides(doc);
}

lvl_status lvl_list_arrange(lvl_doc *doc, void *record, const lvl_field *field, const uint32_t *order,
                            uint32_t count)
{
    const uint32_t old = lvl_list_count(record, field);
    const size_t size = field->item_size;
    uint32_t *now = malloc(((size_t)old + 1) * sizeof *now);
    uint8_t *items = now ? lvl_arena_array(&doc->arena, count, size) : NULL;

    if (!items) {
        free(now);
        return LVL_ERR_MEMORY;
    }
    const uint8_t *was = lvl_list_item(record, field, 0);
    memset(now, 0xFF, ((size_t)old + 1) * sizeof *now);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(items + i * size, was + order[i] * size, size);
        now[order[i]] = i;
    }
    renumber_overrides(doc, was, items, size, now, old);
    set_list(record, field, items, count);
    free(now);
    return LVL_OK;
}

lvl_status lvl_list_drop(lvl_doc *doc, void *record, const lvl_field *field, const uint8_t *drop)
{
    const uint32_t old = lvl_list_count(record, field);
    uint32_t *order = malloc(((size_t)old + 1) * sizeof *order), count = 0;

    if (!order)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < old; i++) {
        if (!drop[i])
            order[count++] = i;
    }
    const lvl_status status = count == old ? LVL_OK : lvl_list_arrange(doc, record, field, order, count);
    free(order);
    return status;
}

lvl_status lvl_list_remove(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index, uint32_t count)
{
    const uint32_t old = field && field->kind == LVL_LIST ? lvl_list_count(record, field) : 0;

    if (!field || field->kind != LVL_LIST || index > old || count > old - index)
        return LVL_ERR_ARG;
    uint8_t *drop = calloc((size_t)old + 1, 1);
    if (!drop)
        return LVL_ERR_MEMORY;
    memset(drop + index, 1, count);
    const lvl_status status = lvl_list_drop(doc, record, field, drop);
    free(drop);
    return status;
}

/* As lvl_doc_cells; LVL_ERR_LOSS: only a part could be decoded, and is there. */
static lvl_status decode_cells(const lvl_doc *doc, const void *record, const lvl_field *field,
                               lvl_buffer *storage, lvl_cells *out)
{
    storage->len = 0;
    storage->status = LVL_OK;
    *out = *lvl_get_cells(record, field);
    if (out->ptr || !(field->flags & LVL_F_LATE) || !doc->format->calls->decode)
        return LVL_OK;
    const lvl_status status = doc->format->calls->decode(doc, record, field, storage, out);
    if (storage->len)
        out->ptr = storage->data;
    return status == LVL_OK ? storage->status : status;
}

/* As lvl_doc_bytes; LVL_ERR_LOSS: only a part could be decoded, and is there. */
static lvl_status decode_bytes(const lvl_doc *doc, const void *record, const lvl_field *field,
                               lvl_buffer *storage, lvl_bytes *out)
{
    storage->len = 0;
    storage->status = LVL_OK;
    *out = lvl_get_bytes(record, field);
    if (out->ptr || !(field->flags & LVL_F_LATE) || !doc->format->calls->decode)
        return LVL_OK;
    const lvl_status status = doc->format->calls->decode(doc, record, field, storage, NULL);
    *out = (lvl_bytes){storage->data, storage->len};
    return status == LVL_OK ? storage->status : status;
}

/* A late member into the document's memory. What can't be decoded stays as it is; `whole`: what can only be
 * decoded in part, too; with `damaged`, what can be made out of a damaged grid is its content as well. */
static lvl_status open_member(lvl_doc *doc, void *record, const lvl_field *field, bool whole, bool damaged)
{
    lvl_buffer storage = {0};
    lvl_cells cells = {0};
    lvl_bytes bytes = {0};

    lvl_status status = field->kind == LVL_CELLS ? decode_cells(doc, record, field, &storage, &cells)
                                                 : decode_bytes(doc, record, field, &storage, &bytes);
    if ((status == LVL_ERR_LOSS && !whole) || (status == LVL_ERR_FORMAT && damaged))
        status = LVL_OK;
    if (status == LVL_OK && storage.len) {
        uint8_t *copy = lvl_arena_copy(&doc->arena, storage.data, storage.len);
        cells.ptr = bytes.ptr = copy;
        if (!copy)
            status = LVL_ERR_MEMORY;
        else if (field->kind == LVL_CELLS)
            memcpy((uint8_t *)record + field->offset, &cells, sizeof cells);
        else
            memcpy((uint8_t *)record + field->offset, &bytes, sizeof bytes);
    }
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status open_record(lvl_doc *doc, void *record, const lvl_table *table, bool whole)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < table->field_count && status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (f->flags & LVL_F_LATE)
            status = open_member(doc, record, f, whole, false);
        else if (f->kind == LVL_RECORD)
            status = open_record(doc, (uint8_t *)record + f->offset, f->table, whole);
        for (uint32_t k = 0; f->kind == LVL_LIST && f->item == LVL_RECORD && k < lvl_list_count(record, f);
             k++) {
            status = open_record(doc, lvl_item_at(record, f, k), f->table, whole);
            if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
                break;
        }
    }
    return status;
}

static lvl_status open_all(lvl_doc *doc, bool whole)
{
    if (!doc->format->calls->decode)
        return LVL_OK;
    const lvl_status status =
        lvl_arena_status(&doc->arena, open_record(doc, doc->root, doc->format->table, whole));
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

lvl_status lvl_doc_open(lvl_doc *doc)
{
    return open_all(doc, false);
}

/* ---- opening what is different ----------------------------------------------------------------------- */

typedef struct opener {
    lvl_doc *const *docs;
    uint32_t count;
    bool whole;
} opener;

/* What an item's cells mean by number (LVL_F_FOLLOWS) has to be the same, too. */
static bool same_meaning(const opener *o, const lvl_field *field)
{
    const lvl_table *table = o->docs[0]->format->table;
    const lvl_field *list =
        field->flags & LVL_F_FOLLOWS && field->ref ? lvl_table_find(table, lvl_text_of(field->ref)) : NULL;
    const lvl_table one = {.fields = list, .field_count = list != NULL};

    for (uint32_t i = 1; i < o->count; i++) {
        if (!lvl_record_equal(o->docs[0]->root, o->docs[i]->root, &one))
            return false;
    }
    return true;
}

static bool same_late(const opener *o, void *const *records, const lvl_field *field)
{
    for (uint32_t i = 1; i < o->count; i++) {
        if (!o->docs[0]->format->calls->same_stored(o->docs[0], records[0], o->docs[i], records[i], field))
            return false;
    }
    return same_meaning(o, field);
}

/* Whether a list has items of the same names in the same order in all documents, so that items of one number
 * are compared with each other and with no others. */
static bool same_names(const opener *o, void *const *records, const lvl_field *list)
{
    const lvl_field *label =
        list->table->label ? lvl_table_find(list->table, lvl_text_of(list->table->label)) : NULL;
    const lvl_table one = {.fields = label, .field_count = label != NULL};
    const uint32_t n = lvl_list_count(records[0], list);
    bool same = label != NULL;

    for (uint32_t i = 1; same && i < o->count; i++) {
        same = lvl_list_count(records[i], list) == n;
        for (uint32_t k = 0; same && k < n; k++)
            same = lvl_record_equal(lvl_list_item(records[0], list, k), lvl_list_item(records[i], list, k),
                                    &one);
    }
    return same;
}

static bool all_have(const opener *o, void *const *records, const lvl_field *field)
{
    bool all = true;

    for (uint32_t i = 0; i < o->count; i++)
        all = all && lvl_field_present(records[i], field);
    return all;
}

static lvl_status open_different(const opener *o, void *const *records, const lvl_table *table)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        const bool items = f->kind == LVL_LIST && f->item == LVL_RECORD, all = all_have(o, records, f);
        const lvl_table one = {.fields = f, .field_count = 1};
        void *below[LVL_OPENED] = {records[0]};
        if (f->flags & LVL_F_LATE ? all && same_late(o, records, f) : !items && f->kind != LVL_RECORD)
            continue;
        if (items && all && same_names(o, records, f)) {
            for (uint32_t k = 0; k < lvl_list_count(records[0], f) && status == LVL_OK; k++) {
                for (uint32_t d = 0; d < o->count; d++)
                    below[d] = lvl_item_at(records[d], f, k);
                status = open_different(o, below, f->table);
            }
            continue;
        }
        for (uint32_t d = 0; d < o->count && status == LVL_OK; d++) {
            status =
                lvl_arena_status(&o->docs[d]->arena, open_record(o->docs[d], records[d], &one, o->whole));
            status = status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
        }
    }
    return status;
}

lvl_status lvl_doc_open_different(lvl_doc *const *docs, uint32_t count, bool whole)
{
    const opener o = {docs, count, whole};
    void *roots[LVL_OPENED] = {docs[0]->root};
    lvl_status status = LVL_OK;

    if (docs[0]->format->calls->same_stored) {
        for (uint32_t i = 1; i < count; i++)
            roots[i] = docs[i]->root;
        return open_different(&o, roots, docs[0]->format->table);
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = open_all(docs[i], whole);
    return status;
}

uint8_t *lvl_cells_edit(lvl_doc *doc, void *record, const lvl_field *field)
{
    lvl_cells *cells = (lvl_cells *)(void *)((uint8_t *)record + field->offset);
    size_t total;

    if (!lvl_mul_size((size_t)cells->width * cells->size, cells->height, &total))
        return NULL;
    if (!cells->ptr && (field->flags & LVL_F_LATE)) {
        const lvl_status status = open_member(doc, record, field, false, true);
        if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || cells->ptr)
            return (uint8_t *)(uintptr_t)cells->ptr;
    }
    uint8_t *copy =
        cells->ptr ? lvl_arena_copy(&doc->arena, cells->ptr, total) : lvl_arena_alloc(&doc->arena, total);
    if (copy)
        cells->ptr = copy;
    return copy;
}

/* ---- late members ------------------------------------------------------------------------------------ */

lvl_status lvl_doc_cells(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_cells *out)
{
    const lvl_status status = decode_cells(doc, record, field, storage, out);

    return status == LVL_ERR_LOSS ? LVL_OK : status;
}

lvl_status lvl_doc_bytes(const lvl_doc *doc, const void *record, const lvl_field *field, lvl_buffer *storage,
                         lvl_bytes *out)
{
    const lvl_status status = decode_bytes(doc, record, field, storage, out);

    return status == LVL_ERR_LOSS ? LVL_OK : status;
}

/* ---- reading again with a sink ----------------------------------------------------------------------- */

lvl_status lvl_doc_trace(const lvl_doc *doc, lvl_sink *sink)
{
    lvl_doc *again;
    lvl_status status = lvl_doc_new(&again, doc->ctx, doc->format);

    if (status != LVL_OK)
        return status;
    again->input = doc->input;
    status = lvl_charge(doc->ctx, doc->input.len / 4);
    if (status == LVL_OK)
        status = lvl_arena_status(&again->arena, doc->format->calls->read(again, sink, NULL));
    lvl_doc_free(again);
    return status;
}

lvl_status lvl_doc_reread(lvl_doc *doc, lvl_bytes bytes)
{
    const lvl_bytes input = doc->input;
    const uint8_t *copy = lvl_arena_copy(&doc->arena, bytes.ptr, bytes.len);

    if (!copy)
        return LVL_ERR_MEMORY;
    memset(doc->root, 0, doc->format->table->struct_size);
    lvl_record_init(doc->root, doc->format->table);
    doc->input = (lvl_bytes){copy, bytes.len};
    const lvl_status status = doc->format->calls->read(doc, NULL, NULL);
    doc->input = input;
    return status;
}

lvl_status lvl_doc_reread_findings(const lvl_doc *doc, lvl_ctx *ctx, lvl_findings **reread, uint64_t *size)
{
    lvl_buffer bytes = {0};
    lvl_doc *again = NULL;

    *ctx = *doc->ctx;
    ctx->profile = LVL_PROFILE_STRICT;
    *reread = lvl_findings_new(ctx);
    lvl_status status = *reread ? lvl_doc_write(doc, &bytes) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_read(&again, ctx, doc->format, lvl_buffer_bytes(&bytes), NULL, LVL_READ_BORROW, *reread);
    if (status == LVL_OK)
        status = lvl_findings_status(*reread);
    if (size)
        *size = bytes.len;
    lvl_doc_free(again);
    lvl_buffer_free(&bytes);
    if (status != LVL_OK) {
        lvl_findings_free(*reread);
        *reread = NULL;
    }
    return status;
}
