/*
 * What an edit changes in a scene. A level may have ten thousands of things: the worker compares the texts of two scenes
 * and passes on only the things that differ, and the page puts them into the scene that it has.
 */

const item = '{"path":'; /* how each thing begins; within a JSON string the quotes would be escaped */

/* How many bytes two texts have in common, from the start or the end. Comparing slices is much faster than a loop. */
function common(a, b, most, at) {
  let [least, end] = [0, most];
  while (least < end) {
    const half = Math.ceil((least + end) / 2);
    if (at(a, least, half) === at(b, least, half)) least = half;
    else end = half - 1;
  }
  return least;
}

const fromStart = (text, from, to) => text.slice(from, to);
const fromEnd = (text, from, to) => text.slice(text.length - to, text.length - from);

function parts(text) {
  const things = text.indexOf(',"things":[') + 11;
  const tail = text.lastIndexOf('],"arrows":[');
  return [text.slice(0, things), text.slice(things, tail), text.slice(tail)];
}

function count(text) {
  let n = 0;
  for (let i = text.indexOf(item); i >= 0; i = text.indexOf(item, i + 1)) n++;
  return n;
}

/*
 * The change from one text (Doc.sceneText) to another: {at, removed, things, rest}: at this index so many things are
 * replaced by these; `rest`: arrows and links, if they differ. Nothing differs: {}. undefined: more than that differs.
 */
export function sceneChange(before, after) {
  if (before === after) return {};
  const [[head, old, tail], [newHead, now, newTail]] = [parts(before), parts(after)];
  if (head !== newHead) return undefined;
  const change = {};
  if (old !== now) {
    const most = Math.min(old.length, now.length);
    const same = common(old, now, most, fromStart);
    const start = Math.max(0, now.lastIndexOf(item, same));
    const left = most - start;
    const ending = common(old, now, left, fromEnd);
    const [end, newEnd] = [old, now].map(text => {
      const next = text.indexOf(item, text.length - ending);
      return next < 0 ? text.length : next;
    });
    change.at = count(now.slice(0, start));
    change.removed = count(old.slice(start, end));
    change.things = JSON.parse(`[${now.slice(start, newEnd).replace(/,$/, '')}]`);
  }
  if (tail !== newTail) change.rest = JSON.parse(`{${newTail.slice(2)}`);
  return change;
}

/* The scene after such a change of the scene `before`. */
export function changedScene(before, {at, removed, things, rest = {}}) {
  if (!things) return {...before, ...rest};
  return {...before, ...rest, things: [...before.things.slice(0, at), ...things, ...before.things.slice(at + removed)]};
}
