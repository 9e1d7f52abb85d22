/*
 * sketchy/repair/names.c: see sketchy/repair/names.h. Names that differ only in case count as one, since the
 * archive may be unpacked on a disk that ignores case. Steps:
 *
 *   1. The document's name is taken, and each chunk takes the name that the game looks for.
 *   2. Files with a name that may stay take it; of several with one name, the last one.
 *   3. Each other file gets a safe name, away from the folder of chunks unless it is a chunk, with a number
 *      if it is taken: "large~2.png".
 */
#include "sketchy/repair/names.h"

#include "base/hash.h"
#include "base/text.h"
#include "sketchy/chunks/codec.h"
#include "sketchy/zip/members.h"
#include "sketchy/model/member_names.h"

#include <stdlib.h>

enum { SHOWN = 80 };

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

/* ---- names that are taken ---------------------------------------------------------------------------- */

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

/* Takes the made name; *name gets its copy in the document's memory. */
static lvl_status take_made(namer *n, lvl_text *name)
{
    if (n->made.status != LVL_OK)
        return n->made.status;
    const lvl_text copy = lvl_doc_text(n->m->doc, made_text(n));
    const lvl_status status = take_name(n, copy);
    if (status == LVL_OK)
        *name = copy;
    return status;
}

static lvl_status take_documents(namer *n)
{
    static const char *const names[] = {"index.json", "level.json", "doodad.json"};
    lvl_status status = LVL_OK;

    for (size_t i = 0; i < LVL_COUNT_OF(names) && status == LVL_OK; i++)
        status = take_name(n, lvl_text_of(names[i]));
    return status;
}

/* ---- chunks ------------------------------------------------------------------------------------------ */

/* Makes "chunks/0/1,2.bin". */
static void make_chunk_path(namer *n, uint32_t layer, int32_t x, int32_t y, bool binary)
{
    char key[32];

    n->made.len = 0;
    lvl_sketchy_put_chunk_name(&n->made, layer, lvl_sketchy_plain_key(key, x, y), binary);
}

/* Takes the name of a chunk; a key that the game spells differently is changed to its spelling. */
static lvl_status take_chunk(namer *n, uint32_t layer, uint32_t index)
{
    lvl_sketchy_chunk *c = &n->d->layers[layer].chunks[index];
    const lvl_source *s = lvl_sketchy_source(n->m->doc, c->source);
    const lvl_where where = lvl_sketchy_chunk_at(layer, index);
    char key[32], shown[SHOWN];
    lvl_text path;

    if (!s || s->kind != LVL_SOURCE_MEMBER)
        return LVL_OK;
    const lvl_status status = take_name(n, s->member.name);
    if (status != LVL_OK || lvl_text_equal(c->key, lvl_sketchy_plain_key(key, c->x, c->y)))
        return status;
    lvl_sketchy_report(n->m->repairs->log, LVL_SKETCHY_F_CHUNK_ALIAS, &where, "\"%s\" renamed to \"%s\"",
                       lvl_text_show(shown, SHOWN, LVL_CP_UTF8, c->key), key);
    n->m->changed = true;
    c->key = lvl_doc_text(n->m->doc, lvl_text_of(key));
    if (!c->key.ptr)
        return LVL_ERR_MEMORY;
    make_chunk_path(n, layer, c->x, c->y, c->encoding >= LVL_SKETCHY_CHUNK_MAP);
    return take_made(n, &path);
}

static lvl_status take_chunks(namer *n)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; n->d && i < n->d->layer_count; i++) {
        for (uint32_t k = 0; k < n->d->layers[i].chunk_count && status == LVL_OK; k++)
            status = take_chunk(n, i, k);
    }
    return status;
}

/* ---- names that must change -------------------------------------------------------------------------- */

/* Whether a pack's index cannot list a level, since it is JSON, and the name isn't UTF-8. */
static bool is_unlistable(const namer *n, lvl_text path)
{
    return n->m->doc->format->table == &lvl_levelpack_table && lvl_path_below(path, LVL_PACK_LEVELS).len &&
           !lvl_utf8_valid(path);
}

/* The finding for a file's name; LVL_SKETCHY_F_COUNT: it may stay. */
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

/* ---- new names --------------------------------------------------------------------------------------- */

/* Appends a part of a path. `ascii`: with '_' for each byte that isn't ASCII. */
static void add_part(namer *n, lvl_text part, bool ascii)
{
    if (!part.len || lvl_text_is(part, ".") || lvl_text_is(part, ".."))
        return;
    if (n->made.len)
        lvl_buffer_u8(&n->made, '/');
    for (size_t i = 0; i < part.len; i++) {
        const uint8_t c = (uint8_t)part.ptr[i];
        const bool bad = c < 0x20 || c == 0x7F || (c == ':' && i == 1) || (ascii && c >= 0x80);
        lvl_buffer_u8(&n->made, bad ? '_' : c);
    }
}

/* Makes a safe path: without a drive and "..", "." and empty parts, or "unnamed". */
static void make_safe(namer *n, lvl_text path, bool ascii)
{
    size_t from = path.len > 1 && path.ptr[1] == ':' ? 2 : 0;

    n->made.len = 0;
    for (size_t i = from; path.len && i <= path.len; i++) {
        if (i < path.len && path.ptr[i] != '/' && path.ptr[i] != '\\')
            continue;
        add_part(n, (lvl_text){path.ptr + from, i - from}, ascii);
        from = i + 1;
    }
    if (!n->made.len)
        lvl_buffer_str(&n->made, "unnamed");
}

/* *out: whether a file is a sound chunk for that position. */
static lvl_status is_chunk(const namer *n, const lvl_sketchy_file *file, const lvl_chunk_place *place,
                           bool binary, bool *out)
{
    const uint64_t cells = (uint64_t)place->size * place->size;
    lvl_buffer storage = {0};
    lvl_chunk_report r;
    lvl_bytes bytes;

    *out = false;
    if (!place->size || place->size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return LVL_OK;
    uint8_t *grid = malloc((size_t)cells * 2);
    lvl_status status = grid ? lvl_sketchy_file_data(n->m->doc, file, &storage, &bytes) : LVL_ERR_MEMORY;
    const int encoding = status == LVL_OK ? lvl_chunk_encoding(bytes) : -1;
    if (encoding >= 0 && binary != lvl_chunk_is_text((unsigned)encoding)) {
        status = lvl_chunk_decode((unsigned)encoding, bytes, place, grid, &r);
        *out = status == LVL_OK && r.pixels && !r.outside && r.total <= cells;
    }
    free(grid);
    lvl_buffer_free(&storage);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

/* Whether nothing but the file itself, perhaps in another case, has the made name. */
static bool is_free(const namer *n, const lvl_sketchy_file *file)
{
    const taken_name *taken = find_taken(n, made_text(n), true);

    return !taken || taken->name.ptr == file->path.ptr;
}

/* If `path` is a chunk's name, the file is that chunk, and no other one exists: makes the chunk's name, and
 * sets *made. */
static lvl_status make_chunk_name(namer *n, const lvl_sketchy_file *file, lvl_text path, bool *made)
{
    uint32_t layer;
    int32_t x, y;
    bool binary, chunk;

    *made = false;
    const lvl_chunk_name kind = lvl_sketchy_name_kind(path, n->d->layer_count, &layer, &x, &y, &binary);
    if (kind != LVL_NAME_CHUNK && kind != LVL_NAME_ALIAS)
        return LVL_OK;
    const lvl_chunk_place place = {x, y, n->d->layers[layer].size};
    const lvl_status status = is_chunk(n, file, &place, binary, &chunk);
    if (status != LVL_OK || !chunk)
        return status;
    make_chunk_path(n, layer, x, y, !binary);
    *made = is_free(n, file);
    make_chunk_path(n, layer, x, y, binary);
    *made = *made && is_free(n, file);
    return n->made.status;
}

/* A made name in the folder of chunks becomes the chunk's name, or one in the folder of recovered files. */
static lvl_status move_out_of_chunks(namer *n, const lvl_sketchy_file *file)
{
    const size_t folder = sizeof LVL_CHUNK_FOLDER - 1;
    bool chunk;

    if (!n->d || !lvl_text_begins_nocase(made_text(n), LVL_CHUNK_FOLDER))
        return LVL_OK;
    const lvl_text path = lvl_doc_text(n->m->doc, made_text(n));
    if (!path.ptr)
        return LVL_ERR_MEMORY;
    const lvl_status status = make_chunk_name(n, file, path, &chunk);
    if (status != LVL_OK || chunk)
        return status;
    n->made.len = 0;
    lvl_buffer_str(&n->made, LVL_RECOVERED_FOLDER);
    lvl_buffer_add(&n->made, path.ptr + folder, path.len - folder);
    return n->made.status;
}

/* Where the extension of a path begins, or its end. */
static size_t stem_of(lvl_text path)
{
    size_t at = path.len;

    while (at && path.ptr[at - 1] != '.' && path.ptr[at - 1] != '/')
        at--;
    return at > 1 && path.ptr[at - 1] == '.' && path.ptr[at - 2] != '/' ? at - 1 : path.len;
}

/* Changes the made name to an unused one: "large~2.png". If many have one name, each continues counting where
 * the one before it stopped. */
static lvl_status make_unique(namer *n)
{
    taken_name *taken = n->made.status == LVL_OK ? find_taken(n, made_text(n), true) : NULL;
    unsigned long number = taken && taken->tried ? taken->tried : 1;

    if (!taken)
        return n->made.status;
    const lvl_text choice = lvl_doc_text(n->m->doc, made_text(n));
    if (!choice.ptr)
        return LVL_ERR_MEMORY;
    const size_t stem = stem_of(choice);
    while (n->made.status == LVL_OK && find_taken(n, made_text(n), true)) {
        n->made.len = 0;
        lvl_buffer_add(&n->made, choice.ptr, stem);
        lvl_buffer_printf(&n->made, "~%lu", ++number);
        lvl_buffer_add(&n->made, choice.ptr + stem, choice.len - stem);
    }
    taken->tried = number;
    return n->made.status;
}

static lvl_status rename_file(namer *n, uint32_t index, unsigned why)
{
    lvl_sketchy_file *f = &(*n->m->parts.files.items)[index];
    const lvl_where where = lvl_where_to(lvl_where_root(), n->m->parts.files.field, index);
    const lvl_text old = f->path;
    char was[SHOWN], now[SHOWN];

    make_safe(n, old, is_unlistable(n, old));
    lvl_status status = move_out_of_chunks(n, f);
    if (status == LVL_OK)
        status = make_unique(n);
    if (status == LVL_OK)
        status = take_made(n, &f->path);
    if (status != LVL_OK)
        return status;
    lvl_sketchy_report(n->m->repairs->log, why, &where, "\"%s\" renamed to \"%s\"",
                       lvl_text_show(was, SHOWN, LVL_CP_UTF8, old),
                       lvl_text_show(now, SHOWN, LVL_CP_UTF8, f->path));
    n->m->changed = true;
    return LVL_OK;
}

/* ---- all files --------------------------------------------------------------------------------------- */

/* Steps 2 and 3. */
static lvl_status rename_files(namer *n)
{
    const uint32_t count = *n->m->parts.files.count;
    unsigned *faults = malloc(((size_t)count + 1) * sizeof *faults);
    lvl_status status = faults ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t i = count; i-- > 0 && status == LVL_OK;) {
        const lvl_text path = (*n->m->parts.files.items)[i].path;
        faults[i] = fault_of(n, path);
        status = faults[i] == LVL_SKETCHY_F_COUNT ? take_name(n, path) : LVL_OK;
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++)
        status = faults[i] == LVL_SKETCHY_F_COUNT ? LVL_OK : rename_file(n, i, faults[i]);
    free(faults);
    return status;
}

lvl_status lvl_repair_names(lvl_repairing *m)
{
    const bool drawing = m->doc->format->table == &lvl_sketchy_table;
    namer n = {.m = m, .d = drawing ? m->doc->root : NULL};

    if (n.d && n.d->generation < LVL_SKETCHY_V3)
        n.d = NULL;
    lvl_hash_init(&n.index);
    lvl_status status = take_documents(&n);
    if (status == LVL_OK)
        status = take_chunks(&n);
    if (status == LVL_OK)
        status = rename_files(&n);
    lvl_hash_free(&n.index);
    lvl_buffer_free(&n.taken);
    lvl_buffer_free(&n.made);
    return status;
}
