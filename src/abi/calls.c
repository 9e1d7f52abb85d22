/*
 * abi/calls.c: what the flat interface does with a document: looking, comparing, drawing, editing.
 */
#include "abi/abi.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static lvl_status none(abi_call *call)
{
    return abi_wrong(call, "no document");
}

lvl_abi_result *lvl_abi_info(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_info_options o = {0};
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0, NULL},
        {"summary", ABI_FLAG, &o.summary, 0, NULL},
        {"counts", ABI_FLAG, &o.counts, 0, NULL},
        {"art", ABI_REPEATED, NULL, 0, NULL},
    };
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK) {
        o.file = *d->name ? d->name : NULL;
        o.art = art;
        status = lvl_info_write(d->doc, &o, &call->out);
    }
    lvl_art_free(art);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_dump(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_dump_options o = {0};
    const abi_option known[] = {
        {"compact", ABI_FLAG, &o.compact, 0, NULL},
        {"no_kept", ABI_FLAG, &o.no_kept, 0, NULL},
        {"path", ABI_TEXT, &o.path, 0, NULL},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
    if (status == LVL_OK)
        status = lvl_dump(d->doc, &o, &call->out, call->findings);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_get(lvl_abi_doc *d, const char *path, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_get_options o = {0};
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0, NULL},
        {"paths", ABI_FLAG, &o.paths, 0, NULL},
    };
    size_t count = 0;

    if (!call)
        return NULL;
    lvl_status status = d && path ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
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
        {"at", ABI_TEXT, &o.at, 0, NULL},         {"path", ABI_TEXT, &o.path, 0, NULL},
        {"residue", ABI_FLAG, &residue, 0, NULL}, {"all", ABI_FLAG, &all, 0, NULL},
        {"depth", ABI_UINT, &depth, 0, NULL},     {"bits", ABI_FLAG, &o.bits, 0, NULL},
        {"json", ABI_FLAG, &o.json, 0, NULL},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
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
    lvl_buffer bytes = {0};
    lvl_art *art = NULL;
    const abi_option known[] = {
        {"roundtrip", ABI_FLAG, &o.roundtrip, 0, NULL},
        {"sha256", ABI_FLAG, &o.sha256, 0, NULL},
        {"art", ABI_REPEATED, NULL, 0, NULL},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK)
        status = lvl_doc_write_with_findings(d->doc, &bytes, NULL);
    o.art = art;
    if (status == LVL_OK)
        status = lvl_check(&d->ctx, lvl_doc_format(d->doc), (lvl_bytes){bytes.data, bytes.len},
                           *d->name ? abi_file_name(d) : NULL, &o, call->findings, &result, NULL);
    if (status == LVL_OK) {
        call->result.count = (uint64_t)result.verdict;
        status = lvl_check_json(&result, call->findings, d->name, &call->out);
    }
    lvl_art_free(art);
    lvl_buffer_free(&bytes);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_diff(lvl_abi_doc *a, lvl_abi_doc *b, const char *options)
{
    abi_call *call = abi_begin(a);
    lvl_diff_options o = {0};
    bool different = false;
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0, NULL},
        {"summary", ABI_FLAG, &o.summary, 0, NULL},
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

/* ---- pictures ---------------------------------------------------------------------------------------- */

typedef struct png_writer {
    lvl_writer writer; /* first */
    lvl_buffer *out;
} png_writer;

static lvl_status write_png(lvl_writer *writer, const void *data, size_t len)
{
    lvl_buffer *out = ((png_writer *)(void *)writer)->out;

    lvl_buffer_add(out, data, len);
    return out->status;
}

static int32_t add_clamped(int32_t at, int32_t by)
{
    const int64_t to = (int64_t)at + by;

    return to > INT32_MAX ? INT32_MAX : to < INT32_MIN ? INT32_MIN : (int32_t)to;
}

static lvl_status draw(abi_call *call, const lvl_scene *scene, lvl_render_options *r, bool pixels)
{
    lvl_image image = {0};

    r->camera_x = add_clamped(r->camera_x, scene->zero_x);
    r->camera_y = add_clamped(r->camera_y, scene->zero_y);
    lvl_status status = lvl_render_size(scene, r, &call->result.width, &call->result.height);
    if (status == LVL_ERR_ARG)
        abi_set_message(call, "there is nothing to draw");
    if (status == LVL_OK && !pixels) {
        png_writer png = {{write_png}, &call->out};
        return lvl_render_png(scene, r, &png.writer);
    }
    if (status == LVL_OK)
        status = lvl_render_image(scene, r, &image);
    if (status == LVL_OK)
        lvl_buffer_add(&call->out, image.pixels, (size_t)image.width * image.height * 4);
    lvl_image_clear(&image);
    return status;
}

lvl_abi_result *lvl_abi_render(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_render_options r;
    lvl_scene_request request = {0};
    lvl_scene *scene = NULL;
    lvl_art *art = NULL;
    bool pixels = false, layer = false, view_given = false;
    bool over[5] = {false};
    int32_t region[4] = {0}, camera[2] = {0}, view[2] = {0};

    lvl_render_options_init(&r);
    const abi_option known[] = {
        {"size", ABI_UINT, &r.size, 0, NULL},
        {"scale_up", ABI_UINT, &r.scale_up, 0, NULL},
        {"scale_down", ABI_UINT, &r.scale_down, 0, NULL},
        {"region", ABI_INTS, region, 4, &r.region_given},
        {"camera", ABI_INTS, camera, 2, &r.camera_given},
        {"view", ABI_INTS, view, 2, &view_given},
        {"layer", ABI_UINT, &r.layer, 0, &layer},
        {"no_things", ABI_FLAG, &r.no_things, 0, NULL},
        {"schematic", ABI_FLAG, &r.schematic, 0, NULL},
        {"transparent", ABI_FLAG, &r.transparent, 0, NULL},
        {"grid", ABI_FLAG, &over[0], 0, NULL},
        {"attributes", ABI_FLAG, &over[1], 0, NULL},
        {"objects", ABI_FLAG, &over[2], 0, NULL},
        {"patrol", ABI_FLAG, &over[3], 0, NULL},
        {"legend", ABI_FLAG, &over[4], 0, NULL},
        {"frame", ABI_UINT, &request.frame, 0, NULL},
        {"direction", ABI_UINT, &request.direction, 0, NULL},
        {"pixels", ABI_FLAG, &pixels, 0, NULL},
        {"art", ABI_REPEATED, NULL, 0, NULL},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
    if (status == LVL_OK && r.region_given &&
        (region[2] < 1 || region[3] < 1 || region[0] > INT32_MAX - region[2] ||
         region[1] > INT32_MAX - region[3]))
        status = abi_wrong(call, "region: expected X,Y,WIDTH,HEIGHT");
    if (status == LVL_OK && view_given && (view[0] < 1 || view[1] < 1))
        status = abi_wrong(call, "view: expected WIDTH,HEIGHT");
    if (status == LVL_OK) {
        r.region = (lvl_rect){region[0], region[1], region[0] + region[2] - 1, region[1] + region[3] - 1};
        r.view = r.camera_given || view_given ? LVL_VIEW_CAMERA : layer ? LVL_VIEW_LAYER : LVL_VIEW_WHOLE;
        r.camera_x = camera[0];
        r.camera_y = camera[1];
        r.view_width = (uint32_t)view[0];
        r.view_height = (uint32_t)view[1];
        for (unsigned i = 0; i < LVL_COUNT_OF(over); i++)
            r.overlays |= over[i] ? 1U << i : 0;
        status = abi_art(call, d, options, true, &art);
    }
    request.art = art;
    if (status == LVL_OK)
        status = lvl_doc_scene(d->doc, &request, &scene);
    if (status == LVL_OK && art)
        status = lvl_art_status(art);
    if (status == LVL_OK)
        status = draw(call, scene, &r, pixels);
    lvl_scene_free(scene);
    lvl_art_free(art);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_scene(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    const abi_option known[] = {{"art", ABI_REPEATED, NULL, 0, NULL}};
    lvl_scene_request request = {0};
    lvl_scene *scene = NULL;
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    request.art = art;
    if (status == LVL_OK)
        status = lvl_doc_scene(d->doc, &request, &scene);
    if (status == LVL_OK && art)
        status = lvl_art_status(art);
    if (status == LVL_OK)
        status = lvl_scene_json(d->doc, scene, &call->out);
    lvl_scene_free(scene);
    lvl_art_free(art);
    return abi_end(call, status);
}

/* ---- members of archives ----------------------------------------------------------------------------- */

lvl_abi_result *lvl_abi_members(lvl_abi_doc *d)
{
    abi_call *call = abi_begin(d);
    lvl_container *box = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? lvl_container_open(d->doc, &box) : none(call);
    if (status == LVL_OK) {
        abi_list_begin(call);
        for (size_t i = 0; i < lvl_container_count(box); i++)
            abi_entry_json(call, lvl_container_at(box, i));
        status = abi_list_end(call, box);
    }
    lvl_container_close(box);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_member(lvl_abi_doc *d, const char *path)
{
    abi_call *call = abi_begin(d);
    lvl_container *box = NULL;
    lvl_buffer storage = {0};
    lvl_bytes view = {NULL, 0};

    if (!call)
        return NULL;
    lvl_status status = d && path ? lvl_container_open(d->doc, &box) : none(call);
    const lvl_entry *entry = status == LVL_OK ? lvl_container_find(box, path) : NULL;
    if (status == LVL_OK && !entry) {
        abi_set_message(call, "there is no member '%.200s'", path);
        status = LVL_ERR_MISSING;
    }
    if (status == LVL_OK)
        status = lvl_container_read(box, entry, &view, &storage, call->findings);
    if (status == LVL_OK || status == LVL_ERR_LOSS)
        lvl_buffer_add(&call->out, view.ptr, view.len);
    lvl_buffer_free(&storage);
    lvl_container_close(box);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_put_member(lvl_abi_doc *d, const char *path, const void *bytes, size_t len)
{
    abi_call *call = abi_begin(d);
    lvl_container *box = NULL;

    if (!call)
        return NULL;
    lvl_status status = d && path ? lvl_container_open(d->doc, &box) : none(call);
    if (status == LVL_OK)
        status = bytes ? lvl_container_put(box, path, (lvl_bytes){bytes, len}, 0)
                       : lvl_container_remove(box, path);
    call->result.count = status == LVL_OK;
    lvl_container_close(box);
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
    lvl_status status = !d      ? none(call)
                        : items ? with(d->doc, items, count, &changed, call->findings)
                                : LVL_ERR_MEMORY;
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

lvl_abi_result *lvl_abi_copy(lvl_abi_doc *to, const char *to_path, lvl_abi_doc *from, const char *from_path)
{
    abi_call *call = abi_begin(to);
    size_t copied = 0;

    if (!call)
        return NULL;
    const lvl_status status = to && from && from_path
                                  ? lvl_copy(to->doc, to_path, from->doc, from_path, &copied, call->findings)
                                  : abi_wrong(call, "two documents and a path are needed");
    call->result.count = copied;
    if (status == LVL_OK && copied)
        to->partial = to->partial || from->partial || lvl_doc_cuts(from->doc) > 0;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_resize(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_resize_options o = {0};
    int32_t x = 0, y = 0;
    size_t changed = 0;
    const abi_option known[] = {
        {"plane", ABI_TEXT, &o.plane, 0, NULL},   {"width", ABI_UINT, &o.width, 0, NULL},
        {"height", ABI_UINT, &o.height, 0, NULL}, {"anchor_x", ABI_INTS, &x, 1, NULL},
        {"anchor_y", ABI_INTS, &y, 1, NULL},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : none(call);
    o.anchor_x = x;
    o.anchor_y = y;
    if (status == LVL_OK && (x < -1 || x > 1 || y < -1 || y > 1))
        status = abi_wrong(call, "anchors are -1, 0 or 1");
    if (status == LVL_OK)
        status = lvl_resize(d->doc, &o, &changed, call->findings);
    call->result.count = changed;
    return abi_end(call, status);
}
