#!/bin/sh
# `lvl view': which files go into the page, their paths in it, and how the browser is called. The page itself is tested in Chromium
# (test_viewer.sh).
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
check() { # what, expected, found
    [ "$2" = "$3" ] || {
        printf '%s\n  expected: %s\n  found:    %s\n' "$1" "$2" "$3"
        failed=1
    }
}
code() { # command...: its exit code
    status=0
    "$@" >"$out/out" 2>"$out/err" || status=$?
    echo $status
}
LVL_ART=
export LVL_ART
cat >"$out/page.html" <<'P'
<html><script type="text/plain" id="lvl-wasm">x</script></html>
P
view() { "$LVL" view -q --page "$out/page.html" "$@"; }

# The level, and of the archive beside it what drawing reads; no path of this machine.
view "$LVL_SAMPLES/wwd/cliffs.wwd" -n >"$out/list"
check 'the level' 1 "$(grep -c '^cliffs.wwd$' "$out/list")"
check 'members that are used' 1 "$(grep -c '^SAMPLES.REZ/LEVEL1/PALETTES/MAIN.PAL$' "$out/list")"
check 'not the archive' 0 "$(grep -c '^SAMPLES.REZ$' "$out/list" || :)"
used=$(wc -l <"$out/list")
all=$("$LVL" extract --list "$LVL_SAMPLES/wwd/SAMPLES.REZ" | wc -l)
check 'fewer members than the archive has' yes "$([ "$used" -gt 100 ] && [ "$used" -lt "$all" ] && echo yes || echo "$used of $all")"
view "$LVL_SAMPLES/wwd/SAMPLES.REZ" "$LVL_SAMPLES/wwd/cliffs.wwd" -n >"$out/list"
check 'an archive that is asked for' "SAMPLES.REZ cliffs.wwd" "$(tr '\n' ' ' <"$out/list" | sed 's/ $//')"

# Files keep their places below the folder that they have in common; roots of art too.
mkdir -p "$out/a/levels" "$out/a/art"
cp "$LVL_SAMPLES/graal/lakeside/lake_mill.nw" "$out/a/levels"
cp "$LVL_SAMPLES/graal/pics1.png" "$out/a/art"
list=$(cd "$out/a/levels" && view ./../levels/lake_mill.nw --art ../art --json -n | tr -d '\n')
check 'a level and art beside it' '{"file":"","open":"levels/lake_mill.nw","art":["art"],"files":[{"path":"art/pics1.png","size":'"$(wc -c <"$out/a/art/pics1.png" | tr -d ' ')"'},{"path":"levels/lake_mill.nw","size":'"$(wc -c <"$out/a/levels/lake_mill.nw" | tr -d ' ')"'}]}' "$list"
list=$(cd "$out/a" && LVL_ART=nowhere:art view levels/lake_mill.nw --json -n | tr -d '\n' | sed 's/"size":[0-9]*/S/g')
check 'LVL_ART' '{"file":"","open":"levels/lake_mill.nw","art":["art"],"files":[{"path":"art/pics1.png",S},{"path":"levels/lake_mill.nw",S}]}' "$list"
check 'an object is one line' 1 "$(view "$LVL_SAMPLES/graal/lakeside" --json -n | wc -l | tr -d ' ')"
list=$(view "$LVL_SAMPLES/graal/lakeside" --json -n | tr -d '\n' | sed 's/,"files".*//')
check 'of a folder the page chooses what to open' '{"file":"","open":null,"art":[]' "$list"
list=$(view "$LVL_SAMPLES/sketchy/walk.levelpack//levels/hill.level" --json -n | tr -d '\n' | sed 's/"size":[0-9]*/S/g')
check 'a member' '{"file":"","open":"walk.levelpack/levels/hill.level","art":["walk.levelpack"],"files":[{"path":"walk.levelpack/levels/hill.level",S}]}' "$list"

# In the page: before the scripts, the same bytes, and nothing in a name ends the element.
cp "$LVL_SAMPLES/graal/lakeside/lake_mill.nw" "$out/a/levels/<!--<script>.nw"
view "$out/a/levels/<!--<script>.nw" -o "$out/one.html"
check 'the element' 1 "$(grep -c '^<html><script type="application/json" id="lvl-files">{"open"' "$out/one.html")"
check 'what follows' 1 "$(grep -c '^<script type="text/plain" id="lvl-wasm">x</script></html>$' "$out/one.html")"
check 'the name' 1 "$(grep -c '"path":"levels/\\u003c!--\\u003cscript>.nw"' "$out/one.html")"
check 'no other element' 2 "$(grep -o '<[s!]' "$out/one.html" | wc -l | tr -d ' ')"
sed -n 's/.*nw","base64":"\([^"]*\)".*/\1/p' "$out/one.html" | base64 -d >"$out/back.nw"
check 'the bytes' same "$(cmp "$out/back.nw" "$out/a/levels/lake_mill.nw" && echo same)"

# Files that are there are not replaced; a page that is none, and a level that is none.
check 'no overwriting' 3 "$(code view "$out/a/levels/lake_mill.nw" -o "$out/one.html")"
check 'overwriting with -y' 0 "$(code view "$out/a/levels/lake_mill.nw" -y -o "$out/one.html")"
check 'to stdout' '<html><script type="application/json" id="lvl-files">' "$(view "$out/a/levels/lake_mill.nw" -o - | head -c 53)"
check 'a folder' 2 "$(code view "$out/a/levels/lake_mill.nw" -o "$out/a")"
check 'not a page' 3 "$(code "$LVL" view "$out/a/levels/lake_mill.nw" --page "$out/a/levels/lake_mill.nw" -o "$out/two.html")"
check 'what was expected' 1 "$(grep -c 'expected the page' "$out/err")"
echo 'no level' >"$out/none.txt"
check 'not a level' 4 "$(code view "$out/none.txt" -o "$out/two.html")"
check 'nothing written' no "$([ -e "$out/two.html" ] && echo yes || echo no)"
check 'a damaged level is shown all the same' 0 "$(code view "$LVL_SAMPLES/sketchy/damaged/cut-gzip.level" -o "$out/three.html")"

# A site, as `lvl gallery' makes it of a catalogue (test_cli_gallery.sh): of files and folders, with addresses that stay.
cat >"$out/page.html" <<'P'
<html><meta content="script-src 'sha256-x'; y"><script type="text/plain" id="lvl-wasm">x</script></html>
P
rows() { cat "$out/$1/levels"*.js | grep '^\["' | sed 's/^\["\([0-9a-f]*\)","\([^"]*\)".*/\1 \2/'; }
if "$LVL" find --sql 'select 1' --in "$LVL_SAMPLES/graal/ganis" >/dev/null 2>&1; then
check 'a site needs a folder' 2 "$(code view --site "$LVL_SAMPLES/graal/lakeside")"
check 'what to give' 1 "$(grep -c 'use -o DIR' "$out/err")"
check 'a site' 0 "$(code view --site "$LVL_SAMPLES/graal/lakeside" "$LVL_SAMPLES/sketchy/walk.levelpack" -o "$out/site")"
check 'a row for each level' 11 "$(rows site | wc -l | tr -d ' ')"
check 'members of a pack' 2 "$(rows site | grep -c ' walk.levelpack//levels/')"
check 'a picture of each' 11 "$(ls "$out/site/pictures" | wc -l | tr -d ' ')"
check 'a page about each' 11 "$(ls "$out/site/about" | wc -l | tr -d ' ')"
check 'data of each' 11 "$(ls "$out/site/levels" | wc -l | tr -d ' ')"
check 'words' 1 "$(grep -l '\\nmill ' "$out/site/words-"*.js | wc -l | tr -d ' ')"
id=$(rows site | sed -n 's/ lakeside.lake_mill.nw$//p')
file=$(sed -n 's/.*{"path":"[^"]*lake_mill.nw","id":"\([0-9a-f]*\)"}.*/\1/p' "$out/site/levels/$id.js")
sed -n 's/^lvlFile("[0-9a-f]*","\(.*\)");$/\1/p' "$out/site/files/$file.js" | base64 -d >"$out/back.nw"
check 'its bytes' same "$(cmp "$out/back.nw" "$LVL_SAMPLES/graal/lakeside/lake_mill.nw" && echo same)"
sheets=$(grep -l pics1.png "$out/site/levels/"*.js | wc -l | tr -d ' ')
check 'what levels share is there once' yes "$([ "$sheets" -gt 1 ] && [ "$(grep -oh 'pics1.png","id":"[0-9a-f]*' "$out/site/levels/"*.js | sort -u | wc -l)" -eq 1 ] && echo yes)"
check 'one without a level before it' 1 "$(grep -L '"previous"' "$out/site/levels/"*.js | wc -l | tr -d ' ')"
check 'one without a level after it' 1 "$(grep -L '"next"' "$out/site/levels/"*.js | wc -l | tr -d ' ')"
check 'scripts of its own' 1 "$(grep -c "script-src 'self' file: 'sha256-x'; y" "$out/site/lvl.html")"
check 'the viewer knows' 1 "$(grep -c 'id="lvl-site"' "$out/site/lvl.html")"
check 'no path of this machine' '' "$(grep -rlF "$LVL_SAMPLES" "$out/site" || :)"
check 'no overwriting of a site' 3 "$(code view --site "$LVL_SAMPLES/graal/lakeside" -o "$out/site")"
# Addresses are made of the path in the site: SHA-256, 20 digits. That is a promise (docs/catalogue.md).
address() { printf %s "$1" | sha256sum | cut -c 1-20; }
check 'the address' "$(address lakeside/lake_mill.nw)" "$id"
check 'again with -y' 0 "$(code "$LVL" view --page "$out/page.html" --site "$LVL_SAMPLES/graal/lakeside" "$LVL_SAMPLES/wwd/cliffs.wwd" -y -o "$out/site")"
check 'the same address' 1 "$(rows site | grep -c "^$id lakeside/lake_mill.nw$")"
check 'files of levels that are gone' 1 "$(grep -c 'of levels that are gone removed' "$out/err")"
cp -r "$LVL_SAMPLES/graal/lakeside" "$out/moved"
check 'of one folder' 0 "$(code view --site "$out/moved/" -o "$out/moved-site")"
check 'its addresses do not have its name' "$(address lake_mill.nw) lake_mill.nw" "$(rows moved-site | grep mill)"
(cd "$out/moved" && view --site . -o ../here-site)
check 'the same for the current folder' "$(rows moved-site)" "$(rows here-site)"
printf '%s\0' "$out/moved/lake_mill.nw" | view --site --from0 - -o "$out/listed"
check 'of a list' "$(address lake_mill.nw) lake_mill.nw" "$(rows listed)"
mkdir -p "$out/one" "$out/two" && cp "$LVL_SAMPLES/graal/lakeside/lake_mill.nw" "$out/one/x.nw" && cp "$LVL_SAMPLES/graal/lakeside/lake_meadow.nw" "$out/two/x.nw"
check 'two levels with one name' 0 "$(code view --site "$out/one/x.nw" "$out/two/x.nw" -o "$out/same")"
check 'data of both' 2 "$(ls "$out/same/levels" | wc -l | tr -d ' ')"
check 'a damaged level is in it' 0 "$(code view --site "$LVL_SAMPLES/wwd/damaged/truncated.wwd" -o "$out/bad")"
check 'its verdict' 1 "$(grep -c '^\[.*"damaged"' "$out/bad/levels.js")"
check 'no level' 1 "$(code view --site "$out/none.txt" -o "$out/empty")"
check 'a file that is not there' 3 "$(code view --site "$out/nowhere.nw" "$out/one" -o "$out/empty")"
check 'nothing written' no "$([ -e "$out/empty" ] && echo yes || echo no)"
# Of thousands of levels no page is large, no row is lost or twice, and without scripts all are there by their names.
mkdir "$out/many"
python3 - "$out/many" <<'P'
import json, sys
for i in range(1100):
    json.dump({"version": 1, "title": f"{i} {'x' * 300}"}, open(f"{sys.argv[1]}/{'long-name-' * 23}{i}.level", "w"))
P
check 'a site of many levels' 0 "$(code view --site "$out/many" -o "$out/large")"
check 'none is large' '' "$(find "$out/large" -name '*.js' -size +700k -o -name '*.html' ! -name lvl.html -size +700k)"
check 'each level once' 1100 "$(rows large | sort -u | wc -l | tr -d ' ')"
check 'no row twice' 1100 "$(rows large | wc -l | tr -d ' ')"
check 'as many parts as it says' "$(grep -o '"parts":[0-9]*' "$out/large/levels.js")" "\"parts\":$(ls "$out/large"/levels-*.js | wc -l | tr -d ' ')"
check 'more than one part' yes "$([ -e "$out/large/levels-2.js" ] && echo yes)"
check 'names without scripts' 1100 "$(cat "$out/large/index.html" "$out/large/names-"*.html | grep -o 'level=[0-9a-f]*' | sort -u | wc -l | tr -d ' ')"
check 'their pages' '<a href="names-2.html">2</a> <a href="names-3.html">3</a> <a href="names-4.html">4</a> <a href="names-5.html">5</a>' "$(grep -o '<a href="names.*' "$out/large/index.html" | tr '\n' ' ' | sed 's/ $//')"
fi

# Without -o: the browser gets a temporary file. Not where the command is only played by another program.
if [ "$(head -c 2 "$LVL")" != '#!' ] && [ "$(uname)" = Linux ]; then
    mkdir "$out/bin" "$out/tmp"
    cat >"$out/bin/xdg-open" <<P
#!/bin/sh
cp "\$1" "$out/opened.tmp" && mv "$out/opened.tmp" "$out/opened"
P
    chmod +x "$out/bin/xdg-open"
    PATH="$out/bin:$PATH" TMPDIR="$out/tmp" view "$out/a/levels/lake_mill.nw" 2>"$out/err"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -e "$out/opened" ] || sleep 0.2
    done
    check 'the page that opens' same "$(cmp "$out/opened" "$out/tmp"/lvl-view-*.html && echo same)"
    check 'no browser' 3 "$(PATH="$out/none:/bin" code env PATH="$out/none" TMPDIR="$out/tmp" "$LVL" view --page "$out/page.html" "$out/a/levels/lake_mill.nw")"
    check 'what to do then' 1 "$(grep -c 'open .*lvl-view-.*html yourself' "$out/err")"
    # A program that opens pages, but has no browser for them, says so by its exit code; one that runs on is the browser itself.
    printf '#!/bin/sh\nsleep 0.3\nexit 3\n' >"$out/bin/xdg-open"
    check 'an opener without a browser' 3 "$(PATH="$out/bin:$PATH" TMPDIR="$out/tmp" code view "$out/a/levels/lake_mill.nw")"
    printf '#!/bin/sh\nsleep 4\nexit 3\n' >"$out/bin/xdg-open"
    check 'a browser that stays' 0 "$(PATH="$out/bin:$PATH" TMPDIR="$out/tmp" code view "$out/a/levels/lake_mill.nw")"
    # Where the page is found: installed beside the program, or nowhere.
    mkdir -p "$out/inst/bin" "$out/inst/share/lvl"
    cp "$LVL" "$out/inst/bin/lvl"
    check 'not installed' 3 "$(code "$out/inst/bin/lvl" view "$out/a/levels/lake_mill.nw" -o "$out/four.html")"
    check 'what to do about it' 1 "$(grep -c "is not installed (expected .*share/lvl/lvl.html).*make web" "$out/err")"
    cp "$out/page.html" "$out/inst/share/lvl/lvl.html"
    check 'installed' 0 "$(code "$out/inst/bin/lvl" view "$out/a/levels/lake_mill.nw" -o "$out/four.html")"
fi
exit $failed
