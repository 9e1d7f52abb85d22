#!/bin/sh
# Damaged members of archives: every verb that reads one names it and what is missing, uses what can be read, ends with code 1, and
# continues with the other members; no edit replaces a damaged member by the part of it that was read.
. "$(dirname "$0")/support/shell.sh"
pack=$samples/sketchy/walk.levelpack rez=$samples/wwd/SAMPLES.REZ
# says TEXT: the last command printed it as an error
says() {
    grep -qF -- "$1" err || { fail "expected the message: $1"; head -n 5 err; }
}
# patch FILE OFFSET BYTES TO: a copy of FILE in which BYTES (as for printf) stand at OFFSET
patch() {
    n=$(printf "$3" | wc -c)
    { head -c "$2" "$1" && printf "$3" && tail -c "+$(($2 + n + 1))" "$1"; } >"$4"
}
# offset FILE TEXT: where the first part whose explanation has TEXT begins
offset() {
    echo $(($("$lvl" explain --all "$1" | awk -v text="$2" 'index($0, text) { print $1; exit }')))
}

# a broken stream in a pack, a wrong checksum, and a pack that ends in a member
stream=$(offset "$pack" 'packed member "levels/hill.level"') second=$(offset "$pack" 'packed member "levels/rings.level"')
sum=$(offset "$pack" 'size and checksum of a member "levels/hill.level"')
patch "$pack" $((stream + 900)) '\377\377\377\377\377\377\377\377' stream.levelpack
head -c $((second + 700)) "$pack" >cut.levelpack
# the checksum stands after the data and in the directory
directory=$(offset "$pack" 'directory of the zip')
patch "$pack" $((sum + 4)) '\001\002\003\004' half.levelpack
patch half.levelpack $((directory + 16)) '\001\002\003\004' sum.levelpack
"$lvl" extract "$pack" -o whole -q

for kind in stream sum cut; do
    member=levels/hill.level other=levels/rings.level
    [ $kind != cut ] || { member=levels/rings.level && other=levels/hill.level; }
    # extract: what could be read is written, and so are the other members
    expect 1 "$lvl" extract $kind.levelpack -o $kind
    says "lvl.member.damaged: \"$member\""
    [ -s $kind/$member ] || fail "$kind: nothing of $member was written"
    [ $kind = sum ] || ! cmp -s $kind/$member whole/$member || fail "$kind: $member is whole"
    cmp -s $kind/$other whole/$other || fail "$kind: $other was not written"
    # one member: its own state counts
    expect 0 "$lvl" extract $kind.levelpack $other -o one-$kind
    expect 1 "$lvl" extract $kind.levelpack $member -o one-$kind
    says "lvl.member.damaged: \"$member\""
    expect 1 "$lvl" extract $kind.levelpack $member -o -
    cmp -s out $kind/$member || fail "$kind: standard output has other bytes of $member"
    # every verb that reads a member
    for verb in info dump get explain render convert; do
        case $verb in
        get) set -- title ;;
        render) set -- -o $kind.png ;;
        convert) set -- --to v3 --allow-loss -o $kind.level ;;
        *) set -- ;;
        esac
        expect 1 "$lvl" $verb "$kind.levelpack//$member" "$@"
        says "lvl.member.damaged: \"$member\""
    done
    expect 1 "$lvl" diff "$kind.levelpack//$member" whole/$member
    says "lvl.member.damaged: \"$member\""
    expect 1 "$lvl" check "$kind.levelpack//$member"
    grep -qF "lvl.member.damaged: \"$member\"" out || fail "$kind: check does not name $member"
    grep -qF "$member: damaged" out || fail "$kind: check calls $member sound"
    expect 1 "$lvl" check --json "$kind.levelpack//$member"
    grep -qF '"lvl.member.damaged"' out || fail "$kind: no finding in the JSON of check"
    # findings of the pack name the member that they are about
    expect 1 "$lvl" check --json "$kind.levelpack"
    out_has '"member":"'"$member"'"'
    expect 1 "$lvl" check "$kind.levelpack"
    out_has "\"$member\""
    expect 1 "$lvl" render $kind.levelpack -o pictures-$kind
    says "lvl.member.damaged: \"$member\""
    [ -s pictures-$kind/${other%.level}.png ] || fail "$kind: $other was not drawn"
    # edits in place, and in a copy of the pack, would lose what could not be read
    cp $kind.levelpack edited.levelpack
    for change in 'set TITLE title=x' 'convert TITLE --to v3 --allow-loss' 'resize TITLE --size 500x500'; do
        set -- $change
        verb=$1
        shift 2
        expect 1 "$lvl" "$verb" "edited.levelpack//$member" "$@" -i
        says "not changed: what could not be read of it would be lost"
        cmp -s $kind.levelpack edited.levelpack || fail "$kind: $verb replaced $member by a part of it"
        expect 1 "$lvl" "$verb" "edited.levelpack//$member" "$@" -o copy.levelpack
        [ ! -e copy.levelpack ] || { fail "$kind: $verb made a copy without the rest of $member" && rm copy.levelpack; }
    done
    # nor does an edit of another file take the part of it that could be read
    cp whole/$member good.level
    expect 1 "$lvl" merge "$pack//$member" good.level "$kind.levelpack//$member" -i
    says "not changed: what could not be read of $kind.levelpack//$member would be lost"
    cmp -s whole/$member good.level || fail "$kind: merge -i changed the sound file"
    expect 1 "$lvl" copy "$kind.levelpack//$member" layers good.level -i
    says "not changed: what could not be read of $kind.levelpack//$member would be lost"
    cmp -s whole/$member good.level || fail "$kind: copy -i changed the sound file"
    # to another file, the part that could be read is edited
    for edit in 'set TITLE title=x' 'pack --set title=x TITLE'; do
        set -- $(echo "$edit" | sed "s,TITLE,$kind.levelpack//$member,")
        expect 1 "$lvl" "$@" -o edited-$kind.level -y
        says "lvl.member.damaged: \"$member\""
        [ "$("$lvl" get edited-$kind.level title)" = x ] || fail "$kind: $1 did not write the edited part"
        rm -f edited-$kind.level
    done
    expect 1 "$lvl" set "$kind.levelpack//levels" -e title=x -o edited-$kind
    [ "$("$lvl" get edited-$kind/${member##*/} title)" = x ] || fail "$kind: set of several files did not write $member"
    expect 1 "$lvl" set "$kind.levelpack//levels" -e title=x --dry-run
    grep -qF "+++ $kind.levelpack//$member" out || fail "$kind: set --dry-run does not show the change of $member"
    # what was extracted, put back, changes nothing; another file replaces the damaged member
    expect 0 "$lvl" pack $kind $kind.levelpack -o edited.levelpack -y
    [ $kind = cut ] || cmp -s $kind.levelpack edited.levelpack || fail "$kind: what was extracted and put back changed the pack"
    expect 0 "$lvl" pack whole $kind.levelpack -o edited.levelpack -y
    expect $([ $kind = sum ] && echo 1 || echo 0) "$lvl" extract edited.levelpack $member -o -
    cmp -s out whole/$member || fail "$kind: a whole file did not replace $member"
    # repair makes the member from what can be read of it
    expect 0 "$lvl" repair $kind.levelpack -o repaired-$kind.levelpack
    expect 0 "$lvl" extract repaired-$kind.levelpack $member -o one-$kind -y
    [ $kind = sum ] || {
        cp $kind.levelpack edited.levelpack
        expect 0 "$lvl" repair "edited.levelpack//$member" -i
        grep -qF "edited.levelpack//$member: \"$member\": " out || fail "$kind: repair does not say what it kept of $member"
        expect 0 "$lvl" extract edited.levelpack $member -o one-$kind -y
        cp $kind.levelpack edited.levelpack
        expect 0 "$lvl" repair "edited.levelpack//levels" -i
        says "lvl: 1 file repaired, "
        expect 0 "$lvl" extract edited.levelpack $member -o one-$kind -y
    }
done
# a member in a damaged member
expect 1 "$lvl" info "stream.levelpack//levels/hill.level//assets/screenshots/large.png"
says "is damaged in its archive"

# two members of the same name, both doodads
mkdir twice && cp -R whole/. twice && cp twice/doodads/lantern.doodad twice/doodads/lanterm.doodad
expect 0 "$lvl" pack twice -o two.levelpack
sed s/lanterm/lantern/g two.levelpack >twice.levelpack
expect 1 "$lvl" check --no-art twice.levelpack
grep -qF 'a second member "doodads/lantern.doodad"' out || fail "check does not name the second member"
expect 1 "$lvl" check --no-art --json twice.levelpack
out_has '"member":"doodads/lantern.doodad"'

# ---- a level that is whole, but with which the game goes wrong, is packed like a sound one, and named in the pack
expect 1 "$lvl" check --no-art "$samples/sketchy/damaged/no-color.level"
out_has 'no-color.level: faulty'
mkdir -p faulty/levels && cp whole/index.json faulty && cp "$samples/sketchy/damaged/no-color.level" whole/levels/rings.level faulty/levels
expect 0 "$lvl" pack faulty -o faulty.levelpack
same_as() { "$lvl" extract faulty.levelpack "$1" -o - | cmp -s - "faulty/$1" || fail "pack changed $1"; }
same_as levels/no-color.level
same_as levels/rings.level
expect 1 "$lvl" check --no-art --json faulty.levelpack
out_has '"member":"levels/no-color.level"'
# and from a pack with such a level: another member can be set, merged and converted, and the level stays as it is
expect 0 "$lvl" set faulty.levelpack//levels/rings.level title=Other -i
same_as levels/no-color.level
expect 0 "$lvl" set "$samples/sketchy/damaged/no-color.level" title=Other -o other.level
expect 0 "$lvl" merge "$samples/sketchy/damaged/no-color.level" "$samples/sketchy/damaged/no-color.level" other.level -o merged.level
same other.level merged.level 'a merge of a faulty level'
expect 0 "$lvl" convert "$samples/sketchy/damaged/no-color.level" --to v3.1 -o converted.level

# a REZ with entries that reach beyond its end, partly and as a whole
expect 0 "$lvl" extract "$rez" -o archive -q
size=$(offset "$rez" '.entries[1].entries[0].entries[1].size')
patch "$rez" "$size" '\377\377\377\000' beyond.rez
patch beyond.rez $((size - 37)) '\377\377\377\177' none.rez
long=CLAW/IMAGES/APPRENTICE/002.PID lost=CLAW/IMAGES/APPRENTICE/001.PID
expect 1 "$lvl" extract beyond.rez -o beyond
says "lvl.member.damaged: \"$long\": only"
[ -s beyond/$long ] || fail "nothing of $long was written"
[ "$(find beyond -type f | wc -l)" = "$(find archive -type f | wc -l)" ] || fail "not every other member was written"
expect 1 "$lvl" extract none.rez -o none
says "lvl.member.damaged: \"$lost\": nothing of it could be read"
[ ! -e none/$lost ] || fail "a file was written for a member of which nothing could be read"
expect 0 "$lvl" extract none.rez CLAW/ANIS/APPRENTICE.ANI -o none-one
expect 1 "$lvl" convert "beyond.rez//$long" -o long.png
says "lvl.member.damaged: \"$long\""
expect 1 "$lvl" dump "none.rez//$lost"
says "lvl.member.damaged: \"$lost\""
# a damaged member of an unknown format, found and named
mkdir folder && echo 'a note' >folder/NOTE.TXT
expect 0 "$lvl" pack folder -o foreign.rez
patch foreign.rez "$(offset foreign.rez 'entries[0].size')" '\377\377\377\000' note.rez
expect 1 "$lvl" check note.rez//
says "lvl.member.damaged: \"NOTE.TXT\": only"
expect 4 "$lvl" check note.rez//NOTE.TXT
says "lvl.member.damaged: \"NOTE.TXT\": only"
expect 4 "$lvl" check --json note.rez//NOTE.TXT
grep -qF '"lvl.member.damaged"' out || fail "no finding in the JSON of a foreign member"
# --delete keeps what extract could not write
rm none/$long
expect 0 "$lvl" pack none none.rez -o deleted.rez --delete
"$lvl" extract deleted.rez --list >list 2>err
grep -qF "$lost" list || fail "--delete removed $lost, which extract could not write"
! grep -qF "$long" list || fail "--delete kept $long"

# Transferred as text: named, shown like the file itself, and restored byte for byte, of every family; a PID, which nothing
# else identifies, if its format is named.
for file in wwd/cliffs.wwd graal/versions/gr-v1.03.graal sketchy/hill-v4.level sketchy/walk.levelpack wwd/art/hermit.pid; do
    name=sent-${file##*/} as=
    perl -pe 's/\n/\r\n/' "$samples/$file" >"$name"
    ! cmp -s "$samples/$file" "$name" || fail "$file has no line feed"
    case $file in *.pid) expect 4 "$lvl" check "$name" && says "--as pid may read it" && as="--as pid" ;; esac
    expect 1 "$lvl" check $as "$name"
    grep -q lvl.file.transferred out || fail "$name: the transfer was not found"
    expect 0 "$lvl" diff $as "$samples/$file" "$name"
    expect 0 "$lvl" repair $as "$name" -o "whole-$name"
    cmp "$samples/$file" "whole-$name" || fail "$file was not restored"
    [ -n "$as" ] || "$lvl" dump "$name" | "$lvl" undump - -o - | cmp - "$name" || fail "a dump of $name gives other bytes"
done
"$lvl" dump sent-cliffs.wwd | sed 's/"transfer":"text"/"transfer":"mail"/' >mail.json
expect 1 "$lvl" undump mail.json -o mail.wwd
says 'expected "text" as "transfer"'
# An edit keeps the transfer, which is no error that the edit made.
expect 0 "$lvl" set sent-cliffs.wwd author=me -o sent-edited.wwd
! grep 'new error' err || fail "an edit of a transferred file"
expect 0 "$lvl" repair sent-edited.wwd -o whole-edited.wwd
expect 0 "$lvl" set "$samples/wwd/cliffs.wwd" author=me -o edited.wwd
cmp edited.wwd whole-edited.wwd || fail "an edit of a transferred file, repaired"

# A wrong byte of the signature: known by the name or by --as, reported, kept by an edit, corrected by repair.
sed '1s/GLEVNW01/GLEVNW0!/' "$samples/graal/lakeside/lake_village.nw" >header.nw
cp header.nw header.txt
for as in '' '--as nw'; do
    name=header.${as:+txt}
    [ -n "$as" ] || name=header.nw
    expect 1 "$lvl" check $as "$name"
    grep -q 'error: lvl.file.header: the header is damaged: expected GLEVNW01, found GLEVNW0!' out || fail "$name: the header"
    expect 0 "$lvl" set $as "$name" 'npcs[0].x=5' -o "edited-$name"
    ! grep 'new error' err || fail "an edit of a file with a damaged header"
    head -1 "edited-$name" | grep -q 'GLEVNW0!' || fail "an edit corrected the header"
    expect 0 "$lvl" repair $as "$name" -o "whole-$name"
    cmp "$samples/graal/lakeside/lake_village.nw" "whole-$name" || fail "the header of $name was not restored"
done
expect 4 "$lvl" check header.txt
# A drawing in JSON with one is no dump.
sed '1s/^{"version"/{!version"/' "$samples/sketchy/hill-v1.level" >header.level
expect 0 "$lvl" convert header.level --to v3.1 -o header-v3.level
expect 0 "$lvl" convert "$samples/sketchy/hill-v1.level" --to v3.1 -o plain-v3.level
cmp plain-v3.level header-v3.level || fail "a drawing with a damaged header was converted to another one"

# What a level that is cut off lacks is lost in no file that is changed in place: neither in one that gets its items, nor in its own,
# which would look whole after an edit. Where the cut stays visible, an edit is written.
head -c -800 "$samples/sketchy/hill-v1.level" >json.level
head -c -700 "$samples/sketchy/hill-v4.level" >zip.level
head -c -700 "$samples/sketchy/hill-v2.level" >gzip.level
for kind in json zip gzip; do
    for verb in set copy resize; do
        cp $kind.level cut.level
        cp "$samples/sketchy/hill-v4.level" sound.level
        case $verb in
        set) expect 1 "$lvl" set cut.level title=x -i ;;
        copy) expect 1 "$lvl" copy cut.level actors sound.level -i ;;
        resize) expect 1 "$lvl" resize cut.level --size 2000x2000 -i ;;
        esac
        says 'cut off or damaged'
        cmp $kind.level cut.level && cmp "$samples/sketchy/hill-v4.level" sound.level || fail "$kind: $verb -i lost content"
    done
    expect 0 "$lvl" set $kind.level title=x -y -o edited.level
    expect 0 "$lvl" copy $kind.level actors "$samples/sketchy/hill-v4.level" -y -o copied.level
done
head -c -2000 "$samples/wwd/cliffs.wwd" >cut.wwd
expect 0 "$lvl" set cut.wwd author=me -i
"$lvl" check cut.wwd | grep -q wwd.stream.truncated || fail "the edited file is no longer damaged"

# convert -i, and Tiled, which saves a map in the place of the level that it was made of.
cp zip.level cut.level
expect 1 "$lvl" convert cut.level --chunk-size 32 -i
says 'cut off or damaged'
expect 0 "$lvl" convert cut.level -o cut.tmx
expect 0 "$lvl" convert cut.tmx -o cut.level -y
sed 's/name="title" value="[^"]*"/name="title" value="Edited"/' cut.tmx >edited.tmx
expect 1 "$lvl" convert edited.tmx -o cut.level -y
says 'edited.tmx: not saved: the level is cut off or damaged'
cmp zip.level cut.level || fail "convert -i and a map hid a cut"
expect 0 "$lvl" convert edited.tmx -o saved.level
says 'the level that the map was made of is cut off or damaged; this one has what could be read of it'

# A pack that is cut off lacks its index: an edit of a member would write an empty one. The same for archives of
# the games, whose directory stands at their end.
head -c -1200 "$samples/sketchy/walk.levelpack" >cut.levelpack
head -c -900 "$samples/wwd/SAMPLES.REZ" >cut.rez
mkdir -p added/levels && cp "$samples/sketchy/hill-v1.level" added/levels
for verb in set convert repair pack; do
    cp cut.levelpack pack.levelpack
    cp cut.rez pack.rez
    case $verb in
    set) expect 1 "$lvl" set pack.levelpack//levels/hill.level title=x -i ;;
    convert) expect 1 "$lvl" convert pack.levelpack//levels --to v3.1 -i ;;
    repair) expect 0 "$lvl" repair pack.levelpack//levels -i ;;
    pack)
        expect 1 "$lvl" pack added pack.rez -i
        says 'pack.rez: not changed: it is cut off or damaged'
        expect 1 "$lvl" pack added pack.levelpack -i
        ! grep 'file added' err || fail "pack: a file added that was not"
        ;;
    esac
    [ $verb = repair ] || says 'pack.levelpack: not changed: it is cut off or damaged'
    cmp cut.levelpack pack.levelpack && cmp cut.rez pack.rez || fail "$verb -i hid that a pack is cut off"
done
expect 0 "$lvl" set cut.levelpack//levels/hill.level title=x -o copied.levelpack
says 'cut.levelpack: was cut off or damaged; what could be read of it is written'
expect 0 "$lvl" repair pack.levelpack -i
expect 0 "$lvl" set pack.levelpack//levels/hill.level title=x -i

# What a side of a merge lacks because it is cut off was not removed.
for sound in art/gull.ani art/hermit.pid art/cave.pcx SAMPLES.REZ; do
    size=$(wc -c <"$samples/wwd/$sound")
    head -c $((size > 5000 ? size - 800 : size * 6 / 10)) "$samples/wwd/$sound" >"side.${sound##*.}"
    for sides in "$samples/wwd/$sound side.${sound##*.}" "side.${sound##*.} $samples/wwd/$sound"; do
        # shellcheck disable=SC2086 # two names
        expect 1 "$lvl" merge "$samples/wwd/$sound" $sides -y -o merged
        says 'damaged'
        cmp merged "$samples/wwd/$sound" || fail "$sound: the cut side won"
    done
done

# -n refuses what -i refuses, of a single file, of a member and of a folder of members.
head -c 6500 "$pack" >dry.levelpack
head -c 3000 "$samples/sketchy/hill-v1.level" >dry.level
cp dry.levelpack was.levelpack
for target in dry.level dry.levelpack//levels/hill.level dry.levelpack//levels; do
    for change in 'set TARGET -e title=x' 'resize TARGET --size 500x500'; do
        set -- $change
        verb=$1
        shift 2
        for how in -i -n; do
            expect 1 "$lvl" "$verb" "$target" "$@" $how
            says 'not changed: it is cut off or damaged, and the edited file would look whole'
        done
    done
done
expect 1 "$lvl" set dry.levelpack//levels -e title=x -n
says '2 files: 0 would change, 2 not saved'
expect 0 "$lvl" set "$pack//levels" -e title=x -n
says '2 files: 2 would change'
expect 0 "$lvl" copy "$samples/sketchy/hill-v4.level" 'actors[0]' "$pack//levels" -n
says '2 files: 2 would change'
expect 0 "$lvl" set dry.level title=x -n -o whole.level
cmp dry.levelpack was.levelpack || fail "-n changed a pack"

# What a repair leaves is in its JSON, too.
expect 1 "$lvl" repair "$samples/wwd/damaged/mask.wwd" --json -n
grep -q '"changes":\[\],.*"verdict":"faulty","findings":\[{"id":"wwd.tile_properties.mask","severity":"error"' out ||
    fail "an error that a repair leaves is not in its JSON"
expect 0 "$lvl" repair "$samples/graal/damaged" -n
says 'lvl: 6 files would be repaired, 4 need no repair, 0 failed'

# Nor did a side paint what is there because a block of its pixels is in the file twice.
pid=$samples/wwd/art/hermit.pid
{ head -c 600 "$pid" && tail -c +400 "$pid"; } >doubled.pid
expect 0 "$lvl" set "$pid" offset_x=7 -o edited.pid
expect 1 "$lvl" merge "$pid" edited.pid doubled.pid -y -o merged
cmp merged edited.pid || fail "a merge took broken pixels"

# A dump of a level with a chunk or an attached file of which nothing can be read gives the same bytes, edited or
# not; so does one of a zip whose member has a broken stream, and zeros for its checksum and size.
level=$samples/sketchy/hill-v4.level
for member in chunks/0/-1,-1.bin assets/doodads/lantern.doodad; do
    patch "$level" "$(offset "$level" "packed member \"$member\"")" '\377\377\377\377\377\377' broken.level
    expect 1 "$lvl" check broken.level
    expect 0 "$lvl" dump broken.level -o broken.json -y
    expect 0 "$lvl" undump broken.json -o again.level -y
    cmp broken.level again.level || fail "a dump with a broken $member"
    sed 's/The hill by the pond/A hill/' broken.json >edited.json
    expect 0 "$lvl" undump edited.json -o again.level -y
    "$lvl" diff broken.level again.level 2>err | grep -q '^title: ' || fail "an edited dump with a broken $member"
done
# after its data and in the directory
after=$(offset broken.level 'size and checksum of a member "assets/doodads/lantern.doodad"')
entry=$(($(grep -abo assets/doodads/lantern.doodad broken.level | tail -n 1 | cut -d: -f1) - 46))
cp broken.level zeros.level
for at in $((after + 4)) $((after + 12)) $((entry + 16)) $((entry + 24)); do
    patch zeros.level $at '\0\0\0\0' next.level && mv next.level zeros.level
done
expect 1 "$lvl" check --roundtrip zeros.level
grep -q 'round-trips byte for byte' out || { fail "a member with zeros for its checksum and size"; cat out; }

# A text level whose first line is lost, or of which only a part is left: read with --as, kept by reading, written by repair.
mill=$samples/graal/lakeside/lake_mill.nw
sed 1d "$mill" >lost.nw
{ echo && cat "$mill"; } >below.nw
sed '1s/.*/  glevnw01/' "$mill" >small.nw
sed '1s/.*/VNW01/' "$mill" >rest.nw
for name in lost below small rest; do
    expect 4 "$lvl" check $name.nw
    expect 1 "$lvl" check --as nw --roundtrip $name.nw
    grep -q 'error: graal.nw.header: the first line is not GLEVNW01: no game loads the file' out || fail "$name.nw: the header"
    expect 0 "$lvl" get --as nw $name.nw 'links[0].level'
    expect 0 "$lvl" repair --as nw $name.nw -o whole.nw -y
    cmp whole.nw "$mill" || fail "$name.nw, repaired"
done
echo 'no level' >none.nw
expect 1 "$lvl" check --as nw none.nw
grep -q 'none.nw: unreadable' out || fail "no command that is known"
# What a file hides is an error: lines that end in CR alone, and a level after another one, whose tiles are drawn.
tr '\n' '\r' <"$mill" >old-mac.nw
expect 1 "$lvl" check old-mac.nw
grep -q 'error: graal.nw.cr_lines' out || fail "lines that end in CR"
cat "$mill" "$samples/graal/lakeside/lake_woods.nw" >two.nw
expect 1 "$lvl" check two.nw
grep -q 'error: graal.nw.joined' out || fail "two levels in one file"
expect 0 "$lvl" set "$mill" 'signs[0].text=GLEVNW01' -o word.nw
expect 0 "$lvl" check word.nw
# Tiles with bits that no editor writes (here unused ones of the first run's head): an edit of another part keeps them, one of
# the tiles would write them again and is refused.
level=$samples/graal/versions/gr-v1.03.graal
head=17
patch "$level" $head "\\$(printf %o $(($(od -An -tu1 -j$head -N1 "$level") | 4)))" odd.graal
expect 0 "$lvl" check odd.graal
grep -q 'warning: graal.packets.odd: unused bits are set' out || fail "unused bits of a run"
expect 0 "$lvl" set odd.graal 'npcs[0].x=3' -o moved.graal
cmp -n 100 odd.graal moved.graal || fail "an edit of an NPC wrote the tiles again"
expect 1 "$lvl" set odd.graal 'layers[0].tiles[5,5]=7' -o painted.graal
says 'would be lost (unused bits are set'
expect 0 "$lvl" set odd.graal --unset file -o usual.graal
cmp usual.graal "$level" || fail "--unset file does not write the usual tiles"

# A binary level that is cut off in its last sign or its heights: what it lacks is no deletion in a merge, and an edit keeps
# the cut visible.
for name in gr-v1.03 gr-v1.04; do
    level=$samples/graal/versions/$name.graal
    if [ $name = gr-v1.03 ]; then size=$(($(wc -c <"$level") - 5)); else size=$(($(wc -c <"$level") * 19 / 20)); fi
    head -c $size "$level" >end.graal
    expect 0 "$lvl" set "$level" 'links[0].x=45' -o mine.graal -y
    expect 1 "$lvl" merge "$level" mine.graal end.graal -o merged.graal -y
    says 'lvl.merge.conflict: theirs is damaged'
    cmp mine.graal merged.graal || fail "$name: a merge took what a cut level lacks for a deletion"
    for edit in 'npcs[0].x=3' 'signs[0].x=1' 'signs[-1].text=x' 'signs[+]={"x":3,"y":4,"text":"new"}'; do
        cp end.graal edited.graal
        expect 0 "$lvl" set edited.graal "$edit" -i
        expect 1 "$lvl" merge "$level" mine.graal edited.graal -o merged.graal -y
        says 'lvl.merge.conflict: theirs is damaged'
    done
done

# OURS is damaged where THEIRS changed nothing: what it lacks is a conflict, and --theirs takes the sound part.
level=$samples/sketchy/hill-v4.level
for member in chunks/0/-1,-1.bin assets/doodads/lantern.doodad; do
    patch "$level" $(($(offset "$level" "packed member \"$member\"") + 9)) '\377\377\377\377\377\377' ours.level
    expect 0 "$lvl" set "$level" title=theirs -o theirs.level -y
    expect 1 "$lvl" merge "$level" ours.level theirs.level -o merged.level -y
    says 'lvl.merge.conflict: '
    says ': ours cannot be decoded, or only in part, and base and theirs can'
    expect 1 "$lvl" merge "$level" ours.level theirs.level -o merged.level --theirs -y
    expect 0 "$lvl" diff theirs.level merged.level
    expect 0 "$lvl" check merged.level --no-art
done
small=$samples/small/small.wwd
expect 0 "$lvl" set "$small" author=theirs -o theirs.wwd
patch "$small" 2098 "$(printf '\\0%.0s' 1 2 3 4 5 6 7 8)" lying.wwd
expect 1 "$lvl" check lying.wwd
grep -q wwd.tile_properties.type out || fail "no tile property of an unknown kind"
expect 1 "$lvl" merge "$small" theirs.wwd lying.wwd -o merged.wwd
cmp theirs.wwd merged.wwd || fail "a merge took tile properties that cannot be read for removed ones"
# An archive whose directories moved lacks bytes, or has them twice.
{ head -c 400000 "$rez" && tail -c +400500 "$rez"; } >moved.rez
expect 0 "$lvl" set "$rez" title=mine -o mine.rez
expect 1 "$lvl" merge "$rez" mine.rez moved.rez -o merged.rez
cmp mine.rez merged.rez || fail "a merge took payloads of an archive that lacks bytes"

# All verbs say so, and repair ends the sign without a change of another byte.
for name in gr-v1.03 gr-v1.02; do
    level=$samples/graal/versions/$name.graal
    head -c $(($(wc -c <"$level") - 1)) "$level" >end.graal
    expect 1 "$lvl" check end.graal --no-art
    grep -q 'error: graal.sign.cut: the last sign has no line end: it may be cut' out || fail "$name: check does not name a cut sign"
    expect 0 "$lvl" scan end.graal -o "end-$name.db"
    expect 0 "$lvl" find --in "end-$name.db" --finding graal.sign.cut
    expect 0 "$lvl" repair end.graal -o repaired.graal -y
    grep -q 'signs: the last sign has no line end.*: ends it' out || fail "$name: repair does not say what it did"
    cmp "$level" repaired.graal || fail "$name: repair of a sign without a line end changed more"
    expect 0 "$lvl" check repaired.graal --no-art --profile strict
done

# One that lacks only the last line end, after the heights, is whole.
level=$samples/graal/versions/gr-v1.04.graal
head -c $(($(wc -c <"$level") - 1)) "$level" >end.graal
expect 0 "$lvl" set "$level" 'links[0].x=45' -o mine.graal -y
expect 0 "$lvl" merge "$level" mine.graal end.graal -o merged.graal -y
cmp mine.graal merged.graal || fail "a level without its last line end changed a merge"
expect 0 "$lvl" set end.graal 'heights[0]=3' -i
expect 0 "$lvl" get end.graal 'heights[0]'
is out 3 'an edit of the heights of a level without its last line end'

# Notes that begin with the word are no level; a level with more in its first line is one under any name.
printf 'GLEVNW01 notes\nHow levels are written.\n' >notes.txt
expect 4 "$lvl" check notes.txt
grep -q 'newer version' err && fail "notes are no newer version"
cp notes.txt notes.nw
expect 0 "$lvl" check notes.nw
sed '1s/$/ old/' "$mill" >old.txt
expect 0 "$lvl" get old.txt 'links[0].level'

finish
