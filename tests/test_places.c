/*
 * Places follow: after a resize in all nine anchors, the ranges, areas, points and tile addresses of the objects
 * of all real levels have their place beside their objects, and resizing back gives the same document. What must
 * move is said here a second time, for the logics where a mistake breaks a level.
 */
#include "base/format.h"
#include "corpus.h"

#include <lvl/tools.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define AT(m) ((uint16_t)offsetof(lvl_wwd_object, m))
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a member is in no parentheses */
#define RECT(m) AT(m.left), AT(m.top), AT(m.right), AT(m.bottom)
#define RANGE   AT(min_x), AT(min_y), AT(max_x), AT(max_y)
enum { FIELDS = 8, PLACES = 32 };

/* Members that are x, y, x, y … in px, and when none of them is set. */
static const struct rule {
    const char *logic;
    enum { IF_NOT_0, IF_ANY, IF_ABOVE_0 } when;
    uint16_t fields[FIELDS];
    int count;
} rules[] = {
    {"Elevator", IF_ANY, {AT(min_x), 0, AT(max_x), 0}, 4},
    {"Elevator", IF_ANY, {0, AT(min_y), 0, AT(max_y)}, 4},
    {"StartElevator", IF_NOT_0, {RANGE}, 4},
    {"TriggerElevator", IF_NOT_0, {RANGE}, 4},
    {"Officer", IF_NOT_0, {RANGE}, 4},
    {"Rat", IF_NOT_0, {RANGE}, 4},
    {"PegLeg", IF_NOT_0, {RANGE}, 4},
    {"CrabNest", IF_ANY, {RANGE}, 4},
    {"Stalactite", IF_ANY, {RECT(user_rect1)}, 4},
    {"LavaHand", IF_ANY, {RANGE}, 4},
    {"TProjectile", IF_ANY, {RANGE}, 4},
    {"Shake", IF_ANY, {RECT(attack_rect)}, 4},
    {"JumpSwitch", IF_ANY, {RANGE}, 4},
    {"AmbientSound", IF_ANY, {RANGE}, 4},
    {"AmbientSound", IF_ANY, {RECT(hit_rect)}, 4},
    {"AmbientSound", IF_ANY, {RECT(attack_rect)}, 4},
    {"GlobalAmbientSound", IF_ANY, {RECT(hit_rect)}, 4},
    {"SpecialPowerup", IF_ABOVE_0, {AT(speed_x), AT(speed_y)}, 2},
    {"BossWarp", IF_ABOVE_0, {AT(speed_x), AT(speed_y)}, 2},
    {"Raux", IF_ABOVE_0, {AT(speed_x), AT(speed_y)}, 2},
};
/* What looks like a place and is none. */
static const struct {
    const char *logic;
    uint16_t field;
} still[] = {
    {"SpringBoard", AT(max_y)},          {"GroundBlower", AT(max_y)},     {"PathElevator", AT(move_rect.top)},
    {"PathElevator", AT(hit_rect.left)}, {"FloorSpike", AT(speed_x)},     {"TogglePeg", AT(speed_x)},
    {"TProjectile", AT(speed_x)},        {"Elevator", AT(speed_x)},       {"Elevator", AT(width)},
    {"AmbientSound", AT(move_rect.top)}, {"StandardElevator", AT(min_x)}, {"Rat", AT(speed_x)}};

static struct {
    size_t levels, objects, numbers, switches, right_before, right_after, refused;
} seen;

static char folder[1024];

static int32_t number(const lvl_wwd_object *o, uint16_t at)
{
    int32_t value;

    memcpy(&value, (const uint8_t *)o + at, sizeof value);
    return value;
}

static void check_object(const char *name, const lvl_wwd_object *was, const lvl_wwd_object *now, int32_t dx,
                         int32_t dy)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct rule *r = &rules[i];
        bool any = false, all = true;
        if (!lvl_text_is(was->logic, r->logic))
            continue;
        for (int k = 0; k < r->count; k++) {
            any |= r->fields[k] && number(was, r->fields[k]) != 0;
            all &= !r->fields[k] || number(was, r->fields[k]) > 0;
        }
        for (int k = 0; k < r->count; k++) {
            const int32_t value = r->fields[k] ? number(was, r->fields[k]) : 0;
            const bool moves = r->when == IF_NOT_0 ? value != 0 : r->when == IF_ANY ? any : all;
            if (!r->fields[k])
                continue;
            seen.numbers += moves;
            if (number(now, r->fields[k]) != value + (moves ? k % 2 ? dy : dx : 0))
                fail_msg("%s: %s at %d, %d: member at %u was %d, is %d; the level moved by %d, %d", name,
                         r->logic, was->x, was->y, (unsigned)r->fields[k], value, number(now, r->fields[k]),
                         dx, dy);
        }
    }
    for (size_t i = 0; i < sizeof still / sizeof still[0]; i++) {
        if (lvl_text_is(was->logic, still[i].logic) &&
            number(was, still[i].field) != number(now, still[i].field))
            fail_msg("%s: %s: member at %u moved", name, still[i].logic, (unsigned)still[i].field);
    }
}

static bool is_right(const lvl_wwd_object *o)
{
    const int32_t column = o->x / 32, row = o->y / 32;

    return o->id == 256 * column + row && o->speed_x == column && o->speed_y == row;
}

static void check_objects(const char *name, const lvl_wwd_plane *was, const lvl_wwd_plane *now, int32_t dx,
                          int32_t dy)
{
    assert_int_equal(was->object_count, now->object_count);
    for (uint32_t i = 0; i < was->object_count; i++) {
        const lvl_wwd_object *a = &was->objects[i], *b = &now->objects[i];
        assert_int_equal(b->x - a->x, dx);
        assert_int_equal(b->y - a->y, dy);
        seen.objects++;
        check_object(name, a, b, dx, dy);
        if (lvl_text_is(a->logic, "TileTriggerSwitch")) {
            seen.switches++;
            seen.right_before += is_right(a);
            seen.right_after += is_right(b);
            if (is_right(b) != is_right(a))
                fail_msg("%s: switch at %d, %d with %d, %d, %d is now at %d, %d with %d, %d, %d", name, a->x,
                         a->y, a->id, a->speed_x, a->speed_y, b->x, b->y, b->id, b->speed_x, b->speed_y);
        }
    }
}

static lvl_doc *open_level(const lvl_ctx *ctx, lvl_bytes bytes)
{
    lvl_doc *doc = NULL;

    return lvl_read(&doc, ctx, lvl_format_find("wwd"), bytes, NULL, LVL_READ_BORROW, NULL) == LVL_OK ? doc
                                                                                                     : NULL;
}

/* Grows the level by 6 columns and 4 rows on the sides opposite to the anchor, and back. */
static void check_level(const char *name, const lvl_ctx *ctx, lvl_bytes bytes, int anchor_x, int anchor_y)
{
    lvl_doc *doc = open_level(ctx, bytes), *moved = doc ? open_level(ctx, bytes) : NULL;
    uint32_t main = 0;

    if (!doc || !moved || !lvl_wwd_main_plane(lvl_wwd_of(doc), &main)) {
        lvl_doc_free(doc);
        lvl_doc_free(moved);
        return;
    }
    const lvl_wwd_plane *was = &lvl_wwd_of(doc)->planes[main], *now = &lvl_wwd_of(moved)->planes[main];
    const uint32_t width = was->tiles.width, height = was->tiles.height;
    const lvl_resize_options larger = {
        .width = width + 6, .height = height + 4, .anchor_x = anchor_x, .anchor_y = anchor_y};
    const lvl_resize_options back = {
        .width = width, .height = height, .anchor_x = anchor_x, .anchor_y = anchor_y};
    const lvl_status status = lvl_resize(moved, &larger, NULL, NULL);
    if (status != LVL_OK) {
        seen.refused++;
    } else {
        const int32_t dx = (anchor_x + 1) * 3 * was->tile_width, dy = (anchor_y + 1) * 2 * was->tile_height;
        check_objects(name, was, now, dx, dy);
        assert_int_equal(lvl_resize(moved, &back, NULL, NULL), LVL_OK);
        if (!lvl_record_equal(doc->root, moved->root, &lvl_wwd_table))
            fail_msg("%s: there and back with the anchor %d, %d gives another document", name, anchor_x,
                     anchor_y);
    }
    lvl_doc_free(doc);
    lvl_doc_free(moved);
}

static void places_follow_in_real_levels(void **state)
{
    lvl_paths paths;
    lvl_ctx ctx;

    (void)state;
    if (!folder[0])
        skip();
    lvl_ctx_init(&ctx);
    assert_true(lvl_paths_below(&paths, folder, "wwd"));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        seen.levels++;
        for (int anchor = 0; anchor < 9; anchor++) {
            /* all nine of every eighth level and of those of Gruntz, two of the others */
            const bool whole = i % 8 == 0 || getenv("LVL_ALL") || strstr(paths.items[i], "AREA");
            if (whole || anchor == (int)(i % 8) || anchor == 8)
                check_level(lvl_path_name(paths.items[i]), &ctx, (lvl_bytes){data, len}, anchor % 3 - 1,
                            anchor / 3 - 1);
        }
        free(data);
    }
    lvl_paths_free(&paths);
    fprintf(
        stderr,
        "%zu levels: %zu objects, %zu places moved; %zu switches, %zu right before, %zu after; %zu resizes "
        "refused\n",
        seen.levels, seen.objects, seen.numbers, seen.switches, seen.right_before, seen.right_after,
        seen.refused);
    assert_true(seen.numbers > 10000);
}

/* ---- lvl_move ------------------------------------------------------------------------------------------ */

static struct {
    size_t moved, same, sequences, refused, objects, switches, right, outside;
} did;

/* A region that is the whole plane moves as the level does when it grows at its left and upper side. */
static void check_region(const char *name, const lvl_ctx *ctx, lvl_bytes bytes)
{
    lvl_doc *grown = open_level(ctx, bytes), *moved = grown ? open_level(ctx, bytes) : NULL;
    uint32_t main = 0;

    if (!moved || !lvl_wwd_main_plane(lvl_wwd_of(moved), &main)) {
        lvl_doc_free(grown);
        lvl_doc_free(moved);
        return;
    }
    lvl_wwd *a = lvl_wwd_of(grown), *b = lvl_wwd_of(moved);
    const lvl_cells *tiles = &a->planes[main].tiles;
    const int32_t width = (int32_t)tiles->width, height = (int32_t)tiles->height;
    const lvl_resize_options at_left = {
        .width = tiles->width + 6, .height = tiles->height + 4, .anchor_x = 1, .anchor_y = 1};
    lvl_resize_options at_right = at_left;
    at_right.anchor_x = at_right.anchor_y = -1;
    const lvl_move_options move = {.region = {0, 0, width, height}, .dx = 6, .dy = 4};
    const lvl_status first = lvl_resize(grown, &at_left, NULL, NULL);
    assert_int_equal(lvl_resize(moved, &at_right, NULL, NULL), LVL_OK);
    const lvl_status second = lvl_move(moved, &move, NULL, NULL);
    if (first != LVL_OK || second != LVL_OK) {
        did.refused++;
    } else {
        const lvl_wwd_plane *x = &a->planes[main], *y = &b->planes[main];
        assert_memory_equal(x->tiles.ptr, y->tiles.ptr, (size_t)x->tiles.width * x->tiles.height * 4);
        for (uint32_t i = 0; i < x->object_count; i++) {
            const lvl_wwd_object *o = &x->objects[i], *p = &y->objects[i];
            const bool inside = o->x >= 6 * x->tile_width && o->y >= 4 * x->tile_height &&
                                o->x < (width + 6) * x->tile_width && o->y < (height + 4) * x->tile_height;
            did.outside += !inside;
            did.objects += inside;
            did.same += inside;
            if (inside && !lvl_record_equal(o, p, &lvl_wwd_object_table)) {
                did.same--;
                fprintf(stderr, "%s: object %u, %.*s, at %d, %d: not as in a resized level\n", name, i,
                        (int)o->logic.len, o->logic.ptr, o->x, o->y);
            }
            if (lvl_text_is(o->logic, "TileTriggerSwitch")) {
                did.switches++;
                did.right += is_right(p);
            }
        }
    }
    lvl_doc_free(grown);
    lvl_doc_free(moved);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A step of a sequence, and the one that takes it back. */
typedef struct step {
    enum { MOVE, RESIZE, COPY } kind;
    lvl_move_options move;
    lvl_resize_options resize;
    char path[64];
} step;

static lvl_status take_step(lvl_doc *doc, const step *s, bool back)
{
    lvl_move_options move = s->move;
    lvl_findings *findings = lvl_findings_new(doc->ctx);
    lvl_status status;

    if (s->kind == COPY && back) {
        const char *const path = "planes[*].objects[-1]";
        status = lvl_unset(doc, &path, 1, NULL, findings);
    } else if (s->kind == COPY) {
        status = lvl_copy(doc, NULL, doc, s->path, NULL, findings);
    } else if (s->kind == MOVE) {
        move.path = s->path;
        move.dx = back ? -move.dx : move.dx;
        move.dy = back ? -move.dy : move.dy;
        status = lvl_move(doc, &move, NULL, findings);
    } else {
        lvl_resize_options r = s->resize;
        const lvl_cells *tiles = NULL;
        uint32_t main = 0;
        if (lvl_wwd_main_plane(lvl_wwd_of(doc), &main))
            tiles = &lvl_wwd_of(doc)->planes[main].tiles;
        r.width = tiles ? tiles->width + (back ? -r.width : r.width) : 0;
        r.height = tiles ? tiles->height + (back ? -r.height : r.height) : 0;
        status = lvl_resize(doc, &r, NULL, findings);
    }
    /* a coordinate that would be 0 becomes 1, with a warning: there is no way back */
    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(findings); i++) {
        if (strstr(lvl_findings_at(findings, i)->text, "would be 0"))
            status = LVL_ERR_LOSS;
    }
    lvl_findings_free(findings);
    return status;
}

/* Random moves and resizes, and then each back: the same document. */
static void check_sequence(const char *name, const lvl_ctx *ctx, lvl_bytes bytes, uint32_t seed)
{
    lvl_doc *doc = open_level(ctx, bytes), *other = doc ? open_level(ctx, bytes) : NULL;
    enum { STEPS = 8 };
    step steps[STEPS];
    uint32_t main = 0;
    bool lossy = false;
    int n = 0;

    if (!other || !lvl_wwd_main_plane(lvl_wwd_of(doc), &main) || !lvl_wwd_of(doc)->planes[main].object_count)
        goto out;
    for (int tries = 0; tries < 3 * STEPS && n < STEPS && !lossy; tries++) {
        const lvl_wwd_plane *plane = &lvl_wwd_of(other)->planes[main];
        step *s = &steps[n];
        memset(s, 0, sizeof *s);
        s->kind = next(&seed) % 3 ? MOVE : RESIZE;
        s->resize = (lvl_resize_options){.width = next(&seed) % 5,
                                         .height = next(&seed) % 5,
                                         .anchor_x = (int)(next(&seed) % 2) * 2 - 1,
                                         .anchor_y = (int)(next(&seed) % 2) * 2 - 1};
        const uint32_t first = next(&seed) % plane->object_count;
        snprintf(s->path, sizeof s->path, "planes[%u].objects[%u:%u]", main, first,
                 first + 1 + next(&seed) % 4);
        s->move.dx = (double)(next(&seed) % 400) - 200;
        s->move.dy = (double)(next(&seed) % 400) - 200;
        s->move.unit = next(&seed) % 2 ? LVL_MOVE_TILES : LVL_MOVE_OWN;
        if (s->move.unit == LVL_MOVE_TILES) {
            s->move.dx = trunc(s->move.dx / 40);
            s->move.dy = trunc(s->move.dy / 40);
        }
        const lvl_status status = take_step(other, s, false);
        lossy = status == LVL_ERR_LOSS;
        did.refused += status != LVL_OK;
        n += status == LVL_OK;
    }
    if (lossy)
        goto out;
    while (n-- > 0) {
        const lvl_status status = take_step(other, &steps[n], true);
        if (status == LVL_ERR_LOSS)
            goto out;
        assert_int_equal(status, LVL_OK);
    }
    did.sequences++;
    for (uint32_t i = 0; i < lvl_wwd_of(doc)->planes[main].object_count; i++) {
        const lvl_wwd_object *a = &lvl_wwd_of(doc)->planes[main].objects[i],
                             *b = &lvl_wwd_of(other)->planes[main].objects[i];
        if (!lvl_record_equal(a, b, &lvl_wwd_object_table))
            fail_msg("%s: random moves there and back with seed %u: object %u, %.*s, at %d, %d is at %d, %d",
                     name, seed, i, (int)a->logic.len, a->logic.ptr, a->x, a->y, b->x, b->y);
    }
    if (!lvl_record_equal(doc->root, other->root, &lvl_wwd_table))
        fail_msg("%s: random moves there and back with seed %u give another document", name, seed);
out:
    lvl_doc_free(doc);
    lvl_doc_free(other);
}

static void moves_in_real_levels(void **state)
{
    lvl_paths paths;
    lvl_ctx ctx;

    (void)state;
    if (!folder[0])
        skip();
    lvl_ctx_init(&ctx);
    assert_true(lvl_paths_below(&paths, folder, "wwd"));
    for (size_t i = 0; i < paths.count; i++) {
        size_t len;
        uint8_t *data = lvl_slurp(paths.items[i], &len);
        assert_non_null(data);
        if (i % 4 == 0 || getenv("LVL_ALL") || strstr(paths.items[i], "AREA")) {
            check_region(lvl_path_name(paths.items[i]), &ctx, (lvl_bytes){data, len});
            check_sequence(lvl_path_name(paths.items[i]), &ctx, (lvl_bytes){data, len}, (uint32_t)i);
        }
        free(data);
    }
    lvl_paths_free(&paths);
    fprintf(stderr,
            "%zu objects moved with their region, %zu as in a resized level (%zu stood outside); %zu "
            "switches, %zu right; %zu sequences there and back; %zu refused\n",
            did.objects, did.same, did.outside, did.switches, did.right, did.sequences, did.refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_follow_in_real_levels),
        cmocka_unit_test(moves_in_real_levels),
    };
    const char *corpus = lvl_corpus_dir();

    if (corpus)
        snprintf(folder, sizeof folder, "%s/wwd", corpus);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
