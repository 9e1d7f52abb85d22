/*
 * graal/level/graal_stale.h: recognizes baddies among the NPCs and chests.
 *
 * Early editors read the list of baddies line by line. A baddy in column or row 10 has a byte 10, a line
 * feed, among its first two bytes, where they ended the list. They read the rest of the list, including its
 * end mark (FF FF FF), as NPCs, and saved it like that, with a `#` after two bytes. After a baddy in column
 * 10, the first such NPC begins with its row. A baddy in row 10 leaves its column as a line of one byte (to
 * which a 0 was added) and its type and texts as the next line, or only the latter if it was the first baddy.
 * Real files of GR-V1.01 to 1.03 have this, some several times: each end mark ends the list of one save. In
 * files of GR-V1.01 and 1.02 no baddy is in column or row 10, while 9 and 11 are common. Chests were read in
 * the same way, from four bytes of each such line.
 */
#ifndef LVL_GRAAL_STALE_H
#define LVL_GRAAL_STALE_H

#include "base/arena.h"

#include <lvl/graal.h>

typedef enum lvl_stale {
    LVL_STALE_NONE, /* a normal NPC */
    LVL_STALE_BADDY, /* a whole baddy */
    LVL_STALE_COLUMN, /* a baddy in column 10: its row, type and texts */
    LVL_STALE_HEAD, /* the column of a baddy in row 10; the next record is the rest of it */
    LVL_STALE_REST, /* type and texts of a baddy in row 10; its column is in the record before, or lost */
    LVL_STALE_END, /* an end mark */
    LVL_STALE_PIECE /* a record next to such records that cannot be an NPC */
} lvl_stale;

/* The kind of an NPC. A record with code or with a picture is always LVL_STALE_NONE. */
lvl_stale lvl_graal_stale_npc(const lvl_graal *level, uint32_t index);
/* The baddy of a BADDY, COLUMN or REST record; unknown members are 0. False if its column is lost, or out of
 * memory (arena->failed). Its texts are copied to the arena; if that is NULL they are empty. */
bool lvl_graal_stale_baddy(const lvl_graal *level, uint32_t index, lvl_arena *arena, lvl_graal_baddy *out);

/* The finding about such a record: LVL_GRAAL_F_… */
int lvl_graal_stale_finding(lvl_stale stale);
/* Describes the record for people; in buf. */
enum { LVL_STALE_TEXT = 120 };
const char *lvl_graal_stale_text(const lvl_graal *level, uint32_t index, lvl_stale stale,
                                 char buf[LVL_STALE_TEXT]);
/* Describes what was read as a chest; NULL: it is a chest. A record is not a chest if it is off the board and
 * its item does not exist. */
const char *lvl_graal_stale_chest(const lvl_graal_chest *chest);

#endif
