#!/bin/sh
# `lvl repair`: sound files stay as they are, what is only odd needs --normalize, and what survived is counted.
. "$(dirname "$0")/support/shell.sh"

# ---- a sound file is copied to -o as it is, and -i does not write it; --normalize is offered, and changes it
cp "$samples/wwd/damaged/checksum.wwd" odd.wwd
expect 0 "$lvl" repair odd.wwd -o copy.wwd
same odd.wwd copy.wwd 'a sound file was changed on its way to -o'
out_has 'odd.wwd: nothing to repair'
out_has 'odd.wwd: --normalize would also change wwd.checksum.mismatch'
touch -d 2001-02-03 odd.wwd
expect 0 "$lvl" repair -i odd.wwd
[ -n "$(find odd.wwd ! -newermt 2001-02-04)" ] || fail "-i wrote a sound file"
expect 0 "$lvl" repair --normalize odd.wwd -o normal.wwd
out_has 'checksum: found 0x'
expect 0 "$lvl" check -v normal.wwd
! grep -q checksum.mismatch out || fail "--normalize left the checksum"

# drawings: swatches that are there twice, a link to an actor that is missing: sound, and left alone
"$lvl" get -q --json "$samples/sketchy/hill-v3.1.level" 'swatches[0]' | sed 's/.*"value"://; s/}}$/}/' >swatch
expect 0 "$lvl" set "$samples/sketchy/hill-v3.1.level" "swatches[+]=$(cat swatch)" -o double.level
expect 0 "$lvl" repair double.level -o double2.level
same double.level double2.level 'swatches were merged'
expect 0 "$lvl" repair --normalize double.level -n
out_has 'merged with number 0'
expect 0 "$lvl" set "$samples/sketchy/hill-v3.1.level" 'actors[0].links[+]=nobody' -o linked.level
expect 0 "$lvl" check linked.level
out_has 'warning: sketchy.actor.link_to_nothing'
expect 0 "$lvl" repair linked.level -o linked2.level
same linked.level linked2.level 'a link was removed'
expect 0 "$lvl" repair --normalize linked.level -o linked3.level
out_has 'link to nobody removed'
# in a damaged file, too, only the damage is repaired
printf 'GLEVNW01\nCHEST 3x 4 bow -1\nNPC - 1 1\nmessage hi;\n' >numbers.nw
expect 0 "$lvl" repair numbers.nw -o numbers2.nw
grep -q '3x 4' numbers2.nw || fail "a number that is only odd was changed: $(cat numbers2.nw)"
grep -q NPCEND numbers2.nw || fail "the damage was not repaired"
expect 0 "$lvl" repair --normalize numbers.nw -o numbers3.nw
grep -q 'CHEST 3 4 bow' numbers3.nw || fail "--normalize left a number: $(cat numbers3.nw)"

# ---- an error of the game by which nothing is lost is repaired, and named
expect 1 "$lvl" check "$samples/wwd/damaged/properties.wwd"
out_has ': faulty, 1 error'
expect 0 "$lvl" repair "$samples/wwd/damaged/properties.wwd" -o properties.wwd
out_has 'tile properties added, single and clear'
expect 0 "$lvl" check properties.wwd

# ---- what survived
expect 0 "$lvl" repair "$samples/wwd/damaged/truncated.wwd" -o truncated.wwd
out_has 'the repaired file has: planes 6, objects 45'
expect 0 "$lvl" repair --json "$samples/wwd/damaged/truncated.wwd" -n
out_has '"objects":{"before":45,"after":45}'

# ---- many changes of one kind are a few lines
{
    echo GLEVNW01
    for i in 1 2 3 4 5 6 7 8 9; do printf 'NPC - %s 1\nmessage %s;\n' $i $i; done
} >many.nw
expect 0 "$lvl" repair many.nw -n
[ "$(wc -l <out)" -le 7 ] || fail "not collapsed: $(wc -l <out) lines"
out_has 'more of these; -v lists all'
expect 0 "$lvl" repair -v many.nw -n
[ "$(wc -l <out)" -ge 9 ] || fail "-v does not list all"

# ---- a level that an editor wrapped at 76 columns: its rows are joined, and nothing of it is lost
grep -a '^BOARD\|^GLEV' "$samples/graal/lakeside/lake_meadow.nw" >plain.nw
echo '// end' >>plain.nw
fold -w 76 plain.nw >wrapped.nw
expect 1 "$lvl" check --no-art wrapped.nw
expect 0 "$lvl" repair wrapped.nw -o joined.nw
out_has 'rows of the board that an editor wrapped were joined again'
same plain.nw joined.nw 'a wrapped level is not what it was'

# ---- a level of which a part is gone: how much of it
cp "$samples/sketchy/hill-v3.1.level" gone.level
dd if=/dev/zero of=gone.level bs=1 seek=846 count=3100 conv=notrunc 2>/dev/null
expect 1 "$lvl" check gone.level
out_has 'error: sketchy.zip.lost: 3 of the 8 members that the zip'
expect 0 "$lvl" repair gone.level -o gone2.level
out_has 'of the 8 members that the zip'
out_has 'can be read: leaves out what is gone'
! grep -q 'keeps what can be read' out || fail 'of what is gone, nothing is kept'
expect 0 "$lvl" check gone2.level

# ---- a name in the index of a pack that is wrong: it leaves, and the level that it named is listed again
expect 0 "$lvl" set "$samples/sketchy/walk.levelpack" 'levels[0].filename=nobody.level' -o index.levelpack
expect 1 "$lvl" check index.levelpack
out_has ': damaged, '
expect 0 "$lvl" repair index.levelpack -o index2.levelpack
out_has 'is missing: removed from the index'
out_has 'added to the index'

# ---- a repair that would drop lines that are not understood is refused, and lists no changes
printf 'GANI0001\nSPRITE 0 SPRITES 0 0 24 12 up\n\nANI\n0 12 6 0\n\nWAIT 3\n0 1' >odd.gani
expect 1 "$lvl" repair --normalize odd.gani -o odd2.gani
err_has 'odd.gani: cannot be repaired: data would be lost'
! grep -q 'adds the line' "$said/err" || fail 'a change that was not written is listed'
[ ! -e odd2.gani ] || fail "a refused repair wrote $(cat odd2.gani)"

# ---- what could not be saved is not listed as repaired
expect 3 "$lvl" repair "$samples/graal/damaged/unclosed-npc.nw" -o "$samples/graal/damaged/unclosed-npc.nw/below.nw"
! grep -q 'ends it\|the repaired file has' out || fail "changes of a file that was not saved: $(cat out)"
expect 3 "$lvl" repair --json "$samples/graal/damaged/unclosed-npc.nw" -o "$samples/graal/damaged/unclosed-npc.nw/below.nw"
[ ! -s out ] || fail "--json lists a file that was not saved"

# ---- --damaged takes only what is damaged
mkdir mixed
cp "$samples/wwd/cliffs.wwd" mixed/sound.wwd
cp "$samples/wwd/damaged/properties.wwd" mixed/faulty.wwd
cp "$samples/wwd/damaged/truncated.wwd" mixed/damaged.wwd
expect 0 "$lvl" repair --damaged mixed -o fixed
[ "$(ls fixed)" = damaged.wwd ] || fail "--damaged: $(ls fixed)"
expect 0 "$lvl" repair mixed -o all
[ "$(ls all | wc -l)" = 3 ] || fail "all are written without --damaged: $(ls all)"
same all/sound.wwd mixed/sound.wwd

# ---- a list with two files of one name keeps their folders
mkdir -p two/a two/b
cp "$samples/wwd/damaged/truncated.wwd" two/a/x.wwd
cp "$samples/wwd/damaged/offset.wwd" two/b/x.wwd
printf '%s\0' two/a/x.wwd ./two/b/x.wwd >list
expect 0 "$lvl" repair --from0 list -o listed
[ -s listed/two/a/x.wwd ] && [ -s listed/two/b/x.wwd ] || fail "folders of a list: $(find listed)"
printf '%s\0' two/a/x.wwd two/../two/b/x.wwd >list
expect 2 "$lvl" repair --from0 list -o listed2
expect 2 "$lvl" repair two/a/x.wwd two/b/x.wwd -o listed3

# ---- heights without an end: what follows them is no height, stays, and is read again
woods=$samples/graal/lakeside/lake_woods.nw
rows() { for row in 1 2 3 4 5 6 7 8 9; do printf '%s,1,2,3,4,5,6,7,8\n' $row; done; }
{ cat "$woods"; printf 'HEIGHTS\n'; rows; printf 'hello\nworld\n'; } >heights.nw
expect 0 "$lvl" repair heights.nw -o heights-fixed.nw
out_has 'heights.nw: added HEIGHTSEND before a line that is not of numbers'
{ cat "$woods"; printf 'HEIGHTS\n'; rows; printf 'HEIGHTSEND\nhello\nworld\n'; } >want
same heights-fixed.nw want
{ cat "$woods"; printf 'HEIGHTS\n1,2\nSIGN 3 4\nhello\nSIGNEND\n'; } >heights.nw
expect 0 "$lvl" repair heights.nw -o heights-fixed.nw -y
[ "$("$lvl" get heights-fixed.nw 'signs[*].text')" = "$("$lvl" get "$woods" 'signs[*].text'; echo hello)" ] || fail "a sign after heights is lost"
{ sed '/^HEIGHTSEND$/d' "$samples/graal/versions/gr-v1.04.graal"; printf 'hello\nworld\n'; } >heights.graal
expect 0 "$lvl" repair heights.graal -o heights-fixed.graal
out_has '12 bytes follow the last section: no game reads them: removed'
same heights-fixed.graal "$samples/graal/versions/gr-v1.04.graal"
finish
