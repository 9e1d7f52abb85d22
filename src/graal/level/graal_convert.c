/*
 * graal/level/graal_convert.c: converts levels between all forms: tiles, layers and heights here, the rest in
 * graal_convert_items.c. Whatever the form cannot represent is reported with its path. The new level is
 * written, read and compared, so that no loss goes unreported.
 */
#include "graal/level/graal_convert.h"

#include "base/format.h"
#include "base/text.h"
#include "lines/grammar.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_names.h"

#include <string.h>

#define BINARY(name, title, version)             \
    {                                            \
        name, title, "graal", "graal", (version) \
    }

const lvl_form lvl_graal_forms[] = {
    BINARY("gr-v1.03", "GR-V1.03, the last binary version that is known from real files", LVL_GR_V1_03),
    {"nw", "GLEVNW01, text", "nw", "nw", LVL_GLEVNW01},
    {"z3-v1.04", "Z3-V1.04, Zelda Online, with what baddies say", "zelda", "graal", LVL_Z3_V1_04},
    {"z3-v1.03", "Z3-V1.03, Zelda Online", "zelda", "graal", LVL_Z3_V1_03},
    {"z3-v1.02", "Z3-V1.02, Zelda Online, 1024 tiles", "zelda", "graal", LVL_Z3_V1_02},
    BINARY("gr-v1.00", "GR-V1.00, with NPCs", LVL_GR_V1_00),
    BINARY("gr-v1.01", "GR-V1.01, with chests", LVL_GR_V1_01),
    BINARY("gr-v1.02", "GR-V1.02, 4096 tiles", LVL_GR_V1_02),
    BINARY("gr-v1.04", "GR-V1.04, with heights", LVL_GR_V1_04),
    BINARY("gr-v1.05", "GR-V1.05, with layers", LVL_GR_V1_05),
    {NULL, NULL, NULL, NULL, 0},
};

/* ---- tiles ------------------------------------------------------------------------------------------- */

enum {
    CELLS = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE,
    MAX_LAYERS = 223 /* of a binary level: a byte, 32 more than the count */
};

/* Changes of a layer. */
struct changes {
    uint32_t beyond, beyond_at, first; /* tiles out of range: their number, the first one's index and value */
    uint32_t absent; /* absent tiles of the board */
};

static uint32_t convert_tile(const lvl_graal_converter *c, uint32_t number, uint32_t tile, struct changes *n)
{
    const bool text = lvl_graal_is_text(c->to);

    if (number && (tile == LVL_GRAAL_ABSENT || tile == LVL_GRAAL_NOTHING))
        return text ? LVL_GRAAL_ABSENT : LVL_GRAAL_NOTHING; /* drawn the same */
    if (tile == LVL_GRAAL_ABSENT) {
        n->absent++;
        return text ? LVL_GRAAL_ABSENT : 0; /* loaders start from a board of zeros */
    }
    if (tile < lvl_graal_tile_count(c->to->version))
        return tile;
    if (!n->beyond++)
        n->first = tile;
    return 0;
}

/* Converts a layer; `from` NULL: an empty one. */
static void convert_layer(lvl_graal_converter *c, uint32_t number, const lvl_graal_layer *from,
                          lvl_graal_layer *to)
{
    uint8_t *cells = lvl_graal_convert_alloc(c, CELLS, 2);
    struct changes n = {0, 0, 0, 0};

    to->number = number;
    if (!cells)
        return;
    to->tiles = (lvl_cells){cells, LVL_GRAAL_SIDE, LVL_GRAAL_SIDE, 2};
    for (uint32_t i = 0; i < CELLS; i++) {
        const uint32_t x = i % LVL_GRAAL_SIDE, y = i / LVL_GRAAL_SIDE;
        const bool exists = from && from->tiles.ptr && x < from->tiles.width && y < from->tiles.height;
        const uint32_t before = n.beyond,
                       tile = convert_tile(c, number,
                                           exists ? lvl_cell(&from->tiles, x, y) : LVL_GRAAL_ABSENT, &n);
        if (n.beyond && !before)
            n.beyond_at = i;
        cells[2 * i] = (uint8_t)tile;
        cells[2 * i + 1] = (uint8_t)(tile >> 8);
    }
    const lvl_where where = lvl_where_member(
        lvl_graal_at(offsetof(lvl_graal, layers), from ? (uint32_t)(from - c->from->layers) : LVL_NO_INDEX),
        &lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles));
    if (n.beyond)
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_TILE, &where,
                       "%lu tiles past number %u, the first is %lu at [%lu,%lu]", (unsigned long)n.beyond,
                       lvl_graal_tile_count(c->to->version) - 1, (unsigned long)n.first,
                       (unsigned long)(n.beyond_at % LVL_GRAAL_SIDE),
                       (unsigned long)(n.beyond_at / LVL_GRAAL_SIDE));
    if (n.absent && !lvl_graal_is_text(c->to))
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_ABSENT, &where, "%lu missing tiles become tile 0",
                       (unsigned long)n.absent);
}

bool lvl_graal_is_empty_layer(const lvl_graal_layer *layer)
{
    for (uint32_t i = 0; layer->tiles.ptr && i < layer->tiles.width * layer->tiles.height; i++) {
        const uint32_t tile = lvl_cell(&layer->tiles, i % layer->tiles.width, i / layer->tiles.width);
        if (tile != LVL_GRAAL_ABSENT && (tile != LVL_GRAAL_NOTHING || !layer->number))
            return false;
    }
    return true;
}

/* Converts all layers with tiles, in order; a text level has no empty layers. */
static void layers_to_text(lvl_graal_converter *c)
{
    const lvl_graal *from = c->from;

    for (uint32_t i = 0; i < from->layer_count; i++) {
        const lvl_graal_layer *l = &from->layers[i];
        if (lvl_graal_is_empty_layer(l)) {
            const lvl_where where = lvl_graal_at(offsetof(lvl_graal, layers), i);
            if (l->number && i + 1 == from->layer_count)
                lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_LAYER, &where,
                               "the uppermost layer, which is empty");
            continue;
        }
        convert_layer(c, l->number, l, &c->to->layers[c->to->layer_count++]);
    }
}

/* Converts the layers by number, filling gaps; only the board unless the form is GR-V1.05. Of several layers
 * with the same number, the first is used. */
static void layers_to_binary(lvl_graal_converter *c)
{
    const lvl_graal *from = c->from;
    const lvl_graal_layer *layers[MAX_LAYERS] = {0};
    uint32_t highest = 0;

    for (uint32_t i = 0; i < from->layer_count; i++) {
        const uint32_t number = from->layers[i].number;
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, layers), i);
        if (number >= MAX_LAYERS || (number && c->to->version != LVL_GR_V1_05) || layers[number]) {
            lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_LAYER, &where, "layer %lu", (unsigned long)number);
            continue;
        }
        layers[number] = &from->layers[i];
        highest = number > highest ? number : highest;
    }
    for (uint32_t number = 0; number <= highest && c->status == LVL_OK; number++)
        convert_layer(c, number, layers[number], &c->to->layers[c->to->layer_count++]);
}

static void convert_layers(lvl_graal_converter *c)
{
    const bool text = lvl_graal_is_text(c->to);

    c->to->layers =
        lvl_graal_convert_alloc(c, text ? c->from->layer_count + 1 : MAX_LAYERS, sizeof *c->to->layers);
    c->to->layer_count = 0;
    if (c->to->layers && text)
        layers_to_text(c);
    else if (c->to->layers)
        layers_to_binary(c);
}

static void convert_heights(lvl_graal_converter *c)
{
    const uint32_t n = c->from->height_count;
    const uint32_t count = n > LVL_GRAAL_HEIGHTS || !lvl_graal_is_text(c->to) ? LVL_GRAAL_HEIGHTS : n;
    const lvl_where where = lvl_graal_at(offsetof(lvl_graal, heights), LVL_NO_INDEX);

    if (!n)
        return;
    if (c->to->version < LVL_GR_V1_04) {
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_HEIGHTS, &where, "%lu heights", (unsigned long)n);
        return;
    }
    c->to->heights = lvl_graal_convert_alloc(c, count, sizeof(double));
    if (!c->to->heights)
        return;
    memcpy(c->to->heights, c->from->heights, (n < count ? n : count) * sizeof(double));
    c->to->height_count = count;
    if (n != count)
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_HEIGHTS, &where, "%lu heights become %lu",
                       (unsigned long)n, (unsigned long)count);
}

/* ---- spelling ---------------------------------------------------------------------------------------- */

/* Reports lines of a text level that are not in any member. */
static void lose_unread(void *user, lvl_text lines, bool more, const lvl_where *where)
{
    const bool tiles = where->depth && where->steps[0].field->table == &lvl_graal_layer_table;

    lvl_graal_find(((const lvl_graal_converter *)user)->losses,
                   more ? LVL_GRAAL_F_LOSS_SPELLING : LVL_GRAAL_F_LOSS_UNKNOWN_LINE, where,
                   !more   ? "lines that are not commands, %llu bytes"
                   : tiles ? "tiles or text beyond the board's edge, in a line of %llu bytes"
                           : "further text in its lines, of %llu bytes",
                   (unsigned long long)lines.len);
}

/* Reports the spelling, which is not converted. */
static lvl_status lose_spelling(lvl_graal_converter *c)
{
    const lvl_where where = lvl_where_root();
    uint64_t kept;

    if (lvl_graal_is_text(c->from))
        return lvl_grammar_unread(c->from_doc, lose_unread, c);
    const lvl_status status = lvl_graal_kept(c->from_doc, &kept);
    if (status == LVL_OK && kept)
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_SPELLING, &where,
                       "the file is damaged or not written as by the original editor; only what could "
                       "be read is converted");
    return status;
}

/* ---- verification ------------------------------------------------------------------------------------ */

/* Drops the items that the form's writer rejects. */
static lvl_status drop_unwritable(lvl_graal_converter *c)
{
    lvl_findings *found = lvl_findings_new(c->to_doc->ctx);
    lvl_status status = found ? c->to_doc->format->calls->check_writable(c->to_doc, found) : LVL_ERR_MEMORY;

    for (unsigned list = 0; list < LVL_GRAAL_LISTS && status == LVL_ERR_LOSS && c->status == LVL_OK; list++) {
        const lvl_field *f = lvl_graal_list_field(list);
        const uint32_t n = lvl_list_count(c->to, f);
        uint8_t *marked = n ? lvl_graal_convert_alloc(c, n, 1) : NULL;
        for (size_t i = 0; marked && i < lvl_findings_count(found); i++) {
            const lvl_finding *finding = lvl_findings_at(found, i);
            const lvl_step *step = &finding->where.steps[0];
            if (!finding->where.depth || step->field != f || step->index >= n)
                continue;
            const lvl_where where = lvl_where_to(lvl_where_root(), f, c->origins[list][step->index]);
            lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_UNWRITABLE, &where, "%s", finding->text);
            marked[step->index] = 1;
        }
        if (marked)
            c->status = lvl_list_drop(c->to_doc, c->to, f, marked);
    }
    lvl_findings_free(found);
    return c->status != LVL_OK ? c->status : status == LVL_ERR_LOSS ? LVL_OK : status;
}

/* Writes the new level, reads the output and compares it. */
static lvl_status verify(lvl_graal_converter *c)
{
    const lvl_where where = lvl_where_root();
    lvl_buffer bytes = {0};
    lvl_doc *again = NULL;

    lvl_status status = drop_unwritable(c);
    if (status == LVL_OK)
        status = lvl_doc_write(c->to_doc, &bytes);
    if (status == LVL_OK)
        status = lvl_read(&again, c->to_doc->ctx, c->to_doc->format, (lvl_bytes){bytes.data, bytes.len}, NULL,
                          LVL_READ_BORROW, NULL);
    if (status == LVL_OK && !lvl_record_equal(c->to, again->root, &lvl_graal_table))
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_UNWRITABLE, &where, "%s reads it as another level",
                       lvl_graal_version_name(c->to->version));
    else if (status != LVL_OK && status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT)
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_UNWRITABLE, &where, "cannot be written as %s: %s",
                       lvl_graal_version_name(c->to->version), lvl_status_text(status));
    lvl_doc_free(again);
    lvl_buffer_free(&bytes);
    return status;
}

lvl_status lvl_graal_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses)
{
    lvl_graal_converter c = {
        .from_doc = from, .from = from->root, .to_doc = to, .to = to->root, .losses = losses};

    c.to->version = (uint8_t)form->version;
    to->version = form->version;
    convert_layers(&c);
    convert_heights(&c);
    if (c.status == LVL_OK)
        c.status = lose_spelling(&c);
    lvl_graal_convert_items(&c);
    return c.status == LVL_OK ? verify(&c) : c.status;
}
