/* Rectangles of the selected thing that can be resized on the map: its own size, boxes around it, its range. */
import {tableFor, placeIn} from './tables.js';

const grip = 7; /* px of the window around a handle */

/* The rectangles of a thing, in px of the picture. `opened`: the record that the panel shows. */
export async function areasOf(app, thing, opened) {
  const table = thing?.path && app.doc.can.includes('write') && tableFor(app.format, thing.path);
  const place = table && placeIn(app, table);
  if (!place) return [];
  const record = await app.ask('get', thing.path);
  if (!record) return [];
  const areas = [];
  const [ox, oy] = app.gameOrigin;
  const has = (...names) => names.every(name => table.fields.some(f => f.name === name));
  const [px, py] = place.map(axis => axis.px);
  if (has('x', 'y', 'width', 'height')) {
    const rect = [record.x * px - ox, record.y * py - oy, record.width * px, record.height * py];
    /* A "width" may mean something else than the size of what is there. */
    if (String(rect) === String(app.rectOf(thing))) areas.push({name: 'size', rect, axes: [1, 1], set: ([x, y, w, ht]) => {
      const [sx, sy] = place.map(axis => axis.px * axis.step);
      const at = (v, unit, origin) => Math.round((v + origin) / unit) * unit;
      const [left, top] = [at(x, sx, ox), at(y, sy, oy)];
      const [right, bottom] = [at(x + w, sx, ox), at(y + ht, sy, oy)];
      return [['x', left / px], ['y', top / py], ['width', Math.max(sx, right - left) / px],
        ['height', Math.max(sy, bottom - top) / py]].map(([name, v]) => `${thing.path}.${name}=${v}`);
    }});
  }
  const inner = opened?.startsWith(`${thing.path}.`) ? opened.slice(thing.path.length + 1) : '';
  const field = table.fields.find(f => f.name === inner && f.kind === 'record');
  const names = ['left', 'top', 'right', 'bottom'];
  if (field && names.every(name => app.format.tables[field.table].fields.some(f => f.name === name))) {
    const of = record[inner];
    const isSet = names.some(name => of[name]);
    const rect = isSet ? [of.left + record.x - ox, of.top + record.y - oy, of.right - of.left + 1, of.bottom - of.top + 1]
      : app.rectOf(thing);
    areas.push({name: inner, rect, axes: [1, 1], set: ([x, y, w, ht]) => {
      const [left, top] = [Math.round(x + ox - record.x), Math.round(y + oy - record.y)];
      const values = [left, top, left + Math.max(1, Math.round(w)) - 1, top + Math.max(1, Math.round(ht)) - 1];
      return names.map((name, i) => `${opened}.${name}=${values[i]}`);
    }});
  }
  if (has('min_x', 'max_x', 'min_y', 'max_y') && !inner && (record.max_x > record.min_x || record.max_y > record.min_y)) {
    const axes = [+(record.max_x > record.min_x), +(record.max_y > record.min_y)];
    const own = app.rectOf(thing);
    const rect = [axes[0] ? record.min_x - ox : own[0], axes[1] ? record.min_y - oy : own[1],
      axes[0] ? record.max_x - record.min_x : own[2], axes[1] ? record.max_y - record.min_y : own[3]];
    areas.push({name: 'range', rect, axes, set: ([x, y, w, ht]) => [['min_x', x + ox, 0], ['max_x', x + w + ox, 0],
      ['min_y', y + oy, 1], ['max_y', y + ht + oy, 1]].filter(([, , axis]) => axes[axis])
      .map(([name, v]) => `${thing.path}.${name}=${Math.round(v)}`)});
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
