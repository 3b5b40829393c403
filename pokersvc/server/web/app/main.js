/** Shows the page of an address. */

import { html, render, useEffect, useState } from "./html.js";
import { Lobby } from "./lobby/lobby.js";
import { MovePage } from "./table/move.js";
import { TablePage } from "./table/table.js";

/**
 * A page that is loaded when somebody opens it: a table needs none of it.
 * @param {{address: string, found: () => Promise<import("./types.js").PageOf>, what: string}} props
 */
function Later({ address, found, what }) {
  const [Page, load] = useState(/** @type {any} */ (null));
  const [why, say] = useState(`Loading the ${what}…`);
  useEffect(() => {
    found().then(
      (page) => load(() => page),
      () => say("The server cannot be reached. Load the page again."),
    );
  }, []);
  if (Page) return html`<${Page} address=${address} />`;
  return html`<main class="loading"><p role="status">${why}</p></main>`;
}

const sharedHand = () => import("./log/shared.js").then(({ SharedHandPage }) => SharedHandPage);
const replay = () => import("./log/replay.js").then(({ ReplayPage }) => ReplayPage);

/** @param {string} path */
function pageOf(path) {
  const parts = path.split("/").filter(Boolean);
  if (parts[0] === "t" && parts[1]) {
    if (parts[2] === "hand") return html`<${Later} address=${parts[1]} found=${sharedHand} what="hand" />`;
    if (parts[2] === "move") return html`<${MovePage} address=${parts[1]} />`;
    const seat = parts[2] === "seat" ? Number(parts[3]) : null;
    return html`<${TablePage} address=${parts[1]} seat=${seat} door=${parts[2] ?? "watch"} />`;
  }
  if (parts[0] === "replay" && parts[1]) return html`<${Later} address=${parts[1]} found=${replay} what="game" />`;
  return html`<${Lobby} />`;
}

const app = document.getElementById("app");
if (app) {
  app.textContent = "";
  render(pageOf(location.pathname), app);
  // A new link of the same seat, or a link to another moment: to a browser it is the same page.
  addEventListener("hashchange", () => location.reload());
}
