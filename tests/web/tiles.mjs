/*
 * The page of `lvl render --tiles' in Chromium, from the disk: what it shows is the tiles; mouse, wheel, touch, keys and buttons move and
 * zoom it; the address keeps the place; it fits small screens; nothing breaks its policy, and axe finds nothing.
 * Usage: node tiles.mjs FOLDER CHROMIUM PACKAGES. FOLDER has `map' (lakeside.gmap) and `cliffs'; PACKAGES has puppeteer-core and axe-core.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [folder, chromium, packages] = process.argv.slice(2);
const require = createRequire(resolve(packages, 'package.json'));
const puppeteer = require('puppeteer-core');
const axe = readFileSync(require.resolve('axe-core'), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'lvl-tiles-'));
const browser = await puppeteer.launch({executablePath: chromium, headless: true, userDataDir: join(scratch, 'profile'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--allow-file-access-from-files']});
try {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('requestfailed', request => errors.push(`${request.url()}: ${request.failure().errorText}`));
  await page.setViewport({width: 1000, height: 800});
  const home = pathToFileURL(join(folder, 'map', 'index.html')).href;
  await page.goto(home);
  const settled = () => page.waitForFunction(() => !pending && [...tiles.values()].every(image => image.complete));
  const at = () => page.evaluate(() => ({x: view.x, y: view.y, scale: view.scale}));
  const near = (a, b, least = 1.5) => Math.abs(a - b) <= least;
  await settled();

  /* All of it is shown, in the middle. */
  let now = await at();
  const stage = await page.evaluate(() => size());
  assert.ok(now.x === 1024 && now.y === 1024 && near(now.scale, stage.height / 2048, .001), JSON.stringify(now));
  /* At a scale of 1 a pixel of the screen is one of the tile. */
  await page.goto(`${home}#700,900,0`);
  await page.reload();
  await settled();
  const same = await page.evaluate(async () => {
    const [x, y] = [700, 900], {width, height} = size();
    const image = new Image();
    image.src = `3/${x >> 8}/${y >> 8}.png`;
    await image.decode();
    const one = Object.assign(document.createElement('canvas'), {width: 256, height: 256}).getContext('2d');
    one.drawImage(image, 0, 0);
    const left = Math.round(width / 2 - x), top = Math.round(height / 2 - y);
    let equal = 0, all = 0;
    for (let py = Math.max(0, -top, 768 + 0); py < 1024; py += 7) {
      for (let px = 512; px < 768; px += 7) {
        if (left + px < 0 || top + py < 0 || left + px >= width || top + py >= height) continue;
        const got = context.getImageData(left + px, top + py, 1, 1).data, want = one.getImageData(px - 512, py - 768, 1, 1).data;
        all++;
        equal += got.join() === want.join();
      }
    }
    return {equal, all};
  });
  assert.ok(same.all > 500 && same.equal === same.all, JSON.stringify(same));
  /* No gap between tiles at any scale: every pixel over the map is drawn. */
  for (const scale of [.3001, .417, .77, 1.31, 2.7]) {
    await page.evaluate(s => { view.x = 1024; view.y = 1024; view.scale = s; redraw(); }, scale);
    await settled();
    const holes = await page.evaluate(() => {
      const {width, height} = size();
      const from = {x: Math.max(0, Math.ceil(width / 2 - view.x * view.scale) + 1), y: Math.max(0, Math.ceil(height / 2 - view.y * view.scale) + 1)};
      const to = {x: Math.min(width, Math.floor(width / 2 + (data.width - view.x) * view.scale) - 1), y: Math.min(height, Math.floor(height / 2 + (data.height - view.y) * view.scale) - 1)};
      const px = context.getImageData(from.x, from.y, to.x - from.x, to.y - from.y).data;
      let count = 0;
      for (let i = 3; i < px.length; i += 4) count += px[i] < 255;
      return count;
    });
    assert.equal(holes, 0, `gaps at scale ${scale}`);
  }

  /* Mouse: what is held stays under it; the wheel zooms at it. */
  const box = await page.$eval('canvas', one => { const r = one.getBoundingClientRect(); return {left: r.left, top: r.top}; });
  const under = (x, y) => page.evaluate((px, py) => { const {width, height} = size(); return [view.x + (px - width / 2) / view.scale, view.y + (py - height / 2) / view.scale]; }, x - box.left, y - box.top);
  await page.evaluate(() => { view.x = 1000; view.y = 900; view.scale = .5; redraw(); });
  let held = await under(400, 400);
  await page.mouse.move(400, 400);
  await page.mouse.down();
  await page.mouse.move(520, 330, {steps: 5});
  await page.mouse.up();
  let moved = await under(520, 330);
  assert.ok(near(held[0], moved[0]) && near(held[1], moved[1]), `dragged: ${held} ${moved}`);
  held = await under(520, 330);
  await page.mouse.wheel({deltaY: -240});
  await page.waitForFunction(() => Math.abs(view.scale - 1) < .01);
  moved = await under(520, 330);
  assert.ok(near(held[0], moved[0]) && near(held[1], moved[1]), `the wheel: ${held} ${moved}`);
  await page.mouse.click(520, 330, {count: 2});
  await page.waitForFunction(() => Math.abs(view.scale - 2) < .01);

  /* Keys and buttons. */
  await page.evaluate(() => { view.x = 1000; view.y = 900; view.scale = 1; redraw(); });
  await page.focus('canvas');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  now = await at();
  assert.deepEqual(now, {x: 1080, y: 980, scale: 1});
  await page.keyboard.press('+');
  assert.equal((await at()).scale, 2);
  await page.click('#out');
  assert.equal((await at()).scale, 1);
  await page.click('#in');
  await page.click('#fit');
  now = await at();
  assert.ok(now.x === 1024 && near(now.scale, stage.height / 2048, .001), 'Whole map');
  await page.focus('canvas');
  await page.keyboard.press('1');
  await page.keyboard.press('Home');
  assert.ok(near((await at()).scale, stage.height / 2048, .001), 'Home');

  /* A level by its name, its borders, the place under the mouse, and the address. */
  await page.type('#level', 'lake_vill');
  await page.keyboard.press('Enter');
  const village = await page.evaluate(() => data.levels.find(([name]) => name === 'lake_village.nw'));
  now = await at();
  assert.ok(near(now.x, village[1] + 512) && near(now.y, village[2] + 512), JSON.stringify([now, village]));
  await page.click('#grid');
  await settled();
  await page.mouse.move(600, 500);
  await page.waitForFunction(() => /^lake_village\.nw: \d+, \d+$/.test(document.querySelector('#place').textContent));
  await page.waitForFunction(() => location.hash.startsWith(`#${Math.round(view.x)},${Math.round(view.y)},`));
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await settled();
  const again = await at();
  assert.ok(near(again.x, now.x) && near(again.y, now.y) && near(again.scale, now.scale, .02), JSON.stringify([again, now]));

  /* Touch: one finger moves, two zoom. */
  await page.evaluate(() => { view.x = 1000; view.y = 900; view.scale = .5; redraw(); });
  const devtools = await page.createCDPSession();
  const touch = (type, ...points) => devtools.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
  held = await under(400, 400);
  await touch('touchStart', [400, 400]);
  await touch('touchMove', [450, 420]);
  await touch('touchEnd');
  moved = await under(450, 420);
  assert.ok(near(held[0], moved[0], 3) && near(held[1], moved[1], 3), `a finger: ${held} ${moved}`);
  await touch('touchStart', [400, 400], [500, 400]);
  await touch('touchMove', [350, 400], [550, 400]);
  await touch('touchEnd');
  assert.ok(near((await at()).scale, 1, .05), `two fingers: ${JSON.stringify(await at())}`);

  /* Small and dark; no wider than the screen; axe. */
  for (const name of ['map', 'cliffs']) {
    for (const [width, scheme] of [[1000, 'light'], [390, 'dark']]) {
      await page.setViewport({width, height: 800});
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      await page.goto(pathToFileURL(join(folder, name, 'index.html')).href);
      await settled();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight), `${name} fits into ${width} px`);
      assert.equal(await page.$eval('#find', one => one.hidden), name === 'cliffs', 'levels of a level');
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await globalThis.axe.run({preload: false})).violations.map(one => [one.id, one.nodes[0].html]));
      assert.deepEqual(found, [], `${name}, ${scheme}`);
    }
  }
  assert.deepEqual(errors, []);
  console.log('tiles: the page shows its tiles, and is moved by mouse, touch and keys');
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
