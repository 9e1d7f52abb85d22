// Must not compile: a title is not read without a document.
import { load } from '@lvl/wasm';

const lvl = await load();
lvl.open(42, { title: 'no bytes' }).neverAFunction();
