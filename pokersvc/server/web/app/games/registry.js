/** The games that the page knows how to draw; any other is shown in words. */

import { styled } from "./styles.js";

const RETRY = 2000;
/** The style sheets of games, loaded beside their screens. @type {Record<string, string>} */
const SHEETS = { draw: "/web/styles/felt.css", kalah: "/web/styles/kalah.css", market: "/web/styles/market.css" };

/**
 * Return a game's screen; try again as often as the network fails.
 * @param {string} kind
 * @returns {Promise<GameScreen>}
 */
export async function screenOf(kind) {
  for (;;) {
    try {
      const sheet = SHEETS[kind];
      const [screen] = await Promise.all([loaded(kind), sheet && styled(sheet)]);
      return screen;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}

/** @param {string} kind @returns {Promise<GameScreen>} */
function loaded(kind) {
  switch (kind) {
    case "draw":
      return import("./draw.js");
    case "market":
      return import("./market.js");
    case "kalah":
      return import("./kalah.js");
    default:
      return import("./generic.js");
  }
}
