/*
 * Cards of levels with a search, filters and an order: the index of a site (web/site; the command has both as one
 * classic script), and the gallery of what is dropped onto the viewer (gallery.js). Cards are made as they are
 * scrolled to.
 */

const cardStep = 60; /* cards that are made at once */
const cardNames = new Intl.Collator(undefined, {numeric: true});

function part(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/* A path that breaks after its folders rather than within a name. */
function pathText(path) {
  return (path.match(/[^/]*\/|[^/]+$/g) ?? []).flatMap(text => [text, document.createElement('wbr')]).slice(0, -1);
}

function bytesText(bytes) {
  return bytes < 1e4 ? `${bytes} bytes` : bytes < 1e7 ? `${Math.round(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`;
}

/* What the line of `lvl info' about a file says: "Sketchy Maze level, 3830 bytes: The hill by the pond, v4". */
export function partsOfLine(line) {
  const [, kind, facts] = /^(?:: )?(.*?), \d+ bytes(?:, damaged)?:? ?(.*)$/s.exec(line.trim()) ?? ['', '', line.trim()];
  return {kind, facts};
}

/* How bad a verdict is. */
const rankOf = ({verdict}) => (!verdict || verdict === 'sound' ? 0 : verdict === 'faulty' ? 1 : 2);

const orders = {
  title: (a, b) => cardNames.compare(a.title || a.facts || a.path, b.title || b.facts || b.path),
  large: (a, b) => (b.bytes ?? 0) - (a.bytes ?? 0),
  small: (a, b) => (a.bytes ?? 0) - (b.bytes ?? 0),
  damaged: (a, b) => rankOf(b) - rankOf(a),
};
const orderNames = {path: 'By name', title: 'By title', large: 'Largest files first', small: 'Smallest files first',
  damaged: 'Damaged first'};

/* What is searched of a level without asking anybody; forgotten when more is known. */
const textOf = level =>
  level.text ??= `${level.path} ${level.label ?? ''} ${level.kind ?? ''} ${level.facts ?? ''}`.toLowerCase();

/*
 * A level: {path, label, bytes, verdict, kind, facts}, and what the user of this class needs; all but `path' may be unknown
 * yet. `label': what is shown of the path.
 * `place': an element, which gets a bar and the cards; `scroller': what scrolls them, or the window. `address(level)': the
 * address that a click opens; `open(level)': called instead if it is given; `picture(level)': an element, or undefined;
 * `changed()': after a search.
 * Of a site: `facets': further filters, {year: 'All years'}, and all show how many levels have a value;
 * `having(word)': marks by the number `at' of a level, whether a word that is not shown occurs in it; undefined: nobody knows,
 * null: not yet, and `update' follows. `rest()': while levels are missing, {levels, folded, counts}: how many there are, how many
 * of them are copies, and, of facets with few values, [VALUE, LEVELS] of each. Levels come in order (`sorted'), and those with
 * the same `first' are one card unless copies are asked for.
 */
export class Cards {
  #place;
  #use;
  #levels = [];
  #byPath = new Map();
  #shown = []; /* those that match, in order */
  #sorted = new Map(); /* name of an order: all levels in it */
  #folded = 0; /* copies of those that are shown */
  #made = 0;
  #end = part('div', 'end');
  #watch;
  #sight;
  #inSight = new Set();
  #later = 0;

  constructor(place, use) {
    this.#place = place;
    this.#use = use;
    const root = use.scroller ?? null;
    this.#build();
    this.#watch = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting || this.#made >= this.#shown.length) return;
      this.#more();
      this.#again();
    }, {root, rootMargin: '1000px'});
    this.#sight = new IntersectionObserver(entries => {
      for (const {target, isIntersecting} of entries) {
        if (isIntersecting) this.#inSight.add(target.level);
        else this.#inSight.delete(target.level);
      }
      use.seen?.();
    }, {root, rootMargin: '200px'});
  }

  #build() {
    const form = part('form', 'find');
    form.role = 'search';
    const input = part('input', '');
    Object.assign(input, {id: 'query', type: 'search', placeholder: 'Name, title, author, game', autocomplete: 'off'});
    input.setAttribute('aria-label', 'Search');
    const select = (id, label, first) => {
      const made = part('select', '');
      made.id = id;
      made.setAttribute('aria-label', label);
      for (const [value, text] of first) made.append(new Option(text, value));
      return made;
    };
    this.fields = {query: input};
    this.facets = {kind: 'All kinds', ...this.#use.facets, verdict: 'All verdicts'};
    for (const [name, first] of Object.entries(this.facets))
      this.fields[name] = select(name, name[0].toUpperCase() + name.slice(1), [['', first]]);
    this.fields = {...this.fields, order: select('order', 'Order',
        Object.entries(orderNames).map(([value, text]) => [value, text]))};
    form.append(...Object.values(this.fields));
    if (this.#use.facets) {
      this.copies = part('input', '');
      Object.assign(this.copies, {id: 'copies', type: 'checkbox', oninput: () => this.update()});
      const label = part('label', '');
      label.append(this.copies, 'show copies');
      form.append(label);
    }
    form.onsubmit = event => event.preventDefault();
    for (const field of Object.values(this.fields)) field.oninput = () => this.update();
    this.heading = part('h1', '', 'Levels');
    this.count = part('p', '');
    this.count.id = 'count';
    this.count.role = 'status';
    const bar = part('div', 'bar');
    bar.append(this.heading, form, this.count);
    this.cards = part('div', 'cards');
    this.none = part('p', 'none', 'No level matches. ');
    const clear = part('button', '', 'Show all');
    clear.type = 'button';
    clear.onclick = () => {
      form.reset();
      this.update();
    };
    this.none.append(clear);
    this.#place.append(bar, this.cards, this.#end, this.none);
  }

  /* Shows these levels and forgets the previous ones. */
  set levels(levels) {
    this.#levels = this.#use.sorted ? levels : levels.sort((a, b) => cardNames.compare(a.path, b.path));
    this.#sorted.clear();
    this.#byPath = new Map(levels.map(level => [level.path, level]));
    this.#fillFilters();
    this.update();
  }

  /* Further levels, in order. */
  addLevels(levels) {
    for (const level of levels) {
      this.#levels.push(level);
      this.#byPath.set(level.path, level);
    }
    this.#sorted.clear();
    this.#fillFilters();
    this.update(true);
  }

  get levels() {
    return this.#levels;
  }

  get shown() {
    return this.#shown;
  }

  level(path) {
    return this.#byPath.get(path);
  }

  /* The levels with cards in the window, in order. */
  get inSight() {
    return [...this.#inSight].sort((a, b) => a.rank - b.rank);
  }

  /* More is known of a level: its card is changed in place. What is searched or sorted by follows a little later. */
  know(level) {
    level.text = undefined;
    this.#sorted.clear();
    if (level.node) this.#fill(level);
    clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      this.#fillFilters();
      const {query, kind, verdict, order} = this.fields;
      if (query.value || kind.value || verdict.value || order.value !== 'path') this.update(true);
      else this.#tellCount();
    }, 300);
  }

  get state() {
    const state = new URLSearchParams();
    for (const [name, field] of Object.entries(this.fields))
      if (field.value && field.value !== 'path') state.set(name, field.value);
    return state;
  }

  set state(state) {
    for (const [name, field] of Object.entries(this.fields)) {
      const value = state.get(name) ?? (name === 'order' ? 'path' : '');
      /* A kind that no level has had yet. */
      if (value && field.options && ![...field.options].some(option => option.value === value)) field.append(new Option(value, value));
      field.value = value;
    }
    this.update();
  }

  /* Makes ready what searches and orders need, so that the first ones are as fast as others: some at a time, at `from'. */
  prepare(from = 0) {
    const end = Math.min(from + 2000, this.#levels.length);
    for (let i = from; i < end; i++) textOf(this.#levels[i]);
    return end < this.#levels.length ? end : 0;
  }

  #inOrder() {
    const name = this.fields.order.value;
    if (!orders[name]) return this.#levels;
    if (!this.#sorted.has(name)) this.#sorted.set(name, [...this.#levels].sort(orders[name]));
    return this.#sorted.get(name);
  }

  #countsOf(name) {
    const all = this.#use.rest?.()?.counts?.[name];
    if (all) return new Map(all);
    const counts = new Map();
    for (const {[name]: value} of this.#levels) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }

  #fillFilters() {
    for (const name of Object.keys(this.facets)) {
      const field = this.fields[name];
      const known = new Map([...field.options].map(option => [option.value, option]));
      const counts = this.#countsOf(name);
      for (const value of [...counts.keys()].filter(one => !known.has(one)).sort(cardNames.compare)) {
        known.set(value, new Option(value, value));
        field.append(known.get(value));
      }
      if (!this.#use.facets) continue;
      for (const [value, count] of counts) known.get(value).text = `${value} (${count})`;
      field.hidden = counts.size < 2; /* no choice */
    }
  }

  #fill(level) {
    const {node, path, label = path, bytes, verdict, kind, facts} = level;
    const picture = part('div', 'picture');
    picture.append(this.#use.picture(level) ?? (level.waiting ? '' : 'no picture'));
    const text = part('div', 'text');
    const name = part('div', 'name');
    name.append(...pathText(label));
    text.append(name, part('div', 'facts', facts || kind || ''));
    const last = part('div', 'facts', [facts && kind, bytes !== undefined && bytesText(bytes)].filter(Boolean).join(', '));
    if (verdict && verdict !== 'sound') last.append(', ', part('span', 'damaged', verdict));
    if (level.copies > 1) last.append(`, ${level.copies} times`);
    text.append(last);
    node.replaceChildren(picture, text);
  }

  #card(level) {
    if (!level.node) {
      level.node = part('a', 'level');
      level.node.level = level;
      level.node.href = this.#use.address(level);
      if (this.#use.open)
        level.node.onclick = event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          this.#use.open(level);
        };
      this.#fill(level);
    }
    this.#sight.observe(level.node);
    return level.node;
  }

  #more() {
    const rows = this.#shown.slice(this.#made, this.#made + cardStep);
    this.cards.append(...rows.map(level => this.#card(level)));
    this.#made += rows.length;
  }

  /* The first `many` cards. Those that stay are not touched, so that one that is pressed gets its click. */
  #first(many) {
    const nodes = this.#shown.slice(0, many).map(level => this.#card(level));
    const staying = new Set(nodes);
    for (const old of [...this.cards.children]) if (!staying.has(old)) old.remove();
    let at = this.cards.firstChild;
    for (const node of nodes) {
      if (node === at) at = at.nextSibling;
      else this.cards.insertBefore(node, at);
    }
    this.#made = nodes.length;
  }

  /* Once more, if the end is still in the window. */
  #again() {
    this.#watch.unobserve(this.#end);
    this.#watch.observe(this.#end);
  }

  get #asked() {
    return Boolean(this.fields.query.value.trim() || Object.keys(this.facets).some(name => this.fields[name].value));
  }

  #tellCount() {
    const rest = this.#use.rest?.();
    const levels = n => `${n.toLocaleString('en')} ${n === 1 ? 'level' : 'levels'}`;
    const found = this.#shown.length;
    const all = rest?.levels ?? this.#levels.length;
    const folded = !this.copies || this.copies.checked ? 0 : rest?.folded ?? this.#folded;
    this.count.textContent = rest && this.#asked ? 'Searching …'
      : this.#asked ? `${found.toLocaleString('en')} of ${all.toLocaleString('en')}`
      : folded ? `${levels(all - folded)} and ${folded.toLocaleString('en')} ${folded === 1 ? 'copy' : 'copies'}`
      : levels(all);
  }

  /* Makes the cards that are asked for. `keep': as many as before, so that the place stays. */
  update(keep = false) {
    const words = this.fields.query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const marks = words.map(word => this.#use.having?.(word));
    if (marks.includes(null)) { /* soon */
      this.count.textContent = 'Searching …';
      return;
    }
    const wanted = Object.keys(this.facets).map(name => [name, this.fields[name].value]).filter(([, value]) => value);
    const seen = this.copies && !this.copies.checked && new Set();
    const found = [];
    this.#folded = 0;
    for (const level of this.#inOrder()) {
      if (!wanted.every(([name, value]) => level[name] === value)) continue;
      if (!words.every((word, i) => marks[i]?.[level.at] || textOf(level).includes(word))) continue;
      if (seen && seen.has(level.first)) {
        this.#folded++;
        continue;
      }
      if (seen) seen.add(level.first);
      found.push(level);
    }
    const same = keep && found.length === this.#shown.length && found.every((level, i) => level === this.#shown[i]);
    if (same) {
      this.#tellCount();
      return;
    }
    const many = keep ? this.#made : 0;
    this.#shown = found;
    found.forEach((level, i) => { level.rank = i; });
    this.#sight.disconnect();
    this.#inSight.clear();
    this.#first(Math.max(1, Math.ceil(many / cardStep)) * cardStep);
    this.#again();
    this.#tellCount();
    this.none.hidden = found.length > 0 || Boolean(this.#use.rest?.());
    this.#use.changed?.();
  }
}
