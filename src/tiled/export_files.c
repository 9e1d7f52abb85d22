/*
 * tiled/export_files.c: the files that a map consists of: itself, and its pictures.
 */
#include "tiled/export.h"

#include <string.h>

export_files *export_files_new(const lvl_ctx *ctx)
{
    export_files *list = lvl_mem_alloc(ctx, sizeof *list);

    if (list) {
        memset(list, 0, sizeof *list);
        list->ctx = ctx;
        lvl_arena_init(&list->arena, ctx);
    }
    return list;
}

void export_add_file(exporter *e, const char *name, lvl_bytes bytes)
{
    export_files *f = e->list;
    lvl_tiled_file *file = tiled_push(&f->arena, &f->files.items, &f->files.count, &f->cap, sizeof *file);

    if (file) {
        file->name = name ? tiled_copy(&f->arena, lvl_text_of(name)).ptr : NULL;
        file->bytes = (lvl_bytes){
            lvl_arena_copy(&f->arena, bytes.len ? bytes.ptr : (const uint8_t *)"", bytes.len), bytes.len};
    }
    export_status(e, tiled_arena_status(&f->arena, LVL_OK));
}

lvl_text export_add_picture(exporter *e, const char *stem, const lvl_buffer *png)
{
    const char *folder = e->options->folder ? e->options->folder : "";
    char sha[65];

    if (e->options->by_content) {
        lvl_sha256_hex((lvl_bytes){png->data, png->len}, sha);
        stem = sha;
    }
    const lvl_text name = tiled_printf(&e->map->arena, "%s%s.png", folder, stem);
    for (uint32_t i = 0; i < e->list->files.count && e->options->by_content; i++) {
        if (e->list->files.items[i].name && strcmp(e->list->files.items[i].name, name.ptr) == 0)
            return name;
    }
    if (export_is_ok(e) && !e->options->no_pictures)
        export_add_file(e, name.ptr, lvl_buffer_bytes(png));
    return name;
}

void lvl_tiled_files_free(lvl_tiled_files *files)
{
    if (!files)
        return;
    export_files *list = (export_files *)files;
    lvl_arena_free(&list->arena);
    lvl_buffer_free(&list->map);
    lvl_mem_free(list->ctx, list);
}
