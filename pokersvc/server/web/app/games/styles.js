/** Styles that only some pages need, loaded with them. */

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Load a style sheet once; the part that needs it is drawn only then.
 * @param {string} address
 */
export function styled(address) {
  const known = loading.get(address);
  if (known) return known;
  const link = Object.assign(document.createElement("link"), { href: address, rel: "stylesheet" });
  const loaded = new Promise((resolve, reject) => {
    link.onload = () => resolve(undefined);
    link.onerror = () => {
      loading.delete(address); // so that it may be asked for again
      link.remove();
      reject(new Error(address));
    };
  });
  loading.set(address, /** @type {Promise<void>} */ (loaded));
  document.head.append(link);
  return /** @type {Promise<void>} */ (loaded);
}
