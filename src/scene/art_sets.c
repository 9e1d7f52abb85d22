/*
 * scene/art_sets.c: sets of numbered pictures, one per folder, found by path below the roots, decoded once
 * and cached.
 */
#include <lvl/scene.h>

#include "base/format.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "scene/art_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_SIZE = 512, /* bytes of a path within a root */
    MAX_CUTS = 10 /* number of '_' in a name that may separate folders */
};

#define PNG_RANK UINT32_MAX /* PNG, GIF or JPEG, detected by the bytes */

/* A picture file. */
typedef struct frame {
    uint32_t number;
    uint32_t rank; /* index of its format in the table, or PNG_RANK; lower is preferred */
    const lvl_entry *entry;
    bool tried;
    lvl_art_damage damage;
    lvl_image image;
} frame;

struct lvl_art_set {
    lvl_art_kept kept; /* the key is base, NUL, name in capitals */
    bool found; /* false: a cached miss */
    const lvl_container *container;
    frame *frames; /* by number */
    uint32_t count;
    size_t cap;
    const lvl_art_set *more; /* searched for other numbers, or NULL */
};

static void free_set(lvl_art_kept *kept)
{
    lvl_art_set *set = (lvl_art_set *)(void *)kept;

    for (uint32_t i = 0; i < set->count; i++)
        lvl_image_clear(&set->frames[i].image);
    free(set->frames);
}

void lvl_art_sets_clear(lvl_art_state *state)
{
    lvl_art_memo_clear(&state->sets, NULL, free_set);
    state->decoded = 0;
}

/* ---- finding ----------------------------------------------------------------------------------------- */

/* The first run of digits in the last part of a path, 0 if there is none (SKULL.PID, the only picture of its
 * set); false if it is too large. */
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
    const lvl_ctx *ctx;
    lvl_art_set *set;
    bool failed;
} set_fill;

static bool add_frame(void *user, const lvl_entry *entry)
{
    set_fill *fill = user;
    lvl_art_set *set = fill->set;
    frame f = {.entry = entry};

    if (entry->is_dir || !lvl_art_picture_name(fill->ctx, entry->path, &f.rank) ||
        !number_of(entry->path, &f.number))
        return true;
    if (set->count == UINT32_MAX ||
        !lvl_grow(&set->frames, &set->cap, (size_t)set->count + 1, sizeof *set->frames)) {
        fill->failed = true;
        return false;
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
    set_fill fill = {roots->ctx, set, false};
    uint32_t kept = 0;

    set->count = 0;
    lvl_container_list(container, path, false, add_frame, &fill);
    if (fill.failed || lvl_container_status(container) == LVL_ERR_MEMORY) {
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
    char joint; /* that separates folders in the name */
    const char *ending; /* of the file that is the rest of the name; NULL: all of it is folders */
    lvl_buffer *out; /* gets that file's bytes, or NULL */
    lvl_status status; /* of reading them */
    char path[PATH_SIZE];
    unsigned budget; /* how many folders may still be tried */
} set_visit;

/* Appends the part of the name to the path of `len` bytes; returns its new length, 0: it is too long. */
static size_t append(set_visit *v, size_t len, size_t at, size_t end)
{
    const size_t part = end - at, slash = len > 0;

    if (len + slash + part + 1 > sizeof v->path || v->budget == 0)
        return 0;
    v->budget--;
    if (slash)
        v->path[len] = '/';
    memcpy(v->path + len + slash, v->name.ptr + at, part);
    v->path[len + slash + part] = 0;
    return len + slash + part;
}

/* Whether the rest of the name is a file in the folder v->path. */
static bool is_file(set_visit *v, const lvl_container *container, size_t len, size_t at)
{
    const size_t n = append(v, len, at, v->name.len), room = sizeof v->path - n;
    const lvl_entry *entry = NULL;

    if (n && snprintf(v->path + n, room, ".%s", v->ending) < (int)room)
        entry = lvl_container_find(container, v->path);
    v->path[len] = 0;
    if (!entry || entry->is_dir)
        return false;
    if (v->out)
        v->status = lvl_art_read_entry(container, entry, v->out);
    return true;
}

/* Finds the folder for the rest of the name below v->path; tries the longest first part first. */
static bool descend(set_visit *v, const lvl_container *container, size_t len, size_t at)
{
    if (v->ending && at < v->name.len && is_file(v, container, len, at))
        return true;
    if (at >= v->name.len)
        return !v->ending && fill_set(v->roots, v->set, container, v->path);
    for (size_t end = v->name.len; end > at; end--) {
        if (end < v->name.len && v->name.ptr[end] != v->joint)
            continue;
        const size_t n = append(v, len, at, end);
        if (n && lvl_art_is_folder(container, v->path) && descend(v, container, n, end + (end < v->name.len)))
            return true;
        v->path[len] = 0;
    }
    return false;
}

static bool visit_set(void *user, const lvl_container *container, const char *path)
{
    set_visit *v = user;
    const size_t len = strlen(path);

    if (len + 1 > sizeof v->path || !lvl_art_is_folder(container, path))
        return false;
    memcpy(v->path, path, len + 1);
    v->budget = 1u << MAX_CUTS;
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

#define ANY_ROOT SIZE_MAX

/* The set of a folder below `base` in any root, or of the files directly in one root, whose key `base` is. */
static const lvl_art_set *find_set(const lvl_art *art, const char *base, lvl_text name, size_t root)
{
    lvl_art_roots *roots = &art->state->roots;
    size_t len;
    char *key = name.len < PATH_SIZE ? make_key(base, name, &len) : NULL;

    if (!key) {
        if (name.len < PATH_SIZE)
            lvl_art_note(roots, LVL_ERR_MEMORY);
        return NULL;
    }
    lvl_art_set *set = lvl_art_memo_find(&art->state->sets, key, len);
    const bool known = set != NULL;
    if (!known)
        set = lvl_art_memo_add(&art->state->sets, sizeof *set, key, len);
    free(key);
    if (!set)
        lvl_art_note(roots, LVL_ERR_MEMORY);
    if (!set || known)
        return set && set->found ? set : NULL;
    set_visit v = {
        .roots = roots, .set = set, .name = {set->kept.key + strlen(base) + 1, name.len}, .joint = '_'};
    set->found = root == ANY_ROOT ? lvl_art_visit_path(art, base, visit_set, &v)
                                  : lvl_art_roots_visit_top(roots, root, visit_set, &v);
    return set->found ? set : NULL;
}

const lvl_art_set *lvl_art_find(const lvl_art *art, const char *base, lvl_text name)
{
    return find_set(art, base, name, ANY_ROOT);
}

const lvl_art_set *lvl_art_loose(const lvl_art *art, size_t index)
{
    const lvl_art_place *root = &art->state->roots.items[index];
    const char *folder = art->folder && *art->folder ? art->folder : ".";
    char base[32];

    if (root->lone || root->home || (root->of_level && !root->own && strcmp(root->path, folder) != 0))
        return NULL;
    snprintf(base, sizeof base, "/%zu", index); /* no path in a root begins with a slash */
    return find_set(art, base, (lvl_text){0}, index);
}

/* Visits the file of a key, if there is one. */
static bool visit_key(const lvl_art *art, const char *base, set_visit *v)
{
    return v->name.len && v->name.len < PATH_SIZE && !memchr(v->name.ptr, 0, v->name.len) &&
           lvl_art_visit_path(art, base, visit_set, v);
}

bool lvl_art_has_key(const lvl_art *art, const char *base, lvl_text key, char joint, const char *ending)
{
    set_visit v = {.roots = &art->state->roots, .name = key, .joint = joint, .ending = ending};

    return visit_key(art, base, &v);
}

lvl_status lvl_art_read_key(const lvl_art *art, const char *base, lvl_text key, char joint,
                            const char *ending, lvl_buffer *out)
{
    set_visit v = {.roots = &art->state->roots, .name = key, .joint = joint, .ending = ending, .out = out};

    return visit_key(art, base, &v) ? v.status : LVL_ERR_MISSING;
}

/* ---- listing ----------------------------------------------------------------------------------------- */

typedef struct set_list {
    lvl_art_roots *roots;
    lvl_art_set_fn visit;
    void *user;
    size_t within; /* length of the base's path with its '/' */
    char name[PATH_SIZE]; /* name of the folder whose pictures are counted */
    size_t len, pictures;
    bool ended;
} set_list;

static void end_folder(set_list *l)
{
    if (l->pictures && !l->ended)
        l->ended = !l->visit(l->user, (lvl_text){l->name, l->len}, l->pictures);
    l->pictures = 0;
}

static bool list_picture(void *user, const lvl_entry *entry)
{
    set_list *l = user;
    const char *slash = strrchr(entry->path, '/');
    char name[PATH_SIZE];
    uint32_t rank, number;

    if (entry->is_dir || !slash || (size_t)(slash - entry->path) < l->within ||
        !lvl_art_picture_name(l->roots->ctx, entry->path, &rank) || !number_of(entry->path, &number))
        return true;
    const size_t len = (size_t)(slash - entry->path) - l->within;
    if (!len || len >= sizeof name)
        return true;
    for (size_t i = 0; i < len; i++) {
        const char c = entry->path[l->within + i];
        name[i] = c == '/' ? '_' : lvl_upper(c);
    }
    if (len != l->len || memcmp(name, l->name, len) != 0)
        end_folder(l);
    memcpy(l->name, name, len);
    l->len = len;
    l->pictures++;
    return !l->ended;
}

static bool visit_base(void *user, const lvl_container *container, const char *path)
{
    set_list *l = user;

    if (!lvl_art_is_folder(container, path))
        return false;
    l->within = strlen(path) + (*path != 0);
    lvl_container_list(container, path, true, list_picture, l);
    end_folder(l);
    return l->ended;
}

lvl_status lvl_art_sets(const lvl_art *art, const char *base, lvl_art_set_fn visit, void *user)
{
    set_list l = {.roots = &art->state->roots, .visit = visit, .user = user};

    lvl_art_visit_path(art, base, visit_base, &l);
    return lvl_art_is_out_of_memory(art) ? LVL_ERR_MEMORY : LVL_OK;
}

static frame *find_frame(const lvl_art_set *set, uint32_t number)
{
    size_t at;

    LVL_LOWER_BOUND(at, set->count, set->frames[at].number < number);
    return at < set->count && set->frames[at].number == number ? &set->frames[at] : NULL;
}

void lvl_art_set_append(const lvl_art_set *set, const lvl_art_set *more)
{
    while (set != more && set->more)
        set = set->more;
    if (set != more)
        ((lvl_art_set *)(uintptr_t)set)->more = more;
}

bool lvl_art_set_has(const lvl_art_set *set, uint32_t number)
{
    return find_frame(set, number) || (set->more && lvl_art_set_has(set->more, number));
}

bool lvl_art_set_beside(const lvl_art_set *set, int64_t number, bool below, uint32_t *out)
{
    bool found = false;

    for (; set; set = set->more) {
        size_t at;
        LVL_LOWER_BOUND(at, set->count, (int64_t)set->frames[at].number < number + !below);
        if (below ? at == 0 : at == set->count)
            continue;
        const uint32_t n = set->frames[below ? at - 1 : at].number;
        if (!found || (below ? n > *out : n < *out))
            *out = n;
        found = true;
    }
    return found;
}

const lvl_image *lvl_art_image(const lvl_art *art, const lvl_art_set *set, int64_t number)
{
    const uint64_t most = lvl_memory_share(art->ctx);
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    if (set->count == 0 || number > UINT32_MAX)
        return NULL;
    frame *f = number < 0 ? number == -1 ? &set->frames[0] : NULL : find_frame(set, (uint32_t)number);
    if (!f && number >= 0 && set->more)
        return lvl_art_image(art, set->more, number);
    if (f && f->tried)
        lvl_art_note_damage(art, f->entry->path, f->damage);
    if (!f || f->tried)
        return f && f->image.pixels ? &f->image : NULL;
    f->tried = true;
    lvl_status status = art->state->decoded < most
                            ? lvl_container_read(set->container, f->entry, &bytes, &storage, NULL)
                            : LVL_ERR_LIMIT;
    if (status == LVL_OK || status == LVL_ERR_LOSS) { /* the decodable part of a damaged picture is used */
        const lvl_format *format = f->rank == UINT32_MAX ? NULL : lvl_formats_of(art->ctx)[f->rank];
        const bool whole = status == LVL_OK;
        status = lvl_art_decode(art->ctx, format, bytes, f->entry->path, &f->image, &f->damage);
        if (status != LVL_OK)
            lvl_image_clear(&f->image);
        else if (!whole)
            f->damage = LVL_ART_IN_PART;
    }
    lvl_art_note_damage(art, f->entry->path, f->damage);
    lvl_art_note(&art->state->roots, status);
    lvl_buffer_free(&storage);
    if (f->image.pixels)
        art->state->decoded += (uint64_t)f->image.width * f->image.height * 2;
    return f->image.pixels ? &f->image : NULL;
}
