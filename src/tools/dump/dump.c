/*
 * tools/dump/dump.c: writes a document, or parts of it, as JSON.
 */
#include "base/text.h"
#include "codec/json.h"
#include "tools/paths/region.h"
#include "tools/tools.h"
#include "tools/values/json_write.h"
#include "tools/dump/dump.h"

#include <stdlib.h>

static void write_head(const lvl_emit *w)
{
    lvl_buffer_str(w->out, "{\"lvl\":1,\"format\":");
    lvl_json_string(w->out, lvl_text_of(w->doc->format->id));
    lvl_json_put_string(w->out, "encoding", lvl_codepage_name(w->page));
    if (w->doc->transferred)
        lvl_json_put_string(w->out, "transfer", "text");
    for (unsigned i = 0; i < w->doc->header.count; i++) {
        const lvl_header_byte *wrong = &w->doc->header.wrong[i];
        lvl_buffer_printf(w->out, "%s{\"at\":%lu,\"expected\":%u,\"found\":%u}%s", i ? "," : ",\"header\":[",
                          (unsigned long)wrong->at, wrong->expected, wrong->found,
                          i + 1 == w->doc->header.count ? "]" : "");
    }
}

void lvl_write_match(const lvl_emit *w, const lvl_match *m, unsigned indent)
{
    lvl_field field;

    if (!m->field) {
        lvl_write_record(w, m->record, w->doc->format->table, indent);
    } else if (m->has_region) {
        lvl_buffer storage = {0};
        lvl_cells cells;
        const lvl_status status = lvl_region_read(w->doc, m, &storage, &cells);
        if (status != LVL_OK)
            w->out->status = status;
        else if (cells.width == 1 && cells.height == 1)
            lvl_json_uint(w->out, lvl_cell(&cells, 0, 0));
        else
            lvl_write_cells(w, &cells, lvl_region_field(w->doc, m), NULL, indent);
        lvl_buffer_free(&storage);
    } else {
        const void *record = lvl_match_member(m, &field);
        lvl_write_value(w, record, &field, indent);
    }
}

lvl_status lvl_made_member(const lvl_doc *doc, const lvl_field **out)
{
    const lvl_table *table = doc->format->table;
    lvl_status status = LVL_OK;
    bool regenerated = false;

    *out = NULL;
    for (uint32_t i = 0;
         doc->format->calls->can_regenerate && i < table->field_count && status == LVL_OK && !*out; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role != LVL_KEPT || (f->kind != LVL_BYTES && f->kind != LVL_TEXT) ||
            lvl_field_is_default(doc->root, f))
            continue;
        status = doc->format->calls->can_regenerate(doc, f, &regenerated);
        if (status == LVL_OK && regenerated)
            *out = f;
    }
    return status;
}

lvl_status lvl_dump(const lvl_doc *doc, const lvl_dump_options *options, lvl_buffer *out,
                    lvl_findings *findings)
{
    const lvl_dump_options none = {0};
    lvl_match *matches = NULL;
    size_t count = 0;
    char path[400];

    if (!options)
        options = &none;
    lvl_emit w = lvl_emit_of(doc, out);
    w.compact = options->compact;
    w.no_kept = options->no_kept;
    if (!options->path || !*options->path) {
        lvl_streams streams = {0};
        lvl_status status = w.no_kept ? LVL_OK : lvl_made_member(doc, &w.made);
        if (status == LVL_OK && !w.no_kept)
            status = lvl_streams_find(doc, &streams);
        w.streams = &streams;
        if (status == LVL_OK) {
            write_head(&w);
            lvl_buffer_str(out, w.compact ? ",\"doc\":" : ",\n\"doc\": ");
            lvl_write_record(&w, doc->root, doc->format->table, 0);
            lvl_buffer_str(out, "}\n");
            status = out->status;
        }
        lvl_streams_free(&streams);
        return status;
    }
    lvl_status status = lvl_path_matches(doc, lvl_text_of(options->path), &matches, &count, findings);
    for (size_t i = 0; i < count; i++) {
        if (matches[i].append)
            continue;
        write_head(&w);
        lvl_json_put_string(out, "path", lvl_match_text(&matches[i], path, sizeof path));
        lvl_buffer_str(out, w.compact ? ",\"value\":" : ",\n\"value\": ");
        lvl_write_match(&w, &matches[i], 0);
        lvl_buffer_str(out, "}\n");
    }
    free(matches);
    return status != LVL_OK ? status : out->status;
}
