/* Adding things: a palette of what the open document can hold, and placing them where the user clicks. */
import {button, h, kept, keptSame, keptText, notice, refill, unchanging, updater} from './dom.js';
import {destination, fieldWith, placeIn} from './tables.js';

/*
 * The lists of things with a place that the document, in its version, can hold: below its root, and below the record of its main
 * layer. `choice`: the field that makes the most difference, which is the label, unless that is only an id.
 */
export function kindsOf(app) {
  const {tables} = app.format;
  const {scene, can} = app.doc;
  if (!scene || scene.error || !can.includes('write')) return [];
  const main = scene.layers.findIndex(layer => layer.main);
  const kinds = [];
  const look = (table, above, isRoot) => {
    for (const field of table.fields.filter(f => f.roles && f.table)) {
      const item = tables[field.table];
      if (isRoot && app.doc.absent.includes(field.name)) continue;
      if (field.roles.includes('objects') && placeIn(app, item)) {
        const choices = item.fields.filter(f => !f.roles?.includes('id') && f.role === 'value');
        const label = choices.find(f => f.name === item.label);
        kinds.push({list: above + field.name, table: item, name: item.name,
          choice: label ?? choices.find(f => f.kind === 'text')});
      } else if (isRoot && main >= 0 && field.roles.includes('layers')) {
        look(item, `${above}${field.name}[${main}].`, false);
      }
    }
  };
  look(Object.values(tables)[0], '', true);
  return kinds;
}

/* Whether such a thing leads to a place of another level. */
function isLink({table}) {
  return Boolean(destination(table));
}

/* The part of the Things tab with which things are added. */
export function addPart(app, state) {
  const kinds = kindsOf(app);
  if (!kinds.length) return null;
  /* For one document: what is chosen, and the parts that are shown, which are changed in place. */
  const add = state.add ??= {value: '', known: new Map(), offers: new Map()};
  const part = (key, value, make) => kept(add.known, key, value, make);
  const kind = kinds.find(k => k.name === add.kind) ?? kinds[0];
  add.kind = kind.name;
  const placing = () => ({kind: kindsOf(app).find(k => k.name === add.kind), value: add.value, several: add.several});
  const show = change => {
    Object.assign(add, change);
    if (app.placing) app.place(placing());
    app.panel.redraw();
  };
  const details = part('add', null, () => unchanging(h('details', {className: 'add', ontoggle: event => {
    if (!event.target.open) app.place(null);
    app.panel.redraw();
  }}, h('summary', {}, 'Add'))));
  const kindRow = kinds.length > 1 && part(`kinds ${kinds.map(k => k.name)}`, kind.name, () => {
    const select = h('select', {onchange: () => {
      app.place(null);
      show({kind: select.value, value: ''});
    }}, kinds.map(k => h('option', {value: k.name, selected: k === kind}, k.name)));
    return {node: h('label', {}, 'Kind', select), update: name => {
      select.value = name;
      return true;
    }};
  });
  const choiceRow = () => kind.choice && part(`choice ${kind.name}`, {value: add.value, offers: add.offers.get(kind.name) ?? []},
    given => choice(kind, given, value => show({value})));
  const several = part('several', null, () => unchanging(h('label', {className: 'switch'}, h('input', {type: 'checkbox',
    onchange: event => show({several: event.target.checked})}), 'Place several')));
  const start = part('start', Boolean(app.placing), isOn => {
    const node = button('', () => {
      app.place(app.placing ? null : placing());
      app.panel.redraw();
      if (app.placing) app.map.canvas.focus();
    });
    const update = on => {
      const text = on ? 'Stop placing' : 'Place on the map';
      if (node.textContent !== text) node.textContent = text;
      node.setAttribute('aria-pressed', String(on));
      return true;
    };
    update(isOn);
    return {node: h('div', {className: 'row'}, node), update};
  });
  refill(details, details.firstChild, kindRow,
    kind.table.prose && keptText(add.known, 'prose', /^.*?\.(?= |$)/.exec(kind.table.prose)?.[0] ?? kind.table.prose,
      () => h('p', {className: 'soft'})),
    choiceRow(), several, start, app.placing && keptText(add.known, 'placing', 'Click where it shall be, or move the map and press '
      + 'Enter for its middle. Esc ends this.', () => h('p', {className: 'soft', role: 'status'})));
  /* What is offered comes later: one can type before. */
  if (details.open && kind.choice) app.run(async () => {
    const {values, endings} = await app.ask('valuesOf', kind.list, kind.choice.name);
    const named = endings.length || !isLink(kind) ? endings : [app.name.split('.').pop()];
    const files = app.paths.map(path => path.split('/').pop())
      .filter(name => name !== app.name && named.includes(name.split('.').pop()));
    add.offers.set(kind.name, [...new Set([...values, ...files])]);
    if (add.kind === kind.name) choiceRow();
  });
  return details;
}

/* The row of the field that makes the most difference. */
function choice({choice: {names, name, kind: type}}, given, change) {
  const set = event => change(event.target.value);
  if (names && type === 'int') {
    const select = h('select', {onchange: set}, names.map(n => h('option', {value: n.name}, n.name)));
    const update = ({value}) => {
      select.value = value === '' ? names[0].name : value;
      return true;
    };
    update(given);
    return {node: h('label', {}, name, select), update};
  }
  const input = h('input', {value: given.value, onchange: set, list: 'values', autocomplete: 'off', 'aria-label': name,
    spellcheck: false});
  const list = h('datalist', {id: 'values'});
  const known = new Map();
  const showText = updater(input, given.value);
  const update = ({value, offers}) => {
    const some = offers.slice(0, 2).map(one => String(one).slice(0, 24)).join(', ');
    input.placeholder = some && `for example ${some}`;
    refill(list, offers.map(v => keptSame(known, v, [], () => h('option', {value: v}))));
    showText(value);
    return true;
  };
  update(given);
  return {node: h('label', {}, name, input, list), update};
}

/* Clicks on the map add copies of the thing with this path, as it is then, until Esc. Returns false if it has no place. */
export function placeCopies(app, path, item) {
  const kind = kindsOf(app).find(one => path.replace(/\[\d+\]$/, '') === one.list);
  if (!kind || typeof item !== 'object') return false;
  return () => {
    app.place({kind, value: '', several: true, like: path});
    app.map.canvas.focus();
    notice('Click where copies shall be, or move the map and press Enter for its middle. Esc ends this.');
  };
}

/* The place of a new thing in its own units, and the cell or px of the picture that this is. */
function placeAt(app, {table}, at) {
  const [left, top] = app.gameOrigin;
  const fields = placeIn(app, table);
  const steps = fields.map(({px, step}, i) => (app.snap ? Math.max(step, app.gridOf()[i] / px) : step));
  const units = fields.map(({px}, i) => Math.floor((at[i] + [left, top][i]) / px / steps[i]) * steps[i]);
  const rect = [units[0] * fields[0].px - left, units[1] * fields[1].px - top, fields[0].px, fields[1].px];
  return {fields, units, rect};
}

/* What is marked under the pointer while a thing is placed. */
export function placeRect(app, at) {
  return placeAt(app, app.placing.kind, at).rect;
}

/* The copy of a thing at that place, and what belongs to it with it, as the game's book says. */
async function copyAt(app, like, list, units, fields) {
  const names = fields.map(({inner, name}) => [inner, name].filter(Boolean).join('.'));
  const old = await app.client.call('copy', names.map(name => `${like}.${name}`));
  const by = fields.map(({px}, i) => Math.trunc((units[i] - (old[i] ?? 0)) * px));
  return {paste: [{things: [like], to: list, by, place: names.map((field, i) => ({field, value: units[i]}))}]};
}

/* The command `add`: a thing in the list of things[0], with the values that such things usually have, or a copy of things[1]. */
export async function add(app, {things: [owner, like], args: {kind: name, list: rest, given, units, fields}}) {
  const list = owner + rest;
  if (like) return copyAt(app, like, list, units, fields);
  const {table, choice: field} = kindsOf(app).find(kind => kind.name === name);
  const id = fieldWith(table, 'id')?.name;
  const {item: usual, count} = await app.ask('usual', list, field?.name, given, [id, ...fields.map(f => f.inner || f.name)]);
  const item = {...usual};
  delete item[id];
  if (given !== undefined) item[field.name] = given;
  /* An area without a size can be neither seen nor touched. */
  for (const role of ['width', 'height']) {
    const {name: side} = fieldWith(table, role) ?? {};
    if (side) item[side] ||= 1;
  }
  /* A link must say where the player appears: at the same place, until that is changed. */
  for (const [i, to] of destination(table)?.entries() ?? []) item[to] ||= `player${'xy'[i]}`;
  fields.forEach(({inner, name: axis}, i) => {
    if (inner) item[inner] = {...item[inner], [axis]: units[i]};
    else item[axis] = units[i];
  });
  return {set: [`${list}[+]=${JSON.stringify(item)}`], made: `${list}[${count}]`};
}

/* Adds the chosen thing at a place of the picture. */
export async function addAt(app, at) {
  const {placing} = app;
  const {kind, value, several, like} = placing;
  const {fields, units} = placeAt(app, kind, at);
  const given = kind.choice && value !== '' ? value : undefined;
  const watched = {looks: app.looks, session: app.session};
  const owner = /^(?:.*\[\d+\])?/.exec(kind.list)[0];
  const done = await app.issue('add', {label: `add ${kind.name}`, things: like ? [owner, like] : [owner],
    args: {kind: kind.name, list: kind.list.slice(owner.length), given, units, fields}});
  if (!done) {
    if (kind.choice && value === '' && !like)
      notice(`Not added: a ${kind.name} needs a ${kind.choice.name}. Fill it in first.`, true);
    return;
  }
  const thing = done.made && app.thingFor(done.made);
  if (thing && app.isWatched(watched)) app.selectAll([thing]);
  const [loss] = done.losses;
  notice(`Added ${[kind.name, value].filter(Boolean).join(' ')} at ${units.join(', ')}.${loss ? ` ${loss.path}: ${loss.text}.` : ''}`
    + (isLink(kind) ? ' A double click on it goes there.' : ''));
  if (several || app.placing !== placing) return;
  app.place(null);
  if (done.made && app.isWatched(watched)) app.panel.showRecord(done.made);
}
