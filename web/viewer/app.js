/* The page: one document open at a time, its picture, its panel, and what the user does to it. */
import {$, h, notice, saveFile, size} from './dom.js';
import {Client, Stopped} from './client.js';
import {MapView} from './map.js';
import {chosen, dropped, findBeside, levelsAmong} from './files.js';
import {controls} from './controls.js';
import {makePanel} from './panel.js';

class App {
  client = new Client();
  map = new MapView($('map'));
  formats = [];
  list = []; /* files as given */
  paths = [];
  doc = null; /* what the worker says of the open document */
  path = '';
  history = []; /* bytes after each edit; the first: as opened */
  at = 0;
  other = null; /* what is compared with */

  get bytes() {
    return this.history[this.at]?.bytes;
  }

  get format() {
    return this.formats.find(format => format.id === this.doc?.format);
  }

  /* Where the picture's 0, 0 lies, in px of the main layer. */
  get origin() {
    return this.doc?.scene?.bounds ?? [0, 0];
  }

  async start() {
    this.client.nextTile = () => this.map.nextTile();
    this.client.restore = method => this.restore(method);
    this.client.busy = method => this.showBusy(method);
    this.map.wake = () => this.client.wake();
    this.map.failed = error => notice(error.message, true);
    this.map.moved = () => this.rememberPlace();
    $('stop').onclick = () => this.client.stop('stopped');
    const {formats, version} = await this.client.start();
    this.formats = formats;
    this.version = version;
    this.panel = makePanel(this);
    controls(this);
    document.body.classList.add('bare', 'ready');
    addEventListener('popstate', () => this.followHash());
  }

  showBusy(method) {
    clearTimeout(this.busyTimer);
    const slow = method && method !== 'tile';
    if (!slow) $('busy').hidden = true;
    else this.busyTimer = setTimeout(() => {
      $('busy').firstElementChild.textContent = `${method} …`;
      $('busy').hidden = false;
    }, 700);
  }

  /* A new worker learns what the old one knew. */
  async restore(method) {
    if (method === 'files' || !this.list.length) return;
    this.paths = await this.client.call('files', this.list);
    if (this.doc && this.bytes) await this.client.call('open', this.path, this.bytes);
    if (this.other) await this.client.call('open', this.other.path, this.other.bytes, 'b');
    this.client.wake();
  }

  async run(work) {
    try {
      return await work();
    } catch (error) {
      notice(error.message, true);
      if (!(error instanceof Stopped) && !error.status) console.warn(error);
      return undefined;
    }
  }

  /* Takes files. With others than levels among them only, they join those that are there (art for the open level). */
  async addFiles(list) {
    await this.run(async () => {
      if (!list.length) return;
      const levels = levelsAmong(list.map(f => f.path), this.formats);
      const isZip = list.some(f => /\.zip$/i.test(f.path));
      const joins = this.doc && !levels.length && !isZip;
      this.list = joins ? [...this.list, ...list] : list;
      this.paths = await this.client.call('files', this.list);
      if (joins) {
        await this.openPath(this.path, {bytes: this.bytes, keepPlace: true, push: false});
        return;
      }
      const all = levelsAmong(this.paths, this.formats);
      await this.openPath(all[0] ?? this.paths[0]);
    });
  }

  async openPath(path, {bytes, push = true, keepPlace = false, place} = {}) {
    this.panel.pause();
    const doc = await this.client.call('open', path, bytes);
    this.stopComparing();
    this.path = path;
    if (!bytes) {
      this.history = [{bytes: doc.bytes, label: 'as opened'}];
      this.at = 0;
    }
    this.show(doc, keepPlace);
    if (push) history.pushState(null, '', this.hash(false));
    if (place) this.map.goTo(...place);
    this.panel.opened();
  }

  /* Shows what the worker says of the document. */
  show(doc, keep) {
    this.doc = doc;
    const scene = doc.scene && !doc.scene.error ? doc.scene : null;
    document.body.classList.remove('bare');
    $('start').hidden = true;
    $('empty').hidden = Boolean(scene);
    $('empty').textContent = scene ? '' : doc.scene?.error ?? 'This kind of file has no picture of its own.';
    const name = this.path.split('/').pop();
    $('title').textContent = scene?.title || name;
    $('subtitle').textContent = [scene?.title ? name : '', this.format?.title, size(doc.bytes.length),
      scene ? `${scene.width} × ${scene.height} px` : ''].filter(Boolean).join(' · ');
    document.title = `${scene?.title || name} · lvl`;
    controls.inset(this);
    this.map.show(scene, keep);
    this.showHistory();
  }

  showHistory() {
    $('undo').disabled = this.at === 0;
    $('redo').disabled = this.at >= this.history.length - 1;
    $('save').disabled = !this.doc;
    $('save').textContent = this.at ? 'Save •' : 'Save';
  }

  /* ---- edits ---- */

  async edit(assignments, label) {
    return this.run(async () => {
      const doc = await this.client.call('edit', assignments);
      this.keepEdit(doc, label);
      return true;
    });
  }

  keepEdit(doc, label) {
    this.history.splice(this.at + 1, this.history.length, {bytes: doc.bytes, label});
    if (this.history.length > 100) this.history.splice(1, 1);
    this.at = this.history.length - 1;
    this.show(doc, true);
    this.panel.edited();
  }

  /* Puts bytes in the place of the document (a repair), as one edit. */
  async replace(bytes, label) {
    await this.run(async () => this.keepEdit(await this.client.call('open', this.path, bytes), label));
  }

  async travel(step) {
    const to = this.at + step;
    if (!this.history[to]) return;
    await this.run(async () => {
      const doc = await this.client.call('open', this.path, this.history[to].bytes);
      this.at = to;
      this.show(doc, true);
      this.panel.edited();
    });
  }

  async save() {
    if (this.doc && await saveFile(this.bytes, this.path.split('/').pop())) notice('Saved.');
  }

  /* ---- places ---- */

  hash(withPlace = true) {
    const name = encodeURIComponent(this.path).replaceAll('%2F', '/');
    const place = withPlace && this.map.scene ? `@${Math.round(this.map.x)},${Math.round(this.map.y)}` : '';
    return `#${name}${place}`;
  }

  rememberPlace() {
    clearTimeout(this.placeTimer);
    if (this.doc) this.placeTimer = setTimeout(() => history.replaceState(null, '', this.hash()), 400);
  }

  async followHash() {
    const [, name, x, y] = /^#(.*?)(?:@(-?\d+),(-?\d+))?$/.exec(location.hash) ?? [];
    if (!name) return;
    const path = decodeURIComponent(name);
    const place = x === undefined ? undefined : [+x, +y];
    if (path !== this.path) {
      if (this.paths.length) await this.run(() => this.openPath(path, {push: false, place}));
    } else if (place) {
      this.map.goTo(...place);
    }
  }

  async followLink(link) {
    const path = findBeside(this.paths, this.path, link.target);
    if (path) await this.run(() => this.openPath(path));
    else notice(`${link.target} is not among the files: drop its folder to go there.`);
  }

  /* ---- things ---- */

  rectOf(thing) {
    const [left, top, width, height] = thing.rect;
    return [left - this.origin[0], top - this.origin[1], width, height];
  }

  thingFor(path) {
    return this.doc?.scene?.things?.find(thing => thing.path && (thing.path === path || path.startsWith(`${thing.path}.`)));
  }

  select(thing, {centre = false} = {}) {
    const rect = thing && this.rectOf(thing);
    this.map.selected = rect;
    if (centre && rect) this.map.goTo(rect[0] + rect[2] / 2, rect[1] + rect[3] / 2, Math.max(this.map.zoom, 1));
    this.map.draw();
  }

  goToPath(path) {
    const thing = path && this.thingFor(path);
    if (thing) this.select(thing, {centre: true});
    if (path !== undefined) this.panel.showRecord(path.replace(/\.[^.\]]*$/, ''));
  }

  /* ---- another file beside this one ---- */

  async compareWith(path, bytes) {
    await this.run(async () => {
      await this.client.call('open', path, bytes, 'b');
      this.other = {path, bytes};
      this.map.compare = 0.5;
      $('slider').value = 500;
      $('slider').hidden = false;
      document.body.classList.add('comparing');
      this.map.setOptions({...this.map.options});
      this.panel.edited();
    });
  }

  stopComparing() {
    if (!this.other) return;
    this.other = null;
    this.map.compare = null;
    $('slider').hidden = true;
    document.body.classList.remove('comparing');
    this.client.call('closeOther');
    this.map.draw();
  }
}

const app = new App();
globalThis.lvlApp = app;
app.start().catch(error => notice(`lvl could not start: ${error.message}`, true));
