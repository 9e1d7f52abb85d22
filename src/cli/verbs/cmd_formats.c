/*
 * cli/verbs/cmd_formats.c: `lvl formats`: lists formats, findings and schemas.
 */
#include "base/format.h"
#include "cli/usage/usage.h"
#include "tools/check/rules.h"
#include "tools/values/schema.h"
#include "tools/world/reference.h"

#include <string.h>

/* The first form from `form` on that belongs to this format (others are targets of conversions); NULL: none.
 */
static const lvl_form *own_form(const lvl_format *f, const lvl_form *form)
{
    while (form && form->name && strcmp(form->format, f->id) != 0)
        form++;
    return form && form->name ? form : NULL;
}

static void one_text(lvl_buffer *out, const lvl_format *f)
{
    lvl_buffer_printf(out, "%-10s %-48s read", f->id, f->title);
    for (size_t i = 0; i < LVL_ABILITIES; i++) {
        if (lvl_format_can(f) & lvl_abilities[i].can)
            lvl_buffer_printf(out, " %s", lvl_abilities[i].word);
    }
    lvl_buffer_u8(out, '\n');
    for (const lvl_form *form = own_form(f, f->forms); form; form = own_form(f, form + 1))
        lvl_buffer_printf(out, "    --to %-10s %s\n", form->name, form->title);
    for (size_t i = 0; i < f->program_count; i++)
        lvl_buffer_printf(out, "    --profile %-15s %s\n", f->programs[i].name, f->programs[i].prose);
}

static int explain_findings(cli *c)
{
    lvl_buffer out = {0};
    int code = EXIT_FINE;

    for (size_t i = 0; i < c->args.count; i++) {
        const char *name = c->args.items[i];
        lvl_status status = lvl_findings_reference(&c->ctx, NULL, name, c->opt->json, &out);
        const lvl_format *format = status == LVL_ERR_MISSING ? cli_format_named(name, 0) : NULL;
        if (format) /* formats of a family share some */
            status = lvl_findings_reference(&c->ctx, format, NULL, c->opt->json, &out);
        if (status == LVL_ERR_MISSING)
            cli_report(c, "there is no finding `%s'; `lvl formats --findings' lists all", name);
        else if (status != LVL_OK)
            cli_report(c, "%s", lvl_status_text(status));
        code = cli_max_exit_code(code, cli_code_of(status));
    }
    cli_out_text(c, &out);
    return code;
}

int cmd_formats(cli *c)
{
    const cli_options *opt = c->opt;
    const char *name = opt->schema ? opt->schema : opt->reference;
    const lvl_format *format = NULL;
    lvl_buffer out = {0};
    lvl_status status = LVL_OK;

    if (c->args.count && !opt->findings)
        return cli_usage(c,
                         "unexpected argument `%s'; use --findings ID, --schema FORMAT or --reference FORMAT",
                         c->args.items[0]);
    if (opt->schema && strcmp(opt->schema, "rules") == 0) {
        lvl_rules_schema(&c->ctx, &out);
        cli_out_text(c, &out);
        return EXIT_FINE;
    }
    if (name) {
        format = cli_format_named(name, 0);
        if (!format)
            return cli_no_format(c, "", name);
    }
    if (opt->schema) {
        status = lvl_schema(format, &out);
    } else if (opt->reference) {
        status = lvl_reference(format, &out);
    } else if (opt->signatures) {
        cli_signatures(&out, opt->signatures);
        status = out.status;
    } else if (opt->findings && c->args.count) {
        return explain_findings(c);
    } else if (opt->findings) {
        status = lvl_findings_reference(&c->ctx, NULL, NULL, opt->json, &out);
    } else {
        for (size_t i = 0; (format = lvl_format_at(i)) != NULL && status == LVL_OK; i++) {
            if (opt->json)
                status = lvl_format_json(format, false, &out);
            else
                one_text(&out, format);
        }
        if (!opt->json)
            lvl_buffer_printf(&out,
                              "%-10s %-48s read, as art and by `convert'; PNG, APNG and GIF are written\n",
                              "pictures", "PNG, GIF (the first frame), JPEG");
    }
    cli_out_text(c, &out);
    if (status != LVL_OK)
        cli_report(c, "%s", lvl_status_text(status));
    return cli_code_of(status);
}
