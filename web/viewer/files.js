/*
 * Dropped or chosen files as a list of {path, file, root}, and which of them are levels. What cannot be read is in
 * `list.bad` as {path, reason}.
 */

async function readEntry(entry, into) {
  const path = entry.fullPath.replace(/^\//, '');
  try {
    await readEntryAt(entry, path, into);
  } catch (error) {
    into.bad.push({path, reason: error.message});
  }
}

async function readEntryAt(entry, path, into) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    into.push({path, file});
    into.progress(into.length);
    return;
  }
  if (into.isStopped) return;
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const inner of some) if (!into.isStopped) await readEntry(inner, into);
  }
}

async function readHandle(handle, path, root, into) {
  try {
    await readHandleAt(handle, path, root, into);
  } catch (error) {
    into.bad.push({path, reason: error.message});
  }
}

async function readHandleAt(handle, path, root, into) {
  if (handle.kind === 'file') {
    into.push({path, file: await handle.getFile(), root});
    into.progress(into.length);
    return;
  }
  for await (const inner of handle.values()) {
    if (into.isStopped) return;
    await readHandle(inner, `${path}/${inner.name}`, root, into);
  }
}

/*
 * `root`: handle of the file, or of its folder, if the browser has such handles. Without them (Firefox, Safari) folders
 * are read as entries, which Chromium does not allow in a page from a disk. `progress` is called with the number of files, and
 * with what ends the reading: nothing is given then.
 */
export async function dropped(transfer, progress = () => {}) {
  const items = [...transfer.items].filter(item => item.kind === 'file');
  /* All must be requested before the event ends. */
  const entries = items.map(item => item.webkitGetAsEntry?.());
  const handles = items.map(item => item.getAsFileSystemHandle?.().catch(() => null));
  const files = [...transfer.files];
  const list = Object.assign([], {bad: []});
  const stop = () => { list.isStopped = true; };
  let drawn = 0;
  /* A few times a second: more would take longer than the reading. */
  list.progress = count => {
    if (performance.now() - drawn < 100) return;
    drawn = performance.now();
    progress(count, stop);
  };
  for (const [i, entry] of entries.entries()) {
    const root = await handles[i];
    if (root) await readHandle(root, root.name, root, list);
    else if (entry?.isDirectory) await readEntry(entry, list);
    else if (files[i]) list.push({path: files[i].name, file: files[i]});
  }
  if (drawn) progress(list.length, stop);
  return list.isStopped ? [] : list;
}

export function chosen(files) {
  return [...files].map(file => ({path: file.webkitRelativePath || file.name, file}));
}

/* The browser's dialog, with handles to save into. undefined: it has none; []: nothing was chosen. */
export async function pickFiles() {
  if (!globalThis.showOpenFilePicker || navigator.webdriver) return undefined;
  try {
    const handles = await globalThis.showOpenFilePicker({multiple: true});
    return await Promise.all(handles.map(async root =>
      ({path: root.name, file: await root.getFile(), root})));
  } catch (error) {
    if (error.name === 'AbortError') return [];
    return undefined;
  }
}

/* The files of these handles, as dropped ones. */
export async function fromHandles(handles) {
  const list = Object.assign([], {bad: [], progress: () => {}});
  for (const root of handles) await readHandle(root, root.name, root, list);
  return list;
}

const ids = new WeakMap();
const hashedBytes = 512e6;

/* What a link calls a file: the beginning of the SHA-256 of its content; "": it is too large, or the browser cannot. */
export async function contentId(file) {
  if (!ids.has(file)) {
    if (!globalThis.crypto?.subtle || (file.size ?? file.length) > hashedBytes) return '';
    const bytes = file instanceof Blob ? await file.arrayBuffer() : file;
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    ids.set(file, [...hash.slice(0, 10)].map(byte => byte.toString(16).padStart(2, '0')).join(''));
  }
  return ids.get(file);
}

/*
 * Whether another program has written other content into the file of a handle since it was read, or written, here.
 * `seen`: the file as it was on the disk then.
 */
export async function changedMeanwhile({file, seen = file}, handle) {
  const now = await handle.getFile().catch(() => null); /* a file that is gone is written anew */
  if (!now || (now.lastModified === seen.lastModified && now.size === seen.size)) return false;
  const [was, is] = await Promise.all([file, now].map(one => contentId(one).catch(() => '')));
  return !was || was !== is;
}

/* Handle of one file of the list, or undefined. */
export async function handleOf(item) {
  if (!item?.root) return undefined;
  if (item.root.kind === 'file') return item.root;
  const parts = item.path.split('/').slice(1);
  const name = parts.pop();
  let folder = item.root;
  for (const part of parts) folder = await folder.getDirectoryHandle(part);
  return folder.getFileHandle(name);
}

/* The files that lvl reads, by their extensions; those that draw a whole world come first. */
export function levelsAmong(paths, formats) {
  const order = ['gmap', 'nw', 'graal', 'zelda', 'level', 'wwd', 'levelpack', 'rez', 'gani', 'doodad'];
  const known = new Set(formats.flatMap(format => format.extensions));
  const rank = path => {
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    const at = order.indexOf(extension);
    return at >= 0 ? at : known.has(extension) ? 50 : 100;
  };
  return paths.map(path => ({path, rank: rank(path)})).filter(f => f.rank < 100)
    .sort((a, b) => a.rank - b.rank || a.path.localeCompare(b.path)).map(f => f.path);
}

/* Files that levels are drawn with; some of them can be opened, too. */
const artFiles = /\.(rez|vrz|doodad|gani|ani|pal|pid|pcx|png|gif|jpe?g|bmp|mng|wav|mid|xmi|ogg|mp3)$/i;

/* The paths of levels: neither art nor anything unknown. */
export function levelPaths(paths, formats) {
  return levelsAmong(paths, formats).filter(path => !artFiles.test(path));
}

export function isArt(path) {
  return artFiles.test(path);
}

/* What a file was dropped with: its folder, or itself. */
export function groupOf(path) {
  return path.split('/')[0];
}

/* The path of a file to which a level refers: beside the level first, then anywhere. Case does not matter. */
export function findBeside(paths, from, name) {
  const wanted = name.replaceAll('\\', '/').toLowerCase();
  const folder = from.slice(0, from.lastIndexOf('/') + 1).toLowerCase();
  return paths.find(path => path.toLowerCase() === folder + wanted)
    ?? paths.find(path => path.toLowerCase() === wanted || path.toLowerCase().endsWith(`/${wanted}`));
}
