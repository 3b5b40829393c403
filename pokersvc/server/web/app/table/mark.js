/** Who is who at a glance: an initial and a colour for people, a sign for bots, and whether somebody is away. */

import { classes, html } from "../html.js";

/** The meaning of each badge in words. @type {Record<string, string>} */
const BADGES = { away: "zz", lost: "!", waits: "…" };

/** @param {string | null | undefined} kind of a seat's player; unknown kinds look like people */
export const isBot = (kind) => Boolean(kind) && kind !== "human" && kind !== "open";

/**
 * Return the text on each person's mark: the first letter of the name, and a second if others have the same one.
 * @param {readonly {seat: number, name: string, kind?: string | null}[]} seats
 * @returns {Record<number, string>}
 */
export function initials(seats) {
  const people = seats.filter(({ kind }) => !isBot(kind)).map(({ name, seat }) => ({ letters: [...name], seat }));
  const short = (/** @type {string[]} */ letters, /** @type {number} */ more) =>
    (letters[0] ?? "").toLocaleUpperCase() + (more ? (letters[more] ?? "") : "");
  return Object.fromEntries(
    people.map(({ letters, seat }) => {
      const others = people.filter((one) => one.seat !== seat && short(one.letters, 0) === short(letters, 0));
      const tells = (/** @type {number} */ more) =>
        others.every((one) => short(one.letters, more) !== short(letters, more));
      const more = others.length ? letters.findIndex((_, at) => at > 0 && letters[at] !== " " && tells(at)) : 0;
      return [seat, more < 0 ? `${short(letters, 0)}${seat}` : short(letters, more)];
    }),
  );
}

/** @param {{seat: number, kind?: string | null, text?: string | undefined, state?: string | false | undefined}} props `state`: away, waits or lost */
export function Mark({ seat, kind, text, state }) {
  const bot = isBot(kind);
  return html`<span class=${classes("mark", bot ? "machine" : `p${((seat - 1) % 10) + 1}`, state)} aria-hidden="true">${
    bot
      ? html`<svg viewBox="0 0 24 24"><path d="M12 3v4M5 8h14v11H5zM9.500 12v2.500M14.500 12v2.500M2 12v3M22 12v3" /></svg>`
      : text
  }${state && html`<i>${BADGES[state]}</i>`}</span>`;
}
