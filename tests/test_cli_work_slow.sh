#!/bin/sh
# Files as expensive as the default limits allow, in every verb: prints the processor seconds of each. None should take 20 on an idle
# machine; the test does not check this. A verb that ends early names the limit.
. "$(dirname "$0")/support/shell.sh"
set -e
. "$here/support/crafted.sh"

# processor seconds of the children so far; not in a pipe, which would be a shell of its own without children
spent() {
    times >times
    awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' times
}
while read -r name n ending; do
    craft "$name" "$n" "a.$ending"
    craft "$name" $((n + 1)) "b.$ending"
    crafted_verbs "a.$ending" "b.$ending" >verbs
    while read -r command; do
        tried=$((tried + 1)) code=0
        spent >before
        (ulimit -t 120 && exec "$lvl" $command) >text 2>&1 || code=$?
        spent >after
        limit=$(grep -o 'lvl\.limit\.[a-z]*' text | head -n 1 || :)
        printf '%-18s %8d %-52s %7.1f s  exit %d %s\n' "$name" "$n" "$command" \
            "$(paste before after | awk '{ print $2 - $1 }')" $code "$limit"
        [ $code -le 1 ] || fail "exit $code: $command: $(head -c 300 text)"
    done <verbs
done <<'END'
nw-npcs 700000 nw
nw-links 900000 nw
nw-art 300000 nw
nw-layers 200000 nw
nw-signs 400000 nw
nw-braces 2000000 nw
graal-npcs 200000 graal
gani-sprites 100000 gani
gani-attached 100000 gani
gani-pieces 300000 gani
gmap 1000 gmap
level-chunks 60000 level
level-pixels 5000000 level
level-actors 300000 level
level-swatches 300000 level
level-files 100000 level
level-broken 300000 level
wwd-objects.json 150000 wwd
wwd-same.json 300000 wwd
wwd-tiles.json 4000 wwd
wwd-planes.json 20000 wwd
pid.json 5000 pid
rez.json 100000 rez
END

finish
