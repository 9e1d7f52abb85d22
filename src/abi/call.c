/*
 * abi/call.c: calls of the flat interface and their results; options; documents in memory.
 */
#include "abi/abi.h"
#include "base/buffer.h"
#include "os/file.h"
#include "base/format.h"
#include "base/text.h"
#include "tools/check/reports.h"
#include "tools/tools.h"
#include "tools/write.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t lvl_abi_version(void)
{
    return LVL_ABI;
}

abi_call *abi_begin(lvl_abi_doc *doc)
{
    abi_call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    lvl_ctx_init(&call->own);
    call->ctx = doc ? &doc->ctx : &call->own;
    call->ctx->usage = &call->usage;
    call->findings = lvl_findings_new(call->ctx);
    if (call->findings)
        return call;
    call->ctx->usage = NULL;
    free(call);
    return NULL;
}

void abi_set_message(abi_call *call, const char *fmt, ...)
{
    va_list args;
    char text[512];

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    lvl_buffer_free(&call->text);
    lvl_text_to_utf8(&call->text, LVL_CP_UTF8, lvl_text_of(text));
}

/* The text of the finding that made a call fail: the last of the worst; of losses, which are many, the
 * first. */
static const char *worst_text(const lvl_findings *findings, lvl_status status)
{
    const lvl_severity worst = lvl_findings_worst(findings);
    const lvl_finding *f;
    const char *text = NULL;

    for (size_t i = 0; (f = lvl_findings_at(findings, i)) != NULL; i++) {
        if (f->severity == worst && !(text && status == LVL_ERR_LOSS))
            text = f->text;
    }
    return text;
}

lvl_abi_result *abi_end(abi_call *call, lvl_status status)
{
    lvl_abi_result *r = &call->result;

    if (status == LVL_OK)
        status = call->out.status;
    if (status != LVL_OK)
        lvl_usage_report(&call->usage, call->ctx, call->findings);
    if (lvl_findings_count(call->findings)) {
        const lvl_status written = lvl_findings_json(call->findings, &call->json);
        status = written == LVL_OK ? status : written;
    }
    if (status != LVL_OK && !call->text.len) {
        const char *worst = worst_text(call->findings, status);
        lvl_buffer_str(&call->text, worst ? worst : lvl_status_text(status));
    }
    lvl_buffer_u8(&call->text, 0);
    r->status = (int32_t)status;
    r->data = call->out.data;
    r->len = call->out.len;
    r->findings = call->json.status == LVL_OK ? (const char *)call->json.data : NULL;
    r->findings_len = r->findings ? call->json.len : 0;
    r->message = status == LVL_OK              ? ""
                 : call->text.status == LVL_OK ? (const char *)call->text.data
                                               : lvl_status_text(status);
    lvl_findings_free(call->findings);
    call->findings = NULL;
    call->ctx->usage = NULL;
    call->ctx = NULL;
    if (r->doc)
        r->doc->ctx.usage = NULL;
    if (status != LVL_OK && r->doc) {
        lvl_abi_close(r->doc);
        r->doc = NULL;
    }
    return r;
}

void lvl_abi_result_free(lvl_abi_result *result)
{
    abi_call *call = (abi_call *)(void *)result;

    if (!call)
        return;
    lvl_buffer_free(&call->out);
    lvl_buffer_free(&call->json);
    lvl_buffer_free(&call->text);
    free(call);
}

/* ---- options ----------------------------------------------------------------------------------------- */

const char *abi_value(const char *text, const char *name)
{
    const size_t len = strlen(name);

    return strncmp(text, name, len) == 0 && text[len] == '=' ? text + len + 1 : NULL;
}

static bool parse_uint(const char *text, uint64_t max, uint64_t *out)
{
    char *end;

    if (!lvl_is_digit(*text))
        return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return errno == 0 && *end == 0 && *out <= max;
}

static bool take_option(const abi_option *o, const char *value)
{
    uint64_t n = 0;

    switch (o->kind) {
    case ABI_TEXT: *(const char **)o->to = value; return true;
    case ABI_FLAG:
        if (!parse_uint(value, 1, &n))
            return false;
        *(bool *)o->to = n != 0;
        return true;
    case ABI_UINT:
        if (!parse_uint(value, UINT32_MAX, &n))
            return false;
        *(uint32_t *)o->to = (uint32_t)n;
        return true;
    case ABI_UINT64: return parse_uint(value, UINT64_MAX, (uint64_t *)o->to);
    case ABI_INTS: return lvl_text_numbers(value, ",", o->to, o->count);
    case ABI_REPEATED: return true;
    }
    return false;
}

lvl_status abi_option_take(abi_call *call, const char *text, const abi_option *known, size_t count)
{
    static const char *const expected[] = {"a text", "0 or 1", "a number", "a number", "numbers", "a text"};
    const char *value = NULL;
    size_t i = 0;

    while (i < count && (value = abi_value(text, known[i].name)) == NULL)
        i++;
    if (i == count)
        return abi_wrong(call, "there is no option '%.60s' here", text);
    if (!take_option(&known[i], value))
        return abi_wrong(call, "option %s: expected %s, found '%.60s'", known[i].name,
                         expected[known[i].kind], value);
    return LVL_OK;
}

lvl_status abi_options(abi_call *call, const char *options, const abi_option *known, size_t count)
{
    lvl_status status = LVL_OK;

    for (const char *at = options; at && *at && status == LVL_OK; at += strlen(at) + 1)
        status = abi_option_take(call, at, known, count);
    return status;
}

const char **abi_items(const char *list, size_t *count)
{
    size_t n = 0;

    for (const char *at = list; at && *at; at += strlen(at) + 1)
        n++;
    const char **items = malloc((n + 1) * sizeof *items);
    *count = 0;
    for (const char *at = list; items && at && *at; at += strlen(at) + 1)
        items[(*count)++] = at;
    return items;
}

/* ---- members of archives ----------------------------------------------------------------------------- */

void abi_list_begin(abi_call *call)
{
    lvl_buffer_u8(&call->out, '[');
}

void abi_entry_json(abi_call *call, const lvl_entry *e)
{
    lvl_buffer_str(&call->out, call->result.count++ ? ",{\"path\":" : "{\"path\":");
    lvl_json_string(&call->out, lvl_text_of(e->path));
    lvl_buffer_printf(&call->out, ",\"size\":%llu,\"time\":%lld,\"folder\":%s}", (unsigned long long)e->size,
                      (long long)e->time, e->is_dir ? "true" : "false");
}

lvl_status abi_list_end(abi_call *call, const lvl_container *container)
{
    lvl_buffer_str(&call->out, "]\n");
    return lvl_container_status(container);
}

/* ---- documents --------------------------------------------------------------------------------------- */

lvl_status abi_doc_new(abi_call *call, const lvl_abi_doc *like, lvl_bytes bytes, const char *name,
                       lvl_abi_doc **out)
{
    lvl_abi_doc *d = calloc(1, sizeof *d);

    *out = NULL;
    if (!d)
        return LVL_ERR_MEMORY;
    d->ctx = like ? like->ctx : *call->ctx;
    d->ctx.usage = &call->usage;
    d->name = abi_copy_text(name ? name : "");
    d->input = malloc(bytes.len + 1);
    d->len = bytes.len;
    d->on_disk = like && like->on_disk;
    if (like && like->archive)
        d->archive = abi_copy_text(like->archive);
    if (!d->name || !d->input || (like && like->archive && !d->archive)) {
        lvl_abi_close(d);
        return LVL_ERR_MEMORY;
    }
    if (bytes.len)
        memcpy(d->input, bytes.ptr, bytes.len);
    *out = d;
    return LVL_OK;
}

lvl_status abi_doc_read(abi_call *call, lvl_abi_doc *d, const lvl_format *format)
{
    return lvl_read(&d->doc, &d->ctx, format, (lvl_bytes){d->input, d->len},
                    *d->name ? abi_file_name(d) : NULL, LVL_READ_BORROW, call->findings);
}

lvl_status abi_doc_write(abi_call *call, lvl_abi_doc *d, bool replaces, lvl_buffer *out)
{
    lvl_status status = LVL_OK;
    bool same = false;

    if (d->handed || !d->edited) {
        status = lvl_doc_write_with_findings(d->doc, out, call->findings);
        same = d->input && out->len == d->len && memcmp(out->data, d->input, d->len) == 0;
        /* values that no file can represent may give the same bytes, too */
        if (status != LVL_OK || (same && !d->handed))
            return status;
        lvl_buffer_free(out);
        *out = (lvl_buffer){0};
        lvl_findings_clear(call->findings);
    }
    status = lvl_write(d->doc, out, call->findings);
    if (status == LVL_OK && d->handed)
        status = lvl_doc_report_dropped(d->doc, call->findings);
    if (status != LVL_OK || !replaces || same)
        return status;
    status = d->partial ? LVL_ERR_LOSS : lvl_doc_may_replace(d->doc, lvl_buffer_bytes(out));
    if (status == LVL_ERR_LOSS)
        abi_set_message(
            call,
            "%.200s is cut off or damaged, and the edited file would look whole: repair it first, "
            "save it as another file, or allow it with damaged=1",
            *d->name ? d->name : "the document");
    return status;
}

lvl_status abi_doc_bytes(lvl_abi_doc *d, lvl_buffer *storage, lvl_bytes *out)
{
    lvl_status status = LVL_OK;

    *out = (lvl_bytes){d->input, d->len};
    if (d->handed || d->edited) {
        status = lvl_doc_write_with_findings(d->doc, storage, NULL);
        *out = lvl_buffer_bytes(storage);
    }
    return status;
}

const char *abi_file_name(const lvl_abi_doc *d)
{
    return lvl_file_name(d->name);
}

void abi_view_clear(const lvl_abi_doc *d, abi_view *v)
{
    lvl_scene_free(v->scene);
    lvl_animation_free(&d->ctx, v->play);
    lvl_buffer_free(&v->with);
    lvl_buffer_free(&v->storage);
    free(v->choices);
    *v = (abi_view){0};
}

void abi_forget(lvl_abi_doc *d)
{
    abi_view_clear(d, &d->view);
    lvl_container_close(d->container);
    d->container = NULL;
}

void lvl_abi_close(lvl_abi_doc *d)
{
    if (!d)
        return;
    abi_forget(d);
    lvl_doc_free(d->doc);
    lvl_abi_art_free(d->art);
    free(d->input);
    free(d->name);
    free(d->archive);
    lvl_file_seen_free(d->seen);
    free(d);
}

/* ---- art --------------------------------------------------------------------------------------------- */

void lvl_abi_use_art(lvl_abi_doc *d, lvl_abi_art *a)
{
    if (!d)
        return;
    lvl_abi_art *before = d->art;
    abi_forget(d);
    d->art = abi_art_keep(a);
    lvl_abi_art_free(before);
}

lvl_abi_art *lvl_abi_art_of(const lvl_abi_doc *d)
{
    return d ? d->art : NULL;
}

lvl_status abi_art(abi_call *call, const lvl_abi_doc *d, const char *options, bool around, lvl_art **out)
{
    bool given = false;
    const char *bad;

    for (const char *at = options; at && *at; at += strlen(at) + 1)
        given = given || abi_value(at, "art");
    *out = NULL;
    if (!given && d && d->art) {
        const lvl_status shared = abi_art_open(d->art, d, around, out, &bad);
        if (shared != LVL_OK && shared != LVL_ERR_MEMORY && bad)
            abi_set_message(call, "art '%.200s': %s", bad, lvl_status_text(shared));
        return shared;
    }
    around = around && d && d->on_disk;
    if (!given && !around)
        return LVL_OK;
    lvl_art *art = lvl_art_new(call->ctx);
    lvl_status status = art ? LVL_OK : LVL_ERR_MEMORY;
    for (const char *at = options; at && *at && status == LVL_OK; at += strlen(at) + 1) {
        const char *root = abi_value(at, "art");
        status = root ? lvl_art_add(art, root) : LVL_OK;
        if (status != LVL_OK && status != LVL_ERR_MEMORY)
            abi_set_message(call, "art '%.200s': %s", root, lvl_status_text(status));
    }
    if (status == LVL_OK && around && d->archive && lvl_art_add_home(art, d->archive) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && around && lvl_art_level(art, d->name) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK)
        *out = art;
    else
        lvl_art_free(art);
    return status;
}

bool abi_art_is_shared(const lvl_abi_doc *d, const lvl_art *art)
{
    return d && abi_art_is(d->art, art);
}

void abi_art_done(const lvl_abi_doc *d, lvl_art *art)
{
    if (!abi_art_is_shared(d, art))
        lvl_art_free(art);
}
