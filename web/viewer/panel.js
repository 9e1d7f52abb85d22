/*
 * The panel: its tabs, and the tabs that need little code: the file, the view, the list of files.
 */
import {$, button, count, plain, fill, h, kept, keptButton, keptField, keptHeading, keptList, keptMenu, keptRow, keptSame,
  keptSwitch, keptText, refill, saveFile, size, unchanging} from './dom.js';
import {Outdated} from './client.js';
import {groupOf, isArt, levelsAmong} from './files.js';
import {recordPage, thingsPage} from './things.js';
import {changesPage, findingsPage, isBad} from './changes.js';
import {bytesPage} from './hex.js';
import {layerButtons} from './layers.js';
import {paintPage} from './paint.js';
import {leadsPart} from './search.js';
import {stopSound} from './sounds.js';
import {controls} from './controls.js';
import {openCreate} from './create.js';

export function makePanel(app) {
  const state = {tab: 'info', recordPath: '', filter: '', fileFilter: ''};
  const pages = [
    {id: 'info', label: 'Info', draw: infoPage},
    {id: 'view', label: 'View', draw: viewPage},
    {id: 'things', label: 'Things', draw: thingsPage},
    {id: 'record', label: 'Record', draw: recordPage},
    {id: 'paint', label: 'Paint', draw: paintPage},
    {id: 'findings', label: 'Check', draw: findingsPage},
    {id: 'changes', label: 'Changes', draw: changesPage},
    {id: 'bytes', label: 'Bytes', draw: bytesPage},
    {id: 'files', label: 'Files', draw: filesPage},
  ];
  for (const page of pages) {
    page.tab = h('button', {type: 'button', role: 'tab', id: `tab-${page.id}`,
      'aria-controls': `page-${page.id}`,
      onclick: () => {
        app.looks++;
        choose(page.id);
      }}, page.label);
    page.node = h('section', {className: 'page', role: 'tabpanel', id: `page-${page.id}`, tabIndex: 0,
      'aria-labelledby': `tab-${page.id}`, hidden: true});
    page.node.known = new Map(); /* the elements that the page keeps when it is drawn again (kept) */
  }
  /* A press in the panel ends before a page is drawn again: what was pressed gets its click. */
  $('panel').addEventListener('pointerdown', () => {
    const ended = new AbortController();
    state.pressed = new Promise(done => {
      /* The list of a menu takes the end of the press that opened it: the choice, or the pointer, comes without it. */
      for (const name of ['pointerup', 'pointercancel', 'blur', 'change', 'pointermove'])
        addEventListener(name, ({type, buttons}) => {
          if (type !== 'pointermove' || !buttons) setTimeout(done);
        }, {signal: ended.signal});
    }).then(() => {
      ended.abort();
      state.pressed = null;
    });
  }, {capture: true});
  $('tabs').append(...pages.map(page => page.tab));
  $('pages').append(...pages.map(page => page.node));
  $('tabs').addEventListener('keydown', event => {
    const move = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!move) return;
    const at = pages.findIndex(page => page.id === state.tab);
    const next = pages[(at + move + pages.length) % pages.length];
    choose(next.id);
    next.tab.focus();
    event.preventDefault();
    event.stopPropagation();
  });

  /* One sees at once that a file is damaged, whichever page is shown. */
  function markDamage() {
    const {tab} = pages.find(page => page.id === 'findings');
    const isDamaged = Boolean(app.doc) && hasErrors(app.doc);
    tab.classList.toggle('bad', isDamaged);
    tab.title = isDamaged ? 'This file is damaged' : '';
  }

  /* Ends when the page is drawn. */
  function redraw() {
    markDamage();
    if (!app.doc) return undefined;
    return app.run(async () => {
      if (state.pressed) await state.pressed;
      await drawPage(app, pages.find(p => p.id === state.tab), state);
    });
  }

  function choose(id) {
    if (id !== 'paint' && state.tab === 'paint') {
      app.brush.setTool(null);
      app.showLayer(null);
    }
    if (id !== 'findings' && state.tab === 'findings') {
      app.map.findings = [];
      app.map.draw();
    }
    state.tab = id;
    markDamage();
    for (const page of pages) {
      const on = page.id === id;
      page.node.hidden = !on;
      page.tab.setAttribute('aria-selected', String(on));
      page.tab.tabIndex = on ? 0 : -1;
    }
    redraw();
  }
  choose('info');

  return {
    choose,
    redraw,
    state,
    /* `same`: the same document again, with other art. */
    opened(same) {
      if (same) {
        state.tileSet = null;
        redraw();
        return;
      }
      for (const {node} of pages) { /* nothing of another document is shown */
        fill(node);
        node.known = new Map();
      }
      Object.assign(state, {recordPath: '', filter: state.everywhere ? state.filter : '', fileFilter: '', add: undefined, target: undefined, tileSet: null,
        at: undefined, space: 0, found: null});
      clearTimeout(state.searchTimer);
      state.searchTimer = 0;
      app.map.camera = null;
      stopPlaying(state);
      app.map.options = app.doc.animation ? {transparent: true} : {};
      app.map.setOptions(app.map.options);
      const {scene, members} = app.doc;
      if (!scene && members.length) choose('files');
      else if (['files', 'record'].includes(state.tab) && scene) choose('info');
      else redraw();
      controls.inset(app);
      /* The layers of a doodad are frames that its script shows: they do not play by themselves. */
      if (app.doc.format === 'gani' && app.doc.animation?.frames > 1) play(app, state);
    },
    pause() {
      stopPlaying(state);
      stopSound();
    },
    edited() {
      state.found = null;
      if (app.map.options.frame) app.run(() => showFrame(app, {}));
      redraw();
    },
    showRecord(path) {
      state.recordPath = path;
      choose('record');
      app.findAreas();
    },
    nextThing(step) {
      const things = app.doc?.scene?.things?.filter(thing => thing.path) ?? [];
      if (!things.length) return;
      const at = things.findIndex(thing => thing.path === app.selected);
      const next = at < 0 ? (step > 0 ? 0 : -1) : at + step;
      const thing = things[(next + things.length) % things.length];
      app.select(thing, {centre: true});
      this.showRecord(thing.path);
    },
  };
}

/*
 * Draws a page again. If that removes the element that has the focus, its successor gets it. A page that cannot be
 * drawn says why.
 */
async function drawPage(app, page, state) {
  const {doc} = app;
  const {node} = page;
  const name = element => element.id || element.getAttribute('aria-label') || element.textContent;
  const alike = element => [...node.querySelectorAll(element.tagName)].filter(e => name(e) === name(element));
  const had = () => (node.contains(document.activeElement) ? document.activeElement : null);
  let focused = had();
  let order = focused ? alike(focused).indexOf(focused) : 0;
  const keep = () => {
    focused = had() ?? focused;
    if (focused?.isConnected) order = alike(focused).indexOf(focused);
  };
  node.addEventListener('focusin', keep);
  try {
    await page.draw(app, node, state);
  } catch (error) {
    if (app.doc === doc && !(error instanceof Outdated))
      fill(node, h('p', {className: 'hint', role: 'alert'}, error.message));
    if (!(error instanceof Outdated)) throw error;
  } finally {
    node.removeEventListener('focusin', keep);
  }
  if (focused && !focused.isConnected && [document.body, null].includes(document.activeElement))
    alike(focused)[order]?.focus();
}

/* Whether what was found while the document was read is an error. */
function hasErrors({findings}) {
  return findings.some(isBad);
}

/* Lines "  label   value" of a summary, with nested lines. */
function factsOf(info) {
  const facts = h('dl', {className: 'facts'});
  for (const line of info.split('\n').slice(1)) {
    const [, indent, label, value] = /^(\s+)(.*?)(?:\s{2,}(.*))?$/.exec(line) ?? [];
    if (!label) continue;
    if (indent.length > 2) facts.append(h('dt', {}, ''), h('dd', {}, plain(line.trim())));
    else facts.append(h('dt', {}, label), h('dd', {}, plain(value ?? '')));
  }
  return facts;
}

function infoPage(app, node) {
  const {known} = node;
  const {scene} = app.doc;
  const missing = hasErrors(app.doc) ? ['This file is damaged: the Check tab says what is wrong, and repairs it.'] : [];
  if (scene && !scene.error) {
    if (!scene.has_art && scene.layers.length)
      missing.push('No art was found: tiles are drawn as plain colours. '
      + 'Drop the game\'s pictures (a folder, a .rez, pics1.png) onto the page.');
    if (scene.missing_files)
      missing.push(`Levels of this world that are missing: ${scene.missing_files} of ${scene.files}.`);
    if (scene.missing_things) missing.push(`Pictures not found: ${scene.missing_things}.`);
  }
  refill(node, missing.map((text, i) => keptText(known, `hint ${i}`, text, () => h('p', {className: 'hint'}))),
    keptSame(known, 'facts', [app.doc.info], ([text]) => factsOf(text)),
    keptRow(known, 'export', keptButton(known, 'png', scene && !scene.error ? `Export PNG (${scene.width} × ${scene.height} px)`
      : 'Export PNG', () => exportPng(app), {disabled: !scene || Boolean(scene.error)})), leadsPart(app, known));
}

async function exportPng(app) {
  const {scene} = app.doc;
  const most = 8192;
  const longest = Math.max(scene.width, scene.height);
  const scale = Math.min(1, most / longest);
  const [width, height] = [scene.width, scene.height].map(v => Math.max(1, Math.ceil(v * scale)));
  const megabytes = Math.round(width * height * 4 / 1e6);
  const questions = [scale < 1 && `The picture of ${scene.width} × ${scene.height} px is too large for a browser: `
    + `it would be shrunk to ${width} × ${height} px.`,
  megabytes >= 100 && `It has ${megabytes} MB of pixels; the file is smaller, but may be that large.`].filter(Boolean);
  if (questions.length && !confirm(`${questions.join(' ')} Export it?`)) return;
  const options = scale < 1 ? {...app.map.options, size: most} : app.map.options;
  await app.run(async () => {
    const blob = await app.client.call('png', options);
    await saveFile(blob, `${app.name}.png`, {type: 'image/png'});
  });
}

/* ---- what is drawn ---- */

function viewPage(app, node, state) {
  const {known} = node;
  const {scene, animation} = app.doc;
  if (!scene || scene.error) {
    refill(node, keptText(known, 'none', 'This file has no picture.', () => h('p', {})));
    return;
  }
  const options = app.map.options;
  const set = change => app.map.setOptions({...app.map.options, ...change});
  const option = (...args) => keptSwitch(known, ...args);
  const heading = text => keptHeading(known, text);
  const main = scene.layers.find(layer => layer.main);
  /* A layer in front of the level with another parallax is not in the picture of the whole level. */
  const isFront = layer => main && layer.z > main.z && (layer.move_x !== 100 || layer.move_y !== 100);
  const nameOf = (layer, i) => layer.name || `layer ${i}`;
  const menu = scene.layers.length > 1 && keptMenu(known, 'alone', [{value: '', label: 'all layers'},
    ...scene.layers.map((layer, i) => ({value: i, label: `only ${nameOf(layer, i)}`}))], app.layerAlone ?? '',
  {onchange: event => app.showLayer(event.target.value === '' ? null : +event.target.value)});
  const alone = menu && kept(known, 'alone row', null, () => unchanging(h('label', {}, 'Show', menu)));
  const layers = scene.layers.map((layer, i) => option(`layer ${i}`, nameOf(layer, i), options.layers?.[i]
    ?? (!layer.hidden && !isFront(layer)),
    on => set({layers: {...app.map.options.layers, [i]: on}}), `z ${layer.z}${layer.main ? ', main' : ''}`));
  const overlays = [['grid', 'Grid'], ['attributes', 'Attributes of tiles'],
    ['objects', 'Frames and names of things'],
    ['patrol', 'Paths and ranges'], ['findings', 'Cells whose picture is missing']].map(([name, label]) => option(name, label, options.overlays?.includes(name),
    on => set({overlays: (app.map.options.overlays ?? []).filter(o => o !== name).concat(on ? name : [])})));
  const grid = keptField(known, 'grid', app.grid || '', {type: 'number', min: 1, max: 4096, step: 1,
    placeholder: String(app.gridOf()[0]), 'aria-label': 'Distance of the lines in px',
    onchange: event => { app.grid = Math.max(0, Math.round(+event.target.value)); }});
  refill(node,
    heading('Layers'), alone, layers,
    option('things', 'Things', options.things ?? true, on => set({things: on})), layerButtons(app, known),
    app.marks.part(known),
    heading('Overlays'), overlays,
    option('schematic', 'Plain colours instead of art', options.schematic, on => set({schematic: on})),
    app.doc.can.includes('write') && [heading('Grid for moving and adding things'),
      option('snap', 'Snap to the grid', app.snap, on => { app.snap = on; }, 'key G aligns'),
      kept(known, 'grid row', null, () => unchanging(h('label', {}, 'Distance of the lines (px)', grid)))],
    scene.layers.length > 0 && [heading('The game\'s camera'),
    option('camera', 'Show what the game shows here', app.map.camera, on => {
      app.map.camera = on ? cameraSize(app) : null;
      if (on) app.map.goTo(scene.start[0] - app.origin[0], scene.start[1] - app.origin[1], 1);
      app.map.draw();
    }, cameraSize(app).join(' × '))],
    animation && playControls(app, state, animation, known));
}

/* The window of each game. */
function cameraSize(app) {
  return {wwd: [640, 480], sketchy: [1024, 768]}[app.doc.format] ?? [640, 480];
}

function playControls(app, state, animation, known) {
  const name = keptText(known, 'frame', animation.frame_names[app.map.options.frame ?? 0] ?? '', () => h('span', {className: 'soft'}));
  const show = change => app.run(() => showFrame(app, change));
  const start = keptButton(known, 'play', state.timer ? 'Pause' : 'Play', () => {
    if (state.timer) stopPlaying(state);
    else play(app, state);
    app.panel.redraw();
  });
  const directions = keptMenu(known, 'direction', Array.from({length: animation.directions}, (_, i) =>
    ({value: i, label: animation.names[i] || String(i)})), app.map.options.direction ?? 0,
  {onchange: event => show({direction: +event.target.value})});
  const frame = keptField(known, 'frame number', app.map.options.frame ?? 0, {min: 0, max: animation.frames - 1, type: 'range',
    oninput: event => {
      stopPlaying(state);
      name.textContent = animation.frame_names[event.target.value] ?? '';
      show({frame: +event.target.value});
    }});
  return [
    keptHeading(known, 'Animation'),
    keptRow(known, 'play', start, kept(known, 'directions', null, () => unchanging(h('label', {className: 'grow'}, 'Direction', directions)))),
    kept(known, 'frames', null, () => unchanging(h('label', {}, 'Frame ', name, frame))),
  ];
}

/* Frames differ in size: the picture stays fixed at the animation's 0, 0. */
async function showFrame(app, change) {
  const {doc} = app;
  const options = {...app.map.options, ...change};
  const scene = await app.client.call('scene', {frame: options.frame, direction: options.direction});
  if (app.doc !== doc) return;
  const [left, top] = app.origin;
  doc.scene = app.map.scene = scene;
  app.map.x += left - app.origin[0];
  app.map.y += top - app.origin[1];
  app.map.setOptions(options);
}

function play(app, state) {
  const {doc} = app;
  const {animation} = doc;
  const next = async () => {
    if (app.doc !== doc && app.doc?.animation?.frames !== animation.frames) return;
    const frame = ((app.map.options.frame ?? -1) + 1) % animation.frames;
    state.timer = setTimeout(next, Math.max(30, animation.durations[frame] || 50));
    await app.run(() => showFrame(app, {frame}));
  };
  stopPlaying(state);
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) next();
}

function stopPlaying(state) {
  clearTimeout(state.timer);
  state.timer = 0;
}

/* ---- files ---- */

/* Files by folder, levels before art, as rows with headings. */
function fileRows(rows, openable) {
  const folderOf = ({label}) => label.slice(0, Math.max(0, label.lastIndexOf('/')));
  const kindOf = ({path, label}) => (openable.has(path) && !isArt(label) ? 'levels' : isArt(label) ? 'art' : 'other');
  const order = ['levels', 'art', 'other'];
  const sorted = rows.map(row => ({...row, folder: folderOf(row), kind: kindOf(row)})).sort((a, b) =>
    compareNames(a.folder, b.folder) || order.indexOf(a.kind) - order.indexOf(b.kind) || compareNames(a.label, b.label));
  const out = [];
  let last;
  for (const row of sorted) {
    const heading = [row.folder, row.kind].filter(Boolean).join(' · ');
    if (heading !== last) out.push({heading});
    last = heading;
    out.push(row);
  }
  return out;
}

const {compare: compareNames} = new Intl.Collator('en', {numeric: true});
const rowHeight = 34;

/* A list that makes only the rows in view: {node, update}, where `update` shows other rows. */
function windowed(scroller, given) {
  const known = new Map();
  let rows = given;
  const list = keptList(known, 'rows', [], {className: 'list windowed'});
  const draw = () => {
    if (!list.isConnected) {
      scroller.removeEventListener('scroll', draw);
      return;
    }
    const top = scroller.scrollTop - (list.offsetTop - scroller.offsetTop);
    const from = Math.max(0, Math.floor(top / rowHeight) - 10);
    const to = Math.min(rows.length, Math.ceil((top + scroller.clientHeight) / rowHeight) + 10);
    keptList(known, 'rows', rows.slice(from, to));
    [...list.children].forEach((item, i) => {
      const place = `${(from + i) * rowHeight}px`;
      if (item.style.top !== place) item.style.top = place;
      item.setAttribute('aria-setsize', rows.length);
      item.setAttribute('aria-posinset', from + i + 1);
    });
  };
  const update = now => {
    rows = now;
    list.style.height = `${rows.length * rowHeight}px`;
    queueMicrotask(draw); /* when it is in the page */
    return true;
  };
  scroller.addEventListener('scroll', draw);
  update(rows);
  return {node: list, update};
}

function filesPage(app, node, state) {
  const {known} = node;
  const members = app.doc.members.map(m => ({path: `${app.path}/${m.path}`, label: m.path, size: m.size}));
  const openable = new Set([...levelsAmong(app.paths, app.formats), ...members.map(m => m.path)]);
  const rows = [...members, ...app.paths.map(path => ({path, label: path}))];
  const unsaved = new Set(app.unsaved);
  const rowFor = ({heading, path, label, size: bytes}) => (heading !== undefined ? {key: heading, shown: [heading], className: 'heading'}
    : {key: `${path} ${label}`, shown: [label.split('/').pop(), [unsaved.has(path) ? 'changed' : '', bytes ? size(bytes) : '']
      .filter(Boolean).join(' · ')], title: label, 'aria-current': path === app.path ? 'true' : undefined, disabled: !openable.has(path),
    run: () => app.run(() => app.openPath(path))});
  const found = keptText(known, 'found', '', () => h('p', {className: 'soft', role: 'status'}));
  const list = () => {
    const wanted = state.fileFilter.toLowerCase();
    const some = rows.filter(row => row.label.toLowerCase().includes(wanted));
    found.textContent = !wanted ? '' : some.length ? `${count(some.length, 'file')} of ${rows.length}`
      : `No file has "${state.fileFilter}" in its name.`;
    return kept(known, 'files', fileRows(some, openable).map(rowFor), given => windowed(node, given));
  };
  const above = [artPart(app, known), badPart(app, known)].filter(Boolean);
  refill(node, keptRow(known, 'all', keptButton(known, 'new', 'New level …', () => openCreate(app)),
    unsaved.size > 1 && keptButton(known, 'save', `Save all ${unsaved.size} changed files`, () => app.saveAll())), above,
  above.length > 0 && keptHeading(known, 'Files'),
  keptField(known, 'search', state.fileFilter, {type: 'search', placeholder: `Search ${count(rows.length, 'file')}`,
    'aria-label': 'Search files', oninput: event => {
      state.fileFilter = event.target.value;
      list();
    }}), found, list());
}

/* The art that is loaded, what removes it, and whether it is kept for the next visit. */
function artPart(app, known) {
  const groups = new Map();
  for (const {path} of app.artFiles()) groups.set(groupOf(path), (groups.get(groupOf(path)) ?? 0) + 1);
  if (!groups.size && !app.keepsArt) return null;
  const [part, list] = [['art', () => h('div', {id: 'art'})], ['art list', () => h('ul', {})]].map(([key, make]) =>
    kept(known, key, null, () => unchanging(make())));
  refill(list, [...groups].map(([group, files]) => keptSame(known, `art ${group}`, [files], () => h('li', {className: 'row'},
    h('span', {className: 'grow'}, group, files > 1 ? h('small', {className: 'soft'}, ` ${files} files`) : null),
    button('Remove', () => app.run(() => app.removeArt(group)), {'aria-label': `Remove ${group}`})))));
  refill(part, keptHeading(known, 'Art'), list, keptSwitch(known, 'keep', 'Keep this art in the browser for the next visit', app.keepsArt,
    on => app.run(() => app.rememberArt(on))));
  return part;
}

function badPart(app, known) {
  if (!app.bad.length) return null;
  return keptSame(known, 'bad', app.bad.flatMap(({path, reason}) => [path, reason]), () => h('div', {id: 'bad'},
    h('h2', {}, `Could not be read: ${app.bad.length}`), h('ul', {className: 'list'},
      app.bad.slice(0, 100).map(({path, reason}) => h('li', {}, path, h('small', {}, reason))))));
}
