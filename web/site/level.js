/* The page about one level of a site (src/cli/pages/site.h): level.html?level=ID shows about/ID.js. */
'use strict';

const $ = id => document.getElementById(id);

function element(name, className, ...inside) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...inside.filter(part => part !== undefined && part !== ''));
  return made;
}

function section(title, inside) {
  if (inside) $('about').append(element('h2', '', title), inside);
}

/* A path that breaks after its folders rather than within a name. */
const pathText = path => (path.match(/[^/]*\/|[^/]+$/g) ?? []).flatMap(text => [text, element('wbr')]).slice(0, -1);

function link([id, path]) {
  const made = element('a', '', path);
  made.href = `?level=${id}`;
  return made;
}

/* Small cards of levels: [id, path, picture, what is said about it]. */
function cards(levels, say) {
  if (!levels?.length) return null;
  return element('div', 'row', ...levels.map(level => {
    const [id, path, picture, fact] = level;
    const card = element('a', 'level');
    card.href = `?level=${id}`;
    const stage = element('div', 'picture', picture ? '' : 'no picture');
    if (picture) {
      const image = element('img');
      image.loading = 'lazy';
      image.alt = '';
      image.src = `pictures/${id}.png`;
      stage.append(image);
    }
    card.append(stage, element('div', 'text', element('div', 'name', ...pathText(path)), element('div', 'facts', say?.(fact) ?? '')));
    return card;
  }));
}

function table(rows) {
  return rows.length ? element('table', '', ...rows.map(cells => element('tr', '', ...cells))) : null;
}

const cell = (text, className) => element('td', className, text);

/* "planes[].objects[].logic", with the place of the first value. */
function placed(field, places) {
  const numbers = places.split(/[\n ]/)[0].split('.');
  let at = 0;
  return field.replace(/\[\]/g, () => `[${numbers[at++] ?? ''}]`);
}

function facts(about) {
  const rows = [['Path', about.path], ['Format', [about.format, about.version].filter(Boolean).join(', ')], ['Game', about.game],
    ['Author', about.author], ['Date', about.date], ['Verdict', about.verdict], ['Bytes', about.bytes.toLocaleString('en')]];
  const list = element('dl');
  for (const [name, value] of rows)
    if (value) list.append(element('dt', '', name), element('dd', name === 'Verdict' && value !== 'sound' ? 'damaged' : '', String(value)));
  return list;
}

/* What `lvl info' says: single values. */
function known(text) {
  let info;
  try {
    info = JSON.parse(text);
  } catch {
    return null; /* cut, since it is long */
  }
  const list = element('dl');
  const show = value => Array.isArray(value) ? value.slice(0, 50).map(show).join(', ')
    : value && typeof value === 'object' ? Object.entries(value).slice(0, 50).map(([k, v]) => `${k} ${show(v)}`).join(', ') : String(value);
  for (const [name, value] of Object.entries(info))
    if (value !== '' && value !== 0 && value !== null && !(Array.isArray(value) && !value.length))
      list.append(element('dt', '', name.replaceAll('_', ' ')), element('dd', '', show(value)));
  return list;
}

function show(about, id) {
  const name = about.title || about.path;
  document.title = name;
  $('title').textContent = name;
  try { /* the index as it was left, with what was searched */
    $('all').href = `index.html${sessionStorage.getItem('lvl-index') ?? ''}`;
  } catch { /* a browser that keeps nothing */ }
  for (const way of ['previous', 'next']) {
    $(way).hidden = !about[way];
    $(way).href = `?level=${about[way]}`;
  }
  const shot = element('div', 'shot', about.picture ? '' : 'no picture');
  if (about.picture) {
    const image = element('img');
    image.alt = name;
    image.src = `pictures/${id}.png`;
    shot.append(image);
  }
  const open = element('a', 'open', 'Open in the viewer');
  open.href = `lvl.html?level=${id}`;
  $('about').append(element('div', 'top', shot, element('div', '', facts(about), about.viewer ? open : '')));
  if (about.copies?.length) section('The same content', table(about.copies.map(copy => [cell(link(copy))])));
  section('Other versions, by name', cards(about.versions, date => date));
  section('Alike', cards(about.alike, percent => `${percent} % alike`));
  const levels = new Map();
  for (const [kind, target, , , , level] of about.refs ?? []) if (kind === 'level' && level) levels.set(level[0], level);
  section('Leads to', cards([...levels.values()]));
  section('Reached from', cards(about.from));
  section('Findings', table((about.findings ?? []).map(([finding, severity, place, text, count]) => [
    cell(severity, `word ${severity}`), cell(finding), cell(place), cell(count > 1 ? `${text} (${count} times)` : text, 'text')])));
  section('Texts', table((about.texts ?? []).map(([field, path, text, places, cut]) => [cell(field, 'word'),
    cell(placed(path, places)), cell(element('pre', '', cut ? `${text}\n… (${cut} bytes more)` : text), 'text')])));
  section('Files it names', table((about.refs ?? []).map(([kind, target, place, count, found, level]) => [cell(kind, 'word'),
    cell(level ? link(level) : target), cell(place), cell(`${count} ×`, 'number'), cell(found === 0 && !level ? 'missing' : '', 'damaged')])));
  if (about.info?.length) section('Facts', known(about.info[0][0]));
  for (const text of $('about').querySelectorAll('pre'))
    if (text.scrollHeight > text.clientHeight) text.tabIndex = 0; /* it scrolls, also by keys */
}

const id = new URLSearchParams(location.search).get('level') ?? '';
globalThis.lvlAbout = about => show(about, id);
if (/^[0-9a-f]+$/.test(id)) {
  const script = document.createElement('script');
  script.src = `about/${id}.js`;
  script.onerror = () => $('about').append('There is no such level in this site.');
  document.head.append(script);
} else {
  location.replace('index.html');
}
