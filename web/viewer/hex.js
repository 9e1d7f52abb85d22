/* The bytes of the file: each byte shows its field, and the bytes of a field are marked. */
import {button, fill, h} from './dom.js';

const rows = 24;

const hex = (value, width) => value.toString(16).padStart(width, '0');

export async function bytesPage(app, node, state) {
  const bytes = app.bytes;
  const columns = node.clientWidth > 460 ? 16 : 8;
  state.at = Math.min(state.at ?? 0, bytes.length - 1);
  state.spans ??= bytes.length ? await app.ask('explain', {at: state.at}) : [];
  const page = rows * columns;
  const start = Math.max(0, Math.floor(state.at / columns) * columns - Math.floor(rows / 3) * columns);
  const go = at => {
    Object.assign(state, {at: Math.max(0, Math.min(bytes.length - 1, at)), spans: null});
    app.panel.redraw();
  };
  const inFile = state.spans.filter(span => span.outer === undefined);
  const inner = inFile[inFile.length - 1];
  const text = h('pre', {className: 'hex', tabIndex: 0, 'aria-label': 'Bytes', onkeydown: event => {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -page,
      PageDown: page}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    go(state.at + step);
    state.focus = true;
  }});
  for (let row = start; row < Math.min(bytes.length, start + page); row += columns) {
    text.append(h('b', {className: 'soft'}, `${hex(row, 6)}  `));
    let letters = '';
    for (let at = row; at < row + columns; at++) {
      const byte = bytes[at];
      if (byte === undefined) {
        text.append('   ');
        continue;
      }
      const inside = inner && at >= inner.offset && at < inner.offset + inner.length;
      text.append(h('span', {className: at === state.at ? 'at' : inside ? 'in' : '', onclick: () => go(at)},
        hex(byte, 2)), ' ');
      letters += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·';
    }
    text.append(` ${letters}\n`);
  }
  const jump = h('input', {value: `0x${hex(state.at, 1)}`, 'aria-label': 'Byte', onchange: () => {
    const at = Number(jump.value);
    if (Number.isInteger(at)) go(at);
  }});
  fill(node, h('div', {className: 'row'}, button('‹', () => go(state.at - page), {'aria-label': 'Back'}),
    h('span', {className: 'grow'}, jump), button('›', () => go(state.at + page), {'aria-label': 'Forward'})),
      text,
  state.spans.map(span => spanRow(app, span)));
  if (state.focus) text.focus();
  state.focus = false;
}

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
