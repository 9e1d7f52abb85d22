/*
 * graal/graal_convert_items.c: links, baddies, NPCs, chests, signs and tilesets on their way into another
 * form. Members are copied by the tables; then each kind is brought as near as the form allows, what can't be
 * is left out, and either is named.
 */
#include "graal/graal_check.h"
#include "graal/graal_convert.h"
#include "graal/graal_findings.h"
#include "graal/graal_names.h"
#include "codec/grammar.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const struct list {
    size_t items;
    const lvl_table *table;
    lvl_graal_version since; /* the first that has such things */
    int lost;                /* what is found when the form has none */
} lists[LVL_GRAAL_LISTS] = {
    {offsetof(lvl_graal, links), &lvl_graal_link_table, LVL_Z3_V1_02, 0},
    {offsetof(lvl_graal, baddies), &lvl_graal_baddy_table, LVL_Z3_V1_02, 0},
    {offsetof(lvl_graal, npcs), &lvl_graal_npc_table, LVL_GR_V1_00, LVL_GRAAL_F_LOSS_NPC},
    {offsetof(lvl_graal, chests), &lvl_graal_chest_table, LVL_GR_V1_01, LVL_GRAAL_F_LOSS_CHEST},
    {offsetof(lvl_graal, signs), &lvl_graal_sign_table, LVL_Z3_V1_02, 0},
    {offsetof(lvl_graal, tilesets), &lvl_graal_tileset_table, LVL_GLEVNW01, LVL_GRAAL_F_LOSS_TILESET},
};

const lvl_field *lvl_graal_list_field(unsigned list)
{
    return lvl_table_at(&lvl_graal_table, lists[list].items);
}

void lvl_graal_report_loss(const lvl_graal_converter *c, int what, const lvl_where *where, const char *fmt,
                           ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(c->losses, &lvl_graal_findings[what], where, NULL, fmt, args);
    va_end(args);
}

void *lvl_graal_room(lvl_graal_converter *c, size_t count, size_t size)
{
    void *p = lvl_arena_array(&c->to_doc->arena, count, size);

    if (!p)
        c->status = LVL_ERR_MEMORY;
    return p;
}

/* ---- places ------------------------------------------------------------------------------------------ */

enum {
    LOWEST = -32,
    HIGHEST = 223,
    FEED = '\n' - 32
}; /* what a byte that is 32 more can say; a line feed ends the record */

/* The nearest whole number that a byte can say. */
static double near_place(double at)
{
    double v = floor(at + 0.5);

    v = v < LOWEST ? LOWEST : v > HIGHEST ? HIGHEST : v;
    return v == FEED ? v + 1 : v;
}

static bool fit_real(const lvl_graal_converter *c, const lvl_where *where, double *at)
{
    const double v = *at == *at ? near_place(*at) : 0;

    if (v == *at)
        return true;
    lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_PLACE, where, "%g becomes %g", *at, v);
    *at = v;
    return false;
}

static void fit_int(const lvl_graal_converter *c, const lvl_where *where, int32_t *at)
{
    double v = *at;

    fit_real(c, where, &v);
    *at = (int32_t)v;
}

static void fit_range(const lvl_graal_converter *c, const lvl_where *where, int32_t *at, int32_t least,
                      int32_t most)
{
    const int32_t v = *at < least ? least : *at > most ? most : *at;

    if (v != *at)
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_PLACE, where, "%ld becomes %ld", (long)*at, (long)v);
    *at = v;
}

/* Binary levels have no layers for things. */
static void lose_layer(const lvl_graal_converter *c, const lvl_where *where, uint32_t *layer)
{
    if (!*layer || lvl_graal_is_text(c->to))
        return;
    lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_LAYER, where, "it belongs to layer %lu", (unsigned long)*layer);
    *layer = 0;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

/* A copy in which every `from` is `to`; how many there were. */
static size_t replace(lvl_graal_converter *c, lvl_text *text, char from, char to)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++)
        n += text->ptr[i] == from;
    if (!n)
        return 0;
    char *copy = lvl_graal_room(c, text->len, 1);
    if (!copy)
        return n;
    for (size_t i = 0; i < text->len; i++)
        copy[i] = text->ptr[i] == from ? to : text->ptr[i];
    text->ptr = copy;
    return n;
}

/* A line of a text that is its block's end line would end it; a blank before it makes it another. How many
 * there were. */
static size_t disarm(lvl_graal_converter *c, lvl_text *text, const char *word)
{
    lvl_buffer out = {0};
    size_t n = 0;

    if (!text->len)
        return 0;
    const lvl_lines_text lines = {text->ptr, text->ptr + text->len, false};
    for (const char *at = lines.ptr; at < lines.end;) {
        const lvl_line_view line = lvl_line_at(&lines, at);
        if (lvl_line_is_word(line.text, word)) {
            lvl_buffer_u8(&out, ' ');
            n++;
        }
        lvl_buffer_add(&out, at, (size_t)(line.next - at));
        at = line.next;
    }
    if (out.status != LVL_OK)
        c->status = out.status;
    else if (n)
        *text = (lvl_text){lvl_arena_copy(&c->to_doc->arena, out.data, out.len), out.len};
    if (n && !text->ptr)
        c->status = LVL_ERR_MEMORY;
    lvl_buffer_free(&out);
    return n;
}

/* ---- links ------------------------------------------------------------------------------------------- */

/* How a version says that the player's own coordinate is kept. */
static const char *own_coordinate(const lvl_graal *level, bool y)
{
    return level->version < LVL_GR_V1_03 ? "-1" : y ? "playery" : "playerx";
}

static void convert_dest(const lvl_graal_converter *c, const lvl_where *link, size_t member, lvl_text *dest)
{
    const bool early = c->from->version < LVL_GR_V1_03, to_early = c->to->version < LVL_GR_V1_03;
    const bool y = member == offsetof(lvl_graal_link, dest_y);
    const lvl_where where = lvl_graal_member(*link, &lvl_graal_link_table, member);
    const char *own = own_coordinate(c->to, y);
    double value;

    if (early == to_early)
        return;
    const lvl_graal_dest kind = lvl_graal_dest_kind(*dest, &value);
    if (lvl_text_is(*dest, own_coordinate(c->from, y))) {
        *dest = lvl_text_of(own);
    } else if (early && kind == LVL_DEST_NUMBER && value == -1) {
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_EXPRESSION, &where, "%.*s becomes %s",
                              (int)(dest->len % 100), dest->ptr, own);
        *dest = lvl_text_of(own);
    } else if (kind != LVL_DEST_NUMBER || value == -1) {
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_EXPRESSION, &where,
                              early ? "%.*s means something else in %s" : "%.*s cannot be represented in %s",
                              (int)(dest->len < 100 ? dest->len : 100), dest->ptr,
                              lvl_graal_version_name(c->to->version));
        if (!early)
            *dest = lvl_text_of(own); /* the nearest: somewhere that depends on the player */
    }
}

static bool convert_link(lvl_graal_converter *c, const void *item, void *made, const lvl_where *where)
{
    lvl_graal_link *to = made;

    (void)item;
    lose_layer(c, where, &to->layer);
    lose_layer(c, where, &to->dest_layer);
    convert_dest(c, where, offsetof(lvl_graal_link, dest_x), &to->dest_x);
    convert_dest(c, where, offsetof(lvl_graal_link, dest_y), &to->dest_y);
    return true;
}

/* ---- baddies ----------------------------------------------------------------------------------------- */

static void convert_verse(lvl_graal_converter *c, const lvl_where *baddy, size_t member, lvl_text *verse)
{
    const lvl_where where = lvl_graal_member(*baddy, &lvl_graal_baddy_table, member);
    const bool text = lvl_graal_is_text(c->to);

    if (!verse->len)
        return;
    if (c->to->version < LVL_Z3_V1_04) {
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_VERSES, &where, "%llu characters of its text",
                              (unsigned long long)verse->len);
        verse->len = 0;
    } else if (text ? disarm(c, verse, "BADDYEND") : replace(c, verse, '\\', '/')) {
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_VERSES, &where,
                              text ? "BADDYEND, which would end it" : "a \\, which separates its texts");
    }
}

static bool convert_baddy(lvl_graal_converter *c, const void *item, void *made, const lvl_where *where)
{
    enum { LTTP = 7 };
    lvl_graal_baddy *to = made;
    char name[32];

    (void)item;
    convert_verse(c, where, offsetof(lvl_graal_baddy, attack), &to->attack);
    convert_verse(c, where, offsetof(lvl_graal_baddy, hurt), &to->hurt);
    convert_verse(c, where, offsetof(lvl_graal_baddy, win), &to->win);
    if (lvl_graal_is_text(c->to))
        return true;
    lose_layer(c, where, &to->layer);
    if (to->type < 0 || to->type > 255 || (c->to->version < LVL_GR_V1_02 && to->type >= LTTP)) {
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_BADDY, where, "%s does not exist in %s",
                              to->type == -1 ? "one of an unknown name"
                                             : lvl_graal_baddy_text(to->type, name, sizeof name),
                              lvl_graal_version_name(c->to->version));
        return false;
    }
    /* 254: three bytes 255 are the list's end mark */
    fit_range(c, where, &to->x, 0, 254);
    fit_range(c, where, &to->y, 0, 254);
    return true;
}

/* ---- NPCs -------------------------------------------------------------------------------------------- */

static bool convert_npc(lvl_graal_converter *c, const void *item, void *made, const lvl_where *where)
{
    const lvl_where script = lvl_graal_member(*where, &lvl_graal_npc_table, offsetof(lvl_graal_npc, script)),
                    image = lvl_graal_member(*where, &lvl_graal_npc_table, offsetof(lvl_graal_npc, image));
    lvl_graal_npc *to = made;
    size_t n;

    (void)item;
    if (lvl_graal_is_text(c->to)) {
        n = disarm(c, &to->script, "NPCEND");
        if (n)
            lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_END_LINE, &script,
                                  "%llu lines NPCEND get a blank before them", (unsigned long long)n);
        return true;
    }
    lose_layer(c, where, &to->layer);
    const lvl_where x = lvl_graal_member(*where, &lvl_graal_npc_table, offsetof(lvl_graal_npc, x)),
                    y = lvl_graal_member(*where, &lvl_graal_npc_table, offsetof(lvl_graal_npc, y));
    fit_real(c, &x, &to->x);
    fit_real(c, &y, &to->y);
    n = replace(c, &to->script, '\xA7', '?');
    if (n)
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_SCRIPT_BYTE, &script,
                              "%llu bytes A7, which stand for line ends there", (unsigned long long)n);
    n = replace(c, &to->image, '#', '_') + replace(c, &to->image, '\n', '_');
    if (n)
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_IMAGE, &image, "%llu characters that would end it",
                              (unsigned long long)n);
    return true;
}

/* ---- chests ------------------------------------------------------------------------------------------ */

static bool convert_chest(lvl_graal_converter *c, const void *item, void *made, const lvl_where *where)
{
    lvl_graal_chest *to = made;

    (void)item;
    if (lvl_graal_is_text(c->to))
        return true;
    lose_layer(c, where, &to->layer);
    if (to->item == -1 && lvl_graal_is_text(c->from)) {
        lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_CHEST, where, "an item of an unknown name");
        return false;
    }
    fit_int(c, where, &to->x);
    fit_int(c, where, &to->y);
    fit_int(c, where, &to->item);
    fit_int(c, where, &to->sign);
    return true;
}

/* ---- signs ------------------------------------------------------------------------------------------- */

/* Codes and characters that mean something in one era only: quarter hearts in Zelda's, and in Graal's
 * whatever is resolved when a sign is shown. */
static size_t foreign_codes(lvl_text text, bool to_zelda, size_t *first)
{
    static const char shared[] = ".xyzhudlrABXY4", letters[] = "!?-.,>()\"'< |\n";
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        const char ch = text.ptr[i], next = i + 1 < text.len ? text.ptr[i + 1] : 0;
        bool foreign;
        if (ch == '#')
            foreign = to_zelda ? !next || !strchr(shared, next) : next >= '1' && next <= '3';
        else
            foreign = to_zelda && !(ch >= 'A' && ch <= 'Z') && !(ch >= 'a' && ch <= 'z') &&
                      !(ch >= '0' && ch <= '9') && (!ch || !strchr(letters, ch));
        if (foreign && !n++)
            *first = i;
    }
    return n;
}

static bool convert_sign(lvl_graal_converter *c, const void *item, void *made, const lvl_where *where)
{
    const bool from_zelda = c->from->version <= LVL_Z3_V1_04, to_zelda = c->to->version <= LVL_Z3_V1_04;
    const lvl_where text = lvl_graal_member(*where, &lvl_graal_sign_table, offsetof(lvl_graal_sign, text));
    lvl_graal_sign *to = made;
    size_t first = 0, n;

    (void)item;
    if (from_zelda != to_zelda) {
        n = foreign_codes(to->text, to_zelda, &first);
        if (n)
            lvl_graal_report_loss(
                c, LVL_GRAAL_F_LOSS_SIGN_CODE, &text,
                "characters or codes that signs of %s do not have: %llu, the first is character %llu",
                to_zelda ? "Zelda Online" : "Graal", (unsigned long long)n, (unsigned long long)first);
    }
    if (lvl_graal_is_text(c->to)) {
        n = disarm(c, &to->text, "SIGNEND");
        if (n)
            lvl_graal_report_loss(c, LVL_GRAAL_F_LOSS_END_LINE, &text,
                                  "%llu lines SIGNEND get a blank before them", (unsigned long long)n);
        return true;
    }
    lose_layer(c, where, &to->layer);
    fit_int(c, where, &to->x);
    fit_int(c, where, &to->y);
    return true;
}

/* ---- lists ------------------------------------------------------------------------------------------- */

typedef bool (*convert_fn)(lvl_graal_converter *c, const void *item, void *made, const lvl_where *where);

static const convert_fn converts[LVL_GRAAL_LISTS] = {
    convert_link, convert_baddy, convert_npc, convert_chest, convert_sign, NULL,
};

static void convert_list(lvl_graal_converter *c, unsigned index)
{
    const struct list *l = &lists[index];
    const lvl_field *f = lvl_graal_list_field(index);
    const uint32_t n = lvl_list_count(c->from, f), size = l->table->struct_size;
    const bool there = c->to->version >= l->since;
    uint32_t made = 0;

    if (!n)
        return;
    uint8_t *items = there ? lvl_graal_room(c, n, size) : NULL;
    c->origins[index] = there ? lvl_graal_room(c, n, sizeof(uint32_t)) : NULL;
    for (uint32_t i = 0; i < n && c->status == LVL_OK; i++) {
        const void *item = lvl_list_item(c->from, f, i);
        const lvl_where where = lvl_where_to(lvl_where_root(), f, i);
        if (!there) {
            lvl_graal_report_loss(c, l->lost, &where, "%s has none", lvl_graal_version_name(c->to->version));
            continue;
        }
        uint8_t *to = items + (size_t)made * size;
        c->status = lvl_record_copy(c->to_doc, to, c->from_doc, item, l->table);
        if (converts[index] && !converts[index](c, item, to, &where))
            continue;
        c->origins[index][made++] = i;
    }
    if (there && c->status == LVL_OK) {
        memcpy((uint8_t *)c->to + f->offset, &items, sizeof items);
        memcpy((uint8_t *)c->to + f->count_offset, &made, sizeof made);
    }
}

void lvl_graal_convert_items(lvl_graal_converter *c)
{
    for (unsigned i = 0; i < LVL_GRAAL_LISTS && c->status == LVL_OK; i++)
        convert_list(c, i);
}
