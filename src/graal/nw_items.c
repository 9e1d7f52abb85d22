/*
 * graal/nw_items.c: the blocks of a text level as items and back:
 *
 *     LINK level x y width height destx desty [destlayer layer]      the level's name may hold blanks
 *     SIGN x y [layer], lines, SIGNEND
 *     BADDY x y type [layer], up to three lines, BADDYEND            the type is a number, or a name
 *     CHEST x y item sign [layer]                                    the item is a name, or a number
 *     NPC image x y [layer], lines, NPCEND                           "-": no image; it may hold blanks
 *     TILESET name [type], TILESETIMAGE name
 *     HEIGHTS, nine lines of nine numbers set apart by commas, HEIGHTSEND
 *
 * Layers, tilesets and heights are extensions of other editors, which write the words for layers only where
 * they aren't 0, since some servers count words.
 */
#include "graal/nw_internal.h"

#define LIST(T, items_, count_, table_)                                                                      \
    {                                                                                                        \
        &(table_), offsetof(lvl_graal, items_), offsetof(lvl_graal, count_), sizeof(T), offsetof(T, before), \
            offsetof(T, line)                                                                                \
    }

const lvl_nw_list lvl_nw_lists[LVL_NW_KINDS] = {
    [LVL_NW_BOARD] = {NULL, offsetof(lvl_graal, layers), offsetof(lvl_graal, layer_count),
                      sizeof(lvl_graal_layer), offsetof(lvl_graal_layer, before),
                      offsetof(lvl_graal_layer, lines)},
    [LVL_NW_LINK] = LIST(lvl_graal_link, links, link_count, lvl_graal_link_table),
    [LVL_NW_SIGN] = LIST(lvl_graal_sign, signs, sign_count, lvl_graal_sign_table),
    [LVL_NW_BADDY] = LIST(lvl_graal_baddy, baddies, baddy_count, lvl_graal_baddy_table),
    [LVL_NW_CHEST] = LIST(lvl_graal_chest, chests, chest_count, lvl_graal_chest_table),
    [LVL_NW_NPC] = LIST(lvl_graal_npc, npcs, npc_count, lvl_graal_npc_table),
    [LVL_NW_HEIGHTS] = {NULL, offsetof(lvl_graal, heights), offsetof(lvl_graal, height_count), 0, 0, 0},
    [LVL_NW_TILESET] = LIST(lvl_graal_tileset, tilesets, tileset_count, lvl_graal_tileset_table),
};

static const lvl_line_form *form_of(lvl_nw_forms *forms, lvl_nw_kind kind)
{
    if (!forms->ready[kind]) {
        lvl_line_form_of(lvl_nw_words_of(kind), lvl_nw_lists[kind].table, &forms->form[kind]);
        forms->ready[kind] = true;
    }
    return &forms->form[kind];
}

/* ---- bodies ------------------------------------------------------------------------------------------ */

/* The lines between head and end line, joined by LF. */
static lvl_status read_text(lvl_nw_parse *p, const lvl_nw_block *b, lvl_text *out)
{
    size_t len = (size_t)(b->close - b->body);

    if (!len) {
        p->canonical = false; /* no line at all; an empty text is one empty line */
        return LVL_OK;
    }
    out->ptr = b->body;
    if (!p->crlf) {
        out->len = len - (b->body[len - 1] == '\n');
        return LVL_OK;
    }
    char *to = lvl_arena_raw(p->arena, len);
    if (!to)
        return LVL_ERR_MEMORY;
    out->ptr = to;
    for (const char *from = b->body; from < b->close;) {
        const char *nl = memchr(from, '\n', (size_t)(b->close - from));
        size_t n = (size_t)((nl ? nl : b->close) - from);
        const bool own = nl && n && from[n - 1] == '\r';
        if (nl && !own)
            p->canonical = false;
        memcpy(to, from, n - own);
        to += n - own;
        if (!nl)
            break;
        *to++ = '\n';
        from = nl + 1;
    }
    out->len = (size_t)(to - out->ptr);
    out->len -= out->ptr[out->len - 1] == '\n';
    return LVL_OK;
}

static void read_verses(lvl_nw_parse *p, const lvl_nw_block *b, lvl_graal_baddy *baddy)
{
    lvl_text *const verses[] = {&baddy->attack, &baddy->hurt, &baddy->win};
    const lvl_nw_text text = {b->body, b->close, p->crlf};
    unsigned n = 0;

    for (const char *at = b->body; at < b->close; n++) {
        lvl_nw_line line = lvl_nw_line_at(&text, at);
        if (!line.own)
            p->canonical = false;
        at = line.next;
        if (n < LVL_COUNT_OF(verses)) {
            verses[n]->ptr = line.ptr;
            verses[n]->len = line.len;
        }
    }
    if (n != LVL_COUNT_OF(verses))
        p->canonical = false;
    if (n > LVL_COUNT_OF(verses))
        p->problems |= LVL_NW_MORE_LINES;
}

lvl_status lvl_nw_read_item(lvl_nw_parse *p, const lvl_nw_block *block, void *item)
{
    const lvl_text rest = lvl_nw_behind_word(block->kind, block->line.ptr, block->line.len);
    const lvl_words_room room = {p->arena, UINT32_MAX};
    unsigned problems;

    const lvl_status status =
        lvl_line_read(form_of(p->forms, block->kind), &room, rest, item, &problems, NULL);
    p->canonical = !(problems & LVL_WORDS_ODD) && block->line.own && block->usual_end;
    p->problems = (problems & LVL_WORDS_NUMBER ? LVL_NW_BAD_NUMBER : 0U) |
                  (problems & LVL_WORDS_NAME ? LVL_NW_UNKNOWN_NAME : 0U) |
                  (problems & LVL_WORDS_MORE ? LVL_NW_MORE_WORDS : 0U);
    switch (block->kind) {
    case LVL_NW_SIGN: return read_text(p, block, &((lvl_graal_sign *)item)->text);
    case LVL_NW_NPC: return read_text(p, block, &((lvl_graal_npc *)item)->script);
    case LVL_NW_BADDY: read_verses(p, block, item); break;
    case LVL_NW_TILESET:
        ((lvl_graal_tileset *)item)->image = (size_t)(rest.ptr - block->line.ptr) > strlen("TILESET");
        p->canonical = false; /* rare */
        break;
    default: break;
    }
    return status;
}

void lvl_nw_read_heights(lvl_nw_parse *p, const lvl_nw_block *block, double *values, uint32_t *count)
{
    uint32_t n = 0;

    p->problems = 0;
    p->canonical = false;
    for (const char *at = block->body; at < block->close;) {
        const char *from = at;
        while (at < block->close && *at != ',' && *at != '\n')
            at++;
        lvl_text word = {from, (size_t)(at - from)};
        while (word.len && (*word.ptr == ' ' || *word.ptr == '\t'))
            word.ptr++, word.len--;
        while (word.len && (word.ptr[word.len - 1] == ' ' || word.ptr[word.len - 1] == '\r'))
            word.len--;
        const bool comma = at < block->close && *at == ',';
        at += at < block->close;
        if (!word.len && !comma)
            continue; /* the end of a line behind a comma, an empty line */
        if (n == LVL_GRAAL_HEIGHTS) {
            p->problems |= LVL_NW_MORE_WORDS;
            break;
        }
        if (!lvl_word_real(word, &values[n], NULL))
            p->problems |= LVL_NW_BAD_NUMBER;
        n++;
    }
    if (n < LVL_GRAAL_HEIGHTS)
        p->problems |= LVL_NW_FEW_WORDS;
    *count = n;
}

/* ---- items into blocks ------------------------------------------------------------------------------- */

void lvl_nw_put_head(lvl_buffer *out, lvl_nw_forms *forms, lvl_nw_kind kind, const void *item)
{
    const bool image = kind == LVL_NW_TILESET && ((const lvl_graal_tileset *)item)->image;

    lvl_line_put(form_of(forms, kind), image ? "TILESETIMAGE" : lvl_nw_kind_word(kind), item, out);
}

/* A text in lines, each ended. */
static void put_lines(lvl_buffer *out, lvl_text text, bool crlf)
{
    const char *nl;

    while (crlf && text.len && (nl = memchr(text.ptr, '\n', text.len)) != NULL) {
        lvl_buffer_add(out, text.ptr, (size_t)(nl - text.ptr));
        lvl_nw_put_line_end(out, crlf);
        text.len -= (size_t)(nl - text.ptr) + 1;
        text.ptr = nl + 1;
    }
    lvl_buffer_add(out, text.ptr, text.len);
    lvl_nw_put_line_end(out, crlf);
}

void lvl_nw_put_rest(lvl_buffer *out, lvl_nw_kind kind, const void *item, bool crlf)
{
    lvl_nw_put_line_end(out, crlf);
    if (kind == LVL_NW_NPC)
        put_lines(out, ((const lvl_graal_npc *)item)->script, crlf);
    if (kind == LVL_NW_SIGN)
        put_lines(out, ((const lvl_graal_sign *)item)->text, crlf);
    if (kind == LVL_NW_BADDY) {
        const lvl_graal_baddy *baddy = item;
        put_lines(out, baddy->attack, crlf);
        put_lines(out, baddy->hurt, crlf);
        put_lines(out, baddy->win, crlf);
    }
    if (lvl_nw_end_word(kind)) {
        lvl_buffer_str(out, lvl_nw_end_word(kind));
        lvl_nw_put_line_end(out, crlf);
    }
}

void lvl_nw_put_item(lvl_buffer *out, lvl_nw_forms *forms, lvl_nw_kind kind, const void *item, bool crlf)
{
    lvl_nw_put_head(out, forms, kind, item);
    lvl_nw_put_rest(out, kind, item, crlf);
}

void lvl_nw_put_heights(lvl_buffer *out, const double *values, uint32_t count, bool crlf)
{
    lvl_nw_put_line_end(out, crlf);
    for (uint32_t i = 0; i < count; i++) {
        lvl_put_real_word(out, values[i]);
        if (i % 9 == 8 || i + 1 == count)
            lvl_nw_put_line_end(out, crlf);
        else
            lvl_buffer_u8(out, ',');
    }
    lvl_buffer_str(out, lvl_nw_end_word(LVL_NW_HEIGHTS));
    lvl_nw_put_line_end(out, crlf);
}
