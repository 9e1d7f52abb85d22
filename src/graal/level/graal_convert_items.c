/*
 * graal/level/graal_convert_items.c: converts links, baddies, NPCs, chests, signs and tilesets. Members are
 * copied by the tables. Then values that the form cannot represent become the nearest possible values, or the
 * item is dropped; both are reported.
 */
#include "lines/grammar.h"
#include "graal/level/graal_convert.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_links.h"
#include "graal/level/graal_names.h"
#include "graal/level/graal_signs.h"
#include "graal/level/section_records.h"

#include "base/text.h"

#include <string.h>

enum { TILESETS = LVL_SECTIONS }; /* number of the list after those of the sections */

const lvl_field *lvl_graal_list_field(unsigned list)
{
    return lvl_table_at(&lvl_graal_table,
                        list == TILESETS ? offsetof(lvl_graal, tilesets) : lvl_sections[list].list);
}

void *lvl_graal_convert_alloc(lvl_graal_converter *c, size_t count, size_t size)
{
    void *p = lvl_arena_array(&c->to_doc->arena, count, size);

    if (!p)
        c->status = LVL_ERR_MEMORY;
    return p;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

typedef struct item_at {
    const lvl_graal_converter *c;
    const lvl_where *where;
} item_at;

static void report_number(void *user, const lvl_field *field, double was, double is)
{
    const item_at *at = user;
    const lvl_where where = lvl_where_to(*at->where, field, LVL_NO_INDEX);

    lvl_graal_find(at->c->losses, LVL_GRAAL_F_LOSS_PLACE, &where, "%g becomes %g", was, is);
}

/* Resets members that the form does not have. */
static void lose_members(const lvl_graal_converter *c, const lvl_table *table, void *item,
                         const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!f->forms || f->forms >> c->to->version & 1 || !lvl_get_int(item, f))
            continue;
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_LAYER, where, "its %s is %lld", f->name,
                       (long long)lvl_get_int(item, f));
        lvl_put_int(item, f, 0);
    }
}

/* ---- texts ------------------------------------------------------------------------------------------- */

/* Replaces every `from` by `to` in a copy of the text; returns their number. */
static size_t replace(lvl_graal_converter *c, lvl_text *text, char from, char to)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++)
        n += text->ptr[i] == from;
    if (!n)
        return 0;
    char *copy = lvl_graal_convert_alloc(c, text->len, 1);
    if (!copy)
        return n;
    for (size_t i = 0; i < text->len; i++)
        copy[i] = text->ptr[i] == from ? to : text->ptr[i];
    text->ptr = copy;
    return n;
}

/* Inserts a blank before each line that would end the text's block; returns their number. */
static size_t indent_end_lines(lvl_graal_converter *c, lvl_text *text, const char *word)
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

/* What a form cannot represent in a text, with the finding. */
static const struct text_rule {
    int section;
    size_t member;
    const char *end_line; /* the line that ends its block in a text level; NULL: not a block */
    char bad, instead; /* in a binary level: a character and its replacement; 0: none */
    int text_loss, binary_loss;
    const char *why;
} text_rules[] = {
    {LVL_BADDIES, offsetof(lvl_graal_baddy, attack), "BADDYEND", '\\', '/', LVL_GRAAL_F_LOSS_VERSES,
     LVL_GRAAL_F_LOSS_VERSES, "\\, which separates its texts"},
    {LVL_BADDIES, offsetof(lvl_graal_baddy, hurt), "BADDYEND", '\\', '/', LVL_GRAAL_F_LOSS_VERSES,
     LVL_GRAAL_F_LOSS_VERSES, "\\, which separates its texts"},
    {LVL_BADDIES, offsetof(lvl_graal_baddy, win), "BADDYEND", '\\', '/', LVL_GRAAL_F_LOSS_VERSES,
     LVL_GRAAL_F_LOSS_VERSES, "\\, which separates its texts"},
    {LVL_NPCS, offsetof(lvl_graal_npc, image), NULL, '#', '_', 0, LVL_GRAAL_F_LOSS_IMAGE,
     "#, which would end it"},
    {LVL_NPCS, offsetof(lvl_graal_npc, image), NULL, '\n', '_', 0, LVL_GRAAL_F_LOSS_IMAGE,
     "line end, which would end it"},
    {LVL_NPCS, offsetof(lvl_graal_npc, script), "NPCEND", '\xA7', '?', LVL_GRAAL_F_LOSS_END_LINE,
     LVL_GRAAL_F_LOSS_SCRIPT_BYTE, "A7, which stands for a line end there"},
    {LVL_SIGNS, offsetof(lvl_graal_sign, text), "SIGNEND", 0, 0, LVL_GRAAL_F_LOSS_END_LINE, 0, NULL},
};

static void convert_texts(lvl_graal_converter *c, int section, void *item, const lvl_where *where)
{
    for (size_t i = 0; i < LVL_COUNT_OF(text_rules); i++) {
        const struct text_rule *rule = &text_rules[i];
        lvl_text text;
        if (rule->section != section)
            continue;
        memcpy(&text, (uint8_t *)item + rule->member, sizeof text);
        const lvl_where at = lvl_where_member(*where, lvl_sections[section].table, rule->member);
        if (lvl_graal_is_text(c->to)) {
            const size_t n = rule->end_line ? indent_end_lines(c, &text, rule->end_line) : 0;
            if (n)
                lvl_graal_find(c->losses, rule->text_loss, &at, "%llu lines %s get a blank before them",
                               (unsigned long long)n, rule->end_line);
        } else {
            const size_t n = rule->bad ? replace(c, &text, rule->bad, rule->instead) : 0;
            if (n)
                lvl_graal_find(c->losses, rule->binary_loss, &at, "%llu times %s: it becomes %c",
                               (unsigned long long)n, rule->why, rule->instead);
        }
        memcpy((uint8_t *)item + rule->member, &text, sizeof text);
    }
}

/* ---- links ------------------------------------------------------------------------------------------- */

/* The destination that keeps the player's coordinate. */
static const char *own_coordinate(const lvl_graal *level, size_t axis)
{
    static const char *const names[LVL_GRAAL_AXES] = {"playerx", "playery"};

    return level->version < LVL_GR_V1_03 ? "-1" : names[axis];
}

static void convert_dest(const lvl_graal_converter *c, const lvl_where *link, size_t axis, lvl_text *dest)
{
    const bool early = c->from->version < LVL_GR_V1_03, to_early = c->to->version < LVL_GR_V1_03;
    const lvl_where where = lvl_where_member(*link, &lvl_graal_link_table, lvl_graal_link_dests[axis]);
    const char *own = own_coordinate(c->to, axis);
    double value;

    if (early == to_early)
        return;
    const lvl_graal_dest kind = lvl_graal_dest_kind(*dest, &value);
    if (lvl_text_is(*dest, own_coordinate(c->from, axis))) {
        *dest = lvl_text_of(own);
    } else if (early && kind == LVL_DEST_NUMBER && value == -1) {
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_EXPRESSION, &where, "%.*s becomes %s",
                       (int)(dest->len < 100 ? dest->len : 100), dest->ptr, own);
        *dest = lvl_text_of(own);
    } else if (kind != LVL_DEST_NUMBER || value == -1) {
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_EXPRESSION, &where,
                       early ? "%.*s means something else in %s" : "%.*s cannot be represented in %s",
                       (int)(dest->len < 100 ? dest->len : 100), dest->ptr,
                       lvl_graal_version_name(c->to->version));
        if (!early)
            *dest = lvl_text_of(own); /* the nearest equivalent: a position that depends on the player */
    }
}

/* ---- baddies ----------------------------------------------------------------------------------------- */

/* Converts a copied baddy; false: the form does not have this baddy. */
static bool convert_baddy(const lvl_graal_converter *c, lvl_graal_baddy *to, const lvl_where *where)
{
    enum { LTTP = 7 };
    lvl_text *const verses[] = {&to->attack, &to->hurt, &to->win};
    char name[32];

    for (size_t i = 0; i < LVL_COUNT_OF(verses) && c->to->version < LVL_Z3_V1_04; i++) {
        const lvl_where at =
            lvl_where_member(*where, &lvl_graal_baddy_table, (size_t)((uint8_t *)verses[i] - (uint8_t *)to));
        if (verses[i]->len)
            lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_VERSES, &at, "%llu characters of its text",
                           (unsigned long long)verses[i]->len);
        verses[i]->len = 0;
    }
    if (lvl_graal_is_text(c->to) ||
        (to->type >= 0 && to->type <= 255 && (c->to->version >= LVL_GR_V1_02 || to->type < LTTP)))
        return true;
    lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_BADDY, where, "%s does not exist in %s",
                   to->type == -1 ? "one of an unknown name"
                                  : lvl_graal_baddy_text(to->type, name, sizeof name),
                   lvl_graal_version_name(c->to->version));
    return false;
}

/* ---- signs ------------------------------------------------------------------------------------------- */

/* Reports characters that are shown differently, and texts that would be read differently. */
static void convert_sign(lvl_graal_converter *c, lvl_graal_sign *to, const lvl_where *where)
{
    const lvl_sign_era era = lvl_sign_era_of(c->to->version);
    const lvl_where at = lvl_where_member(*where, &lvl_graal_sign_table, offsetof(lvl_graal_sign, text));
    lvl_buffer cells = {0};
    char shown[200];
    size_t first = 0;
    bool exact;

    if (era != lvl_sign_era_of(c->from->version)) {
        const size_t n = lvl_sign_foreign(era, to->text, &first);
        if (n)
            lvl_graal_find(
                c->losses, LVL_GRAAL_F_LOSS_SIGN_CODE, &at,
                "characters or codes that signs of %s do not have: %llu, the first is character %llu",
                era == LVL_SIGN_ZELDA ? "Zelda Online" : "Graal", (unsigned long long)n,
                (unsigned long long)first);
    }
    if (lvl_graal_is_text(c->to) || !to->text.len)
        return;
    lvl_sign_encode(&cells, era, to->text);
    const lvl_text coded = {(const char *)cells.data, cells.len};
    char *const storage = lvl_graal_convert_alloc(c, lvl_sign_max_text(coded), 1);
    if (cells.status != LVL_OK)
        c->status = cells.status;
    if (c->status == LVL_OK) {
        const lvl_text again = {storage, lvl_sign_decode(era, coded, storage, &exact)};
        if (!lvl_text_equal(again, to->text))
            lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_UNWRITABLE, &at, "%s reads it as \"%s\"",
                           lvl_graal_version_name(c->to->version),
                           lvl_text_show(shown, sizeof shown, c->to_doc->codepage, again));
        to->text = again;
    }
    lvl_buffer_free(&cells);
}

/* ---- lists ------------------------------------------------------------------------------------------- */

/* Converts a copied item; false: the form cannot represent it. */
static bool convert_item(lvl_graal_converter *c, int section, void *to, const lvl_where *where)
{
    for (size_t k = 0; section == LVL_LINKS && k < LVL_GRAAL_AXES; k++)
        convert_dest(c, where, k, (lvl_text *)(void *)((uint8_t *)to + lvl_graal_link_dests[k]));
    if (section == LVL_BADDIES && !convert_baddy(c, to, where))
        return false;
    if (section == LVL_CHESTS && ((lvl_graal_chest *)to)->item == -1 && lvl_graal_is_text(c->from) &&
        !lvl_graal_is_text(c->to)) {
        lvl_graal_find(c->losses, LVL_GRAAL_F_LOSS_CHEST, where, "an item of an unknown name");
        return false;
    }
    convert_texts(c, section, to, where);
    if (section == LVL_SIGNS)
        convert_sign(c, to, where);
    if (!lvl_graal_is_text(c->to)) {
        item_at at = {c, where};
        lose_members(c, lvl_sections[section].table, to, where);
        lvl_section_fit(section, to, report_number, &at);
    }
    return true;
}

static void convert_list(lvl_graal_converter *c, unsigned list)
{
    static const int lost[LVL_GRAAL_LISTS] = {[LVL_NPCS] = LVL_GRAAL_F_LOSS_NPC,
                                              [LVL_CHESTS] = LVL_GRAAL_F_LOSS_CHEST,
                                              [TILESETS] = LVL_GRAAL_F_LOSS_TILESET};
    const lvl_field *f = lvl_graal_list_field(list);
    const uint32_t n = lvl_list_count(c->from, f);
    const unsigned since = list == TILESETS ? (unsigned)LVL_GLEVNW01 : lvl_sections[list].since;
    const bool has_list = c->to->version >= since;
    uint32_t made = 0;

    if (!n)
        return;
    uint8_t *items = has_list ? lvl_graal_convert_alloc(c, n, f->item_size) : NULL;
    c->origins[list] = has_list ? lvl_graal_convert_alloc(c, n, sizeof(uint32_t)) : NULL;
    for (uint32_t i = 0; i < n && c->status == LVL_OK; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), f, i);
        if (!has_list) {
            lvl_graal_find(c->losses, lost[list], &where, "%s has none",
                           lvl_graal_version_name(c->to->version));
            continue;
        }
        uint8_t *to = items + (size_t)made * f->item_size;
        c->status = lvl_record_copy(c->to_doc, to, c->from_doc, lvl_list_item(c->from, f, i), f->table);
        if (list == TILESETS || convert_item(c, (int)list, to, &where))
            c->origins[list][made++] = i;
    }
    if (has_list && c->status == LVL_OK) {
        memcpy((uint8_t *)c->to + f->offset, &items, sizeof items);
        memcpy((uint8_t *)c->to + f->count_offset, &made, sizeof made);
    }
}

void lvl_graal_convert_items(lvl_graal_converter *c)
{
    for (unsigned list = 0; list < LVL_GRAAL_LISTS && c->status == LVL_OK; list++)
        convert_list(c, list);
}
