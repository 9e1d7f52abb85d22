// Built by Vite and run in Chromium by scripts/check-dist.
import {load} from '@lvl/wasm';
import level from './hill-v4.level?url';

const out = document.querySelector('#out');
try {
  const lvl = await load();
  const doc = lvl.open(await (await fetch(level)).arrayBuffer(), 'hill-v4.level');
  const picture = doc.render({size: 191});
  out.textContent = `${doc.info().title} ${Math.max(picture.width, picture.height)}`;
} catch (error) {
  out.textContent = `failed: ${error.stack}`;
}
