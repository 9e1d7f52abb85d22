/* What is wrong with the file, and what was done to it: findings, repair, differences, conversion, comparison. */
import {button, fill, h, notice, saveFile, size} from './dom.js';

function findingRow(app, finding, act) {
  return h('li', {}, h('button', {type: 'button', onclick: act},
    h('span', {className: `severity ${finding.severity}`}, finding.severity), ` ${finding.text || finding.id}`,
    h('small', {}, [finding.id, finding.path, finding.offset === null || finding.offset === undefined ? ''
      : `byte ${finding.outer === undefined ? finding.offset : `${finding.outer}/${finding.offset}`}`]
      .filter(Boolean).join(' · '))));
}

const verdicts = {sound: 'Sound: nothing is wrong with the file.', damaged: 'Damaged: some of it is lost or wrong.',
  unreadable: 'Unreadable.', foreign: 'Not a file that lvl knows.'};

export async function findingsPage(app, node) {
  const result = await app.client.call('check');
  const list = h('ul', {className: 'list'}, result.findings.slice(0, 500).map(finding => findingRow(app, finding, () => {
    if (finding.path) app.goToPath(finding.path);
    else if (finding.offset !== null) {
      Object.assign(app.panel.state, {at: finding.outer ?? finding.offset, spans: null});
      app.panel.choose('bytes');
    }
  })));
  const text = result.verdict === 'sound' && result.findings.length ? 'Sound, with remarks.' : verdicts[result.verdict];
  fill(node, h('p', {className: 'verdict'}, text),
    h('p', {className: 'soft'}, `${result.findings.length} findings. Bytes that nothing explains: ${result.residue}.`),
    app.doc.can.includes('repair') && button('Repair …', () => app.panel.choose('changes')), list);
}

export async function changesPage(app, node) {
  const [differences, repaired] = [h('pre', {className: 'diff'}), h('div', {})];
  const original = app.history[0].bytes;
  fill(node,
    h('h3', {}, app.other ? `From this file as opened to ${app.other.path}` : 'Changes since the file was opened'), differences,
    h('h3', {}, 'Steps'),
    h('ul', {className: 'list'}, app.history.map((step, i) => h('li', {}, h('button', {type: 'button',
      'aria-current': i === app.at ? 'true' : undefined, onclick: () => app.travel(i - app.at)}, step.label)))),
    h('h3', {}, 'Repair'), repairPart(app, repaired), repaired,
    convertPart(app),
    h('h3', {}, 'Compare'), comparePart(app));
  const {text, different} = await app.client.call('diff', original, Boolean(app.other));
  differences.textContent = different ? text : 'None.';
}

function repairPart(app, out) {
  if (!app.doc.can.includes('repair')) return h('p', {className: 'soft'}, 'This format has no repair.');
  return button('Show what a repair would do', () => app.run(async () => {
    const {bytes, findings} = await app.client.call('repair');
    const same = bytes.length === app.bytes.length && bytes.every((byte, i) => byte === app.bytes[i]);
    fill(out, h('ul', {className: 'list'}, findings.map(finding => findingRow(app, finding, () => app.goToPath(finding.path ?? '')))),
      same ? h('p', {}, 'Nothing to repair.') : button('Repair', () => app.replace(bytes, 'repair'), {className: 'primary'}));
  }));
}

function convertPart(app) {
  const forms = app.format?.forms ?? [];
  if (!forms.length) return [];
  const losses = h('div', {});
  const select = h('select', {'aria-label': 'Convert to'}, forms.map(form => h('option', {value: form.name}, form.title)));
  const write = ({bytes}, form) => saveFile(bytes, `${app.name.replace(/\.[^.]*$/, '')}.${form.extension}`);
  return [h('h3', {}, 'Convert'), h('div', {className: 'row'}, h('span', {className: 'grow'}, select), button('Convert', async () => {
    const form = forms.find(f => f.name === select.value);
    fill(losses);
    await app.run(async () => {
      try {
        await write(await app.client.call('convert', form.name, false), form);
      } catch (error) {
        if (error.status !== 'loss') throw error;
        fill(losses, h('p', {}, 'This would be lost:'),
          h('ul', {className: 'list'}, error.findings.map(f => findingRow(app, f, () => app.goToPath(f.path ?? '')))),
          button('Convert all the same', () => app.run(async () =>
            write(await app.client.call('convert', form.name, true), form))));
      }
    });
  })), losses];
}

function comparePart(app) {
  if (app.other) return h('div', {className: 'row'}, h('span', {className: 'grow'}, `With ${app.other.path}`),
    button('Stop', () => {
      app.stopComparing();
      app.panel.edited();
    }));
  const input = h('input', {type: 'file', hidden: true, 'aria-label': 'File to compare with', onchange: async () => {
    const [file] = input.files;
    if (file) await app.compareWith(file.name, new Uint8Array(await file.arrayBuffer()));
  }});
  return h('div', {className: 'row'}, button('With a file …', () => input.click()), input,
    app.at > 0 && button('With the file as opened', () => app.compareWith(`${app.name} as opened`, app.history[0].bytes)));
}
