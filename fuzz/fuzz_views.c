/*
 * libFuzzer target: mutated dumps undumped and drawn: each view, overlay, size, difference and graph. Half of
 * the mutations change a number to an unlikely one.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "views.h"

#include <lvl/tools.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t choice = lvl_fuzz_hash(data, size);
    lvl_doc *doc = NULL, *before = NULL;
    bool good = true;

    if (lvl_undump(&doc, lvl_fuzz_ctx(), (lvl_text){(const char *)data, size}, NULL) != LVL_OK)
        return 0;
    const unsigned can = lvl_format_can(lvl_doc_format(doc));
    if (can & LVL_CAN_RENDER)
        good = lvl_view_scene(doc, choice) && lvl_view_scene(doc, choice * 2654435769u + 1);
    if (good && can & LVL_CAN_PLAY)
        good = lvl_view_animation(doc, choice);
    if (good)
        good = lvl_view_graph(doc);
    if (good && can & LVL_CAN_RENDER && (choice & 3) == 0 &&
        lvl_doc_new(&before, lvl_fuzz_ctx(), lvl_doc_format(doc)) == LVL_OK)
        good = lvl_view_diff(before, doc, choice);
    if (!good)
        abort();
    lvl_doc_free(before);
    lvl_doc_free(doc);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const char *const numbers[] = {"0",           "1",           "-1",         "2",     "255",
                                          "65536",       "1000000",     "-65537",     "32768", "2147483647",
                                          "-2147483648", "-2147483647", "4294967295", "1e300"};
    const char *number = numbers[(seed >> 8) % LVL_COUNT_OF(numbers)];
    const size_t new_len = strlen(number);

    if (size && seed & 1) {
        const size_t start = (seed >> 12) % size;
        for (size_t k = 0; k < size; k++) {
            const size_t at = (start + k) % size;
            if (at == 0 || !strchr(" ,:[", data[at - 1]) ||
                (data[at] != '-' && (data[at] < '0' || data[at] > '9')))
                continue;
            size_t end = at + 1;
            while (end < size && ((data[end] >= '0' && data[end] <= '9') || strchr("eE.+-", data[end])))
                end++;
            if (size - (end - at) + new_len > max_size)
                break;
            memmove(data + at + new_len, data + end, size - end);
            memcpy(data + at, number, new_len);
            return size - (end - at) + new_len;
        }
    }
    return LLVMFuzzerMutate(data, size, max_size);
}
