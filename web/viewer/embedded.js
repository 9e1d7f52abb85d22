/*
 * Files that `lvl view' put into the page: {open, art, files}; `art` are folders and archives to search for pictures.
 * null: none.
 */
export function embedded() {
  const text = document.getElementById('lvl-files')?.textContent;
  if (!text) return null;
  const {open, art, files} = JSON.parse(text);
  return {open, art, files: files.map(({path, base64}) =>
    ({path, file: Uint8Array.from(atob(base64), c => c.charCodeAt(0))}))};
}
