/** Templates and hooks, from the vendored Preact. */

import { amount } from "../verify/amounts.js";

export {
  html,
  render,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "../vendor/preact.js";

/** Return class names as one text. @param {...(string | false | null | undefined)} names */
export function classes(...names) {
  return names.filter(Boolean).join(" ");
}

export { amount };

/** Return a count with its noun: 1 card, 2 cards. @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${amount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Return a name with its verb: Ann wins, You win. @param {string} name @param {string} verb */
export const does = (name, verb) => `${name} ${name !== "You" ? verb : verb === "is" ? "are" : verb.slice(0, -1)}`;

/** Return the possessive of a name: Ann's, your. @param {string} name */
export const whose = (name) => (name === "You" ? "your" : `${name}'s`);

/** Return whether the person asked for less motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
