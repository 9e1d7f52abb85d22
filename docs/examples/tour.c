/*
 * tour.c: the code of docs/library.md, as one program.
 *
 *     cc -o tour tour.c $(pkg-config --cflags --libs lvl)
 *     ./tour samples edited.level
 */
#include <lvl/lvl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends a whole file. The library only sees the bytes, wherever they come from. */
static void slurp(const char *folder, const char *name, lvl_buffer *out)
{
    char path[1000];
    uint8_t block[4096];
    size_t n;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    while (in && (n = fread(block, 1, sizeof block, in)) > 0)
        lvl_buffer_add(out, block, n);
    if (in)
        fclose(in);
}

static int read_from_memory(const lvl_ctx *ctx, const uint8_t *data, size_t size)
{
    lvl_findings *findings = lvl_findings_new(ctx);
    lvl_doc *doc;
    lvl_status status = lvl_read(&doc, ctx, NULL, (lvl_bytes){data, size}, "hill.level", 0, findings);

    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        printf("%s: %s\n", f->def->id, f->text);
    }
    lvl_findings_free(findings);
    if (status != LVL_OK) /* nothing could be read: doc is NULL */
        return 1;
    printf("%s\n", lvl_doc_format(doc)->title);
    lvl_doc_free(doc);
    return 0;
}

static int check(const lvl_ctx *ctx, const uint8_t *data, size_t size)
{
    lvl_findings *findings = lvl_findings_new(ctx);
    lvl_check_result result;

    if (lvl_check(ctx, NULL, (lvl_bytes){data, size}, "hill.level", NULL, findings, &result, NULL) != LVL_OK)
        return 1;
    printf("%s\n", lvl_verdict_name(result.verdict)); /* LVL_SOUND, LVL_FAULTY, LVL_DAMAGED, … */
    lvl_findings_free(findings);
    return 0;
}

static int edit(lvl_doc *doc, lvl_buffer *file, const char *path)
{
    lvl_sketchy *level = lvl_sketchy_of(doc); /* NULL: the document has another format */
    if (!level || level->swatch_count < 3)
        return 1;
    level->title = lvl_text_of("A better one"); /* a string constant; other text: lvl_doc_text */
    level->swatches[2].solid = 1;

    lvl_sketchy_actor *actor = lvl_sketchy_add_actor(doc, level); /* may move all actors */
    if (!actor)
        return 1;
    actor->id = lvl_text_of("mine");
    actor->filename = lvl_text_of("key.doodad");
    actor->point.x = 60;

    if (lvl_write(doc, file, NULL) != LVL_OK) /* into memory */
        return 1;
    return lvl_save(doc, path, NULL) != LVL_OK; /* into a file, which is replaced as a whole */
}

static int change_tile(const lvl_ctx *ctx, const char *folder)
{
    char path[1000];
    lvl_doc *doc;

    snprintf(path, sizeof path, "%s/wwd/cliffs.wwd", folder);
    if (lvl_load(&doc, ctx, path, NULL) != LVL_OK)
        return 1;
    lvl_wwd *wwd = lvl_wwd_of(doc);
    lvl_wwd_plane *plane = &wwd->planes[0];
    if (plane->tiles.ptr && lvl_cell(&plane->tiles, 3, 5) != 12) /* column 3, row 5 */
        lvl_set_cell(doc, plane, LVL_FIELD(lvl_wwd_plane, tiles), 3, 5, 12);
    const int code = lvl_cell(&plane->tiles, 3, 5) != 12;
    lvl_doc_free(doc);
    return code;
}

static int merge(const lvl_ctx *ctx, const uint8_t *data, size_t size, lvl_findings *findings)
{
    lvl_doc *ours = NULL, *base = NULL, *theirs = NULL;
    lvl_bytes bytes = {data, size};
    lvl_buffer out = {0};

    if (lvl_read(&ours, ctx, NULL, bytes, NULL, 0, NULL) != LVL_OK ||
        lvl_read(&base, ctx, NULL, bytes, NULL, 0, NULL) != LVL_OK ||
        lvl_read(&theirs, ctx, NULL, bytes, NULL, 0, NULL) != LVL_OK)
        return 1;
    lvl_sketchy_of(theirs)->title = lvl_text_of("Theirs");
    uint64_t conflicts = 0;
    if (lvl_merge(ours, base, theirs, NULL, &conflicts, findings) == LVL_OK) /* a finding for each conflict */
        lvl_write(ours, &out, findings);
    const int code = conflicts || !out.len || !lvl_text_is(lvl_sketchy_of(ours)->title, "Theirs");
    lvl_doc_free(ours);
    lvl_doc_free(base);
    lvl_doc_free(theirs);
    lvl_buffer_free(&out);
    return code;
}

static int draw(const lvl_ctx *ctx, const lvl_doc *doc, const char *folder, const char *png)
{
    lvl_art *art = lvl_art_new(ctx);
    lvl_scene_request request = {.art = art};
    lvl_scene *scene = NULL;
    lvl_render_options options;
    lvl_image image = {0};

    lvl_art_add(art, folder); /* "/games/claw", or its CLAW.REZ */
    lvl_render_options_init(&options);
    lvl_status status = lvl_doc_scene(doc, &request, &scene);
    if (status == LVL_OK)
        status = lvl_render_image(scene, &options, &image);
    if (status == LVL_OK) /* image.pixels: RGBA, row after row */
        printf("%lu x %lu px\n", (unsigned long)image.width, (unsigned long)image.height);
    if (status == LVL_OK)
        status = lvl_png_save(ctx, &image, NULL, png); /* a path */
    lvl_image_clear(&image);
    lvl_scene_free(scene);
    lvl_art_free(art);
    return status != LVL_OK;
}

static int any_format(lvl_doc *doc, lvl_findings *findings)
{
    const char *changes[] = {"title=Best", "swatches[\"ice\"].slippery=no", "actors[-1].point.y-=8"};
    lvl_buffer out = {0};
    lvl_doc *converted = NULL;

    lvl_set(doc, changes, 3, NULL, findings); /* all or none */
    lvl_get(doc, "swatches[solid=yes].name", NULL, &out, NULL, findings);
    lvl_dump(doc, NULL, &out, findings); /* JSON; lvl_undump turns it into the same file */
    lvl_convert(doc, "v3.1", false, findings, &converted); /* another form; losses are findings */
    printf("%s", out.status == LVL_OK ? "" : "no memory\n");

    const int code = converted == NULL || lvl_findings_count(findings) > 0;
    lvl_doc_free(converted);
    lvl_buffer_free(&out);
    return code;
}

static int from_picture(const lvl_ctx *ctx, lvl_bytes bytes, lvl_findings *losses)
{
    lvl_image picture = {0};
    lvl_draw_options options = {.ending = "level", .chunk_size = 128}; /* <lvl/image.h> */
    lvl_doc *drawn = NULL;

    if (lvl_picture_read(ctx, bytes, false, &picture) == LVL_OK) /* PNG, GIF or JPEG */
        lvl_doc_draw(&drawn, ctx, lvl_format_find("sketchy"), &picture, &options, losses);
    lvl_image_clear(&picture);

    const int code = drawn == NULL;
    lvl_doc_free(drawn);
    return code;
}

static int archive(const lvl_ctx *ctx, const char *path, const char *saved)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    lvl_container *container;

    if (lvl_container_load(&container, ctx, path, NULL) != LVL_OK) /* "walk.levelpack" */
        return 1;
    for (size_t i = 0; i < lvl_container_count(container); i++) {
        const lvl_entry *entry = lvl_container_at(container, i);
        lvl_doc *inner = NULL;
        if (!entry->is_dir && lvl_container_read(container, entry, &bytes, &storage, NULL) == LVL_OK &&
            lvl_read(&inner, ctx, NULL, bytes, entry->path, 0, NULL) == LVL_OK)
            printf("%s: %s\n", entry->path, lvl_doc_format(inner)->title);
        lvl_doc_free(inner);
    }
    const lvl_entry *entry = lvl_container_find(container, "levels/hill.level");
    if (entry && lvl_container_read(container, entry, &bytes, &storage, NULL) == LVL_OK)
        lvl_container_put(container, "levels/copy.level", bytes, 0);
    lvl_status status = lvl_save(lvl_container_doc(container), saved, NULL);
    lvl_buffer_free(&storage);
    lvl_container_close(container);
    return entry == NULL || status != LVL_OK;
}

int main(int argc, char **argv)
{
    lvl_buffer level = {0}, picture = {0}, file = {0};
    char pack[1000], other[1000];
    lvl_doc *doc = NULL;
    lvl_ctx ctx;

    if (argc != 3)
        return 2;
    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 64 << 20;
    lvl_findings *findings = lvl_findings_new(&ctx);
    slurp(argv[1], "sketchy/hill-v4.level", &level);
    snprintf(pack, sizeof pack, "%s/sketchy/walk.levelpack", argv[1]);
    snprintf(other, sizeof other, "%s.png", argv[2]);
    slurp(argv[1], "graal/cat.png", &picture);
    int code = read_from_memory(&ctx, level.data, level.len) || check(&ctx, level.data, level.len);
    if (code == 0 &&
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){level.data, level.len}, NULL, 0, findings) == LVL_OK)
        code = edit(doc, &file, argv[2]) || draw(&ctx, doc, argv[1], other) || any_format(doc, findings) ||
               change_tile(&ctx, argv[1]) || merge(&ctx, level.data, level.len, findings) ||
               from_picture(&ctx, (lvl_bytes){picture.data, picture.len}, findings) ||
               archive(&ctx, pack, argv[2]);
    remove(other);
    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        fprintf(stderr, "%s\n", lvl_findings_at(findings, i)->text);
    printf("%s\n", code == 0 && doc ? "the tour is complete" : "the tour is not complete");
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    lvl_buffer_free(&level);
    lvl_buffer_free(&picture);
    lvl_buffer_free(&file);
    return code;
}
