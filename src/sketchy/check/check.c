/*
 * sketchy/check/check.c: the rules of drawings, beyond those that the reader checks. "Game" is the
 * last release, 0.14.0; where the newest source (HEAD) differs is in sketchy/model/programs.c.
 */
#include "sketchy/check/check.h"

#include "sketchy/model/member_names.h"
#include "sketchy/model/programs.h"

#include <stdio.h>

/* Reports what the game's programs can't do with the encoding of a drawing: the level itself (`path` empty),
 * or a doodad that it embeds. */
static void check_programs(lvl_findings *findings, const lvl_sketchy *d, const lvl_where *where,
                           lvl_text path)
{
    lvl_sketchy_encodings encodings;
    char shown[100], name[sizeof shown + 2] = "";

    if (path.len)
        snprintf(name, sizeof name, "%s: ", lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, path));
    lvl_sketchy_count_encodings(d, &encodings);
    for (size_t i = 0; i < LVL_SKETCHY_LIMITS; i++) {
        const lvl_sketchy_limit *t = &lvl_sketchy_limits[i];
        const uint8_t g = t->generation;
        if (!lvl_sketchy_uses(d, &encodings, g) ||
            (path.len && t->shows)) /* embedded doodads are never saved */
            continue;
        if (g < LVL_SKETCHY_V3 || encodings.chunks[g] == encodings.total)
            lvl_sketchy_report(findings, t->finding, where, "%s%s: %s", name, lvl_sketchy_generation_name(g),
                               t->text);
        else
            lvl_sketchy_report(findings, t->finding, where, "%s%lu of %lu chunks are stored as in %s: %s",
                               name, (unsigned long)encodings.chunks[g], (unsigned long)encodings.total,
                               lvl_sketchy_generation_name(g), t->text);
    }
    if (encodings.base64)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_BASE64, where,
                           "%s%lu of %lu chunks are stored as base64: the game adds a pixel at 0,0 to each "
                           "when it loads them",
                           name, (unsigned long)encodings.base64, (unsigned long)encodings.total);
}

/* The same for the doodads in a level. */
static lvl_status check_embedded(const lvl_sketchy_checker *c)
{
    const lvl_sketchy *d = c->d;
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < d->file_count && status == LVL_OK; i++) {
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, files), i);
        lvl_doc *doodad;
        if (!lvl_text_has_ending(d->files[i].path, ".doodad"))
            continue;
        status = lvl_sketchy_open_file(c->doc, &d->files[i], &storage, NULL, &doodad);
        if (status == LVL_OK) {
            check_programs(c->findings, doodad->root, &where, d->files[i].path);
            char shown[LVL_SKETCHY_SHOWN], name[LVL_SKETCHY_SHOWN + 2];
            snprintf(name, sizeof name, "%s: ", lvl_sketchy_show(shown, d->files[i].path));
            status = lvl_sketchy_check_script(c, doodad->root, &where, name);
        }
        lvl_doc_free(doodad);
        status =
            status == LVL_ERR_MEMORY ? status : LVL_OK; /* other findings report whatever else is wrong */
    }
    lvl_buffer_free(&storage);
    return status;
}

lvl_status lvl_sketchy_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_sketchy_checker c = {doc, doc->root, request->findings, request->art, request->edited};

    check_programs(c.findings, c.d, NULL, (lvl_text){NULL, 0});
    lvl_status status = c.d->kind == LVL_SKETCHY_LEVEL ? check_embedded(&c) : LVL_OK;
    if (status == LVL_OK)
        status = lvl_sketchy_check_parts(&c);
    const lvl_where script = lvl_sketchy_at(offsetof(lvl_sketchy, script));
    if (status == LVL_OK)
        status = lvl_sketchy_check_rules(&c);
    if (status == LVL_OK && c.d->kind == LVL_SKETCHY_DOODAD)
        status = lvl_sketchy_check_script(&c, c.d, &script, "");
    return status == LVL_OK ? lvl_sketchy_check_chunks(&c) : status;
}
