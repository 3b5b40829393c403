/** What the keys do, and how this device shows and offers amounts; loaded when somebody asks. */

import { Dialog } from "../frame.js";
import { html, useState } from "../html.js";
import { bigBlind, changeSettings, MOST_PRESETS, readPreset, useSettings } from "./draw-settings.js";

const KEYS = [
  ["F", "fold; where you may check, F shows the button first, and F again folds"],
  ["C", "check, or call"],
  ["R", "get ready to bet or raise"],
  ["1 to 6", "the offered amounts, from the left; in the draw, pick a card"],
  ["↑ ↓", "a larger or smaller amount"],
  ["Enter", "bet or raise the amount that you have changed; in the draw, discard what is picked"],
  ["Esc", "take back"],
  ["?", "this"],
];

/** @param {{view: any, onClose: () => void}} props */
export function BettingHelp({ view, onClose }) {
  const { letters, presets, unit } = useSettings();
  const [text, write] = useState(presets.join(", "));
  const [wrong, refuse] = useState("");
  const big = bigBlind(view);
  const save = (/** @type {any} */ event) => {
    const { value } = event.target;
    write(value);
    const wanted = value.split(",").flatMap((/** @type {string} */ one) => one.trim() || []);
    const unknown = wanted.find((/** @type {string} */ one) => readPreset(one) === null);
    if (unknown !== undefined)
      return refuse(`I cannot read “${unknown}”. Write 1/2 pot, 75%, pot, 3 bb or a number of chips.`);
    if (wanted.length > MOST_PRESETS) return refuse(`At most ${MOST_PRESETS} fit; you have ${wanted.length}.`);
    refuse("");
    changeSettings({ presets: wanted });
  };
  return html`<${Dialog} title="Amounts and keys" onClose=${onClose}>
    ${
      big &&
      html`<fieldset class="row units"><legend>Show amounts in</legend>
      ${/** @type {const} */ (["chips", "blinds"]).map((one) => html`<label class="check"><input type="radio" name="unit" checked=${unit === one} data-testid=${`unit-${one}`} onChange=${() => changeSettings({ unit: one })} /><span>${one === "chips" ? "chips" : `big blinds (1 bb is ${big})`}</span></label>`)}
    </fieldset>`
    }
    <label>Offered amounts, with commas between
      <input value=${text} data-testid="presets" aria-invalid=${wrong !== ""} aria-describedby="presets-help" autocomplete="off" onInput=${save} /></label>
    <p id="presets-help" class=${wrong ? "form-error" : "hint"} role="status">${wrong || "Parts of the pot, big blinds (bb) or chips; between the least and the most, which are always offered."}</p>
    <h3>Keys</h3>
    <dl class="keys">${KEYS.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <label class="check"><input type="checkbox" checked=${letters} data-testid="letters" onChange=${(/** @type {any} */ event) => changeSettings({ letters: event.target.checked })} /><span>Letters, digits and ? are keys<small>Never where you type. Kept on this device.</small></span></label>
  <//>`;
}
