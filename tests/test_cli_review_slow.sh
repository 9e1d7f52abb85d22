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

# gives the page a policy that allows its script as it is now
rehash() {
    script=$(sed -n '/^<script>/,/<\/script>$/p' "$1")
    hash=$(printf '%s\n' "$script" | sed '1s/^<script>//' | sed '$s/<\/script>$//' | head -c -1 | sha256sum | cut -d' ' -f1 | xxd -r -p | base64)
    sed -i "s|script-src '[^']*'|script-src 'sha256-$hash'|" "$1"
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

# the script shows the document; nothing else runs, and no text is an element; all of it is the page's own
browse "$t/page.html" --dump-dom >"$t/dom"
for text in '<title>.*/a → .*/b</title>' '<p class="dim">3 files compared: 3 changed, 0 added, 0 removed</p>' '<li><a href="#f0">hill-v4.level</a> *<span class="badge changed">' \
    '<article id="f2">' 'signs\[0\].text (sign .*): "old" → "&lt;/pre&gt;&lt;script&gt;' 'planes\[4\].objects\[0\].x (object "BehindCandy"): 1526 → 1566' \
    'planes\[4\].tiles (plane "Action"): 19 cells changed, at 5,5: 5 × 4' '<figcaption>before, after: ' 'WAP32 level'; do
    grep -q -- "$text" "$t/dom" || fail "the page does not show $text"
done
[ "$(grep -o 'style="--at: 50%;"' "$t/dom" | wc -l)" -ge 2 ] || fail "the script did not run"
[ "$(grep -o '<img [^>]*src="data:image/png;base64,' "$t/dom" | wc -l)" -ge 8 ] || fail "pictures are missing"
if grep -q '<title>hacked\|<img src="x"\|onerror="' "$t/dom"; then fail "a text of a level ran"; fi
[ "$(grep -o '<script' "$t/dom" | wc -l)" = 2 ] || fail "more than one script in the page"
elements() { grep -o '<[a-zA-Z][^ >]*' "$1" | sort -u; }
elements "$t/dom" >"$t/hostile"
sed 's/u003c\/pre>u003cscript>/harmless/g; s/\\u003c/x/g' "$t/page.html" >"$t/harmless.html"
browse "$t/harmless.html" --dump-dom >"$t/harmless.dom"
elements "$t/harmless.dom" | cmp - "$t/hostile" || fail "a text of a level is an element"

# the page of a merge's conflicts: the choices stand in the command
"$lvl" set "$t/a/level.wwd" 'author=<i>me' 'planes[4].objects[0].x+=20' -o "$t/me.wwd"
"$lvl" set "$t/a/level.wwd" author=you 'planes[4].objects[0].x-=20' -o "$t/you.wwd"
code=0
"$lvl" merge -q "$t/a/level.wwd" "$t/me.wwd" "$t/you.wwd" --html "$t/conflicts.html" 2>/dev/null || code=$?
[ $code = 1 ] || fail "lvl merge --html: $code"
sed 's/"chosen":\[\]/"chosen":[1,3]/' "$t/conflicts.html" >"$t/chosen.html"
browse "$t/chosen.html" --dump-dom >"$t/dom"
for text in '<b id="choices">13</b>' '<h2>Conflict 2</h2>' 'ours "&lt;i&gt;me"' 'base 1526, ours 1546, theirs 1506' 'alt="theirs"' '<p class="dim">2 conflicts</p>' \
    "lvl merge --choices=.*'--output=.*/me-merged.wwd'"; do
    grep -q -- "$text" "$t/dom" || fail "the page of conflicts does not show $text"
done
[ "$(grep -o 'name="c[0-9]*"' "$t/dom" | wc -l)" = 6 ] || fail "three choices for each of the two conflicts"
shot "$t/chosen.html" "$t/conflicts.png"
# the values of a conflict are shown, and one that a side does not have
sed 's/"theirs":"1506"/"theirs":null/' "$t/conflicts.html" >"$t/values.html"
browse "$t/values.html" --dump-dom >"$t/dom"
grep -q '<dt>base</dt><dd>1526</dd><dt>ours</dt><dd>1546</dd><dt>theirs</dt><dd>(absent)</dd>' "$t/dom" || fail "the values of a conflict"

# nothing is wider than a phone, with or without a scroll bar
cat >"$t/width.html" <<'END'
<!doctype html><title>-</title><iframe src="page.html" width="390" height="800" style="border:0"></iframe><script>
addEventListener("load", () => { const d = document.querySelector("iframe").contentDocument.documentElement;
  document.title = "width " + d.scrollWidth; });
</script>
END
for page in page conflicts; do
    sed "s/page.html/$page.html/" "$t/width.html" >"$t/width-$page.html"
    browse "$t/width-$page.html" --allow-file-access-from-files --dump-dom >"$t/dom"
    grep -qE '<title>width (390|375)</title>' "$t/dom" || fail "$page at 390 px: $(grep -o '<title>[^<]*' "$t/dom")"
done

# the style counts: dark is not light; each view is another picture; a page whose style was changed has none
shot "$t/page.html" "$t/light.png" --blink-settings=preferredColorScheme=1
shot "$t/page.html" "$t/dark.png" --blink-settings=preferredColorScheme=0
if cmp -s "$t/light.png" "$t/dark.png"; then fail "dark looks as light does"; fi
for view in pair marked; do
    # with the hash of the script that begins with this view
    sed "s/\"Slider\", true,/\"Slider\", false,/; /\"as-$view\"/s/, false, \"as-$view\"/, true, \"as-$view\"/" "$t/page.html" >"$t/$view.html"
    rehash "$t/$view.html"
    shot "$t/$view.html" "$t/$view.png" --blink-settings=preferredColorScheme=1
    if cmp -s "$t/light.png" "$t/$view.png"; then fail "the view $view looks as the slider does"; fi
done
sed 's/:root {/:root  {/' "$t/page.html" >"$t/other.html"
shot "$t/other.html" "$t/other.png" --blink-settings=preferredColorScheme=1
if cmp -s "$t/light.png" "$t/other.png"; then fail "the policy lets another style in"; fi
[ -z "${LVL_SHOTS:-}" ] || cp "$t"/*.png "$LVL_SHOTS"
finish
