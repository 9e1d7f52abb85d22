#!/bin/sh
# A whole server of Graal, made of the samples: a level, a picture, an animation, a weapon and a class are renamed, and then nothing has an
# old name, and nothing names what is not there.
. "$(dirname "$0")/support/shell.sh"

mkdir "$t/server"
cd "$t/server"
cp -R "$samples"/graal/server/* .
mkdir world
cp "$samples"/graal/*.png "$samples"/graal/lakeside/* "$samples"/graal/ganis/* world
# what the samples name and do not have
for name in idle ferry lantern_swing; do grep -v '^PLAYSOUND\|steps.wav' world/hero_idle.gani >world/$name.gani; done
cp weapons/weaponlantern.txt weapons/weaponbomb.txt
sed 's/lantern/bomb/' weapons/weaponbomb.txt >w && mv w weapons/weaponbomb.txt
grep -v 'steps.wav' world/hero_walk.gani >w && mv w world/hero_walk.gani
sed '/^NPCSCRIPT$/a\
join lakeside_door;' npcs/npcferry.txt >w && mv w npcs/npcferry.txt

missing() {
    expect "$1" "$lvl" find --missing --in .
    [ "$1" = 1 ] || return
    [ ! -s "$said/out" ] || fail "dangling names $2"
}
said=$test_root # not in the server
missing 1 "before"
# rename OLD NEW WORD PLACE...: OLD is WORD in the files, which must be in each of these first
rename() {
    old=$1 new=$2 word=$3
    shift 3
    for file; do grep -qw -- "$word" "$file" || fail "$file does not have $word"; done
    expect 0 "$lvl" rename "$old" "$new" --in . --scripts
    # comments are texts
    grep -rnw -- "$word" . | grep -v '://' && fail "$word is still there"
    missing 1 "after $old became $new"
    expect 0 "$lvl" check -q .
}
rename lake_village.nw harbour.nw lake_village accounts/mira.txt config/serveroptions.txt npcs/npcferry.txt world/lakeside.gmap world/lakeside_bigmap.txt world/lake_meadow.nw
rename lake_mill.nw windmill.nw lake_mill accounts/mira.txt scripts/lakeside_door.txt world/lake_meadow.nw
rename miller.png baker.png miller.png accounts/mira.txt npcs/npcferry.txt weapons/weaponlantern.txt scripts/lakeside_door.txt world/lake_meadow.nw
rename lantern_swing.gani swing.gani lantern_swing weapons/weaponlantern.txt scripts/lakeside_door.txt
rename weaponlantern.txt weapontorch.txt lantern accounts/mira.txt config/serveroptions.txt weapons/weaponlantern.txt scripts/lakeside_door.txt
rename lakeside_door.txt shore_door.txt lakeside_door npcs/npcferry.txt
expect 0 "$lvl" find --uses shore_door.txt --in . -l
is "$said/out" ./npcs/npcferry.txt "the class is named by its NPC"
# a name that is gone is missing again
rm world/windmill.nw world/swing.gani weapons/weapontorch.txt
missing 0
for name in 'chests[1].level: level: windmill.nw' 'weapons[1].name: doodad: torch' 'links[2].level: level: windmill.nw'; do out_has "$name"; done

# mistakes in scripts of classes, weapons and NPCs; what a level alone cannot know is none here
printf 'if (created) {\n  setimgg door.png;\n}\nif (timeout) {\n  message tick;\n}\nif (weaponfired) {\n  message fired;\n}\n' >wrong
mkdir "$t/typos" "$t/typos/scripts" "$t/typos/weapons" "$t/typos/npcs"
cp wrong "$t/typos/scripts/wrong.txt"
{ printf 'GRAWP001\nREALNAME wrong\nIMAGE \nSCRIPT\n' && cat wrong && echo SCRIPTEND; } >"$t/typos/weapons/weaponwrong.txt"
{ printf 'GRNPC001\nNAME wrong\nNPCSCRIPT\n' && cat wrong && echo NPCSCRIPTEND; } >"$t/typos/npcs/npcwrong.txt"
expect 0 "$lvl" check -v "$t/typos"
[ "$(grep -c 'graal.script.misspelt: line 2: "setimgg" is not a command, so it is not run; did you mean setimg? (script)' "$said/out")" = 3 ] ||
    fail "a mistake in three scripts"
[ "$(grep -c 'warning\|note' "$said/out")" = 6 ] || fail "other findings" # the mistake, and the count of the file
rm -r wrong "$t/typos"

# A class is known by the folders beside its own; any other text stays a text.
for folders in 'world' 'data levels' ''; do
    rm -rf "$t/other"
    mkdir -p "$t/other/scripts"
    for folder in $folders; do mkdir "$t/other/$folder"; done
    cp scripts/shore_door.txt "$t/other/scripts"
    expect 4 "$lvl" info "$t/other/scripts/shore_door.txt"
done
mkdir "$t/other/WORLD" "$t/other/npcs"
cp scripts/shore_door.txt "$t/other/npcs"
cp scripts/shore_door.txt "$t/other/scripts/a.lua"
printf 'a\0b' >"$t/other/scripts/binary.txt"
: >"$t/other/scripts/empty.txt"
for file in npcs/shore_door.txt scripts/a.lua scripts/binary.txt scripts/empty.txt; do expect 4 "$lvl" info "$t/other/$file"; done
mkdir "$t/other/config"
expect 0 "$lvl" info "$t/other/scripts/shore_door.txt"
out_has 'Class of a Graal server'
# its line ends stay, in an archive, too
for ends in 's/$/\r/' '1s/$/\r/' 's/x/x/'; do
    sed "$ends" scripts/shore_door.txt >"$t/other/scripts/ends.txt"
    sed 's/windmill/tower/' "$t/other/scripts/ends.txt" >"$t/want.txt"
    expect 0 "$lvl" dump "$t/other/scripts/ends.txt" -o "$t/dump.json" -y
    expect 0 "$lvl" undump "$t/dump.json" -o "$t/again.class.txt" -y
    same "$t/again.class.txt" "$t/other/scripts/ends.txt" 'dumped and undumped'
    expect 0 "$lvl" rename windmill.nw tower.nw --in "$t/other" --references-only --scripts
    same "$t/other/scripts/ends.txt" "$t/want.txt" 'renamed'
done
(cd "$t/other" && python3 -m zipfile -c ../other.zip scripts config npcs)
expect 0 "$lvl" info "$t/other.zip//scripts/ends.txt"
out_has 'Class of a Graal server'
finish
