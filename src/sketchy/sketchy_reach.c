/*
 * sketchy/sketchy_reach.c: what programs that link the library ask of a drawing or pack first.
 */
#include "sketchy/drawing.h"

lvl_sketchy *lvl_sketchy_of(lvl_doc *doc)
{
    return doc->format->table == &lvl_sketchy_table ? doc->root : NULL;
}

const lvl_sketchy *lvl_sketchy_cof(const lvl_doc *doc)
{
    return doc->format->table == &lvl_sketchy_table ? doc->root : NULL;
}

lvl_levelpack *lvl_levelpack_of(lvl_doc *doc)
{
    return doc->format->table == &lvl_levelpack_table ? doc->root : NULL;
}

const lvl_levelpack *lvl_levelpack_cof(const lvl_doc *doc)
{
    return doc->format->table == &lvl_levelpack_table ? doc->root : NULL;
}

lvl_status lvl_sketchy_pixels(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, lvl_buffer *storage,
                              lvl_cells *out)
{
    return lvl_doc_cells(doc, chunk,
                         lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels)), storage,
                         out);
}

lvl_status lvl_sketchy_file_data(const lvl_doc *doc, const lvl_sketchy_file *file, lvl_buffer *storage,
                                 lvl_bytes *out)
{
    return lvl_doc_bytes(doc, file, lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data)),
                         storage, out);
}
