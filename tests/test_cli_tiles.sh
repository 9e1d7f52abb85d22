#!/bin/sh
# `lvl render --tiles': a folder of tiles and a page; what is the same is not written again, and nothing is replaced without -y. What the tiles
# show is tested by test_hostile_pyramid.c, the page in a browser by test_tiles_page.sh.
. "$(dirname "$0")/support/shell.sh"

cp -R "$samples/graal/lakeside" world
cp "$samples/graal/"*.png world
expect 0 "$lvl" render world/lakeside.gmap --tiles map
err_has '85 tiles in 4 zoom levels; 86 files written'
(cd map && find . -type f | sort) >files
{
    echo ./index.html
    for z in 0 1 2 3; do
        n=$((1 << z))
        for x in $(seq 0 $((n - 1))); do for y in $(seq 0 $((n - 1))); do echo "./$z/$x/$y.png"; done; done
    done
} | sort | cmp -s - files || fail "files of a map: $(head files)"
grep -q '"width":2048,"height":2048,"tile":256,"zooms":3' map/index.html || fail "the page has no sizes"
grep -qF '["lake_village.nw",' map/index.html || fail "the page has no levels"
expect 0 "$lvl" render world/lakeside.gmap --tiles map
err_has '0 files written, the others are the same'

# one level changes: its tiles and those above it are written, the others stay as they are
find map -exec touch -t 200101010000 {} +
touch -t 200201010000 stamp
expect 0 "$lvl" set world/lake_mill.nw 'layers[0].tiles[8,8]=0' -i
expect 0 "$lvl" set world/lake_shore.nw 'layers[0].tiles[8,8]=0' -i
expect 3 "$lvl" render world/lakeside.gmap --tiles map
err_has 'already exist below map; -y replaces them'
[ -z "$(find map -type f -newer stamp)" ] || fail "something is replaced without -y"
expect 0 "$lvl" render world/lakeside.gmap --tiles map -y
(cd map && find . -type f -newer ../stamp | sort) >changed
[ "$(grep -c '^./3/' changed)" = 1 ] && [ "$(wc -l <changed)" -eq 4 ] || fail "tiles that are written again: $(cat changed)"
"$lvl" render world/lakeside.gmap --tiles fresh -q || fail "a fresh map"
diff -r map fresh >/dev/null || fail "a map that was brought up to date is another one"

# several, each in a folder of its own; levels of other games; what makes no map
expect 0 "$lvl" render "$samples/wwd/cliffs.wwd" "$samples/sketchy/hill-v4.level" --tiles several --art "$samples/wwd" -q
[ -f several/cliffs.wwd/index.html ] && [ -f several/hill-v4.level/0/0/0.png ] || fail "several: $(find several | head)"
expect 1 "$lvl" render "$samples/graal/ganis/hero_walk.gani" --tiles none
err_has 'animation'
for more in '-o x.png' '--size 100' '--region 1,1,5,5' '--sheet' '--crop'; do
    expect 2 "$lvl" render world/lakeside.gmap --tiles none $more
done
[ ! -e none ] || fail "a folder of nothing"
expect 3 "$lvl" render world/lakeside.gmap --tiles world/lakeside.gmap
# names of levels are texts
printf 'GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"</script><b>.nw"\nLEVELNAMESEND\n' >odd.gmap
expect 0 "$lvl" render odd.gmap --tiles odd -q
grep -qF '\u003c/script>' odd/index.html || fail "a name ends the page's data"
finish
