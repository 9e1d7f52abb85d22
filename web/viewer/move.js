/* Moving a thing on the map: the fields that hold its place, and their new values. */
import {notice} from './dom.js';
import {placeIn, tableFor} from './tables.js';

/* The fields of a thing's place, with their paths. */
export function placeFields(app, thing) {
  const table = thing?.path && app.doc.can.includes('write') && tableFor(app.format, thing.path);
  const fields = table && placeIn(app, table);
  return fields && fields.map(field => ({...field,
    path: [thing.path, field.inner, field.name].filter(Boolean).join('.')}));
}

/* The movement in px, rounded to values that the fields can have. */
export function stepped(fields, by) {
  return fields.map(({px, step}, i) => Math.round(by[i] / px / step) * step * px);
}

/* The command `move`: all things by the same steps. With a grid, the first one comes onto it, and the others keep their
   distance. */
export async function move(app, {things, args: {by, grid: lines}}) {
  const changes = [];
  let [dx, dy] = by;
  const fieldsOf = things.map(path => placeFields(app, {path}) ?? []);
  const values = await app.client.call('copy', fieldsOf.flat().map(({path}) => path));
  for (const [n, fields] of fieldsOf.entries()) {
    for (const [i, {path, px, step}] of fields.entries()) {
      const old = values.shift();
      const from = typeof old === 'number' ? old : 0;
      if (lines && n === 0 && [dx, dy][i]) {
        const grid = Math.max(lines[i] / px, step);
        const to = (Math.round((from + [dx, dy][i] / px) / grid) * grid - from) * px;
        [dx, dy] = i ? [dx, to] : [to, dy];
      }
      const units = stepped(fields, [dx, dy])[i] / px;
      if (units) changes.push(`${path}=${from + units}`);
    }
  }
  return changes.length && {set: changes, made: things, ...things.length === 1 && {label: changes.join(', ')}};
}

/* Moves these things, as one change. */
export async function moveThings(app, paths, by) {
  const command = {label: paths.length > 1 ? `move ${paths.length} things` : `move ${paths[0]}`, things: paths,
    args: {by, grid: app.snap ? app.gridOf() : null}};
  const done = await app.issue('move', command);
  if (!done) return;
  const things = [done.made, ...done.others].map(path => path && app.thingFor(path)).filter(Boolean);
  const [thing] = things;
  if (app.doc.scene?.has_art && things.length && things.every(one => !one.picture && ['sign', 'container'].includes(one.kind)))
    notice(`The ${thing.kind} has moved. Tiles that show one at the old place stay: on the Paint tab, Pick takes them with a drag.`);
  const outside = things.find(moved => app.isOutside(app.rectOf(moved)));
  if (outside) notice(`${outside.label || outside.kind} is outside the level now: the red mark shows it. `
    + 'Ctrl+Z brings it back.');
}
