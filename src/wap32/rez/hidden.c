/*
 * wap32/rez/hidden.c: finds entries after the end of a directory whose size is too low.
 */
#include "wap32/rez/read.h"

#include "base/search.h"
#include "base/text.h"

#include <stdlib.h>

/* The gap that contains these bytes, or NULL. */
static lvl_rez_range *gap_with(lvl_rez_range *gaps, size_t count, uint64_t from, uint64_t len)
{
    size_t at;

    LVL_LOWER_BOUND(at, count, gaps[at].from <= from);
    return at && len <= gaps[at - 1].to && from <= gaps[at - 1].to - len ? &gaps[at - 1] : NULL;
}

static bool is_listed(const lvl_rez_dir *dir, const lvl_rez_raw_entry *raw)
{
    char buf[4];
    const lvl_text type = lvl_rez_type_of(raw, buf);

    for (uint32_t i = 0; i < *dir->count; i++) {
        const lvl_rez_entry *e = &(*dir->entries)[i];
        if (lvl_text_equal(e->name, raw->name) && lvl_text_equal(e->type, type))
            return true;
    }
    return false;
}

/* The payload that an entry refers to, and its name. */
typedef struct target {
    uint32_t pos, size;
    lvl_text name;
} target;

static int by_target(const void *a, const void *b)
{
    const target *x = a, *y = b;

    if (x->pos != y->pos)
        return x->pos < y->pos ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->name.len != y->name.len)
        return x->name.len < y->name.len ? -1 : 1;
    return x->name.len ? memcmp(x->name.ptr, y->name.ptr, x->name.len) : 0;
}

/* The targets of all entries, sorted; NULL if out of memory. */
static target *list_targets(const lvl_rez_reader *r, size_t *count)
{
    target *targets = malloc(((size_t)r->items + 1) * sizeof *targets);

    *count = 0;
    for (uint32_t k = 0; targets && k < r->dir_count; k++) {
        const lvl_rez_dir dir = lvl_rez_dir_at(r, k);
        for (uint32_t i = 0; i < *dir.count; i++) {
            const lvl_rez_entry *e = &(*dir.entries)[i];
            targets[(*count)++] = (target){e->pos, e->size, e->name};
        }
    }
    if (*count)
        qsort(targets, *count, sizeof *targets, by_target);
    return targets;
}

/* State of the search for hidden entries. */
struct hiding {
    lvl_rez_range *gaps;
    size_t gap_count;
    target *targets; /* targets of the entries that were read */
    size_t target_count;
};

/* The number of entries that follow the end of directory `k` and belong to it. Dead copies of directories may
 * be there, too. Hidden entries differ from these in one of: the directory's size ends inside one, one has
 * a payload that no other entry has, or only zeros follow them in the gap. They end before an entry whose
 * payload is outside the file or also listed elsewhere with the same name. */
static uint32_t count_hidden(const lvl_rez_reader *r, uint32_t k, const struct hiding *h)
{
    const uint64_t from = r->dirs[k].end;
    lvl_rez_range *gap = gap_with(h->gaps, h->gap_count, from, 1);
    const lvl_rez_dir dir = lvl_rez_dir_at(r, k);
    lvl_rez_raw_entry raw = {0};
    const bool extends = from < r->dirs[k].limit;
    bool alive = extends;
    uint32_t count = 0;

    if (!gap || gap->hides_none[extends])
        return 0;
    lvl_cursor c = lvl_cursor_of((lvl_bytes){r->doc->input.ptr + from, (size_t)(gap->to - from)});
    while (lvl_rez_take_entry(&c, &raw) && lvl_rez_is_printable(raw.name)) {
        const uint32_t pos = lvl_load_u32le(raw.fixed + 4), size = lvl_load_u32le(raw.fixed + 8);
        const bool claimed = size && !gap_with(h->gaps, h->gap_count, pos, size);
        const target t = {pos, size, raw.name};
        if (claimed && ((uint64_t)pos + size > r->doc->input.len ||
                        bsearch(&t, h->targets, h->target_count, sizeof t, by_target)))
            break;
        if (!count && is_listed(&dir, &raw))
            return 0;
        alive = alive || (size && !claimed) || lvl_is_zero(c.data + c.pos, c.len - c.pos);
        count++;
    }
    gap->hides_none[extends] = !alive || !count;
    return alive ? count : 0;
}

/* The index of the first directory that hides entries, or dir_count; *count gets their number. Directories
 * without entries come first, since another directory may end where they begin. */
static uint32_t find_hiding(const lvl_rez_reader *r, const struct hiding *h, uint32_t *count)
{
    for (int read = 0; read < 2; read++) {
        for (uint32_t k = 0; k < r->dir_count; k++) {
            *count = (r->dirs[k].end > r->dirs[k].pos) == read ? count_hidden(r, k, h) : 0;
            if (*count)
                return k;
        }
    }
    return r->dir_count;
}

lvl_status lvl_rez_read_hidden(lvl_rez_reader *r)
{
    enum { ROUNDS = 8 }; /* directories; entries hidden by more of them are kept as unclaimed bytes */
    lvl_status status = LVL_OK;
    bool found = true;

    for (int round = 0; round < ROUNDS && found && status == LVL_OK; round++) {
        struct hiding h = {.gaps = malloc((r->claim_count + 1) * sizeof *h.gaps)};
        const uint32_t dirs = r->dir_count;
        uint32_t count = 0, k = 0;
        h.targets = h.gaps ? list_targets(r, &h.target_count) : NULL;
        if (h.targets) {
            h.gap_count = lvl_rez_find_gaps(r, true, h.gaps, NULL);
            k = find_hiding(r, &h, &count);
        } else {
            status = LVL_ERR_MEMORY;
        }
        free(h.gaps);
        free(h.targets);
        found = count > 0;
        if (!found)
            break;
        const lvl_where where = lvl_rez_where_of(r, k);
        status = lvl_rez_read_entries(r, k, r->dirs[k].end, r->doc->input.len, count);
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_HIDES], &where, NULL,
                         "declares %llu bytes, found %llu: %u more entries",
                         (unsigned long long)(r->dirs[k].limit - r->dirs[k].pos),
                         (unsigned long long)(r->dirs[k].end - r->dirs[k].pos), count);
        if (status == LVL_OK)
            status = lvl_rez_read_dirs(r, dirs);
    }
    return status;
}
