/*
 * lvl/server.h: the records of the files that a Graal server keeps beside its levels: a weapon (GRAWP001), an
 * NPC of its database (GRNPC001), an account of a player (GRACC001). lvl_doc_root of a document of format
 * "server" is a lvl_server.
 *
 * Texts have one byte per character (usually windows-1252). Places are in tiles, 64 a level; a z is a height.
 * Members may be assigned at any time; those of another `version` are not written. `source` (role kept) is
 * the file as it was read: lines whose content is unchanged are copied from it when the file is written.
 *
 * The facts are from GServer, which reads and writes these files (docs/formats/server.md).
 */
#ifndef LVL_SERVER_H
#define LVL_SERVER_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lvl_server.version: the first line. */
typedef enum lvl_server_version {
    LVL_GRAWP001 = 1, /* a weapon */
    LVL_GRNPC001, /* an NPC */
    LVL_GRACC001 /* an account */
} lvl_server_version;

/* lvl_server.line_end */
enum { LVL_SERVER_LF, LVL_SERVER_CRLF };

/* A chest that a player has opened. */
typedef struct lvl_server_chest {
    int32_t x, y; /* tiles */
    lvl_text level; /* file name */
} lvl_server_chest;

/* A weapon that a player has. */
typedef struct lvl_server_weapon {
    lvl_text name; /* the name in the weapon's file */
} lvl_server_weapon;

/* One of the thirty attributes of a character. */
typedef struct lvl_server_attribute {
    lvl_text number; /* "1" to "30" */
    lvl_text value; /* file name of a picture, or any text */
} lvl_server_attribute;

/* A flag of a player or an NPC. */
typedef struct lvl_server_flag {
    lvl_text value; /* name, or name=value */
} lvl_server_flag;

typedef struct lvl_server {
    uint8_t version; /* lvl_server_version */
    lvl_text real_name; /* weapon: its name; the file's name does not matter */
    lvl_text name; /* NPC, account */
    lvl_text image; /* weapon, NPC: file name of a picture */
    lvl_text bytecode; /* weapon: file name in weapon_bytecode/ */
    lvl_text id, type, scripter, owner; /* NPC */
    lvl_text start_level; /* NPC: where it is when the server starts */
    double start_x, start_y, start_z; /* tiles */
    lvl_text level; /* NPC, account: where it is now; a level or a gmap */
    double x, y, z; /* tiles */
    lvl_text nick, community_name;
    double max_hp, hp; /* account: hearts */
    lvl_text gralats; /* account */
    lvl_text ani; /* animation, without ending; parameters may follow after a comma */
    lvl_text head, body, sword, shield, bow, horse; /* file names of pictures */
    lvl_text colors; /* five numbers between commas */
    lvl_text joined_classes; /* NPC */
    lvl_server_attribute *attributes;
    lvl_server_flag *flags;
    lvl_server_weapon *weapons; /* account */
    lvl_server_chest *chests; /* account: chests that were opened */
    lvl_text *others; /* lines with other keys: numbers, rights */
    uint32_t attribute_count, flag_count, weapon_count, chest_count, other_count;
    lvl_text script; /* weapon, NPC */
    uint8_t line_end; /* kept: LVL_SERVER_LF … */
    lvl_text source; /* kept: the file as it was read; empty: none */
} lvl_server;

/* Tables of the above, for bindings. */
LVL_API extern const lvl_table lvl_server_table;
LVL_API extern const lvl_table lvl_server_chest_table;
LVL_API extern const lvl_table lvl_server_weapon_table;
LVL_API extern const lvl_table lvl_server_attribute_table;
LVL_API extern const lvl_table lvl_server_flag_table;

#ifdef __cplusplus
}
#endif

#endif
