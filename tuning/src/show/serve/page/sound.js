// The sound of a piece on wood, off unless the user wants it.

import { byId } from "./shared.js";

const KEPT = "halma-sounds";
const box = byId("sounds");
let audio;

/** A text in the browser's storage; `null` if it has none. */
export const remembered = name => { try { return localStorage.getItem(name); } catch { return null; } };
export const remember = (name, text) => { try { localStorage.setItem(name, text); } catch { /* It is forgotten. */ } };

box.checked = remembered(KEPT) === "on";
box.addEventListener("change", () => {
  remember(KEPT, box.checked ? "on" : "off");
  knock();
});

/** Knocks once for each square after the first, at most four times. */
export function knock(squares = 2) {
  if (!box.checked) return;
  audio ??= new AudioContext();
  for (let at = 0; at < Math.min(squares - 1, 4); at++) {
    const start = audio.currentTime + at * 0.11, tone = audio.createOscillator(), volume = audio.createGain();
    tone.frequency.setValueAtTime(320, start);
    tone.frequency.exponentialRampToValueAtTime(90, start + 0.05);
    volume.gain.setValueAtTime(0.25, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.08);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.09);
  }
}
