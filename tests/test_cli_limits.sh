#!/bin/sh
# Each refusal by a limit names the limit, its value and the option that raises it, in every verb, with exit code 1 and no output.
. "$(dirname "$0")/support/shell.sh"
set -e

awk 'BEGIN {
    print "GLEVNW01"
    for (i = 0; i < 3000; i++)
        printf "NPC - %d %d\nsay %d;\nNPCEND\n", i % 64, int(i / 64) % 64, i
}' >many.nw

# refused LIMIT ALLOWED ARGUMENTS...: check prints its findings on stdout
refused() {
    limit=$1 allowed=$2
    shift 2
    tried=$((tried + 1)) code=0
    "$lvl" "$@" --limit "$limit=$allowed" >text 2>&1 || code=$?
    [ $code = 1 ] || fail "exit $code, not 1: $limit at: $*"
    grep -q "fatal: lvl\.limit\.${limit%_bytes}: it needs .*--limit $limit=N raises that (now $allowed)" text ||
        fail "$limit at: $*: $(head -c 300 text)"
    [ ! -e out.nw ] && [ ! -e out.zelda ] && [ ! -e out.png ] || fail "$limit at: $* left an output"
}
for bound in input_bytes:1000 memory_bytes:600000 items:100 work:10000; do
    for verb in info check explain dump 'repair -o out.nw' 'get npcs[*].x' 'set npcs[*].x=3 -o out.nw' \
        'convert -o out.zelda' 'diff many.nw'; do
        set -- $verb
        verb=$1
        shift
        case $verb in
        get | set) refused ${bound%:*} ${bound#*:} "$verb" many.nw "$@" ;;
        *) refused ${bound%:*} ${bound#*:} "$verb" "$@" many.nw ;;
        esac
    done
done
# the spans of an explanation take more memory than the document
expect 0 "$lvl" check many.nw --limit memory_bytes=6000000
code=0
"$lvl" explain --all many.nw --limit memory_bytes=6000000 >text 2>&1 || code=$?
[ $code = 1 ] && grep -q 'lvl\.limit\.memory: it needs .*--limit memory_bytes=N' text ||
    fail "exit $code: an explanation: $(head -c 300 text)"
# A file of each format, and the limits that refuse it when they are too small for any file: i(nput_bytes), m(emory_bytes),
# t (items), c(ells), d(epth), w(ork). What a format has none of refuses nothing.
find "$samples/wwd/garden" -iname '*.pid' -o -iname '*.pcx' -o -iname '*.pal' | LC_ALL=C sort >pictures
"$lvl" convert "$samples/graal/lakeside/lake_mill.nw" --allow-loss -o mill.zelda 2>text || fail "convert: $(cat text)"
printf '"a.nw","b.nw"\r\n"c.nw","d.nw"\r\n' >bigmap.txt
while read -r letters file; do
    case $file in
    *.pid | *.pcx | *.pal) path=$(grep -i "\\${file#any}\$" pictures | head -n 1) ;;
    bigmap.txt | many.nw | mill.zelda) path=$file ;;
    *) path=$samples/$file ;;
    esac
    for bound in i:input_bytes:20 m:memory_bytes:300 t:items:1 c:cells:3 d:depth:1 w:work:5; do
        limit=${bound#?:}
        value=${limit#*:} limit=${limit%:*}
        for verb in check dump; do
            case $letters in
            *${bound%%:*}*) refused "$limit" "$value" $verb "$path" ;;
            *)
                tried=$((tried + 1))
                "$lvl" $verb "$path" --limit "$limit=$value" >text 2>&1 && continue
                grep -q '"lvl"\|sound\|damaged\|unsound' text || fail "$limit at: $verb $path: $(head -c 300 text)"
                ;;
            esac
        done
    done
done <<'END'
imtw many.nw
imw mill.zelda
imtw graal/versions/gr-v1.05.graal
imtw graal/versions/z3-v1.04.zelda
imtw graal/ganis/hero_walk.gani
imtw graal/lakeside/lakeside.gmap
imtw bigmap.txt
imtw sketchy/hill-v1.level
imtw sketchy/hill-v2.level
imtw sketchy/hill-v4.level
imtw sketchy/lantern.doodad
imtw sketchy/walk.levelpack
imtcw wwd/cliffs.wwd
imtcw wwd/cliffs-stored.wwd
imtdw wwd/SAMPLES.REZ
imcw any.pid
imcw any.pcx
imw any.pal
END
# what is drawn has cells, whatever the format
for path in many.nw mill.zelda "$samples/graal/lakeside/lakeside.gmap" "$samples/sketchy/hill-v1.level" \
    "$samples/graal/ganis/hero_walk.gani"; do
    refused cells 3 render "$path" -o out.png
done
# folders: those that are walked, and those that are packed
mkdir -p deep/a/b/c
cp "$samples/graal/lakeside/lake_mill.nw" deep/a/b/c
code=0
"$lvl" check deep --limit depth=2 >text 2>&1 || code=$?
[ $code = 1 ] && grep -q 'deep/a/b/c: skipped: more than 2 folders deep; --limit depth=N' text ||
    fail "exit $code: a deep folder: $(cat text)"
for bound in depth:2 items:2 memory_bytes:100; do
    code=0
    "$lvl" pack deep -o deep.levelpack --limit "${bound%:*}=${bound#*:}" >text 2>&1 || code=$?
    [ $code = 1 ] && grep -q "lvl\.limit\.[a-z]*: it needs .*--limit ${bound%:*}=N raises that" text ||
        fail "exit $code: pack, $bound: $(cat text)"
    [ ! -e deep.levelpack ] || fail "pack, $bound: left an output"
done
# members of archives, files that options name, and dumps
code=0
"$lvl" check "$samples/wwd/SAMPLES.REZ//" --limit items=3 >text 2>&1 || code=$?
[ $code = 1 ] && grep -q 'lvl\.limit\.items: it needs .*--limit items=N' text || fail "exit $code: members: $(cat text)"
"$lvl" dump many.nw -o many.json
code=0
"$lvl" undump many.json -o out.nw --limit items=5 >text 2>&1 || code=$?
[ $code = 1 ] && grep -q 'lvl\.limit\.items: it needs .*--limit items=N' text || fail "exit $code: undump: $(cat text)"
# the level that a map was made of, and the files that it names
"$lvl" convert "$samples/graal/versions/gr-v1.05.graal" -o map.tmx
refused memory_bytes 100000 convert map.tmx -o out.graal
sed 's|<properties>|&<property name="lvl.origin_file" value="many.nw"/>|; /name="lvl.origin"/d' map.tmx >far.tmx
refused memory_bytes 300000 convert far.tmx -o out.graal
awk 'BEGIN { for (i = 0; i < 9000; i++) print "<!-- a tileset that is too large -->" }' >large.tsx
sed 's|<tileset |<tileset firstgid="9000" source="large.tsx"/>&|' map.tmx >far.tmx
refused memory_bytes 900000 convert far.tmx -o out.graal
refused input_bytes 100000 convert far.tmx -o out.graal
# frames whose pieces are far from each other: a few KB that would be drawn for minutes
awk 'BEGIN {
    print "GANI0001\nSPRITE 1 SPRITES 0 0 32 32 x\nSINGLEDIRECTION\nANI"
    for (i = 0; i < 2000; i++)
        print " 1 " (i * 7919 % 4000 - 2000) " " (i * 104729 % 4000 - 2000)
    print "ANIEND"
}' >far.gani
refused work 2147483648 render far.gani -o far.apng
[ ! -e far.apng ] || fail "frames far from each other left an output"
# a script in which a name may begin with each character and none ends: each is read up to its greatest length
awk 'BEGIN {
    printf "GLEVNW01\nNPC - 1 1\n"
    for (i = 0; i < 1000000; i++)
        printf "("
    printf "\nNPCEND\n"
}' >names.nw
mkdir names
cp names.nw many.nw names
refused work 20000000 rename many.nw other.nw --in names --scripts -n
expect 0 "$lvl" check names.nw --limit work=20000000
if "$lvl" scan names.nw -o names.db --no-thumbnails --limit work=20000000 >text 2>&1; then
    tried=$((tried + 1))
    grep -q '1 unreadable' text || fail "the names of a script are not charged: $(cat text)"
fi
# what has no size is held in memory
tried=$((tried + 1))
"$lvl" info - --limit memory_bytes=6000 <many.nw >text 2>&1 && fail "a stream that is too long"
grep -q 'lvl\.limit\.memory.*--limit memory_bytes=N' text || fail "a stream: $(cat text)"

# a file that is truncated while it is read: what was there, or an error; never a signal
{ cat many.nw; yes 'NPC - 1 1
say 2;
NPCEND' | head -n 600000; } >whole.nw
for pause in 0 0.003 0.006 0.009 0.012 0.015; do
    tried=$((tried + 1)) code=0
    cp whole.nw cut.nw
    "$lvl" info cut.nw >text 2>&1 &
    id=$!
    sleep $pause
    truncate -s 100 cut.nw
    wait $id || code=$?
    [ $code -le 4 ] || fail "exit $code: info of a file that is truncated after $pause s: $(head -c 300 text)"
done

finish
