#!/bin/sh
# What desktops read: the types of files by name and by content (shared-mime-info, asked through xdg-mime and gio), the desktop entry, and
# the thumbnailer, called as a file manager calls it, on every sample, damaged ones included.
. "$(dirname "$0")/support/shell.sh"
data=$(cd "$samples/.." && pwd)/data
PATH=$test_root/bin:$PATH
mkdir "$test_root/bin"
ln -s "$lvl" "$test_root/bin/lvl"

lvl formats --signatures mime >mime.xml
lvl formats --signatures magic >magic
cmp mime.xml "$data/lvl-mime.xml" || fail "data/lvl-mime.xml is not what the tables say; run scripts/docs"
cmp magic "$data/lvl.magic" || fail "data/lvl.magic is not what the tables say; run scripts/docs"

if command -v update-mime-database >/dev/null; then
    mkdir -p share/mime/packages
    cp mime.xml share/mime/packages/lvl.xml
    XDG_DATA_HOME=$PWD/share XDG_DATA_DIRS=/usr/share XDG_CURRENT_DESKTOP=GNOME # xdg-mime asks gio then, else file(1)
    export XDG_DATA_HOME XDG_DATA_DIRS XDG_CURRENT_DESKTOP
    update-mime-database share/mime 2>err || fail "update-mime-database: $(cat err)"
    while read -r name want; do
        # by its own name, by content alone, and with the name of something else
        cp "$samples/$name" "plain"
        for file in "$samples/$name" plain; do
            [ "$file" = plain ] && [ "${want#*!}" != "$want" ] && continue # only its name says it
            if command -v gio >/dev/null; then
                got=$(gio info -a standard::content-type "$file" | sed -n 's/.*content-type: //p')
                [ "$got" = "${want#!}" ] || fail "gio says $got of $name (as ${file##*/}), not ${want#!}"
            fi
            if command -v xdg-mime >/dev/null && command -v gio >/dev/null; then # it asks gio here
                got=$(xdg-mime query filetype "$file" 2>/dev/null)
                [ "$got" = "${want#!}" ] || fail "xdg-mime says $got of $name (as ${file##*/}), not ${want#!}"
            fi
        done
    done <<END
graal/versions/z3-v1.02.zelda application/x-graal-level
graal/versions/gr-v1.05.graal application/x-graal-level
graal/lakeside/lake_meadow.nw text/x-graal-level
graal/ganis/hero_walk.gani text/x-graal-animation
graal/ganis/hero_idle.gani !text/x-graal-animation
graal/lakeside/lakeside.gmap text/x-graal-map
sketchy/hill-v1.level application/x-sketchymaze-level
sketchy/hill-v2.level !application/x-sketchymaze-level
sketchy/hill-v4.level application/x-sketchymaze-level
sketchy/lantern.doodad application/x-sketchymaze-level
sketchy/walk.levelpack !application/x-sketchymaze-levelpack
wwd/cliffs.wwd application/x-wwd
wwd/SAMPLES.REZ application/x-rez
wwd/art/hermit.pid image/x-wap32-pid
wwd/art/gull.ani application/x-wap32-ani
END
fi
# file(1): each entry of data/lvl.magic has a sample in data/magic.tests, and file says what stands there; nothing below /usr is taken
# for ours, of which a part is looked at.
if command -v file >/dev/null; then
    cat "$data/magic.tests" >rows
    tab=$(printf '\t')
    while IFS=$tab read -r name want; do
        case $name in '#'*) continue ;; esac
        got=$(file -b -e json -m "$data/lvl.magic" "$samples/$name")
        [ "$got" = "$want" ] || fail "file says \"$got\" of $name, not \"$want\""
    done <rows
    awk -F "$tab" '/^[0-9>]/ && $4 ~ /^[A-Z]/ { print $4 }' "$data/lvl.magic" | sort -u >entries
    [ "$(wc -l <entries)" -ge 21 ] || fail "only $(wc -l <entries) entries in data/lvl.magic"
    while read -r entry; do
        cut -f2 rows | sed 's/, ".*//' | grep -qxF -- "$entry" || fail "data/magic.tests has no sample of: $entry"
    done <entries
    find /usr -xdev -type f -size +0 ! -path '*/lvl/*' 2>/dev/null | awk 'NR % 10 == 0' >files
    file -e json -N -m "$data/lvl.magic" -f files | grep -E ": ($(sed 's/[ ,].*//' entries | sort -u | paste -sd '|')) " >claimed
    [ ! -s claimed ] || fail "file takes for ours: $(head -n 3 claimed)"
fi
# PRONOM's signatures, read as Siegfried and DROID read them: each matches the sample that is named beside it in data/pronom, and what a
# signature matches among all samples is of that format.
find "$samples" -type f ! -path '*/src/*' | sort >files
xargs "$lvl" info --json <files >info.json 2>err
python3 - "$data/pronom" "$samples" >out 2>err <<'END' || fail "data/pronom: $(cat out err)"
import glob, json, os, re, sys
folder, samples = sys.argv[1:]

def pattern(text):  # PRONOM's sequences: hex, ?? any byte, {n} and {n-m} any bytes, (a|b), [a:b]
    out = b""
    for part in re.findall(r"[0-9A-Fa-f]{2}|\?\?|\{[0-9]+(?:-[0-9]+)?\}|\[!?[0-9A-Fa-f]+:[0-9A-Fa-f]+\]|[(|)]|.", text):
        if re.fullmatch("[0-9A-Fa-f]{2}", part):
            out += re.escape(bytes.fromhex(part))
        elif part == "??":
            out += b"."
        elif part[0] == "{":
            out += b"." + part.replace("-", ",").encode()
        elif re.fullmatch(r"\[[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\]", part):
            out += b"[\\x" + part[1:3].encode() + b"-\\x" + part[4:6].encode() + b"]"
        elif part in "(|)":
            out += part.replace("(", "(?:").encode()
        else:
            sys.exit(f"{text}: {part} is no part of a sequence")
    return out

signatures = {}
for path in glob.glob(folder + "/*.json"):
    about = json.load(open(path))
    for one in about["internalSignatures"]:
        tests = []
        for row in one["byteSequences"]:
            if row["positionType"] != "Absolute from BOF":
                sys.exit(f"{path}: unexpected {row['positionType']}")
            between = b".{%d,%d}" % (row["offset"], row["offset"] + row["maxOffset"])
            tests.append(re.compile(between + pattern(row["byteSequence"]), re.DOTALL))
        signatures.setdefault(os.path.basename(path)[:-5], []).append(tests)

def matches(path):
    data = open(path, "rb").read()
    return {name for name, some in signatures.items() if any(all(t.match(data) for t in tests) for tests in some)}

rows = re.findall(r"^\| (\w+) \| `samples/(.*)` \|$", open(folder + "/README.md").read(), re.MULTILINE)
assert {name for name, _ in rows} == set(signatures), "README.md has other formats"
wrong = [f"{path}: {matches(f'{samples}/{path}')}, not {name}" for name, path in rows if matches(f"{samples}/{path}") != {name}]
seen = 0
for about in map(json.loads, open("info.json")):
    found = matches(about["file"])
    seen += bool(found)
    if found - {about.get("format")}:
        wrong.append(f"{about['file']}: {found}, not {about.get('format')}")
if seen < 100:
    wrong.append(f"only {seen} samples match a signature")
print("\n".join(wrong))
sys.exit(bool(wrong))
END
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$data/linux/lvl.desktop" >out 2>&1 || fail "desktop-file-validate: $(cat out)"
fi

# As GNOME, Xfce and Cinnamon do: %i the file, %o a file that exists already, %s the size.
call=$(sed -n 's/^Exec=//p' "$data/linux/lvl.thumbnailer")
types=$(sed -n 's/^MimeType=//p' "$data/linux/lvl.thumbnailer")
drawn=0 refused=0
find "$samples" -name '*.zelda' -o -name '*.graal' -o -name '*.nw' -o -name '*.gani' -o -name '*.gmap' -o -name '*.level' -o -name '*.doodad' \
    -o -name '*.wwd' >list
while read -r file; do
    : >'a picture.png'
    exec 5<'a picture.png' # tumblerd keeps it open and reads that, so it must not be replaced by another file
    command=$(printf '%s\n' "$call" | sed -e "s|%i|'$file'|" -e "s|%o|'a picture.png'|" -e 's|%s|128|')
    timeout 60 sh -c "$command" >out 2>err </dev/null
    code=$?
    [ ! -s out ] || fail "the thumbnailer prints to standard output: $file"
    if [ $code = 0 ]; then
        drawn=$((drawn + 1))
        cmp -s 'a picture.png' - <&5 || fail "the file of the thumbnail was replaced"
        sides=$(od -An -tu1 -j16 -N8 'a picture.png' | awk '{ print ($3 * 256 + $4 <= 128) && ($7 * 256 + $8 <= 128) && $4 && $8 }')
        [ "$sides" = 1 ] || fail "the thumbnail of $file is not a picture of at most 128 pixels"
    else
        refused=$((refused + 1))
        case $file in */damaged/*) ;; *) fail "no thumbnail of $file (exit $code): $(cat err)" ;; esac
        [ $code -lt 5 ] || fail "the thumbnailer ends with $code: $file"
    fi
done <list
case $types in *application/x-wwd*) ;; *) fail "the thumbnailer has no types" ;; esac
[ $drawn -gt 60 ] || fail "only $drawn thumbnails"
echo "$drawn thumbnails, $refused refused, $failed failures"
[ $failed = 0 ]
