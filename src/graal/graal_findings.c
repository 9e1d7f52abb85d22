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
                                "The file ends inside its header or before its first tile.",
                                {F, F, F},
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
                                NULL},
    [LVL_GRAAL_F_NW_STRAY_END] = {"graal.nw.stray_end",
                                  "An end line that ends nothing: NPCEND after no NPC. Readers pass over it; "
                                  "it may mean that the block's first line is damaged.",
                                  {W, W, W},
                                  NULL},
    [LVL_GRAAL_F_NW_INSIDE] = {"graal.nw.inside",
                               "A line inside of a script or sign would be a whole command outside of it. It "
                               "is part of the text; it may mean that an end line is missing before it.",
                               {W, W, W},
                               NULL},
    [LVL_GRAAL_F_NW_UNCLOSED] = {"graal.nw.unclosed",
                                 "The file ends inside of an NPC, sign, baddy or heights: it is cut, or its "
                                 "end line was forgotten. Readers take what is there.",
                                 {E, W, W},
                                 NULL},
    [LVL_GRAAL_F_NW_NUMBER] =
        {"graal.nw.number",
         "A word that should be a number isn't one; readers take its leading digits, or 0.",
         {E, W, W},
         NULL},
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
                            "A BOARD line with fewer tiles than it says, or with characters that stand for "
                            "none; the game passes over such a line. The tiles that are there are kept.",
                            {E, E, E},
                            NULL},
    [LVL_GRAAL_F_NW_ROW_LONG] =
        {"graal.nw.row_long",
         "A BOARD line with more characters than its tiles need, or tiles beyond the board's edge.",
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

    /* ---- rules, either form ---- */

    /* ---- losses of a conversion ---- */
};
