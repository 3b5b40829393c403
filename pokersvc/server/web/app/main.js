/** Shows the page of an address. */

import { html, render } from "./html.js";
import { Lobby } from "./lobby/lobby.js";
import { ReplayPage } from "./log/replay.js";
import { TablePage } from "./table/table.js";

/** @param {string} path */
function pageOf(path) {
  const parts = path.split("/").filter(Boolean);
  if (parts[0] === "t" && parts[1]) {
    const seat = parts[2] === "seat" ? Number(parts[3]) : null;
    return html`<${TablePage} table=${parts[1]} seat=${seat} hosts=${parts[2] === "host"} />`;
  }
  if (parts[0] === "replay" && parts[1]) return html`<${ReplayPage} table=${parts[1]} />`;
  return html`<${Lobby} />`;
}

const app = document.getElementById("app");
if (app) {
  app.textContent = "";
  render(pageOf(location.pathname), app);
  // A new link of the same seat, or a link to another moment: to a browser it is the same page.
  addEventListener("hashchange", () => location.reload());
}
