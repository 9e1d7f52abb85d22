/*
 * What the page learns of a scene after an edit (web/viewer/scenes.js): put into the scene before, it is the scene after,
 * for changes of every kind at the start, in the middle and at the end of the list of things.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {load} from '../../web/lvl.js';
import {changedScene, sceneChange} from '../../web/viewer/scenes.js';

const lvl = await load();
const read = path => new Uint8Array(readFileSync(new URL(`../../samples/${path}`, import.meta.url)));
let cases = 0;

function compare(name, before, after, most) {
  const change = sceneChange(before, after);
  assert.ok(change, name);
  assert.deepEqual(changedScene(JSON.parse(before), change), JSON.parse(after), name);
  assert.ok((change.things?.length ?? 0) <= most, `${name}: ${change.things?.length} things are passed on`);
  cases++;
}

for (const [path, edits] of Object.entries({
  'wwd/cliffs.wwd': things => [
    [[`${things[0]}.x+=1`], 2], [[`${things.at(-1)}.x+=1`], 2], [[`${things[3]}.y+=5`, `${things[5]}.x-=3`], 5],
    [[`${things[2]}.z=99999`], Infinity], [[`unset ${things[0]}`], Infinity], [[`unset ${things.at(-1)}`], Infinity],
    [[`${things[0].replace(/\[\d+\]$/, '')}[+]={"logic":"}],\\"arrows\\":[{\\"path\\":","x":4,"y":5}`], 2]],
  'graal/lakeside/lake_village.nw': things => [[['links[0].x+=1'], Infinity], [[`${things[0]}.x+=1`], 2],
    [['unset links'], Infinity], [['npcs[0].image=nowhere.png'], 2]],
  'sketchy/hill-v4.level': things => [[[`${things[0]}.point.x+=2`], 2], [[`unset ${things[0]}`], Infinity], [['title=Mine'], 0, false]],
})) {
  const bytes = read(path);
  const open = () => lvl.open(bytes, path);
  const first = open();
  const before = first.sceneText();
  compare(`${path}: nothing`, before, before, 0);
  const things = first.scene().things.map(thing => thing.path).filter(Boolean);
  for (const [changes, most, known = true] of edits(things)) {
    const doc = open();
    for (const change of changes) {
      if (change.startsWith('unset ')) doc.unset(change.slice(6));
      else doc.set([change]);
    }
    const after = doc.sceneText();
    assert.notEqual(after, before, `${path}: ${changes}: something changes`);
    if (known) compare(`${path}: ${changes}`, before, after, most);
    else assert.equal(sceneChange(before, after), undefined, `${path}: ${changes}`);
    if (known) compare(`${path}: ${changes}, taken back`, after, before, Infinity);
    doc.close();
  }
  first.close();
}

/* All things replaced, none before, none after, equal neighbours. */
const thing = n => `{"path":"a[${n}]","label":"x"}`;
const text = (...list) => `{"title":"t","layers":[],"things":[${list.map(thing).join(',')}],"arrows":[],"links":[]}\n`;
for (const [a, b] of [[[], [1]], [[1], []], [[1, 2, 3], [4, 5]], [[1, 1, 1], [1, 1]], [[1, 1], [1, 1, 1]], [[12, 2], [1, 2]],
  [[1, 2], [1, 12, 2]], [[3, 1, 2], [2, 1, 3]]])
  compare(`${a} to ${b}`, text(...a), text(...b), b.length);
console.log(`scenes: ${cases} changes put into the scene before give the scene after`);
