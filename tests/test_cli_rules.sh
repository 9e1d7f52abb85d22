#!/bin/sh
# Things of one's own (`--rules FILE`) move as those of the game: each thing of a game's book is described once more, as a
# CustomLogic, and a level whose objects are these is moved and resized as the same level with the game's own.
. "$(dirname "$0")/support/shell.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
books=$(dirname "$here")/data/games

cat >twin.py <<'END'
"""twin.py rules BOOK: the book's things as CustomLogic/NAME. twin.py to|from DUMP: its objects become these, or are again the game's."""
import json, sys
how, path = sys.argv[1:3]
data = json.load(open(path, encoding="utf-8"))
if how == "rules":
    keys = "fields moves zero follows shape if unread value text word when_0 range note sure unit".split()
    use = lambda u: u if isinstance(u, str) else {k: v for k, v in u.items() if k in keys}
    things = {"CustomLogic/" + name: {"kind": thing["kind"], "uses": [use(u) for u in thing["uses"]]}
              for name, thing in data["things"].items() if thing.get("uses") and thing["kind"] != "engine"}
    data = {"format": data["format"], "game": data["game"], "parts": {name: use(u) for name, u in data["parts"].items()}, "things": things}
else:
    for plane in data["doc"]["planes"]:
        for one in plane.get("objects", []):
            if how == "to" and one.get("logic"):
                one["name"], one["logic"] = one["logic"], "CustomLogic"
            elif how == "from" and one.get("logic") == "CustomLogic":
                one["logic"] = one.pop("name")
json.dump(data, sys.stdout)
END
plain() { "$lvl" dump --no-kept -o - "$1"; }

# game.wwd: the level, with objects without names; twin.wwd: the same with things of one's own; rules.json; $things, the path of objects
# that may move, $region, tiles that may; and $size, a larger one.
pair() { # level
    "$lvl" dump --no-kept -y -o dump.json "$1" 2>err || fail "dump $1"
    things=$(python3 - dump.json <<'END'
import json, sys
path = sys.argv[1]
data = json.load(open(path, encoding="utf-8"))
planes = data["doc"]["planes"]
for plane in planes:
    for one in plane.get("objects", []):
        one.pop("name", None)
json.dump(data, open(path, "w", encoding="utf-8"))
most = max(range(len(planes)), key=lambda i: len(planes[i].get("objects", [])))
tiles = planes[most]["tiles"]
w, h = tiles["width"], tiles["height"]
print("planes[%d].objects[x>=200,x<=%d,y>=200,y<=%d] %d,%d,%d,%d %dx%d" % (most, w * 32 - 200, h * 32 - 200, w // 4, h // 4, w // 2, h // 2, w + 9, h + 6))
END
    )
    size=${things##* } things=${things% *}
    region=${things##* } things=${things% *}
    game=$("$lvl" info --json "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["game"].lower())')
    python3 twin.py rules "$books/$game.json" >rules.json
    python3 twin.py to dump.json >twin.json
    "$lvl" undump -y dump.json -o game.wwd -q && "$lvl" undump -y twin.json -o twin.wwd -q || fail "undump $1"
}

# Runs lvl with FILE as either level; the results are the same, and not what they were.
alike() { # what, arguments
    what="$level: $1"
    shift
    for one in game twin; do
        args=
        for word in "$@"; do
            [ "$word" != FILE ] || word=$one.wwd
            args="$args '$word'"
        done
        eval "expect 0 \"\$lvl\" $args --rules rules.json -o $one-out.wwd -y"
        "$lvl" dump --no-kept -y -o "$one-out.json" "$one-out.wwd" -q || fail "$what: no result"
    done
    python3 twin.py from twin-out.json >back.json
    python3 - game-out.json back.json dump.json <<'END' || fail "$what: things of one's own are treated in another way"
import json, sys
docs = [json.load(open(path, encoding="utf-8"))["doc"] for path in sys.argv[1:]]
sys.exit(docs[0] != docs[1] or docs[0] == docs[2])
END
}

try_level() {
    level=$1
    pair "$level"
    alike move move FILE "$things" 64,128
    alike "move by a tile and back" move FILE "$things" -64,-64
    alike resize resize --size "$size" --anchor bottom-right FILE
    alike copy copy FILE "$things" FILE --by 64,64
    alike region move --tiles "$region" FILE 2,1
}

try_level "$samples/wwd/cliffs.wwd"
for with in "" "--rules rules.json"; do
    expect 0 "$lvl" render twin.wwd --overlay patrol --scale 1/4 $with -o "twin${with:+2}.png" -y
done
! cmp -s twin.png twin2.png || fail "nothing of one's own is drawn"
expect 0 "$lvl" move twin.wwd "$things" 64,128 -o without.wwd -y
! cmp -s without.wwd twin-out.wwd || fail "nothing of one's own moves"
if [ -n "$corpus" ]; then
    find "$corpus/wwd" -iname '*retail*.wwd' ! -iname '*badsig*' | sort | head -n 1 >levels
    "$lvl" info --json "$corpus/wwd" 2>err | sed -n 's/.*"file":"\([^"]*\)".*"game":"Gruntz".*/\1/p' >>levels
    while read -r level; do try_level "$level"; done <levels
else
    no_corpus
fi

expect 3 "$lvl" move twin.wwd "$things" 64,0 --rules missing.json -n
printf '{"format": "wwd", "things": {"CustomLogic/A": {"kind": "enemy", "uses": [{"fields": "name", "moves": "px", "zero": "each"}]}}}' >wrong.json
expect 2 "$lvl" move twin.wwd "$things" 64,0 --rules wrong.json -n
err_has 'wrong.json:1:'
# what is no file of rules
head -c 1100000 /dev/zero >large.json
expect 2 "$lvl" check twin.wwd --rules large.json
err_has "large.json: too many rules"
if [ -z "$windows" ] && mkfifo fifo 2>/dev/null && command -v timeout >/dev/null; then
    expect 3 timeout 10 "$lvl" check twin.wwd --rules fifo
    err_has "found a pipe"
fi
finish
