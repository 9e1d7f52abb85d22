#!/bin/sh
# `lvl help GAME NAME`: the reference of a game has each logic of its book, what its numbers mean and what can go wrong; it is what scripts/game-reference makes.
. "$(dirname "$0")/support/shell.sh"

expect 0 "$lvl" help claw
for word in 'Enemies:' 'Officer' 'TogglePeg2' 'item, '; do
    grep -q "$word" out || fail "help claw lacks $word"
done
expect 0 "$lvl" help claw Officer
grep -qF 'powerup|user_rect1' out && ! grep -qF '\|' out || fail "help claw Officer has marks of tables: $(cat out)"
expect 0 "$lvl" help claw Elevator
grep -q '^  min_x max_x  *Limits of the run' out || fail "help claw Elevator: $(cat out)"
grep -q '^  claw.elevator.one_side' out || fail "help claw Elevator names no findings"
expect 0 "$lvl" help claw officer # in any case
grep -q 'Item; item; range 1..61' out || fail "help claw officer: $(cat out)"
expect 0 "$lvl" help claw item
grep -q '^  33 coin  *use this number for a coin; 100 points' out || fail "help claw item: $(grep coin out)"
expect 0 "$lvl" help gruntz GruntStartingPoint
grep -q 'Behaviour of an enemy' out || fail "help gruntz GruntStartingPoint: $(cat out)"
expect 0 "$lvl" help graal setlevel2
grep -q '^setlevel2 LEVEL,DX,DY' out || fail "help graal setlevel2: $(cat out)"
expect 0 "$lvl" help graal dragon
grep -q '^Picture baddydragon.png' out || fail "help graal dragon: $(cat out)"
awk 'length($0) > 79 { long++ } END { exit long > 0 }' out || fail "lines of more than 79 columns"

expect 2 "$lvl" help claw Elevatr
grep -q "claw has no .Elevatr.; did you mean .Elevator.?" err || fail "$(cat err)"
expect 2 "$lvl" help claw Zeppelin
grep -q "claw has no .Zeppelin.; .lvl help claw. lists all" err || fail "$(cat err)"
expect 2 "$lvl" help claw Elevator Officer
grep -q "help takes a game and one name" err || fail "$(cat err)"
expect 2 "$lvl" help check Officer
grep -q "help takes one verb" err || fail "$(cat err)"

built=$(dirname "$lvl")/generated/reference.c
if command -v python3 >/dev/null && [ -f "$built" ]; then
    "$(dirname "$here")/scripts/game-reference" --tables tables.c "$(dirname "$here")"/data/games/*.json
    cmp "$built" tables.c || fail "$built is not what data/games makes; build again"
fi
finish
