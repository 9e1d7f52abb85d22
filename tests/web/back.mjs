/*
 * One press of Back undoes one step of the user, on each way through the pages: sites of `lvl view --site', pages
 * of one file, the viewer itself, from the disk and from a server with its service worker. In a site each page is a
 * document of its own; in the viewer, the gallery and each level are an entry of the history.
 * Usage: node back.mjs LVL PAGE CHROMIUM FOLDER SAMPLES [WHAT], where FOLDER has node_modules with puppeteer-core.
 * WHAT: only walks whose names contain it. TALK=1: says each step.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {openPage} from './browser.mjs';
import {click} from './still.mjs';

const [, , command, viewer, chromium, folder, samples, only = ''] = process.argv;
const {browser, page, devtools, errors, scratch} = await openPage(chromium, folder, 'back', {width: 1280, height: 800});
const lvl = (...args) => execFileSync(command, args, {env: {...process.env, LVL_ART: ''}});
const lakeside = join(samples, 'graal/lakeside');
const world = Object.fromEntries(readdirSync(lakeside).filter(name => /\.(nw|gmap|graal|png)$/.test(name))
  .map(name => [`lakeside/${name}`, readFileSync(join(lakeside, name)).toString('base64')]));
const wait = ms => new Promise(done => { setTimeout(done, ms); });
const failures = [];
let count = 0;

/* Between two pages there may be no answer. */
const inPage = run => Promise.race([wait(3000), devtools.send('Runtime.evaluate', {expression: `(${run})()`,
  returnByValue: true}).then(({result}) => result.value, () => undefined)]);

/* What is shown: the level that is open, the gallery, or the name of another page. */
const shown = () => inPage(() => {
  if (!globalThis.lvlApp) return location.pathname.split('/').pop();
  if (!document.body.matches('.ready')) return undefined;
  if (lvlApp.gallery.shown) return 'gallery';
  if (!lvlApp.doc) return 'empty';
  return lvlApp.map.scene && lvlApp.map.complete ? lvlApp.path : undefined;
});

async function sees(wanted, what) {
  const until = Date.now() + 60000;
  let now;
  while (Date.now() < until && (now = await shown()) !== wanted) await wait(30);
  assert.equal(now, wanted, what);
}

/*
 * Each step is [NAME, what it does, what is shown then]. After the last one, Back is pressed once for each, `pause` ms
 * after the map moved. What gives 'no step' is not one that Back undoes.
 */
async function walk(name, steps, pause = 0) {
  if (!name.includes(only)) return;
  count++;
  const seen = [];
  try {
    for (const [what, run, wanted] of steps) {
      if (process.env.TALK) console.log(name, what);
      const result = await run();
      await sees(wanted, what);
      if (result !== 'no step') seen.push(wanted);
    }
    for (let i = seen.length - 2; i >= 0; i--) {
      /* The place in the address follows the map a little later. */
      await inPage(() => { globalThis.lvlApp?.map?.pan?.(7, 5); });
      await wait(pause);
      if (process.env.TALK) console.log(name, 'Back to', seen[i]);
      await inPage(() => { setTimeout(() => history.back()); });
      await sees(seen[i], `Back from ${seen[i + 1]}`);
      await wait(pause ? 500 : 50);
      assert.equal(await shown(), seen[i], `after Back from ${seen[i + 1]}`);
    }
    assert.deepEqual(errors.splice(0).filter(text => !/Failed to load resource/.test(text)), []);
  } catch (error) {
    failures.push(name);
    console.error(`back: ${name}: ${error.stack}`);
    errors.splice(0);
  }
}

const at = (address, wanted) => [address, () => page.goto(address).then(() => {}), wanted];
/* The page without a level is no step. */
const viewerAt = address => [address, async () => {
  await page.goto(address);
  await page.waitForSelector('body.ready');
  return 'no step';
}, 'empty'];
const clickOn = (selector, wanted) => [`click on ${selector}`, () => click(page, selector), wanted];
const isNoStep = (what, run, wanted) => [what, () => run().then(() => 'no step'), wanted];
const filesIn = async list => {
  await lvlApp.addFiles(list.map(([path, text]) =>
    ({path, file: Uint8Array.from(atob(text), c => c.charCodeAt(0))})));
};
const drop = (files, wanted) => ['files are dropped', () => page.evaluate(filesIn, Object.entries(files)), wanted];
const tab = (name, wanted) => isNoStep(`the tab ${name}`, () => click(page, `#tab-${name}`), wanted);
/* The click is not in the answer, which the next page would lose. */
const card = (text, wanted) => [`the card ${text}`, async () => {
  const found = await page.waitForFunction(one =>
    [...document.querySelectorAll('a.level')].find(node => node.textContent.includes(one)), {}, text);
  await found.evaluate(node => { setTimeout(() => node.click()); });
}, wanted];
const link = (target, wanted) => [`the link to ${target}`, () => page.evaluate(async one => {
  await lvlApp.followLink(lvlApp.map.scene.links.find(found => found.target === one));
}, target), wanted];
const some = (...names) => Object.fromEntries(Object.entries(world).filter(([path]) =>
  names.includes(path.split('/').pop())));

/* The viewer as it is served, with its service worker. */
const web = fileURLToPath(new URL('../../web/', import.meta.url));
const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json', '.json': 'application/json', '.png': 'image/png'};
const server = createServer((request, response) => {
  const {pathname} = new URL(request.url, 'http://x');
  const [, from, rest] = /^\/(site|web)\/(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
  try {
    const path = join(from === 'site' ? `${scratch}/site` : web, rest.replace(/(^|\/)$/, '$1index.html'));
    const bytes = readFileSync(path);
    response.setHeader('Content-Type', types[extname(path)] ?? 'text/plain');
    response.end(bytes);
  } catch {
    const html = {'Content-Type': 'text/html'};
    response.writeHead(rest === undefined ? 200 : 404, html).end('<!doctype html><title>Start</title>');
  }
});
await new Promise(done => { server.listen(0, '127.0.0.1', done); });
const home = `http://127.0.0.1:${server.address().port}`;

try {
  const cliffs = join(samples, 'wwd/cliffs.wwd');
  lvl('view', '--site', lakeside, cliffs, '--page', viewer, '-q', '-o', `${scratch}/site`);
  lvl('view', lakeside, '--page', viewer, '-q', '-o', `${scratch}/world.html`);
  writeFileSync(`${scratch}/start.html`, '<!doctype html><title>Start</title>');
  const start = pathToFileURL(`${scratch}/start.html`).href;
  const sites = {'from the disk': [start, 'start.html', pathToFileURL(`${scratch}/site/`).href],
    'from a server': [`${home}/start.html`, 'start.html', `${home}/site/`]};
  const lake = name => `lakeside/lake_${name}.nw`;
  for (const [where, [outside, name, site]] of Object.entries(sites)) {
    const toLevel = (text, opened) => [at(outside, name), at(`${site}index.html`, 'index.html'),
      card(text, 'level.html'), clickOn('a.open', opened)];
    for (const pause of [0, 200, 420])
      await walk(`a site ${where}, Back ${pause} ms after the map moved`,
        [...toLevel('cliffs', 'cliffs.wwd'), tab('things', 'cliffs.wwd')], pause);
    const before = 'lakeside/lakeside_bigmap.txt';
    await walk(`a site ${where}, the neighbour`,
      [...toLevel('cliffs', 'cliffs.wwd'), clickOn('#sitePrevious', before), tab('info', before)]);
    let address;
    await walk(`a site ${where}, a link of its map`, [...toLevel('lakeside.gmap', 'lakeside/lakeside.gmap'),
      isNoStep('its address', async () => { address = page.url(); }, 'lakeside/lakeside.gmap'),
      link('lake_woods.nw', lake('woods')), tab('things', lake('woods'))]);
    const place = `${address?.replace(/#.*/, '')}#lakeside/lakeside.gmap@600,500,1`;
    await walk(`a site ${where}, a link of its map, from a link to a place`,
      [at(outside, name), at(place, 'lakeside/lakeside.gmap'), tab('things', 'lakeside/lakeside.gmap')]);
  }
  await walk('a page of one world', [at(start, 'start.html'),
    at(pathToFileURL(`${scratch}/world.html`).href, 'lakeside/lakeside.gmap'),
    link('lake_woods.nw', lake('woods')), tab('things', lake('woods'))]);
  const served = [`${home}/start.html`, `${home}/web/viewer/`];
  const viewers = {'of one file': [start, pathToFileURL(resolve(viewer)).href], served,
    'served by its service worker': served};
  for (const [what, [outside, address]] of Object.entries(viewers)) {
    const begin = [at(outside, 'start.html'), viewerAt(address)];
    const levels = some('lake_woods.nw', 'lake_meadow.nw', 'lake_mill.nw');
    if (/worker/.test(what)) {
      /* Only a page of its own waits for it; another one would wait for ever. */
      await page.goto(address);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    }
    await walk(`the viewer ${what}, from the gallery`, [...begin, drop(levels, 'gallery'),
      card('lake_mill.nw', lake('mill')), tab('things', lake('mill'))]);
    await walk(`the viewer ${what}, from the map`, [...begin, drop(world, 'lakeside/lakeside.gmap'),
      link('lake_woods.nw', lake('woods')), tab('record', lake('woods')), clickOn('#siteBack', 'gallery'),
      card('lake_mill.nw', lake('mill'))]);
    await walk(`the viewer ${what}, from a link to a place`, [at(outside, 'start.html'),
      viewerAt(`${address}#${lake('mill')}@100,100,1`), drop(levels, lake('mill')), clickOn('#siteNext', lake('woods'))]);
    /* What was there before the other files cannot be shown again. */
    await walk(`the viewer ${what}, other files`, [...begin,
      isNoStep('the first files', () => page.evaluate(filesIn, Object.entries(levels)), 'gallery'),
      drop(some('frost_pass.graal'), 'lakeside/frost_pass.graal')]);
    await walk(`the viewer ${what}, the arrival of a link is chosen`, [...begin, drop(levels, 'gallery'),
      card('lake_mill.nw', lake('mill')), isNoStep('a place is chosen', () => page.evaluate(async () => {
        await lvlApp.chooseArrival(lvlApp.map.scene.links.find(one => one.target === 'lake_meadow.nw'));
        await lvlApp.picking([200, 200]);
      }), lake('mill'))]);
  }
  assert.deepEqual(failures, []);
  console.log(`back: ${count} walks, one press of Back each`);
} finally {
  server.close();
  server.closeAllConnections();
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
