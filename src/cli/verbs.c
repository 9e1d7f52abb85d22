/*
 * cli/verbs.c: the one table of verbs: what each is for, how it is typed, examples (examples.c). Help, man pages and completions are
 * made of it.
 */
#include "cli/cli.h"

/* clang-format off */
const cli_verb cli_verb_table[] = {
    {"info", VERB_INFO, cmd_info, "say what a file is, on one screen",
     "FILE...",
     "Tells of each file what it is: its format, title, author, size, planes, what is in it, where its art was found. "
     "Nothing is judged; `lvl check' does that.\n\n"
     "`lvl FILE' without a verb means `lvl info FILE'.",
     "a file can't be read although its format is known, or a folder holds nothing that lvl knows", cli_examples_info},
    {"render", VERB_RENDER, cmd_render, "draw a level or an animation as a PNG",
     "FILE... -o FILE.png|DIR\n--graph FILE... [-o FILE.dot|FILE.png]",
     "Draws the whole main plane with its objects and what lies behind and before it; or one plane (--plane); or exactly what "
     "the game shows at a point (--camera). Pictures are looked for in --art, in LVL_ART, and beside and above the level. A level "
     "without art is drawn schematically: how its tiles behave and what its objects are.\n\n"
     "Of an animation one frame is drawn, or all of them side by side (--sheet), or an animated PNG (--apng, or -o FILE.apng) with its own times, "
     "which plays without end if the animation does. All are of one size, and transparent where nothing is drawn. --with says "
     "whose head, body or sword is shown, and in which colours; without, what the animation names, and what the game has.\n\n"
     "Of a map of a world all of its levels are drawn side by side. They are looked for by name where pictures are; a level that isn't "
     "there is an empty place with its name. --graph shows instead how levels hang together by their links.\n\n"
     "Of an archive everything in it is drawn that can be, into a folder; `ARCHIVE//FOLDER' and `ARCHIVE//MEMBER' draw less.\n\n"
     "Drawing goes in bands, so that a map of any size needs little memory.",
     "a file can't be read or drawn", cli_examples_render},
    {"convert", VERB_CONVERT, cmd_convert, "turn a file into another format",
     "FILE... -o FILE|DIR [--to FORM] [--allow-loss]",
     "Turns a level into another form of its family (another version, or text instead of binary), pictures into PNG and PNG into "
     "pictures, everything into JSON and JSON back. The ending of -o says which, or --to; `lvl formats' lists the forms. `lvl render' "
     "is what draws a level as its game does.\n\n"
     "Nothing is lost unseen: each thing that the target can't hold is named with its place, and the file is not converted then unless "
     "--allow-loss says so. A file that already has the form is written as it is.\n\n"
     "A picture (PNG, GIF, JPEG) becomes a drawing (a level, or a doodad, by the ending of -o) whose swatches are its colours, or those of --palette; what is "
     "transparent is nothing. A drawing becomes a PNG of one layer in the plain colours of its swatches. The "
     "PNG also keeps all that it doesn't show (title, actors, scripts, other layers), so that it becomes the "
     "same drawing again, with the pixels that were changed in between; --no-kept leaves that out, or "
     "ignores it. --chunk-size, --trim-palette and --screenshots change existing drawings, which keep their "
     "form unless --to names another.",
     "a file can't be read, or the target can't hold all that is in it", cli_examples_convert},
    {"check", VERB_CHECK, cmd_check, "say whether files are sound, and what is wrong",
     "FILE...",
     "Reads each file to the end and judges it by a profile. A file is sound if nothing in it is an error for the profile; "
     "damaged if it can be read, with errors; unreadable if nothing can be made of it; foreign if its format isn't known. "
     "Where programs of a game don't agree, the profile `game' is its newest release, and what only another program can read isn't held against a file; "
     "--profile with a program's name asks whether that very one can do with the file, and no otherwise. "
     "Findings are printed as\n\n"
     "  FILE:OFFSET: SEVERITY: ID: TEXT\n\n"
     "from warnings up; with -v from notes up, with -q errors only. Of each ID the first three that differ "
     "are printed, and the number of the others; -v and --json list all. Of a folder, files without findings "
     "are only counted, unless -v is given. `lvl formats --findings ID' explains an ID.\n\n"
     "Pictures, image sets and levels that a file names are looked for in --art, in LVL_ART, and beside and "
     "above the file; what is missing is a warning or a note and never changes the verdict. If none of them "
     "is found, a single note says so; of a folder, one line at the end counts such files. --no-art skips "
     "all of this.",
     "a file is damaged or unreadable, or did not come back the same (--roundtrip)", cli_examples_check},
    {"repair", VERB_REPAIR, cmd_repair, "mend what can be mended safely",
     "FILE... -o FILE|DIR | -i | --dry-run  [--recover]",
     "Mends missing parts, wrong sizes, offsets and checksums, and broken compressed streams, of which everything before the "
     "break is kept. Each change is listed. A file that needs nothing comes out as it went in, and repairing twice changes "
     "nothing more. The input is never touched unless -i asks for it.\n\n"
     "Some old editors left bytes of an earlier version of a file in it, which games read as things that nobody placed. A repair takes these "
     "out; where one can still be made out whole, --recover puts it back in its place instead.",
     "a file is beyond repair, or has errors left that repair can't mend", cli_examples_repair},
    {"dump", VERB_DUMP, cmd_dump, "write a file as JSON that loses nothing",
     "FILE... [-o FILE|DIR]",
     "Writes everything that is in a file as JSON, from which `lvl undump' makes the very same file again. Values that are their default "
     "are left out. What stands under \"~\" is only there to write the same bytes; it may be deleted, and doesn't hold any longer "
     "once what it belongs to is edited.",
     "a file can't be read, or --path finds nothing", cli_examples_dump},
    {"undump", VERB_UNDUMP, cmd_undump, "make a file from its JSON dump",
     "FILE.json... -o FILE|DIR",
     "Makes the file that a dump was made of, with the changes that were made to the dump. Counts, sizes, offsets and checksums follow by "
     "themselves. An unknown key or a value of the wrong kind is an error, and nothing is written then.",
     "a dump can't be understood", cli_examples_undump},
    {"get", VERB_GET, cmd_get, "print values by their paths",
     "FILE PATH...\nFILE... -e PATH [-e PATH]...",
     "Prints the values that paths find, one a line: numbers, names and texts plainly, anything larger as "
     "one line of JSON, a record with its defaults. FILE may be a folder. Of several files, or a folder, "
     "each line begins with the file's name.\n\n"
     "Paths:\n\n"
     "  planes[0].objects[3].logic        counted from 0\n"
     "  planes[-1]                        from the end\n"
     "  planes[*].objects[*].x            all of them\n"
     "  planes[\"Action\"].name             by name\n"
     "  objects[logic=Rat,x>=100].health  those that meet conditions: = != < > <= >= and ~ (contains)\n"
     "  tiles[5,7]  tiles[0,0 9,4]        a cell, a region of cells\n"
     "  title                             the title, also where the format has another name for it\n\n"
     "With several files, a file in which a path finds nothing, or whose format has no such field, is "
     "counted as one without a match; this is no error. A field that none of the formats has is an error.",
     "nothing was found in any file, or a file can't be read", cli_examples_get},
    {"set", VERB_SET, cmd_set, "change values by their paths",
     "FILE PATH=VALUE... [--unset PATH]... -o FILE|DIR | -i\n"
     "FILE... -e PATH=VALUE... [--unset PATH]... -o DIR | -i",
     "Changes values. Nothing but these values changes in the file, and what follows from them (counts, "
     "sizes, offsets, checksums). Paths are those of `lvl get'; `objects[+]' is a new item at the end, "
     "`objects[+2]' one before item 2; its value is JSON as `lvl get' prints it. FILE may be a folder, or a "
     "member of an archive, which goes back into it (-i) or into a copy of it (-o COPY). No blanks stand "
     "around the =.\n\n"
     "+= and -= add to and take from what is there: a number, flags, the items of a list (`links+=ID', "
     "`tags-=NAME'; of records the one of that name); *= multiplies a number. What means an item of a list "
     "by its number follows: pixels keep their colours when a swatch is put in or taken out, and those of "
     "one that is taken out go.\n\n"
     "Of a single file, all changes are made or none: each path must find something. A value that the file "
     "cannot hold, so that it would read otherwise (lvl.write.lost), is an error, and nothing is written. "
     "Other errors that `lvl check' did not find before the change are printed, and the file is written.\n\n"
     "Of several files, or a folder, each file is changed by itself. The changes whose path finds something "
     "in it are made in their order; the others are skipped. A file in which no path finds anything is "
     "unchanged, and with -o DIR copied as it is; this is no error. An error (a value that does not fit, a "
     "field that the file's format lacks) leaves the whole file unchanged: a wrong value is printed, once "
     "for all files that have it, and ends with code 1; a missing field is printed once for each format, and "
     "is an error only if no format has it. The last line counts: `2,571 files: 6 changed, 2,565 without a "
     "match'.",
     "nothing was found in any file, a value does not fit, or a file can't be read", cli_examples_set},
    {"explain", VERB_EXPLAIN, cmd_explain, "say what each byte of a file is",
     "FILE... [--at OFFSET | --path PATH | --residue | --all]",
     "Goes through a file, and through what is compressed in it, and says of each part where it lies and what it is. "
     "Offsets inside a compressed stream are shown as STREAM/OFFSET.",
     "a file can't be read, nothing is at that place, or --residue found some", cli_examples_explain},
    {"diff", VERB_DIFF, cmd_diff, "show what changed between two files or folders",
     "A B",
     "Compares what two files say, not their bytes: records field by field, cells as regions, items of lists paired by what "
     "makes them the same one. Two folders are compared file by file, by their names below each, whose endings may differ, and so are folders in archives (`A.pack//levels B.pack//levels'); a level and what it was converted to can be compared.",
     "they differ", cli_examples_diff},
    {"extract", VERB_EXTRACT, cmd_extract, "take files out of an archive or level, or scripts out of a level",
     "FILE [MEMBER...] -o DIR | --list\nFILE MEMBER -o FILE | -\nLEVEL... --scripts --signs -o DIR | --list",
     "Writes the members of an archive, or what is attached to a level (pictures, wallpapers, doodads), below DIR: all, or those named, a folder with all "
     "that is in it, or those like a pattern (`levels/*'). One member goes to a file if -o has its ending. "
     "Nothing is ever written outside of DIR: a member whose name leads out of it, or is not valid on every "
     "system, is reported and skipped. `lvl pack' puts all of it back. Every verb also reads members "
     "directly: `lvl info FILE//FOLDER/MEMBER'.\n\n"
     "With --scripts or --signs, writes the texts of a level below DIR instead, each as a file of its own in UTF-8: `npc-003-door.txt' is the "
     "fourth NPC's script, `script.js' a doodad's. Edit them, and `lvl pack' puts them back. Several levels get a folder each below DIR, by their names.",
     "a member isn't there or could not be written safely", cli_examples_extract},
    {"pack", VERB_PACK, cmd_pack, "make an archive of a folder, or put files back into an archive or level",
     "DIR -o FILE [--to FORMAT]\nDIR FILE... -o FILE|DIR | -i  [--delete]\nFILE... -o FILE|DIR | -i  --dedupe | --set PATH=VALUE",
     "Packs a folder with all that is in it, but not what is hidden. The same files give the same archive, byte for byte. A pack of levels gets its "
     "index: the one that lies in the folder, with what it lacks; levels that it doesn't name follow by their names, with title, author and id as they say "
     "themselves. --set changes what else it says: `--set title=...'.\n\n"
     "With a FILE, puts back what `lvl extract' wrote into DIR: members of an archive, what is attached to a level, and the scripts and signs of "
     "--scripts and --signs. What is the same as before keeps its bytes and its place, what is new is added, and what has no file stays, unless "
     "--delete is given. The index of a pack follows. Of scripts and signs only the beginning of a name counts (`npc-003'); a file whose name means nothing "
     "there is an error, and then nothing is written.",
     "the format can't hold a name, or a file is for nothing in the level", cli_examples_pack},
    {"formats", VERB_FORMATS, cmd_formats, "list formats, findings, schemas",
     "[--findings [ID...] | --schema FORMAT | --reference FORMAT]",
     "Lists the formats that lvl knows and what can be done with each: the forms that it converts to, and the programs that --profile may name.",
     NULL, cli_examples_formats},
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
