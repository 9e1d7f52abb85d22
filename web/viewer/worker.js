/*
 * The worker: has the module, the files and the open documents. Each message names a function of `methods`. A document
 * always corresponds to its bytes: an edit is made, saved and read again, so findings and the explanation of bytes
 * describe what would be saved.
 */
import {FileSet, load} from '../lvl.js';
import {partsOfLine} from './cards.js';
import {sceneChange} from './scenes.js';
import {fieldWith, namesWith} from './tables.js';

/* Bytes of files that stay in memory: a map of a world reads its levels for each of its pictures. */
const mostKept = 64e6;
const isWhole = verdict => verdict === 'sound' || verdict === 'faulty';

let lvl;
let files = new FileSet();
let zips = new Map(); /* folder in `files` of an unpacked zip: {path, zip, within}; `within`: the folder of the zip that it is in */
let unreadable = new Map(); /* path: why the browser could not read it */
let roots = []; /* folders of art, searched before those of the files */
let art = [];
/* a: the open document; b: the one that it is compared with; p: a with changes that are not read again yet; spare: a
 * once more, for the next changes. */
const docs = {};
let picture = null; /* of a, if it is a picture and no level */
let artFiles; /* the files with which a was opened */
let current; /* bytes of a */
let dump; /* the dump of a, parsed on demand */
let damage = []; /* findings about a in its archive */
let box = null; /* {path, doc}: the archive that was opened last, for its members */
let sceneText; /* of a, once it is known */
let card = null; /* the document of the last card: others of its folder use its art */

const isPicture = /\.(png|gif|jpe?g|bmp|pid|pcx|mng)$/i;
const isSound = /\.(wav|mp3|ogg)$/i;
/* Folders of the games: what they are in is searched as if it were the game's own folder or archive. */
const ofGame = /^(level\d+|area\d+|dungeon\d+|game|claw|gruntz|ganis?|doodads)$/i;
const mostRoots = 64;
const mostZips = 200; /* in zips, */
const zipDepth = 4; /* so deep */
let parts = []; /* files that were given before the rest of them */
let used = new Set(); /* files that were read since they were given */

/* Files that note what was read. */
class NotedFiles extends FileSet {
  read(path) {
    used.add(path);
    return super.read(path);
  }
}

/* For a member of an archive: the path of the archive, and its path in it. null: it is no member. */
function memberOf(path) {
  const parts = path.split('/');
  for (let n = parts.length - 1; n > 0 && files.kind(path) !== 'file'; n--) {
    const archive = parts.slice(0, n).join('/');
    if (files.kind(archive) === 'file') return {archive, member: parts.slice(n).join('/')};
  }
  return null;
}

function bytesOf(file) {
  return file instanceof Blob ? new Uint8Array(new FileReaderSync().readAsArrayBuffer(file)) : file;
}

function rootOf(path) {
  const file = memberOf(path)?.archive ?? path;
  let zip = zipOf(file);
  while (zip?.within) zip = zips.get(zip.within);
  return zip ? zip.path : file;
}

/* The zip that a file is in: the innermost one; undefined: none. */
function zipOf(path) {
  const [, zip] = [...zips].filter(([folder]) => path.startsWith(`${folder}/`)).sort((a, b) => b[0].length - a[0].length)[0] ?? [];
  return zip;
}

/* Adds what is in a zip, and in zips in it, as files below a folder of its name. Fails with an error. */
function addZip(path, bytes, within, depth = 1) {
  const zip = lvl.unzip(bytes);
  const folder = path.slice(0, -4);
  zips.set(folder, {path, folder, zip, within});
  for (const inner of zip) {
    const at = `${folder}/${inner}`;
    const read = () => {
      try {
        return zip.read(inner);
      } catch (error) {
        unreadable.set(at, error.message);
        return undefined;
      }
    };
    files.add(at, read);
    if (!/\.zip$/i.test(inner) || depth >= zipDepth || zips.size >= mostZips) continue;
    try {
      addZip(at, read(), folder, depth + 1);
    } catch {
      /* It stays a file. */
    }
  }
}

/*
 * Where pictures and sounds are looked for: archives, the folders that those of a game are in, and other folders with some. What is
 * below another root is none of its own, so the deeper ones come first.
 */
function rootsAmong(paths) {
  const folders = new Set();
  const loose = new Set(['']);
  const packs = [];
  for (const path of paths) {
    if (/\.(rez|vrz)$/i.test(path)) packs.push(path);
    const parts = path.split('/').slice(0, -1);
    const marked = parts.map((part, i) => (ofGame.test(part) ? i : -1)).filter(i => i >= 0);
    for (const at of marked) if (folders.size < mostRoots) folders.add(parts.slice(0, at).join('/'));
    if (!marked.length && (isPicture.test(path) || isSound.test(path)) && loose.size < 20) loose.add(parts.join('/'));
  }
  const depth = path => (path ? path.split('/').length : 0);
  return [...packs, ...new Set([...[...folders].sort((a, b) => depth(b) - depth(a)), ...loose])];
}

function bytesAt(path, of) {
  const bytes = of ? null : files.read(path);
  if (bytes) return bytes;
  if (!of) throw new Error(unreadable.has(path) ? `${path} could not be read: ${unreadable.get(path)}`
    : `${path} is not among the files`);
  const {bytes: content, findings} = archiveAt(of.archive).member(of.member);
  return Object.assign(content, {damage: findings});
}

function archiveAt(path) {
  if (box?.path !== path) {
    closeKept();
    box = {path, doc: lvl.open(files.read(path), path, {files})};
  }
  return box.doc;
}

/* When files change, what was opened of them does not stay. */
function closeKept() {
  box?.doc.close();
  card?.close();
  box = card = null;
}

/* The document, and the bytes from which it was read, which are what would be saved. */
function openDoc(path, given) {
  const of = memberOf(path);
  const bytes = given ?? bytesAt(path, of);
  /* Of another state of the open document, the art that is loaded stays. */
  const artOf = docs.a?.name === path && artFiles === files ? docs.a : undefined;
  const doc = lvl.open(bytes, path, {files, art: of ? [of.archive, ...art] : [...art], artOf});
  return {doc, bytes, damage: bytes.damage ?? []};
}

/* Reading the document once more is done before there is a change. */
function prepare() {
  clearTimeout(prepare.timer);
  if (docs.spare || !docs.a?.can.includes('write')) return;
  prepare.timer = setTimeout(() => {
    try {
      docs.spare ??= openDoc(docs.a.name, current).doc;
      if (docs.a.can.includes('render')) sceneText ??= docs.a.sceneText();
    } catch {
      /* The change says why. */
    }
  }, 60);
}

/*
 * The scene of a changed state of a: {scene}, or if little differs from that of a, what does: {sceneChange}; and its
 * text.
 */
function sceneSince(doc) {
  if (picture || !doc.can.includes('render')) return {scene: picture ? null : sceneOf(doc)};
  try {
    sceneText ??= docs.a.sceneText();
    const text = doc.sceneText();
    const change = sceneChange(sceneText, text);
    return change ? {sceneChange: change, text} : {scene: sceneOf(doc), text};
  } catch {
    return {scene: sceneOf(doc)};
  }
}

/* Puts an opened document into a slot. */
function show({doc, bytes, damage: found}, slot) {
  forget(slot);
  docs[slot] = doc;
  if (slot !== 'a') return;
  forget('p', 'spare');
  dump = sceneText = undefined;
  current = bytes;
  damage = found;
  artFiles = files;
}

/*
 * Changes a document: `resize` {width, height, plane, anchor}, `moves` [{things, by: px}], `paste` [{things, to, index, by: px, place}] (things of
 * the level `clip` {name, bytes}, or of the open one; the list that they come into, at its end or before an item; and what their fields are
 * then: [{field, value}], or rounded: [{field, step}]), `set`, `unset`. Returns findings, and paths of what was pasted.
 */
function change(doc, {set = [], unset = [], resize, moves = [], paste = [], clip}) {
  const findings = [];
  const made = [];
  /* The page shows what is beside the level. */
  const outside = true;
  if (paste.length) {
    const from = clip ? lvl.open(clip.bytes, clip.name, {files}) : docs.a;
    try {
      for (const {things, to, index, by, place = []} of paste) {
        const first = index ?? itemsOf(doc, to)[0]?.value.length ?? 0;
        findings.push(...doc.copy(from, things, index === undefined ? to : `${to}[+${index}]`, {by, outside}).findings);
        const own = things.map((_, i) => `${to}[${first + i}]`);
        const exact = own.flatMap(at => place.flatMap(({field, step, value}) => {
          const now = doc.getAll(`${at}.${field}`)[0].value;
          const wanted = value ?? Math.round(now / step) * step;
          return wanted === now ? [] : [`${at}.${field}=${wanted}`];
        }));
        if (exact.length) doc.set(exact);
        made.push(...own);
      }
    } finally {
      if (clip) from.close();
    }
  }
  const each = moves.flatMap(({things, by}) => things.map(path => [path, ...by]));
  if (each.length) findings.push(...doc.moveEach(each, {outside}).findings);
  if (set.length) doc.set(set);
  if (unset.length) doc.unset(...unset);
  if (resize) findings.push(...doc.resize(resize.width, resize.height, resize).findings);
  return {findings, made};
}

/* Drops everything of a state that is no longer shown. */
function forget(...slots) {
  for (const slot of slots) {
    docs[slot]?.close();
    delete docs[slot];
  }
}

/* A picture file of a game is drawn as it is. */
async function pictureOf(doc) {
  picture?.close();
  picture = null;
  if (!['pid', 'pcx', 'bmp'].includes(doc.format)) return null;
  try {
    picture = await createImageBitmap(new Blob([doc.png()]));
  } catch (error) {
    return {error: error.message};
  }
  const {width, height} = picture;
  return {title: '', width, height, bounds: null, start: [0, 0], zero: [0, 0], free_camera: false,
    has_art: true, files: 0,
    missing_files: 0, missing_tiles: 0, missing_things: 0, layers: [], things: [], arrows: [], links: []};
}

function partOfPicture({region = [0, 0, picture.width, picture.height], size, scale = 1}) {
  const [x, y, width, height] = region;
  if (size) scale = size / Math.max(width, height);
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  canvas.getContext('2d').drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function sceneOf(doc) {
  if (!doc.can.includes('render')) return null;
  try {
    return doc.scene();
  } catch (error) {
    return {error: error.message};
  }
}

function animationOf(doc) {
  try {
    return ['gani', 'sketchy'].includes(doc.format) ? doc.animation() : null;
  } catch {
    return null;
  }
}

function membersOf(doc) {
  try {
    return doc.can.includes('extract') ? doc.members().filter(m => !m.folder) : [];
  } catch {
    return [];
  }
}

const held = new Map(); /* what holds() found, by format and version */

/*
 * What the version of a document can hold: `absent`, the lists of things that it does not have, and `whole`, the tables
 * whose places are whole numbers, which only writing shows.
 */
function holds(doc, bytes) {
  const {tables} = lvl.formats().find(f => f.id === doc.format);
  const lists = Object.values(tables)[0].fields.filter(f => f.table && f.roles?.includes('objects'));
  const {fields} = Object.values(tables)[0];
  const tagOf = ({field}) => {
    const [found] = doc.getAll(field);
    return fields.find(f => f.name === field).names?.find(one => one.name === found?.value)?.value ?? found?.value;
  };
  const key = JSON.stringify([doc.format, ...lists.filter(f => f.when).map(f => tagOf(f.when))]);
  if (held.has(key)) return held.get(key);
  const absent = lists.filter(f => f.when && !f.when.values.includes(tagOf(f.when))).map(f => f.name);
  const canHold = (list, name, value) => {
    const other = lvl.open(bytes, doc.name);
    try {
      other.set([itemsOf(other, `${list}[0]`).length ? `${list}[0].${name}=${value}` : `${list}[+]={"${name}":${value}}`]);
      other.save();
      return true;
    } catch {
      return false;
    } finally {
      other.close();
    }
  };
  const isWhole = ({name, table}) => {
    const x = fieldWith(tables[table], 'x');
    return x?.kind === 'real' && !absent.includes(name) && !canHold(name, x.name, 0.5) && canHold(name, x.name, 1);
  };
  const found = {absent, whole: doc.can.includes('write') ? lists.filter(isWhole).map(f => f.table) : []};
  held.set(key, found);
  return found;
}

/* `since`: what sceneSince found, if the page has the scene of the state before. */
async function summary({doc, bytes, damage: found}, slot, since) {
  const {scene, sceneChange: change} = since ?? {scene: (slot === 'a' && await pictureOf(doc)) || sceneOf(doc)};
  return {bytes, name: doc.name, format: doc.format, kind: doc.format === 'sketchy' ? doc.getAll('kind')[0]?.value : undefined,
    can: doc.can, ...slot === 'a' && holds(doc, bytes), scene, sceneChange: change, info: doc.infoText(),
    findings: [...found, ...doc.findings], members: membersOf(doc), animation: animationOf(doc)};
}

function wholeDump() {
  dump ??= docs.a.dump({kept: false}).doc;
  return dump;
}

/* Texts in the document that contain the search text. */
function* textsWith(value, path, needle) {
  if (typeof value === 'string') {
    const at = value.toLowerCase().indexOf(needle);
    if (at >= 0) yield {path, text: value.slice(Math.max(0, at - 30), at + 90)};
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* textsWith(item, `${path}[${i}]`, needle);
  } else if (value && typeof value === 'object' && !(value.width && value.rows)) {
    for (const [name, item] of Object.entries(value)) yield* textsWith(item, path ? `${path}.${name}` : name,
      needle);
  }
}

/* A tile of the compared document, whose picture may have another size. */
function otherTile(doc, {region: [x, y, width, height], ...options}) {
  const scale = options.size ? options.size / Math.max(width, height) : options.scale;
  const scene = doc.scene();
  const [left, top, w, ht] = scene.bounds ?? [0, 0, scene.width, scene.height];
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  const context = canvas.getContext('2d');
  const region = [Math.max(x, left), Math.max(y, top), 0, 0];
  region[2] = Math.min(x + width, left + w) - region[0];
  region[3] = Math.min(y + height, top + ht) - region[1];
  if (region[2] > 0 && region[3] > 0) {
    if (options.size) options.size = Math.ceil(Math.max(region[2], region[3]) * scale);
    const {data, width: pw, height: ph} = doc.render({...options, region});
    context.putImageData(new ImageData(data, pw, ph), Math.round((region[0] - x) * scale),
      Math.round((region[1] - y) * scale));
  }
  return canvas.transferToImageBitmap();
}

/* What a path matches; nothing if nothing does. */
function itemsOf(doc, path) {
  return doc.getAll(path);
}

function itemsOfFile(path, wanted) {
  let doc;
  try {
    doc = lvl.open(files.read(path), path);
    return doc.format === docs.a.format ? itemsOf(doc, wanted) : [];
  } catch {
    return []; /* a damaged file has nothing to learn from */
  } finally {
    doc?.close();
  }
}

/*
 * The values of the item that is most like the others. Places and sizes are left out unless most have the same: those
 * of one item are about its own place.
 */
function usualOf(items, field, but) {
  const {tables} = lvl.formats().find(f => f.id === docs.a.format);
  const names = Object.keys(items[0] ?? {});
  const table = Object.values(tables).find(t => names.every(name => t.fields.some(f => f.name === name)));
  const fields = table.fields.filter(({name, kind, role, lines: isScript}) => names.includes(name)
    && name !== field && !but.includes(name) && kind !== 'list' && !isScript && role === 'value');
  const scores = items.map(() => 0);
  const places = {};
  for (const {name, kind, unit} of fields) {
    const texts = items.map(item => JSON.stringify(item[name]));
    const counts = new Map();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    if (kind !== 'record' && unit !== 'px' && unit !== 'tiles') {
      texts.forEach((text, i) => { scores[i] += counts.get(text); });
      continue;
    }
    const same = texts.find(text => counts.get(text) * 2 > items.length);
    places[name] = items.length > 1 && same ? JSON.parse(same) : undefined;
  }
  const best = items[scores.indexOf(Math.max(...scores))] ?? {};
  return Object.fromEntries(fields.map(({name}) => [name, name in places ? places[name] : best[name]])
    .filter(([, value]) => value !== undefined));
}

/* The value of `run` for a file that is opened without art; undefined: it cannot be read. */
function inFile(path, changed, run) {
  if (path === docs.a.name) return run(docs.a);
  let doc;
  try {
    doc = lvl.open(changed ?? bytesAt(path, memberOf(path)), path);
    return run(doc);
  } catch {
    return undefined;
  } finally {
    doc?.close();
  }
}

/* The paths of all lists of records that have a field ("planes[*].objects"), with the tables of their items. */
function* listsWith(tables, table, field, above = '') {
  for (const {name, kind, table: inner} of table.fields) {
    if (!inner || (kind !== 'list' && kind !== 'record') || above.split('.').length > 4) continue;
    const path = above + name;
    if (kind === 'list' && tables[inner].fields.some(f => f.name === field.split('.')[0])) yield [path, tables[inner]];
    yield* listsWith(tables, tables[inner], field, `${path}${kind === 'list' ? '[*]' : ''}.`);
  }
}

function placeOf(table, item) {
  const place = namesWith(table, 'x', 'y')?.map(name => item?.[name]);
  return place?.every(v => typeof v === 'number') ? place : undefined;
}

function findIn(doc, {text, kind, field, op, value}) {
  if (kind !== undefined) {
    if (!doc.can.includes('render')) return [];
    return doc.scene().things.filter(thing => thing.kind === kind && thing.path)
      .map(thing => ({path: thing.path, text: thing.label || thing.kind}));
  }
  if (field === undefined) {
    const root = doc === docs.a ? wholeDump() : doc.dump({kept: false}).doc;
    return [...textsWith(root, '', text.toLowerCase())];
  }
  const {tables} = lvl.formats().find(f => f.id === doc.format);
  const root = Object.values(tables)[0];
  const hits = [];
  for (const [list, table] of listsWith(tables, root, field)) {
    let items;
    try {
      items = itemsOf(doc, `${list}[${field}${op}${JSON.stringify(value)}]`);
    } catch {
      continue; /* the field has no such value in this list */
    }
    for (const {path, value: item} of items) {
      const own = field.split('.').reduce((at, name) => at?.[name], item);
      hits.push({path: `${path}.${field}`, text: String(own ?? '').slice(0, 120), at: placeOf(table, item)});
    }
  }
  return hits;
}

/* Replaces the value at a path, or the text in it. A line of a script is replaced with the whole script. */
function replaceAt(doc, place, {text, op, value}, to) {
  let path = place;
  let [found] = doc.getAll(path);
  if (found === undefined) return;
  const line = /^(.*)\[\d+\]$/.exec(path);
  if (line && typeof found.value === 'string' && typeof itemsOf(doc, line[1])[0]?.value === 'string') {
    [, path] = line;
    [found] = doc.getAll(path);
  }
  if (op && op !== '~') {
    doc.set([`${path}=${typeof found.value === 'string' ? JSON.stringify(to) : to}`]);
    return;
  }
  const wanted = (text ?? value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  doc.set([`${path}=${JSON.stringify(String(found.value).replace(new RegExp(wanted, 'gi'), () => to))}`]);
}

const methods = {
  async start(module, texts, given) {
    roots = given;
    /* During an update, a server or a cache may have those of another version. */
    const explained = texts && await load(module, texts).catch(() => null);
    lvl = explained || await load(module);
    return {version: lvl.version, formats: lvl.formats(), kinds: lvl.findingKinds(), hasTexts: Boolean(explained)};
  },

  /* Browsers compile a function when it is first called: this moves that time before the first level. */
  warm() {
    const row = y => `BOARD 0 ${y} 64 0 ${'AABACADA'.repeat(16)}\n`;
    const text = `GLEVNW01\n${Array.from({length: 64}, (_, y) => row(y)).join('')}`;
    const doc = lvl.open(new TextEncoder().encode(text), 'warm.nw');
    try {
      doc.scene();
      doc.infoText();
      for (const scale of [1, 1 / 2, 1 / 4, 1 / 8]) doc.render({scale, region: [0, 0, 512, 512]});
    } finally {
      doc.close();
    }
  },

  /* The paths in a zip, and in zips in it. */
  inside(file) {
    const within = (bytes, depth) => {
      const zip = lvl.unzip(bytes);
      return [...zip].flatMap(path => {
        if (!/\.zip$/i.test(path) || depth >= zipDepth) return [path];
        try {
          return [path, ...within(zip.read(path), depth + 1).map(inner => `${path.slice(0, -4)}/${inner}`)];
        } catch {
          return [path];
        }
      });
    };
    return within(bytesOf(file), 1);
  },

  /* How many pictures among these files were read since the files were given. */
  usedOf(groups) {
    return [...used].filter(path => isPicture.test(path) && groups.some(group => path === group || path.startsWith(`${group}/`))).length;
  },

  /*
   * The files around the levels: paths and File objects, or bytes. A zip is unpacked into a folder of its name.
   * `edits`: the present bytes of files with changes. Returns the paths, and in `bad` the files that cannot be read.
   */
  /* A part of the files, before the rest comes with `files`. */
  filesPart(list, isFirst) {
    if (isFirst) parts = [];
    parts.push(...list);
  },

  files(last, edits = [], more = false) {
    const list = more ? [...parts, ...last] : last;
    const bad = [];
    parts = [];
    closeKept();
    files = new NotedFiles();
    used = new Set();
    zips = new Map();
    unreadable = new Map();
    let left = mostKept;
    for (const {path, file} of list) {
      let kept;
      const read = () => {
        if (kept) return kept;
        try {
          const bytes = bytesOf(file);
          if (bytes.length <= left) {
            left -= bytes.length;
            kept = bytes;
          }
          return bytes;
        } catch (error) {
          unreadable.set(path, error.message);
          return undefined;
        }
      };
      if (!/\.zip$/i.test(path)) {
        files.add(path, read);
        continue;
      }
      try {
        addZip(path, bytesOf(file));
      } catch (error) {
        bad.push({path, reason: error.message});
      }
    }
    const paths = [...files];
    art = [...roots, ...rootsAmong(paths)];
    for (const [path, bytes] of edits) if (files.kind(path) === 'file') files.add(path, bytes);
    return {paths, bad};
  },

  /* The paths of the members of these packs and archives. */
  insidePacks(paths) {
    return paths.flatMap(path => {
      try {
        return archiveAt(path).members().filter(m => !m.folder).map(m => `${path}/${m.path}`);
      } catch {
        return []; /* opening it says why */
      }
    });
  },

  /*
   * What the card of a level shows: {line, bytes, verdict, picture}; `bytes`: after edits. Levels of one folder use the
   * same art.
   */
  async card(path, given, wantsPicture) {
    const of = memberOf(path);
    const bytes = given ?? bytesAt(path, of);
    const folder = name => name.slice(0, name.lastIndexOf('/') + 1);
    const artOf = card && folder(card.name) === folder(path) ? card : undefined;
    const doc = lvl.open(bytes, path, {files, art: of ? [of.archive, ...art] : [...art], artOf, verdict: true});
    card?.close();
    card = doc;
    const {verdict} = doc;
    const known = {bytes: bytes.length, verdict: bytes.damage?.length && isWhole(verdict) ? 'damaged' : verdict,
      ...partsOfLine(doc.infoText({summary: true}))};
    if (!wantsPicture || !doc.can.includes('render')) return known;
    try {
      const directions = animationOf(doc)?.directions ?? 0;
      const {data, width, height} = doc.render({size: 256, ...directions > 2 && {direction: 2}});
      const canvas = new OffscreenCanvas(width, height);
      canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
      known.picture = await canvas.convertToBlob();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
    }
    return known;
  },

  /* The map of a world that has most of its levels among the files; undefined: none has any. */
  largestMap(maps, paths) {
    const names = new Set(paths.map(path => path.split('/').pop().toLowerCase()));
    let [best, most] = [undefined, 0];
    for (const path of maps) {
      try {
        const doc = lvl.open(files.read(path), path);
        const found = new Set(doc.dumpText().match(/[^"\\/\s,]+\.(nw|graal|zelda)\b/gi) ?? []);
        doc.close();
        const present = [...found].filter(name => names.has(name.toLowerCase())).length;
        if (present > most) [best, most] = [path, present];
      } catch {
        /* It is opened last, and then says why it cannot be read. */
      }
    }
    return best;
  },

  /* With `bytes`: the file after edits; other levels of its world see them, too. */
  /* `follow`: paths of a, each mapped to the path of the same item in what is opened now. */
  /* `since`: a is another state of the same file, and the page has its scene. */
  async open(path, bytes, slot = 'a', follow = [], since = false) {
    if (bytes && slot === 'a' && files.kind(path) === 'file') files.add(path, bytes);
    const opened = openDoc(path, bytes);
    const paths = follow.length ? opened.doc.follow(follow, docs.a) : [];
    const followed = Object.fromEntries(follow.map((one, i) => [one, paths[i]]));
    const found = since && !picture ? sceneSince(opened.doc) : undefined;
    show(opened, slot);
    if (found) sceneText = found.text;
    const result = await summary(opened, slot, found);
    result.followed = followed;
    return result;
  },

  /* The bytes of a new level; `like`: with the planes and settings of the open one. */
  create({format, form, extension, width, height, like}) {
    return lvl.create(format, {form, extension, width, height, like: like ? docs.a : undefined});
  },

  closeOther() {
    docs.b?.close();
    docs.b = undefined;
  },

  async tile({slot = 'a', ...options}) {
    if (options.size) delete options.scale;
    if (slot === 'b') return otherTile(docs.b, options);
    if (picture) return partOfPicture(options).transferToImageBitmap();
    const {data, width, height} = (docs.p ?? docs.a).render(options);
    return createImageBitmap(new ImageData(data, width, height));
  },

  async png(options) {
    if (picture) return partOfPicture({}).convertToBlob({type: 'image/png'});
    const {data, width, height} = docs.a.render(options);
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
    return canvas.convertToBlob({type: 'image/png'});
  },

  scene(options) {
    return docs.a.scene(options);
  },

  async tiles(options) {
    prepare();
    const {data, width, height} = docs.a.tiles(options);
    return createImageBitmap(new ImageData(data, width, height));
  },

  cell(layer, column, row) {
    return docs.a.cell(layer, column, row);
  },

  /* Places where the open document differs from the compared one, in px of the open one. */
  changedPlaces() {
    return docs.b.changedPlaces(docs.a);
  },

  memory() {
    return lvl.memoryBytes;
  },

  check() {
    const result = docs.a.check({roundtrip: true});
    if (!damage.length) return result;
    return {...result, verdict: isWhole(result.verdict) ? 'damaged' : result.verdict,
      findings: [...damage, ...result.findings]};
  },

  /* The value at a path, or the whole document. */
  get(path) {
    prepare();
    return path === '' ? wholeDump() : docs.a.getAll(path)[0]?.value;
  },

  /*
   * The values of a field in the items of a list, the most frequent first, and the endings of those that name
   * files.
   */
  valuesOf(list, field, most = 300) {
    const counts = new Map();
    for (const {value} of itemsOf(docs.a, `${list}[*].${field}`))
      if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
    const values = [...counts].sort((a, b) => b[1] - a[1]).slice(0, most).map(([value]) => value);
    return {values, endings: [...new Set(values.map(v => /\.(\w{1,9})$/.exec(v)?.[1]).filter(Boolean))]};
  },

  /*
   * For a new item of a list: how many there are, and the usual values of those whose `field` is `value`, in this
   * document, or if it has none in another level among the files. Not the fields `but`, lists and scripts.
   */
  usual(list, field, value, but) {
    prepare();
    const count = itemsOf(docs.a, list)[0]?.value.length ?? 0;
    const which = value === undefined || !field ? '*' : `${field}=${JSON.stringify(value)}`;
    let items = itemsOf(docs.a, `${list}[${which}]`);
    const ending = docs.a.name.slice(docs.a.name.lastIndexOf('.'));
    const others = items.length ? []
      : [...files].filter(path => path !== docs.a.name && path.endsWith(ending)).slice(0, 30);
    for (const path of others) {
      if (items.length) break;
      items = itemsOfFile(path, `${list.replace(/\[\d+\]/g, '[*]')}[${which}]`);
    }
    return {count, item: items.length ? usualOf(items.map(one => one.value), field, but) : {}};
  },

  /*
   * What a query (search.js) finds in these files, of which some have changed bytes: [{file, path, text, at}]; `at`: its
   * place in tiles, if it has one.
   */
  find(paths, edits, query) {
    const changed = new Map(edits);
    return paths.flatMap(path => inFile(path, changed.get(path), doc => findIn(doc, query).map(hit => ({...hit, file: path}))) ?? []);
  },

  /* Replaces what was found at these paths, in the file or in these bytes of it. */
  replace(path, bytes, places, query, to) {
    const {doc, bytes: before} = openDoc(path, bytes);
    try {
      for (const place of places) replaceAt(doc, place, query, to);
      const after = doc.save();
      if (files.kind(path) === 'file') files.add(path, after);
      return {bytes: after, before};
    } finally {
      doc.close();
    }
  },

  /* Links in these files that lead to a file of this name. */
  leadsTo(paths, edits, name) {
    const changed = new Map(edits);
    const wanted = name.toLowerCase();
    return paths.flatMap(path => inFile(path, changed.get(path), doc => (doc.can.includes('render') ? doc.scene().links : [])
      .filter(({target}) => target.split(/[\\/]/).pop().toLowerCase() === wanted)
      .map(({path: at, way}) => ({file: path, path: at, way}))) ?? []);
  },

  /*
   * Makes changes: from now on pictures show them. They are kept by `commit`, or given up by `revert`; after an error
   * the document is unchanged. `changes`: as for `change`.
   */
  preview(changes) {
    const {name} = docs.a;
    forget('p');
    const doc = docs.spare ?? openDoc(name, current).doc;
    delete docs.spare;
    let found = {};
    try {
      found = change(doc, changes);
      docs.p = doc;
      /* Passing on a scene with thousands of things takes longer than drawing what changed. */
      const {scene, sceneChange: differs} = sceneSince(doc);
      return {...found, scene, sceneChange: differs};
    } catch (error) {
      doc.close();
      docs.p = undefined;
      prepare();
      throw error;
    }
  },

  /* The bytes of a sound that the level names so. */
  sound(name) {
    return docs.a.sound(name);
  },

  /* What these paths find. */
  copy(paths) {
    return paths.map(path => docs.a.getAll(path)[0]?.value);
  },

  revert() {
    forget('p');
    prepare();
  },

  /* The paths in a of what these paths name in an earlier state of it. */
  follow(path, bytes, follow) {
    const {doc} = openDoc(path, bytes);
    try {
      const paths = docs.a.follow(follow, doc);
      return Object.fromEntries(follow.map((one, i) => [one, paths[i]]));
    } finally {
      doc.close();
    }
  },

  /* Writes the changes of `preview` and reads the result. `follow`: as for open; `made`: paths of what they made. */
  async commit(follow = [], made = []) {
    const {p} = docs;
    try {
      const opened = openDoc(docs.a.name, p.save());
      if (files.kind(docs.a.name) === 'file') files.add(docs.a.name, opened.bytes);
      const paths = follow.length ? opened.doc.follow(follow, docs.a) : [];
      const news = made.length ? opened.doc.follow(made, p) : [];
      const since = picture ? undefined : sceneSince(opened.doc);
      show(opened, 'a');
      sceneText = since?.text;
      const result = await summary(opened, 'a', since);
      result.followed = Object.fromEntries(follow.map((one, i) => [one, paths[i]]));
      result.made = news.filter(Boolean);
      return result;
    } finally {
      forget('p');
      prepare();
    }
  },

  /*
   * The differences from these bytes, or from the compared document, to the open one; or from it to `result`.
   */
  diff(original, result) {
    const open = bytes => lvl.open(bytes, docs.a.name, {files});
    const from = original ? open(original) : result ? docs.a : docs.b;
    const to = result ? open(result) : docs.a;
    try {
      const text = from.diffText(to).replace(/^---.*\n\+\+\+.*\n/, '');
      return {text, different: from.diff(to, {summary: true}).different};
    } finally {
      for (const doc of [from, to]) if (doc !== docs.a && doc !== docs.b) doc.close();
    }
  },

  /* The path of the file on the disk that contains this one: itself, its archive, or its zip. */
  root(path) {
    return rootOf(path);
  },

  /* That file with all these edits ([path, bytes]) that belong to it; `saved`: their paths. */
  whole(path, edits) {
    const root = rootOf(path);
    const mine = edits.filter(([edited]) => rootOf(edited) === root);
    const changed = new Map(mine.filter(([edited]) => !memberOf(edited)));
    const members = mine.map(([edited, bytes]) => ({...memberOf(edited), bytes})).filter(one => one.archive);
    for (const path of new Set(members.map(one => one.archive))) {
      const archive = lvl.open(changed.get(path) ?? files.read(path), path, {files});
      try {
        for (const {member, bytes} of members.filter(one => one.archive === path)) archive.putMember(member, bytes);
        changed.set(path, archive.save());
      } finally {
        archive.close();
      }
      files.add(path, changed.get(path));
      closeKept();
    }
    const saved = mine.map(([edited]) => edited);
    /* Zips in zips are written from the inside to the outside. */
    const isOf = one => one.path === root || rootOf(one.folder) === root;
    for (const one of [...zips.values()].filter(isOf).sort((a, b) => b.folder.length - a.folder.length)) {
      const own = [...changed].filter(([edited]) => zipOf(edited) === one);
      if (!own.length) continue;
      const bytes = one.zip.save(new Map(own.map(([edited, content]) => [edited.slice(one.folder.length + 1), content])));
      one.zip = lvl.unzip(bytes);
      changed.set(one.path, bytes);
    }
    return {path: root, bytes: changed.get(root) ?? bytesAt(root, null), saved};
  },

  repair() {
    const {bytes, findings} = docs.a.repair();
    return {bytes, findings};
  },

  convert(form, allowLoss) {
    return docs.a.convert(form, {allowLoss});
  },

  explain(options) {
    return docs.a.explain(options);
  },

  /* The streams in the file; with `id`, the inflated bytes of one. */
  spaces() {
    return docs.a.spaces();
  },

  space(id) {
    return docs.a.space(id);
  },

  /* For tests: keeps the worker busy, as a level that is slow to read does. */
  spin() {
    for (;;);
  },
};

onmessage = async ({data: {id, method, args}}) => {
  try {
    const value = await methods[method](...args);
    postMessage({id, value}, value instanceof ImageBitmap ? [value] : []);
  } catch (error) {
    postMessage({id, error: {message: String(error.message ?? error), status: error.status,
      findings: error.findings, trap: error instanceof WebAssembly.RuntimeError}});
  }
};
