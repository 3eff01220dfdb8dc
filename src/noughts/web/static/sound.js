// Sounds of the game, made by the browser.
//
//   hear("move") ──► notes ──► oscillators ──► speaker       on or off is remembered

import { recall, remember } from "./memory.js";

const SOUND = "sound";
const LOUDEST = 0.14;

/** Notes of each sound: frequency in Hz, start and length in seconds. */
const NOTES = {
  x: [[392, 0, 0.07]],
  o: [[294, 0, 0.07]],
  win: [[523, 0, 0.14], [659, 0.11, 0.14], [784, 0.22, 0.34]],
  loss: [[330, 0, 0.18], [262, 0.15, 0.36]],
  draw: [[392, 0, 0.14], [392, 0.16, 0.24]],
};

let context = null;

/** Return whether sounds are on, as by default. */
export const hasSound = () => recall(SOUND) ?? true;

export const setSound = (wanted) => remember(SOUND, wanted);

function play(name) {
  context ??= new AudioContext();
  context.resume();
  for (const [frequency, start, length] of NOTES[name]) {
    const from = context.currentTime + start;
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUDEST, from + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}

/** Play a sound: `x` or `o` for a move, `win`, `loss` or `draw`. */
export function hear(name) {
  // Browsers forbid sounds before the first click or key.
  if (!hasSound() || !navigator.userActivation?.hasBeenActive) return;
  // The first sound starts the audio device, which must not delay the picture.
  requestAnimationFrame(() => setTimeout(() => play(name)));
}
