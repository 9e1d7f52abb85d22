/*
 * Sites of `lvl gallery' in Chromium: of the samples, from the disk; and of 400 levels, from a server, of which only what
 * the first screen shows is loaded at first, however many there are. node tests/web/gallery.mjs LVL PAGE CHROMIUM PACKAGES SAMPLES. PACKAGES has
 * puppeteer-core.
 */
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [lvl, page, chromium, packages, samples] = process.argv.slice(2);
const require = createRequire(resolve(packages, 'index.js'));
const puppeteer = require('puppeteer-core');
const axe = readFileSync(require.resolve('axe-core'), 'utf8');
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
  run('gallery', 'levels.db', '-q', '-o', 'site', '--files', resolve(samples), '--page', resolve(page));
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
    await tab.waitForFunction(() => document.querySelector('#count').textContent !== 'Searching …');
    return cards();
  };
  const all = await tab.$eval('#count', count => count.textContent);
  check('copies are folded', /^\d+ levels and \d+ copies$/.test(all), all);
  await tab.$eval('#copies', box => box.click());
  const unfolded = await tab.$eval('#count', count => count.textContent);
  check('copies are shown', /^\d+ levels$/.test(unfolded), unfolded);
  const games = await tab.$$eval('#game option', list => list.map(option => option.textContent));
  check('games with counts', games.some(text => /^graal \(\d+\)$/.test(text)), games);
  const lantern = await query('lantern');
  check('a word of a sign or script', lantern.length > 0 && lantern.length < parseInt(unfolded, 10) / 2, lantern.length);
  check('the beginning of a word', (await query('lanter')).length >= lantern.length, lantern.length);
  check('capitals and accents', (await query('LÀNTERN')).length === lantern.length, lantern.length);
  check('no such word', (await query('nosuchword')).length === 0, await cards());
  /* All words and beginnings that `lvl find' finds, and besides only what is shown of a level. */
  const top = `${resolve(samples)}/`;
  for (const words of [['lantern'], ['ice'], ['MILL'], ['la'], ['the', 'lake'], ['if', 'player']]) {
    let listed = '';
    try {
      listed = run('find', '-l', ...words, '--in', 'levels.db').toString();
    } catch (error) {
      check('lvl find finds nothing', error.status === 1, error.status);
    }
    await query(words.join(' '));
    const [shown, expected] = await tab.evaluate((paths, asked) => [cards.shown.map(({path}) => path), cards.levels.filter(({path, label, kind, facts}) =>
      paths.includes(path) || asked.every(word => `${path} ${label} ${kind} ${facts}`.toLowerCase().includes(word.toLowerCase()))).map(({path}) => path)],
    listed.split('\n').filter(path => path.startsWith(top)).map(path => path.slice(top.length)), words);
    check(`"${words.join(' ')}" as by lvl find`, listed !== '' && expected.every(path => shown.includes(path)), {listed, shown, expected});
    if (words.length === 1) check(`"${words[0]}": nothing else`, shown.length === expected.length, {shown, expected});
  }
  await query('cliffs');
  await tab.select('#game', await tab.$$eval('#game option', list => list.find(option => /claw/i.test(option.value))?.value ?? ''));
  const claw = await cards();
  check('a game', claw.length > 0, claw);
  await Promise.all([tab.waitForNavigation(), tab.click('a.level')]);
  await tab.waitForSelector('#about .top');
  const text = await tab.$eval('#about', about => about.textContent);
  check('the page about it', /Format.*WAP32/.test(text) && text.includes('Texts'), text.slice(0, 300));
  check('the way back to what was searched', /index\.html#query=cliffs&game=/.test(await tab.$eval('#all', a => a.href)), await tab.$eval('#all', a => a.href));
  for (const address of [index, tab.url()]) {
    await tab.setViewport({width: 390, height: 844});
    await tab.goto(address);
    await tab.waitForSelector('a.level, #about .top');
    check('it fits a phone', await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), address);
    for (const [width, scheme] of [[390, 'dark'], [1280, 'light']]) {
      await tab.setViewport({width, height: 800});
      await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      await tab.evaluate(axe);
      const found = await tab.evaluate(async () => (await globalThis.axe.run({preload: false})).violations.map(one => [one.id, one.nodes[0].html]));
      check(`nothing for axe to find, ${scheme}`, !found.length, {address, found});
    }
    check('it has an icon', await tab.evaluate(async () => {
      const image = new Image();
      image.src = document.querySelector('link[rel=icon]').href;
      await image.decode();
      return image.naturalWidth > 0;
    }), address);
  }
  await Promise.all([tab.waitForNavigation(), tab.click('a.open')]);
  await tab.waitForFunction(() => /cliffs.*WAP32/s.test(document.querySelector('header')?.textContent));
  check('no errors', !errors.length, errors);
  await tab.close();

  /* Four hundred levels. */
  const lake = join(samples, 'graal', 'lakeside');
  const texts = readdirSync(lake).filter(name => name.endsWith('.nw')).sort().map(name => readFileSync(join(lake, name), 'latin1').trimEnd());
  mkdirSync(join(folder, 'many'));
  for (let i = 0; i < 400; i++)
    writeFileSync(join(folder, 'many', `level${i}.nw`), `${texts[i % texts.length]}\nSIGN ${i % 60} 20\nnumber${i}\nSIGNEND\n`, 'latin1');
  run('scan', '-q', 'many', '-o', 'many.db');
  run('gallery', 'many.db', '-q', '-o', 'served', '--page', resolve(page));
  const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.png': 'image/png'};
  const server = createServer((request, response) => {
    const path = join(folder, 'served', new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html'));
    try {
      const bytes = readFileSync(path);
      response.setHeader('Content-Type', types[path.slice(path.lastIndexOf('.'))]);
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise(done => { server.listen(0, '127.0.0.1', done); });
  const site = await browser.newPage();
  await site.setViewport({width: 1280, height: 900});
  await site.evaluateOnNewDocument(() => {
    const look = () => { /* when the cards in the window are there with their pictures: the last of these has come then */
      const inside = [...document.querySelectorAll('a.level')].filter(card => card.getBoundingClientRect().top < innerHeight);
      const images = inside.map(card => card.querySelector('img'));
      const ends = images.flatMap(image => (image?.naturalWidth ? performance.getEntriesByName(image.src) : [])).map(one => one.responseEnd);
      if (inside.length && images.every(image => image?.complete && image.naturalWidth) && ends.length)
        globalThis.firstScreen = {time: Math.max(...ends), cards: inside.length};
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await site.goto(`http://127.0.0.1:${server.address().port}/`);
  await site.waitForFunction(() => globalThis.firstScreen);
  const first = await site.evaluate(() => ({...globalThis.firstScreen,
    files: ['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))
      .filter(({startTime}) => startTime < globalThis.firstScreen.time).map(({name, transferSize}) => [name.replace(location.href, ''), transferSize])}));
  const bytes = first.files.reduce((sum, [, size]) => sum + size, 0);
  check('the first screen: bytes', bytes > 20000 && bytes < 300000, first);
  check('the first screen: no other rows, no words', !first.files.some(([name]) => /^(levels-|words-)/.test(name)), first);
  check('the first screen: its pictures', first.files.filter(([name]) => name.endsWith('.png')).length <= first.cards * 2, first);
  await site.waitForFunction(() => cards.levels.length === 400);
  check('all levels', await site.$eval('#count', count => count.textContent) === '400 levels', await site.$eval('#count', count => count.textContent));
  await site.type('#query', 'number377');
  await site.waitForFunction(() => document.querySelector('#count').textContent === '1 of 400');
  check('a level behind the first rows', /level377\.nw/.test(await site.$eval('a.level', card => card.textContent)), await site.$eval('a.level', card => card.textContent));
  server.close();
  server.closeAllConnections();
} finally {
  await browser?.close();
  rmSync(folder, {recursive: true});
}
console.log(failed ? `${failed} failures` : 'gallery: all passed');
process.exitCode = failed ? 1 : 0;
