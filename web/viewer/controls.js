/* Pointer and keyboard control of the picture and the page. */
import {$, count, isField, notice} from './dom.js';
import {openCreate} from './create.js';
import {chosen, dropped, pickFiles} from './files.js';
import {moveThings, placeFields, sharedFields, stepped} from './move.js';
import {removeItems} from './things.js';
import {addAt, placeRect} from './add.js';
import {handleAt, stretched} from './areas.js';
import {alignSelected, clipboard} from './clip.js';

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
  $('open').onclick = $('choose').onclick = () => openFiles(app);
  $('createFirst').onclick = () => openCreate(app);
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
    const list = dropped(event.dataTransfer, (count, stop) => app.showProgress(`reading ${count} files …`, stop));
    await app.run(() => list).then(files => {
      app.showProgress('');
      return files && app.addFiles(files);
    });
  });
  addEventListener('resize', () => controls.inset(app));
  addEventListener('beforeunload', event => {
    if (app.unsaved.length && !navigator.webdriver) event.preventDefault();
  });
  addEventListener('keydown', event => keys(app, event));
  clipboard(app, event => isField(event.target) || isField(document.activeElement));
  /* Where the focus was last. A field that is removed loses it without an event, so what follows was meant for it. */
  addEventListener('focusin', event => { app.lastFocus = event.target; });
  addEventListener('pointerdown', () => { app.lastFocus = null; }, {capture: true});
}

async function openFiles(app) {
  const list = await pickFiles();
  if (list) app.addFiles(list);
  else $('files').click();
}

function selectedThings(app) {
  return app.selection.map(path => app.thingFor(path)).filter(Boolean);
}

/* Moves the selected things by the smallest step of their places. */
function nudge(app, key) {
  const fields = sharedFields(app, selectedThings(app));
  if (!fields) return;
  const [dx, dy] = {arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1]}[key];
  moveThings(app, app.selection, [dx * fields[0].px * fields[0].step, dy * fields[1].px * fields[1].step]);
}

/* Sets which part of the map the header and the panel cover. */
controls.inset = app => {
  const panel = $('panel').getBoundingClientRect();
  const phone = innerWidth <= 720;
  const shown = panel.width > 0;
  app.map.inset = {left: 0, top: 52, right: shown && !phone ? panel.width : 0, bottom: shown && phone
    ? panel.height : 0};
  document.body.style.setProperty('--covered', `${app.map.inset.right}px`);
  app.map.draw();
};

function togglePanel(app) {
  const hidden = document.body.classList.toggle('narrow');
  $('toggle').setAttribute('aria-expanded', String(!hidden));
  controls.inset(app);
}

function keys(app, event) {
  if (document.querySelector('dialog[open]')) return;
  const {map} = app;
  const command = event.ctrlKey || event.metaKey;
  const lost = event.target === document.body && app.lastFocus && !app.lastFocus.checkVisibility?.();
  const typing = isField(lost ? app.lastFocus : event.target);
  const key = event.key.toLowerCase();
  if (command && key === 's') app.save({as: event.shiftKey});
  else if (command && key === 'o') openFiles(app);
  else if (command && !typing && (key === 'y' || (key === 'z' && event.shiftKey))) app.travel(1);
  else if (command && !typing && key === 'z') app.travel(-1);
  else if (key === 'escape' && app.picking) app.picking(null);
  else if (key === 'escape' && app.placing) {
    app.place(null);
    app.panel.redraw();
  } else if (key === 'escape' && app.brush.tool) {
    app.brush.setTool(null);
    app.panel.redraw();
  } else if (typing && key === 'escape') $('map').focus();
  else if (key === 'escape' && app.selected) {
    app.select(null);
    app.panel.redraw();
  }
  else if (command || event.altKey || typing) return;
  else if (app.gallery.shown && key !== 'o') return;
  else if (key === 'pageup' || key === 'pagedown') app.gallery.step(key === 'pageup' ? -1 : 1);
  else if (key === 'o') openFiles(app);
  else if (key === 'p') togglePanel(app);
  else if (key === 'i') {
    app.marks.toggle();
    if (app.panel.state.tab === 'view') app.panel.redraw();
  }
  else if (key === '+' || key === '=') map.zoomAt(2);
  else if (key === '-') map.zoomAt(0.5);
  else if (key === '0') map.fit();
  else if (key === '1') map.goTo(map.x, map.y, 1);
  else if (event.target !== $('map') && event.target !== document.body) return;
  else if (event.shiftKey && key.startsWith('arrow') && app.selected) nudge(app, key);
  else if (key === 'delete' && app.selected) removeItems(app, app.selection);
  else if (key === 'g' && app.selected) alignSelected(app);
  else if (key === 'arrowleft') map.pan(step, 0);
  else if (key === 'arrowright') map.pan(-step, 0);
  else if (key === 'arrowup') map.pan(0, step);
  else if (key === 'arrowdown') map.pan(0, -step);
  else if (key === 'enter') clickAt(app, ...map.screen(map.x, map.y));
  else if (key === 'n' || key === 'b') app.panel.nextThing(key === 'n' ? 1 : -1);
  else return;
  event.preventDefault();
}

/*
 * One pointer moves the map, or moves the selected thing if it starts on it, or paints while a tool is chosen. Two
 * pointers, or the middle button, always move the map.
 */
function pointer(app, canvas) {
  const {map, brush} = app;
  const down = new Map();
  let moved = 0;
  let pinch = 0;
  let act = 'pan'; /* pan, paint, drag */
  let start = [0, 0];
  let grip = null; /* the handle of an area that is dragged */
  const painting = () => brush.tool && brush.target && map.scene;
  const dragged = event => [(event.offsetX - start[0]) / map.zoom, (event.offsetY - start[1]) / map.zoom];
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved = 0;
    pinch = spread(down);
    if (down.size > 1) {
      if (act === 'paint') brush.cancel();
      map.ghost = null;
      act = 'pan';
      return;
    }
    start = [event.offsetX, event.offsetY];
    const place = map.place(...start);
    grip = event.button === 0 && !painting() && !app.placing && !app.picking ? handleAt(map, ...start) : null;
    act = event.button === 1 ? 'pan' : painting() ? 'paint' : grip ? 'stretch'
      : event.shiftKey && !app.placing ? 'band'
      : !app.placing && !app.picking && isOnSelected(app, ...place) ? 'drag' : 'pan';
    app.dragged = act === 'drag' ? app.selection : act === 'stretch' ? [grip.area.of] : [];
    if (act === 'paint') brush.begin(...place);
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
    } else if (act === 'paint') {
      map.hovered = null;
      for (const step of event.getCoalescedEvents?.().concat(event)
        ?? [event]) brush.move(...map.place(step.offsetX, step.offsetY));
    } else if (moved > 3 && act === 'drag') {
      const things = app.dragged.map(path => app.thingFor(path)).filter(Boolean);
      const fields = sharedFields(app, things);
      map.ghost = fields && {rects: things.map(thing => app.rectOf(thing)), by: stepped(fields, dragged(event))};
      map.draw();
    } else if (moved > 3 && act === 'stretch') {
      map.stretching = stretched(grip.area.rect, grip.at, dragged(event));
      map.draw();
    } else if (moved > 3 && act === 'band') {
      const [[x0, y0], [x1, y1]] = [map.place(...start), map.place(event.offsetX, event.offsetY)];
      map.band = [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)];
      map.draw();
    } else if (moved > 3) {
      canvas.classList.add('dragging');
      map.pan(dx, dy);
    }
  });
  const up = event => {
    if (!down.delete(event.pointerId)) return;
    canvas.classList.remove('dragging');
    const lifted = event.type === 'pointerup';
    const {band} = map;
    const rect = act === 'stretch' && map.stretching;
    map.ghost = map.hovered = map.band = map.stretching = null;
    if (act === 'paint') {
      if (lifted) brush.end();
      else brush.cancel();
    } else if (lifted && rect) {
      const [path] = app.dragged;
      if (path) app.edit(grip.area.set(rect).map(one => path + one.slice(grip.area.of.length)), `resize ${path}`);
    } else if (lifted && moved <= 3) {
      clickAt(app, event.offsetX, event.offsetY, event.shiftKey);
    } else if (lifted && act === 'drag') {
      if (app.dragged.length) moveThings(app, app.dragged, dragged(event));
    } else if (lifted && act === 'band' && band) {
      selectIn(app, band);
    }
    act = 'pan';
    app.dragged = [];
    map.draw();
    if (lifted && event.pointerType === 'mouse') hover(app, canvas, event.offsetX, event.offsetY);
  };
  canvas.addEventListener('pointerleave', () => { app.pointerAt = null; });
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('dblclick', event => {
    if (painting() || app.placing || app.picking) return;
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

/* Adds the things that are wholly in a rectangle to the selection. */
function selectIn(app, [left, top, width, height]) {
  const known = new Set(app.selection);
  const found = (app.map.scene?.things ?? []).filter(thing => {
    const [x, y, w, ht] = app.rectOf(thing);
    return thing.path && !known.has(thing.path) && x >= left && y >= top && x + w <= left + width
      && y + ht <= top + height;
  });
  app.looks++;
  app.selectAll([...selectedThings(app), ...found]);
  tellSelected(app);
}

function tellSelected(app) {
  notice(`${count(app.selection.length, 'thing')} selected.`);
  if (app.selected && app.panel.state.tab === 'record') app.panel.showRecord(app.selected);
}

/* Whether a press at this place would move the selected thing. */
function isOnSelected(app, x, y) {
  const thing = app.selected && app.thingFor(app.selected);
  if (!thing || !app.map.selected || !placeFields(app, thing)) return false;
  return [app.map.selected, ...app.map.more].some(([left, top, width, height]) =>
    x >= left && y >= top && x < left + width && y < top + height);
}

function spread(down) {
  if (down.size !== 2) return 0;
  const [a, b] = [...down.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/* The things at a place of the picture, in the order in which clicks select them: smaller ones first, so that a thing inside a large one
   can be selected, then the topmost; scenery last. */
function thingsAt(app, x, y) {
  const found = [];
  for (const [order, thing] of (app.map.scene?.things ?? []).entries()) {
    const [left, top, width, height] = app.rectOf(thing);
    const slack = (app.marks.shows(thing) ? 9 : 3) / app.map.zoom;
    const inside = x >= left - slack && y >= top - slack && x < left + width + slack && y < top + height
      + slack;
    if (inside) found.push({thing, order, area: width * height, isScenery: thing.kind === 'scenery'});
  }
  return found.sort((one, two) => one.isScenery - two.isScenery || one.area - two.area || two.order - one.order).map(({thing}) => thing);
}

function linkAt(app, x, y) {
  const scene = app.map.scene;
  if (!scene) return undefined;
  const [px, py] = [x + app.origin[0], y + app.origin[1]];
  const [column, row] = cellOfWorld(scene, px, py);
  return scene.links.find(link => {
    if (!link.rect) return link.column === column && link.row === row;
    const [left, top, width, height] = link.rect;
    return px >= left && py >= top && px < left + width && py < top + height;
  });
}

/* The level of a world at a place: each is 64 by 64 cells. */
function cellOfWorld(scene, x, y) {
  const main = scene.layers.find(layer => layer.main);
  return main ? [Math.floor(x / (64 * main.cell_width)), Math.floor(y / (64 * main.cell_height))] : [];
}

function clickAt(app, sx, sy, add = false) {
  const {map, brush} = app;
  if (!map.scene) return;
  const [x, y] = map.place(sx, sy);
  if (app.picking) {
    app.picking([x + app.origin[0], y + app.origin[1]]);
    return;
  }
  if (brush.tool && brush.target) {
    brush.begin(x, y);
    brush.end();
    return;
  }
  if (app.placing) {
    addAt(app, [x, y]);
    return;
  }
  const things = thingsAt(app, x, y);
  if (add) {
    if (!things[0]?.path) return;
    app.toggle(things[0]);
    tellSelected(app);
    return;
  }
  /* A click at the same place, if it is no double one, selects what is under the thing there. */
  const {last} = clickAt;
  const isAgain = last?.scene === map.scene && Math.hypot(x - last.x, y - last.y) * map.zoom <= 4 && Date.now() - last.time > 500;
  clickAt.last = {scene: map.scene, x, y, time: Date.now()};
  const now = isAgain ? things.findIndex(one => one.path && one.path === app.selected) : -1;
  const thing = things[(now + 1) % things.length];
  app.select(thing);
  if (thing?.path) app.panel.showRecord(thing.path);
  else if (thing) notice(thing.label || thing.kind);
}

/* The line under the map; a new text replaces what is still to come for the old place. */
controls.status = text => {
  clearTimeout(hover.timer);
  $('place').textContent = text;
};

/* The cell at a place, of the main layer or of the one that is shown alone. */
function cellAt(app, x, y) {
  const layers = app.map.scene?.layers ?? [];
  const index = app.layerAlone ?? layers.findIndex(layer => layer.main);
  const layer = layers[index];
  if (!layer) return null;
  const column = Math.floor((x + app.origin[0]) / layer.cell_width);
  const row = Math.floor((y + app.origin[1]) / layer.cell_height);
  return column >= 0 && row >= 0 && column < layer.columns && row < layer.rows ? {index, column, row} : null;
}

function hover(app, canvas, sx, sy) {
  const {map} = app;
  if (!map.scene) return;
  const [x, y] = map.place(sx, sy);
  app.pointerAt = [x, y];
  const inside = x >= 0 && y >= 0 && x < map.scene.width && y < map.scene.height;
  const painting = app.placing || (app.brush.tool && app.brush.target);
  const things = inside && !painting ? thingsAt(app, x, y) : [];
  const [thing] = things;
  const link = inside && !painting ? linkAt(app, x, y) : null;
  const brushCell = painting && !app.placing && app.brush.cellAt(x, y);
  map.hovered = app.placing ? placeRect(app, [x, y])
    : thing ? app.rectOf(thing) : brushCell ? app.brush.rectOf(brushCell) : null;
  canvas.classList.toggle('pointing', Boolean(thing || link));
  canvas.classList.toggle('movable', isOnSelected(app, x, y));
  canvas.classList.toggle('stretching', !painting && Boolean(handleAt(map, sx, sy)));
  map.draw();
  clearTimeout(hover.timer);
  if (!inside) {
    $('place').textContent = '';
    return;
  }
  const [left, top] = app.gameOrigin;
  const parts = [`${Math.floor(x + left)}, ${Math.floor(y + top)} px`];
  const cell = app.doc.format === 'sketchy' ? null : cellAt(app, x, y);
  if (cell) parts.push(`cell ${cell.column}, ${cell.row}`);
  if (thing) parts.push([thing.kind, thing.label].filter(Boolean).join(' '));
  if (things.length > 1) parts.push(`${things.length - 1} more here: click again`);
  if (link) parts.push(`to ${link.target} (double click)`);
  $('place').textContent = parts.join('  ·  ');
  const here = cellAt(app, x, y);
  if (!here) return;
  hover.timer = setTimeout(async () => {
    const {value, empty, look, inner} = await app.ask('cell', here.index, here.column,
      here.row).catch(() => ({}));
    if (value === undefined) return;
    if (cell) parts.splice(2, 0, empty ? 'no tile' : `tile ${value}`);
    if (look && look !== 'none') parts.splice(3, 0, inner && inner !== look ? `${look}, inside ${inner}`
      : look);
    $('place').textContent = parts.join('  ·  ');
  }, 120);
}
