/*
 * graal/level/graal_stale.c: see graal_stale.h.
 */
#include "graal/level/graal_stale.h"

#include "graal/level/graal_findings.h"
#include "graal/level/graal_names.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_RECORD = 512, /* longest record that may be a baddy; the editor's texts are far shorter */
    SIDE = LVL_GRAAL_SIDE,
    TYPES = 10,
    MARK = 0xFF
};

/* The bytes of a record in a binary level, without the added `#`. */
struct raw {
    uint8_t bytes[MAX_RECORD];
    size_t len;
};

/* The byte of a coordinate in a binary level; -1: not possible. */
static int place_byte(double at)
{
    return at >= -32 && at <= 223 && at == (double)(int)at ? (int)at + 32 : -1;
}

/* False if it cannot be a baddy: it has a picture, code or a second line, or is too long. */
static bool raw_of(const lvl_graal_npc *npc, struct raw *raw)
{
    const int x = place_byte(npc->x), y = place_byte(npc->y);

    if (x < 0 || y < 0 || npc->image.len || npc->script.len > MAX_RECORD - 2)
        return false;
    raw->bytes[0] = (uint8_t)x;
    raw->bytes[1] = (uint8_t)y;
    for (size_t i = 0; i < npc->script.len; i++) {
        const char c = npc->script.ptr[i];
        if (c == '{' || c == ';' || c == '\n')
            return false;
        raw->bytes[2 + i] = (uint8_t)c;
    }
    raw->len = 2 + npc->script.len;
    return true;
}

/* Whether the bytes at `from` are three texts, as in a baddy. */
static bool has_texts(const struct raw *raw, size_t from)
{
    size_t bars = 0;

    if (raw->len < from)
        return false;
    for (size_t i = from; i < raw->len; i++) {
        bars += raw->bytes[i] == '\\';
        if (raw->bytes[i] < ' ')
            return false;
    }
    return bars == 2;
}

/* The kind, judging only by the record itself. LVL_STALE_HEAD: possibly. */
static lvl_stale classify_record(const struct raw *raw)
{
    const uint8_t *b = raw->bytes;

    if (raw->len == 3 && b[0] == MARK && b[1] == MARK && b[2] == MARK)
        return LVL_STALE_END;
    if (raw->len > 3 && b[0] < SIDE && b[1] < SIDE && b[2] < TYPES && has_texts(raw, 3))
        return LVL_STALE_BADDY;
    if (b[0] < SIDE && b[1] < TYPES && has_texts(raw, 2))
        return LVL_STALE_COLUMN;
    if (b[0] < TYPES && has_texts(raw, 1))
        return LVL_STALE_REST;
    return raw->len == 2 && b[0] < SIDE && b[1] == 0 ? LVL_STALE_HEAD : LVL_STALE_NONE;
}

static lvl_stale stale_kind_at(const lvl_graal *level, uint32_t index, struct raw *raw)
{
    if (index >= level->npc_count || !raw_of(&level->npcs[index], raw))
        return LVL_STALE_NONE;
    return classify_record(raw);
}

lvl_stale lvl_graal_stale_npc(const lvl_graal *level, uint32_t index)
{
    struct raw raw, other;
    const lvl_stale kind = stale_kind_at(level, index, &raw);

    if (kind != LVL_STALE_NONE && kind != LVL_STALE_HEAD)
        return kind;
    if (!raw_of(&level->npcs[index], &raw))
        return LVL_STALE_NONE;
    const lvl_stale before = index ? stale_kind_at(level, index - 1, &other) : LVL_STALE_NONE,
                    after = stale_kind_at(level, index + 1, &other);
    if (kind == LVL_STALE_HEAD && after == LVL_STALE_REST)
        return LVL_STALE_HEAD;
    /* a record next to such records, left of the board, that is empty or has the separators of a baddy's
     * texts */
    const bool fits = raw.len == 2 || memchr(raw.bytes + 1, '\\', raw.len - 1);
    const bool beside = (before != LVL_STALE_NONE && before != LVL_STALE_HEAD) ||
                        (after != LVL_STALE_NONE && after != LVL_STALE_HEAD);
    return fits && beside && raw.bytes[0] < 31 ? LVL_STALE_PIECE : LVL_STALE_NONE;
}

/* Copies the next of three separated texts. */
static bool take_text(const struct raw *raw, size_t *from, lvl_arena *arena, lvl_text *out)
{
    size_t end = *from;

    while (end < raw->len && raw->bytes[end] != '\\')
        end++;
    out->len = end - *from;
    out->ptr = out->len ? lvl_arena_copy(arena, raw->bytes + *from, out->len) : NULL;
    *from = end + 1;
    return !out->len || out->ptr;
}

bool lvl_graal_stale_baddy(const lvl_graal *level, uint32_t index, lvl_arena *arena, lvl_graal_baddy *out)
{
    const lvl_stale kind = lvl_graal_stale_npc(level, index);
    bool whole = true;
    struct raw raw;
    size_t from;

    memset(out, 0, sizeof *out);
    if ((kind != LVL_STALE_BADDY && kind != LVL_STALE_COLUMN && kind != LVL_STALE_REST) ||
        !raw_of(&level->npcs[index], &raw))
        return false;
    if (kind == LVL_STALE_REST) {
        whole = index && lvl_graal_stale_npc(level, index - 1) == LVL_STALE_HEAD;
        out->x = whole ? (int32_t)level->npcs[index - 1].x + 32 : 0;
        out->y = '\n';
        out->type = raw.bytes[0];
        from = 1;
    } else if (kind == LVL_STALE_COLUMN) {
        out->x = '\n';
        out->y = raw.bytes[0];
        out->type = raw.bytes[1];
        from = 2;
    } else {
        out->x = raw.bytes[0];
        out->y = raw.bytes[1];
        out->type = raw.bytes[2];
        from = 3;
    }
    if (arena && !(take_text(&raw, &from, arena, &out->attack) && take_text(&raw, &from, arena, &out->hurt) &&
                   take_text(&raw, &from, arena, &out->win)))
        return false;
    return whole;
}

int lvl_graal_stale_finding(lvl_stale stale)
{
    return stale == LVL_STALE_BADDY ? LVL_GRAAL_F_STALE_BADDY
           : stale == LVL_STALE_END ? LVL_GRAAL_F_STALE_END
                                    : LVL_GRAAL_F_STALE_FRAGMENT;
}

const char *lvl_graal_stale_text(const lvl_graal *level, uint32_t index, lvl_stale stale,
                                 char buf[LVL_STALE_TEXT])
{
    static const char *const texts[] = {
        [LVL_STALE_BADDY] = "a baddy of an earlier save, read as an NPC",
        [LVL_STALE_COLUMN] = "a baddy in column 10, read as an NPC without that byte",
        [LVL_STALE_HEAD] = "the column of a baddy in row 10, read as an NPC",
        [LVL_STALE_REST] = "the rest of a baddy in row 10, read as an NPC",
        [LVL_STALE_END] = "the end mark of a list of baddies, read as an NPC",
        [LVL_STALE_PIECE] = "a piece beside baddies that were read as NPCs",
    };
    lvl_graal_baddy b;
    char name[32];

    if (lvl_graal_stale_baddy(level, index, NULL, &b))
        snprintf(buf, LVL_STALE_TEXT, "%s: %s at %ld, %ld", texts[stale],
                 lvl_graal_baddy_text(b.type, name, sizeof name), (long)b.x, (long)b.y);
    else
        snprintf(buf, LVL_STALE_TEXT, "%s%s", texts[stale],
                 stale == LVL_STALE_REST ? "; its column is lost" : "");
    return buf;
}

const char *lvl_graal_stale_chest(const lvl_graal_chest *chest)
{
    const bool off = chest->x < -1 || chest->x > 63 || chest->y < -1 || chest->y > 63;

    if (!off || (chest->item >= 0 && chest->item <= 24))
        return NULL;
    return chest->x == MARK - 32 && chest->y == MARK - 32 && chest->item == MARK - 32
               ? "the end mark of a list of baddies"
               : "the first four bytes of a baddy";
}
