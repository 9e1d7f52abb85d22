#!/bin/sh
# `lvl gallery': a site of a catalogue: its index, the words, a page of each level, its data for the viewer.
. "$(dirname "$0")/support/shell.sh"
"$lvl" find --sql 'select 1' --in "$samples/graal/ganis" >/dev/null 2>"$t/said" || {
    grep -q 'without SQLite' "$t/said" && echo "skipped: built without SQLite" && exit 77
}
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cat >page.html <<'P'
<html><meta content="script-src 'sha256-x'; y"><script type="text/plain" id="lvl-wasm">x</script></html>
P
# Evaluates Python over the site: rows (by path), about(path), words(word): the paths that have it.
cat >site.py <<'P'
import json, sys
folder, code = sys.argv[1:]
def script(name):
    return open(f'{folder}/{name}', encoding='utf-8').read()
head, body = script('levels.js').split(';\nvar lvlRows = ', 1)
site = json.loads(head.removeprefix('var lvlSite = '))
rows = json.loads(body.removesuffix(';\n'))
for n in range(1, site['parts'] + 1):
    rows += json.loads(script(f'levels-{n}.js').removeprefix('lvlMore(').removesuffix(');\n'))
by_path = {row[1]: row for row in rows}
def about(path):
    return json.loads(script(f'about/{by_path[path][0]}.js').removeprefix('lvlAbout(').removesuffix(');\n'))
def words(word):
    b = word.encode()
    n = (b[0] * 31 + b[1]) % site['shards']
    prefix = f'lvlWords({n},'
    found, text = [], json.loads(script(f'words-{n}.js').removeprefix(prefix).removesuffix(');\n'))
    for line in text.split('\n'):
        name, *steps = line.split(' ')
        at = 0
        for step in steps if name == word else []:
            at += int(step, 36)
            found.append(rows[at][1])
    return found
print(eval(code))
P
shows() { # WANTED CODE [FOLDER]
    tried=$((tried + 1))
    got=$(python3 site.py "${3:-site}" "$2" 2>&1)
    [ "$got" = "$1" ] || fail "expected $1, found $got: $2"
}

mkdir world
cp -r "$samples/graal/lakeside" world/lakeside
cp "$samples/sketchy/walk.levelpack" "$samples/wwd/cliffs.wwd" "$samples/wwd/damaged/truncated.wwd" world
cp -r "$samples/graal/versions" world
chmod -R u+w world
cp world/cliffs.wwd world/same.wwd
cp world/lakeside/lake_mill.nw 'world/<b>"x".nw'
expect 0 "$lvl" scan world -o levels.db -q
expect 0 "$lvl" gallery levels.db -o site --page page.html
err_has "in the viewer: open site/index.html" 'what to open'

levels=$("$lvl" find --in levels.db --csv --sql "select count(*) from files where format in ('nw', 'graal', 'gani', 'gmap', 'wwd', 'sketchy')" | sed 1d | tr -d '\r')
shows "True" "site['levels'] == len(rows) == $levels"
shows "$levels" "len(rows)"
shows "cliffs.wwd" "rows[by_path['same.wwd'][11]][1]"
shows "[2, 2, 1]" "[by_path[path][12] for path in ('same.wwd', 'cliffs.wwd', 'truncated.wwd')]"
shows "True" "site['folded'] == sum(i != row[11] for i, row in enumerate(rows)) > 0"
# How many levels have each value of a filter, which the first screen shows.
for column in 'verdict 3' 'kind 6' 'game 7' 'author 8' 'year 9'; do
    set -- $column
    shows "True" "dict(site['counts']['$1']) == {v: sum(row[$2] == v for row in rows) for v in {row[$2] for row in rows} if v} != {}"
done
shows "['same.wwd']" "[copy[1] for copy in about('cliffs.wwd')['copies']]"
shows "1" "about('cliffs.wwd')['viewer']"
shows "['wwd.stream.truncated']" "[f[0] for f in about('truncated.wwd')['findings'] if 'stream' in f[0]]"
shows "damaged" "by_path['truncated.wwd'][3]"
shows "True" "'cliffs.wwd' in [a[1] for a in about('truncated.wwd')['alike']] or 'same.wwd' in [a[1] for a in about('truncated.wwd')['alike']]"
shows "True" "'walk.levelpack//levels/hill.level' in by_path"
shows "True" "'lakeside/lake_mill.nw' in words('mill')"
shows "True" "'walk.levelpack//levels/hill.level' in words('hill')"
shows "[]" "words('nosuchword')"
# A link leads there, and the target knows of it.
shows "True" "any('lakeside/' in link[5][1] for link in about('lakeside/lake_mill.nw')['refs'] if link[0] == 'level' and len(link) > 5)"
shows "True" "all('lakeside/lake_mill.nw' in [f[1] for f in about(link[5][1])['from']] for link in about('lakeside/lake_mill.nw')['refs'] if link[0] == 'level' and len(link) > 5)"
# The viewer's data, the pictures, the pages.
id=$(python3 site.py site "by_path['lakeside/lake_mill.nw'][0]")
grep -q 'lake_mill.nw' "site/levels/$id.js" || fail 'the viewer gets the level'
[ "$(head -c 4 "site/pictures/$id.png" | tail -c 3)" = PNG ] || fail 'a picture'
for name in index.html level.html level.js site.js site.css icon.svg lvl.html; do
    [ -s "site/$name" ] || fail "$name is written"
done
[ -z "$(grep -rlF "$t" site || :)" ] || fail 'no path of this machine'
# Ids stay when levels are added, and nothing is replaced without -y.
expect 3 "$lvl" gallery levels.db -o site --page page.html
err_has 'already exists; -y replaces it' 'replacing'
cp world/lakeside/lake_mill.nw world/another.nw
rm world/cliffs.wwd
expect 0 "$lvl" scan world -o levels.db -q
rm world/same.wwd
gone=$(python3 site.py site "by_path['cliffs.wwd'][0]")
[ -e "site/about/$gone.js" ] && [ -e "site/pictures/$gone.png" ] && [ -e "site/levels/$gone.js" ] || fail "files of a level"
# -y removes what lvl made of a level that is gone, and no file of others, whatever the list says
echo mine >site/about/mine.js
echo mine >outside.txt
mkdir -p site/a/b && echo mine >site/a/b/c.js
printf '../outside.txt\n/%s/outside.txt\na/b/c.js\n..\n.\nabout\n' "$PWD" >>site/lvl-files.txt
expect 0 "$lvl" gallery levels.db -o site -y --page page.html
for file in about/$gone.js pictures/$gone.png levels/$gone.js; do
    [ ! -e "site/$file" ] || fail "of a level that is gone: $file"
done
err_has 'of levels that are gone removed' 'removed files'
[ -s site/about/mine.js ] && [ -s outside.txt ] && [ -s site/a/b/c.js ] || fail "a file of others was removed"
rm -r site/about/mine.js site/a
missing=$(while read -r file; do [ -s "site/$file" ] || echo "$file"; done <site/lvl-files.txt)
[ -z "$missing" ] || fail "listed and not there: $missing"
[ "$(find site -type f | wc -l)" = "$(($(wc -l <site/lvl-files.txt) + 1))" ] || fail "not all files are listed"
err_has 'lvl: world/same.wwd: not in the viewer' 'a file that is gone: its name'
err_has 'lvl: 1 of 24 levels are not in the viewer: the file is not there' 'a file that is gone'
shows "(False, 0)" "'cliffs.wwd' in by_path, about('same.wwd')['viewer']"
shows "$id" "by_path['lakeside/lake_mill.nw'][0]"
# Without scripts: the names of all levels, as links to their pages and pictures, and nothing in a name is markup.
python3 -W ignore - <<'P' || fail 'names for browsers without scripts'
import html, json, re
rows = json.loads('[' + open('site/levels.js', encoding='utf-8').read().split('var lvlRows = [', 1)[1].removesuffix(';\n'))
page = open('site/index.html', encoding='utf-8').read()
inside = page.split('<noscript>')[1].split('</noscript>')[0]
links = re.findall(r'<li><a href="level.html\?level=([0-9a-f]+)">(.*?)</a> \(<a href="pictures/([0-9a-f]+).png">', inside)
assert [(i, html.unescape(n)) for i, n, _ in links] == [(r[0], r[1]) for r in rows], links
assert all(i == p for i, _, p in links) and any('<b>"x' in html.unescape(n) for _, n, _ in links) and '<b>' not in page
P
# Two members with one path: the catalogue has one level, and so has the site.
python3 -W ignore - <<'P'
import zipfile
with zipfile.ZipFile("twice.zip", "w") as z:
    for i in range(2):
        z.writestr("same.nw", f"GLEVNW01\nSIGN 1 1\nversion {i}\nSIGNEND\n")
P
expect 0 "$lvl" scan -q twice.zip -o twice.db
expect 0 "$lvl" gallery twice.db -o twice-site --page page.html
[ "$(find twice-site/levels -name '*.js' | wc -l)" = 1 ] || fail 'two members with one path'
# What the viewer gets of a level in a zip is the level, not the zip.
grep -qh '"files":\[{"path":"same.nw"[^{]*}\]' twice-site/levels/*.js || fail "the viewer gets more than the level"
expect 0 "$lvl" view -q twice.zip//same.nw -o one.html --page page.html
grep -q '"files":\[{"path":"same.nw"[^{]*}\]' one.html || fail "a page of a level contains its zip"
# Without the viewer's page, a site without it.
if [ "$(head -c 2 "$lvl")" != '#!' ]; then
    mkdir -p inst/bin && cp "$lvl" inst/bin/lvl
    expect 0 inst/bin/lvl gallery levels.db -o plain
    err_has 'written without the viewer' 'no page'
    shows 0 "about('lakeside/lake_mill.nw')['viewer']" plain
fi
# Of many levels of one name a link leads to the one beside it.
for i in $(seq 101); do
    mkdir -p "many/d$i"
    cp world/lakeside/lake_meadow.nw "many/d$i/lake_meadow.nw"
done
cp world/lakeside/lake_mill.nw many/d101/lake_mill.nw
expect 0 "$lvl" scan many -o many.db -q
expect 0 "$lvl" gallery many.db -o many-site -q --page page.html
shows "{'d101/lake_meadow.nw'}" "{r[5][1] for r in about('d101/lake_mill.nw')['refs'] if len(r) > 5}" many-site
# Copies that lead to a level are one.
shows "1" "len(about('d101/lake_mill.nw')['from'])" many-site
shows "['d101/lake_mill.nw']" "[f[1] for f in about('d101/lake_meadow.nw')['from']]" many-site
# Only files below the folder that the user names, without links out of it, and with the content that was scanned.
mkdir away && cp world/lakeside/lake_mill.nw away/secret.nw && cp world/lakeside/lake_mill.nw away/other.nw
mkdir inner && cp world/lakeside/lake_meadow.nw inner/mine.nw && cp world/lakeside/lake_meadow.nw inner/edited.nw
# A catalogue that names files of this machine, through links too.
ln -s ../away inner/out && ln -s ../away/other.nw inner/linked.nw
expect 0 "$lvl" scan inner away inner/linked.nw inner/out/secret.nw -o paths.db -q
echo >>inner/edited.nw
expect 0 "$lvl" gallery paths.db -o private --files inner --page page.html
for name in edited.nw secret.nw other.nw linked.nw; do
    err_has "$name: not in the viewer" "$name is named"
done
err_has '1 of 6 levels are not in the viewer: the file is not the one that was scanned' 'a file that was changed'
err_has '4 of 6 levels are not in the viewer: the file does not lie below the folder inner: name its folder with --files' 'private files'
[ "$(ls private/levels | wc -l | tr -d ' ')" = 1 ] || fail 'one file is published'
shows "['inner/mine.nw']" "[path for path in by_path if about(path)['viewer']]" private
grep -rq "$(base64 <away/secret.nw | head -n 1 | cut -c 1-60)" private && fail 'a private file is published'
expect 0 "$lvl" gallery paths.db -o private -y --page page.html
shows "5" "sum(about(path)['viewer'] for path in by_path)" private
expect 0 "$lvl" gallery paths.db -o elsewhere --files away --page page.html
shows "True" "{path for path in by_path if about(path)['viewer']} == {'away/secret.nw', 'away/other.nw'}" elsewhere
expect 2 "$lvl" gallery paths.db -o elsewhere -y --files nowhere
err_has 'nowhere is not a folder' 'a folder that is none'
mkdir w && cp world/lakeside/lake_mill.nw w/x.nw && (cd w && "$lvl" scan -q ../away -o up.db && "$lvl" gallery -q up.db -o up --page ../page.html)
[ ! -e w/up/levels ] || fail 'a path out of the current folder'
# What a level is drawn with, too: a picture above the folder is read by drawing it, and not published without --art.
mkdir -p art/levels && cp "$samples/graal/pics1.png" art && cp world/lakeside/lake_mill.nw art/levels
expect 0 "$lvl" scan art/levels -o art-levels.db -q
expect 0 "$lvl" gallery art-levels.db -o with-art --page page.html
grep -rq pics1.png with-art/levels || fail 'art below the folder'
expect 0 "$lvl" gallery art-levels.db -o without-art --files art/levels --page page.html
grep -rq pics1.png without-art/levels && fail 'art of another folder'
err_has 'pics1.png: not published' 'art that is not published'
expect 0 "$lvl" gallery art-levels.db -o given-art --files art/levels --art art --page page.html
grep -rq pics1.png given-art/levels || fail 'art that the user named'
# What cannot be.
expect 2 "$lvl" gallery levels.db
err_has 'use -o DIR' 'a folder is needed'
expect 3 "$lvl" gallery none.db -o other --page page.html
expect 4 "$lvl" gallery page.html -o other --page page.html
[ ! -e other ] || fail 'nothing is written'
expect 0 "$lvl" scan "$samples/wwd/SAMPLES.REZ" -o art.db -q
expect 1 "$lvl" gallery art.db -o other --page page.html
err_has 'no level is in this catalogue' 'no level'
"$lvl" find --sql 'select term from temp.texts_words' --in levels.db >/dev/null || fail 'words can be queried'
finish
