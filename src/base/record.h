/*
 * base/record.h: records through their tables: what readers, writers and tools need beyond lvl/record.h.
 */
#ifndef LVL_BASE_RECORD_H
#define LVL_BASE_RECORD_H

#include <lvl/record.h>

/* True if `value` fits the member without being cut. */
bool lvl_int_fits(const lvl_field *field, int64_t value);
/* Whether the member holds its default, so that a dump leaves it out. Lists are default when empty, cells
 * when both sides are 0, records when all content in them is; -0.0 and NaN are not. */
bool lvl_field_is_default(const void *record, const lvl_field *field);
/* Sets every member of a fresh, zeroed record to its default. */
void lvl_record_init(void *record, const lvl_table *table);
/* Gives a member its default; what it pointed to is let go of. */
void lvl_field_reset(void *record, const lvl_field *field);
/* lvl_list_item of a record that may be changed. */
static inline void *lvl_item_at(const void *record, const lvl_field *list, uint32_t index)
{
    return (void *)(uintptr_t)lvl_list_item(record, list, index);
}
/* The name of a value, or NULL. Not for flags. */
const char *lvl_name_of(const lvl_name *names, int64_t value);
/* Writes a flags value as "a|b|0x20" ("0" for none), NUL-ended, cut to size; returns as snprintf does. */
size_t lvl_flags_text(const lvl_field *field, int64_t value, char *buf, size_t size);
/* Reads an integer as people write it for this field: a name, names joined by '|' or '+', decimal, 0x…; false
 * if it is none of these or doesn't fit. */
bool lvl_int_parse(const lvl_field *field, lvl_text text, int64_t *out);
/* Whether the integer says yes or no: 0 or 1, without names. Then lvl_int_parse takes "true", "yes", "on" and
 * their opposites, too. */
bool lvl_field_is_switch(const lvl_field *field);

#endif
