/* The index of a site (src/cli/pages/site.h): web/viewer/cards.js stands before this. */
'use strict';

const site = globalThis.lvlSite; /* {levels, folded, parts, shards, counts} */

/* A row of the index: `first' is the number of the first level with this content, and `copies' how many have it. */
function levelOf([id, path, bytes, verdict, size, hasPicture, kind, game, author, year, title, first, copies], at) {
  const facts = [title && path, author && `by ${author}`, size].filter(Boolean).join(', ');
  return {id, path, bytes, verdict, kind, game, author, year, first, copies, at, facts, title, label: title || path, hasPicture};
}

/* ---- the words of all texts -------------------------------------------------------------------------- */

const shards = new Map(); /* number: its text, or null while it is loaded */
const found = new Map(); /* word: marks of the levels that have it */
globalThis.lvlWords = (number, text) => shards.set(number, `\n${text}`);

function load(path) {
  return new Promise(done => {
    const script = document.createElement('script');
    script.src = path;
    script.onload = script.onerror = done;
    document.head.append(script);
  });
}

/* As the catalogue compares words: in lower case, without accents. */
const plain = text => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');

/* Marks the levels with a word that begins with it. False: that part of the words is not here yet. */
function mark(word, marks) {
  const bytes = new TextEncoder().encode(word);
  const number = (bytes[0] * 31 + bytes[1]) % site.shards;
  if (!shards.has(number)) {
    shards.set(number, null);
    load(`words-${number}.js`).then(() => {
      if (shards.get(number) === null) shards.set(number, '\n'); /* it could not be loaded */
      cards.update();
    });
  }
  const text = shards.get(number);
  if (text === null) return false;
  for (let at = text.indexOf(`\n${word}`); at >= 0; at = text.indexOf(`\n${word}`, at + 1)) {
    /* the numbers after the word, in base 36, each as its difference from the one before */
    let row = 0, step = 0;
    for (let i = text.indexOf(' ', at + 1) + 1; ; i++) {
      const code = text.charCodeAt(i);
      if (code > 32) {
        step = step * 36 + code - (code > 57 ? 87 : 48);
        continue;
      }
      row += step;
      step = 0;
      marks[row] = 1;
      if (code !== 32) break;
    }
  }
  return true;
}

/* The levels that have all words of a part of the search: marks by their number; null: not known yet;
   undefined: a word of one letter, or none, which is only searched among what is shown. */
function having(text) {
  if (found.has(text)) return found.get(text);
  const words = plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  if (!words.length || words.some(word => new TextEncoder().encode(word).length < 2)) return undefined;
  let all;
  let known = true;
  for (const word of words) {
    const marks = new Uint8Array(site.levels);
    known = mark(word, marks) && known;
    if (all) marks.forEach((one, i) => { all[i] &= one; });
    all ??= marks;
  }
  if (!known) return null;
  if (found.size > 50) found.clear();
  found.set(text, all);
  return all;
}

/* ---- the index --------------------------------------------------------------------------------------- */

let {parts} = site; /* that are not here yet */
let first = true; /* only pictures in the window are loaded, and nothing else */
let waiting = false; /* for them */

function loadPicture({image, id}) {
  if (image && !image.src) image.src = `pictures/${id}.png`;
}

const whenIdle = run => globalThis.requestIdleCallback ? requestIdleCallback(run) : setTimeout(run, 50);

/* The rest, when the first screen is there or something is asked for: the other rows, and what a search needs. */
async function loadRest() {
  if (!first) return;
  first = false;
  cards.levels.forEach(loadPicture);
  const rows = [];
  globalThis.lvlMore = more => rows.push(...more);
  for (let part = 1; part <= parts; part++) await load(`levels-${part}.js`);
  const begin = globalThis.lvlRows.length;
  if (parts) {
    parts = 0;
    cards.addLevels(rows.map((row, i) => levelOf(row, begin + i)));
  }
  let at = 0;
  whenIdle(function prepare() {
    at = cards.prepare(at);
    if (at) whenIdle(prepare);
  });
}

const cards = new Cards(document.querySelector('main'), {
  address: ({id}) => `level.html?level=${id}`,
  picture(level) {
    if (!level.hasPicture) return undefined;
    level.image = document.createElement('img');
    Object.assign(level.image, {loading: 'lazy', decoding: 'async', alt: ''});
    if (!first) loadPicture(level);
    return level.image;
  },
  async seen() {
    if (!first) return;
    const seen = cards.inSight.filter(({node}) => node.getBoundingClientRect().top < innerHeight);
    seen.forEach(loadPicture);
    if (waiting || !seen.length) return;
    waiting = true;
    await Promise.allSettled(seen.map(({image}) => image?.decode()));
    loadRest();
  },
  changed() {
    const {state} = cards;
    history.replaceState(null, '', state.size ? `#${state}` : location.pathname + location.search);
    try {
      sessionStorage.setItem('lvl-index', location.hash); /* of the page about a level */
    } catch { /* a browser that keeps nothing */ }
    if (state.size) loadRest();
  },
  sorted: true,
  rest: () => parts ? site : undefined,
  facets: {game: 'All games', author: 'All authors', year: 'All years'},
  having,
});
const {hash} = location;
cards.levels = globalThis.lvlRows.map(levelOf);
cards.fields.query.placeholder = 'Any word: a name, author, sign, script';
if (hash.length > 1) cards.state = new URLSearchParams(hash.slice(1));
