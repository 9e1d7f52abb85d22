/*
 * graal/graal_stale.h: recognition of baddies that stand where NPCs and chests should.
 *
 * Early editors read the list of baddies by lines. A baddy in column or row 10 has a byte 10, a line feed,
 * among its first two, so the list ended there for them, and what followed was taken for NPCs, the list's own
 * end mark (FF FF FF) included, and kept as NPCs by the next save, with a
 * `#` after two bytes. Of a baddy in column 10 the list goes on with its row; one in row 10 leaves its column
 * as a line of one byte (a 0 was put behind it) and its type and words as the next, or only these, if it was
 * the first. Seen in real files of GR-V1.01 to 1.03, where some went through this several times: each end
 * mark closes what one save had. In files of GR-V1.01 and 1.02 no living baddy stands in column or row 10,
 * while 9 and 11 are common. Chests were read likewise, four bytes of each such line.
 */
#ifndef LVL_GRAAL_STALE_H
#define LVL_GRAAL_STALE_H

#include "base/arena.h"

#include <lvl/graal.h>

typedef enum lvl_stale {
    LVL_STALE_NONE,   /* an NPC like any other */
    LVL_STALE_BADDY,  /* a whole baddy */
    LVL_STALE_COLUMN, /* a baddy in column 10: its row, type and words */
    LVL_STALE_HEAD,   /* the column of a baddy in row 10; the next record is the rest of it */
    LVL_STALE_REST,   /* type and words of a baddy in row 10; its column is in the record before, or lost */
    LVL_STALE_END,    /* an end mark */
    LVL_STALE_PIECE   /* between others, and nothing that could be an NPC */
} lvl_stale;

/* What record `index` of the level's NPCs is. Never LVL_STALE_NONE for a record with code in it, or with a
 * picture's name. */
lvl_stale lvl_graal_stale_npc(const lvl_graal *level, uint32_t index);
/* Of a BADDY, COLUMN or REST record: the baddy, with what isn't known of it at 0; false if its column is
 * lost, or without memory (see the arena). The words are copied to the arena; without one (NULL) they are
 * left empty. */
bool lvl_graal_stale_baddy(const lvl_graal *level, uint32_t index, lvl_arena *arena, lvl_graal_baddy *out);

/* What is found of the record: a number of graal_findings.h. */
int lvl_graal_stale_finding(lvl_stale stale);
/* What the record is, in words for a person; in buf. */
enum { LVL_STALE_TEXT = 120 };
const char *lvl_graal_stale_text(const lvl_graal *level, uint32_t index, lvl_stale stale,
                                 char buf[LVL_STALE_TEXT]);
/* What was read as a chest, in words; NULL: a chest. A place off the board and an item that there isn't,
 * both: that is no chest. */
const char *lvl_graal_stale_chest(const lvl_graal_chest *chest);

#endif
