/** Parts of the form for a new table. */

import { html } from "../html.js";
import { readable } from "../titles.js";

export const NO_CLOCK = { bank: 0, label: "None", seconds: 0 };
export const CLOCKS = [
  NO_CLOCK,
  { bank: 60, label: "Quick: 15 s, 1 minute in reserve", seconds: 15 },
  { bank: 120, label: "Normal: 30 s, 2 minutes in reserve", seconds: 30 },
  { bank: 600, label: "Slow: 2 minutes, 10 in reserve", seconds: 120 },
];

/** @param {{option: OptionInfo, options: Record<string, any>, set: (options: Record<string, any>) => void}} props */
export function OptionField({ option, options, set }) {
  const { name, help, type } = option;
  if (type === "boolean") {
    return html`<label class="check"><input type="checkbox" checked=${Boolean(options[name])} data-testid=${`option-${name}`}
      onChange=${(/** @type {any} */ event) => set({ ...options, [name]: event.target.checked })} /><span>${readable(name)}<small>${help}</small></span></label>`;
  }
  const read = (/** @type {string} */ text) => (text === "" ? undefined : type === "integer" ? Number(text) : text);
  return html`<label>${readable(name)}<input type=${type === "integer" ? "number" : "text"} min=${type === "integer" ? 0 : undefined} value=${options[name] ?? ""} data-testid=${`option-${name}`}
    onInput=${(/** @type {any} */ event) => set({ ...options, [name]: read(event.target.value) })} /><small>${help}</small></label>`;
}

/** @param {{at: number, chair: Chair, game: GameInfo, change: (chair: any) => void, remove: (() => void) | null}} props */
export function SeatRow({ at, chair, game, change, remove }) {
  const number = at + 1;
  return html`<li class="chair-row">
    <select aria-label=${`Who sits at seat ${number}`} value=${chair.who} onChange=${(/** @type {any} */ event) => change({ ...chair, who: event.target.value })} data-testid=${`who-${number}`}>
      <option value="me">I sit here</option><option value="person">Somebody by name</option><option value="open">Free, by link or lobby</option><option value="program">A bot</option>
    </select>
    ${["me", "person"].includes(chair.who) && html`<input aria-label=${`Name at seat ${number}`} required maxlength="20" placeholder="Name" value=${chair.name} onInput=${(/** @type {any} */ event) => change({ ...chair, name: event.target.value })} data-testid=${`name-${number}`} />`}
    ${
      chair.who === "program" &&
      html`<select aria-label=${`Bot at seat ${number}`} value=${chair.program} onChange=${(/** @type {any} */ event) => change({ ...chair, program: event.target.value })} data-testid=${`program-${number}`}>
      ${game.programs.map((program) => html`<option value=${program}>${program}</option>`)}</select>`
    }
    ${chair.who === "open" && html`<span class="hint">filled later</span>`}
    ${remove && html`<button type="button" class="quiet" aria-label=${`Remove seat ${number}`} onClick=${remove}>✕</button>`}
  </li>`;
}
