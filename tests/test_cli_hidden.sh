#!/bin/sh
# Data that a wrong end mark hides in files of Graal and Sketchy Maze is an error, and an edit keeps it.
. "$(dirname "$0")/support/shell.sh"

# hidden ID FILE EDIT TEXT: the check finds that error, and the text is still there after the edit
hidden() {
    expect 1 "$lvl" check --roundtrip "$2"
    grep -qF -- "error: $1" out || fail "no error $1 in $2"
    expect 0 "$lvl" set -y "$2" "$3" -o "edited-$2"
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
# repair moves the end after the frames; where other lines follow, it leaves them
printf 'GANI0001\nSPRITE    1          SPRITES    0    0    8    8 x\nSINGLEDIRECTION\n\nANI\n   1   0   0\n   1   7   7\nANIEND\n' >joined.gani
grep -v '^ANIEND' joined.gani | sed 's/^   1   7   7/ANIEND\n&/' >alone.gani
for level in early second alone; do
    expect 1 "$lvl" check $level.gani
    expect 0 "$lvl" repair -y $level.gani -o repaired.gani
    cmp -s repaired.gani joined.gani || fail "repair did not move the end of the block of $level.gani"
done
{ cat early.gani && echo 'SCRIPT' && echo 'hide;' && echo '   1   9   9' && echo 'SCRIPTEND'; } >script.gani
expect 0 "$lvl" repair -y script.gani -o repaired.gani
{ cat joined.gani && echo 'SCRIPT' && echo 'hide;' && echo '   1   9   9' && echo 'SCRIPTEND'; } | cmp -s - repaired.gani ||
    fail "repair of frames after ANIEND changed the script"
{ cat early.gani && printf 'ANI\n   1   8   8\nANIEND\n'; } >twice.gani
expect 1 "$lvl" repair -y twice.gani -o repaired.gani
cmp -s twice.gani repaired.gani || fail "an uncertain repair changed the file"
printf 'GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"a.nw"\nLEVELNAMESEND\n"b.nw"\nLEVELNAMESEND\n' >early.gmap
hidden gmap.row.outside early.gmap 'tileset=x.png' '"b.nw"'
# rows that repair cannot move back: HEIGHT, which says that they are missing, stays
printf 'GRMAP001\nWIDTH 2\nHEIGHT 2\nLEVELNAMES\n"a.nw","b.nw"\nLEVELNAMESEND\nMAPIMG x.png\n"c.nw","d.nw"\n' >apart.gmap
expect 1 "$lvl" repair -y apart.gmap -o repaired.gmap
cmp -s apart.gmap repaired.gmap || fail "repair changed HEIGHT, and the row is outside still"
# a header with further text hides data: repair does not rewrite it
printf 'GRMAP001\rWIDTH 2\rHEIGHT 1\rLEVELNAMES\r"a.nw","b.nw"\rLEVELNAMESEND\r' >cr.gmap
printf 'GRMAP001 extra\nLEVELNAMES\n"a.nw","b.nw"\n' >extra.gmap
for map in cr extra; do
    expect 1 "$lvl" repair -y $map.gmap -o repaired.gmap
    cmp -s $map.gmap repaired.gmap || fail "repair dropped text of the header of $map.gmap"
done
# text after a name: an error, which edits of other lines keep; an edit or a repair that would drop it is refused
printf 'GRMAP001\nWIDTH 2\nHEIGHT 2\nLEVELNAMES\n"a.nw","b.nw"junk\n"c.nw","d.nw"\nLEVELNAMESEND\n' >junk.gmap
hidden gmap.line.words junk.gmap 'rows[1].names[0]=x.nw' '"b.nw"junk'
expect 1 "$lvl" set junk.gmap 'rows[0].names[0]=x.nw' -o edited-junk-row.gmap
grep -q 'further text' err || fail "why an edit is refused is not said"
grep -v END junk.gmap >open.gmap
expect 1 "$lvl" repair -y open.gmap -o repaired.gmap
cmp -s open.gmap repaired.gmap || fail "repair dropped text after a name"
# a byte order mark stays in the line of the header, and two blocks of rows stay two
printf '\357\273\277GRMAP001\nWIDTH 1\nHEIGHT 2\nLEVELNAMES\n"a.nw"\nLEVELNAMESEND\n\nFOO\n\nLEVELNAMES\n"b.nw"\nLEVELNAMESEND\n' >two.gmap
expect 0 "$lvl" set -y two.gmap map_image=x.png -o edited.gmap
sed 's/^HEIGHT 2$/&\nMAPIMG x.png/' two.gmap | cmp -s - edited.gmap || { fail "an edit changed other lines"; cat edited.gmap; }
expect 0 "$lvl" set -y two.gmap 'rows[+]={"names":["c.nw"]}' -o edited.gmap
sed 's/^HEIGHT 2$/HEIGHT 3/; s/^"b.nw"$/&\n"c.nw"/' two.gmap | cmp -s - edited.gmap || fail "a new row changed other lines"

# an end mark before the last record of each list of each binary version: an error; repair removes it, an edit
# keeps what follows, so that repair finds it then too, and in a merge it is a conflict
for level in "$here"/../samples/graal/versions/*; do
    for list in links baddies npcs chests; do
        expect 0 "$lvl" explain "$level"
        at=$(awk -v l="$list[" 'index($3, l) == 1 { at = $1 } END { print at }' out)
        [ -n "$at" ] || continue
        at=$((at))
        mark='#\n'
        [ $list != baddies ] || mark='\377\377\377\n'
        # shellcheck disable=SC2059 # it is a format
        { head -c $at "$level" && printf "$mark" && tail -c +$((at + 1)) "$level"; } >early
        expect 1 "$lvl" check --no-art early
        grep -q "error: graal.section.early.*of the $list" out || grep -q "error: graal.section.early.*NPCs" out ||
            fail "no error for the early mark of the $list of $level"
        expect 0 "$lvl" repair -y early -o repaired
        cmp -s repaired "$level" || fail "repair did not bring back the $list of $level"
        expect 0 "$lvl" set -y early 'layers[0].tiles[3,3]=5' -o edited
        expect 0 "$lvl" set -y "$level" 'layers[0].tiles[3,3]=5' -o expected
        expect 0 "$lvl" repair -y edited -o repaired
        cmp -s repaired expected || fail "an edit dropped $list of $level"
        expect 1 "$lvl" merge "$level" expected early -y -o merged # what is read as other records was not removed
        cmp -s merged expected || fail "a merge dropped $list of $level"
    done
done
# bytes after the end mark of the baddies: an edit of the baddies is refused, others keep the bytes
level=$samples/graal/versions/gr-v1.03.graal
expect 0 "$lvl" set -y "$level" 'layers[0].tiles[3,3]=5' -o expected
expect 0 "$lvl" explain "$level"
at=$(awk '/end of the baddies/ { print $1 }' out)
at=$((at + 3))
{ head -c $at "$level" && printf 'HIDDEN' && tail -c +$((at + 1)) "$level"; } >after
expect 1 "$lvl" check --no-art after
grep -q 'error: graal.section.end' out || fail "no error for bytes after an end mark"
expect 1 "$lvl" set after 'baddies[0].x=5' -o edited-after
[ ! -e edited-after ] || fail "an edit dropped bytes after an end mark"
expect 0 "$lvl" set after 'layers[0].tiles[3,3]=5' -o edited-after
grep -q HIDDEN edited-after || fail "an edit of the tiles dropped bytes after an end mark"
# lines before the end mark of a list that are no record: an edit of the list is refused, others keep them;
# without them, it is not
for list in links NPCs; do
    expect 0 "$lvl" explain "$level"
    at=$(awk "/end of the $list/ { print \$1 }" out)
    at=$((at))
    line='x\n'
    [ $list = NPCs ] || line=' \n'
    # shellcheck disable=SC2059 # it is a format
    { head -c $at "$level" && printf "$line" && tail -c +$((at + 1)) "$level"; } >ends
    expect 0 "$lvl" check --no-art ends
    edit="$(echo $list | tr A-Z a-z)[0].x=7"
    expect 1 "$lvl" set ends "$edit" -o edited-ends
    [ ! -e edited-ends ] || fail "an edit dropped a line at the end of the $list"
    grep -q -- '--unset file' err || fail "how to remove a line at the end of the $list is not said"
    expect 0 "$lvl" set -y ends 'layers[0].tiles[3,3]=5' -o with
    [ "$(wc -c <with)" -eq $(($(wc -c <expected) + $(wc -c <ends) - $(wc -c <"$level"))) ] ||
        fail "an edit of the tiles dropped a line at the end of the $list"
    expect 0 "$lvl" set -y ends --unset file -o without
    cmp -s without "$level" || fail "--unset file did not remove the line at the end of the $list"
done
# tiles beyond the board: an edit of the row, and a conversion, are refused
printf 'GLEVNW01\nBOARD 62 0 4 0 ABACADAE\nBOARD 0 1 2 0 ABAC\n' >beyond.nw
hidden graal.nw.row_beyond beyond.nw 'layers[0].tiles[0,1]=7' 'BOARD 62 0 4 0 ABACADAE'
expect 1 "$lvl" set beyond.nw 'layers[0].tiles[63,0]=7' -o edited-row.nw
expect 1 "$lvl" convert beyond.nw -o beyond.graal
grep -q "beyond the board's edge" err || fail "a conversion dropped tiles beyond the board"
# a gani without its end: repair adds that line and keeps all others, those too that mean nothing
gani=$samples/graal/ganis/hero_idle.gani
{ grep -v '^ANIEND' "$gani"; printf 'JUNK LINE\nSPRITE 300 HEAD 0 0 1 1 late\n'; } >unended.gani
sed '1a MOVIE' "$gani" >movie.gani
for file in unended.gani movie.gani; do
    expect 0 "$lvl" repair $file -o ended-$file
    [ "$(diff $file ended-$file | grep -c '^<')" = 0 ] || fail "repair dropped lines of $file"
    [ "$(diff $file ended-$file | grep -c '^>')" = 1 ] || fail "repair added more than the end to $file"
done
# a BOARD line with an impossible width that has the whole row: an error, which repair corrects exactly
row=$(printf '%0128d' 0 | tr 0 B)
end=$(printf '%064d' 0 | tr 0 B)
for count in 0 -64 4294967297 x; do
    printf 'GLEVNW01\nBOARD 0 0 64 0 %s\nBOARD 0 1 %s 0 %s\nBOARD 0 63 64 0 %s\n' "$row" $count "$row" "$row" >count.nw
    hidden graal.nw.row_hides count.nw 'layers[0].tiles[3,1]=5' "BOARD 0 1 64 0 BBBBBBAF"
    expect 0 "$lvl" repair -y count.nw -o repaired.nw
    sed "s/^BOARD 0 1 $count /BOARD 0 1 64 /" count.nw | cmp -s - repaired.nw || fail "width $count is not corrected"
done
# one that cannot be corrected is an error and is kept, where it is, by edits and by the repair of other rows
for line in "BOARD 64 1 64 0 $row" "BOARD 0 64 64 0 $row" "BOARD 0 -1 64 0 $row" "BOARD 0 1 64 9999999 $row" \
    "BOARD 0 1 0 0 BBBB" "BOARD 0 1 64 0" "// a comment"; do
    printf 'GLEVNW01\nBOARD 0 0 64 0 %s\n%s\nBOARD 0 2 64 0 %s\n' "$row" "$line" "$row" >line.nw
    case $line in
    BOARD*) hidden graal.nw.command line.nw 'layers[0].tiles[3,2]=5' "$line" ;;
    *) expect 0 "$lvl" set -y line.nw 'layers[0].tiles[3,2]=5' -o edited-line.nw ;;
    esac
    sed '4s/^\(BOARD 0 2 64 0 B\{6\}\)BB/\1AF/' line.nw | cmp -s - edited-line.nw || fail "an edit moved $line"
    sed 's/^BOARD 0 2 64/BOARD 0 2 63/' line.nw >line-63.nw
    "$lvl" repair -y line-63.nw -o repaired.nw >out 2>err
    grep -qxF -- "$line" repaired.nw || fail "repair of another row dropped $line"
done
# a blank inside of the tiles: they are all there, and repair removes it
printf 'GLEVNW01\nBOARD 0 0 64 0 %s %s\n// end\n' "$end" "$end" >blank.nw
hidden graal.nw.row blank.nw 'layers[0].tiles[3,0]=5' "BOARD 0 0 64 0 BBBBBBAF"
expect 0 "$lvl" repair -y blank.nw -o repaired.nw
printf 'GLEVNW01\nBOARD 0 0 64 0 %s\n// end\n' "$row" | cmp -s - repaired.nw || fail "repair did not remove the blank"
# where the width does not fit then, and where words follow the tiles: the line is kept, or its edit is refused
for line in "BOARD 0 0 63 0 $end $end" "BOARD 0 0 64 0 $row words"; do
    printf 'GLEVNW01\n%s\nBOARD 0 1 64 0 %s\n' "$line" "$row" >words.nw
    hidden graal.nw.row_beyond words.nw 'layers[0].tiles[3,1]=5' "$line"
    expect 1 "$lvl" set words.nw 'layers[0].tiles[3,0]=5' -o edited-row.nw
    expect 1 "$lvl" repair -y words.nw -o repaired.nw
    cmp -s words.nw repaired.nw || fail "repair changed the line with further words"
done
# a drawing whose document ends in its middle
sketchy=$samples/sketchy
sed 's/,"palette":/}{"palette":/' "$sketchy/hill-v1.level" >early.level
hidden sketchy.json.broken early.level 'title=another' '"palette":'
expect 0 "$lvl" repair early.level -o repaired.level
expect 0 "$lvl" check --no-art repaired.level
cmp -s repaired.level "$sketchy/hill-v1.level" || fail "repair did not bring back what followed the end"

finish
