/*
 * graal/graal_format.c: levels of Zelda Online and Graal Online as the house knows them: a binary format of nine versions and a text one.
 */
#include "graal/graal_format.h"

#include "graal/graal_findings.h"
#include "graal/graal_level.h"

const lvl_format lvl_format_graal = {
    .id = "graal",
    .family = "graal",
    .title = "Graal level, binary (Zelda Online, Graal Online)",
    .extensions = "graal zelda",
    .mime = "application/x-graal-level",
    .notes = "Eight bytes of header, which alone decides (`.zelda` files may hold GR levels and the other "
             "way round); the tile block, a stream of "
             "packets of 11, 12 or 13 bits; then lines: links, baddies, NPCs, chests, signs. Text is in one "
             "byte a character, windows-1252 "
             "as a rule. Places are in tiles.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_REPAIR | LVL_CAN_RENDER | LVL_CAN_CONVERT,
    .codepage = LVL_CP_1252,
    .table = &lvl_graal_table,
    .findings = lvl_graal_findings,
    .finding_count = LVL_GRAAL_F_COUNT,
    .probe = lvl_graal_probe,
    .read = lvl_graal_read,
    .write = lvl_graal_write,
    .unsayable = lvl_graal_unsayable,
    .kept = lvl_graal_kept,
    .forget = lvl_graal_forget,
    .check = lvl_graal_check,
    .repair = lvl_graal_repair,
    .info = lvl_graal_info,
    .scene = lvl_graal_scene,
    .forms = lvl_graal_forms,
    .convert = lvl_graal_convert,
};

const lvl_format lvl_format_nw = {
    .id = "nw",
    .family = "graal",
    .title = "Graal level, text (New World, Graal Online)",
    .extensions = "nw",
    .mime = "text/x-graal-level",
    .notes = "Lines of text, each a command: BOARD, LINK, SIGN, BADDY, CHEST, NPC, and the extensions of "
             "other editors. Text is in one byte a "
             "character, windows-1252 as a rule. Places are in tiles.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_REPAIR | LVL_CAN_RENDER | LVL_CAN_CONVERT,
    .codepage = LVL_CP_1252,
    .table = &lvl_graal_table,
    .findings = lvl_graal_findings,
    .finding_count = LVL_GRAAL_F_COUNT,
    .probe = lvl_nw_probe,
    .read = lvl_nw_read,
    .write = lvl_nw_write,
    .unsayable = lvl_nw_unsayable,
    .kept = lvl_graal_kept,
    .forget = lvl_graal_forget,
    .check = lvl_graal_check,
    .repair = lvl_graal_repair,
    .info = lvl_graal_info,
    .scene = lvl_graal_scene,
    .forms = lvl_graal_forms,
    .convert = lvl_graal_convert,
};
