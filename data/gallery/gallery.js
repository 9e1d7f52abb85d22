/* The index of a site that `lvl view --site' wrote: web/viewer/cards.js stands before this. */
'use strict';

/* [id, path, bytes, verdict, line of `lvl info', whether it has a picture] */
const levels = globalThis.lvlRows.map(([id, path, bytes, verdict, line, hasPicture]) =>
  ({id, path, bytes, verdict, ...partsOfLine(line), hasPicture}));

const cards = new Cards(document.querySelector('main'), {
  address: ({id}) => `lvl.html?level=${id}`,
  picture({id, hasPicture}) {
    if (!hasPicture) return undefined;
    const image = document.createElement('img');
    Object.assign(image, {loading: 'lazy', decoding: 'async', alt: '', src: `pictures/${id}.png`});
    return image;
  },
  changed() {
    const {state} = cards;
    history.replaceState(null, '', state.size ? `#${state}` : location.pathname + location.search);
  },
});
cards.state = new URLSearchParams(location.hash.slice(1));
cards.levels = levels;
