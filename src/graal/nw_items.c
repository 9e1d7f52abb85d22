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
 * Layers, tilesets and heights are extensions of other editors, which write the words for layers only where they aren't 0, since some servers
 * count words.
 */
#include "graal/nw_parts.h"

#include "graal/graal_names.h"

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

/* ---- words into members ---------------------------------------------------------------------------------------------------------- */

/* The text from one word to another, blanks between them included. */
static lvl_text words_text(const lvl_nw_words *w, unsigned from, unsigned to)
{
    lvl_text t = {w->word[from].ptr, (size_t)(w->word[to - 1].ptr + w->word[to - 1].len - w->word[from].ptr)};

    return t;
}

static bool is_real(lvl_text word)
{
    bool canonical;
    double v;

    return lvl_nw_real(word, &v, &canonical);
}

static bool is_layer(lvl_text word)
{
    bool canonical;
    int32_t v;

    return lvl_nw_int(word, &v, &canonical) && v >= 0;
}

static void add(lvl_nw_parts *p, size_t member, lvl_nw_type type, lvl_text text)
{
    p->part[p->count].member = member;
    p->part[p->count].type = type;
    p->part[p->count++].text = text;
}

/* The words from `at` on, as far as there are any. */
static void add_words(lvl_nw_parts *p, const lvl_nw_words *w, unsigned at, const lvl_nw_part *parts,
                      unsigned count)
{
    for (unsigned i = 0; i < count && at + i < w->count; i++)
        add(p, parts[i].member, parts[i].type, w->word[at + i]);
    p->more = w->count > at + count;
}

static const lvl_nw_part link_words[] = {
    {offsetof(lvl_graal_link, x), LVL_NW_REAL, {NULL, 0}},
    {offsetof(lvl_graal_link, y), LVL_NW_REAL, {NULL, 0}},
    {offsetof(lvl_graal_link, width), LVL_NW_REAL, {NULL, 0}},
    {offsetof(lvl_graal_link, height), LVL_NW_REAL, {NULL, 0}},
    {offsetof(lvl_graal_link, dest_x), LVL_NW_WORD, {NULL, 0}},
    {offsetof(lvl_graal_link, dest_y), LVL_NW_WORD, {NULL, 0}},
    {offsetof(lvl_graal_link, dest_layer), LVL_NW_LAYER, {NULL, 0}},
    {offsetof(lvl_graal_link, layer), LVL_NW_LAYER, {NULL, 0}},
};

static void split_link(const lvl_nw_words *w, lvl_nw_parts *out)
{
    unsigned at = 2;

    /* the rectangle begins at the first four numbers that leave six words or up to two layers more; else the last six words are it */
    for (; at + 6 <= w->count; at++) {
        bool fits = at + 8 >= w->count && is_real(w->word[at]) && is_real(w->word[at + 1]) &&
                    is_real(w->word[at + 2]) && is_real(w->word[at + 3]);
        for (unsigned i = at + 6; fits && i < w->count; i++)
            fits = is_layer(w->word[i]);
        if (fits)
            break;
    }
    if (at + 6 > w->count)
        at = w->count - 6;
    add(out, offsetof(lvl_graal_link, level), LVL_NW_WORD, words_text(w, 1, at));
    add_words(out, w, at, link_words, LVL_COUNT_OF(link_words));
}

static void split_npc(const lvl_nw_words *w, lvl_nw_parts *out)
{
    static const lvl_nw_part parts[] = {
        {offsetof(lvl_graal_npc, x), LVL_NW_REAL, {NULL, 0}},
        {offsetof(lvl_graal_npc, y), LVL_NW_REAL, {NULL, 0}},
        {offsetof(lvl_graal_npc, layer), LVL_NW_LAYER, {NULL, 0}},
    };
    unsigned at = 2;

    /* an image's name with blanks: what is before the last two numbers, or the last two and a layer */
    if (w->count > 4) {
        const unsigned n = w->count;
        if (is_layer(w->word[n - 1]) && is_real(w->word[n - 2]) && is_real(w->word[n - 3]))
            at = n - 3;
        else if (is_real(w->word[n - 1]) && is_real(w->word[n - 2]))
            at = n - 2;
    }
    add(out, offsetof(lvl_graal_npc, image), LVL_NW_IMAGE, words_text(w, 1, at));
    add_words(out, w, at, parts, LVL_COUNT_OF(parts));
}

static void split_tileset(const lvl_nw_words *w, lvl_nw_parts *out)
{
    out->image = w->word[0].len > strlen("TILESET");
    add(out, offsetof(lvl_graal_tileset, name), LVL_NW_WORD, w->word[1]);
    if (w->count > 2)
        add(out, offsetof(lvl_graal_tileset, type), LVL_NW_WORD, words_text(w, 2, w->count));
}

void lvl_nw_split_head(lvl_nw_kind kind, const lvl_nw_words *w, lvl_nw_parts *out)
{
    static const lvl_nw_part sign[] = {
        {offsetof(lvl_graal_sign, x), LVL_NW_INT, {NULL, 0}},
        {offsetof(lvl_graal_sign, y), LVL_NW_INT, {NULL, 0}},
        {offsetof(lvl_graal_sign, layer), LVL_NW_LAYER, {NULL, 0}},
    };
    static const lvl_nw_part baddy[] = {
        {offsetof(lvl_graal_baddy, x), LVL_NW_INT, {NULL, 0}},
        {offsetof(lvl_graal_baddy, y), LVL_NW_INT, {NULL, 0}},
        {offsetof(lvl_graal_baddy, type), LVL_NW_TYPE, {NULL, 0}},
        {offsetof(lvl_graal_baddy, layer), LVL_NW_LAYER, {NULL, 0}},
    };
    static const lvl_nw_part chest[] = {
        {offsetof(lvl_graal_chest, x), LVL_NW_INT, {NULL, 0}},
        {offsetof(lvl_graal_chest, y), LVL_NW_INT, {NULL, 0}},
        {offsetof(lvl_graal_chest, item), LVL_NW_ITEM, {NULL, 0}},
        {offsetof(lvl_graal_chest, sign), LVL_NW_INT, {NULL, 0}},
        {offsetof(lvl_graal_chest, layer), LVL_NW_LAYER, {NULL, 0}},
    };

    out->count = 0;
    out->more = out->image = false;
    switch (kind) {
    case LVL_NW_LINK: split_link(w, out); break;
    case LVL_NW_SIGN: add_words(out, w, 1, sign, LVL_COUNT_OF(sign)); break;
    case LVL_NW_BADDY: add_words(out, w, 1, baddy, LVL_COUNT_OF(baddy)); break;
    case LVL_NW_CHEST: add_words(out, w, 1, chest, LVL_COUNT_OF(chest)); break;
    case LVL_NW_NPC: split_npc(w, out); break;
    case LVL_NW_TILESET: split_tileset(w, out); break;
    case LVL_NW_BOARD:
    case LVL_NW_HEIGHTS:
    case LVL_NW_KINDS: break;
    }
}

/* A name of the list, or its number. `by_name`: what our writer puts. */
static void read_name(lvl_nw_parse *p, lvl_text word, const lvl_name *names, bool by_name, int32_t *out)
{
    int32_t v;

    for (const lvl_name *n = names; n->name; n++) {
        if (lvl_text_is(word, n->name)) {
            *out = (int32_t)n->value;
            p->canonical &= by_name;
            return;
        }
    }
    bool number = lvl_nw_int(word, &v, &p->canonical);
    const bool known = number && lvl_name_of(names, v);
    /* what has no name is written as a number, but for -1, which is what an unknown name becomes */
    if (!known)
        p->problems |= LVL_NW_UNKNOWN_NAME;
    if (known ? by_name : !number)
        p->canonical = false;
    *out = number ? v : -1;
}

static void read_part(lvl_nw_parse *p, const lvl_nw_part *part, void *item)
{
    uint8_t *to = (uint8_t *)item + part->member;
    lvl_text text = part->text;
    int32_t v;

    switch (part->type) {
    case LVL_NW_IMAGE:
    case LVL_NW_WORD:
        if (part->type == LVL_NW_IMAGE && lvl_text_is(text, "-"))
            text.len = 0;
        memcpy(to, &text, sizeof text);
        break;
    case LVL_NW_REAL: {
        double d;
        if (!lvl_nw_real(text, &d, &p->canonical))
            p->problems |= LVL_NW_BAD_NUMBER;
        memcpy(to, &d, sizeof d);
        break;
    }
    case LVL_NW_LAYER:
    case LVL_NW_INT:
        if (!lvl_nw_int(text, &v, &p->canonical))
            p->problems |= LVL_NW_BAD_NUMBER;
        if (part->type == LVL_NW_LAYER) {
            p->canonical = false; /* rare enough to be looked at closely */
            if (v < 0) {
                p->problems |= LVL_NW_BAD_NUMBER;
                v = 0;
            }
        }
        memcpy(to, &v, sizeof v);
        break;
    case LVL_NW_TYPE:
        read_name(p, text, lvl_graal_baddy_names, false, &v);
        memcpy(to, &v, sizeof v);
        break;
    case LVL_NW_ITEM:
        read_name(p, text, lvl_graal_item_names, true, &v);
        memcpy(to, &v, sizeof v);
        break;
    }
}

/* ---- bodies ---------------------------------------------------------------------------------------------------------------------- */

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
    lvl_nw_words words;
    lvl_nw_parts parts;

    lvl_nw_split(block->line.ptr, block->line.len, &words);
    lvl_nw_split_head(block->kind, &words, &parts);
    p->problems = parts.more ? LVL_NW_MORE_WORDS : 0;
    p->canonical = words.plain && !words.full && !parts.more && block->line.own && block->usual_end;
    for (unsigned i = 0; i < parts.count; i++)
        read_part(p, &parts.part[i], item);
    switch (block->kind) {
    case LVL_NW_SIGN: return read_text(p, block, &((lvl_graal_sign *)item)->text);
    case LVL_NW_NPC: return read_text(p, block, &((lvl_graal_npc *)item)->script);
    case LVL_NW_BADDY: read_verses(p, block, item); break;
    case LVL_NW_TILESET: ((lvl_graal_tileset *)item)->image = parts.image; break;
    default: break;
    }
    return LVL_OK;
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
        if (!lvl_nw_real(word, &values[n], &p->canonical))
            p->problems |= LVL_NW_BAD_NUMBER;
        n++;
    }
    if (n < LVL_GRAAL_HEIGHTS)
        p->problems |= LVL_NW_FEW_WORDS;
    *count = n;
}

/* ---- items into blocks ----------------------------------------------------------------------------------------------------------- */

static void put_text(lvl_buffer *out, lvl_text text)
{
    lvl_buffer_add(out, text.ptr, text.len);
}

static void put_word(lvl_buffer *out, lvl_text text)
{
    lvl_buffer_u8(out, ' ');
    put_text(out, text);
}

static void put_real(lvl_buffer *out, double value)
{
    lvl_buffer_u8(out, ' ');
    lvl_nw_put_real(out, value);
}

static void put_int(lvl_buffer *out, int64_t value)
{
    lvl_buffer_u8(out, ' ');
    lvl_nw_put_int(out, value);
}

static void put_layer(lvl_buffer *out, uint32_t layer)
{
    if (layer)
        put_int(out, layer);
}

/* Whether the line put from `at` on says the name that it begins with, or takes a word of it for a number. */
static bool name_is_plain(const lvl_buffer *out, size_t at, lvl_nw_kind kind, lvl_text name)
{
    lvl_nw_words words;
    lvl_nw_parts parts;

    if (!name.len || !memchr(name.ptr, ' ', name.len) || out->status != LVL_OK)
        return true;
    lvl_nw_split((const char *)out->data + at, out->len - at, &words);
    /* a name or destination of blanks, or none: no words could help */
    if (words.count < (kind == LVL_NW_LINK ? 8 : 4))
        return true;
    lvl_nw_split_head(kind, &words, &parts);
    return lvl_text_equal(parts.part[0].text, name);
}

static void put_npc(lvl_buffer *out, const lvl_graal_npc *npc)
{
    const size_t at = out->len;

    lvl_buffer_str(out, "NPC");
    put_word(out, npc->image.len ? npc->image : lvl_text_of("-"));
    put_real(out, npc->x);
    put_real(out, npc->y);
    put_layer(out, npc->layer);
    /* "NPC stone 2 30 30": without a layer, 2 would be x */
    if (!npc->layer && !name_is_plain(out, at, LVL_NW_NPC, npc->image))
        put_int(out, 0);
}

static void put_link(lvl_buffer *out, const lvl_graal_link *link)
{
    const size_t at = out->len;

    lvl_buffer_str(out, "LINK");
    put_word(out, link->level);
    put_real(out, link->x);
    put_real(out, link->y);
    put_real(out, link->width);
    put_real(out, link->height);
    put_word(out, link->dest_x);
    put_word(out, link->dest_y);
    if (link->dest_layer || link->layer || !name_is_plain(out, at, LVL_NW_LINK, link->level)) {
        put_int(out, link->dest_layer);
        put_int(out, link->layer);
    }
}

static void put_chest(lvl_buffer *out, const lvl_graal_chest *chest)
{
    const char *item = lvl_name_of(lvl_graal_item_names, chest->item);

    lvl_buffer_str(out, "CHEST");
    put_int(out, chest->x);
    put_int(out, chest->y);
    if (item)
        put_word(out, lvl_text_of(item));
    else
        put_int(out, chest->item);
    put_int(out, chest->sign);
    put_layer(out, chest->layer);
}

void lvl_nw_put_head(lvl_buffer *out, lvl_nw_kind kind, const void *item)
{
    switch (kind) {
    case LVL_NW_LINK: put_link(out, item); break;
    case LVL_NW_NPC: put_npc(out, item); break;
    case LVL_NW_CHEST: put_chest(out, item); break;
    case LVL_NW_SIGN: {
        const lvl_graal_sign *sign = item;
        lvl_buffer_str(out, "SIGN");
        put_int(out, sign->x);
        put_int(out, sign->y);
        put_layer(out, sign->layer);
        break;
    }
    case LVL_NW_BADDY: {
        const lvl_graal_baddy *baddy = item;
        lvl_buffer_str(out, "BADDY");
        put_int(out, baddy->x);
        put_int(out, baddy->y);
        put_int(out, baddy->type);
        put_layer(out, baddy->layer);
        break;
    }
    case LVL_NW_TILESET: {
        const lvl_graal_tileset *tileset = item;
        lvl_buffer_str(out, tileset->image ? "TILESETIMAGE" : "TILESET");
        put_word(out, tileset->name);
        if (tileset->type.len)
            put_word(out, tileset->type);
        break;
    }
    case LVL_NW_HEIGHTS: lvl_buffer_str(out, "HEIGHTS"); break;
    case LVL_NW_BOARD:
    case LVL_NW_KINDS: break;
    }
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
    put_text(out, text);
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

void lvl_nw_put_item(lvl_buffer *out, lvl_nw_kind kind, const void *item, bool crlf)
{
    lvl_nw_put_head(out, kind, item);
    lvl_nw_put_rest(out, kind, item, crlf);
}

void lvl_nw_put_heights(lvl_buffer *out, const double *values, uint32_t count, bool crlf)
{
    lvl_nw_put_line_end(out, crlf);
    for (uint32_t i = 0; i < count; i++) {
        lvl_nw_put_real(out, values[i]);
        if (i % 9 == 8 || i + 1 == count)
            lvl_nw_put_line_end(out, crlf);
        else
            lvl_buffer_u8(out, ',');
    }
    lvl_buffer_str(out, lvl_nw_end_word(LVL_NW_HEIGHTS));
    lvl_nw_put_line_end(out, crlf);
}
