#!/bin/sh
# Levels through the real Tiled, at length. First a table: the samples, and LVL_TILED_FILES (200) files of the corpus where it is there, spread
# evenly, each as a map that Tiled saves again in four ways, and back. Then the real window under Xvfb: a level is opened by the extension, an
# object is moved, saved, moved back by Undo and saved again; a level that another program changed is not overwritten.
# `sh tests/test_cli_tiled_slow.sh FILE...' makes the table of these files only.
command -v tiled >/dev/null 2>&1 || { echo "no tiled: skipped; scripts/setup --check installs it"; exit 77; }
for given; do # full paths
    shift
    set -- "$@" "$(realpath "$given")"
done
. "$(dirname "$0")/support/shell.sh"
x_server='' editor=''
cleanup() {
    [ -z "$editor" ] || kill "$editor" 2>/dev/null
    [ -z "$x_server" ] || kill "$x_server" 2>/dev/null
    rm -rf "$test_root"
}
trap cleanup EXIT
mkdir -m 700 "$t/run" "$t/work" || exit 3
cd "$t/work" || exit 3
export HOME="$t" XDG_CONFIG_HOME="$t/.config" XDG_CACHE_HOME="$t/.cache" XDG_RUNTIME_DIR="$t/run"

# ---- the table ----
ways='resaved tmx minimize embed tmj'
# one FAMILY FILE: adds a line "FAMILY WAY" to done for each way that gives the file's bytes
one() {
    end=${2##*.}
    rm -f a.* b.*
    if ! "$lvl" convert -q -y "$2" -o a.tmx --pictures pictures >out 2>err; then
        # what lvl does not take for a level at all is not tried
        "$lvl" info "$2" >/dev/null 2>&1 || return 0
        echo "$1 refused" >>done
        echo "$1: $(head -n 1 err)" >>refused
        return 0
    fi
    echo "$1 files" >>done
    for way in $ways; do
        case $way in
        resaved) set -- "$1" "$2" tmx a.tmx b.tmx ;;
        tmx) set -- "$1" "$2" ;;
        minimize) set -- "$1" "$2" --minimize tmx a.tmx c.tmx ;;
        embed) set -- "$1" "$2" --embed-tilesets tmx a.tmx c.tmx ;;
        tmj) set -- "$1" "$2" json a.tmx c.tmj ;;
        esac
        family=$1 file=$2 map=b.tmx
        shift 2
        if [ $# -gt 0 ]; then
            rm -f c.tmx c.tmj
            QT_QPA_PLATFORM=offscreen timeout 120 tiled --export-map "$@" >/dev/null 2>&1
            for map; do :; done
        fi
        if [ $way = resaved ]; then
            cmp -s a.tmx b.tmx && echo "$family resaved" >>done || echo "$family resaved: $file" >>wrong
        elif "$lvl" convert -q -y "$map" -o "b.$end" >out 2>err && cmp -s "$file" "b.$end"; then
            echo "$family $way" >>done
        else
            echo "$family $way: $file: $(head -n 1 err)" >>wrong
        fi
        set -- "$family" "$file"
    done
}
family_of() {
    case $1 in
    *.wwd | *.WWD) echo wap32 ;;
    *.graal | *.zelda) echo graal ;;
    *.nw) echo graal-text ;;
    *.level | *.doodad) echo sketchy ;;
    esac
}
is_level='-name *.wwd -o -name *.WWD -o -name *.graal -o -name *.zelda -o -name *.nw -o -name *.level -o -name *.doodad'
set -f
if [ $# -gt 0 ]; then
    for given; do echo "$given"; done >list
else
    # shellcheck disable=SC2086 # words
    find "$samples/" -type f \( $is_level \) | sort >list
    if [ -n "$corpus" ]; then
        # shellcheck disable=SC2086
        find "$corpus/" -type f \( $is_level \) | sort >corpus
        awk -v n="$(wc -l <corpus)" -v want="${LVL_TILED_FILES:-200}" '
            { at += want / n } at >= 1 { at -= 1; print }' corpus >>list
    fi
fi
set +f
: >done
: >wrong
: >refused
while read -r file; do
    one "$(family_of "$file")" "$file" </dev/null
done <list
printf '%-12s %7s %7s' family tried refused
for way in $ways; do printf ' %9s' "$way"; done
echo
for family in wap32 graal graal-text sketchy; do
    files=$(grep -c "^$family files$" done)
    printf '%-12s %7d %7d' $family "$((files + $(grep -c "^$family refused$" done)))" "$(grep -c "^$family refused$" done)"
    for way in $ways; do
        count=$(grep -c "^$family $way$" done)
        printf ' %9d' "$count"
        tried=$((tried + files)) failed=$((failed + files - count))
    done
    echo
done
sort wrong | sed 's/^/FAILED: /'
sort refused | sed 's/^/refused: /'
[ $# = 0 ] || exit "$((failed > 0))"
[ "$(grep -c ' files$' done)" -ge 40 ] || fail "only $(grep -c ' files$' done) files were tried"

# ---- the window ----
if ! command -v Xvfb >/dev/null 2>&1; then
    echo "no Xvfb: the window is not tested; scripts/setup --long installs it"
else
    mkfifo display
    Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>display >xvfb.log 2>&1 &
    x_server=$!
    read -r number <display
    export DISPLAY=":$number"
    unset QT_QPA_PLATFORM
    expect 0 "$lvl" tiled --install
    mkdir -p "$XDG_CONFIG_HOME/tiled/extensions/probe"
    # What the user does: moves the object 3 px to the right of where it stands, or whatever is to be done, and presses Ctrl+S.
    cat >"$XDG_CONFIG_HOME/tiled/extensions/probe/probe.js" <<'END'
tiled.assetOpened.connect(function (map) {
    function write(name, text) {
        var file = new TextFile("@WORK@/" + name, TextFile.WriteOnly);
        file.write(text);
        file.commit();
    }
    function save(step) {
        tiled.trigger("Save");
        File.copy(map.fileName, "@WORK@/step" + step);
        write("step" + step + ".modified", map.modified ? "yes" : "no");
    }
    if (!map.isTileMap)
        return;
    var read = new TextFile("@WORK@/object", TextFile.ReadOnly);
    var id = Number(read.readLine());
    read.close();
    for (var i = 0; i < map.layerCount; i++) {
        var layer = map.layerAt(i);
        for (var k = 0; layer.isObjectLayer && k < layer.objectCount; k++) {
            if (layer.objectAt(k).id === id)
                layer.objectAt(k).x += 32;
        }
    }
    save(1);
    var flags = map.layerAt(0).property("flags");
    var item = null;
    for (i = 0; i < map.layerCount; i++) {
        layer = map.layerAt(i);
        for (k = 0; layer.isObjectLayer && k < layer.objectCount; k++)
            item = item || layer.objectAt(k).property("powerup");
    }
    write("types", [flags, item].map(function (value) { return value && value.typeName ? value.typeName : "none"; }).join());
    tiled.trigger("Undo");
    save(2);
    tiled.trigger("Redo");
    save(3);
    // another program writes the level
    var other = new BinaryFile(map.fileName, BinaryFile.ReadWrite);
    other.seek(other.size);
    other.write(new Uint8Array([10]).buffer);
    other.commit();
    tiled.trigger("Undo");
    write("asked", "");
    save(4); // waits for the dialog
});
END
    sed "s|@WORK@|$t/work|" "$XDG_CONFIG_HOME/tiled/extensions/probe/probe.js" >probe.js
    mv probe.js "$XDG_CONFIG_HOME/tiled/extensions/probe/probe.js"

    # in_window FILE ID LINE...: the lines of `lvl diff' after the object was moved
    in_window() {
        level=$1 end=${1##*.}
        echo "$2" >object
        shift 2
        rm -f step* asked "level.$end"
        cp "$level" "level.$end"
        # a project is opened with the files of its session
        echo "{\"activeFile\": \"level.$end\", \"openFiles\": [\"level.$end\"], \"project\": \"p.tiled-project\"}" >p.tiled-session
        tiled "$t/work/${project:-level.$end}" >tiled.log 2>&1 &
        editor=$!
        n=0
        while [ $n -lt 120 ] && [ ! -e asked ] && kill -0 "$editor" 2>/dev/null; do
            sleep 0.5
            n=$((n + 1))
        done
        tried=$((tried + 4))
        [ -e asked ] || fail "$level: Tiled has not saved it three times: $(tail -n 2 tiled.log)"
        sleep 2 # time for the fourth save, which must not come
        "$lvl" diff "$level" step1 2>&1 | sed -n '3,$p' >changes
        for line; do echo "$line"; done >wanted
        cmp -s changes wanted || { fail "$level: an object moved in the window:"; diff wanted changes | sed 's/^/    /' | head -n 8; }
        cmp -s "$level" step2 || fail "$level: Undo and Save do not give the level's bytes"
        cmp -s step1 step3 || fail "$level: Redo and Save do not give what the first save gave"
        { cat step3; echo; } >wanted
        cmp -s "level.$end" wanted || fail "$level: what another program wrote was overwritten"
        [ "$(cat step1.modified step2.modified step3.modified)" = nonono ] || fail "$level: Tiled does not take it for saved"
        if command -v xdotool >/dev/null 2>&1; then
            xdotool search --onlyvisible --pid "$editor" --name 'Error Saving' >/dev/null 2>&1 || fail "$level: no dialog says why it was not saved"
        fi
        kill "$editor"
        wait "$editor" 2>/dev/null
        editor=''
    }
    in_window "$samples/wwd/cliffs.wwd" 3 'planes: 1 changed' '  ~ [4] plane "Action"' '    objects: 1 changed' \
        '      ~ [2] object "BehindCandy": x 2722 -> 2754'
    # with the project open, Tiled offers the names of values, and saves the same
    expect 0 "$lvl" tiled --project p.tiled-project
    project=p.tiled-project
    in_window "$samples/wwd/cliffs.wwd" 3 'planes: 1 changed' '  ~ [4] plane "Action"' '    objects: 1 changed' \
        '      ~ [2] object "BehindCandy": x 2722 -> 2754'
    [ "$(cat types)" = "wwd plane flags,claw item" ] || fail "Tiled does not know the types of a plane's flags and of an item: $(cat types)"
    project=
    in_window "$samples/graal/lakeside/lake_village.nw" 1 'links: 1 changed' '  ~ [0] link "lake_meadow.nw": x 0 -> 2'
    in_window "$samples/sketchy/hill-v4.level" 1 'actors: 1 changed' '  ~ [0] actor "5f0c9a52-0001-4f4e-9a0e-6b2d51aa0001"' '    point.x: 44 -> 76'
fi

finish
