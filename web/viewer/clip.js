/* Copying things and pasting them, also into another level and another format of the family; aligning; duplicates. */
import {count, notice} from './dom.js';
import {kindsOf} from './add.js';
import {placeFields, stepped} from './move.js';
import {placeIn, tableFor} from './tables.js';
import {keepClip, keptClip} from './store.js';
import {removeItems} from './things.js';

/*
 * What was copied last: a promise of {time, family, format, from, bytes, origin, items: [{path, table, rect}]}, things of
 * the level `bytes`; null: nothing could be copied.
 */
let clip = Promise.resolve(null);

/* What was copied last: here, or in another page of this browser. */
async function lastClip(own) {
  const [mine, kept] = await Promise.all([own, keptClip()]);
  return kept && kept.time > (mine?.time ?? 0) ? kept : mine;
}

/*
 * The command `copy`: the things as text, for other programs, and as the page itself pastes them, with all that belongs to
 * them: {text, clip}.
 */
export async function copy(app, {things, args: {time}}) {
  const shown = things.map(path => path && app.thingFor(path)).filter(Boolean);
  if (!shown.length) throw new Error('Not copied: what was selected is gone.');
  const values = await app.client.call('copy', shown.map(thing => thing.path));
  const {family, id} = app.format;
  const made = {time, family, format: id, from: app.path, bytes: app.bytes, origin: app.gameOrigin, items: shown.map(thing =>
    ({path: thing.path, table: tableFor(app.format, thing.path).name, rect: app.rectOf(thing)}))};
  keepClip(made);
  return {text: JSON.stringify(values, null, 1), clip: made};
}

/* The command `paste`: adds what was copied, at a place of the picture: the middle of the things comes there, and what belongs to them
   with them, as the game's book says. */
export async function paste(app, {clip: given, args: {at: [x, y]}}) {
  const copied = await given;
  if (!copied) throw new Error('Not pasted: nothing was copied.');
  if (copied.family !== app.format.family)
    throw new Error(`Not pasted: things of ${copied.from} are of another family of games.`);
  const kinds = kindsOf(app);
  const rects = copied.items.map(item => item.rect);
  const [left, top] = [Math.min(...rects.map(r => r[0])), Math.min(...rects.map(r => r[1]))];
  const [right, bottom] = [Math.max(...rects.map(r => r[0] + r[2])), Math.max(...rects.map(r => r[1] + r[3]))];
  /* Places in the picture, and the game's: the origins of two levels may differ. */
  const origin = app.gameOrigin;
  const by = [x - (left + right) / 2 + origin[0] - copied.origin[0], y - (top + bottom) / 2 + origin[1] - copied.origin[1]];
  const isSame = copied.format === app.format.id;
  const parts = new Map(); /* of each list: things that are copied together name each other's copies */
  for (const {path, table} of copied.items) {
    const kind = kinds.find(k => k.table.name === table);
    if (!kind) throw new Error(`Not pasted: ${app.format.title} has no ${table}.`);
    const part = parts.get(kind.list);
    if (part) {
      part.things.push(path);
      continue;
    }
    const fields = placeIn(app, kind.table).map(field => (isSame ? field : {...field, step: 1}));
    parts.set(kind.list, {things: [path], to: kind.list, by: stepped(fields, by),
      place: isSame ? [] : fields.map(({inner, name, step}) => ({field: [inner, name].filter(Boolean).join('.'), step}))});
  }
  return {paste: [...parts.values()], clip: {name: copied.from, bytes: copied.bytes}, label: `paste ${count(copied.items.length, 'thing')}`};
}

/* Issues the command, and shows what was pasted. */
async function pasteAt(app, at) {
  const watched = {looks: app.looks, session: app.session};
  const done = await app.issue('paste', {args: {at}, clip: lastClip(clip)});
  if (!done) return;
  const paths = [done.made, ...done.others].filter(Boolean);
  const things = paths.map(path => app.thingFor(path)).filter(Boolean);
  if (app.isWatched(watched)) {
    app.selectAll(things);
    if (things.length) app.panel.showRecord(things[0].path);
  }
  const [loss] = done.losses;
  notice(`Pasted ${count(paths.length, 'thing')}.${loss ? ` ${loss.path ? `${loss.path}: ` : ''}${loss.text}` : ''}`);
}

/* Ctrl+C, Ctrl+X and Ctrl+V outside of fields, as the browser reports them. */
export function clipboard(app, isTyping) {
  const wanted = event => !isTyping(event) && app.doc && !document.querySelector('dialog[open]')
    && (event.type === 'paste' || (app.selected && document.getSelection().isCollapsed));
  const take = async (event, isCut) => {
    if (!wanted(event)) return;
    event.preventDefault();
    const things = app.selection;
    event.clipboardData?.setData('text/plain', JSON.stringify(things));
    const copied = app.issue('copy', {label: 'copy', things, args: {time: Date.now()}});
    clip = copied.then(made => made?.clip ?? null);
    const removed = isCut ? removeItems(app, things) : null;
    const made = await copied;
    if (!made) return;
    navigator.clipboard?.writeText(made.text).catch(() => {});
    await removed;
    notice(`${isCut ? 'Cut' : 'Copied'} ${count(things.length, 'thing')}.`);
  };
  addEventListener('copy', event => take(event, false));
  addEventListener('cut', event => take(event, true));
  addEventListener('paste', event => {
    if (!wanted(event)) return;
    event.preventDefault();
    pasteAt(app, app.pointerAt ?? [app.map.x, app.map.y]);
  });
}

/* The command `align`: the things come to the nearest lines of the grid. */
export async function align(app, {things, args: {grid: lines}}) {
  const fieldsOf = things.map(path => placeFields(app, {path}) ?? []);
  const values = await app.client.call('copy', fieldsOf.flat().map(({path}) => path));
  const set = [];
  const moves = [];
  for (const [n, thing] of things.entries()) {
    const by = fieldsOf[n].map(({path, px, step}, i) => {
      const old = values.shift();
      if (typeof old !== 'number') return 0;
      const grid = Math.max(lines[i] / px, step);
      const value = Math.round(old / grid) * grid;
      const distance = (value - old) * px;
      if (Number.isInteger(distance)) return distance;
      set.push(`${path}=${value}`); /* from between px, which no movement is */
      return 0;
    });
    if (by.some(Boolean)) moves.push({things: [thing], by});
  }
  const isDone = !moves.length && !set.length;
  if (isDone) notice('They are on the grid already.');
  return !isDone && {moves, set};
}

/* Issues it for the selected things. */
export function alignSelected(app) {
  const things = app.selection;
  if (!things.length) notice('Select things first.');
  else app.issue('align', {label: `align ${count(things.length, 'thing')}`, things, args: {grid: app.gridOf()}});
}
