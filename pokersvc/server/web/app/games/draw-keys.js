/** Keys for draw poker. They do nothing in a text field, and characters can be switched off on this device. */

import { useLayoutEffect } from "../html.js";
import { settings } from "./draw-settings.js";

/** Where a person types, or where a dialog has the keys. */
const TYPES = "input:not([type=range]), textarea, select, dialog, [contenteditable]";
/** Elements that use Enter and the arrow keys themselves. */
const OWN_KEYS = "button, a, summary, [role=log], .chat-lines";

/**
 * Call `press` for each key; it returns whether it handled the key.
 * @param {(key: string) => boolean} press
 */
export function useKeys(press) {
  // Changed together with the drawing, so that a key never does what an earlier button said.
  useLayoutEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { key, target } = event;
      const place = target instanceof HTMLElement ? target : document.body;
      if (place.closest(TYPES) || document.querySelector("dialog[open]")) return;
      const character = key.length === 1;
      if (character ? event.repeat || !settings().letters : place.closest(OWN_KEYS)) return;
      if (press(character ? key.toLowerCase() : key)) event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
}
