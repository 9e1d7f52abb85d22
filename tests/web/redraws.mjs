/*
 * The panel of web/viewer in Chromium is drawn again while it is used: what is pressed gets its click, and
 * scroll positions, folds, the focus, what is typed and what is selected stay. What is tested is found in the
 * page, so that new controls are too.
 * Usage: node redraws.mjs PAGE CHROMIUM FOLDER [WHAT], where FOLDER has node_modules with puppeteer-core.
 * WHAT: only documents whose names contain it. TALK=1 prints how many elements each redraw makes. THROTTLE=4
 * slows the page's processor down to a fourth.
 */
import assert from 'node:assert/strict';
import {readFileSync, readdirSync, rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {load} from '../../web/lvl.js';
import {openPage} from './browser.mjs';

const [, , pagePath, chromium, folder, only = ''] = process.argv;
const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const sample = name => readFileSync(join(samples, name));
const lvl = await load();
const {browser, page, devtools, errors, scratch} = await openPage(chromium, folder, 'redraws', {width: 1280, height: 900});
const value = (run, ...args) => page.evaluate(run, ...args);
const failures = [];

/* What the tests use in the page. */
function helpers() {
  const section = () => document.querySelector('#pages section:not([hidden])');
  const all = () => [...section().querySelectorAll('*')];
  const nameOf = node => `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ''}${node.className ? `.${node.className}` : ''} `
    + `"${(node.getAttribute('aria-label') ?? node.textContent).trim().slice(0, 40)}"`;
  const isControl = node => node.matches('button, input, select, textarea, summary, [tabindex], .hex span, .tileset')
    && node.checkVisibility({visibilityProperty: true}) && !node.disabled && node.type !== 'file';
  const frame = () => new Promise(done => { requestAnimationFrame(done); });
  /* Everything that was asked for has been done, and the panel is drawn. */
  const rest = async () => {
    await frame();
    await lvlApp.turn;
    await lvlApp.panel.redraw();
    await lvlApp.client.call('memory');
    await lvlApp.panel.redraw();
  };
  let made = 0;
  const make = document.createElement;
  document.createElement = function (...args) {
    made++;
    return make.apply(this, args);
  };
  const count = async run => {
    const before = made;
    await run();
    return made - before;
  };
  const scrollers = () => [section(), ...all()].filter(node => node.scrollHeight > node.clientHeight + 1
    && /auto|scroll/.test(getComputedStyle(node).overflowY));
  /* What a redraw for no reason, and one after a change elsewhere, take away. */
  const tryRedraw = async elsewhere => {
    const bad = [];
    for (const fold of section().querySelectorAll('details')) fold.open = true;
    await rest();
    const fields = all().filter(node => isControl(node) && (/TEXTAREA/.test(node.tagName) || ['text', 'search'].includes(node.type)));
    const field = fields.at(-1);
    const from = field?.value;
    if (field) {
      field.focus();
      field.value += 'typed';
      field.setSelectionRange(1, 2);
    }
    const folds = [...section().querySelectorAll('details')];
    const open = folds.map((fold, i) => i % 2 === 0);
    if (folds.length > 1) folds.forEach((fold, i) => { fold.open = open[i]; });
    await rest();
    const places = scrollers().map(node => {
      node.scrollTop = Math.min(17, node.scrollHeight - node.clientHeight);
      return [node, node.scrollTop];
    });
    await frame();
    if (!field) getSelection().selectAllChildren(section());
    const before = all();
    const names = before.map(nameOf);
    const text = String(getSelection());
    const html = section().innerHTML;
    const look = what => {
      before.forEach((node, i) => {
        if (!node.isConnected && !before.includes(node.parentElement)) bad.push(`${what}: thrown away: ${names[i]}`);
      });
      places.forEach(([node, top]) => {
        if (node.isConnected && node.scrollTop !== top) bad.push(`${what}: scrolled from ${top} to ${node.scrollTop}: ${nameOf(node)}`);
      });
      if (folds.length > 1 && String(folds.map(fold => fold.open)) !== String(open)) bad.push(`${what}: folds`);
      if (field && (document.activeElement !== field || !field.value.endsWith('typed') || field.selectionEnd !== 2))
        bad.push(`${what}: what is typed or the focus: ${nameOf(field)}`);
    };
    const drawn = await count(() => lvlApp.panel.redraw());
    look('redraw');
    if (String(getSelection()) !== text) bad.push('redraw: the selected text');
    if (section().innerHTML !== html) bad.push('redraw: what the page shows is not the same');
    /* What the page shows in the same words after a change in another place is the same element. */
    let changed = 0;
    if (elsewhere) {
      const known = new Map();
      for (const node of all()) if (isControl(node)) known.set(nameOf(node), [...known.get(nameOf(node)) ?? [], node]);
      changed = await count(async () => {
        await lvlApp.edit([elsewhere], 'elsewhere');
        await lvlApp.panel.redraw();
      });
      const now = new Map();
      for (const node of all()) if (isControl(node)) now.set(nameOf(node), [...now.get(nameOf(node)) ?? [], node]);
      for (const [name, nodes] of known)
        if (now.get(name)?.length === nodes.length && nodes.some(node => !node.isConnected)) bad.push(`edit: made anew: ${name}`);
      places.forEach(([node, top]) => {
        if (node.isConnected && node.scrollTop !== top) bad.push(`edit: scrolled from ${top} to ${node.scrollTop}: ${nameOf(node)}`);
      });
      if (field && (document.activeElement !== field || !field.value.endsWith('typed') || field.selectionEnd !== 2))
        bad.push(`edit: what is typed or the focus: ${nameOf(field)}`);
    }
    if (field) {
      field.value = from;
      field.blur(); /* Chromium scrolls to the caret of a field whose value a script sets */
    }
    getSelection().removeAllRanges();
    folds.forEach(fold => { fold.open = true; });
    await rest();
    return {bad, drawn, changed, elements: before.length, controls: before.filter(isControl).length};
  };
  /* Clicks are noted and do nothing else. */
  let clicked = null;
  const note = event => {
    clicked = event.target;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  /* The next control that nothing covers, at most two of a kind, and its place on the screen. */
  const next = from => {
    const controls = all().filter(isControl);
    const kind = node => String([node.tagName, node.type, node.parentElement.tagName, node.parentElement.className,
      node.closest('[id]').id]);
    for (let i = from; i < controls.length; i++) {
      const node = controls[i];
      if (node.tagName === 'SELECT' || controls.filter((one, n) => n < i && kind(one) === kind(node)).length >= 2) continue;
      node.scrollIntoView({block: 'center'});
      const {left, top, width, height} = node.getBoundingClientRect();
      const at = [left + Math.min(width / 2, 30), top + height / 2];
      if (!node.contains(document.elementFromPoint(...at))) continue;
      globalThis.pressed = node;
      clicked = null;
      return {i, at, name: nameOf(node)};
    }
    return null;
  };
  const redrawPressed = async () => {
    lvlApp.panel.state.pressed = null; /* the redraw does not wait for the end of the press */
    await lvlApp.panel.redraw();
  };
  const listen = on => globalThis[on ? 'addEventListener' : 'removeEventListener']('click', note, {capture: true});
  globalThis.redraws = {rest, tryRedraw, next, redrawPressed, listen, count, nameOf,
    arrived: () => pressed.contains(clicked) && pressed.isConnected};
}

async function open(files, show) {
  await page.goto('about:blank');
  await page.goto(pathToFileURL(resolve(pagePath)).href);
  await page.waitForSelector('body.ready');
  const list = Object.entries(files).map(([name, bytes]) => ({name, text: Buffer.from(bytes).toString('base64')}));
  await page.evaluate(async (given, path) => {
    await lvlApp.addFiles(given.map(({name, text}) => ({path: name, file: Uint8Array.from(atob(text), c => c.charCodeAt(0))})), path);
    lvlApp.gallery.hide();
  }, list, show);
  await page.waitForFunction(wanted => lvlApp.path === wanted && lvlApp.doc, {}, show);
  await value(helpers);
}

let [tried, pressedCount] = [0, 0];

/* One page of the panel, as it is now. */
async function tryPage(what, {elsewhere, most} = {}) {
  const {bad, drawn, changed, elements, controls} = await value(change => redraws.tryRedraw(change), elsewhere);
  failures.push(...[...new Set(bad)].map(one => `${what}: ${one}`));
  if (most !== undefined && drawn > most) failures.push(`${what}: a redraw makes ${drawn} elements`);
  tried += controls;
  await value(() => redraws.listen(true));
  const press = (type, [x, y]) => devtools.send('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
  for (let from = 0, found; (found = await value(n => redraws.next(n), from)); from = found.i + 1) {
    await press('mousePressed', found.at);
    await value(() => redraws.redrawPressed());
    await press('mouseReleased', found.at);
    pressedCount++;
    if (!await value(() => redraws.arrived())) failures.push(`${what}: the click is lost: ${found.name}`);
  }
  await value(() => redraws.listen(false));
  if (process.env.TALK)
    console.log(`${what}: ${controls} controls, ${elements} elements; a redraw makes ${drawn}, an edit elsewhere ${changed}`);
}

const tab = async id => {
  await value(name => document.querySelector(`#tab-${name}`).click(), id);
  await value(() => redraws.rest());
};
const pages = ['info', 'view', 'things', 'paint', 'findings', 'changes', 'bytes', 'files'];
const record = path => value(async one => {
  lvlApp.panel.showRecord(one);
  await redraws.rest();
}, path);

async function tryDocument(name, files, show, {elsewhere, records = [], before = {}} = {}) {
  if (!name.includes(only)) return;
  await open(files, show);
  for (const id of pages) {
    await tab(id);
    await before[id]?.();
    if (before[id]) await value(() => redraws.rest());
    await tryPage(`${name}, ${id}`, {elsewhere, most: 0});
  }
  for (const path of records) {
    await record(path);
    await tryPage(`${name}, record "${path}"`, {elsewhere, most: 0});
  }
}

const lakeside = Object.fromEntries(readdirSync(join(samples, 'graal/lakeside')).map(name =>
  [`lakeside/${name}`, sample(`graal/lakeside/${name}`)]));
const type = async (selector, text) => {
  await page.$eval(selector, (input, given) => {
    input.value = given;
    input.dispatchEvent(new Event('input'));
  }, text);
};

try {
  await tryDocument('cliffs.wwd', {'cliffs.wwd': sample('wwd/cliffs.wwd'), 'SAMPLES.REZ': sample('wwd/SAMPLES.REZ')}, 'cliffs.wwd', {
    elsewhere: 'planes[4].objects[0].x+=1', records: ['', 'planes', 'planes[4]', 'planes[4].objects[1]'], before: {
      view: () => value(() => {
        lvlApp.marks.toggle(true);
        lvlApp.map.camera = [640, 480];
      }),
      paint: () => value(() => lvlApp.brush.setTool('brush')),
      changes: () => value(() => lvlApp.edit(['title=Other'], 'title')),
    }});
  await tryDocument('lake_village.nw', {...lakeside, 'pics1.png': sample('graal/pics1.png')}, 'lakeside/lake_village.nw', {
    elsewhere: 'signs[0].x+=1', records: ['', 'npcs', 'npcs[0]', 'links[0]'], before: {
      info: () => page.waitForSelector('#leads button'),
      things: async () => {
        await type('#page-things [type=search]', 'lake');
        await page.waitForSelector('#hits button');
        await value(() => { lvlApp.panel.state.add.kind = 'link'; });
      },
    }});
  /* Of a level with many things, too. */
  const doc = lvl.open(sample('wwd/cliffs.wwd'), 'many.wwd');
  const [{value: thing}] = doc.getAll('planes[4].objects[0]');
  doc.set(Array.from({length: 1500}, (_, i) =>
    `planes[4].objects[+]=${JSON.stringify({...thing, x: 40 * (i % 40), y: 40 * Math.floor(i / 40)})}`));
  const many = doc.save();
  doc.close();
  if ('many.wwd'.includes(only)) {
    await open({'many.wwd': many}, 'many.wwd');
    for (const [id, most] of [['things', 20], ['view', 20], ['info', 80]]) {
      await tab(id);
      const counts = await value(async () => [await redraws.count(() => lvlApp.panel.redraw()), await redraws.count(async () => {
        await lvlApp.edit(['planes[4].objects[0].x+=1'], 'elsewhere');
        await lvlApp.panel.redraw();
      }), lvlApp.doc.scene.things.length]);
      if (process.env.TALK) console.log(`many.wwd, ${id}: elements made by a redraw, by an edit; things: ${counts}`);
      if (counts[0] || counts[1] > most || counts[2] < 1500) failures.push(`many.wwd, ${id}: ${counts}`);
    }
    await record('planes[4].objects');
    const counts = await value(async () => [await redraws.count(() => lvlApp.panel.redraw()),
      document.querySelectorAll('#page-record li').length]);
    if (counts[0] || counts[1] < 1000) failures.push(`many.wwd, record: ${counts}`);
  }
  /* The cards of a gallery: a picture, or another card, comes between the press and its end. */
  if ('gallery'.includes(only)) {
    await open(lakeside, 'lakeside/lakeside.gmap');
    await value(() => lvlApp.gallery.show());
    const isDrawn = () => page.waitForFunction(() => [...document.querySelectorAll('a.level')]
      .find(card => card.textContent.includes('lake_mill'))?.querySelector('img'));
    await isDrawn();
    await page.select('#order', 'title');
    for (const [what, change] of [
      ['its picture is made anew', () => lvlApp.gallery.drawAgain()],
      ['cards come and go before it', async () => {
        const field = document.querySelector('#query');
        for (field.value of ['lake_m', 'lake']) field.oninput();
      }],
    ]) {
      const place = await value(() => {
        globalThis.pressed = [...document.querySelectorAll('a.level')].find(card => card.textContent.includes('lake_mill'));
        const {left, top, width} = pressed.getBoundingClientRect();
        pressed.addEventListener('click', event => {
          event.preventDefault();
          event.stopImmediatePropagation();
          globalThis.clicks++;
        }, {capture: true, once: true});
        globalThis.clicks = 0;
        return [left + width / 2, top + 60];
      });
      await page.mouse.move(...place);
      await page.mouse.down();
      await value(change);
      await isDrawn();
      await page.mouse.move(...await value(() => {
        const {left, top, width} = pressed.getBoundingClientRect();
        return [left + width / 2, top + 60];
      }));
      await page.mouse.up();
      if (await value(() => clicks) !== 1) failures.push(`gallery: the click is lost when ${what}`);
    }
  }
  /* A menu's list takes the end of the press: the redraw does not wait for it. */
  if ('menu'.includes(only)) {
    await open({'cliffs.wwd': sample('wwd/cliffs.wwd')}, 'cliffs.wwd');
    await tab('view');
    for (const end of ['change', 'pointermove']) {
      const drawn = await value(async type => {
        let isDrawn = false;
        const menu = document.querySelector('#page-view select');
        menu.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
        lvlApp.panel.redraw().then(() => { isDrawn = true; });
        await new Promise(done => { setTimeout(done, 20); });
        const before = isDrawn;
        menu.dispatchEvent(type === 'change' ? new Event(type, {bubbles: true}) : new PointerEvent(type, {bubbles: true}));
        await new Promise(done => { setTimeout(done, 20); });
        return [before, isDrawn];
      }, end);
      if (String(drawn) !== 'false,true') failures.push(`menu, ${end}: drawn before it, after it: ${drawn}`);
    }
  }
  await tryDocument('lantern.doodad', {'lantern.doodad': sample('sketchy/lantern.doodad')}, 'lantern.doodad',
    {elsewhere: 'hitbox.x+=1', records: ['', 'swatches', 'swatches[0]']});
  await tryDocument('walk.levelpack', {'walk.levelpack': sample('sketchy/walk.levelpack')}, 'walk.levelpack', {records: ['']});
  await tryDocument('hero_walk.gani', {'hero_walk.gani': sample('graal/ganis/hero_walk.gani'), 'sprites.png': sample('graal/sprites.png')},
    'hero_walk.gani', {elsewhere: 'sprites[1].width+=1', records: ['', 'sprites[0]'], before: {view: () => value(() => lvlApp.panel.pause())}});
  await tryDocument('stale-chests.graal', {'stale-chests.graal': sample('graal/damaged/stale-chests.graal')}, 'stale-chests.graal', {
    records: [''], before: {changes: async () => {
      await value(() => [...document.querySelectorAll('#page-changes button')]
        .find(one => one.textContent.startsWith('Show what')).click());
      await page.waitForSelector('#page-changes button.primary');
    }}});
  assert.deepEqual(errors, []);
  if (failures.length) console.error(failures.join('\n'));
  assert.equal(failures.length, 0, `${failures.length} failures`);
  console.log(`redraws: ${tried} controls of the panel's pages stay, ${pressedCount} get their clicks`);
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true, force: true});
}
