/*
 * catalogue/reference.c: the tables and views of a catalogue as Markdown, for docs/catalogue.md.
 */
#include "catalogue/scan.h"
#include "catalogue/schema.h"

#include "base/buffer.h"

/* A paragraph or cell: a line break inside would end it. */
lvl_status lvl_catalogue_reference(lvl_buffer *out)
{
    static const char *const kinds[] = {"", "integer", "real", "text", "bytes"};

    lvl_buffer_printf(out, "Version %d of the schema.\n", CAT_SCHEMA);
    for (size_t t = 0; t < CAT_NAMES; t++) {
        const cat_table *table = &cat_tables[t];
        lvl_buffer_printf(out, "\n### %s\n\n%s\n\n| column | | |\n|---|---|---|\n", table->name,
                          table->prose);
        for (size_t i = 0; i < table->count; i++) {
            const cat_column *c = &table->columns[i];
            if (c->form == CAT_HIDDEN || c->form == CAT_HIDDEN_NAMED)
                continue;
            lvl_buffer_printf(out, "| `%s` | %s%s | %s |\n", c->name, kinds[c->kind],
                              cat_has_index(c) ? ", indexed" : "", c->prose);
        }
    }
    lvl_buffer_str(out, "\n### Views\n\n| view | |\n|---|---|\n");
    for (const cat_view *v = cat_views; v->name; v++)
        lvl_buffer_printf(out, "| `%s` | %s |\n", v->name, v->prose);
    return out->status;
}
