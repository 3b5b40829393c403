/** Parts of the form for a new table. */

import { html } from "../html.js";
import { readable } from "../titles.js";
import { byRating, withRating } from "./rated.js";
import { EACH } from "./wanted.js";

/**
 * A field with its label and, if it was refused, with the reason below it.
 * `children` is a function from the attributes that its input needs.
 * @param {{name: string, label: string, refused: Refusal | null, help?: string, children?: any}} props
 */
export function Field({ name, label, refused, help = "", children }) {
  const wrong = refused?.field === name ? refused.message : "";
  const about = { "aria-describedby": wrong && `wrong-${name}`, "aria-invalid": wrong ? "true" : undefined };
  return html`<div class="field"><label>${label}${children({ ...about, "data-field": name })}${help && html`<small>${help}</small>`}</label>
    <${Wrong} name=${name} text=${wrong} /></div>`;
}

/** @param {{name: string, text: string}} props */
function Wrong({ name, text }) {
  return text ? html`<p class="form-error" id=${`wrong-${name}`} data-testid=${`wrong-${name}`}>${text}</p>` : null;
}

/** @param {{label: string, name: string, refused: Refusal | null, value: any, choices: [any, string][], set: (value: string) => void, testid: string, help?: string}} props */
export function Choice({ label, name, refused, value, choices, set, testid, help = "" }) {
  return html`<${Field} name=${name} label=${label} refused=${refused} help=${help}>${(
    /** @type {any} */ about,
  ) => html`<select ...${about} value=${value} data-testid=${testid}
    onChange=${(/** @type {any} */ event) => set(event.target.value)}>${choices.map(([key, said]) => html`<option value=${key} selected=${key === value}>${said}</option>`)}</select>`}<//>`;
}

/** @param {{label: string, testid: string, checked: boolean, set: (checked: boolean) => void, help?: string}} props */
export function Check({ label, testid, checked, set, help = "" }) {
  return html`<label class="check"><input type="checkbox" checked=${checked} data-testid=${testid}
    onChange=${(/** @type {any} */ event) => set(event.target.checked)} /><span>${label}${help && html`<small>${help}</small>`}</span></label>`;
}

/**
 * One option of a game. With `each` it is the part of its value that concerns single players.
 * @param {{option: OptionInfo, options: Record<string, any>, set: (options: Record<string, any>) => void, refused: Refusal | null, usual?: string, brief?: boolean, each?: boolean}} props
 */
export function OptionField({ option, options, set, refused, usual = "", brief = false, each = false }) {
  const { type } = option;
  const help = (each && option.each) || option.help;
  const name = each ? option.name + EACH : option.name;
  const write = (/** @type {any} */ value) => set({ ...options, [name]: value });
  if (type === "boolean") {
    return html`<${Check} label=${readable(name)} testid=${`option-${name}`} checked=${Boolean(options[name])} set=${write} help=${help} />`;
  }
  const number = type === "integer";
  const read = (/** @type {string} */ text) => (text === "" ? undefined : number ? Number(text) : text);
  const label = each ? `${readable(option.name)}, one by one` : readable(name);
  return html`<${Field} name=${name} label=${label} refused=${refused} help=${brief ? "" : help}>${(
    /** @type {any} */ about,
  ) => html`<input ...${about} type=${number ? "number" : "text"}
    min=${number ? 0 : undefined} value=${options[name] ?? ""} placeholder=${usual} title=${brief ? help : undefined} autocomplete="off"
    data-testid=${`option-${name}`} onInput=${(/** @type {any} */ event) => write(read(event.target.value))} />`}<//>`;
}

/**
 * The kind of the table's bots: one choice for all of them, with a note on how such a bot plays.
 * @param {{game: GameInfo, bots: Chair[], ratings: Record<string, number>, refused: Refusal | null, set: (kind: string) => void}} props
 */
export function BotField({ game, bots, ratings, refused, set }) {
  const chosen = bots[0]?.program ?? game.default_program;
  const said = bots.length > 0 && game.programs_said[chosen];
  return html`<${Field} name="program" label=${game.program_levels.length > 0 ? "Level" : "Kind of bot"} refused=${refused}>${(
    /** @type {any} */ about,
  ) => html`<select ...${about} value=${chosen} disabled=${bots.length === 0} data-testid="program"
      onChange=${(/** @type {any} */ event) => set(event.target.value)}>
      <${BotOptions} programs=${game.programs} levels=${game.program_levels} ratings=${ratings} chosen=${chosen} /></select>`}<//>
    ${said && html`<p class="hint bots-said" data-testid="bots-said">${readable(chosen)} ${said}.</p>`}`;
}

/**
 * The kinds of bots as options of a list: the levels from weak to strong, then the others, those with the best ratings first.
 * @param {{programs: string[], levels: string[], ratings: Record<string, number>, chosen: string | undefined}} props
 */
export function BotOptions({ programs, levels, ratings, chosen }) {
  const option = (/** @type {string} */ kind) =>
    html`<option value=${kind} selected=${kind === chosen}>${withRating(readable(kind), ratings[kind])}</option>`;
  const others = byRating(programs, ratings).filter((kind) => !levels.includes(kind));
  if (levels.length === 0) return html`${others.map(option)}`;
  return html`<optgroup label="From weak to strong">${levels.map(option)}</optgroup>
    <optgroup label="Other bots">${others.map(option)}</optgroup>`;
}

/** @param {{at: number, chair: Chair, game: GameInfo, ratings: Record<string, number>, change: (chair: any) => void, remove: (() => void) | null, refused: Refusal | null}} props */
export function SeatRow({ at, chair, game, ratings, change, remove, refused }) {
  const number = at + 1;
  const field = `seats.${number}.${chair.who === "program" ? "program" : "name"}`;
  const wrong = chair.who !== "me" && refused?.field === field ? refused.message : "";
  const about = {
    "aria-describedby": wrong && `wrong-${field}`,
    "aria-invalid": wrong ? "true" : undefined,
    "data-field": field,
  };
  return html`<li class="chair-row">
    <select aria-label=${`Who sits at seat ${number}`} value=${chair.who} onChange=${(/** @type {any} */ event) => change({ ...chair, who: event.target.value })} data-testid=${`who-${number}`}>
      <option value="me">I sit here</option><option value="person">Somebody by name</option><option value="open">Free, by link or lobby</option><option value="program">A bot</option>
    </select>
    ${chair.who === "person" && html`<input ...${about} aria-label=${`Name at seat ${number}`} required maxlength="20" placeholder="Name" value=${chair.name} onInput=${(/** @type {any} */ event) => change({ ...chair, name: event.target.value })} data-testid=${`name-${number}`} />`}
    ${
      chair.who === "program" &&
      html`<select ...${about} aria-label=${`Bot at seat ${number}`} value=${chair.program} onChange=${(/** @type {any} */ event) => change({ ...chair, program: event.target.value })} data-testid=${`program-${number}`}>
      <${BotOptions} programs=${game.programs} levels=${game.program_levels} ratings=${ratings} chosen=${chair.program} /></select>
      ${game.programs_said[chair.program] && html`<span class="hint">${game.programs_said[chair.program]}</span>`}`
    }
    ${chair.who === "open" && html`<span class="hint">filled later</span>`}
    ${chair.who === "me" && html`<span class="hint">${chair.name || "you"}</span>`}
    ${remove && html`<button type="button" class="quiet" aria-label=${`Remove seat ${number}`} onClick=${remove}>✕</button>`}
    <${Wrong} name=${field} text=${wrong} />
  </li>`;
}
