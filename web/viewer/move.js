/* Moving a thing on the map: the fields that hold its place, and their new values. */
import {notice} from './dom.js';
import {tableFor} from './things.js';

/*
 * The fields x and y of a thing's record, or of a record in it: their paths, px of the picture for one unit, and their
 * smallest step: whole px or half tiles.
 */
export function placeFields(app, thing) {
  const table = thing?.path && app.doc.can.includes('write') && tableFor(app.format, thing.path);
  if (!table) return null;
  const main = app.doc.scene.layers.find(layer => layer.main);
  const records = [['', table], ...table.fields.filter(f => f.kind === 'record')
    .map(f => [`.${f.name}`, app.format.tables[f.table]])];
  for (const [inner, {fields}] of records) {
    const [x, y] = ['x', 'y'].map(name => fields.find(f => f.name === name
      && ['px', 'tiles'].includes(f.unit)));
    if (!x || !y) continue;
    const axis = (field, cell) => ({path: `${thing.path}${inner}.${field.name}`,
      px: field.unit === 'tiles' ? cell ?? 16 : 1, step: field.kind === 'real' ? 0.5 : 1});
    return [axis(x, main?.cell_width), axis(y, main?.cell_height)];
  }
  return null;
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
