/*
 * wap32/music/xmi.c: XMI, an IFF file (sizes big-endian, the rest little-endian):
 *
 *     "FORM" u32 14 "XDIR" { "INFO" u32 2, u16 number of sequences }
 *     "CAT " u32 size "XMID"
 *     for each sequence
 *         "FORM" u32 size "XMID"
 *         "TIMB" u32 size, u16 count, count × { u8 patch, u8 bank }          may be missing
 *         "RBRN" u32 size, u16 count, count × { u16 id, u32 offset }         may be missing
 *         "EVNT" u32 size, events, and a zero if their size is odd
 *
 * An event is a delay (bytes below 0x80, which are added) and a MIDI event without running status. A note has
 * its duration after its velocity, as a number like those of MIDI files (7 bits a byte, the highest first).
 *
 * In 16 of 16 real files sequences end with FF 2F 00, and delays and numbers have as few bytes as possible.
 * One was written by another program: its INFO is called XDIR and has a big-endian number, and it has no
 * TIMB.
 */
#include "wap32/music/xmi.h"

#include "base/arena.h"
#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"

enum { CHUNK = 8, DIRECTORY = 14, TIMBRE = 2, BRANCH = 6 };
#define TYPE_OF_DIRECTORY "XDIR"
#define TYPE_OF_SEQUENCE  "XMID"

/* clang-format off */
static const lvl_name chunk_names[] = {
    {LVL_XMI_HAS_TIMB, "TIMB", "instruments"},
    {LVL_XMI_HAS_RBRN, "RBRN", "branches"},
    {LVL_XMI_HAS_EVNT, "EVNT", "events"},
    {0, NULL, NULL},
};
static const lvl_name paddings[] = {
    {LVL_XMI_PAD_INSIDE, "inside", "a zero that the size of EVNT counts"},
    {LVL_XMI_PAD_OUTSIDE, "outside", "a zero after EVNT"},
    {LVL_XMI_PAD_NONE, "none", NULL},
    {0, NULL, NULL},
};
static const lvl_name layouts[] = {
    {LVL_XMI_FULL, "full", "a directory, and a catalogue of sequences"},
    {LVL_XMI_CATALOGUE, "catalogue", "without a directory"},
    {LVL_XMI_SEQUENCE, "sequence", "one sequence alone"},
    {LVL_XMI_DIRECTORY, "directory", "alone: the file was cut off"},
    {0, NULL, NULL},
};
static const lvl_name infos[] = {
    {LVL_XMI_INFO, "INFO", NULL},
    {LVL_XMI_XDIR, "XDIR", NULL},
    {LVL_XMI_OTHER, "other", "not as usual: `directory` has it"},
    {0, NULL, NULL},
};

static const lvl_field timbre_fields[] = {
    LVL_ROW_UINT(lvl_xmi_timbre, patch, "patch", 0,
        .prose = "number of the instrument; in bank 127: of a drum"),
    LVL_ROW_UINT(lvl_xmi_timbre, bank, "bank", 1, .prose = "0: General MIDI, 127: drums"),
};
static const lvl_field branch_fields[] = {
    LVL_ROW_UINT(lvl_xmi_branch, id, "id", 0, .prose = "by which the game calls it"),
    LVL_ROW_UINT(lvl_xmi_branch, offset, "offset", 2, .unit = "bytes",
        .prose = "of the event, from the first one"),
};
static const lvl_field track_fields[] = {
    LVL_ROW_UINT(lvl_xmi_track, size, "size", LVL_NO_PLACE, .role = LVL_DERIVED,
        .disk_size = 4, .unit = "bytes",
        .prose = "bytes of the sequence"),
    LVL_ROW_FLAGS(lvl_xmi_track, chunks, "chunks", LVL_NO_PLACE, chunk_names, .def = LVL_XMI_HAS_EVNT,
        .prose = "what it has"),
    LVL_ROW_LIST(lvl_xmi_track, timbres, timbre_count, "timbres", &lvl_xmi_timbre_table, lvl_xmi_timbre,
        .prose = "instruments that must be loaded",
        .summary = {.show = LVL_SHOW, .label = "instruments", .key = "timbres"}),
    LVL_ROW_LIST(lvl_xmi_track, branches, branch_count, "branches", &lvl_xmi_branch_table, lvl_xmi_branch,
        .prose = "places where the game may continue"),
    LVL_ROW_UINT(lvl_xmi_track, events_size, "events_size", LVL_NO_PLACE, .role = LVL_DERIVED, .disk_size = 4,
        .unit = "bytes", .prose = "bytes of the events"),
    LVL_ROW_LIST(lvl_xmi_track, events, event_count, "events", &lvl_xmi_event_table, lvl_xmi_event,
        .prose = "the events, in order", .summary = {.show = LVL_SHOW, .label = "events", .key = "events"}),
    LVL_ROW_UINT(lvl_xmi_track, padding, "padding", LVL_NO_PLACE, .role = LVL_KEPT, .names = paddings,
        .prose = "of events with an odd number of bytes"),
    LVL_ROW_BYTES(lvl_xmi_track, unread, "unread", .role = LVL_UNKNOWN,
        .prose = "bytes after the last event"),
    LVL_ROW_BYTES(lvl_xmi_track, rest, "rest", .role = LVL_UNKNOWN,
        .prose = "bytes after the last known part"),
};
static const lvl_field xmi_fields[] = {
    LVL_ROW_UINT(lvl_xmi, layout, "layout", LVL_NO_PLACE, .names = layouts,
        .prose = "what the file consists of"),
    LVL_ROW_UINT(lvl_xmi, directory_size, "directory_size", LVL_NO_PLACE, .role = LVL_DERIVED, .disk_size = 4,
        .unit = "bytes", .prose = "bytes of the directory"),
    LVL_ROW_UINT(lvl_xmi, entry, "entry", LVL_NO_PLACE, .names = infos,
        .prose = "what the directory's part is called"),
    LVL_ROW_UINT(lvl_xmi, declared, "sequence_count", LVL_NO_PLACE, .role = LVL_DERIVED, .disk_size = 2,
        .prose = "number of sequences"),
    LVL_ROW_BYTES(lvl_xmi, directory, "directory", .role = LVL_UNKNOWN,
        .when = {offsetof(lvl_xmi, entry), 1, 1 << LVL_XMI_OTHER},
        .prose = "content of an unusual directory"),
    LVL_ROW_UINT(lvl_xmi, catalogue_size, "catalogue_size", LVL_NO_PLACE, .role = LVL_DERIVED, .disk_size = 4,
        .unit = "bytes", .prose = "bytes of the catalogue"),
    LVL_ROW_LIST(lvl_xmi, tracks, track_count, "tracks", &lvl_xmi_track_table, lvl_xmi_track,
        .prose = "the sequences: a piece of music each"),
    LVL_ROW_BYTES(lvl_xmi, rest, "rest", .role = LVL_UNKNOWN, .prose = "bytes after the last sequence"),
};
const lvl_table lvl_xmi_timbre_table = {
    .name = "timbre",
        .prose = "An instrument.", LVL_TABLE_OF(lvl_xmi_timbre, timbre_fields), .disk_size = TIMBRE,
};
const lvl_table lvl_xmi_branch_table = {
    .name = "branch", .prose = "A place to continue.", LVL_TABLE_OF(lvl_xmi_branch, branch_fields),
    .disk_size = BRANCH,
};
const lvl_table lvl_xmi_track_table = {
    .name = "track", .prose = "A sequence: one piece of music.", LVL_TABLE_OF(lvl_xmi_track, track_fields),
};
const lvl_table lvl_xmi_table = {
    .name = "xmi", .prose = "Music.", LVL_TABLE_OF(lvl_xmi, xmi_fields),
};

enum {
    HEADER, CUT, SIZE, COUNT, EVENT_UNKNOWN, NO_EVENTS, NO_END, LOOP, BRANCH_PLACE, REST, PARAMETER, LONG,
    PLACE
};

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

static const lvl_finding_def findings_table[] = {
    FINDING(HEADER, "xmi.header", F, F, F, "The file does not begin like an XMI.")
    REPAIRED(CUT, "xmi.cut", E, E, E,
        "A part declares more bytes than the file has: the file was cut off, and music is missing.",
        "sets the sizes to what is there")
    REPAIRED(SIZE, "xmi.size", E, W, N, "A size is not that of what it contains.",
        "sets the sizes to what is there")
    REPAIRED(COUNT, "xmi.count", E, W, N, "The directory counts another number of sequences than there are.",
        "counts them")
    FINDING(EVENT_UNKNOWN, "xmi.event.unknown", E, E, E,
        "Bytes are no event: neither the game nor lvl reads what follows in the sequence.")
    FINDING(NO_EVENTS, "xmi.no_events", E, E, W, "A sequence has no events: it is silent.")
    FINDING(NO_END, "xmi.no_end", E, W, N, "A sequence has no end event: the game reads beyond it.")
    FINDING(LOOP, "xmi.loop", E, W, N, "A loop has no beginning, or no end: it is not repeated.")
    FINDING(BRANCH_PLACE, "xmi.branch", E, W, N, "A branch leads to a place where no event begins.")
    FINDING(REST, "xmi.rest", W, N, N, "Bytes follow that belong to nothing known.")
    FINDING(PARAMETER, "xmi.event.value", E, E, E, "A number of an event is too large for it: writing fails.")
    FINDING(LONG, "xmi.long", E, E, E, "The delays add up to more than half a year: writing fails.")
    FINDING(PLACE, "xmi.layout", E, E, E,
        "A list is in a part that the file does not have (`layout`, `chunks`), or has too many items: writing "
        "fails.")
};
/* clang-format on */

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {&findings_table[CUT], &findings_table[EVENT_UNKNOWN], NULL};

static lvl_where at_track(uint32_t index)
{
    return lvl_where_item(lvl_where_root(), &lvl_xmi_table, offsetof(lvl_xmi, tracks), index);
}

static bool is_id(const uint8_t *p, const char *id)
{
    return memcmp(p, id, 4) == 0;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

typedef struct reader {
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_buffer usual; /* for events */
    uint64_t ticks; /* of all delays */
} reader;

static void emit_size(const reader *r, size_t at, lvl_where where, const lvl_field *field)
{
    lvl_emit_span(r->sink, at, 4, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "name of a part"});
    lvl_emit_field(r->sink, where, field, at + 4, 4, LVL_SPAN_DERIVED);
}

static void emit_event(const reader *r, lvl_where where, const lvl_xmi_event *e, size_t from,
                       const lvl_xmi_parts *at, size_t end)
{
    static const lvl_span_role as = LVL_SPAN_FIELD;
    const size_t status = from + at->status, data = from + at->data;

#define EMIT(m, at, len) lvl_emit_field(r->sink, where, LVL_FIELD(lvl_xmi_event, m), at, len, as)
    if (e->spelling.len) {
        lvl_emit_field(r->sink, where, LVL_FIELD(lvl_xmi_event, spelling), from, end - from,
                       LVL_SPAN_SPELLING);
        return;
    }
    EMIT(delay, from, at->status);
    EMIT(type, status, 1);
    switch (e->type) {
    case LVL_XMI_NOTE: EMIT(duration, data, end - data); /* fall through */
    case LVL_XMI_NOTE_OFF:
        EMIT(note, status + 1, 1);
        EMIT(velocity, status + 2, 1);
        break;
    case LVL_XMI_KEY_PRESSURE:
        EMIT(note, status + 1, 1);
        EMIT(pressure, status + 2, 1);
        break;
    case LVL_XMI_CONTROL:
        EMIT(controller, status + 1, 1);
        EMIT(value, status + 2, 1);
        break;
    case LVL_XMI_PROGRAM: EMIT(program, status + 1, 1); break;
    case LVL_XMI_PRESSURE: EMIT(pressure, status + 1, 1); break;
    case LVL_XMI_BEND: EMIT(bend, status + 1, 2); break;
    default: {
        const size_t kind = e->type == LVL_XMI_META;
        EMIT(meta, status + 1, kind);
        lvl_emit_span(r->sink, status + 1 + kind, data - status - 1 - kind,
                      (lvl_span){.role = LVL_SPAN_DERIVED, .where = where, .note = "size of the data"});
        EMIT(data, data, e->data.len);
    }
    }
#undef EMIT
}

/* Reads the events in `c` up to the end event; the cursor is then after the last one. */
static lvl_status read_events(reader *r, lvl_cursor *c, lvl_xmi_track *track, lvl_where where)
{
    const lvl_field *list = LVL_FIELD(lvl_xmi_track, events);
    lvl_cursor count = *c;
    lvl_xmi_event e = {0};
    uint64_t ticks = r->ticks, n = 0;
    size_t end = c->pos;
    lvl_xmi_parts at = {0};

    lvl_status status = lvl_charge(r->doc->ctx, 2 * lvl_cursor_left(c));
    if (status != LVL_OK)
        return status;
    while (lvl_cursor_left(&count) && (!n || !lvl_xmi_ends(&e)) && lvl_xmi_read_event(&count, &e, &at) &&
           (ticks += e.delay) <= INT32_MAX) {
        end = count.pos;
        n++;
    }
    if (n > lvl_limits_of(r->doc->ctx).items)
        return lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, lvl_limits_of(r->doc->ctx).items, n);
    track->events = lvl_arena_array(&r->doc->arena, n, sizeof *track->events);
    if (!track->events)
        return LVL_ERR_MEMORY;
    for (; track->event_count < n; track->event_count++) {
        lvl_xmi_event *into = &track->events[track->event_count];
        const size_t from = c->pos;
        lvl_xmi_read_event(c, into, &at); /* which is one, as was found before */
        r->ticks += into->delay;
        r->usual.len = 0;
        lvl_xmi_add_usual(into, &r->usual);
        if (r->usual.status != LVL_OK)
            return r->usual.status;
        if (r->usual.len != c->pos - from || memcmp(r->usual.data, c->data + from, r->usual.len) != 0)
            into->spelling = (lvl_bytes){c->data + from, c->pos - from};
        emit_event(r, lvl_where_to(where, list, track->event_count), into, from, &at, c->pos);
    }
    c->pos = end;
    return LVL_OK;
}

/* The chunk with that id at the cursor: its content, cut to what is left. False: there is none. */
static bool next_chunk(const lvl_cursor *c, const char *id, lvl_cursor *content, uint32_t *size)
{
    if (lvl_cursor_left(c) < CHUNK || !is_id(c->data + c->pos, id))
        return false;
    *size = lvl_load_u32be(c->data + c->pos + 4);
    *content = *c;
    content->pos += CHUNK;
    content->len = *size < lvl_cursor_left(content) ? content->pos + *size : content->len;
    return true;
}

/* A list of items of a fixed size after their number. False, with the cursor unchanged: not exactly that. */
static bool next_list(reader *r, lvl_cursor *c, const char *id, size_t item, lvl_cursor *items,
                      uint32_t *count)
{
    uint32_t size;

    if (!next_chunk(c, id, items, &size) || lvl_cursor_left(items) != size || size < 2)
        return false;
    const uint32_t n = lvl_cursor_u16le(items);
    if (size != 2 + n * item)
        return false;
    lvl_emit_span(r->sink, c->pos, CHUNK + 2,
                  (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "name, size and number of items"});
    lvl_cursor_take(c, CHUNK + (size_t)size);
    *count = n;
    return true;
}

static lvl_status read_lists(reader *r, lvl_cursor *c, lvl_xmi_track *track, lvl_where where)
{
    lvl_cursor items;

    track->chunks = 0;
    if (next_list(r, c, "TIMB", TIMBRE, &items, &track->timbre_count)) {
        track->chunks |= LVL_XMI_HAS_TIMB;
        track->timbres = lvl_arena_array(&r->doc->arena, track->timbre_count, sizeof *track->timbres);
        if (!track->timbres)
            return LVL_ERR_MEMORY;
        for (uint32_t i = 0; i < track->timbre_count; i++) {
            lvl_emit_span(r->sink, items.pos, TIMBRE,
                          (lvl_span){.where = lvl_where_to(where, LVL_FIELD(lvl_xmi_track, timbres), i),
                                     .table = &lvl_xmi_timbre_table});
            track->timbres[i].patch = lvl_cursor_u8(&items);
            track->timbres[i].bank = lvl_cursor_u8(&items);
        }
    }
    if (next_list(r, c, "RBRN", BRANCH, &items, &track->branch_count)) {
        track->chunks |= LVL_XMI_HAS_RBRN;
        track->branches = lvl_arena_array(&r->doc->arena, track->branch_count, sizeof *track->branches);
        if (!track->branches)
            return LVL_ERR_MEMORY;
        for (uint32_t i = 0; i < track->branch_count; i++) {
            lvl_emit_span(r->sink, items.pos, BRANCH,
                          (lvl_span){.where = lvl_where_to(where, LVL_FIELD(lvl_xmi_track, branches), i),
                                     .table = &lvl_xmi_branch_table});
            track->branches[i].id = lvl_cursor_u16le(&items);
            track->branches[i].offset = lvl_cursor_u32le(&items);
        }
    }
    return LVL_OK;
}

/* EVNT at the cursor, with what pads it. */
static lvl_status read_evnt(reader *r, lvl_cursor *c, lvl_xmi_track *track, lvl_where where)
{
    lvl_cursor in;

    if (!next_chunk(c, "EVNT", &in, &track->events_size))
        return LVL_OK;
    track->chunks |= LVL_XMI_HAS_EVNT;
    emit_size(r, c->pos, where, LVL_FIELD(lvl_xmi_track, events_size));
    const size_t from = in.pos, size = in.len - from;
    const bool odd = size % 2;
    const lvl_status status = read_events(r, &in, track, where);
    if (status != LVL_OK)
        return status;
    const size_t left = lvl_cursor_left(&in);
    if (left == 1 && !in.data[in.pos] && !odd) {
        lvl_emit_span(r->sink, in.pos, 1, (lvl_span){.role = LVL_SPAN_PADDING, .where = where});
    } else if (left) {
        track->unread = (lvl_bytes){in.data + in.pos, left};
        lvl_emit_field(r->sink, where, LVL_FIELD(lvl_xmi_track, unread), in.pos, left, LVL_SPAN_RESIDUE);
        const bool ended = track->event_count && lvl_xmi_ends(&track->events[track->event_count - 1]);
        const lvl_position pos = {.bit = (uint64_t)in.pos * 8, .bits = (uint64_t)left * 8, .known = true};
        lvl_findings_add(r->findings, &findings_table[ended ? REST : EVENT_UNKNOWN], &where, &pos,
                         "%llu bytes after event %u", (unsigned long long)left, track->event_count);
    }
    c->pos = from + size;
    if (odd) {
        const bool padded = lvl_cursor_left(c) && !c->data[c->pos];
        track->padding = padded ? LVL_XMI_PAD_OUTSIDE : LVL_XMI_PAD_NONE;
        lvl_emit_span(r->sink, c->pos, padded, (lvl_span){.role = LVL_SPAN_PADDING, .where = where});
        c->pos += padded;
    }
    return LVL_OK;
}

/* A part that holds others, of that type, at the cursor. */
static bool next_form(const lvl_cursor *c, const char *id, const char *type, lvl_cursor *content,
                      uint32_t *size)
{
    if (!next_chunk(c, id, content, size) || lvl_cursor_left(content) < 4 ||
        !is_id(content->data + content->pos, type))
        return false;
    lvl_cursor_take(content, 4);
    return true;
}

static void report_size(const reader *r, lvl_where where, uint32_t declared, size_t found, bool at_end)
{
    if (declared != found)
        lvl_report_at(r->findings, &findings_table[at_end && declared > found ? CUT : SIZE], where,
                      "%u bytes declared, %llu found", declared, (unsigned long long)found);
}

static lvl_status read_track(reader *r, lvl_cursor in, lvl_xmi_track *track, uint32_t index)
{
    const lvl_where where = at_track(index);
    const size_t from = in.pos - 4, end = in.len;

    emit_size(r, from - CHUNK, where, LVL_FIELD(lvl_xmi_track, size));
    lvl_emit_span(r->sink, from, 4, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "type of a part"});
    lvl_status status = read_lists(r, &in, track, where);
    const size_t events = in.pos;
    if (status == LVL_OK)
        status = read_evnt(r, &in, track, where);
    if (status != LVL_OK)
        return status;
    if (in.pos < end) {
        const lvl_position pos = {
            .bit = (uint64_t)in.pos * 8, .bits = (uint64_t)(end - in.pos) * 8, .known = true};
        track->rest = (lvl_bytes){in.data + in.pos, end - in.pos};
        lvl_findings_add(r->findings, &findings_table[REST], &where, &pos, "%llu bytes",
                         (unsigned long long)track->rest.len);
        lvl_emit_field(r->sink, where, LVL_FIELD(lvl_xmi_track, rest), in.pos, end - in.pos,
                       LVL_SPAN_RESIDUE);
    }
    const bool at_end = end == r->doc->input.len;
    if (track->chunks & LVL_XMI_HAS_EVNT) {
        const size_t left = end - events - CHUNK;
        report_size(r, LVL_AT(where, lvl_xmi_track, events_size), track->events_size,
                    track->events_size < left ? track->events_size : left, at_end);
    }
    report_size(r, LVL_AT(where, lvl_xmi_track, size), track->size, end - from, at_end);
    return LVL_OK;
}

/* The directory, if the file begins with one. */
static void read_directory(reader *r, lvl_cursor *c)
{
    lvl_xmi *xmi = r->doc->root;
    const lvl_where root = lvl_where_root();
    lvl_cursor in;

    if (!next_form(c, "FORM", TYPE_OF_DIRECTORY, &in, &xmi->directory_size))
        return;
    const uint8_t *p = in.data + in.pos;
    const size_t left = lvl_cursor_left(&in);
    emit_size(r, c->pos, root, LVL_FIELD(lvl_xmi, directory_size));
    lvl_emit_span(r->sink, in.pos - 4, 4, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "type of a part"});
    report_size(r, LVL_AT_ROOT(lvl_xmi, directory_size), xmi->directory_size, left + 4, true);
    xmi->entry = left >= 4 && is_id(p, "XDIR") ? LVL_XMI_XDIR : LVL_XMI_INFO;
    if (left == DIRECTORY - 4 && (is_id(p, "INFO") || is_id(p, "XDIR")) && lvl_load_u32be(p + 4) == 2) {
        xmi->declared = (uint16_t)(xmi->entry == LVL_XMI_XDIR ? p[8] << 8 | p[9] : p[8] | p[9] << 8);
        lvl_emit_field(r->sink, root, LVL_FIELD(lvl_xmi, entry), in.pos, 4, LVL_SPAN_FIELD);
        lvl_emit_span(r->sink, in.pos + 4, 4, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "size"});
        lvl_emit_field(r->sink, root, LVL_FIELD(lvl_xmi, declared), in.pos + 8, 2, LVL_SPAN_DERIVED);
    } else {
        xmi->entry = LVL_XMI_OTHER;
        lvl_read_rest(r->doc, LVL_FIELD(lvl_xmi, directory), (lvl_bytes){p, left}, r->sink,
                      &findings_table[SIZE], r->findings);
    }
    c->pos = in.len;
    xmi->layout = LVL_XMI_DIRECTORY;
}

/* All sequences at the cursor. */
static lvl_status read_tracks(reader *r, lvl_cursor *c, bool one)
{
    lvl_xmi *xmi = r->doc->root;
    lvl_cursor at = *c, in;
    uint32_t size;
    uint64_t n = 0;

    for (; (!one || !n) && next_form(&at, "FORM", TYPE_OF_SEQUENCE, &in, &size); n++)
        at.pos = in.len;
    if (n > lvl_limits_of(r->doc->ctx).items)
        return lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, lvl_limits_of(r->doc->ctx).items, n);
    xmi->tracks = lvl_arena_array(&r->doc->arena, n, sizeof *xmi->tracks);
    lvl_status status = xmi->tracks ? LVL_OK : LVL_ERR_MEMORY;
    for (; status == LVL_OK && xmi->track_count < n; xmi->track_count++) {
        lvl_xmi_track *track = &xmi->tracks[xmi->track_count];
        next_form(c, "FORM", TYPE_OF_SEQUENCE, &in, &track->size);
        status = read_track(r, in, track, xmi->track_count);
        c->pos = in.len;
    }
    return status;
}

static lvl_status read_all(reader *r)
{
    lvl_xmi *xmi = r->doc->root;
    lvl_cursor c = lvl_cursor_of(r->doc->input), in;
    lvl_status status = LVL_OK;

    read_directory(r, &c);
    if (next_form(&c, "CAT ", TYPE_OF_SEQUENCE, &in, &xmi->catalogue_size)) {
        const size_t from = in.pos - 4, end = in.len;
        xmi->layout = xmi->layout ? LVL_XMI_FULL : LVL_XMI_CATALOGUE;
        emit_size(r, c.pos, lvl_where_root(), LVL_FIELD(lvl_xmi, catalogue_size));
        lvl_emit_span(r->sink, from, 4, (lvl_span){.role = LVL_SPAN_CONTAINER, .note = "type of a part"});
        status = read_tracks(r, &in, false);
        report_size(r, LVL_AT_ROOT(lvl_xmi, catalogue_size), xmi->catalogue_size, in.pos - from,
                    end == r->doc->input.len);
        c.pos = in.pos;
    } else if (!c.pos) {
        xmi->layout = LVL_XMI_SEQUENCE;
        status = read_tracks(r, &c, true);
        if (status == LVL_OK && !xmi->track_count) {
            lvl_findings_add(r->findings, &findings_table[HEADER], NULL, NULL, "%llu bytes",
                             (unsigned long long)c.len);
            return LVL_ERR_FORMAT;
        }
    } else {
        lvl_report_at(r->findings, &findings_table[CUT], lvl_where_root(),
                      "there is nothing after the directory");
    }
    if (status == LVL_OK)
        lvl_read_rest(r->doc, LVL_FIELD(lvl_xmi, rest), (lvl_bytes){c.data + c.pos, lvl_cursor_left(&c)},
                      r->sink, &findings_table[REST], r->findings);
    return status;
}

static lvl_status xmi_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    reader r = {.doc = doc, .sink = sink, .findings = findings};

    const lvl_status status = read_all(&r);
    lvl_buffer_free(&r.usual);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void add_u16le(lvl_buffer *out, uint32_t value)
{
    lvl_buffer_u8(out, (uint8_t)value);
    lvl_buffer_u8(out, (uint8_t)(value >> 8));
}

/* Sizes are known after the content: each is written as 0, and the place noted. */
typedef struct writer {
    const lvl_doc *doc;
    lvl_buffer *out;
    lvl_derived_fn visit; /* instead of writing the sizes: gets the computed ones */
    void *user;
} writer;

static size_t begin_part(const writer *w, const char *id, const char *type)
{
    const size_t at = w->out->len + 4;

    lvl_buffer_add(w->out, id, 4);
    lvl_buffer_u32be(w->out, 0);
    lvl_buffer_add(w->out, type, type ? 4 : 0);
    return at;
}

static void end_part(const writer *w, size_t at, void *record, const lvl_field *field)
{
    const uint32_t size = (uint32_t)(w->out->len - at - 4);

    if (w->out->status != LVL_OK)
        return;
    if (w->visit)
        w->visit(w->user, record, field, size);
    else
        lvl_store_u32be(w->out->data + at, (uint32_t)lvl_doc_derived(w->doc, record, field, size));
}

static void write_track(const writer *w, lvl_xmi_track *track)
{
    lvl_buffer *out = w->out;
    const size_t form = begin_part(w, "FORM", TYPE_OF_SEQUENCE);

    if (track->chunks & LVL_XMI_HAS_TIMB) {
        lvl_buffer_add(out, "TIMB", 4);
        lvl_buffer_u32be(out, 2 + track->timbre_count * TIMBRE);
        add_u16le(out, track->timbre_count);
        for (uint32_t i = 0; i < track->timbre_count; i++) {
            lvl_buffer_u8(out, track->timbres[i].patch);
            lvl_buffer_u8(out, track->timbres[i].bank);
        }
    }
    if (track->chunks & LVL_XMI_HAS_RBRN) {
        lvl_buffer_add(out, "RBRN", 4);
        lvl_buffer_u32be(out, 2 + track->branch_count * BRANCH);
        add_u16le(out, track->branch_count);
        for (uint32_t i = 0; i < track->branch_count; i++) {
            add_u16le(out, track->branches[i].id);
            lvl_buffer_u32le(out, track->branches[i].offset);
        }
    }
    if (track->chunks & LVL_XMI_HAS_EVNT) {
        const size_t at = begin_part(w, "EVNT", NULL);
        for (uint32_t i = 0; i < track->event_count; i++)
            lvl_xmi_add_timed(&track->events[i], out);
        lvl_buffer_add(out, track->unread.ptr, track->unread.len);
        if ((out->len - at) % 2 && !track->unread.len && track->padding == LVL_XMI_PAD_INSIDE)
            lvl_buffer_u8(out, 0);
        const bool odd = (out->len - at) % 2;
        end_part(w, at, track, LVL_FIELD(lvl_xmi_track, events_size));
        if (odd && track->padding == LVL_XMI_PAD_OUTSIDE)
            lvl_buffer_u8(out, 0);
    }
    lvl_buffer_add(out, track->rest.ptr, track->rest.len);
    end_part(w, form, track, LVL_FIELD(lvl_xmi_track, size));
}

static void write_directory(const writer *w, lvl_xmi *xmi)
{
    const size_t form = begin_part(w, "FORM", TYPE_OF_DIRECTORY);
    const lvl_field *count = LVL_FIELD(lvl_xmi, declared);

    if (xmi->entry == LVL_XMI_OTHER) {
        lvl_buffer_add(w->out, xmi->directory.ptr, xmi->directory.len);
    } else {
        lvl_buffer_add(w->out, xmi->entry == LVL_XMI_XDIR ? "XDIR" : "INFO", 4);
        lvl_buffer_u32be(w->out, 2);
        if (w->visit)
            w->visit(w->user, xmi, count, xmi->track_count);
        const uint32_t n = (uint32_t)lvl_doc_derived(w->doc, xmi, count, xmi->track_count);
        add_u16le(w->out, xmi->entry == LVL_XMI_XDIR ? n << 8 | (n >> 8 & 0xFF) : n);
    }
    end_part(w, form, xmi, LVL_FIELD(lvl_xmi, directory_size));
}

static lvl_status write_all(const writer *w)
{
    lvl_xmi *xmi = w->doc->root;

    if (xmi->layout == LVL_XMI_FULL || xmi->layout == LVL_XMI_DIRECTORY)
        write_directory(w, xmi);
    const bool catalogue = xmi->layout == LVL_XMI_FULL || xmi->layout == LVL_XMI_CATALOGUE;
    const size_t at = catalogue ? begin_part(w, "CAT ", TYPE_OF_SEQUENCE) : 0;
    for (uint32_t i = 0; i < xmi->track_count && w->out->status == LVL_OK; i++)
        write_track(w, &xmi->tracks[i]);
    if (catalogue)
        end_part(w, at, xmi, LVL_FIELD(lvl_xmi, catalogue_size));
    lvl_buffer_add(w->out, xmi->rest.ptr, xmi->rest.len);
    return w->out->status;
}

static bool track_is_writable(const lvl_xmi_track *t)
{
    return (t->chunks & LVL_XMI_HAS_TIMB || !t->timbre_count) && t->timbre_count <= UINT16_MAX &&
           (t->chunks & LVL_XMI_HAS_RBRN || !t->branch_count) && t->branch_count <= UINT16_MAX &&
           (t->chunks & LVL_XMI_HAS_EVNT || (!t->event_count && !t->unread.len));
}

static lvl_status xmi_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_xmi *xmi = doc->root;
    bool good = xmi->layout == LVL_XMI_SEQUENCE ? xmi->track_count == 1
                                                : xmi->layout != LVL_XMI_DIRECTORY || !xmi->track_count;
    uint64_t ticks = 0;

    if (!good)
        lvl_report_at(findings, &findings_table[PLACE], LVL_AT_ROOT(lvl_xmi, layout), "%u sequences",
                      xmi->track_count);
    for (uint32_t i = 0; i < xmi->track_count; i++) {
        const lvl_xmi_track *t = &xmi->tracks[i];
        if (!track_is_writable(t)) {
            lvl_report_at(findings, &findings_table[PLACE], LVL_AT(at_track(i), lvl_xmi_track, chunks),
                          "%u instruments, %u branches, %u events", t->timbre_count, t->branch_count,
                          t->event_count);
            good = false;
        }
        for (uint32_t k = 0; k < t->event_count; k++) {
            ticks += t->events[k].delay;
            if (lvl_xmi_is_writable(&t->events[k]))
                continue;
            lvl_report_at(
                findings, &findings_table[PARAMETER],
                lvl_where_item(at_track(i), &lvl_xmi_track_table, offsetof(lvl_xmi_track, events), k),
                "expected channels up to 15, a bend up to 16383, other numbers up to 127");
            good = false;
        }
    }
    if (ticks > INT32_MAX)
        lvl_report_at(findings, &findings_table[LONG], lvl_where_root(), "%llu ticks",
                      (unsigned long long)ticks);
    return good && ticks <= INT32_MAX ? LVL_OK : LVL_ERR_LOSS;
}

static lvl_status xmi_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_status status = xmi_check_writable(doc, NULL);
    const writer w = {.doc = doc, .out = out};

    return status == LVL_OK ? write_all(&w) : status;
}

static lvl_status xmi_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_buffer bytes = {0};
    const writer w = {.doc = doc, .out = &bytes, .visit = visit, .user = user};

    lvl_status status = xmi_check_writable(doc, NULL);
    if (status == LVL_OK)
        status = write_all(&w);
    lvl_buffer_free(&bytes);
    return status == LVL_ERR_LOSS ? LVL_OK : status; /* what cannot be written has no sizes */
}

/* ---- checks and repair ------------------------------------------------------------------------------- */

/* The game's loops may be in each other. */
static void check_loops(const lvl_xmi_track *t, lvl_where track, lvl_findings *findings)
{
    const lvl_field *list = LVL_FIELD(lvl_xmi_track, events);
    uint32_t open = 0, last = 0;

    for (uint32_t i = 0; i < t->event_count; i++) {
        const lvl_xmi_event *e = &t->events[i];
        const bool control = e->type == LVL_XMI_CONTROL;
        if (control && e->controller == LVL_XMI_LOOP) {
            open++;
            last = i;
        } else if (control && e->controller == LVL_XMI_NEXT && open) {
            open--;
        } else if (control && e->controller == LVL_XMI_NEXT) {
            lvl_report_at(findings, &findings_table[LOOP], lvl_where_to(track, list, i),
                          "no loop begins before");
        }
    }
    if (open)
        lvl_report_at(findings, &findings_table[LOOP], lvl_where_to(track, list, last),
                      "the loop does not end");
}

/* `offsets`: where each event begins. */
static void check_branches(const lvl_xmi_track *t, const uint32_t *offsets, lvl_where track,
                           lvl_findings *findings)
{
    for (uint32_t i = 0; i < t->branch_count; i++) {
        const uint32_t wanted = t->branches[i].offset;
        uint32_t low = 0, high = t->event_count;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (offsets[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == t->event_count || offsets[low] != wanted)
            lvl_report_at(findings, &findings_table[BRANCH_PLACE],
                          lvl_where_to(track, LVL_FIELD(lvl_xmi_track, branches), i),
                          "no event begins at byte %u of the events", wanted);
    }
}

static lvl_status find_branches(const lvl_doc *doc, const lvl_xmi_track *t, lvl_where track,
                                lvl_findings *findings)
{
    uint32_t *offsets = lvl_mem_alloc(doc->ctx, ((size_t)t->event_count + 1) * sizeof *offsets);
    lvl_buffer bytes = {0};

    lvl_status status = offsets ? LVL_OK : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < t->event_count && status == LVL_OK; i++) {
        offsets[i] = (uint32_t)bytes.len;
        if (!lvl_xmi_is_writable(&t->events[i])) /* after an edit: then none of the places is known */
            goto out;
        lvl_xmi_add_timed(&t->events[i], &bytes);
        status = bytes.status;
    }
    if (status == LVL_OK)
        check_branches(t, offsets, track, findings);
out:
    lvl_mem_free(doc->ctx, offsets);
    lvl_buffer_free(&bytes);
    return status;
}

static lvl_status xmi_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_xmi *xmi = doc->root;
    lvl_status status = LVL_OK;

    if (lvl_doc_disagrees(doc, xmi, LVL_FIELD(lvl_xmi, declared)))
        lvl_report_at(request->findings, &findings_table[COUNT], LVL_AT_ROOT(lvl_xmi, declared),
                      "%u declared, %u found", xmi->declared, xmi->track_count);
    for (uint32_t i = 0; i < xmi->track_count && status == LVL_OK; i++) {
        const lvl_xmi_track *t = &xmi->tracks[i];
        const lvl_where where = at_track(i);
        if (!t->event_count)
            lvl_report_at(request->findings, &findings_table[NO_EVENTS], where, "sequence %u", i);
        else if (!lvl_xmi_ends(&t->events[t->event_count - 1]))
            lvl_report_at(request->findings, &findings_table[NO_END], where, "sequence %u", i);
        check_loops(t, where, request->findings);
        if (t->branch_count)
            status = find_branches(doc, t, where, request->findings);
    }
    return status;
}

/* Reports a derived member with another value than the computed one. */
static void log_derived(void *user, void *record, const lvl_field *field, int64_t computed)
{
    const lvl_repairs *repairs = user;
    const int64_t now = lvl_get_int(record, field);

    if (now != computed)
        lvl_findings_add(repairs->log, &findings_table[field == LVL_FIELD(lvl_xmi, declared) ? COUNT : SIZE],
                         NULL, NULL, "%s: %lld instead of %lld", field->name, (long long)computed,
                         (long long)now);
}

static lvl_status xmi_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    const size_t before = lvl_findings_count(repairs->log);
    const lvl_status status = xmi_derive(doc, log_derived, repairs);

    if (status != LVL_OK || lvl_findings_count(repairs->log) == before)
        return status;
    lvl_doc_drop_overrides(doc);
    return lvl_doc_recompute_derived(doc);
}

static lvl_status xmi_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_xmi *xmi = doc->root;

    (void)art;
    if (xmi->track_count != 1)
        lvl_info_open(info, "tracks", "sequences", true);
    for (uint32_t i = 0; i < xmi->track_count; i++) {
        const lvl_xmi_track *t = &xmi->tracks[i];
        uint32_t notes = 0, loops = 0, tempo = 0;
        uint64_t ticks = 0;
        for (uint32_t k = 0; k < t->event_count; k++) {
            const lvl_xmi_event *e = &t->events[k];
            ticks += e->delay;
            notes += e->type == LVL_XMI_NOTE;
            loops += e->type == LVL_XMI_CONTROL && e->controller == LVL_XMI_LOOP;
            tempo = tempo ? tempo : lvl_xmi_tempo(e);
        }
        if (xmi->track_count != 1)
            lvl_info_open(info, NULL, "sequence", false);
        const uint64_t tenths = (ticks * 10 + LVL_XMI_TICKS / 2) / LVL_XMI_TICKS;
        lvl_info_string(info, "duration", "duration", "%llu:%02llu.%llu", (unsigned long long)(tenths / 600),
                        (unsigned long long)(tenths % 600 / 10), (unsigned long long)(tenths % 10));
        lvl_info_int(info, "notes", "notes", notes, NULL);
        if (tempo)
            lvl_info_string(info, "tempo", "tempo", "%.1f quarters a minute", 6e7 / tempo);
        lvl_info_int(info, "instruments", "instruments", t->timbre_count, NULL);
        if (loops)
            lvl_info_int(info, "loops", "loops", loops, NULL);
        if (t->branch_count)
            lvl_info_int(info, "branches", "branches", t->branch_count, NULL);
        if (xmi->track_count != 1)
            lvl_info_close(info);
    }
    if (xmi->track_count != 1)
        lvl_info_close(info);
    return lvl_info_status(info);
}

static int xmi_probe(const lvl_probe_input *in)
{
    lvl_cursor c = lvl_cursor_of(in->head), content;
    uint32_t size;

    return next_form(&c, "FORM", TYPE_OF_DIRECTORY, &content, &size) ||
                   next_form(&c, "FORM", TYPE_OF_SEQUENCE, &content, &size) ||
                   next_form(&c, "CAT ", TYPE_OF_SEQUENCE, &content, &size)
               ? 64
               : 0;
}

static const lvl_signature signatures[] = {
    LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "FORM"), LVL_BYTES_AT(8, "XDIR")),
    {0},
};

static const lvl_export exports[] = {
    {"mid", "a MIDI file", false, lvl_xmi_to_midi},
    {"txt", "a listing of notes and loops", true, lvl_xmi_to_text},
    {0},
};

const lvl_format lvl_format_xmi = {
    .id = "xmi",
    .family = "wwd",
    .title = "XMI music",
    .extensions = "xmi",
    .mime = "audio/x-xmi",
    .is_part = true,
    .codepage = LVL_CP_1252,
    .table = &lvl_xmi_table,
    .findings = findings_table,
    .finding_count = LVL_COUNT_OF(findings_table),
    .signatures = signatures,
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = xmi_probe,
            .read = xmi_read,
            .write = xmi_write,
            .check_writable = xmi_check_writable,
            .derive = xmi_derive,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = xmi_check,
            .repair = xmi_repair,
            .info = xmi_info,
            .exports = exports,
        },
};
