/*
 * sketchy/text/json_read.c: reads the game's JSON into records, by the tables (shape.h). Of chunks and
 * attached files only the source is recorded: they are decoded when needed.
 */
#include "sketchy/text/pieces.h"

#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"
#include "codec/tokens.h"
#include "sketchy/chunks/codec.h"
#include "sketchy/model/findings.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    lvl_json_reading *r;
    const lvl_shapes *root;
    lvl_tokens t;
    lvl_json_notes notes;
    size_t reported; /* all spans up to here were emitted */
    uint32_t
        earlier; /* around the place: values whose keys occur again, and which the record does not have */
    lvl_status status;
} reader;

/* A record being filled. */
typedef struct target {
    uint8_t *base;
    const lvl_table *table;
    lvl_where where;
    const lvl_field *label; /* a map's key is the item's name, even if the item has another one; or NULL */
    lvl_text name;
} target;

static void read_object(reader *r, const lvl_shapes *shapes, const target *to);

/* ---- spans and findings -------------------------------------------------------------------------------- */

static void emit(reader *r, size_t from, size_t to, lvl_span_role role, const lvl_where *where,
                 const lvl_field *field)
{
    if (from < to && !r->earlier)
        lvl_emit_span(r->r->sink, r->r->base + from, to - from,
                      (lvl_span){.space = r->r->space,
                                 .role = role,
                                 .where = *where,
                                 .field = field,
                                 .note = field ? NULL : "JSON"});
}

/* Emits the span of a field's value, after the container bytes in front of it. */
static void emit_value(reader *r, size_t from, size_t to, const target *at, const lvl_field *field)
{
    if (!r->r->sink || !field || r->earlier)
        return;
    const lvl_where where = lvl_where_to(at->where, field, LVL_NO_INDEX);
    emit(r, r->reported, from, LVL_SPAN_CONTAINER, &at->where, NULL);
    emit(r, from, to, LVL_SPAN_FIELD, &where, field);
    r->reported = to;
}

static lvl_position position(const reader *r, size_t from, size_t to)
{
    return (lvl_position){r->r->space, (r->r->base + from) * 8, (uint64_t)(to - from) * 8, r->r->outer, true};
}

static void find(reader *r, unsigned id, const lvl_where *where, size_t from, size_t to, const char *what,
                 lvl_text name)
{
    char shown[80];
    const lvl_position pos = position(r, from, to);

    lvl_findings_add(r->r->findings, &lvl_sketchy_findings[id], where, &pos, "%s%s%s", what,
                     name.len ? ": " : "", lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, name));
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void *copy(reader *r, const void *data, size_t size)
{
    void *p = lvl_arena_copy(&r->r->doc->arena, data, size);

    if (!p && r->status == LVL_OK)
        r->status = LVL_ERR_MEMORY;
    return p;
}

/* A string's text: a view where it has no escapes. */
static lvl_text plain_text(reader *r, const lvl_token *token)
{
    lvl_buffer plain = {0};

    if (!token->escaped)
        return token->text;
    lvl_token_unescape(&plain, token->text);
    lvl_text text = {NULL, 0};
    if (plain.status != LVL_OK && r->status == LVL_OK)
        r->status = plain.status;
    else if (plain.len)
        text = (lvl_text){copy(r, plain.data, plain.len), plain.len};
    lvl_buffer_free(&plain);
    return text;
}

static bool take_point(lvl_text text, lvl_sketchy_point *out)
{
    const char *comma = text.ptr ? memchr(text.ptr, ',', text.len) : NULL;
    int64_t v[2];

    if (!comma)
        return false;
    const lvl_text halves[2] = {{text.ptr, (size_t)(comma - text.ptr)},
                                {comma + 1, text.len - (size_t)(comma - text.ptr) - 1}};
    for (int i = 0; i < 2; i++) {
        lvl_token number = {LVL_TOKEN_NUMBER, halves[i], false, 0};
        if (number.text.len > 1 && number.text.ptr[0] == '+') { /* Go's Atoi takes it */
            number.text.ptr++;
            number.text.len--;
        }
        if (!lvl_token_int(&number, &v[i]))
            return false;
    }
    out->x = v[0];
    out->y = v[1];
    return true;
}

static bool take_type(lvl_text text, uint8_t *record, const lvl_field *field)
{
    for (const lvl_name *n = field->names; n->name; n++) {
        if (lvl_text_is(text, n->name)) {
            lvl_put_int(record, field, n->value);
            return true;
        }
    }
    return false;
}

/* Stores a scalar in its member; false: it is of the wrong kind. */
static bool take_scalar(reader *r, const lvl_shape *s, const lvl_token *token, uint8_t *record)
{
    const lvl_field *field = s->field;
    const bool is_string = token->kind == LVL_TOKEN_STRING;
    int64_t number;

    if (!lvl_shape_accepts(s, token))
        return false;
    switch (s->kind) {
    case LVL_SHAPE_INT:
        lvl_token_int(token, &number);
        lvl_put_int(record, field, number);
        return true;
    case LVL_SHAPE_BOOL: lvl_put_int(record, field, token->kind == LVL_TOKEN_TRUE); return true;
    case LVL_SHAPE_XY: return is_string && take_point(plain_text(r, token), (void *)(record + field->offset));
    case LVL_SHAPE_OPTION_TYPE: return take_type(plain_text(r, token), record, field);
    default: {
        const lvl_text text = is_string ? plain_text(r, token) : token->text;
        memcpy(record + field->offset, &text, sizeof text);
        return true;
    }
    }
}

/* ---- lists ------------------------------------------------------------------------------------------- */

/* Items of a list that is being read; they move into the document's memory at its end. */
typedef struct gather {
    lvl_buffer items;
    size_t size;
    uint32_t count;
} gather;

/* Sets what an item has in the game if its text does not have it. */
static void inherit(const reader *r, const lvl_shapes *shapes, uint8_t *item, uint32_t index)
{
    for (uint32_t i = 0; i < shapes->count; i++) {
        if (lvl_shape_absent(&shapes->list[i], r->r->inherits, index))
            lvl_put_int(item, shapes->list[i].field, 1);
    }
}

static uint8_t *next_item(reader *r, gather *g, const lvl_table *table)
{
    const uint64_t most = lvl_limits_of(r->r->doc->ctx).items;

    if (r->status != LVL_OK)
        return NULL;
    if (g->count >= most) {
        r->status = lvl_refuse(r->r->doc->ctx, LVL_LIMIT_ITEMS, most, (uint64_t)g->count + 1);
        return NULL;
    }
    g->items.max = lvl_memory_share(r->r->doc->ctx);
    lvl_buffer_fill(&g->items, 0, g->size);
    if (g->items.status != LVL_OK) {
        r->status = lvl_buffer_outcome(r->r->doc->ctx, &g->items);
        return NULL;
    }
    uint8_t *item = g->items.data + g->items.len - g->size;
    if (table)
        lvl_record_init(item, table);
    if (table == &lvl_sketchy_layer_table && r->r->recovered)
        ((lvl_sketchy_layer *)(void *)item)->size = 0;
    g->count++;
    return item;
}

static void put_items(reader *r, gather *g, const lvl_field *list, uint8_t *base)
{
    void *items = g->count ? copy(r, g->items.data, g->items.len) : NULL;
    const uint32_t count = items ? g->count : 0;

    memcpy(base + list->offset, &items, sizeof items);
    memcpy(base + list->count_offset, &count, sizeof count);
    lvl_buffer_free(&g->items);
}

static void add_source(reader *r, const lvl_source *source, uint32_t *out)
{
    *out = lvl_sketchy_add_source(r->r->doc, source);
    if (!*out && r->status == LVL_OK)
        r->status = LVL_ERR_MEMORY;
}

/* Skips one chunk and records its source. */
static void read_chunk(reader *r, const lvl_token *key, const lvl_token *value, const target *at)
{
    lvl_sketchy_chunk *chunk = (void *)at->base;
    lvl_text text = lvl_tokens_skip(&r->t, value);
    /* the document ends inside of it: the part that exists counts */
    const bool cut = !text.ptr && value->kind == LVL_TOKEN_OBJECT;
    if (cut)
        text = (lvl_text){r->t.start + value->at, (size_t)(r->t.end - r->t.start) - value->at};
    lvl_source source = {.kind = LVL_SOURCE_JSON, .text = text};

    if (!lvl_sketchy_key(chunk->key, &chunk->x, &chunk->y))
        find(r, LVL_SKETCHY_F_CHUNK_KEY, &at->where, key->at, lvl_tokens_offset(&r->t),
             "the game does not show a chunk whose position is not two numbers", chunk->key);
    const int encoding = lvl_chunk_encoding((lvl_bytes){(const uint8_t *)text.ptr, text.len});
    chunk->encoding = encoding < 0 ? LVL_SKETCHY_CHUNK_JSON : (uint8_t)encoding;
    chunk->pixels.size = 2;
    source.cut = cut;
    source.encoding = chunk->encoding;
    source.x = chunk->x;
    source.y = chunk->y;
    if (text.ptr)
        add_source(r, &source, &chunk->source);
    emit_value(r, key->at + 1, key->at + 1 + key->text.len, at,
               lvl_table_at(at->table, offsetof(lvl_sketchy_chunk, key)));
    emit_value(r, value->at, value->at + text.len, at,
               lvl_table_at(at->table, offsetof(lvl_sketchy_chunk, pixels)));
}

/* Reports a key that an object has a second time. */
static void double_key(reader *r, const lvl_where *where, const lvl_token *key, lvl_text name)
{
    r->r->doubled = true;
    find(r, LVL_SKETCHY_F_DOUBLE_KEY, where, key->at, key->at + key->text.len + 2,
         "a key occurs twice, and the game uses only the last one", name);
}

/* {"data": "base64"} */
static void read_file(reader *r, const lvl_token *key, const lvl_token *value, const target *at)
{
    lvl_sketchy_file *file = (void *)at->base;

    emit_value(r, key->at + 1, key->at + 1 + key->text.len, at,
               lvl_table_at(at->table, offsetof(lvl_sketchy_file, path)));
    if (value->kind != LVL_TOKEN_OBJECT) {
        lvl_tokens_skip(&r->t, value);
        find(r, LVL_SKETCHY_F_TYPE, &at->where, value->at, lvl_tokens_offset(&r->t),
             "the game does not load this attached file, which has no data", file->path);
    } else {
        lvl_source source = {.kind = LVL_SOURCE_BASE64};
        for (lvl_token k; (k = lvl_tokens_next(&r->t)).kind == LVL_TOKEN_KEY;) {
            const lvl_token v = lvl_tokens_next(&r->t);
            if (lvl_token_is_nocase(&k, "data") && v.kind == LVL_TOKEN_STRING) {
                source.earlier = source.text.ptr != NULL;
                if (source.earlier)
                    double_key(r, &at->where, &k, k.text);
                source.text = v.text;
                add_source(r, &source, &file->source);
                size_t size; /* late, so this is for display; too large if there are escapes */
                file->data = (lvl_bytes){NULL, lvl_base64_size(v.text, &size) ? size : v.text.len / 4 * 3};
                emit_value(r, v.at + 1, v.at + 1 + v.text.len, at,
                           lvl_table_at(at->table, offsetof(lvl_sketchy_file, data)));
            }
            lvl_tokens_skip(&r->t, &v);
        }
    }
}

static void put_name(const target *to)
{
    if (to->label)
        memcpy(to->base + to->label->offset, &to->name, sizeof to->name);
}

/* `key`: NULL in an array. */
static void read_item(reader *r, const lvl_shape *s, const lvl_shapes *inside, const lvl_token *key,
                      const lvl_token *value, const target *at)
{
    const lvl_field *text = lvl_shape_text(s);

    put_name(at);
    if (s->kind == LVL_SHAPE_CHUNKS) {
        read_chunk(r, key, value, at);
        return;
    }
    if (s->kind == LVL_SHAPE_FILES) {
        read_file(r, key, value, at);
        return;
    }
    if (key)
        emit_value(r, key->at + 1, key->at + 1 + key->text.len, at, at->label);
    if (text && value->kind == LVL_TOKEN_STRING) {
        const lvl_text plain = plain_text(r, value);
        memcpy(at->base + text->offset, &plain, sizeof plain);
        if (key)
            emit_value(r, value->at + 1, value->at + 1 + value->text.len, at, text);
    } else if (!text && value->kind == LVL_TOKEN_OBJECT) {
        read_object(r, inside, at);
    } else {
        const lvl_text none = {NULL, 0};
        lvl_tokens_skip(&r->t, value);
        if (value->kind != LVL_TOKEN_NULL)
            find(r, LVL_SKETCHY_F_TYPE, &at->where, value->at, lvl_tokens_offset(&r->t),
                 "this item is of the wrong kind: the game does not load it, or not the whole file", none);
    }
}

/* An item that may be a duplicate. */
typedef struct candidate {
    const uint8_t *item;
    uint32_t index;
    const lvl_field *label; /* NULL: chunks, which are compared by position */
} candidate;

static int by_identity(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    if (x->label)
        return lvl_text_compare(lvl_get_text(x->item, x->label), lvl_get_text(y->item, y->label));
    return lvl_sketchy_by_place((const void *)x->item, (const void *)y->item);
}

static int by_identity_and_index(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    const int order = by_identity(a, b);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Of several items with the same label, or chunks of one position (the same key, or "1,2" and "+1,2"), the
 * last one counts; the others stay in the text. */
static void drop_earlier(reader *r, const lvl_field *label, gather *g, const target *to)
{
    candidate *list = malloc(((size_t)g->count + 1) * sizeof *list);
    uint8_t *drop = calloc((size_t)g->count + 1, 1);
    uint32_t count = 0, kept = 0;

    for (uint32_t i = 0; list && drop && i < g->count; i++) {
        const uint8_t *item = g->items.data + (size_t)i * g->size;
        if (label || lvl_sketchy_has_place((const void *)item)) /* a chunk without a position replaces none */
            list[count++] = (candidate){item, i, label};
    }
    if (list && drop)
        qsort(list, count, sizeof *list, by_identity_and_index);
    else
        r->status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i + 1 < count; i++) {
        char shown[80];
        if (by_identity(&list[i], &list[i + 1]) != 0)
            continue;
        drop[list[i].index] = 1;
        r->r->doubled = true;
        if (!label)
            lvl_sketchy_report(r->r->findings, LVL_SKETCHY_F_DOUBLE_KEY, &to->where,
                               "a chunk occurs twice, and the game shows only the last one: %s",
                               lvl_text_show(shown, sizeof shown, LVL_CP_UTF8,
                                             ((const lvl_sketchy_chunk *)(const void *)list[i].item)->key));
    }
    for (uint32_t i = 0; drop && i < g->count; i++) {
        if (!drop[i])
            memmove(g->items.data + (size_t)kept++ * g->size, g->items.data + (size_t)i * g->size, g->size);
    }
    g->count = drop ? kept : g->count;
    g->items.len = (size_t)g->count * g->size;
    free(list);
    free(drop);
}

/* A key of a map, and where it is. */
typedef struct map_key {
    lvl_text name;
    size_t from, to;
} map_key;

static int by_key(const void *a, const void *b)
{
    const map_key *x = a, *y = b;
    const int order = lvl_text_compare(x->name, y->name);

    return order ? order : (x->from > y->from) - (x->from < y->from);
}

/* Reports keys that a map has twice: its items stay, and the game uses the last one. */
static void report_double_keys(reader *r, lvl_buffer *keys, const lvl_where *where)
{
    map_key *list = (map_key *)(void *)keys->data;
    const size_t count = keys->len / sizeof *list;

    if (keys->status != LVL_OK)
        r->status = lvl_buffer_outcome(r->r->doc->ctx, keys);
    else if (count > 1)
        qsort(list, count, sizeof *list, by_key);
    for (size_t i = 1; i < count && keys->status == LVL_OK; i++) {
        if (lvl_text_equal(list[i - 1].name, list[i].name))
            find(r, LVL_SKETCHY_F_DOUBLE_KEY, where, list[i].from, list[i].to,
                 "a key occurs twice, and the game uses only the last one", list[i].name);
    }
    lvl_buffer_free(keys);
}

/* Notes an element of a list. */
static void note_item(reader *r, lvl_json_bracket *open, const lvl_shape *s, const lvl_token *key,
                      const lvl_token *value, const uint8_t *item)
{
    const lvl_doc *doc = r->r->doc;
    lvl_json_piece piece = {.member = LVL_NO_INDEX};

    if (!doc->pieces)
        return;
    if (s->kind == LVL_SHAPE_FILES)
        piece.source = ((const lvl_sketchy_file *)(const void *)item)->source;
    piece.value.hash = lvl_sketchy_hash(doc, &doc->pieces->seed, item, lvl_shape_table(s), false);
    lvl_json_note(&r->notes, open, key, value, piece);
}

static void read_list(reader *r, const lvl_shapes *shapes, const lvl_shape *s, const target *to)
{
    const lvl_field *field = s->field, *label = lvl_shape_label(s);
    gather g = {{0}, field->item_size, 0};
    lvl_token token, key = {LVL_TOKEN_ERROR, {NULL, 0}, false, 0};
    lvl_shapes inside;
    lvl_buffer keys = {.max = lvl_memory_share(r->r->doc->ctx)};
    /* two actors with one id, and two chunks at one place, are found elsewhere */
    const bool unique = label && s->kind != LVL_SHAPE_CHUNKS && field->table != &lvl_sketchy_actor_table;

    if (!lvl_shape_text(s))
        lvl_shapes_inside(&inside, shapes, s);
    if (label && r->r->doubled) { /* perhaps a second object with the map's key: it adds to the first */
        g.count = lvl_list_count(to->base, field);
        if (g.count)
            lvl_buffer_add(&g.items, lvl_list_item(to->base, field, 0), (size_t)g.count * g.size);
    }
    const bool before = g.count > 0;
    lvl_json_bracket open = lvl_json_note_begin(&r->notes, !label);
    while ((token = lvl_tokens_next(&r->t)).kind != LVL_TOKEN_ERROR && r->status == LVL_OK) {
        if (token.kind == LVL_TOKEN_ARRAY_END || token.kind == LVL_TOKEN_OBJECT_END)
            break;
        if (label) {
            key = token;
            token = lvl_tokens_next(&r->t);
            if (token.kind == LVL_TOKEN_ERROR)
                break;
        }
        uint8_t *item = next_item(r, &g, field->table);
        if (!item)
            break;
        target at = {item, field->table, lvl_where_to(to->where, field, g.count - 1), label, {NULL, 0}};
        const size_t from = token.at;
        if (label)
            at.name = plain_text(r, &key);
        if (unique) {
            const map_key named = {at.name, key.at, key.at + key.text.len + 2};
            lvl_buffer_add(&keys, &named, sizeof named);
        }
        if (s->kind == LVL_SHAPE_RECORDS)
            inherit(r, &inside, item, g.count - 1);
        read_item(r, s, &inside, label ? &key : NULL, &token, &at);
        if (s->kind == LVL_SHAPE_TEXTS && r->r->sink && !r->earlier) {
            emit(r, r->reported, from, LVL_SPAN_CONTAINER, &to->where, NULL);
            emit(r, from, lvl_tokens_offset(&r->t), LVL_SPAN_FIELD, &at.where, field);
            r->reported = lvl_tokens_offset(&r->t);
        }
        note_item(r, &open, s, label ? &key : NULL, &token, item);
    }
    lvl_json_note_end(&r->notes, &open, &token);
    if ((before || s->kind == LVL_SHAPE_CHUNKS) && g.count > 1 && r->status == LVL_OK)
        drop_earlier(r, s->kind == LVL_SHAPE_CHUNKS ? NULL : label, &g, to);
    put_items(r, &g, field, to->base);
    report_double_keys(r, &keys, &to->where);
}

/* Reads a level's one layer. */
static void read_layer(reader *r, const lvl_shape *s, const lvl_shapes *inside, const target *to)
{
    lvl_sketchy *d = r->r->doc->root;

    if (!d->layer_count) { /* else a second object of that key: it adds to the first */
        d->layers = lvl_arena_alloc(&r->r->doc->arena, sizeof *d->layers);
        if (!d->layers) {
            r->status = LVL_ERR_MEMORY;
            return;
        }
        lvl_record_init(d->layers, &lvl_sketchy_layer_table);
        d->layers->size = r->r->recovered ? 0 : d->layers->size;
        d->layer_count = 1;
    }
    const target at = {.base = (uint8_t *)d->layers,
                       .table = &lvl_sketchy_layer_table,
                       .where = lvl_where_to(to->where, s->field, 0)};
    read_object(r, inside, &at);
}

/* ---- objects ----------------------------------------------------------------------------------------- */

static void read_member(reader *r, const lvl_shapes *shapes, const lvl_shape *s, const lvl_token *token,
                        const target *to)
{
    const lvl_field *field = s->field;

    if (token->kind == LVL_TOKEN_NULL)
        return; /* as if it were absent, as in Go */
    if (s->kind < LVL_SHAPE_OBJECT) {
        if (take_scalar(r, s, token, to->base)) {
            emit_value(r, token->at, lvl_tokens_offset(&r->t), to, field);
            return;
        }
    } else if (lvl_shape_accepts(s, token)) {
        if (s->kind >= LVL_SHAPE_RECORDS) {
            read_list(r, shapes, s, to);
            return;
        }
        lvl_shapes inside;
        lvl_shapes_inside(&inside, shapes, s);
        if (s->kind == LVL_SHAPE_LAYER) {
            read_layer(r, s, &inside, to);
        } else {
            target at = *to;
            if (field)
                at = (target){.base = to->base + field->offset,
                              .table = field->table,
                              .where = lvl_where_to(to->where, field, LVL_NO_INDEX)};
            read_object(r, &inside, &at);
        }
        return;
    }
    lvl_tokens_skip(&r->t, token);
    const lvl_where where = field ? lvl_where_to(to->where, field, LVL_NO_INDEX) : to->where;
    if (s->kind == LVL_SHAPE_OPTION_TYPE && token->kind == LVL_TOKEN_STRING) {
        find(r, LVL_SKETCHY_F_OPTION_TYPE, &where, token->at, lvl_tokens_offset(&r->t),
             "the game does not set an option of this type", token->text);
        return;
    }
    find(r, LVL_SKETCHY_F_TYPE, &where, token->at, lvl_tokens_offset(&r->t),
         "the game does not load this value, or not the whole file, since it is of the wrong kind", s->key);
}

/* `s`: NULL: an unknown key. */
static void note_member(reader *r, lvl_json_bracket *open, const lvl_shapes *shapes, const lvl_shape *s,
                        const lvl_token *key, const lvl_token *value, const uint8_t *record)
{
    const lvl_doc *doc = r->r->doc;
    lvl_json_piece piece = {.member = LVL_NO_INDEX};

    if (!doc->pieces)
        return;
    if (s) {
        piece.member = (uint32_t)(s - shapes->list);
        piece.value.hash = lvl_json_hash(doc, &doc->pieces->seed, shapes, s, record, false);
    }
    lvl_json_note(&r->notes, open, key, value, piece);
}

/* For spans that are shown: how often the object that begins here has each member, so that a value whose key
 * occurs again is not shown as the record's. Objects of records are few levels deep, so this reads a text a
 * few times. */
static void count_keys(reader *r, const lvl_shapes *shapes, uint32_t *often)
{
    lvl_tokens t = r->t;
    lvl_token key;

    while ((key = lvl_tokens_next(&t)).kind == LVL_TOKEN_KEY) {
        const lvl_token value = lvl_tokens_next(&t);
        const lvl_shape *s = lvl_shape_find(shapes, plain_text(r, &key));
        if (s)
            often[s - shapes->list]++;
        lvl_tokens_skip(&t, &value);
    }
}

/* Reads a value whose key occurs again: its span has no field. */
static void read_earlier(reader *r, const lvl_shapes *shapes, const lvl_shape *s, const lvl_token *value,
                         const target *to)
{
    emit(r, r->reported, value->at, LVL_SPAN_CONTAINER, &to->where, NULL);
    r->earlier++;
    read_member(r, shapes, s, value, to);
    r->earlier--;
    if (r->earlier)
        return;
    const size_t end = lvl_tokens_offset(&r->t);
    lvl_emit_span(r->r->sink, r->r->base + value->at, end - value->at,
                  (lvl_span){.space = r->r->space,
                             .role = LVL_SPAN_CONTAINER,
                             .where = to->where,
                             .note = "JSON: the key occurs again, and the last value counts"});
    r->reported = end;
}

/* Reads an object after its opening brace. */
static void read_object(reader *r, const lvl_shapes *shapes, const target *to)
{
    lvl_json_bracket open = lvl_json_note_begin(&r->notes, false);
    uint32_t often[LVL_COUNT_OF(shapes->list)] = {0};
    uint64_t seen = 0;
    lvl_token key;

    if (r->r->sink && r->r->sink->fine && !r->earlier)
        count_keys(r, shapes, often);
    while ((key = lvl_tokens_next(&r->t)).kind == LVL_TOKEN_KEY && r->status == LVL_OK) {
        const lvl_token value = lvl_tokens_next(&r->t);
        if (value.kind == LVL_TOKEN_ERROR)
            return;
        const lvl_text name = plain_text(r, &key);
        const lvl_shape *s = lvl_shape_find(shapes, name);
        if (!s) {
            lvl_tokens_skip(&r->t, &value);
            find(r, LVL_SKETCHY_F_UNKNOWN_KEY, &to->where, key.at, lvl_tokens_offset(&r->t),
                 "the game does not know this key, and drops it on saving; lvl keeps it", name);
        } else {
            const uint64_t bit = UINT64_C(1) << (s - shapes->list);
            if (seen & bit)
                double_key(r, &to->where, &key, name);
            seen |= bit;
            if (shapes == r->root)
                r->r->present |= bit;
            if (often[s - shapes->list] > 1 && r->r->sink) {
                read_earlier(r, shapes, s, &value, to);
                often[s - shapes->list]--;
            } else {
                read_member(r, shapes, s, &value, to);
            }
            if (s->field == to->label)
                put_name(to);
        }
        note_member(r, &open, shapes, s, &key, &value, to->base);
    }
    lvl_json_note_end(&r->notes, &open, &key);
}

lvl_status lvl_sketchy_read_json(lvl_json_reading *reading, lvl_text text)
{
    lvl_shapes shapes;
    reader r = {.r = reading, .root = &shapes};
    const lvl_where root = lvl_where_root();

    /* what is nested deeper than our records is skipped without recursion */
    lvl_tokens_init(&r.t, text, LVL_TOKENS_DEPTH);
    r.status = lvl_json_notes_begin(&r.notes, reading->doc, &r.t, text);
    if (r.status != LVL_OK)
        return r.status;
    const lvl_token first = lvl_tokens_next(&r.t);
    if (first.kind != LVL_TOKEN_OBJECT) {
        const lvl_text none = {NULL, 0};
        find(&r, LVL_SKETCHY_F_JSON, &root, first.at, first.at, "expected a JSON object", none);
        emit(&r, 0, text.len, LVL_SPAN_CONTAINER, &root, NULL);
        return LVL_ERR_FORMAT;
    }
    const target to = {.base = reading->doc->root, .table = reading->doc->format->table, .where = root};
    lvl_sketchy_shapes(&shapes, reading->doc);
    read_object(&r, &shapes, &to);
    if (r.status == LVL_OK && r.t.error)
        find(&r, LVL_SKETCHY_F_JSON, &root, r.t.at, r.t.at,
             "the document is cut off or broken here: the game does not load it, or loads an empty level",
             lvl_text_of(r.t.error));
    reading->broken = r.t.error != NULL;
    reading->used = r.t.error ? r.t.at : lvl_tokens_offset(&r.t);
    /* an error stops the reading; the text after it still belongs to the document */
    const size_t end = r.t.error ? text.len : reading->used;
    emit(&r, r.reported, end, LVL_SPAN_CONTAINER, &root, NULL);
    const lvl_status noted = lvl_json_notes_end(&r.notes, &first, reading->broken, reading->inherits);
    return r.status == LVL_OK ? noted : r.status;
}
