/*
 * tools/tools.c: the findings of the tools, and helpers that several tools use.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "tools/tools.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FINDING_INDEX(name) LVL_FAULT_##name
#include "base/finding_rows.h"

/* clang-format off */
const lvl_finding_def lvl_faults[LVL_FAULT_COUNT] = {
    FINDING(JSON, "lvl.dump.json", F, F, F, "The dump, or a value given to set, is not JSON.")
    FINDING(HEAD, "lvl.dump.head", F, F, F,
        "The JSON is not a dump: \"lvl\", \"format\" or \"doc\" is missing, or names a format, encoding or "
        "version that this lvl does not support.")
    FINDING(KEY, "lvl.dump.key", F, F, F,
        "A key of the dump is not a field of its record, is in the wrong place, or is given twice.")
    FINDING(KIND, "lvl.value.kind", F, F, F,
        "A value is of another kind than its field, such as a text for a number.")
    FINDING(VALUE, "lvl.value.range", F, F, F,
        "A value does not fit its field: the number is too large, the text too long, the name unknown, or "
        "the rows do not fill the grid.")
    FINDING(CHARACTER, "lvl.value.character", F, F, F,
        "A text has a character that the document's code page does not have. Another page may have it: "
        "change \"encoding\", or give --encoding.")
    FINDING(PATH, "lvl.path.syntax", F, F, F, "The syntax of a path is wrong.")
    FINDING(NAME, "lvl.path.name", F, F, F, "A path names a field that the format does not have.")
    FINDING(NOTHING, "lvl.path.nothing", E, E, E, "A path finds nothing in this document.")
    FINDING(NO_CELL, "lvl.path.cell", E, E, E,
        "A path names cells by a value that no cell of this document has.")
    FINDING(ABSENT, "lvl.value.absent", F, F, F,
        "A field is given that exists only if another field of its record has certain values.")
    FINDING(STREAM, "lvl.dump.stream", N, N, N,
        "A compressed stream is not the one of the dumped file: its content was edited in the dump, or the "
        "version of the library differs. The content is complete.")
    FINDING(DERIVED, "lvl.value.derived", F, F, F,
        "A field is set that is computed (a count, size, offset or checksum), or that keeps the file's "
        "spelling.")
    FINDING(OFFSET, "lvl.explain.offset", F, F, F,
        "An offset to explain is outside of the file, or is not an offset.")
    FINDING(PART, "lvl.part.file", F, F, F,
        "A file to be put back into a document does not have the name of a part, or has the same part as "
        "another file.")
    FINDING(REPAIR, "lvl.repair.unfinished", E, E, E,
        "What repair wrote cannot be read again or needs more repair. This is a bug in lvl; "
        "please report it.")
    FINDING(LOST, "lvl.write.lost", E, E, E,
        "A changed document has a value that no file of its format or version can represent: "
        "read again, the file would have another value or none. Nothing is written.")
    FINDING(HIDDEN, "lvl.write.hidden", E, E, E,
        "A changed part has bytes in the file that belong to none of its values, such as half an entry at "
        "the end of a chunk: written again, they would be lost. Nothing is written. "
        "`lvl repair` names and removes them.")
    FINDING(CONFLICT, "lvl.merge.conflict", E, E, E,
        "Both sides of a merge changed the same thing in different ways. "
        "The result has the side that is preferred: ours, unless another one is asked for.")
    FINDING(FIELDS, "lvl.edit.fields", N, N, N,
        "A changed value decides which other fields its record has: some came or went.")
    FINDING(FIELD_DROPPED, "lvl.edit.dropped", W, W, W,
        "A changed value decides which other fields its record has, and one that went had a value.")
    FINDING(PRESENT, "lvl.edit.present", N, N, N,
        "An item was to be added to a list that has each of its items once, and has this one.")
    FINDING(COPY_ADDED, "lvl.copy.added", N, N, N,
        "A copied value refers to an item of its file, which was copied too.")
    FINDING(COPY_MEANS, "lvl.copy.reference", W, W, W,
        "A copied value refers to an item that the other file does not have, or that differs there.")
    FINDING(COPY_REPLACED, "lvl.copy.replaced", W, W, W,
        "A copied item (an attached file, a tag, a chunk) has the key of another one, which it replaces.")
    FINDING(COPY_DAMAGED, "lvl.copy.damaged", W, W, W,
        "What was copied, or taken over by a merge, is damaged in its file: "
        "only what can be decoded of it was copied.")
    FINDING(CUT, "lvl.resize.cut", W, W, W,
        "A plane became smaller than what is on it: cells are lost, or objects lie outside.")
    FINDING(MOVE_OVER, "lvl.move.overwritten", W, W, W,
        "A region was moved or copied onto cells that were not empty; they are lost.")
    FINDING(RULES_FILE, "lvl.rules.file", F, F, F,
        "A file given to --rules is not in the form that `lvl help rules` shows.")
    FINDING(RULES_SKIPPED, "lvl.rules.skipped", N, N, N,
        "A rule of a file given to --rules cannot be evaluated on this file.")
    FINDING(MAP, "lvl.map.file", F, F, F,
        "The file is not a map of Tiled, is broken, or has something that no level can have.")
    FINDING(MAP_ORIGIN, "lvl.map.origin", F, F, F,
        "The level that a map was made of is missing or is not the one that the map names.")
    FINDING(MAP_LAYER, "lvl.map.layer", E, E, E,
        "A layer that the level needs is missing, or has a size that the level cannot have.")
    FINDING(MAP_CELL, "lvl.map.cell", E, E, E,
        "A cell of a map has a tile that the level cannot store: flipped, or of another tileset.")
    FINDING(MAP_OBJECT, "lvl.map.object", E, E, E,
        "An object, layer or tile of a map has a value that the level cannot store.")
    FINDING(MAP_IGNORED, "lvl.map.ignored", W, W, W,
        "A map has something that the level has no place for; it is not stored.")
};
/* clang-format on */

lvl_status lvl_fault_add(lvl_findings *findings, lvl_fault fault, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(findings, &lvl_faults[fault], NULL, NULL, fmt, args);
    va_end(args);
    return LVL_ERR_ARG;
}

lvl_status lvl_doc_copy(const lvl_doc *doc, const lvl_ctx *ctx, lvl_doc **out)
{
    lvl_buffer file = {0};
    lvl_status status = lvl_doc_write(doc, &file);

    if (status == LVL_OK)
        status = lvl_read(out, ctx, doc->format, lvl_buffer_bytes(&file), NULL, 0, NULL);
    if (status == LVL_OK)
        (*out)->codepage = doc->codepage;
    lvl_buffer_free(&file);
    return status;
}

unsigned lvl_typo_limit(lvl_text text)
{
    return text.len < 3 ? 1 : text.len > 11 ? 4 : (unsigned)text.len / 3;
}

/* `name` if it is nearer to the text than `best`, which becomes its distance; else `found`. */
static const char *nearer_name(lvl_text text, const char *name, const char *found, unsigned *best)
{
    const unsigned d = lvl_text_distance(text, lvl_text_of(name), *best);

    if (d >= *best)
        return found;
    *best = d;
    return name;
}

const char *lvl_nearest_field(const lvl_table *table, lvl_text text)
{
    unsigned best = lvl_typo_limit(text) + 1;
    const char *found = NULL;

    for (uint32_t i = 0; i < table->field_count; i++)
        found = nearer_name(text, table->fields[i].name, found, &best);
    return found;
}

const char *lvl_nearest_name(const lvl_name *names, lvl_text text)
{
    unsigned best = lvl_typo_limit(text) + 1;
    const char *found = NULL;

    for (; names && names->name; names++)
        found = nearer_name(text, names->name, found, &best);
    return found;
}

void lvl_fill_cells(uint8_t *to, uint32_t size, uint32_t value, size_t count)
{
    uint8_t one[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    size_t total = count * size, done = size < total ? size : total;

    if (one[0] == one[1] && one[0] == one[2] && one[0] == one[3]) {
        memset(to, one[0], total);
        return;
    }
    memcpy(to, one, done);
    while (done < total) { /* doubles the part that is filled */
        size_t n = done < total - done ? done : total - done;
        memcpy(to + done, to, n);
        done += n;
    }
}

uint32_t lvl_tables_below(const lvl_table *root, const lvl_table *tables[LVL_MAX_TABLES],
                          bool (*wanted)(const void *user, const lvl_table *table, const lvl_field *field),
                          const void *user)
{
    uint32_t count = 1;

    tables[0] = root;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < tables[i]->field_count; k++) {
            const lvl_table *t = tables[i]->fields[k].table;
            bool known = !t || (wanted && !wanted(user, tables[i], &tables[i]->fields[k]));
            for (uint32_t n = 0; n < count && !known; n++)
                known = tables[n] == t;
            if (!known && count < LVL_MAX_TABLES)
                tables[count++] = t;
        }
    }
    return count;
}

const char *lvl_show(char buf[80], lvl_text utf8)
{
    const lvl_text cut = lvl_text_cut(utf8, 60);

    lvl_text_show(buf, 76, LVL_CP_UTF8, cut);
    if (cut.len < utf8.len)
        memcpy(buf + strlen(buf), "...", 4);
    return buf;
}
