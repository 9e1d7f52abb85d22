/*
 * scene/art.c: the art search path: its roots, including those that come with a level, and lookups of files
 * and palettes by path.
 */
#include <lvl/scene.h>

#include "os/file.h"
#include "base/format.h"
#include "base/text.h"
#include "scene/art_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct palette_file {
    lvl_art_kept kept; /* the key is the path */
    bool found;
    lvl_art_damage damage;
    lvl_palette palette;
} palette_file;

/* ---- roots -------------------------------------------------------------------------------------------- */

static void forget_all(lvl_art_state *state)
{
    lvl_art_sets_clear(state);
    lvl_art_memo_clear(&state->palettes, NULL, NULL);
    lvl_art_memo_clear(&state->damaged, NULL, NULL);
}

lvl_art *lvl_art_new(const lvl_ctx *ctx)
{
    lvl_art *art = calloc(1, sizeof *art);

    if (art)
        art->state = calloc(1, sizeof *art->state);
    if (!art || !art->state) {
        free(art);
        return NULL;
    }
    art->ctx = ctx;
    art->state->roots.ctx = ctx;
    return art;
}

void lvl_art_free(lvl_art *art)
{
    if (!art)
        return;
    forget_all(art->state);
    lvl_art_pictures_clear(art->state, true);
    lvl_art_roots_free(&art->state->roots);
    free(art->state);
    free(art->folder);
    free(art->level);
    free(art);
}

void lvl_art_set_files(lvl_art *art, const lvl_files *files)
{
    art->state->roots.files = files;
}

lvl_status lvl_art_add(lvl_art *art, const char *path)
{
    lvl_art_roots *roots = &art->state->roots;

    forget_all(art->state);
    lvl_art_pictures_clear(art->state, true);
    lvl_status status = lvl_art_roots_add(roots, path, 0);
    if (status != LVL_OK)
        return status;
    lvl_art_place *root = &roots->items[roots->count - 1];
    /* Archives and pictures that were given are opened at once, so that errors in them are reported. */
    if (root->lone)
        status = lvl_art_lone_check(art, roots->count - 1);
    else if (root->tree_count == 1 && !root->trees[0].name && strcmp(root->trees[0].path, path) == 0)
        status = lvl_art_tree_open(roots, &root->trees[0]);
    if (status != LVL_OK)
        lvl_art_roots_drop(roots);
    return status;
}

lvl_status lvl_art_add_home(lvl_art *art, const char *path)
{
    lvl_art_roots *roots = &art->state->roots;
    const lvl_status status = lvl_art_add(art, path);

    if (status == LVL_OK)
        roots->items[roots->count - 1].home = true;
    return status;
}

lvl_status lvl_art_add_list(lvl_art *art, const char *list)
{
#ifdef _WIN32
    const char *const between = ";";
#else
    const char *const between = ":";
#endif
    lvl_status first = LVL_OK;

    while (list && *list) {
        const size_t len = strcspn(list, between);
        if (len) {
            char *path = lvl_text_copy((lvl_text){list, len});
            if (!path)
                return LVL_ERR_MEMORY;
            const lvl_status status = lvl_art_add(art, path);
            free(path);
            if (first == LVL_OK)
                first = status;
        }
        list += len + (list[len] != 0);
    }
    return first;
}

/* Length of the folder part, without its last slash; 0 if there is none. */
static size_t folder_len(const char *path, size_t len)
{
    while (len && path[len - 1] != '/' && path[len - 1] != '\\')
        len--;
    while (len > 1 && (path[len - 1] == '/' || path[len - 1] == '\\'))
        len--;
    return len;
}

/* Adds the folder of that name in each root's folder "Custom", where CrazyHook expects it. */
static lvl_status add_custom(lvl_art *art, const char *name, unsigned flags)
{
    lvl_art_roots *roots = &art->state->roots;
    const size_t count = roots->count;
    lvl_status status = LVL_OK;

    for (size_t r = 0; r < count && status != LVL_ERR_MEMORY; r++) {
        lvl_art_tree *const *named;
        const size_t n = roots->items[r].own || roots->items[r].lone
                             ? 0
                             : lvl_art_roots_named(roots, r, lvl_text_of("Custom"), &named);
        for (size_t i = 0; i < n && status != LVL_ERR_MEMORY; i++) {
            char *path = lvl_art_join(named[i]->path, name);
            if (!path)
                return LVL_ERR_MEMORY;
            status = LVL_ERR_MISSING;
            if (lvl_files_kind(roots->files, path) == LVL_FILE_FOLDER)
                status = lvl_art_roots_add(roots, path, flags);
            art->own = art->own || status == LVL_OK;
            free(path);
        }
    }
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

/* Adds the level's own folders: of its name, beside it, and in a folder "Custom" beside or above it. */
static lvl_status add_own(lvl_art *art, const char *level_path)
{
    const unsigned flags = LVL_ART_OF_LEVEL | LVL_ART_OWN_ROOT;
    const char *name = lvl_art_last_part(level_path), *dot = strrchr(name, '.');
    lvl_status status = LVL_OK;

    if (!dot || dot == name)
        return LVL_OK;
    char *path = lvl_text_copy((lvl_text){level_path, (size_t)(dot - level_path)});
    if (!path)
        return LVL_ERR_MEMORY;
    status = lvl_art_roots_add(&art->state->roots, path, flags);
    art->own = status == LVL_OK;
    if (status != LVL_ERR_MEMORY)
        status = add_custom(art, lvl_art_last_part(path), flags);
    free(path);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

/* Replaces a folder's path with its parent's: removes the last name or, if that is not possible, appends
 * ".."; false at the top. */
static bool go_up(char *path, size_t size)
{
    const size_t len = strlen(path), above = folder_len(path, len);
    const char *last = path + above;

    while (*last == '/' || *last == '\\')
        last++;
    if (*last && strcmp(last, ".") != 0 && strcmp(last, "..") != 0) {
        if (above)
            path[above] = 0;
        else
            memcpy(path, ".", 2);
        return true;
    }
    if (!*last && len)
        return false;
    if (strcmp(path, ".") == 0 || !len) {
        memcpy(path, "..", 3);
        return true;
    }
    if (len + 4 > size)
        return false;
    memcpy(path + len, "/..", 4);
    return true;
}

/* Collections keep the files of a game's archives in a folder beside the folder of levels: adds such folders
 * in the last root as roots, too. */
static lvl_status add_collections(lvl_art *art, unsigned flags)
{
    static const char *const names[] = {"assets", "art"};
    lvl_art_roots *roots = &art->state->roots;
    const size_t from = roots->count - 1;
    lvl_status status = LVL_OK;

    for (size_t k = 0; k < LVL_COUNT_OF(names); k++) {
        lvl_art_tree *const *named;
        const size_t n = lvl_art_roots_named(roots, from, lvl_text_of(names[k]), &named);
        for (size_t i = 0; i < n && status != LVL_ERR_MEMORY; i++) {
            if (lvl_files_kind(roots->files, named[i]->path) == LVL_FILE_FOLDER)
                status = lvl_art_roots_add(roots, named[i]->path, flags);
        }
    }
    return status;
}

/* Adds the level's folder and those above it. */
static lvl_status add_above(lvl_art *art, const char *folder)
{
    char path[1024];
    const size_t len = strlen(folder);
    lvl_status status = LVL_OK;

    if (len + 1 > sizeof path)
        return LVL_OK;
    memcpy(path, len ? folder : ".", len ? len + 1 : 2);
    for (int up = 0; up <= 5 && status != LVL_ERR_MEMORY; up++) {
        if (up && !go_up(path, sizeof path))
            break;
        /* A game's archive is in its top folder, and levels are at most two folders below; archives further
         * up may not be the game's. */
        const unsigned flags = up <= 2 ? LVL_ART_OF_LEVEL : LVL_ART_OF_LEVEL | LVL_ART_NO_ARCHIVES;
        status = lvl_art_roots_add(&art->state->roots, path, flags);
        if (status == LVL_OK)
            status = add_collections(art, flags);
    }
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

lvl_status lvl_art_level(lvl_art *art, const char *level_path)
{
    const size_t len = level_path ? folder_len(level_path, strlen(level_path)) : 0;
    char *folder = NULL, *level = NULL;
    lvl_status status = LVL_OK;

    if (level_path) {
        folder = lvl_text_copy((lvl_text){level_path, len});
        level = lvl_text_copy(lvl_text_of(lvl_art_last_part(level_path)));
        if (!folder || !level) {
            free(folder);
            free(level);
            return LVL_ERR_MEMORY;
        }
    }
    free(art->level);
    art->level = level;
    lvl_art_memo_clear(&art->state->damaged, NULL, NULL);
    /* Levels in one folder have the same roots, except for a level's own folder. */
    const bool same = folder && art->folder && strcmp(folder, art->folder) == 0;
    if (!same || art->own) {
        forget_all(art->state);
        lvl_art_pictures_clear(art->state, false);
        lvl_art_roots_clear(&art->state->roots);
        art->own = false;
        if (folder)
            status = add_above(art, folder);
    }
    if (folder && status == LVL_OK) {
        status = add_own(art, level_path);
        if (art->own)
            forget_all(art->state);
    }
    lvl_art_roots_close_unused(&art->state->roots);
    free(art->folder);
    art->folder = folder;
    return status;
}

bool lvl_art_renew(lvl_art *art)
{
    if (art->state->roots.memory_failed || !lvl_art_roots_renew(&art->state->roots))
        return false;
    forget_all(art->state);
    lvl_art_pictures_clear(art->state, true);
    return true;
}

lvl_status lvl_art_status(const lvl_art *art)
{
    return art->state->roots.memory_failed ? LVL_ERR_MEMORY : LVL_OK;
}

bool lvl_art_given(const lvl_art *art)
{
    const lvl_art_roots *roots = &art->state->roots;

    for (size_t i = 0; i < roots->count; i++) {
        if (!roots->items[i].of_level && !roots->items[i].home)
            return true;
    }
    return false;
}

size_t lvl_art_count(const lvl_art *art)
{
    return art->state->roots.count;
}

const char *lvl_art_root(const lvl_art *art, size_t index)
{
    return index < art->state->roots.count ? art->state->roots.items[index].path : NULL;
}

/* ---- lookups ----------------------------------------------------------------------------------------- */

static bool visit_folder(void *user, const lvl_container *container, const char *path)
{
    (void)user;
    return lvl_art_is_folder(container, path);
}

bool lvl_art_has_folder(const lvl_art *art, const char *path)
{
    return lvl_art_visit_path(art, path, visit_folder, NULL);
}

static bool visit_has_file(void *user, const lvl_container *container, const char *path)
{
    const lvl_entry *entry = lvl_container_find(container, path);

    (void)user;
    return entry && !entry->is_dir;
}

bool lvl_art_has_file(const lvl_art *art, const char *path)
{
    return lvl_art_visit_path(art, path, visit_has_file, NULL);
}

lvl_status lvl_art_read(const lvl_art *art, const char *path, lvl_buffer *out)
{
    lvl_art_found_file v = {out, LVL_ERR_MISSING};

    if (!lvl_art_visit_path(art, path, lvl_art_visit_file, &v) &&
        strncmp(path, LVL_ART_OWN, strlen(LVL_ART_OWN)) != 0) {
        /* files directly in a root are not in any tree */
        for (size_t i = 0; i < art->state->roots.count && v.status == LVL_ERR_MISSING; i++) {
            if (!art->state->roots.items[i].own)
                v.status = lvl_art_roots_file(&art->state->roots, i, lvl_text_of(path), out);
        }
    }
    return lvl_art_note(&art->state->roots, v.status);
}

lvl_status lvl_art_read_home(const lvl_art *art, const char *path, lvl_buffer *out)
{
    lvl_art_roots *roots = &art->state->roots;
    lvl_art_found_file v = {out, LVL_ERR_MISSING};

    for (size_t i = 0; i < roots->count; i++) {
        if (roots->items[i].home && lvl_art_roots_visit(roots, i, path, lvl_art_visit_file, &v))
            break;
    }
    return lvl_art_note(roots, v.status);
}

/* ---- palettes ---------------------------------------------------------------------------------------- */

static lvl_status decode_palette(const lvl_ctx *ctx, lvl_bytes bytes, const char *path, lvl_palette *out)
{
    const char *slash = strrchr(path, '/');
    lvl_doc *doc = NULL;
    lvl_status status = lvl_read(&doc, ctx, NULL, bytes, slash ? slash + 1 : path, LVL_READ_BORROW, NULL);

    if (status == LVL_OK)
        status = doc->format->calls->to_palette ? doc->format->calls->to_palette(doc, out) : LVL_ERR_FOREIGN;
    lvl_doc_free(doc);
    return status;
}

/* Whether a file of that name should be a palette, by a format that has palettes and its ending. */
static bool is_palette_name(const lvl_ctx *ctx, const char *path)
{
    const lvl_format *const *formats = lvl_formats_of(ctx);
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && formats[i]; i++) {
        if (formats[i]->calls->to_palette && lvl_format_has_extension(formats[i], lvl_text_of(dot + 1)))
            return true;
    }
    return false;
}

static void note_palette(const lvl_art *art, const char *path, lvl_art_damage damage)
{
    const size_t own = strlen(LVL_ART_OWN);

    lvl_art_note_damage(art, strncmp(path, LVL_ART_OWN, own) == 0 ? path + own : path, damage);
}

const lvl_palette *lvl_art_palette(const lvl_art *art, const char *path)
{
    lvl_buffer bytes = {0};

    palette_file *p = lvl_art_memo_find(&art->state->palettes, path, strlen(path));
    if (p) {
        note_palette(art, path, p->damage);
        return p->found ? &p->palette : NULL;
    }
    p = lvl_art_memo_add(&art->state->palettes, sizeof *p, path, strlen(path));
    if (!p) {
        lvl_art_note(&art->state->roots, LVL_ERR_MEMORY);
        return NULL;
    }
    lvl_status status = lvl_art_read(art, path, &bytes);
    if (status == LVL_OK) {
        status = decode_palette(art->ctx, (lvl_bytes){bytes.data, bytes.len}, path, &p->palette);
        if (status != LVL_OK && status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT &&
            is_palette_name(art->ctx, path))
            p->damage = LVL_ART_UNREADABLE;
    }
    note_palette(art, path, p->damage);
    p->found = lvl_art_note(&art->state->roots, status) == LVL_OK;
    lvl_buffer_free(&bytes);
    return p->found ? &p->palette : NULL;
}
