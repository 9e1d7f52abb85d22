#!/bin/sh
# The page of `lvl diff --html' in a real browser: its script and style run under its policy, a level's texts do not;
# light, dark, and each of the views are different pictures.
set -eu
lvl=${LVL:?}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || :)
if [ -z "$browser" ]; then
    echo "test_cli_review_slow: skipped: no chromium; scripts/setup --long installs it"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
samples=${LVL_SAMPLES:?}
unset LVL_ART

fail() {
    echo "test_cli_review_slow: $*" >&2
    exit 1
}
# browse PAGE OPTION...
browse() {
    page=$1
    shift
    rm -rf "$dir/profile"
    mkdir "$dir/profile"
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$dir/profile" --window-size=1200,1600 "$@" "file://$page" 2>>"$dir/log" || fail "chromium failed: $(tail -5 "$dir/log")"
}
shot() { # PAGE PNG OPTION...
    shot_page=$1 png=$2
    shift 2
    browse "$shot_page" --screenshot="$png" "$@" >/dev/null
    [ "$(od -An -tx1 -N4 "$png" | tr -d ' ')" = 89504e47 ] || fail "no screenshot of $shot_page"
}

mkdir "$dir/a" "$dir/b"
bad='</pre><script>document.title="hacked"</script><img src=x onerror="document.title=1">'
cp "$samples/wwd/cliffs.wwd" "$dir/a/level.wwd"
"$lvl" set "$dir/a/level.wwd" 'planes[4].tiles[5,5 9,8]=3' 'planes[4].objects[0].x+=40' -o "$dir/b/level.wwd"
cp "$samples/sketchy/hill-v4.level" "$dir/a"
"$lvl" set "$dir/a/hill-v4.level" "title=$bad" 'layers[0].chunks["0,0"].pixels[25,25 60,40]=1' -o "$dir/b/hill-v4.level"
printf 'GLEVNW01\nSIGN 1 2\nold\nSIGNEND\n' >"$dir/a/sign.nw"
printf 'GLEVNW01\nSIGN 1 2\n%s\nSIGNEND\n' "$bad" >"$dir/b/sign.nw"
code=0
"$lvl" diff -q "$dir/a" "$dir/b" --html "$dir/page.html" || code=$?
[ $code = 1 ] || fail "lvl diff: $code"

# the script runs (it sets the slider), nothing else does; all pictures decode
browse "$dir/page.html" --dump-dom >"$dir/dom"
[ "$(grep -c 'style="--at: 50%;"' "$dir/dom")" -ge 2 ] || fail "the script did not run"
if grep -q '<title>hacked\|<img src="x"' "$dir/dom"; then fail "a text of a level ran"; fi
[ "$(grep -c '<script>' "$dir/dom")" = 1 ] || fail "more than one script in the page"
grep -q 'document.title=' "$dir/dom" || fail "the hostile text is not shown as text"

# the style counts: dark is not light; each view is another picture; a page whose style was changed has none
shot "$dir/page.html" "$dir/light.png" --blink-settings=preferredColorScheme=1
shot "$dir/page.html" "$dir/dark.png" --blink-settings=preferredColorScheme=0
if cmp -s "$dir/light.png" "$dir/dark.png"; then fail "dark looks as light does"; fi
for view in pair marked; do
    sed "s/class=\"as-slider\" checked/class=\"as-slider\"/; s/class=\"as-$view\"/class=\"as-$view\" checked/" \
        "$dir/page.html" >"$dir/$view.html"
    shot "$dir/$view.html" "$dir/$view.png" --blink-settings=preferredColorScheme=1
    if cmp -s "$dir/light.png" "$dir/$view.png"; then fail "the view $view looks as the slider does"; fi
done
sed 's/:root {/:root  {/' "$dir/page.html" >"$dir/other.html"
shot "$dir/other.html" "$dir/other.png" --blink-settings=preferredColorScheme=1
if cmp -s "$dir/light.png" "$dir/other.png"; then fail "the policy lets another style in"; fi
[ -z "${LVL_SHOTS:-}" ] || cp "$dir"/*.png "$LVL_SHOTS"
echo "test_cli_review_slow: ok"
