/** Parts of the page that are loaded only once they are shown. */

import { html, useEffect, useState } from "./html.js";

/**
 * Return a component that loads another when it is first shown.
 * @param {() => Promise<any>} load
 * @param {string} name what the loaded module calls it
 * @param {(failed: boolean) => import("../vendor/preact.js").VNode | null} [meanwhile] what is shown until then, and if
 * loading fails
 */
export function later(load, name, meanwhile = () => null) {
  return function Later(/** @type {any} */ props) {
    const [Part, set] = useState(/** @type {any} */ (null));
    const [failed, fail] = useState(false);
    useEffect(() => {
      load().then(
        (module) => set(() => module[name]),
        () => fail(true),
      );
    }, []);
    return Part ? html`<${Part} ...${props} />` : meanwhile(failed);
  };
}
