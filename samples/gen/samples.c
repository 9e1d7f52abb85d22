/*
 * Which samples there are.
 */
#include "samples.h"

#include "files.h"
#include "graal_gen.h"
#include "sketchy_gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lvl_bytes bytes_of(const file_list *list, const char *path)
{
    const struct file_item *item = files_find(list, path);
    return (lvl_bytes){item->bytes.data, item->bytes.len};
}

static void add(file_list *list, const char *path, const world *w, const level_style *style)
{
    write_level(&files_add(list, path)->bytes, w, style);
}

/* Polish texts, in windows-1250: nothing in the file says so. */
static void add_polish(file_list *list, world *w)
{
    const world keep = *w;
    w->name = "Szare Klify - Level 1";
    w->author = "Za\xbf\xf3\xb3\xe6 G\xea\x9cl\xb9 Ja\x9f\xf1";
    w->plane[w->main].name = "Akcja g\xb3\xf3wna";
    w->object[0].name = lvl_text_of("\x8cwi\xeatojanka");
    w->object[1].name = lvl_text_of("Drzwi Ko\xf1"
                                    "cowe");
    add(list, "wwd/polish.wwd", w, &(level_style){0});
    *w = keep;
}

/* WapMap keeps an editor's data in an object's name, behind a NUL: a size, and that many bytes. */
static void add_odd_names(file_list *list, world *w)
{
    static const char with_data[] = "crate\0\4\0\0\0\2\0\0\0", only_nuls[] = "\0\0\0";
    const world keep = *w;
    w->object[0].name = (lvl_text){with_data, sizeof(with_data) - 1};
    w->object[1].name = (lvl_text){only_nuls, sizeof(only_nuls) - 1};
    add(list, "wwd/odd-names.wwd", w, &(level_style){0});
    *w = keep;
}

static void add_cliffs(file_list *list)
{
    world *w = make_cliffs();
    file_list art = {0};
    if (!w) {
        fputs("samples: out of memory\n", stderr);
        exit(3);
    }
    add(list, "wwd/cliffs.wwd", w, &(level_style){0});
    add(list, "wwd/cliffs-stored.wwd", w, &(level_style){.stored = true});
    add(list, "wwd/cliffs-wapmap.wwd", w,
        &(level_style){
            .compression = LVL_WWD_ZLIB_BEST, .checksum_rule = LVL_WWD_CHECKSUM_WAPMAP, .trailer = true});
    add(list, "wwd/cliffs-libwap32.wwd", w, &(level_style){.checksum_rule = LVL_WWD_CHECKSUM_LIBWAP32});
    struct file_item *odd = files_add(list, "wwd/odd-layout.wwd");
    write_odd_layout(&odd->bytes, bytes_of(list, "wwd/cliffs-stored.wwd"));
    add_polish(list, w);
    add_odd_names(list, w);
    add_damaged(list, "wwd/damaged", w, bytes_of(list, "wwd/cliffs-stored.wwd"),
                bytes_of(list, "wwd/cliffs.wwd"));

    add_tiles(&art, w, "LEVEL1/TILES");
    add_sprites(&art, "LEVEL1/IMAGES");
    add_sprites(&art, "GAME/IMAGES");
    add_sprites(&art, "CLAW/IMAGES");
    write_pal(&files_add(&art, "LEVEL1/PALETTES/MAIN.PAL")->bytes);
    if (lvl_format_find("rez"))
        write_rez(&files_add(list, "wwd/SAMPLES.REZ")->bytes, &art);

    /* Some of the archive's files by themselves. */
    static const char *const loose[][2] = {
        {"wwd/art/hermit.pid", "LEVEL1/IMAGES/HERMIT/001.PID"},
        {"wwd/art/chalice.pid", "GAME/IMAGES/TREASURE/CHALICE/001.PID"},
        {"wwd/art/gull.ani", "LEVEL1/ANIS/GULL.ANI"},
        {"wwd/art/main.pal", "LEVEL1/PALETTES/MAIN.PAL"},
    };
    for (size_t i = 0; i < sizeof(loose) / sizeof(loose[0]); i++) {
        const lvl_bytes from = bytes_of(&art, loose[i][1]);
        lvl_buffer_add(&files_add(list, loose[i][0])->bytes, from.ptr, from.len);
    }
    canvas *rock = tile_cave(1, 1);
    write_pcx(&files_add(list, "wwd/art/cave.pcx")->bytes, rock);
    canvas_free(rock);
    files_free(&art);
    world_free(w);
}

static void add_garden(file_list *list)
{
    world *w = make_garden();
    file_list art = {0};
    char path[160];
    if (!w) {
        fputs("samples: out of memory\n", stderr);
        exit(3);
    }
    add(list, "wwd/garden/keepers-garden.wwd", w, &(level_style){0});
    add_tiles(&art, w, "AREA1/TILEZ");
    add_sprites(&art, "AREA1/IMAGEZ");
    write_pal(&files_add(&art, "AREA1/PALETTES/MAIN.PAL")->bytes);
    for (int i = 0; i < art.count; i++) {
        snprintf(path, sizeof(path), "wwd/garden/%s", art.item[i].path);
        lvl_buffer_add(&files_add(list, path)->bytes, art.item[i].bytes.data, art.item[i].bytes.len);
    }
    files_free(&art);
    world_free(w);
}

bool samples_make(sample_fn emit, void *user)
{
    file_list list = {0};
    bool fine = true;
    add_cliffs(&list);
    add_garden(&list);
    graal_add(&list);
    sketchy_add(&list);
    for (int i = 0; i < list.count; i++) {
        fine = fine && list.item[i].bytes.status == LVL_OK;
        emit(user, list.item[i].path, (lvl_bytes){list.item[i].bytes.data, list.item[i].bytes.len});
    }
    files_free(&list);
    return fine;
}
