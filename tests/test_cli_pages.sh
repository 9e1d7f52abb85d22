#!/bin/sh
# What the pages in docs/formats say about odd input, sentence by sentence: each case is a file made here, and the value that a dump has.
. "$(dirname "$0")/support/shell.sh"

# value FILE PATH WANTED: what `lvl get` prints.
value() {
    tried=$((tried + 1))
    got=$("$lvl" get "$1" "$2" 2>/dev/null)
    [ "$got" = "$3" ] || { said=$t fail "$1: $2 is $got, not $3"; }
}
# text FILE FORMAT...: makes a file.
text() {
    name=$1
    shift
    # shellcheck disable=SC2059
    printf "$@" >"$name"
}
# level FILE VERSION LINKS CHESTS SIGNS: a binary level without tiles, which lvl reads like any other.
level() {
    # shellcheck disable=SC2059
    {
        printf '%s' "$2"
        cat "$t/tiles"
        printf "$3#\n\377\377\377\n#\n$4#\n$5"
    } >"$1"
}
# The tiles are those of a sample, up to its links.
dd if="$samples/graal/versions/gr-v1.03.graal" bs=1 skip=8 count=$(($(grep -abo 'lake_mill' "$samples/graal/versions/gr-v1.03.graal" | head -n 1 | cut -d: -f1) - 8)) \
    of="$t/tiles" 2>"$test_root/dd" || exit 3

# graal.md
level blank.graal GR-V1.03 '  a b.nw 1 2 3 4 5 6\n' '' ''
value blank.graal 'links[*].level' 'a b.nw'
level links.graal GR-V1.03 '1 2 3 4 5 6\na.nw 1 2\na.nw 1x 2 3 4 5 6\nb.nw 1 2 3 4 x y\n' '' ''
value links.graal 'links[*].level' 'b.nw'
level chests.graal GR-V1.03 '' '%%!\n%%!"\n%%!"#\n' ''
value chests.graal 'chests' '[{"x":5,"y":1,"item":"redrupee","sign":3}]'
level zero.graal GR-V1.03 '' '' '"#v*eTf\n"#v*eTTf\n'
value zero.graal signs '[{"x":2,"y":3,"text":"\u0000"},{"x":2,"y":3,"text":"#K(00)"}]'
level heights.graal GR-V1.04 '' '' '"#AB\nHEIGHTS\n1,2,x,4\nHEIGHTSEND\n'
value heights.graal heights '[1,2]'
level heights-cr.graal GR-V1.04 '' '' 'HEIGHTS\r\n"#CD\n'
value heights-cr.graal signs '[{"x":40,"y":37,"text":"pno0z"},{"x":2,"y":3,"text":"jk"}]'

# nw.md
text board.nw 'GLEVNW01\nBOARD 0 0 4 0 AA AB AC AD\nBOARD 0 1 2 0 AA AB zz\nBOARD 0 2 2 0 AAAB zz\nBOARD 62 3 x 0 AAAB\nBOARD 0 4 x 0 AAAB\nBOARD 0 5 1 300 AA\n'
"$lvl" get board.nw layers 2>/dev/null | grep -o '"rows":\["[^"]*","[^"]*","[^"]*","[^"]*","[^"]*","[^"]*"' >rows
tried=$((tried + 1))
[ "$(cat rows)" = '"rows":["0 1 2 3 .*60","0 .*63","0 1 .*62",".*62 0 1",".*64",".*64"' ] || fail "board.nw: $(cat rows)"
text links.nw 'GLEVNW01\nLINK a.nw 1 2 3 4 5 6 1 2\nLINK b.nw 1 2 3 4 5 6 1 -2\nLINK c.nw 1 2 3 4 5 6 -1 2\n'
value links.nw 'links[0].level' a.nw
value links.nw 'links[1].level' 'b.nw 1 2'
value links.nw 'links[2].level' 'c.nw 1'
text heights.nw 'GLEVNW01\nHEIGHTS\n1,2\nHEIGHTSEND\nHEIGHTS\nHEIGHTSEND\n'
value heights.nw heights '[1,2]'
text numbers.nw 'GLEVNW01\nCHEST +1 99999999999 3 -1\nNPC a.png .5 1e1\nNPCEND\n'
value numbers.nw 'chests[0].y' 2147483647
value numbers.nw 'npcs[0].x' 0.5
value numbers.nw 'npcs[0].y' 10

# gani.md
text cr.gani 'GANI0001\nSCRIPT\na\rb\nSCRIPTEND\nSPRITE\r1 HEAD 0 0 1 1 x\n'
value cr.gani 'sprites[0].id' 1
text twice.gani 'GANI0001\nSETBACKTO a\nSETBACKTO\nBACKCOLOR b\nBACKCOLOR\nFRAMES 3\nFRAMES\n'
value twice.gani setback_to a
value twice.gani back_color b
value twice.gani length 3
text words.gani 'GANI0001\nSINGLEDIRECTION\nANI\n 1 0 0\nPLAYSOUNDX a\nWAITx 9\nWAIT4\nANIENDX\nANIEND\nLOOP\n'
value words.gani 'frames[0].wait' 4
value words.gani loop 1
text key.gani 'GANI0002\nMOVIE\nACTOR CHAR A\nFRAME 0 a,b=c,d=e\nACTOREND\nMOVIEEND\n'
value key.gani 'actors[0].keyframes[0].values' '[{"key":"a,b","value":"c"},{"key":"d","value":"e"}]'
text mark.gani '\357\273\277  GANI0001\nLOOP\n'
value mark.gani loop 1

# gmap.md
text keys.gmap 'GRMAP001\nWIDTH 1\nHEIGHT 1\nMAPIMG a\nMAPIMG b\nMAPIMG\nLEVELNAMES x\nLEVELNAMES\n"a.nw"\n LEVELNAMESEND\nLEVELNAMESEND\nWIDTH -2\n'
value keys.gmap map_image b
value keys.gmap others '["LEVELNAMES x","WIDTH -2"]'
value keys.gmap rows '[{"names":["a.nw"]},{"names":["LEVELNAMESEND"]}]'
text again.gmap 'GRMAP001\nWIDTH 1\nHEIGHT 2\nLEVELNAMES\n"a.nw"\nLEVELNAMES\n"b.nw"\nTILESET x\n'
value again.gmap rows '[{"names":["a.nw"]},{"names":["b.nw"]}]'
value again.gmap tileset x

# sketchy.md
drawing() { # FILE, SIZE, CHUNKS, MORE
    printf '{"version":1,"title":"T","files":{"z":{"data":"QQ=="},"b":{"data":"Qg=="},"z":{"data":"Qw=="}},"chunks":{"size":%s,"chunks":{%s}},"palette":{"swatches":[{"name":"e"}]},"pageType":1,"boundedWidth":9,"wallpaper":"n.png"%s}' "$2" "$3" "$4" >"$1"
}
drawing keys.level 128 '"2,0":{"type":0,"data":{}},"-1,0":{"type":0,"data":{}},"2,0":{"type":0,"data":{"257,0":0}}' \
    ',"actors":{"b":{"point":"+1,2","options":{"o":{"value":"1"},"o":{"value":"2"}}},"a":{"filename":"y"},"b":{"filename":"z"}}'
value keys.level 'files[*].path' 'z
b
z'
value keys.level 'actors[*].id' 'b
a
b'
value keys.level 'actors[0].point.x' 1
value keys.level 'actors[0].options[*].value' '1
2'
"$lvl" get keys.level 'layers[0].chunks[*].key' >keys 2>/dev/null
tried=$((tried + 1))
[ "$(sort keys | tr '\n' ' ')" = '-1,0 2,0 ' ] || fail "chunks of keys.level: $(cat keys)"
"$lvl" dump --no-kept keys.level 2>/dev/null | sed -nE 's/.*"(key|path)": ?"([^"]*)".*/\2/p' | tr '\n' ' ' >keys
tried=$((tried + 1))
[ "$(cat keys)" = '-1,0 2,0 b z z ' ] || fail "lists of keys.level without kept: $(cat keys)"
drawing double.level 128 '' ',"rules":{"difficulty":1},"Title":"U","rules":{"survival":true},"actors":{"a":{}},"actors":{"b":{}}'
value double.level title U
value double.level difficulty hard
value double.level survival 1
value double.level 'actors[*].id' 'a
b'
for size in 0:0 255:255 256:256 -1:128 99999999999:128; do
    drawing size.level "${size%:*}" '' ''
    value size.level 'layers[0].size' "${size#*:}"
done

finish
