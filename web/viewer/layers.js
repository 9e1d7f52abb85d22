/* The size of a level, and new layers and planes. */
import {$, button, fill, h, keptButton, keptRow, keptText, notice} from './dom.js';
import {fieldWith} from './tables.js';

/* The list of the document's layers: its path, and the table of an item. */
function layerList(app) {
  const field = fieldWith(Object.values(app.format.tables)[0], 'layers');
  return field && {path: field.name, table: app.format.tables[field.table]};
}

/* Buttons of the View tab. */
export function layerButtons(app, known) {
  const list = app.doc.can.includes('write') && app.doc.scene?.layers.length ? layerList(app) : null;
  if (!list) return null;
  /* Computed numbers of tiles: the size is that of the cells, and can be another one. */
  const hasSize = list.table.fields.some(f => f.role === 'derived' && f.unit === 'tiles');
  /* Of the two kinds of drawings only doodads have more than one: the field of the layers says so. */
  if (app.doc.kind === 'level') return keptText(known, 'layers of a level',
    'A level of Sketchy Maze has one layer; doodads have one for each frame.', () => h('p', {className: 'soft'}));
  return keptRow(known, 'layers', keptButton(known, 'new layer', `New ${list.table.name} …`, () => openNewLayer(app, list)),
    hasSize && keptButton(known, 'resize', 'Resize the level …', () => openResize(app)));
}

function openNewLayer(app, {path, table}) {
  const name = h('input', {required: true, value: 'New', spellcheck: false, autocomplete: 'off'});
  const front = h('input', {type: 'checkbox', checked: true});
  const named = fieldWith(table, 'name')?.name;
  const hasZ = table.fields.some(f => f.name === 'z');
  show([h('h2', {}, `New ${table.name}`), table.prose && h('p', {className: 'soft'}, table.prose),
    named && h('label', {}, 'Name', name),
    hasZ && h('label', {className: 'switch'}, front, 'Before the main one (else behind it)')], 'Add', async () => {
    const layers = await app.client.call('get', path);
    const main = app.doc.scene.layers.findIndex(layer => layer.main);
    const like = layers[main] ?? layers[0] ?? {};
    const item = {};
    let sized = null;
    for (const field of table.fields.filter(f => f.role === 'value' && like[f.name] !== undefined)) {
      const of = like[field.name];
      if (field.kind === 'cells') {
        sized = of;
        const empty = field.cell_names?.[0]?.symbol ?? '0';
        item[field.name] = {width: of.width, height: of.height, rows: Array(of.height).fill(`${empty}*${of.width}`)};
      } else if (field.kind !== 'list' || field.item === 'text') item[field.name] = of;
      if (field.flags) item[field.name] = String(of).split('|').filter(flag => flag !== 'main').join('|') || '0';
    }
    if (named) item[named] = name.value;
    if (hasZ) item.z = (like.z ?? 0) + (front.checked ? 1 : -1);
    if (item.number !== undefined) item.number = Math.max(...layers.map(layer => layer.number)) + 1;
    if (!sized) for (const key of Object.keys(item)) if (item[key] === undefined) delete item[key];
    const at = hasZ && !front.checked && main >= 0 ? main : null;
    return app.edit([`${path}[+${at ?? ''}]=${JSON.stringify(item)}`], `new ${table.name}`);
  }, `The new ${table.name} is empty: choose it in the Paint tab.`);
}

function openResize(app) {
  const main = app.doc.scene.layers.find(layer => layer.main);
  const number = (value, label) => h('input', {type: 'number', min: 1, step: 1, value, required: true, 'aria-label': label});
  const [width, height] = [number(main.columns, 'Width'), number(main.rows, 'Height')];
  const all = h('input', {type: 'checkbox'});
  const places = [-1, 0, 1].flatMap(y => [-1, 0, 1].map(x => h('label', {}, h('input', {type: 'radio', name: 'anchor',
    value: `${x},${y}`, checked: x === -1 && y === -1,
    'aria-label': `${['left', 'middle', 'right'][x + 1]}, ${['upper', 'middle', 'lower'][y + 1]} part stays`}))));
  const grid = h('div', {className: 'anchor', role: 'group', 'aria-label': 'Which part keeps its place'}, places);
  show([h('h2', {}, 'Resize the level'), h('p', {className: 'soft'},
    'Objects move with the tiles; what no longer fits is cut off.'),
  h('div', {className: 'row'}, h('label', {className: 'grow'}, 'Width (tiles)', width),
    h('label', {className: 'grow'}, 'Height (tiles)', height)),
  h('label', {}, 'Which part keeps its place'), grid,
  h('label', {className: 'switch'}, all, 'The other planes, too')], 'Resize', async () => {
    const [x, y] = grid.querySelector(':checked').value.split(',').map(Number);
    const done = await app.edit([], `resize to ${width.value} × ${height.value}`,
      {resize: {width: +width.value, height: +height.value, anchor: [x, y], plane: all.checked ? '*' : ''}});
    if (done?.losses.length) notice(done.losses.map(one => one.text).join(' '));
    return done;
  });
}

/* A dialog that stays open while what it is for fails. */
function show(content, label, run, done = '') {
  const dialog = $('create');
  fill(dialog, h('form', {method: 'dialog', onsubmit: async event => {
    event.preventDefault();
    if (!await run()) return;
    dialog.close();
    if (done) notice(done);
  }}, content, h('div', {className: 'row'}, h('button', {type: 'submit', className: 'primary'}, label),
    h('button', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));
  dialog.showModal();
}
