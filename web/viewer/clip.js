/* Copying things and pasting them, also into another level and another format of the family; aligning; duplicates. */
import {count, notice} from './dom.js';
import {kindsOf} from './add.js';
import {placeFields} from './move.js';
import {placeIn, tableFor} from './tables.js';
import {keepClip, keptClip} from './store.js';
import {removeItems} from './things.js';

/* {time, family, format, from, bytes, origin, items: [{path, table, rect}]}: things of the level `bytes'. */
let clip = null;

/* What was copied last: here, or in another page of this browser. */
async function lastClip() {
  const kept = await keptClip();
  if (kept && kept.time > (clip?.time ?? 0)) clip = kept;
  return clip;
}

/* The selected things as text, for other programs; the page itself pastes them with all that belongs to them. */
async function copy(app) {
  const things = app.selection.map(path => app.thingFor(path)).filter(thing => thing?.path);
  if (!things.length) return null;
  const values = await app.client.call('copy', things.map(thing => thing.path));
  const {family, id} = app.format;
  clip = {time: Date.now(), family, format: id, from: app.path, bytes: app.bytes, origin: app.gameOrigin, items: things.map(thing =>
    ({path: thing.path, table: tableFor(app.format, thing.path).name, rect: app.rectOf(thing)}))};
  keepClip(clip);
  return JSON.stringify(values, null, 1);
}

/* Adds what was copied, at a place of the picture: the middle of the things comes there. */
async function paste(app, [x, y]) {
  if (!await lastClip() || !app.doc) return;
  if (clip.family !== app.format.family) {
    notice(`Not pasted: things of ${clip.from} are of another family of games.`, true);
    return;
  }
  const kinds = kindsOf(app);
  const rects = clip.items.map(item => item.rect);
  const [left, top] = [Math.min(...rects.map(r => r[0])), Math.min(...rects.map(r => r[1]))];
  const [right, bottom] = [Math.max(...rects.map(r => r[0] + r[2])), Math.max(...rects.map(r => r[1] + r[3]))];
  const parts = [];
  for (const {path, table} of clip.items) {
    const kind = kinds.find(k => k.table.name === table);
    if (!kind) {
      notice(`Not pasted: ${app.format.title} has no ${table}.`, true);
      return;
    }
    const fields = placeIn(app, kind.table);
    /* Places in the picture, and the game's: the origins of two levels may differ. */
    const origin = app.gameOrigin;
    const by = [x - (left + right) / 2 + origin[0] - clip.origin[0], y - (top + bottom) / 2 + origin[1] - clip.origin[1]];
    parts.push({path, to: kind.list, place: fields.map(({inner, name, px, step}, i) =>
      ({field: [inner, name].filter(Boolean).join('.'), by: by[i] / px, step: clip.format === app.format.id ? step : 1}))});
  }
  await app.client.call('setClip', clip.from, clip.bytes);
  const done = await app.edit([], `paste ${count(parts.length, 'thing')}`, {paste: parts});
  if (!done) return;
  const things = [done.made, ...done.others].map(path => path && app.thingFor(path)).filter(Boolean);
  app.selectAll(things);
  if (things.length) app.panel.showRecord(things[0].path);
  const [loss] = done.losses;
  notice(`Pasted ${count(parts.length, 'thing')}.${loss ? ` ${loss.path ? `${loss.path}: ` : ''}${loss.text}` : ''}`);
}

/* Ctrl+C, Ctrl+X and Ctrl+V outside of fields, as the browser reports them. */
export function clipboard(app, isTyping) {
  const wanted = event => !isTyping(event) && app.doc && !document.querySelector('dialog[open]')
    && (event.type === 'paste' || (app.selected && document.getSelection().isCollapsed));
  const take = async (event, isCut) => {
    if (!wanted(event)) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', JSON.stringify(app.selection));
    const paths = app.selection;
    const text = await app.run(() => copy(app));
    if (!text) return;
    navigator.clipboard?.writeText(text).catch(() => {});
    if (isCut) await removeItems(app, paths);
    notice(`${isCut ? 'Cut' : 'Copied'} ${count(paths.length, 'thing')}.`);
  };
  addEventListener('copy', event => take(event, false));
  addEventListener('cut', event => take(event, true));
  addEventListener('paste', event => {
    if (!wanted(event)) return;
    event.preventDefault();
    app.run(() => paste(app, app.pointerAt ?? [app.map.x, app.map.y]));
  });
}

/* Moves the selected things to the nearest lines of the grid. */
export async function align(app) {
  await app.edit(async () => {
    const things = app.selection.map(path => app.thingFor(path)).filter(Boolean);
    const fieldsOf = things.map(thing => placeFields(app, thing) ?? []);
    const values = await app.client.call('copy', fieldsOf.flat().map(({path}) => path));
    const changes = [];
    for (const fields of fieldsOf) {
      for (const [i, {path, px, step}] of fields.entries()) {
        const old = values.shift();
        if (typeof old !== 'number') continue;
        const grid = Math.max(app.gridOf()[i] / px, step);
        const value = Math.round(old / grid) * grid;
        if (value !== old) changes.push(`${path}=${value}`);
      }
    }
    if (!things.length) notice('Select things first.');
    else if (!changes.length) notice('They are on the grid already.');
    return changes.length && {set: changes, label: `align ${count(things.length, 'thing')}`};
  });
}
