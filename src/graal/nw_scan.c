/*
 * graal/nw_scan.c: finds the blocks of a text level. A command has to stand at the start of a line, in
 * capitals, with as many words as the game asks for; lines that are no command are passed over and hang
 * on the block that follows. The body of an NPC, a sign or a baddy ends at its end line and nowhere else,
 * whatever its lines look like.
 */
#include "graal/nw_internal.h"

/* clang-format off */
#define WORD(word_) word_, sizeof(word_) - 1
static const struct {
    const char *word;
    size_t len; /* of the word */
    const char *end, *name;
    unsigned required; /* words that have to follow: those of `words` outside of brackets */
    const char *words;
} kinds[LVL_NW_KINDS] = {
    [LVL_NW_BOARD] = {WORD("BOARD"), NULL, "board", 5, NULL},
    [LVL_NW_LINK] = {WORD("LINK"), NULL, "link", 7,
                     "level... x y width height dest_x dest_y [dest_layer layer]"},
    [LVL_NW_SIGN] = {WORD("SIGN"), "SIGNEND", "sign", 2, "x y [layer]"},
    [LVL_NW_BADDY] = {WORD("BADDY"), "BADDYEND", "baddy", 3, "x y #type [layer]"},
    [LVL_NW_CHEST] = {WORD("CHEST"), NULL, "chest", 4, "x y item sign [layer]"},
    [LVL_NW_NPC] = {WORD("NPC"), "NPCEND", "npc", 3, "-image.. x y [layer]"},
    [LVL_NW_HEIGHTS] = {WORD("HEIGHTS"), "HEIGHTSEND", "heights", 0, NULL},
    [LVL_NW_TILESET] = {WORD("TILESET"), NULL, "tileset", 1, "name [type...]"},
};
/* clang-format on */

const char *lvl_nw_words_of(lvl_nw_kind kind)
{
    return kinds[kind].words;
}

bool lvl_nw_is_end(const lvl_nw_line *line, const char *word)
{
    const size_t len = strlen(word);

    return line->len >= len && memcmp(line->ptr, word, len) == 0 &&
           !lvl_text_trim((lvl_text){line->ptr + len, line->len - len}).len;
}

lvl_text lvl_nw_behind_word(lvl_nw_kind kind, const char *line, size_t len)
{
    size_t word = kinds[kind].len;

    while (kind == LVL_NW_TILESET && word < len && line[word] != ' ' && line[word] != '\t' &&
           line[word] != '\r')
        word++; /* TILESETIMAGE */
    return (lvl_text){line + word, len - word};
}

unsigned lvl_nw_required(lvl_nw_kind kind)
{
    return kinds[kind].required;
}

/* Whether as many words follow the command as have to. */
static bool has_words(lvl_nw_kind kind, lvl_text text)
{
    const char *p = text.ptr, *end = p + text.len;

    for (unsigned left = kinds[kind].required; left; left--) {
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p == end)
            return false;
        while (p < end && *p != ' ' && *p != '\t' && *p != '\r')
            p++;
    }
    return true;
}

const char *lvl_nw_end_word(lvl_nw_kind kind)
{
    return kinds[kind].end;
}

const char *lvl_nw_kind_word(lvl_nw_kind kind)
{
    return kinds[kind].word;
}

const char *lvl_nw_kind_name(lvl_nw_kind kind)
{
    return kinds[kind].name;
}

bool lvl_nw_is_command_word(const lvl_nw_line *line, lvl_nw_kind *kind)
{
    static const char image[] = "TILESETIMAGE";

    for (int k = 0; k < LVL_NW_KINDS; k++) {
        size_t len = kinds[k].len;
        if (line->len < len || line->ptr[0] != kinds[k].word[0] || memcmp(line->ptr, kinds[k].word, len) != 0)
            continue;
        if (k == LVL_NW_TILESET && line->len >= sizeof image - 1 &&
            memcmp(line->ptr, image, sizeof image - 1) == 0)
            len = sizeof image - 1;
        if (line->len > len && line->ptr[len] != ' ' && line->ptr[len] != '\t' && line->ptr[len] != '\r')
            continue;
        *kind = (lvl_nw_kind)k;
        return true;
    }
    return false;
}

bool lvl_nw_is_command(const lvl_nw_line *line, lvl_nw_kind *kind)
{
    lvl_nw_row row;

    if (!lvl_nw_is_command_word(line, kind))
        return false;
    if (*kind == LVL_NW_BOARD)
        return lvl_nw_read_row(line, &row);
    return has_words(*kind, lvl_nw_behind_word(*kind, line->ptr, line->len));
}

bool lvl_nw_is_swallowed(const lvl_nw_line *line, lvl_nw_kind *kind)
{
    lvl_words words;
    double v;

    if (!line->len || !memchr("NBL", line->ptr[0], 3) || !lvl_nw_is_command(line, kind))
        return false;
    lvl_words_split(line->ptr, line->len, &words);
    /* prose begins with such words too: places have to be numbers */
    return *kind == LVL_NW_NPC
               ? lvl_word_real(words.word[2], &v, NULL) && lvl_word_real(words.word[3], &v, NULL)
               : *kind == LVL_NW_BOARD || *kind == LVL_NW_LINK;
}

bool lvl_nw_next_block(const lvl_nw_text *text, const char **at, lvl_nw_block *block)
{
    const char *p = *at;

    block->lead = p;
    for (;; p = block->line.next) {
        if (p == text->end) {
            *at = p;
            return false;
        }
        block->line = lvl_nw_line_at(text, p);
        if (lvl_nw_is_command(&block->line, &block->kind))
            break;
    }
    block->head = p;
    block->body = block->close = block->end = block->line.next;
    block->closed = block->usual_end = true;
    const char *word = kinds[block->kind].end;
    if (word) {
        const size_t len = strlen(word);
        lvl_nw_line line = block->line;
        block->closed = block->usual_end = false;
        for (p = block->body; p < text->end; p = line.next) {
            line = lvl_nw_line_at(text, p);
            if (*p == *word && lvl_nw_is_end(&line, word)) {
                block->closed = true;
                block->usual_end = line.own && line.len == len;
                break;
            }
        }
        block->close = p;
        block->end = line.next;
    }
    *at = block->end;
    return true;
}

/* ---- order ------------------------------------------------------------------------------------- */

void lvl_nw_add_run(lvl_buffer *order, lvl_nw_kind kind, uint64_t count)
{
    if (order->len)
        lvl_buffer_u8(order, ' ');
    lvl_buffer_str(order, lvl_nw_kind_name(kind));
    if (count > 1) {
        lvl_buffer_u8(order, '*');
        lvl_put_int_word(order, (int64_t)count);
    }
}

bool lvl_nw_next_run(const char **at, const char *end, lvl_nw_kind *kind, uint64_t *count)
{
    while (*at < end) {
        const char *p = *at, *name;
        while (p < end && *p == ' ')
            p++;
        for (name = p; p < end && *p != ' ' && *p != '*'; p++)
            ;
        const lvl_text word = {name, (size_t)(p - name)};
        *count = 1;
        if (p < end && *p == '*') {
            *count = 0;
            for (p++; p < end && *p >= '0' && *p <= '9' && *count < UINT32_MAX; p++)
                *count = *count * 10 + (uint64_t)(*p - '0');
        }
        while (p < end && *p != ' ')
            p++;
        *at = p;
        for (int k = 0; k < LVL_NW_KINDS; k++) {
            if (lvl_text_is(word, lvl_nw_kind_name((lvl_nw_kind)k))) {
                *kind = (lvl_nw_kind)k;
                return true;
            }
        }
    }
    return false;
}
