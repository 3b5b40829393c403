/** The lobby: open tables, games to replay, and a way to make a table. */

import { get } from "../api.js";
import { onlyHere, Reach } from "../device/reach.js";
import { hasFreeSeat } from "../door/entry.js";
import { SitDown } from "../door/open-seats.js";
import { Header, Notice } from "../frame.js";
import { html, useEffect, useState } from "../html.js";
import { saySeat, sayTerms } from "../table/table-parts.js";
import { SignalsButton } from "../table/your-turn.js";
import { nameOfTable, titleOf } from "../titles.js";
import { Create } from "./create.js";
import { YourTables } from "./your-tables.js";

const LOOK_AGAIN = 4000;

export function Lobby() {
  const [tables, setTables] = useState(/** @type {TableInfo[] | null} */ (null));
  const [games, setGames] = useState(/** @type {TableInfo[]} */ ([]));
  const [making, make] = useState(location.hash.startsWith("#new"));
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
      <${SignalsButton} />
      <button type="button" class="primary" data-testid="new-table" onClick=${() => make(true)}>Make a table</button>
    <//>
    <main class="lobby">
      <${Notice} text=${error} />
      <p class="lead">Sit down, watch, or make a table for friends. Every card and every bet is in a log that your own browser checks. <a href="/ladders/" data-testid="ladders">Bots by rating</a></p>
      ${!onlyHere && html`<${Reach} />`}
      <${YourTables} />
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
          ) => html`<li key=${game.game}><a href=${`/replay/${encodeURIComponent(game.game)}/`}>${nameOfTable(game)}</a>
          <span>${game.seats.flatMap((seat) => seat.name ?? []).join(", ")}</span></li>`,
        )}</ul>
      </section>`
      }
    </main>
    ${making && html`<${Create} onClose=${() => make(false)} />`}`;
}

/** @param {{info: TableInfo}} props */
function TableCard({ info }) {
  const title = nameOfTable(info);
  return html`<li class="table-card" data-testid=${`table-${info.table}`}>
    <h3>${title}</h3>
    <p class="what">${titleOf(info)}</p>
    <ul class="people">${info.seats.map((seat) => html`<li class=${seat.came ? seat.kind : "empty"}>${saySeat(seat)}</li>`)}</ul>
    <ul class="facts">${sayTerms(info).map((fact) => html`<li>${fact}</li>`)}</ul>
    <div class="row">
      ${hasFreeSeat(info) && html`<${SitDown} table=${info.table} title=${title} />`}
      <a class="as-button" href=${`/t/${encodeURIComponent(info.table)}/`} aria-label=${`Watch ${title}`}>Watch</a>
    </div>
  </li>`;
}
