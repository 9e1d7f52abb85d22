/*
 * cli/absent.c: stands in for rooms of the library that aren't built yet, so that the verbs which need none of them work already. Each block goes
 * when its room comes; what is asked of it until then is answered with LVL_ERR_UNSUPPORTED.
 */
#include "cli/cli.h"

/* ---- tools: descriptions ------------------------------------------------------------------------------- */

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
