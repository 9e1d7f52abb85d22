/*
 * graal/level/graal_findings_list.h: what can be found in a level of this family: its name in code, its
 * id, how bad it is (in the profiles strict, game, salvage: none, note, warning, error, fatal), what it
 * means, and what repair does about it. An error means that the game or a careful reader fails on that
 * part; what the game plays, however odd, is a warning or a note. Included where FINDING and REPAIRED are
 * defined.
 */

/* the reader of binary levels */
FINDING(HEADER_CUT, "graal.header.cut", F, F, F,
        "The file ends inside its header, or the version in it is unknown.")
REPAIRED(LAYERS, "graal.layers.count", E, E, E, "The number of tile layers is wrong, or it is 0.",
         "sets the count to the layers in the file; adds a board of tile 0 if there is none")
REPAIRED(TILES_CUT, "graal.tiles.cut", E, E, E,
         "The file ends inside its tiles. The tiles before the cut are kept.", "sets the missing tiles to 0")
REPAIRED(SECTION_CUT, "graal.section.cut", E, E, E,
         "The file ends before a section's end mark. What the file has is kept.",
         "ends the section, and those after it")
REPAIRED(SECTION_EARLY, "graal.section.early", E, E, E,
         "A list has an end mark before its last record: the rest of it is read as records of other lists. "
         "Without that mark the file has no bad record.",
         "removes that end mark")
REPAIRED(NPC_MARK, "graal.npc.mark", E, E, E, "A line of the NPCs has no # after the image's name.",
         "adds the # at the end")

/* bytes that no member may hold, from here to LVL_GRAAL_F_TRAILING */
FINDING(END_MARK, "graal.section.end", E, E, E, "A section's end mark has unknown bytes after it.")
FINDING(PACKETS, "graal.packets.odd", W, W, W,
        "The tile block has something that no editor writes: a run of 0 tiles or of 1, a run beyond the last "
        "tile, the head of a run in place of a tile, or unused bits that "
        "are set. Games may read it differently.")
FINDING(LINE_SHORT, "graal.line.short", W, N, N, "Lines that are too short for a record.")
FINDING(LINK_WORDS, "graal.link.words", E, E, E,
        "A line of the links is not a link: it has too few words, or other words in place of numbers.")
FINDING(BADDY_VERSES, "graal.baddy.verses", W, N, N,
        "A baddy has the wrong number of texts for its version; missing ones are empty.")
REPAIRED(CHEST_LENGTH, "graal.chest.length", E, E, E, "A line of the chests is not four bytes long.",
         "removes a chest of fewer than four bytes, cuts off further bytes")
FINDING(SIGN_CODE, "graal.sign.code", W, W, W, "A sign has bytes that are not a character, or half of one.")
REPAIRED(HEIGHTS, "graal.heights.count", E, E, E, "There are not 81 heights, or their end is missing.",
         "sets their number to 81")
FINDING(TRAILING, "graal.trailing", E, E, E, "Bytes follow the last section.")
REPAIRED(SIGN_CUT, "graal.sign.cut", E, E, E,
         "The last sign has no line end: it may be cut. Games show what the file has.", "ends it")
FINDING(UNENDED, "graal.line.unended", W, N, N, "The last line has no line end.")
FINDING(UNWRITABLE, "graal.unwritable", E, E, E,
        "The level has something that its version cannot represent: tiles past the last one, fractional "
        "places, NPCs in Z3 …. Writing is refused.")

/* binary levels only */
REPAIRED(STALE_BADDY, "graal.stale.baddy", E, E, W,
         "An NPC record holds a baddy: an early editor moved it "
         "and all after a baddy in column or row 10 (a line feed) to the NPCs. The game does not show it.",
         "removes it; with --recover it becomes a baddy again, unless the same one is there")
REPAIRED(STALE_END, "graal.stale.end", E, E, W,
         "An NPC record holds the end mark of a list of baddies that an early editor moved to the NPCs.",
         "removes it")
REPAIRED(STALE_FRAGMENT, "graal.stale.fragment", E, E, W,
         "An NPC record holds a part of a baddy that an early editor split at its column or row, 10.",
         "removes it; with --recover it becomes a baddy again where column, row and type are known")
REPAIRED(STALE_CHEST, "graal.stale.chest", E, E, W,
         "A chest record holds the first four bytes of a baddy or of its list's end mark: its position is "
         "off the board, and there is no such item.",
         "removes it")
FINDING(LINK_EARLY_EXPRESSION, "graal.link.early_expression", W, W, N,
        "The destination of a link is an expression, which is possible from GR-V1.03 on.")
FINDING(BADDY_LINE_FEED, "graal.baddy.line_feed", N, N, o,
        "A baddy is in column or row 10, a line feed, at which early editors end the list: it and all that "
        "follow would become broken NPCs.")
FINDING(CUT_COMPLETED, "graal.cut.completed", N, N, N,
        "A truncated level was completed: its sections were ended, and missing tiles were set to 0, which "
        "servers also use for missing rows.")

/* rules, either form; the first that text levels can have */
FINDING(LINK_OFF_BOARD, "graal.link.off_board", W, W, N,
        "The rectangle of a link leaves the board; the part outside cannot be reached.")
FINDING(LINK_NO_AREA, "graal.link.no_area", W, W, N,
        "The rectangle of a link has no area: the player cannot enter it.")
FINDING(LINK_DESTINATION, "graal.link.destination", W, W, N,
        "A link leads to a position off the board of the other level.")
FINDING(LINK_EXPRESSION, "graal.link.expression", W, W, N,
        "The destination of a link is neither a number nor an expression of numbers, playerx and playery.")
ABOUT(LINK_MISSING, "graal.link.missing", W, W, N, NO_LEVEL,
      "A link leads to a level that was not found, although other levels that links lead to were.", NULL)
FINDING(
    LINK_BLOCKED, "graal.link.blocked", N, N, o,
    "A link leads into walls: players who arrive there cannot move, unless a script of another level or of a "
    "weapon frees them, or the level has another tileset than its scripts say.")
FINDING(BADDY_OFF_BOARD, "graal.baddy.off_board", W, W, N, "A baddy is off the board.")
FINDING(BADDY_TYPE, "graal.baddy.type", W, W, N,
        "A baddy of an unknown type, or of one that this version does not have.")
FINDING(CHEST_OFF_BOARD, "graal.chest.off_board", W, W, N,
        "A chest, which is 2 by 2 tiles, is not entirely on the board.")
FINDING(CHEST_ITEM, "graal.chest.item", W, W, N, "A chest contains an unknown item.")
FINDING(CHEST_SIGN, "graal.chest.sign", W, W, N,
        "A chest names a sign that the level does not have; no text is shown on opening.")
FINDING(SIGN_OFF_BOARD, "graal.sign.off_board", N, N, N,
        "A sign, which is 2 by 1 tiles, is not entirely on the board.")
FINDING(SIGN_WIDE, "graal.sign.wide", N, N, o, "A line of a sign is wider than the box that it is shown in.")
FINDING(SIGN_EMPTY, "graal.sign.empty", N, N, o, "A sign has no text: it shows an empty box.")
ABOUT(NPC_IMAGE_MISSING, "graal.npc.image_missing", W, W, N, NO_PICTURE,
      "The picture of an NPC was not found, although pictures of other NPCs were.", NULL)
FINDING(NPC_BRACES, "graal.npc.braces", N, N, o,
        "The braces of a script do not match (comments and strings aside).")
FINDING(NPC_SAY, "graal.npc.say", N, N, o, "A script shows a sign by a number that the level does not have.")
FINDING(LINK_COVERED, "graal.link.covered", W, W, o,
        "A link lies within another one before it in the file, which players take instead: it is never used.")
FINDING(LINK_ENDING, "graal.link.ending", W, W, o,
        "A link leads to a name without the ending of a level (.nw, .graal, .zelda, .gmap), probably a "
        "mistyped one: players may not go this way.")
FINDING(
    LINK_WALLED, "graal.link.walled", N, N, o,
    "All tiles in and around a link block, by the classic types of tiles, so nobody reaches it. Doors that "
    "scripts of other levels or of weapons open are not known.")
FINDING(BADDY_MANY, "graal.baddy.many", W, W, o, "More than 50 baddies: servers leave out the others.")
FINDING(CHEST_TWICE, "graal.chest.twice", W, W, o,
        "Two chests at the same place: servers know a chest by its place, so opening one opens both.")
FINDING(CHEST_WALLED, "graal.chest.walled", N, N, o,
        "All tiles around a chest block, by the classic types of tiles, so nobody can open it. Doors that "
        "scripts of other levels or of weapons open are not known.")
FINDING(
    NPC_IMAGE_NAME, "graal.npc.image_name", W, W, o,
    "The name of an NPC's picture ends in ; or has no ending such as .png: clients do not find it, so the "
    "NPC is not drawn.")
FINDING(NPC_TWICE, "graal.npc.twice", N, N, o,
        "Two NPCs have the same place, picture and script: they are drawn and run twice.")
FINDING(
    SCRIPT_NEVER, "graal.script.never", N, N, o,
    "A condition of a script waits for an event that never happens, unless a server does it: for timeout, "
    "which nothing sets, for a touch of an NPC that is hidden or has no picture and shape, or for "
    "weaponfired in an NPC that is no weapon.")
FINDING(SCRIPT_SHAPE, "graal.script.shape", N, N, o,
        "setshape has a side of 1 to 8: it counts in pixels, of which a tile has 16.")
FINDING(SCRIPT_GANI, "graal.script.gani", N, N, o,
        "A script names an animation with .gani at its end, which the name does not have there: the "
        "character may not move.")
FINDING(SCRIPT_LATE, "graal.script.late", W, W, o,
        "sparringzone or singleplayer is neither the first word of a script nor the last of one of its first "
        "lines: it has no effect.")
FINDING(SCRIPT_MISSPELT, "graal.script.misspelt", W, W, o,
        "A word of a script is not a command, but resembles one: it is not run.")
FINDING(SCRIPT_UNKNOWN, "graal.script.unknown", N, N, o,
        "A statement of a script is not a command, so it does nothing, unless a server or client has a "
        "command that lvl does not know.")
FINDING(SCRIPT_FEW, "graal.script.few_arguments", W, W, o,
        "A command of a script has fewer arguments than it needs: it is not run, or uses 0 for the others.")
FINDING(SCRIPT_MANY, "graal.script.many_arguments", N, N, o,
        "A command of a script has more arguments than it takes: the others have no effect.")
FINDING(SCRIPT_SEMICOLON, "graal.script.semicolon", W, W, o,
        "A command of a script has no ; before the next: the next is read as its argument and is not run.")
FINDING(SCRIPT_CODE, "graal.script.code", W, W, o,
        "A script sets a property of a character by a message code that cannot be set: nothing changes.")
FINDING(SCRIPT_NAME, "graal.script.name", W, W, o,
        "A script names an item, baddy or colour that does not exist: nothing appears or changes.")
FINDING(SCRIPT_PARENTHESIS, "graal.script.parenthesis", W, W, o,
        "The parentheses of a condition or of numbers in a script do not match: the condition is read "
        "wrongly, and what depends on it may run always or never.")
FINDING(SCRIPT_STRING, "graal.script.string", W, W, o,
        "A text in a script has a quotation mark at one end only: code is read as a text, or a text "
        "as code.")
FINDING(SCRIPT_COMMENT, "graal.script.comment", W, W, o,
        "A comment in a script begins with /* and has no */: the rest of the script is not run.")
FINDING(REACH_LEVEL, "graal.reach.level", N, N, o,
        "lvl check --reach-from: no link, and no warp in the script of a reachable level, leads to this "
        "level; scripts of the server, of weapons and of classes are not followed.")
FINDING(REACH_LINK, "graal.reach.link", N, N, o,
        "lvl check --reach-from: players who enter this level have no way on foot to the link. Doors that "
        "scripts open and jumps are not known.")
FINDING(REACH_CHEST, "graal.reach.chest", N, N, o,
        "lvl check --reach-from: players who enter this level have no way on foot to the chest. Doors that "
        "scripts open and jumps are not known.")
FINDING(REACH_SIGN, "graal.reach.sign", N, N, o,
        "lvl check --reach-from: players who enter this level have no way on foot to the sign, and "
        "no script or "
        "chest shows it by its number. Doors that scripts open and jumps are not known.")
ABOUT(FILE_CASE, "graal.file.case", N, N, o, CASE,
      "A name differs from that of the file only in case. The game ignores case; file systems of servers "
      "may not.",
      NULL)
FINDING(FILE_TWIN, "graal.file.twin", N, N, o,
        "There is no file of that name, but one that differs in its ending only (.nw for .graal, .png for "
        ".gif), as converted files do.")
FINDING(TILE_RANGE, "graal.tile.range", E, E, W, "A tile is beyond the end of this version's tileset.")

/* losses of a conversion */
FINDING(LOSS_PICTURE, "graal.loss.picture", W, W, W,
        "A picture becomes a level, and no tile of the tileset shows what these cells show; they get the "
        "most similar one.")
FINDING(PICTURE, "graal.picture", E, E, E,
        "A picture cannot become a level: its size is wrong, or the tileset is missing.")
FINDING(LOSS_TILE, "graal.loss.tile", W, W, W,
        "The form's tileset ends before these tiles; they become tile 0.")
FINDING(LOSS_ABSENT, "graal.loss.absent", W, W, W,
        "A binary level has all its tiles; missing ones become tile 0.")
FINDING(LOSS_LAYER, "graal.loss.layer", W, W, W,
        "Only text levels have objects on layers; only they and GR-V1.05 have layers of tiles.")
FINDING(LOSS_HEIGHTS, "graal.loss.heights", W, W, W,
        "Heights of the ground are in GR-V1.04, GR-V1.05 and text levels only.")
FINDING(LOSS_TILESET, "graal.loss.tileset", W, W, W, "Only text levels name tilesets.")
FINDING(LOSS_EXPRESSION, "graal.loss.expression", W, W, W,
        "Up to GR-V1.02 a link's destination is a number, and -1 the player's own coordinate; later versions "
        "use an expression.")
FINDING(LOSS_VERSES, "graal.loss.verses", W, W, W,
        "The texts of a baddy cannot be represented: Z3-V1.03 has none, and in others some characters "
        "separate them.")
FINDING(LOSS_BADDY, "graal.loss.baddy", W, W, W, "The version has no baddy of that type; it is left out.")
FINDING(LOSS_NPC, "graal.loss.npc", W, W, W, "The version has no NPCs; they are left out.")
FINDING(LOSS_CHEST, "graal.loss.chest", W, W, W,
        "The version has no chests, or no such item; it is left out.")
FINDING(LOSS_PLACE, "graal.loss.place", W, W, W,
        "Binary levels store positions in whole tiles from -32 to 223 except -22, which would be a line "
        "feed. The nearest is used.")
FINDING(LOSS_IMAGE, "graal.loss.image", W, W, W,
        "The name of a picture holds characters that would end it; they become _.")
FINDING(LOSS_SCRIPT_BYTE, "graal.loss.script_byte", W, W, W,
        "A script holds bytes A7, which are line ends in binary levels; they become ?.")
FINDING(LOSS_END_LINE, "graal.loss.end_line", W, W, W,
        "A line of a text would end its block in a text level; it gets a blank before it.")
FINDING(LOSS_SIGN_CODE, "graal.loss.sign_code", W, W, W,
        "Signs of Zelda Online and of Graal share most characters and codes, but not these: they are shown "
        "differently or not at all.")
FINDING(LOSS_UNKNOWN_LINE, "graal.loss.unknown_line", W, W, W,
        "Lines that are not commands (comments, unknown lines) have no place in a binary level.")
FINDING(LOSS_SPELLING, "graal.loss.spelling", W, W, W,
        "The level has bytes without content, or spellings of numbers, that the other form cannot keep: "
        "converted back, the file would differ.")
FINDING(LOSS_UNWRITABLE, "graal.loss.unwritable", W, W, W, "The form cannot represent it; it is left out.")

/* the reader of text levels; binary levels have none of these */
REPAIRED(
    NW_HEADER, "graal.nw.header", E, E, E,
    "The first line is not GLEVNW01, so no game loads the file. It is read if --as says what it is, and has "
    "a command that is known.",
    "writes it")
FINDING(
    NW_CR_LINES, "graal.nw.cr_lines", E, E, E,
    "The lines end in CR alone, as on an old Macintosh. No game reads them: all of the file is in its first "
    "line.")
FINDING(NW_JOINED, "graal.nw.joined", E, E, E,
        "A second level begins in the file: games go on reading, so it replaces the tiles of the first, and "
        "adds to the rest.")
FINDING(NW_FIRST_LINE, "graal.nw.first_line", W, W, N,
        "The first line holds more than GLEVNW01; readers that compare all of it refuse the file.")
FINDING(NW_LINE, "graal.nw.line", N, N, N,
        "A line outside of any block that is neither a command nor a comment; readers skip it. It is kept.")
REPAIRED(
    NW_COMMAND, "graal.nw.command", E, E, E,
    "A line begins like a command but has too few words or impossible tiles; readers skip it. It is kept.",
    "removes it if the file ends inside it")
FINDING(NW_END_UNMATCHED, "graal.nw.end_unmatched", W, W, W,
        "An end line without a block, such as NPCEND without NPC. Readers skip it; it may mean that the "
        "block's first line is damaged.")
REPAIRED(NW_INSIDE, "graal.nw.inside", E, E, E,
         "A line inside a script or sign would be a command outside of it. It is part of the text, but an "
         "end line may be missing before it.",
         "ends the text before it")
REPAIRED(NW_UNCLOSED, "graal.nw.unclosed", E, E, E,
         "The file ends inside an NPC, sign, baddy or heights: it is cut, or its end line is missing. "
         "Readers use what the file has.",
         "ends it")
REPAIRED(NW_NUMBER, "graal.nw.number", E, W, W,
         "Expected a number, found another word; readers take its leading digits, or 0.",
         "writes the number that readers take")
FINDING(NW_NAME, "graal.nw.name", W, W, W, "A baddy's type or a chest's item is unknown. The line is kept.")
FINDING(NW_WORDS, "graal.nw.words", W, W, N,
        "More words than the command has; some servers then refuse the line.")
FINDING(NW_VERSES, "graal.nw.verses", W, N, N,
        "A baddy has more than three lines of text; the others are never shown. They are kept.")
FINDING(NW_HEIGHTS, "graal.nw.heights", W, W, W, "Not 81 heights.")
REPAIRED(NW_ROW, "graal.nw.row", E, E, E,
         "A BOARD line with fewer tiles than it declares, with blanks between its tiles, or with characters "
         "that are not tiles. The game skips such a line. Its tiles are kept.",
         "writes the tiles in the line")
REPAIRED(NW_ROW_HIDES, "graal.nw.row_hides", E, E, E,
         "A BOARD line declares fewer tiles than it has, or its width is not a valid number: the game does "
         "not see the other tiles.",
         "sets the count to the tiles in the line")
FINDING(NW_ROW_BEYOND, "graal.nw.row_beyond", E, E, E,
        "A BOARD line has tiles beyond the board's edge, or other words after its tiles: the game does not "
        "show them. They are kept: an edit of other tiles of the line is refused. Correct the line in a text "
        "editor first.")
FINDING(NW_ROW_LONG, "graal.nw.row_long", W, W, N,
        "A BOARD line with more characters than its tiles need, or a count of tiles beyond the board's edge.")
FINDING(NW_ROW_TWICE, "graal.nw.row_twice", W, N, N,
        "BOARD lines set the same tiles twice; the later ones apply.")
FINDING(NW_ABSENT, "graal.nw.absent", N, N, N,
        "BOARD lines are missing for part of the board. What the game shows there differs between clients.")
FINDING(NW_UTF8, "graal.nw.utf8", N, N, N,
        "The text is in UTF-8. The game reads each byte as one character of Windows-1252, so a letter with "
        "an accent becomes two other characters; --encoding utf-8 shows it as it was written.")
FINDING(NW_UNWRITABLE, "graal.nw.unwritable", E, E, E,
        "A text level cannot represent this: a script with a line NPCEND, a file name that is empty or would "
        "be read as a number of its line. Writing is refused.")
