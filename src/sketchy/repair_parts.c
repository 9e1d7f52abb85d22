/*
 * sketchy/repair_parts.c: see repair_parts.h.
 */
#include "sketchy/repair_parts.h"

#include "base/hash.h"
#include "base/text.h"
#include "codec/tokens.h"
#include "sketchy/chunk_codec.h"
#include "sketchy/drawing_read.h"
#include "sketchy/members.h"
#include "sketchy/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80 };

static const char chunk_folder[] = "chunks/", stray_folder[] = "assets/strays/";

/* ---- findings of the reader -------------------------------------------------------------------------- */

static lvl_status reread(lvl_repairing *m)
{
    lvl_ctx ctx;
    lvl_findings *found;
    const lvl_status status = lvl_doc_reread_findings(m->doc, &ctx, &found, NULL);

    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (f->def < lvl_sketchy_findings || f->def >= lvl_sketchy_findings + LVL_SKETCHY_F_COUNT)
            continue;
        const size_t id = (size_t)(f->def - lvl_sketchy_findings);
        if (id == LVL_SKETCHY_F_CHUNK_KEY)
            continue;
        m->found[id] = true;
        if (f->def->repair)
            lvl_findings_add(m->repairs->log, f->def, &f->where, &f->position, "%s: %s", f->text,
                             f->def->repair);
    }
    lvl_findings_free(found);
    return status;
}

/* Attaches bytes that belong to no part as a file, so that they are not lost. */
static lvl_status attach(lvl_repairing *m, lvl_bytes bytes)
{
    const lvl_file_list *files = &m->parts.files;
    char path[48];

    if (lvl_sketchy_is_padding(bytes))
        return LVL_OK;
    const lvl_status status = lvl_list_insert(m->doc, m->doc->root, files->field, *files->count, 1);
    if (status != LVL_OK)
        return status;
    snprintf(path, sizeof path, m->attached ? "%strailing-%lu" : "%strailing", stray_folder, m->attached + 1);
    m->attached++;
    lvl_sketchy_file *file = &(*files->items)[*files->count - 1];
    file->path = lvl_doc_text(m->doc, lvl_text_of(path)); /* lvl_repair_names makes it unique */
    file->data = bytes;
    return file->path.ptr ? LVL_OK : LVL_ERR_MEMORY;
}

static bool is_gzip(const lvl_doc *doc)
{
    return doc->format->table == &lvl_sketchy_table &&
           ((const lvl_sketchy *)doc->root)->generation == LVL_SKETCHY_V2;
}

/* Cuts bytes after the JSON document off its text, and attaches them. */
static lvl_status cut_trailing(lvl_repairing *m)
{
    lvl_text *json = m->parts.json;
    size_t used;

    if (!lvl_tokens_whole(*json, &used))
        return LVL_OK;
    while (used < json->len && memchr(" \t\r\n", json->ptr[used], 4))
        used++;
    const lvl_bytes rest = {(const uint8_t *)json->ptr + used, json->len - used};
    json->len = used;
    return attach(m, rest);
}

/* Attaches bytes of the file that belong to no member or follow a gzip stream; a zip's comment stays. */
static lvl_status attach_unowned(lvl_repairing *m)
{
    enum { END_SIZE = 22 };
    const lvl_bytes none = {NULL, 0};
    lvl_bytes *after = m->parts.after, behind = *after;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < *m->parts.member_count && status == LVL_OK; i++) {
        lvl_bytes *before = &(*m->parts.members)[i].before;
        status = lvl_sketchy_is_unowned(*before) ? attach(m, *before) : LVL_OK;
        *before = none;
    }
    if (status == LVL_OK && lvl_sketchy_is_unowned(*m->parts.gap))
        status = attach(m, *m->parts.gap);
    *m->parts.gap = none;
    *after = none;
    if (!is_gzip(m->doc) && behind.len >= END_SIZE && !memcmp(behind.ptr, "PK\5\6", 4)) {
        const size_t end = END_SIZE + (size_t)(behind.ptr[20] | behind.ptr[21] << 8);
        *after = (lvl_bytes){behind.ptr, end < behind.len ? end : behind.len};
        behind = (lvl_bytes){behind.ptr + after->len, behind.len - after->len};
    }
    if (status == LVL_OK && (is_gzip(m->doc) || lvl_sketchy_is_unowned(behind)))
        status = attach(m, behind);
    return status;
}

lvl_status lvl_repairing_begin(lvl_repairing *m, lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_text no_text = {NULL, 0};

    memset(m, 0, sizeof *m);
    m->doc = doc;
    m->parts = lvl_sketchy_archive(doc);
    m->repairs = repairs;
    lvl_status status = reread(m);
    if (status != LVL_OK)
        return status;
    const bool zip = m->found[LVL_SKETCHY_F_ZIP_DIRECTORY] || m->found[LVL_SKETCHY_F_ZIP_MEMBER] ||
                     m->found[LVL_SKETCHY_F_ZIP_DOUBLE] || m->found[LVL_SKETCHY_F_ZIP_PREFIX];
    const bool text = m->found[LVL_SKETCHY_F_JSON] || m->found[LVL_SKETCHY_F_TYPE];
    const bool trailing = m->found[LVL_SKETCHY_F_REFUSED] || m->found[LVL_SKETCHY_F_TRAILING];
    if (trailing)
        status = cut_trailing(m);
    if (status == LVL_OK && (trailing || zip))
        status = attach_unowned(m);
    if (status != LVL_OK)
        return status;
    if (m->found[LVL_SKETCHY_F_NO_DOCUMENT])
        *m->parts.json = no_text; /* a broken document was recovered on reading */
    if (zip) { /* only the order of members is kept */
        lvl_zip_spelling *list =
            lvl_arena_array(&doc->arena, (size_t)*m->parts.member_count + 1, sizeof *list);
        if (!list)
            return LVL_ERR_MEMORY;
        for (uint32_t i = 0; i < *m->parts.member_count; i++)
            list[i].name = (*m->parts.members)[i].name;
        *m->parts.members = list;
    }
    m->changed = zip || text || m->found[LVL_SKETCHY_F_LAYERS] || m->found[LVL_SKETCHY_F_NO_DOCUMENT] ||
                 trailing || m->found[LVL_SKETCHY_F_LEAD] || m->found[LVL_SKETCHY_F_GZIP_CUT] ||
                 m->found[LVL_SKETCHY_F_GZIP_BAD];
    return LVL_OK;
}

/* ---- replaced parts ------------------------------------------------------------------------------------ */

lvl_status lvl_repairing_replace(lvl_repairing *m, uint32_t source)
{
    const lvl_source *s = lvl_sketchy_source(m->doc, source);

    m->changed = true;
    if (!s || s->kind == LVL_SOURCE_BASE64)
        return LVL_OK;
    const lvl_bytes piece = s->kind == LVL_SOURCE_MEMBER
                                ? s->member.packed
                                : (lvl_bytes){(const uint8_t *)s->text.ptr, s->text.len};
    lvl_buffer_add(&m->replaced, &piece, sizeof piece);
    return m->replaced.status;
}

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const lvl_bytes *)a)->ptr, y = (uintptr_t)((const lvl_bytes *)b)->ptr;

    return (x > y) - (x < y);
}

/* Copies the buffer's text to the document's memory. */
static lvl_status take_text(lvl_repairing *m, const lvl_buffer *from, lvl_text *to)
{
    if (from->status != LVL_OK)
        return from->status;
    const lvl_text text = lvl_doc_text(m->doc, (lvl_text){(const char *)from->data, from->len});
    if (!text.ptr)
        return LVL_ERR_MEMORY;
    *to = text;
    return LVL_OK;
}

/* Puts an empty chunk into the JSON text for each replaced piece; the writer then writes its content. */
static lvl_status blank_pieces(lvl_repairing *m)
{
    lvl_text *json = m->parts.json;
    const uintptr_t start = (uintptr_t)json->ptr, end = start + json->len;
    const lvl_bytes *pieces = (const lvl_bytes *)(const void *)m->replaced.data;
    lvl_buffer out = {0};
    uintptr_t at = start;

    for (size_t i = 0; i < m->replaced.len / sizeof *pieces; i++) {
        const uintptr_t p = (uintptr_t)pieces[i].ptr, q = p + pieces[i].len;
        if (p < at || q > end)
            continue;
        lvl_buffer_add(&out, json->ptr + (at - start), p - at);
        lvl_buffer_str(&out, "{\"type\":0,\"data\":{}}");
        at = q;
    }
    lvl_status status = out.status;
    if (status == LVL_OK && at != start) {
        lvl_buffer_add(&out, json->ptr + (at - start), end - at);
        status = take_text(m, &out, json);
    }
    lvl_buffer_free(&out);
    return status;
}

static void blank_members(lvl_repairing *m)
{
    const lvl_bytes none = {NULL, 0};

    for (uint32_t i = 0; i < *m->parts.member_count; i++) {
        lvl_zip_spelling *sp = &(*m->parts.members)[i];
        if (sp->packed.ptr && bsearch(&sp->packed, m->replaced.data, m->replaced.len / sizeof(lvl_bytes),
                                      sizeof(lvl_bytes), by_address))
            sp->packed = sp->local = sp->behind = sp->central = none;
        else
            continue;
        if (i + 1 < *m->parts.member_count) /* with a wrong size the rest of a member precedes the next one */
            sp[1].before = none;
    }
}

/* Replaces values of the wrong kind in the JSON text. */
static lvl_status retype(lvl_repairing *m)
{
    const bool drawing = m->doc->format->table == &lvl_sketchy_table;
    const bool outside = !drawing || ((const lvl_sketchy *)m->doc->root)->generation >= LVL_SKETCHY_V3;
    lvl_buffer out = {0};

    lvl_status status =
        lvl_sketchy_write_repaired(m->doc, *m->parts.json, outside, m->found[LVL_SKETCHY_F_JSON], &out);
    if (status == LVL_OK)
        status = take_text(m, &out, m->parts.json);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_repairing_end(lvl_repairing *m, lvl_status status)
{
    const lvl_bytes none = {NULL, 0};

    if (status == LVL_OK && m->changed)
        *m->parts.file = none;
    if (status == LVL_OK && m->replaced.len) {
        qsort(m->replaced.data, m->replaced.len / sizeof(lvl_bytes), sizeof(lvl_bytes), by_address);
        blank_members(m);
        if (m->parts.json->len)
            status = blank_pieces(m);
    }
    if (status == LVL_OK && m->parts.json->len &&
        (m->found[LVL_SKETCHY_F_TYPE] || m->found[LVL_SKETCHY_F_JSON]))
        status = retype(m);
    lvl_buffer_free(&m->replaced);
    return status;
}

/* ---- attached files ---------------------------------------------------------------------------------- */

static lvl_status repair_file(lvl_repairing *m, uint32_t index, lvl_buffer *storage, uint8_t *drop)
{
    lvl_sketchy_file *f = &(*m->parts.files.items)[index];
    const lvl_source *source = lvl_sketchy_source(m->doc, f->source);
    const lvl_where where = lvl_where_to(lvl_where_root(), m->parts.files.field, index);
    char shown[SHOWN];
    lvl_bytes bytes;
    bool sound = true;

    if (f->data.ptr || !source || *drop)
        return LVL_OK;
    const lvl_status status = lvl_sketchy_source_bytes(m->doc, source, storage, &bytes, &sound);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
        return status;
    if (status == LVL_OK && sound)
        return LVL_OK;
    lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, f->path);
    if (status != LVL_OK || !bytes.len) {
        lvl_sketchy_report(m->repairs->log, LVL_SKETCHY_F_FILE_BAD, &where, "\"%s\" cannot be read: removed",
                           shown);
        *drop = 1;
        return lvl_repairing_replace(m, f->source);
    }
    lvl_sketchy_report(m->repairs->log, LVL_SKETCHY_F_FILE_BAD, &where,
                       "\"%s\": kept the %llu bytes that could be read", shown,
                       (unsigned long long)bytes.len);
    const uint8_t *copy = lvl_arena_copy(&m->doc->arena, bytes.ptr, bytes.len);
    if (!copy)
        return LVL_ERR_MEMORY;
    const uint32_t was = f->source;
    f->data = (lvl_bytes){copy, bytes.len};
    f->source = 0;
    return lvl_repairing_replace(m, was);
}

lvl_status lvl_repair_files(lvl_repairing *m)
{
    const uint32_t count = *m->parts.files.count;
    uint8_t *drop = calloc((size_t)count + 1, 1);
    lvl_buffer storage = {0};

    lvl_status status = drop ? LVL_OK : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = repair_file(m, i, &storage, &drop[i]);
    if (status == LVL_OK && memchr(drop, 1, count))
        status = lvl_list_drop(m->doc, m->doc->root, m->parts.files.field, drop);
    lvl_buffer_free(&storage);
    free(drop);
    return status;
}

/* ---- names ------------------------------------------------------------------------------------------- */

typedef struct taken_name {
    lvl_text name;
    unsigned long tried; /* the last number that was appended to make another name; 0: none */
} taken_name;

typedef struct namer {
    lvl_repairing *m;
    lvl_sketchy *d; /* whose chunks are members; NULL: a pack, or a drawing of one text */
    lvl_hash index; /* of `taken`, without regard to case */
    lvl_buffer taken; /* taken_name */
    lvl_buffer made; /* the name being made */
} namer;

static lvl_text made_text(const namer *n)
{
    return (lvl_text){(const char *)n->made.data, n->made.len};
}

/* The taken name, or NULL. */
static taken_name *find_taken(const namer *n, lvl_text name, bool any_case)
{
    const uint64_t hash = lvl_hash_nocase(&n->index.seed, name);

    for (lvl_hash_at at = lvl_hash_first(&n->index, hash); at.found; at = lvl_hash_next(&n->index, at)) {
        taken_name *t = (taken_name *)(void *)n->taken.data + at.index;
        if (any_case ? lvl_text_equal_nocase(t->name, name) : lvl_text_equal(t->name, name))
            return t;
    }
    return NULL;
}

/* The name must live as long as the namer. */
static lvl_status take_name(namer *n, lvl_text name)
{
    const taken_name t = {name, 0};
    const uint32_t index = (uint32_t)(n->taken.len / sizeof t);

    if (!name.ptr)
        return LVL_ERR_MEMORY;
    lvl_buffer_add(&n->taken, &t, sizeof t);
    return n->taken.status == LVL_OK ? lvl_hash_add(&n->index, lvl_hash_nocase(&n->index.seed, name), index)
                                     : n->taken.status;
}

/* "chunks/0/1,2.bin", into `made`. */
static void make_chunk_path(namer *n, uint32_t layer, int32_t x, int32_t y, bool binary)
{
    n->made.len = 0;
    lvl_buffer_printf(&n->made, "%s%lu/%ld,%ld.%s", chunk_folder, (unsigned long)layer, (long)x, (long)y,
                      binary ? "bin" : "json");
}

/* Takes the names of chunks; keys that the game spells differently are changed to its spelling. */
static lvl_status take_chunks(namer *n, uint32_t layer)
{
    lvl_status status = LVL_OK;

    for (uint32_t k = 0; k < n->d->layers[layer].chunk_count && status == LVL_OK; k++) {
        lvl_sketchy_chunk *c = &n->d->layers[layer].chunks[k];
        const lvl_source *s = lvl_sketchy_source(n->m->doc, c->source);
        const lvl_where where = lvl_sketchy_chunk_at(layer, k);
        char key[32], shown[SHOWN];
        if (!s || s->kind != LVL_SOURCE_MEMBER)
            continue;
        status = take_name(n, s->member.name);
        if (status != LVL_OK || lvl_text_equal(c->key, lvl_sketchy_plain_key(key, c->x, c->y)))
            continue;
        lvl_sketchy_report(n->m->repairs->log, LVL_SKETCHY_F_CHUNK_ALIAS, &where, "\"%s\" renamed to \"%s\"",
                           lvl_text_show(shown, SHOWN, LVL_CP_UTF8, c->key), key);
        c->key = lvl_doc_text(n->m->doc, lvl_text_of(key));
        make_chunk_path(n, layer, c->x, c->y, c->encoding >= LVL_SKETCHY_CHUNK_MAP);
        status = c->key.ptr ? take_name(n, lvl_doc_text(n->m->doc, made_text(n))) : LVL_ERR_MEMORY;
        n->m->changed = true;
    }
    return status;
}

/* Makes a safe path: the path without "..", "." and empty parts, or "unnamed"; into `made`. `ascii`: with '_'
 * for each byte that isn't ASCII. */
static void clean(namer *n, lvl_text path, bool ascii)
{
    size_t from = path.len > 1 && path.ptr[1] == ':' ? 2 : 0;

    n->made.len = 0;
    for (size_t i = from; path.len && i <= path.len; i++) {
        if (i < path.len && path.ptr[i] != '/' && path.ptr[i] != '\\')
            continue;
        const lvl_text part = {path.ptr + from, i - from};
        from = i + 1;
        if (!part.len || lvl_text_is(part, ".") || lvl_text_is(part, ".."))
            continue;
        if (n->made.len)
            lvl_buffer_u8(&n->made, '/');
        for (size_t k = 0; k < part.len; k++) {
            const uint8_t c = (uint8_t)part.ptr[k];
            const bool bad = c < 0x20 || c == 0x7F || (c == ':' && k == 1) || (ascii && c >= 0x80);
            lvl_buffer_u8(&n->made, bad ? '_' : c);
        }
    }
    if (!n->made.len)
        lvl_buffer_str(&n->made, "unnamed");
}

/* *out: whether a file is a sound chunk for that position. */
static lvl_status is_chunk(const namer *n, const lvl_sketchy_file *file, const lvl_chunk_place *place,
                           bool binary, bool *out)
{
    lvl_buffer storage = {0};
    lvl_chunk_report r;
    lvl_bytes bytes;

    *out = false;
    if (!place->size || place->size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return LVL_OK;
    uint8_t *grid = malloc((size_t)place->size * place->size * 2);
    lvl_status status = grid ? lvl_sketchy_file_data(n->m->doc, file, &storage, &bytes) : LVL_ERR_MEMORY;
    const int encoding = status == LVL_OK ? lvl_chunk_encoding(bytes) : -1;
    if (encoding >= 0 && binary == (encoding >= LVL_SKETCHY_CHUNK_MAP)) {
        status = lvl_chunk_decode((unsigned)encoding, bytes, place, grid, &r);
        *out = status == LVL_OK && r.pixels && !r.outside && r.total <= (uint64_t)place->size * place->size;
    }
    free(grid);
    lvl_buffer_free(&storage);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

/* A name in the folder of chunks becomes the chunk's name if the file is that chunk and no other one exists,
 * else a name in the folder of strays; in `made`. */
static lvl_status move_out_of_chunks(namer *n, const lvl_sketchy_file *file)
{
    bool binary, chunk = false;
    uint32_t layer;
    int32_t x, y;

    if (!n->d || !lvl_text_begins_nocase(made_text(n), chunk_folder))
        return LVL_OK;
    const lvl_text rest = lvl_doc_text(n->m->doc, made_text(n));
    if (!rest.ptr)
        return LVL_ERR_MEMORY;
    const lvl_chunk_name kind = lvl_sketchy_name_kind(rest, n->d->layer_count, &layer, &x, &y, &binary);
    if (kind == LVL_NAME_CHUNK || kind == LVL_NAME_ALIAS) {
        const lvl_chunk_place place = {x, y, n->d->layers[layer].size};
        const lvl_status status = is_chunk(n, file, &place, binary, &chunk);
        if (status != LVL_OK)
            return status;
    }
    for (int form = 0; form < 2 && chunk; form++) {
        make_chunk_path(n, layer, x, y, form ? binary : !binary);
        const taken_name *taken = find_taken(n, made_text(n), true);
        chunk = !taken || taken->name.ptr == file->path.ptr; /* by the file itself, in another case */
    }
    if (chunk)
        return n->made.status;
    n->made.len = 0;
    lvl_buffer_str(&n->made, stray_folder);
    lvl_buffer_add(&n->made, rest.ptr + sizeof chunk_folder - 1, rest.len - (sizeof chunk_folder - 1));
    return n->made.status;
}

/* Changes the name in `made` to an unused one: "large~2.png". */
static lvl_status make_unique(namer *n)
{
    const lvl_text choice = lvl_doc_text(n->m->doc, made_text(n));
    size_t stem = choice.len;

    if (n->made.status != LVL_OK || !choice.ptr)
        return LVL_ERR_MEMORY;
    while (stem && choice.ptr[stem - 1] != '.' && choice.ptr[stem - 1] != '/')
        stem--;
    stem = stem > 1 && choice.ptr[stem - 1] == '.' && choice.ptr[stem - 2] != '/' ? stem - 1 : choice.len;
    /* of many with one name each continues counting where the one before it stopped */
    taken_name *taken = find_taken(n, choice, true);
    unsigned long i = taken && taken->tried ? taken->tried : 1;
    while (n->made.status == LVL_OK && find_taken(n, made_text(n), true)) {
        i++;
        n->made.len = 0;
        lvl_buffer_add(&n->made, choice.ptr, stem);
        lvl_buffer_printf(&n->made, "~%lu", i);
        lvl_buffer_add(&n->made, choice.ptr + stem, choice.len - stem);
    }
    if (taken)
        taken->tried = i;
    return n->made.status;
}

/* Whether a pack's index cannot list a level, since it is JSON, and the name isn't UTF-8. */
static bool is_unlistable(const namer *n, lvl_text path)
{
    return n->m->doc->format->table == &lvl_levelpack_table && lvl_path_below(path, LVL_PACK_LEVELS).len &&
           !lvl_utf8_valid(path);
}

/* The finding for a file's name; LVL_SKETCHY_F_COUNT: none. */
static unsigned fault_of(const namer *n, lvl_text path)
{
    uint32_t layer;
    int32_t x, y;
    bool binary;

    if (lvl_sketchy_leads_out(path))
        return LVL_SKETCHY_F_NAME_OUT;
    if (is_unlistable(n, path))
        return LVL_SKETCHY_F_PACK_MISSING;
    const lvl_chunk_name kind =
        n->d ? lvl_sketchy_name_kind(path, n->d->layer_count, &layer, &x, &y, &binary) : LVL_NAME_OTHER;
    if (kind == LVL_NAME_ALIAS || kind == LVL_NAME_NO_CHUNK)
        return kind == LVL_NAME_ALIAS ? LVL_SKETCHY_F_CHUNK_ALIAS : LVL_SKETCHY_F_CHUNK_NAME;
    return find_taken(n, path, false) ? LVL_SKETCHY_F_ZIP_DOUBLE : LVL_SKETCHY_F_COUNT;
}

static lvl_status rename_file(namer *n, uint32_t index, unsigned why)
{
    lvl_sketchy_file *f = &(*n->m->parts.files.items)[index];
    const lvl_where where = lvl_where_to(lvl_where_root(), n->m->parts.files.field, index);
    char was[SHOWN], shown[SHOWN];

    clean(n, f->path, is_unlistable(n, f->path));
    lvl_status status = move_out_of_chunks(n, f);
    if (status == LVL_OK)
        status = make_unique(n);
    const lvl_text now = status == LVL_OK ? lvl_doc_text(n->m->doc, made_text(n)) : (lvl_text){NULL, 0};
    if (!now.ptr)
        return status == LVL_OK ? LVL_ERR_MEMORY : status;
    lvl_sketchy_report(n->m->repairs->log, why, &where, "\"%s\" renamed to \"%s\"",
                       lvl_text_show(was, SHOWN, LVL_CP_UTF8, f->path),
                       lvl_text_show(shown, SHOWN, LVL_CP_UTF8, now));
    f->path = now;
    n->m->changed = true;
    return take_name(n, now);
}

lvl_status lvl_repair_names(lvl_repairing *m)
{
    static const char *const documents[] = {"index.json", "level.json", "doodad.json"};
    const uint32_t count = *m->parts.files.count;
    namer n = {.m = m, .d = m->doc->format->table == &lvl_sketchy_table ? m->doc->root : NULL};
    unsigned *faults = malloc(((size_t)count + 1) * sizeof *faults);
    lvl_status status = faults ? LVL_OK : LVL_ERR_MEMORY;

    lvl_hash_init(&n.index);
    if (n.d && n.d->generation < LVL_SKETCHY_V3)
        n.d = NULL;
    for (size_t i = 0; i < LVL_COUNT_OF(documents) && status == LVL_OK; i++)
        status = take_name(&n, lvl_text_of(documents[i]));
    for (uint32_t i = 0; n.d && i < n.d->layer_count && status == LVL_OK; i++)
        status = take_chunks(&n, i);
    for (uint32_t i = count; i-- > 0 && status == LVL_OK;) { /* of duplicates the last one keeps the name */
        const lvl_text path = (*m->parts.files.items)[i].path;
        faults[i] = fault_of(&n, path);
        status = faults[i] == LVL_SKETCHY_F_COUNT ? take_name(&n, path) : LVL_OK;
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = faults[i] == LVL_SKETCHY_F_COUNT ? LVL_OK : rename_file(&n, i, faults[i]);
    free(faults);
    lvl_hash_free(&n.index);
    lvl_buffer_free(&n.taken);
    lvl_buffer_free(&n.made);
    return status;
}
