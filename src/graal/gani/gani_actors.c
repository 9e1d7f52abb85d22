/*
 * graal/gani/gani_actors.c: the actors between MOVIE and MOVIEEND: "ACTOR kind name", keyframes
 * "FRAME tick key=value,key=value", ACTOREND.
 */
#include "graal/gani/gani_internal.h"

#include "base/text.h"
#include "base/work.h"
#include "codec/json.h"

#include <string.h>

/* ---- finding ------------------------------------------------------------------------------------- */

static bool has_word(lvl_text line, const char *word)
{
    return lvl_line_has_word(lvl_text_trim(line), word);
}

static const char *find_actors(lvl_row_finder *finder, const char *at)
{
    const char *from = NULL, *to = at; /* of the actor */
    bool open = false;
    lvl_line_view l;

    for (; at < finder->text.end; at = l.next) {
        l = lvl_line_at(&finder->text, at);
        const bool actor = has_word(l.text, "ACTOR"), ends = has_word(l.text, "MOVIEEND");
        if (from && (actor || ends)) {
            lvl_row_found(finder, from, to, !open);
            from = NULL;
        }
        if (ends)
            return at;
        if (actor) {
            from = at;
            open = true;
        }
        const bool closes = open && has_word(l.text, "ACTOREND");
        if (open && (actor || closes || has_word(l.text, "FRAME")))
            to = l.next;
        open = open && !closes;
    }
    if (from)
        lvl_row_found(finder, from, to, !open);
    return at;
}

static bool is_actor_line(lvl_text line)
{
    return has_word(line, "ACTOR") || has_word(line, "FRAME");
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* Whether a key and '=' follow the comma at `p`, since values may contain commas. */
static bool key_follows(const char *p, const char *end)
{
    enum { MAX_KEY = 24 };
    const char *from = ++p;

    if (p == end || *p < 'a' || *p > 'z')
        return false;
    while (p < end && p - from < MAX_KEY &&
           ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || lvl_is_digit(*p) || *p == '_' ||
            *p == '#' || *p == ' '))
        p++;
    return p < end && *p == '=' && p[-1] != ' ';
}

/* Removes the next value from a text; false if it has no '='. */
static bool next_value(lvl_text *text, lvl_gani_value *out)
{
    const char *p = text->ptr, *end = p + text->len, *equals = memchr(p, '=', text->len);

    out->key = (lvl_text){p, (size_t)((equals ? equals : end) - p)};
    for (p = equals ? equals + 1 : end; (p = memchr(p, ',', (size_t)(end - p))) != NULL; p++) {
        if (key_follows(p, end))
            break;
    }
    p = p ? p : end;
    if (equals)
        out->value = (lvl_text){equals + 1, (size_t)(p - equals - 1)};
    *text = p < end ? (lvl_text){p + 1, (size_t)(end - p - 1)} : (lvl_text){end, 0};
    return equals != NULL;
}

static lvl_status read_values(const lvl_row_reader *r, const lvl_where *where, const lvl_line_view *line,
                              lvl_text values, lvl_gani_keyframe *k)
{
    const lvl_field *list = LVL_FIELD(lvl_gani_keyframe, values);
    lvl_text rest = values;
    lvl_gani_value value;
    uint32_t count = 0;
    bool good = true;

    for (; rest.len; count++)
        next_value(&rest, &value);
    if (count > r->store.items)
        return lvl_refuse(r->store.arena->ctx, LVL_LIMIT_ITEMS, r->store.items, count);
    k->values = count ? lvl_arena_array(r->store.arena, count, sizeof *k->values) : NULL;
    if (count && !k->values)
        return LVL_ERR_MEMORY;
    for (rest = values; rest.len; k->value_count++) {
        good &= next_value(&rest, &k->values[k->value_count]);
        const lvl_where at = lvl_where_to(*where, list, k->value_count);
        lvl_row_emit(r, LVL_SPAN_FIELD, &at, rest.len ? rest.ptr : line->next, NULL);
    }
    if (!count)
        lvl_row_emit(r, LVL_SPAN_CONTAINER, where, line->next, "line end");
    if (!good)
        lvl_row_report(r, LVL_LINE_INCOMPLETE, where, line->text, "expected key=value");
    return LVL_OK;
}

static lvl_status read_keyframe(const lvl_row_reader *r, const lvl_line_view *line, lvl_gani_actor *a)
{
    const lvl_where where = lvl_where_to(r->where, LVL_FIELD(lvl_gani_actor, keyframes), a->keyframe_count);
    lvl_gani_keyframe *k = &a->keyframes[a->keyframe_count++];
    const char *end = line->text.ptr + line->text.len, *at = lvl_text_trim(line->text).ptr + 5;
    const lvl_text tick = lvl_next_word(&at, end);
    lvl_line_form form;

    lvl_line_form_of("tick", &lvl_gani_keyframe_table, &form);
    const lvl_line_view head = {{line->text.ptr, (size_t)(at - line->text.ptr)}, at};
    const lvl_status status = lvl_row_line(r, &form, &where, &head, tick, k);
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    lvl_row_emit(r, LVL_SPAN_CONTAINER, &where, at, "blank");
    return status == LVL_OK ? read_values(r, &where, line, (lvl_text){at, (size_t)(end - at)}, k) : status;
}

static lvl_status read_actor(const lvl_row_reader *r, void *item)
{
    lvl_gani_actor *a = item;
    lvl_line_view l = lvl_line_at(&r->text, r->text.ptr);
    const lvl_text first = lvl_text_trim(l.text);
    uint32_t count = 0;
    lvl_line_form form;

    for (const char *p = l.next; p < r->text.end; count++)
        p = lvl_line_at(&r->text, p).next;
    if (count > r->store.items)
        return lvl_refuse(r->store.arena->ctx, LVL_LIMIT_ITEMS, r->store.items, count);
    a->keyframes = count ? lvl_arena_array(r->store.arena, count, sizeof *a->keyframes) : NULL;
    if (count && !a->keyframes)
        return LVL_ERR_MEMORY;
    lvl_line_form_of("kind [name...]", &lvl_gani_actor_table, &form);
    lvl_status status = lvl_row_line(r, &form, &r->where, &l, (lvl_text){first.ptr + 5, first.len - 5}, a);
    for (const char *p = l.next; p < r->text.end && status == LVL_OK; p = l.next) {
        l = lvl_line_at(&r->text, p);
        if (has_word(l.text, "FRAME"))
            status = read_keyframe(r, &l, a);
        else if (has_word(l.text, "ACTOREND"))
            lvl_row_emit(r, LVL_SPAN_CONTAINER, &r->where, l.next, "ACTOREND");
        else
            lvl_row_other(r, &r->where, &l);
    }
    if (!r->kind)
        lvl_row_report(r, LVL_LINE_OPEN, &r->where, first, "expected ACTOREND after the keyframes");
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------- */

static void put_actor(const void *item, const char *line_end, lvl_buffer *out)
{
    const lvl_gani_actor *a = item;

    lvl_buffer_str(out, "  ACTOR ");
    lvl_buffer_add(out, a->kind.ptr, a->kind.len);
    lvl_buffer_u8(out, ' ');
    lvl_buffer_add(out, a->name.ptr, a->name.len);
    lvl_buffer_str(out, line_end);
    for (uint32_t i = 0; i < a->keyframe_count; i++) {
        const lvl_gani_keyframe *k = &a->keyframes[i];
        lvl_buffer_str(out, "    FRAME ");
        lvl_json_int(out, k->tick);
        for (uint32_t v = 0; v < k->value_count; v++) {
            lvl_buffer_u8(out, v ? ',' : ' ');
            lvl_buffer_add(out, k->values[v].key.ptr, k->values[v].key.len);
            lvl_buffer_u8(out, '=');
            lvl_buffer_add(out, k->values[v].value.ptr, k->values[v].value.len);
        }
        lvl_buffer_str(out, line_end);
    }
    lvl_buffer_str(out, "  ACTOREND");
    lvl_buffer_str(out, line_end);
}

const lvl_line_rows lvl_gani_actors = {find_actors, read_actor, put_actor, is_actor_line};
