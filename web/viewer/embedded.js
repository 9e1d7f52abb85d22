/*
 * Files that `lvl view' put into the page: {open, art, files}; `art` are folders and archives to search for pictures. In a site (`lvl
 * view --site', `lvl gallery') they lie beside the page as scripts, since a page from a disk may read no files: the address names the level.
 */
import {$, bytesOf} from './dom.js';

/* Runs a script of the site. */
function load(path) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = path;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${path} is missing: copy the whole folder of the site.`));
    document.head.append(script);
  });
}

async function levelOfSite() {
  const id = new URLSearchParams(location.search).get('level') ?? '';
  if (!/^[0-9a-f]+$/.test(id)) {
    location.replace('index.html');
    return new Promise(() => {});
  }
  let level;
  const contents = new Map();
  globalThis.lvlLevel = value => { level = value; };
  globalThis.lvlFile = (name, base64) => contents.set(name, bytesOf(base64));
  try {
    await load(`levels/${id}.js`);
  } catch { /* a level whose file is not in the site */
    location.replace(`level.html?level=${id}`);
    return new Promise(() => {});
  }
  const ids = [...new Set(level.files.map(file => file.id))];
  /* A browser opens only so many files at once. */
  for (let i = 0; i < ids.length; i += 64)
    await Promise.all(ids.slice(i, i + 64).map(one => load(`files/${one}.js`)));
  const links = {siteBack: 'index.html', sitePrevious: level.previous, siteNext: level.next};
  for (const [name, target] of Object.entries(links)) {
    $(name).hidden = !target;
    $(name).href = name === 'siteBack' ? target : `?level=${target}`;
  }
  return {...level, files: level.files.map(({path, id: one}) => ({path, file: contents.get(one)}))};
}

/* null: none. */
export async function embedded() {
  const text = document.getElementById('lvl-files')?.textContent;
  if (!text) return document.getElementById('lvl-site') ? levelOfSite() : null;
  const {open, art, files} = JSON.parse(text);
  return {open, art, files: files.map(({path, base64}) => ({path, file: bytesOf(base64)}))};
}
