/*
 * graal/nw_scan.c: finds the blocks of a text level. A command has to stand at the start of a line, in capitals, with as many words as the game
 * asks for; lines that are no command are passed over and hang on the block that follows. The body of an NPC, a sign or a baddy ends at its end
 * line and nowhere else, whatever its lines look like.
 */
#include "graal/nw_parts.h"

static const struct {
    const char *word, *end, *name;
    unsigned least; /* words that the command has at least, itself among them */
} kinds[LVL_NW_KINDS] = {
    [LVL_NW_BOARD] = {"BOARD", NULL, "board", 6},
    [LVL_NW_LINK] = {"LINK", NULL, "link", 8},
    [LVL_NW_SIGN] = {"SIGN", "SIGNEND", "sign", 3},
    [LVL_NW_BADDY] = {"BADDY", "BADDYEND", "baddy", 4},
    [LVL_NW_CHEST] = {"CHEST", NULL, "chest", 5},
    [LVL_NW_NPC] = {"NPC", "NPCEND", "npc", 4},
    [LVL_NW_HEIGHTS] = {"HEIGHTS", "HEIGHTSEND", "heights", 1},
    [LVL_NW_TILESET] = {"TILESET", NULL, "tileset", 2},
};

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
        size_t len = strlen(kinds[k].word);
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
    lvl_nw_words words;
    lvl_nw_row row;

    if (!lvl_nw_is_command_word(line, kind))
        return false;
    lvl_nw_split(line->ptr, line->len, &words);
    if (words.count < kinds[*kind].least)
        return false;
    return *kind != LVL_NW_BOARD || lvl_nw_read_row(&words, &row);
}

bool lvl_nw_is_swallowed(const lvl_nw_line *line, lvl_nw_kind *kind)
{
    lvl_nw_words words;
    bool canonical;
    double v;

    if (!line->len || !memchr("NBL", line->ptr[0], 3) || !lvl_nw_is_command(line, kind))
        return false;
    lvl_nw_split(line->ptr, line->len, &words);
    /* prose begins with such words too: places have to be numbers */
    return *kind == LVL_NW_NPC
               ? lvl_nw_real(words.word[2], &v, &canonical) && lvl_nw_real(words.word[3], &v, &canonical)
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
