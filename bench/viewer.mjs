/*
 * The viewer in Chromium, in milliseconds: from the drop of a file to its whole picture, and from a changed field to
 * the redrawn picture, each beside decoding alone (`open' of lvl.js in Node); frames a second while the map moves at
 * 1:1, beside those of a page that does nothing. In brackets: the processor time of the worker (of worker and page, for an
 * edit; of the page, for a frame), which on a machine with other work is what the page itself takes.
 * Usage: node bench/viewer.mjs [FILE...] (needs `make web' and `npm ci --prefix web/viewer'). Files that belong
 * together (a level and its art) are joined by "+", the level first. LVL_PAGE names another page than build/viewer/lvl.html. Without
 * files: a WWD of 1500 x 1500 tiles with art and a drawing, made from the samples, and a world of 500 different levels of the
 * corpus (LVL_CORPUS; without it, of the samples) with its map. WORLD=1: only that. LEVELS=500: so many different levels of the corpus,
 * LEVELS=all: each, LEVELS=TEXT: each whose path contains the text; one after the other in one page: first picture, edit redrawn, a frame of a pan; median, worst, and how many take longer
 * than the aim, by the clock and by the processor time of the page's process, all its threads.
 */
import {createHash} from 'node:crypto';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
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

/* Different levels of the corpus (LVL_CORPUS), by content: [bytes]. Without a corpus, copies of the samples. */
function levels(count) {
  const folder = process.env.LVL_CORPUS && `${process.env.LVL_CORPUS}/graal/nw`;
  const names = ['lake_village.nw', 'lake_woods.nw', 'lake_shore.nw', 'lake_meadow.nw'];
  if (!folder || !existsSync(folder)) return Array.from({length: count}, (_, i) => sample(`graal/lakeside/${names[i % 4]}`));
  const found = new Map();
  for (const path of readdirSync(folder, {recursive: true}).filter(name => name.endsWith('.nw')).sort()) {
    const bytes = readFileSync(`${folder}/${path}`);
    found.set(createHash('sha256').update(bytes).digest('hex'), bytes);
    if (found.size === count) break;
  }
  return [...found.values()];
}

/* Paths of so many different levels of the corpus of all families, or of all, or of those with this text in it. */
function someLevels(count) {
  const seen = new Set();
  const all = readdirSync(process.env.LVL_CORPUS, {recursive: true}).filter(name => /\.(nw|graal|zelda|wwd|level)$/i.test(name)).sort()
    .map(name => `${process.env.LVL_CORPUS}/${name}`).filter(path => {
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      return !seen.has(hash) && seen.add(hash);
    });
  if (!+count) return count === 'all' ? all : all.filter(path => path.includes(count));
  return Array.from({length: Math.min(count, all.length)}, (_, i) => all[Math.floor(i * all.length / count)]);
}

/* 25 x 20 levels with their map. */
function world() {
  const files = {'big.gmap': null, 'pics1.png': sample('graal/pics1.png')};
  const some = levels(500);
  const rows = [];
  for (let y = 0; y < 20; y++) {
    rows.push(Array.from({length: 25}, (_, x) => `"l${x}_${y}.nw"`).join(','));
    for (let x = 0; x < 25; x++) files[`l${x}_${y}.nw`] = some[(y * 25 + x) % some.length];
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

/* Moves the first thing by its smallest step, or renames a level without things; in the page. Milliseconds until it is drawn; NaN: refused. */
async function editInPage() {
  globalThis.editing = null;
  if (!lvlApp.doc.can.includes('write') || !lvlApp.map.scene) return NaN;
  const thing = lvlApp.doc.scene.things.find(one => one.path);
  const record = thing && await lvlApp.client.call('get', thing.path);
  const change = record?.point ? `${thing.path}.point.x+=1` : typeof record?.x === 'number' ? `${thing.path}.x+=1` : 'title=n';
  const {scene} = lvlApp.map;
  let failed = false;
  const start = performance.now();
  globalThis.editing = lvlApp.edit([change], 'edit').then(done => { failed = !done; });
  while (!failed && (lvlApp.map.scene === scene || !lvlApp.map.complete)) await new Promise(requestAnimationFrame);
  return failed ? NaN : performance.now() - start;
}

async function survey(count) {
  const page = await browser.newPage();
  const devtools = await browser.target().createCDPSession();
  /* Of all processes of pages: there is one at work. */
  const spent = async () => (await devtools.send('SystemInfo.getProcessInfo')).processInfo
    .filter(({type}) => type === 'renderer').reduce((sum, {cpuTime}) => sum + cpuTime * 1000, 0);
  await page.setViewport({width: 1400, height: 900});
  await page.goto(pathToFileURL(process.env.LVL_PAGE ?? `${top}/build/viewer/lvl.html`).href);
  await page.waitForSelector('body.ready');
  await page.evaluate(() => { globalThis.confirm = () => true; });
  const found = [];
  for (const path of someLevels(count)) {
    const row = {path};
    const step = async (name, run, ...args) => {
      const before = await spent();
      row[name] = await page.evaluate(run, ...args).catch(() => NaN);
      row[`${name} cpu`] = await spent() - before;
    };
    const base64 = readFileSync(path).toString('base64');
    await page.evaluate((name, text) => {
      globalThis.given = [{path: name, file: new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))])}];
    }, basename(path), base64);
    await step('first', async () => {
      const start = performance.now();
      await lvlApp.addFiles(given);
      if (lvlApp.path !== given[0].path) return NaN;
      while (!lvlApp.map.complete && lvlApp.map.scene) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });
    if (Number.isNaN(row.first)) continue; /* damaged beyond reading */
    await new Promise(resolve => { setTimeout(resolve, 200); });
    await step('edit', editInPage);
    await page.evaluate(() => editing);
    await page.evaluate(() => { lvlApp.map.goTo(lvlApp.map.x, lvlApp.map.y, 1); });
    await page.waitForFunction(() => lvlApp.map.complete || !lvlApp.map.scene);
    await step('pan', async () => {
      let worst = 0;
      for (let i = 0, last = performance.now(); i < 20; i++) {
        lvlApp.map.pan(16, 4);
        const now = await new Promise(requestAnimationFrame);
        worst = Math.max(worst, now - last);
        last = now;
      }
      return worst;
    });
    row['pan cpu'] /= 20;
    found.push(row);
    if (process.env.TALK) console.log(JSON.stringify(row));
  }
  await page.close();
  console.log(`${found.length} levels`);
  console.log(['', 'median', 'worst', 'over', 'aim', ' worst of'].map((text, i) => text.padStart(i ? 8 : 12)).join(' '));
  for (const [name, aim] of [['first', 1000], ['edit', 100], ['pan', 100]]) {
    for (const key of [name, `${name} cpu`]) {
      const rows = found.filter(row => row[key] >= 0).sort((a, b) => a[key] - b[key]);
      const worst = rows.at(-1);
      console.log([key.padStart(12), ...[rows[rows.length >> 1]?.[key].toFixed(0), worst?.[key].toFixed(0), rows.filter(row => row[key] > aim).length, aim]
        .map(text => String(text).padStart(8)), ` ${worst && basename(worst.path)}`].join(' '));
    }
  }
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

async function table() {
  const sets = given.map(group => Object.fromEntries(group.split('+').map(path => [basename(path), readFileSync(path)])));
  if (!sets.length && process.env.WORLD) sets.push(world());
  if (!sets.length) sets.push(large(), world(), {'hill-v4.level': sample('sketchy/hill-v4.level')});
  console.log(['level'.padEnd(36), 'px'.padStart(15), 'decode ms', '    first ms', '   edit ms', '    moving', '  idle'].join(' '));
  for (const files of sets) await measure(files);
}

try {
  await (process.env.LEVELS ? survey(process.env.LEVELS) : table());
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
