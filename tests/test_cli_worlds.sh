#!/bin/sh
# `lvl rename` and `lvl gmap`: a file and all references to it in a world, all or nothing; maps by links and by names.
. "$(dirname "$0")/support/shell.sh"
set -e

code_of() {
    code=0
    "$@" >"$t/out" 2>"$t/err" || code=$?
}

make_world() {
    rm -rf "$1"
    mkdir -p "$1/sub"
    printf 'GLEVNW01\nLINK B.nw 63 0 1 64 0 playery\nNPC - 1 1\nif (x) setlevel2 b.nw,3,3;\nNPCEND\n' >"$1/a.nw"
    printf 'GLEVNW01\nLINK a.nw 0 0 1 64 61 playery\nLINK b.nw 9 9 2 2 30 30\n' >"$1/b.nw"
    printf 'GLEVNW01\nLINK b.graal 1 1 2 2 30 30\nLINK bb.nw 1 1 2 2 30 30\n' >"$1/sub/c.nw"
    printf 'GRMAP001\r\nWIDTH 2\r\nHEIGHT 1\r\nLEVELNAMES\r\n"a.nw","b.nw"\r\nLEVELNAMESEND\r\n' >"$1/w.gmap"
    printf '"b.nw","a.nw"\n' >"$1/big.txt"
    printf 'no level: b.nw\n' >"$1/notes.txt"
}

# pictures of animations: of layers, and of what a movie changes
mkdir "$t/a"
cp "$samples"/graal/head0.png "$samples"/graal/ganis/*.gani "$t/a"
code_of "$lvl" rename head0.png other.png --in "$t/a"
[ $code = 0 ] && ! grep -q head0 "$t"/a/*.gani || fail "pictures of animations: $code $(grep head0 "$t"/a/*.gani)"

make_world "$t/w"
cp -r "$t/w" "$t/was"
code_of "$lvl" rename b.nw new.nw --in "$t/w" -n
[ $code = 0 ] || fail "-n: $code $(cat "$t/err")"
diff -r "$t/w" "$t/was" || fail "-n changed something"
for line in 'a.nw: links\[0\].level: B.nw -> new.nw' 'a.nw: npcs\[0\].script, line 1: b.nw: not changed' \
    'b.nw: links\[1\].level: b.nw -> new.nw' 'sub/c.nw: links\[0\].level: b.graal -> new.graal' \
    'w.gmap: rows\[0\].names\[1\]: b.nw -> new.nw' 'big.txt: rows\[0\].names\[0\]: b.nw -> new.nw' \
    'w/b.nw -> .*w/new.nw'; do
    grep -q "$line" "$t/out" || fail "-n does not list $line: $(cat "$t/out")"
done
grep -q '6 files: 5 would change, 1 without\|5 would change' "$t/err" || fail "count: $(cat "$t/err")"
cp "$t/out" "$t/one"
code_of "$lvl" rename b.nw new.nw --in "$t/w" -n -j 4
cmp "$t/out" "$t/one" || fail "threads make a difference"

code_of "$lvl" rename B.NW new.nw --in "$t/w"
[ $code = 0 ] || fail "rename: $code $(cat "$t/err")"
[ ! -e "$t/w/b.nw" ] || fail "the old file is still there"
grep -q '^LINK new.nw 63 0' "$t/w/a.nw" && grep -q 'setlevel2 b.nw,3,3' "$t/w/a.nw" || fail "a.nw: $(cat "$t/w/a.nw")"
[ "$(sed s/new/b/ "$t/w/new.nw")" = "$(cat "$t/was/b.nw")" ] || fail "new.nw: $(cat "$t/w/new.nw")"
[ "$(sed s/new/b/ "$t/w/w.gmap")" = "$(cat "$t/was/w.gmap")" ] || fail "w.gmap"
[ "$(cat "$t/w/big.txt")" = '"new.nw","a.nw"' ] || fail "big.txt"
cmp "$t/w/notes.txt" "$t/was/notes.txt"
[ "$(ls -A "$t/w" | tr '\n' ' ')" = "a.nw big.txt new.nw notes.txt sub w.gmap " ] || fail "left over: $(ls -A "$t/w")"
# and back, with scripts; JSON lists each change
code_of "$lvl" rename new.nw b.nw --in "$t/w" --scripts --json
[ $code = 0 ] || fail "back: $code $(cat "$t/err")"
grep -q '"path":"links\[1\].level","old":"new.nw","new":"b.nw","changed":true}' "$t/out" || fail "JSON: $(cat "$t/out")"
grep -q '"renamed":".*w/b.nw"}' "$t/out" || fail "JSON: $(cat "$t/out")"

# all or nothing: a read-only file, a file that cannot be read, a name that is taken
make_world "$t/w"
chmod a-w "$t/w/w.gmap"
code_of "$lvl" rename b.nw new.nw --in "$t/w"
[ $code = 3 ] && grep -q 'nothing was changed' "$t/err" || fail "read-only: $code $(cat "$t/err")"
diff -r "$t/w" "$t/was" || fail "a failed rename changed something"
code_of "$lvl" rename b.nw new.nw --in "$t/w" -y
[ $code = 0 ] && grep -q new.nw "$t/w/w.gmap" || fail "-y: $code $(cat "$t/err")"
make_world "$t/w"
printf 'GANI0001\n' >"$t/w/x.gani"
ln -s nowhere "$t/w/gone.nw"
code_of "$lvl" rename b.nw a.nw --in "$t/w"
[ $code = 3 ] && grep -q 'already exists' "$t/err" || fail "taken: $code $(cat "$t/err")"
code_of "$lvl" rename zz.nw yy.nw --in "$t/w"
[ $code = 1 ] || fail "no such file: $code"
for to in nowhere/b2.nw "$t/b2.nw" ../b2.nw sub/../../b2.nw; do
    code_of "$lvl" rename b.nw "$to" --in "$t/w"
    [ $code = 2 ] || fail "a folder that is not below --in: $to: $code"
done
code_of "$lvl" rename b.nw b.graal --in "$t/w"
[ $code = 2 ] && grep -q 'lvl convert' "$t/err" || fail "another ending: $code"
cp "$t/w/b.nw" "$t/w/sub/b.nw"
code_of "$lvl" rename b.nw new.nw --in "$t/w"
[ $code = 1 ] && grep -q '2 files' "$t/err" || fail "two of that name: $code $(cat "$t/err")"
code_of "$lvl" rename "$t/w/sub/b.nw" new.nw --in "$t/w"
[ $code = 0 ] && [ -e "$t/w/sub/new.nw" ] && [ -e "$t/w/b.nw" ] || fail "by path: $code $(cat "$t/err")"
# two files of one name: a link means the nearest one; one that may mean either is only listed
make_world "$t/w"
cp "$t/w/b.nw" "$t/w/sub/b.nw"
mkdir "$t/w/far" && cp "$t/w/b.nw" "$t/w/far/b.nw"
code_of "$lvl" rename sub/b.nw new.nw --in "$t/w"
[ $code = 0 ] && grep -q 'LINK new.graal' "$t/w/sub/c.nw" && grep -q 'LINK new.nw' "$t/w/sub/new.nw" &&
    grep -q 'LINK B.nw' "$t/w/a.nw" && grep -q 'LINK b.nw' "$t/w/far/b.nw" ||
    fail "two files of one name: $code $(cat "$t/err") $(grep LINK "$t"/w/*.nw "$t"/w/*/*.nw)"
rm "$t/w/b.nw"
mkdir "$t/w/near" && cp "$t/w/far/b.nw" "$t/w/near/b.nw"
cp "$t/w/a.nw" "$t/a.nw"
code_of "$lvl" rename "$t/w/far/b.nw" "$t/w/far/new2.nw" --in "$t/w"
[ $code = 0 ] && [ -e "$t/w/far/new2.nw" ] && cmp "$t/a.nw" "$t/w/a.nw" &&
    grep -q 'a.nw: links\[0\].level: B.nw: not changed: several files' "$t/out" || fail "either: $code $(cat "$t/out" "$t/err")"
# paths below --in, as tab completion writes them; another folder moves the file
make_world "$t/w"
code_of "$lvl" rename "$t/w/b.nw" "$t/w/new.nw" --in "$t/w"
[ $code = 0 ] && [ -e "$t/w/new.nw" ] && grep -q 'LINK new.nw' "$t/w/a.nw" || fail "paths: $code $(cat "$t/err")"
(cd "$t" && code_of "$lvl" rename w/new.nw w/sub/ --in w && [ $code = 2 ]) || fail "a folder as the new name"
(cd "$t" && "$lvl" rename w/new.nw w/sub/b2.nw --in w >out 2>err) && [ -e "$t/w/sub/b2.nw" ] &&
    grep -q 'LINK b2.nw' "$t/w/a.nw" || fail "moved: $(cat "$t/err")"
cp "$t/w/a.nw" "$t/a.nw"
code_of "$lvl" rename sub/b2.nw "$t/w/b2.nw" --in "$t/w"
[ $code = 0 ] && [ -e "$t/w/b2.nw" ] && [ ! -e "$t/w/sub/b2.nw" ] && cmp "$t/a.nw" "$t/w/a.nw" || fail "only moved: $code $(cat "$t/err")"
# names of animations without their ending: what is played afterwards, and in scripts
rm -rf "$t/ganis" && mkdir "$t/ganis"
printf 'GANI0001\nSETBACKTO idle\nANI\nANIEND\n' >"$t/ganis/idle.gani"
printf 'GANI0001\nSETBACKTO 3\nANI\nANIEND\n' >"$t/ganis/3.gani"
printf 'GLEVNW01\nNPC - 1 1\nsetcharani idle,;\nplayer.setani("IDLE","");\nreplaceani walk,idle;\nnpc.ani = "idle";\nsay("idle");\nsetani idler,;\nNPCEND\n' >"$t/ganis/a.nw"
printf 'GANI0002\nFRAMES 9\n\nMOVIE\n  ACTOR CHAR Rowan\n    FRAME 0 ani=idle,dir=2,chat=idle\n    FRAME 4 ani=idler\n  ACTOREND\nMOVIEEND\n' >"$t/ganis/movie.gani"
code_of "$lvl" rename idle.gani rest.gani --in "$t/ganis"
[ $code = 0 ] && grep -q '^SETBACKTO rest$' "$t/ganis/rest.gani" && [ "$(grep -c 'line [1-4]: .*: not changed; --scripts' "$t/out")" = 4 ] ||
    fail "animations: $code $(cat "$t/out")"
grep -q 'setback_to: idle -> rest' "$t/out" || fail "SETBACKTO is not listed: $(cat "$t/out")"
[ "$(grep FRAME "$t/ganis/movie.gani" | tr -d '\n')" = 'FRAMES 9    FRAME 0 ani=rest,dir=2,chat=idle    FRAME 4 ani=idler' ] ||
    fail "what an actor of a movie plays: $(cat "$t/ganis/movie.gani")"
code_of "$lvl" rename rest.gani idle.gani --in "$t/ganis"
code_of "$lvl" rename idle.gani rest.gani --in "$t/ganis" --scripts
[ "$(sed -n '3,8p' "$t/ganis/a.nw" | tr '\n' ' ')" = 'setcharani rest,; player.setani("rest",""); replaceani walk,rest; npc.ani = "rest"; say("idle"); setani idler,; ' ] ||
    fail "animations in scripts: $(cat "$t/ganis/a.nw")"
code_of "$lvl" rename 3.gani 4.gani --in "$t/ganis"
grep -q 'SETBACKTO 3' "$t/ganis/4.gani" || fail "the index of a frame is no name"

# the file was renamed by hand, or the command was interrupted: only names are left to change
make_world "$t/w"
mv "$t/w/b.nw" "$t/w/new.nw"
code_of "$lvl" rename b.nw new.nw --in "$t/w"
[ $code = 0 ] && grep -q 'LINK new.nw 63' "$t/w/a.nw" || fail "by hand: $code $(cat "$t/err")"
# another case only
code_of "$lvl" rename new.nw NEW.nw --in "$t/w"
[ $code = 0 ] && [ -e "$t/w/NEW.nw" ] && grep -q 'LINK NEW.nw 63' "$t/w/a.nw" || fail "case: $code $(cat "$t/err")"

# ---- gmap: a square of four levels by links, one of them called otherwise in case
mkdir "$t/g"
right() { printf 'LINK %s 63 0 1 64 0 playery\n' "$1"; }
down() { printf 'LINK %s 0 63 64 1 playerx 0\n' "$1"; }
{ echo GLEVNW01 && right two.nw && down Three.nw; } >"$t/g/one.nw"
{ echo GLEVNW01 && down four.nw; } >"$t/g/two.nw"
{ echo GLEVNW01 && right four.nw && right gone.nw; } >"$t/g/three.nw"
echo GLEVNW01 >"$t/g/four.nw"
echo GLEVNW01 >"$t/g/alone.nw"
printf '"four.nw","three.nw","two.nw","one.nw"\n' >"$t/g/old.txt" # an older map has no say
code_of "$lvl" gmap "$t/g" -o "$t/made.gmap"
[ $code = 0 ] || fail "gmap: $code $(cat "$t/err")"
grep -q '"one.nw","two.nw"' "$t/made.gmap" && grep -q '"three.nw","four.nw"' "$t/made.gmap" || fail "by links: $(cat "$t/made.gmap")"
grep -q '2 by 2 with 4 levels; 1 other is not on it' "$t/err" || fail "said: $(cat "$t/err")"
"$lvl" check -q --no-art "$t/made.gmap" || fail "the map is not sound"
code_of "$lvl" gmap "$t/g" -o "$t/made.gmap"
[ $code = 3 ] || fail "overwrote without -y: $code"
code_of "$lvl" gmap "$t/g" -o "$t/made.txt" -n
[ $code = 0 ] && [ ! -e "$t/made.txt" ] || fail "-n: $code"
code_of "$lvl" gmap "$t/g" -q
cmp "$t/out" "$t/made.gmap" || fail "stdout"
code_of "$lvl" gmap "$t/g" --start alone.nw
[ $code = 1 ] || fail "a level without neighbours: $code"
# by names: letters and numbers; the links say that the number is x here
mkdir "$t/n"
for name in town-a1 town-a2 town-b2 other; do echo GLEVNW01 >"$t/n/$name.nw"; done
code_of "$lvl" gmap "$t/n" -o "$t/n.txt"
[ $code = 0 ] && [ "$(cat "$t/n.txt")" = '"town-a1.nw",""
"town-a2.nw","town-b2.nw"' ] || fail "by names: $code $(cat "$t/n.txt" "$t/err")"
right town-a2.nw >>"$t/n/town-a1.nw"
code_of "$lvl" gmap "$t/n" -o "$t/n.txt" -y --by names
[ "$(cat "$t/n.txt")" = '"town-a1.nw","town-a2.nw"
"","town-b2.nw"' ] || fail "turned by links: $(cat "$t/n.txt")"
echo GLEVNW01 >"$t/n/town-zz9999.nw"
echo GLEVNW01 >"$t/n/town-aa0.nw"
code_of "$lvl" gmap "$t/n" -o "$t/n.gmap" --by names
[ $code = 1 ] && grep -q 'cells are more than' "$t/err" || fail "too large: $code $(cat "$t/err")"
# one at a time: another run in the same folder is refused, a dry run is not
make_world "$t/busy"
if command -v flock >/dev/null; then
    code_of flock "$t/busy" "$lvl" rename b.nw new.nw --in "$t/busy"
    [ $code = 3 ] && grep -q "another .lvl rename. is at work" "$t/err" || fail "two at once: $code $(cat "$t/err")"
    [ -e "$t/busy/b.nw" ] || fail "two at once: renamed all the same"
    code_of flock "$t/busy" "$lvl" rename b.nw new.nw --in "$t/busy" -n
    [ $code = 0 ] || fail "two at once, -n: $code"
    code_of "$lvl" rename b.nw new.nw --in "$t/busy"
    [ $code = 0 ] || fail "after the other: $code"
fi

# a converted world: its links name the converted files, in levels and maps; what is in scripts is listed or changed
cd "$t"
mkdir to-convert
cp "$samples"/graal/lakeside/* to-convert
printf 'GLEVNW01\nLINK LAKE_MILL.nw 1 2 3 4 5 6\nLINK elsewhere.nw 1 2 3 4 5 6\nNPC lake_mill.nw 1 2\nsetlevel2 lake_mill.nw,3,4;\nif (x) { y = "lake_woods.nw"; }\nNPCEND\n' >to-convert/extra.nw
expect 0 "$lvl" convert to-convert --to graal -o converted --rewrite-links --allow-loss
out_has 'to-convert/extra.nw: npcs[0].script, line 1: lake_mill.nw: not changed; --scripts changes it'
out_has 'to-convert/extra.nw: npcs[0].script, line 2: lake_woods.nw: not changed; --scripts changes it'
err_has '21 links to converted files changed'
expect 0 "$lvl" get converted/extra.graal 'links[*].level' 'npcs[0].image'
grep -q '"lake_mill.graal"' out || grep -q 'lake_mill.graal' out || fail "a link: $(cat out)"
[ "$(grep -c 'elsewhere.nw' out)" = 1 ] || fail "a link out of the world: $(cat out)"
expect 0 "$lvl" get converted/lakeside.gmap 'rows[*].names'
! grep -q '\.nw' out || fail "names in a map: $(cat out)"
expect 0 "$lvl" get converted 'links[*].level'
[ "$(grep -c '\.nw' out)" = 1 ] || fail "links of levels: $(grep '\.nw' out)"
expect 0 "$lvl" convert to-convert --to graal -o converted --rewrite-links --allow-loss --scripts -y -q
[ ! -s out ] || fail "with --scripts nothing is left: $(cat out)"
expect 0 "$lvl" get converted/extra.graal 'npcs[0].script'
out_has 'setlevel2 lake_mill.graal,3,4;'
out_has 'y = "lake_woods.graal";'
# a map in which no name changes is written with the others
cp -r to-convert maps
printf 'GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"frost_pass.graal",\nLEVELNAMESEND\n' >maps/frost.gmap
expect 0 "$lvl" convert maps --to graal -o maps-converted --rewrite-links --allow-loss
[ -s maps-converted/lakeside.gmap ] || fail "a map with converted levels was not written"
cmp maps/frost.gmap maps-converted/frost.gmap || fail "a map in which no name changes was not written as it is"
# without it, links that lead nowhere now are counted
expect 0 "$lvl" convert to-convert --to graal -o stale --allow-loss
err_has '15 names in links or scripts lead to files that have another name now; --rewrite-links changes links'
expect 0 "$lvl" convert to-convert --to nw -o same-names --allow-loss
err_has '1 name in links or scripts leads to files that have another name now' # frost_pass.graal
# and back: a map and a level that need no conversion are written, too
expect 0 "$lvl" convert converted --to nw -o back --rewrite-links --scripts --allow-loss -q
expect 0 "$lvl" diff -q back/lakeside.gmap to-convert/lakeside.gmap
expect 0 "$lvl" get back 'links[*].level'
! grep -q 'lake.*graal' out || fail "links and back: $(cat out)"
code_of "$lvl" convert to-convert -i --to graal --rewrite-links
[ $code = 2 ] && grep -q 'rewrite-links needs a folder as input and -o DIR' err || fail "-i: $code $(cat err)"
code_of "$lvl" convert to-convert --to png -o pictures --rewrite-links
[ $code = 2 ] || fail "links of pictures: $code $(cat err)"

# a map of one level looks as the level alone: with its upper layer, and in the tileset that the map names for all its levels
mkdir "$t/alone"
cd "$t/alone"
cp "$samples/graal/pics1.png" .
cp "$samples/graal/pics_snow.png" snow.png
{
    sed -n '1p;/^BOARD/p' "$samples/graal/lakeside/lake_village.nw"
    awk 'BEGIN {
        for (y = 0; y < 64; y += 2) {
            printf "BOARD 0 %d 64 1 ", y
            for (x = 0; x < 64; x++) printf "%s", x % 4 ? "//" : "Ay"
            print ""
        }
    }'
} >village.nw
grep -v ' 64 1 ' village.nw >flat.nw
{ cat village.nw && echo 'TILESET snow.png'; } >snow.nw
printf 'GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"village.nw"\nLEVELNAMESEND\n' >village.gmap
sed 's/^LEVELNAMES$/TILESET snow.png\n&/' village.gmap >snow.gmap
for file in village.nw flat.nw snow.nw village.gmap snow.gmap; do
    expect 0 "$lvl" render -q "$file" -o "$file.png"
done
same_pixels village.nw.png village.gmap.png || fail "a map of one level with two layers"
same_pixels snow.nw.png snow.gmap.png || fail "a map with a tileset"
! same_pixels village.nw.png flat.nw.png || fail "the upper layer is not drawn"
! same_pixels village.nw.png snow.nw.png || fail "the tileset is not used"

# A server's folder as a whole: levels that nothing leads to, files that nothing names, names in another case.
mkdir -p "$t/server/config" "$t/server/world/images" "$t/server/world/ganis" "$t/server/weapons" "$t/server/accounts"
cd "$t/server"
level() { # FILE LINE ...
    file=world/$1
    shift
    { sed -n '1p;/^BOARD/p' "$samples/graal/lakeside/lake_village.nw"; for line; do printf '%s\n' "$line"; done; } >"$file"
}
printf 'name = a server\nstartlevel = start.nw,other.nw\nunstickmelevel = first room.nw\n' >config/serveroptions.txt
level start.nw 'LINK Cave.nw 10 10 1 1 30 30' 'NPC door.png 5 5' 'if (playerenters) {' '  setlevel2 warp.nw,30,30;' '  setcharani walk2,;' \
    '  showimg 1,torch.png,3,3; showimg 2,Door.png,3,3;' '}' 'NPCEND'
level cave.nw 'LINK cave.nw 10 10 1 1 30 30'
level alone.nw 'LINK alone.nw 10 10 1 1 30 30' 'LINK start.nw 12 12 1 1 30 30'
level warp.nw
level 'first room.nw'
level grid.nw
level Old.nw 'LINK lost.graal 12 12 1 1 30 30'
level lost.nw 'LINK old.nw 12 12 1 1 30 30'
printf 'GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"grid.nw"\nLEVELNAMESEND\n' >world/map.gmap
for picture in door.png Torch.png spare.png head0.png account.png; do cp "$samples/graal/well.png" world/images/$picture; done
cp "$samples"/graal/ganis/*.gani world/ganis
gani=$(cd world/ganis && ls | head -n 1)
mv "world/ganis/$gani" world/ganis/walk2.gani
rm -f world/ganis/[!w]*
cp world/ganis/walk2.gani world/ganis/spare.gani
sed 's/^ATTR1.*/ATTR1 account.png/;s/^LEVEL .*/LEVEL start.nw/;/^CHEST/d;/^WEAPON bomb/d' "$samples/graal/server/accounts/mira.txt" >accounts/mira.txt
cp "$samples/graal/server/weapons/weaponlantern.txt" weapons
sed 's/^REALNAME.*/REALNAME axe/' weapons/weaponlantern.txt >weapons/weaponaxe.txt
cp -R "$t/server" "$t/again"
expect 0 "$lvl" check -v --only lvl.level,lvl.file,graal.file.case .
notes_of() { grep ': note: ' "$said/out" | sed 's/: note: /: /;s/:.*: \(lvl\|graal\)\./: \1./' | sort >notes; }
notes_of
is notes './weapons/weaponaxe.txt: lvl.file.unnamed: nothing names this file
./world/alone.nw: lvl.level.unlinked: no map, link or script leads to this level
./world/ganis/spare.gani: lvl.file.unnamed: nothing names this file
./world/images/spare.png: lvl.file.unnamed: nothing names this file
./world/lost.nw: graal.file.case: old.nw is called Old.nw: a server may not find it (links[0].level)
./world/start.nw: graal.file.case: Cave.nw is called cave.nw: a server may not find it (links[0].level)
./world/start.nw: lvl.file.case: Door.png is called door.png: a server may not find it, line 4 (npcs[0].script)
./world/start.nw: lvl.file.case: torch.png is called Torch.png: a server may not find it, line 4 (npcs[0].script)' "what nothing names"
expect 0 "$lvl" check .
! grep -q note "$said/out" || fail "notes are printed without -v"
for line in '    1 level that no map, link or script leads to (lvl.level.unlinked)' '    3 files that nothing names (lvl.file.unnamed)' \
    '    2 names in another case than that of the file (lvl.file.case)' '    2 names in another case than that of the file (graal.file.case)'; do
    err_has "$line" 'a server'
done
expect 0 "$lvl" check --summary --json .
grep -q '{"id":"lvl.file.unnamed","count":3,"files":3}' "$said/out" || fail "the summary as JSON: $(cat "$said/out")"
expect 0 "$lvl" check --json --only lvl.level .
grep -qF '{"file":"./world/alone.nw","findings":[{"id":"lvl.level.unlinked","severity":"note"' "$said/out" || fail "JSON: $(cat "$said/out")"
# the same folder twice has the same notes, and a file that cannot be read may have the names
expect 0 "$lvl" check -v --only lvl.level . .
notes_of
is notes './world/alone.nw: lvl.level.unlinked: no map, link or script leads to this level' "a folder that is given twice"
printf 'GLEVNW0' >world/broken.nw
code_of "$lvl" check -v --only lvl.level .
notes_of
is notes './world/alone.nw: lvl.level.unlinked: no map, link or script leads to this level, unless 1 file that cannot be read completely does' \
    "a folder with a file that cannot be read"
rm world/broken.nw
# levels of which few are linked are a collection
mkdir pile
for level in a b c d e; do printf 'GLEVNW01\n' >pile/$level.nw; done
printf 'GLEVNW01\nLINK a.nw 0 0 1 1 30 30\n' >pile/f.nw
expect 0 "$lvl" check -v --only lvl.level pile
notes_of
[ ! -s notes ] || fail "a pile of levels with a single link: $(cat notes)"
rm -r pile
code_of "$lvl" check --fail-on lvl.file.unnamed -q .
[ $code = 1 ] || fail "--fail-on lvl.file.unnamed: $code"
code_of "$lvl" check --fail-on lvl.file.case -q .
[ $code = 1 ] || fail "--fail-on lvl.file.case: $code"
expect 0 "$lvl" check --fail-on note -q weapons
for folder in '--no-art .' 'world/alone.nw world/start.nw' 'world/alone.nw .'; do
    expect 0 "$lvl" check -v $folder
    ! grep -q 'lvl.level\|lvl.file' "$said/out" || fail "notes about a whole of check $folder"
done
diff -r "$t/server" "$t/again" | grep -v '^Only in .*server: notes$' && fail "check changes files"
# levels that have nothing to do with each other are no world
mkdir single
cp world/alone.nw world/warp.nw world/images/spare.png single
sed -i '/^LINK start/d' single/alone.nw
expect 0 "$lvl" check -v single
! grep -q 'lvl.level\|lvl.file' "$said/out" || fail "single levels: $(cat "$said/out")"
finish
