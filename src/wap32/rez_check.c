/*
 * wap32/rez_check.c: rules for what a REZ lists: names that can be told apart, written, and extracted.
 */
#include "wap32/rez.h"

#include "base/cursor.h"
#include "base/text.h"

#include <stdlib.h>

static const lvl_field *root_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_table, offset);
}

static const lvl_field *entry_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_entry_table, offset);
}

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

/* Pointers to entries, by name, type, and their order in the directory. */
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
            lvl_text_compare_nocase(a->type, b->type) == 0) {
            const lvl_where at = lvl_where_to(where, list, (uint32_t)(b - entries));
            lvl_findings_add(findings, &lvl_rez_findings[LVL_REZ_ENTRY_DOUBLE], &at, NULL, "as entry %u",
                             (unsigned)(a - entries));
        }
    }
    free(sorted);
    return LVL_OK;
}

static lvl_status check_entries(const lvl_doc *doc, const lvl_rez_entry *entries, uint32_t count,
                                const lvl_field *list, lvl_where where, lvl_findings *findings)
{
    lvl_status status = check_doubles(entries, count, list, where, findings);
    char shown[80];

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_rez_entry *e = &entries[i];
        const lvl_where at = lvl_where_to(where, list, i);
        if (is_unsafe(e->name) || (e->type.len && is_unsafe(e->type)))
            lvl_findings_add(findings, &lvl_rez_findings[LVL_REZ_NAME_UNSAFE], &at, NULL, "\"%s\"",
                             lvl_text_show(shown, sizeof shown, doc->codepage, e->name));
        if ((e->name.len && memchr(e->name.ptr, 0, e->name.len)) || e->type.len > 4 ||
            (e->comment.len && memchr(e->comment.ptr, 0, e->comment.len)))
            lvl_findings_add(findings, &lvl_rez_findings[LVL_REZ_NAME_UNSAYABLE], &at, NULL, "\"%s\"",
                             lvl_text_show(shown, sizeof shown, doc->codepage, e->name));
        if (e->kind == LVL_REZ_DIR)
            status = check_entries(doc, e->entries, e->entry_count,
                                   entry_field(offsetof(lvl_rez_entry, entries)), at, findings);
    }
    return status;
}

lvl_status lvl_rez_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_rez *rez = doc->root;

    return check_entries(doc, rez->entries, rez->entry_count, root_field(offsetof(lvl_rez, entries)),
                         lvl_where_root(), request->findings);
}
