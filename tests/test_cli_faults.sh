#!/bin/sh
# A level with 20 faults of different kinds, as modders make them: check names each, and none of them in the level before.
. "$(dirname "$0")/support/shell.sh"
cliffs=$samples/wwd/cliffs.wwd
ids='claw.exit.none claw.start.solid claw.item.range claw.warp.no_target claw.drop.no_target claw.elevator.inverted
    claw.elevator.one_side wwd.object.unknown_logic claw.aquatis.order wwd.tile.no_property wwd.object.duplicate_id
    wwd.object.outside claw.patrol.inverted claw.sound.no_key claw.projectile.no_box claw.conveyor.still claw.plank.width
    claw.shake.no_box claw.jump.no_box wwd.object.no_logic'

expect 0 "$lvl" check -v "$cliffs"
for id in $ids; do
    ! grep -qF "$id" out || fail "the level without faults has $id"
done

# The exit is gone, also from a pocket. Treasures of the level become other things, one for each fault.
expect 0 "$lvl" get --json "$cliffs" 'planes[Action].objects[logic=TreasurePowerup].id'
sed 's/.*"path":"\([^"]*\)\.id".*/\1/' out >treasures
treasure() { sed -n "$1p" treasures; }
officer='planes[Action].objects[logic=Officer]' lift='planes[Action].objects[logic=Elevator]'
expect 0 "$lvl" set "$cliffs" 'planes[Action].objects[logic=EndOfLevelPowerup].logic=DoNothing' start_x=224 start_y=820 \
    'planes[Action].objects[logic=FrontCrate].powerup=999' \
    "$(treasure 1).logic=SpecialPowerup" "$(treasure 1).image_set=GAME_WARP" \
    'planes[Action].objects[logic=BehindCrate].powerup=warp' "$lift.min_x=900" "$lift.max_x=100" \
    "$(treasure 2).logic=Elevator" "$(treasure 2).max_x=500" "$(treasure 3).logic=Oficer" "$(treasure 4).logic=AquatisStalactite" \
    'planes[Action].tiles[30,4]=4001' "$(treasure 5).id=1" "$(treasure 6).id=1" "$(treasure 7).x=99999" \
    "$officer.min_x=900" "$officer.max_x=100" "$officer.powerup=coin" 'planes[Action].objects[logic=SmallSoundTrigger].animation=""' \
    "$(treasure 8).logic=TProjectile" "$(treasure 9).logic=ConveyorBelt" "$(treasure 10).logic=BreakPlank" \
    "$(treasure 11).logic=Shake" "$(treasure 12).logic=JumpSwitch" "$(treasure 13).logic=\"\"" -o faults.wwd
expect 1 "$lvl" check -v faults.wwd
for id in $ids; do
    grep -qF " $id: " out || fail "check does not name $id"
done

finish
