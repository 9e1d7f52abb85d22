/*
 * tiled/import_picture.c: the class and picture of an object according to its sprite.
 */
#include "base/text.h"
#include "tiled/import.h"

lvl_text import_class_of(const importer *im, const tiled_object *o, bool is_new)
{
    const tiled_tile *sprite = is_new && !o->type.len ? import_sprite(im, o->gid) : NULL;

    return sprite ? sprite->type : o->type;
}

/* Adds a property to an object. */
static void show_also(importer *im, tiled_object *o, const tiled_property *shows)
{
    if (shows)
        tiled_add(&im->map->arena, &o->properties, shows->name, shows->type.len ? shows->type.ptr : "",
                  shows->value);
}

/* Whether an object's own property differs from its record, so that a person set it. */
static bool is_written(importer *im, const void *record, const plan_field *f, const tiled_object *o)
{
    const tiled_property *own = tiled_find(&o->properties, f->name);
    tiled_properties is = {0};

    tiled_put_field(&im->plan, &is, record, f, 0);
    return is.count || own ? !is.count || !own || !lvl_text_equal(is.items[0].value, own->value) : false;
}

/* Whether an existing object has another sprite, which no property of its own accounts for. */
static bool is_replaced(importer *im, const plan_objects *p, const void *record, const tiled_object *o,
                        const tiled_property *shows, const tiled_property *number)
{
    const bool as_name = p->picture.field == p->name.field;
    const lvl_text was = plan_text(&im->plan, record, &p->picture);
    int64_t n = plan_int(record, &p->picture_number);

    if (number && !lvl_int_parse(p->picture_number.field, number->value, &n))
        return false;
    if ((!shows || lvl_text_equal(shows->value, was)) && n == plan_int(record, &p->picture_number))
        return false;
    return !(as_name ? !lvl_text_equal(o->name, was) : is_written(im, record, &p->picture, o)) &&
           !(p->picture_number.field && is_written(im, record, &p->picture_number, o));
}

/* Warns about a new object with a picture other than its sprite's, since it is unknown which of them a person
 * changed. */
static void check_picture(importer *im, const plan_objects *p, const tiled_object *o,
                          const tiled_property *shows, const tiled_property *number)
{
    const bool as_name = p->picture.field == p->name.field;
    const tiled_property *own = as_name ? NULL : tiled_find(&o->properties, p->picture.name),
                         *own_number = number ? tiled_find(&o->properties, p->picture_number.name) : NULL;
    const lvl_text is = as_name ? o->name : own ? own->value : (lvl_text){"", 0};
    int64_t n = number ? p->picture_number.field->def : 0, wanted = n;
    char a[80], b[80];

    if (number)
        lvl_int_parse(p->picture_number.field, number->value, &wanted);
    if (own_number)
        lvl_int_parse(p->picture_number.field, own_number->value, &n);
    if (!lvl_text_equal(is, shows->value))
        import_warn(im, "%s: its %.*s \"%s\" is stored, not the picture \"%s\" that its tile shows",
                    import_what(im), (int)p->picture.name.len, p->picture.name.ptr, lvl_show(a, is),
                    lvl_show(b, shows->value));
    else if (n != wanted)
        import_warn(im, "%s: the number %lld of its picture is stored, not %lld, which its tile shows",
                    import_what(im), (long long)n, (long long)wanted);
}

tiled_object import_complete_object(importer *im, const plan_objects *p, const void *record, const entry *e)
{
    tiled_object o = *e->object;
    const bool is_new = e->old == LVL_NO_INDEX,
               as_name = p->picture.field && p->picture.field == p->name.field;
    const tiled_tile *sprite = import_sprite(im, o.gid);
    const tiled_property *shows =
        sprite && p->picture.field ? tiled_find(&sprite->properties, p->picture.name) : NULL;
    const tiled_property *number =
        sprite && p->picture_number.field ? tiled_find(&sprite->properties, p->picture_number.name) : NULL;

    o.type = import_class_of(im, &o, is_new);
    if (im->foreign && p->of.type && lvl_text_equal_nocase(o.name, lvl_text_of(p->of.type)))
        o.name = (lvl_text){"", 0}; /* it says what the object is */
    if (!shows)
        return o;
    const bool named = as_name ? o.name.len : tiled_find(&o.properties, p->picture.name) != NULL;
    if (is_new && named)
        check_picture(im, p, &o, shows, number);
    if (is_new ? named : !is_replaced(im, p, record, &o, shows, number))
        return o;
    if (is_new && p->picture_number.field && tiled_find(&o.properties, p->picture_number.name))
        number = NULL;
    const tiled_properties from = o.properties; /* of equal names the last counts */
    o.properties = (tiled_properties){0};
    for (uint32_t i = 0; i < from.count; i++)
        show_also(im, &o, &from.items[i]);
    if (as_name)
        o.name = shows->value;
    else
        show_also(im, &o, shows);
    show_also(im, &o, number);
    return o;
}
