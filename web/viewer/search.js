/*
 * Search over the open level, or over all levels and members of a pack: by text, by kind (`kind=enemy`) and by field
 * (`logic=Soldier`, `image~well`, `health>=10`); replacing what was found; what leads to a level.
 */
import {button, count, fill, h, isSame, kept, keptButton, keptHeading, keptList, keptSame, keptSwitch, keptText, moreRow, notice,
  unchanging} from './dom.js';
import {levelPaths} from './files.js';

const most = 2000;
const atOnce = 20; /* files a call: the page stays usable between them */

/* {text} | {kind} | {field, op, value}. */
export function queryOf(text) {
  const [, field, op, value] = /^\s*([a-z][\w.]*)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*$/i.exec(text) ?? [];
  if (!field) return {text};
  if (field === 'kind' && op === '=') return {kind: value};
  return {field, op, value: value.replace(/^"(.*)"$/, '$1')};
}

/* The files that are searched: those of the open pack, or all levels. */
function searched(app) {
  const pack = app.doc.members.length ? app.path : app.paths.find(path => app.path.startsWith(`${path}/`));
  const members = app.doc.members.length ? app.doc.members : app.packMembers?.[pack] ?? [];
  if (members.length) return levelPaths(members.map(m => m.path), app.formats).map(path => `${pack}/${path}`);
  return levelPaths(app.paths, app.formats);
}

/* Calls the worker for a few files after the other; `shown` gets what was found so far. Stops when `isOver` says so. */
async function overFiles(app, files, method, args, shown, isOver) {
  const found = [];
  for (let i = 0; i < files.length && found.length < most; i += atOnce) {
    const some = files.slice(i, i + atOnce);
    const edits = some.map(path => [path, app.sessions.get(path)]).filter(([, session]) => session?.at)
      .map(([path, {at, history: steps}]) => [path, steps[at].bytes]);
    found.push(...await app.client.call(method, some, edits, ...args));
    if (isOver()) return null;
    shown(found, Math.min(files.length, i + atOnce), files.length);
  }
  return found;
}

/* The rectangles of hits in the picture: things, or levels of the world that is shown. */
function rectsOf(app, hits) {
  const {scene} = app.map;
  if (!scene) return [];
  const main = scene.layers.find(layer => layer.main);
  const cells = new Map(scene.links.filter(link => link.column !== undefined)
    .map(link => [link.target.toLowerCase(), link]));
  return hits.map(({file, path, at}) => {
    if (file === app.path) {
      const thing = app.thingFor(path) ?? app.thingFor(`${path}.`);
      return thing ? app.rectOf(thing) : null;
    }
    const link = cells.get(file.split('/').pop().toLowerCase());
    if (!link) return null;
    const [w, ht] = [64 * main.cell_width, 64 * main.cell_height];
    const [x, y] = [link.column * w - app.origin[0], link.row * ht - app.origin[1]];
    return at ? [x + at[0] * main.cell_width, y + at[1] * main.cell_height, 3 * main.cell_width, 3 * main.cell_height]
      : [x, y, w, ht];
  }).filter(Boolean);
}

/* What a search over these files depends on: the files, and the step that is shown of each that is edited. */
function stateOf(app, files) {
  const steps = files.map(path => app.sessions.get(path)).map(session => session?.history[session.at]);
  return [app.path, app.list, ...files, ...steps];
}

/*
 * The list of hits, with what replaces them. `state`: filter, everywhere, replacement; `known`: the parts that are shown,
 * which are changed in place. What was found stays while it is what another search would find.
 */
export function searchPart(app, state, known) {
  const files = searched(app);
  const total = keptText(known, 'found', undefined, () => h('p', {className: 'soft', role: 'status'}));
  const replace = kept(known, 'replace', null, () => unchanging(h('div', {className: 'row', hidden: true},
    h('span', {className: 'grow'}, h('input', {value: state.replacement ?? '', 'aria-label': 'Replace with',
      placeholder: 'Replace with', oninput: event => { state.replacement = event.target.value; }})),
    button('Replace', null))));
  const start = replace.lastChild;
  const hitList = rows => keptList(known, 'hits', rows, {id: 'hits'});
  const list = hitList();
  const showHits = (hits, query) => {
    app.map.hits = rectsOf(app, hits);
    app.map.draw();
    const several = new Set(hits.map(hit => hit.file)).size > 1 || hits.some(hit => hit.file !== app.path);
    hitList([...hits.slice(0, 300).map(hit => ({key: `${hit.file} ${hit.path} ${hit.text}`, run: () => goTo(app, hit),
      shown: [hit.text, [several ? hit.file.split('/').pop() : '', hit.path].filter(Boolean).join(' · ')]})),
    ...moreRow(hits.length, 300)]);
    replace.hidden = !hits.length || Boolean(query.kind) || !app.doc.can.includes('write');
    start.disabled = false;
    start.textContent = hits.length > 1 ? `Replace all ${hits.length}` : 'Replace';
    start.onclick = () => replaceAll(app, hits, query, state.replacement ?? '');
  };
  /* While the list is not that of what is asked for, also because the user is typing. */
  const busy = isSearching => { list.ariaBusy = isSearching || state.searchTimer ? 'true' : null; };
  const search = async () => {
    const query = queryOf(state.filter);
    const places = state.everywhere ? files : [app.path];
    const asked = [state.filter, ...stateOf(app, places)];
    if (isSame(known.searched ?? [], asked)) return;
    known.searched = asked; /* a search that started before ends without showing its hits */
    start.disabled = true; /* until the hits of this document are known */
    busy(true);
    if (state.filter.trim().length < 2) {
      hitList([]);
      app.map.hits = [];
      app.map.draw();
      total.textContent = '';
      replace.hidden = true;
      busy(false);
      return;
    }
    const found = await app.run(() => overFiles(app, places, 'find', [query], (hits, n, all) => {
      if (n < all) {
        total.textContent = `${count(hits.length, 'hit')} in ${n} of ${all} files …`;
        showHits(hits, query);
      }
    }, () => known.searched !== asked || !list.isConnected));
    if (known.searched !== asked) return;
    busy(false);
    if (!found) {
      known.searched = null; /* the next redraw searches again */
      return;
    }
    const where = state.everywhere ? `${count(new Set(found.map(hit => hit.file)).size, 'file')} of ${files.length}` : 'this file';
    total.textContent = found.length ? `${count(found.length, 'hit')}${found.length >= most ? ', and perhaps more,' : ''} in ${where}.`
      : query.field ? `Nothing has "${query.field}" ${query.op} "${query.value}" in ${state.everywhere ? 'these files' : 'this file'}.`
        : 'No other text contains that.';
    showHits(found, query);
  };
  /* When the user stops typing. */
  const searchSoon = () => {
    clearTimeout(state.searchTimer);
    state.searchTimer = setTimeout(() => {
      state.searchTimer = 0;
      busy(false);
      search();
    }, 200);
    busy(true);
  };
  const scope = (files.length > 1 || (files.length === 1 && files[0] !== app.path))
    && keptSwitch(known, 'everywhere', `In all ${files.length} files`, state.everywhere, on => {
      state.everywhere = on;
      search();
    });
  const help = keptText(known, 'help', 'Also by field: logic=Soldier, image~well, health>=10, kind=enemy',
    () => h('p', {className: 'soft'}));
  return {search, searchSoon, parts: [scope, help, total, replace, list]};
}

async function goTo(app, {file, path}) {
  await app.run(async () => {
    if (file !== app.path) await app.openPath(file, {zoom: 1});
    await app.goToPath(path);
  });
}

/* Replaces in all files that have hits; each gets a step in its own history, and is unsaved. */
async function replaceAll(app, hits, query, to) {
  const byFile = Map.groupBy ? Map.groupBy(hits, hit => hit.file) : hits.reduce((all, hit) =>
    all.set(hit.file, [...all.get(hit.file) ?? [], hit]), new Map());
  const names = [...byFile.keys()];
  if (names.length > 1 && !confirm(`Replace ${count(hits.length, 'hit')} in ${count(names.length, 'file')}? `
    + 'Each file can be undone by itself, and is not saved yet.')) return;
  await app.issue('replaceHits', {label: `replace ${query.text ?? query.value} by ${to}`, args: {query, to,
    hits: [...byFile].map(([file, some]) => [file, some.map(hit => hit.path), app.sessions.get(file)?.history[app.sessions.get(file).at]])}});
}

/* The command `replaceHits`: in each of `hits` [file, paths, its step when they were found]. */
export async function replaceHits(app, {label, args: {query, to, hits}}) {
  const bad = [];
  let own = null;
  for (const [file, paths, step] of hits) {
    const known = app.sessions.get(file);
    try {
      if (known && step && known.history[known.at] !== step) throw new Error('it has changed since the search.');
      const {bytes, before} = await app.client.call('replace', file, known?.history[known.at].bytes, paths, query, to);
      if (file === app.path) {
        own = bytes;
        continue;
      }
      const session = known ?? {history: [{bytes: before, label: 'as opened'}], at: 0, saved: 0};
      session.history.splice(session.at + 1, session.history.length, {bytes, label});
      session.at = session.history.length - 1;
      app.sessions.set(file, session);
      await app.keepWork(file);
    } catch (error) {
      bad.push(`${file}: ${error.message}`);
    }
  }
  if (own) await app.keepEdit(await app.client.call('open', app.path, own, 'a', app.followed()), label);
  app.showHistory();
  const done = hits.length - bad.length;
  notice(bad.length ? `Replaced in ${count(done, 'file')}. Not in ${bad.join('; ')}` : `Replaced in ${count(done, 'file')}.`,
    bad.length > 0);
  app.panel.redraw();
}

/* What leads to the open level: levels with a link to it, maps that it is a part of. Kept while it is so. */
export function leadsPart(app, known) {
  const files = searched(app).filter(path => path !== app.path);
  if (!app.doc.scene || !files.length || app.doc.members.length) return null;
  const list = keptSame(known, 'leads', stateOf(app, files), () => h('ul', {className: 'list', id: 'leads'}));
  const look = async () => {
    fill(list, h('li', {className: 'soft', role: 'status'}, 'Looking …'));
    const found = await app.run(() => overFiles(app, files, 'leadsTo', [app.name], (hits, n, all) => {
      if (n < all) fill(list, h('li', {className: 'soft', role: 'status'}, `Looking: ${n} of ${all} files …`));
    }, () => known.get('leads').node !== list || !list.isConnected));
    if (!found) {
      fill(list); /* the next redraw looks again */
      return;
    }
    fill(list, found.length ? found.map(({file, path, way}) => h('li', {}, h('button', {type: 'button', onclick: () => goTo(app, {file, path})},
      file.split('/').pop(), h('small', {}, way === 'place' ? 'has it on its map' : `${way} · ${path}`))))
      : h('li', {className: 'soft'}, files.length === 1 ? 'The other level does not lead here.'
        : `None of ${files.length} other levels leads here.`));
  };
  if (files.length <= 40 && !list.firstChild) look();
  return [keptHeading(known, 'What leads here'), files.length > 40 && keptButton(known, 'look', 'Look for it', look), list];
}
