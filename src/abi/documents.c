/*
 * abi/documents.c: opening, making, writing and converting documents through the flat interface.
 */
#include "abi/abi.h"
#include "base/buffer.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* Settings of reading, for the context of the call. */
typedef struct settings {
    const char *profile, *codepage, *format;
} settings;

/* Reads options of reading and `more` of the call's own. */
static lvl_status read_settings(abi_call *call, const char *options, const abi_option *more, size_t count,
                                const lvl_format **format)
{
    lvl_limits *l = &call->ctx->limits;
    settings s = {NULL, NULL, NULL};
    abi_option known[20] = {
        {"profile", ABI_TEXT, &s.profile, 0, NULL},
        {"codepage", ABI_TEXT, &s.codepage, 0, NULL},
        {"input_bytes", ABI_UINT64, &l->input_bytes, 0, NULL},
        {"memory_bytes", ABI_UINT64, &l->memory_bytes, 0, NULL},
        {"cells", ABI_UINT64, &l->cells, 0, NULL},
        {"items", ABI_UINT64, &l->items, 0, NULL},
        {"depth", ABI_UINT, &l->depth, 0, NULL},
        {"inflate_ratio", ABI_UINT, &l->inflate_ratio, 0, NULL},
        {"findings", ABI_UINT, &l->findings, 0, NULL},
        {"work", ABI_UINT64, &l->work, 0, NULL},
    };
    size_t n = 10;

    if (format) {
        *format = NULL;
        known[n++] = (abi_option){"format", ABI_TEXT, &s.format, 0, NULL};
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

lvl_abi_result *lvl_abi_open(const void *bytes, size_t len, const char *name, const char *options)
{
    abi_call *call = abi_begin(NULL);
    const lvl_format *format;

    if (!call)
        return NULL;
    lvl_status status = read_settings(call, options, NULL, 0, &format);
    if (status == LVL_OK && !bytes && len)
        status = abi_wrong(call, "no bytes");
    if (status == LVL_OK)
        status = abi_doc_new(call, NULL, (lvl_bytes){bytes, len}, name, &call->result.doc);
    if (status == LVL_OK)
        status = abi_doc_read(call, call->result.doc, format);
    return abi_end(call, status);
}

/* ---- paths ------------------------------------------------------------------------------------------- */

/* The end of the part of a path that names a file on disk: at "//" if what stands before is a file, else at
 * its end. */
static size_t file_part(char *path)
{
    for (char *at = strstr(path, "//"); at; at = strstr(at + 1, "//")) {
        *at = 0;
        const bool file = at > path && lvl_file_kind_of(path) == LVL_FILE_REGULAR;
        *at = '/';
        if (file)
            return (size_t)(at - path);
    }
    return strlen(path);
}

/* Replaces `bytes` by the member at `path` of the archive that they are. */
static lvl_status enter(abi_call *call, const char *archive, const char *path, lvl_buffer *bytes)
{
    lvl_buffer storage = {0};
    lvl_container *box = NULL;
    lvl_doc *doc = NULL;
    lvl_bytes view = {NULL, 0};

    lvl_status status = lvl_read(&doc, call->ctx, NULL, lvl_buffer_bytes(bytes), lvl_file_name(archive),
                                 LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_container_open(doc, &box);
    if (status == LVL_ERR_UNSUPPORTED || status == LVL_ERR_FOREIGN || status == LVL_ERR_FORMAT) {
        abi_set_message(call, "%.200s is no archive that lvl can read", archive);
        goto out;
    }
    const lvl_entry *entry = status == LVL_OK ? lvl_container_find(box, path) : NULL;
    if (status == LVL_OK && !entry) {
        abi_set_message(call, "%.200s has no member '%.200s'", archive, path);
        status = LVL_ERR_MISSING;
    }
    if (status == LVL_OK)
        status = lvl_container_read(box, entry, &view, &storage, call->findings);
    if (status == LVL_ERR_LOSS) /* a finding says that the member is damaged */
        status = LVL_OK;
    if (status == LVL_OK) {
        lvl_buffer copy = {0};
        lvl_buffer_add(&copy, view.ptr, view.len);
        status = copy.status;
        if (status == LVL_OK) {
            lvl_container_close(box);
            lvl_doc_free(doc);
            lvl_buffer_free(bytes);
            *bytes = copy;
            box = NULL;
            doc = NULL;
        } else {
            lvl_buffer_free(&copy);
        }
    }
out:
    lvl_container_close(box);
    lvl_doc_free(doc);
    lvl_buffer_free(&storage);
    return status;
}

static char *copy_of(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

lvl_abi_result *lvl_abi_load(const char *path, const char *options)
{
    abi_call *call = abi_begin(NULL);
    char *copy = path ? copy_of(path) : NULL;
    lvl_buffer bytes = {0};
    lvl_file_error why = {0};
    const lvl_format *format;
    lvl_abi_doc *d = NULL;

    if (!call) {
        free(copy);
        return NULL;
    }
    lvl_status status = !path   ? abi_wrong(call, "no path")
                        : !copy ? LVL_ERR_MEMORY
                                : read_settings(call, options, NULL, 0, &format);
    if (status != LVL_OK)
        goto out;
    const size_t cut = file_part(copy);
    char *member = copy[cut] ? copy + cut + 2 : NULL;
    copy[cut] = 0;
    status = lvl_file_read(&bytes, copy,
                           call->ctx->limits.input_bytes ? call->ctx->limits.input_bytes : 1 << 30, &why);
    if (status != LVL_OK && why.step) {
        char text[256];
        abi_set_message(call, "%.200s: %s", path, lvl_file_error_text(&why, text, sizeof text));
    }
    for (const char *archive = copy; status == LVL_OK && member;) {
        char *next = strstr(member, "//");
        if (next)
            *next = 0;
        status = enter(call, archive, member, &bytes);
        archive = member;
        member = next ? next + 2 : NULL;
    }
    if (status == LVL_OK)
        status = abi_doc_new(call, NULL, lvl_buffer_bytes(&bytes), path, &d);
    call->result.doc = d;
    if (status == LVL_OK && path[cut] && (d->archive = copy_of(copy)) == NULL)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        d->on_disk = true;
        status = abi_doc_read(call, d, format);
    }
out:
    free(copy);
    lvl_buffer_free(&bytes);
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
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_new(const char *format, const lvl_abi_doc *like, const char *options)
{
    abi_call *call = abi_begin(NULL);
    lvl_new_options o = {.like = like ? like->doc : NULL};
    const abi_option more[] = {
        {"form", ABI_TEXT, &o.form, 0, NULL},
        {"ending", ABI_TEXT, &o.ending, 0, NULL},
        {"width", ABI_UINT, &o.width, 0, NULL},
        {"height", ABI_UINT, &o.height, 0, NULL},
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
    return abi_end(call, status);
}

/* ---- written ----------------------------------------------------------------------------------------- */

/* The option of calls that write. */
static lvl_status read_damaged(abi_call *call, const char *options, bool *damaged)
{
    const abi_option known[] = {{"damaged", ABI_FLAG, damaged, 0, NULL}};

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
        status = abi_doc_write(call, d, damaged, &call->out);
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
        status = abi_doc_write(call, d, damaged, &bytes);
    if (status == LVL_OK)
        status = lvl_file_save(path, lvl_buffer_bytes(&bytes), LVL_SAVE_REPLACE, &why);
    if (status != LVL_OK && why.step) {
        char text[256];
        abi_set_message(call, "%.200s: %s", path, lvl_file_error_text(&why, text, sizeof text));
    }
    lvl_buffer_free(&bytes);
    return abi_end(call, status);
}

/* A document of another family's format, drawn. */
static lvl_status draw(abi_call *call, const lvl_abi_doc *d, const lvl_format *to, lvl_scene_level_options *o,
                       const char *options, lvl_doc **out)
{
    lvl_art *art;
    lvl_status status = abi_art(call, d, options, true, &art);

    o->art = art;
    if (status == LVL_OK)
        status = lvl_convert_scene(out, d->doc, to, o, call->findings);
    lvl_art_free(art);
    return status;
}

lvl_abi_result *lvl_abi_convert(lvl_abi_doc *d, const char *form, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_scene_level_options o = {0};
    bool damaged = false;
    const abi_option known[] = {
        {"allow_loss", ABI_FLAG, &o.allow_loss, 0, NULL},
        {"damaged", ABI_FLAG, &damaged, 0, NULL},
        {"scale_down", ABI_UINT, &o.scale_down, 0, NULL},
        {"art", ABI_REPEATED, NULL, 0, NULL},
    };
    lvl_doc *to = NULL;

    if (!call)
        return NULL;
    lvl_status status = d && form ? abi_options(call, options, known, LVL_COUNT_OF(known))
                                  : abi_wrong(call, "no document, or no form");
    if (status == LVL_OK)
        status = abi_sound(call, d, damaged);
    const lvl_format *format = status == LVL_OK ? lvl_format_find(form) : NULL;
    if (status == LVL_OK && format && (lvl_format_can(format) & LVL_CAN_DRAW_LEVEL) &&
        strcmp(format->family, lvl_doc_format(d->doc)->family) != 0)
        status = draw(call, d, format, &o, options, &to);
    else if (status == LVL_OK)
        status = lvl_convert(d->doc, form, o.allow_loss, call->findings, &to);
    if (status == LVL_OK)
        status = lvl_doc_write_with_findings(to, &call->out, call->findings);
    if (status == LVL_OK)
        status = give_doc(call, d, d->name, lvl_doc_format(to));
    if (to)
        lvl_doc_free(to);
    return abi_end(call, status);
}

/* A document of the bytes that `d` would be written as. */
static lvl_status copy_doc(abi_call *call, lvl_abi_doc *d, lvl_abi_doc **out)
{
    lvl_buffer bytes = {0};
    lvl_status status = lvl_doc_write_with_findings(d->doc, &bytes, NULL);

    *out = NULL;
    if (status == LVL_OK)
        status = abi_doc_new(call, d, lvl_buffer_bytes(&bytes), d->name, out);
    if (status == LVL_OK)
        status = lvl_read(&(*out)->doc, &(*out)->ctx, lvl_doc_format(d->doc),
                          (lvl_bytes){(*out)->input, (*out)->len}, abi_file_name(d), LVL_READ_BORROW, NULL);
    lvl_buffer_free(&bytes);
    return status;
}

lvl_abi_result *lvl_abi_repair(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_repair_options o = {0};
    const abi_option known[] = {
        {"recover", ABI_FLAG, &o.recover, 0, NULL},
        {"art", ABI_REPEATED, NULL, 0, NULL},
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
    lvl_art_free(art);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_merge(lvl_abi_doc *base, lvl_abi_doc *ours, lvl_abi_doc *theirs, const char *options)
{
    static const char *const sides[] = {"ours", "theirs", "base"};
    abi_call *call = abi_begin(ours);
    lvl_merge_options o = {0};
    const char *prefer = "ours";
    const abi_option known[] = {
        {"prefer", ABI_TEXT, &prefer, 0, NULL},
        {"markers", ABI_FLAG, &o.markers, 0, NULL},
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
        status = lvl_doc_write_verified(merged->doc, &call->out, call->findings);
    if (status == LVL_OK)
        status = give_doc(call, ours, ours->name, lvl_doc_format(merged->doc));
    lvl_abi_close(merged);
    return abi_end(call, status);
}
