/*
 * The WebAssembly build beside the command: the same info, check, dump and explain, and the same pixels, of each file
 * in a folder. Usage: compare.mjs LVL FOLDER NAME [EVERY]; with EVERY only each n-th file is taken.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync, readdirSync, realpathSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {inflateSync} from 'node:zlib';
import {LvlError, load} from '../../web/lvl.js';

const [command, folder, title, every = '1'] = process.argv.slice(2);
const lvl = await load();
const extensions = new Set(lvl.formats().flatMap(f => f.extensions));
const counts = {files: 0, info: 0, check: 0, dump: 0, explain: 0, render: 0, refused: 0};

function native(file, verb, ...options) {
  return spawnSync(command, [verb, ...options, file], {maxBuffer: 1 << 30, env: {...process.env, LVL_ART: ''}});
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

/* RGBA of a PNG that lvl wrote (8 bits, not interlaced). */
function pixels(png) {
  let width, height, channels, palette, clear, data = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at), kind = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      assert.equal(body[8], 8);
      channels = {0: 1, 2: 3, 3: 1, 6: 4}[body[9]];
    } else if (kind === 'PLTE') palette = body;
    else if (kind === 'tRNS') clear = body;
    else if (kind === 'IDAT') data.push(body);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(data)), stride = width * channels;
  const out = new Uint8ClampedArray(width * height * 4), line = Buffer.alloc(stride);
  for (let y = 0, at = 0; y < height; y++) {
    const filter = raw[at++];
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? line[x - channels] : 0, up = y ? previous[x] : 0;
      const corner = y && x >= channels ? previous[x - channels] : 0;
      const p = left + up - corner, [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      line[x] = raw[at++] + [0, left, up, left + up >> 1, paeth][filter];
    }
    var previous = Buffer.from(line);
    for (let x = 0; x < width; x++) {
      const o = (y * width + x) * 4, i = x * channels;
      if (palette) out.set([...palette.subarray(line[i] * 3, line[i] * 3 + 3), clear?.[line[i]] ?? 255], o);
      else out.set([line[i], line[i + (channels > 2)], line[i + 2 * (channels > 2)], channels === 4 ? line[i + 3] : 255], o);
    }
  }
  return {width, height, data: out};
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
    same('dump', doc.dumpText(), native(file, 'dump'));
    same('explain', doc.explainText(), native(file, 'explain'));
    same('info', doc.infoText(), native(file, 'info'));
    same('check', `${JSON.stringify(doc.check())}\n`, native(file, 'check', '--json'));
    if (doc.can.includes('render')) {
      /* the command draws what looks down where there is such a direction */
      const direction = doc.format === 'gani' ? Math.max(0, doc.animation().names.indexOf('down')) : 0;
      const picture = doc.render({size: 300, transparent: true, direction});
      const other = pixels(native(file, 'render', '--size', '300', '--transparent', '-o', '-').stdout);
      assert.deepEqual([picture.width, picture.height], [other.width, other.height], 'size of the picture differs');
      assert.ok(Buffer.from(picture.data.buffer).equals(Buffer.from(other.data.buffer)), 'pixels differ');
      counts.render++;
    }
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
