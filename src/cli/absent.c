/*
 * cli/absent.c: stands in for rooms of the library that aren't built yet, so that the verbs which need none of them work already. Each block goes
 * when its room comes; what is asked of it until then is answered with LVL_ERR_UNSUPPORTED.
 */
#include "cli/cli.h"

#include <lvl/render.h>

#include <stdlib.h>

/* ---- tools: diff, descriptions ------------------------------------------------------------------------------- */

lvl_status lvl_findings_reference(const lvl_format *format, bool json, lvl_buffer *out)
{
    (void)format, (void)json, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_reference(const lvl_format *format, lvl_buffer *out)
{
    (void)format, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_schema(const lvl_format *format, lvl_buffer *out)
{
    (void)format, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
/* ---- containers --------------------------------------------------------------------------------------------------------------------------- */

lvl_status lvl_container_open(lvl_doc *doc, lvl_container **out)
{
    (void)doc, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_container_folder(const lvl_ctx *ctx, const char *path, lvl_container **out)
{
    (void)ctx, (void)path, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
void lvl_container_close(lvl_container *container)
{
    (void)container;
}
size_t lvl_container_count(const lvl_container *container)
{
    (void)container;
    return 0;
}
const lvl_entry *lvl_container_at(const lvl_container *container, size_t index)
{
    (void)container, (void)index;
    return NULL;
}
const lvl_entry *lvl_container_find(const lvl_container *container, const char *path)
{
    (void)container, (void)path;
    return NULL;
}
void lvl_container_list(const lvl_container *container, const char *dir, bool deep, lvl_entry_fn visit,
                        void *user)
{
    (void)container, (void)dir, (void)deep, (void)visit, (void)user;
}
lvl_status lvl_container_read(const lvl_container *container, const lvl_entry *entry, lvl_bytes *view,
                              lvl_buffer *storage)
{
    (void)container, (void)entry, (void)view, (void)storage;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_container_pack(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                              const lvl_pack_item *items, size_t count)
{
    (void)out, (void)ctx, (void)format, (void)items, (void)count;
    return LVL_ERR_UNSUPPORTED;
}

/* ---- scene, art, rendering ------------------------------------------------------------------------------------------------------------ */

lvl_art *lvl_art_new(const lvl_ctx *ctx)
{
    (void)ctx;
    return malloc(1);
}
void lvl_art_free(lvl_art *art)
{
    free(art);
}
lvl_status lvl_art_add(lvl_art *art, const char *path)
{
    (void)art, (void)path;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_art_add_list(lvl_art *art, const char *list)
{
    (void)art, (void)list;
    return LVL_OK;
}
lvl_status lvl_art_level(lvl_art *art, const char *level_path)
{
    (void)art, (void)level_path;
    return LVL_OK;
}
size_t lvl_art_count(const lvl_art *art)
{
    (void)art;
    return 0;
}
lvl_status lvl_doc_scene(const lvl_doc *doc, const lvl_scene_request *request, lvl_scene **out)
{
    (void)doc, (void)request, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
void lvl_scene_free(lvl_scene *scene)
{
    (void)scene;
}
void lvl_render_options_init(lvl_render_options *out)
{
    *out = (lvl_render_options){0};
}
lvl_status lvl_render_size(const lvl_scene *scene, const lvl_render_options *options, uint32_t *width,
                           uint32_t *height)
{
    (void)scene, (void)options, (void)width, (void)height;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_render_png(const lvl_scene *scene, const lvl_render_options *options, lvl_writer *out)
{
    (void)scene, (void)options, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
lvl_status lvl_render_diff(const lvl_scene *before, const lvl_scene *after, const lvl_scene_change *changes,
                           size_t change_count, const lvl_render_options *options, lvl_writer *out)
{
    (void)before, (void)after, (void)changes, (void)change_count, (void)options, (void)out;
    return LVL_ERR_UNSUPPORTED;
}
