/*
 * sketchy/json_repair.c: see json_repair.h. The text is gone through token by token. Where that fails, first
 * a single wrong character is looked for: each reading of the place that makes the tokens behind it come out
 * right is good. Else the broken entry goes, up to the next comma or bracket from where they do.
 */
#include "sketchy/json_repair.h"

#include "base/text.h"
#include "codec/tokens.h"
#include "sketchy/drawing.h"

#include <stdio.h>
#include <string.h>

enum {
    CLEAR = 8,      /* tokens that have to come out right behind a repaired place, */
    ENOUGH = 4,     /* and behind an entry that is left out */
    BREAKS = 100000 /* beyond, what is left of the text goes */
};

typedef struct json_repairer {
    lvl_tokens t;
    lvl_tokens before; /* as it was before the last token */
    lvl_text text;
    const lvl_shape *shape;
    lvl_buffer *out;
    size_t copied;  /* up to here the text is in `out`, or left out */
    size_t good;    /* behind the last whole value, or the last bracket that opens */
    uint32_t depth; /* nesting there */
    bool first;     /* and whether that was the bracket */
    lvl_token key;  /* the last one */
    size_t breaks;
    uint64_t seen; /* keys of the root so far, a bit for each of its shape */
    bool late;     /* members that followed the end of the document were taken */
    bool early;    /* the document ends, and something follows */
    bool second;   /* what follows has keys that the document has: it is another document */
} json_repairer;

/* ---- the text so far --------------------------------------------------------------------------------- */

static void flush(json_repairer *m, size_t to)
{
    if (to > m->copied)
        lvl_buffer_add(m->out, m->text.ptr + m->copied, to - m->copied);
    m->copied = to > m->copied ? to : m->copied;
}

static void put_closers(json_repairer *m, uint32_t from, uint32_t to)
{
    for (uint32_t d = from; d > to; d--)
        lvl_buffer_u8(m->out, m->t.arrays[(d - 1) / 64] >> (d - 1) % 64 & 1 ? ']' : '}');
}

/* A comma at the end waits for an item that may not come. */
static void drop_comma(json_repairer *m)
{
    if (m->out->len && m->out->data[m->out->len - 1] == ',')
        m->out->len--;
}

/* ---- trying ------------------------------------------------------------------------------------------ */

/* Whether so many tokens come out right from here. */
static bool reads_on(const lvl_tokens *from, unsigned count)
{
    lvl_tokens t = *from;

    for (unsigned i = 0; i < count; i++) {
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

/* Goes on from that state; what was between is `with` instead. */
static void go_on(json_repairer *m, const lvl_tokens *t, size_t at, const char *with)
{
    flush(m, at);
    lvl_buffer_str(m->out, with);
    m->copied = (size_t)(t->p - t->start);
    m->t = *t;
    m->breaks++;
}

static bool try_one(json_repairer *m, const char *at, const lvl_tokens *t, const char *with)
{
    if (t->p > t->end || !reads_on(t, CLEAR))
        return false;
    go_on(m, t, (size_t)(at - m->text.ptr), with);
    if (*with == '}' || *with == ']' || *with == '{' || *with == '[') {
        m->good = m->copied;
        m->depth = t->depth;
        m->first = *with == '{' || *with == '[';
    }
    return true;
}

static lvl_tokens opened(const lvl_tokens *from, const char *p, bool array)
{
    lvl_tokens t = state_at(from, p, array ? LVL_WANT_FIRST_VALUE : LVL_WANT_FIRST_KEY);
    const uint64_t bit = UINT64_C(1) << t.depth % 64;

    if (array)
        t.arrays[t.depth / 64] |= bit;
    else
        t.arrays[t.depth / 64] &= ~bit;
    t.depth++;
    return t;
}

/* A character too much, missing, or turned into another, where grammar stands. */
static bool repair_grammar(json_repairer *m, const char *e)
{
    const lvl_tokens *b = &m->before;
    const unsigned next = lvl_tokens_in_array(b) ? LVL_WANT_VALUE : LVL_WANT_KEY;
    lvl_tokens t;

    if (e >= b->end)
        return false;
    switch (b->expect) {
    case LVL_WANT_COLON:
        t = state_at(b, e + 1, LVL_WANT_VALUE);
        if (try_one(m, e, &t, ":"))
            return true;
        t = state_at(b, e, LVL_WANT_VALUE);
        return try_one(m, e, &t, ":");
    case LVL_WANT_COMMA:
        t = state_at(b, e + 1, next);
        if (try_one(m, e, &t, ","))
            return true;
        t = state_at(b, e, next);
        if (try_one(m, e, &t, ","))
            return true;
        t = state_at(b, e + 1, LVL_WANT_COMMA);
        if (try_one(m, e, &t, ""))
            return true;
        if (b->depth > 1) {
            t.depth--;
            if (try_one(m, e, &t, lvl_tokens_in_array(b) ? "]" : "}"))
                return true;
            t.p = e;
            return try_one(m, e, &t, lvl_tokens_in_array(b) ? "]" : "}");
        }
        return false;
    case LVL_WANT_KEY:
    case LVL_WANT_FIRST_KEY: {
        const char *quote = memchr(e, '"', (size_t)(b->end - e));
        if (*e == ',' && b->expect == LVL_WANT_KEY) { /* one comma too many */
            t = state_at(b, e + 1, LVL_WANT_KEY);
            if (try_one(m, e, &t, ""))
                return true;
        }
        if (!quote || quote - e > 80 || quote == e)
            return false;
        t = state_at(b, quote + 1, LVL_WANT_COLON);
        for (const char *p = e + 1; p < quote; p++) {
            if (*p == '\\' || (uint8_t)*p < 0x20)
                return false;
        }
        if (!reads_on(&t, CLEAR))
            return false;
        flush(m, (size_t)(e - m->text.ptr));
        lvl_buffer_u8(m->out, '"');
        m->copied = (size_t)(e - m->text.ptr) + 1;
        m->key = (lvl_token){LVL_TOKEN_KEY, {e + 1, (size_t)(quote - e) - 1}, false, m->copied - 1};
        m->t = t;
        m->breaks++;
        return true;
    }
    case LVL_WANT_VALUE:
    case LVL_WANT_FIRST_VALUE:
        if (b->depth >= b->most)
            return false;
        t = opened(b, e + 1, false);
        if (try_one(m, e, &t, "{"))
            return true;
        t = opened(b, e + 1, true);
        return try_one(m, e, &t, "[");
    default: return false;
    }
}

/* How many bytes the escape at a backslash has; 0: it is none, or goes on past the end. */
static size_t escape(const char *p, const char *end)
{
    if (end - p < 2)
        return 0;
    if (p[1] != 'u')
        return p[1] && strchr("\"\\/bfnrt", p[1]) ? 2 : 0;
    for (int i = 2; i < 6; i++) {
        if (p + i >= end || !p[i] || !strchr("0123456789abcdefABCDEF", p[i]))
            return 0;
    }
    return 6;
}

/* A string with bare control characters, or escapes that are none. */
static bool repair_string(json_repairer *m, const char *e)
{
    const unsigned expect = m->before.expect;
    const bool key = expect == LVL_WANT_KEY || expect == LVL_WANT_FIRST_KEY;
    const char *p = e + 1, *end = m->before.end;

    if (e >= end || *e != '"')
        return false;
    while (p < end && *p != '"')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    if (p >= end)
        return false;
    lvl_tokens t = state_at(&m->before, p + 1,
                            key               ? LVL_WANT_COLON
                            : m->before.depth ? LVL_WANT_COMMA
                                              : LVL_WANT_END);
    if (!reads_on(&t, ENOUGH))
        return false;
    flush(m, (size_t)(e - m->text.ptr) + 1);
    for (const char *q = e + 1; q < p; q++) {
        const size_t n = *q == '\\' ? escape(q, p) : 1;
        if ((uint8_t)*q < 0x20)
            lvl_buffer_printf(m->out, "\\u%04x", (unsigned)(uint8_t)*q);
        else
            lvl_buffer_add(m->out, n ? q : "\\\\", n ? n : 2);
        q += n ? n - 1 : 0;
    }
    m->copied = (size_t)(p - m->text.ptr);
    m->t = t;
    m->breaks++;
    if (key) {
        m->key = (lvl_token){LVL_TOKEN_KEY, {NULL, 0}, false, 0};
    } else {
        m->good = m->copied + 1;
        m->depth = t.depth;
        m->first = false;
    }
    return true;
}

/* Leaves out what is broken, up to the next place from where the text can be read. False: there is none. */
static bool leave_out(json_repairer *m, const char *e)
{
    lvl_tokens from = m->before;
    const char *end = m->before.end;

    from.depth = m->depth;
    flush(m, m->good);
    drop_comma(m);
    for (const char *p = e; p < end; p++) {
        if (*p != ',' && *p != '}' && *p != ']')
            continue;
        const bool first = *p == ',' && m->first;
        const lvl_tokens t =
            first ? state_at(&from, p + 1,
                             lvl_tokens_in_array(&from) ? LVL_WANT_FIRST_VALUE : LVL_WANT_FIRST_KEY)
                  : state_at(&from, p, LVL_WANT_COMMA);
        if (!reads_on(&t, ENOUGH))
            continue;
        m->copied = (size_t)(t.p - m->text.ptr);
        m->t = t;
        m->breaks++;
        return true;
    }
    return false;
}

/* ---- nesting ----------------------------------------------------------------------------------------- */

static bool is_below(const lvl_shape *shapes, lvl_text key)
{
    for (const lvl_shape *s = shapes; s->key; s++) {
        if (s->sub && (lvl_shape_find(s->sub, key) || is_below(s->sub, key)))
            return true;
    }
    return false;
}

/* Keys that only the root has. Those of tags and files ("data") stand in other things, too. */
static bool is_roots(const json_repairer *m, const lvl_token *key)
{
    const lvl_shape *s =
        key->escaped || m->shape == lvl_pack_shape ? NULL : lvl_shape_find(m->shape, key->text);

    return s && s->kind != LVL_SHAPE_TEXT_MAP && s->kind != LVL_SHAPE_FILES && !is_below(m->shape, key->text);
}

/* How deep a key, with its value at p, has to be; 0: unknown. */
static uint32_t depth_of(const json_repairer *m, const lvl_token *key, const char *p)
{
    const uint32_t chunk = m->shape == lvl_doodad_shape ? 5 : 3, pixel = chunk + 2;
    int32_t x, y;

    if (is_roots(m, key))
        return 1;
    if (m->shape == lvl_pack_shape || key->escaped || !lvl_sketchy_key(key->text, &x, &y))
        return 0;
    while (p < m->t.end && (*p == ' ' || *p == ':' || *p == '\n' || *p == '\t' || *p == '\r'))
        p++;
    if (p == m->t.end)
        return 0;
    return *p == '{' ? chunk : lvl_is_digit(*p) ? pixel : 0;
}

/* Takes back that many of the brackets that closed just now, and goes on at `p`. */
static bool reopen(json_repairer *m, uint32_t count, const char *p)
{
    if (m->good < count || m->copied > m->good - count)
        return false;
    for (uint32_t i = 1; i <= count; i++) {
        if (m->text.ptr[m->good - i] != '}' && m->text.ptr[m->good - i] != ']')
            return false;
    }
    m->good -= count;
    flush(m, m->good);
    m->copied = (size_t)(p - m->text.ptr);
    m->depth += count;
    m->t.depth += count;
    return true;
}

/* Behind a break, a key that belongs further out shows how many brackets are missing, one that belongs
 * further in how many are too much. */
static void settle_depth(json_repairer *m, const lvl_token *key)
{
    const uint32_t depth = m->breaks || m->early ? depth_of(m, key, m->t.p) : 0;

    if (!depth || m->t.depth == depth || m->depth != m->t.depth)
        return;
    m->breaks++;
    if (m->t.depth < depth) {
        reopen(m, depth - m->t.depth, m->text.ptr + m->good);
        return;
    }
    flush(m, m->good);
    drop_comma(m);
    put_closers(m, m->t.depth, depth);
    lvl_buffer_u8(m->out, ',');
    m->copied = key->at;
    m->t.depth = m->depth = depth;
    m->first = false;
}

/* Whether nothing follows but blanks, zeros and brackets that close. */
static bool ends_here(const json_repairer *m)
{
    const char *p = m->t.p;

    while (p < m->t.end && memchr(" \t\r\n}]", *p, 7)) /* the string's own zero, too */
        p++;
    return p == m->t.end;
}

/* The document has ended, perhaps only because of a bracket too much: goes on if further members follow. */
static bool goes_on(json_repairer *m)
{
    const char *p = m->t.p;

    while (p < m->t.end && memchr(" \t\r\n}]", *p, 6))
        p++;
    if (p == m->t.end)
        return false;
    if (*p == ',' || *p == '{')
        p++;
    lvl_tokens t = state_at(&m->t, p, LVL_WANT_FIRST_KEY);
    t.depth = 1;
    if (!reads_on(&t, ENOUGH))
        return false;
    lvl_tokens at = t;
    const lvl_token key = lvl_tokens_next(&at);
    const uint32_t depth = key.kind == LVL_TOKEN_KEY ? depth_of(m, &key, at.p) : 0;
    if (key.kind != LVL_TOKEN_KEY || (!(depth > 1 && reopen(m, depth, p)) && !reopen(m, 1, p)))
        return false;
    const uint8_t last = m->out->len ? m->out->data[m->out->len - 1] : '{';
    if (last != '{' && last != ',')
        lvl_buffer_u8(m->out, ',');
    t.depth = m->t.depth;
    m->t = t;
    m->late = true;
    m->breaks++;
    return true;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

/* How many bytes a string's next byte or escape has; 0: its quote, or what may not be in it. */
static size_t character(const char *p, const char *end)
{
    if (*p == '"' || (uint8_t)*p < 0x20)
        return 0;
    return *p == '\\' ? escape(p, end) : 1;
}

/* A string that was cut and means something all the same. */
static void keep_part(json_repairer *m, const char *e)
{
    static const char *const keys[] = {"title", "script", "data", "description"};
    const char *p = e + 1, *end = m->before.end;
    bool known = false;

    if (e >= end || *e != '"' || m->before.expect != LVL_WANT_VALUE || lvl_tokens_in_array(&m->before))
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        known = known || (m->key.text.ptr && lvl_token_is(&m->key, keys[i]));
    if (!known)
        return;
    if (lvl_token_is(&m->key, "data")) { /* base64 */
        while (p < end && *p != '"' && *p != '\\' && (uint8_t)*p > 0x20)
            p++;
        p -= (size_t)(p - e - 1) % 4;
    } else {
        const char *stop = p;
        for (size_t n; p < end && (n = character(p, end)) != 0; p += n)
            stop = p + n == end || ((uint8_t)p[n] & 0xC0) != 0x80 ? p + n : stop; /* no part of a character */
        if (p == end) /* the last one may want more bytes than are there */
            while (stop > e + 1 && (uint8_t)stop[-1] >= 0x80)
                stop--;
        p = stop;
    }
    flush(m, (size_t)(p - m->text.ptr));
    lvl_buffer_u8(m->out, '"');
    m->good = m->copied;
    m->depth = m->before.depth;
}

static void finish(json_repairer *m, const char *e)
{
    m->breaks++;
    keep_part(m, e);
    flush(m, m->good);
    drop_comma(m);
    put_closers(m, m->depth, 0);
    lvl_buffer_u8(m->out, '\n');
}

/* ---- the face ---------------------------------------------------------------------------------------- */

static bool is_cut_number(const json_repairer *m, const lvl_token *token)
{
    return token->kind == LVL_TOKEN_NUMBER && token->text.ptr + token->text.len == m->t.end;
}

static void take(json_repairer *m, const lvl_token *token)
{
    if (token->kind == LVL_TOKEN_KEY) {
        settle_depth(m, token);
        m->key = *token;
        if (m->t.depth == 1) {
            const lvl_shape *s = token->escaped ? NULL : lvl_shape_find(m->shape, token->text);
            const uint64_t bit = s ? UINT64_C(1) << (s - m->shape) : 0;
            m->second = m->second || (m->late && (m->seen & bit));
            m->seen |= bit;
        }
        return;
    }
    m->good = lvl_tokens_offset(&m->t);
    m->depth = m->t.depth;
    m->first = token->kind == LVL_TOKEN_OBJECT || token->kind == LVL_TOKEN_ARRAY;
}

/* Once through the text, repairing at most so many breaks. */
static lvl_status repair_once(lvl_text text, const lvl_shape *shape, size_t most, bool early, lvl_buffer *out,
                              size_t *breaks)
{
    json_repairer m = {.text = text, .shape = shape, .out = out, .early = early};

    lvl_tokens_init(&m.t, text, LVL_TOKENS_DEPTH);
    m.before = m.t;
    lvl_token token = lvl_tokens_next(&m.t);
    if (token.kind != LVL_TOKEN_OBJECT)
        return LVL_ERR_FORMAT;
    take(&m, &token);
    while ((m.depth || goes_on(&m)) && out->status == LVL_OK) {
        m.before = m.t;
        token = lvl_tokens_next(&m.t);
        if (token.kind != LVL_TOKEN_ERROR && !is_cut_number(&m, &token)) {
            take(&m, &token);
            continue;
        }
        const char *e = token.kind == LVL_TOKEN_ERROR ? text.ptr + m.t.at : token.text.ptr;
        lvl_tokens_accept_separator(&m.before); /* the error is behind it */
        if (m.breaks < most && (repair_grammar(&m, e) || repair_string(&m, e) || leave_out(&m, e)))
            continue;
        finish(&m, e);
        break;
    }
    if (!m.depth) {
        size_t end = m.good;
        while (end < text.len && (!m.breaks || memchr(" \t\r\n", text.ptr[end], 4)))
            end++;
        flush(&m, end);
    }
    *breaks += m.breaks;
    const bool all = m.breaks && !m.second && ends_here(&m);
    return early && !all && out->status == LVL_OK ? LVL_ERR_MISSING : out->status;
}

/* `*early`, which may be NULL: whether something follows the document's end that is no padding. */
static bool is_sound(lvl_text text, bool *early)
{
    lvl_tokens t;
    size_t used;

    lvl_tokens_init(&t, text, LVL_TOKENS_DEPTH);
    const lvl_token first = lvl_tokens_next(&t);
    if (!lvl_tokens_skip(&t, &first).ptr)
        return false;
    for (used = lvl_tokens_offset(&t); used < text.len && memchr(" \t\r\n", text.ptr[used], 5); used++) {
    } /* zeros are padding, too */
    if (early)
        *early = used < text.len;
    return true;
}

lvl_status lvl_sketchy_repair_json(lvl_text text, const lvl_shape *shape, lvl_buffer *out, size_t *breaks)
{
    enum { ROUNDS = 3 };
    lvl_buffer last = {0};
    size_t count = 0;
    bool early = false;

    const bool sound = is_sound(text, &early);
    lvl_status status = repair_once(text, shape, sound && !early ? 0 : BREAKS, early, out, &count);
    for (unsigned round = 1; status == LVL_OK && round <= ROUNDS &&
                             !is_sound((lvl_text){(const char *)out->data, out->len}, NULL);
         round++) {
        /* what repairs one break may make another; in the end what follows it goes */
        const lvl_buffer was = *out;
        *out = last;
        last = was;
        out->len = 0;
        status = repair_once((lvl_text){(const char *)last.data, last.len}, shape,
                             round < ROUNDS ? BREAKS : 0, false, out, &count);
    }
    lvl_buffer_free(&last);
    if (breaks)
        *breaks = count;
    return status;
}
