"""Compares what `lvl convert --to csv` and `--to ldtk` write with dumps: layers.py LVL FOLDER_OF_DUMPS FOLDER_OF_TABLES.

A dump is NAME.ENDING.json, its tables are NAME/LAYER.csv. The numbers of a layer are decoded here again, from the rows of the dump."""
import csv, json, os, re, sys


def cells_of(grid, names):
    rows = []
    for text in grid['rows']:
        row = []
        for word in text.split():
            value, _, count = word.partition('*')
            row += [names[value] if value in names else int(value, 0)] * int(count or 1)
        rows.append(row)
    return rows


def pixels_of(layer):
    """All squares of a layer: {(x, y): number}; of several at one place the first."""
    out, seen = {}, set()
    for chunk in layer.get('chunks', []):
        left, top = (int(n) for n in chunk['key'].split(','))
        if (left, top) in seen or 'pixels' not in chunk:
            continue
        seen.add((left, top))
        for y, row in enumerate(cells_of(chunk['pixels'], {'.': -1})):
            for x, n in enumerate(row):
                out[left * layer.get('size', 128) + x, top * layer.get('size', 128) + y] = n
    return out


def shows(rows, layer):
    """Whether a table has the pixels of a layer: from 0, 0, or from its lowest squares, to the page's end, or to one pixel before that of
    the last square."""
    px, size = pixels_of(layer), layer.get('size', 128)
    low = [min([0] + [p[axis] for p in px]) for axis in (0, 1)]
    high = [max([-1] + [p[axis] for p in px]) for axis in (0, 1)]
    for x0 in {0, low[0]}:
        for y0 in {0, low[1]}:
            if all(n == px.get((x0 + x, y0 + y), -1) for y, row in enumerate(rows) for x, n in enumerate(row)):
                ends = [x0 + len(rows[0]) - 1 if rows else -1, y0 + len(rows) - 1]
                paged = x0 == 0 and y0 == 0
                if not px or paged or all(ends[axis] >= high[axis] - 1 for axis in (0, 1)):
                    return True
    return False


def layers_of(dump):
    """(name, rows) of the layers with cells; rows of a drawing are looked up by their place."""
    doc, fmt = dump['doc'], dump['format']
    if fmt == 'wwd':
        return [(p.get('name', ''), cells_of(p['tiles'], {'.': -1, '#': -286331154}) if 'tiles' in p else []) for p in doc.get('planes', [])]
    return [(None, cells_of(p['tiles'], {'.': -1}) if 'tiles' in p else []) for p in doc.get('layers', [])]


def main():
    dumps, tables = sys.argv[1:3]
    checked = wrong = cells = 0
    for folder, _, files in os.walk(dumps):
        for name in sorted(files):
            dump = json.load(open(os.path.join(folder, name), encoding='utf-8'))
            if dump['format'] not in ('wwd', 'nw', 'graal', 'sketchy'):
                continue
            below = os.path.relpath(os.path.join(folder, name), dumps)
            below = below[:-len('.json')]
            place = os.path.join(tables, below)
            if not os.path.isdir(place):
                place = os.path.splitext(place)[0]
            names = os.listdir(place) if os.path.isdir(place) else []  # it has no layers
            found = {f: list(csv.reader(open(os.path.join(place, f), newline='', encoding='ascii'))) for f in names}
            found = {f: [[int(n) for n in row] for row in rows] for f, rows in found.items()}
            if dump['format'] == 'sketchy':
                layers = dump['doc'].get('layers', [])
                left = list(found.values())
                good = len(left) == len(layers)
                for layer in layers:
                    at = next((i for i, rows in enumerate(left) if shows(rows, layer)), None)
                    good = good and at is not None
                    if at is not None:
                        left.pop(at)
            else:
                want = sorted(json.dumps(rows) for _, rows in layers_of(dump))
                good = want == sorted(json.dumps(rows) for rows in found.values())
            checked += 1
            cells += sum(len(row) for rows in found.values() for row in rows)
            if not good:
                wrong += 1
                print('differs:', below)
    print('%d levels, %d cells, %d differ' % (checked, cells, wrong))
    return wrong > 0


sys.exit(main())
