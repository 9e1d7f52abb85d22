/*
 * Art and levels as files: each is a document of the library, filled and written.
 */
#include "files.h"

#include <lvl/ani.h>
#include <lvl/pal.h>
#include <lvl/pcx.h>
#include <lvl/pid.h>
#include <lvl/rez.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what)
{
    fprintf(stderr, "samples: can't %s\n", what);
    exit(1);
}

static void *take(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p)
        fail("get memory");
    return p;
}

struct file_item *files_add(file_list *list, const char *path)
{
    if (list->count == list->room) {
        list->room = list->room ? list->room * 2 : 64;
        list->item = realloc(list->item, (size_t)list->room * sizeof(*list->item));
        if (!list->item)
            fail("get memory");
    }
    struct file_item *item = &list->item[list->count++];
    snprintf(item->path, sizeof(item->path), "%s", path);
    lvl_buffer_init(&item->bytes);
    return item;
}

const struct file_item *files_find(const file_list *list, const char *path)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->item[i].path, path) == 0)
            return &list->item[i];
    fprintf(stderr, "samples: no file %s\n", path);
    exit(1);
}

void files_free(file_list *list)
{
    for (int i = 0; i < list->count; i++)
        lvl_buffer_free(&list->item[i].bytes);
    free(list->item);
    memset(list, 0, sizeof(*list));
}

/* ---- documents ------------------------------------------------------------------------------------------------------------------ */

static const lvl_ctx *context(void)
{
    static lvl_ctx ctx;
    lvl_ctx_init(&ctx);
    return &ctx;
}

static lvl_doc *new_doc(const char *format)
{
    lvl_doc *doc = NULL;
    const lvl_format *f = lvl_format_find(format);
    if (!f || lvl_doc_new(&doc, context(), f) != LVL_OK)
        fail(format);
    return doc;
}

static void finish(lvl_doc *doc, lvl_buffer *out)
{
    const lvl_status status = lvl_doc_write(doc, out);
    if (status != LVL_OK || out->status != LVL_OK) {
        fprintf(stderr, "samples: writing %s: %s\n", lvl_format_id(lvl_doc_format(doc)),
                lvl_status_text(status));
        exit(1);
    }
    lvl_doc_free(doc);
}

void write_pid(lvl_buffer *out, const canvas *picture, int offset_x, int offset_y, bool skip_runs)
{
    lvl_doc *doc = new_doc("pid");
    lvl_pid *pid = lvl_doc_root(doc);
    const size_t count = (size_t)picture->w * (size_t)picture->h;
    static const uint8_t marker = 0x0C;
    uint8_t *cells = lvl_doc_alloc(doc, count * 2);
    if (!cells)
        fail("get memory");
    pid->id = 10;
    pid->offset_x = offset_x;
    pid->offset_y = offset_y;
    if (skip_runs) {
        pid->flags = LVL_PID_SKIP_RUNS | LVL_PID_SYSTEM_MEMORY;
        for (size_t i = 0; i < count; i++) {
            cells[2 * i] = picture->px[i];
            cells[2 * i + 1] = picture->px[i] ? 0 : 1; /* LVL_PID_SKIPPED */
        }
    } else {
        pid->flags = canvas_full(picture) ? LVL_PID_VIDEO_MEMORY : LVL_PID_VIDEO_MEMORY | LVL_PID_TRANSPARENT;
        memcpy(cells, picture->px, count);
        pid->rest = (lvl_bytes){&marker, 1}; /* as the game's own tool left it */
    }
    pid->pixels = (lvl_cells){cells, (uint32_t)picture->w, (uint32_t)picture->h, skip_runs ? 2 : 1};
    finish(doc, out);
}

void write_pcx(lvl_buffer *out, const canvas *picture)
{
    lvl_doc *doc = new_doc("pcx");
    lvl_pcx *pcx = lvl_doc_root(doc);
    uint8_t rgb[256][3];
    const size_t count = (size_t)picture->w * (size_t)picture->h;
    uint8_t *cells = lvl_doc_alloc(doc, count * 4);
    if (!cells)
        fail("get memory");
    gen_palette(rgb);
    for (size_t i = 0; i < count; i++)
        for (int ch = 0; ch < 3; ch++)
            cells[i * 4 + 2 - (size_t)ch] = rgb[picture->px[i]][ch];
    pcx->manufacturer = 10;
    pcx->version = 5;
    pcx->encoding = 1;
    pcx->bits = 8;
    pcx->planes = 3;
    pcx->palette_kind = 1;
    pcx->dpi_x = pcx->dpi_y = 72;
    pcx->line_bytes = (uint16_t)picture->w;
    pcx->pixels = (lvl_cells){cells, (uint32_t)picture->w, (uint32_t)picture->h, 4};
    finish(doc, out);
}

void write_pal(lvl_buffer *out)
{
    lvl_doc *doc = new_doc("pal");
    lvl_pal *pal = lvl_doc_root(doc);
    uint8_t rgb[256][3];
    lvl_color colors[256];
    gen_palette(rgb);
    for (int i = 0; i < 256; i++)
        colors[i] = (lvl_color){rgb[i][0], rgb[i][1], rgb[i][2]};
    pal->colors = colors;
    pal->color_count = 256;
    finish(doc, out);
}

void write_ani(lvl_buffer *out, const sprite *s, const char *name)
{
    lvl_doc *doc = new_doc("ani");
    lvl_ani *ani = lvl_doc_root(doc);
    lvl_ani_step steps[16] = {{0}};
    for (int i = 0; i < s->frames; i++) {
        steps[i].step_mode = LVL_ANI_FRAME;
        steps[i].param = (int16_t)(i + 1);
        steps[i].duration = (int16_t)s->duration;
        if (i == 1 && strcmp(name, "LEVEL_GULL") == 0) { /* a cry in mid-stroke */
            steps[i].flags = LVL_ANI_STEP_CUE;
            steps[i].cue = lvl_text_of("LEVEL_GULL_CRY");
        }
    }
    ani->header_size = 32;
    ani->name = lvl_text_of(name);
    ani->steps = steps;
    ani->step_count = (uint32_t)s->frames;
    finish(doc, out);
}

/* ---- the archive ------------------------------------------------------------------------------------------------------------------ */

static int by_path(const void *a, const void *b)
{
    return strcmp((*(struct file_item *const *)a)->path, (*(struct file_item *const *)b)->path);
}

/* Fills a directory from sorted files whose paths share their first `skip` bytes. */
static uint32_t fill_dir(lvl_doc *doc, lvl_rez_entry **out, struct file_item *const *items, int count,
                         size_t skip, uint32_t *id)
{
    lvl_rez_entry *entries = lvl_doc_alloc(doc, (size_t)count * sizeof(*entries));
    uint32_t used = 0;
    if (!entries)
        fail("get memory");
    for (int i = 0; i < count;) {
        const char *rest = items[i]->path + skip, *slash = strchr(rest, '/');
        lvl_rez_entry *e = &entries[used++];
        if (slash) {
            const size_t len = (size_t)(slash - rest);
            int end = i;
            while (end < count && strncmp(items[end]->path + skip, rest, len + 1) == 0)
                end++;
            e->kind = LVL_REZ_DIR;
            e->name = (lvl_text){rest, len};
            e->entry_count = fill_dir(doc, &e->entries, items + i, end - i, skip + len + 1, id);
            i = end;
        } else {
            const char *dot = strrchr(rest, '.');
            e->kind = LVL_REZ_FILE;
            e->id = (*id)++;
            e->name = (lvl_text){rest, (size_t)(dot - rest)};
            e->type = lvl_text_of(dot + 1);
            e->data = (lvl_bytes){items[i]->bytes.data, items[i]->bytes.len};
            i++;
        }
    }
    *out = entries;
    return used;
}

void write_rez(lvl_buffer *out, const file_list *files)
{
    lvl_doc *doc = new_doc("rez");
    lvl_rez *rez = lvl_doc_root(doc);
    struct file_item **sorted = take((size_t)files->count, sizeof(*sorted));
    uint32_t id = 0;
    for (int i = 0; i < files->count; i++)
        sorted[i] = &files->item[i];
    qsort(sorted, (size_t)files->count, sizeof(*sorted), by_path);
    snprintf(rez->title, sizeof(rez->title), "The lvl samples: Grey Cliffs");
    memset(rez->title + strlen(rez->title), ' ', 60 - strlen(rez->title));
    rez->is_sorted = 1;
    rez->entry_count = fill_dir(doc, &rez->entries, sorted, files->count, 0, &id);
    finish(doc, out);
    free(sorted);
}

/* ---- pictures of a world ------------------------------------------------------------------------------------------------------------ */

/* In the grammar that needs fewer bytes. */
static void write_smaller(lvl_buffer *out, const canvas *picture)
{
    lvl_buffer skipping;
    lvl_buffer_init(&skipping);
    write_pid(out, picture, 0, 0, false);
    write_pid(&skipping, picture, 0, 0, true);
    if (!canvas_full(picture) && skipping.len < out->len) {
        out->len = 0;
        lvl_buffer_add(out, skipping.data, skipping.len);
    }
    lvl_buffer_free(&skipping);
}

void add_tiles(file_list *list, const world *w, const char *folder)
{
    char path[128];
    for (int s = 0; s < w->set_count; s++) {
        const tile_set *set = &w->set[s];
        for (int i = 0; i < set->count; i++) {
            /* The last tile of the first set is in true colour, as level 12 of the game has some. */
            const bool pcx = s == 0 && i == set->count - 1;
            snprintf(path, sizeof(path), "%s/%s/%03d.%s", folder, set->name, i + 1, pcx ? "PCX" : "PID");
            struct file_item *item = files_add(list, path);
            if (pcx)
                write_pcx(&item->bytes, set->picture[i]);
            else
                write_smaller(&item->bytes, set->picture[i]);
        }
    }
}

void add_sprites(file_list *list, const char *root)
{
    char path[128];
    for (int i = 0; i < gen_sprite_count; i++) {
        const sprite *s = &gen_sprites[i];
        if (strncmp(s->folder, root, strlen(root)) != 0 || s->folder[strlen(root)] != '/')
            continue;
        for (int f = 0; f < s->frames; f++) {
            canvas *c = s->draw(s->first + f);
            snprintf(path, sizeof(path), "%s/%03d.PID", s->folder, f + 1);
            struct file_item *item = files_add(list, path);
            /* Treasure is spelled in the other grammar: runs of any colour, of which the first is not drawn. */
            write_pid(&item->bytes, c, s->offset_x, s->offset_y, strstr(s->folder, "TREASURE") == NULL);
            canvas_free(c);
        }
        if (s->duration) {
            const char *name = strrchr(s->folder, '/') + 1;
            const int bank = (int)(strchr(root, '/') - root);
            snprintf(path, sizeof(path), "%.*s/ANIS/%s.ANI", bank, root, name);
            write_ani(&files_add(list, path)->bytes, s, s->set);
        }
    }
}

/* ---- levels ------------------------------------------------------------------------------------------------------------------------- */

static void slot(char *to, size_t size, const char *from)
{
    if (from)
        snprintf(to, size, "%s", from);
}

static void fill_plane(lvl_doc *doc, lvl_wwd_plane *plane, const world *w, int index)
{
    const world_plane *from = &w->plane[index];
    const int size = w->set[from->set].size;
    const size_t count = (size_t)from->wide * (size_t)from->high;
    uint8_t *cells = lvl_doc_alloc(doc, count * 4);
    lvl_text *sets = lvl_doc_alloc(doc, sizeof(*sets));
    if (!cells || !sets)
        fail("get memory");
    for (size_t i = 0; i < count * 4; i++)
        cells[i] = (uint8_t)(from->cells[i / 4] >> (i % 4 * 8));
    sets[0] = lvl_text_of(w->set[from->set].name);
    plane->header_size = LVL_WWD_PLANE_SIZE;
    plane->flags = from->flags;
    slot(plane->name, sizeof(plane->name), from->name);
    plane->tile_width = plane->tile_height = size;
    plane->movement_x = from->movement_x;
    plane->movement_y = from->movement_y;
    plane->fill_color = from->fill;
    plane->z = from->z;
    plane->tiles = (lvl_cells){cells, (uint32_t)from->wide, (uint32_t)from->high, 4};
    plane->image_sets = sets;
    plane->image_set_count = 1;
}

static void fill_trailer(lvl_doc *doc, lvl_wwd *wwd)
{
    lvl_wwd_block *block = lvl_doc_alloc(doc, 5 * sizeof(*block));
    lvl_wwd_guide *guides = lvl_doc_alloc(doc, 2 * sizeof(*guides));
    lvl_wwd_favourite *favourite = lvl_doc_alloc(doc, sizeof(*favourite));
    if (!block || !guides || !favourite)
        fail("get memory");
    block[0].type = 0;
    block[1].type = 2;
    block[1].build = 30;
    block[1].version = lvl_text_of("MAINDEV");
    block[1].map_build = 7;
    block[1].map_version = lvl_text_of("1.0");
    block[1].description = lvl_text_of("The lighthouse, with guides.");
    guides[0] = (lvl_wwd_guide){0, 9 * TILE};
    guides[1] = (lvl_wwd_guide){1, 38 * TILE};
    block[2].type = 3;
    block[2].guides = guides;
    block[2].guide_count = 2;
    *favourite = (lvl_wwd_favourite){lvl_text_of("Lighthouse"), 40 * TILE, 8 * TILE};
    block[3].type = 4;
    block[3].favourites = favourite;
    block[3].favourite_count = 1;
    block[4].type = 1;
    wwd->wapmap = block;
    wwd->wapmap_count = 5;
}

void write_level(lvl_buffer *out, const world *w, const level_style *style)
{
    lvl_doc *doc = new_doc("wwd");
    lvl_wwd *wwd = lvl_doc_root(doc);
    const tile_set *set = &w->set[w->plane[w->main].set];
    wwd->header_size = LVL_WWD_HEADER_SIZE;
    wwd->flags = LVL_WWD_USE_Z | (style->stored ? 0u : (uint32_t)LVL_WWD_COMPRESS);
    wwd->compression = style->compression;
    wwd->checksum_rule = style->checksum_rule;
    slot(wwd->name, sizeof(wwd->name), w->name);
    slot(wwd->author, sizeof(wwd->author), w->author);
    slot(wwd->birth, sizeof(wwd->birth), w->birth);
    slot(wwd->rez_file, sizeof(wwd->rez_file), "SAMPLES.REZ");
    slot(wwd->image_dir, sizeof(wwd->image_dir), w->image_dir);
    slot(wwd->pal_rez, sizeof(wwd->pal_rez), w->pal_rez);
    slot(wwd->image_set1, sizeof(wwd->image_set1), w->image_set[0]);
    slot(wwd->image_set2, sizeof(wwd->image_set2), w->image_set[1]);
    slot(wwd->prefix1, sizeof(wwd->prefix1), w->prefix[0]);
    slot(wwd->prefix2, sizeof(wwd->prefix2), w->prefix[1]);
    wwd->start_x = w->start_x;
    wwd->start_y = w->start_y;

    lvl_wwd_plane *planes = lvl_doc_alloc(doc, (size_t)w->plane_count * sizeof(*planes));
    lvl_wwd_object *objects = lvl_doc_alloc(doc, (size_t)(w->object_count + 1) * sizeof(*objects));
    lvl_wwd_tile_property *props = lvl_doc_alloc(doc, (size_t)(set->count + 1) * sizeof(*props));
    if (!planes || !objects || !props)
        fail("get memory");
    for (int i = 0; i < w->plane_count; i++)
        fill_plane(doc, &planes[i], w, i);
    memcpy(objects, w->object, (size_t)w->object_count * sizeof(*objects));
    planes[w->main].objects = objects;
    planes[w->main].object_count = (uint32_t)w->object_count;
    wwd->planes = planes;
    wwd->plane_count = (uint32_t)w->plane_count;
    props[0] = prop_single(set->size, 0); /* tile numbers count from 1 */
    memcpy(props + 1, set->property, (size_t)set->count * sizeof(*props));
    wwd->tile_header.header_size = LVL_WWD_TILE_HEADER_SIZE;
    wwd->tile_properties = props;
    wwd->tile_property_count = (uint32_t)set->count + 1;
    if (style->trailer)
        fill_trailer(doc, wwd);
    finish(doc, out);
}
