/*
 * sketchy/sketchy_findings.c: what can be found in a drawing or pack, how bad it is for whom, and what repair does about it. "Game" is the last release, 0.14.0.
 */
#include "sketchy/sketchy_findings.h"

#include <stddef.h>

#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

/* a row each, severities in strict, game, salvage */
const lvl_finding_def lvl_sketchy_findings[LVL_SKETCHY_F_COUNT] = {
    /* ---- the reader ---- */
    [LVL_SKETCHY_F_JSON] = {"sketchy.json.broken",
                            "The document's JSON breaks off or isn't JSON. The game refuses the file, or "
                            "loads an empty drawing from a gzip.",
                            {E, E, E},
                            "keeps all that is whole"},
    [LVL_SKETCHY_F_TYPE] =
        {"sketchy.json.type",
         "A value of the wrong kind: the game refuses the file, of a gzip it takes the default.",
         {E, E, W},
         "writes the default"},
    [LVL_SKETCHY_F_UNKNOWN_KEY] =
        {"sketchy.json.unknown_key",
         "A key that no version of the game knows. It is kept, but the game drops it on saving.",
         {N, N, N},
         NULL},
    [LVL_SKETCHY_F_DOUBLE_KEY] = {"sketchy.json.double_key",
                                  "A key that an object has twice. The game takes the last one.",
                                  {W, W, N},
                                  NULL},
    [LVL_SKETCHY_F_CHUNK_KEY] = {"sketchy.chunk.key",
                                 "A chunk whose key isn't two numbers (\"3,-1\"). The game can't place it.",
                                 {E, E, W},
                                 "moves its pixels to the chunks that own them"},
    [LVL_SKETCHY_F_TRAILING] = {"sketchy.trailing",
                                "Bytes follow the document in a gzip or zip, or the gzip stream, or belong "
                                "to no member of a zip: the game does not look at them.",
                                {E, E, W},
                                "moves them to an attached file, assets/strays/trailing"},
    [LVL_SKETCHY_F_REFUSED] = {"sketchy.json.trailing",
                               "Bytes follow the document of plain JSON. The game refuses the file.",
                               {E, E, W},
                               "moves them to an attached file, assets/strays/trailing; blanks and zeros are "
                               "dropped"},
    [LVL_SKETCHY_F_PADDING] = {"sketchy.padding",
                               "Blanks or zeros follow the document in a gzip or zip, or the gzip stream.",
                               {W, N, N},
                               NULL},
    [LVL_SKETCHY_F_LEAD] = {"sketchy.json.lead",
                            "A byte order mark in front of the document, or anything in front of plain JSON. "
                            "The game refuses the file; of a gzip with a mark it loads an empty level.",
                            {E, E, W},
                            "drops them"},
    [LVL_SKETCHY_F_GZIP_CUT] = {"sketchy.gzip.truncated",
                                "The file ends inside its gzip stream. The game loads an empty level without "
                                "a word, and saving writes that over the file.",
                                {E, E, E},
                                "keeps everything before the cut"},
    [LVL_SKETCHY_F_GZIP_BAD] = {"sketchy.gzip.corrupt",
                                "The gzip stream is damaged, or its checksum is wrong.",
                                {E, E, E},
                                "keeps everything before the break"},
    [LVL_SKETCHY_F_ZIP_DIRECTORY] = {"sketchy.zip.directory",
                                     "The zip has no directory that can be used, or one that counts its "
                                     "members wrong or lacks some. The game can't open it, or doesn't see "
                                     "what is missing.",
                                     {E, E, W},
                                     "writes a new directory"},
    [LVL_SKETCHY_F_ZIP_MEMBER] = {"sketchy.zip.member",
                                  "A member of the zip that is cut, overlaps another, isn't where the "
                                  "directory says, or whose stream or checksum is broken.",
                                  {E, E, W},
                                  "keeps what can be read of it"},
    [LVL_SKETCHY_F_ZIP_DOUBLE] =
        {"sketchy.zip.double",
         "Two members of the zip have the same name. The game can't open such a file.",
         {E, E, W},
         "keeps the last one under its name, which archive readers take, and others that hold something "
         "else under names of their own"},
    [LVL_SKETCHY_F_ZIP_PREFIX] =
        {"sketchy.zip.prefix",
         "Bytes stand in front of the zip. The game knows a zip by its first bytes, and refuses the file.",
         {E, E, W},
         "moves them to an attached file, assets/strays/trailing"},
    [LVL_SKETCHY_F_NO_DOCUMENT] = {"sketchy.zip.no_document",
                                   "The zip lacks its level.json, doodad.json or index.json. The game can't "
                                   "open it; chunks are still there.",
                                   {E, E, W},
                                   "writes one with defaults"},
    [LVL_SKETCHY_F_LOST] = {"sketchy.json.lost",
                            "Keys that the game always writes, and that a document which breaks off lacks. "
                            "They have their defaults, but the page of a level is one that shows all of it.",
                            {W, W, N},
                            "writes these down"},
    [LVL_SKETCHY_F_SIZE_LOST] =
        {"sketchy.chunk.size_lost",
         "The size of chunks was said in what is gone. It is what most chunks can be of: runs tell how many "
         "pixels a chunk has, lists where in the world they are. Where nothing tells, it is the usual 128.",
         {W, W, N},
         "writes that size down"},
    [LVL_SKETCHY_F_LAYERS] = {"sketchy.doodad.layers",
                              "The document lists fewer layers than there are chunks for. The game shows "
                              "nothing of these chunks, and drops them on saving.",
                              {E, E, W},
                              "adds the layers, without names"},

    /* ---- rules ---- */
    [LVL_SKETCHY_F_HEAD] = {"sketchy.drawing.head",
                            "Chunks as v3 stores them. The newest source of the game shows them as blank, "
                            "and its resave crashes; the last release, 0.14.0, can. `convert --to v3.1` "
                            "makes a file that both read.",
                            {N, N, o},
                            NULL},
    [LVL_SKETCHY_F_HEAD_SAVE] = {"sketchy.drawing.head_save",
                                 "Of v1 or v2. The newest source of the game shows it, and hangs when it "
                                 "saves it; the last release, 0.14.0, can. `convert --to v3.1` makes a file "
                                 "that both read and save.",
                                 {N, N, o},
                                 NULL},
    [LVL_SKETCHY_F_RELEASE] = {"sketchy.drawing.release",
                               "Chunks as v4 stores them. The last release of the game, 0.14.0, shows them "
                               "as blank, without a word; the newest source can read them. `convert --to "
                               "v3.1` makes a file that both read.",
                               {N, N, o},
                               NULL},
    [LVL_SKETCHY_F_WALLPAPER] = {"sketchy.level.wallpaper",
                                 "A wallpaper that is neither the game's own nor attached. The game draws "
                                 "notebook.png instead; taking a screenshot crashes it.",
                                 {W, W, N},
                                 NULL},
    [LVL_SKETCHY_F_VALUE] = {"sketchy.level.value",
                             "A number that the game has no meaning for.",
                             {W, W, N},
                             NULL},
    [LVL_SKETCHY_F_COLOR] =
        {"sketchy.swatch.color",
         "A colour that isn't 3, 6 or 8 hexadecimal digits. The game refuses the file, or crashes.",
         {E, E, W},
         "sets the colour that the word means (\"red\"), that the digits still say (0 for those that are "
         "none), or "
         "else a grey"},
    [LVL_SKETCHY_F_ALPHA] = {"sketchy.swatch.alpha",
                             "A colour with an alpha. The game draws with it, and drops it on every save.",
                             {N, N, N},
                             NULL},
    [LVL_SKETCHY_F_PATTERN] = {"sketchy.swatch.pattern",
                               "A pattern that the game doesn't have: it draws the plain colour.",
                               {N, N, N},
                               NULL},
    [LVL_SKETCHY_F_COLORS] = {"sketchy.palette.too_many",
                              "More swatches than the game takes: it refuses the 258th.",
                              {E, E, W},
                              NULL},
    [LVL_SKETCHY_F_COLORS_EDGE] =
        {"sketchy.palette.edge",
         "More than 256 swatches. The game means to refuse the 257th, but only does so from the next one on.",
         {W, N, N},
         NULL},
    [LVL_SKETCHY_F_SWATCH_DOUBLE] =
        {"sketchy.palette.double",
         "A swatch that is there twice, all alike. The game's convert wrote palettes like that until 0.14.0.",
         {W, N, N},
         "makes them one, and pixels mean that"},
    [LVL_SKETCHY_F_INHERITS] =
        {"sketchy.palette.inherits",
         "A zipped doodad whose first, third or fourth swatch says nothing of solid, fire or water. The game "
         "fills them from its default palette: the swatch becomes that, and saving writes it down.",
         {N, N, N},
         NULL},
    [LVL_SKETCHY_F_INHERITED] = {"sketchy.palette.inherited",
                                 "A zipped doodad whose swatches behave just as those of the game's default "
                                 "palette: the game has most likely put that in by itself, on a save.",
                                 {N, N, N},
                                 NULL},
    [LVL_SKETCHY_F_PALETTE_LOST] = {"sketchy.palette.lost",
                                    "Pixels mean swatches that were in the part of the file that is gone.",
                                    {E, E, E},
                                    "adds a grey for each, so that the pixels stay"},
    [LVL_SKETCHY_F_CHUNK_SIZE] =
        {"sketchy.chunk.size",
         "Chunks of a size that cannot be (0, or above 255: the game refuses the file), or of another size "
         "than all that they hold was made for: pixels are hidden or in the wrong place.",
         {E, E, W},
         "sets it to one that the pixels fit, 128 if they do"},
    [LVL_SKETCHY_F_CHUNK_BAD] =
        {"sketchy.chunk.unreadable",
         "A chunk whose stream can't be read, or not to its end. The game shows nothing of it.",
         {E, E, W},
         "keeps the pixels that could be read; a chunk without any is dropped"},
    [LVL_SKETCHY_F_CHUNK_PARTIAL] = {"sketchy.chunk.partial",
                                     "A chunk that ends inside an entry. The game drops that entry.",
                                     {W, W, N},
                                     "writes the chunk without it"},
    [LVL_SKETCHY_F_CHUNK_DOUBLE] =
        {"sketchy.chunk.double",
         "A chunk that the zip holds in two forms. The game reads the .bin and drops the .json on saving.",
         {W, W, N},
         NULL},
    [LVL_SKETCHY_F_CHUNK_LAYER] =
        {"sketchy.chunk.layer",
         "A chunk of a layer that the document doesn't have. The game drops it on saving.",
         {W, N, N},
         NULL},
    [LVL_SKETCHY_F_CHUNK_NAME] =
        {"sketchy.chunk.name",
         "A member among the chunks whose name isn't a chunk's. The game can't save such a file.",
         {W, W, N},
         "makes it the chunk that its pixels tell it is, if that isn't there, else moves it to "
         "assets/strays"},
    [LVL_SKETCHY_F_CHUNK_ALIAS] = {"sketchy.chunk.alias",
                                   "A chunk whose member isn't called as the game calls it (\"+1,2\" for "
                                   "\"1,2\"). The game doesn't find "
                                   "it, and shows nothing of it.",
                                   {E, E, W},
                                   "renames it, unless there is one of that name"},
    [LVL_SKETCHY_F_INDEX] = {"sketchy.pixel.index",
                             "Pixels whose index the palette lacks. They are invisible; when the game saves "
                             "the chunk, most of its other pixels turn into the first swatch.",
                             {E, E, W},
                             "removes these pixels, and leaves the chunk alone"},
    [LVL_SKETCHY_F_OUTSIDE] =
        {"sketchy.pixel.outside",
         "Pixels listed in a chunk that doesn't own them: neither the game nor lvl draws them, and nobody "
         "stands on them. The game's v3.1 saves keep them, v4 saves drop them.",
         {W, W, N},
         "moves them to the chunks that own them where nothing is drawn there; others go"},
    [LVL_SKETCHY_F_PHANTOM] = {"sketchy.pixel.phantom",
                               "Pixel 0,0 with the first swatch in a chunk that doesn't own it: left behind "
                               "by the game's reading of base64 chunks.",
                               {W, W, N},
                               "removes it"},
    [LVL_SKETCHY_F_BASE64] =
        {"sketchy.chunk.base64",
         "Chunks whose pixels are base64, as some builds of the game wrote them. Loading them, the game puts "
         "pixel 0,0 with the first swatch into each, and saves that.",
         {W, W, N},
         NULL},
    [LVL_SKETCHY_F_PIXEL_DOUBLE] = {"sketchy.pixel.double",
                                    "Pixels listed more than once in a chunk. The last one counts.",
                                    {N, N, N},
                                    NULL},
    [LVL_SKETCHY_F_PIXEL_BROKEN] = {"sketchy.pixel.broken",
                                    "Entries of a chunk that aren't a place and an index.",
                                    {E, E, W},
                                    "removes them"},
    [LVL_SKETCHY_F_RUNS_LONG] = {"sketchy.runs.long",
                                 "Runs that go past the chunk's end. The game (HEAD) crashes.",
                                 {E, E, W},
                                 "cuts them at the end"},
    [LVL_SKETCHY_F_RUNS_SHORT] =
        {"sketchy.runs.short",
         "Runs that end before the chunk does, by more than the last pixel. Nothing is drawn in the rest.",
         {W, N, N},
         NULL},
    [LVL_SKETCHY_F_PIXEL_LOST] = {"sketchy.runs.lost_pixel",
                                  "A chunk whose lone last pixel was lost: the game's encoder (HEAD) leaves "
                                  "out a last run of one pixel.",
                                  {W, N, N},
                                  NULL},
    [LVL_SKETCHY_F_LAST_PIXEL] = {"sketchy.pixel.lone_last",
                                  "A chunk whose last pixel differs from the one before it. Saving as v4, "
                                  "the game (HEAD) loses it; lvl doesn't.",
                                  {N, N, o},
                                  NULL},
    [LVL_SKETCHY_F_ACTOR_DOUBLE] = {"sketchy.actor.double_id",
                                    "Two actors of one id. The game keeps the last.",
                                    {W, W, N},
                                    NULL},
    [LVL_SKETCHY_F_ACTOR_NAMELESS] = {"sketchy.actor.no_id",
                                      "An actor whose id is empty. The game calls it something else each "
                                      "time it loads it, so that no link leads there.",
                                      {W, N, N},
                                      NULL},
    [LVL_SKETCHY_F_LINK_LOST] = {"sketchy.actor.link_to_nothing",
                                 "A link to an actor that isn't there. The game removes it on saving.",
                                 {W, N, N},
                                 "removes it, as the game does"},
    [LVL_SKETCHY_F_LINK_ONE_WAY] = {"sketchy.actor.link_one_way",
                                    "A link that the other actor doesn't return. The game takes it as it is.",
                                    {N, N, N},
                                    NULL},
    [LVL_SKETCHY_F_NO_DOODAD] =
        {"sketchy.actor.no_doodad",
         "A doodad that neither the level nor the art has. The game leaves the actor out.",
         {W, W, N},
         NULL},
    [LVL_SKETCHY_F_OPTION] = {"sketchy.option.value",
                              "An option whose value isn't of its type.",
                              {W, W, N},
                              NULL},
    [LVL_SKETCHY_F_OPTION_TYPE] =
        {"sketchy.option.type",
         "An option of a type other than bool, str and int. The game doesn't set it.",
         {W, W, N},
         NULL},
    [LVL_SKETCHY_F_FILE_BAD] = {"sketchy.file.unreadable",
                                "An attached file that can't be read, or not to its end.",
                                {E, E, W},
                                "keeps what can be read of it"},
    [LVL_SKETCHY_F_FILE_DROPPED] =
        {"sketchy.file.dropped",
         "A file attached to a drawing of v1 or v2. Whatever the game has written in these generations since "
         "0.13 has none.",
         {N, N, o},
         NULL},
    [LVL_SKETCHY_F_NAME_OUT] =
        {"sketchy.file.leads_out",
         "A name that leads out of the archive. lvl never writes outside of the folder that it extracts to.",
         {E, W, W},
         "renames it to what is left without that, which no other member is called"},
    [LVL_SKETCHY_F_NAME_CASE] =
        {"sketchy.file.case",
         "Two names that differ only in the case of letters: not every system's folders can hold both.",
         {N, N, N},
         NULL},
    [LVL_SKETCHY_F_STRANGER] = {"sketchy.file.stranger",
                                "A member that the game knows nothing of. It drops it on saving.",
                                {N, N, N},
                                NULL},
    [LVL_SKETCHY_F_PACK_PREFIX] = {"sketchy.pack.prefix",
                                   "Bytes stand in front of the pack's zip. The game opens a pack like that, "
                                   "but not a level or doodad.",
                                   {W, N, N},
                                   NULL},
    [LVL_SKETCHY_F_PACK_UNLISTED] = {"sketchy.pack.unlisted",
                                     "A level that the index lacks: the game doesn't offer it.",
                                     {W, W, N},
                                     "adds it at the end of the index"},
    [LVL_SKETCHY_F_PACK_MISSING] = {"sketchy.pack.missing",
                                    "The index names a level that the pack doesn't hold.",
                                    {E, E, W},
                                    "takes it out of the index"},
    [LVL_SKETCHY_F_PACK_TWICE] = {"sketchy.pack.listed_twice",
                                  "The index names a level twice.",
                                  {W, N, N},
                                  NULL},
    [LVL_SKETCHY_F_PACK_STALE] =
        {"sketchy.pack.stale",
         "The index gives a level another title, author or uuid than the level has: the level was changed "
         "later, or the index differs on purpose.",
         {W, W, N},
         "sets the uuid to the level's; a title or an author may be meant so, and stays"},
    [LVL_SKETCHY_F_PACK_UUID] = {"sketchy.pack.uuid",
                                 "Two levels of the pack have the same uuid, by which the game keeps scores.",
                                 {W, W, N},
                                 NULL},
    [LVL_SKETCHY_F_PACK_BAD] = {"sketchy.pack.level",
                                "A level or doodad in the pack that is damaged.",
                                {E, E, W},
                                "repairs it"},
    [LVL_SKETCHY_F_PACK_DOODAD] = {"sketchy.pack.doodad_twice",
                                   "A doodad that the pack stores more than once: in doodads/ and inside a "
                                   "level, or inside several levels.",
                                   {N, N, N},
                                   NULL},

    /* ---- losses of a conversion ---- */
    [LVL_SKETCHY_F_LOSS_CHUNK] = {"sketchy.loss.chunk",
                                  "A chunk that can't be decoded: nothing of it is in the new file.",
                                  {E, E, E},
                                  NULL},
    [LVL_SKETCHY_F_LOSS_OUTSIDE] =
        {"sketchy.loss.outside",
         "Pixels that a chunk lists but that lie outside of it. The game doesn't draw them.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_INDEX] = {"sketchy.loss.index",
                                  "Pixels with an index of 65535 or more, or whose place isn't two numbers.",
                                  {W, W, W},
                                  NULL},
    [LVL_SKETCHY_F_LOSS_SIGNATURE] =
        {"sketchy.loss.signature",
         "The level is signed. The signature wouldn't fit the new file, and is left out.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_DAMAGE] =
        {"sketchy.loss.damage",
         "The file is damaged, and what isn't in its document, its chunks or its members is left behind.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_COLOR] =
        {"sketchy.loss.color",
         "Colours of a picture that the palette of the drawing doesn't have, or has no "
         "room for: they are drawn with the nearest.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_REST] =
        {"sketchy.loss.rest",
         "What a drawing holds besides the pixels of one layer (title, actors, other "
         "layers …) is not kept in the picture, or what a picture keeps cannot be used.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_WISH] = {"sketchy.wish",
                            "Something that was asked of a drawing and that no drawing can be.",
                            {E, E, E},
                            NULL},
};
