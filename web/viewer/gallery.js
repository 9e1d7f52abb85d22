/*
 * The levels of what was dropped as cards (cards.js): of a folder, a pack, an archive or a zip. The worker reads and draws
 * those in the window first; of the others it reads what is searched and sorted by.
 */
import {$, h} from './dom.js';
import {Cards} from './cards.js';
import {groupOf, levelPaths, levelsAmong} from './files.js';

const address = '#/'; /* and what is searched; no path begins with a slash */

export class Gallery {
  #app;
  #cards;
  #scrolled = 0;
  #titles = ['', '']; /* of the level that is open */
  shown = false;
  #pictures = new Map(); /* path: the address of its picture */

  constructor(app) {
    this.#app = app;
    this.#cards = new Cards($('gallery'), {
      scroller: $('gallery'),
      address: ({path}) => app.addressOf(path),
      open: ({path}) => app.run(() => app.openPath(path)),
      picture: level => this.#picture(level),
      seen: () => app.client.wake(),
      changed: () => {
        if (this.shown) history.replaceState(null, '', this.hash);
        app.client.wake();
      },
    });
    $('siteBack').addEventListener('click', event => {
      if (!this.#here) return;
      event.preventDefault();
      this.show();
    });
    for (const [id, step] of [['sitePrevious', -1], ['siteNext', 1]])
      $(id).addEventListener('click', event => {
        if (!this.#here) return;
        event.preventDefault();
        this.step(step);
      });
  }

  /* Whether there is a gallery of dropped files; a site has one of its own. */
  get #here() {
    return this.#cards.levels.length > 1;
  }

  get levels() {
    return this.#cards.levels;
  }

  get hash() {
    const {state} = this.#cards;
    return state.size ? `${address}?${state}` : address;
  }

  /* Whether this address is that of the gallery. */
  static names(hash) {
    return hash.startsWith(address);
  }

  #picture({path, waiting}) {
    const from = this.#pictures.get(path);
    if (from) return h('img', {src: from, alt: '', decoding: 'async'});
    return waiting ? h('span', {className: 'soft'}, '…') : undefined;
  }

  /* The levels among the files, and in packs and archives. */
  async fill() {
    if ($('lvl-site')) return;
    const {client, paths, formats, list} = this.#app;
    for (const path of this.#pictures.keys()) this.#forget(path);
    this.#cards.fields.query.form.reset();
    const art = new Set(this.#app.artFiles().map(f => f.path));
    const isPack = path => /\.(levelpack|rez|vrz)$/i.test(path);
    const files = paths.filter(path => !art.has(path) && !isPack(path));
    /* An archive beside a level is there for its art. */
    const hasLevels = levelPaths(files, formats).length > 0;
    const packs = paths.filter(path => isPack(path) && !(hasLevels && art.has(path)));
    const inside = packs.length ? await client.call('insidePacks', packs) : [];
    let levels = levelPaths([...files, ...inside], formats);
    if (!levels.length) levels = levelsAmong(paths, formats).filter(path => /\.(gani|doodad)$/i.test(path));
    const groups = [...new Set(list.filter(f => !f.art).map(f => groupOf(f.path)))];
    const from = groups.length === 1 ? groups[0].replace(/\.zip$/i, '') : '';
    const labelOf = path => (from && path.startsWith(`${from}/`) ? path.slice(from.length + 1) : path);
    this.#cards.levels = levels.map(path => ({path, label: labelOf(path), waiting: true}));
    this.#cards.heading.textContent = groups.length === 1 ? groups[0] : 'Levels';
    this.links();
  }

  /* Whether it is shown first: of a folder, a pack or an archive that has no map of its own. */
  get isFirst() {
    const {levels} = this.#cards;
    return levels.length > 1 && levels.some(({path}) => path.includes('/')) && this.#app.doc?.format !== 'gmap';
  }

  /* The ways to the neighbours and back. */
  links() {
    if ($('lvl-site')) return;
    if (!this.#here) {
      for (const id of ['siteBack', 'sitePrevious', 'siteNext']) $(id).hidden = true;
      return;
    }
    const at = this.#at();
    const {shown} = this.#cards;
    $('siteBack').hidden = this.shown;
    $('siteBack').href = this.hash;
    for (const [id, path] of [['sitePrevious', shown[at - 1]?.path], ['siteNext', shown[at + 1]?.path]]) {
      $(id).hidden = this.shown || at < 0 || path === undefined;
      if (path !== undefined) $(id).href = this.#app.addressOf(path);
    }
  }

  #at() {
    return this.#cards.shown.findIndex(({path}) => path === this.#app.path);
  }

  /* The next level, or the one before, in the order of the cards. */
  step(by) {
    const at = this.#at();
    const next = at < 0 ? undefined : this.#cards.shown[at + by];
    if (next) this.#app.run(() => this.#app.openPath(next.path));
  }

  /* `state': what is searched, from an address. */
  show({push = true, state} = {}) {
    if (!this.#here) return false;
    if (state !== undefined) this.#cards.state = new URLSearchParams(state);
    const {path} = this.#app;
    this.shown = true;
    document.body.classList.add('gallery');
    this.#showTitles();
    $('gallery').scrollTop = this.#scrolled;
    if (push) history.pushState(null, '', this.hash);
    else history.replaceState(null, '', this.hash);
    this.links();
    this.#cards.level(path)?.node?.focus({preventScroll: this.#scrolled > 0});
    this.#app.client.wake();
    return true;
  }

  /* What an address asks for. */
  follow(hash) {
    return this.show({push: false, state: hash.slice(address.length).replace(/^\?/, '')});
  }

  hide() {
    if (this.shown) this.#scrolled = $('gallery').scrollTop;
    this.shown = false;
    document.body.classList.remove('gallery');
    this.#showTitles();
    this.links();
  }

  /* What the header calls the open level, when the gallery is not shown. */
  titles(...titles) {
    this.#titles = titles;
    this.#showTitles();
  }

  #showTitles() {
    const [title, subtitle] = this.shown ? [this.#cards.heading.textContent, this.#cards.count.textContent] : this.#titles;
    $('title').textContent = title;
    $('subtitle').textContent = subtitle;
    document.title = `${title} · lvl`;
  }

  /* There is other art: the pictures are drawn again. */
  drawAgain() {
    for (const level of this.#cards.levels) if (level.failed || this.#pictures.has(level.path)) this.#again(level);
  }

  #again(level) {
    this.#forget(level.path);
    Object.assign(level, {waiting: true, failed: false});
    this.#cards.know(level);
    this.#app.client.wake();
  }

  #forget(path) {
    const from = this.#pictures.get(path);
    this.#pictures.delete(path);
    /* An image may still be loading it. */
    setTimeout(() => URL.revokeObjectURL(from), 10000);
  }

  /* A file was changed: its card is made again. */
  changed(path) {
    const level = this.#cards.level(path);
    if (level) this.#again(level);
  }

  /* What the worker does for it when nothing else waits, while it is shown; `inWindow': only for cards that are seen. */
  next(inWindow) {
    if (!this.#here) return undefined;
    const level = this.shown && this.#cards.inSight.find(({path, waiting, failed}) =>
      !failed && (waiting || !this.#pictures.has(path)));
    if (level) return this.#ask(level, true);
    if (inWindow || !this.shown) return undefined;
    const other = this.#cards.levels.find(({waiting, verdict}) => waiting && !verdict);
    return other && this.#ask(other, false);
  }

  #ask(level, wantsPicture) {
    const {sessions} = this.#app;
    const session = sessions.get(level.path);
    const bytes = session?.at ? session.history[session.at].bytes : undefined;
    const {levels} = this.#cards;
    const end = known => {
      if (this.#cards.levels !== levels) return;
      const {picture, ...facts} = known;
      Object.assign(level, facts, {failed: wantsPicture && !picture});
      if (picture) this.#pictures.set(level.path, URL.createObjectURL(picture));
      if (wantsPicture) level.waiting = false;
      this.#cards.know(level);
      this.#app.client.wake();
    };
    return {method: 'card', args: [level.path, bytes, wantsPicture], done: end,
      failed: error => end({verdict: 'unreadable', facts: error.message})};
  }
}
