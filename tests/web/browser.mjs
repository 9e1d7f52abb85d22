/* A page of Chromium for the tests of pages: {browser, page, devtools, errors, scratch}. THROTTLE=4 slows the page down. */
import {mkdtempSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

/* `folder` has puppeteer-core. `scratch`, a folder with the profile, is removed by who calls this. */
export async function openPage(chromium, folder, name, viewport) {
  const require = createRequire(resolve(folder, 'package.json'));
  const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));
  const scratch = mkdtempSync(`${tmpdir()}/lvl-${name}-`);
  const browser = await puppeteer.launch({executablePath: chromium, headless: true, userDataDir: `${scratch}/profile`,
    protocolTimeout: 600000, /* beside other work */
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']});
  const page = await browser.newPage();
  page.setDefaultTimeout(120000); /* beside other work */
  await page.setViewport(viewport);
  const errors = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
  const devtools = await page.createCDPSession();
  if (process.env.THROTTLE) await devtools.send('Emulation.setCPUThrottlingRate', {rate: +process.env.THROTTLE});
  return {browser, page, devtools, errors, scratch};
}
