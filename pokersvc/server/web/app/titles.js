/** The game of a table, in words. */

import { counted } from "./html.js";

/** @type {Record<string, string>} */
const NAMES = { draw: "Five-card draw", kalah: "Kalah", market: "Poker Market" };

/**
 * Return a game's name; a kind that the page does not know is its own name.
 * @param {string} kind
 */
export function gameName(kind) {
  return NAMES[kind] ?? kind;
}

/**
 * Return an option's or a house's name as people read it: empty_capture is Empty capture.
 * @param {string} name
 */
export function readable(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Return what is played: Five-card draw, no-limit, 20 rounds.
 * @param {TableInfo} info
 */
export function titleOf({ kind, options, rounds }) {
  const { rules } = options;
  const house = typeof rules === "string" ? rules : rules?.name;
  return [gameName(kind), house, rounds && counted(rounds, "round")].filter(Boolean).join(", ");
}

/** @param {TableInfo} info */
export function nameOfTable(info) {
  return info.title || titleOf(info);
}
