/*
 * The whole command on hostile input and with allocation failures, verb by verb: each allocation fails in
 * turn, and inputs are damaged. The exit code is always correct; an output is complete or absent, a file that
 * is edited in place is unchanged or completely changed, no other file remains, and nothing leaks.
 * LVL_HOSTILE=full fails every allocation and damages more; otherwise a part that is fast enough for every
 * test run.
 */
#define _DEFAULT_SOURCE
#include "cli/cli.h"
#include "hostile.h"
#include "sketchy_make.h"
#include "sketchy_seeds.h"
#include "starve.h"
#include "disk.h"
#include "codec/png.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef __linux__

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* One call. SAMPLES/ in an argument is replaced by the folder of samples. */
struct call {
    const char *args; /* blank-separated; they never hold blanks themselves */
    int code; /* that it ends with when all is well */
    const char *victim; /* the file in the folder that damage is done to; NULL: none */
    /* several inputs: each may fail alone, and the others go on, also where one file holds them */
    bool batch;
};

/* A zip with a zip with an empty level, l.nw. */
static const unsigned char nested_zip[] = {
    80,  75,  3,   4,  20,  0,   0,   0,   0,   0,   0,   0,   33,  0,   191, 198, 112, 61, 115, 0,   0,
    0,   115, 0,   0,  0,   5,   0,   0,   0,   97,  46,  122, 105, 112, 80,  75,  3,   4,  20,  0,   0,
    0,   0,   0,   0,  0,   33,  0,   249, 198, 214, 93,  9,   0,   0,   0,   9,   0,   0,  0,   4,   0,
    0,   0,   108, 46, 110, 119, 71,  76,  69,  86,  78,  87,  48,  49,  10,  80,  75,  1,  2,   20,  3,
    20,  0,   0,   0,  0,   0,   0,   0,   33,  0,   249, 198, 214, 93,  9,   0,   0,   0,  9,   0,   0,
    0,   4,   0,   0,  0,   0,   0,   0,   0,   0,   0,   0,   0,   128, 1,   0,   0,   0,  0,   108, 46,
    110, 119, 80,  75, 5,   6,   0,   0,   0,   0,   1,   0,   1,   0,   50,  0,   0,   0,  43,  0,   0,
    0,   0,   0,   80, 75,  1,   2,   20,  3,   20,  0,   0,   0,   0,   0,   0,   0,   33, 0,   191, 198,
    112, 61,  115, 0,  0,   0,   115, 0,   0,   0,   5,   0,   0,   0,   0,   0,   0,   0,  0,   0,   0,
    0,   128, 1,   0,  0,   0,   0,   97,  46,  122, 105, 112, 80,  75,  5,   6,   0,   0,  0,   0,   1,
    0,   1,   0,   51, 0,   0,   0,   150, 0,   0,   0,   0,   0};

/* How the folder that calls work in is filled: by calls, from the seeds. */
static const char *const makings[] = {
    "set v3.1.level title=Other swatches[2].color=#00ff00 layers[0].chunks[0].pixels[1,1]=2 -o other.level",
    "render v4.level -o picture.png",
    "render doodad.level -o small.png",
    "extract pack.levelpack -o packed",
    "extract doodad.level --scripts -o texts",
    "dump v3.1.level -o v3.1.json",
    "convert picture.png --to v3.1 --chunk-size 24 --allow-loss -o drawn.level",
    "convert SAMPLES/graal/lakeside --to nw --allow-loss -o out-world",
    "convert SAMPLES/graal/lakeside/lake_mill.nw -o mill.tmj",
    "convert v3.1.level -o drawn.tmx",
    "convert v3.1.level --chunk-size 40 -o chunks.level",
    "scan v4.level v3.1.level pack.levelpack -o levels.db",
    "convert SAMPLES/graal/boat.png SAMPLES/graal/cat.png --sheet -o sheet.png",
    "convert sheet.png --slice 16x16 -o film.gif",
};

static const struct call calls[] = {
    {"check nested.zip", 0, NULL, false},
    /* pictures to drawings */
    {"convert picture.png --to v3.1 -o out.level", 0, "picture.png", false},
    {"convert picture.png --to v1 --chunk-size 9 -o out.level", 0, "picture.png", false},
    {"convert small.png -o out.doodad", 0, "small.png", false},
    {"convert picture.png --palette v2.level --allow-loss --to v4 -o out.level", 0, "v2.level", false},
    {"convert picture.png --palette drawn.level --to v2 -o out.level --allow-loss", 0, "drawn.level", false},
    /* made anew */
    {"convert v1.level --chunk-size 8 -o out.level", 0, "v1.level", false},
    {"convert v3.1.level --chunk-size 40 --trim-palette -i", 0, "v3.1.level", false},
    {"convert v4.level --trim-palette -o out.level", 0, "v4.level", false},
    {"convert drawn.level --chunk-size 255 --screenshots --to v4 -o out.level", 0, "drawn.level", false},
    {"convert v2.level --screenshots -i --allow-loss", 0, "v2.level", false},
    /* every generation from another */
    {"convert v1.level --to v4 -o out.level", 0, "v1.level", false},
    {"convert v2.level --to v3.1 -i", 0, "v2.level", false},
    {"convert v3.level --to v1 -o out.level --allow-loss", 0, "v3.level", false},
    {"convert v3.1.level --to v3 -o out.level", 0, "v3.1.level", false},
    {"convert v4.level --to v2 -o out.level --allow-loss", 0, "v4.level", false},
    {"convert base64.level --to v3.1 -o out.level", 0, "base64.level", false},
    {"convert doodad.level --to v1 -o out.doodad --allow-loss", 0, "doodad.level", false},
    /* packs and what is in them */
    {"convert pack.levelpack//levels --to v4 -i", 0, "pack.levelpack", true},
    {"convert pack.levelpack//levels/two.level --chunk-size 32 -i", 0, "pack.levelpack", false},
    {"set pack.levelpack//levels/one.level title=New swatches[0].color=#123456 -i", 0, "pack.levelpack",
     false},
    {"set pack.levelpack title=New levels[0].title=Else -i", 0, "pack.levelpack", false},
    {"set pack.levelpack//doodads/switch.doodad layers[0].name=dark -o out.doodad", 0, "pack.levelpack",
     false},
    {"get pack.levelpack//levels/two.level actors[*].filename title --json", 0, "pack.levelpack", false},
    {"extract pack.levelpack -o out", 0, "pack.levelpack", false},
    {"extract pack.levelpack levels -o out --json", 0, "pack.levelpack", false},
    {"extract --list pack.levelpack", 0, "pack.levelpack", false},
    {"extract doodad.level --scripts -o out", 0, "doodad.level", false},
    {"pack packed -o out.levelpack", 0, NULL, false},
    {"pack texts doodad.level -o out.doodad", 0, "doodad.level", false},
    {"pack texts doodad.level -i", 0, "doodad.level", false},
    /* edits */
    {"set v3.1.level title=x actors[0].links[+]=a1 layers[0].chunks[0].pixels[0..3,0..3]=1 -i", 0,
     "v3.1.level", false},
    {"set v1.level --unset actors[0] --unset swatches[3] -o out.level", 0, "v1.level", false},
    {"set v4.level layers[0].chunks[1].pixels[2,2]=1 -o out.level", 0, "v4.level", false},
    /* pictures of drawings */
    {"render v4.level -o out.png", 0, "v4.level", false},
    {"render v1.level --region -20,-20,70,90 --overlay grid,objects,attributes,legend -o out.png", 0,
     "v1.level", false},
    {"render v3.level --size 40 --transparent -o out.png", 0, "v3.level", false},
    {"render drawn.level --camera 10,10 --view 64x48 -o out.png", 0, "drawn.level", false},
    {"render v2.level --schematic -o out.png", 0, "v2.level", false},
    {"render doodad.level --sheet -o out.png", 0, "doodad.level", false},
    {"render doodad.level --apng -o out.png", 0, "doodad.level", false},
    {"render pack.levelpack//levels --size 32 -o out", 0, "pack.levelpack", false},
    {"render v4.level --tiles out", 0, "v4.level", true},
    {"convert v3.1.level --to csv -o out", 0, "v3.1.level", true},
    {"convert v4.level --to ldtk -o out", 0, "v4.level", true},
    {"convert pack.levelpack//levels --to csv -o out", 0, "pack.levelpack", true},
    {"diff v3.1.level other.level --image out.png", 1, "other.level", false},
    {"diff v3.1.level other.level --json", 1, "other.level", false},
    {"diff v1.level v4.level", 1, "v4.level", false},
    /* the rest */
    {"repair v2.level -o out.level", 0, "v2.level", false},
    {"repair v3.1.level --recover -o out.level", 0, "v3.1.level", false},
    {"repair pack.levelpack -i", 0, "pack.levelpack", false},
    {"repair pack.levelpack//levels/one.level -i", 0, "pack.levelpack", false},
    {"repair --dry-run SAMPLES/sketchy/damaged", 0, NULL, false},
    {"check --roundtrip v3.level", 0, "v3.level", false},
    {"check --json pack.levelpack pack.levelpack//levels", 0, "pack.levelpack", false},
    {"info --json v4.level pack.levelpack doodad.level", 0, "v4.level", false},
    {"dump v3.1.level -o out.json", 0, "v3.1.level", false},
    {"undump v3.1.json -o out.level", 0, "v3.1.json", false},
    {"explain v3.1.level --all", 0, "v3.1.level", false},
    {"explain v2.level --residue --json", 0, "v2.level", false},
    {"view pack.levelpack//levels doodad.level --page page.html -o out.html", 0, "pack.levelpack", true},
    {"view v4.level --page page.html --json -o out.html", 0, "v4.level", false},
    {"view SAMPLES/graal/lakeside/lake_mill.nw --page page.html -o out.html", 0, NULL, false},
    {"view SAMPLES/wwd/cliffs.wwd --page page.html -o out.html", 0, NULL, false},
    /* the other families */
    {"render SAMPLES/graal/lakeside/lakeside.gmap --size 64 -o out.png", 0, NULL, false},
    {"render SAMPLES/graal/lakeside/lake_mill.nw --tiles out", 0, NULL, true},
    {"convert SAMPLES/graal/lakeside/lake_mill.nw --to ldtk -o out", 0, NULL, true},
    {"convert SAMPLES/small/small.wwd --to ldtk -o out", 0, NULL, true},
    {"info SAMPLES/graal/server/scripts/lakeside_door.txt", 0, NULL, false},
    {"render SAMPLES/graal/lakeside --graph -o out.dot", 0, NULL, true},
    {"render SAMPLES/graal/lakeside/lake_mill.nw --overlay all --scale 1/4 -o out.png", 0, NULL, false},
    {"render SAMPLES/graal/ganis/sparks.gani --sheet -o out.png", 0, NULL, false},
    {"convert SAMPLES/graal/pics1.png -o out.pid", 0, NULL, false},
    {"convert SAMPLES/wwd/art/cave.pcx -o out.png", 0, NULL, false},
    {"convert SAMPLES/graal/lakeside/frost_pass.graal --to nw --allow-loss -o out.nw", 0, NULL, false},
    {"convert SAMPLES/graal/lakeside/lakeside.gmap --to bigmap --allow-loss -o out.txt", 0, NULL, false},
    {"convert SAMPLES/graal/lakeside/lake_mill.nw --to sketchy --allow-loss -o out.level", 0, NULL, false},
    {"convert SAMPLES/wwd/polish.wwd --to sketchy --scale 1/4 --allow-loss -o out.level", 0, NULL, false},
    {"convert SAMPLES/graal/lakeside/lake_mill.nw -o out.tmx --property-types", 0, NULL, false},
    {"convert SAMPLES/wwd/polish.wwd -o out.tmj", 0, NULL, false},
    {"convert mill.tmj -o out.nw", 0, "mill.tmj", false},
    {"convert drawn.tmx -o out.level", 0, "drawn.tmx", false},
    /* sheets, lists of frames, grids, animations, music */
    {"convert SAMPLES/wwd/art/hermit.pid SAMPLES/wwd/art/chalice.pid --sheet -o out.png", 0, NULL, true},
    {"convert film.gif sheet.png --sheet --data hash -o out.png", 0, "film.gif", true},
    {"convert sheet.json --to pid -o out", 0, "sheet.png", true},
    {"convert sheet.json -o out.gif", 0, "sheet.png", false},
    {"convert sheet.json -o out.apng", 0, "sheet.png", false},
    {"convert film.gif -o out.doodad", 0, "film.gif", false},
    {"convert sheet.json -o out.gani --allow-loss", 0, "sheet.json", false},
    {"convert sheet.png --slice 16x16 --to png -o out", 0, "sheet.png", true},
    {"convert sheet.png --slice 16x16 -o out.gani --allow-loss", 0, "sheet.png", false},
    {"convert film.gif -o out.gani --allow-loss", 0, "film.gif", true},
    {"convert film.gif -o out.ani", 0, "film.gif", false},
    {"convert film.gif --to png -o out/", 0, "film.gif", true},
    {"convert sheet.png -o out.pal", 0, "sheet.png", false},
    {"convert SAMPLES/wwd/art/tune.xmi -o out.mid", 0, NULL, false},
    {"convert SAMPLES/wwd/art/tune.xmi -o out.txt", 0, NULL, false},
    {"check SAMPLES/wwd/art/tune.xmi", 0, NULL, false},
    {"new wwd --base 3 -o out.wwd", 0, NULL, false},
    {"move SAMPLES/wwd/cliffs.wwd planes[Action].objects[*] +64,0 --rules SAMPLES/rules/contest.json -o "
     "out.wwd",
     0, NULL, false},
    /* whole worlds, new files, sizes, and two or three files at once */
    {"rename lake_mill.nw out_mill.nw --in out-world --scripts", 0, NULL, false},
    {"rename lake_mill.nw out_mill.nw --in out-world -n --json", 0, NULL, false},
    {"convert out-world --to graal -o out-binary --rewrite-links --allow-loss --scripts -v", 0, NULL, false},
    {"gmap out-world -o out.gmap", 0, NULL, false},
    {"new gmap --size 3x2 -o out.gmap", 0, NULL, false},
    {"new gani -o out.gani", 0, NULL, false},
    {"new levelpack -o out.levelpack", 0, NULL, false},
    {"new rez -o out.rez", 0, NULL, false},
    {"new v3.1 -o out.level", 0, NULL, false},
    {"resize v3.1.level --size 60x40 -o out.level", 0, "v3.1.level", false},
    {"resize SAMPLES/wwd/cliffs.wwd --size 30x40 --anchor bottom-right --plane * -o out.wwd", 0, NULL, false},
    {"move SAMPLES/wwd/cliffs.wwd planes[Action].objects[logic=Officer] +64,0 -o out.wwd", 0, NULL, false},
    {"move v3.1.level --tiles 0,0,9,9 +30,4 -o out.level", 0, "v3.1.level", false},
    {"copy SAMPLES/wwd/cliffs.wwd --tiles 4,2,8,6 SAMPLES/wwd/cliffs.wwd --by +20,0 -o out.wwd", 0, NULL,
     false},
    {"copy v3.1.level actors[*] v4.level -i", 0, "v3.1.level", false},
    {"copy SAMPLES/wwd/cliffs.wwd planes[1].tiles[0..3,0..3] SAMPLES/wwd/cliffs.wwd -o out.wwd", 0, NULL,
     false},
    {"merge v3.1.level v3.1.level other.level -o out.level", 0, "other.level", false},
    {"merge v3.1.level other.level chunks.level -o out.level", 0, "other.level", false},
    {"merge SAMPLES/graal/lakeside/lake_mill.nw SAMPLES/graal/lakeside/lake_woods.nw "
     "SAMPLES/graal/lakeside/lake_meadow.nw --html out.html",
     1, NULL, true},
    {"merge SAMPLES/wwd/cliffs.wwd SAMPLES/wwd/polish.wwd SAMPLES/wwd/cliffs.wwd -o out.wwd", 0, NULL, false},
    {"check SAMPLES/wwd/cliffs.wwd --rules SAMPLES/rules/contest.json", 0, NULL, false},
    {"check --json SAMPLES/graal/ganis", 0, NULL, true},
    {"info --json SAMPLES/graal/lakeside", 0, NULL, true},
    {"repair SAMPLES/graal/damaged -o out", 0, NULL, true},
    {"dump SAMPLES/graal/ganis/meeting.gani -o out.json", 0, NULL, false},
    {"get SAMPLES/graal/lakeside/lake_village.nw npcs[*].x signs[*].text --json", 0, NULL, false},
    {"set SAMPLES/graal/lakeside/lake_shore.nw npcs[*].x+=1 -o out.nw", 0, NULL, false},
    {"explain SAMPLES/graal/versions/gr-v1.03.graal --all", 0, NULL, false},
    {"extract SAMPLES/graal/lakeside/lake_village.nw --scripts --signs -o out", 0, NULL, false},
    {"diff SAMPLES/graal/versions/gr-v1.03.graal SAMPLES/graal/versions/gr-v1.02.graal --image out.png", 1,
     NULL, false},
    {"render SAMPLES/wwd/cliffs.wwd --size 48 -o out.png", 0, NULL, false},
    {"check --art SAMPLES/wwd/SAMPLES.REZ SAMPLES/wwd/cliffs.wwd SAMPLES/wwd/damaged/images.wwd", 0, NULL,
     true},
    {"info --json SAMPLES/wwd/cliffs.wwd SAMPLES/wwd/art", 0, NULL, true},
    {"dump SAMPLES/wwd/cliffs.wwd -o out.json", 0, NULL, false},
    {"get SAMPLES/wwd/cliffs.wwd planes[*].objects[logic~e].x planes[1].image_sets --json", 0, NULL, false},
    {"set SAMPLES/wwd/cliffs.wwd planes[*].objects[*].x+=1 -o out.wwd", 0, NULL, false},
    {"explain SAMPLES/wwd/cliffs.wwd --residue", 0, NULL, false},
    {"diff SAMPLES/wwd/cliffs.wwd SAMPLES/wwd/polish.wwd --image out.png --size 32", 1, NULL, false},
    {"repair SAMPLES/wwd/damaged/properties.wwd -o out.wwd", 0, NULL, false},
    {"extract SAMPLES/wwd/SAMPLES.REZ LEVEL1/IMAGES -o out", 0, NULL, true},
    {"convert SAMPLES/graal/versions/gr-v1.03.graal --to nw -o out.nw", 0, NULL, false},
    {"convert SAMPLES/wwd/art/hermit.pid -o out.png", 0, NULL, false},
    {"render SAMPLES/graal/ganis/hero_walk.gani --apng --with coat=green -o out.png", 0, NULL, false},
    {"render SAMPLES/wwd/art/gull.ani -o out.gif", 0, NULL, false},
    {"render SAMPLES/graal/lakeside/lake_meadow.nw --size 64 -o out.png", 0, NULL, false},
    {"extract SAMPLES/wwd/SAMPLES.REZ LEVEL1/PALETTES -o out", 0, NULL, false},
    {"render SAMPLES/wwd/cliffs.wwd --camera 600,400 --view 64x48 -o out.png", 0, NULL, false},
    {"repair SAMPLES/graal/damaged/stale-baddies.graal --recover -o out.graal", 0, NULL, false},
    {"repair SAMPLES/wwd/damaged/truncated.wwd -o out.wwd", 0, NULL, false},
    {"find mill --in SAMPLES/graal/lakeside/lake_meadow.nw", 0, NULL, false},
    {"find level --in levels.db", 0, NULL, false},
    {"find --like v4.level --in levels.db --json", 0, NULL, false},
    {"find format:sketchyy --in levels.db", 1, NULL, false},
    {"catalog stats --in levels.db", 0, NULL, false},
    {"find --uses lantern.doodad --in SAMPLES/sketchy/hill-v4.level --json", 0, NULL, false},
    {"check --only wwd.object,wwd.name SAMPLES/wwd/damaged/base-level.wwd --json", 0, NULL, false},
    {"set SAMPLES/wwd/SAMPLES.REZ//LEVEL1/PALETTES/MAIN.PAL colors[0].red=1 -o out.pal", 0, NULL, false},
};

static char top[64], folder[128], samples[128];
static int real_out, real_err, capture, messages;
static bool full, report;
static lvl_disk sound; /* what the folder holds before each call */

/* ---- a call ------------------------------------------------------------------------------------------ */

enum { MAX_ARGS = 24 };

/* Calls the command with its output going to files. The `from`th allocation fails. */
static int call_command(const char *line, uint64_t from, bool on)
{
    char words[4096], name[] = "lvl", jobs[] = "-j", one[] = "1", *args[MAX_ARGS + 3] = {name};
    int argc = 1;
    size_t n = 0;

    for (const char *p = line; *p && argc < MAX_ARGS; argc++) {
        const size_t len = strcspn(p, " ");
        args[argc] = words + n;
        const bool sample = !strncmp(p, "SAMPLES/", 8);
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%.*s", sample ? samples : "",
                              (int)(sample ? len - 7 : len), sample ? p + 7 : p) +
             1;
        p += len;
        p += *p == ' ';
    }
    /* one thread, since starving is not for more */
    if (strcmp(args[1], "pack") != 0 && strcmp(args[1], "extract") != 0 && strcmp(args[1], "new") != 0 &&
        strcmp(args[1], "catalog") != 0) {
        args[argc++] = jobs;
        args[argc++] = one;
    }
    args[argc] = NULL;
    fflush(stdout);
    (void)!ftruncate(capture, 0);
    lseek(capture, 0, SEEK_SET);
    dup2(capture, 1);
    (void)!ftruncate(messages, 0);
    lseek(messages, 0, SEEK_SET);
    dup2(report ? real_err : messages, 2);
    lvl_starve_from(from, on);
    const int code = cli_main(argc, args);
    fflush(stdout);
    dup2(real_out, 1);
    dup2(real_err, 2);
    return code;
}

static void captured(lvl_buffer *out)
{
    uint8_t block[4096];
    ssize_t n;

    lseek(capture, 0, SEEK_SET);
    while ((n = read(capture, block, sizeof block)) > 0)
        lvl_buffer_add(out, block, (size_t)n);
}

/* The state that a call left, and the folder as before. */
struct result {
    lvl_disk tree;
    lvl_buffer out;
    int code;
    uint64_t calls;
    bool leaks, silent; /* nothing on standard error */
};

static void result_free(struct result *r)
{
    lvl_disk_free(&r->tree);
    lvl_buffer_free(&r->out);
}

static struct result run(const char *line, uint64_t from, bool on)
{
    const uint64_t blocks = lvl_starve_blocks();
    struct result r = {0};

    r.code = call_command(line, from, on);
    r.calls = lvl_starve_calls();
    lvl_starve_from(0, false);
    r.leaks = lvl_starve_blocks() != blocks;
    r.silent = !report && lseek(messages, 0, SEEK_END) == 0;
    captured(&r.out);
    assert_true(lvl_disk_read(&r.tree, "."));
    assert_true(lvl_disk_restore(&sound, &r.tree, "."));
    return r;
}

static void pixel_of(const lvl_image *image, uint32_t i, uint8_t out[4])
{
    const bool colors = image->format == LVL_PIXELS_RGBA8;
    const uint8_t *p = colors           ? image->pixels + (size_t)i * 4
                       : image->palette ? image->palette->rgb[image->pixels[i]]
                                        : image->pixels + i;

    memcpy(out, p, colors ? 4 : image->palette ? 3 : 1);
    if (!colors)
        out[3] = image->mask ? image->mask[i] : 255;
}

/* The same bytes, or the same pixels in a PNG: how these are packed may depend on what memory there was for
 * it. */
static bool equal(const lvl_disk_file *a, const lvl_disk_file *b)
{
    lvl_image x = {0}, y = {0};
    lvl_ctx ctx;

    if (!a || !b || lvl_disk_same(a, b))
        return a && b;
    lvl_ctx_init(&ctx);
    bool same = lvl_png_read(&ctx, (lvl_bytes){a->bytes.data, a->bytes.len}, &x) == LVL_OK &&
                lvl_png_read(&ctx, (lvl_bytes){b->bytes.data, b->bytes.len}, &y) == LVL_OK &&
                x.width == y.width && x.height == y.height;
    for (uint32_t i = 0; same && i < x.width * x.height; i++) {
        uint8_t p[4], q[4];
        pixel_of(&x, i, p);
        pixel_of(&y, i, q);
        same = !memcmp(p, q, 4) || (!p[3] && !q[3]); /* what isn't seen has any colour */
    }
    lvl_image_clear(&x);
    lvl_image_clear(&y);
    return same;
}

/* Checks the files that remain, against those of a successful run (`good`, may be NULL: any complete file)
 * and those before. */
static const char *left_behind(const struct result *r, const struct result *good, bool batch)
{
    for (size_t i = 0; i < sound.count; i++) {
        const lvl_disk_file *now = lvl_disk_find(&r->tree, sound.files[i].path);
        if (!now && good && !lvl_disk_find(&good->tree, sound.files[i].path))
            continue;
        if (!now)
            return "a file is gone";
        if (good && !batch && !lvl_disk_same(now, &sound.files[i]) &&
            !equal(now, lvl_disk_find(&good->tree, now->path)))
            return "a file was changed by halves";
    }
    for (size_t i = 0; i < r->tree.count; i++) {
        const lvl_disk_file *now = &r->tree.files[i];
        if (lvl_disk_find(&sound, now->path))
            continue;
        if (strstr(now->path, ".db-")) /* SQLite's journal, which it reads or removes the next time */
            continue;
        if (strncmp(now->path, "out", 3) != 0)
            return "something lies about";
        if (good && !equal(now, lvl_disk_find(&good->tree, now->path)))
            return "a file was written by halves";
    }
    return NULL;
}

/* Without memory SQLite leaves its journal, which has the rows then, for the next program that opens it. */
static bool is_of_database(const char *path)
{
    return strstr(path, ".db") != NULL;
}

static bool has_journal(const struct result *r)
{
    for (size_t i = 0; i < r->tree.count; i++) {
        if (strstr(r->tree.files[i].path, ".db-"))
            return true;
    }
    return false;
}

static bool all_same(const struct result *a, const struct result *b)
{
    const bool journal = has_journal(a) || has_journal(b);
    size_t in_a = 0, in_b = 0;

    if (a->out.len != b->out.len || (a->out.len && memcmp(a->out.data, b->out.data, a->out.len) != 0))
        return false;
    for (size_t i = 0; i < b->tree.count; i++)
        in_b += !(journal && is_of_database(b->tree.files[i].path));
    for (size_t i = 0; i < a->tree.count; i++) {
        if (journal && is_of_database(a->tree.files[i].path))
            continue;
        in_a++;
        if (!equal(&a->tree.files[i], lvl_disk_find(&b->tree, a->tree.files[i].path)))
            return false;
    }
    return in_a == in_b;
}

/* Whether a call that failed changed some of the files and not others. */
static bool changed_in_part(const struct result *r, const struct result *good)
{
    const struct result before = {.tree = sound};

    return !all_same(&(struct result){.tree = r->tree}, &before) &&
           !all_same(&(struct result){.tree = r->tree}, &(struct result){.tree = good->tree});
}

/* ---- without memory ---------------------------------------------------------------------------------- */

/* The first line in which what was printed differs. */
static void show_difference(const lvl_buffer *good, const lvl_buffer *now)
{
    enum { MOST = 300 };
    size_t start = 0, i = 0;

    for (; i < good->len && i < now->len && good->data[i] == now->data[i]; i++)
        start = good->data[i] == '\n' ? i + 1 : start;
    if (i == good->len && i == now->len)
        return;
    print_error("with memory:    %.*s\n", (int)(good->len - start < MOST ? good->len - start : MOST),
                start < good->len ? (const char *)good->data + start : "");
    print_error("without memory: %.*s\n", (int)(now->len - start < MOST ? now->len - start : MOST),
                start < now->len ? (const char *)now->data + start : "");
}

static unsigned starve_call(const struct call *call, uint64_t *tried)
{
    enum { PART = 16, MAX_FAILURES = 4 };
    struct result good = run(call->args, 0, false);
    unsigned failures = 0;

    if (good.code != call->code || good.leaks) {
        print_error("lvl %s: exit %d, not %d%s\n", call->args, good.code, call->code,
                    good.leaks ? ", and memory is lost" : "");
        failures = 1;
    }
    const char *at = getenv("LVL_HOSTILE_AT"); /* NOLINT(concurrency-mt-unsafe): the one call that fails */
    if (at) {
        struct result r = run(call->args, strtoull(at, NULL, 10), false);
        result_free(&r);
        result_free(&good);
        return failures;
    }
    const uint64_t most = full ? 3000 : PART, times = good.calls < most ? good.calls : most;
    for (uint64_t i = 0; i < times && failures < MAX_FAILURES; i++) {
        const uint64_t from = good.calls <= most ? i + 1 : (i + 1) * good.calls / most;
        for (int on = 0; on < 2; on++) {
            if (on && i % 4)
                continue;
            struct result r = run(call->args, from, on);
            const char *complaint = r.leaks ? "memory is lost" : left_behind(&r, &good, call->batch);
            if (!complaint && r.code == good.code && !all_same(&r, &good) && r.code != EXIT_ENVIRONMENT)
                complaint = "another result, and it ends as if all were well";
            if (!complaint && r.code != good.code && r.code != EXIT_ENVIRONMENT)
                complaint = "it doesn't say that memory ran out";
            if (!complaint && r.code == EXIT_ENVIRONMENT && r.silent)
                complaint = "it ends without a message";
            if (!complaint && !strncmp(call->args, "rename", 6) && changed_in_part(&r, &good))
                complaint = "some files are renamed in, and others not";
            if (complaint) {
                print_error("lvl %s: allocation %llu of %llu fails%s: exit %d: %s\n", call->args,
                            (unsigned long long)from, (unsigned long long)good.calls,
                            on ? ", and all after it" : "", r.code, complaint);
                show_difference(&good.out, &r.out);
                failures++;
            }
            result_free(&r);
            ++*tried;
        }
    }
    result_free(&good);
    return failures;
}

static bool wanted(const struct call *call)
{
    const char *only = getenv("LVL_HOSTILE_CALL");

    return !only || strstr(call->args, only);
}

static void without_memory(void **state)
{
    unsigned failures = 0;
    uint64_t tried = 0;

    (void)state;
    if (!lvl_starve_works())
        skip();
    for (size_t i = 0; i < LVL_COUNT_OF(calls); i++)
        failures += wanted(&calls[i]) ? starve_call(&calls[i], &tried) : 0;
    print_message("%u calls of the command, %llu times without memory\n", LVL_COUNT_OF(calls),
                  (unsigned long long)tried);
    assert_int_equal(failures, 0);
}

/* ---- damaged inputs ---------------------------------------------------------------------------------- */

static uint32_t seed = 1;

static uint32_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

/* Bits flipped, cut, or a piece of it zeroed. */
static void damage(lvl_buffer *b)
{
    for (uint32_t times = next_random() % 4 + 1; times && b->len; times--) {
        const size_t at = next_random() % b->len;
        switch (next_random() % 6) {
        case 0: b->len = at; break;
        case 1: memset(b->data + at, 0, b->len - at < 9 ? b->len - at : 9); break;
        case 2: b->data[at] = (uint8_t)next_random(); break;
        default: b->data[at] ^= (uint8_t)(1u << next_random() % 8);
        }
    }
}

/* Damages the file, in every second case what is packed in it. */
static bool damage_file(const lvl_disk_file *file, unsigned i, lvl_buffer *out)
{
    const lvl_hostile_hook *hook = i % 4 == 1 ? &lvl_sketchy_document_hook : &lvl_sketchy_chunk_hook;
    const lvl_bytes all = {file->bytes.data, file->bytes.len};
    lvl_buffer inner = {0};
    bool done = false;

    if (i % 2 && hook->unwrap(all, &inner)) {
        damage(&inner);
        done = hook->wrap(all, (lvl_bytes){inner.data, inner.len}, out);
    }
    lvl_buffer_free(&inner);
    if (!done) {
        out->len = 0;
        lvl_buffer_add(out, all.ptr, all.len);
        damage(out);
    }
    return out->status == LVL_OK;
}

static void keep(const lvl_buffer *bytes, const char *name)
{
    const char *dir = getenv("LVL_HOSTILE_OUT");
    char path[600];

    if (!dir || !*dir)
        return;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(bytes->data, 1, bytes->len, f);
        fclose(f);
    }
}

static unsigned damaged_call(const struct call *call, uint64_t *tried, uint64_t *went_well)
{
    enum { PART = 16, ALL = 1500 };
    const lvl_disk_file *file = lvl_disk_find(&sound, call->victim);
    const unsigned times = full ? ALL : PART;
    unsigned failures = 0;

    assert_non_null(file);
    for (unsigned i = 0; i < times && failures < 3; i++) {
        lvl_buffer bytes = {0};
        assert_true(damage_file(file, i, &bytes));
        FILE *f = fopen(call->victim, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(bytes.data, 1, bytes.len, f), bytes.len);
        fclose(f);
        struct result r = run(call->args, 0, false);
        const char *complaint = r.leaks ? "memory is lost" : left_behind(&r, NULL, call->batch);
        if (!complaint && (r.code < 0 || r.code > EXIT_FOREIGN))
            complaint = "what code is that?";
        /* an edit may find nothing there, a path that can't be: never is the whole command line wrong */
        if (!complaint && r.code == EXIT_ENVIRONMENT)
            complaint = "it says that the system refused";
        /* the victim changes only where all went well; of several members some may */
        const lvl_disk_file *now = lvl_disk_find(&r.tree, call->victim);
        const bool changed =
            now->bytes.len != bytes.len || (bytes.len && memcmp(now->bytes.data, bytes.data, bytes.len) != 0);
        /* repair corrects what it can; its exit code shows that errors remain */
        const bool may = r.code == 0 || strstr(call->args, "//") || !strncmp(call->args, "repair", 6);
        if (!complaint && changed && (!strstr(call->args, " -i") || !may))
            complaint = "a file was changed though the call failed";
        if (complaint) {
            char name[64];
            snprintf(name, sizeof name, "cli-%u-%s", i, call->victim);
            print_error("lvl %s: damaged %u: exit %d: %s\n", call->args, i, r.code, complaint);
            keep(&bytes, name);
            failures++;
        }
        *went_well += r.code == 0;
        ++*tried;
        result_free(&r);
        lvl_buffer_free(&bytes);
    }
    return failures;
}

static void damaged(void **state)
{
    unsigned failures = 0;
    uint64_t tried = 0, well = 0;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(calls); i++)
        failures += calls[i].victim && wanted(&calls[i]) ? damaged_call(&calls[i], &tried, &well) : 0;
    print_message("%llu times with a damaged input, %llu of them went well\n", (unsigned long long)tried,
                  (unsigned long long)well);
    assert_int_equal(failures, 0);
}

/* ---- the folder -------------------------------------------------------------------------------------- */

static int make_folder(void **state)
{
    (void)state;
    full = lvl_hostile_wants_full();
    report = getenv("LVL_HOSTILE_TELL") != NULL;
    unsetenv("LVL_ART"); /* NOLINT(concurrency-mt-unsafe) */
    setenv("NO_COLOR", "1", 1); /* NOLINT(concurrency-mt-unsafe) */
    /* some folders down: art is looked for above a level, too; in memory if can be, since every save waits
     * for the disk */
    snprintf(top, sizeof top, "%s/lvl-test-cli-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(top))
        return -1;
    /* under a name of one length, so that which allocations are tried does not depend on where the repository
     * is */
    const char *given = getenv("LVL_SAMPLES"); /* NOLINT(concurrency-mt-unsafe) */
    char *real = realpath(given ? given : "samples", NULL);
    snprintf(samples, sizeof samples, "%s/samples", top);
    const int linked = real ? symlink(real, samples) : -1;
    free(real);
    if (linked)
        return -1;
    snprintf(folder, sizeof folder, "%s", top);
    for (int i = 0; i < 6; i++) {
        snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/%d", i);
        if (mkdir(folder, 0700))
            return -1;
    }
    real_out = dup(1);
    real_err = dup(2);
    char path[128];
    snprintf(path, sizeof path, "%s/stderr", top);
    messages = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    snprintf(path, sizeof path, "%s/stdout", top);
    capture = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (messages < 0 || capture < 0 || chdir(folder))
        return -1;
    for (int s = 0; s < LVL_SKETCHY_SEED_COUNT; s++) {
        lvl_buffer file = {0};
        snprintf(path, sizeof path, "%s.%s", lvl_sketchy_seed_name(s),
                 s == LVL_SKETCHY_SEED_PACK ? "levelpack" : "level");
        FILE *f = lvl_sketchy_seed(s, &file) ? fopen(path, "wb") : NULL;
        if (!f || fwrite(file.data, 1, file.len, f) != file.len)
            return -1;
        fclose(f);
        lvl_buffer_free(&file);
    }
    FILE *zip = fopen("nested.zip", "wb");
    if (!zip || fwrite(nested_zip, 1, sizeof nested_zip, zip) != sizeof nested_zip)
        return -1;
    fclose(zip);
    FILE *page = fopen("page.html", "wb");
    if (!page || fputs("<script type=\"text/plain\" id=\"lvl-wasm\">", page) < 0 || fclose(page) != 0)
        return -1;
    for (size_t i = 0; i < LVL_COUNT_OF(makings); i++) {
        if (call_command(makings[i], 0, false)) {
            print_error("can't make what to work on: lvl %s\n", makings[i]);
            return -1;
        }
    }
    return lvl_disk_read(&sound, ".") ? 0 : -1;
}

static int drop_folder(void **state)
{
    char command[160];

    (void)state;
    lvl_disk_free(&sound);
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    return system(command); /* NOLINT(cert-env33-c,concurrency-mt-unsafe): a folder of our own making */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_memory), cmocka_unit_test(damaged)};

    return cmocka_run_group_tests_name("hostile_cli", tests, make_folder, drop_folder);
}

#else

int main(void)
{
    return 77; /* skipped: what saves is stood in for on Linux only */
}

#endif
