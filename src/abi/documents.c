/*
 * abi/documents.c: opening, making, writing and converting documents through the flat interface.
 */
#include "abi/abi.h"
#include "base/archive_kinds.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "os/file.h"
#include "base/format.h"
#include "base/text.h"
#include "tools/archive.h"

#include <stdlib.h>
#include <string.h>

/* Settings of reading, for the context of the call. */
typedef struct settings {
    const char *profile, *codepage, *format;
} settings;

/* Reads the options for reading, and `more` of the call's own. */
static lvl_status read_settings(abi_call *call, const char *options, const abi_option *more, size_t count,
                                const lvl_format **format)
{
    lvl_limits *l = &call->ctx->limits;
    settings s = {NULL, NULL, NULL};
    abi_option known[20] = {
        {"profile", ABI_TEXT, &s.profile, 0},
        {"codepage", ABI_TEXT, &s.codepage, 0},
        {"input_bytes", ABI_UINT64, &l->input_bytes, 0},
        {"memory_bytes", ABI_UINT64, &l->memory_bytes, 0},
        {"cells", ABI_UINT64, &l->cells, 0},
        {"items", ABI_UINT64, &l->items, 0},
        {"depth", ABI_UINT, &l->depth, 0},
        {"inflate_ratio", ABI_UINT, &l->inflate_ratio, 0},
        {"findings", ABI_UINT, &l->findings, 0},
        {"work", ABI_UINT64, &l->work, 0},
    };
    size_t n = 10;

    if (format) {
        *format = NULL;
        known[n++] = (abi_option){"format", ABI_TEXT, &s.format, 0};
    }
    for (size_t i = 0; i < count; i++)
        known[n++] = more[i];
    const lvl_status status = abi_options(call, options, known, n);
    if (status != LVL_OK)
        return status;
    if (s.profile && !lvl_ctx_set_profile(call->ctx, s.profile))
        return abi_wrong(call, "there is no profile or program '%.60s'", s.profile);
    call->ctx->codepage_given = s.codepage != NULL;
    if (s.codepage && !lvl_codepage_parse(s.codepage, &call->ctx->codepage))
        return abi_wrong(call, "there is no code page '%.60s'", s.codepage);
    if (s.format && (*format = lvl_format_find(s.format)) == NULL)
        return abi_wrong(call, "there is no format '%.60s'", s.format);
    return LVL_OK;
}

/* Reads a document while it is checked; `count` of the result is the verdict. */
static lvl_status read_checked(abi_call *call, lvl_abi_doc *d, const lvl_format *format)
{
    const lvl_check_options o = {.verdict_only = true};
    lvl_check_result result;
    const lvl_status status =
        lvl_check(&d->ctx, format, (lvl_bytes){d->input, d->len}, *d->name ? abi_file_name(d) : NULL, &o,
                  call->findings, &result, &d->doc);

    call->result.count = (uint64_t)result.verdict;
    return status == LVL_OK && !d->doc ? result.status : status;
}

lvl_abi_result *lvl_abi_open(const void *bytes, size_t len, const char *name, const char *options)
{
    abi_call *call = abi_begin(NULL);
    bool verdict = false;
    const abi_option more[] = {{"verdict", ABI_FLAG, &verdict, 0}};
    const lvl_format *format;

    if (!call)
        return NULL;
    lvl_status status = read_settings(call, options, more, 1, &format);
    if (status == LVL_OK && !bytes && len)
        status = abi_wrong(call, "no bytes");
    if (status == LVL_OK)
        status = abi_doc_new(call, NULL, (lvl_bytes){bytes, len}, name, &call->result.doc);
    if (status == LVL_OK)
        status = verdict ? read_checked(call, call->result.doc, format)
                         : abi_doc_read(call, call->result.doc, format);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_scan(const void *bytes, size_t len, const char *name, const char *options)
{
    abi_call *call = abi_begin(NULL);
    const lvl_format *format;
    lvl_doc *doc = NULL;

    if (!call)
        return NULL;
    lvl_status status = read_settings(call, options, NULL, 0, &format);
    if (status == LVL_OK && !bytes && len)
        status = abi_wrong(call, "no bytes");
    if (status == LVL_OK)
        status = lvl_read(&doc, call->ctx, format, (lvl_bytes){bytes, len},
                          name && *name ? lvl_file_name(name) : NULL, LVL_READ_BORROW, call->findings);
    if (status == LVL_OK) {
        const lvl_info_options o = {.file = name && *name ? name : NULL, .json = true};
        lvl_findings_clear(call->findings);
        status = lvl_info_write(doc, &o, &call->out);
    }
    lvl_doc_free(doc);
    return abi_end(call, status);
}

/* ---- paths ------------------------------------------------------------------------------------------- */

/* An archive of a path. */
typedef struct opened {
    struct opened *outer;
    lvl_buffer bytes;
    lvl_container *container;
} opened;

/* A walk along a path. */
typedef struct path_walk {
    abi_call *call;
    opened *last;
    bool failed_file; /* the file on disk could not be read; the message is set */
    bool partial; /* the member is damaged: there is a part of its bytes */
} path_walk;

static lvl_status read_file(abi_call *call, const char *path, lvl_buffer *bytes)
{
    lvl_file_error why = {0};
    const lvl_status status = lvl_file_read(bytes, path, lvl_limits_of(call->ctx).input_bytes, &why);

    if (status != LVL_OK && why.step) {
        char text[256];
        abi_set_message(call, "%.200s: %s", path, lvl_file_error_text(&why, text, sizeof text));
    }
    return status;
}

static lvl_status open_part(void *user, const char *name, const lvl_entry *entry, const lvl_container **out)
{
    path_walk *w = user;
    lvl_buffer bytes = {0};
    lvl_bytes view;

    opened *o = calloc(1, sizeof *o);
    if (!o)
        return LVL_ERR_MEMORY;
    o->outer = w->last;
    w->last = o;
    if (!entry) {
        const lvl_status status = read_file(w->call, name, &o->bytes);
        w->failed_file = status != LVL_OK;
        view = lvl_buffer_bytes(&o->bytes);
        if (w->failed_file)
            return status;
    } else {
        const lvl_status status =
            lvl_container_read(o->outer->container, entry, &view, &bytes, w->call->findings);
        o->bytes = bytes;
        if (status != LVL_OK)
            return status;
    }
    const lvl_status status =
        lvl_container_from(&o->container, w->call->ctx, view, lvl_file_name(name), NULL);
    *out = o->container;
    return status;
}

static void close_parts(path_walk *w)
{
    while (w->last) {
        opened *o = w->last;
        w->last = o->outer;
        lvl_container_close(o->container);
        lvl_buffer_free(&o->bytes);
        free(o);
    }
}

/* Follows a path of members; `len` is the part that is a file. */
static lvl_status follow(path_walk *w, const char *path, size_t len, lvl_archive_place *place)
{
    bool missing;
    const lvl_status status = lvl_archive_walk(path, len, open_part, w, place, &missing);

    if (missing)
        abi_set_message(w->call, "%.*s has no member '%.200s'", (int)(place->len < 200 ? place->len : 200),
                        path, place->rest);
    else if (!w->failed_file && (status == LVL_ERR_UNSUPPORTED || status == LVL_ERR_FORMAT))
        abi_set_message(w->call, "%.*s is not an archive that lvl can read",
                        (int)(place->len < 200 ? place->len : 200), path);
    return status;
}

/* The bytes that a path names, in `storage` or in an archive of the walk. */
static lvl_status read_path(path_walk *w, const char *path, size_t len, lvl_bytes *view, lvl_buffer *storage)
{
    lvl_archive_place place;

    if (!len) {
        const lvl_status status = read_file(w->call, path, storage);
        *view = lvl_buffer_bytes(storage);
        return status;
    }
    const lvl_status status = follow(w, path, len, &place);
    if (status != LVL_OK)
        return status;
    if (!place.entry || place.entry->is_dir)
        return abi_wrong(w->call, "%.200s is a folder in an archive: expected a file", path);
    const lvl_status got = lvl_container_read(place.container, place.entry, view, storage, w->call->findings);
    w->partial = got == LVL_ERR_LOSS; /* a finding says that the member is damaged */
    return w->partial ? LVL_OK : got;
}

lvl_abi_result *lvl_abi_load(const char *path, const char *options)
{
    abi_call *call = abi_begin(NULL);
    path_walk w = {.call = call};
    lvl_buffer storage = {0};
    lvl_bytes view = {NULL, 0};
    const lvl_format *format;
    lvl_file_seen *seen = NULL;
    lvl_abi_doc *d = NULL;
    size_t len = 0;

    if (!call)
        return NULL;
    lvl_status status = path ? read_settings(call, options, NULL, 0, &format) : abi_wrong(call, "no path");
    if (status == LVL_OK)
        status = lvl_archive_part(path, &len);
    if (status == LVL_OK && !len)
        status = lvl_file_seen_new(&seen, path);
    if (status == LVL_OK)
        status = read_path(&w, path, len, &view, &storage);
    if (status == LVL_OK)
        status = abi_doc_new(call, NULL, view, path, &d);
    call->result.doc = d;
    if (status == LVL_OK) {
        d->seen = seen;
        seen = NULL;
    }
    lvl_file_seen_free(seen);
    if (status == LVL_OK && len) {
        d->archive = lvl_text_copy((lvl_text){path, len});
        status = d->archive ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK) {
        d->on_disk = true;
        d->partial = w.partial;
        status = abi_doc_read(call, d, format);
        const char *kind = status == LVL_ERR_FOREIGN ? lvl_archive_kind(view) : NULL;
        if (kind)
            abi_set_message(call, "%.200s is an archive (%s): name a file in it, %.200s//NAME", path, kind,
                            path);
    }
    close_parts(&w);
    lvl_buffer_free(&storage);
    return abi_end(call, status);
}

/* One entry of a list; a visitor of a container. */
static bool write_entry(void *user, const lvl_entry *entry)
{
    abi_entry_json(((path_walk *)user)->call, entry);
    return true;
}

lvl_abi_result *lvl_abi_list(const char *path)
{
    abi_call *call = abi_begin(NULL);
    path_walk w = {.call = call};
    lvl_archive_place place = {0};
    size_t len = 0;

    if (!call)
        return NULL;
    lvl_status status = path ? lvl_archive_part(path, &len) : abi_wrong(call, "no path");
    if (status == LVL_OK)
        status = follow(&w, path, len ? len : strlen(path), &place);
    if (status == LVL_OK && place.entry && !place.entry->is_dir) {
        status = open_part(&w, path, place.entry, &place.container);
        place.entry = NULL;
        place.rest = "";
        if (status == LVL_ERR_UNSUPPORTED)
            abi_set_message(call, "%.200s is not an archive that lvl can read", path);
    }
    if (status == LVL_OK) {
        abi_list_begin(call);
        lvl_container_list(place.container, place.entry ? place.entry->path : place.rest, true, write_entry,
                           &w);
        status = abi_list_end(call, place.container);
    }
    close_parts(&w);
    return abi_end(call, status);
}

/* ---- made -------------------------------------------------------------------------------------------- */

/* The result becomes a document that is read from `out`, with the settings of `like`. */
static lvl_status give_doc(abi_call *call, const lvl_abi_doc *like, const char *name,
                           const lvl_format *format)
{
    lvl_status status = call->out.status;

    if (status == LVL_OK)
        status = abi_doc_new(call, like, (lvl_bytes){call->out.data, call->out.len}, name, &call->result.doc);
    if (status != LVL_OK)
        return status;
    return lvl_read(&call->result.doc->doc, &call->result.doc->ctx, format,
                    (lvl_bytes){call->result.doc->input, call->out.len}, NULL, LVL_READ_BORROW, NULL);
}

lvl_abi_result *lvl_abi_undump(const void *json, size_t len, const char *name, const char *options)
{
    abi_call *call = abi_begin(NULL);

    if (!call)
        return NULL;
    lvl_status status = read_settings(call, options, NULL, 0, NULL);
    if (status == LVL_OK && !json)
        status = abi_wrong(call, "no dump");
    if (status == LVL_OK)
        status = abi_doc_new(call, NULL, (lvl_bytes){NULL, 0}, name, &call->result.doc);
    if (status == LVL_OK)
        status =
            lvl_undump(&call->result.doc->doc, &call->result.doc->ctx, (lvl_text){json, len}, call->findings);
    if (status == LVL_OK)
        call->result.doc->edited = true;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_new(const char *format, const lvl_abi_doc *like, const char *options)
{
    abi_call *call = abi_begin(NULL);
    lvl_new_options o = {.like = like ? like->doc : NULL};
    const abi_option more[] = {
        {"form", ABI_TEXT, &o.form, 0},   {"ending", ABI_TEXT, &o.ending, 0},
        {"width", ABI_UINT, &o.width, 0}, {"height", ABI_UINT, &o.height, 0},
        {"base", ABI_UINT, &o.base, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = read_settings(call, options, more, LVL_COUNT_OF(more), NULL);
    const lvl_format *f = format ? lvl_format_find(format) : NULL;
    if (status == LVL_OK && !f)
        status = abi_wrong(call, "there is no format '%.60s'", format ? format : "");
    if (status == LVL_OK)
        status = abi_doc_new(call, NULL, (lvl_bytes){NULL, 0}, "", &call->result.doc);
    if (status == LVL_OK)
        status = lvl_new(&call->result.doc->doc, &call->result.doc->ctx, f, &o, call->findings);
    if (status == LVL_OK)
        call->result.doc->edited = true;
    return abi_end(call, status);
}

/* ---- written ----------------------------------------------------------------------------------------- */

/* The option of calls that write. */
static lvl_status read_damaged(abi_call *call, const char *options, bool *damaged)
{
    const abi_option known[] = {{"damaged", ABI_FLAG, damaged, 0}};

    return abi_options(call, options, known, 1);
}

lvl_abi_result *lvl_abi_write(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    bool damaged = false;

    if (!call)
        return NULL;
    lvl_status status = d ? read_damaged(call, options, &damaged) : abi_wrong(call, "no document");
    if (status == LVL_OK)
        status = abi_doc_write(call, d, !damaged, &call->out);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_save(lvl_abi_doc *d, const char *path, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_buffer bytes = {0};
    lvl_file_error why = {0};
    bool damaged = false;

    if (!call)
        return NULL;
    lvl_status status =
        d && path ? read_damaged(call, options, &damaged) : abi_wrong(call, "no document, or no path");
    if (status == LVL_OK)
        status = abi_doc_write(call, d, !damaged && *d->name && lvl_file_same(path, d->name), &bytes);
    if (status == LVL_OK)
        status = lvl_file_save_seen(&d->seen, path, lvl_buffer_bytes(&bytes), &why);
    if (status != LVL_OK && why.step) {
        char text[256];
        abi_set_message(call, "%.200s: %s", path, lvl_file_error_text(&why, text, sizeof text));
    }
    lvl_buffer_free(&bytes);
    return abi_end(call, status);
}

/* Converts to another family's format, by drawing. */
static lvl_status draw(abi_call *call, const lvl_abi_doc *d, const lvl_format *to, lvl_scene_level_options *o,
                       const char *options, lvl_doc **out)
{
    lvl_art *art;
    lvl_status status = abi_art(call, d, options, true, &art);

    o->art = art;
    if (status == LVL_OK)
        status = lvl_convert_scene(out, d->doc, to, o, call->findings);
    abi_art_done(d, art);
    return status;
}

/* Converts; an unknown form is refused with the names of the known ones. */
static lvl_status convert_form(abi_call *call, const lvl_abi_doc *d, const char *form, bool allow_loss,
                               lvl_doc **out)
{
    const lvl_status status = lvl_convert(d->doc, form, allow_loss, call->findings, out);
    const lvl_format *format = lvl_doc_format(d->doc);
    lvl_buffer names = {0};

    if (status != LVL_ERR_ARG && status != LVL_ERR_UNSUPPORTED)
        return status;
    for (const lvl_form *f = format->forms; f && f->name; f++)
        lvl_buffer_printf(&names, "%s%s", names.len ? ", " : "", f->name);
    if (names.status == LVL_OK && names.len)
        abi_set_message(call, "expected a form of %s (%.*s), found '%.60s'", format->id, (int)names.len,
                        (const char *)names.data, form);
    else
        abi_set_message(call, "%s has no other form, found '%.60s'", format->id, form);
    lvl_buffer_free(&names);
    return status;
}

lvl_abi_result *lvl_abi_convert(lvl_abi_doc *d, const char *form, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_scene_level_options o = {0};
    const abi_option known[] = {
        {"allow_loss", ABI_FLAG, &o.allow_loss, 0},
        {"scale_down", ABI_UINT, &o.scale_down, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };
    lvl_doc *to = NULL;

    if (!call)
        return NULL;
    lvl_status status = d && form ? abi_options(call, options, known, LVL_COUNT_OF(known))
                                  : abi_wrong(call, "no document, or no form");
    const lvl_format *format = status == LVL_OK ? lvl_format_find(form) : NULL;
    if (status == LVL_OK && format && (lvl_format_can(format) & LVL_CAN_DRAW_LEVEL) &&
        strcmp(format->family, lvl_doc_format(d->doc)->family) != 0)
        status = draw(call, d, format, &o, options, &to);
    else if (status == LVL_OK)
        status = convert_form(call, d, form, o.allow_loss, &to);
    if (status == LVL_OK)
        status = lvl_doc_write_with_findings(to, &call->out, call->findings);
    if (status == LVL_OK)
        status = give_doc(call, d, d->name, lvl_doc_format(to));
    if (to)
        lvl_doc_free(to);
    return abi_end(call, status);
}

/* A document read from the bytes that writing `d` gives. */
static lvl_status copy_doc(abi_call *call, lvl_abi_doc *d, lvl_abi_doc **out)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    lvl_status status = abi_doc_bytes(d, &storage, &bytes);

    *out = NULL;
    if (status == LVL_OK)
        status = abi_doc_new(call, d, bytes, d->name, out);
    if (status == LVL_OK)
        status = lvl_read(&(*out)->doc, &(*out)->ctx, lvl_doc_format(d->doc),
                          (lvl_bytes){(*out)->input, (*out)->len}, abi_file_name(d), LVL_READ_BORROW, NULL);
    lvl_buffer_free(&storage);
    return status;
}

lvl_abi_result *lvl_abi_repair(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_repair_options o = {0};
    const abi_option known[] = {
        {"recover", ABI_FLAG, &o.recover, 0},
        {"normalize", ABI_FLAG, &o.normalize, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };
    lvl_abi_doc *damaged = NULL;
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status =
        d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : abi_wrong(call, "no document");
    if (status == LVL_OK)
        status = abi_art(call, d, options, false, &art);
    if (status == LVL_OK)
        status = copy_doc(call, d, &damaged);
    o.art = art;
    if (status == LVL_OK)
        status = lvl_repair(damaged->doc, &o, call->findings, &call->out);
    if (status == LVL_OK)
        status = give_doc(call, d, d->name, lvl_doc_format(d->doc));
    lvl_abi_close(damaged);
    abi_art_done(d, art);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_merge(lvl_abi_doc *base, lvl_abi_doc *ours, lvl_abi_doc *theirs, const char *options)
{
    static const char *const sides[] = {"ours", "theirs", "base"};
    abi_call *call = abi_begin(ours);
    lvl_merge_options o = {0};
    const char *prefer = "ours";
    const abi_option known[] = {
        {"prefer", ABI_TEXT, &prefer, 0},
        {"markers", ABI_FLAG, &o.markers, 0},
    };
    lvl_abi_doc *merged = NULL;
    int side = 0;

    if (!call)
        return NULL;
    lvl_status status = base && ours && theirs ? abi_options(call, options, known, LVL_COUNT_OF(known))
                                               : abi_wrong(call, "three documents are needed");
    if (status == LVL_OK) {
        while (side < 3 && strcmp(prefer, sides[side]) != 0)
            side++;
        if (side == 3)
            status = abi_wrong(call, "prefer: expected ours, theirs or base, found '%.60s'", prefer);
    }
    o.prefer = side == 1 ? LVL_MERGE_THEIRS : side == 2 ? LVL_MERGE_BASE : LVL_MERGE_OURS;
    if (status == LVL_OK)
        status = copy_doc(call, ours, &merged);
    if (status == LVL_OK)
        status = lvl_merge(merged->doc, base->doc, theirs->doc, &o, &call->result.count, call->findings);
    if (status == LVL_OK)
        status = lvl_write(merged->doc, &call->out, call->findings);
    if (status == LVL_OK)
        status = give_doc(call, ours, ours->name, lvl_doc_format(merged->doc));
    lvl_abi_close(merged);
    return abi_end(call, status);
}
