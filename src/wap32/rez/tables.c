/*
 * wap32/rez/tables.c: REZ version 1, an archive:
 *
 *     0x00 CR LF, 60 bytes of text, CR LF, 60 bytes of text, CR LF, 0x1A 0x7F u32 version 1 0x83 u32 root_pos
 *     position of the root directory's body 0x87 u32 root_size 0: an empty archive 0x8B u32 root_time often
 *     junk 0x8F u32 next_write where the payloads end 0x93 u32 time 0x97 u32 largest_keys, largest_dir,
 *     largest_file, largest_comment 0xA7 u8 is_sorted 0xA8 payloads, then directories' bodies
 *
 * A body is a sequence of entries, up to its size:
 *
 *     0x00 u32 kind 1: directory, 0: file 0x04 u32 pos, size position and size of the payload or directory
 *     body 0x0C u32 time 0x10 u32 id, type, key_count files only; type is the extension, reversed name, NUL
 *     comment, NUL; key_count × u32 files only
 *
 * The game checks byte 0, byte 0x3F, byte 0x7E and the version, not the text. Edited archives have dead
 * copies of directories between the parts in use; they are kept. Sources: a LithTech Engine.REZ of 103 512
 * bytes, an empty archive, and a byte-matching decompilation of Gruntz.
 */
#include "wap32/formats.h"
#include "wap32/rez/rez.h"

/* clang-format off */
static const lvl_name kind_names[] = {
    {LVL_REZ_FILE, "file", NULL},
    {LVL_REZ_DIR, "dir", "a directory"},
    {0, NULL, NULL},
};
#define FILES_ONLY .when = {offsetof(lvl_rez_entry, kind), sizeof(uint32_t), 1u << LVL_REZ_FILE}
#define DIRS_ONLY  .when = {offsetof(lvl_rez_entry, kind), sizeof(uint32_t), 1u << LVL_REZ_DIR}
static const lvl_field entry_fields[] = {
    LVL_ROW_UINT(lvl_rez_entry, kind, "kind", 0, .names = kind_names, .prose = "file or directory"),
    LVL_ROW(lvl_rez_entry, pos, "pos", LVL_INT, .flags = LVL_F_HEX, .disk = 4, .role = LVL_KEPT,
        .unit = "bytes", .prose = "position of the payload or directory; 0: where the writer puts it"),
    LVL_ROW_UINT(lvl_rez_entry, size, "size", 8, .role = LVL_DERIVED, .unit = "bytes",
        .prose = "size of the payload or directory"),
    LVL_ROW_UINT(lvl_rez_entry, time, "time", 12, .unit = "s", .prose = "last change, seconds since 1970"),
    LVL_ROW_UINT(lvl_rez_entry, id, "id", 16, FILES_ONLY, .prose = "a number; not unique"),
    LVL_ROW(lvl_rez_entry, type, "type", LVL_TEXT, .disk = 20, .disk_size = 4, FILES_ONLY,
        .prose = "the extension, at most four characters; reversed in the file"),
    LVL_ROW_UINT(lvl_rez_entry, key_count, "key_count", 24, .role = LVL_DERIVED, FILES_ONLY,
        .prose = "number of keys"),
    LVL_ROW_TEXT(lvl_rez_entry, name, "name",
        .prose = "without the extension; upper case in the games' archives, looked up whatever the case"),
    LVL_ROW_TEXT(lvl_rez_entry, comment, "comment", FILES_ONLY, .prose = "free text"),
    LVL_ROW_INTS(lvl_rez_entry, keys, key_count, "keys", FILES_ONLY,
        .prose = "numbers by which the file can be found"),
    LVL_ROW_BYTES(lvl_rez_entry, data, "data", FILES_ONLY, .prose = "the payload"),
    LVL_ROW_LIST(lvl_rez_entry, entries, entry_count, "entries", &lvl_rez_entry_table, lvl_rez_entry,
        DIRS_ONLY, .prose = "content of the directory"),
    LVL_ROW_BYTES(lvl_rez_entry, rest, "rest", .role = LVL_UNKNOWN, DIRS_ONLY,
        .prose = "bytes after the last entry that could be read"),
};
static const lvl_field gap_fields[] = {
    LVL_ROW(lvl_rez_gap, pos, "pos", LVL_INT, .flags = LVL_F_HEX, .disk = LVL_NO_PLACE, .unit = "bytes",
        .prose = "position in the file"),
    LVL_ROW_BYTES(lvl_rez_gap, data, "data", .prose = "the bytes"),
};
const lvl_table lvl_rez_gap_table = {
    .name = "gap",
    .prose = "Bytes that nothing claims: dead copies of directories, payloads that were replaced.",
    LVL_TABLE_OF(lvl_rez_gap, gap_fields),
    .label = "pos",
};
static const lvl_field rez_fields[] = {
    LVL_ROW(lvl_rez, line_end_0, "line_end_0", LVL_INT, .flags = LVL_F_HEX, .disk = 0x00, .def = 0x0A0D,
        .prose = "CR LF; the game checks the CR"),
    LVL_ROW(lvl_rez, banner, "banner", LVL_TEXT, .flags = LVL_F_SLOT, .disk = 0x02, .disk_size = 60,
        .prose = "program that wrote it; padded with blanks",
        .summary = {.show = LVL_SHOW, .label = "written by"}),
    LVL_ROW(lvl_rez, line_end_1, "line_end_1", LVL_INT, .flags = LVL_F_HEX, .disk = 0x3E, .def = 0x0A0D,
        .prose = "CR LF; the game checks the LF"),
    LVL_ROW(lvl_rez, title, "title", LVL_TEXT, .flags = LVL_F_SLOT, .disk = 0x40, .disk_size = 60,
        .prose = "title; padded with blanks", .summary = {.show = LVL_SHOW, .label = "title"}),
    LVL_ROW(lvl_rez, line_end_2, "line_end_2", LVL_INT, .flags = LVL_F_HEX, .disk = 0x7C, .def = 0x0A0D,
        .prose = "CR LF"),
    LVL_ROW(lvl_rez, text_end, "text_end", LVL_INT, .flags = LVL_F_HEX, .disk = 0x7E, .def = 0x1A,
        .prose = "ends a text for DOS; the game checks it"),
    LVL_ROW_UINT(lvl_rez, version, "version", 0x7F, .def = 1, .prose = "1"),
    LVL_ROW(lvl_rez, root_pos, "root_pos", LVL_INT, .flags = LVL_F_HEX, .disk = 0x83, .role = LVL_KEPT,
        .unit = "bytes", .prose = "position of the root directory; 0: where the writer puts it"),
    LVL_ROW_UINT(lvl_rez, root_size, "root_size", 0x87, .role = LVL_DERIVED, .unit = "bytes",
        .prose = "size of the root directory"),
    LVL_ROW_UINT(lvl_rez, root_time, "root_time", 0x8B, .prose = "time of the root directory; often junk"),
    LVL_ROW(lvl_rez, next_write, "next_write", LVL_INT, .flags = LVL_F_HEX, .disk = 0x8F,
        .role = LVL_DERIVED, .unit = "bytes", .prose = "where the payloads end"),
    LVL_ROW_UINT(lvl_rez, time, "time", 0x93, .unit = "s", .prose = "last change, seconds since 1970"),
    LVL_ROW_UINT(lvl_rez, largest_keys, "largest_keys", 0x97, .role = LVL_DERIVED,
        .prose = "the most keys that a file has"),
    LVL_ROW_UINT(lvl_rez, largest_dir, "largest_dir", 0x9B, .role = LVL_DERIVED, .unit = "bytes",
        .prose = "the longest name of a directory, with its NUL"),
    LVL_ROW_UINT(lvl_rez, largest_file, "largest_file", 0x9F, .role = LVL_DERIVED, .unit = "bytes",
        .prose = "the longest name of a file, with its NUL"),
    LVL_ROW_UINT(lvl_rez, largest_comment, "largest_comment", 0xA3, .role = LVL_DERIVED, .unit = "bytes",
        .prose = "the longest comment, with its NUL"),
    LVL_ROW_UINT(lvl_rez, is_sorted, "is_sorted", 0xA7, .def = 1,
        .prose = "each directory's payloads lie together"),
    LVL_ROW_LIST(lvl_rez, entries, entry_count, "entries", &lvl_rez_entry_table, lvl_rez_entry,
        .prose = "content of the root directory"),
    LVL_ROW_BYTES(lvl_rez, rest, "rest", .role = LVL_UNKNOWN,
        .prose = "bytes of the root directory after the last entry that could be read"),
    LVL_ROW_LIST(lvl_rez, gaps, gap_count, "gaps", &lvl_rez_gap_table, lvl_rez_gap, .role = LVL_KEPT,
        .prose = "bytes that belong to no entry"),
    LVL_ROW_INTS(lvl_rez, declared, declared_count, "declared", .role = LVL_KEPT, .unit = "bytes",
        .prose = "the positions in the file, of the root and of all entries, if the root is elsewhere"),
};
/* clang-format on */

static const lvl_identity entry_identities[] = {
    {3, {offsetof(lvl_rez_entry, kind), offsetof(lvl_rez_entry, name), offsetof(lvl_rez_entry, type)}},
};

const lvl_table lvl_rez_entry_table = {
    .name = "entry",
    .prose = "A file or a directory.",
    LVL_TABLE_OF(lvl_rez_entry, entry_fields),
    .disk_size = LVL_REZ_FILE_FIXED,
    .identities = entry_identities,
    .identity_count = LVL_COUNT_OF(entry_identities),
    .label = "name",
};

const lvl_table lvl_rez_table = {
    .name = "rez",
    .prose = "An archive.",
    LVL_TABLE_OF(lvl_rez, rez_fields),
    .disk_size = LVL_REZ_HEADER_SIZE,
};

#define FINDING_INDEX(name) LVL_REZ_##name
#include "base/finding_rows.h"

/* clang-format off */
const lvl_finding_def lvl_rez_findings[LVL_REZ_FINDINGS] = {
    FINDING(HEADER_SHORT, "rez.header.short", F, F, F,
        "The file is shorter than a REZ's header of 168 bytes.")
    FINDING(HEADER_MARK, "rez.header.mark", E, E, W,
        "A byte that the game checks has another value: 0x0D at 0, 0x0A at 0x3F, 0x1A at 0x7E. The game "
        "refuses the archive.")
    FINDING(VERSION_UNKNOWN, "rez.version", E, E, W, "The version is not 1: the game refuses the archive.")
    REPAIRED(ROOT_OUTSIDE, "rez.root.outside", E, E, E,
        "The root directory is partly or entirely outside of the file: the file was cut, and files that "
        "are not listed cannot be found.",
        "sets its size to what is in the file")
    REPAIRED(ROOT_MOVED, "rez.root.moved", E, E, E,
        "The root directory is not where the header says, but at the end of the file: the position is wrong, "
        "or bytes before it are missing or were added. Directories and payloads that moved as far are found; "
        "bytes of one file are missing or used twice.",
        "writes the right positions")
    REPAIRED(DIR_OUTSIDE, "rez.dir.outside", E, E, E,
        "A directory's body is partly or entirely outside of the file.",
        "sets its size to what is in the file")
    FINDING(DIR_LOOP, "rez.dir.loop", E, E, E,
        "A directory's body is or overlaps another that was read already, perhaps its parent. It is not "
        "entered.")
    FINDING(DIR_DEEP, "rez.dir.deep", E, E, E,
        "Directories are nested more deeply than --limit depth=N allows: no archive with them is written.")
    FINDING(DIR_DAMAGED, "rez.dir.damaged", E, E, E,
        "A directory's body does not end with its last entry: an entry is cut off or is neither file nor "
        "directory. The entries before it are read.")
    REPAIRED(DIR_HIDES, "rez.dir.hides", E, E, E,
        "Entries go on after the end of a directory, and nothing else lists the files that they name: the "
        "directory's size is too low. They are read, and an edit writes them; the game ignores them.",
        "sets the size")
    FINDING(ENTRY_OUTSIDE, "rez.entry.outside", E, E, E,
        "A file's payload is partly or entirely outside of the archive. What the file has is read.")
    FINDING(ENTRY_OVERLAP, "rez.entry.overlap", W, W, W,
        "Payloads share bytes with each other, with a directory or with the header. Files that were packed "
        "once and listed twice do that, and so do archives made to unpack to far more than their size.")
    FINDING(ENTRY_MANY, "rez.entry.many", E, E, E,
        "The payloads listed add up to many times the archive, since they share bytes: it would unpack to "
        "far more than its size. This one is not read.")
    FINDING(ENTRY_DOUBLE, "rez.entry.double", W, W, W,
        "Two entries of a directory have the same name and type, letter case aside. The game finds one of "
        "them.")
    FINDING(NAME_UNSAFE, "rez.name.unsafe", E, W, W,
        "A name is empty, or holds a separator, a drive, \"..\" or a control character. Extracting it "
        "unchanged could write outside the target folder; `lvl extract` skips it.")
    FINDING(NAME_UNWRITABLE, "rez.name.unwritable", E, E, E,
        "A name or comment holds a NUL, or a type has more than four characters: writing fails.")
    FINDING(GAP, "rez.gap", N, o, o,
        "Bytes that no entry claims and that aren't zero: usually a dead copy of a directory or a replaced "
        "payload. They are kept.")
    FINDING(GAP_OVERLAP, "rez.gap.overlap", E, E, E,
        "Two gaps share bytes or are not in the order of their places, or a gap begins in the header: "
        "writing fails.")
};
/* clang-format on */

lvl_rez_dir lvl_rez_root(lvl_rez *rez)
{
    return (lvl_rez_dir){.record = rez,
                         .list = LVL_FIELD(lvl_rez, entries),
                         .rest_field = LVL_FIELD(lvl_rez, rest),
                         .entries = &rez->entries,
                         .count = &rez->entry_count,
                         .rest = &rez->rest};
}

lvl_rez_dir lvl_rez_dir_of(lvl_rez_entry *entry)
{
    return (lvl_rez_dir){.record = entry,
                         .list = LVL_FIELD(lvl_rez_entry, entries),
                         .rest_field = LVL_FIELD(lvl_rez_entry, rest),
                         .entries = &entry->entries,
                         .count = &entry->entry_count,
                         .rest = &entry->rest};
}
