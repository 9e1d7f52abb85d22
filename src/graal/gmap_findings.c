/*
 * graal/gmap_findings.c: what can be found in a world map, how bad it is for whom, and what repair does about
 * it.
 */
#include "graal/gmap_internal.h"

#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
const lvl_finding_def lvl_gmap_findings[LVL_GMAP_F_COUNT] = {
    [LVL_GMAP_F_NO_HEADER] = {"gmap.header.missing",
                              "The file has keys but does not begin with GRMAP001: games do not load it.",
                              {E, E, W},
                              "adds the header"},
    [LVL_GMAP_F_VERSION] =
        {"gmap.header.version",
         "The file does not begin with GRMAP001, the only header that is known. It is read all the same.",
         {W, W, N},
         NULL},
    [LVL_GMAP_F_KEY_UNKNOWN] = {"gmap.key.unknown",
                                "A line that lvl does not interpret. It is kept among `others`.",
                                {N, N, N},
                                NULL},
    [LVL_GMAP_F_KEY_DOUBLED] = {"gmap.key.doubled",
                                "A key is there more than once; the last line counts.",
                                {W, W, N},
                                NULL},
    [LVL_GMAP_F_KEY_VALUE] =
        {"gmap.key.value",
         "The value of a key is not of the kind that it needs (a number, as a rule); the line is ignored.",
         {E, W, W},
         NULL},
    [LVL_GMAP_F_BLOCK_OPEN] =
        {"gmap.block.open",
         "A block has no line that ends it (LEVELNAMESEND): the file was cut, or a reader takes what "
         "follows for more of the block.",
         {E, E, W},
         "ends the block"},
    [LVL_GMAP_F_QUOTE_OPEN] =
        {"gmap.quote.open",
         "A name in a row has no quote at its end, so that it extends to the end of the line.",
         {E, E, W},
         NULL},
    [LVL_GMAP_F_WORDS] = {"gmap.line.words",
                          "A line has text behind what its key needs, or behind a name in quotes; nothing "
                          "reads it. It is kept: "
                          "an edit of that line is refused.",
                          {E, E, E},
                          NULL},
    [LVL_GMAP_F_OUTSIDE] =
        {"gmap.row.outside",
         "A row of level names is outside of its block: the block ends too early or begins too late. "
         "Games ignore the row; it is kept among `others`.",
         {E, E, E},
         "moves the rows next to the block into it, if the map then has as many rows as HEIGHT says"},
    [LVL_GMAP_F_LIMIT] =
        {"gmap.limit",
         "The map has more cells than lvl looks for levels in; their levels are not checked.",
         {E, E, E},
         NULL},
    [LVL_GMAP_F_NO_SIZE] = {"gmap.size.missing",
                            "WIDTH or HEIGHT is missing: games show no map then.",
                            {E, E, W},
                            "adds them, if the header is GRMAP001 alone"},
    [LVL_GMAP_F_SIZE] =
        {"gmap.size.wrong",
         "WIDTH or HEIGHT is not that of the rows: the client puts levels in wrong places or fails.",
         {E, E, W},
         "sets them to the size of the rows, if no row is outside of its block"},
    [LVL_GMAP_F_EMPTY] = {"gmap.empty", "The map has no level at all.", {W, W, N}, NULL},
    [LVL_GMAP_F_UNEVEN] = {"gmap.row.short",
                           "A row has fewer names than the longest one.",
                           {W, W, N},
                           "adds empty cells"},
    [LVL_GMAP_F_DOUBLED] = {"gmap.level.doubled",
                            "A level is in more than one place. Servers know one place for each level.",
                            {W, W, N},
                            NULL},
    [LVL_GMAP_F_NAME] =
        {"gmap.level.name",
         "A name that cannot be a level's: it has a folder or a control character in it, or does not end in "
         ".nw, .graal or .zelda.",
         {W, W, N},
         NULL},
    [LVL_GMAP_F_TEXT] =
        {"gmap.text.line",
         "A text that its line cannot hold, for example one with a line break: it would be read as something "
         "else.",
         {E, E, E},
         NULL},
    [LVL_GMAP_F_MISSING] = {"gmap.level.missing",
                            "There is no file of that name: the place is empty in the game.",
                            {W, W, N},
                            NULL},
    [LVL_GMAP_F_CASE] =
        {"gmap.level.case",
         "The name of the level's file differs in case. Games accept that; file systems may not.",
         {N, N, o},
         "takes the file's own name"},
    [LVL_GMAP_F_UNREADABLE] = {"gmap.level.unreadable",
                               "The file of that name cannot be read as a level.",
                               {W, W, N},
                               NULL},
    [LVL_GMAP_F_IMAGE] = {"gmap.image.missing", "A picture that the map names is missing.", {W, W, N}, NULL},
    [LVL_GMAP_F_LINK_ELSEWHERE] =
        {"gmap.link.elsewhere",
         "A link along the edge of a level leads to another level than the map's neighbour.",
         {N, N, o},
         NULL},
    [LVL_GMAP_F_LINK_ONE_WAY] =
        {"gmap.link.one_way",
         "A link along the edge of a level leads to its neighbour, which has no link back.",
         {N, N, o},
         NULL},
    [LVL_GMAP_F_LOSS_KEY] = {"gmap.loss.key",
                             "A bigmap has rows only: this member is left out.",
                             {W, W, W},
                             NULL},
    [LVL_GMAP_F_LOSS_TEXT] = {"gmap.loss.text",
                              "Text in a line that belongs to no name and no key: it is left out.",
                              {W, W, W},
                              NULL},
};
