/*
 * codec/deflate_quick.h: a short search for matches. Inner header of codec/deflate.c.
 */
#ifndef LVL_CODEC_DEFLATE_QUICK_H
#define LVL_CODEC_DEFLATE_QUICK_H

#include "codec/deflate_encoder.h"

/* Encodes all data into blocks. The output's status says whether it failed. */
void lvl_deflate_encode_quick(lvl_deflate_encoder *e);

#endif
