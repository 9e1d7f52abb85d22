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
static const lvl_wwd_logic logics[] = {
    {"AmbientPosSound", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_AREA, "A sound that is heard in its area.",
         ambient_uses},
    {"AmbientSound", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_AREA, "A sound that is heard in its area.",
         ambient_uses},
    {"AmmoPowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "Shots or dynamite; the image set tells "
         "which.", item_uses},
    {"AmuletGemLogic", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"AniCycle", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture that moves.", ani_uses},
    {"AniCycleNormal", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture that moves.", ani_uses},
    {"AniRope", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A rope that swings.", rope_uses},
    {"Aquatis", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"AquatisCrack", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"AquatisDynamite", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"AquatisStalactite", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"BackStackedCrates", CLAW, LVL_WWD_KIND_CONTAINER, LVL_WWD_RANGE_NONE, "A stack of crates; each sets "
         "free an item.", crate_uses},
    {"BackgroundLogic", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"BearSailor", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"BehindAniCandy", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture that moves.", ani_uses},
    {"BehindCandy", CLAW | GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture behind or before "
         "the scene.", NULL},
    {"BehindCandyAni", GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"BehindCrate", CLAW, LVL_WWD_KIND_CONTAINER, LVL_WWD_RANGE_NONE, "A crate that breaks and sets free "
         "what it holds.", crate_uses},
    {"BehindStatue", CLAW, LVL_WWD_KIND_CONTAINER, LVL_WWD_RANGE_NONE, "A statue that breaks and sets free "
         "what it holds.", crate_uses},
    {"BigSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Plays a sound when Claw comes near.",
         trigger_uses},
    {"BlinkingEyes", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"BossHealthMeter", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"BossStager", CLAW, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "Where the fight with the boss "
         "begins.", NULL},
    {"BossStagerAttack", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"BossWarp", CLAW, LVL_WWD_KIND_WARP, LVL_WWD_RANGE_NONE, "A warp to the boss.", warp_uses},
    {"BouncingGoodie", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"BreakPlank", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A row of planks that break under the "
         "feet.", NULL},
    {"Brickz", GRUNTZ, LVL_WWD_KIND_PUZZLE, LVL_WWD_RANGE_NONE, "Something that blocks the way and can be "
         "broken.", NULL},
    {"Bullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; not "
         "meant for a level.", NULL},
    {"CannonBall", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"CannonButton", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"CannonSwitch", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"CaptainClaw", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"CaptainClawHit", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"CaptainClawRemoteRacer", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself "
         "while it runs; not meant for a level.", NULL},
    {"CaptainClawScreenPosition", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself "
         "while it runs; not meant for a level.", NULL},
    {"Chameleon", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"Checkpoint", CLAW, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "A flag to begin again from.", NULL},
    {"CheckpointAttack", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"CheckpointTimer", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"CheckpointTrigger", GRUNTZ, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "Something happens when a "
         "Grunt gets there.", NULL},
    {"ChildChar", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"ChildLight", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"ChildRibbon", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"ChildScoreNum", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"ClawDialogBigSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Claw says something when "
         "he comes near.", trigger_uses},
    {"ClawDialogHugeSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Claw says something when "
         "he comes near.", trigger_uses},
    {"ClawDialogSmallSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Claw says something "
         "when he comes near.", trigger_uses},
    {"ClawDialogSound", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"ClawDialogSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Claw says something when he "
         "comes near.", trigger_uses},
    {"ClawDialogTallSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Claw says something when "
         "he comes near.", trigger_uses},
    {"ClawDialogTinySoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Claw says something when "
         "he comes near.", trigger_uses},
    {"ClawDialogWideSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Claw says something when "
         "he comes near.", trigger_uses},
    {"ClawMultiRacer", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"CoinPowerup", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"ConveyorBelt", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A belt that carries one along.", NULL},
    {"CoveredPowerup", GRUNTZ, LVL_WWD_KIND_CONTAINER, LVL_WWD_RANGE_NONE, "An item under the ground.", NULL},
    {"CrabBomb", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"CrabNest", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"Crate", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; not "
         "meant for a level.", NULL},
    {"CrateHit", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"CratePowerup", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"CrazyHook", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"CrumblingPeg", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "Ground that crumbles under the feet "
         "and comes back.", NULL},
    {"CrumblingPegNoRespawn", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "Ground that crumbles under "
         "the feet for good.", NULL},
    {"CursePowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "A curse; the image set tells which.",
         item_uses},
    {"CustomLogic", CLAW, LVL_WWD_KIND_SCRIPT, LVL_WWD_RANGE_NONE, "CrazyHook: a logic written in Lua.",
         script_uses},
    {"CutThroat", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"DoNothing", CLAW | GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture that does nothing.",
         NULL},
    {"DoNothingNormal", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture that does nothing.", NULL},
    {"Dynamite", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Dynamite that lies there.", NULL},
    {"Elevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that moves all the time.",
         lift_uses},
    {"EndLevelGem", CLAW, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "The gem that ends the level.", NULL},
    {"EndOfLevelPowerup", CLAW, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "The piece of the map or the "
         "gem that ends the level.", NULL},
    {"EnemyDialogSound", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"ExitTrigger", GRUNTZ, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "Something happens when a Grunt "
         "gets there.", NULL},
    {"EyeCandy", GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"EyeCandyAni", GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"FallingDebris", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"FireBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"FirstSuperCheckpoint", CLAW, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "A flag where the game is "
         "saved.", NULL},
    {"Fish", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"Flare", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"FloorSpike", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spikes that come out of the ground.",
         NULL},
    {"FloorSpike2", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spikes that come out of the ground.",
         NULL},
    {"FloorSpike3", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spikes that come out of the ground.",
         NULL},
    {"FloorSpike4", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spikes that come out of the ground.",
         NULL},
    {"FortressFlag", GRUNTZ, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "The flag to bring the Warpstone "
         "to.", NULL},
    {"FrontAniCandy", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture that moves.", ani_uses},
    {"FrontCandy", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture behind or before the scene.",
         NULL},
    {"FrontCrate", CLAW, LVL_WWD_KIND_CONTAINER, LVL_WWD_RANGE_NONE, "A crate that breaks and sets free "
         "what it holds.", crate_uses},
    {"FrontStackedCrates", CLAW, LVL_WWD_KIND_CONTAINER, LVL_WWD_RANGE_NONE, "A stack of crates; each sets "
         "free an item.", crate_uses},
    {"FrontStatue", CLAW, LVL_WWD_KIND_CONTAINER, LVL_WWD_RANGE_NONE, "A statue that breaks and sets free "
         "what it holds.", crate_uses},
    {"Gabriel", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"GabrielBomb", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"GabrielCannon", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"GiantRock", GRUNTZ, LVL_WWD_KIND_PUZZLE, LVL_WWD_RANGE_NONE, "Something that blocks the way and can "
         "be broken.", NULL},
    {"GlitterBaby", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"GlitterMother", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"GlitterlessPowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "An item without glitter; the "
         "image set tells which.", item_uses},
    {"GlobalAmbientSound", CLAW | GRUNTZ, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "A sound that is heard "
         "everywhere.", ambient_uses},
    {"GoldPowerup", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"GooBubble", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"GooCoverup", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"GooVent", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spits from the ground.", NULL},
    {"GroundBlower", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "Air from the ground that carries "
         "one up.", NULL},
    {"GroundCannon", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"GruntCreationPoint", GRUNTZ, LVL_WWD_KIND_UNIT, LVL_WWD_RANGE_NONE, "Where a Grunt begins or is made.",
         NULL},
    {"GruntPuddle", GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"GruntStartingPoint", GRUNTZ, LVL_WWD_KIND_UNIT, LVL_WWD_RANGE_NONE, "Where a Grunt begins or is made.",
         NULL},
    {"GuardPoint", GRUNTZ, LVL_WWD_KIND_PUZZLE, LVL_WWD_RANGE_NONE, "A point on the way of a computer "
         "player.", NULL},
    {"HealthFrame", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"HealthPowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "Food or a potion; the image set "
         "tells which.", item_uses},
    {"HermitCrab", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"HitBurst", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"HugeSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Plays a sound when Claw comes near.",
         trigger_uses},
    {"IceBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"InGameIcon", GRUNTZ, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "A tool, toy or power to pick up.", NULL},
    {"InGameText", GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A hint to read.", NULL},
    {"JumpSwitch", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A switch to jump on.", NULL},
    {"Katherine", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"KitchenSlime", GRUNTZ, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Something that hurts Gruntz.", NULL},
    {"Laser", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A ray that goes on and off.", laser_uses},
    {"LavaGeyser", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spits from the ground.", NULL},
    {"LavaHand", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spits from the ground.", NULL},
    {"LavaHandProjectile", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while "
         "it runs; not meant for a level.", NULL},
    {"LavaMouth", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Spits from the ground.", NULL},
    {"LightningBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"LivesFrame", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"LogicAttack", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"LogicHit", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"MagicBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"MagicPowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "Magic for the claw; the image set "
         "tells which.", item_uses},
    {"MapPieceLogic", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"MapProgressLogic", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"Marrow", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"MarrowFloor", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"MenuClaw", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"MenuSparkle", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"Mercat", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"Message", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; not "
         "meant for a level.", NULL},
    {"MultiStats", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"ObjectDropper", GRUNTZ, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Something that hurts Gruntz.", NULL},
    {"Officer", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"Omar", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"OmarBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"OmarShield", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"OneTimeStartSteppingStone", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A stone that moves "
         "once somebody steps on it.", NULL},
    {"OneWayStartElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that starts when "
         "somebody steps on it and goes one way.", lift_uses},
    {"OneWayTriggerElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that waits for a "
         "trigger and goes one way.", lift_uses},
    {"Parrot", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"PathElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A lift that follows a path of up to "
         "eight steps.", path_uses},
    {"PegLeg", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"PistolBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"PointsIcon", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"PowderKeg", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A keg that explodes when hit.", NULL},
    {"PowerupGlitter", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"PunkRat", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"RainCloud", GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"Rat", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"RatBomb", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; not "
         "meant for a level.", NULL},
    {"Raux", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"RedTail", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"RedTailBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"RedTailKnife", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"RedTailPirate", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"RedTailSpikes", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"RedTailWind", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"RobberThief", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"RollingBall", GRUNTZ, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Something that hurts Gruntz.", NULL},
    {"SawBlade", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A saw that comes out of the ground.", NULL},
    {"SawBlade2", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A saw that comes out of the ground.", NULL},
    {"SawBlade3", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A saw that comes out of the ground.", NULL},
    {"SawBlade4", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A saw that comes out of the ground.", NULL},
    {"ScoreFrame", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"ScoreRibbon", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"Seagull", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"SecondSuperCheckpoint", CLAW, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "A flag where the game is "
         "saved.", NULL},
    {"SecretLevelTrigger", GRUNTZ, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "Something happens when a "
         "Grunt gets there.", NULL},
    {"SecretTeleporterTrigger", GRUNTZ, LVL_WWD_KIND_CHECKPOINT, LVL_WWD_RANGE_NONE, "Something happens "
         "when a Grunt gets there.", NULL},
    {"Shake", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"SimpleAnimation", CLAW, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "A picture that moves.", ani_uses},
    {"SingleFrameMessage", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while "
         "it runs; not meant for a level.", NULL},
    {"SinglePlank", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "One plank of a row.", NULL},
    {"Siren", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"SirenBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"SkullCannon", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A cannon.", cannon_uses},
    {"SlidingElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that moves all the time.",
         lift_uses},
    {"SmallSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Plays a sound when Claw comes "
         "near.", trigger_uses},
    {"Soldier", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"SoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Plays a sound when Claw comes near.",
         trigger_uses},
    {"SpecialPowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "A power for a while, an extra life, "
         "or (image set GAME_WARP…) a warp; the image set tells which.", special_uses},
    {"Splash", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; not "
         "meant for a level.", NULL},
    {"SpotAmbientSound", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "A sound that is heard near it.",
         ambient_uses},
    {"SpotLight", GRUNTZ, LVL_WWD_KIND_SCENERY, LVL_WWD_RANGE_NONE, "Scenery.", NULL},
    {"SpringBoard", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A board that throws one up.", NULL},
    {"Stalactite", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Falls on those below.", NULL},
    {"StandardElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that moves all the "
         "time.", lift_uses},
    {"StartElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that starts when somebody "
         "steps on it.", lift_uses},
    {"StartSteppingStone", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A stone that moves once "
         "somebody steps on it.", NULL},
    {"StaticHazard", GRUNTZ, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Something that hurts Gruntz.", NULL},
    {"StationaryLight", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"StatusNumberDigit", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"SteppingStone", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A stone that sinks and comes back "
         "in turn.", NULL},
    {"SteppingStone2", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A stone that sinks and comes back "
         "in turn.", NULL},
    {"SteppingStone3", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A stone that sinks and comes back "
         "in turn.", NULL},
    {"SteppingStone4", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A stone that sinks and comes back "
         "in turn.", NULL},
    {"StopElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that stops when somebody "
         "steps on it.", lift_uses},
    {"SuperCheckpointAttack", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself "
         "while it runs; not meant for a level.", NULL},
    {"SuperPowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "A power for a while.", item_uses},
    {"TProjectile", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Something that flies.", NULL},
    {"TallSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Plays a sound when Claw comes near.",
         trigger_uses},
    {"Teleporter", GRUNTZ, LVL_WWD_KIND_WARP, LVL_WWD_RANGE_NONE, "A warp.", warp_uses},
    {"Tentacle", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "Part of a fight with a boss.", NULL},
    {"TigerGuard", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"TileSecretTrigger", GRUNTZ, LVL_WWD_KIND_PUZZLE, LVL_WWD_RANGE_NONE, "A switch and the tiles that it "
         "changes.", NULL},
    {"TileTrigger", GRUNTZ, LVL_WWD_KIND_PUZZLE, LVL_WWD_RANGE_NONE, "A switch and the tiles that it "
         "changes.", NULL},
    {"TileTriggerSwitch", GRUNTZ, LVL_WWD_KIND_PUZZLE, LVL_WWD_RANGE_NONE, "A switch and the tiles that it "
         "changes.", NULL},
    {"TimerFrame", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"TinySoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Plays a sound when Claw comes near.",
         trigger_uses},
    {"TogglePeg", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A peg that comes and goes.", peg_uses},
    {"TogglePeg2", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A peg that comes and goes.", peg_uses},
    {"TogglePeg3", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A peg that comes and goes.", peg_uses},
    {"TogglePeg4", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A peg that comes and goes.", peg_uses},
    {"ToobSpikez", GRUNTZ, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Something that hurts Gruntz.", NULL},
    {"TowerCannonLeft", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A cannon.", cannon_uses},
    {"TowerCannonRight", CLAW, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "A cannon.", cannon_uses},
    {"TownGuard1", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"TownGuard2", CLAW, LVL_WWD_KIND_ENEMY, LVL_WWD_RANGE_PATROL, "An enemy.", enemy_uses},
    {"TreasureCounter", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"TreasureLogic", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"TreasurePowerup", CLAW, LVL_WWD_KIND_PICKUP, LVL_WWD_RANGE_NONE, "A treasure that glitters; the "
         "image set tells which.", item_uses},
    {"TridentBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"TriggerElevator", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_TRAVEL, "A lift that waits for a "
         "trigger.", lift_uses},
    {"UFO", GRUNTZ, LVL_WWD_KIND_HAZARD, LVL_WWD_RANGE_NONE, "Something that hurts Gruntz.", NULL},
    {"VoiceTrigger", GRUNTZ, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Says something when a Grunt gets "
         "there.", NULL},
    {"WaterRock", CLAW, LVL_WWD_KIND_PLATFORM, LVL_WWD_RANGE_NONE, "A rock in the water.", NULL},
    {"WayPoint", GRUNTZ, LVL_WWD_KIND_PUZZLE, LVL_WWD_RANGE_NONE, "A point on the way of a computer player.",
         NULL},
    {"WeaponFrame", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"WideSoundTrigger", CLAW, LVL_WWD_KIND_SOUND, LVL_WWD_RANGE_NONE, "Plays a sound when Claw comes near.",
         trigger_uses},
    {"WindDebris", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it runs; "
         "not meant for a level.", NULL},
    {"Wolvington", CLAW, LVL_WWD_KIND_BOSS, LVL_WWD_RANGE_NONE, "The boss of a level.", boss_uses},
    {"WolvingtonBullet", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
    {"WolvingtonLFX", CLAW, LVL_WWD_KIND_ENGINE, LVL_WWD_RANGE_NONE, "Made by the game itself while it "
         "runs; not meant for a level.", NULL},
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

const char *lvl_wwd_item_name(int32_t item)
{
    static const char *const names[] = {
        NULL,
        "gold bars",
        "red ring",
        "green ring",
        "blue ring",
        "purple ring",
        "necklace",
        "red cross",
        "green cross",
        "blue cross",
        "purple cross",
        "red scepter",
        "green scepter",
        "blue scepter",
        "purple scepter",
        "red gecko",
        "green gecko",
        "blue gecko",
        "purple gecko",
        "bag of death",
        "shot",
        "bag of shots",
        "catnip",
        "large catnip",
        "food",
        "large potion",
        "small potion",
        "medium potion",
        "magic glow",
        "star glow",
        "magic claw",
        "piece of the map",
        "warp",
        "coins",
        "dynamite",
        "curse on ammunition",
        "curse on magic",
        "curse on health",
        "curse on life",
        "curse on treasure",
        "freezing curse",
        "red chalice",
        "green chalice",
        "blue chalice",
        "purple chalice",
        "red crown",
        "green crown",
        "blue crown",
        "purple crown",
        "red skull",
        "green skull",
        "blue skull",
        "purple skull",
        "ghost",
        "invulnerability",
        "extra life",
        "fire sword",
        "lightning sword",
        "ice sword",
    };
    if (item == 61)
        return "food";
    return item > 0 && (size_t)item < sizeof names / sizeof names[0] ? names[item] : NULL;
}
