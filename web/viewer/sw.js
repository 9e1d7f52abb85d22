/* Keeps the page for use without a network. With a network, the newest files are used. */
const cacheName = 'lvl-viewer';
const files = ['./', 'manifest.webmanifest', 'icon.svg', 'samples.json', 'games/claw.json', 'games/gruntz.json', 'games/sketchy.json', 'style.css', 'cards.css', 'add.js', 'app.js', 'areas.js', 'book.js', 'cards.js', 'changes.js', 'client.js', 'clip.js', 'commands.js', 'controls.js', 'create.js',
  'dom.js', 'embedded.js', 'files.js', 'gallery.js',
  'hex.js', 'layers.js', 'map.js', 'marks.js', 'move.js', 'paint.js', 'panel.js', 'scenes.js', 'search.js', 'sounds.js', 'start.js', 'store.js', 'tables.js', 'things.js', 'worker.js', 'zip.js', '../lvl.js',
    '../lvl.wasm', '../lvl-texts.json'];

addEventListener('install', event =>
  event.waitUntil(caches.open(cacheName).then(cache => cache.addAll(files))));

addEventListener('fetch', event => {
  const {request} = event;
  if (request.method !== 'GET' || !request.url.startsWith(location.origin)) return;
  event.respondWith(fetch(request).then(async response => {
    if (response.ok) await (await caches.open(cacheName)).put(request, response.clone());
    return response;
  }, async error => {
    const kept = await caches.match(request, {ignoreSearch: true});
    if (kept) return kept;
    throw error;
  }));
});
