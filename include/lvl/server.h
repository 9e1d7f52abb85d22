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

/* lvl_doc_root of a document of format "class": the script of a class (`scripts/NAME.txt`). */
typedef struct lvl_server_class {
    lvl_text script; /* the whole file */
    uint8_t line_end; /* kept: LVL_SERVER_LF … */
} lvl_server_class;

/* lvl_doc_root of a document of format "serveroptions" (`serveroptions.txt`): the settings that name files or
 * places, and all others. */
typedef struct lvl_server_setting {
    lvl_text key, value;
} lvl_server_setting;

typedef struct lvl_server_settings {
    lvl_text name, description; /* in the list of servers */
    lvl_text *start_levels; /* where new players begin, at */
    double start_x, start_y; /* tiles */
    lvl_text unstick_level; /* where players go who say "unstick me", to */
    double unstick_x, unstick_y; /* tiles */
    lvl_text *jail_levels; /* which players cannot leave */
    lvl_text *gmaps; /* names of gmaps, without ending */
    lvl_text *maps, *group_maps; /* bigmaps; maps of which each group has its own, with ending */
    lvl_text bigmap, bigmap_image; /* a bigmap, and its picture */
    lvl_text minimap, minimap_image;
    double bigmap_x, bigmap_y, minimap_x, minimap_y; /* where players are shown who are not on the map */
    lvl_text staff_head; /* picture of the heads of those who administer the server */
    lvl_text *protected_weapons;
    lvl_server_setting *options; /* the other settings */
    uint32_t start_level_count, jail_level_count, gmap_count, map_count, group_map_count, protected_count,
        option_count;
    uint8_t line_end; /* kept: LVL_SERVER_LF … */
    lvl_text source; /* kept: the file as it was read; empty: none */
} lvl_server_settings;

/* lvl_doc_root of a document of format "folderconfig" (`foldersconfig.txt`): which files a server takes. */
typedef enum lvl_server_folder_type {
    LVL_FOLDER_FILE,
    LVL_FOLDER_LEVEL,
    LVL_FOLDER_HEAD,
    LVL_FOLDER_BODY,
    LVL_FOLDER_SWORD,
    LVL_FOLDER_SHIELD
} lvl_server_folder_type;

typedef struct lvl_server_folder {
    int32_t type; /* lvl_server_folder_type; -1: another word */
    lvl_text path; /* below world/, with * in its last part */
} lvl_server_folder;

typedef struct lvl_server_folders {
    lvl_server_folder *folders;
    uint32_t folder_count;
    uint8_t line_end; /* kept */
    lvl_text source; /* kept */
} lvl_server_folders;

/* Tables of the above, for bindings. */
LVL_API extern const lvl_table lvl_server_table;
LVL_API extern const lvl_table lvl_server_chest_table;
LVL_API extern const lvl_table lvl_server_weapon_table;
LVL_API extern const lvl_table lvl_server_attribute_table;
LVL_API extern const lvl_table lvl_server_flag_table;
LVL_API extern const lvl_table lvl_server_class_table;
LVL_API extern const lvl_table lvl_server_settings_table;
LVL_API extern const lvl_table lvl_server_setting_table;
LVL_API extern const lvl_table lvl_server_folders_table;
LVL_API extern const lvl_table lvl_server_folder_table;

#ifdef __cplusplus
}
#endif

#endif
