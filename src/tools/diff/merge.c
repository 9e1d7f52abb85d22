/*
 * tools/diff/merge.c: three-way merge of documents: brings them to one form, merges their content, and
 * reports what no member has.
 */
#include "tools/diff/merge.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map_layout.h"
#include "base/text.h"
#include "tools/values/streams.h"
#include "tools/tools.h"
#include "tools/explain/unread.h"

#include <stdlib.h>
#include <string.h>

static lvl_status merge_documents(lvl_merger *m, lvl_doc *ours, lvl_doc *base, lvl_doc *theirs,
                                  unsigned depth);

enum { MAX_DEPTH = 4 }; /* of documents in documents: a doodad in a level in a pack */

/* ---- documents in documents -------------------------------------------------------------------------- */

/* The label of the item that has the bytes: the name of a file in a pack. NUL-ended in `out`. */
static const char *member_name(const lvl_merger *m, const lvl_inner *inner, lvl_buffer *out)
{
    const lvl_where *where = &inner->where;
    const lvl_emit w = lvl_emit_of(m->ours, out);
    const lvl_step *step = where->depth > 1 ? &where->steps[where->depth - 2] : NULL;
    const lvl_field *label = step ? lvl_label_of(step->field->table) : NULL;

    if (m->member)
        lvl_buffer_printf(out, "%s//", m->member);
    if (label && label->kind == LVL_TEXT) {
        const uint8_t *item = (const uint8_t *)inner->ours;
        /* the bytes are a member of the item itself */
        lvl_write_plain(&w, item, label);
    } else {
        char text[200];
        lvl_where_text(where, text, sizeof text);
        lvl_buffer_str(out, text);
    }
    lvl_buffer_u8(out, 0);
    return out->status == LVL_OK ? (const char *)out->data : "";
}

static void conflict(lvl_merger *m, const lvl_inner *inner)
{
    const lvl_doc *winner = lvl_merge_winner(m);

    m->where = inner->where;
    lvl_merge_conflict_values(m, "", inner->base, inner->ours, inner->theirs, inner->field, "");
    if (winner)
        lvl_merge_take(m, inner->ours, winner, winner == m->base ? inner->base : inner->theirs, inner->field);
}

/* Merges bytes as documents if they are documents of one format on all sides (a level in a pack). */
static bool merge_inner(lvl_merger *m, const lvl_inner *inner, unsigned depth)
{
    const lvl_field *f = inner->field;
    const void *records[3] = {inner->ours, inner->base, inner->theirs};
    lvl_doc *docs[3] = {NULL, NULL, NULL};
    lvl_buffer out = {0}, name = {0};
    lvl_merger in = {.options = m->options, .findings = m->findings, .first = m->first + m->conflicts};
    bool good = depth < MAX_DEPTH;

    for (int i = 0; good && i < 3; i++) {
        const lvl_bytes bytes = lvl_get_bytes(records[i], f);
        const lvl_format *format =
            bytes.ptr && bytes.len ? lvl_formats_probe_file(m->ours->ctx, bytes, NULL, NULL) : NULL;
        good =
            format && lvl_read(&docs[i], m->ours->ctx, format, bytes, NULL, LVL_READ_BORROW, NULL) == LVL_OK;
    }
    good = good && docs[0]->format == docs[1]->format && docs[0]->format == docs[2]->format;
    in.member = good ? member_name(m, inner, &name) : NULL;
    good = good && merge_documents(&in, docs[0], docs[1], docs[2], depth + 1) == LVL_OK &&
           lvl_write(docs[0], &out, NULL) == LVL_OK && lvl_editor_note_member(&m->edit, inner->ours, f);
    if (good) {
        const lvl_bytes copy = {lvl_arena_copy(&m->ours->arena, out.data, out.len), out.len};
        if (copy.ptr)
            memcpy((uint8_t *)inner->ours + f->offset, &copy, sizeof copy);
        else
            lvl_merge_fail(m, LVL_ERR_MEMORY);
        m->conflicts += in.conflicts;
    }
    for (int i = 0; i < 3; i++)
        lvl_doc_free(docs[i]);
    lvl_buffer_free(&out);
    lvl_buffer_free(&name);
    return good;
}

static void merge_all_inner(lvl_merger *m, unsigned depth)
{
    for (size_t i = 0; i < m->inner_count && lvl_merge_ok(m); i++) {
        if (!merge_inner(m, &m->inner[i], depth) && lvl_merge_ok(m))
            conflict(m, &m->inner[i]);
    }
    m->where = lvl_where_root();
}

/* ---- damaged sides ----------------------------------------------------------------------------------- */

/* Replaces all content of OURS by that of THEIRS. */
static void take_theirs(lvl_merger *m)
{
    const lvl_table *table = m->ours->format->table;

    for (uint32_t i = 0; i < table->field_count && lvl_merge_ok(m); i++) {
        const lvl_field *f = &table->fields[i];
        m->where = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        if (f->role != LVL_DERIVED && lvl_field_present(m->theirs->root, f) &&
            lvl_field_present(m->ours->root, f))
            lvl_merge_take(m, m->ours->root, m->theirs, m->theirs->root, f);
    }
    m->where = lvl_where_root();
}

/* If a side is cut off and BASE is not, unknown content is missing, which was not deleted. The merge is a
 * conflict, and the result is the sound side. Returns whether that was done. */
static bool merge_with_damage(lvl_merger *m, const size_t cuts[3])
{
    const bool ours = cuts[0] > cuts[1], theirs = cuts[2] > cuts[1];

    if (!ours && !theirs)
        return false;
    lvl_merge_conflict(m, "%s damaged (see `lvl check', `lvl repair'), and base is not: %s",
                       ours && theirs ? "ours and theirs are"
                       : ours         ? "ours is"
                                      : "theirs is",
                       ours && !theirs ? "the result is theirs" : "the result is ours");
    if (ours && !theirs)
        take_theirs(m);
    return true;
}

/* The last line of a text that is not empty, without its line end. */
static lvl_text last_line(lvl_bytes file)
{
    size_t end = file.len;

    while (end && strchr(" \t\r\n", file.ptr[end - 1]))
        end--;
    size_t at = end;
    while (at && file.ptr[at - 1] != '\n')
        at--;
    return (lvl_text){(const char *)file.ptr + at, end - at};
}

/* Whether the text has that line, and after it none that begins with the same word, as the next row would. */
static bool has_last_line(lvl_bytes file, lvl_text line)
{
    size_t word = 0;
    bool found = false;

    while (word < line.len && !strchr(" \t\",", line.ptr[word]))
        word++;
    for (size_t at = 0; at < file.len && line.len;) {
        const uint8_t *end = memchr(file.ptr + at, '\n', file.len - at);
        size_t len = (end ? (size_t)(end - file.ptr) : file.len) - at;
        const size_t next = at + len + 1;
        while (len && strchr(" \t\r", file.ptr[at + len - 1]))
            len--;
        if (len == line.len && memcmp(file.ptr + at, line.ptr, len) == 0)
            found = true;
        else if (len >= word && memcmp(file.ptr + at, line.ptr, word) == 0)
            found = false;
        at = next;
    }
    return found;
}

/* Whether the main grid of a side has all cells that it has in BASE. */
static bool has_all_cells(const lvl_doc *side, const lvl_doc *base)
{
    const lvl_map_grid *grid = lvl_map_grid_of(base->format);
    const lvl_field *layers = lvl_map_layers(base->format);
    const lvl_field *cells = layers ? lvl_map_cells_of(layers->table).cells : NULL;

    if (!grid || !cells || !lvl_list_count(base->root, layers) || !lvl_list_count(side->root, layers))
        return false;
    const void *layer = lvl_list_item(base->root, layers, 0);
    const lvl_cells *a = lvl_get_cells(layer, cells);
    const lvl_cells *b = lvl_get_cells(lvl_list_item(side->root, layers, 0), cells);
    const uint32_t empty = lvl_map_empty(grid, layer, cells);
    bool all = a->ptr && b->ptr && a->width == b->width && a->height == b->height;
    for (uint32_t y = 0; all && y < a->height; y++) {
        for (uint32_t x = 0; all && x < a->width; x++)
            all = lvl_cell(a, x, y) == empty || lvl_cell(b, x, y) != empty;
    }
    return all;
}

static bool is_unended(lvl_bytes file)
{
    return file.len && file.ptr[file.len - 1] != '\n';
}

/* A side that seems to be cut off, but ends with a whole line of BASE that is the last of its kind there, is
 * not: what followed was deleted. The last line has no line end since that of BASE has none, or the rows that
 * are missing of the board are missing in BASE, too. */
static void discount_cut(size_t *cuts, const lvl_doc *side, const lvl_doc *base)
{
    if (*cuts == base->cuts + 1 && side->cut_off && base->format->calls->grammar &&
        (is_unended(side->input) ? is_unended(base->input) : has_all_cells(side, base)) &&
        has_last_line(base->input, last_line(side->input)))
        *cuts = base->cuts;
}

/* ---- line ends --------------------------------------------------------------------------------------- */

/* Whether a text has the line ends of Windows; -1: it has no lines. */
static int line_ends(const lvl_doc *doc)
{
    const lvl_bytes file = doc->input;
    const uint8_t *end = doc->format->calls->grammar && file.len ? memchr(file.ptr, '\n', file.len) : NULL;

    return end ? end > file.ptr && end[-1] == '\r' : -1;
}

/* Gives OURS other line ends. */
static lvl_status change_line_ends(lvl_doc *ours, bool windows)
{
    lvl_buffer was = {0}, now = {0};
    lvl_doc *made = NULL;

    lvl_status status = lvl_doc_write(ours, &was);
    for (size_t i = 0; status == LVL_OK && i < was.len; i++) {
        const bool before_end = was.data[i] == '\r' && i + 1 < was.len && was.data[i + 1] == '\n';
        if (was.data[i] == '\n' && windows)
            lvl_buffer_u8(&now, '\r');
        if (!before_end)
            lvl_buffer_u8(&now, was.data[i]);
    }
    if (status == LVL_OK)
        status = now.status;
    if (status == LVL_OK)
        status = lvl_read(&made, ours->ctx, ours->format, (lvl_bytes){now.data, now.len}, NULL, 0, NULL);
    if (status == LVL_OK)
        lvl_doc_swap(ours, made);
    lvl_doc_free(made);
    lvl_buffer_free(&was);
    lvl_buffer_free(&now);
    return status == LVL_ERR_LOSS ? LVL_OK
                                  : status; /* the writer of the result reports what cannot be written */
}

/* The result has the line ends that a side changed. */
static lvl_status merge_line_ends(lvl_doc *ours, int base_ends, const lvl_doc *theirs)
{
    const int o = line_ends(ours), t = line_ends(theirs);

    return o < 0 || t < 0 || base_ends < 0 || t == base_ends || t == o ? LVL_OK
                                                                       : change_line_ends(ours, t != 0);
}

/* ---- content that no member has ---------------------------------------------------------------------- */

/* A merge compares members, so content of THEIRS that no member has does not get into the result: that is a
 * conflict. */
static lvl_status report_unread(lvl_merger *m, const lvl_doc *ours, const lvl_doc *base,
                                const lvl_doc *theirs)
{
    lvl_unread u;
    const lvl_unread_line *first = NULL;
    unsigned long more = 0;
    char shown[120];

    if (!theirs->format->calls->unread)
        return LVL_OK;
    lvl_unread_init(&u, ours->ctx, false);
    lvl_status status = lvl_unread_add(&u, base, LVL_MERGE_BASE);
    if (status == LVL_OK)
        status = lvl_unread_add(&u, theirs, LVL_MERGE_THEIRS);
    if (status == LVL_OK)
        status = lvl_unread_add(&u, ours, LVL_MERGE_OURS);
    for (size_t i = 0; i < u.count && status == LVL_OK; i++) {
        const lvl_unread_line *line = &u.lines[i];
        const uint32_t n = line->count[LVL_MERGE_THEIRS];
        if (n <= line->count[LVL_MERGE_BASE] || n <= line->count[LVL_MERGE_OURS])
            continue;
        more += first != NULL;
        first = first ? first : line;
    }
    if (first && more)
        lvl_merge_conflict(
            m,
            "theirs added content that lvl does not know, and that is not in the result: %s (and %lu more)",
            lvl_text_show(shown, sizeof shown, theirs->codepage, first->text), more);
    else if (first)
        lvl_merge_conflict(m,
                           "theirs added content that lvl does not know, and that is not in the result: %s",
                           lvl_text_show(shown, sizeof shown, theirs->codepage, first->text));
    lvl_unread_free(&u);
    return status;
}

/* ---- what no file can hold ---------------------------------------------------------------------------- */

/* Whether both sides changed something: else the result is one of them, which was a file. */
static bool both_changed(const lvl_merger *m)
{
    const lvl_table *table = m->ours->format->table;

    return !lvl_record_equal(m->base->root, m->theirs->root, table) &&
           !lvl_record_equal(m->ours->root, m->theirs->root, table);
}

/* Each side is a file, but the format may have none with the changes of both: two sides remove different
 * directions of a frame, which needs one. Then OURS stays. LVL_ERR_LOSS: so it is; *place has the path. */
static lvl_status check_result(lvl_merger *m, lvl_where *place, char *why, size_t size)
{
    lvl_findings *findings = lvl_findings_new(m->ours->ctx);
    lvl_buffer out = {0};

    if (!findings)
        return LVL_ERR_MEMORY;
    m->edit.recomputed = true;
    lvl_status status = lvl_doc_recompute_derived(m->ours);
    if (status == LVL_OK && m->ours->format->calls->settle)
        m->ours->format->calls->settle(m->ours);
    if (status == LVL_OK)
        status = lvl_write(m->ours, &out, findings);
    const lvl_finding *first = lvl_findings_count(findings) ? lvl_findings_at(findings, 0) : NULL;
    if (status == LVL_ERR_LOSS && first) {
        lvl_where_text(&first->where, why, size);
        const size_t n = strlen(why);
        snprintf(why + n, size - n, "%s%s", n ? ": " : "", first->text);
        *place = first->where;
    } else if (status == LVL_ERR_LOSS) {
        status = LVL_OK; /* the writer of the result tells why */
    }
    lvl_buffer_free(&out);
    lvl_findings_free(findings);
    return status;
}

/* ---- content of one form ----------------------------------------------------------------------------- */

/* Merges documents of one form, with chunks of one size. */
static lvl_status merge_content(lvl_merger *m, const size_t cuts[3], unsigned depth)
{
    lvl_doc *const docs[] = {m->ours, m->base, m->theirs};

    m->where = lvl_where_root();
    lvl_status status = lvl_doc_open_different(docs, 3, true);
    if (status != LVL_OK)
        return status;
    const bool both = both_changed(m);
    lvl_where place = lvl_where_root();
    bool impossible = false;
    char why[400] = "";
    lvl_arena_init(&m->arena, m->ours->ctx);
    status = lvl_editor_begin(&m->edit, m->ours, m->findings);
    m->edit.load.status = status;
    const bool damaged = status == LVL_OK && merge_with_damage(m, cuts);
    if (lvl_merge_ok(m) && !damaged)
        lvl_merge_root(m);
    if (lvl_merge_ok(m) && !damaged)
        merge_all_inner(m, depth);
    if (m->findings) /* a conflict that could not be reported */
        lvl_merge_fail(m, lvl_findings_status(m->findings));
    status = m->edit.load.status;
    if (status == LVL_OK && both && !damaged) {
        status = check_result(m, &place, why, sizeof why);
        impossible = status == LVL_ERR_LOSS;
    }
    status = lvl_editor_finish(&m->edit, status, NULL);
    if (impossible) {
        m->edit = (lvl_editor){.load.doc = m->ours};
        m->where = lvl_where_root();
        if (place.depth)
            m->where = lvl_where_to(m->where, place.steps[0].field, LVL_NO_INDEX);
        lvl_merge_conflict(m, "a file cannot hold what both sides changed, so the result has only ours: %s",
                           why);
        status = m->edit.load.status;
    }
    if (status == LVL_OK && m->ours->format->calls->settle)
        m->ours->format->calls->settle(m->ours);
    for (uint32_t i = 0; i < m->pending_count; i++)
        free(m->pending[i].by);
    free(m->inner);
    free(m->translated);
    lvl_arena_free(&m->arena);
    return status;
}

/* ---- documents --------------------------------------------------------------------------------------- */

/* Merges a copy of OURS, whose shape changes, so that OURS is unchanged after an error. */
static lvl_status merge_reshaped(lvl_merger *m, const size_t cuts[3], const lvl_merge_shape *wanted,
                                 unsigned depth)
{
    lvl_doc *const ours = m->ours;
    lvl_doc *copy = NULL;

    lvl_status status = lvl_merge_copy_document(ours, &copy);
    if (status != LVL_OK)
        return status;
    m->ours = copy;
    status = merge_content(m, cuts, depth);
    if (status == LVL_OK)
        status = lvl_merge_reshape(m, &copy, wanted);
    if (status == LVL_OK && m->findings)
        status = lvl_findings_status(m->findings);
    if (status == LVL_OK)
        lvl_doc_swap(ours, copy);
    m->ours = ours;
    lvl_doc_free(copy);
    return status;
}

/* A result with the content of THEIRS gets its streams. */
static lvl_status take_streams(lvl_doc *ours, const lvl_doc *base, const lvl_doc *theirs)
{
    const lvl_table *table = ours->format->table;

    if (ours->override_count || theirs->override_count || lvl_record_equal(ours->root, base->root, table) ||
        !lvl_record_equal(ours->root, theirs->root, table))
        return LVL_OK;
    return lvl_streams_take(ours, theirs);
}

static lvl_status merge_documents(lvl_merger *m, lvl_doc *ours, lvl_doc *base, lvl_doc *theirs,
                                  unsigned depth)
{
    size_t cuts[3] = {ours->cuts, base->cuts, theirs->cuts};
    const int base_ends = line_ends(base);
    lvl_doc *base_made = NULL, *theirs_made = NULL, *ours_made = NULL;
    lvl_merge_shape wanted = {NULL, NULL, 0};

    m->ours = ours;
    m->where = lvl_where_root();
    discount_cut(&cuts[0], ours, base);
    discount_cut(&cuts[2], theirs, base);
    const bool damaged = cuts[0] > cuts[1] || cuts[2] > cuts[1];
    lvl_status status = lvl_merge_in_one_form(m, base, theirs, &base_made, &theirs_made, &ours_made);
    if (status == LVL_OK && !damaged)
        status = report_unread(m, ours, base, theirs);
    if (status == LVL_OK && (!damaged || ours_made))
        wanted = lvl_merge_shape_of(m, ours, base, theirs);
    if (status == LVL_OK && !damaged)
        status = lvl_merge_in_chunks_of(m->ours, m->base, m->theirs, m->findings);
    if (status == LVL_OK)
        status = wanted.form || wanted.chunks ? merge_reshaped(m, cuts, &wanted, depth)
                                              : merge_content(m, cuts, depth);
    if (status == LVL_OK && ours_made)
        lvl_doc_swap(ours, ours_made);
    m->ours = ours;
    if (status == LVL_OK && !damaged)
        status = merge_line_ends(ours, base_ends, theirs);
    if (status == LVL_OK && !m->conflicts && !damaged && !base_made && !theirs_made)
        status = take_streams(ours, base, theirs);
    lvl_doc_free(base_made);
    lvl_doc_free(theirs_made);
    lvl_doc_free(ours_made);
    return status;
}

lvl_status lvl_merge(lvl_doc *ours, lvl_doc *base, lvl_doc *theirs, const lvl_merge_options *options,
                     uint64_t *conflicts, lvl_findings *findings)
{
    static const lvl_merge_options usual = {0};
    lvl_findings *own = findings ? NULL : lvl_findings_new(ours->ctx);
    lvl_merger m = {.options = options ? options : &usual, .findings = findings ? findings : own};

    const lvl_status status = m.findings ? merge_documents(&m, ours, base, theirs, 0) : LVL_ERR_MEMORY;
    if (conflicts)
        *conflicts = m.conflicts;
    lvl_findings_free(own);
    return status;
}
