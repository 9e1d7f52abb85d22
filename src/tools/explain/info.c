/*
 * tools/explain/info.c: writes the facts of a document as text and JSON.
 */
#include "base/format.h"
#include "base/hash.h"
#include "base/info.h"
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tools/tools.h"

#include <inttypes.h>
#include <string.h>

static void json_fact(lvl_buffer *out, const lvl_fact *fact);

static void json_children(lvl_buffer *out, const lvl_fact *fact, const char *gap)
{
    for (const lvl_fact *f = fact->first; f; f = f->next) {
        if (fact->kind == LVL_FACT_GROUP && !f->key)
            continue;
        lvl_buffer_str(out, gap);
        gap = ",";
        if (fact->kind == LVL_FACT_GROUP) {
            lvl_json_string(out, lvl_text_of(f->key));
            lvl_buffer_u8(out, ':');
        }
        json_fact(out, f);
    }
}

static void json_fact(lvl_buffer *out, const lvl_fact *fact)
{
    switch (fact->kind) {
    case LVL_FACT_TEXT: lvl_json_string(out, fact->text); break;
    case LVL_FACT_INT: lvl_buffer_printf(out, "%lld", (long long)fact->number); break;
    case LVL_FACT_BOOL: lvl_buffer_str(out, fact->number ? "true" : "false"); break;
    case LVL_FACT_GROUP:
    case LVL_FACT_LIST:
        lvl_buffer_u8(out, fact->kind == LVL_FACT_LIST ? '[' : '{');
        json_children(out, fact, "");
        lvl_buffer_u8(out, fact->kind == LVL_FACT_LIST ? ']' : '}');
        break;
    }
}

static bool is_leaf(const lvl_fact *fact)
{
    return fact->kind != LVL_FACT_GROUP && fact->kind != LVL_FACT_LIST;
}

static bool only_leaves(const lvl_fact *fact)
{
    bool only = true;

    for (const lvl_fact *f = fact->first; f; f = f->next)
        only = only && is_leaf(f);
    return only;
}

static void leaf(lvl_buffer *out, const lvl_fact *fact)
{
    if (fact->kind == LVL_FACT_TEXT)
        lvl_text_escape(out, LVL_CP_UTF8, fact->text, false);
    else if (fact->kind == LVL_FACT_BOOL)
        lvl_buffer_str(out, fact->number ? "yes" : "no");
    else
        lvl_buffer_printf(out, "%" PRId64, fact->number);
    if (fact->unit)
        lvl_buffer_printf(out, " %s", fact->unit);
}

/* "enemies 12, treasure 34": the labelled leaves of a group on one line. */
static void put_leaves(lvl_buffer *out, const lvl_fact *fact)
{
    const char *gap = "";

    for (const lvl_fact *f = fact->first; f; f = f->next) {
        if (!f->label && fact->kind == LVL_FACT_GROUP)
            continue;
        lvl_buffer_str(out, gap);
        gap = ", ";
        if (f->label && *f->label)
            lvl_buffer_printf(out, "%s ", f->label);
        leaf(out, f);
    }
}

static void text_children(lvl_buffer *out, const lvl_fact *fact, unsigned indent, bool color)
{
    unsigned width = 0;

    for (const lvl_fact *f = fact->first; f; f = f->next) {
        unsigned n = f->label ? (unsigned)strlen(f->label) : 0;
        width = n > width && n < 24 ? n : width;
    }
    for (const lvl_fact *f = fact->first; f; f = f->next) {
        if (!f->label && fact->kind == LVL_FACT_GROUP)
            continue;
        lvl_buffer_fill(out, ' ', indent);
        bool one_line = is_leaf(f) || only_leaves(f);
        if (f->label && *f->label)
            lvl_buffer_printf(out, "%s%-*s%s%s", color ? "\033[2m" : "", one_line ? (int)width : 0, f->label,
                              color ? "\033[0m" : "", one_line ? "  " : "");
        if (is_leaf(f)) {
            leaf(out, f);
            lvl_buffer_u8(out, '\n');
        } else if (only_leaves(f)) {
            if (f->first)
                put_leaves(out, f);
            else
                lvl_buffer_str(out, "none");
            lvl_buffer_u8(out, '\n');
        } else {
            lvl_buffer_u8(out, '\n');
            text_children(out, f, indent + 2, color);
        }
    }
}

/* The first facts, by which people recognize a file: title, author, version. */
static void first_facts(lvl_buffer *out, const lvl_fact *root)
{
    enum { MAX_FACTS = 3 };
    const char *gap = ": ";
    unsigned reported = 0;

    for (const lvl_fact *f = root->first; f && reported < MAX_FACTS; f = f->next) {
        if (!f->label || !is_leaf(f) || (f->kind == LVL_FACT_TEXT && !f->text.len))
            continue;
        lvl_buffer_str(out, gap);
        if (f->kind != LVL_FACT_TEXT)
            lvl_buffer_printf(out, "%s ", f->label);
        leaf(out, f);
        gap = ", ";
        reported++;
    }
}

static bool is_empty(const lvl_fact *fact)
{
    switch (fact->kind) {
    case LVL_FACT_TEXT: return !fact->text.len;
    case LVL_FACT_INT:
    case LVL_FACT_BOOL: return !fact->number;
    default: return !fact->first;
    }
}

lvl_status lvl_info_json_short(const lvl_info *info, lvl_info_known_fn known, lvl_buffer *keys,
                               lvl_buffer *values)
{
    const char *line_end = "", *gap = "";

    for (const lvl_fact *f = lvl_info_root(info)->first; f; f = f->next) {
        if (!f->key || f->kind == LVL_FACT_LIST || is_empty(f) || known(f->key))
            continue;
        lvl_buffer_printf(keys, "%s%s", line_end, gap);
        lvl_json_string(keys, lvl_text_of(f->key));
        lvl_buffer_u8(keys, ':');
        lvl_buffer_str(values, line_end);
        json_fact(values, f);
        line_end = "\n";
        gap = ",";
    }
    return keys->status != LVL_OK ? keys->status : values->status;
}

static void write_json(lvl_buffer *out, const lvl_doc *doc, const char *file, const lvl_fact *root)
{
    const lvl_bytes input = lvl_doc_input(doc);
    char sha256[65];

    lvl_sha256_hex(input, sha256);
    lvl_buffer_u8(out, '{');
    lvl_json_put_string(out, "file", file);
    lvl_buffer_printf(out, ",\"format\":\"%s\"", doc->format->id);
    lvl_buffer_printf(out, ",\"bytes\":%zu,\"sha256\":\"%s\"", input.len, sha256);
    json_children(out, root, ",");
    lvl_buffer_str(out, "}\n");
}

lvl_status lvl_info_write(const lvl_doc *doc, const lvl_info_options *options, lvl_buffer *out)
{
    static const lvl_info_options plain = {0};
    const lvl_info_options *o = options ? options : &plain;
    const char *file = o->file ? o->file : "";
    lvl_info *info;

    const lvl_status status = lvl_doc_info(doc, o->art, o->counts, &info);
    if (status != LVL_OK)
        return status;
    const lvl_fact *root = lvl_info_root(info);
    if (o->json) {
        write_json(out, doc, file, root);
    } else {
        lvl_buffer_printf(out, "%s%s%s: %s, %zu bytes", o->color ? "\033[1m" : "", file,
                          o->color ? "\033[0m" : "", root->text.len ? root->text.ptr : doc->format->title,
                          lvl_doc_input(doc).len);
        if (o->summary && lvl_doc_cuts(doc))
            lvl_buffer_str(out, ", damaged");
        if (o->summary)
            first_facts(out, root);
        lvl_buffer_u8(out, '\n');
        if (!o->summary)
            text_children(out, root, 2, o->color);
    }
    lvl_info_free(info);
    return out->status;
}
