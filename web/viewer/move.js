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

/* Those of the first of these things, with steps that the places of all of them can have; undefined: none has a place. */
export function sharedFields(app, things) {
  const fieldsOf = things.map(thing => placeFields(app, thing)).filter(Boolean);
  return fieldsOf[0]?.map((field, i) => ({...field, step: Math.max(...fieldsOf.map(fields => fields[i].step))}));
}

/* The movement in px, rounded to values that the fields can have. */
export function stepped(fields, by) {
  return fields.map(({px, step}, i) => Math.round(by[i] / px / step) * step * px);
}

/* The command `move`: all things by the same steps, and what belongs to them or names them, as the game's book says. With a grid, the
   first one comes onto it, and the others keep their distance. */
export async function move(app, {things, args: {by, grid: lines}}) {
  const fields = sharedFields(app, things.map(path => ({path})));
  if (!fields) return undefined;
  const values = await app.client.call('copy', fields.map(({path}) => path));
  const old = values.map(value => (typeof value === 'number' ? value : 0));
  const wanted = fields.map(({px, step}, i) => {
    if (!lines || !by[i]) return by[i];
    const grid = Math.max(lines[i] / px, step);
    return (Math.round((old[i] + by[i] / px) / grid) * grid - old[i]) * px;
  });
  const done = stepped(fields, wanted);
  const label = fields.flatMap(({path, px}, i) => (done[i] ? [`${path}=${old[i] + done[i] / px}`] : [])).join(', ');
  return label && {moves: [{things, by: done}], made: things, ...things.length === 1 && {label}};
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
  const [loss] = done.losses;
  if (loss) notice(`${loss.path}: ${loss.text}.`);
  const outside = things.find(moved => app.isOutside(app.rectOf(moved)));
  if (outside) notice(`${outside.label || outside.kind} is outside the level now: the red mark shows it. `
    + 'Ctrl+Z brings it back.');
}
