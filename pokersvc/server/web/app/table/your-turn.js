/** The signal of your turn: in the title, and as a sound if wanted. */

import { keep, kept } from "../device/store.js";
import { html, useEffect, useRef, useState } from "../html.js";

/** @type {AudioContext | null} */
let audio = null;

function chime() {
  const sounds = audio;
  if (sounds?.state !== "running" || kept("localStorage", "sound") === false) return;
  try {
    [660, 880].forEach((pitch, at) => {
      const start = sounds.currentTime + at * 0.14;
      const tone = sounds.createOscillator();
      const gain = sounds.createGain();
      tone.frequency.value = pitch;
      gain.gain.setValueAtTime(0.0001, start);
      gain.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
      gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
      tone.connect(gain).connect(sounds.destination);
      tone.start(start);
      tone.stop(start + 0.32);
    });
  } catch {
    // No sound here.
  }
}

function wake() {
  audio ??= new AudioContext();
  audio.resume();
}

/** Browsers allow a page to play sound only after a touch or a key. */
addEventListener("pointerdown", wake, { once: true });
addEventListener("keydown", wake, { once: true });

/**
 * Say in the title if it is your turn, and play a sound when it begins.
 * @param {boolean} yours
 * @param {string} title
 */
export function useTurnSignal(yours, title) {
  const was = useRef(false);
  useEffect(() => {
    document.title = yours ? `● Your turn – ${title}` : title;
    if (yours && !was.current) chime();
    was.current = yours;
  }, [yours, title]);
}

export function SoundButton() {
  const [on, turn] = useState(kept("localStorage", "sound") !== false);
  return html`<button type="button" class="quiet icon" aria-pressed=${on} aria-label="Sound" title=${on ? "Sound on" : "Sound off"} data-testid="sound" onClick=${() => {
    keep("localStorage", "sound", !on);
    turn(!on);
  }}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9.500v5h3.500L12 18.500v-13L7.500 9.500z" />${on ? html`<path d="M15.500 9a4.200 4.200 0 0 1 0 6M18 6.500a7.800 7.800 0 0 1 0 11" />` : html`<path d="m16 9.500 5 5m0-5-5 5" />`}</svg></button>`;
}
