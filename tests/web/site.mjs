/*
 * The project's site: each link leads to a file and an anchor that are there, each page has a strict policy that nothing
 * violates, the viewer opens a sample, the gallery opens a level.
 * Usage: node site.mjs SITE CHROMIUM FOLDER, where FOLDER has node_modules with puppeteer-core and axe-core.
 */
import assert from 'node:assert/strict';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {extname, join, posix, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [, , site, chromium, folder] = process.argv;
const require = createRequire(resolve(folder, 'package.json'));
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
const axe = readFileSync(require.resolve('axe-core'), 'utf8');

const pages = readdirSync(site, {recursive: true}).map(path => path.replaceAll('\\', '/')).filter(path => path.endsWith('.html'));
const texts = new Map(pages.map(path => [path, readFileSync(join(site, path), 'utf8')]));
const docs = pages.filter(path => !/^(viewer|samples)\//.test(path));
assert.ok(docs.length > 50, 'guides, formats and commands');
const bad = [];
for (const [path, text] of texts) {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
  if (!policy.startsWith("default-src 'none';") || /unsafe-(inline|eval)/.test(policy.replaceAll("'wasm-unsafe-eval'", ''))
    || /https?:/.test(policy)) bad.push(`${path}: policy "${policy}"`);
}
for (const path of docs) {
  const text = texts.get(path);
  if (/ style="|<script|<style|\son\w+="/.test(text)) bad.push(`${path}: has a style or a script of its own`);
  for (const [, , to] of text.matchAll(/(href|src)="([^"]*)"/g)) {
    if (/^(https?|mailto):/.test(to)) continue;
    const [file, anchor] = to.replaceAll('&amp;', '&').split('#');
    const full = file ? posix.join(posix.dirname(path), decodeURIComponent(file)) : path;
    if (!existsSync(join(site, full))) bad.push(`${path}: ${to} is missing`);
    else if (anchor && texts.has(full) && !texts.get(full).includes(`id="${decodeURIComponent(anchor)}"`)) bad.push(`${path}: ${to} has no such place`);
  }
}
assert.deepEqual(bad, []);

const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.png': 'image/png',
  '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json', '.json': 'application/json'};
const server = createServer((request, response) => {
  const path = join(site, decodeURIComponent(new URL(request.url, 'http://x').pathname).replace(/\/$/, '/index.html'));
  try {
    response.setHeader('Content-Type', types[extname(path)] ?? 'text/plain');
    response.end(readFileSync(path));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise(done => { server.listen(0, '127.0.0.1', done); });
const home = `http://127.0.0.1:${server.address().port}/`;
const scratch = mkdtempSync(`${tmpdir()}/lvl-site-`);
const browser = await puppeteer.launch({executablePath: chromium, headless: true, userDataDir: `${scratch}/profile`,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']});
try {
  const page = await browser.newPage();
  const errors = [];
  const outside = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('request', request => { if (!request.url().startsWith(home) && !/^(blob|data|about):/.test(request.url())) outside.push(request.url()); });
  for (const path of ['index.html', 'docs/index.html', 'docs/formats/wwd.html', 'docs/man/lvl-view.html', 'docs/graal.html', 'docs/catalogue.html']) {
    for (const [width, scheme] of [[1400, 'light'], [390, 'dark']]) {
      await page.setViewport({width, height: 844});
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      await page.goto(home + path);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} fits into ${width} px`);
      if (width < 500) {
        const wide = await page.$$eval('pre', all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent.slice(0, 60)));
        assert.deepEqual(wide, [], `${path}: lines of code fit into ${width} px`);
      }
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await globalThis.axe.run({preload: false})).violations
        .map(one => [one.id, one.nodes[0].html]));
      assert.deepEqual(found, [], `${path}, ${scheme}`);
    }
  }
  await page.setViewport({width: 1280, height: 800});
  await page.goto(home);
  await Promise.all([page.waitForNavigation(), page.click('nav a.open')]);
  await page.waitForSelector('body.ready');
  await page.click('[data-sample=graal]');
  await page.waitForFunction(() => lvlApp.path === 'lakeside/lakeside.gmap' && lvlApp.map.complete);
  const devtools = await page.createCDPSession();
  const {installabilityErrors} = await devtools.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors.map(one => one.errorId).filter(id => id !== 'in-incognito'), []);
  await page.goto(`${home}samples/index.html`);
  await page.waitForSelector('a.level img');
  await page.type('#query', 'hill-v4');
  await page.waitForFunction(() => document.querySelector('#count').textContent !== 'Searching …'
    && [...document.querySelectorAll('a.level')].every(card => card.textContent.includes('hill-v4')));
  await Promise.all([page.waitForNavigation(), page.click('a.level')]);
  await page.waitForSelector('a.open');
  await Promise.all([page.waitForNavigation(), page.click('a.open')]);
  await page.waitForFunction(() => globalThis.lvlApp?.doc?.format === 'sketchy' && lvlApp.map.complete);
  /* A link into a site keeps place, zoom and thing, and asks for no file. */
  await page.evaluate(() => {
    lvlApp.map.goTo(90, 60, 2);
    lvlApp.select(lvlApp.doc.scene.things.find(one => one.path === 'actors[1]'));
  });
  await page.waitForFunction(() => /@\d+,-?\d+,2&thing=actors%5B1%5D$/.test(location.hash));
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForFunction(() => globalThis.lvlApp?.selected === 'actors[1]' && lvlApp.map.complete);
  assert.deepEqual(await page.evaluate(() => [lvlApp.map.x, lvlApp.map.y, lvlApp.map.zoom]), [90, 60, 2]);
  assert.deepEqual(errors, []);
  assert.deepEqual(outside, []);
  console.log(`site: ${texts.size} pages, all links and policies hold; the viewer and the gallery work`);
} finally {
  await browser.close();
  server.close();
  rmSync(scratch, {recursive: true, force: true});
}
