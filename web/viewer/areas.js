/* Rectangles of the selected thing that can be resized on the map: its own size, boxes around it, its range. */
import {namesWith, placeIn, tableFor} from './tables.js';

const grip = 7; /* px of the window around a handle */

/* The rectangles of a thing (`of`), in px of the picture. `opened`: the record that the panel shows. */
export async function areasOf(app, thing, opened) {
  const table = thing?.path && app.doc.can.includes('write') && tableFor(app.format, thing.path);
  const place = table && placeIn(app, table);
  if (!place) return [];
  const record = await app.ask('get', thing.path);
  if (!record) return [];
  const areas = [];
  const [ox, oy] = app.gameOrigin;
  const [px, py] = place.map(axis => axis.px);
  const box = namesWith(table, 'x', 'y', 'width', 'height');
  if (box) {
    const of = box.map(name => record[name]);
    const rect = [of[0] * px - ox, of[1] * py - oy, of[2] * px, of[3] * py];
    /* What is drawn may have another size. */
    if (String(rect) === String(app.rectOf(thing))) areas.push({name: 'size', of: thing.path, rect, axes: [1, 1], set: ([x, y, w, ht]) => {
      const [sx, sy] = place.map(axis => axis.px * axis.step);
      const at = (v, unit, origin) => Math.round((v + origin) / unit) * unit;
      const [left, top] = [at(x, sx, ox), at(y, sy, oy)];
      const [right, bottom] = [at(x + w, sx, ox), at(y + ht, sy, oy)];
      return [left / px, top / py, Math.max(sx, right - left) / px, Math.max(sy, bottom - top) / py]
        .map((v, i) => `${thing.path}.${box[i]}=${v}`);
    }});
  }
  const inner = opened?.startsWith(`${thing.path}.`) ? opened.slice(thing.path.length + 1) : '';
  const field = table.fields.find(f => f.name === inner && f.kind === 'record');
  const edges = ['left', 'top', 'right', 'bottom'];
  const names = field && namesWith(app.format.tables[field.table], ...edges);
  const origin = namesWith(table, 'x', 'y')?.map(name => record[name]);
  if (names && origin) {
    const [l, t, r, b] = names.map(name => record[inner][name]);
    const rect = l || t || r || b ? [l + origin[0] - ox, t + origin[1] - oy, r - l + 1, b - t + 1] : app.rectOf(thing);
    areas.push({name: inner, of: thing.path, rect, axes: [1, 1], set: ([x, y, w, ht]) => {
      const [left, top] = [Math.round(x + ox - origin[0]), Math.round(y + oy - origin[1])];
      const values = [left, top, left + Math.max(1, Math.round(w)) - 1, top + Math.max(1, Math.round(ht)) - 1];
      return names.map((name, i) => `${opened}.${name}=${values[i]}`);
    }});
  }
  const range = inner ? undefined : namesWith(table, ...edges);
  const [left, top, right, bottom] = range?.map(name => record[name]) ?? [];
  if (right > left || bottom > top) {
    const axes = [+(right > left), +(bottom > top)];
    const own = app.rectOf(thing);
    const rect = [axes[0] ? left - ox : own[0], axes[1] ? top - oy : own[1],
      axes[0] ? right - left : own[2], axes[1] ? bottom - top : own[3]];
    areas.push({name: 'range', of: thing.path, rect, axes, set: ([x, y, w, ht]) => [x + ox, y + oy, x + w + ox, y + ht + oy]
      .flatMap((v, i) => (axes[i % 2] ? [`${thing.path}.${range[i]}=${Math.round(v)}`] : []))});
  }
  return areas;
}

/* The handles of a rectangle: places in it from 0 to 1. A small one has fewer, which do not cover it. */
export function handlesOf({axes: [x, y], rect: [, , width, height]}, zoom) {
  const along = (isFree, length) => (!isFree ? [0.5] : length * zoom >= 6 * grip ? [0, 0.5, 1] : length * zoom >= 3 * grip ? [0, 1] : [1]);
  const [xs, ys] = [along(x, width), along(y, height)];
  return ys.flatMap(hy => xs.map(hx => [hx, hy])).filter(([hx, hy]) => hx !== 0.5 || hy !== 0.5);
}

/* The handle at a place of the window: {area, at}. */
export function handleAt(map, sx, sy) {
  for (const area of [...map.areas].reverse()) {
    const [x, y, w, ht] = area.rect;
    for (const at of handlesOf(area, map.zoom)) {
      const [px, py] = map.screen(x + w * at[0], y + ht * at[1]);
      if (Math.abs(px - sx) <= grip && Math.abs(py - sy) <= grip) return {area, at};
    }
  }
  return null;
}

/* The rectangle after its handle was dragged by this many px of the picture. */
export function stretched([x, y, w, ht], [hx, hy], [dx, dy]) {
  const move = (from, length, at, by) => {
    if (at === 0) return [Math.min(from + by, from + length - 1), Math.max(1, length - by)];
    return at === 1 ? [from, Math.max(1, length + by)] : [from, length];
  };
  const [left, width] = move(x, w, hx, dx);
  const [top, height] = move(y, ht, hy, dy);
  return [left, top, width, height];
}
