/*
 * graal/server/server_files.c: what the formats of a server's files share: which files they name, and how
 * they are recognized.
 */
#include "graal/server/server_files.h"

#include "base/findings.h"
#include "base/info.h"
#include "base/record.h"
#include "base/text.h"
#include "graal/art/graal_pictures.h"
#include "graal/level/graal_check.h"
#include "lines/text.h"
#include "scene/art.h"

#include <lvl/server.h>

const lvl_name lvl_server_line_ends[] = {
    {LVL_SERVER_LF, "lf", NULL},
    {LVL_SERVER_CRLF, "crlf", NULL},
    {0, NULL, NULL},
};

typedef struct checker {
    const lvl_doc *doc;
    const lvl_check_request *request;
    const lvl_server_missing *missing;
    uint32_t folders; /* lvl_graal_picture_folders */
    bool any; /* one of the files was found, so that the others are missing */
    bool count; /* only look whether any file is found */
} checker;

static void check_file(checker *c, const lvl_where *where, const lvl_field *f, lvl_text name)
{
    const bool picture = f->use == LVL_USE_PICTURE;
    char file[LVL_GRAAL_NAME];

    name = lvl_path_last(name);
    if (!name.len || !memchr(name.ptr, '.', name.len) || !lvl_graal_file_name(c->doc->codepage, name, file))
        return;
    if (picture ? lvl_graal_picture_name(c->request->art, c->folders, file) != NULL
                : lvl_art_find_name(c->request->art, file) != NULL)
        c->any = true;
    else if (!c->count)
        lvl_report_at(c->request->findings, picture ? c->missing->picture : c->missing->level, *where,
                      "%s" LVL_IS_MISSING ": %s", file,
                      picture ? c->missing->picture_text : c->missing->level_text);
}

/* Checks the file names in a record and in the items of its lists. */
static void check_files(checker *c, const void *record, const lvl_table *table, const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        const uint32_t count =
            f->kind == LVL_LIST && lvl_field_present(record, f) ? lvl_list_count(record, f) : 0;
        if (f->flags & LVL_F_FILE && f->kind == LVL_TEXT && lvl_field_present(record, f)) {
            const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
            check_file(c, &at, f, lvl_get_text(record, f));
        }
        for (uint32_t k = 0; k < count; k++) {
            const lvl_where at = lvl_where_to(*where, f, k);
            const void *item = lvl_list_item(record, f, k);
            if (f->item == LVL_RECORD)
                check_files(c, item, f->table, &at);
            else if (f->item == LVL_TEXT && f->flags & LVL_F_FILE)
                check_file(c, &at, f, *(const lvl_text *)item);
        }
    }
}

lvl_status lvl_server_check_files(const lvl_doc *doc, const lvl_check_request *request,
                                  const lvl_server_missing *missing)
{
    checker c = {.doc = doc, .request = request, .missing = missing, .count = true};
    const lvl_where root = lvl_where_root();

    if (!request->art)
        return LVL_OK;
    c.folders = lvl_graal_picture_folders(request->art);
    check_files(&c, doc->root, doc->format->table, &root);
    c.count = false;
    if (c.any)
        check_files(&c, doc->root, doc->format->table, &root);
    return LVL_OK;
}

void lvl_server_check_script(const lvl_doc *doc, const lvl_check_request *request, const lvl_field *field)
{
    const lvl_graal_checker rules = {.doc = doc, .findings = request->findings, .reached = true};
    const lvl_graal_npc npc = {.script = lvl_get_text(doc->root, field)};
    const lvl_where where = lvl_where_to(lvl_where_root(), field, LVL_NO_INDEX);

    lvl_graal_check_script(&rules, &npc, &where);
}

bool lvl_server_is_named(const char *path, const char *word)
{
    lvl_text name = lvl_path_last(lvl_text_of(path));

    while (name.len && !lvl_text_begins_nocase(name, word)) {
        name.ptr++;
        name.len--;
    }
    return name.len && lvl_text_has_ending(name, ".txt");
}

lvl_text lvl_server_first_line(lvl_bytes head)
{
    const lvl_text text = lvl_lines_of_file(head);
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, false};
    lvl_line_view line = {{NULL, 0}, lines.ptr};

    do {
        if (line.next >= lines.end)
            return (lvl_text){NULL, 0};
        line = lvl_line_at(&lines, line.next);
        line.text = lvl_text_trim(line.text);
    } while (!line.text.len || *line.text.ptr == '#');
    return line.text;
}

lvl_status lvl_server_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    (void)art;
    lvl_info_fields(info, doc->format->table, doc->root, NULL, NULL);
    return lvl_info_status(info);
}
