/*
 * What the user asks for, as values, and the queue that they go through.
 *
 * A command is made when the key or the mouse asks for it: {what, label, things, args, clip, session, version}. `what` names
 * a function of `actions`; `things`: the paths of the items that it is about, in the state that is shown then, whose number is
 * `version`; `args`: its other values; `clip`: what was copied last; `session`: the file. When it runs, nothing is read but the
 * document and these. The queue runs one command after the other. While a command waits, its things are followed through
 * each change of the document: it applies to exactly these items, or is refused with a message.
 */
import {Outdated} from './client.js';
import {add} from './add.js';
import {convert} from './changes.js';
import {align, copy, paste} from './clip.js';
import {move} from './move.js';
import {replaceHits} from './search.js';
import {duplicate} from './things.js';

/* The item of a list that a path, or an assignment to it, is about or in: "objects[3]" of "objects[3].x+=1". */
function itemOf(one) {
  return /^(?:.*\[\d+\])?/s.exec(one.split('=')[0])[0];
}

/* Assignments and paths as things and what follows them: {things, set, unset}; `assigned` is the way back. */
export function parted(set, unset) {
  const things = [...new Set([...set, ...unset].map(itemOf))];
  const part = one => [things.indexOf(itemOf(one)), one.slice(itemOf(one).length)];
  return {things, set: set.map(part), unset: unset.map(part)};
}

const {compare} = new Intl.Collator('en', {numeric: true});

/* Assignments, and items that are removed: the last ones first, since the indexes of what follows one change. */
function assigned(app, {things, args: {set, unset, ...options}, label}) {
  const whole = ([i, rest]) => things[i] + rest;
  const gone = unset.filter(([i]) => things[i] === null);
  if (unset.length && gone.length === unset.length && !set.length) return undefined;
  if (set.some(([i]) => things[i] === null)) throw new Error(`Not done: ${label}. What it is about is gone.`);
  return {...options, set: set.map(whole), unset: unset.filter(one => !gone.includes(one)).map(whole).sort(compare).reverse()};
}

/* A change of the document: the function returns it (App.make), or nothing to do. */
const edit = find => async (app, command) => {
  const change = await find(app, command);
  return change ? app.make({set: [], unset: [], label: command.label, ...change}) : undefined;
};

/* About the items of things that must all be there. */
const about = find => (app, command) => {
  if (command.things.includes(null)) throw new Error(`Not done: ${command.label}. What it is about is gone.`);
  return find(app, command);
};

/* {of: whether it is about the open file, run}. */
const actions = {
  edit: {ofFile: true, run: edit(assigned)},
  move: {ofFile: true, run: edit(about(move))},
  align: {ofFile: true, run: edit(about(align))},
  duplicate: {ofFile: true, run: edit(about(duplicate))},
  add: {ofFile: true, run: edit(about(add))},
  paste: {ofFile: true, run: edit(paste)},
  copy: {ofFile: true, run: copy},
  travel: {ofFile: true, run: (app, {args}) => app.travelNow(args.by)},
  repair: {ofFile: true, run: (app, command) => app.replaceNow(command)},
  convert: {ofFile: true, run: convert},
  replaceHits: {run: replaceHits},
  open: {run: (app, {args}) => app.openNow(args.path, args.options)},
  create: {run: (app, {args}) => app.createNow(args.name, args.options)},
  files: {run: (app, {args}) => app.useFiles(args)},
  art: {run: (app, {args}) => app.useArt(args)},
  save: {run: (app, {args}) => app.saveNow(args)},
  saveAll: {run: app => app.saveAllNow()},
};

export class Queue {
  #app;
  #waiting = new Set();
  last = Promise.resolve(); /* ends with the last command that was issued */
  issued = () => {}; /* called with each new command */

  constructor(app) {
    this.#app = app;
  }

  /*
   * Makes a command and returns what it gives; fails with an error if it is refused. Not to be called, and waited for, by a
   * command that runs.
   */
  issue(what, {label = what, things = [], args = {}, clip} = {}) {
    const {session, stateCount: version, looks} = this.#app;
    const command = {what, label, things: [...things], args, clip, session, version, looks};
    this.#waiting.add(command);
    this.issued(command);
    const result = this.last.then(async () => {
      this.#waiting.delete(command);
      const {ofFile, run} = actions[what];
      if (ofFile && command.session !== this.#app.session) {
        if (what === 'travel') throw new Outdated();
        throw new Error(`Not done: ${label}. Another file is open now.`);
      }
      return run(this.#app, command);
    });
    this.last = result.catch(() => {});
    return result;
  }

  /* The things of the commands that wait for the open file. */
  get things() {
    return this.#ofFile().flatMap(({things}) => things).filter(Boolean);
  }

  #ofFile() {
    return [...this.#waiting].filter(({session}) => session === this.#app.session);
  }

  /* The document has changed: where these paths are now; what is gone has none. */
  follow(paths) {
    for (const command of this.#ofFile()) command.things = command.things.map(path => path && (paths[path] ?? null));
  }
}
