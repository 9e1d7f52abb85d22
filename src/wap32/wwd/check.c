/*
 * wap32/wwd/check.c: checks of the header, the planes and the tiles by the rules of games and editors
 * (docs/formats/wwd.md).
 */
#include "wap32/wwd/book.h"
#include "wap32/wwd/check.h"

#include "base/cursor.h"
#include "base/text.h"

#include <string.h>

/* ---- slots and unknown numbers of a record ----------------------------------------------------------- */

static void check_slot(const lvl_wwd_checker *c, const void *record, const lvl_field *f,
                       const lvl_where *parent)
{
    const char *s = (const char *)record + f->offset;
    const char *nul = memchr(s, 0, f->size);
    const lvl_where where = lvl_where_to(*parent, f, LVL_NO_INDEX);

    if (!nul) {
        bool level_name = s == c->wwd->name;
        lvl_wwd_report(c->findings, level_name ? LVL_WWD_F_NAME_OVERFLOW : LVL_WWD_F_UNTERMINATED, where,
                       level_name ? "%u bytes and no NUL: the game overwrites its own memory"
                                  : "%u bytes and no NUL: programs read into the next text",
                       f->size);
        return;
    }
    size_t dirty = 0;
    for (const char *p = nul; p < s + f->size; p++)
        dirty += *p != 0;
    if (dirty)
        lvl_wwd_report(c->findings, LVL_WWD_F_DIRTY_SLOT, where, "%llu bytes after the text are not 0",
                       (unsigned long long)dirty);
}

static void check_record(const lvl_wwd_checker *c, const void *record, const lvl_table *table,
                         const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_TEXT && f->flags & LVL_F_SLOT)
            check_slot(c, record, f, where);
        if (f->role != LVL_UNKNOWN || !lvl_get_int(record, f))
            continue;
        /* the editor often stores the index of the main plane here */
        if (record == c->wwd && f->offset == offsetof(lvl_wwd, unknown_2d8) && c->main &&
            (uint32_t)lvl_get_int(record, f) == c->main_index)
            continue;
        lvl_wwd_report(c->findings, LVL_WWD_F_UNKNOWN_VALUE, lvl_where_to(*where, f, LVL_NO_INDEX), "is %lld",
                       (long long)lvl_get_int(record, f));
    }
}

/* ---- header ------------------------------------------------------------------------------------------ */

/* The number after LEVEL, AREA or DUNGEON in image_dir; 0 if it has none. */
static unsigned bank_number(const lvl_wwd *wwd)
{
    lvl_text dir = lvl_text_slot(wwd->image_dir, sizeof wwd->image_dir);
    unsigned n = 0;

    for (size_t i = 0; i < dir.len && n < 100000; i++) {
        if (dir.ptr[i] >= '0' && dir.ptr[i] <= '9')
            n = n * 10 + (unsigned)(dir.ptr[i] - '0');
        else if (n || (i > 0 && (dir.ptr[i] == '\\' || dir.ptr[i] == '/' || dir.ptr[i] == '_')))
            break;
    }
    return n;
}

static void check_base_level(const lvl_wwd_checker *c)
{
    const unsigned base = lvl_wwd_base_level(c->wwd), bank = bank_number(c->wwd);
    const lvl_where where = LVL_AT_ROOT(lvl_wwd, name);
    unsigned wanted = base;

    if (c->game != LVL_WWD_CLAW && c->game != LVL_WWD_GRUNTZ)
        return;
    if (!base || (c->game == LVL_WWD_CLAW && base > 14)) {
        if (base)
            lvl_wwd_report(c->findings, LVL_WWD_F_BASE_LEVEL, where,
                           "%u, but Claw has 1 to 14: the game finds no tiles and pictures", base);
        else
            lvl_wwd_report(c->findings, LVL_WWD_F_BASE_LEVEL, where, "expected a number in the name");
        return;
    }
    if (c->game == LVL_WWD_GRUNTZ)
        wanted = (base - 1) / 4 + 1;
    if (bank && wanted != bank)
        lvl_wwd_report(c->findings, LVL_WWD_F_BASE_MISMATCH, where,
                       "%u in the name means %s%u, image_dir has %u", base,
                       c->game == LVL_WWD_CLAW ? "LEVEL" : "AREA", wanted, bank);
}

static void check_header(const lvl_wwd_checker *c)
{
    const lvl_wwd *wwd = c->wwd;
    const lvl_where root = lvl_where_root();
    uint32_t mains = 0;

    check_record(c, wwd, &lvl_wwd_table, &root);
    const lvl_where head = LVL_AT_ROOT(lvl_wwd, tile_header);
    check_record(c, &wwd->tile_header, &lvl_wwd_tile_header_table, &head);
    if (wwd->flags & ~(uint32_t)(LVL_WWD_USE_Z | LVL_WWD_COMPRESS))
        lvl_wwd_report(c->findings, LVL_WWD_F_HEADER_FLAGS, LVL_AT_ROOT(lvl_wwd, flags), "0x%x", wwd->flags);
    check_base_level(c);
    for (uint32_t i = 0; i < wwd->plane_count; i++)
        mains += (wwd->planes[i].flags & LVL_WWD_PLANE_MAIN) != 0;
    if (mains != 1)
        lvl_wwd_report(c->findings, LVL_WWD_F_MAIN_PLANES, LVL_AT_ROOT(lvl_wwd, planes),
                       "%u main planes instead of 1: the game uses one, and cannot play a level without",
                       mains);
    if (c->main) {
        int64_t wide = (int64_t)c->main->tiles.width * c->main->tile_width;
        int64_t high = (int64_t)c->main->tiles.height * c->main->tile_height;
        if (wwd->start_x < 0 || wwd->start_y < 0 || wwd->start_x >= wide || wwd->start_y >= high) {
            lvl_wwd_report(c->findings, LVL_WWD_F_START_OUTSIDE, LVL_AT_ROOT(lvl_wwd, start_x),
                           "at %d, %d, outside of the main plane of %lld by %lld px: the player may not be "
                           "seen, or fall",
                           wwd->start_x, wwd->start_y, (long long)wide, (long long)high);
        }
    }
}

/* ---- planes ------------------------------------------------------------------------------------------ */

static bool power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static void check_image_sets(const lvl_wwd_checker *c, const lvl_wwd_plane *p, const lvl_where *where,
                             bool drawn)
{
    const lvl_field *f = LVL_FIELD(lvl_wwd_plane, image_sets);
    const lvl_where first = lvl_where_to(*where, f, p->image_set_count ? 0 : LVL_NO_INDEX);
    char shown[96];

    if (drawn && (!p->image_set_count || !p->image_sets[0].len))
        lvl_wwd_report(c->findings, LVL_WWD_F_IMAGE_SET_NONE, first,
                       "the game may crash: the plane has tiles, but no image set to draw them from");
    if (p->image_set_count > 1)
        lvl_wwd_report(c->findings, LVL_WWD_F_IMAGE_SET_UNREACHED, first,
                       "%u image sets, of which the game uses only the first", p->image_set_count);
    if (!p->image_set_count)
        return;
    const lvl_text name = p->image_sets[0];
    for (size_t i = 0; i < name.len; i++) {
        uint8_t ch = (uint8_t)name.ptr[i];
        if (ch >= '0' && ch < 0x80)
            continue;
        lvl_wwd_report(
            c->findings, LVL_WWD_F_IMAGE_SET_NAME, first,
            "\"%s\" has a character 0x%02x, at which the game splits the name: it finds no such set, and "
            "crashes on the first tile",
            lvl_text_show(shown, sizeof shown, c->doc->codepage, name), (unsigned)ch);
        break;
    }
}

struct tile_count {
    uint64_t drawn, beyond, other_set;
    uint32_t highest; /* highest of the tiles beyond the properties */
    uint32_t other_set_value;
    uint32_t beyond_x, beyond_y, other_set_x, other_set_y;
};

/* Fast path: counts the tiles of a row if all that are drawn are below `limit`. Without branches, so that
 * compilers vectorize it. */
static bool count_row(const uint8_t *row, uint32_t width, uint32_t limit, uint64_t *drawn)
{
    uint32_t below = 0, none = 0;

    for (uint32_t x = 0; x < width; x++) {
        const uint32_t id = lvl_load_u32le(row + (size_t)x * 4);
        below += id < limit;
        none += (id == LVL_WWD_TILE_NONE) | (id == LVL_WWD_TILE_FILLED);
    }
    *drawn += below + none == width ? below : 0;
    return below + none == width;
}

static void count_tiles(const lvl_wwd_checker *c, const lvl_wwd_plane *p, struct tile_count *n)
{
    const uint32_t properties = c->wwd->tile_property_count, one_set = 1U << 16;
    const uint32_t limit = p == c->main && properties < one_set ? properties : one_set;

    memset(n, 0, sizeof *n);
    for (uint32_t y = 0; p->tiles.ptr && y < p->tiles.height; y++) {
        if (p->tiles.size == 4 &&
            count_row(p->tiles.ptr + (size_t)y * p->tiles.width * 4, p->tiles.width, limit, &n->drawn))
            continue;
        for (uint32_t x = 0; x < p->tiles.width; x++) {
            uint32_t id = lvl_cell(&p->tiles, x, y);
            if (id == LVL_WWD_TILE_NONE || id == LVL_WWD_TILE_FILLED)
                continue;
            n->drawn++;
            if (id >> 16 && id >> 16 >= p->image_set_count) {
                if (!n->other_set++) {
                    n->other_set_value = id;
                    n->other_set_x = x;
                    n->other_set_y = y;
                }
            } else if (p == c->main && id >= properties) {
                if (!n->beyond++) {
                    n->beyond_x = x;
                    n->beyond_y = y;
                }
                if (id > n->highest)
                    n->highest = id;
            }
        }
    }
}

static void check_plane(const lvl_wwd_checker *c, uint32_t index)
{
    const lvl_wwd_plane *p = &c->wwd->planes[index];
    const lvl_where where = lvl_wwd_at_plane(index);
    struct tile_count n;

    count_tiles(c, p, &n);
    check_record(c, p, &lvl_wwd_plane_table, &where);
    if (p->header_size != LVL_WWD_PLANE_SIZE)
        lvl_wwd_report(c->findings, LVL_WWD_F_PLANE_SIZE, LVL_AT(where, lvl_wwd_plane, header_size),
                       "expected %d, found %u: the game does not load the level", LVL_WWD_PLANE_SIZE,
                       p->header_size);
    if (p->flags & ~(uint32_t)LVL_WWD_PLANE_FLAGS)
        lvl_wwd_report(c->findings, LVL_WWD_F_PLANE_FLAGS, LVL_AT(where, lvl_wwd_plane, flags),
                       "unknown flags 0x%x: games ignore them", (p->flags & ~(uint32_t)LVL_WWD_PLANE_FLAGS));
    int64_t wide = (int64_t)p->tiles_wide * p->tile_width, high = (int64_t)p->tiles_high * p->tile_height;
    if (wide != p->width_px || high != p->height_px)
        lvl_wwd_report(c->findings, LVL_WWD_F_PIXEL_SIZE, LVL_AT(where, lvl_wwd_plane, width_px),
                       "found %d by %d, expected %lld by %lld from its tiles", p->width_px, p->height_px,
                       (long long)wide, (long long)high);
    if (p->tiles.ptr && (!power_of_two(p->tile_width) || !power_of_two(p->tile_height)))
        lvl_wwd_report(c->findings, LVL_WWD_F_TILE_SIZE, LVL_AT(where, lvl_wwd_plane, tile_width),
                       "%d by %d, not powers of two: the game draws the plane wrong", p->tile_width,
                       p->tile_height);
    if (p->fill_color < 0 || p->fill_color > 255)
        lvl_wwd_report(c->findings, LVL_WWD_F_FILL_COLOR, LVL_AT(where, lvl_wwd_plane, fill_color),
                       "%d is no colour of the palette: the game takes its low byte", p->fill_color);
    check_image_sets(c, p, &where, n.drawn != 0);
    const lvl_where tiles = LVL_AT(where, lvl_wwd_plane, tiles);
    if (n.beyond)
        lvl_wwd_report(
            c->findings, LVL_WWD_F_TILE_WITHOUT_PROPERTY, lvl_where_cell(tiles, n.beyond_x, n.beyond_y),
            "the game may crash when the player touches [%u,%u]: there are %u tile properties, and tiles "
            "up to number %u (such cells: %llu)",
            n.beyond_x, n.beyond_y, c->wwd->tile_property_count, n.highest, (unsigned long long)n.beyond);
    if (n.other_set)
        lvl_wwd_report(
            c->findings, LVL_WWD_F_TILE_OTHER_SET, lvl_where_cell(tiles, n.other_set_x, n.other_set_y),
            "the game crashes when [%u,%u] comes into view: tile 0x%08x is of an image set that the plane "
            "does not have (such cells: %llu)",
            n.other_set_x, n.other_set_y, n.other_set_value, (unsigned long long)n.other_set);
}

/* ---- tile properties --------------------------------------------------------------------------------- */

/* Findings of one kind, reported once, at the first of them. */
struct several {
    uint32_t count, first;
    int64_t value;
};

static void count_one(struct several *s, uint32_t index, int64_t value)
{
    if (!s->count++) {
        s->first = index;
        s->value = value;
    }
}

static bool known_attribute(const lvl_wwd_checker *c, int32_t attribute)
{
    if (c->game == LVL_WWD_CLAW)
        return attribute >= 0 && attribute <= 4;
    return lvl_name_of(lvl_wwd_attributes, attribute) != NULL;
}

static void check_double(const lvl_wwd_checker *c, const lvl_wwd_tile_property *t, uint32_t index)
{
    const lvl_wwd_rect *r = &t->rect;

    if (r->left >= 0 && r->top >= 0 && r->right < (int64_t)t->width && r->bottom < (int64_t)t->height)
        return;
    lvl_wwd_report(c->findings, LVL_WWD_F_PROPERTY_RECT,
                   LVL_AT(lvl_wwd_at_property(index), lvl_wwd_tile_property, rect),
                   "%d, %d to %d, %d in a tile of %u by %u: what is outside of the tile has no effect",
                   r->left, r->top, r->right, r->bottom, t->width, t->height);
}

static void check_properties(const lvl_wwd_checker *c)
{
    const lvl_wwd *wwd = c->wwd;
    struct several attributes = {0, 0, 0}, sizes = {0, 0, 0}, unknowns = {0, 0, 0};

    if (wwd->tile_header.header_size != LVL_WWD_TILE_HEADER_SIZE)
        lvl_wwd_report(c->findings, LVL_WWD_F_PROPERTIES_HEADER, LVL_AT_ROOT(lvl_wwd, tile_header),
                       "expected %d, found %u", LVL_WWD_TILE_HEADER_SIZE, wwd->tile_header.header_size);
    for (uint32_t i = 0; i < wwd->tile_property_count; i++) {
        const lvl_wwd_tile_property *t = &wwd->tile_properties[i];
        if (t->unknown_04)
            count_one(&unknowns, i, t->unknown_04);
        if (c->main &&
            (t->width != (uint32_t)c->main->tile_width || t->height != (uint32_t)c->main->tile_height))
            count_one(&sizes, i, t->width);
        if (t->type == LVL_WWD_TILE_SINGLE && !known_attribute(c, t->attribute))
            count_one(&attributes, i, t->attribute);
        if (t->type == LVL_WWD_TILE_DOUBLE) {
            if (!known_attribute(c, t->inside) || !known_attribute(c, t->outside))
                count_one(&attributes, i, known_attribute(c, t->inside) ? t->outside : t->inside);
            check_double(c, t, i);
        }
        if (t->type == LVL_WWD_TILE_MASK && (t->width != t->height || !power_of_two(t->width)))
            lvl_wwd_report(c->findings, LVL_WWD_F_MASK_SHAPE, lvl_wwd_at_property(i),
                           "the game does not load the level: a mask of %u by %u is not a square whose side "
                           "is a power of "
                           "two",
                           t->width, t->height);
    }
    if (attributes.count)
        lvl_wwd_report(c->findings, LVL_WWD_F_ATTRIBUTE, lvl_wwd_at_property(attributes.first),
                       "such tile properties: %u, the first has %lld: the game treats these tiles as clear",
                       attributes.count, (long long)attributes.value);
    if (sizes.count) {
        const lvl_wwd_tile_property *t = &wwd->tile_properties[sizes.first];
        lvl_wwd_report(c->findings, LVL_WWD_F_PROPERTY_SIZE, lvl_wwd_at_property(sizes.first),
                       "such tile properties: %u, the first is %u by %u, and tiles are not: the game uses "
                       "the size for searches only",
                       sizes.count, t->width, t->height);
    }
    if (unknowns.count) {
        lvl_wwd_report(c->findings, LVL_WWD_F_UNKNOWN_VALUE,
                       LVL_AT(lvl_wwd_at_property(unknowns.first), lvl_wwd_tile_property, unknown_04),
                       "is %lld (such tile properties: %u)", (long long)unknowns.value, unknowns.count);
    }
}

lvl_status lvl_wwd_check(const lvl_doc *doc, const lvl_check_request *request)
{
    lvl_wwd_checker c = {0};

    c.doc = doc;
    c.wwd = doc->root;
    c.findings = request->findings;
    c.art = request->art;
    c.each = request->each;
    c.game = lvl_wwd_game_of(c.wwd);
    c.book = lvl_wwd_book(c.wwd);
    c.main = lvl_wwd_main_plane(c.wwd, &c.main_index);
    check_header(&c);
    for (uint32_t i = 0; i < c.wwd->plane_count; i++)
        check_plane(&c, i);
    check_properties(&c);
    lvl_status status = lvl_wwd_check_objects(&c);
    if (status == LVL_OK)
        status = lvl_wwd_check_rules(&c);
    if (status == LVL_OK)
        status = lvl_wwd_check_keys(&c);
    return status == LVL_OK ? lvl_wwd_check_art(&c) : status;
}
