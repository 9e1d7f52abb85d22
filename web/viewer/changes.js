/*
 * Problems of the file, and changes to it: findings, repair, differences, conversion, comparison.
 */
import {$, button, commitTyped, count, fill, h, kept, keptButton, keptHeading, keptList, keptMenu, keptRow, keptSame, keptText, moreRow, plain, refill,
  saveFile, unchanging} from './dom.js';

/* Findings as rows of a list: the text of each, and the meaning of its id if the text alone is not enough. */
function findingRows(app, findings, most = findings.length) {
  const goThere = finding => {
    if (finding.path !== undefined && finding.path !== '') return app.goToPath(finding.path);
    if (finding.offset !== null && finding.offset !== undefined) {
      Object.assign(app.panel.state, {at: finding.outer ?? finding.offset, spans: null});
      app.panel.choose('bytes');
    }
    return undefined;
  };
  const rowOf = finding => {
    const place = finding.offset === null || finding.offset === undefined ? ''
      : `byte ${finding.outer === undefined ? finding.offset : `${finding.outer}/${finding.offset}`}`;
    /* The text of a rule ends with its meaning. */
    const meaning = app.kinds.get(finding.id)?.meaning ?? '';
    const shown = [finding.severity, plain(finding.text || finding.id), finding.text.endsWith(meaning.replace(/\.$/, '')) ? '' : plain(meaning),
      [finding.id, finding.path, place].filter(Boolean).join(' · ')];
    return {key: shown.join('\n'), shown, run: () => goThere(finding)};
  };
  return [...findings.slice(0, most).map(rowOf), ...moreRow(findings.length, most)];
}

const findingContent = (severity, text, meaning, place) => (text === undefined ? severity
  : [h('span', {className: `severity ${severity}`}, severity), ` ${text}`, h('small', {}, meaning), h('small', {}, place)]);

const findingList = (app, known, key, findings, most) =>
  keptList(known, key, findingRows(app, findings, most), {content: findingContent});

export const isBad = ({severity}) => ['error', 'fatal'].includes(severity);

/* Frames on the map around the things and tiles that findings are about, those of errors over the others. */
async function markFindings(app, findings) {
  const marks = await Promise.all(findings.filter(({path}) => path).map(async finding => {
    const thing = app.thingFor(finding.path);
    return {rect: thing ? app.rectOf(thing) : finding.path.includes('.tiles[') && await app.rectOfPath(finding.path), isBad: isBad(finding)};
  }));
  app.map.findings = marks.filter(({rect}) => rect).sort((a, b) => a.isBad - b.isBad);
  app.map.draw();
}

const verdicts = {sound: 'Sound: no problems found.',
  faulty: 'Faulty: the file is whole, but the game misbehaves or crashes with it.',
  damaged: 'Damaged: parts of the file are missing or wrong.',
  unreadable: 'Unreadable.', foreign: 'Unknown format.'};

export async function findingsPage(app, node, state) {
  const {known} = node;
  const result = await app.ask('check');
  const text = result.verdict === 'sound' && result.findings.length ? 'Sound, with notes or warnings.'
    : verdicts[result.verdict];
  refill(node, keptText(known, 'verdict', text, () => h('p', {className: 'verdict'})),
    keptText(known, 'count', `${count(result.findings.length, 'finding')}. Bytes that nothing explains: ${result.residue}.`,
      () => h('p', {className: 'soft'})),
    app.doc.can.includes('repair') && keptButton(known, 'repair', 'Repair …', () => {
      state.showsRepair = true;
      app.panel.choose('changes');
    }), findingList(app, known, 'findings', result.findings, 500));
  if (state.tab === 'findings') await markFindings(app, result.findings.slice(0, 500));
}

export async function changesPage(app, node, state) {
  const {known} = node;
  const heading = text => keptHeading(known, text);
  const differences = keptText(known, 'differences', undefined, () => h('pre', {className: 'diff'}));
  const repaired = kept(known, 'repaired', null, () => unchanging(h('div', {})));
  refill(node,
    keptText(known, 'of', app.other ? `Differences from ${app.other.path}` : 'Changes since the file was opened', () => h('h2', {})),
      differences,
    heading('Steps'),
    keptList(known, 'steps', app.history.map((step, i) => ({key: `${i} ${step.label}`, shown: [step.label],
      'aria-current': i === app.at ? 'true' : undefined, run: () => app.travel(i - app.at)}))),
    keptRow(known, 'save', keptButton(known, 'save', 'Save as …', () => app.save({as: true}), {title: 'Ctrl+Shift+S'}),
      !app.paths.includes(app.path) && keptButton(known, 'only', 'Save only this file', () => saveFile(app.bytes, app.name))),
    heading('Repair'), app.doc.can.includes('repair')
      ? keptButton(known, 'repair', 'Show what a repair would do', () => previewRepair(app, known, repaired))
      : keptText(known, 'no repair', 'This format has no repair.', () => h('p', {className: 'soft'})), repaired,
    convertPart(app, known), heading('Compare'), comparePart(app, known));
  if (app.repaired) showRepair(app, known, repaired);
  else if (state.showsRepair) await previewRepair(app, known, repaired);
  else refill(repaired);
  state.showsRepair = false;
  const {text, different} = await app.ask('diff', app.other ? null : app.history[0].bytes);
  keptText(known, 'differences', different ? text : 'None.');
}

async function previewRepair(app, known, out) {
  await app.run(async () => {
    const {bytes, findings} = await app.ask('repair');
    const same = bytes.length === app.bytes.length && bytes.every((byte, i) => byte === app.bytes[i]);
    const {text, different} = same ? {} : await app.ask('diff', null, bytes);
    app.repaired = {bytes, findings, same, text: different ? text : 'The content is the same; only its spelling in the file differs.'};
    showRepair(app, known, out);
    out.scrollIntoView({block: 'nearest'});
  });
}

/* The changes that a repair would make, shown before it is made. */
function showRepair(app, known, out) {
  const {bytes, findings, same, text} = app.repaired;
  if (same) {
    refill(out, keptText(known, 'nothing', 'Nothing to repair.', () => h('p', {})));
    return;
  }
  const values = keptText(known, 'values', text, () => h('pre', {className: 'diff'}));
  refill(out, keptRow(known, 'repair', keptButton(known, 'do', 'Repair', () => app.replace(bytes, 'repair'), {className: 'primary'}),
    app.doc.scene && keptButton(known, 'pictures', 'Compare the pictures', () => app.compareWith('repaired', bytes))),
  findingList(app, known, 'repair', findings),
  kept(known, 'each', null, () => unchanging(h('details', {className: 'fold'}, h('summary', {}, 'Each changed value'), values))));
}

function convertPart(app, known) {
  /* Text and binary levels of Graal have the same records and can be converted into each other. */
  const root = Object.keys(app.format.tables)[0];
  const forms = app.formats.filter(f => Object.keys(f.tables)[0] === root).flatMap(f => f.forms ?? []);
  if (!forms.length) return [];
  const losses = keptSame(known, 'losses', [app.doc], () => h('div', {}));
  const select = keptMenu(known, 'form', forms.map(form => ({value: form.name, label: form.title})), undefined,
    {ariaLabel: 'Convert to'});
  const start = async allowLoss => {
    commitTyped($('panel'));
    const {name, extension} = forms.find(f => f.name === select.value);
    const lost = await app.issue('convert', {label: 'convert', args: {form: name, extension, allowLoss}});
    /* The part of the page that is shown now: the change before may have drawn it again. */
    const out = known.get('losses')?.node ?? losses;
    if (!lost) fill(out);
    else fill(out, h('p', {}, 'This would be lost:'), findingList(app, new Map(), 'losses', lost),
      button('Convert anyway', () => start(true)));
  };
  const convertButton = keptButton(known, 'convert', 'Convert', () => start(false));
  const form = kept(known, 'form part', null, () => unchanging(h('span', {className: 'grow'}, select)));
  return [keptHeading(known, 'Convert'), keptRow(known, 'convert', form, convertButton), losses];
}

/* The command `convert`: saves the open level in another form, or returns what would be lost. */
export async function convert(app, {args: {form, extension, allowLoss}}) {
  try {
    const {bytes} = await app.client.call('convert', form, allowLoss);
    await saveFile(bytes, `${app.name.replace(/\.[^.]*$/, '')}.${extension}`);
  } catch (error) {
    if (error.status !== 'loss') throw error;
    return error.findings;
  }
  return undefined;
}

function comparePart(app, known) {
  if (app.other) {
    return keptRow(known, 'compared', keptText(known, 'with', `With ${app.other.path}`, () => h('span', {className: 'grow'})),
      keptButton(known, 'stop', 'Stop', () => {
        app.stopComparing();
        app.panel.edited();
      }));
  }
  const input = kept(known, 'file', null, () => unchanging(h('input', {type: 'file', hidden: true, 'aria-label': 'File to compare with',
    onchange: async ({target}) => {
      const [file] = target.files;
      if (file) await app.compareWith(file.name, new Uint8Array(await file.arrayBuffer()));
    }})));
  return keptRow(known, 'compare', keptButton(known, 'with a file', 'With a file …', () => input.click()), input,
    app.at > 0 && keptButton(known, 'with before', 'With the file as opened', () => app.compareWith(`${app.name} as opened`,
      app.history[0].bytes)));
}
