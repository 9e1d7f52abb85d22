/*
 * lvl/xmi.h: XMI, music of the Miles Sound System (AIL): MIDI events in ticks of 1/120 s, notes with their
 * duration, loops, and the instruments that a sequence needs.
 */
#ifndef LVL_XMI_H
#define LVL_XMI_H

#include <lvl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LVL_XMI_TICKS = 120 }; /* in a second */

enum { /* lvl_xmi_event.type */
       LVL_XMI_NOTE, /* with its duration */
       LVL_XMI_NOTE_OFF,
       LVL_XMI_KEY_PRESSURE,
       LVL_XMI_CONTROL,
       LVL_XMI_PROGRAM,
       LVL_XMI_PRESSURE,
       LVL_XMI_BEND,
       LVL_XMI_SYSEX,
       LVL_XMI_SYSEX_MORE,
       LVL_XMI_META
};

enum { LVL_XMI_META_TEMPO = 0x51, LVL_XMI_META_END = 0x2F };

enum { /* controllers of AIL */
       LVL_XMI_LOOP = 116, /* value: how often; 0: for ever */
       LVL_XMI_NEXT = 117, /* value: 64 or more: back to the loop's beginning, less: leave it */
       LVL_XMI_BRANCH = 120 /* value: its id */
};

/* An event; its type determines which members apply. */
typedef struct lvl_xmi_event {
    uint32_t delay; /* ticks after the event before */
    uint8_t type;
    uint8_t channel; /* 0 to 15; 9: drums */
    uint8_t note, velocity;
    uint32_t duration; /* ticks */
    uint8_t controller, value;
    uint8_t program;
    uint8_t pressure;
    uint16_t bend; /* 8192: none */
    uint8_t meta; /* kind of meta event, as in MIDI files */
    lvl_bytes data; /* of meta events and system exclusive messages */
    lvl_bytes spelling; /* kept: its bytes, if the writer would write others */
} lvl_xmi_event;

/* An instrument that must be loaded before the sequence is played. */
typedef struct lvl_xmi_timbre {
    uint8_t patch; /* of bank 127: the note of a drum */
    uint8_t bank;
} lvl_xmi_timbre;

/* A place where the game may continue. */
typedef struct lvl_xmi_branch {
    uint16_t id;
    uint32_t offset; /* from the first event, in bytes */
} lvl_xmi_branch;

enum { /* lvl_xmi_track.chunks */
       LVL_XMI_HAS_TIMB = 1,
       LVL_XMI_HAS_RBRN = 2,
       LVL_XMI_HAS_EVNT = 4
};
enum { /* lvl_xmi_track.padding: of events with an odd number of bytes */
       LVL_XMI_PAD_INSIDE, /* a zero that the size of EVNT counts */
       LVL_XMI_PAD_OUTSIDE,
       LVL_XMI_PAD_NONE
};

/* A sequence: one piece of music. */
typedef struct lvl_xmi_track {
    uint32_t size; /* derived */
    uint32_t chunks;
    lvl_xmi_timbre *timbres;
    lvl_xmi_branch *branches;
    uint32_t events_size; /* derived */
    lvl_xmi_event *events;
    uint32_t timbre_count, branch_count, event_count;
    uint8_t padding; /* kept */
    lvl_bytes unread; /* of EVNT, after the last event */
    lvl_bytes rest; /* after the last chunk that is known */
} lvl_xmi_track;

enum { /* lvl_xmi.layout */
       LVL_XMI_FULL, /* a directory, and a catalogue of sequences */
       LVL_XMI_CATALOGUE, /* without a directory */
       LVL_XMI_SEQUENCE, /* one sequence alone */
       LVL_XMI_DIRECTORY /* alone: the file was cut off */
};

enum { /* lvl_xmi.entry: what the part of the directory is called */
       LVL_XMI_INFO,
       LVL_XMI_XDIR,
       LVL_XMI_OTHER
};

typedef struct lvl_xmi {
    uint8_t layout;
    uint32_t directory_size; /* derived */
    uint8_t entry; /* LVL_XMI_INFO … */
    uint16_t declared; /* derived: number of sequences */
    lvl_bytes directory; /* LVL_XMI_OTHER: its content */
    uint32_t catalogue_size; /* derived */
    lvl_xmi_track *tracks;
    uint32_t track_count;
    lvl_bytes rest; /* after the last sequence */
} lvl_xmi;

LVL_API extern const lvl_table lvl_xmi_table;
LVL_API extern const lvl_table lvl_xmi_track_table;
LVL_API extern const lvl_table lvl_xmi_event_table;
LVL_API extern const lvl_table lvl_xmi_timbre_table;
LVL_API extern const lvl_table lvl_xmi_branch_table;

#ifdef __cplusplus
}
#endif

#endif
