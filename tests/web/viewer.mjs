/*
 * The page of web/viewer in Chromium, as one file from disk: samples are dropped, drawn, clicked, edited and saved.
 * Usage: node viewer.mjs PAGE CHROMIUM FOLDER, where FOLDER has node_modules with puppeteer-core.
 */
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {load} from '../../web/lvl.js';

const [, , pagePath, chromium, folder] = process.argv;
const require = createRequire(resolve(folder, 'package.json'));
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
const sample = name => new Uint8Array(readFileSync(new URL(`../../samples/${name}`, import.meta.url)));
const digest = data => createHash('sha256').update(data).digest('hex');
const lvl = await load();

const profile = mkdtempSync(`${tmpdir()}/lvl-viewer-`);
const browser = await puppeteer.launch({executablePath: chromium, headless: true, userDataDir: profile,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync']});
const page = await browser.newPage();
const url = pathToFileURL(resolve(pagePath)).href;
const requests = [];
const errors = [];
page.on('request', request => requests.push(request.url()));
page.on('pageerror', error => errors.push(error.message));
page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });

async function fresh(width = 1280, height = 800) {
  await page.setViewport({width, height});
  await page.goto('about:blank');
  await page.goto(url);
  await page.waitForSelector('body.ready');
}

/* Drops files onto the page as a drag would. */
async function drop(files) {
  const list = Object.entries(files).map(([name, bytes]) => ({name, text: Buffer.from(bytes).toString('base64')}));
  await page.evaluate(given => {
    const dataTransfer = new DataTransfer();
    for (const {name, text} of given)
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
  }, list);
  await page.waitForFunction(name => lvlApp.doc?.name === name, {}, list[0].name);
  await page.waitForFunction(() => !lvlApp.map.scene || lvlApp.map.complete);
}

const value = run => page.evaluate(run);
const bytesNow = async () => new Uint8Array(await value(() => [...lvlApp.bytes]));

let tests = 0;
async function test(name, run) {
  await run();
  assert.deepEqual(errors, [], name);
  tests++;
}

const families = {'cliffs.wwd': ['wwd/cliffs.wwd', 'wwd/SAMPLES.REZ'], 'hill-v4.level': ['sketchy/hill-v4.level'],
  'lake_village.nw': ['graal/lakeside/lake_village.nw', 'graal/pics1.png', 'graal/well.png']};

try {
  for (const [name, paths] of Object.entries(families)) {
    await test(`${name}: the canvas shows what lvl renders`, async () => {
      await fresh();
      const files = Object.fromEntries(paths.map(path => [path.split('/').pop(), sample(path)]));
      await drop(files);
      const doc = lvl.open(files[name], name, {files, art: [...Object.keys(files).filter(f => /\.REZ$/.test(f)), '']});
      const {width, height} = doc.scene();
      const region = [Math.floor(width / 2) - 40, Math.floor(height / 2) - 30, 80, 60];
      await page.evaluate((x, y) => lvlApp.map.goTo(x, y, 1), region[0] + 40, region[1] + 30);
      await page.waitForFunction(() => lvlApp.map.complete);
      const shown = await page.evaluate((x, y) => {
        const [left, top] = lvlApp.map.screen(x, y).map(Math.round);
        return [...document.getElementById('map').getContext('2d').getImageData(left, top, 80, 60).data];
      }, region[0], region[1]);
      assert.equal(digest(Uint8Array.from(shown)), digest(doc.render({region}).data));
      doc.close();
    });
  }

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
    await page.evaluate(() => lvlApp.panel.showRecord('actors[0].point'));
    await page.waitForSelector('[id="f-actors[0].point.x"]');
    await page.$eval('[id="f-actors[0].point.x"]', input => {
      input.value = '51';
      input.dispatchEvent(new Event('change'));
    });
    await page.waitForFunction(() => lvlApp.at === 1);
    const doc = lvl.open(sample(`sketchy/${name}`), name);
    doc.set('actors[0].point.x', 51);
    assert.deepEqual(await bytesNow(), doc.save());
    await page.click('#undo');
    await page.waitForFunction(() => lvlApp.at === 0);
    assert.deepEqual(await bytesNow(), sample(`sketchy/${name}`));
    await page.click('#redo');
    await page.waitForFunction(() => lvlApp.at === 1);
    const saved = await value(async () => {
      let kept;
      URL.createObjectURL = blob => { kept = blob; return 'about:blank#'; };
      HTMLAnchorElement.prototype.click = () => {};
      await lvlApp.save();
      return [...new Uint8Array(await kept.arrayBuffer())];
    });
    assert.deepEqual(Uint8Array.from(saved), doc.save());
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
    await page.waitForSelector('#page-findings:not([hidden]) .verdict');
  });

  await test('a phone: nothing is wider than the window', async () => {
    await fresh(360, 740);
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    assert.ok(await value(() => document.documentElement.scrollWidth <= 360));
    for (const id of ['save', 'open', 'toggle'])
      assert.ok(await page.$eval(`#${id}`, node => node.getBoundingClientRect().right <= 360), id);
  });

  await test('a hostile title is text', async () => {
    await fresh();
    const doc = lvl.open(sample('sketchy/hill-v4.level'), 'x.level');
    const title = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
    doc.set('title', title);
    await drop({'x.level': doc.save()});
    assert.equal(await page.$eval('#title', node => node.textContent), title);
    assert.equal(await value(() => document.querySelector('#title *, #pages img, #pages script')), null);
    assert.equal(await value(() => globalThis.hit), undefined);
  });

  await test('an animation plays, and ends when an archive is opened', async () => {
    await fresh();
    await drop({'hero_walk.gani': sample('graal/ganis/hero_walk.gani'), 'sprites.png': sample('graal/sprites.png')});
    const first = await value(() => lvlApp.map.options.frame);
    await page.waitForFunction(frame => lvlApp.map.options.frame !== frame, {}, first);
    await drop({'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')});
    await page.waitForSelector('#page-files:not([hidden]) li');
    assert.equal(await page.$eval('#notice', node => node.textContent), '');
  });

  await test('a damaged file shows its findings', async () => {
    await fresh();
    await drop({'cut-gzip.level': sample('sketchy/damaged/cut-gzip.level')});
    await page.click('#tab-findings');
    await page.waitForFunction(() => /Damaged/.test(document.querySelector('#page-findings .verdict')?.textContent));
  });

  await test('a worker that hangs is ended, and the level stays', async () => {
    await fresh();
    await drop({'hill-v4.level': sample('sketchy/hill-v4.level')});
    const why = await value(async () => {
      globalThis.lvlTimeLimit = 2000;
      const text = await lvlApp.client.call('spin').catch(error => error.message);
      delete globalThis.lvlTimeLimit;
      return text;
    });
    assert.match(why, /stopped/);
    await page.waitForFunction(async () => (await lvlApp.client.call('get', 'title').catch(() => '')) === 'The hill by the pond');
  });

  await test('no request leaves the page', async () => {
    const outside = requests.filter(r => !r.startsWith('file:') && !r.startsWith('blob:') && !r.startsWith('about:'));
    assert.deepEqual(outside, []);
    const refused = await value(() => fetch('https://example.invalid/').then(() => false, () => true));
    assert.ok(refused);
    assert.ok(errors.splice(0).every(text => /Content Security Policy|Failed to|Refused|Connecting/i.test(text)));
  });
  console.log(`viewer: ${tests} tests passed`);
} finally {
  await browser.close();
  rmSync(profile, {recursive: true, force: true});
}
