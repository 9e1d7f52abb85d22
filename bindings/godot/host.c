/*
 * host.c: a host for lvl_godot.c without Godot: it has the functions of Godot's interface that the extension
 * asks for, written from their public description, and plays a script: it opens a level, and puts its layers
 * together again from the tile maps and pictures. Used by tests/test_bindings.sh.
 *
 * usage: host EXTENSION LEVEL [ART]
 */
#include "godot_api.h"

#include <lvl/lvl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int live; /* values that have memory: 0 at the end */

static void fail(const char *what)
{
    printf("host: %s\n", what);
    exit(1);
}

/* ---- values ------------------------------------------------------------------------------------------ */

typedef struct block {
    int64_t len;
    uint8_t bytes[]; /* one more */
} block;

static block *block_new(const void *bytes, int64_t len)
{
    block *b = calloc(1, sizeof *b + (size_t)len + 1);

    if (!b)
        fail("no memory");
    b->len = len;
    if (bytes && len)
        memcpy(b->bytes, bytes, (size_t)len);
    live++;
    return b;
}

static void value_free(void *value)
{
    block **b = value;

    if (*b) {
        free(*b);
        live--;
    }
    *b = NULL;
}

static block *block_of(const void *value)
{
    return *(block *const *)value;
}

static void name_new(void *to, const char *text, gd_bool is_static)
{
    (void)is_static;
    *(block **)to = block_new(text, (int64_t)strlen(text));
}

static void string_new(void *to, const char *text, int64_t len)
{
    *(block **)to = block_new(text, len);
}

static int64_t string_to_utf8(const void *string, char *to, int64_t max)
{
    const block *b = block_of(string);

    if (to)
        memcpy(to, b->bytes, (size_t)(b->len < max ? b->len : max));
    return b->len;
}

static void packed_new(void *to, const void *const *arguments)
{
    (void)arguments;
    *(block **)to = block_new(NULL, 0);
}

static uint8_t *packed_at(void *packed, int64_t index)
{
    block *b = block_of(packed);

    if (index < 0 || index >= b->len)
        fail("an index past the end of a PackedByteArray");
    return b->bytes + index;
}

/* A Variant: its type, then a number or a block of its own. */
typedef struct variant {
    int64_t type, number;
    block *block;
} variant;

static void variant_free(void *v)
{
    value_free(&((variant *)v)->block);
    ((variant *)v)->type = GD_NIL;
}

static void from_string(void *v, void *value)
{
    *(variant *)v = (variant){GD_STRING, 0, block_new(block_of(value)->bytes, block_of(value)->len)};
}

static void from_packed(void *v, void *value)
{
    *(variant *)v = (variant){GD_PACKED_BYTES, 0, block_new(block_of(value)->bytes, block_of(value)->len)};
}

static void from_int(void *v, void *value)
{
    *(variant *)v = (variant){GD_INT, *(int64_t *)value, NULL};
}

static void to_block(void *to, void *v)
{
    const variant *from = v;

    *(block **)to = from->block ? block_new(from->block->bytes, from->block->len) : block_new(NULL, 0);
}

static void to_int(void *to, void *v)
{
    *(int64_t *)to = ((variant *)v)->number;
}

typedef void (*convert)(void *, void *);

static convert variant_from(int32_t type)
{
    return type == GD_STRING ? from_string : type == GD_INT ? from_int : from_packed;
}

static convert variant_to(int32_t type)
{
    return type == GD_INT ? to_int : to_block;
}

typedef void (*destroy)(void *);

static destroy destructor(int32_t type)
{
    (void)type;
    return value_free;
}

typedef void (*construct)(void *, const void *const *);

static construct constructor(int32_t type, int32_t index)
{
    if (type != GD_PACKED_BYTES || index != 0)
        fail("an unexpected constructor");
    return packed_new;
}

static void variant_call(void *v, const void *name, const void *const *arguments, int64_t count, void *result,
                         gd_call_error *error)
{
    variant *on = v;
    const variant *size = count ? arguments[0] : NULL;

    if (on->type != GD_PACKED_BYTES || count != 1 ||
        strcmp((const char *)block_of(name)->bytes, "resize") != 0)
        fail("an unexpected call");
    block *resized = block_new(NULL, size->number);
    value_free(&on->block);
    on->block = resized;
    *(variant *)result = (variant){GD_INT, 0, NULL};
    error->error = 0;
}

/* ---- the class --------------------------------------------------------------------------------------- */

typedef struct object {
    void *instance;
} object;

static gd_class class_info;
static char class_of[32], parent_of[32];
static gd_method methods[32];
static char method_names[32][32];
static int32_t method_types[32][2]; /* of the arguments, whose descriptions are gone after the registration */
static size_t method_count;

static void class_register(void *library, const void *name, const void *parent, const gd_class *info)
{
    (void)library;
    class_info = *info;
    snprintf(class_of, sizeof class_of, "%s", (const char *)block_of(name)->bytes);
    snprintf(parent_of, sizeof parent_of, "%s", (const char *)block_of(parent)->bytes);
}

static void class_unregister(void *library, const void *name)
{
    (void)library;
    if (strcmp(class_of, (const char *)block_of(name)->bytes) != 0)
        fail("another class was taken back");
    class_of[0] = 0;
}

static void method_register(void *library, const void *name, const gd_method *info)
{
    (void)library;
    (void)name;
    snprintf(method_names[method_count], 32, "%s", (const char *)block_of(info->name)->bytes);
    for (uint32_t i = 0; i < info->argument_count; i++)
        method_types[method_count][i] = info->arguments[i].type;
    methods[method_count++] = *info;
}

static void *object_construct(const void *name)
{
    if (strcmp((const char *)block_of(name)->bytes, "RefCounted") != 0)
        fail("another parent");
    return calloc(1, sizeof(object));
}

static void object_set_instance(void *o, const void *name, void *instance)
{
    (void)name;
    ((object *)o)->instance = instance;
}

static gd_function find(const char *name)
{
#define HAS(text, function)      \
    if (strcmp(name, text) == 0) \
    return (gd_function)function
    HAS("string_name_new_with_latin1_chars", name_new);
    HAS("string_new_with_utf8_chars_and_len", string_new);
    HAS("string_to_utf8_chars", string_to_utf8);
    HAS("classdb_register_extension_class2", class_register);
    HAS("classdb_unregister_extension_class", class_unregister);
    HAS("classdb_register_extension_class_method", method_register);
    HAS("classdb_construct_object", object_construct);
    HAS("object_set_instance", object_set_instance);
    HAS("packed_byte_array_operator_index", packed_at);
    HAS("variant_destroy", variant_free);
    HAS("variant_call", variant_call);
    HAS("get_variant_from_type_constructor", variant_from);
    HAS("get_variant_to_type_constructor", variant_to);
    HAS("variant_get_ptr_destructor", destructor);
    HAS("variant_get_ptr_constructor", constructor);
    return NULL;
}

static const gd_method *method_of(const char *name)
{
    for (size_t i = 0; i < method_count; i++) {
        if (strcmp(method_names[i], name) == 0)
            return &methods[i];
    }
    fail(name);
    return NULL;
}

/* Calls a method with a number, or texts, as scripts do; the result has to be freed. */
static block *call(void *instance, const char *name, const char *a, const char *b, int64_t number)
{
    const gd_method *m = method_of(name);
    const char *texts[2] = {a, b};
    variant values[2] = {{0}}, result = {0};
    const void *arguments[2] = {&values[0], &values[1]};
    gd_call_error error = {0};

    for (uint32_t i = 0; i < m->argument_count; i++) {
        if (method_types[m - methods][i] != (texts[i] ? GD_STRING : GD_INT))
            fail("an argument of another type");
        values[i] = texts[i] ? (variant){GD_STRING, 0, block_new(texts[i], (int64_t)strlen(texts[i]))}
                             : (variant){GD_INT, number, NULL};
    }
    m->call(m->user, instance, arguments, m->argument_count, &result, &error);
    if (error.error || !result.block)
        fail(name);
    for (uint32_t i = 0; i < m->argument_count; i++)
        variant_free(&values[i]);
    return result.block;
}

/* ---- the script -------------------------------------------------------------------------------------- */

static unsigned get16(const uint8_t *at)
{
    return at[0] | (unsigned)at[1] << 8;
}

/* Puts a layer together from its map and its atlas, and compares it with the layer as lvl draws it. */
static void compare_layer(void *instance, lvl_abi_doc *doc, const char *art, unsigned number)
{
    char options[512];
    lvl_image atlas = {0};
    lvl_ctx ctx;
    unsigned cells = 0;

    lvl_ctx_init(&ctx);
    const int len =
        snprintf(options, sizeof options, "plane=%u%chide=objects%ctransparent=1%cpixels=1%c%s%s%c", number,
                 0, 0, 0, 0, *art ? "art=" : "", art, 0);
    options[len] = 0;
    lvl_abi_result *r = lvl_abi_render(doc, options);
    if (r->status != LVL_OK)
        fail(r->message);
    block *map = call(instance, "tile_map_data", NULL, NULL, number),
          *png = call(instance, "atlas", NULL, NULL, number);
    if (map->len < 2 || get16(map->bytes) != 0 || (map->len - 2) % 12)
        fail("a map of another form");
    uint8_t *made = calloc(r->len ? r->len : 1, 1);
    if (png->len &&
        lvl_picture_read(&ctx, (lvl_bytes){png->bytes, (size_t)png->len}, false, &atlas) != LVL_OK)
        fail("the atlas is no picture");
    unsigned right = 0, bottom = 0, across = 0, down = 0;
    for (int64_t at = 2; at < map->len; at += 12) {
        const uint8_t *cell = map->bytes + at;
        right = get16(cell) + 1 > right ? get16(cell) + 1 : right;
        bottom = get16(cell + 2) + 1 > bottom ? get16(cell + 2) + 1 : bottom;
        across = get16(cell + 6) + 1 > across ? get16(cell + 6) + 1 : across;
        down = get16(cell + 8) + 1 > down ? get16(cell + 8) + 1 : down;
    }
    const unsigned w = across ? atlas.width / across : 0, h = down ? atlas.height / down : 0;
    for (int64_t at = 2; at < map->len; at += 12, cells++) {
        const uint8_t *cell = map->bytes + at;
        for (unsigned y = 0; y < h; y++) {
            const size_t to = ((size_t)(get16(cell + 2) * h + y) * r->width + get16(cell) * w) * 4;
            const size_t from = ((size_t)(get16(cell + 8) * h + y) * atlas.width + get16(cell + 6) * w) * 4;
            if (to + w * 4 > r->len)
                fail("a cell outside of the layer");
            memcpy(made + to, atlas.pixels + from, w * 4);
        }
    }
    if (memcmp(made, r->data, r->len) != 0)
        fail("a layer differs from its tile map");
    printf("layer %u: %u cells of %ux%u px, %ux%u tiles: the same as drawn\n", number, cells, w, h, across,
           down);
    free(made);
    value_free(&map);
    value_free(&png);
    lvl_image_clear(&atlas);
    lvl_abi_result_free(r);
}

int main(int argc, char **argv)
{
    gd_bool (*begin)(gd_find, void *, gd_initialization *);
    gd_initialization init = {0};

    if (argc < 3)
        return 2;
    const char *art = argc > 3 ? argv[3] : "";
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library)
        fail(dlerror());
    void *entry = dlsym(library, "lvl_godot_init");
    memcpy(&begin, &entry, sizeof begin);
    if (!entry || !begin(find, library, &init) || init.minimum_level != 2)
        fail("the extension does not begin");
    for (int32_t level = 0; level < 4; level++)
        init.initialize(init.user, level);
    printf("class %s extends %s, %u methods\n", class_of, parent_of, (unsigned)method_count);

    object *o = class_info.create_instance(class_info.user);
    block *said = call(o->instance, "open", "no/such/file.wwd", "", 0);
    printf("an error: %s\n", said->bytes);
    value_free(&said);
    block *nothing = call(o->instance, "scene", NULL, NULL, 0);
    if (nothing->len)
        fail("layers without a level");
    value_free(&nothing);
    said = call(o->instance, "open", argv[2], art, 0);
    if (said->len)
        fail((const char *)said->bytes);
    value_free(&said);
    lvl_abi_result *r = lvl_abi_load(argv[2], NULL);
    if (!r || r->status != LVL_OK)
        fail("the level does not open");
    block *layers = call(o->instance, "scene", NULL, NULL, 0);
    unsigned count = 0;
    for (const char *at = (const char *)layers->bytes; (at = strstr(at, "\"cell_width\":")) != NULL; at++)
        count++;
    for (unsigned i = 0; i < count; i++)
        compare_layer(o->instance, r->doc, art, i);
    block *past = call(o->instance, "tile_map_data", NULL, NULL, count);
    if (past->len)
        fail("a map of a layer that does not exist");
    block *picture = call(o->instance, "render", "size=300", NULL, 0);
    if (!strstr((const char *)layers->bytes, "\"things\":") || picture->len < 100 || picture->bytes[1] != 'P')
        fail("no things, or no picture");
    block *info = call(o->instance, "info", NULL, NULL, 0);
    printf("%.60s\n", info->bytes);
    block *all[] = {layers, past, picture, info};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        value_free(&all[i]);
    lvl_abi_close(r->doc);
    lvl_abi_result_free(r);
    class_info.free_instance(class_info.user, o->instance);
    free(o);
    for (int32_t level = 3; level >= 0; level--)
        init.deinitialize(init.user, level);
    if (class_of[0] || live)
        fail("values or the class are left over");
    dlclose(library);
    puts("done");
    return 0;
}
