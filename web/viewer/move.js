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

export async function moveThing(app, thing, by) {
  const fields = placeFields(app, thing);
  if (!fields) return;
  const changes = [];
  for (const [i, {path, px}] of fields.entries()) {
    const units = stepped(fields, by)[i] / px;
    if (!units) continue;
    const old = await app.client.call('get', path);
    changes.push(`${path}=${(typeof old === 'number' ? old : 0) + units}`);
  }
  if (!changes.length || !await app.edit(changes, changes.join(', '))) return;
  const moved = app.thingFor(app.selected);
  if (moved && app.isOutside(app.rectOf(moved)))
    notice(`${moved.label || moved.kind} is outside the level now: the red mark shows it. Ctrl+Z brings it back.`);
}
