/*
 * wap32/music/xmi.h: shared by the files of XMI.
 */
#ifndef LVL_WAP32_XMI_H
#define LVL_WAP32_XMI_H

#include "base/buffer.h"
#include "wap32/formats.h"

#include <lvl/xmi.h>

extern const lvl_name lvl_xmi_controllers[], lvl_xmi_metas[];

/* ---- events (wap32/music/events.c) ------------------------------------------------------------------- */

/* Where the parts of an event are, from its first byte. */
typedef struct lvl_xmi_parts {
    size_t status, data; /* its status, and its data or duration */
} lvl_xmi_parts;

struct lvl_cursor;

/* False, with the cursor anywhere: these bytes are no event. */
bool lvl_xmi_read_event(struct lvl_cursor *c, lvl_xmi_event *event, lvl_xmi_parts *at);
/* Whether its numbers fit into the bits that they have in a file: those that were read do, an edit may set
 * others. Only such events may be appended. */
bool lvl_xmi_is_writable(const lvl_xmi_event *event);
/* Appends the event with as few bytes as possible. */
void lvl_xmi_add_usual(const lvl_xmi_event *event, lvl_buffer *out);
/* Appends its own bytes as long as they say the same, else the usual ones. */
void lvl_xmi_add_timed(const lvl_xmi_event *event, lvl_buffer *out);
/* Whether the event ends its sequence. */
bool lvl_xmi_ends(const lvl_xmi_event *event);
/* Microseconds of a quarter, of an event that sets the tempo; else 0. */
uint32_t lvl_xmi_tempo(const lvl_xmi_event *event);
/* Appends the event as in a MIDI file: without delay, and without the duration of a note. */
void lvl_xmi_add_event(const lvl_xmi_event *event, lvl_buffer *out);
/* Appends a number, 7 bits a byte, the highest first. */
void lvl_xmi_add_number(lvl_buffer *out, uint32_t value);

/* ---- other kinds of files ---------------------------------------------------------------------------- */

/* Appends a standard MIDI file: of one sequence in format 0, of several in format 2 (wap32/music/midi.c).
 * LVL_ERR_LOSS: it cannot hold an event, a pause, or so many sequences. */
lvl_status lvl_xmi_to_midi(const lvl_doc *doc, lvl_buffer *out);
/* Appends a line for each event: its time, and what happens (wap32/music/listing.c). */
lvl_status lvl_xmi_to_text(const lvl_doc *doc, lvl_buffer *out);

#endif
