# scripts/games makes the tables that the build has, the same each time, and names what is wrong in a book. The book knows each field
# that a dialog of WapMap edits, and Tiled's classes have those that the game reads.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

scripts/games "$work/tables.c" data/games/*.json
# The tables of the build that made the command.
built=$(dirname "$LVL")/generated/games.c
[ -f src/games/tables.c ] && built=src/games/tables.c
[ ! -f "$built" ] || cmp "$built" "$work/tables.c" || fail "$built is not what data/games makes; build again"

# A book with one change: what is wrong is named, and no tables are written.
book=claw
refused() { # text before, text after, message
    python3 - "$1" "$2" "$work/$book.json" <<'END'
import os, sys
text = open("data/games/" + os.path.basename(sys.argv[3]), encoding="utf-8").read()
assert sys.argv[1] in text, sys.argv[1]
open(sys.argv[3], "w", encoding="utf-8").write(text.replace(sys.argv[1], sys.argv[2], 1))
END
    rm -f "$work/no.c"
    if scripts/games "$work/no.c" "$work/$book.json" 2>"$work/message"; then
        fail "accepted: $2"
    elif ! grep -q "$3" "$work/message" || [ -e "$work/no.c" ]; then
        fail "expected \"$3\", found: $(cat "$work/message")"
    fi
}
refused '"uses": ["sound", "volume"' '"uses": ["sounds", "volume"' 'there is no part "sounds"'
refused '"kind": "boss"' '"kind": "chief"' '"chief" is no kind'
refused '"zero": "group"' '"zero": "groups"' '"groups" is unknown'
refused '"when_0"' '"when0"' 'unknown key "when0"'
refused '= 32|60' '~ 32|60' 'expected FIELD = VALUE'
refused '"things": "TProjectile", "if": "animation' '"things": "Projectile", "if": "animation' 'there is no thing "Projectile"'
refused '"severity": "note", "effect": "wrong", "text": "A boss without' '"severity": "error", "effect": "wrong", "text": "A boss without' 'must be seen in code'
refused '"engine": ["AmuletGemLogic"' '"engine": ["Officer"' 'is in "things" and in "others"'
book=graal
refused '"args": "level dx dy"' '"args": "levels dx dz"' 'there is no argument "dz"'
book=sketchy
refused '"receives": ["power"]' '"receives": ["powers"]' 'there is no message "powers"'
refused '"options": {"unlocked": false}' '"options": {"locked": false}' 'there is no option "locked"'
refused '"needs": "key-blue.doodad"' '"needs": "key-pink.doodad"' 'needs: "key-pink.doodad" is unknown'

# A rule that code reports is named in the code, and the code names no other.
python3 - data/games/*.json <<'END' || fail "rules in data/games and in the code differ"
import glob, json, re, sys
rules = [rule for path in sys.argv[1:] for rule in json.load(open(path, encoding="utf-8")).get("rules", [])]
games = "|".join(sorted({rule["id"].split(".")[0] for rule in rules}))
code = {id for path in glob.glob("src/**/*rules.c", recursive=True) for id in re.findall(r'"((?:%s)\.[a-z_.]+)"' % games, open(path).read())}
book = {rule["id"] for rule in rules if rule.get("by") == "code"}
for id in sorted(code ^ book):
    print(id, "is only in the", "code" if id in code else "book")
sys.exit(code != book)
END

# What the 27 dialogs of Claw's editor edit (tests/support/dialogs.json; tests/web/panel.mjs is about the page's panel).
"$LVL" tiled --project "$work/p.tiled-project" >"$work/message"
python3 - "$work/p.tiled-project" <<'END' || fail "fields of dialogs that the book or Tiled's classes lack"
import json, sys
book = json.load(open("data/games/claw.json", encoding="utf-8"))
classes = {t["name"]: {m["name"]: m for m in t["members"]} for t in json.load(open(sys.argv[1]))["propertyTypes"] if t["type"] == "class"}
# What Tiled, as the panel, shows of each object by the format's table.
always = "logic image_set animation i z draw_flags".split()

def plain(text):
    return [name[:-1] + side if name.endswith(".*") else name for name in text.split()
            for side in ("left top right bottom".split() if name.endswith(".*") else [""])]

faults = []
for row in json.load(open("tests/support/dialogs.json")):
    for thing in row["things"].split():
        uses = [book["parts"][u] if isinstance(u, str) else u for u in book["things"][thing].get("uses", [])]
        used = {}
        for use in uses:
            for name in plain(use["fields"] if isinstance(use["fields"], str) else " ".join(use["fields"])):
                used.setdefault(name, use)
        for name in plain(row["fields"]):
            if name in always:
                continue
            if name not in used:
                faults.append("the book does not say what %s of %s is" % (name, thing))
            elif used[name].get("unread"):
                continue
            elif name not in classes.get(thing, {}):
                faults.append("Tiled's class %s has no %s" % (thing, name))
            elif name in plain(row.get("chosen", "")) and used[name].get("value") in book["values"] and \
                    "unit" not in used[name] and "propertyType" not in classes[thing][name]:
                faults.append("Tiled's class %s: nothing to choose for %s" % (thing, name))
print("\n".join(faults))
sys.exit(bool(faults))
END
exit $failed
