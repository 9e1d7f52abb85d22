/*
 * wap32/music/events.c: the events of an XMI: their bytes, and what they are called.
 */
#include "base/cursor.h"
#include "wap32/music/xmi.h"

enum { LONGEST_DELAY = 127 };

/* clang-format off */
static const lvl_name event_types[] = {
    {LVL_XMI_NOTE, "note", "with its duration"},
    {LVL_XMI_NOTE_OFF, "note_off", "ends a note"},
    {LVL_XMI_KEY_PRESSURE, "key_pressure", NULL},
    {LVL_XMI_CONTROL, "control", "changes a controller"},
    {LVL_XMI_PROGRAM, "program", "chooses an instrument"},
    {LVL_XMI_PRESSURE, "pressure", "of the channel"},
    {LVL_XMI_BEND, "bend", "changes the pitch"},
    {LVL_XMI_SYSEX, "sysex", "message for a device"},
    {LVL_XMI_SYSEX_MORE, "sysex_more", "continues one"},
    {LVL_XMI_META, "meta", "tempo, text, end"},
    {0, NULL, NULL},
};
const lvl_name lvl_xmi_controllers[] = {
    {0, "bank", NULL},
    {1, "modulation", NULL},
    {7, "volume", NULL},
    {10, "pan", NULL},
    {11, "expression", NULL},
    {32, "bank_low", NULL},
    {64, "sustain", NULL},
    {110, "channel_lock", "AIL"},
    {111, "channel_protect", "AIL"},
    {112, "voice_protect", "AIL"},
    {113, "timbre_protect", "AIL"},
    {114, "patch_bank", "AIL"},
    {115, "indirect", "AIL: the next controller's value comes from the game"},
    {LVL_XMI_LOOP, "loop", "AIL: a loop begins; value: how often, 0: for ever"},
    {LVL_XMI_NEXT, "loop_next", "AIL: from 64 on back to the loop's beginning, below out of the loop"},
    {118, "clear_beats", "AIL"},
    {119, "callback", "AIL: calls a function of the game"},
    {LVL_XMI_BRANCH, "branch", "AIL: the place of a branch; value: its id"},
    {121, "reset", NULL},
    {123, "notes_off", NULL},
    {0, NULL, NULL},
};
const lvl_name lvl_xmi_metas[] = {
    {0x01, "text", NULL},
    {0x02, "copyright", NULL},
    {0x03, "title", NULL},
    {0x04, "instrument", NULL},
    {0x05, "lyric", NULL},
    {0x06, "marker", NULL},
    {0x07, "cue", NULL},
    {LVL_XMI_META_END, "end", "of the sequence"},
    {LVL_XMI_META_TEMPO, "tempo", "microseconds of a quarter"},
    {0x54, "smpte", "start time"},
    {0x58, "time_signature", NULL},
    {0x59, "key_signature", NULL},
    {0, NULL, NULL},
};

#define EVENT         lvl_xmi_event
#define OF(types)     .when = {offsetof(EVENT, type), 1, (types)}
#define T(name)       (uint64_t)1 << LVL_XMI_##name
#define BYTE(m, ...)  LVL_ROW_UINT(EVENT, m, #m, LVL_NO_PLACE, .max = 127, __VA_ARGS__)
static const lvl_field event_fields[] = {
    LVL_ROW_UINT(EVENT, delay, "delay", LVL_NO_PLACE, .unit = "1/120 s", .prose = "after the event before"),
    LVL_ROW_UINT(EVENT, type, "type", LVL_NO_PLACE, .names = event_types, .prose = "what happens"),
    LVL_ROW_UINT(EVENT, channel, "channel", LVL_NO_PLACE, .max = 15,
        OF(T(NOTE) | T(NOTE_OFF) | T(KEY_PRESSURE) | T(CONTROL) | T(PROGRAM) | T(PRESSURE) | T(BEND)),
        .prose = "0 to 15; 9: drums"),
    BYTE(note, OF(T(NOTE) | T(NOTE_OFF) | T(KEY_PRESSURE)),
        .prose = "60 is the middle C; of drums: which one"),
    BYTE(velocity, OF(T(NOTE) | T(NOTE_OFF)), .prose = "how loud"),
    LVL_ROW_UINT(EVENT, duration, "duration", LVL_NO_PLACE, .unit = "1/120 s", OF(T(NOTE)),
        .prose = "how long the note is held"),
    BYTE(controller, OF(T(CONTROL)), .names = lvl_xmi_controllers, .prose = "which controller"),
    BYTE(value, OF(T(CONTROL)), .prose = "its new value"),
    BYTE(program, OF(T(PROGRAM)), .prose = "number of the instrument, from 0"),
    BYTE(pressure, OF(T(KEY_PRESSURE) | T(PRESSURE)), .prose = "how hard the key is held"),
    LVL_ROW_UINT(EVENT, bend, "bend", LVL_NO_PLACE, .max = 16383, OF(T(BEND)), .prose = "8192: not bent"),
    BYTE(meta, OF(T(META)), .names = lvl_xmi_metas, .prose = "kind of meta event, as in MIDI files"),
    LVL_ROW_BYTES(EVENT, data, "data", OF(T(SYSEX) | T(SYSEX_MORE) | T(META)), .prose = "its content"),
    LVL_ROW_BYTES(EVENT, spelling, "spelling", .role = LVL_KEPT, .prose = "the bytes, if they are unusual"),
};
const lvl_table lvl_xmi_event_table = {
    .name = "event", .prose = "Something that happens in the music.", LVL_TABLE_OF(EVENT, event_fields),
};
/* clang-format on */

static bool read_number(lvl_cursor *c, uint32_t *out)
{
    uint64_t value = 0;
    uint8_t byte = 0x80;

    while (byte & 0x80 && !c->failed && value <= UINT32_MAX >> 7) {
        byte = lvl_cursor_u8(c);
        value = value << 7 | (byte & 0x7F);
    }
    *out = (uint32_t)value;
    return !c->failed && !(byte & 0x80);
}

void lvl_xmi_add_number(lvl_buffer *out, uint32_t value)
{
    for (int shift = 28; shift > 0; shift -= 7) {
        if (value >> shift)
            lvl_buffer_u8(out, (uint8_t)(0x80 | (value >> shift & 0x7F)));
    }
    lvl_buffer_u8(out, value & 0x7F);
}

/* Bytes below 0x80, one for each of up to two members. */
static bool read_bytes(lvl_cursor *c, uint8_t *first, uint8_t *second)
{
    *first = lvl_cursor_u8(c);
    if (second)
        *second = lvl_cursor_u8(c);
    return !c->failed && !(*first & 0x80) && !(second && *second & 0x80);
}

bool lvl_xmi_read_event(lvl_cursor *c, lvl_xmi_event *e, lvl_xmi_parts *at)
{
    const size_t from = c->pos;
    uint8_t status = 0, low = 0, high = 0;
    uint64_t delay = 0;
    uint32_t len;
    bool good = true;

    *e = (lvl_xmi_event){0};
    while (lvl_cursor_left(c) && !((status = lvl_cursor_u8(c)) & 0x80))
        delay += status;
    if (!(status & 0x80) || delay > INT32_MAX)
        return false;
    e->delay = (uint32_t)delay;
    at->status = c->pos - 1 - from;
    e->channel = status < 0xF0 ? status & 0x0F : 0;
    switch (status >> 4) {
    case 0x8: e->type = LVL_XMI_NOTE_OFF; return read_bytes(c, &e->note, &e->velocity);
    case 0x9:
        e->type = LVL_XMI_NOTE;
        good = read_bytes(c, &e->note, &e->velocity);
        at->data = c->pos - from;
        return good && read_number(c, &e->duration);
    case 0xA: e->type = LVL_XMI_KEY_PRESSURE; return read_bytes(c, &e->note, &e->pressure);
    case 0xB: e->type = LVL_XMI_CONTROL; return read_bytes(c, &e->controller, &e->value);
    case 0xC: e->type = LVL_XMI_PROGRAM; return read_bytes(c, &e->program, NULL);
    case 0xD: e->type = LVL_XMI_PRESSURE; return read_bytes(c, &e->pressure, NULL);
    case 0xE:
        e->type = LVL_XMI_BEND;
        good = read_bytes(c, &low, &high);
        e->bend = (uint16_t)(low | high << 7);
        return good;
    default: break;
    }
    e->type = status == 0xFF ? LVL_XMI_META : status == 0xF7 ? LVL_XMI_SYSEX_MORE : LVL_XMI_SYSEX;
    if (status != 0xFF && status != 0xF7 && status != 0xF0)
        return false;
    if (status == 0xFF && !read_bytes(c, &e->meta, NULL))
        return false;
    if (!read_number(c, &len) || len > lvl_cursor_left(c))
        return false;
    at->data = c->pos - from;
    e->data = (lvl_bytes){len ? c->data + c->pos : NULL, len};
    lvl_cursor_take(c, len);
    return true;
}

bool lvl_xmi_is_writable(const lvl_xmi_event *e)
{
    const uint8_t low[] = {e->note, e->velocity, e->controller, e->value, e->program, e->pressure, e->meta};
    uint8_t all = 0;

    for (size_t i = 0; i < sizeof low; i++)
        all |= low[i];
    return e->type <= LVL_XMI_META && e->channel < 16 && !(all & 0x80) && e->bend < 1 << 14 &&
           e->data.len <= UINT32_MAX;
}

void lvl_xmi_add_event(const lvl_xmi_event *e, lvl_buffer *out)
{
    static const uint8_t status[] = {0x90, 0x80, 0xA0, 0xB0, 0xC0, 0xD0, 0xE0, 0xF0, 0xF7, 0xFF};

    lvl_buffer_u8(out, (uint8_t)(status[e->type] | (e->type <= LVL_XMI_BEND ? e->channel : 0)));
    switch (e->type) {
    case LVL_XMI_NOTE:
    case LVL_XMI_NOTE_OFF:
        lvl_buffer_u8(out, e->note);
        lvl_buffer_u8(out, e->velocity);
        break;
    case LVL_XMI_KEY_PRESSURE:
        lvl_buffer_u8(out, e->note);
        lvl_buffer_u8(out, e->pressure);
        break;
    case LVL_XMI_CONTROL:
        lvl_buffer_u8(out, e->controller);
        lvl_buffer_u8(out, e->value);
        break;
    case LVL_XMI_PROGRAM: lvl_buffer_u8(out, e->program); break;
    case LVL_XMI_PRESSURE: lvl_buffer_u8(out, e->pressure); break;
    case LVL_XMI_BEND:
        lvl_buffer_u8(out, e->bend & 0x7F);
        lvl_buffer_u8(out, (uint8_t)(e->bend >> 7));
        break;
    default:
        if (e->type == LVL_XMI_META)
            lvl_buffer_u8(out, e->meta);
        lvl_xmi_add_number(out, (uint32_t)e->data.len);
        lvl_buffer_add(out, e->data.ptr, e->data.len);
    }
}

void lvl_xmi_add_usual(const lvl_xmi_event *e, lvl_buffer *out)
{
    lvl_buffer_fill(out, LONGEST_DELAY, e->delay / LONGEST_DELAY);
    if (e->delay % LONGEST_DELAY)
        lvl_buffer_u8(out, (uint8_t)(e->delay % LONGEST_DELAY));
    lvl_xmi_add_event(e, out);
    if (e->type == LVL_XMI_NOTE)
        lvl_xmi_add_number(out, e->duration);
}

void lvl_xmi_add_timed(const lvl_xmi_event *e, lvl_buffer *out)
{
    lvl_cursor c = lvl_cursor_of(e->spelling);
    lvl_xmi_event spelled;
    lvl_xmi_parts at;

    if (e->spelling.len && lvl_xmi_read_event(&c, &spelled, &at) && !lvl_cursor_left(&c) &&
        lvl_record_equal(&spelled, e, &lvl_xmi_event_table))
        lvl_buffer_add(out, e->spelling.ptr, e->spelling.len);
    else
        lvl_xmi_add_usual(e, out);
}

bool lvl_xmi_ends(const lvl_xmi_event *e)
{
    return e->type == LVL_XMI_META && e->meta == LVL_XMI_META_END;
}

uint32_t lvl_xmi_tempo(const lvl_xmi_event *e)
{
    return e->type == LVL_XMI_META && e->meta == LVL_XMI_META_TEMPO && e->data.len == 3
               ? (uint32_t)e->data.ptr[0] << 16 | (uint32_t)e->data.ptr[1] << 8 | e->data.ptr[2]
               : 0;
}
