/** The form for a new table: the common case on one screen, the rest under "More". */

import { api, get, pathOf, post } from "../api.js";
import { keep, kept } from "../device/store.js";
import { Dialog } from "../frame.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { gameName, readable } from "../titles.js";
import { BotField, Check, Choice, Field, OptionField, SeatRow } from "./create-parts.js";
import { asked, ratingsOf } from "./rated.js";
import {
  bodyOf,
  CLOCKS,
  firstOptions,
  inHouse,
  isFlag,
  NO_CLOCK,
  opposite,
  readyMade,
  remembered,
  resized,
  usual,
  withBots,
} from "./wanted.js";

const LAST = "last-table";

/** @param {{onClose: () => void}} props */
export function Create({ onClose }) {
  const [games, setGames] = useState(/** @type {GameInfo[]} */ ([]));
  const [ladders, setLadders] = useState(/** @type {Ladder[]} */ ([]));
  const [error, fail] = useState("");
  useEffect(() => {
    get("/api/games").then(
      (found) => setGames(found.games),
      (refused) => fail(refused.message),
    );
    get("/api/ladders").then(
      (found) => setLadders(found.ladders),
      () => {}, // without ratings a table can be made as well
    );
  }, []);
  return html`<${Dialog} title="Make a table" wide onClose=${onClose}>
    <div role="alert">${error && html`<p class="notice bad">${error}</p>`}</div>
    ${games.length > 0 && html`<${Form} games=${games} ladders=${ladders} />`}
  <//>`;
}

/** @param {{games: [GameInfo, ...GameInfo[]], ladders: Ladder[]}} props */
function Form({ games, ladders }) {
  const mine = kept("localStorage", "name") ?? "";
  const opponent = asked(location.hash);
  const theirs = games.find((one) => one.kind === opponent?.kind);
  const [wanted, want] = useState(opponent && theirs ? opposite(theirs, opponent, mine) : usual(games[0], mine));
  const [chosen, choose] = useState("");
  const [refused, refuse] = useState(/** @type {Refusal | null} */ (null));
  const [busy, wait] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const { chairs, house, kind, options } = wanted;
  const game = games.find((one) => one.kind === kind) ?? games[0];
  const own = chairs.findIndex((chair) => chair.who === "me");
  const name = chairs[own]?.name || mine;
  const first = firstOptions(game, house);
  const ratings = ratingsOf(ladders, kind, house);
  const values = game.houses.find((one) => one.name === house)?.values ?? {};
  const bots = chairs.filter((chair) => chair.who === "program");
  const set = (/** @type {Partial<WantedTable>} */ changed) => {
    refuse(null);
    choose("");
    want({ ...wanted, ...changed });
  };
  const change = (/** @type {number} */ at, /** @type {Chair} */ chair) =>
    set({
      chairs: chairs.map((old, index) =>
        index === at ? chair : chair.who === "me" && old.who === "me" ? { ...old, who: "open" } : old,
      ),
    });
  useEffect(() => {
    if (refused) show(form.current, refused.field);
  }, [refused]);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    wait(true);
    refuse(null);
    try {
      await make(bodyOf(game, wanted), chairs, () => keep("localStorage", LAST, remembered(game, wanted)));
    } catch (/** @type {any} */ error) {
      refuse({ field: fieldOf(error.body?.field), message: error.message ?? String(error) });
      wait(false);
    }
  };
  return html`<form class="create" onSubmit=${submit} ref=${form}>
    <${Presets} games=${games} chosen=${chosen} take=${(/** @type {ReadyTable} */ ready) => {
      const of = games.find((one) => one.kind === ready.kind) ?? games[0];
      refuse(null);
      choose(ready.title);
      want(readyMade(of, ready, name));
    }} />
    <fieldset class="kinds"><legend class="hidden">Game</legend>${games.map(
      (one) => html`<label class="tile"><input type="radio" name="kind" value=${one.kind} checked=${one.kind === kind}
      onChange=${() => set(usual(one, name))} data-testid=${`kind-${one.kind}`} /><span>${gameName(one.kind)}</span></label>`,
    )}</fieldset>
    <div class="fields first">
      ${game.houses.length > 0 && html`<${Choice} label="House" name="rules" refused=${refused} value=${house} testid="house" set=${(/** @type {string} */ to) => set({ house: to, options: inHouse(game, options, to) })} choices=${game.houses.map((one) => [one.name, readable(one.name)])} />`}
      ${
        own >= 0 &&
        html`<${Field} name=${`seats.${own + 1}.name`} label="Your name" refused=${refused}>${(
          /** @type {any} */ about,
        ) => html`<input ...${about} required maxlength="20" autocomplete="nickname" value=${chairs[own]?.name} data-testid="own-name"
        onInput=${(/** @type {any} */ event) => chairs[own] && change(own, { ...chairs[own], name: event.target.value })} />`}<//>`
      }
      <div class="pair">
      <${Choice} label="Seats" name="seats" refused=${refused} value=${chairs.length} testid="seats" choices=${upTo(game.seats.least, Math.max(game.seats.most, chairs.length))} set=${(/** @type {string} */ count) => set({ chairs: resized(chairs, Number(count)) })} />
      <${Choice} label="Bots" name="bots" refused=${refused} value=${bots.length} testid="bots" choices=${upTo(0, chairs.length - (own < 0 ? 0 : 1))} set=${(/** @type {string} */ count) => set({ chairs: withBots(chairs, Number(count)) })} />
      </div>
      <${BotField} game=${game} bots=${bots} ratings=${ratings} refused=${refused} set=${(/** @type {string} */ program) => set({ chairs: chairs.map((chair) => ({ ...chair, program })) })} />
      ${first.filter((option) => !isFlag(option)).map((option) => html`<${OptionField} key=${kind + option.name} option=${option} options=${options} refused=${refused} usual=${values[option.name]} brief=${option.name in values} set=${(/** @type {any} */ to) => set({ options: to })} />`)}
      <${Choice} label="Clock" name="seconds" refused=${refused} value=${wanted.seconds} testid="clock" set=${(
        /** @type {string} */ to,
      ) => {
        const { seconds, bank } = CLOCKS.find((one) => one.seconds === Number(to)) ?? NO_CLOCK;
        set({ bank, seconds });
      }} choices=${CLOCKS.map((one) => [one.seconds, one.label])} />
      <${Choice} label="Who can find it" name="public" refused=${refused} value=${wanted.open ? "public" : "link"} testid="public" choices=${[["link", "Only by link"], ["public", "All, in the lobby"]]} set=${(/** @type {string} */ to) => set({ open: to === "public" })} />
    </div>
    ${first.filter(isFlag).map((option) => html`<${OptionField} key=${kind + option.name} option=${option} options=${options} refused=${refused} set=${(/** @type {any} */ to) => set({ options: to })} />`)}
    <details class="more"><summary data-testid="more">More</summary>
      <${More} game=${game} wanted=${wanted} set=${set} refused=${refused} first=${first} />
      <fieldset><legend>Seat by seat</legend>
        <ol class="chair-rows">${chairs.map(
          (
            chair,
            at,
          ) => html`<${SeatRow} key=${at} at=${at} chair=${chair} game=${game} ratings=${ratings} refused=${refused} change=${(/** @type {Chair} */ now) => change(at, now)}
          remove=${chairs.length > game.seats.least ? () => set({ chairs: chairs.filter((_, index) => index !== at) }) : null} />`,
        )}</ol>
        ${chairs.length < game.seats.most && html`<button type="button" class="quiet" onClick=${() => set({ chairs: [...chairs, { name: "", program: game.default_program, who: "open" }] })} data-testid="add-seat">Add a seat</button>`}
      </fieldset>
    </details>
    <div class="make"><p class="form-error" role="alert" data-testid="refused">${refused?.message}</p>
      <button type="submit" class="primary big" disabled=${busy} data-testid="make">Make the table</button></div>
  </form>`;
}

/**
 * The ready-made tables, and the last one of this device.
 * @param {{games: GameInfo[], chosen: string, take: (ready: ReadyTable) => void}} props
 */
function Presets({ games, chosen, take }) {
  const last = kept("localStorage", LAST);
  const offered = games.flatMap((game) => game.ready_tables.map((ready) => ({ ...ready, kind: game.kind })));
  if (games.some((game) => game.kind === last?.kind)) offered.push(last);
  return html`<div class="ready-made" role="group" aria-label="Ready-made">${offered.map(
    (ready, at) =>
      html`<button type="button" data-testid=${ready === last ? "preset-last" : `preset-${at + 1}`} aria-pressed=${ready.title === chosen ? "true" : "false"} onClick=${() => take(ready)}>${ready.title}</button>`,
  )}</div>`;
}

/** @param {{game: GameInfo, wanted: WantedTable, set: (changed: Partial<WantedTable>) => void, refused: Refusal | null, first: OptionInfo[]}} props */
function More({ game, wanted, set, refused, first }) {
  const { options } = wanted;
  const write = (/** @type {any} */ to) => set({ options: to });
  const others = game.options.filter((option) => !first.includes(option));
  const shown = (/** @type {OptionInfo} */ option, each = false) =>
    html`<${OptionField} key=${game.kind + option.name + each} option=${option} options=${options} refused=${refused} each=${each} set=${write} />`;
  return html`<div class="fields">
      ${game.options.filter((option) => option.each).map((option) => shown(option, true))}
      ${others.filter((option) => !isFlag(option)).map((option) => shown(option))}
      ${
        game.rounds &&
        html`<${Field} name="rounds" label="Rounds" refused=${refused} help="If empty, as many as the game's rules say.">${(
          /** @type {any} */ about,
        ) => html`<input ...${about} type="number" min="1" max="1000" value=${wanted.rounds ?? ""} data-testid="rounds"
        onInput=${(/** @type {any} */ event) => set({ rounds: Number(event.target.value) || null })} />`}<//>`
      }
      <${Field} name="name" label="What the table is called" refused=${refused} help="If empty, it gets a short title.">${(
        /** @type {any} */ about,
      ) => html`<input ...${about} maxlength="40" value=${wanted.title} data-testid="table-name"
        onInput=${(/** @type {any} */ event) => set({ title: event.target.value })} />`}<//>
      ${
        game.shuffles &&
        html`<${Choice} label="Who shuffles" name="dealing" refused=${refused} value=${wanted.together ? "together" : "dealer"} testid="dealing" choices=${[["dealer", "The dealer alone"], ["together", "Players and dealer together"]]}
        set=${(/** @type {string} */ to) => set({ opens: to === "together" || wanted.opens, together: to === "together" })}
        help=${wanted.together ? "Nobody can choose a deck. Who is away misses the round." : "The players can help, so that nobody can choose a deck."} />`
      }
    </div>
    ${others.filter(isFlag).map((option) => shown(option))}
    ${game.advises && html`<${Check} label="Advice for players who ask" testid="allow-advice" checked=${wanted.advice} set=${(/** @type {boolean} */ advice) => set({ advice })} />`}
    <${Check} label="Open every deck after the game" testid="opens-seeds" checked=${wanted.opens} set=${(/** @type {boolean} */ opens) => set({ opens })} help="Each browser then deals them all again and compares. It also shows the hands that were folded." />`;
}

/** Return the choices of a number. @param {number} least @param {number} most @returns {[number, string][]} */
function upTo(least, most) {
  return Array.from({ length: most - least + 1 }, (_, more) => [least + more, String(least + more)]);
}

/** Return the form's own name for a field of a refusal. @param {string | undefined} field */
function fieldOf(field = "") {
  return field === "bank" ? "seconds" : field;
}

/**
 * Show the field that was refused, and give it the focus; without one, show the button with the reason.
 * @param {HTMLFormElement | null} form @param {string} field
 */
function show(form, field) {
  /** @type {NodeListOf<HTMLElement> | undefined} */
  const all = form?.querySelectorAll("[data-field]");
  const fields = [...(all ?? [])];
  const found = fields.find((one) => one.dataset.field === field);
  found?.closest("details")?.setAttribute("open", "");
  const seen = found ?? form?.querySelector("[data-testid=make]");
  seen?.scrollIntoView({ block: "center" });
  found?.focus({ preventScroll: true });
}

/**
 * Make the table, keep its links in this tab, take the host's place, and go to the host's own seat.
 * @param {any} body
 * @param {Chair[]} chairs
 * @param {() => void} accepted
 */
async function make(body, chairs, accepted) {
  const own = chairs.findIndex((chair) => chair.who === "me") + 1;
  const me = chairs[own - 1];
  if (me) keep("localStorage", "name", me.name.trim());
  const { table, host, invitation, seats } = await post("/api/tables", body);
  accepted();
  const token = new URL(host, location.origin).hash.slice(1);
  const links = Object.fromEntries(Object.entries(seats).filter(([seat]) => Number(seat) !== own));
  keep("sessionStorage", `links:${table}`, links);
  await post(api(table, "host/session"), { token });
  keep("localStorage", `host:${table}`, true);
  keep("localStorage", `invitation:${table}`, pathOf(invitation));
  if (own) {
    await post(api(table, `seats/${own}/session`), { token: new URL(seats[own], location.origin).hash.slice(1) });
    keep("localStorage", `seat-${own}:${table}`, true);
  }
  if (chairs.every((chair) => chair.who !== "open" && chair.who !== "person") && Object.keys(links).length === 0) {
    await post(api(table, "host/start")).catch(() => {}); // a full table may have started by itself
  }
  location.assign(own ? `/t/${encodeURIComponent(table)}/seat/${own}/` : new URL(host, location.origin).pathname);
}
