/*
 * tools/diff/diff.c: compares two documents: the list of changes (changes.c), printed as text (diff_text.c)
 * or as JSON (diff_json.c), and content that no member has (diff_unread.c).
 */
#include "tools/diff/changes.h"

#include "base/buffer.h"

/* How values of a side are written. */
static lvl_emit side_of(const lvl_doc *doc, lvl_buffer *out)
{
    lvl_emit side = lvl_emit_of(doc, out);

    side.names_alone = true; /* the number beside a name is redundant here */
    side.compact = true;
    side.no_kept = true;
    return side;
}

lvl_status lvl_diff(const lvl_doc *a, const lvl_doc *b, const lvl_diff_options *options, bool *different,
                    lvl_buffer *out)
{
    static const lvl_diff_options usual = {0};
    const lvl_diff_options *o = options ? options : &usual;
    lvl_changes changes;
    lvl_buffer head = {0};
    const size_t from = out ? out->len : 0;

    lvl_status status = lvl_changes_find(&changes, a, b);
    bool differs = changes.count != 0;
    if (!o->json && o->a && o->b)
        lvl_buffer_printf(&head, "--- %s\n+++ %s\n", o->a, o->b);
    lvl_buffer_u8(&head, 0);
    if (status == LVL_OK)
        status = head.status;
    if (status == LVL_OK && out && differs) {
        const lvl_emit was = side_of(a, out), is = side_of(b, out);
        lvl_buffer_str(out, (const char *)head.data);
        status = o->json ? lvl_changes_json(&changes, &was, &is, o->summary, out)
                         : lvl_changes_text(&changes, &was, &is, o->summary, out);
    }
    if (status == LVL_OK)
        status = lvl_changes_unread(a, b, o, differs ? "" : (const char *)head.data, &differs, out);
    if (different)
        *different = differs;
    if (status != LVL_OK && out && out->len > from)
        out->len = from; /* half of a comparison says something else */
    lvl_buffer_free(&head);
    lvl_changes_free(&changes);
    return status;
}
