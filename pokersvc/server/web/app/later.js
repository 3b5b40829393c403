/** Parts of the page that are loaded only once they are shown. */

import { html, useEffect, useState } from "./html.js";

/**
 * Return a component that loads another when it is first shown; until then, and if that fails, it shows nothing.
 * @param {() => Promise<any>} load @param {string} name
 */
export function later(load, name) {
  return function Later(/** @type {any} */ props) {
    const [Part, set] = useState(/** @type {any} */ (null));
    useEffect(() => {
      load().then(
        (module) => set(() => module[name]),
        () => {},
      );
    }, []);
    return Part && html`<${Part} ...${props} />`;
  };
}
