/*
 * test_art.c: the art search path, in folders and in an archive made here.
 */
#include "base/buffer.h"
#include "os/file.h"
#include "base/format.h"
#include "scene/art.h"

#include <lvl/container.h>
#include <lvl/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static lvl_ctx ctx;
static char top[200];
enum { /* ms after which a change has another stamp */
#ifdef _WIN32
       SETTLE = 3100
#else
       SETTLE = 100
#endif
};

static const char *at(const char *path)
{
    static char buf[4][512];
    static int turn;
    char *p = buf[turn++ % 4];

    snprintf(p, sizeof buf[0], "%s/%s", top, path);
    return p;
}

/* A PNG of 2 x 1 pixels, both `value`. */
static lvl_buffer picture(uint8_t value)
{
    lvl_buffer buf = {0};
    lvl_image image;

    assert_int_equal(lvl_image_init(&image, &ctx, LVL_PIXELS_INDEX8, 2, 1, false), LVL_OK);
    memset(image.pixels, value, 2);
    assert_int_equal(lvl_png_write_buffer(&ctx, &image, NULL, &buf), LVL_OK);
    lvl_image_clear(&image);
    return buf;
}

static void put(const char *path, uint8_t value)
{
    lvl_buffer buf = picture(value);
    char folder[512];

    snprintf(folder, sizeof folder, "%s", at(path));
    *strrchr(folder, '/') = 0;
    assert_int_equal(lvl_folder_make(folder, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(at(path), (lvl_bytes){buf.data, buf.len}, LVL_SAVE_REPLACE, NULL), LVL_OK);
    lvl_buffer_free(&buf);
}

static void put_archive(const char *path)
{
    const lvl_format *format = lvl_format_find("rez");
    lvl_buffer one = picture(200), file = {0};
    const lvl_pack_item item = {.path = "LEVEL9/IMAGES/SOLDIER/FRAME001.PNG", .bytes = {one.data, one.len}};
    lvl_doc *doc;

    assert_non_null(format);
    assert_int_equal(lvl_container_pack(&doc, &ctx, format, &item, 1), LVL_OK);
    assert_int_equal(lvl_doc_write(doc, &file), LVL_OK);
    assert_int_equal(lvl_file_save(at(path), (lvl_bytes){file.data, file.len}, LVL_SAVE_REPLACE, NULL),
                     LVL_OK);
    lvl_doc_free(doc);
    lvl_buffer_free(&file);
    lvl_buffer_free(&one);
}

static int setup(void **state)
{
    const char *tmp = getenv("TMPDIR");

    (void)state;
    lvl_ctx_init(&ctx);
    /* The same folder for every run: the test leaves only the same few files. */
    snprintf(top, sizeof top, "%s/lvl-test-art/a/b/c", tmp && *tmp ? tmp : "/tmp");
    put("game/LEVEL1/IMAGES/OFFICER/FRAME007.PNG", 7);
    put("game/LEVEL1/IMAGES/OFFICER/frame012.png", 12);
    put("game/LEVEL1/IMAGES/OFFICER/FRAME100.PNG", 100);
    put("game/LEVEL1/IMAGES/SKULL/SKULL.PNG", 33);
    put("game/LEVEL1/IMAGES/AMMO/SHOT/1.PNG", 1);
    put("game/LEVEL1/IMAGES/AMMO_SHOT/BIG/2.PNG", 2);
    put("game/LEVEL1/IMAGES/EMPTY/DEEP/3.PNG", 3);
    put("game/LEVEL1/TILES/ACTION/012.PNG", 50);
    put("other/LEVEL1/IMAGES/OFFICER/FRAME001.PNG", 90);
    put("other/LEVEL1/IMAGES/RAT/FRAME001.PNG", 91);
    put("game/levels/Foo/IMAGES/HAT/1.PNG", 60);
    put("game/levels/Foo.lvl", 0);
    put("game/custom/Baz/IMAGES/HAT/1.PNG", 61);
    put("game/custom/Foo/IMAGES/SCARF/1.PNG", 62);
    put("game/pics/Door.png", 63);
    put("game/levels/Bar.lvl", 0);
    assert_int_equal(
        lvl_file_save(at("game/broken.png"), (lvl_bytes){(const uint8_t *)"x", 1}, LVL_SAVE_REPLACE, NULL),
        LVL_OK);
    assert_int_equal(lvl_file_save(at("game/LEVEL1/IMAGES/SKULL/5.PNG"),
                                   (lvl_bytes){(const uint8_t *)"\x89PNG", 4}, LVL_SAVE_REPLACE, NULL),
                     LVL_OK);
    put_archive("art.rez");
    return 0;
}

static const lvl_art_set *find(const lvl_art *art, const char *base, const char *name)
{
    return lvl_art_find(art, base, lvl_text_of(name));
}

static int value_of(const lvl_art *art, const lvl_art_set *set, int64_t number)
{
    const lvl_image *image = set ? lvl_art_image(art, set, number) : NULL;

    return image ? image->pixels[0] : -1;
}

static void pictures_are_found_by_number(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at("game")), LVL_OK);
    const lvl_art_set *officer = find(art, "LEVEL1/IMAGES", "Officer");
    assert_non_null(officer);
    assert_true(lvl_art_set_has(officer, 12));
    assert_true(lvl_art_set_has(officer, 100));
    assert_false(lvl_art_set_has(officer, 1));
    assert_int_equal(value_of(art, officer, -1), 7);
    assert_int_equal(value_of(art, officer, 12), 12);
    assert_int_equal(value_of(art, officer, 13), -1);
    assert_int_equal(value_of(art, officer, INT64_MAX), -1);
    assert_int_equal(value_of(art, officer, -2), -1);
    assert_ptr_equal(officer, find(art, "LEVEL1/IMAGES", "OFFICER"));
    /* A lone picture without a number; and one that can't be decoded. */
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "SKULL"), -1), 33);
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "SKULL"), 5), -1);
    assert_null(find(art, "LEVEL1/IMAGES", "RAT"));
    assert_null(find(art, "LEVEL2/IMAGES", "OFFICER"));
    assert_null(find(art, "LEVEL1/IMAGES", "EMPTY"));
    assert_null(find(art, "LEVEL1/IMAGES", ""));
    assert_true(lvl_art_has_folder(art, "level1/tiles"));
    assert_false(lvl_art_has_folder(art, "LEVEL1/TILES/ACTION/012.PNG"));
    lvl_art_free(art);
}

static void names_part_at_underscores(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at("game")), LVL_OK);
    /* AMMO_SHOT is tried first, but holds no pictures itself. */
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "AMMO_SHOT"), -1), 1);
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "AMMO_SHOT_BIG"), -1), 2);
    assert_null(find(art, "LEVEL1/IMAGES", "AMMO_"));
    assert_null(find(art, "LEVEL1/IMAGES", "_"));
    assert_null(
        find(art, "LEVEL1/IMAGES", "_________________________________________________________________"));
    assert_int_equal(value_of(art, find(art, "LEVEL1/TILES", "ACTION"), 12), 50);
    lvl_art_free(art);
}

/* A key in an allocation of exactly its size, so that a sanitizer sees reads beyond it. */
static bool has_key(const lvl_art *art, const char *base, const char *bytes, size_t len, char joint)
{
    char *copy = malloc(len + !len);

    assert_non_null(copy);
    if (len)
        memcpy(copy, bytes, len);
    const bool has = lvl_art_has_key(art, base, (lvl_text){copy, len}, joint, "png");
    free(copy);
    return has;
}

static void keys_are_paths(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);
    char many[2000];

    (void)state;
    assert_non_null(art);
    put("game/SOUNDS/One.PNG", 1);
    put("game/SOUNDS/deep_er/x_1.png", 1);
    put("game/SOUNDS/deep_er/folder.png/a.png", 1);
    assert_int_equal(lvl_art_add(art, at("game")), LVL_OK);
    const char *const good[] = {"ONE", "Deep_er_X_1", "deep_er_folder.png_a"};
    const char *const bad[] = {"",
                               "_",
                               "ONE_",
                               "_ONE",
                               "TWO",
                               "ONE.PNG",
                               "deep_er",
                               "deep_er_folder",
                               "deep_x_1",
                               "../SOUNDS/ONE",
                               "deep_er_.._..",
                               "deep_er_..",
                               "."};
    for (size_t i = 0; i < LVL_COUNT_OF(good); i++)
        assert_true(has_key(art, "SOUNDS", good[i], strlen(good[i]), '_'));
    for (size_t i = 0; i < LVL_COUNT_OF(bad); i++)
        assert_false(has_key(art, "SOUNDS", bad[i], strlen(bad[i]), '_'));
    assert_true(has_key(art, "SOUNDS", "deep_er:x_1", 11, ':'));
    assert_false(has_key(art, "SOUNDS", "deep_er_x_1", 11, ':'));
    assert_false(has_key(art, "SOUNDS", "ONE\0", 4, '_'));
    assert_false(has_key(art, "NOTHING", "ONE", 3, '_'));
    assert_false(has_key(art, LVL_ART_OWN "SOUNDS", "ONE", 3, '_'));
    memset(many, '_', sizeof many); /* which does not take long */
    for (size_t len = 1; len < sizeof many; len += len < 600 ? 1 : 199)
        assert_false(has_key(art, "SOUNDS", many, len, '_'));
    for (size_t i = 0; i < sizeof many; i += 2)
        many[i] = 'a';
    for (size_t len = 1; len < sizeof many; len += len < 600 ? 1 : 199)
        assert_false(has_key(art, "SOUNDS", many, len, '_'));
    lvl_art_free(art);
}

static void the_first_root_that_has_it_gives_it(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at("other")), LVL_OK);
    assert_int_equal(lvl_art_add(art, at("game")), LVL_OK);
    assert_int_equal(lvl_art_count(art), 2);
    assert_string_equal(lvl_art_root(art, 1), at("game"));
    assert_null(lvl_art_root(art, 2));
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "OFFICER"), -1), 90);
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "RAT"), -1), 91);
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "SKULL"), 0), 33);
    lvl_art_free(art);
}

static void archives_are_roots_too(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at("art.rez")), LVL_OK);
    assert_int_equal(value_of(art, find(art, "LEVEL9/IMAGES", "SOLDIER"), 1), 200);
    lvl_art_free(art);
    /* The same for files in a folder. */
    art = lvl_art_new(&ctx);
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, top), LVL_OK);
    assert_int_equal(value_of(art, find(art, "LEVEL9/IMAGES", "SOLDIER"), 1), 200);
    lvl_art_free(art);
}

static void a_list_names_many(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);
    char list[1200];

    (void)state;
    assert_non_null(art);
#ifdef _WIN32
    snprintf(list, sizeof list, "%s;;%s;%s", at("nowhere"), at("other"), at("art.rez"));
#else
    snprintf(list, sizeof list, "%s::%s:%s", at("nowhere"), at("other"), at("art.rez"));
#endif
    assert_int_equal(lvl_art_add_list(art, list), LVL_ERR_MISSING);
    assert_int_equal(lvl_art_count(art), 2);
    assert_int_equal(lvl_art_add_list(art, NULL), LVL_OK);
    assert_int_equal(lvl_art_add(art, at("game/broken.png")), LVL_ERR_FOREIGN);
    assert_int_equal(lvl_art_count(art), 2);
    lvl_art_free(art);
}

/* A level base/levels/Foo.lvl finds base/ASSETS, whichever way its path is written. */
static void collections_beside_the_levels_are_found(void **state)
{
    static const char *const from[] = {".", "deep", "deep/levels", "deep/levels/more"};
    static const char *const paths[] = {"deep/levels/more/Foo.lvl", "levels/more/Foo.lvl", "more/Foo.lvl",
                                        "Foo.lvl"};
    char here[1024];

    (void)state;
    put("deep/ASSETS/LEVEL1/IMAGES/OFFICER/FRAME001.PNG", 77);
    put("deep/levels/more/LEVEL2/IMAGES/OFFICER/FRAME001.PNG", 78);
    assert_non_null(getcwd(here, sizeof here));
    for (size_t i = 0; i < LVL_COUNT_OF(from); i++) {
        lvl_art *art = lvl_art_new(&ctx);
        assert_non_null(art);
        assert_int_equal(chdir(at(from[i])), 0);
        assert_int_equal(lvl_art_level(art, paths[i]), LVL_OK);
        assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "OFFICER"), -1), 77);
        assert_int_equal(value_of(art, find(art, "LEVEL2/IMAGES", "OFFICER"), -1), 78);
        assert_int_equal(chdir(here), 0);
        lvl_art_free(art);
    }
}

static void a_level_brings_what_lies_around_it(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_art_level(art, at("game/levels/Foo.lvl")), LVL_OK);
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "OFFICER"), -1), 7);
    assert_int_equal(value_of(art, find(art, LVL_ART_OWN "IMAGES", "HAT"), -1), 60);
    assert_null(find(art, "IMAGES", "HAT"));
    /* Another level has no custom art; the art above it is the same. */
    assert_int_equal(lvl_art_level(art, at("game/levels/Bar.lvl")), LVL_OK);
    assert_null(find(art, LVL_ART_OWN "IMAGES", "HAT"));
    assert_int_equal(value_of(art, find(art, "LEVEL1/IMAGES", "OFFICER"), -1), 7);
    const size_t roots = lvl_art_count(art);
    assert_int_equal(lvl_art_level(art, at("game/levels/Bar.lvl")), LVL_OK);
    assert_int_equal(lvl_art_count(art), roots);
    assert_int_equal(lvl_art_level(art, NULL), LVL_OK);
    assert_int_equal(lvl_art_count(art), 0);
    assert_null(find(art, "LEVEL1/IMAGES", "OFFICER"));
    /* A bare name means the folder we are in. */
    assert_int_equal(lvl_art_level(art, "Foo.lvl"), LVL_OK);
    assert_true(lvl_art_count(art) >= 1);
    lvl_art_free(art);
    lvl_art_free(NULL);
}

static void files_are_read_by_path(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);
    lvl_buffer buf = {0};

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at("game")), LVL_OK);
    assert_int_equal(lvl_art_read(art, "level1/tiles/action/012.png", &buf), LVL_OK);
    assert_true(buf.len > 8 && memcmp(buf.data, "\x89PNG", 4) == 0);
    assert_int_equal(lvl_art_read(art, "LEVEL1/TILES", &buf), LVL_ERR_MISSING);
    assert_int_equal(lvl_art_read(art, "LEVEL1/TILES/ACTION/013.PNG", &buf), LVL_ERR_MISSING);
    lvl_buffer_free(&buf);
    assert_null(lvl_art_palette(art, "LEVEL1/PALETTES/MAIN.PAL"));
    assert_null(lvl_art_palette(art, "LEVEL1/PALETTES/MAIN.PAL"));
    lvl_art_free(art);
}

static int first_of(const lvl_image *image)
{
    return image ? image->pixels[0] : -1;
}

static void a_file_is_found_by_its_name(void **state)
{
    /* 2 x 1 pixels of index 1, as a GIF, under a wrong ending */
    static const uint8_t gif[] = {'G', 'I', 'F', '8', '9', 'a', 2, 0, 1, 0, 0x80, 0, 0, 1,    2,    3, 4,  5,
                                  6,   ',', 0,   0,   0,   0,   2, 0, 1, 0, 0,    2, 2, 0x0C, 0x0A, 0, ';'};
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    put("plain/one.png", 41);
    put("plain/deep/er/two.png", 42);
    put("plain/deep/one.png", 43);
    put("world/levels/three.png", 44);
    put("world/levels/one.png", 45);
    put("world/levels/away/four.png", 46);
    put("world/more/three.png", 47);
    assert_int_equal(lvl_file_save(at("plain/odd.png"), (lvl_bytes){gif, sizeof gif}, LVL_SAVE_REPLACE, NULL),
                     LVL_OK);
    assert_int_equal(lvl_art_add(art, at("plain")), LVL_OK);
    assert_null(lvl_art_level_name(art));
    assert_int_equal(lvl_art_level(art, at("world/levels/a.lvl")), LVL_OK);
    assert_string_equal(lvl_art_level_name(art), "a.lvl");
    const lvl_image *one = lvl_art_picture(art, "ONE.png");
    assert_int_equal(first_of(one), 41);
    assert_int_equal(first_of(lvl_art_picture(art, "two.PNG")), 42);
    assert_int_equal(first_of(lvl_art_picture(art, "deep\\one.png")), 43);
    assert_int_equal(first_of(lvl_art_picture(art, "odd.png")), 1);
    assert_int_equal(first_of(lvl_art_picture(art, "three.png")), 44);
    /* around a level only its folders themselves count, unless they are named */
    assert_null(lvl_art_picture(art, "four.png"));
    assert_int_equal(first_of(lvl_art_picture(art, "away/four.png")), 46);
    assert_null(lvl_art_picture(art, "../levels/three.png"));
    assert_null(lvl_art_picture(art, ""));
    assert_int_equal(lvl_art_level(art, at("world/more/b.lvl")), LVL_OK);
    assert_int_equal(first_of(lvl_art_picture(art, "three.png")), 47);
    assert_ptr_equal(lvl_art_picture(art, "one.png"), one);
    lvl_art_free(art);
}

static void a_picture_is_a_root(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);
    const char *name = NULL;

    (void)state;
    assert_non_null(art);
    put("lone/sheet.png", 51);
    put("plain/sheet.png", 52);
    assert_int_equal(lvl_art_add(art, at("plain")), LVL_OK);
    assert_int_equal(lvl_art_add(art, at("lone/sheet.png")), LVL_OK);
    assert_int_not_equal(lvl_art_add(art, at("game/LEVEL1/IMAGES/SKULL/5.PNG")), LVL_OK);
    assert_int_equal(first_of(lvl_art_lone(art, 0, &name)), 51);
    assert_string_equal(name, "sheet.png");
    assert_null(lvl_art_lone(art, 1, NULL));
    assert_int_equal(first_of(lvl_art_picture(art, "sheet.png")), 52);
    lvl_art_free(art);
}

static void count_file(void *user, const char *name, lvl_bytes bytes)
{
    size_t *total = user;

    assert_non_null(name);
    *total += bytes.len;
}

static void files_are_listed_by_a_part_of_their_name(void **state)
{
    static const char *const names[] = {"listed/defsA.txt", "listed/DEFSb.TXT", "listed/defs.png",
                                        "listed/other.txt"};
    lvl_art *art = lvl_art_new(&ctx);
    size_t total = 0;

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_folder_make(at("listed"), NULL), LVL_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(lvl_file_save(at(names[i]), (lvl_bytes){(const uint8_t *)"12345678", 1u << i},
                                       LVL_SAVE_REPLACE, NULL),
                         LVL_OK);
    assert_int_equal(lvl_art_add(art, at("listed")), LVL_OK);
    assert_int_equal(lvl_art_visit_files(art, "defs", ".txt", count_file, &total), LVL_OK);
    assert_int_equal(total, 3);
    lvl_art_free(art);
}

/* A level's custom folder may be in a folder "Custom" beside or above it; the one beside the level is
 * searched first. */
static void custom_folders_are_a_levels_own(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    assert_int_equal(lvl_art_level(art, at("game/levels/Baz.lvl")), LVL_OK);
    assert_int_equal(value_of(art, find(art, LVL_ART_OWN "IMAGES", "HAT"), -1), 61);
    assert_int_equal(lvl_art_level(art, at("game/levels/Foo.lvl")), LVL_OK);
    assert_int_equal(value_of(art, find(art, LVL_ART_OWN "IMAGES", "HAT"), -1), 60);
    assert_int_equal(value_of(art, find(art, LVL_ART_OWN "IMAGES", "SCARF"), -1), 62);
    assert_int_equal(lvl_art_level(art, at("game/levels/Bar.lvl")), LVL_OK);
    assert_null(find(art, LVL_ART_OWN "IMAGES", "HAT"));
    assert_false(lvl_art_given(art));
    assert_int_equal(lvl_art_add(art, at("other")), LVL_OK);
    assert_true(lvl_art_given(art));
    lvl_art_free(art);
}

/* Going from folder to folder, each level finds the art around it, and none of the level before. */
static void roots_are_those_of_the_folder(void **state)
{
    lvl_art *art = lvl_art_new(&ctx);

    (void)state;
    assert_non_null(art);
    for (int turn = 0; turn < 3; turn++) {
        assert_int_equal(lvl_art_level(art, at("game/levels/Bar.lvl")), LVL_OK);
        const size_t count = lvl_art_count(art);
        assert_string_equal(lvl_art_root(art, 0), at("game/levels"));
        assert_string_equal(lvl_art_find_name(art, "pics/door.PNG"), "Door.png");
        assert_null(lvl_art_find_name(art, "door.PNG"));
        assert_null(lvl_art_find_name(art, "pics/../broken.png"));
        assert_string_equal(lvl_art_find_name(art, "FOO.lvl"), "Foo.lvl");
        assert_int_equal(lvl_art_level(art, at("game/pics/x.lvl")), LVL_OK);
        assert_int_equal(lvl_art_count(art), count);
        assert_string_equal(lvl_art_root(art, 0), at("game/pics"));
        assert_string_equal(lvl_art_find_name(art, "door.PNG"), "Door.png");
        assert_null(lvl_art_find_name(art, "FOO.lvl"));
    }
    lvl_art_free(art);
}

/* An art that is used again finds what changed on disk, and lists again nothing that did not. */
static void an_art_is_renewed(void **state)
{
    lvl_art *art;
    const lvl_image *image;

    (void)state;
    put("renew/levels/pics/a.png", 1);
    put("renew/levels/one.png", 2);
    remove(at("renew/levels/pics/b.png")); /* of an earlier run */
    remove(at("renew/levels/two.png"));
    remove(at("renew/levels/three.png"));
    put_archive("renew/more.rez");
    lvl_wait(SETTLE); /* what has just changed may change again and keep its time */
    art = lvl_art_new(&ctx);
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at("renew/more.rez")), LVL_OK);
    assert_int_equal(lvl_art_level(art, at("renew/levels/x.lvl")), LVL_OK);
    const char *archive = lvl_art_root(art, 0), *folder = lvl_art_root(art, 1);
    assert_non_null(lvl_art_picture(art, "pics/a.png"));
    assert_null(lvl_art_picture(art, "pics/b.png"));
    assert_true(lvl_art_renew(art));
    assert_int_equal(lvl_art_level(art, at("renew/levels/y.lvl")), LVL_OK);
    assert_ptr_equal(lvl_art_root(art, 0), archive); /* the same lists */
    assert_ptr_equal(lvl_art_root(art, 1), folder);
    /* a picture in a folder below the root, and one whose content changed in place */
    put("renew/levels/pics/b.png", 3);
    assert_true(lvl_art_renew(art));
    image = lvl_art_picture(art, "pics/b.png");
    assert_non_null(image);
    FILE *out = fopen(at("renew/levels/pics/a.png"), "wb");
    lvl_buffer other = picture(7);
    assert_non_null(out);
    assert_int_equal(fwrite(other.data, 1, other.len, out), other.len);
    assert_int_equal(fclose(out), 0);
    lvl_buffer_free(&other);
    assert_true(lvl_art_renew(art));
    image = lvl_art_picture(art, "pics/a.png");
    assert_non_null(image);
    assert_int_equal(image->pixels[0], 7);
    assert_ptr_equal(lvl_art_root(art, 1), folder);
    /* a file in the root, or another archive: a new art is needed */
    put("renew/levels/two.png", 4);
    assert_false(lvl_art_renew(art));
    lvl_art_free(art);
    lvl_wait(SETTLE);
    art = lvl_art_new(&ctx);
    assert_non_null(art);
    assert_int_equal(lvl_art_add(art, at("renew/more.rez")), LVL_OK);
    assert_true(lvl_art_renew(art));
    lvl_buffer bytes = {0};
    assert_int_equal(lvl_file_read(&bytes, at("renew/more.rez"), 1 << 20, NULL), LVL_OK);
    assert_int_equal(lvl_file_save(at("renew/more.rez"), lvl_buffer_bytes(&bytes), LVL_SAVE_REPLACE, NULL),
                     LVL_OK);
    lvl_buffer_free(&bytes);
    assert_false(lvl_art_renew(art));
    lvl_art_free(art);
    /* what changed a moment ago is not trusted */
    art = lvl_art_new(&ctx);
    assert_non_null(art);
    assert_int_equal(lvl_art_level(art, at("renew/levels/x.lvl")), LVL_OK);
    put("renew/levels/three.png", 4);
    lvl_art_free(art);
    art = lvl_art_new(&ctx);
    assert_non_null(art);
    assert_int_equal(lvl_art_level(art, at("renew/levels/x.lvl")), LVL_OK);
    assert_false(lvl_art_renew(art));
    lvl_art_free(art);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_found_by_number),
        cmocka_unit_test(names_part_at_underscores),
        cmocka_unit_test(keys_are_paths),
        cmocka_unit_test(the_first_root_that_has_it_gives_it),
        cmocka_unit_test(archives_are_roots_too),
        cmocka_unit_test(a_list_names_many),
        cmocka_unit_test(collections_beside_the_levels_are_found),
        cmocka_unit_test(a_level_brings_what_lies_around_it),
        cmocka_unit_test(custom_folders_are_a_levels_own),
        cmocka_unit_test(roots_are_those_of_the_folder),
        cmocka_unit_test(files_are_read_by_path),
        cmocka_unit_test(a_file_is_found_by_its_name),
        cmocka_unit_test(a_picture_is_a_root),
        cmocka_unit_test(files_are_listed_by_a_part_of_their_name),
        cmocka_unit_test(an_art_is_renewed),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
