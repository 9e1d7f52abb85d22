'use strict';
/*
 * The page of `lvl render --tiles': a map of tiles, z/x/y.png, that is moved and zoomed by mouse, touch and keys. The address holds
 * the place, #x,y,zoom: the pixel of the whole picture in the middle, so a place can be linked to.
 *
 * data: {title, width, height, tile, zooms, levels: [[name, x, y, width, height] …]}, in pixels of the whole picture.
 */
const data = JSON.parse(document.getElementById('data').textContent);
const canvas = document.getElementById('map'), context = canvas.getContext('2d');
const element = id => document.getElementById(id);
const KEPT = 400; /* tiles in memory */
const LARGEST = 8; /* pixels of the screen for one of the picture */

/* What is shown: the pixel of the picture in the middle of the canvas, and how many pixels of the screen one of the picture takes. */
const view = {x: data.width / 2, y: data.height / 2, scale: 1};
const tiles = new Map(); /* by "z/x/y", the one used last at the end */
let pending = false, mouse = null;

const size = () => ({width: canvas.clientWidth || 1, height: canvas.clientHeight || 1});
const fitting = () => Math.min(size().width / data.width, size().height / data.height);

function clamp() {
  const least = Math.min(fitting(), 1);
  view.scale = Math.min(LARGEST, Math.max(least, view.scale));
  view.x = Math.min(data.width, Math.max(0, view.x));
  view.y = Math.min(data.height, Math.max(0, view.y));
}

/* A tile, which is asked for if it is not there. */
function tile(z, x, y) {
  const key = `${z}/${x}/${y}`;
  let image = tiles.get(key);
  if (image) {
    tiles.delete(key);
  } else {
    image = new Image();
    image.onload = redraw;
    image.src = `${key}.png`;
    for (const old of tiles.keys()) {
      if (tiles.size < KEPT) break;
      tiles.delete(old);
    }
  }
  tiles.set(key, image);
  return image;
}

const isThere = image => image && image.complete && image.naturalWidth > 0;

/* Draws a tile, or until it is there the part of the nearest larger one that is. */
function drawTile(z, x, y, left, top, width, height) {
  const wanted = tile(z, x, y);
  if (isThere(wanted)) {
    context.drawImage(wanted, left, top, width, height);
    return;
  }
  for (let up = 1; up <= z; up++) {
    const image = tiles.get(`${z - up}/${x >> up}/${y >> up}`);
    if (!isThere(image)) continue;
    const part = data.tile / 2 ** up;
    context.drawImage(image, (x % 2 ** up) * part, (y % 2 ** up) * part, part, part, left, top, width, height);
    return;
  }
}

function drawBorders(left, top) {
  context.font = '13px system-ui, sans-serif';
  context.textBaseline = 'top';
  for (const [name, x, y, width, height] of data.levels) {
    const at = {x: left + x * view.scale, y: top + y * view.scale, width: width * view.scale, height: height * view.scale};
    if (at.x > size().width || at.y > size().height || at.x + at.width < 0 || at.y + at.height < 0) continue;
    context.strokeStyle = 'rgba(255, 255, 255, .55)';
    context.strokeRect(Math.round(at.x) + .5, Math.round(at.y) + .5, Math.round(at.width), Math.round(at.height));
    /* the name is in the corner of what is seen of the level */
    const label = {x: Math.max(0, at.x) + 2, y: Math.max(0, at.y) + 2, width: context.measureText(name).width + 8, height: 19};
    if (label.x + label.width > at.x + at.width || label.y + label.height > at.y + at.height) continue;
    context.fillStyle = 'rgba(0, 0, 0, .65)';
    context.fillRect(label.x, label.y, label.width, label.height);
    context.fillStyle = '#fff';
    context.fillText(name, label.x + 4, label.y + 3);
  }
}

function draw() {
  pending = false;
  clamp();
  const ratio = window.devicePixelRatio || 1, {width, height} = size();
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  /* the zoom whose tiles are at least as fine as the screen */
  const z = Math.max(0, Math.min(data.zooms, data.zooms + Math.ceil(Math.log2(view.scale * ratio) - .01)));
  const side = data.tile * 2 ** (data.zooms - z), left = width / 2 - view.x * view.scale, top = height / 2 - view.y * view.scale;
  context.imageSmoothingEnabled = view.scale * ratio < 1;
  const last = {x: Math.ceil(data.width / side) - 1, y: Math.ceil(data.height / side) - 1};
  const from = {x: Math.max(0, Math.floor(-left / view.scale / side)), y: Math.max(0, Math.floor(-top / view.scale / side))};
  const to = {x: Math.min(last.x, Math.floor((width - left) / view.scale / side)), y: Math.min(last.y, Math.floor((height - top) / view.scale / side))};
  for (let y = from.y; y <= to.y; y++) {
    for (let x = from.x; x <= to.x; x++) {
      /* whole pixels, so that no gaps show between tiles */
      const whole = n => Math.round(n * ratio) / ratio;
      const x0 = whole(left + x * side * view.scale), y0 = whole(top + y * side * view.scale);
      drawTile(z, x, y, x0, y0, whole(left + (x + 1) * side * view.scale) - x0, whole(top + (y + 1) * side * view.scale) - y0);
    }
  }
  if (element('grid').checked) drawBorders(left, top);
  showPlace();
}

function redraw() {
  if (!pending) requestAnimationFrame(draw);
  pending = true;
}

const levelAt = (x, y) => data.levels.find(([, left, top, width, height]) => x >= left && y >= top && x < left + width && y < top + height);

/* The place under the mouse, else in the middle. */
function showPlace() {
  const {width, height} = size(), at = mouse || {x: width / 2, y: height / 2};
  const x = Math.floor(view.x + (at.x - width / 2) / view.scale), y = Math.floor(view.y + (at.y - height / 2) / view.scale);
  const level = levelAt(x, y);
  const inside = x >= 0 && y >= 0 && x < data.width && y < data.height;
  element('place').textContent = !inside ? '' : level ? `${level[0]}: ${x - level[1]}, ${y - level[2]}` : `${x}, ${y}`;
}

let hashTimer = 0;
function moved() {
  redraw();
  clearTimeout(hashTimer);
  hashTimer = setTimeout(() => {
    clamp();
    const hash = `#${Math.round(view.x)},${Math.round(view.y)},${+Math.log2(view.scale).toFixed(2)}`;
    if (location.hash !== hash) history.replaceState(null, '', hash);
  }, 200);
}

/* Zooms so that what is at a point of the canvas stays there. */
function zoom(factor, at) {
  const {width, height} = size(), point = at || {x: width / 2, y: height / 2};
  const before = view.scale;
  view.scale *= factor;
  clamp();
  view.x += (point.x - width / 2) * (1 / before - 1 / view.scale);
  view.y += (point.y - height / 2) * (1 / before - 1 / view.scale);
  moved();
}

function pan(dx, dy) {
  view.x += dx / view.scale;
  view.y += dy / view.scale;
  moved();
}

function fit() {
  view.x = data.width / 2;
  view.y = data.height / 2;
  view.scale = fitting();
  moved();
}

function show(name) {
  const wanted = name.trim().toLowerCase();
  const level = data.levels.find(([own]) => own.toLowerCase() === wanted) || data.levels.find(([own]) => wanted && own.toLowerCase().startsWith(wanted));
  if (!level) return false;
  view.x = level[1] + level[3] / 2;
  view.y = level[2] + level[4] / 2;
  view.scale = Math.min(1, size().width / level[3], size().height / level[4]);
  moved();
  return true;
}

function fromAddress() {
  const numbers = location.hash.slice(1).split(',').map(Number);
  if (numbers.length !== 3 || numbers.some(n => !Number.isFinite(n))) return false;
  [view.x, view.y] = numbers;
  view.scale = 2 ** numbers[2];
  return true;
}

/* One pointer moves the map; two zoom it, too. */
const pointers = new Map();
const middle = () => {
  const all = [...pointers.values()];
  const x = all.reduce((sum, p) => sum + p.x, 0) / all.length, y = all.reduce((sum, p) => sum + p.y, 0) / all.length;
  return {x, y, apart: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0};
};
const placeOf = event => {
  const box = canvas.getBoundingClientRect();
  return {x: event.clientX - box.left, y: event.clientY - box.top};
};
canvas.onpointerdown = event => {
  if (event.pointerType === 'mouse' && event.button) return;
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, placeOf(event));
  canvas.classList.add('held');
};
canvas.onpointermove = event => {
  mouse = event.pointerType === 'mouse' ? placeOf(event) : null;
  if (!pointers.has(event.pointerId)) {
    showPlace();
    return;
  }
  const before = middle();
  pointers.set(event.pointerId, placeOf(event));
  const now = middle();
  pan(before.x - now.x, before.y - now.y);
  if (before.apart > 0 && now.apart > 0) zoom(now.apart / before.apart, now);
};
canvas.onpointerup = canvas.onpointercancel = event => {
  pointers.delete(event.pointerId);
  if (!pointers.size) canvas.classList.remove('held');
};
canvas.onpointerleave = () => {
  mouse = null;
  showPlace();
};
canvas.ondblclick = event => zoom(event.shiftKey ? .5 : 2, placeOf(event));
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  zoom(2 ** (-event.deltaY * lines / 240), placeOf(event));
}, {passive: false});
canvas.onkeydown = event => {
  const step = event.shiftKey ? 400 : 80;
  const keys = {
    ArrowLeft: () => pan(-step, 0), ArrowRight: () => pan(step, 0), ArrowUp: () => pan(0, -step), ArrowDown: () => pan(0, step),
    '+': () => zoom(2), '=': () => zoom(2), '-': () => zoom(.5), _: () => zoom(.5), Home: fit, 0: fit, 1: () => zoom(1 / view.scale),
  };
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
};
element('in').onclick = () => zoom(2);
element('out').onclick = () => zoom(.5);
element('fit').onclick = fit;
element('grid').onchange = redraw;
element('level').onchange = () => show(element('level').value);
window.onresize = redraw;
window.onhashchange = () => {
  if (fromAddress()) redraw();
};

element('title').textContent = data.title;
document.title = data.title;
element('find').hidden = element('grid-label').hidden = !data.levels.length;
element('levels').append(...data.levels.map(([name]) => Object.assign(document.createElement('option'), {value: name})));
if (!fromAddress()) fit();
redraw();
