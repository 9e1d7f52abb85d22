/*
 * cli/usage/help.c: `lvl --help` and `lvl VERB --help`, generated from the tables.
 */
#include "cli/cli.h"

#include <string.h>

enum { WIDTH = 79 };

static void pad(lvl_buffer *out, size_t from, size_t to)
{
    if (from < to)
        lvl_buffer_fill(out, ' ', to - from);
}

/* Wraps one paragraph between column `indent`, where the output stands, and WIDTH. */
static void wrap_paragraph(lvl_buffer *out, const char *text, size_t len, unsigned indent)
{
    size_t column = indent;
    bool fresh = true;

    for (size_t i = 0; i < len;) {
        size_t word = 0;
        while (i + word < len && text[i + word] != ' ' && text[i + word] != '\n')
            word++;
        if (!fresh && column + 1 + word > WIDTH) {
            lvl_buffer_u8(out, '\n');
            lvl_buffer_fill(out, ' ', indent);
            column = indent;
            fresh = true;
        }
        if (!fresh) {
            lvl_buffer_u8(out, ' ');
            column++;
        }
        lvl_buffer_add(out, text + i, word);
        column += word;
        fresh = false;
        i += word;
        while (i < len && (text[i] == ' ' || text[i] == '\n'))
            i++;
    }
    lvl_buffer_u8(out, '\n');
}

/* Wraps all paragraphs. */
static void wrap(lvl_buffer *out, const char *prose, unsigned indent)
{
    for (const char *p = prose; *p;) {
        const char *end = strstr(p, "\n\n");
        size_t len = end ? (size_t)(end - p) : strlen(p);
        if (*p == ' ') { /* not wrapped, only indented */
            lvl_buffer_fill(out, ' ', indent);
            for (size_t i = 0; i < len; i++) {
                lvl_buffer_u8(out, (uint8_t)p[i]);
                if (p[i] == '\n')
                    lvl_buffer_fill(out, ' ', indent);
            }
            lvl_buffer_u8(out, '\n');
        } else {
            lvl_buffer_fill(out, ' ', indent);
            wrap_paragraph(out, p, len, indent);
        }
        p += len;
        if (end) {
            lvl_buffer_u8(out, '\n');
            p += 2;
        }
    }
}

/* Text beside a label that ends at column `at`, wrapped from `column` on. */
static void put_beside(lvl_buffer *out, size_t at, unsigned column, const char *text)
{
    if (at + 2 > column) {
        lvl_buffer_u8(out, '\n');
        at = 0;
    }
    pad(out, at, column);
    wrap_paragraph(out, text, strlen(text), column);
}

static void list_verbs(lvl_buffer *out)
{
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        size_t start = out->len;
        lvl_buffer_printf(out, "  %s", v->name);
        put_beside(out, out->len - start, 13, v->summary);
    }
}

static void list_options(lvl_buffer *out, const cli_verb *verb, cli_group group, const char *title)
{
    bool any = false;

    for (const cli_option *o = cli_option_from(cli_option_table, verb); o; o = cli_option_from(o + 1, verb)) {
        if (o->group != group)
            continue;
        if (!any)
            lvl_buffer_printf(out, "\n%s:\n", title);
        any = true;
        lvl_buffer line = {0};
        size_t start = out->len;
        if (o->letter)
            lvl_buffer_printf(out, "  -%c, --%s", o->letter, o->name);
        else
            lvl_buffer_printf(out, "      --%s", o->name);
        if (o->arg)
            lvl_buffer_printf(out, " %s", o->arg);
        cli_option_prose(o, &line);
        if (line.status == LVL_OK)
            put_beside(out, out->len - start, 28, (const char *)line.data);
        else
            out->status = line.status;
        lvl_buffer_free(&line);
    }
}

static void usage(lvl_buffer *out, const cli_verb *verb)
{
    const char *line = verb->usage, *word = "usage:";

    do {
        const int len = (int)strcspn(line, "\n");
        lvl_buffer_printf(out, "%s lvl %s %s%.*s%s\n", word, verb->name,
                          verb->bit & VERB_DOCS ? "[OPTION...] " : "", len, line,
                          verb->bit == VERB_FORMATS ? " [OPTION...]" : "");
        line += len;
        word = "      ";
    } while (*line++);
}

const char cli_about[] = "lvl reads, explains, checks, repairs, edits, draws, compares, converts and writes "
                         "level files of old 2D games "
                         "without losing data.";
const char cli_about_files[] =
    "A FILE is a file, a folder (read recursively, in order of names; hidden and unknown files are skipped), "
    "`-' "
    "for standard input, or a member of an archive: `pack.ext//FOLDER/MEMBER', or all of them: `pack.ext//'. "
    "A "
    "file on disk with that path is preferred. Formats are detected by content, not by file names.\n\n"
    "Data goes to standard output, messages to standard error. Existing files are only overwritten with -y, "
    "and a "
    "save that fails or is interrupted leaves the old file. Results go to -o FILE, those of several files to "
    "-o "
    "DIR; -i changes the input. Changed members go back into their archive, or, with -o COPY, into a copy of "
    "it. A "
    "run over many files continues after a bad one and ends with a count; the output is in the order of the "
    "input.";

void cli_help_short(lvl_buffer *out)
{
    lvl_buffer_str(out,
                   "usage: lvl VERB [OPTION...] FILE...\n"
                   "       lvl FILE...\n\n"
                   "Level files of old 2D games: read, explain, check, repair, edit, draw, compare.\n\n");
    list_verbs(out);
    lvl_buffer_str(out,
                   "\n`lvl VERB --help' explains a verb with examples; `lvl --help' is the full help.\n");
}

void cli_help_all(lvl_buffer *out)
{
    lvl_buffer_str(out, "usage: lvl VERB [OPTION...] FILE...\n"
                        "       lvl FILE...                     the same as lvl info FILE...\n\n");
    wrap(out, cli_about, 0);
    lvl_buffer_str(out, "\nVerbs:\n");
    list_verbs(out);
    lvl_buffer_str(out, "\nFiles:\n");
    wrap(out, cli_about_files, 2);
    const cli_verb *any = cli_verb_find("info");
    list_options(out, any, GROUP_READING, "Options of most verbs, for reading files");
    list_options(out, any, GROUP_GENERAL, "Options of most verbs");
    lvl_buffer_str(out, "\nExit codes:\n");
    for (int i = EXIT_FINE; i <= EXIT_FOREIGN; i++)
        lvl_buffer_printf(out, "  %d  %s\n", i, cli_exit_text(i, NULL));
    lvl_buffer_str(out, "  With many files, the code is the first of 3, 4, 1 that any of them has.\n");
    lvl_buffer_str(out, "\nEnvironment:\n"
                        "  LVL_ART    folders and archives with pictures, as --art; separated by `:'\n"
                        "  NO_COLOR   if set and not empty, no colours\n");
    lvl_buffer_str(out, "\n`lvl VERB --help' explains a verb with examples.\n");
}

enum { FIRST_EXAMPLES = 2 };

static void list_examples(lvl_buffer *out, const cli_example *e, size_t most, const char *title)
{
    if (e->prose)
        lvl_buffer_printf(out, "\n%s:\n", title);
    for (size_t i = 0; i < most && e[i].prose; i++) {
        lvl_buffer_printf(out, "  %s\n", e[i].command);
        pad(out, 0, 6);
        wrap_paragraph(out, e[i].prose, strlen(e[i].prose), 6);
    }
}

void cli_help_verb(lvl_buffer *out, const cli_verb *verb)
{
    static const char *const titles[GROUP_COUNT] = {"Options", "Output", "Reading", "General"};

    const cli_example *examples = cli_verb_examples(verb);

    usage(out, verb);
    list_examples(out, examples, FIRST_EXAMPLES, "Examples");
    lvl_buffer_u8(out, '\n');
    wrap(out, verb->description, 0);
    for (int g = 0; g < GROUP_COUNT; g++)
        list_options(out, verb, (cli_group)g, titles[g]);
    if (verb->bit & VERB_DOCS) {
        lvl_buffer_str(out, "\nExit codes:\n");
        for (int i = EXIT_FINE; i <= EXIT_FOREIGN; i++) {
            const char *text = cli_exit_text(i, verb);
            if (!text)
                continue;
            lvl_buffer_printf(out, "  %d", i);
            put_beside(out, 3, 5, text);
        }
    }
    if (examples[0].prose && examples[1].prose)
        list_examples(out, examples + FIRST_EXAMPLES, SIZE_MAX, "More examples");
}

void cli_help_examples(lvl_buffer *out)
{
    for (const cli_example *e = cli_example_table; e->command; e++) {
        if (e->prose)
            lvl_buffer_printf(out, "%d %s\n", e->code, e->command);
    }
}
