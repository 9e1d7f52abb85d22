/*
 * The viewer in Chromium, in milliseconds: from the drop of a file to its whole picture, and from a changed field to
 * the redrawn picture, each beside decoding alone (`open' of lvl.js in Node); frames a second while the map moves at
 * 1:1, beside those of a page that does nothing. In brackets: the processor time of the worker (of worker and page, for an
 * edit; of the page, for a frame), which on a machine with other work is what the page itself takes.
 * Usage: node bench/viewer.mjs [FILE...] (needs `make web' and `npm ci --prefix web/viewer'). Files that belong
 * together (a level and its art) are joined by "+", the level first. LVL_PAGE names another page than build/viewer/lvl.html. Without files: made from the samples, a WWD of
 * 1500 x 1500 tiles with art, a drawing, and a world of 500 levels with its map.
 */
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {basename} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {load} from '../web/lvl.js';

const top = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(`${top}/web/viewer/package.json`);
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
const given = process.argv.slice(2);
const scratch = mkdtempSync(`${tmpdir()}/lvl-bench-`);
const lvl = await load();
const browser = await puppeteer.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
  userDataDir: `${scratch}/profile`,
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']});

/* Frames a second over two seconds, in each of which `step` runs. */
const frames = (page, step) => page.evaluate(async source => {
  const move = new Function('i', source);
  let count = 0;
  const start = performance.now();
  while (performance.now() - start < 2000) {
    await new Promise(requestAnimationFrame);
    move(count++);
  }
  return count / 2;
}, step);

/* What `run' gives, and the processor time in ms that the worker and the page took meanwhile. */
async function timed(page, run) {
  await page.tracing.start({categories: ['toplevel', 'devtools.timeline']});
  const value = await run();
  const {traceEvents} = JSON.parse(Buffer.from(await page.tracing.stop()).toString());
  const names = new Map(traceEvents.filter(e => e.name === 'thread_name').map(e => [`${e.pid}/${e.tid}`, e.args.name]));
  const spent = {};
  for (const {name, ph, pid, tid, tdur = 0} of traceEvents) {
    const thread = names.get(`${pid}/${tid}`);
    if (ph === 'X' && /RunTask$/.test(name)) spent[thread] = (spent[thread] ?? 0) + tdur / 1000;
  }
  return {value, worker: spent['DedicatedWorker thread'] ?? 0, page: spent.CrRendererMain ?? 0};
}

const sample = path => readFileSync(`${top}/samples/${path}`);

/* 1500 x 1500 tiles with art, and 1,445 objects: the sample's, again and again. */
function large() {
  const from = lvl.open(sample('wwd/cliffs.wwd'), 'cliffs.wwd');
  const made = lvl.open(lvl.create('wwd', {width: 1500, height: 1500, like: from}), 'large.wwd');
  const main = made.scene().layers.findIndex(layer => layer.main);
  const {width, height, rows} = from.getAll(`planes[${main}].tiles`)[0].value;
  const objects = from.getAll(`planes[${main}].objects[*]`).map(one => one.value);
  const tiles = Array.from({length: 1500}, (_, y) => Array.from({length: 1500 / width}, () => rows[y % height]).join(' '));
  const many = Array.from({length: 17}, (_, i) => objects.map(one =>
    ({...one, id: i * 1000 + one.id, x: one.x + i * width * 64, y: one.y + i * height * 64}))).flat();
  made.set([`planes[${main}].tiles[0,0 1499,1499]=${JSON.stringify(tiles)}`, `planes[${main}].objects=${JSON.stringify(many)}`]);
  return {'large.wwd': made.save(), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')};
}

/* 25 x 20 levels, each a copy of one of the samples, with their map. */
function world() {
  const names = ['lake_village.nw', 'lake_woods.nw', 'lake_shore.nw', 'lake_meadow.nw'];
  const files = {'big.gmap': null, 'pics1.png': sample('graal/pics1.png')};
  const rows = [];
  for (let y = 0; y < 20; y++) {
    rows.push(Array.from({length: 25}, (_, x) => `"l${x}_${y}.nw"`).join(','));
    for (let x = 0; x < 25; x++) files[`l${x}_${y}.nw`] = sample(`graal/lakeside/${names[(x + y) % 4]}`);
  }
  files['big.gmap'] = Buffer.from(`GRMAP001\nWIDTH 25\nHEIGHT 20\nLEVELNAMES\n${rows.join('\n')}\nLEVELNAMESEND\n`);
  return files;
}

/* The smallest of a few times: what the work takes when nothing else runs. */
function decoding(files) {
  const [[name, bytes]] = Object.entries(files);
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    const doc = lvl.open(bytes, name, {files, art: []});
    doc.dump({kept: false});
    doc.close();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

async function measure(files) {
  const [name] = Object.keys(files);
  const page = await browser.newPage();
  await page.setViewport({width: 1400, height: 900});
  await page.goto(pathToFileURL(process.env.LVL_PAGE ?? `${top}/build/viewer/lvl.html`).href);
  await page.waitForSelector('body.ready');
  const idle = await frames(page, '');
  await page.evaluate(list => {
    globalThis.given = list.map(([path, base64]) =>
      ({path, file: new Blob([Uint8Array.from(atob(base64), c => c.charCodeAt(0))])}));
  }, Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]));
  const first = await timed(page, () => page.evaluate(async () => {
    const start = performance.now();
    await lvlApp.addFiles(given);
    while (!lvlApp.map.complete) await new Promise(requestAnimationFrame);
    return performance.now() - start;
  }));
  const {width, height} = await page.evaluate(() => lvlApp.map.scene);
  await page.evaluate((x, y) => lvlApp.map.goTo(x, y, 1), width / 2, height / 2);
  await page.waitForFunction(() => lvlApp.map.complete);
  /* The first thing is moved by its smallest step, or a level without things is renamed; the best of three. */
  const path = await page.evaluate(async () => {
    if (!lvlApp.doc.can.includes('write')) return null;
    const thing = lvlApp.doc.scene.things.find(one => one.path);
    if (!thing) return lvlApp.doc.format === 'gmap' ? 'map_image' : 'title';
    const record = await lvlApp.client.call('get', thing.path);
    lvlApp.select(thing, {centre: true});
    while (!lvlApp.map.complete) await new Promise(requestAnimationFrame);
    return record.point ? `${thing.path}.point.x` : `${thing.path}.x`;
  });
  const edits = [];
  for (let i = 0; path && i < 3; i++) {
    await new Promise(resolve => { setTimeout(resolve, 400); });
    edits.push(await timed(page, () => page.evaluate(async change => {
      const {scene} = lvlApp.map;
      let failed = false;
      const start = performance.now();
      globalThis.editing = lvlApp.edit([change], 'edit').then(made => { failed = !made; });
      while (!failed && (lvlApp.map.scene === scene || !lvlApp.map.complete)) await new Promise(requestAnimationFrame);
      return failed ? NaN : performance.now() - start;
    }, /\.x$/.test(path) ? `${path}+=1` : `${path}=n${i}.png`)));
    await page.evaluate(() => editing);
  }
  const edit = [Math.min(...edits.map(one => one.value)), Math.min(...edits.map(one => one.worker + one.page))];
  await page.evaluate((x, y) => lvlApp.map.goTo(x, y, 1), width / 2, height / 2);
  await page.waitForFunction(() => lvlApp.map.complete);
  const moving = await timed(page, () => frames(page, `lvlApp.map.goTo(${width / 2} + i * 16, ${height / 2} + i * 4, 1)`));
  await page.close();
  const decode = decoding(files);
  const shown = [basename(name).slice(0, 36).padEnd(36), `${width} x ${height}`.padStart(15), decode.toFixed(0).padStart(9),
    `${first.value.toFixed(0)} (${first.worker.toFixed(0)})`.padStart(12), `${edit[0].toFixed(0)} (${edit[1].toFixed(0)})`.padStart(10),
    `${moving.value.toFixed(0)} (${(moving.page / moving.value / 2).toFixed(1)})`.padStart(10), idle.toFixed(0).padStart(6)];
  console.log(shown.join(' '));
}

try {
  const sets = given.map(group => Object.fromEntries(group.split('+').map(path => [basename(path), readFileSync(path)])));
  if (!sets.length) sets.push(large(), world(), {'hill-v4.level': sample('sketchy/hill-v4.level')});
  console.log(['level'.padEnd(36), 'px'.padStart(15), 'decode ms', '    first ms', '   edit ms', '    moving', '  idle'].join(' '));
  for (const files of sets) await measure(files);
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
