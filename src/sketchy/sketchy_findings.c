/*
 * sketchy/sketchy_findings.c: what can be found in a drawing or pack, how bad it is for whom, and what repair
 * does about it. "Game" is the last release, 0.14.0.
 */
#include "sketchy/sketchy_findings.h"

#include "base/format.h"

#include <lvl/sketchy.h>
#include <stdarg.h>
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
                            "The document is truncated or is not JSON. The game refuses the file, or loads "
                            "an empty drawing from a gzip.",
                            {E, E, E},
                            "keeps what can be read"},
    [LVL_SKETCHY_F_TYPE] =
        {"sketchy.json.type",
         "A value of the wrong kind: the game refuses the file, in a gzip it uses the default.",
         {E, E, W},
         "writes the default"},
    [LVL_SKETCHY_F_UNKNOWN_KEY] = {"sketchy.json.unknown_key",
                                   "An unknown key. It is kept, but the game drops it on saving.",
                                   {N, N, N},
                                   NULL},
    [LVL_SKETCHY_F_DOUBLE_KEY] = {"sketchy.json.double_key",
                                  "An object has a key twice. The game uses the last one.",
                                  {W, W, N},
                                  NULL},
    [LVL_SKETCHY_F_CHUNK_KEY] = {"sketchy.chunk.key",
                                 "The key of a chunk is not two numbers (\"3,-1\"). The game cannot place "
                                 "it.",
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
                            "A byte order mark before the document, or anything before plain JSON. The game "
                            "refuses the file; from a gzip with a mark it loads an empty level.",
                            {E, E, W},
                            "drops them"},
    [LVL_SKETCHY_F_GZIP_CUT] = {"sketchy.gzip.truncated",
                                "The file ends inside its gzip stream. The game loads an empty level "
                                "without a warning, and saving overwrites the file with it.",
                                {E, E, E},
                                "keeps everything before the cut"},
    [LVL_SKETCHY_F_GZIP_BAD] = {"sketchy.gzip.corrupt",
                                "The gzip stream is damaged, or its checksum is wrong.",
                                {E, E, E},
                                "keeps everything before the break"},
    [LVL_SKETCHY_F_ZIP_DIRECTORY] = {"sketchy.zip.directory",
                                     "The zip has no directory that can be used, or one that lacks members "
                                     "or declares a wrong number of them. The game cannot open it, or "
                                     "ignores what is missing.",
                                     {E, E, W},
                                     "writes a new directory"},
    [LVL_SKETCHY_F_ZIP_MEMBER] = {"sketchy.zip.member",
                                  "A member of the zip that is cut, overlaps another, is not where the "
                                  "directory declares it, or whose stream or checksum is broken.",
                                  {E, E, W},
                                  "keeps what can be read of it"},
    [LVL_SKETCHY_F_ZIP_DOUBLE] =
        {"sketchy.zip.double",
         "Two members of the zip have the same name. The game cannot open such a file.",
         {E, E, W},
         "keeps the last one under its name, which archive readers take, and the others under other names"},
    [LVL_SKETCHY_F_ZIP_PREFIX] =
        {"sketchy.zip.prefix",
         "There are bytes before the zip. The game recognizes a zip by its first bytes, and refuses the "
         "file.",
         {E, E, W},
         "moves them to an attached file, assets/strays/trailing"},
    [LVL_SKETCHY_F_NO_DOCUMENT] = {"sketchy.zip.no_document",
                                   "The zip lacks its level.json, doodad.json or index.json. The game "
                                   "cannot open it; its chunks can still be read.",
                                   {E, E, W},
                                   "writes one with defaults"},
    [LVL_SKETCHY_F_LOST] = {"sketchy.json.lost",
                            "A truncated document lacks keys that the game always writes. They get their "
                            "defaults, but a level gets a page that shows all of it.",
                            {W, W, N},
                            "writes these keys"},
    [LVL_SKETCHY_F_SIZE_LOST] =
        {"sketchy.chunk.size_lost",
         "The size of chunks was in the lost part. It is inferred from the chunks: runs have a number of "
         "pixels, lists have positions in the world. Without either, it is the usual 128.",
         {W, W, N},
         "writes that size"},
    [LVL_SKETCHY_F_LAYERS] = {"sketchy.doodad.layers",
                              "The document lists fewer layers than there are chunks for. The game does not "
                              "show these chunks, and drops them on saving.",
                              {E, E, W},
                              "adds the layers, without names"},

    /* ---- rules ---- */
    [LVL_SKETCHY_F_HEAD] = {"sketchy.drawing.head",
                            "Chunks as v3 stores them. The newest source of the game shows them as blank, "
                            "and crashes on saving; the last release, 0.14.0, reads them. `convert --to "
                            "v3.1` makes a file that both read.",
                            {N, N, o},
                            NULL},
    [LVL_SKETCHY_F_HEAD_SAVE] = {"sketchy.drawing.head_save",
                                 "The drawing is v1 or v2. The newest source of the game shows it, and "
                                 "hangs on saving; the last release, 0.14.0, saves it. `convert --to v3.1` "
                                 "makes a file that both read and save.",
                                 {N, N, o},
                                 NULL},
    [LVL_SKETCHY_F_RELEASE] = {"sketchy.drawing.release",
                               "Chunks as v4 stores them. The last release of the game, 0.14.0, shows them "
                               "as blank, without a warning; the newest source can read them. `convert --to "
                               "v3.1` makes a file that both read.",
                               {N, N, o},
                               NULL},
    [LVL_SKETCHY_F_WALLPAPER] = {"sketchy.level.wallpaper",
                                 "A wallpaper that is neither the game's own nor attached. The game draws "
                                 "notebook.png instead; taking a screenshot crashes it.",
                                 {W, W, N},
                                 NULL},
    [LVL_SKETCHY_F_VALUE] = {"sketchy.level.value", "A number that the game does not know.", {W, W, N}, NULL},
    [LVL_SKETCHY_F_COLOR] =
        {"sketchy.swatch.color",
         "A colour that is not 3, 6 or 8 hexadecimal digits. The game refuses the file, or crashes.",
         {E, E, W},
         "sets the colour of the word (\"red\") or of the digits (0 for invalid ones), or else a grey"},
    [LVL_SKETCHY_F_ALPHA] = {"sketchy.swatch.alpha",
                             "A colour with an alpha. The game draws with it, and drops it on every save.",
                             {N, N, N},
                             NULL},
    [LVL_SKETCHY_F_PATTERN] = {"sketchy.swatch.pattern",
                               "A pattern that the game does not have: it draws the plain colour.",
                               {N, N, N},
                               NULL},
    [LVL_SKETCHY_F_COLORS] = {"sketchy.palette.too_many",
                              "More swatches than the game takes: it refuses the 258th.",
                              {E, E, W},
                              NULL},
    [LVL_SKETCHY_F_COLORS_EDGE] =
        {"sketchy.palette.edge",
         "More than 256 swatches. The game should refuse the 257th, but refuses only from the 258th on.",
         {W, N, N},
         NULL},
    [LVL_SKETCHY_F_SWATCH_DOUBLE] =
        {"sketchy.palette.double",
         "A palette has the same swatch twice. The game's convert command wrote such palettes until 0.14.0.",
         {W, N, N},
         "merges them, and their pixels"},
    [LVL_SKETCHY_F_INHERITS] =
        {"sketchy.palette.inherits",
         "A zipped doodad whose first, third or fourth swatch has no solid, fire or water. The game fills "
         "them from its default palette, and saving writes them.",
         {N, N, N},
         NULL},
    [LVL_SKETCHY_F_INHERITED] = {"sketchy.palette.inherited",
                                 "A zipped doodad whose swatches behave just as those of the game's default "
                                 "palette: the game has most likely added that on a save.",
                                 {N, N, N},
                                 NULL},
    [LVL_SKETCHY_F_PALETTE_LOST] = {"sketchy.palette.lost",
                                    "Pixels use swatches that were in the lost part of the file.",
                                    {E, E, E},
                                    "adds a grey for each, so that the pixels are kept"},
    [LVL_SKETCHY_F_CHUNK_SIZE] =
        {"sketchy.chunk.size",
         "The size of chunks is invalid (0, or above 255: the game refuses the file) or does not match "
         "their content: pixels are hidden or in the wrong place.",
         {E, E, W},
         "sets it to a size that fits the pixels, 128 if it does"},
    [LVL_SKETCHY_F_CHUNK_BAD] =
        {"sketchy.chunk.unreadable",
         "A chunk whose stream cannot be read, or not to its end. The game does not show it.",
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
         "A chunk of a layer that the document does not have. The game drops it on saving.",
         {W, N, N},
         NULL},
    [LVL_SKETCHY_F_CHUNK_NAME] =
        {"sketchy.chunk.name",
         "A member among the chunks whose name is not a chunk's. The game cannot save such a file.",
         {W, W, N},
         "moves it to assets/strays"},
    [LVL_SKETCHY_F_CHUNK_ALIAS] = {"sketchy.chunk.alias",
                                   "The member of a chunk does not have the name that the game uses "
                                   "(\"+1,2\" for \"1,2\"). The game does not find it.",
                                   {E, E, W},
                                   "renames it, or moves it to assets/strays if there is one of that name"},
    [LVL_SKETCHY_F_INDEX] = {"sketchy.pixel.index",
                             "Pixels whose index the palette lacks. They are invisible; when the game saves "
                             "the chunk, most of its other pixels turn into the first swatch.",
                             {E, E, W},
                             "removes these pixels from the chunk"},
    [LVL_SKETCHY_F_OUTSIDE] =
        {"sketchy.pixel.outside",
         "Pixels listed in a chunk that does not own them: neither the game nor lvl draws them, and they "
         "are not solid. The game's v3.1 saves keep them, v4 saves drop them.",
         {W, W, N},
         "moves them to the chunks that own them where nothing is drawn there; removes the others"},
    [LVL_SKETCHY_F_PHANTOM] = {"sketchy.pixel.phantom",
                               "Pixel 0,0 with the first swatch in a chunk that does not own it: added by "
                               "the game when it read base64 chunks.",
                               {W, W, N},
                               "removes it"},
    [LVL_SKETCHY_F_BASE64] =
        {"sketchy.chunk.base64",
         "Chunks whose pixels are base64, as some builds of the game wrote them. Loading them, the game puts "
         "pixel 0,0 with the first swatch into each, and saves that.",
         {W, W, N},
         NULL},
    [LVL_SKETCHY_F_PIXEL_DOUBLE] = {"sketchy.pixel.double",
                                    "Pixels listed more than once in a chunk. The last one is used.",
                                    {N, N, N},
                                    NULL},
    [LVL_SKETCHY_F_PIXEL_BROKEN] = {"sketchy.pixel.broken",
                                    "Entries of a chunk that are not a position and an index.",
                                    {E, E, W},
                                    "removes them"},
    [LVL_SKETCHY_F_RUNS_LONG] = {"sketchy.runs.long",
                                 "Runs that go beyond the chunk's end. The game (HEAD) crashes.",
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
                                  "the game (HEAD) loses it; lvl does not.",
                                  {N, N, o},
                                  NULL},
    [LVL_SKETCHY_F_ACTOR_DOUBLE] = {"sketchy.actor.double_id",
                                    "Two actors have the same id. The game keeps the last.",
                                    {W, W, N},
                                    NULL},
    [LVL_SKETCHY_F_ACTOR_NAMELESS] = {"sketchy.actor.no_id",
                                      "An actor without an id. The game gives it another one on each load, "
                                      "so that no link can name it.",
                                      {W, N, N},
                                      NULL},
    [LVL_SKETCHY_F_LINK_LOST] = {"sketchy.actor.link_to_nothing",
                                 "A link to an actor that does not exist. The game removes it on saving.",
                                 {W, N, N},
                                 "removes it, as the game does"},
    [LVL_SKETCHY_F_LINK_ONE_WAY] = {"sketchy.actor.link_one_way",
                                    "A link without a link back. The game accepts that.",
                                    {N, N, N},
                                    NULL},
    [LVL_SKETCHY_F_NO_DOODAD] = {"sketchy.actor.no_doodad",
                                 "A doodad that neither the level nor the art has. The game omits the actor.",
                                 {W, W, N},
                                 NULL},
    [LVL_SKETCHY_F_OPTION] = {"sketchy.option.value",
                              "An option whose value is not of its type.",
                              {W, W, N},
                              NULL},
    [LVL_SKETCHY_F_OPTION_TYPE] =
        {"sketchy.option.type",
         "An option of a type other than bool, str and int. The game does not set it.",
         {W, W, N},
         NULL},
    [LVL_SKETCHY_F_FILE_BAD] = {"sketchy.file.unreadable",
                                "An attached file that cannot be read, or not to its end.",
                                {E, E, W},
                                "keeps what can be read of it"},
    [LVL_SKETCHY_F_FILE_DROPPED] =
        {"sketchy.file.dropped",
         "A file attached to a drawing of v1 or v2. Since 0.13 the game has not written any into these "
         "versions.",
         {N, N, o},
         NULL},
    [LVL_SKETCHY_F_NAME_OUT] =
        {"sketchy.file.leads_out",
         "A name that points outside of the archive. lvl never writes outside of the folder that it "
         "extracts to.",
         {E, W, W},
         "removes that part of the name; the new name is unique"},
    [LVL_SKETCHY_F_NAME_CASE] =
        {"sketchy.file.case",
         "Two names that differ only in the case of letters: not every system's folders can hold both.",
         {N, N, N},
         NULL},
    [LVL_SKETCHY_F_STRANGER] = {"sketchy.file.stranger",
                                "A member that the game does not know and drops on saving.",
                                {N, N, N},
                                NULL},
    [LVL_SKETCHY_F_PACK_PREFIX] = {"sketchy.pack.prefix",
                                   "There are bytes before the pack's zip. The game opens such a pack, but "
                                   "not such a level or doodad.",
                                   {W, N, N},
                                   NULL},
    [LVL_SKETCHY_F_PACK_UNLISTED] = {"sketchy.pack.unlisted",
                                     "A level that is not in the index: the game does not offer it.",
                                     {W, W, N},
                                     "adds it at the end of the index"},
    [LVL_SKETCHY_F_PACK_MISSING] = {"sketchy.pack.missing",
                                    "The index names a level that is not in the pack.",
                                    {E, E, W},
                                    "removes it from the index"},
    [LVL_SKETCHY_F_PACK_TWICE] = {"sketchy.pack.listed_twice",
                                  "The index names a level twice.",
                                  {W, N, N},
                                  NULL},
    [LVL_SKETCHY_F_PACK_STALE] =
        {"sketchy.pack.stale",
         "The title, author or uuid of a level in the index differs from the level's: the level was changed "
         "later, or the index differs on purpose.",
         {W, W, N},
         "sets the uuid to the level's; a title or an author may differ on purpose, and is kept"},
    [LVL_SKETCHY_F_PACK_UUID] = {"sketchy.pack.uuid",
                                 "Two levels of the pack have the same uuid, by which the game stores "
                                 "scores.",
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
                                  "A chunk that cannot be decoded: it is not in the new file.",
                                  {E, E, E},
                                  NULL},
    [LVL_SKETCHY_F_LOSS_OUTSIDE] =
        {"sketchy.loss.outside",
         "Pixels that a chunk lists but that lie outside of it. The game does not draw them.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_INDEX] = {"sketchy.loss.index",
                                  "Pixels with an index of 65535 or more, or whose position is not two "
                                  "numbers.",
                                  {W, W, W},
                                  NULL},
    [LVL_SKETCHY_F_LOSS_SIGNATURE] =
        {"sketchy.loss.signature",
         "The level is signed. The signature would not match the new file, and is left out.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_DAMAGE] =
        {"sketchy.loss.damage",
         "The file is damaged; what is not in its document, its chunks or its members is left out.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_COLOR] =
        {"sketchy.loss.color",
         "Colours of a picture that are not in the palette of the drawing, or do not fit into it: the "
         "nearest are used.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_REST] =
        {"sketchy.loss.rest",
         "What a drawing holds besides the pixels of one layer (title, actors, other "
         "layers …) is not kept in the picture, or what a picture keeps cannot be used.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_CONVERT_OPTION] = {"sketchy.convert_option",
                                      "An option that no drawing can satisfy.",
                                      {E, E, E},
                                      NULL},
};

void lvl_sketchy_report(lvl_findings *findings, unsigned what, const lvl_where *where, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(findings, &lvl_sketchy_findings[what], where, NULL, fmt, args);
    va_end(args);
}

lvl_where lvl_sketchy_item(size_t list, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_sketchy_table, list), index);
}

lvl_where lvl_sketchy_at(size_t member)
{
    return lvl_sketchy_item(member, LVL_NO_INDEX);
}

lvl_where lvl_sketchy_chunk_at(uint32_t layer, uint32_t chunk)
{
    return lvl_where_to(lvl_sketchy_item(offsetof(lvl_sketchy, layers), layer),
                        LVL_FIELD(lvl_sketchy_layer, chunks), chunk);
}
