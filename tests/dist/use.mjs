// Run by scripts/check-dist in the versions of Node that the package names.
import {readFileSync} from 'node:fs';
import {load} from '@lvl/wasm';

const lvl = await load();
const doc = lvl.open(readFileSync('hill-v4.level'), 'hill-v4.level');
const {title} = doc.info();
const picture = doc.render({size: 191});
doc.set('title', 'A better one');
const saved = lvl.open(doc.save(), 'saved.level');
if (saved.get('title') !== 'A better one') throw Error('the title was not saved');
console.log(process.version, title, Math.max(picture.width, picture.height));
