/*
 * support/hostile_trial.h: what the hostile harness does with one input. Inner header of support/hostile.c.
 */
#ifndef LVL_TEST_HOSTILE_TRIAL_H
#define LVL_TEST_HOSTILE_TRIAL_H

#include "base/sink.h"

#include <lvl/doc.h>

/* The documents of a trial may take 32 MiB each, and there are up to three, and texts made of them. */
#define LVL_TRIAL_MEMORY       ((uint64_t)32 << 20)
#define LVL_TRIAL_MEMORY_BOUND ((uint64_t)400 << 20)

enum { LVL_TRIAL_TOOLS = 7 };

/* The results for the sound sample with enough memory: results with LVL_OK when memory runs out must be
 * the same. */
struct lvl_trial_reference {
    lvl_buffer written, dump;
};

struct lvl_trial {
    const lvl_format *format;
    lvl_bytes input;
    bool thorough; /* every tool, or the one in `tool` */
    unsigned tool; /* 1 to LVL_TRIAL_TOOLS; 0: all */
    bool small; /* limits that suit small inputs, so that a wrong count costs little time; for fuzzers */
    const char *complaint; /* output, if the result is false */
    const struct lvl_trial_reference
        *reference; /* memory may run out, and these are the correct results; or NULL */
    bool loose; /* a different file or document the second time is no failure; see
                               * lvl_hostile */
    bool was_read, was_exact; /* out */
};

/* A context for small inputs. */
void lvl_trial_small(lvl_ctx *ctx);
bool lvl_trial_run(struct lvl_trial *trial);
bool lvl_trial_reference_make(struct lvl_trial_reference *out, const lvl_format *format, lvl_bytes sample);
void lvl_trial_reference_free(struct lvl_trial_reference *reference);
bool lvl_trial_trace(const lvl_format *format, lvl_bytes sample, lvl_sink *sink);

/* Prints the current input to stderr. */
void lvl_hostile_say_current(void);

#endif
