/*
 * Five tasks with the page in Chromium, done with the mouse and the keyboard alone, as a person does them: what is clicked
 * must be visible and not covered. Prints the clicks and keys of each; a menu counts two clicks, dragging one.
 * Usage: node tasks.mjs PAGE CHROMIUM FOLDER, where FOLDER has node_modules with puppeteer-core.
 */
import assert from 'node:assert/strict';
import {readFileSync, readdirSync, rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {load} from '../../web/lvl.js';
import {openPage} from './browser.mjs';
import {find as still} from './still.mjs';

const [, , pagePath, chromium, folder] = process.argv;
const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const lvl = await load();
const {browser, page, errors, scratch} = await openPage(chromium, folder, 'tasks', {width: 1400, height: 900});
page.on('dialog', dialog => {
  clicks++;
  dialog.accept();
});
let clicks = 0;
let keys = 0;

async function start(paths, shown) {
  [clicks, keys] = [0, 0];
  await page.goto('about:blank');
  await page.goto(pathToFileURL(resolve(pagePath)).href);
  await page.waitForSelector('body.ready');
  await page.evaluate(() => {
    globalThis.saved = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => {
      if (/octet-stream|zip/.test(blob.type)) saved.push({blob});
      return make(blob);
    };
    HTMLAnchorElement.prototype.click = function () { saved.at(-1).name = this.download; };
  });
  const files = paths.map(path => {
    const [name, from = path] = Array.isArray(path) ? path : [path.split('/').pop(), path];
    return {name, base64: readFileSync(join(samples, from)).toString('base64')};
  });
  await page.evaluate(list => {
    const dataTransfer = new DataTransfer();
    for (const {name, base64} of list) dataTransfer.items.add(new File([Uint8Array.from(atob(base64), c => c.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
  }, files);
  await opened(shown);
}

const opened = path => page.waitForFunction(wanted => lvlApp.path === wanted && lvlApp.map.complete, {}, path);
const at = count => page.waitForFunction(n => lvlApp.at === n, {}, count);

/* What a person sees under this text (or selector). */
const find = what => still(page, /^[#.]/.test(what) ? {css: what} : {text: what});

async function click(what) {
  const {place} = await find(what);
  await page.mouse.click(...place);
  clicks++;
}

async function choose(selector, value) {
  const {handle} = await find(selector);
  await page.waitForFunction((node, wanted) => [...node.options].some(option => option.value === wanted), {}, handle, value);
  await handle.select(value);
  clicks += 2;
}

/* Replaces what is in a field. */
async function type(selector, text) {
  const {place} = await find(selector);
  await page.mouse.click(...place, {count: 3});
  clicks++;
  await page.keyboard.type(text);
  keys += text.length;
}

async function key(name, ...held) {
  for (const one of held) await page.keyboard.down(one);
  await page.keyboard.press(name);
  for (const one of held) await page.keyboard.up(one);
  keys++;
}

/* Where a place of the picture is in the window; one that is not in view cannot be clicked. */
async function onMap(x, y) {
  await page.waitForFunction(() => lvlApp.map.complete);
  const [sx, sy, free] = await page.evaluate((px, py) => {
    const [left, top] = lvlApp.map.screen(px, py);
    return [left, top, document.elementFromPoint(left, top)?.id === 'map'];
  }, x, y);
  assert.ok(free, `${x}, ${y} is not in view`);
  return [sx, sy];
}

async function clickMap(x, y, options) {
  await page.mouse.click(...await onMap(x, y), options);
  clicks += options?.count ?? 1;
}

async function save(name) {
  await key('s', 'Control');
  await page.waitForFunction(wanted => saved.some(one => one.name === wanted) && lvlApp.session.at === lvlApp.session.saved, {}, name);
  const bytes = await page.evaluate(async wanted => [...new Uint8Array(await saved.findLast(one => one.name === wanted).blob.arrayBuffer())], name);
  return lvl.open(Uint8Array.from(bytes), name);
}

function tell(task) {
  console.log(`tasks: ${task}: ${clicks} clicks, ${keys} keys`);
}

const world = readdirSync(join(samples, 'graal/lakeside')).map(name => `graal/lakeside/${name}`);
try {
  /* A row of coins in a Claw level. */
  await start(['wwd/cliffs.wwd', 'wwd/SAMPLES.REZ'], 'cliffs.wwd');
  await key('1');
  await click('#tab-things');
  await click('.add summary');
  await page.waitForSelector('.add option[value=TreasurePowerup]');
  await type('.add input[list]', 'TreasurePowerup');
  await click('Place several');
  await click('Place on the map');
  await page.waitForFunction(() => lvlApp.placing?.value === 'TreasurePowerup');
  const [x, y] = await page.evaluate(() => [Math.round(lvlApp.map.x) - 128, Math.round(lvlApp.map.y) - 100]);
  for (let i = 0; i < 5; i++) {
    await clickMap(x + 50 * i, y);
    await at(i + 1);
  }
  await key('Escape');
  let doc = await save('cliffs.wwd');
  const coins = doc.getAll('planes[4].objects[logic=TreasurePowerup]').map(one => one.value).slice(-5);
  assert.deepEqual(coins.map(one => one.x - coins[0].x), [0, 50, 100, 150, 200]);
  assert.equal(new Set(coins.map(one => one.y)).size, 1);
  assert.equal(doc.check().verdict, 'sound');
  doc.close();
  tell('a row of five treasures in a Claw level');

  /* A sign is moved, and its text corrected. */
  await start(['graal/lakeside/lake_village.nw', 'graal/pics1.png'], 'lake_village.nw');
  const sign = await page.evaluate(() => lvlApp.rectOf(lvlApp.thingFor('signs[0]')));
  const middle = [sign[0] + sign[2] / 2, sign[1] + sign[3] / 2];
  await clickMap(...middle);
  await page.waitForFunction(() => lvlApp.selected === 'signs[0]');
  await page.mouse.move(...await onMap(...middle));
  await page.mouse.down();
  await page.mouse.move(...await onMap(middle[0] + 40, middle[1] + 10), {steps: 4});
  await page.mouse.move(...await onMap(middle[0] + 64, middle[1] + 32), {steps: 4});
  await page.mouse.up();
  clicks++;
  await at(1);
  await type('#page-record textarea', 'Welcome to the lake.');
  await key('Tab');
  await at(2);
  doc = await save('lake_village.nw');
  const [before, now] = [lvl.open(readFileSync(join(samples, 'graal/lakeside/lake_village.nw')), 'a.nw'), doc]
    .map(one => one.getAll('signs[0]')[0].value);
  assert.deepEqual([now.x - before.x, now.y - before.y], [4, 2]);
  assert.match(now.text, /Welcome to the lake\./);
  doc.close();
  tell('a sign is moved and its text corrected');

  /* A new room, with a door both ways. */
  await start(['graal/lakeside/lake_village.nw', 'graal/pics1.png'], 'lake_village.nw');
  await click('#tab-files');
  await click('New level …');
  await type('#create input[pattern]', 'room.nw');
  await key('Enter');
  await opened('room.nw');
  const door = async (target, px, py) => {
    await click('#tab-things');
    if (!await page.$('.add[open]')) await click('.add summary');
    await choose('.add select', 'link');
    await page.waitForFunction(() => document.querySelector('.add input[list]')?.getAttribute('aria-label') === 'level');
    await type('.add input[list]', target);
    await click('Place on the map');
    await page.waitForFunction(wanted => lvlApp.placing?.value === wanted, {}, target);
    await clickMap(px, py);
    await page.waitForFunction(() => lvlApp.selected?.startsWith('links['));
  };
  await door('lake_village.nw', 500, 600);
  await save('room.nw').then(one => one.close());
  await click('#tab-files');
  await click('lake_village.nw');
  await opened('lake_village.nw');
  await door('room.nw', 480, 400);
  /* Where the player appears is clicked in the other level. */
  const view = () => page.evaluate(() => [lvlApp.map.x, lvlApp.map.y, lvlApp.map.zoom]);
  const seen = await view();
  await click('Choose where it leads');
  await opened('room.nw');
  /* The whole level is in view, and afterwards the same part of this one. */
  assert.deepEqual(await page.evaluate(() => [[0, 0], [1023, 1023]].map(place => document.elementFromPoint(...lvlApp.map.screen(...place))?.id)),
    ['map', 'map']);
  await clickMap(500, 560);
  await opened('lake_village.nw');
  assert.deepEqual(await view(), seen);
  await page.waitForFunction(() => document.getElementById('notice').textContent === 'The link leads to 30, 33 of room.nw.');
  doc = await save('lake_village.nw');
  assert.deepEqual(doc.get('links').slice(-1).map(link => [link.level, link.x, link.y, link.dest_x, link.dest_y]),
    [['room.nw', 30, 25, '30', '33']]);
  doc.close();
  await clickMap(488, 408, {count: 2});
  await opened('room.nw');
  await clickMap(504, 606, {count: 2});
  await opened('lake_village.nw');
  tell('a new room with a door both ways, and a walk through it');

  /* A damaged level is repaired and saved. */
  await start(['graal/damaged/stale-chests.graal'], 'stale-chests.graal');
  await click('#tab-findings');
  await click('Repair …');
  await click('#page-changes button.primary');
  await at(1);
  doc = await save('stale-chests.graal');
  assert.equal(doc.check().verdict, 'sound');
  doc.close();
  tell('a damaged level is repaired and saved');

  /* Every level with a certain NPC gets another picture of it. */
  await start([...world, 'graal/pics1.png', ['lake_island.nw', 'graal/lakeside/lake_village.nw']], 'lakeside.gmap');
  await click('#tab-things');
  await type('#page-things input[type=search]', 'image=well.png');
  await click('In all');
  await page.waitForSelector('#hits:not([aria-busy])');
  await page.waitForFunction(() => [...document.querySelectorAll('[role=status]')].some(one => /^\d+ hits? in \d+ files? of/.test(one.textContent)));
  const hits = await page.$$eval('#hits li', list => list.length);
  await click('#hits li button');
  await page.waitForFunction(() => lvlApp.selected?.startsWith('npcs['));
  await click('#tab-things');
  await type('#page-things input[placeholder="Replace with"]', 'boat.png');
  await click('Replace');
  await page.waitForFunction(() => lvlApp.unsaved.length > 0);
  await click('#tab-files');
  await click('Save all 2 changed files');
  await page.waitForFunction(() => lvlApp.unsaved.length === 0);
  const written = await page.evaluate(() => Promise.all(saved.map(async one => [one.name, [...new Uint8Array(await one.blob.arrayBuffer())]])));
  assert.deepEqual(written.map(one => one[0]), ['levels.zip']);
  const files = lvl.unzip(Uint8Array.from(written[0][1]));
  assert.deepEqual([...files].sort(), ['lake_island.nw', 'lake_village.nw']);
  for (const name of files) {
    const level = lvl.open(files.read(name), name);
    assert.ok(level.get('npcs').some(npc => npc.image === 'boat.png') && !level.get('npcs').some(npc => npc.image === 'well.png'), name);
    level.close();
  }
  assert.equal(hits, 2);
  tell('every level with a certain NPC gets another picture of it');
  assert.deepEqual(errors, []);
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
