#!/bin/sh
# Files made to be expensive, with a low limit of work: each verb ends soon, with exit code 1 and the name of the limit, or without reaching it.
. "$(dirname "$0")/support/shell.sh"
set -e
. "$here/support/crafted.sh"

# allowed STEPS COMMAND...: done, or refused by that limit; within 10 seconds of processor time in any case
allowed() {
    tried=$((tried + 1)) steps=$1 code=0
    shift
    (ulimit -t 10 && exec "$lvl" "$@" --limit "work=$steps") >text 2>&1 || code=$?
    if grep -q "lvl\.limit\.work: it needs more than the $steps steps allowed; --limit work=N raises that" text; then
        [ $code = 1 ] || fail "exit $code, not 1: $*"
        reached=$((reached + 1))
    elif [ $code -gt 1 ] || grep -q 'lvl\.limit' text; then
        fail "exit $code: $*: $(head -c 300 text)"
    fi
}
reached=0
while read -r name n ending steps; do
    craft "$name" "$n" "a.$ending"
    craft "$name" $((n + 1)) "b.$ending"
    crafted_verbs "a.$ending" "b.$ending" >verbs
    while read -r command; do
        allowed "$steps" $command
    done <verbs
done <<'END'
nw-npcs 500 nw 20000
nw-art 300 nw 20000
graal-npcs 300 graal 20000
gani-pieces 400 gani 30000
gani-attached 300 gani 30000
gmap 40 gmap 40000
level-chunks 200 level 30000
level-actors 300 level 30000
wwd-objects.json 300 wwd 30000
wwd-tiles.json 300 wwd 200000
wwd-planes.json 60 wwd 40000
pid.json 300 pid 40000
rez.json 300 rez 30000
END
[ $reached -ge 60 ] || fail "only $reached of $tried reached the limit"
# what the scene of each frame costs is charged: 1200 scenes of 300 sprites, sorted for each
craft gani-sprites 300 a.gani
craft gani-sprites 301 b.gani
was=$reached
allowed 40000000 diff a.gani b.gani --image o.png -y
[ $reached -gt $was ] || fail "a scene for each frame is not charged"
# the picture of a plane is charged, and drawn once for planes that have the same
craft wwd-planes.json 60 a.wwd
was=$reached
allowed 500000 convert a.wwd --allow-loss -y -o o.tmx
[ $reached -gt $was ] || fail "a picture of planes is not charged"
was=$reached
allowed 1500000 convert a.wwd --allow-loss -y -o o.tmx
[ $reached = $was ] || fail "planes with the same picture are charged one by one"

# One opening, line, key or signature again and again: a cursor passes each byte once and charges nothing, so that a scan from each of
# them to the end of the file would be seen here: 200,000 times half a megabyte.
while read -r ending head unit; do
    { printf "$head" && yes "$(printf "$unit")" | head -n 200000; } >again.$ending
    for verb in check dump "repair -y -o o.$ending"; do
        tried=$((tried + 1)) code=0
        (ulimit -t 10 && exec "$lvl" $verb again.$ending) >text 2>&1 || code=$?
        [ $code -le 1 ] || [ $code = 4 ] || fail "exit $code: $verb of $unit: $(head -c 300 text)"
    done
done <<'END'
nw GLEVNW01\n X
nw GLEVNW01\n NPC\040a\0401\0401
nw GLEVNW01\n SIGN\0401\0401
nw GLEVNW01\n NPCEND
gani GANI0001\n ANI
gani GANI0002\nMOVIE\n ACTOR\040CHAR\040a
gmap GRMAP001\nLEVELNAMES\n "
level {"version":1,"chunks":{"size":128,"chunks":{ "0,0":{"type":0,"data":{
level {"version":1,"chunks":{"size":128},"data": [
level PK\003\004 PK\003\004
levelpack PK\003\004 PK\007\010
levelpack PK\003\004 PK\005\006
END

echo "$tried runs, $reached at the limit, $failed failed"
[ $failed = 0 ]
