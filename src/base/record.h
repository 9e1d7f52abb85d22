/*
 * base/record.h: records for readers, writers and tools, beyond lvl/record.h.
 */
#ifndef LVL_BASE_RECORD_H
#define LVL_BASE_RECORD_H

#include "base/hash.h"

#include <lvl/record.h>

/* True if `value` fits the member without being cut. */
bool lvl_int_fits(const lvl_field *field, int64_t value);
/* Whether the member has its default, so that a dump leaves it out. A list is default without items, cells if
 * width and height are 0, a record if all content in it is default, a real number if it is +0.0. */
bool lvl_field_is_default(const void *record, const lvl_field *field);
/* Whether a field with the condition `when` is present if its tag has this value. */
static inline bool lvl_when_holds(const lvl_when *when, int64_t tag)
{
    return when->tag_size == 0 || (tag >= 0 && tag < 64 && (when->values >> tag & 1));
}
/* Sets every member of a fresh, zeroed record to its default. */
void lvl_record_init(void *record, const lvl_table *table);
/* Sets a member to its default. */
void lvl_field_reset(void *record, const lvl_field *field);
/* A hash of the content of an item of the list, the same for items that lvl_record_equal calls equal. For a
 * grid it also depends on the size of a cell. */
uint64_t lvl_item_hash(const lvl_hash_seed *seed, const void *item, const lvl_field *list);
/* Adds the value of a member, whatever its role, to a hash. */
uint64_t lvl_member_hash(const lvl_hash_seed *seed, uint64_t hash, const void *record,
                         const lvl_field *field);
/* lvl_list_item for a record that may be changed. */
static inline void *lvl_item_at(const void *record, const lvl_field *list, uint32_t index)
{
    return (void *)(uintptr_t)lvl_list_item(record, list, index);
}
/* lvl_table_find with a string; NULL for a `name` that is NULL. */
static inline const lvl_field *lvl_field_named(const lvl_table *table, const char *name)
{
    return name ? lvl_table_find(table, lvl_text_of(name)) : NULL;
}
/* The cell that means "nothing here": the first named value, or 0. */
static inline uint32_t lvl_empty_cell(const lvl_field *field)
{
    return field->cell_names && field->cell_names[0].symbol ? field->cell_names[0].value : 0;
}
/* The field of a record with one of the bits `role`, or NULL. It may be in an inner record, whose field is
 * then in *outer (else NULL); `outer` NULL: only the record itself is searched. */
const lvl_field *lvl_field_with_role(const lvl_table *table, unsigned role, const lvl_field **outer);
/* The field of the member that starts at that offset, also in a record inside; *record is then that record.
 * NULL: none. */
const lvl_field *lvl_member_at(const lvl_table *table, size_t struct_offset, void **record);
/* The name of a value, or NULL. Not for flags. */
const char *lvl_name_of(const lvl_name *names, int64_t value);
/* Writes a flags value as "a|b|0x20" ("0" for none), NUL-ended, cut to size; returns as snprintf does. */
size_t lvl_flags_text(const lvl_field *field, int64_t value, char *buf, size_t size);
/* Parses an integer as people write it for this field: a name, flag names joined by '|', ',' or '+', decimal,
 * 0x…; false for anything else, or if it does not fit the member. */
bool lvl_int_parse(const lvl_field *field, lvl_text text, int64_t *out);
/* Whether the integer is a boolean: 0 or 1, without names. lvl_int_parse then also accepts "true", "yes",
 * "on" and their opposites. */
bool lvl_field_is_switch(const lvl_field *field);

#endif
