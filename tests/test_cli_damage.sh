#!/bin/sh
# scripts/damage: a count, a transfer and a directory are really damaged, lvl recovers them in full, and a build that recovers less
# shows in the comparison of two builds, which prints nothing else.
. "$(dirname "$0")/support/shell.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
damage=$(dirname "$here")/scripts/damage
mkdir files && cp "$samples/wwd/cliffs.wwd" "$(find "$samples" -name '*.gmap' | sort | head -n 1)" "$samples/sketchy/walk.levelpack" files
# a build that reads no file of that way of damage
printf '#!/bin/sh\ncase "$*" in *text_mode*) exit 1 ;; esac\nexec "%s" "$@"\n' "$lvl" >worse && chmod +x worse

expect 0 "$damage" --kinds 'wrong_count|text_mode|lost_directory' "$lvl" files
for row in 'gmap wrong_count' 'levelpack lost_directory' 'levelpack wrong_count' 'wwd text_mode' 'wwd wrong_count'; do
    awk -v format="${row% *}" -v kind="${row#* }" '$1 == format && $2 == kind && $4 == "100.00%" { found = 1 } END { exit !found }' out ||
        fail "$row: expected a row with 100.00%"
done
# the count of a WWD is wrong, and not another number
expect 0 "$damage" --formats wwd --kinds wrong_count -o kept "$lvl" files
"$lvl" check --json --no-art kept/wwd/wrong_count/*.wwd >found
grep -qE 'wwd\.(count\.hides|[a-z_]+\.(cut|shape|length|skipped))' found || fail "no count of the WWD is wrong: $(cat found)"

expect 0 "$damage" --kinds 'wrong_count|text_mode' "$lvl" ./worse files
[ "$(awk 'NR > 1 { print $2 }' out | sort -u)" = text_mode ] || fail "expected rows of text_mode only"
grep -qE '^wwd +text_mode .* -[0-9.]+$' out || fail "the comparison does not show what the worse build loses"
expect 2 "$damage" "$lvl"
finish
