/*
 * graal/graal_format.c: levels of Zelda Online and Graal Online as the house knows them: a binary format of
 * nine versions and a text one.
 */
#include "graal/graal_format.h"

#include "graal/graal_findings.h"
#include "graal/graal_level.h"

const lvl_format lvl_format_graal = {
    .id = "graal",
    .family = "graal",
    .title = "Graal level, binary (Zelda Online, Graal Online)",
    .extensions = "graal zelda",
    .later = "GR-V Z3-V",
    .mime = "application/x-graal-level",
    .notes = "Eight bytes of header, which alone decides (`.zelda` files may hold GR levels and the "
             "other way round); the tile block, a stream of packets of 11, 12 or 13 bits; then lines: "
             "links, baddies, NPCs (from GR-V1.00), chests (from GR-V1.01), signs, and from GR-V1.04 "
             "heights, as other editors describe them. Text is in one byte a character, windows-1252 "
             "as a rule. Places are in tiles.\n\n"
             "A sign is stored as cells of a picture with letters. Those that aren't a character stand "
             "in its text as codes: `#.` three dots, `#h` a head, `#u` `#d` `#l` `#r` arrows, `#A` "
             "`#B` `#X` `#Y` buttons, `#x` `#y` `#z` old letters, `#4` a heart and, up to Z3-V1.04, "
             "`#1` `#2` `#3` parts of it. A character without a cell is stored as `#K(n)` by its "
             "number and stands as itself; `#K(35)` before a character that would make it one of these "
             "codes is a plain `#`. Other codes (`#b`, `#i(…)`, `#s(…)`) are the game's and stay as "
             "they are.\n\n"
             "No real file is known of Z3-V1.02, GR-V1.00, GR-V1.04 and GR-V1.05: those are read and "
             "written as described.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_REPAIR | LVL_CAN_RENDER | LVL_CAN_CONVERT,
    .codepage = LVL_CP_1252,
    .table = &lvl_graal_table,
    .findings = lvl_graal_findings,
    .finding_count = LVL_GRAAL_F_COUNT,
    .probe = lvl_graal_probe,
    .read = lvl_graal_read,
    .write = lvl_graal_write,
    .check_writable = lvl_graal_check_writable,
    .kept = lvl_doc_kept_members,
    .drop_spelling = lvl_doc_drop_kept_members,
    .check = lvl_graal_check,
    .repair = lvl_graal_repair,
    .info = lvl_graal_info,
    .scene = lvl_graal_scene,
    .links = lvl_graal_links,
    .forms = lvl_graal_forms,
    .convert = lvl_graal_convert,
};

const lvl_format lvl_format_nw = {
    .id = "nw",
    .family = "graal",
    .title = "Graal level, text (New World, Graal Online)",
    .extensions = "nw",
    .later = "GLEVNW GWEBL",
    .mime = "text/x-graal-level",
    .notes = "The first line is GLEVNW01. Each further line is a command, or belongs to one; lines that are "
             "none (blank ones, comments, strays) are skipped by the game and kept by lvl. A command stands "
             "at the start of its line, in capitals, its words set apart by blanks: `BOARD x y width layer "
             "tiles`, two characters a tile from A–Z a–z 0–9 + /, upper six bits first, one line for each "
             "stretch of tiles that there are; `LINK level x y width height destx desty`; `SIGN x y`, its "
             "text, `SIGNEND`; `BADDY x y type`, three lines that it says, `BADDYEND`; `CHEST x y item "
             "sign`; `NPC image x y`, its script, `NPCEND`, where `-` stands for no image. Other editors "
             "add the number of a layer of tiles behind SIGN, BADDY, CHEST and NPC, two behind a LINK (of "
             "the destination, of itself), and the commands `TILESET name type`, `TILESETIMAGE name` and "
             "`HEIGHTS`, nine lines of nine numbers, `HEIGHTSEND`.\n\nA text ends at its end line and "
             "nowhere else: a line of a script that looks like a command is a line of the script, and no "
             "script can hold the line NPCEND. Names of levels and images may hold blanks; the numbers are "
             "counted from the end of the line then. Tiles that no BOARD line gives are absent, not 0: "
             "clients differ in what they show there. Above layer 0, tile 4095 (`//`) is drawn as "
             "nothing.\n\nEditors differ in blank lines, line ends and order; lvl sees a file's manner "
             "(`style`, `blanks`, `line_end`, `order`) while it reads, and writes new items in it. Text is "
             "in one byte a character, windows-1252 as a rule. Places are in tiles, fractions allowed for "
             "links and NPCs.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_REPAIR | LVL_CAN_RENDER | LVL_CAN_CONVERT,
    .codepage = LVL_CP_1252,
    .table = &lvl_graal_table,
    .findings = lvl_graal_findings,
    .finding_count = LVL_GRAAL_F_COUNT,
    .probe = lvl_nw_probe,
    .read = lvl_nw_read,
    .write = lvl_nw_write,
    .check_writable = lvl_nw_check_writable,
    .kept = lvl_doc_kept_members,
    .drop_spelling = lvl_doc_drop_kept_members,
    .check = lvl_graal_check,
    .repair = lvl_graal_repair,
    .info = lvl_graal_info,
    .scene = lvl_graal_scene,
    .links = lvl_graal_links,
    .forms = lvl_graal_forms,
    .convert = lvl_graal_convert,
};
