/*
 * cli/usage/options.c: the table of options, for parsing, help, man pages and completions.
 */
#include "base/format.h"
#include "cli/usage/usage.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

enum {
    WITH_ART = VERB_CONVERT | VERB_INFO | VERB_CHECK | VERB_REPAIR | VERB_RENDER | VERB_DIFF | VERB_MERGE |
               VERB_VIEW | VERB_SCAN | VERB_GALLERY,
    WITH_OUTPUT = VERB_RENDER | VERB_CONVERT | VERB_REPAIR | VERB_DUMP | VERB_UNDUMP | VERB_SET |
                  VERB_EXTRACT | VERB_PACK | VERB_MERGE | VERB_GMAP | VERB_COPY | VERB_RESIZE | VERB_NEW |
                  VERB_VIEW | VERB_MOVE,
    WITH_LIST = VERB_INFO | VERB_CHECK | VERB_REPAIR | VERB_GET | VERB_SET | VERB_DUMP | VERB_CONVERT |
                VERB_RENDER | VERB_SCAN | VERB_VIEW,
    EDITS =
        VERB_REPAIR | VERB_SET | VERB_PACK | VERB_CONVERT | VERB_MERGE | VERB_COPY | VERB_RESIZE | VERB_MOVE
};

/* clang-format off */
/* A row: .letter (as of -o), .many (may be given several times), .def, .choices, .group and .hidden follow
 * the prose where they are other than 0. */
#define VALUE(name_, arg_, member, verbs_, ...)                                                \
    {.name = name_, .arg = arg_, .offset = offsetof(cli_options, member), .verbs = verbs_, \
     .prose = __VA_ARGS__}
#define FLAG(name_, member, verbs_, ...) VALUE(name_, NULL, member, verbs_, __VA_ARGS__)

const cli_option cli_option_table[] = {
    /* options of single verbs */
    VALUE("plane", "N|NAME", plane, VERB_RENDER,
         "draw only this plane, as a whole: its number, counted from 0, or its name"),
    VALUE("camera", "X,Y", camera, VERB_RENDER,
         "draw what the game shows with its camera centred at this point of the main plane, in pixels",
         .def = "the level's start"),
    VALUE("view", "WxH", view, VERB_RENDER,
         "size of the camera's view in pixels; without --camera, at the level's start", .def = "1024x768"),
    VALUE("region", "X,Y,W,H", region, VERB_RENDER,
         "only this part of the picture, in pixels before scaling"),
    VALUE("size", "N|WxH", size, VERB_RENDER | VERB_DIFF,
         "shrink the picture to fit into N by N, or W by H; never enlarges. With --graph: the picture of "
         "each level, "
         "N from 16 to 1024"),
    VALUE("scale", "N|1/N", scale, VERB_RENDER, "enlarge or shrink by a whole factor", .def = "1"),
    VALUE("scale", "1/N", scale, VERB_CONVERT,
         "for a level that becomes a drawing of another game: draw N by N pixels as one",
         .def = "players are equally tall in both games"),
    VALUE("frame", "N|NAME", frame, VERB_RENDER,
         "of an animation, or a drawing with layers: draw this one, counted from 0, or by its name",
         .def = "0"),
    VALUE("direction", "NAME", direction, VERB_RENDER,
         "of an animation: draw this side; with --sheet only this one", .def = "down",
         .choices = "up left down right"),
    FLAG("sheet", sheet, VERB_RENDER,
         "of an animation: all frames in one picture, a column for each frame, a row for each direction "
         "(up, left, down, right)"),
    FLAG("sheet", sheet, VERB_CONVERT,
         "put the pictures of all files into one PNG, -o FILE.png, and write FILE.json beside it: where each "
         "picture is, with its offset and time, in the form of Aseprite's --data. `lvl convert FILE.json' takes "
         "it apart again"),
    VALUE("data", "FORM", data, VERB_CONVERT,
         "the form of the JSON of --sheet: `array', a list of frames, or `hash', an object with a member for each",
         .def = "array", .choices = "array hash"),
    VALUE("data", "FORM", data, VERB_RENDER,
         "with --sheet: also write FILE.json beside the picture: the place, name and time of each frame, in the "
         "form of Aseprite's --data; `array' is a list of frames, `hash' an object with a member for each",
         .choices = "array hash"),
    VALUE("slice", "WxH", slice, VERB_CONVERT,
         "cut a picture into cells of this size, in pixels, each of which becomes a file in -o DIR, named by "
         "its number, or a layer of a doodad; empty cells at the end are left out"),
    FLAG("apng", apng, VERB_RENDER,
         "of an animation: an animated PNG, with the animation's own times; implied if -o ends in .apng"),
    FLAG("gif", gif, VERB_RENDER,
         "of an animation: a GIF, with its times in hundredths of a second, at most 255 colours in each frame, "
         "and no half transparent pixels; implied if -o ends in .gif"),
    VALUE("with", "NAME=VALUE", with, VERB_RENDER,
         "of an animation: what a layer shows, as `head=head3.png' or `param1=12', or the colour of "
         "`skin', `coat', `sleeves', `shoes' or `belt', as `coat=darkblue' or `belt=#ffcc00'; of an .ani the "
         "image set, as `images=LEVEL_CRAB' or `images=LEVEL1/IMAGES/CRAB'; may be given several times", .many = true),
    VALUE("layers", "LIST", layers, VERB_RENDER,
         "draw these planes and nothing else: numbers and names separated by commas, and `objects'"),
    VALUE("hide", "LIST", hide, VERB_RENDER, "do not draw these planes, or `objects'"),
    VALUE("overlay", "LIST", overlay, VERB_RENDER,
         "draw on top: `grid' (with numbers of columns and rows), `attributes' (how tiles behave), `objects' "
         "(outlines, boxes and logic, hidden ones too), `patrol' (ranges, paths, targets, and what switches "
         "and links lead to), `findings' (what check reports, at its object or tile; cells whose picture is "
         "missing are crossed out), `legend', or `all'",
         .choices = "grid attributes objects patrol findings legend all"),
    FLAG("schematic", schematic, VERB_RENDER | VERB_DIFF,
         "draw how tiles behave and what objects are, even if there is art"),
    FLAG("graph", graph, VERB_RENDER,
         "draw the links between all files: as DOT to stdout or a `.dot' file, or as a picture that Graphviz "
         "makes, to a `.png' or `.svg'; each level with its picture of --size pixels (96); missing levels "
         "are dashed, one-way links are orange"),
    VALUE("tiles", "DIR", tiles, VERB_RENDER,
         "write a map for the web into a folder: tiles of 256 by 256 pixels (`z/x/y.png'; zoom 0 is the whole map in "
         "one tile, the highest zoom shows it at full size) and a page that shows them, index.html. -y replaces what "
         "has changed; tiles that are the same are not written again"),
    FLAG("crop", crop, VERB_RENDER,
         "leave out borders of the level that have neither tiles nor objects"),
    FLAG("transparent", transparent, VERB_RENDER,
         "leave the background transparent instead of black; animations always do"),
    VALUE("to", "FORM", to, VERB_CONVERT,
         "what to make: a format, or one of its forms, as `lvl formats' lists them, or `png', `gif', `apng', `json', "
         "`tmx', `tmj', `world', `csv' or `ldtk'", .def = "by the ending of -o"),
    VALUE("to", "FORMAT", to, VERB_PACK,
         "the format to make: one of `lvl formats'", .def = "by the ending of -o"),
    FLAG("allow-loss", allow_loss, VERB_CONVERT,
         "convert even if the target cannot represent everything: such values become the nearest possible, "
         "or are left out; each is listed"),
    FLAG("allow-loss", allow_loss, VERB_UNDUMP,
         "write the file even if it would be read with other values than the dump has"),
    VALUE("palette", "FILE", palette, VERB_CONVERT,
         "colours for a picture that has no palette; without this, those of the palette that belongs to its "
         "place (LEVEL1/PALETTES/MAIN.PAL), in its archive, in --art, or in the folders around it. For a "
         "drawing made of a "
         "picture: the swatches that its colours become, with their meaning for the game, from a drawing, "
         "JSON (a list of swatches, or `{\"#00aa00\": {\"name\": \"grass\", \"solid\": true}, \"#202020\": "
         "\"ink\"}'), a GIMP palette, or another picture; a colour that is missing there is an error, or, "
         "with --nearest, becomes the nearest"),
    FLAG("references-only", references_only, VERB_RENAME,
         "rename only what refers to the file: it is not in the world (on a server), or one in another "
         "folder replaces it"),
    FLAG("nearest", nearest, VERB_CONVERT,
         "a colour of a picture that --palette or --like does not have becomes the nearest of it"),
    VALUE("pictures", "DIR", pictures, VERB_CONVERT,
         "for a map of Tiled: put the pictures of its tiles into this folder, named by their content, so "
         "that maps can share them; relative to the map. The default is NAME.tiles beside it"),
    FLAG("property-types", property_types, VERB_CONVERT,
         "for a map of Tiled: give properties the types of the project that `lvl tiled --project' writes"),
    VALUE("like", "FILE", like, VERB_CONVERT,
         "for a picture that becomes a PID, PCX or BMP: take what a PNG cannot hold (flags, palette or none, "
         "offset, kinds of runs) from this file. A PNG that lvl made from one has it already. For a "
         "drawing: lay the picture onto this one (onto its layer --layer), which keeps all else: what is "
         "transparent in the picture leaves its pixels, and colours become its swatches as with --palette"),
    VALUE("at", "X,Y", at, VERB_CONVERT,
         "with --like: the position of the picture's upper left corner in the drawing",
         .def = "the picture's own offset, or 0,0"),
    VALUE("tileset", "FILE", tileset, VERB_CONVERT,
         "for a picture that becomes a level of tiles: the picture of these (pics1.png). Each cell gets "
         "the tile that shows the same; cells without one are listed, and with --allow-loss get the most "
         "similar"),
    VALUE("tileset-is", "NAME", tileset_is, VERB_CONVERT,
         "for a map of Tiled that lvl did not write: its tileset is this one of the game, tile for tile: a "
         "sheet (pics1.png) or, for Claw and Gruntz, an image set (ACTION). Without it, a tileset of that name "
         "and size is, and the tiles of others are compared with the game's by their pixels (--art)"),
    VALUE("empty-is", "N", empty_is, VERB_CONVERT,
         "for a map of Tiled that lvl did not write: the number of the tile that empty cells become in a "
         "layer that has a tile everywhere (the board of .nw)",
         .def = "as in a new level"),
    FLAG("more-colors", more_colors, VERB_CONVERT,
         "add a swatch for each colour that --palette does not have"),
    VALUE("colors", "N", colors, VERB_CONVERT,
         "of a picture that becomes a drawing: reduce it to at most N colours (1 to 256), as for "
         "photographs"),
    VALUE("alpha", "HOW", alpha, VERB_CONVERT,
         "half transparent pixels of a picture: `keep' makes half transparent swatches (the game drops "
         "that when it saves); `cut' makes them empty or opaque, whichever is nearer; a colour (`#ffffff') "
         "is laid under them", .def = "keep"),
    VALUE("key", "COLOR", key, VERB_CONVERT, "pixels of this colour (`#ff00ff') in a picture become empty"),
    VALUE("and", "FILE", also, VERB_CONVERT,
         "one more picture of the same size, as a further layer of the doodad; may be given several times. "
         "Layers get the names of their files", .many = true),
    VALUE("layer", "N|NAME", layer, VERB_CONVERT,
         "the layer of a drawing that becomes a picture, or that --like replaces", .def = "0"),
    VALUE("chunk-size", "N", chunk_size, VERB_CONVERT,
         "of a drawing stored in chunks: use chunks of N by N pixels (1 to 255); no pixel moves",
         .def = "unchanged; 128 for new drawings"),
    FLAG("trim-palette", trim_palette, VERB_CONVERT,
         "of a drawing with swatches: merge swatches that are equal and remove unused ones; pixels keep "
         "their colours"),
    FLAG("screenshots", screenshots, VERB_CONVERT,
         "of a level that stores screenshots of itself: draw all of them again, in every size, at the camera "
         "position that the level stores"),
    VALUE("size", "COLUMNSxROWS", size, VERB_RESIZE, "the new size, in cells"),
    VALUE("size", "WxH", size, VERB_NEW, "size of the main plane in cells, of a drawing in pixels"),
    VALUE("base", "N", base_level, VERB_NEW,
         "a level of Claw with the art of base level N, 1 to 14: its planes and tile properties, a floor, the "
         "start and an exit"),
    VALUE("like", "FILE", like, VERB_NEW,
         "copy the planes, palette, tile properties and settings of this level"),
    VALUE("plane", "N|NAME", plane, VERB_RESIZE,
         "which plane: its number, counted from 0, its name, or `*' for all", .def = "the main plane"),
    VALUE("tiles", "X,Y,W,H", tiles, VERB_MOVE | VERB_COPY,
         "instead of a path: a region of tiles (of a drawing: pixels), by column, row, width and height, with "
         "all objects that stand in it"),
    VALUE("plane", "N|NAME", plane, VERB_MOVE | VERB_COPY, "of --tiles: the plane, by its number or name",
         .def = "the main plane"),
    VALUE("by", "DX,DY", by, VERB_COPY,
         "move what is copied, to the right and down: objects by their own unit, a region by tiles",
         .def = "0,0"),
    VALUE("unit", "UNIT", unit, VERB_MOVE | VERB_COPY, "what objects are moved by",
         .choices = "own tiles", .def = "own: that of their x and y"),
    VALUE("anchor", "SIDE", anchor, VERB_RESIZE,
         "the side or corner that stays in place; cells are added or cut off on the other sides",
         .def = "top-left",
         .choices = "top-left top top-right left center right bottom-left bottom bottom-right"),
    FLAG("count", count, VERB_INFO,
         "also show what requires decoding the whole file: the pixels of a drawing by colour; of a pack, "
         "each level"),
    FLAG("roundtrip", roundtrip, VERB_CHECK,
         "also write each file to memory, directly and through a dump, and compare"),
    FLAG("damaged", damaged, VERB_CHECK | VERB_REPAIR,
         "check: print only the names of the files that are damaged or unreadable, one a line; repair: "
         "leave out "
         "files that are not damaged"),
    FLAG("summary", summary, VERB_CHECK,
         "print no files, only the counts at the end: verdicts, findings by ID, and names of levels and "
         "pictures that are missing"),
    FLAG("summary", summary, VERB_INFO,
         "a line also for each file that is named: format, size, and title or main contents"),
    FLAG("all", all, VERB_INFO, "everything also of each file in a folder or archive"),
    FLAG("summary", summary, VERB_DIFF, "only how much changed in each list and grid"),
    FLAG("members", members, VERB_INFO | VERB_CHECK | VERB_GET | VERB_SET,
         "also read packs and archives: each member counts as a file"),
    FLAG("dry-run", dry_run, EDITS | VERB_RENAME | VERB_GMAP | VERB_NEW | VERB_VIEW | VERB_DUMP | VERB_UNDUMP | VERB_RENDER |
             VERB_EXTRACT | VERB_GIT | VERB_TILED | VERB_GALLERY,
         "write nothing; list what would be changed and written", .letter = 'n'),
    FLAG("normalize", normalize, VERB_REPAIR,
         "also change what is only odd: what `lvl check -v' reports as a warning or note and can be "
         "repaired"),
    FLAG("recover", recover, VERB_REPAIR,
         "restore what can be recovered from stale data, instead of removing it"),
    VALUE("path", "PATH", path, VERB_DUMP | VERB_EXPLAIN,
         "only what this path finds, such as `planes[0].objects[3]'"),
    FLAG("no-kept", no_kept, VERB_DUMP,
         "leave out bytes that are only kept to write the same file again (a compressed stream, unusual "
         "offsets)"),
    FLAG("no-kept", no_kept, VERB_CONVERT,
         "drawing to PNG, or such a PNG to a drawing: pixels only; nothing else is stored in the PNG, or "
         "read from it"),
    FLAG("compact", compact, VERB_DUMP, "all on one line"),
    FLAG("all", all, VERB_GET,
         "on a terminal, print of a record also what has its default, as into a file or pipe"),
    FLAG("paths", paths, VERB_GET, "print `path=value', as `lvl set' takes it"),
    VALUE("label", "NAME", labels, VERB_MERGE,
         "the file's name in messages and for detecting its format, if OURS is a temporary file",
         .many = true),
    FLAG("list", list, VERB_MERGE,
         "list the conflicts of a file that git has merged, until `git add FILE' says that they are "
         "resolved"),
    FLAG("choose", choose, VERB_MERGE,
         "ask for each conflict which side to take; `git mergetool -t lvl' does that"),
    VALUE("choices", "DIGITS", choices, VERB_MERGE,
         "a digit for each conflict: 1 ours, 2 theirs, 3 base; the page of --html prints them"),
    VALUE("html", "FILE", html, VERB_MERGE,
         "if there are conflicts, write a page that shows each with pictures, on which you choose; it "
         "prints the command "
         "that merges so"),
    VALUE("label", "NAME", labels, VERB_DIFF,
         "of two files: print this name instead of the first file's; given twice: of the second's, too",
         .many = true),
    FLAG("theirs", theirs, VERB_MERGE,
         "where both sides changed something: take what THEIRS has (without this and --base: what OURS has)"),
    FLAG("base", base, VERB_MERGE, "where both sides changed something: take what BASE has"),
    VALUE("image", "FILE", image, VERB_MERGE,
         "if there are conflicts, also draw a PNG of what OURS and THEIRS have in their places, and which "
         "they are"),
    FLAG("markers", markers, VERB_MERGE,
         "in scripts and other texts of lines: write both sides of a conflict, between conflict markers"),
    VALUE("in", "DIR", in, VERB_RENAME, "the folder of the world, with all folders below it"),
    FLAG("rewrite-links", rewrite_links, VERB_CONVERT,
         "of a world: also change links, of levels and of maps (`.gmap'), to files that get another name by "
         "this "
         "conversion. A map with such links is written, too. Names in scripts are only listed, without "
         "--scripts"),
    FLAG("scripts", scripts, VERB_RENAME | VERB_CONVERT,
         "also change strings in scripts that are exactly the old name; without this they are only listed"),
    FLAG("yes", yes, VERB_RENAME,
         "rename although some files could not be read, and replace read-only files", .letter = 'y',
         .group = GROUP_OUTPUT),
    VALUE("by", "HOW", by, VERB_GMAP,
         "place levels by `links' that lead over their edges, or by coordinates at the end of their "
         "`names' (town-a1.nw, map_2_5.nw): the first one is x, unless the links say otherwise",
         .def = "links, or names if no links join edges", .choices = "links names"),
    VALUE("start", "LEVEL", start, VERB_GMAP,
         "make the map of the group of levels with this one", .def = "the largest group"),
    VALUE("page", "FILE", page, VERB_VIEW | VERB_GALLERY,
         "the viewer's page, an lvl.html without files in it", .def = "the one installed with lvl"),
    FLAG("site", site, VERB_VIEW,
         "write a site instead, a folder of pages as by `lvl gallery': an index with pictures of all "
         "levels, a page about "
         "each, and each in the viewer"),
    VALUE("files", "DIR", files, VERB_GALLERY,
         "publish only level files below this folder; those elsewhere have no viewer",
         .def = "the current folder"),
    FLAG("global", global, VERB_GIT, "for all repositories of this user"),
    FLAG("local", local, VERB_GIT, "for the repository around the current folder; the default"),
    FLAG("install", install, VERB_TILED,
         "put the extension where Tiled looks for it, with the path of this lvl"),
    FLAG("uninstall", uninstall, VERB_TILED, "remove it"),
    VALUE("project", "FILE", project, VERB_TILED,
         "write a project of Tiled (NAME.tiled-project) with the names of enums and flags of all levels"),
    VALUE("expression", "PATH", expressions, VERB_GET,
         "print what this path finds; may be given several times. All other arguments are then files",
         .letter = 'e', .many = true),
    VALUE("expression", "PATH=VALUE", expressions, VERB_SET,
         "make this change; may be given several times. All other arguments are then files", .letter = 'e',
         .many = true),
    VALUE("csv", "TABLE", table, VERB_SET,
         "set what a table of `lvl get --csv' has, changed in a spreadsheet: what is different, and nothing "
         "else. All other arguments are files"),
    VALUE("map", "TABLE", map, VERB_SET,
         "replace cells by a table as CSV, two columns: a number, and the one that replaces it. Each cell is "
         "replaced once, by its old number. The paths are those of cells, as `layers[*].tiles'; how many "
         "cells each row has replaced is printed"),
    VALUE("unset", "PATH", unset, VERB_SET,
         "remove list items, or reset a value to its default; done after the assignments", .many = true),
    VALUE("set", "PATH=VALUE", sets, VERB_PACK,
         "also set a value in the result, as `lvl set' does; may be given several times", .many = true),
    FLAG("delete", remove, VERB_PACK,
         "remove members of FILE that the folder does not have; scripts and signs stay"),
    FLAG("dedupe", dedupe, VERB_PACK,
         "of a pack: store each doodad once: remove it from levels if the pack has the same one, and move "
         "one that several levels hold into the pack"),
    VALUE("at", "OFFSET", at, VERB_EXPLAIN,
         "the field at this offset and the records around it; `0x5f4/0x697' is offset 0x697 of what the "
         "stream at 0x5f4 holds, `0x9.4' is bit 4 of the byte at 9"),
    FLAG("residue", residue, VERB_EXPLAIN,
         "only the bytes that no field covers; exit code 1 if there are any"),
    FLAG("all", all, VERB_EXPLAIN, "every field of the whole file"),
    FLAG("bits", bits, VERB_EXPLAIN,
         "positions in bits, and each part smaller than a byte on a line of its own"),
    VALUE("depth", "N", depth, VERB_EXPLAIN, "summarize records below this depth", .def = "no limit"),
    VALUE("image", "FILE", image, VERB_DIFF, "also draw a PNG of before, after and what changed"),
    VALUE("html", "FILE", html, VERB_DIFF,
         "write a page for a review instead: the list of changes, pictures before and after with a slider, "
         "changed places enlarged; everything is in one file"),
    VALUE("git", "REV[..REV]", git, VERB_DIFF,
         "compare two revisions of the git repository around the current folder, as in `main..branch'; "
         "with three dots, from where both parted; of one revision: with the work tree. Arguments are then "
         "paths in it"),
    FLAG("list", list, VERB_EXTRACT, "list the members instead of writing them", .letter = 'l'),
    FLAG("scripts", scripts, VERB_EXTRACT,
         "write each script of a level or doodad as a text file, for `lvl pack' to put back"),
    FLAG("signs", signs, VERB_EXTRACT, "the same for the texts of signs"),
    FLAG("findings", findings, VERB_FORMATS,
         "explain the findings named (an ID, or its beginning such as `lvl.limit'), or all: meaning, "
         "severity in each profile, what repair does"),
    VALUE("schema", "FORMAT", schema, VERB_FORMATS, "the JSON Schema of a format's dumps, or, with `rules', of files for `lvl check --rules'"),
    VALUE("reference", "FORMAT", reference, VERB_FORMATS, "a format's reference page, in Markdown"),
    VALUE("signatures", "KIND", signatures, VERB_FORMATS,
          "how other programs recognize the formats: file(1), desktops (shared-mime-info, a desktop "
          "entry, a thumbnailer), archives (PRONOM)", .choices = "magic mime desktop thumbnailer pronom"),
    FLAG("man", man, VERB_HELP, "the manual page of the command, or of VERB, as roff"),
    VALUE("completions", "SHELL", completions, VERB_HELP,
         "completions for a shell", .choices = "bash zsh fish powershell"),
    FLAG("list", list, VERB_HELP, "the names of the verbs, one a line", .hidden = true),
    FLAG("examples", examples, VERB_HELP, "every example of the help, with its exit code", .hidden = true),

    VALUE("in", "FILE|DIR", sources, VERB_FIND,
         "search this catalogue, or these files and folders, which are read now; may be given "
         "several times",
         .many = true, .def = "levels.db, or else the files below this folder"),
    VALUE("in", "FILE", catalog, VERB_CATALOG, "the catalogue", .def = "levels.db"),
    VALUE("like", "FILE", like, VERB_FIND,
         "levels like this one, the most similar first: a file, or a path in the catalogue"),
    VALUE("only", "ID[,ID...]", only, VERB_CHECK,
         "report only findings with these IDs, or whose ID begins with one of them; verdicts are those of "
         "all findings"),
    VALUE("fail-on", "ID|SEVERITY", fail_on, VERB_CHECK,
         "also end with 1 if there is such a finding: an ID or its beginning, or one of at least this "
         "severity: `note', "
         "`warning'"),
    VALUE("rules", "FILE", rules, VERB_CHECK,
         "also check the rules of this file, as of a contest or a server (`lvl help rules'); may be given several "
         "times",
         .many = true),
    VALUE("rules", "FILE", rules, VERB_MOVE | VERB_COPY | VERB_RESIZE,
         "also move what belongs to things that this file describes, such as the patrol of a CustomLogic (`lvl "
         "help rules'); may be given several times",
         .many = true),
    VALUE("rules", "FILE", rules, VERB_RENDER,
         "also draw the patrols and areas of things that this file describes (`lvl help rules'); may be given "
         "several times",
         .many = true),
    VALUE("reach-from", "LEVEL", reach_from, VERB_CHECK,
         "instead of findings, report the levels, links, chests and signs that players who begin in LEVEL "
         "do not reach, "
         "on foot and by links and warps in scripts"),
    FLAG("files-with-matches", list, VERB_GET, "print only the names of files with a match, each once",
          .letter = 'l'),
    FLAG("matches", count, VERB_GET, "print only how many matches each file has, of those that have any",
          .letter = 'c'),
    FLAG("duplicates", duplicates, VERB_FIND,
         "files with the same content, in any format, version and spelling, in groups"),
    FLAG("missing", missing, VERB_FIND, "references to files that are neither around the level nor in the "
                                        "catalogue"),
    VALUE("finding", "ID", finding, VERB_FIND, "findings with this ID, or whose ID begins with it"),
    VALUE("uses", "NAME", uses, VERB_FIND, "what refers to the file of this name"),
    VALUE("sql", "QUERY", sql, VERB_FIND, "the rows of a query, which can only read; docs/catalogue.md has "
                                          "the tables"),
    VALUE("most", "N", most, VERB_FIND, "stop after N files", .def = "no limit"),
    FLAG("list", list, VERB_FIND, "print the paths of files only, each once",
          .letter = 'l', .group = GROUP_OUTPUT),
    FLAG("null", null, VERB_FIND, "the same, each ended by a NUL", .letter = '0', .group = GROUP_OUTPUT),
    FLAG("csv", csv, VERB_FIND, "print CSV, with a line of names", .group = GROUP_OUTPUT),
    FLAG("csv", csv, VERB_INFO,
         "print a table of all files as CSV: what a catalogue has in its tables `files' and `levels'",
         .group = GROUP_OUTPUT),
    FLAG("csv", csv, VERB_GET,
         "print a table as CSV: a row for each thing that the first path finds; the other paths are names of "
         "its fields, the columns (default: all that have one value). `lvl set --csv' reads it",
         .group = GROUP_OUTPUT),
    FLAG("csv", csv, VERB_CATALOG, "export, or count, as CSV"),
    FLAG("jsonl", jsonl, VERB_CATALOG, "export, or count, as JSON, one object per line"),
    FLAG("no-thumbnails", no_thumbnails, VERB_SCAN, "do not draw pictures"),
    FLAG("thumbnails", thumbnails, VERB_CATALOG, "also export the pictures, as base64"),

    /* output */
    VALUE("output", "FILE", output, VERB_SCAN, "the catalogue", .letter = 'o', .group = GROUP_OUTPUT,
         .def = "levels.db"),
    VALUE("output", "DIR", output, VERB_GALLERY, "the folder of the site",
          .letter = 'o', .group = GROUP_OUTPUT),
    VALUE("output", "FILE|DIR", output, WITH_OUTPUT,
         "write to this file or folder; multiple inputs need a folder, where they keep their relative "
         "paths; `-' is standard output", .letter = 'o', .group = GROUP_OUTPUT),
    FLAG("in-place", in_place, EDITS,
         "change the input file; if saving fails, the old file stays", .letter = 'i', .group = GROUP_OUTPUT),
    FLAG("yes", yes, WITH_OUTPUT | VERB_DIFF | VERB_TILED | VERB_CATALOG | VERB_GALLERY,
         "overwrite existing files", .letter = 'y', .group = GROUP_OUTPUT),
    VALUE("from0", "FILE", from0, WITH_LIST,
         "also take the files whose paths are in FILE (`-': standard input), each ended by a NUL, as "
         "`lvl find -0' prints them", .group = GROUP_READING),
    FLAG("json", json, VERB_ALL & ~(VERB_HELP | VERB_VERSION),
         "print JSON, one object per line; a verb that writes files lists them", .group = GROUP_OUTPUT),

    /* input */
    VALUE("art", "DIR|FILE", art, WITH_ART,
         "search this folder or archive for pictures first, or use this picture; may be given several "
         "times. `repair' uses pictures only with this or LVL_ART", .many = true, .group = GROUP_READING,
         .def = "LVL_ART, and around the level"),
    FLAG("no-art", no_art, VERB_CHECK | VERB_SCAN,
         "do not check whether the pictures, image sets and levels that a file names exist",
         .group = GROUP_READING),
    VALUE("as", "FORMAT", as, VERB_DOCS & ~(VERB_UNDUMP | VERB_PACK),
         "read the input as this format", .group = GROUP_READING, .def = "by content"),
    VALUE("profile", "NAME", profile, VERB_DOCS,
         "whose rules decide what is an error; `lvl help reading' lists them",
         .group = GROUP_READING, .def = "game", .choices = "strict game salvage"),
    VALUE("encoding", "PAGE", encoding, VERB_DOCS,
         "the code page of texts in the files", .group = GROUP_READING, .def = "the format's own",
         .choices = "windows-1252 windows-1250 windows-1251 utf-8"),
    VALUE("limit", "NAME=VALUE", limits, VERB_DOCS,
         "raise or lower a limit; `lvl help reading' lists them",
         .many = true, .group = GROUP_READING),

    /* general */
    VALUE("jobs", "N", jobs, VERB_DOCS & ~(VERB_PACK | VERB_EXTRACT),
         "work on N files in parallel; the output is the same for any N", .letter = 'j',
         .group = GROUP_GENERAL, .def = "one for each core"),
    VALUE("color", "WHEN", color, VERB_ALL,
         "colours: `auto' (on a terminal, unless NO_COLOR is set), `always' or `never'",
         .group = GROUP_GENERAL, .def = "auto", .choices = "auto always never"),
    FLAG("quiet", quiet, VERB_ALL, "print errors only", .letter = 'q', .group = GROUP_GENERAL),
    FLAG("verbose", verbose, VERB_ALL,
         "print more: notes, every finding instead of a few of each kind, skipped files", .letter = 'v',
         .group = GROUP_GENERAL),
    FLAG("help", help, VERB_ALL, "print help", .letter = 'h', .group = GROUP_GENERAL),
    FLAG("version", version, VERB_ALL,
         "print the version", .letter = 'V', .group = GROUP_GENERAL, .hidden = true),
    {.name = NULL},
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

const cli_option *cli_option_from(const cli_option *option, const cli_verb *verb)
{
    while (option->name && (option->hidden || !(option->verbs & verb->bit)))
        option++;
    return option->name ? option : NULL;
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
    lvl_buffer_str(out, option->prose);
    if (option->def)
        lvl_buffer_printf(out, " (default: %s)", option->def);
    lvl_buffer_u8(out, 0);
}

/* A suggestion may differ in at most a third of the letters, and at most three. */
static unsigned guess_bound(const char *wrong)
{
    size_t third = strlen(wrong) / 3;

    return third > 3 ? 3 : third < 1 ? 1 : (unsigned)third;
}

/* Whether `word` is closer to `wrong` than *best, which starts as guess_bound + 1 and is updated. */
static bool is_closer(const char *wrong, const char *word, unsigned *best)
{
    const unsigned distance = lvl_text_distance(lvl_text_of(wrong), lvl_text_of(word), *best);
    const bool closer = distance < *best;

    *best = closer ? distance : *best;
    return closer;
}

bool cli_is_choice(const char *choices, const char *value)
{
    lvl_text choice;

    while (lvl_text_next_item(&choices, ' ', &choice)) {
        if (lvl_text_is(choice, value))
            return true;
    }
    return false;
}

typedef struct synonym {
    const char *ours, *theirs; /* its names in other commands, blank-separated */
} synonym;

static const synonym option_synonyms[] = {
    {"unset", "delete remove"},
    {"size", "thumbnail thumb resize width"},
    {"scale", "zoom"},
    {"region", "crop rect"},
    {"yes", "force overwrite"},
    {"output", "out outdir"},
    {"in-place", "inplace"},
    {"to", "format"},
    {"as", "from"},
    {"allow-loss", "lossy"},
    {"layers", "layer"},
    {"no-kept", "plain canonical"},
    {"json", "pretty"},
    {"jobs", "threads"},
    {"quiet", "silent"},
    {"dry-run", "dry"},
    {"at", "offset"},
    {"overlay", "attributes"},
    {"list", "show"},
    {"expression", "select set"},
    {"members", "recurse"},
};

const char *cli_option_meant(const char *wrong, const cli_verb *verb)
{
    for (size_t i = 0; i < sizeof option_synonyms / sizeof *option_synonyms; i++) {
        const synonym *s = &option_synonyms[i];
        if (cli_is_choice(s->theirs, wrong) && cli_option_find(s->ours, strlen(s->ours), verb))
            return s->ours;
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
        if (!o->hidden && (!verb || o->verbs & verb->bit) && is_closer(wrong, o->name, &best))
            near = o->name;
    }
    return near;
}

int cli_no_format(cli *c, const char *where, const char *name)
{
    unsigned best = guess_bound(name) + 1;
    const char *near = NULL;
    const lvl_format *f;

    for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
        if (is_closer(name, f->id, &best))
            near = f->id;
    }
    return cli_usage(c, "%sno format `%s'%s%s%s `lvl formats' lists them", where, name,
                     near ? ": did you mean " : "", near ? near : "", near ? "?" : ";");
}

static const synonym verb_synonyms[] = {
    {"info", "show identify stat"},
    {"extract --list", "ls list"},
    {"extract", "unpack unzip x"},
    {"extract FILE MEMBER -o -", "cat"},
    {"render", "draw png thumbnail thumbnails screenshot"},
    {"convert", "export import upgrade migrate rechunk"},
    {"convert --screenshots", "screenshots"},
    {"check", "validate verify lint test"},
    {"repair", "fix mend recover salvage"},
    {"merge", "merge3"},
    {"diff", "compare cmp"},
    {"set", "edit change"},
    {"copy", "paste"},
    {"resize", "crop enlarge"},
    {"set --unset", "rm remove delete"},
    {"pack", "add zip build"},
    {"new", "create"},
    {"dump", "json"},
    {"explain", "hexdump"},
    {"formats --schema", "schema"},
    {"help", "man"},
    {"render --graph", "graph"},
    {"find", "grep search query"},
    {"scan", "index"},
    {"catalog stats", "stats statistics count"},
    {"catalog", "catalogue db database"},
    {"view", "open browse"},
};

/* Options of other commands for which there is another way. */
static const struct habit {
    unsigned verbs;
    const char *names; /* blank-separated */
    const char *instead;
} habits[] = {
    {VERB_CHECK, "fix repair", "`lvl repair' repairs files"},
    {VERB_DOCS, "r R recursive", "folders are read with all folders below them"},
    {VERB_EXTRACT, "d directory dir C", "-o DIR names the folder"},
};

const char *cli_option_instead(const char *wrong, const cli_verb *verb)
{
    for (size_t i = 0; verb && i < sizeof habits / sizeof *habits; i++) {
        if (habits[i].verbs & verb->bit && cli_is_choice(habits[i].names, wrong))
            return habits[i].instead;
    }
    return NULL;
}

const char *cli_verb_near(const char *wrong)
{
    unsigned best = guess_bound(wrong) + 1;
    const char *near = NULL;

    for (size_t i = 0; i < sizeof verb_synonyms / sizeof *verb_synonyms; i++) {
        if (cli_is_choice(verb_synonyms[i].theirs, wrong))
            return verb_synonyms[i].ours;
    }
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        if (is_closer(wrong, v->name, &best))
            near = v->name;
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

const cli_example *cli_verb_examples(const cli_verb *verb)
{
    const cli_example *e = cli_example_table;

    while (e->command && (e->prose || strcmp(e->command, verb->name) != 0))
        e++;
    return e->command ? e + 1 : e;
}
