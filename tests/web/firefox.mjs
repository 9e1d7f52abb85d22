/*
 * The page of one file in Firefox: one sample of each family is dropped and drawn, one is edited and saved. Not
 * part of the checks (it needs firefox-esr): node tests/web/firefox.mjs LVL PAGE [FIREFOX]
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(`${top}/web/viewer/package.json`);
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
const [command, file, executablePath = '/usr/bin/firefox-esr'] = process.argv.slice(2);
const scratch = mkdtempSync(`${tmpdir()}/lvl-firefox-`);
const browser = await puppeteer.launch({browser: 'firefox', executablePath, headless: true,
  userDataDir: `${scratch}/profile`});
const native = (...args) => execFileSync(command, args, {maxBuffer: 1 << 28, env: {...process.env, LVL_ART: ''}});

try {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  await page.setViewport({width: 1280, height: 800});
  for (const path of ['sketchy/hill-v4.level', 'graal/lakeside/lake_meadow.nw', 'wwd/cliffs.wwd']) {
    const name = path.split('/').pop();
    const sample = `${scratch}/${name}`; /* alone: no art lies beside it */
    copyFileSync(`${top}/samples/${path}`, sample);
    await page.goto('about:blank');
    await page.goto(pathToFileURL(resolve(file)).href);
    await page.waitForSelector('body.ready');
    const took = await page.evaluate(async (given, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], given));
      const start = performance.now();
      document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));
      while (!lvlApp.map.complete) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    }, name, readFileSync(sample).toString('base64'));
    /* What the canvas shows of the upper left corner at 1:1, and that part of the command's picture. */
    const png = native('render', sample, '-q', '-o', '-').toString('base64');
    const different = await page.evaluate(async text => {
      const {map} = lvlApp;
      const {width, height} = map.scene;
      const [w, h] = [Math.min(300, width), Math.min(200, height)];
      map.goTo(Math.floor(w / 2), Math.floor(h / 2), 1);
      while (!map.complete) await new Promise(requestAnimationFrame);
      const [sx, sy] = map.screen(0, 0).map(Math.round);
      const shown = map.canvas.getContext('2d').getImageData(sx, sy, w, h).data;
      const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))]));
      const context = new OffscreenCanvas(w, h).getContext('2d');
      context.drawImage(picture, 0, 0);
      const wanted = context.getImageData(0, 0, w, h).data;
      let count = 0;
      for (let i = 0; i < wanted.length; i += 4) {
        if (wanted[i + 3] === 255 && [0, 1, 2].some(c => wanted[i + c] !== shown[i + c])) count++;
      }
      return `${count} of ${w * h}`;
    }, png);
    assert.match(different, /^0 of [1-9]/, name);
    console.log(`${name}: first picture ${took.toFixed(0)} ms; ${different} pixels differ from lvl render`);
  }
  const saved = await page.evaluate(async () => {
    let kept;
    URL.createObjectURL = blob => { kept = blob; return 'about:blank#'; };
    HTMLAnchorElement.prototype.click = () => {};
    await lvlApp.edit(['title=Mine'], 'title');
    await lvlApp.save();
    return [...new Uint8Array(await kept.arrayBuffer())];
  });
  const wanted = `${scratch}/wanted.wwd`;
  native('set', `${scratch}/cliffs.wwd`, 'title=Mine', '-o', wanted, '-y', '-q');
  assert.deepEqual(Buffer.from(saved), readFileSync(wanted));
  assert.deepEqual(errors, []);
  console.log(`edited and saved: as lvl set (${await browser.version()})`);
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
