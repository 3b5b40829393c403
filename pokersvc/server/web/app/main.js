/** Shows the page of an address. */

import { html, render, useEffect, useState } from "./html.js";
import { MovePage } from "./table/move.js";
import { TablePage } from "./table/table.js";

/** Pages that are loaded with their address, so that a table, which everybody opens first, does not wait for them. */
const PAGES = {
  hand: () => import("./log/shared.js").then((page) => page.SharedHandPage),
  lobby: () => import("./lobby/lobby.js").then((page) => page.Lobby),
  replay: () => import("./log/replay.js").then((page) => page.ReplayPage),
};

/** @param {{page: keyof typeof PAGES, address?: string}} props `address`: the id of a table or of a game */
function Loaded({ page, address = "" }) {
  const [Page, load] = useState(/** @type {any} */ (null));
  const [why, say] = useState("Loading…");
  useEffect(() => {
    PAGES[page]().then(
      (found) => load(() => found),
      () => say("The server cannot be reached. Load the page again."),
    );
  }, []);
  if (Page) return html`<${Page} address=${address} />`;
  return html`<main class="loading"><p role="status">${why}</p></main>`;
}

/** @param {string} path */
function pageOf(path) {
  const parts = path.split("/").filter(Boolean);
  if (parts[0] === "t" && parts[1]) {
    if (parts[2] === "hand") return html`<${Loaded} page="hand" address=${parts[1]} />`;
    if (parts[2] === "move") return html`<${MovePage} address=${parts[1]} />`;
    const seat = parts[2] === "seat" ? Number(parts[3]) : null;
    return html`<${TablePage} address=${parts[1]} seat=${seat} door=${parts[2] ?? "watch"} />`;
  }
  if (parts[0] === "replay" && parts[1]) return html`<${Loaded} page="replay" address=${parts[1]} />`;
  return html`<${Loaded} page="lobby" />`;
}

const app = document.getElementById("app");
if (app) {
  app.textContent = "";
  render(pageOf(location.pathname), app);
  // A new link of the same seat, or a link to another moment: to a browser it is the same page.
  addEventListener("hashchange", () => location.reload());
}
