/*
 * The examples of web/README.md and the program of tests/dist, checked by the newest TypeScript with --strict, as Node
 * and as bundlers resolve the package; wrong uses are errors.
 * Usage: node types.mjs FOLDER, where FOLDER has node_modules with typescript.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const [, , folder] = process.argv;
const top = fileURLToPath(new URL('../..', import.meta.url));
const tsc = resolve(folder, 'node_modules/typescript/bin/tsc');
const scratch = mkdtempSync(join(tmpdir(), 'lvl-types-'));

/* An example as a program: the lines that are shown as comments are code, too, and what it is given is declared. */
function program(block) {
  const code = block.replace(/^\/\/ (.*;)$/gm, '$1');
  const imported = /\bload\b.*from/.test(code) ? '' : "import {FileSet, load} from '@lvl/wasm';\n";
  const given = ['bytes', 'levelBytes', 'pictureBytes'].map(name => `declare const ${name}: Uint8Array<ArrayBuffer>;\n`).join('');
  return `${imported}${code}\n${given}declare const context: CanvasRenderingContext2D;\n`;
}

function compile(file, ...options) {
  const {status, stdout} = spawnSync(process.execPath, [tsc, '--strict', '--noEmit', '--target', 'es2022', '--lib',
    'es2022,dom,esnext.disposable', '--types', '', ...options, file], {cwd: scratch, encoding: 'utf8'});
  return {passed: status === 0, said: stdout};
}

const resolutions = [['--module', 'nodenext'], ['--module', 'esnext', '--moduleResolution', 'bundler']];
try {
  mkdirSync(join(scratch, 'node_modules/@lvl'), {recursive: true});
  symlinkSync(join(top, 'web'), join(scratch, 'node_modules/@lvl/wasm'), 'junction');
  writeFileSync(join(scratch, 'package.json'), '{"type": "module"}');
  const blocks = [...readFileSync(join(top, 'web/README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  assert.ok(blocks.length >= 2 && blocks.some(code => code.includes('new ImageData(')), 'the examples are found');
  const files = blocks.map((code, i) => [`example${i + 1}.ts`, program(code)]);
  assert.ok(files.some(([, code]) => /^context\.putImageData\(new ImageData\(/m.test(code)), 'and so is the comment with ImageData');
  for (const [name, code] of files) writeFileSync(join(scratch, name), code);
  for (const name of ['types.ts', 'wrong.ts']) copyFileSync(join(top, 'tests/dist', name), join(scratch, name));
  writeFileSync(join(scratch, 'wrong2.ts'), program(blocks[0].replace('doc.render({region: [0, 0, 100, 80], scale: 2})',
    "doc.render({region: 'all', view: 'nowhere'})")));
  for (const options of resolutions) {
    for (const name of [...files.map(([file]) => file), 'types.ts']) {
      const {passed, said} = compile(name, ...options);
      assert.ok(passed, `${name}, ${options.join(' ')}:\n${said}`);
    }
    assert.match(compile('wrong.ts', ...options).said, /neverAFunction/);
    const {said} = compile('wrong2.ts', ...options);
    assert.match(said, /'string' is not assignable/);
    assert.match(said, /nowhere/);
  }
  const {stdout} = spawnSync(process.execPath, [tsc, '--version'], {encoding: 'utf8'});
  console.log(`types: ${files.length} examples of web/README.md and types.ts pass --strict (TypeScript ${stdout.trim().replace(/^\D*/, '')})`);
} finally {
  rmSync(scratch, {recursive: true, force: true});
}
