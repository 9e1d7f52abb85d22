/*
 * The picture: a canvas with tiles that the worker draws. Places are px of the picture; `zoom` is screen px (CSS) for
 * one of them. Tiles are 512 px wide at scales 1, 1/2, 1/4 …; until a tile is drawn, tiles of other scales are shown.
 */

import {handlesOf} from './areas.js';

const tileSize = 512;
const maxTiles = 160;
const maxZoom = 32;
const markReach = 24; /* px around the place of a thing without a picture that its mark covers */

/* A picture with another one laid into it. */
function patched(whole, part, [x, y]) {
  const canvas = new OffscreenCanvas(whole.width, whole.height);
  const context = canvas.getContext('2d');
  context.drawImage(whole, 0, 0);
  context.clearRect(x, y, part.width, part.height);
  context.drawImage(part, x, y);
  part.close();
  return canvas.transferToImageBitmap();
}

export class MapView {
  canvas;
  #context;
  #tiles = new Map(); /* "slot/scale/column/row": {bitmap, generation, used} */
  #generation = 0;
  #asked = null;
  #askedGeneration = 0; /* what the tile that is being drawn shows */
  #frame = 0;
  #clock = 0;
  scene = null;
  x = 0;
  y = 0;
  zoom = 1;
  options = {}; /* for render: layers, overlays … */
  camera = null; /* [width, height] of the game's window, or null */
  selected = null; /* rectangles in px of the picture */
  more = []; /* of the other selected things */
  areas = []; /* rectangles of the selected thing with handles (areas.js) */
  stretching = null; /* one of them while its handle is dragged */
  band = null; /* a rectangle that is being drawn to select what is in it */
  hovered = null;
  compare = null; /* 0 … 1: right of it is the other document */
  otherShift = [0, 0]; /* offset of a place in the other document */
  marks = []; /* {kind, rect}: places that differ from the other document */
  ghost = null; /* {rects, by: [dx, dy]}: parts that are being dragged */
  hits = []; /* rectangles of what a search found */
  outside = []; /* rectangles of things beside the level */
  findings = []; /* rectangles of what findings are about, while their tab is shown: {rect, isBad} */
  marksOver = null; /* the same for the marks of invisible things */
  paintOver = null; /* draws with (context, map) over the picture: the preview of a brush */
  /* Called when the place or the zoom changed. */
  moved = () => {};
  wake = () => {};
  failed = () => {};

  constructor(canvas) {
    this.canvas = canvas;
    this.#context = canvas.getContext('2d');
    new ResizeObserver(() => this.#resize()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    this.#resize();
  }

  #resize() {
    const {width, height} = this.canvas.getBoundingClientRect();
    this.ratio = Math.max(1, globalThis.devicePixelRatio || 1);
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.draw();
  }

  /*
   * Shows a document, or nothing. `keep`: the same document after an edit, at the same place; `changed`: the rectangles
   * that differ, if not all of it.
   */
  show(scene, keep = false, changed = null) {
    const sameSize = String(this.scene?.bounds) === String(scene?.bounds) && this.scene?.width === scene?.width
      && this.scene?.height === scene?.height;
    this.scene = scene;
    if (keep && changed && sameSize) this.#spoil(changed);
    else this.#generation++;
    if (!keep) {
      this.#tiles.clear();
      this.selected = this.hovered = null;
      this.more = [];
      this.areas = [];
      this.hits = [];
      this.fit();
    }
    this.draw();
  }

  setOptions(options) {
    this.options = options;
    this.#generation++;
    this.draw();
  }

  /* The part of the window that no panel covers. */
  inset = {left: 0, top: 0, right: 0, bottom: 0};

  #centre() {
    const {left, top, right, bottom} = this.inset;
    return [(left + this.width - right) / 2, (top + this.height - bottom) / 2];
  }

  get minZoom() {
    return Math.min(1, 0.5 * this.#fitZoom());
  }

  #fitZoom() {
    if (!this.scene) return 1;
    const {left, top, right, bottom} = this.inset;
    return Math.min((this.width - left - right - 32) / this.scene.width,
      (this.height - top - bottom - 32) / this.scene.height);
  }

  fit() {
    if (!this.scene) return;
    const fitting = Math.max(this.#fitZoom(), 1e-6);
    this.zoom = fitting >= 1 ? Math.min(8, Math.floor(fitting)) : fitting;
    this.x = this.scene.width / 2;
    this.y = this.scene.height / 2;
    this.#changed();
  }

  goTo(x, y, zoom = this.zoom) {
    this.x = x;
    this.y = y;
    this.zoom = Math.min(maxZoom, Math.max(this.minZoom, zoom));
    this.#changed();
  }

  pan(dx, dy) {
    this.goTo(this.x - dx / this.zoom, this.y - dy / this.zoom);
  }

  /* Zooms by a factor; the point of the picture at this place of the window stays there. */
  zoomAt(factor, sx, sy) {
    const [cx, cy] = this.#centre();
    const [px, py] = this.place(sx ?? cx, sy ?? cy);
    const zoom = Math.min(maxZoom, Math.max(this.minZoom, this.zoom * factor));
    this.goTo(px - ((sx ?? cx) - cx) / zoom, py - ((sy ?? cy) - cy) / zoom, zoom);
  }

  #changed() {
    if (this.scene) {
      this.x = Math.min(this.scene.width, Math.max(0, this.x));
      this.y = Math.min(this.scene.height, Math.max(0, this.y));
    }
    this.moved();
    this.draw();
  }

  /* Place in the picture of a place in the window, and back. */
  place(sx, sy) {
    const [cx, cy] = this.#centre();
    return [this.x + (sx - cx) / this.zoom, this.y + (sy - cy) / this.zoom];
  }

  screen(px, py) {
    const [cx, cy] = this.#centre();
    return [cx + (px - this.x) * this.zoom, cy + (py - this.y) * this.zoom];
  }

  draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
      this.wake();
    });
  }

  /* The scale for the zoom: 0: 1, 1: 1/2 … */
  #level() {
    const want = Math.floor(Math.log2(1 / (this.zoom * this.ratio)) + 0.01);
    const most = Math.ceil(Math.log2(Math.max(this.scene.width, this.scene.height) / tileSize));
    return Math.max(0, Math.min(want, most));
  }

  #key(slot, level, column, row) {
    return `${slot}/${level}/${column}/${row}`;
  }

  /* The tiles of a scale in the window, the middle first. */
  #visible(slot, level) {
    const side = tileSize * 2 ** level;
    const [left, top] = this.place(0, 0);
    const [right, bottom] = this.place(this.width, this.height);
    const from = v => Math.max(0, Math.floor(v / side));
    const to = (v, end) => Math.floor((Math.min(v, end) - 1e-9) / side);
    const list = [];
    for (let row = from(top); row <= to(bottom, this.scene.height); row++) {
      for (let column = from(left); column <= to(right, this.scene.width); column++)
        list.push({slot, level, column, row, side});
    }
    const far = t => Math.hypot((t.column + 0.5) * side - this.x, (t.row + 0.5) * side - this.y);
    return list.sort((a, b) => far(a) - far(b));
  }

  /* The next tile for the worker to draw. */
  nextTile() {
    if (!this.scene || this.#asked) return undefined;
    if (this.camera && !this.#current(this.#cameraKey())) return this.#ask(this.#cameraKey(),
      this.#cameraOptions());
    const [x, y] = this.scene.bounds ?? [0, 0];
    for (const slot of this.compare === null ? ['a'] : ['a', 'b']) {
      for (const tile of this.#visible(slot, this.#level())) {
        const key = this.#key(slot, tile.level, tile.column, tile.row);
        if (this.#current(key)) continue;
        const [sx, sy] = slot === 'b' ? this.otherShift : [0, 0];
        const whole = [Math.min(tile.side, this.scene.width - tile.column * tile.side),
          Math.min(tile.side, this.scene.height - tile.row * tile.side)];
        const known = this.#tiles.get(key);
        const box = known?.generation === this.#generation && known.spoiled;
        const [left, top, right, bottom] = box || [0, 0, ...whole];
        const [width, height] = [right - left, bottom - top];
        if (box) known.spoiled = undefined;
        return this.#ask(key, {...this.options, slot, scale: 1 / 2 ** tile.level,
          /* At a much smaller scale each cell is shrunk alone, which is much faster. */
          size: tile.level >= 4 ? Math.ceil(Math.max(width, height) / 2 ** tile.level) : 0,
          region: [tile.column * tile.side + left + x + sx, tile.row * tile.side + top + y + sy, width, height]},
        whole, box && [left / 2 ** tile.level, top / 2 ** tile.level]);
      }
    }
    return undefined;
  }

  /* Parts of tiles must be drawn again: blocks of 64 px of each, which all scales have in common. `rects.names`: things are
     drawn as marks, and all tiles of full size show their names. */
  #spoil(rects) {
    for (const [key, tile] of this.#tiles) {
      if (tile.generation !== this.#generation) continue;
      const [slot, level, column, row] = key.split('/');
      if (slot === 'b' || !rects.length) continue;
      if (slot === 'camera' || !tile.bitmap || (rects.names && level === '0')) {
        tile.generation = -1;
        continue;
      }
      const side = tileSize * 2 ** level;
      const block = 64 * 2 ** level;
      const reach = rects.names ? markReach + 4 * 2 ** level : 0;
      for (const [x0, y0, w, ht] of rects) {
        const [x, y, width, height] = [x0 - reach, y0 - reach, w + 2 * reach, ht + 2 * reach];
        const [left, top] = [x - column * side, y - row * side];
        const box = [Math.max(0, Math.floor(left / block) * block), Math.max(0, Math.floor(top / block) * block),
          Math.min(tile.part[0], Math.ceil((left + width) / block) * block),
          Math.min(tile.part[1], Math.ceil((top + height) / block) * block)];
        if (box[0] >= box[2] || box[1] >= box[3]) continue;
        const old = tile.spoiled ?? box;
        tile.spoiled = box.map((v, i) => (i < 2 ? Math.min(v, old[i]) : Math.max(v, old[i])));
      }
    }
    /* A tile that is being drawn shows the state before. */
    if (rects.length) this.#askedGeneration = -1;
  }

  #current(key) {
    const known = this.#tiles.get(key);
    return known && (known.generation === this.#generation) && !known.spoiled && known;
  }

  /* Resolves when the window is drawn, or after some milliseconds. */
  async drawn(most) {
    const until = performance.now() + most;
    while (this.scene && !this.complete && performance.now() < until) await new Promise(requestAnimationFrame);
  }

  /* `at`: the part of the known tile that is drawn again. */
  #ask(key, options, part, at) {
    const generation = this.#generation;
    this.#asked = key;
    this.#askedGeneration = generation;
    const keep = given => {
      const known = this.#tiles.get(key);
      const bitmap = at && given && known?.bitmap ? patched(known.bitmap, given, at) : given;
      this.#asked = null;
      known?.bitmap?.close();
      /* Spoiled meanwhile: drawn again as a whole. */
      this.#tiles.set(key, {bitmap, part, generation: this.#askedGeneration === generation ? generation : -1,
        used: ++this.#clock});
      this.#forget();
      this.draw();
    };
    return {method: 'tile', args: [options], done: keep, failed: error => {
      keep(null);
      this.failed(error);
    }};
  }

  #forget() {
    if (this.#tiles.size <= maxTiles) return;
    const old = [...this.#tiles].sort((a, b) => a[1].used - b[1].used).slice(0, this.#tiles.size - maxTiles);
    for (const [key, {bitmap}] of old) {
      bitmap?.close();
      this.#tiles.delete(key);
    }
  }

  /* True if the whole window is drawn and no tile is missing. */
  get complete() {
    if (!this.scene || this.#frame || this.#asked) return false;
    const slots = this.compare === null ? ['a'] : ['a', 'b'];
    return slots.every(slot => this.#visible(slot, this.#level())
      .every(t => this.#current(this.#key(slot, t.level, t.column, t.row))))
      && (!this.camera || Boolean(this.#current(this.#cameraKey())));
  }

  #cameraKey() {
    return `camera/${this.camera}/${Math.round(this.x)}/${Math.round(this.y)}`;
  }

  #cameraOptions() {
    const [left, top] = this.scene.bounds ?? [0, 0];
    const [zx, zy] = this.scene.zero;
    return {...this.options, view: 'camera', viewSize: this.camera,
      camera: [Math.round(this.x + left - zx), Math.round(this.y + top - zy)]};
  }

  #paint() {
    const c = this.#context;
    const style = getComputedStyle(this.canvas);
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    if (!this.scene) return;
    const [left, top] = this.screen(0, 0);
    const [right, bottom] = this.screen(this.scene.width, this.scene.height);
    c.save();
    c.fillStyle = style.getPropertyValue('--paper');
    /* A shadow takes most of the time of a frame, so there is none where nobody sees it. */
    if (left > 0 || top > 0 || right < this.width || bottom < this.height) {
      c.shadowColor = 'rgba(0,0,0,.35)';
      c.shadowBlur = 24;
    }
    const [x0, y0] = [Math.max(left, -60), Math.max(top, -60)];
    c.fillRect(x0, y0, Math.min(right, this.width + 60) - x0, Math.min(bottom, this.height + 60) - y0);
    c.restore();
    this.#paintTiles('a');
    if (this.compare !== null) this.#paintOther();
    this.#paintMarks();
    for (const rect of this.outside) this.outline(rect, style.getPropertyValue('--bad'), 2);
    for (const {rect, isBad} of this.findings) this.outline(rect, style.getPropertyValue(isBad ? '--bad' : '--warn'), 2);
    this.marksOver?.(c, this);
    this.#paintHits(style.getPropertyValue('--warn'));
    this.paintOver?.(c, this);
    for (const rect of this.ghost?.rects ?? []) this.#paintGhost(rect, this.ghost.by);
    if (this.camera) this.#paintCamera();
    this.outline(this.hovered, style.getPropertyValue('--accent'), 1);
    for (const rect of this.more) this.outline(rect, style.getPropertyValue('--accent'), 2);
    this.outline(this.band, style.getPropertyValue('--accent'), 1);
    this.outline(this.selected, style.getPropertyValue('--accent'), 2.5);
    for (const area of this.areas) this.#paintArea(area, style.getPropertyValue('--accent'));
    this.outline(this.stretching, style.getPropertyValue('--accent'), 2);
  }

  #paintArea(area, color) {
    const c = this.#context;
    const [x, y, w, ht] = area.rect;
    if (area.name !== 'size') {
      c.setLineDash([6, 4]);
      this.outline(area.rect, color, 1);
      c.setLineDash([]);
    }
    for (const [hx, hy] of handlesOf(area, this.zoom)) {
      const [px, py] = this.screen(x + w * hx, y + ht * hy);
      c.fillStyle = 'white';
      c.fillRect(px - 5, py - 5, 10, 10);
      c.fillStyle = color;
      c.fillRect(px - 3.5, py - 3.5, 7, 7);
    }
  }

  #paintTiles(slot) {
    const level = this.#level();
    const c = this.#context;
    const [vl, vt] = this.place(0, 0);
    const [vr, vb] = this.place(this.width, this.height);
    const drawn = [];
    for (const [key, tile] of this.#tiles) {
      const [from, at, column, row] = key.split('/');
      if (from !== slot || !tile.bitmap) continue;
      /* Tiles of other scales are used only if they are not older than the settings. */
      if (+at !== level && tile.generation !== this.#generation) continue;
      const side = tileSize * 2 ** at;
      const box = [column * side, row * side];
      if (box[0] > vr || box[1] > vb || box[0] + side < vl || box[1] + side < vt) continue;
      drawn.push({tile, at: +at, box});
    }
    const order = at => (at === level ? -1e3 : at);
    drawn.sort((a, b) => order(b.at) - order(a.at));
    for (const {tile, at, box} of drawn) {
      tile.used = ++this.#clock;
      const scale = 2 ** at;
      const [x0, y0] = this.#snap(box[0], box[1]);
      const [x1, y1] = this.#snap(Math.min(this.scene.width, box[0] + tile.part[0]),
        Math.min(this.scene.height, box[1] + tile.part[1]));
      c.imageSmoothingEnabled = this.zoom * this.ratio * scale < 1;
      c.drawImage(tile.bitmap, x0, y0, x1 - x0, y1 - y0);
    }
  }

  /* A place in the window, rounded to a whole px of the screen, so that tiles meet without a seam. */
  #snap(px, py) {
    return this.screen(px, py).map(v => Math.round(v * this.ratio) / this.ratio);
  }

  #paintOther() {
    const c = this.#context;
    const edge = this.compare * (this.width - this.inset.right);
    c.save();
    c.beginPath();
    c.rect(edge, 0, this.width - edge, this.height);
    c.clip();
    this.#paintTiles('b');
    c.restore();
    c.fillStyle = getComputedStyle(this.canvas).getPropertyValue('--accent');
    c.fillRect(edge - 1, 0, 2, this.height);
  }

  #paintHits(color) {
    const c = this.#context;
    for (const rect of this.hits) {
      const [x, y] = this.screen(rect[0], rect[1]);
      const [w, ht] = [Math.max(8, rect[2] * this.zoom), Math.max(8, rect[3] * this.zoom)];
      if (x > this.width || y > this.height || x + w < 0 || y + ht < 0) continue;
      c.fillStyle = color;
      c.globalAlpha = 0.3;
      c.fillRect(x, y, w, ht);
      c.globalAlpha = 1;
      this.outline(rect, color, 2);
    }
  }

  #paintMarks() {
    const style = getComputedStyle(this.canvas);
    const c = this.#context;
    for (const {kind, thing, rect} of this.marks) {
      const color = style.getPropertyValue(`--${kind}`);
      const [x, y] = this.screen(rect[0], rect[1]);
      const [w, ht] = [Math.max(4, rect[2] * this.zoom), Math.max(4, rect[3] * this.zoom)];
      if (x > this.width || y > this.height || x + w < 0 || y + ht < 0) continue;
      if (thing) this.outline(rect, color, 2);
      c.fillStyle = color;
      c.globalAlpha = thing ? 0.2 : 0.5;
      c.fillRect(x, y, w, ht);
      c.globalAlpha = 1;
    }
  }

  /* The dragged part of the picture at its new place. */
  #paintGhost(rect, by) {
    const [x, y] = this.screen(rect[0], rect[1]);
    const [w, ht] = [rect[2] * this.zoom, rect[3] * this.zoom];
    const c = this.#context;
    c.globalAlpha = 0.75;
    c.imageSmoothingEnabled = false;
    c.drawImage(this.canvas, x * this.ratio, y * this.ratio, w * this.ratio, ht * this.ratio,
      x + by[0] * this.zoom, y + by[1] * this.zoom, w, ht);
    c.globalAlpha = 1;
    const to = [rect[0] + by[0], rect[1] + by[1], rect[2], rect[3]];
    const isOutside = to[0] + to[2] <= 0 || to[1] + to[3] <= 0 || to[0] >= this.scene.width
      || to[1] >= this.scene.height;
    this.outline(to, getComputedStyle(this.canvas).getPropertyValue(isOutside ? '--bad' : '--accent'), 2);
  }

  #paintCamera() {
    const c = this.#context;
    const [w, ht] = this.camera.map(v => v * this.zoom);
    const [sx, sy] = this.#snap(this.x, this.y);
    const known = this.#tiles.get(this.#cameraKey()) ?? this.lastCamera;
    c.fillStyle = 'rgba(0,0,0,.55)';
    c.fillRect(0, 0, this.width, this.height);
    if (known?.bitmap) {
      c.imageSmoothingEnabled = this.zoom < 1;
      try {
        c.drawImage(known.bitmap, sx - w / 2, sy - ht / 2, w, ht);
        this.lastCamera = known;
      } catch {
        this.lastCamera = null;
      }
    }
    c.strokeStyle = 'white';
    c.strokeRect(sx - w / 2, sy - ht / 2, w, ht);
  }

  outline(rect, color = getComputedStyle(this.canvas).getPropertyValue('--accent'), width = 1.5) {
    if (!rect) return;
    const c = this.#context;
    const [x, y] = this.screen(rect[0], rect[1]);
    const [w, ht] = [Math.max(6, rect[2] * this.zoom), Math.max(6, rect[3] * this.zoom)];
    c.lineWidth = width + 2;
    c.strokeStyle = 'rgba(255,255,255,.85)';
    c.strokeRect(x - 1, y - 1, w + 2, ht + 2);
    c.lineWidth = width;
    c.strokeStyle = color;
    c.strokeRect(x - 1, y - 1, w + 2, ht + 2);
  }
}
