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
    printf("%s\n", lvl_verdict_name(result.verdict)); /* LVL_SOUND, LVL_DAMAGED, … */
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

    if (lvl_doc_write_verified(doc, file, NULL) != LVL_OK) /* into memory */
        return 1;
    return lvl_doc_save_verified(doc, path, NULL) != LVL_OK; /* into a file, which is replaced as a whole */
}

static int draw(const lvl_ctx *ctx, const lvl_doc *doc, const char *folder)
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

static int archive(lvl_doc *pack)
{
    lvl_container *container;
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    if (lvl_container_open(pack, &container) != LVL_OK)
        return 1;
    const lvl_entry *entry = lvl_container_find(container, "levels/hill.level");
    if (entry && lvl_container_read(container, entry, &bytes, &storage, NULL) == LVL_OK)
        lvl_container_put(container, "levels/copy.level", bytes, 0);
    lvl_buffer_free(&storage);
    lvl_container_close(container);
    return entry == NULL;
}

int main(int argc, char **argv)
{
    lvl_buffer level = {0}, pack = {0}, picture = {0}, file = {0};
    lvl_doc *doc = NULL, *packed = NULL;
    lvl_ctx ctx;

    if (argc != 3)
        return 2;
    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 64 << 20;
    lvl_findings *findings = lvl_findings_new(&ctx);
    slurp(argv[1], "sketchy/hill-v4.level", &level);
    slurp(argv[1], "sketchy/walk.levelpack", &pack);
    slurp(argv[1], "graal/cat.png", &picture);
    int code = read_from_memory(&ctx, level.data, level.len) || check(&ctx, level.data, level.len);
    if (code == 0 &&
        lvl_read(&doc, &ctx, NULL, (lvl_bytes){level.data, level.len}, NULL, 0, findings) == LVL_OK &&
        lvl_read(&packed, &ctx, NULL, (lvl_bytes){pack.data, pack.len}, NULL, 0, findings) == LVL_OK)
        code = edit(doc, &file, argv[2]) || draw(&ctx, doc, argv[1]) || any_format(doc, findings) ||
               from_picture(&ctx, (lvl_bytes){picture.data, picture.len}, findings) || archive(packed);
    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        fprintf(stderr, "%s\n", lvl_findings_at(findings, i)->text);
    printf("%s\n", code == 0 && doc && packed ? "the tour is complete" : "the tour is not complete");
    lvl_doc_free(doc);
    lvl_doc_free(packed);
    lvl_findings_free(findings);
    lvl_buffer_free(&level);
    lvl_buffer_free(&pack);
    lvl_buffer_free(&picture);
    lvl_buffer_free(&file);
    return code;
}
