/*
 * catalogue/schema.c: the tables and views of a catalogue.
 */
#include "catalogue/schema.h"

#include "base/sha.h"

#include <string.h>

/* clang-format off */
#define COLUMN(name_, kind_, key_, ...) {.name = name_, .kind = kind_, .key = key_, .prose = __VA_ARGS__}
#define STORED(form_, name_, key_, ...) \
    {.name = name_, .kind = CAT_TEXT, .key = key_, .form = form_, .prose = __VA_ARGS__}
#define HIDDEN(name_, kind_, key_) {.name = (name_), .kind = (kind_), .key = (key_), .form = CAT_HIDDEN}
#define HIDDEN_NAMED(name_) {.name = (name_), .kind = CAT_TEXT, .form = CAT_HIDDEN_NAMED}
#define COMPUTED(name_, kind_, shown_, ...) \
    {.name = name_, .kind = kind_, .form = CAT_COMPUTED, .shown = shown_, .prose = __VA_ARGS__}
#define ID COLUMN("id", CAT_INT, CAT_PRIMARY, "Key.")
#define OF_FILE \
    COLUMN("file", CAT_INT, CAT_FILE, "The file: `files.id`."), \
    COLUMN("number", CAT_INT, CAT_NUMBER, "Counts the rows of the file from 0; with `file` the key.")
/* The rest of a text after the last `mark` in it. */
#define AFTER_LAST(text, mark) "substr(" text ", length(rtrim(" text ", replace(" text ", '" mark "', ''))) + 1)"
/* The last field of a path without numbers. */
#define LAST_FIELD(path) "rtrim(" AFTER_LAST(path, ".") ", '[]')"
/* The text of a stored name. */
#define OF_NAMES(what, key) "(SELECT " what " FROM names n WHERE n.id = " key ")"

static const cat_column meta[] = {
    COLUMN("key", CAT_TEXT, CAT_UNIQUE, "`schema`: the version of these tables; `scanner`: the version of what a scan "
        "finds; `lvl`: the version that wrote the catalogue; `thumbnails`: their size in px."),
    COLUMN("value", CAT_TEXT, CAT_PLAIN, "Its value."),
};

static const cat_column files[] = {
    ID,
    COLUMN("path", CAT_TEXT, CAT_PLAIN, "As it was given to `lvl scan`, or below a folder that was given; of a member "
        "of an archive `ARCHIVE//MEMBER`."),
    HIDDEN("path_key", CAT_INT, CAT_INDEXED),
    COMPUTED("name", CAT_TEXT, AFTER_LAST("s.path", "/"), "The last part of the path."),
    COMPUTED("folded", CAT_TEXT, "lower(" AFTER_LAST("s.path", "/") ")",
        "The name with ASCII letters in lower case, as games look for files."),
    HIDDEN("stem_key", CAT_INT, CAT_INDEXED),
    HIDDEN("archive_length", CAT_INT, CAT_PLAIN),
    COMPUTED("archive", CAT_TEXT, "CASE WHEN s.archive_length > 0 THEN substr(s.path, 1, s.archive_length) END",
        "Of a member, the path of its archive."),
    COLUMN("size", CAT_INT, CAT_PLAIN, "Bytes."),
    COLUMN("time", CAT_INT, CAT_PLAIN, "Of the last change, in seconds since 1970 UTC; 0: not known."),
    HIDDEN("day", CAT_INT, CAT_PLAIN),
    COMPUTED("date", CAT_TEXT, "substr(CAST(abs(s.day) AS TEXT), 1, 4) || '-' || substr(CAST(abs(s.day) AS TEXT), 5, 2) "
        "|| '-' || substr(CAST(abs(s.day) AS TEXT), 7, 2)",
        "When this version was made, as `YYYY-MM-DD`: from a date in the path, else the file's time."),
    COMPUTED("date_source", CAT_TEXT, "CASE WHEN s.day < 0 THEN 'path' WHEN s.day > 0 THEN 'time' END",
        "`path` or `time`."),
    STORED(CAT_HEX, "sha256", CAT_PLAIN, "Of the bytes, 64 digits."),
    STORED(CAT_HEX, "sha1", CAT_PLAIN, "Of the bytes, 40 digits."),
    STORED(CAT_HEX, "crc32", CAT_PLAIN, "Of the bytes, 8 digits."),
    STORED(CAT_NAMED, "format", CAT_PLAIN, "ID of the format; NULL: foreign."),
    STORED(CAT_NAMED, "family", CAT_PLAIN, "The family of the format."),
    STORED(CAT_NAMED, "version", CAT_PLAIN, "The form of the format: its version or generation."),
    STORED(CAT_NAMED, "verdict", CAT_PLAIN, "`sound`, `faulty`, `damaged`, `unreadable` or `foreign`, as by `lvl check`."),
    COLUMN("errors", CAT_INT, CAT_PLAIN, "Number of errors."),
    COLUMN("warnings", CAT_INT, CAT_PLAIN, "Number of warnings."),
    COLUMN("residue", CAT_INT, CAT_PLAIN, "Bytes that belong to no field."),
    STORED(CAT_HEX, "content", CAT_INDEXED, "A hash of the content, 32 digits: equal for the same level in another "
        "container, spelling, version or generation. Not a cryptographic one."),
    COLUMN("error", CAT_TEXT, CAT_PLAIN, "Why the file could not be read; else NULL."),
    COLUMN("removed", CAT_INT, CAT_PLAIN, "When a scan no longer found it, in seconds since 1970 UTC; NULL: it is "
        "there."),
    HIDDEN("scanner", CAT_INT, CAT_PLAIN),
};

#define USE_COLUMN(NAME, name, prose) COLUMN(#name, CAT_TEXT, CAT_PLAIN, prose),
static const cat_column levels[] = {
    COLUMN("file", CAT_INT, CAT_FILE_PRIMARY, "The file: `files.id`."),
    LVL_USES_OF_FACTS(USE_COLUMN)
    COLUMN("game", CAT_TEXT, CAT_PLAIN, "The game, where the level shows it; else the family of the format."),
    COLUMN("width", CAT_INT, CAT_PLAIN, "Of the whole, in px."),
    COLUMN("height", CAT_INT, CAT_PLAIN, "Of the whole, in px."),
    COLUMN("columns", CAT_INT, CAT_PLAIN, "Cells of the main plane from left to right."),
    COLUMN("rows", CAT_INT, CAT_PLAIN, "Cells of the main plane from top to bottom."),
    COLUMN("start_x", CAT_INT, CAT_PLAIN, "Where the player starts, in px of the main plane."),
    COLUMN("start_y", CAT_INT, CAT_PLAIN, "Where the player starts, in px of the main plane."),
    COLUMN("things", CAT_INT, CAT_PLAIN, "Objects, NPCs, actors and so on."),
    HIDDEN_NAMED("info_keys"),
    STORED(CAT_VALUES, "info", CAT_PLAIN, "What `lvl info --json` prints, as JSON: without lists, without what is 0, "
        "false or empty, and without what this table and `files` have."),
};

static const cat_column texts[] = {
    COLUMN("id", CAT_INT, CAT_PRIMARY, "Key: that of the file times 256, plus a number."),
    COMPUTED("file", CAT_INT, "s.id / 256", "The file: `files.id`."),
    COMPUTED("name", CAT_TEXT, OF_NAMES("CASE WHEN n.name = '' THEN 'file' ELSE " LAST_FIELD("n.name") " END", "s.field"),
        "Name of the field: `title`, `logic`, `script`; `file`: the file's path."),
    STORED(CAT_NAMED, "field", CAT_PLAIN, "Path of the field without numbers: `planes[].objects[].logic`."),
    {.name = "text", .kind = CAT_TEXT,
        .shown = "coalesce(s.text, (SELECT f.path FROM stored_files f WHERE f.id = s.id / 256))",
        .prose = "The different values of this field, one after the other, each ended by a line break except the last."},
    COLUMN("places", CAT_TEXT, CAT_PLAIN, "A line for each value: the numbers for the brackets in `field` where it "
        "first occurs, separated by `.`; then how often it occurs, unless once, and how many lines it has, unless one: "
        "`4.71 12`, `3#20`."),
};

static const cat_column refs[] = {
    OF_FILE,
    STORED(CAT_NAMED, "kind", CAT_PLAIN, "`level`, `picture`, `sound`, `animation`, `tileset`, `doodad` or `script`."),
    COLUMN("target", CAT_TEXT, CAT_PLAIN, "The name, as in the file."),
    HIDDEN("stem_key", CAT_INT, CAT_INDEXED),
    STORED(CAT_NAMED, "field", CAT_PLAIN, "Path of the field without numbers."),
    HIDDEN("at", CAT_TEXT, CAT_PLAIN),
    /* a number for the only brackets of the field, or the whole path */
    COMPUTED("place", CAT_TEXT, "CASE WHEN s.at LIKE '%[%' THEN s.at ELSE " OF_NAMES(
        "replace(n.name, '[]', '[' || coalesce(s.at, '') || ']')", "s.field") " END",
        "Path of the field where it first occurs."),
    COLUMN("count", CAT_INT, CAT_PLAIN, "How often it occurs in the file."),
    COLUMN("found", CAT_INT, CAT_PLAIN, "1: the file was found around the level when it was scanned; 0: it was not; "
        "NULL: a key of the game whose folder was not there, or a name that may not be a file's. See the view `missing`."),
};

static const cat_column findings[] = {
    OF_FILE,
    STORED(CAT_NAMED, "id", CAT_INDEXED, "As in docs/findings.md."),
    STORED(CAT_NAMED, "severity", CAT_PLAIN, "`note`, `warning`, `error` or `fatal`."),
    COLUMN("place", CAT_TEXT, CAT_PLAIN, "Path in the level, of the first of this ID."),
    COLUMN("offset", CAT_INT, CAT_PLAIN, "Byte in the file, of the first; NULL: not known."),
    /* a message without numbers, as many files have it */
    HIDDEN_NAMED("said"),
    {.name = "text", .kind = CAT_TEXT, .shown = "coalesce(s.text, " OF_NAMES("n.name", "s.said") ")",
        .prose = "The message of the first."},
    COLUMN("count", CAT_INT, CAT_PLAIN, "How many findings of this ID the file has."),
};

static const cat_column unknown[] = {
    OF_FILE,
    STORED(CAT_NAMED, "field", CAT_PLAIN, "Path without numbers of a field whose meaning is not known."),
    COLUMN("value", CAT_INT, CAT_PLAIN, "A value other than the usual one; NULL: more different values than are "
        "listed."),
    COLUMN("count", CAT_INT, CAT_PLAIN, "How often it occurs in the file."),
};

static const cat_column likeness[] = {
    COLUMN("file", CAT_INT, CAT_FILE_PRIMARY, "The file: `files.id`."),
    COLUMN("signature", CAT_BYTES, CAT_PLAIN, "A sketch of tiles and things (one-permutation minhash): 128 numbers of "
        "8 bits. The share of equal numbers is the likeness of two levels, if each counts by how rare it is."),
};

static const cat_column thumbnails[] = {
    COLUMN("file", CAT_INT, CAT_FILE_PRIMARY, "The file: `files.id`."),
    COLUMN("png", CAT_BYTES, CAT_PLAIN, "A picture of the level."),
};

static const cat_column names[] = {
    ID,
    COLUMN("name", CAT_TEXT, CAT_UNIQUE, "A path of a field without numbers, an ID of a finding, a format and so on."),
};

#define TABLE(name_, array, ...) \
    {.name = name_, .stored = name_, .columns = array, .count = LVL_COUNT_OF(array), .prose = __VA_ARGS__}
#define TABLE_AND_VIEW(name_, array, ...) \
    {.name = name_, .stored = "stored_" name_, .columns = array, .count = LVL_COUNT_OF(array), .prose = __VA_ARGS__}
const cat_table cat_tables[CAT_TABLES] = {
    [CAT_META] = TABLE("meta", meta, "The catalogue itself."),
    [CAT_FILES] = TABLE_AND_VIEW("files", files, "Every file, and every member of an archive."),
    [CAT_LEVELS] = TABLE_AND_VIEW("levels", levels, "What is known of a file of a known format."),
    [CAT_TEXTS] = TABLE_AND_VIEW("texts", texts, "All texts, but for numbers in fields of one line. "
        "`texts_index` is an FTS5 index of `text` with the key `id`."),
    [CAT_REFS] = TABLE_AND_VIEW("refs", refs, "Names of other files."),
    [CAT_FINDINGS] = TABLE_AND_VIEW("findings", findings, "What `lvl check` finds, a row for each ID in a file."),
    [CAT_UNKNOWN] = TABLE_AND_VIEW("unknown_values", unknown, "Values of fields whose meaning nobody knows."),
    [CAT_LIKENESS] = TABLE("likeness", likeness, "For `lvl find --like`."),
    [CAT_THUMBNAILS] = TABLE("thumbnails", thumbnails, "Pictures; empty after `lvl scan --no-thumbnails`."),
    [CAT_NAMES] = TABLE("names", names, "Words of lvl that occur in many rows."),
};

const cat_view cat_views[] = {
    {"all_levels", "Levels with their files, without those that were removed.",
     "SELECT f.id, f.path, f.name, f.format, f.version, f.verdict, f.size, f.date, f.sha256, f.content, l.title, "
     "l.author, l.game, l.width, l.height, l.columns, l.rows, l.things, l.info "
     "FROM levels l JOIN files f ON f.id = l.file WHERE f.removed IS NULL"},
    {"duplicates", "Files with the same content, a row each, the oldest first.",
     "SELECT f.content, f.path, f.format, f.version, f.date, f.size, f.sha256 FROM files f WHERE f.id IN (SELECT s.id FROM "
     "stored_files s WHERE s.removed IS NULL AND s.content IN (SELECT t.content FROM stored_files t WHERE t.removed IS NULL AND "
     "t.content IS NOT NULL GROUP BY t.content HAVING count(*) > 1))"},
    {"missing", "References whose file was neither around the level nor is in the catalogue, under this name or with another "
     "ending.",
     "SELECT f.path, r.place, r.kind, r.target, r.count, r.file FROM refs r JOIN stored_refs q ON q.file = r.file AND "
     "q.number = r.number JOIN files f ON f.id = r.file WHERE q.found = 0 AND "
     "f.removed IS NULL AND NOT EXISTS (SELECT 1 FROM stored_files s WHERE s.stem_key = q.stem_key AND s.removed IS NULL AND ("
     "lower(" AFTER_LAST("s.path", "/") ") = lower(r.target) OR (r.kind = 'level') = (s.format IS NOT NULL) OR "
     /* the key of a name without an ending is that of its file: of ferry.gani, of weaponlantern.txt */
     "(instr(r.target, '.') = 0 AND s.format IS NOT NULL)))"},
    {"field_values", "How often each unknown field has which value.",
     "SELECT f.format, u.field, u.value, count(*) AS files, sum(u.count) AS count FROM unknown_values u JOIN files f ON "
     "f.id = u.file WHERE f.removed IS NULL GROUP BY f.format, u.field, u.value"},
    {NULL, NULL, NULL},
};

const char cat_fields_of_name[] = "t.field IN (SELECT n.id FROM names n WHERE CASE WHEN n.name = '' THEN 'file' ELSE "
    LAST_FIELD("n.name") " END = $%d)";

#define USE_NAME(NAME, name, prose) [LVL_USE_##NAME] = #name,
static const char *const use_names[LVL_USE_COUNT] = {LVL_USES_OF_FACTS(USE_NAME) LVL_USES_OF_FILES(USE_NAME)};
/* clang-format on */

const char *cat_use_name(lvl_use use)
{
    return use_names[use];
}

const cat_column *cat_stored_column(const cat_table *table, size_t at)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->columns[i].form != CAT_COMPUTED && at-- == 0)
            return &table->columns[i];
    }
    return NULL;
}

size_t cat_stored_count(const cat_table *table)
{
    size_t n = 0;

    for (size_t i = 0; i < table->count; i++)
        n += table->columns[i].form != CAT_COMPUTED;
    return n;
}

bool cat_is_shown_by_view(const cat_table *table)
{
    return table->stored != table->name;
}

bool cat_is_named(const cat_column *column)
{
    return column->form == CAT_NAMED || column->form == CAT_HIDDEN_NAMED;
}

bool cat_has_index(const cat_column *column)
{
    return column->key == CAT_INDEXED;
}

int64_t cat_key_of(lvl_text text)
{
    uint8_t hash[32];
    int64_t key = 0;

    lvl_sha256((lvl_bytes){(const uint8_t *)text.ptr, text.len}, hash);
    for (unsigned i = 0; i < 6; i++)
        key = key << 8 | hash[i];
    return key;
}
