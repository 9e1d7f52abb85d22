#!/bin/sh
# What a wrong end mark hides in files of Graal is an error, and an edit keeps it. LVL is the command.
set -u
LC_ALL=C
export LC_ALL
: "${LVL:?the command to test}"
lvl=$LVL
here=$(cd "$(dirname "$0")" && pwd)
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 3
. "$here/support/shell.sh"

# hidden ID FILE EDIT TEXT: the check finds that error, and the text is still there after the edit
hidden() {
    expect 1 "$lvl" check --roundtrip "$2"
    grep -qF -- "error: $1" out || fail "no error $1 in $2"
    expect 0 "$lvl" set "$2" "$3" -o "edited-$2"
    grep -qF -- "$4" "edited-$2" || fail "an edit of $2 dropped $4"
}

# a sign without SIGNEND takes what follows for text
printf 'GLEVNW01\nSIGN 1 1\nhello\nLINK b.nw 0 0 1 1 30 30\nNPC x.png 5 6\nhide;\nNPCEND\nSIGN 2 2\nbye\nSIGNEND\n' >swallowed.nw
hidden graal.nw.inside swallowed.nw 'signs[0].x=3' 'LINK b.nw 0 0 1 1 30 30'
expect 0 "$lvl" repair swallowed.nw -o repaired.nw
expect 0 "$lvl" check repaired.nw
printf 'GLEVNW01\nSIGN 1 1\nhello\nSIGNEND\nLINK b.nw 0 0 1 1 30 30\nNPC x.png 5 6\nhide;\nNPCEND\nSIGN 2 2\nbye\nSIGNEND\n' >whole.nw
cmp -s repaired.nw whole.nw || { fail "repair did not bring back what the sign swallowed"; cat repaired.nw; }

# ANIEND, MOVIEEND and LEVELNAMESEND that come too early
printf 'GANI0001\nSPRITE    1          SPRITES    0    0    8    8 x\nSINGLEDIRECTION\n\nANI\n   1   0   0\nANIEND\n   1   7   7\nANIEND\n' >early.gani
hidden gani.line.outside early.gani 'sprites[0].x=4' '   1   7   7'
printf 'GANI0001\nSPRITE    1          SPRITES    0    0    8    8 x\nSINGLEDIRECTION\n\nANI\n   1   0   0\nANIEND\nANI\n   1   7   7\nANIEND\n' >second.gani
hidden gani.block.second second.gani 'sprites[0].x=4' '   1   7   7'
printf 'GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"a.nw"\nLEVELNAMESEND\n"b.nw"\nLEVELNAMESEND\n' >early.gmap
hidden gmap.row.outside early.gmap 'tileset=x.png' '"b.nw"'

echo "$tried commands tried, $failed failed"
[ $failed = 0 ]
