/*
 * graal/level/graal_read.c: reads binary levels. Their layout:
 *
 *     header 8 bytes, the version: "GR-V1.03" layers GR-V1.05: a byte 32 + number of tile blocks; others have
 *     one tiles a block of packets for each, up to a whole byte (graal_packets.h) links lines, up to a line
 *     "#" baddies three bytes and a line each, up to FF FF FF and a line end NPCs from GR-V1.00: lines, up to
 *     a line "#" chests from GR-V1.01: lines, up to a line "#" signs lines, up to the end of the file heights
 *     from GR-V1.04, according to other people's documents (no real file): a line HEIGHTS ends the signs, 81
 *     reals, a line HEIGHTSEND
 *
 * Lines end with LF. Known wrong values: the ending of the file name. Baddies that an early editor moved to
 * the NPCs and chests (graal_stale.h) are read as NPCs and chests, like the game does; check and repair
 * recognize them.
 */
#include "base/cursor.h"
#include "base/piece.h"
#include "base/work.h"
#include "base/text.h"
#include "graal/level/graal_early.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_level.h"
#include "graal/level/section_records.h"
#include "graal/level/graal_packets.h"
#include "graal/level/graal_names.h"

enum { HEADER = 8 };

struct section {
    size_t from, to; /* range of the records; the end mark follows */
    size_t next; /* after the end mark */
    uint32_t lines; /* the most records that it can have */
    size_t storage; /* bytes for their texts */
};

struct reader {
    lvl_doc *doc;
    lvl_graal *level;
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_text in;
    lvl_section_lines lines;
    struct section sections[LVL_SECTIONS];
    lvl_graal_parts *parts;
    char *storage;
    bool cut; /* the file is truncated, which has been reported */
    bool bad; /* a line may not be a record of its section, or an end mark is missing */
};

#define REPORT(r, what, where, ...)                   \
    ((r)->parts->unread |= lvl_graal_of_unread(what), \
     lvl_report_at((r)->findings, &lvl_graal_findings[what], where, __VA_ARGS__))

/* ---- spans ------------------------------------------------------------------------------------------- */

static void emit(const struct reader *r, size_t from, size_t to, lvl_span_role role, lvl_where where,
                 const char *note)
{
    const lvl_field *field = where.depth ? where.steps[where.depth - 1].field : NULL;

    lvl_emit_span(r->sink, from, to - from,
                  (lvl_span){.role = role, .where = where, .field = field, .note = note});
}

/* Emits the parts of a record's line, and its line break. */
static void emit_record(const struct reader *r, const lvl_section_kind *kind, uint32_t index, size_t from,
                        size_t to, const lvl_line_parts *parts)
{
    const lvl_field *list = lvl_table_at(&lvl_graal_table, kind->list);
    const lvl_where record = lvl_where_to(lvl_where_root(), list, index);

    for (unsigned i = 0; i < parts->count; i++) {
        const size_t at = from + parts->list[i].from;
        size_t end = at + parts->list[i].len;
        if (i + 1 == parts->count)
            end = to; /* including the line break */
        emit(r, at, end, LVL_SPAN_FIELD,
             lvl_where_to(record, lvl_table_at(list->table, parts->list[i].member), LVL_NO_INDEX), NULL);
    }
}

/* ---- finding the sections ---------------------------------------------------------------------------- */

/* Finds the end of a section and counts its lines. Returns whether its end mark is correct. */
static bool scan_section(const struct reader *r, int which, struct section *s)
{
    const bool heights = which == LVL_SIGNS && r->level->version >= LVL_GR_V1_04;
    lvl_text line;

    for (size_t at = s->from; at < r->in.len;) {
        const size_t from = at;
        const bool ended = lvl_section_line(which, r->in, &at, &line);
        if (lvl_line_ends(which, line)) {
            s->to = from;
            s->next = at;
            return which != LVL_BADDIES || line.len == LVL_BADDY_LEAST;
        }
        if (heights && lvl_text_is(line, "HEIGHTS")) {
            s->to = s->next = from;
            return true;
        }
        s->lines += line.len >= lvl_sections[which].least;
        s->storage += lvl_section_text_size(which, line);
        if (!ended)
            break;
    }
    s->to = s->next = r->in.len;
    return which == LVL_SIGNS;
}

/* ---- tiles ------------------------------------------------------------------------------------------- */

struct packet_emitter {
    const struct reader *r;
    uint64_t base; /* bit offset of the block in the file */
    lvl_where where;
};

static void emit_bits(const struct packet_emitter *t, uint64_t bit, unsigned bits, lvl_span_role role,
                      const char *note, int64_t value)
{
    lvl_span span = {0};

    if (!bits)
        return;
    span.bit = t->base + bit;
    span.bits = bits;
    span.role = role;
    span.where = t->where;
    span.field = t->where.steps[t->where.depth - 1].field;
    span.note = note;
    span.has_value = role == LVL_SPAN_FIELD;
    span.value = value;
    t->r->sink->span(t->r->sink, &span);
}

static void emit_packet(void *user, const lvl_packet *packet)
{
    const struct packet_emitter *t = user;
    const unsigned v = packet->value;

    if (packet->tile == LVL_TILES) {
        emit_bits(t, packet->bit, packet->bits, LVL_SPAN_PADDING, "spare bits", 0);
    } else if (!packet->control) {
        emit_bits(t, packet->bit, packet->bits, LVL_SPAN_FIELD, "tile", v);
    } else {
        emit_bits(t, packet->bit, 8, LVL_SPAN_FIELD, "count", v & 0xFF);
        emit_bits(t, packet->bit + 8, 1, LVL_SPAN_FIELD, "pairs", v >> 8 & 1);
        emit_bits(t, packet->bit + 9, packet->bits - 10, LVL_SPAN_PADDING, "unused", 0);
        emit_bits(t, packet->bit + packet->bits - 1, 1, LVL_SPAN_FIELD, "control", 1);
    }
}

static void report_packets(const struct reader *r, uint32_t layer, const lvl_packets_result *result)
{
    static const struct {
        unsigned bit;
        const char *text;
    } odds[] = {
        {LVL_PACKETS_COUNT, "a run of 0 tiles or of 1"},
        {LVL_PACKETS_OVERSHOOT, "a run goes beyond the last tile"},
        {LVL_PACKETS_CONTROL, "expected a tile, found the head of a run"},
        {LVL_PACKETS_BITS, "unused bits are set"},
    };
    const lvl_where where = lvl_where_member(lvl_graal_at(offsetof(lvl_graal, layers), layer),
                                             &lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles));

    for (size_t i = 0; i < LVL_COUNT_OF(odds); i++) {
        if (result->odd & odds[i].bit)
            REPORT(r, LVL_GRAAL_F_PACKETS, where, "%s: games may show other tiles here", odds[i].text);
    }
    if (result->odd & LVL_PACKETS_CUT)
        REPORT(r, LVL_GRAAL_F_TILES_CUT, where,
               "the file ends after %lu of %d tiles: the others are missing, and links, NPCs and signs",
               (unsigned long)result->tiles, LVL_TILES);
}

static lvl_status read_layer(struct reader *r, uint32_t index, size_t *at)
{
    lvl_graal_layer *layer = &r->level->layers[index];
    const lvl_bytes rest = {(const uint8_t *)r->in.ptr + *at, r->in.len - *at};
    const unsigned bits = lvl_packet_bits(r->level->version);
    lvl_packets_result result;

    uint16_t *tiles = lvl_arena_raw(&r->doc->arena, (LVL_TILES + LVL_PACKETS_SLACK) * sizeof *tiles);
    if (!tiles)
        return LVL_ERR_MEMORY;
    lvl_packets_decode(rest, bits, tiles, &result);
    layer->number = index;
    layer->tiles = (lvl_cells){(const uint8_t *)tiles, LVL_GRAAL_SIDE, LVL_GRAAL_SIDE, sizeof *tiles};
    if (result.odd)
        report_packets(r, index, &result);
    if (result.odd & LVL_PACKETS_CUT) {
        r->cut = true;
        r->parts->whole = 0;
    }
    if (r->sink) {
        const struct packet_emitter t = {r, (uint64_t)*at * 8,
                                         lvl_where_to(lvl_graal_at(offsetof(lvl_graal, layers), index),
                                                      LVL_FIELD(lvl_graal_layer, tiles), LVL_NO_INDEX)};
        if (r->sink->fine)
            lvl_packets_emit((lvl_bytes){rest.ptr, result.used}, bits, emit_packet, (void *)(uintptr_t)&t);
        else
            emit(r, *at, *at + result.used, LVL_SPAN_FIELD, t.where, NULL);
    }
    *at += result.used;
    return LVL_OK;
}

/* Whether the links begin there, with a link or the end mark: a line of text, unlike tiles. */
static bool begins_links(const struct reader *r, size_t at)
{
    lvl_graal_link link = {0};
    lvl_text line;

    if (!lvl_section_line(LVL_SIGNS, r->in, &at, &line))
        return false;
    for (size_t i = 0; i < line.len; i++) {
        if ((uint8_t)line.ptr[i] < ' ' && line.ptr[i] != '\t' && line.ptr[i] != '\r')
            return false;
    }
    return lvl_line_ends(LVL_LINKS, line) ||
           !lvl_section_parse(&r->lines, LVL_LINKS, line, NULL, &link, NULL);
}

/* Whether a complete block of tiles begins there. */
static bool begins_tiles(const struct reader *r, size_t at)
{
    const lvl_bytes rest = {(const uint8_t *)r->in.ptr + at, r->in.len - at};
    uint16_t tiles[LVL_TILES + LVL_PACKETS_SLACK];
    lvl_packets_result result;

    if (at >= r->in.len)
        return false;
    lvl_packets_decode(rest, lvl_packet_bits(r->level->version), tiles, &result);
    return !result.odd;
}

static lvl_status read_layers(struct reader *r, size_t *at)
{
    const lvl_where where = lvl_graal_at(offsetof(lvl_graal, layers), LVL_NO_INDEX);
    const bool several = r->level->version == LVL_GR_V1_05;
    const uint32_t most = several ? UINT8_MAX - LVL_PLACE : 1;
    lvl_graal *level = r->level;
    int count = 1;

    if (several) {
        count = *at < r->in.len ? (uint8_t)r->in.ptr[*at] - LVL_PLACE : 0;
        if (*at < r->in.len) {
            emit(r, *at, *at + 1, LVL_SPAN_DERIVED, where, "number of layers");
            ++*at;
        }
    }
    level->layers = lvl_arena_array(&r->doc->arena, most, sizeof *level->layers);
    if (!level->layers)
        return LVL_ERR_MEMORY;
    while (level->layer_count < most) {
        const bool counted = (int)level->layer_count < count;
        if (!counted && (begins_links(r, *at) || !begins_tiles(r, *at)))
            break;
        /* a truncated file has no more layers */
        if (level->layer_count && *at >= r->in.len) {
            REPORT(r, LVL_GRAAL_F_TILES_CUT, where,
                   "the file ends after %lu of %d layers: the others are missing, and links, NPCs and signs",
                   (unsigned long)level->layer_count, count);
            r->cut = true;
            r->parts->whole = 0;
            return LVL_OK;
        }
        if (counted && level->layer_count && begins_links(r, *at) && !begins_tiles(r, *at))
            break;
        level->layer_count++;
        lvl_status status = read_layer(r, level->layer_count - 1, at);
        if (status != LVL_OK)
            return status;
    }
    if (count < 1 || (int)level->layer_count != count) {
        REPORT(r, LVL_GRAAL_F_LAYERS, where,
               "the header declares %d layers, but there are %lu: games may show other tiles", count,
               (unsigned long)level->layer_count);
        r->parts->whole = 0;
    }
    return LVL_OK;
}

/* ---- records of the sections ------------------------------------------------------------------------- */

/* A finding about a line of a section. */
typedef struct line_finding {
    unsigned what;
    const char *text;
} line_finding;

static void report_line(const struct reader *r, const line_finding *f, lvl_where where, lvl_text line)
{
    const lvl_position position = {0, (uint64_t)(line.ptr - r->in.ptr) * 8, (uint64_t)line.len * 8, 0, true};

    r->parts->unread |= lvl_graal_of_unread(f->what);
    lvl_findings_add(r->findings, &lvl_graal_findings[f->what], &where, &position,
                     "%s (a line of %llu bytes)", f->text, (unsigned long long)line.len);
}

/* Reports a line that is not a record. */
static void report_other(const struct reader *r, int which, lvl_text line)
{
    static const line_finding others[LVL_SECTIONS] = {
        [LVL_LINKS] = {LVL_GRAAL_F_LINK_WORDS, "this is not a link, which has a name and six words, four of "
                                               "them numbers: nobody can go this way"},
        [LVL_CHESTS] = {LVL_GRAAL_F_CHEST_LENGTH,
                        "a chest has four bytes: players may find another one, or none"},
    };
    static const line_finding none = {LVL_GRAAL_F_LINE_SHORT, "too short for a record; games skip it"};
    const bool empty = !lvl_text_trim(line).len || !others[which].text;

    report_line(r, empty ? &none : &others[which], lvl_graal_at(lvl_sections[which].list, LVL_NO_INDEX),
                line);
}

static lvl_status read_section(struct reader *r, int which)
{
    static const line_finding bad[LVL_SECTIONS] = {
        [LVL_BADDIES] = {LVL_GRAAL_F_BADDY_VERSES,
                         "this baddy has the wrong number of texts for this version; missing ones are empty"},
        [LVL_NPCS] =
            {LVL_GRAAL_F_NPC_MARK,
             "there is no # between the picture and the script of this NPC: it may not work in the game"},
        [LVL_CHESTS] = {LVL_GRAAL_F_CHEST_LENGTH,
                        "a chest has four bytes: players may find another one, or none"},
        [LVL_SIGNS] =
            {LVL_GRAAL_F_SIGN_CODE,
             "this sign has bytes that are not characters: players see other characters there, or none"},
    };
    const struct section *s = &r->sections[which];
    const lvl_field *list = lvl_table_at(&lvl_graal_table, lvl_sections[which].list);
    const lvl_text in = {r->in.ptr, s->to};
    lvl_line_parts parts = {0}, *emitted = r->sink ? &parts : NULL;
    uint8_t *records;
    lvl_status status = lvl_pieces_reserve(r->doc, list, s->lines);
    uint32_t index = 0;
    lvl_text line;

    memcpy(&records, (uint8_t *)r->level + list->offset, sizeof records);
    for (size_t at = s->from; at < s->to && status == LVL_OK;) {
        const size_t from = at;
        lvl_section_line(which, in, &at, &line);
        parts.count = 0;
        void *const record = records + (size_t)index * list->item_size;
        const unsigned found = lvl_section_parse(&r->lines, which, line, &r->storage, record, emitted);
        r->bad |= found != 0;
        if (found & LVL_LINE_NONE) {
            memset(record, 0, list->item_size); /* cleared for the next line */
            report_other(r, which, line);
            emit(r, from, at, LVL_SPAN_SPELLING, lvl_graal_at(lvl_sections[which].list, LVL_NO_INDEX),
                 "a line that is not a record");
            continue;
        }
        if (found)
            report_line(r, &bad[which], lvl_graal_at(lvl_sections[which].list, index), line);
        if (r->sink)
            emit_record(r, &lvl_sections[which], index, from, at, &parts);
        status = lvl_piece_note(r->doc, list, index++, from, line.len);
    }
    memcpy((uint8_t *)r->level + list->count_offset, &index, sizeof index);
    return status;
}

/* Reports that the end mark of a section is missing or followed by more bytes. In a truncated file only the
 * first missing mark is reported. */
static void report_end(struct reader *r, int which, const struct section *s)
{
    const lvl_position end = {0, (uint64_t)r->in.len * 8, 0, 0, true};
    const lvl_where where = lvl_graal_at(lvl_sections[which].list, LVL_NO_INDEX);

    r->bad = true;
    if (s->next < r->in.len) {
        REPORT(r, LVL_GRAAL_F_END_MARK, where,
               "unknown bytes follow the end mark of the %s: games may read them as something else",
               lvl_sections[which].name);
        return;
    }
    if (r->parts->whole > which + 1)
        r->parts->whole = which + 1;
    if (!r->cut)
        lvl_findings_add(
            r->findings, &lvl_graal_findings[LVL_GRAAL_F_SECTION_CUT], &where, &end,
            "the file ends before the end mark of the %s: it is cut off, and what followed is missing",
            lvl_sections[which].name);
    r->cut = true;
}

/* Finds all sections and allocates their records. */
static lvl_status find_sections(struct reader *r, size_t at)
{
    const uint64_t most = lvl_limits_of(r->doc->ctx).items;
    size_t storage = 0;

    for (int i = 0; i < LVL_SECTIONS; i++) {
        const lvl_field *list = lvl_table_at(&lvl_graal_table, lvl_sections[i].list);
        struct section *s = &r->sections[i];
        s->from = s->to = s->next = at;
        if (r->level->version >= lvl_sections[i].since && !scan_section(r, i, s))
            report_end(r, i, s);
        at = s->next;
        if (s->lines > most)
            return lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, most, s->lines);
        storage += s->storage;
        /* one more for a last line that is not a record */
        void *const items = lvl_arena_array(&r->doc->arena, (size_t)s->lines + 1, list->item_size);
        if (!items)
            return LVL_ERR_MEMORY;
        memcpy((uint8_t *)r->level + list->offset, &items, sizeof items);
    }
    r->storage = storage ? lvl_arena_raw(&r->doc->arena, storage) : NULL;
    return storage && !r->storage ? LVL_ERR_MEMORY : LVL_OK;
}

/* Stores the offsets of the parts for the writer. Nothing can follow a part without a final line break. */
static lvl_status store_parts(struct reader *r)
{
    lvl_graal_parts *parts = r->parts;

    parts->from[0] = HEADER;
    for (int i = 0; i < LVL_SECTIONS; i++)
        parts->from[i + 1] = r->sections[i].from;
    parts->from[LVL_SECTIONS + 1] = r->sections[LVL_SIGNS].next;
    parts->from[LVL_GRAAL_PARTS] = r->in.len;
    for (int i = 1; i < LVL_GRAAL_PARTS; i++) {
        const size_t end = parts->from[i + 1];
        if (parts->whole > i && end > parts->from[i] && r->in.ptr[end - 1] != '\n')
            parts->whole = i;
    }
    lvl_status status = LVL_OK;
    for (int i = 0; i < LVL_GRAAL_PARTS && status == LVL_OK; i++)
        status = lvl_piece_note(r->doc, lvl_graal_list_of(i), LVL_NO_INDEX, parts->from[i],
                                parts->from[i + 1] - parts->from[i]);
    return status;
}

/* Reports an end mark before the last record of a section. */
static void report_early(const struct reader *r)
{
    lvl_graal_early early;

    if (!r->bad || !r->findings ||
        !lvl_graal_find_early(&r->lines, r->in, r->sections[LVL_LINKS].from, &early))
        return;
    const lvl_where where = lvl_graal_at(lvl_sections[early.section].list, LVL_NO_INDEX);
    const lvl_position mark = {0, (uint64_t)early.from * 8, (uint64_t)(early.to - early.from) * 8, 0, true};
    lvl_findings_add(
        r->findings, &lvl_graal_findings[LVL_GRAAL_F_SECTION_EARLY], &where, &mark,
        "an end mark before the last of the %s: those after it are read as other things, and are missing "
        "in the game",
        lvl_sections[early.section].name);
}

/* ---- heights ----------------------------------------------------------------------------------------- */

static lvl_status read_heights(struct reader *r, size_t at)
{
    const lvl_where where = lvl_graal_at(offsetof(lvl_graal, heights), LVL_NO_INDEX);
    const size_t from = at;
    lvl_text line;
    bool ended = false;

    if (at >= r->in.len)
        return LVL_OK;
    lvl_section_line(LVL_SIGNS, r->in, &at, &line);
    size_t body = at, end = at;
    while (at < r->in.len && !ended) {
        end = at;
        lvl_section_line(LVL_SIGNS, r->in, &at, &line);
        ended = lvl_text_is(line, "HEIGHTSEND");
    }
    end = ended ? end : at;
    double *heights = lvl_arena_array(&r->doc->arena, LVL_GRAAL_HEIGHTS, sizeof *heights);
    if (!heights)
        return LVL_ERR_MEMORY;
    size_t parsed;
    uint32_t found =
        lvl_heights_parse((lvl_text){r->in.ptr + body, end - body}, heights, LVL_GRAAL_HEIGHTS, &parsed);
    if (!ended && body + parsed < end) { /* the lines from the first one without numbers are something else */
        at = body + parsed;
        while (at > body && r->in.ptr[at - 1] != '\n')
            at--;
        end = at;
        found =
            lvl_heights_parse((lvl_text){r->in.ptr + body, end - body}, heights, LVL_GRAAL_HEIGHTS, &parsed);
    }
    r->level->height_count = found < LVL_GRAAL_HEIGHTS ? found : LVL_GRAAL_HEIGHTS;
    r->level->heights = r->level->height_count ? heights : NULL;
    if (!ended || found != LVL_GRAAL_HEIGHTS)
        REPORT(r, LVL_GRAAL_F_HEIGHTS, where, "%lu heights instead of 81%s", (unsigned long)found,
               ended ? "" : ", and no HEIGHTSEND");
    emit(r, from, at, LVL_SPAN_FIELD, where, NULL);
    if (at < r->in.len) {
        REPORT(r, LVL_GRAAL_F_TRAILING, where, "%llu bytes follow the last section: no game reads them",
               (unsigned long long)(r->in.len - at));
        emit(r, at, r->in.len, LVL_SPAN_SPELLING, where, "bytes after the heights");
    }
    return LVL_OK;
}

/* Reports a last line without a line break: it may be a part of a sign, since no known file ends like this. A
 * line of fewer than two bytes is not a sign. */
static void report_unended(const struct reader *r)
{
    const struct section *signs = &r->sections[LVL_SIGNS];
    const lvl_where where = lvl_graal_at(lvl_sections[LVL_SIGNS].list, LVL_NO_INDEX);
    const lvl_position end = {0, (uint64_t)r->in.len * 8, 0, 0, true};

    if (r->in.ptr[r->in.len - 1] == '\n')
        return;
    if (signs->next == r->in.len && r->in.len - signs->from >= 2 && r->in.ptr[r->in.len - 2] != '\n')
        lvl_findings_add(
            r->findings, &lvl_graal_findings[LVL_GRAAL_F_SIGN_CUT], &where, &end,
            "the last sign has no line end: it may be cut off, and players see what is left of it");
    else if (!r->bad)
        REPORT(r, LVL_GRAAL_F_UNENDED, lvl_where_root(), "the last line has no line end");
}

/* ---- the file ---------------------------------------------------------------------------------------- */

/* The version in a header; LVL_GRAAL_VERSIONS: not a binary level. */
static unsigned version_of(lvl_bytes head)
{
    for (unsigned v = 0; v < LVL_GLEVNW01 && head.len >= HEADER; v++) {
        if (memcmp(head.ptr, lvl_graal_version_name(v), HEADER) == 0)
            return v;
    }
    return LVL_GRAAL_VERSIONS;
}

int lvl_graal_probe(const lvl_probe_input *in)
{
    return version_of(in->head) < LVL_GRAAL_VERSIONS ? HEADER * 8 : 0;
}

lvl_status lvl_graal_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    struct reader r = {0};
    lvl_space file = {0};
    size_t at = HEADER;

    r.doc = doc;
    r.level = doc->root;
    r.sink = sink;
    r.findings = findings;
    r.in = (lvl_text){(const char *)doc->input.ptr, doc->input.len};
    doc->state = r.parts = lvl_arena_alloc(&doc->arena, sizeof *r.parts);
    if (!r.parts)
        return LVL_ERR_MEMORY;
    r.parts->whole = LVL_GRAAL_PARTS;
    if (sink) {
        file.bytes = doc->input;
        file.name = "file";
        sink->space(sink, &file);
    }
    const unsigned version = version_of(doc->input);
    if (version == LVL_GRAAL_VERSIONS) {
        char shown[40];
        REPORT(&r, LVL_GRAAL_F_HEADER_CUT, lvl_where_root(),
               "expected a version such as GR-V1.03, found \"%s\"",
               lvl_text_show(shown, sizeof shown, doc->codepage,
                             (lvl_text){r.in.ptr, r.in.len < HEADER ? r.in.len : HEADER}));
        return LVL_ERR_FORMAT;
    }
    r.level->version = r.parts->version = (uint8_t)version;
    doc->version = version;
    lvl_section_lines_init(&r.lines, version);
    emit(&r, 0, HEADER, LVL_SPAN_FIELD, lvl_graal_at(offsetof(lvl_graal, version), LVL_NO_INDEX), NULL);
    lvl_status status = lvl_pieces_begin(doc);
    if (status == LVL_OK)
        status = read_layers(&r, &at);
    if (status == LVL_OK)
        status = find_sections(&r, at);
    if (status != LVL_OK)
        return status;
    for (int i = 0; i < LVL_SECTIONS; i++) {
        status = read_section(&r, i);
        if (status != LVL_OK)
            return status;
        emit(&r, r.sections[i].to, r.sections[i].next, LVL_SPAN_CONTAINER,
             lvl_graal_at(lvl_sections[i].list, LVL_NO_INDEX), lvl_sections[i].end_note);
    }
    report_early(&r);
    status = read_heights(&r, r.sections[LVL_SIGNS].next);
    if (status == LVL_OK)
        status = store_parts(&r);
    if (status != LVL_OK)
        return status;
    r.level->file = doc->input;
    if (!r.cut)
        report_unended(&r);
    return LVL_OK;
}
