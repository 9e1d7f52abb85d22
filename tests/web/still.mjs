/* What is clicked in the tests of pages: it stands still and nothing covers it, however slow the machine is. */

/* The first element that is seen of `css`, or of those whose text begins with `text`: {handle, place: its middle}. */
export async function find(page, {css, text}) {
  const handle = await page.waitForFunction(async (selector, begin) => {
    const seen = () => {
      const node = [...document.querySelectorAll(selector ?? 'button, label, summary, a')].find(one =>
        (selector || one.textContent.trim().startsWith(begin)) && one.checkVisibility({visibilityProperty: true}));
      node?.scrollIntoView({block: 'nearest'});
      const {left, top, width, height} = node?.getBoundingClientRect() ?? {};
      return [node, left + Math.min(width / 2, 60), top + height / 2];
    };
    const before = seen();
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    const [node, x, y] = seen();
    const top = node && document.elementFromPoint(x, y);
    const isThere = node && [node, x, y].every((one, i) => one === before[i]) && (node.contains(top) || top?.contains(node));
    return isThere && !node.disabled ? {node, x, y} : null;
  }, {}, css, text).catch(error => { throw new Error(`nothing to click, or it is covered: ${css ?? text} (${error.message})`); });
  const place = await handle.evaluate(found => [found.x, found.y]);
  return {handle: await handle.getProperty('node'), place};
}

export async function click(page, css, options) {
  const {place} = await find(page, {css});
  await page.mouse.click(...place, options);
}

/*
 * When the browser keeps values in one of the page's stores for the next visit of which `is` is true: `is(all, ...args)`
 * runs in the page.
 */
export function stored(page, store, is, ...args) {
  return page.waitForFunction(`(async () => {
    const done = request => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await done(indexedDB.open('lvl'));
    const all = await done(database.transaction(${JSON.stringify(store)}).objectStore(${JSON.stringify(store)}).getAll());
    database.close();
    return (${is})(all, ...${JSON.stringify(args)});
  })()`, {polling: 100});
}
