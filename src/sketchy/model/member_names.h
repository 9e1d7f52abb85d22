/*
 * sketchy/model/member_names.h: names of files in drawings and packs: which one is the document, a chunk, or
 * an attached file.
 */
#ifndef LVL_SKETCHY_MEMBER_NAMES_H
#define LVL_SKETCHY_MEMBER_NAMES_H

#include "base/buffer.h"
#include "base/text.h"

#include <lvl/sketchy.h>

/* Folders of a pack, and of a drawing. */
#define LVL_PACK_LEVELS      "levels/"
#define LVL_PACK_DOODADS     "doodads/"
#define LVL_EMBEDDED_DOODADS "assets/doodads/"
#define LVL_CHUNK_FOLDER     "chunks/"

/* Appends the name of a chunk's member, "chunks/0/3,-1.bin". */
void lvl_sketchy_put_chunk_name(lvl_buffer *out, uint32_t layer, lvl_text key, bool binary);

/* Parses "chunks/0/3,-1.bin"; false: not a chunk's name. */
bool lvl_sketchy_chunk_name(lvl_text name, uint32_t *layer, lvl_text *key, bool *binary);
/* The kind of a member's name. */
typedef enum lvl_chunk_name {
    LVL_NAME_OTHER, /* not in the folder of chunks, or of a layer that does not exist */
    LVL_NAME_CHUNK, /* a chunk's */
    LVL_NAME_ALIAS, /* a chunk's, but spelled so that the game doesn't find it ("CHUNKS/00/1,2.BIN") */
    LVL_NAME_NO_CHUNK /* the game assumes that it is a chunk, fails to parse it, and can't save the drawing */
} lvl_chunk_name;
/* `layers`: how many the drawing has. The outs are set for CHUNK and ALIAS. */
lvl_chunk_name lvl_sketchy_name_kind(lvl_text path, uint32_t layers, uint32_t *layer, int32_t *x, int32_t *y,
                                     bool *binary);
/* Whether the name is empty, or leads out of the folder that an archive is unpacked in. */
bool lvl_sketchy_leads_out(lvl_text path);
/* A chunk's key as the game spells it: "1,2" for "+1,02". `buf` of 32 bytes. */
lvl_text lvl_sketchy_plain_key(char *buf, int32_t x, int32_t y);
/* The name of the member that is the document of a drawing of that kind. */
const char *lvl_sketchy_document_name(uint8_t kind);
/* Whether a member of that name is a drawing's document. */
bool lvl_sketchy_is_document(lvl_text name);
/* The zip's comment that has the generation of a drawing without chunks. */
lvl_text lvl_sketchy_generation_mark(uint8_t generation);

#endif
