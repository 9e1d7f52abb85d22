/*
 * support/world_make.c: see support/world_make.h.
 */
#include "world_make.h"

#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool world_save(const char *folder, const char *name, const char *text)
{
    char path[600];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return lvl_file_save(path, (lvl_bytes){(const uint8_t *)text, strlen(text)}, LVL_SAVE_REPLACE, NULL) ==
           LVL_OK;
}

bool world_level(const char *folder, const char *name, const char *tile, const char *rest)
{
    lvl_buffer out = {0};

    lvl_buffer_str(&out, "GLEVNW01\n");
    for (int y = 0; y < 64; y++) {
        lvl_buffer_printf(&out, "BOARD 0 %d 64 0 ", y);
        for (int x = 0; x < 64; x++)
            lvl_buffer_str(&out, tile);
        lvl_buffer_u8(&out, '\n');
    }
    lvl_buffer_str(&out, rest);
    lvl_buffer_u8(&out, 0);
    const bool good = out.status == LVL_OK && world_save(folder, name, (const char *)out.data);
    lvl_buffer_free(&out);
    return good;
}

bool world_folder(char *out, size_t size, const char *name)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(out, size, "%s/lvl-test-%s/world", tmp && *tmp ? tmp : "/tmp", name);
    return lvl_folder_make(out, NULL) == LVL_OK;
}

bool world_make(const char *folder)
{
    return world_level(folder, "a.nw", "AB",
                       "LINK b.nw 63 0 1 64 0 playery\nLINK c.nw 0 63 64 1 playerx 0\n"
                       "SIGN 10 12\nhello\nSIGNEND\nNPC - 3 4\nNPCEND\n") &&
           world_level(folder, "B.nw", "AC",
                       "LINK a.nw 0 0 1 64 61 playery\nLINK x.nw 0 63 64 1 playerx 0\n"
                       "LINK c.nw 20 20 2 2 30.5 32\n") &&
           world_level(folder, "c.nw", "AD", "LINK b.nw 63 0 1 64 0 playery\n") &&
           world_save(folder, "broken.nw", "no level") &&
           world_save(
               folder, "map.gmap",
               "GRMAP001\nWIDTH 3\nHEIGHT 2\nMAPIMG gone.png\nLEVELNAMES\n\"a.nw\",\"b.nw\",\"gone.nw\"\n"
               "\"c.nw\",\"../map/a.nw\",\"broken.nw\"\nLEVELNAMESEND\n");
}
