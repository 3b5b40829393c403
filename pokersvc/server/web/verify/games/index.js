/** The games whose rules the verifier knows; of another game it checks the chain and the secrets. */

import { DrawPoker } from "./draw/draw_poker.js";
import { Kalah } from "./kalah.js";
import { PokerMarket } from "./poker_market.js";

/** @typedef {import("./rulebook.js").Rulebook} Rulebook */
/** @typedef {import("./rulebook.js").GameEvent} GameEvent */
/** @typedef {import("../verdict.js").Checked} Checked */

/** @type {Record<string, new (started: GameEvent, seat: number | null, checked: Checked) => Rulebook>} */
const RULEBOOKS = { draw: DrawPoker, kalah: Kalah, market: PokerMarket };

/**
 * Return the rulebook of the game that an event starts, or null for a game that is not known here.
 * @param {GameEvent} started
 * @param {number | null} seat whose eyes see the game
 * @param {Checked} checked what the rulebook counts up
 * @returns {Rulebook | null}
 */
export function rulebookOf(started, seat, checked) {
  const known =
    started.type === "GameStarted" && started.version <= 4 && Object.hasOwn(RULEBOOKS, started.payload.game);
  const Rules = known && !unknown(started.payload) ? RULEBOOKS[started.payload.game] : undefined;
  return Rules === undefined ? null : new Rules(started, seat, checked);
}

/** @type {(payload: any) => unknown} What no rulebook here knows: hands that were dealt elsewhere, without a deck. */
const unknown = ({ table }) => table?.recorded || table?.rake;
