#!/bin/sh
# Pictures of levels that are missing, or exist and cannot be read: render, info and check name them.
. "$(dirname "$0")/support/shell.sh"
wwd=$samples/wwd
says() {
    grep -qF -- "$1" err || { fail "expected the message: $1"; head -n 5 err; }
}

# Cells without a picture are counted, and marked only when that is asked for.
expect 0 "$lvl" set -q "$wwd/cliffs.wwd" 'planes[Action].tiles[3..6,4]=4001' -o holes.wwd
expect 0 "$lvl" render holes.wwd --art "$wwd" -o plain.png
says "holes.wwd: 4 cells have no picture in the art and are empty; \`--overlay findings' marks them"
expect 0 "$lvl" render holes.wwd --art "$wwd" --overlay findings -o marked.png
says "holes.wwd: 4 cells have no picture in the art and are empty"
! cmp -s plain.png marked.png || fail "--overlay findings marks nothing"
expect 0 "$lvl" render "$wwd/cliffs.wwd" --art "$wwd" -o sound.png
[ ! -s err ] || fail "a level with all its pictures: $(cat err)"
expect 0 "$lvl" render "$wwd/cliffs.wwd" --art "$wwd" --hide objects -o sound.png -y
expect 0 "$lvl" render "$wwd/cliffs.wwd" --art "$wwd" --hide objects --overlay findings -o same.png
cmp -s sound.png same.png || fail "--overlay findings marks a level with all its pictures"
# ... and a finding of the game's rules at its object, the level's own at the upper left
expect 0 "$lvl" set -q "$wwd/cliffs.wwd" 'planes[Action].objects[3].logic=Officer' 'planes[Action].objects[3].min_x=2' 'planes[Action].objects[3].max_x=1' -o wrong.wwd
expect 0 "$lvl" render wrong.wwd --schematic -o plain.png -y
expect 0 "$lvl" render wrong.wwd --schematic --overlay findings -o marked.png -y
! cmp -s plain.png marked.png || fail "--overlay findings does not mark a finding"
# ... and one about a tile or a chunk of a drawing around that, and nowhere else
marks_at() { # FILE REGION: sets `marked' to whether the picture of the region has marks
    expect 0 "$lvl" render -q "$1" --schematic --region "$2" -o plain.png -y
    expect 0 "$lvl" render -q "$1" --schematic --overlay findings --region "$2" -o marked.png -y
    if cmp -s plain.png marked.png; then marked=no; else marked=yes; fi
}
expect 0 "$lvl" set -q "$wwd/cliffs.wwd" 'planes[Action].tiles[30,4]=4001' -o tile.wwd
expect 1 "$lvl" check tile.wwd
grep -qF 'wwd.tile.no_property' out && grep -qF '.tiles[30,4]' out || fail "check does not name the tile"
for place in 1916,252,72,72:yes 1920,400,200,60:no 2260,300,200,100:no; do
    marks_at tile.wwd "${place%:*}"
    [ "$marked" = "${place#*:}" ] || fail "marks at $place: $marked"
done
marks_at "$samples/sketchy/damaged/few-colors.level" 0,0,2000,1000
[ "$marked" = yes ] || fail "--overlay findings does not mark a chunk"
expect 0 "$lvl" render -q holes.wwd --art "$wwd" -o plain.png -y
[ ! -s err ] || fail "-q prints: $(cat err)"
expect 0 "$lvl" info holes.wwd --art "$wwd"
grep -q '^ *tiles without picture  *4$' out || fail "info does not count tiles without picture"
expect 0 "$lvl" info "$wwd/cliffs.wwd" --art "$wwd"
! grep -q 'without picture' out || fail "info counts tiles without picture in a level that has all"

# Pictures that exist and are damaged are named: cut ones of a tile set, a sheet of tiles, a picture of an NPC.
expect 0 "$lvl" extract -q "$wwd/SAMPLES.REZ" -o art
for number in 049 067; do
    pid=art/LEVEL1/TILES/ACTION/$number.PID
    head -c $(($(wc -c <"$pid") / 2)) "$pid" >cut && mv cut "$pid"
done
cp "$wwd/cliffs.wwd" .
expect 0 "$lvl" render cliffs.wwd --art art -o cut.png
for number in 049 067; do
    says "ACTION/$number.PID is damaged: a part of it is drawn"
done
expect 0 "$lvl" check cliffs.wwd --art art
[ "$(grep -c 'warning: lvl.art.unreadable: .*ACTION/0[46][97].PID is damaged' out)" = 2 ] || fail "check does not name cut pictures"
expect 0 "$lvl" check "$wwd/cliffs.wwd" --art "$wwd"
! grep -q unreadable out || fail "check names pictures that are whole"
# ... and the palette
pal=$(cd art && find . -name MAIN.PAL | grep LEVEL1 | sed 's/^..//')
head -c 500 "art/$pal" >cut && mv cut "art/$pal"
expect 0 "$lvl" check cliffs.wwd --art art
out_has "lvl.art.unreadable: $pal is damaged: it cannot be read"
expect 0 "$lvl" render cliffs.wwd --art art -o cut.png -y
says "$pal is damaged: it cannot be read"

mkdir world
cp "$samples/graal/lakeside/lake_mill.nw" "$samples/graal/miller.png" world
head -c 2000 "$samples/graal/pics1.png" >world/pics1.png
expect 0 "$lvl" render world/lake_mill.nw -o sheet.png
says 'world/lake_mill.nw: pics1.png is damaged: it cannot be read'
says 'world/lake_mill.nw: no art that can be read: drawn schematically'
expect 0 "$lvl" check world/lake_mill.nw
grep -q 'lvl.art.unreadable: pics1.png is damaged' out || fail "check does not name a damaged sheet of tiles"
cp "$samples/graal/pics1.png" world
head -c 60 "$samples/graal/miller.png" >world/miller.png
printf 'GLEVNW01\nNPC miller.png 3 4\nNPCEND\n' >world/npc.nw
for verb in check 'render -o npc.png'; do
    expect 0 "$lvl" $verb world/npc.nw
    cat out err >both
    grep -q 'miller.png is damaged: it cannot be read' both || fail "$verb does not name a damaged picture of an NPC"
done

# An MNG is drawn with its first frame, named if it is damaged, and played as an animated PNG.
cp "$samples/small/small.mng" world/torch.mng
printf 'GLEVNW01\nNPC torch.mng 3 4\nNPCEND\nNPC no.mng 3 4\nNPCEND\n' >world/npc.nw
expect 0 "$lvl" render world/npc.nw -o drawn.png -y
[ ! -s err ] || fail "a level with an MNG: $(cat err)"
expect 0 "$lvl" check world/npc.nw
grep -q 'image_missing: no.mng' out || fail "check does not name a missing MNG"
! grep -q 'torch.mng' out || fail "check names an MNG that is there"
head -c 200 "$samples/small/small.mng" >world/torch.mng
expect 0 "$lvl" check world/npc.nw
expect 0 "$lvl" render world/npc.nw -o cut.png -y
says 'torch.mng is damaged'
rm world/torch.mng
expect 0 "$lvl" render world/npc.nw -o none.png -y
! cmp -s drawn.png none.png || fail "the MNG is not drawn"
expect 0 "$lvl" render "$samples/small/small.mng" -o torch.apng
grep -q acTL torch.apng || fail "an MNG is no animated PNG"
expect 0 "$lvl" convert "$samples/small/small.mng" -o torch.png

# An animation of Claw has the pictures of its image set: of the archive that it is in, of a folder, of another set.
expect 0 "$lvl" render "$samples/wwd/art/gull.ani" --sheet -o gull.png
[ ! -s err ] || fail "an animation without its pictures: $(cat err)"
expect 0 "$lvl" render "$samples/wwd/SAMPLES.REZ//CLAW/ANIS/APPRENTICE.ANI" -o apprentice.apng
[ ! -s err ] && grep -q acTL apprentice.apng || fail "an animation in an archive: $(cat err)"
mkdir -p anis/IMAGES/BIRD anis/ANIS/BIRD
expect 0 "$lvl" extract -q "$samples/wwd/SAMPLES.REZ" 'LEVEL1/IMAGES/GULL/*' -o birds
cp birds/LEVEL1/IMAGES/GULL/* anis/IMAGES/BIRD
"$lvl" set -q "$samples/wwd/art/gull.ani" name= -o anis/ANIS/BIRD/FLY.ANI
cp anis/ANIS/BIRD/FLY.ANI anis/FLY.ANI
expect 0 "$lvl" render anis/ANIS/BIRD/FLY.ANI --sheet -o gull2.png --art "$samples/wwd"
cmp -s gull.png gull2.png || fail "pictures in IMAGES instead of ANIS"
expect 0 "$lvl" render anis/FLY.ANI --sheet -o gull3.png --art anis/IMAGES/BIRD --art "$samples/wwd"
cmp -s gull.png gull3.png || fail "pictures in --art"
expect 0 "$lvl" render anis/FLY.ANI --sheet -o gull4.png --with images=IMAGES/BIRD --art "$samples/wwd"
cmp -s gull.png gull4.png || fail "pictures of --with images="
expect 0 "$lvl" render anis/FLY.ANI --sheet -o gull5.png
says 'anis/FLY.ANI: no art found (--art): drawn schematically'
# The same as a GIF.
expect 0 "$lvl" render "$samples/wwd/art/gull.ani" -o gull.gif
[ "$(head -c 6 gull.gif)" = GIF89a ] && grep -q NETSCAPE2.0 gull.gif || fail "an animation is no GIF"
expect 0 "$lvl" render "$samples/wwd/art/gull.ani" "$samples/small/small.mng" --gif -o gifs
cmp -s gull.gif gifs/gull.gif && [ -s gifs/small.gif ] || fail "several animations as GIF"
expect 0 "$lvl" convert gull.gif -o first.png
expect 2 "$lvl" render "$samples/wwd/art/gull.ani" --gif -o gull.png -y
says 'a GIF is not named .png'
expect 2 "$lvl" render "$samples/wwd/art/gull.ani" --sheet -o gull.gif -y
says 'exclude each other'
expect 2 "$lvl" render "$samples/wwd/art/gull.ani" --gif -o gull.apng -y
expect 2 "$lvl" render "$samples/wwd/art/gull.ani" --frame 1 -o gull.gif -y
expect 1 "$lvl" render "$samples/wwd/cliffs.wwd" -o cliffs.gif
says 'not an animation'

# A custom level has pictures of its own beside it, as BMP, too. What its folder does not have is taken from the game's.
mkdir -p mine/holes/TILES/ACTION mine/holes/LEVEL/OFFICER
cp holes.wwd mine
tile=mine/holes/TILES/ACTION/4001
expect 0 "$lvl" convert "$wwd/art/cave.pcx" -o cave.png
expect 0 "$lvl" convert cave.png -o $tile.BMP
expect 0 "$lvl" render mine/holes.wwd --art "$wwd" -o custom.png
[ ! -s err ] || fail "a tile that is there as a BMP: $(cat err)"
expect 1 "$lvl" check mine/holes.wwd --art "$wwd"
! grep -q no_image out || fail "a tile that is there as a BMP has no image: $(cat out)"
expect 0 "$lvl" render holes.wwd --art "$wwd" -o plain.png -y
! cmp -s plain.png custom.png || fail "the BMP is not drawn"
cp "$wwd/art/cave.pcx" $tile.pcx # the game takes PID, PCX, BMP, in this order
rm $tile.BMP
expect 0 "$lvl" render mine/holes.wwd --art "$wwd" -o pcx.png
cmp -s custom.png pcx.png || fail "a tile is not the same as PCX and as BMP"
expect 0 "$lvl" convert "$samples/small/small.pcx" -o small.png
expect 0 "$lvl" convert small.png -o $tile.bmp
expect 0 "$lvl" render mine/holes.wwd --art "$wwd" -o both.png
cmp -s pcx.png both.png || fail "a BMP is taken before a PCX"
# without the game's art, a set that is not in the level's own folder is no fault of the level
cp "$samples/small/small.bmp" mine/holes/LEVEL/OFFICER/001.bmp
rm -rf art && mkdir alone && mv mine alone
expect 1 "$lvl" check -v alone/mine/holes.wwd
! grep -q no_images out || fail "own art makes the game's art missing: $(cat out)"
grep -q lvl.art.absent out || fail "that the game's art is absent is not named"

# The palette of the level's own folder, as PAL, ACT or text: the same picture.
mkdir -p alone/mine/holes/PALETTES
palette=alone/mine/holes/PALETTES/MAIN
expect 0 "$lvl" render alone/mine/holes.wwd --art "$wwd" -o own.png
od -An -v -tu1 "$wwd/art/main.pal" | tr -s ' ' '\n' | sed '/^$/d' | awk '{c[NR - 1] = $1} END {for (i = 0; i < NR; i += 3)
    printf "#%02X%02X%02X\n", 255 - c[i], c[i + 1], c[i + 2]}' >$palette.TXT
expect 0 "$lvl" check --roundtrip $palette.TXT
expect 0 "$lvl" render alone/mine/holes.wwd --art "$wwd" -o text.png
! cmp -s own.png text.png || fail "MAIN.TXT is not used"
awk 'BEGIN {while ((getline line < "'$palette.TXT'") > 0) {for (i = 2; i < 8; i += 2) printf "\\%03o", hex(substr(line, i, 2))}}
    function hex(s) {return (index("0123456789ABCDEF", substr(s, 1, 1)) - 1) * 16 + index("0123456789ABCDEF", substr(s, 2, 1)) - 1}' >octal
printf "$(cat octal)" >$palette.ACT
printf '\001\000\377\377' >>$palette.ACT
expect 0 "$lvl" dump $palette.TXT -o text.json
expect 0 "$lvl" undump text.json -o back.TXT
same back.TXT $palette.TXT
mv $palette.TXT kept.txt
expect 0 "$lvl" check --roundtrip $palette.ACT
expect 0 "$lvl" render alone/mine/holes.wwd --art "$wwd" -o act.png
cmp -s text.png act.png || fail "MAIN.ACT and MAIN.TXT give different pictures"

# CustomLogic needs a Lua file of the object's name in the level's folder LOGICS, where there is one.
expect 0 "$lvl" set -q "$wwd/cliffs.wwd" 'planes[Action].objects[0].logic=CustomLogic' 'planes[Action].objects[0].name=Fly' \
    'planes[Action].objects[1].logic=CustomLogic' 'planes[Action].objects[1].name=bugs:Crawl' -o alone/lua.wwd
expect 0 "$lvl" check alone/lua.wwd
! grep -q no_script out || fail "a level without LOGICS lacks a script: $(cat out)"
mkdir -p alone/lua/logics/Bugs && : >alone/lua/logics/Bugs/crawl.lua
expect 0 "$lvl" check alone/lua.wwd
[ "$(grep -c 'no_script: the folder LOGICS has no "Fly"' out)" = 1 ] || fail "a missing script: $(cat out)"
: >alone/lua/logics/fly.lua
expect 0 "$lvl" check alone/lua.wwd
! grep -q no_script out || fail "a script that is there: $(cat out)"

# Sounds and animations that objects name, in folders as the game has them and in the level's own.
mkdir -p keyed/GAME/SOUNDS keyed/LEVEL1/sounds/Trigger/Deep keyed/custom
expect 0 "$lvl" set -q "$wwd/cliffs.wwd" 'planes[*].objects[*].animation=' -o silent.wwd
name() { # OBJECT LOGIC KEY ...
    set_all=
    while [ $# -gt 2 ]; do
        set_all="$set_all planes[Action].objects[$1].logic=$2 planes[Action].objects[$1].animation=$3"
        shift 3
    done
    expect 0 "$lvl" set -q silent.wwd $set_all -o keyed/custom/own.wwd -y
    "$lvl" check -v keyed/custom/own.wwd 2>&1 | grep -E 'no_sound|_animation:|absent: [sa]' >keys || :
}
: >keyed/LEVEL1/sounds/Trigger/BUSH1.wav
: >keyed/GAME/SOUNDS/x_y.WAV
: >keyed/LEVEL1/sounds/Trigger/Deep/a_b_c.Wav
name 0 SoundTrigger LEVEL_TRIGGER_BUSH1 1 AmbientSound GAME_X_Y 2 AmbientSound level_trigger_deep_a_b_c 3 AniCycle LEVEL_CRAB
[ "$(cat keys)" = 'keyed/custom/own.wwd: note: lvl.art.absent: animations' ] || fail "sounds that are there, animations that are nowhere: $(cat keys)"
name 0 SoundTrigger LEVEL_TRIGGER_BUSH2 1 AmbientSound GAME_BUSH1 2 AmbientSound LEVEL_TRIGGER_DEEP 3 SoundTrigger LEVEL_TRIGGER_BUSH2
[ "$(grep -c 'warning: wwd.object.no_sound' keys)" = 3 ] && [ "$(grep -c . keys)" = 3 ] &&
    grep -q 'there is no sound LEVEL_TRIGGER_BUSH2: players hear nothing (2 objects)' keys || fail "sounds that are missing: $(cat keys)"
# of a folder that is not there, nothing is known: CLAW has no sounds here; no sound can have the other name
name 0 ClawDialogSoundTrigger CLAW_1021 1 SoundTrigger NOTHING
[ "$(grep -c . keys)" = 2 ] && grep -q 'no sound NOTHING:' keys && grep -q 'absent: sounds' keys || fail "sounds of an absent folder: $(cat keys)"
# sounds that come with the level are expected where the game's are
name 0 SoundTrigger CUSTOM_HORN 1 TreasurePowerup CUSTOM_SHINE
[ "$(grep -c . keys)" = 2 ] && grep -q 'no_sound: there is no sound CUSTOM_HORN:' keys && grep -q 'absent: animations' keys ||
    fail "a sound that should be the level's: $(cat keys)"
mkdir -p keyed/custom/own/Sounds keyed/custom/own/anis keyed/custom/own/LEVEL/Officer
: >keyed/custom/own/Sounds/horn.wav
: >keyed/custom/own/LEVEL/Officer/new.wav
name 0 SoundTrigger CUSTOM_HORN 1 TreasurePowerup CUSTOM_SHINE 2 SoundTrigger LEVEL_OFFICER_NEW 3 AniCycle CUSTOM_HORN 4 AniCycle LEVEL_X
[ "$(grep -c . keys)" = 3 ] && grep -q 'note: wwd.object.spare_animation: there is no animation CUSTOM_SHINE:' keys && grep -q absent keys &&
    grep -q 'warning: wwd.object.no_animation: there is no animation CUSTOM_HORN: players do not see it (' keys || fail "animations of the level: $(cat keys)"

# The same keys in searches and renames.
: >keyed/LEVEL1/sounds/Trigger/BUSH2.wav
mkdir -p keyed/custom/own/LOGICS/pets keyed/custom/other/sounds
: >keyed/custom/own/LOGICS/pets/dog.lua
: >keyed/custom/other/sounds/horn.wav
expect 0 "$lvl" set -q silent.wwd 'planes[Action].objects[0].logic=CustomLogic' 'planes[Action].objects[0].name=pets:dog' \
    'planes[Action].objects[1].logic=SoundTrigger' 'planes[Action].objects[1].animation=CUSTOM_HORN' \
    'planes[Action].objects[2].logic=AmbientSound' 'planes[Action].objects[2].animation=LEVEL_TRIGGER_BUSH2' \
    'planes[Action].objects[3].logic=AniCycle' 'planes[Action].objects[3].animation=LEVEL_TRIGGER_BUSH2' \
    'planes[Action].objects[4].logic=SoundTrigger' 'planes[Action].objects[4].animation=LEVEL_NONE' \
    'planes[Action].objects[5].logic=CustomLogic' 'planes[Action].objects[5].name=pets:Cat' -o keyed/custom/own.wwd -y
cp keyed/custom/own.wwd keyed/custom/other.wwd
expect 0 "$lvl" find --missing --in keyed/custom/own.wwd
is out 'keyed/custom/own.wwd: planes[4].objects[5].name: script: pets:Cat
keyed/custom/own.wwd: planes[4].objects[4].animation: sound: LEVEL_NONE' 'what is missing'
for use in 'CUSTOM_HORN sound' 'horn.wav sound' 'BUSH2.WAV sound' 'trigger_bush2.wav sound' 'x/dog.lua script' 'pets:dog script' 'bush2.ani animation'; do
    expect 0 "$lvl" find --uses "${use% *}" --in keyed/custom/own.wwd
    [ "$(grep -c ": ${use#* }: " out)" = 1 ] && [ "$(grep -c . out)" = 1 ] || fail "uses of $use: $(cat out)"
done
for use in ush2.wav orn.wav horn.ani dog.wav trigger.wav; do expect 1 "$lvl" find --uses $use --in keyed/custom/own.wwd; done
expect 1 "$lvl" rename horn.wav tuba.wav --in keyed # two files have the name
expect 0 "$lvl" rename keyed/custom/own/Sounds/horn.wav tuba.wav --in keyed
expect 0 "$lvl" get keyed/custom/own.wwd 'planes[Action].objects[1].animation'
is out CUSTOM_TUBA 'the key of a renamed sound'
expect 0 "$lvl" get keyed/custom/other.wwd 'planes[Action].objects[1].animation'
is out CUSTOM_HORN 'the key of a sound of another level'
mkdir keyed/LEVEL1/sounds/new
expect 0 "$lvl" rename keyed/LEVEL1/sounds/Trigger/BUSH2.wav LEVEL1/sounds/new/Tree.wav --in keyed
expect 0 "$lvl" get keyed/custom -e 'planes[Action].objects[logic=AmbientSound].animation' -e 'planes[Action].objects[3].animation'
[ "$(grep -c LEVEL_NEW_TREE out)" = 2 ] && [ "$(grep -c LEVEL_TRIGGER_BUSH2 out)" = 2 ] || fail "the key of a moved sound: $(cat out)"
expect 0 "$lvl" rename dog.lua Wolf.lua --in keyed
expect 0 "$lvl" get keyed/custom/own.wwd 'planes[Action].objects[0].name'
is out pets:Wolf 'the name of a renamed script'
expect 0 "$lvl" check keyed/custom/own.wwd
! grep -q 'Wolf\|TUBA\|TREE' out || fail "what was renamed is missing: $(cat out)"
# scripts of CustomLogic name them, too; comments and joined texts do not
cat >keyed/custom/own/LOGICS/pets/Wolf.lua <<'END'
function main(self)
    PlaySound("CUSTOM_TUBA") -- PlaySound("CUSTOM_NEVER")
    PlaySound('CUSTOM_HOWL', 1) self:SetAnimation( "CUSTOM_RUN" )
    --[[ PlaySound("CUSTOM_OLD")
    ]] PlaySound("CUSTOM_" .. kind) TextOut("CUSTOM_TEXT") PlaySound("CUSTOM_HOWL")
    x = "a\"b" ClawSound("CUSTOM_TALK"
END
expect 0 "$lvl" check keyed/custom/own.wwd
[ "$(grep -c 'pets:Wolf names it' out)" = 2 ] && grep -q 'no sound CUSTOM_HOWL: players hear nothing (the script pets:Wolf names it)' out &&
    grep -q 'no animation CUSTOM_RUN: .*(the script pets:Wolf' out || fail "keys in scripts: $(cat out)"
# animations name sounds of the game and of Claw by the same keys; which LEVEL is meant is not known
mkdir -p keyed/CLAW/ANIS keyed/CLAW/SOUNDS/swish
: >keyed/CLAW/SOUNDS/swish/long.wav
i=0
for key in CLAW_SWISH_LONG CLAW_SWISH game_x_y GAME_Z LEVEL_ANY CUSTOM_ANY; do
    expect 0 "$lvl" set -q "$wwd/art/gull.ani" "steps[1].cue=$key" -o keyed/CLAW/ANIS/$i.ani
    i=$((i + 1))
done
expect 0 "$lvl" check keyed/CLAW/ANIS
[ "$(grep -c 'warning: ani.cue.no_sound' out)" = 2 ] && grep -q '1.ani:.*no sound CLAW_SWISH ' out && grep -q '3.ani:.*no sound GAME_Z ' out ||
    fail "sounds of animations: $(cat out)"
expect 0 "$lvl" find --missing --in keyed/CLAW
is out 'keyed/CLAW/ANIS/1.ani: steps[1].cue: sound: CLAW_SWISH
keyed/CLAW/ANIS/3.ani: steps[1].cue: sound: GAME_Z' 'sounds that animations miss'
expect 0 "$lvl" find --uses long.wav --in keyed/CLAW
is out 'keyed/CLAW/ANIS/0.ani: steps[1].cue: sound: CLAW_SWISH_LONG' 'the animation that plays a sound'
expect 0 "$lvl" rename keyed/CLAW/SOUNDS/swish/long.wav Short.wav --in keyed
expect 0 "$lvl" get keyed/CLAW/ANIS/0.ani 'steps[1].cue'
is out CLAW_SWISH_SHORT 'the key in an animation'
# two games: a key means the sound of its own
mkdir -p games/a/LEVEL1/SOUNDS games/a/custom games/b/LEVEL1/SOUNDS games/b/custom
for game in a b; do
    : >games/$game/LEVEL1/SOUNDS/BELL.WAV
    expect 0 "$lvl" set -q silent.wwd 'planes[Action].objects[0].logic=SoundTrigger' 'planes[Action].objects[0].animation=LEVEL_BELL' \
        -o games/$game/custom/level.wwd
done
expect 0 "$lvl" rename games/a/LEVEL1/SOUNDS/BELL.WAV GONG.WAV --in games
expect 0 "$lvl" get games/a/custom/level.wwd games/b/custom/level.wwd -e 'planes[Action].objects[0].animation'
[ "$(sed 's/.*LEVEL_//' out | tr '\n' ' ')" = 'GONG BELL ' ] || fail "the key of a sound of another game: $(cat out)"
expect 0 "$lvl" rename none.wav some.wav --in keyed --references-only
expect 0 "$lvl" find --uses LEVEL_SOME --in keyed
[ "$(grep -c . out)" = 2 ] || fail "keys of a sound that is not there: $(cat out)"

finish
