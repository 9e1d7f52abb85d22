/* The page: one open document, its picture, its panel, and the user's actions. */
import {$, commitTyped, notice, saveFile, size} from './dom.js';
import {Client, Outdated, Stopped} from './client.js';
import {embedded} from './embedded.js';
import {MapView} from './map.js';
import {changedMeanwhile, contentId, findBeside, groupOf, handleOf, isArt, levelPaths,
  levelsAmong} from './files.js';
import {forgetWork, keepArt, keepWork, keptArt, leftWork} from './store.js';
import {findLinked, rememberRecent, startPage} from './start.js';
import {areasOf} from './areas.js';
import {Queue, parted} from './commands.js';
import {controls} from './controls.js';
import {Gallery} from './gallery.js';
import {Marks} from './marks.js';
import {makePanel} from './panel.js';
import {changedScene} from './scenes.js';
import {destination, tableFor} from './tables.js';
import {Brush} from './paint.js';
import {zipOf} from './zip.js';

const filesAtOnce = 400;
const keptBytes = 32e6; /* the same for what is kept for the next visit */
const historyBytes = 256e6; /* limit for the bytes in the history of one file */

/* The first of these names, and how many more there are. */
function some(names, most) {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).join(', ') + more;
}

class App {
  client = new Client();
  map = new MapView($('map'));
  brush = new Brush(this);
  marks = new Marks(this);
  gallery = new Gallery(this);
  formats = [];
  list = []; /* files as given */
  paths = [];
  bad = []; /* {path, reason}: files that could not be read */
  doc = null; /* the worker's description of the open document */
  path = '';
  sessions = new Map(); /* by path: opened files with their edits */
  /* The bytes after each edit, the first as opened; the index that is shown; the index that was saved. */
  session = {history: [], at: 0, saved: 0};
  other = null; /* the other file of a comparison */
  layerAlone = null; /* index of the layer that is shown alone */
  selected = null; /* path of the selected thing, whose record is shown */
  also = []; /* paths of the other selected things */
  grid = 0; /* px between the lines of the grid; 0: a cell */
  snap = false; /* things that are moved or added come onto the grid */
  pointerAt = null; /* the place of the picture under the pointer */
  queue = new Queue(this);
  stateCount = 0; /* of the states that were shown */
  dragged = []; /* paths of the things that are dragged */
  looks = 0; /* counts what the user selected and the tabs that he chose: a command that ends later leaves that as it is */
  picking = null; /* called with the place of the picture that the user clicks next */
  placing = null; /* {kind, value, several, like}: the thing that is added where the user clicks; `like`: the path of its model */

  get history() {
    return this.session.history;
  }

  get at() {
    return this.session.at;
  }

  get bytes() {
    return this.history[this.at]?.bytes;
  }

  /* Ends with the last command that was issued. */
  get turn() {
    return this.queue.last;
  }

  get unsaved() {
    return [...this.sessions].filter(([, {at, saved}]) => at !== saved).map(([path]) => path);
  }

  get format() {
    return this.formats.find(format => format.id === this.doc?.format);
  }

  /* Position of the picture's 0, 0 in px of the main layer. */
  get origin() {
    return this.map.scene?.bounds ?? [0, 0];
  }

  /* Position of the picture's 0, 0 in the coordinates of the file: in drawings it is not the corner. */
  get gameOrigin() {
    const [zx, zy] = this.map.scene?.zero ?? [0, 0];
    return [this.origin[0] - zx, this.origin[1] - zy];
  }

  async start() {
    this.client.nextIdle = () => this.gallery.next(true) ?? this.map.nextTile() ?? this.gallery.next(false);
    this.client.restore = method => this.restore(method);
    this.client.busy = method => this.showBusy(method);
    this.map.wake = () => this.client.wake();
    this.map.failed = error => notice(error.message, true);
    this.map.moved = () => this.rememberPlace();
    this.map.marksOver = (context, map) => this.marks.draw(context, map);
    $('stop').onclick = () => (this.stopProgress ? this.stopProgress() : this.client.stop('stopped'));
    const held = await embedded();
    this.client.roots = held?.art ?? [];
    const {formats, version, kinds, hasTexts} = await this.client.start();
    if (!hasTexts) notice('Explanations of fields and findings are missing: their file is of another version, or could not be read. '
      + 'Load the page again.', true);
    this.formats = formats;
    this.kinds = new Map(kinds.map(kind => [kind.id, kind]));
    this.version = version;
    this.panel = makePanel(this);
    controls(this);
    document.body.classList.add('bare');
    this.keepsArt = false;
    if (!held) {
      this.list = await keptArt();
      this.keepsArt = this.list.length > 0;
      await this.offerWork();
      startPage(this, this.placeOfHash());
    }
    this.isOwn = Boolean(held); /* the page brought its files: a link needs no others */
    document.body.classList.add('ready');
    addEventListener('popstate', () => this.followHash());
    if (held) await this.addFiles(held.files, held.open);
    else await this.client.call('warm').catch(() => {});
  }

  showBusy(method) {
    clearInterval(this.busyTimer);
    if (this.stopProgress) return; /* that is what is shown */
    $('busy').hidden = true;
    if (!method || ['tile', 'card', 'warm'].includes(method)) return;
    const since = Date.now();
    const names = {files: 'reading files', filesPart: 'reading files', inside: 'reading a zip',
      open: 'reading the file', preview: 'changing', commit: 'changing', check: 'checking', diff: 'comparing'};
    this.busyTimer = setInterval(() => {
      const seconds = Math.round((Date.now() - since) / 1000);
      $('busy').firstElementChild.textContent = `${names[method] ?? method} … ${seconds} s`;
      $('busy').hidden = false;
    }, 700);
  }

  /* What the page itself does; an empty text: nothing more. `stop`: what its button does. */
  showProgress(text, stop = null) {
    if (!text && !this.stopProgress) return;
    if (text) $('busy').firstElementChild.textContent = text;
    $('busy').hidden = !text;
    this.stopProgress = stop;
  }

  fileList() {
    return this.list.map(({path, file}) => ({path, file}));
  }

  /* Tells the worker the files and the edits. `given(count)`: told how many it has; an error of it ends this. */
  async giveFiles(given = () => {}) {
    const edits = [...this.sessions].filter(([, {at}]) => at)
      .map(([path, {at, history: steps}]) => [path, steps[at].bytes]);
    /* Thousands of files are passed on some at a time: the page moves on meanwhile. */
    const list = this.fileList();
    for (let i = 0; i < list.length - filesAtOnce; i += filesAtOnce) {
      given(i);
      await this.client.call('filesPart', list.slice(i, i + filesAtOnce), i === 0);
      await new Promise(resolve => { setTimeout(resolve); });
    }
    const last = Math.max(0, Math.ceil(list.length / filesAtOnce) - 1) * filesAtOnce;
    given(last);
    const {paths, bad} = await this.client.call('files', list.slice(last), edits, last > 0);
    this.paths = paths;
    this.bad = [...this.list.bad ?? [], ...bad];
  }

  /* Gives a new worker the state of the old one. */
  async restore(method) {
    if (/^files/.test(method) || !this.list.length) return;
    await this.giveFiles();
    if (this.doc && this.bytes) await this.client.call('open', this.path, this.bytes);
    if (this.other) await this.client.call('open', this.other.path, this.other.bytes, 'b');
    this.client.wake();
  }

  /* A call about the open document, for a page of the panel; fails with Outdated if that changed meanwhile. */
  async ask(method, ...args) {
    const {doc} = this;
    const value = await this.client.call(method, ...args);
    if (this.doc !== doc) throw new Outdated();
    return value;
  }

  async run(work) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Outdated) return undefined;
      notice(error.message, true);
      if (!(error instanceof Stopped) && !error.status) console.warn(error);
      return undefined;
    }
  }

  /*
   * Opens files. What is dropped on a level without levels in it is art for that level; art that is loaded stays when
   * other levels are opened. If nothing can be opened, everything stays as it was.
   */
  async addFiles(list, open, sessions = new Map(), {isSample = false} = {}) {
    const reading = this.readingOf(list.length);
    await this.run(async () => {
      const {rest, bad: given, holdsLevels} = await this.lookInto(list, reading);
      list = Object.assign(rest, {bad: given});
      if (!list.length) {
        if (given.length) this.tellBad(given);
        return;
      }
      if (this.doc && !holdsLevels && levelPaths([this.path], this.formats).length) {
        await this.addArt(list, reading);
        return;
      }
      await this.settle();
      const lost = this.unsaved;
      const question = `Not saved yet: ${lost.join(', ')}. Open other files and lose these changes?`;
      if (lost.length && !confirm(question)) return;
      const asked = this.doc ? '' : location.hash;
      this.isSample = isSample;
      const linked = asked && !open ? await findLinked(list, this.placeOfHash()) : undefined;
      if (linked) history.replaceState(null, '', this.addressOf(linked) + asked.slice(asked.search(/@|&|$/)));
      const failed = [];
      await this.queue.issue('files', {args: {list, open: open ?? linked, sessions, failed, reading}});
      this.showProgress('');
      for (const path of lost) if (!sessions.has(path)) forgetWork(path);
      this.bad = [...this.bad, ...failed];
      if (this.bad.length) this.tellBad(this.bad);
      if (this.keepsArt) await keepArt(this.artFiles());
      this.panel.redraw();
      if (!this.isOwn && !isSample) rememberRecent(list);
      await this.gallery.fill();
      if (Gallery.names(asked)) this.gallery.follow(asked);
      else if (!open && !asked && this.gallery.isFirst) this.gallery.show({push: false});
    }).finally(() => this.showProgress(''));
  }

  /* Returns what shows how many files the worker has, if they are many, and fails once the user stopped that. */
  readingOf(all) {
    const stop = new AbortController();
    return count => {
      stop.signal.throwIfAborted();
      if (all <= filesAtOnce) return;
      this.showProgress(`reading ${all} files, ${count} done …`, () => {
        const why = 'Stopped: nothing was opened.';
        stop.abort(new Stopped(why));
        this.showProgress('');
        this.client.stop(why);
      });
    };
  }

  /* Opens the first of the files that are given now; if that fails, the files before stay. */
  async useFiles({list, open, sessions, failed, reading}) {
    const {bad: given} = list;
    const before = {list: this.list, sessions: this.sessions, paths: this.paths, bad: this.bad};
    const fresh = new Set(list.map(f => f.path));
    const kept = this.artFiles().filter(f => !fresh.has(f.path)).map(f => ({...f, art: true}));
    this.list = Object.assign([...list, ...kept], {bad: given});
    this.sessions = sessions;
    try {
      await this.giveFiles(reading);
      await this.openFirst(open, failed, new Set(kept.map(f => f.path)));
    } catch (error) {
      await this.giveBack(before);
      this.bad = [...this.bad, ...given, ...failed];
      throw error;
    }
  }

  /* Other files were not opened: the worker, perhaps a new one, gets what was there before. */
  async giveBack(before) {
    Object.assign(this, before);
    if (this.list.length) await this.giveFiles();
    if (this.doc) await this.client.call('open', this.path, this.bytes);
  }

  /* Adds a new level to the files, beside the open one, and shows it; it is unsaved. Fails with an error. */
  async create(name, options) {
    await this.queue.issue('create', {args: {name, options}});
  }

  async createNow(name, options) {
    const bytes = await this.client.call('create', options);
    const beside = this.list.some(f => f.path === this.path) ? this.path.replace(/[^/]*$/, '') : '';
    const path = beside + name;
    if (this.paths.includes(path)) throw new Error(`${path} is there already: choose another name.`);
    this.list = Object.assign([...this.list, {path, file: bytes}], {bad: this.list.bad});
    await this.giveFiles();
    await this.gallery.fill();
    this.sessions.set(path, {history: [{bytes, label: 'new'}], at: 0, saved: -1});
    await this.openNow(path);
    this.rememberWork();
  }

  tellBad(bad) {
    const [{path, reason}] = bad;
    const more = bad.length > 1 ? ` and ${bad.length - 1} more (see Files)` : '';
    notice(`Could not be read: ${path}: ${reason}${more}`, true);
  }

  /* The files without zips that cannot be read, which are added to `bad`; and whether there are levels among them. */
  async lookInto(list, reading) {
    const paths = [];
    const bad = [...list.bad ?? []];
    reading(0);
    for (const {path, file} of list.filter(f => /\.zip$/i.test(f.path))) {
      reading(0);
      try {
        paths.push(...await this.client.call('inside', file));
      } catch (error) {
        if (error instanceof Stopped) throw error;
        bad.push({path, reason: error.message});
      }
    }
    const unreadable = new Set(bad.map(one => one.path));
    const rest = list.filter(f => !unreadable.has(f.path));
    paths.push(...rest.map(f => f.path));
    return {rest, bad, holdsLevels: levelPaths(paths, this.formats).length > 0};
  }

  /* Files that are art: what was added as such, and what was dropped without a level beside it. */
  artFiles() {
    const withLevels = new Set(levelPaths(this.list.map(f => f.path), this.formats)
      .filter(path => path.includes('/')).map(groupOf));
    return this.list.filter(f => f.art || (isArt(f.path) && !withLevels.has(groupOf(f.path))));
  }

  async addArt(list, reading) {
    const found = this.foundPictures();
    await this.queue.issue('art', {args: {added: list, reading}});
    this.showProgress('');
    const groups = [...new Set(list.map(f => groupOf(f.path)))];
    const names = `Added as art: ${some(groups, 3)}.`;
    notice(names);
    await this.map.drawn(10000);
    /* Pictures of things by their names; a level without any uses files. */
    const count = [...this.foundPictures()].filter(picture => !found.has(picture)).length
      || await this.client.call('usedOf', groups.map(group => group.replace(/\.zip$/i, '')));
    const [only] = list.length === 1 ? levelsAmong([list[0].path], this.formats) : [];
    /* It may also be what the user wants to see. */
    const instead = only && {label: 'Open it', run: () => this.run(() => this.openPath(only))};
    notice(`${names} ${count ? `The level uses ${count === 1 ? 'one picture' : `${count} pictures`} of it.` : 'The level uses no picture of it.'}`, false, instead);
  }

  /* The names of the pictures of things that were found. */
  foundPictures() {
    const things = this.doc?.scene?.has_art ? this.doc.scene.things : [];
    return new Set(things.filter(({picture, missing}) => picture && !missing).map(({picture}) => picture));
  }

  removeArt(group) {
    return this.queue.issue('art', {args: {removed: group}});
  }

  async rememberArt(on) {
    this.keepsArt = on;
    const kept = await keepArt(on ? this.artFiles() : []);
    if (on && !kept) notice('This browser keeps nothing here: the art must be dropped again next time.', true);
  }

  /* Adds files as art, or removes a group of it, and draws the open level again. */
  async useArt({added = [], removed, reading}) {
    const before = {list: this.list, paths: this.paths, bad: this.bad};
    const fresh = new Set(added.map(f => f.path));
    const gone = new Set(this.artFiles().filter(f => groupOf(f.path) === removed));
    const {bad = []} = this.list;
    const others = this.list.filter(f => !fresh.has(f.path) && !gone.has(f));
    this.list = Object.assign([...others, ...added.map(f => ({...f, art: true}))], {bad: [...bad, ...added.bad ?? []]});
    try {
      await this.giveFiles(reading);
    } catch (error) {
      await this.giveBack(before);
      throw error;
    }
    if (this.doc) await this.openNow(this.path, {keep: true, push: false});
    if (this.keepsArt) await keepArt(this.artFiles());
  }

  /* Opens the file of the address, the given one, or the first that can be read: the fullest map of a world first. */
  async openFirst(open, failed, kept) {
    const link = this.placeOfHash();
    const {path} = link;
    const own = this.paths.filter(p => !kept.has(p));
    const wanted = path ? open === path ? open : own.find(p => p === path || p.endsWith(`/${path}`)) : undefined;
    const levels = levelPaths(own, this.formats);
    const maps = levels.filter(p => /\.gmap$/i.test(p));
    const largest = maps.length > 1 || (maps.length && levels.length > 1)
      ? await this.client.call('largestMap', maps.slice(0, 200), this.paths) : maps[0];
    const rest = [...levels.filter(p => !maps.includes(p)), ...maps, ...levelsAmong(own, this.formats)];
    const order = [...new Set([wanted, open, largest, ...rest, ...own].filter(Boolean))].slice(0, 50);
    let first;
    for (const one of order) {
      try {
        await this.openNow(one, {...one === wanted && link, isFirst: true});
        if (one === wanted) this.showLinked(link);
        return;
      } catch (error) {
        if (error instanceof Stopped) throw error;
        first ??= error;
        failed.push({path: one, reason: error.message});
      }
    }
    const [bad] = this.bad;
    throw first ?? new Error(bad ? `${bad.path}: ${bad.reason}` : 'There is no file to open.');
  }

  /* ---- unsaved work of the last visit ---- */

  async offerWork() {
    /* Of several visits the last one: files of others may have the same names. They are offered the next time. */
    const all = (await leftWork()).sort((a, b) => b.time - a.time);
    const left = all.filter(work => work.page === all[0].page);
    $('left').hidden = !left.length;
    if (!left.length) return;
    const names = left.map(work => work.path.split('/').pop());
    const time = new Date(Math.max(...left.map(work => work.time))).toLocaleString();
    $('leftNames').textContent = `${some(names, 5)}, ${time}`;
    $('leftOpen').onclick = async () => {
      const sessions = new Map(left.map(({path, original, bytes, steps}) => [path, steps
        ? {history: steps.history, at: steps.at, saved: steps.saved}
        : {history: [{bytes: original, label: 'as opened'}, {bytes, label: 'unsaved work of the last visit'}], at: 1, saved: 0}]));
      const list = [...new Map(left.map(({root, file}) => [root, {path: root, file}])).values()];
      await this.addFiles(list, left[0].path, sessions);
      if (!this.doc) return;
      for (const {path, page} of left) {
        await this.keepWork(path);
        await forgetWork(path, page);
      }
    };
    $('leftDrop').onclick = async () => {
      if (!confirm(`Discard the unsaved changes of ${names.join(', ')}?`)) return;
      for (const {path, page} of left) await forgetWork(path, page);
      await this.offerWork();
    };
  }

  /* Keeps the present state of a file until it is saved. */
  async keepWork(path) {
    const session = this.sessions.get(path);
    if (!session || session.at === session.saved) {
      await forgetWork(path);
      return;
    }
    const root = await this.client.call('root', path);
    const item = this.list.find(f => f.path === root);
    const {bytes: original} = session.history[Math.max(0, session.saved)];
    if (!item && root !== path) return;
    const {at, saved, history: all} = session;
    const total = all.reduce((sum, step) => sum + step.bytes.length, 0);
    /* A long history of a large file is not written again after each edit. */
    const steps = total <= keptBytes ? {at, saved, history: all.map(step => ({bytes: step.bytes, label: step.label}))} : undefined;
    await keepWork({path, original, bytes: all[at].bytes, time: Date.now(), steps},
      {path: root, file: item?.file ?? original});
  }

  /* Opens one of the files, when what was asked for before is done. Fails with an error. */
  async openPath(path, options = {}) {
    commitTyped($('panel'));
    await this.queue.issue('open', {args: {path, options}});
  }

  /* `keep`: it is open already; the view does not move. `isFirst`: the page without a level, or with files that are
     gone, is no place to go back to. */
  async openNow(path, {push = true, keep = false, isFirst = !this.doc, place, zoom} = {}) {
    this.panel.pause();
    this.pick(null);
    clearTimeout(this.placeTimer);
    if (push && !isFirst) history.replaceState(null, '', this.hash());
    const known = this.sessions.get(path);
    const doc = await this.client.call('open', path, known?.history[known.at].bytes);
    if (!keep) this.stopComparing();
    else if (this.other) await this.client.call('open', this.other.path, this.other.bytes, 'b');
    this.repaired = null;
    this.path = path;
    if (!keep) this.gallery.hide();
    this.session = known ?? {history: [{bytes: doc.bytes, label: 'as opened'}], at: 0, saved: 0};
    this.sessions.set(path, this.session);
    /* A document without edits is dropped from memory. */
    for (const [other, {at, saved, history: steps}] of this.sessions)
      if (other !== path && at === saved && steps.length === 1) this.sessions.delete(other);
    if (!keep) {
      this.layerAlone = null;
      this.selectAll([]);
      this.place(null);
      this.brush.leave();
    }
    this.show(doc, keep);
    if (keep) this.gallery.drawAgain();
    if (zoom && this.map.scene) this.map.goTo(this.map.x, this.map.y, zoom);
    if (place) this.goToGame(...place, zoom);
    this.client.wake(); /* the worker draws while this thread builds the panel */
    if (push) history[isFirst ? 'replaceState' : 'pushState'](null, '', this.hash());
    this.gallery.links();
    this.panel.opened(keep);
    this.identify().catch(() => {});
  }

  /* Shows the worker's description of the document. `changed`: only these parts of the picture differ. */
  show(doc, keep, changed = null) {
    this.doc = doc;
    if (doc.members.length) this.packMembers = {[this.path]: doc.members};
    const scene = this.sceneShown();
    document.body.classList.remove('bare');
    $('start').hidden = true;
    $('empty').hidden = Boolean(scene);
    $('empty').textContent = scene ? '' : doc.scene?.error ?? 'This kind of file has no picture of its own.';
    const name = this.name;
    this.gallery.titles(scene?.title || name, [scene?.title ? name : '', this.format?.title, size(doc.bytes.length),
      scene ? `${scene.width} × ${scene.height} px` : ''].filter(Boolean).join(' · '));
    if (!keep) controls.status('');
    controls.inset(this);
    this.map.show(scene, keep, changed);
    if (!keep) this.map.findings = [];
    this.map.outside = (scene?.things ?? []).filter(thing => thing.path).map(thing => this.rectOf(thing))
      .filter(rect => this.isOutside(rect));
    if (keep) this.selectAll(this.selection.map(path => this.thingFor(path)).filter(Boolean));
    this.showHistory();
    if (keep && this.other && this.map.compare !== null) this.run(() => this.findMarks());
  }

  /* The picture of the whole level, or of one layer alone, from its corner. */
  sceneShown() {
    const {scene} = this.doc;
    if (!scene || scene.error) return null;
    const layer = this.layerAlone === null ? null : scene.layers[this.layerAlone];
    if (!layer) return scene;
    return {...scene, width: layer.columns * layer.cell_width, height: layer.rows * layer.cell_height,
      bounds: null,
      things: layer.main ? scene.things : [], links: [], zero: layer.main ? scene.zero : [0, 0]};
  }

  /* One layer alone (its index), or all as in the game (null). */
  showLayer(index) {
    if (index === this.layerAlone) return;
    this.layerAlone = index;
    const {view, layer, ...options} = this.map.options;
    this.map.options = index === null ? options : {...options, view: 'layer', layer: index};
    this.map.show(this.sceneShown());
  }

  get name() {
    return this.path.split('/').pop();
  }

  showHistory() {
    $('undo').disabled = this.at === 0;
    $('redo').disabled = this.at >= this.history.length - 1;
    $('save').disabled = !this.doc;
    $('save').textContent = this.unsaved.length ? 'Save •' : 'Save';
  }

  /* ---- edits ---- */

  /* A command (commands.js); a refusal is shown. Returns what it gives, undefined if it was refused. */
  issue(what, options) {
    return this.run(() => this.queue.issue(what, options));
  }

  /* Ends when what is typed, and each command that was issued, is done. */
  async settle() {
    commitTyped($('panel'));
    await this.turn;
  }

  /* Issues a change as assignments, items that are removed (`unset`), or `resize` (worker.js). `dirty`: the rectangles of the
     picture that it changes, if that is known. */
  edit(given, label, {unset: removed = [], ...options} = {}) {
    const {things, set, unset} = parted(given, removed);
    return this.issue('edit', {label, things, args: {...options, set, unset}});
  }

  /* Whether the user has looked at nothing else since the command was issued: what it made may be selected. */
  isWatched({looks, session}) {
    return this.looks === looks && this.session === session;
  }

  /*
   * Makes a change, of a command that runs, as one step of the history: it is drawn first, then written and read again.
   * `made`: path of an item that it makes. Returns the worker's description of the changed document.
   */
  async make({set: assignments, label, unset, made, dirty, resize, moves, paste, clip}) {
    const {doc} = this;
    const preview = await this.client.call('preview', {set: assignments, unset, resize, moves, paste, clip});
    if (this.doc !== doc) throw new Outdated();
    const scene = preview.sceneChange ? changedScene(doc.scene, preview.sceneChange) : preview.scene;
    const moved = moves?.flatMap(({things}) => things) ?? [];
    const changed = dirty ?? this.changedParts(doc.scene, preview.sceneChange, [...assignments, ...moved.map(path => `${path}=`)]);
    this.showPreview(scene, changed);
    await this.map.drawn(400);
    let done;
    try {
      done = await this.client.call('commit', this.followed(), [made, preview.made].flat().filter(Boolean));
    } catch (error) {
      this.show(doc, true);
      throw error;
    }
    this.completeScene(done, doc);
    done.findings.push(...preview.findings);
    done.losses = preview.findings;
    [done.made, ...done.others] = done.made;
    await this.keepEdit(done, label, this.layerAlone === null ? changed : null, true);
    return done;
  }

  /* The picture of changes that are not written yet; paths are still those of the document: what is clicked now is found in it. */
  showPreview(scene, changed) {
    if (!scene || scene.error) return;
    const {scene: before} = this.doc;
    const {things = [], links} = before ?? {};
    const isSame = things.length === scene.things.length && things.every((thing, i) => thing.path === scene.things[i].path);
    this.doc.scene = isSame ? scene : {...scene, things, links};
    this.map.show(this.sceneShown(), true, changed);
    const rects = this.selection.map(path => this.thingFor(path)).filter(Boolean).map(thing => this.rectOf(thing));
    [this.map.selected = null, ...this.map.more] = rects;
    this.doc.scene = before;
  }

  /* The worker describes another state of a document by what differs in its scene from that of `before`. */
  completeScene(doc, before) {
    if (doc.sceneChange) doc.scene = changedScene(before.scene, doc.sceneChange);
    delete doc.sceneChange;
    return doc;
  }

  /*
   * The parts of the picture that differ when things were changed (scenes.js); null: perhaps all of it. Of a thing that
   * the change names more can differ than its rectangle.
   */
  changedParts(before, change, assignments) {
    if (!before || before.error || !change) return null;
    if (this.map.options.overlays?.length || this.layerAlone !== null) return null;
    const named = assignments.map(one => /^[^=]*?(?=[+*-]?=)/.exec(one)?.[0] ?? '');
    const owners = new Set(named.flatMap(path => [...path.matchAll(/\.|$/g)].map(({index}) => path.slice(0, index))));
    const changed = before.things.filter(thing => owners.has(thing.path));
    const known = new Set(changed.map(thing => thing.path));
    const isThing = path => [...path.matchAll(/\.|$/g)].some(({index}) => known.has(path.slice(0, index)));
    const isList = path => {
      const list = path.replace(/\[\+\d*\]$/, '');
      return before.things.some(thing => thing.path?.startsWith(list) && /^\[\d+\]$/.test(thing.path.slice(list.length)));
    };
    if (!named.every(path => isThing(path) || isList(path))) return null;
    const {at = 0, removed = 0, things: now = []} = change;
    const keys = list => {
      const counts = new Map();
      for (const {path, ...thing} of list) {
        const text = JSON.stringify(thing);
        counts.set(text, [...counts.get(text) ?? [], {path, rect: thing.rect}]);
      }
      return counts;
    };
    const [a, b] = [keys(before.things.slice(at, at + removed)), keys(now)];
    const parts = changed.map(({rect}) => rect);
    for (const [mine, theirs] of [[a, b], [b, a]]) {
      for (const [text, list] of mine)
        if (list.length !== (theirs.get(text)?.length ?? 0)) parts.push(list[0].rect);
    }
    /* Where names of things are drawn, one that comes or goes makes place for others: at full size all is drawn again. */
    const names = !before.has_art || this.map.options.schematic || before.missing_things === before.things.length;
    return Object.assign(parts.map(([x, y, w, ht]) => [x - this.origin[0] - 2, y - this.origin[1] - 2, w + 4, ht + 4]), {names});
  }

  get selection() {
    return this.selected ? [this.selected, ...this.also] : [];
  }

  /* The paths that must keep naming the same item when the document changes: of the selection, the record, the model of
     copies, what is dragged, and of commands that wait. */
  followed() {
    return [...new Set([...this.selection, this.panel.state.recordPath, this.placing?.like, ...this.dragged, ...this.queue.things]
      .filter(Boolean))];
  }

  /*
   * Maps these paths after a change; what is gone is no longer selected, and its list is shown. What was selected, or
   * named by a change, while this one was written is looked up in the bytes before. `apply` shows the new state at once.
   */
  async follow({followed = {}}, bytes, apply) {
    for (let late; (late = this.followed().filter(path => !(path in followed))).length;)
      followed = {...followed, ...await this.client.call('follow', this.path, bytes, late)};
    const {state} = this.panel;
    this.queue.follow(followed);
    this.dragged = this.dragged.map(path => followed[path]).filter(Boolean);
    if (this.placing?.like) this.placing.like = followed[this.placing.like] ?? this.placing.like;
    [this.selected = null, ...this.also] = this.selection.map(path => followed[path]).filter(Boolean);
    const {recordPath} = state;
    if (recordPath) state.recordPath = followed[recordPath] ?? recordPath.replace(/\[\d+\][^\]]*$/, '');
    apply();
  }

  /* `changed`: the parts of the picture that differ; null: all of it. `isDrawn`: they are drawn already, or asked for. */
  async keepEdit(doc, label, changed = null, isDrawn = false) {
    await this.follow(doc, this.bytes, () => this.keepStep(doc, label, changed, isDrawn));
  }

  keepStep(doc, label, changed, isDrawn) {
    this.repaired = null;
    const {session} = this;
    const steps = session.history;
    steps.splice(session.at + 1, steps.length, {bytes: doc.bytes, label, changed});
    if (session.saved > session.at) session.saved = -1;
    let total = steps.reduce((sum, step) => sum + step.bytes.length, 0);
    while (steps.length > 2 && (steps.length > 200 || total > historyBytes)) {
      total -= steps.splice(1, 1)[0].bytes.length;
      session.saved = session.saved === 1 ? -1 : session.saved - (session.saved > 1);
    }
    session.at = steps.length - 1;
    this.stepped(doc, isDrawn ? [] : null);
  }

  /* The open document has another state: all that shows or keeps it. */
  stepped(doc, changed) {
    this.stateCount++;
    this.show(doc, true, changed);
    this.gallery.changed(this.path);
    this.panel.edited();
    this.rememberWork();
  }

  rememberWork() {
    const {path} = this;
    clearTimeout(this.workTimer);
    this.workTimer = setTimeout(() => this.keepWork(path).catch(() => {}), 150);
  }

  /* Replaces the document by these bytes (a repair), as one edit. They were made of the state that is shown now. */
  replace(bytes, label) {
    return this.issue('repair', {label, args: {bytes}});
  }

  async replaceNow({version, label, args: {bytes}}) {
    if (this.stateCount !== version) throw new Error(`Not done: ${label}. The file has changed meanwhile.`);
    await this.keepEdit(await this.client.call('open', this.path, bytes, 'a', this.followed()), label);
  }

  /* Undoes so many steps (less than 0), or redoes them. */
  travel(by) {
    return this.issue('travel', {args: {by}});
  }

  async travelNow(by) {
    const to = this.at + by;
    if (!this.history[to]) return;
    const {doc: before, bytes} = this;
    const doc = this.completeScene(await this.client.call('open', this.path, this.history[to].bytes, 'a', this.followed(), true),
      before);
    const {changed = null} = this.history[Math.max(to, this.at)];
    await this.follow(doc, bytes, () => {
      this.session.at = to;
      this.stepped(doc, this.layerAlone === null ? changed : null);
    });
  }

  /*
   * Saves into the opened file if the browser can do that, otherwise as a download; a member of an archive or of a zip
   * with the whole of it and all its other edits. `as`: asks for a name.
   */
  async save({as = false, path = this.path} = {}) {
    if (!this.doc) return;
    commitTyped($('panel'));
    await this.issue('save', {args: {as, path}});
  }

  async saveNow({as, path: wanted}) {
    const edited = [...this.sessions].filter(([, {at, saved}]) => at !== saved);
    const places = new Map([[this.path, this.at], ...edited.map(([path, {at}]) => [path, at])]);
    const {path, bytes, saved} = await this.client.call('whole', wanted,
      edited.map(([edit, {at, history: steps}]) => [edit, steps[at].bytes]));
    const item = this.list.find(f => f.path === path);
    const name = path.split('/').pop();
    const handle = as ? undefined : await handleOf(item).catch(() => undefined);
    const question = `${name} was changed by another program since it was read here. `
      + 'Overwrite it, and lose what that program wrote?';
    if (handle && await changedMeanwhile(item, handle) && !confirm(question)) {
      notice(`Not saved: ${name} has changed on the disk. Ctrl+Shift+S saves under another name.`, true);
      return false;
    }
    const done = await saveFile(bytes, name, {handle});
    if (!done) return false;
    if (item && !as) {
      item.seen = done === 'file' ? await handle?.getFile().catch(() => undefined) : item.seen ?? item.file;
      item.file = bytes; /* what was read before may be gone from the disk now */
    }
    this.identify().catch(() => {});
    for (const edit of saved) {
      this.sessions.get(edit).saved = places.get(edit);
      await this.keepWork(edit);
    }
    this.showHistory();
    this.panel.redraw();
    const count = saved.length > 1 ? ` with ${saved.length} changed files` : '';
    notice(done === 'file' ? `Saved into ${name}${count}.` : `Saved ${name}${count}.`);
    return true;
  }

  /* Each file with changes, until the user cancels one: into the files that the browser may write, others as one zip. */
  async saveAll() {
    commitTyped($('panel'));
    await this.issue('saveAll', {label: 'save all'});
  }

  async saveAllNow() {
    const rest = new Map();
    for (let {unsaved} = this; unsaved.length; unsaved = this.unsaved.filter(path => ![...rest.values()].flat().includes(path))) {
      const root = await this.client.call('root', unsaved[0]);
      const item = this.list.find(f => f.path === root);
      const handle = await handleOf(item).catch(() => undefined);
      const mine = [];
      for (const path of unsaved) if (await this.client.call('root', path) === root) mine.push(path);
      if (!handle) rest.set(root, mine);
      else if (!await this.saveNow({path: unsaved[0]})) return;
    }
    if (rest.size === 1) await this.saveNow({path: [...rest.values()][0][0]});
    if (rest.size < 2) return;
    const files = [];
    const places = new Map();
    for (const [root, paths] of rest) {
      for (const path of paths) places.set(path, this.sessions.get(path).at);
      files.push([root, (await this.client.call('whole', paths[0], paths.map(path => {
        const {at, history: steps} = this.sessions.get(path);
        return [path, steps[at].bytes];
      }))).bytes]);
    }
    const name = 'levels.zip';
    if (!await saveFile(zipOf(files), name)) return;
    for (const [path, at] of places) {
      this.sessions.get(path).saved = at;
      await this.keepWork(path);
    }
    for (const [path, bytes] of files) {
      const item = this.list.find(f => f.path === path);
      if (item) item.file = bytes;
    }
    this.showHistory();
    this.panel.redraw();
    notice(`Saved ${files.length} files in ${name}.`);
  }

  /* ---- places ---- */

  /*
   * "#world/level.nw@512,300,2&thing=npcs[0]&camera=640,480&sha256=…&of=1": the file, the place in its own px, the zoom, the
   * selected thing, the game's camera, and for files that were dropped the content of the one that it is in; `of': how
   * many parts of the path name that one.
   */
  hash() {
    if (this.gallery.shown) return this.gallery.hash;
    const name = this.addressOf(this.path);
    const more = [];
    if (this.selected) more.push(`thing=${encodeURIComponent(this.selected)}`);
    if (this.map.camera) more.push(`camera=${this.map.camera}`);
    if (this.link?.path === this.path) more.push(`sha256=${this.link.id}`, `of=${this.link.of}`);
    const rest = more.map(one => `&${one}`).join('');
    if (!this.map.scene) return name + rest;
    const [left, top] = this.gameOrigin;
    const place = [Math.round(this.map.x + left), Math.round(this.map.y + top), +this.map.zoom.toPrecision(3)];
    return `${name}@${place}${rest}`;
  }

  addressOf(path) {
    return `#${encodeURIComponent(path).replaceAll('%2F', '/')}`;
  }

  placeOfHash() {
    const pattern = /^#([^/].*?)(?:@(-?\d+),(-?\d+)(?:,([\d.]+))?)?((?:&\w+=[^&]*)*)$/;
    const [, name, x, y, zoom, more] = pattern.exec(location.hash) ?? [];
    if (!name) return {};
    try {
      const rest = Object.fromEntries((more || '').slice(1).split('&').map(one => one.split('=').map(decodeURIComponent)));
      const camera = rest.camera?.split(',').map(Number);
      return {path: decodeURIComponent(name), place: x === undefined ? undefined : [+x, +y], zoom: +zoom || undefined,
        thing: rest.thing, camera: camera?.every(v => v > 0 && v <= 4096) ? camera : undefined,
        id: rest.sha256, of: +rest.of || name.split('/').length};
    } catch {
      return {};
    }
  }

  /* What a link shows beside the place. */
  showLinked({thing, camera}) {
    const found = thing && this.thingFor(thing);
    if (found) {
      this.select(found);
      this.panel.showRecord(thing);
    }
    if (camera && this.map.scene) {
      this.map.camera = camera;
      this.map.draw();
      this.panel.redraw();
    }
  }

  /* Finds out what a link calls the dropped file that the open one is in. */
  async identify() {
    const {path} = this;
    this.link = null;
    if (this.isOwn || this.isSample) return;
    const folder = f => f.path.replace(/\.zip$/i, '');
    const item = this.list.find(f => f.path === path) ?? this.list.find(f => path.startsWith(`${folder(f)}/`));
    const id = item && await contentId(item.file);
    if (!id || this.path !== path) return;
    this.link = {path, id, of: (item.path === path ? path : folder(item)).split('/').length};
    this.rememberPlace();
  }

  goToGame(x, y, zoom) {
    const [left, top] = this.gameOrigin;
    this.map.goTo(x - left, y - top, zoom);
  }

  rememberPlace() {
    clearTimeout(this.placeTimer);
    const {path} = this;
    this.placeTimer = setTimeout(() => {
      if (this.doc && this.path === path) history.replaceState(null, '', this.hash());
    }, 400);
  }

  async followHash() {
    clearTimeout(this.placeTimer);
    if (Gallery.names(location.hash) && this.gallery.follow(location.hash)) return;
    const link = this.placeOfHash();
    const {path, place, zoom} = link;
    if (!path || !this.paths.length) return;
    this.gallery.hide();
    await this.run(async () => {
      if (path !== this.path) await this.openPath(path, {push: false, place, zoom});
      else if (place) this.goToGame(...place, zoom);
      this.showLinked(link);
    });
  }

  async followLink(link) {
    const path = findBeside(this.paths, this.path, link.target);
    /* From a map of a world to a level the zoom would be far too small. */
    const zoom = link.way === 'place' ? undefined : this.map.zoom;
    if (path) await this.run(async () => this.openPath(path, {place: await this.arrival(link), zoom}));
    else notice(`${link.target} is not among the files: drop its folder to go there.`);
  }

  /* The destination of a link of a Graal level: "playerx" keeps the column, "playery" the row. */
  async arrival({path, rect}) {
    const record = path && rect && await this.client.call('get', path);
    const to = record && destination(tableFor(this.format, path))?.map(name => record[name]);
    if (!to || to[0] === undefined) return undefined;
    const {cell_width: width, cell_height: height} = this.doc.scene.layers.find(layer => layer.main);
    const at = (text, cell, from, length) => (text !== '' && Number.isFinite(+text) ? +text * cell : from
      + length / 2);
    return [at(to[0], width, rect[0], rect[2]), at(to[1], height, rect[1], rect[3])];
  }

  /* Shows the level that a link leads to, where the next click says where the player appears. */
  async chooseArrival(link) {
    const [back, {x: left, y: top, zoom}] = [this.path, this.map];
    const path = findBeside(this.paths, back, link.target);
    if (!path) {
      notice(`${link.target} is not among the files: drop its folder to choose a place in it.`);
      return;
    }
    await this.run(async () => {
      /* The whole level, if no place in it is set. */
      const names = destination(tableFor(this.format, link.path));
      const record = await this.client.call('get', link.path);
      const isSet = names.every(name => record[name] !== '' && Number.isFinite(+record[name]));
      /* Looking for the place is no step that Back undoes. */
      await this.openPath(path, {push: false, ...isSet && {place: await this.arrival(link), zoom}});
      this.pick(async place => {
        await this.openPath(back, {push: false});
        this.map.goTo(left, top, zoom);
        this.select(this.thingFor(link.path));
        this.panel.showRecord(link.path);
        if (!place) return;
        const {cell_width: width, cell_height: height} = this.doc.scene.layers.find(layer => layer.main);
        /* The click is at the player's feet, which are in the middle of a picture of three by three cells. */
        const [x, y] = [Math.max(0, Math.round(place[0] / width) - 1), Math.max(0, Math.floor(place[1] / height) - 2)];
        await this.edit([x, y].map((v, i) => `${link.path}.${names[i]}=${v}`), `${link.path} leads to ${x}, ${y}`);
        notice(`The link leads to ${x}, ${y} of ${link.target}.`);
      });
      notice(`Click where the player appears in ${link.target}. Esc goes back.`);
    });
  }

  /* The next click on the map is passed to `run`; Esc passes nothing. */
  pick(run) {
    this.picking = run && (place => {
      this.pick(null);
      return this.run(() => run(place));
    });
    document.body.classList.toggle('placing', Boolean(run || this.placing));
  }

  /* ---- things ---- */

  rectOf(thing) {
    const [left, top, width, height] = thing.rect;
    return [left - this.origin[0], top - this.origin[1], width, height];
  }

  /* No part of it is in the level. */
  isOutside([left, top, width, height]) {
    const {scene} = this.map;
    return left + width <= 0 || top + height <= 0 || left >= scene.width || top >= scene.height;
  }

  thingFor(path) {
    return this.map.scene?.things?.find(thing => thing.path
      && (thing.path === path || path.startsWith(`${thing.path}.`)));
  }

  /* The first of these things, and the others with it. */
  selectAll([thing, ...others]) {
    this.selected = thing?.path ?? null;
    this.also = others.map(other => other.path);
    this.map.selected = thing ? this.rectOf(thing) : null;
    this.map.more = others.map(other => this.rectOf(other));
    this.map.areas = [];
    this.findAreas();
    this.map.draw();
    this.rememberPlace();
  }

  /* What of the selected thing can be resized on the map; `opened`: the record that the panel shows. */
  async findAreas() {
    const {selected, doc} = this;
    if (!doc) return;
    const thing = selected && !this.also.length ? this.thingFor(selected) : null;
    const areas = thing ? await areasOf(this, thing, this.panel.state.recordPath).catch(() => []) : [];
    if (this.selected !== selected || this.doc !== doc) return;
    this.map.areas = areas;
    this.map.draw();
  }

  /* The distance of the grid's lines in px: a cell, or what the user chose. */
  gridOf() {
    const main = this.map.scene?.layers?.find(layer => layer.main);
    if (this.grid) return [this.grid, this.grid];
    return [main?.cell_width, main?.cell_height].map(v => (v >= 8 ? v : 32));
  }

  /* Adds a thing to the selection, or takes it out. */
  toggle(thing) {
    this.looks++;
    const rest = this.selection.filter(path => path !== thing.path).map(path => this.thingFor(path)).filter(Boolean);
    this.selectAll(rest.length < this.selection.length ? rest : [...rest, thing]);
  }

  select(thing, {centre = false} = {}) {
    this.looks++;
    const rect = thing ? this.rectOf(thing) : null;
    this.selectAll(thing ? [thing] : []);
    if (centre && rect) this.map.goTo(rect[0] + rect[2] / 2, rect[1] + rect[3] / 2,
      Math.max(this.map.zoom, 1));
    this.map.draw();
  }

  /* Clicks on the map add such a thing; null: no longer. */
  place(placing) {
    this.placing = placing;
    if (placing) this.brush.setTool(null);
    this.map.hovered = null;
    document.body.classList.toggle('placing', Boolean(placing));
    this.map.draw();
  }

  /* Shows the thing with this path: on the map if it has a place there, and in the panel. */
  goToPath(path) {
    this.looks++;
    return this.lookAt(path);
  }

  async lookAt(path) {
    const thing = this.thingFor(path);
    const rect = thing ? this.rectOf(thing) : await this.run(() => this.rectOfPath(path));
    if (thing) this.selectAll([thing]);
    else if (rect) this.map.selected = rect;
    if (rect) this.map.goTo(rect[0] + rect[2] / 2, rect[1] + rect[3] / 2,
      Math.max(this.map.zoom, Math.min(1, 400 / rect[2])));
    this.panel.showRecord(path.replace(/\[[^\]]*,[^\]]*\]$/, '').replace(/\.[^.\]]*$/, ''));
  }

  /* The place of a cell, a chunk of a drawing or a level of a world. Cells of planes that scroll by themselves have none. */
  async rectOfPath(path) {
    const {scene} = this.map;
    const main = scene?.layers.find(layer => layer.main);
    if (!main) return null;
    const at = (column, row, width, height) => [column * width - this.origin[0],
      row * height - this.origin[1], width, height];
    const cell = /\[(\d+)\]\.tiles\[(\d+),(\d+)/.exec(path);
    if (cell) {
      const layer = scene.layers[cell[1]];
      const isFixed = layer && ['move_x', 'move_y', 'cell_width', 'cell_height'].every(name => layer[name] === main[name]);
      return isFixed ? at(+cell[2], +cell[3], main.cell_width, main.cell_height) : null;
    }
    const [chunk, layer] = /^(.*)\.chunks\[[^\]]*\]/.exec(path) ?? [];
    if (chunk) {
      const {key} = await this.client.call('get', chunk) ?? {};
      const [x, y] = String(key).split(',').map(Number);
      const side = await this.client.call('get', `${layer}.size`);
      const rect = at(x, y, side, side);
      return [rect[0] + scene.zero[0], rect[1] + scene.zero[1], side, side];
    }
    const link = scene.links.find(l => l.path === path && l.column !== undefined);
    return link ? at(link.column, link.row, 64 * main.cell_width, 64 * main.cell_height) : null;
  }

  /* ---- comparing with another file ---- */

  async compareWith(path, bytes) {
    await this.run(async () => {
      const {scene} = await this.client.call('open', path, bytes, 'b');
      this.other = {path, bytes};
      if (this.map.scene && scene && !scene.error) {
        const [zx, zy] = this.map.scene.zero;
        this.map.otherShift = [scene.zero[0] - zx, scene.zero[1] - zy];
        this.map.compare = 0.5;
        $('slider').value = 500;
        $('slider').hidden = false;
        document.body.classList.add('comparing');
        $('leftName').textContent = this.name;
        $('rightName').textContent = path.split('/').pop();
        await this.findMarks();
      }
      this.map.setOptions({...this.map.options});
      this.panel.edited();
    });
  }

  /* The places where the picture differs from that of the compared file. */
  async findMarks() {
    const [left, top] = this.origin;
    const places = await this.client.call('changedPlaces');
    this.map.marks = places.map(({kind, thing, rect: [x, y, w, ht]}) =>
      ({kind, thing, rect: [x - left, y - top, w, ht]}));
    this.map.draw();
  }

  stopComparing() {
    if (!this.other) return;
    this.other = null;
    this.map.compare = null;
    this.map.marks = [];
    $('slider').hidden = true;
    document.body.classList.remove('comparing');
    this.client.call('closeOther');
    this.map.draw();
  }
}

const app = new App();
globalThis.lvlApp = app;
/* A served page is kept for use without a network; the page of one file needs nothing. */
if (location.protocol.startsWith('http') && !$('lvl-worker')) navigator.serviceWorker?.register('sw.js');
app.start().catch(error => notice(`lvl could not start: ${error.message}`, true));
