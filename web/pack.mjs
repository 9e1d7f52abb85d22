/*
 * Makes lvl.wasm and lvl-texts.json of the linked module. Texts that only explain (what fields and findings mean, what rules of
 * games say) are moved from its data into the other file, which lvl.js puts back (load): half of the module's texts. A text
 * stays if something else refers to it: if a number in the code is an address in it, if another text ends like it, or if what the module
 * says about formats has it as something else. The data becomes one segment: gzip packs it better than thousands of them.
 * Usage: node web/pack.mjs LINKED.wasm OUT.wasm OUT.json
 */
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {load} from './lvl.js';

const [CUSTOM, CODE, DATA, DATA_COUNT, I32_CONST, END] = [0, 10, 11, 12, 0x41, 0x0b];
const [linked, moduleOut, textsOut] = process.argv.slice(2);
const source = readFileSync(linked);

/* ---- the format of modules ---- */

/* A number in LEB128, and the place after it. */
function numberAt(bytes, at, isSigned = false) {
  let value = 0, shift = 0, byte;
  do {
    byte = bytes[at++];
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte & 128 && shift < 35);
  if (isSigned && byte & 64 && shift < 32) value |= -1 << shift;
  return [value, at];
}

function leb(value, isSigned = false) {
  const bytes = [];
  const most = isSigned ? 63 : 127;
  for (; value > most; value >>>= 7) bytes.push(value & 127 | 128);
  return [...bytes, value];
}

function sectionsOf(module) {
  const sections = [];
  for (let at = 8, length; at < module.length; at += length) {
    const kind = module[at];
    [length, at] = numberAt(module, at + 1);
    sections.push({kind, content: module.subarray(at, at + length)});
  }
  return sections;
}

/* The memory from its first segment on, and its address. */
function memoryOf(data) {
  const segments = [];
  let [count, at] = numberAt(data, 0);
  for (; count; count--) {
    if (data[at] !== 0 || data[at + 1] !== I32_CONST) throw new Error('a segment of data has no constant address');
    let address, length;
    [address, at] = numberAt(data, at + 2, true);
    [length, at] = numberAt(data, at + 1);
    segments.push([address, data.subarray(at, at += length)]);
  }
  const [[start]] = segments;
  const [last, tail] = segments.at(-1);
  const memory = Buffer.alloc(last + tail.length - start);
  for (const [address, bytes] of segments) memory.set(bytes, address - start);
  return {start, memory};
}

/* ---- texts ---- */

/* The texts that explain, and all others, of what the module says about itself. */
function sorted(value, key, found) {
  if (typeof value === 'string') found[['prose', 'meaning', 'repair'].includes(key) ? 'prose' : 'others'].add(value);
  else for (const [name, item] of Object.entries(value ?? {})) sorted(item, Array.isArray(value) ? key : name, found);
  return found;
}

const sections = sectionsOf(source);
const contentOf = kind => sections.find(section => section.kind === kind).content;
const {start, memory} = memoryOf(contentOf(DATA));
const code = contentOf(CODE);
/* More than the numbers of the code, since its other bytes are taken for some, too. */
const used = new Set();
for (let at = 0; at < code.length; at++) if (code[at] === I32_CONST) used.add(numberAt(code, at + 1, true)[0]);
/* What refers to the middle of a text has another that ends like it. */
const pointed = new Set();
for (let at = -start & 3; at + 4 <= memory.length; at += 4) pointed.add(memory.readUInt32LE(at));

const lvl = await load(source);
const {prose, others} = sorted([lvl.formats(), lvl.findingKinds()], '', {prose: new Set(), others: new Set()});
const shortest = 10;
const texts = [];
for (const text of prose) {
  const bytes = Buffer.from(`${text}\0`);
  const at = memory.indexOf(bytes);
  if (at < 0 || memory[at - 1] || bytes.length <= shortest || others.has(text)) continue;
  const places = Array.from(bytes, (_, i) => start + at + i);
  if (places.some((place, i) => used.has(place) || (i && pointed.has(place)))) continue;
  texts.push([start + at, text]);
}
texts.sort((a, b) => a[0] - b[0]);
for (const [at, text] of texts) memory.fill(0, at - start, at - start + Buffer.byteLength(text));

/* ---- output ---- */

const list = JSON.stringify(texts);
const build = createHash('sha256').update(list).update(source).digest('hex').slice(0, 16);
const section = (kind, ...parts) => {
  const content = Buffer.concat(parts.map(part => Buffer.from(part)));
  return Buffer.concat([Buffer.from([kind, ...leb(content.length)]), content]);
};
const name = Buffer.from('texts');
writeFileSync(moduleOut, Buffer.concat([source.subarray(0, 8),
  ...sections.filter(({kind}) => kind !== CUSTOM && kind !== DATA && kind !== DATA_COUNT).map(({kind, content}) => section(kind, content)),
  section(DATA, leb(1), [0, I32_CONST], leb(start, true), [END], leb(memory.length), memory),
  section(CUSTOM, leb(name.length), name, Buffer.from(build))]));
writeFileSync(textsOut, `{"build":"${build}","texts":${list}}\n`);
console.log(`${textsOut}: ${texts.length} of ${prose.size} texts`);
