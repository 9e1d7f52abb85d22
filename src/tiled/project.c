/*
 * tiled/project.c: a project of Tiled, with a property type for each field whose values have names. A map
 * refers to these types if it is written with lvl_tiled_options.typed.
 */
#include "base/text.h"
#include "codec/json.h"
#include "tiled/mapping.h"

typedef struct project {
    lvl_buffer *out;
    uint32_t count;
} project;

/* Tiled numbers flags by their position in the list and writes their names, so only single bits are
 * listed. */
static void put_type(project *p, const tiled_plan *plan, const plan_field *f)
{
    const bool flags = f->field && f->field->flags & LVL_F_FLAGS;
    const char *separator = "";

    if (!f->field || f->field->kind != LVL_INT || !f->field->names)
        return;
    lvl_buffer_printf(p->out,
                      "%s\n        {\n            \"id\": %lu,\n            \"name\": ", p->count ? "," : "",
                      (unsigned long)p->count + 1);
    lvl_json_string(p->out, lvl_text_of(tiled_type_name(plan, f)));
    lvl_buffer_str(p->out, ",\n            \"storageType\": \"string\",\n            \"type\": \"enum\",\n"
                           "            \"values\": [");
    for (const lvl_name *n = f->field->names; n->name; n++) {
        const uint64_t bits = (uint64_t)n->value;
        if (flags && (!bits || (bits & (bits - 1)) != 0))
            continue;
        lvl_buffer_printf(p->out, "%s\n                \"%s\"", separator, n->name);
        separator = ",";
    }
    lvl_buffer_printf(p->out, "\n            ],\n            \"valuesAsFlags\": %s\n        }",
                      flags ? "true" : "false");
    p->count++;
}

static void put_types(project *p, const tiled_plan *plan, const plan_fields *fields)
{
    for (uint32_t i = 0; i < fields->count; i++)
        put_type(p, plan, &fields->items[i]);
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
