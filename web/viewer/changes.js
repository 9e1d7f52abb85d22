/*
 * Problems of the file, and changes to it: findings, repair, differences, conversion, comparison.
 */
import {button, count, fill, h, kept, keptMenu, plain, refill, saveFile, unchanging} from './dom.js';

/* One finding: its text, and the meaning of its id if the text alone is not enough. */
function findingRow(app, finding) {
  const goThere = () => {
    if (finding.path !== undefined && finding.path !== '') return app.goToPath(finding.path);
    if (finding.offset !== null && finding.offset !== undefined) {
      Object.assign(app.panel.state, {at: finding.outer ?? finding.offset, spans: null});
      app.panel.choose('bytes');
    }
    return undefined;
  };
  return h('li', {}, h('button', {type: 'button', onclick: goThere},
    h('span', {className: `severity ${finding.severity}`}, finding.severity),
      ` ${plain(finding.text || finding.id)}`,
    h('small', {}, plain(app.kinds.get(finding.id)?.meaning ?? '')),
      h('small', {}, [finding.id, finding.path, finding.offset === null || finding.offset === undefined ? ''
      : `byte ${finding.outer === undefined ? finding.offset : `${finding.outer}/${finding.offset}`}`]
      .filter(Boolean).join(' · '))));
}

const verdicts = {sound: 'Sound: no problems found.',
  damaged: 'Damaged: parts of the file are missing or wrong.',
  unreadable: 'Unreadable.', foreign: 'Unknown format.'};

export async function findingsPage(app, node, state) {
  const result = await app.ask('check');
  const list = h('ul', {className: 'list'}, result.findings.slice(0, 500).map(finding =>
    findingRow(app, finding)));
  if (result.findings.length > 500) list.append(h('li', {className: 'soft'},
    `and ${result.findings.length - 500} more`));
  const text = result.verdict === 'sound' && result.findings.length ? 'Sound, with notes or warnings.'
    : verdicts[result.verdict];
  fill(node, h('p', {className: 'verdict'}, text),
    h('p', {className: 'soft'},
      `${count(result.findings.length, 'finding')}. Bytes that nothing explains: ${result.residue}.`),
    app.doc.can.includes('repair') && button('Repair …', () => {
      state.showsRepair = true;
      app.panel.choose('changes');
    }), list);
}

export async function changesPage(app, node, state) {
  const [differences, repaired] = [h('pre', {className: 'diff'}), h('div', {})];
  refill(node,
    h('h2', {}, app.other ? `Differences from ${app.other.path}` : 'Changes since the file was opened'),
      differences,
    h('h2', {}, 'Steps'),
    h('ul', {className: 'list'}, app.history.map((step, i) => h('li', {}, h('button', {type: 'button',
      'aria-current': i === app.at ? 'true' : undefined, onclick: () => app.travel(i - app.at)},
        step.label)))),
    h('div', {className: 'row'}, button('Save as …', () => app.save({as: true}), {title: 'Ctrl+Shift+S'}),
      !app.paths.includes(app.path) && button('Save only this file', () => saveFile(app.bytes, app.name))),
    h('h2', {}, 'Repair'), repairPart(app, node, repaired), repaired,
    convertPart(app, node.known ??= new Map()),
    h('h2', {}, 'Compare'), comparePart(app));
  if (app.repaired) showRepair(app, repaired);
  else if (state.showsRepair) await previewRepair(app, repaired);
  state.showsRepair = false;
  const {text, different} = await app.ask('diff', app.other ? null : app.history[0].bytes);
  differences.textContent = different ? text : 'None.';
}

function repairPart(app, node, out) {
  if (!app.doc.can.includes('repair')) return h('p', {className: 'soft'}, 'This format has no repair.');
  return button('Show what a repair would do', () => previewRepair(app, out));
}

async function previewRepair(app, out) {
  await app.run(async () => {
    const {bytes, findings} = await app.ask('repair');
    const same = bytes.length === app.bytes.length && bytes.every((byte, i) => byte === app.bytes[i]);
    const {text, different} = same ? {} : await app.ask('diff', null, bytes);
    app.repaired = {bytes, findings, same, text: different ? text : 'The content is the same; only its spelling in the file differs.'};
    showRepair(app, out);
    out.scrollIntoView({block: 'nearest'});
  });
}

/* The changes that a repair would make, shown before it is made. */
function showRepair(app, out) {
  const {bytes, findings, same, text} = app.repaired;
  if (same) {
    fill(out, h('p', {}, 'Nothing to repair.'));
    return;
  }
  fill(out, h('div', {className: 'row'}, button('Repair', () => app.replace(bytes, 'repair'), {className: 'primary'}),
    app.doc.scene && button('Compare the pictures', () => app.compareWith('repaired', bytes))),
  h('ul', {className: 'list'}, findings.map(finding => findingRow(app, finding))),
  h('details', {className: 'fold'}, h('summary', {}, 'Each changed value'), h('pre', {className: 'diff'}, text)));
}

function convertPart(app, known) {
  /* Text and binary levels of Graal have the same records and can be converted into each other. */
  const root = Object.keys(app.format.tables)[0];
  const forms = app.formats.filter(f => Object.keys(f.tables)[0] === root).flatMap(f => f.forms ?? []);
  if (!forms.length) return [];
  const losses = h('div', {});
  const select = keptMenu(known, 'form', forms.map(form => ({value: form.name, label: form.title})), undefined,
    {ariaLabel: 'Convert to'});
  const write = ({bytes}, form) => saveFile(bytes, `${app.name.replace(/\.[^.]*$/, '')}.${form.extension}`);
  /* The button is kept with the menu, and does what the last drawing of the page set. */
  const row = kept(known, 'convert', null, () => unchanging(h('div', {className: 'row'}, h('span', {className: 'grow'}, select),
    button('Convert', null))));
  row.lastChild.onclick = async () => {
    const form = forms.find(f => f.name === select.value);
    fill(losses);
    await app.run(async () => {
      try {
        await write(await app.ask('convert', form.name, false), form);
      } catch (error) {
        if (error.status !== 'loss') throw error;
        fill(losses, h('p', {}, 'This would be lost:'),
          h('ul', {className: 'list'}, error.findings.map(f => findingRow(app, f))),
          button('Convert anyway', () => app.run(async () =>
            write(await app.ask('convert', form.name, true), form))));
      }
    });
  };
  return [h('h2', {}, 'Convert'), row, losses];
}

function comparePart(app) {
  if (app.other) return h('div', {className: 'row'}, h('span', {className: 'grow'}, `With ${app.other.path}`),
    button('Stop', () => {
      app.stopComparing();
      app.panel.edited();
    }));
  const input = h('input', {type: 'file', hidden: true, 'aria-label': 'File to compare with',
    onchange: async () => {
    const [file] = input.files;
    if (file) await app.compareWith(file.name, new Uint8Array(await file.arrayBuffer()));
  }});
  return h('div', {className: 'row'}, button('With a file …', () => input.click()), input,
    app.at > 0 && button('With the file as opened', () => app.compareWith(`${app.name} as opened`,
      app.history[0].bytes)));
}
