/*
 * wap32/art/ani.c: ANI, an animation:
 *
 *     0x00 u32 32 0x04 u32 0 0x08 u32 flags 0x0C u32 count of steps 0x10 u32 length of the name 0x14 12 zeros
 *     0x20 name, without a NUL: the image set it was originally made for count × { 20 bytes, and with flag 2
 *     sound keys up to a NUL }
 *
 * 1418 of 1418 real files end with the last step.
 */
#include "wap32/formats.h"
#include "wap32/art/ani_scene.h"

#include "base/cursor.h"
#include "base/disk.h"
#include "base/text.h"
#include "base/work.h"
#include "scene/art.h"

#include <lvl/ani.h>

#include <stdio.h>
#include <string.h>

enum { HEADER_SIZE = 32, STEP_SIZE = 20, ENDS = 9 /* loop_mode of the last step */ };

/* clang-format off */
static const lvl_name step_flags[] = {
    {1, "unknown_1", NULL},
    {LVL_ANI_STEP_CUE, "cue", "sound keys follow the step"},
    {0, NULL, NULL},
};
static const lvl_name step_modes[] = {
    {LVL_ANI_HOLD, "hold", "keep the frame"},
    {LVL_ANI_NEXT, "next", "the next frame of the image set"},
    {LVL_ANI_PREVIOUS, "previous", "the one before"},
    {LVL_ANI_FRAME, "frame", "the frame numbered param"},
    {LVL_ANI_FIRST, "first", "the set's first frame"},
    {LVL_ANI_LAST, "last", "the set's last frame"},
    {0, NULL, NULL},
};
static const lvl_name loop_modes[] = {
    {9, "finish", "the animation ends here"},
    {0, NULL, NULL},
};
static const lvl_field step_fields[] = {
    LVL_ROW_FLAGS(lvl_ani_step, flags, "flags", 0, step_flags, .prose = "whether sound keys follow"),
    LVL_ROW_INT(lvl_ani_step, step_mode, "step_mode", 2, .names = step_modes, .def = LVL_ANI_FRAME,
        .prose = "how the frame is chosen"),
    LVL_ROW_INT(lvl_ani_step, loop_mode, "loop_mode", 4, .names = loop_modes,
        .prose = "where the animation continues"),
    LVL_ROW_INT(lvl_ani_step, position_mode, "position_mode", 6, .prose = "how dx and dy move the object"),
    LVL_ROW_INT(lvl_ani_step, param, "param", 8, .prose = "with step_mode frame: the number of the frame"),
    LVL_ROW_INT(lvl_ani_step, duration, "duration", 10, .unit = "ms", .prose = "how long the frame is shown"),
    LVL_ROW_INT(lvl_ani_step, event, "event", 12,
        .prose = "number for the object's logic when the frame is drawn"),
    LVL_ROW_INT(lvl_ani_step, dx, "dx", 14, .unit = "px", .prose = "moves the object right"),
    LVL_ROW_INT(lvl_ani_step, dy, "dy", 16, .unit = "px", .prose = "moves the object down"),
    LVL_ROW_INT(lvl_ani_step, unknown_12, "unknown_12", 18, .role = LVL_UNKNOWN,
        .prose = "garbage: what the editor's memory held"),
    LVL_ROW_TEXT(lvl_ani_step, cue, "cue", .use = LVL_USE_SOUND,
        .prose = "keys of sounds, one of which is played; with flag cue"),
};
static const lvl_field ani_fields[] = {
    LVL_ROW_UINT(lvl_ani, header_size, "header_size", 0x00, .def = HEADER_SIZE, .prose = "32",
        .unit = "bytes"),
    LVL_ROW_UINT(lvl_ani, unknown_04, "unknown_04", 0x04, .role = LVL_UNKNOWN, .prose = "always 0"),
    LVL_ROW(lvl_ani, flags, "flags", LVL_INT, .flags = LVL_F_HEX, .disk = 0x08,
        .prose = "of the animation; meaning unknown"),
    LVL_ROW_UINT(lvl_ani, count, "count", 0x0C, .role = LVL_DERIVED, .prose = "number of steps"),
    LVL_ROW_UINT(lvl_ani, name_len, "name_len", 0x10, .role = LVL_DERIVED, .unit = "bytes",
        .prose = "length of the name"),
    LVL_ROW_UINT(lvl_ani, unknown_14, "unknown_14", 0x14, .role = LVL_UNKNOWN, .prose = "always 0"),
    LVL_ROW_UINT(lvl_ani, unknown_18, "unknown_18", 0x18, .role = LVL_UNKNOWN, .prose = "always 0"),
    LVL_ROW_UINT(lvl_ani, unknown_1c, "unknown_1c", 0x1C, .role = LVL_UNKNOWN, .prose = "always 0"),
    LVL_ROW_TEXT(lvl_ani, name, "name",
        .prose = "the image set that the animation was made for; often stale",
        .summary = {.show = LVL_SHOW, .label = "made for"}),
    LVL_ROW_LIST(lvl_ani, steps, step_count, "steps", &lvl_ani_step_table, lvl_ani_step,
        .prose = "the steps, in order", .summary = {.show = LVL_SHOW, .label = "frames", .key = "frames"}),
    LVL_ROW_BYTES(lvl_ani, rest, "rest", .role = LVL_UNKNOWN, .prose = "bytes after the last step"),
};
/* clang-format on */

const lvl_table lvl_ani_step_table = {
    .name = "step",
    .prose = "One step of an animation.",
    LVL_TABLE_AS_ON_DISK(lvl_ani_step, step_fields, STEP_SIZE),
};

const lvl_table lvl_ani_table = {
    .name = "ani",
    .prose = "An animation.",
    LVL_TABLE_OF(lvl_ani, ani_fields),
    .disk_size = HEADER_SIZE,
};

enum {
    HEADER_SHORT,
    HEADER_SIZE_WRONG,
    STEPS_CUT,
    STEPS_HIDDEN,
    NAME_CUT,
    CUE_OPEN,
    REST_UNKNOWN,
    CUE_FLAG,
    CUE_NUL,
    LOSS_TIME,
    LOSS_DIRECTION,
    NO_SOUND
};

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

/* clang-format off */
static const lvl_finding_def ani_findings[] = {
    FINDING(HEADER_SHORT, "ani.header.short", F, F, F,
        "The file is shorter than an ANI's header of 32 bytes.")
    FINDING(HEADER_SIZE_WRONG, "ani.header.size", E, W, N, "The first number is not 32.")
    REPAIRED(STEPS_CUT, "ani.steps.cut", E, E, E,
        "The header declares more steps than the file has: it was cut off, and the game reads beyond its end.",
        "sets the count to the steps in the file")
    REPAIRED(STEPS_HIDDEN, "ani.steps.hidden", E, E, E,
        "The header declares fewer steps than the file has: the game does not see the rest.",
        "sets the count to the steps in the file")
    REPAIRED(NAME_CUT, "ani.name.cut", E, E, E,
        "The name goes beyond the end of the file.",
        "sets the length to what is in the file")
    FINDING(CUE_OPEN, "ani.cue.open", E, E, E, "The sound keys of the last step have no NUL at their end.")
    FINDING(REST_UNKNOWN, "ani.rest", W, N, N, "Bytes follow the last step. The game ignores them.")
    FINDING(CUE_FLAG, "ani.cue.flag", E, E, E,
        "A step has sound keys but not the flag `cue`, which they need: writing fails.")
    FINDING(CUE_NUL, "ani.cue.nul", E, E, E, "Sound keys hold a NUL, which would end them: writing fails.")
    FINDING(LOSS_TIME, "ani.loss.time", W, W, W,
        "A frame that becomes a step is shown for longer than a step can be, 32.767 seconds.")
    FINDING(LOSS_DIRECTION, "ani.loss.direction", W, W, W,
        "An animation with several directions becomes one that has none.")
    FINDING(NO_SOUND, "ani.cue.no_sound", W, W, N,
        "A step plays a sound that the game's folder of sounds does not have: players hear nothing.")
};
/* clang-format on */

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {&ani_findings[STEPS_CUT], &ani_findings[NAME_CUT],
                                              &ani_findings[CUE_OPEN], NULL};

static int ani_probe(const lvl_probe_input *in)
{
    if (in->head.len < HEADER_SIZE)
        return 0;
    const uint8_t *p = in->head.ptr;
    uint64_t count = lvl_load_u32le(p + 12), name_len = lvl_load_u32le(p + 16);
    if (lvl_load_u32le(p) != HEADER_SIZE || lvl_load_u32le(p + 4) != 0 || lvl_load_u32le(p + 20) != 0 ||
        lvl_load_u32le(p + 24) != 0 || lvl_load_u32le(p + 28) != 0)
        return 0;
    /* the name also identifies a truncated file */
    if (count == 0 || count > 0xFFFF || name_len > 0xFF || HEADER_SIZE + name_len > in->head.len)
        return 0;
    for (uint64_t i = 0; i < name_len; i++) {
        if (p[HEADER_SIZE + i] < 0x20 || p[HEADER_SIZE + i] > 0x7E)
            return 0;
    }
    return 32 * 5 + 16 + 24;
}

/* The number of steps in the rest of the file, if it consists only of steps and has more than declared;
 * otherwise the declared number. */
static uint32_t count_steps(lvl_cursor c, uint32_t declared)
{
    lvl_text cue;
    uint32_t n = 0;

    for (; lvl_cursor_left(&c) >= STEP_SIZE; n++) {
        lvl_ani_step step = {0};
        lvl_disk_load(&step, &lvl_ani_step_table, lvl_cursor_take(&c, STEP_SIZE), STEP_SIZE);
        if ((step.flags & LVL_ANI_STEP_CUE) && !lvl_cursor_text(&c, &cue))
            break;
    }
    return !lvl_cursor_left(&c) && n > declared ? n : declared;
}

static lvl_status read_steps(lvl_doc *doc, lvl_cursor *c, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_field *list = LVL_FIELD(lvl_ani, steps), *cue = LVL_FIELD(lvl_ani_step, cue);
    lvl_ani *ani = doc->root;
    uint64_t most = lvl_cursor_left(c) / STEP_SIZE;
    uint32_t count = ani->count < most ? count_steps(*c, ani->count) : (uint32_t)most;

    if (count > lvl_limits_of(doc->ctx).items)
        return lvl_refuse(doc->ctx, LVL_LIMIT_ITEMS, lvl_limits_of(doc->ctx).items, count);
    ani->steps = lvl_arena_array(&doc->arena, count, sizeof *ani->steps);
    if (!ani->steps)
        return LVL_ERR_MEMORY;
    while (ani->step_count < count && lvl_cursor_left(c) >= STEP_SIZE) {
        lvl_ani_step *s = &ani->steps[ani->step_count];
        const lvl_where where = lvl_where_to(lvl_where_root(), list, ani->step_count);
        const size_t at = c->pos;

        lvl_disk_load(s, &lvl_ani_step_table, lvl_cursor_take(c, STEP_SIZE), STEP_SIZE);
        if ((s->flags & LVL_ANI_STEP_CUE) && !lvl_cursor_text(c, &s->cue)) {
            const lvl_position pos = {.bit = (uint64_t)at * 8, .bits = STEP_SIZE * 8, .known = true};
            lvl_findings_add(findings, &ani_findings[CUE_OPEN], &where, &pos,
                             "the file ends inside the sound keys");
            memset(s, 0, sizeof *s);
            c->pos = at; /* this step becomes part of the rest */
            break;
        }
        lvl_emit_span(sink, at, STEP_SIZE, (lvl_span){.where = where, .table = &lvl_ani_step_table});
        if (s->flags & LVL_ANI_STEP_CUE)
            lvl_emit_field(sink, where, cue, at + STEP_SIZE, s->cue.len + 1, LVL_SPAN_FIELD);
        ani->step_count++;
    }
    if (ani->step_count > ani->count)
        lvl_report_at(findings, &ani_findings[STEPS_HIDDEN], LVL_AT_ROOT(lvl_ani, count),
                      "header declares %u steps, found %u", ani->count, ani->step_count);
    if (ani->step_count < ani->count)
        lvl_report_at(findings, &ani_findings[STEPS_CUT], LVL_AT_ROOT(lvl_ani, count), "found %u steps of %u",
                      ani->step_count, ani->count);
    return LVL_OK;
}

static lvl_status ani_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_ani *ani = doc->root;

    lvl_status status = lvl_read_header(doc, &lvl_ani_table, sink, &ani_findings[HEADER_SHORT], findings);
    if (status != LVL_OK)
        return status;
    if (ani->header_size != HEADER_SIZE)
        lvl_report_at(findings, &ani_findings[HEADER_SIZE_WRONG], LVL_AT_ROOT(lvl_ani, header_size), "%u",
                      ani->header_size);
    lvl_cursor c = lvl_cursor_of(doc->input);
    lvl_cursor_take(&c, HEADER_SIZE);
    ani->name.len = ani->name_len;
    if (ani->name.len > lvl_cursor_left(&c)) {
        ani->name.len = lvl_cursor_left(&c);
        lvl_report_at(findings, &ani_findings[NAME_CUT], LVL_AT_ROOT(lvl_ani, name_len),
                      "expected %u bytes, found %llu", ani->name_len, (unsigned long long)ani->name.len);
    }
    lvl_emit_field(sink, lvl_where_root(), LVL_FIELD(lvl_ani, name), c.pos, ani->name.len, LVL_SPAN_FIELD);
    ani->name.ptr = (const char *)lvl_cursor_take(&c, ani->name.len);
    status = read_steps(doc, &c, sink, findings);
    if (status == LVL_OK)
        lvl_read_rest(doc, LVL_FIELD(lvl_ani, rest), (lvl_bytes){c.data + c.pos, lvl_cursor_left(&c)}, sink,
                      &ani_findings[REST_UNKNOWN], findings);
    return status;
}

/* Reports sound keys that cannot be written. */
static lvl_status ani_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_field *list = LVL_FIELD(lvl_ani, steps);
    const lvl_ani *ani = doc->root;
    bool loss = false;

    for (uint32_t i = 0; i < ani->step_count; i++) {
        const lvl_ani_step *s = &ani->steps[i];
        const lvl_where where = lvl_where_to(lvl_where_root(), list, i);
        const bool flag = !s->cue.len || (s->flags & LVL_ANI_STEP_CUE),
                   nul = s->cue.len && memchr(s->cue.ptr, 0, s->cue.len);
        if (!flag)
            lvl_findings_add(findings, &ani_findings[CUE_FLAG], &where, NULL,
                             "%llu bytes of sound keys: set the flag cue, too",
                             (unsigned long long)s->cue.len);
        if (nul)
            lvl_findings_add(findings, &ani_findings[CUE_NUL], &where, NULL, "a NUL in the keys");
        loss = loss || !flag || nul;
    }
    return loss ? LVL_ERR_LOSS : LVL_OK;
}

static lvl_status ani_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_ani *ani = doc->root;

    if (ani->name.len > UINT32_MAX)
        return LVL_ERR_ARG;
    lvl_status status = ani_check_writable(doc, NULL);
    if (status == LVL_OK)
        status = lvl_write_header(doc, &lvl_ani_table, out);
    if (status != LVL_OK)
        return status;
    lvl_buffer_add(out, ani->name.ptr, ani->name.len);
    for (uint32_t i = 0; i < ani->step_count; i++) {
        const lvl_ani_step *s = &ani->steps[i];
        uint8_t step[STEP_SIZE];
        lvl_disk_store(s, &lvl_ani_step_table, step, sizeof step);
        lvl_buffer_add(out, step, sizeof step);
        if (s->flags & LVL_ANI_STEP_CUE) {
            lvl_buffer_add(out, s->cue.ptr, s->cue.len);
            lvl_buffer_u8(out, 0);
        }
    }
    lvl_buffer_add(out, ani->rest.ptr, ani->rest.len);
    return out->status;
}

static lvl_status ani_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    lvl_ani *ani = doc->root;

    visit(user, ani, LVL_FIELD(lvl_ani, count), ani->step_count);
    visit(user, ani, LVL_FIELD(lvl_ani, name_len), (int64_t)ani->name.len);
    return LVL_OK;
}

/* ---- sounds ------------------------------------------------------------------------------------------ */

#ifndef LVL_WITHOUT_ANIMATIONS
/* Keys of the sounds of the game and of Claw. Which folder LEVEL and CUSTOM mean depends on the level that
 * uses the animation. */
static uint32_t ani_file_places(const lvl_doc *doc, lvl_use use, lvl_text key,
                                lvl_file_place out[LVL_FILE_PLACES])
{
    static const char *const prefixes[] = {"GAME_", "CLAW_"}, *const folders[] = {"SOUNDS", "SOUNDZ"};
    uint32_t count = 0;

    (void)doc;
    for (size_t i = 0; i < LVL_COUNT_OF(prefixes) && use == LVL_USE_SOUND; i++) {
        const size_t len = strlen(prefixes[i]);
        if (key.len && (key.len <= len || !lvl_text_begins_nocase(key, prefixes[i])))
            continue;
        for (size_t k = 0; k < LVL_COUNT_OF(folders); k++) {
            lvl_file_place *place = &out[count++];
            *place = (lvl_file_place){.rest = key, .joint = '_', .ending = "wav"};
            if (key.len)
                place->rest = (lvl_text){key.ptr + len, key.len - len};
            snprintf(place->folder, sizeof place->folder, "%.4s/%s", prefixes[i], folders[k]);
        }
    }
    if (!count) /* no art has that folder: nothing is known of the key */
        out[count++] = (lvl_file_place){.folder = "?", .rest = key, .joint = '_', .ending = "wav"};
    return count;
}

static lvl_status ani_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_ani *ani = doc->root;
    lvl_status status = LVL_OK;
    char shown[96];

    for (uint32_t i = 0; i < ani->step_count && request->art && status == LVL_OK; i++) {
        const lvl_text key = ani->steps[i].cue;
        const lvl_where where = lvl_where_to(lvl_where_root(), LVL_FIELD(lvl_ani, steps), i);
        if (!key.len)
            continue;
        status = lvl_charge(doc->ctx, key.len + 1);
        if (lvl_art_look_up(request->art, doc, LVL_USE_SOUND, key) == LVL_KEY_MISSING) {
            lvl_text_show(shown, sizeof shown, doc->codepage, key);
            lvl_report_at(request->findings, &ani_findings[NO_SOUND], LVL_AT(where, lvl_ani_step, cue),
                          "there is no sound %s", shown);
        }
    }
    return status;
}
#endif

/* ---- repair and the rest ----------------------------------------------------------------------------- */

static lvl_status ani_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_ani *ani = doc->root;
    const bool steps = ani->count != ani->step_count, name = ani->name_len != ani->name.len;

    if (steps)
        lvl_report_at(repairs->log, &ani_findings[ani->count < ani->step_count ? STEPS_HIDDEN : STEPS_CUT],
                      LVL_AT_ROOT(lvl_ani, count), "%u steps instead of %u", ani->step_count, ani->count);
    if (name)
        lvl_report_at(repairs->log, &ani_findings[NAME_CUT], LVL_AT_ROOT(lvl_ani, name_len),
                      "%llu bytes instead of %u", (unsigned long long)ani->name.len, ani->name_len);
    if (!steps && !name)
        return LVL_OK;
    lvl_doc_drop_overrides(doc);
    return lvl_doc_recompute_derived(doc);
}

bool lvl_ani_first_frame(const lvl_ani *ani, int32_t *frame)
{
    for (uint32_t i = 0; i < ani->step_count; i++) {
        if (ani->steps[i].step_mode == LVL_ANI_FRAME) {
            *frame = ani->steps[i].param;
            return true;
        }
    }
    return false;
}

static lvl_status ani_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_ani *ani = doc->root;
    int64_t duration = 0;
    uint32_t cues = 0;
    int32_t first;

    (void)art;
    for (uint32_t i = 0; i < ani->step_count; i++) {
        duration += ani->steps[i].duration;
        cues += (ani->steps[i].flags & LVL_ANI_STEP_CUE) != 0;
    }
    lvl_info_fields(info, &lvl_ani_table, ani, NULL, NULL);
    lvl_info_int(info, "duration", "duration", duration, "ms");
    if (lvl_ani_first_frame(ani, &first))
        lvl_info_int(info, "first_frame", "first frame", first, NULL);
    lvl_info_int(info, "cues", "sound cues", cues, NULL);
    return lvl_info_status(info);
}

/* A step for each frame, by the number of its sprite. */
static lvl_status ani_animate(lvl_doc *doc, const lvl_animation_parts *parts, lvl_findings *losses)
{
    lvl_ani *ani = doc->root;
    uint32_t longer = 0;

    ani->steps = lvl_arena_array(&doc->arena, parts->frames, sizeof *ani->steps);
    if (!ani->steps)
        return LVL_ERR_MEMORY;
    ani->step_count = parts->frames;
    for (uint32_t i = 0; i < parts->frames; i++) {
        const lvl_animation_part *part = &parts->items[i];
        if (part->number < 0 || part->number > INT16_MAX)
            return LVL_ERR_ARG;
        longer += part->ms > INT16_MAX;
        ani->steps[i] = (lvl_ani_step){.step_mode = LVL_ANI_FRAME,
                                       .param = (int16_t)part->number,
                                       .duration = (int16_t)(part->ms > INT16_MAX ? INT16_MAX : part->ms)};
    }
    if (!parts->loops && parts->frames)
        ani->steps[parts->frames - 1].loop_mode = ENDS;
    if (longer)
        lvl_report_at(losses, &ani_findings[LOSS_TIME], LVL_AT_ROOT(lvl_ani, steps),
                      "%u times are longer than %d ms", longer, INT16_MAX);
    if (parts->directions > 1)
        lvl_report_at(losses, &ani_findings[LOSS_DIRECTION], LVL_AT_ROOT(lvl_ani, steps),
                      "there are %u directions: only the first is left", parts->directions);
    return lvl_doc_recompute_derived(doc);
}

/* The header's size, and small numbers of steps and characters. */
static const lvl_signature signatures[] = {
    LVL_SIGNATURE(NULL, LVL_BYTES_AT(0, "\x20\0\0\0\0\0\0\0"), LVL_BYTES_AT(14, "\0\0"),
                  LVL_BYTES_AT(17, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")),
    {0},
};

const lvl_format lvl_format_ani = {
    .id = "ani",
    .family = "wwd",
    .title = "WAP32 animation",
    .extensions = "ani",
    .mime = "application/x-wap32-ani",
    .is_part = true,
    .codepage = LVL_CP_1252,
    .table = &lvl_ani_table,
    .findings = ani_findings,
    .signatures = signatures,
    .finding_count = LVL_COUNT_OF(ani_findings),
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = ani_probe,
            .read = ani_read,
            .write = ani_write,
            .check_writable = ani_check_writable,
            .derive = ani_derive,
            .repair = ani_repair,
            .info = ani_info,
            .animate = LVL_DRAWING(ani_animate),
            .animates_files = true,
#ifndef LVL_WITHOUT_ANIMATIONS /* the page shows those of Graal only */
            .check = ani_check,
            .file_places = ani_file_places,
            .scene = lvl_ani_scene,
            .play = lvl_ani_play,
#endif
        },
};
