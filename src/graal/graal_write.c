/*
 * graal/graal_write.c: writes binary levels. Each part is written as it was spelled if reading that spelling
 * gives the part's content, else as the original editor would; a level that its version can't hold is
 * refused.
 */
#include "base/cursor.h"
#include "graal/graal_findings.h"
#include "graal/graal_level.h"
#include "graal/section_records.h"
#include "graal/graal_packets.h"
#include "graal/graal_signs.h"
#include "base/buffer.h"
#include "graal/graal_names.h"

struct writer {
    const lvl_graal *level;
    lvl_buffer *out;
    lvl_buffer room;        /* for texts of kept lines that are read again */
    lvl_findings *findings; /* what is refused; or NULL */
    bool refused;
    bool cut; /* the file ends inside its tiles */
};

/* The version can't hold this; `why` NULL: it can. */
static void refuse(struct writer *w, const char *why, size_t list, uint32_t index)
{
    const lvl_where where = lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_graal_table, list), index);

    if (!why)
        return;
    w->refused = true;
    lvl_findings_add(w->findings, &lvl_graal_findings[LVL_GRAAL_F_UNWRITABLE], &where, NULL,
                     "%s, which %s cannot represent", why,
                     w->level->version < LVL_GLEVNW01 ? lvl_graal_version_name(w->level->version)
                                                      : "a binary level");
}

static void put_text(struct writer *w, lvl_text text)
{
    lvl_buffer_add(w->out, text.ptr, text.len);
}

/* ---- kept lines -------------------------------------------------------------------------------------- */

/* Room for the texts of a line; NULL without memory. */
static char *room_for(struct writer *w, size_t size)
{
    w->room.len = 0;
    return lvl_buffer_reserve(&w->room, size ? size : 1) ? (char *)w->room.data : NULL;
}

/* Whether the text is one line that is a record of that section. */
static bool is_record(int section, lvl_text line)
{
    const size_t head = section == LVL_BADDIES ? LVL_BADDY_LEAST : 0;

    return line.len >= head && lvl_line_describe(section, line) && !lvl_line_ends(section, line) &&
           (line.len == head || !memchr(line.ptr + head, '\n', line.len - head));
}

/* Whether the line is read as the record. */
static bool holds_record(struct writer *w, int section, const void *record, lvl_text line)
{
    const unsigned version = w->level->version;
    char *room = room_for(w, lvl_section_room(section, line));
    lvl_section_record again;

    if (!room || !is_record(section, line) ||
        (section == LVL_SIGNS && version >= LVL_GR_V1_04 && lvl_text_is(line, "HEIGHTS")))
        return false;
    memset(&again, 0, sizeof again);
    lvl_section_parse(section, line, version, &room, &again, NULL);
    return lvl_record_equal(record, &again, lvl_sections[section].table);
}

/* Whether the text is lines, the last of them ended or not, none of which says anything in that section. */
static bool is_stray(lvl_text text, int section, bool ended)
{
    for (size_t from = 0; from < text.len;) {
        const char *end = memchr(text.ptr + from, '\n', text.len - from);
        const lvl_text line = {text.ptr + from, end ? (size_t)(end - text.ptr) - from : text.len - from};
        if (lvl_line_describe(section, line) || lvl_line_ends(section, line) || (!end && ended))
            return false;
        from += line.len + 1;
    }
    return true;
}

/* ---- tiles ------------------------------------------------------------------------------------------- */

static bool holds_packets(const lvl_graal_layer *layer, unsigned bits)
{
    const size_t size = (size_t)LVL_TILES * 2;
    lvl_packets_result result;
    uint16_t tiles[LVL_TILES + LVL_PACKETS_SLACK];

    if (!layer->packets.len)
        return false;
    lvl_packets_decode(layer->packets, bits, tiles, &result);
    return !(result.odd & LVL_PACKETS_CUT) && result.used == layer->packets.len &&
           memcmp(tiles, layer->tiles.ptr, size) == 0;
}

/* Whether a file can end inside that layer's tiles: nothing follows. */
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
    if (holds_packets(layer, bits)) {
        lvl_buffer_add(w->out, layer->packets.ptr, layer->packets.len);
        return;
    }
    uint32_t given = LVL_TILES;
    while (given && lvl_load_u16le(tiles->ptr + (given - 1) * (size_t)2) == LVL_GRAAL_ABSENT)
        given--;
    for (uint32_t i = 0; i < given; i++) {
        const unsigned tile = lvl_load_u16le(tiles->ptr + i * (size_t)2);
        if (tile < count)
            continue;
        refuse(w,
               tile == LVL_GRAAL_ABSENT ? "an absent tile with others after it"
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

static void put_section(struct writer *w, int section)
{
    const lvl_section_kind *kind = &lvl_sections[section];
    const lvl_field *list = lvl_table_at(&lvl_graal_table, kind->list);
    const uint32_t count = lvl_list_count(w->level, list);

    if (w->level->version < kind->since) {
        refuse(w, count ? kind->name : NULL, kind->list, 0);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *record = lvl_list_item(w->level, list, i);
        lvl_text before, line;
        memcpy(&before, record + kind->before, sizeof before);
        memcpy(&line, record + kind->line, sizeof line);
        if (is_stray(before, section, true))
            put_text(w, before);
        if (line.len && holds_record(w, section, record, line))
            put_text(w, line);
        else
            refuse(w, lvl_section_put(section, w->level->version, record, w->out), kind->list, i);
        lvl_buffer_u8(w->out, '\n');
    }
    lvl_buffer_str(w->out, kind->end);
}

static bool holds_heights(const struct writer *w)
{
    const lvl_graal *level = w->level;
    const lvl_text line = level->heights_line;
    static const char head[] = "HEIGHTS\n", tail[] = "HEIGHTSEND";
    const size_t head_len = sizeof head - 1, tail_len = sizeof tail - 1;
    double again[LVL_GRAAL_HEIGHTS];
    bool keep;

    if (line.len < head_len + tail_len || memcmp(line.ptr, head, head_len) != 0 ||
        memcmp(line.ptr + line.len - tail_len, tail, tail_len) != 0)
        return false;
    const lvl_text body = {line.ptr + head_len, line.len - head_len - tail_len};
    if (body.len && body.ptr[body.len - 1] != '\n')
        return false;
    /* no earlier line may end it */
    for (size_t i = 0; i + tail_len < body.len; i++) {
        if ((!i || body.ptr[i - 1] == '\n') && memcmp(body.ptr + i, "HEIGHTSEND\n", tail_len + 1) == 0)
            return false;
    }
    uint32_t count = lvl_heights_parse(body, again, LVL_GRAAL_HEIGHTS, &keep);
    if (count > LVL_GRAAL_HEIGHTS)
        count = LVL_GRAAL_HEIGHTS;
    return count == level->height_count &&
           (!count || memcmp(again, level->heights, count * sizeof *again) == 0); /* NOLINT: bits count */
}

static void put_heights(struct writer *w)
{
    const lvl_graal *level = w->level;
    const size_t list = offsetof(lvl_graal, heights);

    if (level->version < LVL_GR_V1_04) {
        refuse(w, level->height_count ? "heights" : NULL, list, LVL_NO_INDEX);
        return;
    }
    if (level->heights_line.len && holds_heights(w)) {
        put_text(w, level->heights_line);
        lvl_buffer_u8(w->out, '\n');
    } else {
        refuse(w, lvl_heights_lines(w->out, level->heights, level->height_count), list, LVL_NO_INDEX);
    }
}

/* What follows everything: anything behind heights, else lines that say nothing. */
static void put_after(struct writer *w)
{
    const lvl_graal *level = w->level;
    const lvl_text after = level->after;
    const bool heights = level->version >= LVL_GR_V1_04 && (level->height_count || level->heights_line.len);

    if (after.len && (heights || is_stray(after, LVL_SIGNS, false)))
        put_text(w, after);
    else if (level->unended && w->out->status == LVL_OK)
        w->out->len--;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* Whether the finding is about bytes that only the kept file has: lines before or after an end mark. */
static bool hides_bytes(const lvl_finding *f, const lvl_graal *level)
{
    const lvl_field *signs = LVL_FIELD(lvl_graal, signs);

    if (f->def == &lvl_graal_findings[LVL_GRAAL_F_END_MARK])
        return true;
    if (f->def != &lvl_graal_findings[LVL_GRAAL_F_LINE_SHORT] || !f->where.depth)
        return false;
    const lvl_step *at = &f->where.steps[f->where.depth - 1];
    return at->index == LVL_NO_INDEX && (at->field != signs || !level->after.len);
}

/* Whether the kept file has the content of the records; where it has other bytes (depth 0: nowhere). */
static lvl_status holds_file(const lvl_doc *doc, bool *holds, lvl_where *hidden)
{
    const lvl_graal *level = doc->root;
    lvl_findings *found = lvl_findings_new(doc->ctx);
    lvl_doc *again = NULL;

    if (!found)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_read(&again, doc->ctx, doc->format, level->file, NULL, LVL_READ_BORROW, found);
    *holds = status == LVL_OK && lvl_record_equal(level, again->root, &lvl_graal_table);
    for (size_t i = 0; i < lvl_findings_count(found) && !hidden->depth; i++) {
        if (hides_bytes(lvl_findings_at(found, i), level))
            *hidden = lvl_findings_at(found, i)->where;
    }
    lvl_doc_free(again);
    lvl_findings_free(found);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static lvl_status write_parts(struct writer *w)
{
    const lvl_graal *level = w->level;
    const size_t from = w->out->len;

    if (level->version >= LVL_GLEVNW01) {
        refuse(w, "the version of a text level", offsetof(lvl_graal, version), LVL_NO_INDEX);
        return LVL_ERR_LOSS;
    }
    lvl_buffer_str(w->out, lvl_graal_version_name(level->version));
    put_layers(w);
    if (!w->cut) {
        for (int section = 0; section < LVL_SECTIONS; section++)
            put_section(w, section);
        put_heights(w);
        put_after(w);
    }
    if (level->tileset_count)
        refuse(w, "tilesets", offsetof(lvl_graal, tilesets), 0);
    if (w->room.status != LVL_OK || w->out->status != LVL_OK)
        return w->out->status != LVL_OK ? w->out->status : w->room.status;
    if (w->refused)
        w->out->len = from; /* nothing is written */
    return w->refused ? LVL_ERR_LOSS : LVL_OK;
}

static lvl_status write_level(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings)
{
    struct writer w = {0};

    w.level = doc->root;
    w.out = out;
    w.findings = findings;
    lvl_buffer_reserve(out, doc->input.len); /* about as much as it will be */
    if (w.level->file.len) {
        lvl_where hidden = lvl_where_root();
        bool holds;
        lvl_status status = holds_file(doc, &holds, &hidden);
        if (status != LVL_OK)
            return status;
        if (holds) {
            lvl_buffer_add(out, w.level->file.ptr, w.level->file.len);
            return out->status;
        }
        if (hidden.depth) {
            lvl_findings_add(findings, &lvl_graal_findings[LVL_GRAAL_F_UNWRITABLE], &hidden, NULL,
                             "bytes at its end that are no record would be lost; "
                             "`lvl set FILE --unset file` removes them");
            return LVL_ERR_LOSS;
        }
    }
    lvl_status status = write_parts(&w);
    lvl_buffer_free(&w.room);
    return status;
}

lvl_status lvl_graal_write(const lvl_doc *doc, lvl_buffer *out)
{
    return write_level(doc, out, NULL);
}

lvl_status lvl_graal_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};

    lvl_status status = write_level(doc, &out, findings);
    lvl_buffer_free(&out);
    return status;
}
