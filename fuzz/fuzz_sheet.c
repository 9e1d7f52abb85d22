/*
 * libFuzzer target: tables in CSV (lvl set --csv and --map). The first byte of an input is the format, the
 * second what the table is: values, or cells that are replaced. The rest is the table.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"

#include "tools/edit/cell_map.h"
#include "tools/picture/sheet.h"

#include <stdlib.h>
#include <string.h>

static lvl_status set_values(lvl_doc *doc, lvl_text text)
{
    lvl_sheet_place place;
    lvl_sheet sheet;

    lvl_status status = lvl_sheet_read(&sheet, text, &place, NULL);
    if (status == LVL_OK)
        status = lvl_sheet_set(doc, &sheet, "", NULL, &place, NULL);
    lvl_sheet_free(&sheet);
    return status;
}

static lvl_status replace_cells(lvl_doc *doc, lvl_text text)
{
    static const char *const paths[] = {"layers[*].tiles", "planes[*].tiles", "layers[*].chunks[-9,-9 9,9]"};
    lvl_status status = LVL_ERR_ARG;
    lvl_cell_map map;
    size_t line;

    if (lvl_cell_map_read(&map, text, &line, NULL) == LVL_OK) {
        uint64_t *counts = calloc(map.count, sizeof *counts);
        for (size_t i = 0; counts && i < LVL_COUNT_OF(paths) && status != LVL_OK; i++)
            status = lvl_cell_map_apply(doc, paths[i], &map, counts, NULL, &line, NULL);
        free(counts);
    }
    lvl_cell_map_free(&map);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;
    lvl_bytes file;

    if (size < 2)
        return 0;
    const lvl_doc *as = lvl_fuzz_doc(data[0], &file);
    if (!as || !file.len ||
        lvl_read(&doc, lvl_fuzz_ctx(), lvl_doc_format(as), file, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return 0;
    const lvl_text text = {(const char *)data + 2, size - 2};
    const lvl_status status = data[1] & 1 ? replace_cells(doc, text) : set_values(doc, text);
    if (lvl_doc_write(doc, &out) == LVL_OK && status != LVL_OK &&
        (out.len != file.len || memcmp(out.data, file.ptr, out.len) != 0))
        abort(); /* all or none */
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    return 0;
}
