/* What the pointer and the keys do to the picture and the page. */
import {$, notice} from './dom.js';
import {chosen, dropped} from './files.js';

const step = 80;

export function controls(app) {
  const {map} = app;
  const canvas = $('map');
  pointer(app, canvas);

  $('zoomIn').onclick = () => map.zoomAt(2);
  $('zoomOut').onclick = () => map.zoomAt(0.5);
  $('zoomFit').onclick = () => map.fit();
  $('undo').onclick = () => app.travel(-1);
  $('redo').onclick = () => app.travel(1);
  $('save').onclick = () => app.save();
  $('open').onclick = $('choose').onclick = () => $('files').click();
  $('chooseFolder').onclick = () => $('folder').click();
  $('toggle').onclick = () => togglePanel(app);
  $('slider').oninput = () => {
    map.compare = $('slider').value / 1000;
    map.draw();
  };
  for (const input of [$('files'), $('folder')]) {
    input.onchange = () => {
      const list = chosen(input.files);
      input.value = '';
      app.addFiles(list);
    };
  }

  addEventListener('dragover', event => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', event => {
    if (!event.relatedTarget) document.body.classList.remove('dropping');
  });
  addEventListener('drop', async event => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    app.addFiles(await dropped(event.dataTransfer));
  });
  addEventListener('resize', () => controls.inset(app));
  addEventListener('beforeunload', event => {
    if (app.at > 0 && !navigator.webdriver) event.preventDefault();
  });
  addEventListener('keydown', event => keys(app, event));
}

/* Tells the map which part of it the header and the panel cover. */
controls.inset = app => {
  const panel = $('panel').getBoundingClientRect();
  const phone = innerWidth <= 720;
  const shown = panel.width > 0;
  app.map.inset = {left: 0, top: 52, right: shown && !phone ? panel.width : 0, bottom: shown && phone ? panel.height : 0};
  document.body.style.setProperty('--covered', `${app.map.inset.right}px`);
  app.map.draw();
};

function togglePanel(app) {
  const hidden = document.body.classList.toggle('narrow');
  $('toggle').setAttribute('aria-expanded', String(!hidden));
  controls.inset(app);
}

function keys(app, event) {
  const {map} = app;
  const command = event.ctrlKey || event.metaKey;
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
  const key = event.key.toLowerCase();
  if (command && key === 's') app.save();
  else if (command && key === 'o') $('files').click();
  else if (command && !typing && (key === 'y' || (key === 'z' && event.shiftKey))) app.travel(1);
  else if (command && !typing && key === 'z') app.travel(-1);
  else if (command || event.altKey || typing) return;
  else if (key === 'o') $('files').click();
  else if (key === 'p') togglePanel(app);
  else if (key === '+' || key === '=') map.zoomAt(2);
  else if (key === '-') map.zoomAt(0.5);
  else if (key === '0') map.fit();
  else if (key === '1') map.goTo(map.x, map.y, 1);
  else if (event.target !== $('map') && event.target !== document.body) return;
  else if (key === 'arrowleft') map.pan(step, 0);
  else if (key === 'arrowright') map.pan(-step, 0);
  else if (key === 'arrowup') map.pan(0, step);
  else if (key === 'arrowdown') map.pan(0, -step);
  else if (key === 'enter') clickAt(app, ...map.screen(map.x, map.y));
  else if (key === 'n' || key === 'b') app.panel.nextThing(key === 'n' ? 1 : -1);
  else return;
  event.preventDefault();
}

function pointer(app, canvas) {
  const {map} = app;
  const down = new Map();
  let moved = 0;
  let pinch = 0;
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved = 0;
    pinch = spread(down);
  });
  canvas.addEventListener('pointermove', event => {
    const before = down.get(event.pointerId);
    if (!before) {
      hover(app, canvas, event.offsetX, event.offsetY);
      return;
    }
    const [dx, dy] = [event.offsetX - before[0], event.offsetY - before[1]];
    down.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved += Math.abs(dx) + Math.abs(dy);
    if (down.size === 2) {
      const now = spread(down);
      const [a, b] = [...down.values()];
      if (pinch > 0 && now > 0) map.zoomAt(now / pinch, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      pinch = now;
      map.pan(dx / 2, dy / 2);
    } else if (moved > 3) {
      canvas.classList.add('dragging');
      map.pan(dx, dy);
    }
  });
  const up = event => {
    if (!down.delete(event.pointerId)) return;
    canvas.classList.remove('dragging');
    if (event.type === 'pointerup' && moved <= 3) clickAt(app, event.offsetX, event.offsetY);
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('dblclick', event => {
    const link = linkAt(app, ...map.place(event.offsetX, event.offsetY));
    if (link) app.followLink(link);
    else map.zoomAt(2, event.offsetX, event.offsetY);
  });
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    map.zoomAt(2 ** (-event.deltaY * lines / (event.ctrlKey ? 120 : 360)), event.offsetX, event.offsetY);
  }, {passive: false});
}

function spread(down) {
  if (down.size !== 2) return 0;
  const [a, b] = [...down.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/* The topmost thing at a place of the picture. */
function thingAt(app, x, y) {
  const things = app.map.scene?.things ?? [];
  const slack = 3 / app.map.zoom;
  let best = null;
  for (const thing of things) {
    const [left, top, width, height] = app.rectOf(thing);
    const inside = x >= left - slack && y >= top - slack && x < left + width + slack && y < top + height + slack;
    /* What is smaller wins, so that a thing inside a large one can be reached. */
    if (inside && (!best || width * height <= best.rect[2] * best.rect[3])) best = thing;
  }
  return best;
}

function linkAt(app, x, y) {
  const scene = app.map.scene;
  if (!scene) return undefined;
  const [px, py] = [x + app.origin[0], y + app.origin[1]];
  const main = scene.layers.find(layer => layer.main);
  return scene.links.find(link => {
    if (link.rect) {
      const [left, top, width, height] = link.rect;
      return px >= left && py >= top && px < left + width && py < top + height;
    }
    if (link.column === undefined) return false;
    const [w, ht] = cellOfWorld(scene, main);
    return Math.floor(px / w) === link.column && Math.floor(py / ht) === link.row;
  });
}

/* Px of one level of a world. */
function cellOfWorld(scene, main) {
  const columns = Math.max(...scene.links.map(link => link.column ?? 0)) + 1;
  const width = main ? main.columns * main.cell_width : scene.width;
  return columns > 0 && main ? [1024, 1024] : [width, scene.height];
}

function clickAt(app, sx, sy) {
  const {map} = app;
  if (!map.scene) return;
  const [x, y] = map.place(sx, sy);
  if (app.panel.paintAt(x, y)) return;
  const thing = thingAt(app, x, y);
  app.select(thing);
  if (thing?.path) app.panel.showRecord(thing.path);
  else if (thing) notice(thing.label || thing.kind);
}

/* Which cell of the main layer lies at a place. */
export function cellAt(app, x, y) {
  const main = app.map.scene?.layers.find(layer => layer.main);
  if (!main) return null;
  const column = Math.floor((x + app.origin[0]) / main.cell_width);
  const row = Math.floor((y + app.origin[1]) / main.cell_height);
  return column >= 0 && row >= 0 && column < main.columns && row < main.rows ? {column, row, main} : null;
}

function hover(app, canvas, sx, sy) {
  const {map} = app;
  if (!map.scene) return;
  const [x, y] = map.place(sx, sy);
  const inside = x >= 0 && y >= 0 && x < map.scene.width && y < map.scene.height;
  const thing = inside ? thingAt(app, x, y) : null;
  const link = inside ? linkAt(app, x, y) : null;
  map.hovered = thing ? app.rectOf(thing) : null;
  canvas.classList.toggle('pointing', Boolean(thing || link));
  map.draw();
  if (!inside) {
    $('place').textContent = '';
    return;
  }
  const [zx, zy] = map.scene.zero;
  const parts = [`${Math.floor(x + app.origin[0] - zx)}, ${Math.floor(y + app.origin[1] - zy)} px`];
  const cell = cellAt(app, x, y);
  if (cell) parts.push(`cell ${cell.column}, ${cell.row}`);
  if (thing) parts.push([thing.kind, thing.label].filter(Boolean).join(' '));
  if (link) parts.push(`to ${link.target} (double click)`);
  $('place').textContent = parts.join('  ·  ');
  clearTimeout(hover.timer);
  if (cell) hover.timer = setTimeout(async () => {
    const path = app.panel.cellPath(cell);
    const value = path && await app.client.call('get', path).catch(() => undefined);
    if (value === undefined || typeof value === 'object') return;
    parts.splice(2, 0, value === 4294967295 ? 'no tile' : `tile ${value}`);
    $('place').textContent = parts.join('  ·  ');
  }, 120);
}
