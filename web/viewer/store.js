/*
 * What the browser keeps for the next visit (IndexedDB): edits that were not saved, the art that the user wants to keep,
 * recent files, and what was copied. Without that storage (a private window) nothing is kept and nothing fails.
 */

const stores = ['work', 'roots', 'art', 'recent', 'clip'];
const mostRecent = 6;
/* This page: work of a page that is still open in another tab is not offered. */
const page = `lvl-${Date.now()}-${Math.random().toString(36).slice(2)}`;
let database;

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function open() {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('lvl', 2);
    request.onupgradeneeded = () => {
      for (const name of stores)
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
    };
    request.onsuccess = () => {
      /* Another page has a newer version. */
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return database;
}

async function use(name, run, fallback) {
  try {
    const store = (await open()).transaction(name, 'readwrite').objectStore(name);
    return await run(store);
  } catch {
    return fallback;
  }
}

/* Holds a lock as long as this page lives. */
navigator.locks?.request(page, () => new Promise(() => {})).catch(() => {});

/* Keeps the unsaved state of a file: {path, original, bytes, time}; `root`: {path, file}: the file that it is part of. */
export async function keepWork(work, root) {
  await use('roots', store => done(store.put(root, `${page}/${root.path}`)));
  return use('work', store => done(store.put({...work, root: root.path, page}, `${page}/${work.path}`)));
}

export function forgetWork(path, from = page) {
  return use('work', store => done(store.delete(`${from}/${path}`)));
}

/* Work of pages that are gone: [{path, original, bytes, time, root, file, page}]. */
export async function leftWork() {
  const all = await use('work', store => done(store.getAll()), []);
  const {held = []} = await navigator.locks?.query().catch(() => ({})) ?? {};
  const alive = new Set(held.map(lock => lock.name));
  const left = all.filter(work => !alive.has(work.page));
  for (const work of left)
    work.file = (await use('roots', store => done(store.get(`${work.page}/${work.root}`))))?.file;
  const used = new Set(all.map(work => `${work.page}/${work.root}`));
  await use('roots', async store => {
    for (const key of await done(store.getAllKeys()))
      if (!used.has(key) && !alive.has(key.split('/')[0])) await done(store.delete(key));
  });
  return left.filter(work => work.file);
}

export function keptArt() {
  return use('art', store => done(store.getAll()), []);
}

/* Keeps these files as art; none: forgets it. */
export function keepArt(list) {
  return use('art', async store => {
    await done(store.clear());
    for (const {path, file} of list) await done(store.put({path, file, art: true}, path));
    return true;
  });
}

/* Files of earlier visits, the latest first: [{name, time, handle}] or [{name, time, files}]. */
export async function recents() {
  const all = await use('recent', store => done(store.getAll()), []);
  return all.sort((a, b) => b.time - a.time);
}

export function keepRecent(recent) {
  return use('recent', async store => {
    await done(store.put(recent, recent.name));
    const all = (await done(store.getAll())).sort((a, b) => b.time - a.time);
    for (const {name} of all.slice(mostRecent)) await done(store.delete(name));
  });
}

export function forgetRecent() {
  return use('recent', store => done(store.clear()));
}

/* What was copied last in any page of this browser. */
export function keepClip(clip) {
  return use('clip', store => done(store.put(clip, 'clip')));
}

export function keptClip() {
  return use('clip', store => done(store.get('clip')));
}
