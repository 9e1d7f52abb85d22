/*
 * sketchy/member_names.h: what members of drawings and packs are called: names that lead out of a folder, or
 * that the game can't do with, and better ones for them.
 */
#ifndef LVL_SKETCHY_NAMES_H
#define LVL_SKETCHY_NAMES_H

#include "sketchy/repair_parts.h"

/* Whether the name means a place outside of the folder that an archive is unpacked in, or none at all. */
bool lvl_sketchy_leads_out(lvl_text path);
/* Whether the game takes the member for a chunk of one of so many layers, by its folder and ending, and can't
 * say which: it can't save the drawing then. */
bool lvl_sketchy_is_nameless_chunk(lvl_text path, uint32_t layers);
/* Whether it is a chunk's name but for how it is spelled ("CHUNKS/00/1,2.BIN"), so that the game doesn't find
 * it. */
bool lvl_sketchy_is_alias(lvl_text path, uint32_t layers);
/* A chunk's key as the game spells it: "1,2" for "+1,02". `buf` of 32 bytes. */
lvl_text lvl_sketchy_plain_key(char *buf, int32_t x, int32_t y);

/* Tells of names that lead out, and of those that differ only in case. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_check_names(const lvl_sketchy_file *files, uint32_t count, const lvl_field *field,
                                   lvl_findings *findings);

/* Gives members better names: none hides another one, and nothing of what they hold is lost. Of several of
 * one name the last keeps it, others that hold the same go. */
lvl_status lvl_repair_names(lvl_repairing *m);

#endif
