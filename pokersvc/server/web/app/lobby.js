/** The lobby: open tables, games to replay, and a way to make a table. */

import { api, get, pathOf, post } from "./api.js";
import { Create } from "./create.js";
import { Header, Notice } from "./frame.js";
import { html, useEffect, useState } from "./html.js";
import { keep, kept } from "./store.js";
import { saySeat, saySettings } from "./table-parts.js";
import { nameOfTable, titleOf } from "./titles.js";

const LOOK_AGAIN = 4000;

/** @typedef {import("./types.js").TableInfo} TableInfo */

export function Lobby() {
  const [tables, setTables] = useState(/** @type {TableInfo[] | null} */ (null));
  const [games, setGames] = useState(/** @type {TableInfo[]} */ ([]));
  const [making, make] = useState(location.hash === "#new");
  const [error, fail] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    document.title = "Tables – pokersvc";
    const look = () => {
      if (document.hidden) return;
      get("/api/tables").then(
        ({ tables: found }) => {
          setTables(found);
          fail(null);
        },
        (refused) => fail(refused.message),
      );
    };
    look();
    get("/api/replays").then(
      ({ tables: found }) => setGames(found),
      () => {},
    );
    const timer = setInterval(look, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, []);
  return html`<${Header} title="Tables">
      <button type="button" class="primary" data-testid="new-table" onClick=${() => make(true)}>Make a table</button>
    <//>
    <main class="lobby">
      <${Notice} text=${error} />
      <p class="lead">Sit down, watch, or make a table for friends. Every card and every bet is in a log that your own browser checks.</p>
      <section aria-labelledby="open-title">
        <h2 id="open-title">Open tables</h2>
        ${
          tables === null
            ? html`<p role="status">Loading…</p>`
            : tables.length === 0
              ? html`<div class="empty"><p>No public table is open.</p><p>Make one: for friends by link, for anybody here, or against bots.</p></div>`
              : html`<ul class="tables">${tables.map((info) => html`<${TableCard} key=${info.table} info=${info} />`)}</ul>`
        }
      </section>
      ${
        games.length > 0 &&
        html`<section aria-labelledby="past-title">
        <h2 id="past-title">Finished games</h2>
        <ul class="past">${games.map(
          (
            game,
          ) => html`<li key=${game.table}><a href=${`/replay/${encodeURIComponent(game.table)}/`}>${nameOfTable(game)}</a>
          <span>${game.seats.map((seat) => seat.name).join(", ")}</span></li>`,
        )}</ul>
      </section>`
      }
    </main>
    ${making && html`<${Create} onClose=${() => make(false)} />`}`;
}

/** @param {{info: TableInfo}} props */
function TableCard({ info }) {
  const free = info.seats.filter((seat) => seat.kind === "empty");
  const title = nameOfTable(info);
  return html`<li class="table-card" data-testid=${`table-${info.table}`}>
    <h3>${title}</h3>
    ${info.name && html`<p class="what">${titleOf(info)}</p>`}
    <ul class="people">${info.seats.map((seat) => html`<li class=${seat.came ? seat.kind : "empty"}>${saySeat(seat)}</li>`)}</ul>
    <ul class="facts">${saySettings(info).map((fact) => html`<li>${fact}</li>`)}</ul>
    <div class="row">
      ${info.status === "waiting" && free.length > 0 && html`<${SitDown} table=${info.table} title=${title} />`}
      <a class="as-button" href=${`/t/${encodeURIComponent(info.table)}/`} aria-label=${`Watch ${title}`}>Watch</a>
    </div>
  </li>`;
}

/** @param {{table: string, title: string}} props */
function SitDown({ table, title }) {
  const [name, setName] = useState(kept("localStorage", "name") ?? "");
  const [error, fail] = useState("");
  const sit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      keep("localStorage", "name", name);
      const { link } = await post(api(table, "sit"), { name: name.trim() });
      location.assign(pathOf(link));
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
    }
  };
  return html`<form class="sit row" onSubmit=${sit}>
    <label class="hidden" for=${`name-${table}`}>Your name at ${title}</label>
    <input id=${`name-${table}`} required maxlength="20" placeholder="Your name" autocomplete="nickname" value=${name}
      onInput=${(/** @type {any} */ event) => setName(event.target.value)} data-testid="sit-name" />
    <button type="submit" class="primary" data-testid="sit">Sit down</button>
    <p class="form-error" role="alert">${error}</p>
  </form>`;
}
