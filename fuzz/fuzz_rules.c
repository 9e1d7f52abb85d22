/*
 * libFuzzer target: files of rules (`lvl check --rules`), read and evaluated on a level of each format.
 */
#include "fuzz_docs.h"
#include "tools/check/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_findings *findings = lvl_findings_new(lvl_fuzz_ctx());
    lvl_rules *rules = NULL;

    (void)lvl_rules_read(&rules, lvl_fuzz_ctx(), (lvl_text){(const char *)data, size}, "rules.json",
                         findings);
    for (size_t i = 0; rules && lvl_format_at(i); i++) {
        lvl_bytes file;
        const lvl_doc *doc = lvl_fuzz_doc(i, &file);
        if (doc)
            (void)lvl_rules_check(rules, doc, findings);
    }
    lvl_findings_free(findings);
    lvl_rules_free(rules);
    return 0;
}
