/* What the format's tables say about a record: its fields, and what these are in a level (their roles). */

/* "planes[2].objects[17]" -> the table of that record. */
export function tableFor(format, path) {
  let table = Object.values(format.tables)[0];
  for (const part of path.split('.').filter(Boolean)) {
    const field = table?.fields.find(f => f.name === part.replace(/\[.*$/, ''));
    table = field?.table ? format.tables[field.table] : undefined;
  }
  return table;
}

/* Whether the panel shows a field without unfolding anything. What a thing uses is shown before: of how it behaves, only its logic is left. */
export function isUnfolded(field, table, isDescribed) {
  return Boolean(field.common) && !(field.group === 'behaviour' && isDescribed && field.name !== table.label);
}

/* The field of a table with a role ("x", "id"). */
export function fieldWith(table, role) {
  return table?.fields.find(f => f.roles?.includes(role));
}

/* The names of the fields with these roles; undefined: one of them is missing. */
export function namesWith(table, ...roles) {
  const fields = roles.map(role => fieldWith(table, role));
  return fields.every(Boolean) ? fields.map(f => f.name) : undefined;
}

/*
 * The fields of the place of a table, or of a record in it (`inner`): px of the picture for one unit, and their
 * smallest step: whole px or half tiles, as far as this version has them.
 */
export function placeIn(app, table) {
  const main = app.doc.scene?.layers?.find(layer => layer.main);
  const records = [['', table], ...table.fields.filter(f => f.kind === 'record')
    .map(f => [f.name, app.format.tables[f.table]])];
  for (const [inner, record] of records) {
    const [x, y] = ['x', 'y'].map(role => fieldWith(record, role));
    if (!x || !y) continue;
    const axis = (field, cell) => ({inner, name: field.name, px: field.unit === 'tiles' ? cell ?? 16 : 1,
      step: field.kind === 'real' && !app.doc.whole.includes(table.name) ? 0.5 : 1});
    return [axis(x, main?.cell_width), axis(y, main?.cell_height)];
  }
  return null;
}

/* The names of the fields that say where in another level a thing leads: texts, which may be expressions. */
export function destination(table) {
  const fields = ['dest_x', 'dest_y'].map(role => fieldWith(table, role));
  return fields.every(f => f?.kind === 'text') ? fields.map(f => f.name) : undefined;
}
