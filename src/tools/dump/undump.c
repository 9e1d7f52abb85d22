/*
 * tools/dump/undump.c: reads a dump into a document: the head, then the records.
 */
#include "tools/values/json_read.h"

#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"

#include <string.h>

static lvl_status bad_head(lvl_findings *findings, lvl_status status, const char *text, const char *what)
{
    lvl_fault_add(findings, LVL_FAULT_HEAD, "%s%s", text, what);
    return status;
}

static bool is_format(const lvl_ctx *ctx, const char *id, const lvl_format **format)
{
    if (*format)
        return strcmp((*format)->id, id) == 0;
    *format = lvl_formats_find(ctx, id);
    return *format != NULL;
}

/* The wrong bytes of a file's header. False: the value is not a list of them. */
static bool read_wrong_bytes(yyjson_val *list, lvl_header *header)
{
    yyjson_arr_iter it = yyjson_arr_iter_with(list);
    yyjson_val *item;

    if (list && (!yyjson_arr_size(list) || yyjson_arr_size(list) > LVL_HEADER_WRONG))
        return false;
    while (list && (item = yyjson_arr_iter_next(&it)) != NULL) {
        yyjson_val *at = yyjson_obj_get(item, "at"), *expected = yyjson_obj_get(item, "expected"),
                   *found = yyjson_obj_get(item, "found");
        if (!yyjson_is_uint(at) || yyjson_get_uint(at) > UINT32_MAX || !yyjson_is_uint(expected) ||
            yyjson_get_uint(expected) > UINT8_MAX || !yyjson_is_uint(found) ||
            yyjson_get_uint(found) > UINT8_MAX || yyjson_obj_size(item) != 3)
            return false;
        header->wrong[header->count++] =
            (lvl_header_byte){(uint32_t)yyjson_get_uint(at), (uint8_t)yyjson_get_uint(expected),
                              (uint8_t)yyjson_get_uint(found)};
    }
    return true;
}

/* What precedes the document in a dump. */
typedef struct dump_head {
    lvl_codepage page;
    bool page_given, transferred;
    lvl_header header;
} dump_head;

/* Reads the head; an unknown key is an error. */
static lvl_status read_head(const lvl_ctx *ctx, yyjson_val *root, lvl_findings *findings,
                            const lvl_format **format, dump_head *head, yyjson_val **body)
{
    yyjson_val *version = yyjson_obj_get(root, "lvl"), *name = yyjson_obj_get(root, "format");
    yyjson_val *encoding = yyjson_obj_get(root, "encoding"), *transfer = yyjson_obj_get(root, "transfer");
    yyjson_obj_iter it;
    yyjson_val *k;
    char buf[80];

    if (!version || !name)
        return bad_head(findings, LVL_ERR_FOREIGN,
                        "this JSON is not a dump: \"lvl\" and \"format\" are "
                        "missing",
                        "");
    if (!yyjson_is_uint(version) || yyjson_get_uint(version) != 1)
        return bad_head(findings, LVL_ERR_FOREIGN, "the dump has a version that this lvl does not support",
                        "");
    if (!yyjson_is_str(name) || strlen(yyjson_get_str(name)) != yyjson_get_len(name) ||
        !is_format(ctx, yyjson_get_str(name), format))
        return bad_head(findings, LVL_ERR_FOREIGN, "there is no format named ",
                        yyjson_is_str(name) ? lvl_show(buf, lvl_json_str(name)) : "that");
    if (encoding && (!yyjson_is_str(encoding) || !lvl_codepage_parse(yyjson_get_str(encoding), &head->page)))
        return bad_head(findings, LVL_ERR_FORMAT, "there is no encoding named ",
                        yyjson_is_str(encoding) ? lvl_show(buf, lvl_json_str(encoding)) : "that");
    if (transfer && !yyjson_equals_str(transfer, "text"))
        return bad_head(findings, LVL_ERR_FORMAT, "expected \"text\" as \"transfer\", or no such key; found ",
                        yyjson_is_str(transfer) ? lvl_show(buf, lvl_json_str(transfer)) : "something else");
    if (!read_wrong_bytes(yyjson_obj_get(root, "header"), &head->header))
        return bad_head(findings, LVL_ERR_FORMAT,
                        "expected one or two of {\"at\":…,\"expected\":…,\"found\":…} in \"header\"", "");
    head->transferred = transfer != NULL;
    head->page_given = encoding != NULL;
    *body = yyjson_obj_get(root, "doc");
    if (!*body && yyjson_obj_get(root, "path"))
        return bad_head(findings, LVL_ERR_FORMAT,
                        "this is the dump of a part (--path); a file needs a "
                        "complete dump",
                        "");
    if (!*body)
        return bad_head(findings, LVL_ERR_FORMAT, "\"doc\" is missing in the dump", "");
    it = yyjson_obj_iter_with(root);
    while ((k = yyjson_obj_iter_next(&it))) {
        lvl_text key = lvl_json_str(k);
        if (yyjson_obj_getn(root, key.ptr, key.len) != yyjson_obj_iter_get_val(k))
            return bad_head(findings, LVL_ERR_FORMAT,
                            "a key is given twice in the dump: ", lvl_show(buf, key));
        if (!lvl_text_is(key, "lvl") && !lvl_text_is(key, "format") && !lvl_text_is(key, "encoding") &&
            !lvl_text_is(key, "transfer") && !lvl_text_is(key, "header") && !lvl_text_is(key, "doc"))
            return bad_head(findings, LVL_ERR_FORMAT, "unknown key in the dump: ", lvl_show(buf, key));
    }
    return LVL_OK;
}

/* UTF-16 with its byte order mark as UTF-8: editors and shells on Windows write it. What is not a character,
 * like half of a pair, becomes U+FFFD, which no code page has. */
static lvl_status from_utf16(lvl_text text, lvl_buffer *out)
{
    const bool big = (uint8_t)text.ptr[0] == 0xFE;
    uint32_t high = 0;
    char letter[4];

    for (size_t i = 2; i < text.len; i += 2) {
        const uint8_t a = (uint8_t)text.ptr[i], b = i + 1 < text.len ? (uint8_t)text.ptr[i + 1] : 0;
        const uint32_t unit = big ? (uint32_t)a << 8 | b : (uint32_t)b << 8 | a;
        const bool low = unit >= 0xDC00 && unit < 0xE000;
        if (high && !low)
            lvl_buffer_add(out, letter, lvl_utf8_put(letter, 0xFFFD));
        const uint32_t before = high;
        high = unit >= 0xD800 && unit < 0xDC00 && i + 2 < text.len ? unit : 0;
        if (high)
            continue;
        const bool whole = i + 1 < text.len && (unit < 0xD800 || unit >= 0xE000);
        const uint32_t c = low && before ? 0x10000 + (before - 0xD800) * 0x400 + (unit - 0xDC00)
                           : whole       ? unit
                                         : 0xFFFD;
        lvl_buffer_add(out, letter, lvl_utf8_put(letter, c));
    }
    return out->status;
}

lvl_status lvl_undump(lvl_doc **out, const lvl_ctx *ctx, lvl_text json, lvl_findings *findings)
{
    const bool utf16 = json.len > 2 && json.len <= lvl_memory_share(ctx) &&
                       (memcmp(json.ptr, "\xFF\xFE", 2) == 0 || memcmp(json.ptr, "\xFE\xFF", 2) == 0);
    lvl_buffer utf8 = {.max = lvl_memory_share(ctx)};

    *out = NULL;
    lvl_status status = utf16 ? from_utf16(json, &utf8) : LVL_OK;
    if (status == LVL_OK)
        status = lvl_undump_as(out, ctx, NULL, utf16 ? lvl_buffer_text(&utf8) : json, findings);
    lvl_buffer_free(&utf8);
    return status;
}

lvl_status lvl_undump_as(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_text json,
                         lvl_findings *findings)
{
    dump_head head = {.page = ctx->codepage};
    yyjson_val *body = NULL;
    lvl_json_error error;
    lvl_status status;
    lvl_doc *doc = NULL;

    *out = NULL;
    const uint64_t most = lvl_limits_of(ctx).input_bytes;
    if (json.len > most) {
        const lvl_usage used = {.limit = LVL_LIMIT_INPUT, .allowed = most, .wanted = json.len};
        lvl_usage_report(&used, ctx, findings);
        return lvl_refuse(ctx, used.limit, used.allowed, used.wanted);
    }
    if (json.len >= 3 &&
        memcmp(json.ptr, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark, which editors on Windows add */
        json.ptr += 3;
        json.len -= 3;
    }
    yyjson_doc *tree = lvl_json_read(ctx, json, &error);
    if (!tree) {
        if (error.status == LVL_ERR_FORMAT) {
            lvl_position pos = {0, (uint64_t)error.offset * 8, 8, 0, true};
            lvl_findings_add(findings, &lvl_faults[LVL_FAULT_JSON], NULL, &pos, "line %zu, column %zu: %s",
                             error.line, error.column, error.text);
        }
        lvl_usage_report(&error.refused, ctx, findings);
        return error.status;
    }
    status = read_head(ctx, yyjson_doc_get_root(tree), findings, &format, &head, &body);
    if (status == LVL_OK)
        status = lvl_doc_new(&doc, ctx, format);
    if (status == LVL_OK) {
        lvl_loader l = {.doc = doc, .findings = findings};
        if (head.page_given)
            doc->codepage = head.page;
        doc->transferred = head.transferred;
        doc->header = head.header;
        lvl_load_record(&l, doc->root, format->table, body);
        status = l.status;
        if (status == LVL_OK)
            status = lvl_doc_recompute_derived(doc);
        if (status == LVL_OK && findings)
            status = lvl_findings_status(findings);
        if (status == LVL_OK)
            status = lvl_streams_make(doc, &l.streams, findings);
        lvl_streams_free(&l.streams);
    }
    if (status == LVL_OK && findings)
        status = lvl_findings_status(findings);
    yyjson_doc_free(tree);
    if (status != LVL_OK) {
        lvl_doc_free(doc);
        return status;
    }
    *out = doc;
    return LVL_OK;
}
