/*
 * The game book (data/games) in the panel: what the thing of a record is, what it uses of the record's numbers and texts, and which of them its
 * game does not read. scripts/games says what is in a book. A book is loaded when a record of its format is shown first; the page of one file
 * has the books inside.
 */
import {inlined} from './dom.js';
import {tableFor} from './tables.js';

const gamesOf = {wwd: ['claw', 'gruntz'], sketchy: ['sketchy']};
const sides = ['left', 'top', 'right', 'bottom'];
const limits = {min_x: 'left', min_y: 'top', max_x: 'right', max_y: 'bottom'};
const books = new Map();

async function load(game) {
  return (inlined(`lvl-game-${game}`) ?? await fetch(new URL(`./games/${game}.json`, document.baseURI))).json();
}

/* Without its book, a record is shown as its table says. */
const bookOf = game => books.get(game) ?? books.set(game, load(game).catch(() => null)).get(game);

/* "powerup user_rect1.*" or {member: prose}: pairs of a member and its prose. */
function membersOf({fields, text, moves}) {
  const pairs = typeof fields === 'string' ? fields.split(' ').map(name => [name, text]) : Object.entries(fields);
  const all = pairs.flatMap(([name, prose]) => (name.endsWith('.*') ? sides.map(side => [name.replace('*', side), prose]) : [[name, prose]]));
  /* Of several limits with one text, the side is said. */
  const sideOf = name => moves && all.length > 1 && (limits[name] ?? sides.find(side => name.endsWith(`.${side}`)));
  return all.map(([name, prose]) => [name, text && prose === text && sideOf(name) ? `${prose}: ${sideOf(name)}` : prose]);
}

/* The member of a table and of the record in it: "user_rect1.left". */
function fieldAt(format, table, name) {
  const [first, second] = name.split('.');
  const field = table.fields.find(f => f.name === first);
  return second === undefined ? field : format.tables[field?.table]?.fields.find(f => f.name === second);
}

/* A name of a member stays as it is. */
const sentence = text => (text ? `${/^\w*_/.test(text) ? text[0] : text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}` : '');

/* Steps are pairs of a direction and a length. */
const stepAt = (use, i) => (use.shape === 'steps' && i % 2 === 0 ? {...use, value: 'direction'} : use);

const noYes = ['no', 'yes'].map((name, value) => ({name, value, set: String(value)}));

/* What a text is usually: names of the thing's pictures, of the game's sounds and animations with what they are. */
const usualTexts = (use, book, thing) => (use.value === 'image_set' ? thing.images
  : Object.entries(book.keys?.[use.value] ?? {}).map(([value, label]) => ({value, label})));

/*
 * The field as the book describes it for a thing; what the use says at length stands once, at its first field. A number with names is one of
 * them, unless it counts or measures something: then they are suggested.
 */
function asUsed(field, name, [prose, isFirst], {use, book, thing, key}) {
  const values = book.values?.[use.value];
  const named = values?.map(v => ({name: v.name.replaceAll('_', ' '), value: v.number, set: String(v.number)}))
    ?? field.names ?? (use.value === 'bool' && field.kind === 'int' ? noYes : undefined);
  const isOpen = values && use.unit;
  const atLength = [use.if && `Only if ${use.if}.`, use.when_0 && !values && `0: ${sentence(use.when_0)}`, sentence(use.note),
    use.range && !values && `Values: ${use.range.replace('..', ' to ').replace(/^>=/, 'at least ')}.`];
  return {...field, name, book: key, isFirst, title: use.word ? `${use.word}: ${prose}` : prose, unit: use.unit ?? field.unit,
    names: isOpen ? undefined : named, use: use.value === 'sound_key' ? 'sound' : field.use,
    suggest: isOpen ? named.map(n => ({value: n.set, label: n.name})) : usualTexts(use, book, thing),
    prose: isFirst ? atLength.filter(Boolean).join(' ') : ''};
}

/*
 * What the book says about the record at a path: {title, is, notes, names: of the game's things, uses: fields with names of members, unread: such
 * fields that the game does not read}. Of two games with a thing of that name, the one that knows more of the level's things. null: no book
 * describes it.
 */
export async function thingOf(app, path, value, table) {
  const found = [];
  for (const game of gamesOf[app.doc.format] ?? []) {
    const book = await bookOf(game);
    const key = value?.[book?.named ?? 'logic'];
    /* The book's "lvl_wwd_object" is the table "object". */
    if (typeof key === 'string' && book.record.endsWith(`_${table?.name}`) && Object.hasOwn(book.things, key))
      found.push({book, key, thing: book.things[key]});
  }
  if (found.length > 1) {
    const known = ({book}) => app.doc.scene?.things?.filter(one => Object.hasOwn(book.things, one.label)).length ?? 0;
    found.sort((a, b) => known(b) - known(a));
  }
  if (!found.length) return null;
  const [{book, key, thing}] = found;
  const fieldsOf = uses => uses.flatMap(use => membersOf(use).flatMap(([name, prose], i) => {
    const field = fieldAt(app.format, table, name);
    return field ? [asUsed(field, name, [prose, i === 0], {use: stepAt(use, i), book, thing, key})] : [];
  })).filter((one, i, all) => all.findIndex(other => other.name === one.name) === i);
  const all = (thing.uses ?? []).map(use => (typeof use === 'string' ? book.parts[use] : use));
  const uses = fieldsOf(all.filter(use => !use.unread));
  const options = Object.entries(thing.options ?? {}).map(([name, usual]) =>
    `Option ${name} (usually ${usual}): ${sentence(book.options?.[name]?.is)}`);
  return {key, title: thing.title ?? key, is: sentence(thing.is), images: thing.images ?? [], z: thing.z,
    names: Object.entries(book.things).filter(([, one]) => one.kind !== 'engine').map(([name]) => name),
    notes: [thing.links && `Links: ${sentence(thing.links)}`, thing.needs && `Needs: ${thing.needs}.`, ...options, ...thing.notes ?? []].filter(Boolean),
    uses, unread: fieldsOf(all.filter(use => use.unread)).filter(one => !uses.some(use => use.name === one.name))};
}

/* The fields of what `thingOf` says, as the panel shows them: of four corners or eight items, those that are not set are folded. */
export function partsOf({uses, unread}, value) {
  const isSet = ({name}) => Boolean(name.split('.').reduce((from, member) => from?.[member], value));
  const isShown = field => field.isFirst || isSet(field);
  return {shown: uses.filter(isShown), folded: uses.filter(field => !isShown(field)), unread: unread.filter(isSet)};
}

/* What things of its kind usually have in a field, by its role; undefined: nothing is known. */
export function usualFor(field, {key, images, names, z}) {
  const usual = {picture: images, class: names, order: z === undefined ? [] : [{value: z, label: `usual for ${key}`}]};
  return field.roles?.map(role => usual[role]).find(list => list?.length);
}
