/*
 * cli/options.c: the one table of options. Parsing, help, man pages and completions are made of it.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

#define AT(member) offsetof(cli_options, member)

enum {
    WITH_ART = VERB_CONVERT | VERB_INFO | VERB_CHECK | VERB_REPAIR | VERB_RENDER | VERB_DIFF | VERB_MERGE |
               VERB_VIEW,
    WITH_OUTPUT = VERB_RENDER | VERB_CONVERT | VERB_REPAIR | VERB_DUMP | VERB_UNDUMP | VERB_SET |
                  VERB_EXTRACT | VERB_PACK | VERB_MERGE | VERB_GMAP | VERB_COPY | VERB_RESIZE | VERB_NEW |
                  VERB_VIEW,
    EDITS = VERB_REPAIR | VERB_SET | VERB_PACK | VERB_CONVERT | VERB_MERGE | VERB_COPY | VERB_RESIZE,
    WITH_JSON = VERB_ALL & ~(VERB_RENDER | VERB_CONVERT | VERB_UNDUMP | VERB_PACK | VERB_HELP | VERB_VERSION |
                             VERB_GIT | VERB_TILED)
};

/* clang-format off */
const cli_option cli_option_table[] = {
    /* own: what a verb is about */
    {"plane", 0, "N|NAME", CLI_STRING, AT(plane), NULL, GROUP_OWN, VERB_RENDER,
     "draw only this plane, as a whole: its number, counted from 0, or its name", NULL, false},
    {"camera", 0, "X,Y", CLI_STRING, AT(camera), "the level's start", GROUP_OWN, VERB_RENDER,
     "draw what the game shows with its camera centred at this point of the main plane, in pixels", NULL,
         false},
    {"view", 0, "WxH", CLI_STRING, AT(view), "1024x768", GROUP_OWN, VERB_RENDER,
     "size of the camera's view in pixels; without --camera, at the level's start", NULL, false},
    {"region", 0, "X,Y,W,H", CLI_STRING, AT(region), NULL, GROUP_OWN, VERB_RENDER,
     "only this part of the picture, in pixels before scaling", NULL, false},
    {"size", 0, "N|WxH", CLI_STRING, AT(size), NULL, GROUP_OWN, VERB_RENDER | VERB_DIFF,
     "shrink the picture to fit into N by N, or W by H; never enlarges", NULL, false},
    {"scale", 0, "N|1/N", CLI_STRING, AT(scale), "1", GROUP_OWN, VERB_RENDER,
     "enlarge or shrink by a whole factor", NULL, false},
    {"scale", 0, "1/N", CLI_STRING, AT(scale), "so that players are as tall in both games", GROUP_OWN,
         VERB_CONVERT,
     "of a level that becomes a level of another game: one pixel for N by N", NULL, false},
    {"frame", 0, "N|NAME", CLI_STRING, AT(frame), "0", GROUP_OWN, VERB_RENDER,
     "of an animation, or a drawing with layers: draw this one, counted from 0, or by its name", NULL, false},
    {"direction", 0, "NAME", CLI_STRING, AT(direction), "down", GROUP_OWN, VERB_RENDER,
     "of an animation: draw this side; with --sheet only this one", "up left down right", false},
    {"sheet", 0, NULL, CLI_FLAG, AT(sheet), NULL, GROUP_OWN, VERB_RENDER,
     "of an animation: all frames in one picture, a column for each frame, a row for each direction (up, "
         "left, down, right)", NULL, false},
    {"apng", 0, NULL, CLI_FLAG, AT(apng), NULL, GROUP_OWN, VERB_RENDER,
     "of an animation: an animated PNG, with the animation's own times; implied if -o ends in .apng", NULL,
         false},
    {"with", 0, "NAME=VALUE", CLI_STRINGS, AT(with), NULL, GROUP_OWN, VERB_RENDER,
     "of an animation: what a layer shows, as `head=head3.png' or `param1=12', or the colour of `skin', "
         "`coat', `sleeves', `shoes' or `belt', as `coat=darkblue' or `belt=#ffcc00'; may be given several "
         "times",
     NULL, false},
    {"layers", 0, "LIST", CLI_STRING, AT(layers), NULL, GROUP_OWN, VERB_RENDER,
     "draw these planes and nothing else: numbers and names separated by commas, and `objects'", NULL, false},
    {"hide", 0, "LIST", CLI_STRING, AT(hide), NULL, GROUP_OWN, VERB_RENDER,
     "do not draw these planes, or `objects'", NULL, false},
    {"overlay", 0, "LIST", CLI_STRING, AT(overlay), NULL, GROUP_OWN, VERB_RENDER,
     "draw on top: `grid', `attributes' (how tiles behave), `objects' (outlines, boxes and logic, hidden "
         "ones too), `patrol' (ranges and links), `legend', or `all'",
     "grid attributes objects patrol legend all", false},
    {"schematic", 0, NULL, CLI_FLAG, AT(schematic), NULL, GROUP_OWN, VERB_RENDER | VERB_DIFF,
     "draw how tiles behave and what objects are, even if there is art", NULL, false},
    {"graph", 0, NULL, CLI_FLAG, AT(graph), NULL, GROUP_OWN, VERB_RENDER,
     "draw the links between all files: as DOT to stdout or a `.dot' file, or to a `.png' as a picture of "
         "all levels, each of --size pixels (96); missing levels are dashed, one-way links are marked",
     NULL, false},
    {"transparent", 0, NULL, CLI_FLAG, AT(transparent), NULL, GROUP_OWN, VERB_RENDER,
     "leave the background transparent instead of black; animations always do", NULL, false},
    {"to", 0, "FORM", CLI_STRING, AT(to), "by the ending of -o", GROUP_OWN, VERB_CONVERT,
     "what to make: a format, or one of its forms, as `lvl formats' lists them, or `png', `json', `tmx', "
     "`tmj' or `world'", NULL,
         false},
    {"to", 0, "FORMAT", CLI_STRING, AT(to), "by the ending of -o", GROUP_OWN, VERB_PACK,
     "the format to make: one of `lvl formats'", NULL, false},
    {"allow-loss", 0, NULL, CLI_FLAG, AT(allow_loss), NULL, GROUP_OWN, VERB_CONVERT,
     "convert even if the target cannot represent everything: such values become the nearest possible, or "
         "are left out; each is listed", NULL, false},
    {"palette", 0, "FILE", CLI_STRING, AT(palette), NULL, GROUP_OWN, VERB_CONVERT,
     "colours for a picture that has no palette; without this it is grey. For a drawing made of a picture: "
         "the swatches that its colours become, with their meaning for the game, from a drawing, JSON (a "
         "list of swatches, or `{\"#00aa00\": {\"name\": \"grass\", \"solid\": true}, \"#202020\": "
         "\"ink\"}'), a GIMP palette, or another picture; a colour that is missing there is an error, or, "
         "with --allow-loss, becomes the nearest",
     NULL, false},
    {"pictures", 0, "DIR", CLI_STRING, AT(pictures), NULL, GROUP_OWN, VERB_CONVERT,
     "for a map of Tiled: put the pictures of its tiles into this folder, named by their content, so that "
         "maps can share them; relative to the map. The default is NAME.tiles beside it",
     NULL, false},
    {"property-types", 0, NULL, CLI_FLAG, AT(property_types), NULL, GROUP_OWN, VERB_CONVERT,
     "for a map of Tiled: give properties the types of the project that `lvl tiled --project' writes",
     NULL, false},
    {"like", 0, "FILE", CLI_STRING, AT(like), NULL, GROUP_OWN, VERB_CONVERT,
     "for a picture that becomes a PID or PCX: take what a PNG cannot hold (flags, palette or none, "
         "offset, kinds of runs) from this PID or PCX. A PNG that lvl made from one has it already. For a "
         "drawing: lay the picture onto this one (onto its layer --layer), which keeps all else: what is "
         "transparent in the picture leaves its pixels, and colours become its swatches as with --palette",
     NULL, false},
    {"at", 0, "X,Y", CLI_STRING, AT(at), "the picture's own offset, or 0,0", GROUP_OWN, VERB_CONVERT,
     "with --like: where in the drawing the upper left corner of the picture comes to lie", NULL, false},
    {"tileset", 0, "FILE", CLI_STRING, AT(tileset), NULL, GROUP_OWN, VERB_CONVERT,
     "for a picture that becomes a level of tiles: the picture of these (pics1.png). Each cell gets the tile "
         "that shows the same; cells without one are listed, and with --allow-loss get the most similar",
     NULL, false},
    {"more-colors", 0, NULL, CLI_FLAG, AT(more_colors), NULL, GROUP_OWN, VERB_CONVERT,
     "add a swatch for each colour that --palette does not have", NULL, false},
    {"colors", 0, "N", CLI_STRING, AT(colors), NULL, GROUP_OWN, VERB_CONVERT,
     "of a picture that becomes a drawing: reduce it to at most N colours (1 to 256), as for photographs",
         NULL, false},
    {"alpha", 0, "HOW", CLI_STRING, AT(alpha), "keep", GROUP_OWN, VERB_CONVERT,
     "half transparent pixels of a picture: `keep' makes half transparent swatches (the game drops that "
         "when it saves); `cut' makes them empty or opaque, whichever is nearer; a colour (`#ffffff') is "
         "laid under them",
     NULL, false},
    {"key", 0, "COLOR", CLI_STRING, AT(key), NULL, GROUP_OWN, VERB_CONVERT,
     "pixels of this colour (`#ff00ff') in a picture become empty", NULL, false},
    {"and", 0, "FILE", CLI_STRINGS, AT(also), NULL, GROUP_OWN, VERB_CONVERT,
     "one more picture of the same size, as a further layer of the doodad; may be given several times. "
         "Layers get the names of their files", NULL, false},
    {"layer", 0, "N|NAME", CLI_STRING, AT(layer), "0", GROUP_OWN, VERB_CONVERT,
     "which layer of a drawing becomes a picture, or with --like gets one", NULL, false},
    {"chunk-size", 0, "N", CLI_STRING, AT(chunk_size), "as it is; of new drawings 128", GROUP_OWN,
         VERB_CONVERT,
     "of a drawing stored in chunks: use chunks of N by N pixels (1 to 255); no pixel moves", NULL, false},
    {"trim-palette", 0, NULL, CLI_FLAG, AT(trim_palette), NULL, GROUP_OWN, VERB_CONVERT,
     "of a drawing with swatches: merge swatches that are equal and remove unused ones; pixels keep their "
         "colours", NULL, false},
    {"screenshots", 0, NULL, CLI_FLAG, AT(screenshots), NULL, GROUP_OWN, VERB_CONVERT,
     "of a level that can hold pictures of itself: draw all of them again, in every size, at the position "
         "that the level remembers", NULL, false},
    {"size", 0, "COLUMNSxROWS", CLI_STRING, AT(size), NULL, GROUP_OWN, VERB_RESIZE,
     "the size to be, in cells", NULL, false},
    {"size", 0, "WxH", CLI_STRING, AT(size), NULL, GROUP_OWN, VERB_NEW,
     "size of the main plane in cells, of a drawing in pixels", NULL, false},
    {"like", 0, "FILE", CLI_STRING, AT(like), NULL, GROUP_OWN, VERB_NEW,
     "with the planes, palette, tile properties and settings of this level", NULL, false},
    {"plane", 0, "N|NAME", CLI_STRING, AT(plane), "the main plane", GROUP_OWN, VERB_RESIZE,
     "which plane: its number, counted from 0, its name, or `*' for all", NULL, false},
    {"anchor", 0, "SIDE", CLI_STRING, AT(anchor), "top-left", GROUP_OWN, VERB_RESIZE,
     "what keeps its place: cells come, or are cut off, on the other sides",
     "top-left top top-right left center right bottom-left bottom bottom-right", false},
    {"count", 0, NULL, CLI_FLAG, AT(count), NULL, GROUP_OWN, VERB_INFO,
     "also show what needs the whole file decoded: the pixels of a drawing by colour; of a pack, each level",
         NULL, false},
    {"roundtrip", 0, NULL, CLI_FLAG, AT(roundtrip), NULL, GROUP_OWN, VERB_CHECK,
     "also write each file to memory, directly and through a dump, and compare", NULL, false},
    {"damaged", 0, NULL, CLI_FLAG, AT(damaged), NULL, GROUP_OWN, VERB_CHECK,
     "print only the names of the files that are damaged or unreadable, one a line", NULL, false},
    {"summary", 0, NULL, CLI_FLAG, AT(summary), NULL, GROUP_OWN, VERB_CHECK,
     "print no files, only the counts at the end: verdicts, and findings by ID", NULL, false},
    {"summary", 0, NULL, CLI_FLAG, AT(summary), NULL, GROUP_OWN, VERB_INFO,
     "a line for each file: format, size, and title or main contents", NULL, false},
    {"summary", 0, NULL, CLI_FLAG, AT(summary), NULL, GROUP_OWN, VERB_DIFF,
     "only how much changed in each list and grid", NULL, false},
    {"members", 0, NULL, CLI_FLAG, AT(members), NULL, GROUP_OWN, VERB_INFO | VERB_CHECK | VERB_GET | VERB_SET,
     "also read packs and archives: each member counts as a file", NULL, false},
    {"dry-run", 'n', NULL, CLI_FLAG, AT(dry_run), NULL, GROUP_OWN,
         EDITS | VERB_RENAME | VERB_GMAP | VERB_NEW | VERB_VIEW,
     "write nothing; list the changes or the files that would be written", NULL, false},
    {"recover", 0, NULL, CLI_FLAG, AT(recover), NULL, GROUP_OWN, VERB_REPAIR,
     "restore what can be recovered from stale data, instead of removing it", NULL, false},
    {"path", 0, "PATH", CLI_STRING, AT(path), NULL, GROUP_OWN, VERB_DUMP | VERB_EXPLAIN,
     "only what this path finds, such as `planes[0].objects[3]'", NULL, false},
    {"no-kept", 0, NULL, CLI_FLAG, AT(no_kept), NULL, GROUP_OWN, VERB_DUMP,
     "leave out bytes that are only kept to write the same file again (a compressed stream, unusual "
         "offsets)", NULL, false},
    {"no-kept", 0, NULL, CLI_FLAG, AT(no_kept), NULL, GROUP_OWN, VERB_CONVERT,
     "drawing to PNG, or such a PNG to a drawing: pixels only; nothing else is stored in the PNG, or read "
         "from it", NULL, false},
    {"compact", 0, NULL, CLI_FLAG, AT(compact), NULL, GROUP_OWN, VERB_DUMP,
     "all on one line", NULL, false},
    {"paths", 0, NULL, CLI_FLAG, AT(paths), NULL, GROUP_OWN, VERB_GET,
     "print `path=value', as `lvl set' takes it", NULL, false},
    {"label", 0, "NAME", CLI_STRINGS, AT(labels), NULL, GROUP_OWN, VERB_DIFF,
     "of two files: print this name instead of the first file's; given twice: of the second's, too", NULL,
         false},
    {"theirs", 0, NULL, CLI_FLAG, AT(theirs), NULL, GROUP_OWN, VERB_MERGE,
     "where both sides changed something: take what THEIRS has (without this and --base: what OURS has)",
         NULL,
         false},
    {"base", 0, NULL, CLI_FLAG, AT(base), NULL, GROUP_OWN, VERB_MERGE,
     "where both sides changed something: take what BASE has", NULL, false},
    {"image", 0, "FILE", CLI_STRING, AT(image), NULL, GROUP_OWN, VERB_MERGE,
     "if there are conflicts, also draw a PNG of what OURS and THEIRS have in their places, and which they "
         "are",
     NULL, false},
    {"markers", 0, NULL, CLI_FLAG, AT(markers), NULL, GROUP_OWN, VERB_MERGE,
     "in scripts and other texts of lines: write both sides of a conflict, between conflict markers", NULL,
         false},
    {"in", 0, "DIR", CLI_STRING, AT(in), NULL, GROUP_OWN, VERB_RENAME,
     "the folder of the world, with all folders below it", NULL, false},
    {"scripts", 0, NULL, CLI_FLAG, AT(scripts), NULL, GROUP_OWN, VERB_RENAME,
     "also change strings in scripts that are exactly the old name; without this they are only listed",
     NULL, false},
    {"yes", 'y', NULL, CLI_FLAG, AT(yes), NULL, GROUP_OUTPUT, VERB_RENAME,
     "rename although some files could not be read, and replace read-only files", NULL, false},
    {"by", 0, "HOW", CLI_STRING, AT(by), "links, or names if no links join edges", GROUP_OWN, VERB_GMAP,
     "place levels by `links' that lead over their edges, or by coordinates at the end of their `names' "
         "(town-a1.nw, map_2_5.nw): the first one is x, unless the links say otherwise",
     "links names", false},
    {"start", 0, "LEVEL", CLI_STRING, AT(start), "the largest group", GROUP_OWN, VERB_GMAP,
     "make the map of the levels that hang together with this one", NULL, false},
    {"page", 0, "FILE", CLI_STRING, AT(page), "the one installed with lvl", GROUP_OWN, VERB_VIEW,
     "the viewer's page, an lvl.html without files in it", NULL, false},
    {"global", 0, NULL, CLI_FLAG, AT(global), NULL, GROUP_OWN, VERB_GIT,
     "for all repositories of this user", NULL, false},
    {"local", 0, NULL, CLI_FLAG, AT(local), NULL, GROUP_OWN, VERB_GIT,
     "for the repository around the current folder; the default", NULL, false},
    {"install", 0, NULL, CLI_FLAG, AT(install), NULL, GROUP_OWN, VERB_TILED,
     "put the extension where Tiled looks for it, with the path of this lvl", NULL, false},
    {"uninstall", 0, NULL, CLI_FLAG, AT(uninstall), NULL, GROUP_OWN, VERB_TILED,
     "remove it", NULL, false},
    {"project", 0, "FILE", CLI_STRING, AT(project), NULL, GROUP_OWN, VERB_TILED,
     "write a project of Tiled (NAME.tiled-project) with the names of enums and flags of all levels",
     NULL, false},
    {"expression", 'e', "PATH", CLI_STRINGS, AT(expressions), NULL, GROUP_OWN, VERB_GET,
     "print what this path finds; may be given several times. All other arguments are then files", NULL,
         false},
    {"expression", 'e', "PATH=VALUE", CLI_STRINGS, AT(expressions), NULL, GROUP_OWN, VERB_SET,
     "make this change; may be given several times. All other arguments are then files", NULL, false},
    {"unset", 0, "PATH", CLI_STRINGS, AT(unset), NULL, GROUP_OWN, VERB_SET,
     "remove list items, or reset a value to its default; done after the assignments", NULL, false},
    {"set", 0, "PATH=VALUE", CLI_STRINGS, AT(sets), NULL, GROUP_OWN, VERB_PACK,
     "also set a value in the result, as `lvl set' does; may be given several times", NULL, false},
    {"delete", 0, NULL, CLI_FLAG, AT(remove), NULL, GROUP_OWN, VERB_PACK,
     "remove members of FILE that the folder does not have; scripts and signs stay", NULL, false},
    {"dedupe", 0, NULL, CLI_FLAG, AT(dedupe), NULL, GROUP_OWN, VERB_PACK,
     "of a pack: store each doodad once: remove it from levels if the pack has the same one, and move one "
         "that several levels hold into the pack", NULL, false},
    {"at", 0, "OFFSET", CLI_STRING, AT(at), NULL, GROUP_OWN, VERB_EXPLAIN,
     "the field at this offset and the records around it; `0x5f4/0x697' is offset 0x697 of what the stream "
         "at 0x5f4 holds, `0x9.4' is bit 4 of the byte at 9", NULL, false},
    {"residue", 0, NULL, CLI_FLAG, AT(residue), NULL, GROUP_OWN, VERB_EXPLAIN,
     "only the bytes that no field covers; exit code 1 if there are any", NULL, false},
    {"all", 0, NULL, CLI_FLAG, AT(all), NULL, GROUP_OWN, VERB_EXPLAIN,
     "every field of the whole file", NULL, false},
    {"bits", 0, NULL, CLI_FLAG, AT(bits), NULL, GROUP_OWN, VERB_EXPLAIN,
     "positions in bits, and each part smaller than a byte on a line of its own", NULL, false},
    {"depth", 0, "N", CLI_STRING, AT(depth), "no limit", GROUP_OWN, VERB_EXPLAIN,
     "summarize records below this depth", NULL, false},
    {"image", 0, "FILE", CLI_STRING, AT(image), NULL, GROUP_OWN, VERB_DIFF,
     "also draw a PNG of before, after and what changed", NULL, false},
    {"html", 0, "FILE", CLI_STRING, AT(html), NULL, GROUP_OWN, VERB_DIFF,
     "write a page for a review instead: the list of changes, pictures before and after with a slider, "
         "changed places enlarged; one file that needs nothing else", NULL, false},
    {"git", 0, "REV..REV", CLI_STRING, AT(git), NULL, GROUP_OWN, VERB_DIFF,
     "compare two revisions of the git repository around the current folder, as in `main..branch'; with "
         "three dots, from where both parted. Arguments are then paths in it", NULL, false},
    {"list", 'l', NULL, CLI_FLAG, AT(list), NULL, GROUP_OWN, VERB_EXTRACT,
     "list the members instead of writing them", NULL, false},
    {"scripts", 0, NULL, CLI_FLAG, AT(scripts), NULL, GROUP_OWN, VERB_EXTRACT,
     "write each script of a level or doodad as a text file, for `lvl pack' to put back", NULL, false},
    {"signs", 0, NULL, CLI_FLAG, AT(signs), NULL, GROUP_OWN, VERB_EXTRACT,
     "the same for the texts of signs", NULL, false},
    {"findings", 0, NULL, CLI_FLAG, AT(findings), NULL, GROUP_OWN, VERB_FORMATS,
     "explain the findings named (an ID, or its beginning such as `lvl.limit'), or all: meaning, severity "
         "in each profile, what repair does", NULL, false},
    {"schema", 0, "FORMAT", CLI_STRING, AT(schema), NULL, GROUP_OWN, VERB_FORMATS,
     "the JSON Schema of a format's dumps", NULL, false},
    {"reference", 0, "FORMAT", CLI_STRING, AT(reference), NULL, GROUP_OWN, VERB_FORMATS,
     "a format's reference page, in Markdown", NULL, false},
    {"man", 0, NULL, CLI_FLAG, AT(man), NULL, GROUP_OWN, VERB_HELP,
     "the manual page of the command, or of VERB, as roff", NULL, false},
    {"completions", 0, "SHELL", CLI_STRING, AT(completions), NULL, GROUP_OWN, VERB_HELP,
     "completions for a shell", "bash zsh fish", false},
    {"list", 0, NULL, CLI_FLAG, AT(list), NULL, GROUP_OWN, VERB_HELP,
     "the names of the verbs, one a line", NULL, true},
    {"examples", 0, NULL, CLI_FLAG, AT(examples), NULL, GROUP_OWN, VERB_HELP,
     "every example of the help, with its exit code", NULL, true},

    /* where it goes */
    {"output", 'o', "FILE|DIR", CLI_STRING, AT(output), NULL, GROUP_OUTPUT, WITH_OUTPUT,
     "write to this file or folder; multiple inputs need a folder, where they keep their relative paths; "
         "`-' is standard output", NULL, false},
    {"in-place", 'i', NULL, CLI_FLAG, AT(in_place), NULL, GROUP_OUTPUT,
         EDITS,
     "change the input file; if saving fails, the old file stays", NULL, false},
    {"yes", 'y', NULL, CLI_FLAG, AT(yes), NULL, GROUP_OUTPUT, WITH_OUTPUT | VERB_DIFF | VERB_TILED,
     "overwrite existing files", NULL, false},
    {"json", 0, NULL, CLI_FLAG, AT(json), NULL, GROUP_OUTPUT, VERB_ALL & ~(VERB_HELP | VERB_VERSION),
     "print JSON, one object per line; a verb that writes files lists them", NULL, false},

    /* how it is read */
    {"art", 0, "DIR|FILE", CLI_STRINGS, AT(art), "LVL_ART, and around the level", GROUP_READING, WITH_ART,
     "search this folder or archive for pictures first, or use this picture; may be given several times. "
         "`repair' uses pictures only with this or LVL_ART", NULL, false},
    {"no-art", 0, NULL, CLI_FLAG, AT(no_art), NULL, GROUP_READING, VERB_CHECK,
     "do not check whether the pictures, image sets and levels that a file names exist", NULL, false},
    {"as", 0, "FORMAT", CLI_STRING, AT(as), "by content", GROUP_READING,
         VERB_DOCS & ~(VERB_UNDUMP | VERB_PACK),
     "read the input as this format", NULL, false},
    {"profile", 0, "NAME", CLI_STRING, AT(profile), "game", GROUP_READING, VERB_DOCS,
     "which rules decide what is an error: `strict' the format's description, `game' what the game loads, "
         "`salvage' what can be kept; or one program of a game, where programs differ",
     "strict game salvage", false},
    {"encoding", 0, "PAGE", CLI_STRING, AT(encoding), "the format's own", GROUP_READING, VERB_DOCS,
     "the code page of texts in the files", "windows-1252 windows-1250 windows-1251 utf-8", false},
    {"limit", 0, "NAME=VALUE", CLI_STRINGS, AT(limits), NULL, GROUP_READING, VERB_DOCS,
     "a limit on what a file may take: `input_bytes', `memory_bytes', `cells', `items', `depth', "
         "`inflate_ratio', `findings' or `work' (steps of a search or scan); the value may end in K, M or G",
     NULL, false},

    /* the rest */
    {"jobs", 'j', "N", CLI_STRING, AT(jobs), "one for each core", GROUP_GENERAL,
         VERB_DOCS & ~(VERB_PACK | VERB_EXTRACT),
     "work on N files in parallel; the output is the same for any N", NULL, false},
    {"color", 0, "WHEN", CLI_STRING, AT(color), "auto", GROUP_GENERAL, VERB_ALL,
     "colours: `auto' (on a terminal, unless NO_COLOR is set), `always' or `never'", "auto always never",
         false},
    {"quiet", 'q', NULL, CLI_FLAG, AT(quiet), NULL, GROUP_GENERAL, VERB_ALL,
     "print errors only", NULL, false},
    {"verbose", 'v', NULL, CLI_FLAG, AT(verbose), NULL, GROUP_GENERAL, VERB_ALL,
     "print more: notes, every finding instead of a few of each kind, skipped files", NULL, false},
    {"help", 'h', NULL, CLI_FLAG, AT(help), NULL, GROUP_GENERAL, VERB_ALL, "print help", NULL, false},
    {"version", 'V', NULL, CLI_FLAG, AT(version), NULL, GROUP_GENERAL, VERB_ALL, "print the version", NULL,
         true},
    {NULL, 0, NULL, CLI_FLAG, 0, NULL, GROUP_OWN, 0, NULL, NULL, false},
};
/* clang-format on */

const cli_option *cli_option_find(const char *name, size_t len, const cli_verb *verb)
{
    const lvl_text text = {name, len};

    for (const cli_option *o = cli_option_table; o->name; o++) {
        if (lvl_text_is(text, o->name) && (!verb || o->verbs & verb->bit))
            return o;
    }
    return NULL;
}

const cli_option *cli_option_letter(char letter, const cli_verb *verb)
{
    for (const cli_option *o = cli_option_table; o->name; o++) {
        if (o->letter == letter && (!verb || o->verbs & verb->bit))
            return o;
    }
    return NULL;
}

void cli_option_choices(const cli_option *option, lvl_buffer *out)
{
    const lvl_program *program;

    lvl_buffer_str(out, option->choices);
    if (option->offset != offsetof(cli_options, profile))
        return;
    for (size_t i = 0; (program = lvl_program_at(i)) != NULL; i++)
        lvl_buffer_printf(out, " %s", program->name);
}

void cli_option_prose(const cli_option *option, lvl_buffer *out)
{
    const bool judges = option->offset == offsetof(cli_options, profile);
    const lvl_program *program;

    lvl_buffer_str(out, option->prose);
    for (size_t i = 0; judges && (program = lvl_program_at(i)) != NULL; i++)
        lvl_buffer_printf(out, "%s`%s' (%s)", i ? "; " : ": ", program->name, program->prose);
    if (option->def)
        lvl_buffer_printf(out, " (default: %s)", option->def);
    lvl_buffer_u8(out, 0);
}

/* A guess is worth saying if at most a third of the word is wrong, and never more than three letters. */
static unsigned guess_bound(const char *wrong)
{
    size_t third = strlen(wrong) / 3;

    return third > 3 ? 3 : third < 1 ? 1 : (unsigned)third;
}

/* What other commands call some of our options. */
static const struct {
    const char *theirs, *ours;
} other_names[] = {
    {"delete", "unset"},     {"remove", "unset"},       {"thumbnail", "size"}, {"thumb", "size"},
    {"resize", "size"},      {"width", "size"},         {"zoom", "scale"},     {"crop", "region"},
    {"rect", "region"},      {"force", "yes"},          {"overwrite", "yes"},  {"out", "output"},
    {"outdir", "output"},    {"inplace", "in-place"},   {"format", "to"},      {"from", "as"},
    {"lossy", "allow-loss"}, {"layer", "layers"},       {"plain", "no-kept"},  {"canonical", "no-kept"},
    {"pretty", "json"},      {"threads", "jobs"},       {"silent", "quiet"},   {"dry", "dry-run"},
    {"offset", "at"},        {"attributes", "overlay"}, {"show", "list"},      {"select", "expression"},
    {"set", "expression"},   {"recurse", "members"},
};

const char *cli_option_meant(const char *wrong, const cli_verb *verb)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++) {
        if (strcmp(wrong, other_names[i].theirs) == 0 &&
            cli_option_find(other_names[i].ours, strlen(other_names[i].ours), verb))
            return other_names[i].ours;
    }
    return NULL;
}

const char *cli_option_near(const char *wrong, const cli_verb *verb)
{
    unsigned best = guess_bound(wrong) + 1;
    const char *near = cli_option_meant(wrong, verb);

    if (near)
        return near;
    for (const cli_option *o = cli_option_table; o->name; o++) {
        if (o->hidden || (verb && !(o->verbs & verb->bit)))
            continue;
        unsigned d = lvl_text_distance(lvl_text_of(wrong), lvl_text_of(o->name), best);
        if (d < best) {
            best = d;
            near = o->name;
        }
    }
    return near;
}

int cli_no_format(cli *c, const char *where, const char *name)
{
    unsigned best = guess_bound(name) + 1;
    const char *near = NULL;
    const lvl_format *f;

    for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
        const unsigned d = lvl_text_distance(lvl_text_of(name), lvl_text_of(f->id), best);
        if (d < best) {
            best = d;
            near = f->id;
        }
    }
    return cli_usage(c, "%sno format `%s'%s%s%s `lvl formats' lists them", where, name,
                     near ? ": did you mean " : "", near ? near : "", near ? "?" : ";");
}

/* What other commands, and people, call what our verbs do. */
static const struct {
    const char *theirs, *ours;
} other_verbs[] = {
    {"show", "info"},
    {"identify", "info"},
    {"stat", "info"},
    {"ls", "extract --list"},
    {"list", "extract --list"},
    {"unpack", "extract"},
    {"unzip", "extract"},
    {"x", "extract"},
    {"cat", "extract FILE MEMBER -o -"},
    {"view", "render"},
    {"draw", "render"},
    {"png", "render"},
    {"thumbnail", "render"},
    {"thumbnails", "render"},
    {"screenshot", "render"},
    {"export", "convert"},
    {"import", "convert"},
    {"upgrade", "convert"},
    {"migrate", "convert"},
    {"rechunk", "convert"},
    {"screenshots", "convert --screenshots"},
    {"validate", "check"},
    {"verify", "check"},
    {"lint", "check"},
    {"test", "check"},
    {"fix", "repair"},
    {"mend", "repair"},
    {"recover", "repair"},
    {"salvage", "repair"},
    {"merge3", "merge"},
    {"compare", "diff"},
    {"cmp", "diff"},
    {"edit", "set"},
    {"paste", "copy"},
    {"crop", "resize"},
    {"enlarge", "resize"},
    {"change", "set"},
    {"rm", "set --unset"},
    {"remove", "set --unset"},
    {"delete", "set --unset"},
    {"add", "pack"},
    {"zip", "pack"},
    {"build", "pack"},
    {"create", "new"},
    {"json", "dump"},
    {"hexdump", "explain"},
    {"schema", "formats --schema"},
    {"man", "help"},
    {"graph", "render --graph"},
};

const char *cli_verb_near(const char *wrong)
{
    unsigned best = guess_bound(wrong) + 1;
    const char *near = NULL;

    for (size_t i = 0; i < sizeof other_verbs / sizeof *other_verbs; i++) {
        if (strcmp(other_verbs[i].theirs, wrong) == 0)
            return other_verbs[i].ours;
    }

    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        unsigned d = lvl_text_distance(lvl_text_of(wrong), lvl_text_of(v->name), best);
        if (d < best) {
            best = d;
            near = v->name;
        }
    }
    return near;
}

const cli_verb *cli_verb_find(const char *name)
{
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        if (strcmp(v->name, name) == 0)
            return v;
    }
    return NULL;
}
