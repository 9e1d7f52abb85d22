/*
 * libFuzzer target: the path language over the tables of every format: get, dump and explain of a path, set
 * and unset, copies from the same file, and resize. The first byte of an input is the format, the second the
 * operation. The rest is a path, or assignments, one a line; for a copy, the path in the source and in the
 * target; for resize, the size in two bytes, then the plane.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "base/format.h"

#include <lvl/tools.h>
#include <stdlib.h>
#include <string.h>

enum { GET, DUMP, EXPLAIN, SET, UNSET, COPY, RESIZE, ACTIONS, MAX_LINES = 4, MAX_TEXT = 600 };

static lvl_status resize(lvl_doc *doc, const char *line, lvl_findings *findings)
{
    const uint8_t *size = (const uint8_t *)line;
    const bool sized = line[0] && line[1];
    const lvl_resize_options options = {.plane = sized && line[2] ? line + 2 : NULL,
                                        .width = sized ? size[0] : 1,
                                        .height = sized ? size[1] : 1,
                                        .anchor_x = size[0] % 3 - 1,
                                        .anchor_y = size[0] / 3 % 3 - 1};

    return lvl_resize(doc, &options, NULL, findings);
}

static void change(const lvl_doc *as, lvl_bytes file, const char *const *lines, size_t count, unsigned action)
{
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;

    if (lvl_read(&doc, lvl_fuzz_ctx(), lvl_doc_format(as), file, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return;
    lvl_findings *findings = lvl_findings_new(lvl_fuzz_ctx());
    const lvl_status status = action == SET ? lvl_set(doc, lines, count, NULL, findings)
                              : action == COPY
                                  ? lvl_copy(doc, count > 1 ? lines[1] : NULL, as, lines[0], NULL, findings)
                              : action == RESIZE ? resize(doc, lines[0], findings)
                                                 : lvl_unset(doc, lines, count, NULL, findings);
    if (status == LVL_OK) {
        (void)lvl_doc_write(doc, &out);
    } else if (lvl_doc_write(doc, &out) != LVL_OK || out.len != file.len ||
               memcmp(out.data, file.ptr, out.len) != 0) {
        abort(); /* all or none */
    }
    lvl_buffer_free(&out);
    lvl_findings_free(findings);
    lvl_doc_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *lines[MAX_LINES];
    char text[MAX_TEXT];
    size_t count = 0;
    lvl_buffer out = {0};
    lvl_bytes file;

    if (size < 3 || size - 2 >= sizeof text)
        return 0;
    memcpy(text, data + 2, size - 2);
    text[size - 2] = 0;
    const lvl_doc *doc = lvl_fuzz_doc(data[0], &file);
    if (!doc)
        return 0;
    const unsigned action = data[1] % ACTIONS;
    if (action == GET) {
        const lvl_get_options options = {.json = data[1] >> 7, .paths = data[1] >> 6 & 1};
        lvl_get(doc, text, &options, &out, NULL, NULL);
    } else if (action == DUMP) {
        const lvl_dump_options options = {.path = text, .compact = data[1] >> 7};
        lvl_dump(doc, &options, &out, NULL);
    } else if (file.len) {
        for (char *at = text; at && count < MAX_LINES; count++) {
            lines[count] = at;
            at = strchr(at, '\n');
            if (at)
                *at++ = 0;
        }
        if (action != EXPLAIN) {
            change(doc, file, lines, count, action);
        } else {
            const lvl_explain_options options = {.mode = LVL_EXPLAIN_PATH, .path = text};
            lvl_doc *read = NULL;
            if (lvl_read(&read, lvl_fuzz_ctx(), lvl_doc_format(doc), file, NULL, LVL_READ_BORROW, NULL) ==
                LVL_OK)
                lvl_explain(read, &options, &out, NULL);
            lvl_doc_free(read);
        }
    }
    lvl_buffer_free(&out);
    return 0;
}

/* ---- paths generated from the tables
 * -------------------------------------------------------------------- */

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static const char *pick(const char *const *words, size_t count, uint32_t *seed)
{
    return words[next(seed) % count];
}

static void add_value(lvl_buffer *out, uint32_t *seed)
{
    static const char *const values[] = {"0",          "1",
                                         "-1",         "65536",
                                         "2147483648", "-2147483648",
                                         "-.5",        "1e400",
                                         "0x10",       "x",
                                         "\"\"",       "\"\\\"\"",
                                         "",           "{}",
                                         "[]",         "[1,2]",
                                         "{\"x\":1}",  "[\".*3\"]",
                                         "a|b|0x20",   "true",
                                         "null",       "{\"width\":2,\"height\":1,\"rows\":[\"1 2\"]}"};
    lvl_buffer_str(out, pick(values, LVL_COUNT_OF(values), seed));
}

static void add_index(lvl_buffer *out, const lvl_field *f, uint32_t *seed)
{
    static const char *const plain[] = {"",
                                        "[*]",
                                        "[0]",
                                        "[-1]",
                                        "[1]",
                                        "[+]",
                                        "[+1]",
                                        "[\"x\"]",
                                        "[99]",
                                        "[0..1]",
                                        "[0:2]",
                                        "[fill 0,0]",
                                        "[-40,-40 40,40]",
                                        "[3,3]"};
    static const char *const conditions[] = {"=", "!=", "<", ">", "<=", ">=", "~", "*="};

    if (f->item != LVL_RECORD || next(seed) % 3) {
        lvl_buffer_str(out, pick(plain, LVL_COUNT_OF(plain), seed));
        return;
    }
    lvl_buffer_str(out, "[");
    for (uint32_t more = next(seed) % 3 + 1; more; more--) {
        const lvl_field *by = &f->table->fields[next(seed) % f->table->field_count];
        lvl_buffer_str(out, by->name);
        if (by->kind == LVL_RECORD && next(seed) % 2) {
            lvl_buffer_str(out, ".");
            lvl_buffer_str(out, by->table->fields[next(seed) % by->table->field_count].name);
        }
        lvl_buffer_str(out, pick(conditions, LVL_COUNT_OF(conditions), seed));
        add_value(out, seed);
        lvl_buffer_str(out, more > 1 ? "," : "");
    }
    lvl_buffer_str(out, "]");
}

static void add_path(lvl_buffer *out, const lvl_table *table, uint32_t *seed)
{
    static const char *const cells[] = {"",         "[0,0]", "[0..1,0..1]", "[0,0 1,1]",  "[2,1]", "[-1,-1]",
                                        "[1..0,0]", "[*,*]", "[fill 0,0]",  "[fill 1,1]", "[=1]"};

    for (unsigned depth = 0; table && table->field_count && depth < 8; depth++) {
        const lvl_field *f = &table->fields[next(seed) % table->field_count];
        if (depth)
            lvl_buffer_str(out, ".");
        lvl_buffer_str(out, f->name);
        table = NULL;
        if (f->kind == LVL_LIST) {
            add_index(out, f, seed);
            table = f->item == LVL_RECORD && next(seed) % 4 ? f->table : NULL;
        } else if (f->kind == LVL_CELLS) {
            lvl_buffer_str(out, pick(cells, LVL_COUNT_OF(cells), seed));
        } else if (f->kind == LVL_RECORD && next(seed) % 4) {
            table = f->table;
        }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const char *const assigns[] = {"=", "+=", "-=", "@="};
    lvl_buffer out = {0};
    lvl_bytes file;
    uint32_t random = seed;

    if (next(&random) % 2)
        return LLVMFuzzerMutate(data, size, max_size);
    const uint8_t head[2] = {next(&random) % 4 || !size ? (uint8_t)next(&random) : data[0],
                             (uint8_t)next(&random)};
    const lvl_doc *doc = lvl_fuzz_doc(head[0], &file);
    lvl_buffer_add(&out, head, sizeof head);
    for (uint32_t lines = next(&random) % 2 + 1; doc && lines; lines--) {
        add_path(&out, lvl_doc_table(doc), &random);
        if (head[1] % ACTIONS == SET) {
            lvl_buffer_str(&out, pick(assigns, LVL_COUNT_OF(assigns), &random));
            add_value(&out, &random);
        }
        if (head[1] % ACTIONS < SET)
            break;
        lvl_buffer_str(&out, lines > 1 ? "\n" : "");
    }
    if (out.status == LVL_OK && out.len <= max_size) {
        memcpy(data, out.data, out.len);
        size = out.len;
    }
    lvl_buffer_free(&out);
    return size;
}
