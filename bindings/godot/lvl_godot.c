/*
 * lvl_godot.c: an extension for Godot 4 (4.2 and later) that reads levels: the class LvlLevel.
 *
 *     var level = LvlLevel.new()
 *     var error = level.open("/path/cliffs.wwd", "")   # "": it was read; the second: folders with art
 *     level.scene()                                           # JSON: layers, things (lvl_scene_json)
 *     level.tile_map_data(0)                                  # for TileMapLayer.tile_map_data
 *     level.atlas(0)                                          # the picture of its tiles, as PNG
 *     level.render("size=800\nplane=Action")   # a picture as PNG, with the words of `lvl render`
 *
 * addons/lvl has the importer that makes scenes of it. One thread for each LvlLevel at a time.
 */
#include "godot_api.h"

#include <lvl/lvl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* ---- functions of Godot ------------------------------------------------------------------------------ */

static struct {
    void *library;
    void (*string_name_new)(void *to, const char *latin1, gd_bool is_static);
    void (*string_new)(void *to, const char *utf8, int64_t len);
    int64_t (*string_to_utf8)(const void *string, char *to, int64_t max);
    void (*class_register)(void *library, const void *name, const void *parent, const gd_class *info);
    void (*class_unregister)(void *library, const void *name);
    void (*method_register)(void *library, const void *class_name, const gd_method *info);
    void *(*object_construct)(const void *class_name);
    void (*object_set_instance)(void *object, const void *class_name, void *instance);
    uint8_t *(*packed_bytes_at)(void *packed, int64_t index);
    void (*variant_destroy)(void *variant);
    void (*variant_call)(void *variant, const void *method, const void *const *arguments, int64_t count,
                         void *result, gd_call_error *error);
    void (*string_from_variant)(void *to, void *variant);
    void (*int_from_variant)(void *to, void *variant);
    void (*variant_from_string)(void *variant, void *string);
    void (*variant_from_int)(void *variant, void *number);
    void (*variant_from_packed)(void *variant, void *packed);
    void (*packed_from_variant)(void *to, void *variant);
    void (*packed_new)(void *to, const void *const *arguments);
    void (*string_destroy)(void *string);
    void (*string_name_destroy)(void *name);
    void (*packed_destroy)(void *packed);
} gd;

static gd_string_name class_name, parent_name, empty_name, resize_name;
static gd_string empty_string;

/* ISO C has no conversion between functions and data. */
static int find_function(gd_find find, const char *name, void *to)
{
    const gd_function found = find(name);

    memcpy(to, &found, sizeof found);
    return found != NULL;
}

typedef void (*convert)(void *to, void *from);
typedef convert (*find_convert)(int32_t type);
typedef void (*destroy)(void *value);
typedef destroy (*find_destroy)(int32_t type);
typedef void (*construct)(void *to, const void *const *arguments);
typedef construct (*find_construct)(int32_t type, int32_t index);

static int find_functions(gd_find find, void *library)
{
    find_convert to_variant, from_variant;
    find_destroy destructor;
    find_construct constructor;

    gd.library = library;
    if (!find_function(find, "string_name_new_with_latin1_chars", &gd.string_name_new) ||
        !find_function(find, "string_new_with_utf8_chars_and_len", &gd.string_new) ||
        !find_function(find, "string_to_utf8_chars", &gd.string_to_utf8) ||
        !find_function(find, "classdb_register_extension_class2", &gd.class_register) ||
        !find_function(find, "classdb_unregister_extension_class", &gd.class_unregister) ||
        !find_function(find, "classdb_register_extension_class_method", &gd.method_register) ||
        !find_function(find, "classdb_construct_object", &gd.object_construct) ||
        !find_function(find, "object_set_instance", &gd.object_set_instance) ||
        !find_function(find, "packed_byte_array_operator_index", &gd.packed_bytes_at) ||
        !find_function(find, "variant_destroy", &gd.variant_destroy) ||
        !find_function(find, "variant_call", &gd.variant_call) ||
        !find_function(find, "get_variant_from_type_constructor", &to_variant) ||
        !find_function(find, "get_variant_to_type_constructor", &from_variant) ||
        !find_function(find, "variant_get_ptr_destructor", &destructor) ||
        !find_function(find, "variant_get_ptr_constructor", &constructor))
        return 0;
    gd.variant_from_string = to_variant(GD_STRING);
    gd.variant_from_int = to_variant(GD_INT);
    gd.variant_from_packed = to_variant(GD_PACKED_BYTES);
    gd.string_from_variant = from_variant(GD_STRING);
    gd.int_from_variant = from_variant(GD_INT);
    gd.packed_from_variant = from_variant(GD_PACKED_BYTES);
    gd.packed_new = constructor(GD_PACKED_BYTES, 0);
    gd.string_destroy = destructor(GD_STRING);
    gd.string_name_destroy = destructor(21); /* StringName */
    gd.packed_destroy = destructor(GD_PACKED_BYTES);
    return 1;
}

/* ---- a level ----------------------------------------------------------------------------------------- */

typedef struct level {
    lvl_ctx ctx;
    lvl_abi_doc *doc; /* reads, draws and describes */
    char *path, *art;
    lvl_buffer bytes; /* the same file, for */
    lvl_doc *source; /* layers, which the flat interface has not */
    lvl_art *pictures;
    lvl_scene *scene;
} level;

static void level_close(level *l)
{
    lvl_scene_free(l->scene);
    lvl_art_free(l->pictures);
    lvl_doc_free(l->source);
    lvl_buffer_free(&l->bytes);
    lvl_abi_close(l->doc);
    free(l->path);
    free(l->art);
    l->scene = NULL;
    l->pictures = NULL;
    l->source = NULL;
    l->doc = NULL;
    l->path = l->art = NULL;
}

/* Folders of art, one a line. */
static lvl_status add_art(level *l)
{
    lvl_status status = LVL_OK;

    for (char *at = l->art; status == LVL_OK && *at;) {
        char *end = at + strcspn(at, "\n");
        const char last = *end;
        *end = 0;
        if (*at)
            status = lvl_art_add(l->pictures, at);
        *end = last;
        at = end + (last != 0);
    }
    return status;
}

/* A message, or NULL: it was opened. */
static const char *level_open(level *l, char *path, char *art, char *text, size_t size)
{
    lvl_abi_result *r;

    level_close(l);
    l->path = path;
    l->art = art;
    r = path && art ? lvl_abi_load(path, NULL) : NULL;
    if (!r || r->status != LVL_OK) {
        snprintf(text, size, "%s", r ? r->message : "out of memory");
        lvl_abi_result_free(r);
        return text;
    }
    l->doc = r->doc;
    lvl_abi_result_free(r);
    /* written again: the bytes that were read, also of a member of an archive */
    r = lvl_abi_write(l->doc, NULL);
    if (r && r->status == LVL_OK)
        lvl_buffer_add(&l->bytes, r->data, r->len);
    lvl_abi_result_free(r);
    lvl_status status = l->bytes.status;
    if (status == LVL_OK)
        status = lvl_read(&l->source, &l->ctx, lvl_format_find(lvl_abi_format(l->doc)),
                          (lvl_bytes){l->bytes.data, l->bytes.len}, NULL, LVL_READ_BORROW, NULL);
    l->pictures = status == LVL_OK ? lvl_art_new(&l->ctx) : NULL;
    if (status == LVL_OK)
        status = l->pictures ? add_art(l) : LVL_ERR_MEMORY;
    if (status == LVL_OK && lvl_art_level(l->pictures, path) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    const lvl_scene_request request = {.art = l->pictures};
    if (status == LVL_OK)
        status = lvl_doc_scene(l->source, &request, &l->scene);
    if (status == LVL_OK)
        return NULL;
    snprintf(text, size, "%s: %s", path, lvl_status_text(status));
    return text;
}

/* ---- what methods give ------------------------------------------------------------------------------- */

static void put16(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

/* TileMapLayer.tile_map_data: 2 bytes of its version, 0; then 12 for each cell: x, y, source, column and row
 * in the atlas, alternative. */
static void write_map(const lvl_atlas *atlas, lvl_buffer *out)
{
    static const uint8_t version[2] = {0, 0};

    lvl_buffer_add(out, version, sizeof version);
    for (uint32_t y = 0; y < atlas->rows && y < 32768; y++) {
        for (uint32_t x = 0; x < atlas->columns && x < 32768; x++) {
            const uint32_t tile = atlas->cells[(size_t)y * atlas->columns + x];
            uint8_t cell[12] = {0};
            if (!tile)
                continue;
            put16(cell, x);
            put16(cell + 2, y);
            put16(cell + 6, (tile - 1) % atlas->across);
            put16(cell + 8, (tile - 1) / atlas->across);
            lvl_buffer_add(out, cell, sizeof cell);
        }
    }
}

static void write_atlas(const lvl_atlas *atlas, lvl_buffer *out)
{
    if (atlas->tile_count && lvl_png_write_buffer(atlas->ctx, &atlas->image, NULL, out) != LVL_OK)
        out->len = 0;
}

static void write_of_layer(level *l, int64_t index, lvl_buffer *out,
                           void (*write)(const lvl_atlas *, lvl_buffer *))
{
    lvl_atlas atlas;

    if (!l->scene || index < 0 || index >= l->scene->layer_count ||
        lvl_render_atlas(l->scene, (uint32_t)index, false, &atlas) != LVL_OK)
        return;
    write(&atlas, out);
    lvl_atlas_clear(&atlas);
}

/* Options of a picture, one a line, and the folders of art. */
static void write_picture(level *l, const char *lines, lvl_buffer *out)
{
    lvl_buffer options = {0};

    for (const char *at = lines; *at;) {
        const size_t len = strcspn(at, "\n");
        if (len) {
            lvl_buffer_add(&options, at, len);
            lvl_buffer_add(&options, "", 1);
        }
        at += len + (at[len] != 0);
    }
    for (const char *at = l->art; *at;) {
        const size_t len = strcspn(at, "\n");
        if (len) {
            lvl_buffer_add(&options, "art=", 4);
            lvl_buffer_add(&options, at, len);
            lvl_buffer_add(&options, "", 1);
        }
        at += len + (at[len] != 0);
    }
    lvl_buffer_add(&options, "", 1);
    lvl_abi_result *r = options.status == LVL_OK ? lvl_abi_render(l->doc, (const char *)options.data) : NULL;
    if (r && r->status == LVL_OK)
        lvl_buffer_add(out, r->data, r->len);
    lvl_abi_result_free(r);
    lvl_buffer_free(&options);
}

/* ---- methods ----------------------------------------------------------------------------------------- */

typedef struct method {
    const char *name;
    int32_t returns; /* GD_STRING or GD_PACKED_BYTES */
    uint32_t count;
    int32_t types[2];
    const char *names[2];
    gd_string_name name_of, argument_names[2];
} method;

enum { METHOD_OPEN, METHOD_SCENE, METHOD_TILE_MAP_DATA, METHOD_ATLAS, METHOD_RENDER, METHOD_INFO };

static method methods[] = {
    [METHOD_OPEN] = {"open", GD_STRING, 2, {GD_STRING, GD_STRING}, {"path", "art"}},
    [METHOD_SCENE] = {"scene", GD_STRING, 0, {0}, {NULL}},
    [METHOD_TILE_MAP_DATA] = {"tile_map_data", GD_PACKED_BYTES, 1, {GD_INT}, {"layer"}},
    [METHOD_ATLAS] = {"atlas", GD_PACKED_BYTES, 1, {GD_INT}, {"layer"}},
    [METHOD_RENDER] = {"render", GD_PACKED_BYTES, 1, {GD_STRING}, {"options"}},
    [METHOD_INFO] = {"info", GD_STRING, 0, {0}, {NULL}},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* A copy of a String; NULL without memory. */
static char *text_of(const gd_string *string)
{
    const int64_t len = gd.string_to_utf8(string, NULL, 0);
    char *text = malloc((size_t)len + 1);

    if (text) {
        gd.string_to_utf8(string, text, len);
        text[len] = 0;
    }
    return text;
}

static void add_result(lvl_abi_result *r, lvl_buffer *out)
{
    if (r && r->status == LVL_OK)
        lvl_buffer_add(out, r->data, r->len);
    lvl_abi_result_free(r);
}

/* Runs a method; texts are taken over. */
static void run(size_t which, level *l, char *texts[2], int64_t number, lvl_buffer *out)
{
    char text[512];
    const char *message;

    if (which == METHOD_OPEN) {
        message = level_open(l, texts[0], texts[1], text, sizeof text);
        texts[0] = texts[1] = NULL;
        if (message)
            lvl_buffer_add(out, message, strlen(message));
        return;
    }
    if (!l->scene)
        return;
    switch (which) {
    case METHOD_SCENE: lvl_scene_json(l->source, l->scene, out); break;
    case METHOD_TILE_MAP_DATA: write_of_layer(l, number, out, write_map); break;
    case METHOD_ATLAS: write_of_layer(l, number, out, write_atlas); break;
    case METHOD_RENDER:
        if (texts[0])
            write_picture(l, texts[0], out);
        break;
    case METHOD_INFO: add_result(lvl_abi_info(l->doc, "json=1\0"), out); break;
    }
}

/* Makes a PackedByteArray of bytes: `to` is memory without a value. */
static void make_packed(const lvl_buffer *bytes, gd_packed *to)
{
    gd_variant array, size, result;
    gd_call_error error = {0};
    int64_t len = (int64_t)bytes->len;

    gd.packed_new(to, NULL);
    if (!len)
        return;
    /* resized as a Variant, which needs no hash of the method */
    gd.variant_from_packed(&array, to);
    gd.variant_from_int(&size, &len);
    const void *const arguments[] = {&size};
    gd.variant_call(&array, &resize_name, arguments, 1, &result, &error);
    gd.packed_destroy(to);
    gd.packed_from_variant(to, &array);
    gd.variant_destroy(&array);
    gd.variant_destroy(&size);
    gd.variant_destroy(&result);
    if (!error.error) {
        memcpy(gd.packed_bytes_at(to, 0), bytes->data, bytes->len);
    }
}

/* Arguments as they are, and a place for the result. */
static void call_direct(void *user, void *instance, const void *const *arguments, void *result)
{
    const method *m = user;
    char *texts[2] = {NULL, NULL};
    lvl_buffer out = {0};
    int64_t number = 0;

    for (uint32_t i = 0; i < m->count; i++) {
        if (m->types[i] == GD_STRING)
            texts[i] = text_of(arguments[i]);
        else
            number = *(const int64_t *)arguments[i];
    }
    run((size_t)(m - methods), instance, texts, number, &out);
    if (out.status != LVL_OK)
        out.len = 0;
    if (m->returns == GD_STRING) {
        gd.string_destroy(result);
        gd.string_new(result, out.data ? (const char *)out.data : "", (int64_t)out.len);
    } else {
        gd.packed_destroy(result);
        make_packed(&out, result);
    }
    lvl_buffer_free(&out);
    free(texts[0]);
    free(texts[1]);
}

/* Arguments as Variants, of any type. */
static void call_variants(void *user, void *instance, const void *const *arguments, int64_t count,
                          void *result, gd_call_error *error)
{
    const method *m = user;
    union {
        gd_string string;
        int64_t number;
    } values[2];
    const void *direct[2] = {&values[0], &values[1]};
    union {
        gd_string string;
        gd_packed packed;
    } made;

    if (count != (int64_t)m->count) {
        error->error = count > (int64_t)m->count ? 3 : 4;
        error->expected = (int32_t)m->count;
        return;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        void *argument = (void *)(uintptr_t)arguments[i]; /* only read */
        if (m->types[i] == GD_STRING)
            gd.string_from_variant(&values[i].string, argument);
        else
            gd.int_from_variant(&values[i].number, argument);
    }
    if (m->returns == GD_STRING)
        gd.string_new(&made.string, "", 0);
    else
        gd.packed_new(&made.packed, NULL);
    call_direct(user, instance, direct, &made);
    if (m->returns == GD_STRING) {
        gd.variant_from_string(result, &made.string);
        gd.string_destroy(&made.string);
    } else {
        gd.variant_from_packed(result, &made.packed);
        gd.packed_destroy(&made.packed);
    }
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->types[i] == GD_STRING)
            gd.string_destroy(&values[i].string);
    }
    error->error = 0;
}

/* ---- the class --------------------------------------------------------------------------------------- */

static void *create_level(void *user)
{
    void *object = gd.object_construct(&parent_name);
    level *l = calloc(1, sizeof *l);

    (void)user;
    if (!l)
        abort(); /* Godot does the same without memory */
    lvl_ctx_init(&l->ctx);
    gd.object_set_instance(object, &class_name, l);
    return object;
}

static void free_level(void *user, void *instance)
{
    (void)user;
    level_close(instance);
    free(instance);
}

static void initialize(void *user, int32_t at)
{
    enum { SCENE = 2, STORED_AND_SHOWN = 6 };
    const gd_class info = {.is_exposed = 1, .create_instance = create_level, .free_instance = free_level};

    (void)user;
    if (at != SCENE)
        return;
    gd.string_name_new(&class_name, "LvlLevel", 0);
    gd.string_name_new(&parent_name, "RefCounted", 0);
    gd.string_name_new(&empty_name, "", 0);
    gd.string_name_new(&resize_name, "resize", 0);
    gd.string_new(&empty_string, "", 0);
    gd.class_register(gd.library, &class_name, &parent_name, &info);
    for (size_t i = 0; i < METHODS; i++) {
        method *m = &methods[i];
        int32_t metadata[2] = {0, 0};
        gd_property arguments[2],
            returned = {m->returns, &empty_name, &empty_name, 0, &empty_string, STORED_AND_SHOWN};
        gd.string_name_new(&m->name_of, m->name, 0);
        for (uint32_t k = 0; k < m->count; k++) {
            gd.string_name_new(&m->argument_names[k], m->names[k], 0);
            arguments[k] = (gd_property){m->types[k], &m->argument_names[k], &empty_name,
                                         0,           &empty_string,         STORED_AND_SHOWN};
        }
        const gd_method registered = {.name = &m->name_of,
                                      .user = m,
                                      .call = call_variants,
                                      .ptrcall = call_direct,
                                      .flags = GD_METHOD_DEFAULT,
                                      .has_return = 1,
                                      .returned = &returned,
                                      .argument_count = m->count,
                                      .arguments = arguments,
                                      .arguments_metadata = metadata};
        gd.method_register(gd.library, &class_name, &registered);
    }
}

static void deinitialize(void *user, int32_t at)
{
    enum { SCENE = 2 };

    (void)user;
    if (at != SCENE)
        return;
    gd.class_unregister(gd.library, &class_name);
    for (size_t i = 0; i < METHODS; i++) {
        gd.string_name_destroy(&methods[i].name_of);
        for (uint32_t k = 0; k < methods[i].count; k++)
            gd.string_name_destroy(&methods[i].argument_names[k]);
    }
    gd.string_name_destroy(&class_name);
    gd.string_name_destroy(&parent_name);
    gd.string_name_destroy(&empty_name);
    gd.string_name_destroy(&resize_name);
    gd.string_destroy(&empty_string);
}

EXPORT gd_bool lvl_godot_init(gd_find find, void *library, gd_initialization *out);
EXPORT gd_bool lvl_godot_init(gd_find find, void *library, gd_initialization *out)
{
    out->minimum_level = 2;
    out->initialize = initialize;
    out->deinitialize = deinitialize;
    return (gd_bool)find_functions(find, library);
}
