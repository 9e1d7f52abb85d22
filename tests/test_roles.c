/*
 * Roles of fields: a format whose tables say which lists are layers and objects, and nothing more, has maps
 * in Tiled, and can be resized and copied.
 *
 * "PLOT", width and height, a cell a byte, the number of posts, and for each x, y (signed, 16 bits) and kind.
 */
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/format.h"

#include <lvl/tiled.h>
#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct post {
    int16_t x, y;
    uint8_t kind;
} post;

typedef struct ground {
    lvl_cells cells;
} ground;

typedef struct plot {
    ground *grounds;
    uint32_t ground_count;
    post *posts;
    uint32_t post_count;
} plot;

/* clang-format off */
static const lvl_name kinds[] = {{0, "lamp", NULL}, {1, "tree", NULL}, {0, NULL, NULL}};
static const lvl_field post_fields[] = {
    LVL_ROW_INT(post, x, "across", 0, .unit = "px", .prose = "From the left.", .roles = LVL_ROLE_X),
    LVL_ROW_INT(post, y, "down", 2, .unit = "px", .prose = "From the top.", .roles = LVL_ROLE_Y),
    LVL_ROW_UINT(post, kind, "kind", 4, .names = kinds, .prose = "What it is.",
        .roles = LVL_ROLE_CLASS), /* of a number: no effect */
};
static const lvl_table post_table = {
    .name = "post", .prose = "Something that stands there.", .struct_size = sizeof(post), .disk_size = 5,
    .fields = post_fields, .field_count = LVL_COUNT_OF(post_fields),
};
static const lvl_cell_name cell_names[] = {{0, '.', "grass", NULL}, {0, 0, NULL, NULL}};
static const lvl_field ground_fields[] = {
    LVL_ROW_CELLS(ground, cells, "surface", cell_names, .item_size = 1, .prose = "What one walks on."),
};
static const lvl_table ground_table = {
    .name = "ground", .prose = "A layer.", .struct_size = sizeof(ground),
    .fields = ground_fields, .field_count = LVL_COUNT_OF(ground_fields),
};
static const lvl_field plot_fields[] = {
    LVL_ROW_LIST(plot, grounds, ground_count, "grounds", &ground_table, ground, .prose = "One.",
        .roles = LVL_ROLE_LAYERS),
    LVL_ROW_LIST(plot, posts, post_count, "posts", &post_table, post, .prose = "What stands there.",
        .roles = LVL_ROLE_OBJECTS),
};
static const lvl_table plot_table = {
    .name = "plot", .prose = "A small level.", .struct_size = sizeof(plot),
    .fields = plot_fields, .field_count = LVL_COUNT_OF(plot_fields),
};
/* clang-format on */

static lvl_status read_plot(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const uint8_t *p = doc->input.ptr;
    plot *root = doc->root;

    (void)sink;
    (void)findings;
    if (doc->input.len < 7 || memcmp(p, "PLOT", 4) != 0)
        return LVL_ERR_FORMAT;
    const uint32_t width = p[4], height = p[5], count = p[6 + width * height];
    root->grounds = lvl_arena_array(&doc->arena, 1, sizeof *root->grounds);
    root->posts = lvl_arena_array(&doc->arena, count, sizeof *root->posts);
    if (!root->grounds || !root->posts)
        return LVL_ERR_MEMORY;
    root->ground_count = 1;
    root->grounds[0].cells = (lvl_cells){(uint8_t *)(uintptr_t)p + 6, width, height, 1};
    root->post_count = count;
    p += 7 + width * height;
    for (uint32_t i = 0; i < count; i++, p += 5)
        root->posts[i] = (post){(int16_t)(p[0] | p[1] << 8), (int16_t)(p[2] | p[3] << 8), p[4]};
    return LVL_OK;
}

static lvl_status write_plot(const lvl_doc *doc, lvl_buffer *out)
{
    const plot *root = doc->root;
    const lvl_cells *cells = &root->grounds[0].cells;

    lvl_buffer_str(out, "PLOT");
    lvl_buffer_u8(out, (uint8_t)cells->width);
    lvl_buffer_u8(out, (uint8_t)cells->height);
    lvl_buffer_add(out, cells->ptr, (size_t)cells->width * cells->height);
    lvl_buffer_u8(out, (uint8_t)root->post_count);
    for (uint32_t i = 0; i < root->post_count; i++) {
        const post *o = &root->posts[i];
        const uint8_t bytes[] = {(uint8_t)o->x, (uint8_t)(o->x >> 8), (uint8_t)o->y, (uint8_t)(o->y >> 8),
                                 o->kind};
        lvl_buffer_add(out, bytes, sizeof bytes);
    }
    return out->status;
}

static const lvl_format format = {
    .id = "plot",
    .family = "plot",
    .title = "Plot",
    .extensions = "plot",
    .table = &plot_table,
    .calls = &(const lvl_format_calls){.read = read_plot, .write = write_plot},
};

static const uint8_t sample[] = {'P', 'L', 'O', 'T', 3, 2, 1,  2, 0,  4, 0, 5,
                                 2,   20,  0,   8,   0, 1, 40, 0, 16, 0, 0};
static const lvl_format *const formats[] = {&format, NULL};
static lvl_ctx ctx;

static lvl_doc *open_sample(void)
{
    lvl_doc *doc;

    assert_int_equal(lvl_read(&doc, &ctx, &format, (lvl_bytes){sample, sizeof sample}, NULL, 0, NULL),
                     LVL_OK);
    return doc;
}

static void assert_bytes(lvl_doc *doc, const uint8_t *bytes, size_t len)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    assert_int_equal(out.len, len);
    assert_memory_equal(out.data, bytes, len);
    lvl_buffer_free(&out);
}

/* A map shows the layer and the posts; back from it come the same bytes, and with a moved post its place. */
static void test_map(void **state)
{
    const lvl_tiled_options options = {.json = true};
    lvl_doc *doc = open_sample(), *back;
    lvl_tiled_files *files;
    bool changed;

    (void)state;
    assert_true(lvl_tiled_can(&format));
    assert_int_equal(lvl_tiled_write(doc, &options, &files, NULL), LVL_OK);
    lvl_buffer map = {0};
    lvl_buffer_add(&map, files->items[0].bytes.ptr, files->items[0].bytes.len);
    lvl_buffer_u8(&map, 0);
    char *const text = (char *)map.data;
    assert_non_null(strstr(text, "\"name\":\"ground 0\""));
    assert_non_null(strstr(text, "\"name\":\"posts\""));
    assert_non_null(strstr(text, "\"type\":\"post\""));
    assert_int_equal(lvl_tiled_read(&back, &ctx, (lvl_bytes){map.data, map.len - 1}, NULL, &changed, NULL),
                     LVL_OK);
    assert_false(changed);
    assert_bytes(back, sample, sizeof sample);
    lvl_doc_free(back);

    char *const x = strstr(text, "\"x\":20");
    assert_non_null(x);
    memcpy(x, "\"x\":36", 6);
    assert_int_equal(lvl_tiled_read(&back, &ctx, (lvl_bytes){map.data, map.len - 1}, NULL, &changed, NULL),
                     LVL_OK);
    assert_true(changed);
    const plot *root = lvl_doc_croot(back);
    assert_int_equal(root->posts[0].x, 36);
    assert_int_equal(root->posts[0].kind, 1);
    assert_int_equal(root->posts[1].x, 40);
    lvl_doc_free(back);
    lvl_buffer_free(&map);
    lvl_tiled_files_free(files);
    lvl_doc_free(doc);
}

/* A level that grows at its left side moves its posts; a copied post has its place. */
static void test_edits(void **state)
{
    static const uint8_t wider[] = {'P', 'L', 'O', 'T', 4, 2, 0, 1,  2, 0,  0, 4, 0,
                                    5,   2,   36,  0,   8, 0, 1, 56, 0, 16, 0, 0};
    const lvl_resize_options size = {.width = 4, .height = 2, .anchor_x = 1, .anchor_y = -1};
    lvl_doc *doc = open_sample(), *other = open_sample();
    size_t changed;

    (void)state;
    assert_int_equal(lvl_resize(doc, &size, &changed, NULL), LVL_OK);
    assert_bytes(doc, wider, sizeof wider);
    assert_int_equal(lvl_copy(doc, "posts[+]", other, "posts[1]", &changed, NULL), LVL_OK);
    const plot *root = lvl_doc_croot(doc);
    assert_int_equal(root->post_count, 3);
    assert_int_equal(root->posts[2].x, 40);
    lvl_doc_free(doc);
    lvl_doc_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_edits),
    };

    lvl_ctx_init(&ctx);
    ctx.formats = formats;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
