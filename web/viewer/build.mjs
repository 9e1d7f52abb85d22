/*
 * Makes the page of one file: style, scripts, the worker and lvl.wasm (gzipped, base64) in the HTML, with a content
 * security policy that allows only them. Beside index.html it writes what the page from a server has as files: the
 * samples to try, the manifest with which it can be installed, and the icon. Usage: node web/viewer/build.mjs [OUT.html]
 */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {load} from '../lvl.js';

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

/* Writes what changed; whoever reads it meanwhile gets the old file or the new one. */
function put(name, text) {
  const path = `${here}/${name}`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/* The samples of the start page, with what they are drawn with. */
const world = readdirSync(resolve(here, '../../samples/graal/lakeside')).map(name => `lakeside/${name}`);
const art = ['pics1.png', 'boat.png', 'cat.png', 'miller.png', 'well.png'];
const samples = {
  graal: [...world, ...art].map(path => [path.includes('/') ? path : `lakeside/${path}`, `graal/${path}`]),
  sketchy: [['hill-v4.level', 'sketchy/hill-v4.level']],
};
const sampleText = JSON.stringify(Object.fromEntries(Object.entries(samples).map(([label, list]) => [label,
  list.map(([path, from]) => ({path, base64: readFileSync(resolve(here, '../../samples', from)).toString('base64')}))])));
put('samples.json', sampleText);

/* The books of games, but for what no panel shows. */
const games = ['claw', 'gruntz', 'sketchy'].map(game => {
  const {rules, commands, arguments: kinds, keywords, globals, sounds, bases, ...book} = JSON.parse(read(`../../data/games/${game}.json`));
  return [game, JSON.stringify(book)];
});
mkdirSync(`${here}/games`, {recursive: true});
for (const [game, text] of games) put(`games/${game}.json`, text);

/* Formats by their type, as systems ask for them. */
const accept = {};
for (const {mime, extensions} of (await load()).formats())
  if (mime) accept[mime] = [...accept[mime] ?? [], ...extensions.map(extension => `.${extension}`)];
const pngs = ['192', '512'].filter(side => existsSync(`${here}/icon-${side}.png`)).map(side =>
  ({src: `icon-${side}.png`, sizes: `${side}x${side}`, type: 'image/png'}));
put('icon.svg', read('../../data/icons/lvl.svg'));
put('manifest.webmanifest', `${JSON.stringify({name: 'lvl: levels of old 2D games', short_name: 'lvl',
  description: 'Shows, checks, repairs and edits levels of Graal, Sketchy Maze and Claw.', id: './', start_url: './', scope: './',
  display: 'standalone', background_color: '#e9ecef', theme_color: '#0b6bcb',
  icons: [{src: 'icon.svg', sizes: 'any', type: 'image/svg+xml'}, ...pngs],
  file_handlers: [{action: './', accept}]}, null, 1)}\n`);

/* By gzip itself: its bytes are the same in each version, those of Node's zlib are not. */
const gzip = content => execFileSync('gzip', ['-9n'], {input: content, maxBuffer: 1 << 26});
const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const [wasm, texts] = ['lvl.wasm', 'lvl-texts.json'].map(name => gzip(readFileSync(`${here}/../${name}`)).toString('base64'));
const style = `\n${read('style.css')}${read('cards.css')}`;
const app = `\n${bundle('app.js')}`;
const worker = `\n${bundle('worker.js')}`;
for (const text of [style, app, worker]) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error('a script holds what would end its element');
}
const policy = `default-src 'none'; script-src ${hash(app)} 'wasm-unsafe-eval'; worker-src blob:; `
  + `style-src ${hash(style)}; img-src blob: data:; media-src blob:; `
  + "base-uri 'none'; form-action 'none'";
const html = read('index.html')
  .replace(/(Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
  .replace(/<link rel="manifest"[^>]*>\n/, '')
  .replace(/(<link rel="icon" href=")[^"]*/, (_, start) =>
    `${start}data:image/svg+xml;base64,${readFileSync(resolve(here, '../../data/icons/lvl.svg')).toString('base64')}`)
  .replace(/(<link rel="stylesheet"[^>]*>\s*)+/, () => `<style>${style}</style>\n`)
  .replace(/<script type="module"[^>]*><\/script>/, () =>
    `<script type="text/plain" id="lvl-wasm">${wasm}</script>\n`
    + `<script type="text/plain" id="lvl-texts">${texts}</script>\n`
    + `<script type="text/plain" id="lvl-sample">${gzip(sampleText).toString('base64')}</script>\n`
    + games.map(([game, text]) => `<script type="text/plain" id="lvl-game-${game}">${gzip(text).toString('base64')}</script>\n`).join('')
    + `<script type="text/plain" id="lvl-worker">${worker}</script>\n<script>${app}</script>`);
mkdirSync(dirname(out), {recursive: true});
writeFileSync(out, html);
console.log(`${out}: ${Buffer.byteLength(html)} bytes, ${gzip(html).length} bytes gzipped`);
