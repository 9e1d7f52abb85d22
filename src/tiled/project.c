/*
 * tiled/project.c: a project of Tiled. It has a property type for each field whose values have names and for
 * each list of names of the game books, to which a map refers if it is written with lvl_tiled_options.typed,
 * and a class for each thing of the game books: Tiled then lists the properties that such an object uses,
 * those that are not set, too.
 */
#include "base/text.h"
#include "codec/json.h"
#include "tiled/mapping.h"
#include "tools/paths/meaning.h"

typedef struct project {
    lvl_buffer *out;
    uint32_t count;
} project;

/* Begins an entry of the list of types. */
static void begin_type(project *p)
{
    lvl_buffer_printf(p->out,
                      "%s\n        {\n            \"id\": %lu,\n            \"name\": ", p->count ? "," : "",
                      (unsigned long)p->count + 1);
    p->count++;
}

/* Tiled numbers flags by their position in the list and writes their names, so only single bits are
 * listed. */
static void put_enum(project *p, const char *type, const lvl_name *names, bool flags)
{
    const char *separator = "";

    begin_type(p);
    lvl_json_string(p->out, lvl_text_of(type));
    lvl_buffer_str(p->out, ",\n            \"storageType\": \"string\",\n            \"type\": \"enum\",\n"
                           "            \"values\": [");
    for (const lvl_name *n = names; n->name; n++) {
        const uint64_t bits = (uint64_t)n->value;
        if (flags && (!bits || (bits & (bits - 1)) != 0))
            continue;
        lvl_buffer_printf(p->out, "%s\n                \"%s\"", separator, n->name);
        separator = ",";
    }
    lvl_buffer_printf(p->out, "\n            ],\n            \"valuesAsFlags\": %s\n        }",
                      flags ? "true" : "false");
}

static void put_type(project *p, const tiled_plan *plan, const plan_field *f)
{
    if (f->field && f->field->kind == LVL_INT && f->field->names)
        put_enum(p, tiled_type_name(plan, f), f->field->names, (f->field->flags & LVL_F_FLAGS) != 0);
}

static void put_types(project *p, const tiled_plan *plan, const plan_fields *fields)
{
    for (uint32_t i = 0; i < fields->count; i++)
        put_type(p, plan, &fields->items[i]);
}

/* The lists of names of a book that uses of its things refer to. */
static void put_lists(project *p, const tiled_plan *plan, const lvl_book *book)
{
    for (uint8_t list = 1; book->list_names[list - 1]; list++) {
        uint32_t i = 0;
        while (i < book->use_count && (book->uses[i].names != list || book->uses[i].open))
            i++;
        if (i < book->use_count)
            put_enum(p, tiled_list_type(plan, book, list), book->value_names[list - 1], false);
    }
}

/* A member of a class, with its default, which a map leaves out. `use`: what the class uses it for. */
static void put_member(project *p, const tiled_plan *plan, const lvl_book *book, const lvl_book_use *use,
                       const plan_field *f, bool first)
{
    const bool listed = use->names && !use->open;
    const lvl_name *names = listed ? book->value_names[use->names - 1] : f->field->names;
    const char *type = listed ? tiled_list_type(plan, book, use->names) : tiled_type_name(plan, f);
    char buf[512];

    lvl_buffer_str(p->out, first ? "\n                { \"name\": " : ",\n                { \"name\": ");
    lvl_json_string(p->out, f->name);
    if (f->field->kind != LVL_INT) {
        lvl_buffer_str(p->out, ", \"type\": \"string\", \"value\": \"\" }");
    } else if (names) {
        const char *value = f->field->flags & LVL_F_FLAGS ? "" : lvl_name_of(names, f->field->def);
        /* a default without a name is a number, as in a map */
        lvl_buffer_str(p->out, ", \"propertyType\": ");
        lvl_json_string(p->out, lvl_text_of(type));
        lvl_buffer_printf(p->out, ", \"type\": \"string\", \"value\": \"%s\" }",
                          value ? value : tiled_digits(buf, f->field->def));
    } else if (lvl_field_is_switch(f->field)) {
        lvl_buffer_printf(p->out, ", \"type\": \"bool\", \"value\": %s }", f->field->def ? "true" : "false");
    } else {
        lvl_buffer_printf(p->out, ", \"type\": \"int\", \"value\": %s }", tiled_digits(buf, f->field->def));
    }
}

/* What the thing uses the field for, the first with names; NULL: nothing. */
static const lvl_book_use *use_of(const lvl_book *book, const lvl_book_thing *thing, const plan_field *f)
{
    const lvl_meaning_scope scope = {book, 0, f->offset + f->field->offset};
    const lvl_book_use *use, *found = NULL;

    for (uint32_t i = 0; (use = lvl_book_use_at(book, thing, i)) != NULL; i++) {
        if (!use->unread && lvl_meaning_covers(&scope, use) && (!found || (use->names && !found->names)))
            found = use;
    }
    return found;
}

static void put_class(project *p, const tiled_plan *plan, const lvl_book *book, const lvl_book_thing *thing,
                      const plan_fields *fields)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < fields->count; i++)
        count += use_of(book, thing, &fields->items[i]) != NULL;
    if (!count)
        return;
    begin_type(p);
    lvl_json_string(p->out, lvl_text_of(thing->name));
    lvl_buffer_str(p->out, ",\n            \"type\": \"class\",\n            \"color\": \"#ffa0a0a4\",\n"
                           "            \"drawFill\": true,\n            \"useAs\": [\"object\"],\n"
                           "            \"members\": [");
    count = 0;
    for (uint32_t i = 0; i < fields->count; i++) {
        const lvl_book_use *use = use_of(book, thing, &fields->items[i]);
        if (use)
            put_member(p, plan, book, use, &fields->items[i], !count++);
    }
    lvl_buffer_str(p->out, "\n            ]\n        }");
}

/* Classes for the things of a format's games; of two games with a thing of one name, the first. */
static void put_classes(project *p, const tiled_plan *plan, const plan_objects *objects)
{
    const lvl_book *const *books = plan->doc->format->calls->books;

    for (const lvl_book *const *book = books; book && *book; book++) {
        put_lists(p, plan, *book);
        for (uint32_t i = 0; i < (*book)->thing_count; i++) {
            const lvl_book_thing *thing = &(*book)->things[i];
            const lvl_book *const *before = books;
            while (before < book && !lvl_book_find(*before, lvl_text_of(thing->name)))
                before++;
            if (before == book)
                put_class(p, plan, *book, thing, &objects->fields);
        }
    }
}

static lvl_status put_format(project *p, const lvl_ctx *ctx, const lvl_format *format)
{
    lvl_doc *doc = NULL;
    tiled_plan plan;
    lvl_arena arena;

    lvl_arena_init(&arena, ctx);
    lvl_status status = lvl_doc_new(&doc, ctx, format);
    if (status == LVL_OK)
        status = tiled_plan_make(&plan, doc, &arena);
    if (status == LVL_OK) {
        put_types(p, &plan, &plan.root_fields);
        put_types(p, &plan, &plan.grid_fields);
        put_types(p, &plan, &plan.tile_fields);
        for (uint32_t i = 0; i < plan.object_lists; i++) {
            put_types(p, &plan, &plan.objects[i].fields);
            put_type(p, &plan, &plan.objects[i].flip);
        }
        /* Objects of the planes: the list whose records the books describe. */
        if (plan.object_lists)
            put_classes(p, &plan, &plan.objects[0]);
    }
    status = tiled_arena_status(&arena, status);
    lvl_arena_free(&arena);
    lvl_doc_free(doc);
    return status;
}

lvl_status lvl_tiled_project(const lvl_ctx *ctx, lvl_buffer *out)
{
    const lvl_format *const *formats = lvl_formats_of(ctx);
    project p = {.out = out};
    lvl_status status = LVL_OK;

    lvl_buffer_str(out, "{\n    \"automappingRulesFile\": \"\",\n    \"commands\": [\n    ],\n"
                        "    \"extensionsPath\": \"extensions\",\n    \"folders\": [\n        \".\"\n    ],\n"
                        "    \"objectTypesFile\": \"\",\n    \"propertyTypes\": [");
    for (; *formats && status == LVL_OK; formats++) {
        if (lvl_tiled_can(*formats))
            status = put_format(&p, ctx, *formats);
    }
    lvl_buffer_str(out, "\n    ]\n}\n");
    return status == LVL_OK ? out->status : status;
}
