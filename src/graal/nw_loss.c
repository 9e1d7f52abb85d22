/*
 * graal/nw_loss.c: what of a level the text form can't say. Whether an item can be said is found by trying:
 * the block that our writer makes of it is read, and has to give the item again.
 */
#include "graal/nw_internal.h"

#include "graal/graal_findings.h"

#include <stdarg.h>

enum { CELLS = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE };

struct judge {
    const lvl_doc *doc;
    const lvl_graal *level;
    lvl_findings *findings;
    lvl_arena arena;
    lvl_buffer block;
    bool crlf;
    bool any;                 /* something can't be said */
    bool seen[LVL_NW_LAYERS]; /* numbers of layers so far */
    lvl_nw_forms forms;
    lvl_status status;
};

static void refuse(struct judge *j, const lvl_where *where, const char *fmt, ...) LVL_PRINTF(3, 4);

static void refuse(struct judge *j, const lvl_where *where, const char *fmt, ...)
{
    va_list args;

    j->any = true;
    va_start(args, fmt);
    lvl_findings_addv(j->findings, &lvl_graal_findings[LVL_GRAAL_F_NW_UNSAYABLE], where, NULL, fmt, args);
    va_end(args);
}

static lvl_where where_of(const lvl_field *list, uint32_t index, const lvl_field *member)
{
    lvl_where w = lvl_where_to(lvl_where_root(), list, index);

    return member ? lvl_where_to(w, member, LVL_NO_INDEX) : w;
}

/* The line of a text that is an end line, or NULL. */
static bool has_line(lvl_text text, const char *word)
{
    const lvl_nw_text lines = {text.ptr, text.len ? text.ptr + text.len : text.ptr, false};

    for (const char *at = lines.ptr; at < lines.end;) {
        const lvl_nw_line line = lvl_nw_line_at(&lines, at);
        if (lvl_nw_is_end(&line, word))
            return true;
        at = line.next;
    }
    return false;
}

static void explain(struct judge *j, lvl_nw_kind kind, const void *item, const lvl_field *f,
                    const lvl_where *where)
{
    const char *word = lvl_nw_end_word(kind);

    if (f->kind != LVL_TEXT) {
        refuse(j, where, "a number that cannot be written");
        return;
    }
    const lvl_text text = lvl_get_text(item, f);
    if (word && has_line(text, word))
        refuse(j, where, "a line of it is %s, which would end it", word);
    else if (!text.len)
        refuse(j, where, "it is empty, and a %s needs it", lvl_nw_kind_name(kind));
    else if (memchr(text.ptr, '\n', text.len))
        refuse(j, where, "it has several lines, and there is room for one");
    else
        refuse(j, where, "it would be read as several words of its line");
}

/* The first member of a kind that has to be a word, and is none. */
static const lvl_field *lacking(lvl_nw_kind kind, const void *item)
{
    static const struct {
        lvl_nw_kind kind;
        size_t member;
    } needed[] = {
        {LVL_NW_LINK, offsetof(lvl_graal_link, level)},
        {LVL_NW_LINK, offsetof(lvl_graal_link, dest_x)},
        {LVL_NW_LINK, offsetof(lvl_graal_link, dest_y)},
        {LVL_NW_TILESET, offsetof(lvl_graal_tileset, name)},
    };

    for (size_t i = 0; i < LVL_COUNT_OF(needed); i++) {
        const lvl_field *f =
            needed[i].kind == kind ? lvl_table_at(lvl_nw_lists[kind].table, needed[i].member) : NULL;
        if (f && !lvl_get_text(item, f).len)
            return f;
    }
    return NULL;
}

static void judge_item(struct judge *j, lvl_nw_kind kind, uint32_t index)
{
    const lvl_nw_list *list = &lvl_nw_lists[kind];
    const lvl_field *list_field = lvl_table_at(&lvl_graal_table, list->items);
    const uint8_t *item = lvl_nw_items(j->level, kind) + index * list->size;
    lvl_nw_parse parse = {&j->arena, &j->forms, j->crlf, 0, false};
    bool reported = false, whole = false;
    lvl_nw_block block;

    j->block.len = 0;
    lvl_nw_put_item(&j->block, &j->forms, kind, item, j->crlf);
    void *other = lvl_arena_alloc(&j->arena, list->size);
    if (!other || j->block.status != LVL_OK) {
        j->status = other ? j->block.status : LVL_ERR_MEMORY;
        return;
    }
    lvl_record_init(other, list->table);
    const lvl_nw_text text = {(const char *)j->block.data, (const char *)j->block.data + j->block.len,
                              j->crlf};
    const char *at = text.ptr;
    if (lvl_nw_next_block(&text, &at, &block) && block.kind == kind && block.head == text.ptr) {
        j->status = lvl_nw_read_item(&parse, &block, other);
        whole = block.end == text.end;
    }
    if (j->status != LVL_OK || (whole && lvl_record_equal(item, other, list->table)))
        return;
    const lvl_field *empty = lacking(kind, item);
    for (uint32_t i = 0; i < list->table->field_count && !reported; i++) {
        const lvl_field *f = &list->table->fields[i];
        if (f->role == LVL_KEPT || (empty && f != empty))
            continue;
        bool same = f->kind == LVL_TEXT ? lvl_text_equal(lvl_get_text(item, f), lvl_get_text(other, f))
                    : f->kind == LVL_REAL
                        ? memcmp(item + f->offset, (uint8_t *)other + f->offset, f->size) == 0
                        : lvl_get_int(item, f) == lvl_get_int(other, f);
        if (same && f != empty)
            continue;
        const lvl_where where = where_of(list_field, index, f);
        explain(j, kind, item, f, &where);
        reported = true;
    }
    if (!reported) {
        const lvl_where where = where_of(list_field, index, NULL);
        refuse(j, &where, "its lines would be read as more than a %s", lvl_nw_kind_name(kind));
    }
}

/* A row whose kept line has tiles beyond the board's edge, and which would not be written as that line. */
static void judge_rows_beyond(struct judge *j, uint32_t index)
{
    const lvl_graal_layer *layer = &j->level->layers[index];
    const lvl_text lines = layer->lines;
    const lvl_nw_text text = {lines.ptr, lines.len ? lines.ptr + lines.len : lines.ptr, j->crlf};
    const lvl_where where =
        where_of(lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, layers)), index, NULL);
    bool written = true;
    lvl_nw_block block;
    lvl_nw_row row;

    if (!lvl_nw_layer_beyond(layer))
        return;
    uint8_t *cells = lvl_arena_raw(&j->arena, CELLS * 2);
    if (!cells) {
        j->status = LVL_ERR_MEMORY;
        return;
    }
    memset(cells, 0xFF, CELLS * 2);
    for (const char *at = text.ptr; written && lvl_nw_next_block(&text, &at, &block);)
        written = lvl_nw_decode_line(&block.line, layer, cells, &row);
    if (written && lvl_nw_same_cells(layer, cells, 0, CELLS))
        return; /* the lines as they are kept are the layer */
    for (const char *at = text.ptr; lvl_nw_next_block(&text, &at, &block);) {
        if (!lvl_nw_decode_line(&block.line, layer, cells, &row) || !lvl_nw_row_beyond(&row) ||
            lvl_nw_same_cells(layer, cells, row.y * LVL_GRAAL_SIDE + row.x, lvl_nw_row_width(&row)))
            continue;
        if (row.behind)
            refuse(j, &where,
                   "row %lu has %llu characters behind its tiles, which would be lost if tiles of it change",
                   (unsigned long)row.y, (unsigned long long)row.behind);
        else
            refuse(j, &where,
                   "row %lu has %llu tiles beyond the board's edge, which would be lost if other tiles of it "
                   "change",
                   (unsigned long)row.y, (unsigned long long)lvl_nw_row_beyond(&row));
    }
}

static void judge_layer(struct judge *j, uint32_t index)
{
    const lvl_graal_layer *layer = &j->level->layers[index];
    const lvl_cells *c = &layer->tiles;
    const lvl_field *list = lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, layers));
    const lvl_where where = where_of(list, index, NULL);

    if (layer->number >= LVL_NW_LAYERS)
        refuse(j, &where, "layer %lu; the highest is %d", (unsigned long)layer->number, LVL_NW_LAYERS - 1);
    else if (j->seen[layer->number])
        refuse(j, &where, "a second layer %lu", (unsigned long)layer->number);
    else
        j->seen[layer->number] = true;
    if (!c->ptr)
        return;
    if (c->width > LVL_GRAAL_SIDE || c->height > LVL_GRAAL_SIDE) {
        refuse(j, &where, "%lu by %lu tiles; a board has %d by %d", (unsigned long)c->width,
               (unsigned long)c->height, LVL_GRAAL_SIDE, LVL_GRAAL_SIDE);
        return;
    }
    if (c->width == LVL_GRAAL_SIDE && c->height == LVL_GRAAL_SIDE)
        judge_rows_beyond(j, index);
    for (uint32_t y = 0; y < c->height; y++) {
        for (uint32_t x = 0; x < c->width; x++) {
            const uint32_t tile = lvl_cell(c, x, y);
            if (tile < 4096 || tile == LVL_GRAAL_ABSENT)
                continue;
            refuse(j, &where, "tile %lu at %lu,%lu; the highest is 4095", (unsigned long)tile,
                   (unsigned long)x, (unsigned long)y);
            return;
        }
    }
}

static void judge_heights(struct judge *j)
{
    const lvl_where where =
        where_of(lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, heights)), LVL_NO_INDEX, NULL);
    const lvl_graal *level = j->level;

    if (level->height_count > LVL_GRAAL_HEIGHTS)
        refuse(j, &where, "%lu heights; there are %d at most", (unsigned long)level->height_count,
               LVL_GRAAL_HEIGHTS);
    for (uint32_t i = 0; i < level->height_count; i++) {
        if (level->heights[i] - level->heights[i] == 0)
            continue;
        refuse(j, &where, "a height that is not a number");
        return;
    }
}

lvl_status lvl_nw_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    struct judge j = {.doc = doc, .level = doc->root, .findings = findings, .status = LVL_OK};
    const lvl_graal *level = j.level;
    const lvl_field *version = lvl_table_at(&lvl_graal_table, offsetof(lvl_graal, version));
    const lvl_where where = where_of(version, LVL_NO_INDEX, NULL);

    j.crlf = level->line_end == LVL_NW_CRLF;
    lvl_arena_init(&j.arena, doc->ctx);
    if (level->version != LVL_GLEVNW01)
        refuse(&j, &where, "a text level is GLEVNW01; `convert` makes one of another form");
    for (uint32_t i = 0; i < level->layer_count && j.status == LVL_OK; i++)
        judge_layer(&j, i);
    for (int k = LVL_NW_LINK; k < LVL_NW_KINDS; k++) {
        const uint32_t count = lvl_nw_lists[k].table ? lvl_nw_count(level, (lvl_nw_kind)k) : 0;
        for (uint32_t i = 0; i < count && j.status == LVL_OK; i++)
            judge_item(&j, (lvl_nw_kind)k, i);
    }
    judge_heights(&j);
    lvl_arena_free(&j.arena);
    lvl_buffer_free(&j.block);
    return j.status != LVL_OK ? j.status : j.any ? LVL_ERR_LOSS : LVL_OK;
}
