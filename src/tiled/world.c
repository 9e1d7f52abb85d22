/*
 * tiled/world.c: a world of levels as a .world file of Tiled, which lays the levels' own files side by side.
 */
#include "base/format.h"
#include "base/text.h"
#include "base/map_layout.h"
#include "codec/json.h"

#include <lvl/tiled.h>

bool lvl_tiled_can_world(const lvl_format *format)
{
    return lvl_map_world(format) != NULL;
}

static void put_level(lvl_buffer *out, bool first, lvl_codepage page, lvl_text name, uint64_t x, uint64_t y,
                      uint32_t side)
{
    lvl_buffer_str(out, first ? "" : ",");
    lvl_buffer_str(out, "\n        {\n            \"fileName\": ");
    lvl_json_text(out, page, name);
    lvl_buffer_printf(
        out,
        ",\n            \"height\": %lu,\n            \"width\": %lu,\n            \"x\": %llu,\n"
        "            \"y\": %llu\n        }",
        (unsigned long)side, (unsigned long)side, (unsigned long long)x * side, (unsigned long long)y * side);
}

lvl_status lvl_tiled_world(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_field *rows = lvl_map_world(doc->format);
    const uint32_t side = lvl_map_layout_of(doc->format)->world_cell;
    bool first = true;

    if (!rows)
        return LVL_ERR_UNSUPPORTED;
    const lvl_field *names = lvl_field_with_role(rows->table, LVL_ROLE_LEVELS, NULL);
    lvl_buffer_str(out, "{\n    \"maps\": [");
    for (uint32_t y = 0; y < lvl_list_count(doc->root, rows); y++) {
        const void *row = lvl_list_item(doc->root, rows, y);
        for (uint32_t x = 0; x < lvl_list_count(row, names); x++) {
            const lvl_text name = *(const lvl_text *)lvl_list_item(row, names, x);
            if (!name.len)
                continue;
            put_level(out, first, doc->codepage, name, x, y, side);
            first = false;
        }
    }
    lvl_buffer_str(out, "\n    ],\n    \"onlyShowAdjacentMaps\": false,\n    \"type\": \"world\"\n}\n");
    return out->status;
}
