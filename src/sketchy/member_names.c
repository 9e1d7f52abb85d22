/*
 * sketchy/member_names.c: see member_names.h. The game reads members through Go's archive/zip and asks for
 * chunks by names that it makes itself; what it copies on saving it finds by the pattern
 * ^chunks/(\d+)/(.+?)\.(bin|json)$ and gives up where the middle isn't two numbers.
 */
#include "sketchy/member_names.h"

#include "base/hash.h"
#include "base/text.h"
#include "sketchy/chunk_codec.h"
#include "sketchy/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80, KEY = 32 };

static const char chunk_folder[] = "chunks/", stray_folder[] = "assets/strays/";

static const char *show(char *buf, lvl_text text)
{
    return lvl_text_show(buf, SHOWN, LVL_CP_UTF8, text);
}

bool lvl_sketchy_leads_out(lvl_text path)
{
    size_t from = 0;

    if (!path.len || path.ptr[0] == '/' || memchr(path.ptr, '\\', path.len) ||
        memchr(path.ptr, 0, path.len) || (path.len > 1 && path.ptr[1] == ':'))
        return true;
    for (size_t i = 0; i <= path.len; i++) {
        if (i < path.len && path.ptr[i] != '/')
            continue;
        if (i - from == 2 && path.ptr[from] == '.' && path.ptr[from + 1] == '.')
            return true;
        from = i + 1;
    }
    return false;
}

/* "chunks/07/", in any case: the number, and what follows. */
static bool take_layer(lvl_text path, uint32_t *layer, lvl_text *rest)
{
    size_t i = sizeof chunk_folder - 1;
    const size_t first = i;
    uint64_t n = 0;

    if (!lvl_text_begins_nocase(path, chunk_folder))
        return false;
    for (; i < path.len && path.ptr[i] >= '0' && path.ptr[i] <= '9'; i++)
        n = n < UINT32_MAX ? n * 10 + (uint64_t)(path.ptr[i] - '0') : n;
    if (i == first || i == path.len || path.ptr[i] != '/' || n >= UINT32_MAX)
        return false;
    *layer = (uint32_t)n;
    *rest = (lvl_text){path.ptr + i + 1, path.len - i - 1};
    return true;
}

bool lvl_sketchy_is_nameless_chunk(lvl_text path, uint32_t layers)
{
    static const char *const endings[] = {".bin", ".json"};
    uint32_t layer;
    lvl_text rest;
    int32_t x, y;

    if (!take_layer(path, &layer, &rest) || layer >= layers ||
        memcmp(path.ptr, chunk_folder, sizeof chunk_folder - 1))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const size_t n = strlen(endings[i]);
        if (rest.len > n && !memcmp(rest.ptr + rest.len - n, endings[i], n))
            return !lvl_sketchy_key((lvl_text){rest.ptr, rest.len - n}, &x, &y);
    }
    return false;
}

bool lvl_sketchy_is_alias(lvl_text path, uint32_t layers)
{
    uint32_t layer;
    lvl_text rest, key;
    bool binary;
    int32_t x, y;

    if (lvl_sketchy_chunk_name(path, &layer, &key, &binary) || !take_layer(path, &layer, &rest) ||
        layer >= layers)
        return false;
    const size_t n = lvl_text_has_ending(rest, ".bin")    ? 4
                     : lvl_text_has_ending(rest, ".json") ? 5
                                                          : rest.len;
    return rest.len > n && lvl_sketchy_key((lvl_text){rest.ptr, rest.len - n}, &x, &y);
}

lvl_text lvl_sketchy_plain_key(char *buf, int32_t x, int32_t y)
{
    const int n = snprintf(buf, KEY, "%ld,%ld", (long)x, (long)y);

    return (lvl_text){buf, n > 0 ? (size_t)n : 0};
}

/* ---- telling ----------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const lvl_sort_key *x = a, *y = b;
    const int d = lvl_text_compare_nocase(x->name, y->name);

    return d ? d : (x->index > y->index) - (x->index < y->index);
}

lvl_status lvl_sketchy_check_names(const lvl_sketchy_file *files, uint32_t count, const lvl_field *field,
                                   lvl_findings *findings)
{
    lvl_sort_key *list = malloc(((size_t)count + 1) * sizeof *list);
    char shown[SHOWN], other[SHOWN];

    if (!list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), field, i);
        const lvl_text path = files[i].path;
        list[i] = (lvl_sort_key){path, i};
        if (lvl_sketchy_leads_out(path))
            lvl_sketchy_report(findings, LVL_SKETCHY_F_NAME_OUT, &where, "\"%s\"", show(shown, path));
    }
    qsort(list, count, sizeof *list, by_name);
    for (uint32_t i = 1; i < count; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), field, list[i].index);
        if (lvl_text_equal_nocase(list[i].name, list[i - 1].name) &&
            !lvl_text_equal(list[i].name, list[i - 1].name))
            lvl_sketchy_report(findings, LVL_SKETCHY_F_NAME_CASE, &where, "\"%s\" and \"%s\"",
                               show(other, list[i - 1].name), show(shown, list[i].name));
    }
    free(list);
    return LVL_OK;
}

/* ---- better names ---------------------------------------------------------------------------------- */

typedef struct taken_name {
    lvl_text name;
    unsigned long tried; /* the last number that was put behind it to make another name; 0: none */
} taken_name;

typedef struct namer {
    lvl_repairing *m;
    const lvl_sketchy *d; /* NULL: a pack */
    lvl_file_list files;
    lvl_hash index;   /* of any case, into */
    lvl_buffer taken; /* taken_name: each once */
    lvl_arena *arena;
    lvl_buffer storage, other, made;
    uint8_t *grid;
} namer;

/* NULL: nobody has that name. */
static taken_name *find_taken(const namer *n, lvl_text name)
{
    const uint64_t hash = lvl_hash_nocase(&n->index.seed, name);

    for (lvl_hash_at at = lvl_hash_first(&n->index, hash); at.found; at = lvl_hash_next(&n->index, at)) {
        taken_name *t = (taken_name *)(void *)n->taken.data + at.index;
        if (lvl_text_equal_nocase(t->name, name))
            return t;
    }
    return NULL;
}

/* The name must live as long as the namer. */
static lvl_status take(namer *n, lvl_text name)
{
    const taken_name t = {name, 0};
    const uint32_t index = (uint32_t)(n->taken.len / sizeof t);

    if (!name.ptr || find_taken(n, name))
        return LVL_OK;
    lvl_buffer_add(&n->taken, &t, sizeof t);
    return n->taken.status == LVL_OK ? lvl_hash_add(&n->index, lvl_hash_nocase(&n->index.seed, name), index)
                                     : n->taken.status;
}

static uint32_t chunk_count(const lvl_sketchy *d)
{
    uint32_t n = 0;

    for (uint32_t i = 0; d && i < d->layer_count; i++)
        n += d->layers[i].chunk_count;
    return n;
}

static lvl_text keep(namer *n, lvl_text text)
{
    return (lvl_text){lvl_arena_copy(n->arena, text.ptr, text.len), text.len};
}

/* "chunks/0/1,2.bin", in `made`. */
static lvl_text chunk_path(namer *n, uint32_t layer, int32_t x, int32_t y, bool binary)
{
    char key[KEY];
    const lvl_text plain = lvl_sketchy_plain_key(key, x, y);

    n->made.len = 0;
    lvl_buffer_printf(&n->made, "chunks/%lu/%.*s.%s", (unsigned long)layer, (int)plain.len, plain.ptr,
                      binary ? "bin" : "json");
    return (lvl_text){(const char *)n->made.data, n->made.len};
}

/* A chunk's place is taken in both forms that it might have. */
static lvl_status take_chunk(namer *n, uint32_t layer, int32_t x, int32_t y)
{
    lvl_status status = LVL_OK;

    for (int binary = 0; binary < 2 && status == LVL_OK; binary++) {
        const lvl_text path = chunk_path(n, layer, x, y, binary);
        if (n->made.status != LVL_OK || find_taken(n, path))
            continue;
        const lvl_text kept = keep(n, path);
        status = kept.ptr ? take(n, kept) : LVL_ERR_MEMORY;
    }
    return status == LVL_OK ? n->made.status : status;
}

static lvl_text document_of(const namer *n)
{
    return lvl_text_of(n->d ? lvl_sketchy_document_name(n->d->kind) : "index.json");
}

static lvl_status note_taken(namer *n)
{
    lvl_status status = take(n, document_of(n));

    for (uint8_t kind = 0; !n->d && kind < 2 && status == LVL_OK;
         kind++) /* such a pack would look like a drawing */
        status =
            take(n, lvl_text_of(lvl_sketchy_document_name(kind ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL)));
    for (uint32_t i = 0; n->d && i < n->d->layer_count; i++) {
        const lvl_sketchy_layer *layer = &n->d->layers[i];
        for (uint32_t k = 0; k < layer->chunk_count && status == LVL_OK; k++)
            status = take_chunk(n, i, layer->chunks[k].x, layer->chunks[k].y);
    }
    for (uint32_t i = 0; i < *n->files.count && status == LVL_OK; i++)
        status = take(n, (*n->files.items)[i].path);
    return status;
}

/* The path without all that leads out: what is left of its parts, never nothing; in `made`. */
static void clean(namer *n, lvl_text path)
{
    size_t from = 0;

    n->made.len = 0;
    if (path.len > 1 && path.ptr[1] == ':')
        from = 2;
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
            lvl_buffer_u8(&n->made, c < 0x20 || c == 0x7F || (c == ':' && k == 1) ? '_' : c);
        }
    }
    if (!n->made.len)
        lvl_buffer_str(&n->made, "unnamed");
    if (path.len && (path.ptr[path.len - 1] == '/' || path.ptr[path.len - 1] == '\\'))
        lvl_buffer_u8(&n->made, '/');
}

/* Which chunk a stream is, going by what it holds: lists say where their px are. False: more than one, or
 * nothing says. */
static bool find_square(const namer *n, lvl_bytes stream, uint32_t size, int32_t *x, int32_t *y)
{
    const lvl_chunk_place nowhere = {INT32_MIN, INT32_MIN, 1};
    const int encoding = lvl_chunk_encoding(stream);
    lvl_chunk_report r;

    if (encoding < 0 || encoding == LVL_SKETCHY_CHUNK_RUNS || !size || size > LVL_SKETCHY_CHUNK_SIZE_MAX ||
        lvl_chunk_decode((unsigned)encoding, stream, &nowhere, n->grid, &r) != LVL_OK || r.left > r.right ||
        r.partial || r.broken)
        return false;
    const int64_t left = r.left / size - (r.left % size < 0), top = r.top / size - (r.top % size < 0);
    if (left != r.right / size - (r.right % size < 0) || top != r.bottom / size - (r.bottom % size < 0) ||
        left < INT32_MIN || left > INT32_MAX || top < INT32_MIN || top > INT32_MAX)
        return false;
    *x = (int32_t)left;
    *y = (int32_t)top;
    return true;
}

/* Whether a chunk can be read as what its ending says. */
static bool is_chunk(const namer *n, lvl_bytes stream, bool binary, const lvl_chunk_place *place)
{
    const int encoding = lvl_chunk_encoding(stream);
    lvl_chunk_report r;

    return encoding >= 0 && binary == (encoding >= LVL_SKETCHY_CHUNK_MAP) && place->size &&
           place->size <= LVL_SKETCHY_CHUNK_SIZE_MAX &&
           lvl_chunk_decode((unsigned)encoding, stream, place, n->grid, &r) == LVL_OK && r.pixels &&
           !r.outside && r.total <= (uint64_t)place->size * place->size;
}

/* The chunk that a member under a name which isn't quite a chunk's is, if its place is free; its path is in
 * `made` then. */
static lvl_status as_chunk(namer *n, lvl_text path, const lvl_sketchy_file *file, bool *found)
{
    const lvl_source *source = lvl_sketchy_source(n->m->doc, file->source);
    const bool json = lvl_text_has_ending(path, ".json"), binary = lvl_text_has_ending(path, ".bin");
    lvl_bytes bytes = file->data;
    bool sound = true;
    uint32_t layer;
    lvl_text rest;

    *found = false;
    if (!n->d || n->d->generation < LVL_SKETCHY_V3 || !take_layer(path, &layer, &rest) ||
        layer >= n->d->layer_count || !(json || binary) || (!source && !bytes.ptr))
        return LVL_OK;
    lvl_status status = LVL_OK;
    if (source && !file->data.ptr)
        status = lvl_sketchy_source_bytes(n->m->doc, source, &n->storage, &bytes, &sound);
    if (status != LVL_OK || !sound)
        return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
    const lvl_text key = {rest.ptr, rest.len - (binary ? 4 : 5)};
    lvl_chunk_place place = {0, 0, n->d->layers[layer].size};
    const bool keyed = lvl_sketchy_key(key, &place.x, &place.y);
    if (keyed ? !is_chunk(n, bytes, binary, &place)
              : !find_square(n, bytes, place.size, &place.x, &place.y) || !is_chunk(n, bytes, binary, &place))
        return LVL_OK;
    const lvl_text better = chunk_path(n, layer, place.x, place.y, binary);
    if (n->made.status != LVL_OK)
        return n->made.status;
    const taken_name *taken = find_taken(n, better); /* by itself, perhaps, in another case */
    *found = !taken || taken->name.ptr == file->path.ptr;
    return LVL_OK;
}

/* Makes what is in `made` a name that nobody has: "large~2.png". */
static lvl_status make_unique(namer *n)
{
    const lvl_text choice = keep(n, (lvl_text){(const char *)n->made.data, n->made.len});
    size_t stem = choice.len;

    if (n->made.status != LVL_OK)
        return n->made.status;
    if (!choice.ptr)
        return LVL_ERR_MEMORY;
    while (stem && choice.ptr[stem - 1] != '.' && choice.ptr[stem - 1] != '/')
        stem--;
    stem = stem > 1 && choice.ptr[stem - 1] == '.' && choice.ptr[stem - 2] != '/' ? stem - 1 : choice.len;
    if (stem == choice.len && stem && choice.ptr[stem - 1] == '/')
        stem--;
    /* where many want one name, each goes on where the one before it ended */
    taken_name *taken = find_taken(n, choice);
    unsigned long i = taken && taken->tried ? taken->tried : 1;
    while (find_taken(n, (lvl_text){(const char *)n->made.data, n->made.len})) {
        i++;
        n->made.len = 0;
        lvl_buffer_add(&n->made, choice.ptr, stem);
        lvl_buffer_printf(&n->made, "~%lu", i);
        lvl_buffer_add(&n->made, choice.ptr + stem, choice.len - stem);
        if (n->made.status != LVL_OK)
            return n->made.status;
    }
    if (taken)
        taken->tried = i;
    return LVL_OK;
}

/* Gives the file the name that is in `made`. */
static lvl_status rename_file(namer *n, uint32_t index, unsigned why)
{
    lvl_sketchy_file *f = &(*n->files.items)[index];
    const lvl_where where = lvl_where_to(lvl_where_root(), n->files.field, index);
    const lvl_text now = lvl_doc_text(n->m->doc, (lvl_text){(const char *)n->made.data, n->made.len});
    char was[SHOWN], shown[SHOWN];

    if (n->made.status != LVL_OK || !now.ptr)
        return LVL_ERR_MEMORY;
    lvl_sketchy_report(n->m->repairs->log, why, &where, "\"%s\" renamed to \"%s\"", show(was, f->path),
                       show(shown, now));
    f->path = now;
    n->m->changed = true;
    const lvl_status status = take(n, now);
    uint32_t layer;
    lvl_text key;
    bool binary;
    int32_t x, y;
    if (status == LVL_OK && n->d && lvl_sketchy_chunk_name(now, &layer, &key, &binary) &&
        lvl_sketchy_key(key, &x, &y))
        return take_chunk(n, layer, x, y);
    return status;
}

static lvl_status repair_name(namer *n, uint32_t index)
{
    const lvl_sketchy_file *f = &(*n->files.items)[index];
    const bool out = lvl_sketchy_leads_out(f->path);
    uint32_t layer;
    lvl_text rest;
    bool chunk;

    if (!out && (!n->d || n->d->generation < LVL_SKETCHY_V3 || !take_layer(f->path, &layer, &rest)))
        return LVL_OK;
    clean(n, f->path);
    if (n->made.status != LVL_OK)
        return LVL_ERR_MEMORY;
    const lvl_text path = keep(n, (lvl_text){(const char *)n->made.data, n->made.len});
    if (!path.ptr)
        return LVL_ERR_MEMORY;
    lvl_text key;
    bool binary;
    if (!out && lvl_sketchy_chunk_name(path, &layer, &key, &binary))
        return LVL_OK; /* another form of a chunk, or one of a layer that isn't there */
    lvl_status status = as_chunk(n, path, f, &chunk);
    if (status != LVL_OK)
        return status;
    if (!chunk && !out && !lvl_sketchy_is_nameless_chunk(path, n->d->layer_count))
        return LVL_OK; /* the game doesn't look at it */
    if (!chunk) {
        const bool among =
            n->d && n->d->generation >= LVL_SKETCHY_V3 && lvl_text_begins_nocase(path, chunk_folder);
        n->made.len = 0;
        if (among)
            lvl_buffer_str(&n->made, stray_folder);
        lvl_buffer_add(&n->made, path.ptr + (among ? sizeof chunk_folder - 1 : 0),
                       path.len - (among ? sizeof chunk_folder - 1 : 0));
        status = make_unique(n);
    }
    return status == LVL_OK ? rename_file(n, index, out ? LVL_SKETCHY_F_NAME_OUT : LVL_SKETCHY_F_CHUNK_NAME)
                            : status;
}

/* A name that the written archive shall have. */
typedef struct owner {
    lvl_text name;
    const lvl_source *source; /* of a chunk; NULL for files and the document */
    uint32_t file;            /* UINT32_MAX: the document or a chunk, which go before files */
} owner;

static int by_owner(const void *a, const void *b)
{
    const owner *x = a, *y = b;
    const int d = lvl_text_compare(x->name, y->name);

    return d ? d : (x->file > y->file) - (x->file < y->file);
}

/* What it holds; nothing if that can't be read. */
static lvl_status content_of(const namer *n, const owner *o, lvl_buffer *storage, lvl_bytes *out)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    lvl_status status = LVL_OK;

    *out = (lvl_bytes){NULL, 0};
    if (o->source)
        status = lvl_sketchy_source_bytes(n->m->doc, o->source, storage, out, NULL);
    else if (o->file != UINT32_MAX)
        status = lvl_doc_bytes(n->m->doc, &(*n->files.items)[o->file], data, storage, out);
    if (status != LVL_OK)
        *out = (lvl_bytes){NULL, 0};
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

/* A file whose name something else has that goes before it: marked if it holds the same or nothing, else
 * renamed. */
static lvl_status part_doubles(namer *n, const owner *a, const owner *b, uint8_t *drop)
{
    lvl_bytes own, others;

    lvl_status status = content_of(n, a, &n->storage, &own);
    if (status == LVL_OK)
        status = content_of(n, b, &n->other, &others);
    if (status != LVL_OK)
        return status;
    if (!own.len || (own.len == others.len && !memcmp(own.ptr, others.ptr, own.len))) {
        drop[a->file] = 1;
        n->m->changed = true;
        return LVL_OK;
    }
    clean(n, a->name);
    const bool chunk = n->made.status == LVL_OK && b->source;
    if (chunk) {
        n->made.len = 0;
        lvl_buffer_str(&n->made, stray_folder);
        lvl_buffer_add(&n->made, a->name.ptr + sizeof chunk_folder - 1,
                       a->name.len - (sizeof chunk_folder - 1));
    }
    status = make_unique(n);
    return status == LVL_OK ? rename_file(n, a->file, LVL_SKETCHY_F_ZIP_DOUBLE) : status;
}

static lvl_status repair_doubles(namer *n, uint8_t *drop)
{
    const uint32_t files = *n->files.count;
    owner *list = malloc(((size_t)files + chunk_count(n->d) + 1) * sizeof *list);
    lvl_status status = LVL_OK;
    uint32_t count = 0;

    if (!list)
        return LVL_ERR_MEMORY;
    list[count++] = (owner){document_of(n), NULL, UINT32_MAX};
    for (uint32_t i = 0; n->d && i < n->d->layer_count; i++) {
        for (uint32_t k = 0; k < n->d->layers[i].chunk_count; k++) {
            const lvl_source *s = lvl_sketchy_source(n->m->doc, n->d->layers[i].chunks[k].source);
            if (s && s->kind == LVL_SOURCE_MEMBER)
                list[count++] = (owner){s->member.name, s, UINT32_MAX};
        }
    }
    for (uint32_t i = 0; i < files; i++)
        list[count++] = (owner){(*n->files.items)[i].path, NULL, i};
    qsort(list, count, sizeof *list, by_owner);
    for (uint32_t i = 0; i + 1 < count && status == LVL_OK; i++) {
        if (list[i].file != UINT32_MAX && lvl_text_equal(list[i].name, list[i + 1].name))
            status = part_doubles(n, &list[i], &list[i + 1], drop);
    }
    free(list);
    return status;
}

/* Chunks that the game doesn't find under the name that they have. */
static lvl_status repair_keys(namer *n)
{
    lvl_sketchy *d = n->m->doc->root;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            const lvl_source *s = lvl_sketchy_source(n->m->doc, c->source);
            const lvl_where where = lvl_sketchy_chunk_at(i, k);
            char key[KEY], shown[SHOWN];
            const lvl_text plain = lvl_sketchy_plain_key(key, c->x, c->y);
            if (!s || s->kind != LVL_SOURCE_MEMBER || lvl_text_equal(c->key, plain))
                continue;
            lvl_sketchy_report(n->m->repairs->log, LVL_SKETCHY_F_CHUNK_ALIAS, &where,
                               "\"%s\" renamed to \"%s\"", show(shown, c->key), key);
            c->key = lvl_doc_text(n->m->doc, plain);
            if (!c->key.ptr)
                return LVL_ERR_MEMORY;
            n->m->changed = true;
        }
    }
    return LVL_OK;
}

lvl_status lvl_repair_names(lvl_repairing *m)
{
    const bool drawing = m->doc->format->table == &lvl_sketchy_table;
    lvl_arena arena;
    namer n = {.m = m, .d = drawing ? m->doc->root : NULL, .files = m->parts.files, .arena = &arena};

    lvl_arena_init(&arena, m->doc->ctx);
    lvl_hash_init(&n.index);
    n.grid = malloc((size_t)LVL_SKETCHY_CHUNK_SIZE_MAX * LVL_SKETCHY_CHUNK_SIZE_MAX * 2);
    lvl_status status = n.grid ? note_taken(&n) : LVL_ERR_MEMORY;
    if (status == LVL_OK && drawing && n.d->generation >= LVL_SKETCHY_V3)
        status = repair_keys(&n);
    const uint32_t count = *n.files.count;
    uint8_t *drop = calloc((size_t)count + 1, 1);
    if (!drop)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && m->found[LVL_SKETCHY_F_ZIP_DOUBLE])
        status = repair_doubles(&n, drop);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = drop[i] ? LVL_OK : repair_name(&n, i);
    if (status == LVL_OK && memchr(drop, 1, count))
        status = lvl_list_drop(m->doc, m->doc->root, m->parts.files.field, drop);
    free(drop);
    lvl_hash_free(&n.index);
    lvl_buffer_free(&n.taken);
    free(n.grid);
    lvl_buffer_free(&n.storage);
    lvl_buffer_free(&n.other);
    lvl_buffer_free(&n.made);
    lvl_arena_free(&arena);
    return status;
}
