/* What lvl.js does: each function once, on samples of the three families, and how it fails. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {FileSet, LvlError, load} from '../../web/lvl.js';

const read = path => new Uint8Array(readFileSync(new URL(`../../samples/${path}`, import.meta.url)));
const lvl = await load();
let tests = 0;
function test(name, run) {
  try {
    run();
    tests++;
  } catch (error) {
    console.error(`failed: ${name}`);
    throw error;
  }
}

const families = ['sketchy/hill-v4.level', 'sketchy/hill-v1.level', 'graal/lakeside/lake_village.nw',
  'graal/versions/gr-v1.03.graal', 'graal/ganis/hero_walk.gani', 'wwd/cliffs.wwd', 'sketchy/walk.levelpack'];

/* Pages are passed on: what is loaded shall stay small. */
test('size', () => {
  const packed = gzipSync(readFileSync(new URL('../../web/lvl.wasm', import.meta.url)), {level: 9}).length;
  assert.ok(packed <= 480 * 1024, `lvl.wasm: ${packed} bytes gzipped, at most 480 KiB are wanted`);
});

for (const name of families) {
  test(name, () => {
    const bytes = read(name);
    const doc = lvl.open(bytes, name);
    assert.deepEqual(doc.save(), bytes);
    const dump = doc.dump();
    assert.equal(dump.format, doc.format);
    assert.deepEqual(doc.get(), dump.doc);
    const again = lvl.undump(dump, name);
    assert.deepEqual(again.save(), bytes);
    assert.equal(doc.diff(again).different, false);
    assert.equal(doc.check({roundtrip: true}).verdict, 'sound');
    assert.equal(doc.check({roundtrip: true}).roundtrip, true);
    assert.equal(doc.info().format, doc.format);
    assert.ok(doc.explain().length > 1);
    if (doc.can.includes('render')) {
      const {width, height, ...scene} = doc.scene();
      assert.ok(width > 0 && height > 0);
      assert.deepEqual(JSON.parse(doc.sceneText()), scene);
    }
    assert.ok(doc.explain({at: 0}).length >= 1);
    assert.deepEqual(doc.explain({residue: true}), []);
    assert.ok(lvl.formats().find(f => f.id === doc.format).tables);
    again.close();
    doc.close();
    doc.close();
    assert.throws(() => doc.dump(), LvlError);
  });
}

test('options that do not apply: the verdict of a dump, layers that there are not', () => {
  const doc = lvl.open(read('graal/lakeside/lake_village.nw'), 'lake_village.nw');
  const again = lvl.undump(doc.dump(), 'lake_village.nw', {verdict: true});
  assert.equal(again.verdict, undefined);
  const {data} = doc.render({size: 64});
  for (const on of [true, false]) assert.deepEqual(doc.render({size: 64, layers: {0: true, 7: on}}).data, data);
  again.close();
  doc.close();
});

test('the verdict, found while the file is read', () => {
  for (const name of [...families, 'graal/damaged/cut-npcs.graal', 'graal/damaged/stale-chests.graal']) {
    const doc = lvl.open(read(name), name, {verdict: true});
    assert.equal(doc.verdict, doc.check().verdict, name);
    doc.close();
  }
  assert.equal(lvl.open(read(families[0]), families[0]).verdict, undefined);
  assert.throws(() => lvl.open(Uint8Array.from([1, 2, 3]), 'a.zelda', {verdict: true}), LvlError);
});

test('copy, resize, the bytes of streams, art that is shared by two states', () => {
  const from = lvl.open(read('graal/lakeside/lake_village.nw'), 'a.nw');
  const to = lvl.open(read('graal/lakeside/lake_woods.nw'), 'b.nw');
  const before = to.get('npcs').length;
  assert.equal(to.copy(from, 'npcs[0]').copied, 1);
  assert.deepEqual(to.get('npcs').at(-1), from.get('npcs')[0]);
  assert.equal(to.get('npcs').length, before + 1);
  assert.throws(() => to.copy(from, 'npcs[99]'), error => error.code === 'missing');
  assert.throws(() => to.resize(70, 70), error => error.code === 'unsupported');
  const wwd = lvl.open(read('wwd/cliffs.wwd'), 'cliffs.wwd', {files: {'SAMPLES.REZ': read('wwd/SAMPLES.REZ')},
    art: ['SAMPLES.REZ']});
  assert.throws(() => wwd.resize(0, 1), error => error.code === 'argument');
  const region = [400, 300, 64, 64];
  const {data} = wwd.render({region});
  const again = lvl.open(read('wwd/cliffs.wwd'), 'cliffs.wwd', {files: {}, artOf: wwd});
  wwd.close();
  assert.deepEqual(again.render({region}).data, data);
  const [file, block] = again.spaces();
  assert.deepEqual([file.id, file.size, block.place, block.base], [0, read('wwd/cliffs.wwd').length, '0x5f4', 0x5f4]);
  assert.equal(again.space(block.id).length, block.size);
  assert.throws(() => again.space(99), error => error.code === 'missing');
  assert.equal(again.resize(70, 14).changed, 1);
  assert.equal(again.scene().width, 70 * 64);
  for (const doc of [from, to, again]) doc.close();
});

test('copies of objects move, and name each other; a sound that an object names', () => {
  const list = 'planes[4].objects';
  const from = lvl.open(read('wwd/cliffs.wwd'), 'a.wwd');
  const files = {'LEVEL1/SOUNDS/AMBIENT/SURF.WAV': Uint8Array.of(82, 73, 70, 70)};
  const to = lvl.open(read('wwd/cliffs.wwd'), 'b.wwd', {files, art: ['']});
  const {length} = to.get(list);
  const [{x, min_x: least}] = from.getAll(`${list}[logic=Officer]`).map(one => one.value);
  assert.equal(to.copy(from, [`${list}[logic=Officer]`, `${list}[0]`], list, {by: [64, -8]}).copied, 3);
  const copy = to.get(`${list}[${length}]`);
  assert.deepEqual([copy.x, copy.min_x], [x + 64, least + 64]);
  assert.throws(() => to.copy(from, `${list}[0]`, list, {by: [1e6, 0]}), error => /outside/.test(error.message));
  assert.equal(to.copy(from, `${list}[0]`, list, {by: [1e6, 0], outside: true}).copied, 1);
  assert.throws(() => to.copy(from, [`${list}[0]`, 'planes[4]']), error => error.code === 'argument');
  assert.throws(() => to.copy(from, []), error => error.code === 'argument');
  assert.throws(() => to.copy(from, `${list}[0]`, list, {by: [1]}), error => error.code === 'argument');
  assert.throws(() => to.copy(from, `${list}[0]`, list, {by: [0.5, 0]}), error => error.code === 'argument');
  assert.deepEqual(to.sound('LEVEL_AMBIENT_SURF'), Uint8Array.of(82, 73, 70, 70));
  assert.throws(() => to.sound('LEVEL_AMBIENT_WIND'), error => error.code === 'missing' && /LEVEL_AMBIENT_WIND/.test(error.message));
  assert.throws(() => from.sound('LEVEL_AMBIENT_SURF'), error => error.code === 'missing');
  assert.throws(() => to.sound(3), error => error.code === 'argument');
  for (const doc of [from, to]) doc.close();
  const gani = lvl.open(read('graal/ganis/hero_walk.gani'), 'a.gani', {files: {'sounds/steps.wav': Uint8Array.of(1, 2)}, art: ['sounds']});
  assert.deepEqual(gani.sound('steps.wav'), Uint8Array.of(1, 2));
  assert.throws(() => gani.sound('none.wav'), error => error.code === 'missing');
  const {tables} = lvl.formats().find(format => format.id === 'gani');
  assert.equal(tables.sound.fields.find(field => field.name === 'file').use, 'sound');
  gani.close();
});

test('what belongs to an object moves with it; texts of rules', () => {
  const doc = lvl.open(read('wwd/cliffs.wwd'), 'cliffs.wwd');
  const path = 'planes[Action].objects[0]';
  doc.set({[`${path}.logic`]: 'Officer', [`${path}.x`]: 500, [`${path}.min_x`]: 400, [`${path}.max_x`]: 600});
  assert.equal(doc.move(path, 64, -8).moved, 1);
  assert.deepEqual(['x', 'min_x', 'max_x'].map(name => doc.get(`${path}.${name}`)), [564, 464, 664]);
  assert.throws(() => doc.move([path], -1000, 0), error => error.code === 'argument' && /outside/.test(error.message));
  assert.equal(doc.move([path, path], -1000, 0, {outside: true}).moved, 1);
  assert.equal(doc.get(`${path}.x`), -436);
  const other = 'planes[Action].objects[1]';
  const [before, y] = [doc.get(`${path}.x`), doc.get(`${other}.y`)];
  assert.equal(doc.moveEach([[path, 8, 0], [other, 0, -4]]).moved, 2);
  assert.deepEqual([doc.get(`${path}.x`), doc.get(`${other}.y`)], [before + 8, y - 4]);
  assert.throws(() => doc.moveEach([[path, 8, 0], [path, 9, 0]]), error => error.code === 'argument' && /differently/.test(error.message));
  assert.throws(() => doc.moveEach([[path, 8]]), error => error.code === 'argument');
  assert.throws(() => doc.moveEach('all'), error => error.code === 'argument');
  assert.throws(() => doc.moveEach([]), error => error.code === 'argument');
  assert.throws(() => doc.move('planes[Action].objects[9999]', 1, 0), error => error.code === 'missing');
  assert.throws(() => doc.move([], 1, 0), error => error.code === 'argument');
  assert.throws(() => doc.move(path, 0.5, 0), error => error.code === 'argument');
  doc.set({[`${path}.logic`]: 'Treasure', [`${path}.powerup`]: 9999});
  const kinds = new Map(lvl.findingKinds().map(kind => [kind.id, kind]));
  const ruled = doc.check().findings.filter(({id}) => id.startsWith('claw.'));
  assert.ok(ruled.length > 0);
  for (const {id, text} of ruled) assert.ok(text && kinds.get(id).meaning, id);
  doc.close();
  const drawing = lvl.open(read('sketchy/hill-v4.level'), 'hill-v4.level');
  for (const {id} of drawing.check().findings) assert.ok(kinds.get(id)?.meaning, id);
  drawing.close();
});

test('texts of another build are refused', async () => {
  const [module, texts] = ['lvl.wasm', 'lvl-texts.json'].map(name => readFileSync(new URL(`../../web/${name}`, import.meta.url)));
  const without = await load(module);
  assert.equal(without.findingKinds().find(kind => kind.id === 'wwd.header.cut').meaning, '');
  assert.equal((await load(module, texts)).findingKinds().find(kind => kind.id === 'wwd.header.cut').meaning,
    lvl.findingKinds().find(kind => kind.id === 'wwd.header.cut').meaning);
  await assert.rejects(load(module, Buffer.from(String(texts).replace('"build":"', '"build":"x'))), error => error.code === 'format');
});

test('edit', () => {
  const doc = lvl.open(read('sketchy/hill-v4.level'), 'hill-v4.level');
  const before = lvl.open(doc.save(), 'before.level');
  assert.equal(doc.set('title', 'A "better" one'), 1);
  assert.deepEqual([doc.get('actors[999].point.x'), doc.getAll('actors[filename=nothing]'), doc.getText('actors[999]')], [undefined, [], '']);
  assert.throws(() => doc.get('nothing'), error => error.code === 'argument');
  assert.equal(doc.get('title'), 'A "better" one');
  assert.equal(doc.set('title', '"quoted"'), 1);
  assert.equal(doc.get('title'), '"quoted"');
  const x = doc.get('actors[0].point.x');
  assert.ok(doc.set({'actors[0].point.x': x + 5, 'actors[-1].point.y': 3}) >= 1);
  assert.equal(doc.get('actors[0].point.x'), x + 5);
  assert.equal(doc.scene().things.find(t => t.path === 'actors[0]').x, x + 5 - before.get('actors[0].point.x')
    + before.scene().things.find(t => t.path === 'actors[0]').x);
  const {different, changes} = before.diff(doc);
  assert.ok(different && changes.some(c => c.path === 'title'));
  assert.throws(() => doc.set({title: 'none', nothing: 1}), e => e instanceof LvlError
    && e.status === 'argument');
  assert.equal(doc.get('title'), '"quoted"');
  assert.equal(doc.set({'actors[0].point.x': x, 'actors[-1].point.y': before.get('actors[-1].point.y'),
    title: before.get('title')}), 3);
  assert.equal(before.diff(doc).different, false);
  assert.deepEqual(doc.save(), before.save());
});

test('an item is found again', () => {
  const open = () => lvl.open(read('wwd/cliffs.wwd'), 'cliffs.wwd');
  const before = open();
  const path = 'planes[4].objects[1]';
  const at = (change, from = path) => {
    const after = open();
    change(after);
    return after.follow(from, before);
  };
  const copy = JSON.stringify(before.get(path));
  assert.equal(at(() => {}, `${path}.move_rect`), `${path}.move_rect`);
  assert.equal(at(doc => doc.set([`planes[4].objects[+0]=${copy}`])), 'planes[4].objects[2]');
  assert.equal(at(doc => doc.unset('planes[4].objects[0]'), 'planes[4].objects[3]'), 'planes[4].objects[2]');
  assert.equal(at(doc => doc.set(`${path}.x`, 7)), path);
  assert.equal(at(doc => doc.set({[`${path}.x`]: 7, [`${path}.y`]: 9, [`${path}.id`]: 777, [`${path}.logic`]: 'Other',
    [`${path}.name`]: 'new'})), path);
  assert.equal(at(doc => doc.unset(path)), undefined);
  assert.equal(at(doc => doc.unset('planes[0]'), 'planes[4].objects[1]'), 'planes[3].objects[1]');
  assert.equal(at(() => {}, 'name'), 'name');
  assert.deepEqual(at(doc => doc.unset('planes[4].objects[0]'), ['planes[4].objects[1].x', '', 'planes[4].objects[0]']),
    ['planes[4].objects[0].x', '', undefined]);
  assert.throws(() => at(() => {}, 'planes[*]'), error => error instanceof LvlError && error.status === 'argument');
  assert.throws(() => before.follow('title', lvl.open(read('sketchy/hill-v4.level'), 'hill-v4.level')),
    error => error instanceof LvlError && error.status === 'argument');
});

test('a new level', () => {
  for (const {id, can, forms = [{name: ''}], extensions} of lvl.formats()) {
    if (!can.includes('render') || !can.includes('write')) continue;
    for (const {name: form, extension = extensions[0]} of forms) {
      if (form === 'bigmap' || id === 'mng') { /* recognized by the levels that it names; by its pictures */
        assert.throws(() => lvl.create(id, {form}), /not recognized/);
        continue;
      }
      const doc = lvl.open(lvl.create(id, {form, extension}), `new.${extension}`);
      assert.equal(doc.format, id);
      assert.deepEqual(doc.check().findings.filter(f => f.severity === 'error'), [], `${id} ${form}`);
      doc.close();
    }
  }
  const like = lvl.open(read('wwd/cliffs.wwd'), 'cliffs.wwd');
  const doc = lvl.open(lvl.create('wwd', {width: 70, height: 20, like}), 'new.wwd');
  assert.deepEqual([doc.get('planes[4].name'), doc.get('planes[4].tiles_wide'), doc.get('planes[4].objects').length],
    ['Action', 70, 0]);
  for (const bad of [() => lvl.create('none'), () => lvl.create('nw', {width: 7}), () => lvl.create('nw', {width: -1}),
    () => lvl.create('nw', {form: 'wwd'}), () => lvl.create('nw', {like: 3}), () => lvl.create('nw', {like})])
    assert.throws(bad, error => error instanceof LvlError);
});

test('a text with a NUL is an error, and no option of its own', () => {
  const bytes = read('sketchy/hill-v4.level');
  const doc = lvl.open(bytes, 'hill-v4.level');
  for (const bad of [() => lvl.open(bytes, 'a.level', {codepage: 'utf-8\0profile=strict'}), () => lvl.open(bytes, 'a\0.level'),
    () => lvl.open(bytes, 'a.level', {files: {}, art: ['a\0b']}), () => lvl.create('nw', {form: '\0width=9'}),
    () => doc.set(['title=a\0author=b']), () => doc.unset('title\0author'), () => doc.get('title\0'),
    () => doc.render({size: 64, choices: {head: 'a\0transparent=1'}}), () => lvl.schema('wwd\0')])
    assert.throws(bad, error => error instanceof LvlError && error.code === 'argument' && /NUL/.test(error.message), String(bad));
  assert.deepEqual(doc.save(), bytes);
  doc.set('title', 'a\0b');
  assert.equal(doc.get('title'), 'a\0b');
  doc.close();
});

test('the finding that made it fail is the message', () => {
  const doc = lvl.open(read('sketchy/hill-v4.level'), 'hill-v4.level');
  assert.throws(() => doc.set({'actors[0].point.x': 'no number'}), error => {
    const worst = error.findings.filter(f => f.severity === 'error' || f.severity === 'fatal').pop();
    return error.message.includes(worst.text) && error.id === worst.id;
  });
});

test('draw', () => {
  const doc = lvl.open(read('wwd/cliffs.wwd'), 'cliffs.wwd');
  const {width, height, layers, things} = doc.scene();
  assert.ok(layers.some(l => l.main) && things.length > 1);
  const whole = doc.render();
  assert.deepEqual([whole.width, whole.height, whole.data.length], [width, height, width * height * 4]);
  const part = doc.render({region: [8, 4, 30, 20]});
  assert.deepEqual([part.width, part.height], [30, 20]);
  for (let y = 0; y < 20; y++)
    assert.deepEqual(part.data.slice(y * 120, y * 120 + 120),
      whole.data.slice(((y + 4) * width + 8) * 4, ((y + 4) * width + 38) * 4));
  assert.equal(doc.render({scale: 1 / 2}).width, Math.ceil(width / 2));
  assert.equal(doc.render({region: [0, 0, 10, 10], scale: 3}).width, 30);
  assert.equal(doc.render({size: 64}).width, doc.renderSize({size: 64}).width);
  assert.deepEqual([doc.render({view: 'camera', viewSize: [200, 100]}).width], [200]);
  assert.notDeepEqual(doc.render({layers: layers.map(() => false), things: false}).data, whole.data);
  assert.notDeepEqual(doc.render({overlays: ['grid']}).data, whole.data);
  const t = things.find(thing => thing.path);
  assert.ok(doc.thingsAt(t.rect[0], t.rect[1]).some(thing => thing.path === t.path));
  assert.equal(typeof doc.get(t.path), 'object');
});

test('world with its files', () => {
  const names = ['frost_pass.graal', 'lake_meadow.nw', 'lake_mill.nw', 'lake_shore.nw', 'lake_village.nw',
    'lake_woods.nw', 'lakeside.gmap'];
  let fetched = 0;
  const files = new FileSet(names.map(n => [`world/${n}`, () => {
    fetched++;
    return read(`graal/lakeside/${n}`);
  }]));
  files.add('pics1.png', read('graal/pics1.png'));
  assert.equal([...files].length, 8);
  const doc = lvl.open(files.read('world/lakeside.gmap'), 'world/lakeside.gmap', {files});
  const scene = doc.scene();
  assert.ok(scene.has_art);
  assert.equal(scene.missing_files, 0);
  assert.equal(fetched, 1 + new Set(scene.links.map(l => l.target)).size * 1);
  assert.ok(scene.links.every(l => l.way === 'place' && l.column >= 0));
  const bare = lvl.open(files.read('world/lakeside.gmap'), 'world/lakeside.gmap');
  assert.equal(bare.scene().missing_files, bare.scene().files);
  const level = lvl.open(read('graal/lakeside/lake_village.nw'), 'world/lake_village.nw',
    {files: Object.fromEntries(
    [['world/pics1.png', read('graal/pics1.png')]])});
  assert.ok(level.scene().has_art);
  assert.ok(level.scene().links.some(l => l.target === 'lake_meadow.nw'));
  const link = level.scene().links[0];
  assert.ok(level.linksAt(link.rect[0] + 1, link.rect[1] + 1).length >= 1);
});

test('animation', () => {
  const doc = lvl.open(read('graal/ganis/hero_walk.gani'), 'hero_walk.gani', {
    files: {'sprites.png': read('graal/sprites.png'), 'body.png': read('graal/body.png'),
      'head0.png': read('graal/head0.png'), 'head1.png': read('graal/head1.png')}, art: ['']});
  const play = doc.animation();
  assert.deepEqual([play.frames, play.directions, play.durations.length], [4, 4, 4]);
  assert.notDeepEqual(doc.render({frame: 0}).data, doc.render({frame: 1}).data);
  assert.notDeepEqual(doc.render({direction: 0}).data, doc.render({direction: 3}).data);
  assert.notDeepEqual(doc.render({direction: 2}).data,
    doc.render({direction: 2, choices: {head: 'head1.png'}}).data);
});

test('members', () => {
  const pack = lvl.open(read('sketchy/walk.levelpack'), 'walk.levelpack');
  const levels = pack.members().filter(m => m.path.endsWith('.level'));
  assert.ok(levels.length);
  const level = pack.openMember(levels[0].path);
  assert.equal(level.format, 'sketchy');
  level.set('title', 'Changed');
  pack.putMember(levels[0].path, level.save());
  const again = lvl.open(pack.save(), 'walk.levelpack');
  assert.equal(again.openMember(levels[0].path).get('title'), 'Changed');
  assert.throws(() => pack.member('none'), e => e.status === 'missing');
  assert.deepEqual(pack.member(levels[0].path).findings, []);
  const zip = lvl.unzip(read('sketchy/walk.levelpack'));
  assert.ok([...zip].length > 0);
  assert.deepEqual(zip.read([...zip][0]).length > 0, true);
});

test('damaged member', () => {
  const bytes = Uint8Array.from(read('sketchy/walk.levelpack'));
  const first = Buffer.from(bytes).indexOf('levels/hill.level');
  bytes.fill(255, first + 900, first + 908);
  const pack = lvl.open(bytes, 'walk.levelpack');
  const {bytes: part, findings} = pack.member('levels/hill.level');
  assert.ok(part.length > 0);
  assert.deepEqual(findings.map(f => [f.id, f.severity]), [['lvl.member.damaged', 'error']]);
  assert.equal(pack.openMember('levels/hill.level').findings[0].id, 'lvl.member.damaged');
  assert.deepEqual(pack.member('levels/rings.level').findings, []);
});

test('convert, repair', () => {
  const doc = lvl.open(read('graal/versions/gr-v1.03.graal'), 'gr-v1.03.graal');
  const {bytes, losses} = doc.convert('nw');
  assert.equal(losses.filter(l => l.severity === 'error').length, 0);
  assert.equal(lvl.open(bytes).format, 'nw');
  assert.throws(() => doc.convert('z3-v1.02'), e => e.status === 'loss' && e.findings.length > 0);
  assert.ok(doc.convert('z3-v1.02', {allowLoss: true}).losses.length > 0);
  const damaged = lvl.open(read('sketchy/damaged/cut-gzip.level'), 'cut-gzip.level');
  assert.ok(damaged.findings.length > 0 && damaged.findings[0].text);
  assert.equal(damaged.check().verdict, 'damaged');
  const repaired = damaged.repair();
  assert.ok(repaired.findings.length > 0);
  assert.equal(lvl.open(repaired.bytes).check().verdict, 'sound');
});

test('failing', () => {
  assert.throws(() => lvl.open('no level at all', 'x.txt'), e => e instanceof LvlError
    && e.status === 'foreign');
  assert.throws(() => lvl.open(new Uint8Array(0)), LvlError);
  assert.throws(() => lvl.open(read('sketchy/hill-v1.level'), 'x', {profile: 'nobody'}), e =>
    e.status === 'argument');
  assert.throws(() => lvl.open(read('sketchy/hill-v1.level'), 'x', {limits: {inputBytes: 100}}), e =>
    e.status === 'limit'
    && e.findings.length > 0);
  assert.throws(() => lvl.schema('nothing'), e => e.status === 'missing');
  const doc = lvl.open(read('sketchy/hill-v1.level'));
  assert.throws(() => doc.animation(), e => e.status === 'unsupported');
  assert.throws(() => doc.members().length && doc.member('x'), LvlError);
});

test('bad arguments, and functions of the caller that fail', () => {
  const bytes = read('wwd/cliffs.wwd');
  const doc = lvl.open(bytes, 'cliffs.wwd');
  const refused = (run, what) => assert.throws(run, error => {
    assert.ok(error instanceof LvlError, `${error}`);
    assert.equal(error.code, 'argument');
    assert.match(error.message, what);
    return true;
  });
  for (const bad of [undefined, null, NaN, {}, 7]) {
    refused(() => lvl.open(bad), /bytes/);
    refused(() => lvl.unzip(bad), /bytes/);
    refused(() => doc.getAll(bad), /path/);
    refused(() => doc.unset(bad), /path/);
    refused(() => doc.convert(bad), /form/);
    refused(() => doc.diff(bad), /other/);
    refused(() => doc.member(bad), /path/);
  }
  refused(() => lvl.open(bytes, null), /name/);
  refused(() => lvl.open(bytes, 'x.wwd', null), /options/);
  refused(() => lvl.open(bytes, 'x.wwd', {limits: {memory: 5}}), /limits/);
  for (const bad of [undefined, null, NaN, () => 1]) refused(() => doc.set('title', bad), /title/);
  refused(() => doc.set(null), /path/);
  for (const options of [{view: 'all'}, {overlays: ['grids']}, {overlays: 'x'}, {frame: -1}, {frame: 1.5}, {frame: 'x'},
    {direction: NaN}, {scale: 0}, {scale: NaN}, {scale: -1}, {scale: '2'}, {region: [0, 0, NaN, 4]}, {region: [0, 0]},
    {region: [0, 0, 0, 4]}, {size: -4}, {layer: 1.2}, {camera: [1]}, {choices: null}, {choices: {a: 1}}, {layers: 3}]) {
    refused(() => doc.render(options), new RegExp(Object.keys(options)[0]));
    refused(() => doc.renderSize(options), new RegExp(Object.keys(options)[0]));
  }
  refused(() => doc.cell(0, NaN, 0), /column/);
  refused(() => doc.tiles({first: -1}), /first/);
  const level = (files) => lvl.open(read('graal/lakeside/lake_village.nw'), 'a/lake_village.nw', {files, art: ['']});
  const source = {kind: path => (path === '' || path === 'a' ? 'folder' : 'file'), list: () => ['pics1.png'],
    read: () => undefined};
  for (const [name, broken] of Object.entries({kind: () => { throw new Error('no kind'); },
    read: () => { throw new Error('no read'); }, list: () => { throw new Error('no list'); }})) {
    assert.throws(() => level({...source, [name]: broken}).render(), error => error instanceof LvlError
      && error.code === 'io' && error.message.includes(`no ${name}`) && error.cause?.message === `no ${name}`);
  }
  for (const name of ['kind', 'read', 'list'])
    refused(() => level({...source, [name]: async () => { throw new Error('later'); }}).render(), /promise/);
  refused(() => level({...source, read: () => 5}).render(), /bytes/);
  refused(() => level({'pics1.png': () => Promise.resolve(bytes)}).render(), /promise/);
  doc.render(); /* it goes on */
});

test('a zip with new contents', () => {
  const bytes = read('sketchy/walk.levelpack');
  const zip = lvl.unzip(bytes);
  assert.deepEqual(zip.save(), Uint8Array.from(bytes));
  const changed = lvl.unzip(zip.save({'levels/hill.level': 'new'}));
  assert.deepEqual([...changed], [...zip]);
  for (const path of zip)
    assert.deepEqual(changed.read(path), path === 'levels/hill.level' ? new TextEncoder().encode('new') : zip.read(path));
  assert.throws(() => zip.save({'none': 'x'}), e => e instanceof LvlError && e.code === 'missing');
});

test('memory', () => {
  const bytes = read('sketchy/hill-v4.level');
  const round = () => {
    const doc = lvl.open(bytes, 'hill-v4.level');
    doc.render();
    doc.dump();
    doc.close();
  };
  round();
  const before = lvl.memoryBytes;
  for (let i = 0; i < 200; i++) round();
  assert.equal(lvl.memoryBytes, before);
});

console.log(`lvl.js: ${tests} tests passed; module memory ${(lvl.memoryBytes / 1048576).toFixed(1)} MiB`);
