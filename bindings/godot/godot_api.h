/*
 * The part of Godot 4's interface for extensions that lvl_godot.c uses, by the names under which Godot gives
 * its functions (4.2 and later). Written from the published description of that interface; members and
 * arguments have to be in its order. A value of Godot (Variant, String, StringName, PackedByteArray) is
 * opaque memory of at least its size.
 */
#ifndef LVL_GODOT_API_H
#define LVL_GODOT_API_H

#include <stddef.h>
#include <stdint.h>

/* Types of values. */
enum { GD_NIL = 0, GD_BOOL = 1, GD_INT = 2, GD_STRING = 4, GD_OBJECT = 24, GD_PACKED_BYTES = 29 };

typedef void (*gd_function)(void);
/* Any function of Godot by its name; NULL: this Godot has none. */
typedef gd_function (*gd_find)(const char *name);

typedef uint8_t gd_bool;

typedef struct gd_string_name {
    void *opaque;
} gd_string_name;
typedef struct gd_string {
    void *opaque;
} gd_string;
typedef struct gd_packed {
    void *opaque[2];
} gd_packed;
/* 24 bytes, 40 where Godot was built with doubles. */
typedef struct gd_variant {
    uint64_t opaque[5];
} gd_variant;

typedef struct gd_call_error {
    int32_t error; /* 0: none; 2: an argument is wrong; 3, 4: too many, too few */
    int32_t argument, expected;
} gd_call_error;

typedef struct gd_property {
    int32_t type;
    gd_string_name *name, *class_name;
    uint32_t hint;
    gd_string *hint_string;
    uint32_t usage;
} gd_property;

typedef void *(*gd_create)(void *user);
typedef void (*gd_free)(void *user, void *instance);
typedef void (*gd_call)(void *user, void *instance, const void *const *arguments, int64_t count, void *result,
                        gd_call_error *error);
typedef void (*gd_ptrcall)(void *user, void *instance, const void *const *arguments, void *result);

/* How a class is made (the second form of this struct). */
typedef struct gd_class {
    gd_bool is_virtual, is_abstract, is_exposed;
    gd_function set, get, get_property_list, free_property_list, property_can_revert, property_get_revert,
        validate_property, notification, to_string, reference, unreference;
    gd_create create_instance;
    gd_free free_instance;
    gd_function recreate_instance, get_virtual, get_virtual_call_data, call_virtual_with_data, get_rid;
    void *user;
} gd_class;

enum { GD_METHOD_DEFAULT = 1 };

typedef struct gd_method {
    gd_string_name *name;
    void *user;
    gd_call call;
    gd_ptrcall ptrcall;
    uint32_t flags;
    gd_bool has_return;
    gd_property *returned;
    int32_t returned_metadata;
    uint32_t argument_count;
    gd_property *arguments;
    int32_t *arguments_metadata;
    uint32_t default_count;
    void **defaults;
} gd_method;

/* When an extension begins and ends: levels 0 core, 1 servers, 2 scene, 3 editor. */
typedef struct gd_initialization {
    int32_t minimum_level;
    void *user;
    void (*initialize)(void *user, int32_t level);
    void (*deinitialize)(void *user, int32_t level);
} gd_initialization;

#endif
