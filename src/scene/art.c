/*
 * scene/art.c: pictures and palettes found by path along the roots, decoded once and kept.
 */
#include <lvl/scene.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "scene/art_state.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = LVL_ART_BUCKETS,
    PATH_SIZE = 512, /* bytes of a path within a root */
    MOST_CUTS = 10   /* '_' in a name at which folders may part */
};

#define PNG_RANK UINT32_MAX /* or GIF or JPEG: the bytes say */

/* A picture file. */
typedef struct frame {
    uint32_t number;
    uint32_t rank; /* of its format in the table; PNG_RANK. Lower is preferred */
    const lvl_entry *entry;
    bool tried;
    lvl_image image;
} frame;

struct lvl_art_set {
    lvl_art_set *next; /* in its bucket */
    char *key;         /* base, NUL, name in capitals */
    size_t key_len;
    char *path; /* NULL: looked for and not found */
    const lvl_container *container;
    frame *frames; /* by number */
    uint32_t count, cap;
};

struct lvl_art_palette_file {
    lvl_art_palette_file *next;
    char *path;
    bool found;
    lvl_palette palette;
};

/* ---- keeping --------------------------------------------------------------------------------------------------------------------- */

static void free_set(lvl_art_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        lvl_image_clear(&set->frames[i].image);
    free(set->frames);
    free(set->key);
    free(set->path);
    free(set);
}

static void forget_all(lvl_art_state *state)
{
    for (size_t b = 0; b < BUCKETS; b++) {
        for (lvl_art_set *s = state->sets[b], *next; s; s = next) {
            next = s->next;
            free_set(s);
        }
        state->sets[b] = NULL;
    }
    for (lvl_art_palette_file *p = state->palettes, *next; p; p = next) {
        next = p->next;
        free(p->path);
        free(p);
    }
    state->palettes = NULL;
    state->decoded = 0;
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
    lvl_art_pictures_forget(art->state, true);
    lvl_art_roots_free(&art->state->roots);
    free(art->state);
    free(art->folder);
    free(art->level);
    free(art);
}

lvl_status lvl_art_add(lvl_art *art, const char *path)
{
    lvl_art_roots *roots = &art->state->roots;

    forget_all(art->state);
    lvl_art_pictures_forget(art->state, true);
    lvl_status status = lvl_art_roots_add(roots, path, 0);
    if (status != LVL_OK)
        return status;
    lvl_art_place *root = &roots->items[roots->count - 1];
    /* An archive that was named is opened at once, so that whoever named it hears of its faults; a picture is decoded. */
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
            char *path = malloc(len + 1);
            if (!path)
                return LVL_ERR_MEMORY;
            memcpy(path, list, len);
            path[len] = 0;
            const lvl_status status = lvl_art_add(art, path);
            free(path);
            if (first == LVL_OK)
                first = status;
        }
        list += len + (list[len] != 0);
    }
    return first;
}

/* Length of the folder part, without its last slash; 0 when there is none. */
static size_t folder_len(const char *path, size_t len)
{
    while (len && path[len - 1] != '/' && path[len - 1] != '\\')
        len--;
    while (len > 1 && (path[len - 1] == '/' || path[len - 1] == '\\'))
        len--;
    return len;
}

static lvl_status add_own(lvl_art *art, const char *level_path)
{
    size_t len = strlen(level_path);
    const size_t folder = folder_len(level_path, len);
    char *path = malloc(len + 1);

    if (!path)
        return LVL_ERR_MEMORY;
    memcpy(path, level_path, len + 1);
    for (size_t i = len; i > folder + 1; i--) {
        if (path[i - 1] == '.') {
            path[i - 1] = 0;
            break;
        }
    }
    lvl_status status = LVL_OK;
    if (strcmp(path, level_path) != 0) {
        status = lvl_art_roots_add(&art->state->roots, path, LVL_ART_OF_LEVEL | LVL_ART_OWN_ROOT);
        art->own = status == LVL_OK;
    }
    free(path);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

/* Makes a folder's path that of the folder above it, by its name as long as there is one, else by ".."; false at the top. */
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

/* Collections keep what games have in archives in a folder of its own, beside the folder of levels: whatever in the last root is called so is
 * a root too. */
static lvl_status add_collections(lvl_art *art, unsigned flags)
{
    static const char *const names[] = {"assets", "art"};
    lvl_art_roots *roots = &art->state->roots;
    const size_t from = roots->count - 1, n = roots->items[from].tree_count;
    lvl_status status = LVL_OK;

    for (size_t k = 0; k < LVL_COUNT_OF(names); k++) {
        for (size_t i = 0; i < n && status != LVL_ERR_MEMORY; i++) {
            const lvl_art_tree *tree = &roots->items[from].trees[i];
            if (tree->name && lvl_text_equal_nocase(lvl_text_of(tree->name), lvl_text_of(names[k])) &&
                lvl_file_kind_of(tree->path) == LVL_FILE_FOLDER)
                status = lvl_art_roots_add(roots, tree->path, flags);
        }
    }
    return status;
}

/* The level's folder and those above it. */
static lvl_status add_above(lvl_art *art, const char *folder)
{
    char path[PATH_SIZE * 2];
    const size_t len = strlen(folder);
    lvl_status status = LVL_OK;

    if (len + 1 > sizeof path)
        return LVL_OK;
    memcpy(path, len ? folder : ".", len ? len + 1 : 2);
    for (int up = 0; up <= 5 && status != LVL_ERR_MEMORY; up++) {
        if (up && !go_up(path, sizeof path))
            break;
        /* A game's archive lies at its top, and levels a folder or two below; what lies further up is
         * anybody's. */
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
    lvl_status status = LVL_OK;
    char *folder = NULL;

    if (level_path) {
        folder = calloc(len + 1, 1);
        if (!folder)
            return LVL_ERR_MEMORY;
        memcpy(folder, level_path, len);
    }
    const char *name = level_path ? level_path + len : NULL;
    char *level = NULL;
    if (name) {
        name += strspn(name, "/\\");
        level = malloc(strlen(name) + 1);
        if (!level) {
            free(folder);
            return LVL_ERR_MEMORY;
        }
        memcpy(level, name, strlen(name) + 1);
    }
    free(art->level);
    art->level = level;
    /* Levels of one folder share what lies beside and above; only a folder of its own tells them apart. */
    const bool same = folder && art->folder && strcmp(folder, art->folder) == 0;
    if (!same || art->own) {
        forget_all(art->state);
        lvl_art_pictures_forget(art->state, false);
        lvl_art_roots_forget(&art->state->roots);
        art->own = false;
        if (folder)
            status = add_above(art, folder);
    }
    if (folder && status == LVL_OK) {
        status = add_own(art, level_path);
        if (art->own)
            forget_all(art->state);
    }
    free(art->folder);
    art->folder = folder;
    return status;
}

lvl_status lvl_art_status(const lvl_art *art)
{
    return art->state->roots.starved ? LVL_ERR_MEMORY : LVL_OK;
}

size_t lvl_art_count(const lvl_art *art)
{
    return art->state->roots.count;
}

const char *lvl_art_root(const lvl_art *art, size_t index)
{
    return index < art->state->roots.count ? art->state->roots.items[index].path : NULL;
}

/* ---- looking --------------------------------------------------------------------------------------------------------------------- */

/* Visits every root's trees for a path until `visit` answers true. */
static bool visit_path(const lvl_art *art, const char *path, lvl_art_visit visit, void *user)
{
    lvl_art_roots *roots = &art->state->roots;
    const size_t own_len = strlen(LVL_ART_OWN);
    const bool own = strncmp(path, LVL_ART_OWN, own_len) == 0;

    for (size_t i = 0; i < roots->count; i++) {
        if (roots->items[i].own == own &&
            lvl_art_roots_visit(roots, i, own ? path + own_len : path, visit, user))
            return true;
    }
    return false;
}

static bool is_folder(const lvl_container *container, const char *path)
{
    const lvl_entry *entry = *path ? lvl_container_find(container, path) : NULL;

    return *path == 0 || (entry && entry->is_dir);
}

static bool visit_folder(void *user, const lvl_container *container, const char *path)
{
    (void)user;
    return is_folder(container, path);
}

bool lvl_art_has_folder(const lvl_art *art, const char *path)
{
    return visit_path(art, path, visit_folder, NULL);
}

typedef struct file_visit {
    lvl_buffer *out;
    lvl_status status;
} file_visit;

static bool visit_file(void *user, const lvl_container *container, const char *path)
{
    file_visit *v = user;
    const lvl_entry *entry = lvl_container_find(container, path);
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    if (!entry || entry->is_dir)
        return false;
    v->status = lvl_container_read(container, entry, &bytes, &storage);
    if (v->status == LVL_OK) {
        lvl_buffer_add(v->out, bytes.ptr, bytes.len);
        v->status = v->out->status;
    }
    lvl_buffer_free(&storage);
    return true;
}

lvl_status lvl_art_file(const lvl_art *art, const char *path, lvl_buffer *out)
{
    file_visit v = {out, LVL_ERR_MISSING};

    if (!visit_path(art, path, visit_file, &v) && strncmp(path, LVL_ART_OWN, strlen(LVL_ART_OWN)) != 0) {
        /* What lies in a root itself is in no tree. */
        for (size_t i = 0; i < art->state->roots.count && v.status == LVL_ERR_MISSING; i++) {
            if (!art->state->roots.items[i].own)
                v.status = lvl_art_roots_file(&art->state->roots, i, lvl_text_of(path), out);
        }
    }
    return lvl_art_note(&art->state->roots, v.status);
}

lvl_status lvl_art_home_file(const lvl_art *art, const char *path, lvl_buffer *out)
{
    lvl_art_roots *roots = &art->state->roots;
    file_visit v = {out, LVL_ERR_MISSING};

    for (size_t i = 0; i < roots->count; i++) {
        if (roots->items[i].home && lvl_art_roots_visit(roots, i, path, visit_file, &v))
            break;
    }
    return lvl_art_note(roots, v.status);
}

/* ---- sets ------------------------------------------------------------------------------------------------------------------------ */

/* Which format a name's ending stands for, by its place in the table; false if it is no picture. */
static bool picture_name(const char *path, uint32_t *rank)
{
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');

    if (!dot || (slash && dot < slash))
        return false;
    const lvl_text ending = lvl_text_of(dot + 1);
    for (size_t i = 0; i < lvl_format_count(); i++) {
        const lvl_format *format = lvl_format_at(i);
        if (!format->to_image)
            continue;
        for (const char *e = format->extensions; *e;) {
            const size_t len = strcspn(e, " ");
            if (lvl_text_equal_nocase(ending, (lvl_text){e, len})) {
                *rank = (uint32_t)i;
                return true;
            }
            e += len + strspn(e + len, " ");
        }
    }
    *rank = PNG_RANK;
    return lvl_text_equal_nocase(ending, lvl_text_of("png")) ||
           lvl_text_equal_nocase(ending, lvl_text_of("gif")) ||
           lvl_text_equal_nocase(ending, lvl_text_of("jpg")) ||
           lvl_text_equal_nocase(ending, lvl_text_of("jpeg"));
}

/* The first run of digits in the last part of a path, 0 without one (a lone SKULL.PID is its set's only
 * picture); false if it is too large for a number. */
static bool number_of(const char *path, uint32_t *out)
{
    const char *slash = strrchr(path, '/');
    const char *p = slash ? slash + 1 : path;
    uint64_t n = 0;

    while (*p && (*p < '0' || *p > '9'))
        p++;
    for (; *p >= '0' && *p <= '9'; p++) {
        n = n * 10 + (unsigned)(*p - '0');
        if (n > INT32_MAX)
            return false;
    }
    *out = (uint32_t)n;
    return true;
}

typedef struct set_fill {
    lvl_art_set *set;
    bool failed;
} set_fill;

static bool add_frame(void *user, const lvl_entry *entry)
{
    set_fill *fill = user;
    lvl_art_set *set = fill->set;
    frame f = {.entry = entry};

    if (entry->is_dir || !picture_name(entry->path, &f.rank) || !number_of(entry->path, &f.number))
        return true;
    if (set->count == set->cap) {
        const uint32_t cap = set->cap ? set->cap * 2 : 32;
        frame *frames = cap > set->cap ? realloc(set->frames, (size_t)cap * sizeof *frames) : NULL;
        if (!frames) {
            fill->failed = true;
            return false;
        }
        set->frames = frames;
        set->cap = cap;
    }
    set->frames[set->count++] = f;
    return true;
}

static int by_number(const void *a, const void *b)
{
    const frame *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return strcmp(x->entry->path, y->entry->path);
}

/* Fills the set from a folder; false if it holds no picture. */
static bool fill_set(lvl_art_roots *roots, lvl_art_set *set, const lvl_container *container, const char *path)
{
    set_fill fill = {set, false};
    uint32_t kept = 0;

    set->count = 0;
    lvl_container_list(container, path, false, add_frame, &fill);
    if (fill.failed || lvl_container_status(container) != LVL_OK) {
        lvl_art_note(roots, LVL_ERR_MEMORY);
        set->count = 0;
    }
    if (set->count == 0)
        return false;
    qsort(set->frames, set->count, sizeof *set->frames, by_number);
    for (uint32_t i = 0; i < set->count; i++) {
        if (kept == 0 || set->frames[kept - 1].number != set->frames[i].number)
            set->frames[kept++] = set->frames[i];
    }
    set->count = kept;
    set->container = container;
    return true;
}

typedef struct set_visit {
    lvl_art_roots *roots;
    lvl_art_set *set;
    lvl_text name;
    char path[PATH_SIZE];
    size_t base_len;
    unsigned budget; /* folders still to be tried */
} set_visit;

/* The rest of the name below the folder that is in v->path: the longest first part goes first. */
static bool descend(set_visit *v, const lvl_container *container, size_t len, size_t at)
{
    if (at >= v->name.len)
        return fill_set(v->roots, v->set, container, v->path);
    for (size_t end = v->name.len; end > at; end--) {
        if (end < v->name.len && v->name.ptr[end] != '_')
            continue;
        const size_t part = end - at, slash = len > 0;
        if (len + slash + part + 1 > sizeof v->path || v->budget == 0)
            continue;
        v->budget--;
        if (slash)
            v->path[len] = '/';
        memcpy(v->path + len + slash, v->name.ptr + at, part);
        v->path[len + slash + part] = 0;
        if (is_folder(container, v->path) &&
            descend(v, container, len + slash + part, end + (end < v->name.len)))
            return true;
        v->path[len] = 0;
    }
    return false;
}

static bool visit_set(void *user, const lvl_container *container, const char *path)
{
    set_visit *v = user;
    const size_t len = strlen(path);

    if (len + 1 > sizeof v->path || !is_folder(container, path))
        return false;
    memcpy(v->path, path, len + 1);
    v->budget = 1u << MOST_CUTS;
    return descend(v, container, len, 0);
}

static char *make_key(const char *base, lvl_text name, size_t *len)
{
    const size_t n = strlen(base) + 1;
    char *key = malloc(n + name.len + 1);

    if (!key)
        return NULL;
    memcpy(key, base, n);
    for (size_t i = 0; i < name.len; i++)
        key[n + i] = lvl_upper(name.ptr[i]);
    key[n + name.len] = 0;
    *len = n + name.len;
    return key;
}

static size_t hash(const char *key, size_t len)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < len; i++)
        h = (h ^ (uint8_t)key[i]) * 16777619u;
    return (h ^ h >> 15) & (BUCKETS - 1);
}

/* "LEVEL1/IMAGES" and the folder within. */
static char *full_path(const char *base, lvl_text name)
{
    const size_t n = strlen(base);
    char *path = malloc(n + name.len + 2);

    if (!path)
        return NULL;
    memcpy(path, base, n);
    if (name.len) {
        path[n] = '/';
        memcpy(path + n + 1, name.ptr, name.len);
    }
    path[n + (name.len ? name.len + 1 : 0)] = 0;
    return path;
}

const lvl_art_set *lvl_art_find(const lvl_art *art, const char *base, lvl_text name)
{
    size_t len;
    char *key = name.len < PATH_SIZE ? make_key(base, name, &len) : NULL;

    if (!key) {
        if (name.len < PATH_SIZE)
            lvl_art_note(&art->state->roots, LVL_ERR_MEMORY);
        return NULL;
    }
    lvl_art_set **bucket = &art->state->sets[hash(key, len)];
    for (lvl_art_set *s = *bucket; s; s = s->next) {
        if (s->key_len == len && memcmp(s->key, key, len) == 0) {
            free(key);
            return s->path ? s : NULL;
        }
    }
    lvl_art_set *set = calloc(1, sizeof *set);
    if (!set) {
        lvl_art_note(&art->state->roots, LVL_ERR_MEMORY);
        free(key);
        return NULL;
    }
    set->key = key;
    set->key_len = len;
    set_visit v = {.roots = &art->state->roots, .set = set, .name = {key + strlen(base) + 1, name.len}};
    if (visit_path(art, base, visit_set, &v)) {
        set->path = full_path(base, name);
        lvl_art_note(&art->state->roots, set->path ? LVL_OK : LVL_ERR_MEMORY);
    }
    set->next = *bucket;
    *bucket = set;
    return set->path ? set : NULL;
}

const char *lvl_art_set_path(const lvl_art_set *set)
{
    return set->path;
}

uint32_t lvl_art_set_count(const lvl_art_set *set)
{
    return set->count;
}

uint32_t lvl_art_set_number(const lvl_art_set *set, uint32_t index)
{
    return set->frames[index].number;
}

static frame *find_frame(const lvl_art_set *set, uint32_t number)
{
    uint32_t lo = 0, hi = set->count;

    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (set->frames[mid].number < number)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < set->count && set->frames[lo].number == number ? &set->frames[lo] : NULL;
}

bool lvl_art_set_has(const lvl_art_set *set, uint32_t number)
{
    return find_frame(set, number) != NULL;
}

/* ---- decoding -------------------------------------------------------------------------------------------------------------------- */

static lvl_status decode(const lvl_ctx *ctx, const lvl_format *format, lvl_bytes bytes, const char *name,
                         lvl_image *out)
{
    lvl_doc *doc = NULL;
    lvl_status status = lvl_read(&doc, ctx, format, bytes, name, LVL_READ_BORROW, NULL);

    if (status == LVL_OK)
        status = format->to_image(doc, out);
    lvl_doc_free(doc);
    return status;
}

const lvl_image *lvl_art_image(const lvl_art *art, const lvl_art_set *set, int64_t number)
{
    const uint64_t most = art->ctx->limits.memory_bytes ? art->ctx->limits.memory_bytes : (uint64_t)1 << 30;
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    if (set->count == 0 || number > UINT32_MAX)
        return NULL;
    frame *f = number < 0 ? number == -1 ? &set->frames[0] : NULL : find_frame(set, (uint32_t)number);
    if (!f || f->tried)
        return f && f->image.pixels ? &f->image : NULL;
    f->tried = true;
    lvl_status status = art->state->decoded < most
                            ? lvl_container_read(set->container, f->entry, &bytes, &storage)
                            : LVL_ERR_LIMIT;
    if (status == LVL_OK) {
        status = f->rank == PNG_RANK
                     ? lvl_picture_read(art->ctx, bytes, &f->image)
                     : decode(art->ctx, lvl_format_at(f->rank), bytes, f->entry->path, &f->image);
        if (status != LVL_OK)
            lvl_image_clear(&f->image);
    }
    lvl_art_note(&art->state->roots, status);
    lvl_buffer_free(&storage);
    if (f->image.pixels)
        art->state->decoded += (uint64_t)f->image.width * f->image.height * 2;
    return f->image.pixels ? &f->image : NULL;
}

static lvl_status decode_palette(const lvl_ctx *ctx, lvl_bytes bytes, const char *path, lvl_palette *out)
{
    const char *slash = strrchr(path, '/');
    lvl_doc *doc = NULL;
    lvl_status status = lvl_read(&doc, ctx, NULL, bytes, slash ? slash + 1 : path, LVL_READ_BORROW, NULL);

    if (status == LVL_OK)
        status = doc->format->to_palette ? doc->format->to_palette(doc, out) : LVL_ERR_FOREIGN;
    lvl_doc_free(doc);
    return status;
}

const lvl_palette *lvl_art_palette(const lvl_art *art, const char *path)
{
    lvl_buffer bytes = {0};

    for (lvl_art_palette_file *p = art->state->palettes; p; p = p->next) {
        if (strcmp(p->path, path) == 0)
            return p->found ? &p->palette : NULL;
    }
    lvl_art_palette_file *p = calloc(1, sizeof *p);
    if (p)
        p->path = full_path(path, (lvl_text){0});
    if (!p || !p->path) {
        lvl_art_note(&art->state->roots, LVL_ERR_MEMORY);
        free(p);
        return NULL;
    }
    lvl_status status = lvl_art_file(art, path, &bytes);
    if (status == LVL_OK)
        status = decode_palette(art->ctx, (lvl_bytes){bytes.data, bytes.len}, path, &p->palette);
    p->found = lvl_art_note(&art->state->roots, status) == LVL_OK;
    lvl_buffer_free(&bytes);
    p->next = art->state->palettes;
    art->state->palettes = p;
    return p->found ? &p->palette : NULL;
}
