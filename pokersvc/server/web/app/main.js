/** Shows the page of an address. */

import { html, render } from "./html.js";
import { later } from "./later.js";
import { TablePage } from "./table/table.js";

const loading = (/** @type {boolean} */ failed) =>
  html`<main class="loading"><p role="status">${failed ? "The server cannot be reached. Load the page again." : "Loading…"}</p></main>`;

// Loaded when their address is opened, so that a table, which everybody opens first, does not wait for these screens.
const Lobby = later(() => import("./lobby/lobby.js"), "Lobby", loading);
const Ladders = later(() => import("./lobby/ladders.js"), "Ladders", loading);
const MovePage = later(() => import("./door/move.js"), "MovePage", loading);
const ReplayPage = later(() => import("./log/replay.js"), "ReplayPage", loading);
const SharedHandPage = later(() => import("./log/shared.js"), "SharedHandPage", loading);

/** @param {string} path */
function pageOf(path) {
  const parts = path.split("/").filter(Boolean);
  if (parts[0] === "t" && parts[1]) {
    if (parts[2] === "hand") return html`<${SharedHandPage} address=${parts[1]} />`;
    if (parts[2] === "move") return html`<${MovePage} address=${parts[1]} />`;
    const seat = parts[2] === "seat" ? Number(parts[3]) : null;
    return html`<${TablePage} address=${parts[1]} seat=${seat} door=${parts[2] ?? "watch"} />`;
  }
  if (parts[0] === "replay" && parts[1]) return html`<${ReplayPage} address=${parts[1]} />`;
  if (parts[0] === "ladders") return html`<${Ladders} />`;
  return html`<${Lobby} />`;
}

const app = document.getElementById("app");
if (app) {
  app.textContent = "";
  render(pageOf(location.pathname), app);
  // A new link of the same seat, or a link to another moment: to a browser it is the same page.
  addEventListener("hashchange", () => location.reload());
}
