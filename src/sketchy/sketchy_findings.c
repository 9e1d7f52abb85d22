/*
 * sketchy/sketchy_findings.c: what can be found in a drawing or pack, how bad it is for whom, and what repair does about it. "Game" is the last release, 0.14.0.
 */
#include "sketchy/sketchy_findings.h"

#include <stddef.h>

#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

/* a row each, severities in strict, game, salvage */
const lvl_finding_def lvl_sketchy_findings[LVL_SKETCHY_F_COUNT] = {
    /* ---- the reader ---- */
    [LVL_SKETCHY_F_JSON] = {"sketchy.json.broken",
                            "The document's JSON breaks off or isn't JSON. The game refuses the file, or "
                            "loads an empty drawing from a gzip.",
                            {E, E, E},
                            "writes what was read before the break"},
    [LVL_SKETCHY_F_TYPE] =
        {"sketchy.json.type",
         "A value of the wrong kind: the game refuses the file, of a gzip it takes the default.",
         {E, E, W},
         "writes the default"},
    [LVL_SKETCHY_F_UNKNOWN_KEY] =
        {"sketchy.json.unknown_key",
         "A key that no version of the game knows. It is kept, but the game drops it on saving.",
         {N, N, N},
         NULL},
    [LVL_SKETCHY_F_DOUBLE_KEY] = {"sketchy.json.double_key",
                                  "A key that an object has twice. The game takes the last one.",
                                  {W, W, N},
                                  NULL},
    [LVL_SKETCHY_F_CHUNK_KEY] = {"sketchy.chunk.key",
                                 "A chunk whose key isn't two numbers (\"3,-1\"). The game can't place it.",
                                 {E, E, W},
                                 NULL},
    [LVL_SKETCHY_F_TRAILING] = {"sketchy.trailing",
                                "Bytes follow the document. The game refuses plain JSON with them; in a gzip "
                                "or zip it doesn't look at them.",
                                {W, W, N},
                                "drops them from plain JSON"},
    [LVL_SKETCHY_F_GZIP_CUT] = {"sketchy.gzip.truncated",
                                "The file ends inside its gzip stream. The game loads an empty level without "
                                "a word, and saving writes that over the file.",
                                {E, E, E},
                                "keeps everything before the cut"},
    [LVL_SKETCHY_F_GZIP_BAD] = {"sketchy.gzip.corrupt",
                                "The gzip stream is damaged, or its checksum is wrong.",
                                {E, E, E},
                                "keeps everything before the break"},
    [LVL_SKETCHY_F_ZIP_DIRECTORY] = {"sketchy.zip.directory",
                                     "The zip has no directory that can be used: its members were found by "
                                     "their headers. The game can't open it.",
                                     {E, E, W},
                                     "writes a new directory"},
    [LVL_SKETCHY_F_ZIP_MEMBER] = {"sketchy.zip.member",
                                  "A member of the zip that is cut, overlaps another, isn't where the "
                                  "directory says, or whose stream or checksum is broken.",
                                  {E, E, W},
                                  "keeps what can be read of it"},
    [LVL_SKETCHY_F_ZIP_DOUBLE] =
        {"sketchy.zip.double",
         "Two members of the zip have the same name. The game can't open such a file.",
         {E, E, W},
         "keeps the last one, which archive readers take"},
    [LVL_SKETCHY_F_NO_DOCUMENT] = {"sketchy.zip.no_document",
                                   "The zip lacks its level.json, doodad.json or index.json. The game can't "
                                   "open it; chunks are still there.",
                                   {E, E, W},
                                   "writes one with defaults"},

    /* ---- rules ---- */

    /* ---- losses of a conversion ---- */
    [LVL_SKETCHY_F_LOSS_CHUNK] = {"sketchy.loss.chunk",
                                  "A chunk that can't be decoded: nothing of it is in the new file.",
                                  {E, E, E},
                                  NULL},
    [LVL_SKETCHY_F_LOSS_OUTSIDE] =
        {"sketchy.loss.outside",
         "Pixels that a chunk lists but that lie outside of it. The game doesn't draw them.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_INDEX] = {"sketchy.loss.index",
                                  "Pixels with an index of 65535 or more, or whose place isn't two numbers.",
                                  {W, W, W},
                                  NULL},
    [LVL_SKETCHY_F_LOSS_SIGNATURE] =
        {"sketchy.loss.signature",
         "The level is signed. The signature is carried over but no longer fits the new file.",
         {W, W, W},
         NULL},
    [LVL_SKETCHY_F_LOSS_DAMAGE] =
        {"sketchy.loss.damage",
         "The file is damaged, and what isn't in its document, its chunks or its members is left behind.",
         {W, W, W},
         NULL},
};
