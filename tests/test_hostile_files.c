/*
 * What a program in a browser uses: art from files of the program (lvl_art_set_files), with any results of
 * its callbacks, and the JSON writers, with any document. Samples are damaged byte by byte; each output must
 * be valid JSON, and nothing may crash, hang or leak.
 */
#include "os/file.h"
#include "codec/json.h"
#include "scene/scene.h"
#include "tools/check/reports.h"
#include "tools/values/schema.h"
#include "tools/world/reference.h"

#include <lvl/render.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const samples[] = {
    "wwd/cliffs.wwd",
    "sketchy/hill-v1.level",
    "sketchy/hill-v4.level",
    "sketchy/walk.levelpack",
    "graal/lakeside/lake_village.nw",
    "graal/versions/gr-v1.03.graal",
    "graal/ganis/hero_walk.gani",
    "graal/lakeside/lakeside.gmap",
};
enum { SAMPLES = sizeof samples / sizeof *samples, TURNS = 16 };

/* Answers of a program's files. Each asks for the next one. */
typedef enum answer { HONEST, NO_BYTES, GARBAGE, NO_MEMORY, ENDLESS, ODD_NAMES, ANSWERS } answer;

typedef struct world {
    answer way;
    unsigned calls;
} world;

static lvl_file_kind kind(void *user, const char *path)
{
    world *w = user;
    const size_t len = strlen(path);

    w->calls++;
    if (w->way == ENDLESS)
        return LVL_FILE_FOLDER;
    return len > 4 && path[len - 4] == '.' ? LVL_FILE_REGULAR : LVL_FILE_FOLDER;
}

static lvl_status read_bytes(void *user, const char *path, lvl_buffer *out)
{
    world *w = user;

    w->calls++;
    if (w->way == NO_BYTES)
        return LVL_ERR_IO;
    if (w->way == NO_MEMORY)
        return LVL_ERR_MEMORY;
    if (w->way == HONEST)
        return strstr(path, "pics1.png") ? LVL_ERR_MISSING : LVL_OK;
    lvl_buffer_add(out, "\x89PNG\r\n\x1a\n", 8);
    for (uint32_t i = 0; i < 4096; i++)
        lvl_buffer_u8(out, (uint8_t)(i * 2654435761U >> 24));
    return LVL_OK;
}

static lvl_status list(void *user, const char *path, lvl_buffer *names)
{
    static const char odd[] = "..\0.\0\0a/b\0../../etc\0.hidden\0pics1.png\0PICS1.PNG\0pics1.png\0art\0"
                              "\xff\xfe.png\0custom\0x.rez\0no end";
    world *w = user;

    (void)path;
    w->calls++;
    if (w->way == NO_BYTES)
        return LVL_ERR_IO;
    if (w->way == NO_MEMORY)
        return LVL_ERR_MEMORY;
    if (w->way == ODD_NAMES)
        lvl_buffer_add(names, odd, sizeof odd - 1);
    else
        lvl_buffer_add(names, "art\0pics1.png\0IMAGES\0x.rez", 27);
    return LVL_OK;
}

static lvl_buffer sample(size_t which)
{
    const char *top = getenv("LVL_SAMPLES"); /* NOLINT(concurrency-mt-unsafe) */
    lvl_buffer bytes = {0};
    char path[512];

    snprintf(path, sizeof path, "%s/%s", top ? top : "samples", samples[which]);
    assert_int_equal(lvl_file_read(&bytes, path, 0, NULL), LVL_OK);
    return bytes;
}

/* Whether the text is lines of JSON; it is cleared. */
static void is_json(lvl_buffer *out, const char *what, const char *name)
{
    const char *at = (const char *)out->data;
    size_t left = out->len;

    assert_int_equal(out->status, LVL_OK);
    while (left) {
        const char *end = memchr(at, '\n', left);
        const size_t len = end ? (size_t)(end - at) : left;
        lvl_json_error error;
        yyjson_doc *doc = len ? lvl_json_read(NULL, (lvl_text){at, len}, &error) : NULL;
        if (len && !doc)
            fail_msg("%s of %s is no JSON: %.*s", what, name, (int)(len < 300 ? len : 300), at);
        yyjson_doc_free(doc);
        at += len + (end != NULL);
        left -= len + (end != NULL);
    }
    lvl_buffer_free(out);
    *out = (lvl_buffer){0};
}

/* Only what a document may be refused for. */
static void fair(lvl_status status, const char *what, const char *name)
{
    if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_UNSUPPORTED &&
        status != LVL_ERR_ARG && status != LVL_ERR_MEMORY)
        fail_msg("%s of %s: %s", what, name, lvl_status_text(status));
}

static void draw(const lvl_doc *doc, const lvl_scene *scene, const char *name)
{
    lvl_render_options options;
    lvl_image image = {0};
    lvl_buffer out = {0};

    assert_int_equal(lvl_scene_json(doc, scene, &out), LVL_OK);
    is_json(&out, "scene", name);
    lvl_render_options_init(&options);
    options.size = 24;
    fair(lvl_render_image(scene, &options, &image), "picture", name);
    lvl_image_clear(&image);
}

static void write_all(const lvl_ctx *ctx, lvl_bytes bytes, const char *name, const lvl_art *art)
{
    const lvl_info_options options = {.file = "a\"b<\\\x01.level", .json = true, .counts = true, .art = art};
    const lvl_scene_request request = {.art = art};
    lvl_findings *findings = lvl_findings_new(ctx);
    lvl_animation *play = NULL;
    lvl_scene *scene = NULL;
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;

    assert_non_null(findings);
    const char *base = strrchr(name, '/') + 1;
    const lvl_status status = lvl_read(&doc, ctx, NULL, bytes, base, LVL_READ_BORROW, findings);
    assert_int_equal(lvl_findings_json(findings, &out), LVL_OK);
    is_json(&out, "findings", name);
    if (status == LVL_OK) {
        fair(lvl_info_write(doc, &options, &out), "info", name);
        is_json(&out, "info", name);
        fair(lvl_doc_scene(doc, &request, &scene), "scene", name);
        if (scene)
            draw(doc, scene, name);
        fair(lvl_doc_play(doc, &request, &play), "animation", name);
        if (play)
            assert_int_equal(lvl_animation_json(doc, play, &out), LVL_OK);
        is_json(&out, "animation", name);
    }
    lvl_animation_free(ctx, play);
    lvl_scene_free(scene);
    lvl_doc_free(doc);
    lvl_findings_free(findings);
}

static void json_of_anything_is_json(void **state)
{
    static const char *const texts[] = {"\"</script>", "\xff\xc0\x80", "\\u0000", "\x01\x1f\x7f", "{}[],:"};
    uint32_t seed = 1;
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.limits.work = 1 << 24;
    for (size_t s = 0; s < SAMPLES; s++) {
        lvl_buffer bytes = sample(s);
        write_all(&ctx, (lvl_bytes){bytes.data, bytes.len}, samples[s], NULL);
        for (unsigned turn = 0; turn < TURNS; turn++) {
            lvl_buffer bad = {0};
            lvl_buffer_add(&bad, bytes.data, bytes.len);
            for (unsigned k = 0; k <= turn % 4; k++) {
                seed = seed * 1664525U + 1013904223U;
                const size_t at = seed % (bad.len - 8);
                const char *text = texts[turn % (sizeof texts / sizeof *texts)];
                if (turn & 1)
                    memcpy(bad.data + at, text, strlen(text) < 8 ? strlen(text) : 8);
                else
                    bad.data[at] = (uint8_t)(seed >> 13);
            }
            write_all(&ctx, (lvl_bytes){bad.data, bad.len}, samples[s], NULL);
            lvl_buffer_free(&bad);
        }
        lvl_buffer_free(&bytes);
    }
    for (size_t i = 0; lvl_format_at(i); i++) {
        lvl_buffer out = {0};
        assert_int_equal(lvl_format_json(lvl_format_at(i), true, &out), LVL_OK);
        is_json(&out, "table", lvl_format_at(i)->id);
    }
}

static void files_may_answer_anything(void **state)
{
    lvl_ctx ctx;

    (void)state;
    lvl_ctx_init(&ctx);
    ctx.limits.work = 1 << 24;
    ctx.limits.items = 2000;
    ctx.limits.depth = 8;
    for (int way = 0; way < ANSWERS; way++) {
        for (size_t s = 0; s < SAMPLES; s++) {
            world w = {.way = (answer)way};
            const lvl_files files = {.user = &w, .kind = kind, .read = read_bytes, .list = list};
            lvl_buffer bytes = sample(s);
            lvl_art *art = lvl_art_new(&ctx);
            assert_non_null(art);
            lvl_art_set_files(art, &files);
            (void)lvl_art_add(art, "given");
            (void)lvl_art_add(art, "x.rez");
            (void)lvl_art_add(art, "../../one.png");
            (void)lvl_art_level(art, samples[s]);
            write_all(&ctx, (lvl_bytes){bytes.data, bytes.len}, samples[s], art);
            assert_true(w.calls > 0);
            assert_true(way == NO_MEMORY || lvl_art_status(art) == LVL_OK);
            lvl_art_free(art);
            lvl_buffer_free(&bytes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_of_anything_is_json),
        cmocka_unit_test(files_may_answer_anything),
    };

    return cmocka_run_group_tests_name("hostile_files", tests, NULL, NULL);
}
