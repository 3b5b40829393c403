/** Moving a seat, or the host's rights, to another device: this one shows a code, and a page on the other accepts it. */

import { api, get, post, Refused } from "../api.js";
import { onlyHere } from "../device/reach.js";
import { keep } from "../device/store.js";
import { Header } from "../frame.js";
import { html, useEffect, useState } from "../html.js";
import { QrCode } from "./invite.js";

/** Milliseconds for which a code is good. */
const LASTS = 5 * 60_000;
/** Milliseconds between two checks whether the host's rights have moved; for a seat, the stream reports it. */
const LOOK = 3000;

/** @param {number} milliseconds */
export const sayLeft = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** @param {{feed: Feed, door: string}} props `door`: `host`, or that of the seat */
export function Move({ feed, door }) {
  const [code, show] = useState("");
  const [until, setUntil] = useState(0);
  const [now, tick] = useState(0);
  const [text, say] = useState("");
  useEffect(() => {
    if (code === "") return undefined;
    const ticking = setInterval(() => tick(Date.now()), 1000);
    const looking = setInterval(() => door === "host" && void look(), LOOK);
    return () => {
      clearInterval(ticking);
      clearInterval(looking);
    };
  }, [code]);
  const look = () =>
    get(feed.api(`${door}/session`)).catch((error) => {
      if (!(error instanceof Refused && error.status === 401)) return;
      keep("localStorage", `host:${feed.address}`, null);
      show("");
      say("You went on at another device.");
    });
  const make = async () => {
    say("");
    try {
      const made = await post(feed.api(`${door}/code`));
      tick(Date.now());
      setUntil(Date.now() + LASTS);
      show(made.code);
    } catch (refused) {
      say(refused instanceof Error ? refused.message : String(refused));
    }
  };
  const good = code !== "" && now < until;
  const place = `/t/${encodeURIComponent(feed.table)}/move/`;
  const whole = new URL(`${place}#${code.replaceAll(" ", "-")}`, location.origin).href;
  return html`<div class="move">
    <button type="button" class="quiet" data-testid=${`move-${door === "host" ? "host" : "seat"}`} onClick=${make}>${good ? "New words" : "Move to another device"}</button>
    <p role="status">${text}</p>
    ${
      good &&
      html`<p>Open <b>${new URL(place, location.origin).href}</b> on the other device and type these words, or scan the code. This device is out then.</p>
      <p class="notice" data-testid="words"><b>${code}</b></p>
      <p class="hint">They work once, for ${sayLeft(until - now)} more. Show them to nobody: whoever types them ${door === "host" ? "hosts this table" : "has your seat"}.</p>
      <${QrCode} text=${whole} />
      ${onlyHere && html`<p class="hint">Only this machine can open this link.</p>`}`
    }
  </div>`;
}

/** @param {Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** @param {{address: string}} props `address`: the id of a table or of a game */
export function MovePage({ address }) {
  const [words, type] = useState(() => location.hash.slice(1).replaceAll("-", " "));
  // A device that missed the answer gets it again by repeating the request with the same token.
  const [fresh] = useState(() => base64url(crypto.getRandomValues(new Uint8Array(16))));
  const [error, fail] = useState("");
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  const move = async (/** @type {Event} */ event) => {
    event.preventDefault();
    fail("");
    try {
      const { table, seat } = await post(api(address, "move"), { code: words, fresh });
      keep("localStorage", `${seat === 0 ? "host" : `seat-${seat}`}:${table}`, true);
      location.assign(`/t/${encodeURIComponent(table)}/${seat === 0 ? "host" : `seat/${seat}`}/`);
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
    }
  };
  return html`<${Header} title="Move to this device" /><main class="plain entry">
    <form onSubmit=${move}>
      <label>The six words that the other device shows
        <input required maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false" value=${words}
          onInput=${(/** @type {any} */ event) => type(event.target.value)} data-testid="move-words" /></label>
      <p>You go on here with your seat or as the host, and the other device is out.</p>
      <button type="submit" class="primary" data-testid="move-here">Move here</button>
      <p class="form-error" role="alert">${error}</p>
    </form></main>`;
}
