/*
 * Pages that `lvl view' writes, in Chromium: each opens its level by itself and shows what `lvl render'
 * draws.
 * Usage: node view.mjs LVL PAGE CHROMIUM FOLDER SAMPLES, where FOLDER has node_modules with puppeteer-core.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {pixels} from './png.mjs';

const [, , command, viewer, chromium, folder, samples] = process.argv;
const require = createRequire(resolve(folder, 'package.json'));
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
const out = mkdtempSync(`${tmpdir()}/lvl-view-`);
const lvl = (...args) =>
  execFileSync(command, args, {maxBuffer: 1 << 28, env: {...process.env, LVL_ART: ''}});
const browser = await puppeteer.launch({executablePath: chromium, headless: true,
  userDataDir: `${out}/profile`,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update', '--disable-sync']});

/* What is viewed; and art that is given, for a copy of the level that lies elsewhere. */
const cases = [['wwd/cliffs.wwd'], ['wwd/cliffs.wwd', 'wwd/SAMPLES.REZ'], ['sketchy/hill-v4.level'],
  ['graal/lakeside/lake_village.nw'], ['graal/lakeside'], ['sketchy/walk.levelpack//levels/hill.level']];
const errors = [];
let count = 0;
try {
  for (const [name, art] of cases) {
    const page = `${out}/${count}.html`, file = art ? `${out}/levels/${name}` : `${samples}/${name}`;
    if (art) {
      mkdirSync(resolve(file, '..'), {recursive: true});
      copyFileSync(`${samples}/${name}`, file);
    }
    const given = art ? ['--art', `${samples}/${art}`] : [];
    lvl('view', file, ...given, '--page', viewer, '-q', '-o', page);
    const tab = await browser.newPage();
    const outside = [];
    tab.on('request', request => { if (!/^(file|blob|data|about):/.test(request.url())) outside.push(request.url()); });
    tab.on('pageerror', error => errors.push(`${name}: ${error.message}`));
    tab.on('console', message => { if (message.type() === 'error') errors.push(`${name}: ${message.text()}`); });
    await tab.setViewport({width: 1280, height: 800});
    await tab.goto(pathToFileURL(page).href);
    await tab.waitForFunction(() => lvlApp.doc && lvlApp.map.scene && lvlApp.map.complete);
    const shown = await tab.evaluate(async () => {
      const {width, height} = lvlApp.map.scene, w = Math.min(width, 300), h = Math.min(height, 240);
      const [x, y] = [Math.floor((width - w) / 2), Math.floor((height - h) / 2)];
      lvlApp.map.goTo(x + Math.floor(w / 2), y + Math.floor(h / 2), 1);
      while (!lvlApp.map.complete) await new Promise(done => setTimeout(done, 20));
      const [left, top] = lvlApp.map.screen(x, y).map(Math.round);
      return {path: lvlApp.path, region: [x, y, w, h],
        data: [...document.getElementById('map').getContext('2d').getImageData(left, top, w, h).data]};
    });
    const world = name === 'graal/lakeside';
    assert.equal(shown.path.split('/').pop(), world ? 'lakeside.gmap' : name.split('/').pop());
    const drawn = pixels(lvl('render', world ? `${file}/lakeside.gmap` : file, ...given, '--region',
      `${shown.region}`, '-o', '-'));
    const same = shown.data.filter((value, i) => value === drawn.data[i]).length;
    assert.equal(same, drawn.data.length,
      `${name}: ${drawn.data.length - same} of ${drawn.data.length} values differ`);
    assert.deepEqual(outside, [], name);
    assert.deepEqual(errors, []);
    await tab.close();
    count++;
  }
  /* A site, from the disk: the index finds a level, whose page opens it; the neighbours and the way back. */
  lvl('view', '--site', `${samples}/graal/lakeside`, `${samples}/wwd/cliffs.wwd`, '--page', viewer, '-q', '-o', `${out}/site`);
  const tab = await browser.newPage();
  tab.on('pageerror', error => errors.push(error.message));
  tab.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
  await tab.setViewport({width: 1280, height: 800});
  const index = pathToFileURL(`${out}/site/index.html`).href;
  await tab.goto(index);
  await tab.waitForSelector('a.level img');
  assert.equal(await tab.$eval('#count', e => e.textContent), '9 levels');
  await tab.waitForFunction(() => [...document.images].every(i => i.complete && i.naturalWidth > 0));
  await tab.type('#query', 'grey cliffs');
  await tab.waitForFunction(() => document.querySelector('#count').textContent === '1 of 9');
  await Promise.all([tab.waitForNavigation(), tab.click('a.level')]);
  await Promise.all([tab.waitForNavigation(), tab.waitForSelector('a.open').then(link => link.click())]);
  const opened = async (path, at = tab) => {
    await at.waitForFunction(wanted => globalThis.lvlApp?.path === wanted && lvlApp.map.scene && lvlApp.map.complete, {}, path);
    assert.equal(await at.evaluate(() => lvlApp.map.scene.error), undefined);
  };
  await opened('cliffs.wwd');
  const found = await tab.evaluate(() => lvlApp.paths.length);
  assert.ok(found > 100, 'the art came along');
  /* One press of Back leads back, from each page. */
  await tab.goBack();
  await tab.waitForSelector('#about .top');
  await tab.goBack();
  await tab.waitForSelector('a.level');
  assert.match(tab.url(), /index\.html#query=grey\+cliffs$/);
  await tab.goForward();
  await tab.goForward();
  await opened('cliffs.wwd');
  assert.equal(await tab.$eval('#siteNext', e => e.hidden), true);
  await Promise.all([tab.waitForNavigation(), tab.click('#sitePrevious')]);
  await opened('lakeside/lakeside_bigmap.txt');
  await Promise.all([tab.waitForNavigation(), tab.click('#siteBack')]);
  assert.match(tab.url(), /index\.html$/);
  assert.deepEqual(errors, []);
  /* An address that names no level leads to the index, and one whose file is not in the site to the page about it. */
  const address = await tab.$eval('a.level', card => card.href);
  await tab.goto(pathToFileURL(`${out}/site/lvl.html`).href);
  await tab.waitForSelector('a.level');
  rmSync(`${out}/site/levels/${address.slice(address.lastIndexOf('=') + 1)}.js`);
  await tab.goto(address.replace('level.html', 'lvl.html'));
  await tab.waitForSelector('#about .top');
  /* The rows of a large site are in several files; without scripts all levels are links, in pages. */
  mkdirSync(`${out}/many`);
  for (let i = 0; i < 1100; i++) writeFileSync(`${out}/many/${i}.level`, JSON.stringify({version: 1, title: `${i} ${'x'.repeat(900)}`}));
  lvl('view', '--site', `${out}/many`, '--page', viewer, '-q', '-o', `${out}/large`);
  await tab.goto(pathToFileURL(`${out}/large/index.html`).href);
  await tab.waitForFunction(() => document.querySelector('#count')?.textContent === '1,100 levels');
  await tab.setJavaScriptEnabled(false);
  await tab.goto(pathToFileURL(`${out}/large/index.html`).href);
  const names = [];
  do names.push(...await tab.$$eval('noscript li > a:first-child', links => links.filter(link => link.offsetHeight).map(link => link.textContent)));
  while (await tab.$$eval('noscript p:last-child a', links => links.length) && names.length < 1100 && await tab.goto(
    pathToFileURL(`${out}/large/names-${names.length / 250 + 1}.html`).href));
  assert.equal(new Set(names).size, 1100);
  await Promise.all([tab.waitForNavigation(), tab.click('noscript li a + a')]);
  assert.equal(await tab.$eval('img', image => image.naturalWidth > 0), true);
  console.log(`view: ${count} pages show what lvl renders, and a site opens its levels`);
} finally {
  await browser.close();
  rmSync(out, {recursive: true, force: true});
}
