/* The list of things of a level with a search, and one record with its fields, which can be changed. */
import {$, button, fill, h, notice} from './dom.js';

const most = 300;

export function thingsPage(app, node, state) {
  const list = h('ul', {className: 'list'});
  const texts = h('ul', {className: 'list'});
  const things = app.doc.scene?.things ?? [];
  const draw = () => {
    const wanted = state.filter.toLowerCase();
    const some = things.filter(t => [t.label, t.kind, t.picture, t.path].some(v =>
      v?.toLowerCase().includes(wanted)));
    fill(list, some.slice(0, most).map(thing => h('li', {}, h('button', {type: 'button', onclick: () => {
      app.select(thing, {centre: true});
      if (thing.path) app.panel.showRecord(thing.path);
    }}, thing.label || thing.kind, h('small', {}, `${thing.kind} · ${thing.x}, ${thing.y}`
      + `${thing.hidden ? ' · hidden' : ''}${thing.missing ? ' · picture missing' : ''}`)))));
    if (some.length > most) list.append(h('li', {className: 'soft'}, `and ${some.length - most} more`));
  };
  const searchTexts = async () => {
    if (state.filter.length < 2) {
      fill(texts);
      return;
    }
    const found = await app.run(() => app.client.call('search', state.filter));
    fill(texts, found?.length ? h('li', {className: 'soft'},
      `${found.length} ${found.length === 1 ? 'text' : 'texts'} in the document`) : null,
      found?.map(hit => h('li', {}, h('button', {type: 'button', onclick: () => app.goToPath(hit.path)},
        hit.text, h('small', {}, hit.path)))));
  };
  let timer;
  fill(node, h('input', {type: 'search', placeholder: 'Search things, signs, scripts',
    'aria-label': 'Search things, signs, scripts',
    value: state.filter, oninput: event => {
      state.filter = event.target.value;
      draw();
      clearTimeout(timer);
      timer = setTimeout(searchTexts, 200);
    }}), list, texts);
  draw();
  searchTexts();
}

/* "planes[2].objects[17]" -> the table of that record. */
export function tableFor(format, path) {
  let table = Object.values(format.tables)[0];
  for (const part of path.split('.').filter(Boolean)) {
    const field = table?.fields.find(f => f.name === part.replace(/\[.*$/, ''));
    table = field?.table ? format.tables[field.table] : undefined;
  }
  return table;
}

function crumbs(app, path) {
  const parts = path ? path.split('.') : [];
  const go = to => button(to.label, () => app.panel.showRecord(to.path), {className: 'link'});
  return h('nav', {className: 'crumbs', 'aria-label': 'Path of this record'},
    go({label: app.path.split('/').pop(), path: ''}),
    parts.map((part, i) => ['›', go({label: part, path: parts.slice(0, i + 1).join('.')})]));
}

export async function recordPage(app, node, state) {
  const path = state.recordPath;
  const value = await app.client.call('get', path);
  const isList = Array.isArray(value);
  const isItem = value !== undefined && !isList && /\[\d+\]$/.test(path) && app.doc.can.includes('write');
  const table = tableFor(app.format, path);
  const body = value === undefined ? [h('p', {}, 'There is nothing at this path now.')]
    : isList ? listItems(app, path, value, table) : fields(app, path, value, table);
  const links = app.doc.scene?.links?.filter(link => link.path === path) ?? [];
  fill(node, crumbs(app, path), !isList && table?.prose && h('p', {className: 'soft'}, table.prose),
    links.map(link => button(`Go to ${link.target}`, () => app.followLink(link))),
    isItem && itemRow(app, path, value), body);
}

/* An item of a list can be duplicated and removed. */
function itemRow(app, path, value) {
  const [, list, at] = /^(.*)\[(\d+)\]$/.exec(path);
  return h('div', {className: 'row'},
    button('Duplicate', async () => {
      const {id, ...rest} = typeof value === 'object' ? value : {};
      const copy = typeof value === 'object'
        ? {...rest, ...(typeof id === 'string' && {id: crypto.randomUUID()})} : value;
      if (await app.edit([`${list}[+${+at + 1}]=${JSON.stringify(copy)}`], `duplicate ${path}`))
        app.goToPath(`${list}[${+at + 1}].`);
    }),
    button('Delete', () => removeItem(app, path), {title: 'Delete (Del)'}));
}

export async function removeItem(app, path) {
  if (!await app.edit([], `delete ${path}`, [path])) return;
  app.select(null);
  app.panel.showRecord(path.replace(/\[\d+\]$/, ''));
}

function listItems(app, path, items, table) {
  const name = item => {
    if (item === null || typeof item !== 'object') return String(item);
    const label = table?.label && item[table.label];
    return String(label || item.name || item.filename || '').slice(0, 80);
  };
  const list = h('ul', {className: 'list'}, items.slice(0, 1000).map((item, i) =>
    h('li', {}, h('button', {type: 'button',
    onclick: () => {
      app.select(app.thingFor(`${path}[${i}]`), {centre: true});
      app.panel.showRecord(`${path}[${i}]`);
    }}, `${i}  ${name(item)}`))));
  if (items.length > 1000) list.append(h('li', {className: 'soft'}, `and ${items.length - 1000} more`));
  return items.length ? [list] : [h('p', {className: 'soft'}, 'Empty.')];
}

function fields(app, path, value, table) {
  if (value === null || typeof value !== 'object') {
    const parent = path.replace(/\.[^.]*$/, '');
    const field = tableFor(app.format, parent === path ? '' : parent)?.fields
      .find(f => f.name === path.split('.').pop()) ?? {name: path, kind: typeof value === 'number' ? 'int'
        : 'text'};
    return [fieldRow(app, path, field, value)];
  }
  const known = table?.fields ?? Object.keys(value).map(name => ({name, kind: 'text', role: 'value'}));
  return known.filter(field => field.name in value || ['list', 'text', 'int'].includes(field.kind))
    .filter(field => field.name in value || (field.role === 'value' && isThere(field, value)))
    .map(field => fieldRow(app, path ? `${path}.${field.name}` : field.name, field, value[field.name]));
}

/* Fields that exist only for some values of another field. */
function isThere({when}, value) {
  if (!when) return true;
  return typeof value[when.field] === 'number' ? when.values.includes(value[when.field]) : false;
}

function fieldRow(app, path, field, value) {
  const id = `f-${path}`;
  const inner = field.kind === 'record' || field.kind === 'list' || (value && typeof value === 'object');
  const input = inner ? nested(app, path, field, value) : editor(app, path, field, value, id);
  return h('div', {className: 'field'},
    h('div', {className: 'head'}, inner ? h('span', {className: 'name'}, field.name)
      : h('label', {htmlFor: id}, field.name),
      field.unit && h('span', {className: 'unit'}, field.unit),
      button('bytes', () => showBytes(app, path),
        {className: 'link bytes', 'aria-label': `Bytes of ${field.name}`})),
    input, field.prose && h('p', {}, field.prose));
}

function nested(app, path, field, value) {
  if (value?.rows) return h('span', {}, `${value.width} × ${value.height} cells`);
  const count = Array.isArray(value) ? value.length : null;
  const simple = value && !count && !Array.isArray(value) && Object.values(value).every(v =>
    typeof v !== 'object');
  const label = count !== null ? `${count} ${count === 1 ? 'item' : 'items'}` : value === undefined ? 'none'
    : simple ? Object.entries(value).map(([k, v]) => `${k} ${v}`).join(', ') : 'open';
  return button(label, () => app.panel.showRecord(path), {className: 'link', disabled: value === undefined,
    'aria-label': `${field.name}: ${label}`});
}

/* The control for a field: a text, a number, a choice, flags. */
function editor(app, path, field, value, id) {
  const fixed = field.role === 'derived' || !app.doc.can.includes('write');
  const change = text => set(app, path, field, text);
  const common = {id, disabled: fixed, onchange: event => change(event.target.value)};
  const shown = value ?? field.default ?? '';
  if (field.names && field.flags) return flags(path, field, shown, fixed, change);
  if (field.names && field.kind === 'int') {
    const names = field.names.map(n => n.name);
    const current = names.includes(String(shown)) ? String(shown)
      : field.names.find(n => n.value === shown)?.name ?? String(shown);
    const all = names.includes(current) ? field.names : [{name: current}, ...field.names];
    const prose = field.names.find(n => n.name === current)?.prose;
    return h('div', {}, h('select', common,
      all.map(n => h('option', {value: n.name, selected: n.name === current}, n.name))),
      prose && h('p', {}, prose));
  }
  const text = String(shown);
  if (field.lines || text.includes('\n')) return h('textarea', {...common, value: text, rows: 8,
    spellcheck: false});
  const isNumber = (field.kind === 'int' || field.kind === 'real') && typeof shown === 'number';
  return h('input', {...common, type: isNumber ? 'number' : 'text', step: 'any', value: text, min: isNumber
    ? field.min : undefined,
    max: isNumber ? field.max : undefined});
}

function flags(path, field, value, fixed, change) {
  const isOn = new Set(typeof value === 'number'
    ? field.names.filter(n => (value & n.value) === n.value && n.value).map(n => n.name)
      : String(value).split('|'));
  const rest = typeof value === 'number' ? [] : String(value).split('|').filter(v => v
    && !field.names.some(n => n.name === v) && v !== '0');
  return h('div', {className: 'flags', role: 'group', 'aria-label': field.name},
    field.names.map(n => h('label',
    {className: 'switch', title: n.prose ?? ''}, h('input', {type: 'checkbox', checked: isOn.has(n.name),
      disabled: fixed,
      onchange: event => {
        if (event.target.checked) isOn.add(n.name);
        else isOn.delete(n.name);
        change([...field.names.filter(f => isOn.has(f.name)).map(f => f.name), ...rest].join('|') || '0');
      }}), n.name)));
}

async function set(app, path, field, text) {
  const value = field.kind === 'text' ? JSON.stringify(text) : text.trim();
  const done = await app.edit([`${path}=${value}`], `${path} = ${text.slice(0, 60)}`);
  if (done) {
    const thing = app.thingFor(path);
    if (thing) app.select(thing);
  } else {
    app.panel.redraw();
  }
}

async function showBytes(app, path) {
  const spans = await app.run(() => app.client.call('explain', {path}));
  if (!spans?.length) {
    notice(`${path} has no bytes of its own in the file.`);
    return;
  }
  app.panel.state.at = spans[0].outer ?? spans[0].offset;
  app.panel.state.spans = spans;
  app.panel.choose('bytes');
}
