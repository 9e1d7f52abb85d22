/*
 * scene/art_pictures.c: pictures found by file name, decoded once and cached. Roots added by the user are
 * searched at any depth, and their pictures stay cached when the level changes; around a level only the
 * folders themselves are searched, since what is below them may have nothing to do with it.
 */
#include "base/buffer.h"
#include "os/file.h"
#include "base/format.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "scene/art_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 512 }; /* bytes of a path below a root */

typedef struct picture_file {
    lvl_art_kept kept; /* the key is the path in lower case, '/' between parts */
    bool lasting; /* found below a root added by the user */
    lvl_art_damage damage;
    lvl_image image; /* without pixels: not found */
} picture_file;

typedef struct damaged_picture {
    lvl_art_kept kept; /* the key is the path */
    bool in_part;
} damaged_picture;

static void free_image(lvl_art_kept *kept)
{
    lvl_image_clear(&((picture_file *)(void *)kept)->image);
}

static bool is_lasting(lvl_art_kept *kept)
{
    return ((picture_file *)(void *)kept)->lasting;
}

static uint64_t bytes_of(const picture_file *p)
{
    return (uint64_t)p->image.width * p->image.height * 2;
}

void lvl_art_pictures_clear(lvl_art_state *state, bool all)
{
    lvl_art_memo_clear(&state->pictures, all ? NULL : is_lasting, free_image);
    state->pictured = 0;
    for (uint32_t i = 0; i < state->pictures.count; i++)
        state->pictured += bytes_of((const picture_file *)(const void *)state->pictures.items[i]);
    if (all) {
        free(state->deep);
        state->deep = NULL;
        state->deep_count = state->deep_cap = 0;
        state->deep_done = false;
    }
}

/* ---- decoding ---------------------------------------------------------------------------------------- */

bool lvl_art_picture_name(const lvl_ctx *ctx, const char *path, uint32_t *rank)
{
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');

    if (!dot || (slash && dot < slash))
        return false;
    const lvl_text ending = lvl_text_of(dot + 1);
    const lvl_format *const *formats = lvl_formats_of(ctx);
    for (size_t i = 0; formats[i]; i++) {
        if (lvl_format_can(formats[i]) & LVL_CAN_IMAGE && lvl_format_has_extension(formats[i], ending)) {
            *rank = (uint32_t)i;
            return true;
        }
    }
    *rank = UINT32_MAX;
    return lvl_text_equal_nocase(ending, lvl_text_of("png")) ||
           lvl_text_equal_nocase(ending, lvl_text_of("gif")) ||
           lvl_text_equal_nocase(ending, lvl_text_of("jpg")) ||
           lvl_text_equal_nocase(ending, lvl_text_of("jpeg"));
}

void lvl_art_note_damage(const lvl_art *art, const char *path, lvl_art_damage damage)
{
    lvl_art_memo *memo = &art->state->damaged;

    if (damage == LVL_ART_WHOLE || lvl_art_memo_find(memo, path, strlen(path)))
        return;
    damaged_picture *p = lvl_art_memo_add(memo, sizeof *p, path, strlen(path));
    if (p)
        p->in_part = damage == LVL_ART_IN_PART;
    else
        lvl_art_note(&art->state->roots, LVL_ERR_MEMORY);
}

const char *lvl_art_damaged(const lvl_art *art, size_t index, bool *in_part)
{
    const lvl_art_memo *memo = &art->state->damaged;

    if (index >= memo->count)
        return NULL;
    const damaged_picture *p = (const damaged_picture *)(const void *)memo->items[index];
    *in_part = p->in_part;
    return p->kept.key;
}

static lvl_status decode_file(const lvl_ctx *ctx, const lvl_format *format, lvl_bytes bytes, const char *name,
                              lvl_image *out, bool *in_part)
{
    lvl_doc *doc = NULL;

    lvl_status status = lvl_read(&doc, ctx, format, bytes, name, LVL_READ_BORROW | LVL_READ_SHOW, NULL);
    if (status == LVL_OK)
        status = lvl_format_can(doc->format) & LVL_CAN_IMAGE ? doc->format->calls->to_image(doc, NULL, out)
                                                             : LVL_ERR_FOREIGN;
    *in_part = status == LVL_OK && lvl_doc_cuts(doc);
    lvl_doc_free(doc);
    return status;
}

lvl_status lvl_art_decode(const lvl_ctx *ctx, const lvl_format *format, lvl_bytes bytes, const char *name,
                          lvl_image *out, lvl_art_damage *damage)
{
    const bool coded = !format && lvl_picture_kind(bytes);
    bool in_part = false;
    uint32_t rank;

    memset(out, 0, sizeof *out);
    const lvl_status status = coded ? lvl_picture_read(ctx, bytes, false, out)
                                    : decode_file(ctx, format, bytes, name, out, &in_part);
    if (in_part)
        *damage = LVL_ART_IN_PART;
    else if (status != LVL_OK && status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT &&
             status != LVL_ERR_UNSUPPORTED && (coded || lvl_art_picture_name(ctx, name, &rank)))
        *damage = LVL_ART_UNREADABLE;
    return status;
}

/* ---- files at any depth ------------------------------------------------------------------------------ */

typedef struct deep_walk {
    lvl_art_state *state;
    const lvl_container *container;
    bool failed;
} deep_walk;

static bool add_deep(void *user, const lvl_entry *entry)
{
    deep_walk *walk = user;
    lvl_art_state *state = walk->state;
    const char *slash = strrchr(entry->path, '/');

    if (entry->is_dir)
        return true;
    if (state->deep_count == UINT32_MAX)
        return false;
    if (!lvl_grow(&state->deep, &state->deep_cap, state->deep_count + 1, sizeof *state->deep)) {
        walk->failed = true;
        return false;
    }
    state->deep[state->deep_count] = (lvl_art_deep_file){slash ? slash + 1 : entry->path, walk->container,
                                                         entry, (uint32_t)state->deep_count};
    state->deep_count++;
    return true;
}

static int compare_nocase(const char *a, const char *b)
{
    while (*a && lvl_lower(*a) == lvl_lower(*b)) {
        a++;
        b++;
    }
    return (int)(uint8_t)lvl_lower(*a) - (int)(uint8_t)lvl_lower(*b);
}

static int by_name(const void *a, const void *b)
{
    const lvl_art_deep_file *x = a, *y = b;
    const int order = compare_nocase(x->name, y->name);

    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static void list_deep(const lvl_art *art)
{
    lvl_art_state *state = art->state;
    deep_walk walk = {.state = state};

    state->deep_done = true;
    for (size_t r = 0; r < state->roots.count; r++) {
        lvl_art_place *root = &state->roots.items[r];
        for (size_t t = 0; t < root->tree_count && !root->of_level && !root->lone; t++) {
            lvl_art_tree *tree = &root->trees[t];
            if (lvl_art_tree_open(&state->roots, tree) != LVL_OK)
                continue;
            walk.container = tree->container;
            lvl_container_list(tree->container, "", true, add_deep, &walk);
            lvl_art_note(&state->roots, walk.failed ? LVL_ERR_MEMORY : lvl_container_status(tree->container));
        }
    }
    if (state->deep_count)
        qsort(state->deep, state->deep_count, sizeof *state->deep, by_name);
}

/* A file of that name, preferably with the same spelling; NULL: there is none. */
static const lvl_art_deep_file *find_deep(const lvl_art *art, const char *name)
{
    const lvl_art_state *state = art->state;
    size_t first;

    if (!state->deep_done)
        list_deep(art);
    LVL_LOWER_BOUND(first, state->deep_count, compare_nocase(state->deep[first].name, name) < 0);
    for (size_t i = first; i < state->deep_count && compare_nocase(state->deep[i].name, name) == 0; i++) {
        if (strcmp(state->deep[i].name, name) == 0)
            return &state->deep[i];
    }
    return first < state->deep_count && compare_nocase(state->deep[first].name, name) == 0
               ? &state->deep[first]
               : NULL;
}

/* The name, as spelled on disk, of the file at a path (with '/' between parts) below a root; NULL: there is
 * none. */
static const char *name_below(const lvl_art *art, size_t index, const char *path)
{
    lvl_art_roots *roots = &art->state->roots;
    const size_t first = strcspn(path, "/");
    const char *found = NULL;
    lvl_art_tree *const *named;
    const size_t n = lvl_art_roots_named(roots, index, (lvl_text){path, first}, &named);

    for (size_t i = 0; i < n; i++) {
        if (path[first]) {
            const lvl_entry *entry = lvl_art_tree_open(roots, named[i]) == LVL_OK
                                         ? lvl_container_find(named[i]->container, path + first + 1)
                                         : NULL;
            if (entry && !entry->is_dir)
                return entry->path;
            continue;
        }
        const bool exact = strcmp(named[i]->name, path) == 0;
        if ((found && !exact) || lvl_files_kind(roots->files, named[i]->path) != LVL_FILE_REGULAR)
            continue;
        found = named[i]->name;
        if (exact)
            return found;
    }
    return found;
}

const char *lvl_art_find_name(const lvl_art *art, const char *path)
{
    const lvl_art_state *state = art->state;
    const char *found = NULL;

    for (size_t r = 0; r < state->roots.count; r++) {
        const char *name = state->roots.items[r].own ? NULL : name_below(art, r, path);
        if (!name)
            continue;
        if (!found)
            found = lvl_art_last_part(name);
        if (strcmp(lvl_art_last_part(name), lvl_art_last_part(path)) == 0)
            return lvl_art_last_part(name);
    }
    const lvl_art_deep_file *file = strchr(path, '/') ? NULL : find_deep(art, path);
    return file && (!found || strcmp(file->name, path) == 0) ? file->name : found;
}

/* ---- lookups ----------------------------------------------------------------------------------------- */

static lvl_status deep_read(const lvl_art *art, const char *name, lvl_buffer *out)
{
    const lvl_art_deep_file *file = strchr(name, '/') ? NULL : find_deep(art, name);

    return file ? lvl_art_read_entry(file->container, file->entry, out) : LVL_ERR_MISSING;
}

lvl_status lvl_art_read_named(const lvl_art *art, const char *name, lvl_buffer *out)
{
    lvl_art_roots *roots = &art->state->roots;

    if (!*name || strpbrk(name, "/\\"))
        return LVL_ERR_MISSING;
    for (size_t i = 0; i < roots->count; i++) {
        const lvl_status status =
            roots->items[i].own ? LVL_ERR_MISSING : lvl_art_roots_file(roots, i, lvl_text_of(name), out);
        if (status != LVL_ERR_MISSING)
            return status;
    }
    return lvl_art_note(roots, deep_read(art, name, out));
}

/* Searches the folders of a root, but not its archives. */
static void look_in_folders(const lvl_art *art, size_t index, const char *path, lvl_art_found_file *v)
{
    lvl_art_roots *roots = &art->state->roots;
    const size_t first = strcspn(path, "/");
    lvl_art_tree *const *named;
    const size_t n = path[first] ? lvl_art_roots_named(roots, index, (lvl_text){path, first}, &named) : 0;

    for (size_t i = 0; i < n; i++) {
        if (lvl_art_tree_open(roots, named[i]) == LVL_OK &&
            lvl_art_visit_file(v, named[i]->container, path + first + 1))
            return;
    }
}

/* Searches the roots of the level, or the others. Only for the others, archives are searched: those beside a
 * level are not opened for this. */
static lvl_status search_roots(const lvl_art *art, const char *path, bool of_level, lvl_buffer *out)
{
    lvl_art_roots *roots = &art->state->roots;
    lvl_art_found_file v = {out, LVL_ERR_MISSING};

    for (size_t i = 0; i < roots->count && v.status == LVL_ERR_MISSING; i++) {
        const lvl_art_place *root = &roots->items[i];
        if (root->own || root->of_level != of_level)
            continue;
        v.status = lvl_art_roots_file(roots, i, lvl_text_of(path), out);
        if (v.status == LVL_ERR_MISSING && of_level)
            look_in_folders(art, i, path, &v);
        else if (v.status == LVL_ERR_MISSING)
            lvl_art_roots_visit(roots, i, path, lvl_art_visit_file, &v);
    }
    if (v.status == LVL_ERR_MISSING && !of_level)
        v.status = deep_read(art, path, out);
    return v.status;
}

lvl_status lvl_art_read_loose(const lvl_art *art, const char *path, lvl_buffer *out)
{
    const lvl_status status = search_roots(art, path, false, out);

    return status == LVL_ERR_MISSING ? search_roots(art, path, true, out) : status;
}

static const picture_file *known_picture(const lvl_art *art, const char *key)
{
    return lvl_art_memo_find(&art->state->pictures, key, strlen(key));
}

/* Caches the result of a lookup under a key; a miss, if `status` is not LVL_OK. */
static const lvl_image *cache_picture(const lvl_art *art, const char *key, bool lasting, lvl_status status,
                                      const lvl_buffer *bytes, const char *name)
{
    const uint64_t most = lvl_memory_share(art->ctx);
    picture_file *p = lvl_art_memo_add(&art->state->pictures, sizeof *p, key, strlen(key));

    lvl_art_note(&art->state->roots, p ? status : LVL_ERR_MEMORY);
    if (!p)
        return NULL;
    p->lasting = lasting;
    if (status == LVL_OK && art->state->pictured < most)
        status = lvl_art_note(&art->state->roots, lvl_art_decode(art->ctx, NULL, lvl_buffer_bytes(bytes),
                                                                 name, &p->image, &p->damage));
    if (status != LVL_OK)
        lvl_image_clear(&p->image);
    lvl_art_note_damage(art, name, p->damage);
    art->state->pictured += bytes_of(p);
    return p->image.pixels ? &p->image : NULL;
}

const lvl_image *lvl_art_picture(const lvl_art *art, const char *path)
{
    char key[NAME_SIZE], name[NAME_SIZE] = ""; /* initialized for clang-tidy */
    lvl_buffer bytes = {0};

    const size_t len = strlen(path);
    if (!len || *path == '/' || len >= sizeof name)
        return NULL;
    for (size_t i = 0; i <= len; i++) {
        name[i] = (char)(path[i] == '\\' ? '/' : path[i]);
        key[i] = lvl_lower(name[i]);
    }
    const picture_file *known = known_picture(art, key);
    if (known) {
        lvl_art_note_damage(art, name, known->damage);
        return known->image.pixels ? &known->image : NULL;
    }
    lvl_status status = search_roots(art, name, false, &bytes);
    const bool lasting = status == LVL_OK;
    if (status == LVL_ERR_MISSING)
        status = search_roots(art, name, true, &bytes);
    const lvl_image *image = cache_picture(art, key, lasting, status, &bytes, name);
    lvl_buffer_free(&bytes);
    return image;
}

/* The picture that is root `index`. Its cache key is not a valid path, so a search by name does not find
 * it. */
static const lvl_image *lone_at(const lvl_art *art, size_t index)
{
    const lvl_art_place *root = &art->state->roots.items[index];
    const char *name = root->trees[0].name;
    lvl_buffer bytes = {0};
    char key[NAME_SIZE * 8];

    snprintf(key, sizeof key, "/%s", root->path);
    const picture_file *known = known_picture(art, key);
    if (known)
        return known->image.pixels ? &known->image : NULL;
    const lvl_status status = lvl_art_roots_file(&art->state->roots, index, lvl_text_of(name), &bytes);
    const lvl_image *image = cache_picture(art, key, !root->of_level, status, &bytes, name);
    lvl_buffer_free(&bytes);
    return image;
}

lvl_status lvl_art_lone_check(const lvl_art *art, size_t index)
{
    return lone_at(art, index) ? LVL_OK : lvl_art_is_out_of_memory(art) ? LVL_ERR_MEMORY : LVL_ERR_FOREIGN;
}

const lvl_image *lvl_art_lone(const lvl_art *art, size_t index, const char **name)
{
    const lvl_art_roots *roots = &art->state->roots;

    for (size_t i = 0; i < roots->count; i++) {
        if (!roots->items[i].lone || index--)
            continue;
        if (name)
            *name = roots->items[i].trees[0].name;
        return lone_at(art, i);
    }
    return NULL;
}

const char *lvl_art_level_name(const lvl_art *art)
{
    return art->level;
}

const char *lvl_art_level_folder(const lvl_art *art)
{
    return art->folder;
}

/* ---- files by a part of their name ------------------------------------------------------------------- */

static bool name_begins(const char *name, const char *start)
{
    while (*start && lvl_lower(*name) == lvl_lower(*start)) {
        name++;
        start++;
    }
    return *start == 0;
}

lvl_status lvl_art_visit_files(const lvl_art *art, const char *start, const char *end, lvl_art_file_fn visit,
                               void *user)
{
    const uint64_t most = lvl_limits_of(art->ctx).input_bytes;
    const lvl_art_roots *roots = &art->state->roots;
    lvl_status status = LVL_OK;

    for (size_t r = 0; r < roots->count; r++) {
        const lvl_art_place *root = &roots->items[r];
        for (size_t t = 0; t < root->tree_count && !root->own && status != LVL_ERR_MEMORY; t++) {
            const lvl_art_tree *tree = &root->trees[t];
            const size_t len = tree->name ? strlen(tree->name) : 0, tail = strlen(end);
            lvl_buffer bytes = {0};
            if (!tree->name || len < tail || !name_begins(tree->name, start) ||
                !name_begins(tree->name + len - tail, end) ||
                lvl_files_kind(roots->files, tree->path) != LVL_FILE_REGULAR)
                continue;
            status = lvl_art_note(&art->state->roots, lvl_files_read(roots->files, &bytes, tree->path, most));
            if (status == LVL_OK)
                visit(user, tree->name, (lvl_bytes){bytes.data, bytes.len});
            lvl_buffer_free(&bytes);
        }
    }
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}
