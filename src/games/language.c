/*
 * games/language.c: see language.h.
 */
#include "games/language.h"

#include "base/text.h"

const lvl_language_command *lvl_language_find(const lvl_language *language, lvl_text name)
{
    uint32_t low = 0, high = language->command_count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        const lvl_language_command *c = &language->commands[mid];
        const int order = lvl_text_compare_nocase(name, lvl_text_of(c->name));
        if (order == 0)
            return c;
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

bool lvl_language_is_keyword(const lvl_language *language, lvl_text word)
{
    for (const char *const *k = language->keywords; *k; k++) {
        if (lvl_text_equal_nocase(word, lvl_text_of(*k)))
            return true;
    }
    return false;
}

const char *lvl_language_near_keyword(const lvl_language *language, lvl_text word)
{
    enum { SHORTEST = 4 }; /* of keywords, other than `if` and `for` */

    for (const char *const *k = language->keywords; *k; k++) {
        const lvl_text name = lvl_text_of(*k);
        if (lvl_text_distance(word, name, 1) == 1 &&
            (name.len >= SHORTEST || (word.len == name.len && word.ptr[0] != name.ptr[0])))
            return *k;
    }
    return NULL;
}

const char *lvl_language_near(const lvl_language *language, lvl_text word)
{
    enum { SHORTEST = 4, SHORT = 7, LONGEST = 40 };
    unsigned best = word.len <= SHORT ? 2 : 3; /* farther than any match; setmode is no setbody */
    const char *near = NULL;

    if (word.len < SHORTEST || word.len > LONGEST)
        return NULL;
    for (uint32_t i = 0; i < language->command_count; i++) {
        const char *name = language->commands[i].name;
        const unsigned distance = lvl_text_distance(word, lvl_text_of(name), best);
        if (distance < best) {
            best = distance;
            near = name;
        }
    }
    return near;
}

const lvl_language_code *lvl_language_code_of(const lvl_language *language, lvl_text code)
{
    for (uint32_t i = 0; i < language->code_count; i++) {
        const lvl_language_code *c = &language->codes[i];
        const lvl_text name = lvl_text_of(c->name);
        if (code.len < name.len || !lvl_text_equal((lvl_text){code.ptr, name.len}, name))
            continue;
        const lvl_text rest = {code.ptr + name.len, code.len - name.len};
        uint32_t number = 0;
        size_t digits = 0;
        while (digits < rest.len && digits < 3 && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9')
            number = number * 10 + (uint32_t)(rest.ptr[digits++] - '0');
        if (digits == rest.len && (c->last ? digits && number >= c->first && number <= c->last : !digits))
            return c;
    }
    return NULL;
}

lvl_text lvl_language_arg(const lvl_language_command *command, uint32_t index)
{
    const char *list = command->args;
    lvl_text item;

    while (lvl_text_next_item(&list, ' ', &item)) {
        if (index-- == 0)
            return item;
    }
    return (lvl_text){"", 0};
}
