/* The dialog for a new level, which is added to the files that are open. */
import {$, fill, h, notice} from './dom.js';

/* What can be made: each format that can be drawn and written, by the ending of the file. */
function kinds(formats) {
  return formats.filter(f => f.can.includes('render') && f.can.includes('write')).flatMap(format =>
    format.extensions.map(extension => ({format: format.id, family: format.family, extension,
      form: format.forms?.find(f => f.extension === extension)?.name ?? '',
      label: `.${extension}: ${format.title}`})));
}

export function openCreate(app) {
  const dialog = $('create');
  const all = kinds(app.formats);
  const kindOf = () => all.find(k => k.extension === type.value);
  const type = h('select', {onchange: () => update()}, all.map(k => h('option', {value: k.extension}, k.label)));
  const name = h('input', {required: true, pattern: '[^\\\\\\/:*?"<>\\|]+', spellcheck: false, autocomplete: 'off'});
  const size = what => h('input', {type: 'number', min: 1, step: 1, placeholder: 'as usual', 'aria-label': what});
  const [width, height] = [size('Width'), size('Height')];
  const like = h('input', {type: 'checkbox'});
  const likeRow = h('label', {className: 'switch'}, like, `With the planes, palette and settings of ${app.name}`);
  const failed = h('p', {className: 'hint', role: 'alert', hidden: true});
  const update = () => {
    const {extension, family} = kindOf();
    const stem = name.value.replace(/\.[^.]*$/, '') || 'new';
    name.value = `${stem}.${extension}`;
    likeRow.hidden = !app.doc?.scene || app.format?.family !== family;
  };
  const form = h('form', {method: 'dialog', onsubmit: async event => {
    event.preventDefault();
    try {
      await app.create(name.value, {...kindOf(), width: +width.value, height: +height.value,
        like: like.checked && !likeRow.hidden});
      dialog.close();
      notice(`${name.value} is new and not saved yet.`);
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
    }
  }}, h('h2', {}, 'New level'), h('label', {}, 'Kind', type), h('label', {}, 'Name', name),
  h('div', {className: 'row'}, h('label', {className: 'grow'}, 'Width (cells; of drawings: px)', width),
    h('label', {className: 'grow'}, 'Height', height)), likeRow, failed,
  h('div', {className: 'row'}, h('button', {type: 'submit', className: 'primary'}, 'Create'),
    h('button', {type: 'button', onclick: () => dialog.close()}, 'Cancel')));
  const same = all.find(k => app.path.toLowerCase().endsWith(`.${k.extension}`));
  if (same) type.value = same.extension;
  update();
  fill(dialog, form);
  dialog.showModal();
  /* The name is what everybody changes. */
  name.focus();
  name.setSelectionRange(0, name.value.lastIndexOf('.'));
}
