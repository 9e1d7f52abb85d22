/*
 * cli/usage/man.c: manual pages, generated from the tables, with portable man(7) macros.
 */
#include "cli/usage/usage.h"

#include <stdlib.h>
#include <string.h>

/* Text, escaped for roff. */
static void text(lvl_buffer *out, const char *str, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool line_start = !out->len || out->data[out->len - 1] == '\n';
        if (line_start && (str[i] == '.' || str[i] == '\''))
            lvl_buffer_str(out, "\\&");
        switch (str[i]) {
        case '\\': lvl_buffer_str(out, "\\e"); break;
        case '-': lvl_buffer_str(out, "\\-"); break;
        case '`': lvl_buffer_str(out, "\\(oq"); break;
        case '\'': lvl_buffer_str(out, "\\(cq"); break;
        case '~': lvl_buffer_str(out, "\\(ti"); break;
        case '^': lvl_buffer_str(out, "\\(ha"); break;
        default: lvl_buffer_u8(out, (uint8_t)str[i]);
        }
    }
}

static void put_text(lvl_buffer *out, const char *s)
{
    text(out, s, strlen(s));
}

/* The same for commands, whose quotes stay ASCII. */
static void typed(lvl_buffer *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '\'')
            lvl_buffer_str(out, "\\(aq");
        else if (*s == '`')
            lvl_buffer_str(out, "\\(ga");
        else
            text(out, s, 1);
    }
}

static void paragraphs(lvl_buffer *out, const char *prose)
{
    for (const char *p = prose; *p;) {
        const char *end = strstr(p, "\n\n");
        size_t len = end ? (size_t)(end - p) : strlen(p);
        bool as_is = *p == ' ';
        if (p != prose && !as_is)
            lvl_buffer_str(out, ".PP\n");
        if (as_is)
            lvl_buffer_str(out, ".PP\n.nf\n");
        text(out, p, len);
        lvl_buffer_u8(out, '\n');
        if (as_is)
            lvl_buffer_str(out, ".fi\n");
        p += len + (end ? 2 : 0);
    }
}

static void options(lvl_buffer *out, const cli_verb *verb, cli_group group)
{
    for (const cli_option *o = cli_option_from(cli_option_table, verb); o; o = cli_option_from(o + 1, verb)) {
        if (o->group != group)
            continue;
        lvl_buffer_str(out, ".TP\n");
        if (o->letter)
            lvl_buffer_printf(out, "\\fB\\-%c\\fR, ", o->letter);
        lvl_buffer_str(out, "\\fB\\-\\-");
        put_text(out, o->name);
        lvl_buffer_str(out, "\\fR");
        if (o->arg) {
            lvl_buffer_str(out, " \\fI");
            put_text(out, o->arg);
            lvl_buffer_str(out, "\\fR");
        }
        lvl_buffer_u8(out, '\n');
        lvl_buffer prose = {0};
        cli_option_prose(o, &prose);
        if (prose.status == LVL_OK)
            put_text(out, (const char *)prose.data);
        else
            out->status = prose.status;
        lvl_buffer_free(&prose);
        lvl_buffer_str(out, ".\n");
    }
}

static void exit_codes(lvl_buffer *out, const cli_verb *verb)
{
    lvl_buffer_str(out, ".SH EXIT STATUS\n");
    for (int i = EXIT_FINE; i <= EXIT_FOREIGN; i++) {
        const char *means = cli_exit_text(i, verb);
        if (!means)
            continue;
        lvl_buffer_printf(out, ".TP\n%d\n", i);
        put_text(out, means);
        lvl_buffer_str(out, ".\n");
    }
    if (!verb)
        lvl_buffer_str(out, ".PP\nWith many files, the code is the first of 3, 4, 1 that any of them has.\n");
}

static void head(lvl_buffer *out, const cli_verb *verb)
{
    char name[32];
    size_t n = 0;

    snprintf(name, sizeof name, "lvl%s%s", verb ? "-" : "", verb ? verb->name : "");
    lvl_buffer_str(out, ".\\\" Made by `lvl help --man'; do not edit.\n.TH ");
    for (; name[n]; n++)
        lvl_buffer_u8(out, name[n] >= 'a' && name[n] <= 'z' ? (uint8_t)(name[n] - 32) : (uint8_t)name[n]);
    lvl_buffer_printf(out, " 1 \"\" \"lvl %s\" \"lvl manual\"\n.SH NAME\n", lvl_version());
    put_text(out, name);
    lvl_buffer_str(out, " \\- ");
    put_text(out, verb ? verb->summary
                       : "level files of old 2D games: read, explain, check, repair, edit, draw, compare");
    lvl_buffer_u8(out, '\n');
}

static void examples(lvl_buffer *out, const cli_verb *verb)
{
    const cli_example *first = cli_verb_examples(verb);

    for (const cli_example *e = first; e->prose; e++) {
        lvl_buffer_str(out, e == first ? ".SH EXAMPLES\n.TP\n\\fB" : ".TP\n\\fB");
        typed(out, e->command);
        lvl_buffer_str(out, "\\fR\n");
        put_text(out, e->prose);
        lvl_buffer_u8(out, '\n');
    }
}

static void verb_page(lvl_buffer *out, const cli_verb *verb)
{
    static const char *const titles[GROUP_COUNT] = {"OPTIONS", "Output", "Reading", "General"};

    head(out, verb);
    lvl_buffer_str(out, ".SH SYNOPSIS\n");
    for (const char *line = verb->usage; line;) {
        const char *nl = strchr(line, '\n');
        char *one = cli_format("%.*s", nl ? (int)(nl - line) : (int)strlen(line), line);
        lvl_buffer_printf(out, "\\fBlvl %s\\fR ", verb->name);
        if (verb->bit & VERB_DOCS)
            lvl_buffer_str(out, "[\\fIOPTION\\fR...] ");
        put_text(out, one ? one : "");
        lvl_buffer_str(out, nl ? "\n.br\n" : "\n");
        free(one);
        line = nl ? nl + 1 : NULL;
    }
    lvl_buffer_str(out, ".SH DESCRIPTION\n");
    paragraphs(out, verb->description);
    lvl_buffer_printf(out, ".SH %s\n", titles[0]);
    options(out, verb, GROUP_OWN);
    for (int g = GROUP_OWN + 1; g < GROUP_COUNT; g++) {
        lvl_buffer_printf(out, ".SS %s\n", titles[g]);
        options(out, verb, (cli_group)g);
    }
    exit_codes(out, verb);
    examples(out, verb);
    lvl_buffer_str(out, ".SH SEE ALSO\n\\fBlvl\\fR(1)\n");
}

static void main_page(lvl_buffer *out)
{
    head(out, NULL);
    lvl_buffer_str(out, ".SH SYNOPSIS\n\\fBlvl\\fR \\fIVERB\\fR [\\fIOPTION\\fR...] \\fIFILE\\fR...\n.br\n"
                        "\\fBlvl\\fR \\fIFILE\\fR...\n.SH DESCRIPTION\n");
    paragraphs(out, cli_about);
    paragraphs(out, "`lvl FILE' alone is `lvl info FILE'.");
    lvl_buffer_str(out, ".PP\n");
    paragraphs(out, cli_about_files);
    lvl_buffer_str(out, ".SH VERBS\n");
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        lvl_buffer_printf(out, ".TP\n\\fBlvl\\-%s\\fR(1)\n", v->name);
        put_text(out, v->summary);
        lvl_buffer_u8(out, '\n');
    }
    const cli_verb *any = cli_verb_find("info");
    lvl_buffer_str(out, ".SH OPTIONS\nMost verbs take these, before or after the verb.\n");
    options(out, any, GROUP_OUTPUT);
    options(out, any, GROUP_READING);
    options(out, any, GROUP_GENERAL);
    exit_codes(out, NULL);
    lvl_buffer_str(out, ".SH ENVIRONMENT\n.TP\n\\fBLVL_ART\\fR\n"
                        "folders and archives with pictures, as \\fB\\-\\-art\\fR, separated by colons.\n"
                        ".TP\n\\fBNO_COLOR\\fR\nif set and not empty, no colours.\n");
}

void cli_man(lvl_buffer *out, const cli_verb *verb)
{
    if (verb)
        verb_page(out, verb);
    else
        main_page(out);
}
