#!/bin/sh
# PID, PCX and BMP to PNG and back: the same bytes with the data that our PNGs keep, or with --like, and a valid file without either; data that
# wrong flags and sizes of a PID hide. Counts the files of the corpus (LVL_CORPUS), if there is one.
. "$(dirname "$0")/support/shell.sh"
size() { wc -c <"$1" | tr -d ' '; }
byte() { printf "\\$(printf %03o "$3")" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; } # FILE AT VALUE

# round_trip FOLDER TO: all files of the folder become PNG and then TO; answers how many of how many are the same
round_trip() {
    rm -rf png back
    "$lvl" convert -q "$1" --to png -o png >/dev/null 2>&1
    "$lvl" convert -q png --to "$2" -o back >/dev/null 2>&1
    all=0 exact=0
    for f in "$1"/*; do
        all=$((all + 1))
        cmp -s "$f" "back/$(basename "$f")" && exact=$((exact + 1))
    done
    echo "$2: $exact of $all come back the same"
    [ "$exact" = "$all" ] || fail "$((all - exact)) of $all $2 differ"
}

# gather ENDING FOLDER ROOT: copies with plain names
gather() {
    mkdir -p "$2"
    n=0
    find "$3" -iname "*.$1" >list
    while IFS= read -r f; do
        n=$((n + 1))
        cp "$f" "$2/$n.$1"
    done <list
}
gather pid pids "$samples"
gather pcx pcxs "$samples"
gather bmp bmps "$samples"
round_trip pids pid
round_trip pcxs pcx
round_trip bmps bmp
if [ -n "$corpus" ]; then
    gather pid corpus_pids "$corpus"
    gather pcx corpus_pcxs "$corpus"
    round_trip corpus_pids pid
    [ -n "$(ls corpus_pcxs)" ] && round_trip corpus_pcxs pcx
    gather bmp corpus_bmps "$corpus"
    [ -n "$(ls corpus_bmps)" ] && round_trip corpus_bmps bmp
else
    no_corpus
fi

cp "$samples/wwd/art/hermit.pid" "$samples/wwd/art/main.pal" .
expect 0 "$lvl" convert hermit.pid --palette main.pal -o hermit.png
expect 0 "$lvl" convert hermit.png -o coloured.pid
same coloured.pid hermit.pid

# what a paint program saves has no chunk of ours: a palette of its own, and valid; --like brings the rest back
strip() { # removes the chunk that begins after IHDR
    at=33
    len=$(od -An -tu1 -j$at -N4 "$1" | awk '{print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4}')
    [ "$(dd if="$1" bs=1 skip=$((at + 4)) count=4 2>/dev/null)" = lvLf ] || fail "no chunk in $1"
    { head -c $at "$1"; tail -c +$((at + 12 + len + 1)) "$1"; } >"$2"
}
strip hermit.png plain.png
expect 0 "$lvl" convert plain.png -o plain.pid
[ "$(size plain.pid)" = $(($(size hermit.pid) + 768)) ] || fail "plain.pid has no palette"
expect 0 "$lvl" check plain.pid
expect 0 "$lvl" convert plain.png --like hermit.pid -o liked.pid
same liked.pid hermit.pid
expect 1 "$lvl" convert plain.png --like pcxs/1.pcx -o x.pid
err_has "expected WAP32 sprite or tile" "--like of another format"
expect 2 "$lvl" convert plain.png --like hermit.pid --to json
err_has "--like" "--like for JSON"

# other colours than those that were written: the indices mean nothing to the level's palette, so the PNG's palette goes along
expect 0 "$lvl" convert hermit.pid -o grey.png
expect 0 "$lvl" convert hermit.pid --palette main.pal -o red.png
strip red.png red_plain.png
{ head -c 33 red_plain.png; len=$(od -An -tu1 -j33 -N4 grey.png | awk '{print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4}'); \
    head -c $((33 + 12 + len)) grey.png | tail -c $((12 + len)); tail -c +34 red_plain.png; } >mixed.png
expect 0 "$lvl" convert mixed.png -o mixed.pid
expect 0 "$lvl" get mixed.pid flags
out_has "palette" "flags of a PID with new colours"

# colours and their flag go together
expect 1 "$lvl" set plain.pid flags-=palette -o x.pid
err_has "remove colors" "colours without their flag"
expect 1 "$lvl" set plain.pid --unset 'colors[*]' -o x.pid
err_has "remove the flag" "the flag without colours"
expect 0 "$lvl" set plain.pid flags-=palette --unset 'colors[*]' -o bare.pid
same bare.pid hermit.pid
expect 1 "$lvl" set hermit.pid flags-=skip_runs -o x.pid
err_has "skip_runs" "skipped pixels without their flag"
[ ! -e x.pid ] || fail "something was written"

# what flag, height and width hide is an error, and repair brings it back
cp plain.pid hidden.pid
byte hidden.pid 4 36
expect 1 "$lvl" check hidden.pid
out_has "pid.palette.hidden" "a palette without its flag"
expect 0 "$lvl" repair hidden.pid -o repaired.pid
same repaired.pid plain.pid
cp hermit.pid low.pid
byte low.pid 12 3
expect 1 "$lvl" check --roundtrip low.pid
out_has "pid.rows.hidden" "a height that is too low"
expect 0 "$lvl" set low.pid id=10 -o kept.pid
[ "$(size kept.pid)" = "$(size low.pid)" ] || fail "an edit dropped hidden rows"
expect 0 "$lvl" repair low.pid -o repaired.pid -y
same repaired.pid hermit.pid
cp hermit.pid flag.pid
byte flag.pid 4 164
expect 1 "$lvl" check --roundtrip flag.pid
out_has "pid.palette.short" "pixels that the flag takes for a palette"
expect 0 "$lvl" repair flag.pid -o repaired.pid -y
same repaired.pid hermit.pid
cp hermit.pid narrow.pid
byte narrow.pid 8 70
expect 1 "$lvl" check --roundtrip narrow.pid
out_has "pid.rest" "a width that is too low"

# what a PCX cannot hold is named; `formats --findings' knows a family by `wwd', `wwd.' and `wwd.*'
expect 0 "$lvl" render "$samples/graal/ganis/hero_walk.gani" -o clear.png
expect 1 "$lvl" convert clear.png -o clear.pcx
grep -q 'cannot represent transparent pixels' err || fail "a transparent PCX: $(cat err)"
# what cannot be converted: the reason, and no file
# refused CODE TEXT ARGUMENTS...
refused() {
    code=$1 text=$2
    shift 2
    expect "$code" "$lvl" convert "$@"
    grep -qF -- "$text" err || fail "convert $*: $(cat err)"
}
cp clear.png copy.png
refused 1 'cannot convert a picture to WAP32 level (Claw, Gruntz, Get Medieval)' clear.png -o x.wwd
refused 1 'the input is a PNG already' clear.png -o x.png
refused 1 "a level is not a picture; use \`lvl render' to draw it" "$samples/graal/ganis/hero_walk.gani" -o x.png
refused 2 '-i cannot change the format of a file; use -o' copy.png -i --to pid
refused 1 'these options do not apply to WAP32 level' "$samples/wwd/cliffs.wwd" --screenshots -o x.wwd
refused 1 'these options do not apply to this form' "$samples/sketchy/lantern.doodad" --screenshots -o x.doodad
refused 1 "too large for one picture; raise the limit with \`--limit cells=N'" "$samples/sketchy/hill-v4.level" --limit cells=10 -o x.png
same clear.png copy.png
for x in x.*; do [ -e "$x" ] && fail "a file was written by a conversion that is refused: $x"; done
expect 1 "$lvl" extract "$samples/wwd/cliffs.wwd" -o nothing
grep -q 'nothing to extract' err || fail "extract of a WWD: $(cat err)"
expect 0 "$lvl" formats --findings wwd
mv out family
for pattern in wwd. 'wwd.*'; do
    expect 0 "$lvl" formats --findings "$pattern"
    cmp -s out family || fail "formats --findings $pattern"
done
expect 0 "$lvl" formats --findings nw # a format that shares findings with its family
grep -q '^graal.nw.row_long$' out || fail "formats --findings nw: a finding is missing"
! grep -q '^graal.packets.odd$' out || fail "formats --findings nw: a finding of another format"
expect 1 "$lvl" formats --findings 'nosuch.*'

# a giant picture is announced, with what makes it smaller; --crop leaves out borders without tiles and objects
expect 0 "$lvl" resize "$samples/wwd/cliffs.wwd" --size 300x250 -o giant.wwd
expect 0 "$lvl" render giant.wwd --region 0,0,64,64 -o giant.png
! grep -q 'a picture of' "$said/err" || fail "a small part is announced"
expect 0 "$lvl" render giant.wwd -o giant.png -y
err_has "giant.wwd: a picture of 19200 by 16000 px; --size N shrinks it, --crop leaves out empty borders" "a giant picture"
expect 0 "$lvl" render giant.wwd --crop --hide objects -o cropped.png
expect 0 "$lvl" render "$samples/wwd/cliffs.wwd" --schematic --crop --hide objects -o whole.png
same_pixels cropped.png whole.png || fail "--crop leaves something else"
expect 0 "$lvl" render giant.wwd --crop --region 0,0,640,10000 -o part.png
expect 1 "$lvl" render giant.wwd --crop --region 10000,10000,64,64 -o none.png
err_has "there is nothing to draw" "--crop of nothing"
expect 2 "$lvl" render giant.wwd --crop --camera 1,1 -o none.png
expect 1 "$lvl" render giant.wwd -o none.png --limit cells=3000000
err_has "too large to draw; --size N or" "a picture beyond the limit"

# a sprite without its own palette gets that of its place, in its archive or on disk, as `render' draws it
z=$samples/wwd/SAMPLES.REZ
expect 0 "$lvl" convert "$z//LEVEL1/IMAGES/CRAB" --to png -o inside
[ ! -s err ] || ! grep -q grey err || fail "grey: $(cat err)"
expect 0 "$lvl" extract "$z" -o unpacked
expect 0 "$lvl" convert unpacked/LEVEL1/IMAGES/CRAB/001.PID -o disk.png
same disk.png inside/001.png "found on disk as in the archive"
expect 0 "$lvl" convert unpacked/LEVEL1/IMAGES/CRAB/001.PID --palette unpacked/LEVEL1/PALETTES/MAIN.PAL -o given.png
same given.png inside/001.png "found as if it was given"
expect 0 "$lvl" convert inside/001.png -o back.pid
same back.pid unpacked/LEVEL1/IMAGES/CRAB/001.PID "and back"
expect 0 "$lvl" convert "$z//GAME/IMAGES/GLINT" --to png -o shared
[ -z "$(grep grey err)" ] || fail "what levels share has the colours of the first"
mkdir alone && cp back.pid alone/x.pid
expect 0 "$lvl" convert alone/x.pid -o lone.png
err_has "no palette found: the picture is grey; name one with --palette"
expect 0 "$lvl" convert alone --to png -o greys
err_has "1 picture: no palette found"
# the reverse: a colour that the palette does not have is refused, unless --nearest
expect 0 "$lvl" render "$samples/graal/lakeside/lake_mill.nw" --size 16 -o green.png
expect 1 "$lvl" convert green.png -o green.pid --palette unpacked/LEVEL1/PALETTES/MAIN.PAL
err_has "that the palette does not have; with --nearest"
[ ! -e green.pid ] || fail "written with other colours"
expect 0 "$lvl" convert green.png -o green.pid --palette unpacked/LEVEL1/PALETTES/MAIN.PAL --nearest
# two files that an archive would call the same are named
mkdir names && cp back.pid names/f2.pid && cp back.pid names/F2.PID
if [ "$(ls names | wc -l)" = 2 ]; then
    expect 1 "$lvl" pack names -o names.rez
    grep -qE '(F2.PID and f2.pid|f2.pid and F2.PID) would be one member' err || fail "two names: $(cat err)"
fi

# a palette of a picture: its own, its colours, or the nearest of too many
expect 0 "$lvl" convert hermit.pid --palette main.pal -o palette.png -y
expect 0 "$lvl" convert palette.png -o palette.pal
same palette.pal main.pal
expect 0 "$lvl" convert "$samples/wwd/art/cave.pcx" -o cave.pal
expect 0 "$lvl" convert "$samples/wwd/art/cave.pcx" --palette cave.pal -o cave.pid # each of its colours is in it
strip palette.png own.png
expect 0 "$lvl" convert own.png -o own.pid -y
expect 0 "$lvl" convert own.pid -o own.pal
same own.pal main.pal "the palette of a sprite"
expect 1 "$lvl" convert hermit.pid -o none.pal
err_has "no palette of its own"
expect 0 "$lvl" render "$samples/sketchy/lantern.doodad" -o lamp.png
expect 0 "$lvl" convert lamp.png -o lamp.pal
expect 0 "$lvl" convert lamp.png --palette lamp.pal -o lamp.pid # each colour of the picture is in it
expect 1 "$lvl" convert "$here/../docs/images/walk.png" -o many.pal
err_has pal.loss.color
expect 0 "$lvl" convert "$here/../docs/images/walk.png" -o many.pal --allow-loss
[ "$(size many.pal)" = 768 ] || fail "a palette of many colours"

finish
