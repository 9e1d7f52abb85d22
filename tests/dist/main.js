// Built by Vite and run in Chromium by scripts/check-dist. No `await` outside of a function: Vite before 7 builds for browsers without it.
import {load} from '@lvl/wasm';
import level from './hill-v4.level?url';

async function show(out) {
  const lvl = await load();
  const doc = lvl.open(await (await fetch(level)).arrayBuffer(), 'hill-v4.level');
  const picture = doc.render({size: 191});
  out.textContent = `${doc.info().title} ${Math.max(picture.width, picture.height)}`;
}
const out = document.querySelector('#out');
show(out).catch((error) => { out.textContent = `failed: ${error.stack}`; });
