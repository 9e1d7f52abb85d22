/* The index of a site that `lvl view --site' or `lvl gallery' wrote: web/viewer/cards.js stands before this. */
'use strict';

const site = globalThis.lvlSite; /* of a gallery: {levels, parts, shards} */

/* [id, path, bytes, verdict, line of `lvl info', whether it has a picture]; in a gallery, facts instead of the line, and then
   kind, game, author, year, title, and the number of the first level with this content. */
function levelOf([id, path, bytes, verdict, line, hasPicture, kind, game, author, year, title, first], at) {
  if (!site) return {id, path, bytes, verdict, ...partsOfLine(line), hasPicture};
  const facts = [title && path, author && `by ${author}`, line].filter(Boolean).join(', ');
  return {id, path, bytes, verdict, kind, game, author, year, first, at, facts, label: title || path, hasPicture};
}

/* ---- the words of all texts -------------------------------------------------------------------------- */

const shards = new Map(); /* number: its text, or null while it is loaded */
const found = new Map(); /* word: the numbers of the levels that have it */
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

/* The levels with a word that begins so; null: not known yet, or too short. */
function having(word) {
  const bytes = new TextEncoder().encode(word);
  if (bytes.length < 2) return null;
  const number = (bytes[0] * 31 + bytes[1]) % site.shards;
  const text = shards.get(number);
  if (text === undefined) {
    shards.set(number, null);
    load(`words-${number}.js`).then(() => cards.update());
  }
  if (!text) return null;
  const levels = new Set();
  for (let at = text.indexOf(`\n${word}`); at >= 0; at = text.indexOf(`\n${word}`, at + 1)) {
    let row = 0;
    for (const step of text.slice(at + 1, text.indexOf('\n', at + 1)).split(' ').slice(1)) levels.add(row += parseInt(step, 36));
  }
  return levels;
}

/* Whether all words that a part of the search consists of occur in the level. */
function has({at}, text) {
  if (!found.get(text)) {
    const parts = plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean).map(having);
    if (!parts.length || parts.includes(null)) return false;
    if (found.size > 50) found.clear();
    found.set(text, parts);
  }
  return found.get(text).every(levels => levels.has(at));
}

/* ---- the index --------------------------------------------------------------------------------------- */

/* Some or all rows of the index are there. */
function show(levels) {
  const copies = new Map();
  if (site) for (const {first} of levels) copies.set(first, (copies.get(first) ?? 0) + 1);
  for (const level of levels) level.copies = copies.get(level.first) ?? 1;
  cards.levels = levels;
}

const cards = new Cards(document.querySelector('main'), {
  address: ({id}) => `${site ? 'level' : 'lvl'}.html?level=${id}`,
  picture({id, hasPicture}) {
    if (!hasPicture) return undefined;
    const image = document.createElement('img');
    Object.assign(image, {loading: 'lazy', decoding: 'async', alt: '', src: `pictures/${id}.png`});
    return image;
  },
  changed() {
    const {state} = cards;
    history.replaceState(null, '', state.size ? `#${state}` : location.pathname + location.search);
  },
  ...(site && {facets: {game: 'All games', author: 'All authors', year: 'All years'}, has, all: () => site.levels}),
});
cards.state = new URLSearchParams(location.hash.slice(1));
show(globalThis.lvlRows.map(levelOf));

/* The rest of a large site, when the first screen is there. */
(async () => {
  const rows = [...globalThis.lvlRows];
  globalThis.lvlMore = more => rows.push(...more);
  const parts = site?.parts ?? globalThis.lvlParts;
  for (let part = 1; part <= parts; part++) await load(`levels-${part}.js`);
  if (parts) show(rows.map(levelOf));
})();
