/*
 * tiled/import_match.h: the tiles that a map which lvl did not write uses, and their comparison with the
 * level's: import_match.c, import_compare.c.
 */
#ifndef LVL_TILED_IMPORT_MATCH_H
#define LVL_TILED_IMPORT_MATCH_H

#include "tiled/import.h"
#include "tiled/pictures.h"

/* First gid of the level's own sheet, above those of maps and templates. */
enum { OWN_FIRST = 0x0FFF0000 };
#define NO_PLACE UINT32_MAX

/* A tile that cells show. */
typedef struct use {
    uint32_t gid; /* without flips */
    uint32_t place; /* in the level's sheet; NO_PLACE: it has no such tile */
    uint64_t cells;
    const lvl_image *image; /* its picture while they are compared; NULL: unknown */
    uint32_t image_x, image_y; /* its corner there */
} use;

typedef struct matcher {
    importer *im;
    use *uses; /* sorted by gid */
    uint32_t count;
    size_t cap;
    lvl_hash by_gid;
    uint32_t cell_width, cell_height; /* of the level's tiles */
    lvl_text name; /* of the level's sheet, for messages */
} matcher;

/* The level's tiles, and those that the map uses, each as a sheet that was drawn in the same way. */
typedef struct sheets {
    lvl_scene *scene; /* of the level, which has no cells yet */
    const lvl_scene_layer *layer;
    lvl_image own, used;
    tiled_sheet own_sheet, used_sheet;
    lvl_hash index; /* places in `own`, by their pixels */
    size_t tile_bytes;
    uint8_t *a, *b; /* pixels of a tile */
} sheets;

/* Draws the level's tiles. match_has_own: whether any has a picture. */
lvl_status match_draw_own(matcher *m, sheets *s);
static inline bool match_has_own(const sheets *s)
{
    return s->own.pixels != NULL;
}
/* Finds the places of the tiles of a set that are used, by its pictures. */
lvl_status match_compare(matcher *m, sheets *s, const tiled_set *set, use *uses, uint32_t count);
void match_clear(sheets *s);

#endif
