#!/bin/sh
# What `lvl git install` sets up, with the real git: file names that look like options, renames, unmerged paths, conflicts and how they end, and
# repositories that lead writes elsewhere.
. "$(dirname "$0")/support/shell.sh"
if ! command -v git >/dev/null; then
    echo "no git: skipped"
    exit 0
fi
. "$here/support/git.sh"

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

# ---- which files are lvl's: by their endings, and tile definitions by a word in their names
new_repository attributes
for name in a.wwd B.NW tiledefs.txt tiledefs1.txt Harbour_TileDefs_2.txt x.tiledefs.txt; do
    expect 0 git check-attr diff -- "$name"
    is "$said/out" "$name: diff: lvl" "the attribute of $name"
done
for name in notes.txt tiledefs.png awwd; do
    expect 0 git check-attr diff -- "$name"
    is "$said/out" "$name: diff: unspecified" "the attribute of $name"
done

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

# ---- unmerged paths: git calls the diff command with the path alone; messages name the path, not a temporary file
new_repository clash
mkdir maps
cp "$samples/wwd/cliffs.wwd" maps/level.wwd
cp "$samples/wwd/cliffs.wwd" other.wwd
git add -A && git commit -qm base && git checkout -qb side
"$lvl" set -i maps/level.wwd author=you 'planes["Action"].objects[2].health=7' 'planes["Action"].tiles[5,5]=3' \
    'planes["Action"].objects[0].x=77'
cp "$samples/graal/lakeside/lake_mill.nw" both.nw
git rm -q other.wwd && git add -A && git commit -qm side && git checkout -q main
"$lvl" set -i maps/level.wwd author=me 'planes["Action"].objects[2].health=8' 'planes["Action"].tiles[5,5]=9'
"$lvl" set -i other.wwd author=me
cp "$samples/graal/lakeside/lake_woods.nw" both.nw
git add -A && git commit -qm main
expect 1 git merge --no-edit side
author='base "The lvl samples", ours "me", theirs "you" (author)'
label="object \"$("$lvl" get maps/level.wwd 'planes["Action"].objects[2].logic')\""
for line in "maps/level.wwd: error: lvl.merge.conflict: $author" "$label: base " "maps/level.wwd: 3 conflicts; the result has ours there" \
    "5,5 5,5]: base ., ours 9, theirs 3 (planes[4].tiles)" "both.nw: both sides added this file"; do
    grep -qF -- "$line" "$said/out" "$said/err" || { fail "git merge: no \"$line\""; cat "$said/err"; }
done
lacks "$said/out" merge_file "git merge"
lacks "$said/err" merge_file "git merge"
for how in --cached --ours --theirs --base; do
    expect 0 git diff $how
    has "$said/out" "both sides changed: maps/level.wwd" "git diff $how"
    has "$said/out" "$author" "git diff $how lists the conflicts"
done
git diff --theirs >"$t/diff"
has "$t/diff" '"you" -> "me"' "git diff --theirs"

# the list of conflicts, as long as git knows of them
expect 1 "$lvl" merge --list maps/level.wwd
err_has "maps/level.wwd: error: lvl.merge.conflict: $author" "--list"
err_has "ours 8, theirs 7" "--list"
err_has "to choose for each: git mergetool -t lvl 'maps/level.wwd'" "--list"
cp "$said/err" "$t/list"
cd maps || exit 3
expect 1 "$lvl" merge --list level.wwd
err_has "level.wwd: error: lvl.merge.conflict: $author" "--list in a folder"
cd .. || exit 3
expect 1 "$lvl" merge --list --json maps/level.wwd
has "$said/out" '"conflicts":3,"findings":' "--list --json"
expect 1 "$lvl" merge --list other.wwd
err_has "ours changed it, theirs removed it" "--list of a file that one side removed"
expect 1 "$lvl" merge --list both.nw
err_has "both sides added it" "--list of a file that both sides added"
expect 0 "$lvl" merge --list .gitattributes
expect 2 "$lvl" merge --list
[ -z "$(git status --porcelain --untracked-files=all | grep '^??')" ] || fail "files are left beside the level"

# the page of the conflicts of a file that git has merged, and the command that it prints
cp maps/level.wwd "$t/before"
expect 1 "$lvl" merge --list maps/level.wwd --html "$t/conflicts.html"
same maps/level.wwd "$t/before" "a page changes nothing"
page_command "$t/conflicts.html" 111 >"$t/commands"
grep -q "^lvl merge --list --choices=111:[0-9a-f]* -y '--output=maps/level.wwd' -- 'maps/level.wwd'$" "$t/commands" &&
    grep -q "^git add -- 'maps/level.wwd'$" "$t/commands" || { fail "the commands of the page"; cat "$t/commands"; }
sed -i 's/=111:/=222:/; /^git add/d' "$t/commands"
expect 0 sh "$t/commands"
expect 0 "$lvl" get maps/level.wwd author 'planes["Action"].tiles[5,5]' 'planes["Action"].objects[2].health' 'planes["Action"].objects[0].x'
is "$said/out" "you
3
7
77" "--list --choices"
cp "$t/before" maps/level.wwd
expect 2 "$lvl" merge --list --choices=222 maps/level.wwd
err_has "--list with --choices writes the merged file: -o FILE -y" "--list --choices"

# git mergetool: a choice for each conflict; stopping writes nothing
cp maps/level.wwd "$t/before"
printf '2\nq\n' | LVL_VIEWER=true git mergetool -y -t lvl maps/level.wwd >"$t/tool" 2>&1
has "$t/tool" "stopped: nothing was written" "git mergetool, stopped"
same maps/level.wwd "$t/before" "git mergetool, stopped"
git status --short >"$t/status"
has "$t/status" "UU maps/level.wwd" "stopped: the conflict stays"
printf '#!/bin/sh\nfor i in base ours theirs conflicts; do test -s "$(dirname "$1")/$i.png" && echo $i; done >"%s/pictures"\n' "$t" >"$t/bin/viewer"
chmod +x "$t/bin/viewer"
printf '2\n9\n\n1\n3\n' | LVL_VIEWER=viewer git mergetool -y -t lvl maps/level.wwd >"$t/tool" 2>&1
is "$t/pictures" "base
ours
theirs
conflicts" "the pictures of git mergetool"
for n in 1 2 3; do
    has "$t/tool" "maps/level.wwd: conflict $n of 3: " "git mergetool asks"
done
git status --short >"$t/status"
has "$t/status" "M  maps/level.wwd" "git mergetool resolves"
grep -o 'conflict [1-3] of 3: [a-z]*' "$t/tool" | sed 's/.*: //' >"$t/order"
expect 0 "$lvl" get maps/level.wwd author 'planes["Action"].tiles[5,5]' 'planes["Action"].objects[2].health' 'planes["Action"].objects[0].x'
case $(tr '\n' ' ' <"$said/out") in
"you 9 0 77 ") ;;
*) fail "the choices: theirs, ours, base"; cat "$said/out" "$t/tool" ;;
esac
expect 0 "$lvl" merge --list maps/level.wwd
err_has "git knows of no conflicts" "after git mergetool"
printf '2\n' | LVL_VIEWER=true git mergetool -y -t lvl both.nw >"$t/tool" 2>&1
same both.nw "$samples/graal/lakeside/lake_mill.nw" "git mergetool of a file that both sides added"

# ---- lvl diff --git: a revision against the work tree; renames without a change
new_repository revisions
for name in edited moved removed staged; do
    cp "$samples/graal/lakeside/lake_woods.nw" $name.nw
done
echo "GLEVNW01" >moved.nw
git add -A && git commit -qm base
expect 0 "$lvl" diff --git HEAD
[ ! -s "$said/out" ] || fail "diff --git HEAD without changes"
"$lvl" set -i edited.nw 'npcs[0].x=3'
"$lvl" set -i staged.nw 'npcs[0].x=5' && git add staged.nw
git mv moved.nw away.nw && rm removed.nw
expect 1 "$lvl" diff --git HEAD
has "$said/out" "x 46.5 -> 3" "diff --git HEAD: the work tree"
has "$said/out" "x 46.5 -> 5" "diff --git HEAD: staged"
has "$said/out" "renamed: moved.nw -> away.nw" "diff --git HEAD: renamed"
has "$said/out" "only in the first revision: removed.nw" "diff --git HEAD: removed"
expect 1 "$lvl" diff --git HEAD --json
has "$said/out" '{"file":"away.nw","change":"rename","old":"moved.nw"}' "a rename in JSON"
expect 1 "$lvl" diff --git HEAD --html page.html
has page.html '"change":"rename","old":"moved.nw"' "a rename on the page"
has page.html '"work tree"]' "the names of both sides"
expect 1 "$lvl" diff --git HEAD edited.nw
lacks "$said/out" renamed "a path"
expect 1 "$lvl" diff --git HEAD none.nw
err_has "git knows no \`none.nw'" "a mistyped path"
git commit -qam two
expect 1 "$lvl" diff --git HEAD~1..HEAD
has "$said/out" "renamed: moved.nw -> away.nw" "diff --git A..B: renamed"
"$lvl" set -i edited.nw 'npcs[0].x=9' && git stash -q
git stash show -p --ext-diff >"$t/diff"
has "$t/diff" "x 3 -> 9" "git stash show -p --ext-diff"

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


# ---- install and uninstall leave what was there, and say what they did
new_repository twice
grep -q 'lines for level files added' "$said/out" || fail "install"
cp .gitattributes "$t/once" && git config --list --local >"$t/config.once"
expect 0 "$lvl" git install
out_has "lines for level files are there already"
same .gitattributes "$t/once" "install twice"
git config --list --local >"$t/config.twice"
same "$t/config.once" "$t/config.twice" "the configuration after a second install"
expect 0 "$lvl" git uninstall
out_has "lines for level files removed"
[ ! -e .gitattributes ] || fail "uninstall left an empty .gitattributes"
git config --list --local | grep -v '^core\.\|^user\.' >"$t/config.left"
[ ! -s "$t/config.left" ] || fail "uninstall left $(cat "$t/config.left")"
expect 0 "$lvl" git uninstall
out_has "lines for level files are not there"
printf '*.png binary' >.gitattributes && cp .gitattributes "$t/unended"
expect 0 "$lvl" git install
expect 0 "$lvl" git install
expect 0 "$lvl" git uninstall
same .gitattributes "$t/unended" "uninstall after a line without a line end"
git config mergetool.keepBackup true
expect 0 "$lvl" git install
expect 0 "$lvl" git uninstall
[ "$(git config mergetool.keepBackup)" = true ] || fail "a setting of the user is gone"

# ---- a clone with core.autocrlf has the same bytes, also of a file that looks like a text
new_repository crlf
for file in graal/lakeside/lake_woods.nw graal/versions/gr-v1.03.graal graal/ganis/hero_walk.gani; do
    cp "$samples/$file" .
done
printf 'GR-V1.03\nabc\n' >textlike.graal
git add -A && git commit -qm base
cd "$t" && git clone -q -c core.autocrlf=true crlf crlf-clone
for file in lake_woods.nw gr-v1.03.graal hero_walk.gani textlike.graal; do
    same "$t/crlf/$file" "$t/crlf-clone/$file" "a clone with core.autocrlf"
done

# ---- without lvl on PATH, git still shows and logs, and a merge ends as a conflict
new_repository nowhere
cp "$samples/graal/lakeside/lake_woods.nw" a.nw
git add -A && git commit -qm base
git checkout -qb other && "$lvl" set -i a.nw 'npcs[0].x=3' && git commit -qam other
git checkout -q main && "$lvl" set -i a.nw 'npcs[0].y=5' && git commit -qam mine
mkdir "$t/tools" && for tool in git sh sed cat grep basename dirname mktemp rm mv; do
    ln -s "$(command -v $tool)" "$t/tools/$tool"
done
without() { PATH=$t/tools "$@"; }
expect 1 without git merge -q other
expect 0 without git diff
expect 0 without git diff HEAD other
out_has "changed: a.nw (lvl is not on PATH)"
expect 0 without git log -p
git checkout -q -f main
git reset -q --hard

# ---- git does not pass -X to drivers: LVL_MERGE does
git checkout -qb clash main && "$lvl" set -i a.nw 'npcs[0].x=8' && git commit -qam clash
expect 1 git merge -q other
git merge --abort
expect 1 env LVL_MERGE=--theirs git merge -q other
[ "$("$lvl" get a.nw 'npcs[0].x')" = 3 ] || fail "LVL_MERGE=--theirs: $("$lvl" get a.nw 'npcs[0].x')"
git merge --abort

# ---- mergetool leaves no file.orig
expect 1 git merge -q other
printf '2\n' | git mergetool -y -t lvl a.nw >"$t/tool" 2>&1
[ "$("$lvl" get a.nw 'npcs[0].x')" = 3 ] || fail "mergetool: $(cat "$t/tool")"
[ -z "$(find . -name '*.orig')" ] || fail "mergetool left $(find . -name '*.orig')"
git commit -qm merged

# answers for several files come from one pipe
git checkout -qb several && cp a.nw b.nw && git add b.nw && git commit -qm several && git checkout -qb several-other
for name in a b; do "$lvl" set -i $name.nw 'npcs[0].x=31'; done && git commit -qam other && git checkout -q several
for name in a b; do "$lvl" set -i $name.nw 'npcs[0].x=32'; done && git commit -qam mine
expect 1 git merge -q several-other
printf '2\n2\n' | git mergetool -y -t lvl >"$t/tool" 2>&1
for name in a b; do [ "$("$lvl" get $name.nw 'npcs[0].x')" = 31 ] || fail "mergetool of two files, $name.nw: $(cat "$t/tool")"; done
git commit -qm merged

# ---- branches that crossed: git merges their bases first, and no value of either side disappears there
new_repository crossed
cp "$samples/wwd/cliffs.wwd" a.wwd
git add -A && git commit -qm base
git branch left && git checkout -qb right
"$lvl" set -i a.wwd author=right && git commit -qam right
git checkout -q left && "$lvl" set -i a.wwd author=left name=Left && git commit -qam left
right=$(git rev-parse right) left=$(git rev-parse left)
git merge -q "$right" >/dev/null 2>&1 # left decides for its author
git checkout -q --ours a.wwd && git add a.wwd && git commit -qm 'left keeps left'
git checkout -q right
git merge -q "$left" >/dev/null 2>&1 # right for its own
git checkout -q --ours a.wwd && "$lvl" set -i a.wwd name=Left && git add a.wwd && git commit -qm 'right keeps right'
[ "$(git merge-base --all left right | wc -l)" = 2 ] || fail "the branches did not cross"
git merge left >"$t/merge" 2>&1 && fail "branches with different authors merge: $("$lvl" get a.wwd author)"
has "$t/merge" 'ours "right", theirs "left"' "a conflict of branches that crossed"
git merge --abort

# but bases that merge without a conflict are merged: what both branches took from each other is no conflict
git checkout -qb left2 right && git checkout -qb right2 && "$lvl" set -i a.wwd start_x=11 && git commit -qam right2
git checkout -q left2 && "$lvl" set -i a.wwd start_y=12 && git commit -qam left2
right=$(git rev-parse right2) left=$(git rev-parse left2)
expect 0 git merge -q --no-edit "$right"
"$lvl" set -i a.wwd start_x=21 && git commit -qam left3
git checkout -q right2
expect 0 git merge -q --no-edit "$left"
"$lvl" set -i a.wwd start_y=22 && git commit -qam right3
[ "$(git merge-base --all left2 right2 | wc -l)" = 2 ] || fail "the branches did not cross"
expect 0 git merge -q --no-edit left2
[ "$("$lvl" get a.wwd start_x start_y | tr '\n' ' ')" = "21 22 " ] || fail "crossed: $("$lvl" get a.wwd start_x start_y)"

# a pack is compared without a hint about git's temporary files
cp "$samples/sketchy/walk.levelpack" . && git add walk.levelpack && git commit -qm pack
expect 0 "$lvl" set 'walk.levelpack//levels/hill.level' title=changed -i
git diff >"$t/pack" 2>&1
has "$t/pack" 'title' "the diff of a pack"
grep -q 'git-blob\|compare their members' "$t/pack" && fail "git diff names a temporary file: $(cat "$t/pack")"

finish
