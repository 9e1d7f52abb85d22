/* Sounds that things name: played when the user asks for it, one at a time. */
import {button, notice} from './dom.js';

let playing = null; /* {node: the button that stops it, stop} */

export function stopSound() {
  playing?.stop();
}

/* What browsers call the files, by how they begin. */
const types = [[/^RIFF[^]{4}WAVE/, 'audio/wav'], [/^OggS/, 'audio/ogg'], [/^(?:ID3|\xff[\xe0-\xff])/, 'audio/mpeg']];

function blobOf(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return new Blob([bytes], {type: types.find(([pattern]) => pattern.test(head))?.[1] ?? ''});
}

function show(node, isOn) {
  node.textContent = isOn ? 'Stop' : 'Play';
  node.setAttribute('aria-pressed', String(isOn));
}

/* Plays the sound of that name; `node` then stops it. */
async function play(app, name, node) {
  stopSound();
  const audio = new Audio();
  const mine = {node, stop() {
    audio.pause();
    URL.revokeObjectURL(audio.src);
    if (playing !== mine) return;
    playing = null;
    show(node, false);
  }};
  playing = mine;
  show(node, true);
  try {
    const blob = blobOf(await app.ask('sound', name));
    if (playing !== mine) return;
    audio.src = URL.createObjectURL(blob);
    audio.onended = mine.stop;
    await audio.play().catch(() => {
      if (playing === mine) throw new Error(`${name} cannot be played: this browser plays no ${blob.type ? 'sounds that are packed so' : 'such files'}.`);
    });
  } catch (error) {
    mine.stop();
    if (error.status !== 'missing') throw error;
    notice(`There is no sound ${name} here: drop the game's archive, or the folder with the level's own files, onto the page.`, true);
  }
}

/* The button beside a field that names a sound; `nameOf` gives what it names then. */
export function soundButton(app, nameOf) {
  const node = button('', () => {
    const name = nameOf();
    if (playing?.node === node) stopSound();
    else if (name) app.run(() => play(app, name, node));
    else notice('No sound is named here.');
  });
  show(node, false);
  return node;
}
