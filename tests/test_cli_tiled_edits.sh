#!/bin/sh
# Edits of maps of Tiled, made in their XML: each gives exactly those changes in `lvl diff'; what a level cannot represent is refused, with
# the cell or object, and nothing is written.
. "$(dirname "$0")/support/shell.sh"
has() { grep -qF -- "$1" "$t/$2" || { fail "no \`$1' on std$2 of: $3"; sed 's/^/    /' "$t/$2" | head -n 3; }; }

# as_map FILE MAP: the map of a level, which is made once of each content of the file
mkdir made
as_map() {
    made=made/${1##*/}
    if cmp -s "$1" "$made"; then
        tried=$((tried + 1))
    else
        expect 0 "$lvl" convert -q -y "$1" -o made.tmx --pictures pictures
        mv made.tmx "$made.tmx"
        cp "$1" "$made"
    fi
    cp "$made.tmx" "$2"
}

# ---- edits ----
# edit NAME FILE SED LINE...: the map of FILE, changed by SED, gives a level that differs in just these lines
edit() {
    name=$1 file=$2 script=$3
    shift 3
    end=${file##*.}
    as_map "$file" e.tmx
    sed "$script" e.tmx >f.tmx
    cmp -s e.tmx f.tmx && fail "$name: the edit changes nothing"
    expect 0 "$lvl" convert -q -y f.tmx -o "f.$end"
    expect $(($# > 0)) "$lvl" diff "$file" "f.$end"
    sed -n '3,$p' "$t/out" >changes
    : >wanted
    for line; do printf '%s\n' "$line" >>wanted; done
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
# names of the game book, which depend on the class
edit "an item by its name" "$wwd" '/<object id="72" /,/<\/object>/s/value="coin"/value="red_crown"/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [71] object "Soldier": powerup coin -> red_crown'
edit "an item by its number, as in maps of older versions" "$wwd" 's/name="powerup" value="coin"/name="powerup" type="int" value="33"/'
edit "a number without a name" "$wwd" '/<object id="72" /,/<\/object>/s/value="coin"/type="int" value="999"/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [71] object "Soldier": powerup coin -> 999'
edit "a class without names: the number stays" "$wwd" '/<object id="72" /s/Soldier/BehindCandy/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [71] object "BehindCandy": logic "Soldier" -> "BehindCandy"'
edit "a class and its item at once" "$wwd" '/<object id="72" /,/<\/object>/{s/Soldier/Elevator/;s/name="powerup"/name="direction" value="up"\/><property &/;}' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [71] object "Elevator": logic "Soldier" -> "Elevator", direction 0 -> up'
edit "an object deleted" "$wwd" '/<object id="3" /,/<\/object>/d' 'planes: 1 changed' "$main" '    objects: 1 removed' \
    '      - [2] object "BehindCandy": id=3, image_set="LEVEL_PINE", x=2722, y=468, z=780'
# a copy in Tiled has a new id and all properties; the level's own id is a fresh one
edit "an object duplicated" "$wwd" '/<object id="3" /,/<\/object>/{H;/<\/object>/{p;x;s/^\n//;s/ id="3"/ id="999"/;s/ x="2722"/ x="2800"/;}}' \
    'planes: 1 changed' "$main" '    objects: 1 added' \
    "      + [3] object \"BehindCandy\": id=86, image_set=\"LEVEL_PINE\", x=2800, y=468, z=780"
# objects are listed as the game draws them, by z, which Tiled then does; a map in another order is no change of the level
as_map "$wwd" e.tmx
"$lvl" get "$wwd" 'planes[4].objects[*].z' | sort -n >wanted
awk '/<object id=/ { inside = 1; z = 0 } inside && /name="z"/ { match($0, /value="[-0-9]+"/); z = substr($0, RSTART + 7, RLENGTH - 8) }
    inside && (/<\/object>/ || /<object id=.*\/>$/) { print z; inside = 0 } /<\/objectgroup>/ { exit }' e.tmx >changes
cmp -s wanted changes || fail "objects in a map are not in the order of z"
grep -q '<objectgroup [^>]*draworder="index" [^>]*name="objects"' e.tmx || fail "Tiled draws objects from top to bottom"
sed '/<object id="1" /,/<\/object>/{H;d;};/name="objects"/,/<\/objectgroup>/{/<\/objectgroup>/{x;G;};}' e.tmx >f.tmx
expect 0 "$lvl" convert -y f.tmx -o f.wwd
has 'object 1 "BehindCandy" in layer "objects": its place in the order of objects is not stored: the game draws them in the order of z' err "an object raised"
same "$wwd" f.wwd "an object raised"
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

# the same kinds in the other families: moved, changed, deleted, duplicated, reordered, pasted from elsewhere
graal=$samples/graal/lakeside/frost_pass.graal
began="if (created) {\n  setshape 1,48,40;\n}\nif (playertouchs..."
edit "a baddy's kind" "$graal" 's/value="lizardon"/value="octopus"/' 'baddies: 1 changed' '  ~ [0] baddy octopus: type lizardon -> octopus'
edit "a baddy's words" "$graal" 's/value="Hssss!"/value="Grrr!"/' 'baddies: 1 changed' '  ~ [0] baddy lizardon: attack "Hssss!" -> "Grrr!"'
edit "a chest's item" "$graal" 's/value="mirrorshield"/value="lizardsword"/' \
    'chests: 1 changed' '  ~ [0] chest lizardsword: item mirrorshield -> lizardsword'
edit "a chest moved" "$graal" '/type="chest"/s/x="800"/x="816"/' 'chests: 1 changed' '  ~ [0] chest mirrorshield: x 50 -> 51'
edit "a chest's sign" "$graal" '/name="sign" type="object"/s/value="3"/value="2"/' 'chests: 1 changed' '  ~ [0] chest mirrorshield: sign 1 -> 0'
edit "two signs reordered, and the chest follows" "$graal" \
    '/<object id="2" /,/<\/object>/{H;d;};/<object id="3" /,/<\/object>/{/<\/object>/{G;s/\n\n/\n/;};}' \
    'chests: 1 changed' '  ~ [0] chest mirrorshield: sign 1 -> 0' 'signs: 1 moved' '  = [0] sign "You found the mirror shield!" (moved from 1)'
edit "a sign deleted, and the chest has none" "$graal" '/<object id="3" /,/<\/object>/d' \
    'chests: 1 changed' '  ~ [0] chest mirrorshield: sign 1 -> -1' 'signs: 1 removed' '  - [1] sign "You found the mirror shield!"'
edit "where a link comes out" "$graal" 's/name="dest_x" value="20"/name="dest_x" value="playerx"/' \
    'links: 1 changed' '  ~ [0] link "lake_meadow.nw": dest_x "20" -> "playerx"'
edit "tiles of a binary board" "$graal" '/<data/{n;s/^[0-9]*,[0-9]*,/5,6,/;}' \
    'layers: 1 changed' '  ~ [0] layer' '    tiles: 2 cells changed in 1 region' '      [0,0 1,0] 2 cells'
edit "a level's version" "$graal" 's/value="GR-V1.03"/value="GR-V1.02"/' 'version: GR-V1.03 -> GR-V1.02'
edit "an NPC moved" "$nw" '/type="npc"/s/x="328" y="544"/x="336" y="552"/' 'npcs: 1 changed' '  ~ [0] npc "well.png": x 20.5 -> 21, y 34 -> 34.5'
edit "an NPC's picture" "$nw" '/type="npc"/s/well.png/boat.png/' 'npcs: 1 changed' '  ~ [0] npc "boat.png": image "well.png" -> "boat.png"'
edit "an NPC deleted" "$nw" '/<object.* type="npc"/,/<\/object>/d' 'npcs: 1 removed' "  - [0] npc \"well.png\": x=20.5, y=34, script=\"$began"
edit "an NPC duplicated" "$nw" '/<object.* type="npc"/,/<\/object>/{H;/<\/object>/{p;x;s/^\n//;s/ id="5"/ id="9"/;s/x="328"/x="400"/;}}' \
    'npcs: 1 added' "  + [1] npc \"well.png\": x=25, y=34, script=\"$began"
edit "an NPC pasted" "$nw" '/name="npcs"/{n;s/^/<object id="77" name="cat.png" type="npc" x="32" y="48"><properties><property name="script" value="say2 hello;"\/><\/properties><point\/><\/object>\n/;}' \
    'npcs: 1 added' '  + [0] npc "cat.png": x=2, y=3, script="say2 hello;"'
edit "a link pasted among the NPCs" "$nw" '/name="npcs"/{n;s/^/<object id="77" name="lake_mill.nw" type="link" x="32" y="48" width="32" height="16"><properties><property name="dest_x" value="1"\/><property name="dest_y" value="2"\/><\/properties><\/object>\n/;}' \
    'links: 1 added' '  + [2] link "lake_mill.nw": x=2, y=3, width=2, height=1, dest_x="1"'

for level in "$samples/sketchy/hill-v3.1.level" "$samples/sketchy/hill-v4.level"; do
    first='"5f0c9a52-0001-4f4e-9a0e-6b2d51aa0001"' second='"5f0c9a52-0002-4f4e-9a0e-6b2d51aa0001"'
    edit "a drawing's title" "$level" 's/value="The hill by the pond"/value="Hill \&amp; pond"/' 'title: "The hill by the pond" -> "Hill & pond"'
    edit "a drawing's difficulty" "$level" 's/value="peaceful"/value="hard"/' 'difficulty: peaceful -> hard'
    edit "an actor wired to itself" "$level" '/<object id="2" /,/<\/object>/s|<property name="options"|<property name="link.2" type="object" value="2"/><property name="options"|' \
        'actors: 1 changed' "  ~ [1] actor $second" '    links: 1 item -> 2 items'
    edit "an actor deleted, and the link to it" "$level" '/<object id="2" /,/<\/object>/d' 'actors: 1 removed, 1 changed' "  ~ [0] actor $first" \
        '    links: 1 item -> 0 items' "  - [1] actor $second: filename=\"lantern.doodad\", point.x=-62, point.y=6"
    edit "an actor's doodad" "$level" '/<object id="2" /s/lantern.doodad/door-red.doodad/' \
        'actors: 1 changed' "  ~ [1] actor $second" '    filename: "lantern.doodad" -> "door-red.doodad"'
    edit "actors reordered, which the game does not count" "$level" \
        '/<object id="1" /,/<\/object>/{H;d;};/<object id="2" /,/<\/object>/{/<\/object>/{G;s/\n\n/\n/;};}'
    same "$level" "f.level" "actors in another order"
    edit "a chunk moved" "$level" 's/^4,5,0,0/0,5,4,0/' 'layers: 1 changed' '  ~ [0] layer' '    chunks: 1 changed' '      ~ [4] chunk "2,0"' \
        '        key: "0,0" -> "2,0"'
    edit "a chunk erased" "$level" 's/^4,5,0,0/4,0,0,0/' 'layers: 1 changed' '  ~ [0] layer' '    chunks: 1 removed' \
        "      - [4] chunk \"1,0\": encoding=$([ "${level%v4.level}" = "$level" ] && echo map || echo runs), pixels=64 x 64 cells"
    edit "a chunk copied" "$level" 's/^4,5,0,0/4,5,0,4/' 'layers: 1 changed' '  ~ [0] layer' '    chunks: 1 added' \
        "      + [5] chunk \"3,0\": encoding=$([ "${level%v4.level}" = "$level" ] && echo map || echo runs), pixels=64 x 64 cells"
    edit "a chunk over another" "$level" 's/^4,5,0,0/4,4,0,0/' 'layers: 1 changed' '  ~ [0] layer' '    chunks: 1 changed' '      ~ [4] chunk "1,0"' \
        '        pixels: 1365 cells changed in 2 regions' '          [18,0 22,0] 5 cells' '          [0,8 63,63] 1360 cells'
    edit "what a swatch does" "$level" '/<tile id="3">/,/<\/tile>/s/name="fire" type="bool" value="true"/name="water" type="bool" value="true"/' \
        'swatches: 1 changed' '  ~ [3] swatch "lava": fire 1 -> 0, water 0 -> 1'
    edit "a swatch's name" "$level" 's/value="lava"/value="hot lava"/' 'swatches: 1 changed' '  ~ [3] swatch "hot lava": name "lava" -> "hot lava"'
    # a copy or a pasted actor gets an id of its own: only that it is another is known
    for how in '/<object id="1" /,/<\/object>/{H;/<\/object>/{p;x;s/^\n//;s/ id="1"/ id="9"/;s/x="44"/x="90"/;}}' \
        's|^ </objectgroup>|<object id="50" name="lantern.doodad" type="actor" x="90" y="0"><point/></object>\n&|'; do
        as_map "$level" e.tmx
        sed "$how" e.tmx >f.tmx
        expect 0 "$lvl" convert -q -y f.tmx -o f.level
        "$lvl" diff "$level" f.level | sed -n '3,$p' | sed -E 's/actor "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/actor ID/; s/\[[0-9]\]/[n]/' >changes
        printf '%s\n' 'actors: 1 added' '  + [n] actor ID: filename="lantern.doodad", point.x=90' >wanted
        cmp -s changes wanted || { fail "an actor duplicated or pasted:"; diff wanted changes | sed 's/^/    /'; }
        "$lvl" get f.level 'actors[*].id' | sort | uniq -d | grep -q . && fail "an actor has the id of another"
    done
done
level=$samples/sketchy/hill-v3.1.level
doodad=$samples/sketchy/lantern.doodad
edit "a doodad's title and author" "$doodad" 's/name="title" value="[^"]*"/name="title" value="Lamp"/;s/name="author" value="[^"]*"/name="author" value="me"/' \
    'title: "Lantern" -> "Lamp"' 'author: "The lvl samples" -> "me"'
edit "a class, a value and flags" "$wwd" '/<object id="3" /,/<\/object>/{s/name="z" type="int" value="780"/name="z" type="int" value="5000"/;s/<properties>/<properties><property name="draw_flags" value="mirror|no_draw"\/>/;}' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "BehindCandy": z 780 -> 5000, draw_flags 0 -> no_draw|mirror'
filled=$(sed -n 's/.*firstgid="\([0-9]*\)" name="special cells".*/\1/p' e.tmx)
filled=$((filled + 1)) # tile 0 of that set is a cell without a tile
edit "a filled cell" "$wwd" "/ name=\"Action\"/,/<\/layer>/s/^0,0,/$filled,0,/" \
    'planes: 1 changed' "$main" '    tiles: 3 cells changed in 1 region' '      [0,0 0,2] 3 cells'
edit "an object pasted" "$wwd" '/name="objects"/{n;s/^/<object id="500" type="Officer" x="640" y="320"><properties><property name="image_set" value="LEVEL_OFFICER"\/><\/properties><point\/><\/object>\n/;}' \
    'planes: 1 changed' "$main" '    objects: 1 added' '      + [21] object "Officer": id=86, image_set="LEVEL_OFFICER", x=640, y=320'
sed -n '/<objectgroup /,$p' f.tmx | grep -q 'name="i" type="int" value="-1"' && fail "what nearly all objects hold is written of each"
grep -q 'name="i" type="int" value="2"' f.tmx || fail "the number of an object's image is missing"
expect 0 "$lvl" get f.wwd 'planes[4].objects[21].i'
has -1 out "a pasted object shows the first image of its set"
edit "a tile that had no attribute" "$wwd" 's|^  <tile id="4">|  <tile id="3"><properties><property name="attribute" value="death"/></properties></tile>\n&|' \
    'tile_properties: 1 changed' '  ~ [3] tile_property' '    attribute: clear -> death'

# the game's own numbers of objects are Tiled's, where they are all different; else they are properties
expect 0 "$lvl" set -q -y "$wwd" 'planes[4].objects[2].id=8090' -o ids.wwd
edit "an object found by the game's number" ids.wwd '/<object id="8090" /s/ x="[^"]*"/ x="777"/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "BehindCandy": x 2722 -> 777'
grep -q 'property name="id"' f.tmx && fail "the game's numbers are written twice"
grep -q 'nextobjectid="8092"' f.tmx || fail "new objects may get a number that is taken"
edit "another number" ids.wwd '/<object id="8090" /,/<\/object>/s/<properties>/<properties><property name="id" type="int" value="9000"\/>/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "BehindCandy": id 8090 -> 9000'
expect 0 "$lvl" set -q -y "$wwd" 'planes[4].objects[2].id=1' -o ids.wwd
edit "two objects of one number" ids.wwd '/<object id="3" /s/ x="[^"]*"/ x="777"/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "BehindCandy": x 2722 -> 777'
grep -q 'property name="id" type="int" value="1"' f.tmx || fail "a number that is not the object's is not shown"

# templates: their fields and properties, and what the object says beyond them; the tileset of a template gives the anchor
mkdir -p sub
cat >sub/cat.tx <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<template>
 <tileset firstgid="1" source="../cat.tsx"/>
 <object name="cat.png" type="npc" gid="1" width="32" height="48">
  <properties>
   <property name="script" value="say2 hi;"/>
  </properties>
 </object>
</template>
END
cat >sub/cat.tj <<'END'
{"type":"template","tileset":{"firstgid":1,"source":"../cat.tsx"},"object":{"name":"cat.png","type":"npc","gid":1,"width":32,"height":48,
"properties":[{"name":"script","type":"string","value":"say2 hi;"}]}}
END
cat >cat.tsx <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="cat" tilewidth="32" tileheight="48" tilecount="1" columns="1">
 <image source="cat.png" width="32" height="48"/>
</tileset>
END
for end in tx tj; do
    edit "instances of a template" "$nw" "/name=\"npcs\"/{n;s/^/<object id=\"77\" template=\"sub\\/cat.$end\" x=\"320\" y=\"480\"\\/>\\n<object id=\"78\" template=\"sub\\/cat.$end\" name=\"dog.png\" x=\"352\" y=\"480\"><properties><property name=\"script\" value=\"x\"\\/><\\/properties><\\/object>\\n/;}" \
        'npcs: 2 added' '  + [0] npc "cat.png": x=20, y=27, script="say2 hi;"' '  + [1] npc "dog.png": x=22, y=27, script="x"'
done

# a tile object of another program: its place follows from the point of the tile that is at its x, y
for at in "topleft 20 30" "top 19 30" "topright 18 30" "left 20 28.5" "center 19 28.5" "right 18 28.5" "bottom 19 27" "bottomright 18 27"; do
    # shellcheck disable=SC2086 # words
    set -- $at
    sed "s/<tileset /&objectalignment=\"$1\" /" cat.tsx >"$1.tsx"
    edit "a tile object, alignment $1" "$nw" "/<tileset firstgid=\"1\" /s/^/<tileset firstgid=\"60001\" source=\"$1.tsx\"\/>/
/name=\"npcs\"/{n;s/^/<object id=\"77\" name=\"cat.png\" type=\"npc\" gid=\"60001\" x=\"320\" y=\"480\" width=\"32\" height=\"48\"\/>\n/;}" \
        'npcs: 1 added' "  + [0] npc \"cat.png\": x=$2, y=$3"
done

# objects of a plane in the background are a layer of their own
expect 0 "$lvl" set -q -y "$wwd" 'planes[0].objects[+]={"id":900,"logic":"Bird","image_set":"LEVEL_BIRD","x":64,"y":80}' -o bird.wwd
edit "an object in the background" bird.wwd '/name="Sky objects"/{n;s/ x="64"/ x="96"/;}' \
    'planes: 1 changed' '  ~ [0] plane "Sky"' '    objects: 1 changed' '      ~ [0] object "Bird": x 64 -> 96'

# moved to the layer of another plane, an object keeps its number, unless another object has it
edit "an object moved to another layer" bird.wwd '/name="Sky objects"/{n;N;N;N;N;N;h;d;};/<objectgroup .* name="objects"/{G;}' \
    'planes: 2 changed' '  ~ [0] plane "Sky"' '    objects: 1 removed' '      - [0] object "Bird": id=900, image_set="LEVEL_BIRD", x=64, y=80' \
    "$main" '    objects: 1 added' '      + [21] object "Bird": id=900, image_set="LEVEL_BIRD", x=64, y=80'

# cells that no tileset has: each value becomes a tile of the set "special cells", which can be painted with
expect 0 "$lvl" set -q -y "$wwd" 'planes[0].tiles={"width":4,"height":2,"rows":["70000 80000 3 70000","4*4"]}' -o odd.wwd
expect 0 "$lvl" convert -q -y odd.wwd -o odd.tmx --pictures pictures
odd=$(sed -n 's/.*firstgid="\([0-9]*\)" name="special cells".*/\1/p' odd.tmx)
edit "a cell of an odd value painted" odd.wwd "s/^$((odd + 2)),$((odd + 3)),4,$((odd + 2)),\$/$((odd + 3)),$((odd + 3)),4,$((odd + 2)),/" \
    'planes: 1 changed' '  ~ [0] plane "Sky"' '    tiles: 1 cell changed in 1 region' '      [0,0] 70000 -> 80000'
awk 'BEGIN {
    printf "planes[0].tiles={\"width\":41,\"height\":25,\"rows\":["
    for (i = 0; i < 1025; i++)
        printf "%s%d%s", i % 41 ? " " : i ? ",\"" : "\"", 70000 + i, i % 41 == 40 ? "\"" : ""
    printf "]}"
}' >many
expect 0 "$lvl" set -q -y "$wwd" "$(cat many)" -o many.wwd
expect 1 "$lvl" convert many.wwd -o many.tmx --pictures pictures
has 'more than 1024 values that are not tiles' err "1025 odd values"
[ -e many.tmx ] && fail "a map is made of 1025 odd values"

# Resize Map in Tiled gives all layers the new size: only the plane that is the level's size is resized, unless others were painted too
resize='/<layer / { sub(/ width="[0-9]+"/, " width=\"" w "\""); sub(/ height="[0-9]+"/, " height=\"" h "\"") }
/<map / { sub(/ width="[0-9]+"/, " width=\"" w "\""); sub(/ height="[0-9]+"/, " height=\"" h "\"") }
/<\/data>/ {
    for (; y < h; y++)
        for (x = 0; x < w; x++)
            printf "0%s", x < w - 1 ? "," : y < h - 1 ? ",\n" : "\n"
    inside = 0
}
inside {
    n = split($0, cell, ",")
    for (x = 1; x <= w && y < h; x++)
        printf "%s%s", x <= n && cell[x] != "" ? cell[x] : 0, x < w ? "," : y < h - 1 ? ",\n" : "\n"
    y++
    next
}
{ print }
/<data/ { inside = 1; y = 0 }'
# resized WIDTH HEIGHT SED LINE...: as edit, of the sample with its map resized, and then changed by SED
resized() {
    as_map "$wwd" e.tmx
    awk -v w="$1" -v h="$2" "$resize" e.tmx | sed "$3" >f.tmx
    expect 0 "$lvl" convert -q -y f.tmx -o f.wwd
    "$lvl" diff "$wwd" f.wwd | sed -n '3,$p' >changes
    name="a map resized to $1 x $2"
    shift 3
    printf '%s\n' "$@" >wanted
    cmp -s changes wanted || { fail "$name:"; diff wanted changes | sed 's/^/    /' | head -n 8; }
}
resized 62 15 '' 'planes: 1 changed' "$main" '    tiles: 60 x 14 -> 62 x 15'
resized 10 10 '' 'planes: 1 changed' "$main" '    tiles: 60 x 14 -> 10 x 10'
resized 62 14 '/ name="Sky"/,/<\/layer>/s/^2,2,/5,2,/' \
    'planes: 2 changed' '  ~ [0] plane "Sky"' '    tiles: 1 cell changed in 1 region' '      [0,0] 1 -> 4' \
    "$main" '    tiles: 60 x 14 -> 62 x 14'

# painted beyond its own sides, a plane grows as far as that; what Tiled cut off of a plane that was not painted beyond stays
resized 62 14 '/ name="Sky"/,/<\/layer>/s/,0$/,5/;/ name="Sky"/,/<\/layer>/s/,0,$/,5,/' \
    'planes: 2 changed' '  ~ [0] plane "Sky"' '    tiles: 16 x 14 -> 62 x 14' "$main" '    tiles: 60 x 14 -> 62 x 14'
resized 10 10 '/ name="Sky"/,/<\/layer>/s/^2,2,/5,2,/' \
    'planes: 2 changed' '  ~ [0] plane "Sky"' '    tiles: 1 cell changed in 1 region' '      [0,0] 1 -> 4' \
    "$main" '    tiles: 60 x 14 -> 10 x 10'
expect 0 "$lvl" convert -y f.tmx -o f.wwd
has 'layer "Action", from 60 by 14 to 10 by 10: ' err "what a smaller map cuts off"

# Resize Map with an offset of two columns and one row: as `lvl resize', the patrols move with their objects
expect 0 "$lvl" set -q -y "$wwd" 'planes[4].objects[40]={"id":40,"logic":"Officer","image_set":"LEVEL_OFFICER","x":640,"y":400,"min_x":600,"max_x":700}' -o patrol.wwd
expect 0 "$lvl" resize -q -y patrol.wwd --size 62x15 --anchor bottom-right -o wanted.wwd
expect 0 "$lvl" convert -q -y patrol.wwd -o e.tmx --pictures pictures
awk '
/<map / { sub(/ width="60"/, " width=\"62\""); sub(/ height="14"/, " height=\"15\"") }
/<layer / { sub(/ width="[0-9]+"/, " width=\"62\""); sub(/ height="[0-9]+"/, " height=\"15\"") }
/<object id=/ {
    match($0, / x="[0-9]+"/); x = substr($0, RSTART + 4, RLENGTH - 5)
    match($0, / y="[0-9]+"/); y = substr($0, RSTART + 4, RLENGTH - 5)
    sub(/ x="[0-9]+"/, " x=\"" (x + 128) "\""); sub(/ y="[0-9]+"/, " y=\"" (y + 64) "\"")
}
/<\/data>/ { inside = 0; printf "%s\n", row(old) }
function row(text, n, i, cell, out) {
    n = split(text, cell, ","); out = "0,0"
    for (i = 1; i <= 60; i++) out = out "," (i <= n && cell[i] != "" ? cell[i] : 0)
    return out
}
inside { printf "%s,\n", first ? row("") : row(old); old = $0; first = 0; next }
{ print }
/<data/ { inside = first = 1 }' e.tmx >f.tmx
expect 0 "$lvl" convert -q -y f.tmx -o f.wwd
same wanted.wwd f.wwd "a map resized with an offset"

# ---- flips and quarter turns ----
# The first 16 objects are turned and flipped, with a copy for each alignment: one whose tileset has that alignment. What Tiled draws of the map
# is what it draws of the level made of it.
as_map "$wwd" e.tmx
sprite=$(sed -n 's/.*<object id="1" .* gid="\([0-9]*\)".*/\1/p' e.tmx)
awk '
BEGIN {
    kinds = split("unspecified topleft top topright left center right bottomleft bottom bottomright", alignment, " ")
    split("0 180 -180 540", turn, " ")
    split("0 2147483648 1073741824 3221225472", flip, " ")
}
/<tileset / { set = "" }
/<tileset .*name="sprites by/ { sprites = 1; match($0, /firstgid="[0-9]+"/); first = substr($0, RSTART + 10, RLENGTH - 11)
    match($0, /tilecount="[0-9]+"/); tiles = substr($0, RSTART + 11, RLENGTH - 12) }
{ set = set $0 "\n" }
/<layer / && sprites == 1 && !sets++ {
    for (k = 1; k <= kinds; k++) {
        one = kept
        sub(/firstgid="[0-9]+"/, "firstgid=\"" (first + k * tiles) "\"", one)
        sub(/objectalignment="center"/, "objectalignment=\"" alignment[k] "\"", one)
        printf "%s", one
    }
}
/<\/tileset>/ { kept = set }
/<object id=/ && n < 16 { object = ""; inside = 1 }
!inside { print }
inside { object = object $0 "\n" }
inside && (/<\/object>/ || /<object id=.*\/>$/) {
    inside = 0
    match(object, / gid="[0-9]+"/)
    if (!RLENGTH || RLENGTH < 0) { printf "%s", object; next }
    gid = substr(object, RSTART + 6, RLENGTH - 7) % 536870912
    match(object, / x="[-0-9]+"/)
    x = substr(object, RSTART + 4, RLENGTH - 5)
    match(object, / y="[-0-9]+"/)
    y = substr(object, RSTART + 4, RLENGTH - 5)
    for (k = 1; k <= kinds; k++) {
        one = object
        sub(/ gid="[0-9]+"/, sprintf(" gid=\"%.0f\" rotation=\"%s\"", gid + k * tiles + flip[n % 4 + 1], turn[int(n / 4) + 1]), one)
        sub(/ x="[-0-9]+"/, " x=\"" (x + 31 * k - 160) "\"", one)
        sub(/ y="[-0-9]+"/, " y=\"" (y - 17 * k) "\"", one)
        if (k > 1)
            sub(/ id="[0-9]+"/, " id=\"" (1000 + 16 * n + k) "\"", one)
        printf "%s", one
    }
    n++
}' e.tmx >f.tmx
[ "$(grep -c ' rotation="' f.tmx)" = 160 ] || fail "$(grep -c ' rotation="' f.tmx) objects were turned, not 160"
expect 0 "$lvl" convert -q -y f.tmx -o f.wwd
if command -v tmxrasterizer >/dev/null 2>&1; then
    expect 0 "$lvl" convert -q -y f.wwd --art "$samples/wwd" -o h.tmx --pictures pictures
    QT_QPA_PLATFORM=offscreen tmxrasterizer f.tmx f.png >/dev/null 2>&1
    QT_QPA_PLATFORM=offscreen tmxrasterizer h.tmx h.png >/dev/null 2>&1
    [ -s f.png ] && cmp -s f.png h.png || fail "Tiled draws the level otherwise than the map"
fi
edit "an object flipped with X in Tiled" "$wwd" "/<object id=\"1\" /s/gid=\"[0-9]*\"/gid=\"$((sprite + 1073741824))\" rotation=\"180\"/" \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [0] object "BehindCandy": draw_flags 0 -> mirror'
edit "a link turned by a quarter" "$nw" '/<object id="1" /{s/ x="[^"]*" y="[^"]*" width="[^"]*" height="[^"]*"/ x="64" y="32" width="48" height="16" rotation="90"/;}' \
    'links: 1 changed' '  ~ [0] link "lake_meadow.nw": x 0 -> 3, y 0 -> 2, height 64 -> 3'

# ---- sprites, and what a level cannot store ----
edit "a picture replaced" "$wwd" "/<object id=\"3\" /{s/gid=\"[0-9]*\"/gid=\"$((sprite + 1))\"/;s/width=\"144\" height=\"224\"/width=\"104\" height=\"60\"/;}" \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "BehindCandy": image_set "LEVEL_PINE" -> "LEVEL_BUSH"'
edit "a sprite placed" "$wwd" "/<object id=\"3\" /s|^|<object id=\"990\" gid=\"$((sprite + 1))\" x=\"100\" y=\"200\" width=\"104\" height=\"60\"/>\n|" \
    'planes: 1 changed' "$main" '    objects: 1 added' '      + [2] object "BehindCandy": id=86, image_set="LEVEL_BUSH", x=100, y=200'
edit "a new swatch" "$level" '/<tileset.*name="swatches"/,/<\/tileset>/s|</tileset>|<tile id="8"><properties><property name="color" value="#102030"/><property name="name" value="slate"/></properties></tile></tileset>|' \
    'swatches: 1 added' '  + [8] swatch "slate": color="#102030"'
# what no object uses is offered, too, with the class that such objects usually have; a placed one becomes an object of it
cp "$samples/wwd/SAMPLES.REZ" .
expect 0 "$lvl" new wwd --like "$wwd" -o bare.wwd
expect 0 "$lvl" convert -q -y bare.wwd -o e.tmx --pictures pictures
# tile_of SET [NUMBER]: the gid of the sprite that shows it, in e.tmx
tile_of() {
    awk -v set="$1" -v number="${2:--1}" '
        /<tileset / { match($0, /firstgid="[0-9]+"/); first = substr($0, RSTART + 10, RLENGTH - 11) }
        /<tile id=/ { match($0, /id="[0-9]+"/); id = substr($0, RSTART + 4, RLENGTH - 5); n = "" }
        /name="i" / { match($0, /value="[-0-9]+"/); n = substr($0, RSTART + 7, RLENGTH - 8) }
        index($0, "value=\"" set "\"/>") && (n == number || n == "") && id != "" { print first + id; exit }' e.tmx
}
for pair in LEVEL_FISH:Fish LEVEL_PINE:BehindCandy LEVEL_LANTERN:BehindAniCandy LEVEL_CRATES:FrontCrate \
    GAME_TREASURE_COINS:TreasurePowerup GAME_CHECKPOINTFLAG:Checkpoint GAME_MAPPIECE:EndOfLevelPowerup; do
    set=${pair%:*} logic=${pair#*:}
    gid=$(tile_of "$set")
    [ -n "$gid" ] || fail "a new level does not offer $set"
    edit "a sprite of $set placed" bare.wwd "s|^ <objectgroup .*name=\"objects\"[^>]*[^/]>|&<object id=\"990\" gid=\"$gid\" x=\"100\" y=\"200\" width=\"9\" height=\"9\"/>|;s|^ <objectgroup \(.*name=\"objects\".*\)/>|<objectgroup \1><object id=\"990\" gid=\"$gid\" x=\"100\" y=\"200\" width=\"9\" height=\"9\"/></objectgroup>|" \
        'planes: 1 changed' "$main" '    objects: 1 added' "      + [0] object \"$logic\": id=1, image_set=\"$set\", x=100, y=200"
done
[ -z "$(tile_of GAME_GLINT)" ] || fail "a picture that the game draws itself is offered"
expect 0 "$lvl" new level --like "$level" -o bare.level
expect 0 "$lvl" convert -q -y bare.level -o e.tmx --pictures pictures
sed 's|^ <objectgroup \(.*name="actors".*\)/>|<objectgroup \1><object id="990" gid="33" x="100" y="200" width="17" height="17"/></objectgroup>|' e.tmx >f.tmx
expect 0 "$lvl" convert -q -y f.tmx -o f.level
expect 0 "$lvl" get f.level 'actors[*].filename' 'actors[*].point'
is out 'lantern.doodad
{"x":100,"y":200}' "a doodad placed"

# a picture that is one of several: its number belongs to the sprite
expect 0 "$lvl" set -q -y "$wwd" 'planes[4].objects[+]={"id":900,"logic":"Gull","image_set":"LEVEL_GULL","i":2,"x":64,"y":80}' -o gull.wwd
expect 0 "$lvl" convert -q -y gull.wwd -o e.tmx --pictures pictures
two=$(tile_of LEVEL_GULL 2) three=$(tile_of LEVEL_GULL 3) first=$(tile_of LEVEL_GULL)
[ -n "$two" ] && [ -n "$three" ] && [ -n "$first" ] || fail "sprites of LEVEL_GULL: $two, $three, $first"
edit "one of several pictures placed" gull.wwd "/<object id=\"3\" /s|^|<object id=\"990\" gid=\"$three\" x=\"100\" y=\"200\" width=\"80\" height=\"64\"/>\n|" \
    'planes: 1 changed' "$main" '    objects: 1 added' '      + [2] object "Seagull": id=901, image_set="LEVEL_GULL", x=100, y=200, i=3'
edit "a picture replaced by another of its set" gull.wwd "/<object id=\"900\" /s/gid=\"[0-9]*\"/gid=\"$three\"/" \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [85] object "Gull": i 2 -> 3'
edit "a picture replaced by the first of its set" gull.wwd "/<object id=\"900\" /s/gid=\"$two\"/gid=\"$first\"/" \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [85] object "Gull": i 2 -> -1'

# planes of the same tiles share one picture of them
expect 0 "$lvl" set -q -y "$wwd" "planes[+]=$("$lvl" get "$wwd" 'planes[0]')" -o twice.wwd
expect 0 "$lvl" convert -q -y twice.wwd -o twice.tmx
[ "$(grep -c 'source="twice.tiles/tiles-0.png"' twice.tmx)" = 2 ] || fail "planes of the same tiles have a picture each"
rm SAMPLES.REZ

# told FILE SED CODE TEXT: what cannot be stored is refused (1) or listed (0)
told() {
    as_map "$1" e.tmx
    sed "$2" e.tmx >f.tmx
    expect "$3" "$lvl" convert -y f.tmx -o "f.${1##*.}"
    has "$4" err "a change that is not stored"
}
told "$level" '/<tileset.*name="swatches"/,/<\/tileset>/s|</tileset>|<tile id="14"><properties><property name="color" value="#102030"/></properties></tile></tileset>|' \
    1 'tile 14 of tileset "swatches" is beyond the next new one, 8'
told "$wwd" '/<object id="3" /s/width="144" height="224"/width="288" height="448"/' \
    0 'object 3 "BehindCandy" in layer "objects" at 2722, 468 is 288 x 448 px large, and 144 x 224 without being resized'
told "$wwd" '/<object id="3" /s|^|<object id="990" name="note" x="1" y="2" width="9" height="9"><text wrap="1">Hello</text></object>\n|' \
    1 'object 990 "note" in layer "objects" at 1, 2 is a text'
told "$wwd" '/<tileset.*name="Headland"/,/<\/tileset>/s|</tileset>|<tile id="2" type="Foo"/></tileset>|' \
    0 'tile 2 of tileset "Headland": the class "Foo" is not stored'
told "$wwd" '/<tileset.*name="special cells"/,/<\/tileset>/s|<property name="value"|<property name="mine" value="1"/>&|' \
    0 'tile 0 of tileset "special cells": the property mine is not stored'

# what Tiled has and no level, named each with its layer, group, tileset or tile
told "$wwd" '/<layer id="2" /s/ parallaxx/ opacity="0.5" tintcolor="#ff0000" class="fog"&/' 0 'layer "Clouds": its opacity, tint color, class is not stored'
told "$wwd" '/<objectgroup .*name="objects"/s/ name=/ offsetx="5" parallaxy="0.5"&/' 0 'layer "objects": its offset, parallax factor is not stored'
told "$wwd" '/<objectgroup .*name="objects"/s/ name="objects"/ name="things"/' 0 'layer "things": its name is not stored in the level, where it is "objects"'
told "$wwd" '/name="start"/s/name="start"/name="door"/' 0 '"door" in layer "level": its name and its class are not stored: the level has only its place'
told "$wwd" '/name="start"/s/ type="start"/ type="Officer"/' 0 '"start" in layer "level": its name and its class are not stored'
told "$wwd" '/<objectgroup .*name="level"/s|>$|&<properties><property name="mine" value="1"/></properties>|' 0 'layer "level": the property "mine" is not stored'
told "$wwd" '/<layer id="1" /,/<\/layer>/{H;d;};/<layer id="3" /{x;G;}' 0 'layer "Clouds" is below "Sky" now: the order of the level'
told "$wwd" 's|^ <layer id="7"|<objectgroup id="99" name="notes"><object id="990" type="Bird" x="1" y="2" width="30" height="20"/></objectgroup>\n&|' \
    0 'layer "notes": the level has no such layer; its objects are stored'
has 'object 990 "Bird" in layer "notes" at 1, 2 is a rectangle of 30 x 20 px: the level stores its place, but no size' err "a rectangle"
told "$nw" '/<objectgroup .*name="npcs"/,/<\/objectgroup>/{s|^ <objectgroup|<group id="98" name="mine" opacity="0.5" parallaxx="2"><properties><property name="a" value="b"/></properties>\n&|;s|</objectgroup>|&</group>|;}' \
    0 'group "mine": not stored in the level, nor its opacity, parallax factor, properties; its layers are'
told "$nw" '/<layer id="1" /s/name="board"/name="ground"/' 0 'layer "ground": its name is not stored in the level, where it is "board"'
told "$nw" '/<map /s/tilewidth="16"/tilewidth="32"/' 0 'the map: its tiles are 32 x 16 px, which is not stored in the level, where they are 16 x 16 px'
told "$nw" '/<object id="1"/s/>/ opacity="0.5">/' 0 'object 1 "lake_meadow.nw" in layer "links": its opacity is not stored in the level'
told "$nw" '/<map /s/renderorder="right-down"/renderorder="left-up" class="a"/' 0 'the map: its class, render order is not stored'
told "$nw" '/type="sign"/s/ type="sign"/ name="gate" type="note"/' 0 'object 3 "gate" in layer "signs": its name is not stored'
has 'object 3 "gate" in layer "signs": the class "note" is not stored' err "a class"
told "$wwd" '/<tileset.*name="Sky"/,/<\/tileset>/s|</tileset>|<tile id="0"><animation><frame tileid="0" duration="9"/></animation><objectgroup><object id="1"/></objectgroup></tile><wangsets/></tileset>|' \
    0 'tileset "Sky": terrain sets: not stored'
has 'tile 0 of tileset "Sky": animation, collision shapes: not stored' err "an animation"
told "$wwd" '/<tileset.*name="Sky"/s/name="Sky"/name="Heaven"/' 0 'tileset "Heaven": its name is not stored'
told "$level" 's/name="link.1"/name="link.door"/' 0 'the property "link.door" is not stored: a link is link. and a number'
told "$wwd" '/<object id="3" /s|^|<object id="990" name="a" x="1" y="2" width="9" height="9"><capsule/></object>\n|' 1 'object 990 "a" in layer "objects" at 1, 2 is a polygon'

told "$nw" '/type="sign"/s/ x="720"/ x="725"/' 0 'object 3 "sign" in layer "signs": x: 725 px is stored as 720: the level has places in steps of 16 px'
told "$wwd" '/<object id="3" /s/ x="2722"/ x="2722.5"/' 0 'object 3 "BehindCandy" in layer "objects": x: 2722.5 px is stored as 2723: the level has places in steps of 1 px'
told "$level" '/<object id="1" .*type="actor"/s/ y="0"/ y="7.5"/' 0 'y: 7.5 px is stored as 8: the level has places in steps of 1 px'
# a sprite of odd size at whole pixels, whose middle is at half a pixel, is where it was put
told "$wwd" '/<object id="3" /s|^|<object id="990" name="a" type="Officer" gid="1" x="100" y="200" width="33" height="17"/>\n|' 0 'object 990'
grep -q 'steps of' "$t/err" && fail "the middle of an odd sprite is no place at half a pixel"
# a map that another program wrote as JSON
expect 0 "$lvl" convert -q -y "$nw" -o e.tmj --pictures pictures
sed 's/":/" : /g' e.tmj >f.tmj
expect 0 "$lvl" convert -q -y f.tmj -o f.nw
cmp -s f.nw "$nw" || fail "a map of another JSON writer"
sed '/"data"/s/\([0-9][0-9]*\)\([],]\)/\1.0\2/g' e.tmj >f.tmj
cmp -s e.tmj f.tmj && fail "no cell is written otherwise"
expect 0 "$lvl" convert -q -y f.tmj -o f.nw
cmp -s f.nw "$nw" || fail "cells of a JSON writer that has no whole numbers"
as_map "$nw" e.tmx
sed '/<data/{n;s/^[0-9]*,//;}' e.tmx >f.tmx
expect 1 "$lvl" convert -q -y f.tmx -o f.nw
has 'that is in the layer "board"' err "a layer with too few cells"
# a level that must not be written
chmod 444 f.nw
if [ ! -w f.nw ] || [ "$(id -u)" = 0 ]; then
    expect 3 "$lvl" convert -q -y f.tmj -o f.nw
    has 'f.nw is read-only; allow writing to it' err "a read-only level"
fi
chmod 644 f.nw

# ---- values of swatches, and what a save breaks ----
swatch='  ~ [0] swatch "earth": color "#7a5a3c" ->'
edit "a colour of Tiled's type" "$level" 's|name="color" value="#7a5a3c"|name="color" type="color" value="#ff00ff00"|' \
    'swatches: 1 changed' "$swatch \"#00ff00\""
edit "a colour with alpha" "$level" 's|name="color" value="#7a5a3c"|name="color" type="color" value="#8000ff00"|' \
    'swatches: 1 changed' "$swatch \"#00ff0080\""
as_map "$level" e.tmx
sed 's|name="color" value="#7a5a3c"|name="color" value="red"|' e.tmx >f.tmx
expect 0 "$lvl" convert -y f.tmx -o f.level
has 'new error: sketchy.swatch.color: "red" is not a colour such as #ff8000: the game crashes' err "a colour that crashes the game"
expect 0 "$lvl" convert -y e.tmx -o f.level
[ ! -s "$t/err" ] || fail "a save without a change: $(cat "$t/err")"

# ---- new layers, and objects in any layer ----
edit "an object in the layer of the start" "$wwd" '/name="level"/{n;s|^|<object id="990" type="Bird" x="100" y="200"><point/></object>\n|;}' \
    'planes: 1 changed' "$main" '    objects: 1 added' '      + [85] object "Bird": id=86, x=100, y=200'
edit "an object in a layer of one's own" "$wwd" 's|^ <layer id="7"|<group id="98" name="g"><objectgroup id="99" name="notes"><object id="990" type="Bird" x="1" y="2"/></objectgroup></group>\n&|' \
    'planes: 1 changed' "$main" '    objects: 1 added' '      + [85] object "Bird": id=86, x=1, y=2'
expect 0 "$lvl" new wwd --like "$wwd" -o new.wwd
expect 0 "$lvl" convert -q -y new.wwd --art "$samples/wwd" -o e.tmx --pictures pictures
grep -q 'name="Action".*tilecount="144"' e.tmx || fail "a new level offers no tiles"
edit "a new plane" "$wwd" 's|^ <layer id="7"|<layer id="99" name="mine" width="2" height="1"><data encoding="csv">418,0</data></layer>\n&|' \
    'planes: 1 added' '  + [5] plane "mine": tiles=2 x 1 cells'
[ "$("$lvl" get f.wwd 'planes[5].image_sets[0]')" = "$("$lvl" get "$wwd" 'planes[4].image_sets[0]')" ] || fail "a new plane has other tiles"
[ "$("$lvl" get f.wwd 'planes[5].tiles[0,0]')" = 1 ] || fail "the cells of a new plane: $("$lvl" get f.wwd 'planes[5].tiles[0,0]')"
"$lvl" check -q f.wwd || fail "a level with a new plane is not sound: $("$lvl" check f.wwd)"
cells=$(awk 'BEGIN { for (i = 0; i < 4096; i++) printf "%s%d", i ? "," : "", i == 65 ? 7 : 0 }')
edit "a new layer above the board" "$nw" "s|^ <objectgroup .* name=\"links\"|<layer id=\"99\" name=\"layer 1\" width=\"64\" height=\"64\"><data encoding=\"csv\">$cells</data></layer>\n&|" \
    'layers: 1 added' '  + [1] layer: number=1, tiles=64 x 64 cells'
"$lvl" get f.nw 'layers[1].tiles[1,1]' >got
[ "$(cat got)" = 6 ] || fail "the cell of a new layer: $(cat got)"

expect 0 "$lvl" convert -y f.tmx -o f.nw
has 'layer "layer 1": its name is not stored in the level, which has only numbers of layers' err "the name of a new layer"
# Replace Tile with a sprite of another kind
shore=$samples/graal/lakeside/lake_shore.nw
as_map "$shore" e.tmx
chest=$(sed -n 's/.*type="chest".* gid="\([0-9]*\)".*/\1/p' e.tmx | head -n 1)
npc=$(sed -n 's/.*type="npc".* gid="\([0-9]*\)".*/\1/p' e.tmx | head -n 1)
[ -n "$npc" ] && [ -n "$chest" ] || fail "no sprite of an NPC and a chest"
told "$shore" "s/type=\"chest\" gid=\"$chest\"/type=\"chest\" gid=\"$npc\"/" 0 'its picture is one of the class "npc", and is not stored in the level'

# a copy, then Replace Tile; and names of layers in a map without the level that it was made of
told "$wwd" "/<object id=\"3\" /,/<\/object>/{H;/<\/object>/{p;x;s/^\n//;s/ id=\"3\"/ id=\"999\"/;s/gid=\"[0-9]*\"/gid=\"$((sprite + 1))\"/;};}" \
    0 ': its image_set "LEVEL_PINE" is stored, not the picture "LEVEL_BUSH" that its tile shows'
told "$nw" '/name="lvl\.origin"/d;/name="lvl\.sha256"/d;s/name="board" width="64"/name="ground" width="64"/' \
    0 'layer "ground": its name is not stored in the level, where it is "board"'
# a template of a sprite: the tileset "sprites" is a file, which the map and the template name. As Tiled saves it, and as Tiled detaches it
as_map "$wwd" e.tmx
mkdir stamp
awk '/<tileset .*name="sprites by/ { on = 1; sub(/ firstgid="[0-9]+"/, "") } on { gsub(/source="pictures/, "source=\"../pictures"); print } /<\/tileset>/ { on = 0 }' e.tmx >stamp/sprites.tsx
sed '/<tileset .*name="sprites by/,/<\/tileset>/{/<\/tileset>/!{/name="sprites by/!d;s| name=.*| source="stamp/sprites.tsx"/>|;};/<\/tileset>/d;}
/<objectgroup .*name="objects"/s|$|<object id="990" template="stamp/bush.tx" x="100" y="200"/>|' e.tmx >stamped.tmx
cat >stamp/bush.tx <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<template>
 <tileset firstgid="1" source="sprites.tsx"/>
 <object type="BehindCandy" gid="2" width="104" height="60">
  <properties>
   <property name="z" type="int" value="555"/>
  </properties>
 </object>
</template>
END
bush='      + [21] object "BehindCandy": id=86, image_set="LEVEL_BUSH", x=100, y=200, z=555'
# (not --resolve-types-and-properties: Tiled 1.11 leaves out all properties of the map then, which is refused)
for how in none '' '--detach-templates --embed-tilesets'; do
    if [ "$how" = none ]; then
        cp stamped.tmx f.tmx
    elif command -v tiled >/dev/null 2>&1; then
        # shellcheck disable=SC2086 # words
        HOME=$t QT_QPA_PLATFORM=offscreen timeout 60 tiled --export-map $how tmx stamped.tmx f.tmx >/dev/null 2>&1 || fail "Tiled does not open a map with a template: $how"
    fi
    expect 0 "$lvl" convert -q -y f.tmx -o f.wwd
    "$lvl" diff "$wwd" f.wwd | tail -n 1 >changes
    is changes "$bush" "an instance of a template of a sprite ${how:-saved by Tiled}"
done

# texts with characters that XML or Tiled lose, and with those that are shown in their place
odd=$(printf 'a\001b\177c\342\220\200d\342\220\2332401;e\342\220\241f\357\277\276')
expect 0 "$lvl" set -q -y "$level" "title=$odd" -o odd.level
expect 0 "$lvl" convert -q -y odd.level -o odd.tmx --pictures pictures
LC_ALL=C grep -q "$(printf '[\001\177]')" odd.tmx && fail "control characters in a map"
expect 0 "$lvl" convert -q -y odd.tmx -o e.level
same odd.level e.level "a title of odd characters"
sed '/name="title"/s/value="/&x/;/name="title"/s/"\/>/y"\/>/' odd.tmx >e.tmx
expect 0 "$lvl" convert -q -y e.tmx -o e.level
expect 0 "$lvl" get e.level title
is out "x${odd}y" "a title of odd characters, changed in a map"

# numbers as Tiled may write them, and links as text
edit "a number with an exponent" "$wwd" '/<object id="3" /,/<\/object>/s/name="z" type="int" value="780"/name="z" type="float" value="7e3"/' \
    'planes: 1 changed' "$main" '    objects: 1 changed' '      ~ [2] object "BehindCandy": z 780 -> 7000'
edit "the same number with an exponent" "$wwd" '/<object id="3" /,/<\/object>/s/name="z" type="int" value="780"/name="z" type="float" value="7.8e2"/'
other=5f0c9a52-0003-4f4e-9a0e-6b2d51aa0001
edit "a link to an actor of another level" "$level" "s/name=\"link.1\" type=\"object\" value=\"2\"/name=\"link.1\" value=\"$other\"/" \
    'actors: 1 changed' '  ~ [0] actor "5f0c9a52-0001-4f4e-9a0e-6b2d51aa0001"' "    links: [0] \"5f0c9a52-0002-4f4e-9a0e-6b2d51aa0001\" -> \"$other\""

# ---- edits that a level cannot represent, but that lose nothing of it: a warning, and the level is as it was ----
# ignored NAME FILE SED TEXT
ignored() {
    end=${2##*.}
    as_map "$2" e.tmx
    sed "$3" e.tmx >f.tmx
    cmp -s e.tmx f.tmx && fail "$1: the edit changes nothing"
    expect 0 "$lvl" convert -y f.tmx -o "f.$end"
    [ -z "$4" ] || has "lvl.map.ignored: $4" err "$1"
    same "$2" "f.$end" "$1"
}
ignored "a layer moved" "$wwd" '/<layer id="2" /s/ parallaxx/ offsetx="5"&/' 'layer "Clouds": its offset is not stored in the level'
ignored "a new layer without cells" "$wwd" 's|^ <layer id="7"|<layer id="99" name="mine" width="1" height="1"><data encoding="csv">0</data></layer>\n&|' ''

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
    as_map "$2" r.tmx
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
refused "a misspelt name" "$wwd" '/<object id="72" /,/<\/object>/s/value="coin"/value="coinn"/' \
    'object 72 "Soldier" in layer "objects": powerup: expected a name, or a whole number of 32 bits, found "coinn"; did you mean coin?'
refused "a name where there are none" "$wwd" '/<object id="3" /,/<\/object>/s/<properties>/&<property name="powerup" value="coin"\/>/' \
    'object 3 "BehindCandy" in layer "objects": powerup: BehindCandy has a plain number here, without names; found "coin"'
refused "a template that is missing" "$wwd" 's/<object id="3" /<object id="3" template="a.tx" /' 'object 3 "BehindCandy" in layer "objects" is an instance of the template a.tx, which is missing'
refused "a tileset that is missing" "$wwd" '/name="sprites by/,/<\/tileset>/{/name="sprites by/!d;s/ name=.*/ source="gone.tsx"\/>/;}' \
    'object 22 "DoNothing" in layer "objects" has a tile of the tileset gone.tsx, which is missing; put it back'
refused "a tileset deleted" "$wwd" '/name="sprites by/,/<\/tileset>/d' 'which no tileset of the map has; replace the object'
refused "a quarter turn" "$wwd" '/<object id="3" /s/ x=/ rotation="90"&/' \
    'object 3 "BehindCandy" in layer "objects" at 2722, 468 is turned by 90 degrees'
refused "a turn" "$wwd" '/<object id="3" /s/ x=/ rotation="45.5"&/' 'at 2722, 468 is turned by 45.5 degrees'
refused "a diagonal flip" "$wwd" "/<object id=\"3\" /s/gid=\"[0-9]*\"/gid=\"$((sprite + 536870912))\"/" 'is flipped along its diagonal'
refused "an object with a shape" "$wwd" '/<object id="3" /,/<\/object>/s|</object>|<polygon points="0,0 10,10 0,10"/>&|' \
    'object 3 "BehindCandy" in layer "objects" at 2722, 468 is a polygon or an ellipse'
refused "an object of no class" "$nw" 's|^ <objectgroup .* name="links"|<objectgroup id="99" name="notes"><object id="990" name="todo" x="1" y="2"/></objectgroup>\n&|' \
    'object 990 "todo" in layer "notes" at 1, 2: its layer is none of the level'
refused "a picture" "$nw" 's|^ <objectgroup .* name="links"|<imagelayer id="99" name="sketch"><image source="a.png"/></imagelayer>\n&|' \
    'the layer "sketch" is a picture'
refused "a layer of squares" "$level" 's|^ <objectgroup .* name="actors"|<layer id="99" name="mine" width="2" height="1"><data encoding="csv"><chunk x="0" y="0" width="2" height="1">0,1</chunk></data></layer>\n&|' 'mine'
refused "a layer below the board" "$nw" "s|^ <layer id=\"1\"|<layer id=\"99\" name=\"mine\" width=\"64\" height=\"64\"><data encoding=\"csv\">$cells</data></layer>\n&|" \
    'layer "mine", first cell at column 1, row 1: the level cannot have a further layer below all others'
echo '<template><object x="high"/></template>' >sub/broken.tx
refused "a template with a word for a number" "$wwd" 's/<object id="3" /<object id="3" template="sub\/broken.tx" /' 'that is in sub/broken.tx, which the map names'
echo '<tileset name="a">' >sub/broken.tsx
refused "a tileset that ends too soon" "$wwd" 's/<tileset firstgid="1" /<tileset firstgid="1" source="sub\/broken.tsx"\/><tileset firstgid="999" source="sub\/gone.tsx"\/>&/' \
    'that is in sub/broken.tsx, which the map names'
grep -q gone.tsx "$t/err" && fail "a tileset after one that is broken: $(cat "$t/err")"
for end in tx tj; do # a tile so far after that it would be of another set
    sed 's/ gid="1"/ gid="65537"/;s/"gid":1,/"gid":65537,/' "sub/cat.$end" >"sub/far.$end"
    refused "a template's tile that no tileset has" "$wwd" "s/<object id=\"3\" /<object id=\"3\" template=\"sub\/far.$end\" /" \
        "template sub/far.$end: expected a tile below 65536 and at most 1023 templates, found tile 65536"
done
awk 'BEGIN { RS = "^$" } { for (i = 1; i <= 1024; i++) { f = "sub/many" i ".tx"; print >f; close(f) } }' sub/cat.tx
awk 'BEGIN { for (i = 1; i <= 1024; i++) printf "<object id=\"%d\" template=\"sub/many%d.tx\" x=\"0\" y=\"0\"/>\\\n", i + 1000, i }' >many
refused "more templates than there are numbers for" "$wwd" "/ name=\"objects\"/a\\
$(cat many)
" 'template sub/many1024.tx: expected a tile below 65536 and at most 1023 templates, found tile 0 of template 1024'
refused "a title too long" "$wwd" "s/value=\"Grey Cliffs - Level 1\"/value=\"$(printf '%080d' 0)\"/" 'the map: name: 80 bytes do not fit'
refused "a title that leaves no room for its end" "$wwd" "s/value=\"Grey Cliffs - Level 1\"/value=\"$(printf '%064d' 0)\"/" 'the map: name: the text is too long; at most 63 bytes fit'
refused "a number of 33 bits" "$wwd" '/<object id="3" /,/<\/object>/s/name="z" type="int" value="780"/name="z" type="float" value="4294967295"/' \
    'z: expected a whole number of 32 bits, found "4294967295"'
refused "a word for an object" "$graal" '/name="sign" type="object"/s/value="3"/value="high"/' \
    'object 4 "chest" in layer "chests": sign: expected an object, found "high"'
refused "options that are no JSON" "$level" '/name="options"/s/value="[^"]*"/value="{a"/' \
    'object 2 "lantern.doodad" in layer "actors": options: expected JSON; at character 2:'
refused "an infinite map" "$wwd" 's/infinite="0"/infinite="1"/' 'the map is infinite'
refused "a board of another size" "$nw" 's/<layer id="1" name="board" width="64" height="64"/<layer id="1" name="board" width="64" height="63"/' 'cells'
refused "a wrong origin" "$nw" 's/name="lvl.sha256" value="../name="lvl.sha256" value="xx/' 'lvl.origin'
expect 1 "$lvl" convert "$samples/graal/lakeside/lakeside.gmap" -o g.tmx
has ".world" err "a world to a map"

# what the writer cannot store is named by the thing, not by an index alone
expect 0 "$lvl" convert "$samples/graal/lakeside/lake_village.nw" -o words.tmx
sed 's/name="lake_shore.nw"/name=""/' words.tmx >nameless.tmx
expect 1 "$lvl" convert nameless.tmx -o words.nw
err_has 'graal.nw.unwritable: link: y=63, width=64: expected a value that a line can hold'
sed 's/setshape 1,48,40;/\
NPCEND/' words.tmx >ended.tmx
expect 1 "$lvl" convert ended.tmx -o words.nw
err_has 'graal.nw.unwritable: npc "well.png": expected a value that a line can hold'

finish
