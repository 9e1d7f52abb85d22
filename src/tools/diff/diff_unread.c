/*
 * tools/diff/diff_unread.c: what differs in the content that no member has: the lines, or keys with their
 * values, that one side has more often. Their order is not part of a level's content.
 */
#include "tools/diff/changes.h"
#include "tools/explain/unread.h"

#include "base/buffer.h"
#include "base/text.h"

#include <string.h>

enum { SIDE_A, SIDE_B };

/* How many more of a line there are than on the other side: one of both is 0. */
static uint32_t removed(const lvl_unread_line *line)
{
    return line->count[SIDE_A] > line->count[SIDE_B] ? line->count[SIDE_A] - line->count[SIDE_B] : 0;
}

static uint32_t added(const lvl_unread_line *line)
{
    return line->count[SIDE_B] > line->count[SIDE_A] ? line->count[SIDE_B] - line->count[SIDE_A] : 0;
}

static void put_text(const lvl_unread *u, const lvl_codepage pages[2], bool summary, uint64_t gone,
                     uint64_t come, lvl_buffer *out)
{
    enum { MAX_SHOWN = 20 };
    size_t shown = 0, rest = 0;

    lvl_buffer_printf(out, "content that lvl does not know: -%llu +%llu lines\n", (unsigned long long)gone,
                      (unsigned long long)come);
    for (size_t i = 0; i < u->count && !summary; i++) {
        const lvl_unread_line *line = &u->lines[i];
        if (!removed(line) && !added(line))
            continue;
        if (shown++ >= MAX_SHOWN) {
            rest++;
            continue;
        }
        lvl_buffer_str(out, removed(line) ? "  - " : "  + ");
        lvl_text_escape(out, pages[line->side], line->text, false);
        lvl_buffer_u8(out, '\n');
    }
    if (rest)
        lvl_buffer_printf(out, "  ... and %zu more\n", rest);
}

static void put_json(const lvl_unread *u, const lvl_codepage pages[2], bool summary, uint64_t gone,
                     uint64_t come, lvl_buffer *out)
{
    if (summary)
        lvl_buffer_printf(out, "{\"change\":\"unread\",\"path\":\"\",\"added\":%llu,\"removed\":%llu}\n",
                          (unsigned long long)come, (unsigned long long)gone);
    for (size_t i = 0; i < u->count && !summary; i++) {
        const lvl_unread_line *line = &u->lines[i];
        const uint32_t times = removed(line) + added(line);
        if (!times)
            continue;
        lvl_buffer_str(out, "{\"change\":\"unread\",\"path\":\"\"");
        lvl_json_key(out, removed(line) ? "old" : "new");
        lvl_json_text(out, pages[line->side], line->text);
        if (times > 1)
            lvl_json_put_uint(out, "count", times);
        lvl_buffer_str(out, "}\n");
    }
}

/* Whether both were read from the same bytes. */
static bool same_source(const lvl_doc *a, const lvl_doc *b)
{
    return a->input.len == b->input.len && (!a->input.len || a->input.ptr == b->input.ptr ||
                                            !memcmp(a->input.ptr, b->input.ptr, a->input.len));
}

lvl_status lvl_changes_unread(const lvl_doc *a, const lvl_doc *b, const lvl_diff_options *options,
                              const char *head, bool *different, lvl_buffer *out)
{
    const lvl_codepage pages[] = {a->codepage, b->codepage};
    uint64_t gone = 0, come = 0;
    lvl_unread u;

    if (same_source(a, b))
        return LVL_OK;
    lvl_unread_init(&u, a->ctx, true);
    lvl_status status = lvl_unread_add(&u, a, SIDE_A);
    if (status == LVL_OK)
        status = lvl_unread_add(&u, b, SIDE_B);
    for (size_t i = 0; i < u.count && status == LVL_OK; i++) {
        gone += removed(&u.lines[i]);
        come += added(&u.lines[i]);
    }
    if (status == LVL_OK && (gone || come)) {
        *different = true;
        if (out && options->json) {
            put_json(&u, pages, options->summary, gone, come, out);
        } else if (out) {
            lvl_buffer_str(out, head);
            put_text(&u, pages, options->summary, gone, come, out);
        }
    }
    lvl_unread_free(&u);
    return status != LVL_OK || !out ? status : out->status;
}
