/*
 * wap32/logics.c: the logics that CLAW.EXE registers (212), CrazyHook's one, and those that the shipped
 * levels of Gruntz use (34).
 */
#include "wap32/logics.h"

#include "base/search.h"
#include "base/text.h"

#include <string.h>

#define CLAW   LVL_WWD_IN_CLAW
#define GRUNTZ LVL_WWD_IN_GRUNTZ
/* clang-format off */
#define ROW(name, games, kind, range) {name, games, LVL_WWD_KIND_##kind, LVL_WWD_RANGE_##range}
static const lvl_wwd_logic logics[] = {
    ROW("AmbientPosSound", CLAW, SOUND, AREA),
    ROW("AmbientSound", CLAW, SOUND, AREA),
    ROW("AmmoPowerup", CLAW, PICKUP, NONE),
    ROW("AmuletGemLogic", CLAW, ENGINE, NONE),
    ROW("AniCycle", CLAW, SCENERY, NONE),
    ROW("AniCycleNormal", CLAW, SCENERY, NONE),
    ROW("AniRope", CLAW, PLATFORM, NONE),
    ROW("Aquatis", CLAW, BOSS, NONE),
    ROW("AquatisCrack", CLAW, BOSS, NONE),
    ROW("AquatisDynamite", CLAW, BOSS, NONE),
    ROW("AquatisStalactite", CLAW, BOSS, NONE),
    ROW("BackStackedCrates", CLAW, CONTAINER, NONE),
    ROW("BackgroundLogic", CLAW, SCENERY, NONE),
    ROW("BearSailor", CLAW, ENEMY, PATROL),
    ROW("BehindAniCandy", CLAW, SCENERY, NONE),
    ROW("BehindCandy", CLAW | GRUNTZ, SCENERY, NONE),
    ROW("BehindCandyAni", GRUNTZ, SCENERY, NONE),
    ROW("BehindCrate", CLAW, CONTAINER, NONE),
    ROW("BehindStatue", CLAW, CONTAINER, NONE),
    ROW("BigSoundTrigger", CLAW, SOUND, NONE),
    ROW("BlinkingEyes", CLAW, SCENERY, NONE),
    ROW("BossHealthMeter", CLAW, ENGINE, NONE),
    ROW("BossStager", CLAW, CHECKPOINT, NONE),
    ROW("BossStagerAttack", CLAW, ENGINE, NONE),
    ROW("BossWarp", CLAW, WARP, NONE),
    ROW("BouncingGoodie", CLAW, ENGINE, NONE),
    ROW("BreakPlank", CLAW, PLATFORM, NONE),
    ROW("Brickz", GRUNTZ, PUZZLE, NONE),
    ROW("Bullet", CLAW, ENGINE, NONE),
    ROW("CannonBall", CLAW, ENGINE, NONE),
    ROW("CannonButton", CLAW, BOSS, NONE),
    ROW("CannonSwitch", CLAW, BOSS, NONE),
    ROW("CaptainClaw", CLAW, ENGINE, NONE),
    ROW("CaptainClawHit", CLAW, ENGINE, NONE),
    ROW("CaptainClawRemoteRacer", CLAW, ENGINE, NONE),
    ROW("CaptainClawScreenPosition", CLAW, ENGINE, NONE),
    ROW("Chameleon", CLAW, ENEMY, PATROL),
    ROW("Checkpoint", CLAW, CHECKPOINT, NONE),
    ROW("CheckpointAttack", CLAW, ENGINE, NONE),
    ROW("CheckpointTimer", CLAW, ENGINE, NONE),
    ROW("CheckpointTrigger", GRUNTZ, CHECKPOINT, NONE),
    ROW("ChildChar", CLAW, ENGINE, NONE),
    ROW("ChildLight", CLAW, ENGINE, NONE),
    ROW("ChildRibbon", CLAW, ENGINE, NONE),
    ROW("ChildScoreNum", CLAW, ENGINE, NONE),
    ROW("ClawDialogBigSoundTrigger", CLAW, SOUND, NONE),
    ROW("ClawDialogHugeSoundTrigger", CLAW, SOUND, NONE),
    ROW("ClawDialogSmallSoundTrigger", CLAW, SOUND, NONE),
    ROW("ClawDialogSound", CLAW, ENGINE, NONE),
    ROW("ClawDialogSoundTrigger", CLAW, SOUND, NONE),
    ROW("ClawDialogTallSoundTrigger", CLAW, SOUND, NONE),
    ROW("ClawDialogTinySoundTrigger", CLAW, SOUND, NONE),
    ROW("ClawDialogWideSoundTrigger", CLAW, SOUND, NONE),
    ROW("ClawMultiRacer", CLAW, ENGINE, NONE),
    ROW("CoinPowerup", CLAW, ENGINE, NONE),
    ROW("ConveyorBelt", CLAW, PLATFORM, NONE),
    ROW("CoveredPowerup", GRUNTZ, CONTAINER, NONE),
    ROW("CrabBomb", CLAW, ENGINE, NONE),
    ROW("CrabNest", CLAW, ENEMY, PATROL),
    ROW("Crate", CLAW, ENGINE, NONE),
    ROW("CrateHit", CLAW, ENGINE, NONE),
    ROW("CratePowerup", CLAW, ENGINE, NONE),
    ROW("CrazyHook", CLAW, ENEMY, PATROL),
    ROW("CrumblingPeg", CLAW, PLATFORM, NONE),
    ROW("CrumblingPegNoRespawn", CLAW, PLATFORM, NONE),
    ROW("CursePowerup", CLAW, PICKUP, NONE),
    ROW("CustomLogic", CLAW, SCRIPT, NONE),
    ROW("CutThroat", CLAW, ENEMY, PATROL),
    ROW("DoNothing", CLAW | GRUNTZ, SCENERY, NONE),
    ROW("DoNothingNormal", CLAW, SCENERY, NONE),
    ROW("Dynamite", CLAW, HAZARD, NONE),
    ROW("Elevator", CLAW, PLATFORM, TRAVEL),
    ROW("EndLevelGem", CLAW, EXIT, NONE),
    ROW("EndOfLevelPowerup", CLAW, EXIT, NONE),
    ROW("EnemyDialogSound", CLAW, ENGINE, NONE),
    ROW("ExitTrigger", GRUNTZ, EXIT, NONE),
    ROW("EyeCandy", GRUNTZ, SCENERY, NONE),
    ROW("EyeCandyAni", GRUNTZ, SCENERY, NONE),
    ROW("FallingDebris", CLAW, ENGINE, NONE),
    ROW("FireBullet", CLAW, ENGINE, NONE),
    ROW("FirstSuperCheckpoint", CLAW, CHECKPOINT, NONE),
    ROW("Fish", CLAW, ENEMY, PATROL),
    ROW("Flare", CLAW, SCENERY, NONE),
    ROW("FloorSpike", CLAW, HAZARD, NONE),
    ROW("FloorSpike2", CLAW, HAZARD, NONE),
    ROW("FloorSpike3", CLAW, HAZARD, NONE),
    ROW("FloorSpike4", CLAW, HAZARD, NONE),
    ROW("FortressFlag", GRUNTZ, CHECKPOINT, NONE),
    ROW("FrontAniCandy", CLAW, SCENERY, NONE),
    ROW("FrontCandy", CLAW, SCENERY, NONE),
    ROW("FrontCrate", CLAW, CONTAINER, NONE),
    ROW("FrontStackedCrates", CLAW, CONTAINER, NONE),
    ROW("FrontStatue", CLAW, CONTAINER, NONE),
    ROW("Gabriel", CLAW, BOSS, NONE),
    ROW("GabrielBomb", CLAW, ENGINE, NONE),
    ROW("GabrielCannon", CLAW, BOSS, NONE),
    ROW("GiantRock", GRUNTZ, PUZZLE, NONE),
    ROW("GlitterBaby", CLAW, ENGINE, NONE),
    ROW("GlitterMother", CLAW, ENGINE, NONE),
    ROW("GlitterlessPowerup", CLAW, PICKUP, NONE),
    ROW("GlobalAmbientSound", CLAW | GRUNTZ, SOUND, NONE),
    ROW("GoldPowerup", CLAW, ENGINE, NONE),
    ROW("GooBubble", CLAW, SCENERY, NONE),
    ROW("GooCoverup", CLAW, SCENERY, NONE),
    ROW("GooVent", CLAW, HAZARD, NONE),
    ROW("GroundBlower", CLAW, PLATFORM, NONE),
    ROW("GroundCannon", CLAW, ENGINE, NONE),
    ROW("GruntCreationPoint", GRUNTZ, UNIT, NONE),
    ROW("GruntPuddle", GRUNTZ, SCENERY, NONE),
    ROW("GruntStartingPoint", GRUNTZ, UNIT, NONE),
    ROW("GuardPoint", GRUNTZ, PUZZLE, NONE),
    ROW("HealthFrame", CLAW, ENGINE, NONE),
    ROW("HealthPowerup", CLAW, PICKUP, NONE),
    ROW("HermitCrab", CLAW, ENEMY, PATROL),
    ROW("HitBurst", CLAW, ENGINE, NONE),
    ROW("HugeSoundTrigger", CLAW, SOUND, NONE),
    ROW("IceBullet", CLAW, ENGINE, NONE),
    ROW("InGameIcon", GRUNTZ, PICKUP, NONE),
    ROW("InGameText", GRUNTZ, SCENERY, NONE),
    ROW("JumpSwitch", CLAW, HAZARD, NONE),
    ROW("Katherine", CLAW, BOSS, NONE),
    ROW("KitchenSlime", GRUNTZ, HAZARD, NONE),
    ROW("Laser", CLAW, HAZARD, NONE),
    ROW("LavaGeyser", CLAW, HAZARD, NONE),
    ROW("LavaHand", CLAW, HAZARD, NONE),
    ROW("LavaHandProjectile", CLAW, ENGINE, NONE),
    ROW("LavaMouth", CLAW, HAZARD, NONE),
    ROW("LightningBullet", CLAW, ENGINE, NONE),
    ROW("LivesFrame", CLAW, ENGINE, NONE),
    ROW("LogicAttack", CLAW, ENGINE, NONE),
    ROW("LogicHit", CLAW, ENGINE, NONE),
    ROW("MagicBullet", CLAW, ENGINE, NONE),
    ROW("MagicPowerup", CLAW, PICKUP, NONE),
    ROW("MapPieceLogic", CLAW, ENGINE, NONE),
    ROW("MapProgressLogic", CLAW, ENGINE, NONE),
    ROW("Marrow", CLAW, BOSS, NONE),
    ROW("MarrowFloor", CLAW, BOSS, NONE),
    ROW("MenuClaw", CLAW, ENGINE, NONE),
    ROW("MenuSparkle", CLAW, ENGINE, NONE),
    ROW("Mercat", CLAW, ENEMY, PATROL),
    ROW("Message", CLAW, ENGINE, NONE),
    ROW("MultiStats", CLAW, ENGINE, NONE),
    ROW("ObjectDropper", GRUNTZ, HAZARD, NONE),
    ROW("Officer", CLAW, ENEMY, PATROL),
    ROW("Omar", CLAW, BOSS, NONE),
    ROW("OmarBullet", CLAW, ENGINE, NONE),
    ROW("OmarShield", CLAW, ENGINE, NONE),
    ROW("OneTimeStartSteppingStone", CLAW, PLATFORM, NONE),
    ROW("OneWayStartElevator", CLAW, PLATFORM, TRAVEL),
    ROW("OneWayTriggerElevator", CLAW, PLATFORM, TRAVEL),
    ROW("Parrot", CLAW, BOSS, NONE),
    ROW("PathElevator", CLAW, PLATFORM, NONE),
    ROW("PegLeg", CLAW, ENEMY, PATROL),
    ROW("PistolBullet", CLAW, ENGINE, NONE),
    ROW("PointsIcon", CLAW, ENGINE, NONE),
    ROW("PowderKeg", CLAW, HAZARD, NONE),
    ROW("PowerupGlitter", CLAW, ENGINE, NONE),
    ROW("PunkRat", CLAW, ENEMY, PATROL),
    ROW("RainCloud", GRUNTZ, SCENERY, NONE),
    ROW("Rat", CLAW, ENEMY, PATROL),
    ROW("RatBomb", CLAW, ENGINE, NONE),
    ROW("Raux", CLAW, BOSS, NONE),
    ROW("RedTail", CLAW, BOSS, NONE),
    ROW("RedTailBullet", CLAW, ENGINE, NONE),
    ROW("RedTailKnife", CLAW, ENGINE, NONE),
    ROW("RedTailPirate", CLAW, ENEMY, PATROL),
    ROW("RedTailSpikes", CLAW, BOSS, NONE),
    ROW("RedTailWind", CLAW, BOSS, NONE),
    ROW("RobberThief", CLAW, ENEMY, PATROL),
    ROW("RollingBall", GRUNTZ, HAZARD, NONE),
    ROW("SawBlade", CLAW, HAZARD, NONE),
    ROW("SawBlade2", CLAW, HAZARD, NONE),
    ROW("SawBlade3", CLAW, HAZARD, NONE),
    ROW("SawBlade4", CLAW, HAZARD, NONE),
    ROW("ScoreFrame", CLAW, ENGINE, NONE),
    ROW("ScoreRibbon", CLAW, ENGINE, NONE),
    ROW("Seagull", CLAW, ENEMY, PATROL),
    ROW("SecondSuperCheckpoint", CLAW, CHECKPOINT, NONE),
    ROW("SecretLevelTrigger", GRUNTZ, CHECKPOINT, NONE),
    ROW("SecretTeleporterTrigger", GRUNTZ, CHECKPOINT, NONE),
    ROW("Shake", CLAW, SCENERY, NONE),
    ROW("SimpleAnimation", CLAW, SCENERY, NONE),
    ROW("SingleFrameMessage", CLAW, ENGINE, NONE),
    ROW("SinglePlank", CLAW, PLATFORM, NONE),
    ROW("Siren", CLAW, ENEMY, PATROL),
    ROW("SirenBullet", CLAW, ENGINE, NONE),
    ROW("SkullCannon", CLAW, HAZARD, NONE),
    ROW("SlidingElevator", CLAW, PLATFORM, TRAVEL),
    ROW("SmallSoundTrigger", CLAW, SOUND, NONE),
    ROW("Soldier", CLAW, ENEMY, PATROL),
    ROW("SoundTrigger", CLAW, SOUND, NONE),
    ROW("SpecialPowerup", CLAW, PICKUP, NONE),
    ROW("Splash", CLAW, ENGINE, NONE),
    ROW("SpotAmbientSound", CLAW, SOUND, NONE),
    ROW("SpotLight", GRUNTZ, SCENERY, NONE),
    ROW("SpringBoard", CLAW, PLATFORM, NONE),
    ROW("Stalactite", CLAW, HAZARD, NONE),
    ROW("StandardElevator", CLAW, PLATFORM, TRAVEL),
    ROW("StartElevator", CLAW, PLATFORM, TRAVEL),
    ROW("StartSteppingStone", CLAW, PLATFORM, NONE),
    ROW("StaticHazard", GRUNTZ, HAZARD, NONE),
    ROW("StationaryLight", CLAW, ENGINE, NONE),
    ROW("StatusNumberDigit", CLAW, ENGINE, NONE),
    ROW("SteppingStone", CLAW, PLATFORM, NONE),
    ROW("SteppingStone2", CLAW, PLATFORM, NONE),
    ROW("SteppingStone3", CLAW, PLATFORM, NONE),
    ROW("SteppingStone4", CLAW, PLATFORM, NONE),
    ROW("StopElevator", CLAW, PLATFORM, TRAVEL),
    ROW("SuperCheckpointAttack", CLAW, ENGINE, NONE),
    ROW("SuperPowerup", CLAW, PICKUP, NONE),
    ROW("TProjectile", CLAW, HAZARD, NONE),
    ROW("TallSoundTrigger", CLAW, SOUND, NONE),
    ROW("Teleporter", GRUNTZ, WARP, NONE),
    ROW("Tentacle", CLAW, BOSS, NONE),
    ROW("TigerGuard", CLAW, ENEMY, PATROL),
    ROW("TileSecretTrigger", GRUNTZ, PUZZLE, NONE),
    ROW("TileTrigger", GRUNTZ, PUZZLE, NONE),
    ROW("TileTriggerSwitch", GRUNTZ, PUZZLE, NONE),
    ROW("TimerFrame", CLAW, ENGINE, NONE),
    ROW("TinySoundTrigger", CLAW, SOUND, NONE),
    ROW("TogglePeg", CLAW, PLATFORM, NONE),
    ROW("TogglePeg2", CLAW, PLATFORM, NONE),
    ROW("TogglePeg3", CLAW, PLATFORM, NONE),
    ROW("TogglePeg4", CLAW, PLATFORM, NONE),
    ROW("ToobSpikez", GRUNTZ, HAZARD, NONE),
    ROW("TowerCannonLeft", CLAW, HAZARD, NONE),
    ROW("TowerCannonRight", CLAW, HAZARD, NONE),
    ROW("TownGuard1", CLAW, ENEMY, PATROL),
    ROW("TownGuard2", CLAW, ENEMY, PATROL),
    ROW("TreasureCounter", CLAW, ENGINE, NONE),
    ROW("TreasureLogic", CLAW, ENGINE, NONE),
    ROW("TreasurePowerup", CLAW, PICKUP, NONE),
    ROW("TridentBullet", CLAW, ENGINE, NONE),
    ROW("TriggerElevator", CLAW, PLATFORM, TRAVEL),
    ROW("UFO", GRUNTZ, HAZARD, NONE),
    ROW("VoiceTrigger", GRUNTZ, SOUND, NONE),
    ROW("WaterRock", CLAW, PLATFORM, NONE),
    ROW("WayPoint", GRUNTZ, PUZZLE, NONE),
    ROW("WeaponFrame", CLAW, ENGINE, NONE),
    ROW("WideSoundTrigger", CLAW, SOUND, NONE),
    ROW("WindDebris", CLAW, ENGINE, NONE),
    ROW("Wolvington", CLAW, BOSS, NONE),
    ROW("WolvingtonBullet", CLAW, ENGINE, NONE),
    ROW("WolvingtonLFX", CLAW, ENGINE, NONE),
};
/* clang-format on */

const lvl_wwd_logic *lvl_wwd_logics(size_t *count)
{
    *count = LVL_COUNT_OF(logics);
    return logics;
}

/* As lvl_text_compare; most names differ in their first letters, so a call would cost more. */
static int compare(lvl_text name, const char *other)
{
    size_t i = 0;

    while (i < name.len && name.ptr[i] == other[i] && other[i])
        i++;
    if (i == name.len)
        return -(other[i] != 0);
    return other[i] ? (uint8_t)name.ptr[i] - (uint8_t)other[i] : 1;
}

const lvl_wwd_logic *lvl_wwd_logic_find(lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, LVL_COUNT_OF(logics), compare(name, logics[at].name) > 0);
    return at < LVL_COUNT_OF(logics) && compare(name, logics[at].name) == 0 ? &logics[at] : NULL;
}

static bool is_placed_in(const lvl_wwd_logic *logic, unsigned games)
{
    return logic->games & games && logic->kind != LVL_WWD_KIND_ENGINE;
}

const lvl_wwd_logic *lvl_wwd_logic_near(lvl_text name, unsigned games)
{
    const lvl_wwd_logic *best = NULL;
    unsigned most = 4;

    /* the most frequent mistake is a blank at an end */
    while (name.len && name.ptr[name.len - 1] == ' ')
        name.len--;
    while (name.len && name.ptr[0] == ' ') {
        name.ptr++;
        name.len--;
    }
    if (name.len < 2 || name.len > 64)
        return NULL;
    /* with more than a third of its letters wrong it is another word */
    if ((name.len + 2) / 3 < most)
        most = (unsigned)(name.len + 2) / 3;
    for (size_t i = 0; i < LVL_COUNT_OF(logics); i++) {
        if (!is_placed_in(&logics[i], games))
            continue;
        const unsigned d = lvl_text_distance(name, lvl_text_of(logics[i].name), most);
        if (d < most || (d == most && !best)) {
            most = d;
            best = &logics[i];
        }
    }
    /* the beginning of a name, such as "Health" */
    for (size_t i = 0; !best && name.len >= 4 && i < LVL_COUNT_OF(logics); i++) {
        if (is_placed_in(&logics[i], games) && strlen(logics[i].name) > name.len &&
            memcmp(logics[i].name, name.ptr, name.len) == 0)
            best = &logics[i];
    }
    return best;
}

/* What the image sets are for whose name is no logic's: the beginnings of their names, longer ones first. */
static const struct {
    const char *start, *logic;
} usual[] = {
    {"GAME_AMMO", "AmmoPowerup"},
    {"GAME_BOSSWARP", "BossWarp"},
    {"GAME_CATNIPS", "HealthPowerup"},
    {"GAME_CHECKPOINTFLAG", "Checkpoint"},
    {"GAME_CURSES", "CursePowerup"},
    {"GAME_DYNAMITELIT", ""},
    {"GAME_DYNAMITEEXPLO", ""},
    {"GAME_DYNAMITE", "AmmoPowerup"},
    {"GAME_HEALTH", "HealthPowerup"},
    {"GAME_LIGHTFX", "Flare"},
    {"GAME_MAGICCLAW", "MagicPowerup"},
    {"GAME_MAGIC_", "MagicPowerup"},
    {"GAME_MAPPIECE", "EndOfLevelPowerup"},
    {"GAME_POWERUPS", "SpecialPowerup"},
    {"GAME_SOUNDICON", "SmallSoundTrigger"},
    {"GAME_SUPERCHECKPOINT", "FirstSuperCheckpoint"},
    {"GAME_TREASURE", "TreasurePowerup"},
    {"GAME_VERTWARP", "SpecialPowerup"},
    {"GAME_WARPGLITTER", ""},
    {"GAME_WARP", "SpecialPowerup"},
    {"LEVEL_AIRCART", "PathElevator"},
    {"LEVEL_BOSSPEG", "TogglePeg"},
    {"LEVEL_BREAKINGLEDGE", "CrumblingPeg"},
    {"LEVEL_CONVEY", "ConveyorBelt"},
    {"LEVEL_CRATES", "FrontCrate"},
    {"LEVEL_CRUMBL", "CrumblingPeg"},
    {"LEVEL_ELEVATOR", "Elevator"},
    {"LEVEL_FLOORSAW", "SawBlade"},
    {"LEVEL_FLOORSPIKE", "FloorSpike"},
    {"LEVEL_GRILLELEVATOR", "Elevator"},
    {"LEVEL_HEALTH", "HealthPowerup"},
    {"LEVEL_PEGLEG", "PegLeg"},
    {"LEVEL_PEG", "TogglePeg"},
    {"LEVEL_PROJECTILES_STALACTITE", "Stalactite"},
    {"LEVEL_SHOOTERS", "TProjectile"},
    {"LEVEL_SLIDERPEG", "TogglePeg"},
    {"LEVEL_SPRING", "SpringBoard"},
    {"LEVEL_STEPPINGSTONE", "StartSteppingStone"},
};

lvl_text lvl_wwd_usual_logic(lvl_text image_set, unsigned games)
{
    const char *part = memchr(image_set.ptr, '_', image_set.len);

    for (size_t i = 0; games & CLAW && i < LVL_COUNT_OF(usual); i++) {
        if (lvl_text_begins_nocase(image_set, usual[i].start))
            return lvl_text_of(usual[i].logic);
    }
    const size_t from = part ? (size_t)(part - image_set.ptr) + 1 : 0;
    const lvl_text name = {image_set.ptr + from, image_set.len - from};
    for (size_t i = 0; i < LVL_COUNT_OF(logics); i++) {
        if (is_placed_in(&logics[i], games) && lvl_text_equal_nocase(name, lvl_text_of(logics[i].name)))
            return lvl_text_of(logics[i].name);
    }
    return (lvl_text){"", 0};
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
