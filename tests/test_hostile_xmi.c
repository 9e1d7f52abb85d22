/*
 * XMI: what a MIDI file says that was made of one. A reader of MIDI files that is written here finds the same
 * events at the same times as the XMI has; without memory nothing leaks; real files are exact.
 */
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/format.h"
#include "corpus.h"
#include "measure.h"
#include "starve.h"

#include <lvl/lvl.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEEDS "fuzz/seeds/xmi/"

static lvl_ctx ctx;

static const lvl_export *export_to(const char *ending)
{
    const lvl_export *e = lvl_format_find("xmi")->calls->exports;

    while (strcmp(e->ending, ending) != 0)
        e++;
    return e;
}

static lvl_doc *read_file(const char *path, uint8_t **data)
{
    lvl_doc *doc = NULL;
    size_t len;

    *data = lvl_slurp(path, &len);
    assert_non_null(*data);
    assert_int_equal(
        lvl_read(&doc, &ctx, lvl_format_find("xmi"), (lvl_bytes){*data, len}, NULL, LVL_READ_BORROW, NULL),
        LVL_OK);
    return doc;
}

/* ---- a reader of MIDI files -------------------------------------------------------------------------- */

/* Something that is heard, and when. */
typedef struct sound {
    double seconds;
    uint8_t status, a, b;
    bool heard; /* found in the other list */
} sound;

typedef struct sounds {
    sound items[8192];
    size_t count;
} sounds;

static uint32_t number(lvl_cursor *c)
{
    uint32_t value = 0;
    uint8_t byte;

    do {
        byte = lvl_cursor_u8(c);
        value = value << 7 | (byte & 0x7F);
    } while (byte & 0x80 && !c->failed);
    return value;
}

static void put(sounds *to, double seconds, uint8_t status, uint8_t a, uint8_t b)
{
    assert_true(to->count < LVL_COUNT_OF(to->items));
    to->items[to->count++] = (sound){seconds, status, a, b, false};
}

/* All channel events of a track of a MIDI file, and its tempo events (status FF). */
static void sounds_of_midi(lvl_bytes midi, uint32_t wanted, sounds *out)
{
    lvl_cursor c = lvl_cursor_of(midi);
    double seconds = 0, quarter = 0.5;
    bool ended = false;

    out->count = 0;
    assert_memory_equal(lvl_cursor_take(&c, 8), "MThd\0\0\0\6", 8);
    const uint8_t *head = lvl_cursor_take(&c, 6);
    const uint32_t tracks = (uint32_t)head[2] << 8 | head[3], division = (uint32_t)head[4] << 8 | head[5];
    assert_int_equal(head[0] << 8 | head[1], tracks > 1 ? 2 : 0);
    assert_true(division && wanted < tracks);
    for (uint32_t i = 0; i <= wanted; i++) {
        assert_memory_equal(lvl_cursor_take(&c, 4), "MTrk", 4);
        const uint32_t size = lvl_load_u32be(lvl_cursor_take(&c, 4));
        if (i < wanted)
            lvl_cursor_take(&c, size);
        else
            assert_true(wanted + 1 < tracks || size == lvl_cursor_left(&c));
    }
    while (!ended) {
        seconds += number(&c) * quarter / division;
        const uint8_t status = lvl_cursor_u8(&c);
        assert_true(status & 0x80 && !c.failed);
        if (status >= 0xF0) {
            const uint8_t kind = status == 0xFF ? lvl_cursor_u8(&c) : 0;
            const uint32_t len = number(&c);
            const uint8_t *data = lvl_cursor_take(&c, len);
            ended = kind == 0x2F;
            if (kind == 0x51) {
                quarter = (data[0] << 16 | data[1] << 8 | data[2]) / 1e6;
                put(out, seconds, 0xFF, data[0], data[1]);
            }
        } else {
            const uint8_t a = lvl_cursor_u8(&c), b = (status & 0xE0) == 0xC0 ? 0 : lvl_cursor_u8(&c);
            put(out, seconds, status, a, b);
        }
        assert_false(c.failed);
    }
}

/* The same of the XMI, by its records. */
static void sounds_of_xmi(const lvl_xmi_track *t, sounds *out)
{
    static const uint8_t kinds[] = {0x90, 0x80, 0xA0, 0xB0, 0xC0, 0xD0, 0xE0};
    uint64_t tick = 0;

    out->count = 0;
    for (uint32_t i = 0; i < t->event_count; i++) {
        const lvl_xmi_event *e = &t->events[i];
        tick += e->delay;
        const double now = (double)tick / 120;
        const uint8_t status = e->type <= LVL_XMI_BEND ? kinds[e->type] | e->channel : 0;
        switch (e->type) {
        case LVL_XMI_NOTE:
            put(out, now, status, e->note, e->velocity);
            put(out, now + e->duration / 120.0, 0x80 | e->channel, e->note, e->velocity);
            break;
        case LVL_XMI_NOTE_OFF: put(out, now, status, e->note, e->velocity); break;
        case LVL_XMI_KEY_PRESSURE: put(out, now, status, e->note, e->pressure); break;
        case LVL_XMI_CONTROL: put(out, now, status, e->controller, e->value); break;
        case LVL_XMI_PROGRAM: put(out, now, status, e->program, 0); break;
        case LVL_XMI_PRESSURE: put(out, now, status, e->pressure, 0); break;
        case LVL_XMI_BEND: put(out, now, status, e->bend & 0x7F, (uint8_t)(e->bend >> 7)); break;
        default:
            if (e->type == LVL_XMI_META && e->meta == LVL_XMI_META_TEMPO && e->data.len == 3)
                put(out, now, 0xFF, e->data.ptr[0], e->data.ptr[1]);
        }
    }
}

/* Each sound of one list is in the other, at most a hundredth of a second apart, and both have as many. */
static void assert_same_sounds(sounds *a, const sounds *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < b->count; i++) {
        const sound *s = &b->items[i];
        size_t k = 0;
        while (k < a->count &&
               (a->items[k].heard || a->items[k].status != s->status || a->items[k].a != s->a ||
                a->items[k].b != s->b || fabs(a->items[k].seconds - s->seconds) > 0.01))
            k++;
        assert_true(k < a->count);
        a->items[k].heard = true;
    }
}

static sounds in_midi, in_xmi;

static size_t compare(const lvl_doc *doc)
{
    const lvl_xmi *xmi = lvl_doc_root((lvl_doc *)(uintptr_t)doc);
    lvl_buffer midi = {0};
    size_t count = 0;

    assert_int_equal(export_to("mid")->write(doc, &midi), LVL_OK);
    for (uint32_t i = 0; i < xmi->track_count; i++) {
        sounds_of_midi(lvl_buffer_bytes(&midi), i, &in_midi);
        sounds_of_xmi(&xmi->tracks[i], &in_xmi);
        count += in_xmi.count;
        assert_same_sounds(&in_midi, &in_xmi);
    }
    lvl_buffer_free(&midi);
    return count;
}

/* ---- tests ------------------------------------------------------------------------------------------- */

static void seeds_and_samples_sound_the_same(void **state)
{
    static const char *const files[] = {"samples/wwd/art/tune.xmi", SEEDS "tune.xmi",      SEEDS "xdir.xmi",
                                        SEEDS "sequence.xmi",       SEEDS "catalogue.xmi", SEEDS "cut.xmi"};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(files); i++) {
        uint8_t *data;
        lvl_doc *doc = read_file(files[i], &data);
        assert_true(compare(doc) > 0);
        lvl_doc_free(doc);
        free(data);
    }
}

/* Tempo events move neither notes nor ends of notes, wherever they are. */
static void tempo_changes_move_nothing(void **state)
{
    static const uint8_t tempos[][3] = {
        {0x07, 0xA1, 0x20}, {1, 0, 0}, {0xFF, 0xFF, 0xFF}, {0x0C, 0x0B, 0xE1}};
    lvl_doc *doc = NULL;

    (void)state;
    assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("xmi")), LVL_OK);
    lvl_xmi *xmi = lvl_doc_root(doc);
    assert_int_equal(lvl_list_insert(doc, xmi, lvl_table_find(&lvl_xmi_table, lvl_text_of("tracks")), 0, 1),
                     LVL_OK);
    lvl_xmi_track *t = &xmi->tracks[0];
    assert_int_equal(
        lvl_list_insert(doc, t, lvl_table_find(&lvl_xmi_track_table, lvl_text_of("events")), 0, 12), LVL_OK);
    for (uint32_t i = 0; i < t->event_count; i++) {
        t->events[i] =
            (lvl_xmi_event){.delay = i * 7, .note = (uint8_t)(60 + i), .velocity = 1, .duration = 50};
        if (i % 3 == 1)
            t->events[i] = (lvl_xmi_event){
                .delay = 11, .type = LVL_XMI_META, .meta = LVL_XMI_META_TEMPO, .data = {tempos[i / 3], 3}};
    }
    assert_int_equal(compare(doc), 4 + 2 * 8);
    lvl_doc_free(doc);
}

static void listings_have_a_line_for_each_event(void **state)
{
    uint8_t *data;
    lvl_buffer text = {0};

    (void)state;
    lvl_doc *doc = read_file(SEEDS "tune.xmi", &data);
    const lvl_xmi_track *t = &((lvl_xmi *)lvl_doc_root(doc))->tracks[0];
    assert_int_equal(export_to("txt")->write(doc, &text), LVL_OK);
    size_t lines = 0;
    for (size_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    assert_int_equal(lines, t->event_count + t->timbre_count + 2);
    lvl_buffer_u8(&text, 0);
    assert_non_null(strstr((char *)text.data, "  loop 2 times\n"));
    assert_non_null(strstr((char *)text.data, "  end of loop\n"));
    lvl_buffer_free(&text);
    lvl_doc_free(doc);
    free(data);
}

/* An edit may set what no event can hold: a MIDI file is refused, and nothing is read beyond a table. */
static void impossible_numbers_are_refused(void **state)
{
    static const lvl_xmi_event cases[] = {{.type = 200},
                                          {.type = LVL_XMI_META + 1},
                                          {.channel = 16},
                                          {.note = 200},
                                          {.type = LVL_XMI_BEND, .bend = 16384},
                                          {.delay = UINT32_MAX}};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(cases); i++) {
        lvl_xmi_event event = cases[i];
        lvl_xmi_branch branch = {1, 0};
        lvl_xmi_track track = {.chunks = LVL_XMI_HAS_EVNT | LVL_XMI_HAS_RBRN,
                               .events = &event,
                               .event_count = 1,
                               .branches = &branch,
                               .branch_count = 1};
        lvl_findings *findings = lvl_findings_new(&ctx);
        const lvl_check_request request = {.findings = findings};
        lvl_buffer out = {0};
        lvl_doc *doc = NULL;
        assert_int_equal(lvl_doc_new(&doc, &ctx, lvl_format_find("xmi")), LVL_OK);
        lvl_xmi *xmi = lvl_doc_root(doc);
        xmi->tracks = &track;
        xmi->track_count = 1;
        assert_int_equal(export_to("mid")->write(doc, &out), LVL_ERR_LOSS);
        lvl_buffer_free(&out);
        assert_int_equal(export_to("txt")->write(doc, &out), LVL_OK);
        assert_int_equal(lvl_format_find("xmi")->calls->check(doc, &request), LVL_OK);
        lvl_buffer_free(&out);
        lvl_findings_free(findings);
        lvl_doc_free(doc);
    }
}

static void no_memory_is_an_error(void **state)
{
    static const char *const endings[] = {"mid", "txt"};
    uint8_t *data;

    (void)state;
    lvl_doc *doc = read_file(SEEDS "catalogue.xmi", &data);
    for (size_t i = 0; i < LVL_COUNT_OF(endings) && lvl_starve_works(); i++) {
        lvl_status status = LVL_ERR_MEMORY;
        for (uint64_t n = 1; status != LVL_OK; n++) {
            lvl_buffer out = {0};
            const uint64_t before = lvl_starve_blocks();
            lvl_starve_from(n, true);
            status = export_to(endings[i])->write(doc, &out);
            lvl_starve_from(0, false);
            assert_true(status == LVL_OK || status == LVL_ERR_MEMORY);
            lvl_buffer_free(&out);
            assert_int_equal(lvl_starve_blocks(), before);
        }
    }
    lvl_doc_free(doc);
    free(data);
}

static void damaged_files_are_exact(void **state)
{
    static const char *const files[] = {SEEDS "tune.xmi", SEEDS "sequence.xmi", SEEDS "catalogue.xmi",
                                        SEEDS "directory.xmi"};
    size_t len;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(files); i++) {
        uint8_t *data = lvl_slurp(files[i], &len);
        assert_true(lvl_survives_all(lvl_format_find("xmi"), (lvl_bytes){data, len}, 0));
        for (size_t k = 0; k < len; k++) {
            for (int bit = 0; bit < 8; bit++) {
                lvl_buffer out = {0};
                lvl_doc *doc = NULL;
                data[k] ^= (uint8_t)(1 << bit);
                const lvl_bytes in = {data, k % 2 ? len : k};
                if (lvl_read(&doc, &ctx, lvl_format_find("xmi"), in, NULL, LVL_READ_BORROW, NULL) == LVL_OK) {
                    assert_int_equal(lvl_write(doc, &out, NULL), LVL_OK);
                    assert_int_equal(out.len, in.len);
                    assert_memory_equal(out.data, in.ptr, in.len);
                }
                lvl_doc_free(doc);
                lvl_buffer_free(&out);
                data[k] ^= (uint8_t)(1 << bit);
            }
        }
        free(data);
    }
}

static void real_files_are_exact_and_sound_the_same(void **state)
{
    const char *corpus = lvl_corpus_dir();
    lvl_measure measure = {0};
    size_t count = 0;
    lvl_paths paths;

    (void)state;
    if (!corpus)
        skip();
    assert_true(lvl_measure_folder(&measure, lvl_format_find("xmi"), corpus, "xmi"));
    assert_int_equal(measure.exact, measure.files);
    assert_int_equal(measure.residue_bits + measure.overlap_bits + measure.kept, 0);
    assert_true(lvl_paths_below(&paths, corpus, "xmi"));
    for (size_t i = 0; i < paths.count; i++) {
        uint8_t *data;
        lvl_doc *doc = read_file(paths.items[i], &data);
        count += compare(doc);
        lvl_doc_free(doc);
        free(data);
    }
    printf("%zu events of %zu real files\n", count, paths.count);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_and_samples_sound_the_same),
        cmocka_unit_test(tempo_changes_move_nothing),
        cmocka_unit_test(listings_have_a_line_for_each_event),
        cmocka_unit_test(impossible_numbers_are_refused),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(damaged_files_are_exact),
        cmocka_unit_test(real_files_are_exact_and_sound_the_same),
    };

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
