/*
 * lvl/mng.h: MNG, an animated picture of Graal: chunks like those of PNG, with a whole PNG for each frame.
 */
#ifndef LVL_MNG_H
#define LVL_MNG_H

#include <lvl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lvl_mng_chunk {
    char type[4]; /* "MHDR", "FRAM", "IHDR" … */
    lvl_bytes data;
    uint32_t crc; /* of type and data; derived */
} lvl_mng_chunk;

typedef struct lvl_mng {
    lvl_mng_chunk *chunks;
    uint32_t chunk_count;
    lvl_bytes rest; /* after the last whole chunk */
} lvl_mng;

LVL_API extern const lvl_table lvl_mng_table;
LVL_API extern const lvl_table lvl_mng_chunk_table;

#ifdef __cplusplus
}
#endif

#endif
