/*
 * support/nw_seeds.c: see support/nw_seeds.h.
 */
#include "nw_seeds.h"

#include <lvl/graal.h>
#include <string.h>

const char *lvl_nw_seed_name(int seed)
{
    static const char *const names[] = {"official", "before", "after", "extended", "odd", "full"};

    return names[seed];
}

/* Appends lines with the line ends of the file. */
static void put(lvl_buffer *out, bool crlf, const char *lines)
{
    for (const char *nl; (nl = strchr(lines, '\n')) != NULL; lines = nl + 1) {
        lvl_buffer_add(out, lines, (size_t)(nl - lines));
        lvl_buffer_str(out, crlf ? "\r\n" : "\n");
    }
}

static void put_block(lvl_buffer *out, unsigned style, bool crlf, const char *lines)
{
    if (style == LVL_NW_BLANK_BEFORE)
        put(out, crlf, "\n");
    put(out, crlf, lines);
    if (style == LVL_NW_BLANK_AFTER)
        put(out, crlf, "\n");
}

lvl_status lvl_nw_styled(unsigned style, bool crlf, lvl_buffer *out)
{
    put(out, crlf, "GLEVNW01\nBOARD 0 0 4 0 AAABf/Ib\nBOARD 0 1 4 0 AAAA//J4\nBOARD 2 3 2 0 CpCq\n");
    if (style == LVL_NW_BLANK_AFTER)
        put(out, crlf, "\n");
    put(out, crlf, "LINK door.nw 30 62.5 2 1 playerx 2\nLINK far.graal 0 0 1 64 61.5 playery\n");
    put_block(out, style, crlf, "SIGN 10 12\nHello #K(233)\n#b\n  two lines\nSIGNEND\n");
    put_block(out, style, crlf, "SIGN 0 0\n\nSIGNEND\n");
    put_block(out, style, crlf, "BADDY 20 21 3\nStop!\nOuch!\n\nBADDYEND\n");
    put(out, crlf, "CHEST 5 6 greenrupee -1\nCHEST 7 6 bow 1\n");
    put_block(out, style, crlf, "NPC - 12.5 -3\n// script\nif (created) {\n\n  NPC x y z\n}\nNPCEND\n");
    put_block(out, style, crlf, "NPC light\xE9.png 30.3125 70\n\nNPCEND\n");
    return out->status;
}

static void put_extended(lvl_buffer *out)
{
    put(out, false,
        "GLEVNW01\n"
        "BOARD 0 0 3 0 AAABAC\nBOARD 4 0 1 0 AD\n"
        "BOARD 1 2 2 1 EtEt\nBOARD 60 63 4 1 ////AAAA\n"
        "LINK a far level.nw 1 2 3 4 5 6\nLINK up.nw 1 2 3 4 playerx+4 playery-38 1 2\nLINK one 1.nw 0 0 1 1 "
        "2 3 1 0\n"
        "SIGN 1 2 3\nlayered\nSIGNEND\n"
        "BADDY 1 2 9 1\na\nb\nc\nBADDYEND\nBADDY 3 4 dragon\na\nb\nc\nBADDYEND\nBADDY 5 6 "
        "12\n\n\n\nBADDYEND\n"
        "BADDY 5 6 wolf\nonly one\nBADDYEND\n"
        "CHEST 1 2 spinattack 0 1\nCHEST 3 4 24 0\nCHEST 3 4 nothing 0\n"
        "NPC a tall ladder.png 30 29\n\nNPCEND\nNPC x.png 1 2 3\nlayered\nNPCEND\nNPC stone 2 1.5 2 "
        "0\n\nNPCEND\n"
        "HEIGHTS\n");
    for (int i = 0; i < LVL_GRAAL_HEIGHTS; i++)
        lvl_buffer_printf(out, "%d%s%c", i - 40, i % 4 == 3 ? ".25" : "", i % 9 == 8 ? '\n' : ',');
    put(out, false, "HEIGHTSEND\nTILESET pics1.png\nTILESET other tiles.png 1\nTILESETIMAGE sheet.png\n");
}

static void put_odd(lvl_buffer *out)
{
    lvl_buffer_str(out, "\xEF\xBB\xBFGLEVNW01 \n"
                        "\n// made by hand\n"
                        "BOARD 0 1 4 0 AAABACAD\nBOARD  0 0 4 0 AAABACAD\n"
                        "stray\n"
                        "BOARD 2 0 4 0 AAA*ACADAE\n"
                        "NPC a.png 030 1.50 \nBOARD 0 0 64 0 AA\nNPCEND \n"
                        "LINK b.nw +1 2 3 4e0 5 6\n\n\n"
                        "LINK too few words\n"
                        "NPCEND\n"
                        "SIGN 1 2x\nSIGNEND\n"
                        "BOARD 0 2 4 0 AAABACAD\n"
                        "BADDY 1 2 5\nfour\nlines\nof\ntalk\nBADDYEND\r\n"
                        "CHEST 1 2 7 3 0\n"
                        "NPC - 1 2\nwith a CR\r\n\r\nNPCEND\r\n"
                        "UNKNOWN 1 2\n"
                        "NPC - 1e1 2\nno end");
}

lvl_status lvl_nw_seed(int seed, lvl_buffer *out)
{
    switch (seed) {
    case LVL_NW_SEED_OFFICIAL: return lvl_nw_styled(LVL_NW_OFFICIAL, false, out);
    case LVL_NW_SEED_BEFORE: return lvl_nw_styled(LVL_NW_BLANK_BEFORE, true, out);
    case LVL_NW_SEED_AFTER:
        lvl_nw_styled(LVL_NW_BLANK_AFTER, false, out);
        put(out, false, "CHEST 9 6 heart -1\nNPC - 1 2\n\nNPCEND\n\nTILESET pics1.png\n");
        break;
    case LVL_NW_SEED_EXTENDED: put_extended(out); break;
    case LVL_NW_SEED_ODD: put_odd(out); break;
    default:
        put(out, false, "GLEVNW01\n");
        for (int y = 0; y < LVL_GRAAL_SIDE; y++) {
            lvl_buffer_printf(out, "BOARD 0 %d 64 0 ", y);
            for (int x = 0; x < LVL_GRAAL_SIDE; x++) {
                static const char digits[] =
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
                lvl_buffer_u8(out, (uint8_t)digits[(x * 7 + y) % 64]);
                lvl_buffer_u8(out, (uint8_t)digits[(x + y * 5) % 64]);
            }
            lvl_buffer_str(out, "\n");
        }
        put(out, false,
            "LINK door.nw 30 62 2 1 30 2\nSIGN 1 2\nHello\nSIGNEND\nNPC - 1 2\nscript;\nNPCEND\n");
        break;
    }
    return out->status;
}
