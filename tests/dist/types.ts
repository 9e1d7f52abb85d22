// Compiled by scripts/check-dist with --strict: the package as a program in TypeScript uses it.
import { FileSet, load, LvlError, type Finding } from '@lvl/wasm';

const lvl = await load();
const bytes = new Uint8Array(16);
const files = new FileSet({ 'world/pics1.png': bytes, 'world/lake.nw': () => bytes });
try {
  const doc = lvl.open(bytes, 'world/lake.nw', { files });
  doc.set('title', 'A better one');
  const findings: Finding[] = doc.check().findings;
  const first: string | undefined = findings[0]?.id;
  const picture = doc.render({ size: 256 });
  const pixels: Uint8Array | Uint8ClampedArray = picture.data;
  const file: Uint8Array = doc.save();
  doc.close();
  console.log(first, pixels.length, picture.width * picture.height, file.length);
} catch (error) {
  if (error instanceof LvlError) console.log(error.status satisfies string, error.findings.length);
}
