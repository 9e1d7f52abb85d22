/*
 * sketchy/model/findings_list.h: the findings of drawings and packs: name in the code, id, severity
 * in the profiles strict, game and salvage (none, note, warning, error), meaning, and what repair does.
 * "Game" is the last release, 0.14.0. Included where FINDING and REPAIRED are defined.
 */

/* the reader */
REPAIRED(JSON, "sketchy.json.broken", E, E, E,
         "The document is truncated or is not JSON. The game refuses the file, or loads an empty drawing "
         "from a gzip.",
         "keeps what can be read")
REPAIRED(TYPE, "sketchy.json.type", E, E, W,
         "A value of the wrong kind: the game refuses the file, in a gzip it uses the default.",
         "writes the default")
FINDING(UNKNOWN_KEY, "sketchy.json.unknown_key", N, N, N,
        "An unknown key. It is kept, but the game drops it on saving.")
FINDING(DOUBLE_KEY, "sketchy.json.double_key", E, E, W,
        "An object has a key twice. The game uses the last one.")
REPAIRED(CHUNK_KEY, "sketchy.chunk.key", E, E, W,
         "The key of a chunk is not two numbers (\"3,-1\"). The game cannot place it.",
         "moves its pixels to the chunks that own them")
REPAIRED(TRAILING, "sketchy.trailing", E, E, E,
         "Bytes follow the document in a gzip or zip, or the gzip stream, or belong to no member of a zip: "
         "the game does not look at them.",
         "moves them to an attached file, assets/recovered/trailing")
REPAIRED(REFUSED, "sketchy.json.trailing", E, E, E,
         "Bytes follow the document of plain JSON. The game refuses the file.",
         "moves them to an attached file, assets/recovered/trailing; blanks and zeros are dropped")
FINDING(PADDING, "sketchy.padding", W, N, N,
        "Blanks or zeros follow the document in a gzip or zip, or the gzip stream.")
REPAIRED(LEAD, "sketchy.json.lead", E, E, W,
         "A byte order mark before the document, or anything before plain JSON. The game refuses the file; "
         "from a gzip with a mark it loads an empty level.",
         "drops them")
REPAIRED(GZIP_CUT, "sketchy.gzip.truncated", E, E, E,
         "The file ends inside its gzip stream. The game loads an empty level without a warning, and saving "
         "overwrites the file with it.",
         "keeps everything before the cut")
REPAIRED(GZIP_BAD, "sketchy.gzip.corrupt", E, E, E, "The gzip stream is damaged, or its checksum is wrong.",
         "keeps everything before the break")
REPAIRED(ZIP_DIRECTORY, "sketchy.zip.directory", E, E, E,
         "The zip has no directory that can be used, or one that leaves out members or declares a wrong "
         "number of them. The game cannot open it, or ignores what is missing.",
         "writes a new directory")
REPAIRED(ZIP_LOST, "sketchy.zip.lost", E, E, E,
         "Members that the zip's directory lists are not in the file: their content is gone.",
         "leaves out what is gone")
REPAIRED(ZIP_MEMBER, "sketchy.zip.member", E, E, E,
         "A member of the zip that is cut, overlaps another, or "
         "whose stream or checksum is broken.",
         "keeps what can be read of it")
REPAIRED(ZIP_DOUBLE, "sketchy.zip.double", E, E, W,
         "Two members of the zip have the same name. The game cannot open such a file.",
         "keeps the last one under its name, which archive readers take, and the others under other names")
REPAIRED(
    ZIP_PREFIX, "sketchy.zip.prefix", E, E, W,
    "There are bytes before the zip. The game recognizes a zip by its first bytes, and refuses the file.",
    "moves them to an attached file, assets/recovered/trailing")
REPAIRED(NO_DOCUMENT, "sketchy.zip.no_document", E, E, E,
         "The zip has no level.json, doodad.json or index.json. The game cannot open it; its "
         "chunks can still be read.",
         "writes one with defaults")
REPAIRED(LOST, "sketchy.json.lost", W, W, N,
         "A truncated document is missing keys that the game always writes. They get their defaults, but "
         "a level gets a page that shows all of it.",
         "writes these keys")
REPAIRED(SIZE_LOST, "sketchy.chunk.size_lost", W, W, N,
         "The size of chunks was in the lost part. It is inferred from the chunks: runs have a number of "
         "pixels, lists have positions in the world. Without either, it is the usual 128.",
         "writes that size")
REPAIRED(LAYERS, "sketchy.doodad.layers", E, E, E,
         "The document lists fewer layers than there are chunks for. The game does not show these chunks, "
         "and drops them on saving.",
         "adds the layers, without names")

/* rules: the drawing as a whole */
FINDING(HEAD, "sketchy.drawing.head", N, N, o,
        "Chunks as v3 stores them. The newest source of the game shows them as blank, and crashes on "
        "saving; the last release, 0.14.0, reads them. `convert --to v3.1` makes a file that both read.")
FINDING(HEAD_SAVE, "sketchy.drawing.head_save", N, N, o,
        "The drawing is v1 or v2. The newest source of the game shows it, and hangs on saving; the last "
        "release, 0.14.0, saves it. `convert --to v3.1` makes a file that both read and save.")
FINDING(RELEASE, "sketchy.drawing.release", N, N, o,
        "Chunks as v4 stores them. The last release of the game, 0.14.0, shows them as blank, without a "
        "warning; the newest source can read them. `convert --to v3.1` makes a file that both read.")
FINDING(WALLPAPER, "sketchy.level.wallpaper", W, W, N,
        "A wallpaper that is neither the game's own nor attached. The game draws notebook.png instead; "
        "taking a screenshot may crash it.")
FINDING(VALUE, "sketchy.level.value", W, W, N, "A type of page that the game does not know.")
FINDING(DIFFICULTY, "sketchy.level.difficulty", E, E, N,
        "A difficulty that the game does not know. It crashes where it shows its name.")

/* palette */
REPAIRED(COLOR, "sketchy.swatch.color", E, E, W,
         "A colour that is not 3, 6 or 8 hexadecimal digits. The game refuses the file, or crashes.",
         "sets the colour of the word (\"red\") or of the digits (0 for invalid ones), or else a grey")
FINDING(ALPHA, "sketchy.swatch.alpha", N, N, N,
        "A colour with an alpha. The game draws with it, and drops it on every save.")
FINDING(PATTERN, "sketchy.swatch.pattern", N, N, N,
        "A pattern that the game does not have: it draws the plain colour.")
FINDING(COLORS, "sketchy.palette.too_many", E, E, W,
        "More swatches than the game takes: it refuses the 258th.")
FINDING(COLORS_EDGE, "sketchy.palette.edge", W, N, N,
        "More than 256 swatches. The game should refuse the 257th, but refuses only from the 258th on.")
REPAIRED(SWATCH_DOUBLE, "sketchy.palette.double", W, N, N,
         "A palette has the same swatch twice. The game's convert command wrote such palettes until 0.14.0.",
         "merges them, and their pixels")
FINDING(INHERITED, "sketchy.palette.inherited", N, N, N,
        "A zipped doodad whose swatches behave just as those of the game's default palette: "
        "the file does not say otherwise, or the game added that on a save.")
REPAIRED(PALETTE_LOST, "sketchy.palette.lost", E, E, E,
         "Pixels use swatches that were in the lost part of the file.",
         "adds a grey for each, so that the pixels are kept")

/* pixels */
REPAIRED(CHUNK_SIZE, "sketchy.chunk.size", E, E, E,
         "The size of chunks is invalid (0, or above 255: the game refuses the file) or does not match their "
         "content: pixels are hidden or in the wrong place.",
         "sets it to a size that fits the pixels, 128 if it does")
REPAIRED(CHUNK_BAD, "sketchy.chunk.unreadable", E, E, E,
         "A chunk whose stream cannot be read, or not to its end. The game does not show it.",
         "keeps the pixels that could be read; a chunk without any is dropped")
REPAIRED(CHUNK_PARTIAL, "sketchy.chunk.partial", E, E, E,
         "A chunk that ends inside an entry. The game drops that entry.", "writes the chunk without it")
FINDING(CHUNK_DOUBLE, "sketchy.chunk.double", W, W, N,
        "A chunk that the zip holds in two forms. The game reads the .bin and drops the .json on saving.")
FINDING(CHUNK_LAYER, "sketchy.chunk.layer", W, N, N,
        "A chunk of a layer that the document does not have. The game drops it on saving.")
REPAIRED(CHUNK_NAME, "sketchy.chunk.name", E, E, N,
         "A member among the chunks whose name is not a chunk's. The game cannot save such a file.",
         "moves it to assets/recovered")
REPAIRED(CHUNK_ALIAS, "sketchy.chunk.alias", E, E, W,
         "The member of a chunk does not have the name that the game uses (\"+1,2\" for \"1,2\"). The game "
         "does not find it.",
         "renames it, or moves it to assets/recovered if there is one of that name")
REPAIRED(INDEX, "sketchy.pixel.index", E, E, E,
         "Pixels whose index the palette does not have. They are invisible; when the game saves the chunk, "
         "most of its other pixels turn into the first swatch.",
         "removes these pixels from the chunk")
REPAIRED(OUTSIDE, "sketchy.pixel.outside", E, E, E,
         "Pixels listed in a chunk that does not own them: neither the game nor lvl draws them, and they are "
         "not solid. The game's v3.1 saves keep them, v4 saves drop them.",
         "moves them to the chunks that own them where nothing is drawn there; removes the others, and those "
         "in a damaged stream")
REPAIRED(PHANTOM, "sketchy.pixel.phantom", W, W, N,
         "Pixel 0,0 with the first swatch in a chunk that does not own it: added by the game when it read "
         "base64 chunks.",
         "removes it")
FINDING(BASE64, "sketchy.chunk.base64", W, W, N,
        "Chunks whose pixels are base64, as some builds of the game wrote them. Loading them, the game puts "
        "pixel 0,0 with the first swatch into each, and saves that.")
FINDING(PIXEL_DOUBLE, "sketchy.pixel.double", N, N, N,
        "Pixels listed more than once in a chunk. The last one is used.")
REPAIRED(PIXEL_BROKEN, "sketchy.pixel.broken", E, E, E,
         "Entries of a chunk that are not a position and an index.", "removes them")
REPAIRED(RUNS_LONG, "sketchy.runs.long", E, E, W,
         "Runs that go beyond the chunk's end. The game (HEAD) crashes.", "cuts them at the end")
FINDING(RUNS_SHORT, "sketchy.runs.short", W, N, N,
        "Runs that end before the chunk does, by more than the last pixel. Nothing is drawn in the rest.")
FINDING(PIXEL_LOST, "sketchy.runs.lost_pixel", W, N, N,
        "A chunk whose lone last pixel was lost: the game's encoder (HEAD) leaves out a last run of one "
        "pixel.")
FINDING(LAST_PIXEL, "sketchy.pixel.lone_last", N, N, o,
        "A chunk whose last pixel differs from the one before it. Saving as v4, the game (HEAD) loses it; "
        "lvl does not.")

/* actors and options */
FINDING(ACTOR_DOUBLE, "sketchy.actor.double_id", E, E, W,
        "Two actors have the same id. The game keeps the last.")
FINDING(ACTOR_NAMELESS, "sketchy.actor.no_id", W, N, N,
        "An actor without an id. The game gives it another one on each load, so no link can name it.")
REPAIRED(LINK_LOST, "sketchy.actor.link_to_nothing", W, W, N,
         "A link to an actor that does not exist. The game removes it on saving.",
         "removes it, as the game does")
FINDING(LINK_ONE_WAY, "sketchy.actor.link_one_way", N, N, N,
        "A link without a link back. The game accepts that; but messages go from an actor to those that it "
        "is linked to, so a link of the receiver alone has no effect.")
FINDING(NO_DOODAD, "sketchy.actor.no_doodad", W, W, N,
        "A doodad that neither the game nor the level nor the art has. The game omits the actor.")
FINDING(OPTION, "sketchy.option.value", W, W, N,
        "An option whose value is not of its type. Players notice nothing; the game's editor may crash when "
        "it shows such an option of type bool.")
FINDING(OPTION_TYPE, "sketchy.option.type", W, W, N,
        "An option of a type other than bool, str and int. The game does not set it.")

/* files */
REPAIRED(FILE_BAD, "sketchy.file.unreadable", E, E, E,
         "An attached file that cannot be read, or not to its end.", "keeps what can be read of it")
FINDING(FILE_DROPPED, "sketchy.file.dropped", N, N, o,
        "A file attached to a drawing of v1 or v2. Since 0.13 the game has not written any into these "
        "versions.")
REPAIRED(NAME_OUT, "sketchy.file.leads_out", E, W, W,
         "A name that points outside of the archive. lvl never writes outside of the folder that it extracts "
         "to.",
         "removes that part of the name; the new name is unique")
FINDING(NAME_CASE, "sketchy.file.case", N, N, N,
        "Two names that differ only in the case of letters: not every system's folders can hold both.")
FINDING(STRANGER, "sketchy.file.stranger", N, N, N,
        "A member that the game does not know and drops on saving.")

/* packs */
FINDING(PACK_PREFIX, "sketchy.pack.prefix", W, N, N,
        "There are bytes before the pack's zip. The game opens such a pack, but not such a level or doodad.")
REPAIRED(PACK_UNLISTED, "sketchy.pack.unlisted", W, W, N,
         "A level that is not in the index: the game does not offer it.", "adds it at the end of the index")
REPAIRED(PACK_MISSING, "sketchy.pack.missing", E, E, E, "The index names a level that is not in the pack.",
         "removes it from the index")
FINDING(PACK_TWICE, "sketchy.pack.listed_twice", W, N, N, "The index names a level twice.")
REPAIRED(PACK_STALE, "sketchy.pack.stale", W, W, N,
         "The title, author or uuid of a level in the index differs from the level's: the level was changed "
         "later, or the index differs on purpose.",
         "sets the uuid to the level's; a title or an author may differ on purpose, and is kept")
FINDING(PACK_UUID, "sketchy.pack.uuid", W, W, N,
        "Two levels of the pack have the same uuid, by which the game stores scores.")
REPAIRED(PACK_BAD, "sketchy.pack.level", E, E, E, "A level or doodad in the pack that is damaged.",
         "repairs it")
REPAIRED(PACK_FAULTY, "sketchy.pack.faulty", E, E, W,
         "A level or doodad in the pack that is whole, but that the game mishandles.", "repairs it")
FINDING(PACK_DOODAD, "sketchy.pack.doodad_twice", N, N, N,
        "A doodad that the pack stores more than once: in doodads/ and inside a level, or inside several "
        "levels.")

/* losses of a conversion */
FINDING(LOSS_CHUNK, "sketchy.loss.chunk", E, E, E,
        "A chunk that cannot be decoded: it is not in the new file.")
FINDING(LOSS_FILE, "sketchy.loss.file", E, E, E,
        "An attached file that is damaged: only what can be decoded of it is in the new file.")
FINDING(LOSS_OUTSIDE, "sketchy.loss.outside", W, W, W,
        "Pixels that a chunk lists but that lie outside of it. The game does not draw them.")
FINDING(LOSS_INDEX, "sketchy.loss.index", W, W, W,
        "Pixels with an index of 65535 or more, or whose position is not two numbers.")
FINDING(LOSS_SIGNATURE, "sketchy.loss.signature", W, W, W,
        "The level is signed. The signature would not match the new file, and is left out.")
FINDING(LOSS_DAMAGE, "sketchy.loss.damage", W, W, W,
        "The file is damaged; what is not in its document, its chunks or its members is left out.")
FINDING(LOSS_COLOR, "sketchy.loss.color", W, W, W,
        "Colours of a picture that are not in the palette of the drawing, or do not fit into it: the "
        "nearest are used.")
FINDING(LOSS_REST, "sketchy.loss.rest", W, W, W,
        "What a drawing holds besides the pixels of one layer (title, actors, other layers …) is not kept "
        "in the picture, or what a picture keeps cannot be used.")
FINDING(CONVERT_OPTION, "sketchy.convert_option", E, E, E, "An option that no drawing can satisfy.")
