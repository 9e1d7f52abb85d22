/* The bytes of the file: each byte shows its field, and the bytes of a field are marked. */
import {button, h, kept, keptButton, keptField, keptMenu, keptSame, keptText, notice, refill, unchanging} from './dom.js';

const rows = 24;

const hex = (value, width) => value.toString(16).padStart(width, '0');

/* Whether a span of `explain` is in this space. */
function isIn(span, space) {
  const place = typeof span.outer === 'number' ? `0x${hex(span.outer, 1)}` : span.outer ?? '';
  return place === space.place;
}

/* Shows the first byte of these spans, in the space that they are in. */
export async function goToSpans(app, spans) {
  const {state} = app.panel;
  const spaces = spans[0].outer === undefined ? [] : await app.ask('spaces');
  Object.assign(state, {spans, at: spans[0].offset, space: spaces.find(space => isIn(spans[0], space))?.id ?? 0});
  app.panel.choose('bytes');
}

/* The space that is shown, with its bytes: the file, or what a stream in it decompresses to. */
async function spaceOf(app, state) {
  const file = {id: 0, base: 0, size: app.bytes.length, place: '', name: 'file', called: ''};
  if (state.spacesOf !== app.bytes) {
    Object.assign(state, {spaces: [file, ...(await app.ask('spaces').catch(() => [])).filter(space => space.id)],
      spacesOf: app.bytes, content: null});
  }
  const space = state.spaces.find(one => one.id === state.space) ?? file;
  if (space.id && state.content?.id !== space.id)
    state.content = {id: space.id, bytes: await app.ask('space', space.id)};
  return {space, bytes: space.id ? state.content.bytes : app.bytes};
}

export async function bytesPage(app, node, state) {
  const {space, bytes: content} = await spaceOf(app, state);
  const {base} = space;
  const end = base + content.length;
  const columns = node.clientWidth > 460 ? 16 : 8;
  state.at = Math.max(base, Math.min(state.at ?? 0, end - 1));
  const placeOf = at => (space.id ? `${space.place}/0x${hex(at, 1)}` : at);
  state.spans ??= content.length ? await app.ask('explain', {at: placeOf(state.at)}) : [];
  const page = rows * columns;
  const start = Math.max(base, Math.floor(state.at / columns) * columns - Math.floor(rows / 3) * columns);
  const go = at => {
    Object.assign(state, {at: Math.max(base, Math.min(end - 1, at)), spans: null});
    app.panel.redraw();
  };
  const inFile = state.spans.filter(span => isIn(span, space));
  const inner = inFile[inFile.length - 1];
  const text = kept(node.known, 'hex', null, () => unchanging(h('pre', {className: 'hex', tabIndex: 0, 'aria-label': 'Bytes'})));
  text.onkeydown = event => {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -page,
      PageDown: page}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    go(state.at + step);
  };
  const {known} = node;
  const lines = [];
  for (let row = start; row < Math.min(end, start + page); row += columns)
    lines.push(byteLine({row, start, columns, base, content, inner, at: state.at, go, known}));
  refill(text, lines);
  const jump = keptField(known, 'byte', `0x${hex(state.at, 1)}`, {'aria-label': 'Byte', onchange: () => {
    const at = Number(jump.value);
    if (Number.isInteger(at) && jump.value.trim()) go(at);
    else notice(`${jump.value || 'Nothing'} is no place in the bytes: a number from 0x${hex(base, 1)} to 0x${hex(end - 1, 1)} is.`, true);
  }});
  const choice = keptMenu(known, 'space', state.spaces.map(({id, place, name, called, size}) => ({value: id,
    label: id ? `${called || name}, ${size} bytes, from ${place}` : `the file, ${size} bytes`})), space.id, {onchange: event => {
    Object.assign(state, {space: +event.target.value, at: 0, spans: null});
    app.panel.redraw();
  }});
  const [back, forward] = [[-page, '‹', 'Back'], [page, '›', 'Forward']].map(([by, sign, label]) =>
    keptButton(known, label, sign, () => go(state.at + by), {'aria-label': label}));
  refill(node, state.spaces.length > 1 && kept(known, 'spaces', null, () => unchanging(h('label', {}, 'Bytes of', choice))),
    kept(known, 'row', null, () => unchanging(h('div', {className: 'row'}, back, h('span', {className: 'grow'}, jump), forward))),
    text, state.spans.map((span, i) => keptSame(known, `span ${i}`, spanValues.map(name => span[name]), () => spanRow(app, span))));
}

/* A line of the bytes from `row`: each byte goes to its place, its field and that of `at` are marked. */
function byteLine({row, start, columns, base, content, inner, at: chosen, go, known}) {
  const line = [keptText(known, `row ${row - start}`, `${hex(row, 6)}  `, () => h('b', {className: 'soft'}))];
  let letters = '';
  for (let at = row; at < row + columns; at++) {
    const byte = content[at - base];
    if (byte === undefined) {
      line.push('   ');
      continue;
    }
    const inside = inner && at >= inner.offset && at < inner.offset + inner.length;
    const span = keptText(known, `byte ${at - start}`, hex(byte, 2), () => h('span', {}));
    span.className = at === chosen ? 'at' : inside ? 'in' : '';
    span.onclick = () => go(at);
    line.push(span, ' ');
    letters += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·';
  }
  return [...line, ` ${letters}\n`];
}

const spanValues = ['outer', 'offset', 'length', 'name', 'path', 'unit', 'value', 'role', 'prose'];

function spanRow(app, span) {
  const stream = span.outer === undefined ? '' : `in the stream at ${span.outer}: `;
  const where = `${stream}${span.offset}, ${span.length} bytes`;
  return h('div', {className: 'field'},
    h('div', {className: 'head'}, h('span', {className: 'name'}, span.name || span.path), span.unit
      && h('span', {className: 'unit'}, span.unit),
      span.path && button('record', () => app.goToPath(span.path), {className: 'link bytes'})),
    span.value !== undefined && h('pre', {}, String(span.value).slice(0, 400)),
    h('p', {}, `${span.role} · ${where}`), span.prose && h('p', {}, span.prose));
}
