/* The list of things of a level with a search, and one record with its fields, which can be changed. */
import {button, count, h, kept, keptButton, keptField, keptHeading, keptList, keptRow, keptSame, keptText, moreRow, notice, refill,
  unchanging, updater} from './dom.js';
import {addPart, placeCopies} from './add.js';
import {partsOf, thingOf, usualFor} from './book.js';
import {goToSpans} from './hex.js';
import {queryOf, searchPart} from './search.js';
import {soundButton, stopSound} from './sounds.js';
import {destination, fieldWith, isUnfolded, tableFor} from './tables.js';

const most = 300;

export function thingsPage(app, node, state) {
  const {known} = node;
  const things = app.doc.scene?.things ?? [];
  const total = keptText(known, 'total', undefined, () => h('p', {className: 'soft', role: 'status'}));
  const show = () => {
    const isField = !('text' in queryOf(state.filter));
    const wanted = isField ? '' : state.filter.toLowerCase();
    const some = things.filter(t => [t.label, t.kind, t.picture, t.path].some(v =>
      v?.toLowerCase().includes(wanted)));
    const list = keptList(known, 'things', [...some.slice(0, most).map(thing => ({key: `${thing.path} ${thing.label || thing.kind}`,
      shown: [thing.label || thing.kind, `${thing.kind} · ${thing.x}, ${thing.y}`
        + `${thing.hidden ? ' · hidden' : ''}${thing.missing ? ' · picture missing' : ''}`], run: () => {
        app.select(thing, {centre: true});
        if (thing.path) app.panel.showRecord(thing.path);
      }})), ...moreRow(some.length, most)]);
    list.hidden = total.hidden = isField;
    total.textContent = !things.length ? 'No things here.' : !wanted ? count(things.length, 'thing')
      : some.length ? `${count(some.length, 'thing')} found, of ${things.length}`
        : `No thing has "${state.filter}" in its name, kind, picture or path.`;
    return list;
  };
  const {search, searchSoon, parts} = searchPart(app, state, known);
  const input = keptField(known, 'search', state.filter, {type: 'search', placeholder: 'Search things, signs, scripts',
    'aria-label': 'Search things, signs, scripts', oninput: event => {
      state.filter = event.target.value;
      show();
      searchSoon();
    }});
  refill(node, addPart(app, state), input, total, parts, show());
  search();
}

function crumbs(app, path, known) {
  const parts = path ? path.split('.') : [];
  const go = to => keptButton(known, `to ${to.path}`, to.label, () => app.panel.showRecord(to.path), {className: 'link'});
  const node = kept(known, 'the crumbs', null, () => unchanging(h('nav', {className: 'crumbs', 'aria-label': 'Path of this record'})));
  refill(node, go({label: app.path.split('/').pop(), path: ''}),
    parts.map((part, i) => ['›', go({label: part, path: parts.slice(0, i + 1).join('.')})]));
  return node;
}

export async function recordPage(app, node, state) {
  const path = state.recordPath;
  const value = await app.ask('get', path);
  const isList = Array.isArray(value);
  const isItem = value !== undefined && !isList && /\[\d+\]$/.test(path) && app.doc.can.includes('write');
  const table = tableFor(app.format, path);
  const thing = isList ? null : await thingOf(app, path, value, table);
  const rows = node.rows?.path === path && node.rows.of === app.session ? node.rows : {path, of: app.session, known: new Map()};
  if (rows !== node.rows) stopSound();
  node.rows = rows;
  const {known} = rows;
  const text = (key, words, props) => keptText(known, key, words, () => h('p', props));
  const body = value === undefined ? [text('gone', 'There is nothing at this path now.', {})]
    : isList ? listItems(app, path, value, table, known) : [bookPart(app, path, value, thing, known), fields(app, path, value, table, known, thing)];
  const links = app.doc.scene?.links?.filter(link => link.path === path) ?? [];
  const several = alike(app, path).length;
  refill(node, crumbs(app, path, known), !isList && !thing && table?.prose && text('prose', table.prose, {className: 'soft'}),
    links.map((link, i) => keptRow(known, `link ${i}`, keptButton(known, `go ${i}`, `Go to ${link.target}`, () => app.followLink(link)),
      destination(table) && app.doc.can.includes('write')
        && keptButton(known, `choose ${i}`, 'Choose where it leads', () => app.chooseArrival(link)))),
    several > 1 && text('several', `A change here is made to all ${several} selected things of this kind, but for their ids.`,
      {className: 'hint', role: 'status'}),
    isItem && itemRow(app, path, value, table, known), body);
}

/* An item of a list can be duplicated and removed. */
function itemRow(app, path, value, table, known) {
  const copies = placeCopies(app, path, value);
  return keptRow(known, 'item',
    keptButton(known, 'duplicate', 'Duplicate', async () => {
      const watched = {looks: app.looks, session: app.session};
      const done = await app.issue('duplicate', {label: `duplicate ${path}`, things: [path]});
      if (done?.made && app.isWatched(watched)) app.lookAt(`${done.made}.`);
    }),
    copies && keptButton(known, 'copies', 'Place copies', copies),
    keptButton(known, 'delete', 'Delete', () => removeItems(app, [path]), {title: 'Delete (Del)'}));
}

/* The command `duplicate`: the copy, as the item is now, comes next to it. */
export function duplicate(app, {things: [path]}) {
  const [, list, at] = /^(.*)\[(\d+)\]$/.exec(path);
  return {paste: [{things: [path], to: list, index: +at + 1}]};
}

/* Removes items of lists. */
export async function removeItems(app, unset) {
  const watched = {looks: app.looks, session: app.session};
  const label = unset.length > 1 ? `delete ${unset.length} things` : `delete ${unset[0]}`;
  const done = await app.edit([], label, {unset});
  if (done && app.isWatched(watched)) app.panel.showRecord(unset[0].replace(/\[\d+\]$/, ''));
}

function listItems(app, path, items, table, known) {
  const name = item => {
    if (item === null || typeof item !== 'object') return String(item);
    const label = table?.label && item[table.label];
    return String(label || item[fieldWith(table, 'name')?.name] || '').slice(0, 80);
  };
  const most = 1000;
  const rows = items.slice(0, most).map((item, i) => ({key: `${i} ${name(item)}`, shown: [`${i}  ${name(item)}`], run: () => {
    app.select(app.thingFor(`${path}[${i}]`), {centre: true});
    app.panel.showRecord(`${path}[${i}]`);
  }}));
  return [items.length ? keptList(known, 'items', [...rows, ...moreRow(items.length, most)])
    : keptText(known, 'empty', 'Empty.', () => h('p', {className: 'soft'}))];
}

/* What a thing is in its game, and the fields that it uses there. */
function bookPart(app, path, value, thing, known) {
  if (!thing) return [];
  const valueAt = name => name.split('.').reduce((from, member) => from?.[member], value);
  const rowsOf = list => list.map(field => row(app, `${path}.${field.name}`, field, valueAt(field.name), known));
  const {shown, folded: rest, unread} = partsOf(thing, value);
  return [keptText(known, 'the thing', `${thing.title}: ${thing.is}`, () => h('p', {className: 'about'})),
    ...thing.notes.map((note, i) => keptText(known, `note ${i}`, note, () => h('p', {className: 'soft'}))),
    thing.uses.length > 0 && keptHeading(known, `What ${thing.title} uses`), ...rowsOf(shown), ...folded('uses', 'More that it can use', rowsOf(rest), known),
    unread.length > 0 && keptHeading(known, 'Set, but its game does not read it'), ...rowsOf(unread)];
}

/*
 * `known`: the rows that are shown, which are changed in place if their kind of control stays. `thing`: fields that it uses are shown before.
 */
function fields(app, path, value, table, known, thing) {
  if (value === null || typeof value !== 'object') {
    const parent = path.replace(/\.[^.]*$/, '');
    const field = tableFor(app.format, parent === path ? '' : parent)?.fields
      .find(f => f.name === path.split('.').pop()) ?? {name: path, kind: typeof value === 'number' ? 'int'
        : 'text'};
    return [row(app, path, field, value, known)];
  }
  const before = thing ? [...thing.uses, ...partsOf(thing, value).unread] : [];
  const isUsed = name => before.some(field => field.name === name);
  const withUsual = field => {
    const suggest = thing && usualFor(field, thing);
    /* The logic's own row stays while it is typed, whatever things that names. */
    return suggest ? {...field, suggest, book: field.name === table.label ? undefined : thing.key} : field;
  };
  const all = table?.fields.filter(field => !isUsed(field.name)).map(withUsual) ?? Object.keys(value).map(name => ({name, kind: 'text', role: 'value'}));
  const shown = all.filter(field => field.name in value || ['list', 'text', 'int'].includes(field.kind))
    .filter(field => field.name in value || (field.role === 'value' && isThere(field, value)));
  const rowsOf = list => list.map(field =>
    row(app, path ? `${path}.${field.name}` : field.name, field, value[field.name], known));
  if (!shown.some(field => field.group)) return rowsOf(shown.filter(field => field.role !== 'unknown')).concat(
    folded('unknown', 'Unknown', rowsOf(shown.filter(field => field.role === 'unknown')), known));
  const parts = groups.flatMap(([group, title]) => {
    const fieldsOfGroup = shown.filter(field => field.role === 'value' && (field.group ?? '') === group);
    if (!fieldsOfGroup.length) return [];
    const isCommon = field => isUnfolded(field, table, thing?.uses.length > 0);
    const [common, others] = [true, false].map(flag => rowsOf(fieldsOfGroup.filter(field => isCommon(field) === flag)));
    /* A few more need no fold. */
    const isFew = !common.length || others.length <= 2;
    return [keptHeading(known, title), ...common,
      ...isFew ? others : folded(group, `More about ${title.toLowerCase()}`, others, known)];
  });
  return [...parts, ...folded('derived', 'Computed', rowsOf(shown.filter(field => field.role === 'derived')), known),
    ...folded('unknown', 'Unknown', rowsOf(shown.filter(field => field.role === 'unknown')), known)];
}

/* The groups of the tables, what people change most first. */
const groups = [['behaviour', 'Behaviour'], ['place', 'Place'], ['look', 'Look'], ['', 'Other']];
const opened = new Set(); /* folds that the user opened: they stay open for other records */

function folded(group, title, rows, known) {
  if (!rows.length) return [];
  const fold = kept(known, `fold ${group}`, null, () => unchanging(h('details', {className: 'fold', open: opened.has(group),
    ontoggle: event => opened[event.target.open ? 'add' : 'delete'](group)}, h('summary', {}))));
  const summary = `${title} (${rows.length})`;
  if (fold.firstChild.textContent !== summary) fold.firstChild.textContent = summary;
  refill(fold, fold.firstChild, rows);
  return [fold];
}

/* The row of a field: the one that is shown, with the new value, or a new one. */
function row(app, path, field, value, known) {
  return kept(known, field.book ? `${path} of ${field.book}` : path, value, () => fieldRow(app, path, field, value));
}

/* Fields that exist only for some values of another field. */
function isThere({when}, value) {
  if (!when) return true;
  return typeof value[when.field] === 'number' ? when.values.includes(value[when.field]) : false;
}

function fieldRow(app, path, field, value) {
  const id = `f-${path}`;
  const inner = field.kind === 'record' || field.kind === 'list' || (value && typeof value === 'object');
  const {input, update} = inner ? nested(app, path, field, value)
    : editor(app, path, field, value, id);
  const node = h('div', {className: 'field'},
    h('div', {className: 'head'}, inner ? h('span', {className: 'name'}, field.name)
      : h('label', {htmlFor: id}, field.title ?? field.name),
      field.title && h('span', {className: 'unit'}, field.name),
      field.unit && h('span', {className: 'unit'}, field.unit),
      (field.min || field.max) && !field.names && h('span', {className: 'unit'}, `${field.min} to ${field.max}`),
      button('bytes', () => showBytes(app, path),
        {className: 'link bytes', 'aria-label': `Bytes of ${field.name}`, tabIndex: -1,
          title: 'Alt+B in the field'})),
    field.use === 'sound' ? h('div', {className: 'beside'}, input, soundButton(app, () => node.querySelector('input').value)) : input,
    field.prose && h('p', {}, field.prose));
  node.addEventListener('keydown', event => {
    if (!event.altKey || event.key.toLowerCase() !== 'b') return;
    event.preventDefault();
    showBytes(app, path);
  });
  return {node, update};
}

/* What is in a record, a list or cells, and for the first two a button that shows it: as `editor`. */
function nested(app, path, field, given) {
  const isCells = value => Boolean(value?.rows);
  const isInner = value => ['record', 'list'].includes(field.kind) || Boolean(value && typeof value === 'object');
  const input = isCells(given) ? h('span', {}) : button('', () => app.panel.showRecord(path), {className: 'link'});
  const update = value => {
    if (!isInner(value) || isCells(value) !== isCells(given)) return false;
    if (isCells(value)) {
      input.textContent = `${value.width} × ${value.height} cells`;
      return true;
    }
    const simple = value && !Array.isArray(value) && Object.values(value).every(v => typeof v !== 'object');
    const label = Array.isArray(value) ? count(value.length, 'item') : value === undefined ? 'none'
      : simple ? Object.entries(value).map(([k, v]) => `${k} ${v}`).join(', ') : 'open';
    input.textContent = label;
    input.disabled = value === undefined;
    input.setAttribute('aria-label', `${field.name}: ${label}`);
    return true;
  };
  update(given);
  return {input, update};
}

/*
 * The control for a field: a text, a number, a choice, flags. `update` shows another value in it, unless the user is
 * typing there; false: that value needs another control.
 */
function editor(app, path, field, value, id) {
  const fixed = field.role === 'derived' || !app.doc.can.includes('write');
  let waiting = 0; /* changes that are not made yet: what the user chose stays until then */
  const change = async text => {
    waiting++;
    await set(app, path, field, text).finally(() => waiting--);
  };
  const made = makeEditor(app, path, field, value, {id, fixed, change});
  return {...made, update: given => waiting > 0 || made.update(given)};
}

function makeEditor(app, path, field, value, {id, fixed, change}) {
  const common = {id, disabled: fixed, onchange: event => change(event.target.value)};
  const shown = value ?? field.default ?? '';
  if (field.names && field.flags) return flags(path, field, shown, fixed, change);
  const kindOf = v => `${typeof v === 'number'} ${field.lines || String(v).includes('\n')}`;
  if (field.names && field.kind === 'int') {
    const valueOf = n => n?.set ?? n?.name;
    const nameOf = v => valueOf(field.names.find(n => valueOf(n) === String(v) || n.value === v)) ?? String(v);
    const select = h('select', common);
    const prose = h('p', {});
    const update = given => {
      const current = nameOf(given ?? field.default ?? '');
      if (![...select.options].some(option => option.value === current))
        select.prepend(h('option', {value: current}, current));
      select.value = current;
      prose.textContent = field.names.find(n => valueOf(n) === current)?.prose ?? '';
      return true;
    };
    select.append(...field.names.map(n => h('option', {value: valueOf(n)}, n.set ? `${n.name} (${n.value})` : n.name)));
    update(value);
    return {input: h('div', {}, select, prose), update};
  }
  const text = String(shown);
  const typed = input => {
    const show = updater(input, text);
    return {input, update: given => {
      const next = given ?? field.default ?? '';
      if ((given && typeof given === 'object') || kindOf(next) !== kindOf(shown)) return false;
      show(next);
      return true;
    }};
  };
  if (field.lines || text.includes('\n')) return typed(h('textarea', {...common, value: text, rows: 8,
    spellcheck: false}));
  const isNumber = (field.kind === 'int' || field.kind === 'real') && typeof shown === 'number';
  const made = typed(h('input', {...common, type: isNumber ? 'number' : 'text', step: 'any', value: text,
    min: isNumber ? field.min : undefined, max: isNumber ? field.max : undefined}));
  if (!field.suggest?.length) return made;
  made.input.setAttribute('list', `${id}-usual`);
  return {...made, input: h('div', {}, made.input, h('datalist', {id: `${id}-usual`},
    field.suggest.map(one => h('option', typeof one === 'object' ? one : {value: one}))))};
}

function flags(path, field, value, fixed, change) {
  let rest = [];
  const boxes = field.names.map(() => h('input', {type: 'checkbox', disabled: fixed, onchange: () =>
    change([...field.names.filter((_, i) => boxes[i].checked).map(n => n.name), ...rest].join('|') || '0')}));
  const update = given => {
    const now = given ?? field.default ?? '';
    const on = typeof now === 'number' ? null : String(now).split('|');
    for (const [i, {name, value: bits}] of field.names.entries())
      boxes[i].checked = on ? on.includes(name) : bits !== 0 && (now & bits) === bits;
    rest = on ? on.filter(v => v && v !== '0' && !field.names.some(n => n.name === v)) : [];
    return true;
  };
  update(value);
  return {update, input: h('div', {className: 'flags', role: 'group', 'aria-label': field.name},
    field.names.map((n, i) => h('label', {className: 'switch', title: n.prose ?? ''}, boxes[i], n.name)))};
}

/* The selected things of the same list, if a path is the record of the selected thing or in it. */
function alike(app, path) {
  const {selected} = app;
  if (!selected || (path !== selected && !path.startsWith(`${selected}.`))) return [];
  const listOf = one => one.replace(/\[\d+\]$/, '');
  return app.selection.filter(one => listOf(one) === listOf(selected));
}

async function set(app, path, field, text) {
  const value = field.kind === 'text' ? JSON.stringify(text) : text.trim();
  const rest = path.slice(app.selected?.length);
  /* An id is about one thing. */
  const changes = field.roles?.includes('id') ? [] : alike(app, path).map(one => `${one}${rest}=${value}`);
  const done = await app.edit(changes.length ? changes : [`${path}=${value}`],
    `${path} = ${text.slice(0, 60)}${changes.length > 1 ? ` and of ${changes.length - 1} more` : ''}`);
  if (!done) {
    app.panel.redraw();
  } else if (!app.selected) {
    const thing = app.thingFor(path);
    if (thing) app.selectAll([thing]);
  }
}

async function showBytes(app, path) {
  const spans = await app.run(() => app.client.call('explain', {path}));
  if (!spans?.length) {
    notice(`${path} has no bytes of its own in the file.`);
    return;
  }
  await app.run(() => goToSpans(app, spans));
}
