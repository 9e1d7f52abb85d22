/*
 * graal/world/gmap_findings_list.h: the findings about world maps, as in graal_findings_list.h. Included
 * where FINDING and REPAIRED are defined.
 */
FINDING(VERSION, "gmap.header.version", W, W, N,
        "The file does not begin with GRMAP001, the only known header. It is read anyway.")
FINDING(KEY_UNKNOWN, "gmap.key.unknown", N, N, N,
        "A line that lvl does not interpret. It is kept among `others`.")
FINDING(KEY_DOUBLED, "gmap.key.doubled", W, W, N, "A key occurs more than once; the last line counts.")
FINDING(KEY_VALUE, "gmap.key.value", E, W, W,
        "The value of a key is of the wrong kind (usually a number is expected); the line is ignored.")
REPAIRED(BLOCK_OPEN, "gmap.block.open", E, E, E,
         "A block has no end line (LEVELNAMESEND): the file was cut off, or readers take what follows as "
         "part of the block.",
         "ends the block")
REPAIRED(QUOTE_OPEN, "gmap.quote.open", E, E, E,
         "A name in a row has no quote at its end, so it extends to the end of the line.",
         "adds the quote there")
FINDING(WORDS, "gmap.line.words", E, E, E,
        "A line has text after what its key needs, or after a name in quotes; nothing reads it. It is "
        "kept: an edit of that line is refused.")
REPAIRED(OUTSIDE, "gmap.row.outside", E, E, E,
         "A row of level names is outside of its block: the block ends too early or begins too late. Games "
         "ignore the row; it is kept among `others`.",
         "moves the rows next to the block into it, if the map is then sound")
FINDING(LIMIT, "gmap.limit", E, E, E,
        "The map has more cells than lvl searches for levels; their levels are not checked.")
REPAIRED(NO_SIZE, "gmap.size.missing", E, E, W, "WIDTH or HEIGHT is missing: games show no map then.",
         "adds them")
REPAIRED(SIZE, "gmap.size.wrong", E, E, W,
         "WIDTH or HEIGHT does not match the rows: the client puts levels in wrong places or fails.",
         "sets them to the size of the rows, if no row is outside of its block")
FINDING(LATE_SIZE, "gmap.size.late", E, E, W,
        "WIDTH or HEIGHT stands after LEVELNAMES: a server reads the names before it knows the size, and has "
        "no levels.")
FINDING(EMPTY, "gmap.empty", W, W, N, "The map has no level at all.")
REPAIRED(UNEVEN, "gmap.row.short", W, W, N, "A row has fewer names than the longest one.", "adds empty cells")
FINDING(HOLE, "gmap.row.hole", W, W, N,
        "A row has an empty name before others: clients and editors show a hole there, but some servers move "
        "the rest of the row to the left.")
FINDING(DOUBLED, "gmap.level.doubled", W, W, N,
        "A level is in more than one place. Servers know one place for each level.")
FINDING(NAME, "gmap.level.name", W, W, N,
        "A name that cannot be a level's: it has a folder or a control character in it, or does not end in "
        ".nw, .graal or .zelda.")
FINDING(
    TEXT, "gmap.text.line", E, E, E,
    "A line cannot hold this text, for example one with a line break: it would be read as something else.")
ABOUT(MISSING, "gmap.level.missing", W, W, N, NO_LEVEL,
      "There is no file of that name: the place is empty in the game.", NULL)
ABOUT(CASE, "gmap.level.case", N, N, o, CASE,
      "The name of the level's file differs in case. Games accept that; file systems may not.",
      "uses the file's own name")
FINDING(UNREADABLE, "gmap.level.unreadable", W, W, N, "The file of that name cannot be read as a level.")
ABOUT(IMAGE, "gmap.image.missing", W, W, N, NO_PICTURE, "A picture that the map names is missing.", NULL)
FINDING(LINK_ELSEWHERE, "gmap.link.elsewhere", N, N, o,
        "A link along the edge of a level leads to another level than the map's neighbour.")
FINDING(LINK_ONE_WAY, "gmap.link.one_way", N, N, o,
        "A link along the edge of a level leads to its neighbour, which has no link back.")
FINDING(LOSS_KEY, "gmap.loss.key", W, W, W, "A bigmap has rows only: this member is left out.")
FINDING(LOSS_TEXT, "gmap.loss.text", W, W, W,
        "Text in a line that belongs to no name and no key: it is left out.")
