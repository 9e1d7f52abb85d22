/*
 * abi/calls.c: what the flat interface does with a document: looking, comparing, editing.
 */
#include "abi/abi.h"
#include "base/buffer.h"
#include "base/text.h"
#include "scene/art.h"
#include "tools/explain/coverage.h"
#include "tools/diff/follow.h"
#include "tools/check/reports.h"
#include "tools/edit/move.h"

#include <stdlib.h>
#include <string.h>

static lvl_status no_document(abi_call *call)
{
    return abi_wrong(call, "no document");
}

lvl_abi_result *lvl_abi_info(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_info_options o = {0};
    bool no_name = false;
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0},     {"summary", ABI_FLAG, &o.summary, 0},
        {"counts", ABI_FLAG, &o.counts, 0}, {"no_name", ABI_FLAG, &no_name, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK) {
        o.file = *d->name && !no_name ? d->name : NULL;
        o.art = art;
        status = lvl_info_write(d->doc, &o, &call->out);
    }
    abi_art_done(d, art);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_sound(lvl_abi_doc *d, const char *name, const char *options)
{
    abi_call *call = abi_begin(d);
    const abi_option known[] = {{"art", ABI_REPEATED, NULL, 0}};
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status = d && name ? abi_options(call, options, known, LVL_COUNT_OF(known))
                                  : abi_wrong(call, "no document, or no name");
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK)
        status = art ? lvl_art_read_used(art, d->doc, LVL_USE_SOUND, name, &call->out) : LVL_ERR_MISSING;
    abi_art_done(d, art);
    if (status == LVL_ERR_MISSING)
        abi_set_message(call, "there is no sound '%.200s' among the files", name);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_dump(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_dump_options o = {0};
    const abi_option known[] = {
        {"compact", ABI_FLAG, &o.compact, 0},
        {"no_kept", ABI_FLAG, &o.no_kept, 0},
        {"path", ABI_TEXT, &o.path, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = lvl_dump(d->doc, &o, &call->out, call->findings);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_get(lvl_abi_doc *d, const char *path, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_get_options o = {0};
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0},
        {"paths", ABI_FLAG, &o.paths, 0},
    };
    size_t count = 0;

    if (!call)
        return NULL;
    lvl_status status =
        d && path ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = lvl_get(d->doc, path, &o, &call->out, &count, call->findings);
    call->result.count = count;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_explain(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_explain_options o = {0};
    bool residue = false, all = false;
    uint32_t depth = 0;
    const abi_option known[] = {
        {"at", ABI_TEXT, &o.at, 0},     {"path", ABI_TEXT, &o.path, 0}, {"residue", ABI_FLAG, &residue, 0},
        {"all", ABI_FLAG, &all, 0},     {"depth", ABI_UINT, &depth, 0}, {"bits", ABI_FLAG, &o.bits, 0},
        {"json", ABI_FLAG, &o.json, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    o.mode = o.at      ? LVL_EXPLAIN_AT
             : o.path  ? LVL_EXPLAIN_PATH
             : residue ? LVL_EXPLAIN_RESIDUE
             : all     ? LVL_EXPLAIN_ALL
                       : LVL_EXPLAIN_RECORDS;
    o.depth = depth;
    if (status == LVL_OK)
        status = lvl_explain(d->doc, &o, &call->out, call->findings);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_check(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_check_options o = {0};
    lvl_check_result result;
    lvl_buffer storage = {0};
    lvl_bytes bytes = {NULL, 0};
    lvl_art *art = NULL;
    bool text = false;
    const abi_option known[] = {
        {"roundtrip", ABI_FLAG, &o.roundtrip, 0},
        {"sha256", ABI_FLAG, &o.sha256, 0},
        {"text", ABI_FLAG, &text, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK)
        status = abi_doc_bytes(d, &storage, &bytes);
    o.art = art && lvl_art_root(art, 0) ? art : NULL; /* without a root nothing is missing */
    if (status == LVL_OK)
        status = lvl_check(&d->ctx, lvl_doc_format(d->doc), bytes, *d->name ? abi_file_name(d) : NULL, &o,
                           call->findings, &result, NULL);
    if (status == LVL_OK) {
        call->result.count = (uint64_t)result.verdict;
        status = text ? lvl_findings_text(call->findings, d->name, LVL_NOTE, 0, &call->out)
                      : lvl_check_json(&result, call->findings, d->name, &call->out);
    }
    abi_art_done(d, art);
    lvl_buffer_free(&storage);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_diff(lvl_abi_doc *a, lvl_abi_doc *b, const char *options)
{
    abi_call *call = abi_begin(a);
    lvl_diff_options o = {0};
    bool different = false;
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0},
        {"summary", ABI_FLAG, &o.summary, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = a && b ? abi_options(call, options, known, LVL_COUNT_OF(known))
                               : abi_wrong(call, "two documents are needed");
    if (status == LVL_OK)
        status = lvl_doc_open(a->doc);
    if (status == LVL_OK)
        status = lvl_doc_open(b->doc);
    if (status == LVL_OK) {
        o.a = *a->name ? a->name : NULL;
        o.b = *b->name ? b->name : NULL;
        status = lvl_diff(a->doc, b->doc, &o, &different, &call->out);
        if (status == LVL_ERR_ARG)
            abi_set_message(call, "the documents are of different formats: %s and %s",
                            lvl_doc_format(a->doc)->id, lvl_doc_format(b->doc)->id);
    }
    call->result.count = different;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_follow(const lvl_abi_doc *before, const char *paths, lvl_abi_doc *after)
{
    abi_call *call = abi_begin(after);
    size_t count = 0;
    const char **items = abi_items(paths, &count);

    if (!call) {
        free((void *)items);
        return NULL;
    }
    lvl_status status = before && after ? LVL_OK : abi_wrong(call, "two documents are needed");
    if (status == LVL_OK && !items)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_paths_follow(before->doc, items, count, after->doc, &call->out, call->findings);
    call->result.count = count;
    free((void *)items);
    return abi_end(call, status);
}

/* The streams in the file, as JSON. */
static void spaces_json(const lvl_trace *trace, lvl_buffer *out)
{
    char place[100];

    lvl_buffer_u8(out, '[');
    for (size_t i = 0; i < trace->space_count; i++) {
        const lvl_space *s = &trace->spaces[i].space;
        lvl_trace_position(trace, s->parent, s->parent_bit, false, place, sizeof place);
        lvl_buffer_printf(out, "%s{\"id\":%lu,\"base\":%llu,\"size\":%llu,\"place\":", i ? "," : "",
                          (unsigned long)s->id, (unsigned long long)s->base,
                          (unsigned long long)trace->spaces[i].size);
        lvl_json_string(out, lvl_text_of(s->id ? place : ""));
        lvl_buffer_str(out, ",\"name\":");
        lvl_json_string(out, lvl_text_of(s->name ? s->name : ""));
        lvl_buffer_str(out, ",\"called\":");
        lvl_json_string(out, s->called);
        lvl_buffer_u8(out, '}');
    }
    lvl_buffer_u8(out, ']');
}

lvl_abi_result *lvl_abi_spaces(lvl_abi_doc *d, uint32_t id)
{
    abi_call *call = abi_begin(d);
    lvl_trace trace = {0};

    if (!call)
        return NULL;
    lvl_status status = d ? lvl_trace_read(&trace, d->doc, true, NULL) : no_document(call);
    const lvl_trace_space *space = status == LVL_OK && id ? lvl_trace_find(&trace, id) : NULL;
    if (status == LVL_OK && id && !space) {
        abi_set_message(call, "there is no stream %lu", (unsigned long)id);
        status = LVL_ERR_MISSING;
    }
    if (space)
        lvl_buffer_add(&call->out, space->space.bytes.ptr, space->space.bytes.len);
    else if (status == LVL_OK)
        spaces_json(&trace, &call->out);
    lvl_trace_free(&trace);
    return abi_end(call, status);
}

/* ---- members of archives ----------------------------------------------------------------------------- */

/* Opens the container, or returns the kept one. */
static lvl_status open_container(lvl_abi_doc *d, lvl_container **out)
{
    const lvl_status status = d->container ? LVL_OK : lvl_container_open(&d->container, d->doc);

    *out = d->container;
    return status;
}

/* Closes it if records may change before the next call, or after a sticky error. */
static void close_container(lvl_abi_doc *d, lvl_status status)
{
    if (!d || (!d->handed && status != LVL_ERR_MEMORY))
        return;
    lvl_container_close(d->container);
    d->container = NULL;
}

lvl_abi_result *lvl_abi_members(lvl_abi_doc *d)
{
    abi_call *call = abi_begin(d);
    lvl_container *container = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? open_container(d, &container) : no_document(call);
    if (status == LVL_OK) {
        abi_list_begin(call);
        for (size_t i = 0; i < lvl_container_count(container); i++)
            abi_entry_json(call, lvl_container_at(container, i));
        status = abi_list_end(call, container);
    }
    close_container(d, status);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_member(lvl_abi_doc *d, const char *path)
{
    abi_call *call = abi_begin(d);
    lvl_container *container = NULL;
    lvl_buffer storage = {0};
    lvl_bytes view = {NULL, 0};

    if (!call)
        return NULL;
    lvl_status status = d && path ? open_container(d, &container) : no_document(call);
    const lvl_entry *entry = status == LVL_OK ? lvl_container_find(container, path) : NULL;
    if (status == LVL_OK && !entry) {
        abi_set_message(call, "there is no member '%.200s'", path);
        status = LVL_ERR_MISSING;
    }
    if (status == LVL_OK)
        status = lvl_container_read(container, entry, &view, &storage, call->findings);
    if (status == LVL_OK || status == LVL_ERR_LOSS)
        lvl_buffer_add(&call->out, view.ptr, view.len);
    lvl_buffer_free(&storage);
    close_container(d, status);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_put_member(lvl_abi_doc *d, const char *path, const void *bytes, size_t len)
{
    abi_call *call = abi_begin(d);
    lvl_container *container = NULL;

    if (!call)
        return NULL;
    lvl_status status = d && path ? open_container(d, &container) : no_document(call);
    if (status == LVL_OK)
        status = bytes ? lvl_container_put(container, path, (lvl_bytes){bytes, len}, 0)
                       : lvl_container_remove(container, path);
    call->result.count = status == LVL_OK;
    if (d)
        abi_view_clear(d, &d->view);
    if (d && status == LVL_OK)
        d->edited = true;
    close_container(d, status);
    return abi_end(call, status);
}

/* ---- edits ------------------------------------------------------------------------------------------- */

static lvl_abi_result *edit(lvl_abi_doc *d, const char *list,
                            lvl_status (*with)(lvl_doc *, const char *const *, size_t, size_t *,
                                               lvl_findings *))
{
    abi_call *call = abi_begin(d);
    size_t count = 0, changed = 0;
    const char **items = abi_items(list, &count);

    if (!call) {
        free((void *)items);
        return NULL;
    }
    lvl_status status = !d ? no_document(call) : items ? LVL_OK : LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        abi_forget(d);
        status = with(d->doc, items, count, &changed, call->findings);
        d->edited = d->edited || changed;
    }
    call->result.count = changed;
    free((void *)items);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_set(lvl_abi_doc *d, const char *assignments)
{
    return edit(d, assignments, lvl_set);
}

lvl_abi_result *lvl_abi_unset(lvl_abi_doc *d, const char *paths)
{
    return edit(d, paths, lvl_unset);
}

static lvl_abi_result *copied_from(abi_call *call, lvl_abi_doc *to, const lvl_abi_doc *from, size_t copied,
                                   lvl_status status)
{
    call->result.count = copied;
    if (status == LVL_OK && copied) {
        to->edited = true;
        to->partial = to->partial || from->partial || lvl_doc_cuts(from->doc) > 0;
    }
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_copy(lvl_abi_doc *to, const char *to_path, lvl_abi_doc *from, const char *from_path)
{
    abi_call *call = abi_begin(to);
    size_t copied = 0;

    if (!call)
        return NULL;
    lvl_status status =
        to && from && from_path ? LVL_OK : abi_wrong(call, "two documents and a path are needed");
    if (status == LVL_OK) {
        abi_forget(to);
        status = lvl_copy(to->doc, to_path, from->doc, from_path, &copied, call->findings);
    }
    return copied_from(call, to, from, copied, status);
}

lvl_abi_result *lvl_abi_resize(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_resize_options o = {0};
    int32_t x = 0, y = 0;
    size_t changed = 0;
    const abi_option known[] = {
        {"plane", ABI_TEXT, &o.plane, 0},   {"width", ABI_UINT, &o.width, 0},
        {"height", ABI_UINT, &o.height, 0}, {"anchor_x", ABI_INTS, &x, 1},
        {"anchor_y", ABI_INTS, &y, 1},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    o.anchor_x = x;
    o.anchor_y = y;
    if (status == LVL_OK && (x < -1 || x > 1 || y < -1 || y > 1))
        status = abi_wrong(call, "anchors are -1, 0 or 1");
    if (status == LVL_OK) {
        abi_forget(d);
        status = lvl_resize(d->doc, &o, &changed, call->findings);
        d->edited = d->edited || changed;
    }
    call->result.count = changed;
    return abi_end(call, status);
}

/* Takes `by`: one distance, or one for each of `count` paths, in *each (malloc). */
static lvl_status take_distances(abi_call *call, const char *options, size_t count, lvl_move_options *o,
                                 double **each)
{
    size_t n = 0, given = 0;

    for (const char *at = options; at && *at; at += strlen(at) + 1)
        given += abi_value(at, "by") != NULL;
    if (given != 1 && (!count || given != count))
        return abi_wrong(call, "`by' is needed: one distance, or one for each path");
    *each = malloc(2 * given * sizeof **each);
    if (!*each)
        return LVL_ERR_MEMORY;
    for (const char *at = options; *at; at += strlen(at) + 1) {
        const char *by = abi_value(at, "by");
        if (by && !lvl_move_read(by, &(*each)[2 * n], &(*each)[2 * n + 1]))
            return abi_wrong(call, "`by' is a distance as 64,-32");
        n += by != NULL;
    }
    o->dx = (*each)[0];
    o->dy = (*each)[1];
    o->each = count == given ? *each : NULL;
    return LVL_OK;
}

static lvl_status take_unit(abi_call *call, const char *unit, lvl_move_options *o)
{
    static const char *const units[] = {
        [LVL_MOVE_OWN] = "own", [LVL_MOVE_TILES] = "tiles", [LVL_MOVE_PX] = "px"};
    int i = 0;

    while (unit && i < 3 && strcmp(unit, units[i]) != 0)
        i++;
    if (i == 3)
        return abi_wrong(call, "`unit' is own, tiles or px");
    o->unit = unit ? (lvl_move_unit)i : o->unit;
    return LVL_OK;
}

/* What lvl_abi_move and lvl_abi_copy_moved are given. */
typedef struct moves {
    lvl_move_options options;
    const char **paths;
    double *each;
} moves;

/* Takes it; free_moves follows, after errors, too. */
static lvl_status take_moves(abi_call *call, const char *paths, const char *options, moves *out)
{
    lvl_move_options *o = &out->options;
    const char *unit = NULL;
    const abi_option known[] = {
        {"by", ABI_REPEATED, NULL, 0},     {"outside", ABI_FLAG, &o->outside, 0},
        {"unit", ABI_TEXT, &unit, 0},
#ifndef LVL_WITHOUT_REGIONS
        {"tiles", ABI_INTS, o->region, 4}, {"plane", ABI_TEXT, &o->plane, 0},
#endif
    };

    lvl_status status = abi_options(call, options, known, LVL_COUNT_OF(known));
    out->paths = paths ? abi_items(paths, &o->path_count) : NULL;
    o->paths = out->paths;
    o->unit = LVL_MOVE_PX;
    if (status == LVL_OK && paths && !out->paths)
        status = LVL_ERR_MEMORY;
    else if (status == LVL_OK && !o->path_count == !o->region[2])
        status = abi_wrong(call, "paths of objects or `tiles' are needed");
    if (status == LVL_OK)
        status = take_distances(call, options, o->path_count, o, &out->each);
    return status == LVL_OK ? take_unit(call, unit, o) : status;
}

static void free_moves(moves *m)
{
    free(m->paths);
    free(m->each);
}

lvl_abi_result *lvl_abi_move(lvl_abi_doc *d, const char *paths, const char *options)
{
    abi_call *call = abi_begin(d);
    moves m = {0};
    size_t changed = 0;

    if (!call)
        return NULL;
    lvl_status status = d ? take_moves(call, paths, options, &m) : no_document(call);
    if (status == LVL_OK) {
        abi_forget(d);
        status = lvl_move(d->doc, &m.options, &changed, call->findings);
        d->edited = d->edited || changed;
    }
    free_moves(&m);
    call->result.count = changed;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_copy_moved(lvl_abi_doc *to, const char *to_path, lvl_abi_doc *from, const char *paths,
                                   const char *options)
{
    abi_call *call = abi_begin(to);
    moves m = {0};
    size_t copied = 0;

    if (!call)
        return NULL;
    lvl_status status = to && from ? take_moves(call, paths, options, &m)
                                   : abi_wrong(call, "two documents and paths are needed");
    if (status == LVL_OK && m.options.path_count > 1 && m.options.each)
        status = abi_wrong(call, "copies move together: one `by' is expected");
    if (status == LVL_OK) {
        abi_forget(to);
        status = lvl_copy_moved(to->doc, to_path, from->doc, NULL, &m.options, &copied, call->findings);
    }
    free_moves(&m);
    return copied_from(call, to, from, copied, status);
}
