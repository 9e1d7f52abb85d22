/*
 * The start page: what a link asks for, samples to try, files of earlier visits, files that the system opens with the page.
 */
import {$, button, bytesOf, fill, h, inlined, notice} from './dom.js';
import {contentId, fromHandles, groupOf} from './files.js';
import {forgetRecent, keepRecent, recents} from './store.js';

const recentBytes = 32e6; /* of files without a handle, which are kept themselves */
const recentFiles = 500;

/* {label: [{path, base64}]}: the page of one file has them inside, otherwise they are a file beside it. */
async function samples() {
  return (inlined('lvl-sample') ?? await fetch(new URL('./samples.json', document.baseURI))).json();
}

async function openSample(app, label) {
  await app.run(async () => {
    const {[label]: files} = await samples();
    await app.addFiles(files.map(({path, base64}) => ({path, file: bytesOf(base64)})),
      undefined, undefined, {isSample: true});
  });
}

/* Files of earlier visits: with a handle they are read again, others were kept. */
async function offerRecent(app) {
  const list = await recents();
  $('recent').hidden = !list.length;
  if (!list.length) return;
  fill($('recentList'), list.map(recent => h('li', {}, button(recent.name, () => app.run(async () => {
    let {files} = recent;
    if (recent.handle) {
      const mode = {mode: 'read'};
      const may = await recent.handle.queryPermission?.(mode);
      if (may === 'denied' || (may === 'prompt' && await recent.handle.requestPermission(mode) !== 'granted'))
        throw new Error(`The browser may not read ${recent.name}.`);
      files = await fromHandles([recent.handle]);
      if (!files.length) throw new Error(`${recent.name} is no longer there.`);
    }
    await app.addFiles(files);
  }), {className: 'link'}), h('small', {className: 'soft'}, ` ${new Date(recent.time).toLocaleDateString()}`))));
  $('recentForget').onclick = async () => {
    await forgetRecent();
    await offerRecent(app);
  };
}

/* Remembers what was opened for the next visit. */
export async function rememberRecent(list) {
  const groups = new Map();
  for (const item of list) {
    const name = groupOf(item.path);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(item);
  }
  for (const [name, items] of [...groups].slice(0, 3)) {
    const {root: handle} = items[0];
    const bytes = items.reduce((sum, {file}) => sum + (file.size ?? file.length ?? 0), 0);
    if (handle) await keepRecent({name, handle, time: Date.now()});
    else if (bytes <= recentBytes && items.length <= recentFiles)
      await keepRecent({name, files: items.map(({path, file}) => ({path, file})), time: Date.now()});
  }
}

/* A link to a place in a file that is not here: says which file to drop. */
function askFor({path, id}) {
  $('wanted').hidden = !path;
  if (!path) return;
  fill($('wanted'), h('p', {}, 'This link shows a place in ', h('strong', {}, path), ': drop that file here to see it.'),
    id && h('p', {className: 'small'}, `Its name may differ: it is known by its content (SHA-256 ${id}…).`));
}

export function startPage(app, link) {
  askFor(link);
  for (const node of $('samples').querySelectorAll('button')) node.onclick = () => openSample(app, node.dataset.sample);
  offerRecent(app).catch(() => {});
  globalThis.launchQueue?.setConsumer(({files}) => {
    if (files?.length) app.run(async () => app.addFiles(await fromHandles(files)));
  });
}

/*
 * The path that a link means among these files. A file with the content that it names is the one, whatever its name is;
 * one with the name alone is another version.
 */
export async function findLinked(list, {path, id, of}) {
  if (!id) return undefined;
  const parts = path.split('/');
  const root = parts.slice(0, of).join('/');
  const within = parts.slice(of);
  const folder = p => p.replace(/\.zip$/i, '');
  const isNamed = p => folder(p) === root || folder(p).endsWith(`/${root}`) || root.endsWith(`/${folder(p)}`);
  const order = [...list].sort((a, b) => isNamed(b.path) - isNamed(a.path));
  for (const item of order.slice(0, 2000)) {
    if (await contentId(item.file).catch(() => '') === id) return [within.length ? folder(item.path) : item.path, ...within].join('/');
    if (isNamed(item.path)) notice(`${item.path} is not the file of the link, but another version: the place may be another one.`, true);
  }
  return undefined;
}
