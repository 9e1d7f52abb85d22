/* What the format's tables say about a record: its fields, and which of them hold its place. */

/* "planes[2].objects[17]" -> the table of that record. */
export function tableFor(format, path) {
  let table = Object.values(format.tables)[0];
  for (const part of path.split('.').filter(Boolean)) {
    const field = table?.fields.find(f => f.name === part.replace(/\[.*$/, ''));
    table = field?.table ? format.tables[field.table] : undefined;
  }
  return table;
}

/*
 * The fields x and y of a table, or of a record in it (`inner`): px of the picture for one unit, and their smallest
 * step: whole px or half tiles.
 */
export function placeIn(app, table) {
  const main = app.doc.scene?.layers?.find(layer => layer.main);
  const records = [['', table], ...table.fields.filter(f => f.kind === 'record')
    .map(f => [f.name, app.format.tables[f.table]])];
  for (const [inner, {fields}] of records) {
    const [x, y] = ['x', 'y'].map(name => fields.find(f => f.name === name
      && ['px', 'tiles'].includes(f.unit)));
    if (!x || !y) continue;
    const axis = (field, cell) => ({inner, name: field.name, px: field.unit === 'tiles' ? cell ?? 16 : 1,
      step: field.kind === 'real' ? 0.5 : 1});
    return [axis(x, main?.cell_width), axis(y, main?.cell_height)];
  }
  return null;
}
