#!/bin/sh
# `lvl check`: findings on files with art around them, elsewhere or nowhere.
. "$(dirname "$0")/support/shell.sh"

# has STREAM TEXT, lacks STREAM TEXT: of the last command's out or err
has() { grep -q -e "$2" "$1" || { fail "no \"$2\" in $1:"; sed 's/^/    /' "$1" | head -n 8; }; }
lacks() { ! grep -q -e "$2" "$1" || fail "\"$2\" in $1: $(grep -e "$2" "$1" | head -n 2)"; }

# ---- art is found: what is missing is a warning, and the verdict stays
mkdir -p world/images
printf 'GLEVNW01\nLINK b.nw 63 0 1 64 0 playery\nLINK gone.nw 9 9 2 2 30 30\nNPC door.png 1 1\nNPCEND\nNPC lost.gif 2 2\nNPCEND\n' >world/a.nw
printf 'GLEVNW01\nLINK A.nw 0 0 1 64 61 playery\n' >world/b.nw
cp "$samples/graal/boat.png" world/images/door.gif
expect 0 "$lvl" check world/a.nw
has out 'warning: graal.link.missing: gone.nw'
has out 'warning: graal.npc.image_missing: lost.gif'
has out ': sound, 2 warnings'
lacks out 'door.png'
expect 0 "$lvl" check -v world
has out 'note: graal.file.twin: there is no door.png, only door.gif'
has out 'note: graal.file.case: A.nw is called a.nw'
lacks out art.absent
expect 0 "$lvl" check --profile strict world/a.nw
expect 0 "$lvl" check --no-art -v world
lacks out missing
lacks out twin
expect 2 "$lvl" check --no-art --art world world

# ---- none of it is around: one line for all files, and a note for each that is only shown when asked for
mkdir alone
for i in 1 2 3; do printf 'GLEVNW01\nLINK x%s.nw 9 9 2 2 30 30\nLINK l%s.nw 12 9 2 2 3 3\nNPC y.png 1 1\nNPCEND\n' $i $i >alone/l$i.nw; done
printf '"p.nw","q.nw"\n"r.nw","s.nw"\n' >alone/map.txt
expect 0 "$lvl" check alone
lacks out .
has err '4 files without pictures, sounds or levels around them'
[ "$(grep -c art err)" = 1 ] || fail "not one line about art: $(cat err)"
expect 0 "$lvl" check -v alone/l1.nw
has out 'note: lvl.art.absent: levels that links lead to'
has out 'note: lvl.art.absent: pictures of NPCs'
expect 0 "$lvl" check --json alone
[ "$(grep -c '"lvl.art.absent"' out)" = 4 ] || fail "--json has not a note for each"
expect 0 "$lvl" check --art alone alone/l1.nw
has out 'graal.link.missing: x1.nw'
expect 0 "$lvl" check --no-art alone
lacks err art

# ---- a level that brings images of its own: without them, in a folder of its name, in CrazyHook's Custom
mkdir -p game/maps
cp "$samples/wwd/SAMPLES.REZ" game
expect 0 "$lvl" set "$samples/wwd/cliffs.wwd" 'planes[*].objects[0].image_set=CUSTOM_HAT' -o game/maps/hat.wwd
expect 0 "$lvl" check game/maps/hat.wwd
has out 'warning: wwd.object.no_images: the art has no CUSTOM_HAT: the object is invisible, or missing'
for own in game/maps/hat game/maps/Custom/hat game/custom/hat; do
    mkdir -p "$own/IMAGES/HAT"
    cp "$samples/graal/boat.png" "$own/IMAGES/HAT/001.png"
    expect 0 "$lvl" check game/maps/hat.wwd
    lacks out CUSTOM_HAT
    rm -r "$own"
done
expect 0 "$lvl" check game/maps/hat.wwd
has out CUSTOM_HAT

# ---- findings of one kind: a few and a count, all with -v and --json; one explained
{
    echo GLEVNW01
    for i in 1 2 3 4 5 6 7 8 9; do echo "LINK gone$i.nw 9 9 2 2 30 30"; done
    for i in 1 2 3 4 5 6 7 8 9; do echo "LINK gone1.nw $i 9 1 1 30 30"; done
    echo "LINK b.nw 63 0 1 64 0 playery"
} >world/c.nw
expect 0 "$lvl" check world/c.nw
[ "$(grep -c link.missing out)" = 4 ] || fail "not three and a count: $(grep link.missing out)"
has out 'warning: graal.link.missing: 15 more of these; -v lists all'
expect 0 "$lvl" check -v world/c.nw
[ "$(grep -c link.missing out)" = 18 ] || fail "-v does not list all: $(grep -c link.missing out)"
expect 0 "$lvl" check --json world/c.nw
[ "$(grep -o '"graal.link.missing"' out | wc -l)" = 18 ] || fail "--json does not list all"
expect 0 "$lvl" formats --findings graal.link.missing
[ "$(wc -l <out)" = 3 ] || fail "not one finding: $(cat out)"
has out 'warning; salvage: note'
expect 0 "$lvl" formats --findings wwd.checksum lvl.art.absent --json
[ "$(wc -l <out)" = 3 ] || fail "not three findings: $(cat out)"
expect 1 "$lvl" formats --findings wwd.check
has err 'no finding `wwd.check.'
expect 2 "$lvl" formats wwd.checksum

# ---- checksums, and names for other commands
sum=$(sha256sum <"$samples/wwd/cliffs.wwd" | cut -d ' ' -f 1)
expect 0 "$lvl" info --json "$samples/wwd/cliffs.wwd"
has out "\"sha256\":\"$sum\""
expect 0 "$lvl" check --json "$samples/wwd/cliffs.wwd"
has out "\"sha256\":\"$sum\""
mkdir bad
head -c 3000 "$samples/wwd/cliffs.wwd" >'bad/cut one.wwd'
head -c 100 "$samples/wwd/cliffs.wwd" >bad/head.wwd
cp "$samples/wwd/cliffs.wwd" bad
expect 1 "$lvl" check -q --damaged bad
printf 'bad/cut one.wwd\nbad/head.wwd\n' | cmp -s - out || fail "not the damaged ones: $(cat out)"
expect 0 "$lvl" check --damaged world
lacks out .
expect 2 "$lvl" check --damaged --json bad

# ---- a name that crashes the game
expect 0 "$lvl" set "$samples/wwd/cliffs.wwd" 'planes[*].objects[0].image_set=LEVEL HAT' -o blank.wwd
expect 1 "$lvl" check blank.wwd
has out 'error: wwd.object.image_set_blank: "LEVEL HAT"'
expect 0 "$lvl" set "$samples/wwd/cliffs.wwd" 'planes[0].image_sets[0]=BA CK' -o blank2.wwd
expect 1 "$lvl" check blank2.wwd
has out 'error: wwd.image_set.name: "BA CK" has a character 0x20, at which the game splits the name'
has out ': faulty, 1 error'
{ head -c 3000 "$samples/wwd/cliffs.wwd"; } >early.wwd
expect 1 "$lvl" check early.wwd
has out 'wwd.stream.truncated: the file ends too early: [0-9]* of [0-9]* bytes of the level could be read'
expect 1 "$lvl" check "$samples/wwd/damaged/properties.wwd"
has out 'wwd.tile.no_property: the game may crash when the player touches \[[0-9]*,[0-9]*\]: there are'
# the bytes of the plane's tiles, not those of its header
expect 0 "$lvl" set "$samples/wwd/cliffs.wwd" 'planes[4].tiles[3,2]=0x00050001' -o other_set.wwd
expect 1 "$lvl" check --json other_set.wwd
has out '"offset":6964,"length":3360,"outer":1524,"path":"planes\[4\].tiles\[3,2\]"'
expect 0 "$lvl" dump "$samples/wwd/cliffs.wwd" -o twice.json
sed '1s/^{/{"lvl":1,/' twice.json >twice2.json
expect 1 "$lvl" undump twice2.json -o twice.wwd
has err 'a key is given twice in the dump: lvl'

# ---- three verdicts: sound, faulty (whole, but the game goes wrong with it), damaged (content is missing)
mkdir three
cp "$samples/wwd/cliffs.wwd" three/sound.wwd
expect 0 "$lvl" set three/sound.wwd 'planes[*].objects[0].image_set=LEVEL HAT' -o three/faulty.wwd
head -c 3000 three/sound.wwd >three/damaged.wwd
expect 1 "$lvl" check three
has err '3 files checked: 1 sound, 1 faulty, 1 damaged, 0 unreadable'
for verdict in sound faulty damaged; do
    code=1
    [ $verdict = sound ] && code=0
    expect $code "$lvl" check three/$verdict.wwd
    has out ": $verdict"
    expect $code "$lvl" check --json three/$verdict.wwd
    has out "\"verdict\":\"$verdict\""
done
expect 1 "$lvl" check --damaged -q three
is out three/damaged.wwd 'not only what is damaged'
expect 1 "$lvl" check --summary --json three
has out '"sound":1,"damaged":1,"unreadable":0,"foreign":0,"faulty":1'
# what is faulty is edited, merged and packed as what is sound; a game that goes wrong is an error in no other profile
cp three/faulty.wwd edited.wwd
expect 0 "$lvl" set edited.wwd start_x=300 -i
expect 0 "$lvl" merge three/faulty.wwd edited.wwd three/faulty.wwd -o merged.wwd
expect 0 "$lvl" convert three/faulty.wwd --to json -o faulty.json
expect 0 "$lvl" check --profile salvage three/faulty.wwd
expect 1 "$lvl" check --profile salvage three/damaged.wwd
if "$lvl" scan three -o three.db >out 2>err; then
    has err '3 read (1 sound, 1 faulty, 1 damaged, 0 unreadable'
    for verdict in sound faulty damaged; do
        expect 0 "$lvl" find --in three.db verdict:$verdict
        has out "three/$verdict.wwd"
        [ "$(wc -l <out)" = 1 ] || fail "not one file is $verdict: $(cat out)"
    done
fi

# ---- an end that is missing is damage: content may be gone
mkdir ends
printf 'GANI0001\nSPRITE 1 SPRITES 0 0 8 8 none\n' >ends/no-frames.gani
printf 'GANI0001\nSPRITE 1 SPRITES 0 0 8 8 none\nANI\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n\n' >ends/no-end.gani
printf 'GRMAP001\nWIDTH 2\nHEIGHT 2\n' >ends/no-rows.gmap
row=$(printf '%0128d' 0 | tr 0 B)
printf 'GLEVNW01\nBOARD 0 0 64 0 %s\nBOARD 0 1 64 0 %s\n' "$row" "$row" >ends/rows.nw
printf 'GLEVNW01\nNPC - 1 1\nmessage hi;\n' >ends/script.nw
printf 'GLEVNW01\nLINK a.nw 1 1 2 2 3' >ends/line.nw
level=$samples/graal/versions/gr-v1.03.graal
head -c $(($(wc -c <"$level") - 1)) "$level" >ends/sign.graal
for file in ends/*; do
    expect 1 "$lvl" check --no-art "$file"
    has out ': damaged, '
done
has out 'error: '
expect 1 "$lvl" check --damaged -q --no-art ends
[ "$(wc -l <out)" = 7 ] || fail "not all that ends too early is damaged: $(cat out)"
# the rows at the end are missing, but not what follows the board: nothing was cut off
{ cat ends/rows.nw; echo 'LINK a.nw 1 1 2 2 30 30'; } >rows.nw
expect 0 "$lvl" check --no-art rows.nw

# ---- what is no level, or of another version, or drawn by another verb, says so
for signature in GR-V1.06 Z3-V1.09 GWEBL001 GLEVNW02 GRMAP002; do
    printf '%s\nrest of it, whatever that may be' $signature >later.bin
    expect 4 "$lvl" info later.bin
    has err "a newer version than lvl supports ($signature)"
done
expect 4 "$lvl" info "$samples/graal/boat.png"
has err "a PNG picture; .lvl convert. and --art read it"
expect 1 "$lvl" render "$samples/wwd/art/hermit.pid" -o h.png
has err "lvl convert FILE -o FILE.png"
expect 1 "$lvl" render "$samples/wwd/art/main.pal" -o g.png
has err "lvl info"
expect 0 "$lvl" render alone/map.txt -o map.png
has err '4 of its 4 levels not found'


# ---- --only and --fail-on
expect 0 "$lvl" check --only graal.link,graal.npc world/a.nw
has out gone.nw
expect 0 "$lvl" check --json --only graal.npc world/a.nw
lacks out gone.nw
has out lost.gif
expect 0 "$lvl" check world/a.nw
expect 1 "$lvl" check --fail-on warning world/a.nw
expect 1 "$lvl" check --fail-on graal.link world/a.nw
expect 0 "$lvl" check --fail-on graal.chest world/a.nw
expect 2 "$lvl" check --only graal.lin world/a.nw
has err 'no finding .graal.lin'
expect 2 "$lvl" check --fail-on bad world/a.nw
expect 1 "$lvl" check --only sketchy "$samples/graal/damaged/cut-tiles.graal"
has out damaged
# what other commands call it
expect 2 "$lvl" check --fix world
has err 'lvl repair'
expect 2 "$lvl" check -r world
has err 'all folders below'
expect 2 "$lvl" extract -d out "$samples/sketchy/walk.levelpack"
has err '-o DIR'
for verb in grep search; do
    expect 2 "$lvl" $verb word
    has err 'lvl find'
done
expect 2 "$lvl" stats
has err 'lvl catalog stats'
expect 2 "$lvl" open world/a.nw
has err 'lvl view'
# get over several files: what a value that none has may mean
expect 1 "$lvl" get "$samples/wwd/cliffs.wwd" "$samples/wwd/cliffs-stored.wwd" -e 'planes[*].objects[logic=Soldire].x'
has err 'no match in any file: .*: did you mean "Soldier"'
# get: only the files, or the counts
expect 0 "$lvl" get world -e 'npcs[*].image' -l
[ "$(cat out)" = world/a.nw ] || fail "get -l: $(cat out)"
expect 0 "$lvl" get world/a.nw world/b.nw -e 'links[*].level' -c
[ "$(cat out)" = "world/a.nw: 2
world/b.nw: 1" ] || fail "get -c: $(cat out)"
expect 0 "$lvl" get world -e 'npcs[*].image' -c --json
[ "$(cat out)" = '{"file":"world/a.nw","matches":2}' ] || fail "get -c --json: $(cat out)"
expect 2 "$lvl" get world -e 'npcs[*].image' -l -c

# ---- --reach-from: what players do not reach
mkdir reach
printf 'GLEVNW01\nLINK b.nw 63 0 1 64 0 playery\n' >reach/a.nw
cp reach/a.nw reach/lost.nw
printf 'GLEVNW01\nLINK a.nw 0 0 1 64 61 playery\n' >reach/b.nw
echo 'text' >reach/readme.txt
expect 0 "$lvl" check --reach-from a.nw reach
[ "$(cat out)" = 'reach/lost.nw: note: graal.reach.level: no link that is reached leads here' ] || fail "reach: $(cat out)"
has err '2 of 3 levels reached from a.nw'
expect 0 "$lvl" check --reach-from lost.nw reach
lacks out .
expect 1 "$lvl" check --reach-from a.nw reach --fail-on note --json
has out '"file":"reach/lost.nw","findings":\[{"id":"graal.reach.level"'
expect 2 "$lvl" check --reach-from gone.nw reach
has err 'there is no level `gone.nw. among the files'
expect 2 "$lvl" check --reach-from a.nw reach --summary

# ---- what crashes the game, or is not loaded by it, is an error of its profile; what only a newer program does is one of that program's
expect 0 "$lvl" formats --findings --json
grep -E '"meaning":"[^"]*(crashes|does not load the (file|level))' out | grep -vE '"game":"(error|fatal)"|"sketchy-head":"error"' >mild || :
[ ! -s mild ] || fail "the game crashes, and it is no error: $(cat mild)"

# ---- each line about a level of Claw says what happens, not only where
expect 0 "$lvl" check -v --no-art "$samples/wwd/cliffs.wwd"
has out 'claw.item.unread: FrontCrate at 2866, 551: More than one item in an object that drops only the first'
expect 0 "$lvl" new wwd --like "$samples/wwd/cliffs.wwd" --size 20x10 -o bare.wwd
expect 0 "$lvl" check bare.wwd
has out 'claw.exit.none: in the main plane: No exit: .*The level cannot be finished'
has out 'claw.start.falls: at 732, 380: Nothing is below the start: Claw falls out of the level'

# ---- where the meaning of a finding is that the game crashes or does not load the file, its line says so, too
if command -v python3 >/dev/null; then
    mkdir bits
    python3 - "$samples" <<'PY'
import os, random, sys
random.seed(11)
n = 0
for folder, _, names in sorted(os.walk(sys.argv[1])):
    for name in sorted(names):
        path = os.path.join(folder, name)
        if '/src' in folder or not name.endswith(('.wwd', '.level', '.doodad', '.levelpack', '.nw', '.graal', '.gani', '.pid', '.rez', '.ani')) or os.path.getsize(path) > 60000:
            continue
        content = open(path, 'rb').read()
        for k in range(6):
            changed = bytearray(content)
            at = random.randrange(len(changed) if k % 2 else min(len(changed), 200))
            changed[at] = random.choice((0, 255, random.randrange(256)))
            n += 1
            open('bits/%04d_%s' % (n, name), 'wb').write(changed)
PY
    "$lvl" formats --findings --json >meanings
    { "$lvl" check --json -q --no-art bits "$samples"; } >found 2>/dev/null || :
    python3 - >mild <<'PY'
import json, re
says = re.compile('crash|not load|not open|ends? the game|the game ends')
meaning = {one['id']: one['meaning'] for one in map(json.loads, open('meanings'))}
seen = set()
for line in open('found'):
    for one in json.loads(line)['findings']:
        id = one['id']
        if one['severity'] == 'error' and id not in seen and re.search('crashes|does not load', meaning.get(id, '')):
            seen.add(id)
            if not says.search(one['text']):
                print(id, one['text'])
assert len(seen) > 8, seen
PY
    [ ! -s mild ] || fail "a line does not say that the game crashes or does not load the file: $(cat mild)"
fi

finish
