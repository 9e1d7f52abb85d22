/*
 * The WebAssembly build beside the command: the same info, check, dump, explain and diff, the same pixels, and the
 * same files from edits, convert and repair, of each file in a folder.
 * Usage: compare.mjs LVL FOLDER NAME [EVERY]; with EVERY only each n-th file is taken, and of the forms that it can be
 * converted to only one; without, all of them.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync, readdirSync, realpathSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {LvlError, load} from '../../web/lvl.js';
import {pixels} from './png.mjs';

const [command, folder, title, every = '1'] = process.argv.slice(2);
const lvl = await load();
const extensions = new Set(lvl.formats().flatMap(f => f.extensions));
const counts = {files: 0, info: 0, check: 0, dump: 0, explain: 0, render: 0, diff: 0, edit: 0, convert: 0, repair: 0, packed: 0,
  refused: 0};

function native(file, verb, ...options) {
  return spawnSync(command, [verb, file, ...options],
    {maxBuffer: 1 << 30, env: {...process.env, LVL_ART: ''}});
}

/* The real files, so that both find the same art. */
const disk = {
  kind(path) {
    const found = statSync(path, {throwIfNoEntry: false});
    return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : undefined;
  },
  read: path => readFileSync(path),
  list: path => readdirSync(path),
};

/* The forms that a document may be converted to. */
function formsOf(doc) {
  const {family} = lvl.formats().find(f => f.id === doc.format);
  return lvl.formats().filter(f => f.family === family).flatMap(f => f.forms ?? []);
}

/*
 * Files made by both: the same bytes, or the same content where other releases of libdeflate packed it. `make` throws
 * where the command refuses.
 */
function sameFile(what, make, {status, stdout}) {
  let made;
  try {
    made = make().bytes;
  } catch (error) {
    if (!(error instanceof LvlError)) throw error;
    if (status === 0) throw new Error(`${what}: ${error.message}, but not natively`);
    counts.refused++;
    return;
  }
  if (!stdout.length) throw new Error(`${what}: natively refused`);
  if (!stdout.equals(Buffer.from(made))) {
    const [ours, other] = [made, new Uint8Array(stdout)].map(bytes => {
      const doc = lvl.open(bytes);
      const text = doc.dumpText({kept: false});
      doc.close();
      return text;
    });
    if (ours !== other) throw new Error(`${what} differs`);
    counts.packed++;
  }
  counts[what]++;
}

/* A text of the document and the place of its first thing, changed. */
function editsOf(doc) {
  const [root] = Object.values(lvl.formats().find(f => f.id === doc.format).tables);
  const text = root.fields.find(field => field.kind === 'text' && field.role === 'value' && !field.names && !field.when);
  const thing = doc.can.includes('render') && doc.scene().things.find(one => one.path);
  const x = thing && ['point.x', 'x'].map(name => `${thing.path}.${name}`).find(path => {
    try {
      return typeof doc.getAll(path)[0].value === 'number';
    } catch {
      return false;
    }
  });
  return [text && `${text.name}=Changed`, x && `${x}+=1`].filter(Boolean);
}

let previous; /* {file, bytes, format} of the file before, for diff */

function compareMade(doc, file) {
  if (doc.can.includes('repair')) sameFile('repair', () => doc.repair(), native(file, 'repair', '-o', '-'));
  for (const change of doc.can.includes('write') ? editsOf(doc) : []) {
    sameFile('edit', () => {
      const copy = lvl.open(readFileSync(file), file);
      try {
        copy.set([change]);
        return {bytes: copy.save()};
      } finally {
        copy.close();
      }
    }, native(file, 'set', change, '-o', '-'));
  }
  const forms = doc.can.includes('convert') ? formsOf(doc) : [];
  for (const {name} of +every > 1 && forms.length ? [forms[counts.files % forms.length]] : forms) {
    sameFile('convert', () => doc.convert(name, {allowLoss: true}),
      native(file, 'convert', '--allow-loss', '--to', name, '-o', '-'));
  }
  if (previous?.format === doc.format) {
    const other = lvl.open(previous.bytes, previous.file);
    const {stdout, status} = spawnSync(command, ['diff', previous.file, file], {maxBuffer: 1 << 30});
    const text = other.diffText(doc);
    other.close();
    if (status > 1 || text !== stdout.toString()) throw new Error('diff differs');
    counts.diff++;
  }
  previous = {file, bytes: readFileSync(file), format: doc.format};
}

function compare(file) {
  let doc;
  counts.files++;
  try {
    doc = lvl.open(readFileSync(file), file, {files: disk});
  } catch (error) {
    if (!(error instanceof LvlError)) throw error;
    assert.notEqual(native(file, 'info').status, 0);
    counts.refused++;
    return;
  }
  const same = (what, text, {stdout}) => {
    if (text !== stdout.toString()) throw new Error(`${what} differs`);
    counts[what]++;
  };
  try {
    /* Other releases of libdeflate make other streams, of which a dump then has the bytes (`~`). */
    const kept = doc.dumpText() === native(file, 'dump').stdout.toString();
    same('dump', doc.dumpText({kept}), native(file, 'dump', ...(kept ? [] : ['--no-kept'])));
    same('explain', doc.explainText(), native(file, 'explain'));
    same('info', doc.infoText(), native(file, 'info'));
    assert.match(doc.infoText({summary: true}), /^: .*, \d+ bytes/);
    same('check', `${JSON.stringify(doc.check())}\n`, native(file, 'check', '--json'));
    if (doc.can.includes('render')) {
      /* the command draws what looks down where there is such a direction */
      const direction = doc.format === 'gani' ? Math.max(0, doc.animation().names.indexOf('down')) : 0;
      const picture = doc.render({size: 300, transparent: true, direction});
      const other = pixels(native(file, 'render', '--size', '300', '--transparent', '-o', '-').stdout);
      assert.deepEqual([picture.width, picture.height], [other.width, other.height],
        'size of the picture differs');
      assert.ok(Buffer.from(picture.data.buffer).equals(Buffer.from(other.data.buffer)), 'pixels differ');
      counts.render++;
    }
    compareMade(doc, file);
  } finally {
    doc.close();
  }
}

let n = 0, failed = 0;
for (const path of readdirSync(realpathSync(folder), {recursive: true}).sort()) {
  const file = join(realpathSync(folder), path), ending = path.split('.').at(-1).toLowerCase();
  if (!extensions.has(ending) || !statSync(file).isFile() || n++ % +every) continue;
  try {
    compare(file);
  } catch (error) {
    failed++;
    console.error(`${path}: ${error.message}`);
    if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError) throw error;
  }
}
console.log(`${title}: ${Object.entries(counts).map(([k, v]) => `${k} ${v}`).join(', ')}, different ${failed}`);
process.exitCode = failed ? 1 : 0;
