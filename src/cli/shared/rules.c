/*
 * cli/shared/rules.c: the files of --rules.
 */
#include "cli/cli.h"
#include "tools/check/rules.h"

#include <stdlib.h>

/* Why a file of rules is refused. */
static int refuse(cli *c, const char *path, lvl_status status, const lvl_findings *findings)
{
    if (status == LVL_ERR_MEMORY)
        return cli_no_memory(c);
    if (lvl_findings_count(findings))
        cli_report(c, "%s", lvl_findings_at(findings, 0)->text);
    else
        cli_report(c, "%s: %s", path,
                   status == LVL_ERR_LIMIT
                       ? "too many rules and conditions for one file; give several files, each with --rules"
                       : lvl_status_text(status));
    return EXIT_USAGE;
}

static int take_file(cli *c, const char *path, lvl_findings *findings, const lvl_rules **out)
{
    lvl_buffer text = {0};
    lvl_file_error why = {0};
    lvl_rules *rules = NULL;
    int code = EXIT_FINE;

    *out = NULL;
    if (cli_is_named_pipe(path)) {
        cli_report(c, "--rules %s: expected a file, found a pipe", path);
        return EXIT_ENVIRONMENT;
    }
    lvl_status status = lvl_file_read(&text, path, LVL_RULES_BYTES, &why);
    if (status == LVL_ERR_LIMIT) {
        code = refuse(c, path, status, findings);
    } else if (status != LVL_OK) {
        code = cli_report_file(c, path, status, &why);
    } else {
        status = lvl_rules_read(&rules, &c->ctx, lvl_buffer_text(&text), path, findings);
        if (status != LVL_OK)
            code = refuse(c, path, status, findings);
    }
    if (rules)
        lvl_rules_own(rules, &c->ctx);
    *out = rules;
    lvl_buffer_free(&text);
    return code;
}

int cli_rules_take(cli *c)
{
    const cli_strings *files = &c->opt->rules;
    int code = EXIT_FINE;

    if (!files->count)
        return EXIT_FINE;
    c->rules = calloc(files->count + 1, sizeof *c->rules);
    lvl_findings *findings = c->rules ? lvl_findings_new(&c->ctx) : NULL;
    if (!findings)
        return cli_no_memory(c);
    for (size_t i = 0; i < files->count && !code; i++)
        code = take_file(c, files->items[i], findings, &c->rules[i]);
    lvl_findings_free(findings);
    return code;
}

void cli_rules_free(cli *c)
{
    for (size_t i = 0; c->rules && c->rules[i]; i++)
        lvl_rules_free((lvl_rules *)(uintptr_t)c->rules[i]);
    free((void *)c->rules);
    c->rules = NULL;
}
