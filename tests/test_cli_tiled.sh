#!/bin/sh
# Levels as maps of Tiled and back: unchanged maps give the same bytes, also through the real Tiled if it is installed; its extension.
# Edits of maps are in test_cli_tiled_edits.sh.
. "$(dirname "$0")/support/shell.sh"
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

# alike MAP MAP WHAT: the same but for what differs from one release of Tiled to the next: its version, and the order of an image's attributes
alike() {
    for map in "$1" "$2"; do
        sed -e '2s/ version="[^"]*" tiledversion="[^"]*"//' \
            -e 's|<image \(source="[^"]*"\) \(width="[0-9]*" height="[0-9]*"\)/>|<image \2 \1/>|' "$map" >"$map.plain"
    done
    same "$1.plain" "$2.plain" "$3"
}

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
    alike a.tmx b.tmx "the map as Tiled saves it, of $1"
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
    "$samples"/sketchy/*.level "$samples"/sketchy/*.doodad \
    "$samples"/*/damaged/*.wwd "$samples"/*/damaged/*.nw "$samples"/*/damaged/*.graal "$samples"/*/damaged/*.level; do
    "$lvl" info "$f" >/dev/null 2>&1 || continue
    case $f in
    */cliffs.wwd | */odd-names.wwd | */lake_village.nw | */frost_pass.graal | */z3-v1.04.zelda | */hill-v4.level) round_trip "$f" tiled ;;
    *) round_trip "$f" ;;
    esac
done

# a plane without any tile has a tileset all the same
expect 0 "$lvl" set -q "$samples/wwd/cliffs.wwd" 'planes[0].tiles={"width":4,"height":2,"rows":[".*4",".*4"]}' -o empty.wwd
round_trip empty.wwd tiled
# and one without cells is a layer without cells
expect 0 "$lvl" set -q "$samples/wwd/cliffs.wwd" --unset 'planes[0].tiles' -o none.wwd
round_trip none.wwd

wwd=$samples/wwd/cliffs.wwd
nw=$samples/graal/lakeside/lake_village.nw
level=$samples/sketchy/hill-v3.1.level

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

# a map that was drawn in Tiled with the tiles of a level has neither settings nor layers of ours: the level has what `lvl new' gives it
drawn() { # LAYER DATA: a map of 10 by 3 cells
    echo '<map version="1.8" orientation="orthogonal" width="10" height="3" tilewidth="64" tileheight="64" infinite="0">'
    awk '/<tileset/ { set = "" } { set = set $0 "\n" } /<\/tileset>/ && set ~ /name="Action"/ { printf "%s", substr(set, index(set, " <tileset")); exit }' n.tmx
    while [ $# -ge 2 ]; do
        echo "<layer id=\"$#\" name=\"$1\" width=\"10\" height=\"3\"><data encoding=\"csv\">0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,$2</data></layer>"
        shift 2
    done
    echo '</map>'
}
solid=$(($(sed -n 's/.*firstgid="\([0-9]*\)" name="Action".*/\1/p' n.tmx) + 4))
ground=$solid,$solid,0,$solid,$solid,$solid,$solid,$solid,$solid,$solid
drawn "Tile Layer 1" "$ground" >drawn.tmx
expect 0 "$lvl" convert -y drawn.tmx -o drawn.wwd
has 'the player starts at 320, 64' err "a map that was drawn without a start"
expect 0 "$lvl" check drawn.wwd
has 'claw.exit.none' out "a level that was drawn without an exit"
sound='drawn.wwd: sound, 1 warning'
has "$sound" out "a level that was drawn in Tiled"
expect 0 "$lvl" get drawn.wwd 'planes[0].tiles[3,2]' 'planes[0].image_sets[0]' 'planes[0].flags' 'tile_properties[4].attribute' image_dir
printf '%s\n' 4 ACTION main solid '\LEVEL1\TILES' >wanted
cmp -s out wanted || { fail "a level that was drawn in Tiled:"; diff wanted out | sed 's/^/    /'; }
drawn Back "$ground" Action "$ground" Front "$ground" >drawn.tmx
expect 0 "$lvl" convert -q -y drawn.tmx -o drawn.wwd
expect 0 "$lvl" check drawn.wwd
has "$sound" out "a level of three layers"
expect 0 "$lvl" get drawn.wwd 'planes[1].flags'
is out main "the layer Action"
expect 0 "$lvl" convert -y "$samples/graal/lakeside/lakeside.gmap" -o w.world
grep -c '"fileName": "lake_' w.world >count
[ "$(cat count)" = 4 ] || fail "the world names $(cat count) levels, not 4"

# an origin of more than 1 MiB in base64 is a file beside the pictures, without which the map is not read
awk 'BEGIN {
    printf "{\"lvl\":1,\"format\":\"wwd\",\"doc\":{\"planes\":[{\"flags\":\"main\",\"tile_width\":64,\"tile_height\":64,\"tiles\":{\"width\":1000,\"height\":600,\"rows\":["
    for (y = 0; y < 600; y++) {
        printf "%s\"", y ? "," : ""
        for (x = 0; x < 1000; x++) {
            n = (n * 1103515245 + 12345) % 2147483648
            printf "%s%d", x ? " " : "", n / 65536 % 4000
        }
        printf "\""
    }
    print "]}}]}}"
}' >large.json
expect 0 "$lvl" undump large.json -o large.wwd
expect 0 "$lvl" convert -q large.wwd -o large.tmx --pictures beside
grep -q 'name="lvl.origin"' large.tmx && fail "a map of $(wc -c <large.wwd) bytes holds its origin"
expect 0 "$lvl" convert -q large.tmx -o large2.wwd
same large.wwd large2.wwd "a map with its origin in a file"
rm beside/origin-*.bin large2.wwd
expect 1 "$lvl" convert -q large.tmx -o large2.wwd
has 'the level that the map was made of is missing: beside/origin-' err "a map whose origin is missing"
[ -e large2.wwd ] && fail "a level is made of a map whose origin is missing"

# a second map with the same folder of pictures: the same pictures are shared, and others are not replaced
expect 0 "$lvl" convert "$wwd" -o twice.tmx --art "$samples/wwd"
cp -r twice.tiles twice.first
expect 3 "$lvl" convert "$wwd" -o twice.tmx
has 'twice.tmx already exists' err "a map that exists"
expect 0 "$lvl" convert "$wwd" -o twice.tmj --art "$samples/wwd"
rm twice.tmx
expect 0 "$lvl" convert "$wwd" -o twice.tmx --art "$samples/wwd"
diff -r twice.first twice.tiles >/dev/null || fail "the pictures of a map that is made again"
rm twice.tmx
expect 0 "$lvl" convert "$samples/wwd/garden/keepers-garden.wwd" -o twice.tmx
for f in twice.first/*; do same "$f" "twice.tiles/${f##*/}" "another map's picture"; done
sed -n 's/.*<image source="\([^"]*\)".*/\1/p' twice.tmx | sort -u >named
[ -s named ] || fail "a map without pictures"
while read -r f; do [ -s "$f" ] || fail "the map names $f, which is missing"; done <named
expect 0 "$lvl" convert "$samples/wwd/garden/keepers-garden.wwd" -q -y -o ponds.tmx
while read -r a && read -r b <&3; do same "$a" "$b" "a picture of the second map"; done <<END 3<<END2
$(sed -n 's/.*<image source="\([^"]*\)".*/\1/p' twice.tmx)
END
$(sed -n 's/.*<image source="\([^"]*\)".*/\1/p' ponds.tmx)
END2
expect 0 "$lvl" convert -q twice.tmx -o twice.wwd
same "$samples/wwd/garden/keepers-garden.wwd" twice.wwd "a map whose pictures are named by their content"

# filled cells have the plane's fill colour, of each plane its own: that of `lvl render'
expect 0 "$lvl" set -q "$wwd" 'planes[0].fill_color=30' 'planes[0].tiles[0,0 3,3]=filled' 'planes[4].fill_color=80' 'planes[4].tiles[0,0 3,3]=filled' -o fill.wwd
expect 0 "$lvl" convert -q fill.wwd --art "$samples/wwd" -o fill.tmx
colors() { # PNG: the colours in it
    expect 0 "$lvl" convert -q -y "$1" -o colors.doodad
    expect 0 "$lvl" get colors.doodad 'swatches[*].color'
}
colors fill.tiles/special.png
mv out tiles
for plane in 0 4; do
    expect 0 "$lvl" render -y fill.wwd --art "$samples/wwd" --plane $plane --region 0,0,64,64 -o fill.png
    colors fill.png
    color=$(cat out)
    grep -qx "$color" tiles || fail "the tiles of special cells lack the colour of plane $plane, $color: $(tr '\n' ' ' <tiles)"
done
expect 0 "$lvl" convert -q fill.tmx -o fill2.wwd
same fill.wwd fill2.wwd "filled cells of two colours"

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

# ---- how Tiled stores cells ----
# A layer of 4 by 2 cells, as each tile layer format of Tiled; the last is a zstd stream, whose head has no size.
echo '{"lvl":1,"format":"wwd","doc":{"planes":[{"flags":"main","tile_width":64,"tile_height":64,"tiles":{"width":4,"height":2,"rows":["0 1 2 3","3 2 1 0"]}}]}}' >cells.json
expect 0 "$lvl" undump cells.json -o cells.wwd
expect 0 "$lvl" convert -q cells.wwd -o cells.tmx --pictures pictures
[ "$(grep -A 2 '<data encoding="csv">' cells.tmx | tail -n 2 | tr -d '\n')" = 1,2,3,4,4,3,2,1 ] || fail "the cells of a map as CSV"
# packed ATTRIBUTE BASE64: the map with its cells in this format
packed() {
    awk -v data="<data encoding=\"base64\"$1>$2" '/<data/ { print data; inside = 1 } /<\/data>/ { inside = 0 } !inside' cells.tmx
}
while read -r name text; do
    compression=
    [ "$name" = none ] || compression=" compression=\"$name\""
    packed "$compression" "$text" >c.tmx
    if "$lvl" convert c.tmx -o - --to wwd 2>&1 | grep -q 'built without zstd'; then
        echo "skipped: cells in zstd, which this lvl was built without"
        continue
    fi
    expect 0 "$lvl" convert -q -y c.tmx -o c.wwd
    same cells.wwd c.wwd "cells in base64, compression: $name"
    packed "$compression" "AAAA$text" >c.tmx
    expect 1 "$lvl" convert -q -y c.tmx -o broken.wwd
    has 'cells of a layer: ' err "broken cells, compression: $name"
    [ -e broken.wwd ] && fail "a level is made of broken cells, compression: $name"
    [ $tiled = yes ] || continue
    packed "$compression" "$text" >c.tmx
    rm -f d.tmx
    resave tmx c.tmx d.tmx
    grep -q "<data encoding=\"base64\"$compression>" d.tmx || fail "Tiled does not keep the compression $name"
    expect 0 "$lvl" convert -q -y d.tmx -o d.wwd
    same cells.wwd d.wwd "cells that Tiled stored in base64, compression: $name"
done <<'END'
none AQAAAAIAAAADAAAABAAAAAQAAAADAAAAAgAAAAEAAAA=
zlib eNpjZGBgYAJiZiBmgWJmqBgjEAMAAYgAFQ==
gzip H4sIAAAAAAACA2NkYGBgAmJmIGaBYmaoGCMQAwAjFn6kIAAAAA==
zstd KLUv/SQgdQAAAoICgzERx3N93/UcAQAo18ZG
zstd KLUv/QRodQAAAoICgzERx3N93/UcAQAo18ZG
END

# ---- the extension ----
expect 2 "$lvl" tiled
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
    # a save that warns: without a window there is no dialog that would wait for a click
    expect 0 "$lvl" convert -q -y "$level" -o red.tmx --pictures pictures
    sed 's|name="color" value="#7a5a3c"|name="color" value="red"|' red.tmx >red2.tmx
    timeout 60 tiled --export-map lvl-level red2.tmx red.level >/dev/null 2>&1 || fail "a save that warns does not end"
    expect 0 "$lvl" get red.level 'swatches[0].color'
    is out red "a save that warns"
    # saving: over what was opened or saved last, not over what another program wrote since; an error is given to Tiled, and nothing is written
    mkdir -p "$t/.config/tiled/extensions/probe"
    cat >"$t/.config/tiled/extensions/probe/probe.js" <<'END'
tiled.registerMapFormat("probe", {
    name: "Probe",
    extension: "probe",
    write: function (opened, fileName) {
        var format = tiled.mapFormat("lvl-wwd"), level = File.exists("x.wwd") ? "x.wwd" : "", said = [], file;
        var map = format.read(level);
        function save(copy) {
            try {
                format.write(map, level);
                said.push("saved");
            } catch (error) {
                said.push(error.message);
            }
            File.copy(level, copy);
        }
        // The changed map is read again: Tiled 1.11 stops if a format writes a map of which a script holds objects.
        function eachObject(change) {
            for (var i = 0; i < map.layerCount; i++) {
                if (map.layerAt(i).isObjectLayer)
                    map.layerAt(i).objects.forEach(change);
            }
            tiled.mapFormat("tmx").write(map, "probe.tmx");
            map = tiled.mapFormat("tmx").read("probe.tmx");
        }
        save("probe1.wwd");
        eachObject(function (o) { if (o.id === 3) o.x += 32; });
        save("probe2.wwd");
        eachObject(function (o) { if (o.id === 3) o.type = "Behind\u6f22"; });
        save("probe3.wwd");
        eachObject(function (o) { if (o.id === 3) o.type = "BehindCandy"; });
        file = new BinaryFile(level, BinaryFile.ReadWrite);
        file.seek(file.size);
        file.write(new Uint8Array([10]).buffer);
        file.commit();
        save("probe4.wwd");
        file = new TextFile("probe.said", TextFile.WriteOnly);
        file.write(said.join("\n") + "\n");
        file.commit();
    }
});
END
    cp "$wwd" x.wwd
    timeout 60 tiled --export-map probe x.wwd x.probe >/dev/null 2>&1
    same "$wwd" probe1.wwd "saved without a change"
    "$lvl" diff "$wwd" probe2.wwd | tail -n 1 >count
    [ "$(cat count)" = '      ~ [2] object "BehindCandy": x 2722 -> 2754' ] || fail "an object moved and saved: $(cat count)"
    same probe2.wwd probe3.wwd "a save that was refused"
    { cat probe2.wwd; echo; } >wanted
    same wanted probe4.wwd "a save over what another program wrote"
    cat >wanted <<END
saved
saved
object 3 "Behind漢" in layer "objects": class: windows-1252 has no character U+6F22, nor has any other code page
x.wwd was changed by another program since it was opened; use Save As, or open it again
END
    cmp -s wanted probe.said || { fail "what Tiled is told:"; diff wanted probe.said | sed 's/^/    /'; }
    rm -r "$t/.config/tiled/extensions/probe"
fi

# ---- names of values ----
expect 0 "$lvl" tiled --project p.tiled-project
expect 3 "$lvl" tiled --project p.tiled-project
grep -q 'already exists; -y replaces it' err || fail "a project that exists: $(cat err)"
"$lvl" tiled --project - | cmp -s - p.tiled-project || fail "a project on standard output"
[ "$("$lvl" tiled -y --json --project p.tiled-project)" = "{\"file\":\"p.tiled-project\",\"size\":$(wc -c <p.tiled-project)}" ] ||
    fail "tiled --json lists no file"
expect 0 "$lvl" tiled -y --project p.tiled-project
expect 2 "$lvl" tiled --install --project p.tiled-project
sed -n 's/^ *"name": "\(.*\)",$/\1/p' p.tiled-project | sort >types
[ "$(wc -l <types)" -ge 20 ] || fail "the project has only $(wc -l <types) types"
# a class for each thing of the game books: an enemy with what it uses
grep -A 8 '"name": "Officer"' p.tiled-project | tr -d '\n ' | grep -q '"type":"class".*"useAs":\["object"\].*"name":"dynamic_flags","propertyType":"wwdobjectdynamic_flags"' ||
    fail "no class of Officer: $(grep -A 8 '"name": "Officer"' p.tiled-project)"
sed -n '/"name": "Officer"/,/ ]/p' p.tiled-project | grep -q '"name": "powerup", "propertyType": "claw item", "type": "string", "value": "nothing"' ||
    fail "Officer without the items of powerup"
sed -n '/"name": "claw item"/,/ ]/p' p.tiled-project | grep -q '^ *"coin",$' || fail "the items of Claw have no coin"
sed -n '/"name": "Elevator"/,/ ]/p' p.tiled-project | grep -q '"name": "direction", "propertyType": "claw direction", "type": "string", "value": "0"' ||
    fail "Elevator: a default without a name"
[ -z "$(uniq -d types)" ] || fail "two property types have one name"
expect 0 "$lvl" set -q -y "$wwd" 'planes[4].objects[5].dynamic_flags=safe|no_hit' -o t.wwd
for f in t.wwd "$samples/graal/lakeside/frost_pass.graal" "$samples/graal/lakeside/lake_village.nw" "$samples/sketchy/hill-v4.level"; do
    end=${f##*.}
    for map in tmx tmj; do
        expect 0 "$lvl" convert -q -y "$f" -o "t.$map" --property-types --pictures pictures
        sed -n 's/.*propertytype="\([^"]*\)".*/\1/p; s/.*"propertytype":"\([^"]*\)".*/\1/p' "t.$map" | sort -u >used
        [ -s used ] || fail "$f: no property has a type"
        [ -z "$(comm -13 types used)" ] || fail "$f: a property type that the project does not have: $(comm -13 types used)"
        expect 0 "$lvl" convert -q -y "t.$map" -o "u.$end"
        same "$f" "u.$end" "with property types, $map"
    done
done
# as Tiled writes flags of a type: by commas, and none as an empty text
expect 0 "$lvl" convert -q -y t.wwd -o t.tmx --property-types --pictures pictures
grep -q 'name="powerup" propertytype="claw item" value="coin"' t.tmx || fail "an item has no name, or no type"
grep -q 'name="dynamic_flags" propertytype="wwd object dynamic_flags" value="no_hit,safe"' t.tmx || fail "flags are not written as Tiled does"
sed 's/value="no_hit,safe"/value="no_hit,always_active,safe"/' t.tmx >u.tmx
expect 0 "$lvl" convert -q -y u.tmx -o u.wwd
"$lvl" diff t.wwd u.wwd | tail -n 1 >count
[ "$(cat count)" = '      ~ [5] object "BehindCandy": dynamic_flags no_hit|safe -> no_hit|always_active|safe' ] || fail "flags by commas: $(cat count)"
sed 's/value="no_hit,safe"/value=""/' t.tmx >u.tmx
expect 0 "$lvl" convert -q -y u.tmx -o u.wwd
same "$wwd" u.wwd "no flag at all"

# Tiled as a Flatpak has a folder of its own
mkdir -p "$t/.var/app/org.mapeditor.Tiled"
expect 0 "$lvl" tiled --install
flatpak=$t/.var/app/org.mapeditor.Tiled/config/tiled/extensions/lvl/lvl.js
printf '%s\n' "$script" "$flatpak" >wanted
same wanted out "where the extension is installed"
same "$script" "$flatpak" "the extension in the Flatpak"

# the extension names property types only where a project has them; without one each would be an error
if [ $tiled = yes ]; then
    cp "$wwd" x.wwd
    printf '#!/bin/sh\necho "$*" >>"%s/called"\nexec "%s" "$@"\n' "$t" "$lvl" >wrapper
    chmod +x wrapper
    sed "s|var LVL = .*|var LVL = \"$(pwd)/wrapper\";|" "$script" >"$script.new"
    mv "$script.new" "$script"
    rm -f "$t/called"
    timeout 60 tiled --export-map tmx x.wwd x.tmx >/dev/null 2>&1
    grep -q '^convert ' "$t/called" || fail "the extension does not run lvl"
    grep -q property-types "$t/called" && fail "property types without a project: $(cat "$t/called")"
    # where the path of lvl is that of the system outside of a Flatpak: its next way is tried
    mkdir bin
    printf '#!/bin/sh\n[ "$1" = --host ] && shift 2 && exec "%s" "$@"\n' "$lvl" >bin/flatpak-spawn
    chmod +x bin/flatpak-spawn
    sed 's|var LVL = .*|var LVL = "/no/lvl";|' "$script" >"$script.new"
    mv "$script.new" "$script"
    rm -f x.tmx
    PATH="$(pwd)/bin:$PATH" timeout 60 tiled --export-map tmx x.wwd x.tmx >/dev/null 2>&1
    expect 0 "$lvl" convert -q -y x.tmx -o y.wwd
    same "$wwd" y.wwd "lvl outside of a Flatpak"
fi

expect 0 "$lvl" tiled --uninstall
[ ! -e "$script" ] || fail "lvl tiled --uninstall leaves $script"
[ ! -e "$flatpak" ] || fail "lvl tiled --uninstall leaves $flatpak"
expect 0 "$lvl" tiled --uninstall

# A point that is turned is refused as any other object, and so is a map made finite that has no room for squares of the level.
printf 'GLEVNW01\nNPC - 3 4\nif (x) { y; }\nNPCEND\n' >pin.nw
expect 0 "$lvl" convert -q pin.nw -o pin.tmx
sed 's/\(<object id="[0-9]*"[^>]*\)>/\1 rotation="45">/' pin.tmx >turned.tmx
expect 1 "$lvl" convert turned.tmx -o turned.nw
grep -q 'is turned by 45 degrees, which the level cannot store' err || fail "a turned pin is not named"
expect 0 "$lvl" convert -q "$samples/sketchy/hill-v4.level" -o squares.tmx
awk '/<data/ { sub(/<data.*/, "<data encoding=\"csv\">"); print; inside = 1
        for (row = 0; row < 16; row++) { line = ""; for (i = 0; i < 16; i++) line = line "0" (row * 16 + i < 255 ? "," : ""); print line } }
    /<\/data>/ { inside = 0; print "</data>"; next }
    !inside' squares.tmx | sed 's/infinite="1"/infinite="0"/' >finite.tmx
expect 1 "$lvl" convert finite.tmx -o finite.level
grep -q 'the map has a fixed size, and 3 of the 5 squares of the level lie outside of it' err || fail "squares outside a finite map are not named"
[ ! -e finite.level ] || fail "a map without room for all squares was written"

# a map that lvl did not write: its tileset is the game's by its name, by --tileset-is, or by its pixels
foreign() { # PICTURE CELL: a map of one cell
    echo '<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">'
    echo '<tileset firstgid="1" name="f" tilewidth="16" tileheight="16" columns="128">'
    echo "<image source=\"$1\" width=\"2048\" height=\"512\"/></tileset>"
    echo "<layer id=\"1\" name=\"l\" width=\"1\" height=\"1\"><data encoding=\"csv\">$2</data></layer></map>"
}
foreign x/pics1.png 921 >by-name.tmx
expect 0 "$lvl" convert by-name.tmx -o foreign.nw -y
expect 0 "$lvl" get foreign.nw 'layers[0].tiles[0,0]' 'layers[0].tiles[63,63]'
printf '632\n511\n' >wanted
same wanted out "the game's sheet by its name"
mkdir -p game
cp "$samples/graal/pics1.png" game/
cp "$samples/graal/pics1.png" mine.png
foreign mine.png 921 >by-pixels.tmx
expect 1 "$lvl" convert by-pixels.tmx -o foreign.nw -y
has '(--art)' err "tiles that cannot be compared"
expect 0 "$lvl" convert by-pixels.tmx --art game -o foreign.nw -y
expect 0 "$lvl" get foreign.nw 'layers[0].tiles[0,0]' 'layers[0].tiles[63,63]'
same wanted out "tiles with the same pixels"
expect 0 "$lvl" convert by-pixels.tmx --tileset-is pics1.png --empty-is 2047 -o foreign.nw -y
expect 0 "$lvl" get foreign.nw 'layers[0].tiles[0,0]' 'layers[0].tiles[63,63]'
printf '632\n2047\n' >wanted
same wanted out "the game's sheet by --tileset-is"
expect 2 "$lvl" convert by-pixels.tmx --empty-is grass -o foreign.nw -y
# chunks of a map that is not infinite
foreign pics1.png 0 | sed 's/width="1" height="1"/width="2" height="2"/g;s|csv">0|csv"><chunk x="1" y="1" width="1" height="1">921</chunk>|' >chunk.tmx
expect 0 "$lvl" convert chunk.tmx -o foreign.nw -y
expect 0 "$lvl" get foreign.nw 'layers[0].tiles[0,0]' 'layers[0].tiles[1,1]'
printf '511\n632\n' >wanted
same wanted out "a chunk of a map that is not infinite"
sed 's/tilewidth="16" tileheight="16"/tilewidth="64" tileheight="64"/g' chunk.tmx >chunk64.tmx
expect 0 "$lvl" convert chunk64.tmx --tileset-is ACTION -o chunk.wwd -y
expect 0 "$lvl" get chunk.wwd 'planes[0].tiles'
has '"width":2,"height":2,"rows":[".*2",". 920"]' out "a chunk of a map that is not infinite, as a WWD"
# of several tilesets of that form, only the one of that name is the game's
foreign mine.png 921,4097 | sed 's/width="1"/width="2"/;s|^<layer|<tileset firstgid="4097" name="g" tilewidth="16" tileheight="16" columns="128"><image source="yours.png" width="2048" height="512"/></tileset>&|' >two.tmx
expect 1 "$lvl" convert two.tmx --tileset-is pics1.png -o foreign.nw -y
has 'the tilesets "mine" and "yours" both have the form of pics1.png' err "two tilesets of one form"
expect 1 "$lvl" convert two.tmx --tileset-is mine.png -o foreign.nw -y
has 'tileset "g": 1 of its 1 tiles (0)' err "the tileset that --tileset-is does not mean"
foreign pics1.png 2147483649 >flipped.tmx
expect 1 "$lvl" convert flipped.tmx -o foreign.nw -y
has '1 tile is flipped or rotated' err "a flipped tile"
expect 0 "$lvl" convert flipped.tmx --allow-loss -o foreign.nw -y

finish
