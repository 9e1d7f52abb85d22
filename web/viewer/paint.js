/* Painting: tiles from the tile set, or pixels of a drawing in a colour of its palette. */
import {h, kept, keptButton, keptField, keptList, keptMenu, keptRow, keptText, notice, refill, unchanging} from './dom.js';
import {fieldWith} from './tables.js';

const tools = [['brush', 'Brush'], ['rectangle', 'Rectangle'], ['fill', 'Fill'], ['pick', 'Pick']];
const mostTiles = 8192;
const mostPicked = 4096; /* cells that are picked from the map at once */
const graalTiles = 4096; /* a Graal tile set is 128 by 32 tiles */

/*
 * What can be painted in this document: for each layer of its picture the path of a region, the size of a cell and the
 * place of cell 0, 0; `names`: values that are not tiles. A drawing has one region for all chunks of a layer.
 */
async function targets(app) {
  const {tables} = app.format;
  const {scene} = app.doc;
  if (!scene || scene.error || !app.doc.can.includes('write')) return [];
  const root = Object.values(tables)[0];
  const cellsOf = table => tables[table]?.fields.find(f => f.kind === 'cells');
  const list = fieldWith(root, 'layers');
  if (!list) return [];
  const field = cellsOf(list.table);
  if (field) {
    const records = await app.ask('get', list.name) ?? [];
    /* The layers are in the order of their numbers if they have numbers. */
    const order = records.map((record, i) => ({i, number: record.number ?? (tables[list.table].fields
      .some(f => f.name === 'number') ? 0 : i)})).sort((a, b) => a.number - b.number);
    const count = field.ref ? (await app.ask('get', field.ref))?.length ?? 0 : graalTiles;
    return scene.layers.map((layer, i) => order[i] && {
      title: layer.name || `layer ${order[i].number}`, index: i, layer, names: field.cell_names ?? [],
        count: Math.min(mostTiles, count),
      width: layer.cell_width, height: layer.cell_height, left: 0, top: 0, columns: layer.columns,
        rows: layer.rows,
      alone: !layer.main && (layer.move_x !== 100 || layer.move_y !== 100),
      region: where => `${list.name}[${order[i].i}].${field.name}[${where}]`}).filter(Boolean);
  }
  const squares = tables[list.table].fields.find(f => f.kind === 'list' && cellsOf(f.table));
  if (!squares) return [];
  const pixels = cellsOf(squares.table);
  const {table} = root.fields.find(f => f.name === pixels.ref);
  const [name, color] = [tables[table].label, fieldWith(tables[table], 'color')?.name];
  const traits = tables[table].fields.filter(f => f.group === 'behaviour').map(f => f.name);
  const frame = app.map.options.frame ?? 0;
  return [{title: 'drawing', width: 1, height: 1, left: -scene.zero[0], top: -scene.zero[1], pixels: true,
    alone: false,
    names: pixels.cell_names ?? [], swatches: (await app.ask('get', pixels.ref) ?? []).map(swatch =>
      ({name: swatch[name], color: swatch[color], traits: traits.filter(trait => swatch[trait])})),
    region: where => `${list.name}[${frame}].${squares.name}[${where}]`}];
}

export class Brush {
  tool = null;
  target = null;
  /* The values that are painted, `width` in a row. */
  stamp = {width: 1, height: 1, values: [0]};
  size = 3; /* size of the brush for pixels */
  #app;
  #cells = null; /* "x,y": value, in the current stroke */
  #from = null;
  #to = null;
  #pending = []; /* strokes that the picture does not show yet: {cells, whole, target, values, done} */
  pictures = []; /* canvases of the tile set: {first, count, columns, canvas} */

  constructor(app) {
    this.#app = app;
    app.map.paintOver = (context, map) => this.#draw(context, map);
  }

  setTool(tool) {
    this.tool = tool;
    this.cancel();
    document.body.classList.toggle('painting', Boolean(tool));
  }

  cellAt(x, y) {
    const {width, height, left, top, columns = Infinity, rows = Infinity, pixels} = this.target;
    const [ox, oy] = this.#app.origin;
    const [cx, cy] = [Math.floor((x + ox) / width) + left, Math.floor((y + oy) / height) + top];
    return pixels || (cx >= 0 && cy >= 0 && cx < columns && cy < rows) ? [cx, cy] : null;
  }

  /* The place of a cell in the picture. */
  rectOf([cx, cy], columns = 1, rows = 1) {
    const {width, height, left, top} = this.target;
    const [ox, oy] = this.#app.origin;
    return [(cx - left) * width - ox, (cy - top) * height - oy, columns * width, rows * height];
  }

  begin(x, y) {
    const cell = this.cellAt(x, y);
    this.#from = this.#to = cell;
    this.#cells = new Map();
    if (cell && this.tool === 'brush') this.#dab(cell);
    this.#app.map.draw();
  }

  move(x, y) {
    if (!this.#cells) return;
    const cell = this.cellAt(x, y);
    if (!cell) return;
    if (this.tool === 'brush') this.#line(this.#to ?? cell, cell);
    this.#from ??= cell;
    this.#to = cell;
    this.#app.map.draw();
  }

  cancel() {
    this.#cells = this.#from = this.#to = null;
    this.#app.map.draw();
  }

  /* The level is left. */
  leave() {
    this.#pending = [];
    this.setTool(null);
    this.target = null;
    this.stamp = {width: 1, height: 1, values: [0]};
    this.isChosen = false;
  }

  /* Makes the change; the stroke stays visible until the picture shows it. */
  async #change(changes, label, stroke) {
    this.#pending.push(stroke);
    this.#app.map.draw();
    const done = await this.#app.edit(changes, label, {dirty: [this.#around(stroke)]});
    if (done) stroke.done = true;
    else this.#pending = this.#pending.filter(other => other !== stroke);
    this.#app.map.draw();
  }

  /* The part of the picture that a stroke changes. */
  #around({cells, whole}) {
    const list = [...cells.keys()].map(key => key.split(',').map(Number));
    if (whole) list.push([whole[0], whole[1]], [whole[2], whole[3]]);
    const [xs, ys] = [0, 1].map(i => list.map(cell => cell[i]));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return this.rectOf([left, top], Math.max(...xs) - left + 1, Math.max(...ys) - top + 1);
  }

  /* The changes of a stroke become one step of the history. */
  async end() {
    const [from, to, cells] = [this.#from, this.#to, this.#cells];
    const {tool, target, stamp} = this;
    this.cancel();
    if (!from || !cells) return;
    if (tool === 'pick') {
      await this.#pick(from, to);
      return;
    }
    const label = target.pixels ? 'paint pixels' : 'paint tiles';
    if (tool === 'fill') {
      await this.#app.edit([`${target.region(`fill ${from}`)}=${this.#text(stamp.values[0])}`], 'fill');
      return;
    }
    const [left, top, right, bottom] = corners(from, to);
    let changes = [`${target.region(`${left},${top} ${right},${bottom}`)}=${this.#text(stamp.values[0])}`];
    if (tool === 'rectangle' && stamp.values.length > 1) this.#rectangle(from, to, cells);
    if (tool !== 'rectangle' || stamp.values.length > 1)
      changes = runs(cells).map(([x0, x1, y, value]) =>
        `${target.region(`${x0},${y} ${x1},${y}`)}=${this.#text(value)}`);
    if (!changes.length) return;
    await this.#change(changes, label, {target, cells, value: stamp.values[0],
      whole: tool === 'rectangle' && stamp.values.length === 1 ? [left, top, right, bottom] : null});
  }

  /* What is at a cell becomes what is painted with; of tiles, all in a rectangle become a stamp. */
  async #pick(from, to) {
    const [left, top, right, bottom] = this.target.pixels ? [...from, ...from] : corners(from, to);
    const [width, height] = [right - left + 1, bottom - top + 1];
    if (width * height > mostPicked) {
      notice(`Not picked: ${width} × ${height} tiles are more than ${mostPicked}.`, true);
      return;
    }
    const cells = Array.from({length: width * height}, (_, i) => `${left + i % width},${top + Math.floor(i / width)}`);
    const values = await this.#app.run(() => this.#app.client.call('copy', cells.map(cell => this.target.region(cell))));
    if (!values?.every(value => typeof value === 'number')) return;
    this.stamp = {width, height, values};
    this.setTool('brush');
    this.#app.panel.redraw();
  }

  #text(value) {
    return this.target.names.find(name => name.value === value)?.symbol ?? String(value);
  }

  #valueAt(x, y) {
    const {width, height, values} = this.stamp;
    const [ax, ay] = this.#from;
    return values[((y - ay) % height + height) % height * width + ((x - ax) % width + width) % width];
  }

  #put(x, y, into = this.#cells) {
    const {columns = Infinity, rows = Infinity, pixels} = this.target;
    if (pixels || (x >= 0 && y >= 0 && x < columns && y < rows)) into.set(`${x},${y}`, this.#valueAt(x, y));
  }

  #dab([cx, cy]) {
    const [w, ht] = this.target.pixels ? [this.size, this.size] : [this.stamp.width, this.stamp.height];
    const [x, y] = this.target.pixels ? [cx - (w >> 1), cy - (ht >> 1)] : [cx, cy];
    for (let dy = 0; dy < ht; dy++) {
      for (let dx = 0; dx < w; dx++) {
        const far = Math.hypot(dx - (w - 1) / 2, dy - (ht - 1) / 2);
        if (!this.target.pixels || w < 3 || far <= w / 2) this.#put(x + dx, y + dy);
      }
    }
  }

  #line([x0, y0], [x1, y1]) {
    const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
    for (let i = 1; i <= steps; i++)
      this.#dab([Math.round(x0 + (x1 - x0) * i / steps), Math.round(y0 + (y1 - y0) * i / steps)]);
  }

  #rectangle(a, b, into) {
    const from = this.#from;
    const [left, top, right, bottom] = corners(a, b);
    this.#from = [left, top];
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) this.#put(x, y, into);
    }
    this.#from = from;
  }

  /* A preview of the stroke. */
  #draw(c, map) {
    if (map.complete) this.#pending = this.#pending.filter(stroke => !stroke.done);
    for (const stroke of this.#pending) this.#drawStroke(c, map, stroke);
    if (!this.tool || !this.target) return;
    const cells = new Map(this.#cells ?? []);
    c.imageSmoothingEnabled = false;
    const cover = (value, [x, y, w, ht]) => this.#drawValue(c, value, ...map.screen(x, y), w * map.zoom,
      ht * map.zoom);
    if (this.#cells && this.#from && this.tool === 'pick' && !this.target.pixels) {
      const [left, top, right, bottom] = corners(this.#from, this.#to);
      map.outline(this.rectOf([left, top], right - left + 1, bottom - top + 1));
    }
    if (this.#cells && this.#from && this.tool === 'rectangle') {
      const [left, top, right, bottom] = corners(this.#from, this.#to);
      const whole = this.rectOf([left, top], right - left + 1, bottom - top + 1);
      if (this.target.pixels) cover(this.stamp.values[0], whole);
      else this.#rectangle(this.#from, this.#to, cells);
      map.outline(whole);
    }
    for (const [at, value] of cells) cover(value, this.rectOf(at.split(',').map(Number)));
    if (document.activeElement === map.canvas && map.canvas.matches(':focus-visible')) {
      const cell = this.cellAt(map.x, map.y);
      if (cell) map.outline(this.rectOf(cell));
    }
  }

  #drawStroke(c, map, {target, cells, whole, value}) {
    const now = this.target;
    this.target = target;
    c.imageSmoothingEnabled = false;
    const cover = (one, [x, y, w, ht]) =>
      this.#drawValue(c, one, ...map.screen(x, y), w * map.zoom, ht * map.zoom);
    if (whole) {
      const [left, top, right, bottom] = whole;
      if (target.pixels) cover(value, this.rectOf([left, top], right - left + 1, bottom - top + 1));
      else for (let y = top; y <= bottom; y++)
        for (let x = left; x <= right; x++) cover(value, this.rectOf([x, y]));
    }
    for (const [at, one] of cells) cover(one, this.rectOf(at.split(',').map(Number)));
    this.target = now;
  }

  get pending() {
    return this.#pending.length;
  }

  #drawValue(c, value, x, y, w, ht) {
    const swatch = this.target.swatches?.[value];
    const picture = this.pictures.find(p => value >= p.first && value < p.first + p.count);
    if (swatch) {
      c.fillStyle = swatch.color;
      c.fillRect(x, y, w, ht);
    } else if (picture) {
      const i = value - picture.first;
      const {width, height} = this.target;
      c.drawImage(picture.canvas, i % picture.columns * width, Math.floor(i / picture.columns) * height,
        width, height, x, y, w, ht);
    } else {
      c.fillStyle = 'rgba(127,127,127,.8)';
      c.fillRect(x, y, w, ht);
    }
  }
}

function corners([x0, y0], [x1, y1]) {
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
}

/* Cells as runs in their rows: [first, last, row, value]. */
function runs(cells) {
  const list = [...cells].map(([at, value]) => [...at.split(',').map(Number), value])
    .sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const out = [];
  for (const [x, y, value] of list) {
    const last = out[out.length - 1];
    if (last && last[2] === y && last[1] === x - 1 && last[3] === value) last[1] = x;
    else out.push([x, x, y, value]);
  }
  return out;
}

export async function paintPage(app, node, state) {
  const {brush} = app;
  const {known} = node;
  const all = await targets(app);
  if (!all.length) {
    brush.setTool(null);
    refill(node, keptText(known, 'nothing', 'Nothing in this file can be painted.', () => h('p', {})));
    return;
  }
  const shown = state.target ?? all.findIndex(t => t.layer?.main);
  brush.target = all[shown] ?? all[0];
  const choose = values => {
    brush.stamp = values;
    if (!brush.tool || brush.tool === 'pick') brush.setTool('brush');
    app.panel.redraw();
  };
  const bar = kept(known, 'tools', null, () => unchanging(h('div', {className: 'row', role: 'group', 'aria-label': 'Tools'})));
  refill(bar, tools.map(([name, label]) => keptButton(known, name, label, () => {
    brush.setTool(brush.tool === name ? null : name);
    app.panel.redraw();
  }, {'aria-pressed': String(brush.tool === name)})));
  const menu = keptMenu(known, 'layer', all.map((t, i) => ({value: i, label: t.title})), all.indexOf(brush.target), {onchange: () => {
    state.target = +menu.value;
    app.showLayer(all[state.target].alone ? all[state.target].index : null);
    app.panel.redraw();
  }});
  const layer = all.length > 1 && kept(known, 'layers', null, () => unchanging(h('label', {}, 'Layer', menu)));
  const names = keptRow(known, 'names', brush.target.names.map(({value, name, prose}) => keptButton(known, `value ${name}`,
    name === 'none' || name === 'absent' ? 'Eraser' : name, () => choose({width: 1, height: 1, values: [value]}),
    {title: prose, 'aria-pressed': String(brush.stamp.values.length === 1 && brush.stamp.values[0] === value)})));
  const choices = brush.target.pixels ? swatches(brush, known, choose) : await tileSet(app, state, known, choose);
  const help = brush.tool === 'pick'
    ? `Click on the map to paint with what is there${brush.target.pixels ? '' : ', or drag over several tiles'}. Esc ends this.`
    : brush.tool ? 'Draw on the map. Two fingers or the wheel move it; Esc ends painting.'
    : 'Choose a tool, then draw on the map.';
  refill(node, bar, keptText(known, 'help', help, () => h('p', {className: 'soft'})), layer, names, choices);
  if (state.showFirst) showMark(known);
  state.showFirst = false;
}

function swatches(brush, known, choose) {
  const size = kept(known, 'size', null, () => {
    const shown = h('span', {className: 'soft'}, `${brush.size} px`);
    const input = h('input', {type: 'range', min: 1, max: 32, value: brush.size, oninput: () => {
      brush.size = +input.value;
      shown.textContent = `${brush.size} px`;
    }});
    return unchanging(h('label', {}, 'Size ', shown, input));
  });
  const content = (color, name, traits) => {
    const sample = h('i', {});
    sample.style.background = /^#[0-9a-f]{3,8}$/i.test(color) ? color : 'transparent';
    return [sample, name, h('small', {}, traits)];
  };
  return [size, keptList(known, 'swatches', brush.target.swatches.map(({color, name, traits}, i) => ({key: i,
    shown: [color, name || String(i), traits.join(', ')], 'aria-pressed': String(brush.stamp.values[0] === i),
    run: () => choose({width: 1, height: 1, values: [i]})})), {className: 'list swatches', content})];
}

/* The first tile with a picture: the first ones of a Claw level have none. */
function firstDrawn({pictures, target: {width, height, count}}) {
  for (const {first, count: some, columns, canvas} of pictures) {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < some && first + i < count; i++) {
      const [left, top] = [i % columns * width, Math.floor(i / columns) * height];
      for (let y = top; y < top + height; y++)
        for (let x = left; x < left + width; x++) if (data[(y * canvas.width + x) * 4 + 3]) return first + i;
    }
  }
  return 0;
}

/* The tile set as pictures; a press chooses a tile, a drag chooses a stamp of several. */
async function tileSet(app, state, known, choose) {
  const {brush} = app;
  const {target} = brush;
  const columns = target.width <= 16 ? 16 : target.width <= 32 ? 10 : 6;
  const set = `${app.path}/${target.index}/${app.paths.length}`;
  if (state.tileSet !== set) {
    state.tileSet = set;
    brush.pictures = [];
    const rows = Math.max(1, Math.floor(1024 / target.height));
    for (let first = 0; first < target.count; first += rows * columns) {
      const some = Math.min(rows, Math.ceil((target.count - first) / columns));
      const bitmap = await app.ask('tiles', {layer: target.index, first, columns, rows: some});
      const canvas = h('canvas', {width: bitmap.width, height: bitmap.height});
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      bitmap.close();
      brush.pictures.push({first, count: some * columns, columns, canvas});
    }
  }
  if (!brush.isChosen && brush.stamp.values.length === 1 && brush.stamp.values[0] === 0) {
    brush.isChosen = true;
    const first = firstDrawn(brush);
    if (first > 0) {
      brush.stamp = {width: 1, height: 1, values: [first]};
      state.showFirst = true;
    }
  }
  const number = keptField(known, 'tile', brush.stamp.values[0], {min: 0, type: 'number', onchange: () =>
    choose({width: 1, height: 1, values: [Math.max(0, Math.trunc(+number.value) || 0)]})});
  return [kept(known, 'number', null, () => unchanging(h('label', {}, 'Tile', number))),
    kept(known, 'set', {brush, state, columns, choose}, tileChooser)];
}

/* The chosen tiles come into view. */
function showMark(known) {
  known.get('set')?.node.querySelector('.mark').scrollIntoView({block: 'nearest'});
}

/* What shows the tiles and the chosen ones: {node, update}. `given`: {brush, state, columns, choose}. */
function tileChooser(given) {
  let now = given;
  let from = null;
  const mark = h('div', {className: 'mark'});
  const tiles = h('div', {className: 'tileset', 'aria-hidden': 'true'});
  const rows = () => Math.ceil(now.brush.target.count / now.columns);
  const outline = (x, y, w, ht) => Object.assign(mark.style, {left: `${x / now.columns * 100}%`, width: `${w / now.columns * 100}%`,
    top: `${y / rows() * 100}%`, height: `${ht / rows() * 100}%`});
  const cellOf = event => {
    const box = tiles.getBoundingClientRect();
    return [Math.max(0, Math.min(now.columns - 1, Math.floor((event.clientX - box.left) / box.width * now.columns))),
      Math.max(0, Math.min(rows() - 1, Math.floor((event.clientY - box.top) / box.height * rows())))];
  };
  const area = event => {
    const to = cellOf(event);
    return [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.abs(from[0] - to[0]) + 1,
      Math.abs(from[1] - to[1]) + 1];
  };
  const update = next => {
    now = next;
    const {brush: {pictures, stamp: {width, height, values}, target: {count}}, columns} = now;
    refill(tiles, pictures.map(p => p.canvas), mark);
    if (from) return true; /* a drag shows what it chooses */
    const [first] = values;
    /* A stamp that was picked from the map may be of tiles that do not lie side by side in the set. */
    mark.hidden = !values.every((value, i) => value < count && value === first + Math.floor(i / width) * columns + i % width);
    outline(first % columns, Math.floor(first / columns), width, height);
    return true;
  };
  tiles.addEventListener('pointerdown', event => {
    from = cellOf(event);
    tiles.setPointerCapture(event.pointerId);
    mark.hidden = false;
    outline(...area(event));
  });
  tiles.addEventListener('pointermove', event => {
    if (from) outline(...area(event));
  });
  tiles.addEventListener('pointercancel', () => {
    from = null;
    update(now);
  });
  tiles.addEventListener('pointerup', event => {
    if (!from) return;
    const [x, y, width, height] = area(event);
    const values = Array.from({length: width * height}, (_, i) => (y + Math.floor(i / width)) * now.columns + x
      + i % width);
    from = null;
    if (!now.brush.tool) notice('Draw on the map with the chosen tiles.');
    now.choose({width, height, values});
  });
  const node = h('div', {className: 'tilescroll', tabIndex: 0, role: 'group',
    'aria-label': 'Tile set: arrow keys choose a tile',
    onkeydown: event => {
      const {brush: {stamp, target}, columns, state, choose} = now;
      const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns}[event.key];
      const to = stamp.values[0] + step;
      if (step === undefined || to < 0 || to >= target.count) return;
      event.preventDefault();
      event.stopPropagation();
      state.showFirst = true;
      choose({width: 1, height: 1, values: [to]});
    }}, tiles);
  update(given);
  return {node, update};
}
