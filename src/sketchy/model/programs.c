/*
 * sketchy/model/programs.c: the differences between the game's newest release and its newest source. For
 * the source of these facts see lvl/sketchy.h.
 */
#include "sketchy/model/programs.h"
#include "base/info.h"

#include <stdio.h>
#include <string.h>

#define F(what) (&lvl_sketchy_findings[LVL_SKETCHY_F_##what])

/* The release neither reads nor writes runs, so faults of runs do not concern it; nor do faults of the newest
 * source. */
static const lvl_judgement release[] = {
    {F(RELEASE), LVL_ERROR},   {F(HEAD), LVL_NONE},       {F(HEAD_SAVE), LVL_NONE},  {F(RUNS_LONG), LVL_NONE},
    {F(RUNS_SHORT), LVL_NONE}, {F(PIXEL_LOST), LVL_NONE}, {F(LAST_PIXEL), LVL_NONE},
};

/* The newest source writes runs on every save: that loses single last px and px outside of their chunks,
 * phantoms included. */
static const lvl_judgement head[] = {
    {F(RELEASE), LVL_NONE},       {F(HEAD), LVL_ERROR},   {F(HEAD_SAVE), LVL_ERROR},
    {F(LAST_PIXEL), LVL_WARNING}, {F(PHANTOM), LVL_NOTE},
};

const lvl_program lvl_sketchy_programs[LVL_SKETCHY_PROGRAMS] = {
    [LVL_SKETCHY_RELEASE] = {"sketchy-0.14.0", "0.14.0",
                             "the newest release of Sketchy Maze, of May 2024; shows v4 as blank", release,
                             LVL_COUNT_OF(release)},
    [LVL_SKETCHY_HEAD] = {"sketchy-head", "the newest source",
                          "the newest source of Sketchy Maze, 0.14.1, never released; shows v3 as blank, "
                          "hangs saving v1 and v2",
                          head, LVL_COUNT_OF(head)},
};

const lvl_sketchy_limit lvl_sketchy_limits[LVL_SKETCHY_LIMITS] = {
    {LVL_SKETCHY_HEAD, LVL_SKETCHY_V1, true, false, LVL_SKETCHY_F_HEAD_SAVE,
     "the newest source hangs when it saves this"},
    {LVL_SKETCHY_HEAD, LVL_SKETCHY_V2, true, false, LVL_SKETCHY_F_HEAD_SAVE,
     "the newest source hangs when it saves this"},
    {LVL_SKETCHY_HEAD, LVL_SKETCHY_V3, false, false, LVL_SKETCHY_F_HEAD,
     "the newest source shows it as blank"},
    {LVL_SKETCHY_RELEASE, LVL_SKETCHY_V4, false, true, LVL_SKETCHY_F_RELEASE, "0.14.0 shows it as blank"},
};

/* The first release that could read a generation, if that is not the first of all. */
static const char *const since[LVL_SKETCHY_GENERATIONS] = {
    [LVL_SKETCHY_V3] = "0.13",
    [LVL_SKETCHY_V3_1] = "0.13",
};

void lvl_sketchy_count_encodings(const lvl_sketchy *d, lvl_sketchy_encodings *out)
{
    static const uint8_t of_encoding[] = {[LVL_SKETCHY_CHUNK_JSON] = LVL_SKETCHY_V3,
                                          [LVL_SKETCHY_CHUNK_BASE64] = LVL_SKETCHY_V3,
                                          [LVL_SKETCHY_CHUNK_MAP] = LVL_SKETCHY_V3_1,
                                          [LVL_SKETCHY_CHUNK_RUNS] = LVL_SKETCHY_V4};

    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            const uint8_t encoding = d->layers[i].chunks[k].encoding;
            if (d->generation < LVL_SKETCHY_V3)
                out->chunks[d->generation]++;
            else if (encoding < LVL_COUNT_OF(of_encoding))
                out->chunks[of_encoding[encoding]]++;
            out->base64 += encoding == LVL_SKETCHY_CHUNK_BASE64;
            out->total++;
        }
    }
}

bool lvl_sketchy_uses(const lvl_sketchy *d, const lvl_sketchy_encodings *encodings, unsigned generation)
{
    return encodings->chunks[generation] || (generation < LVL_SKETCHY_V3 && d->generation == generation);
}

/* What a program can do with the whole drawing: the worst result of its chunks. */
typedef struct judgement {
    bool shows, saves;
    uint32_t blank; /* chunks that it doesn't show */
} judgement;

static judgement judge(const lvl_sketchy *d, const lvl_sketchy_encodings *encodings, unsigned program)
{
    judgement all = {true, true, 0};

    for (size_t i = 0; i < LVL_SKETCHY_LIMITS; i++) {
        const lvl_sketchy_limit *t = &lvl_sketchy_limits[i];
        if (t->program != program || !lvl_sketchy_uses(d, encodings, t->generation))
            continue;
        all.shows = all.shows && t->shows;
        all.saves = all.saves && t->saves;
        all.blank += t->shows ? 0 : encodings->chunks[t->generation];
    }
    return all;
}

/* "releases 0.13 to 0.14.0, the newest source (can't save it)", then "blank in 0.14.0" */
void lvl_sketchy_info_programs(const lvl_sketchy *d, lvl_info *info)
{
    const char *from = d->generation < LVL_SKETCHY_GENERATIONS ? since[d->generation] : NULL;
    char line[300] = "";
    size_t at = 0;
    lvl_sketchy_encodings encodings;

    lvl_sketchy_count_encodings(d, &encodings);
    for (int shown = 1; shown >= 0; shown--) {
        for (unsigned p = 0; p < LVL_SKETCHY_PROGRAMS; p++) {
            const judgement r = judge(d, &encodings, p);
            const char *title = lvl_sketchy_programs[p].title;
            int n = 0;
            if (r.shows != (shown == 1))
                continue;
            if (!r.shows)
                n = snprintf(line + at, sizeof line - at, "%s%s in %s", at ? "; " : "",
                             r.blank < encodings.total ? "partly blank" : "blank", title);
            else if (p == LVL_SKETCHY_RELEASE)
                n = snprintf(line + at, sizeof line - at, "%s%s%s%s", from ? "releases " : "every release",
                             from ? from : "", from ? " to " : " up to ", title);
            else
                n = snprintf(line + at, sizeof line - at, "%s%s%s", at ? ", " : "", title,
                             r.saves ? "" : " (which cannot save it)");
            at += n > 0 && (size_t)n < sizeof line - at ? (size_t)n : 0;
        }
    }
    lvl_info_string(info, "shown_by", "shown by", "%s", line);
    lvl_info_open(info, "programs", NULL, true);
    for (unsigned p = 0; p < LVL_SKETCHY_PROGRAMS; p++) {
        const judgement r = judge(d, &encodings, p);
        lvl_info_open(info, NULL, "", false);
        lvl_info_string(info, "name", "", "%s", lvl_sketchy_programs[p].name);
        lvl_info_bool(info, "shows", "", r.shows);
        lvl_info_bool(info, "saves", "", r.saves);
        lvl_info_int(info, "blank_chunks", "", r.blank, NULL);
        lvl_info_close(info);
    }
    lvl_info_close(info);
}
