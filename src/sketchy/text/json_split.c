/*
 * sketchy/text/json_split.c: splits the text of an object or array into its elements, with all white
 * space.
 */
#include "codec/tokens.h"
#include "sketchy/text/json_writing.h"

#include <string.h>

/* lvl_tokens_skip, without scanning the object of chunks. */
static lvl_text skip_value(const lvl_json_writing *w, lvl_tokens *t, const lvl_token *first)
{
    if (!w->chunks.len || t->start + first->at != w->chunks.ptr)
        return lvl_tokens_skip(t, first);
    t->p = w->chunks.ptr + w->chunks.len;
    t->expect = LVL_WANT_COMMA;
    t->depth--;
    return w->chunks;
}

static lvl_text text_between(const char *from, const char *to)
{
    return (lvl_text){from, to > from ? (size_t)(to - from) : 0};
}

/* Reads the element that begins with `token`, after the brace or comma at `from`. Returns what is after its
 * comma, or after its value. */
static const char *read_element(const lvl_json_writing *w, lvl_tokens *t, lvl_token token, const char *from,
                                bool array, lvl_json_element *e)
{
    *e = (lvl_json_element){.before = text_between(from, t->start + token.at)};
    if (!array) {
        e->key = (lvl_text){t->start + token.at, token.text.len + 2};
        const char *after = t->p;
        token = lvl_tokens_next(t);
        e->colon = text_between(after, t->start + token.at);
    }
    e->value = skip_value(w, t, &token);
    const char *comma = t->p;
    while (comma < t->end && *comma != ',' && *comma != ']' && *comma != '}')
        comma++;
    if (comma == t->end || *comma != ',')
        return t->p;
    e->after = text_between(t->p, comma);
    return comma + 1;
}

lvl_json_elements lvl_json_split(lvl_json_writing *w, lvl_text text, bool array)
{
    lvl_json_elements all = {.array = array, .colon = {":", 1}};
    lvl_tokens t;

    lvl_tokens_init(&t, text, LVL_TOKENS_DEPTH);
    lvl_token token = lvl_tokens_next(&t);
    if (!text.len || token.kind != (array ? LVL_TOKEN_ARRAY : LVL_TOKEN_OBJECT))
        return all;
    const char *from = text.ptr + token.at + 1;
    while ((token = lvl_tokens_next(&t)).kind != LVL_TOKEN_ARRAY_END && token.kind != LVL_TOKEN_OBJECT_END &&
           token.kind != LVL_TOKEN_ERROR) {
        if (!lvl_grow(&all.list, &all.cap, (size_t)all.count + 1, sizeof *all.list)) {
            lvl_json_fail(w, LVL_ERR_MEMORY);
            return all;
        }
        from = read_element(w, &t, token, from, array, &all.list[all.count++]);
    }
    all.last = text_between(from, text.ptr + token.at);
    if (all.count) {
        all.before = all.list[all.count > 1].before;
        all.colon = array ? all.colon : all.list[0].colon;
    }
    return all;
}

bool lvl_json_key_is(const lvl_json_element *e, lvl_text key)
{
    const lvl_text spelled = {e->key.ptr + 1, e->key.len - 2};
    lvl_buffer plain = {0};

    if (!memchr(spelled.ptr, '\\', spelled.len))
        return lvl_text_equal(spelled, key);
    lvl_token_unescape(&plain, spelled);
    const bool same =
        plain.status == LVL_OK && lvl_text_equal((lvl_text){(const char *)plain.data, plain.len}, key);
    lvl_buffer_free(&plain);
    return same;
}
