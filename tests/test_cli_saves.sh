#!/bin/sh
# Several runs that change one file at once, and files that a killed run leaves.
. "$(dirname "$0")/support/shell.sh"
said=$t/said
mkdir "$said" w

# at_once COMMAND...: runs it for N = 1 to 8 at once, with NUMBER in it replaced; each must succeed
at_once() {
    pids=
    for n in 1 2 3 4 5 6 7 8; do
        words=
        for word; do
            words="$words '$(printf %s "$word" | sed "s/NUMBER/$n/g")'"
        done
        eval "$words" >"err$n" 2>&1 </dev/null &
        pids="$pids $!"
    done
    for pid in $pids; do
        tried=$((tried + 1))
        wait "$pid" || { fail "$*"; cat err?; }
    done
}

# one value each: no edit is lost
for round in 1 2 3 4 5; do
    cp "$samples/graal/lakeside/lake_woods.nw" w/a.nw
    "$lvl" set -i w/a.nw 'npcs[0].x=0'
    at_once "$lvl" set -i w/a.nw 'npcs[0].x+=1'
    expect 0 "$lvl" get w/a.nw 'npcs[0].x'
    is "$said/out" 8 "eight additions at once"
done
cp "$samples/wwd/cliffs.wwd" w/c.wwd
at_once "$lvl" set -i w/c.wwd 'planes["Action"].tiles[NUMBER,3]=NUMBER'
for n in 1 2 3 4 5 6 7 8; do
    [ "$("$lvl" get w/c.wwd "planes[\"Action\"].tiles[$n,3]")" = $n ] || fail "cell $n of eight edits is lost"
done
# with -o and -y, the file that is replaced may be one that is read: of itself, of a folder, of a pack, and as the base of a merge
cp "$samples/graal/lakeside/lake_woods.nw" o.nw && "$lvl" set -i o.nw 'npcs[0].x=0' && cp o.nw before.nw
at_once "$lvl" set ./o.nw 'npcs[0].x+=1' -o o.nw -y
[ "$("$lvl" get o.nw 'npcs[0].x')" = 8 ] || fail "eight additions at once with -o: $("$lvl" get o.nw 'npcs[0].x')"
mkdir of && cp before.nw of/a.nw && cp before.nw of/b.nw
at_once "$lvl" set of 'npcs[0].x+=1' -o of -y
[ "$("$lvl" get of/b.nw 'npcs[0].x')" = 8 ] || fail "eight additions to a folder with -o: $("$lvl" get of/b.nw 'npcs[0].x')"
cp "$samples/sketchy/walk.levelpack" o.levelpack
for n in 1 2 3 4 5 6 7 8; do mkdir -p "od$n/assets" && echo $n >"od$n/assets/own$n"; done
at_once "$lvl" pack odNUMBER o.levelpack -o o.levelpack -y
expect 0 "$lvl" extract o.levelpack -o own
[ "$(ls own/assets | grep -c own)" = 8 ] || fail "members that eight runs packed with -o: $(ls own/assets)"
"$lvl" set before.nw 'npcs[0].y=3' -o theirs.nw
cp before.nw o.nw
for n in 1 2 3 4 5 6 7 8; do
    "$lvl" merge before.nw o.nw theirs.nw -o o.nw -y 2>"err$n" || fail "a merge beside edits: $(cat "err$n")" &
    "$lvl" set -i o.nw 'npcs[0].x+=1' || fail 'an edit beside a merge' &
done
wait
[ "$("$lvl" get o.nw 'npcs[0].x' 'npcs[0].y' | tr '\n' ' ')" = '8 3 ' ] || fail "additions beside merges with -o: $("$lvl" get o.nw 'npcs[0].x' 'npcs[0].y')"

# beside `lvl rename' in their world: neither loses what the other did
mkdir beside
"$lvl" set "$samples/graal/lakeside/lake_woods.nw" 'links[0].level=target.nw' 'links[0].dest_x=1' -o base.nw
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cp base.nw beside/l$n.nw; done
cp base.nw beside/target.nw
[ -n "$windows" ] || { cp base.nw beside/file.nw && ln beside/file.nw beside/linked.nw && ln -s file.nw beside/link.nw; }
(
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$lvl" set beside/l$n.nw 'links[0].dest_x=7' -i || echo "set $n failed"
    done
) >sets 2>&1 &
sets=$!
name=target n=0
while kill -0 $sets 2>/dev/null; do
    n=$((n + 1))
    expect 0 "$lvl" rename $name.nw target$n.nw --in beside
    name=target$n
done
wait $sets
[ ! -s sets ] || fail "edits beside renames: $(cat sets)"
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ "$("$lvl" get beside/l$n.nw 'links[0].dest_x' 'links[0].level' | tr '\n' ' ')" = "7 $name.nw " ] ||
        fail "lost: $n: $("$lvl" get beside/l$n.nw 'links[0].dest_x' 'links[0].level' | tr '\n' ' '), not 7 $name.nw"
done
for n in file linked link; do [ -n "$windows" ] || [ "$("$lvl" get beside/$n.nw 'links[0].level')" = $name.nw ] || fail "a link was not renamed: $n"; done
# of a folder, and through a link
at_once "$lvl" set -i w 'npcs[0].x+=1'
expect 0 "$lvl" get w/a.nw 'npcs[0].x'
is "$said/out" 16 "eight additions to a folder at once"
ln -s a.nw link.nw && mv link.nw w/
at_once "$lvl" set -i w/link.nw 'npcs[0].x+=1'
expect 0 "$lvl" get w/a.nw 'npcs[0].x'
is "$said/out" 24 "eight additions through a link"
# members of an archive
cp "$samples/sketchy/walk.levelpack" p.levelpack
at_once "$lvl" set -i p.levelpack//levels/hill.level 'title=Hill NUMBER'
cp "$samples/sketchy/walk.levelpack" p.levelpack
"$lvl" set -i p.levelpack//levels/hill.level title=Hill
"$lvl" set -i p.levelpack//levels/hill.level 'author=x' &
one=$!
"$lvl" set -i p.levelpack//levels/rings.level 'author=y'
tried=$((tried + 1))
wait $one || fail "one of two edits of an archive"
expect 0 "$lvl" get p.levelpack//levels/hill.level author title
is "$said/out" "x
Hill" "a member of an archive that two edit"
expect 0 "$lvl" get p.levelpack//levels/rings.level author
is "$said/out" y "another member of it"
# an archive is input and source at once
expect 0 "$lvl" set -i p.levelpack --members author=z
expect 0 "$lvl" copy p.levelpack//levels/rings.level title p.levelpack//levels/hill.level -i

# ---- a killed rename leaves new files without their names: the next one removes them
dead=$(sh -c 'echo $$')
cp "$samples"/graal/lakeside/*.nw w/
mkdir w/sub && cp w/a.nw w/sub/
for name in .a.nw "sub/.a.nw" ".b.lvl1-1.nw"; do
    echo x >"w/${name}.lvl$(printf %x "$dead")-0"
done
echo x >"w/.b.nw.lvl$(printf %x $$)-0"
echo x >w/.other.lvl
echo x >w/.notes.lvlzz-1
expect 0 "$lvl" rename lake_mill.nw lake_tower.nw --in w --dry-run
[ -e "w/.a.nw.lvl$(printf %x "$dead")-0" ] || fail "a dry run removed a file"
expect 0 "$lvl" rename lake_mill.nw lake_tower.nw --in w
tried=$((tried + 1))
[ "$(find w -name '.*' | sort | tr '\n' ' ')" = "w/.b.nw.lvl$(printf %x $$)-0 w/.notes.lvlzz-1 w/.other.lvl " ] ||
    { fail "files of a killed run"; find w -name '.*'; }

# ---- a rename changes more files than a program may have open
if [ -z "$windows" ]; then
    mkdir many
    cp base.nw many/target.nw
    n=0
    while [ $n -lt 300 ]; do n=$((n + 1)) && cp base.nw many/l$n.nw; done
    expect 0 sh -c 'ulimit -n 200 && exec "$0" rename target.nw goal.nw --in many' "$lvl"
    [ "$("$lvl" get many 'links[0].level' | grep -c 'goal\.nw$')" = 301 ] || fail "a rename in 300 files: $("$lvl" get many 'links[0].level' | grep -c 'goal\.nw$')"
    # files whose locks are not kept until the end: what another run changes meanwhile is not lost
    (for n in 150 200 250 290 300; do "$lvl" set many/l$n.nw 'links[0].dest_x=7' -i || echo "set $n failed"; done) >sets 2>&1 &
    "$lvl" rename goal.nw aim.nw --in many >out 2>err
    code=$?
    wait $!
    [ ! -s sets ] || fail "edits beside a rename of many files: $(cat sets)"
    name=aim
    if grep -q 'it has its new content, and other files may have theirs: rename again' err; then
        # an edit of a file that had been replaced already, and one of a file that had not
        expect 0 "$lvl" rename goal.nw aim.nw --in many
    elif [ $code != 0 ]; then
        grep -q 'another program changed it meanwhile' err || fail "a rename beside edits: $code, $(cat err)"
        name=goal
    fi
    for n in 150 200 250 290 300; do
        [ "$("$lvl" get many/l$n.nw 'links[0].dest_x' 'links[0].level' | tr '\n' ' ')" = "7 $name.nw " ] ||
            fail "lost: $n: $("$lvl" get many/l$n.nw 'links[0].dest_x' 'links[0].level' | tr '\n' ' '), not 7 $name.nw"
    done
fi

# ---- what was not saved is not called changed
size=$(wc -c <"$samples/sketchy/walk.levelpack")
head -c $((size * 7 / 10)) "$samples/sketchy/walk.levelpack" >cut.levelpack
cp cut.levelpack was.levelpack
expect 1 "$lvl" set cut.levelpack//levels/hill.level title=X -i -v
err_has "would look whole"
grep -q '1 changed' "$said/err" && fail "a member that was not saved is called changed"
expect 1 "$lvl" set cut.levelpack//levels/hill.level title=X -i --json
[ ! -s "$said/out" ] || fail "a member that was not saved is listed"
expect 1 "$lvl" set cut.levelpack// -e title=X -i
err_has '2 files: 0 changed, 1 not saved, 1 failed' "what was not saved"
same cut.levelpack was.levelpack "a cut archive was changed"
mkdir world
cp "$samples"/graal/lakeside/lake_*.nw world
chmod a-w world/lake_village.nw
expect 3 "$lvl" rename lake_meadow.nw lake_field.nw --in world
[ ! -s "$said/out" ] || fail "references that were not changed are listed"
err_has '0 changed, 2 without a match, 2 not saved, 1 failed' "a rename that was refused"

finish
