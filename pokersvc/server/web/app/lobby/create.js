/** The form for a new table: its game, its players and its settings. */

import { api, get, pathOf, post } from "../api.js";
import { keep, kept } from "../device/store.js";
import { Dialog } from "../frame.js";
import { html, useEffect, useState } from "../html.js";
import { gameName, readable } from "../titles.js";
import { CLOCKS, NO_CLOCK, OptionField, SeatRow } from "./create-parts.js";

/** @param {{onClose: () => void}} props */
export function Create({ onClose }) {
  const [games, setGames] = useState(/** @type {GameInfo[]} */ ([]));
  const [error, fail] = useState("");
  useEffect(() => {
    get("/api/games").then(
      (found) => setGames(found.games),
      (refused) => fail(refused.message),
    );
  }, []);
  return html`<${Dialog} title="Make a table" wide onClose=${onClose}>
    <div role="alert">${error && html`<p class="notice bad">${error}</p>`}</div>
    ${games.length > 0 && html`<${Form} games=${games} fail=${fail} />`}
  <//>`;
}

/**
 * @param {GameInfo} game
 * @param {string} name
 * @returns {Chair[]}
 */
function chairsOf(game, name) {
  const count = game.kind === "draw" ? 4 : game.default_seats;
  return Array.from({ length: Math.min(count, game.seats.most) }, (_, at) => ({
    name: at === 0 ? name : "",
    program: game.default_program,
    who: at === 0 ? "me" : "program",
  }));
}

/** @param {{games: [GameInfo, ...GameInfo[]], fail: (text: string) => void}} props */
function Form({ games, fail }) {
  const mine = kept("localStorage", "name") ?? "";
  const [kind, setKind] = useState(games[0].kind);
  const game = games.find((one) => one.kind === kind) ?? games[0];
  const [house, setHouse] = useState("no-limit");
  const [options, setOptions] = useState(/** @type {Record<string, any>} */ ({}));
  const [chairs, setChairs] = useState(chairsOf(game, mine));
  const [rounds, setRounds] = useState(/** @type {number | null} */ (null));
  const [name, setName] = useState("");
  const [clock, setClock] = useState(0);
  const [advice, setAdvice] = useState(true);
  const [opens, setOpens] = useState(false);
  const [together, shuffleTogether] = useState(false);
  const [open, setOpen] = useState(false);
  const [busy, wait] = useState(false);
  const shuffles = kind === "draw" || kind === "market";
  const choose = (/** @type {GameInfo} */ one) => {
    setKind(one.kind);
    setOptions({});
    setChairs(chairsOf(one, chairs[0]?.name ?? mine));
  };
  const change = (/** @type {number} */ at, /** @type {Chair} */ chair) =>
    setChairs(
      chairs.map((old, index) =>
        index === at ? chair : chair.who === "me" && old.who === "me" ? { ...old, who: "person" } : old,
      ),
    );
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    wait(true);
    const { seconds, bank } = CLOCKS[clock] ?? NO_CLOCK;
    try {
      await make(
        {
          kind,
          name: name.trim(),
          options: { ...options, ...(game.houses.length > 0 && { rules: house }) },
          public: open,
          rounds,
          seats: chairs.map(({ who, name: person, program }) =>
            who === "program" ? { program } : who === "open" ? null : { name: person.trim() },
          ),
          settings: {
            advice,
            bank,
            opens_seeds: opens,
            seconds,
            ...(together && shuffles && { dealing: "together" }),
          },
        },
        chairs,
      );
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
      wait(false);
    }
  };
  return html`<form class="create" onSubmit=${submit}>
    <fieldset class="kinds"><legend>Game</legend>${games.map((one) => html`<label class="tile"><input type="radio" name="kind" value=${one.kind} checked=${one.kind === kind} onChange=${() => choose(one)} data-testid=${`kind-${one.kind}`} /><span>${gameName(one.kind)}</span></label>`)}</fieldset>
    ${
      game.houses.length > 0 &&
      html`<label>House<select value=${house} onChange=${(/** @type {any} */ event) => setHouse(event.target.value)} data-testid="house">
        ${game.houses.map((one) => html`<option value=${one.name} selected=${one.name === house}>${readable(one.name)}</option>`)}</select>
        <small>${game.houses.find((one) => one.name === house)?.summary}</small></label>`
    }
    <div class="fields">
      ${
        kind !== "kalah" &&
        html`<label>Rounds<input type="number" min="1" max="1000" value=${rounds ?? ""} data-testid="rounds"
        onInput=${(/** @type {any} */ event) => setRounds(Number(event.target.value) || null)} /><small>Empty: as many as the game's rules say.</small></label>`
      }
      ${game.options.filter((option) => option.name !== "rules").map((option) => html`<${OptionField} key=${kind + option.name} option=${option} options=${options} set=${setOptions} />`)}
    </div>
    <fieldset><legend>Seats</legend>
      <ol class="chair-rows">${chairs.map(
        (
          chair,
          at,
        ) => html`<${SeatRow} key=${at} at=${at} chair=${chair} game=${game} change=${(/** @type {Chair} */ now) => change(at, now)}
        remove=${chairs.length > game.seats.least ? () => setChairs(chairs.filter((_, index) => index !== at)) : null} />`,
      )}</ol>
      ${chairs.length < game.seats.most && html`<button type="button" class="quiet" onClick=${() => setChairs([...chairs, { name: "", program: game.default_program, who: "open" }])} data-testid="add-seat">Add a seat</button>`}
    </fieldset>
    <div class="fields">
      <label>What the table is called<input maxlength="40" value=${name} data-testid="table-name" onInput=${(/** @type {any} */ event) => setName(event.target.value)} /><small>Empty: by its game.</small></label>
      <label>Clock<select value=${clock} onChange=${(/** @type {any} */ event) => setClock(Number(event.target.value))} data-testid="clock">${CLOCKS.map((one, at) => html`<option value=${at}>${one.label}</option>`)}</select></label>
      ${
        shuffles &&
        html`<label>Who shuffles<select value=${together ? "together" : "dealer"} data-testid="dealing"
        onChange=${(/** @type {any} */ event) => {
          shuffleTogether(event.target.value === "together");
          if (event.target.value === "together") setOpens(true);
        }}><option value="dealer">The dealer alone</option><option value="together">Players and dealer together</option></select>
        <small>${together ? "Nobody can choose a deck. Who is away misses the round." : "The players can help, so that nobody can choose a deck."}</small></label>`
      }
      <label>Who can find it<select value=${open ? "public" : "link"} onChange=${(/** @type {any} */ event) => setOpen(event.target.value === "public")} data-testid="public">
        <option value="link">Only who has a link</option><option value="public">Everybody, in the lobby</option></select></label>
    </div>
    ${kind === "draw" && html`<label class="check"><input type="checkbox" checked=${advice} onChange=${(/** @type {any} */ event) => setAdvice(event.target.checked)} data-testid="allow-advice" /><span>Exact advice for who asks</span></label>`}
    <label class="check"><input type="checkbox" checked=${opens} onChange=${(/** @type {any} */ event) => setOpens(event.target.checked)} data-testid="opens-seeds" />
      <span>Open every deck after the game<small>Each browser then deals them all again and compares. It also shows the hands that were folded.</small></span></label>
    <button type="submit" class="primary big" disabled=${busy} data-testid="make">Make the table</button>
  </form>`;
}

/**
 * Make the table, keep its links in this tab, take the host's place, and go to the host's own seat.
 * @param {any} body
 * @param {Chair[]} chairs
 */
async function make(body, chairs) {
  const own = chairs.findIndex((chair) => chair.who === "me") + 1;
  const me = chairs[own - 1];
  if (me) keep("localStorage", "name", me.name.trim());
  const { table, host, seats } = await post("/api/tables", body);
  const token = new URL(host, location.origin).hash.slice(1);
  const links = Object.fromEntries(Object.entries(seats).filter(([seat]) => Number(seat) !== own));
  keep("sessionStorage", `links:${table}`, links);
  await post(api(table, "host/session"), { token });
  keep("localStorage", `host:${table}`, true);
  if (chairs.every((chair) => chair.who !== "open" && chair.who !== "person") && Object.keys(links).length === 0) {
    await post(api(table, "host/start")).catch(() => {}); // a full table may have started by itself
  }
  location.assign(own ? pathOf(seats[own]) : new URL(host, location.origin).pathname);
}
