/*
 * graal/nw_write.c: writes text levels, with the line ends of the file. Each part that was kept as it was in
 * the file (a block's line, lines before it, BOARD lines) is read first, and written if that gives the
 * content beside it; else the part is written anew. So an edit changes only the lines that it must.
 */
#include "graal/nw_internal.h"

enum { CELLS = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE };

/* The kept BOARD lines of the layer whose turn it is. */
typedef struct kept_rows {
    const char *at[CELLS]; /* the line that begins at a cell, or NULL */
    uint8_t cells[CELLS * 2];
} kept_rows;

struct writer {
    const lvl_doc *doc;
    const lvl_graal *level;
    lvl_buffer *out;
    size_t start; /* of the file in `out` */
    bool crlf;
    bool kept;                   /* with what is kept */
    uint32_t done[LVL_NW_KINDS]; /* items written */
    /* the layer whose turn it is, and where in it */
    uint32_t layer, x, y;
    const char *lines; /* its kept lines from there on, if they are all of it; or NULL */
    kept_rows *rows;
    bool has_rows;       /* its kept lines are single ones */
    const char *between; /* the kept lines between BOARD lines are put up to here */
    /* a block without its end line was put last: good if it's the last of all */
    bool open;
    size_t open_at;
    lvl_nw_kind open_kind;
    uint32_t open_index;
    lvl_nw_forms forms;
    lvl_status status;
};

static lvl_nw_text text_of(const struct writer *w, lvl_text t)
{
    const lvl_nw_text text = {t.ptr, t.len ? t.ptr + t.len : t.ptr, w->crlf};

    return text;
}

static void put(struct writer *w, lvl_text text)
{
    lvl_buffer_add(w->out, text.ptr, text.len);
}

/* Lines that have to end. */
static void put_ended(struct writer *w, lvl_text text)
{
    put(w, text);
    if (text.len && text.ptr[text.len - 1] != '\n')
        lvl_nw_put_line_end(w->out, w->crlf);
}

/* Whether lines are no command, so that they can be written as they were. */
static bool is_lead(const struct writer *w, lvl_text lines)
{
    lvl_nw_block block;

    if (!w->kept || !lines.len)
        return false;
    const lvl_nw_text text = text_of(w, lines);
    const char *at = text.ptr;
    return !lvl_nw_next_block(&text, &at, &block);
}

/* The lines before a block that are kept. */
static void put_lead(struct writer *w, lvl_text before)
{
    if (is_lead(w, before))
        put_ended(w, before);
}

/* ---- items ------------------------------------------------------------------------------------------- */

static const uint8_t *item_of(const struct writer *w, lvl_nw_kind kind, uint32_t index)
{
    return lvl_nw_items(w->level, kind) + index * lvl_nw_lists[kind].size;
}

static void put_made(struct writer *w, lvl_nw_kind kind, const void *item)
{
    if (kind == LVL_NW_HEIGHTS) {
        lvl_nw_put_head(w->out, &w->forms, kind, NULL);
        lvl_nw_put_heights(w->out, w->level->heights, w->level->height_count, w->crlf);
    } else {
        lvl_nw_put_item(w->out, &w->forms, kind, item, w->crlf);
    }
}

static bool same_heights(const struct writer *w, const lvl_nw_block *block)
{
    double values[LVL_GRAAL_HEIGHTS] = {0};
    lvl_nw_parse parse = {NULL, NULL, w->crlf, 0, false};
    uint32_t count;

    lvl_nw_read_heights(&parse, block, values, &count);
    return count == w->level->height_count && memcmp(values, w->level->heights, count * sizeof *values) == 0;
}

/* Whether the text is one block that reads as the item. */
static bool says(struct writer *w, lvl_nw_kind kind, const void *item, lvl_text line, bool *closed)
{
    const lvl_nw_list *list = &lvl_nw_lists[kind];
    const lvl_nw_text text = text_of(w, line);
    const char *at = text.ptr;
    lvl_nw_block block;
    lvl_arena arena;

    if (!lvl_nw_next_block(&text, &at, &block) || block.kind != kind || block.head != text.ptr ||
        block.end != text.end)
        return false;
    *closed = block.closed;
    if (kind == LVL_NW_HEIGHTS)
        return same_heights(w, &block);
    lvl_arena_init(&arena, w->doc->ctx);
    lvl_nw_parse parse = {&arena, &w->forms, w->crlf, 0, false};
    void *other = lvl_arena_alloc(&arena, list->size);
    bool same = false;
    if (!other) {
        w->status = LVL_ERR_MEMORY;
    } else {
        lvl_record_init(other, list->table);
        lvl_status status = lvl_nw_read_item(&parse, &block, other);
        if (status != LVL_OK)
            w->status = status;
        else
            same = lvl_record_equal(item, other, list->table);
    }
    lvl_arena_free(&arena);
    return same;
}

/* The three ways in which a kept line may hold. */
typedef enum held {
    HELD_WHOLE,
    HELD_REST, /* all but its first line */
    HELD_HEAD  /* its first line alone */
} held;

/* Makes a block of what is kept, with the rest as our writer puts it; false if there's nothing in that. */
static bool join(struct writer *w, lvl_nw_kind kind, const void *item, lvl_text line, held part,
                 lvl_buffer *out)
{
    const bool lines = lvl_nw_end_word(kind) != NULL;
    const char *nl = memchr(line.ptr, '\n', line.len);
    const lvl_text head = {line.ptr, nl ? (size_t)(nl - line.ptr) + 1 : line.len};
    const lvl_text rest = {head.ptr + head.len, line.len - head.len};

    /* one line is all there is of a link, and the head alone of a block with an end line */
    if (lines ? !nl && part != HELD_HEAD : part != HELD_WHOLE)
        return false;
    out->len = 0;
    if (part == HELD_WHOLE) {
        lvl_buffer_add(out, line.ptr, line.len);
    } else if (part == HELD_REST) {
        lvl_nw_put_head(out, &w->forms, kind, item);
        lvl_nw_put_line_end(out, w->crlf);
        lvl_buffer_add(out, rest.ptr, rest.len);
    } else {
        const bool own = nl && w->crlf && nl > line.ptr && nl[-1] == '\r';
        lvl_buffer_add(out, line.ptr, head.len - (nl != NULL) - own);
        if (kind == LVL_NW_HEIGHTS)
            lvl_nw_put_heights(out, w->level->heights, w->level->height_count, w->crlf);
        else
            lvl_nw_put_rest(out, kind, item, w->crlf);
    }
    if (out->len && out->data[out->len - 1] != '\n')
        lvl_nw_put_line_end(out, w->crlf);
    return out->status == LVL_OK;
}

/* Puts what is kept of a block as far as it says the item. */
static bool put_kept(struct writer *w, lvl_nw_kind kind, const void *item, lvl_text line)
{
    static const held parts[] = {HELD_WHOLE, HELD_REST, HELD_HEAD};
    lvl_buffer block = {0};
    bool closed = true, good = false;

    if (!w->kept || !line.len)
        return false;
    for (size_t i = 0; i < LVL_COUNT_OF(parts) && !good && w->status == LVL_OK; i++)
        good = join(w, kind, item, line, parts[i], &block) &&
               says(w, kind, item, (lvl_text){(const char *)block.data, block.len}, &closed);
    if (block.status != LVL_OK)
        w->status = block.status;
    if (good) {
        w->open = !closed;
        w->open_at = w->out->len;
        put(w, (lvl_text){(const char *)block.data, block.len});
    }
    lvl_buffer_free(&block);
    return good;
}

/* Something follows a block that has no end line: now it needs one. */
static void close_open(struct writer *w)
{
    if (!w->open || w->out->status != LVL_OK)
        return;
    w->open = false;
    w->out->len = w->open_at;
    put_made(w, w->open_kind,
             w->open_kind == LVL_NW_HEIGHTS ? NULL : item_of(w, w->open_kind, w->open_index));
}

static void put_item(struct writer *w, lvl_nw_kind kind, uint32_t index)
{
    const lvl_nw_list *list = &lvl_nw_lists[kind];
    lvl_text before = w->level->heights_before, line = w->level->heights_line;
    const uint8_t *item = NULL;

    if (kind != LVL_NW_HEIGHTS) {
        item = item_of(w, kind, index);
        memcpy(&before, item + list->before, sizeof before);
        memcpy(&line, item + list->line, sizeof line);
    }
    close_open(w);
    put_lead(w, before);
    if (put_kept(w, kind, item, line)) {
        w->open_kind = kind;
        w->open_index = index;
    } else {
        put_made(w, kind, item);
    }
}

/* ---- tiles ------------------------------------------------------------------------------------------- */

/* Looks through the kept BOARD lines of a layer: notes each by where it begins; true if all of them together
 * are the layer. */
static bool look_through(struct writer *w, const lvl_graal_layer *layer)
{
    const lvl_nw_text text = text_of(w, layer->lines);
    const char *at = text.ptr;
    lvl_nw_block block;
    lvl_nw_row row;

    memset(w->rows->at, 0, sizeof w->rows->at);
    memset(w->rows->cells, 0xFF, sizeof w->rows->cells);
    while (lvl_nw_next_block(&text, &at, &block)) {
        if (block.kind != LVL_NW_BOARD || !lvl_nw_decode_line(&block.line, layer, w->rows->cells, &row))
            return false;
        w->rows->at[row.y * LVL_GRAAL_SIDE + row.x] = block.head;
    }
    return block.lead == text.end && text.end[-1] == '\n' &&
           lvl_nw_same_cells(layer, w->rows->cells, 0, CELLS);
}

static void start_layer(struct writer *w)
{
    const lvl_graal_layer *layer = w->layer < w->level->layer_count ? &w->level->layers[w->layer] : NULL;

    w->x = w->y = 0;
    w->lines = NULL;
    w->has_rows = false;
    if (!layer || !w->kept || !layer->lines.len || !layer->tiles.ptr ||
        layer->tiles.width != LVL_GRAAL_SIDE || layer->tiles.height != LVL_GRAAL_SIDE)
        return;
    if (!w->rows)
        w->rows = lvl_mem_alloc(w->doc->ctx, sizeof *w->rows);
    if (!w->rows)
        w->status = LVL_ERR_MEMORY;
    else if (look_through(w, layer))
        w->lines = layer->lines.ptr;
    else
        w->has_rows = true;
    w->between = layer->lines.ptr;
}

/* A kept BOARD line that gives just those cells which are next, of which the first is at row->x; `row` then
 * says how far it goes. */
static bool find_line(struct writer *w, const lvl_graal_layer *layer, lvl_nw_row *row, lvl_nw_line *line)
{
    const lvl_nw_text text = text_of(w, layer->lines);
    lvl_nw_row kept;

    for (uint32_t x = row->y == w->y ? w->x : 0; x <= row->x; x++) {
        const uint32_t at = row->y * LVL_GRAAL_SIDE + x;
        if (!w->rows->at[at])
            continue;
        *line = lvl_nw_line_at(&text, w->rows->at[at]);
        memset(w->rows->cells + (size_t)at * 2, 0xFF, (size_t)(LVL_GRAAL_SIDE - x) * 2);
        if (!lvl_nw_decode_line(line, layer, w->rows->cells, &kept))
            continue;
        const uint32_t width = lvl_nw_row_span(&kept);
        if (x + width <= row->x || !lvl_nw_same_cells(layer, w->rows->cells, at, width))
            continue;
        row->x = x;
        row->width = width;
        return true;
    }
    return false;
}

/* Puts the kept lines between the BOARD lines that come up to row y. */
static void put_between(struct writer *w, const lvl_graal_layer *layer, uint32_t y)
{
    const lvl_nw_text text = text_of(w, layer->lines);
    const char *at = w->between;
    lvl_nw_block block;
    lvl_nw_row row;

    while (w->has_rows && lvl_nw_next_block(&text, &at, &block) && lvl_nw_read_row(&block.line, &row) &&
           row.y <= y) {
        put(w, (lvl_text){block.lead, (size_t)(block.head - block.lead)});
        w->between = at;
    }
}

static void put_row(struct writer *w, const lvl_graal_layer *layer, lvl_nw_row *row)
{
    lvl_nw_line line;

    if (w->has_rows && find_line(w, layer, row, &line)) {
        put_ended(w, (lvl_text){line.ptr, (size_t)(line.next - line.ptr)});
    } else {
        lvl_nw_put_row(w->out, &layer->tiles, row);
        lvl_nw_put_line_end(w->out, w->crlf);
    }
    w->y = row->y;
    w->x = row->x + row->width;
}

/* Puts the next BOARD line; false if there's none left. */
static bool put_board_line(struct writer *w)
{
    for (; w->layer < w->level->layer_count; w->layer++, start_layer(w)) {
        const lvl_graal_layer *layer = &w->level->layers[w->layer];
        const lvl_nw_text text = text_of(w, layer->lines);
        const char *at = w->lines;
        lvl_nw_block block;
        lvl_nw_row row;
        if (w->lines && at < text.end && lvl_nw_next_block(&text, &at, &block)) {
            close_open(w);
            if (w->lines == text.ptr)
                put_lead(w, layer->before);
            put(w, (lvl_text){w->lines, (size_t)(at - w->lines)});
            w->lines = at;
            return true;
        }
        if (w->lines || !lvl_nw_next_row(layer, w->x, w->y, &row)) {
            put_between(w, layer, LVL_GRAAL_SIDE);
            continue;
        }
        close_open(w);
        if (!w->x && !w->y)
            put_lead(w, layer->before);
        put_between(w, layer, row.y);
        put_row(w, layer, &row);
        return true;
    }
    return false;
}

/* ---- order ------------------------------------------------------------------------------------------- */

/* Puts up to `most` of a kind that are left. */
static void put_some(struct writer *w, lvl_nw_kind kind, uint64_t most)
{
    uint32_t count = kind == LVL_NW_HEIGHTS ? w->level->height_count != 0 : lvl_nw_count(w->level, kind);

    for (; most && w->out->status == LVL_OK && w->status == LVL_OK; most--) {
        if (kind == LVL_NW_BOARD) {
            if (!put_board_line(w))
                return;
        } else {
            if (w->done[kind] >= count)
                return;
            put_item(w, kind, w->done[kind]++);
        }
    }
}

/* All blocks. What the file's order doesn't know of goes behind the last of its kind, or to the end. */
static void put_blocks(struct writer *w)
{
    const lvl_text order = w->kept ? w->level->order : (lvl_text){NULL, 0};
    const char *last[LVL_NW_KINDS] = {NULL};
    lvl_nw_kind kind;
    uint64_t count;

    if (order.len) {
        const char *end = order.ptr + order.len;
        for (const char *at = order.ptr; lvl_nw_next_run(&at, end, &kind, &count);)
            last[kind] = at;
        for (const char *at = order.ptr; lvl_nw_next_run(&at, end, &kind, &count);)
            put_some(w, kind, last[kind] == at ? UINT64_MAX : count);
    }
    for (int k = 0; k < LVL_NW_KINDS; k++)
        put_some(w, (lvl_nw_kind)k, UINT64_MAX);
}

/* ---- the file ---------------------------------------------------------------------------------------- */

/* Whether the file as it was reads as the level. */
static bool file_holds(const lvl_doc *doc, lvl_status *status)
{
    const lvl_graal *level = doc->root;
    lvl_doc *other;
    bool same = false;

    if (!level->file.len)
        return false;
    *status = lvl_doc_new(&other, doc->ctx, doc->format);
    if (*status != LVL_OK)
        return false;
    other->input = level->file;
    lvl_status read = lvl_nw_read(other, NULL, NULL);
    if (read == LVL_ERR_MEMORY)
        *status = read;
    same = read == LVL_OK && lvl_record_equal(level, other->root, &lvl_graal_table);
    lvl_doc_free(other);
    return same;
}

static void put_file(struct writer *w)
{
    static const char magic[] = "GLEVNW01";
    const lvl_graal *level = w->level;
    const lvl_text head = level->head;

    if (level->mark)
        lvl_buffer_str(w->out, "\xEF\xBB\xBF");
    const char *nl = head.len ? memchr(head.ptr, '\n', head.len) : NULL;
    if (w->kept && head.len >= sizeof magic - 1 && memcmp(head.ptr, magic, sizeof magic - 1) == 0 &&
        (!nl || nl == head.ptr + head.len - 1))
        put_ended(w, head);
    else {
        lvl_buffer_str(w->out, magic);
        lvl_nw_put_line_end(w->out, w->crlf);
    }
    start_layer(w);
    put_blocks(w);
    if (is_lead(w, level->after)) {
        close_open(w);
        if (level->unended) {
            put(w, level->after);
            return; /* as it was, with a line end or without */
        }
        put_ended(w, level->after);
    }
    if (!level->unended || w->out->status != LVL_OK)
        return;
    const uint8_t *end = w->out->data + w->out->len;
    w->out->len -= 1 + (w->crlf && end[-2] == '\r');
}

lvl_status lvl_nw_write(const lvl_doc *doc, lvl_buffer *out)
{
    const lvl_graal *level = doc->root;
    const size_t start = out->len;
    lvl_status status = LVL_OK;

    if (file_holds(doc, &status)) {
        lvl_buffer_add(out, level->file.ptr, level->file.len);
        return out->status;
    }
    if (status == LVL_OK)
        status = lvl_nw_check_writable(doc, NULL);
    for (int kept = 1; kept >= 0 && status == LVL_OK; kept--) {
        struct writer w = {.doc = doc, .level = level, .out = out, .start = start};
        w.crlf = level->line_end == LVL_NW_CRLF;
        w.kept = kept;
        out->len = out->status == LVL_OK ? start : out->len;
        put_file(&w);
        lvl_mem_free(doc->ctx, w.rows);
        status = w.status != LVL_OK ? w.status : out->status;
        /* what is kept may not make other lines of it than it is made of */
        const size_t mark = level->mark ? 3 : 0;
        if (status == LVL_OK && lvl_lines_are_crlf((lvl_text){(const char *)out->data + start + mark,
                                                              out->len - start - mark}) == w.crlf)
            break;
    }
    return status;
}
