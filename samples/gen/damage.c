/*
 * The level in an unusual but sound layout, and damaged twins of it: what bit rot, broken transfers and careless editors do to files.
 */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

enum {
    AT_PLANE_COUNT = 0x2DC,
    AT_PLANES = 0x2E0,
    AT_PROPERTIES = 0x2E4,
    AT_SIZE = 0x2E8,
    AT_CHECKSUM = 0x2EC,
    AT_TILES = 0x84, /* in a plane's header, as the next ones */
    AT_IMAGE_SETS = 0x88,
    AT_OBJECTS = 0x8C,
    AT_WIDE = 0x60,
    AT_HIGH = 0x64
};

/* The game's checksum of a stored main block. */
static uint32_t checksum(const uint8_t *s, size_t n)
{
    uint32_t sum = 0u - (uint32_t)n;
    for (size_t i = 1; i < n; i++)
        sum += s[i] - (uint32_t)i;
    return sum;
}

static void seal(lvl_buffer *file)
{
    put32(file->data + AT_CHECKSUM,
          checksum(file->data + LVL_WWD_HEADER_SIZE, file->len - LVL_WWD_HEADER_SIZE));
}

typedef struct region {
    uint32_t from, to;      /* in the usual layout */
    uint32_t at;            /* in the new one */
    uint32_t plane, member; /* whose offset points here; plane ~0: the header's member */
} region;

static int by_from(const void *a, const void *b)
{
    const uint32_t x = ((const region *)a)->from, y = ((const region *)b)->from;
    return (x > y) - (x < y);
}

void write_odd_layout(lvl_buffer *out, lvl_bytes stored)
{
    const uint8_t *file = stored.ptr;
    const uint32_t planes = get32(file + AT_PLANE_COUNT), headers = get32(file + AT_PLANES);
    region r[40];
    uint32_t count = 0;
    r[count++] = (region){headers, 0, 0, UINT32_MAX, AT_PLANES};
    r[count++] = (region){get32(file + AT_PROPERTIES), 0, 0, UINT32_MAX, AT_PROPERTIES};
    for (uint32_t i = 0; i < planes; i++) {
        static const uint32_t members[] = {AT_TILES, AT_IMAGE_SETS, AT_OBJECTS};
        for (int m = 0; m < 3; m++) {
            const uint32_t at = get32(file + headers + (size_t)i * LVL_WWD_PLANE_SIZE + members[m]);
            if (at)
                r[count++] = (region){at, 0, 0, i, members[m]};
        }
    }
    qsort(r, count, sizeof(r[0]), by_from);
    for (uint32_t i = 0; i < count; i++)
        r[i].to = i + 1 < count ? r[i + 1].from : (uint32_t)stored.len;

    /* The plane headers stay, since no level is known where they are elsewhere; the rest comes last first, with a gap before each
     * third region. */
    lvl_buffer_add(out, file, r[0].to);
    for (uint32_t i = count; i-- > 1;) {
        if (i % 3 == 1)
            lvl_buffer_str(out, "nobody points here");
        r[i].at = (uint32_t)out->len;
        lvl_buffer_add(out, file + r[i].from, r[i].to - r[i].from);
    }
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t base = r[i].plane == UINT32_MAX ? 0 : headers + r[i].plane * LVL_WWD_PLANE_SIZE;
        put32(out->data + base + r[i].member, r[i].at);
    }
    seal(out);
}

static lvl_buffer *twin(file_list *list, const char *folder, const char *name, lvl_bytes of)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s.wwd", folder, name);
    lvl_buffer *b = &files_add(list, path)->bytes;
    lvl_buffer_add(b, of.ptr, of.len);
    if (b->status != LVL_OK) {
        fputs("samples: out of memory\n", stderr);
        exit(3);
    }
    return b;
}

/* Twins whose bytes were hurt after they were written. */
static void add_hurt(file_list *list, const char *folder, lvl_bytes stored, lvl_bytes packed)
{
    const uint32_t headers = get32(stored.ptr + AT_PLANES), planes = get32(stored.ptr + AT_PLANE_COUNT);
    lvl_buffer *b = twin(list, folder, "truncated", packed);
    b->len = LVL_WWD_HEADER_SIZE + (b->len - LVL_WWD_HEADER_SIZE) * 3 / 5;

    b = twin(list, folder, "flipped", packed);
    const size_t middle = LVL_WWD_HEADER_SIZE + (b->len - LVL_WWD_HEADER_SIZE) * 4 / 5;
    for (size_t i = 0; i < 6; i++)
        b->data[middle + i] ^= 0x5A;

    b = twin(list, folder, "checksum", packed);
    put32(b->data + AT_CHECKSUM, get32(b->data + AT_CHECKSUM) + 12345);

    b = twin(list, folder, "size", packed);
    put32(b->data + AT_SIZE, get32(b->data + AT_SIZE) - 64);

    /* Cut while it was copied: the tile properties and a part of the objects are gone. */
    b = twin(list, folder, "cut-stored", stored);
    b->len = get32(stored.ptr + AT_PROPERTIES) - 1000;

    /* A plane whose tiles point behind the file's end. */
    b = twin(list, folder, "offset", stored);
    put32(b->data + headers + AT_TILES, (uint32_t)stored.len + 4096);
    seal(b);

    /* A plane that claims more rows than anything could hold. */
    b = twin(list, folder, "huge-plane", stored);
    put32(b->data + headers + (size_t)(planes - 1) * LVL_WWD_PLANE_SIZE + AT_HIGH, 0x7FFFFFFF);
    seal(b);

    /* An author without the NUL that ends him. */
    b = twin(list, folder, "unterminated", stored);
    memset(b->data + 0x50, 'A', 64);
}

static lvl_wwd_object *find(world *w, const char *logic)
{
    for (int i = 0; i < w->object_count; i++)
        if (lvl_text_is(w->object[i].logic, logic))
            return &w->object[i];
    fprintf(stderr, "samples: no object of logic %s\n", logic);
    exit(1);
}

static void add_level(file_list *list, const char *folder, const char *name, const world *w)
{
    static const level_style style = {0};
    char path[128];
    snprintf(path, sizeof(path), "%s/%s.wwd", folder, name);
    write_level(&files_add(list, path)->bytes, w, &style);
}

/* Twins that are sound files and bad levels: what the game drops, or dies of. */
static void add_wrong(file_list *list, const char *folder, world *w)
{
    tile_set *set = &w->set[w->plane[w->main].set];
    const world keep = *w;

    find(w, "Seagull")->logic = lvl_text_of("Segull");
    find(w, "HealthPowerup")->logic = lvl_text_of("HealthPowerup ");
    find(w, "Soldier")->logic = lvl_text_of("soldier");
    find(w, "Officer")->logic = lvl_text_of("");
    add_level(list, folder, "logics", w);
    *w = keep;

    find(w, "Checkpoint")->x = -64;
    find(w, "Elevator")->y = w->plane[w->main].high * TILE + 10;
    add_level(list, folder, "outside", w);
    *w = keep;

    for (int i = 10; i < 14; i++)
        w->object[i].id = 7;
    add_level(list, folder, "ids", w);
    *w = keep;

    static char long_name[1200];
    memset(long_name, 'x', sizeof(long_name));
    find(w, "Checkpoint")->name = (lvl_text){long_name, sizeof(long_name)};
    add_level(list, folder, "long-string", w);
    *w = keep;

    w->name = "Grey Cliffs - Level 3";
    add_level(list, folder, "base-level", w);
    *w = keep;

    find(w, "Soldier")->image_set = lvl_text_of("LEVEL_HERMITT");
    find(w, "Seagull")->i = 77;
    add_level(list, folder, "images", w);
    *w = keep;

    /* The last tiles have no properties: the game reads past the table when someone touches them. */
    const int count = set->count;
    set->count -= 9;
    add_level(list, folder, "properties", w);
    set->count = count;

    /* A mask must be a square whose side is a power of two, or the level doesn't load. */
    for (int i = 0; i < count; i++) {
        if (set->property[i].type == LVL_WWD_TILE_MASK) {
            const lvl_wwd_tile_property p = set->property[i];
            set->property[i].width = set->property[i].height = 48;
            set->property[i].mask.width = set->property[i].mask.height = 48;
            add_level(list, folder, "mask", w);
            set->property[i] = p;
            break;
        }
    }
}

void add_damaged(file_list *list, const char *folder, world *w, lvl_bytes stored, lvl_bytes packed)
{
    add_hurt(list, folder, stored, packed);
    add_wrong(list, folder, w);
}
