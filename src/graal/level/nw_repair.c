/*
 * graal/level/nw_repair.c: repairs the lines of text levels.
 */
#include "graal/level/nw_internal.h"

#include "base/buffer.h"
#include "base/text.h"
#include "graal/level/graal_findings.h"

/* Marks the findings about layers that cannot be rewritten without a loss: those without a tile, and those of
 * which a line has tiles beyond the board. */
static lvl_status leave_layers(const lvl_doc *doc, const lvl_findings *reread, uint8_t *leave)
{
    const lvl_graal *level = doc->root;
    const uint32_t n = level->layer_count;
    uint8_t *kept = lvl_mem_alloc(doc->ctx, (size_t)n + 1);

    if (!kept)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        kept[i] = lvl_graal_is_empty_layer(&level->layers[i]);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < lvl_findings_count(reread); i++) {
            const lvl_finding *f = lvl_findings_at(reread, i);
            const lvl_step *step = &f->where.steps[0];
            if (!f->where.depth || step->field != LVL_FIELD(lvl_graal, layers) || step->index >= n)
                continue;
            if (pass)
                leave[i] = kept[step->index];
            else if (f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_ROW_BEYOND])
                kept[step->index] = 1;
        }
    }
    lvl_mem_free(doc->ctx, kept);
    return LVL_OK;
}

/* Writes the first line, in place of what is left of it. */
static lvl_status repair_header(lvl_doc *doc, lvl_findings *log)
{
    const lvl_finding_def *def = &lvl_graal_findings[LVL_GRAAL_F_NW_HEADER];
    lvl_buffer file = {0}, out = {0};
    lvl_status status = lvl_doc_write(doc, &file);
    const lvl_text text = lvl_lines_of_file(lvl_buffer_bytes(&file)), rest = lvl_nw_after_header(text);

    if (status == LVL_OK && file.len && !lvl_text_begins(text, "GLEVNW01")) {
        lvl_buffer_add(&out, file.data, file.len - text.len); /* a byte order mark */
        lvl_buffer_str(&out, lvl_lines_are_crlf(text) ? "GLEVNW01\r\n" : "GLEVNW01\n");
        lvl_buffer_add(&out, rest.ptr, rest.len);
        status = out.status != LVL_OK ? out.status : lvl_doc_reread(doc, lvl_buffer_bytes(&out));
        lvl_findings_add(log, def, NULL, NULL, "expected GLEVNW01 in the first line: %s", def->repair);
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_nw_repair(lvl_doc *doc, lvl_findings *log)
{
    const lvl_status status = repair_header(doc, log);

    return status == LVL_OK ? lvl_grammar_repair(doc, log, leave_layers) : status;
}
