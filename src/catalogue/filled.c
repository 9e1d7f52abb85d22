/*
 * catalogue/filled.c: see filled.h.
 */
#include "catalogue/filled.h"

#include "base/arena.h"
#include "base/record.h"

#include <stddef.h>
#include <stdlib.h>

enum { WORD = 8 };

bool cat_may_be_content(const lvl_field *f)
{
    return f->role != LVL_KEPT && f->role != LVL_DERIVED && !(f->flags & (LVL_F_FORM | LVL_F_SIGNATURE));
}

typedef struct maker {
    cat_filled *filled;
    uint32_t size; /* of the record */
    uint64_t field; /* the bit of the outermost field */
    bool memory_failed;
} maker;

/* The word at an offset; NULL without memory, or at the end of a record of an odd size. */
static cat_filled_word *word_at(maker *m, uint32_t offset)
{
    cat_filled *filled = m->filled;

    for (size_t i = filled->count; i-- > 0;) {
        if (filled->words[i].offset == offset)
            return &filled->words[i];
    }
    if (offset + WORD > m->size)
        return NULL;
    if (!lvl_grow(&filled->words, &filled->cap, filled->count + 1, sizeof *filled->words)) {
        m->memory_failed = true;
        return NULL;
    }
    filled->words[filled->count] = (cat_filled_word){.offset = offset};
    return &filled->words[filled->count++];
}

/* Adds `len` bytes at `offset` to those that are compared. */
static bool add_bytes(maker *m, uint32_t offset, const uint8_t *mask, const uint8_t *def, uint32_t len)
{
    for (uint32_t i = 0; i < len;) {
        const uint32_t start = (offset + i) / WORD * WORD, in_word = offset + i - start;
        uint8_t part_mask[WORD] = {0}, part_def[WORD] = {0};
        uint64_t bits;
        cat_filled_word *w = word_at(m, start);
        if (!w)
            return false;
        for (uint32_t k = in_word; k < WORD && i < len; k++, i++) {
            part_mask[k] = mask[i];
            part_def[k] = def[i];
        }
        memcpy(&bits, part_mask, sizeof bits);
        w->mask |= bits;
        memcpy(&bits, part_def, sizeof bits);
        w->def |= bits;
        w->fields |= m->field;
    }
    return true;
}

/* Bytes that are 0 by default. */
static bool add_zeros(maker *m, uint32_t offset, uint32_t len)
{
    static const uint8_t all[WORD] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, none[WORD] = {0};

    for (uint32_t i = 0; i < len; i += WORD) {
        if (!add_bytes(m, offset + i, all, none, len - i < WORD ? len - i : WORD))
            return false;
    }
    return true;
}

static bool add_int(maker *m, const lvl_field *f, uint32_t offset)
{
    const unsigned top = f->size * 8 - 1;
    lvl_field here = *f;
    uint8_t mask[WORD], def[WORD];

    /* the sign shows in all higher bits, too */
    if (!lvl_int_fits(f, f->def) || (f->size < WORD && f->flags & LVL_F_SIGNED && f->stored >> top & 1))
        return false;
    here.offset = 0;
    lvl_put_int(mask, &here, (int64_t)~f->stored);
    lvl_put_int(def, &here, f->def);
    return add_bytes(m, offset, mask, def, f->size);
}

/* Adds the bytes by which a field in a record at `base` shows that it has its default. False: it has to be
 * looked at. */
static bool add_field(maker *m, const lvl_field *f, uint32_t base)
{
    const uint32_t offset = base + f->offset;

    if (f->flags & LVL_F_LATE)
        return false;
    switch (f->kind) {
    case LVL_INT: return add_int(m, f, offset);
    case LVL_REAL: return add_zeros(m, offset, sizeof(double));
    case LVL_TEXT:
        return f->flags & LVL_F_SLOT
                   ? add_zeros(m, offset, f->size)
                   : add_zeros(m, offset + (uint32_t)offsetof(lvl_text, len), sizeof(size_t));
    case LVL_BYTES: return f->flags & LVL_F_SLOT && add_zeros(m, offset, f->size);
    case LVL_LIST: return add_zeros(m, base + f->count_offset, sizeof(uint32_t));
    case LVL_RECORD:
        for (uint32_t i = 0; i < f->table->field_count; i++) {
            const lvl_field *inner = &f->table->fields[i];
            if (cat_may_be_content(inner) && !add_field(m, inner, offset))
                return false;
        }
        return true;
    default: return false;
    }
}

bool cat_filled_make(cat_filled *filled, const lvl_table *table)
{
    maker m = {.filled = filled, .size = table->struct_size};
    unsigned count = 0;

    for (uint32_t i = 0; i < table->field_count; i++) {
        if (!cat_may_be_content(&table->fields[i]))
            continue;
        if (count == CAT_FILLED_FIELDS)
            return false;
        m.field = UINT64_C(1) << count++;
        if (!add_field(&m, &table->fields[i], 0))
            filled->always |= m.field;
    }
    return !m.memory_failed;
}

void cat_filled_free(cat_filled *filled)
{
    free(filled->words);
    memset(filled, 0, sizeof *filled);
}
