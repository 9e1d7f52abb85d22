/*
 * graal/nw_repair.c: repairs text levels: ends texts that swallow commands, removes the command that the file
 * breaks off in, and writes anew the items that their reader finds damaged. Each step makes a new text, which
 * is read again.
 */
#include "graal/nw_internal.h"

#include "graal/graal_findings.h"

/* Goes on with another text, unless it is empty. */
static lvl_status adopt(lvl_doc *doc, const lvl_buffer *text)
{
    return text->status != LVL_OK || !text->len ? text->status
                                                : lvl_doc_reread(doc, (lvl_bytes){text->data, text->len});
}

/* Whether a place is a layer that cannot be written anew without a loss: no tile of it can be read, or a line
 * has tiles beyond the board. */
static bool is_layer_to_leave(const lvl_graal *level, const lvl_findings *reread, const lvl_where *where)
{
    const lvl_field *layers = LVL_FIELD(lvl_graal, layers);

    if (!where->depth || where->steps[0].field != layers)
        return false;
    if (where->steps[0].index < level->layer_count &&
        lvl_graal_is_empty_layer(&level->layers[where->steps[0].index]))
        return true;
    for (size_t i = 0; i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_ROW_BEYOND] && f->where.depth &&
            f->where.steps[0].index == where->steps[0].index)
            return true;
    }
    return false;
}

/* Whether the file breaks off in the line that a finding is about. */
static bool is_broken_end(const lvl_finding *f, uint64_t size)
{
    return f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_COMMAND] && f->position.known &&
           f->position.bit + f->position.bits >= size * 8;
}

/* Makes a text without the command that the file breaks off in; false: it does not. */
static bool cut_broken_end(const lvl_doc *doc, const lvl_findings *reread, uint64_t size, lvl_findings *log,
                           lvl_buffer *out)
{
    for (size_t i = 0; i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (!is_broken_end(f, size))
            continue;
        lvl_findings_add(log, f->def, &f->where, &f->position, "%s: %s", f->text, f->def->repair);
        if (lvl_doc_write(doc, out) == LVL_OK)
            out->len = (size_t)(f->position.bit / 8);
        return true;
    }
    return false;
}

/* Makes a text in which the items that findings are about are written anew. */
static lvl_status respell(const lvl_doc *doc, const lvl_findings *reread, lvl_findings *log, lvl_buffer *out)
{
    const size_t count = lvl_findings_count(reread);
    lvl_where *places = lvl_mem_alloc(doc->ctx, (count + 1) * sizeof *places);
    lvl_status status = LVL_OK;
    size_t used = 0;

    if (!places)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (!f->def->repair || f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_INSIDE] ||
            f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_COMMAND] ||
            is_layer_to_leave(doc->root, reread, &f->where))
            continue;
        lvl_findings_add(log, f->def, &f->where, &f->position, "%s: %s", f->text, f->def->repair);
        places[used++] = f->where;
    }
    if (used)
        status = lvl_grammar_rewrite(&lvl_nw_grammar, doc, places, used, out);
    lvl_mem_free(doc->ctx, places);
    return status;
}

/* Repairs what the reader finds in the document as it is; *again: there may be more to repair. */
static lvl_status repair_findings(lvl_doc *doc, lvl_findings *log, bool *again)
{
    lvl_findings *reread = NULL;
    lvl_buffer out = {0};
    uint64_t size = 0;
    lvl_ctx ctx;
    lvl_status status = lvl_doc_reread_findings(doc, &ctx, &reread, &size);

    *again = status == LVL_OK && cut_broken_end(doc, reread, size, log, &out);
    if (status == LVL_OK && !*again)
        status = respell(doc, reread, log, &out);
    if (status == LVL_OK)
        status = adopt(doc, &out);
    lvl_findings_free(reread);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_nw_repair(lvl_doc *doc, lvl_findings *log)
{
    lvl_buffer file = {0}, out = {0};
    lvl_status status = lvl_doc_write(doc, &file);

    if (status == LVL_OK)
        status = lvl_grammar_end_bodies(&lvl_nw_grammar, doc, (lvl_text){(const char *)file.data, file.len},
                                        &out, log);
    if (status == LVL_OK)
        status = adopt(doc, &out);
    for (bool again = true; again && status == LVL_OK;)
        status = repair_findings(doc, log, &again);
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}
