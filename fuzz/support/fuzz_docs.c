/*
 * support/fuzz_docs.c: see support/fuzz_docs.h.
 */
#include "fuzz_docs.h"

#include "hostile_trial.h"
#include "base/format.h"

enum { MAX_FORMATS = 32, DEEPEST = 6 };

const lvl_ctx *lvl_fuzz_ctx(void)
{
    static lvl_ctx ctx;

    if (!ctx.limits.items)
        lvl_trial_small(&ctx);
    return &ctx;
}

static void fill(lvl_doc *doc, void *record, const lvl_table *table, unsigned depth, uint32_t number)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT || !lvl_field_present(record, f))
            continue;
        if (f->kind == LVL_TEXT) {
            if (!(f->flags & (LVL_F_SIGNATURE | LVL_F_FORM)))
                lvl_put_text(doc, record, f, lvl_text_of(number % 2 ? "ab" : "x"));
        } else if (f->kind == LVL_INT && f->names && !(f->flags & (LVL_F_FLAGS | LVL_F_FORM))) {
            uint32_t n = 0;
            while (f->names[n].name)
                n++;
            if (n)
                lvl_put_int(record, f, f->names[number % n].value);
        } else if (f->kind == LVL_RECORD) {
            fill(doc, (void *)(uintptr_t)lvl_get_record(record, f), f->table, depth, number);
        } else if (f->kind == LVL_CELLS) {
            lvl_cells *cells = (lvl_cells *)(uintptr_t)lvl_get_cells(record, f);
            if (!cells->width || !cells->height) {
                cells->ptr = NULL;
                cells->width = 3;
                cells->height = 2;
                cells->size = f->item_size ? f->item_size : 4;
            }
            lvl_cells_edit(doc, record, f);
        } else if (f->kind == LVL_LIST && !(f->flags & LVL_F_FIXED) && depth < DEEPEST) {
            const uint32_t count = lvl_list_count(record, f);
            if (count || lvl_list_insert(doc, record, f, 0, depth < 2 ? 3 : 2) != LVL_OK)
                continue;
            for (uint32_t k = 0; k < lvl_list_count(record, f); k++) {
                void *item = (void *)(uintptr_t)lvl_list_item(record, f, k);
                if (f->item == LVL_RECORD)
                    fill(doc, item, f->table, depth + 1, k);
                else if (f->item == LVL_TEXT)
                    *(lvl_text *)item = lvl_text_of(k % 2 ? "ab" : "x");
            }
        }
    }
}

const lvl_doc *lvl_fuzz_doc(size_t index, lvl_bytes *bytes)
{
    static lvl_doc *docs[MAX_FORMATS];
    static lvl_buffer files[MAX_FORMATS];

    index %= lvl_format_count() < MAX_FORMATS ? lvl_format_count() : MAX_FORMATS;
    if (!docs[index] && lvl_doc_new(&docs[index], lvl_fuzz_ctx(), lvl_format_at(index)) == LVL_OK) {
        fill(docs[index], lvl_doc_root(docs[index]), lvl_doc_table(docs[index]), 0, 0);
        if (lvl_doc_write(docs[index], &files[index]) != LVL_OK)
            files[index].len = 0;
    }
    *bytes = (lvl_bytes){files[index].data, files[index].len};
    return docs[index];
}

uint32_t lvl_fuzz_hash(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return (hash ^ hash >> 15) * 2654435769u;
}
