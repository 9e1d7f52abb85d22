/*
 * graal/level/graal_write.c: writes binary levels. Parts with unchanged content are copied from the file that
 * the level was read from (base/piece.h); in a changed section, so are unchanged lines, and unchanged words
 * and columns of changed lines. The rest is written like the original editor does. Levels that their version
 * cannot represent are refused, and so are changes of parts with bytes that are not in any member.
 */
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/piece.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_level.h"
#include "graal/level/graal_names.h"
#include "graal/level/graal_packets.h"
#include "graal/level/section_records.h"

#include <string.h>

struct writer {
    const lvl_graal *level;
    lvl_buffer *out;
    lvl_section_lines lines;
    lvl_findings *findings; /* reasons for refusing; or NULL */
    bool refused;
    bool cut; /* the file ends inside its tiles */
    /* the file that the level was read from, and which of its parts are copied */
    lvl_bytes file;
    const lvl_graal_parts *parts;
    bool copied[LVL_GRAAL_PARTS];
    const lvl_pieces *pieces; /* pieces of the file; NULL: nothing is copied */
    const bool *rewritten; /* parts whose lines are not copied; NULL: none */
};

/* Reports what the version cannot represent; `why` NULL: does nothing. */
static void refuse(struct writer *w, const char *why, size_t list, uint32_t index)
{
    const lvl_where where = lvl_graal_at(list, index);

    if (!why)
        return;
    w->refused = true;
    lvl_graal_find(w->findings, LVL_GRAAL_F_UNWRITABLE, &where, "%s, which %s cannot represent", why,
                   w->level->version < LVL_GLEVNW01 ? lvl_graal_version_name(w->level->version)
                                                    : "a binary level");
}

/* ---- tiles ------------------------------------------------------------------------------------------- */

/* Whether nothing follows that layer, so that the file may end inside its tiles. */
static bool ends_in_tiles(const lvl_graal *level, uint32_t index)
{
    return index + 1 == level->layer_count && !level->link_count && !level->baddy_count &&
           !level->npc_count && !level->chest_count && !level->sign_count && !level->height_count;
}

static void put_layer(struct writer *w, uint32_t index)
{
    const lvl_graal_layer *layer = &w->level->layers[index];
    const lvl_cells *tiles = &layer->tiles;
    const unsigned bits = lvl_packet_bits(w->level->version), count = lvl_graal_tile_count(w->level->version);
    const size_t list = offsetof(lvl_graal, layers);

    if (layer->number != index) {
        refuse(w, "a layer whose number is not its index in the list", list, index);
        return;
    }
    if (!tiles->ptr || tiles->width != LVL_GRAAL_SIDE || tiles->height != LVL_GRAAL_SIDE ||
        tiles->size != 2) {
        refuse(w, "a layer that is not 64 by 64 tiles", list, index);
        return;
    }
    uint32_t given = LVL_TILES;
    while (given && lvl_load_u16le(tiles->ptr + (given - 1) * (size_t)2) == LVL_GRAAL_ABSENT)
        given--;
    const unsigned highest = lvl_graal_highest_tile(tiles->ptr, given);
    if (highest >= count) {
        refuse(w,
               highest == LVL_GRAAL_ABSENT ? "an absent tile with others after it"
                                           : "a tile beyond the last one of the tileset",
               list, index);
        return;
    }
    if (given < LVL_TILES && !ends_in_tiles(w->level, index)) {
        refuse(w, "absent tiles with other data after them", list, index);
        return;
    }
    w->cut = given < LVL_TILES;
    lvl_packets_encode(w->out, tiles->ptr, given, bits);
}

static void put_layers(struct writer *w)
{
    const lvl_graal *level = w->level;
    const size_t list = offsetof(lvl_graal, layers);
    const bool several = level->version == LVL_GR_V1_05;

    if (!several && level->layer_count != 1)
        refuse(w, level->layer_count ? "several layers" : "a level without a board", list,
               level->layer_count ? 1 : LVL_NO_INDEX);
    if (level->layer_count > 255 - LVL_PLACE)
        refuse(w, "more than 223 layers", list, 255 - LVL_PLACE);
    if (several)
        lvl_buffer_u8(w->out, (uint8_t)(LVL_PLACE + level->layer_count));
    for (uint32_t i = 0; i < level->layer_count && (!i || several); i++)
        put_layer(w, i);
}

/* ---- sections ---------------------------------------------------------------------------------------- */

/* Whether lines of a part are copied. */
static bool copies_lines(const struct writer *w, int part)
{
    return w->pieces && w->parts->version == w->level->version && !(w->rewritten && w->rewritten[part]);
}

/* Whether the last sign of the file has no line break, so that the file may be cut off inside it. */
static bool is_unended(const struct writer *w)
{
    const size_t from = w->parts->from[LVL_SIGNS + 1], to = w->parts->from[LVL_SIGNS + 2];

    return from < to && to == w->file.len && w->file.ptr[to - 1] != '\n';
}

static void put_section(struct writer *w, int section)
{
    const lvl_section_kind *kind = &lvl_sections[section];
    const lvl_field *list = lvl_table_at(&lvl_graal_table, kind->list);
    const uint32_t count = lvl_list_count(w->level, list);
    const bool copies = copies_lines(w, section + 1);
    const bool unended = copies && section == LVL_SIGNS && !w->level->height_count && is_unended(w);
    lvl_piece_pairs pairs = {0};

    if (w->level->version < kind->since) {
        refuse(w, count ? kind->name : NULL, kind->list, 0);
        return;
    }
    if (copies)
        pairs = lvl_piece_pair(w->pieces, list, w->level);
    for (uint32_t i = 0; i < count; i++) {
        const void *record = lvl_list_item(w->level, list, i);
        const size_t from = w->out->len;
        bool same = false;
        const lvl_piece *piece = copies ? lvl_piece_find(&pairs, i, &same) : NULL;
        const lvl_text line =
            piece ? (lvl_text){(const char *)w->file.ptr + piece->at, piece->len} : (lvl_text){NULL, 0};
        if (same) {
            lvl_buffer_add(w->out, line.ptr, line.len);
        } else {
            const char *const why = lvl_section_put(&w->lines, section, record, w->out);
            refuse(w, why, kind->list, i);
            if (!why && piece && w->out->status == LVL_OK)
                lvl_section_respell(&w->lines, section, line, record, from, w->out);
        }
        if (!unended || i + 1 < count)
            lvl_buffer_u8(w->out, '\n');
    }
    lvl_buffer_str(w->out, kind->end);
}

static void put_heights(struct writer *w)
{
    const lvl_graal *level = w->level;
    const char *why = level->version >= LVL_GR_V1_04
                          ? lvl_heights_put(w->out, level->heights, level->height_count)
                      : level->height_count ? "heights"
                                            : NULL;

    refuse(w, why, offsetof(lvl_graal, heights), LVL_NO_INDEX);
}

/* ---- file -------------------------------------------------------------------------------------------- */

const lvl_field *lvl_graal_list_of(int part)
{
    const size_t list = part == 0              ? offsetof(lvl_graal, layers)
                        : part <= LVL_SECTIONS ? lvl_sections[part - 1].list
                                               : offsetof(lvl_graal, heights);

    return lvl_table_at(&lvl_graal_table, list);
}

static lvl_status write_parts(struct writer *w)
{
    const lvl_graal *level = w->level;
    const size_t from = w->out->len;

    if (level->version >= LVL_GLEVNW01) {
        refuse(w, "the version of a text level", offsetof(lvl_graal, version), LVL_NO_INDEX);
        return LVL_ERR_LOSS;
    }
    lvl_section_lines_init(&w->lines, level->version);
    lvl_buffer_str(w->out, lvl_graal_version_name(level->version));
    for (int part = 0; part < LVL_GRAAL_PARTS; part++) {
        if (w->copied[part])
            lvl_buffer_add(w->out, w->file.ptr + w->parts->from[part],
                           w->parts->from[part + 1] - w->parts->from[part]);
        else if (part == 0)
            put_layers(w);
        else if (!w->cut && part <= LVL_SECTIONS)
            put_section(w, part - 1);
        else if (!w->cut)
            put_heights(w);
    }
    if (level->tileset_count)
        refuse(w, "tilesets", offsetof(lvl_graal, tilesets), 0);
    if (w->refused)
        w->out->len = from; /* nothing is written */
    return w->out->status != LVL_OK ? w->out->status : w->refused ? LVL_ERR_LOSS : LVL_OK;
}

/* Chooses the parts to copy: those with the same content as in the file, which `source` was read from, except
 * for `rewrite` (may be NULL). */
static void choose_parts(struct writer *w, const lvl_doc *source, const bool *rewrite)
{
    bool all = true;

    w->parts = source->state;
    w->pieces = source->pieces;
    w->rewritten = rewrite;
    for (int part = 0; part < LVL_GRAAL_PARTS; part++) {
        w->copied[part] = !(rewrite && rewrite[part]) && w->parts->version == w->level->version &&
                          lvl_piece_list_same(w->pieces, lvl_graal_list_of(part), w->level);
        all = all && (w->copied[part] || part < w->parts->whole);
    }
    for (int part = w->parts->whole; part < LVL_GRAAL_PARTS; part++)
        w->copied[part] = w->copied[part] && all;
}

int lvl_graal_part_of(const lvl_finding *finding)
{
    int part = 0;

    while (part < LVL_GRAAL_PARTS &&
           !(finding->where.depth && finding->where.steps[0].field == lvl_graal_list_of(part)))
        part++;
    return part;
}

/* Refuses to rewrite parts that have bytes in the file that are not in any member. If there are any, the file
 * is read again to report them. */
static lvl_status refuse_unread(struct writer *w, const lvl_doc *doc)
{
    bool all = true;

    for (int part = 0; part < LVL_GRAAL_PARTS; part++)
        all = all && w->copied[part];
    if (all || !w->parts->unread)
        return LVL_OK;
    lvl_findings *found = lvl_findings_new(doc->ctx);
    lvl_doc *again = NULL;
    const lvl_status status =
        found ? lvl_read(&again, doc->ctx, doc->format, w->file, NULL, LVL_READ_BORROW, found)
              : LVL_ERR_MEMORY;
    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        const int part = lvl_graal_part_of(f);
        if (!lvl_graal_is_unread(f) || (part < LVL_GRAAL_PARTS && w->copied[part]))
            continue;
        w->refused = true;
        lvl_findings_add(
            w->findings, &lvl_graal_findings[LVL_GRAAL_F_UNWRITABLE], &f->where, NULL,
            "bytes that are not records would be lost (%s); `lvl set FILE --unset file` removes them",
            f->text);
    }
    lvl_doc_free(again);
    lvl_findings_free(found);
    return status;
}

static bool is_file(const lvl_buffer *out, size_t from, lvl_bytes file)
{
    return out->len - from == file.len && (!file.len || memcmp(out->data + from, file.ptr, file.len) == 0);
}

static lvl_status write_level(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings)
{
    const lvl_graal *level = doc->root;
    struct writer w = {.level = level, .out = out, .file = level->file, .findings = findings};
    lvl_status status = LVL_OK;
    lvl_doc *again = NULL;

    lvl_buffer_reserve(out, doc->input.len); /* approximate size of the output */
    if (w.file.len) {
        const lvl_doc *source = lvl_pieces_of(doc, w.file, &again, &status);
        if (source) {
            choose_parts(&w, source, NULL);
            status = refuse_unread(&w, doc);
        }
    }
    if (status == LVL_OK || status == LVL_ERR_FORMAT)
        status = write_parts(&w);
    lvl_doc_free(again);
    return status;
}

lvl_status lvl_graal_write(const lvl_doc *doc, lvl_buffer *out)
{
    return write_level(doc, out, NULL);
}

lvl_status lvl_graal_rewrite_parts(lvl_doc *doc, bool rewrite[LVL_GRAAL_PARTS])
{
    lvl_graal *level = doc->root;
    lvl_buffer out = {0};
    struct writer w = {.level = level, .out = &out, .file = level->file};
    lvl_status status;
    lvl_doc *again;

    const lvl_doc *source = lvl_pieces_of(doc, w.file, &again, &status);
    if (source) {
        choose_parts(&w, source, rewrite);
        status = write_parts(&w);
    }
    for (int part = 0; part < LVL_GRAAL_PARTS && status == LVL_OK; part++)
        rewrite[part] = !w.copied[part];
    if (status == LVL_OK) {
        level->file = (lvl_bytes){lvl_arena_copy(&doc->arena, out.data, out.len), out.len};
        status = level->file.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_graal_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};

    lvl_status status = write_level(doc, &out, findings);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_graal_can_regenerate(const lvl_doc *doc, const lvl_field *field, bool *out)
{
    const lvl_graal *level = doc->root;
    lvl_buffer written = {0};
    struct writer w = {.level = level, .out = &written};

    (void)field; /* there is one */
    const lvl_status status = write_parts(&w);
    *out = status == LVL_OK && is_file(&written, 0, level->file);
    lvl_buffer_free(&written);
    return status == LVL_ERR_LOSS ? LVL_OK : status;
}

lvl_status lvl_graal_kept(const lvl_doc *doc, uint64_t *bytes)
{
    bool usual = false;

    const lvl_status status = lvl_graal_can_regenerate(doc, NULL, &usual);
    *bytes = usual ? 0 : ((const lvl_graal *)doc->root)->file.len;
    return status;
}
