/*
 * graal/gani/gani_tables.c: the tables of an animation, and the names of its versions and effects.
 */
#include <lvl/gani.h>

#define BIT(v) ((uint64_t)1 << (v))

/* clang-format off */
static const lvl_name version_names[] = {
    {LVL_GANI_BARE, "none", "No header: the file begins with its definitions. All loaders take it."},
    {LVL_GANI0001, "GANI0001", "An animation."},
    {LVL_GANI0002, "GANI0002", "A movie."},
    {LVL_GANI0FP4, "GANI0FP4", "An obfuscated export, which is not read."},
    {0, NULL, NULL},
};

static const lvl_name effect_names[] = {
    {LVL_GANI_COLOR, "color", "COLOREFFECT: colours are multiplied."},
    {LVL_GANI_ZOOM, "zoom", "ZOOMEFFECT: factor, about the sprite's middle."},
    {LVL_GANI_STRETCH_X, "stretch_x", "STRETCHXEFFECT: factor."},
    {LVL_GANI_STRETCH_Y, "stretch_y", "STRETCHYEFFECT: factor."},
    {LVL_GANI_ROTATE, "rotate", "ROTATEEFFECT: radians, about the sprite's middle."},
    {LVL_GANI_MODE, "mode", "EFFECTMODE: blend mode."},
    {LVL_GANI_LAYER, "layer", "LAYER: layer that it is drawn in."},
    {0, NULL, NULL},
};

static const lvl_name line_end_names[] = {
    {LVL_GANI_LF, "lf", NULL}, {LVL_GANI_CRLF, "crlf", NULL}, {0, NULL, NULL},
};

#define KEPT(T, m, k, ...) LVL_ROW(T, m, #m, k, .role = LVL_KEPT, .disk = LVL_NO_PLACE, __VA_ARGS__)
#define REAL(T, m, ...) LVL_ROW_REAL(T, m, #m, .prose = __VA_ARGS__)
#define INT(T, m, ...)  LVL_ROW_INT(T, m, #m, LVL_NO_PLACE, .prose = __VA_ARGS__)
/* a number that is in every dump, since it is an id */
#define ID(T, m, ...)   INT(T, m, __VA_ARGS__, .def = INT64_MIN)
/* the id of a sprite */
#define SPRITE(T, m, prose_) \
    LVL_ROW(T, m, #m, LVL_INT, .flags = LVL_F_SIGNED | LVL_F_BY_ID, .disk = LVL_NO_PLACE, .def = INT64_MIN, \
            .ref = "sprites", .prose = (prose_))
#define UINT(T, m, ...) LVL_ROW_UINT(T, m, #m, LVL_NO_PLACE, .prose = __VA_ARGS__)
#define TEXT(T, m, ...) LVL_ROW_TEXT(T, m, #m, .prose = __VA_ARGS__)

static const lvl_field sprite_fields[] = {
    ID(lvl_gani_sprite, id,
        "Number by which frames, attachments and effects name it. Of several sprites with "
        "the same number, the last one counts."),
    TEXT(lvl_gani_sprite, source,
        "Its sheet: a file name, or a layer (\"BODY\", \"HEAD\", \"ATTR1\", \"PARAM1\") that the player or "
        "a default fills.", .flags = LVL_F_FILE, .group = LVL_GROUP_LOOK, .common = true,
        .use = LVL_USE_PICTURE),
    INT(lvl_gani_sprite, x, "Left edge in the sheet.", .unit = "px",
        .group = LVL_GROUP_PLACE, .common = true),
    INT(lvl_gani_sprite, y, "Top edge in the sheet.", .unit = "px",
        .group = LVL_GROUP_PLACE, .common = true),
    INT(lvl_gani_sprite, width, "Width.", .unit = "px", .group = LVL_GROUP_PLACE, .common = true),
    INT(lvl_gani_sprite, height, "Height.", .unit = "px", .group = LVL_GROUP_PLACE, .common = true),
    TEXT(lvl_gani_sprite, description, "Description.", .common = true),
};
static const lvl_identity sprite_identities[] = {
    {1, {offsetof(lvl_gani_sprite, id)}},
    {5, {offsetof(lvl_gani_sprite, source), offsetof(lvl_gani_sprite, x), offsetof(lvl_gani_sprite, y),
         offsetof(lvl_gani_sprite, width), offsetof(lvl_gani_sprite, height)}},
};
const lvl_table lvl_gani_sprite_table = {
    .name = "sprite", .prose = "A rectangle of a sheet.", .struct_size = sizeof(lvl_gani_sprite),
    .fields = sprite_fields, .field_count = LVL_COUNT_OF(sprite_fields), .label = "description",
    .identities = sprite_identities, .identity_count = LVL_COUNT_OF(sprite_identities),
};

static const lvl_field attachment_fields[] = {
    SPRITE(lvl_gani_attachment, parent, "Id of the sprite that it follows."),
    SPRITE(lvl_gani_attachment, child, "Id of the sprite that is drawn."),
    REAL(lvl_gani_attachment, dx, "From the parent's left edge to its own.", .unit = "px"),
    REAL(lvl_gani_attachment, dy, "From the parent's top edge to its own.", .unit = "px"),
    UINT(lvl_gani_attachment, under, "1: drawn before the parent, under it.", .max = 1),
};
static const lvl_identity attachment_identities[] = {
    {3, {offsetof(lvl_gani_attachment, parent), offsetof(lvl_gani_attachment, child),
         offsetof(lvl_gani_attachment, under)}},
    {1, {offsetof(lvl_gani_attachment, parent)}},
};
const lvl_table lvl_gani_attachment_table = {
    .name = "attachment", .prose = "A sprite that is drawn wherever another one is.",
        .struct_size = sizeof(lvl_gani_attachment),
    .fields = attachment_fields, .field_count = LVL_COUNT_OF(attachment_fields), .label = "parent",
    .identities = attachment_identities, .identity_count = LVL_COUNT_OF(attachment_identities),
};

#define COLOR .when = {offsetof(lvl_gani_effect, kind), 1, BIT(LVL_GANI_COLOR)}
static const lvl_field effect_fields[] = {
    UINT(lvl_gani_effect, kind, "Kind of effect.", .names = effect_names, .def = -1),
    SPRITE(lvl_gani_effect, sprite, "Id of the sprite; -1: the whole animation."),
    REAL(lvl_gani_effect, red, "Factor of red, 0 to 1.", COLOR),
    REAL(lvl_gani_effect, green, "Factor of green, 0 to 1.", COLOR),
    REAL(lvl_gani_effect, blue, "Factor of blue, 0 to 1.", COLOR),
    REAL(lvl_gani_effect, alpha, "Opacity, 0 to 1.", COLOR),
    REAL(lvl_gani_effect, value, "Factor, radians, blend mode or layer.",
         .when = {offsetof(lvl_gani_effect, kind), 1, ~BIT(LVL_GANI_COLOR)}),
};
static const lvl_identity effect_identities[] = {
    {2, {offsetof(lvl_gani_effect, kind), offsetof(lvl_gani_effect, sprite)}},
};
const lvl_table lvl_gani_effect_table = {
    .name = "effect", .prose = "How a sprite is drawn.", .struct_size = sizeof(lvl_gani_effect),
    .fields = effect_fields, .field_count = LVL_COUNT_OF(effect_fields), .label = "kind",
    .identities = effect_identities, .identity_count = LVL_COUNT_OF(effect_identities),
};

static const lvl_field default_fields[] = {
    TEXT(lvl_gani_default, layer, "The layer: \"HEAD\", \"BODY\", \"ATTR1\", \"PARAM1\" …"),
    TEXT(lvl_gani_default, value,
        "Its picture, unless the player or a script sets another: a file name; empty: nothing.",
        .flags = LVL_F_FILE, .use = LVL_USE_PICTURE),
};
static const lvl_identity default_identities[] = {{1, {offsetof(lvl_gani_default, layer)}}};
const lvl_table lvl_gani_default_table = {
    .name = "default", .prose = "The default picture of a layer.", .struct_size = sizeof(lvl_gani_default),
    .fields = default_fields, .field_count = LVL_COUNT_OF(default_fields), .label = "layer",
    .identities = default_identities, .identity_count = LVL_COUNT_OF(default_identities),
};

static const lvl_field piece_fields[] = {
    SPRITE(lvl_gani_piece, sprite, "Id of the sprite."),
    TEXT(lvl_gani_piece, param,
        "\"PARAM1\" …: the program that plays the animation gives the id; empty: `sprite` is the id."),
    REAL(lvl_gani_piece, dx, "Left edge.", .unit = "px"),
    REAL(lvl_gani_piece, dy, "Top edge.", .unit = "px"),
};
static const lvl_identity piece_identities[] = {
    {2, {offsetof(lvl_gani_piece, sprite), offsetof(lvl_gani_piece, param)}},
};
const lvl_table lvl_gani_piece_table = {
    .name = "piece", .prose = "A sprite at its place.", .struct_size = sizeof(lvl_gani_piece),
    .fields = piece_fields, .field_count = LVL_COUNT_OF(piece_fields), .label = "sprite",
    .identities = piece_identities, .identity_count = LVL_COUNT_OF(piece_identities),
};

static const lvl_field direction_fields[] = {
    LVL_ROW_LIST(lvl_gani_direction, pieces, piece_count, "pieces", &lvl_gani_piece_table, lvl_gani_piece,
                 .prose = "Drawn first to last."),
};
const lvl_table lvl_gani_direction_table = {
    .name = "direction", .prose = "What a frame shows in one direction.",
        .struct_size = sizeof(lvl_gani_direction),
    .fields = direction_fields, .field_count = LVL_COUNT_OF(direction_fields),
};

static const lvl_field sound_fields[] = {
    TEXT(lvl_gani_sound, file, "File name, or a layer that gives it (\"PARAM1\").",
         .flags = LVL_F_FILE, .use = LVL_USE_SOUND),
    UINT(lvl_gani_sound, given, "Number of coordinates in the line: 2 are x and y, 1 is x.", .def = 2,
            .max = 2),
    REAL(lvl_gani_sound, x, "Position of the sound, from the left edge of the character.",
        .unit = "tiles",
         .when = {offsetof(lvl_gani_sound, given), 4, BIT(1) | BIT(2)}),
    REAL(lvl_gani_sound, y, "The same, from the top edge.", .unit = "tiles",
         .when = {offsetof(lvl_gani_sound, given), 4, BIT(2)}),
};
static const lvl_identity sound_identities[] = {{1, {offsetof(lvl_gani_sound, file)}}};
const lvl_table lvl_gani_sound_table = {
    .name = "sound", .prose = "A sound that is played when a frame begins.",
        .struct_size = sizeof(lvl_gani_sound),
    .fields = sound_fields, .field_count = LVL_COUNT_OF(sound_fields), .label = "file",
    .identities = sound_identities, .identity_count = LVL_COUNT_OF(sound_identities),
};

static const lvl_field frame_fields[] = {
    LVL_ROW_LIST(lvl_gani_frame, directions, direction_count, "directions", &lvl_gani_direction_table,
        lvl_gani_direction,
                 .prose = "Up, left, down, right; or one."),
    REAL(lvl_gani_frame, wait, "Additional ticks of 50 ms: a frame lasts wait + 1 ticks."),
    TEXT(lvl_gani_frame, wait_more, "Text after the number (\"RAND\")."),
    LVL_ROW_LIST(lvl_gani_frame, sounds, sound_count, "sounds", &lvl_gani_sound_table, lvl_gani_sound,
                 .prose = "Played when the frame begins."),
};
const lvl_table lvl_gani_frame_table = {
    .name = "frame", .prose = "A picture of the animation.", .struct_size = sizeof(lvl_gani_frame),
    .fields = frame_fields, .field_count = LVL_COUNT_OF(frame_fields),
};

static const lvl_field value_fields[] = {
    TEXT(lvl_gani_value, key, "\"dx\", \"dir\", \"ani\", \"head\", \"chat\" …"),
    TEXT(lvl_gani_value, value, "Its value from this tick on; dx and dy move evenly to the next keyframe.",
        .flags = LVL_F_FILE),
};
static const lvl_identity value_identities[] = {{1, {offsetof(lvl_gani_value, key)}}};
const lvl_table lvl_gani_value_table = {
    .name = "value", .prose = "One thing that a keyframe changes.", .struct_size = sizeof(lvl_gani_value),
    .fields = value_fields, .field_count = LVL_COUNT_OF(value_fields), .label = "key",
    .identities = value_identities, .identity_count = LVL_COUNT_OF(value_identities),
};

static const lvl_field keyframe_fields[] = {
    ID(lvl_gani_keyframe, tick, "When, in ticks of 50 ms from the start."),
    LVL_ROW_LIST(lvl_gani_keyframe, values, value_count, "values", &lvl_gani_value_table, lvl_gani_value,
                 .prose = "What changes."),
};
static const lvl_identity keyframe_identities[] = {{1, {offsetof(lvl_gani_keyframe, tick)}}};
const lvl_table lvl_gani_keyframe_table = {
    .name = "keyframe", .prose = "What changes in an actor at a tick.",
        .struct_size = sizeof(lvl_gani_keyframe),
    .fields = keyframe_fields, .field_count = LVL_COUNT_OF(keyframe_fields), .label = "tick",
    .identities = keyframe_identities, .identity_count = LVL_COUNT_OF(keyframe_identities),
};

static const lvl_field actor_fields[] = {
    TEXT(lvl_gani_actor, kind, "\"CHAR\", \"SPRITE\", \"SOUND\" or \"TEXT\"."),
    TEXT(lvl_gani_actor, name, "Name, for people."),
    LVL_ROW_LIST(lvl_gani_actor, keyframes, keyframe_count, "keyframes", &lvl_gani_keyframe_table,
        lvl_gani_keyframe,
                 .prose = "By tick."),
};
static const lvl_identity actor_identities[] = {
    {2, {offsetof(lvl_gani_actor, kind), offsetof(lvl_gani_actor, name)}},
    {1, {offsetof(lvl_gani_actor, name)}},
};
const lvl_table lvl_gani_actor_table = {
    .name = "actor", .prose = "A character, sprite, sound or text of a movie.",
    .struct_size = sizeof(lvl_gani_actor),
    .fields = actor_fields, .field_count = LVL_COUNT_OF(actor_fields), .label = "name",
    .identities = actor_identities, .identity_count = LVL_COUNT_OF(actor_identities),
};

static const lvl_field gani_fields[] = {
    UINT(lvl_gani, version, "The file's first line.", .names = version_names, .def = LVL_GANI0001,
        .summary = {.show = LVL_SHOW, .order = -1, .label = "version"}),
    LVL_ROW_LIST(lvl_gani, sprites, sprite_count, "sprites", &lvl_gani_sprite_table, lvl_gani_sprite,
                 .prose = "Rectangles of sheets that pieces show.",
                 .summary = {.show = LVL_SHOW, .label = "sprites"}),
    LVL_ROW_LIST(lvl_gani, attachments, attachment_count, "attachments", &lvl_gani_attachment_table,
        lvl_gani_attachment,
                 .prose = "Sprites that are drawn wherever others are.",
                 .summary = {.show = LVL_SHOW_FILLED, .label = "attachments"}),
    LVL_ROW_LIST(lvl_gani, effects, effect_count, "effects", &lvl_gani_effect_table, lvl_gani_effect,
                 .prose = "How sprites are drawn.",
                 .summary = {.show = LVL_SHOW_FILLED, .label = "effects"}),
    UINT(lvl_gani, loop, "1: starts again when it has ended.", .max = 1,
        .summary = {.show = LVL_SHOW, .label = "loops", .key = "loops"}),
    UINT(lvl_gani, continuous, "1: keeps its position when it is started again while it plays.", .max = 1,
        .summary = {.show = LVL_SHOW, .label = "keeps its place"}),
    UINT(lvl_gani, single_direction, "1: frames have one direction, which is shown for all four.", .max = 1),
    TEXT(lvl_gani, setback_to, "Played after the end: an animation, or the index of a frame.",
         .flags = LVL_F_STEM, .use = LVL_USE_ANIMATION,
         .summary = {.show = LVL_SHOW_FILLED, .label = "goes back to"}),
    TEXT(lvl_gani, back_color, "Background in the editor, \"#rrggbb\"."),
    LVL_ROW_LIST(lvl_gani, defaults, default_count, "defaults", &lvl_gani_default_table, lvl_gani_default,
                 .prose = "Default pictures of layers."),
    LVL_ROW_TEXTS(lvl_gani, others, other_count, "others",
        .prose = "Lines among the definitions with an unknown keyword."),
    TEXT(lvl_gani, script, "A script that runs while it plays.", .flags = LVL_F_LINES, .part = "scripts",
        .summary = {.show = LVL_SHOW_FILLED, .order = 1, .label = "script", .key = "script_lines"}),
    LVL_ROW_LIST(lvl_gani, frames, frame_count, "frames", &lvl_gani_frame_table, lvl_gani_frame,
                 .prose = "Its pictures, in their order.",
                 .summary = {.show = LVL_SHOW, .order = -1, .label = "frames"}),
    INT(lvl_gani, length, "Length of a movie; a tick is 50 ms.", .unit = "ticks",
        .summary = {.show = LVL_SHOW, .order = -1, .label = "length"}),
    LVL_ROW_LIST(lvl_gani, actors, actor_count, "actors", &lvl_gani_actor_table, lvl_gani_actor,
                 .prose = "Actors of a movie.",
                 .summary = {.show = LVL_SHOW, .order = -1, .label = "actors"}),
    KEPT(lvl_gani, line_end, LVL_INT, .names = line_end_names, .prose = "How lines end."),
    KEPT(lvl_gani, source, LVL_TEXT, .flags = LVL_F_LINES,
         .prose = "The file, where lvl would write it differently; unchanged parts are copied from it."),
};
const lvl_table lvl_gani_table = {
    .name = "gani", .prose = "An animation or a movie.", .struct_size = sizeof(lvl_gani),
    .fields = gani_fields, .field_count = LVL_COUNT_OF(gani_fields),
};
/* clang-format on */
