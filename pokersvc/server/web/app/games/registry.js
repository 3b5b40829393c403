/** The games that the page knows how to draw; any other is shown in words. */

import { styled } from "./styles.js";

const RETRY = 2000;

/**
 * Return a game's screen; try again as often as the network fails.
 * @param {string} kind
 * @returns {Promise<GameScreen>}
 */
export async function screenOf(kind) {
  for (;;) {
    try {
      const screen = await loaded(kind);
      if (screen.sheet) await styled(screen.sheet);
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
