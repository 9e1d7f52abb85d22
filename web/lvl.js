/*
 * lvl.js: level files of old 2D games in browsers, Node and workers: an ES module over lvl.wasm. lvl.d.ts documents
 * each function.
 */

const statuses = ['ok', 'memory', 'limit', 'format', 'foreign', 'io', 'argument', 'loss', 'missing',
  'unsupported',
  'stopped'];
const [OK, , , , , IO, , LOSS, MISSING] = statuses.keys();
/* Names of limits, and their options. */
const limitOptions = {inputBytes: 'input_bytes', memoryBytes: 'memory_bytes', cells: 'cells', items: 'items', depth: 'depth',
  inflateRatio: 'inflate_ratio', findings: 'findings', work: 'work'};
const views = ['whole', 'layer', 'camera'];
const looks = ['none', 'clear', 'solid', 'ground', 'climb', 'death', 'other', 'water', 'wade', 'low', 'jump',
  'rest'];
const verdicts = ['sound', 'damaged', 'unreadable', 'foreign', 'faulty'];
const changeKinds = ['added', 'removed', 'changed'];
const overlayNames = ['grid', 'attributes', 'objects', 'patrol', 'findings', 'legend', 'all'];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class LvlError extends Error {
  constructor(status, message, findings = [], why = findings[0]) {
    super(message);
    this.name = 'LvlError';
    this.status = status;
    this.code = status;
    this.findings = findings;
    this.id = why?.id;
    this.path = why?.path;
  }
}

/* ---- checking arguments ---- */

function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return `[${value.slice(0, 6).map(shown).join(', ')}]`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function refuse(name, expected, value) {
  throw new LvlError('argument', `${name}: expected ${expected}, not ${shown(value)}`);
}

function text(value, name) {
  return typeof value === 'string' ? value : refuse(name, 'a text', value);
}

function object(value, name) {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) return value;
  return refuse(name, 'an object', value);
}

/* A whole number that fits into 32 bits. */
function whole(value, name, least = 0, most = 0x7fffffff) {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(name, `a whole number from ${least} to ${most}`, value);
}

function wholes(value, name, count, least = -0x80000000) {
  if (!Array.isArray(value) || value.length !== count) refuse(name, `${count} whole numbers`, value);
  return value.map((v, i) => whole(v, `${name}[${i}]`, least));
}

function oneOf(value, name, list) {
  return list.includes(value) ? value : refuse(name, `one of ${list.join(', ')}`, value);
}

function number(value, name) {
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(name, 'a number', value);
}

/* What a function of the caller returned: answers are needed at once. */
function atOnce(value, name) {
  if (typeof value?.then === 'function') {
    value.then(undefined, () => {});
    throw new LvlError('argument', `${name} returned a promise: the answer is needed at once`
      + ' (read the files before, or in a worker with FileReaderSync)');
  }
  return value;
}

/* Uint8Array of anything that holds bytes. */
function bytesOf(value, name = 'bytes') {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (typeof value === 'string') return encoder.encode(value);
  return refuse(name, 'bytes (a Uint8Array, an ArrayBuffer or a string)', value);
}

/* "a//b/./c/../d" -> "a/b/d". */
function normal(path) {
  const parts = [];
  text(path, 'path');
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/*
 * Files by path, as a tree of folders. Values are bytes, or functions that return the bytes when they are needed.
 */
export class FileSet {
  #folders = new Map([['', new Map()]]);

  constructor(entries = []) {
    for (const [path, value] of entries instanceof Map || Array.isArray(entries) ? entries
      : Object.entries(entries))
      this.add(path, value);
  }

  add(path, value) {
    const parts = normal(path).split('/');
    let at = '';
    for (const [i, name] of parts.entries()) {
      const last = i === parts.length - 1;
      this.#folders.get(at).set(name, last ? value : null);
      at = at ? `${at}/${name}` : name;
      if (!last && !this.#folders.has(at)) this.#folders.set(at, new Map());
    }
    return this;
  }

  #find(path) {
    const parts = normal(path).split('/');
    const name = parts.pop();
    return this.#folders.get(parts.join('/'))?.get(name);
  }

  /* The interface of a FileSource: what is at a path, its bytes, the names in a folder. */
  kind(path) {
    if (this.#folders.has(normal(path))) return 'folder';
    return this.#find(path) == null ? undefined : 'file';
  }

  read(path) {
    const value = this.#find(path);
    return typeof value === 'function' ? atOnce(value(), path) : value;
  }

  list(path) {
    return [...(this.#folders.get(normal(path)) ?? new Map()).keys()];
  }

  /* All paths. */
  * [Symbol.iterator]() {
    for (const [folder, names] of this.#folders) {
      for (const [name, value] of names)
        if (value !== null) yield folder ? `${folder}/${name}` : name;
    }
  }
}

/* The files of a zip archive; `save` writes it with new contents. */
class Zip extends FileSet {
  #write;

  constructor(write) {
    super();
    this.#write = write;
  }

  save(changes = {}) {
    const given = changes instanceof Map ? changes : new Map(Object.entries(object(changes, 'changes')));
    return this.#write(new Map([...given].map(([path, bytes]) => [normal(path), bytesOf(bytes)])));
  }
}

/* What is at a URL: bytes in Node, a response elsewhere. Anything else is that already. */
async function contentOf(source) {
  source = await source;
  if (!(source instanceof URL) && typeof source !== 'string') return source;
  const url = new URL(source, import.meta.url);
  if (url.protocol !== 'file:') return fetch(url);
  const {readFile} = await import('node:fs/promises');
  return readFile(url);
}

const isResponse = value => typeof Response === 'function' && value instanceof Response;

/* {module, instance} of lvl.wasm. */
async function instantiate(source, imports) {
  const content = await contentOf(source);
  if (content instanceof WebAssembly.Module)
    return {module: content, instance: await WebAssembly.instantiate(content, imports)};
  if (isResponse(content) && content.headers.get('content-type')?.startsWith('application/wasm'))
    return WebAssembly.instantiateStreaming(content, imports);
  return WebAssembly.instantiate(bytesOf(isResponse(content) ? await content.arrayBuffer() : content), imports);
}

/* What lvl-texts.json has (pack.mjs). */
async function textsOf(source) {
  const content = await contentOf(source);
  if (content === undefined) return undefined;
  return isResponse(content) ? content.json() : json(bytesOf(content, 'texts'));
}

export async function load(source, texts) {
  const lvl = new Lvl(key);
  if (source === undefined) {
    /* bundlers look for this form, as it stands here, and take the files along */
    source = new URL('./lvl.wasm', import.meta.url);
    texts ??= new URL('./lvl-texts.json', import.meta.url);
  }
  await lvl.start(key, source, texts);
  return lvl;
}

const key = Symbol('lvl');

class Lvl {
  #x; /* the exports */
  #sets = new Map();
  #nextSet = 1;
  #formats;
  #hostError; /* thrown by a function of the caller in the current call */
  #lost = new FinalizationRegistry(({pointer, zip, set}) => {
    if (zip) this.#x.lvl_web_zip_close(pointer);
    else this.#x.lvl_abi_close(pointer);
    this.#release(set);
  });

  constructor(given) {
    if (given !== key) throw new TypeError('use load()');
  }

  async start(given, source, texts) {
    if (given !== key) throw new TypeError('use load()');
    const lvl = {
      files_kind: (set, path) => this.#guard(() => {
        const kind = atOnce(this.#sets.get(set)?.source.kind(this.#text(path)), 'files.kind');
        return {file: 1, folder: 2}[kind] ?? 0;
      }, 0),
      files_read: (set, path, bytes, len) => this.#guard(() => {
        const name = this.#text(path);
        const content = atOnce(this.#sets.get(set)?.source.read(name), 'files.read');
        return content == null ? MISSING : this.#give(bytesOf(content, name), bytes, len);
      }, IO),
      files_list: (set, path, names, len) => this.#guard(() => {
        const list = atOnce(this.#sets.get(set)?.source.list(this.#text(path)) ?? [], 'files.list');
        return this.#give(encoder.encode(list.map(name => `${name}\0`).join('')), names, len);
      }, IO),
      number_of: (at, length) => Number(decoder.decode(this.#memory().subarray(at, at + length))),
      sine: Math.sin,
      cosine: Math.cos,
      /* Seeds of hash tables. Node 18 has no `crypto` without a flag; there less random bytes will do. */
      random_bytes: (out, size) => {
        const bytes = new Uint8Array(this.#x.memory.buffer, out, size);
        if (globalThis.crypto) globalThis.crypto.getRandomValues(bytes);
        else for (let i = 0; i < size; i++) bytes[i] = Math.random() * 256;
      },
    };
    const imports = {lvl, env: this.#environment(lvl), wasi_snapshot_preview1: this.#system()};
    const [{module, instance}, known] = await Promise.all([instantiate(source, imports), textsOf(texts)]);
    this.#x = instance.exports;
    if (known) this.#addTexts(module, known);
    this.#x._initialize?.();
  }

  /* Puts the texts that only explain where they were in the memory of the module. */
  #addTexts(module, {build, texts}) {
    const [own] = WebAssembly.Module.customSections(module, 'texts');
    if (!own || decoder.decode(own) !== build) throw new LvlError('format', 'the texts are not those of this lvl.wasm');
    const memory = this.#memory();
    for (const [at, text] of texts) memory.set(encoder.encode(text), at);
  }

  /* The system calls of the C library: there are no files, no terminal and no arguments. */
  #system() {
    const refuse = () => 52; /* ENOSYS */
    return {
      proc_exit: code => { throw new Error(`lvl.wasm stopped (${code})`); },
      environ_sizes_get: (count, size) => {
        this.#view().setUint32(count, 0, true);
        this.#view().setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      fd_write: refuse, fd_read: refuse, fd_close: refuse, fd_seek: refuse, fd_pread: refuse,
    };
  }

  /* Functions of Emscripten: setjmp, growing memory, and the system calls that exist. */
  #environment(lvl) {
    let high = 0;
    const jump = (run, ...args) => {
      const stack = this.#x.stackSave();
      try {
        return run(...args);
      } catch (error) {
        this.#x.stackRestore(stack);
        if (error !== jump) throw error;
        this.#x.setThrew(1, 0);
        return undefined;
      }
    };
    const known = {
      ...lvl,
      emscripten_notify_memory_growth() {},
      setTempRet0: value => { high = value; },
      getTempRet0: () => high,
      _emscripten_throw_longjmp() { throw jump; },
      emscripten_longjmp() { throw jump; },
    };
    return new Proxy(known, {
      get: (target, name) => {
        if (name in target) return target[name];
        if (typeof name === 'string' && name.startsWith('invoke_'))
          return (index, ...args) => jump(this.#x.__indirect_function_table.get(index), ...args);
        return () => -52;
      },
    });
  }

  #guard(run, failed) {
    try {
      return run();
    } catch (error) {
      this.#hostError ??= error;
      return failed;
    }
  }

  /* ---- memory ---- */

  #view() {
    return new DataView(this.#x.memory.buffer);
  }

  #memory() {
    return new Uint8Array(this.#x.memory.buffer);
  }

  #text(at) {
    const memory = this.#memory();
    return decoder.decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  /* A copy of bytes in the module's memory. */
  #put(bytes) {
    const at = this.#x.lvl_alloc(bytes.length);
    if (!at) throw new LvlError('memory', 'out of memory');
    this.#memory().set(bytes, at);
    return at;
  }

  #give(bytes, pointerAt, lengthAt) {
    const at = this.#put(bytes);
    this.#view().setUint32(pointerAt, at, true);
    this.#view().setUint32(lengthAt, bytes.length, true);
    return OK;
  }

  /*
   * Calls a function with numbers, and with copies of texts (arrays: lists of texts) and bytes (followed by their length), which
   * are freed afterwards.
   */
  #run(call, ...values) {
    const pointers = [];
    const put = bytes => pointers[pointers.push(this.#put(bytes)) - 1];
    /* A NUL ends a text there: what follows it would be lost, or be an option of its own. */
    const ended = one => (one.includes('\0') ? refuse(call.replace(/^lvl_(abi|web)_/, ''), 'texts without a NUL', one) : `${one}\0`);
    try {
      const args = values.flatMap(value => {
        if (value instanceof Uint8Array) return [put(value), value.length];
        if (Array.isArray(value)) return put(encoder.encode(value.map(one => ended(String(one))).join('') + '\0'));
        return typeof value === 'string' ? put(encoder.encode(ended(value))) : value;
      });
      return this.#x[call](...args);
    } finally {
      for (const pointer of pointers) this.#x.lvl_free(pointer);
    }
  }

  /* Takes a lvl_abi_result apart and frees it; throws if the call failed. `part`: what is damaged is given as far as it could be
   * read. A document that nobody asked for is closed, unless `keep`. */
  #result(what, at, {part = false, keep = false} = {}) {
    const host = this.#hostError;
    this.#hostError = undefined;
    if (!at) throw new LvlError('memory', `${what}: out of memory`);
    const view = this.#view();
    const get = offset => view.getUint32(at + offset, true);
    const slice = offset => this.#memory().slice(get(offset), get(offset) + get(offset + 4));
    const status = view.getInt32(at, true);
    const failed = status !== OK && !(part && status === LOSS);
    const findings = get(40) ? JSON.parse(decoder.decode(slice(36))) : [];
    const answer = {out: failed ? undefined : slice(28), findings, width: get(4), height: get(8), count: get(16), pointer: get(24)};
    const message = this.#text(get(44));
    this.#x.lvl_abi_result_free(at);
    if (answer.pointer && (!keep || host)) this.#x.lvl_abi_close(answer.pointer);
    if (host) {
      if (host instanceof LvlError) throw host;
      const error = new LvlError('io', `${what}: a function of the caller failed: ${host?.message ?? host}`);
      throw Object.assign(error, {cause: host});
    }
    if (failed) {
      const why = findings.findLast?.(f => f.text === message) ?? findings.find(f => f.text === message) ?? findings[0];
      throw new LvlError(statuses[status], `${what}: ${message}`, findings, why);
    }
    return answer;
  }

  /* ---- what documents call ---- */

  call(given, name, values, options) {
    if (given !== key) throw new TypeError('private');
    return this.#result(name, this.#run(`lvl_abi_${name}`, ...values), options);
  }

  close(given, doc, pointer, set) {
    if (given !== key) throw new TypeError('private');
    this.#lost.unregister(doc);
    this.#x.lvl_abi_close(pointer);
    this.#release(set);
  }

  /* Documents that share their art have the same set of files. */
  #release(set) {
    const known = this.#sets.get(set);
    if (known && --known.users === 0) this.#sets.delete(set);
  }

  formatOf(given, pointer) {
    if (given !== key) throw new TypeError('private');
    return this.#text(this.#x.lvl_abi_format(pointer));
  }

  /* ---- for everybody ---- */

  get version() {
    return this.#text(this.#x.lvl_version());
  }

  get memoryBytes() {
    return this.#x.memory.buffer.byteLength;
  }

  formats() {
    this.#formats ??= json(this.call(key, 'formats', []).out);
    return this.#formats;
  }

  create(format, {form = '', extension = '', width = 0, height = 0, like} = {}) {
    for (const [name, value] of Object.entries({format, form, extension})) text(value, name);
    whole(width, 'width');
    whole(height, 'height');
    const pointer = like === undefined ? 0 : pointerOf(like);
    const options = settings({form, ending: extension, width, height});
    const made = this.#result('create', this.#run('lvl_abi_new', format, pointer, options), {keep: true}).pointer;
    try {
      return this.#result('create', this.#run('lvl_abi_write', made, [])).out;
    } finally {
      this.#x.lvl_abi_close(made);
    }
  }

  findingKinds() {
    return lines(this.call(key, 'findings', [0]).out);
  }

  schema(format) {
    return json(this.#result(`schema of ${format}`, this.#run('lvl_abi_schema', text(format, 'format'))).out);
  }

  open(bytes, name = '', options = {}) {
    if (typeof name === 'object' && name !== null) [name, options] = [name.name ?? '', name];
    text(name, 'name');
    object(options, 'options');
    const content = bytesOf(bytes);
    const {profile = '', codepage = '', format = '', art = [], limits = {}, files, verdict = false} = options;
    for (const [option, value] of Object.entries({profile, codepage, format})) text(value, option);
    for (const [limit, value] of Object.entries(object(limits, 'limits'))) {
      oneOf(limit, 'limits', Object.keys(limitOptions));
      if (value !== undefined) number(value, `limits.${limit}`);
    }
    if (typeof art === 'string' || typeof art?.[Symbol.iterator] !== 'function')
      refuse('art', 'a list of paths', art);
    for (const root of art) if (text(root, 'art').includes('\0')) refuse('art', 'paths without a NUL', root);
    if (files !== undefined) object(files, 'files');
    const source = files === undefined || typeof files.kind === 'function' ? files : new FileSet(files);
    const shared = options.artOf === undefined ? undefined : shareOf(options.artOf);
    const set = shared?.set || (source ? this.#nextSet++ : 0);
    if (set && this.#sets.has(set)) this.#sets.get(set).users++;
    else if (set) this.#sets.set(set, {source, users: 1});
    const list = settings({profile, codepage, format: options.dump ? '' : format, verdict: verdict && !options.dump,
      ...Object.fromEntries(Object.entries(limits).map(([limit, n]) => [limitOptions[limit], limitText(limit, n)]))});
    let answer;
    try {
      answer = this.#result(name || 'open',
        this.#run(options.dump ? 'lvl_abi_undump' : 'lvl_abi_open', content, name, list), {keep: true});
    } catch (error) {
      this.#release(set);
      throw error;
    }
    const {pointer} = answer;
    if (shared) this.#x.lvl_abi_use_art(pointer, this.#x.lvl_abi_art_of(shared.pointer));
    else if (set && !this.#run('lvl_web_files', pointer, name, [...art], set)) {
      this.#x.lvl_abi_close(pointer);
      this.#release(set);
      throw new LvlError('memory', `${name || 'open'}: out of memory`);
    }
    const doc = new Doc(key, this, pointer, {name, set, findings: answer.findings, options});
    if (verdict && !options.dump) doc.verdict = verdicts[answer.count];
    this.#lost.register(doc, {pointer, set}, doc);
    return doc;
  }

  /* A document from a dump: an object, or its JSON. */
  undump(dump, name = '', options = {}) {
    const content = typeof dump === 'string' ? dump : JSON.stringify(object(dump, 'dump'));
    return this.open(content, name, {...options, dump: true});
  }

  /* The files in a zip archive, each inflated when it is read. */
  unzip(bytes) {
    const content = bytesOf(bytes);
    const place = this.#put(new Uint8Array(4));
    let list, pointer;
    try {
      list = json(this.#result('zip', this.#x.lvl_web_zip_open(this.#put(content), content.length, place)).out);
      pointer = this.#view().getUint32(place, true);
    } finally {
      this.#x.lvl_free(place);
    }
    const indexes = new Map();
    const set = new Zip(changes => {
      const order = [...changes].map(([path, content]) => {
        if (!indexes.has(path)) throw new LvlError('missing', `${path}: not in the archive`);
        return [indexes.get(path), content];
      }).sort((a, b) => a[0] - b[0]);
      const places = [];
      try {
        for (const [, content] of order) places.push(this.#put(content));
        places.push(this.#put(new Uint8Array(12 * order.length)));
        const table = places[order.length];
        const view = this.#view();
        order.forEach(([i, content], n) =>
          [i, places[n], content.length].forEach((v, k) => view.setUint32(table + 12 * n + 4 * k, v, true)));
        return this.#result('zip', this.#x.lvl_web_zip_save(pointer, table, order.length)).out;
      } finally {
        for (const at of places) this.#x.lvl_free(at);
      }
    });
    this.#lost.register(set, {pointer, zip: true});
    const keep = {set};
    list.forEach(({path}, i) => {
      indexes.set(normal(path), i);
      if (!path.endsWith('/'))
        set.add(path, () => {
          keep.set; /* the archive stays open as long as a member can be read */
          return this.#result(path, this.#x.lvl_web_zip_member(pointer, i)).out;
        });
    });
    return set;
  }
}

function json(bytes) {
  return JSON.parse(decoder.decode(bytes));
}

function lines(bytes) {
  return decoder.decode(bytes).split('\n').filter(Boolean).map(line => JSON.parse(line));
}

/* Options of the flat interface: "name=value" for each value that is set. */
function settings(options) {
  return Object.entries(options).filter(([, value]) => value !== undefined && value !== '' && value !== false && value !== 0)
    .map(([name, value]) => `${name}=${value === true ? 1 : value}`);
}

/* A limit as a whole number that fits; 0: the default. */
function limitText(limit, n) {
  const most = ['depth', 'inflateRatio', 'findings'].includes(limit) ? 0xffffffff : Number.MAX_SAFE_INTEGER;
  return n > 0 ? Math.min(Math.floor(n), most) : 0;
}

/* A value in the syntax of lvl_set. */
function assigned(value, path) {
  const isValue = ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
    || (typeof value === 'object' && value !== null);
  if (!isValue || Number.isNaN(value)) refuse(path, 'a value (unset() sets the default)', value);
  if (typeof value === 'string')
    return value.startsWith('"') || value.includes('\0') ? JSON.stringify(value) : value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function pointerOf(other) {
  return other instanceof Doc ? other.pointerOf(key) : refuse('other', 'a document', other);
}

function shareOf(other) {
  return other instanceof Doc ? other.shareOf(key) : refuse('artOf', 'a document', other);
}

class Doc {
  #lvl;
  #pointer;
  #set;
  #scene;
  #options;

  constructor(given, lvl, pointer, {name, set, findings, options}) {
    if (given !== key) throw new TypeError('use open()');
    this.#lvl = lvl;
    this.#pointer = pointer;
    this.#set = set;
    this.#options = options;
    this.name = name;
    this.findings = findings;
    this.format = lvl.formatOf(key, pointer);
  }

  #call(name, ...values) {
    return this.#lvl.call(key, name, [this.pointerOf(key), ...values]);
  }

  #changed(answer) {
    this.#scene = undefined;
    return answer;
  }

  get closed() {
    return !this.#pointer;
  }

  get can() {
    return this.#lvl.formats().find(f => f.id === this.format).can;
  }

  close() {
    if (this.#pointer) this.#lvl.close(key, this, this.#pointer, this.#set);
    this.#pointer = 0;
    this.#scene = undefined;
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  }

  /* ---- records ---- */

  getAll(path) {
    text(path, 'path');
    return lines(this.#found(path, ['json=1']));
  }

  /* What a path finds: nothing is no error, a wrong path is. */
  #found(path, options) {
    try {
      return this.#call('get', path, options).out;
    } catch (error) {
      if (error.status === 'missing') return new Uint8Array();
      throw error;
    }
  }

  get(path = '') {
    if (path === '') return this.dump().doc;
    const found = this.getAll(path);
    if (found.length === 0) return undefined;
    return found.length === 1 && found[0].path !== undefined ? found[0].value : found.map(f => f.value);
  }

  getText(path) {
    text(path, 'path');
    return decoder.decode(this.#found(path, []));
  }

  set(path, value) {
    const list = typeof path === 'string' ? [`${path}=${assigned(value, path)}`]
      : Array.isArray(path) ? path.map((p, i) => text(p, `changes[${i}]`))
        : Object.entries(object(path, 'path')).map(([p, v]) => `${p}=${assigned(v, p)}`);
    return list.length ? this.#changed(this.#call('set', list)).count : 0;
  }

  unset(...paths) {
    for (const path of paths) text(path, 'path');
    return paths.length ? this.#changed(this.#call('unset', paths)).count : 0;
  }

  follow(paths, before) {
    const list = [paths].flat().map(path => text(path, 'path'));
    const pointer = pointerOf(before);
    const named = list.filter(Boolean); /* an empty path is the document */
    const found = decoder.decode(this.#lvl.call(key, 'follow', [pointer, named, this.pointerOf(key)]).out).split('\0');
    const answers = list.map(path => (path ? found.shift() || undefined : ''));
    return Array.isArray(paths) ? answers : answers[0];
  }

  dump(options) {
    return JSON.parse(this.dumpText(options));
  }

  dumpText({path = '', compact = false, kept = true} = {}) {
    return decoder.decode(this.#call('dump', settings({path, compact, no_kept: !kept})).out);
  }

  /* ---- looking ---- */

  info({counts = false} = {}) {
    return json(this.#call('info', settings({json: true, counts})).out);
  }

  infoText({counts = false, summary = false} = {}) {
    return decoder.decode(this.#call('info', settings({summary, no_name: summary, counts})).out);
  }

  sound(name) {
    return this.#call('sound', text(name, 'name'), []).out;
  }

  check({roundtrip = false} = {}) {
    return json(this.#call('check', settings({roundtrip, sha256: true})).out);
  }

  checkText({roundtrip = false} = {}) {
    return decoder.decode(this.#call('check', settings({roundtrip, text: true})).out);
  }

  #explain({at, path, residue = false, all = false, depth = 0, bits = false}, asJson) {
    if (at !== undefined && typeof at !== 'number') text(at, 'at');
    if (typeof at === 'number') whole(at, 'at', 0, Number.MAX_SAFE_INTEGER);
    if (path !== undefined) text(path, 'path');
    whole(depth, 'depth');
    const place = typeof at === 'number' ? [`at=0x${at.toString(16)}`] : at !== undefined ? [`at=${at}`]
      : path !== undefined ? [`path=${path}`] : [];
    return this.#call('explain', [...place, ...settings({residue, all, depth, bits, json: asJson})]).out;
  }

  explain(options = {}) {
    return lines(this.#explain(typeof options === 'object' ? options : {at: options}, true));
  }

  explainText(options = {}) {
    return decoder.decode(this.#explain(typeof options === 'object' ? options : {at: options}, false));
  }

  spaces() {
    return json(this.#call('spaces', 0).out).sort((a, b) => a.id - b.id);
  }

  space(id) {
    return this.#call('spaces', whole(id, 'id', 1)).out;
  }

  diff(other, {summary = false} = {}) {
    const answer = this.#call('diff', pointerOf(other), settings({json: true, summary}));
    return {different: answer.count !== 0, changes: lines(answer.out)};
  }

  diffText(other, {summary = false} = {}) {
    return decoder.decode(this.#call('diff', pointerOf(other), settings({summary})).out);
  }

  pointerOf(given) {
    if (given !== key) throw new TypeError('private');
    if (!this.#pointer) throw new LvlError('argument', `${this.name}: the document is closed`);
    return this.#pointer;
  }

  shareOf(given) {
    return {pointer: this.pointerOf(given), set: this.#set};
  }

  /* ---- files ---- */

  save() {
    return this.#call('write', ['damaged=1']).out;
  }

  copy(from, path, to = '', {by, outside = false} = {}) {
    const paths = [path].flat().map(one => text(one, 'path'));
    const list = text(to, 'to') || 0;
    const pointer = pointerOf(from);
    const {count, findings} = this.#changed(by === undefined && paths.length === 1 ? this.#call('copy', list, pointer, paths[0])
      : this.#call('copy_moved', list, pointer, paths, settings({by: wholes(by ?? [0, 0], 'by', 2).join(), outside})));
    return {copied: count, findings};
  }

  move(paths, dx, dy, {outside = false} = {}) {
    const list = [paths].flat().map(path => text(path, 'paths'));
    const by = [whole(dx, 'dx', -0x80000000), whole(dy, 'dy', -0x80000000)];
    const {count, findings} = this.#changed(this.#call('move', list, settings({by: by.join(','), outside})));
    return {moved: count, findings};
  }

  moveEach(moves, {outside = false} = {}) {
    if (!Array.isArray(moves)) refuse('moves', 'a list of [path, dx, dy]', moves);
    const list = moves.map(([path]) => text(path, 'path'));
    const by = moves.map(([, ...distance]) => `by=${wholes(distance, 'distance', 2).join()}`);
    const {count, findings} = this.#changed(this.#call('move', list, [...by, ...settings({outside})]));
    return {moved: count, findings};
  }

  resize(width, height, {plane = '', anchor = [-1, -1]} = {}) {
    whole(width, 'width', 1);
    whole(height, 'height', 1);
    text(plane, 'plane');
    for (const one of wholes(anchor, 'anchor', 2, -1)) whole(one, 'anchor', -1, 1);
    const {count: changed, findings} = this.#changed(this.#call('resize',
      settings({plane, width, height, anchor_x: anchor[0], anchor_y: anchor[1]})));
    return {changed, findings};
  }

  convert(form, {allowLoss = false} = {}) {
    text(form, 'form');
    const {out, findings} = this.#call('convert', form, settings({allow_loss: allowLoss}));
    return {bytes: out, losses: findings};
  }

  repair({recover = false, normalize = false} = {}) {
    const {out, findings} = this.#call('repair', settings({recover, normalize}));
    return {bytes: out, findings};
  }

  members() {
    return json(this.#call('members').out);
  }

  member(path) {
    text(path, 'path');
    const {out, findings} = this.#lvl.call(key, 'member', [this.pointerOf(key), path], {part: true});
    return {bytes: out, findings};
  }

  openMember(path, options = {}) {
    const {bytes, findings} = this.member(path);
    const doc = this.#lvl.open(bytes, path, {...this.#options, dump: false, format: '', ...options});
    doc.findings.unshift(...findings);
    return doc;
  }

  putMember(path, bytes) {
    text(path, 'path');
    this.#changed(this.#call('put_member', path, bytesOf(bytes)));
  }

  removeMember(path) {
    text(path, 'path');
    this.#changed(this.#call('put_member', path, 0, 0));
  }

  /* ---- pictures ---- */

  /* Which frame is shown, as options. */
  #show({frame = 0, direction = 0, choices = {}}) {
    whole(frame, 'frame');
    whole(direction, 'direction');
    for (const [name, value] of Object.entries(object(choices, 'choices'))) text(value, `choices.${name}`);
    const list = Object.entries(choices).map(([name, value]) => `with=${name}=${value}`);
    return [`frame=${frame}`, `direction=${direction}`, ...list];
  }

  sceneText(options = {}) {
    return decoder.decode(this.#call('scene', this.#show(options)).out);
  }

  scene({frame = 0, direction = 0, choices = {}} = {}) {
    const which = JSON.stringify([frame, direction, choices]);
    if (this.#scene?.which === which) return this.#scene;
    const scene = JSON.parse(this.sceneText({frame, direction, choices}));
    const main = scene.layers.find(layer => layer.main);
    /* A picture of the whole level at full size may be too large to draw; its size is known in any case. */
    const [, , width, height] = scene.bounds ?? [0, 0, main?.columns * main?.cell_width,
      main?.rows * main?.cell_height];
    this.#scene = Object.assign(scene, width > 0 && height > 0 ? {width, height}
      : this.#draw({frame, direction, choices}, 'measure'));
    Object.defineProperty(scene, 'which', {value: which});
    return scene;
  }

  #draw(options, what) {
    object(options, 'options');
    const {view = 'whole', layer = 0, camera, viewSize = [0, 0], region, size = 0, scale = 1, things = true,
      schematic = false, transparent = false, overlays = [], layers = []} = options;
    oneOf(view, 'view', views);
    whole(layer, 'layer');
    if (camera) wholes(camera, 'camera', 2);
    wholes(viewSize, 'viewSize', 2, 0);
    whole(size, 'size');
    if (!(number(scale, 'scale') >= 1 / 0x10000 && scale <= 0x10000))
      refuse('scale', 'a number from 1/65536 to 65536', scale);
    for (const name of [overlays].flat()) oneOf(name, 'overlays', overlayNames);
    if (region) {
      wholes(region, 'region', 4);
      whole(region[2], 'region[2]', 1);
      whole(region[3], 'region[3]', 1);
    }
    const wanted = Object.entries(object(layers, 'layers')).filter(([, on]) => on !== undefined && on !== null);
    const {frame, direction, choices} = options;
    const count = wanted.length && this.scene({frame, direction, choices}).layers.length;
    const chosen = wanted.filter(([i]) => i < count); /* another document that is drawn so may have more */
    const named = shown => chosen.filter(([, on]) => Boolean(on) === shown).map(([i]) => i);
    const words = settings({
      [what]: true, adjoining: true, size, schematic, overlay: [overlays].flat().join(),
      scale: scale < 1 ? `1/${Math.round(1 / scale)}` : Math.max(1, Math.round(scale)),
      region: region?.join(), show: named(true).join(), hide: [...named(false), ...things ? [] : ['objects']].join(),
      plane: view === 'layer' ? String(layer) : '',
      camera: view === 'camera' && camera ? camera.join() : '',
      view: view === 'camera' ? `${viewSize[0] || 1024}x${viewSize[1] || 768}` : '',
    });
    return this.#call('render', [...words, `transparent=${+Boolean(transparent)}`, ...this.#show(options)]);
  }

  render(options = {}) {
    const {out, width, height} = this.#draw(options, 'pixels');
    return {width, height, data: new Uint8ClampedArray(out.buffer)};
  }

  renderSize(options = {}) {
    const {width, height} = this.#draw(options, 'measure');
    return {width, height};
  }

  png() {
    return this.#call('png').out;
  }

  tiles({layer = 0, first = 0, columns = 16, rows = 16} = {}) {
    for (const [name, value] of Object.entries({layer, first, columns, rows})) whole(value, name);
    const {out, width, height} = this.#call('tiles',
      Object.entries({layer, first, columns, rows}).map(([name, value]) => `${name}=${value}`));
    return {width, height, data: new Uint8ClampedArray(out.buffer)};
  }

  cell(layer, column, row) {
    for (const [name, value] of Object.entries({layer, column, row})) whole(value, name);
    const {value, empty, look, inner, name} = json(this.#call('cell', layer, column, row).out);
    return {value, empty, look: name ?? looks[look], inner: looks[inner]};
  }

  changedPlaces(other) {
    return json(this.#call('changes', pointerOf(other), []).out)
      .map(([kind, thing, ...rect]) => ({kind: changeKinds[kind], thing: Boolean(thing), rect}));
  }

  thingsAt(x, y, options) {
    return this.scene(options).things.filter(({rect: [left, top, width, height]}) =>
      x >= left && y >= top && x < left + width && y < top + height).reverse();
  }

  linksAt(x, y, options) {
    return this.scene(options).links.filter(({rect}) =>
      rect && x >= rect[0] && y >= rect[1] && x < rect[0] + rect[2] && y < rect[1] + rect[3]);
  }

  animation({choices = {}} = {}) {
    return json(this.#call('animation', this.#show({choices}).filter(option => option.startsWith('with='))).out);
  }
}
