/*
 * The viewer in Chromium: milliseconds from the drop of a file to its whole picture, beside what `lvl render' takes for
 * a picture of that size; frames a second while the map moves, beside those of a page that does nothing; memory.
 * Usage: node bench/viewer.mjs LVL FILE... (needs `make web' and `npm ci --prefix web/viewer')
 */
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {basename} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const top = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(`${top}/web/viewer/package.json`);
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
const [command, ...files] = process.argv.slice(2);
const profile = mkdtempSync(`${tmpdir()}/lvl-bench-`);
const browser = await puppeteer.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
  userDataDir: profile, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']});

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

try {
  for (const file of files) {
    const page = await browser.newPage();
    await page.setViewport({width: 1280, height: 800});
    await page.goto(pathToFileURL(`${top}/build/viewer/lvl.html`).href);
    await page.waitForSelector('body.ready');
    const idle = await frames(page, '');
    const text = readFileSync(file).toString('base64');
    const first = await page.evaluate(async (name, base64) => {
      const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
      const start = performance.now();
      await lvlApp.addFiles([{path: name, file: new Blob([bytes])}]);
      while (!lvlApp.map.complete) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    }, basename(file), text);
    const start = performance.now();
    spawnSync(command, ['render', file, '--size', '1280', '-o', '-'], {maxBuffer: 1 << 28, env: {...process.env, LVL_ART: ''}});
    const native = performance.now() - start;
    const {width, height} = await page.evaluate(() => lvlApp.map.scene);
    await page.evaluate((x, y) => lvlApp.map.goTo(x, y, 1), width / 2, height / 2);
    const moving = await frames(page, `lvlApp.map.goTo(${width / 2} + i * 16, ${height / 2} + i * 4, 1)`);
    const heap = (await page.metrics()).JSHeapUsedSize / 1048576;
    console.log(`${basename(file)}, ${width} x ${height}: picture ${first.toFixed(0)} ms (${(first / native).toFixed(1)} of `
      + `${native.toFixed(0)} ms natively); ${moving.toFixed(0)} frames a second while moving (${(moving / idle).toFixed(2)} of `
      + `${idle.toFixed(0)} idle); ${heap.toFixed(1)} MiB of page memory`);
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(profile, {recursive: true, force: true});
}
