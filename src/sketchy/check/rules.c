/*
 * sketchy/check/rules.c: what breaks a level in its game: the rules of the game book (games/book.h).
 * What a doodad is, needs, sends and receives is said there. Each rule is reported once, at the first actor
 * or swatch that it concerns.
 */
#include "base/text.h"
#include "games/book.h"
#include "sketchy/check/floor.h"
#include "sketchy/check/check.h"
#include "sketchy/model/member_names.h"
#include "sketchy/chunks/paint.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RULES = 64, SHOWN = LVL_SKETCHY_SHOWN };

typedef struct actor {
    const lvl_book_thing *thing; /* or NULL: not the game's */
    const lvl_book_doodad *doodad; /* of the thing */
    uint16_t gets; /* bits of messages that the actors send that link to it */
    uint32_t group; /* of totems: an actor of the same group, in the end the first */
    uint32_t mark; /* which search saw it last */
} actor;

typedef struct rules {
    const lvl_sketchy_checker *c;
    const lvl_sketchy *d;
    const lvl_book *book;
    actor *actors;
    lvl_names ids;
    uint32_t *counts; /* of each thing of the book: actors */
    uint32_t *locked; /* of each thing: actors that need what it names as `needs` */
    uint32_t game_actors; /* actors of the game's doodads */
    uint16_t sent, heard; /* bits of messages that doodads of the level send and receive */
    uint32_t found[MAX_RULES], first[MAX_RULES]; /* of each rule: actors or swatches, and the first of them */
    bool swatch[MAX_RULES]; /* the rule is about swatches */
} rules;

static const lvl_finding_def *rule_of(const rules *r, const char *id)
{
    return lvl_book_rule_def(r->book, id);
}

/* What a rule says happens: its text after the condition, without the full stop. */
static lvl_text consequence(const lvl_finding_def *rule)
{
    const char *colon = strstr(rule->meaning, ": ");
    const lvl_text text = lvl_text_of(colon ? colon + 2 : rule->meaning);

    return (lvl_text){text.ptr, text.len - 1};
}

static uint32_t tally_index(rules *r, const char *id, uint32_t index)
{
    const lvl_finding_def *rule = rule_of(r, id);
    uint32_t i = 0;

    while (i + 1 < MAX_RULES && &r->book->rules[i].def != rule)
        i++;
    if (!r->found[i]++)
        r->first[i] = index;
    return i;
}

/* Counts a finding at an actor. */
static void tally(rules *r, const char *id, uint32_t index)
{
    tally_index(r, id, index);
}

static void tally_swatch(rules *r, const char *id, uint32_t swatch)
{
    r->swatch[tally_index(r, id, swatch)] = true;
}

static void report(const rules *r, const char *id, size_t member, const char *text)
{
    lvl_report_at(r->c->findings, rule_of(r, id), lvl_sketchy_at(member), "%s", text);
}

static void report_tallies(const rules *r)
{
    for (uint32_t i = 0; i < r->book->rule_count && i < MAX_RULES; i++) {
        const lvl_finding_def *rule = &r->book->rules[i].def;
        const lvl_text then = consequence(rule);
        char shown[SHOWN];
        if (!r->found[i])
            continue;
        if (r->swatch[i]) {
            lvl_report_at(r->c->findings, rule,
                          lvl_sketchy_item(offsetof(lvl_sketchy, swatches), r->first[i]), "\"%s\": %.*s",
                          lvl_sketchy_show(shown, r->d->swatches[r->first[i]].name), (int)then.len, then.ptr);
            continue;
        }
        const lvl_sketchy_actor *a = &r->d->actors[r->first[i]];
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, actors), r->first[i]);
        lvl_sketchy_show(shown, a->filename);
        if (r->found[i] == 1)
            lvl_report_at(r->c->findings, rule, where, "%s at %lld, %lld: %.*s", shown, (long long)a->point.x,
                          (long long)a->point.y, (int)then.len, then.ptr);
        else
            lvl_report_at(r->c->findings, rule, where, "%lu actors, the first is %s at %lld, %lld: %.*s",
                          (unsigned long)r->found[i], shown, (long long)a->point.x, (long long)a->point.y,
                          (int)then.len, then.ptr);
    }
}

static bool concerns(const rules *r, uint32_t index, const char *id)
{
    return lvl_book_concerns(r->book, r->actors[index].thing, rule_of(r, id));
}

/* Whether the option of a doodad that makes what it needs needless is set. */
static bool is_exempt(const rules *r, uint32_t index)
{
    const lvl_sketchy_actor *a = &r->d->actors[index];
    const char *unless = r->actors[index].doodad->unless;

    for (uint32_t i = 0; unless && i < a->option_count; i++) {
        if (lvl_text_is(a->options[i].name, unless))
            return lvl_text_is(a->options[i].value, "true");
    }
    return false;
}

/* ---- links ------------------------------------------------------------------------------------------- */

static uint32_t group_of(rules *r, uint32_t index)
{
    while (r->actors[index].group != index) {
        actor *a = &r->actors[index];
        a->group = r->actors[a->group].group; /* halves the way */
        index = a->group;
    }
    return index;
}

/* Notes what goes over the link from actor a to actor b, which may be the same. */
static void follow_link(rules *r, uint32_t a, uint32_t b)
{
    const lvl_book_doodad *from = r->actors[a].doodad, *to = r->actors[b].doodad;

    if (a == b)
        tally(r, "sketchy.link.self", a);
    if (!from || !to)
        return;
    r->actors[b].gets |= from->sends;
    if (!(from->sends & to->receives) && !(to->sends & from->receives) &&
        concerns(r, a, "sketchy.link.unused") && concerns(r, b, "sketchy.link.unused"))
        tally(r, "sketchy.link.unused", a);
    if (concerns(r, a, "sketchy.totem.partial") && concerns(r, b, "sketchy.totem.partial")) {
        const uint32_t x = group_of(r, a), y = group_of(r, b);
        r->actors[x < y ? y : x].group = x < y ? x : y;
    }
}

/* The number of different actors that one is linked to and that the rule concerns. */
static uint32_t linked_to(rules *r, uint32_t index, const char *id, bool *others)
{
    const lvl_sketchy_actor *a = &r->d->actors[index];
    uint32_t count = 0;

    *others = false;
    for (uint32_t k = 0; k < a->link_count; k++) {
        const uint32_t b = lvl_names_last(&r->ids, a->links[k]);
        if (b == LVL_NO_INDEX || b == index || r->actors[b].mark == index + 1)
            continue;
        r->actors[b].mark = index + 1;
        if (concerns(r, b, id))
            count++;
        else
            *others = true;
    }
    return count;
}

/* Groups of totems that are linked to each other: `size` and `receivers` are of the first of each. */
static lvl_status check_totems(rules *r)
{
    const uint32_t n = r->d->actor_count;
    uint32_t *size = calloc((size_t)n + 1, sizeof *size),
             *receivers = calloc((size_t)n + 1, sizeof *receivers);
    const lvl_status status = size && receivers ? LVL_OK : LVL_ERR_MEMORY;
    bool others;

    for (uint32_t i = 0; i < n && status == LVL_OK; i++)
        size[group_of(r, i)]++;
    for (uint32_t i = 0; i < n && status == LVL_OK; i++) {
        if (!concerns(r, i, "sketchy.totem.partial"))
            continue;
        const uint32_t group = group_of(r, i), totems = linked_to(r, i, "sketchy.totem.partial", &others);
        receivers[group] += others;
        if (others && totems + 1 < size[group])
            tally(r, "sketchy.totem.partial", i);
        if (totems && is_exempt(r, i))
            tally(r, "sketchy.totem.prefilled", i);
    }
    for (uint32_t i = 0; i < n && status == LVL_OK; i++) {
        if (concerns(r, i, "sketchy.totem.no_receiver") && group_of(r, i) == i && !receivers[i])
            tally(r, "sketchy.totem.no_receiver", i);
    }
    free(size);
    free(receivers);
    return status;
}

static void check_warp(rules *r, uint32_t i, bool linked)
{
    const uint16_t hears = r->actors[i].doodad->receives & r->book->broadcasts;
    bool others;

    if (!r->d->actors[i].link_count && !linked)
        tally(r, "sketchy.warp.alone", i);
    if (linked_to(r, i, "sketchy.warp.many", &others) > 1)
        tally(r, "sketchy.warp.many", i);
    if (concerns(r, i, "sketchy.warp.state") && !(hears & r->sent))
        tally(r, "sketchy.warp.state", i);
}

static void check_linked(rules *r, uint32_t i)
{
    const lvl_sketchy_actor *a = &r->d->actors[i];
    const actor *x = &r->actors[i];
    const bool powered = (x->gets & x->doodad->receives) != 0;

    if (concerns(r, i, "sketchy.warp.alone"))
        check_warp(r, i, powered);
    if (concerns(r, i, "sketchy.power.none") && !powered && !is_exempt(r, i))
        tally(r, "sketchy.power.none", i);
    if (concerns(r, i, "sketchy.power.camera") && !powered)
        tally(r, "sketchy.power.camera", i);
    if (concerns(r, i, "sketchy.power.unlinked") && !a->link_count)
        tally(r, "sketchy.power.unlinked", i);
    if (concerns(r, i, "sketchy.state.no_button") && !(x->doodad->receives & r->sent))
        tally(r, "sketchy.state.no_button", i);
    if (concerns(r, i, "sketchy.state.no_blocks") && !(x->doodad->sends & r->heard))
        tally(r, "sketchy.state.no_blocks", i);
    if (concerns(r, i, "sketchy.start.characters") && a->link_count > 1)
        tally(r, "sketchy.start.characters", i);
}

/* ---- what is needed ---------------------------------------------------------------------------------- */

static uint32_t number_of(const rules *r, const lvl_book_thing *thing)
{
    return (uint32_t)(thing - r->book->things);
}

/* Doors and totems that are left without what they need, and keys and gems that nothing needs. */
static void check_needs(rules *r, uint32_t i)
{
    const actor *x = &r->actors[i];
    const uint32_t number = number_of(r, x->thing);

    if (x->doodad->needs && !is_exempt(r, i)) {
        const lvl_book_thing *item = lvl_book_find(r->book, lvl_text_of(x->doodad->needs));
        const uint32_t items = r->counts[number_of(r, item)];
        if (concerns(r, i, "sketchy.door.no_key") && !items)
            tally(r, "sketchy.door.no_key", i);
        else if (concerns(r, i, "sketchy.door.few_keys") && items < r->locked[number_of(r, item)])
            tally(r, "sketchy.door.few_keys", i);
        else if (concerns(r, i, "sketchy.totem.few_gems") && items < r->locked[number_of(r, item)])
            tally(r, "sketchy.totem.few_gems", i);
    }
    if (concerns(r, i, "sketchy.key.unused") && !r->locked[number])
        tally(r, "sketchy.key.unused", i);
}

static void check_options(rules *r, uint32_t i)
{
    const lvl_sketchy_actor *a = &r->d->actors[i];
    const lvl_book_doodad *doodad = r->actors[i].doodad;

    for (uint32_t k = 0; k < a->option_count; k++) {
        bool known = false;
        for (uint32_t n = 0; n < doodad->option_count && !known; n++)
            known = lvl_text_is(a->options[k].name, r->book->options[doodad->first_option + n].name);
        if (!known)
            tally(r, "sketchy.option.unknown", i);
    }
}

/* ---- places ------------------------------------------------------------------------------------------ */

/* Whether another actor's picture is in the rectangle, on which something may stand. Those of other doodads
 * than the game's are of unknown size. */
static bool has_actor(const rules *r, uint32_t but, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    enum { USUAL = 128 };

    for (uint32_t i = 0; i < r->d->actor_count; i++) {
        const lvl_sketchy_point p = r->d->actors[i].point;
        const lvl_book_doodad *doodad = r->actors[i].doodad;
        if (i != but && p.x <= x1 && p.y <= y1 && p.x >= x0 - (doodad ? doodad->width : USUAL) &&
            p.y >= y0 - (doodad ? doodad->height : USUAL))
            return true;
    }
    return false;
}

/* Whether the actor is at a place where numbers do not overflow. */
static bool is_near(const lvl_sketchy_actor *a)
{
    const int64_t far = (int64_t)1 << 30;

    return a->point.x > -far && a->point.x < far && a->point.y > -far && a->point.y < far;
}

static lvl_status check_floor(rules *r, lvl_floor *floor, uint32_t i)
{
    enum { INTO = 4, BELOW = 8 }; /* px of the picture that are in the floor; px between picture and floor */
    const lvl_sketchy_actor *a = &r->d->actors[i];
    const lvl_book_doodad *doodad = r->actors[i].doodad;
    const bool start = concerns(r, i, "sketchy.start.no_floor");
    bool solid;

    if (!is_near(a) || (!start && !concerns(r, i, "sketchy.actor.no_floor")))
        return LVL_OK;
    const int64_t bottom = a->point.y + doodad->height, right = a->point.x + doodad->width - 1;
    const lvl_status status = lvl_floor_has(floor, a->point.x, bottom - INTO, right, bottom + BELOW, &solid);
    if (status == LVL_OK && !solid &&
        (r->d->actor_count > 4096 || !has_actor(r, i, a->point.x, bottom - INTO, right, bottom + BELOW)))
        tally(r, start ? "sketchy.start.no_floor" : "sketchy.actor.no_floor", i);
    return status;
}

static void check_outside(rules *r, uint32_t i)
{
    const lvl_sketchy *d = r->d;
    const lvl_sketchy_actor *a = &d->actors[i];
    const lvl_book_doodad *doodad = r->actors[i].doodad;
    const bool bounded = d->page_type == LVL_SKETCHY_BOUNDED || d->page_type == LVL_SKETCHY_BORDERED;

    if (bounded &&
        (a->point.x >= d->bounded_width || a->point.y >= d->bounded_height ||
         (doodad && (a->point.x < -(int64_t)doodad->width || a->point.y < -(int64_t)doodad->height))))
        tally(r, "sketchy.actor.outside", i);
}

static int compare_places(const lvl_sketchy_actor *x, const lvl_sketchy_actor *y)
{
    const int names = lvl_text_compare(x->filename, y->filename);

    return names                      ? names
           : x->point.x != y->point.x ? (x->point.x > y->point.x) - (x->point.x < y->point.x)
                                      : (x->point.y > y->point.y) - (x->point.y < y->point.y);
}

/* Those of one place in their order, so that every system reports the same one. */
static int by_place(const void *a, const void *b)
{
    const lvl_sketchy_actor *x = *(const lvl_sketchy_actor *const *)a,
                            *y = *(const lvl_sketchy_actor *const *)b;
    const int order = compare_places(x, y);

    return order ? order : (x > y) - (x < y);
}

static lvl_status check_same_place(rules *r)
{
    const lvl_sketchy *d = r->d;
    const lvl_sketchy_actor **list = malloc(((size_t)d->actor_count + 1) * sizeof *list);

    if (!list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < d->actor_count; i++)
        list[i] = &d->actors[i];
    qsort(list, d->actor_count, sizeof *list, by_place);
    for (uint32_t i = 1; i < d->actor_count; i++) {
        if (compare_places(list[i - 1], list[i]) == 0)
            tally(r, "sketchy.actor.same_place", (uint32_t)(list[i] - d->actors));
    }
    free(list);
    return LVL_OK;
}

/* ---- the palette ------------------------------------------------------------------------------------- */

static bool is_named(const lvl_sketchy_swatch *s, const char *name)
{
    return lvl_text_equal_nocase(s->name, lvl_text_of(name));
}

static bool same_color(lvl_text a, lvl_text b)
{
    uint8_t x[4], y[4];

    return lvl_sketchy_color(a, x) && lvl_sketchy_color(b, y) && memcmp(x, y, sizeof x) == 0;
}

static void check_swatch(rules *r, uint32_t i)
{
    const lvl_sketchy_swatch *s = &r->d->swatches[i];

    if (!s->fire && (is_named(s, "fire") || is_named(s, "lava") || is_named(s, "spikes")))
        tally_swatch(r, "sketchy.swatch.fire", i);
    if (!s->water && is_named(s, "water"))
        tally_swatch(r, "sketchy.swatch.water", i);
    if (s->slippery && !s->solid && !s->semisolid)
        tally_swatch(r, "sketchy.swatch.slippery", i);
}

static void check_palette(rules *r)
{
    const lvl_sketchy *d = r->d;
    const uint32_t count = d->swatch_count < LVL_SKETCHY_COLORS ? d->swatch_count : LVL_SKETCHY_COLORS;
    bool solid = false, alike = false;
    char shown[SHOWN], other[SHOWN];

    for (uint32_t i = 0; i < count; i++) {
        const lvl_sketchy_swatch *s = &d->swatches[i];
        solid = solid || s->solid || s->semisolid;
        check_swatch(r, i);
        for (uint32_t k = 0; k < i && !alike; k++) {
            alike = (lvl_text_equal(d->swatches[k].name, s->name) ||
                     same_color(d->swatches[k].color, s->color)) &&
                    !lvl_sketchy_same_swatch(&d->swatches[k], s);
            if (alike)
                lvl_report_at(r->c->findings, rule_of(r, "sketchy.palette.alike"),
                              lvl_sketchy_item(offsetof(lvl_sketchy, swatches), i),
                              "\"%s\" has the name or the colour of \"%s\", number %lu",
                              lvl_sketchy_show(shown, s->name), lvl_sketchy_show(other, d->swatches[k].name),
                              (unsigned long)k);
        }
    }
    if (!solid && r->game_actors && d->swatch_count <= count)
        report(r, "sketchy.palette.no_solid", offsetof(lvl_sketchy, swatches),
               "no swatch is solid or semisolid: what has gravity falls, unless it stands on doodads");
}

/* ---- the level --------------------------------------------------------------------------------------- */

static bool calls_end(lvl_text script)
{
    for (size_t i = 0; i + 8 <= script.len; i++) {
        if (memcmp(script.ptr + i, "EndLevel", 8) == 0)
            return true;
    }
    return false;
}

/* Attached doodads; *ends: one of them may end the level, which is found out only if it is not known yet. */
static lvl_status check_attached(const rules *r, const lvl_names *attached, bool *ends)
{
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < attached->count && status == LVL_OK; i++) {
        const uint32_t index = attached->list[i].index;
        const lvl_finding_def *shadowed = rule_of(r, "sketchy.doodad.shadowed");
        char shown[SHOWN];
        lvl_doc *doodad = NULL;
        if (lvl_book_find(r->book, attached->list[i].name)) {
            if (!r->d->save_builtins)
                lvl_report_at(r->c->findings, shadowed, lvl_sketchy_item(offsetof(lvl_sketchy, files), index),
                              "%s is one of the game's doodads, too: the game uses its own",
                              lvl_sketchy_show(shown, attached->list[i].name));
            continue;
        }
        if (*ends)
            continue;
        status = lvl_sketchy_open_file(r->c->doc, &r->d->files[index], &storage, NULL, &doodad);
        *ends = status != LVL_OK || calls_end(((const lvl_sketchy *)doodad->root)->script);
        lvl_doc_free(doodad);
        status = status == LVL_ERR_MEMORY ? status : LVL_OK;
    }
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status check_level(rules *r)
{
    const lvl_sketchy *d = r->d;
    lvl_names attached;
    uint32_t starts = 0;
    bool ends = !r->game_actors; /* what has none of the game's doodads is judged by none of its rules */

    lvl_status status = lvl_names_below(&attached, d->files, d->file_count, LVL_EMBEDDED_DOODADS);
    for (uint32_t i = 0; i < d->actor_count && status == LVL_OK; i++) {
        starts += concerns(r, i, "sketchy.start.none");
        ends = ends || concerns(r, i, "sketchy.exit.none") ||
               (!r->actors[i].thing && !lvl_names_has(&attached, d->actors[i].filename));
        if (concerns(r, i, "sketchy.start.many") && starts == 2)
            tally(r, "sketchy.start.many", i);
    }
    if (status == LVL_OK)
        status = check_attached(r, &attached, &ends);
    if (status == LVL_OK && r->game_actors && !starts)
        report(r, "sketchy.start.none", offsetof(lvl_sketchy, actors),
               "there is no start flag: the player starts at 0, 0");
    if (status == LVL_OK && !ends)
        report(r, "sketchy.exit.none", offsetof(lvl_sketchy, actors),
               "there is no exit flag, goal region or doodad that ends the level: it cannot be won");
    if (attached.count && !d->signature.len)
        report(r, "sketchy.doodad.attached", offsetof(lvl_sketchy, files),
               "doodads are attached: the free version of the game does not load them, unless the level is "
               "signed");
    if (d->page_type == LVL_SKETCHY_BORDERED)
        report(r, "sketchy.page.bordered", offsetof(lvl_sketchy, page_type),
               "the page is bordered: the editor does not offer that, and it plays as bounded");
    lvl_names_free(&attached);
    return status;
}

/* ---- all --------------------------------------------------------------------------------------------- */

/* Finds what the book says about each actor. */
static void find_things(rules *r)
{
    for (uint32_t i = 0; i < r->d->actor_count; i++) {
        const lvl_book_thing *thing = lvl_book_find(r->book, r->d->actors[i].filename);
        r->actors[i] = (actor){.thing = thing, .group = i};
        if (!thing)
            continue;
        r->actors[i].doodad = &r->book->doodads[number_of(r, thing)];
        r->game_actors++;
        r->counts[number_of(r, thing)]++;
        r->sent |= r->actors[i].doodad->sends;
        if (!(r->actors[i].doodad->sends & r->book->broadcasts)) /* buttons hear each other */
            r->heard |= r->actors[i].doodad->receives;
        if (r->actors[i].doodad->needs && !is_exempt(r, i))
            r->locked[number_of(r, lvl_book_find(r->book, lvl_text_of(r->actors[i].doodad->needs)))]++;
    }
}

static lvl_status check_actors(rules *r)
{
    lvl_floor floor;
    lvl_status status = lvl_floor_of(&floor, r->c->doc);

    for (uint32_t i = 0; i < r->d->actor_count; i++) {
        const lvl_sketchy_actor *a = &r->d->actors[i];
        for (uint32_t k = 0; k < a->link_count; k++) {
            const uint32_t other = lvl_names_last(&r->ids, a->links[k]);
            if (other != LVL_NO_INDEX)
                follow_link(r, i, other);
        }
    }
    for (uint32_t i = 0; i < r->d->actor_count && status == LVL_OK; i++) {
        check_outside(r, i);
        if (!r->actors[i].thing)
            continue;
        check_linked(r, i);
        check_needs(r, i);
        check_options(r, i);
        status = check_floor(r, &floor, i);
    }
    lvl_floor_free(&floor);
    return status == LVL_OK ? check_totems(r) : status;
}

static void check_category(const lvl_sketchy_checker *c)
{
    const lvl_finding_def *rule = lvl_book_rule_def(&lvl_book_sketchy, "sketchy.doodad.category");
    bool found = false;

    for (uint32_t i = 0; i < c->d->tag_count && !found; i++)
        found = lvl_text_is(c->d->tags[i].name, "category");
    if (!found)
        lvl_report_at(c->findings, rule, lvl_sketchy_at(offsetof(lvl_sketchy, tags)),
                      "there is no tag \"category\": the editor lists the doodad only under All");
}

lvl_status lvl_sketchy_check_rules(const lvl_sketchy_checker *c)
{
    const lvl_book *book = &lvl_book_sketchy;
    rules r = {.c = c, .d = c->d, .book = book};

    if (c->d->kind == LVL_SKETCHY_DOODAD) {
        check_category(c);
        return LVL_OK;
    }
    r.actors = calloc((size_t)c->d->actor_count + 1, sizeof *r.actors);
    r.counts = calloc((size_t)book->thing_count * 2, sizeof *r.counts);
    lvl_status status = lvl_names_of(&r.ids, c->d->actors, c->d->actor_count, sizeof *c->d->actors,
                                     offsetof(lvl_sketchy_actor, id));
    if (!r.actors || !r.counts)
        status = LVL_ERR_MEMORY;
    if (status != LVL_OK)
        goto out;
    r.locked = r.counts + book->thing_count;
    find_things(&r);
    status = check_level(&r);
    if (status == LVL_OK)
        status = check_actors(&r);
    if (status == LVL_OK)
        status = check_same_place(&r);
    check_palette(&r);
    report_tallies(&r);
out:
    lvl_names_free(&r.ids);
    free(r.actors);
    free(r.counts);
    return status;
}
