/** Shows the page of an address. */

import { html, render, useEffect, useState } from "./html.js";
import { Lobby } from "./lobby/lobby.js";
import { ReplayPage } from "./log/replay.js";
import { MovePage } from "./table/move.js";
import { TablePage } from "./table/table.js";

/** @param {{address: string}} props the id of a table */
function SharedHand({ address }) {
  const [page, load] = useState(/** @type {typeof import("./log/shared.js") | null} */ (null));
  const [why, say] = useState("Loading the hand…");
  useEffect(() => {
    import("./log/shared.js").then(load, () => say("The server cannot be reached. Load the page again."));
  }, []);
  if (page) return html`<${page.SharedHandPage} address=${address} />`;
  return html`<main class="loading"><p role="status">${why}</p></main>`;
}

/** @param {string} path */
function pageOf(path) {
  const parts = path.split("/").filter(Boolean);
  if (parts[0] === "t" && parts[1]) {
    if (parts[2] === "hand") return html`<${SharedHand} address=${parts[1]} />`;
    if (parts[2] === "move") return html`<${MovePage} address=${parts[1]} />`;
    const seat = parts[2] === "seat" ? Number(parts[3]) : null;
    return html`<${TablePage} address=${parts[1]} seat=${seat} door=${parts[2] ?? "watch"} />`;
  }
  if (parts[0] === "replay" && parts[1]) return html`<${ReplayPage} address=${parts[1]} />`;
  return html`<${Lobby} />`;
}

const app = document.getElementById("app");
if (app) {
  app.textContent = "";
  render(pageOf(location.pathname), app);
  // A new link of the same seat, or a link to another moment: to a browser it is the same page.
  addEventListener("hashchange", () => location.reload());
}
