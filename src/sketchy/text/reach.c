/*
 * sketchy/text/reach.c: public functions for pixels and attached files.
 */
#include "sketchy/text/source.h"

lvl_status lvl_sketchy_pixels(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, lvl_buffer *storage,
                              lvl_cells *out)
{
    const lvl_field *pixels = LVL_FIELD(lvl_sketchy_chunk, pixels);
    const lvl_status status = lvl_doc_cells(doc, chunk, pixels, storage, out);

    if (out->ptr)
        return status;
    out->width = out->height = 0; /* so that loops over the grid read nothing */
    return status == LVL_OK ? LVL_ERR_FORMAT : status;
}

uint8_t *lvl_sketchy_pixels_edit(lvl_doc *doc, lvl_sketchy_chunk *chunk)
{
    const lvl_field *pixels = LVL_FIELD(lvl_sketchy_chunk, pixels);

    if (!chunk->pixels.width || chunk->pixels.width > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return NULL;
    return lvl_cells_edit(doc, chunk, pixels);
}

lvl_status lvl_sketchy_file_data(const lvl_doc *doc, const lvl_sketchy_file *file, lvl_buffer *storage,
                                 lvl_bytes *out)
{
    return lvl_doc_bytes(doc, file, LVL_FIELD(lvl_sketchy_file, data), storage, out);
}

lvl_status lvl_sketchy_add_file(lvl_doc *doc, lvl_text path, lvl_bytes data)
{
    const lvl_file_list files = lvl_sketchy_files(doc);
    const uint32_t at = *files.count;

    const lvl_status status =
        path.ptr && data.ptr ? lvl_list_insert(doc, doc->root, files.field, at, 1) : LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        (*files.items)[at].path = path;
        (*files.items)[at].data = data;
    }
    return status;
}

lvl_status lvl_sketchy_open_file(const lvl_doc *doc, const lvl_sketchy_file *file, lvl_buffer *storage,
                                 lvl_findings *findings, lvl_doc **out)
{
    lvl_bytes bytes;

    *out = NULL;
    const lvl_status status = lvl_sketchy_file_data(doc, file, storage, &bytes);
    if (status != LVL_OK && status != LVL_ERR_FORMAT)
        return status;
    const lvl_format *members = doc->format->calls->members; /* of a pack; a level holds drawings, too */
    return lvl_read(out, doc->ctx, members ? members : doc->format, bytes, NULL, LVL_READ_BORROW, findings);
}
