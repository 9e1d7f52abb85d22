/*
 * cli/verbs.c: the one table of verbs: what each is for, how it is typed, examples. Help, man pages and completions are made of it, and a test runs
 * the examples.
 */
#include "cli/cli.h"

#include <string.h>

static const cli_example info_examples[] = {
    {"lvl info samples/cliff.wwd", "what this level is, on one screen", 0},
    {"lvl samples/cliff.wwd", "the same: info is what lvl does with a file alone", 0},
    {"lvl info --json samples", "every file in a folder, one JSON object a line", 0},
    {NULL, NULL, 0},
};

static const cli_example render_examples[] = {
    {"lvl render samples/cliff.wwd -o cliff.png",
     "the whole level, with the art that lies beside or above it", 0},
    {"lvl render samples/cliff.wwd --camera 600,400 --view 640x480 -o view.png",
     "what the game would show there", 0},
    {"lvl render samples/cliff.wwd --schematic --overlay grid,objects,legend -o plan.png", "a plan of it", 0},
    {"lvl render samples --size 256 -o thumbnails", "a thumbnail of every level in a folder", 0},
    {NULL, NULL, 0},
};

static const cli_example convert_examples[] = {
    {"lvl convert samples/cliff.wwd -o cliff.json", "a level as JSON, as `lvl dump' writes it", 0},
    {"lvl convert cliff.json -o again.wwd", "and back, byte for byte", 0},
    {NULL, NULL, 0},
};

static const cli_example check_examples[] = {
    {"lvl check samples/cliff.wwd", "is it sound?", 0},
    {"lvl check --roundtrip --json samples/cliff.wwd", "does lvl lose anything of it? One JSON object a file",
     0},
    {"lvl check --profile strict --summary samples", "how a whole folder is, by the letter", 1},
    {NULL, NULL, 0},
};

static const cli_example repair_examples[] = {
    {"lvl repair --dry-run samples/damaged/truncated.wwd", "what would be mended", 0},
    {"lvl repair samples/damaged/truncated.wwd -o mended.wwd", "mend it into a new file", 0},
    {NULL, NULL, 0},
};

static const cli_example dump_examples[] = {
    {"lvl dump samples/cliff.wwd", "the whole file as JSON", 0},
    {"lvl dump --path 'planes[0]' samples/cliff.wwd", "one part of it", 0},
    {"lvl dump samples -o dumps", "a folder of dumps, cliff.wwd.json and so on", 0},
    {NULL, NULL, 0},
};

static const cli_example undump_examples[] = {
    {"lvl dump samples/cliff.wwd | lvl undump - -o same.wwd", "there and back, byte for byte", 0},
    {NULL, NULL, 0},
};

static const cli_example get_examples[] = {
    {"lvl get samples/cliff.wwd name author", "two fields of the level", 0},
    {"lvl get --paths samples/cliff.wwd 'planes[*].name'", "a field of each plane, with its path", 0},
    {NULL, NULL, 0},
};

static const cli_example set_examples[] = {
    {"lvl set samples/cliff.wwd 'name=New name' 'planes[0].z=5' -o changed.wwd", "two changes, in a new file",
     0},
    {"lvl set changed.wwd 'author=me' -i", "in place", 0},
    {NULL, NULL, 0},
};

static const cli_example explain_examples[] = {
    {"lvl explain samples/cliff.wwd --depth 2", "what lies where", 0},
    {"lvl explain samples/cliff.wwd --at 0x10", "what is at this offset?", 0},
    {"lvl explain samples/cliff.wwd --residue", "bytes that nothing explains: none", 0},
    {NULL, NULL, 0},
};

static const cli_example diff_examples[] = {
    {"lvl diff samples/cliff.wwd changed.wwd", "what was changed", 1},
    {"lvl diff --json samples samples", "two folders, file by file: no difference", 0},
    {NULL, NULL, 0},
};

static const cli_example extract_examples[] = {
    {"lvl extract --list samples/cliff.rez", "what is in it", 0},
    {"lvl extract samples/cliff.rez -o cliff", "all of it, into a folder", 0},
    {NULL, NULL, 0},
};

static const cli_example pack_examples[] = {
    {"lvl pack cliff -o again.rez", "a folder as an archive", 0},
    {NULL, NULL, 0},
};

static const cli_example formats_examples[] = {
    {"lvl formats", "what lvl knows", 0},
    {"lvl formats --findings", "everything that `lvl check' can say", 0},
    {NULL, NULL, 0},
};

/* clang-format off */
const cli_verb cli_verb_table[] = {
    {"info", VERB_INFO, cmd_info, "say what a file is, on one screen",
     "FILE...",
     "Tells of each file what it is: its format, title, author, size, planes, what is in it, where its art was found. "
     "Nothing is judged; `lvl check' does that.\n\n"
     "`lvl FILE' without a verb means `lvl info FILE'.",
     "a file can't be read although its format is known, or a folder holds nothing that lvl knows", info_examples},
    {"render", VERB_RENDER, cmd_render, "draw a level as a PNG",
     "FILE... -o FILE.png|DIR",
     "Draws the whole main plane with its objects and what lies behind and before it; or one plane (--plane); or exactly what "
     "the game shows at a point (--camera). Pictures are looked for in --art, in LVL_ART, and beside and above the level. A level "
     "without art is drawn schematically: how its tiles behave and what its objects are.\n\n"
     "Drawing goes in bands, so that a map of any size needs little memory.",
     "a file can't be read or drawn", render_examples},
    {"convert", VERB_CONVERT, cmd_convert, "turn a file into another format",
     "FILE... -o FILE|DIR [--to FORMAT]",
     "Turns pictures into PNG and PNG into pictures, levels and everything else into JSON and JSON back into them. The "
     "ending of -o says which, or --to. `lvl render' is what draws a level.",
     "a file can't be read, or the target can't carry what is in it", convert_examples},
    {"check", VERB_CHECK, cmd_check, "say whether files are sound, and what is wrong",
     "FILE...",
     "Reads each file to the end and judges it by a profile. A file is sound if nothing in it is an error for the profile; "
     "damaged if it can be read, with errors; unreadable if nothing can be made of it; foreign if its format isn't known. "
     "Findings are printed as\n\n"
     "  FILE:OFFSET: SEVERITY: ID: TEXT\n\n"
     "from warnings up; with -v from notes up, with -q errors only. `lvl formats --findings' explains every ID.\n\n"
     "References to pictures are checked where art is found (--art, LVL_ART, beside and above the level).",
     "a file is damaged or unreadable, or did not come back the same (--roundtrip)", check_examples},
    {"repair", VERB_REPAIR, cmd_repair, "mend what can be mended safely",
     "FILE... -o FILE|DIR | -i | --dry-run",
     "Mends missing parts, wrong sizes, offsets and checksums, and broken compressed streams, of which everything before the "
     "break is kept. Each change is listed. A file that needs nothing comes out as it went in, and repairing twice changes "
     "nothing more. The input is never touched unless -i asks for it.",
     "a file is beyond repair, or has errors left that repair can't mend", repair_examples},
    {"dump", VERB_DUMP, cmd_dump, "write a file as JSON that loses nothing",
     "FILE... [-o FILE|DIR]",
     "Writes everything that is in a file as JSON, from which `lvl undump' makes the very same file again. Values that are their default "
     "are left out. What stands under \"~\" is only there to write the same bytes; it may be deleted, and doesn't hold any longer "
     "once what it belongs to is edited.",
     "a file can't be read, or --path finds nothing", dump_examples},
    {"undump", VERB_UNDUMP, cmd_undump, "make a file from its JSON dump",
     "FILE.json... -o FILE|DIR",
     "Makes the file that a dump was made of, with the changes that were made to the dump. Counts, sizes, offsets and checksums follow by "
     "themselves. An unknown key or a value of the wrong kind is an error, and nothing is written then.",
     "a dump can't be understood", undump_examples},
    {"get", VERB_GET, cmd_get, "print values by their paths",
     "FILE PATH...",
     "Prints the values that paths find, one a line: numbers, names and texts plainly, anything larger as one line of JSON. "
     "FILE may be a folder; each line begins with the file's name then.\n\n"
     "Paths:\n\n"
     "  planes[0].objects[3].logic        counted from 0\n"
     "  planes[-1]                        from the end\n"
     "  planes[*].objects[*].x            all of them\n"
     "  planes[\"Action\"].name             by name\n"
     "  objects[logic=Rat,x>=100].health  those that meet conditions: = != < > <= >= and ~ (contains)\n"
     "  tiles[5,7]  tiles[0,0 9,4]        a cell, a region of cells",
     "a path finds nothing", get_examples},
    {"set", VERB_SET, cmd_set, "change values by their paths",
     "FILE PATH=VALUE... [--unset PATH]... -o FILE|DIR | -i",
     "Changes values, all or none: if one assignment makes no sense, nothing is written. Nothing but these values "
     "changes in the file, and what follows from them (counts, sizes, offsets, checksums). Paths are those of `lvl get'; "
     "`objects[+]' is a new item at the end. FILE may be a folder.",
     "a path finds nothing, or a file can't be read", set_examples},
    {"explain", VERB_EXPLAIN, cmd_explain, "say what each byte of a file is",
     "FILE... [--at OFFSET | --path PATH | --residue | --all]",
     "Goes through a file, and through what is compressed in it, and says of each part where it lies and what it is. "
     "Offsets inside a compressed stream are shown as STREAM/OFFSET.",
     "a file can't be read, nothing is at that place, or --residue found some", explain_examples},
    {"diff", VERB_DIFF, cmd_diff, "show what changed between two files or folders",
     "A B",
     "Compares what two files say, not their bytes: records field by field, cells as regions, items of lists paired by what "
     "makes them the same one. Two folders are compared file by file, by their names below each.",
     "they differ", diff_examples},
    {"extract", VERB_EXTRACT, cmd_extract, "take files out of an archive",
     "FILE [MEMBER...] -o DIR | --list",
     "Writes the members of an archive below DIR: all, or those named, a folder with all that is in it. Nothing is ever written outside of DIR. "
     "Every verb also reads members directly: `lvl info FILE//FOLDER/MEMBER'.",
     "a member isn't there or could not be written safely", extract_examples},
    {"pack", VERB_PACK, cmd_pack, "make an archive of a folder",
     "DIR -o FILE [--to FORMAT]",
     "Packs a folder with all that is in it, but not what is hidden. The same files give the same archive, byte for byte.",
     "the format can't hold a name", pack_examples},
    {"formats", VERB_FORMATS, cmd_formats, "list formats, findings, schemas",
     "[--findings | --schema FORMAT | --reference FORMAT]",
     "Lists the formats that lvl knows and what can be done with each.",
     NULL, formats_examples},
    {"help", VERB_HELP, cmd_help, "explain a verb",
     "[VERB]",
     "Prints what `lvl VERB --help' prints, or what all verbs are.",
     NULL, NULL},
    {"version", VERB_VERSION, cmd_version, "print the version",
     "", "Prints the version of the command.", NULL, NULL},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
/* clang-format on */

const char *cli_exit_text(int code, const cli_verb *verb)
{
    switch (code) {
    case EXIT_FINE: return "all is well; there may have been warnings";
    case EXIT_NEGATIVE:
        if (!verb)
            return "the answer is no: damaged, different, nothing found";
        return verb->negative;
    case EXIT_USAGE: return "the command line makes no sense";
    case EXIT_ENVIRONMENT: return "the system refused: a file can't be opened or written, no memory";
    case EXIT_FOREIGN: return "a file given by name is of no format that lvl knows";
    }
    return NULL;
}
