/*
 * sketchy/text/recover_json.c: see recover.h. The text is read token by token, and copied:
 *
 *   1. At an error the broken entry is dropped, up to the next comma or bracket after which tokens can be
 *      read again.
 *   2. After that, keys whose depth is known correct the nesting: brackets are added or removed before them.
 *   3. If the document ends but its members continue, its last bracket was too many: it is removed.
 *   4. Where the text ends, or nothing after an error can be read, the beginning of a long string is kept,
 *      and all brackets are closed.
 */
#include "sketchy/text/document.h"

#include "base/buffer.h"
#include "base/text.h"
#include "codec/tokens.h"

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

/* Copies the text up to that place. */
static void copy_until(recovery *r, size_t to)
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
    copy_until(r, r->good);
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
static bool is_key_inside(const lvl_shapes *shapes, lvl_text key)
{
    for (uint32_t i = 0; i < shapes->count; i++) {
        const lvl_shape *s = &shapes->list[i];
        lvl_shapes inside;
        if (s->kind < LVL_SHAPE_OBJECT || lvl_shape_text(s) || lvl_shape_is_outside(s))
            continue;
        lvl_shapes_inside(&inside, shapes, s);
        if (lvl_shape_find(&inside, key) || is_key_inside(&inside, key))
            return true;
    }
    return false;
}

static bool is_pack(const recovery *r)
{
    return r->shapes->table == &lvl_levelpack_table;
}

/* Whether only the root has the key. Those of tags and files ("data") occur in other objects, too. */
static bool is_key_of_root(const recovery *r, const lvl_token *key)
{
    const lvl_shape *s = key->escaped || is_pack(r) ? NULL : lvl_shape_find(r->shapes, key->text);

    return s && s->kind != LVL_SHAPE_TEXT_MAP && s->kind != LVL_SHAPE_FILES &&
           !is_key_inside(r->shapes, key->text);
}

/* The depth at which a key, with its value at p, must be; 0: unknown. */
static uint32_t depth_of(const recovery *r, const lvl_token *key, const char *p)
{
    const uint32_t chunk = r->shapes->kind == LVL_SKETCHY_DOODAD ? 5 : 3, pixel = chunk + 2;
    int32_t x, y;

    if (is_key_of_root(r, key))
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
static bool reopen_brackets(recovery *r, uint32_t count, const char *p)
{
    if (r->good < count || r->copied > r->good - count)
        return false;
    for (uint32_t i = 1; i <= count; i++) {
        if (r->text.ptr[r->good - i] != '}' && r->text.ptr[r->good - i] != ']')
            return false;
    }
    r->good -= count;
    copy_until(r, r->good);
    r->copied = (size_t)(p - r->text.ptr);
    r->depth += count;
    r->t.depth += count;
    return true;
}

/* After a break, a key that belongs further out shows how many brackets are missing, one that belongs further
 * in how many are too many. */
static void correct_depth(recovery *r, const lvl_token *key)
{
    const uint32_t depth = r->breaks || r->early ? depth_of(r, key, r->t.p) : 0;

    if (!depth || r->t.depth == depth || r->depth != r->t.depth)
        return;
    r->breaks++;
    if (r->t.depth < depth) {
        reopen_brackets(r, depth - r->t.depth, r->text.ptr + r->good);
        return;
    }
    copy_until(r, r->good);
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
static bool resume_behind_end(recovery *r)
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
    if (key.kind != LVL_TOKEN_KEY ||
        (!(depth > 1 && reopen_brackets(r, depth, p)) && !reopen_brackets(r, 1, p)))
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

/* Whether the beginning of a string of that key is useful. */
static bool is_useful_in_part(const lvl_token *key)
{
    static const char *const keys[] = {"title", "script", "data", "description"};

    for (size_t i = 0; i < LVL_COUNT_OF(keys) && key->text.ptr; i++) {
        if (lvl_token_is(key, keys[i]))
            return true;
    }
    return false;
}

/* Where the whole groups of base64 from p on end. */
static const char *end_of_base64(const char *p, const char *end)
{
    const char *const from = p;

    while (p < end && *p != '"' && *p != '\\' && (uint8_t)*p > 0x20)
        p++;
    return p - (p - from) % 4;
}

/* Where the whole characters and escapes from p on end. */
static const char *end_of_text(const char *p, const char *end)
{
    const char *const from = p;

    for (ptrdiff_t n; p < end && *p != '"' && (uint8_t)*p >= 0x20; p += n) {
        n = *p != '\\' ? 1 : end - p > 1 && p[1] == 'u' ? 6 : 2;
        if (n > end - p)
            break;
    }
    while (p > from && (uint8_t)p[-1] >= 0x80) /* perhaps a truncated character */
        p--;
    return p;
}

/* Whether the text from its quote on is a sound string, once it is closed; it may have a wrong escape. */
static bool is_string_start(const char *quote, const char *end)
{
    lvl_buffer part = {0};
    lvl_tokens t;

    lvl_buffer_add(&part, quote, (size_t)(end - quote));
    lvl_buffer_u8(&part, '"');
    lvl_tokens_init(&t, (lvl_text){(const char *)part.data, part.len}, 1);
    const bool sound = part.status == LVL_OK && lvl_tokens_next(&t).kind == LVL_TOKEN_STRING;
    lvl_buffer_free(&part);
    return sound;
}

/* Keeps the beginning of a truncated string, whose quote is at `quote`, where that is useful. */
static void keep_string_start(recovery *r, const char *quote)
{
    const char *const end = r->before.end;

    if (quote >= end || *quote != '"' || r->before.expect != LVL_WANT_VALUE ||
        lvl_tokens_in_array(&r->before) || !is_useful_in_part(&r->key))
        return;
    const char *const to =
        lvl_token_is(&r->key, "data") ? end_of_base64(quote + 1, end) : end_of_text(quote + 1, end);
    if (!is_string_start(quote, to))
        return;
    copy_until(r, (size_t)(to - r->text.ptr));
    lvl_buffer_u8(r->out, '"');
    r->good = r->copied;
    r->depth = r->before.depth;
}

static void end_here(recovery *r, const char *e)
{
    r->breaks++;
    keep_string_start(r, e);
    copy_until(r, r->good);
    drop_comma(r);
    close_brackets(r, r->depth, 0);
    lvl_buffer_u8(r->out, '\n');
}

/* ---- the whole text ---------------------------------------------------------------------------------- */

/* Notes a key of the root; one that members after its end have again shows that they are another document. */
static void note_root_key(recovery *r, const lvl_token *key)
{
    const lvl_shape *s = key->escaped ? NULL : lvl_shape_find(r->shapes, key->text);
    const uint64_t bit = s ? UINT64_C(1) << (s - r->shapes->list) : 0;

    r->second = r->second || (r->late && (r->seen & bit));
    r->seen |= bit;
}

static void add_token(recovery *r, const lvl_token *token)
{
    if (token->kind == LVL_TOKEN_KEY) {
        correct_depth(r, token);
        r->key = *token;
        if (r->t.depth == 1)
            note_root_key(r, token);
        return;
    }
    r->good = lvl_tokens_offset(&r->t);
    r->depth = r->t.depth;
    r->first = token->kind == LVL_TOKEN_OBJECT || token->kind == LVL_TOKEN_ARRAY;
}

/* Copies the next token; at an error drops the broken entry, or ends the text. False: the text was ended. */
static bool copy_token(recovery *r, size_t most)
{
    r->before = r->t;
    const lvl_token token = lvl_tokens_next(&r->t);
    const bool cut = token.kind == LVL_TOKEN_NUMBER && token.text.ptr + token.text.len == r->t.end;
    if (token.kind != LVL_TOKEN_ERROR && !cut) {
        add_token(r, &token);
        return true;
    }
    const char *e = cut ? token.text.ptr : r->text.ptr + r->t.at;
    lvl_tokens_accept_separator(&r->before); /* the error is after it */
    if (r->breaks < most && drop_entry(r, e))
        return true;
    end_here(r, e);
    return false;
}

/* Copies the blanks after the end of the document; all that follows if nothing was changed. */
static void copy_trailing(recovery *r)
{
    size_t end = r->good;

    while (end < r->text.len && (!r->breaks || memchr(" \t\r\n", r->text.ptr[end], 4)))
        end++;
    copy_until(r, end);
}

/* One pass over the text; after `most` breaks the rest is dropped. */
static lvl_status recover_once(lvl_text text, const lvl_shapes *shapes, size_t most, bool early,
                               lvl_buffer *out, size_t *breaks)
{
    recovery r = {.text = text, .shapes = shapes, .out = out, .early = early};

    lvl_tokens_init(&r.t, text, LVL_TOKENS_DEPTH);
    r.before = r.t;
    const lvl_token token = lvl_tokens_next(&r.t);
    if (token.kind != LVL_TOKEN_OBJECT)
        return LVL_ERR_FORMAT;
    add_token(&r, &token);
    while ((r.depth || resume_behind_end(&r)) && out->status == LVL_OK) {
        if (!copy_token(&r, most))
            break;
    }
    if (!r.depth)
        copy_trailing(&r);
    *breaks += r.breaks;
    const bool all = r.breaks && !r.second && skip_closed(&r, true) == r.t.end;
    return early && !all && out->status == LVL_OK ? LVL_ERR_MISSING : out->status;
}

/* Whether the text begins with a whole value. *early (may be NULL): bytes that are not padding follow it. */
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

/* Recovers what one pass has made, until it is sound: repairing one break may make another. In the last round
 * the rest after a break is dropped, which always gives a sound text. */
static lvl_status recover_again(const lvl_shapes *shapes, lvl_buffer *out, size_t *breaks)
{
    enum { ROUNDS = 3 };
    lvl_buffer last = {0};
    lvl_status status = LVL_OK;

    for (unsigned round = 1; status == LVL_OK && round <= ROUNDS && !is_sound(lvl_buffer_text(out), NULL);
         round++) {
        const lvl_buffer was = *out;
        *out = last;
        last = was;
        out->len = 0;
        status =
            recover_once(lvl_buffer_text(&last), shapes, round < ROUNDS ? BREAKS : 0, false, out, breaks);
    }
    lvl_buffer_free(&last);
    return status;
}

lvl_status lvl_sketchy_recover_json(lvl_text text, const lvl_shapes *shapes, lvl_buffer *out, size_t *breaks)
{
    size_t count = 0;
    bool early = false;

    const bool sound = is_sound(text, &early);
    lvl_status status = recover_once(text, shapes, sound && !early ? 0 : BREAKS, early, out, &count);
    if (status == LVL_OK)
        status = recover_again(shapes, out, &count);
    if (breaks)
        *breaks = count;
    return status;
}
