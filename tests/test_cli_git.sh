#!/bin/sh
# What `lvl git install` sets up, with the real git: file names that look like options, renames, unmerged paths, conflicts and how they end, and
# repositories that lead writes elsewhere.
. "$(dirname "$0")/support/shell.sh"
if ! command -v git >/dev/null; then
    echo "no git: skipped"
    exit 0
fi
mkdir "$t/bin" "$t/said" "$t/home"
ln -s "$LVL" "$t/bin/lvl"
PATH=$t/bin:$PATH
HOME=$t/home
XDG_CONFIG_HOME=$t/home/config
said=$t/said
export PATH HOME XDG_CONFIG_HOME

# has FILE TEXT WHAT
has() {
    tried=$((tried + 1))
    grep -qF -- "$2" "$1" || { fail "$3: no \"$2\" in:"; sed 's/^/    /' "$1" | head -n 8; }
}
lacks() {
    tried=$((tried + 1))
    ! grep -qF -- "$2" "$1" || fail "$3: \"$2\" is in it"
}
# new_repository NAME: an empty one with the drivers, which becomes the current folder
new_repository() {
    cd "$t" && mkdir "$1" && cd "$1" || exit 3
    git init -q -b main . && git config user.name t && git config user.email t@example.org
    expect 0 "$lvl" git install
}

# ---- names that look like options: each is shown and merged as any other
new_repository names
set -- -i.nw --output=x.nw --help.nw --in-place.nw -o.nw -y.nw
for name; do
    cp "$samples/graal/lakeside/lake_woods.nw" "./$name"
done
git add -A && git commit -qm base
expect 0 git diff HEAD
[ ! -s "$said/out" ] || fail "git diff without changes"
for name; do
    "$lvl" set -i "./$name" 'links[0].dest_x=7' 'npcs[0].x=3'
done
git diff >"$t/diff"
git diff --no-ext-diff >"$t/dumps"
git difftool -y -t lvl >"$t/tool" 2>&1 </dev/null
for name; do
    has "$t/diff" "--- a/$name" "git diff"
    has "$t/dumps" "+++ b/$name" "git diff of dumps"
    lacks "$t/tool" "there is no option" "git difftool"
done
tried=$((tried + 1))
[ "$(grep -c 'npc: x 46.5 -> 3' "$t/diff")" = $# ] || { fail "git diff of such names"; head -n 20 "$t/diff"; }
[ "$(grep -c '^+.*"x": *3' "$t/dumps")" = $# ] || { fail "git diff --no-ext-diff of such names"; head -n 40 "$t/dumps"; }
[ ! -e x.nw ] || fail "a file name was taken for --output"
git rm -q --cached -r . && git add -N .
git diff >"$t/diff"
for name; do
    has "$t/diff" "new file: $name" "git diff of a new file"
done
tried=$((tried + 1))
[ "$(grep -c 'Graal' "$t/diff")" -ge $# ] || { fail "lvl info of such names"; head -n 20 "$t/diff"; }
git reset -q --hard
git checkout -qb side
for name; do
    "$lvl" set -i "./$name" 'npcs[0].x=3'
done
git commit -qam side && git checkout -q main
for name; do
    "$lvl" set -i "./$name" 'npcs[0].y=4'
done
git commit -qam main
expect 0 git merge -q --no-edit side
for name; do
    expect 0 "$lvl" get -- "$name" 'npcs[0].x' 'npcs[0].y'
    is "$said/out" "3
4" "the merge of $name"
done

# ---- what git diff shows of renames and modes
new_repository renames
cp "$samples/wwd/cliffs.wwd" old.wwd
git add -A && git commit -qm base
git mv old.wwd new.wwd
git diff -M --cached >"$t/diff"
has "$t/diff" "rename from old.wwd" "a renamed file"
has "$t/diff" "rename to new.wwd" "a renamed file"
"$lvl" set -i new.wwd author=me && git add -A
git diff -M --cached >"$t/diff"
has "$t/diff" "--- a/old.wwd" "a renamed file that changed"
has "$t/diff" "+++ b/new.wwd" "a renamed file that changed"
has "$t/diff" '-> "me"' "a renamed file that changed"
git commit -qm moved && chmod +x new.wwd
git diff >"$t/diff"
has "$t/diff" "new mode 100755" "a mode"

# ---- unmerged paths: git calls the diff command with the path alone
new_repository clash
cp "$samples/wwd/cliffs.wwd" level.wwd
git add -A && git commit -qm base && git checkout -qb side
"$lvl" set -i level.wwd author=you && git commit -qam side && git checkout -q main
"$lvl" set -i level.wwd author=me && git commit -qam main
expect 1 git merge --no-edit side
for how in --cached --ours --theirs --base; do
    expect 0 git diff $how
    has "$said/out" "both sides changed: level.wwd" "git diff $how"
done
git diff --theirs >"$t/diff"
has "$t/diff" '"you" -> "me"' "git diff --theirs"

# ---- names in capitals have the drivers, too
new_repository capitals
cp "$samples/wwd/cliffs.wwd" LEVEL1.WWD
git add -A && git commit -qm base && "$lvl" set -i LEVEL1.WWD author=me
git diff >"$t/diff"
has "$t/diff" '-> "me"' "git diff of LEVEL1.WWD"

# ---- a hostile clone: .gitattributes that is a link; one with a NUL keeps its bytes
new_repository hostile
expect 0 "$lvl" git uninstall
printf 'mine\n' >"$t/outside"
rm -f .gitattributes && ln -s "$t/outside" .gitattributes
git config --list --local >"$t/config.before"
expect 1 "$lvl" git install
err_has "symbolic link" "install"
is "$t/outside" mine "a file outside of the repository was changed"
git config --list --local >"$t/config.after"
same "$t/config.before" "$t/config.after" "the configuration after a refusal"
rm .gitattributes && printf '*.a b\n\0\n*.c d\n' >.gitattributes && cp .gitattributes "$t/nul"
expect 0 "$lvl" git install
expect 0 "$lvl" git install
[ "$(head -c "$(wc -c <"$t/nul")" .gitattributes | cksum)" = "$(cksum <"$t/nul")" ] || fail "a NUL cut the attributes"
expect 0 "$lvl" git uninstall
same .gitattributes "$t/nul" "uninstall of attributes with a NUL"

finish
