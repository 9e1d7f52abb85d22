/*
 * The page of web/viewer in Chromium, as one file from disk: samples are dropped, drawn, clicked, edited and
 * saved.
 * Usage: node viewer.mjs PAGE CHROMIUM FOLDER [WHAT], where FOLDER has node_modules with puppeteer-core and
 * axe-core. LVL names the command that edits are compared with. WHAT: only tests whose names contain it. FROM=TEXT: only the
 * first test with this text in its name and those that come later. THROTTLE=4
 * slows the page's processor down to a fourth.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {extname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {load} from '../../web/lvl.js';
import {click as clickStill, stored} from './still.mjs';
import {zip} from './zip.mjs';

const [, , pagePath, chromium, folder, only = ''] = process.argv;
let from = process.env.FROM ?? ''; /* the first test that is run */
const require = createRequire(resolve(folder, 'package.json'));
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const web = fileURLToPath(new URL('../../web/', import.meta.url));
const sample = name => new Uint8Array(readFileSync(join(samples, name)));
const digest = data => createHash('sha256').update(data).digest('hex');
const lvl = await load();

const scratch = mkdtempSync(`${tmpdir()}/lvl-viewer-`);
const browser = await puppeteer.launch({executablePath: chromium, headless: true,
  userDataDir: `${scratch}/profile`,
  protocolTimeout: 240000,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--js-flags=--expose-gc']});
const page = await browser.newPage();
page.setDefaultTimeout(120000); /* beside other work */
const devtools = await page.createCDPSession();
if (process.env.THROTTLE) await devtools.send('Emulation.setCPUThrottlingRate', {rate: +process.env.THROTTLE});
const url = pathToFileURL(resolve(pagePath)).href;
const requests = [];
const errors = [];
page.on('request', request => requests.push(request.url()));
page.on('pageerror', error => errors.push(error.message));
page.on('console', message => { if (process.env.TALK) console.log(message.text()); if (message.type() === 'error') errors.push(message.text()); });

async function fresh({width = 1280, height = 800, hash = ''} = {}) {
  await page.setViewport({width, height});
  await page.goto('about:blank');
  await page.goto(url + hash);
  await page.waitForSelector('body.ready');
}

const settled = () => page.waitForFunction(() => !lvlApp.map.scene || lvlApp.map.complete);

async function shown(path) {
  await page.waitForFunction(wanted => lvlApp.path === wanted && lvlApp.doc, {}, path);
  await settled();
}

/* Drops bytes onto the page as a drag would. */
async function dropOnly(files) {
  const list = Object.entries(files).map(([name, bytes]) =>
    ({name, text: Buffer.from(bytes).toString('base64')}));
  await page.evaluate(given => {
    const dataTransfer = new DataTransfer();
    for (const {name, text} of given)
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
  }, list);
}

/* The first file is what shall be shown. */
async function drop(files, show = Object.keys(files)[0]) {
  await dropOnly(files);
  await shown(show);
}

/* Drops files and folders of this machine, as the browser's own drag does. */
async function dropPaths(paths, show) {
  const data = {items: [], files: paths.map(path => join(samples, path)), dragOperationsMask: 1};
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await devtools.send('Input.dispatchDragEvent', {type, x: 300, y: 300, data});
  await shown(show);
}

const value = (run, ...args) => page.evaluate(run, ...args);
const bytesNow = async () => new Uint8Array(await value(() => [...lvlApp.bytes]));
const edits = count => page.waitForFunction(n => lvlApp.at === n, {}, count);
const noticed = text => page.waitForFunction(wanted =>
  document.getElementById('notice').textContent.includes(wanted), {}, text);

/*
 * Real handles, as the browser gives them for what is dropped: a file and a folder of its own storage, which it
 * lets pages write without asking. Only pages of a server have that storage.
 */
async function saveIntoHandles() {
  const [before, level] = [sample('sketchy/hill-v4.level'), 'hill-v4.level'];
  const saved = await page.evaluate(async (bytes, name) => {
    const store = await navigator.storage.getDirectory();
    const folder = await (await store.getDirectoryHandle('world', {create: true}))
      .getDirectoryHandle('deep', {create: true});
    const results = [];
    for (const [within, root, path] of [[store, null, name], [folder, await store.getDirectoryHandle('world'),
      `world/deep/${name}`]]) {
      const handle = await within.getFileHandle(name, {create: true});
      const out = await handle.createWritable();
      await out.write(new Uint8Array(bytes));
      await out.close();
      DataTransferItem.prototype.getAsFileSystemHandle = async () => root ?? handle;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['not read: the handle is'], name));
      document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
      while (lvlApp.path !== path || !lvlApp.doc) await new Promise(requestAnimationFrame);
      await lvlApp.edit(['title=A shorter file'], 'title');
      await lvlApp.save();
      results.push([...new Uint8Array(await (await handle.getFile()).arrayBuffer())]);
      results.push(document.getElementById('notice').textContent, lvlApp.unsaved.length);
    }
    return results;
  }, [...before], level);
  const wanted = set(before, level, 'title=A shorter file');
  for (const at of [0, 3]) {
    assert.deepEqual(Uint8Array.from(saved[at]), wanted);
    assert.deepEqual(saved.slice(at + 1, at + 3), [`Saved into ${level}.`, 0]);
  }
}

const click = (css, options) => clickStill(page, css, options);

async function tab(id, selector = '*') {
  await click(`#tab-${id}`);
  await page.waitForSelector(`#page-${id}:not([hidden]) ${selector}`);
}

/* Presses a button of the panel by its text, when it can be pressed. */
async function press(text) {
  const find = wanted =>
    [...document.querySelectorAll('#pages section:not([hidden]) button, #pages section:not([hidden]) label')]
    .find(node => node.textContent.startsWith(wanted) && !node.disabled);
  await page.waitForFunction(`(${find})(${JSON.stringify(text)})`);
  await value(`(${find})(${JSON.stringify(text)}).click()`);
}

/* Opens a file from the tab Files, by its search. */
async function pickFile(path) {
  await tab('files', '[type=search]');
  await page.$eval('#page-files [type=search]', (input, text) => {
    input.value = text;
    input.dispatchEvent(new Event('input'));
  }, path);
  await page.waitForSelector(`#page-files button[title$="${path}"]`);
  await click(`#page-files button[title$="${path}"]`);
}

/* Where a place of the picture is on the screen. */
const screen = (x, y) => value((px, py) => lvlApp.map.screen(px, py), x, y);

async function drag(from, to, steps = 6) {
  await page.mouse.move(...await screen(...from));
  await page.mouse.down();
  await page.mouse.move(...await screen(...to), {steps});
  await page.mouse.up();
}

/* The content of a file, without how its streams are packed. */
function contentOf(bytes, name) {
  const doc = lvl.open(bytes, name);
  try {
    return doc.dumpText({kept: false});
  } finally {
    doc.close();
  }
}

/*
 * What `lvl set` makes of a file, packed by the page's libdeflate. Where there is the command, its file, which another
 * release of libdeflate may have packed, must have the same content.
 */
function set(bytes, name, ...changes) {
  const unset = changes.filter(change => change.startsWith('unset ')).map(change => change.slice(6));
  const rest = changes.filter(change => !change.startsWith('unset '));
  const doc = lvl.open(bytes, name);
  let made;
  try {
    if (rest.length) doc.set(rest);
    if (unset.length) doc.unset(...unset);
    made = doc.save();
  } finally {
    doc.close();
  }
  if (process.env.LVL) {
    const [from, to] = [join(scratch, name), join(scratch, `changed-${name}`)];
    writeFileSync(from, bytes);
    execFileSync(process.env.LVL, ['set', from, ...rest, ...unset.flatMap(path => ['--unset', path]), '-o', to, '-y', '-q']);
    assert.equal(contentOf(made, name), contentOf(new Uint8Array(readFileSync(to)), name));
  }
  return made;
}

/* The pixels of the canvas where a part of the picture shows at 1:1, and what lvl renders there. */
async function compareCanvas(doc, options = {}) {
  const {width, height, bounds} = doc.scene();
  const [w, h] = [Math.min(80, width), Math.min(60, height)];
  const [x, y] = [Math.floor((width - w) / 2), Math.floor((height - h) / 2)];
  await value((cx, cy) => lvlApp.map.goTo(cx, cy, 1), x + Math.floor(w / 2), y + Math.floor(h / 2));
  await settled();
  const pixels = await value((left, top, wide, high) => {
    const [sx, sy] = lvlApp.map.screen(left, top).map(Math.round);
    return [...document.getElementById('map').getContext('2d').getImageData(sx, sy, wide, high).data];
  }, x, y, w, h);
  const [left, top] = bounds ?? [0, 0];
  const wanted = doc.render({...options, region: [x + left, y + top, w, h]}).data;
  /* Where nothing is drawn the page's paper shows. */
  const solid = wanted.map((_, i) => (wanted[i | 3] === 255 ? 255 : 0));
  const masked = data => digest(Uint8Array.from(data, (v, i) => v & solid[i]));
  assert.ok(solid.some(v => v), 'something is drawn');
  assert.equal(masked(pixels), masked(wanted));
}

let tests = 0;
async function test(name, run) {
  if (from && !name.includes(from)) return;
  from = '';
  if (!name.includes(only)) return;
  try {
    await run();
    assert.deepEqual(errors, []);
  } catch (error) {
    console.error(`viewer: ${name}: failed`, errors,
      await value(() => document.getElementById('notice')?.textContent).catch(() => ''));
    throw error;
  }
  tests++;
}

const lakeside = Object.fromEntries(readdirSync(join(samples, 'graal/lakeside')).map(name =>
  [`lakeside/${name}`, sample(`graal/lakeside/${name}`)]));
const families = {'cliffs.wwd': ['wwd/cliffs.wwd', 'wwd/SAMPLES.REZ'],
  'hill-v4.level': ['sketchy/hill-v4.level'],
  'hill-v1.level': ['sketchy/hill-v1.level'], 'hill-v2.level': ['sketchy/hill-v2.level'],
    'lantern.doodad': ['sketchy/lantern.doodad'],
  'lake_village.nw': ['graal/lakeside/lake_village.nw', 'graal/pics1.png', 'graal/well.png'],
  'frost_pass.graal': ['graal/lakeside/frost_pass.graal', 'graal/pics1.png', 'graal/pics_snow.png'],
  'lakeside.gmap': ['graal/lakeside/lakeside.gmap', 'graal/lakeside/lake_meadow.nw',
    'graal/lakeside/lake_village.nw',
    'graal/lakeside/lake_woods.nw', 'graal/lakeside/lake_shore.nw', 'graal/pics1.png']
};

try {
  for (const [name, paths] of Object.entries(families)) {
    await test(`${name}: the canvas shows what lvl renders`, async () => {
      await fresh();
      const files = Object.fromEntries(paths.map(path => [path.split('/').pop(), sample(path)]));
      await drop(files);
      const doc = lvl.open(files[name], name,
        {files, art: [...Object.keys(files).filter(f => /\.REZ$/.test(f)), '']});
      await compareCanvas(doc, name.endsWith('.doodad') ? {transparent: true} : {});
      doc.close();
    });
  }

  await test('an animation: the frame that is shown, and the next ones', async () => {
    await fresh();
    const files = {'hero_walk.gani': sample('graal/ganis/hero_walk.gani'),
      'sprites.png': sample('graal/sprites.png')};
    await drop(files);
    const first = await value(() => lvlApp.map.options.frame);
    await page.waitForFunction(frame => lvlApp.map.options.frame !== frame, {}, first);
    await tab('view', 'select');
    await press('Pause');
    await page.waitForFunction(() => !lvlApp.panel.state.timer);
    await settled();
    const options = await value(() => lvlApp.map.options);
    const doc = lvl.open(files['hero_walk.gani'], 'hero_walk.gani', {files, art: ['']});
    doc.scene({frame: options.frame, direction: options.direction});
    assert.ok(doc.animation().frames > 1);
    doc.close();
    await drop({'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    await page.waitForSelector('#page-files:not([hidden]) li');
    assert.equal(await page.$eval('#notice', node => node.textContent), '');
  });

  await test('click a thing, edit a field, undo, redo, save', async () => {
    await fresh();
    const name = 'hill-v4.level';
    await drop({[name]: sample(`sketchy/${name}`)});
    assert.deepEqual(await bytesNow(), sample(`sketchy/${name}`));
    const [x, y] = await value(() => {
      const [left, top, width, height] = lvlApp.rectOf(lvlApp.doc.scene.things[0]);
      return lvlApp.map.screen(left + width / 2, top + height / 2);
    });
    await page.mouse.click(x, y);
    await page.waitForSelector('#page-record:not([hidden]) .crumbs');
    assert.equal(await value(() => lvlApp.panel.state.recordPath), 'actors[0]');
    await value(() => lvlApp.panel.showRecord('actors[0].point'));
    await page.waitForSelector('[id="f-actors[0].point.x"]');
    await page.$eval('[id="f-actors[0].point.x"]', input => {
      input.value = '51';
      input.dispatchEvent(new Event('change'));
    });
    await edits(1);
    const wanted = set(sample(`sketchy/${name}`), name, 'actors[0].point.x=51');
    assert.deepEqual(await bytesNow(), wanted);
    await click('#undo');
    await edits(0);
    assert.deepEqual(await bytesNow(), sample(`sketchy/${name}`));
    await click('#redo');
    await edits(1);
    const saved = await value(async () => {
      let kept;
      URL.createObjectURL = blob => { kept = blob; return 'about:blank#'; };
      HTMLAnchorElement.prototype.click = () => {};
      await lvlApp.save();
      return [...new Uint8Array(await kept.arrayBuffer())];
    });
    assert.deepEqual(Uint8Array.from(saved), wanted);
    assert.equal(await page.$eval('#save', node => node.textContent), 'Save');
  });

  await test('save goes into the opened file where the browser gave a handle', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    const saved = await value(async () => {
      const written = [];
      const disk = new File([lvlApp.bytes], '');
      lvlApp.list[0].root = {kind: 'file', getFile: async () => disk, createWritable: async () => ({write: async blob =>
        written.push(...new Uint8Array(await blob.arrayBuffer())), close: async () => {}})};
      await lvlApp.edit(['title=Mine'], 'title');
      await lvlApp.save();
      return written;
    });
    assert.deepEqual(Uint8Array.from(saved), set(sample('sketchy/hill-v4.level'), 'hill-v4.level',
      'title=Mine'));
    await noticed('Saved into hill-v4.level');
  });

  await test('a level in a pack: saving writes the pack', async () => {
    await fresh();
    await drop({'walk.levelpack': sample('sketchy/walk.levelpack')});
    await press('hill.level');
    await shown('walk.levelpack/levels/hill.level');
    const [name, saved] = await value(async () => {
      const kept = [];
      URL.createObjectURL = blob => { kept.push(blob); return 'about:blank#'; };
      HTMLAnchorElement.prototype.click = function () { kept.push(this.download); };
      await lvlApp.edit(['title=Mine'], 'title');
      await lvlApp.save();
      return [kept[1], [...new Uint8Array(await kept[0].arrayBuffer())]];
    });
    assert.equal(name, 'walk.levelpack');
    const pack = lvl.open(sample('sketchy/walk.levelpack'), 'walk.levelpack');
    pack.putMember('levels/hill.level', set(pack.member('levels/hill.level').bytes, 'hill.level', 'title=Mine'));
    assert.deepEqual(Uint8Array.from(saved), pack.save());
    pack.close();
    await value(() => lvlApp.openPath('walk.levelpack'));
    await value(() => lvlApp.openPath('walk.levelpack/levels/hill.level'));
    assert.equal(await value(() => lvlApp.map.scene.title), 'Mine');
  });

  await test('a finger paints, two fingers zoom', async () => {
    await fresh({width: 390, height: 800});
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await tab('paint', '.swatches');
    await press('lava');
    await page.waitForFunction(() => lvlApp.brush.tool === 'brush' && lvlApp.brush.target);
    await value(async () => { /* the browser knows where the map is, so that touches reach it */
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    });
    const touch = (type, ...points) => devtools.send('Input.dispatchTouchEvent',
      {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
    await touch('touchStart', [150, 200]);
    await touch('touchMove', [180, 210]);
    await touch('touchEnd');
    await edits(1);
    const zoom = await value(() => lvlApp.map.zoom);
    await touch('touchStart', [150, 200]);
    await touch('touchStart', [150, 200], [200, 200]);
    for (let i = 1; i < 5; i++) await touch('touchMove', [150 - 5 * i, 200], [200 + 5 * i, 200]);
    await touch('touchEnd');
    await page.waitForFunction(before => lvlApp.map.zoom > before * 1.3, {}, zoom);
    assert.equal(await value(() => lvlApp.at), 1);
  });

  /* Selects a thing by a click and drags it; the file is what `lvl set` makes of it. */
  const moves = {'cliffs.wwd': ['wwd/cliffs.wwd', 'planes[4].objects[1]', [40, -24], [40, -24]],
    'hill-v4.level': ['sketchy/hill-v4.level', 'actors[0]', [9, -12], [9, -12], '.point'],
    'lake_village.nw': ['graal/lakeside/lake_village.nw', 'npcs[0]', [50, 21], [3, 1.5]]};
  for (const [name, [path, record, by, units, inner = '']] of Object.entries(moves)) {
    await test(`${name}: dragging a thing`, async () => {
      await fresh();
      const bytes = sample(path);
      await drop({[name]: bytes});
      await value(wanted => lvlApp.select(lvlApp.thingFor(wanted), {centre: true}), record);
      await settled();
      const rect = await value(() => lvlApp.map.selected);
      const from = [rect[0] + rect[2] / 2, rect[1] + rect[3] / 2];
      await drag(from, [from[0] + by[0], from[1] + by[1]]);
      await edits(1);
      assert.deepEqual(await bytesNow(), set(bytes, name, `${record}${inner}.x+=${units[0]}`,
        `${record}${inner}.y+=${units[1]}`));
      const after = await value(() => lvlApp.map.selected);
      assert.ok(after[0] !== rect[0] && after[1] !== rect[1], 'the frame goes with it');
      await page.keyboard.press('z', {});
      await value(() => lvlApp.travel(-1));
      await edits(0);
      assert.deepEqual(await bytesNow(), bytes);
      /* And by the keys. */
      await page.focus('#map');
      await page.keyboard.down('Shift');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.up('Shift');
      await edits(1);
      const step = name.endsWith('.nw') ? 0.5 : 1;
      assert.deepEqual(await bytesNow(), set(bytes, name, `${record}${inner}.x+=${step}`));
    });
  }

  await test('what belongs to a thing is dragged with it', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    const doc = lvl.open(bytes, 'cliffs.wwd');
    const [path] = doc.getAll('planes[4].objects[logic=Soldier,min_x>0].min_x').map(found => found.path.replace(/\.min_x$/, ''));
    await drop({'cliffs.wwd': bytes});
    await value(wanted => lvlApp.select(lvlApp.thingFor(wanted), {centre: true}), path);
    await settled();
    const [left, top, width, height] = await value(() => lvlApp.map.selected);
    const from = [left + width / 2, top + height / 2];
    await drag(from, [from[0] + 30, from[1]]);
    await edits(1);
    assert.deepEqual(await bytesNow(), set(bytes, 'cliffs.wwd', ...['x', 'min_x', 'max_x'].map(name => `${path}.${name}+=30`)));
    /* 0 means that there is no range. */
    await value(wanted => lvlApp.edit([`${wanted}.min_x=5`], 'min_x'), path);
    await edits(2);
    await drag([from[0] + 30, from[1]], [from[0] + 25, from[1]]);
    await edits(3);
    await noticed(`${path}: min_x of an object would be 0`);
    doc.close();
  });

  await test('the Check tab checks rules of the game, and frames what they are about', async () => {
    await fresh();
    const [thing, tile] = ['planes[4].objects[0]', 'planes[4].tiles[3,2]'];
    await drop({'cliffs.wwd': set(sample('wwd/cliffs.wwd'), 'cliffs.wwd', `${thing}.logic=Elevator`, `${thing}.min_x=1`, `${thing}.max_x=2`,
      `${tile}=0x00050001`, 'planes[1].tiles[0,0]=0x00050001')});
    await tab('findings', '.verdict');
    const text = await page.$eval('#page-findings', node => node.textContent);
    assert.match(text, /An elevator outside of its range.*claw\.elevator\.outside · planes\[4\]\.objects\[0\]/s);
    assert.match(text, /planes\[4\]\.tiles\[3,2\]/);
    const [frames, own] = await value(path => [lvlApp.map.findings, lvlApp.rectOf(lvlApp.thingFor(path))], thing);
    assert.ok(frames.some(({rect, isBad}) => !isBad && String(rect) === String(own)));
    assert.ok(frames.some(({rect, isBad}) => isBad && String(rect) === String([3 * 64, 2 * 64, 64, 64])));
    await value(path => [...document.querySelectorAll('#page-findings li button')].find(b => b.textContent.includes(path)).click(), tile);
    await page.waitForSelector('#page-record:not([hidden]) .crumbs');
    assert.equal(await value(() => lvlApp.panel.state.recordPath), 'planes[4]');
    assert.deepEqual(await value(() => lvlApp.map.selected), [3 * 64, 2 * 64, 64, 64]);
    assert.equal(await value(() => lvlApp.rectOfPath('planes[1].tiles[0,0]')), null, 'a plane that scrolls by itself');
    assert.deepEqual(await value(() => lvlApp.map.findings), []);
    /* Another tab is chosen before the answer comes. */
    await value(async () => {
      const checked = new Promise(done => {
        const {ask} = lvlApp;
        lvlApp.ask = async (...args) => {
          const answer = await ask.apply(lvlApp, args);
          if (args[0] === 'check') done();
          return answer;
        };
      });
      lvlApp.panel.choose('findings');
      lvlApp.panel.choose('info');
      await checked;
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      delete lvlApp.ask;
    });
    assert.deepEqual(await value(() => lvlApp.map.findings), []);
  });

  await test('things move by what the places of all of them can have, and onto the grid from between px', async () => {
    await fresh();
    const name = 'lake_village.nw';
    const doc = lvl.open(sample(`graal/lakeside/${name}`), name);
    const start = set(doc.save(), name, 'npcs[0].x=20.5', 'npcs[0].y=23.7');
    doc.close();
    await drop({[name]: start});
    const select = (...paths) => value(wanted => lvlApp.selectAll(wanted.map(path => lvlApp.thingFor(path))), paths);
    const both = ['npcs[0].x', 'signs[0].x'];
    await select('npcs[0]', 'signs[0]');
    await page.focus('#map');
    const nudge = async key => {
      await page.keyboard.down('Shift');
      await page.keyboard.press(key);
      await page.keyboard.up('Shift');
    };
    await nudge('ArrowLeft');
    await edits(1);
    assert.deepEqual(await bytesNow(), set(start, name, ...both.map(path => `${path}-=1`)));
    await nudge('ArrowRight');
    await edits(2);
    assert.deepEqual(contentOf(await bytesNow(), name), contentOf(start, name));
    await select('npcs[0]');
    await page.keyboard.press('g');
    await edits(3);
    assert.deepEqual(contentOf(await bytesNow(), name), contentOf(set(start, name, 'npcs[0].x=21', 'npcs[0].y=24'), name));
  });

  await test('a thing is doubled and deleted', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes});
    await value(() => lvlApp.goToPath('planes[4].objects[1].'));
    await page.waitForSelector('#page-record:not([hidden]) .field');
    const count = await value(() => lvlApp.doc.scene.things.length);
    await press('Duplicate');
    await edits(1);
    assert.equal(await value(() => lvlApp.doc.scene.things.length), count + 1);
    await page.waitForFunction(() => lvlApp.panel.state.recordPath === 'planes[4].objects[2]');
    await page.focus('#map');
    await page.keyboard.press('Delete');
    await edits(2);
    assert.equal(await value(() => lvlApp.doc.scene.things.length), count);
    await value(() => lvlApp.travel(-2));
    await edits(0);
    await value(() => lvlApp.goToPath('planes[4].objects[1].'));
    await press('Delete');
    await edits(1);
    assert.deepEqual(await bytesNow(), set(bytes, 'cliffs.wwd', 'unset planes[4].objects[1]'));
  });

  await test('copies of a thing are placed where one clicks', async () => {
    await fresh({width: 1400, height: 900});
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes, 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')}, 'cliffs.wwd');
    const path = await value(() => lvlApp.doc.scene.things.find(thing => thing.label === 'TreasurePowerup').path);
    await value(of => lvlApp.goToPath(`${of}.`), path);
    await page.waitForSelector('#page-record:not([hidden]) .field');
    await value(() => lvlApp.map.goTo(1300, 400, 1));
    await settled();
    await press('Place copies');
    for (const [i, x] of [1200, 1250, 1300].entries()) {
      await page.mouse.click(...await screen(x, 380));
      await edits(i + 1);
    }
    await page.keyboard.press('Escape');
    assert.equal(await value(() => lvlApp.placing), null);
    const doc = lvl.open(await bytesNow(), 'cliffs.wwd');
    const {id, x, y, ...coin} = doc.getAll(path)[0].value;
    const made = doc.getAll('planes[4].objects[*]').slice(-3).map(one => one.value);
    assert.deepEqual(made.map(one => [one.x, one.y]), [[1200, 380], [1250, 380], [1300, 380]]);
    for (const {id: own, x: left, y: top, ...rest} of made) assert.deepEqual(rest, coin);
    doc.close();
  });

  await test('a sign that is moved: its tiles stay, and the page says so', async () => {
    await fresh({width: 1400, height: 900});
    await drop({'lake_village.nw': sample('graal/lakeside/lake_village.nw'), 'pics1.png': sample('graal/pics1.png')}, 'lake_village.nw');
    await value(() => {
      lvlApp.select(lvlApp.thingFor('signs[0]'));
      document.getElementById('map').focus();
    });
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await edits(1);
    await noticed('The sign has moved. Tiles that show one at the old place stay');
  });

  /* The kinds of a palette, and things that are placed with it: by a click, by the keys, several. */
  await test('things are added from the palette, placed where one clicks', async () => {
    const choose = async (selector, chosen) => {
      await page.waitForSelector(selector);
      await page.$eval(selector, (node, text) => {
        node.value = text;
        node.dispatchEvent(new Event('change'));
      }, chosen);
    };
    const place = async (kind, text) => {
      await tab('things', 'details.add');
      if (!await page.$('details.add[open]')) await click('details.add summary');
      await page.waitForSelector('details.add[open] [type=checkbox]');
      /* Where there is one kind only, there is nothing to choose. */
      if (kind) {
        await choose('.add select', kind);
        await page.waitForFunction(wanted => document.querySelector('.add select').value === wanted, {}, kind);
      }
      if (text !== undefined) await choose('.add input[list]', text);
      await press('Place on the map');
      await page.waitForFunction(() => lvlApp.placing && document.activeElement.id === 'map');
    };
    await fresh();
    const bytes = sample('graal/lakeside/lake_village.nw');
    await drop({'lake_village.nw': bytes});
    await tab('things', 'details.add');
    await click('details.add summary');
    await page.waitForSelector('details.add[open] select');
    assert.deepEqual(await page.$$eval('.add select option', list => list.map(o => o.value)),
      ['link', 'baddy', 'npc', 'chest', 'sign']);
    await place('sign', 'Hello');
    await page.mouse.click(...await screen(163, 211));
    await edits(1);
    let wanted = set(bytes, 'lake_village.nw', 'signs[+]={"x":10,"y":13,"text":"Hello"}');
    assert.deepEqual(await bytesNow(), wanted);
    await page.waitForFunction(() => [lvlApp.panel.state.recordPath, lvlApp.selected]
      .every(path => path === 'signs[2]'));
    assert.equal(await value(() => lvlApp.placing), null);
    /* A link without a level cannot be written: it says so, and nothing is changed. */
    await place('link');
    await page.mouse.click(...await screen(163, 211));
    await noticed('a link needs a level');
    assert.equal(await value(() => lvlApp.at), 1);
    await page.keyboard.press('Escape');
    assert.equal(await value(() => lvlApp.placing), null);
    await place('npc', 'tree.png');
    await value(() => lvlApp.map.goTo(324, 412, 2));
    await page.keyboard.press('Enter');
    await edits(2);
    wanted = set(wanted, 'lake_village.nw', 'npcs[+]={"x":20,"y":25.5,"image":"tree.png"}');
    assert.deepEqual(await bytesNow(), wanted);
    await click('#undo');
    await edits(1);

    /* An object gets the values that most objects of its logic have. */
    const claw = sample('wwd/cliffs.wwd');
    await fresh();
    await drop({'cliffs.wwd': claw});
    await tab('things', 'details.add');
    await click('details.add summary');
    await page.waitForSelector('.add option[value=TreasurePowerup]');
    await click('.add [type=checkbox]');
    await place(null, 'TreasurePowerup');
    await value(() => lvlApp.map.goTo(600, 300, 1));
    const doc = lvl.open(claw, 'cliffs.wwd');
    const count = doc.get('planes[4].objects').length;
    doc.close();
    for (const [i, x] of [500, 560, 620].entries()) {
      await page.mouse.click(...await screen(x, 333));
      await edits(i + 1);
    }
    assert.ok(await value(() => lvlApp.placing));
    const made = await value(async first => [await lvlApp.client.call('get', `planes[4].objects[${first}]`),
      await lvlApp.client.call('get', `planes[4].objects[${first + 2}]`)], count);
    assert.deepEqual(made.map(one => [one.x, one.y, one.logic]),
      [[500, 333, 'TreasurePowerup'], [620, 333, 'TreasurePowerup']]);
    assert.notEqual(made[0].id, made[1].id);
    /* As most treasures of this level: coins, which are drawn where treasures are. */
    assert.deepEqual([made[0].image_set, made[0].z, made[0].min_x], ['GAME_TREASURE_COINS', 1000, 0]);

    /* An actor of a drawing by its doodad; its id decides where it is in the list. */
    const hill = sample('sketchy/hill-v4.level');
    await fresh();
    await drop({'hill-v4.level': hill});
    await place(null, 'door.doodad');
    await value(() => lvlApp.map.goTo(300, 200, 1));
    await page.mouse.click(...await screen(321, 222));
    await edits(1);
    await page.waitForFunction(() => lvlApp.selected);
    const actor = await value(() => lvlApp.client.call('get', lvlApp.selected));
    const zero = await value(() => lvlApp.gameOrigin);
    assert.deepEqual([actor.filename, actor.point.x, actor.point.y],
      ['door.doodad', 321 + zero[0], 222 + zero[1]]);
    assert.match(actor.id, /^[0-9a-f-]{36}$/);
  });

  await test('a new level: from the start page, and beside the open one; unsaved until it is saved', async () => {
    const fill = changes => page.$$eval('#create form', ([form], given) => {
      for (const [selector, text] of Object.entries(given)) {
        const input = form.querySelector(selector);
        if (text === true) input.click();
        else input.value = text;
        input.dispatchEvent(new Event('change'));
      }
    }, changes);
    await fresh();
    await page.focus('#createFirst');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#create[open]');
    /* What is typed is the name. */
    assert.equal(await value(() => getSelection().toString() || document.activeElement.value.slice(0, document.activeElement.selectionEnd)), 'new');
    await page.keyboard.type('room');
    assert.match(await page.$eval('#create input[required]', input => input.value), /^room\.\w+$/);
    await page.$eval('#create input[required]', input => { input.value = 'new.nw'; });
    await fill({'select': 'nw'});
    assert.equal(await page.$eval('#create input[required]', input => input.value), 'new.nw');
    await page.focus('#create input[required]');
    await page.keyboard.press('Enter');
    await shown('new.nw');
    assert.deepEqual(await bytesNow(), lvl.create('nw'));
    assert.deepEqual(await value(() => lvlApp.unsaved), ['new.nw']);
    assert.equal(await page.$eval('#create', node => node.open), false);

    await fresh();
    await drop(lakeside, 'lakeside/lakeside.gmap');
    await value(() => lvlApp.openPath('lakeside/lake_village.nw'));
    await tab('files', 'button');
    await press('New level');
    await page.waitForSelector('#create[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#create:not([open])');
    await press('New level');
    await fill({'input[required]': 'lake_village.nw'});
    await click('#create .primary');
    await page.waitForFunction(() => /there already/.test(document.querySelector('#create [role=alert]').textContent));
    await fill({'input[required]': 'cellar.nw'});
    await click('#create .primary');
    await shown('lakeside/cellar.nw');
    await value(() => lvlApp.edit(['signs[+]={"x":3,"y":4,"text":"Here"}'], 'sign'));
    await value(() => lvlApp.openPath('lakeside/lake_village.nw'));
    assert.deepEqual(await value(() => lvlApp.unsaved), ['lakeside/cellar.nw']);
    await value(() => lvlApp.openPath('lakeside/cellar.nw'));
    await value(() => lvlApp.travel(-1));
    await value(() => lvlApp.openPath('lakeside/lake_village.nw'));
    assert.deepEqual(await value(() => lvlApp.unsaved), ['lakeside/cellar.nw']);
    const [name, saved] = await value(async () => {
      const kept = [];
      URL.createObjectURL = blob => { kept.push(blob); return 'about:blank#'; };
      HTMLAnchorElement.prototype.click = function () { kept.push(this.download); };
      await lvlApp.openPath('lakeside/cellar.nw');
      await lvlApp.save();
      return [kept[1], [...new Uint8Array(await kept[0].arrayBuffer())]];
    });
    assert.equal(name, 'cellar.nw');
    assert.deepEqual(Uint8Array.from(saved), lvl.create('nw'));
    assert.deepEqual(await value(() => lvlApp.unsaved), []);

    await fresh();
    const cliffs = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': cliffs, 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    await tab('files', 'button');
    await press('New level');
    await fill({'input[aria-label=Width]': '70', 'input[aria-label=Height]': '20', 'input[type=checkbox]': true});
    await click('#create .primary');
    await shown('new.wwd');
    const like = lvl.open(cliffs, 'cliffs.wwd');
    assert.deepEqual(await bytesNow(), lvl.create('wwd', {width: 70, height: 20, extension: 'wwd', like}));
    like.close();
    assert.equal(await value(() => lvlApp.map.scene.width), 70 * 64);
  });

  await test('several things: Shift-click, rubber band, moved and deleted together', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes, 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    /* Two coins next to each other, of which the first is selected by a click. */
    const coins = await value(() => lvlApp.doc.scene.things.filter(t => t.label === 'TreasurePowerup').slice(0, 3)
      .map(t => ({path: t.path, rect: lvlApp.rectOf(t)})));
    const centre = ([x, y, w, h]) => [x + w / 2, y + h / 2];
    await value(at => lvlApp.map.goTo(...at, 2), centre(coins[1].rect));
    await page.mouse.click(...await screen(...centre(coins[0].rect)));
    await page.keyboard.down('Shift');
    await page.mouse.click(...await screen(...centre(coins[1].rect)));
    await noticed('2 things selected.');
    await page.mouse.click(...await screen(...centre(coins[0].rect)));
    await noticed('1 thing selected.');
    assert.deepEqual(await value(() => lvlApp.selection), [coins[1].path]);
    await page.mouse.click(...await screen(...centre(coins[0].rect)));
    await page.keyboard.up('Shift');
    const two = [coins[1].path, coins[0].path];
    assert.deepEqual(await value(() => lvlApp.selection), two);
    const [x, y] = centre(coins[0].rect);
    await drag([x, y], [x + 20, y - 12]);
    await edits(1);
    assert.deepEqual(await bytesNow(), set(bytes, 'cliffs.wwd',
      ...two.flatMap(path => [`${path}.x+=20`, `${path}.y+=-12`])));
    await page.focus('#map');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await edits(2);
    const moved = set(bytes, 'cliffs.wwd', ...two.flatMap(path => [`${path}.x+=21`, `${path}.y+=-12`]));
    assert.deepEqual(await bytesNow(), moved);
    assert.deepEqual(await value(() => lvlApp.selection), two);
    /* A field that is set is set of both; undone as one step. */
    await page.waitForSelector('#page-record:not([hidden]) .hint');
    assert.match(await page.$eval('#page-record .hint', node => node.textContent), /all 2 selected/);
    await page.$eval(`[id="f-${two[0]}.z"]`, input => {
      input.value = '1234';
      input.dispatchEvent(new Event('change'));
    });
    await edits(3);
    assert.deepEqual(await bytesNow(), set(moved, 'cliffs.wwd', ...two.map(path => `${path}.z=1234`)));
    await click('#undo');
    await edits(2);
    await page.$eval(`[id="f-${two[0]}.id"]`, input => {
      input.value = '9999';
      input.dispatchEvent(new Event('change'));
    });
    await edits(3);
    assert.deepEqual(await bytesNow(), set(moved, 'cliffs.wwd', `${two[0]}.id=9999`));
    await click('#undo');
    await edits(2);
    await page.focus('#map');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('#page-record .hint'));
    assert.deepEqual(await value(() => lvlApp.selection), []);

    /* What is wholly in the rectangle, by Shift and a drag; deleted as one step. */
    const [a, b] = [coins[0].rect, coins[1].rect];
    const from = [Math.min(a[0], b[0]) + 15, Math.min(a[1], b[1]) - 18];
    const to = [Math.max(a[0] + a[2], b[0] + b[2]) + 27, Math.max(a[1] + a[3], b[1] + b[3]) - 6];
    await page.keyboard.down('Shift');
    await drag(from, to);
    await page.keyboard.up('Shift');
    const found = await value(() => lvlApp.selection);
    assert.ok(two.every(path => found.includes(path)), found.join());
    const count = await value(() => lvlApp.doc.scene.things.length);
    await page.keyboard.press('Delete');
    await edits(3);
    assert.equal(await value(() => lvlApp.doc.scene.things.length), count - found.length);
    const indexes = found.map(path => +/(\d+)\]$/.exec(path)[1]).sort((p, q) => q - p);
    assert.deepEqual(await bytesNow(), set(moved, 'cliffs.wwd', ...indexes.map(i => `unset planes[4].objects[${i}]`)));
    await click('#undo');
    await edits(2);
    assert.deepEqual(await bytesNow(), moved);
  });

  await test('tiles of the tile set: pick, paint, a stamp, rectangle, fill, undo', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes, 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    await tab('paint', '.tileset canvas');
    await value(() => lvlApp.map.goTo(600, 500, 1));
    await settled();
    /* Two tiles side by side in the tile set. */
    const box = await page.$eval('.tileset', node => {
      const {left, top, width} = node.getBoundingClientRect();
      return [left, top, width / 6];
    });
    await page.mouse.move(box[0] + box[2] * 3.5, box[1] + 10);
    await page.mouse.down();
    await page.mouse.move(box[0] + box[2] * 4.5, box[1] + 12, {steps: 3});
    await page.mouse.up();
    await page.waitForFunction(() => lvlApp.brush.stamp.values.length === 2 && lvlApp.brush.tool === 'brush');
    assert.deepEqual(await value(() => lvlApp.brush.stamp), {width: 2, height: 1, values: [3, 4]});
    await drag([64 * 7 + 10, 64 * 5 + 10], [64 * 9 + 10, 64 * 5 + 10]);
    await edits(1);
    assert.deepEqual(await bytesNow(), set(bytes, 'cliffs.wwd', ...[[7, 3], [8, 4], [9, 3], [10, 4]]
      .map(([x, tile]) => `planes[4].tiles[${x},5]=${tile}`)));
    await settled();
    const doc = lvl.open(await bytesNow(), 'cliffs.wwd', {files: {'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')},
      art: ['SAMPLES.REZ']});
    await value(() => { lvlApp.map.hovered = null; });
    await compareCanvas(doc);
    doc.close();
    await value(() => lvlApp.travel(-1));
    await edits(0);
    assert.deepEqual(await bytesNow(), bytes);
    /* The stamp over a rectangle, the eraser, fill, and picking. */
    await value(() => lvlApp.map.goTo(600, 500, 1));
    await press('Rectangle');
    await page.waitForFunction(() => lvlApp.brush.tool === 'rectangle');
    await drag([64 * 7 + 10, 64 * 5 + 10], [64 * 8 + 10, 64 * 6 + 10]);
    await edits(1);
    let wanted = set(bytes, 'cliffs.wwd', ...[[7, 3], [8, 4]].flatMap(([x, tile]) =>
      [5, 6].map(y => `planes[4].tiles[${x},${y}]=${tile}`)));
    assert.deepEqual(await bytesNow(), wanted);
    await press('Pick');
    await page.waitForFunction(() => lvlApp.brush.tool === 'pick');
    await drag([64 * 7 + 10, 64 * 5 + 10], [64 * 8 + 10, 64 * 6 + 10]);
    await page.waitForFunction(() => lvlApp.brush.tool === 'brush' && lvlApp.brush.stamp.values.length === 4);
    assert.deepEqual(await value(() => lvlApp.brush.stamp), {width: 2, height: 2, values: [3, 4, 3, 4]});
    await press('Pick');
    await page.waitForFunction(() => lvlApp.brush.tool === 'pick');
    await drag([64 * 8 + 10, 64 * 6 + 10], [64 * 8 + 11, 64 * 6 + 11]);
    await page.waitForFunction(() => lvlApp.brush.tool === 'brush' && lvlApp.brush.stamp.values[0] === 4);
    await press('Eraser');
    await press('Fill');
    await page.waitForFunction(() => lvlApp.brush.tool === 'fill');
    await drag([64 * 7 + 10, 64 * 5 + 10], [64 * 7 + 11, 64 * 5 + 11]);
    await edits(2);
    wanted = set(wanted, 'cliffs.wwd', 'planes[4].tiles[fill 7,5]=.');
    assert.deepEqual(await bytesNow(), wanted);
    await page.keyboard.press('Escape');
    assert.equal(await value(() => lvlApp.brush.tool), null);
  });

  await test('tiles of Graal levels, by the keys', async () => {
    await fresh();
    const bytes = sample('graal/lakeside/lake_village.nw');
    await drop({'lake_village.nw': bytes, 'pics1.png': sample('graal/pics1.png')});
    await tab('paint', '.tileset canvas');
    assert.equal(await value(() => lvlApp.brush.pictures.reduce((sum, p) => sum + p.count, 0)), 4096);
    await page.$eval('#page-paint input[type=number]', input => {
      input.value = '285';
      input.dispatchEvent(new Event('change'));
    });
    await page.waitForFunction(() => lvlApp.brush.tool === 'brush');
    await page.focus('#map');
    await value(() => lvlApp.map.goTo(5 * 16 + 8, 9 * 16 + 8, 2));
    await page.keyboard.press('Enter');
    await edits(1);
    assert.deepEqual(await bytesNow(), set(bytes, 'lake_village.nw', 'layers[0].tiles[5,9]=285'));
  });

  await test('a plane of the background: shown alone, painted', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes, 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    await tab('paint', 'select');
    await page.select('#page-paint select', '1');
    await page.waitForFunction(() => lvlApp.layerAlone === 1 && lvlApp.brush.target.index === 1);
    await settled();
    await press('Eraser');
    await press('Rectangle');
    await page.waitForFunction(() => lvlApp.brush.tool === 'rectangle');
    await drag([64 + 5, 128 + 5], [64 * 3 + 5, 64 * 3 + 5]);
    await edits(1);
    assert.deepEqual(await bytesNow(), set(bytes, 'cliffs.wwd', 'planes[1].tiles[1,2 3,3]=.'));
    await tab('info');
    assert.equal(await value(() => lvlApp.layerAlone), null);
  });

  await test('pixels of a drawing: brush, where no chunk is, fill', async () => {
    await fresh();
    const bytes = sample('sketchy/hill-v4.level');
    await drop({'hill-v4.level': bytes});
    await tab('paint', '.swatches');
    await page.$eval('#page-paint input[type=range]', input => {
      input.value = '1';
      input.dispatchEvent(new Event('input'));
    });
    await press('lava');
    await page.waitForFunction(() => lvlApp.brush.tool === 'brush' && lvlApp.brush.stamp.values[0] === 3);
    /* The picture's corner is -64,-64. */
    await drag([90.5, 20.5], [95.5, 20.5], 12);
    await edits(1);
    let wanted = set(bytes, 'hill-v4.level', 'layers[0].chunks[26,-44 31,-44]=3');
    assert.deepEqual(await bytesNow(), wanted);
    await press('Rectangle');
    await page.waitForFunction(() => lvlApp.brush.tool === 'rectangle');
    await value(() => lvlApp.map.goTo(185, 60, 4));
    await drag([180.5, 50.5], [197.5, 53.5]);
    await edits(2);
    wanted = set(wanted, 'hill-v4.level', 'layers[0].chunks[116,-14 133,-11]=3');
    assert.deepEqual(await bytesNow(), wanted);
    await press('water');
    await press('Fill');
    await page.waitForFunction(() => lvlApp.brush.tool === 'fill' && lvlApp.brush.stamp.values[0] === 2);
    await drag([182.5, 51.5], [182.6, 51.6]);
    await edits(3);
    wanted = set(wanted, 'hill-v4.level', 'layers[0].chunks[fill 118,-13]=2');
    assert.deepEqual(await bytesNow(), wanted);
    await value(() => lvlApp.travel(-3));
    await edits(0);
    assert.deepEqual(await bytesNow(), bytes);
  });

  await test('typing on after a change: the focus stays, no shortcut acts', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes});
    await value(() => lvlApp.goToPath('planes[4].objects[1].'));
    await page.waitForSelector('[id="f-planes[4].objects[1].image_set"]');
    const [zoom, panel] = await value(() => [lvlApp.map.zoom, document.body.className]);
    await page.$eval('[id="f-planes[4].objects[1].image_set"]', input => input.select());
    await page.focus('[id="f-planes[4].objects[1].image_set"]');
    await page.keyboard.type('x0');
    await page.keyboard.press('Tab');
    assert.equal(await value(() => document.activeElement.id), 'f-planes[4].objects[1].animation');
    await page.keyboard.type('Soldier10op', {delay: 70});
    await page.keyboard.press('Tab');
    await edits(2);
    assert.equal(await value(() => document.activeElement.id), 'f-planes[4].objects[1].i');
    assert.equal(await value(() => document.activeElement.value), '-1');
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Tab');
    await edits(3);
    assert.deepEqual(await value(() => [lvlApp.map.zoom, document.body.className]), [zoom, panel]);
    const wanted = set(bytes, 'cliffs.wwd', 'planes[4].objects[1].image_set=x0',
      'planes[4].objects[1].animation=Soldier10op', 'planes[4].objects[1].i=1');
    assert.deepEqual(await bytesNow(), wanted);
    /* A refused value is shown as it is in the file; a choice keeps the focus, too. */
    await click('#undo');
    await edits(2);
    await page.waitForFunction(() => document.getElementById('f-planes[4].objects[1].i').value === '-1');
    await page.$eval('[id="f-planes[4].objects[1].z"]', input => input.select());
    await page.focus('[id="f-planes[4].objects[1].z"]');
    await page.keyboard.type('99999999999');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#notice.error');
    assert.equal(await value(() => document.activeElement.id), 'f-planes[4].objects[1].z');
    await page.keyboard.press('Escape');
    assert.equal(await value(() => document.activeElement.id), 'map');
  });

  await test('a field that is taken away takes what is typed with it', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await value(() => lvlApp.goToPath('planes[4].objects[1].'));
    await page.waitForSelector('[id="f-planes[4].objects[1].name"]');
    const zoom = await value(() => lvlApp.map.zoom);
    await page.focus('[id="f-planes[4].objects[1].name"]');
    await value(() => lvlApp.panel.choose('info'));
    await page.keyboard.type('10p');
    await page.keyboard.press('Delete');
    assert.deepEqual(await value(() => [lvlApp.map.zoom, lvlApp.at, document.body.classList.contains('narrow')]),
      [zoom, 0, false]);
  });

  await test('the selection follows its item: doubled, deleted, renamed, undone, redone', async () => {
    await fresh();
    const name = 'hill-v4.level';
    const bytes = sample(`sketchy/${name}`);
    await drop({[name]: bytes});
    const ids = async () => {
      const doc = lvl.open(await bytesNow(), name);
      const list = doc.get('actors').map(actor => actor.id);
      doc.close();
      return list;
    };
    const selectedId = () => value(async () => (await lvlApp.client.call('get', lvlApp.selected)).id);
    const before = await ids();
    for (let round = 0; round < 4; round++) {
      await value(() => lvlApp.goToPath('actors[0].'));
      await press('Duplicate');
      await edits(1);
      const [copy] = (await ids()).filter(id => !before.includes(id));
      await page.waitForFunction(id => lvlApp.client.call('get', lvlApp.selected).then(r => r.id === id), {}, copy);
      assert.equal(await value(() => lvlApp.panel.state.recordPath), await value(() => lvlApp.selected));
      await page.focus('#map');
      await page.keyboard.press('Delete');
      await edits(2);
      assert.deepEqual(await ids(), before);
      await value(() => lvlApp.travel(-2));
      await edits(0);
    }
    /* A new id sorts the actor to another place. */
    const last = before.length - 1;
    await value(() => lvlApp.goToPath('actors[0].'));
    const other = await value(async at => (await lvlApp.client.call('get', `actors[${at}]`)).id, last);
    const renamed = `f${other.slice(1)}`.replace(/^5/, 'f');
    await value(id => lvlApp.edit([`actors[0].id=${id}`], 'id'), renamed);
    await edits(1);
    assert.equal(await selectedId(), renamed);
    assert.equal(await value(() => lvlApp.selected), `actors[${last}]`);
    await value(() => lvlApp.travel(-1));
    assert.equal(await value(() => lvlApp.selected), 'actors[0]');
    assert.equal(await selectedId(), before[0]);
    await value(() => lvlApp.travel(1));
    assert.equal(await selectedId(), renamed);
  });

  await test('art that is dropped joins the open level, stays for the next one, and can be removed', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    assert.equal(await value(() => lvlApp.doc.scene.has_art), false);
    await drop({'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')}, 'cliffs.wwd');
    await page.waitForFunction(() => lvlApp.doc.scene.has_art);
    await noticed('Added as art: SAMPLES.REZ');
    await drop({'lantern.doodad': sample('sketchy/lantern.doodad'), 'ani/WALK.ANI': sample('wwd/SAMPLES.REZ').slice(0, 9)},
      'cliffs.wwd');
    await page.waitForFunction(() => lvlApp.artFiles().length === 3);
    await drop({'odd-names.wwd': sample('wwd/odd-names.wwd')});
    await page.waitForFunction(() => lvlApp.doc.scene.has_art);
    await tab('files', '#art');
    assert.deepEqual(await page.$$eval('#art li span', list => list.map(node => node.textContent).sort()),
      ['SAMPLES.REZ', 'ani', 'lantern.doodad']);
    /* Kept for the next visit, if that is wanted. */
    await press('Keep this art');
    await stored(page, 'art', all => all.length === 3);
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    assert.equal(await value(() => lvlApp.doc.scene.has_art), true);
    await tab('files', '#art');
    await click('[aria-label="Remove SAMPLES.REZ"]');
    await page.waitForFunction(() => !lvlApp.doc.scene.has_art);
    await press('Keep this art');
    await stored(page, 'art', all => !all.length);
    await fresh();
    assert.equal(await value(() => lvlApp.list.length), 0);
  });

  await test('tabs are about the open document; a damaged member says so', async () => {
    await fresh();
    await drop({'few-colors.level': sample('sketchy/damaged/few-colors.level')});
    await tab('findings', '.verdict');
    assert.match(await page.$eval('#page-findings .verdict', node => node.textContent), /^Damaged/);
    /* While the next file is checked, nothing of the last one is shown. */
    const [during, after] = await value(async bytes => {
      const call = lvlApp.client.call.bind(lvlApp.client);
      let go;
      const wait = new Promise(resolve => { go = resolve; });
      lvlApp.client.call = async (method, ...args) => {
        if (method === 'check') await wait;
        return call(method, ...args);
      };
      await lvlApp.addFiles([{path: 'hill-v4.level', file: new Uint8Array(bytes)}]);
      const text = document.getElementById('page-findings').textContent;
      go();
      while (!document.querySelector('#page-findings .verdict')) await new Promise(requestAnimationFrame);
      lvlApp.client.call = call;
      return [text, document.querySelector('#page-findings .verdict').textContent];
    }, [...sample('sketchy/hill-v4.level')]);
    assert.equal(during, '');
    assert.match(after, /^Sound/);
    const bytes = Uint8Array.from(sample('sketchy/walk.levelpack'));
    const first = Buffer.from(bytes).indexOf('levels/hill.level');
    bytes.fill(255, first + 900, first + 908);
    await drop({'walk.levelpack': bytes});
    await page.waitForFunction(() => lvlApp.gallery.shown);
    await value(() => lvlApp.gallery.hide());
    await tab('files', 'button');
    await press('hill.level');
    await shown('walk.levelpack/levels/hill.level');
    await tab('findings', '.verdict');
    assert.match(await page.$eval('#page-findings', node => node.textContent), /lvl\.member\.damaged/);
    assert.match(await page.$eval('#page-findings .verdict', node => node.textContent), /^Damaged/);
  });

  await test('a drop destroys nothing: bad files are listed, the rest opens', async () => {
    await fresh();
    const village = sample('graal/lakeside/lake_village.nw');
    await drop({'a.zip': new Uint8Array([80, 75, 3, 4, 9]), 'b.level': new Uint8Array([1, 2, 3]),
      'lake_village.nw': village}, 'lake_village.nw');
    assert.deepEqual((await value(() => lvlApp.bad)).map(one => one.path), ['a.zip']);
    await tab('files', '#bad');
    assert.match(await page.$eval('#bad', node => node.textContent), /a\.zip/);
    await value(() => lvlApp.edit(['signs[0].text=Mine'], 'sign'));
    const before = await value(() => [lvlApp.unsaved, lvlApp.paths, lvlApp.list.length]);
    await value(async () => {
      globalThis.asked = 0;
      globalThis.confirm = () => { globalThis.asked++; return true; };
      await lvlApp.addFiles([{path: 'none.level', file: new Uint8Array([1, 2, 3])}]);
      await lvlApp.addFiles([{path: 'bad.zip', file: new Uint8Array([1, 2, 3])}]);
    });
    assert.deepEqual(await value(() => [lvlApp.unsaved, lvlApp.paths, lvlApp.list.length]), before);
    assert.equal(await value(() => lvlApp.path), 'lake_village.nw');
    assert.deepEqual(await bytesNow(), set(village, 'lake_village.nw', 'signs[0].text=Mine'));
    await value(() => lvlApp.edit(['signs[0].text=Still'], 'sign'));
    assert.deepEqual(await bytesNow(), set(village, 'lake_village.nw', 'signs[0].text=Still'));
    /* A file that the disk does not give. */
    await value(async bytes => {
      lvlApp.list = [];
      lvlApp.sessions.clear();
      await lvlApp.addFiles(Object.assign([{path: 'w/ok.nw', file: new Uint8Array(bytes)}],
        {bad: [{path: 'w/gone.nw', reason: 'A requested file could not be found'}]}));
    }, [...village]);
    await shown('w/ok.nw');
    await noticed('w/gone.nw');
  });

  const keepDownloads = () => value(() => {
    globalThis.kept = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => {
      if (blob.type === 'image/png') return make(blob); /* a card's picture */
      globalThis.kept.push(blob);
      return 'about:blank#';
    };
    HTMLAnchorElement.prototype.click = function () { globalThis.kept.push(this.download); };
  });
  const lastDownload = async () => {
    const [name, bytes] = await value(async () => [globalThis.kept[globalThis.kept.length - 1],
      [...new Uint8Array(await globalThis.kept[globalThis.kept.length - 2].arrayBuffer())]]);
    return [name, Uint8Array.from(bytes)];
  };

  await test('save of a pack and of a zip writes all edits; the rest byte for byte', async () => {
    await fresh();
    await keepDownloads();
    await drop({'walk.levelpack': sample('sketchy/walk.levelpack')});
    for (const name of ['hill', 'rings']) {
      await value(path => lvlApp.openPath(path), `walk.levelpack/levels/${name}.level`);
      await value(title => lvlApp.edit([`title=${title}`], 'title'), `My ${name}`);
    }
    await value(() => lvlApp.openPath('walk.levelpack'));
    await tab('files', 'button');
    assert.deepEqual(await page.$$eval('#page-files li', list => list.filter(node => node.textContent.includes('changed'))
      .map(node => node.querySelector('button').title)), ['levels/hill.level', 'levels/rings.level']);
    assert.equal(await value(() => lvlApp.unsaved.length), 2);
    await value(() => lvlApp.save());
    const [name, saved] = await lastDownload();
    assert.equal(name, 'walk.levelpack');
    const pack = lvl.open(sample('sketchy/walk.levelpack'), 'walk.levelpack');
    for (const level of ['hill', 'rings'])
      pack.putMember(`levels/${level}.level`, set(pack.member(`levels/${level}.level`).bytes, `${level}.level`,
        `title=My ${level}`));
    assert.deepEqual(saved, pack.save());
    pack.close();
    assert.equal(await value(() => lvlApp.unsaved.length), 0);

    const bytes = zip(lakeside);
    await drop({'world.zip': bytes}, 'world/lakeside/lakeside.gmap');
    for (const level of ['lake_village', 'lake_shore']) {
      await value(path => lvlApp.openPath(path), `world/lakeside/${level}.nw`);
      await value(() => lvlApp.edit(['links[0].dest_x=5'], 'link'));
      await value(() => lvlApp.save());
    }
    const [zipName, zipped] = await lastDownload();
    assert.equal(zipName, 'world.zip');
    const [old, now] = [lvl.unzip(bytes), lvl.unzip(zipped)];
    assert.deepEqual([...now], [...old]);
    for (const path of old) {
      const level = path.split('/').pop();
      assert.deepEqual(now.read(path), ['lake_village.nw', 'lake_shore.nw'].includes(level)
        ? set(old.read(path), level, 'links[0].dest_x=5') : old.read(path), path);
    }
  });

  await test('unsaved work is offered again after a reload', async () => {
    await fresh();
    await drop({'walk.levelpack': sample('sketchy/walk.levelpack')});
    await value(() => lvlApp.openPath('walk.levelpack/levels/hill.level'));
    await value(() => lvlApp.edit(['title=Once'], 'title'));
    await value(() => lvlApp.edit(['title=Twice'], 'title'));
    const wanted = await bytesNow();
    await stored(page, 'work', (all, bytes) => all.some(work => String(work.bytes) === String(bytes)), [...wanted]);
    await fresh();
    await page.waitForSelector('#left:not([hidden])');
    assert.match(await page.$eval('#leftNames', node => node.textContent), /hill\.level/);
    await click('#leftOpen');
    await shown('walk.levelpack/levels/hill.level');
    assert.deepEqual(await bytesNow(), wanted);
    assert.deepEqual(await value(() => lvlApp.unsaved), ['walk.levelpack/levels/hill.level']);
    await keepDownloads();
    await value(() => lvlApp.save());
    const [name, saved] = await lastDownload();
    assert.equal(name, 'walk.levelpack');
    const pack = lvl.open(saved, name);
    assert.equal(pack.openMember('levels/hill.level').get('title'), 'Twice');
    pack.close();
    await stored(page, 'work', all => !all.some(({path}) => path.endsWith('hill.level')));
    await fresh();
    assert.doesNotMatch(await page.$eval('#leftNames', node => node.textContent), /hill\.level/);
  });

  await test('a folder opens the map that has its levels; thousands of files are grouped and not cut', async () => {
    await fresh();
    const text = new TextDecoder().decode(lakeside['lakeside/lakeside.gmap']);
    const other = new TextEncoder().encode(text.replaceAll('lake_', 'none_'));
    await value(async list => {
      await lvlApp.addFiles(list.map(({path, bytes}) => ({path, file: new Uint8Array(bytes)})));
    }, [...Object.entries(lakeside).map(([path, bytes]) => ({path, bytes: [...bytes]})),
      {path: 'lakeside/a_first.gmap', bytes: [...other]},
      ...Array.from({length: 1500}, (_, i) => ({path: `lakeside/more/m${i}.txt`, bytes: [i & 255]}))]);
    await shown('lakeside/lakeside.gmap');
    await tab('files', '.heading');
    const {rows, made} = await value(() => ({made: document.querySelectorAll('#page-files .windowed li').length,
      rows: +document.querySelector('#page-files .windowed li').getAttribute('aria-setsize')}));
    assert.ok(rows > 1500 && made < 100, `${rows} rows, ${made} made`);
    await page.$eval('#page-files', node => { node.scrollTop = node.scrollHeight; });
    await page.waitForSelector('#page-files button[title="lakeside/more/m1499.txt"]');
  });

  /* Presses at a place of the picture. */
  const clickAt = async (x, y, options) => page.mouse.click(...await screen(x, y), options);
  const copyEvent = type => value(kind => {
    document.activeElement.blur();
    document.body.dispatchEvent(new ClipboardEvent(kind, {bubbles: true, cancelable: true, clipboardData: new DataTransfer()}));
  }, type);

  await test('copy and paste: in a level, into another one, and into another format of the family', async () => {
    await fresh();
    const files = {'village.nw': sample('graal/lakeside/lake_village.nw'), 'woods.nw': sample('graal/lakeside/lake_woods.nw'),
      'pass.graal': sample('graal/lakeside/frost_pass.graal')};
    await drop(files, 'village.nw');
    await value(() => lvlApp.map.goTo(500, 500, 1));
    await value(() => lvlApp.select(lvlApp.thingFor('npcs[0]')));
    await copyEvent('copy');
    await noticed('Copied 1 thing.');
    await page.mouse.move(...await screen(600, 600));
    await copyEvent('paste');
    await edits(1);
    const npcs = list => value(() => lvlApp.client.call('get', 'npcs'));
    const [old, made] = await npcs();
    assert.equal(made.image, old.image);
    assert.equal(made.script, old.script);
    assert.ok(Math.abs(made.x * 16 + 24 - 600) <= 8 && Math.abs(made.y * 16 + 20 - 600) <= 8, `${made.x}, ${made.y}`);
    assert.equal(await value(() => lvlApp.selected), 'npcs[1]');
    for (const name of ['woods.nw', 'pass.graal']) {
      const before = (await value(path => lvlApp.openPath(path).then(() => lvlApp.client.call('get', 'npcs')), name)).length;
      await shown(name);
      await value(() => lvlApp.map.goTo(500, 500, 1));
      await page.mouse.move(...await screen(320, 320));
      await copyEvent('paste');
      await page.waitForFunction(n => lvlApp.at === n, {}, 1);
      const now = await npcs();
      assert.equal(now.length, before + 1, name);
      assert.equal(now.at(-1).image, old.image);
      const doc = lvl.open(await bytesNow(), name);
      assert.equal(doc.get('npcs').length, before + 1);
      doc.close();
    }
    /* Cutting removes; what cannot be there is refused with a reason. */
    await value(() => lvlApp.select(lvlApp.thingFor(`npcs[${lvlApp.doc.scene.things.filter(t =>
      t.path?.startsWith('npcs')).length - 1}]`)));
    await copyEvent('cut');
    await edits(2);
    await value(() => { globalThis.confirm = () => true; });
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await copyEvent('paste');
    await noticed('another family');
    assert.equal(await value(() => lvlApp.at), 0);
  });

  /* Copies what is selected, and pastes it so far from there. */
  const pasteBy = async (paths, dx, dy) => {
    await value(list => lvlApp.selectAll(list.map(path => lvlApp.thingFor(path))), paths);
    await copyEvent('copy');
    await noticed(`Copied ${paths.length} thing`);
    await value(([x, y]) => {
      const rects = [lvlApp.map.selected, ...lvlApp.map.more];
      const [left, top] = [0, 1].map(i => Math.min(...rects.map(rect => rect[i])));
      const [right, bottom] = [0, 1].map(i => Math.max(...rects.map(rect => rect[i] + rect[i + 2])));
      lvlApp.pointerAt = [(left + right) / 2 + x, (top + bottom) / 2 + y];
    }, [dx, dy]);
    const at = await value(() => lvlApp.at);
    await copyEvent('paste');
    await edits(at + 1);
  };
  const at = path => value(one => lvlApp.client.call('get', one), path);

  await test('copies of things of Claw: ranges follow, pasted here, into another level, and placed by a click', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes, 'other.wwd': bytes});
    const list = 'planes[4].objects';
    const index = (await at(list)).findIndex(one => one.logic === 'Officer');
    const {x, y, min_x: least, max_x: most, ...rest} = await at(`${list}[${index}]`);
    const count = (await at(list)).length;
    await pasteBy([`${list}[${index}]`], 130, -20);
    const doc = lvl.open(bytes, 'cliffs.wwd');
    const from = lvl.open(bytes, 'cliffs.wwd');
    doc.copy(from, `${list}[${index}]`, list, {by: [130, -20], outside: true});
    assert.deepEqual(await bytesNow(), doc.save());
    for (const one of [doc, from]) one.close();
    const made = await at(`${list}[${count}]`);
    assert.deepEqual([made.x, made.y, made.min_x, made.max_x], [x + 130, y - 20, least + 130, most + 130]);
    await value(() => lvlApp.travel(-1));
    await edits(0);
    assert.deepEqual(await bytesNow(), bytes);
    /* Into another level, at the pointer. */
    await value(() => lvlApp.openPath('other.wwd'));
    await value(() => { lvlApp.pointerAt = [2000, 300]; });
    await copyEvent('paste');
    await edits(1);
    const there = await at(`${list}[${count}]`);
    assert.ok(Math.abs(there.x - 2000) < 100, `${there.x}`);
    assert.deepEqual([there.min_x - there.x, there.max_x - there.x], [least - x, most - x]);
    /* "Place copies" of a thing: exactly where one clicks. */
    await value(one => lvlApp.goToPath(`${one}.`), `${list}[${index}]`);
    await value(() => lvlApp.map.goTo(1300, 400, 1));
    await settled();
    await press('Place copies');
    await page.mouse.click(...await screen(1200, 380));
    await edits(2);
    await page.keyboard.press('Escape');
    const placed = await at(`${list}[${count + 1}]`);
    assert.deepEqual([placed.x, placed.y, placed.min_x, placed.max_x], [1200, 380, least + 1200 - x, most + 1200 - x]);
    assert.deepEqual([placed.health, placed.powerup, placed.min_y], [rest.health, rest.powerup, rest.min_y]);
  });

  await test('copies of things of Gruntz: a copied bridge names the copied switch, by its address', async () => {
    const list = 'planes[4].objects';
    const address = (column, row) => column * 256 + row;
    const level = (...changes) => {
      const doc = lvl.open(sample('wwd/cliffs.wwd'), 'a.wwd');
      doc.set(['image_dir=AREA1_IMAGEZ', 'planes[4].tile_width=32', 'planes[4].tile_height=32', ...changes]);
      const made = doc.save();
      doc.close();
      return made;
    };
    const bytes = level(`${list}[0].logic=TileTriggerSwitch`, `${list}[0].id=${address(5, 4)}`, `${list}[0].x=176`, `${list}[0].y=144`,
      `${list}[0].speed_x=5`, `${list}[0].speed_y=4`, `${list}[1].logic=TileTrigger`, `${list}[1].x=304`, `${list}[1].y=144`,
      `${list}[1].move_rect.left=${address(5, 4)}`, `${list}[2].logic=TileTrigger`, `${list}[2].move_rect.left=${address(5, 4)}`);
    await fresh();
    await drop({'area.wwd': bytes, 'area2.wwd': level()});
    const count = (await at(list)).length;
    await pasteBy([`${list}[0]`, `${list}[1]`], 64, 96);
    const isMoved = async first => {
      const [key, bridge] = [await at(`${list}[${first}]`), await at(`${list}[${first + 1}]`)];
      assert.deepEqual([key.id, key.speed_x, key.speed_y], [address(7, 7), 7, 7]);
      assert.deepEqual([bridge.x, bridge.move_rect.left], [368, address(7, 7)]);
    };
    await isMoved(count);
    for (const i of [1, 2]) assert.equal((await at(`${list}[${i}]`)).move_rect.left, address(5, 4), 'others keep their switch');
    const place = await value(() => lvlApp.pointerAt);
    await value(() => lvlApp.travel(-1));
    await edits(0);
    assert.deepEqual(await bytesNow(), bytes);
    await value(() => lvlApp.openPath('area2.wwd'));
    await value(to => { lvlApp.pointerAt = to; }, place);
    await copyEvent('paste');
    await edits(1);
    await isMoved(count);
  });

  await test('copies of things of Graal and Sketchy Maze: an NPC with a link, actors that are linked', async () => {
    await fresh();
    const bytes = sample('graal/lakeside/lake_village.nw');
    await drop({'village.nw': bytes});
    const [npc, link, {length: count}] = [await at('npcs[0]'), await at('links[0]'), await at('links')];
    await pasteBy(['npcs[0]', 'links[0]'], 32, 8);
    const [copy, way] = [await at('npcs[1]'), await at(`links[${count}]`)];
    assert.deepEqual(copy, {...npc, x: npc.x + 2, y: npc.y + 0.5});
    assert.deepEqual(way, {...link, x: link.x + 2, y: link.y + 0.5});
    await value(() => lvlApp.travel(-1));
    await edits(0);
    assert.deepEqual(await bytesNow(), bytes);
    const hill = sample('sketchy/hill-v4.level');
    await fresh();
    await drop({'hill-v4.level': hill});
    const before = await at('actors');
    await pasteBy(['actors[0]', 'actors[1]'], 40, 24);
    const made = (await at('actors')).slice(before.length);
    assert.deepEqual(made.map(({links}) => links), [[made[1].id], [made[0].id]], 'the copies are linked with each other');
    assert.deepEqual(made.map(({point}) => point), before.slice(0, 2).map(({point: {x, y = 0}}) => ({x: x + 40, y: y + 24})));
    assert.deepEqual((await at('actors')).slice(0, before.length), before);
    await value(() => lvlApp.travel(-1));
    await edits(0);
    assert.deepEqual(await bytesNow(), hill);
  });

  await test('a click selects an enemy before the scenery at its place, and a click there again what is under it', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')}, 'cliffs.wwd');
    const [x, y, enemy, sign] = await value(() => {
      const {things} = lvlApp.doc.scene;
      const has = ([left, top, width, height], px, py) => px >= left && py >= top && px < left + width && py < top + height;
      for (const one of things.filter(thing => thing.kind === 'enemy')) {
        const [left, top, width, height] = lvlApp.rectOf(one);
        for (let px = left + 4; px < left + width; px += 8)
          for (let py = top + 4; py < top + height; py += 8) {
            const under = things.filter(thing => has(lvlApp.rectOf(thing), px, py));
            const [a, b] = under;
            if (under.length === 2 && a.kind !== b.kind && [a.kind, b.kind].includes('scenery'))
              return [px, py, one.path, under.find(thing => thing.kind === 'scenery').path];
          }
      }
    });
    await value((px, py) => lvlApp.map.goTo(px, py, 1), x, y);
    await settled();
    await clickAt(x, y);
    assert.equal(await value(() => lvlApp.selected), enemy);
    await page.waitForFunction(() => /1 more here: click again/.test(document.getElementById('place').textContent));
    await new Promise(done => { setTimeout(done, 600); });
    await clickAt(x, y);
    assert.equal(await value(() => lvlApp.selected), sign);
    await new Promise(done => { setTimeout(done, 600); });
    await clickAt(x, y);
    assert.equal(await value(() => lvlApp.selected), enemy);
  });

  await test('a sound that a thing names is played and stopped; without it, and if it cannot be played, the page says so', async () => {
    const wav = Buffer.alloc(44 + 8000, 128); /* a second of silence, 8 bits */
    wav.write('RIFF');
    wav.writeUInt32LE(wav.length - 8, 4);
    wav.write('WAVEfmt ', 8);
    [16, 0x10001, 8000, 8000, 0x80001].forEach((word, i) => wav.writeUInt32LE(word, 16 + 4 * i));
    wav.write('data', 36);
    wav.writeUInt32LE(8000, 40);
    const files = {'cliffs.wwd': sample('wwd/cliffs.wwd')};
    const list = 'planes[4].objects';
    const open = async (more = {}) => {
      await fresh();
      await drop({...files, ...more}, 'cliffs.wwd');
      const found = (await at(list)).findIndex(one => one.logic === 'SmallSoundTrigger');
      await value(one => lvlApp.goToPath(`${one}.`), `${list}[${found}]`);
      await page.waitForSelector('#page-record .beside button');
    };
    const button = '#page-record .beside button';
    const says = text => page.waitForFunction((css, wanted) => document.querySelector(css).textContent === wanted, {}, button, text);
    /* Nothing is played before one asks for it. */
    const watch = () => value(() => {
      globalThis.played = [];
      const {play} = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.play = function () {
        played.push(this);
        return play.call(this);
      };
    });
    await open();
    await watch();
    await click(button);
    await noticed('There is no sound LEVEL_AMBIENT_SURF here: drop');
    await says('Play');
    assert.equal(await value(() => played.length), 0);
    await open({'game.zip': zip({'LEVEL1/SOUNDS/AMBIENT/SURF.WAV': new Uint8Array(wav)})});
    await watch();
    assert.equal(await value(() => played.length), 0);
    await click(button);
    await says('Stop');
    await page.waitForFunction(() => played[0]?.currentTime > 0);
    assert.equal(await value(() => played[0].loop), false);
    await click(button);
    await says('Play');
    assert.equal(await value(() => played[0].paused), true);
    await click(button);
    await page.waitForFunction(() => played[1]?.ended);
    await says('Play');
    assert.equal(await value(() => played.length), 2);
    /* Another thing is shown: silence. */
    await click(button);
    await page.waitForFunction(() => played[2] && !played[2].paused);
    await value(one => lvlApp.panel.showRecord(one), `${list}[0]`);
    await page.waitForFunction(() => played[2].paused);
    await open({'LEVEL1/SOUNDS/AMBIENT/SURF.WAV': Buffer.from('RIFF....WAVE and no more')});
    await click(button);
    await noticed('LEVEL_AMBIENT_SURF cannot be played');
    await says('Play');
    errors.length = 0; /* the browser's own word about it */
  });

  await test('things are pasted into another page of this browser', async () => {
    await fresh();
    await drop({'lake_village.nw': lakeside['lakeside/lake_village.nw']});
    await value(() => lvlApp.selectAll([lvlApp.thingFor('signs[0]')]));
    await value(() => document.body.dispatchEvent(new ClipboardEvent('copy', {bubbles: true, clipboardData: new DataTransfer()})));
    await noticed('Copied 1 thing.');
    await stored(page, 'clip', all => all[0]?.from === 'lake_village.nw' && all[0].items[0].path === 'signs[0]');
    await fresh();
    await drop({'frost_pass.graal': lakeside['lakeside/frost_pass.graal']});
    const wanted = lvl.open(lakeside['lakeside/lake_village.nw'], 'a.nw');
    const [{value: sign}] = wanted.getAll('signs[0].text');
    wanted.close();
    const signs = await value(async () => (await lvlApp.client.call('get', 'signs')).length);
    await value(() => document.body.dispatchEvent(new ClipboardEvent('paste', {bubbles: true, clipboardData: new DataTransfer()})));
    await edits(1);
    assert.equal(await value(at => lvlApp.client.call('get', `signs[${at}].text`), signs), sign);
  });

  await test('a new layer: of a doodad, which has several; a level says that it has one', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await tab('view');
    await page.waitForFunction(() => document.getElementById('page-view').textContent.includes('A level of Sketchy Maze has one layer'));
    assert.equal(await value(() => document.getElementById('page-view').textContent.includes('New layer')), false);
    await fresh();
    await drop({'lantern.doodad': sample('sketchy/lantern.doodad')});
    await tab('view');
    const before = await value(async () => (await lvlApp.client.call('get', 'layers')).length);
    await press('New layer');
    await click('#create button.primary');
    await edits(1);
    assert.deepEqual(await value(async () => (await lvlApp.client.call('get', 'layers')).map(layer => layer.name)).then(list => list.slice(before)), ['New']);
  });

  await test('copied actors get ids of their own, and keep their links', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    const before = await value(() => lvlApp.client.call('get', 'actors'));
    await value(() => lvlApp.selectAll(lvlApp.map.scene.things.filter(thing => thing.path?.startsWith('actors'))));
    await copyEvent('copy');
    await noticed(`Copied ${before.length} thing`);
    await copyEvent('paste');
    await edits(1);
    const after = await value(() => lvlApp.client.call('get', 'actors'));
    assert.equal(after.length, 2 * before.length);
    assert.equal(new Set(after.map(actor => actor.id)).size, after.length);
    assert.equal(await value(() => lvlApp.selection.length), before.length);
  });

  await test('align to the grid, snap to it, a key for both', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await value(() => {
      lvlApp.selectAll(lvlApp.map.scene.things.filter(thing => thing.path).slice(0, 3));
      document.activeElement.blur();
    });
    await page.keyboard.press('g');
    await edits(1);
    const places = await value(() => Promise.all(lvlApp.selection.map(path => lvlApp.client.call('get', path))));
    for (const {x, y} of places) assert.ok(x % 64 === 0 && y % 64 === 0, `${x}, ${y}`);
    await tab('view', 'label');
    await press('Snap to the grid');
    await value(() => lvlApp.select(lvlApp.map.scene.things.filter(thing => thing.path)[5], {centre: true}));
    await settled();
    const [left, top] = await value(() => lvlApp.map.selected);
    await drag([left + 8, top + 8], [left + 45, top + 50]);
    await edits(2);
    const {x, y} = await value(() => lvlApp.client.call('get', lvlApp.selected));
    assert.ok(x % 64 === 0 && y % 64 === 0, `${x}, ${y}`);
  });

  await test('a link is resized by its handles, and a box of an object too', async () => {
    await fresh();
    await drop({'village.nw': sample('graal/lakeside/lake_village.nw')});
    await value(() => lvlApp.select(lvlApp.thingFor('links[0]')));
    await page.waitForFunction(() => lvlApp.map.areas.length === 1);
    await value(() => lvlApp.map.goTo(200, 800, 1));
    await settled();
    assert.deepEqual(await value(() => lvlApp.map.areas[0].rect), [0, 0, 16, 1024]);
    await drag([16, 1024], [64, 896]);
    await edits(1);
    const doc = lvl.open(await bytesNow(), 'village.nw');
    const {x, y, width, height} = doc.get('links[0]');
    assert.deepEqual([x, y, width, height], [0, 0, 4, 56]);
    doc.close();
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    const path = await value(() => lvlApp.map.scene.things.find(thing => thing.kind === 'enemy').path);
    await value(one => lvlApp.select(lvlApp.thingFor(one), {centre: true}), path);
    await value(one => lvlApp.panel.showRecord(`${one}.hit_rect`), path);
    await page.waitForFunction(() => lvlApp.map.areas.some(area => area.name === 'hit_rect'));
    const [l, t, w, h] = await value(() => lvlApp.map.areas.find(area => area.name === 'hit_rect').rect);
    await drag([l + w, t + h], [l + w + 20, t + h + 10]);
    await edits(1);
    const rect = await value(one => lvlApp.client.call('get', `${one}.hit_rect`), path);
    assert.deepEqual([rect.right - rect.left + 1, rect.bottom - rect.top + 1], [w + 20, h + 10]);
  });

  await test('the level is resized, and a new plane is added and painted', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await tab('view', 'button');
    await press('Resize the level');
    await page.waitForSelector('#create[open] [aria-label="Width"]');
    await page.$eval('#create [aria-label="Width"]', input => { input.value = '70'; });
    await click('#create [aria-label="right, lower part stays"]');
    await click('#create .primary');
    await edits(1);
    const doc = lvl.open(sample('wwd/cliffs.wwd'), 'cliffs.wwd');
    doc.resize(70, 14, {anchor: [1, 1]});
    assert.deepEqual(await bytesNow(), doc.save());
    doc.close();
    assert.equal(await value(() => lvlApp.map.scene.width), 70 * 64);
    await tab('view', 'button');
    await press('New plane');
    await page.waitForSelector('#create[open] input');
    await page.$eval('#create input', input => { input.value = 'Ivy'; });
    await click('#create .primary');
    await edits(2);
    const made = lvl.open(await bytesNow(), 'cliffs.wwd');
    const plane = made.get('planes').at(-1);
    assert.deepEqual([plane.name, plane.tiles.width, plane.tiles.height, plane.z], ['Ivy', 70, 14, 1]);
    assert.doesNotMatch(plane.flags ?? '', /main/);
    made.close();
  });

  await test('what is invisible in the game has a mark for each kind, and a legend', async () => {
    await fresh();
    await drop({'village.nw': sample('graal/lakeside/lake_village.nw'), 'pics1.png': sample('graal/pics1.png'),
      'well.png': sample('graal/well.png')}, 'village.nw');
    const at = () => value(() => {
      const [sx, sy] = lvlApp.map.screen(736, 408).map(Math.round);
      return [...document.getElementById('map').getContext('2d').getImageData(sx - 8, sy - 8, 16, 16).data].join();
    });
    await value(() => lvlApp.map.goTo(700, 400, 1));
    await settled();
    const before = await at();
    await value(() => document.activeElement.blur());
    await page.keyboard.press('i');
    await tab('view', '.legend li');
    assert.deepEqual(await page.$$eval('.legend li', list => list.map(li => li.textContent.replace(/\s+/g, ' '))),
      ['warp2', 'sign1']);
    await settled();
    const marked = await at();
    assert.notEqual(marked, before);
    await click('.legend li:nth-child(2) input');
    await settled();
    await value(() => new Promise(resolve => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    assert.equal(await at(), before);
  });

  await test('search over a world by field, with the hits on its map; replace in all files', async () => {
    await fresh();
    await drop({...Object.fromEntries(Object.entries(lakeside).map(([name, bytes]) => [name.split('/').pop(), bytes]))},
      'lakeside.gmap');
    await tab('things', '[type=search]');
    await press('In all');
    await page.type('#page-things [type=search]', 'image=well.png');
    await page.waitForSelector('#hits:not([aria-busy]) li button');
    const hits = await page.$$eval('#hits li', list => list.map(li => li.textContent));
    const wanted = Object.keys(lakeside).filter(name => /\.(nw|graal|zelda)$/.test(name)).flatMap(name => {
      const doc = lvl.open(lakeside[name], name);
      const found = doc.get('npcs').filter(npc => npc.image === 'well.png').map(() => name.split('/').pop());
      doc.close();
      return found;
    });
    assert.ok(wanted.length > 0);
    assert.deepEqual(hits.map(text => /[\w]+\.(nw|graal|zelda)(?= )/.exec(text.replace('well.png', ''))[0]).sort(), wanted.sort());
    assert.equal(await value(() => lvlApp.map.hits.length), wanted.length);
    await page.type('#page-things [aria-label="Replace with"]', 'fountain.png');
    await value(() => { globalThis.confirm = () => true; });
    await press('Replace');
    await noticed('Replaced in');
    const changed = await value(() => lvlApp.unsaved);
    assert.deepEqual([...new Set(changed)].sort(), [...new Set(wanted)].sort());
    for (const name of changed) {
      const bytes = new Uint8Array(await value(path => [...lvlApp.sessions.get(path).history[lvlApp.sessions.get(path).at].bytes], name));
      const doc = lvl.open(bytes, name);
      assert.ok(doc.get('npcs').some(npc => npc.image === 'fountain.png'));
      assert.ok(!doc.get('npcs').some(npc => npc.image === 'well.png'));
      doc.close();
    }
    /* A hit opens its level; the search stays. */
    await page.$eval('#page-things [type=search]', input => {
      input.value = 'image=fountain.png';
      input.dispatchEvent(new Event('input'));
    });
    await page.waitForFunction(() => document.querySelector('#hits:not([aria-busy]) li button')?.textContent.includes('fountain.png'));
    await click('#hits li button');
    await shown(wanted[0]);
    assert.equal(await value(() => lvlApp.selected), 'npcs[0]');
    assert.equal(await value(() => lvlApp.panel.state.filter), 'image=fountain.png');
  });

  await test('what leads to a level can be clicked', async () => {
    await fresh();
    await drop({...Object.fromEntries(Object.entries(lakeside).map(([name, bytes]) => [name.split('/').pop(), bytes]))},
      'lakeside.gmap');
    await value(() => lvlApp.openPath('lake_village.nw'));
    await tab('info', '#leads button');
    const wanted = Object.keys(lakeside).filter(name => /\.(nw|graal|zelda|gmap)$/.test(name) && !name.includes('village'))
      .flatMap(name => {
        const doc = lvl.open(lakeside[name], name);
        const found = doc.scene().links.filter(link => link.target === 'lake_village.nw').map(() => name.split('/').pop());
        doc.close();
        return found;
      });
    const names = await page.$$eval('#leads button', list => list.map(b => b.firstChild.textContent));
    assert.ok(wanted.length > 1);
    assert.deepEqual(names.sort(), wanted.sort());
    assert.ok(await value(async () => { /* a redraw leaves the list for who is about to click on it */
      const shown = document.querySelector('#leads button');
      lvlApp.panel.redraw();
      await new Promise(requestAnimationFrame);
      return shown.isConnected;
    }));
    await value(() => [...document.querySelectorAll('#leads button')].find(b => b.textContent.startsWith('lake_')).click());
    await page.waitForFunction(() => lvlApp.path !== 'lake_village.nw' && lvlApp.selected?.startsWith('links['));
  });

  await test('the Record tab shows groups, common fields first, and folds what is rare or unknown', async () => {
    await fresh();
    /* No book knows it, so that its table decides. */
    const enemy = 'planes[4].objects[73]';
    await drop({'cliffs.wwd': set(sample('wwd/cliffs.wwd'), 'cliffs.wwd', `${enemy}.logic="Nobody"`)});
    await value(path => {
      lvlApp.select(lvlApp.thingFor(path));
      lvlApp.panel.showRecord(path);
    }, enemy);
    await page.waitForSelector('#page-record .fold');
    assert.deepEqual(await page.$$eval('#page-record h2', list => list.map(node => node.textContent)),
      ['Behaviour', 'Place', 'Look', 'Other']);
    const {tables} = lvl.formats().find(format => format.id === 'wwd');
    const common = tables.object.fields.filter(field => field.group === 'behaviour' && field.common).map(field => field.name);
    assert.deepEqual(await page.$$eval('#page-record > .field .name, #page-record > .field label[for]', list =>
      list.map(node => node.textContent).slice(0, 4)), common.slice(0, 4));
    assert.equal(await value(() => document.querySelector('[id$=".user7"]').checkVisibility()), false);
    await value(() => document.querySelector('[id$=".user7"]').closest('details').querySelector('summary').click());
    assert.equal(await value(() => document.querySelector('[id$=".user7"]').checkVisibility()), true);
    /* An edit in a fold keeps it open and the focus in it. */
    await page.focus(`[id="f-${enemy}.user7"]`);
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type('12');
    await page.keyboard.press('Tab');
    await edits(1);
    assert.equal(await value(one => lvlApp.client.call('get', `${one}.user7`), enemy), 12);
    assert.equal(await value(() => document.querySelector('[id$=".user7"]').checkVisibility()), true);
    assert.equal(await value(() => document.activeElement.id), `f-${enemy}.user8`);
    /* Unknown dwords are folded. */
    await value(() => lvlApp.panel.showRecord('planes[0]'));
    await page.waitForSelector('[id="f-planes[0].unknown_04"]');
    assert.equal(await value(() => document.getElementById('f-planes[0].unknown_04').checkVisibility()), false);
  });

  await test('a link to a level that no link leads to yet can be added', async () => {
    await fresh();
    await drop({'village.nw': sample('graal/lakeside/lake_village.nw'), 'room.nw': lvl.create('nw')}, 'room.nw');
    await value(() => lvlApp.openPath('village.nw'));
    await tab('things', '.add summary');
    await click('#page-things .add summary');
    await page.waitForSelector('#page-things .add[open] select');
    await page.select('#page-things .add select', 'link');
    await page.waitForFunction(() => document.querySelector('#page-things .add input[list]')?.getAttribute('aria-label') === 'level');
    await page.type('#page-things .add input[list]', 'room.nw');
    await page.keyboard.press('Tab');
    await press('Place on the map');
    await page.waitForFunction(() => lvlApp.placing?.value === 'room.nw');
    await clickAt(480, 400);
    await edits(1);
    const link = (await value(() => lvlApp.client.call('get', 'links'))).at(-1);
    assert.deepEqual([link.level, link.x, link.y, link.dest_x, link.dest_y], ['room.nw', 30, 25, 'playerx', 'playery']);
  });

  /* Redraws come when an edit is written, art is added or the worker answers late: what is typed meanwhile stays. */
  await test('a redraw of a tab leaves its fields, what is typed in them and the focus', async () => {
    await fresh();
    await drop({'village.nw': sample('graal/lakeside/lake_village.nw'), 'room.nw': lvl.create('nw')}, 'room.nw');
    await value(() => lvlApp.openPath('village.nw'));
    await tab('things', '.add summary');
    /* The worker's answer about values waits until it is let go. */
    await value(() => {
      const call = lvlApp.client.call.bind(lvlApp.client);
      const held = new Promise(done => { globalThis.letGo = done; });
      lvlApp.client.call = async (method, ...args) => {
        const answer = await call(method, ...args);
        if (method === 'valuesOf') await held;
        return answer;
      };
    });
    await click('#page-things .add summary');
    await page.waitForSelector('#page-things .add[open] select');
    await page.select('#page-things .add select', 'link');
    await page.waitForSelector('#page-things .add input[aria-label=level]');
    const field = await page.$('#page-things .add input[aria-label=level]');
    await field.type('rom.nw');
    await field.evaluate(node => node.setSelectionRange(2, 2));
    const state = () => value(() => {
      const {activeElement: node} = document;
      return [node.getAttribute('aria-label'), node.value, node.selectionStart];
    });
    await value(() => letGo());
    await page.waitForSelector('#page-things .add option[value="room.nw"]');
    assert.deepEqual(await state(), ['level', 'rom.nw', 2]);
    await value(() => lvlApp.edit(['npcs[0].x+=1'], 'move'));
    assert.deepEqual(await state(), ['level', 'rom.nw', 2]);
    await value(bytes => lvlApp.addArt([{path: 'pics1.png', file: new Blob([new Uint8Array(bytes)])}]),
      [...sample('graal/pics1.png')]);
    assert.deepEqual(await state(), ['level', 'rom.nw', 2]);
    await page.keyboard.type('o');
    await page.keyboard.press('Tab');
    await press('Place on the map');
    await page.waitForFunction(() => lvlApp.placing?.value === 'room.nw');
    await page.keyboard.press('Escape');

    await page.type('#page-things [type=search]', 'sgn');
    await page.$eval('#page-things [type=search]', node => node.setSelectionRange(1, 1));
    await value(() => lvlApp.edit(['npcs[0].x+=1'], 'move'));
    await page.keyboard.type('i');
    assert.deepEqual(await state(), ['Search things, signs, scripts', 'sign', 2]);
    await page.$eval('#page-things [type=search]', node => node.select());
    await page.type('#page-things [type=search]', 'lake');
    await page.waitForSelector('#page-things [aria-label="Replace with"]', {visible: true});
    await page.type('#page-things [aria-label="Replace with"]', 'pod');
    await page.$eval('#page-things [aria-label="Replace with"]', node => node.setSelectionRange(2, 2));
    await value(() => lvlApp.edit(['npcs[0].x+=1'], 'move'));
    await page.keyboard.type('n');
    assert.deepEqual(await state(), ['Replace with', 'pond', 3]);

    for (const [id, label, before, after] of [['view', 'Distance of the lines in px', '16', '168'],
      ['files', 'Search files', 'rom', 'rom8']]) {
      await tab(id, `[aria-label="${label}"]`);
      await page.type(`#page-${id} [aria-label="${label}"]`, before);
      await value(() => lvlApp.edit(['npcs[0].x+=1'], 'move'));
      await page.keyboard.type('8');
      assert.deepEqual((await state()).slice(0, 2), [label, after]);
    }
  });

  await test('each field that the page has keeps what is typed in it, or makes an edit of it', async () => {
    const found = {fields: 0, kinds: new Set()};
    let asked = 0;
    const refuse = dialog => {
      asked++;
      dialog.dismiss();
    };
    page.on('dialog', refuse);
    /* Fields are found in the page, so that a new one is tested, too. */
    const start = async (files, show) => {
      await fresh();
      await drop(files, show);
      await value(() => {
        globalThis.fieldsIn = css => [...document.querySelectorAll(`:is(${css}) :is(input, select, textarea)`)]
          .filter(node => node.checkVisibility({visibilityProperty: true}) && !node.disabled && node.type !== 'file');
        const nameOf = node => [node.tagName, node.type, node.id || node.getAttribute('aria-label')
          || node.labels?.[0]?.textContent.replace(/\d/g, '') || node.placeholder].join(' ');
        globalThis.fieldState = node => node && {name: nameOf(node), at: fieldsIn('body').filter(one => nameOf(one) === nameOf(node)).indexOf(node),
          text: ['checkbox', 'radio'].includes(node.type) ? String(node.checked) : node.value};
        globalThis.fieldNow = () => (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName) ? fieldState(document.activeElement)
          : {tag: document.activeElement.tagName, id: document.activeElement.id});
        globalThis.shortcutState = () => JSON.stringify([lvlApp.map.zoom, lvlApp.map.x, lvlApp.map.y, lvlApp.selection, lvlApp.path,
          document.body.className, lvlApp.panel.state.tab, document.querySelector('dialog[open]')?.id, lvlApp.at]);
      });
    };
    const now = () => value(() => fieldNow());
    /* Changes are made, and the panel is drawn again. */
    const still = () => value(async () => {
      for (let i = 0; i < 2; i++) {
        await lvlApp.turn;
        await lvlApp.client.call('memory');
        await new Promise(requestAnimationFrame);
      }
    });
    const art = [...sample('graal/pics1.png')];
    const redraws = {
      edit: change => value(one => lvlApp.edit([one], 'elsewhere'), change),
      art: () => value(bytes => lvlApp.addArt([{path: 'art.png', file: new Blob([new Uint8Array(bytes)])}]), art),
      undo: () => value(() => lvlApp.travel(-1)),
      /* What is typed becomes an edit first, so that the page asks for it, too. */
      'a drop that is refused': async () => {
        const before = asked;
        await dropOnly({'other.nw': lvl.create('nw')});
        for (let i = 0; asked === before; i++) {
          assert.ok(i < 1000, 'the page asks');
          await new Promise(resolve => { setTimeout(resolve, 5); });
        }
      },
    };
    const tryField = async (place, css, n, elsewhere, causes, button) => {
      const [first, kind] = await value((within, i) => {
        const node = fieldsIn(within)[i];
        node.scrollIntoView({block: 'center'});
        node.focus();
        const kindOf = {SELECT: 'menu', TEXTAREA: 'lines'}[node.tagName] ?? node.type;
        return [fieldState(node), kindOf];
      }, css, n);
      const what = `${place}: ${first.name} ${first.at}`;
      assert.deepEqual(await now(), first, `${what} gets the focus`);
      const isNumber = kind === 'number';
      const isText = ['text', 'search', 'lines', 'number'].includes(kind);
      found.fields++;
      found.kinds.add(kind);
      if (!isText) {
        const [there, back] = {menu: ['ArrowDown', 'ArrowUp'], range: ['ArrowRight', 'ArrowLeft'], radio: ['ArrowRight', 'ArrowLeft']}[kind]
          ?? ['Space', 'Space'];
        await page.keyboard.press(there);
        await still();
        const chosen = await now();
        for (const cause of causes) {
          await redraws[cause](elsewhere);
          await still();
          assert.deepEqual(await now(), chosen, `${what}: what is chosen, after ${cause}`);
        }
        await page.keyboard.press(back);
        await still();
        return;
      }
      const before = await value(() => shortcutState());
      await page.keyboard.down('Control');
      await page.keyboard.press('End');
      await page.keyboard.up('Control');
      await page.keyboard.type(isNumber ? '901' : 'o01');
      await page.keyboard.press('ArrowLeft');
      let {text} = await now();
      assert.equal(text.length, first.text.length + 3, what);
      let at = 0; /* steps of the history that the redraws make */
      for (const cause of causes) {
        const was = JSON.parse(await value(() => shortcutState()));
        await redraws[cause](elsewhere);
        await still();
        const is = JSON.parse(await value(() => shortcutState()));
        at += is.at(-1) - was.at(-1);
        if (!cause.startsWith('a drop')) assert.equal(is.at(-1) - was.at(-1), {edit: 1, undo: -1}[cause] ?? 0, `${what}: steps, after ${cause}`);
        assert.deepEqual(await now(), {...first, text}, `${what}: the text and the focus, after ${cause}`);
        const key = isNumber ? '0' : 'p';
        await page.keyboard.type(key);
        const next = text.slice(0, -1) + key + text.slice(-1);
        assert.deepEqual(await now(), {...first, text: next}, `${what}: the caret, after ${cause}`);
        text = next;
      }
      const [was, is] = [before, await value(() => shortcutState())].map(one => JSON.parse(one));
      was[was.length - 1] += at;
      for (const one of [was, is]) one[5] = one[5].replace(' painting', ''); /* a tile that is chosen begins that */
      assert.deepEqual(is, was, `${what}: no shortcut acts`);
      if (button) {
        /* The button takes the focus: there is an edit, a message that it is refused, or the text is still there. */
        await value(() => {
          document.getElementById('notice').className = '';
          globalThis.steps = new Set(lvlApp.history);
        });
        await click('#undo');
        await still();
        const [made, message, same] = await value((within, wanted) => [lvlApp.history.some(step => !steps.has(step)),
          /error/.test(document.getElementById('notice').className),
          fieldsIn(within).some(node => fieldState(node).name === wanted.name
            && (node.type === 'number' ? +node.value === +wanted.text : node.value === wanted.text))], css, {...first, text});
        assert.ok(made || message || same, `${what}: what is typed is lost when Undo is pressed`);
      }
      await value((within, wanted) => {
        const node = fieldsIn(within).find(one => fieldState(one).name === wanted.name && fieldState(one).at === wanted.at);
        if (!node) return;
        node.value = wanted.text;
        node.dispatchEvent(new Event('input', {bubbles: true}));
        node.blur();
      }, css, first);
      await still();
    };
    const tryAll = async (place, css, elsewhere, {button = true} = {}) => {
      await still();
      const tried = new Set();
      for (let n = 0; n < await value(within => fieldsIn(within).length, css); n++) {
        const kind = await value((within, i) => fieldsIn(within)[i].type, css, n);
        const isFirst = !tried.has(kind);
        tried.add(kind);
        /* The history keeps 200 steps: their number counts here. */
        if (await value(() => lvlApp.at) > 100) await value(() => lvlApp.travel(1 - lvlApp.at));
        await tryField(place, css, n, elsewhere, isFirst ? Object.keys(redraws) : ['edit'], button && isFirst);
      }
    };
    const openFolds = css => value(within => document.querySelectorAll(`${within} details`).forEach(node => { node.open = true; }), css);
    const tabs = async (place, elsewhere, records) => {
      /* There is a step that can be undone, and something that is unsaved. */
      await value(one => lvlApp.edit([one], 'first'), elsewhere);
      for (const id of ['info', 'view', 'things', 'paint', 'findings', 'changes', 'bytes', 'files']) {
        await tab(id);
        await still();
        await openFolds(`#page-${id}`);
        await tryAll(`${place}, ${id}`, `#page-${id}`, elsewhere);
      }
      for (const path of records) {
        await value(one => lvlApp.goToPath(`${one}.`), path);
        await still();
        await openFolds('#page-record');
        await tryAll(`${place}, record ${path}`, '#page-record', elsewhere);
      }
    };
    await start({'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    await tabs('cliffs.wwd', 'planes[4].objects[0].x+=1', ['', 'planes[4].objects[1]']);
    await tab('view');
    for (const text of ['New plane', 'Resize the level']) {
      await press(text);
      await page.waitForSelector('dialog[open]');
      await tryAll(`cliffs.wwd, ${text}`, 'dialog[open]', 'planes[4].objects[0].x+=1', {button: false});
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog[open]', {hidden: true});
    }
    await tab('files');
    await press('New level');
    await page.waitForSelector('dialog[open]');
    await tryAll('cliffs.wwd, New level', 'dialog[open]', 'planes[4].objects[0].x+=1', {button: false});
    await page.keyboard.press('Escape');
    await value(() => lvlApp.compareWith('the file as opened', lvlApp.history[0].bytes));
    await page.waitForSelector('#slider:not([hidden])');
    await tryAll('cliffs.wwd, compared', 'body', 'planes[4].objects[0].x+=1');
    await start(lakeside, 'lakeside/lakeside.gmap');
    await value(() => lvlApp.openPath('lakeside/lake_village.nw'));
    await tabs('lake_village.nw', 'signs[0].x+=1', ['', 'npcs[0]', 'links[0]', 'signs[1]']);
    await value(() => lvlApp.gallery.show());
    await tryAll('gallery', '#gallery', 'signs[0].x+=1', {button: false});
    await start({'lantern.doodad': sample('sketchy/lantern.doodad')});
    await tabs('lantern.doodad', 'hitbox.x+=1', ['', 'layers[0]', 'swatches[0]']);
    await start({'hero_walk.gani': sample('graal/ganis/hero_walk.gani')});
    await tabs('hero_walk.gani', 'sprites[1].width+=1', ['', 'sprites[0]']);
    page.off('dialog', refuse);
    assert.ok(found.fields > 100, `${found.fields} fields`);
    assert.deepEqual([...found.kinds].sort(), ['checkbox', 'lines', 'menu', 'number', 'radio', 'range', 'search', 'text']);
    if (process.env.TALK) console.log(found);
  });

  await test('random changes, asked for without a pause: the page has what the command makes of them', async () => {
    let seed = +(process.env.LVL_SEED || 1);
    const random = n => {
      seed = seed * 48271 % 0x7fffffff;
      return seed % n;
    };
    const pick = list => list[random(list.length)];
    const id = () => Array.from({length: 8}, () => random(0xffff).toString(16).padStart(4, '0')).join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const kinds = {
      'cliffs.wwd': {sample: 'wwd/cliffs.wwd', list: 'planes[4].objects', fields: {x: () => random(4000), name: () => `"n ${random(99)}\\"o"`,
        logic: () => pick(['TreasurePowerup', 'Soldier', 'x']), z: () => pick([random(5000), 'no number'])}},
      'lake_village.nw': {sample: 'graal/lakeside/lake_village.nw', list: 'npcs', fields: {x: () => random(60), y: () => random(60),
        image: () => pick(['well.png', 'cat.png', ''])}},
      'hill-v4.level': {sample: 'sketchy/hill-v4.level', list: 'actors', fields: {'point.x': () => random(300), id, filename: () => 'box.doodad'}},
    };
    const files = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, sample(kind.sample)]));
    const model = new Map(Object.entries(files).map(([name, bytes]) => [name, {states: [bytes], at: 0, saved: 0}]));
    const followed = (paths, before, after, name) => {
      const [a, b] = [before, after].map(bytes => lvl.open(bytes, name));
      const now = b.follow(paths, a);
      a.close();
      b.close();
      return now;
    };
    await fresh();
    await dropOnly(files);
    await page.waitForFunction(() => lvlApp.doc);
    await value(() => lvlApp.openPath('cliffs.wwd'));
    await value(() => {
      globalThis.saved = [];
      URL.createObjectURL = blob => {
        if (blob.type === 'application/octet-stream') saved.push(blob);
        return 'about:blank#';
      };
      HTMLAnchorElement.prototype.click = () => {};
    });
    let name = 'cliffs.wwd';
    let selected = null;
    const done = {};
    const steps = +(process.env.LVL_STEPS || 60);
    for (let n = 0; n < steps;) {
      const kind = kinds[name];
      const state = model.get(name);
      const doc = lvl.open(state.states[state.at], name);
      const items = doc.get(kind.list);
      doc.close();
      const batch = Array.from({length: 1 + random(4)}, () => {
        const path = items.length ? `${kind.list}[${random(items.length)}]` : null;
        const what = path ? pick(['edit', 'edit', 'edit', 'edit', 'add', 'delete', 'undo', 'redo', 'select', 'save', 'art']) : 'undo';
        if (what === 'edit') {
          const field = pick(Object.keys(kind.fields));
          return {what, path, rest: `.${field}=${kind.fields[field]()}`};
        }
        if (what === 'add') return {what, rest: `${kind.list}[+]=${JSON.stringify({...pick(items), ...typeof items[0].id === 'string' && {id: id()}})}`};
        return {what, path};
      });
      if (random(4) === 0) batch.push({what: 'open', to: pick(Object.keys(kinds))});
      n += batch.length;
      const now = await value(async (list, art) => {
        const before = saved.length;
        for (const {what, path, rest, to} of list) {
          if (what === 'edit') lvlApp.edit([path + rest], path);
          else if (what === 'add') lvlApp.edit([rest], 'add');
          else if (what === 'delete') lvlApp.edit([], 'delete', {unset: [path]});
          else if (what === 'undo') lvlApp.travel(-1);
          else if (what === 'redo') lvlApp.travel(1);
          else if (what === 'save') lvlApp.save();
          else if (what === 'art') lvlApp.addArt([{path: 'art.png', file: new Blob([new Uint8Array(art)])}]);
          else if (what === 'open') lvlApp.openPath(to);
          else lvlApp.select(lvlApp.thingFor(path));
        }
        for (let turn; turn !== lvlApp.turn;) await (turn = lvlApp.turn);
        return {path: lvlApp.path, at: lvlApp.at, steps: lvlApp.history.length, bytes: [...lvlApp.bytes], selected: lvlApp.selected,
          unsaved: lvlApp.unsaved, saved: await Promise.all(saved.slice(before).map(async blob => [...new Uint8Array(await blob.arrayBuffer())]))};
      }, batch, [...sample('graal/pics1.png')]);
      /* Where the items are that the batch names, as the state changes. */
      const places = new Map(batch.filter(({path}) => path).map(({path}) => [path, path]));
      for (const {what, path} of batch) if (what === 'select') selected = path;
      if (selected) places.set(selected, selected);
      const written = [];
      for (const {what, path, rest, to} of batch) {
        const before = state.states[state.at];
        const at = path && places.get(path);
        done[what] = (done[what] ?? 0) + 1;
        if (['edit', 'add', 'delete'].includes(what)) {
          if (path && !at) continue; /* it is gone */
          try {
            const after = set(before, name, what === 'delete' ? `unset ${at}` : (at ?? '') + rest);
            state.states.splice(state.at + 1, state.states.length, after);
            if (state.saved > state.at) state.saved = -1;
            state.at++;
          } catch {
            done.refused = (done.refused ?? 0) + 1;
            continue;
          }
        } else if (what === 'undo' || what === 'redo') {
          const next = state.at + (what === 'undo' ? -1 : 1);
          if (!state.states[next]) continue;
          state.at = next;
        } else {
          if (what === 'save') {
            written.push([...before]);
            state.saved = state.at;
          }
          if (what === 'open') {
            selected = null;
            name = to;
          }
          continue;
        }
        const known = [...places].filter(([, one]) => one);
        const next = followed(known.map(([, one]) => one), before, state.states[state.at], name);
        known.forEach(([one], i) => places.set(one, next[i]));
      }
      if (selected) selected = places.get(selected) ?? null;
      const {states, at} = model.get(name);
      const story = `seed ${process.env.LVL_SEED || 1}, step ${n}: ${JSON.stringify(batch)}`;
      assert.deepEqual([now.path, now.at, now.steps], [name, at, states.length], story);
      assert.ok(Buffer.from(now.bytes).equals(Buffer.from(states[at])), story);
      assert.deepEqual(now.saved, written, story);
      assert.deepEqual(now.unsaved.sort(), [...model].filter(([, one]) => one.at !== one.saved).map(([path]) => path).sort(), story);
      assert.equal(now.selected, selected, story);
    }
    if (process.env.TALK) console.log(done);
    assert.ok(process.env.LVL_SEED || ['edit', 'add', 'delete', 'undo', 'redo', 'select', 'save', 'art', 'open', 'refused'].every(what => done[what]), JSON.stringify(done));
  });

  await test('what is selected, typed or asked for while a change is written stays', async () => {
    await fresh();
    const name = 'hill-v4.level';
    const hill = sample(`sketchy/${name}`);
    await drop({[name]: hill});
    /* The change sorts the actors anew; the page has told the worker what it follows before another one is selected. */
    const [selected, record] = await value(async () => {
      const {client} = lvlApp, {call} = client;
      client.call = (method, ...args) => {
        const answer = call.call(client, method, ...args);
        if (method === 'commit') {
          lvlApp.select(lvlApp.thingFor('actors[1]'));
          lvlApp.panel.showRecord('actors[1]');
        }
        return answer;
      };
      await lvlApp.edit(['actors[0].id=ffffffff-ffff-4fff-8fff-ffffffffffff'], 'id');
      client.call = call;
      return [lvlApp.selected, lvlApp.panel.state.recordPath];
    });
    assert.deepEqual([selected, record], ['actors[0]', 'actors[0]']);
    /* Two fields are changed while the first one is written: both keep what was typed. */
    await page.waitForSelector('[id="f-actors[0].filename"]');
    await value(() => {
      const {client} = lvlApp, {call} = client;
      client.call = async (method, ...args) => {
        const answer = await call.call(client, method, ...args);
        if (method === 'commit') await new Promise(resolve => { setTimeout(resolve, 300); });
        return answer;
      };
      globalThis.shownTexts = [];
      const watch = () => {
        shownTexts.push(document.getElementById('f-actors[0].filename')?.value);
        requestAnimationFrame(watch);
      };
      globalThis.startWatch = watch;
    });
    await page.$eval('[id="f-actors[0].id"]', node => { node.focus(); node.select(); });
    await page.keyboard.type('00000000-0000-4000-8000-000000000000');
    await click('[id="f-actors[0].filename"]', {count: 3});
    await page.keyboard.type('typed.doodad');
    await value(() => startWatch());
    await page.keyboard.press('Tab');
    await page.keyboard.down('Control');
    await page.keyboard.press('s');
    await page.keyboard.up('Control');
    await edits(3);
    await value(() => lvlApp.turn);
    assert.deepEqual([...new Set(await value(() => shownTexts))], ['typed.doodad'], 'the old text is never shown again');
    assert.deepEqual(await value(() => lvlApp.unsaved), [], 'saved is what was typed before Save');
    /* A change that waits, and a file that is opened at once. */
    await drop({[name]: hill, 'lake_village.nw': sample('graal/lakeside/lake_village.nw')}, name);
    await value(() => {
      lvlApp.edit(['title=one'], 'one');
      lvlApp.edit(['title=two'], 'two');
      return lvlApp.openPath('lake_village.nw');
    });
    await value(() => lvlApp.openPath('hill-v4.level'));
    assert.equal(await value(() => lvlApp.at), 2);
    assert.deepEqual(await bytesNow(), set(hill, name, 'title=two'));
  });

  await test('the bytes of a stream are shown as they decompress, with their fields', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await value(() => lvlApp.panel.showRecord('planes[4]'));
    await page.waitForSelector('[id="f-planes[4].name"]');
    await value(() => document.getElementById('f-planes[4].name').closest('.field').querySelector('.bytes').click());
    await page.waitForSelector('#page-bytes:not([hidden]) .hex .at');
    const doc = lvl.open(sample('wwd/cliffs.wwd'), 'cliffs.wwd');
    const [{offset}] = doc.explain({path: 'planes[4].name'});
    const [, stream] = doc.spaces();
    assert.equal(await page.$eval('#page-bytes [aria-label="Byte"]', input => +input.value), offset);
    assert.equal(await page.$eval('#page-bytes select', select => select.selectedOptions[0].textContent),
      `inflated main block, ${stream.size} bytes, from 0x5f4`);
    assert.equal(await page.$eval('#page-bytes .hex .at', node => parseInt(node.textContent, 16)),
      doc.space(stream.id)[offset - stream.base]);
    await page.select('#page-bytes select', '0');
    await page.waitForFunction(() => document.querySelector('#page-bytes [aria-label="Byte"]').value === '0x0');
    assert.match(await page.$eval('#page-bytes', node => node.textContent), /header_size/);
    doc.close();
  });

  await test('an edit draws only what changed, before the file is written, as the whole picture would be', async () => {
    await fresh();
    const files = {'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')};
    await drop(files);
    const thing = await value(() => lvlApp.doc.scene.things.find(one => one.path).path);
    await value(path => lvlApp.select(lvlApp.thingFor(path), {centre: true}), thing);
    await settled();
    const [asked, order] = await value(async path => {
      const calls = [];
      const order = [];
      const next = lvlApp.client.nextIdle;
      lvlApp.client.nextIdle = () => {
        const tile = next();
        if (tile?.method === 'tile') calls.push(tile.args[0].region), order.push('tile');
        return tile;
      };
      const call = lvlApp.client.call.bind(lvlApp.client);
      lvlApp.client.call = (method, ...args) => {
        order.push(method);
        return call(method, ...args);
      };
      await lvlApp.edit([`${path}.x+=64`], 'move');
      return [calls, order];
    }, thing);
    await settled();
    const area = asked.reduce((sum, [, , w, h]) => sum + w * h, 0);
    assert.ok(area > 0 && area < 512 * 512, `drawn again: ${JSON.stringify(asked)}`);
    assert.ok(order.indexOf('tile') > order.indexOf('preview') && order.indexOf('tile') < order.indexOf('commit'), String(order));
    for (const key of ['edited', 'undone', 'redone']) {
      if (key !== 'edited') await click(key === 'undone' ? '#undo' : '#redo');
      await edits(key === 'undone' ? 0 : 1);
      await settled();
      const doc = lvl.open(await bytesNow(), 'cliffs.wwd', {files, art: ['SAMPLES.REZ', '']});
      const {rect: [left, top, w, h]} = doc.scene().things.find(one => one.path === thing);
      const region = [left - 80, top - 20, w + 160, h + 40];
      const pixels = await value(([x, y, wide, high]) => {
        const [sx, sy] = lvlApp.map.screen(x, y).map(Math.round);
        return [...document.getElementById('map').getContext('2d').getImageData(sx, sy, wide, high).data];
      }, region);
      await value(() => { lvlApp.map.selected = null; lvlApp.map.draw(); });
      await value(() => new Promise(resolve => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
      const plain = await value(([x, y, wide, high]) => {
        const [sx, sy] = lvlApp.map.screen(x, y).map(Math.round);
        return [...document.getElementById('map').getContext('2d').getImageData(sx, sy, wide, high).data];
      }, region);
      assert.notEqual(digest(Uint8Array.from(pixels)), digest(Uint8Array.from(plain)), 'the selection is marked');
      assert.equal(digest(Uint8Array.from(plain)), digest(doc.render({region}).data), key);
      doc.close();
    }
  });

  await test('a change that cannot be written shows the document as it was', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    const before = await value(() => JSON.stringify(lvlApp.map.scene));
    await value(async () => {
      const call = lvlApp.client.call.bind(lvlApp.client);
      lvlApp.client.call = (method, ...args) => (method === 'commit'
        ? call('revert').then(() => { throw new Error('it cannot be written'); }) : call(method, ...args));
      await lvlApp.edit(['actors[0].point.x+=20'], 'move');
      lvlApp.client.call = call;
    });
    await noticed('it cannot be written');
    assert.equal(await value(() => lvlApp.at), 0);
    assert.equal(await value(() => JSON.stringify(lvlApp.map.scene)), before);
    await settled();
    const doc = lvl.open(sample('sketchy/hill-v4.level'), 'hill-v4.level');
    await compareCanvas(doc);
    doc.close();
  });

  await test('a stroke stays visible until it is drawn; the tool ends with the level and with Esc', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    await tab('paint', '.tileset');
    /* The first tile with a picture is chosen, not the empty first ones. */
    const chosen = await value(() => lvlApp.brush.stamp.values[0]);
    assert.ok(chosen > 0, `tile ${chosen}`);
    const doc = lvl.open(sample('wwd/cliffs.wwd'), 'cliffs.wwd', {files: {'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')},
      art: ['SAMPLES.REZ']});
    const main = doc.scene().layers.findIndex(layer => layer.main);
    assert.ok(doc.tiles({layer: main, first: chosen, columns: 1, rows: 1}).data.some(v => v));
    for (let first = 0; first < chosen; first++)
      assert.ok(!doc.tiles({layer: main, first, columns: 1, rows: 1}).data.some(v => v), `tile ${first}`);
    /* An opaque tile, whatever lies below. */
    const {width, data} = doc.tiles({layer: main, columns: 1, rows: 300});
    const stamp = Array.from({length: 300}, (_, i) => i).find(i => i > chosen
      && data.slice(i * width ** 2 * 4, (i + 1) * width ** 2 * 4).every((v, at) => at % 4 < 3 || v === 255));
    doc.close();
    await value(tile => { lvlApp.brush.stamp = {width: 1, height: 1, values: [tile]}; }, stamp);
    await press('Brush');
    await value(() => lvlApp.map.goTo(600, 400, 1));
    await settled();
    const [x, y] = await screen(608, 408);
    /* The worker is slow: the canvas shows the stroke at every frame from the press to the picture. */
    await value((px, py) => {
      const context = document.getElementById('map').getContext('2d');
      const look = () => [...context.getImageData(px - 3, py - 3, 6, 6).data].join();
      globalThis.looks = [];
      globalThis.before = look();
      const call = lvlApp.client.call.bind(lvlApp.client);
      lvlApp.client.call = async (method, ...args) => {
        if (['preview', 'commit'].includes(method)) await new Promise(resolve => { setTimeout(resolve, 400); });
        return call(method, ...args);
      };
      const tick = () => {
        if (globalThis.released) globalThis.looks.push(look());
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }, x, y);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await value(() => new Promise(resolve => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    await value(() => { globalThis.released = true; });
    await page.mouse.up();
    await edits(1);
    await settled();
    await page.waitForFunction(() => !lvlApp.brush.pending);
    await settled();
    const {looks, before} = await value(() => ({looks: globalThis.looks, before: globalThis.before}));
    assert.ok(looks.length > 10 && !looks.includes(before), `${looks.filter(look => look === before).length} of ${looks.length}`);
    await page.focus('#page-paint input[type=number]');
    await page.keyboard.press('Escape');
    assert.equal(await value(() => lvlApp.brush.tool), null);
    await press('Brush');
    await value(() => { globalThis.confirm = () => true; });
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    assert.equal(await value(() => lvlApp.brush.tool), null);
    assert.equal(await value(() => document.body.classList.contains('painting')), false);
  });

  await test('a thing beside the level has a mark', async () => {
    await fresh();
    await drop({'lake_village.nw': sample('graal/lakeside/lake_village.nw')});
    await value(() => lvlApp.goToPath('npcs[0].'));
    await page.waitForSelector('#page-record:not([hidden]) .field');
    assert.equal(await value(() => lvlApp.map.outside.length), 0);
    await value(() => lvlApp.map.fit());
    const from = await value(() => {
      const [left, top, width, height] = lvlApp.map.selected;
      return [left + width / 2, top + height / 2];
    });
    await settled();
    await drag(from, [-60, from[1]]);
    await edits(1);
    await noticed('outside the level');
    const [x, y, width] = await value(() => lvlApp.map.selected);
    assert.ok(x + width <= 0);
    assert.deepEqual(await value(() => lvlApp.map.outside), [await value(() => lvlApp.map.selected)]);
    assert.ok(Number.isFinite(y));
  });

  await test('a dropped folder shows at once how many files are read', async () => {
    await fresh();
    await value(() => {
      globalThis.told = [];
      const node = document.getElementById('busy');
      new MutationObserver(() => { if (!node.hidden) told.push(node.textContent); })
        .observe(node, {attributes: true, childList: true, subtree: true, characterData: true});
    });
    await dropPaths(['graal/lakeside'], 'lakeside/lakeside.gmap');
    const told = await value(() => globalThis.told);
    assert.match(told[0] ?? '', /reading \d+ files …/);
    assert.ok(told.some(text => text.includes(`reading ${Object.keys(lakeside).length} files`)), told.join(', '));
    assert.ok(await page.$eval('#busy', node => node.hidden));
  });

  await test('small things: words, the status line, the zoom of a link, searches, the size of a picture', async () => {
    await fresh();
    await drop(lakeside, 'lakeside/lakeside.gmap');
    await value(() => lvlApp.openPath('lakeside/lake_village.nw'));
    await settled();
    await page.mouse.move(...await screen(300, 300));
    await page.waitForFunction(() => document.getElementById('place').textContent.includes('px'));
    await value(() => lvlApp.map.goTo(500, 500, 2));
    await value(() => lvlApp.followLink(lvlApp.doc.scene.links[0]));
    assert.deepEqual(await value(() => [lvlApp.map.zoom, document.getElementById('place').textContent]), [2, '']);
    await tab('things', '[role=status]');
    for (const [text, wanted] of [['zzzz', /No thing has "zzzz"/], ['npc', /found, of/]]) {
      await page.$eval('#page-things [type=search]', (input, given) => {
        input.value = given;
        input.dispatchEvent(new Event('input'));
      }, text);
      assert.match(await page.$eval('#page-things [role=status]', node => node.textContent), wanted);
    }
    await tab('info', 'button');
    assert.match(await page.$eval('#page-info', node => node.textContent), /Export PNG \(1024 × 1024 px\)/);
    const [asked, made] = await value(async () => {
      let question = '';
      let count = 0;
      globalThis.confirm = text => {
        question = text;
        return false;
      };
      const call = lvlApp.client.call.bind(lvlApp.client);
      lvlApp.client.call = (method, ...args) => {
        if (method === 'png') count++;
        return call(method, ...args);
      };
      Object.assign(lvlApp.doc.scene, {width: 20000, height: 10000});
      lvlApp.panel.redraw();
      /* The page is drawn when the press of its tab has ended. */
      const find = () => [...document.querySelectorAll('#page-info button')].find(b => b.textContent.startsWith('Export PNG (20000'));
      while (!find()) await new Promise(requestAnimationFrame);
      find().click();
      await new Promise(requestAnimationFrame);
      return [question, count];
    });
    assert.match(asked, /shrunk to 8192 × 4096 px.*134 MB/);
    assert.equal(made, 0);
    for (const [family, name] of [['sketchy', 'few-colors.level'], ['wwd', 'outside.wwd'], ['wwd', 'ids.wwd']]) {
      await fresh();
      await drop({[name]: sample(`${family}/damaged/${name}`)});
      await tab('findings', '.verdict');
      const text = await page.$eval('#page-findings', node => node.textContent);
      const [, findings, noun] = /(\d+) (findings?)\./.exec(text);
      assert.equal(noun, findings === '1' ? 'finding' : 'findings');
      assert.doesNotMatch(text, /--[a-z]/);
      assert.doesNotMatch(await page.$eval('#page-info', node => node.textContent), /--[a-z]/);
    }
    await value(() => lvlApp.run(() => { throw new Error('a list has 5 items; --limit items=N raises that.'); }));
    assert.equal(await page.$eval('#notice', node => node.textContent), 'a list has 5 items.');
  });

  await test('quick changes and undos come one after the other', async () => {
    await fresh();
    const bytes = sample('graal/lakeside/lake_village.nw');
    await drop({'lake_village.nw': bytes});
    await value(() => Promise.all([1, 2, 3].map(i => lvlApp.edit([`layers[0].tiles[${i},0]=5`], `tile ${i}`))));
    assert.deepEqual(await bytesNow(), set(bytes, 'lake_village.nw', 'layers[0].tiles[1,0 3,0]=5'));
    await value(() => Promise.all([lvlApp.travel(-1), lvlApp.travel(-1)]));
    assert.equal(await value(() => lvlApp.at), 1);
    assert.deepEqual(await bytesNow(), set(bytes, 'lake_village.nw', 'layers[0].tiles[1,0]=5'));
  });

  await test('changes that wait: steps add up, things that are placed quickly all stay, items are followed', async () => {
    await fresh();
    const bytes = sample('wwd/cliffs.wwd');
    await drop({'cliffs.wwd': bytes, 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    const path = await value(() => {
      const thing = lvlApp.map.scene.things.find(one => one.label === 'TreasurePowerup');
      lvlApp.select(thing, {centre: true});
      return thing.path;
    });
    const {x} = lvl.open(bytes, 'cliffs.wwd').get(path);
    await page.focus('#map');
    await page.keyboard.down('Shift');
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await edits(6);
    assert.deepEqual(await bytesNow(), set(bytes, 'cliffs.wwd', `${path}.x=${x + 6}`));

    /* What is pressed after something was typed gets its click. */
    await tab('things', 'summary');
    await click('#page-things summary');
    await page.waitForSelector('#page-things input[aria-label=logic]');
    await page.type('#page-things input[aria-label=logic]', 'TreasurePowerup');
    const box = await (await page.$('#page-things details input[type=checkbox]')).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await new Promise(resolve => { setTimeout(resolve, 250); });
    await page.mouse.up();
    assert.ok(await page.waitForFunction(() => document.querySelector('#page-things details input[type=checkbox]').checked));
    await press('Place on the map');
    const at = await value(() => lvlApp.at);
    const [left, top] = await value(() => lvlApp.map.screen(lvlApp.map.x, lvlApp.map.y));
    for (let i = 0; i < 5; i++) await page.mouse.click(left - 100 + 40 * i, top - 120);
    await edits(at + 5);
    await page.keyboard.press('Escape');

    /* The first change sorts the actor to another place, or removes the thing. */
    await fresh();
    const name = 'hill-v4.level';
    const hill = sample(`sketchy/${name}`);
    await drop({[name]: hill});
    const wanted = set(set(hill, name, 'actors[0].point.x+=7'), name, 'actors[0].id=ffffffff-ffff-4fff-8fff-ffffffffffff');
    await value(() => Promise.all([lvlApp.edit(['actors[0].id=ffffffff-ffff-4fff-8fff-ffffffffffff'], 'id'),
      lvlApp.edit(['actors[0].point.x+=7'], 'move')]));
    assert.deepEqual(await bytesNow(), wanted);
    await value(() => lvlApp.travel(-2));
    await value(() => Promise.all([lvlApp.edit([], 'delete', {unset: ['actors[0]']}), lvlApp.edit([], 'delete', {unset: ['actors[0]']}),
      lvlApp.edit(['actors[0].point.x+=7'], 'move it')]));
    assert.deepEqual(await bytesNow(), set(hill, name, 'unset actors[0]'));
    await noticed('Not done: move it. What it is about is gone.');
  });

  await test('a change that is asked for while another is written is followed, too', async () => {
    await fresh();
    const name = 'hill-v4.level';
    const hill = sample(`sketchy/${name}`);
    await drop({[name]: hill});
    const now = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
    /* The first change sorts the actor to another place; the second one comes when the page has sent what is followed. */
    await value(async id => {
      const {client} = lvlApp, {call} = client;
      let second;
      client.call = (method, ...args) => {
        const answer = call.call(client, method, ...args);
        if (method === 'commit') second ??= lvlApp.edit(['actors[0].point.x+=7'], 'move');
        return answer;
      };
      await lvlApp.edit([`actors[0].id=${id}`], 'id');
      await second;
      client.call = call;
    }, now);
    assert.deepEqual(await bytesNow(), set(set(hill, name, 'actors[0].point.x+=7'), name, `actors[0].id=${now}`));
  });

  await test('an edit right after a file was read passes on only what differs', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    assert.deepEqual(await value(async () => {
      await lvlApp.replace(lvlApp.bytes, 'the same');
      const {client} = lvlApp, {call} = client;
      let preview;
      client.call = (method, ...args) => {
        const answer = call.call(client, method, ...args);
        if (method === 'preview') preview = answer;
        return answer;
      };
      await lvlApp.edit(['actors[0].point.x+=7'], 'move');
      client.call = call;
      const {scene, sceneChange} = await preview;
      return [scene === undefined, sceneChange?.things?.length];
    }), [true, 1]);
  });

  await test('a layer of a doodad is chosen as a frame, and painted', async () => {
    await fresh();
    const bytes = sample('sketchy/lantern.doodad');
    await drop({'lantern.doodad': bytes});
    await tab('view', 'input[type=range]');
    await page.$eval('#page-view input[type=range]', input => {
      input.value = '1';
      input.dispatchEvent(new Event('input'));
    });
    await page.waitForFunction(() => lvlApp.map.options.frame === 1);
    await tab('paint', '.swatches');
    await press('Rectangle');
    await page.waitForFunction(() => lvlApp.brush.tool === 'rectangle');
    await drag([2.5, 3.5], [4.5, 5.5]);
    await edits(1);
    assert.deepEqual(await bytesNow(), set(bytes, 'lantern.doodad', 'layers[1].chunks[2,3 4,5]=0'));
    await settled();
    assert.equal(await value(() => lvlApp.map.options.frame), 1);
  });

  await test('edits stay while another file is looked at', async () => {
    await fresh();
    await drop(Object.fromEntries(Object.entries(lakeside).map(([path, bytes]) =>
      [path.split('/').pop(), bytes])), 'lakeside.gmap');
    await value(() => lvlApp.openPath('lake_village.nw'));
    await value(() => lvlApp.edit(['layers[0].tiles[0,0 20,20]=0'], 'paint'));
    const edited = await bytesNow();
    await value(() => lvlApp.openPath('lake_meadow.nw'));
    assert.deepEqual(await value(() => lvlApp.unsaved), ['lake_village.nw']);
    await value(() => lvlApp.openPath('lake_village.nw'));
    assert.deepEqual(await bytesNow(), edited);
    await click('#undo');
    await edits(0);
    assert.deepEqual(await bytesNow(), lakeside['lakeside/lake_village.nw']);
  });

  await test('a folder: the world, its levels by double click, doors, back and forth, a deep link',
    async () => {
    await fresh();
    await dropPaths(['graal/lakeside'], 'lakeside/lakeside.gmap');
    await page.mouse.click(...await screen(1536, 300), {count: 2});
    await shown('lakeside/lake_village.nw');
    await page.mouse.click(...await screen(8, 500), {count: 2});
    await shown('lakeside/lake_meadow.nw');
    /* The door leads to column 61, in the same row. */
    assert.match(await value(() => location.hash), /^#lakeside\/lake_meadow\.nw@976,512,/);
    await page.goBack();
    await shown('lakeside/lake_village.nw');
    await page.goBack();
    await shown('lakeside/lakeside.gmap');
    await page.goForward();
    await shown('lakeside/lake_village.nw');
    await fresh({hash: '#lake_shore.nw@200,300'});
    await dropPaths(['graal/lakeside'], 'lakeside/lake_shore.nw');
    assert.deepEqual(await value(() => [lvlApp.map.x, lvlApp.map.y]), [200, 300]);
  });

  await test('a zip of a world, a pack, an archive, and art that is dropped later', async () => {
    await fresh();
    await drop({'world.zip': zip(lakeside)}, 'world/lakeside/lakeside.gmap');
    assert.equal(await value(() => lvlApp.doc.scene.missing_files), 0);
    assert.equal(await value(() => lvlApp.doc.scene.has_art), false);
    await drop({'pics1.png': sample('graal/pics1.png')}, 'world/lakeside/lakeside.gmap');
    await page.waitForFunction(() => lvlApp.doc.scene.has_art);
    await dropPaths(['sketchy/walk.levelpack'], 'walk.levelpack');
    await press('hill.level');
    await shown('walk.levelpack/levels/hill.level');
    await fresh();
    await dropPaths(['wwd/SAMPLES.REZ'], 'SAMPLES.REZ');
    await pickFile('GAME/IMAGES/CHECKPOINTFLAG/001.PID');
    await shown('SAMPLES.REZ/GAME/IMAGES/CHECKPOINTFLAG/001.PID');
    assert.ok(await value(() => lvlApp.map.scene.width > 1));
  });

  const cardTexts = () => page.$$eval('#gallery a.level', cards => cards.map(card => card.textContent));
  const counted = text => page.waitForFunction(wanted => document.getElementById('count').textContent === wanted, {}, text);
  const inGallery = () => page.waitForFunction(() => document.body.classList.contains('gallery'));

  await test('a pack opens as a gallery: pictures, search, click, neighbours, back', async () => {
    await fresh();
    await dropPaths(['sketchy/walk.levelpack'], 'walk.levelpack');
    await inGallery();
    await page.waitForFunction(() => [...document.querySelectorAll('#gallery img')].filter(i => i.naturalWidth).length === 2);
    await counted('2 levels');
    const [hill, rings] = await cardTexts();
    assert.match(hill, /levels\/hill\.levelThe hill by the pond, The lvl samples/);
    assert.match(rings, /levels\/rings\.levelRings.*Sketchy Maze level, 2470 bytes$/);
    const drawn = await value(() => {
      const image = document.querySelector('#gallery img');
      const canvas = Object.assign(document.createElement('canvas'), {width: image.naturalWidth, height: image.naturalHeight});
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return [...context.getImageData(0, 0, canvas.width, canvas.height).data];
    });
    const pack = lvl.open(sample('sketchy/walk.levelpack'), 'walk.levelpack');
    const member = pack.member('levels/hill.level').bytes;
    const files = {'walk.levelpack': sample('sketchy/walk.levelpack')};
    const level = lvl.open(member, 'walk.levelpack/levels/hill.level', {files, art: ['walk.levelpack']});
    assert.equal(digest(Uint8Array.from(drawn)), digest(level.render({size: 256}).data));
    level.close();
    pack.close();
    await page.type('#query', 'rings');
    await counted('1 of 2');
    assert.equal(await value(() => location.hash), '#/?query=rings');
    await click('#gallery a.level');
    await shown('walk.levelpack/levels/rings.level');
    await page.goBack();
    await inGallery();
    assert.equal(await value(() => location.hash), '#/?query=rings');
    assert.equal((await cardTexts()).length, 1);
    await click('#query', {count: 3});
    await page.keyboard.press('Backspace');
    await counted('2 levels');
    await click('#gallery a.level');
    await shown('walk.levelpack/levels/hill.level');
    assert.equal(await page.$eval('#sitePrevious', link => link.hidden), true);
    await click('#siteNext');
    await shown('walk.levelpack/levels/rings.level');
    await page.keyboard.press('PageUp');
    await shown('walk.levelpack/levels/hill.level');
    /* What is changed is drawn again. */
    const before = await page.$eval('#gallery img', image => image.src);
    await value(() => lvlApp.edit(['title=Another name'], 'title'));
    await click('#siteBack');
    await inGallery();
    await page.waitForFunction(was => document.querySelector('#gallery img')?.src !== was && document.querySelector('#gallery img'), {}, before);
    assert.match((await cardTexts())[0], /Another name/);
  });

  await test('a folder of many levels: those in view first, filter and order, the place stays', async () => {
    await fresh({width: 1000, height: 700});
    const files = {};
    for (let i = 0; i < 60; i++) files[`many/l${i}.nw`] = lakeside['lakeside/lake_mill.nw'];
    for (const name of ['cut-tiles.graal', 'cut-npcs.graal']) files[`many/${name}`] = sample(`graal/damaged/${name}`);
    files['many/a.zelda'] = Uint8Array.from([1, 2, 3]); /* the first one is no level: the others are drawn all the same */
    await drop({'all.zip': zip(files)}, 'all/many/l0.nw');
    await inGallery();
    await page.waitForFunction(() => lvlApp.gallery.levels.every(level => level.verdict));
    await page.waitForFunction(() => document.querySelectorAll('#gallery img').length > 4);
    assert.ok(await page.$$eval('#gallery img', list => list.length) < 40, 'only what is seen is drawn');
    await page.waitForSelector('#verdict option[value=damaged]');
    await page.select('#verdict', 'damaged');
    await counted('2 of 63');
    await page.select('#verdict', '');
    await page.select('#order', 'damaged');
    assert.match((await cardTexts())[1], /cut-npcs.*damaged$/);
    await page.select('#order', 'path');
    assert.deepEqual((await cardTexts()).slice(0, 4).map(text => /[^/]*\.(nw|graal|zelda)/.exec(text)[0]),
      ['a.zelda', 'cut-npcs.graal', 'cut-tiles.graal', 'l0.nw']);
    await value(() => { document.getElementById('gallery').scrollTop = 1500; });
    await page.waitForFunction(() => [...document.querySelectorAll('#gallery a.level')]
      .find(card => card.getBoundingClientRect().top > 300)?.querySelector('img')?.naturalWidth);
    const top = await value(() => document.getElementById('gallery').scrollTop);
    const name = await value(() => {
      const card = [...document.querySelectorAll('#gallery a.level')].find(one => one.getBoundingClientRect().top > 300);
      card.click();
      return card.level.path;
    });
    await shown(name);
    await page.goBack();
    await inGallery();
    assert.equal(await value(() => document.getElementById('gallery').scrollTop), top);
    assert.equal(await value(() => document.activeElement.level?.path), name);
    /* Animations, where there are no levels; an archive beside a level is only its art. */
    await fresh();
    await dropPaths(['graal/ganis'], 'ganis/hero_idle.gani');
    await inGallery();
    await counted('4 levels');
    await value(() => lvlApp.gallery.step(1));
    await shown('ganis/hero_walk.gani');
    assert.equal(await page.$eval('#siteBack', node => node.hidden), false);
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    assert.equal(await value(() => lvlApp.gallery.levels.length), 1);
    assert.equal(await page.$eval('#siteBack', node => node.hidden), true);
  });

  await test('a link keeps the file, the thing, the camera and the zoom, and knows a dropped file by its content', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await value(() => {
      const thing = lvlApp.doc.scene.things.find(one => one.path === 'actors[1]');
      lvlApp.map.goTo(90, 60, 2.5);
      lvlApp.map.camera = [320, 240];
      lvlApp.select(thing);
    });
    await page.waitForFunction(() => /,2\.5&thing=actors%5B1%5D&camera=320,240&sha256=[0-9a-f]{20}&of=1$/.test(location.hash));
    const hash = await value(() => location.hash);
    await fresh({hash});
    assert.match(await page.$eval('#wanted', node => node.textContent), /a place in hill-v4\.level: drop that file/);
    await drop({'renamed.level': sample('sketchy/hill-v4.level')});
    const place = () => value(() => [lvlApp.map.x, lvlApp.map.y, lvlApp.map.zoom, lvlApp.selected, String(lvlApp.map.camera)]);
    assert.deepEqual(await place(), [90, 60, 2.5, 'actors[1]', '320,240']);
    await fresh({hash});
    await drop({'hill-v4.level': set(sample('sketchy/hill-v4.level'), 'hill-v4.level', 'title=Newer')});
    assert.deepEqual(await place(), [90, 60, 2.5, 'actors[1]', '320,240']);
    await noticed('not the file of the link, but another version');
    /* A level in a pack; the pack may have another name. */
    await fresh();
    await dropPaths(['sketchy/walk.levelpack'], 'walk.levelpack');
    await value(() => lvlApp.openPath('walk.levelpack/levels/rings.level'));
    await page.waitForFunction(() => /sha256=[0-9a-f]{20}&of=1$/.test(location.hash));
    await fresh({hash: await value(() => location.hash)});
    await drop({'tour.levelpack': sample('sketchy/walk.levelpack')}, 'tour.levelpack/levels/rings.level');
    /* A broken link is none. */
    await fresh({hash: '#%E0%A4%A@1,2'});
    assert.equal(await page.$eval('#wanted', node => node.hidden), true);
  });

  await test('the start page: samples, recent files, which can be forgotten', async () => {
    await fresh();
    await value(() => document.getElementById('recentForget').click());
    await page.waitForFunction(() => document.getElementById('recent').hidden);
    await click('[data-sample=graal]');
    await shown('lakeside/lakeside.gmap');
    assert.equal(await value(() => lvlApp.doc.scene.missing_files), 0);
    assert.equal(await value(() => lvlApp.doc.scene.has_art), true);
    await fresh();
    assert.equal(await page.$eval('#recent', node => node.hidden), true, 'a sample is no recent file');
    await click('[data-sample=sketchy]');
    await shown('hill-v4.level');
    /* Without a handle, the file itself is kept. */
    await drop({'world.zip': zip(lakeside)}, 'world/lakeside/lakeside.gmap');
    await stored(page, 'recent', all => all.some(({name}) => name === 'world.zip'));
    await fresh();
    await page.waitForSelector('#recentList button');
    assert.deepEqual(await page.$$eval('#recentList button', list => list.map(node => node.textContent)), ['world.zip']);
    await click('#recentList button');
    await shown('world/lakeside/lakeside.gmap');
    await fresh();
    await page.waitForSelector('#recentList button');
    await click('#recentForget');
    await page.waitForFunction(() => document.getElementById('recent').hidden);
    await fresh();
    assert.equal(await page.$eval('#recent', node => node.hidden), true);
  });

  await test('planes, overlays and the camera of the game', async () => {
    await fresh();
    const files = {'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')};
    await drop(files);
    const doc = lvl.open(files['cliffs.wwd'], 'cliffs.wwd', {files, art: ['SAMPLES.REZ']});
    await tab('view', 'input');
    await press('Sky');
    await press('Things');
    await press('Grid');
    await press('Attributes');
    await page.waitForFunction(() => lvlApp.map.options.overlays?.length === 2);
    await compareCanvas(doc, {layers: {0: false}, things: false, overlays: ['grid', 'attributes']});
    for (const name of ['Sky', 'Things', 'Grid', 'Attributes']) await press(name);
    await press('Show what the game shows');
    await page.waitForFunction(() => lvlApp.map.camera);
    await settled();
    await page.waitForFunction(() => lvlApp.map.complete);
    const pixels = await value(() => {
      const [x, y] = lvlApp.map.screen(Math.round(lvlApp.map.x), Math.round(lvlApp.map.y)).map(Math.round);
      return [...document.getElementById('map').getContext('2d').getImageData(x - 100, y - 100, 200,
        200).data];
    });
    const camera = await value(() => [Math.round(lvlApp.map.x), Math.round(lvlApp.map.y)]);
    const wanted = doc.render({view: 'camera', camera, viewSize: [640, 480], region: [220, 140, 200, 200]});
    assert.equal(digest(Uint8Array.from(pixels)), digest(wanted.data));
    doc.close();
  });

  await test('the camera of a drawing that does not begin at 0, 0', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    /* Without the paper, which moves with the camera, and below the glass, which it shows through. */
    await value(() => lvlApp.map.setOptions({layers: {0: false}}));
    await value(() => lvlApp.map.goTo(95, 60, 1));
    await settled();
    const pixels = () => value(() => {
      const [x, y] = lvlApp.map.screen(95, 60).map(Math.round);
      return [...document.getElementById('map').getContext('2d').getImageData(x - 60, y, 120, 50).data];
    });
    const before = await pixels();
    await value(() => {
      lvlApp.map.camera = [400, 300];
      lvlApp.map.draw();
    });
    await settled();
    await page.waitForFunction(() => lvlApp.map.complete);
    assert.equal(digest(Uint8Array.from(await pixels())), digest(Uint8Array.from(before)));
  });

  await test('a level of 17 gigapixels, from all of it to one tile', async () => {
    await fresh();
    await drop({'huge.level': set(sample('sketchy/hill-v4.level'), 'huge.level',
      'layers[0].chunks[131000,131000 131040,131030]=3')});
    assert.ok(await value(() => lvlApp.map.scene.width > 131000 && lvlApp.map.zoom < 0.01));
    await value(() => lvlApp.goToPath('actors[0].'));
    await settled();
    assert.ok(await value(() => lvlApp.map.zoom >= 1));
  });

  await test('hover shows the tile and how it behaves', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    const doc = lvl.open(sample('wwd/cliffs.wwd'), 'cliffs.wwd');
    const cells = Array.from({length: 60 * 14}, (_, i) => [i % 60, Math.floor(i / 60)]);
    const [column, row] = cells.find(([x, y]) => doc.cell(4, x, y).look === 'solid');
    assert.equal(doc.cell(4, column, row).value, doc.get(`planes[4].tiles[${column},${row}]`));
    await value(() => lvlApp.panel.choose('view'));
    await page.mouse.move(...await screen(column * 64 + 30, row * 64 + 30));
    await page.waitForFunction(text => document.getElementById('place').textContent.includes(text), {},
      `tile ${doc.cell(4, column, row).value}  ·  solid`);
    doc.close();
  });

  await test('search over signs and things; findings jump to their place', async () => {
    await fresh();
    await drop({'lake_village.nw': sample('graal/lakeside/lake_village.nw')});
    await tab('things', 'input');
    await page.type('#page-things input', 'close the gate');
    await page.waitForFunction(() => document.querySelectorAll('#page-things li button').length > 0);
    await press('Lakeside');
    await page.waitForFunction(() => lvlApp.panel.state.recordPath === 'signs[0]');
    assert.ok(await value(() => lvlApp.map.selected));
    await fresh();
    await drop({'outside.wwd': sample('wwd/damaged/outside.wwd')});
    await tab('findings', 'li button');
    const path = await value(() => {
      const found = [...document.querySelectorAll('#page-findings li button')].find(b =>
        /objects\[/.test(b.textContent));
      found.click();
      return /planes\[\d+\]\.objects\[\d+\]/.exec(found.textContent)[0];
    });
    await page.waitForFunction(wanted => lvlApp.selected === wanted, {}, path);
    await fresh();
    await drop({'few-colors.level': sample('sketchy/damaged/few-colors.level')});
    await tab('findings', 'li button');
    await value(() => [...document.querySelectorAll('#page-findings li button')].find(b =>
      b.textContent.includes('chunks[2]')).click());
    await page.waitForFunction(() => String(lvlApp.map.selected) === '0,64,64,64');
  });

  await test('bytes name their field, and a field shows its bytes', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await tab('bytes', '.field');
    await page.$eval('#page-bytes input', input => {
      input.value = '0x10';
      input.dispatchEvent(new Event('change'));
    });
    await page.waitForFunction(() =>
      document.querySelector('#page-bytes .field')?.textContent.includes('Grey Cliffs'));
    await value(() => [...document.querySelectorAll('#page-bytes button')].find(b =>
      b.textContent === 'record').click());
    await page.waitForSelector('#page-record:not([hidden]) .field');
    await value(() => lvlApp.panel.showRecord(''));
    await page.waitForSelector('[id="f-start_x"]');
    await value(() => document.getElementById('f-start_x').closest('.field').querySelector('.bytes').click());
    await page.waitForSelector('#page-bytes:not([hidden]) .at');
    const doc = lvl.open(sample('wwd/cliffs.wwd'), 'cliffs.wwd');
    assert.equal(await value(() => lvlApp.panel.state.at), doc.explain({path: 'start_x'})[0].offset);
    doc.close();
  });

  await test('compare: the other file right of the slider, changed places marked', async () => {
    await fresh();
    const bytes = sample('sketchy/hill-v4.level');
    const other = set(bytes, 'hill-v4.level', 'layers[0].chunks[-20,-20 -10,-15]=3', 'title=Other');
    await drop({'hill-v4.level': bytes});
    await value(list => lvlApp.compareWith('other.level', Uint8Array.from(list)), [...other]);
    await page.waitForFunction(() => lvlApp.map.marks.length === 1);
    assert.deepEqual(await value(() => lvlApp.map.marks),
      [{kind: 'changed', thing: false, rect: [44, 44, 11, 6]}]);
    await tab('changes', 'pre');
    await page.waitForFunction(() =>
      /title: .*Other/.test(document.querySelector('#page-changes pre').textContent));
    const at = async x => {
      await value(v => {
        const slider = document.getElementById('slider');
        slider.value = v;
        slider.dispatchEvent(new Event('input'));
        lvlApp.map.marks = [];
      }, x);
      await settled();
      return value(() => {
        const [sx, sy] = lvlApp.map.screen(48.5, 47.5).map(Math.round);
        return [...document.getElementById('map').getContext('2d').getImageData(sx, sy, 1, 1).data];
      });
    };
    assert.deepEqual(await at(0), [0xe0, 0x50, 0x20, 255]);
    assert.notDeepEqual(await at(1000), [0xe0, 0x50, 0x20, 255]);
    await press('Stop');
    await page.waitForFunction(() => !document.body.classList.contains('comparing'));
  });

  await test('the panel shows what a thing uses, by the names of the game book', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    const path = await value(() => lvlApp.doc.scene.things.find(one => one.label === 'Officer').path);
    await value(one => lvlApp.panel.showRecord(one), path);
    const field = name => `[id="f-${path}.${name}"]`;
    await page.waitForSelector(field('powerup'));
    const text = await page.$eval('#page-record', node => node.textContent);
    assert.match(text, /Officer: Spanish officer.*What Officer uses.*drops: item.*limits of the patrol: left.*limits of the patrol: right/);
    assert.doesNotMatch(text, /284 bytes/);
    assert.match(text, /Set, but its game does not read ithealth/);
    assert.equal(await page.$$eval(field('powerup'), nodes => nodes.length), 1); /* not once more below */
    await page.select(field('powerup'), '33');
    await edits(1);
    assert.equal(await value(one => lvlApp.client.call('get', `${one}.powerup`), path), 33);
    /* Items that are not set are folded, and can be set. */
    assert.equal(await page.$eval(field('user_rect1.left'), node => node.closest('details').open), false);
    await page.select(field('user_rect1.left'), '1');
    await edits(2);
    await page.waitForFunction(one => !document.querySelector(one).closest('details'), {}, field('user_rect1.left'));
    /* A number that does nothing is folded as soon as it is 0; a logic is chosen from those of the game. */
    await value(one => lvlApp.edit([`${one}.health=0`], 'health'), path);
    await page.waitForFunction(one => document.querySelector(one).closest('details'), {}, field('health'));
    const offered = name => page.$eval(field(name), node => [...node.list.options].map(one => `${one.value} ${one.label}`.trim()));
    assert.ok((await offered('logic')).includes('CrabNest'));
    assert.deepEqual(await offered('z'), ['4010 usual for Officer']);
    await value(one => lvlApp.edit([`${one}.logic="SoundTrigger"`], 'logic'), path);
    await page.waitForFunction(() => /What SoundTrigger uses/.test(document.getElementById('page-record').textContent));
    assert.ok((await offered('animation')).includes('LEVEL_TRIGGER_1001 sounds tasty; level 7'));
    assert.deepEqual(await offered('smarts'), ['-1 always']);
    /* Another thing has other fields; what no book knows is shown as the table says. */
    await value(one => lvlApp.edit([`${one}.logic="Elevator"`], 'logic'), path);
    await page.waitForFunction(() => /What Elevator uses.*limits of the run/.test(document.getElementById('page-record').textContent));
    assert.equal(await page.$eval(field('powerup'), node => node.type), 'number');
    await value(one => lvlApp.edit([`${one}.logic="Nobody"`], 'logic'), path);
    await page.waitForFunction(() => !/What .* uses/.test(document.getElementById('page-record').textContent));
  });
  await test('repair with a preview, convert with its losses, a picture of it', async () => {
    await fresh();
    await drop({'few-colors.level': sample('sketchy/damaged/few-colors.level')});
    await tab('findings', 'button');
    await press('Repair …');
    await page.waitForFunction(() =>
      /pixels: 480 cells/.test(document.getElementById('page-changes').textContent));
    assert.equal(await value(() => lvlApp.at), 0);
    await value(() => [...document.querySelectorAll('#page-changes button')].find(b =>
      b.textContent === 'Repair').click());
    await edits(1);
    const damaged = lvl.open(sample('sketchy/damaged/few-colors.level'), 'few-colors.level');
    assert.deepEqual(await bytesNow(), damaged.repair().bytes);
    damaged.close();
    /* One sees that a file is damaged until it is repaired. */
    await fresh();
    await drop({'truncated.wwd': sample('wwd/damaged/truncated.wwd')});
    assert.equal(await value(() => document.getElementById('tab-findings').className), 'bad');
    assert.match(await page.$eval('#page-info', node => node.textContent), /This file is damaged/);
    await tab('findings', 'button');
    await press('Repair …');
    await page.waitForSelector('#page-changes button.primary');
    await click('#page-changes button.primary');
    await edits(1);
    await page.waitForFunction(() => document.getElementById('tab-findings').className === '');
    await fresh();
    await drop({'cut-npcs.graal': sample('graal/damaged/cut-npcs.graal')});
    await value(() => {
      globalThis.saved = [];
      URL.createObjectURL = blob => { saved.push(blob); return 'about:blank#'; };
      HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
    });
    await tab('changes', 'select');
    await page.select('#page-changes select', 'nw');
    await value(() => [...document.querySelectorAll('#page-changes button')].find(b =>
      b.textContent === 'Convert').click());
    await page.waitForFunction(() =>
      document.getElementById('page-changes').textContent.includes('graal.loss.spelling'));
    assert.equal(await value(() => saved.length), 0);
    await press('Convert anyway');
    await page.waitForFunction(() => saved.length === 2);
    const converted = Uint8Array.from(await value(async () =>
      [...new Uint8Array(await saved[0].arrayBuffer())]));
    assert.equal(await value(() => saved[1]), 'cut-npcs.nw');
    const doc = lvl.open(sample('graal/damaged/cut-npcs.graal'), 'cut-npcs.graal');
    assert.deepEqual(converted, doc.convert('nw', {allowLoss: true}).bytes);
    await tab('info', 'button');
    await press('Export PNG');
    await page.waitForFunction(() => saved.length === 4);
    assert.deepEqual(await value(async () => {
      const picture = await createImageBitmap(saved[2]);
      return [picture.width, picture.height, saved[3]];
    }), [1024, 1024, 'cut-npcs.graal.png']);
    doc.close();
  });

  await test('keys alone: move, zoom, the next thing, the tabs', async () => {
    await fresh();
    await drop({'cliffs.wwd': sample('wwd/cliffs.wwd')});
    await page.focus('#map');
    const before = await value(() => [lvlApp.map.zoom, lvlApp.map.x]);
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    const after = await value(() => [lvlApp.map.zoom, lvlApp.map.x]);
    assert.ok(after[0] > before[0] && after[1] > before[1]);
    await page.keyboard.press('n');
    await page.waitForSelector('#page-record:not([hidden]) .field');
    await page.focus('#tab-record');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('#page-findings:not([hidden]) .verdict');
    /* Everything can be reached with Tab, and the focus is seen. */
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      reached.add(await value(() => document.activeElement.id));
    }
    for (const id of ['save', 'open', 'toggle', 'map', 'zoomIn', 'tab-findings']) assert.ok(reached.has(id),
      id);
  });

  await test('a phone: nothing is wider than the window', async () => {
    await fresh({width: 360, height: 740});
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    for (const id of ['info', 'view', 'things', 'record', 'paint', 'findings', 'changes', 'bytes', 'files']) {
      await tab(id);
      assert.ok(await value(() => document.documentElement.scrollWidth <= 360), id);
      assert.ok(await page.$eval(`#page-${id}`, node => node.scrollWidth <= node.clientWidth + 1), id);
    }
    for (const id of ['save', 'open', 'toggle'])
      assert.ok(await page.$eval(`#${id}`, node => node.getBoundingClientRect().right <= 360), id);
    /* The gallery, and the ways between its levels. */
    await drop({'walk.levelpack': sample('sketchy/walk.levelpack')}, 'walk.levelpack');
    await page.waitForFunction(() => document.querySelectorAll('#gallery img').length === 2);
    assert.equal(await page.$eval('#title', node => node.textContent), 'walk.levelpack');
    assert.ok(await page.$eval('#gallery', node => node.scrollWidth <= node.clientWidth));
    await value(() => lvlApp.openPath('walk.levelpack/levels/hill.level'));
    await shown('walk.levelpack/levels/hill.level');
    assert.equal(await page.$eval('#title', node => node.textContent), 'The hill by the pond');
    assert.ok(await page.$eval('#title', node => node.getBoundingClientRect().width > 120), 'the title can be read');
    const back = await page.$eval('#siteBack', node => [node.getBoundingClientRect().height, node.getBoundingClientRect().top]);
    assert.ok(back[0] < 40 && back[1] > 52, 'below the header, in one line');
  });

  await test('accessible by axe-core, in light and dark', async () => {
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      await fresh();
      await value(axe);
      const judge = async where => {
        const {violations} = await value(() => axe.run(document, {resultTypes: ['violations']}));
        assert.deepEqual(violations.map(v =>
          `${where}, ${scheme}: ${v.id}: ${v.nodes[0].html.slice(0, 120)}`), []);
      };
      await judge('start');
      await drop({'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
      for (const id of ['info', 'view', 'things', 'record', 'paint', 'findings', 'changes', 'bytes',
        'files']) {
        await tab(id);
        await judge(id);
      }
      await drop({'walk.levelpack': sample('sketchy/walk.levelpack')}, 'walk.levelpack');
      await page.waitForFunction(() => document.querySelectorAll('#gallery img').length === 2);
      await judge('gallery');
    }
    await page.emulateMediaFeatures([]);
  });

  await test('a hostile title is text', async () => {
    await fresh();
    const doc = lvl.open(sample('sketchy/hill-v4.level'), 'x.level');
    const title = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
    doc.set('title', title);
    doc.set('swatches[0].name', title);
    doc.set('swatches[0].color', 'url(https://example.invalid/)');
    await drop({'x.level': doc.save()});
    assert.equal(await page.$eval('#title', node => node.textContent), title);
    for (const id of ['info', 'view', 'things', 'record', 'paint', 'findings', 'changes', 'bytes', 'files']) {
      await tab(id);
      assert.equal(await value(() => document.querySelector('#title *, #pages img, #pages script')), null);
    }
    assert.equal(await value(() => globalThis.hit), undefined);
    for (const name of readdirSync(join(web, 'viewer')).filter(n => n.endsWith('.js') || n.endsWith('.mjs')))
      assert.doesNotMatch(readFileSync(join(web, 'viewer', name), 'utf8'),
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, name);
    doc.close();
  });

  await test('every damaged sample is opened and checked', async () => {
    for (const family of ['graal', 'sketchy', 'wwd']) {
      for (const name of readdirSync(join(samples, family, 'damaged'))) {
        await fresh();
        await drop({[name]: sample(`${family}/damaged/${name}`)});
        await tab('findings', '.verdict');
        assert.ok(await value(() => lvlApp.doc.format), name);
      }
    }
  });

  await test('what is no level says so', async () => {
    await fresh();
    await value(() => lvlApp.addFiles([{path: 'x.level', file: new File(['hello'], 'x.level')}]));
    await noticed('x.level');
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
  });

  await test('a worker that hangs is ended, the page answers meanwhile, and the level stays', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await value(() => lvlApp.edit(['title=Mine'], 'title'));
    const [why, frames, busy] = await value(async () => {
      globalThis.lvlTimeLimit = 2000;
      let count = 0;
      let label = '';
      const tick = () => {
        count++;
        label ||= document.getElementById('busy').hidden ? '' : document.getElementById('busy').textContent;
        requestAnimationFrame(tick);
      };
      tick();
      const text = await lvlApp.client.call('spin').catch(error => error.message);
      delete globalThis.lvlTimeLimit;
      return [text, count, label];
    });
    assert.match(why, /stopped after 2 s/);
    assert.ok(frames > 20, `${frames} frames`);
    assert.match(busy, /1 s|2 s/);
    await page.waitForFunction(async () =>
      (await lvlApp.client.call('get', 'title').catch(() => '')) === 'Mine');
    /* And by the button. */
    const stopped = value(() => lvlApp.client.call('spin').catch(error => error.message));
    await page.waitForSelector('#busy:not([hidden])');
    await click('#stop');
    assert.equal(await stopped, 'stopped');
    await page.waitForFunction(async () =>
      (await lvlApp.client.call('get', 'title').catch(() => '')) === 'Mine');
  });

  await test('200 levels opened and closed take no more memory', async () => {
    await fresh();
    const names = ['hill-v4.level', 'hill-v1.level', 'cliffs.wwd', 'lake_village.nw'];
    const files = {'hill-v4.level': sample('sketchy/hill-v4.level'),
      'hill-v1.level': sample('sketchy/hill-v1.level'),
      'cliffs.wwd': sample('wwd/cliffs.wwd'), 'lake_village.nw': sample('graal/lakeside/lake_village.nw'),
        'pics1.png': sample('graal/pics1.png')};
    await drop(files, 'lake_village.nw');
    const open = (list, count) => value(async (some, n) => {
      for (let i = 0; i < n; i++) await lvlApp.openPath(some[i % some.length], {push: false});
      for (let i = 0; i < 3; i++) gc();
      return [await lvlApp.client.call('memory'), performance.memory.usedJSHeapSize, lvlApp.sessions.size];
    }, list, count);
    await open(names, 40);
    const before = await open(names, 20);
    const after = await open(names, 200);
    assert.equal(after[0], before[0], 'memory of lvl.wasm');
    assert.ok(after[1] < before[1] + 3e6, `JavaScript: ${before[1]} then ${after[1]} bytes`);
    assert.equal(after[2], 1);
  });

  await test('no request leaves the page', async () => {
    await fresh();
    const outside = requests.filter(r => !/^(file|blob|about|data):/.test(r));
    assert.deepEqual(outside, []);
    const refused = await value(() => fetch('https://example.invalid/').then(() => false, () => true));
    assert.ok(refused);
    const blocked = await value(() => new Promise(done => {
      addEventListener('securitypolicyviolation', event => done(event.effectiveDirective), {once: true});
      document.body.append(Object.assign(new Image(), {src: 'https://example.invalid/x.png'}));
    }));
    assert.equal(blocked, 'img-src');
    await new Promise(done => { setTimeout(done, 100); });
    assert.ok(errors.splice(0).every(text =>
      /Content Security Policy|Failed to|Refused|Connecting|Loading/i.test(text)));
  });

  await test('from a server: the modules as they are, and without the server after that', async () => {
    /* What the service worker keeps at the first visit is all of the page. */
    const [, kept] = /const files = (\[[^\]]*\])/.exec(readFileSync(join(web, 'viewer/sw.js'), 'utf8'));
    const modules = readdirSync(join(web, 'viewer')).filter(name => /\.(js|css)$/.test(name) && name !== 'sw.js');
    assert.deepEqual(modules.filter(name => !kept.includes(`'${name}'`)), []);
    const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
      '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json',
      '.json': 'application/json'};
    let isUpdated = true; /* also the texts */
    const server = createServer((request, response) => {
      const path = join(web, new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html'));
      try {
        response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
        const content = readFileSync(path);
        response.end(isUpdated || !path.endsWith('lvl-texts.json') ? content : String(content).replace('"build":"', '"build":"0'));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise(done => { server.listen(0, '127.0.0.1', done); });
    const home = `http://127.0.0.1:${server.address().port}/viewer/`;
    await page.goto(home);
    await page.waitForSelector('body.ready');
    await saveIntoHandles();
    await page.goto('about:blank');
    await page.goto(home);
    await page.waitForSelector('body.ready');
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    await value(() => navigator.serviceWorker.ready.then(() => undefined));
    /* It can be installed, and opens the files of its types. */
    const {data, errors: faults} = await devtools.send('Page.getAppManifest');
    assert.deepEqual(faults, []);
    const [handler] = JSON.parse(data).file_handlers;
    assert.deepEqual(handler.accept['application/x-wwd'], ['.wwd', '.wms']);
    const {installabilityErrors} = await devtools.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors.map(one => one.errorId).filter(id => id !== 'in-incognito'), []);
    /* During an update it does without the texts of the version before. */
    for (const [now, told] of [[false, /^Explanations .* are missing/], [true, /^$/]]) {
      isUpdated = now;
      await page.goto('about:blank');
      await page.goto(home);
      await page.waitForSelector('body.ready');
      assert.match(await page.$eval('#notice', node => node.textContent), told);
      assert.equal(await value(() => lvlApp.kinds.get('wwd.header.cut').meaning !== ''), now);
    }
    server.closeAllConnections();
    await new Promise(done => { server.close(done); });
    await page.goto('about:blank');
    await page.goto(home);
    await page.waitForSelector('body.ready');
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    const doc = lvl.open(sample('sketchy/hill-v4.level'), 'hill-v4.level');
    await compareCanvas(doc);
    doc.close();
    /* What the system opens with the installed page; its handles are kept as recent files. */
    const launch = await page.evaluateOnNewDocument(() => {
      Object.defineProperty(globalThis, 'launchQueue', {value: {setConsumer: run => { globalThis.launched = run; }}});
    });
    await page.goto('about:blank');
    await page.goto(home);
    await page.waitForSelector('body.ready');
    await value(async () => {
      const store = await navigator.storage.getDirectory();
      launched({files: [await store.getFileHandle('hill-v4.level')]});
    });
    await shown('hill-v4.level');
    assert.equal(await value(() => lvlApp.list[0].root.kind), 'file');
    await page.removeScriptToEvaluateOnNewDocument(launch.identifier);
    await page.goto('about:blank');
    await page.goto(home);
    await page.waitForSelector('#recentList button');
    await click('#recentList button');
    await shown('hill-v4.level');
    assert.equal(await value(() => lvlApp.list[0].root.kind), 'file', 'the handle was kept');
    errors.length = 0; /* the browser reports that the server is gone */
  });
  assert.ok(tests > 0, 'no such test');
  console.log(`viewer: ${tests} tests passed`);
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
