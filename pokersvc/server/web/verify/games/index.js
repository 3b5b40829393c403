/** The games whose rules the verifier knows; of any other game it checks only the chain and the secrets. */

import { folded } from "../form.js";
import { move } from "../problem.js";
import { refusedCash } from "./draw_poker/betting_terms.js";
import { DrawPoker } from "./draw_poker/draw_poker.js";
import { refusedLevels } from "./draw_poker/levels.js";
import { Kalah } from "./kalah.js";
import { PokerMarket } from "./poker_market.js";

/** @type {Record<string, new (started: GameEvent, seat: number | null, checked: Checked) => Rulebook>} */
const RULEBOOKS = { draw: DrawPoker, kalah: Kalah, market: PokerMarket };

/**
 * Return the rulebook of the game that an event starts; null for an unknown game.
 * @type {(started: GameEvent, seat: number | null, checked: Checked) => Rulebook | null}
 */
export function rulebookOf(started, seat, checked) {
  const {
    cash = null,
    changeable,
    engine = 1,
    game,
    levels,
    people = null,
    rules,
    seats,
    shuffle = 1,
    table,
  } = started.payload ?? {};
  // Hands that were dealt elsewhere, without a deck, have no rulebook here.
  const Rules = Object.hasOwn(RULEBOOKS, game) && !table?.recorded && !table?.rake ? RULEBOOKS[game] : undefined;
  if (Rules === undefined) return null;
  const most = rules.seats?.most ?? (game === "kalah" ? 2 : 10);
  const names = new Set(seats.map((/** @type {{ name: string }} */ { name }) => folded(name)));
  /** @type {number[]} */
  const places = table?.numbers ?? [];
  const isOther =
    engine > (game === "draw" ? 5 : 1) ||
    shuffle !== 1 ||
    names.size < seats.length ||
    ((changeable || levels || cash || people) && engine < 5) ||
    ((cash || people) && (!table?.cash || refusedCash(cash, people, rules, seats.length))) ||
    (levels && refusedLevels(rules, levels, Boolean(table?.cash || changeable))) ||
    places.some((at, seat) => at <= Number(places[seat - 1] ?? -1));
  if (isOther || seats.length < 2 || seats.length > most) throw move(started, "none begins so");
  return new Rules(started, seat, checked);
}
