/*
 * Commands of web/viewer in Chromium, by keys and mouse at speed: each applies to what it was made for.
 * Usage: node commands.mjs PAGE CHROMIUM FOLDER [WHAT], where FOLDER has node_modules with puppeteer-core. WHAT: only
 * tests whose names contain it. THROTTLE=4 slows the page's processor down to a fourth.
 */
import assert from 'node:assert/strict';
import {readFileSync, readdirSync, rmSync, statSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {load} from '../../web/lvl.js';
import {openPage} from './browser.mjs';
import {click, find, stored} from './still.mjs';
import {zip} from './zip.mjs';

const [, , pagePath, chromium, folder, only = ''] = process.argv;
const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const sample = name => new Uint8Array(readFileSync(join(samples, name)));
const lvl = await load();
const {browser, page, errors, scratch} = await openPage(chromium, folder, 'commands', {width: 1280, height: 900});
page.setDefaultTimeout(+(process.env.LVL_WAIT || 120000));
const value = (run, ...args) => page.evaluate(run, ...args);
const wait = ms => new Promise(done => { setTimeout(done, ms); });
const failures = [];
let tests = 0;

async function test(name, run) {
  if (!name.includes(only)) return;
  tests++;
  try {
    await page.goto('about:blank');
    await page.goto(pathToFileURL(resolve(pagePath)).href);
    await page.waitForSelector('body.ready');
    await run();
    assert.deepEqual(errors.splice(0), []);
  } catch (error) {
    failures.push(name);
    console.error(`commands: ${name}: ${error.stack}`);
    errors.splice(0);
  }
}

/* Opens files as a drop does; the first one is shown. */
async function open(files) {
  await value(async list => {
    globalThis.confirm = () => true;
    await lvlApp.addFiles(list.map(([path, text]) => ({path, file: Uint8Array.from(atob(text), c => c.charCodeAt(0))})), list[0][0]);
  }, Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]));
  await page.waitForFunction(() => lvlApp.map.complete);
}

/* All that was asked for is done. */
const done = () => value(async () => { for (let turn; turn !== lvlApp.turn;) await (turn = lvlApp.turn); });
const get = path => value(one => lvlApp.client.call('get', one), path);

/* Each call of the worker takes this much longer. */
const slow = ms => value(delay => {
  const {client} = lvlApp;
  const call = client.call.bind(client);
  client.call = async (...args) => {
    const answer = await call(...args);
    await new Promise(resolve => { setTimeout(resolve, delay); });
    return answer;
  };
}, ms);

/* Shows a thing at 1:1, and clicks it. */
async function clickThing(path) {
  const at = await value(one => {
    const [x, y, w, ht] = lvlApp.rectOf(lvlApp.thingFor(one));
    return lvlApp.map.screen(x + w / 2, y + ht / 2);
  }, path);
  await page.mouse.click(...at);
}

const copyEvent = type => value(kind => {
  document.activeElement.blur();
  document.body.dispatchEvent(new ClipboardEvent(kind, {bubbles: true, cancelable: true, clipboardData: new DataTransfer()}));
}, type);

/* A level with so many objects, 40 px from each other. */
function crowd(count) {
  const cliffs = lvl.open(sample('wwd/cliffs.wwd'), 'cliffs.wwd');
  const doc = lvl.open(lvl.create('wwd', {width: 100, height: 100, like: cliffs}), 'crowd.wwd');
  const main = doc.scene().layers.findIndex(layer => layer.main);
  const like = cliffs.getAll('planes[4].objects[0]')[0].value;
  doc.set([`planes[${main}].objects=${JSON.stringify(Array.from({length: count}, (_, i) =>
    ({...like, id: i + 1, x: 40 + i % 150 * 40, y: 40 + Math.floor(i / 150) * 40})))}`]);
  const bytes = doc.save();
  cliffs.close();
  doc.close();
  return {bytes, list: `planes[${main}].objects`};
}

/* The files of the random sessions: the samples, or with LVL_SESSIONS twenty real ones, of each family from the smallest
   to the largest. */
function sessionFiles() {
  const corpus = process.env.LVL_SESSIONS && process.env.LVL_CORPUS;
  if (!corpus) return ['wwd/cliffs.wwd', 'sketchy/hill-v4.level', 'graal/lakeside/lake_village.nw'].map(name => join(samples, name));
  const all = readdirSync(corpus, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile()).map(entry => join(entry.parentPath ?? entry.path, entry.name));
  const isDrawn = path => {
    try {
      const doc = lvl.open(new Uint8Array(readFileSync(path)), path);
      const can = doc.can.includes('render') && doc.scene().things.length > 0;
      doc.close();
      return can;
    } catch {
      return false;
    }
  };
  return [[/\.(nw|graal|zelda)$/i, 8], [/\.wwd$/i, 6], [/\.level$/i, 6]].flatMap(([family, count]) => {
    const sized = all.filter(path => family.test(path) && isDrawn(path))
      .map(path => ({path, size: statSync(path).size})).sort((a, b) => a.size - b.size);
    return Array.from({length: count}, (_, i) => sized[Math.round(i / (count - 1) * (sized.length - 1))].path);
  });
}

try {
  /* Where paths of a state are in the next one: read by the library of the test. */
  await page.exposeFunction('followInTest', (name, before, after, paths) => {
    const [a, b] = [before, after].map(text => lvl.open(Buffer.from(text, 'base64'), name));
    try {
      return b.follow(paths, a).map(path => path ?? null);
    } finally {
      a.close();
      b.close();
    }
  });
  await page.evaluateOnNewDocument(() => {
    const text = bytes => {
      let all = '';
      for (let i = 0; i < bytes.length; i += 8192) all += String.fromCharCode(...bytes.subarray(i, i + 8192));
      return btoa(all);
    };
    globalThis.followStep = (name, before, after, paths) => globalThis.followInTest(name, text(before), text(after), paths);
  });

  await test('moves by the keys are of the thing that was selected when the key was pressed', async () => {
    const {bytes, list} = crowd(16000);
    await open({'crowd.wwd': bytes});
    const [a, b] = [`${list}[302]`, `${list}[306]`];
    await value(one => lvlApp.select(lvlApp.thingFor(one), {centre: true}), a);
    await page.waitForFunction(() => lvlApp.map.complete);
    await page.focus('#map');
    const before = await Promise.all([a, b].map(one => get(`${one}.x`)));
    await page.keyboard.down('Shift');
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('ArrowRight');
      await wait(70);
    }
    await page.keyboard.up('Shift');
    await clickThing(b);
    await done();
    assert.deepEqual(await Promise.all([a, b].map(one => get(`${one}.x`))), [before[0] + 8, before[1]]);
    assert.equal(await value(() => lvlApp.selected), b);
  });

  await test('what is clicked while a deletion is drawn is what was seen there', async () => {
    await open({'crowd.wwd': crowd(300).bytes});
    const list = await value(() => lvlApp.map.scene.things[0].path.replace(/\[\d+\]$/, ''));
    await value(one => lvlApp.select(lvlApp.thingFor(one), {centre: true}), `${list}[10]`);
    await page.waitForFunction(() => lvlApp.map.complete);
    const at = await value(one => {
      const [x, y, w, ht] = lvlApp.rectOf(lvlApp.thingFor(one));
      return lvlApp.map.screen(x + w / 2, y + ht / 2);
    }, `${list}[14]`);
    await slow(150);
    await page.focus('#map');
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => lvlApp.map.scene !== lvlApp.doc.scene);
    await page.mouse.click(...at);
    await done();
    assert.equal(await get(`${await value(() => lvlApp.selected)}.id`), 15);
  });

  for (const [label, typed] of [['Duplicate', 'Copied'], ['Place copies', 'Placed']])
    await test(`${label} copies what was typed just before`, async () => {
      await open({'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
      const path = await value(() => lvlApp.doc.scene.things.find(thing => thing.label === 'TreasurePowerup').path);
      await value(one => lvlApp.goToPath(`${one}.`), path);
      await page.waitForSelector(`[id="f-${path}.name"]`);
      await slow(60);
      await page.$eval(`[id="f-${path}.name"]`, node => { node.focus(); node.select(); });
      await page.keyboard.type(typed);
      await page.mouse.click(...(await find(page, {text: label})).place);
      if (label === 'Place copies') {
        await page.mouse.click(400, 400);
        await page.keyboard.press('Escape');
      }
      await done();
      const list = path.replace(/\[\d+\]$/, '');
      const objects = await get(list);
      assert.deepEqual(objects.map((one, i) => (one.name === typed ? i : -1)).filter(i => i >= 0).length, 2);
    });

  await test('each paste has what was copied before it', async () => {
    await open({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    const list = 'planes[4].objects';
    const names = (await get(list)).map(one => one.logic);
    const [a, b] = [0, names.findIndex(name => name !== names[0])];
    await slow(60);
    for (const i of [a, b]) {
      await value(one => lvlApp.select(lvlApp.thingFor(one)), `${list}[${i}]`);
      await copyEvent('copy');
      await copyEvent('paste');
    }
    await done();
    const now = (await get(list)).map(one => one.logic);
    assert.deepEqual(now.slice(names.length), [names[a], names[b]]);
  });

  await test('a cut is pasted as it was, and what was moved just before has moved', async () => {
    await open({'hill-v4.level': sample('sketchy/hill-v4.level')});
    const before = await get('actors');
    await slow(60);
    await value(() => lvlApp.select(lvlApp.thingFor('actors[0]')));
    await page.focus('#map');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.up('Shift');
    await copyEvent('cut');
    await done();
    assert.equal((await get('actors')).length, before.length - 1);
    await value(() => { lvlApp.pointerAt = null; });
    await copyEvent('paste');
    await done();
    const now = await get('actors');
    assert.equal(now.length, before.length);
    assert.equal(now.filter(actor => actor.filename === before[0].filename).length,
      before.filter(actor => actor.filename === before[0].filename).length);
  });

  await test('Convert writes what was typed just before', async () => {
    await open({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await value(() => {
      globalThis.saved = [];
      URL.createObjectURL = blob => {
        if (blob.type === 'application/octet-stream') saved.push(blob);
        return 'about:blank#';
      };
      HTMLAnchorElement.prototype.click = () => {};
    });
    await click(page, '#tab-changes');
    const {place} = await find(page, {text: 'Convert'});
    assert.ok(place);
    await slow(60);
    await value(() => {
      lvlApp.edit(['title=Typed just before'], 'title');
      [...document.querySelectorAll('#page-changes button')].find(node => node.textContent === 'Convert').click();
    });
    await done();
    await page.waitForFunction(() => saved.length === 1 || document.querySelector('#page-changes .severity'));
    await value(() => [...document.querySelectorAll('#page-changes button')].find(node => node.textContent === 'Convert anyway')?.click());
    await page.waitForFunction(() => saved.length === 1);
    const bytes = Uint8Array.from(await value(async () => [...new Uint8Array(await saved[0].arrayBuffer())]));
    const doc = lvl.open(bytes, 'converted.level');
    assert.equal(doc.get('title'), 'Typed just before');
    doc.close();
  });

  await test('a thing that is deleted while it is dragged ends the drag', async () => {
    await open({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await value(() => lvlApp.select(lvlApp.thingFor('actors[0]'), {centre: true}));
    await page.waitForFunction(() => lvlApp.map.complete);
    const count = (await get('actors')).length;
    const [x, y] = await value(() => {
      const [left, top, w, ht] = lvlApp.rectOf(lvlApp.thingFor('actors[0]'));
      return lvlApp.map.screen(left + w / 2, top + ht / 2);
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y + 20, {steps: 4});
    await page.focus('#map');
    await page.keyboard.press('Delete');
    await page.mouse.move(x + 40, y + 20, {steps: 4});
    await done();
    await page.mouse.move(x + 60, y + 20, {steps: 4});
    await page.mouse.up();
    await done();
    assert.equal((await get('actors')).length, count - 1);
    assert.equal(await value(() => lvlApp.at), 1);
  });

  await test('NPCs of binary levels move by whole tiles; what a version cannot hold is not offered', async () => {
    await open({'frost_pass.graal': sample('graal/lakeside/frost_pass.graal')});
    const [{x = 0, y = 0}] = await get('npcs');
    await value(() => lvlApp.select(lvlApp.thingFor('npcs[0]'), {centre: true}));
    await page.waitForFunction(() => lvlApp.map.complete);
    await page.focus('#map');
    await page.keyboard.down('Shift');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.up('Shift');
    await done();
    assert.deepEqual((await get('npcs')).slice(0, 1).map(one => [one.x, one.y]), [[x + 2, y + 1]]);
    await value(() => lvlApp.map.goTo(400, 400, 1));
    const [sx, sy] = await value(() => {
      const [left, top, w, ht] = lvlApp.rectOf(lvlApp.thingFor('npcs[0]'));
      return lvlApp.map.screen(left + w / 2, top + ht / 2);
    });
    await page.mouse.move(sx, sy);
    await page.mouse.down();
    await page.mouse.move(sx + 75, sy + 24, {steps: 5});
    await page.mouse.up();
    await done();
    const [moved] = await get('npcs');
    assert.deepEqual([moved.x, moved.y], [x + 2 + 5, y + 1 + 2]);
    assert.equal(await value(() => lvlApp.at), 4);
    /* Text levels have half tiles. */
    await open({'lake_village.nw': sample('graal/lakeside/lake_village.nw')});
    const [{x: half}] = await get('npcs');
    await value(() => lvlApp.select(lvlApp.thingFor('npcs[0]'), {centre: true}));
    await page.focus('#map');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await done();
    assert.equal((await get('npcs'))[0].x, half + 0.5);
    const kinds = async (name, bytes) => {
      await open({[name]: bytes});
      await value(() => lvlApp.panel.choose('things'));
      await page.waitForSelector('#page-things details.add');
      return value(() => [...document.querySelectorAll('#page-things details.add select')[0]?.options ?? []].map(one => one.value));
    };
    assert.deepEqual(await kinds('a.zelda', sample('graal/versions/z3-v1.04.zelda')), ['link', 'baddy', 'sign']);
    assert.deepEqual(await kinds('b.graal', sample('graal/lakeside/frost_pass.graal')), ['link', 'baddy', 'npc', 'chest', 'sign']);
  });

  await test('a thing without a picture is moved: what is drawn is the whole picture', async () => {
    const name = 'hill-v4.level';
    const hill = lvl.open(sample(`sketchy/${name}`), name);
    const [actor] = hill.get('actors');
    hill.close();
    const doc = lvl.open(lvl.create('sketchy', {extension: 'level', width: 400, height: 300}), name);
    /* Names that lie close to each other take each other's place. */
    doc.set(Array.from({length: 12}, (_, i) => `actors[+]=${JSON.stringify({...actor, id: `00000000-0000-4000-8000-0000000000${i + 10}`,
      filename: `a-doodad-with-a-long-name-${i}.doodad`, point: {x: 40 + i % 4 * 60, y: 30 + Math.floor(i / 4) * 30}})}`));
    await open({[name]: doc.save()});
    doc.close();
    assert.equal(await value(() => lvlApp.doc.scene.missing_things), 12);
    const pixels = () => value(async () => {
      const {map} = lvlApp;
      lvlApp.selectAll([]);
      map.hovered = null;
      map.draw();
      do await new Promise(requestAnimationFrame); while (!map.complete);
      const {data} = map.canvas.getContext('2d').getImageData(0, 0, map.canvas.width, map.canvas.height);
      return [...new Uint8Array(await crypto.subtle.digest('SHA-256', data))].join();
    });
    const count = (await get('actors')).length;
    for (let i = 0; i < 14; i++) {
      await value(zoom => lvlApp.map.goTo(130, 70, zoom), [1, 2, 0.5, 0.25][i % 4]);
      await pixels();
      await value(change => lvlApp.edit([change], 'move'), `actors[${i % count}].point.${'xy'[i % 2]}+=${i % 3 ? 37 : -23}`);
      const shown = await pixels();
      await value(() => lvlApp.map.setOptions({...lvlApp.map.options}));
      assert.equal(shown, await pixels(), `actor ${i % count}`);
    }
  });

  /* Seven ways to give the pictures of a level. */
  const cliffs = lvl.open(sample('wwd/SAMPLES.REZ'), 'SAMPLES.REZ');
  const members = Object.fromEntries(cliffs.members().filter(one => !one.folder).map(one => [one.path, cliffs.member(one.path).bytes]));
  cliffs.close();
  const below = (folder, list) => Object.fromEntries(Object.entries(list).map(([path, bytes]) => [`${folder}/${path}`, bytes]));
  const ways = {
    'an archive': {'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')},
    'an archive in a folder': {'claw3/data/SAMPLES.REZ': sample('wwd/SAMPLES.REZ')},
    'a folder': below('claw3', members),
    'a folder deep below': below('games/claw/extracted', members),
    'a zip': {'claw3.zip': zip(below('claw3', members))},
    'a zip of an archive': {'claw3.zip': zip({'old/SAMPLES.REZ': sample('wwd/SAMPLES.REZ')})},
    'a zip in a zip': {'claw3.zip': zip({'a/inner.zip': zip(below('claw3/art', members))})},
  };
  for (const [way, files] of Object.entries(ways)) await test(`art: ${way} is found, and how much of it is used`, async () => {
    await open({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    const missing = await value(() => lvlApp.doc.scene.missing_things);
    await value(list => lvlApp.addFiles(list.map(([path, text]) => ({path, file: Uint8Array.from(atob(text), c => c.charCodeAt(0))}))),
      Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]));
    await page.waitForFunction(() => /The level uses/.test(document.getElementById('notice').textContent));

    assert.match(await value(() => document.getElementById('notice').textContent), /The level uses \d+ pictures of it\.( Open it)?$/);
    assert.deepEqual(await value(() => [lvlApp.doc.scene.has_art, lvlApp.path]), [true, 'cliffs.wwd']);
    assert.ok(await value(() => lvlApp.doc.scene.missing_things) < Math.max(1, missing));
  });

  await test('art that the level does not use is named so; a level in a zip in a zip is saved into it', async () => {
    await open({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await value(list => lvlApp.addFiles([{path: 'other/pics/sheet.png', file: new Uint8Array(list)}]), [...sample('graal/pics1.png')]);
    await page.waitForFunction(() => /The level uses no picture of it/.test(document.getElementById('notice').textContent));
    await value(() => {
      globalThis.saved = [];
      URL.createObjectURL = blob => {
        if (blob.type === 'application/octet-stream') saved.push(blob);
        return 'about:blank#';
      };
      HTMLAnchorElement.prototype.click = () => {};
    });
    const inner = {'deep/hill-v4.level': sample('sketchy/hill-v4.level'), 'note.txt': Buffer.from('a note')};
    const outer = zip({'more/inner.zip': zip(inner), 'other.txt': Buffer.from('other')});
    await value(list => lvlApp.addFiles([{path: 'outer.zip', file: new Uint8Array(list)}]), [...outer]);
    assert.equal(await value(() => lvlApp.path), 'outer/more/inner/deep/hill-v4.level');
    await value(() => lvlApp.edit(['title=Deep'], 'title').then(() => lvlApp.save()));
    await page.waitForFunction(() => saved.length === 1);
    const bytes = Uint8Array.from(await value(async () => [...new Uint8Array(await saved[0].arrayBuffer())]));
    const [a, b] = [lvl.unzip(bytes), lvl.unzip(lvl.unzip(bytes).read('more/inner.zip'))];
    assert.equal(new TextDecoder().decode(a.read('other.txt')), 'other');
    assert.equal(new TextDecoder().decode(b.read('note.txt')), 'a note');
    const doc = lvl.open(b.read('deep/hill-v4.level'), 'hill-v4.level');
    assert.equal(doc.get('title'), 'Deep');
    doc.close();
    assert.deepEqual(await value(() => lvlApp.unsaved), []);
  });

  /* What is saved as a download is kept in `saved`. */
  const catchDownloads = () => value(() => {
    globalThis.saved = [];
    URL.createObjectURL = blob => {
      if (/octet-stream|zip/.test(blob.type)) saved.push(blob);
      return 'about:blank#';
    };
    HTMLAnchorElement.prototype.click = () => {};
  });
  const download = async n => Uint8Array.from(await value(async i => [...new Uint8Array(await saved[i].arrayBuffer())], n));

  await test('Save all of several files is one zip', async () => {
    const names = ['lake_village.nw', 'lake_woods.nw', 'lake_shore.nw'];
    const files = Object.fromEntries(names.map(name => [`world/${name}`, sample(`graal/lakeside/${name}`)]));
    await open(files);
    await catchDownloads();
    for (const name of names) await value(async path => {
      await lvlApp.openPath(path);
      await lvlApp.edit(['layers[0].tiles[3,3]=77'], 'tile');
    }, `world/${name}`);
    await value(() => lvlApp.saveAll());
    await page.waitForFunction(() => saved.length > 0 && !lvlApp.unsaved.length);
    assert.equal(await value(() => saved.length), 1);
    const all = lvl.unzip(await download(0));
    assert.deepEqual([...all].sort(), names.map(name => `world/${name}`).sort());
    for (const name of names) {
      const doc = lvl.open(sample(`graal/lakeside/${name}`), name);
      doc.set(['layers[0].tiles[3,3]=77']);
      assert.deepEqual(all.read(`world/${name}`), doc.save());
      doc.close();
    }
    await page.waitForFunction(() => document.getElementById('notice').textContent === 'Saved 3 files in levels.zip.');
  });

  await test('work of the last visit has all its steps', async () => {
    const name = 'hill-v4.level';
    await open({[name]: sample(`sketchy/${name}`)});
    for (const title of ['one', 'two', 'three']) await value(text => lvlApp.edit([`title=${text}`], `title ${text}`), title);
    await value(() => lvlApp.travel(-1));
    await stored(page, 'work', all => all.some(one => one.steps?.at === 2 && one.steps.history.length === 4));
    await page.goto('about:blank');
    await page.goto(pathToFileURL(resolve(pagePath)).href);
    await page.waitForSelector('#left:not([hidden])');
    await click(page, '#leftOpen');
    await page.waitForFunction(() => lvlApp.doc && lvlApp.history.length === 4);
    assert.deepEqual(await value(() => [lvlApp.at, lvlApp.history.map(step => step.label), lvlApp.unsaved]),
      [2, ['as opened', 'title one', 'title two', 'title three'], [name]]);
    for (const [by, title] of [[1, 'three'], [-2, 'one'], [-1, null]]) {
      await value(step => lvlApp.travel(step), by);
      if (title) assert.equal(await get('title'), title);
    }
    assert.deepEqual(Uint8Array.from(await value(() => [...lvlApp.bytes])), sample(`sketchy/${name}`));
  });

  await test('a file that is dropped as art can be opened instead', async () => {
    await open({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await value(list => { lvlApp.addFiles([{path: 'lantern.doodad', file: new Uint8Array(list)}]); }, [...sample('sketchy/lantern.doodad')]);
    await page.waitForSelector('#notice.shown button');
    await click(page, '#notice button');
    await page.waitForFunction(() => lvlApp.path === 'lantern.doodad');
  });

  await test('thousands of files that are dropped: a count, no long frame, and a way to stop', async () => {
    const bytes = [...sample('graal/lakeside/lake_woods.nw')];
    const drop = (count, stopAt) => value(async (list, n, stop) => {
      /* Entries of a folder, as the browser gives them. */
      const file = new File([new Uint8Array(list)], 'l.nw');
      let read = 0;
      const folder = {kind: 'directory', name: 'many', async * values() {
        for (let i = 0; i < n; i++) yield {kind: 'file', name: `l${i}.nw`, getFile: async () => {
          read++;
          /* As the browser reads: some at a time. */
          if (read % 50 === 0) await new Promise(resolve => { setTimeout(resolve, 5); });
          return file;
        }};
      }};
      DataTransferItem.prototype.getAsFileSystemHandle = async () => folder;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file);
      const frames = [];
      let last = performance.now();
      let busy = '';
      let going = true;
      const look = now => {
        if (!going) return; /* the next drop has begun */
        frames.push(now - last);
        last = now;
        if (/reading \d+ files/.test(document.getElementById('busy').textContent)) busy = document.getElementById('busy').textContent;
        if (stop && read >= stop && !document.getElementById('stop').hidden) document.getElementById('stop').click();
        if (going) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
      await new Promise(resolve => { setTimeout(resolve, 100); });
      while (document.getElementById('busy').checkVisibility() && /reading/.test(document.getElementById('busy').textContent))
        await new Promise(resolve => { setTimeout(resolve, 20); });
      while (!stop && lvlApp.paths.length < n) await new Promise(resolve => { setTimeout(resolve, 20); });
      await new Promise(resolve => { setTimeout(resolve, 200); });
      going = false;
      return {longest: Math.max(...frames), read, busy, paths: lvlApp.paths.length};
    }, bytes, count, stopAt);
    const stopped = await drop(5000, 600);
    assert.ok(stopped.read >= 600 && stopped.read < 5000 && stopped.paths === 0, JSON.stringify(stopped));
    const all = await drop(5000, 0);
    if (process.env.TALK) console.log(all);
    assert.equal(all.paths, 5000);
    assert.match(all.busy, /^reading \d+ files/);
    /* The aim is 0.2 s on a machine of its own; beside other work a frame takes longer. LVL_SLOW=1 compares with the aim. */
    assert.ok(all.longest < 200 * +(process.env.LVL_SLOW || 8), JSON.stringify(all));
  });

  await test('a folder that is chosen: a count, and Stop leaves everything as it was', async () => {
    await open({'lake_village.nw': sample('graal/lakeside/lake_village.nw')});
    const choose = stop => value(async (list, stops) => {
      const transfer = new DataTransfer();
      for (let i = 0; i < 5000; i++) transfer.items.add(new File([new Uint8Array(list)], `l${i}.nw`));
      const input = document.getElementById('folder');
      input.files = transfer.files;
      let busy = '';
      input.dispatchEvent(new Event('change'));
      for (let begun = false; ;) {
        await new Promise(requestAnimationFrame);
        const [isSeen, {textContent: text}] = [document.getElementById('stop').checkVisibility(),
          document.getElementById('busy').firstElementChild];
        if (begun && !lvlApp.stopProgress) break;
        if (!isSeen || !/reading 5000 files, \d+ done/.test(text)) continue;
        begun = true;
        busy = text;
        if (stops && /[1-9]\d* done/.test(text)) document.getElementById('stop').click();
      }
      return busy;
    }, [...sample('graal/lakeside/lake_woods.nw')], stop);
    await choose(true);
    await page.waitForFunction(() =>
      document.getElementById('notice').textContent === 'Stopped: nothing was opened.');
    await done();
    assert.deepEqual(await value(() => [lvlApp.path, ...lvlApp.paths]), ['lake_village.nw', 'lake_village.nw']);
    await value(() => lvlApp.edit(['npcs[0].x=5'], 'x'));
    assert.equal(await get('npcs[0].x'), 5);
    await choose(false);
    await page.waitForFunction(() => lvlApp.paths.length === 5000);
  });

  await test('a file that another program has changed is not overwritten silently', async () => {
    const name = 'hill-v4.level';
    const other = sample('sketchy/lantern.doodad');
    await open({[name]: sample(`sketchy/${name}`)});
    const results = await value(async bytes => {
      let time = 1000;
      let disk;
      const write = content => { disk = new File([content], lvlApp.name, {lastModified: time++}); };
      write(lvlApp.bytes);
      lvlApp.list[0].file = disk;
      lvlApp.list[0].root = {kind: 'file', getFile: async () => disk, createWritable: async () => {
        let given;
        return {write: async blob => { given = blob; }, close: async () => write(given)};
      }};
      let asked = 0;
      let answer = false;
      globalThis.confirm = text => {
        if (!/was changed by another program/.test(text)) throw new Error(text);
        asked++;
        return answer;
      };
      const found = [];
      const save = async title => {
        await lvlApp.edit([`title=${title}`], 'title');
        await lvlApp.save();
        const now = new Uint8Array(await disk.arrayBuffer());
        const isMine = now.length === lvlApp.bytes.length && now.every((byte, i) => byte === lvlApp.bytes[i]);
        found.push([asked, isMine, lvlApp.unsaved.length]);
      };
      await save('one');
      await save('two'); /* what the page wrote itself is no other program's */
      write(await disk.arrayBuffer());
      await save('the same content was written');
      write(new Uint8Array(bytes));
      await save('refused');
      answer = true;
      await save('overwritten');
      await save('again');
      return found;
    }, [...other]);
    assert.deepEqual(results,
      [[0, true, 0], [0, true, 0], [0, true, 0], [1, false, 1], [2, true, 0], [2, true, 0]]);
  });

  await test('a repair that was shown is made, and not when the file has changed meanwhile', async () => {
    await open({'lake_village.nw': sample('graal/lakeside/lake_village.nw')});
    await value(() => lvlApp.edit(['npcs[0].x=5'], 'x'));
    const other = sample('graal/lakeside/lake_woods.nw');
    await value(list => lvlApp.replace(new Uint8Array(list), 'repair'), [...other]);
    assert.deepEqual(Uint8Array.from(await value(() => [...lvlApp.bytes])), other);
    await value(list => {
      lvlApp.edit(['layers[0].tiles[1,1]=5'], 'tile');
      return lvlApp.replace(new Uint8Array(list), 'repair');
    }, [...sample('graal/lakeside/lake_village.nw')]);
    assert.equal(await get('layers[0].tiles[1,1]'), 5);
    await page.waitForFunction(() => document.getElementById('notice').textContent === 'Not done: repair. The file has changed meanwhile.');
  });

  /*
   * Random sessions by keys and mouse, with pauses of 0 to 300 ms: the commands are noted as they are issued, and the document is
   * what the same commands give when each waits for the one before. LVL_SESSIONS=2000 on real files of LVL_CORPUS, from small ones
   * to the largest; else some steps on the samples.
   */
  const steps = +(process.env.LVL_SESSIONS || 40);
  let seed = +(process.env.LVL_SEED || 1);
  const random = n => {
    seed = seed * 48271 % 0x7fffffff;
    return seed % n;
  };
  for (const path of sessionFiles()) await test(`random session: ${path.split('/').pop()}`, async () => {
    const name = path.split('/').pop();
    await open({[name]: new Uint8Array(readFileSync(path))});
    await catchDownloads();
    await value(() => {
      globalThis.issued = [];
      lvlApp.queue.issued = command => { issued.push({...command, things: [...command.things], given: command}); };
      /* The bytes of each state, by its number. */
      globalThis.states = new Map([[lvlApp.stateCount, lvlApp.bytes]]);
      const stepped = lvlApp.stepped.bind(lvlApp);
      lvlApp.stepped = (doc, changed) => {
        stepped(doc, changed);
        states.set(lvlApp.stateCount, doc.bytes);
      };
    });
    const counts = {};
    for (let i = 0; i < steps; i++) {
      const what = ['select', 'select', 'move', 'move', 'move', 'move', 'type', 'copy', 'paste', 'duplicate', 'delete', 'undo', 'redo', 'convert',
        'tab'][random(15)];
      counts[what] = (counts[what] ?? 0) + 1;
      await value((step, n) => {
        const things = lvlApp.map.scene?.things?.filter(thing => thing.path && /\[\d+\]$/.test(thing.path)) ?? [];
        const key = (name, more = {}) => document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true,
          cancelable: true, ...more}));
        const clip = kind => document.body.dispatchEvent(new ClipboardEvent(kind, {bubbles: true, cancelable: true,
          clipboardData: new DataTransfer()}));
        const button = text => [...document.querySelectorAll('#pages section:not([hidden]) button')].find(node => node.textContent === text);
        if (step !== 'type') document.activeElement.blur();
        if (step === 'select' && things.length) {
          const thing = things[n % things.length];
          lvlApp.select(thing);
          lvlApp.panel.showRecord(thing.path);
        } else if (step === 'move') key(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'][n % 4], {shiftKey: true});
        else if (step === 'copy' || step === 'paste') clip(step);
        else if (step === 'delete') key('Delete');
        else if (step === 'undo') key('z', {ctrlKey: true});
        else if (step === 'redo') key('y', {ctrlKey: true});
        else if (step === 'duplicate') button('Duplicate')?.click();
        else if (step === 'convert') button('Convert')?.click();
        else if (step === 'tab') lvlApp.panel.choose(['record', 'things', 'changes', 'info'][n % 4]);
        else if (step === 'type') {
          const fields = [...document.querySelectorAll('#page-record:not([hidden]) input:is([type=text], [type=number]):not(:disabled)')];
          const field = fields[n % Math.max(1, fields.length)];
          if (!field) return;
          field.focus();
          field.value = field.type === 'number' ? String(n % 100) : `t${n % 1000}`;
          field.dispatchEvent(new Event('change', {bubbles: true}));
        }
      }, what, random(100000));
      await wait(random(301));
    }
    await done();
    const quick = await value(() => {
      lvlApp.queue.issued = () => {};
      return {bytes: [...lvlApp.bytes], at: lvlApp.at, issued: issued.length};
    });
    /* Again, from the beginning: each command waits for the one before; its things are followed from the state that it was issued in. */
    const slowly = await value(async () => {
      const [first] = lvlApp.history;
      const list = issued;
      const seen = states;
      await lvlApp.addFiles([{path: lvlApp.path, file: first.bytes}], lvlApp.path);
      const chain = [[...seen][0][1]]; /* the bytes of the states of this run */
      const numbers = [...seen.keys()]; /* the states of the run before, in order */
      const begin = lvlApp.stateCount;
      const stepped = lvlApp.stepped.bind(lvlApp);
      lvlApp.stepped = (doc, changed) => {
        stepped(doc, changed);
        chain.push(doc.bytes);
      };
      let refused = 0;
      for (const {what, label, things, args, clip, version, given} of list) {
        if (['convert', 'copy', 'files', 'open'].includes(what)) {
          if (what !== 'copy') continue;
        }
        const from = numbers.indexOf(version);
        let now = things;
        /* The states of both runs are the same one after the other: paths are followed from one to the next. */
        for (let i = from; i < chain.length - 1 && now.some(Boolean); i++) {
          const paths = now.filter(Boolean);
          const next = await globalThis.followStep(lvlApp.path, chain[i], chain[i + 1], paths);
          now = now.map(path => path && (next[paths.indexOf(path)] ?? null));
        }
        const command = {label, things: now, args, clip: await clip};
        await lvlApp.queue.issue(what, command).catch(() => { refused++; });
      }
      return {bytes: [...lvlApp.bytes], at: lvlApp.at, refused, begin};
    });
    const story = `seed ${process.env.LVL_SEED || 1}: ${JSON.stringify(counts)}, ${quick.issued} commands, ${slowly.refused} refused`;
    if (process.env.TALK) console.log(name, story);
    assert.equal(quick.at, slowly.at, story);
    assert.ok(Buffer.from(quick.bytes).equals(Buffer.from(slowly.bytes)), story);
  });

  assert.deepEqual(failures, []);
  console.log(`commands: ${tests} tests passed`);
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
