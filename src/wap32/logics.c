/*
 * wap32/logics.c: the logics that CLAW.EXE registers (212), CrazyHook's one, and those that the shipped
 * levels of Gruntz use (34).
 */
#include "wap32/logics.h"

#include "base/text.h"

#include <string.h>

/* ---- what logics make of numbers --------------------------------------------------------------------- */

static const lvl_wwd_use enemy_uses[] = {
    {"min_x", "Left end of its patrol."},
    {"max_x", "Right end of its patrol."},
    {"powerup", "Item that it drops."},
    {"user_rect1", "Further items that it drops."},
    {"user_rect2", "Further items that it drops."},
    {"user1", "1: it stands still."},
    {"damage", "Damage it does; 0: as usual for it."},
    {"health", "Health points; 0: as usual for it."},
    {NULL, NULL},
};
static const lvl_wwd_use boss_uses[] = {
    {"speed_x", "Where the gem or the warp appears afterwards."},
    {"speed_y", "Where the gem or the warp appears afterwards."},
    {NULL, NULL},
};
static const lvl_wwd_use item_uses[] = {
    {"image_set", "What it is."},
    {NULL, NULL},
};
static const lvl_wwd_use special_uses[] = {
    {"image_set", "What it is; GAME_WARP…: a warp."},
    {"smarts", "How long it lasts; of a warp: 0 works once."},
    {"damage", "1: it stays when taken."},
    {"speed_x", "Destination of a warp."},
    {"speed_y", "Destination of a warp."},
    {NULL, NULL},
};
static const lvl_wwd_use warp_uses[] = {
    {"speed_x", "Destination."},
    {"speed_y", "Destination."},
    {"smarts", "0: works once."},
    {NULL, NULL},
};
static const lvl_wwd_use crate_uses[] = {
    {"powerup", "Item 1."},
    {"user_rect1", "Items 2 to 5."},
    {"user_rect2", "Items 6 to 9."},
    {"speed_x", "Destination of a warp among the items."},
    {"speed_y", "Destination of a warp among the items."},
    {NULL, NULL},
};
static const lvl_wwd_use lift_uses[] = {
    {"speed_x", "Speed to the side, px/s."},
    {"speed_y", "Speed up and down, px/s."},
    {"min_x", "Left end of its travel."},
    {"max_x", "Right end of its travel."},
    {"min_y", "Upper end of its travel."},
    {"max_y", "Lower end of its travel."},
    {"direction", "Where it goes first, by the numeric keypad."},
    {NULL, NULL},
};
static const lvl_wwd_use path_uses[] = {
    {"speed", "Speed, px/s."},
    {"move_rect", "Steps 1 and 2: direction by the numeric keypad, distance, direction, distance."},
    {"hit_rect", "Steps 3 and 4."},
    {"attack_rect", "Steps 5 and 6."},
    {"clip_rect", "Steps 7 and 8."},
    {"powerup", "How it starts: 1 or 2, a kind of trigger."},
    {NULL, NULL},
};
static const lvl_wwd_use peg_uses[] = {
    {"speed_x", "Time out, ms."},
    {"speed_y", "Time in, ms."},
    {"speed", "Delay before the first move, ms; the logics numbered 2, 3, 4 have 750, 1500, 2250."},
    {"smarts", "1: always out."},
    {NULL, NULL},
};
static const lvl_wwd_use rope_uses[] = {
    {"speed_x", "Time of a swing, ms."},
    {NULL, NULL},
};
static const lvl_wwd_use laser_uses[] = {
    {"counter", "Time off, ms."},
    {"damage", "Damage it does."},
    {NULL, NULL},
};
static const lvl_wwd_use cannon_uses[] = {
    {"speed_x", "Speed of a shot, px/s."},
    {"speed_y", "Time between shots, ms."},
    {"damage", "Damage it does."},
    {NULL, NULL},
};
static const lvl_wwd_use trigger_uses[] = {
    {"animation", "The sound."},
    {"smarts", "How often it plays; 0 or -1: always."},
    {NULL, NULL},
};
static const lvl_wwd_use ambient_uses[] = {
    {"animation", "The sound."},
    {"damage", "Volume, %."},
    {"move_rect", "Shortest and longest time on, shortest and longest time off."},
    {"min_x", "Area in which it is heard."},
    {NULL, NULL},
};
static const lvl_wwd_use ani_uses[] = {
    {"animation", "The animation."},
    {NULL, NULL},
};
static const lvl_wwd_use script_uses[] = {
    {"name", "The Lua file."},
    {"animation", "Of older levels: the Lua file."},
    {NULL, NULL},
};

/* ---- the logics -------------------------------------------------------------------------------------- */

#define CLAW   LVL_WWD_IN_CLAW
#define GRUNTZ LVL_WWD_IN_GRUNTZ
/* clang-format off */
#define ROW(name, games, kind, range, uses, prose) \
    {name, games, LVL_WWD_KIND_##kind, LVL_WWD_RANGE_##range, prose, uses}
#define INTERNAL(name, games) \
    ROW(name, games, ENGINE, NONE, NULL, "Made by the game itself while it runs; not meant for a level.")
static const lvl_wwd_logic logics[] = {
    ROW("AmbientPosSound", CLAW, SOUND, AREA, ambient_uses, "A sound that is heard in its area."),
    ROW("AmbientSound", CLAW, SOUND, AREA, ambient_uses, "A sound that is heard in its area."),
    ROW("AmmoPowerup", CLAW, PICKUP, NONE, item_uses, "Shots or dynamite; the image set tells which."),
    INTERNAL("AmuletGemLogic", CLAW),
    ROW("AniCycle", CLAW, SCENERY, NONE, ani_uses, "A picture that moves."),
    ROW("AniCycleNormal", CLAW, SCENERY, NONE, ani_uses, "A picture that moves."),
    ROW("AniRope", CLAW, PLATFORM, NONE, rope_uses, "A rope that swings."),
    ROW("Aquatis", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    ROW("AquatisCrack", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("AquatisDynamite", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("AquatisStalactite", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("BackStackedCrates", CLAW, CONTAINER, NONE, crate_uses, "A stack of crates; each sets free an item."),
    ROW("BackgroundLogic", CLAW, SCENERY, NONE, NULL, "Scenery."),
    ROW("BearSailor", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("BehindAniCandy", CLAW, SCENERY, NONE, ani_uses, "A picture that moves."),
    ROW("BehindCandy", CLAW | GRUNTZ, SCENERY, NONE, NULL, "A picture behind or before the scene."),
    ROW("BehindCandyAni", GRUNTZ, SCENERY, NONE, NULL, "Scenery."),
    ROW("BehindCrate", CLAW, CONTAINER, NONE, crate_uses, "A crate that breaks and sets free what it holds."),
    ROW("BehindStatue", CLAW, CONTAINER, NONE, crate_uses,
        "A statue that breaks and sets free what it holds."),
    ROW("BigSoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Plays a sound when Claw comes near."),
    ROW("BlinkingEyes", CLAW, SCENERY, NONE, NULL, "Scenery."),
    INTERNAL("BossHealthMeter", CLAW),
    ROW("BossStager", CLAW, CHECKPOINT, NONE, NULL, "Where the fight with the boss begins."),
    INTERNAL("BossStagerAttack", CLAW),
    ROW("BossWarp", CLAW, WARP, NONE, warp_uses, "A warp to the boss."),
    INTERNAL("BouncingGoodie", CLAW),
    ROW("BreakPlank", CLAW, PLATFORM, NONE, NULL, "A row of planks that break under the feet."),
    ROW("Brickz", GRUNTZ, PUZZLE, NONE, NULL, "Something that blocks the way and can be broken."),
    INTERNAL("Bullet", CLAW),
    INTERNAL("CannonBall", CLAW),
    ROW("CannonButton", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("CannonSwitch", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    INTERNAL("CaptainClaw", CLAW),
    INTERNAL("CaptainClawHit", CLAW),
    INTERNAL("CaptainClawRemoteRacer", CLAW),
    INTERNAL("CaptainClawScreenPosition", CLAW),
    ROW("Chameleon", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("Checkpoint", CLAW, CHECKPOINT, NONE, NULL, "A flag to begin again from."),
    INTERNAL("CheckpointAttack", CLAW),
    INTERNAL("CheckpointTimer", CLAW),
    ROW("CheckpointTrigger", GRUNTZ, CHECKPOINT, NONE, NULL, "Something happens when a Grunt gets there."),
    INTERNAL("ChildChar", CLAW),
    INTERNAL("ChildLight", CLAW),
    INTERNAL("ChildRibbon", CLAW),
    INTERNAL("ChildScoreNum", CLAW),
    ROW("ClawDialogBigSoundTrigger", CLAW, SOUND, NONE, trigger_uses,
        "Claw says something when he comes near."),
    ROW("ClawDialogHugeSoundTrigger", CLAW, SOUND, NONE, trigger_uses,
        "Claw says something when he comes near."),
    ROW("ClawDialogSmallSoundTrigger", CLAW, SOUND, NONE, trigger_uses,
        "Claw says something when he comes near."),
    INTERNAL("ClawDialogSound", CLAW),
    ROW("ClawDialogSoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Claw says something when he comes near."),
    ROW("ClawDialogTallSoundTrigger", CLAW, SOUND, NONE, trigger_uses,
        "Claw says something when he comes near."),
    ROW("ClawDialogTinySoundTrigger", CLAW, SOUND, NONE, trigger_uses,
        "Claw says something when he comes near."),
    ROW("ClawDialogWideSoundTrigger", CLAW, SOUND, NONE, trigger_uses,
        "Claw says something when he comes near."),
    INTERNAL("ClawMultiRacer", CLAW),
    INTERNAL("CoinPowerup", CLAW),
    ROW("ConveyorBelt", CLAW, PLATFORM, NONE, NULL, "A belt that carries one along."),
    ROW("CoveredPowerup", GRUNTZ, CONTAINER, NONE, NULL, "An item under the ground."),
    INTERNAL("CrabBomb", CLAW),
    ROW("CrabNest", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    INTERNAL("Crate", CLAW),
    INTERNAL("CrateHit", CLAW),
    INTERNAL("CratePowerup", CLAW),
    ROW("CrazyHook", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("CrumblingPeg", CLAW, PLATFORM, NONE, NULL, "Ground that crumbles under the feet and comes back."),
    ROW("CrumblingPegNoRespawn", CLAW, PLATFORM, NONE, NULL, "Ground that crumbles under the feet for good."),
    ROW("CursePowerup", CLAW, PICKUP, NONE, item_uses, "A curse; the image set tells which."),
    ROW("CustomLogic", CLAW, SCRIPT, NONE, script_uses, "CrazyHook: a logic written in Lua."),
    ROW("CutThroat", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("DoNothing", CLAW | GRUNTZ, SCENERY, NONE, NULL, "A picture that does nothing."),
    ROW("DoNothingNormal", CLAW, SCENERY, NONE, NULL, "A picture that does nothing."),
    ROW("Dynamite", CLAW, HAZARD, NONE, NULL, "Dynamite that lies there."),
    ROW("Elevator", CLAW, PLATFORM, TRAVEL, lift_uses, "A lift that moves all the time."),
    ROW("EndLevelGem", CLAW, CHECKPOINT, NONE, NULL, "The gem that ends the level."),
    ROW("EndOfLevelPowerup", CLAW, CHECKPOINT, NONE, NULL,
        "The piece of the map or the gem that ends the level."),
    INTERNAL("EnemyDialogSound", CLAW),
    ROW("ExitTrigger", GRUNTZ, CHECKPOINT, NONE, NULL, "Something happens when a Grunt gets there."),
    ROW("EyeCandy", GRUNTZ, SCENERY, NONE, NULL, "Scenery."),
    ROW("EyeCandyAni", GRUNTZ, SCENERY, NONE, NULL, "Scenery."),
    INTERNAL("FallingDebris", CLAW),
    INTERNAL("FireBullet", CLAW),
    ROW("FirstSuperCheckpoint", CLAW, CHECKPOINT, NONE, NULL, "A flag where the game is saved."),
    ROW("Fish", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("Flare", CLAW, SCENERY, NONE, NULL, "Scenery."),
    ROW("FloorSpike", CLAW, HAZARD, NONE, NULL, "Spikes that come out of the ground."),
    ROW("FloorSpike2", CLAW, HAZARD, NONE, NULL, "Spikes that come out of the ground."),
    ROW("FloorSpike3", CLAW, HAZARD, NONE, NULL, "Spikes that come out of the ground."),
    ROW("FloorSpike4", CLAW, HAZARD, NONE, NULL, "Spikes that come out of the ground."),
    ROW("FortressFlag", GRUNTZ, CHECKPOINT, NONE, NULL, "The flag to bring the Warpstone to."),
    ROW("FrontAniCandy", CLAW, SCENERY, NONE, ani_uses, "A picture that moves."),
    ROW("FrontCandy", CLAW, SCENERY, NONE, NULL, "A picture behind or before the scene."),
    ROW("FrontCrate", CLAW, CONTAINER, NONE, crate_uses, "A crate that breaks and sets free what it holds."),
    ROW("FrontStackedCrates", CLAW, CONTAINER, NONE, crate_uses,
        "A stack of crates; each sets free an item."),
    ROW("FrontStatue", CLAW, CONTAINER, NONE, crate_uses,
        "A statue that breaks and sets free what it holds."),
    ROW("Gabriel", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    INTERNAL("GabrielBomb", CLAW),
    ROW("GabrielCannon", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("GiantRock", GRUNTZ, PUZZLE, NONE, NULL, "Something that blocks the way and can be broken."),
    INTERNAL("GlitterBaby", CLAW),
    INTERNAL("GlitterMother", CLAW),
    ROW("GlitterlessPowerup", CLAW, PICKUP, NONE, item_uses,
        "An item without glitter; the image set tells which."),
    ROW("GlobalAmbientSound", CLAW | GRUNTZ, SOUND, NONE, ambient_uses, "A sound that is heard everywhere."),
    INTERNAL("GoldPowerup", CLAW),
    ROW("GooBubble", CLAW, SCENERY, NONE, NULL, "Scenery."),
    ROW("GooCoverup", CLAW, SCENERY, NONE, NULL, "Scenery."),
    ROW("GooVent", CLAW, HAZARD, NONE, NULL, "Spits from the ground."),
    ROW("GroundBlower", CLAW, PLATFORM, NONE, NULL, "Air from the ground that carries one up."),
    INTERNAL("GroundCannon", CLAW),
    ROW("GruntCreationPoint", GRUNTZ, UNIT, NONE, NULL, "Where a Grunt begins or is made."),
    ROW("GruntPuddle", GRUNTZ, SCENERY, NONE, NULL, "Scenery."),
    ROW("GruntStartingPoint", GRUNTZ, UNIT, NONE, NULL, "Where a Grunt begins or is made."),
    ROW("GuardPoint", GRUNTZ, PUZZLE, NONE, NULL, "A point on the way of a computer player."),
    INTERNAL("HealthFrame", CLAW),
    ROW("HealthPowerup", CLAW, PICKUP, NONE, item_uses, "Food or a potion; the image set tells which."),
    ROW("HermitCrab", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    INTERNAL("HitBurst", CLAW),
    ROW("HugeSoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Plays a sound when Claw comes near."),
    INTERNAL("IceBullet", CLAW),
    ROW("InGameIcon", GRUNTZ, PICKUP, NONE, NULL, "A tool, toy or power to pick up."),
    ROW("InGameText", GRUNTZ, SCENERY, NONE, NULL, "A hint to read."),
    ROW("JumpSwitch", CLAW, HAZARD, NONE, NULL, "A switch to jump on."),
    ROW("Katherine", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    ROW("KitchenSlime", GRUNTZ, HAZARD, NONE, NULL, "Something that hurts Gruntz."),
    ROW("Laser", CLAW, HAZARD, NONE, laser_uses, "A ray that goes on and off."),
    ROW("LavaGeyser", CLAW, HAZARD, NONE, NULL, "Spits from the ground."),
    ROW("LavaHand", CLAW, HAZARD, NONE, NULL, "Spits from the ground."),
    INTERNAL("LavaHandProjectile", CLAW),
    ROW("LavaMouth", CLAW, HAZARD, NONE, NULL, "Spits from the ground."),
    INTERNAL("LightningBullet", CLAW),
    INTERNAL("LivesFrame", CLAW),
    INTERNAL("LogicAttack", CLAW),
    INTERNAL("LogicHit", CLAW),
    INTERNAL("MagicBullet", CLAW),
    ROW("MagicPowerup", CLAW, PICKUP, NONE, item_uses, "Magic for the claw; the image set tells which."),
    INTERNAL("MapPieceLogic", CLAW),
    INTERNAL("MapProgressLogic", CLAW),
    ROW("Marrow", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    ROW("MarrowFloor", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    INTERNAL("MenuClaw", CLAW),
    INTERNAL("MenuSparkle", CLAW),
    ROW("Mercat", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    INTERNAL("Message", CLAW),
    INTERNAL("MultiStats", CLAW),
    ROW("ObjectDropper", GRUNTZ, HAZARD, NONE, NULL, "Something that hurts Gruntz."),
    ROW("Officer", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("Omar", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    INTERNAL("OmarBullet", CLAW),
    INTERNAL("OmarShield", CLAW),
    ROW("OneTimeStartSteppingStone", CLAW, PLATFORM, NONE, NULL,
        "A stone that moves once somebody steps on it."),
    ROW("OneWayStartElevator", CLAW, PLATFORM, TRAVEL, lift_uses,
        "A lift that starts when somebody steps on it and goes one way."),
    ROW("OneWayTriggerElevator", CLAW, PLATFORM, TRAVEL, lift_uses,
        "A lift that waits for a trigger and goes one way."),
    ROW("Parrot", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("PathElevator", CLAW, PLATFORM, NONE, path_uses, "A lift that follows a path of up to eight steps."),
    ROW("PegLeg", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    INTERNAL("PistolBullet", CLAW),
    INTERNAL("PointsIcon", CLAW),
    ROW("PowderKeg", CLAW, HAZARD, NONE, NULL, "A keg that explodes when hit."),
    INTERNAL("PowerupGlitter", CLAW),
    ROW("PunkRat", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("RainCloud", GRUNTZ, SCENERY, NONE, NULL, "Scenery."),
    ROW("Rat", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    INTERNAL("RatBomb", CLAW),
    ROW("Raux", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    ROW("RedTail", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    INTERNAL("RedTailBullet", CLAW),
    INTERNAL("RedTailKnife", CLAW),
    ROW("RedTailPirate", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("RedTailSpikes", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("RedTailWind", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("RobberThief", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("RollingBall", GRUNTZ, HAZARD, NONE, NULL, "Something that hurts Gruntz."),
    ROW("SawBlade", CLAW, HAZARD, NONE, NULL, "A saw that comes out of the ground."),
    ROW("SawBlade2", CLAW, HAZARD, NONE, NULL, "A saw that comes out of the ground."),
    ROW("SawBlade3", CLAW, HAZARD, NONE, NULL, "A saw that comes out of the ground."),
    ROW("SawBlade4", CLAW, HAZARD, NONE, NULL, "A saw that comes out of the ground."),
    INTERNAL("ScoreFrame", CLAW),
    INTERNAL("ScoreRibbon", CLAW),
    ROW("Seagull", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("SecondSuperCheckpoint", CLAW, CHECKPOINT, NONE, NULL, "A flag where the game is saved."),
    ROW("SecretLevelTrigger", GRUNTZ, CHECKPOINT, NONE, NULL, "Something happens when a Grunt gets there."),
    ROW("SecretTeleporterTrigger", GRUNTZ, CHECKPOINT, NONE, NULL,
        "Something happens when a Grunt gets there."),
    ROW("Shake", CLAW, SCENERY, NONE, NULL, "Scenery."),
    ROW("SimpleAnimation", CLAW, SCENERY, NONE, ani_uses, "A picture that moves."),
    INTERNAL("SingleFrameMessage", CLAW),
    ROW("SinglePlank", CLAW, PLATFORM, NONE, NULL, "One plank of a row."),
    ROW("Siren", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    INTERNAL("SirenBullet", CLAW),
    ROW("SkullCannon", CLAW, HAZARD, NONE, cannon_uses, "A cannon."),
    ROW("SlidingElevator", CLAW, PLATFORM, TRAVEL, lift_uses, "A lift that moves all the time."),
    ROW("SmallSoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Plays a sound when Claw comes near."),
    ROW("Soldier", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("SoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Plays a sound when Claw comes near."),
    ROW("SpecialPowerup", CLAW, PICKUP, NONE, special_uses,
        "A power for a while, an extra life, or (image set GAME_WARP…) a warp; the image set tells which."),
    INTERNAL("Splash", CLAW),
    ROW("SpotAmbientSound", CLAW, SOUND, NONE, ambient_uses, "A sound that is heard near it."),
    ROW("SpotLight", GRUNTZ, SCENERY, NONE, NULL, "Scenery."),
    ROW("SpringBoard", CLAW, PLATFORM, NONE, NULL, "A board that throws one up."),
    ROW("Stalactite", CLAW, HAZARD, NONE, NULL, "Falls on those below."),
    ROW("StandardElevator", CLAW, PLATFORM, TRAVEL, lift_uses, "A lift that moves all the time."),
    ROW("StartElevator", CLAW, PLATFORM, TRAVEL, lift_uses, "A lift that starts when somebody steps on it."),
    ROW("StartSteppingStone", CLAW, PLATFORM, NONE, NULL, "A stone that moves once somebody steps on it."),
    ROW("StaticHazard", GRUNTZ, HAZARD, NONE, NULL, "Something that hurts Gruntz."),
    INTERNAL("StationaryLight", CLAW),
    INTERNAL("StatusNumberDigit", CLAW),
    ROW("SteppingStone", CLAW, PLATFORM, NONE, NULL, "A stone that sinks and comes back in turn."),
    ROW("SteppingStone2", CLAW, PLATFORM, NONE, NULL, "A stone that sinks and comes back in turn."),
    ROW("SteppingStone3", CLAW, PLATFORM, NONE, NULL, "A stone that sinks and comes back in turn."),
    ROW("SteppingStone4", CLAW, PLATFORM, NONE, NULL, "A stone that sinks and comes back in turn."),
    ROW("StopElevator", CLAW, PLATFORM, TRAVEL, lift_uses, "A lift that stops when somebody steps on it."),
    INTERNAL("SuperCheckpointAttack", CLAW),
    ROW("SuperPowerup", CLAW, PICKUP, NONE, item_uses, "A power for a while."),
    ROW("TProjectile", CLAW, HAZARD, NONE, NULL, "Something that flies."),
    ROW("TallSoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Plays a sound when Claw comes near."),
    ROW("Teleporter", GRUNTZ, WARP, NONE, warp_uses, "A warp."),
    ROW("Tentacle", CLAW, BOSS, NONE, NULL, "Part of a fight with a boss."),
    ROW("TigerGuard", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("TileSecretTrigger", GRUNTZ, PUZZLE, NONE, NULL, "A switch and the tiles that it changes."),
    ROW("TileTrigger", GRUNTZ, PUZZLE, NONE, NULL, "A switch and the tiles that it changes."),
    ROW("TileTriggerSwitch", GRUNTZ, PUZZLE, NONE, NULL, "A switch and the tiles that it changes."),
    INTERNAL("TimerFrame", CLAW),
    ROW("TinySoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Plays a sound when Claw comes near."),
    ROW("TogglePeg", CLAW, PLATFORM, NONE, peg_uses, "A peg that comes and goes."),
    ROW("TogglePeg2", CLAW, PLATFORM, NONE, peg_uses, "A peg that comes and goes."),
    ROW("TogglePeg3", CLAW, PLATFORM, NONE, peg_uses, "A peg that comes and goes."),
    ROW("TogglePeg4", CLAW, PLATFORM, NONE, peg_uses, "A peg that comes and goes."),
    ROW("ToobSpikez", GRUNTZ, HAZARD, NONE, NULL, "Something that hurts Gruntz."),
    ROW("TowerCannonLeft", CLAW, HAZARD, NONE, cannon_uses, "A cannon."),
    ROW("TowerCannonRight", CLAW, HAZARD, NONE, cannon_uses, "A cannon."),
    ROW("TownGuard1", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    ROW("TownGuard2", CLAW, ENEMY, PATROL, enemy_uses, "An enemy."),
    INTERNAL("TreasureCounter", CLAW),
    INTERNAL("TreasureLogic", CLAW),
    ROW("TreasurePowerup", CLAW, PICKUP, NONE, item_uses,
        "A treasure that glitters; the image set tells which."),
    INTERNAL("TridentBullet", CLAW),
    ROW("TriggerElevator", CLAW, PLATFORM, TRAVEL, lift_uses, "A lift that waits for a trigger."),
    ROW("UFO", GRUNTZ, HAZARD, NONE, NULL, "Something that hurts Gruntz."),
    ROW("VoiceTrigger", GRUNTZ, SOUND, NONE, NULL, "Says something when a Grunt gets there."),
    ROW("WaterRock", CLAW, PLATFORM, NONE, NULL, "A rock in the water."),
    ROW("WayPoint", GRUNTZ, PUZZLE, NONE, NULL, "A point on the way of a computer player."),
    INTERNAL("WeaponFrame", CLAW),
    ROW("WideSoundTrigger", CLAW, SOUND, NONE, trigger_uses, "Plays a sound when Claw comes near."),
    INTERNAL("WindDebris", CLAW),
    ROW("Wolvington", CLAW, BOSS, NONE, boss_uses, "The boss of a level."),
    INTERNAL("WolvingtonBullet", CLAW),
    INTERNAL("WolvingtonLFX", CLAW),
};
/* clang-format on */

const lvl_wwd_logic *lvl_wwd_logics(size_t *count)
{
    *count = sizeof logics / sizeof logics[0];
    return logics;
}

const lvl_wwd_logic *lvl_wwd_logic_find(lvl_text name)
{
    size_t lo = 0, hi = sizeof logics / sizeof logics[0];

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const char *have = logics[mid].name;
        /* the first letter decides most steps without a call */
        int order = name.len ? (uint8_t)name.ptr[0] - (uint8_t)have[0] : -1;
        if (!order) {
            size_t len = strlen(have);
            order = memcmp(name.ptr, have, name.len < len ? name.len : len);
            if (!order)
                order = name.len < len ? -1 : name.len > len;
        }
        if (!order)
            return &logics[mid];
        if (order < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}

const lvl_wwd_logic *lvl_wwd_logic_near(lvl_text name, unsigned games)
{
    const lvl_wwd_logic *best = NULL;
    unsigned most = 4, allowed;

    /* blanks at the ends are the commonest slip */
    while (name.len && name.ptr[name.len - 1] == ' ')
        name.len--;
    while (name.len && name.ptr[0] == ' ') {
        name.ptr++;
        name.len--;
    }
    if (name.len < 2 || name.len > 64)
        return NULL;
    /* a third of it may be wrong, else it is another word */
    allowed = (unsigned)(name.len + 2) / 3;
    if (allowed < most)
        most = allowed;
    for (size_t i = 0; i < sizeof logics / sizeof logics[0]; i++) {
        if (!(logics[i].games & games) || logics[i].kind == LVL_WWD_KIND_ENGINE)
            continue;
        unsigned d = lvl_text_distance(name, lvl_text_of(logics[i].name), most);
        if (d < most || (d == most && !best)) {
            most = d;
            best = &logics[i];
        }
    }
    /* "Health" is no slip of the fingers but half a name */
    for (size_t i = 0; !best && name.len >= 4 && i < sizeof logics / sizeof logics[0]; i++) {
        if (logics[i].games & games && logics[i].kind != LVL_WWD_KIND_ENGINE &&
            strlen(logics[i].name) > name.len && memcmp(logics[i].name, name.ptr, name.len) == 0)
            best = &logics[i];
    }
    return best;
}

lvl_wwd_kind lvl_wwd_kind_with(const lvl_wwd_logic *logic, const lvl_wwd_object *object)
{
    if (!logic)
        return LVL_WWD_KIND_UNKNOWN;
    if (logic->kind == LVL_WWD_KIND_PICKUP && lvl_text_begins(object->image_set, "GAME_WARP"))
        return LVL_WWD_KIND_WARP;
    return logic->kind;
}

lvl_wwd_kind lvl_wwd_kind_of(const lvl_wwd_object *object)
{
    return lvl_wwd_kind_with(lvl_wwd_logic_find(object->logic), object);
}
