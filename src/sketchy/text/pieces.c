/*
 * sketchy/text/pieces.c: see sketchy/text/pieces.h.
 */
#include "sketchy/text/pieces.h"

#include "base/buffer.h"
#include "base/format.h"
#include "base/record.h"
#include "base/work.h"

#include <string.h>

/* ---- notes ------------------------------------------------------------------------------------------- */

lvl_status lvl_json_notes_begin(lvl_json_notes *notes, lvl_doc *doc, const lvl_tokens *t, lvl_text text)
{
    *notes = (lvl_json_notes){.doc = doc, .t = t, .open = {.max = lvl_memory_share(doc->ctx)}};
    const lvl_status status = lvl_pieces_begin(doc);
    if (doc->pieces)
        doc->pieces->source = (lvl_bytes){(const uint8_t *)text.ptr, text.len};
    return status;
}

lvl_json_bracket lvl_json_note_begin(const lvl_json_notes *notes, bool array)
{
    return (lvl_json_bracket){lvl_tokens_offset(notes->t), notes->open.len, array};
}

void lvl_json_note(lvl_json_notes *notes, lvl_json_bracket *open, const lvl_token *key,
                   const lvl_token *value, lvl_json_piece piece)
{
    const size_t end = lvl_tokens_offset(notes->t);
    const char *comma = notes->t->p;

    if (!notes->doc->pieces || notes->t->error)
        return;
    while (comma < notes->t->end && *comma != ',' && *comma != ']' && *comma != '}')
        comma++;
    const bool more = comma < notes->t->end && *comma == ',';
    piece.from = open->from;
    piece.to = more ? (size_t)(comma - notes->t->start) : end;
    piece.key = key ? key->at : 0;
    piece.key_len = key ? key->text.len + 2 : 0;
    piece.value.at = value->at;
    piece.value.len = end - value->at;
    piece.inside = notes->inside;
    notes->inside = NULL;
    lvl_buffer_add(&notes->open, &piece, sizeof piece);
    open->from = piece.to + more;
}

void lvl_json_note_end(lvl_json_notes *notes, const lvl_json_bracket *open, const lvl_token *end)
{
    const size_t size = notes->open.len - open->first;
    lvl_arena *arena = &notes->doc->arena;

    if (!notes->doc->pieces || notes->t->error || notes->open.status != LVL_OK)
        return;
    lvl_json_pieces *inside = lvl_arena_alloc(arena, sizeof *inside);
    const uint8_t *from = size ? notes->open.data + open->first : NULL;
    const lvl_json_piece *list = lvl_arena_copy(arena, from, size);
    if (!inside || !list) {
        notes->open.status = LVL_ERR_MEMORY;
        return;
    }
    *inside = (lvl_json_pieces){list, (uint32_t)(size / sizeof *list), open->array, open->from, end->at};
    notes->open.len = open->first;
    notes->inside = inside;
}

lvl_status lvl_json_notes_end(lvl_json_notes *notes, const lvl_token *first, bool broken, bool inherits)
{
    lvl_doc *doc = notes->doc;
    const lvl_sketchy *d = doc->format->table == &lvl_sketchy_table ? doc->root : NULL;
    lvl_status status = LVL_OK;

    if (doc->pieces && notes->open.status != LVL_OK)
        status = lvl_buffer_outcome(doc->ctx, &notes->open);
    lvl_buffer_free(&notes->open);
    if (!doc->pieces || status != LVL_OK || broken) { /* nothing of a broken text is copied */
        doc->pieces = NULL;
        return status;
    }
    lvl_noted_text *text = lvl_arena_alloc(&doc->arena, sizeof *text);
    if (!text)
        return LVL_ERR_MEMORY;
    *text = (lvl_noted_text){.kind = d ? d->kind : 0, .inherits = inherits};
    text->root.value = (lvl_piece){first->at, lvl_tokens_offset(notes->t) - first->at, 0};
    text->root.inside = notes->inside;
    doc->pieces->own = text;
    return LVL_OK;
}

/* ---- hashes ------------------------------------------------------------------------------------------ */

uint64_t lvl_json_hash(const lvl_doc *doc, const lvl_hash_seed *seed, const lvl_shapes *shapes,
                       const lvl_shape *s, const uint8_t *record, bool outside)
{
    const lvl_table one = {.fields = s->field, .field_count = 1};
    lvl_sketchy_layer missing = {0};
    lvl_shapes inside;
    uint64_t hash = seed->start;

    if (s->kind == LVL_SHAPE_LAYER) { /* the game gives a level a layer without chunks */
        lvl_record_init(&missing, &lvl_sketchy_layer_table);
        const void *layer = lvl_list_count(record, s->field) ? lvl_list_item(record, s->field, 0) : &missing;
        return lvl_sketchy_hash(doc, seed, layer, &lvl_sketchy_layer_table, outside);
    }
    if (!lvl_shape_is_group(s))
        return lvl_sketchy_hash(doc, seed, record, &one, outside);
    lvl_shapes_inside(&inside, shapes, s);
    for (uint32_t i = 0; i < inside.count; i++)
        hash = lvl_hash_mix(seed, hash, lvl_json_hash(doc, seed, &inside, &inside.list[i], record, outside));
    return hash;
}
