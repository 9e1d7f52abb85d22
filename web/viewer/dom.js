/*
 * Makes elements. Text from a level is added only as text nodes and property values, never as HTML.
 *
 * The pages of the panel are drawn again at any time. What is made anew loses the press of a mouse, the focus, its
 * scroll position and the selected text: a page keeps its elements by a key (kept, keptButton, keptList, …), and
 * changes what differs. tests/web/redraws.mjs finds what it does not keep.
 */

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name in node && !['role', 'list'].includes(name)) node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter(child => child !== undefined && child !== null
    && child !== false));
  return node;
}

export const $ = id => document.getElementById(id);

export function button(label, run, props = {}) {
  return h('button', {type: 'button', onclick: run, ...props}, label);
}

export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter(child => child !== undefined && child !== null
    && child !== false));
}

/* As fill, but elements that stay are not touched, so that they keep the focus and what is typed. */
export function refill(node, ...children) {
  const list = children.flat(Infinity).filter(child => child !== undefined && child !== null && child !== false);
  const staying = new Set(list);
  for (const old of [...node.children]) if (!staying.has(old)) old.remove();
  let at = node.firstChild;
  const isText = () => at?.nodeType === Node.TEXT_NODE;
  const next = () => {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  };
  for (const child of list) {
    if (typeof child === 'string') {
      if (!isText()) {
        node.insertBefore(document.createTextNode(child), at);
        continue;
      }
      if (at.data !== child) at.data = child;
      at = at.nextSibling;
      continue;
    }
    while (isText()) next();
    if (child === at) at = at.nextSibling;
    else node.insertBefore(child, at);
  }
  while (at) next();
}

/* Sets properties and attributes, as of `h`, of an element that stays. */
function adapt(node, props) {
  for (const [name, value] of Object.entries(props)) {
    const isNothing = value === undefined || value === null || value === false;
    if (name in node && !['role', 'list'].includes(name)) {
      const given = name.startsWith('on') ? value ?? null : isNothing && typeof node[name] === 'string' ? '' : value;
      if (node[name] !== given) node[name] = given;
    } else if (isNothing) {
      node.removeAttribute(name);
    } else if (node.getAttribute(name) !== String(value === true ? '' : value)) {
      node.setAttribute(name, value === true ? '' : value);
    }
  }
  return node;
}

/*
 * The element that `known` keeps under a key, with another value in it, or what `make` makes of the value: {node, update},
 * where `update` shows a value in the node; false: that value needs another node.
 */
export function kept(known, key, value, make) {
  const old = known.get(key);
  if (old?.update(value)) return old.node;
  const made = make(value);
  known.set(key, made);
  return made.node;
}

/* An element in which nothing changes. */
export const unchanging = node => ({node, update: () => true});

/* Whether two lists have the same values. */
export const isSame = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);

/* What `known` keeps while what it shows, a list of values, is the same; else what `make` makes. */
export function keptSame(known, key, values, make) {
  return kept(known, key, values, given => ({node: make(given), update: now => isSame(now, given)}));
}

/* An element with a text among those that `known` keeps; `make` makes it. Without a text it keeps its own. */
export function keptText(known, key, text, make) {
  const node = kept(known, `text ${key}`, null, () => unchanging(make()));
  if (text !== undefined && node.textContent !== text) node.textContent = text;
  return node;
}

/* A heading: its words are its key. */
export const keptHeading = (known, text) => keptText(known, `heading ${text}`, text, () => h('h2', {}));

/* A row of elements that are kept. */
export function keptRow(known, key, ...parts) {
  const node = kept(known, `row ${key}`, null, () => unchanging(h('div', {className: 'row'})));
  refill(node, parts);
  return node;
}

/* A button among those that `known` keeps, with what it says and does now. */
export function keptButton(known, key, label, run, props = {}) {
  return adapt(keptText(known, `button ${key}`, label, () => button('', null)), {onclick: run, ...props});
}

/* A switch, as keptButton. `label`: text and elements; `change(isOn)`. */
export function keptSwitch(known, key, label, isOn, change, note = '') {
  const node = kept(known, `switch ${key}`, null, () =>
    unchanging(h('label', {className: 'switch'}, h('input', {type: 'checkbox'}))));
  const box = adapt(node.firstChild, {checked: Boolean(isOn), onchange: event => change(event.target.checked)});
  refill(node, box, label, note && keptText(known, `note ${key}`, note, () => h('span', {className: 'soft'})));
  return node;
}

/*
 * A list of buttons among what `known` keeps: those with the same key stay, with what they show and do now.
 * `rows`: [{key, shown, run, ...properties of the button}]; `content(...shown)`: what is in the button; a row
 * without `run` is a line of text. Without `rows` the list keeps its own.
 */
export function keptList(known, key, rows, {content = rowContent, ...props} = {}) {
  return kept(known, `list ${key}`, rows, given => {
    const node = h('ul', {className: 'list', ...props});
    let items = new Map();
    const update = list => {
      if (!list) return true;
      const [before, numbers] = [items, new Map()];
      items = new Map();
      refill(node, list.map(({key: name, shown, run, ...rest}) => {
        const number = numbers.get(name) ?? 0;
        numbers.set(name, number + 1);
        const at = `${name} ${number}`;
        const item = before.get(at) ?? {node: h('li', {}, run && button('', null))};
        items.set(at, item);
        const place = run ? item.node.firstChild : item.node;
        if (!isSame(item.shown ?? [], shown)) refill(place, content(...shown));
        item.shown = shown;
        adapt(place, run ? {onclick: run, ...rest} : rest);
        return item.node;
      }));
      return true;
    };
    update(given);
    return {node, update};
  });
}

/* A text, and smaller ones below it. */
export function rowContent(text, ...notes) {
  return [text, notes.map(note => h('small', {}, note))];
}

/* A line below a list that does not show everything. */
export const moreRow = (all, most) => (all > most ? [{key: 'more', shown: [`and ${all - most} more`], className: 'soft'}] : []);

/* A field that keys are for: what is typed there is no shortcut. */
export function isField(node) {
  return /^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName ?? '') && !['checkbox', 'button'].includes(node.type);
}

/* The field in `within` that has the focus reports a change of what is typed there, as when it is left, and keeps the focus. */
export function commitTyped(within) {
  const node = document.activeElement;
  if (!within.contains(node) || !isField(node)) return;
  node.blur();
  node.focus({preventScroll: true});
}

/* Returns what shows another value in a text field, unless the user is typing there. `last`: the text in it. */
export function updater(input, last) {
  return value => {
    /* The value of a number field that holds half a number, such as "-", is empty. */
    const isTyping = document.activeElement === input && (input.value !== last || input.validity.badInput);
    last = String(value);
    if (!isTyping && input.value !== last) input.value = last;
  };
}

/* A text field among those that `known` keeps. `props`: what it does and shows now, as of h. */
export function keptField(known, key, value, props) {
  const input = kept(known, key, value, given => {
    const node = h('input', {value: given});
    const show = updater(node, String(given));
    return {node, update: next => {
      show(next);
      return true;
    }};
  });
  return adapt(input, props);
}

/* A menu among those that `known` keeps; `options`: [{value, label}], `value`: the chosen one, undefined: what the user chose. */
export function keptMenu(known, key, options, value, props) {
  const list = options.map(one => ({...one, value: String(one.value)}));
  const node = kept(known, key, null, () => unchanging(h('select', {})));
  const chosen = value === undefined ? node.value : String(value);
  const shown = [...node.options].map(one => `${one.value} ${one.label}`);
  if (String(shown) !== String(list.map(one => `${one.value} ${one.label}`)))
    fill(node, list.map(one => h('option', {value: one.value}, one.label)));
  node.value = list.some(one => one.value === chosen) ? chosen : list[0]?.value;
  return adapt(node, props);
}

export function size(bytes) {
  if (bytes < 10000) return `${bytes} bytes`;
  return bytes < 1e7 ? `${(bytes / 1000).toFixed(0)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), c => c.charCodeAt(0));
}

/* What the page of one file has inside, gzipped, in the element of that id; null: it is a file beside the page. */
export function inlined(id) {
  const text = $(id)?.textContent;
  return text ? new Response(new Blob([bytesOf(text.trim())]).stream().pipeThrough(new DecompressionStream('gzip'))) : null;
}

/* "1 finding", "2 findings". */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/* A text of the library without what it advises to users of the command ("; use --art FOLDER"). */
export function plain(text) {
  const isAdvice = part => /(^|[\s"`'(])--[a-z]|`lvl /.test(part);
  const kept = String(text).replace(/ ?\([^()]*\)/g, part => (isAdvice(part) ? '' : part))
    .split(/(?<=[;.:])\s+/).filter(part => !isAdvice(part)).join(' ');
  return kept.replace(/[;:,]$/, '.');
}

/* A message for a few seconds, also for screen readers. `action`: {label, run}: a button with it. */
export function notice(text, isError = false, action = null) {
  const node = $('notice');
  fill(node, plain(text), action && [' ', button(action.label, () => {
    node.className = '';
    action.run();
  })]);
  node.className = isError ? 'shown error' : 'shown';
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { node.className = ''; }, isError ? 9000 : action ? 15000 : 4000);
}

async function writeInto(handle, blob) {
  const out = await handle.createWritable();
  await out.write(blob);
  await out.close();
  return 'file';
}

/*
 * Saves bytes: into the file of `handle`, into a file that the user chooses if the browser can do that, or as a
 * download. Returns "file", "download", or undefined if the user cancelled.
 */
export async function saveFile(bytes, name, {type = 'application/octet-stream', handle} = {}) {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes], {type});
  try {
    if (handle) return await writeInto(handle, blob);
    if (globalThis.showSaveFilePicker && !navigator.webdriver)
      return await writeInto(await globalThis.showSaveFilePicker({suggestedName: name}), blob);
  } catch (error) {
    if (error.name === 'AbortError') return undefined;
    /* No permission to write there: offer a download. */
    if (!['NotAllowedError', 'SecurityError'].includes(error.name)) throw error;
  }
  const url = URL.createObjectURL(blob);
  h('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  return 'download';
}
