/*
 * cli/world/reach.c: `lvl check --reach-from`: what players reach in many levels from one of them.
 */
#include "base/findings.h"
#include "cli/world/graph.h"
#include "tools/world/reach.h"
#include "tools/check/reports.h"

#include "base/text.h"

#include <stdatomic.h>
#include <string.h>

typedef struct gather {
    lvl_reach *reach;
    atomic_flag busy; /* a lock: set while a thread adds a level */
} gather;

static void add_job(cli_job *job)
{
    gather *g = job->c->user;

    if (!cli_job_read(job, 0))
        return;
    while (atomic_flag_test_and_set(&g->busy))
        ;
    const lvl_status status =
        lvl_reach_add(g->reach, (size_t)(job->input - job->c->inputs.items), job->input->name, job->doc);
    atomic_flag_clear(&g->busy);
    if (status != LVL_ERR_UNSUPPORTED)
        cli_job_status(job, status, NULL, NULL);
    else if (job->input->named)
        cli_job_fail(job, EXIT_NEGATIVE, "this format has no links between levels (%s)", job->format->title);
    else
        job->outcome = CLI_SKIPPED_OTHER;
}

static int print_file(cli *c, const lvl_reach *reach, size_t index,
                      bool (*fails)(const cli *, const lvl_findings *), lvl_buffer *out)
{
    lvl_findings *found = lvl_findings_new(&c->ctx);
    const cli_input *input = &c->inputs.items[index];
    int code = EXIT_FINE;

    if (!found)
        return cli_no_memory(c);
    lvl_reach_report(reach, index, found);
    if (lvl_findings_status(found) != LVL_OK)
        code = cli_no_memory(c);
    else if (lvl_findings_count(found) && fails(c, found))
        code = EXIT_NEGATIVE;
    if (c->opt->json && lvl_findings_count(found)) {
        lvl_buffer_u8(out, '{');
        lvl_json_put_string(out, "file", input->name);
        lvl_json_key(out, "findings");
        lvl_findings_json(found, out);
        lvl_buffer_str(out, "}\n");
    } else if (!c->opt->json) {
        cli_findings_text(c, found, input->shown, LVL_NOTE, c->color_out, out);
    }
    lvl_findings_free(found);
    return code;
}

int cli_check_reach(cli *c, bool (*fails)(const cli *, const lvl_findings *))
{
    gather g = {.reach = lvl_reach_new(&c->ctx), .busy = ATOMIC_FLAG_INIT};
    const cli_batch batch = {.work = add_job, .user = &g};
    lvl_buffer out = {0};
    size_t levels, reached;

    if (!g.reach)
        return cli_no_memory(c);
    int code = cli_run(c, &batch);
    const lvl_status status =
        cli_stopped() ? LVL_ERR_STOPPED : lvl_reach_run(g.reach, lvl_file_name(c->opt->reach_from));
    if (status == LVL_ERR_MISSING) {
        cli_report(c, "--reach-from: there is no level `%s' among the files", c->opt->reach_from);
        code = cli_max_exit_code(code, EXIT_USAGE);
    } else if (status == LVL_OK) {
        for (size_t i = 0; i < c->inputs.count; i++)
            code = cli_max_exit_code(code, print_file(c, g.reach, i, fails, &out));
        cli_out_text(c, &out);
        lvl_reach_count(g.reach, &levels, &reached);
        if (!c->opt->quiet)
            cli_report(c, "%zu of %zu level%s reached from %s", reached, levels, levels == 1 ? "" : "s",
                       c->opt->reach_from);
    } else if (status == LVL_ERR_MEMORY) {
        code = cli_max_exit_code(code, cli_no_memory(c));
    } else if (!cli_stopped()) {
        cli_report(c, "--reach-from: %s", lvl_status_text(status));
        code = cli_max_exit_code(code, EXIT_NEGATIVE);
    }
    lvl_reach_free(g.reach);
    return code;
}
