/*
 * sketchy/model/names.c: sorted texts of records.
 */
#include "sketchy/model/names.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

lvl_status lvl_names_of(lvl_names *names, const void *records, uint32_t count, size_t size, size_t offset)
{
    *names = (lvl_names){malloc(((size_t)count + 1) * sizeof *names->list), 0};
    if (!names->list)
        return LVL_ERR_MEMORY;
    for (; names->count < count; names->count++) {
        lvl_sort_key *key = &names->list[names->count];
        key->index = names->count;
        memcpy(&key->name, (const uint8_t *)records + names->count * size + offset, sizeof key->name);
    }
    qsort(names->list, count, sizeof *names->list, lvl_sort_key_order);
    return LVL_OK;
}

lvl_text lvl_path_below(lvl_text path, const char *folder)
{
    const size_t n = strlen(folder);

    if (path.len <= n || memcmp(path.ptr, folder, n) != 0 || path.ptr[path.len - 1] == '/')
        return (lvl_text){NULL, 0};
    return (lvl_text){path.ptr + n, path.len - n};
}

lvl_status lvl_names_below(lvl_names *names, const lvl_sketchy_file *files, uint32_t count,
                           const char *folder)
{
    *names = (lvl_names){malloc(((size_t)count + 1) * sizeof *names->list), 0};
    if (!names->list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const lvl_text name = lvl_path_below(files[i].path, folder);
        if (name.len)
            names->list[names->count++] = (lvl_sort_key){name, i};
    }
    qsort(names->list, names->count, sizeof *names->list, lvl_sort_key_order);
    return LVL_OK;
}

uint32_t lvl_names_find(const lvl_names *names, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, names->count, lvl_text_compare(names->list[at].name, name) < 0);
    return at < names->count && lvl_text_equal(names->list[at].name, name) ? (uint32_t)at : names->count;
}

uint32_t lvl_names_last(const lvl_names *names, lvl_text name)
{
    size_t end; /* after those of that name */

    LVL_LOWER_BOUND(end, names->count, lvl_text_compare(names->list[end].name, name) <= 0);
    return end && lvl_text_equal(names->list[end - 1].name, name) ? names->list[end - 1].index : LVL_NO_INDEX;
}

void lvl_names_free(lvl_names *names)
{
    free(names->list);
}

bool lvl_sketchy_key(lvl_text key, int32_t *x, int32_t *y)
{
    int64_t v[2] = {0, 0};
    size_t i = 0;

    for (int n = 0; n < 2; n++) {
        bool negative = false;
        if (i < key.len && (key.ptr[i] == '-' || key.ptr[i] == '+'))
            negative = key.ptr[i++] == '-';
        const size_t first = i;
        while (i < key.len && key.ptr[i] >= '0' && key.ptr[i] <= '9' && i - first < 10)
            v[n] = v[n] * 10 + (key.ptr[i++] - '0');
        if (i == first || v[n] > INT32_MAX)
            return false;
        v[n] = negative ? -v[n] : v[n];
        if (n == 0 && (i == key.len || key.ptr[i++] != ','))
            return false;
    }
    *x = (int32_t)v[0];
    *y = (int32_t)v[1];
    return i == key.len;
}
