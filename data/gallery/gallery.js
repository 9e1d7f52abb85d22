/* The index of a site that `lvl view --site' wrote: cards of levels, made as they are scrolled to; search, filters, order. */
'use strict';

const $ = id => document.getElementById(id);
const step = 120; /* cards that are added at once */
let shown = []; /* the rows that match, in order */
let made = 0;

/* [id, path, bytes, verdict, "kind, bytes: facts", whether it has a picture] */
const levels = globalThis.lvlRows.map(([id, path, bytes, verdict, text, picture]) => {
  const [, kind, facts] = /^(.*?), \d+ bytes:? ?(.*)$/s.exec(text) ?? ['', '', text];
  return {id, path, bytes, verdict, kind, facts, picture, key: `${path} ${kind} ${facts}`.toLowerCase()};
});

function size(bytes) {
  return bytes < 1e4 ? `${bytes} bytes` : bytes < 1e7 ? `${Math.round(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`;
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function card(level) {
  const link = element('a', 'level');
  link.href = `lvl.html?level=${level.id}`;
  const picture = element('div', 'picture', level.picture ? undefined : 'no picture');
  if (level.picture) {
    const image = document.createElement('img');
    image.loading = 'lazy';
    image.decoding = 'async';
    image.alt = '';
    image.src = `pictures/${level.id}.png`;
    picture.append(image);
  }
  const text = element('div', 'text');
  text.append(element('div', 'name', level.path), element('div', 'facts', level.facts || level.kind));
  const last = element('div', 'facts', `${level.kind}, ${size(level.bytes)}`);
  if (level.verdict !== 'sound') last.append(', ', element('span', 'damaged', level.verdict));
  text.append(last);
  link.append(picture, text);
  return link;
}

function more() {
  const rows = shown.slice(made, made + step);
  $('cards').append(...rows.map(card));
  made += rows.length;
}

const end = element('div', 'end');
const watch = new IntersectionObserver(([entry]) => {
  if (!entry.isIntersecting || made >= shown.length) return;
  more();
  watch.unobserve(end); /* again, if the end is still in view */
  watch.observe(end);
}, {rootMargin: '1500px'});

const orders = {
  path: (a, b) => a.at - b.at,
  large: (a, b) => b.bytes - a.bytes || a.at - b.at,
  small: (a, b) => a.bytes - b.bytes || a.at - b.at,
};

function update() {
  const words = $('query').value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = $('kind').value;
  const verdict = $('verdict').value;
  shown = levels.filter(level => (!kind || level.kind === kind) && (!verdict || level.verdict === verdict)
    && words.every(word => level.key.includes(word))).sort(orders[$('order').value]);
  $('cards').replaceChildren();
  made = 0;
  more();
  watch.unobserve(end);
  watch.observe(end);
  const all = levels.length;
  $('count').textContent = shown.length === all ? `${all} ${all === 1 ? 'level' : 'levels'}` : `${shown.length} of ${all}`;
  $('none').hidden = shown.length > 0;
  const state = new URLSearchParams();
  for (const id of ['query', 'kind', 'verdict', 'order'])
    if ($(id).value && $(id).value !== 'path') state.set(id, $(id).value);
  history.replaceState(null, '', state.size ? `#${state}` : location.pathname + location.search);
}

function fill(select, values) {
  for (const value of [...new Set(values)].sort()) {
    const option = element('option', '', value);
    option.value = value;
    select.append(option);
  }
}

const collator = new Intl.Collator(undefined, {numeric: true});
levels.sort((a, b) => collator.compare(a.path, b.path));
for (const [i, level] of levels.entries()) level.at = i;
fill($('kind'), levels.map(level => level.kind));
fill($('verdict'), levels.map(level => level.verdict));
const state = new URLSearchParams(location.hash.slice(1));
for (const [id, value] of state) if ($(id) && 'value' in $(id)) $(id).value = value;
$('cards').after(end);
$('form').onsubmit = event => event.preventDefault();
for (const id of ['query', 'kind', 'verdict', 'order']) $(id).oninput = update;
$('clear').onclick = () => {
  $('form').reset();
  update();
};
update();
