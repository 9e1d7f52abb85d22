#!/bin/sh
# `lvl diff --html' and `--git': one page that needs no other file: the page of web/review with a JSON document in it, which is what --json prints and
# pictures, and no text of a level as markup; two revisions of a git repository. test_cli_review_slow.sh looks at the page in a browser.
. "$(dirname "$0")/support/shell.sh"
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C

code_of() {
    code=0
    "$@" >"$t/out" 2>"$t/err" || code=$?
}
# The page without its document, and the document.
shell_of() { sed -E 's/(id="data">).*/\1/; /^\{"file":/d' "$1"; }
document() { sed -n '/id="data">/,/<\/script>/p' "$1" | sed 's/.*id="data">//; s/<\/script>//'; }

mkdir "$t/a" "$t/b"
cp "$samples/wwd/cliffs.wwd" "$t/a/level.wwd"
"$lvl" set "$t/a/level.wwd" 'planes[4].tiles[5,5 9,8]=3' 'planes[4].objects[0].x+=40' -o "$t/b/level.wwd"
printf 'GLEVNW01\nSIGN 1 2\nold\nSIGNEND\n' >"$t/a/sign.nw"
printf 'GLEVNW01\nSIGN 1 2\nnew\nSIGNEND\n' >"$t/b/sign.nw"
cp "$t/a/sign.nw" "$t/a/only.nw"
cp "$t/a/sign.nw" "$t/b/fresh.nw"
code_of "$lvl" diff "$t/a" "$t/b" --html "$t/page.html"
[ $code = 1 ] || fail "--html: $code $(cat "$t/err")"
[ ! -s "$t/out" ] || fail "the comparison was printed as well: $(cat "$t/out")"
document "$t/page.html" >"$t/page.json"
for text in '"compared":4,"changed":2,"added":1,"removed":1' '"names":\["' '"kind":"removed"' '"kind":"added"' \
    '"path":"signs\[0\].text","item":"sign \\"new\\"","old":"old","new":"new"' '"png":"iVBOR' '"places":\[' \
    '"path":"planes\[4\].objects\[0\].x","item":"object \\"BehindCandy\\"","old":1526,"new":1566'; do
    grep -q -- "$text" "$t/page.json" || fail "the document lacks $text"
done
# its changes are those of --json, whose cells are in pictures
"$lvl" diff --json "$t/a" "$t/b" | grep -v '"change":"cells"' | sed -n 's/^{"file":"[^"]*",\("change":"[^ir].*\)/{\1/p' | while read -r change; do
    grep -qF -- "$change" "$t/page.json" || echo "$change"
done >"$t/lacks"
[ ! -s "$t/lacks" ] || fail "the document lacks what --json prints: $(cat "$t/lacks")"
if grep -q '"rows"' "$t/page.json"; then fail "the document has cells"; fi
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <"$t/page.json" || fail "the document is no JSON"
fi
shell_of "$t/page.html" >"$t/shell"
code_of "$lvl" diff -j 4 "$t/a" "$t/b" --html -
cmp "$t/out" "$t/page.html" || fail "threads make a difference"
code_of "$lvl" diff "$t/a" "$t/b" --html "$t/page.html"
[ $code = 3 ] && grep -q 'already exists' "$t/err" || fail "overwrote without -y: $code"
code_of "$lvl" diff "$t/a" "$t/b" --html "$t/page.html" --image "$t/x.png" -y
[ $code = 2 ] || fail "--html and --image: $code"
# the policy names the script and the style by their hashes, and nothing else may run or load
grep -q "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src 'sha256-[A-Za-z0-9+/=]*'; script-src 'sha256-[A-Za-z0-9+/=]*'\"" \
    "$t/page.html" || fail "no strict policy"
if command -v sha256sum >/dev/null && command -v base64 >/dev/null && command -v xxd >/dev/null; then
    for file in style:review.css script:review.js; do
        hash=$(sha256sum "$samples/../web/review/${file#*:}" | cut -d' ' -f1 | xxd -r -p | base64)
        grep -qF "${file%:*}-src 'sha256-$hash'" "$t/page.html" || fail "the hash of ${file#*:}"
    done
fi
# no difference: a page that says so
code_of "$lvl" diff "$t/a" "$t/a" --html "$t/same.html"
[ $code = 0 ] && grep -q '"compared":3,"changed":0' "$t/same.html" || fail "no difference: $code"

# cells of planes behind the main one have their pictures, too
"$lvl" set "$t/a/level.wwd" 'planes["Sky"].tiles[0,0 6,3]=8' -o "$t/sky.wwd"
code_of "$lvl" diff "$t/a/level.wwd" "$t/sky.wwd" --html "$t/sky.html"
[ $code = 1 ] && grep -q '"others":28' "$t/sky.html" && grep -q '"png":"iVBOR' "$t/sky.html" ||
    fail "a change of another plane: $code"

# files that cannot be read are on the page as well, and counted; what is nothing to lvl is not
mkdir "$t/ha" "$t/hb"
cp "$t/a/level.wwd" "$t/ha/bad.wwd"
echo garbage >"$t/hb/bad.wwd"
echo garbage >"$t/ha/only.level"
echo text >"$t/ha/notes.md"
echo other >"$t/hb/notes.md"
echo text >"$t/hb/fresh.md"
code_of "$lvl" diff "$t/ha" "$t/hb" --html "$t/broken.html"
for text in '"compared":2,"changed":1,"added":0,"removed":1' '"kind":"failed"' '"kind":"removed"' \
    'expected a WAP32 level .* by its name' 'expected a Sketchy Maze .* by its name'; do
    grep -q -- "$text" "$t/broken.html" || fail "broken files: the page lacks $text"
done
if grep -q '\.md' "$t/broken.html"; then fail "the page has a file that is nothing to lvl"; fi
code_of "$lvl" diff -q "$t/ha" "$t/hb" --html "$t/quiet.html"
grep -q 'not a file that lvl can read' "$t/quiet.html" || fail "broken files with -q"

# ---- hostile texts and names: all of them are in the document, and nothing in that is markup
bad='</pre></span><script>document.title=1</script><img src=x onerror=alert(1)>"'"'"'&lt;--><style>*{display:none}</style>'
mkdir "$t/x" "$t/y"
name='<img src=x onerror=alert(1)>".nw'
printf 'GLEVNW01\nNPC - 1 1\nold\nNPCEND\n' >"$t/x/$name"
printf 'GLEVNW01\nNPC - 1 1\n%s\n\033[2J\342\200\256\nNPCEND\nSIGN 1 1\n%s\nSIGNEND\n' "$bad" "$bad" >"$t/y/$name"
"$lvl" set "$samples/sketchy/hill-v4.level" "title=$bad" "author=$bad" -o "$t/y/title.level"
cp "$samples/sketchy/hill-v4.level" "$t/x/title.level"
printf 'GLEVNW01\nSIGN 1 1\n%s\nSIGNEND\n' "$bad" >"$t/x/only.nw"
code_of "$lvl" diff "$t/x" "$t/y" --html "$t/bad.html" --label "$bad" --label "$bad"
[ $code = 1 ] || fail "hostile: $code $(cat "$t/err")"
shell_of "$t/bad.html" | cmp - "$t/shell" || fail "text of a level is outside of the document"
document "$t/bad.html" >"$t/bad.json"
grep -q 'u003cscript>document.title=1' "$t/bad.json" || fail "the hostile text is not in the document"
if grep -q '<' "$t/bad.json"; then fail "the document has a <: $(grep '<' "$t/bad.json" | cut -c1-200)"; fi
if grep -q "$(printf '\033')" "$t/bad.html"; then fail "a control character is in the page"; fi
if grep -q "$(printf '\342\200\256')" "$t/bad.html"; then fail "a bidirectional control is in the page"; fi

# ---- git
if ! command -v git >/dev/null; then
    echo "test_cli_review: ok; no git: the rest is skipped"
    exit 0
fi
mkdir "$t/repo"
cd "$t/repo"
code_of "$lvl" diff --git a..b
[ $code = 3 ] && grep -q 'no git repository' "$t/err" || fail "outside of a repository: $code"
git init -q -b main .
git config user.name t
git config user.email t@example.org
mkdir levels
cp "$t/a/level.wwd" "levels/it's a level.wwd"
cp "$t/a/sign.nw" levels/moved.nw
printf 'GLEVNW01\nLINK away.nw 1 2 3 4 5 6\nLINK home.nw 1 2 3 4 5 6\n' >only.nw
ln -s only.nw link.nw
git add -A && git commit -qm one
git checkout -qb side
cp "$t/b/level.wwd" "levels/it's a level.wwd"
git mv levels/moved.nw 'levels/$(touch hacked) `touch hacked`.nw'
printf 'GLEVNW01\nSIGN 1 2\nold\nSIGNEND\nSIGN 3 3\nmore\nSIGNEND\n' >'levels/$(touch hacked) `touch hacked`.nw'
git rm -q only.nw
printf 'GLEVNW01\nBADDY 1 2 3\nhello\nyou there\n\nBADDYEND\n' >fresh.nw
echo text >notes.md
rm link.nw && ln -s fresh.nw link.nw
git add -A && git commit -qm two
git checkout -q main
echo other >notes.md && git add -A && git commit -qm three
code_of "$lvl" diff --git main...side
[ $code = 1 ] || fail "--git: $code $(cat "$t/err")"
for text in "--- levels/it's a level.wwd" 'only in the first revision: only.nw' 'only in the second revision: fresh.nw' \
    'nw (was levels/moved.nw)' 'signs: 1 added'; do
    grep -qF -- "$text" "$t/out" || fail "--git lacks $text: $(cat "$t/out")"
done
if grep -q 'link.nw' "$t/out"; then fail "a link was compared: $(cat "$t/out")"; fi
code_of "$lvl" diff --git main...side --html "$t/git.html"
[ $code = 1 ] && grep -q '"compared":4,"changed":2,"added":1,"removed":1' "$t/git.html" || fail "--git --html: $code"
grep -q '"names":\["main","side"\]' "$t/git.html" || fail "names of the revisions"
cd levels
code_of "$lvl" diff --git main..side .
if grep -q 'fresh.nw' "$t/out" || ! grep -q 'level.wwd' "$t/out"; then fail "paths: $(cat "$t/out")"; fi
cd ..
# a path that no revision has is mistyped, also beside one that is there
code_of "$lvl" diff --git main..side . no-such-level.nw
[ $code = 1 ] && grep -q 'no-such-level.nw. is in neither revision' "$t/err" || fail "a mistyped path: $code $(cat "$t/err")"
code_of "$lvl" diff --git main..main
[ $code = 0 ] || fail "the same revision: $code"
for range in 'none..main' 'main..' '--output=x..main' '$(touch hacked)..main' 'main'; do
    code_of "$lvl" diff --git "$range"
    case $range:$code in main..:0 | main:0 | *:1) ;; *) fail "$range: $code $(cat "$t/err")" ;; esac
done
# a version that cannot be read is reported, and the others are compared; what is named like no level is not read
git checkout -qb damaged main
for file in gone.nw big.bin fine.nw; do printf 'GLEVNW01\nSIGN 1 2\nold %s\nSIGNEND\n' $file >$file; done
cp fine.nw large.nw
git add -A && git commit -qm four
for file in gone.nw big.bin fine.nw; do printf 'GLEVNW01\nSIGN 1 2\nnew %s\nSIGNEND\n' $file >$file; done
awk 'BEGIN { print "GLEVNW01"; for (i = 0; i < 60000; i++) printf "SIGN %d 2\nold\nSIGNEND\n", i % 64 }' >large.nw
git add -A && git commit -qm five
for file in gone.nw big.bin; do
    object=$(git rev-parse "HEAD:$file")
    rm -f ".git/objects/$(echo "$object" | cut -c1-2)/$(echo "$object" | cut -c3-)"
done
code_of "$lvl" diff --git damaged~1..damaged --limit memory_bytes=1M --html "$t/damaged.html"
[ $code = 3 ] || fail "a blob is missing: $code $(cat "$t/err")"
grep -q '"compared":3,"changed":3' "$t/damaged.html" && [ "$(grep -o '"kind":"failed"' "$t/damaged.html" | wc -l)" = 2 ] ||
    fail "a blob is missing: $code $(document "$t/damaged.html" | cut -c1-500)"
code_of "$lvl" diff --git damaged~1..damaged --limit memory_bytes=1M
[ $code = 3 ] || fail "a blob is missing: $code $(cat "$t/err")"
grep -q 'new fine.nw' "$t/out" || fail "the others are not compared: $(cat "$t/out" "$t/err")"
grep -q '^gone.nw: git cannot read the object' "$t/err" || fail "a missing blob: $(cat "$t/err")"
grep -q '^large.nw: lvl.limit.memory' "$t/err" || fail "a large blob: $(cat "$t/err")"
if grep -q 'big.bin\|out of memory' "$t/err"; then fail "what is no level was read: $(cat "$t/err")"; fi
# the repository is where git finds it
code_of env GIT_DIR="$t/repo/.git" GIT_WORK_TREE="$t/repo" sh -c 'cd "$1" && exec "$2" diff --git main...side' - "$t" "$lvl"
[ $code = 1 ] && grep -q 'signs: 1 added' "$t/out" || fail "GIT_DIR: $code $(cat "$t/err")"
[ ! -e hacked ] && [ ! -e levels/hacked ] && [ ! -e x ] || fail "the shell ran a part of a name"
finish
