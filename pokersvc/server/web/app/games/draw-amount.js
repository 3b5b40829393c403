/** The amount of a bet or a raise: by slider, wheel, number and presets, in chips or in big blinds. */

import { classes, html, useState } from "../html.js";
import { amountsOffered, bigBlind, stepOf, withUnit } from "./draw-settings.js";

/**
 * Return an amount moved by steps, within its range.
 * @param {number} sum
 * @param {number} steps
 * @param {{range: [number, number], view: any}} bounds
 */
export function moved(sum, steps, { range: [least, most], view }) {
  const from = Number.isFinite(sum) ? sum : least;
  return Math.max(least, Math.min(most, from + steps * stepOf(view)));
}

/** @param {BettingProps & {range: [number, number], sum: number, choose: (sum: number) => void, seat: any, verb: string}} props */
export function Amount({ range, sum, choose, view, seat, legal, verb, say, settings, help }) {
  const [least, most] = range;
  const offered = amountsOffered({ legal, presets: settings.presets, seat, view });
  const wheel = (/** @type {WheelEvent} */ event) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    choose(moved(sum, event.deltaY < 0 ? 1 : -1, { range, view }));
  };
  return html`<div class="amount" onWheel=${wheel}>
    <label class="hidden" for="bet-slider">${verb}, by slider</label>
    <input id="bet-slider" type="range" min=${least} max=${most} value=${Number.isFinite(sum) ? sum : least} data-testid="slider"
      aria-valuetext=${withUnit(say(sum))} onInput=${(/** @type {any} */ event) => choose(Number(event.target.value))} />
    <${Number_} sum=${sum} range=${range} choose=${choose} verb=${verb} unit=${settings.unit === "blinds" ? (bigBlind(view) ?? 1) : 1} />
    <div class="presets" role="group" aria-label="Amounts">
      ${offered.map(
        ({
          label,
          value,
        }) => html`<button type="button" key=${label} class=${classes("preset", value === sum && "now")} aria-pressed=${value === sum}
        onClick=${() => choose(value)}><span>${label}</span><small>${say(value)}</small></button>`,
      )}
      <button type="button" class="preset quiet" aria-label="Amounts and keys" title="Amounts and keys (?)" aria-haspopup="dialog" data-testid="betting-settings" onClick=${help}>⋯</button>
    </div>
  </div>`;
}

/**
 * The amount as a number field: an unfinished entry is left as it was typed.
 * @param {{sum: number, range: [number, number], choose: (sum: number) => void, verb: string, unit: number}} props `unit`: chips
 */
function Number_({ sum, range: [least, most], choose, verb, unit }) {
  const [text, write] = useState(/** @type {string | null} */ (null));
  const shown = Number.isFinite(sum) ? String(Number((sum / unit).toFixed(2))) : "";
  const typed = (/** @type {any} */ event) => {
    const { value } = event.target;
    write(value);
    choose(value === "" ? Number.NaN : Math.round(Number(value) * unit));
  };
  return html`<span class=${classes("bet-number", unit > 1 && "in-blinds")}>
    <label class="hidden" for="bet-number">${verb}, by number${unit > 1 ? " of big blinds" : ""}</label>
    <input id="bet-number" type="number" inputmode=${unit > 1 ? "decimal" : "numeric"} min=${least / unit} max=${most / unit} step=${unit > 1 ? "any" : 1}
      value=${text ?? shown} data-testid="amount" onInput=${typed} onBlur=${() => write(null)} /></span>`;
}
