/* Files that are dropped or chosen, as a list of paths with File objects; and which of them is a level. */

async function readEntry(entry, into) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    into.push({path: entry.fullPath.replace(/^\//, ''), file});
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const inner of some) await readEntry(inner, into);
  }
}

export async function dropped(transfer) {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return chosen(transfer.files);
  const list = [];
  for (const entry of entries) await readEntry(entry, list);
  return list;
}

export function chosen(files) {
  return [...files].map(file => ({path: file.webkitRelativePath || file.name, file}));
}

/* Which files lvl reads, by the ends of their names; what draws a whole world comes first. */
export function levelsAmong(paths, formats) {
  const order = ['gmap', 'nw', 'graal', 'zelda', 'level', 'wwd', 'levelpack', 'rez', 'gani', 'doodad'];
  const known = new Set(formats.flatMap(format => format.extensions));
  const rank = path => {
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    const at = order.indexOf(extension);
    return at >= 0 ? at : known.has(extension) ? 50 : 100;
  };
  return paths.map(path => ({path, rank: rank(path)})).filter(f => f.rank < 100)
    .sort((a, b) => a.rank - b.rank || a.path.localeCompare(b.path)).map(f => f.path);
}

/* The path of a file that a level names: beside it first, then anywhere. Case does not matter. */
export function findBeside(paths, from, name) {
  const wanted = name.replaceAll('\\', '/').toLowerCase();
  const folder = from.slice(0, from.lastIndexOf('/') + 1).toLowerCase();
  return paths.find(path => path.toLowerCase() === folder + wanted)
    ?? paths.find(path => path.toLowerCase() === wanted || path.toLowerCase().endsWith(`/${wanted}`));
}
