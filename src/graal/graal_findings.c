/*
 * graal/graal_findings.c: what can be found in a level of this family, how bad it is for whom, and what
 * repair does about it. An error means that the game or a careful reader fails on that part; what the game
 * plays, however odd, is a warning or a note.
 */
#include "graal/graal_findings.h"

#include "graal/graal_check.h"

#include <stdarg.h>
#include <stddef.h>

#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

/* a row each, severities in strict, game, salvage */
const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT] = {
    /* ---- the reader of binary levels ---- */
    [LVL_GRAAL_F_HEADER_CUT] = {"graal.header.cut",
                                "The file ends inside its header, or the version in it is unknown.",
                                {F, F, F},
                                NULL},
    [LVL_GRAAL_F_LAYERS] = {"graal.layers.count",
                            "The number of tile layers is wrong, or it is 0.",
                            {E, E, E},
                            "sets the count to the layers in the file; adds a board of tile 0 if there is "
                            "none"},
    [LVL_GRAAL_F_TILES_CUT] = {"graal.tiles.cut",
                               "The file ends inside its tiles. The tiles before the cut are kept.",
                               {E, E, E},
                               "sets the missing tiles to 0"},
    [LVL_GRAAL_F_PACKETS] = {"graal.packets.odd",
                             "The tile block has something that no editor writes: a run of 0 tiles or of 1, "
                             "a run beyond the last tile, the head of a run in place of a tile (it replaces "
                             "the head before it), or unused bits that are set. Games may read it "
                             "differently.",
                             {W, W, W},
                             NULL},
    [LVL_GRAAL_F_SECTION_CUT] = {"graal.section.cut",
                                 "The file ends before a section's end mark. What the file has is kept.",
                                 {E, E, E},
                                 "ends the section, and those after it"},
    [LVL_GRAAL_F_SECTION_EARLY] =
        {"graal.section.early",
         "A list has an end mark before its last record: the rest of it is read as records of other lists. "
         "Without that mark the file has no bad record.",
         {E, E, E},
         "removes that end mark"},
    [LVL_GRAAL_F_END_MARK] = {"graal.section.end",
                              "A section's end mark has unknown bytes after it.",
                              {E, E, E},
                              NULL},
    [LVL_GRAAL_F_LINE_SHORT] = {"graal.line.short",
                                "Lines that are too short for a record.",
                                {W, N, N},
                                NULL},
    [LVL_GRAAL_F_LINK_WORDS] =
        {"graal.link.words",
         "A line of the links is not a link: it has too few words, or other words in place of numbers.",
         {E, E, E},
         NULL},
    [LVL_GRAAL_F_BADDY_VERSES] =
        {"graal.baddy.verses",
         "A baddy has the wrong number of texts for its version; missing ones are empty.",
         {W, N, N},
         NULL},
    [LVL_GRAAL_F_NPC_MARK] = {"graal.npc.mark",
                              "A line of the NPCs has no # after the image's name.",
                              {E, E, E},
                              "adds the # at the end"},
    [LVL_GRAAL_F_CHEST_LENGTH] = {"graal.chest.length",
                                  "A line of the chests is not four bytes long.",
                                  {E, E, E},
                                  "removes a chest of fewer than four bytes, cuts off further bytes"},
    [LVL_GRAAL_F_SIGN_CODE] = {"graal.sign.code",
                               "A sign has bytes that are not a character, or half of one.",
                               {W, W, W},
                               NULL},
    [LVL_GRAAL_F_HEIGHTS] = {"graal.heights.count",
                             "There are not 81 heights, or their end is missing.",
                             {E, E, E},
                             "sets their number to 81"},
    [LVL_GRAAL_F_TRAILING] = {"graal.trailing", "Bytes follow the last section.", {E, E, E}, NULL},
    [LVL_GRAAL_F_UNENDED] = {"graal.line.unended", "The last line has no line end.", {W, N, N}, NULL},
    [LVL_GRAAL_F_UNWRITABLE] =
        {"graal.unwritable",
         "The level has something that its version cannot represent: tiles past the last one, fractional "
         "places, NPCs in Z3 …. Writing is refused.",
         {E, E, E},
         NULL},

    /* ---- the reader of text levels ---- */
    [LVL_GRAAL_F_NW_HEADER] = {"graal.nw.header", "The first line is not GLEVNW01.", {F, F, F}, NULL},
    [LVL_GRAAL_F_NW_FIRST_LINE] =
        {"graal.nw.first_line",
         "The first line holds more than GLEVNW01; readers that compare all of it refuse the file.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_NW_LINE] =
        {"graal.nw.line",
         "A line outside of any block that is neither a command nor a comment; readers skip it. It is kept.",
         {N, N, N},
         NULL},
    [LVL_GRAAL_F_NW_COMMAND] = {"graal.nw.command",
                                "A line begins like a command but has too few words or impossible tiles; "
                                "readers skip it. It is kept.",
                                {E, E, E},
                                "removes it where the file breaks off in it"},
    [LVL_GRAAL_F_NW_END_UNMATCHED] = {"graal.nw.end_unmatched",
                                      "An end line without a block, such as NPCEND without NPC. Readers skip "
                                      "it; it may mean that the block's first line is damaged.",
                                      {W, W, W},
                                      NULL},
    [LVL_GRAAL_F_NW_INSIDE] = {"graal.nw.inside",
                               "A line inside of a script or sign would be a command outside of it. It is "
                               "part of the text, but an end line may be missing before it.",
                               {E, E, E},
                               "ends the text before it"},
    [LVL_GRAAL_F_NW_UNCLOSED] = {"graal.nw.unclosed",
                                 "The file ends inside of an NPC, sign, baddy or heights: it is cut, or its "
                                 "end line is missing. Readers use what the file has.",
                                 {E, W, W},
                                 "ends it"},
    [LVL_GRAAL_F_NW_NUMBER] =
        {"graal.nw.number",
         "Expected a number, found another word; readers take its leading digits, or 0.",
         {E, W, W},
         "writes the number that readers take"},
    [LVL_GRAAL_F_NW_NAME] = {"graal.nw.name",
                             "A baddy's type or a chest's item is unknown. The line is kept.",
                             {W, W, W},
                             NULL},
    [LVL_GRAAL_F_NW_WORDS] = {"graal.nw.words",
                              "More words than the command has; some servers then refuse the line.",
                              {W, W, N},
                              NULL},
    [LVL_GRAAL_F_NW_VERSES] =
        {"graal.nw.verses",
         "A baddy has more than three lines of text; the others are never shown. They are kept.",
         {W, N, N},
         NULL},
    [LVL_GRAAL_F_NW_HEIGHTS] = {"graal.nw.heights", "Not 81 heights.", {W, W, W}, NULL},
    [LVL_GRAAL_F_NW_ROW] =
        {"graal.nw.row",
         "A BOARD line with fewer tiles than it declares, with blanks between its tiles, or "
         "with characters that are no tile. The game skips such a line. Its tiles are "
         "kept.",
         {E, E, E},
         "writes the tiles in the line"},
    [LVL_GRAAL_F_NW_ROW_HIDES] =
        {"graal.nw.row_hides",
         "A BOARD line declares fewer tiles than it has, or its width is not a valid "
         "number: the game does not see the other tiles.",
         {E, E, E},
         "sets the count to the tiles in the line"},
    [LVL_GRAAL_F_NW_ROW_BEYOND] =
        {"graal.nw.row_beyond",
         "A BOARD line has tiles beyond the board's edge, or other words behind its tiles: the game does not "
         "show them. They are kept: an edit of other tiles of the line is refused. Correct the line in a "
         "text editor first.",
         {E, E, E},
         NULL},
    [LVL_GRAAL_F_NW_ROW_LONG] = {"graal.nw.row_long",
                                 "A BOARD line with more characters than its tiles need, or a count of tiles "
                                 "beyond the board's edge.",
                                 {W, W, N},
                                 NULL},
    [LVL_GRAAL_F_NW_ROW_TWICE] = {"graal.nw.row_twice",
                                  "BOARD lines set the same tiles twice; the later ones apply.",
                                  {W, N, N},
                                  NULL},
    [LVL_GRAAL_F_NW_ABSENT] = {"graal.nw.absent",
                               "BOARD lines are missing for part of the board. What the game shows there "
                               "differs between clients.",
                               {N, N, N},
                               NULL},

    [LVL_GRAAL_F_NW_UNWRITABLE] = {"graal.nw.unwritable",
                                   "A text level cannot represent this: a script with a line NPCEND, a file "
                                   "name that is empty or would be read as a number of its line. Writing is "
                                   "refused.",
                                   {E, E, E},
                                   NULL},

    /* ---- rules, either form ---- */
    [LVL_GRAAL_F_STALE_BADDY] =
        {"graal.stale.baddy",
         "An NPC record holds a baddy: an early editor, which read the list of baddies by lines, moved it "
         "and all after a baddy in column or row 10 (a line feed) to the NPCs. The game does not show it.",
         {E, E, W},
         "removes it; with --recover it becomes a baddy again, unless the same one is there"},
    [LVL_GRAAL_F_STALE_END] =
        {"graal.stale.end",
         "An NPC record holds the end mark of a list of baddies that an early editor moved to the NPCs.",
         {E, E, W},
         "removes it"},
    [LVL_GRAAL_F_STALE_FRAGMENT] =
        {"graal.stale.fragment",
         "An NPC record holds a part of a baddy that an early editor split. The missing byte is the line "
         "feed itself: its column or its row, 10.",
         {E, E, W},
         "removes it; with --recover it becomes a baddy again where column, row and type are known"},
    [LVL_GRAAL_F_STALE_CHEST] =
        {"graal.stale.chest",
         "A chest record holds the first four bytes of a baddy or of its list's end mark: its position is "
         "off the board, and there is no such item.",
         {E, E, W},
         "removes it"},
    [LVL_GRAAL_F_LINK_OFF_BOARD] =
        {"graal.link.off_board",
         "The rectangle of a link leaves the board; the part outside cannot be reached.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_LINK_NO_AREA] = {"graal.link.no_area",
                                  "The rectangle of a link has no area: the player cannot enter it.",
                                  {W, W, N},
                                  NULL},
    [LVL_GRAAL_F_LINK_DESTINATION] = {"graal.link.destination",
                                      "A link leads to a position off the board of the other level.",
                                      {W, W, N},
                                      NULL},
    [LVL_GRAAL_F_LINK_EXPRESSION] =
        {"graal.link.expression",
         "The destination of a link is neither a number nor an expression of numbers, playerx and playery.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_LINK_EARLY_EXPRESSION] =
        {"graal.link.early_expression",
         "The destination of a link is an expression, which is possible from GR-V1.03 on.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_LINK_MISSING] =
        {"graal.link.missing",
         "A link leads to a level that was not found, although other levels that links lead to were.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_BADDY_OFF_BOARD] = {"graal.baddy.off_board", "A baddy is off the board.", {W, W, N}, NULL},
    [LVL_GRAAL_F_BADDY_TYPE] = {"graal.baddy.type",
                                "A baddy of an unknown type, or of one that this version does not have.",
                                {W, W, N},
                                NULL},
    [LVL_GRAAL_F_BADDY_LINE_FEED] =
        {"graal.baddy.line_feed",
         "A baddy is in column or row 10. That byte is a line feed, at which early editors end the list of "
         "baddies: it and all that follow would become broken NPCs.",
         {N, N, LVL_NONE},
         NULL},
    [LVL_GRAAL_F_CHEST_OFF_BOARD] = {"graal.chest.off_board",
                                     "A chest, which is 2 by 2 tiles, is not entirely on the board.",
                                     {W, W, N},
                                     NULL},
    [LVL_GRAAL_F_CHEST_ITEM] = {"graal.chest.item", "A chest contains an unknown item.", {W, W, N}, NULL},
    [LVL_GRAAL_F_CHEST_SIGN] =
        {"graal.chest.sign",
         "A chest names a sign that the level does not have; no text is shown on opening.",
         {W, W, N},
         NULL},
    [LVL_GRAAL_F_SIGN_OFF_BOARD] = {"graal.sign.off_board",
                                    "A sign, which is 2 by 1 tiles, is not entirely on the board.",
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
                                "The braces of a script do not match (comments and strings aside).",
                                {N, N, LVL_NONE},
                                NULL},
    [LVL_GRAAL_F_NPC_SAY] = {"graal.npc.say",
                             "A script shows a sign by a number that the level does not have.",
                             {N, N, LVL_NONE},
                             NULL},
    [LVL_GRAAL_F_FILE_CASE] =
        {"graal.file.case",
         "A name differs from that of the file only in case. The game ignores case; file systems of servers "
         "may not.",
         {N, N, LVL_NONE},
         NULL},
    [LVL_GRAAL_F_FILE_TWIN] =
        {"graal.file.twin",
         "There is no file of that name, but one that differs in its ending only (.nw for "
         ".graal, .png for .gif), as converted files do.",
         {N, N, LVL_NONE},
         NULL},
    [LVL_GRAAL_F_TILE_RANGE] = {"graal.tile.range",
                                "A tile is beyond the end of this version's tileset.",
                                {E, E, W},
                                NULL},
    [LVL_GRAAL_F_CUT_COMPLETED] =
        {"graal.cut.completed",
         "A truncated level was completed: its sections were ended, and missing tiles were set to 0, which "
         "servers also use for missing rows.",
         {N, N, N},
         NULL},

    /* ---- losses of a conversion ---- */
    [LVL_GRAAL_F_LOSS_PICTURE] =
        {"graal.loss.picture",
         "A picture becomes a level, and no tile of the tileset shows what these cells show; they get the "
         "most similar one.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_PICTURE] = {"graal.picture",
                             "A picture cannot become a level: its size is wrong, or the tileset is missing.",
                             {E, E, E},
                             NULL},
    [LVL_GRAAL_F_LOSS_TILE] = {"graal.loss.tile",
                               "The form's tileset ends before these tiles; they become tile 0.",
                               {W, W, W},
                               NULL},
    [LVL_GRAAL_F_LOSS_ABSENT] = {"graal.loss.absent",
                                 "A binary level has all its tiles; missing ones become tile 0.",
                                 {W, W, W},
                                 NULL},
    [LVL_GRAAL_F_LOSS_LAYER] =
        {"graal.loss.layer",
         "Only text levels have objects on layers; only they and GR-V1.05 have layers of tiles.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_HEIGHTS] = {"graal.loss.heights",
                                  "Heights of the ground are in GR-V1.04, GR-V1.05 and text levels only.",
                                  {W, W, W},
                                  NULL},
    [LVL_GRAAL_F_LOSS_TILESET] = {"graal.loss.tileset", "Only text levels name tilesets.", {W, W, W}, NULL},
    [LVL_GRAAL_F_LOSS_EXPRESSION] =
        {"graal.loss.expression",
         "Up to GR-V1.02 a link's destination is a number, and -1 the player's own coordinate; later "
         "versions use an expression.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_VERSES] =
        {"graal.loss.verses",
         "The texts of a baddy cannot be represented: Z3-V1.03 has none, and in others some characters "
         "separate them.",
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
         "Binary levels store positions in whole tiles from -32 to 223 except -22, which would be a line "
         "feed. The nearest is used.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_IMAGE] = {"graal.loss.image",
                                "The name of a picture holds characters that would end it; they become _.",
                                {W, W, W},
                                NULL},
    [LVL_GRAAL_F_LOSS_SCRIPT_BYTE] =
        {"graal.loss.script_byte",
         "A script holds bytes A7, which are line ends in binary levels; they become ?.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_END_LINE] =
        {"graal.loss.end_line",
         "A line of a text would end its block in a text level; it gets a blank before it.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_SIGN_CODE] =
        {"graal.loss.sign_code",
         "Signs of Zelda Online and of Graal share most characters and codes, but not these: they are shown "
         "differently or not at all.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_UNKNOWN_LINE] =
        {"graal.loss.unknown_line",
         "Lines that are not commands (comments, unknown lines) have no place in a binary level.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_SPELLING] =
        {"graal.loss.spelling",
         "The level has bytes without content, or spellings of numbers, that the other form cannot keep: "
         "converted back, the file would differ.",
         {W, W, W},
         NULL},
    [LVL_GRAAL_F_LOSS_UNWRITABLE] = {"graal.loss.unwritable",
                                     "The form cannot represent it; it is left out.",
                                     {W, W, W},
                                     NULL},
};

void lvl_graal_report(const lvl_graal_checker *c, int what, const lvl_where *where, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(c->findings, &lvl_graal_findings[what], where, NULL, fmt, args);
    va_end(args);
}
