/** The signals of your turn, as each device wants them: in the title, as a sound, a vibration and a notification. */

import { useInstall } from "../device/install.js";
import { keep, kept } from "../device/store.js";
import { Dialog } from "../frame.js";
import { calm, html, useEffect, useRef, useState } from "../html.js";

/** @type {AudioContext | null} */
let audio = null;

/** Whether this browser can vibrate, and whether it can notify: not over plain http. */
const VIBRATES = "vibrate" in navigator;
const NOTIFIES = isSecureContext && "Notification" in window;

/** The default signals of a device on which nobody has chosen. */
const DEFAULTS = { sound: () => true, vibration: () => !calm(), notification: () => false };

/** @typedef {keyof typeof DEFAULTS} Signal */

/** @type {(signal: Signal) => boolean} */
const wants = (signal) => kept("localStorage", signal) ?? DEFAULTS[signal]();

const mayNotify = () => NOTIFIES && Notification.permission === "granted" && wants("notification");

function chime() {
  const sounds = audio;
  if (sounds?.state !== "running" || !wants("sound")) return;
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

/** Browsers allow a page to play sound and to vibrate only after a touch or a key. */
let touched = false;

function wake() {
  touched = true;
  audio ??= new AudioContext();
  audio.resume();
}

addEventListener("pointerdown", wake, { once: true });
addEventListener("keydown", wake, { once: true });

/**
 * Notify somebody who looks elsewhere, and return a function that takes the notification back. The notification names
 * no card, because others may see it.
 * @param {string} title
 */
function notified(title) {
  if (!mayNotify() || document.hasFocus()) return () => {};
  const data = { path: location.pathname };
  const options = { body: title, data, icon: "/web/icon-192.png", silent: !wants("sound"), tag: data.path };
  const shown = navigator.serviceWorker?.getRegistration().then(async (worker) => {
    if (!worker) return [new Notification("Your turn", options)];
    await worker.showNotification("Your turn", options); // on phones, pages have no other way
    return worker.getNotifications({ tag: data.path });
  });
  return () => void shown?.then((all) => all.forEach((one) => void one.close())).catch(() => {});
}

/**
 * Show in the title that it is your turn, and give the other signals when it begins.
 * @param {boolean} yours
 * @param {string} title
 */
export function useTurnSignal(yours, title) {
  const was = useRef(false);
  const takeBack = useRef(() => {});
  useEffect(() => {
    document.title = yours ? `● Your turn – ${title}` : title;
    if (yours && !was.current) {
      chime();
      if (VIBRATES && touched && wants("vibration")) navigator.vibrate([120, 80, 120]);
      takeBack.current = notified(title);
    } else if (!yours) takeBack.current();
    was.current = yours;
  }, [yours, title]);
}

/** The button that shows this device's signals, crossed out if there is no sound. */
export function SignalsButton() {
  const [shown, show] = useState(false);
  const on = wants("sound");
  return html`<button type="button" class="quiet icon" aria-label="This device" title="Signals of your turn on this device" data-testid="signals" onClick=${() => show(true)}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15zM10 21.500h4" />${!on && html`<path d="M4 4l16 16" />`}</svg></button>
    ${shown && html`<${Signals} onClose=${() => show(false)} />`}`;
}

/** @param {{onClose: () => void}} props */
function Signals({ onClose }) {
  const install = useInstall();
  const [refused, refuse] = useState(NOTIFIES && Notification.permission === "denied");
  const notify = async (/** @type {boolean} */ on) => {
    const allowed = !on || (await Notification.requestPermission()) === "granted";
    refuse(!allowed);
    return on && allowed;
  };
  return html`<${Dialog} title="When it is your turn" onClose=${onClose}>
    <div>
      <${Choice} signal="sound" label="Play a sound" says="Two short tones, once you have touched the page." />
      ${VIBRATES && html`<${Choice} signal="vibration" label="Vibrate" says="On devices that can." />`}
      ${NOTIFIES && html`<${Choice} signal="notification" label="Show a notification" says=${refused ? "This browser refuses notifications of this page: allow them in its settings." : "When you look elsewhere, while the table is open. It names no card."} set=${notify} />`}
    </div>
    <p class="hint">The title of the page says it in any case. These are for this device alone.${!NOTIFIES && !isSecureContext && " Notifications need https."}</p>
    ${install && html`<div class="row"><button type="button" data-testid="install" onClick=${install}>Install as an app</button></div>`}
  <//>`;
}

/** @param {{signal: Signal, label: string, says: string, set?: (on: boolean) => Promise<boolean>}} props */
function Choice({ signal, label, says, set = async (on) => on }) {
  const [on, turn] = useState(signal === "notification" ? mayNotify() : wants(signal));
  const change = async (/** @type {any} */ event) => {
    const now = await set(event.target.checked);
    event.target.checked = now;
    keep("localStorage", signal, now);
    turn(now);
  };
  return html`<label class="check"><input type="checkbox" checked=${on} data-testid=${signal} onChange=${change} /><span>${label}<small>${says}</small></span></label>`;
}
