#!/bin/sh
# Levels as maps of Tiled and back: unchanged maps give the same bytes, through the real Tiled too where it is installed; edits of a map
# give exactly those changes by `lvl diff'; what a level cannot store is refused by name. LVL is the command.
set -u
LC_ALL=C
export LC_ALL
unset LVL_ART NO_COLOR
: "${LVL:?the command to test}"
lvl=$LVL
here=$(cd "$(dirname "$0")" && pwd)
samples=${LVL_SAMPLES:-$here/../samples}
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
cd "$t" || exit 3
said=$t
. "$here/support/shell.sh"
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $3"; }
has() { grep -qF -- "$1" "$t/$2" || { fail "no \`$1' on std$2 of: $3"; sed 's/^/    /' "$t/$2" | head -n 3; }; }
mkdir run
export HOME="$t" XDG_RUNTIME_DIR="$t/run" QT_QPA_PLATFORM=offscreen
if command -v tiled >/dev/null 2>&1; then
    tiled=yes
else
    tiled=no
    echo "no tiled in the PATH: maps are not saved by the real editor (Debian: apt-get install tiled)"
fi
resave() { timeout 60 tiled --export-map "$@" >/dev/null 2>&1; }

# ---- unchanged maps ----
# round_trip FILE: by TMX, by TMJ, and by what Tiled makes of both
round_trip() {
    end=${1##*.}
    expect 0 "$lvl" convert -q -y "$1" -o a.tmx --pictures pictures
    expect 0 "$lvl" convert -q -y a.tmx -o "a.$end"
    same "$1" "a.$end" TMX
    expect 0 "$lvl" convert -q -y "$1" -o a.tmj --pictures pictures
    expect 0 "$lvl" convert -q -y a.tmj -o "a.$end"
    same "$1" "a.$end" TMJ
    [ $tiled = yes ] && [ "${2:-}" = tiled ] || return 0
    resave tmx a.tmx b.tmx
    same a.tmx b.tmx "the map as Tiled saves it, of $1"
    for how in "tmx b.tmx" "--minimize tmx b.tmx" "--embed-tilesets tmx b.tmx" "json b.tmj"; do
        # shellcheck disable=SC2086 # words
        set -- "$1" $how
        out=b.${how##*.}
        rm -f "$out"
        case $how in
        json*) resave json a.tmx "$out" ;;
        tmx*) resave tmx a.tmx "$out" ;;
        *) resave ${how%% *} tmx a.tmx "$out" ;;
        esac
        expect 0 "$lvl" convert -q -y "$out" -o "b.$end"
        same "$1" "b.$end" "through Tiled: $how"
    done
}
for f in "$samples"/wwd/*.wwd "$samples"/graal/*/*.nw "$samples"/graal/*/*.graal "$samples"/graal/*/*.zelda \
    "$samples"/sketchy/*.level "$samples"/sketchy/*.doodad; do
    "$lvl" info "$f" >/dev/null 2>&1 || continue
    case $f in
    */cliffs.wwd | */odd-names.wwd | */lake_village.nw | */frost_pass.graal | */z3-v1.04.zelda | */hill-v4.level) round_trip "$f" tiled ;;
    *) round_trip "$f" ;;
    esac
done

# a plane without any tile has a tileset all the same
expect 0 "$lvl" set -q "$samples/wwd/cliffs.wwd" 'planes[0].tiles={"width":4,"height":2,"rows":[".*4",".*4"]}' -o empty.wwd
round_trip empty.wwd tiled

# ---- edits ----
# edit NAME FILE SED LINE...: the map of FILE, changed by SED, gives a level that differs in just these lines
edit() {
    name=$1 file=$2 script=$3
    shift 3
    end=${file##*.}
    expect 0 "$lvl" convert -q -y "$file" -o e.tmx --pictures pictures
    sed "$script" e.tmx >f.tmx
    cmp -s e.tmx f.tmx && fail "$name: the edit changes nothing"
    expect 0 "$lvl" convert -q -y f.tmx -o "f.$end"
    "$lvl" diff "$file" "f.$end" 2>&1 | sed -n '3,$p' >changes
    : >wanted
    for line; do echo "$line" >>wanted; done
    cmp -s changes wanted || { fail "$name:"; diff wanted changes | sed 's/^/    /' | head -n 8; }
}
wwd=$samples/wwd/cliffs.wwd
nw=$samples/graal/lakeside/lake_village.nw
level=$samples/sketchy/hill-v3.1.level

main='  ~ [4] plane "Action"'
edit "a WWD's title" "$wwd" 's/value="Grey Cliffs - Level 1"/value="Red Cliffs - Level 1"/' \
    'name: "Grey Cliffs - Level 1" -> "Red Cliffs - Level 1"'
edit "an object moved" "$wwd" '/<object id="3" /s/ x="[^"]*"/ x="777"/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "BehindCandy": x 2722 -> 777'
edit "an object mirrored" "$wwd" '/<object id="1" /s/gid="\([0-9]*\)"/gid="2147484273"/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [0] object "BehindCandy": draw_flags 0 -> mirror'
edit "an object's class" "$wwd" '/<object id="3" /s/BehindCandy/FrontCandy/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "FrontCandy": logic "BehindCandy" -> "FrontCandy"'
edit "an object deleted" "$wwd" '/<object id="3" /,/<\/object>/d' 'planes: 1 changed' "$main" '    objects: 1 removed' \
    '      - [2] object "BehindCandy": id=3, image_set="LEVEL_PINE", x=2722, y=468, z=780'
# a copy in Tiled has a new id and all properties; the level's own id is a fresh one
edit "an object duplicated" "$wwd" '/<object id="3" /,/<\/object>/{H;/<\/object>/{p;x;s/^\n//;s/ id="3"/ id="999"/;s/ x="2722"/ x="2800"/;}}' \
    'planes: 1 changed' "$main" '    objects: 1 added' \
    "      + [3] object \"BehindCandy\": id=86, image_set=\"LEVEL_PINE\", x=2800, y=468, z=780"
edit "two objects reordered" "$wwd" '/<object id="1" /,/<\/object>/{H;d;};/<object id="2" /,/<\/object>/{/<\/object>/{G;s/\n\n/\n/;};}' \
    'planes: 1 changed' "$main" '    objects: 1 moved' '      = [0] object "BehindCandy" (moved from 1)'
edit "cells" "$wwd" '/ name="Action"/,/<\/layer>/s/^0,0,/420,0,/' \
    'planes: 1 changed' "$main" '    tiles: 3 cells changed in 1 region' '      [0,0 0,2] 3 cells'
edit "a plane's parallax and name" "$wwd" 's/name="Clouds" \(.*\) parallaxx="[^"]*"/name="Fog" \1 parallaxx="0.35"/' \
    'planes: 1 changed' '  ~ [1] plane "Fog"' '    name: "Clouds" -> "Fog"' '    movement_x: 8 -> 35'
edit "a tile's attribute" "$wwd" '/<tile id="4">/,/<\/tile>/s/solid/death/' \
    'tile_properties: 1 changed' '  ~ [4] tile_property' '    attribute: solid -> death'
edit "the start" "$wwd" '/name="start"/s/x="[^"]*" y="[^"]*"/x="100" y="200"/' 'start_x: 2196 -> 100' 'start_y: 532 -> 200'
edit "a link's size and target" "$nw" '/<object id="1" /{s/width="16"/width="48"/;s/lake_meadow/lake_mill/;}' \
    'links: 1 changed' '  ~ [0] link "lake_mill.nw": level "lake_meadow.nw" -> "lake_mill.nw", width 1 -> 3'
edit "a script" "$nw" 's/  hearts = fullhearts;/  hearts = 3;/' 'npcs: 1 changed' '  ~ [0] npc "well.png": script -1 +1 lines' \
    '      @@ -2,6 +2,6 @@' '         setshape 1,48,40;' '       }' '       if (playertouchsme) {' '      -  hearts = fullhearts;' \
    '      +  hearts = 3;' '         say 1;' '       }'
edit "a sign's place and text" "$nw" 's/<object id="3" type="sign" x="720"/<object id="3" type="sign" x="736"/;s/Please close/Please shut/' \
    'signs: 1 added, 1 removed' '  - [0] sign "Lakeside#bPlease close the gate.": x=45, y=25' \
    '  + [0] sign "Lakeside#bPlease shut the gate.": x=46, y=25'
edit "a tile of the board" "$nw" '/<data/{n;s/^[0-9]*,/5,/;}' \
    'layers: 1 changed' '  ~ [0] layer' '    tiles: 1 cell changed in 1 region' '      [0,0] 511 -> 4'
edit "an actor moved and its link removed" "$level" \
    '/<object id="1" /{s/x="44"/x="50"/;};/name="link.1" type="object" value="2"/d' 'actors: 1 changed' \
    '  ~ [0] actor "5f0c9a52-0001-4f4e-9a0e-6b2d51aa0001"' '    point.x: 44 -> 50' '    links: 1 item -> 0 items'
edit "a swatch" "$level" 's/value="#3f9a3a"/value="#00ff00"/' \
    'swatches: 1 changed' '  ~ [1] swatch "grass": color "#3f9a3a" -> "#00ff00"'

# a second save, and an undo: the map keeps its first origin
expect 0 "$lvl" convert -q -y "$wwd" -o u.tmx --pictures pictures
sed '/<object id="3" /s/ x="[^"]*"/ x="777"/' u.tmx >v.tmx
expect 0 "$lvl" convert -q -y v.tmx -o u.wwd
expect 0 "$lvl" convert -q -y u.tmx -o u.wwd
same "$wwd" u.wwd "an edit, a save, an undo, a save"

# ---- refusals: nothing is written, and the message names the place ----
# refused NAME FILE SED TEXT
refused() {
    end=${2##*.}
    expect 0 "$lvl" convert -q -y "$2" -o r.tmx --pictures pictures
    sed "$3" r.tmx >s.tmx
    cmp -s r.tmx s.tmx && fail "$1: the edit changes nothing"
    rm -f "s.$end"
    expect 1 "$lvl" convert -y s.tmx -o "s.$end"
    has "$4" err "$1"
    [ ! -e "s.$end" ] || fail "$1: a file was written"
}
refused "a flipped tile" "$wwd" '/ name="Action"/,/<\/layer>/s/^0,0,/2147484065,0,/' 'layer "Action", column 0, row 0: the tile is flipped'
refused "a tile of another plane" "$wwd" '/ name="Action"/,/<\/layer>/s/^0,0,/5,0,/' 'the tileset "Sky", which is not the layer'
refused "a layer deleted" "$wwd" '/<layer id="1" /,/<\/layer>/d' 'layer "Sky" is missing'
refused "an object layer deleted" "$wwd" '/<objectgroup .*name="objects"/,/<\/objectgroup>/d' 'layer "objects" is missing'
refused "the start deleted" "$wwd" '/name="start"/,/<\/object>/d' 'object "start" is missing'
refused "a number out of range" "$wwd" '/<object id="3" /s/ x="[^"]*"/ x="9999999999"/' 'object 3 "BehindCandy" in layer "objects": x:'
refused "a character outside the code page" "$wwd" '/<object id="3" /s/BehindCandy/Behind漢/' 'object 3 '
refused "a word for a number" "$wwd" '/<object id="3" /,/<\/object>/s/name="z" type="int" value="[0-9]*"/name="z" value="high"/' 'z: expected'
refused "a template" "$wwd" 's/<object id="3" /<object id="3" template="a.tx" /' 'object 3 '
refused "a title too long" "$wwd" "s/value=\"Grey Cliffs - Level 1\"/value=\"$(printf '%080d' 0)\"/" 'the map: name: 80 bytes do not fit'
refused "an infinite map" "$wwd" 's/infinite="0"/infinite="1"/' 'the map is infinite'
refused "a board of another size" "$nw" 's/<layer id="1" name="board" width="64" height="64"/<layer id="1" name="board" width="64" height="63"/' 'cells'
refused "a wrong origin" "$nw" 's/name="lvl.sha256" value="../name="lvl.sha256" value="xx/' 'lvl.origin'
expect 2 "$lvl" tiled
expect 1 "$lvl" convert "$samples/graal/lakeside/lakeside.gmap" -o g.tmx
has ".world" err "a world to a map"

# ---- maps without origin, external tilesets, worlds ----
expect 0 "$lvl" convert -q -y "$wwd" -o n.tmx --pictures pictures --no-kept
grep -q lvl.origin n.tmx && fail "--no-kept leaves the origin in the map"
expect 0 "$lvl" convert -y n.tmx -o n.wwd
has "no origin" err "a map without origin"
for path in name 'planes[*].name' 'planes[4].objects[*].logic' 'planes[4].objects[*].x' 'planes[*].movement_x' 'tile_properties[*].rect.left' start_x; do
    "$lvl" get "$wwd" "$path" >get.a 2>/dev/null
    "$lvl" get n.wwd "$path" >get.b 2>/dev/null
    cmp -s get.a get.b || fail "a level from a map alone has another $path"
done
expect 0 "$lvl" convert -y "$samples/graal/lakeside/lakeside.gmap" -o w.world
grep -c '"fileName": "lake_' w.world >count
[ "$(cat count)" = 4 ] || fail "the world names $(cat count) levels, not 4"

# folders: maps, and back; the pictures of their tiles are not meant
mkdir many
cp "$samples"/wwd/*.wwd many
expect 0 "$lvl" convert -q many -o maps --to tmx -j 2
expect 0 "$lvl" convert -q maps -o again --to wwd -j 2
for f in many/*.wwd; do same "$f" "again/${f##*/}" "in a folder"; done
mkdir drawings
cp "$samples"/sketchy/hill-v*.level drawings
expect 0 "$lvl" convert -q drawings -o drawn --to tmx
expect 0 "$lvl" convert -q drawn -o undrawn --to level
[ "$(find undrawn -name '*.level' | wc -l)" = "$(find drawings -name '*.level' | wc -l)" ] || fail "pictures of tiles became levels"

# ---- the extension ----
expect 0 "$lvl" tiled --install
script=$(cat "$t/out")
[ -f "$script" ] || fail "lvl tiled --install: no file $script"
grep -q '@LVL@\|@CACHE@' "$script" && fail "paths are not filled in"
if [ $tiled = yes ]; then
    for f in "$wwd" "$nw" "$level" "$samples/graal/versions/z3-v1.04.zelda" "$samples/graal/lakeside/frost_pass.graal"; do
        end=${f##*.}
        cp "$f" "x.$end"
        rm -f x.tmx "y.$end"
        timeout 60 tiled --export-map tmx "x.$end" x.tmx >/dev/null 2>&1
        timeout 60 tiled --export-map "lvl-$end" x.tmx "y.$end" >/dev/null 2>&1
        same "$f" "y.$end" "through the extension"
    done
fi
expect 0 "$lvl" tiled --uninstall
[ ! -e "$script" ] || fail "lvl tiled --uninstall leaves $script"
expect 0 "$lvl" tiled --uninstall

[ $failed = 0 ] || { echo "$failed of $tried failed"; exit 1; }
echo "all $tried passed"
