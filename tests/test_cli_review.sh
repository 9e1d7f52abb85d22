#!/bin/sh
# `lvl diff --html' and `--git': one page that needs nothing else, in which nothing of a level is markup; two
# revisions of a git repository.
set -eu
lvl=${LVL:?}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
samples=${LVL_SAMPLES:?}
unset LVL_ART
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C

fail() {
    echo "test_cli_review: $*" >&2
    exit 1
}
code_of() {
    code=0
    "$@" >"$dir/out" 2>"$dir/err" || code=$?
}
# elements that a page may have; everything else of it is text
markup() {
    grep -o '<[^>]*>' "$1" | sed -E 's/ (class|id|for|name|href|src|alt|width|height)="[^"]*"//g' | sort -u
}

mkdir "$dir/a" "$dir/b"
cp "$samples/wwd/cliffs.wwd" "$dir/a/level.wwd"
"$lvl" set "$dir/a/level.wwd" 'planes[4].tiles[5,5 9,8]=3' 'planes[4].objects[0].x+=40' -o "$dir/b/level.wwd"
printf 'GLEVNW01\nSIGN 1 2\nold\nSIGNEND\n' >"$dir/a/sign.nw"
printf 'GLEVNW01\nSIGN 1 2\nnew\nSIGNEND\n' >"$dir/b/sign.nw"
cp "$dir/a/sign.nw" "$dir/a/only.nw"
cp "$dir/a/sign.nw" "$dir/b/fresh.nw"
code_of "$lvl" diff "$dir/a" "$dir/b" --html "$dir/page.html"
[ $code = 1 ] || fail "--html: $code $(cat "$dir/err")"
[ ! -s "$dir/out" ] || fail "the comparison was printed as well: $(cat "$dir/out")"
for text in '4 files compared: 2 changed, 1 added, 1 removed' 'id="f0"' 'class="badge removed"' 'class="badge added"' \
    'text &#34;old&#34; -&#62; &#34;new&#34;' 'src="data:image/png;base64,iVBOR' 'type="range"' 'object &#34;BehindCandy&#34;: x'; do
    grep -q -- "$text" "$dir/page.html" || fail "the page lacks $text"
done
markup "$dir/page.html" >"$dir/elements"
code_of "$lvl" diff -j 4 "$dir/a" "$dir/b" --html -
cmp "$dir/out" "$dir/page.html" || fail "threads make a difference"
code_of "$lvl" diff "$dir/a" "$dir/b" --html "$dir/page.html"
[ $code = 3 ] && grep -q 'already exists' "$dir/err" || fail "overwrote without -y: $code"
code_of "$lvl" diff "$dir/a" "$dir/b" --html "$dir/page.html" --image "$dir/x.png" -y
[ $code = 2 ] || fail "--html and --image: $code"
# the policy names the script and the style by their hashes, and nothing else may run or load
grep -q "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src 'sha256-[A-Za-z0-9+/=]*'; script-src 'sha256-[A-Za-z0-9+/=]*'\"" \
    "$dir/page.html" || fail "no strict policy"
if command -v sha256sum >/dev/null && command -v base64 >/dev/null && command -v xxd >/dev/null; then
    for file in style:review.css script:review.js; do
        hash=$(sha256sum "$samples/../data/review/${file#*:}" | cut -d' ' -f1 | xxd -r -p | base64)
        grep -qF "${file%:*}-src 'sha256-$hash'" "$dir/page.html" || fail "the hash of ${file#*:}"
    done
fi
# no difference: a page that says so
code_of "$lvl" diff "$dir/a" "$dir/a" --html "$dir/same.html"
[ $code = 0 ] && grep -q '3 files compared: 0 changed' "$dir/same.html" || fail "no difference: $code"

# files that cannot be read are on the page as well, and counted; what is nothing to lvl is not
mkdir "$dir/ha" "$dir/hb"
cp "$dir/a/level.wwd" "$dir/ha/bad.wwd"
echo garbage >"$dir/hb/bad.wwd"
echo garbage >"$dir/ha/only.level"
echo text >"$dir/ha/notes.md"
echo other >"$dir/hb/notes.md"
echo text >"$dir/hb/fresh.md"
code_of "$lvl" diff "$dir/ha" "$dir/hb" --html "$dir/broken.html"
for text in '2 files compared: 1 changed, 0 added, 1 removed' 'badge failed' 'badge removed' \
    'expected a WAP32 level .* by its name' 'expected a Sketchy Maze .* by its name'; do
    grep -q -- "$text" "$dir/broken.html" || fail "broken files: the page lacks $text"
done
if grep -q '\.md' "$dir/broken.html"; then fail "the page has a file that is nothing to lvl"; fi
code_of "$lvl" diff -q "$dir/ha" "$dir/hb" --html "$dir/quiet.html"
grep -q 'not a file that lvl can read' "$dir/quiet.html" || fail "broken files with -q"

# ---- hostile texts and names: the page has no element that the page of sound files has not
bad='</pre></span><script>document.title=1</script><img src=x onerror=alert(1)>"'"'"'&lt;--><style>*{display:none}</style>'
mkdir "$dir/x" "$dir/y"
name='<img src=x onerror=alert(1)>".nw'
printf 'GLEVNW01\nNPC - 1 1\nold\nNPCEND\n' >"$dir/x/$name"
printf 'GLEVNW01\nNPC - 1 1\n%s\n\033[2J\342\200\256\nNPCEND\nSIGN 1 1\n%s\nSIGNEND\n' "$bad" "$bad" >"$dir/y/$name"
"$lvl" set "$samples/sketchy/hill-v4.level" "title=$bad" "author=$bad" -o "$dir/y/title.level"
cp "$samples/sketchy/hill-v4.level" "$dir/x/title.level"
printf 'GLEVNW01\nSIGN 1 1\n%s\nSIGNEND\n' "$bad" >"$dir/x/only.nw"
code_of "$lvl" diff "$dir/x" "$dir/y" --html "$dir/bad.html" --label "$bad" --label "$bad"
[ $code = 1 ] || fail "hostile: $code $(cat "$dir/err")"
markup "$dir/bad.html" >"$dir/bad.elements"
comm -13 "$dir/elements" "$dir/bad.elements" >"$dir/more"
[ ! -s "$dir/more" ] || fail "text of a level became markup: $(cat "$dir/more")"
[ "$(grep -c '<script' "$dir/bad.html")" = 1 ] || fail "more than one script"
if grep -q "$(printf '\033')" "$dir/bad.html"; then fail "a control character is in the page"; fi
if grep -q "$(printf '\342\200\256')" "$dir/bad.html"; then fail "a bidirectional control is in the page"; fi

# ---- git
if ! command -v git >/dev/null; then
    echo "test_cli_review: ok; no git: the rest is skipped"
    exit 0
fi
mkdir "$dir/repo"
cd "$dir/repo"
code_of "$lvl" diff --git a..b
[ $code = 3 ] && grep -q 'no git repository' "$dir/err" || fail "outside of a repository: $code"
git init -q -b main .
git config user.name t
git config user.email t@example.org
mkdir levels
cp "$dir/a/level.wwd" "levels/it's a level.wwd"
cp "$dir/a/sign.nw" levels/moved.nw
printf 'GLEVNW01\nLINK away.nw 1 2 3 4 5 6\nLINK home.nw 1 2 3 4 5 6\n' >only.nw
ln -s only.nw link.nw
git add -A && git commit -qm one
git checkout -qb side
cp "$dir/b/level.wwd" "levels/it's a level.wwd"
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
[ $code = 1 ] || fail "--git: $code $(cat "$dir/err")"
for text in "--- levels/it's a level.wwd" 'only in the first revision: only.nw' 'only in the second revision: fresh.nw' \
    'nw (was levels/moved.nw)' 'signs: 1 added'; do
    grep -qF -- "$text" "$dir/out" || fail "--git lacks $text: $(cat "$dir/out")"
done
if grep -q 'link.nw' "$dir/out"; then fail "a link was compared: $(cat "$dir/out")"; fi
code_of "$lvl" diff --git main...side --html "$dir/git.html"
[ $code = 1 ] && grep -q '4 files compared: 2 changed, 1 added, 1 removed' "$dir/git.html" || fail "--git --html: $code"
grep -q '<code>main</code> → <code>side</code>' "$dir/git.html" || fail "names of the revisions"
cd levels
code_of "$lvl" diff --git main..side .
if grep -q 'fresh.nw' "$dir/out" || ! grep -q 'level.wwd' "$dir/out"; then fail "paths: $(cat "$dir/out")"; fi
cd ..
# a path that no revision has is mistyped, also beside one that is there
code_of "$lvl" diff --git main..side . no-such-level.nw
[ $code = 1 ] && grep -q 'no-such-level.nw. is in neither revision' "$dir/err" || fail "a mistyped path: $code $(cat "$dir/err")"
code_of "$lvl" diff --git main..main
[ $code = 0 ] || fail "the same revision: $code"
for range in 'none..main' 'main..' '--output=x..main' '$(touch hacked)..main' 'main'; do
    code_of "$lvl" diff --git "$range"
    case $range:$code in main..:0 | main:2 | *:1) ;; *) fail "$range: $code $(cat "$dir/err")" ;; esac
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
code_of "$lvl" diff --git damaged~1..damaged --limit memory_bytes=1M --html "$dir/damaged.html"
[ $code = 3 ] || fail "a blob is missing: $code $(cat "$dir/err")"
grep -q '3 files compared: 3 changed' "$dir/damaged.html" && [ "$(grep -c 'badge failed' "$dir/damaged.html")" = 4 ] ||
    fail "a blob is missing: $code $(cat "$dir/damaged.html" | grep badge)"
code_of "$lvl" diff --git damaged~1..damaged --limit memory_bytes=1M
[ $code = 3 ] || fail "a blob is missing: $code $(cat "$dir/err")"
grep -q 'new fine.nw' "$dir/out" || fail "the others are not compared: $(cat "$dir/out" "$dir/err")"
grep -q '^gone.nw: git cannot read the object' "$dir/err" || fail "a missing blob: $(cat "$dir/err")"
grep -q '^large.nw: lvl.limit.memory' "$dir/err" || fail "a large blob: $(cat "$dir/err")"
if grep -q 'big.bin\|out of memory' "$dir/err"; then fail "what is no level was read: $(cat "$dir/err")"; fi
# the repository is where git finds it
code_of env GIT_DIR="$dir/repo/.git" GIT_WORK_TREE="$dir/repo" sh -c 'cd "$1" && exec "$2" diff --git main...side' - "$dir" "$lvl"
[ $code = 1 ] && grep -q 'signs: 1 added' "$dir/out" || fail "GIT_DIR: $code $(cat "$dir/err")"
[ ! -e hacked ] && [ ! -e levels/hacked ] && [ ! -e x ] || fail "the shell ran a part of a name"
echo "test_cli_review: ok"
