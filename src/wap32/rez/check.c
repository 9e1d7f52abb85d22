/*
 * wap32/rez/check.c: checks that names in a REZ are unique and can be written and extracted.
 */
#include "wap32/formats.h"
#include "wap32/rez/rez.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool is_unsafe(lvl_text name)
{
    if (name.len == 0 || lvl_text_is(name, ".") || lvl_text_is(name, ".."))
        return true;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (c < 0x20 || c == 0x7F || c == '/' || c == '\\' || c == ':')
            return true;
    }
    return false;
}

/* Compares pointers to entries by name, kind, type and address. */
static int by_name(const void *a, const void *b)
{
    const lvl_rez_entry *x = *(const lvl_rez_entry *const *)a, *y = *(const lvl_rez_entry *const *)b;
    int d = lvl_text_compare_nocase(x->name, y->name);

    if (d == 0 && x->kind != y->kind)
        d = x->kind < y->kind ? -1 : 1;
    if (d == 0)
        d = lvl_text_compare_nocase(x->type, y->type);
    return d ? d : (x > y) - (x < y);
}

static lvl_status check_doubles(const lvl_rez_entry *entries, uint32_t count, const lvl_field *list,
                                lvl_where where, lvl_findings *findings)
{
    const lvl_rez_entry **sorted = malloc((count ? count : 1) * sizeof *sorted);

    if (!sorted)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &entries[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < count; i++) {
        const lvl_rez_entry *a = sorted[i - 1], *b = sorted[i];
        if (a->kind == b->kind && lvl_text_compare_nocase(a->name, b->name) == 0 &&
            lvl_text_compare_nocase(a->type, b->type) == 0)
            lvl_report_at(findings, &lvl_rez_findings[LVL_REZ_ENTRY_DOUBLE],
                          lvl_where_to(where, list, (uint32_t)(b - entries)),
                          "entry %u has this name, too: the game finds only one of them",
                          (unsigned)(a - entries));
    }
    free(sorted);
    return LVL_OK;
}

/* Whether names and comments have no NUL, and the type has at most four bytes and does not begin with a
 * NUL. */
static bool can_write(const lvl_rez_entry *e)
{
    const bool name = !e->name.len || !memchr(e->name.ptr, 0, e->name.len);

    if (e->kind == LVL_REZ_DIR)
        return name;
    return name && e->kind == LVL_REZ_FILE && e->type.len <= 4 && !(e->type.len && e->type.ptr[0] == 0) &&
           !(e->comment.len && memchr(e->comment.ptr, 0, e->comment.len));
}

struct names {
    const lvl_doc *doc;
    lvl_findings *findings; /* or NULL */
    bool all; /* all checks; else only those for what cannot be written */
    bool loss; /* something cannot be written */
};

static lvl_status check_dir(struct names *n, lvl_rez_dir dir, lvl_where where, uint32_t depth)
{
    const uint32_t most = lvl_limits_of(n->doc->ctx).depth;
    lvl_status status =
        n->all ? check_doubles(*dir.entries, *dir.count, dir.list, where, n->findings) : LVL_OK;
    char shown[80];

    for (uint32_t i = 0; i < *dir.count && status == LVL_OK; i++) {
        lvl_rez_entry *e = &(*dir.entries)[i];
        const lvl_where at = lvl_where_to(where, dir.list, i);
        const char *name = lvl_text_show(shown, sizeof shown, n->doc->codepage, e->name);
        if (n->all && (is_unsafe(e->name) || (e->type.len && is_unsafe(e->type))))
            lvl_findings_add(n->findings, &lvl_rez_findings[LVL_REZ_NAME_UNSAFE], &at, NULL, "\"%s\"", name);
        if (!can_write(e)) {
            lvl_findings_add(n->findings, &lvl_rez_findings[LVL_REZ_NAME_UNWRITABLE], &at, NULL, "\"%s\"",
                             name);
            n->loss = true;
        }
        if (e->kind == LVL_REZ_DIR && depth + 1 < most) {
            status = check_dir(n, lvl_rez_dir_of(e), at, depth + 1);
        } else if (e->kind == LVL_REZ_DIR && (e->entry_count || e->rest.len)) {
            lvl_findings_add(n->findings, &lvl_rez_findings[LVL_REZ_DIR_DEEP], &at, NULL,
                             "\"%s\" is on level %u and not empty, expected at most %u levels; --limit "
                             "depth=N raises that",
                             name, depth + 1, most - 1);
            n->loss = true;
        }
    }
    return status;
}

static lvl_status check_all(struct names *n)
{
    const lvl_rez *rez = n->doc->root;
    const lvl_field *list = LVL_FIELD(lvl_rez, gaps);
    uint64_t end = LVL_REZ_HEADER_SIZE;

    for (uint32_t i = 0; i < rez->gap_count; i++) {
        const lvl_rez_gap *gap = &rez->gaps[i];
        const lvl_where at = lvl_where_to(lvl_where_root(), list, i);
        if (gap->data.len && gap->pos < end) {
            lvl_findings_add(n->findings, &lvl_rez_findings[LVL_REZ_GAP_OVERLAP], &at, NULL,
                             "the bytes at 0x%x, expected 0x%llx or more", gap->pos, (unsigned long long)end);
            n->loss = true;
        }
        if (gap->data.len)
            end = gap->pos + (uint64_t)gap->data.len;
    }
    return check_dir(n, lvl_rez_root(n->doc->root), lvl_where_root(), 0);
}

lvl_status lvl_rez_check(const lvl_doc *doc, const lvl_check_request *request)
{
    struct names n = {doc, request->findings, true, false};

    return check_all(&n);
}

lvl_status lvl_rez_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    struct names n = {doc, findings, false, false};

    const lvl_status status = check_all(&n);
    return status == LVL_OK && n.loss ? LVL_ERR_LOSS : status;
}
