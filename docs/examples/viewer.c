/*
 * viewer.c: the core of a viewer or an engine: a level and its art from memory, drawn to RGBA, with what is wrong
 * with it.
 *
 *     cc -o viewer viewer.c $(pkg-config --cflags --libs lvl)
 *     ./viewer samples/graal/lakeside/lake_meadow.nw samples/graal/pics1.png
 *
 * The files named on the command line stand for what an engine has unpacked, or a browser was given: lvl sees their
 * names and bytes only.
 */
#include <lvl/lvl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory_file {
    const char *name;
    lvl_buffer bytes;
} memory_file;

typedef struct memory_files {
    memory_file files[16];
    size_t count;
} memory_files;

static const memory_file *find(const memory_files *all, const char *path)
{
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->files[i].name, path) == 0)
            return &all->files[i];
    }
    return NULL;
}

static lvl_file_kind kind_of(void *user, const char *path)
{
    if (!*path)
        return LVL_FILE_FOLDER; /* one folder, which holds them all */
    return find(user, path) ? LVL_FILE_REGULAR : LVL_FILE_NONE;
}

static lvl_status read_file(void *user, const char *path, lvl_buffer *out)
{
    const memory_file *file = find(user, path);

    if (!file)
        return LVL_ERR_MISSING;
    lvl_buffer_add(out, file->bytes.data, file->bytes.len);
    return out->status;
}

static lvl_status list_files(void *user, const char *path, lvl_buffer *names)
{
    const memory_files *all = user;

    for (size_t i = 0; i < all->count && kind_of(user, path) == LVL_FILE_FOLDER; i++)
        lvl_buffer_add(names, all->files[i].name, strlen(all->files[i].name) + 1);
    return names->status;
}

static int draw(const lvl_doc *doc, lvl_art *art, const char *name)
{
    const lvl_scene_request request = {.art = art};
    lvl_render_options options;
    lvl_image image = {0};
    lvl_scene *scene;

    lvl_render_options_init(&options);
    if (lvl_doc_scene(doc, &request, &scene) != LVL_OK)
        return 1;
    const lvl_status status = lvl_render_image(scene, &options, &image);
    if (status == LVL_OK) /* image.pixels: RGBA, row after row */
        printf("%s: %lu x %lu px, drawn %s its pictures\n", name, (unsigned long)image.width,
               (unsigned long)image.height, scene->has_art ? "with" : "without");
    lvl_image_clear(&image);
    lvl_scene_free(scene);
    return status != LVL_OK;
}

static int view(const lvl_ctx *ctx, memory_files *all)
{
    const lvl_files files = {all, kind_of, read_file, list_files};
    const memory_file *level = &all->files[0];
    lvl_findings *findings = lvl_findings_new(ctx);
    lvl_art *art = lvl_art_new(ctx);
    lvl_doc *doc = NULL;
    int code = 1;

    if (art && findings &&
        lvl_read(&doc, ctx, NULL, (lvl_bytes){level->bytes.data, level->bytes.len}, level->name,
                 LVL_READ_BORROW, findings) == LVL_OK) {
        lvl_art_set_files(art, &files);
        lvl_art_add(art, ""); /* the one folder */
        code = draw(doc, art, level->name);
        for (size_t i = 0; i < lvl_findings_count(findings); i++) {
            const lvl_finding *f = lvl_findings_at(findings, i);
            printf("%s: %s: %s\n", level->name, f->def->id, f->text);
        }
    }
    lvl_doc_free(doc);
    lvl_art_free(art);
    lvl_findings_free(findings);
    return code;
}

int main(int argc, char **argv)
{
    memory_files all = {0};
    lvl_ctx ctx;
    int code = 1;

    lvl_ctx_init(&ctx);
    for (int i = 1; i < argc && all.count < 16; i++) {
        memory_file *file = &all.files[all.count];
        FILE *in = fopen(argv[i], "rb");
        uint8_t block[4096];
        size_t n;
        while (in && (n = fread(block, 1, sizeof block, in)) > 0)
            lvl_buffer_add(&file->bytes, block, n);
        if (in)
            fclose(in);
        const char *slash = strrchr(argv[i], '/');
        file->name = slash ? slash + 1 : argv[i];
        all.count += in != NULL;
    }
    if (all.count)
        code = view(&ctx, &all);
    for (size_t i = 0; i < all.count; i++)
        lvl_buffer_free(&all.files[i].bytes);
    return code;
}
