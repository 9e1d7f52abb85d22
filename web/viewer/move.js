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

/*
 * Moves things by the same steps, as one change. With the grid on, the first one comes onto it, and the others keep
 * their distance.
 */
export async function moveThings(app, things, by) {
  const changes = [];
  let [dx, dy] = by;
  const fieldsOf = things.map(thing => placeFields(app, thing) ?? []);
  const values = await app.client.call('copy', fieldsOf.flat().map(({path}) => path));
  for (const [n, fields] of fieldsOf.entries()) {
    for (const [i, {path, px, step}] of fields.entries()) {
      const old = values.shift();
      const from = typeof old === 'number' ? old : 0;
      if (app.snap && n === 0 && [dx, dy][i]) {
        const grid = Math.max(app.gridOf()[i] / px, step);
        const to = (Math.round((from + [dx, dy][i] / px) / grid) * grid - from) * px;
        [dx, dy] = i ? [dx, to] : [to, dy];
      }
      const units = stepped(fields, [dx, dy])[i] / px;
      if (units) changes.push(`${path}=${from + units}`);
    }
  }
  const label = things.length > 1 ? `move ${things.length} things` : changes.join(', ');
  if (!changes.length || !await app.edit(changes, label)) return;
  const [thing] = things;
  if (app.doc.scene?.has_art && things.every(one => !one.picture && ['sign', 'container'].includes(one.kind)))
    notice(`The ${thing.kind} has moved. Tiles that show one at the old place stay: the Paint tab changes them.`);
  const outside = app.selection.map(path => app.thingFor(path)).find(moved =>
    moved && app.isOutside(app.rectOf(moved)));
  if (outside) notice(`${outside.label || outside.kind} is outside the level now: the red mark shows it. `
    + 'Ctrl+Z brings it back.');
}
