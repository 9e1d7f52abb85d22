/*
 * wap32/formats.h: the formats of WAP32 games, for the table of formats.
 */
#ifndef LVL_WAP32_FORMATS_H
#define LVL_WAP32_FORMATS_H

#include "base/format.h"

#include <lvl/ani.h>

extern const lvl_format lvl_format_wwd;
extern const lvl_format lvl_format_rez;
extern const lvl_format lvl_format_pid;
extern const lvl_format lvl_format_pal;
extern const lvl_format lvl_format_pcx;
extern const lvl_format lvl_format_bmp;
extern const lvl_format lvl_format_ani;
extern const lvl_format lvl_format_xmi;

/* The members of a table for struct T with these rows; the second for a struct whose first `size` bytes are
 * stored in the file as they are. */
/* clang-format off */
#define LVL_TABLE_OF(T, rows) \
    .struct_size = sizeof(T), .fields = (rows), .field_count = LVL_COUNT_OF(rows)
#define LVL_TABLE_AS_ON_DISK(T, rows, size) \
    LVL_TABLE_OF(T, rows), .disk_size = (size), .same_bytes = (size)
/* clang-format on */

/* The path of member m of the record at `where`, a struct T, and of the root record. */
#define LVL_AT(where, T, m) lvl_where_member((where), &T##_table, offsetof(T, m))
#define LVL_AT_ROOT(T, m)   LVL_AT(lvl_where_root(), T, m)

/* ---- files with a fixed header (wap32/file.c) ---------------------------------------------------------- */

struct lvl_cursor;

/* Loads the root's fixed part from the first bytes of the input, by the table of the format or of another
 * kind of its header. LVL_ERR_FORMAT and the finding `too_short` if the input is shorter. */
lvl_status lvl_read_header(lvl_doc *doc, const lvl_table *table, lvl_sink *sink,
                           const lvl_finding_def *too_short, lvl_findings *findings);
/* Appends the root's fixed part, with derived members computed by the format. */
lvl_status lvl_write_header(const lvl_doc *doc, const lvl_table *table, lvl_buffer *out);
/* Sets the root's member `field` to bytes of the input that belong to nothing else, and reports them. Does
 * nothing if `rest` is empty. */
void lvl_read_rest(lvl_doc *doc, const lvl_field *field, lvl_bytes rest, lvl_sink *sink,
                   const lvl_finding_def *def, lvl_findings *findings);
/* Reads a NUL-ended text. False, with the cursor unchanged, if no NUL follows. */
bool lvl_cursor_text(struct lvl_cursor *c, lvl_text *text);

/* The first frame that the animation selects by number: `param` of its first step of mode 3. False if there
 * is none. */
bool lvl_ani_first_frame(const lvl_ani *ani, int32_t *frame);

#endif
