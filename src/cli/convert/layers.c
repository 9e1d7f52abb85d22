/*
 * cli/convert/layers.c: `lvl convert --to csv`: the layers of a level as tables of numbers. Of drawings, the
 * numbers are those of the pixels' swatches, in the area that a picture of the level shows.
 */
#include "cli/convert/layers.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- files -------------------------------------------------------------------------------------------- */

/* The name of a layer in the document, or what maps of Tiled call it; NULL without memory. */
static char *name_of(const cli_layers *l, uint32_t index)
{
    const void *item = lvl_list_item(lvl_doc_croot(l->job->doc), l->list, index);
    const lvl_field *outer, *f = lvl_field_with_role(l->list->table, LVL_ROLE_NAME, &outer);
    const lvl_text own = f && !outer && f->kind == LVL_TEXT ? lvl_get_text(item, f) : (lvl_text){0};
    lvl_buffer name = {0};

    if (own.len)
        lvl_text_to_utf8(&name, lvl_doc_codepage(l->job->doc), own);
    else if (!index && l->grid->first)
        lvl_buffer_str(&name, l->grid->first);
    else
        lvl_buffer_printf(&name, "%s %lu", l->list->table->name, (unsigned long)index);
    for (size_t i = 0; i < name.len; i++)
        name.data[i] = name.data[i] == '/' || name.data[i] == '\\' ? '_' : name.data[i];
    lvl_buffer_u8(&name, 0);
    char *safe = name.status == LVL_OK ? cli_safe_name((const char *)name.data) : NULL;
    lvl_buffer_free(&name);
    return safe;
}

/* Whether a file of that name is there, in any case. */
static bool is_taken(const cli_layers *l, const lvl_hash *names, uint64_t hash, const char *name)
{
    for (lvl_hash_at at = lvl_hash_first(names, hash); at.found; at = lvl_hash_next(names, at)) {
        if (lvl_text_equal_nocase(lvl_text_of(l->names[at.index]), lvl_text_of(name)))
            return true;
    }
    return lvl_text_equal_nocase(lvl_text_of(CLI_COMPOSITE), lvl_text_of(name));
}

/* Names the files of the layers; of several that differ in case only, all but the first get their number. */
static lvl_status name_layers(cli_layers *l)
{
    lvl_hash names;

    lvl_hash_init(&names);
    l->names = calloc((size_t)l->count + 1, sizeof *l->names);
    lvl_status status = l->names ? LVL_OK : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < l->count && status == LVL_OK; i++) {
        char *name = name_of(l, i);
        uint64_t hash = name ? lvl_hash_nocase(&names.seed, lvl_text_of(name)) : 0;
        while (name && is_taken(l, &names, hash, name)) { /* again, if another layer has the longer name */
            char *longer = cli_format("%s~%lu", name, (unsigned long)i);
            free(name);
            name = longer;
            hash = name ? lvl_hash_nocase(&names.seed, lvl_text_of(name)) : 0;
        }
        l->names[i] = name;
        status = name ? lvl_hash_add(&names, hash, i) : LVL_ERR_MEMORY;
    }
    lvl_hash_free(&names);
    return status;
}

/* The area that a picture of the whole level shows. */
static lvl_rect area_of(const lvl_scene *scene)
{
    const lvl_scene_layer *main =
        scene->main_layer < scene->layer_count ? &scene->layers[scene->main_layer] : NULL;
    lvl_rect all = {0, 0, -1, -1};

    if (scene->has_bounds)
        return scene->bounds;
    if (main) {
        const uint64_t width = (uint64_t)main->columns * main->cell_width,
                       height = (uint64_t)main->rows * main->cell_height;
        all.right = (int32_t)(width < INT32_MAX ? width : INT32_MAX) - 1;
        all.bottom = (int32_t)(height < INT32_MAX ? height : INT32_MAX) - 1;
    }
    return all;
}

bool cli_layers_begin(cli_layers *l, cli_job *job, const cli_convert *p, bool draws)
{
    const lvl_format *format = lvl_doc_format(job->doc);
    bool failed = false;

    *l = (cli_layers){.job = job, .list = lvl_map_layers(format), .grid = lvl_map_grid_of(format)};
    if (!l->list) {
        cli_report_not_converted(job, "cannot convert %s to %s: expected a level with layers", format->title,
                                 p->ending);
        return false;
    }
    l->of = lvl_map_cells_of(l->list->table);
    l->count = lvl_list_count(lvl_doc_croot(job->doc), l->list);
    l->folder = cli_target_path(job, &p->output, &failed);
    if (!l->folder || failed)
        return false;
    l->art = draws ? cli_art_take(job) : NULL;
    if (draws && !l->art)
        return false;
    const lvl_scene_request request = {.art = l->art, .bare = !draws};
    lvl_status status = lvl_doc_scene(job->doc, &request, &l->scene);
    if (status == LVL_OK)
        status = name_layers(l);
    cli_job_status(job, status, NULL, NULL);
    if (status != LVL_OK)
        return false;
    l->area = area_of(l->scene);
    job->count_existing = true;
    return true;
}

void cli_layers_end(cli_layers *l)
{
    cli_report_existing(l->job);
    lvl_scene_free(l->scene);
    if (l->art)
        cli_art_give(l->job, l->art);
    for (uint32_t i = 0; l->names && i < l->count; i++)
        free(l->names[i]);
    free(l->names);
    free(l->folder);
}

bool cli_layers_file(const cli_layers *l, const char *name, const char *ending,
                     lvl_status (*put)(const cli_layers *l, lvl_writer *out, const void *what),
                     const void *what)
{
    cli_job *job = l->job;
    char *path = cli_format("%s/%s.%s", l->folder, name, ending);
    const size_t existing = job->existing;
    cli_sink sink;

    if (!path) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return false;
    }
    const bool begun = cli_sink_begin_file(&sink, job, path, job->c->opt->yes);
    free(path);
    if (!begun) /* a file that is there stays, and the others are written */
        return job->existing > existing;
    const lvl_status status = put(l, &sink.writer, what);
    const bool saved = cli_sink_commit(&sink, status == LVL_OK);
    if (status == LVL_ERR_LIMIT)
        cli_job_limit(
            job, "the level is too large; `--limit cells=N' and `--limit memory_bytes=N' raise the limits");
    else if (status != LVL_OK && !job->code && !cli_stopped())
        cli_job_status(job, status, NULL, NULL);
    return saved || job->existing > existing;
}

uint32_t cli_layers_shown(const cli_layers *l, const lvl_scene_layer *layer)
{
    const lvl_where *where = layer->where;

    return where && where->depth && where->steps[0].field == l->list && where->steps[0].index < l->count
               ? where->steps[0].index
               : l->count;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

/* The numbers of a layer. */
typedef struct table {
    const cli_layers *layers;
    const void *item;
    const lvl_field *cells; /* of the layer, or of a square */
    uint32_t empty;
    lvl_buffer row; /* the text of a row */
    lvl_writer *out;
} table;

/* Appends a cell: -1 if it is empty, else the document's number. */
static void put_cell(table *t, uint32_t value, uint32_t size)
{
    if (t->row.len)
        lvl_buffer_u8(&t->row, ',');
    if (value == t->empty)
        lvl_buffer_str(&t->row, "-1");
    else
        lvl_json_int(&t->row, size == 4 ? (int64_t)(int32_t)value : (int64_t)value);
}

static lvl_status end_row(table *t)
{
    lvl_buffer_u8(&t->row, '\n');
    const lvl_status status =
        t->row.status != LVL_OK ? t->row.status : t->out->write(t->out, t->row.data, t->row.len);
    t->row.len = 0;
    return status;
}

static lvl_status put_grid(table *t)
{
    const lvl_doc *doc = t->layers->job->doc;
    lvl_buffer storage = {0};
    lvl_cells cells = {0};

    lvl_status status = lvl_doc_cells(doc, t->item, t->cells, &storage, &cells);
    for (uint32_t y = 0; cells.ptr && y < cells.height && status == LVL_OK; y++) {
        status = lvl_charge(doc->ctx, cells.width);
        for (uint32_t x = 0; x < cells.width; x++)
            put_cell(t, lvl_cell(&cells, x, y), cells.size);
        if (status == LVL_OK)
            status = end_row(t);
    }
    lvl_buffer_free(&storage);
    return status;
}

/* ---- drawings ----------------------------------------------------------------------------------------- */

/* A square and its pixels, while its rows are written. */
typedef struct square {
    int64_t x, y;
    uint32_t index;
    lvl_buffer storage;
    lvl_cells cells;
} square;

static int by_place(const void *a, const void *b)
{
    const square *p = a, *q = b;

    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

/* Decodes the pixels of squares, or frees them; of several at one place, those of the first. */
static lvl_status open_squares(const table *t, square *squares, size_t count, uint32_t side)
{
    const lvl_ctx *ctx = &t->layers->job->ctx;
    lvl_status status = LVL_OK;

    if (count > lvl_memory_share(ctx) / ((uint64_t)side * side * 4 + 1))
        return lvl_refuse(ctx, LVL_LIMIT_MEMORY, lvl_memory_share(ctx), 0);
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        square *s = &squares[i];
        const void *item = lvl_list_item(t->item, t->layers->of.squares, s->index);
        if (i && s->x == s[-1].x)
            continue;
        status = lvl_doc_cells(t->layers->job->doc, item, t->cells, &s->storage, &s->cells);
        /* what cannot be decoded was reported when the level was read */
        status = status == LVL_ERR_LOSS || status == LVL_ERR_FORMAT ? LVL_OK : status;
        if (s->cells.width != side || s->cells.height != side)
            s->cells.ptr = NULL;
    }
    return status;
}

static void close_squares(square *squares, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lvl_buffer_free(&squares[i].storage);
        squares[i].cells.ptr = NULL;
    }
}

/* Writes a row of pixels: of the squares that are open, and empty ones between them. */
static lvl_status put_pixels(table *t, const square *squares, size_t count, uint32_t side, uint32_t y,
                             int64_t left, int64_t right)
{
    int64_t at = left;

    for (size_t i = 0; i < count; i++) {
        const square *s = &squares[i];
        int64_t from = s->x * side;
        const int64_t end = from + side;
        if (!s->cells.ptr || end <= at || from > right)
            continue;
        for (; at < from; at++)
            put_cell(t, t->empty, s->cells.size);
        for (; at < end && at <= right; at++)
            put_cell(t, lvl_cell(&s->cells, (uint32_t)(at - from), y), s->cells.size);
    }
    for (; at <= right; at++)
        put_cell(t, t->empty, 2);
    return end_row(t);
}

static int64_t floor_of(int64_t value, uint32_t side)
{
    return value >= 0 ? value / side : -((-value + side - 1) / side);
}

static lvl_status put_squares(table *t)
{
    const cli_layers *l = t->layers;
    const lvl_field *list = l->of.squares,
                    *size = lvl_field_with_role(l->list->table, LVL_ROLE_CELL_WIDTH, NULL);
    const lvl_ctx *ctx = &l->job->ctx;
    const uint32_t count = lvl_list_count(t->item, list);
    const int64_t side = size ? lvl_get_int(t->item, size) : 0;
    /* the document's px */
    const int64_t left = (int64_t)l->area.left - l->scene->zero_x,
                  right = (int64_t)l->area.right - l->scene->zero_x;
    const int64_t top = (int64_t)l->area.top - l->scene->zero_y,
                  bottom = (int64_t)l->area.bottom - l->scene->zero_y;
    square *squares = calloc((size_t)count + 1, sizeof *squares);
    lvl_status status = squares ? LVL_OK : LVL_ERR_MEMORY;
    size_t first = 0, end = 0;
    int64_t open = INT64_MIN; /* the row of squares that is open: first … end */

    if (status == LVL_OK && (side < 1 || side > UINT16_MAX || right < left || bottom < top))
        goto out;
    if (status == LVL_OK && (uint64_t)(right - left + 1) > ctx->limits.cells / (uint64_t)(bottom - top + 1))
        status = lvl_refuse(ctx, LVL_LIMIT_CELLS, ctx->limits.cells, 0);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const void *item = lvl_list_item(t->item, list, i);
        squares[i] = (square){.x = lvl_get_int(item, l->of.x), .y = lvl_get_int(item, l->of.y), .index = i};
    }
    if (status == LVL_OK)
        qsort(squares, count, sizeof *squares, by_place);
    for (int64_t y = top; y <= bottom && status == LVL_OK; y++) {
        const int64_t row = floor_of(y, (uint32_t)side);
        if (row != open) {
            close_squares(squares + first, end - first);
            for (first = end; first < count && squares[first].y < row;)
                first++;
            for (end = first; end < count && squares[end].y == row;)
                end++;
            open = row;
            status = open_squares(t, squares + first, end - first, (uint32_t)side);
        }
        if (status == LVL_OK)
            status = lvl_charge(ctx, (uint64_t)(right - left + 1) + (end - first));
        if (status == LVL_OK)
            status = put_pixels(t, squares + first, end - first, (uint32_t)side, (uint32_t)(y - row * side),
                                left, right);
    }
    close_squares(squares + first, end - first);
out:
    free(squares);
    return status;
}

/* ---- one level ---------------------------------------------------------------------------------------- */

static lvl_status put_layer(const cli_layers *l, lvl_writer *out, const void *what)
{
    const uint32_t index = *(const uint32_t *)what;
    table t = {.layers = l, .item = lvl_list_item(lvl_doc_croot(l->job->doc), l->list, index), .out = out};

    t.row.max = lvl_memory_share(&l->job->ctx);
    t.cells = l->of.squares ? l->of.pixels : l->of.cells;
    t.empty = lvl_empty_cell(t.cells);
    const lvl_status status = l->of.squares ? put_squares(&t) : put_grid(&t);
    lvl_buffer_free(&t.row);
    return status;
}

void cli_write_csv(cli_job *job, const cli_convert *p)
{
    cli_layers l;

    if (cli_layers_begin(&l, job, p, false)) {
        for (uint32_t i = 0; i < l.count && !cli_stopped() && !job->full; i++)
            cli_layers_file(&l, l.names[i], "csv", put_layer, &i);
        if (l.of.squares && (l.area.left != l.scene->zero_x || l.area.top != l.scene->zero_y) &&
            !job->c->opt->quiet)
            lvl_buffer_printf(&job->err, "%s: the point 0,0 is in column %ld, row %ld of its tables\n",
                              job->input->shown, (long)l.scene->zero_x - l.area.left,
                              (long)l.scene->zero_y - l.area.top);
    }
    cli_layers_end(&l);
}
