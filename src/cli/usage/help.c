/*
 * cli/usage/help.c: `lvl --help` and `lvl VERB --help`, generated from the tables.
 */
#include "cli/usage/usage.h"

#include "base/format.h"
#include "base/text.h"
#include "cli/usage/reference.h"

#include <string.h>

enum { WIDTH = 79 };

static void pad(lvl_buffer *out, size_t from, size_t to)
{
    if (from < to)
        lvl_buffer_fill(out, ' ', to - from);
}

/* Wraps one paragraph between column `indent`, the current one, and WIDTH. */
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

static const char reading[] =
    "How files are read: --profile and --limit, which all verbs that read files have.\n\n"
    "--profile NAME says whose rules decide what is an error:\n\n"
    "  strict           the description of the format\n"
    "  game             what the game loads (default)\n"
    "  salvage          whatever can be kept\n\n"
    "Where programs of a game differ, one of them can be named:\n\n";
static const char limits[] =
    "--limit NAME=N raises or lowers a limit; N may end in K, M or G. A message that a limit was exceeded "
    "names it. Of each file:\n\n"
    "  input_bytes      its size (1G)\n"
    "  memory_bytes     memory (768M); a document may use a sixth of it, a picture half\n"
    "  cells            cells of a grid, pixels of a picture (256M)\n"
    "  items            items of a list (16M)\n"
    "  depth            folders in folders, lists in lists (64)\n"
    "  inflate_ratio    inflated over compressed size (1032)\n"
    "  findings         findings that are kept (10000)\n"
    "  work             steps of a search or scan (2G, about ten seconds)\n\n"
    "Of an archive with all archives in it:\n\n"
    "  members          members (1M)\n"
    "  inflated         bytes of all members (4G)\n"
    "  nested           archives in archives (8)\n\n"
    "What is beyond these three is skipped, named and counted, and the exit code is 1.";

static const char rules_title[] = "Rules and things of your own, for `lvl check --rules FILE': of a contest, "
                                  "a server, a campaign. FILE is JSON:\n\n";
static const char rules[] =
    "format is one of `lvl formats', and files of others are left out with a note; game (claw, gruntz, …) "
    "adds the things of its book. A file with things needs no rules.\n\n"
    "A rule has id (words with points; the first is none of lvl's: contest.bosses), severity (note, warning, "
    "error), and text, "
    "which is printed. What it is about:\n\n"
    "  path    what `lvl get' would find, or a list of paths\n"
    "  things  names, @kind (@boss: bosses and their parts), -name for all but it: \"@enemy Raux -Rat\"\n"
    "  if      only things for which this holds: \"health > 100, smarts = 1|4..6\"; a list: one of them "
    "holds\n"
    "  most    at most so many may be found\n"
    "  least   at least so many must be found\n"
    "  set     true: what the path finds must have a value\n\n"
    "Without most, least and set each that is found is a finding. A condition compares fields: FIELD|FIELD = "
    "VALUE|LEAST..MOST, "
    "with = != < <= > >=, FIELD > FIELD, FIELD = \"TEXT\"|\"TEXT\" (upper or lower case); it holds if it "
    "does for one of the "
    "fields, after `all ' for each; a comma is and. `rect.*' are the four sides of a box. @item are all "
    "fields "
    "of a thing that "
    "hold an item: what an enemy drops, what a crate has in it (the game's book says which; `lvl help claw "
    "item' lists the numbers). @base is the number of the base level. A path may use names: "
    "planes[*].objects[kind=enemy,drops=crown].\n\n"
    "things of your own have a kind (boss, enemy, exit ...) and may have is, note and uses. NAME is the "
    "logic, or the file of a doodad; "
    "CLASS/NAME one of that "
    "name, as CustomLogic/Wizard for a Lua file of CrazyHook. uses say what its fields mean, in the form of "
    "lvl's own books (data/games): "
    "{\"fields\": \"powerup user_rect1.*\", \"value\": \"item\"}. Fields with the value item count for "
    "@item. parts names uses that several things have.\n\n"
    "`lvl move', `copy --by', `resize' and `render' take --rules, too: positions that belong to such a thing "
    "move with it, "
    "or with the level, and `render --overlay patrol' draws them:\n\n"
    "  moves    px, tile, address (256 * column + row): a position in the level;\n"
    "           relative: to the thing\n"
    "  zero     which numbers are not set: each (that is 0), group (if all are 0),\n"
    "           pairs (x, y that are both 0), both (unless all are above 0),\n"
    "           always (none)\n"
    "  follows  if things are moved: thing (its own; the default), place (what is\n"
    "           there, as a destination), other (the thing that stands there)\n"
    "  shape    patrol, travel, area, point, path, address; relative: sides, reach,\n"
    "           size, steps\n"
    "  if       a condition: only then\n"
    "  unread   true: the game does not read them\n\n"
    "moves needs zero, and game if it is in tiles. text, unit, when_0, range, note, sure and word are for "
    "those who read the file.\n\n"
    "A mistake is reported by line and column, and nothing is done. Findings of lvl stay as they are. A file "
    "may have "
    "1 MiB and 1000 rules, 7168 things, 256 different uses (32 of a thing, 32 fields of a use) with those of "
    "the game that hold items, "
    "255 conditions of uses, 32 paths and 32 alternatives of a rule, texts of 1000 characters. Examples are "
    "samples/rules/contest.json and "
    "server.json; `lvl formats --schema rules' is their JSON Schema.";

void cli_help_rules(lvl_buffer *out)
{
    wrap(out, rules_title, 0);
    wrap(out, cli_rules_example, 0);
    wrap(out, rules, 0);
    lvl_buffer_u8(out, '\n');
}

void cli_help_reading(lvl_buffer *out)
{
    const lvl_program *program;

    wrap(out, reading, 0);
    for (size_t i = 0; (program = lvl_program_at(i)) != NULL; i++) {
        const size_t start = out->len;
        lvl_buffer_printf(out, "  %s", program->name);
        put_beside(out, out->len - start, 19, program->prose);
    }
    lvl_buffer_u8(out, '\n');
    wrap(out, limits, 0);
}

/* ---- games --------------------------------------------------------------------------------------------- */

/* The games that have a reference, and how to ask for a part of it. */
static void list_topics(lvl_buffer *out, const cli_reference *game)
{
    lvl_buffer names = {0};

    lvl_buffer_printf(out, "%s: `lvl help %s NAME' explains one of these.\n\n", game->title, game->game);
    wrap(out, game->about, 0);
    for (const cli_topic *t = game->topics; t->name; t++) {
        const bool first = t == game->topics || strcmp(t->group, t[-1].group) != 0;
        if (first)
            lvl_buffer_printf(out, "\n%s:\n", t->group);
        lvl_buffer_printf(&names, "%s%s", first ? "" : ", ", t->name);
        if (t[1].name && strcmp(t->group, t[1].group) == 0)
            continue;
        lvl_buffer_u8(&names, 0);
        if (names.status == LVL_OK)
            put_beside(out, 0, 2, (const char *)names.data);
        else
            out->status = names.status;
        names.len = 0;
    }
    lvl_buffer_free(&names);
}

static void put_topic(lvl_buffer *out, const cli_topic *topic)
{
    bool beside = false;

    lvl_buffer_printf(out, "%s\n", topic->name);
    for (unsigned i = 0; i < topic->row_count; i++) {
        const cli_topic_row *row = &topic->rows[i];
        if (!row->label[0] || !beside)
            lvl_buffer_u8(out, '\n');
        beside = row->label[0] != 0;
        const size_t start = out->len;
        if (beside)
            lvl_buffer_printf(out, "  %s", row->label);
        if (beside && row->text[0])
            put_beside(out, out->len - start, 24, row->text);
        else if (beside)
            lvl_buffer_u8(out, '\n');
        else
            wrap(out, row->text, 0);
    }
}

const cli_reference *cli_reference_find(const char *game)
{
    for (const cli_reference *r = cli_references; r->game; r++) {
        if (strcmp(r->game, game) == 0)
            return r;
    }
    return NULL;
}

const char *cli_help_game(lvl_buffer *out, const cli_reference *game, const char *name)
{
    const lvl_text wanted = lvl_text_of(name ? name : "");
    unsigned best = 3;
    const char *near = "";

    if (!name) {
        list_topics(out, game);
        return NULL;
    }
    for (const cli_topic *t = game->topics; t->name; t++) {
        const unsigned d = lvl_text_distance(wanted, lvl_text_of(t->name), best);
        if (lvl_text_equal_nocase(wanted, lvl_text_of(t->name))) {
            put_topic(out, t);
            return NULL;
        }
        if (d < best) {
            best = d;
            near = t->name;
        }
    }
    return near;
}

/* ---- verbs --------------------------------------------------------------------------------------------- */

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
