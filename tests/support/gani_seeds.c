/*
 * support/gani_seeds.c: see support/gani_seeds.h.
 */
#include "gani_seeds.h"

#include <string.h>

/* clang-format off */
static const char *const seeds[] = {
    [LVL_GANI_SEED_EDITOR] =
        "SPRITE    0         SPRITES    0    0   24   12 shadow\n"
        "SPRITE   40           ATTR1    0    0   48   48 hat up\n"
        "SPRITE  100            HEAD    0    0   32   32 head up \n"
        "SPRITE  101            HEAD    0   32   32   32 head left\n"
        "SPRITE  200            BODY    0    0   32   32 body up\n"
        "SPRITE   -3 a-very-long-sheet.png   16  -16   16   16 \n"
        "// what it wears\n"
        "ATTACHSPRITE  100   40  -8 -18\n"
        "ATTACHSPRITE2 101   40 -12 2.5\n"
        "\n"
        "LOOP\n"
        "CONTINUOUS\n"
        "SETBACKTO idle\n"
        "DEFAULTATTR1 hat0.png\n"
        "DEFAULTHEAD head19.png\n"
        "DEFAULTBODY \n"
        "\n"
        "ANI\n"
        "   0  12  34,  200   8  16,  100   8   2\n"
        "   0  12  34,  200   8  16,  101   6   0\n"
        "   0  12  34,   -3 -10 -16\n"
        " \n"
        "WAIT 3\n"
        "PLAYSOUND steps.wav 1.5 2\n"
        "\n"
        "   0  12  34,  200   8  16,  100   8   3\n"
        "   0  12  34,  200   8  16,  101 6.25   0\n"
        "   0  12  34,   -3 -10 -16\n"
        "1000   1   1\n"
        "PLAYSOUND PARAM1 2\n"
        "PLAYSOUND other.wav\n"
        "ANIEND\n",
    [LVL_GANI_SEED_SINGLE] =
        "GANI0001\n"
        "SPRITE 0 sprites.png 0 0 24 12 shadow\n"
        "SPRITE 1 fire.png 0 0 32 32\n"
        "\n"
        "SINGLEDIRECTION\n"
        "BACKCOLOR #204060\n"
        "DEFAULTPARAM1 fire.png\n"
        "COLOREFFECT 1 1 0.5 0.25 0.99\n"
        "ZOOMEFFECT 1 2\n"
        "ROTATEEFFECT -1 -0.785398163\n"
        "LAYER 0 3\n"
        "\n"
        "SCRIPT\n"
        "if (created) {\n"
        "  timeout = 0.05;\n"
        "}\n"
        "SCRIPTEND\n"
        "\n"
        "ANI\n"
        "0 12 34, 1 8 16\n"
        "WAIT 50 RAND\n"
        "\n"
        "0 12 34, PARAM2 8 15.5\n"
        "\n"
        "ANIEND\n",
    [LVL_GANI_SEED_ODD] =
        "# a note\nGANI0001 \r\n"
        "\r\n"
        "  LOOP \r\n"
        "LOOP\n"
        "DEFAULTHEAD\r\n"
        "SPRITE 7\tHEAD 0 0 032 32.5  two  words\r\n"
        "   \r\n"
        "// between\r\n"
        "SPRITE x BODY\r\n"
        "SPRITE 9999999999 PICS 1 2 3 4 \r\n"
        "SINGLEDIR\r\n"
        "FRAMES 12\r\nFRAMES 12 \r\n"
        "WHATEVER 1 2\r\n"
        "ATTACHSPRITE 7 8\r\n"
        "SCRIPT \r\n"
        "lone\n"
        "SCRIPTEND\r\n"
        "SINGLEDIRECTION\r\n"
        "STRETCHXEFFECT 7 1e3\r\n"
        "EFFECTMODE 7 1 1\r\n"
        " ANI\r\n"
        "WAIT 9\r\n"
        " 7 1 2,,  8 .5 -0, \r\n"
        "WAIT4\r\n"
        "PLAYSOUND my file.wav 1,5 2\r\n"
        "WAIT 2\r\n"
        "\r\n"
        "\r\n"
        "// still\r\n"
        "7 1\r\n"
        "\n"
        "ATTR3 1.10 2 3\r\n"
        " \r\n"
        "ANIEND \r\n"
        "DEFAULTBODY body.png\r\n"
        "ANI\r\n"
        "7 0 0\r\n"
        "ANIEND",
    [LVL_GANI_SEED_MOVIE] =
        "GANI0002\n"
        "SPRITE    0         SPRITES    0    0   24   12 shadow\n"
        "\n"
        "FRAMES 40\n"
        "LOOP\n"
        "DEFAULTHEAD head19.png\n"
        "\n"
        "MOVIE\n"
        "  ACTOR CHAR Somebody\n"
        "    FRAME 0 ani=walk,dir=2,dx=-47,dy=79,visible=true\n"
        "    FRAME 20 chat=Well, well, who is there?,dx=0\n"
        "    FRAME 40 \n"
        "  ACTOREND\n"
        "\n"
        "  ACTOR SPRITE Sprite 1\n"
        "    FRAME 0 dx=16,sprite #=0,,odd\n"
        "\n"
        "    FRAME 7\n"
        "  ACTOREND\n"
        "MOVIEEND\n"
        "\n",
    [LVL_GANI_SEED_MARK] = "\xEF\xBB\xBFSPRITE 0 b 0 0 1 1\r\nWHAT\r\nSPRITE 1 a 0 0 8 8 \r\n\n  \r\n// "
        "x\r\nLOOP\r\nSETBACKTO a\r\nSETBACKTO b\r\n\r\nANI\r\n1 0 0\r\n\r\nANIEND\r\n",
    [LVL_GANI_SEED_CUT] =
        "SPRITE    0         SPRITES    0    0   24   12 shadow\n"
        "\n"
        "ANI\n"
        "\n"
        "   0  12  34\n"
        "   0  12  34\n"
        "   0  12  34\n"
        "\n"
        "   0  12  34\n"
        "   0  12  34\n"
        "\n"
        "   0  12  34\n"
        "   0  12  3",
};
static const char *const names[] = {"editor", "single", "odd", "movie", "mark", "cut"};
/* clang-format on */

const char *lvl_gani_seed_name(int seed)
{
    return names[seed];
}

lvl_bytes lvl_gani_seed(int seed)
{
    return (lvl_bytes){(const uint8_t *)seeds[seed], strlen(seeds[seed])};
}
