/*
 * graal/nw_tell.c: tells a sink what the bytes of a text level are: words are fields, tiles of a BOARD line
 * the cells of their layer, bodies texts; command words and end lines hold them together.
 */
#include "graal/nw_internal.h"

typedef struct emitter {
    lvl_sink *sink;
    const char *file;
    lvl_where where; /* the item */
} emitter;

static void span(const emitter *t, lvl_span_role role, const char *from, const char *to,
                 const lvl_field *field, const char *note)
{
    lvl_span s = {0};

    if (from == to)
        return;
    s.bit = (uint64_t)(from - t->file) * 8;
    s.bits = (uint64_t)(to - from) * 8;
    s.role = role;
    s.where = field ? lvl_where_to(t->where, field, LVL_NO_INDEX) : t->where;
    s.field = field;
    s.note = note;
    t->sink->span(t->sink, &s);
}

/* What holds the members together. It belongs to the item, or to the member beside it, so that an item's
 * spans read as one. */
static void hold(const emitter *t, const char *from, const char *to, const lvl_field *beside,
                 const char *note)
{
    emitter at = *t;

    if (beside)
        at.where = lvl_where_to(at.where, beside, LVL_NO_INDEX);
    span(&at, LVL_SPAN_CONTAINER, from, to, NULL, note);
}

void lvl_nw_emit_lines(lvl_sink *sink, const char *file, const char *from, const char *to,
                       const lvl_field *field)
{
    const emitter t = {sink, file, lvl_where_root()};

    span(&t, LVL_SPAN_SPELLING, from, to, field, "lines that are not commands");
}

void lvl_nw_emit_head(lvl_sink *sink, const char *file, const char *head, const char *second)
{
    const emitter t = {sink, file, lvl_where_root()};
    const lvl_table *table = &lvl_graal_table;
    const char *end = head + strlen("GLEVNW01");

    span(&t, LVL_SPAN_SPELLING, file, head, lvl_table_at(table, offsetof(lvl_graal, mark)),
         "byte order mark");
    span(&t, LVL_SPAN_FIELD, head, end, lvl_table_at(table, offsetof(lvl_graal, version)), NULL);
    span(&t, LVL_SPAN_CONTAINER, end, second, NULL, "line end");
}

/* The words of a command's line that are members, and what is between them. */
static void emit_words(const emitter *t, const lvl_nw_block *b)
{
    const lvl_text rest = lvl_nw_behind_word(b->kind, b->line.ptr, b->line.len);
    const char *at = b->head, *note = lvl_nw_kind_word(b->kind);
    const lvl_field *field = NULL;
    lvl_text found[LVL_MEMBERS];
    lvl_line_form form;
    lvl_words words;

    lvl_line_form_of(lvl_nw_words_of(b->kind), lvl_nw_lists[b->kind].table, &form);
    lvl_words_split(rest.ptr, rest.len, &words);
    const bool more = lvl_line_assign(&form, &words, found);
    for (unsigned i = 0; i < form.count; i++) {
        if (!found[i].ptr)
            continue;
        hold(t, at, found[i].ptr, field, note);
        at = found[i].ptr + found[i].len;
        field = form.member[i].field;
        span(t, LVL_SPAN_FIELD, found[i].ptr, at, field, NULL);
        note = "blank";
    }
    hold(t, at, b->body, field, more ? "further words" : "line end");
}

static void emit_body(const emitter *t, const lvl_nw_block *b, bool crlf)
{
    static const size_t verses[] = {offsetof(lvl_graal_baddy, attack), offsetof(lvl_graal_baddy, hurt),
                                    offsetof(lvl_graal_baddy, win)};
    const lvl_nw_text text = {b->body, b->close, crlf};
    const lvl_table *table = lvl_nw_lists[b->kind].table;
    const lvl_field *field = NULL;
    unsigned n = 0;

    switch (b->kind) {
    case LVL_NW_SIGN: field = lvl_table_at(table, offsetof(lvl_graal_sign, text)); break;
    case LVL_NW_NPC: field = lvl_table_at(table, offsetof(lvl_graal_npc, script)); break;
    case LVL_NW_HEIGHTS: field = lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, heights)); break;
    case LVL_NW_BADDY:
        for (const char *at = b->body; at < b->close; n++) {
            const lvl_nw_line line = lvl_nw_line_at(&text, at);
            const bool more = n >= LVL_COUNT_OF(verses);
            field = lvl_table_at(table, more ? offsetof(lvl_graal_baddy, line) : verses[n]);
            span(t, more ? LVL_SPAN_SPELLING : LVL_SPAN_FIELD, at, line.next, field,
                 more ? "further line" : NULL);
            at = line.next;
        }
        field = lvl_table_at(table, offsetof(lvl_graal_baddy, win));
        break;
    default: break;
    }
    if (field && b->kind == LVL_NW_HEIGHTS) {
        const emitter root = {t->sink, t->file, lvl_where_root()};
        span(&root, LVL_SPAN_FIELD, b->body, b->close, field, NULL);
    } else if (field && b->kind != LVL_NW_BADDY) {
        span(t, LVL_SPAN_FIELD, b->body, b->close, field, NULL);
    }
    hold(t, b->close, b->end, field, lvl_nw_end_word(b->kind));
}

/* BOARD lines one after the other, and lines between them. */
static void emit_board(const emitter *t, const lvl_nw_block *b, bool crlf)
{
    const lvl_table *table = &lvl_graal_layer_table;
    const lvl_nw_text text = {b->head, b->end, crlf};
    const char *at = b->head;
    lvl_nw_block row;
    lvl_nw_row parts;

    while (lvl_nw_next_block(&text, &at, &row) && lvl_nw_read_row(&row.line, &parts)) {
        const lvl_text data = parts.data, layer = parts.number;
        span(t, LVL_SPAN_SPELLING, row.lead, row.head, lvl_table_at(table, offsetof(lvl_graal_layer, lines)),
             "lines that are not commands");
        const lvl_field *number = lvl_table_at(table, offsetof(lvl_graal_layer, number));
        const lvl_field *tiles = lvl_table_at(table, offsetof(lvl_graal_layer, tiles));
        hold(t, row.head, layer.ptr, NULL, "BOARD");
        span(t, LVL_SPAN_FIELD, layer.ptr, layer.ptr + layer.len, number, NULL);
        hold(t, layer.ptr + layer.len, data.ptr, number, "blank");
        span(t, LVL_SPAN_FIELD, data.ptr, data.ptr + data.len, tiles, NULL);
        hold(t, data.ptr + data.len, row.end, tiles, "line end");
    }
}

void lvl_nw_emit_block(lvl_sink *sink, const char *file, const lvl_nw_block *b, uint32_t index, bool crlf)
{
    const lvl_nw_list *list = &lvl_nw_lists[b->kind];
    const bool heights = b->kind == LVL_NW_HEIGHTS;
    const lvl_table *table = b->kind == LVL_NW_BOARD ? &lvl_graal_layer_table
                             : heights               ? &lvl_graal_table
                                                     : list->table;
    const size_t before = heights ? offsetof(lvl_graal, heights_before) : list->before;
    emitter t = {sink, file, lvl_where_root()};

    if (!heights)
        t.where = lvl_where_to(t.where, lvl_table_at(&lvl_graal_table, list->items), index);
    span(&t, LVL_SPAN_SPELLING, b->lead, b->head, lvl_table_at(table, before), "lines that are not commands");
    if (b->kind == LVL_NW_BOARD) {
        emit_board(&t, b, crlf);
        return;
    }
    if (heights)
        hold(&t, b->head, b->body, NULL, "HEIGHTS");
    else
        emit_words(&t, b);
    emit_body(&t, b, crlf);
}
