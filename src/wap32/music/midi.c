/*
 * wap32/music/midi.c: XMI -> standard MIDI file. An XMI counts time in 1/120 s, whatever its tempo says, and
 * a MIDI file in parts of a quarter. Tempo events stay, so that bars are where they were written, and each
 * stretch between two is counted in its own quarters.
 */
#include "base/arena.h"
#include "base/cursor.h"
#include "base/work.h"
#include "wap32/music/xmi.h"

#include <stdlib.h>

enum {
    USUAL_TEMPO = 500000, /* microseconds of a quarter, where nothing says it */
    MOST_TICKS = 32767, /* of a quarter, in a MIDI file */
    SECOND = 1000000
};

/* An event, or the end of a note. */
typedef struct moment {
    uint64_t tick;
    uint32_t order; /* among those of the same tick */
    const lvl_xmi_event *event;
    bool off;
} moment;

static int by_time(const void *a, const void *b)
{
    const moment *x = a, *y = b;

    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The first tempo of all, which most quarters have, and the slowest. */
static void find_tempos(const lvl_xmi *xmi, uint32_t *first, uint32_t *slowest)
{
    *first = *slowest = 0;
    for (uint32_t i = 0; i < xmi->track_count; i++) {
        for (uint32_t k = 0; k < xmi->tracks[i].event_count; k++) {
            const uint32_t tempo = lvl_xmi_tempo(&xmi->tracks[i].events[k]);
            *first = *first ? *first : tempo;
            *slowest = tempo > *slowest ? tempo : *slowest;
        }
    }
    *first = *first ? *first : USUAL_TEMPO;
    *slowest = *slowest > *first ? *slowest : *first;
}

/* Ticks of a quarter: the least number with which 1/120 s is so close to a whole number of ticks that an hour
 * is right to a hundredth of a second, or else the closest. At the slowest tempo it is a tick at least. */
static uint32_t division_of(uint32_t tempo, uint32_t slowest)
{
    const double quarter = (double)tempo * LVL_XMI_TICKS / SECOND; /* in 1/120 s */
    uint32_t each = (slowest + tempo - 1) / tempo; /* ticks of 1/120 s */
    double best = 2;
    uint32_t found = MOST_TICKS;

    for (; each * quarter <= MOST_TICKS && best > 0.01 / 3600; each++) {
        const double exact = each * quarter;
        const uint32_t ticks = exact < 1 ? 1 : (uint32_t)(exact + 0.5);
        const double wrong = ticks > exact ? ticks / exact - 1 : exact / ticks - 1;
        if (wrong < best) {
            best = wrong;
            found = ticks;
        }
    }
    return found;
}

/* All that happens, in the order of time. Ends of notes come before what begins at the same time. *out is to
 * be freed after errors, too. */
static lvl_status list_moments(const lvl_doc *doc, const lvl_xmi_track *track, moment **out, size_t *count)
{
    moment *all = lvl_mem_alloc(doc->ctx, (2 * (size_t)track->event_count + 1) * sizeof *all);
    uint64_t tick = 0;
    size_t n = 0;

    *out = all;
    if (!all)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < track->event_count; i++) {
        const lvl_xmi_event *e = &track->events[i];
        if (!lvl_xmi_is_writable(e))
            return LVL_ERR_LOSS;
        tick += e->delay;
        if (lvl_xmi_ends(e))
            break;
        /* a note without a duration ends after it has begun */
        all[n++] = (moment){tick, track->event_count + 2 * i, e, false};
        if (e->type == LVL_XMI_NOTE)
            all[n++] =
                (moment){tick + e->duration, e->duration ? i : track->event_count + 2 * i + 1, e, true};
    }
    *count = n;
    const lvl_status status = lvl_charge(doc->ctx, 32 * (uint64_t)n);
    if (status == LVL_OK)
        qsort(all, n, sizeof *all, by_time);
    return status;
}

typedef struct clock {
    uint32_t division, tempo;
    uint64_t from; /* where the tempo began, in 1/120 s */
    double at; /* and in ticks of the file */
} clock;

static uint64_t ticks_at(const clock *c, uint64_t tick)
{
    const double ticks = c->at + (double)(tick - c->from) * SECOND / LVL_XMI_TICKS / c->tempo * c->division;

    return (uint64_t)(ticks + 0.5);
}

static lvl_status add_delay(lvl_buffer *out, uint64_t *last, uint64_t now)
{
    const uint64_t delay = now > *last ? now - *last : 0;

    if (delay >= 1u << 28) /* what a MIDI file can say */
        return LVL_ERR_LOSS;
    lvl_xmi_add_number(out, (uint32_t)delay);
    *last += delay;
    return out->status;
}

static lvl_status add_track(const lvl_doc *doc, const lvl_xmi_track *track, uint32_t division,
                            lvl_buffer *out)
{
    clock c = {.division = division, .tempo = USUAL_TEMPO};
    moment *all = NULL;
    uint64_t last = 0;
    size_t count = 0;

    lvl_buffer_str(out, "MTrk");
    const size_t size_at = out->len;
    lvl_buffer_u32be(out, 0);
    lvl_status status = list_moments(doc, track, &all, &count);
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const moment *m = &all[i];
        const uint32_t tempo = lvl_xmi_tempo(m->event);
        status = add_delay(out, &last, ticks_at(&c, m->tick));
        if (tempo) {
            c.at = (double)last;
            c.from = m->tick;
            c.tempo = tempo;
        }
        if (m->off) {
            lvl_buffer_u8(out, 0x80 | m->event->channel);
            lvl_buffer_u8(out, m->event->note);
            lvl_buffer_u8(out, m->event->velocity);
        } else {
            lvl_xmi_add_event(m->event, out);
        }
    }
    uint64_t end = 0;
    for (uint32_t i = 0; i < track->event_count; i++)
        end += track->events[i].delay;
    if (status == LVL_OK)
        status = add_delay(out, &last, ticks_at(&c, end > c.from ? end : c.from));
    lvl_buffer_add(out, "\xFF\x2F\0", 3);
    lvl_mem_free(doc->ctx, all);
    if (status == LVL_OK && out->status == LVL_OK)
        lvl_store_u32be(out->data + size_at, (uint32_t)(out->len - size_at - 4));
    return status == LVL_OK ? out->status : status;
}

lvl_status lvl_xmi_to_midi(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_xmi *xmi = doc->root;
    lvl_status status = LVL_OK;
    uint32_t first, slowest;

    if (xmi->track_count > UINT16_MAX)
        return LVL_ERR_LOSS;
    find_tempos(xmi, &first, &slowest);
    const uint32_t division = division_of(first, slowest);
    lvl_buffer_str(out, "MThd");
    lvl_buffer_u32be(out, 6);
    lvl_buffer_u8(out, 0);
    lvl_buffer_u8(out, xmi->track_count > 1 ? 2 : 0);
    lvl_buffer_u8(out, (uint8_t)(xmi->track_count >> 8));
    lvl_buffer_u8(out, (uint8_t)xmi->track_count);
    lvl_buffer_u8(out, (uint8_t)(division >> 8));
    lvl_buffer_u8(out, (uint8_t)division);
    for (uint32_t i = 0; i < xmi->track_count && status == LVL_OK; i++)
        status = add_track(doc, &xmi->tracks[i], division, out);
    return status == LVL_OK ? out->status : status;
}
