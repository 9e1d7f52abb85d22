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

/* Moves things by the same steps, as one change. */
export async function moveThings(app, things, by) {
  const changes = [];
  for (const thing of things) {
    const fields = placeFields(app, thing);
    for (const [i, {path, px}] of (fields ?? []).entries()) {
      const units = stepped(fields, by)[i] / px;
      if (!units) continue;
      const old = await app.client.call('get', path);
      changes.push(`${path}=${(typeof old === 'number' ? old : 0) + units}`);
    }
  }
  const label = things.length > 1 ? `move ${things.length} things` : changes.join(', ');
  if (!changes.length || !await app.edit(changes, label)) return;
  const outside = app.selection.map(path => app.thingFor(path)).find(moved =>
    moved && app.isOutside(app.rectOf(moved)));
  if (outside) notice(`${outside.label || outside.kind} is outside the level now: the red mark shows it. `
    + 'Ctrl+Z brings it back.');
}
