/*
 * cli/catalog/rows.c: rows of a catalogue as lines of CSV and JSON.
 */
#include "cli/catalog/catalog.h"

#include "base/csv.h"
#include "base/text.h"

void cli_put_csv(lvl_buffer *out, const lvl_catalogue_value *values, size_t count, bool names)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            lvl_buffer_u8(out, ',');
        if (names)
            lvl_csv_put(out, lvl_text_of(values[i].name));
        else if (values[i].bytes)
            lvl_base64_encode(out, (lvl_bytes){(const uint8_t *)values[i].text.ptr, values[i].text.len});
        else
            lvl_csv_put(out, values[i].text);
    }
    lvl_buffer_str(out, "\r\n");
}

void cli_put_json(lvl_buffer *out, const lvl_catalogue_value *values, size_t count)
{
    lvl_buffer_u8(out, '{');
    for (size_t i = 0; i < count; i++) {
        lvl_json_key(out, values[i].name);
        if (values[i].null) {
            lvl_buffer_str(out, "null");
        } else if (values[i].number) {
            lvl_buffer_add(out, values[i].text.ptr, values[i].text.len);
        } else if (values[i].bytes) {
            lvl_buffer_u8(out, '"');
            lvl_base64_encode(out, (lvl_bytes){(const uint8_t *)values[i].text.ptr, values[i].text.len});
            lvl_buffer_u8(out, '"');
        } else {
            lvl_json_string(out, values[i].text);
        }
    }
    lvl_buffer_str(out, "}\n");
}
