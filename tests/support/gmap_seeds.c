/*
 * support/gmap_seeds.c: see support/gmap_seeds.h.
 */
#include "gmap_seeds.h"

#include <string.h>

/* clang-format off */
static const char *const seeds[] = {
    [LVL_GMAP_SEED_PLAIN] =
        "GRMAP001\nWIDTH 2\nHEIGHT 2\nLEVELNAMES\n\"a.nw\",\"b.nw\"\n\"c.nw\",\"d.nw\"\nLEVELNAMESEND\n",
    [LVL_GMAP_SEED_BIGMAP] = "\"a.graal\",\"b.graal\",\"\"\n\"c.graal\",\"\",\"e.zelda\"\n",
    [LVL_GMAP_SEED_FULL] =
        "GRMAP001\nWIDTH 3\nHEIGHT 2\nMAPIMG world.png\nMINIMAPIMG small.png\nTILESET "
            "pics2.png\nNOAUTOMAPPING\n\n"
        "LEVELNAMES\n\"a.nw\",\"b \"\"b\"\".nw\",\"\"\n\"c.nw\",\"\",\"e.nw\"\nLEVELNAMESEND\n"
        "LOADATSTART\n\"a.nw\"\n\"c.nw\",\"e.nw\"\nLOADATSTARTEND\n"
        "LEVHEIGHT 0.5\nLEVCHAOS -1\nHEIGHTMAP\n1,2.25,-3\n0,0,1e+22\nHEIGHTMAPEND\n"
        "RANDOMSEEDS\n4294967295,7\nRANDOMSEEDSEND\nSOMETHING else\n",
    [LVL_GMAP_SEED_ODD] =
        "\xEF\xBB\xBFGRMAP001 \r\n\r\n  \r\nHEIGHT  3\r\nWIDTH 003\r\nWIDTH 4\r\nLEVELNAMES\t\r\n\"a.nw\" "
            ", b.nw,\r\n"
        "\r\n\"c.nw\",,\"d.nw\",\"e\r\n\"\r\nLEVELNAMESEND\r\nLEVELNAMESEND\r\nNOAUTOMAPPING 1\r\nWIDTH "
            "no\r\nHEIGHTMAP\r\n"
        "1, 2,\r\nhigh\r\n +3,4.50\r\nMAPIMG  a.png \r\nRANDOMSEEDS\r\n5",
    [LVL_GMAP_SEED_GENERATED] =
        "GRMAP001\nWIDTH 30\nHEIGHT 12\nGENERATED world_aa-01.nw\nRANDOMSEEDS\n1,2,3\nRANDOMSEEDSEND\n",
};
static const char *const names[] = {"plain", "bigmap", "full", "odd", "generated"};
/* clang-format on */

const char *lvl_gmap_seed_name(int seed)
{
    return names[seed];
}

lvl_bytes lvl_gmap_seed(int seed)
{
    return (lvl_bytes){(const uint8_t *)seeds[seed], strlen(seeds[seed])};
}
