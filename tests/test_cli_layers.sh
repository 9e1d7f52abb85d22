#!/bin/sh
# `lvl convert --to csv` and `--to ldtk`: the tables are the cells of the dumps, the pictures what `lvl render' draws, collision and things what
# the document says.
. "$(dirname "$0")/support/shell.sh"

expect 0 "$lvl" dump "$samples/graal/lakeside" "$samples/graal/versions" "$samples/wwd" "$samples/sketchy/hill-v1.level" "$samples/sketchy/hill-v4.level" \
    "$samples/sketchy/chunk-1.level" "$samples/sketchy/lantern.doodad" "$samples/small" -o dumps -q
"$lvl" convert "$samples/graal/lakeside" "$samples/graal/versions" "$samples/wwd" "$samples/sketchy/hill-v1.level" "$samples/sketchy/hill-v4.level" \
    "$samples/sketchy/chunk-1.level" "$samples/sketchy/lantern.doodad" "$samples/small" --to csv -o tables -q >csv.out 2>csv.err
code=$?
[ $code -le 1 ] || fail "--to csv: $code $(cat csv.err)"
python3 "$here/support/layers.py" dumps tables >compared || fail "tables: $(cat compared)"
grep -q '^[3-9][0-9] levels' compared || fail "few levels: $(cat compared)"

# pictures are what render draws
export LVL_ART="$samples/graal:$samples/wwd"
expect 0 "$lvl" convert "$samples/graal/lakeside" "$samples/wwd/cliffs.wwd" "$samples/sketchy/hill-v1.level" --to ldtk -o export -q
for level in graal/lakeside/lake_village.nw:export/lakeside/lake_village wwd/cliffs.wwd:export/cliffs sketchy/hill-v1.level:export/hill-v1; do
    file=$samples/${level%%:*} folder=${level#*:}
    expect 0 "$lvl" render "$file" --hide objects -o whole.png -y -q
    same whole.png "$folder/_composite.png"
    python3 - "$folder" >pictures <<'END' || fail "data.json of $folder"
import json, os, sys
data = json.load(open(sys.argv[1] + '/data.json', encoding='utf-8'))
assert sorted(data['layers'] + ['_composite.png']) == sorted(f for f in os.listdir(sys.argv[1]) if f.endswith('.png')), data['layers']
print('\n'.join(data['layers']))
END
    [ -s pictures ] || fail "no pictures in $folder"
    number=0
    while read -r picture; do
        case $level in *hill*) plane=$number ;; *) plane=${picture%.png} ;; esac
        expect 0 "$lvl" render "$file" --plane "$plane" --hide objects --transparent -o layer.png -y -q
        same layer.png "$folder/$picture"
        number=$((number + 1))
    done <pictures
done

# collision by the document's own words, things by its lists
expect 0 "$lvl" dump "$samples/wwd/cliffs.wwd" -o cliffs.json
expect 0 "$lvl" dump "$samples/sketchy/hill-v1.level" -o hill.json
expect 0 "$lvl" dump "$samples/graal/lakeside/lake_meadow.nw" -o meadow.json
expect 0 "$lvl" convert "$samples/wwd/cliffs.wwd" "$samples/sketchy/hill-v1.level" --to csv -o tables2 -q
python3 - >problems <<'END' || fail "collision and things: $(cat problems)"
import csv, json


def table(path, tail=True):
    rows = list(csv.reader(open(path, newline='')))
    assert all((row[-1] == '') == tail for row in rows), path
    return [[int(n) for n in row if n != ''] for row in rows]


# Claw: the property of the tile at the centre of a square of 8 px
doc = json.load(open('cliffs.json'))['doc']
data = json.load(open('export/cliffs/data.json'))
numbers = {name: int(n) for n, name in data['customFields']['collisionValues'].items()}
numbers['clear'] = 0
props = doc['tile_properties']
tiles, found = table('tables2/cliffs/Action.csv', False), table('export/cliffs/Collision.csv')
assert len(found) == len(tiles) * 8 and data['customFields']['collisionGrid'] == 8, len(found)
seen = set()
for y, row in enumerate(found):
    assert len(row) == len(tiles[0]) * 8
    for x, n in enumerate(row):
        tile = tiles[y // 8][x // 8]
        p = props[tile] if 0 <= tile < len(props) else {}
        kind = p.get('attribute', 'clear')
        if p.get('type') == 'double':
            at, rect = (x % 8 * 8 + 4, y % 8 * 8 + 4), p.get('rect', {})
            inside = rect.get('left', 0) <= at[0] <= rect.get('right', 0) and rect.get('top', 0) <= at[1] <= rect.get('bottom', 0)
            kind = p.get('inside' if inside else 'outside', 'clear')
        if p.get('type') == 'mask':
            row_of = p['mask']['rows'][y % 8 * 8 + 4].split()
            bits = [w.split('*')[0] for w in row_of for _ in range(int((w.split('*') + ['1'])[1]))]
            kind = 'clear' if bits[x % 8 * 8 + 4] == '0' else 'other'
        assert n == numbers[kind], (x, y, tile, kind, n)
        seen.add(kind)
assert len(seen) > 3, seen
objects = [o for plane in doc['planes'] for o in plane.get('objects', [])]
things = [e for kind, list in data['entities'].items() for e in list if kind != 'Start']
assert len(things) == len(objects)
assert sorted((e['x'], e['y'], e['id']) for e in things) == sorted((o.get('x', 0), o.get('y', 0), o.get('logic', 'object')) for o in objects)
assert all(e['customFields'] in objects for e in things)
assert len({e['iid'] for e in things}) == len(things)
start = data['entities']['Start'][0]
assert (start['x'], start['y']) == (doc['start_x'], doc['start_y'])

# Sketchy Maze: the flags of the swatch of each pixel
doc = json.load(open('hill.json'))['doc']
data = json.load(open('export/hill-v1/data.json'))
names = {int(n): name for n, name in data['customFields']['collisionValues'].items()}
pixels, found = table('tables2/hill-v1/drawing.csv', False), table('export/hill-v1/Collision.csv')
assert [len(r) for r in pixels] == [len(r) for r in found] == [data['width']] * data['height']
seen = set()
for row, has in zip(pixels, found):
    for swatch, n in zip(row, has):
        s = doc['swatches'][swatch] if swatch >= 0 else {}
        # of several flags, the one that a player feels most
        allowed = [k for k in ('solid', 'semisolid', 'fire', 'water', 'slippery') if s.get(k)]
        assert names.get(n) in allowed if allowed else n == 0, (swatch, n, s)
        seen.add(names.get(n))
assert len(seen) > 3, seen

# Graal: the things of all lists, in px
doc = json.load(open('meadow.json'))['doc']
data = json.load(open('export/lakeside/lake_meadow/data.json'))
assert {k: len(v) for k, v in data['entities'].items()} == {'link': len(doc['links']), 'npc': len(doc['npcs']), 'sign': len(doc['signs'])}
link = data['entities']['link'][0]
assert (link['x'], link['width']) == (doc['links'][0].get('x', 0) * 16, doc['links'][0]['width'] * 16)
found = table('export/lakeside/lake_meadow/Collision.csv')
assert len(found) == 64 and all(len(row) == 64 for row in found) and len({n for row in found for n in row}) > 2
END

# names of folders and layers; what is no level
mkdir two
cp "$samples/graal/lakeside/lake_mill.nw" two/a.nw
cp "$samples/graal/lakeside/frost_pass.graal" two/a.graal
cp "$samples/graal/lakeside/lakeside.gmap" "$samples/graal/cat.png" two
expect 0 "$lvl" convert two --to csv -o named
[ "$(cd named && echo *)" = 'a.graal a.nw' ] || fail "folders of levels with one name: $(ls named)"
expect 1 "$lvl" convert two/lakeside.gmap --to csv -o named
err_has 'expected a level with layers'
expect 1 "$lvl" convert "$samples/sketchy/lantern.doodad" --to ldtk -o named
err_has 'expected a level'
expect 2 "$lvl" convert two/a.nw --to ldtk
err_has '-o DIR gets a folder for each level'
expect 3 "$lvl" convert two/a.nw --to csv -o named/a.nw/board.csv
"$lvl" set "$samples/wwd/cliffs.wwd" 'planes[0].name=../up/.' 'planes[1].name=ACTION' 'planes[2].name=a:b?' 'planes[3].name=' -o odd.wwd -q
expect 0 "$lvl" convert odd.wwd --to csv -o odd
(cd odd/odd && for file in *; do echo "$file"; done) >names
is names 'ACTION.csv
Action~4.csv
Front.csv
_.._up_._.csv
a_b_.csv
plane 3.csv' 'names of layers'
# a name with a number may be that of another layer
expect 0 "$lvl" set odd.wwd 'planes[0].name=b~3' 'planes[1].name=b' 'planes[3].name=B' -o numbers.wwd -q
expect 0 "$lvl" convert numbers.wwd --to csv -o numbers
for name in b~3 b B~3~3; do [ -s "numbers/numbers/$name.csv" ] || fail "names with numbers: $(ls numbers/numbers)"; done
# nor that of the picture of all
expect 0 "$lvl" set odd.wwd 'planes[0].name=_Composite' -o composite.wwd -q
expect 0 "$lvl" convert composite.wwd --to ldtk -o composite -q
[ -s composite/composite/_Composite~0.png ] || fail "a layer that is called like the picture of all: $(ls composite/composite)"
# nothing is replaced without -y, and one line says so
expect 3 "$lvl" convert odd.wwd --to csv -o odd
err_has '6 files already exist below odd; -y replaces them'
expect 0 "$lvl" convert odd.wwd --to csv -o odd -y
# a drawing that is far away is not a table of 2^60 numbers
printf '{"lvl":1,"format":"sketchy","encoding":"utf-8","doc":{"generation":"v1","page_type":"unbounded","layers":[{"size":64,"chunks":[{"key":"-9000000,0","pixels":{"width":64,"height":64,"rows":[%s".*64"]}},{"key":"9000000,9000000","pixels":{"width":64,"height":64,"rows":[%s".*64"]}}]}]}}' \
    "$(printf '".*64",%.0s' $(seq 63))" "$(printf '".*64",%.0s' $(seq 63))" >far.json
expect 0 "$lvl" undump far.json -o far.level
expect 1 "$lvl" convert far.level --to csv -o far
err_has 'limit'
finish
