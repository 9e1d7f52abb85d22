/*
 * cli/cmd_resize.c: `lvl resize`: another size for the planes of levels.
 */
#include "cli/cli.h"

#include <string.h>

static const cli_output resize_output = {.text = false, .edits = true};

static void work(cli_job *job)
{
    size_t changed = 0;

    if ((!job->c->opt.dry_run && !cli_output_ready(job, &resize_output)) || !cli_job_read(job, LVL_CAN_WRITE))
        return;
    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_resize(job->doc, job->c->user, &changed, job->findings);
    if (status == LVL_OK) {
        cli_edit_deliver(job, changed, &resize_output);
    } else if (status == LVL_ERR_MISSING && job->c->inputs.batch) {
        job->outcome = CLI_NO_MATCH;
        if (!job->c->opt.in_place && !job->c->opt.dry_run)
            cli_deliver(job, job->bytes, &resize_output);
    } else {
        cli_job_status(job, status, job->findings, NULL);
    }
}

/* "top-left", "right", "center" */
static bool parse_anchor(const char *text, lvl_resize_options *out)
{
    static const struct {
        const char *name;
        int x, y;
    } anchors[] = {{"top-left", -1, -1},   {"top", 0, -1},   {"top-right", 1, -1},
                   {"left", -1, 0},        {"center", 0, 0}, {"right", 1, 0},
                   {"bottom-left", -1, 1}, {"bottom", 0, 1}, {"bottom-right", 1, 1}};

    for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++) {
        if (strcmp(text, anchors[i].name) == 0) {
            out->anchor_x = anchors[i].x;
            out->anchor_y = anchors[i].y;
            return true;
        }
    }
    return false;
}

int cmd_resize(cli *c)
{
    static const cli_batch batch = {.work = work,
                                    .output = &resize_output,
                                    .match_word = "changed",
                                    .idle_word = "had that size already"};
    lvl_resize_options options = {.plane = c->opt.plane, .anchor_x = -1, .anchor_y = -1};
    int32_t size[2];

    if (!c->opt.size || !cli_numbers(c->opt.size, "x", size, 2) || size[0] < 1 || size[1] < 1)
        return cli_usage(c, "expected --size COLUMNSxROWS, got `%s'", c->opt.size ? c->opt.size : "");
    if (c->opt.anchor && !parse_anchor(c->opt.anchor, &options))
        return cli_usage(c,
                         "--anchor: expected top-left, top, top-right, left, center, right, bottom-left, "
                         "bottom or bottom-right, got `%s'",
                         c->opt.anchor);
    if (c->args.count && !c->opt.output && !c->opt.in_place && !c->opt.dry_run)
        return cli_usage(c, "no output given; use -o FILE, -i (in place) or -n (only show the changes)");
    options.width = (uint32_t)size[0];
    options.height = (uint32_t)size[1];
    int code = cli_take_inputs(c, 0, c->args.count);
    c->user = &options;
    if (!code && !c->opt.dry_run)
        code = cli_output_check(c, &resize_output);
    if (!code)
        code = cli_run(c, &batch);
    c->user = NULL;
    return code;
}
