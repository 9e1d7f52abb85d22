/*
 * The page's side of the worker that reads and draws. Calls run one after the other; tiles and cards are drawn when
 * no call waits. A call that exceeds its time limit ends the worker; `restore` then brings a new one to the same state.
 */

import {$, inlined} from './dom.js';

const limits = {open: 60000, files: 60000, tile: 20000, card: 10000};
const defaultLimit = 30000;

/* The page of one file contains the worker, lvl.wasm and its texts; otherwise they are files beside it, and not of two builds. */
async function bytesOfFile(id, name) {
  return (inlined(id) ?? await fetch(new URL(`../${name}`, import.meta.url), {cache: 'no-cache'})).arrayBuffer();
}

function makeWorker() {
  const source = $('lvl-worker')?.textContent;
  if (!source) return new Worker(new URL('./worker.js', import.meta.url), {type: 'module'});
  const url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
  const worker = new Worker(url);
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  return worker;
}

export class Stopped extends Error {}
/* The answer is about a document that is no longer shown. */
export class Outdated extends Error {}

export class Client {
  #worker;
  #module;
  #texts;
  #queue = [];
  #running = null;
  #id = 0;
  #restoring = false;
  /* Returns what to do when no call waits, or nothing: {method, args, done, failed}. */
  nextIdle = () => undefined;
  /* Further folders in which pictures are looked for. */
  roots = [];
  /* Called with a new worker: gives it the state of the old one. */
  restore = async () => {};
  /* Called with the running call, and when none runs. */
  busy = () => {};

  async start() {
    const texts = this.#texts ?? bytesOfFile('lvl-texts', 'lvl-texts.json').catch(() => null);
    this.#module ??= await WebAssembly.compile(await bytesOfFile('lvl-wasm', 'lvl.wasm'));
    this.#texts = await texts;
    this.#worker = makeWorker();
    this.#worker.onmessage = ({data}) => this.#finish(data);
    this.#worker.onerror = event => this.#fail(new Error(event.message || 'the worker failed'));
    return this.#enqueue('start', [this.#module, this.#texts, this.roots], true);
  }

  call(method, ...args) {
    return this.#enqueue(method, args, false);
  }

  #enqueue(method, args, first) {
    return new Promise((resolve, reject) => {
      this.#queue[first ? 'unshift' : 'push']({method, args, resolve, reject});
      this.#next();
    });
  }

  /* Called when there may be something to do. */
  wake() {
    this.#next();
  }

  #next() {
    if (this.#running || !this.#worker) return;
    let job = this.#queue.shift();
    if (!job) {
      const idle = this.#restoring ? undefined : this.nextIdle();
      if (idle) job = {method: idle.method, args: idle.args, resolve: idle.done, reject: idle.failed};
    }
    this.busy(job?.method);
    if (!job) return;
    this.#running = job;
    job.id = ++this.#id;
    const limit = globalThis.lvlTimeLimit ?? limits[job.method] ?? defaultLimit;
    job.timer = setTimeout(() => this.stop(`stopped after ${limit / 1000} s: ${job.method} took too long`),
      limit);
    this.#worker.postMessage({id: job.id, method: job.method, args: job.args});
  }

  #finish({id, value, error}) {
    const job = this.#running;
    if (job?.id !== id) return;
    clearTimeout(job.timer);
    this.#running = null;
    if (error) job.reject(Object.assign(new Error(error.message), error));
    else job.resolve(value);
    if (error?.trap) this.#again();
    /* The caller gets the result first, so that no tile of a replaced document is drawn. */
    setTimeout(() => this.#next());
  }

  #fail(error) {
    const job = this.#running;
    clearTimeout(job?.timer);
    this.#running = null;
    job?.reject(error);
    this.#next();
  }

  /* Ends the running call. */
  stop(why = 'stopped') {
    if (!this.#running) return;
    const {method} = this.#running;
    this.#end();
    this.#fail(new Stopped(why));
    this.#again(method);
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  /* Calls that wait are made when the new worker has the state of the old one. */
  #again(stopped) {
    this.#end();
    this.#restoring = true;
    const waiting = this.#queue.splice(0);
    this.start().then(() => this.restore(stopped)).catch(error => console.warn(error)).finally(() => {
      this.#restoring = false;
      this.#queue.push(...waiting);
      this.#next();
    });
  }
}
