/*
 * A site of `lvl gallery' in Chromium, from the disk: node tests/web/gallery.mjs LVL PAGE CHROMIUM PACKAGES SAMPLES. PACKAGES has
 * puppeteer-core.
 */
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [lvl, page, chromium, packages, samples] = process.argv.slice(2);
const puppeteer = createRequire(resolve(packages, 'index.js'))('puppeteer-core');
const folder = mkdtempSync(join(tmpdir(), 'lvl-gallery-'));
let failed = 0;
function check(what, good, found) {
  if (good) return;
  console.log(`FAILED: ${what}: ${JSON.stringify(found)}`);
  failed++;
}

let browser;
try {
  const run = (...args) => execFileSync(lvl, args, {cwd: folder, stdio: ['ignore', 'pipe', 'ignore']});
  run('scan', '-q', resolve(samples), '-o', 'levels.db');
  run('gallery', 'levels.db', '-q', '-o', 'site', '--page', resolve(page));
  browser = await puppeteer.launch({executablePath: chromium, args: ['--no-sandbox'], headless: true});
  const tab = await browser.newPage();
  const errors = [];
  tab.on('pageerror', error => errors.push(error.message));
  tab.on('console', message => message.type() === 'error' && errors.push(message.text()));
  const index = pathToFileURL(join(folder, 'site', 'index.html')).href;
  await tab.goto(index);
  const cards = () => tab.$$eval('a.level', list => list.map(card => card.textContent));
  const query = async text => {
    await tab.$eval('#query', (input, value) => { input.value = value; input.oninput(); }, text);
    await new Promise(done => setTimeout(done, 500)); /* a part of the words is loaded */
    return cards();
  };
  const all = await tab.$eval('#count', count => count.textContent);
  check('copies are folded', /^\d+ of \d+$/.test(all), all);
  await tab.click('#copies');
  const unfolded = await tab.$eval('#count', count => count.textContent);
  check('copies are shown', /^\d+ levels$/.test(unfolded), unfolded);
  const games = await tab.$$eval('#game option', list => list.map(option => option.textContent));
  check('games with counts', games.some(text => /^graal \(\d+\)$/.test(text)), games);
  const lantern = await query('lantern');
  check('a word of a sign or script', lantern.length > 0 && lantern.length < parseInt(unfolded, 10) / 2, lantern.length);
  check('the beginning of a word', (await query('lanter')).length >= lantern.length, lantern.length);
  check('capitals and accents', (await query('LÀNTERN')).length === lantern.length, lantern.length);
  check('no such word', (await query('nosuchword')).length === 0, await cards());
  await query('cliffs');
  await tab.select('#game', await tab.$$eval('#game option', list => list.find(option => /claw/i.test(option.value))?.value ?? ''));
  const claw = await cards();
  check('a game', claw.length > 0, claw);
  await Promise.all([tab.waitForNavigation(), tab.click('a.level')]);
  await tab.waitForSelector('#about .top');
  const text = await tab.$eval('#about', about => about.textContent);
  check('the page about it', /Format.*WAP32/.test(text) && text.includes('Texts'), text.slice(0, 300));
  await Promise.all([tab.waitForNavigation(), tab.click('a.open')]);
  await tab.waitForFunction(() => /cliffs.*WAP32/s.test(document.querySelector('header')?.textContent), {timeout: 20000});
  check('no errors', !errors.length, errors);
} finally {
  await browser?.close();
  rmSync(folder, {recursive: true});
}
console.log(failed ? `${failed} failures` : 'gallery: all passed');
process.exitCode = failed ? 1 : 0;
