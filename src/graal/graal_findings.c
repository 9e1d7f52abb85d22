/*
 * graal/graal_findings.c: what can be found in a level of this family, how bad it is for whom, and what repair does about it. An error means that the
 * game or a careful reader fails on that part; what the game plays, however odd, is a warning or a note.
 */
#include "graal/graal_findings.h"

#include <stddef.h>

#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

/* a row each, severities in strict, game, salvage */
const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT] = {
    /* ---- the reader of binary levels ---- */
    [LVL_GRAAL_F_HEADER_CUT] = {"graal.header.cut",
                                "The file ends inside its header, or the header is of no version.",
                                {F, F, F},
                                NULL},
    [LVL_GRAAL_F_LAYERS] = {"graal.layers.count",
                            "The number of tile layers is not that of the layers that are there, or it is 0.",
                            {E, E, E},
                            "counts the layers that are there; puts in a board of tile 0 if there is none"},
    [LVL_GRAAL_F_TILES_CUT] = {"graal.tiles.cut",
                               "The file ends inside its tiles. The tiles before the cut are kept.",
                               {E, E, E},
                               "puts tile 0 for those that are gone"},
    [LVL_GRAAL_F_PACKETS_COUNT] = {"graal.packets.count",
                                   "The tile block has a run of no tile or of one, which no editor writes; "
                                   "games differ in what they make of it.",
                                   {W, W, W},
                                   NULL},
    [LVL_GRAAL_F_PACKETS_OVERSHOOT] =
        {"graal.packets.overshoot",
         "A run of tiles goes on past the last tile; what is too much is dropped.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_PACKETS_CONTROL] =
        {"graal.packets.control",
         "In the tile block, the head of a run stands where a tile should. It is read "
         "as the head of the run, in place of the one before.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_PACKETS_BITS] = {"graal.packets.bits",
                                  "The tile block has bits set that mean nothing.",
                                  {W, N, N},
                                  NULL},
    [LVL_GRAAL_F_PACKETS_OTHER] = {"graal.packets.encoder",
                                   "The tile block was made by another encoder than the original editor's.",
                                   {N, N, N},
                                   NULL},
    [LVL_GRAAL_F_SECTION_CUT] = {"graal.section.cut",
                                 "The file ends before a section's end mark. What is there is kept.",
                                 {E, E, E},
                                 "ends the section, and those after it"},
    [LVL_GRAAL_F_SECTION_EARLY] =
        {"graal.section.early",
         "A list has an end mark before its last record: the rest of it is read as records of other lists. "
         "Without that mark the file has no bad record.",
         {E, E, E},
         "removes that end mark"},
    [LVL_GRAAL_F_END_MARK] = {"graal.section.end",
                              "A section's end mark has bytes behind it that mean nothing.",
                              {E, E, E},
                              NULL},
    [LVL_GRAAL_F_STRAY] = {"graal.line.stray", "Lines that are too short to say anything.", {W, N, N}, NULL},
    [LVL_GRAAL_F_LINK_WORDS] =
        {"graal.link.words",
         "A line among the links isn't one: it has too few words, or words where numbers "
         "should be.",
         {E, E, E},
         "removes a link of too few words"},
    [LVL_GRAAL_F_BADDY_VERSES] =
        {"graal.baddy.verses",
         "A baddy has not as many verses as its version's have; those missing are empty.",
         {W, N, N},
         "removes a baddy of fewer than three bytes"},
    [LVL_GRAAL_F_NPC_MARK] = {"graal.npc.mark",
                              "A line among the NPCs has no # that would end the image's name.",
                              {E, E, E},
                              "puts the # behind what is there"},
    [LVL_GRAAL_F_CHEST_LENGTH] = {"graal.chest.length",
                                  "A line among the chests isn't four bytes long.",
                                  {E, E, E},
                                  "removes a chest of fewer than four bytes, cuts off what is too much"},
    [LVL_GRAAL_F_SIGN_CODE] = {"graal.sign.code",
                               "A sign has bytes that stand for no letter, or for half of one.",
                               {W, W, W},
                               NULL},
    [LVL_GRAAL_F_HEIGHTS] = {"graal.heights.count",
                             "The heights aren't 81, or have no end.",
                             {E, E, E},
                             "makes them 81"},
    [LVL_GRAAL_F_TRAILING] = {"graal.trailing", "Bytes follow the last section.", {E, E, E}, NULL},
    [LVL_GRAAL_F_UNENDED] = {"graal.line.unended", "The last line has no line end.", {W, N, N}, NULL},
    [LVL_GRAAL_F_LIMIT] = {"graal.limit",
                           "A section has more items than the limit; --limit items raises it.",
                           {F, F, F},
                           NULL},
    [LVL_GRAAL_F_UNSAYABLE] =
        {"graal.unsayable",
         "The level has something that its version can't hold: tiles past the last one, fractional "
         "places, NPCs in Z3 …. Writing is refused.",
         {E, E, E},
         NULL},

    /* ---- the reader of text levels ---- */
    [LVL_GRAAL_F_NW_HEADER] = {"graal.nw.header", "The file doesn't begin with GLEVNW01.", {F, F, F}, NULL},
    [LVL_GRAAL_F_NW_FIRST_LINE] =
        {"graal.nw.first_line",
         "The first line holds more than GLEVNW01; readers that compare all of it refuse the file.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_NW_LINE] =
        {"graal.nw.line",
         "A line outside of any block that is no command and no comment; readers pass over it. It is kept.",
         {N, N, N},
         NULL},
    [LVL_GRAAL_F_NW_COMMAND] = {"graal.nw.command",
                                "A line begins as a command but has too few words, or tells of tiles that "
                                "can't be; readers pass over it. It is kept.",
                                {E, E, E},
                                "removes it where the file breaks off in it"},
    [LVL_GRAAL_F_NW_STRAY_END] = {"graal.nw.stray_end",
                                  "An end line that ends nothing: NPCEND after no NPC. Readers pass over it; "
                                  "it may mean that the block's first line is damaged.",
                                  {W, W, W},
                                  NULL},
    [LVL_GRAAL_F_NW_INSIDE] = {"graal.nw.inside",
                               "A line inside of a script or sign would be a whole command outside of it. It "
                               "is part of the text; it may mean that an end line is missing before it.",
                               {E, E, E},
                               "ends the text before it"},
    [LVL_GRAAL_F_NW_UNCLOSED] = {"graal.nw.unclosed",
                                 "The file ends inside of an NPC, sign, baddy or heights: it is cut, or its "
                                 "end line was forgotten. Readers take what is there.",
                                 {E, W, W},
                                 "ends it"},
    [LVL_GRAAL_F_NW_NUMBER] =
        {"graal.nw.number",
         "A word that should be a number isn't one; readers take its leading digits, or 0.",
         {E, W, W},
         "writes the number that readers take"},
    [LVL_GRAAL_F_NW_NAME] = {"graal.nw.name",
                             "A baddy's type or a chest's item isn't known. The line is kept.",
                             {W, W, W},
                             NULL},
    [LVL_GRAAL_F_NW_WORDS] = {"graal.nw.words",
                              "More words than the command has; some servers then refuse the line.",
                              {W, W, N},
                              NULL},
    [LVL_GRAAL_F_NW_VERSES] =
        {"graal.nw.verses",
         "A baddy says more than three lines; the others are never shown. They are kept.",
         {W, N, N},
         NULL},
    [LVL_GRAAL_F_NW_HEIGHTS] = {"graal.nw.heights", "Not 81 heights.", {W, W, W}, NULL},
    [LVL_GRAAL_F_NW_ROW] = {"graal.nw.row",
                            "A BOARD line with fewer tiles than it says, or with blanks between them or "
                            "characters that stand for none; the game passes over such a line. The tiles "
                            "that are there are kept.",
                            {E, E, E},
                            "writes the tiles that are there"},
    [LVL_GRAAL_F_NW_ROW_HIDES] = {"graal.nw.row_hides",
                                  "A BOARD line counts fewer tiles than it has, or its width is no possible "
                                  "number: the game does not see the rest.",
                                  {E, E, E},
                                  "counts the tiles that are there"},
    [LVL_GRAAL_F_NW_ROW_BEYOND] =
        {"graal.nw.row_beyond",
         "A BOARD line has tiles beyond the board's edge, or other words behind its tiles: the game does not "
         "show them. They are kept: an edit of other tiles of the line is refused. Correct the line in a "
         "text "
         "editor first.",
         {E, E, E},
         NULL},
    [LVL_GRAAL_F_NW_ROW_LONG] = {"graal.nw.row_long",
                                 "A BOARD line with more characters than its tiles need, or a count of tiles "
                                 "beyond the board's edge.",
                                 {W, W, N},
                                 NULL},
    [LVL_GRAAL_F_NW_ROW_TWICE] = {"graal.nw.row_twice",
                                  "BOARD lines give the same tiles twice; the later ones count.",
                                  {W, N, N},
                                  NULL},
    [LVL_GRAAL_F_NW_ABSENT] = {"graal.nw.absent",
                               "BOARD lines are missing: part of the board isn't given. What the game shows "
                               "there differs between clients.",
                               {N, N, N},
                               NULL},

    [LVL_GRAAL_F_NW_UNSAYABLE] = {"graal.nw.unsayable",
                                  "A text level has no way to say this: a script with a line NPCEND, a file "
                                  "name that is empty or reads as a number of its line. Writing is refused.",
                                  {E, E, E},
                                  NULL},

    /* ---- rules, either form ---- */
    [LVL_GRAAL_F_STALE_BADDY] =
        {"graal.stale.baddy",
         "An NPC record holds a baddy: an early editor, which read the list of baddies by lines, "
         "lost it and all behind a baddy in column or row 10 (a line feed) to the NPCs. Nothing "
         "of it is seen in the game.",
         {E, E, W},
         "removes it; with --recover it becomes a baddy again, unless the same one is there"},
    [LVL_GRAAL_F_STALE_END] =
        {"graal.stale.end",
         "An NPC record holds the end mark of a list of baddies that an early editor lost to the "
         "NPCs.",
         {E, E, W},
         "removes it"},
    [LVL_GRAAL_F_STALE_FRAGMENT] =
        {"graal.stale.fragment",
         "An NPC record holds a part of a baddy that an early editor took apart. The byte that "
         "is missing is the line feed itself: its column or its row, 10.",
         {E, E, W},
         "removes it; with --recover it becomes a baddy again where column, row and type are known"},
    [LVL_GRAAL_F_STALE_CHEST] =
        {"graal.stale.chest",
         "A chest record holds the first four bytes of a baddy or of its list's end mark: its "
         "place is off the board, and there is no such item.",
         {E, E, W},
         "removes it"},
    [LVL_GRAAL_F_LINK_OFF_BOARD] =
        {"graal.link.off_board",
         "The rectangle of a link leaves the board; what is outside can't be walked into.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_LINK_NO_AREA] = {"graal.link.no_area",
                                  "The rectangle of a link has no area: nobody can walk into it.",
                                  {W, W, N},
                                  NULL},
    [LVL_GRAAL_F_LINK_DESTINATION] = {"graal.link.destination",
                                      "A link leads to a place off the board of the other level.",
                                      {W, W, N},
                                      NULL},
    [LVL_GRAAL_F_LINK_EXPRESSION] =
        {"graal.link.expression",
         "The destination of a link is neither a number nor an expression of numbers, playerx and playery.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_LINK_EARLY_EXPRESSION] =
        {"graal.link.early_expression",
         "The destination of a link is an expression, which is understood from GR-V1.03 on.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_LINK_MISSING] =
        {"graal.link.missing",
         "A link leads to a level that was not found, although other levels that links lead to were.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_BADDY_OFF_BOARD] = {"graal.baddy.off_board",
                                     "A baddy stands off the board.",
                                     {W, W, N},
                                     NULL},
    [LVL_GRAAL_F_BADDY_TYPE] = {"graal.baddy.type",
                                "A baddy of a type that there isn't, or not yet in this version.",
                                {W, W, N},
                                NULL},
    [LVL_GRAAL_F_BADDY_LINE_FEED] =
        {"graal.baddy.line_feed",
         "A baddy stands in column or row 10. That byte is a line feed, at which early editors "
         "end the list of baddies: there, it and all that follow would become broken NPCs.",
         {N, N, LVL_NONE},
         NULL},
    [LVL_GRAAL_F_CHEST_OFF_BOARD] = {"graal.chest.off_board",
                                     "A chest, which is 2 by 2 tiles, isn't wholly on the board.",
                                     {W, W, N},
                                     NULL},
    [LVL_GRAAL_F_CHEST_ITEM] = {"graal.chest.item",
                                "There is no such item to be in a chest.",
                                {W, W, N},
                                NULL},
    [LVL_GRAAL_F_CHEST_SIGN] =
        {"graal.chest.sign",
         "A chest names a sign that the level doesn't have; nothing is said on opening.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_SIGN_OFF_BOARD] = {"graal.sign.off_board",
                                    "A sign, which is 2 by 1 tiles, isn't wholly on the board.",
                                    {N, N, N},
                                    NULL},
    [LVL_GRAAL_F_SIGN_WIDE] = {"graal.sign.wide",
                               "A line of a sign is wider than the box that it is shown in.",
                               {N, N, LVL_NONE},
                               NULL},
    [LVL_GRAAL_F_NPC_IMAGE_MISSING] =
        {"graal.npc.image_missing",
         "The picture of an NPC was not found, although pictures of other NPCs were.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_NPC_BRACES] = {"graal.npc.braces",
                                "The braces of a script don't match (comments and strings aside).",
                                {N, N, LVL_NONE},
                                NULL},
    [LVL_GRAAL_F_NPC_SAY] = {"graal.npc.say",
                             "A script shows a sign by a number that the level doesn't have.",
                             {N, N, LVL_NONE},
                             NULL},
    [LVL_GRAAL_F_FILE_CASE] =
        {"graal.file.case",
         "A name differs from that of the file only in case. The game doesn't mind; file systems "
         "of servers may.",
         {N, N, LVL_NONE},
         NULL},
    [LVL_GRAAL_F_FILE_TWIN] =
        {"graal.file.twin",
         "There is no file of that name, but one that differs in its ending only (.nw for "
         ".graal, .png for .gif), as converted files do.",
         {N, N, LVL_NONE},
         NULL},
    [LVL_GRAAL_F_TILE_RANGE] = {"graal.tile.range",
                                "A tile lies past the end of the tileset that this version can name.",
                                {E, E, W},
                                NULL},
    [LVL_GRAAL_F_CUT_MENDED] =
        {"graal.cut.mended",
         "A level that broke off was completed: its sections were ended, and tiles that the file "
         "doesn't have became tile 0, which is what servers take for rows that aren't there.",
         {N, N, N},
         NULL},

    /* ---- losses of a conversion ---- */
    [LVL_GRAAL_F_LOSS_TILE] = {"graal.loss.tile",
                               "The form's tileset ends before these tiles; they become tile 0.",
                               {W, W, W},
                               NULL},
    [LVL_GRAAL_F_LOSS_ABSENT] =
        {"graal.loss.absent",
         "A binary level has all its tiles; those that the level doesn't give become tile 0.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_LAYER] =
        {"graal.loss.layer",
         "Only text levels have things on layers, and only they and GR-V1.05 layers of tiles.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_HEIGHTS] = {"graal.loss.heights",
                                  "Heights of the ground are in GR-V1.04, GR-V1.05 and text levels only.",
                                  {W, W, W},
                                  NULL},
    [LVL_GRAAL_F_LOSS_TILESET] = {"graal.loss.tileset", "Only text levels name tilesets.", {W, W, W}, NULL},
    [LVL_GRAAL_F_LOSS_EXPRESSION] =
        {"graal.loss.expression",
         "Up to GR-V1.02 a link's destination is a number, and -1 the player's own coordinate; "
         "later ones say that, and more, by an expression.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_VERSES] =
        {"graal.loss.verses",
         "What a baddy says can't be said so: Z3-V1.03 has nothing of the kind, others have "
         "characters that set it apart.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_BADDY] = {"graal.loss.baddy",
                                "The version has no baddy of that type; it is left out.",
                                {W, W, W},
                                NULL},
    [LVL_GRAAL_F_LOSS_NPC] = {"graal.loss.npc",
                              "The version has no NPCs; they are left out.",
                              {W, W, W},
                              NULL},
    [LVL_GRAAL_F_LOSS_CHEST] = {"graal.loss.chest",
                                "The version has no chests, or no such item; it is left out.",
                                {W, W, W},
                                NULL},
    [LVL_GRAAL_F_LOSS_PLACE] =
        {"graal.loss.place",
         "Binary levels say places in whole tiles from -32 to 223, but for -22, which would be a "
         "line feed. The nearest is taken.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_IMAGE] =
        {"graal.loss.image",
         "The name of a picture holds characters that would end it; _ takes their place.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_SCRIPT_BYTE] =
        {"graal.loss.script_byte",
         "A script holds bytes A7, which binary levels take for line ends; ? takes their place.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_END_LINE] =
        {"graal.loss.end_line",
         "A line of a text would end its block in a text level; it gets a blank before it.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_SIGN_CODE] =
        {"graal.loss.sign_code",
         "Signs of Zelda Online and of Graal share most characters and codes but not these: they "
         "are shown as something else, or not at all.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_STRAY] =
        {"graal.loss.stray",
         "Lines that are no command (comments, strays) have no place in a binary level.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_SPELLING] =
        {"graal.loss.spelling",
         "The level has bytes without content, or spellings of numbers, that the other form cannot keep: "
         "converted back, the file would differ.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_UNSAYABLE] = {"graal.loss.unsayable",
                                    "The form can't say it as it is; it is left out.",
                                    {W, W, W},
                                    NULL},
};
