/*
 * graal/gmap_findings.c: what can be found in a world map, how bad it is for whom, and what repair does about it.
 */
#include "graal/gmap_parts.h"

#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR

/* clang-format off */
const lvl_finding_def lvl_gmap_findings[LVL_GMAP_F_COUNT] = {
    [LVL_GMAP_F_NO_HEADER] = {"gmap.header.missing", "The file has keys but doesn't begin with GRMAP001: games don't take it.",
                              {E, E, W}, "adds the header"},
    [LVL_GMAP_F_VERSION] = {"gmap.header.version", "The header is another one than GRMAP001, the only one that is known. It is read all the same.",
                            {W, W, N}, NULL},
    [LVL_GMAP_F_KEY_UNKNOWN] = {"gmap.key.unknown", "A line that begins with no key that is known. It is kept.", {N, N, N}, NULL},
    [LVL_GMAP_F_KEY_DOUBLED] = {"gmap.key.doubled", "A key stands there more than once; the last line counts.", {W, W, N}, NULL},
    [LVL_GMAP_F_KEY_VALUE] = {"gmap.key.value", "What follows a key isn't what it wants (a number, as a rule); the line says nothing.",
                              {E, W, W}, NULL},
    [LVL_GMAP_F_BLOCK_OPEN] = {"gmap.block.open", "A block has no line that ends it (LEVELNAMESEND and the like): the file was cut, or a reader takes what follows "
                               "for more of it.", {E, E, W}, "ends the block"},
    [LVL_GMAP_F_BLOCK_NUMBER] = {"gmap.block.number", "A line in a block of numbers holds something else. It is kept, but says nothing.", {W, W, N}, NULL},
    [LVL_GMAP_F_QUOTE_OPEN] = {"gmap.quote.open", "A name in a row has no quote at its end, so that it goes on to the end of the line.", {E, E, W}, NULL},
    [LVL_GMAP_F_OUTSIDE] = {"gmap.row.outside", "A row of level names stands outside of its block: the "
                            "block's end comes too early. Games ignore it; it is kept among "
                            "`others`.", {E, E, E}, NULL},
    [LVL_GMAP_F_LIMIT] = {"gmap.limit", "The map is larger than the limits allow; --limit raises them.", {E, E, E}, NULL},
    [LVL_GMAP_F_NO_SIZE] = {"gmap.size.missing", "WIDTH or HEIGHT isn't told: games have no map then.", {E, E, W}, "adds them"},
    [LVL_GMAP_F_SIZE] = {"gmap.size.wrong", "WIDTH or HEIGHT isn't that of the rows: the game's client puts levels in wrong places or fails.",
                         {E, E, W}, "sets them to what the rows are"},
    [LVL_GMAP_F_EMPTY] = {"gmap.empty", "The map has no level at all.", {W, W, N}, NULL},
    [LVL_GMAP_F_UNEVEN] = {"gmap.row.short", "A row has fewer names than the longest one.", {W, W, N}, "fills it up with empty cells"},
    [LVL_GMAP_F_DOUBLED] = {"gmap.level.doubled", "A level stands in more than one place. Servers know one place for each level.", {W, W, N}, NULL},
    [LVL_GMAP_F_NAME] = {"gmap.level.name", "A name that can't be a level's: it has a folder in it, or doesn't end in .nw, .graal or .zelda.",
                         {W, W, N}, NULL},
    [LVL_GMAP_F_TEXT] = {"gmap.text.line", "A text holds a line break: a reader takes what follows it for the next line.", {E, E, E}, NULL},
    [LVL_GMAP_F_GENERATED] = {"gmap.generated.name", "The names of levels are to be generated, but from a name that none can be made of (it needs a '_'), or "
                              "for more than 676 columns.", {W, W, N}, NULL},
    [LVL_GMAP_F_MISSING] = {"gmap.level.missing", "No file of that name is there: the place is empty in the game.", {W, W, N}, NULL},
    [LVL_GMAP_F_CASE] = {"gmap.level.case", "The level's file has another case. Games don't mind, but systems may.", {N, N, o},
                         "takes the file's own name"},
    [LVL_GMAP_F_UNREADABLE] = {"gmap.level.unreadable", "The file of that name is no level that can be read.", {W, W, N}, NULL},
    [LVL_GMAP_F_IMAGE] = {"gmap.image.missing", "A picture that the map names isn't there.", {W, W, N}, NULL},
    [LVL_GMAP_F_LINK_ELSEWHERE] = {"gmap.link.elsewhere", "A link along the edge of a level leads elsewhere than to the level that lies beside it on the map.",
                                   {N, N, o}, NULL},
    [LVL_GMAP_F_LINK_ONE_WAY] = {"gmap.link.one_way", "A link along the edge of a level leads to its neighbour, from which none leads back.", {N, N, o}, NULL},
    [LVL_GMAP_F_LOSS_KEY] = {"gmap.loss.key", "A bigmap has rows only: what else the map says is left out.", {W, W, W}, NULL},
    [LVL_GMAP_F_LOSS_GENERATED] = {"gmap.loss.generated", "A bigmap can't say that names are generated, and the map is too large to list them.", {W, W, W}, NULL},
};
/* clang-format on */
