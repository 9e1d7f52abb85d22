/*
 * sketchy/recover.c: see recover.h.
 *
 * JSON is read token by token. At an error the broken entry is dropped, up to the next comma or bracket after
 * which tokens can be read again; keys whose depth is known correct the nesting. Sizes of chunks: runs have
 * as many px as their chunk (the game omits a single last one); the px of lists must be inside of their
 * chunk. A damaged chunk, which fits no size, has no vote.
 */
#include "sketchy/recover.h"

#include "base/text.h"
#include "codec/tokens.h"
#include "sketchy/chunk_codec.h"
#include "sketchy/sketchy_check.h"

#include <string.h>

enum {
    ENOUGH = 4, /* tokens that must be readable after a dropped entry */
    BREAKS = 100000 /* after these, the rest of the text is dropped */
};

typedef struct recovery {
    lvl_tokens t;
    lvl_tokens before; /* the state before the last token */
    lvl_text text;
    const lvl_shapes *shapes;
    lvl_buffer *out;
    size_t copied; /* the text up to here was copied to `out` or dropped */
    size_t good; /* end of the last complete value or opening bracket; */
    uint32_t depth; /* the nesting there, */
    bool first; /* and whether it is the bracket */
    lvl_token key; /* the last one */
    size_t breaks;
    uint64_t seen; /* keys of the root so far, a bit for each member */
    bool late; /* members after the end of the document were taken */
    bool early; /* the document is sound, but bytes follow its end */
    bool second; /* a late member's key occurs in the document: it is another document */
} recovery;

/* ---- output ------------------------------------------------------------------------------------------ */

static void flush(recovery *r, size_t to)
{
    if (to <= r->copied)
        return;
    lvl_buffer_add(r->out, r->text.ptr + r->copied, to - r->copied);
    r->copied = to;
}

static void close_brackets(recovery *r, uint32_t from, uint32_t to)
{
    for (uint32_t d = from; d > to; d--)
        lvl_buffer_u8(r->out, r->t.arrays[(d - 1) / 64] >> (d - 1) % 64 & 1 ? ']' : '}');
}

/* Removes a comma at the end, since no item may follow. */
static void drop_comma(recovery *r)
{
    if (r->out->len && r->out->data[r->out->len - 1] == ',')
        r->out->len--;
}

/* ---- broken entries ---------------------------------------------------------------------------------- */

static bool can_resume(const lvl_tokens *from)
{
    lvl_tokens t = *from;

    for (unsigned i = 0; i < ENOUGH; i++) {
        const lvl_token token = lvl_tokens_next(&t);
        if (token.kind == LVL_TOKEN_ERROR)
            return false;
        if (token.kind == LVL_TOKEN_END)
            return true;
    }
    return true;
}

static lvl_tokens state_at(const lvl_tokens *like, const char *p, unsigned expect)
{
    lvl_tokens t = *like;

    t.p = p;
    t.expect = (uint8_t)expect;
    t.error = NULL;
    return t;
}

/* Drops the text from the last good place up to the next one where tokens can be read. False: none. */
static bool drop_entry(recovery *r, const char *e)
{
    lvl_tokens from = r->before;
    const char *end = r->before.end;

    from.depth = r->depth;
    flush(r, r->good);
    drop_comma(r);
    for (const char *p = e; p < end; p++) {
        if (*p != ',' && *p != '}' && *p != ']')
            continue;
        const unsigned next = lvl_tokens_in_array(&from) ? LVL_WANT_FIRST_VALUE : LVL_WANT_FIRST_KEY;
        const lvl_tokens t =
            *p == ',' && r->first ? state_at(&from, p + 1, next) : state_at(&from, p, LVL_WANT_COMMA);
        if (!can_resume(&t))
            continue;
        r->copied = (size_t)(t.p - r->text.ptr);
        r->t = t;
        r->breaks++;
        return true;
    }
    return false;
}

/* ---- nesting ----------------------------------------------------------------------------------------- */

/* Whether an object inside of these members can have the key. */
static bool is_below(const lvl_shapes *shapes, lvl_text key)
{
    for (uint32_t i = 0; i < shapes->count; i++) {
        const lvl_shape *s = &shapes->list[i];
        lvl_shapes inside;
        if (s->kind < LVL_SHAPE_OBJECT || lvl_shape_text(s) || lvl_shape_is_outside(s))
            continue;
        lvl_shapes_inside(&inside, shapes, s);
        if (lvl_shape_find(&inside, key) || is_below(&inside, key))
            return true;
    }
    return false;
}

static bool is_pack(const recovery *r)
{
    return r->shapes->table == &lvl_levelpack_table;
}

/* Whether only the root has the key. Those of tags and files ("data") occur in other objects, too. */
static bool is_of_root(const recovery *r, const lvl_token *key)
{
    const lvl_shape *s = key->escaped || is_pack(r) ? NULL : lvl_shape_find(r->shapes, key->text);

    return s && s->kind != LVL_SHAPE_TEXT_MAP && s->kind != LVL_SHAPE_FILES &&
           !is_below(r->shapes, key->text);
}

/* The depth at which a key, with its value at p, must be; 0: unknown. */
static uint32_t depth_of(const recovery *r, const lvl_token *key, const char *p)
{
    const uint32_t chunk = r->shapes->kind == LVL_SKETCHY_DOODAD ? 5 : 3, pixel = chunk + 2;
    int32_t x, y;

    if (is_of_root(r, key))
        return 1;
    if (is_pack(r) || key->escaped || !lvl_sketchy_key(key->text, &x, &y))
        return 0;
    while (p < r->t.end && (*p == ' ' || *p == ':' || *p == '\n' || *p == '\t' || *p == '\r'))
        p++;
    if (p == r->t.end)
        return 0;
    return *p == '{' ? chunk : lvl_is_digit(*p) ? pixel : 0;
}

/* Reverts the last `count` closing brackets, and continues at `p`. */
static bool reopen(recovery *r, uint32_t count, const char *p)
{
    if (r->good < count || r->copied > r->good - count)
        return false;
    for (uint32_t i = 1; i <= count; i++) {
        if (r->text.ptr[r->good - i] != '}' && r->text.ptr[r->good - i] != ']')
            return false;
    }
    r->good -= count;
    flush(r, r->good);
    r->copied = (size_t)(p - r->text.ptr);
    r->depth += count;
    r->t.depth += count;
    return true;
}

/* After a break, a key that belongs further out shows how many brackets are missing, and one that belongs
 * further in how many there are too many. */
static void correct_depth(recovery *r, const lvl_token *key)
{
    const uint32_t depth = r->breaks || r->early ? depth_of(r, key, r->t.p) : 0;

    if (!depth || r->t.depth == depth || r->depth != r->t.depth)
        return;
    r->breaks++;
    if (r->t.depth < depth) {
        reopen(r, depth - r->t.depth, r->text.ptr + r->good);
        return;
    }
    flush(r, r->good);
    drop_comma(r);
    close_brackets(r, r->t.depth, depth);
    lvl_buffer_u8(r->out, ',');
    r->copied = key->at;
    r->t.depth = r->depth = depth;
    r->first = false;
}

/* Skips blanks and closing brackets, and zeros if `zeros`. */
static const char *skip_closed(const recovery *r, bool zeros)
{
    const char *p = r->t.p;

    while (p < r->t.end && memchr(" \t\r\n}]", *p, zeros ? 7 : 6))
        p++;
    return p;
}

/* The document has ended, perhaps because of an extra bracket: continues if members follow. */
static bool continues(recovery *r)
{
    const char *p = skip_closed(r, false);

    if (p == r->t.end)
        return false;
    if (*p == ',' || *p == '{')
        p++;
    lvl_tokens t = state_at(&r->t, p, LVL_WANT_FIRST_KEY);
    t.depth = 1;
    if (!can_resume(&t))
        return false;
    lvl_tokens at = t;
    const lvl_token key = lvl_tokens_next(&at);
    const uint32_t depth = key.kind == LVL_TOKEN_KEY ? depth_of(r, &key, at.p) : 0;
    if (key.kind != LVL_TOKEN_KEY || (!(depth > 1 && reopen(r, depth, p)) && !reopen(r, 1, p)))
        return false;
    const uint8_t last = r->out->len ? r->out->data[r->out->len - 1] : '{';
    if (last != '{' && last != ',')
        lvl_buffer_u8(r->out, ',');
    t.depth = r->t.depth;
    r->t = t;
    r->late = true;
    r->breaks++;
    return true;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

/* Keeps the beginning of a truncated string where that is useful, up to its last whole character. */
static void keep_part(recovery *r, const char *e)
{
    static const char *const keys[] = {"title", "script", "data", "description"};
    const char *p = e + 1, *end = r->before.end;
    bool known = false;

    if (e >= end || *e != '"' || r->before.expect != LVL_WANT_VALUE || lvl_tokens_in_array(&r->before))
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        known = known || (r->key.text.ptr && lvl_token_is(&r->key, keys[i]));
    if (!known)
        return;
    if (lvl_token_is(&r->key, "data")) { /* base64 */
        while (p < end && *p != '"' && *p != '\\' && (uint8_t)*p > 0x20)
            p++;
        p -= (size_t)(p - e - 1) % 4;
    } else {
        for (ptrdiff_t n; p < end && *p != '"' && (uint8_t)*p >= 0x20; p += n) {
            n = *p != '\\' ? 1 : end - p > 1 && p[1] == 'u' ? 6 : 2;
            if (n > end - p)
                break;
        }
        while (p > e + 1 && (uint8_t)p[-1] >= 0x80) /* perhaps a truncated character */
            p--;
    }
    lvl_buffer part = {0};
    lvl_tokens t;
    lvl_buffer_add(&part, e, (size_t)(p - e));
    lvl_buffer_u8(&part, '"');
    lvl_tokens_init(&t, (lvl_text){(const char *)part.data, part.len}, 1);
    const bool sound = part.status == LVL_OK && lvl_tokens_next(&t).kind == LVL_TOKEN_STRING;
    lvl_buffer_free(&part);
    if (!sound) /* such as a wrong escape */
        return;
    flush(r, (size_t)(p - r->text.ptr));
    lvl_buffer_u8(r->out, '"');
    r->good = r->copied;
    r->depth = r->before.depth;
}

static void end_here(recovery *r, const char *e)
{
    r->breaks++;
    keep_part(r, e);
    flush(r, r->good);
    drop_comma(r);
    close_brackets(r, r->depth, 0);
    lvl_buffer_u8(r->out, '\n');
}

/* ---- the whole text ---------------------------------------------------------------------------------- */

static void add_token(recovery *r, const lvl_token *token)
{
    if (token->kind == LVL_TOKEN_KEY) {
        correct_depth(r, token);
        r->key = *token;
        if (r->t.depth == 1) {
            const lvl_shape *s = token->escaped ? NULL : lvl_shape_find(r->shapes, token->text);
            const uint64_t bit = s ? UINT64_C(1) << (s - r->shapes->list) : 0;
            r->second = r->second || (r->late && (r->seen & bit));
            r->seen |= bit;
        }
        return;
    }
    r->good = lvl_tokens_offset(&r->t);
    r->depth = r->t.depth;
    r->first = token->kind == LVL_TOKEN_OBJECT || token->kind == LVL_TOKEN_ARRAY;
}

/* One pass over the text; after `most` breaks the rest is dropped. */
static lvl_status recover_once(lvl_text text, const lvl_shapes *shapes, size_t most, bool early,
                               lvl_buffer *out, size_t *breaks)
{
    recovery r = {.text = text, .shapes = shapes, .out = out, .early = early};

    lvl_tokens_init(&r.t, text, LVL_TOKENS_DEPTH);
    r.before = r.t;
    lvl_token token = lvl_tokens_next(&r.t);
    if (token.kind != LVL_TOKEN_OBJECT)
        return LVL_ERR_FORMAT;
    add_token(&r, &token);
    while ((r.depth || continues(&r)) && out->status == LVL_OK) {
        r.before = r.t;
        token = lvl_tokens_next(&r.t);
        const bool cut = token.kind == LVL_TOKEN_NUMBER && token.text.ptr + token.text.len == r.t.end;
        if (token.kind != LVL_TOKEN_ERROR && !cut) {
            add_token(&r, &token);
            continue;
        }
        const char *e = cut ? token.text.ptr : text.ptr + r.t.at;
        lvl_tokens_accept_separator(&r.before); /* the error is after it */
        if (r.breaks < most && drop_entry(&r, e))
            continue;
        end_here(&r, e);
        break;
    }
    if (!r.depth) {
        size_t end = r.good;
        while (end < text.len && (!r.breaks || memchr(" \t\r\n", text.ptr[end], 4)))
            end++;
        flush(&r, end);
    }
    *breaks += r.breaks;
    const bool all = r.breaks && !r.second && skip_closed(&r, true) == r.t.end;
    return early && !all && out->status == LVL_OK ? LVL_ERR_MISSING : out->status;
}

/* Whether the text begins with a whole value. *early (may be NULL): bytes that are no padding follow it. */
static bool is_sound(lvl_text text, bool *early)
{
    size_t used;

    if (!lvl_tokens_whole(text, &used))
        return false;
    while (used < text.len && memchr(" \t\r\n", text.ptr[used], 5)) /* zeros are padding, too */
        used++;
    if (early)
        *early = used < text.len;
    return true;
}

lvl_status lvl_sketchy_recover_json(lvl_text text, const lvl_shapes *shapes, lvl_buffer *out, size_t *breaks)
{
    enum { ROUNDS = 3 };
    lvl_buffer last = {0};
    size_t count = 0;
    bool early = false;

    const bool sound = is_sound(text, &early);
    lvl_status status = recover_once(text, shapes, sound && !early ? 0 : BREAKS, early, out, &count);
    for (unsigned round = 1; status == LVL_OK && round <= ROUNDS &&
                             !is_sound((lvl_text){(const char *)out->data, out->len}, NULL);
         round++) {
        /* repairing one break may make another; in the last round the rest after it is dropped */
        const lvl_buffer was = *out;
        *out = last;
        last = was;
        out->len = 0;
        status = recover_once((lvl_text){(const char *)last.data, last.len}, shapes,
                              round < ROUNDS ? BREAKS : 0, false, out, &count);
    }
    lvl_buffer_free(&last);
    if (breaks)
        *breaks = count;
    return status;
}

/* ---- the size of chunks ------------------------------------------------------------------------------ */

enum { SIZES = LVL_SKETCHY_CHUNK_SIZE_MAX + 1, SURE = 2 };

/* How well chunks fit each size: a chunk has SURE votes for a size that it shows, 1 for a possible one. */
typedef struct ballot {
    uint32_t votes[SIZES];
    uint32_t all; /* the votes of a size that every chunk shows */
} ballot;

static uint32_t vote_of(const lvl_source *s, const lvl_chunk_report *r, bool whole, uint32_t size)
{
    const uint64_t cells = (uint64_t)size * size;
    const int64_t left = (int64_t)s->x * size, top = (int64_t)s->y * size;

    if (s->encoding == LVL_SKETCHY_CHUNK_RUNS)
        return r->total > cells ? 0 : whole && r->total + 1 >= cells ? SURE : 1;
    return r->left >= left && r->right < left + size && r->top >= top && r->bottom < top + size ? SURE : 0;
}

static lvl_status count_votes(const lvl_doc *doc, const lvl_sketchy_layer *layer, ballot *b)
{
    const lvl_chunk_place nowhere = {INT32_MIN, INT32_MIN, 1}; /* so that each px belongs to another chunk */
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < layer->chunk_count && status == LVL_OK; i++) {
        const lvl_source *s = lvl_sketchy_source(doc, layer->chunks[i].source);
        lvl_chunk_report report;
        lvl_bytes stream;
        uint8_t cell[2];
        bool sound;
        if (!s || layer->chunks[i].pixels.ptr) /* edited since */
            continue;
        status = lvl_sketchy_source_bytes(doc, s, &storage, &stream, &sound);
        if (status == LVL_OK)
            status = lvl_chunk_decode(s->encoding, stream, &nowhere, cell, &report);
        if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
            break;
        const bool runs = s->encoding == LVL_SKETCHY_CHUNK_RUNS, ended = !(s->member.faults & LVL_ZIP_CUT);
        if (status == LVL_OK && (runs ? report.total > 0 : report.left <= report.right)) {
            b->all += SURE;
            for (uint32_t size = 1; size < SIZES; size++)
                b->votes[size] += vote_of(s, &report, (sound || ended) && !report.partial, size);
        }
        status = LVL_OK;
    }
    lvl_buffer_free(&storage);
    return status;
}

/* The size with the most votes; of several `first`, else a usual one, else the largest. */
static uint32_t elect(const ballot *b, uint32_t first)
{
    enum { USUAL = 5 };
    uint32_t best = first < SIZES ? first : 0;

    for (uint32_t i = 0; i < LVL_SKETCHY_CHUNK_SIZE_MAX + USUAL - 1; i++) {
        const uint32_t size = i + 1 < USUAL ? (uint32_t)LVL_SKETCHY_CHUNK_SIZE >> i
                                            : LVL_SKETCHY_CHUNK_SIZE_MAX + USUAL - 1 - i;
        if (b->votes[size] > b->votes[best])
            best = size;
    }
    return best;
}

lvl_status lvl_sketchy_infer_size(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t *size,
                                  bool *sure)
{
    ballot b = {{0}, 0};
    const lvl_status status = count_votes(doc, layer, &b);
    const uint32_t old = *size < SIZES ? *size : 0, found = elect(&b, old);
    const uint32_t best = found ? found : LVL_SKETCHY_CHUNK_SIZE; /* no chunk shows any */

    *sure = false;
    if (status != LVL_OK || best == old)
        return status;
    *sure = (!b.votes[old] && b.votes[best] >= SURE) || (b.votes[best] == b.all && b.votes[old] < b.all);
    *size = best;
    return LVL_OK;
}

/* Sets the sizes of layers that were lost, which are 0: all layers of a drawing have the same one. */
static lvl_status recover_sizes(lvl_doc *doc, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    uint32_t first = LVL_SKETCHY_CHUNK_SIZE, equal = 0;
    lvl_status status = LVL_OK;
    ballot b = {{0}, 0};

    for (uint32_t i = d->layer_count; i-- > 0 && status == LVL_OK;) {
        if (!d->layers[i].size)
            status = count_votes(doc, &d->layers[i], &b);
        else if (d->layers[i].size < SIZES)
            first = d->layers[i].size;
    }
    if (status != LVL_OK)
        return status;
    const uint32_t size = elect(&b, first);
    for (uint32_t i = 1; i < SIZES; i++)
        equal += b.votes[i] == b.votes[size];
    for (uint32_t i = 0; i < d->layer_count; i++) {
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, layers), i);
        if (d->layers[i].size)
            continue;
        d->layers[i].size = size;
        if (d->layers[i].chunk_count)
            lvl_sketchy_report(findings, LVL_SKETCHY_F_SIZE_LOST, &where,
                               !b.votes[size] ? "assumed chunks of %lu px: their content does not show it"
                               : equal == 1   ? "chunks of %lu px, inferred from their content"
                                              : "chunks of %lu px, inferred from their content; other sizes "
                                                "are possible",
                               (unsigned long)size);
    }
    return LVL_OK;
}

/* ---- what is lost ------------------------------------------------------------------------------------ */

/* Whether the text lacks the key of that member of the root. */
static bool is_lost(const lvl_doc *doc, const lvl_shapes *shapes, size_t member)
{
    for (uint32_t i = 0; i < shapes->count; i++) {
        if (shapes->list[i].field && shapes->list[i].field->offset == member)
            return !(lvl_sketchy_state_of(doc).present >> i & 1);
    }
    return false;
}

/* Sets lost values of a level's page so that all of it is visible. True: the page type was set. */
static bool recover_page(const lvl_doc *doc, const lvl_shapes *shapes, lvl_sketchy *d)
{
    int64_t right = 0, bottom = 0;
    bool negative = false;

    for (uint32_t l = 0; l < d->layer_count; l++) {
        const lvl_sketchy_layer *layer = &d->layers[l];
        for (uint32_t i = 0; i < layer->chunk_count; i++) {
            const int64_t x = ((int64_t)layer->chunks[i].x + 1) * layer->size,
                          y = ((int64_t)layer->chunks[i].y + 1) * layer->size;
            negative = negative || layer->chunks[i].x < 0 || layer->chunks[i].y < 0;
            right = x > right ? x : right;
            bottom = y > bottom ? y : bottom;
        }
    }
    if (is_lost(doc, shapes, offsetof(lvl_sketchy, page_type)) && negative) {
        d->page_type = LVL_SKETCHY_UNBOUNDED;
        return true;
    }
    if (is_lost(doc, shapes, offsetof(lvl_sketchy, bounded_width)) && right > d->bounded_width)
        d->bounded_width = right;
    if (is_lost(doc, shapes, offsetof(lvl_sketchy, bounded_height)) && bottom > d->bounded_height)
        d->bounded_height = bottom;
    return false;
}

/* Reports the keys that the game always writes and the text lacks, with the numbers that replace them. */
static lvl_status report_lost(const lvl_doc *doc, const lvl_shapes *shapes, bool unbounded,
                              lvl_findings *findings)
{
    static const char why[] = ", because there are pixels at negative positions";
    const uint64_t present = lvl_sketchy_state_of(doc).present;
    const lvl_sketchy *d = doc->root;
    lvl_buffer list = {0};

    for (uint32_t i = 0; i < shapes->count && d->json.len; i++) {
        const lvl_shape *s = &shapes->list[i];
        if (s->omit || lvl_shape_is_outside(s) || present >> i & 1)
            continue;
        lvl_buffer_printf(&list, "%s%.*s", list.len ? ", " : "", (int)s->key.len, s->key.ptr);
        if (s->kind == LVL_SHAPE_INT)
            lvl_buffer_printf(&list, " (now %lld%s)", (long long)lvl_get_int(d, s->field),
                              unbounded && s->field->offset == offsetof(lvl_sketchy, page_type) ? why : "");
    }
    if (list.status == LVL_OK && list.len)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_LOST, NULL, "lost: %.*s", (int)list.len,
                           (const char *)list.data);
    else if (list.status == LVL_OK && unbounded)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_LOST, NULL, "the whole document; pageType is now 0%s",
                           why);
    const lvl_status status = list.status;
    lvl_buffer_free(&list);
    return status;
}

lvl_status lvl_sketchy_recover_lost(lvl_doc *doc, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    lvl_shapes shapes;

    const lvl_status status = recover_sizes(doc, findings);
    if (status != LVL_OK)
        return status;
    lvl_sketchy_shapes(&shapes, doc);
    const bool unbounded = d->kind == LVL_SKETCHY_LEVEL && recover_page(doc, &shapes, d);
    return report_lost(doc, &shapes, unbounded, findings);
}
