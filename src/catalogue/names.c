/*
 * catalogue/names.c: see names.h.
 */
#include "catalogue/names.h"

#include "base/text.h"
#include "base/work.h"
#include "tools/edit/script_names.h"

#include <string.h>

static bool is_in_no_name(char c)
{
    switch (c) {
    case ':':
    case '*':
    case '?':
    case '"':
    case '<':
    case '>':
    case '|':
    case '#':
    case '@':
    case '=':
    case '(':
    case ')':
    case '{':
    case '}':
    case ';': return true;
    default: return (uint8_t)c < ' ';
    }
}

/* No text that people wrote, or that a script puts together. */
static bool may_be_name(lvl_text name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (is_in_no_name(name.ptr[i]))
            return false;
    }
    return true;
}

static lvl_use use_of_format(const lvl_format *format)
{
    const unsigned can = lvl_format_can(format);

    return can & LVL_CAN_IMAGE    ? LVL_USE_PICTURE
           : can & LVL_CAN_PLAY   ? LVL_USE_ANIMATION
           : can & LVL_CAN_RENDER ? LVL_USE_LEVEL
                                  : LVL_USE_NONE;
}

lvl_use cat_use_of_ending(const lvl_ctx *ctx, const char *family, lvl_text ending)
{
    static const struct {
        const char *ending;
        lvl_use use;
    } known[] = {
        {"png", LVL_USE_PICTURE}, {"gif", LVL_USE_PICTURE}, {"jpg", LVL_USE_PICTURE},
        {"mng", LVL_USE_PICTURE}, {"bmp", LVL_USE_PICTURE}, {"wav", LVL_USE_SOUND},
        {"mid", LVL_USE_SOUND},   {"mp3", LVL_USE_SOUND},   {"ogg", LVL_USE_SOUND},
        {"xmi", LVL_USE_SOUND},   {"lua", LVL_USE_SCRIPT},  {"ani", LVL_USE_ANIMATION},
    };
    const lvl_format *const *formats = lvl_formats_of(ctx);
    lvl_use use = LVL_USE_NONE;

    for (size_t i = 0; i < LVL_COUNT_OF(known) && !use; i++) {
        if (lvl_text_equal_nocase(ending, lvl_text_of(known[i].ending)))
            use = known[i].use;
    }
    for (size_t i = 0; formats[i] && !use; i++) {
        if ((!family || strcmp(formats[i]->family, family) == 0) &&
            lvl_format_has_extension(formats[i], ending))
            use = use_of_format(formats[i]);
    }
    return use;
}

cat_file_name cat_name_of(const lvl_doc *doc, lvl_text name)
{
    cat_file_name what = {LVL_USE_NONE, NULL, false};
    size_t dot = name.len;

    while (dot && name.ptr[dot - 1] != '.')
        dot--;
    if (dot < 2 || dot == name.len || strchr("/\\", name.ptr[dot - 2]) || !may_be_name(name))
        return what;
    what.use = cat_use_of_ending(doc->ctx, doc->format->family, (lvl_text){name.ptr + dot, name.len - dot});
    return what;
}

lvl_status cat_names_of_script(const lvl_doc *doc, lvl_text script, cat_name_fn visit, void *user)
{
    lvl_script_walk walk = {.text = script};
    lvl_status status = lvl_charge(doc->ctx, script.len);

    while (status == LVL_OK && lvl_script_walk_next(&walk)) {
        lvl_text name = {0};
        const bool found = lvl_script_walk_name(&walk, &name) && may_be_name(name);
        status = lvl_script_walk_charge(&walk, doc->ctx);
        if (status != LVL_OK || !found)
            continue;
        cat_file_name what = cat_name_of(doc, name);
        for (const lvl_script_stem *c = doc->format->calls->script_stems; c && c->command && !what.use; c++) {
            if (lvl_script_is_argument(&walk, c))
                what = (cat_file_name){strchr(c->ending, '*') ? LVL_USE_DOODAD : LVL_USE_ANIMATION, c->ending,
                                       false};
        }
        if (!what.use)
            continue;
        visit(user, name, &what);
        lvl_script_walk_skip(&walk, name.len);
    }
    return status;
}
