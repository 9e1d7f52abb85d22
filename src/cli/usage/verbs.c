/*
 * cli/usage/verbs.c: the table of verbs, for help, man pages and completions.
 */
#include "cli/usage/usage.h"

/* clang-format off */
const cli_verb cli_verb_table[] = {
    {"info", VERB_INFO, CLI_SHOWS, "show what a file is, on one screen",
     "FILE...",
     "Shows the format, title, author, size, planes and contents of each file, and where its art was found; "
     "of each file in a folder or archive one line, and with --all or --count everything. It does not check "
     "the file; `lvl check' does that.\n\n`lvl FILE' is the same as `lvl info FILE'.",
     "a file of a known format cannot be read, or a folder has no file of a known format"},
    {"render", VERB_RENDER, CLI_SHOWS | CLI_OPENS_PACKS, "draw a level or an animation as a PNG",
     "FILE... -o FILE.png|DIR\n"
     "--graph FILE... [-o FILE.dot|FILE.png|FILE.svg]\n"
     "--tiles DIR FILE...",
     "Draws the whole main plane with its objects and the planes behind and in front of it, one plane "
     "(--plane), or exactly what the game shows at a point (--camera). Pictures are searched in --art, in "
     "LVL_ART, and beside and above the level. A level without art is drawn schematically: how its tiles "
     "behave and what its objects are.\n\n"
     "Of an animation it draws one frame, all frames side by side (--sheet), or an animated PNG or GIF (-o "
     "FILE.apng, -o FILE.gif) with the animation's own times. All frames have one size and a transparent background. "
     "--with replaces a head, body or sword, or sets a colour; the default is what the animation names. An "
     ".ani of Claw does not say which image set it shows: its frames are searched in --art, in its own "
     "folder, in IMAGES instead of ANIS, and by the name in it.\n\n"
     "Of a world map all levels are drawn side by side. They are searched by name where pictures are; a "
     "missing level is an empty place with its name. --graph draws the links between levels instead. For a "
     ".png or .svg it runs Graphviz, which must be installed (Debian: graphviz; Windows and macOS: "
     "https://graphviz.org/download). A .dot file has the pictures of its levels in a folder beside it: "
     "run Graphviz where the file is, `dot -Tsvg FILE.dot -o FILE.svg'.\n\n"
     "--tiles writes a level or a world map for the web: small pictures of several sizes, and a page on which it is "
     "moved and zoomed like a map. Of several files each gets a folder of its own.\n\n"
     "Of an archive all members that can be drawn go to a folder; `ARCHIVE//FOLDER' and `ARCHIVE//MEMBER' "
     "select some.\n\n"
     "A map of any size needs little memory: it is drawn in bands.",
     "a file cannot be read or drawn"},
    {"convert", VERB_CONVERT, 0, "convert a file to another format",
     "FILE... -o FILE|DIR [--to FORM] [--allow-loss]\nFILE... --sheet -o FILE.png",
     "Converts a level to another form of its family (another version, or text instead of binary), pictures "
     "to PNG and back, everything to JSON and back, and levels to maps of the editor Tiled (.tmx, .tmj) and "
     "back. The ending of -o, or --to, selects the target; `lvl formats' lists the forms. To draw a level "
     "as its game does, use `lvl render'.\n\nEach item that the target cannot represent is listed with its "
     "place, and the file is then only converted with --allow-loss. A file that already has the target's "
     "form is copied.\n\nA level of tiles also becomes a level of a game whose levels are drawings: it is "
     "drawn, its pixels block, carry, kill or are water where the tiles do, and flags mark the start and "
     "the exits. Pictures are searched as by `lvl render'; without them the drawing is schematic.\n\nA map "
     "holds the level that it was made of, so that converting it back changes only what was edited in "
     "Tiled, and an unedited map gives the same bytes. Its pictures go to the folder NAME.tiles, or to "
     "--pictures. A map without its level becomes a new level. A world map becomes a .world file of "
     "Tiled.\n\nFor engines and programs of your own, `--to csv' writes a table of the numbers of each layer, "
     "and `--to ldtk' a folder in the form of the simple export of the editor LDtk: pictures of the layers, a "
     "table of how they behave, and data.json with the things. Both need -o DIR, where each level gets a folder. "
     "They are exports: nothing converts them back.\n\n"
     "Music (XMI) becomes a MIDI file (.mid), or a listing of its notes and loops (.txt).\n\n"
     "A picture (PNG, GIF, JPEG) becomes a drawing (a level, or a doodad, by the ending of -o) "
     "whose swatches are its colours, or those of --palette; transparent pixels become empty. A drawing "
     "becomes a PNG of one layer in the plain colours of its swatches. The PNG also stores what it does not "
     "show (title, actors, scripts, other layers), so that converting it back gives the same drawing, with "
     "the pixels changed in between; --no-kept leaves that out, or ignores it. --chunk-size, --trim-palette "
     "and --screenshots change existing drawings, which keep their form unless --to names another.\n\n"
     "--sheet puts pictures into one, a sheet of sprites, and writes beside it where each is, as JSON in the "
     "form of Aseprite's --data. Such a JSON, with its picture beside it, or a picture with --slice, becomes "
     "files again, with --to FORMAT -o DIR, or the layers of a doodad.",
     "a file cannot be read, or the target cannot represent all of it"},
    {"check", VERB_CHECK, CLI_CHECKS, "check whether files are sound, and list what is wrong",
     "FILE...",
     "Reads each file to the end and checks it by the rules of a profile. A file is sound if nothing in it "
     "is an error for the profile; faulty if it is whole, but the game crashes or goes wrong with it; "
     "damaged if "
     "content is missing, hidden or wrong; unreadable if nothing in it can be read; foreign if its format "
     "is unknown. Where the programs of a game differ, the profile `game' is "
     "the newest release, and what only another program can read is not an error; --profile with the name of a "
     "program applies the rules of that program only. Findings are printed as\n\n"
     "  FILE:OFFSET: SEVERITY: ID: TEXT\n\n"
     "from warnings up; with -v from notes up, with -q errors only. For each ID the first three different "
     "findings are printed, and the number of the others; -v and --json list all. In a folder, files "
     "without findings are only counted, unless -v is given. `lvl formats --findings ID' explains an ID.\n\n"
     "A folder of levels that name files, such as a server's, is also checked as a whole: the counts at the end "
     "have levels that no map, link or script leads to, files that nothing names (pictures, animations, sounds, "
     "weapons), and names in another case than that of the file, which servers on Linux do not find. These are "
     "notes: `lvl check -v --only lvl.level,lvl.file DIR' lists them. Names that scripts put together are not "
     "seen.\n\n"
     "Pictures, image sets and levels that a file names are searched in --art, in LVL_ART, and beside and "
     "above the file; a missing one is a warning or a note, but a tile without a picture crashes the game, "
     "and is an error. If none of them "
     "is found, there is a single note; for a folder, one line at the end counts such files. --no-art skips "
     "all of this.\n\n--reach-from START.nw follows players through a world of linked levels, from anywhere "
     "in that level: on "
     "foot, over the edges of maps, by links and by warps in scripts. What is never reached is a note. "
     "Tiles block by "
     "the classic types. Doors that scripts open, jumps, and where the server or weapons send players are "
     "not known, so "
     "a note says where to look, not that something is wrong.",
     "a file is faulty, damaged or unreadable, failed the round trip (--roundtrip), or has a finding of "
     "--fail-on"},
    {"scan", VERB_SCAN, 0, "read many files into a catalogue",
     "PATH... [-o levels.db]",
     "Reads files, folders and the members of archives into a catalogue, one file that `lvl find' and `lvl "
     "catalog' "
     "search: what each file is, whether it is sound, its texts, the files that it names, findings, and a "
     "picture. Of "
     "a file that an earlier scan has read, only size and time are looked at; if they have changed, it is "
     "read again. "
     "An interrupted scan goes on where it was. Files that are no longer there are marked, and what was "
     "known of them "
     "stays. A second scan lists what was added, changed, moved and removed.\n\nThe catalogue is a database "
     "of SQLite; docs/catalogue.md describes its tables.",
     NULL},
    {"find", VERB_FIND, 0, "search a catalogue, or the texts of many files",
     "WORD... [--in FILE|DIR]\n"
     "--duplicates | --missing | --like FILE | --uses NAME | --finding ID [WORD...]\n"
     "--sql QUERY",
     "Prints where words occur in titles, signs, scripts, names and other texts, in files that have all of "
     "them. A word "
     "finds all words that begin with it, in any case, with or without accents; \"two words\" in quotes are "
     "found in "
     "this order.\n\n  logic:Soldier       a word in the field of this name: author, logic, script, image; "
     "file: the "
     "path\n  format:nw           files with this value: format, family, version, verdict, game, year, "
     "path, name\n\n"
     "A line has the file, the path of the value in it, as for `lvl get', and the value. -l prints names of "
     "files "
     "only.",
     "nothing was found"},
    {"catalog", VERB_CATALOG, 0, "count what is in a catalogue, export it",
     "[stats] [--in FILE]\n"
     "export --csv DIR | --jsonl DIR [--thumbnails]\n"
     "schema",
     "`stats' counts files by format, version, game, verdict, author and year. `export' writes each table "
     "of the "
     "catalogue as a file, that of the pictures only with --thumbnails; bytes are base64. `schema' "
     "describes the tables, in Markdown.",
     "the file is not a catalogue"},
    {"gallery", VERB_GALLERY, 0, "make a site of all levels of a catalogue",
     "[levels.db | URL] -o DIR",
     "Writes a folder of pages: index.html shows the levels by their pictures, with a search over all "
     "texts, and choices "
     "of game, format, author, year and verdict; levels with the same content are shown once. Each has a "
     "page with its "
     "facts, texts, findings, links from and to it, other versions and similar levels, and opens in "
     "the "
     "viewer. It works from the disk and from any web server. Addresses of levels stay, see "
     "docs/catalogue.md. -y writes a "
     "site again, and removes the files of levels that are gone: those that its lvl-files.txt lists, and no "
     "others.\n\n"
     "The site contains the files of the levels, for the viewer. A catalogue can name any file of this "
     "machine, so a file is "
     "published only if it lies below the folder of --files, also by its links, and is the one that was "
     "scanned; what levels "
     "are drawn with must lie there or in --art. Files that are not published are named and counted. Run it "
     "in the folder in "
     "which `lvl scan' ran.\n\nThe pictures may be under copyright: think of that before you publish a site.",
     "no level is in the catalogue"},
    {"repair", VERB_REPAIR, CLI_REPAIRS, "repair damaged files",
     "FILE... -o FILE|DIR | -i | --dry-run  [--normalize] [--recover] [--damaged]",
     "Repairs missing parts, wrong sizes and offsets, and broken compressed streams, where everything "
     "before "
     "the break is kept; and what a game goes wrong with, where nothing is lost or invented. Each change is "
     "listed, "
     "and at the end what the repaired file has. A sound file is copied unchanged to -o, and -i does not "
     "write it; "
     "what is only odd (swatches that are there twice, a wrong checksum) is changed by --normalize. "
     "Repairing twice "
     "changes nothing more. The input is only changed with -i.\n\n"
     "Some old editors left bytes of an earlier version in a file, which games read as objects that no "
     "designer placed. A repair removes these; --recover restores those that are still complete instead.",
     "a file cannot be repaired, or errors are left"},
    {"dump", VERB_DUMP, 0, "write a file as JSON, without loss",
     "FILE... [-o FILE|DIR]",
     "Writes everything that is in a file as JSON, from which `lvl undump' makes the same file again, byte "
     "for byte. Values that are the default are left out. What stands under \"~\" is only needed to write "
     "the same bytes; it may be deleted, and is ignored once the part that it belongs to is edited.",
     "a file cannot be read, or --path finds nothing"},
    {"undump", VERB_UNDUMP, 0, "make a file from its JSON dump",
     "FILE.json... -o FILE|DIR",
     "Makes the file that a dump was made of, with the changes that were made to the dump. Counts, sizes, "
     "offsets and checksums are computed. An unknown key, a value of the wrong kind, or one with which the "
     "file would be read as something else, is an error, and nothing is written then.",
     "a dump is not valid"},
    {"get", VERB_GET, 0, "print values by their paths",
     "FILE PATH...\n"
     "FILE... -e PATH [-e PATH]...",
     "Prints the values that paths find, one per line: numbers, names and texts as they are, anything "
     "larger as one line of JSON. A number that has a name in the game (powerup of an enemy: coin) is printed "
     "as that, and with --json as both. On a terminal a record is shown without what has its default (--all shows "
     "it); into a file or pipe, and with --json or --paths, it is complete. FILE may be a folder. Of "
     "several files, or a "
     "folder, each line begins with the file's name.\n\nPaths:\n\n  planes[0].objects[3].logic        "
     "counted from 0\n  planes[-1]                        from the end\n  planes[*].objects[*].x            "
     "all of them\n  planes[\"Action\"].name             by name\n  objects[logic=Rat,x>=100].health  those "
     "that match conditions: = != < > <= >= and ~ (contains, in any case); a comma means "
     "and\n  objects[logic=Rat|logic=Officer]  | means or\n  objects[(logic=Rat|logic=Officer),x<9]  beside "
     "each "
     "other they need parentheses\n  objects[not logic=Rat]            those that do not match\n  "
     "objects[kind=enemy,drops=crown]   by what numbers mean for the logic of an object of Claw or "
     "Gruntz: kind, drops, item, sound, volume, team ...\n  objects[powerup=coin]             a name, where "
     "the number means that\n  "
     "planes[2:5]  planes[-2:]          items 2, 3 and 4; the "
     "last two\n  tiles[5,7]  tiles[0,0 9,4]        a cell, a region of cells\n  tiles[=10]                 "
     "       all cells of that value\n  tiles[fill 5,7]                   a cell and the equal cells around "
     "it\n  layers[0].chunks[-9,0 99,50]      of a drawing: a region of pixels\n  title                     "
     "        the title, also where the format has another name for it\n\nWith several files, a file in "
     "which a path finds nothing, or whose format has no such field, is counted as a file without a match; "
     "this is not an error. A field that none of the formats has is an error.\n\nWith --csv the output is a "
     "table for spreadsheets, and `lvl set --csv' sets what was changed in it. Its columns are `file', if "
     "there are several, `path', and fields of what the first path finds; without paths of things "
     "(`-e title -e author') a row is a file.",
     "nothing was found in any file, or a file cannot be read"},
    {"set", VERB_SET, 0, "change values by their paths",
     "FILE PATH=VALUE... [--unset PATH]... -o FILE|DIR | -i\n"
     "FILE... -e PATH=VALUE... [--unset PATH]... -o DIR | -i\n"
     "--csv TABLE FILE... -o FILE|DIR | -i\n"
     "--map TABLE FILE PATH... -o FILE|DIR | -i",
     "Changes values, and what follows from them (counts, sizes, offsets, checksums); nothing else in the "
     "file changes. Paths are those of `lvl get', and so are names of values (`powerup=coin'); `objects[+]' is a new item at the end, `objects[+2]' one "
     "before item 2; its value is JSON as `lvl get' prints it, and an item that needs an ID gets a free "
     "one. A region of cells takes one value, or what `lvl get' prints for a region; for the latter "
     "`tiles[5,7]' is the upper left corner. Setting pixels of a drawing adds the chunks that they need. "
     "FILE may be a folder, or a member of an archive, which goes back into it (-i) or into a copy of it "
     "(-o COPY). Write no blanks around the =.\n\n+= and -= add to the present value and remove from it: a "
     "number, flags, the items of a list (`links+=ID', `tags-=NAME'; of records the one of that name); *= "
     "multiplies a number; `signs[4]@=0' moves an item to number 0 of its list. References to list items by "
     "number are adjusted: pixels keep their colours when a swatch is inserted or removed, and pixels of a "
     "removed swatch are deleted; chests and scripts (`say 3') show the same sign.\n\nOf a single file, all "
     "changes are made or none: each path must find "
     "something, but for cells by a value that the file does not have (`tiles[=4]=7'). A value that the file "
     "cannot represent (lvl.write.lost) is an error, and nothing is written. Other errors that `lvl check' "
     "did not find before the change are printed, and the file is "
     "written.\n\nOf several files, or a folder, each file is changed by itself. The changes whose path "
     "finds something are made in order; the others are skipped. A file in which no path finds anything is "
     "unchanged, and with -o DIR copied; this is not an error. An error (a value that does not fit, a field "
     "that the file's format does not have) leaves the whole file unchanged: a wrong value is printed, once "
     "for all files that have it, and ends with code 1; a missing field is printed once for each format, "
     "and is an error only if no format has it. The last line counts: `2,571 files: 6 changed, 2,565 "
     "without a match'.\n\n--csv sets the values of a table that `lvl get --csv' printed: those that differ. "
     "Rows and columns may be removed and sorted; things without a row stay as they are. A text that begins "
     "with = is a text. An unknown column, a row for what is not there, or for the same thing twice, and a "
     "value that does not fit are errors with line and column; a wrong table, and a wrong row for a single "
     "file, change nothing.",
     "nothing was found in any file, a value does not fit, or a file cannot be read"},
    {"copy", VERB_COPY, 0, "copy records and cells from one file into another",
     "FROM PATH TO [PATH] [--by DX,DY] -o FILE|DIR | -i\n"
     "FROM --tiles X,Y,W,H TO [--by DX,DY] -o FILE|DIR | -i",
     "Copies what PATH finds in FROM into TO. If TO is a folder, every level in it gets a copy. Paths are "
     "those of `lvl get'; the second one is the place in TO, and by default the same as the first.\n\nItems "
     "of a list (`npcs[image=door.png]') are added after the last one, or before item 2 (`npcs[+2]'); one "
     "with "
     "the key of another item (the name of an attached file, of a tag) replaces it, with -y. An "
     "item that needs an ID gets a free one, and links among the copied items lead to the copies. A region "
     "of cells goes to a region of its size, or to the one whose upper left corner is given "
     "(`layers[0].tiles[10,5]'). Anything else replaces what the second path finds.\n\n--by moves copied "
     "objects as `lvl move' does: their patrols, areas and addresses with them. --tiles copies a region with "
     "all objects that stand in it; destinations in it lead to the copy.\n\nWhat the copied "
     "items refer to (the sign of a chest, the swatches of pixels, a doodad that is embedded in the level) "
     "is copied, too, if TO does not have it; -v lists it. A number or link that refers to something else "
     "in TO is a warning (lvl.copy.reference).",
     "nothing was found, TO cannot hold it, or a file cannot be read"},
    {"resize", VERB_RESIZE, 0, "change the size of a level",
     "FILE... --size COLUMNSxROWS [--plane N|NAME] [--anchor SIDE] -o FILE|DIR | -i",
     "Gives a plane another size in cells. Its content stays at the side that --anchor names, objects, "
     "patrols, destinations of warps and the start move with it, and new cells are empty. Cells that are "
     "cut off although they are not empty, and objects that lie outside then, are listed as warnings. "
     "Everything else in the file stays as it is. A drawing gets a page of that many pixels; its pixels "
     "stay where they are, and what lies beyond is listed. If all levels of a game have the same size, it "
     "cannot be changed.",
     "the format has no planes with a size, there is no such plane, or a file cannot be read"},
    {"move", VERB_MOVE, CLI_TAKES_DISTANCE, "move objects, or a part of a level, with all that belongs to them",
     "FILE... PATH DX,DY -o FILE|DIR | -i | --dry-run\n"
     "FILE... --tiles X,Y,W,H DX,DY -o FILE|DIR | -i | --dry-run",
     "Moves the objects that PATH finds (as for `lvl get') to the right and down; with a `-' before a "
     "number, to the left or up. What the numbers of an object mean in its game decides what moves with it: "
     "patrols, areas, paths, and in Gruntz the address of a switch. Destinations, as of a warp, stay where "
     "they are. Objects that name a switch by its address follow it.\n\n"
     "--tiles moves a region: its tiles, the objects that stand in it, and every destination in it, of any "
     "object of the level. All layers move, but of planes that scroll by themselves one. What is "
     "left is empty (on a board: grass). Cells that were not empty and are overwritten are "
     "counted as a warning (lvl.move.overwritten). Objects that stood at the new place stay.\n\n"
     "DX and DY are in the unit of the objects' own x and y: pixels; tiles in levels that count in tiles. With --unit tiles, and "
     "always with --tiles, they are tiles. What would leave the level, or the range of its field, is an "
     "error, and nothing is moved. Positions in scripts, and links of other levels to this one, are not "
     "changed.\n\nOf several files, those in which nothing is found stay unchanged.",
     "nothing was found, something would leave the level, or a file cannot be read"},
    {"new", VERB_NEW, 0, "make an empty level, map, animation or pack",
     "FORM -o FILE [--size WxH] [--base N | --like FILE]",
     "Makes an empty level that the game loads, in any of the forms that `lvl formats' lists for levels "
     "(`nw', `gr-v1.03', `v3.1', `doodad' ...), and empty world maps (`gmap', whose --size counts levels), "
     "animations (`gani'), packs and archives. --like takes all but cells and objects of another level: its "
     "planes, palette, tile properties and settings; it may also be of another form that converts to FORM. "
     "--base makes a level of Claw that can be played at once, with the planes and tile properties of a base level. "
     "If all levels of a game have the same size, the new one has it, and is filled with grass.",
     "lvl cannot make new files of that format, or not of that size"},
    {"explain", VERB_EXPLAIN, 0, "explain each byte of a file",
     "FILE... [--at OFFSET | --path PATH | --residue | --all]",
     "Lists the parts of a file, and of what is compressed in it, with their offsets and meaning. Offsets "
     "inside a compressed stream are shown as STREAM/OFFSET.",
     "a file cannot be read, nothing is at that place, or --residue found bytes"},
    {"diff", VERB_DIFF, CLI_READS_PIPES, "show what changed between two files or folders",
     "A B\n"
     "--git REV[..REV] [PATH...]",
     "Compares the contents of two files, not their bytes: records field by field, cells as regions, list "
     "items paired by identity. Two folders are compared file by file, by relative path without the ending, "
     "and so are folders in archives (`A.pack//levels B.pack//levels'). A level can be compared with its "
     "conversion. --git compares the files that differ between two revisions, or one and the work tree.\n\n"
     "--html FILE writes the comparison as a page, for a review.",
     "they differ"},
    {"merge", VERB_MERGE, 0, "merge the changes of two versions of a file",
     "BASE OURS THEIRS -o FILE | -i\n"
     "BASE OURS THEIRS --choose -o FILE | -i\n"
     "BASE OURS THEIRS --html PAGE\n"
     "BASE OURS THEIRS -o DIR\n"
     "--list FILE",
     "Applies the changes from BASE to THEIRS to OURS, and writes the result to FILE (-i: to OURS). Objects "
     "are matched as `lvl diff' matches them. A value that one side changed is taken; cells merge cell by "
     "cell, also where a side resized its grid; scripts line by line; flags bit by bit; both sides' "
     "additions to lists are kept; counts, sizes and checksums are updated. What neither side changed keeps "
     "its bytes.\n\nA value that both sides changed differently is a conflict: it is printed with its path "
     "and the three values. The result is written nevertheless, with the value of OURS (--theirs, --base: "
     "of THEIRS or BASE); --choose asks for each, and --html PAGE makes a page to choose on. Three folders "
     "are merged file by file, by the path below them: a file that one side "
     "removed, and the other did not change, is left out; files of other formats are taken as a whole. In a "
     "git repository, --list shows the conflicts of a file until "
     "it is added.",
     "there were conflicts, or a file cannot be read"},
    {"rename", VERB_RENAME, CLI_LOCKS_INPUTS, "rename a file of a world, and every reference to it in the other files",
     "OLD NEW --in DIR [--scripts] [-n]",
     "Renames the file called OLD in DIR, or in a folder below it, to NEW, and changes every reference to "
     "it in all files there: links, cells of world maps, pictures of NPCs and animations, the animation "
     "that follows another one or that a movie plays, the keys by which objects of Claw and Gruntz name sounds, "
     "animations (CUSTOM_DOOR: SOUNDS/DOOR.WAV in the level's own folder) and Lua files. (Not the doodads that "
     "actors name, no image sets, and nothing in Lua files.) "
     "Names are compared as the game does, without regard to case. Each change is "
     "listed with its path. Strings in scripts that are exactly the old name are listed, and animations "
     "that scripts play; --scripts changes them too. -n only lists.\n\nOLD and NEW may be paths. NEW in "
     "another folder below DIR moves the file, too. If several files in different folders have the old "
     "name, a reference means the one that is nearest to its file; where two are equally near, it is "
     "listed and not changed.\n\nEither everything is changed or nothing: new files are written first, and "
     "then replace the "
     "old ones. If a file cannot be read or written, nothing is changed. If OLD does not exist but NEW "
     "does, because the file was renamed by hand, only the references to it are changed.",
     "a file could not be read, or there is no file called OLD"},
    {"gmap", VERB_GMAP, 0, "make a world map of the levels in a folder",
     "DIR... [-o FILE.gmap|FILE.txt] [--by links|names] [--start LEVEL]",
     "Makes a map of levels whose links lead over their edges: each level lies beside those that its edges "
     "lead to. Of several such groups, the largest one, or the one with --start, becomes the map. Existing "
     "maps in the folder are ignored. Without links over edges, or with --by names, coordinates at the end "
     "of the names say where each level lies. -o FILE.txt writes a bigmap; without -o the map is printed. "
     "Levels that are not on the map are counted; -v lists them.",
     "no two levels belong to one map, or a file cannot be read"},
    {"view", VERB_VIEW, 0, "show levels in a browser, or write pages to send to somebody",
     "FILE... [-o PAGE.html]\n"
     "FILE... --site -o DIR",
     "Makes a page of one file that shows the levels like maps, with their records, findings and bytes, and "
     "edits them. It holds the files and the pictures that drawing them needs, found as `lvl render' finds "
     "them, and works without lvl and without a network.\n\nWithout -o the page is written to a temporary "
     "file that only you can read, and the default browser opens it; the next `lvl view' removes such pages "
     "that "
     "are older than a day. The page holds the folders of the files below "
     "the folder that they have in common, and no other path of this machine; -n lists what it would hold. "
     "With --site, the files are scanned, and -o is a folder with a site of them as `lvl gallery' makes it: "
     "an index with "
     "pictures of all levels and a search, a page about each level, and each in the viewer. Addresses of "
     "levels stay if the "
     "same files and folders are named again. Without the viewer's page (--page) they cannot be opened.\n\n"
     "The pictures may be under copyright: think of that before you publish a page.",
     "a file cannot be read"},
    {"git", VERB_GIT, 0, "let git show and merge level files",
     "install [--local | --global]\n"
     "uninstall [--local | --global]",
     "After `lvl git install', `git diff' shows what changed in level files as `lvl diff' does, `git log "
     "-p' as a comparison of JSON, `git merge' merges them with `lvl merge', `git difftool -t lvl' "
     "shows pictures of the changes, and `git mergetool -t lvl' asks how to resolve conflicts. It sets "
     "git's configuration and adds lines to the repository's "
     ".gitattributes, so commit that file (--global: to the user's attributes file). Everybody who clones "
     "the repository runs `lvl git install' once, too. `lvl git uninstall' undoes all of this.",
     "git failed"},
    {"tiled", VERB_TILED, 0, "let the map editor Tiled open and save levels",
     "--install\n"
     "--uninstall\n"
     "--project FILE",
     "After `lvl tiled --install', Tiled's File > Open takes level files, and Ctrl+S writes them. It writes "
     "a script into the folder of Tiled's extensions, prints its name, and changes nothing else. Pictures "
     "of tiles are kept in a cache folder of the user. Run it again after moving lvl.\n\n"
     "With the project that --project writes open in Tiled, values with names are chosen from lists.\n\n"
     "To convert levels to maps and back by hand, use `lvl convert LEVEL -o MAP.tmx' and `lvl convert "
     "MAP.tmx -o LEVEL'.", NULL},
    {"extract", VERB_EXTRACT, CLI_WHOLE_ARCHIVES, "extract files from an archive or level, or scripts from a level",
     "FILE [MEMBER...] -o DIR | --list\n"
     "FILE MEMBER -o FILE | -\n"
     "LEVEL... --scripts --signs -o DIR | --list",
     "Writes the members of an archive, or the files attached to a level (pictures, wallpapers, doodads), "
     "to DIR: all, or those named, a folder with its contents, or those that match a pattern (`levels/*'). "
     "One member goes to a file if -o has its ending. Nothing is written outside of DIR: a member whose "
     "name leads out of it, or is not valid on every system, is reported and skipped. Of a damaged member, "
     "what can be read is written, and an error names it. `lvl pack' puts all of it back. Every verb also "
     "reads members directly: `lvl info FILE//FOLDER/MEMBER'.\n\n"
     "With --scripts or --signs, writes the texts of a level to DIR instead, each as a file in UTF-8: "
     "`npc-003-door.txt' is the fourth NPC's script, `script.js' a doodad's. Edit them, and `lvl pack' puts "
     "them back. Several levels get a folder each in DIR.",
     "a member does not exist, is damaged, or cannot be written safely"},
    {"pack", VERB_PACK, 0, "make an archive of a folder, or put files back into an archive or level",
     "DIR -o FILE [--to FORMAT]\n"
     "DIR FILE... -o FILE|DIR | -i  [--delete]\n"
     "FILE... -o FILE|DIR | -i  --dedupe | --set PATH=VALUE",
     "Packs a folder and its contents, without hidden files. The same files give the same archive, byte for "
     "byte. A pack of levels gets an index: the one in the folder, completed; levels that it does not list "
     "are added in order of names, with their title, author and id. --set changes its fields: `--set "
     "title=...'.\n\n"
     "With a FILE, puts back what `lvl extract' wrote into DIR: members of an archive, what is attached to "
     "a level, and the scripts and signs of --scripts and --signs. Unchanged members keep their bytes and "
     "place, new ones are added, and members without a file stay, unless --delete is given. The index of a "
     "pack is updated. For scripts and signs only the start of the name counts (`npc-003'); a file whose "
     "name is not known is an error, and nothing is written then.",
     "the format cannot hold a name, or the level has no place for a file"},
    {"formats", VERB_FORMATS, 0, "list formats, findings, schemas",
     "[--findings [ID...] | --schema FORMAT | --reference FORMAT | --signatures KIND]",
     "Lists the supported formats and what can be done with each: the forms for `lvl convert', and the "
     "programs for --profile.", NULL},
    {"help", VERB_HELP, 0, "explain a verb, or a logic or command of a game",
     "[VERB]\nGAME [NAME]",
     "Prints the help of a verb, or the list of verbs; of a game, what can be in its levels: what a logic is, "
     "what each of its numbers means, what can go wrong (`lvl help claw Elevator'), the names of items (`lvl "
     "help claw item'), what a command of a script takes. `lvl help reading' "
     "explains how files are read.", NULL},
    {"version", VERB_VERSION, 0, "print the version",
     "",
     "Prints the version of the command.", NULL},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};
/* clang-format on */

const char *cli_exit_text(int code, const cli_verb *verb)
{
    switch (code) {
    case EXIT_FINE: return "success; there may have been warnings";
    case EXIT_NEGATIVE:
        if (!verb)
            return "negative result: damaged, different, nothing found";
        return verb->negative;
    case EXIT_USAGE: return "wrong usage";
    case EXIT_ENVIRONMENT: return "a file cannot be opened or written, or memory is exhausted";
    case EXIT_FOREIGN: return "unknown format of a file that was named";
    }
    return NULL;
}
