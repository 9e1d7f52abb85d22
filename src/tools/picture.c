/*
 * tools/picture.c: documents of pictures, and pictures of documents.
 */
#include "base/format.h"

#include <lvl/tools.h>

lvl_status lvl_doc_draw(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, const lvl_image *image,
                        const lvl_wishes *wishes, lvl_findings *losses)
{
    const lvl_wishes none = {0};

    *out = NULL;
    if (!format->draw && !format->from_image)
        return LVL_ERR_UNSUPPORTED;
    lvl_status status = lvl_doc_new(out, ctx, format);
    if (status == LVL_OK)
        status = format->draw ? format->draw(*out, image, wishes ? wishes : &none, losses)
                              : format->from_image(*out, image);
    if (status != LVL_OK) {
        lvl_doc_free(*out);
        *out = NULL;
    }
    return status;
}

lvl_status lvl_doc_picture(const lvl_doc *doc, const char *layer, lvl_image *out)
{
    if (doc->format->to_image)
        return doc->format->to_image(doc, out);
    return doc->format->layer_image ? doc->format->layer_image(doc, layer, out) : LVL_ERR_UNSUPPORTED;
}

lvl_status lvl_doc_remake(lvl_doc *doc, const lvl_wishes *wishes, lvl_findings *losses)
{
    const lvl_wishes none = {0};

    return doc->format->remake ? doc->format->remake(doc, wishes ? wishes : &none, losses)
                               : LVL_ERR_UNSUPPORTED;
}
