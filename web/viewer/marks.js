/* Marks of what the game does not show: doors, signs, triggers, starts and places where something appears. */
import {h, kept, keptHeading, keptSame, keptSwitch, keptText, refill, unchanging} from './dom.js';

/* Each kind of thing has its own mark: a sign and a colour that white can be read on. */
const looks = {
  warp: ['⇄', '#1d4ed8'], exit: ['⇥', '#0f766e'], start: ['▶', '#15803d'], checkpoint: ['⚑', '#4d7c0f'],
  sign: ['¶', '#92400e'], trigger: ['◎', '#7e22ce'], sound: ['♪', '#a21caf'], enemy: ['!', '#b91c1c'],
  boss: ['‼', '#7f1d1d'], hazard: ['×', '#c2410c'], treasure: ['$', '#854d0e'], item: ['+', '#be185d'],
  container: ['□', '#5b4636'], platform: ['–', '#334155'], scenery: ['·', '#3f6212'], unknown: ['?', '#4b5563'],
};
const size = 18;

/* The game draws no picture for it. */
function isInvisible(thing) {
  return thing.hidden || thing.dropped || !thing.picture || thing.kind === 'start';
}

export class Marks {
  on = false;
  off = new Set(); /* kinds that are not shown */
  #app;

  constructor(app) {
    this.#app = app;
  }

  /* How many invisible things there are of each kind. */
  counts() {
    const counts = new Map();
    for (const thing of this.#app.map.scene?.things ?? [])
      if (isInvisible(thing)) counts.set(thing.kind, (counts.get(thing.kind) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  }

  shows(thing) {
    return this.on && !this.off.has(thing.kind) && isInvisible(thing);
  }

  toggle(on = !this.on) {
    this.on = on;
    this.#app.map.draw();
  }

  draw(c, map) {
    if (!this.on || map.compare !== null) return;
    const shown = [];
    for (const thing of map.scene.things ?? []) {
      if (!this.shows(thing)) continue;
      const rect = this.#app.rectOf(thing);
      const [x, y] = map.screen(rect[0], rect[1]);
      const [w, ht] = [rect[2] * map.zoom, rect[3] * map.zoom];
      if (x + w > -size && y + ht > -size && x < map.width + size && y < map.height + size) shown.push([thing.kind, x, y, w, ht]);
    }
    /* Of very many each is a dot. */
    const isSmall = shown.length > 600;
    for (const [kind, x, y, w, ht] of shown) {
      const color = (looks[kind] ?? looks.unknown)[1];
      if (w > size * 1.5 || ht > size * 1.5) {
        c.fillStyle = c.strokeStyle = color;
        c.globalAlpha = 0.18;
        c.fillRect(x, y, w, ht);
        c.globalAlpha = 1;
        c.lineWidth = 1.5;
        c.strokeRect(x, y, w, ht);
      }
      /* The mark stays in view as long as a part of its place is. */
      const at = (v, length, end) => Math.min(Math.max(v + length / 2, Math.min(size, v + length)), Math.max(end - size, v));
      drawMark(c, kind, at(x, w, map.width), at(y, ht, map.height), isSmall);
    }
  }

  /* The part of the View tab: what is marked, and what each mark means. */
  part(known) {
    const counts = this.counts();
    return [keptHeading(known, 'Invisible in the game'),
      keptSwitch(known, 'marks', 'Mark doors, signs, triggers, starts', this.on, on => {
        this.toggle(on);
        this.#app.panel.redraw();
      }, 'key I'),
      !counts.length && this.on && keptText(known, 'no marks', 'Everything here has a picture.', () => h('p', {className: 'soft'})),
      this.on && this.#legend(counts, known)];
  }

  #legend(counts, known) {
    const ratio = Math.max(1, globalThis.devicePixelRatio || 1);
    const legend = kept(known, 'legend', null, () => unchanging(h('ul', {className: 'legend', 'aria-label': 'Legend'})));
    refill(legend, counts.map(([kind, count]) => {
      const item = keptSwitch(known, `mark ${kind}`, [keptSame(known, `swatch ${kind}`, [ratio], () => swatch(kind, ratio)), kind],
        !this.off.has(kind), on => {
          this.off[on ? 'delete' : 'add'](kind);
          this.#app.map.draw();
        }, String(count));
      return kept(known, `item ${kind}`, null, () => unchanging(h('li', {}, item)));
    }));
    return legend;
  }
}

function drawMark(c, kind, x, y, isSmall) {
  const [sign, color] = looks[kind] ?? looks.unknown;
  const side = isSmall ? 7 : size;
  c.fillStyle = 'white';
  c.fillRect(x - side / 2 - 1, y - side / 2 - 1, side + 2, side + 2);
  c.fillStyle = color;
  c.fillRect(x - side / 2, y - side / 2, side, side);
  if (isSmall) return;
  c.fillStyle = 'white';
  c.font = 'bold 13px system-ui, sans-serif';
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText(sign, x, y + 1);
}

function swatch(kind, ratio) {
  const canvas = h('canvas', {width: 20 * ratio, height: 20 * ratio, 'aria-hidden': 'true'});
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  drawMark(c, kind, 10, 10, false);
  return canvas;
}
