/*
 * base/text.h: text: code pages and UTF-8, comparing, base64, paths, JSON strings. The code pages follow the
 * WHATWG Encoding Standard, which maps unassigned bytes to C1 controls, so each is a bijection of 256 bytes.
 */
#ifndef LVL_BASE_TEXT_H
#define LVL_BASE_TEXT_H

#include "os/memory.h"

#include <lvl/doc.h>

#include <string.h>

/* Appends the text as UTF-8. With LVL_CP_UTF8, invalid sequences become U+FFFD. */
void lvl_text_to_utf8(lvl_buffer *out, lvl_codepage page, lvl_text text);
/* The same for terminals: controls (C0, C1, DEL) and bytes of broken UTF-8 become \xNN, characters that
 * reorder or hide text (bidirectional controls, line separators) become \uNNNN, so that no text from a file
 * can control a terminal or fake the output around it. `lines`: line breaks and tabs are not escaped. */
void lvl_text_escape(lvl_buffer *out, lvl_codepage page, lvl_text text, bool lines);
/* Appends UTF-8 as text of XML or HTML, as Qt writes it; in an `attribute` also line breaks and tabs, which
 * XML would turn into blanks. */
void lvl_text_markup(lvl_buffer *out, lvl_text text, bool attribute);
/* The same into a NUL-ended string, cut to size at a whole character. */
const char *lvl_text_show(char *buf, size_t size, lvl_codepage page, lvl_text text);
/* Appends UTF-8 as bytes of the page; false if a character is not in the page (*bad gets its code point) or
 * the UTF-8 is invalid (*bad = 0xFFFD). */
bool lvl_text_from_utf8(lvl_buffer *out, lvl_codepage page, lvl_text utf8, uint32_t *bad);
bool lvl_utf8_valid(lvl_text text);
/* Writes a code point as UTF-8; returns the number of bytes. */
size_t lvl_utf8_put(char out[4], uint32_t c);

/* A view of a fixed slot without trailing zero bytes (inner NULs stay). */
lvl_text lvl_text_slot(const char *slot, size_t size);
/* The first `most` bytes of UTF-8, or up to 3 fewer, so that no character is split. */
lvl_text lvl_text_cut(lvl_text utf8, size_t most);
/* Compares byte by byte, as strcmp does: below 0, 0, above 0; a text comes after its prefixes. */
int lvl_text_compare(lvl_text a, lvl_text b);
/* ASCII only, in every locale. */
static inline char lvl_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}
static inline char lvl_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}
static inline bool lvl_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
/* Writes the decimal digits of a number, 20 at most, before `end`; returns where they begin. */
static inline char *lvl_digits_before(char *end, uint64_t value)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return end;
}
/* Whether all bytes are zero. */
static inline bool lvl_is_zero(const uint8_t *bytes, size_t len)
{
    return !len || (!bytes[0] && !memcmp(bytes, bytes + 1, len - 1));
}
bool lvl_text_equal_nocase(lvl_text a, lvl_text b);
/* Removes the first line from a text and returns it without its '\n'. */
lvl_text lvl_text_take_line(lvl_text *text);
bool lvl_text_begins(lvl_text text, const char *with);
bool lvl_text_begins_nocase(lvl_text text, const char *with);
/* Whether a name has that ending (".png", in any case) and something before it. */
bool lvl_text_has_ending(lvl_text name, const char *ending);
/* An item that is sorted by name, with its index before sorting. */
typedef struct lvl_sort_key {
    lvl_text name;
    uint32_t index;
} lvl_sort_key;

/* For qsort: lvl_sort_key by name, byte by byte; keys of the same name by index. */
int lvl_sort_key_order(const void *a, const void *b);
/* lvl_text_compare, ignoring the case of ASCII letters. */
int lvl_text_compare_nocase(lvl_text a, lvl_text b);
/* The same, comparing numbers by value: "Level 2" comes before "level 10". */
int lvl_text_compare_natural(lvl_text a, lvl_text b);
/* Edit distance (insert, delete, replace, swap of neighbours), ASCII case-folded; stops at `max` + 1. For
 * "did you mean". */
unsigned lvl_text_distance(lvl_text a, lvl_text b, unsigned max);

/* ---- values that people type ------------------------------------------------------------------------- */

/* Takes the next item from a list with that separator; false at the end. `*list` may be NULL. */
bool lvl_text_next_item(const char **list, char separator, lvl_text *item);
/* Whether the list has that item, in any case of ASCII letters. `list` may be NULL. */
bool lvl_text_list_has(const char *list, char separator, lvl_text item);
/* Parses exactly `count` integers, separated by any of the characters `separators`. */
bool lvl_text_numbers(const char *text, const char *separators, int32_t *out, size_t count);
/* Parses "WIDTHxHEIGHT", both at least 1. */
bool lvl_text_size(const char *text, uint32_t *width, uint32_t *height);
/* Parses "N" or "1/N", up to 65536, and sets *up or *down. */
bool lvl_text_scale(const char *text, uint32_t *up, uint32_t *down);

/* ---- base64 (base/base64.c) -------------------------------------------------------------------------- */

/* Appends base64 of the standard alphabet, padded, without quotes. */
void lvl_base64_encode(lvl_buffer *out, lvl_bytes bytes);
/* The decoded size of padded base64 text; false if its length is not possible. Whitespace is not allowed. */
bool lvl_base64_size(lvl_text text, size_t *size);
/* Decodes into `out`, of at least lvl_base64_size bytes; false on a character that isn't base64. */
bool lvl_base64_decode(lvl_text text, uint8_t *out);

/* ---- paths in archives and folders (base/path.c) ------------------------------------------------------ */

/* Compares two paths, ignoring case; '\' equals '/', and '/' sorts before all other characters, so that a
 * folder's content follows the folder directly. */
int lvl_path_compare(const char *a, const char *b);
/* The part up to the next '/' or '\'; *rest points after it, or at the end. Empty parts are skipped. Returns
 * an empty text at the end. */
lvl_text lvl_path_part(const char *path, const char **rest);
/* The part after the last '/' or '\\': a name without the folders before it. */
lvl_text lvl_path_last(lvl_text path);
/* Whether creating a relative path below a folder is safe on every system. */
bool lvl_path_safe(const char *path);

/* ---- JSON (base/json_out.c) -------------------------------------------------------------------------- */

/* Appends text in a code page as a JSON string with quotes; invalid UTF-8 becomes U+FFFD. */
void lvl_json_text(lvl_buffer *out, lvl_codepage page, lvl_text text);
/* The same for UTF-8. */
void lvl_json_string(lvl_buffer *out, lvl_text utf8);
void lvl_json_uint(lvl_buffer *out, uint64_t value);
void lvl_json_int(lvl_buffer *out, int64_t value);
/* To be called before an item of a list or object: appends a comma, unless the item is the first or follows a
 * line break or a key. The functions below call it. */
void lvl_json_next(lvl_buffer *out);
/* Appends the key of an object's next member. NULL, here and below: an item of a list, which has no key. */
void lvl_json_key(lvl_buffer *out, const char *key);
/* Begins a list or an object, by '[' or '{'. The caller appends the end. */
void lvl_json_open(lvl_buffer *out, const char *key, char bracket);
/* Append a member with its value; a string that is NULL is left out. */
void lvl_json_put_string(lvl_buffer *out, const char *key, const char *text);
void lvl_json_put_text(lvl_buffer *out, const char *key, lvl_text utf8);
void lvl_json_put_int(lvl_buffer *out, const char *key, int64_t value);
void lvl_json_put_uint(lvl_buffer *out, const char *key, uint64_t value);
void lvl_json_put_bool(lvl_buffer *out, const char *key, bool value);

#endif
