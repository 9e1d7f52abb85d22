/*
 * base/findings.c: the list of findings; paths and positions as text.
 */
#include "base/arena.h"
#include "base/findings.h"
#include "base/text.h"

#include <lvl/record.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KINDS = 64 };

struct lvl_findings {
    const lvl_ctx *ctx;
    lvl_finding *items;
    size_t count, cap;
    size_t seen[LVL_FATAL + 1];
    size_t damage; /* the number of errors that mean damage */
    const lvl_finding_def *kinds[MAX_KINDS]; /* kinds of the findings in the list, once it is full */
    size_t kind_count;
    lvl_findings_watch watch;
    lvl_text member; /* of what is added; lvl_findings_set_member */
    bool keeps_none;
    lvl_status status;
};

const char *lvl_severity_name(lvl_severity severity)
{
    static const char *const names[] = {"none", "note", "warning", "error", "fatal"};
    return names[severity];
}

lvl_severity lvl_severity_for(const lvl_ctx *ctx, const lvl_finding_def *def)
{
    const lvl_program *program = ctx->profile == LVL_PROFILE_GAME ? ctx->program : NULL;

    for (uint32_t i = 0; program && i < program->judgement_count; i++) {
        if (program->judgements[i].def == def)
            return program->judgements[i].severity;
    }
    return def->severity[ctx->profile];
}

lvl_findings *lvl_findings_new(const lvl_ctx *ctx)
{
    lvl_findings *list = lvl_mem_alloc(ctx, sizeof *list);
    if (!list)
        return NULL;
    memset(list, 0, sizeof *list);
    list->ctx = ctx;
    return list;
}

lvl_findings *lvl_findings_new_counter(const lvl_ctx *ctx)
{
    lvl_findings *list = lvl_findings_new(ctx);

    if (list)
        list->keeps_none = true;
    return list;
}

lvl_findings_watch lvl_findings_set_watch(lvl_findings *list, lvl_findings_watch watch)
{
    const lvl_findings_watch before = list->watch;

    list->watch = watch;
    return before;
}

static void free_texts(const lvl_finding *f)
{
    free((void *)(uintptr_t)f->text);
    free((void *)(uintptr_t)f->member);
}

void lvl_findings_clear(lvl_findings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_texts(&list->items[i]);
    list->count = list->kind_count = list->damage = 0;
    memset(list->seen, 0, sizeof list->seen);
    list->status = LVL_OK;
}

void lvl_findings_set_member(lvl_findings *list, lvl_text path)
{
    if (list)
        list->member = path;
}

static void count_finding(lvl_findings *list, const lvl_finding_def *def, lvl_severity severity)
{
    list->seen[severity]++;
    list->damage += severity >= LVL_ERROR && def->severity[LVL_PROFILE_SALVAGE] >= LVL_ERROR;
}

void lvl_findings_filter(lvl_findings *list, bool (*keep)(void *user, const lvl_finding *finding), void *user)
{
    size_t kept = 0;

    memset(list->seen, 0, sizeof list->seen);
    list->damage = 0;
    for (size_t i = 0; i < list->count; i++) {
        const lvl_finding f = list->items[i];
        if (!keep(user, &f)) {
            free_texts(&f);
            continue;
        }
        list->items[kept++] = f;
        count_finding(list, f.def, f.severity);
    }
    list->count = kept;
}

void lvl_findings_free(lvl_findings *list)
{
    if (!list)
        return;
    lvl_findings_clear(list);
    free(list->items);
    lvl_mem_free(list->ctx, list);
}

size_t lvl_findings_count(const lvl_findings *list)
{
    return list->count;
}

const lvl_finding *lvl_findings_at(const lvl_findings *list, size_t index)
{
    return index < list->count ? &list->items[index] : NULL;
}

size_t lvl_findings_of(const lvl_findings *list, lvl_severity severity)
{
    return list->seen[severity];
}

size_t lvl_findings_damage(const lvl_findings *list)
{
    return list->damage;
}

lvl_severity lvl_findings_worst(const lvl_findings *list)
{
    for (int s = LVL_FATAL; s > LVL_NONE; s--) {
        if (list->seen[s])
            return (lvl_severity)s;
    }
    return LVL_NONE;
}

void lvl_findings_add_all(lvl_findings *list, const lvl_findings *from)
{
    const lvl_text before = list ? list->member : (lvl_text){NULL, 0};

    for (size_t i = 0; list && from && i < from->count; i++) {
        const lvl_finding *f = &from->items[i];
        lvl_findings_set_member(list, f->member ? lvl_text_of(f->member) : before);
        lvl_findings_add(list, f->def, &f->where, &f->position, "%s", f->text);
    }
    lvl_findings_set_member(list, before);
    if (list && from && list->status == LVL_OK)
        list->status = from->status;
}

lvl_status lvl_findings_status(const lvl_findings *list)
{
    return list->status;
}

/* Adds a kind; false if it is already known, or there are too many. */
static bool note_kind(lvl_findings *list, const lvl_finding_def *def)
{
    for (size_t i = 0; i < list->kind_count; i++) {
        if (list->kinds[i] == def)
            return false;
    }
    if (list->kind_count == MAX_KINDS)
        return false;
    list->kinds[list->kind_count++] = def;
    return true;
}

/* Whether a full list has no finding of this kind yet: thousands of one kind must not hide another kind. */
static bool is_new_kind(lvl_findings *list, const lvl_finding_def *def)
{
    const bool noted = list->kind_count != 0;

    for (size_t i = 0; !noted && i < list->count; i++)
        note_kind(list, list->items[i].def);
    return note_kind(list, def);
}

/* Ends a text that fills `buf` with "...", without splitting a character; returns its length. */
static int ellipsize(char *buf, size_t size)
{
    const size_t end = lvl_text_cut((lvl_text){buf, size - 1}, size - 4).len;

    memcpy(buf + end, "...", 4);
    return (int)end + 3;
}

void lvl_findings_add(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                      const lvl_position *pos, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(list, def, where, pos, fmt, args);
    va_end(args);
}

void lvl_report_at(lvl_findings *list, const lvl_finding_def *def, lvl_where where, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(list, def, &where, NULL, fmt, args);
    va_end(args);
}

void lvl_findings_addv(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                       const lvl_position *pos, const char *fmt, va_list args)
{
    char buf[1001];

    if (!list)
        return;
    lvl_severity severity = lvl_severity_for(list->ctx, def);
    count_finding(list, def, severity);
    for (const lvl_finding_def *const *kind = list->watch.kinds; kind && *kind; kind++)
        list->watch.count += *kind == def;
    uint32_t max = lvl_limits_of(list->ctx).findings;
    if (severity == LVL_NONE || list->keeps_none || (list->count >= max && !is_new_kind(list, def)))
        return;
    if (!lvl_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items)) {
        list->status = LVL_ERR_MEMORY;
        return;
    }
    int len = vsnprintf(buf, sizeof buf, fmt, args);
    if (len >= (int)sizeof buf)
        len = ellipsize(buf, sizeof buf);
    char *text = len < 0 ? NULL : malloc((size_t)len + 1);
    char *member = list->member.len ? malloc(list->member.len + 1) : NULL;
    if (!text || (list->member.len && !member)) {
        free(text);
        free(member);
        list->status = LVL_ERR_MEMORY;
        return;
    }
    memcpy(text, buf, (size_t)len + 1);
    if (member) {
        memcpy(member, list->member.ptr, list->member.len);
        member[list->member.len] = 0;
    }
    lvl_finding *f = &list->items[list->count++];
    memset(f, 0, sizeof *f);
    f->def = def;
    f->severity = severity;
    f->text = text;
    f->member = member;
    if (where)
        f->where = *where;
    if (pos)
        f->position = *pos;
}

/* A buffer of fixed size: text beyond it is counted, but not written. */
typedef struct fixed_text {
    char *buf;
    size_t size, len;
} fixed_text;

static void put_part(fixed_text *out, const char *text, size_t len)
{
    if (out->len + 1 < out->size) {
        const size_t space = out->size - out->len - 1, fits = len < space ? len : space;
        memcpy(out->buf + out->len, text, fits);
        out->buf[out->len + fits] = 0;
    }
    out->len += len;
}

static void put_number(fixed_text *out, uint32_t number)
{
    char digits[20], *const end = digits + sizeof digits;
    const char *first = lvl_digits_before(end, number);

    put_part(out, first, (size_t)(end - first));
}

/* Called for each thing of a scene and each finding, so it avoids printf. */
size_t lvl_where_text(const lvl_where *where, char *buf, size_t size)
{
    fixed_text out = {buf, size, 0};

    if (size)
        buf[0] = 0;
    for (uint32_t i = 0; i < where->depth; i++) {
        const lvl_step *s = &where->steps[i];
        if (i)
            put_part(&out, ".", 1);
        put_part(&out, s->field->name, strlen(s->field->name));
        if (s->index == LVL_NO_INDEX)
            continue;
        const bool is_cell = s->field->kind == LVL_CELLS;
        put_part(&out, "[", 1);
        put_number(&out, is_cell ? s->index & 0xFFFF : s->index);
        if (is_cell) {
            put_part(&out, ",", 1);
            put_number(&out, s->index >> 16);
        }
        put_part(&out, "]", 1);
    }
    return out.len;
}

size_t lvl_position_text(const lvl_position *pos, char *buf, size_t size)
{
    int n;

    if (size)
        buf[0] = 0;
    if (!pos->known)
        return 0;
    if (pos->space == 0)
        n = snprintf(buf, size, "0x%llx", (unsigned long long)(pos->bit / 8));
    else
        n = snprintf(buf, size, "0x%llx/0x%llx", (unsigned long long)pos->outer,
                     (unsigned long long)(pos->bit / 8));
    return n < 0 ? 0 : (size_t)n;
}
