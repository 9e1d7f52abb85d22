/*
 * wap32/music/listing.c: an XMI as a text for people: a line for each event, with its time.
 */
#include "base/text.h"
#include "wap32/music/xmi.h"

static void add_named(lvl_buffer *out, const lvl_name *names, uint32_t number)
{
    const char *name = lvl_name_of(names, number);

    if (name)
        lvl_buffer_str(out, name);
    else
        lvl_buffer_printf(out, "%u", number);
}

static void add_note(lvl_buffer *out, const lvl_xmi_event *e)
{
    static const char *const names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};

    if (e->channel == 9)
        lvl_buffer_printf(out, "drum %u", e->note);
    else
        lvl_buffer_printf(out, "%s%d", names[e->note % 12], e->note / 12 - 1);
}

static void add_controller(lvl_buffer *out, const lvl_xmi_event *e)
{
    switch (e->controller) {
    case LVL_XMI_LOOP:
        if (e->value)
            lvl_buffer_printf(out, "loop %u times", e->value);
        else
            lvl_buffer_str(out, "loop for ever");
        break;
    case LVL_XMI_NEXT: lvl_buffer_str(out, e->value >= 64 ? "end of loop" : "leave loop"); break;
    default: add_named(out, lvl_xmi_controllers, e->controller); lvl_buffer_printf(out, " %u", e->value);
    }
}

static void add_meta(lvl_buffer *out, const lvl_xmi_event *e)
{
    const uint32_t tempo = lvl_xmi_tempo(e);
    const uint8_t *p = e->data.ptr;

    add_named(out, lvl_xmi_metas, e->meta);
    if (tempo) {
        lvl_buffer_printf(out, " %.1f quarters a minute", 6e7 / tempo);
    } else if (e->meta == 0x58 && e->data.len >= 2 && p[1] < 16) {
        lvl_buffer_printf(out, " %u/%u", p[0], 1u << p[1]);
    } else if (e->meta && e->meta < 0x10) {
        lvl_buffer_str(out, " \"");
        for (size_t i = 0; i < e->data.len; i++)
            lvl_buffer_u8(out, p[i] < ' ' || p[i] > '~' ? '?' : p[i]);
        lvl_buffer_str(out, "\"");
    } else {
        for (size_t i = 0; i < e->data.len; i++)
            lvl_buffer_printf(out, " %02x", p[i]);
    }
}

static void add_line(lvl_buffer *out, const lvl_xmi_event *e, uint64_t tick)
{
    lvl_buffer_printf(out, "%8llu  %3llu:%06.3f  ", (unsigned long long)tick,
                      (unsigned long long)(tick / (60 * LVL_XMI_TICKS)),
                      (double)(tick % (60 * LVL_XMI_TICKS)) / LVL_XMI_TICKS);
    if (e->type <= LVL_XMI_BEND)
        lvl_buffer_printf(out, "%2u  ", e->channel + 1u);
    else
        lvl_buffer_str(out, "    ");
    switch (e->type) {
    case LVL_XMI_NOTE:
        add_note(out, e);
        lvl_buffer_printf(out, " for %u, velocity %u", e->duration, e->velocity);
        break;
    case LVL_XMI_NOTE_OFF:
        add_note(out, e);
        lvl_buffer_str(out, " ends");
        break;
    case LVL_XMI_KEY_PRESSURE:
        add_note(out, e);
        lvl_buffer_printf(out, " pressure %u", e->pressure);
        break;
    case LVL_XMI_CONTROL: add_controller(out, e); break;
    case LVL_XMI_PROGRAM: lvl_buffer_printf(out, "program %u", e->program); break;
    case LVL_XMI_PRESSURE: lvl_buffer_printf(out, "pressure %u", e->pressure); break;
    case LVL_XMI_BEND: lvl_buffer_printf(out, "bend %+d", (int)e->bend - 8192); break;
    case LVL_XMI_META: add_meta(out, e); break;
    default: lvl_buffer_printf(out, "sysex, %llu bytes", (unsigned long long)e->data.len);
    }
    lvl_buffer_str(out, "\n");
}

lvl_status lvl_xmi_to_text(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_xmi *xmi = doc->root;

    for (uint32_t i = 0; i < xmi->track_count; i++) {
        const lvl_xmi_track *t = &xmi->tracks[i];
        uint64_t tick = 0;
        lvl_buffer_printf(out, "%ssequence %u\n", i ? "\n" : "", i);
        for (uint32_t k = 0; k < t->timbre_count; k++)
            lvl_buffer_printf(out, "needs %s %u of bank %u\n",
                              t->timbres[k].bank == 127 ? "drum" : "instrument", t->timbres[k].patch,
                              t->timbres[k].bank);
        for (uint32_t k = 0; k < t->branch_count; k++)
            lvl_buffer_printf(out, "branch %u at byte %u of the events\n", t->branches[k].id,
                              t->branches[k].offset);
        lvl_buffer_str(out, "1/120 s       time  channel\n");
        for (uint32_t k = 0; k < t->event_count && out->status == LVL_OK; k++) {
            tick += t->events[k].delay;
            add_line(out, &t->events[k], tick);
        }
    }
    return out->status;
}
