/*
 * Makes the page of one file: style, scripts, the worker and lvl.wasm (gzipped, base64) in the HTML, with a content
 * security policy that allows only them. Usage: node web/viewer/build.mjs [OUT.html]
 */
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? `${here}/../../build/viewer/lvl.html`);
const read = path => readFileSync(resolve(here, path), 'utf8');

/*
 * Joins a module and its imports into one classic script: each module becomes a function that returns its exports.
 * Supports only what these modules use: `import {a, b} from './x.js'`, and `export` before function, class, const.
 */
function bundle(entry) {
  const order = [];
  const names = new Map();
  const exportsOf = source =>
    [...source.matchAll(/^export (?:async )?(?:function|class|const) ([\w$]+)/gm)].map(m => m[1]);
  const visit = path => {
    if (names.has(path)) return;
    names.set(path, `module${names.size}`);
    let source = read(path);
    const base = dirname(path);
    source = source.replace(/^import \{([^}]*)\} from '(\.[^']*)';$/gm, (_, list, from) => {
      const target = `${base}/${from}`.replace(/(^|\/)\.\//g, '$1').replace(/[^/.]+\/\.\.\//g, '');
      visit(target);
      return `const {${list}} = ${names.get(target)}();`;
    });
    if (/^import |^export (?!(async )?(function|class|const) )/m.test(source))
      throw new Error(`${path}: unknown import`);
    const found = exportsOf(source);
    source = source.replace(/^export /gm, '').replaceAll('import.meta.url', 'location.href');
    order.push(`const ${names.get(path)} = once(() => {\n${source}\nreturn {${found.join(', ')}};\n});`);
  };
  visit(entry);
  return "'use strict';\nconst once = make => { let made; return () => made ??= make(); };\n"
    + `${order.join('\n')}\n`
    + `${names.get(entry)}();\n`;
}

const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const wasm = gzipSync(readFileSync(`${here}/../lvl.wasm`), {level: 9}).toString('base64');
const style = `\n${read('style.css')}${read('cards.css')}`;
const app = `\n${bundle('app.js')}`;
const worker = `\n${bundle('worker.js')}`;
for (const text of [style, app, worker]) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error('a script holds what would end its element');
}
const policy = `default-src 'none'; script-src ${hash(app)} 'wasm-unsafe-eval'; worker-src blob:; `
  + `style-src ${hash(style)}; img-src blob:; `
  + "base-uri 'none'; form-action 'none'";
const html = read('index.html')
  .replace(/(Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
  .replace(/(<link rel="stylesheet"[^>]*>\s*)+/, () => `<style>${style}</style>\n`)
  .replace(/<script type="module"[^>]*><\/script>/, () =>
    `<script type="text/plain" id="lvl-wasm">${wasm}</script>\n`
    + `<script type="text/plain" id="lvl-worker">${worker}</script>\n<script>${app}</script>`);
mkdirSync(dirname(out), {recursive: true});
writeFileSync(out, html);
console.log(`${out}: ${Buffer.byteLength(html)} bytes, ${gzipSync(html, {level: 9}).length} bytes gzipped`);
