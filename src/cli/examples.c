/*
 * cli/examples.c: the examples of each verb's help. They run from the repository's top on the levels in
 * samples/, in this order, and a test does that. The one place of the command that names files of a format.
 */
#include "cli/cli.h"

/* clang-format off */
const cli_example cli_examples_info[] = {
    {"lvl info samples/wwd/cliffs.wwd", "what this level is, on one screen", 0},
    {"lvl samples/wwd/cliffs.wwd", "the same: info is the default verb", 0},
    {"lvl info --summary samples", "what is in a folder, one line per file", 0},
    {"lvl info --json samples", "every file in a folder, one JSON object per line", 0},
    {"lvl info samples/wwd/SAMPLES.REZ//LEVEL1/PALETTES", "what is in a folder of an archive", 0},
    {"lvl info samples/sketchy/walk.levelpack//levels", "each level in a pack", 0},
    {"lvl info --count samples/sketchy/hill-v4.level", "with the pixels of each colour", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_render[] = {
    {"lvl render samples/wwd/cliffs.wwd -o cliffs.png",
     "the whole level, with the art beside or above it", 0},
    {"lvl render samples/wwd/cliffs.wwd --camera 600,400 --view 640x480 -o view.png",
     "what the game would show there", 0},
    {"lvl render samples/wwd/cliffs.wwd --schematic --overlay grid,objects,legend -o plan.png",
     "a plan of it", 0},
    {"lvl render samples/wwd/garden --size 256 -o thumbnails", "a thumbnail of every level in a folder", 0},
    {"lvl render samples/graal/lakeside/lakeside.gmap --size 1024 -o world.png",
     "a world, from the levels beside its map", 0},
    {"lvl render --graph samples/graal/lakeside -o graph.png", "the links between these levels", 0},
    {"lvl render samples/graal/ganis/hero_walk.gani --sheet -o walk.png",
     "all frames of an animation, a row for each direction", 0},
    {"lvl render samples/graal/ganis/hero_walk.gani --direction left --with coat=green -o walk.apng",
     "the same as it moves, in a green coat", 0},
    {"lvl render samples/sketchy/hill-v4.level --view 1280x720 -o shot.png",
     "the screenshot that its game would put into it", 0},
    {"lvl render samples/sketchy/walk.levelpack -o pictures", "everything in a pack", 0},
    {"lvl render samples/sketchy/hill-v4.level --scale 4 --overlay attributes -o behaves.png",
     "what is solid, fire, water, slippery", 0},
    {"lvl render samples/sketchy/lantern.doodad --sheet --scale 8 -o lantern.png",
     "every frame of a doodad", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_convert[] = {
    {"lvl convert samples/wwd/art/hermit.pid -o hermit.png", "a sprite as a PNG", 0},
    {"lvl convert hermit.png -o hermit.pid", "and back", 0},
    {"lvl convert samples/wwd/cliffs.wwd -o cliffs.json", "a level as JSON, as `lvl dump' writes it", 0},
    {"lvl convert cliffs.json -o again.wwd", "and back, byte for byte", 0},
    {"lvl convert samples/wwd/cliffs.wwd -o cliffs.tmx", "a level as a map of the editor Tiled", 0},
    {"lvl convert cliffs.tmx -o edited.wwd", "and back, with what was edited there", 0},
    {"lvl convert samples/graal/versions/gr-v1.03.graal --to nw -o pond.nw", "a level in its text form", 0},
    {"lvl convert pond.nw --to gr-v1.03 -o pond.graal", "and back, byte for byte", 0},
    {"lvl convert hermit.png --palette samples/sketchy/hill-v4.level --allow-loss -o painted.level",
     "a picture as a level, in another level's swatches, the nearest ones", 0},
    {"lvl convert hermit.png --chunk-size 32 --trim-palette -o hermit.doodad", "and as a doodad", 0},
    {"lvl convert samples/graal/versions/gr-v1.05.graal --to gr-v1.01 -o old.graal",
     "an old version cannot hold all of it: lists what, and writes nothing", 1},
    {"lvl convert samples/sketchy/hill-v1.level --to v4 -o hill.level",
     "an old drawing in the newest form, a tenth of the size", 0},
    {"lvl convert samples/sketchy/walk.levelpack//levels --to v3.1 -o for-all.levelpack",
     "all levels of a pack in the form that every version of the game reads, in a copy of the pack", 0},
    {"lvl convert hill.level --chunk-size 128 --trim-palette --screenshots -i",
     "larger chunks, no unused swatches, new screenshots", 0},
    {"lvl convert hermit.png --like samples/sketchy/hill-v4.level --at 30,-40 --more-colors -o beach.level",
     "a picture laid onto a drawing, whose actors stay", 0},
    {"lvl render samples/graal/lakeside/lake_meadow.nw --layers 0 -o meadow.png", "a level's tiles", 0},
    {"lvl convert meadow.png --tileset samples/graal/pics1.png -o traced.nw",
     "and a level made of that picture", 0},
    {"lvl convert samples/wwd/cliffs.wwd --to sketchy --allow-loss -o cliffs.level",
     "a level of Claw that can be walked in Sketchy Maze", 0},
    {"lvl convert hermit.png -o hermit.level", "a picture as a drawing", 0},
    {"lvl convert samples/sketchy/hill-v4.level -o plain.png",
     "a drawing for a paint program, pixel by pixel", 0},
    {"lvl convert plain.png --palette samples/sketchy/hill-v4.level -o again.level",
     "and back: colours keep their meaning in the game", 0},
    {"lvl convert samples/sketchy/lantern.doodad --layer lit -o lit.png", "one layer of a doodad", 0},
    {"lvl convert lit.png --colors 2 -o lit.doodad", "a picture as a doodad, with fewer colours", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_check[] = {
    {"lvl check samples/wwd/cliffs.wwd", "is it sound?", 0},
    {"lvl check --roundtrip --json samples/wwd/cliffs.wwd",
     "does lvl write the same bytes? One JSON object per file", 0},
    {"lvl check --summary samples", "a summary of a folder", 1},
    {"lvl check --profile sketchy-head samples/sketchy/hill-v3.level",
     "does this program of the game show it? No: it is blank there", 1},
    {"lvl check --art samples/graal samples/graal/lakeside",
     "do the levels and pictures that they name exist?", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_repair[] = {
    {"lvl repair --dry-run samples/wwd/damaged/truncated.wwd", "what would be repaired", 0},
    {"lvl repair samples/wwd/damaged/truncated.wwd -o repaired.wwd", "repair it into a new file", 0},
    {"lvl repair --recover samples/graal/damaged/stale-baddies.graal -o repaired.graal",
     "restore what an old editor misread", 0},
    {"lvl repair samples/sketchy/damaged/cut-gzip.level -o repaired.level", "a download that broke off", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_dump[] = {
    {"lvl dump samples/wwd/cliffs.wwd", "the whole file as JSON", 0},
    {"lvl dump --path 'planes[0]' samples/wwd/cliffs.wwd", "one part of it", 0},
    {"lvl dump samples/wwd/garden -o dumps", "a folder of dumps: keepers-garden.wwd.json and so on", 0},
    {"lvl dump --no-kept samples/sketchy/hill-v4.level -o hill.json",
     "text for git: one line per row of pixels, in a stable order", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_undump[] = {
    {"lvl dump samples/wwd/cliffs.wwd | lvl undump - -o same.wwd", "there and back, byte for byte", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_get[] = {
    {"lvl get samples/wwd/cliffs.wwd name author", "two fields of the level", 0},
    {"lvl get --paths samples/wwd/cliffs.wwd 'planes[*].name'", "a field of each plane, with its path", 0},
    {"lvl get samples/sketchy/hill-v4.level 'swatches[solid=yes].name'",
     "the objects that match a condition", 0},
    {"lvl get samples/graal/lakeside 'signs[text~mill].text'",
     "all signs in a folder of levels that contain a word", 0},
    {"lvl get samples/graal/lakeside/*.nw -e 'npcs[*].image' -e 'links[*].level'",
     "two paths in several files", 0},
    {"lvl get --members samples/sketchy title",
     "the title of everything in a folder, and in the packs in it", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_set[] = {
    {"lvl set samples/wwd/cliffs.wwd 'name=New name' 'planes[0].z=5' -o changed.wwd",
     "two changes, in a new file", 0},
    {"lvl set changed.wwd 'author=me' -i", "in place", 0},
    {"lvl set samples/graal 'npcs[image=miller.png].image=baker.png' -o baked",
     "another picture for an NPC, in every level of a folder", 0},
    {"lvl set samples/graal/lakeside/lake_meadow.nw 'npcs[image=miller.png].x=20' -o moved.nw",
     "move an NPC", 0},
    {"lvl set samples/sketchy/hill-v4.level difficulty=hard 'swatches[\"ice\"].slippery=no' "
         "'actors[0].point={\"x\":10,\"y\":4}' -o hard.level",
     "by name, yes and no, a whole record", 0},
    {"lvl set hard.level --unset 'actors[-1]' -i", "remove an item", 0},
    {"lvl set hard.level 'actors[+]={\"id\":\"key\",\"filename\":\"key.doodad\",\"point\":{\"x\":60}}' "
         "'actors[\"key\"].options+={\"name\":\"Lit\",\"value\":\"true\"}' -i",
     "place a new one, with an option", 0},
    {"lvl set hard.level 'actors[0].links+=key' "
         "'actors[\"key\"].links+=5f0c9a52-0001-4f4e-9a0e-6b2d51aa0001' 'actors[\"key\"].point.y-=8' -i",
     "link two to each other, and move one up", 0},
    {"lvl set hard.level 'swatches[+1]={\"name\":\"moss\",\"color\":\"#3a5a20\"}' 'swatches-=glass' -i",
     "a swatch inserted, and one removed with its pixels: the others keep their colours", 0},
    {"lvl set samples/sketchy/hill-v4.level 'layers[0].chunks[fill 40,0]=water' "
         "'layers[0].chunks[-200,-60 -150,-50]=grass' -o flooded.level",
     "fill an area with a swatch, and paint where no chunk is", 0},
    {"lvl set samples/graal/lakeside/lake_village.nw 'signs[1]@=0' "
         "'layers[0].tiles[fill 0,0]=3' -o filled.nw",
     "a sign becomes the first one; the like tiles around a cell get another tile", 0},
    {"lvl set samples/sketchy/lantern.doodad hitbox.height-=2 'tags[\"category\"].value=doors' "
         "'tags+={\"name\":\"mine\",\"value\":\"1\"}' -o tagged.doodad",
     "a doodad's hitbox and tags", 0},
    {"lvl set samples/sketchy/walk.levelpack//levels/hill.level 'title=My hill' -o mine.levelpack",
     "a level inside its pack, in a copy of the pack; -i changes the pack", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_copy[] = {
    {"lvl copy samples/graal/lakeside/lake_village.nw 'npcs[0]' "
         "samples/graal/lakeside/lake_meadow.nw -o cloned.nw",
     "an NPC of another level", 0},
    {"lvl copy samples/graal/lakeside/lake_village.nw 'layers[0].tiles[10,10 20,16]' cloned.nw "
         "'layers[0].tiles[40,40]' -i",
     "a house, to another place", 0},
    {"lvl copy samples/sketchy/hill-v4.level 'actors[*]' samples/sketchy/hill-v1.level -n",
     "actors with their links; only show what would change", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_resize[] = {
    {"lvl resize samples/wwd/cliffs.wwd --size 80x14 -o wide.wwd", "the main plane, wider", 0},
    {"lvl resize samples/wwd/cliffs.wwd --size 70x30 --anchor bottom-right -o deep.wwd",
     "new rows above and new columns on the left; all that is there moves", 0},
    {"lvl resize deep.wwd --plane Action --size 40x20 -n", "what would be cut off?", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_new[] = {
    {"lvl new nw -o meadow.nw", "an empty Graal level", 0},
    {"lvl new wwd --size 100x40 --like samples/wwd/cliffs.wwd -o plain.wwd",
     "an empty level with the planes and tile properties of another", 0},
    {"lvl new v3.1 -o blank.level", "an empty drawing", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_explain[] = {
    {"lvl explain samples/wwd/cliffs.wwd --depth 2", "an overview", 0},
    {"lvl explain samples/wwd/cliffs.wwd --at 0x10", "what is at this offset?", 0},
    {"lvl explain samples/wwd/cliffs.wwd --residue", "bytes that no field covers: none", 0},
    {"lvl explain samples/graal/versions/z3-v1.03.zelda --at 0x9.4", "and at this bit?", 0},
    {"lvl explain samples/sketchy/hill-v4.level --at 0xa79/0x30",
     "or in the stream at 0xa79, as the overview shows", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_diff[] = {
    {"lvl diff samples/wwd/cliffs.wwd changed.wwd", "what was changed", 1},
    {"lvl diff samples/wwd/cliffs.wwd changed.wwd --image changes.png", "and a picture of it", 1},
    {"lvl diff samples/wwd/cliffs.wwd changed.wwd --html changes.html", "a page for a review", 1},
    {"lvl diff --json samples/wwd/garden samples/wwd/garden", "two folders, file by file: no difference", 0},
    {"lvl diff samples/sketchy/hill-v1.level samples/sketchy/hill-v4.level",
     "two versions of a format: only the summary", 1},
    {NULL, NULL, 0},
};

const cli_example cli_examples_merge[] = {
    {"lvl set samples/wwd/cliffs.wwd 'planes[4].tiles[5,5]=3' -o other.wwd", "a second version", 0},
    {"lvl merge samples/wwd/cliffs.wwd changed.wwd samples/wwd/cliffs.wwd -o merged.wwd",
     "only one side changed something: its bytes", 0},
    {"lvl merge samples/wwd/cliffs.wwd changed.wwd other.wwd -o merged.wwd -y", "what both changed", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_rename[] = {
    {"lvl convert samples/graal/lakeside -o world --to nw", "a world to work on", 0},
    {"lvl rename lake_mill.nw old_mill.nw --in world -n", "what would change", 0},
    {"lvl rename lake_mill.nw old_mill.nw --in world --scripts", "rename it, in scripts too", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_gmap[] = {
    {"lvl gmap samples/graal/lakeside", "print a map of these levels, by their links", 0},
    {"lvl gmap samples/graal/lakeside --start lake_shore.nw -o lakes.gmap", "write it to a file", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_view[] = {
    {"lvl view samples/graal/lakeside -n", "which files a page of these levels would hold", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_extract[] = {
    {"lvl extract --list samples/wwd/SAMPLES.REZ", "what is in it", 0},
    {"lvl extract samples/wwd/SAMPLES.REZ -o unpacked", "all of it, into a folder", 0},
    {"lvl extract samples/wwd/SAMPLES.REZ LEVEL1/PALETTES -o palettes", "one folder of it", 0},
    {"lvl extract samples/graal/lakeside/lake_woods.nw --scripts --signs -o texts",
     "the texts in a level, as text files", 0},
    {"lvl extract samples/sketchy/walk.levelpack levels -o levels", "the levels of a pack", 0},
    {"lvl extract samples/sketchy/walk.levelpack index.json -o -", "one file of it", 0},
    {"lvl extract samples/sketchy/hill-v4.level -o parts",
     "what is attached to a level: its wallpaper as a picture, its doodads", 0},
    {"lvl extract samples/sketchy/lantern.doodad --scripts -o lantern", "a doodad's script, as script.js", 0},
    {"lvl extract samples/sketchy/walk.levelpack -o walk", "a pack of levels, taken apart", 0},
    {"lvl extract samples/sketchy/walk.levelpack//levels/hill.level assets/wallpapers -o paper",
     "the wallpaper of a level in a pack", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_pack[] = {
    {"lvl pack unpacked -o packed.rez", "a folder as an archive", 0},
    {"lvl pack texts samples/graal/lakeside/lake_woods.nw -o woods.nw",
     "the level with these texts put back", 0},
    {"lvl pack parts samples/sketchy/hill-v4.level -o restored.level",
     "a level with what was attached to it put back: what wasn't changed keeps its bytes", 0},
    {"lvl pack lantern samples/sketchy/lantern.doodad -o lantern.doodad",
     "a doodad with its script put back", 0},
    {"lvl pack walk samples/sketchy/walk.levelpack -o walk.levelpack",
     "a pack with the files of the folder: changed ones, new ones", 0},
    {"lvl pack walk walk.levelpack --delete -i", "the same, without those that the folder does not have", 0},
    {"lvl pack walk -o new.levelpack --set 'title=A long walk' --set free_levels=0",
     "a new pack of a folder of levels; its index follows", 0},
    {"lvl pack new.levelpack --dedupe -i", "store each doodad once", 0},
    {NULL, NULL, 0},
};

const cli_example cli_examples_formats[] = {
    {"lvl formats", "the supported formats", 0},
    {"lvl formats --findings", "all findings of `lvl check'", 0},
    {"lvl formats --findings wwd.checksum.mismatch", "what one of them means", 0},
    {NULL, NULL, 0},
};
/* clang-format on */
