/*
 * The page's panel and the 27 dialogs of WapMap, the editor that people who change Claw's levels use (tests/support/dialogs.json): what a dialog
 * edits of a thing is shown by its name, not in a fold, if it is set, and what the dialog lets one choose is a choice here, too. With a corpus:
 * for the three real objects of each such thing that set most. Usage: node panel.mjs [CORPUS]
 */
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {load} from '../../web/lvl.js';

const [, , corpus] = process.argv;
const read = path => readFileSync(new URL(`../../${path}`, import.meta.url));
/* A page with the books inside, as far as web/viewer/book.js asks for it. */
globalThis.document = {getElementById: id => ({textContent: gzipSync(read(`data/games/${/\w+$/.exec(id)[0]}.json`)).toString('base64')})};
const {partsOf, thingOf, usualFor} = await import('../../web/viewer/book.js');
const {isUnfolded} = await import('../../web/viewer/tables.js');

const lvl = await load();
const format = lvl.formats().find(f => f.id === 'wwd');
const table = format.tables.object;
const sides = ['left', 'top', 'right', 'bottom'];
const membersOf = text => (text ?? '').split(' ').filter(Boolean).flatMap(name => (name.endsWith('.*') ? sides.map(side => name.replace('*', side)) : [name]));
const isSet = (object, name) => Boolean(name.split('.').reduce((from, member) => from?.[member], object));
const described = object => thingOf({format, doc: {format: 'wwd'}}, 'planes[0].objects[0]', object, table);

const dialogs = JSON.parse(read('tests/support/dialogs.json'));
const things = new Map();
for (const {things: names, fields, chosen} of dialogs) {
  for (const name of names.split(' ')) {
    const {edited, choices} = things.get(name) ?? things.set(name, {edited: new Set(), choices: new Set(), objects: []}).get(name);
    membersOf(fields).forEach(field => edited.add(field));
    membersOf(chosen).forEach(field => choices.add(field));
  }
}
assert.equal(new Set(dialogs.map(d => d.dialog)).size, 27);

/* How the panel shows the fields of an object: {shown: field without a fold, folded: others}. */
async function panelOf(object) {
  const thing = await described(object);
  assert.ok(thing, `the book has no ${object.logic}`);
  const {shown, folded, unread} = partsOf(thing, object);
  const before = [...shown, ...unread];
  const others = table.fields.filter(field => ![...before, ...folded].some(use => use.name === field.name) && isUnfolded(field, table, thing.uses.length > 0))
    .map(field => ({...field, suggest: usualFor(field, thing)}));
  return {shown: [...before, ...others], folded};
}

const faults = [];
let [count, objects] = [0, 0];
async function verify(object, where) {
  const {edited, choices} = things.get(object.logic);
  const {shown} = await panelOf(object);
  objects++;
  for (const name of edited) {
    if (!isSet(object, name)) continue;
    const field = shown.find(one => one.name === name);
    count++;
    if (!field) faults.push(`${where}: ${object.logic} has ${name} set, which the panel folds`);
    else if (choices.has(name) && !field.names?.length && !field.suggest?.length) faults.push(`${where}: ${object.logic}: nothing to choose for ${name}`);
  }
}

/* Each field of each dialog, set. */
for (const [logic, {edited}] of things) {
  const object = {logic};
  for (const name of edited) {
    const [first, second] = name.split('.');
    const isText = table.fields.find(f => f.name === first).kind === 'text';
    if (second) object[first] = {...object[first], [second]: 1};
    else if (name !== 'logic') object[first] = isText ? 'GAME_X' : 1;
  }
  await verify(object, 'dialogs.json');
}
console.log(`panel: ${dialogs.length} rows of 27 dialogs: ${count} fields of ${things.size} things`);

if (corpus) {
  [count, objects] = [0, 0];
  for (const entry of readdirSync(corpus, {recursive: true, withFileTypes: true}).filter(one => /\.wwd$/i.test(one.name))) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    let doc;
    try {
      doc = lvl.open(new Uint8Array(readFileSync(path)), entry.name);
      for (const {objects: list} of doc.get().planes ?? []) {
        for (const object of list ?? []) {
          const thing = things.get(object.logic);
          if (!thing) continue;
          const set = [...thing.edited].filter(name => isSet(object, name)).length;
          const {objects: best} = thing;
          if (best.length === 3 && best[2].set >= set) continue;
          best.push({set, object, where: entry.name});
          best.sort((a, b) => b.set - a.set).splice(3);
        }
      }
    } catch (error) {
      if (error.name !== 'LvlError') throw error;
    } finally {
      doc?.close();
    }
  }
  for (const {objects: best} of things.values()) for (const {object, where} of best) await verify(object, where);
  console.log(`panel: ${objects} real objects of ${[...things.values()].filter(t => t.objects.length).length} things: all ${count} set fields of the dialogs are shown`);
}
assert.deepEqual(faults, []);
