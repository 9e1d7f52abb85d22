#!/bin/sh
# The page of `lvl diff --html' in a real browser: its script and style run under its policy, texts of a level do not; light, dark, and each
# view are different pictures.
. "$(dirname "$0")/support/shell.sh"
set -e
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || :)
if [ -z "$browser" ]; then
    echo "test_cli_review_slow: skipped: no chromium; scripts/setup --long installs it"
    exit 77
fi

# browse PAGE OPTION...
browse() {
    page=$1
    shift
    rm -rf "$t/profile"
    mkdir "$t/profile"
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$t/profile" --window-size=1200,1600 "$@" "file://$page" 2>>"$t/log" || fail "chromium failed: $(tail -5 "$t/log")"
}
shot() { # PAGE PNG OPTION...
    shot_page=$1 png=$2
    shift 2
    browse "$shot_page" --screenshot="$png" "$@" >/dev/null
    [ "$(od -An -tx1 -N4 "$png" | tr -d ' ')" = 89504e47 ] || fail "no screenshot of $shot_page"
}

mkdir "$t/a" "$t/b"
bad='</pre><script>document.title="hacked"</script><img src=x onerror="document.title=1">'
cp "$samples/wwd/cliffs.wwd" "$t/a/level.wwd"
"$lvl" set "$t/a/level.wwd" 'planes[4].tiles[5,5 9,8]=3' 'planes[4].objects[0].x+=40' -o "$t/b/level.wwd"
cp "$samples/sketchy/hill-v4.level" "$t/a"
"$lvl" set "$t/a/hill-v4.level" "title=$bad" 'layers[0].chunks["0,0"].pixels[25,25 60,40]=1' -o "$t/b/hill-v4.level"
printf 'GLEVNW01\nSIGN 1 2\nold\nSIGNEND\n' >"$t/a/sign.nw"
printf 'GLEVNW01\nSIGN 1 2\n%s\nSIGNEND\n' "$bad" >"$t/b/sign.nw"
code=0
"$lvl" diff -q "$t/a" "$t/b" --html "$t/page.html" || code=$?
[ $code = 1 ] || fail "lvl diff: $code"

# the script runs (it sets the slider), nothing else does; all pictures decode
browse "$t/page.html" --dump-dom >"$t/dom"
[ "$(grep -c 'style="--at: 50%;"' "$t/dom")" -ge 2 ] || fail "the script did not run"
if grep -q '<title>hacked\|<img src="x"' "$t/dom"; then fail "a text of a level ran"; fi
[ "$(grep -c '<script>' "$t/dom")" = 1 ] || fail "more than one script in the page"
grep -q 'document.title=' "$t/dom" || fail "the hostile text is not shown as text"

# the page of a merge's conflicts: the choices stand in the command
"$lvl" set "$t/a/level.wwd" author=me 'planes[4].objects[0].x+=20' -o "$t/me.wwd"
"$lvl" set "$t/a/level.wwd" author=you 'planes[4].objects[0].x-=20' -o "$t/you.wwd"
code=0
"$lvl" merge -q "$t/a/level.wwd" "$t/me.wwd" "$t/you.wwd" --html "$t/conflicts.html" 2>/dev/null || code=$?
[ $code = 1 ] || fail "lvl merge --html: $code"
sed 's/id="c2-0" value="1" checked/id="c2-0" value="1"/; s/id="c2-2" value="3"/& checked/' "$t/conflicts.html" >"$t/chosen.html"
browse "$t/chosen.html" --dump-dom >"$t/dom"
grep -q '<b id="choices">13</b>' "$t/dom" || fail "the page does not put the choices into the command"
shot "$t/chosen.html" "$t/conflicts.png"

# the style counts: dark is not light; each view is another picture; a page whose style was changed has none
shot "$t/page.html" "$t/light.png" --blink-settings=preferredColorScheme=1
shot "$t/page.html" "$t/dark.png" --blink-settings=preferredColorScheme=0
if cmp -s "$t/light.png" "$t/dark.png"; then fail "dark looks as light does"; fi
for view in pair marked; do
    sed "s/class=\"as-slider\" checked/class=\"as-slider\"/; s/class=\"as-$view\"/class=\"as-$view\" checked/" \
        "$t/page.html" >"$t/$view.html"
    shot "$t/$view.html" "$t/$view.png" --blink-settings=preferredColorScheme=1
    if cmp -s "$t/light.png" "$t/$view.png"; then fail "the view $view looks as the slider does"; fi
done
sed 's/:root {/:root  {/' "$t/page.html" >"$t/other.html"
shot "$t/other.html" "$t/other.png" --blink-settings=preferredColorScheme=1
if cmp -s "$t/light.png" "$t/other.png"; then fail "the policy lets another style in"; fi
[ -z "${LVL_SHOTS:-}" ] || cp "$t"/*.png "$LVL_SHOTS"
finish
