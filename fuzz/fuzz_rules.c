/*
 * libFuzzer target: files of rules (`lvl check --rules`), read and evaluated on a level of each format, whose
 * scene has what they say of things.
 */
#include "fuzz_docs.h"
#include "tools/check/rules.h"

#include <lvl/scene.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_findings *findings = lvl_findings_new(lvl_fuzz_ctx());
    lvl_rules *rules = NULL;
    lvl_ctx *ctx = (lvl_ctx *)(uintptr_t)lvl_fuzz_ctx();

    (void)lvl_rules_read(&rules, lvl_fuzz_ctx(), (lvl_text){(const char *)data, size}, "rules.json",
                         findings);
    for (size_t i = 0; rules && lvl_format_at(i); i++) {
        lvl_bytes file;
        const lvl_doc *doc = lvl_fuzz_doc(i, &file);
        if (!doc)
            continue;
        (void)lvl_rules_check(rules, doc, findings);
        lvl_scene *scene = NULL;
        lvl_rules_own(rules, ctx);
        (void)lvl_doc_scene(doc, NULL, &scene);
        ctx->own = NULL;
        lvl_scene_free(scene);
    }
    lvl_findings_free(findings);
    lvl_rules_free(rules);
    return 0;
}
